//! The game before its first run, turn or plan.

use super::error::NoScenario;
use super::reading::Said;
use crate::journal::record::{CheckpointReason, RecordBody};
use crate::journal::recording::reading::checkpoint_game;
use crate::journal::{Recorded, SavedGame};
use crate::world::{WorldPart, WorldState};

/// The most records that are read for one scenario.
const MOST_RECORDS: usize = 10_000;

/// How the game is before anything happens in it that a step can say.
pub(super) struct Opening {
    pub game: SavedGame,
}

impl Opening {
    /// The opening of the part of a recording that ends with this record, and what follows it, in order. A part begins where the
    /// journal began, began again, or a game was loaded.
    pub(super) fn read(
        recording: &dyn Recorded,
        last: u64,
    ) -> Result<(Self, Vec<Said>), NoScenario> {
        let mut rest = Vec::new();
        let mut begun = None;
        for seq in (recording.first()..=last).rev() {
            let said = Said::read(recording, seq)?;
            if let RecordBody::Checkpoint(checkpoint) = &said.says
                && checkpoint.reason != CheckpointReason::Saved
            {
                begun = Some(seq);
                break;
            }
            rest.push(said);
            if rest.len() > MOST_RECORDS {
                return Err(NoScenario::TooLong(MOST_RECORDS));
            }
        }
        let begun = begun.unwrap_or_else(|| recording.first());
        let mut opening = Self {
            game: checkpoint_game(recording, begun)?,
        };
        rest.reverse();
        // A run reads what was there when it began, and its record stands at its end.
        let happens = rest.iter().find_map(|said| match &said.says {
            RecordBody::Interaction { inputs, .. } => inputs
                .run_timeline
                .started
                .map(|started| started.after.saturating_add(1)),
            RecordBody::Turn { .. }
            | RecordBody::AdventureTurn { .. }
            | RecordBody::Plan { .. } => Some(said.seq),
            _ => None,
        });
        let happens = happens.unwrap_or(last);
        let (before, after) = rest.into_iter().partition(|said| said.seq < happens);
        for said in before {
            opening.take(said)?;
        }
        Ok((opening, after))
    }

    /// Something that belongs to the beginning.
    fn take(&mut self, said: Said) -> Result<(), NoScenario> {
        let game = &mut self.game;
        match said.says {
            RecordBody::Write(write) => {
                for part in write.now {
                    put(&mut game.world, part);
                }
            }
            RecordBody::Entered(entered) => {
                game.cast.insert(entered.npc.clone(), entered.asset);
                game.minds.insert(entered.npc, entered.mind);
            }
            RecordBody::Left(left) => {
                game.cast.remove(&left.npc);
            }
            RecordBody::Mind(mind) => {
                game.minds.insert(mind.npc, mind.mind);
            }
            RecordBody::Story(story) => game.story = story.asset,
            RecordBody::Settings(body) => game.settings = body.settings.settings,
            RecordBody::Adventure(body) => {
                for (key, part) in body.now {
                    match part {
                        Some(part) => game.adventure.insert(key, part),
                        None => game.adventure.remove(&key),
                    };
                }
            }
            // What is in a part stands in the checkpoint's game already; what was refused has changed nothing.
            // A scenario has no plugins of the game.
            RecordBody::Part(_)
            | RecordBody::Checkpoint(_)
            | RecordBody::Refused(_)
            | RecordBody::Input(_) => {}
            _ => {
                return Err(NoScenario::Record {
                    seq: said.seq,
                    why: "it is of a run that was ended from outside",
                });
            }
        }
        Ok(())
    }
}

/// A part of the world is so from now on.
fn put(world: &mut WorldState, part: WorldPart) {
    match part {
        WorldPart::Entity(id, Some(view)) => {
            world.entities.insert(id, view);
        }
        WorldPart::Entity(id, None) => {
            world.entities.remove(&id);
        }
        WorldPart::Location(id, Some(view)) => {
            world.locations.insert(id, view);
        }
        WorldPart::Location(id, None) => {
            world.locations.remove(&id);
        }
        WorldPart::Flag(name, Some(value)) => {
            world.flags.insert(name, value);
        }
        WorldPart::Flag(name, None) => {
            world.flags.remove(&name);
        }
        WorldPart::Fact(key, Some(value)) => {
            world.facts.insert(key, value);
        }
        WorldPart::Fact(key, None) => {
            world.facts.remove(&key);
        }
        WorldPart::TurnOf(actor) => world.turn_of = actor,
    }
}
