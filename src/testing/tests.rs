//! The tools themselves.

use super::*;
use crate::engine::{EngineEvent, ScriptedEngine};
use crate::judged_world::action::actions::{Open, Take};
use crate::npc::{LoadedCharacter, RequestError};
use crate::pipeline::Outcome;
use crate::prelude::{DramatisAppExt, DramatisPlugins};
use crate::proposal::Finish;
use crate::world::{FieldKind, NpcAction};
use bevy::prelude::*;
use serde::{Deserialize, Serialize};

const HALL: &str = r#"(world: (locations: {"hall": (name: "Hall")}, entities: {
    "door": (name: "door", kind: "door", at: In("hall"), attributes: {"openable": true}),
}))"#;
const GUARD: &str =
    r#"(id: "guard", name: "Bram", location: "hall", fallbacks: (generic: ["Hm."]))"#;

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Reflect)]
struct Wave {
    #[reflect(@FieldKind::Thing)]
    to: String,
}

impl NpcAction for Wave {
    const NAME: &'static str = "wave";
    const RULE: &'static str = "()";
}

#[test]
fn testing_takes_each_kind_of_event_by_itself_and_once() {
    let mut game = TestGame::new(ScriptedEngine::saying(["Come in. [INTENT: open door]"]));
    game.install_story(HALL);
    let guard = game.spawn_npc(GUARD);
    game.talk(guard, "Good evening.");
    let open = Open {
        target: "door".to_owned(),
        tool: None,
    };
    assert_eq!(game.take_actions::<Open>(), [open]);
    assert_eq!(game.take_actions::<Take>(), []);
    assert_eq!(game.take_events_of("nobody"), []);
    assert_eq!(game.take_lines(), [SpokenLine::reply("Come in.")]);
    let accepted = Outcome::Accepted {
        line: "Come in.".to_owned(),
    };
    assert_eq!(game.take_outcomes(), [accepted]);
    assert_eq!(game.take_event_names(), ["RunStarted"]);
    assert_eq!(game.take_events(), []);
}

#[test]
fn testing_hears_an_action_of_the_games_own() {
    let mut app = App::new();
    app.add_plugins(DramatisPlugins::new(ScriptedEngine::saying([
        "[INTENT: wave door] Farewell.",
    ])))
    .add_npc_action::<Wave>();
    let mut game = TestGame::from_app(app);
    game.listen_to_action::<Wave>();
    game.install_story(HALL);
    let guard = game.spawn_npc(GUARD);
    let wave = || Wave {
        to: "door".to_owned(),
    };
    game.perform(guard, wave());
    game.run_until_idle();
    assert_eq!(game.take_actions::<Wave>(), [wave()]);
    assert_eq!(game.take_turns()[0].actor, "guard");
}

#[test]
fn testing_says_what_is_still_going_on() {
    let engine = ManualEngine::default();
    let mut game = TestGame::new(engine.clone());
    let guard = game.spawn_npc(GUARD);
    game.say(guard, "One.");
    game.say(guard, "Two.");
    let busy = game.try_run_until_idle(3).unwrap_err();
    let expected =
        "after 3 frames the game is still busy: 1 runs in flight, 1 requests and 0 turns waiting";
    assert_eq!(busy, expected);
    game.cancel_run(guard);
    game.frames(2);
    engine.last_call().reply("Two it is.");
    assert_eq!(game.try_run_until_idle(5), Ok(1));
    assert_eq!(game.take_lines(), [SpokenLine::reply("Two it is.")]);
}

#[test]
fn testing_a_manual_call_knows_that_it_was_dropped_and_takes_no_more() {
    let engine = ManualEngine::default();
    let mut game = TestGame::new(engine.clone());
    let guard = game.spawn_npc(GUARD);
    game.say(guard, "Hello?");
    game.frame();
    let call = engine.last_call();
    assert!(!call.is_dropped());
    assert!(call.chunk("Good "));
    assert!(call.chunk("evening."));
    assert!(call.event(EngineEvent::Finished(Finish::Stop)));
    game.run_until_idle();
    assert_eq!(game.take_lines(), [SpokenLine::reply("Good evening.")]);
    assert!(call.is_dropped());
    assert!(!call.reply("Too late."));
}

