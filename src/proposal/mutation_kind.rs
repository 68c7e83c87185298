//! The kinds of mutations, by the names that replies, traces and journals spell.

use serde::{Deserialize, Serialize};
use std::fmt;

/// What a mutation changes. Written as its name: `AppendEpisodic` and so on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(crate) enum MutationKind {
    /// Adds an episode: something that the character will remember.
    AppendEpisodic,
    /// Adds a belief, or replaces the one with the same id.
    TransformBelief,
    /// Changes the character's feelings towards another.
    TransformRelationship,
    /// An intent that is spelled as a mutation. It becomes an intent like the others and changes no memory.
    EmitWorldIntent,
}

impl MutationKind {
    /// All kinds, in a fixed order.
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

    /// The kind with this name, in small letters or capitals; `None` for any other text.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|kind| kind.name().eq_ignore_ascii_case(name))
    }
}

/// A field of a mutation: the one table from which replies are read, schemas are made and prompts say how to answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct MutationField {
    /// Its name in an envelope and in a `[MUTATION: ..]` marker.
    pub name: &'static str,
    /// What kind of value the field holds.
    pub value: MutationValue,
    /// Whether the gate rejects a mutation without it.
    pub required: bool,
}

/// What a field of a mutation holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MutationValue {
    /// The id of a belief: one that there is, or a new one.
    Belief,
    /// The id of a character that this one knows.
    Character,
    /// A target that changes nothing. It is read, because a canon id or a world fact's key here is reported; no prompt asks for
    /// it.
    Unused,
    /// Words, 1 to 2,000 characters and not blank.
    Text,
    /// A number from 0 to 1.
    Fraction,
    /// A number from -0.2 to 0.2: by how much a part of a relationship changes.
    Change,
    /// An action, as it appears in `intents`.
    Action,
}

const fn field(name: &'static str, value: MutationValue, required: bool) -> MutationField {
    MutationField {
        name,
        value,
        required,
    }
}

impl MutationKind {
    /// Its fields besides `type`, in the order in which a prompt names them.
    #[must_use]
    pub const fn fields(self) -> &'static [MutationField] {
        use MutationValue as V;
        match self {
            Self::AppendEpisodic => {
                &const {
                    [
                        field("target", V::Unused, false),
                        field("content", V::Text, true),
                        field("significance", V::Fraction, false),
                    ]
                }
            }
            Self::TransformBelief => {
                &const {
                    [
                        field("target", V::Belief, true),
                        field("content", V::Text, true),
                        field("confidence", V::Fraction, false),
                    ]
                }
            }
            Self::TransformRelationship => {
                &const {
                    [
                        field("target", V::Character, true),
                        field("content", V::Text, true),
                        field("affinity", V::Change, false),
                        field("trust", V::Change, false),
                        field("familiarity", V::Change, false),
                    ]
                }
            }
            Self::EmitWorldIntent => {
                &const {
                    [
                        field("target", V::Unused, false),
                        field("intent", V::Action, true),
                    ]
                }
            }
        }
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
    fn p13_every_kind_has_words_or_an_intent_that_it_needs() {
        for kind in MutationKind::ALL {
            let needed = kind.fields().iter().filter(|field| field.required);
            let holds =
                |value: MutationValue| matches!(value, MutationValue::Text | MutationValue::Action);
            assert_eq!(
                needed.filter(|field| holds(field.value)).count(),
                1,
                "{kind}"
            );
        }
    }

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
        assert_eq!(
            MutationKind::from_name("appendEPISODIC"),
            Some(MutationKind::AppendEpisodic)
        );
        for other in ["", "AppendEpisodic ", "Forget"] {
            assert_eq!(MutationKind::from_name(other), None, "{other:?}");
        }
    }
}
