//! Starting and stopping.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::net::{Accept, Timing, Wire};
use crate::received::Received;
use crate::routes;
use crate::state::{Settings, State};

/// A running simulator. Dropping it stops it.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> std::io::Result<()> {
/// let sim = tamis_sim::Sim::builder().seed(7).start().await?;
/// assert!(sim.base_url().ends_with("/api/v1"));
/// // … send requests to it …
/// assert!(sim.requests().is_empty());
/// sim.shutdown().await;
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Sim {
    address: SocketAddr,
    state: Arc<State>,
    connections: Arc<AtomicUsize>,
    stop: watch::Sender<bool>,
    server: JoinHandle<()>,
}

/// Settings of a simulator before it starts.
#[derive(Debug, Clone)]
pub struct Builder {
    port: u16,
    seed: u64,
    key: Option<String>,
    management_key: Option<String>,
    pace: Duration,
    drip: Duration,
    beat: Duration,
    hang: Duration,
    retry_after: Duration,
    generation_lag: u32,
}

impl Sim {
    /// A simulator with the settings still to be made.
    pub fn builder() -> Builder {
        Builder {
            port: 0,
            seed: 0,
            key: None,
            management_key: None,
            pace: Duration::from_millis(1),
            drip: Duration::from_millis(20),
            beat: Duration::from_millis(250),
            hang: Duration::from_hours(1),
            retry_after: Duration::from_secs(1),
            generation_lag: 0,
        }
    }

    /// The base URL for a client: `http://127.0.0.1:PORT/api/v1`.
    pub fn base_url(&self) -> String {
        format!("http://{}/api/v1", self.address)
    }

    /// The address it listens on.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The requests received so far, oldest first; the last 20 000 of them, and no more
    /// than 64 MiB of bodies.
    pub fn requests(&self) -> Vec<Received> {
        self.state.received()
    }

    /// The number of TCP connections accepted so far.
    pub fn connections(&self) -> usize {
        self.connections.load(Ordering::Relaxed)
    }

    /// Stops accepting, ends every answer that is still under way, and returns when all
    /// connections are closed, or after a second.
    pub async fn shutdown(mut self) {
        self.stop.send_replace(true);
        let _ = tokio::time::timeout(Duration::from_secs(1), &mut self.server).await;
    }
}

impl Drop for Sim {
    fn drop(&mut self) {
        self.stop.send_replace(true);
        self.server.abort();
    }
}

impl Builder {
    /// The port on 127.0.0.1. The default, 0, takes a free one.
    pub fn port(mut self, port: u16) -> Self {
        self.port = port;
        self
    }

    /// The seed of everything random; 0 unless set.
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Refuses every other key with 401. Unless set, any key and none will do.
    pub fn require_key(mut self, key: impl Into<String>) -> Self {
        self.key = Some(key.into());
        self
    }

    /// Refuses with 403 to manage keys and to tell the activity with any other key than this one,
    /// which does everything else as well. Unless set, there is no such difference.
    pub fn management_key(mut self, key: impl Into<String>) -> Self {
        self.management_key = Some(key.into());
        self
    }

    /// The time between two chunks of a stream; 1 ms unless set.
    pub fn pace(mut self, pace: Duration) -> Self {
        self.pace = pace;
        self
    }

    /// The time between two writes of `slow-drip` and `slow-headers`; 20 ms unless set.
    pub fn drip(mut self, drip: Duration) -> Self {
        self.drip = drip;
        self
    }

    /// The time between two comments of `stall-with-comments` and its kin; 250 ms unless set.
    pub fn beat(mut self, beat: Duration) -> Self {
        self.beat = beat;
        self
    }

    /// How long a fault that hangs or stalls does so before it closes the connection (the hang
    /// before the headers: before it answers after all); an hour unless set.
    pub fn hang(mut self, hang: Duration) -> Self {
        self.hang = hang;
        self
    }

    /// What `Retry-After` and its kin say; 1 s unless set. Forms that know only seconds round up,
    /// and the one that is a date adds a second, since a date has no fractions.
    pub fn retry_after(mut self, retry_after: Duration) -> Self {
        self.retry_after = retry_after;
        self
    }

    /// How many lookups of a generation fail with 404 before it is known; 0 unless set.
    pub fn generation_lag(mut self, lookups: u32) -> Self {
        self.generation_lag = lookups;
        self
    }

    /// Starts the server on the current Tokio runtime.
    ///
    /// # Errors
    /// If the port is taken or may not be used.
    pub async fn start(self) -> io::Result<Sim> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, self.port)).await?;
        let address = listener.local_addr()?;
        let (stop, stopped) = watch::channel(false);
        let state = Arc::new(State::new(Settings {
            seed: self.seed,
            key: self.key,
            management_key: self.management_key,
            retry_after: self.retry_after,
            generation_lag: self.generation_lag,
            timing: Timing {
                pace: self.pace,
                drip: self.drip,
                beat: self.beat,
                hang: self.hang,
                stop: stopped.clone(),
            },
        }));
        let connections = Arc::new(AtomicUsize::new(0));
        let accept = Accept::new(listener, Arc::clone(&connections));
        let service =
            routes::router(Arc::clone(&state)).into_make_service_with_connect_info::<Wire>();
        let server = tokio::spawn(async move {
            let mut stopped = stopped;
            let bell = async move {
                let _ = stopped.wait_for(|stop| *stop).await;
            };
            // Serving on a bound listener ends by the bell, not by an error.
            let _ = axum::serve(accept, service)
                .with_graceful_shutdown(bell)
                .await;
        });
        Ok(Sim {
            address,
            state,
            connections,
            stop,
            server,
        })
    }
}
