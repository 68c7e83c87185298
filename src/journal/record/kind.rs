//! The table of the kinds of records: what each is called in a file, and which body it has.

use super::adventure_turn::{AdventureTurnInputs, AdventureTurnOutputs};
use super::checkpoint::{CheckpointBody, PartBody};
use super::fields::{
    FieldError, FieldSource, OutputFields, ReadFields, WriteFields, WrittenFields,
};
use super::game::{
    AdventureBody, CancelBody, EnteredBody, InputBody, LeftBody, MindBody, RefusedBody,
    SettingsBody, StoryBody, WriteBody,
};
use super::interaction::{InteractionInputs, InteractionOutputs};
use super::plan::{PlanInputs, PlanOutputs};
use super::turn::{TurnInputs, TurnOutputs};
use crate::journal::game::saved_game::{SavedGame, StateRow};
use serde::{Deserialize, Serialize};

/// Makes [`RecordKind`] and [`RecordBody`] of the table below.
macro_rules! record_kinds {
    (
        fed { $($(#[$fed_doc:meta])* $fed:ident($body:ty) = $fed_name:literal;)* }
        repeated { $($(#[$doc:meta])* $kind:ident($inputs:ty => $outputs:ident) = $name:literal;)* }
    ) => {
        /// What a record is about. `RecordBody` has one variant for each kind.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        #[non_exhaustive]
        pub enum RecordKind {
            $($(#[$fed_doc])* $fed,)*
            $($(#[$doc])* $kind,)*
        }

        impl RecordKind {
            /// Every kind.
            pub(crate) const ALL: &[Self] = &[$(Self::$fed,)* $(Self::$kind,)*];

            /// The kind's name in a file, such as `interaction`.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$fed => $fed_name,)*
                    $(Self::$kind => $name,)*
                }
            }

            /// The fields that a replay is fed with, by their names in the file. Every record of this kind has them.
            #[must_use]
            pub fn inputs(self) -> &'static [&'static str] {
                match self {
                    $(Self::$fed => <$body>::INPUTS,)*
                    $(Self::$kind => <$inputs>::INPUTS,)*
                }
            }

            /// The fields that a replay must find again, in the order in which one follows from the other.
            #[must_use]
            pub fn outputs(self) -> &'static [&'static str] {
                match self {
                    $(Self::$fed => &[],)*
                    $(Self::$kind => $outputs::NAMES,)*
                }
            }
        }

        /// The body of a record, by kind.
        ///
        /// A body that was read from a file has no outputs: a replay makes them again and compares them as JSON, field by field,
        /// and never believes the recorded ones.
        #[derive(Debug, Clone)]
        #[non_exhaustive]
        pub enum RecordBody<'a> {
            $($(#[$fed_doc])* $fed($body),)*
            $(
                $(#[$doc])*
                $kind {
                    /// What a replay is fed with.
                    inputs: $inputs,
                    /// What it must find again; `None` when the body was read.
                    outputs: Option<Box<$outputs<'a>>>,
                },
            )*
        }

        impl RecordBody<'_> {
            /// The kind of the records that have such a body.
            #[must_use]
            pub fn kind(&self) -> RecordKind {
                match self {
                    $(Self::$fed(_) => RecordKind::$fed,)*
                    $(Self::$kind { .. } => RecordKind::$kind,)*
                }
            }

            /// The fields as they are in a file, without fractions, and not sealed yet.
            pub(super) fn write_fields(&self) -> WrittenFields {
                let mut fields = WrittenFields::new();
                match self {
                    $(Self::$fed(body) => body.write_fields(&mut fields),)*
                    $(Self::$kind { inputs, outputs } => {
                        inputs.write_fields(&mut fields);
                        if let Some(outputs) = outputs {
                            outputs.write_fields(&mut fields);
                        }
                    })*
                }
                fields
            }

            /// Reads the body of a record of this kind.
            ///
            /// # Errors
            /// The first field that is missing or has another type than it should have.
            pub(super) fn read(
                kind: RecordKind,
                fields: &impl FieldSource,
            ) -> Result<RecordBody<'static>, FieldError> {
                Ok(match kind {
                    $(RecordKind::$fed => RecordBody::$fed(<$body>::read(fields)?),)*
                    $(RecordKind::$kind => RecordBody::$kind {
                        inputs: <$inputs>::read(fields)?,
                        outputs: None,
                    },)*
                })
            }
        }
    };
}

record_kinds! {
    // A replay applies these.
    fed {
        /// The whole game: at the start of a journal, after a gap, at a save, after a load.
        Checkpoint(Box<CheckpointBody>) = "checkpoint";
        /// A part of the checkpoint before it, when a game is too large for one record.
        Part(PartBody) = "part";
        /// The game changed the judged world, by a write or in place.
        Write(WriteBody) = "write";
        /// A character was loaded, or got another file.
        Entered(EnteredBody) = "entered";
        /// A character was removed from the game.
        Left(LeftBody) = "left";
        /// Another story is played, or none any more.
        Story(StoryBody) = "story";
        /// The game itself changed what a character remembers.
        Mind(MindBody) = "mind";
        /// A setting or a known name is new. The body holds all of them.
        Settings(Box<SettingsBody>) = "settings";
        /// A plugin of the game was told something that it records.
        Input(InputBody) = "input";
        /// A run was cancelled from outside. Its own record follows.
        Cancel(CancelBody) = "cancel";
        /// A request was refused and started no run.
        Refused(RefusedBody) = "refused";
        /// Parts of the adventure are new or otherwise: a turn was taken back, or the game changed something.
        Adventure(AdventureBody) = "adventure";
    }
    // A replay lets these happen again, and compares.
    repeated {
        /// A run that ended, whatever its outcome.
        Interaction(Box<InteractionInputs> => InteractionOutputs) = "interaction";
        /// A turn that an actor took.
        Turn(TurnInputs => TurnOutputs) = "turn";
        /// A turn of an adventure ended, with any result.
        AdventureTurn(Box<AdventureTurnInputs> => AdventureTurnOutputs) = "adventure_turn";
        /// Something happened to a plan: it was asked for, answered, approved, carried out by a step, or ended.
        Plan(Box<PlanInputs> => PlanOutputs) = "plan";
    }
}

impl RecordKind {
    /// Whether such a record names the sources of what was authored.
    pub(crate) fn names_assets(self) -> bool {
        matches!(
            self,
            Self::Checkpoint | Self::Part | Self::Entered | Self::Story
        )
    }

    /// The kind with this name; `None` for a name that no kind has.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.name() == name)
    }
}

impl RecordBody<'_> {
    /// The hashes of the sources that it names, in hexadecimal: of stories and characters.
    #[must_use]
    pub fn assets(&self) -> Vec<String> {
        let of_row = |row: &StateRow| -> Option<String> {
            let named = matches!(&*row.kind, "cast" | "story");
            serde_json::from_str(row.value.as_deref().filter(|_| named)?).ok()
        };
        match self {
            Self::Checkpoint(body) => {
                let game = body.game.iter();
                game.flat_map(SavedGame::assets)
                    .map(str::to_owned)
                    .collect()
            }
            Self::Part(body) => body.rows.iter().filter_map(of_row).collect(),
            Self::Entered(body) => vec![body.asset.clone()],
            Self::Story(body) => body.asset.iter().cloned().collect(),
            _ => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_is_found_by_its_name() {
        for kind in RecordKind::ALL {
            assert_eq!(RecordKind::named(kind.name()), Some(*kind));
        }
        assert_eq!(RecordKind::named("nothing"), None);
    }
}
