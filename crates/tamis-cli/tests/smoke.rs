//! `tamis smoke`, as a user runs it.
#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use std::process::{Command, Output};

use serde_json::Value;

const KEY: &str = "sk-or-v1-0123456789abcdef0123456789abcdef";

fn tamis(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tamis"));
    command.arg("smoke").args(args);
    for name in ["OPENROUTER_API_KEY", "TAMIS_API_KEY", "TAMIS_BASE_URL"] {
        command.env_remove(name);
    }
    command
}

fn run(args: &[&str]) -> (i32, String, String) {
    let output: Output = tamis(args).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (
        output.status.code().unwrap_or(-1),
        text(output.stdout),
        text(output.stderr),
    )
}

/// Without times, and without the widths that depend on them.
fn redact(text: &str) -> String {
    let mut lines = Vec::new();
    for line in text.lines() {
        if line.contains('─') {
            lines.push("───".to_owned());
            continue;
        }
        let mut words: Vec<&str> = line.split_whitespace().collect();
        let mut at = 0;
        while let Some(pair) = words.get(at..at + 2) {
            let is_number = |text: &str| text.split('/').all(|part| part.parse::<f64>().is_ok());
            let is_time = matches!(pair, [number, "ms" | "s"] if is_number(number));
            if is_time {
                words.splice(at..at + 2, ["[time]"]);
            }
            at += 1;
        }
        let indent = line.len() - line.trim_start().len();
        lines.push(format!("{}{}", " ".repeat(indent), words.join(" ")));
    }
    lines.join("\n")
}

#[test]
fn the_readme_command() {
    let (code, stdout, stderr) = run(&["--sim", "--concurrency", "1"]);
    assert_eq!((code, stderr.as_str()), (1, ""));
    insta::assert_snapshot!(redact(&stdout));
}

#[test]
fn pinned_and_streamed() {
    let (code, stdout, _) = run(&[
        "--sim",
        "--concurrency",
        "1",
        "--pin",
        "--stream",
        "--seed",
        "2",
    ]);
    assert_eq!(code, 0);
    insta::assert_snapshot!(redact(&stdout));
}

#[test]
fn json_is_one_object() {
    let (code, stdout, _) = run(&[
        "--sim",
        "--model",
        "sim/steady",
        "--format",
        "json",
        "-n",
        "3",
    ]);
    let report: Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!(code, 0);
    assert_eq!(report["simulated"], true);
    assert_eq!(report["models"][0]["decision"]["passed"], 3);
    assert_eq!(
        report["models"][0]["runs"][0]["samples"]
            .as_array()
            .map(Vec::len),
        Some(3)
    );
}

#[test]
fn exit_codes() {
    let rows: &[(&[&str], i32)] = &[
        (&["--sim", "--model", "sim/steady", "-n", "2"], 0),
        (&["--sim", "--model", "sim/fenced", "-n", "2"], 0),
        (&["--sim", "--model", "sim/wrong-type", "-n", "2"], 1),
        (
            &[
                "--sim",
                "--model",
                "sim/wrong-type:0.5",
                "-n",
                "20",
                "--threshold",
                "0.1",
            ],
            0,
        ),
        (&["--sim", "--model", "sim/unauthorized", "-n", "2"], 3),
        (&["--sim", "--model", "sim/unsupported", "-n", "2"], 3),
        (&["--sim", "--model", "sim/http-529", "-n", "2"], 4),
        (
            &[
                "--base-url",
                "http://127.0.0.1:9/v1",
                "--model",
                "m",
                "-n",
                "2",
            ],
            4,
        ),
        (&[], 2),
        (&["--base-url", "http://127.0.0.1:9/v1"], 2),
        (&["--sim", "-n", "0"], 2),
        (&["--sim", "--threshold", "1.5"], 2),
        (&["--sim", "--concurrency", "0"], 2),
        (&["--sim", "--schema", "/nowhere.json"], 2),
        (&["--sim", "--expect", "a", "--judge", "b"], 2),
        (&["--sim", "--judge", "/nowhere/judge"], 2),
        (&["--seed", "1", "--base-url", "http://127.0.0.1:9/v1"], 2),
    ];
    for (args, expected) in rows {
        let (code, stdout, stderr) = run(args);
        assert_eq!(code, *expected, "{args:?}\n{stdout}\n{stderr}");
        assert_eq!(stderr.is_empty(), code != 2, "{args:?}\n{stderr}");
    }
}

