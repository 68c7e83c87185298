//! Other replies and other rules for a recorded run, as a user tries them out in the panel.

use super::*;
use crate::engine::EngineEvent;
use crate::gate::CustomCheck;
use crate::journal::{MemoryJournal, Recorded};
use crate::prelude::DramatisAppExt;
use crate::replay::regate::ReplyKey;
use std::time::Duration;

/// The number of the record of the last run.
fn run_record(app: &App) -> u64 {
    let recording = app.world().resource::<MemoryJournal>().recording();
    let runs = recording.records.iter().rev();
    let mut runs = runs.filter(|record| record.kind.name() == "interaction");
    runs.next().unwrap().seq
}

fn key(app: &App, attempt: u32) -> ReplyKey {
    let seq = run_record(app);
    ReplyKey { seq, attempt }
}

/// The journal at the last run, with the fields open.
fn opened(app: &mut App, size: egui::Vec2) -> Watched {
    let selection = Selection {
        record: Some(run_record(app)),
        ..on(Tab::Journal)
    };
    let mut watched = Watched::with_size(selection, size);
    watched.click(app, "What if?");
    watched
}

fn wide() -> egui::Vec2 {
    egui::vec2(1_000.0, 9_000.0)
}

/// Clicks on "Judge", and waits for the result.
pub(super) fn judge(watched: &mut Watched, app: &mut App) -> String {
    watched.click_and_wait(app, "Judge", "judging ..")
}

#[test]
fn i3_an_edited_reply_is_judged_beside_the_recorded_one() {
    let mut app = after_a_run();
    let mut watched = opened(&mut app, wide());
    watched.assert_shows(&mut app, &["attempt 0", "The SECRET is safe.", "Judge"]);
    let (failed, passed) = (key(&app, 0), key(&app, 1));
    let replies = &mut watched.selection.what_if.replies;
    replies.insert(failed, "Everything is safe.".to_owned());
    replies.insert(passed, "It is a secret.".to_owned());
    let words = judge(&mut watched, &mut app);
    for expected in [
        "then: failed by no_secret The SECRET is safe. now: passed Everything is safe.",
        "then: passed Pass, friend. now: failed by no_secret It is a secret.",
        "0 other verdicts change.",
    ] {
        assert!(words.contains(expected), "{expected:?} in\n{words}");
    }
    // Nothing has happened in the game, and what is edited further is not what was judged.
    assert_eq!(run_record(&app), passed.seq);
    watched.click(&mut app, "as recorded");
    watched.assert_shows(&mut app, &["Edited since it was judged."]);
    assert_eq!(watched.selection.what_if.replies.len(), 1);
}

