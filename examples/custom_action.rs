//! An action of a game's own: a Rust type with fields and a rule. A character proposes it, a player types it, an event brings it.
//!
//! ```text
//! cargo run -p bevy_dramatis --example custom_action
//! ```
#![allow(clippy::print_stdout, reason = "an example says what it did")]

use bevy::prelude::*;
use bevy_dramatis::prelude::*;
use bevy_dramatis::world::{Attributes, DisplayName, Location};
use serde::{Deserialize, Serialize};

/// Puts a spell on something.
#[derive(Debug, Clone, Reflect, Serialize, Deserialize)]
struct Cast {
    spell: String,
    #[reflect(@FieldKind::Thing)]
    target: String,
}

impl NpcAction for Cast {
    const NAME: &'static str = "cast";
    // How it is judged where no rulebook names it. A writer can put the same into a rulebook.
    const RULE: &'static str = r#"(
        checks: [
            (id: "in_sight", when: Perceivable(Target), else: NOT_PRESENT, message: "{target} is not here."),
            (id: "has_mana", when: AtLeast(Actor, "mana", 1), else: MISSING_REQUIREMENT, message: "{actor} is tired."),
        ],
        effects: [AddAttribute(Actor, "mana", -1), SetAttribute(Target, "enchanted", true)],
    )"#;
}

const ELDRIN: &str = r#"(id: "eldrin", name: "Eldrin", fallbacks: (generic: ["I am too tired."]))"#;

fn main() -> AppExit {
    // A model that always wants to cast the same spell.
    let replies = ["Let there be light. [INTENT: cast lamp spell=light]"; 4];
    App::new()
        .add_plugins((
            MinimalPlugins,
            DramatisPlugins::new(ScriptedEngine::saying(replies)),
        ))
        .add_npc_action::<Cast>()
        .add_systems(Startup, setup)
        .add_observer(|cast: On<Applied<Cast>>| {
            println!("(the {} shines: {})", cast.action.target, cast.action.spell);
        })
        .add_observer(|spoke: On<Spoke>| println!("Eldrin: {}", spoke.line))
        .add_observer(go_on)
        .run()
}

fn setup(mut commands: Commands) -> Result {
    let place = (WorldId(id!("tower")), Location::default());
    let tower = commands.spawn(place).id();
    let lamp = DisplayName("lamp".to_owned());
    commands.spawn((WorldId(id!("lamp")), lamp, PlacedIn(tower)));
    let player = commands.spawn(Player).id();
    let mana = Attributes([("mana".to_owned(), 1.into())].into());
    let eldrin = (LoadedCharacter::from_ron(ELDRIN)?, mana, PlacedIn(tower));
    commands.spawn(eldrin).hear(player, "It is dark in here.");
    Ok(())
}

/// His mana is used up after the first time. The rulebook refuses, and what would have been a false promise is not spoken.
fn go_on(
    ended: On<RunEnded>,
    player: Single<Entity, With<Player>>,
    mut talks: Local<u32>,
    mut commands: Commands,
    mut exit: MessageWriter<AppExit>,
) {
    *talks += 1;
    if *talks == 2 {
        exit.write(AppExit::Success);
    }
    if let Some(eldrin) = ended.entity {
        commands.entity(eldrin).hear(*player, "Once more, please.");
    }
}
