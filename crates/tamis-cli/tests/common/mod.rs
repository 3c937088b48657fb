//! Running the binary.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};

/// A run of `tamis`, without anything of the environment that changes what it prints.
pub(crate) struct Tamis {
    args: Vec<String>,
    vars: Vec<(String, String)>,
    stdin: Vec<u8>,
}

/// How it ended.
pub(crate) struct Ran {
    command: String,
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

#[allow(
    dead_code,
    clippy::allow_attributes,
    reason = "each test file uses some of these"
)]
impl Tamis {
    /// With arguments separated by spaces.
    pub(crate) fn new(args: &str) -> Self {
        Self {
            args: args.split_whitespace().map(str::to_owned).collect(),
            vars: Vec::new(),
            stdin: Vec::new(),
        }
    }

    pub(crate) fn arg(mut self, arg: impl Into<String>) -> Self {
        self.args.push(arg.into());
        self
    }

    /// Arguments separated by spaces.
    pub(crate) fn args(mut self, args: &str) -> Self {
        self.args.extend(args.split_whitespace().map(str::to_owned));
        self
    }

    pub(crate) fn var(mut self, name: &str, value: &str) -> Self {
        self.vars.push((name.to_owned(), value.to_owned()));
        self
    }

    pub(crate) fn stdin(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        self.stdin = bytes.into();
        self
    }

    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tamis"));
        command
            .args(&self.args)
            .current_dir(fixtures())
            .env_clear()
            .env("COLUMNS", "100")
            .envs(self.vars.clone())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    pub(crate) fn spawn(&self) -> Child {
        let mut child = self.command().spawn().unwrap();
        // A command that does not read its stdin may be gone already.
        let _ = child.stdin.take().unwrap().write_all(&self.stdin);
        child
    }

    pub(crate) fn run(self) -> Ran {
        let output = self.spawn().wait_with_output().unwrap();
        Ran::new(self.args.join(" "), output)
    }
}

#[allow(
    dead_code,
    clippy::allow_attributes,
    reason = "each test file uses some of these"
)]
impl Ran {
    pub(crate) fn new(args: String, output: Output) -> Self {
        Self {
            command: args,
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// Everything that a terminal would show.
    pub(crate) fn shown(&self) -> String {
        let mut shown = format!("$ tamis {}\n", self.command);
        for (name, text) in [("stdout", &self.stdout), ("stderr", &self.stderr)] {
            if !text.is_empty() {
                write!(shown, "--- {name}\n{text}").unwrap();
            }
        }
        match self.code {
            Some(code) => writeln!(shown, "--- exit {code}"),
            None => writeln!(shown, "--- killed"),
        }
        .unwrap();
        shown
    }

    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|error| panic!("{error}: {}", self.shown()))
    }
}

pub(crate) fn fixtures() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures")
}
