//! A command that says whether an answer is right.

use std::fmt;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::Command;

/// So much of what a judge writes is kept.
const MOST_WORDS: u64 = 2_000;

/// A command that says whether an answer is right.
///
/// It is run by the shell (`sh -c`, on Windows `cmd /C`), gets the answer as one line of JSON on
/// its standard input, and says by its exit code: 0 is right. What it writes to its standard error
/// is quoted as its reason; its standard output is thrown away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judge {
    command: String,
    timeout: Duration,
}

/// What a judge said of one answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Ruling {
    Right,
    /// In words.
    Wrong(String),
}

/// A judge that cannot be run says nothing about the answer.
#[derive(Debug)]
pub(crate) struct Unfit(String);

impl fmt::Display for Unfit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl Judge {
    /// A command line for the shell, with 30 seconds for each answer.
    pub fn new(command: impl Into<String>) -> Self {
        Self {
            command: command.into(),
            timeout: Duration::from_secs(30),
        }
    }

    /// With another time for each answer. A judge that takes longer has not said that the answer
    /// is right.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    pub(crate) async fn rule(&self, answer: &Value) -> Result<Ruling, Unfit> {
        match tokio::time::timeout(self.timeout, self.run(answer)).await {
            Ok(ruling) => ruling,
            Err(_) => Ok(Ruling::Wrong(format!(
                "the judge took longer than {:?}",
                self.timeout
            ))),
        }
    }

    async fn run(&self, answer: &Value) -> Result<Ruling, Unfit> {
        let unfit = |error: std::io::Error| Unfit(format!("the judge cannot be run: {error}"));
        let mut child = shell(&self.command)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .map_err(unfit)?;
        let input = child.stdin.take();
        let errors = child.stderr.take();
        let line = format!("{answer}\n");
        let write = async {
            if let Some(mut input) = input {
                // A judge may decide before it has read everything.
                let _ = input.write_all(line.as_bytes()).await;
            }
        };
        let read = async {
            let mut words = Vec::new();
            if let Some(mut errors) = errors {
                let _ = (&mut errors).take(MOST_WORDS).read_to_end(&mut words).await;
                // A full pipe would stop the judge.
                let _ = tokio::io::copy(&mut errors, &mut tokio::io::sink()).await;
            }
            words
        };
        let ((), words, status) = tokio::join!(write, read, child.wait());
        ruling(status.map_err(unfit)?, &words)
    }
}

fn ruling(status: ExitStatus, words: &[u8]) -> Result<Ruling, Unfit> {
    let words: String = words.utf8_chunks().map(|chunk| chunk.valid()).collect();
    let words = words.trim();
    match status.code() {
        Some(0) => Ok(Ruling::Right),
        // The shell's own: not executable, not found.
        Some(code @ (126 | 127)) => Err(Unfit(format!(
            "the judge cannot be run, exit code {code}: {words}"
        ))),
        _ if !words.is_empty() => Ok(Ruling::Wrong(words.to_owned())),
        Some(code) => Ok(Ruling::Wrong(format!(
            "the judge said no, exit code {code}"
        ))),
        None => Ok(Ruling::Wrong("the judge was killed".to_owned())),
    }
}

fn shell(command: &str) -> Command {
    let (shell, flag) = if cfg!(windows) {
        ("cmd", "/C")
    } else {
        ("sh", "-c")
    };
    let mut shell = Command::new(shell);
    shell.arg(flag).arg(command);
    shell
}

#[cfg(all(test, unix))]
mod tests {
    use std::time::Duration;

    use serde_json::json;

    use super::{Judge, Ruling};

    async fn rule(command: &str) -> Result<Ruling, super::Unfit> {
        let judge = Judge::new(command).timeout(Duration::from_secs(5));
        judge.rule(&json!({"n": 7})).await
    }

    #[tokio::test]
    async fn rules_by_its_exit_code() {
        assert_eq!(rule("grep -q '\"n\":7'").await.unwrap(), Ruling::Right);
        assert!(matches!(
            rule("grep -q '\"n\":8'").await.unwrap(),
            Ruling::Wrong(_)
        ));
        let wrong = rule("echo 'n is odd' >&2; exit 3").await.unwrap();
        assert_eq!(wrong, Ruling::Wrong("n is odd".to_owned()));
    }

    #[tokio::test]
    async fn one_that_does_not_read_its_input_may_still_rule() {
        let judge = Judge::new("true");
        let large = json!("x".repeat(1_000_000));
        assert_eq!(judge.rule(&large).await.unwrap(), Ruling::Right);
    }

    #[tokio::test]
    async fn one_that_says_too_much_is_not_stuck() {
        let ruling = rule("yes no | head -c 300000 >&2; exit 1").await.unwrap();
        assert!(matches!(ruling, Ruling::Wrong(words) if words.len() <= 2_000));
    }

    #[tokio::test]
    async fn one_that_cannot_be_run_is_no_ruling() {
        assert!(rule("no-such-command-anywhere").await.is_err());
    }

    #[tokio::test]
    async fn one_that_takes_too_long_has_not_said_yes() {
        let judge = Judge::new("sleep 30").timeout(Duration::from_millis(50));
        let ruling = judge.rule(&json!(1)).await.unwrap();
        assert!(matches!(ruling, Ruling::Wrong(words) if words.contains("longer")));
    }
}
