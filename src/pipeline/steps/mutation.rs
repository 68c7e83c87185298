//! Component 8, mutation and effects: approved changes happen, all or nothing.
//!
//! This is one exclusive system. It judges once more against the live world, builds the new mind next to the old one, and then
//! swaps them.

use super::interaction::InteractionContext;
use super::snapshot::StateSnapshot;
use super::validation::{
    Pending, action_context, closed_since, frozen_topics, rule_set, said_of_closed,
};
use crate::base::canonical::draw;
use crate::base::clock::DramatisClock;
use crate::base::counters::DramatisCounters;
use crate::base::extension::{ExtensionError, ask_called};
use crate::base::fixed::Millionths;
use crate::commit::applied::AppliedAction;
use crate::commit::{Committed, commit};
use crate::events::{NotRemembered, Remembered, Spoke};
use crate::gate::actions::{Recheck, recheck};
use crate::gate::words::{JudgedText, judge_closed_since};
use crate::gate::{
    Approved, Failure, FailureReason, Line, MemoryChange, RejectedMutation, Rejection, Verdict,
};
use crate::judged_world::words::reference::display_name;
use crate::memory::episode::{diary_id, model_episode_id, said_id};
use crate::memory::{Episode, Mind, NewBelief, Provenance};
use crate::npc::change_mind;
use crate::outbox::Outbox;
use crate::pipeline::driver::hook::RunStep;
use crate::pipeline::driver::step::{RunFault, Step, StepResult, run_component};
use crate::pipeline::listening::heard::{HeardSentences, hear};
use crate::pipeline::run::diary::{self, DiaryOf};
use crate::pipeline::run::finish::end_run;
use crate::pipeline::run::looking_back::{Remembers, add_exchange, note_end};
use crate::pipeline::run::outcome::Outcome;
use crate::pipeline::run::retraction::{MindBefore, note_line};
use crate::pipeline::run::said::{episode_of, said_episode};
use crate::pipeline::run::{Run, RunPhase};
use crate::proposal::MutationKind;
use crate::story::ActiveStory;
use crate::world::refresh::refresh;
use crate::world::{Intent, JudgedAction, JudgedChange, WorldRead, WorldView};
use bevy::prelude::*;
use serde::Serialize;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

/// What became of a reply's mutations. The commit puts it on the run; so does the end of a run that was not
/// accepted, with what the gate had rejected alone.
#[derive(Component, Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[component(storage = "SparseSet", immutable)]
pub struct MutationReport {
    /// How many approved mutations were executed: those that succeeded and those that failed.
    pub attempted: usize,
    /// How many were done.
    pub succeeded: usize,
    /// How many were undone, or never done, because one of the same kind failed: a kind is executed whole or not at all.
    pub failed: usize,
    /// Why they failed, one line for each kind.
    pub failures: Vec<String>,
    /// What the gate rejected alone, and what the world had closed by the time of the commit.
    pub(crate) rejected: Vec<RejectedMutation>,
    /// What was done, in the order of the reply.
    pub done: Vec<MemoryChange>,
}

/// The actions of an accepted run, in the order of the reply. The commit puts it on the run.
#[derive(Component, Debug, Clone, Default, PartialEq, Eq)]
#[component(storage = "SparseSet", immutable)]
pub struct ApprovedIntents(pub Vec<Intent>);

/// What the actions of an accepted run have changed in the judged world, in order. The commit puts it on the run.
#[derive(Component, Debug, Clone, Default, PartialEq, Eq)]
#[component(storage = "SparseSet", immutable)]
pub struct AppliedChanges(pub Vec<JudgedChange>);

type Guard = dyn Fn(&str, &MemoryChange) -> std::result::Result<(), ExtensionError> + Send + Sync;

/// A game's own say over what its characters remember, after the gate. It can only refuse.
#[derive(Resource, Clone, Default)]
pub(crate) struct MutationGuards(Vec<Arc<Guard>>);

