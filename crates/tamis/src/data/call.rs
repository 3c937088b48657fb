//! Which calls there are.

/// A call whose result is data and no completion, by its method and path: of the catalogue, of the account,
/// for decisions or for embeddings.
///
/// Each of them fails on an error envelope under 200, on a body without data, and on data of another
/// shape.
///
/// ```
/// use tamis::DataCall;
///
/// assert_eq!(DataCall::Endpoints.method(), "GET");
/// assert_eq!(DataCall::Endpoints.path(), "models/{}/endpoints");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum DataCall {
    /// [`Client::models`](crate::Client::models).
    Models,
    /// [`Client::user_models`](crate::Client::user_models).
    UserModels,
    /// [`Client::model`](crate::Client::model).
    Model,
    /// [`Client::endpoints`](crate::Client::endpoints).
    Endpoints,
    /// [`Client::zdr_endpoints`](crate::Client::zdr_endpoints).
    ZdrEndpoints,
    /// [`Client::providers`](crate::Client::providers).
    Providers,
    /// [`Client::embeddings_models`](crate::Client::embeddings_models).
    EmbeddingsModels,
    /// [`Client::credits`](crate::Client::credits).
    Credits,
    /// [`Client::key`](crate::Client::key).
    Key,
    /// [`Client::generation`](crate::Client::generation).
    Generation,
    /// [`Client::activity`](crate::Client::activity).
    Activity,
    /// [`Keys::list`](crate::account::Keys::list).
    Keys,
    /// [`Keys::get`](crate::account::Keys::get).
    KeyByHash,
    /// [`Keys::create`](crate::account::Keys::create).
    CreateKey,
    /// [`Keys::update`](crate::account::Keys::update).
    UpdateKey,
    /// [`Keys::delete`](crate::account::Keys::delete).
    DeleteKey,
    /// [`Client::decide`](crate::Client::decide), by the Decisions API.
    Decisions,
    /// [`Client::embeddings`](crate::Client::embeddings).
    Embeddings,
}

impl DataCall {
    /// All of them.
    pub const ALL: [Self; 18] = [
        Self::Models,
        Self::UserModels,
        Self::Model,
        Self::Endpoints,
        Self::ZdrEndpoints,
        Self::Providers,
        Self::EmbeddingsModels,
        Self::Credits,
        Self::Key,
        Self::Generation,
        Self::Activity,
        Self::Keys,
        Self::KeyByHash,
        Self::CreateKey,
        Self::UpdateKey,
        Self::DeleteKey,
        Self::Decisions,
        Self::Embeddings,
    ];

    /// The HTTP method.
    pub fn method(self) -> &'static str {
        match self {
            Self::CreateKey | Self::Decisions | Self::Embeddings => "POST",
            Self::UpdateKey => "PATCH",
            Self::DeleteKey => "DELETE",
            _ => "GET",
        }
    }

    /// The path after the base URL; `{}` stands for a model's id or a key's hash. One that begins with `../`
    /// is beside the base URL's last segment: on OpenRouter under `/api`, and not under `/api/v1`.
    pub fn path(self) -> &'static str {
        match self {
            Self::Models => "models",
            Self::UserModels => "models/user",
            Self::Model => "model/{}",
            Self::Endpoints => "models/{}/endpoints",
            Self::ZdrEndpoints => "endpoints/zdr",
            Self::Providers => "providers",
            Self::EmbeddingsModels => "embeddings/models",
            Self::Credits => "credits",
            Self::Key => "key",
            Self::Generation => "generation",
            Self::Activity => "activity",
            Self::Keys | Self::CreateKey => "keys",
            Self::KeyByHash | Self::UpdateKey | Self::DeleteKey => "keys/{}",
            Self::Decisions => "../alpha/decisions",
            Self::Embeddings => "embeddings",
        }
    }

    /// The path with what it names. The name is one that needs no escaping.
    pub(super) fn path_of(self, name: &str) -> String {
        self.path().replacen("{}", name, 1)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::DataCall;

    #[test]
    fn all_are_there_once() {
        let routes: BTreeSet<_> = DataCall::ALL
            .iter()
            .map(|call| (call.method(), call.path()))
            .collect();
        assert_eq!(routes.len(), DataCall::ALL.len());
        let last = DataCall::ALL.last().copied().unwrap();
        assert_eq!(last as usize + 1, DataCall::ALL.len());
    }
}
