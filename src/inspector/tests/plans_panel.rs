//! The panel of the plans, in a game in which a character was asked for one.

use super::*;
use crate::engine::script::ReplyRecord;
use crate::engine::{ReplySpec, ScriptSpec, Stage};
use crate::plans::{PlanCommandsExt, PlanId, PlanSettings, PlanStatus, Plans, Profile};
use crate::testing::TestGame;

const STORY: &str = r#"(world: (locations: {"hall": (name: "Hall")}, entities: {
    "player": (name: "Ann", kind: "character", at: In("hall")),
    "rope": (name: "rope", kind: "item", at: In("hall"), attributes: {"takeable": true}),
}))"#;
const PORTER: &str =
    r#"(id: "porter", name: "Odo", location: "hall", fallbacks: (generic: ["Hm."]))"#;
const WISH: &str =
    r#"{"intent": "fetch", "confidence": 0.95, "context": {"thing": "rope", "to": "player"}}"#;
const STEPS: &str = r#"{"steps": [
    {"id": "s1", "action": {"type": "take", "target": "rope"}, "why": "to have it"},
    {"id": "s2", "needs": ["s1"], "action": {"type": "give", "target": "rope", "to": "player"}, "why": "it is wanted"}]}"#;

/// A game in which a plan for a wish waits for an answer.
pub(super) fn waiting_plan() -> App {
    let of = |stage, text: &str| {
        ReplySpec::Reply(ReplyRecord {
            stage: Some(stage),
            text: Some(text.to_owned()),
            ..ReplyRecord::default()
        })
    };
    let script = ScriptSpec {
        replies: vec![of(Stage::PlanIntent, WISH), of(Stage::Plan, STEPS)],
        repeat: true,
    };
    let engine = ScriptedEngine::new(&script).unwrap();
    let mut app = App::new();
    app.add_plugins((DramatisPlugins::new(engine), MemoryJournalPlugin))
        .insert_resource(PlanSettings {
            profile: Profile::Safe,
            ..PlanSettings::default()
        });
    let mut game = TestGame::from_app(app);
    game.install_story(STORY);
    let porter = game.spawn_npc(PORTER);
    let mut app = game.app;
    let mut commands = app.world_mut().commands();
    crate::plans::PlanCharacterExt::ask_plan(&mut commands.entity(porter), "Bring me the rope.");
    app.world_mut().flush();
    for _ in 0..12 {
        app.update();
    }
    assert_eq!(status(&app), PlanStatus::Pending);
    app
}

fn plan(app: &App) -> PlanId {
    app.world().resource::<Plans>().iter().last().unwrap().id
}

pub(super) fn status(app: &App) -> PlanStatus {
    let plans = app.world().resource::<Plans>();
    plans.iter().last().unwrap().status
}

#[test]
fn i3_a_plan_shows_its_steps_its_risk_and_its_gates() {
    let mut app = waiting_plan();
    let mut watched = Watched::new(on(Tab::Plans));
    watched.assert_shows(
        &mut app,
        &[
            "Bring me the rope.",
            "fetch (0.95 sure), thing: rope",
            "s1 take {target: rope}: to have it",
            "policy: CONFIRM (safe_asks)",
            "CONFIRM by policy, profile SAFE",
            "May it be carried out?",
        ],
    );
}

#[test]
fn i3_each_button_of_a_plan_is_an_answer_to_it() {
    for (button, answer) in [
        ("Yes", PlanAnswer::Approve as fn(PlanId) -> PlanAnswer),
        ("No", PlanAnswer::Deny),
        ("Another plan", PlanAnswer::Another),
    ] {
        let mut app = waiting_plan();
        let mut watched = Watched::new(on(Tab::Plans));
        watched.click(&mut app, button);
        let found = watched.selection.plan_answer;
        assert_eq!(found, Some(answer(plan(&app))), "{button}");
    }
}

#[test]
fn i3_a_plan_that_is_over_asks_nothing() {
    let mut app = waiting_plan();
    let id = plan(&app);
    app.world_mut().commands().approve_plan(id);
    for _ in 0..12 {
        app.update();
    }
    assert_eq!(status(&app), PlanStatus::Done);
    let mut watched = Watched::new(on(Tab::Plans));
    watched.assert_shows(&mut app, &["done, approved by player"]);
    assert!(!watched.words(&mut app).contains("May it be carried out?"));
}

/// A plan that was made by one model while another one serves now.
fn blocked_plan() -> App {
    let mut app = waiting_plan();
    let id = plan(&app);
    let mut plans = app.world_mut().resource_mut::<Plans>();
    let plan = plans.get_mut(id).unwrap();
    plan.status = PlanStatus::Blocked;
    plan.reason = Some("model_changed".to_owned());
    plan.model_now = plan.model.clone();
    plan.model_now.as_mut().unwrap().model = "another".to_owned();
    app
}

#[test]
fn i3_a_plan_of_another_model_offers_another_plan_and_names_both_models() {
    let mut app = blocked_plan();
    let mut watched = Watched::new(on(Tab::Plans));
    watched.assert_shows(
        &mut app,
        &[
            "another of",
            "Another model serves now.",
            "Another plan",
            "Cancel",
        ],
    );
    watched.click(&mut app, "Another plan");
    let found = watched.selection.plan_answer;
    assert_eq!(found, Some(PlanAnswer::Another(plan(&app))));
    let words = watched.words(&mut app);
    assert!(!words.contains("Another model serves now."), "{words}");
}

#[test]
fn i3_cancel_ends_the_question_and_asks_for_nothing() {
    let mut app = blocked_plan();
    let mut watched = Watched::new(on(Tab::Plans));
    watched.click(&mut app, "Cancel");
    assert_eq!(watched.selection.plan_answer, None);
    let words = watched.words(&mut app);
    assert!(!words.contains("Another model serves now."), "{words}");
}

#[test]
fn i3_a_plan_is_judged_by_edited_rules() {
    let mut app = waiting_plan();
    let seq = {
        use crate::journal::Recorded;
        let journal = app.world().resource::<crate::journal::MemoryJournal>();
        let recording = journal.recording();
        let mut records = recording.records.iter();
        let proposed = records.rfind(|record| record.kind == crate::journal::RecordKind::Plan);
        proposed.map_or(recording.count(), |record| record.seq)
    };
    let selection = Selection {
        record: Some(seq),
        ..on(Tab::Journal)
    };
    let mut watched = Watched::new(selection);
    watched.click(&mut app, "What if?");
    let words = super::what_if::judge(&mut watched, &mut app);
    let asks = "failed by safe_asks, profile";
    let same = format!("then: {asks} now: {asks}");
    assert!(words.contains(&same), "{words}");
    let holds = "It holds by the rules as they are.";
    assert!(words.contains(holds), "{words}");
    let edited = PORTER.replace(r#"name: "Odo""#, r#"name: "Odo", may: ["take"]"#);
    let what_if = &mut watched.selection.what_if;
    what_if.characters.insert(id!("porter"), edited);
    let words = super::what_if::judge(&mut watched, &mut app);
    assert!(words.contains("now: failed by not_allowed"), "{words}");
    let steps = crate::replay::regate::ReplyKey { seq, attempt: 0 };
    let what_if = &mut watched.selection.what_if;
    what_if.characters.clear();
    what_if.replies.insert(steps, STEPS.replace("rope", "moon"));
    let words = super::what_if::judge(&mut watched, &mut app);
    assert!(
        words.contains(&format!("then: {asks} now: failed by")),
        "{words}"
    );
}
