//! Managing an account's keys.

use std::fmt;

use serde_json::{Map, Value};
use tamis_wire::account::KeyRecord;
use tamis_wire::{Decimal, Failure};

use crate::api_key::ApiKey;
use crate::client::Client;
use crate::data::{DataCall, Deleted, refused};

/// An account's keys; see [`Client::keys`]. All of it needs a management key.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let sim = tamis_sim::Sim::builder().start().await?;
/// # let client = tamis::Client::builder().base_url(sim.base_url()).openrouter(true).build()?;
/// use tamis::account::{KeyChanges, NewKey};
/// use tamis::catalogue::Decimal;
///
/// let created = client.keys().create(&NewKey::new("ci").limit(Decimal::from(5))).await?;
/// let hash = created.record.hash.clone();
/// // The key itself is told this once.
/// let secret: &str = created.expose_key();
/// # let _ = secret;
/// client.keys().update(&hash, &KeyChanges::new().disabled(true)).await?;
/// client.keys().delete(&hash).await?;
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Keys<'a> {
    client: &'a Client,
}

impl<'a> Keys<'a> {
    pub(super) fn new(client: &'a Client) -> Self {
        Self { client }
    }

    /// A page of the keys, after so many. The last page is the one after which there are none.
    ///
    /// # Errors
    ///
    /// Those of every call.
    pub async fn list(&self, offset: u64) -> Result<Vec<KeyRecord>, Failure> {
        let query = [("offset", offset.to_string())];
        let query = if offset == 0 { &[][..] } else { &query };
        self.client.look_up(DataCall::Keys, query).await
    }

    /// One key.
    ///
    /// # Errors
    ///
    /// `Validation` where the hash is none; those of every call.
    pub async fn get(&self, hash: &str) -> Result<KeyRecord, Failure> {
        self.client
            .look_up_named(DataCall::KeyByHash, check_hash(hash)?, &[])
            .await
    }

    /// Makes a key. Sent once and never again, since a second request could make a second key.
    ///
    /// # Errors
    ///
    /// `Validation` where the name is blank or the limit negative; those of every call.
    pub async fn create(&self, key: &NewKey) -> Result<CreatedKey, Failure> {
        self.client.create(DataCall::CreateKey, &key.body()?).await
    }

    /// Changes a key.
    ///
    /// # Errors
    ///
    /// `Validation` where nothing is changed, the hash is none, the name blank or the limit negative;
    /// those of every call.
    pub async fn update(&self, hash: &str, changes: &KeyChanges) -> Result<KeyRecord, Failure> {
        let body = changes.body()?;
        self.client
            .change(DataCall::UpdateKey, check_hash(hash)?, &body)
            .await
    }

    /// Removes a key, for good. Where a second attempt finds no such key, the first one removed it.
    ///
    /// # Errors
    ///
    /// `Validation` where the hash is none; those of every call, among them `Malformed` where the
    /// server does not say that it is gone.
    pub async fn delete(&self, hash: &str) -> Result<(), Failure> {
        let hash = check_hash(hash)?;
        match self.client.remove(DataCall::DeleteKey, hash).await {
            Ok(Deleted) => Ok(()),
            Err(failure) if failure.attempts() > 1 && failure.status() == Some(404) => Ok(()),
            Err(failure) => Err(failure),
        }
    }
}

/// A hash that can stand in a path as it is.
fn check_hash(hash: &str) -> Result<&str, Failure> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    if hash.is_empty() || !hash.bytes().all(plain) {
        // It may be a key that was taken for a hash, so it is not repeated.
        return Err(refused("not a key's hash: expected letters and digits"));
    }
    Ok(hash)
}

/// How often a limit begins anew.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LimitReset {
    /// Each day, in UTC.
    Daily,
    /// Each week.
    Weekly,
    /// Each month.
    Monthly,
    /// Any other that the server knows.
    Other(String),
}

impl LimitReset {
    /// The server's name for it.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Daily => "daily",
            Self::Weekly => "weekly",
            Self::Monthly => "monthly",
            Self::Other(name) => name,
        }
    }
}

impl From<LimitReset> for String {
    fn from(value: LimitReset) -> Self {
        match value {
            LimitReset::Other(name) => name,
            known => known.as_str().to_owned(),
        }
    }
}

/// A key to be made.
#[derive(Clone, Debug, PartialEq)]
#[must_use = "a key is not made until it is sent"]
pub struct NewKey {
    fields: Fields,
}

/// Changes of a key.
#[derive(Clone, Debug, Default, PartialEq)]
#[must_use = "a change is not made until it is sent"]
pub struct KeyChanges {
    fields: Fields,
}

impl NewKey {
    /// With a name for people.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            fields: Fields::default().with("name", name.into()),
        }
    }

    /// The most that it may spend, in US dollars; without limit by default.
    pub fn limit(mut self, limit: Decimal) -> Self {
        self.fields.limit = Limit::At(limit);
        self
    }

    /// How often the limit begins anew; never by default.
    pub fn limit_reset(mut self, reset: LimitReset) -> Self {
        self.fields = self.fields.with("limit_reset", String::from(reset));
        self
    }

    /// When it ends, as an ISO 8601 time in UTC; never by default.
    pub fn expires_at(mut self, time: impl Into<String>) -> Self {
        self.fields = self.fields.with("expires_at", time.into());
        self
    }

    /// Whether use of the account's own provider keys counts.
    pub fn include_byok_in_limit(mut self, include: bool) -> Self {
        self.fields = self.fields.with("include_byok_in_limit", include);
        self
    }

    /// The workspace it belongs to.
    pub fn workspace(mut self, id: impl Into<String>) -> Self {
        self.fields = self.fields.with("workspace_id", id.into());
        self
    }

    /// Who made it.
    pub fn creator(mut self, user_id: impl Into<String>) -> Self {
        self.fields = self.fields.with("creator_user_id", user_id.into());
        self
    }

    fn body(&self) -> Result<Map<String, Value>, Failure> {
        self.fields.checked()
    }
}

