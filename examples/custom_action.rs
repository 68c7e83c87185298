//! An action of a game's own: a Rust type with its fields and its rule. Characters can propose it, players can type it, and it
//! arrives typed.
//!
//! ```text
//! cargo run -p bevy_dramatis --example custom_action
//! ```
#![allow(clippy::print_stdout, reason = "an example says what it did")]

use bevy::prelude::*;
use bevy_dramatis::prelude::*;
use bevy_dramatis::testing::TestGame;
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

const TOWER: &str = r#"(world: (locations: {"tower": (name: "Tower")}, entities: {
    "lamp": (name: "lamp", kind: "item", at: In("tower")),
    "eldrin": (name: "Eldrin", kind: "character", at: In("tower"), attributes: {"mana": 1}),
}))"#;
const ELDRIN: &str = r#"(id: "eldrin", name: "Eldrin", location: "tower",
    fallbacks: (generic: ["I am too tired for that."]))"#;

fn main() {
    // A model that always wants to cast the same spell.
    let replies = ["Let there be light. [INTENT: cast lamp spell=light]"; 4];
    let mut app = App::new();
    app.add_plugins(DramatisPlugins::new(ScriptedEngine::saying(replies)))
        .add_npc_action::<Cast>()
        .add_observer(|cast: On<Applied<Cast>>| {
            println!("(the {} shines: {})", cast.action.target, cast.action.spell);
        });
    let mut game = TestGame::from_app(app);
    game.listen_to_action::<Cast>().install_story(TOWER);
    let eldrin = game.spawn_npc(ELDRIN);

    game.talk(eldrin, "It is dark in here.");
    assert_eq!(game.take_actions::<Cast>().len(), 1);
    // His mana is used up. The rulebook refuses, and what would have been a false promise is not spoken.
    game.talk(eldrin, "Once more, please.");
    assert!(game.take_actions::<Cast>().is_empty());
    for line in game.take_lines() {
        println!("Eldrin: {}", line.text());
    }
}
