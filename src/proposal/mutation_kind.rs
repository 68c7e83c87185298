//! The kinds of mutations, by the names that replies, traces and journals spell (contract row G6).

use serde::{Deserialize, Serialize};
use std::fmt;

/// What a mutation changes. Written as its name: `AppendEpisodic` and so on.
///
/// ```
/// use bevy_dramatis::proposal::MutationKind;
/// assert_eq!(MutationKind::from_name("TransformBelief"), Some(MutationKind::TransformBelief));
/// assert_eq!(MutationKind::TransformBelief.to_string(), "TransformBelief");
/// assert_eq!(MutationKind::from_name("Overwrite"), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum MutationKind {
    /// Adds an episode: something that the character will remember.
    AppendEpisodic,
    /// Adds a belief, or replaces the one with the same id.
    TransformBelief,
    /// Changes how the character stands to another.
    TransformRelationship,
    /// An intent that is spelled as a mutation. It becomes an intent like the others and changes no memory.
    EmitWorldIntent,
}

impl MutationKind {
    /// All kinds, in the order of SCENARIO.md.
    pub const ALL: [Self; 4] = [
        Self::AppendEpisodic,
        Self::TransformBelief,
        Self::TransformRelationship,
        Self::EmitWorldIntent,
    ];

    /// Its name in replies, prompts, traces and journals.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::AppendEpisodic => "AppendEpisodic",
            Self::TransformBelief => "TransformBelief",
            Self::TransformRelationship => "TransformRelationship",
            Self::EmitWorldIntent => "EmitWorldIntent",
        }
    }

    /// The kind with exactly this name; `None` for any other text.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

impl fmt::Display for MutationKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn g6_a_kind_is_written_and_read_by_its_name() {
        for kind in MutationKind::ALL {
            assert_eq!(MutationKind::from_name(kind.name()), Some(kind));
            let written = serde_json::to_value(kind).unwrap();
            assert_eq!(written, kind.name());
            assert_eq!(
                serde_json::from_value::<MutationKind>(written).unwrap(),
                kind
            );
        }
        for other in ["", "appendepisodic", "AppendEpisodic ", "Forget"] {
            assert_eq!(MutationKind::from_name(other), None, "{other:?}");
        }
    }
}
