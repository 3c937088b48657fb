//! No key in any output, whoever sends it back.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

mod common;

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::sync::{Arc, Mutex};
use std::thread;

use common::{Ran, Tamis};

const KEY: &str = "sk-tern-0123456789abcdef";

/// How a server sends the `Authorization` header back.
#[derive(Clone, Copy)]
enum Echo {
    Error,
    Content,
    Stream,
}

/// A server that answers every request with what it was given as a key.
fn server(echo: Echo) -> (String, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    let seen = Arc::new(Mutex::new(Vec::new()));
    let keys = Arc::clone(&seen);
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut reader = BufReader::new(stream.try_clone().unwrap());
            let (mut key, mut length) = (String::new(), 0);
            loop {
                let mut line = String::new();
                reader.read_line(&mut line).unwrap();
                let line = line.trim_end();
                if line.is_empty() {
                    break;
                }
                let (name, value) = line.split_once(": ").unwrap_or((line, ""));
                match name.to_ascii_lowercase().as_str() {
                    "authorization" => value.clone_into(&mut key),
                    "content-length" => length = value.parse().unwrap(),
                    _ => {}
                }
            }
            let mut body = vec![0; length];
            reader.read_exact(&mut body).unwrap();
            keys.lock().unwrap().push(key.clone());
            let (head, body) = answer(echo, &key);
            let _ = write!(
                stream,
                "HTTP/1.1 {head}\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{body}",
                body.len()
            );
        }
    });
    (url, seen)
}

fn answer(echo: Echo, key: &str) -> (&'static str, String) {
    let json = "200 OK\r\ncontent-type: application/json";
    match echo {
        Echo::Error => (
            "401 Unauthorized\r\ncontent-type: application/json",
            format!(
                r#"{{"error":{{"code":"{key}","message":"bad key: {key}","metadata":{{"raw":"{key}","provider_name":"{key}"}}}}}}"#
            ),
        ),
        Echo::Content => (
            json,
            format!(
                r#"{{"id":"{key}","model":"{key}","provider":"{key}","choices":[{{"index":0,"finish_reason":"stop","native_finish_reason":"{key}","message":{{"role":"assistant","content":"{{\"key\":\"{key}\"}}","reasoning":"{key}"}}}}]}}"#
            ),
        ),
        Echo::Stream => {
            let delta = |character: char| format!(r#"{{"content":"{character}"}}"#);
            let mut deltas: Vec<(String, &str)> = key
                .chars()
                .map(|character| (delta(character), "null"))
                .collect();
            deltas.push(("{}".to_owned(), "\"stop\""));
            let mut body = String::new();
            for (delta, reason) in deltas {
                writeln!(
                    body,
                    "data: {{\"choices\":[{{\"index\":0,\"delta\":{delta},\"finish_reason\":{reason}}}]}}\n"
                )
                .unwrap();
            }
            ("200 OK\r\ncontent-type: text/event-stream", body)
        }
    }
}

fn clean(ran: &Ran) {
    assert!(!ran.stdout.contains(KEY), "stdout of {}", ran.shown());
    assert!(!ran.stderr.contains(KEY), "stderr of {}", ran.shown());
    assert!(!ran.stderr.contains("panicked"), "{}", ran.shown());
}

#[test]
fn a_server_that_sends_the_key_back() {
    for (echo, code) in [(Echo::Error, 3), (Echo::Content, 0), (Echo::Stream, 0)] {
        for flags in ["", "--stream", "--format json", "--stream --format json"] {
            let (url, seen) = server(echo);
            let ran = Tamis::new("ask --model m --retries 0 Hello --base-url")
                .arg(url)
                .args(flags)
                .var("OPENROUTER_API_KEY", KEY)
                .run();
            clean(&ran);
            assert_eq!(ran.code, Some(code), "{}", ran.shown());
            // It was sent, so there was something to leak.
            assert_eq!(*seen.lock().unwrap(), [format!("Bearer {KEY}")]);
            assert!(
                format!("{}{}", ran.stdout, ran.stderr).contains("[redacted]"),
                "{}",
                ran.shown()
            );
        }
    }
}

#[test]
fn a_value_that_breaks_the_schema_with_the_key() {
    let (url, _) = server(Echo::Content);
    for flags in ["", "--format json"] {
        let ran = Tamis::new("ask --model m Hello --schema schema.json --base-url")
            .arg(&url)
            .args(flags)
            .var("TAMIS_API_KEY", KEY)
            .run();
        clean(&ran);
        assert_eq!(ran.code, Some(1), "{}", ran.shown());
    }
}

#[test]
fn a_smoke_test_of_such_a_server() {
    for echo in [Echo::Error, Echo::Content, Echo::Stream] {
        for flags in ["", "--format json", "--stream"] {
            let (url, seen) = server(echo);
            let ran = Tamis::new("smoke --model m -n 2 --schema schema.json --base-url")
                .arg(url)
                .args(flags)
                .var("OPENROUTER_API_KEY", KEY)
                .run();
            clean(&ran);
            assert_eq!(seen.lock().unwrap().first(), Some(&format!("Bearer {KEY}")));
        }
    }
}

#[test]
fn a_key_from_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("key");
    std::fs::write(&file, format!("{KEY}\n")).unwrap();
    let (url, seen) = server(Echo::Content);
    let ran = Tamis::new("ask --model m Hello --base-url")
        .arg(&url)
        .arg("--api-key-file")
        .arg(file.to_str().unwrap())
        .var("OPENROUTER_API_KEY", "sk-another-key")
        .run();
    clean(&ran);
    assert_eq!(ran.code, Some(0), "{}", ran.shown());
    assert_eq!(*seen.lock().unwrap(), [format!("Bearer {KEY}")]);

    for wrong in ["", "two keys\n", &format!("{KEY}\n{KEY}\n")] {
        std::fs::write(&file, wrong).unwrap();
        let ran = Tamis::new("ask --model m Hello --base-url")
            .arg(&url)
            .arg("--api-key-file")
            .arg(file.to_str().unwrap())
            .run();
        clean(&ran);
        assert_eq!(ran.code, Some(2), "{}", ran.shown());
    }
}

#[test]
fn every_other_command() {
    let body = answer(Echo::Content, KEY).1;
    let stream = answer(Echo::Stream, KEY).1;
    let error = answer(Echo::Error, KEY).1;
    for args in [
        "check",
        "check --parse",
        "check --schema schema.json",
        "check --schema schema.json --format json",
        "check --contract strict",
        "check --status 500",
        "check - missing.json",
        "fold",
        "ask --sim Hello",
        "ask --sim --stream Hello",
        "ask --base-url http://127.0.0.1:1 --model m --retries 0 Hello",
        "ask --base-url nonsense --model m Hello",
        "smoke --sim -n 1",
        "smoke --sim -n 1 --format json --schema schema.json",
        "smoke --base-url http://127.0.0.1:1 --model m -n 1",
        "models --sim --limit 2",
        "endpoints --sim sim/steady",
        "key --sim --format json",
        "credits --base-url http://127.0.0.1:1 --retries 0",
        "generation --base-url http://127.0.0.1:1 --retries 0 gen-1",
        "sim --list",
        "completions bash",
        "man",
        "--help",
        "--version",
        "nonsense",
    ] {
        for stdin in [&body, &stream, &error] {
            let ran = Tamis::new(args)
                .stdin(stdin.clone())
                .var("OPENROUTER_API_KEY", KEY)
                .var("TAMIS_API_KEY", KEY)
                .run();
            clean(&ran);
        }
    }
}
