//! The eight promises of the whole pipeline, each from the player's words to their effects: valid input, constraints, canon, retries,
//! fallbacks, memory, retrieval, and the actions of characters.

use super::talk::accepted;
use super::{HALL, WIZARD};
use bevy::prelude::*;
use bevy_dramatis::base::Digest;
use bevy_dramatis::engine::ScriptedEngine;
use bevy_dramatis::gate::{FailureReason, Verdict};
use bevy_dramatis::pipeline::{
    AppliedChanges, ApprovedIntents, CallInFlight, ConstraintSet, InteractionContext,
    MutationReport, Outcome, RetrievedContext,
};
use bevy_dramatis::testing::{GameEvent, SpokenLine, TestGame, world_digest};
use bevy_dramatis::world::actions::Open;
use bevy_dramatis::world::{WorldRead, WorldValue, WorldView};

const KINGDOM: &str = r#"(
    canon: [(id: "king", text: "The king is named Arthur", contradicted_by: ["king is called bob"])],
    world_facts: {"weather": "rain"},
)"#;

const REMEMBERS: &str = r#"{"dialogue": "I shall remember that.", "mutations": [
    {"type": "AppendEpisodic", "content": "Ann lost her hat."},
    {"type": "TransformBelief", "target": "ann", "content": "Ann is careless."}]}"#;

fn game(story: &str, replies: &[&str]) -> (TestGame, Entity) {
    let mut game = TestGame::new(ScriptedEngine::saying(replies.iter().copied()));
    game.install_story(story);
    let wizard = game.spawn_npc(WIZARD);
    (game, wizard)
}

/// Everything that a run may change: the world, and what the character remembers.
fn state(game: &mut TestGame, npc: Entity) -> (String, Vec<String>, Vec<String>) {
    let mind = game.mind(npc);
    let episodes = mind.episodes.iter().map(|episode| episode.text.clone());
    let beliefs = mind.beliefs.iter().map(|belief| format!("{belief:?}"));
    let (episodes, beliefs) = (episodes.collect(), beliefs.collect());
    (world_digest(game.world_mut()).to_hex(), episodes, beliefs)
}

fn reasons(game: &TestGame, attempt: usize) -> Vec<FailureReason> {
    let verdict = game.attempts()[attempt].verdict.as_ref().unwrap();
    verdict
        .failures
        .iter()
        .map(|failure| failure.reason)
        .collect()
}

