//! The trace: everything that happened, as JSON with sorted keys and no wall clock.

use super::load::Scenario;
use crate::adventure::played::PlayedTurns;
use crate::adventure::{AdventureRecord, Lorebook, Message, Personas, Stream};
use crate::base::canonical::Digest;
use crate::base::counters::DramatisCounters;
use crate::base::fixed::Millionths;
use crate::base::ids::Id;
use crate::base::seed::WorldSeed;
use crate::engine::{PromptMessage, Stage};
use crate::gate::Failure;
use crate::memory::{DormantMinds, Mind, Relationship};
use crate::npc::LoadedCharacter;
use crate::npc::doing::doing;
use crate::pipeline::run::retraction::{Retracted, Retraction};
use crate::pipeline::steps::mutation::{AppliedChanges, ApprovedIntents};
use crate::pipeline::{
    AttemptError, AttemptLog, AttemptRecord, HeardSentences, InteractionContext, MutationReport,
    Outcome, Retractions, RetrievedContext, Run, StageTask,
};
use crate::plans::{Plan, Plans};
use crate::town::life::Life;
use crate::town::meet::ToldNews;
use crate::world::{Groups, Intent, TurnRecord, WorldRead, WorldView};
use bevy::prelude::*;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// A run that has ended. `None` when the entity is not a run, or not over.
pub(super) fn run_json(world: &World, entity: Entity) -> Option<Value> {
    let run = world.get::<Run>(entity)?;
    let outcome = world.get::<Outcome>(entity)?;
    let context = world.get::<InteractionContext>(entity)?;
    let attempts: Vec<Value> = world
        .get::<AttemptLog>(entity)?
        .0
        .iter()
        .map(|record| attempt_json(record, &heard_of_attempt(world, entity, record)))
        .collect();
    let report = world
        .get::<MutationReport>(entity)
        .cloned()
        .unwrap_or_default();
    let rejected: Vec<Value> = report
        .rejected
        .iter()
        .map(|r| json!({"type": r.kind, "reason": r.reason}))
        .collect();
    let intents = world
        .get::<ApprovedIntents>(entity)
        .cloned()
        .unwrap_or_default();
    let changes = world
        .get::<AppliedChanges>(entity)
        .cloned()
        .unwrap_or_default();
    let fallback = match outcome {
        Outcome::Fallback { tier, .. } => json!({ "tier": tier }),
        _ => Value::Null,
    };
    let retrieved = world
        .get::<RetrievedContext>(entity)
        .cloned()
        .unwrap_or_default();
    let heard = world
        .get::<HeardSentences>(entity)
        .map(HeardSentences::line);
    let heard = heard.filter(|line| !line.is_empty());
    let spoken = heard.as_deref().or(outcome.line());
    let tells = matches!(
        run.stage(),
        Stage::Dialogue | Stage::Narrator | Stage::Recap
    );
    Some(json!({
        "npc": match world.get::<StageTask>(entity) {
            Some(task) => json!(task.npc),
            None => json!(run.npc()),
        },
        "stage": run.stage().snake_case(),
        "trigger": match run.stage() {
            // Nothing has called for it.
            stage if stage.is_background() => Value::Null,
            _ => json!(context.reason),
        },
        "outcome": outcome.name(),
        "dialogue": spoken.filter(|_| tells),
        "heard": heard_of_run(world, entity),
        "fallback": fallback,
        "attempts": attempts,
        "mutations": {
            "attempted": report.attempted,
            "succeeded": report.succeeded,
            "failed": report.failed,
            "rejected": rejected,
        },
        "changes": changes.0,
        "time": context.game_time,
        "intents": intents.0.iter().map(intent_json).collect::<Vec<_>>(),
        "retrieved": retrieved.summary(),
    }))
}

/// The sentences of a dialogue run in the order in which they were heard; a line that was heard as a whole is one.
fn heard_of_run(world: &World, entity: Entity) -> Vec<String> {
    let run = world.get::<Run>(entity);
    if run.is_none_or(|run| run.stage() != Stage::Dialogue) {
        return Vec::new();
    }
    if let Some(heard) = world.get::<HeardSentences>(entity) {
        return heard
            .iter()
            .map(|sentence| sentence.words.clone())
            .collect();
    }
    let line = world.get::<Outcome>(entity).and_then(Outcome::line);
    let line = line.filter(|line| !line.is_empty());
    line.map(str::to_owned).into_iter().collect()
}

