//! The tower as every program plays it, in a window, in a terminal or on a page: who is in it, who knocks, and what the rulebook leaves
//! to the game. `web/` uses this file, too.

use bevy::prelude::*;
use bevy_dramatis::prelude::*;
use bevy_dramatis::world::{DisplayName, Kind, WorldIndex};

/// What the characters say when there is no model.
pub const SCRIPT: &str = "scripts/wizard.script.ron";
/// The wizard's id, as his file has it.
pub const WIZARD: &str = "wizard_001";
/// The gardener's id, as her file has it.
pub const GARDENER: &str = "gardener_001";
/// The player's id, as the story has it.
pub const PLAYER: &str = "player";
/// Who can be spoken to by name, with the id.
const NAMES: [(&str, &str); 2] = [("Eldrin", WIZARD), ("Bryn", GARDENER)];

/// The story and its characters, from their files.
pub fn arrive(mut commands: Commands, assets: Res<AssetServer>) {
    // The story brings the world: tower and yard, door, keys, chest, and the player. Its rulebook says what can be done.
    commands.insert_resource(Story(assets.load("tower.story.ron")));
    // The wizard is in the world before his file is: the story puts the key into his hands.
    commands.spawn((
        Npc(assets.load("npcs/wizard.npc.ron")),
        WorldId(id!(WIZARD)),
        DisplayName("Eldrin".to_owned()),
        Kind("character".to_owned()),
    ));
    // Her file says all of the gardener: who she is, and that she is in the yard.
    commands.spawn(Npc(assets.load("npcs/gardener.npc.ron")));
}

/// To whom a line is said that begins with a name and a comma: "Bryn, what grows here?"
pub fn named(line: &str) -> Option<&'static str> {
    let (name, _) = line.split_once(',')?;
    let is_called = |(called, _): &&(&str, &str)| called.eq_ignore_ascii_case(name.trim());
    NAMES.iter().find(is_called).map(|(_, id)| *id)
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

/// The rulebook has opened the chest, for any actor. Only this game knows that letters are in it: they are about the crown,
/// so from now on the wizard may speak of it.
pub fn read_letters(opened: On<Applied<Open>>, mut writes: GameWrites) {
    if opened.action.target == "chest_1" {
        writes.set_flag("crowned", true);
    }
}
