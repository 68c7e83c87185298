//! Talking to a character through `Commands`.

use super::components::{Player, PlayerId};
use super::names::learn_names_of;
use super::request::{Request, RequestError};
use super::submit::{cancel, refuse_for, submit};
use super::to_warm::ToWarm;
use crate::world::WorldId;
use bevy::prelude::*;

/// What `EntityCommands` can do with a character. All of it happens when commands are applied.
pub trait NpcCommandsExt {
    /// A speaker speaks to this character: the player, whose entity has a [`Player`] component, or an actor with a [`WorldId`].
    /// Any other speaker is refused with [`RequestError::UnknownSpeaker`].
    fn hear(&mut self, speaker: Entity, text: impl Into<String>) -> &mut Self;
    /// Something gives this character a reason to respond.
    fn interact(&mut self, request: Request) -> &mut Self;
    /// The player or an actor will soon speak to this character, for example a player who comes near: while its engine has
    /// nothing else to do, it reads the character's description, so that the first answer comes sooner. This has no effect when
    /// the engine keeps nothing of what it has read, and it is not recorded.
    fn warm(&mut self) -> &mut Self;
    /// Ends the character's run in flight as Cancelled. Requests that wait go on.
    fn cancel_run(&mut self) -> &mut Self;
}

impl NpcCommandsExt for EntityCommands<'_> {
    fn hear(&mut self, speaker: Entity, text: impl Into<String>) -> &mut Self {
        let (npc, text) = (self.id(), text.into());
        self.commands().queue(
            move |world: &mut World| match speech_of(world, speaker, &text) {
                Some(request) => submit(world, npc, request),
                None => refuse_for(world, npc, RequestError::UnknownSpeaker),
            },
        );
        self
    }

    fn interact(&mut self, request: Request) -> &mut Self {
        let npc = self.id();
        self.commands()
            .queue(move |world: &mut World| submit(world, npc, request));
        self
    }

    fn warm(&mut self) -> &mut Self {
        let npc = self.id();
        self.commands().queue(move |world: &mut World| {
            world.get_resource_or_init::<ToWarm>().ask(npc);
        });
        self
    }

    fn cancel_run(&mut self) -> &mut Self {
        let npc = self.id();
        self.commands()
            .queue(move |world: &mut World| cancel(world, npc));
        self
    }
}

/// A speech as a request; `None` when the speaker is neither the player nor an actor.
fn speech_of(world: &mut World, speaker: Entity, text: &str) -> Option<Request> {
    let player = world.get_resource_or_init::<PlayerId>().0.clone();
    let own = world.get::<WorldId>(speaker).map(|id| id.0.clone());
    let is_player = world.get::<Player>(speaker).is_some();
    let id = own.or_else(|| is_player.then(|| player.clone()))?;
    let from_player = is_player || id == player;
    learn_names_of(world, speaker);
    Some(Request::said_by(&id, from_player, text))
}