/// What an attempt has added to what was heard.
fn heard_of_attempt(world: &World, entity: Entity, record: &AttemptRecord) -> Vec<String> {
    match world.get::<HeardSentences>(entity) {
        Some(heard) => {
            let own = heard.iter();
            let own = own.filter(|one| one.attempt == record.index && !one.authored);
            own.map(|sentence| sentence.words.clone()).collect()
        }
        None if record.passed => heard_of_run(world, entity),
        None => Vec::new(),
    }
}

fn attempt_json(record: &AttemptRecord, heard: &[String]) -> Value {
    let constraints: Vec<Value> = record
        .constraints
        .iter()
        .map(|c| json!({"id": c.id, "kind": c.kind, "severity": c.severity}))
        .collect();
    let verdict = record.verdict.clone().unwrap_or_default();
    let messages = messages_json(&record.messages);
    let choice = record.choice.as_ref();
    let calls = choice.and_then(|choice| choice.call.as_ref()).map(|call| {
        json!({
            "stage": call.stage.snake_case(),
            "messages": messages_json(&call.messages),
            "reply": call.reply,
            "error": call.error,
        })
    });
    let mut calls: Vec<Value> = calls.into_iter().collect();
    // A prompt that is too long for the engine is not sent, and who cannot speak is not asked for words.
    if record.error != Some(AttemptError::ContextLimit) && !messages.is_empty() {
        calls.push(json!({
            "stage": record.stage.snake_case(),
            "messages": messages,
            "reply": record.reply,
            "error": record.error,
        }));
    }
    let warnings = choice.iter().flat_map(|choice| &choice.warnings);
    let warnings = warnings.chain(&verdict.warnings);
    json!({
        "index": record.index,
        "snapshot": record.snapshot.to_hex(),
        "seed": record.seed.to_string(),
        "messages": messages,
        "prompt": record.prompt,
        "sections": record.sections,
        "cut": record.cut,
        "constraints": constraints,
        "reply": record.reply,
        "error": record.error,
        "calls": calls,
        "options": choice.map(|choice| &*choice.options).unwrap_or_default(),
        "choice": choice.and_then(|choice| choice.chosen.as_ref()),
        "passed": record.passed,
        "heard": heard,
        "aborted": record.arrived.aborted,
        "failures": verdict.failures.iter().map(failure_json).collect::<Vec<_>>(),
        "actions": verdict.actions,
        "rejected": verdict.rejected_intents,
        "warnings": warnings.map(failure_json).collect::<Vec<_>>(),
    })
}

fn messages_json(messages: &[PromptMessage]) -> Vec<Value> {
    let messages = messages.iter();
    let messages = messages.map(|message| json!({"role": message.role, "text": &*message.content}));
    messages.collect()
}

fn failure_json(failure: &Failure) -> Value {
    json!({
        "reason": failure.reason,
        "rule": failure.rule,
        "severity": failure.severity,
        "span": failure.span,
        "message": failure.message,
    })
}

fn intent_json(intent: &Intent) -> Value {
    let mut value = serde_json::to_value(intent).unwrap_or_default();
    if let Some(map) = value.as_object_mut() {
        map.insert("result".to_owned(), "OK".into());
    }
    value
}

/// A turn that an actor took, with its words, its actions and their verdicts.
pub(super) fn turn_json(record: &TurnRecord) -> Value {
    let mut turn = serde_json::to_value(record).unwrap_or_default();
    if let Some(map) = turn.as_object_mut() {
        // Only turns of an adventure can fail, and only they have messages.
        map.insert("status".to_owned(), "Committed".into());
        map.insert("failed_stage".to_owned(), Value::Null);
        map.insert("error".to_owned(), Value::Null);
        map.insert("messages".to_owned(), json!([]));
    }
    turn
}

/// A turn of an adventure.
pub(super) fn adventure_turn_json(record: &AdventureRecord) -> Value {
    let failure = record.failure.as_ref();
    json!({
        "kind": "adventure",
        "id": record.turn_id,
        "actor": record.persona,
        "text": record.text,
        "parsed": record.parsed,
        "rejected": record.rejected,
        "clarification": null,
        "actions": record.actions,
        "status": record.status(),
        "failed_stage": failure.and_then(|failure| failure.stage).map(Stage::snake_case),
        "error": failure.map(|failure| &failure.error),
        "messages": record.messages.iter().map(message_json).collect::<Vec<_>>(),
        "degraded": record.degraded.iter().map(|stage| stage.snake_case()).collect::<Vec<_>>(),
        "alternatives": 0,
        "for_review": record.for_review.iter().map(|(own, call)| json!({"npc": own, "call": call})).collect::<Vec<_>>(),
        "price": record.price,
        "rolls": record.rolls,
    })
}

