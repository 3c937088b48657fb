//! The account's money.

use tamis_wire::Failure;
use tamis_wire::account::{Activity, Credits, KeyInfo};

use super::{ActivityQuery, Keys};
use crate::client::Client;
use crate::data::DataCall;

impl Client {
    /// What the account bought and used. Documented to need a management key.
    ///
    /// # Errors
    ///
    /// Those of every call.
    pub async fn credits(&self) -> Result<Credits, Failure> {
        self.look_up(DataCall::Credits, &[]).await
    }

    /// What the key in use may do and has done.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let sim = tamis_sim::Sim::builder().start().await?;
    /// # let client = tamis::Client::builder().base_url(sim.base_url()).openrouter(true).build()?;
    /// let key = client.key().await?;
    /// println!("{:?} of {:?} left", key.limit_remaining, key.limit);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// Those of every call.
    pub async fn key(&self) -> Result<KeyInfo, Failure> {
        self.look_up(DataCall::Key, &[]).await
    }

    /// What the account did on its last 30 whole days, in UTC, by day, model and endpoint. Needs a
    /// management key.
    ///
    /// # Errors
    ///
    /// `Validation` where the query holds no date where one is expected; those of every call.
    pub async fn activity(&self, query: &ActivityQuery) -> Result<Vec<Activity>, Failure> {
        self.look_up(DataCall::Activity, &query.pairs()?).await
    }

    /// The account's keys. All of it needs a management key.
    pub fn keys(&self) -> Keys<'_> {
        Keys::new(self)
    }
}