#[test]
fn i3_an_edited_rule_is_judged_by() {
    let mut app = after_a_run();
    let mut watched = opened(&mut app, wide());
    watched.click(&mut app, "rules of keeper");
    watched.assert_shows(&mut app, &["keeper.npc.ron", "Do not mention the secret."]);
    let edited = NPC.replace(r#"["secret"]"#, r#"["friend"]"#);
    let keeper = id!("keeper");
    let what_if = &mut watched.selection.what_if;
    what_if.characters.insert(keeper.clone(), edited);
    let words = judge(&mut watched, &mut app);
    for expected in [
        "now: passed The SECRET",
        "now: failed by no_secret; memory refused by no_secret Pass, friend.",
        "It fails until the rules are changed.",
    ] {
        assert!(words.contains(expected), "{expected:?} in\n{words}");
    }
    let what_if = &mut watched.selection.what_if;
    what_if.characters.insert(keeper, "(id: 3)".to_owned());
    let words = judge(&mut watched, &mut app);
    assert!(words.contains("keeper.npc.ron:1:"), "{words}");
    watched.click(&mut app, "as in the game");
    assert!(watched.selection.what_if.characters.is_empty());
}

#[test]
fn i3_the_checks_of_the_game_have_their_say() {
    let strict = |app: &mut App| {
        app.add_check(CustomCheck::new("no_pass", |words, _, _| {
            match words.contains("Pass") {
                true => Err("nobody passes".into()),
                false => Ok(None),
            }
        }));
    };
    let mut app = after_a_run();
    app.insert_resource(ReplayConfigure::new(strict));
    let words = judge(&mut opened(&mut app, wide()), &mut app);
    assert!(words.contains("does not replay from record"), "{words}");
    app.insert_resource(ReplayConfigure::new(|_| panic!("a game's own mistake")));
    let words = judge(&mut opened(&mut app, wide()), &mut app);
    assert!(words.contains("The work has broken off"), "{words}");
}

#[test]
fn i3_a_recording_without_its_beginning_says_so() {
    let mut app = after_a_run();
    let mut watched = opened(&mut app, wide());
    let mut journal = app.world_mut().resource_mut::<MemoryJournal>();
    let records = journal.take().records.len();
    // What follows has no checkpoint.
    let request = crate::npc::Request::speech("player", "player", "And the bridge?");
    crate::npc::submit::submit_request(app.world_mut(), "keeper", request);
    for _ in 0..10 {
        app.update();
    }
    let rest = app.world().resource::<MemoryJournal>().recording().count();
    assert!(records > 1 && rest == 1);
    watched.selection.record = None;
    let words = watched.words(&mut app);
    assert!(
        words.contains("no reply that could be another one"),
        "{words}"
    );
}

#[test]
fn i3_what_is_tried_out_is_drawn_in_its_place() {
    let mut app = after_a_run();
    for width in [400.0, 560.0, 1_000.0] {
        let mut watched = opened(&mut app, egui::vec2(width, 9_000.0));
        // Where it is narrow, a file is longer than its field: the rest is not seen.
        if width > 600.0 {
            watched.click(&mut app, "rules of keeper");
        }
        judge(&mut watched, &mut app);
        let found = watched.rows(&mut app);
        for (i, (text, rect)) in found.iter().enumerate() {
            assert!(!text.contains("use of"), "{text}");
            for (other, over) in &found[i + 1..] {
                let common = rect.intersect(*over);
                let apart = common.width() < 2.0 || common.height() < 2.0;
                assert!(apart, "{text:?} and {other:?} at a width of {width}");
            }
        }
    }
}

#[cfg(feature = "store")]
#[test]
fn i3_a_journal_in_a_file_is_judged_while_it_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let journal = crate::journal::JournalPlugin::new(folder.path().join("game.dramatis"));
    let mut app = after_a_run_with(RunPolicy::DIALOGUE, journal);
    let stored = |app: &App| {
        let journal = app.world().resource::<crate::journal::Journal>();
        (journal.stored(), journal.waiting())
    };
    for _ in 0..2_000 {
        if matches!(stored(&app), (2.., 0)) {
            break;
        }
        std::thread::sleep(Duration::from_millis(5));
        app.update();
    }
    let mut watched = Watched::new(on(Tab::Journal));
    watched.click(&mut app, "What if?");
    let words = judge(&mut watched, &mut app);
    assert!(words.contains("then: failed by no_secret"), "{words}");
    assert!(words.contains("now: failed by no_secret"), "{words}");
}

#[test]
fn i3_what_came_out_is_saved_as_a_scenario() {
    use crate::scenario::{Scenario, play};
    use crate::world::ActionRegistry;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("keeper.scenario.ron");
    let mut app = after_a_run();
    let mut watched = opened(&mut app, wide());
    let edited = "Nobody has a secret.".to_owned();
    let replies = &mut watched.selection.what_if.replies;
    replies.insert(key(&app, 0), edited.clone());
    watched.selection.what_if.file = file.display().to_string();
    let words = judge(&mut watched, &mut app);
    assert!(words.contains("now: failed by no_secret"), "{words}");
    assert!(
        words.contains("It holds by the rules as they are."),
        "{words}"
    );
    assert!(!words.contains("It fails until"), "{words}");
    watched.click(&mut app, "Save as scenario");
    watched.assert_shows(&mut app, &["Saved to"]);
    let scenario = Scenario::read(&file, &ActionRegistry::default()).unwrap();
    let result = play(&scenario, &|_| {});
    assert_eq!(result.failed, []);
    assert_eq!(result.trace["runs"][0]["attempts"][0]["reply"], *edited);
    watched.click(&mut app, "Save as scenario");
    watched.assert_shows(&mut app, &["is there already: choose another name."]);
    // The game that it begins from is next to it, and is not overwritten either.
    let beginning = folder.path().join("keeper.jsonl");
    let first = std::fs::read(&beginning).unwrap();
    std::fs::remove_file(&file).unwrap();
    watched.click(&mut app, "Save as scenario");
    watched.assert_shows(
        &mut app,
        &["keeper.jsonl is there already: choose another name."],
    );
    assert_eq!(std::fs::read(&beginning).unwrap(), first);
    assert!(!file.exists());
}

