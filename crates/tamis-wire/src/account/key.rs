//! Keys: the one in use, and those of an account.

use crate::record::record;
use crate::usd::Usd;

record! {
    /// What the key in use may do and has done. Amounts are US dollars.
    pub struct KeyInfo {
        /// The key with its middle left out.
        label: Option<String>,
        /// The most that it may spend; none for no limit.
        limit: Option<Usd>,
        /// What is left of that.
        limit_remaining: Option<Usd>,
        /// How often the limit begins anew: `daily`, `weekly`, `monthly`.
        limit_reset: Option<String>,
        /// Whether use of the account's own provider keys counts.
        include_byok_in_limit: Option<bool>,
        /// Spent so far.
        usage: Option<Usd>,
        /// Spent this day, in UTC.
        usage_daily: Option<Usd>,
        /// Spent this week.
        usage_weekly: Option<Usd>,
        /// Spent this month.
        usage_monthly: Option<Usd>,
        /// Used of the account's own provider keys so far.
        byok_usage: Option<Usd>,
        /// This day.
        byok_usage_daily: Option<Usd>,
        /// This week.
        byok_usage_weekly: Option<Usd>,
        /// This month.
        byok_usage_monthly: Option<Usd>,
        /// Whether the account never bought credits.
        is_free_tier: Option<bool>,
        /// Whether it may manage keys.
        is_management_key: Option<bool>,
        /// Who made it.
        creator_user_id: Option<String>,
        /// When it ends.
        expires_at: Option<String>,
        /// How many requests to free models are left of this day.
        free_model_daily_requests: Option<DailyRequests>,
        /// What may be spent by all limits taken together.
        effective_budget: Option<EffectiveBudget>,
    }
}

record! {
    /// Requests to free models on this day, in UTC.
    pub struct DailyRequests {
        /// Made.
        used: Option<u64>,
        /// The most.
        limit: Option<u64>,
        /// Left.
        remaining: Option<u64>,
    }
}

record! {
    /// What may be spent by all limits taken together.
    pub struct EffectiveBudget {
        /// Left, in US dollars.
        remaining_usd: Option<Usd>,
    }
}

record! {
    /// One of an account's keys, without the key itself. Amounts are US dollars.
    pub struct KeyRecord {
        /// What it is asked for by.
        hash: String,
        /// For people.
        name: Option<String>,
        /// The key with its middle left out.
        label: Option<String>,
        /// Whether it is turned off.
        disabled: Option<bool>,
        /// The most that it may spend; none for no limit.
        limit: Option<Usd>,
        /// What is left of that.
        limit_remaining: Option<Usd>,
        /// How often the limit begins anew: `daily`, `weekly`, `monthly`.
        limit_reset: Option<String>,
        /// Whether use of the account's own provider keys counts.
        include_byok_in_limit: Option<bool>,
        /// Spent so far.
        usage: Option<Usd>,
        /// Spent this day, in UTC.
        usage_daily: Option<Usd>,
        /// Spent this week.
        usage_weekly: Option<Usd>,
        /// Spent this month.
        usage_monthly: Option<Usd>,
        /// Used of the account's own provider keys so far.
        byok_usage: Option<Usd>,
        /// When it was made.
        created_at: Option<String>,
        /// When it was last changed.
        updated_at: Option<String>,
        /// When it ends.
        expires_at: Option<String>,
        /// The workspace it belongs to.
        workspace_id: Option<String>,
        /// Who made it.
        creator_user_id: Option<String>,
    }
}
