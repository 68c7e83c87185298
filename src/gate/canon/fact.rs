//! Canon as it is authored.

use serde::{Deserialize, Serialize};

/// Which other values contradict a slot.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) enum Exclusive {
    /// Every value but the true one.
    #[default]
    Any,
    /// Only the values of this list.
    OneOf(Vec<String>),
}

/// A statement that can have only one true value: subject, relation, value.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CanonSlot {
    /// The ways to name the subject: "the king", "our king".
    pub subject: Vec<String>,
    /// What joins subject and value: "is named".
    pub relation: String,
    /// The value that is true: "Arthur".
    pub value: String,
    /// Which other values contradict it. Left out: every other one.
    #[serde(default)]
    pub exclusive: Exclusive,
}

/// A canon entry as it is authored.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CanonFact {
    /// Its id, unique in the story. A mutation that aims at it is Critical, and traces name it.
    pub id: String,
    /// The fact in one plain sentence: "The king is named Arthur". A sentence that denies it contradicts it.
    pub text: String,
    /// Patterns that contradict it anywhere in a statement (`PatternSet`).
    #[serde(default)]
    pub contradicted_by: Vec<String>,
    /// The part of it that can have only one true value; `None` where there is no such part.
    pub slot: Option<CanonSlot>,
    /// Whether questions, quotations, reported and conditional speech are judged too. Left out: false.
    #[serde(default)]
    pub strict: bool,
}
