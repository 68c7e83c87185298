//! What a scripted engine answers: `.script.ron`, and `replies` of a scenario.

use super::{EngineErrorKind, Stage};
use crate::format::literal::Literal;
use crate::proposal::Finish;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// Replies of a scripted engine, in order.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(deny_unknown_fields, default, rename = "Script")]
pub struct ScriptSpec {
    /// Replies in order. A call gets the first one that fits and was not used yet.
    pub(crate) replies: Vec<ReplySpec>,
    /// Whether replies may be used again. Of the replies that fit, a call gets the one that was used least; one with a
    /// keyword comes before one without. Left out: false; then a call fails when no reply is left for it.
    pub repeat: bool,
}

/// One authored answer of an engine.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) enum ReplySpec {
    /// Answers with this text, whatever the call.
    Say(String),
    /// Answers with this text where its conditions hold.
    Reply(ReplyRecord),
    /// Fails the call where its conditions hold.
    Fail(FailRecord),
}

/// An authored reply, with the conditions under which it answers.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct ReplyRecord {
    /// The whole text; may be left out when `chunks` are given, and equals them joined when both are.
    pub text: Option<String>,
    /// In place of `text`: what a model answers that is asked for an object, such as `(dialogue: "Come in.", intents: [(type: "open",
    /// target: "door_1")])`. The text is its JSON.
    #[serde(deserialize_with = "object")]
    pub object: Option<Value>,
    /// Only for calls of this stage; left out: for all.
    pub stage: Option<Stage>,
    /// Only for the character with this id; left out: for all.
    pub npc: Option<String>,
    /// Only when this pattern hits the current input (`PatternSet`); left out: always.
    pub keyword: Option<String>,
    /// The text in the chunks in which it arrives; left out: in one.
    pub chunks: Option<Vec<String>>,
    /// In place of `chunks`: the size of the chunks in which the text arrives, in bytes. A chunk may end inside a character. At
    /// least 1.
    pub chunk_bytes: Option<usize>,
    /// How long it takes until the first chunk, in seconds of call time, not negative. Left out: 0.
    pub delay_seconds: f64,
    /// How long it takes until each further chunk, in seconds of call time, not negative. Left out, and for chunks after the
    /// end of the list: 0.
    pub pauses: Vec<f64>,
    /// Whether the reply is whole (`Stop`) or was cut (`Length`). Left out: `Stop`.
    #[serde(deserialize_with = "finish")]
    pub finish: Finish,
}

/// An authored failure, with the conditions under which it comes.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FailRecord {
    /// Which kind of error the call ends with.
    pub kind: EngineErrorKind,
    /// Only for calls of this stage; left out: for all.
    pub stage: Option<Stage>,
    /// Only for the character with this id; left out: for all.
    pub npc: Option<String>,
}

fn object<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Literal::deserialize(deserializer).map(|literal| Some(literal.0))
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
