//! Keeping every raw response.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::{Map, Value, json};
use tamis::wire::is_event_stream;
use tamis::{Chat, Client, Tapped};

use crate::error::SmokeError;
use crate::sample::Sample;

/// What came for one request, attempt by attempt.
#[derive(Clone, Debug)]
pub(crate) struct Tape {
    /// Whether bodies are kept; attempts are counted anyway.
    keeps: bool,
    responses: Arc<Mutex<Vec<Response>>>,
}

#[derive(Debug)]
struct Response {
    attempt: u32,
    status: u16,
    headers: Map<String, Value>,
    bytes: Vec<u8>,
}

impl Tape {
    pub(crate) fn new(keeps: bool) -> Self {
        Self {
            keeps,
            responses: Arc::default(),
        }
    }

    /// The number of the last attempt that was answered.
    pub(crate) fn attempts(&self) -> Option<u32> {
        Some(self.locked().last()?.attempt)
    }

    /// Records what a call gets.
    pub(crate) fn record(&self, chat: Chat) -> Chat {
        let tape = self.clone();
        chat.tap(move |tapped| {
            let mut responses = tape.locked();
            match tapped {
                Tapped::Response {
                    attempt,
                    status,
                    headers,
                    ..
                } => responses.push(Response {
                    attempt,
                    status,
                    headers: headers
                        .iter()
                        // Cookies are as good as keys.
                        .filter(|(name, _)| *name != "set-cookie")
                        .filter_map(|(name, value)| {
                            Some((name.to_string(), Value::from(value.to_str().ok()?)))
                        })
                        .collect(),
                    bytes: Vec::new(),
                }),
                Tapped::Bytes(bytes) if tape.keeps => {
                    if let Some(response) = responses.last_mut() {
                        response.bytes.extend_from_slice(bytes);
                    }
                }
                _ => {}
            }
        })
    }

    fn take(&self) -> Vec<Response> {
        std::mem::take(&mut *self.locked())
    }

    fn locked(&self) -> MutexGuard<'_, Vec<Response>> {
        self.responses
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

/// A folder of raw responses: one subfolder for each run, one file for each response, and an
/// `index.jsonl` with a line for each file.
#[derive(Debug)]
pub(crate) struct Archive {
    /// Knows the key that a server may have sent back.
    client: Client,
    root: PathBuf,
    index: File,
    runs: usize,
}

impl Archive {
    pub(crate) fn create(client: &Client, root: PathBuf) -> Result<Self, SmokeError> {
        let failed =
            |error: &std::io::Error| SmokeError::new(format!("{}: {error}", root.display()));
        fs::create_dir_all(&root).map_err(|error| failed(&error))?;
        let index = OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(root.join("index.jsonl"))
            .map_err(|error| match error.kind() {
                std::io::ErrorKind::AlreadyExists => SmokeError::new(format!(
                    "{}: it already holds a test's responses",
                    root.display()
                )),
                _ => failed(&error),
            })?;
        Ok(Self {
            client: client.clone(),
            root,
            index,
            runs: 0,
        })
    }

    /// The next run's folder.
    pub(crate) fn open_run(
        &mut self,
        model: &str,
        pinned: Option<&str>,
    ) -> Result<String, SmokeError> {
        self.runs += 1;
        let mut folder = format!("{}-{}", self.runs, file_name(model));
        if let Some(pinned) = pinned {
            folder.push_str("-pinned-");
            folder.push_str(&file_name(pinned));
        }
        fs::create_dir_all(self.root.join(&folder)).map_err(|error| self.failed(&error))?;
        Ok(folder)
    }

    /// Writes what came for one request.
    pub(crate) fn keep(
        &mut self,
        folder: &str,
        model: &str,
        sample: &Sample,
        tape: &Tape,
    ) -> Result<(), SmokeError> {
        let responses = tape.take();
        if responses.is_empty() {
            return self.list(&json!({"file": null, "model": model, "sample": sample}));
        }
        for response in responses {
            let again = match response.attempt {
                0 | 1 => String::new(),
                attempt => format!("-{attempt}"),
            };
            let file = format!(
                "{folder}/{:03}{again}.{}",
                sample.number,
                extension(&response.bytes)
            );
            fs::write(self.root.join(&file), self.client.redact(&response.bytes))
                .map_err(|error| self.failed(&error))?;
            self.list(&json!({
                "file": file,
                "model": model,
                "attempt": response.attempt,
                "status": response.status,
                "headers": response.headers,
                "sample": sample,
            }))?;
        }
        Ok(())
    }

    fn list(&mut self, line: &Value) -> Result<(), SmokeError> {
        let line = format!("{line}\n");
        self.index
            .write_all(&self.client.redact(line.as_bytes()))
            .map_err(|error| self.failed(&error))
    }

    fn failed(&self, error: &std::io::Error) -> SmokeError {
        SmokeError::new(format!("{}: {error}", self.root.display()))
    }
}

fn extension(bytes: &[u8]) -> &'static str {
    match bytes.trim_ascii_start().first() {
        _ if is_event_stream(bytes) => "sse",
        Some(b'{' | b'[') => "json",
        _ => "txt",
    }
}

/// A name that every file system takes.
fn file_name(name: &str) -> String {
    const LONGEST: usize = 80;
    let safe = |c: char| {
        if c.is_ascii_alphanumeric() || matches!(c, '-' | '.') {
            c
        } else {
            '_'
        }
    };
    name.chars().map(safe).take(LONGEST).collect()
}

#[cfg(test)]
mod tests {
    use super::{extension, file_name};

    #[test]
    fn names() {
        assert_eq!(file_name("openai/gpt-4o:free"), "openai_gpt-4o_free");
        assert_eq!(file_name("../é"), "..__");
        assert_eq!(extension(b"data: {}\n\n"), "sse");
        assert_eq!(extension(b" {\"a\":1}"), "json");
        assert_eq!(extension(b"<html>"), "txt");
        assert_eq!(extension(b""), "txt");
    }
}
