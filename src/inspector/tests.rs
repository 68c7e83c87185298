//! A run is played without a window, and drawn without one.

use super::*;
use crate::authoring::{Character, NoFiles};
use crate::engine::ScriptedEngine;
use crate::id;
use crate::pipeline::{Delivery, DialoguePolicy, RunPolicy};
use crate::plugin::DramatisPlugins;
use crate::world::{Attributes, Location, PlacedIn, WorldId};

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
    let mut app = App::new();
    let engine = ScriptedEngine::saying([
        "The SECRET is safe.",
        "Pass, friend. [INTENT: open gate] [MEMORY: A friend passed.]",
    ]);
    app.add_plugins((MinimalPlugins, DramatisPlugins::new(engine)))
        .insert_resource(DialoguePolicy(policy));
    // A gate that opens, where the keeper is.
    let world = app.world_mut();
    let yard = world
        .spawn((WorldId(id!("yard")), Location::default()))
        .id();
    let openable = Attributes([("openable".to_owned(), true.into())].into());
    world.spawn((WorldId(id!("gate")), openable, PlacedIn(yard)));
    let keeper = Character::parse(NPC.as_bytes(), "keeper.npc.ron", &NoFiles).unwrap();
    app.world_mut()
        .spawn(LoadedCharacter(std::sync::Arc::new(keeper)));
    app.update();
    let request = crate::npc::Request::speech("player", "player", "Did the river flood?");
    crate::npc::submit_request(app.world_mut(), "keeper", request);
    for _ in 0..10 {
        app.update();
    }
    app
}

/// All words that egui would paint on a screen large enough for everything.
fn painted(app: &mut App, selection: &mut Selection) -> String {
    let mut words = String::new();
    let ctx = egui::Context::default();
    let input = || egui::RawInput {
        screen_rect: Some(egui::Rect::from_min_size(
            egui::Pos2::ZERO,
            egui::vec2(1_000.0, 9_000.0),
        )),
        ..egui::RawInput::default()
    };
    let mut draw = |inspected: Inspected| {
        // Twice: the first pass only measures.
        for _ in 0..2 {
            let view = inspected.view();
            words.clear();
            let output = ctx.run_ui(input(), |ui| inspector_ui(ui, &view, selection));
            for clipped in &output.shapes {
                collect(&clipped.shape, &mut words);
            }
        }
    };
    let mut state = bevy::ecs::system::SystemState::<Inspected>::new(app.world_mut());
    draw(state.get(app.world()).unwrap());
    words
}

/// Where each row of text stands that egui would paint in a narrow window.
fn rows(shape: &egui::Shape, found: &mut Vec<(String, egui::Rect)>) {
    match shape {
        egui::Shape::Text(text) => {
            let rows = text.galley.rows.iter();
            found.extend(rows.filter(|row| !row.glyphs.is_empty()).map(|row| {
                let rect = row.rect_without_leading_space();
                (row.text(), rect.translate(text.pos.to_vec2()))
            }));
        }
        egui::Shape::Vec(shapes) => shapes.iter().for_each(|shape| rows(shape, found)),
        _ => {}
    }
}

fn collect(shape: &egui::Shape, words: &mut String) {
    match shape {
        egui::Shape::Text(text) => {
            words.push_str(text.galley.text());
            words.push('\n');
        }
        egui::Shape::Vec(shapes) => shapes.iter().for_each(|shape| collect(shape, words)),
        _ => {}
    }
}

#[test]
fn i3_a_run_shows_its_reply_its_verdict_and_its_actions() {
    let mut app = after_a_run();
    let words = painted(&mut app, &mut Selection::default());
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
    let words = painted(&mut app, &mut Selection::default());
    assert!(
        words.contains("heard 1, attempt 1: Pass, friend."),
        "{words}"
    );
}

#[test]
fn i3_a_rejected_attempt_shows_the_failure() {
    let mut app = after_a_run();
    let mut selection = Selection {
        attempt: Some(0),
        ..Selection::default()
    };
    let words = painted(&mut app, &mut selection);
    for expected in ["failed", "ProhibitionViolated", "no_secret", "4..10"] {
        assert!(words.contains(expected), "{expected:?} in\n{words}");
    }
}

