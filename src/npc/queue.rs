//! Requests that wait for a character, and what happens when there are too many.

use super::request::CheckedRequest;
use bevy::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeSet, VecDeque};

/// Requests that wait for a character, in order of arrival. Every [`Npc`](super::Npc) and
/// [`LoadedCharacter`](super::LoadedCharacter) has one.
#[derive(Component, Debug, Default)]
pub struct RequestQueue {
    /// Each with the number under which it was made.
    pub(crate) waiting: VecDeque<(u64, CheckedRequest)>,
}

impl RequestQueue {
    /// How many requests wait. The run in flight is not among them.
    #[must_use]
    pub fn len(&self) -> usize {
        self.waiting.len()
    }

    /// Whether no request waits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// What each of them says, in order of arrival: `player: Good morning.`; of a trigger, what it asks, or its id.
    pub fn in_words(&self) -> impl Iterator<Item = String> {
        self.waiting.iter().map(|(_, request)| {
            let trigger = request.trigger_id.as_ref().map(|id| id.as_str());
            let words = request.input.as_deref().or(request.prompt.as_deref());
            let words = words.or(trigger).unwrap_or_default();
            match &request.speaker {
                Some(speaker) => format!("{speaker}: {words}"),
                None => words.to_owned(),
            }
        })
    }

    /// The number of the request that comes next; `None` when none waits.
    pub(crate) fn first_number(&self) -> Option<u64> {
        self.waiting.front().map(|(number, _)| *number)
    }
}

/// How many requests were made: runs start in the order of their requests.
#[derive(Resource, Debug, Default)]
pub(super) struct RequestNumbers(pub u64);

/// Characters with requests that could start.
#[derive(Resource, Debug, Default)]
pub(crate) struct ReadyNpcs(pub BTreeSet<Entity>);

/// What happens with requests to a character whose run is in flight.
#[derive(Resource, Debug, Clone, Copy, PartialEq, Eq, Reflect, Serialize, Deserialize)]
#[reflect(Resource, Default)]
#[serde(rename = "Queue", deny_unknown_fields, default)]
pub struct QueuePolicy {
    /// How many requests may wait for one character, in addition to its run in flight; 4 when left out.
    pub limit: usize,
    /// What happens to one more request.
    pub when_full: WhenFull,
    /// What a new request does to the run in flight.
    pub on_new: OnNewRequest,
}

impl Default for QueuePolicy {
    fn default() -> Self {
        Self {
            limit: 4,
            when_full: WhenFull::Refuse,
            on_new: OnNewRequest::Queue,
        }
    }
}

/// What happens to a request when the queue is full.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Reflect, Serialize, Deserialize)]
pub enum WhenFull {
    /// The new request is refused, with [`RequestError::QueueFull`](super::RequestError::QueueFull).
    #[default]
    Refuse,
    /// The oldest waiting one is refused in its place, with [`RequestError::Replaced`](super::RequestError::Replaced).
    DropOldest,
}

/// What a new request does to the run in flight.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Reflect, Serialize, Deserialize)]
pub enum OnNewRequest {
    /// It waits until the runs before it have ended.
    #[default]
    Queue,
    /// The run in flight ends as Cancelled, and all that waits is refused with
    /// [`RequestError::Replaced`](super::RequestError::Replaced).
    Replace,
}
