//! A real instruct model of 135 million parameters, which a Python package holds, asked in parts (contract row P14).

use super::url;
use bevy::prelude::*;
use bevy_dramatis::authoring::{NoFiles, StoryBook};
use bevy_dramatis::engine::{Engine, EngineStatus, LlamaServer};
use bevy_dramatis::pipeline::{AttemptLog, DialoguePolicy, Form, Outcome, RunHistory, RunPolicy};
use bevy_dramatis::prelude::*;
use bevy_dramatis::story::ActiveStory;
use bevy_dramatis::testing::TestGame;
use bevy_dramatis::world::ActionRegistry;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// A hall in which a visitor can ask for something. The sampling settings are those of the README.
const HALL: &str = r#"(
    sampling: (temperature: 0.6, top_p: 0.9, min_p: 0.1, repeat_penalty: 1.2, max_tokens: 80),
    world: (
        locations: {"tower": (name: "Tower", connected_to: ["yard"]), "yard": (name: "Yard", connected_to: ["tower"])},
        entities: {
            "player": (name: "Ann", kind: "character", at: In("tower")),
            "door_1": (name: "oak door", kind: "door", at: In("tower"), attributes: {"openable": true, "open": false, "locked": true, "key": "key_1"}),
            "key_1": (name: "brass key", kind: "key", at: CarriedBy("wizard_001"), attributes: {"takeable": true}),
            "letter_1": (name: "letter", kind: "letter", at: In("tower"), attributes: {"takeable": true}),
        },
    ),
)"#;

/// What a visitor says, and the action that it asks for, if any.
const CASES: [(&str, Option<&str>); 16] = [
    ("Please open the door.", Some("open")),
    ("Unlock the door for me!", Some("open")),
    ("Would you open the door?", Some("open")),
    ("Give me the brass key, please.", Some("give")),
    ("May I have the key?", Some("give")),
    ("Take this letter.", Some("take")),
    ("Here is a letter for you, take it.", Some("take")),
    ("Let us go to the yard.", Some("move")),
    ("Who are you?", None),
    ("Good evening, keeper.", None),
    ("What do you know of the stars?", None),
    ("Do you have a cat?", None),
    ("Is it going to rain?", None),
    ("I am Ann, the baker.", None),
    ("How long have you lived here?", None),
    ("Thank you, goodbye.", None),
];

/// Whether a line can be spoken: it holds no sign of a format, no id, and no name with a colon.
fn is_usable(line: &str) -> bool {
    let is_id = |word: &str| word.contains('_');
    !line.is_empty()
        && !line.contains(['{', '}', '[', ']', '<', '>', '`', '#'])
        && !line.split_whitespace().any(is_id)
        && !line.contains("Eldrin:")
        && !line.contains("Ann:")
}

#[test]
#[ignore = "needs DRAMATIS_TEST_SERVER and DRAMATIS_TEST_INSTRUCT_GGUF"]
#[allow(clippy::print_stdout, reason = "the figures are what it is for")]
fn p14_a_small_instruct_model_speaks_and_acts_when_it_is_asked_in_parts() {
    let server = LlamaServer::new(
        url("DRAMATIS_TEST_SERVER"),
        url("DRAMATIS_TEST_INSTRUCT_GGUF"),
    );
    let engine = server.start().unwrap();
    super::until("the instruct model is ready", || {
        engine.status() == EngineStatus::Ready
    });
    let assets = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets");
    let written = std::fs::read_to_string(assets.join("npcs/wizard.npc.ron")).unwrap();
    let may = r#"may: ["open", "close", "give", "speak", "take", "use"]"#;
    assert!(written.contains(may));
    let wizard = written.replace(may, r#"may: ["open", "give", "take", "move"]"#);
    let registry = ActionRegistry::default();
    let story = StoryBook::parse(HALL.as_bytes(), "hall.story.ron", &NoFiles, &registry).unwrap();
    let story = Arc::new(story);
    let (mut usable, mut right) = (0, 0);
    for (said, wanted) in CASES {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, DramatisPlugins::new(engine.clone())))
            .insert_resource(ActiveStory(story.clone()))
            .insert_resource(DialoguePolicy(RunPolicy {
                deadline: bevy_dramatis::base::Millis(300_000),
                ..RunPolicy::DIALOGUE.asked(Form::Apart)
            }));
        bevy_dramatis::staging::install_world(app.world_mut(), &story);
        let mut game = TestGame::from_app(app);
        let npc = game.spawn_npc(&wizard);
        game.say(npc, said);
        let is_over = (0..60_000).any(|_| {
            game.frame();
            std::thread::sleep(Duration::from_millis(5));
            let history = game.world().resource::<RunHistory>();
            history.iter().next().is_some()
        });
        assert!(is_over, "{said}");
        let attempts = game.last_run::<AttemptLog>().0.clone();
        let chosen = attempts.iter().find_map(|attempt| {
            let choice = attempt.choice.as_ref()?;
            Some(choice.chosen.as_ref()?.kind().to_owned())
        });
        let line = match game.last_run::<Outcome>() {
            Outcome::Accepted { line } => line.as_str(),
            _ => "",
        };
        usable += usize::from(attempts.len() == 1 && is_usable(line));
        right += usize::from(chosen.as_deref() == wanted);
        println!("{said} -> {chosen:?}: {line}");
    }
    println!("usable at first try: {usable} of 16; right actions: {right} of 16");
    // It was 15 and 14 where this was written. Another processor rounds in another way.
    assert!(usable >= 12 && right >= 10, "{usable} {right}");
}