#[test]
fn files_and_stdin() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let schema = r#"{"title": "two", "type": "object", "properties": {"a": {"const": 2}},
        "required": ["a"], "additionalProperties": false}"#;
    std::fs::write(path("schema.json"), schema).unwrap();
    std::fs::write(path("right.json"), r#"{"a": 2.0}"#).unwrap();
    std::fs::write(path("wrong.json"), r#"{"a": 3}"#).unwrap();
    let request = format!(
        r#"{{"model": "sim/steady", "messages": [{{"role": "user", "content": "Hi"}}],
        "response_format": {{"type": "json_schema", "json_schema": {{"name": "two", "schema": {schema}}}}}}}"#
    );
    std::fs::write(path("request.json"), request).unwrap();
    let (code, stdout, stderr) = run(&[
        "--sim",
        "--model",
        "sim/steady",
        "--schema",
        &path("schema.json"),
        "--prompt",
        "Two?",
        "--expect",
        &path("right.json"),
        "--save",
        &path("raw"),
    ]);
    assert_eq!(code, 0, "{stdout}{stderr}");
    assert!(
        stdout.contains("10/10") && stdout.contains("\"two\""),
        "{stdout}"
    );
    assert!(folder.path().join("raw/index.jsonl").is_file());
    assert!(folder.path().join("raw/1-sim_steady/010.json").is_file());
    let (code, stdout, _) = run(&[
        "--sim",
        "--request",
        &path("request.json"),
        "--expect",
        &path("wrong.json"),
    ]);
    assert_eq!(code, 1);
    assert!(stdout.contains("expected 3, got 2"), "{stdout}");
    let (code, ..) = run(&[
        "--sim",
        "--request",
        &path("request.json"),
        "--save",
        &path("raw"),
    ]);
    assert_eq!(code, 2, "a folder that is in use is refused");
}

#[test]
fn no_key_is_printed() {
    let closed = [
        "--base-url",
        "http://127.0.0.1:9/v1",
        "--model",
        "m",
        "-n",
        "2",
    ];
    for format in ["text", "json"] {
        let mut command = tamis(&closed);
        let output = command
            .args(["--format", format])
            .env("OPENROUTER_API_KEY", KEY)
            .output()
            .unwrap();
        for bytes in [output.stdout, output.stderr] {
            assert!(!String::from_utf8(bytes).unwrap().contains(KEY));
        }
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_it_with_what_was_measured() {
    use std::process::Stdio;
    use std::time::Duration;

    let child = tamis(&[
        "--sim",
        "--model",
        "sim/hang-before-headers:0.5",
        "-n",
        "40",
        "--concurrency",
        "40",
    ])
    .stdout(Stdio::piped())
    .spawn()
    .unwrap();
    #[expect(clippy::disallowed_methods, reason = "no runtime here")]
    std::thread::sleep(Duration::from_millis(1_500));
    let killed = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(killed.expect("kill").success());
    let output = child.wait_with_output().unwrap();
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(130), "{stdout}");
    assert!(
        stdout.contains("Interrupted") && stdout.contains("UNDECIDED"),
        "{stdout}"
    );
}

/// A real server: `TAMIS_E2E_BASE_URL=http://127.0.0.1:8080/v1 cargo test -p tamis-cli -- --ignored`.
#[test]
#[ignore = "needs TAMIS_E2E_BASE_URL"]
fn a_real_server() {
    let url = std::env::var("TAMIS_E2E_BASE_URL").expect("TAMIS_E2E_BASE_URL");
    let model = std::env::var("TAMIS_E2E_MODEL").unwrap_or_else(|_| "local".to_owned());
    for stream in [false, true] {
        let mut args = vec![
            "--base-url",
            &url,
            "--model",
            &model,
            "-n",
            "3",
            "--concurrency",
            "1",
            "--max-tokens",
            "600",
            "--threshold",
            "0.3",
            "--format",
            "json",
        ];
        args.extend(stream.then_some("--stream"));
        let (code, stdout, stderr) = run(&args);
        assert!(matches!(code, 0 | 1), "{stdout}{stderr}");
        let report: Value = serde_json::from_str(&stdout).unwrap();
        assert_eq!(report["simulated"], false);
        let total = &report["models"][0]["runs"][0]["total"];
        assert_eq!(total["requests"], 3);
        assert!(total["latency"]["p50_ms"].as_f64() > Some(0.0));
        assert_eq!(total["first_token"].is_object(), stream);
    }
}
