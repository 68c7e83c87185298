//! A model that obeys the schema and nothing else (contract row P13): each of its replies can be read, every field is reached,
//! and what the gate makes of it is printed.

use crate::engine::ScriptedEngine;
use crate::pipeline::{AssembledPrompt, AttemptLog};
use crate::proposal::{MutationKind, MutationValue};
use crate::testing::{RandomReplies, TestGame};
use crate::world::GameWrite;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The shipped tower with its wizard and the traveller, who likes to meddle with the world between two talks.
fn tower(seed: u64) -> (TestGame, bevy::prelude::Entity) {
    let assets = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets");
    let mut game = TestGame::new(RandomReplies::new(seed));
    game.install_story_file(assets.join("tower.story.ron"));
    let wizard = game.spawn_npc_file(assets.join("npcs/wizard.npc.ron"));
    (game, wizard)
}

/// Every `type` with every field of its objects, in a reply.
fn note_fields(reply: &serde_json::Value, reached: &mut BTreeSet<String>) {
    for list in ["mutations", "intents"] {
        for entry in reply[list].as_array().into_iter().flatten() {
            let kind = entry["type"].as_str().unwrap_or_default();
            for (field, value) in entry.as_object().into_iter().flatten() {
                if !value.is_null() {
                    reached.insert(format!("{list} {kind} {field}"));
                }
            }
        }
    }
}

#[test]
#[allow(clippy::print_stdout, reason = "row P13 asks for the rates")]
fn p13_whatever_a_schema_allows_can_be_read_and_every_field_is_reached() {
    let mut reached = BTreeSet::new();
    let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
    let (mut attempts, mut passed, mut remembered) = (0, 0, 0);
    for seed in 0..4 {
        let (mut game, wizard) = tower(seed);
        for round in 0..30 {
            let near = ["tower", "yard"][round % 2];
            let at = crate::world::Placement::In(near.parse().unwrap());
            let write = GameWrite::place(crate::id!("player"), at);
            let _ = write.apply(game.world_mut());
            game.talk(wizard, "What do you make of the moon, the key and me?");
        }
        let world = game.world_mut();
        for log in world.query::<&AttemptLog>().iter(world) {
            for attempt in log.0.iter() {
                attempts += 1;
                let reply = attempt.reply.as_deref().unwrap_or_default();
                let read = attempt.proposal.as_ref();
                assert!(read.is_some_and(Result::is_ok), "{read:?} in {reply}");
                note_fields(&serde_json::from_str(reply).unwrap(), &mut reached);
                let Some(verdict) = &attempt.verdict else {
                    continue;
                };
                passed += usize::from(verdict.passed);
                let proposed = read.and_then(|read| read.as_ref().ok());
                let proposed = proposed.map_or(0, |proposal| proposal.mutations.len());
                remembered += proposed - verdict.rejected_mutations.len();
                for failure in &verdict.failures {
                    let reason = format!("{:?} {}", failure.reason, failure.rule);
                    *reasons.entry(reason).or_default() += 1;
                }
                for rejected in &verdict.rejected_mutations {
                    let reason = format!("{} rejected: {:?}", rejected.kind, rejected.reason);
                    *reasons.entry(reason).or_default() += 1;
                }
            }
        }
    }
    println!("{attempts} replies, {passed} passed, {remembered} mutations approved");
    for (reason, count) in &reasons {
        println!("{count:6}  {reason}");
    }
    for kind in MutationKind::ALL {
        for field in kind.fields() {
            let spoken_of = !matches!(field.value, MutationValue::Unused | MutationValue::Action);
            let name = format!("mutations {kind} {}", field.name);
            assert_eq!(reached.contains(&name), spoken_of, "{name}: {reached:?}");
        }
    }
    for action in [
        "speak content",
        "speak to",
        "give target",
        "give to",
        "open target",
        "open tool",
    ] {
        let name = format!("intents {action}");
        assert!(reached.contains(&name), "{name}: {reached:?}");
    }
    assert!(
        passed * 4 > attempts,
        "{passed} of {attempts} replies passed"
    );
}

#[test]
fn p13_a_model_that_obeys_can_form_a_memory_that_matters() {
    let (mut game, wizard) = tower(3);
    for _ in 0..40 {
        game.talk(wizard, "Tell me of the key.");
    }
    let mind = game.mind(wizard);
    let halves = |n: i64| n != 500_000;
    assert!(
        mind.episodes.iter().any(|e| halves(e.significance.0)),
        "a significance of its own"
    );
    assert!(
        mind.beliefs.iter().any(|(_, b)| b.confidence.0 != 800_000),
        "a confidence of its own"
    );
    assert!(mind.relationships.iter().len() > 0, "a relationship");
    // And the prompt shows them: the beliefs with their ids, what is felt in words.
    let prompt = game.last_run::<AssembledPrompt>().text();
    assert!(
        prompt.contains("## How you feel about the speaker"),
        "{prompt}"
    );
    let ids: Vec<String> = mind_ids(&game, wizard);
    assert!(
        ids.iter().any(|id| prompt.contains(&format!("- {id}: "))),
        "{prompt}"
    );
}

fn mind_ids(game: &TestGame, npc: bevy::prelude::Entity) -> Vec<String> {
    let beliefs = game.mind(npc).beliefs.iter();
    beliefs.map(|(id, _)| id.to_string()).collect()
}

#[test]
fn p13_the_words_of_the_format_name_every_field_that_is_read() {
    for prose in [false, true] {
        let mut engine = ScriptedEngine::saying(["Well."]);
        if prose {
            let mut identity = crate::engine::EngineIdentity::new("test", "test");
            identity.capabilities.json = false;
            engine = engine.with_identity(identity);
        }
        let mut game = TestGame::new(engine);
        let wizard = game.spawn_npc("(id: \"wizard\")");
        game.talk(wizard, "Hello");
        let prompt = game.last_run::<AssembledPrompt>().text();
        for kind in MutationKind::ALL {
            if kind == MutationKind::EmitWorldIntent {
                continue;
            }
            assert!(
                prompt.contains(&format!("{{\"type\": \"{kind}\"")),
                "{kind}: {prompt}"
            );
            assert_eq!(
                prompt.contains(&format!("[MUTATION: {kind}")),
                prose,
                "{kind}: {prompt}"
            );
            for field in kind.fields() {
                let named = prompt.contains(&format!("\"{}\": ", field.name));
                assert!(
                    named || field.value == MutationValue::Unused,
                    "{}",
                    field.name
                );
            }
        }
    }
}
