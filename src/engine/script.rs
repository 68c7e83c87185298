//! What a scripted engine answers: `.script.ron`, and `replies` of a scenario.

use super::{EngineErrorKind, Stage};
use crate::proposal::Finish;
use serde::{Deserialize, Deserializer};

/// A script for a [`super::ScriptedEngine`].
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(deny_unknown_fields, rename = "Script")]
pub struct ScriptSpec {
    /// Replies in order; the first that fits and was used least answers.
    #[serde(default)]
    pub replies: Vec<ReplySpec>,
    /// Whether a used reply may be used again when no unused one fits.
    #[serde(default)]
    pub repeat: bool,
}

/// One authored answer of an engine.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum ReplySpec {
    /// Answers with this text, whoever asks.
    Say(String),
    /// Answers with this text to who asks for it.
    Reply(ReplyRecord),
    /// Fails.
    Fail(FailRecord),
}

/// A reply with its conditions.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReplyRecord {
    /// The whole text; may be left out when `chunks` are given, and equals them joined when both are.
    #[serde(default)]
    pub text: Option<String>,
    /// Only for this stage.
    #[serde(default)]
    pub stage: Option<Stage>,
    /// Only for this character.
    #[serde(default)]
    pub npc: Option<String>,
    /// Only when this pattern hits the current input.
    #[serde(default)]
    pub keyword: Option<String>,
    /// The text as it arrives, piece by piece.
    #[serde(default)]
    pub chunks: Option<Vec<String>>,
    /// How long the answer takes, in seconds of call time.
    #[serde(default)]
    pub delay_seconds: f64,
    /// Whether the engine cut it.
    #[serde(default, deserialize_with = "finish")]
    pub finish: Finish,
}

/// A failure with its conditions.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FailRecord {
    /// How it fails.
    pub kind: EngineErrorKind,
    /// Only for this stage.
    #[serde(default)]
    pub stage: Option<Stage>,
    /// Only for this character.
    #[serde(default)]
    pub npc: Option<String>,
}

/// `Finish` is part of an untrusted reply and so has no `Deserialize` of its own.
fn finish<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Finish, D::Error> {
    #[derive(Deserialize)]
    enum Written {
        Stop,
        Length,
    }
    Ok(match Written::deserialize(deserializer)? {
        Written::Stop => Finish::Stop,
        Written::Length => Finish::Length,
    })
}