/// The outputs of the components that a run received, in order.
#[derive(Resource, Default)]
struct Outputs(Vec<&'static str>);

fn note<C: Component>(game: &mut TestGame, name: &'static str) {
    game.app
        .add_observer(move |_: On<Add, C>, mut outputs: ResMut<Outputs>| outputs.0.push(name));
}

#[test]
fn full_pipeline_valid_input_completes_successfully() {
    let (mut game, wizard) = game(KINGDOM, &[REMEMBERS]);
    game.app.init_resource::<Outputs>();
    note::<InteractionContext>(&mut game, "interaction");
    note::<ConstraintSet>(&mut game, "expectancy");
    note::<RetrievedContext>(&mut game, "retrieval");
    note::<CallInFlight>(&mut game, "inference");
    note::<Verdict>(&mut game, "validation");
    note::<MutationReport>(&mut game, "mutation");
    note::<Outcome>(&mut game, "outcome");
    game.talk(wizard, "I lost my hat.");
    assert_eq!(
        game.world().resource::<Outputs>().0,
        [
            "interaction",
            "expectancy",
            "retrieval",
            "inference",
            "validation",
            "mutation",
            "outcome"
        ]
    );
    let attempt = &game.attempts()[0];
    assert!(attempt.passed && attempt.snapshot != Digest::default() && !attempt.prompt.is_empty());
    assert_eq!(game.last_run::<MutationReport>().succeeded, 2);
    assert_eq!(game.take_outcomes(), [accepted("I shall remember that.")]);
    assert_eq!(
        game.take_lines(),
        [SpokenLine::reply("I shall remember that.")]
    );
}

#[test]
fn full_pipeline_with_constraints_enforces_constraints() {
    let (mut game, wizard) = game(KINGDOM, &["It is a secret.", "Good evening."]);
    game.talk(wizard, "What do you hide?");
    let made = game.last_run::<ConstraintSet>();
    assert!(made.ids().any(|id| id == "no_secret"));
    assert!(
        game.attempts()[0]
            .prompt
            .contains("Never speak of the secret.")
    );
    assert_eq!(reasons(&game, 0), [FailureReason::ProhibitionViolated]);
    // The player did not hear the reply that broke the rule.
    assert_eq!(game.take_lines(), [SpokenLine::reply("Good evening.")]);
}

#[test]
fn full_pipeline_with_canonical_facts_protects_facts() {
    let lie = r#"{"dialogue": "The king is called Bob.", "mutations": [{"type": "AppendEpisodic", "content": "The king changed."}]}"#;
    let (mut game, wizard) = game(KINGDOM, &[lie, lie, lie]);
    let before = state(&mut game, wizard);
    game.talk(wizard, "Who is the king?");
    assert_eq!(reasons(&game, 0), [FailureReason::CanonContradiction]);
    assert_eq!(state(&mut game, wizard), before);
    assert_eq!(game.take_lines(), [SpokenLine::fallback("Hm.")]);
    let retrieved = game.last_run::<RetrievedContext>().summary();
    assert_eq!(retrieved["canon"].as_array().map(Vec::len), Some(1));
    assert!(
        game.attempts()[0]
            .prompt
            .contains("The king is named Arthur")
    );
}

#[test]
fn full_pipeline_invalid_output_triggers_retry() {
    let (mut game, wizard) = game(KINGDOM, &["My secret is old.", "Good evening."]);
    game.talk(wizard, "Hello?");
    let ids = |attempt: usize| -> Vec<String> {
        let attempt = &game.attempts()[attempt];
        attempt.constraint_ids().map(str::to_owned).collect()
    };
    assert_eq!(game.attempts().len(), 2);
    assert_eq!(ids(0), ["no_secret"]);
    assert_eq!(ids(1), ["no_secret", "retry_no_secret_0"]);
    assert!(game.attempts()[1].passed);
    assert_eq!(game.take_outcomes(), [accepted("Good evening.")]);
}

#[test]
fn full_pipeline_max_retries_exceeded_uses_fallback() {
    let lie = REMEMBERS.replace("I shall remember that.", "It is a secret.");
    let (mut game, wizard) = game(KINGDOM, &[&lie, &lie, &lie]);
    let before = state(&mut game, wizard);
    game.talk(wizard, "I lost my hat.");
    assert_eq!(game.attempts().len(), 3);
    assert!(game.attempts().iter().all(|attempt| !attempt.passed));
    assert_eq!(game.take_lines(), [SpokenLine::fallback("Hm.")]);
    assert!(matches!(
        game.take_outcomes()[..],
        [Outcome::Fallback { .. }]
    ));
    assert_eq!(state(&mut game, wizard), before, "nothing else has changed");
    assert_eq!(game.last_run::<MutationReport>().attempted, 0);
}

#[test]
fn full_pipeline_memory_mutation_executes_approved_mutations() {
    let (mut game, wizard) = game(KINGDOM, &[REMEMBERS]);
    game.talk(wizard, "I lost my hat.");
    let (_, episodes, beliefs) = state(&mut game, wizard);
    assert_eq!(
        episodes,
        [
            "Ann saved the cat.",
            "Ann lost her hat.",
            "player: \"I lost my hat.\" You: \"I shall remember that.\""
        ]
    );
    assert!(beliefs[0].contains("Ann is careless."), "{beliefs:?}");
    let report = game.last_run::<MutationReport>();
    assert_eq!(
        (report.attempted, report.succeeded, report.failed),
        (2, 2, 0)
    );
    let done: Vec<&str> = report.done.iter().map(|change| change.name()).collect();
    assert_eq!(done, ["AppendEpisodic", "TransformBelief"]);
    let told = game.take_events().into_iter();
    let told = told.filter(|event| matches!(event, GameEvent::Remembered(_)));
    assert_eq!(told.count(), 2);
}

#[test]
fn full_pipeline_context_retrieval_includes_relevant_memories() {
    let (mut game, wizard) = game(KINGDOM, &["I remember the cat."]);
    game.talk(wizard, "Do you remember the cat?");
    let retrieved = game.last_run::<RetrievedContext>();
    assert_eq!(
        retrieved.world_facts,
        [("weather".to_owned(), WorldValue::from("rain"))]
    );
    let summary = retrieved.summary();
    assert_eq!(summary["canon"].as_array().map(Vec::len), Some(1));
    let summary = summary.to_string();
    assert!(summary.contains("m1"), "{summary}");
    let prompt = &game.attempts()[0].prompt;
    for part in ["Ann saved the cat.", "The king is named Arthur", "rain"] {
        assert!(prompt.contains(part), "{part}: {prompt}");
    }
}

#[test]
fn full_pipeline_world_intent_dispatches_intent() {
    let opens = r#"{"dialogue": "Come in.", "intents": [{"type": "open", "target": "door"}]}"#;
    let (mut game, wizard) = game(HALL, &[opens]);
    game.talk(wizard, "May I come in?");
    let approved = &game.last_run::<ApprovedIntents>().0;
    assert_eq!(approved.len(), 1);
    assert_eq!(approved[0].kind(), "open");
    assert!(!game.last_run::<AppliedChanges>().0.is_empty());
    let opened = game.take_actions::<Open>();
    assert_eq!(opened.len(), 1);
    assert_eq!(opened[0].target, "door");
    let open = WorldView::new(game.world()).attribute("door", "open");
    assert_eq!(open, Some(WorldValue::Bool(true)));
}
