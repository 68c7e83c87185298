//! A replay repeats a recording, field by field (contract row J4).

use bevy::prelude::*;
use bevy_dramatis::adventure::{Persona, Personas};
use bevy_dramatis::engine::{EngineIdentity, ScriptedEngine, Stage};
use bevy_dramatis::id;
use bevy_dramatis::journal::{
    GameCaptured, MemoryJournal, MemoryJournalPlugin, RecordKind, Recording, SaveCommandsExt,
};
use bevy_dramatis::pipeline::{Delivery, DialoguePolicy, Form, RunPolicy, StageTemplates};
use bevy_dramatis::plugin::DramatisPlugins;
use bevy_dramatis::replay::{ReplayReport, replay};
use bevy_dramatis::scenario::{Scenario, record, scenario_files};
use bevy_dramatis::testing::TestGame;
use bevy_dramatis::world::ActionRegistry;
use std::path::Path;

#[test]
fn j4_the_shipped_scenarios_replay_without_a_difference() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/scenarios");
    let mut wrong = Vec::new();
    let (mut records, mut given) = (0, 0);
    for (i, file) in scenario_files(&folder).unwrap().iter().enumerate() {
        // All that show one rule, and a part of the many attacks and harmless talks.
        let shows_one_rule =
            file.parent() == Some(&*folder) || file.parent() == Some(&folder.join("truth"));
        if !shows_one_rule && i % 8 != 0 {
            continue;
        }
        let name = file.strip_prefix(&folder).unwrap().display().to_string();
        let scenario = Scenario::read(file, &ActionRegistry::default()).unwrap();
        let (played, recording) = record(&scenario, &|_| {});
        assert!(played.failed.is_empty(), "{name}: {:?}", played.failed);
        match replay(&recording, &|_| {}) {
            Ok(report) if report.holds() && only_turns_in_a_moving_world(&recording, &report) => {
                records += report.records;
                given += report.skipped.len();
            }
            Ok(report) => {
                let first = report.divergences.first();
                wrong.push(format!("{name}: stopped {:?}: {first:?}", report.stopped));
            }
            Err(error) => wrong.push(format!("{name}: {error}")),
        }
    }
    assert!(
        wrong.is_empty(),
        "{} differ:\n{}",
        wrong.len(),
        wrong[..wrong.len().min(12)].join("\n")
    );
    assert!(records > 2_000, "{records}");
    // In two of the shipped scenarios the game changes its world while a turn is played.
    assert_eq!(given, 2);
}

/// Whether the replay took only such turns as given that had other records between their beginning and end.
fn only_turns_in_a_moving_world(recording: &Recording, report: &ReplayReport) -> bool {
    let kinds = report.skipped.iter().map(|seq| {
        let at = usize::try_from(*seq - 1).unwrap();
        recording.records[at].kind
    });
    kinds
        .into_iter()
        .all(|kind| kind == RecordKind::AdventureTurn)
}

