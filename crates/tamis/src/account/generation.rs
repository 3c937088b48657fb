//! Looking a generation up, with patience.

use std::time::Duration;

use tamis_wire::Failure;
use tamis_wire::account::Generation;
use tokio::time::{Instant, sleep, timeout_at};

use crate::chat::deadline;
use crate::client::Client;
use crate::data::{DataCall, refused};

/// Before the second look-up; each wait after it is twice as long.
const FIRST_PAUSE: Duration = Duration::from_millis(250);

/// The longest wait between two look-ups.
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// What came of looking a generation up.
#[derive(Clone, Debug, PartialEq)]
#[must_use = "the record may not be there yet"]
pub enum Lookup {
    /// Its record.
    Found(Box<Generation>),
    /// There is no record of it, or not yet: the record lags behind the answer by seconds, and for free
    /// models by many minutes.
    NotYet {
        /// How often it was looked up.
        lookups: u32,
    },
}

impl Lookup {
    /// The record, where it is there.
    pub fn found(self) -> Option<Generation> {
        match self {
            Self::Found(generation) => Some(*generation),
            Self::NotYet { .. } => None,
        }
    }
}

impl Client {
    /// Looks a generation up by its id, once.
    ///
    /// The record lags: right after a call it may not be there yet, which reads as a failure with
    /// the status 404. [`Client::await_generation`] waits for it.
    ///
    /// # Errors
    ///
    /// `Validation` where the id is blank; those of every call.
    pub async fn generation(&self, id: &str) -> Result<Generation, Failure> {
        if id.trim().is_empty() {
            return Err(refused("the generation's id is blank"));
        }
        let query = [("id", id.to_owned())];
        self.look_up(DataCall::Generation, &query).await
    }

    /// Looks a generation up until its record is there, for so long at most.
    ///
    /// It is looked up at once, then after 250 ms, and then after twice the wait before, 5 s at most.
    /// With no time at all it is looked up once.
    ///
    /// # Errors
    ///
    /// Those of [`Client::generation`], but for the record that is not there yet: that is
    /// [`Lookup::NotYet`].
    pub async fn await_generation(&self, id: &str, within: Duration) -> Result<Lookup, Failure> {
        let until = deadline(within);
        let mut pause = FIRST_PAUSE;
        let mut lookups: u32 = 0;
        loop {
            let lookup = self.generation(id);
            // The first one is not cut short by the patience, but by the call's own time.
            let ended = if lookups == 0 {
                Ok(lookup.await)
            } else {
                timeout_at(until, lookup).await
            };
            match ended {
                Ok(Ok(generation)) => return Ok(Lookup::Found(Box::new(generation))),
                Ok(Err(failure)) if failure.status() != Some(404) => return Err(failure),
                Ok(Err(_)) => {}
                Err(_) => return Ok(Lookup::NotYet { lookups }),
            }
            lookups = lookups.saturating_add(1);
            if Instant::now() + pause >= until {
                return Ok(Lookup::NotYet { lookups });
            }
            sleep(pause).await;
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }
}
