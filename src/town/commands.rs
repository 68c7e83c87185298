//! What a game asks and says of a character, as commands.

use super::offer::offer_lines;
use super::walks::arrived;
use bevy::prelude::*;

/// What `EntityCommands` of a character can do in a town.
pub trait TownCommandsExt {
    /// Asks the engine in the background what the player could say to this character now.
    /// [`LinesOffered`](crate::events::LinesOffered) brings up to four lines, and none where no reply can be used. It changes
    /// nothing in the game, and is not recorded. For an entity that is not a loaded character, and in a game without
    /// [`TownPlugin`](crate::town::TownPlugin), it is refused with [`RequestRefused`](crate::events::RequestRefused).
    fn offer_lines(&mut self) -> &mut Self;

    /// The character, which [walks by itself](crate::town::WalksItself), is where
    /// [`StepWanted`](crate::events::StepWanted) has sent it. Nothing happens to one that is not on its way.
    fn arrived(&mut self) -> &mut Self;
}

impl TownCommandsExt for EntityCommands<'_> {
    fn offer_lines(&mut self) -> &mut Self {
        let npc = self.id();
        self.commands()
            .queue(move |world: &mut World| offer_lines(world, npc));
        self
    }

    fn arrived(&mut self) -> &mut Self {
        let npc = self.id();
        self.commands()
            .queue(move |world: &mut World| arrived(world, npc));
        self
    }
}
