//! The game: who is in it, and what an approved intent does. It needs no window.

use bevy::prelude::*;
use bevy_dramatis::authoring::assets::ScriptAsset;
use bevy_dramatis::prelude::*;
use bevy_dramatis::world::components::JudgedWorld;
use bevy_dramatis::world::{DisplayName, Kind, Placement, WorldIndex, WorldRead};

/// What the wizard says when there is no model.
pub const SCRIPT: &str = "scripts/wizard.script.ron";
/// The wizard's id, as his file has it.
pub const WIZARD: &str = "wizard_001";
/// The player's id, as the story has it.
pub const PLAYER: &str = "player";

/// Adds the cast and the rules.
pub fn plugin(app: &mut App) {
    app.add_systems(Startup, cast).add_observer(obey);
}

/// The script, which loads in the background.
#[derive(Resource)]
pub struct Loading(Handle<ScriptAsset>);

fn cast(mut commands: Commands, assets: Res<AssetServer>) {
    // The story brings the world: tower and yard, door, key, chest, and the player.
    commands.insert_resource(Story(assets.load("tower.story.ron")));
    // The wizard is in the world before his file is: the story puts the key into his hands.
    commands.spawn((
        Npc(assets.load("npcs/wizard.npc.ron")),
        WorldId(WIZARD.to_owned()),
        DisplayName("Eldrin".to_owned()),
        Kind("character".to_owned()),
    ));
    commands.insert_resource(Loading(assets.load(SCRIPT)));
}

/// Whether the wizard can be spoken to. A run condition, for the end of a frame: what has loaded by then is in use in
/// the next one.
pub fn is_ready(
    loading: Res<Loading>,
    assets: Res<AssetServer>,
    ids: Res<WorldIndex>,
    cast: Query<(), With<Persona>>,
) -> bool {
    ids.get(WIZARD).is_some_and(|wizard| cast.contains(wizard)) && assets.is_loaded(&loading.0)
}

/// The player says something to the wizard.
pub fn say(In(text): In<String>, mut commands: Commands, ids: Res<WorldIndex>) {
    if let (Some(wizard), Some(player)) = (ids.get(WIZARD), ids.get(PLAYER)) {
        commands.entity(wizard).hear(player, text);
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

/// The wizard's deeds. The gate has approved the intent: its shape, its actor, and that he may propose it. What it
/// does is this game's own rule, written here with the authority of the game.
fn obey(approved: On<IntentApproved>, world: JudgedWorld, mut writes: GameWrites) {
    let intent = &approved.intent;
    let Some((id, target)) = intent
        .target()
        .and_then(|id| world.entity(id).map(|target| (id, target)))
    else {
        return;
    };
    let has = |name: &str| target.attributes.get(name).is_some_and(WorldValue::truthy);
    let carries = |thing: &str| world.contents(&intent.actor).iter().any(|c| c == thing);
    match intent.kind.as_str() {
        "open" if has("openable") => {
            let key = match target.attributes.get("key") {
                Some(WorldValue::Text(key)) => carries(key),
                _ => false,
            };
            if has("locked") && !key {
                return;
            }
            writes.set_attribute(id, "locked", false);
            writes.set_attribute(id, "open", true);
            if id == "door_1" {
                // The traveller does not wait to be asked twice.
                writes.place(PLAYER, Placement::In("tower".to_owned()));
            }
        }
        "close" if has("openable") => writes.set_attribute(id, "open", false),
        "give" if carries(id) => {
            let to = intent.text("to").unwrap_or(PLAYER);
            writes.place(id, Placement::CarriedBy(to.to_owned()));
        }
        _ => {}
    }
}
