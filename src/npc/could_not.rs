//! What a game could not do, although it was approved.

use super::limits::lexicon_of;
use super::mind_writes::{MindChange, MindWrite, MindWriteError, NewEpisode};
use crate::base::ids::Id;
use crate::memory::{DormantMinds, Mind};
use crate::world::{WorldIndex, WorldRead, WorldView};
use bevy::prelude::*;

/// The game says that it could not do what a character was approved to do: the rulebook allowed it, but something in the game
/// that the rulebook does not know prevents it. [`Applied::could_not`](crate::events::Applied::could_not) makes one.
///
/// It becomes an episode of the character, of significance 1: the next prompt says what did not happen, and why. A
/// journal records it as a write of the game. What the action has changed in the judged world stays: the game corrects it with
/// a [`GameWrite`](crate::world::GameWrite).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CouldNot {
    npc: Id,
    action: String,
    target: Option<String>,
    why: String,
}

impl CouldNot {
    /// For the character with this id, and an action with this name and this target id. The character is told `why` in these
    /// words.
    #[must_use]
    pub fn new(
        npc: Id,
        action: impl Into<String>,
        target: Option<String>,
        why: impl Into<String>,
    ) -> Self {
        Self {
            npc,
            action: action.into(),
            target,
            why: why.into(),
        }
    }

    /// Tells the character at once.
    ///
    /// # Errors
    /// See [`MindWriteError`]: an actor that has no mind is told nothing.
    pub fn apply_to(self, world: &mut World) -> std::result::Result<(), MindWriteError> {
        let living = WorldIndex::find(world, &self.npc);
        let mind = living.and_then(|npc| world.get::<Mind>(npc)).or_else(|| {
            let dormant = world.get_resource::<DormantMinds>();
            dormant.and_then(|minds| minds.get(&self.npc))
        });
        let unknown = || MindWriteError::UnknownNpc(self.npc.clone());
        let mind = mind.ok_or_else(unknown)?;
        let id = (1..=mind.episodes.len() + 1)
            .filter_map(|number| Id::new(format!("could_not_{number}")).ok())
            .find(|id| mind.episodes.get(id).is_none())
            .ok_or_else(unknown)?;
        let lexicon = lexicon_of(world, living);
        let view = WorldView::new(world);
        let target = self.target.map(|id| {
            let name = view.entity(&id).map(|thing| thing.name);
            let name = name.or_else(|| view.location(&id).map(|place| place.name));
            name.filter(|name| !name.is_empty()).unwrap_or(id)
        });
        let deed = [Some(self.action), target];
        let deed: Vec<String> = deed.into_iter().flatten().collect();
        let text = lexicon.prompt.say(
            "could_not",
            &[("deed", &deed.join(" ")), ("why", &self.why)],
        );
        let change = MindChange::Remember(NewEpisode {
            significance: 1.0,
            ..NewEpisode::new(id, text)
        });
        MindWrite::new(self.npc, change).apply_to(world)
    }
}

/// As a command it is applied with the others; one that fails is logged as an error and changes nothing.
impl Command for CouldNot {
    type Out = ();

    fn apply(self, world: &mut World) {
        if let Err(error) = self.apply_to(world) {
            log::error!("a character is not told what could not be done: {error}");
        }
    }
}
