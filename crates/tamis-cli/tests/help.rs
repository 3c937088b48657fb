//! Every `--help`, and how mistakes are told.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

mod common;

use common::Tamis;

/// The commands that `tamis --help` lists.
fn commands() -> Vec<String> {
    let help = Tamis::new("--help").run().stdout;
    let list = help.split_once("Commands:\n").unwrap().1;
    list.lines()
        .take_while(|line| line.starts_with("  "))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .map(str::to_owned)
        .collect()
}

#[test]
fn the_program() {
    insta::assert_snapshot!(Tamis::new("--help").run().shown());
}

#[test]
fn every_command() {
    for command in commands() {
        let help = Tamis::new(&command).arg("--help").run();
        assert_eq!(help.code, Some(0), "{command}");
        assert!(help.stdout.contains("Examples:\n"), "{command}");
        assert!(
            help.stdout.lines().all(|line| line.chars().count() <= 100),
            "{}",
            help.stdout
        );
        insta::assert_snapshot!(format!("help_{command}"), help.shown());
    }
}

#[test]
fn the_version_everywhere() {
    let version = format!("tamis {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(Tamis::new("--version").run().stdout, version);
    for command in commands() {
        let ran = Tamis::new(&command).arg("--version").run();
        assert_eq!(ran.code, Some(0), "{command}");
    }
}

#[test]
fn a_mistake_is_2_and_on_stderr() {
    for args in [
        "",
        "aks",
        "ask",
        "ask --sim",
        "check --stats 200",
        "check --status 20",
        "check --format yaml",
        "check --contract lax",
        "check --policy none text.json",
        "check --parse --policy some text.json",
        "check --parse --policy none,closing text.json",
        "heal --policy some",
        "heal --format yaml",
        "ask --sim --timeout 0 Hello",
        "ask --sim --retries -1 Hello",
        "ask --sim --base-url http://127.0.0.1:1 Hello",
        "ask --sim --schema-name x Hello",
        "ask --sim --header nonsense Hello",
        "ask --sim --header authorization:x Hello",
        "models --sim --limit none",
        "models --sim --sort prettiest",
        "endpoints --sim",
        "generation --sim",
        "generation --sim gen-1 --wait 0",
        "key --sim --format yaml",
        "credits --sim now",
        "sim --port 65536",
        "completions cmd",
        "man aks",
    ] {
        let ran = Tamis::new(args).run();
        assert_eq!(ran.code, Some(2), "{}", ran.shown());
        assert_eq!(ran.stdout, "", "{args}");
        assert!(!ran.stderr.is_empty(), "{args}");
    }
}

#[test]
fn a_bad_flag() {
    insta::assert_snapshot!(Tamis::new("check --shcema schema.json").run().shown());
}

#[test]
fn completions_and_man_pages_name_every_command() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let ran = Tamis::new("completions").arg(shell).run();
        assert_eq!(ran.code, Some(0), "{shell}");
        for command in commands() {
            assert!(ran.stdout.contains(&command), "{shell} lacks {command}");
        }
    }
    assert!(Tamis::new("man").run().stdout.contains(".TH tamis 1"));
    for command in commands() {
        let ran = Tamis::new("man").arg(&command).run();
        assert_eq!(ran.code, Some(0), "{command}");
        assert!(
            ran.stdout.contains(&format!("tamis-{command}")),
            "{command}: {}",
            ran.stdout
        );
    }
}
