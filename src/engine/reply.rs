//! What an engine answered: the bytes of a reply, before anybody has judged them.

use crate::base::fixed::Millis;
use crate::proposal::Finish;
use bevy::prelude::Component;

/// The bytes of a reply, with the places at which they arrived. Nobody has judged them yet.
///
/// Inference puts it on the run: of a call that succeeded the whole reply, of a call that failed what had come before. It
/// stays until the next attempt begins.
#[derive(Component, Debug, Clone, Default, PartialEq, Eq)]
#[component(immutable)]
pub struct Inference {
    /// The bytes that arrived, all chunks joined; empty when none did.
    pub bytes: Vec<u8>,
    /// Where each chunk ended, as byte offsets into `bytes`, in order of arrival.
    pub chunk_ends: Vec<usize>,
    /// Whether the engine finished by itself or was cut at its limit of tokens.
    pub finish: Finish,
    /// Call time from the start of the call to its end, in milliseconds; 0 for a call that failed.
    pub latency: Millis,
    /// Whether the call was cancelled before its end: by a part of the reply that failed, by the deadline, or with its run.
    /// What the engine would have said behind the bytes is not known.
    pub aborted: bool,
}
