//! The world as it was, replayed up to a record.

use super::*;
use crate::journal::{MemoryJournal, Recorded};

fn last_record(app: &App) -> u64 {
    app.world().resource::<MemoryJournal>().recording().count()
}

/// Asks for the world after the chosen record, and waits for it.
fn look_back(watched: &mut Watched, app: &mut App) -> String {
    watched.click_and_wait(app, "Replay up to this record", "replaying ..")
}

#[test]
fn i3_the_world_is_shown_as_it_was_after_a_record() {
    let mut app = after_a_run();
    let mut watched = Watched::new(Selection {
        record: Some(1),
        ..on(Tab::Journal)
    });
    watched.click(&mut app, "The world after this record");
    let words = look_back(&mut watched, &mut app);
    // The run has opened the gate, and left a memory.
    assert!(words.contains("gate, open: not set, now true"), "{words}");
    watched.click(&mut app, "What each remembered");
    watched.assert_shows(&mut app, &["keeper: 1 episode, 1 belief"]);
    watched.selection.record = Some(last_record(&app));
    watched.assert_shows(&mut app, &["Replay up to this record"]);
    let words = look_back(&mut watched, &mut app);
    assert!(
        words.contains("All that is judged was as it is now."),
        "{words}"
    );
    watched.assert_shows(&mut app, &["keeper: 3 episodes, 1 belief"]);
}

#[test]
fn i3_a_past_that_does_not_replay_says_so() {
    let mut app = after_a_run();
    let taken = app.world_mut().resource_mut::<MemoryJournal>().take();
    assert!(taken.count() > 1);
    // What follows has no beginning.
    let request = crate::npc::Request::speech("player", "player", "And the bridge?");
    crate::npc::submit::submit_request(app.world_mut(), "keeper", request);
    for _ in 0..10 {
        app.update();
    }
    let mut watched = Watched::new(on(Tab::Journal));
    watched.click(&mut app, "The world after this record");
    let words = look_back(&mut watched, &mut app);
    assert!(words.contains("checkpoint"), "{words}");
}

#[test]
fn i3_what_was_replayed_stays_when_another_record_follows() {
    let mut app = after_a_run();
    // The newest is followed.
    let mut watched = Watched::new(on(Tab::Journal));
    watched.click(&mut app, "The world after this record");
    look_back(&mut watched, &mut app);
    assert_eq!(watched.selection.record, Some(last_record(&app)));
    let request = crate::npc::Request::speech("player", "player", "And the bridge?");
    crate::npc::submit::submit_request(app.world_mut(), "keeper", request);
    for _ in 0..10 {
        app.update();
    }
    watched.assert_shows(&mut app, &["What each remembered"]);
    // Another recording has other records of the same numbers.
    let _ = app.world_mut().resource_mut::<MemoryJournal>().take();
    let request = crate::npc::Request::speech("player", "player", "And now?");
    crate::npc::submit::submit_request(app.world_mut(), "keeper", request);
    for _ in 0..10 {
        app.update();
    }
    watched.selection.record = Some(1);
    assert!(!watched.words(&mut app).contains("What each remembered"));
}