fn message_json(message: &Message) -> Value {
    serde_json::to_value(message).unwrap_or_default()
}

fn retraction_json(retraction: &Retraction) -> Value {
    match &retraction.what {
        Retracted::Line(npc) => json!({"what": "line", "npc": npc, "kept": retraction.kept}),
        Retracted::Turn(turn) => json!({"what": "turn", "turn_id": turn, "kept": retraction.kept}),
        Retracted::Act { npc, turn } => {
            json!({"what": "act", "npc": npc, "turn_id": turn, "kept": retraction.kept})
        }
    }
}

/// Marks what was taken back, and says how often each turn was played.
pub(super) fn mark_retracted(world: &World, runs: &mut [(u64, Value)], turns: &mut [Value]) {
    let (mut lines, mut retracted): (BTreeSet<u64>, BTreeSet<u64>) = Default::default();
    let stream = world.get_resource::<Stream>();
    let taken_back = |turn: u64| stream.is_some_and(|stream| !stream.is_live_turn(turn));
    let shortened = |turn: u64| stream.and_then(|stream| stream.shortened().get(&turn).copied());
    for retraction in world
        .get_resource::<Retractions>()
        .iter()
        .flat_map(|all| all.iter())
    {
        match &retraction.what {
            Retracted::Line(_) => lines.extend(&retraction.runs),
            Retracted::Turn(turn) if taken_back(*turn) => {
                retracted.insert(*turn);
                lines.extend(&retraction.runs);
            }
            Retracted::Act { turn, .. } if taken_back(*turn) || shortened(*turn).is_some() => {
                lines.extend(&retraction.runs);
            }
            // It was picked again.
            Retracted::Turn(_) | Retracted::Act { .. } => {}
        }
    }
    let mark = |value: &mut Value| value["retracted"] = true.into();
    runs.iter_mut()
        .filter(|(number, _)| lines.contains(number))
        .for_each(|(_, run)| mark(run));
    let played = world.get_resource::<PlayedTurns>();
    for turn in turns.iter_mut() {
        if turn["kind"] != "adventure" || turn["status"] != "Committed" {
            continue;
        }
        let id = turn["id"].as_u64().unwrap_or_default();
        turn["alternatives"] = played.map_or(1, |played| played.alternatives(id)).into();
        let from = match retracted.contains(&id) {
            true => {
                mark(turn);
                Some(0)
            }
            false => shortened(id).map(u64::from),
        };
        if let Some(from) = from {
            let messages = turn["messages"].as_array_mut().into_iter().flatten();
            messages
                .filter(|message| message["seq"].as_u64().is_some_and(|seq| seq >= from))
                .for_each(mark);
        }
    }
}

/// All plans, with the places of their runs in the list of runs.
pub(super) fn plans_json(world: &World, runs: &[(u64, Value)]) -> Vec<Value> {
    let place = |number: &u64| runs.iter().position(|(run, _)| run == number);
    let shown = |plan: &Plan| {
        let mut shown = plan.to_json();
        let places: Vec<usize> = plan.runs.iter().filter_map(place).collect();
        shown["runs"] = places.into();
        shown
    };
    let plans = world.get_resource::<Plans>();
    plans.into_iter().flat_map(Plans::iter).map(shown).collect()
}

/// What is collected while a scenario is played, each list in the order in which it happened.
#[derive(Debug, Default)]
pub(super) struct TraceBuilder {
    /// Runs that have ended, in the order in which they were asked for.
    pub(super) runs: Vec<Value>,
    /// Turns that actors took.
    pub(super) turns: Vec<Value>,
    /// Requests and writes that were refused.
    pub(super) refused: Vec<Value>,
    /// Episodes that characters have forgotten.
    pub(super) forgotten: Vec<Value>,
    /// Plans, in the order in which they were asked for.
    pub(super) plans: Vec<Value>,
    /// What the player was offered to say.
    pub(super) offers: Vec<Value>,
    /// Lines that were spoken while a character was thinking.
    pub(super) thinking: Vec<Value>,
}

