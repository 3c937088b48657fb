//! The flags of every command that talks to a server.

use std::path::PathBuf;
use std::time::Duration;

use tamis::{Client, RetryPolicy};
use tamis_sim::Sim;

use crate::console::Console;
use crate::duration;
use crate::error::Error;
use crate::input;
use crate::secrets::KEY_VARIABLES;

const BASE_URL_VARIABLE: &str = "TAMIS_BASE_URL";

/// Opens the simulator, and nothing else.
const SIMULATED_KEY: &str = "sk-simulated";

const NO_SERVER: &str = "\
no API key and no server. There are three ways:
  --sim           the built-in simulator, which needs neither
  --base-url URL  a server of your own, such as http://127.0.0.1:8080/v1 (or TAMIS_BASE_URL)
  an API key      for OpenRouter, in OPENROUTER_API_KEY or TAMIS_API_KEY, or in a file that
                  --api-key-file names";

/// Which server, and how patient to be with it.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Connection")]
pub(crate) struct ConnectionArgs {
    /// Use the built-in simulator: no network, no key, no cost
    #[arg(long, conflicts_with_all = ["base_url", "api_key_file"])]
    pub(crate) sim: bool,

    /// The server, up to and including `/v1`
    ///
    /// Without it, the environment's `TAMIS_BASE_URL`, else OpenRouter.
    #[arg(long, value_name = "URL")]
    pub(crate) base_url: Option<String>,

    /// The server speaks OpenRouter's own fields (`provider`, `plugins`, ...)
    ///
    /// OpenRouter itself and the simulator do. Other servers may refuse them, so they are left out.
    #[arg(long)]
    pub(crate) openrouter: bool,

    /// At most this long for a whole answer, in seconds (also 500ms, 30s, 2m)
    #[arg(long, value_name = "SECONDS", value_parser = duration::parse)]
    pub(crate) timeout: Option<Duration>,

    /// Give up when nothing meaningful has come for this long
    #[arg(long, value_name = "SECONDS", value_parser = duration::parse)]
    pub(crate) stall: Option<Duration>,

    /// Send again at most this often after a transient failure [default: 2]
    #[arg(long, value_name = "N")]
    pub(crate) retries: Option<u32>,

    /// Send this header too; repeatable
    #[arg(long = "header", value_name = "NAME: VALUE", value_parser = parse_header)]
    pub(crate) headers: Vec<(String, String)>,

    /// Read the API key from a file
    ///
    /// Without it the key comes from the environment's `OPENROUTER_API_KEY` or `TAMIS_API_KEY`. It is
    /// never an argument, where every user of the machine could read it.
    #[arg(long, value_name = "FILE")]
    pub(crate) api_key_file: Option<PathBuf>,
}

/// A client, and what it is connected to.
#[derive(Debug)]
pub(crate) struct Connection {
    pub(crate) client: Client,
    /// The simulator, which runs as long as this lives.
    sim: Option<Sim>,
}

impl Connection {
    /// Whether nothing real answers.
    pub(crate) fn is_simulated(&self) -> bool {
        self.sim.is_some()
    }

    /// The model to ask where none is named.
    pub(crate) fn default_model(&self) -> Result<&'static str, Error> {
        if self.is_simulated() {
            Ok("sim/steady")
        } else if self.client.host() == "openrouter.ai" {
            Ok("openai/gpt-4o-mini")
        } else {
            Err(Error::usage(format!(
                "--model: needed for {}; its /models lists the names",
                self.client.host()
            )))
        }
    }
}

impl ConnectionArgs {
    /// The client, and the simulator where it is asked for. Needs the runtime.
    pub(crate) async fn open(&self, console: &mut Console) -> Result<Connection, Error> {
        self.open_seeded(0, console).await
    }

    /// The same for what OpenRouter tells everybody: neither a key nor a server need be named.
    pub(crate) async fn open_public(&self, console: &mut Console) -> Result<Connection, Error> {
        self.connect(0, true, console).await
    }

    /// The same, with a seed for the simulator.
    pub(crate) async fn open_seeded(
        &self,
        seed: u64,
        console: &mut Console,
    ) -> Result<Connection, Error> {
        self.connect(seed, false, console).await
    }

    async fn connect(
        &self,
        seed: u64,
        public: bool,
        console: &mut Console,
    ) -> Result<Connection, Error> {
        let mut builder = Client::builder();
        let mut sim = None;
        if self.sim {
            let started = Sim::builder()
                .seed(seed)
                .start()
                .await
                .map_err(|error| Error::usage(format!("--sim: {error}")))?;
            // With a key, without which it tells less of its endpoints.
            builder = builder
                .base_url(started.base_url())
                .openrouter(true)
                .api_key(SIMULATED_KEY);
            sim = Some(started);
        } else {
            let key = self.key(console)?;
            let base_url = self
                .base_url
                .clone()
                .or_else(|| variable(BASE_URL_VARIABLE));
            if key.is_none() && base_url.is_none() && !public {
                return Err(Error::usage(NO_SERVER));
            }
            if let Some(base_url) = base_url {
                builder = builder.base_url(base_url);
            }
            if let Some(key) = key {
                builder = builder.api_key(key);
            }
            if self.openrouter {
                builder = builder.openrouter(true);
            }
        }
        if let Some(limit) = self.timeout {
            builder = builder.timeout(limit);
        }
        if let Some(limit) = self.stall {
            builder = builder.stall_timeout(limit);
        }
        if let Some(retries) = self.retries {
            builder = builder.retry(RetryPolicy::default().max_retries(retries));
        }
        for (name, value) in &self.headers {
            // Refused here and not while parsing, because a parser's message would quote the key.
            if name.eq_ignore_ascii_case("authorization") {
                return Err(Error::usage(
                    "--header: a key is never an argument; use OPENROUTER_API_KEY, TAMIS_API_KEY or --api-key-file",
                ));
            }
            builder = builder.header(name, value);
        }
        Ok(Connection {
            client: builder.build()?,
            sim,
        })
    }

    fn key(&self, console: &mut Console) -> Result<Option<String>, Error> {
        let Some(file) = &self.api_key_file else {
            return Ok(KEY_VARIABLES.into_iter().find_map(variable));
        };
        let text = input::read_text(file)?;
        let key = text.trim();
        console.hide(key);
        if key.is_empty() || key.contains(char::is_whitespace) {
            return Err(Error::usage(format!(
                "{}: expected one API key and nothing else",
                input::name(file)
            )));
        }
        Ok(Some(key.to_owned()))
    }
}

/// A variable of the environment; a blank one counts as missing.
fn variable(name: &str) -> Option<String> {
    let value = std::env::var(name).ok()?;
    let value = value.trim();
    (!value.is_empty()).then(|| value.to_owned())
}

fn parse_header(text: &str) -> Result<(String, String), String> {
    let (name, value) = text
        .split_once(':')
        .ok_or("expected a name, a colon and a value")?;
    let name = name.trim();
    if name.is_empty() {
        return Err("the name before the colon is missing".to_owned());
    }
    Ok((name.to_owned(), value.trim().to_owned()))
}
