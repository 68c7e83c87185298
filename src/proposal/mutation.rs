//! Proposed changes of memory, as a reply spells them (contract row G6; SCENARIO.md section 2).

use serde::Serialize;

/// A proposed change of memory, as written (contract row G6). The gate judges type, ranges and content.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct ProposedMutation {
    /// Its type as written, known or not; empty when there was none.
    pub kind: String,
    /// What it changes: a belief's id, or another character's.
    pub target: Option<String>,
    /// The text, with control characters removed and white space collapsed.
    pub content: Option<String>,
    /// Of an episode. As written: finite, in any range.
    pub significance: Option<f64>,
    /// Of a belief. As written: finite, in any range.
    pub confidence: Option<f64>,
    /// Change of a relationship. As written: finite, not clamped.
    pub affinity: Option<f64>,
    /// Change of a relationship. As written: finite, not clamped.
    pub trust: Option<f64>,
    /// Change of a relationship. As written: finite, not clamped.
    pub familiarity: Option<f64>,
    /// Why it is no mutation at all, such as a marker without content; the gate rejects it as Malformed.
    pub malformed: Option<String>,
}

impl ProposedMutation {
    /// The number of that name, if there is one.
    pub(super) fn number_mut(&mut self, key: &str) -> Option<&mut Option<f64>> {
        match key {
            "significance" => Some(&mut self.significance),
            "confidence" => Some(&mut self.confidence),
            "affinity" => Some(&mut self.affinity),
            "trust" => Some(&mut self.trust),
            "familiarity" => Some(&mut self.familiarity),
            _ => None,
        }
    }
}

/// The mutation type that is an intent.
pub(super) const EMIT: &str = "EmitWorldIntent";

/// The fields of a mutation of type `kind`, besides `type`. An unknown type has a target and a content.
pub(super) fn mutation_keys(kind: &str) -> &'static [&'static str] {
    match kind {
        "AppendEpisodic" => &["target", "content", "significance"],
        "TransformBelief" => &["target", "content", "confidence"],
        "TransformRelationship" => &["target", "content", "affinity", "trust", "familiarity"],
        EMIT => &["target", "intent"],
        _ => &["target", "content"],
    }
}