impl TraceBuilder {
    /// Adds the prose of an actor's turn.
    pub(super) fn tell(&mut self, turn: u64, text: &str, by_engine: bool) {
        let mut turns = self.turns.iter_mut();
        let told = turns.find(|one| one["kind"] != "adventure" && one["id"] == turn);
        if let Some(told) = told {
            told["told"] = json!({"text": text, "by_engine": by_engine});
        }
    }
}

/// The whole trace, with its hash.
pub(super) fn trace_json(world: &mut World, scenario: &Scenario, collected: TraceBuilder) -> Value {
    let state = WorldView::new(world).to_state();
    let facts = state.facts.iter();
    let facts: Map<String, Value> = facts
        .map(|(key, value)| (key.clone(), value.to_json()))
        .collect();
    let counters = world
        .get_resource::<DramatisCounters>()
        .copied()
        .unwrap_or_default();
    let mut counted = json!(counters);
    for name in DramatisCounters::LEFT_OUT {
        if counted[name].is_null() {
            counted[name] = 0.into();
        }
    }
    let minds = minds(world);
    let memory: Map<String, Value> = minds
        .iter()
        .map(|(id, mind)| (id.to_string(), mind_json(id, mind)))
        .collect();
    let mut states: Map<String, Value> = minds
        .iter()
        .map(|(id, mind)| (id.to_string(), states_json(&mind.states)))
        .collect();
    let personas = world
        .get_resource::<Personas>()
        .cloned()
        .unwrap_or_default();
    for (id, persona) in personas.0 {
        let written = scenario
            .spec
            .personas
            .iter()
            .any(|spec| spec.id == id.as_str());
        if written || !persona.states.is_empty() {
            let shown = serde_json::to_value(&persona.states).unwrap_or_default();
            states.entry(id.to_string()).or_insert(shown);
        }
    }
    let book = world.get_resource::<Lorebook>();
    let lore: Vec<Value> = book
        .map(Lorebook::entries)
        .unwrap_or_default()
        .iter()
        .map(|entry| json!({"key": entry.key, "text": entry.text, "fixed": entry.fixed, "history": entry.history}))
        .collect();
    let stream: Vec<Value> = world
        .get_resource::<Stream>()
        .map(|stream| {
            let messages = stream.messages().iter();
            let shown = messages.map(|message| {
                let mut shown = message_json(message);
                if !stream.is_live(message) {
                    shown["retracted"] = true.into();
                }
                shown
            });
            shown.collect()
        })
        .unwrap_or_default();
    let retractions: Vec<Value> = world
        .get_resource::<Retractions>()
        .map(|all| all.iter().map(retraction_json).collect())
        .unwrap_or_default();
    let mut trace = json!({
        "scenario": scenario.spec.name,
        "seed": world.resource::<WorldSeed>().0,
        "runs": collected.runs,
        "turns": collected.turns,
        "plans": collected.plans,
        "world": state.to_json(),
        "world_facts": facts,
        "memory": memory,
        "stream": stream,
        "counters": counted,
        "states": states,
        "lore": lore,
        "refused": collected.refused,
        "forgotten": collected.forgotten,
        "thinking": collected.thinking,
        "retractions": retractions,
        "characters": characters_json(world),
        "blocked": blocked_json(world),
        "groups": groups_json(world),
        "news": news_json(world),
        "offers": collected.offers,
    });
    let hash = Digest::of(&trace).to_hex();
    if let Some(map) = trace.as_object_mut() {
        map.insert("hash".to_owned(), hash.into());
    }
    trace
}

/// Where each character in the game is, and what it does there, by its id.
fn characters_json(world: &mut World) -> Vec<Value> {
    let mut cast = world.query::<&LoadedCharacter>();
    let cast = cast.iter(world).map(|npc| npc.0.id.clone());
    let cast: BTreeSet<Id> = cast.collect();
    let view = WorldView::new(world);
    let shown = cast.iter().map(|id| {
        let doing = doing(world, id).map(|doing| doing.text);
        let doing = doing.filter(|doing| !doing.is_empty());
        json!({"id": id, "place": view.place_of(id), "doing": doing})
    });
    shown.collect()
}