impl MutationGuards {
    /// Adds a guard: it sees the NPC's id and the change, and answers with why it refuses.
    pub fn add(
        &mut self,
        guard: impl Fn(&str, &MemoryChange) -> std::result::Result<(), ExtensionError>
        + Send
        + Sync
        + 'static,
    ) {
        self.0.push(Arc::new(guard));
    }

    fn check(&self, npc: &str, change: &MemoryChange) -> std::result::Result<(), ExtensionError> {
        ask_called("a guard", || {
            self.0.iter().try_for_each(|guard| guard(npc, change))
        })
    }
}

impl fmt::Debug for MutationGuards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("MutationGuards")
            .field(&self.0.len())
            .finish()
    }
}

/// Executes changes on a mind: all or nothing for each type. `episode`: the parts of every new episode. Pure except for the
/// mind.
#[must_use]
pub(crate) fn execute(
    mind: &mut Mind,
    changes: &[MemoryChange],
    guards: &MutationGuards,
    context: &InteractionContext,
    ids: MemoryIds,
    episode: &Episode,
) -> (MutationReport, Vec<MemoryChange>) {
    let mut report = MutationReport {
        attempted: changes.len(),
        ..MutationReport::default()
    };
    let mut done = BTreeSet::new();
    let kinds: BTreeSet<MutationKind> = changes.iter().map(MemoryChange::kind).collect();
    for kind in kinds {
        let of_kind: Vec<(usize, &MemoryChange)> = changes
            .iter()
            .enumerate()
            .filter(|(_, change)| change.kind() == kind)
            .collect();
        // A single change is all or nothing by itself.
        let backup = (of_kind.len() > 1).then(|| mind.copy());
        let result = of_kind.iter().try_for_each(|(index, change)| {
            let answer = guards.check(&context.npc, change);
            answer.map_err(|error| error.to_string())?;
            execute_one(mind, change, &new_id(context, ids, *index), episode)
        });
        match result {
            Ok(()) => done.extend(of_kind.iter().map(|(index, _)| *index)),
            Err(why) => {
                report.failed += of_kind.len();
                report.failures.push(format!("{kind}: {why}"));
                if let Some(backup) = backup {
                    *mind = backup;
                }
            }
        }
    }
    report.succeeded = done.len();
    let done = changes.iter().enumerate().filter(|(i, _)| done.contains(i));
    (report, done.map(|(_, change)| change.clone()).collect())
}

fn execute_one(
    mind: &mut Mind,
    change: &MemoryChange,
    id: &str,
    episode: &Episode,
) -> std::result::Result<(), String> {
    let now = episode.time;
    match change {
        MemoryChange::AppendEpisodic {
            content,
            significance,
        } => {
            let episode = Episode {
                id: id.to_owned(),
                text: content.clone(),
                significance: *significance,
                ..episode.clone()
            };
            mind.episodes
                .store(episode, now)
                .map_err(|error| error.to_string())
        }
        MemoryChange::TransformBelief {
            target,
            content,
            confidence,
            contradicts_canon,
        } => mind
            .beliefs
            .hold_from_model(
                target,
                NewBelief {
                    pinned: false,
                    text: content,
                    confidence: *confidence,
                    contradicts_canon: *contradicts_canon,
                },
                now,
            )
            .map_err(|error| error.to_string()),
        MemoryChange::TransformRelationship {
            target,
            change,
            why,
        } => mind
            .relationships
            .shift_because(target, *change, why, now)
            .then_some(())
            .ok_or_else(|| "the character knows too many others".to_owned()),
    }
}

/// The source of the ids of new memories, in addition to the character.
#[derive(Debug, Clone, Copy)]
pub(crate) enum MemoryIds {
    /// The interaction, and the place in its reply.
    Reply,
    /// The run of this number, and the place in its reply.
    Run(u64),
    /// This day of the game.
    Day(i64),
}

