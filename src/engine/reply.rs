//! What an engine answered: the bytes of a reply, before anybody has judged them.

use crate::base::fixed::Millis;
use crate::proposal::Finish;
use bevy::prelude::Component;
use serde::{Deserialize, Serialize};

/// How much of a model's thinking is kept: 16 KiB.
pub const MAX_REASONING_BYTES: usize = 16 * 1024;

/// How many tokens a call took, as the server counts them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TokenUsage {
    /// Tokens of the prompt, including those from the cache.
    pub prompt: u64,
    /// Tokens of the prompt that came from the server's cache of earlier prompts.
    pub cached: u64,
    /// Tokens of the reply, including its thinking.
    pub completion: u64,
}

/// The bytes of a reply, with the places at which they arrived. The gate has not judged them yet.
///
/// The pipeline puts it on the run: the whole reply of a call that succeeded, or what had arrived of a call that failed. It
/// stays until the next attempt begins.
#[derive(Component, Debug, Clone, Default, PartialEq, Eq)]
#[component(storage = "SparseSet", immutable)]
pub struct Inference {
    /// The bytes that arrived, all chunks joined; empty when none did.
    pub bytes: Vec<u8>,
    /// Where each chunk ended, as byte offsets into `bytes`, in order of arrival.
    pub chunk_ends: Vec<usize>,
    /// Whether the engine finished by itself or was cut at its limit of tokens.
    pub finish: Finish,
    /// Call time from the start of the call to its end, in milliseconds; 0 for a call that failed.
    pub latency: Millis,
    /// Whether the call was cancelled before its end: because a part of the reply failed, by the deadline, or with its run.
    /// What the engine would have said after these bytes is not known.
    pub aborted: bool,
    /// How many of the bytes count, where the plugin has ended a line that was long enough or repeated itself. `None`: all bytes.
    pub counted: Option<usize>,
    /// What the model was thinking, at most 16 KiB; empty where nothing is known of it. It is not part of the reply, and no
    /// record holds it.
    pub reasoning: String,
    /// How many tokens the call took; `None` where the server does not tell.
    pub usage: Option<TokenUsage>,
}
