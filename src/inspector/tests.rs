//! A run is played without a window, and drawn without one.

use super::shown::Shown;
use super::*;
use crate::actor_turns::ActorCommandsExt;
use crate::authoring::{Character, NoFiles};
use crate::engine::ScriptedEngine;
use crate::id;
use crate::journal::MemoryJournalPlugin;
use crate::npc::LoadedCharacter;
use crate::pipeline::{Delivery, DialoguePolicy, RunPolicy};
use crate::plugin::DramatisPlugins;
use crate::world::{Attributes, Location, PlacedIn, WorldId};

mod engine_panel;
mod memory_panel;
mod past;
mod plans_panel;
mod rules_panel;
mod runs_panel;
mod stream_panel;
mod watched;
mod what_if;
mod window;

use watched::{Watched, rows};

const NPC: &str = r#"(
    id: "keeper", name: "Keeper", persona: "You keep the gate.", location: "yard",
    constraints: [(id: "no_secret", kind: Prohibition, severity: Hard, prompt: "Do not mention the secret.", patterns: ["secret"])],
    memories: [(id: "flood", text: "The river flooded the yard.", significance: 0.9)],
    beliefs: [(id: "honest", text: "Visitors are honest.", confidence: 0.7)],
)"#;

/// An app in which the keeper has failed once and then answered.
fn after_a_run() -> App {
    after_a_run_by(RunPolicy::DIALOGUE)
}

fn after_a_run_by(policy: RunPolicy) -> App {
    after_a_run_with(policy, MemoryJournalPlugin)
}

fn after_a_run_with<M>(policy: RunPolicy, plugins: impl bevy::app::Plugins<M>) -> App {
    after_a_run_of(NPC, policy, plugins)
}

fn after_a_run_of<M>(npc: &str, policy: RunPolicy, plugins: impl bevy::app::Plugins<M>) -> App {
    let engine = ScriptedEngine::saying([
        "The SECRET is safe.",
        "Pass, friend. [INTENT: open gate] [MEMORY: A friend passed.]",
    ]);
    after_a_run_asked_of(engine, npc, policy, plugins)
}

fn after_a_run_asked_of<M>(
    engine: ScriptedEngine,
    npc: &str,
    policy: RunPolicy,
    plugins: impl bevy::app::Plugins<M>,
) -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, DramatisPlugins::new(engine)))
        .add_plugins(plugins)
        .insert_resource(DialoguePolicy(policy));
    spawn_gate(app.world_mut());
    let keeper = Character::parse(npc.as_bytes(), "keeper.npc.ron", &NoFiles).unwrap();
    app.world_mut()
        .spawn(LoadedCharacter(std::sync::Arc::new(keeper)));
    app.update();
    let request = crate::npc::Request::speech("player", "player", "Did the river flood?");
    crate::npc::submit::submit_request(app.world_mut(), "keeper", request);
    for _ in 0..10 {
        app.update();
    }
    app
}

/// A gate that opens, where the keeper is. The place is given back.
fn spawn_gate(world: &mut World) -> Entity {
    let yard = world
        .spawn((WorldId(id!("yard")), Location::default()))
        .id();
    let openable = Attributes([("openable".to_owned(), true.into())].into());
    world.spawn((WorldId(id!("gate")), openable, PlacedIn(yard)));
    yard
}

/// Each tab, the first one last, with words that it shows after a run.
const EVERY_TAB: [(Tab, &str); 10] = [
    (Tab::Prompt, "attempt 1"),
    (Tab::Characters, "acts in"),
    (Tab::Memory, "What would it remember of"),
    (Tab::World, "What can be done now, and why not"),
    (Tab::Stream, "No turn of an adventure has been played yet."),
    (Tab::Plans, "Nobody has asked for a plan yet."),
    (Tab::Rules, "no_secret"),
    (Tab::Engine, "The default engine: ready"),
    (Tab::Journal, "interaction"),
    (Tab::Runs, "7 Validation"),
];

fn on(tab: Tab) -> Selection {
    Selection {
        tab: Some(tab),
        ..Selection::default()
    }
}

/// All words that egui would paint on a screen large enough for everything.
fn painted(app: &mut App, selection: Selection) -> String {
    Watched::new(selection).words(app)
}

#[test]
fn i3_a_run_shows_its_reply_its_verdict_and_its_actions() {
    let mut app = after_a_run();
    let words = painted(&mut app, Selection::default());
    for expected in [
        "Accepted",
        "attempt 0",
        "attempt 1",
        "Pass, friend. [INTENT: open gate] [MEMORY: A friend passed.]",
        "intent open target=\"gate\"",
        "passed",
        "OK",
        "keeper open target=gate",
        "1 change of memory: 1 done, 0 failed, 0 rejected by the gate",
        "9 Fallback and outcome",
    ] {
        assert!(words.contains(expected), "{expected:?} in\n{words}");
    }
}