/// The id of a new memory is derived from what it is of, never random.
fn new_id(context: &InteractionContext, ids: MemoryIds, index: usize) -> String {
    let (index, npc) = (index.to_string(), context.npc.as_str());
    let seed = match ids {
        MemoryIds::Reply => {
            let keys = [npc, &context.interaction_count.to_string(), &index];
            draw(0, "memory", &keys)
        }
        MemoryIds::Day(day) => return diary_id(day),
        MemoryIds::Run(run) => draw(0, "remembered", &[npc, &run.to_string(), &index]),
    };
    model_episode_id(seed)
}

/// What the commit installs: approvals, which are spent only there.
struct Ready {
    run: Run,
    context: InteractionContext,
    line: Approved<Line>,
    memories: Vec<Approved<MemoryChange>>,
    intents: Vec<Approved<Intent>>,
    changes: Approved<Vec<JudgedChange>>,
    rejected: Vec<RejectedMutation>,
}

/// The step: commits the approved changes, if the world has not moved on. Runs are committed one after the other: each sees the
/// changes of the ones before it.
pub(crate) struct Commit;

impl Step for Commit {
    const PHASE: RunPhase = RunPhase::Commit;
    const READS: Option<RunStep> = Some(RunStep::Commit);
    type Frame = ();

    fn run(&self, world: &mut World, entity: Entity, (): &mut ()) -> StepResult {
        refresh(world);
        match check_again(world, entity)? {
            Ok(ready) => {
                match ready.run.stage() {
                    stage if stage.is_background() => install_memories(world, entity, ready)?,
                    _ => install(world, entity, ready)?,
                }
                Ok(RunPhase::Ended)
            }
            Err(stale) => {
                fail(world, entity, stale)?;
                Ok(RunPhase::Failed)
            }
        }
    }
}

/// A verdict that does not hold any more, because the world has changed since the reply was judged.
struct StaleVerdict {
    failures: Vec<Failure>,
    actions: Vec<JudgedAction>,
}

type Checked = std::result::Result<Ready, StaleVerdict>;

/// The world may have moved: actions are judged again by the rulebook, words by the topics that the live flags close.
fn check_again(world: &mut World, entity: Entity) -> std::result::Result<Checked, RunFault> {
    let approvals = world.entity_mut(entity).take::<Pending>();
    let Pending(approvals) = approvals.ok_or(RunFault::RunComponent("Pending"))?;
    let run = run_component::<Run>(world, entity)?;
    let context = run_component::<InteractionContext>(world, entity)?.clone();
    let line = approvals.line.ok_or(RunFault::RunComponent("Pending"))?;
    let mut memories = approvals.memories;
    let intents = approvals.intents;

    let live = WorldView::new(world);
    let snapshot = run_component::<StateSnapshot>(world, entity)?;
    let closed = frozen_topics(world, entity)?;
    let rules = rule_set(world, entity, &closed)?;
    let closed_since = closed_since(&rules, entity)?;
    let done = intents.iter().map(Approved::get);
    let heard = world.get::<HeardSentences>(entity);
    let mut failures = said_of_closed(&closed_since, heard, &line.get().0, done);
    let actions = action_context(&rules.rules, &context, snapshot, &[]);
    let Recheck { actions, changes } = recheck(&actions, &live, run.number(), &intents);
    let changes = match changes {
        Ok(changes) if failures.is_empty() => changes,
        Ok(_) => return Ok(Err(StaleVerdict { failures, actions })),
        Err(found) => {
            failures.extend(found);
            return Ok(Err(StaleVerdict { failures, actions }));
        }
    };
    let mut rejected = run_component::<Verdict>(world, entity)?
        .rejected_mutations
        .clone();
    memories.retain(|approved| {
        if closed_since.is_empty() {
            return true;
        }
        let change = approved.get();
        let found = change
            .content()
            .map(|words| judge_closed_since(&closed_since, &JudgedText::new(words)));
        let Some(found) = found.and_then(|found| found.into_iter().next()) else {
            return true;
        };
        rejected.push(RejectedMutation {
            kind: change.kind().to_string(),
            reason: Rejection::Gate(FailureReason::KnowledgeBoundary),
            rule: found.rule,
            message: found.message,
            span: found.span,
        });
        false
    });
    Ok(Ok(Ready {
        run: run.clone(),
        context,
        line,
        memories,
        intents,
        changes,
        rejected,
    }))
}

