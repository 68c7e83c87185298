//! Proposed changes of memory, as a reply spells them (contract row G6; SCENARIO.md section 2).

use super::mutation_kind::MutationKind;
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
    /// Its kind; `None` for a type that is not known.
    #[must_use]
    pub fn mutation_kind(&self) -> Option<MutationKind> {
        MutationKind::from_name(&self.kind)
    }

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

/// The fields of a mutation, besides `type`. One of an unknown type (`None`) has a target and a content.
pub(super) fn fields(kind: Option<MutationKind>) -> &'static [&'static str] {
    match kind {
        None => &["target", "content"],
        Some(MutationKind::AppendEpisodic) => &["target", "content", "significance"],
        Some(MutationKind::TransformBelief) => &["target", "content", "confidence"],
        Some(MutationKind::TransformRelationship) => {
            &["target", "content", "affinity", "trust", "familiarity"]
        }
        Some(MutationKind::EmitWorldIntent) => &["target", "intent"],
    }
}
