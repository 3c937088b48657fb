//! A provider.

use crate::record::record;

record! {
    /// A company that serves models.
    pub struct Provider {
        /// For people, as a completion's `provider` tells it.
        name: Option<String>,
        /// As `provider.order` takes it.
        slug: String,
        /// Where its privacy policy is.
        privacy_policy_url: Option<String>,
        /// Where its terms are.
        terms_of_service_url: Option<String>,
        /// Where it tells of outages.
        status_page_url: Option<String>,
        /// The country it is in.
        headquarters: Option<String>,
        /// The countries its machines are in.
        datacenters: Vec<String>,
    }
}
