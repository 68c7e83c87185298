//! What a record says, as typed data.

use super::adventure_turn::{AdventureTurnInputs, AdventureTurnOutputs};
use super::checkpoint::{CheckpointBody, PartBody};
use super::fields::{FieldError, FieldSource, WriteFields, WrittenFields};
use super::game::{
    AdventureBody, CancelBody, EnteredBody, LeftBody, MindBody, RefusedBody, SettingsBody,
    StoryBody, WriteBody,
};
use super::interaction::{InteractionInputs, InteractionOutputs};
use super::kind::RecordKind;
use super::plan::{PlanInputs, PlanOutputs};
use super::turn::{TurnInputs, TurnOutputs};
use crate::journal::saved_game::{SavedGame, StateRow};

/// The body of a record, by kind.
///
/// A body that was read from a file has no outputs: a replay makes them anew and compares them as JSON, field by field, and
/// never believes the recorded ones.
#[derive(Debug, Clone)]
pub enum RecordBody<'a> {
    /// The whole game as it was; of a large one, parts follow.
    Checkpoint(Box<CheckpointBody>),
    /// A part of a large checkpoint.
    Part(PartBody),
    /// A run that ended, whatever its outcome.
    Interaction {
        /// What a replay is fed with.
        inputs: Box<InteractionInputs>,
        /// What it must find again; `None` when the body was read.
        outputs: Option<Box<InteractionOutputs<'a>>>,
    },
    /// A turn that an actor took.
    Turn {
        /// What a replay is fed with.
        inputs: TurnInputs,
        /// What it must find again; `None` when the body was read.
        outputs: Option<Box<TurnOutputs<'a>>>,
    },
    /// The game changed the judged world, by a write or in place.
    Write(WriteBody),
    /// A character was loaded, or got another file.
    Entered(EnteredBody),
    /// A character was removed from the game.
    Left(LeftBody),
    /// Another story is played, or none any more.
    Story(StoryBody),
    /// The game itself changed what a character remembers.
    Mind(MindBody),
    /// A setting or a known name is new. The body holds all of them.
    Settings(Box<SettingsBody>),
    /// A run was cancelled from outside. Its own record follows.
    Cancel(CancelBody),
    /// A request was refused and started no run.
    Refused(RefusedBody),
    /// Parts of the adventure are new or otherwise.
    Adventure(AdventureBody),
    /// A turn of an adventure.
    AdventureTurn {
        /// What a replay is fed with.
        inputs: Box<AdventureTurnInputs>,
        /// What it must find again; `None` when the body was read.
        outputs: Option<Box<AdventureTurnOutputs<'a>>>,
    },
    /// Something that happened to a plan.
    Plan {
        /// What a replay is fed with.
        inputs: Box<PlanInputs>,
        /// What it must find again; `None` when the body was read.
        outputs: Option<Box<PlanOutputs<'a>>>,
    },
}

