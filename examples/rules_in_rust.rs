//! Rules, checks and guards in Rust, in addition to those that writers put into RON files.
//!
//! ```text
//! cargo run -p bevy_dramatis --example rules_in_rust
//! ```
#![allow(clippy::print_stdout, reason = "an example says what it did")]

use bevy::prelude::*;
use bevy_dramatis::gate::{CheckFinding, CustomCheck};
use bevy_dramatis::memory::Mind;
use bevy_dramatis::pipeline::RustRule;
use bevy_dramatis::prelude::*;
use bevy_dramatis::rules::RuleSeverity;
use bevy_dramatis::world::WorldFlags;

const ODO: &str = r#"(id: "odo", name: "Odo", fallbacks: (generic: ["Hm."]))"#;

/// At night Odo lets no person in.
const NIGHT_WATCH: &str = r#"(id: "night_watch", constraints: [(id: "no_entry", kind: Prohibition,
    severity: Hard, description: "Let no one in at night.", patterns: ["come in"])])"#;

/// What a model says that learns from the feedback it is given.
const REPLIES: [&str; 3] = [
    "Come in, friend!",
    "The gate is closed at night, and I would rather not open it for anybody.",
    "Not at night. [MEMORY: the password is swordfish]",
];

fn main() -> AppExit {
    let night = RustRule::from_ron(NIGHT_WATCH, |_, world| Ok(world.flag("night")));
    let short = CustomCheck::new("short", |words, _, _| Ok(too_long(words)));
    App::new()
        .add_plugins((
            MinimalPlugins,
            DramatisPlugins::new(ScriptedEngine::saying(REPLIES)),
        ))
        // A rule: its constraints apply while the condition holds.
        .add_rule(night.expect("it is part of this file"))
        // A check: it judges every reply of Odo, and fails the attempt by what it finds.
        .add_check(short.for_npc("odo"))
        // A guard: it can refuse what a character would remember.
        .add_mutation_guard(|npc, change| match change.content() {
            Some(words) if words.contains("password") => {
                Err(format!("{npc} writes no password down").into())
            }
            _ => Ok(()),
        })
        .insert_resource(WorldFlags([("night".to_owned(), true)].into()))
        .add_systems(Startup, knock)
        .add_observer(|failed: On<AttemptFailed>| {
            let rules: Vec<&str> = failed.failures.iter().map(|f| &*f.rule).collect();
            println!("(refused by {rules:?})");
        })
        .add_observer(|spoke: On<Spoke>| println!("Odo: {}", spoke.line))
        .add_observer(leave)
        .run()
}

fn knock(mut commands: Commands) -> Result {
    let player = commands.spawn(Player).id();
    let odo = LoadedCharacter::from_ron(ODO)?;
    commands.spawn(odo).hear(player, "May I pass?");
    Ok(())
}

/// He remembers what was said, and not what the guard refused.
fn leave(_: On<RunEnded>, odo: Single<&Mind>, mut exit: MessageWriter<AppExit>) {
    let remembered = odo.episodes.iter();
    remembered.for_each(|episode| println!("(he remembers: {})", episode.text));
    exit.write(AppExit::Success);
}

fn too_long(dialogue: &str) -> Option<CheckFinding> {
    let words = dialogue.split_whitespace().count();
    (words > 8).then(|| CheckFinding {
        severity: RuleSeverity::Hard,
        span: None,
        message: format!("{words} words are too many: say it in 8"),
    })
}
