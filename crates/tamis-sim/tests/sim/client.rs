//! A raw HTTP/1.1 client that hides nothing: what came, in which reads, and how it ended.

use std::fmt::Write;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

/// How the connection stood when reading stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ended {
    /// The answer was whole by its framing; the connection is open.
    Complete,
    /// The peer closed before the answer was whole.
    Closed,
    /// The peer reset the connection.
    Reset,
    /// Nothing came for the patience given.
    Silent,
}

/// What came back.
#[derive(Debug, Clone)]
pub(super) struct Got {
    pub(super) status: Option<u16>,
    pub(super) headers: Vec<(String, String)>,
    /// Without the framing.
    pub(super) body: Vec<u8>,
    /// All bytes as they came, one entry per read.
    pub(super) reads: Vec<Vec<u8>>,
    pub(super) ended: Ended,
}

impl Got {
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(own, _)| own == name);
        found.map(|(_, value)| value.as_str())
    }

    pub(super) fn text(&self) -> String {
        String::from_utf8(self.body.clone()).expect("the body is UTF-8")
    }

    pub(super) fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|error| panic!("{error}: {:?}", self.text()))
    }

    /// The JSON of each event that has any, by the simplest possible reading.
    pub(super) fn events(&self) -> Vec<Value> {
        self.data()
            .iter()
            .filter_map(|data| serde_json::from_str(data).ok())
            .collect()
    }

    /// Each event's data.
    pub(super) fn data(&self) -> Vec<String> {
        self.text()
            .split("\n\n")
            .filter_map(|event| event.strip_prefix("data:"))
            .map(|data| data.trim().to_owned())
            .collect()
    }

    /// The content of a stream's first choice.
    pub(super) fn streamed_content(&self) -> String {
        self.joined("content")
    }

    pub(super) fn joined(&self, key: &str) -> String {
        let text = |event: &Value| Some(event["choices"][0]["delta"][key].as_str()?.to_owned());
        self.events().iter().filter_map(text).collect()
    }

    pub(super) fn is_done(&self) -> bool {
        self.text().ends_with("data: [DONE]\n\n")
    }

    /// The finish reasons of a stream that are not null.
    pub(super) fn finishes(&self) -> Vec<String> {
        self.events()
            .iter()
            .flat_map(|event| event["choices"].as_array().cloned().unwrap_or_default())
            .filter_map(|choice| Some(choice["finish_reason"].as_str()?.to_owned()))
            .collect()
    }
}

/// An open connection.
pub(super) struct Connection {
    stream: TcpStream,
    buffer: Vec<u8>,
}

impl Connection {
    pub(super) async fn open(address: std::net::SocketAddr) -> Self {
        let stream = TcpStream::connect(address).await.unwrap();
        stream.set_nodelay(true).unwrap();
        Self {
            stream,
            buffer: Vec::new(),
        }
    }

    pub(super) async fn send(
        &mut self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) {
        self.send_to(method, &format!("/api/v1{path}"), headers, body)
            .await;
    }

    /// To a path of which nothing is left out.
    pub(super) async fn send_to(
        &mut self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) {
        let mut request = format!("{method} {path} HTTP/1.1\r\nHost: sim\r\n");
        for (name, value) in headers {
            write!(request, "{name}: {value}\r\n").unwrap();
        }
        write!(request, "Content-Length: {}\r\n\r\n{body}", body.len()).unwrap();
        self.stream.write_all(request.as_bytes()).await.unwrap();
    }

    /// Reads one answer, as far as it comes.
    pub(super) async fn read(&mut self, patience: Duration) -> Got {
        let mut reads = Vec::new();
        let ended = loop {
            if is_whole(&self.buffer) {
                break Ended::Complete;
            }
            let mut page = vec![0; 256 * 1024];
            match timeout(patience, self.stream.read(&mut page)).await {
                Err(_) => break Ended::Silent,
                Ok(Err(_)) => break Ended::Reset,
                Ok(Ok(0)) => break Ended::Closed,
                Ok(Ok(read)) => {
                    page.truncate(read);
                    self.buffer.extend_from_slice(&page);
                    reads.push(page);
                }
            }
        };
        let buffer = std::mem::take(&mut self.buffer);
        let (status, headers, rest) = head(&buffer);
        let body = if header(&headers, "transfer-encoding") == Some("chunked") {
            unchunked(rest).0
        } else {
            rest.to_vec()
        };
        Got {
            status,
            headers,
            body,
            reads,
            ended,
        }
    }