impl RecordBody<'_> {
    /// The kind of the records that have such a body.
    #[must_use]
    pub fn kind(&self) -> RecordKind {
        match self {
            Self::Checkpoint(_) => RecordKind::Checkpoint,
            Self::Part(_) => RecordKind::Part,
            Self::Interaction { .. } => RecordKind::Interaction,
            Self::Turn { .. } => RecordKind::Turn,
            Self::Write(_) => RecordKind::Write,
            Self::Entered(_) => RecordKind::Entered,
            Self::Left(_) => RecordKind::Left,
            Self::Story(_) => RecordKind::Story,
            Self::Mind(_) => RecordKind::Mind,
            Self::Settings(_) => RecordKind::Settings,
            Self::Cancel(_) => RecordKind::Cancel,
            Self::Refused(_) => RecordKind::Refused,
            Self::Adventure(_) => RecordKind::Adventure,
            Self::AdventureTurn { .. } => RecordKind::AdventureTurn,
            Self::Plan { .. } => RecordKind::Plan,
        }
    }

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

    /// The fields as they stand in a file, without fractions, and not sealed yet.
    pub(super) fn write_fields(&self) -> WrittenFields {
        let mut fields = WrittenFields::new();
        let out = &mut fields;
        match self {
            Self::Checkpoint(body) => body.write_fields(out),
            Self::Part(body) => body.write_fields(out),
            Self::Interaction { inputs, outputs } => both(&**inputs, outputs, out),
            Self::Turn { inputs, outputs } => both(inputs, outputs, out),
            Self::Write(body) => body.write_fields(out),
            Self::Entered(body) => body.write_fields(out),
            Self::Left(body) => body.write_fields(out),
            Self::Story(body) => body.write_fields(out),
            Self::Mind(body) => body.write_fields(out),
            Self::Settings(body) => body.write_fields(out),
            Self::Cancel(body) => body.write_fields(out),
            Self::Refused(body) => body.write_fields(out),
            Self::Adventure(body) => body.write_fields(out),
            Self::AdventureTurn { inputs, outputs } => both(&**inputs, outputs, out),
            Self::Plan { inputs, outputs } => both(&**inputs, outputs, out),
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
            RecordKind::Checkpoint => {
                RecordBody::Checkpoint(Box::new(CheckpointBody::read(fields)?))
            }
            RecordKind::Part => RecordBody::Part(PartBody::read(fields)?),
            RecordKind::Interaction => RecordBody::Interaction {
                inputs: Box::new(InteractionInputs::read(fields)?),
                outputs: None,
            },
            RecordKind::Turn => RecordBody::Turn {
                inputs: TurnInputs::read(fields)?,
                outputs: None,
            },
            RecordKind::Write => RecordBody::Write(WriteBody::read(fields)?),
            RecordKind::Entered => RecordBody::Entered(EnteredBody::read(fields)?),
            RecordKind::Left => RecordBody::Left(LeftBody::read(fields)?),
            RecordKind::Story => RecordBody::Story(StoryBody::read(fields)?),
            RecordKind::Mind => RecordBody::Mind(MindBody::read(fields)?),
            RecordKind::Settings => RecordBody::Settings(Box::new(SettingsBody::read(fields)?)),
            RecordKind::Cancel => RecordBody::Cancel(CancelBody::read(fields)?),
            RecordKind::Refused => RecordBody::Refused(RefusedBody::read(fields)?),
            RecordKind::Adventure => RecordBody::Adventure(AdventureBody::read(fields)?),
            RecordKind::AdventureTurn => RecordBody::AdventureTurn {
                inputs: Box::new(AdventureTurnInputs::read(fields)?),
                outputs: None,
            },
            RecordKind::Plan => RecordBody::Plan {
                inputs: Box::new(PlanInputs::read(fields)?),
                outputs: None,
            },
        })
    }
}

fn both(
    inputs: &impl WriteFields,
    outputs: &Option<Box<impl WriteFields>>,
    fields: &mut WrittenFields,
) {
    inputs.write_fields(fields);
    if let Some(outputs) = outputs {
        outputs.write_fields(fields);
    }
}

impl RecordKind {
    /// The fields that a replay is fed with, by their names in the file. Every record of this kind has them.
    #[must_use]
    pub fn inputs(self) -> &'static [&'static str] {
        match self {
            Self::Checkpoint => CheckpointBody::INPUTS,
            Self::Part => PartBody::INPUTS,
            Self::Interaction => InteractionInputs::INPUTS,
            Self::Turn => TurnInputs::INPUTS,
            Self::Write => WriteBody::INPUTS,
            Self::Entered => EnteredBody::INPUTS,
            Self::Left => LeftBody::INPUTS,
            Self::Story => StoryBody::INPUTS,
            Self::Mind => MindBody::INPUTS,
            Self::Settings => SettingsBody::INPUTS,
            Self::Cancel => CancelBody::INPUTS,
            Self::Refused => RefusedBody::INPUTS,
            Self::Adventure => AdventureBody::INPUTS,
            Self::AdventureTurn => AdventureTurnInputs::INPUTS,
            Self::Plan => PlanInputs::INPUTS,
        }
    }

    /// The fields that a replay must find again, in the order in which one follows from the other.
    #[must_use]
    pub fn outputs(self) -> &'static [&'static str] {
        match self {
            Self::Interaction => InteractionOutputs::NAMES,
            Self::Turn => TurnOutputs::NAMES,
            Self::AdventureTurn => AdventureTurnOutputs::NAMES,
            Self::Plan => PlanOutputs::NAMES,
            _ => &[],
        }
    }
}