#[test]
fn i3_what_was_heard_is_shown_sentence_by_sentence() {
    let mut app = after_a_run_by(RunPolicy::DIALOGUE.delivered(Delivery::Sentences));
    let words = painted(&mut app, Selection::default());
    assert!(
        words.contains("heard 1, attempt 1: Pass, friend."),
        "{words}"
    );
}

#[test]
fn i3_a_rejected_attempt_shows_the_failure() {
    let mut app = after_a_run();
    let selection = Selection {
        attempt: Some(0),
        ..Selection::default()
    };
    let words = painted(&mut app, selection);
    for expected in ["failed", "ProhibitionViolated", "no_secret", "4..10"] {
        assert!(words.contains(expected), "{expected:?} in\n{words}");
    }
}

#[test]
fn i3_memory_and_engine_have_their_tabs() {
    let mut app = after_a_run();
    let mut tab = |tab| painted(&mut app, on(tab));
    let memory = tab(Tab::Memory);
    for expected in ["The river flooded", "A friend passed.", "honest:", "0.70"] {
        assert!(memory.contains(expected), "{expected:?} in\n{memory}");
    }
    let engine = tab(Tab::Engine);
    for expected in [
        "scripted",
        "Approved intents",
        "Obeys a JSON schema",
        "The default engine: ready",
    ] {
        assert!(engine.contains(expected), "{expected:?} in\n{engine}");
    }
}

#[test]
fn i3_the_parts_of_a_run_can_all_be_drawn() {
    let mut app = after_a_run();
    let view = InspectorView::of(app.world_mut());
    let run = view.runs.first().unwrap();
    let mut words = String::new();
    let ctx = egui::Context::default();
    let shown = Shown {
        view: run,
        attempt: run.attempts.last(),
        is_last: true,
    };
    for _ in 0..2 {
        words.clear();
        let output = ctx.run_ui(egui::RawInput::default(), |ui| {
            for (.., part) in run::PARTS {
                part(ui, &shown, &mut Selection::default());
            }
        });
        let mut found = Vec::new();
        for clipped in &output.shapes {
            rows(&clipped.shape, &mut found);
        }
        words = found.into_iter().map(|(text, _)| text + "\n").collect();
    }
    for expected in [
        "PlayerUtterance",
        "Do not mention the secret.",
        "The river flooded the yard.",
        "standing ",
        "the whole prompt",
        "Seed",
    ] {
        assert!(words.contains(expected), "{expected:?} in\n{words}");
    }
}