#[test]
fn i3_memory_and_engine_have_their_tabs() {
    let mut app = after_a_run();
    let mut tab = |tab| {
        let mut selection = Selection {
            tab,
            ..Selection::default()
        };
        painted(&mut app, &mut selection)
    };
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
    let mut state = bevy::ecs::system::SystemState::<Inspected>::new(app.world_mut());
    let inspected = state.get(app.world()).unwrap();
    let view = inspected.view();
    let run = view.runs.first().unwrap();
    let mut words = String::new();
    let ctx = egui::Context::default();
    let parsed = run.parsed(&run.attempts[1]);
    let shown = Shown {
        view: run,
        attempt: run.attempts.last(),
        parsed: parsed.as_ref(),
        is_last: true,
    };
    for _ in 0..2 {
        words.clear();
        let output = ctx.run_ui(egui::RawInput::default(), |ui| {
            for (.., part) in run::PARTS {
                part(ui, &shown);
            }
        });
        output
            .shapes
            .iter()
            .for_each(|clipped| collect(&clipped.shape, &mut words));
    }
    for expected in [
        "PlayerUtterance",
        "Do not mention the secret.",
        "The river flooded the yard.",
        "constraints, ",
        "Seed",
    ] {
        assert!(words.contains(expected), "{expected:?} in\n{words}");
    }
}

#[test]
fn i3_no_text_is_drawn_over_another() {
    let mut app = after_a_run();
    let mut state = bevy::ecs::system::SystemState::<Inspected>::new(app.world_mut());
    let inspected = state.get(app.world()).unwrap();
    let view = inspected.view();
    for attempt in [0, 1] {
        for width in [400.0, 560.0, 1_000.0] {
            let ctx = egui::Context::default();
            let size = egui::vec2(width, 9_000.0);
            let mut found = Vec::new();
            for _ in 0..2 {
                let mut selection = Selection {
                    attempt: Some(attempt),
                    ..Selection::default()
                };
                let input = egui::RawInput {
                    screen_rect: Some(egui::Rect::from_min_size(egui::Pos2::ZERO, size)),
                    ..egui::RawInput::default()
                };
                let output = ctx.run_ui(input, |ui| inspector_ui(ui, &view, &mut selection));
                found.clear();
                for clipped in &output.shapes {
                    rows(&clipped.shape, &mut found);
                }
            }
            assert!(found.len() > 20, "{found:?}");
            for (i, (text, rect)) in found.iter().enumerate() {
                for (other, over) in &found[i + 1..] {
                    let common = rect.intersect(*over);
                    let apart = common.width() < 2.0 || common.height() < 2.0;
                    assert!(apart, "{text:?} and {other:?} at a width of {width}");
                }
            }
        }
    }
}

#[test]
fn i3_an_empty_game_and_a_run_that_has_just_begun_can_be_drawn() {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, DramatisPlugins::silent()));
    app.update();
    let views = [
        (Tab::Runs, Some(0)),
        (Tab::Runs, None),
        (Tab::Memory, None),
        (Tab::Engine, None),
    ];
    for (tab, attempt) in views {
        let mut selection = Selection {
            tab,
            attempt,
            ..Selection::default()
        };
        assert!(!painted(&mut app, &mut selection).is_empty());
    }
    let mut app = after_a_run();
    let run = app.world().resource::<RunHistory>().iter().next().unwrap();
    let past = app.world().get::<crate::pipeline::Run>(run).unwrap();
    let npc = (past.npc_entity(), past.npc());
    let bare = crate::pipeline::Run::new(9, npc, past.stage(), past.policy(), past.started());
    app.world_mut().spawn(bare);
    assert!(painted(&mut app, &mut Selection::default()).contains("Not there yet."));
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
            keys.press(KeyCode::F1);
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
    crate::npc::submit_request(app.world_mut(), "keeper", request);
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
    let views = [
        (Tab::Runs, Some(0)),
        (Tab::Runs, None),
        (Tab::Memory, None),
        (Tab::Engine, None),
    ];
    for (tab, attempt) in views {
        let mut selection = Selection {
            tab,
            attempt,
            ..Selection::default()
        };
        seen += &painted(&mut app, &mut selection);
    }
    assert!(seen.contains("You sent me, friend."), "{seen}");
    for secret in ["Topsecret", "0123456789", "+abcdef"] {
        assert!(!seen.contains(secret), "{secret} in\n{seen}");
    }
}