/// A verdict that does not hold any more is a failure of its attempt, and retried like any other.
fn fail(
    world: &mut World,
    entity: Entity,
    stale: StaleVerdict,
) -> std::result::Result<(), RunFault> {
    let mut verdict = run_component::<Verdict>(world, entity)?.clone();
    verdict.passed = false;
    verdict.failures.extend(stale.failures);
    verdict.actions = stale.actions;
    world.entity_mut(entity).insert(verdict);
    Ok(())
}

/// What the character said and described, as it remembers it: a description changes nothing in the world, and is known all the same.
fn with_descriptions(world: &dyn WorldRead, line: &str, intents: &[Intent]) -> String {
    let described = intents.iter().filter(|intent| intent.kind() == "describe");
    let described = described.filter_map(|intent| {
        let of = display_name(world, intent.target()?);
        Some(format!("({of}: {})", intent.text("content")?))
    });
    let words = [line.to_owned()].into_iter().chain(described);
    let words: Vec<String> = words.filter(|words| !words.is_empty()).collect();
    words.join(" ")
}

/// What every episode has that a reply of this run asks for.
fn of_run(world: &World, entity: Entity) -> std::result::Result<Episode, RunFault> {
    let episode = episode_of(world, entity);
    let episode = episode.ok_or(RunFault::RunComponent("InteractionContext"))?;
    Ok(Episode {
        provenance: Provenance::Inferred,
        ..episode
    })
}

/// Installs what a character remembers, and ends the run. Nothing is said.
fn install_memories(
    world: &mut World,
    entity: Entity,
    ready: Ready,
) -> std::result::Result<(), RunFault> {
    let Ready {
        run,
        context,
        memories,
        rejected,
        ..
    } = ready;
    let npc = run.npc_entity();
    let guards = world.resource::<MutationGuards>().clone();
    let about = world.get::<Remembers>(entity).map(|about| about.0.len());
    let diary = world.get::<DiaryOf>(entity).cloned();
    let (ids, of_run) = match &diary {
        Some(diary) => {
            let calendar = world.resource::<ActiveStory>().0.calendar;
            (MemoryIds::Day(diary.day), diary.episode(calendar))
        }
        None => {
            let mut of_run = of_run(world, entity)?;
            of_run.private |= was_whispered(world, entity, npc);
            (MemoryIds::Run(run.number()), of_run)
        }
    };
    let memories = Approved::spend_all(memories, &run).ok_or(RunFault::ForeignApproval)?;
    let written = change_mind(world, npc, |mind| {
        execute(mind, &memories, &guards, &context, ids, &of_run)
    });
    let Some((mut report, done)) = written else {
        return Err(RunFault::CharacterComponent("Mind"));
    };
    if let Some(about) = about {
        note_end(world, npc, about, true);
    }
    if let Some(diary) = diary {
        diary::note_end(world, npc, diary.day, !done.is_empty());
    }
    report.rejected = rejected;
    report.done.clone_from(&done);
    tell_remembered(world, entity, &run, &report, done);
    world.entity_mut(entity).insert(report);
    let line = String::new();
    end_run(world, entity, Outcome::Accepted { line });
    Ok(())
}

/// Whether some of the talk that a run looks back on was whispered.
fn was_whispered(world: &World, run: Entity, npc: Entity) -> bool {
    let (Some(about), Some(mind)) = (world.get::<Remembers>(run), world.get::<Mind>(npc)) else {
        return false;
    };
    let kept = about.0.iter().filter(|exchange| exchange.number > 0);
    let mut kept = kept.filter_map(|exchange| mind.episodes.get(&said_id(exchange.number)));
    kept.any(|episode| episode.private)
}

