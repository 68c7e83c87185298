//! Rules, checks and guards in Rust, in addition to those that writers put into RON files.
//!
//! ```text
//! cargo run -p bevy_dramatis --example rules_in_rust
//! ```
#![allow(clippy::print_stdout, reason = "an example says what it did")]

use bevy::prelude::*;
use bevy_dramatis::gate::{CheckFinding, CustomCheck};
use bevy_dramatis::pipeline::RustRule;
use bevy_dramatis::prelude::*;
use bevy_dramatis::rules::RuleSeverity;
use bevy_dramatis::testing::{FnEngine, TestGame, whole_reply};

/// At night Odo lets no person in.
const NIGHT_WATCH: &str = r#"(id: "night_watch", constraints: [(id: "no_entry", kind: Prohibition,
    severity: Hard, description: "Let nobody in at night.", patterns: ["come in"])])"#;

fn main() {
    let night = RustRule::from_ron(NIGHT_WATCH, |_, world| Ok(world.flag("night")));
    let short = CustomCheck::new("short", |dialogue, _, _| Ok(too_long(dialogue)));
    let mut app = App::new();
    app.add_plugins(DramatisPlugins::new(engine()))
        // A rule: its constraints apply while the condition holds.
        .add_rule(night.expect("the rule"))
        // A check: it judges every reply of Odo, and fails the attempt by what it finds.
        .add_check(short.for_npc("odo"))
        // A guard: it can refuse what a character would remember.
        .add_mutation_guard(|npc, change| match change.content() {
            Some(words) if words.contains("password") => {
                Err(format!("{npc} writes no password down").into())
            }
            _ => Ok(()),
        });
    let mut game = TestGame::from_app(app);
    game.install_story(r#"(world: (flags: {"night": true}))"#);
    let odo = game.spawn_npc(r#"(id: "odo", name: "Odo", fallbacks: (generic: ["Hm."]))"#);
    game.talk(odo, "May I pass?");
    for attempt in game.attempts() {
        let verdict = attempt.verdict.as_ref().expect("a verdict");
        let rules: Vec<&str> = verdict.failures.iter().map(|f| &*f.rule).collect();
        println!("attempt {}: {rules:?}", attempt.index);
    }
    for line in game.take_lines() {
        println!("Odo: {}", line.text());
    }
    // He remembers what was said, and not what the guard refused.
    let episodes = &game.mind(odo).episodes;
    assert!(episodes.iter().all(|e| !e.text.contains("password")));
}

fn too_long(dialogue: &str) -> Option<CheckFinding> {
    let words = dialogue.split_whitespace().count();
    (words > 8).then(|| CheckFinding {
        severity: RuleSeverity::Hard,
        span: None,
        message: format!("{words} words are too many: say it in 8"),
    })
}

/// A model that learns from the feedback it is given.
fn engine() -> FnEngine {
    FnEngine::new(|call, _| {
        whole_reply(match call {
            0 => "Come in, friend!",
            1 => "The gate is closed at night, and I would rather not open it for anybody.",
            _ => "Not at night. [MEMORY: the password is swordfish]",
        })
    })
}