/// What characters have told one another, in order.
fn news_json(world: &World) -> Vec<Value> {
    let told = world.get_resource::<ToldNews>();
    let told = told.into_iter().flat_map(|told| &told.0);
    let shown = told.map(|told| {
        json!({
            "from": told.from,
            "to": told.to,
            "origin": {"npc": told.origin.0, "id": told.origin.1},
            "hops": told.hops,
            "game_ms": told.time,
        })
    });
    shown.collect()
}

/// The members of each group, and its standing towards others now, by its id.
fn groups_json(world: &World) -> Value {
    let groups = world.get_resource::<Groups>().cloned().unwrap_or_default();
    let shown: Map<String, Value> = groups
        .iter()
        .map(|(id, group)| {
            let standing = groups.standings(id);
            let shown = json!({"members": group.members, "standing": standing});
            (id.to_owned(), shown)
        })
        .collect();
    shown.into()
}

/// The steps of routines that could not be taken, in order.
fn blocked_json(world: &mut World) -> Vec<Value> {
    let mut living = world.query::<(&LoadedCharacter, &Life)>();
    let living = living.iter(world);
    let blocked = living.flat_map(|(npc, life)| {
        let blocked = life.blocked.iter();
        blocked.map(|blocked| (blocked.at, &npc.0.id, blocked))
    });
    let mut blocked: Vec<_> = blocked.collect();
    blocked.sort_by_key(|(at, npc, _)| (*at, *npc));
    let shown = blocked.into_iter().map(
        |(_, npc, blocked)| json!({"npc": npc, "to": blocked.to, "reason": blocked.reason.name()}),
    );
    shown.collect()
}

/// What every character remembers, by its id; those of despawned characters too.
fn minds(world: &mut World) -> BTreeMap<Id, &Mind> {
    let mut awake = world.query::<(&LoadedCharacter, &Mind)>();
    let world = &*world;
    let mut minds: BTreeMap<Id, &Mind> = world
        .get_resource::<DormantMinds>()
        .map(|dormant| {
            dormant
                .iter()
                .map(|(id, mind)| (id.clone(), mind))
                .collect()
        })
        .unwrap_or_default();
    let awake = awake.iter(world);
    minds.extend(awake.map(|(persona, mind)| (persona.0.id.clone(), mind)));
    minds
}

fn mind_json(npc: &Id, mind: &Mind) -> Value {
    let episodes: Vec<Value> = mind
        .episodes
        .iter()
        .map(|episode| {
            let hearsay = episode.hearsay.as_deref();
            let (witness, id) = episode.origin(npc);
            json!({
                "hops": episode.hops(),
                "origin": {"npc": witness, "id": id},
                "way": hearsay.map(|told| &*told.way).unwrap_or_default(),
                "history": hearsay.map(|told| &*told.history).unwrap_or_default(),
                "id": episode.id,
                "text": episode.text,
                "significance": episode.significance,
                "provenance": episode.provenance.to_string(),
                "game_ms": episode.time,
                "pinned": episode.pinned,
                "private": episode.private,
                "participants": episode.participants,
                "place": episode.place,
                "sources": episode.sources(),
            })
        })
        .collect();
    let beliefs: Vec<Value> = mind
        .beliefs
        .iter()
        .map(|(id, belief)| {
            json!({
                "id": id,
                "text": belief.text,
                "confidence": belief.confidence,
                "contradicts_canon": belief.contradicts_canon,
            })
        })
        .collect();
    let fraction = |m: Millionths| Value::String(m.to_string());
    let relationships: Map<String, Value> = mind
        .relationships
        .iter()
        .map(|(other, r)| {
            let parts = |r: &Relationship| {
                json!({
                    "affinity": fraction(r.affinity),
                    "trust": fraction(r.trust),
                    "familiarity": fraction(r.familiarity),
                })
            };
            let causes = mind.relationships.causes(other).map(|cause| {
                json!({"game_ms": cause.time, "text": cause.text, "change": parts(&cause.change)})
            });
            let mut shown = parts(r);
            shown["causes"] = causes.collect();
            (other.to_string(), shown)
        })
        .collect();
    json!({"episodes": episodes, "beliefs": beliefs, "relationships": relationships})
}

fn states_json(states: &[(String, String, u8)]) -> Value {
    states
        .iter()
        .map(|(label, category, level)| json!({"label": label, "category": category, "level": level}))
        .collect()
}
