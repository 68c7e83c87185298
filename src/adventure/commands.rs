//! Commands for adventures.

use super::aside::ask_aside;
use super::markers::{SceneMarker, set_marker};
use super::player_turn::PlayerTurn;
use super::review::{accept_call, refuse_call};
use super::submit::{interrupt, submit_turn};
use super::undo::{pick_turn, redo_turn, retract_last, retract_turn};
use crate::base::ids::Id;
use crate::npc::{LoadedCharacter, attempt};
use crate::outbox::Outbox;
use crate::pipeline::run::retraction::{RetractError, Retraction};
use bevy::prelude::*;

/// Commands for adventures, which any system of the game can give. A command that cannot be done is reported as
/// [`CommandFailed`](crate::events::CommandFailed), and changes nothing.
///
/// ```
/// # use bevy::prelude::*;
/// use bevy_dramatis::adventure::{AdventureCommandsExt, PlayerTurn};
/// use bevy_dramatis::prelude::*;
///
/// fn on_enter(mut commands: Commands) {
///     commands.play_turn(PlayerTurn::new(id!("player"), "I open the chest."));
/// }
///
/// fn on_undo(mut commands: Commands) {
///     commands.retract_turn();
/// }
/// # bevy::ecs::system::assert_is_system(on_enter);
/// # bevy::ecs::system::assert_is_system(on_undo);
/// ```
pub trait AdventureCommandsExt {
    /// Begins a turn, and interrupts one that is being played. A turn that is wrong is reported as
    /// [`RequestRefused`](crate::events::RequestRefused) under the persona's id.
    fn play_turn(&mut self, turn: PlayerTurn);
    /// Ends the turn that is being played, if there is one. What was not committed has not happened.
    fn interrupt_turn(&mut self);
    /// Takes back the turn that is being played, else the last one. [`AdventureTurnEnded`](crate::events::AdventureTurnEnded)
    /// reports it for a turn that is being played, [`Retraction`] for one that is over.
    fn retract_turn(&mut self);
    /// Takes back what this character said or did last: its last line, or its act in the last turn, whichever is later.
    /// [`Retraction`] says what it was.
    fn retract_last(&mut self, npc: Entity);
    /// Plays the last turn again, with the same input and another seed. The version before can be picked again.
    fn redo_turn(&mut self, turn_id: u64);
    /// Makes a version of the last turn the one that counts, without a model. Versions count from 0.
    fn pick_turn(&mut self, turn_id: u64, version: usize);
    /// Sets a marker: it takes effect at once, and its message is the first of the next turn. `persona` is the id of the persona
    /// that goes to another place.
    fn set_marker(&mut self, persona: Id, marker: SceneMarker);
    /// Asks a question outside the story. The answer, which [`AsideAnswered`](crate::events::AsideAnswered) brings, uses what the
    /// persona knows now. A question that is empty or too long is reported as [`RequestRefused`](crate::events::RequestRefused).
    fn ask_aside(&mut self, question: impl Into<String>);
    /// Accepts a call in [`WaitingCalls`](super::WaitingCalls): the engine makes the change that it asks for.
    fn accept_call(&mut self, number: u64);
    /// Drops a call in [`WaitingCalls`](super::WaitingCalls).
    fn refuse_call(&mut self, number: u64);
}

impl AdventureCommandsExt for Commands<'_, '_> {
    fn play_turn(&mut self, turn: PlayerTurn) {
        self.queue(move |world: &mut World| submit_turn(world, turn));
    }

    fn interrupt_turn(&mut self) {
        self.queue(|world: &mut World| {
            interrupt(world);
        });
    }

    fn retract_turn(&mut self) {
        take_back(self, "retract_turn", |world| match interrupt(world) {
            true => Ok(None),
            false => retract_turn(world).map(Some),
        });
    }

    fn retract_last(&mut self, npc: Entity) {
        take_back(self, "retract_last", move |world| {
            let id = LoadedCharacter::id_of(world, npc).map(|id| id.to_string());
            retract_last(world, &id.unwrap_or_else(|| npc.to_string())).map(Some)
        });
    }

    fn redo_turn(&mut self, turn_id: u64) {
        attempt(self, "redo_turn", move |world| redo_turn(world, turn_id));
    }

    fn pick_turn(&mut self, turn_id: u64, version: usize) {
        attempt(self, "pick_turn", move |world| {
            pick_turn(world, turn_id, version)
        });
    }

    fn set_marker(&mut self, persona: Id, marker: SceneMarker) {
        attempt(self, "set_marker", move |world| {
            set_marker(world, &persona, marker)
        });
    }

    fn ask_aside(&mut self, question: impl Into<String>) {
        let question = question.into();
        self.queue(move |world: &mut World| ask_aside(world, &question));
    }

    fn accept_call(&mut self, number: u64) {
        attempt(self, "accept_call", move |world| accept_call(world, number));
    }

    fn refuse_call(&mut self, number: u64) {
        attempt(self, "refuse_call", move |world| refuse_call(world, number));
    }
}

/// Queues a command that takes something back, and tells the game what it was.
fn take_back(
    commands: &mut Commands,
    command: &'static str,
    what: impl FnOnce(&mut World) -> std::result::Result<Option<Retraction>, RetractError>
    + Send
    + 'static,
) {
    attempt(commands, command, move |world| {
        let taken_back = what(world)?;
        let outbox = world.get_resource_mut::<Outbox>();
        if let (Some(taken_back), Some(mut outbox)) = (taken_back, outbox) {
            outbox.tell_all(taken_back);
        }
        Ok::<(), RetractError>(())
    });
}
