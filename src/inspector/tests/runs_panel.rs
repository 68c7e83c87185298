//! The panels of the runs and of their prompts.

use super::*;
use crate::inspector::selection::{RunFilter, RunStatus};

#[test]
fn i3_a_memory_that_was_refused_leads_to_its_rule_and_its_words_are_marked() {
    // The line fails, and its memory with it.
    let npc = NPC.replace(r#"["secret"]"#, r#"["secret", "friend*"]"#);
    let mut app = after_a_run_of(&npc, RunPolicy::DIALOGUE, MemoryJournalPlugin);
    let view = InspectorView::of(app.world_mut());
    let run = view.runs.first().unwrap();
    let verdict = run.attempts[1].verdict.as_ref().unwrap();
    assert_eq!(verdict.rejected_mutations.len(), 1);
    let span = verdict.rejected_mutations[0].span.clone().unwrap();
    assert!(marked::has_span("A friend passed.", &span));
    let selection = Selection {
        attempt: Some(1),
        ..Selection::default()
    };
    let mut watched = Watched::new(selection);
    let rows = watched.rows(&mut app);
    let links = rows.iter().filter(|(row, _)| row.trim() == "no_secret");
    assert!(links.count() >= 2, "the line's and the memory's: {rows:?}");
}

#[test]
fn i3_a_choice_shows_what_could_be_done_and_what_was_chosen_or_why_nothing_was() {
    let policy = RunPolicy::DIALOGUE.asked(crate::policy::Form::Apart);
    for (answer, expected) in [
        ("open the gate", "keeper open target=gate"),
        ("I dance.", "no_choice"),
    ] {
        let script = format!(
            r#"(replies: [Reply((stage: Decide, text: "{answer}")), Say("Pass, friend.")])"#
        );
        let script = crate::format::error::parse_ron(script.as_bytes(), "script").unwrap();
        let engine = ScriptedEngine::new(&script).unwrap();
        let mut app = after_a_run_asked_of(engine, NPC, policy, MemoryJournalPlugin);
        let words = painted(&mut app, Selection::default());
        let answered = format!("It answered: {answer}");
        for shown in [
            "It could choose one of 2:",
            "  open the gate",
            &*answered,
            expected,
            "Pass, friend.",
        ] {
            assert!(words.contains(shown), "{shown}: {words}");
        }
        assert_eq!(words.contains("It does nothing."), expected == "no_choice");
    }
}

#[test]
fn i3_a_prompt_is_compared_with_that_of_the_run_before() {
    let mut app = after_a_run();
    let request = crate::npc::Request::speech("player", "player", "And the bridge?");
    crate::npc::submit::submit_request(app.world_mut(), "keeper", request);
    for _ in 0..10 {
        app.update();
    }
    let view = InspectorView::of(app.world_mut());
    let run = view.runs.first().unwrap();
    let before = prompt::prompts_before(&view.runs, run, &run.attempts[0]);
    let whats: Vec<&str> = before.iter().map(|before| &*before.what).collect();
    assert_eq!(whats, ["run 0"]);
    assert!(before[0].same > 0);
    // The names by which one can look at a stream: those who play, then the characters.
    assert!(stream::viewed_as(&view).contains(&id!("keeper")));
    let dialogue = RunFilter {
        stage: Some(crate::engine::Stage::Dialogue),
        ..RunFilter::default()
    };
    let narrator = RunFilter {
        stage: Some(crate::engine::Stage::Narrator),
        ..RunFilter::default()
    };
    assert!(dialogue.shows(run) && !narrator.shows(run));
}

#[test]
fn i3_runs_can_be_filtered() {
    let mut app = after_a_run();
    let filtered = |filter| Selection {
        runs: filter,
        ..Selection::default()
    };
    let shows = |app: &mut App, filter| painted(app, filtered(filter)).contains("7 Validation");
    let status = |status| RunFilter {
        status: Some(status),
        ..RunFilter::default()
    };
    assert!(shows(&mut app, status(RunStatus::Retried)));
    assert!(!shows(&mut app, status(RunStatus::Accepted)));
    let words = |words: &str| RunFilter {
        words: words.to_owned(),
        ..RunFilter::default()
    };
    let npc = |npc: &str| RunFilter {
        npc: Some(npc.to_owned()),
        ..RunFilter::default()
    };
    assert!(shows(&mut app, npc("keeper")));
    assert!(!shows(&mut app, npc("cook")));
    assert!(shows(&mut app, words("RIVER")));
    assert!(!shows(&mut app, words("mountain")));
}

#[test]
fn i3_a_retry_shows_what_differs_from_the_attempt_before() {
    let mut app = after_a_run();
    let mut watched = Watched::new(on(Tab::Prompt));
    watched.click(&mut app, "What differs from attempt 0");
    watched.assert_shows(
        &mut app,
        &["characters are those of attempt 0: a cache can keep", "+ "],
    );
}

#[test]
fn i3_a_chosen_attempt_stays_when_another_run_begins() {
    let mut app = after_a_run();
    let mut watched = Watched::new(Selection::default());
    watched.click(&mut app, "attempt 0");
    let request = crate::npc::Request::speech("player", "player", "And the bridge?");
    crate::npc::submit::submit_request(app.world_mut(), "keeper", request);
    for _ in 0..10 {
        app.update();
    }
    watched.assert_shows(&mut app, &["run 0, keeper", "ProhibitionViolated"]);
    // "The whole prompt" is that of this attempt.
    watched.click(&mut app, "5 Prompt");
    watched.click(&mut app, "the whole prompt");
    watched.assert_shows(&mut app, &["run 0, keeper", "system"]);
    assert_eq!(watched.selection.attempt, Some(0));
}
