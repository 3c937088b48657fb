//! A listener whose connections can be taken away from the HTTP library in the middle of a request.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};

/// Accepts connections, counts them, and keeps a second handle to each.
#[derive(Debug)]
pub(crate) struct Accept {
    listener: TcpListener,
    count: Arc<AtomicUsize>,
}

impl Accept {
    pub(crate) fn new(listener: TcpListener, count: Arc<AtomicUsize>) -> Self {
        Self { listener, count }
    }
}

impl Listener for Accept {
    type Io = Socket;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Socket, SocketAddr) {
        loop {
            match self.listener.accept().await {
                Ok((stream, peer)) => {
                    self.count.fetch_add(1, Ordering::Relaxed);
                    // Small writes are the point of half of the faults; Nagle would join them.
                    let _ = stream.set_nodelay(true);
                    return (Socket(Wire::new(stream)), peer);
                }
                // Out of file descriptors, or a peer that is gone already: neither ends the server.
                Err(_) => tokio::time::sleep(Duration::from_millis(20)).await,
            }
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

/// A handle to a connection beside the HTTP library's own.
#[derive(Debug, Clone)]
pub(crate) struct Wire(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    stream: TcpStream,
    /// The HTTP library may not write any more.
    taken: AtomicBool,
    /// The next request on this connection gets no answer.
    doomed: AtomicBool,
}

impl Wire {
    fn new(stream: TcpStream) -> Self {
        Self(Arc::new(Inner {
            stream,
            taken: AtomicBool::new(false),
            doomed: AtomicBool::new(false),
        }))
    }

    /// From here on the HTTP library's writes fail, and it drops the connection.
    pub(crate) fn take(&self) {
        self.0.taken.store(true, Ordering::Release);
    }

    /// Lets the next request on this connection die.
    pub(crate) fn doom(&self) {
        self.0.doomed.store(true, Ordering::Release);
    }

    pub(crate) fn is_doomed(&self) -> bool {
        self.0.doomed.load(Ordering::Acquire)
    }

    /// Writes bytes past the HTTP library.
    pub(crate) async fn write(&self, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            self.0.stream.writable().await?;
            match self.0.stream.try_write(bytes) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(written) => bytes = bytes.get(written..).unwrap_or_default(),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Makes the coming close an abortive one (RST instead of FIN).
    pub(crate) fn reset_on_close(&self) {
        let _ = self.0.stream.set_zero_linger();
    }
}

impl Connected<IncomingStream<'_, Accept>> for Wire {
    fn connect_info(stream: IncomingStream<'_, Accept>) -> Self {
        stream.io().0.clone()
    }
}

/// The HTTP library's side of a connection.
#[derive(Debug)]
pub(crate) struct Socket(Wire);

impl Socket {
    fn inner(&self) -> io::Result<&Inner> {
        if self.0.0.taken.load(Ordering::Acquire) {
            return Err(io::ErrorKind::ConnectionAborted.into());
        }
        Ok(&self.0.0)
    }
}

impl AsyncRead for Socket {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let inner = &self.0.0;
        loop {
            ready!(inner.stream.poll_read_ready(cx))?;
            match inner.stream.try_read(buffer.initialize_unfilled()) {
                Ok(read) => {
                    buffer.advance(read);
                    return Poll::Ready(Ok(()));
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(error) => return Poll::Ready(Err(error)),
            }
        }
    }
}

impl AsyncWrite for Socket {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let inner = self.inner()?;
        loop {
            ready!(inner.stream.poll_write_ready(cx))?;
            match inner.stream.try_write(bytes) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                result => return Poll::Ready(result),
            }
        }
    }

    fn poll_flush(self: Pin<&mut Self>, _cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(self.inner().map(|_| ()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        // Dropping the stream closes it; a second handle never outlives the request.
        Poll::Ready(Ok(()))
    }
}
