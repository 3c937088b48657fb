//! The README's commands run, and its table names every command.

use std::process::Command;

const README: &str = include_str!("../../../README.md");

/// The commands of the README's shell blocks that need neither a key nor a server.
fn commands() -> Vec<Vec<String>> {
    let mut in_shell = false;
    let mut found = Vec::new();
    for line in README.lines() {
        match line {
            "```sh" => in_shell = true,
            "```" => in_shell = false,
            _ if in_shell => {
                if let Some(arguments) = line.strip_prefix("cargo run --release -- ")
                    && (line.contains("--sim")
                        || line.contains("--help")
                        || line.contains("--list"))
                {
                    found.push(words(arguments));
                }
            }
            _ => {}
        }
    }
    found
}

/// Words as a shell splits them, as far as the README needs it.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (place, part) in line.split('"').enumerate() {
        if place % 2 == 1 {
            words.push(part.to_owned());
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    words
}

#[test]
fn every_command_that_needs_nothing_runs() {
    let commands = commands();
    assert!(commands.len() >= 3, "{commands:?}");
    for arguments in commands {
        let output = Command::new(env!("CARGO_BIN_EXE_tamis"))
            .args(&arguments)
            .env_remove("OPENROUTER_API_KEY")
            .env_remove("TAMIS_API_KEY")
            .env_remove("TAMIS_BASE_URL")
            .output()
            .unwrap();
        // 1 is a verdict: the simulated endpoint may not be trusted.
        assert!(
            matches!(output.status.code(), Some(0 | 1)),
            "{arguments:?}: {output:?}"
        );
        assert!(!output.stdout.is_empty(), "{arguments:?}");
    }
}

#[test]
fn the_table_names_every_command() {
    let help = Command::new(env!("CARGO_BIN_EXE_tamis"))
        .arg("--help")
        .output()
        .unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    for line in listed.take_while(|line| !line.is_empty()) {
        let name = line.split_whitespace().next().unwrap();
        if !matches!(name, "help" | "completions" | "man") {
            assert!(README.contains(&format!("| `tamis {name}` |")), "{name}");
        }
    }
}
