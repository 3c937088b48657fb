//! `tamis ask`, against the simulator in its own process and against servers that are not there.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

mod common;

use std::io::Read;

use common::Tamis;

fn sim(args: &str) -> Tamis {
    Tamis::new("ask --sim")
        .args(args)
        .arg("When is high water?")
}

#[test]
fn text_whole_and_as_it_comes() {
    let whole = sim("").run();
    let stream = sim("--stream").run();
    assert_eq!(whole.code, Some(0), "{}", whole.shown());
    assert!(whole.stdout.len() > 20);
    assert_eq!(whole.stdout, stream.stdout);
    insta::assert_snapshot!(whole.shown());
}

/// What was printed before the stream stalled is there while it stalls.
#[test]
fn text_is_not_held_until_the_end() {
    let mut child = sim("--stream --stall 600 --model sim/hang-mid-stream").spawn();
    let mut beginning = [0; 20];
    child
        .stdout
        .as_mut()
        .unwrap()
        .read_exact(&mut beginning)
        .unwrap();
    assert!(child.try_wait().unwrap().is_none(), "it ended on its own");
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn a_value_that_conforms() {
    for flags in ["", "--stream", "--schema-name tide"] {
        let ran = sim("--schema schema.json").args(flags).run();
        assert_eq!(ran.code, Some(0), "{}", ran.shown());
        let value = ran.json();
        assert!(value["port"].is_string() && value["height"].is_number());
        assert_eq!(
            ran.stdout,
            serde_json::to_string_pretty(&value).unwrap() + "\n"
        );
    }
}

#[test]
fn repairs_are_told_and_can_be_forbidden() {
    let fenced = |flags: &str| {
        sim("--schema schema.json --model sim/fenced")
            .args(flags)
            .run()
    };
    for flags in ["", "--stream", "--policy extraction"] {
        let ran = fenced(flags);
        assert_eq!(ran.code, Some(0), "{}", ran.shown());
        assert!(ran.json()["port"].is_string());
        assert!(ran.stderr.contains("repair: byte 0: "), "{}", ran.shown());
    }
    let report = fenced("--format json").json();
    assert_eq!(report["repairs"][0]["kind"], "fence");
    for flags in ["--policy none", "--policy syntax,closing --format json"] {
        let ran = fenced(flags);
        assert_eq!(ran.code, Some(1), "{}", ran.shown());
        assert!(!ran.stderr.contains("repair: "), "{}", ran.shown());
    }
    let without_schema = sim("--policy none").run();
    assert_eq!(without_schema.code, Some(2), "{}", without_schema.shown());
}

#[test]
fn the_report() {
    let ran = sim("--schema schema.json --format json").run();
    insta::assert_snapshot!(ran.shown());
    let stream = sim("--schema schema.json --format json --stream").run();
    let (mut plain, mut stream) = (ran.json(), stream.json());
    assert_eq!(plain["attempts"], 1);
    assert_eq!(plain["outcome"], "json");
    // Each process numbers its requests from 0, so only the way it came differs.
    for report in [&mut plain, &mut stream] {
        report.as_object_mut().unwrap().remove("id");
    }
    assert_eq!(plain, stream);
}

/// A fault, the exit code without a schema, with a schema, and of a stream without.
#[test]
fn exit_codes() {
    for (fault, text, json, stream) in [
        ("fenced", 0, 0, 0),
        ("prose-only", 0, 1, 0),
        ("trailing-comma", 0, 0, 0),
        ("wrong-type", 0, 1, 0),
        ("empty-content", 1, 1, 1),
        ("truncated", 1, 1, 1),
        ("refusal", 1, 1, 1),
        ("content-filter", 1, 1, 1),
        ("choice-error", 4, 4, 4),
        ("tool-calls-instead", 0, 1, 0),
        ("unauthorized", 3, 3, 3),
        ("payment-required", 3, 3, 3),
        ("moderation", 3, 3, 3),
        ("rate-limited", 4, 4, 4),
        ("http-503", 4, 4, 4),
    ] {
        for (flags, code) in [
            ("", text),
            ("--schema schema.json", json),
            ("--stream", stream),
        ] {
            let ran = sim("--retries 0")
                .args(flags)
                .arg("--model")
                .arg(format!("sim/{fault}"))
                .run();
            assert_eq!(ran.code, Some(code), "{}", ran.shown());
            if code != 0 {
                assert!(ran.stderr.lines().count() > 1, "{}", ran.shown());
            }
            if code != 0 && flags.contains("schema") {
                assert_eq!(ran.stdout, "", "{}", ran.shown());
            }
            let report = sim("--retries 0 --format json")
                .args(flags)
                .arg("--model")
                .arg(format!("sim/{fault}"))
                .run();
            assert_eq!(report.code, Some(code), "{}", report.shown());
            assert!(report.json()["outcome"].is_string());
        }
    }
}

#[test]
fn what_went_wrong_in_words() {
    let mut shown = String::new();
    for fault in [
        "refusal",
        "truncated",
        "unauthorized",
        "wrong-type",
        "fenced",
        "prose-only",
        "rate-limited",
    ] {
        for schema in ["", "--schema schema.json"] {
            let ran = sim("--retries 0")
                .args(schema)
                .arg("--model")
                .arg(format!("sim/{fault}"))
                .run();
            shown.push_str(&ran.shown());
            shown.push('\n');
        }
    }
    insta::assert_snapshot!(shown);
}

#[test]
fn retries_are_made_and_counted() {
    let ran = sim("--model sim/rate-limited-ms*1 --format json").run();
    assert_eq!(ran.code, Some(0), "{}", ran.shown());
    assert_eq!(ran.json()["attempts"], 2);
    let ran = sim("--retries 0 --model sim/rate-limited-ms*1 --format json").run();
    assert_eq!(ran.code, Some(4), "{}", ran.shown());
    assert_eq!(ran.json()["failure"]["kind"], "RateLimited");
}

#[test]
fn refused_before_it_is_sent() {
    for args in [
        "--temperature 2.5",
        "--temperature -1",
        "--max-tokens 0",
        "--schema schema-invalid.json",
        "--schema garbage.txt",
        "--schema missing.json",
    ] {
        let ran = sim(args).run();
        assert_eq!(ran.code, Some(2), "{}", ran.shown());
        assert_eq!(ran.stdout, "");
    }
    let spaced = sim("--schema schema.json --schema-name")
        .arg("high tide")
        .run();
    assert_eq!(spaced.code, Some(2), "{}", spaced.shown());
    assert!(spaced.stderr.contains("U+0020"), "{}", spaced.shown());
    let empty = Tamis::new("ask --sim -").run();
    assert_eq!(empty.code, Some(2), "{}", empty.shown());
}

#[test]
fn the_prompt_from_stdin() {
    let ran = Tamis::new("ask --sim -").stdin("When is high water?").run();
    assert_eq!(ran.code, Some(0));
    assert_eq!(ran.stdout, sim("").run().stdout);
    let both = Tamis::new("ask --sim --schema - -").stdin("{}").run();
    assert_eq!(both.code, Some(2), "{}", both.shown());
}

#[test]
fn the_three_ways_to_a_server() {
    let ran = Tamis::new("ask Hello").run();
    assert_eq!(ran.code, Some(2));
    insta::assert_snapshot!(ran.shown());
    for (name, value) in [("OPENROUTER_API_KEY", "  "), ("TAMIS_BASE_URL", "")] {
        assert_eq!(Tamis::new("ask Hello").var(name, value).run().code, Some(2));
    }
}

#[test]
fn a_server_that_is_not_there() {
    let closed = "--base-url http://127.0.0.1:1/v1 --model m --retries 0";
    for flags in ["", "--stream", "--format json"] {
        let ran = Tamis::new("ask Hello").args(closed).args(flags).run();
        assert_eq!(ran.code, Some(4), "{}", ran.shown());
        assert!(
            format!("{}{}", ran.stdout, ran.stderr).contains("Network"),
            "{}",
            ran.shown()
        );
    }
    let by_variable = Tamis::new("ask --model m --retries 0 Hello")
        .var("TAMIS_BASE_URL", "http://127.0.0.1:1/v1")
        .run();
    assert_eq!(by_variable.code, Some(4), "{}", by_variable.shown());
    let by_flag = Tamis::new("ask --sim Hello").var("TAMIS_BASE_URL", "http://127.0.0.1:1/v1");
    assert_eq!(by_flag.run().code, Some(0));
}

#[test]
fn a_server_that_is_none_and_a_model_that_is_missing() {
    for url in [
        "ftp://127.0.0.1",
        "127.0.0.1:1",
        "http://u:p@127.0.0.1:1",
        "http://127.0.0.1:1?a",
    ] {
        let ran = Tamis::new("ask --model m Hello --base-url").arg(url).run();
        assert_eq!(ran.code, Some(2), "{}", ran.shown());
    }
    let ran = Tamis::new("ask --base-url http://127.0.0.1:1/v1 Hello").run();
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("--model"), "{}", ran.shown());
}