impl KeyChanges {
    /// No change yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Another name.
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.fields = self.fields.with("name", name.into());
        self
    }

    /// Turns it off or on.
    pub fn disabled(mut self, disabled: bool) -> Self {
        self.fields = self.fields.with("disabled", disabled);
        self
    }

    /// The most that it may spend, in US dollars; none for no limit.
    pub fn limit(mut self, limit: Option<Decimal>) -> Self {
        self.fields.limit = limit.map_or(Limit::Lifted, Limit::At);
        self
    }

    /// How often the limit begins anew; none for never.
    pub fn limit_reset(mut self, reset: Option<LimitReset>) -> Self {
        let reset = reset.map_or(Value::Null, |reset| String::from(reset).into());
        self.fields = self.fields.with("limit_reset", reset);
        self
    }

    /// Whether use of the account's own provider keys counts.
    pub fn include_byok_in_limit(mut self, include: bool) -> Self {
        self.fields = self.fields.with("include_byok_in_limit", include);
        self
    }

    fn body(&self) -> Result<Map<String, Value>, Failure> {
        let body = self.fields.checked()?;
        if body.is_empty() {
            return Err(refused("no change of the key was given"));
        }
        Ok(body)
    }
}

/// What is sent of a key.
#[derive(Clone, Debug, Default, PartialEq)]
struct Fields {
    values: Map<String, Value>,
    limit: Limit,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Limit {
    #[default]
    AsItIs,
    Lifted,
    At(Decimal),
}

impl Fields {
    fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.values.insert(name.to_owned(), value.into());
        self
    }

    fn checked(&self) -> Result<Map<String, Value>, Failure> {
        let mut body = self.values.clone();
        for (name, value) in &body {
            if value.as_str().is_some_and(|text| text.trim().is_empty()) {
                return Err(refused(format!("{name}: blank")));
            }
        }
        let limit = match self.limit {
            Limit::AsItIs => return Ok(body),
            Limit::Lifted => Value::Null,
            Limit::At(limit) if limit.is_sign_negative() && !limit.is_zero() => {
                return Err(refused("limit: negative"));
            }
            Limit::At(limit) => serde_json::from_str(&limit.normalize().to_string())
                .map_err(|_| refused("limit: not a number"))?,
        };
        body.insert("limit".to_owned(), limit);
        Ok(body)
    }
}

/// A key that was made.
#[non_exhaustive]
pub struct CreatedKey {
    pub(crate) key: ApiKey,
    /// What is known of it.
    pub record: KeyRecord,
}

impl CreatedKey {
    /// The key itself, which the server tells this once. Whoever asks for it answers for where it
    /// goes.
    pub fn expose_key(&self) -> &str {
        self.key.expose()
    }

    /// The key, to build a client with.
    pub fn key(&self) -> &ApiKey {
        &self.key
    }
}

/// Without the key.
impl fmt::Debug for CreatedKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("CreatedKey")
            .field("key", &self.key)
            .field("record", &self.record)
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use tamis_wire::{Decimal, FailureKind};

    use super::{KeyChanges, LimitReset, NewKey, check_hash};

    #[test]
    fn what_is_sent() {
        let new = NewKey::new("ci")
            .limit(Decimal::new(1250, 2))
            .limit_reset(LimitReset::Monthly)
            .expires_at("2027-01-01T00:00:00Z")
            .include_byok_in_limit(true)
            .workspace("w")
            .creator("u");
        assert_eq!(
            Value::from(new.body().unwrap()),
            json!({"name": "ci", "limit_reset": "monthly", "expires_at": "2027-01-01T00:00:00Z",
                "include_byok_in_limit": true, "workspace_id": "w", "creator_user_id": "u", "limit": 12.5})
        );
        let changes = KeyChanges::new()
            .name("b")
            .disabled(true)
            .limit(None)
            .limit_reset(None)
            .include_byok_in_limit(false);
        assert_eq!(
            Value::from(changes.body().unwrap()),
            json!({"name": "b", "disabled": true, "limit_reset": null, "include_byok_in_limit": false, "limit": null})
        );
        let whole = NewKey::new("x").limit(Decimal::new(50, 1)).body().unwrap();
        assert_eq!(whole["limit"], 5);
    }

    #[test]
    fn what_is_refused() {
        let refusals = [
            NewKey::new(" ").body().unwrap_err(),
            NewKey::new("a")
                .limit(Decimal::NEGATIVE_ONE)
                .body()
                .unwrap_err(),
            KeyChanges::new().body().unwrap_err(),
            check_hash("").unwrap_err(),
            check_hash("../x").unwrap_err(),
            check_hash("a/b").unwrap_err(),
        ];
        for failure in refusals {
            assert_eq!(failure.kind(), FailureKind::Validation);
        }
        assert_eq!(check_hash("3f2a-9_b").unwrap(), "3f2a-9_b");
    }
}
