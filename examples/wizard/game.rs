//! The game: who is in it, what the player asks for, and what the rulebook leaves to the game. It needs no window.

use bevy::prelude::*;
use bevy_dramatis::prelude::*;
use bevy_dramatis::world::{DisplayName, Kind, WorldIndex};

/// What the wizard says when there is no model.
pub const SCRIPT: &str = "scripts/wizard.script.ron";
/// The wizard's id, as his file has it.
pub const WIZARD: &str = "wizard_001";
/// The player's id, as the story has it.
pub const PLAYER: &str = "player";

/// Adds the cast and the game's own rule.
pub fn plugin(app: &mut App) {
    app.add_systems(Startup, cast).add_observer(read_letters);
}

fn cast(mut commands: Commands, assets: Res<AssetServer>) {
    // The story brings the world: tower and yard, door, keys, chest, and the player. Its rulebook says what can be done.
    commands.insert_resource(Story(assets.load("tower.story.ron")));
    // The wizard is in the world before his file is: the story puts the key into his hands.
    commands.spawn((
        Npc(assets.load("npcs/wizard.npc.ron")),
        WorldId(id!(WIZARD)),
        DisplayName("Eldrin".to_owned()),
        Kind("character".to_owned()),
    ));
}

/// A line of the player: behind a `>` it is an action, else it is said to the wizard.
pub fn enter(In(line): In<String>, mut commands: Commands, ids: Res<WorldIndex>) {
    if let (Some(wizard), Some(player)) = (ids.get(WIZARD), ids.get(PLAYER)) {
        match line.trim().strip_prefix('>') {
            Some(action) => commands.entity(player).act(action),
            None => commands.entity(wizard).hear(player, line),
        };
    }
}

/// Not only words make a character respond: the traveller knocks.
pub fn knock(mut commands: Commands, ids: Res<WorldIndex>) {
    if let Some(wizard) = ids.get(WIZARD) {
        commands.entity(wizard).interact(Request {
            trigger_id: Some("tower_gate".to_owned()),
            prompt: Some("Somebody knocks at the tower door.".to_owned()),
            ..Request::new(TriggerReason::ZoneTrigger)
        });
    }
}

/// The rulebook has opened the chest, whoever did it. That there are letters in it is this game's own affair: they are
/// about the crown, so from now on the wizard may speak of it.
fn read_letters(opened: On<Applied<Open>>, mut writes: GameWrites) {
    if opened.action.target == "chest_1" {
        writes.set_flag("crowned", true);
    }
}