/// Tells what a character remembers, and what it does not.
fn tell_remembered(
    world: &mut World,
    entity: Entity,
    run: &Run,
    report: &MutationReport,
    done: Vec<MemoryChange>,
) {
    let (npc, npc_id) = (run.npc_entity(), run.npc());
    let rejected = report.rejected.iter().map(|one| one.message.clone());
    let not_made: Vec<String> = rejected.chain(report.failures.iter().cloned()).collect();
    world.resource_mut::<DramatisCounters>().not_remembered += not_made.len() as u64;
    let mut outbox = world.resource_mut::<Outbox>();
    for change in done {
        outbox.tell(Remembered {
            entity: npc,
            npc: npc_id.clone(),
            run: entity,
            change,
        });
    }
    for why in not_made {
        log::warn!("{npc_id} does not remember: {why}");
        outbox.tell(NotRemembered {
            entity: npc,
            npc: npc_id.clone(),
            run: entity,
            why,
        });
    }
}

/// Installs everything that was approved, and ends the run.
fn install(world: &mut World, entity: Entity, ready: Ready) -> std::result::Result<(), RunFault> {
    let Ready {
        run,
        context,
        line,
        memories,
        intents,
        changes,
        rejected,
    } = ready;
    let (npc, npc_id) = (run.npc_entity(), run.npc().clone());
    let now = world.resource::<DramatisClock>().game;
    let guards = world.resource::<MutationGuards>().clone();
    if world.get::<Mind>(npc).is_none() {
        return Err(RunFault::CharacterComponent("Mind"));
    }
    // An approval counts for its own run alone. All are spent here, or nothing happens.
    let (Some(Line(line)), Some(memories), Some(intents), true) = (
        line.spend(&run),
        Approved::spend_all(memories, &run),
        Approved::spend_all(intents, &run),
        changes.is_for_run(run.number()),
    ) else {
        return Err(RunFault::ForeignApproval);
    };
    let exchange = context.exchange(with_descriptions(&WorldView::new(world), &line, &intents));
    // Where no line is an echo, none is kept: no recording of an older version has any.
    let echo = run_component::<StateSnapshot>(world, entity)?.body().echo;
    let hears_echoes = echo < Millionths::ONE;
    let before = MindBefore::of(world, npc, memories.iter());
    let episode = said_episode(world, entity, &exchange);
    let of_run = of_run(world, entity)?;
    let written = change_mind(world, npc, |mind| {
        let ids = MemoryIds::Reply;
        let executed = execute(mind, &memories, &guards, &context, ids, &of_run);
        add_exchange(mind, &run, exchange, episode, now);
        if hears_echoes {
            mind.add_line(&line);
        }
        mind.interactions += 1;
        executed
    });
    let Some((mut report, done)) = written else {
        return Err(RunFault::CharacterComponent("Mind"));
    };
    report.rejected = rejected;
    report.done.clone_from(&done);
    let committed = commit(world, changes, &run).ok_or(RunFault::ForeignApproval)?;
    let Committed {
        changes,
        before: parts,
    } = committed;
    if let Some(before) = before {
        note_line(world, entity, before, parts);
    }
    world.resource_mut::<DramatisCounters>().intents_approved += intents.len() as u64;

    let own = world
        .get::<HeardSentences>(entity)
        .map(|heard| heard.own_part(&line));
    if let Some(own) = own {
        hear(world, entity, &own);
    }
    let mut outbox = world.resource_mut::<Outbox>();
    outbox.tell(Spoke {
        entity: npc,
        npc: npc_id.clone(),
        run: Some(entity),
        line: line.clone(),
        fallback: false,
    });
    for intent in &intents {
        outbox.queue(AppliedAction {
            actor: Some(npc),
            run: Some(entity),
            turn: None,
            intent: intent.clone(),
        });
    }
    tell_remembered(world, entity, &run, &report, done);
    world
        .entity_mut(entity)
        .insert((report, ApprovedIntents(intents), AppliedChanges(changes)));
    end_run(world, entity, Outcome::Accepted { line });
    Ok(())
}

#[cfg(test)]
mod tests;
