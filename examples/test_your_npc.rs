//! A test of your own NPC, without a window, a model or a network: what it says when the model fails, what it does when the
//! model does well, and what it remembers.
//!
//! ```text
//! cargo run -p bevy_dramatis --example test_your_npc
//! ```
//!
//! In a game, copy the three functions into `tests/` and write `#[test]` over each.
#![allow(clippy::print_stdout, reason = "an example says what it did")]

use bevy_dramatis::engine::EngineEvent;
use bevy_dramatis::prelude::*;
use bevy_dramatis::testing::{FnEngine, GameEvent, ManualEngine, SpokenLine, TestGame};

/// In a game: `game.install_story_file("assets/yard.story.ron")`.
const YARD: &str = r#"(world: (locations: {"yard": (name: "Yard")}, entities: {
    "gate": (name: "gate", kind: "door", at: In("yard"), attributes: {"openable": true}),
}))"#;

/// In a game: `game.spawn_npc_file("assets/npcs/odo.npc.ron")`.
const ODO: &str = r#"(
    id: "odo", name: "Odo", persona: "You keep the gate.", location: "yard", may: ["open"],
    constraints: [(id: "no_gold",
        description: "Never speak of the gold.", patterns: ["gold"])],
    fallbacks: (generic: ["Move along."], thinking: ["Let me see."]),
)"#;

fn main() {
    odo_never_gives_the_secret_away();
    odo_opens_the_gate_and_remembers_who_came();
    odo_makes_a_sound_while_the_model_is_slow();
    println!("Odo keeps his secret, opens the gate, and is heard thinking.");
}

/// A model that talks: each reply is refused, the retry is told why, and in the end Odo says an authored line.
fn odo_never_gives_the_secret_away() {
    let engine =
        FnEngine::new(|call, _| EngineEvent::whole_reply(format!("The gold, {call} times!")));
    let mut game = TestGame::new(engine.clone());
    let odo = game.spawn_npc(ODO);
    game.talk(odo, "Where is the gold?");
    assert_eq!(game.take_lines(), [SpokenLine::fallback("Move along.")]);
    assert_eq!(game.mind(odo).exchanges().len(), 0);
    assert_eq!(engine.requests().len(), 3);
    assert!(
        game.attempts()[1]
            .prompt
            .contains("You broke a rule: Never speak of the gold.")
    );
}

/// A model that does well: the gate is open when the game hears of it.
fn odo_opens_the_gate_and_remembers_who_came() {
    let reply = r#"{"dialogue": "Come in.",
        "mutations": [{"type": "AppendEpisodic", "content": "A friend came by."}],
        "intents": [{"type": "open", "target": "the gate"}]}"#;
    let mut game = TestGame::new(ScriptedEngine::saying([reply]));
    game.install_story(YARD);
    let odo = game.spawn_npc(ODO);
    game.talk(odo, "Good evening.");
    assert_eq!(game.take_actions::<Open>()[0].target, "gate");
    let mut memories = game.mind(odo).episodes.iter();
    assert!(memories.any(|memory| memory.text == "A friend came by."));
}

/// A model that takes its time: the test moves the clock, and opens the call when it likes.
fn odo_makes_a_sound_while_the_model_is_slow() {
    let engine = ManualEngine::default();
    let mut game = TestGame::new(engine.clone());
    let odo = game.spawn_npc(ODO);
    game.say(odo, "Who are you?");
    game.frame();
    game.advance(2_500);
    game.frame();
    let sound = GameEvent::ThinkingLine("Let me see.".to_owned());
    assert!(game.take_events_of("odo").contains(&sound));
    engine.last_call().reply("Odo. And you?");
    game.run_until_idle();
    assert_eq!(game.take_lines(), [SpokenLine::reply("Odo. And you?")]);
}