#[test]
fn i3_no_text_is_drawn_over_another() {
    let mut app = after_a_run();
    for tab in Tab::ALL {
        for attempt in [0, 1] {
            for width in [400.0, 560.0, 1_000.0] {
                let selection = Selection {
                    attempt: Some(attempt),
                    ..on(tab)
                };
                let mut watched = Watched::with_size(selection, egui::vec2(width, 9_000.0));
                let found = watched.rows(&mut app);
                assert!(found.len() > 9, "{found:?}");
                for (i, (text, rect)) in found.iter().enumerate() {
                    for (other, over) in &found[i + 1..] {
                        let common = rect.intersect(*over);
                        let apart = common.width() < 2.0 || common.height() < 2.0;
                        assert!(
                            apart,
                            "{text:?} and {other:?} in {tab:?} at a width of {width}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn i3_every_tab_opens_at_a_click_and_says_something() {
    let mut app = after_a_run();
    let mut watched = Watched::new(Selection::default());
    for (tab, words) in EVERY_TAB {
        watched.click(&mut app, tab.title());
        watched.assert_shows(&mut app, &[words]);
    }
}

#[test]
fn i3_the_world_says_why_something_cannot_be_done() {
    let mut app = after_a_run();
    let mut watched = Watched::new(on(Tab::World));
    // The run has opened the gate.
    watched.assert_shows(&mut app, &["close", "close_openable", "gate", "open: true"]);
}

#[test]
fn i3_the_journal_is_stepped_through() {
    let mut app = after_a_run();
    let mut watched = Watched::new(on(Tab::Journal));
    let count = {
        use crate::journal::Recorded;
        let journal = app.world().resource::<crate::journal::MemoryJournal>();
        journal.recording().count()
    };
    watched.assert_shows(&mut app, &[&format!("record {count} of {count}")]);
    watched.click(&mut app, "first");
    watched.assert_shows(&mut app, &["record 1 of", "checkpoint"]);
    watched.click(&mut app, "on");
    assert_eq!(watched.selection.record, Some(2));
    watched.click(&mut app, "back");
    assert_eq!(watched.selection.record, Some(1));
    watched.click(&mut app, "newest");
    assert_eq!(watched.selection.record, None);
    // The recording is taken away, and another one begins with the same numbers.
    let _ = app
        .world_mut()
        .resource_mut::<crate::journal::MemoryJournal>()
        .take();
    watched.assert_shows(&mut app, &["0 records, in memory"]);
}

#[test]
fn i3_settings_are_listed_those_of_the_game_among_them() {
    use crate::app::DramatisAppExt;
    #[derive(Resource, Default, PartialEq, serde::Serialize, serde::Deserialize)]
    struct Difficulty(u8);
    let mut app = after_a_run();
    app.add_setting::<Difficulty>("my_game.difficulty");
    let mut watched = Watched::new(on(Tab::Journal));
    watched.click(&mut app, "Settings that a save keeps");
    let unchanged = "my_game.difficulty: its first value";
    watched.assert_shows(&mut app, &["player: \"player\"", "seed: ", unchanged]);
    app.insert_resource(Difficulty(3));
    watched.assert_shows(&mut app, &["my_game.difficulty: 3"]);
}

#[cfg(feature = "store")]
#[test]
fn i3_a_journal_in_a_file_is_looked_at_while_it_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let journal = crate::journal::JournalPlugin::new(folder.path().join("game.dramatis"));
    let mut app = after_a_run_with(RunPolicy::DIALOGUE, journal);
    let is_written = |app: &App| {
        let journal = app.world().resource::<crate::journal::Journal>();
        journal.stored() > 1 && journal.waiting() == 0
    };
    for _ in 0..2_000 {
        if is_written(&app) {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(5));
        app.update();
    }
    assert!(is_written(&app), "the writer does not write");
    let mut watched = Watched::new(on(Tab::Journal));
    watched.assert_shows(&mut app, &["game.dramatis", "interaction", "keeper"]);
    watched.click(&mut app, "first");
    watched.assert_shows(&mut app, &["checkpoint"]);
}

#[test]
fn i3_a_thousand_things_and_characters_can_be_looked_at() {
    let mut app = after_a_run();
    let world = app.world_mut();
    let index = world.resource::<crate::world::WorldIndex>();
    let yard = index.get("yard").unwrap();
    for n in 0..1_000 {
        let id = crate::base::ids::Id::new(format!("thing_{n}")).unwrap();
        world.spawn((WorldId(id), Attributes::default(), PlacedIn(yard)));
    }
    for n in 0..1_000 {
        let source = format!(r#"(id: "npc_{n}", persona: "You wait.", location: "yard")"#);
        let npc = Character::parse(source.as_bytes(), "a.npc.ron", &NoFiles).unwrap();
        world.spawn(LoadedCharacter(std::sync::Arc::new(npc)));
    }
    app.update();
    let view = InspectorView::of(app.world_mut());
    let (rows, more) = characters::character_rows(&view, "");
    assert_eq!((rows.len(), more), (100, 901));
    let (rows, more) = characters::character_rows(&view, "NPC_999");
    assert_eq!((rows.len(), more), (1, 0));
    let mut personas = crate::adventure::Personas::default();
    let ann = crate::base::ids::Id::new("ann").unwrap();
    personas.0.entry(ann).or_default();
    app.world_mut().insert_resource(personas);
    let view = InspectorView::of(app.world_mut());
    for (words, found) in [("npc_999", 1), ("ann", 1), ("nobody", 0)] {
        let (rows, _) = characters::character_rows(&view, words);
        assert_eq!(rows.len(), found, "{words}");
    }
    for (tab, words) in [
        (Tab::Characters, "keeper"),
        (Tab::Memory, "1001 characters"),
        (Tab::World, "2002 things"),
        (Tab::Rules, "no_secret"),
    ] {
        let mut watched = Watched::with_size(on(tab), egui::vec2(610.0, 640.0));
        watched.assert_shows(&mut app, &[words]);
    }
}

/// Every panel is drawn in a game in which something has happened, and egui finds no two widgets of the same name.
#[test]
fn i3_no_widget_has_the_name_of_another() {
    let mut app = after_a_run();
    for tab in Tab::ALL {
        let words = Watched::new(on(tab)).words(&mut app);
        assert!(!words.contains("use of"), "{tab:?}: {words}");
    }
}

#[test]
fn i3_the_world_shows_where_its_places_lead() {
    let mut world = crate::world::WorldState::default();
    let tower = crate::world::LocationView {
        connected_to: vec![id!("yard"), id!("cellar")],
        ..Default::default()
    };
    world.locations.insert(id!("tower"), tower);
    world.locations.insert(id!("yard"), Default::default());
    let (lines, more) = world::place_lines(&world);
    assert_eq!(lines, ["tower: yard, cellar", "yard: leads nowhere"]);
    assert_eq!(more, 0);
    let mut app = after_a_run();
    let mut watched = Watched::new(on(Tab::World));
    watched.click(&mut app, "Places, and where they lead");
    watched.assert_shows(&mut app, &["yard: leads nowhere"]);
}

#[test]
fn i3_an_actor_that_is_gone_leaves_its_place_to_another() {
    let mut app = after_a_run();
    let selection = Selection {
        actor: Some("nobody".to_owned()),
        ..on(Tab::World)
    };
    let words = painted(&mut app, selection);
    assert!(
        words.contains("Keeper") && !words.contains("nobody"),
        "{words}"
    );
}

#[test]
fn i3_an_empty_game_and_a_run_that_has_just_begun_can_be_drawn() {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, DramatisPlugins::silent()));
    app.update();
    for tab in Tab::ALL {
        for attempt in [None, Some(0)] {
            let selection = Selection { attempt, ..on(tab) };
            assert!(!painted(&mut app, selection).is_empty());
        }
    }
    let mut app = after_a_run();
    let run = app.world().resource::<RunHistory>().iter().next().unwrap();
    let past = app.world().get::<crate::pipeline::Run>(run).unwrap();
    let npc = (past.npc_entity(), past.npc());
    let bare = crate::pipeline::Run::new(9, npc, past.stage(), past.policy(), past.started());
    app.world_mut().spawn(bare);
    assert!(painted(&mut app, Selection::default()).contains("Not there yet."));
}

#[test]
fn i3_a_key_shows_and_hides_it_and_without_egui_nothing_breaks() {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, DramatisPlugins::silent(), InspectorPlugin))
        .init_resource::<ButtonInput<KeyCode>>();
    app.finish();
    app.cleanup();
    let mut frame = |pressed: bool| {
        let mut keys = app.world_mut().resource_mut::<ButtonInput<KeyCode>>();
        keys.reset_all();
        if pressed {
            keys.press(KeyCode::F12);
        }
        app.update();
        app.world().resource::<InspectorSettings>().open
    };
    assert!(!frame(false));
    assert!(frame(true));
    assert!(frame(false), "it stays");
    assert!(!frame(true));
}

#[cfg(feature = "http")]
#[path = "../../tests/support/fault_server.rs"]
mod fault_server;

#[cfg(feature = "http")]
#[test]
fn r4_a_key_is_in_no_word_of_the_inspector() {
    use crate::engine::http::{HttpConfig, HttpEngine};
    use fault_server::{FaultServer, Seen, delta, error, events, finish};
    use std::sync::atomic::{AtomicUsize, Ordering};
    const KEY: &str = "sk-Topsecret/0123456789+abcdef";
    // It sends back what it was sent: in an error, then in a reply.
    let calls = AtomicUsize::new(0);
    let server = FaultServer::start(move |seen: &Seen| {
        let sent = seen.header("authorization").unwrap_or_default().to_owned();
        if calls.fetch_add(1, Ordering::Relaxed) == 0 {
            return error(401, "text/plain", format!("who is {sent}?"));
        }
        let words = format!("You sent me {}, friend.", sent.replace("Bearer ", ""));
        events(delta(&words) + &finish("stop"))
    });
    let config = HttpConfig::new(server.url(), "tiny").with_api_key(KEY);
    let mut app = App::new();
    let engine = HttpEngine::new(config).unwrap();
    app.add_plugins((MinimalPlugins, DramatisPlugins::new(engine)));
    let keeper = Character::parse(NPC.as_bytes(), "keeper.npc.ron", &NoFiles).unwrap();
    app.world_mut()
        .spawn(LoadedCharacter(std::sync::Arc::new(keeper)));
    app.update();
    let request = crate::npc::Request::speech("player", "player", "Who am I?");
    crate::npc::submit::submit_request(app.world_mut(), "keeper", request);
    for _ in 0..20_000 {
        app.update();
        if app
            .world()
            .resource::<crate::pipeline::RunHistory>()
            .iter()
            .next()
            .is_some()
        {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    assert!(
        server.seen()[0].head.contains(KEY),
        "the server got the key"
    );
    let mut seen = String::new();
    for tab in Tab::ALL {
        for attempt in [None, Some(0)] {
            let selection = Selection { attempt, ..on(tab) };
            seen += &painted(&mut app, selection);
        }
    }
    assert!(seen.contains("You sent me, friend."), "{seen}");
    for secret in ["Topsecret", "0123456789", "+abcdef"] {
        assert!(!seen.contains(secret), "{secret} in\n{seen}");
    }
}
