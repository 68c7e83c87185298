//! Proposed changes of memory, as a reply spells them.

use super::mutation_kind::{MutationField, MutationKind};
use serde::Serialize;

/// A proposed change of memory, as the reply spells it. It is not judged yet: the gate checks type, ranges and content. `None`
/// in a field means that the reply left it out.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub(crate) struct ProposedMutation {
    /// Its type as written, known or not; empty when there was none. [`Self::mutation_kind`] reads it.
    pub kind: String,
    /// What it changes: the id of a belief, or of the other character.
    pub target: Option<String>,
    /// The text: one line, without control characters, white space collapsed.
    pub content: Option<String>,
    /// How much an episode matters; 0 to 1 is allowed. As written: finite, in any range. Left out: 0.5.
    pub significance: Option<f64>,
    /// How firmly a belief is held; 0 to 1 is allowed. As written: finite, in any range. Left out: 0.8.
    pub confidence: Option<f64>,
    /// By how much liking changes. As written: finite, not clamped. Left out: 0.
    pub affinity: Option<f64>,
    /// By how much trust changes. As written: finite, not clamped. Left out: 0.
    pub trust: Option<f64>,
    /// By how much familiarity changes. As written: finite, not clamped. Left out: 0.
    pub familiarity: Option<f64>,
    /// Why it cannot be a mutation at all, such as a marker without content. The gate rejects it as
    /// `Rejection::Malformed`. `None` where its form is right.
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
pub(super) fn fields(kind: Option<MutationKind>) -> impl Iterator<Item = &'static str> {
    let (known, unknown): (&[MutationField], &[&str]) = match kind {
        Some(kind) => (kind.fields(), &[]),
        None => (&[], &["target", "content"]),
    };
    let names = known.iter().map(|field| field.name);
    names.chain(unknown.iter().copied())
}
