//! What all calls of one engine have in common.

use super::redact::Redactor;
use reqwest::header::HeaderValue;
use reqwest::{Client, Url};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

/// What the tasks of an engine share.
pub(super) struct Shared {
    pub client: Client,
    pub endpoint: Url,
    pub authorization: Option<HeaderValue>,
    pub redactor: Redactor,
    pub model: String,
    pub read_timeout: Duration,
    pub context_chars: usize,
    pub json_schema: bool,
    pub cache_prompt: bool,
    pub fields: BTreeMap<String, Value>,
    /// As in [`HttpUsage`](super::HttpUsage): tokens of prompts, of them from the cache, of replies.
    pub usage: [AtomicU64; 3],
}
