//! A prompt as it was written: its messages, its sections, and the cuts.

use super::budget::{CutItem, Section};
use crate::engine::{PromptMessage, Role};
use bevy::prelude::*;
use std::sync::Arc;

/// The prompt of an attempt: a conversation. The prompt component puts it on the run; it stays until the next attempt begins.
///
/// The system message comes first, then the earlier speeches and answers, each as a message, and last a message of the user that
/// holds the current state and the input.
#[derive(Component, Debug, Clone, Default, PartialEq, Eq)]
#[component(storage = "SparseSet", immutable)]
pub(crate) struct AssembledPrompt {
    pub(super) text: Arc<str>,
    pub(super) messages: Arc<[PromptMessage]>,
    /// The sections of all messages, in order; of a prompt that was too long, those that cannot be cut.
    pub(crate) sections: Arc<[Section]>,
    /// The retrieved items that were left out for lack of room.
    pub(crate) cut: Arc<[CutItem]>,
}

impl AssembledPrompt {
    /// No prompt, since it would have been too long: only what it would have held.
    pub(in crate::pipeline) fn too_long(sections: Vec<Section>) -> Self {
        Self {
            sections: sections.into(),
            ..Self::default()
        }
    }

    /// The system message. Empty, like all other messages, when the prompt would have passed the engine's context limit.
    #[must_use]
    pub fn system(&self) -> &str {
        let first = self.messages.first();
        first
            .filter(|message| message.role == Role::System)
            .map_or("", |message| &message.content)
    }

    /// The last message of the user: the current state and the input.
    #[cfg(test)]
    pub(crate) fn user(&self) -> &str {
        let last = self.messages.last();
        last.filter(|message| message.role == crate::engine::Role::User)
            .map_or("", |message| &message.content)
    }

    /// The whole prompt as one text: its messages with an empty line between them.
    #[must_use]
    pub fn text(&self) -> &Arc<str> {
        &self.text
    }

    /// Its messages, as an engine is sent them.
    #[must_use]
    pub fn messages(&self) -> &Arc<[PromptMessage]> {
        &self.messages
    }
}