/// An app in which a turn was told: the player looks at the gate, and this is the intention of the keeper, in words.
fn after_a_told_turn(intention: &'static str) -> App {
    use crate::adventure::PlayerTurn;
    use crate::adventure::submit::submit_turn;
    use crate::engine::Stage;
    use crate::testing::FnEngine;
    let engine = FnEngine::new(move |_, request| {
        EngineEvent::whole_reply(match request.stage {
            Stage::Narrator => "The gate stands before you.".to_owned(),
            Stage::NpcIntent => format!(r#"{{"thought": "Hm.", "intention": "{intention}"}}"#),
            _ => r#"{"calls": []}"#.to_owned(),
        })
    });
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, DramatisPlugins::new(engine)))
        .add_plugins(crate::journal::MemoryJournalPlugin);
    let yard = spawn_gate(app.world_mut());
    app.world_mut()
        .spawn((WorldId(id!("player")), PlacedIn(yard)));
    let keeper = NPC
        .replace("memories:", "chattiness: 100, memories:")
        .replace(r#"["secret"]"#, r#"["treasure"]"#);
    let keeper = Character::parse(keeper.as_bytes(), "keeper.npc.ron", &NoFiles).unwrap();
    app.world_mut()
        .spawn(LoadedCharacter(std::sync::Arc::new(keeper)));
    app.update();
    submit_turn(
        app.world_mut(),
        PlayerTurn::new(id!("player"), "I look at the gate."),
    );
    for _ in 0..40 {
        app.update();
    }
    app
}

/// The journal at the record of the told turn, with the fields open; and the number of the record.
fn opened_at_the_told_turn(app: &mut App) -> (Watched, u64) {
    let recording = app.world().resource::<MemoryJournal>().recording();
    let mut turns = recording.records.iter();
    let turn = turns.find(|record| record.kind.name() == "adventure_turn");
    let seq = turn.unwrap().seq;
    let selection = Selection {
        record: Some(seq),
        ..on(Tab::Journal)
    };
    let mut watched = Watched::with_size(selection, wide());
    watched.click(app, "What if?");
    (watched, seq)
}

#[test]
fn i3_what_the_rulebook_says_of_an_intention_is_judged_again() {
    let mut app = after_a_told_turn("I open the gate.");
    let (mut watched, _) = opened_at_the_told_turn(&mut app);
    let edited = NPC.replace("memories:", r#"chattiness: 100, may: ["speak"], memories:"#);
    let what_if = &mut watched.selection.what_if;
    what_if.characters.insert(id!("keeper"), edited);
    let words = judge(&mut watched, &mut app);
    let expected = "keeper: I open the gate. then: passed now: failed by not_allowed";
    assert!(words.contains(expected), "{words}");
}

#[test]
fn i3_the_stages_of_a_told_turn_are_judged_again() {
    let mut app = after_a_told_turn("I tell of the secret.");
    let (mut watched, seq) = opened_at_the_told_turn(&mut app);
    watched.assert_shows(
        &mut app,
        &[
            "narrator of player, attempt 0",
            "npc intent of keeper, attempt 0",
            "rules of keeper",
        ],
    );
    let told = ReplyKey { seq, attempt: 0 };
    let what_if = &mut watched.selection.what_if;
    what_if.replies.insert(told, "The gate is gone.".to_owned());
    what_if.characters.insert(id!("keeper"), NPC.to_owned());
    let words = judge(&mut watched, &mut app);
    for expected in [
        "then: passed The gate stands before you. now: passed The gate is gone.",
        "then: passed I tell of the secret. now: failed by no_secret I tell of the secret.",
        "It holds by the rules as they are.",
        "It fails until the rules are changed.",
    ] {
        assert!(words.contains(expected), "{expected:?} in\n{words}");
    }
}

#[test]
fn i3_the_turn_of_an_actor_is_saved_as_a_scenario() {
    use crate::scenario::{Scenario, play};
    use crate::world::ActionRegistry;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("turn.scenario.ron");
    let mut app = after_a_run();
    crate::actor_turns::act(app.world_mut(), "keeper", "look at the gate");
    for _ in 0..4 {
        app.update();
    }
    let recording = app.world().resource::<MemoryJournal>().recording();
    let mut turns = recording.records.iter();
    let turn = turns.find(|record| record.kind.name() == "turn").unwrap();
    let selection = Selection {
        record: Some(turn.seq),
        ..on(Tab::Journal)
    };
    let mut watched = Watched::with_size(selection, wide());
    watched.click(&mut app, "What if?");
    watched.selection.what_if.file = file.display().to_string();
    let words = judge(&mut watched, &mut app);
    assert!(
        words.contains("stays what it was. Save as scenario It holds by the rules"),
        "{words}"
    );
    watched.click(&mut app, "Save as scenario");
    let scenario = Scenario::read(&file, &ActionRegistry::default()).unwrap();
    assert_eq!(play(&scenario, &|_| {}).failed, []);
}