#[test]
fn testing_clocks_move_by_hand_alone() {
    let mut game = TestGame::new(ManualEngine::default());
    let guard = game.spawn_npc(GUARD);
    game.say(guard, "Hello?");
    game.frames(50);
    assert_eq!(game.take_event_names(), ["RunStarted"]);
    game.advance(30_001);
    game.run_until_idle();
    assert_eq!(game.take_lines(), [SpokenLine::fallback("Hm.")]);
    game.say(guard, " ");
    game.run_until_idle();
    assert_eq!(game.take_refusals(), [RequestError::EmptyUtterance]);
}

#[test]
fn testing_reads_files_with_what_stands_beside_them() {
    let assets = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("assets");
    let mut game = TestGame::new(ScriptedEngine::saying(["Who goes there?"]));
    game.install_story_file(assets.join("tower.story.ron"));
    let wizard = game.spawn_npc_file(assets.join("npcs/wizard.npc.ron"));
    game.talk(wizard, "Hello?");
    assert_eq!(game.take_lines(), [SpokenLine::reply("Who goes there?")]);
    assert_eq!(game.entity("wizard_001"), wizard);
}

#[test]
#[should_panic(expected = "character.npc.ron:1:")]
fn testing_bad_text_fails_the_test_with_its_place() {
    let _ = super::authored::character("(id: \"odo\", nmae: \"Odo\")");
}

#[test]
fn testing_plays_every_scenario_of_a_folder_and_names_what_does_not_hold() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, answer: &str| {
        let text = format!(
            "Scenario(name: \"{name}\", npcs: [(id: \"odo\")], replies: [Say(\"Well.\")],
                steps: [Say(to: \"odo\", text: \"Hello\")],
                expect: [(at: \"/runs/0/dialogue\", is: \"{answer}\")])"
        );
        std::fs::write(folder.path().join(format!("{name}.scenario.ron")), text).unwrap();
    };
    write("good", "Well.");
    play_scenarios(folder.path(), |_| {});
    write("bad", "Ill.");
    let played = std::panic::catch_unwind(|| play_scenarios(folder.path(), |_| {}));
    let message = *played.unwrap_err().downcast::<String>().unwrap();
    assert!(
        message.contains("bad.scenario.ron: /runs/0/dialogue"),
        "{message}"
    );
    assert!(!message.contains("good.scenario.ron"), "{message}");
}

#[test]
fn testing_a_character_from_text_is_loaded_or_names_every_mistake() {
    let odo = LoadedCharacter::from_ron(r#"(id: "odo", name: "Odo")"#).unwrap();
    assert_eq!(odo.0.name, "Odo");
    let error =
        LoadedCharacter::from_ron("(\n    id: \"odo\",\n    called: \"Odo\",\n)").unwrap_err();
    assert!(error.to_string().contains(":3:5: "), "{error}");
}

#[test]
fn testing_waits_for_the_triggers_that_what_happened_lets_fire() {
    let mut game = TestGame::new(FnEngine::always("Thank you."));
    game.install_story(
        r#"(
            world: (locations: {"inn": (name: "Inn")}, entities: {
                "player": (name: "Ann", kind: "character", at: In("inn")),
                "coin": (name: "coin", kind: "item", at: CarriedBy("player")),
            }),
            triggers: [(id: "paid", fires: (on: Done(action: "give", target: "coin"), npcs: ["marla"]))],
        )"#,
    );
    game.spawn_npc(r#"(id: "marla", name: "Marla", location: "inn")"#);
    game.run_until_idle();
    let ann = game.entity("player");
    game.act(ann, "give the coin to Marla");
    game.run_until_idle();
    assert_eq!(game.take_lines(), [SpokenLine::reply("Thank you.")]);
}