    /// Whether the peer has closed, or does within the patience given.
    pub(super) async fn is_closed(&mut self, patience: Duration) -> bool {
        let read = timeout(patience, self.stream.read(&mut [0; 1])).await;
        matches!(read, Ok(Ok(0) | Err(_)))
    }
}

fn header<'a>(headers: &'a [(String, String)], name: &str) -> Option<&'a str> {
    let found = headers.iter().find(|(own, _)| own == name);
    found.map(|(_, value)| value.as_str())
}

fn head(bytes: &[u8]) -> (Option<u16>, Vec<(String, String)>, &[u8]) {
    let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") else {
        return (None, Vec::new(), &[]);
    };
    let text = std::str::from_utf8(&bytes[..end]).unwrap();
    let mut lines = text.split("\r\n");
    let status = lines
        .next()
        .and_then(|line| line.split(' ').nth(1)?.parse().ok());
    let headers = lines
        .filter_map(|line| line.split_once(": "))
        .map(|(name, value)| (name.to_lowercase(), value.to_owned()))
        .collect();
    (status, headers, &bytes[end + 4..])
}

fn is_whole(bytes: &[u8]) -> bool {
    let (status, headers, rest) = head(bytes);
    if status.is_none() {
        return false;
    }
    if let Some(length) = header(&headers, "content-length") {
        return rest.len() >= length.parse::<usize>().unwrap();
    }
    // Cheap enough: only the end can complete it.
    rest.ends_with(b"0\r\n\r\n") && unchunked(rest).1
}

/// The bytes without the chunked coding, and whether its end was there.
fn unchunked(mut bytes: &[u8]) -> (Vec<u8>, bool) {
    let mut body = Vec::new();
    loop {
        let Some(end) = bytes.windows(2).position(|window| window == b"\r\n") else {
            return (body, false);
        };
        let size = std::str::from_utf8(&bytes[..end]).unwrap();
        let size = usize::from_str_radix(size, 16).unwrap();
        let rest = &bytes[end + 2..];
        if size == 0 {
            return (body, rest.starts_with(b"\r\n"));
        }
        if rest.len() < size + 2 {
            body.extend_from_slice(&rest[..rest.len().min(size)]);
            return (body, false);
        }
        body.extend_from_slice(&rest[..size]);
        bytes = &rest[size + 2..];
    }
}

/// The schema that the tests ask for.
pub(super) fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "name": {"type": "string"},
            "kind": {"enum": ["gravel", "sand"]},
            "grains": {"type": "integer", "minimum": 0},
        },
        "required": ["name", "kind", "grains"],
        "additionalProperties": false,
    })
}

/// A request with that schema.
pub(super) fn structured(model: &str, stream: bool) -> Value {
    json!({
        "model": model,
        "stream": stream,
        "messages": [{"role": "user", "content": "Describe the sample."}],
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "sample", "strict": true, "schema": schema()},
        },
    })
}

/// A request without one.
pub(super) fn plain(model: &str) -> Value {
    json!({"model": model, "messages": [{"role": "user", "content": "Hello."}]})
}

/// Sends one completion request on a connection of its own.
pub(super) async fn ask(sim: &tamis_sim::Sim, headers: &[(&str, &str)], body: &Value) -> Got {
    let mut connection = Connection::open(sim.address()).await;
    let body = body.to_string();
    connection
        .send("POST", "/chat/completions", headers, &body)
        .await;
    connection.read(Duration::from_secs(5)).await
}

/// Fetches a route.
pub(super) async fn get(sim: &tamis_sim::Sim, path: &str, headers: &[(&str, &str)]) -> Got {
    let mut connection = Connection::open(sim.address()).await;
    connection.send("GET", path, headers, "").await;
    connection.read(Duration::from_secs(5)).await
}
