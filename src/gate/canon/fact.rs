//! Canon as it is authored (SCENARIO.md section 1).

use serde::{Deserialize, Serialize};

/// Which other values contradict a slot.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub enum Exclusive {
    /// Every other one.
    #[default]
    Any,
    /// These, and no others.
    OneOf(Vec<String>),
}

/// A statement of which only one value can be true: subject, relation, value.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct CanonSlot {
    /// The ways to name the subject.
    pub subject: Vec<String>,
    /// What joins subject and value: "is named".
    pub relation: String,
    /// The value that is true.
    pub value: String,
    /// Which other values contradict it.
    #[serde(default)]
    pub exclusive: Exclusive,
}

/// A canon entry as it is authored (SCENARIO.md section 1).
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct CanonFact {
    /// What mutations and traces call it.
    pub id: String,
    /// The fact in one plain sentence.
    pub text: String,
    /// Patterns that speak against it.
    #[serde(default)]
    pub contradicted_by: Vec<String>,
    /// Its exclusive slot, if it has one.
    #[serde(default)]
    pub slot: Option<CanonSlot>,
    /// Whether questions, quotations, reported and conditional speech are judged too.
    #[serde(default)]
    pub strict: bool,
}
