//! What all calls of one engine have in common.

use super::change::Change;
use super::config::SchemaDialect;
use super::redact::Redactor;
use crate::engine::Capacity;
use crate::policy::Form;
use reqwest::header::HeaderValue;
use reqwest::{Client, Url};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// What a server has said of the model that it serves.
#[derive(Debug, Clone, Default)]
pub(super) struct SeenModel {
    /// What replies call the model.
    pub name: Option<String>,
    /// What they say of the build that serves it.
    pub build: Option<String>,
    /// The file of the model.
    pub file: Option<String>,
    /// The hash of that file.
    pub hash: Option<String>,
    /// How many calls it serves at once.
    pub slots: SlotCount,
    /// How many tokens a prompt and its reply have together at most; `None` where it has not said so.
    pub context_tokens: Option<u32>,
}

/// How many calls a server says that it serves at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum SlotCount {
    /// It was not asked, or it was not there.
    #[default]
    Unknown,
    /// It was asked and has not answered yet.
    Asked,
    /// It has answered: with a number, or with something else.
    Told(Option<u32>),
}

/// What the tasks of an engine share.
pub(super) struct Shared {
    pub client: Client,
    pub endpoint: Url,
    pub authorization: Option<HeaderValue>,
    pub redactor: Redactor,
    pub model: String,
    pub read_timeout: Duration,
    pub context_chars: usize,
    pub form: Form,
    pub schema: SchemaDialect,
    pub cache_prompt: bool,
    pub fields: BTreeMap<String, Value>,
    /// How many calls are made at once, and when the server is left alone.
    pub capacity: Capacity,
    /// Where llama.cpp says which model it serves; `None` where the engine does not ask.
    pub props: Option<Url>,
    /// Whether it was asked for its slots when the game first looked at it.
    pub is_greeted: AtomicBool,
    /// What the server has said of itself so far.
    pub seen: Mutex<SeenModel>,
    /// What this server has refused, and how it is asked since.
    pub changes: Mutex<Vec<Change>>,
    /// Whether its model has ever told what it thinks.
    pub thinks: AtomicBool,
    /// Whether a reply has shown that its replies do not begin in the middle of a thought.
    pub is_plain: Arc<AtomicBool>,
    /// As in [`TokenUsage`](crate::engine::TokenUsage): tokens of prompts, of them from the cache, of replies.
    pub usage: [AtomicU64; 3],
}