#[test]
fn patience_has_limits() {
    for args in [
        "--timeout 0.3 --model sim/hang-before-headers",
        "--stall 0.3 --stream --model sim/hang-mid-stream",
    ] {
        let ran = sim("--retries 0").args(args).run();
        assert_eq!(ran.code, Some(4), "{}", ran.shown());
        let words = if args.contains("stall") {
            "Stalled"
        } else {
            "Timeout"
        };
        assert!(ran.stderr.contains(words), "{}", ran.shown());
    }
}

#[test]
fn a_streamed_answer_tells_its_fields_as_they_come() {
    let ran = sim("--stream --schema schema.json --model sim/fenced").run();
    assert_eq!(ran.code, Some(0), "{}", ran.shown());
    let value = ran.json();
    for name in ["port", "height"] {
        let line = format!("field: /{name} = {}", value[name]);
        assert!(ran.stderr.contains(&line), "{line} in {}", ran.stderr);
    }
    // Cut off, the fields were told, and there is no answer.
    let ran = sim("--stream --schema schema.json --model sim/eof-mid-answer").run();
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(4), ""));
}

/// As without a stream: something came back, and it is not trustworthy.
#[test]
fn a_stream_that_breaks_the_schema_is_ended_and_no_answer() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("schema.json");
    let schema = r#"{"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"], "additionalProperties": false}"#;
    std::fs::write(&file, schema).unwrap();
    for stream in ["", "--stream "] {
        let ran = Tamis::new("ask")
            .args(&format!(
                "--sim --model sim/extra-property {stream}--schema"
            ))
            .arg(file.to_str().unwrap())
            .arg("Hi")
            .run();
        assert_eq!(
            (ran.code, ran.stdout.as_str()),
            (Some(1), ""),
            "{}",
            ran.stderr
        );
        assert_eq!(ran.stderr.contains("ended at byte"), !stream.is_empty());
    }
}

#[test]
fn an_answer_that_is_none_is_asked_for_again_and_said_to_be() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("schema.json");
    let schema = r#"{"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"], "additionalProperties": false}"#;
    std::fs::write(&file, schema).unwrap();
    let ask = |model: &str| {
        Tamis::new("ask")
            .args(&format!("--sim --model {model} --reask 1 --schema"))
            .arg(file.to_str().unwrap())
            .arg("Hi")
            .run()
    };
    let ran = ask("sim/missing-property*1");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(ran.stderr.matches("was asked again").count(), 1);
    let ran = ask("sim/missing-property");
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    assert_eq!(ran.stderr.matches("was asked again").count(), 1);
}
