//! The bytes that an engine answered, as they are written down and given again.

use crate::base::bytes::{from_hex, to_hex};
use crate::engine::{Stage, TokenUsage};
use crate::pipeline::{AttemptError, AttemptRecord, Inference};
use crate::proposal::Finish;
use serde::{Deserialize, Serialize};

/// What an engine answered in one attempt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedReply {
    /// The bytes as text; `None` when they are not UTF-8.
    pub text: Option<String>,
    /// The bytes in hexadecimal; `None` when they are UTF-8.
    pub hex: Option<String>,
    /// Where each chunk ended, as byte offsets.
    #[serde(rename = "borders")]
    pub chunk_ends: Vec<usize>,
    /// Whether the engine cut the reply at its length limit.
    pub cut: bool,
    /// Why there is no reply: kind and message. `None` when there is one, or when none came.
    pub error: Option<(String, String)>,
    /// Whether the answer had not come when the run ended.
    pub pending: bool,
    /// How many tokens the call took. Left out where the server does not tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<TokenUsage>,
    /// What it was asked for, where that was not all at once: `Decide` or `Speak`. Left out otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stage: Option<Stage>,
    /// What it had answered before, when it was asked what the character does. Left out where it was not asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub choice: Option<Box<RecordedReply>>,
}

impl From<&AttemptRecord> for RecordedReply {
    fn from(record: &AttemptRecord) -> Self {
        let before = record.choice.as_ref();
        let before = before.and_then(|choice| choice.call.as_ref());
        let choice = before.map(|call| {
            let error = call.error.map(|kind| (kind, &call.error_message));
            Box::new(Self {
                stage: Some(call.stage),
                ..Self::of(&call.arrived, call.reply.is_some(), error)
            })
        });
        let error = record.error.map(|kind| (kind, &record.error_message));
        Self {
            stage: Some(record.stage).filter(|stage| stage.is_part_of_dialogue()),
            choice,
            ..Self::of(&record.arrived, record.reply.is_some(), error)
        }
    }
}

impl RecordedReply {
    fn of(
        arrived: &Inference,
        has_reply: bool,
        error: Option<(AttemptError, &Option<String>)>,
    ) -> Self {
        let Inference {
            bytes,
            chunk_ends,
            finish,
            usage,
            ..
        } = arrived;
        let text = std::str::from_utf8(bytes).ok().map(str::to_owned);
        let hex = text.is_none().then(|| to_hex(bytes));
        let error =
            error.map(|(kind, message)| (format!("{kind:?}"), message.clone().unwrap_or_default()));
        Self {
            pending: !has_reply && error.is_none(),
            text,
            hex,
            chunk_ends: chunk_ends.clone(),
            cut: *finish == Finish::Length,
            error,
            usage: *usage,
            stage: None,
            choice: None,
        }
    }

    /// What the engine answered in each call of the attempt, in order.
    pub(crate) fn calls(&self) -> impl Iterator<Item = &Self> {
        self.choice.as_deref().into_iter().chain([self])
    }

    /// The bytes again; no bytes when `hex` is not hexadecimal.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        match (&self.text, &self.hex) {
            (Some(text), _) => text.clone().into_bytes(),
            (None, Some(hex)) if hex.len() % 2 == 0 => from_hex(hex).unwrap_or_default(),
            (None, _) => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_no_text_come_back() {
        let record = AttemptRecord {
            arrived: Inference {
                bytes: vec![0xff, 0x00, b'a'],
                chunk_ends: vec![1, 3],
                ..Inference::default()
            },
            ..AttemptRecord::default()
        };
        let reply = RecordedReply::from(&record);
        assert_eq!(reply.hex.as_deref(), Some("ff0061"));
        assert_eq!(reply.bytes(), [0xff, 0x00, b'a']);
        assert!(reply.pending);
        for no_hex in ["f", "zz"] {
            let hex = Some(no_hex.to_owned());
            let reply = RecordedReply {
                hex,
                ..reply.clone()
            };
            assert!(reply.bytes().is_empty(), "{no_hex}");
        }
    }
}