#[test]
fn j1_what_the_game_changes_of_an_adventure_stands_before_the_talk_that_sees_it() {
    let mut app = App::new();
    let engine = ScriptedEngine::saying(["Well met."]);
    app.add_plugins((DramatisPlugins::new(engine), MemoryJournalPlugin));
    let mut game = TestGame::from_app(app);
    let wizard = game.spawn_npc(r#"(id: "wizard")"#);
    game.frames(2);
    let ann = Persona {
        description: "A traveller.".to_owned(),
        ..Persona::default()
    };
    let mut personas = game.world_mut().resource_mut::<Personas>();
    personas.0.insert(id!("ann"), ann);
    game.talk(wizard, "Hello?");
    let recording = game.world().resource::<MemoryJournal>().recording();
    let at = |kind| recording.records.iter().position(|one| one.kind == kind);
    let (adventure, talk) = (at(RecordKind::Adventure), at(RecordKind::Interaction));
    assert!(
        adventure.is_some() && adventure < talk,
        "{adventure:?} {talk:?}"
    );
    assert!(replay(recording, &|_| {}).unwrap().holds());
}

#[test]
fn j4_p14_a_replay_asks_in_the_form_that_the_recorded_engine_suits() {
    for form in [Form::Together, Form::Apart] {
        let mut identity = EngineIdentity::new("test", "test");
        identity.capabilities.form = form;
        let engine = ScriptedEngine::saying(["Well met."]).with_identity(identity);
        let mut app = App::new();
        app.add_plugins((DramatisPlugins::new(engine), MemoryJournalPlugin));
        let mut game = TestGame::from_app(app);
        let wizard = game.spawn_npc(r#"(id: "wizard")"#);
        game.talk(wizard, "Hello?");
        let is_apart = game.attempts()[0].stage == Stage::Speak;
        assert_eq!(is_apart, form == Form::Apart);
        let recording = game.world().resource::<MemoryJournal>().recording();
        let report = replay(recording, &|_| {}).unwrap();
        assert!(report.holds(), "{form:?}: {:?}", report.divergences.first());
    }
}

#[test]
fn t1_talk_between_turns_of_an_adventure_replays() {
    const SCENE: &str = r##"(
        name: "talk between turns", seed: 3, player: "kael",
        world: (locations: {"inn": (name: "Inn")}, entities: {
            "kael": (name: "Kael", kind: "character", at: In("inn")),
            "mug": (name: "mug", kind: "item", at: In("inn"), attributes: {"takeable": true})}),
        npcs: [(id: "mira", name: "Mira", location: "inn", chattiness: 100)],
        replies: [
            Reply((stage: Dialogue, text: r#"{"dialogue": "Well.", "mutations": [{"type": "AppendEpisodic", "content": "Kael came."}]}"#)),
            Reply((stage: Dialogue, text: "Again.")),
            Reply((stage: Dialogue, text: "And again.")),
            Reply((stage: Narrator, npc: "kael", text: "Kael takes the mug.")),
            Reply((stage: PersonaExtractor, text: r#"{"calls": [{"tool": "state_set", "category": "core", "label": "bold", "level": 9}]}"#)),
            Reply((stage: LoreExtractor, text: r#"{"calls": [{"tool": "lore_upsert", "key": "mug", "text": "It is chipped."}]}"#)),
            Reply((stage: NpcIntent, text: "I watch.")),
            Reply((stage: Narrator, npc: "mira", text: "Mira watches.")),
            Reply((stage: CharacterExtractor, text: r#"{"calls": [{"tool": "state_set", "category": "core", "label": "wary", "level": 9}]}"#)),
            Reply((stage: LoreExtractor, text: r#"{"calls": []}"#)),
        ],
        steps: [
            Say(to: "mira", text: "Hello?"),
            Turn(persona: "kael", intention: "I take the mug."),
            Say(to: "mira", text: "And now?"),
            Advance(seconds: 2.0),
            RetractTurn,
            Say(to: "mira", text: "And then?"),
        ],
    )"##;
    let scenario = Scenario::parse(
        SCENE.as_bytes(),
        "scene",
        &bevy_dramatis::authoring::NoFiles,
        &ActionRegistry::default(),
    )
    .unwrap();
    let (played, recording) = record(&scenario, &|_| {});
    assert_eq!(played.trace["turns"][0]["status"], "Committed");
    let kinds: Vec<&str> = recording
        .records
        .iter()
        .map(|record| record.kind.name())
        .collect();
    assert_eq!(
        kinds
            .iter()
            .filter(|kind| **kind == "adventure_turn")
            .count(),
        1,
        "{kinds:?}"
    );
    let report = replay(&recording, &|_| {}).unwrap();
    assert!(report.holds(), "{:?}", report.divergences.first());
    assert!(report.skipped.is_empty());
    // The replay plays the stages again and does not trust the recording: with other words in one of them it names the place.
    let report = replay(&recording, &|app| {
        let mut templates = StageTemplates::default();
        templates.set("npc_intent", "Other words.").unwrap();
        app.insert_resource(templates);
    });
    let first = report.unwrap().divergences.remove(0);
    assert_eq!(first.kind, "adventure_turn");
    assert!(first.field.starts_with("/stages/"), "{}", first.field);
}

#[test]
fn j4_a_talk_that_ends_after_its_first_sentence_happens_again() {
    for loads in [false, true] {
        let mut app = App::new();
        app.add_plugins((
            MinimalPlugins,
            DramatisPlugins::new(ScriptedEngine::saying([
                "Well met. Sit down. The soup is on the fire.",
            ])),
            MemoryJournalPlugin,
        ));
        let mut game = TestGame::from_app(app);
        let odo = game.spawn_npc(r#"(id: "odo", name: "Odo")"#);
        let policy = RunPolicy::DIALOGUE.delivered(Delivery::Sentences);
        game.world_mut().insert_resource(DialoguePolicy(policy));
        game.frame();
        game.world_mut().commands().capture_game();
        game.world_mut().flush();
        let captured = game.take_sent::<GameCaptured>().pop();
        let saved = captured.expect("it is told at once");
        game.say(odo, "My name is Ann.");
        let heard = (0..50).any(|_| {
            game.frame();
            game.take_event_names().contains(&"SpokeSentence")
        });
        assert!(heard);
        match loads {
            true => {
                let saved = Recording::clone(&saved.recording);
                game.world_mut().commands().load_recording(saved);
                game.world_mut().flush();
            }
            false => game.cancel_run(odo),
        }
        game.run_until_idle();
        // The counters begin again with a load.
        assert_eq!(game.counters().cancelled, u64::from(!loads));
        let recording = game.world_mut().resource_mut::<MemoryJournal>().take();
        let report = replay(&recording, &|_| {}).unwrap();
        assert!(report.holds(), "loads: {loads}: {:?}", report.divergences);
    }
}
