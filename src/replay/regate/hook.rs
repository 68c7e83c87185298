//! The hook that judges a second time, by the changed rules, at the moment at which the first verdict is made.

use super::edits::{EditedReply, Edits, JudgedReply, ReplyKey};
use super::findings::{Findings, Judged, compare};
use super::hardened::hardened;
use super::rules::ChangedRules;
use super::stages::SecondStages;
use super::totals::{SharedTotals, Totals};
use crate::base::lock::lock;
use crate::gate::Verdict;
use crate::gate::actions::judge_again;
use crate::journal::ledger::InstalledLedger;
use crate::journal::record::RecordKind;
use crate::pipeline::driver::hook::{InstalledHook, PipelineHook, RunStep};
use crate::pipeline::listening::delivery::next_part_by;
use crate::pipeline::listening::heard::HeardSentences;
use crate::pipeline::steps::validation::{
    RuleSet, action_context, closed_now, closed_since, constraints_by, judge_by, judge_other_by,
    said_of_closed,
};
use crate::pipeline::{AttemptLog, ParsedReply, Run};
use crate::pipeline::{ConstraintSet, InteractionContext, StateSnapshot};
use crate::proposal::Finish;
use crate::rules::Topic;
use crate::story::Rules;
use crate::world::refresh::refresh;
use crate::world::{Intent, TurnRecord, WorldView};
use bevy::prelude::*;
use std::sync::{Arc, Mutex, MutexGuard};

/// Runs before the ledger's hook. It reads the world, and writes only its own components.
pub(super) struct RegateHook {
    first: Arc<dyn PipelineHook>,
    changed: Arc<ChangedRules>,
    edits: Arc<Edits>,
    totals: SharedTotals,
    stages: SecondStages,
    /// What the changed rules have made of the turn that is taken.
    turn: Mutex<Option<TurnRecord>>,
}

/// On a run: what the changed rules have said of it so far.
#[derive(Component, Default)]
#[component(storage = "SparseSet")]
struct SecondOpinion {
    set: ConstraintSet,
    /// Hidden topics that were closed when the input was frozen.
    closed: Option<Vec<Topic>>,
    verdicts: Verdicts,
    edited: EditVerdicts,
}

/// The verdicts of a run by the changed rules, each with the index of its attempt.
type Verdicts = Vec<(u32, Verdict)>;

/// The verdicts on texts that replace recorded replies, with the key of each reply.
type EditVerdicts = Vec<(ReplyKey, JudgedReply)>;

impl RegateHook {
    /// Takes the place of the installed hook, which it calls first: what happens is written down, then judged again.
    pub(super) fn install(
        world: &mut World,
        changed: Arc<ChangedRules>,
        edits: Arc<Edits>,
        totals: SharedTotals,
        stages: SecondStages,
    ) {
        if let Some(InstalledHook(first)) = world.remove_resource::<InstalledHook>() {
            world.insert_resource(InstalledHook(Arc::new(Self {
                first,
                changed,
                edits,
                totals,
                stages,
                turn: Mutex::default(),
            })));
        }
    }

    fn rules<'a>(&'a self, world: &'a World) -> Rules<'a> {
        self.changed.in_world(world)
    }

    /// What the changed rules decide of the attempt that a run is making. `judge` is given them.
    fn by_changed_rules<R>(
        &self,
        world: &World,
        entity: Entity,
        judge: impl FnOnce(&Run, &RuleSet) -> Option<R>,
    ) -> Option<R> {
        let run = world.get::<Run>(entity)?;
        let second = world.get::<SecondOpinion>(entity)?;
        let own = world.get::<ConstraintSet>(entity)?;
        let frozen = &world.get::<StateSnapshot>(entity)?.body().constraints;
        let rules = RuleSet {
            rules: self.rules(world),
            constraints: &hardened(&second.set, own, frozen),
            custom: &second.set.custom,
            closed: second.closed.as_deref().unwrap_or_default(),
        };
        judge(run, &rules)
    }

    fn verdict(&self, world: &World, entity: Entity) -> Option<(u32, Verdict)> {
        self.by_changed_rules(world, entity, |run, rules| {
            let (verdict, ..) = judge_by(entity, rules).ok()?;
            Some((run.attempt(), verdict))
        })
    }

    /// The verdict on the next part of a reply that is still coming.
    fn verdict_of_part(&self, world: &World, entity: Entity) -> Option<(u32, Verdict)> {
        self.by_changed_rules(world, entity, |run, rules| {
            Some((run.attempt(), next_part_by(entity, rules)?))
        })
    }

    /// The texts that replace the reply of this attempt and were not judged yet.
    fn verdicts_of_edits(&self, world: &World, entity: Entity) -> EditVerdicts {
        let judged = self.by_changed_rules(world, entity, |run, rules| {
            let known = &world.get::<SecondOpinion>(entity)?.edited;
            let edits = self.edits.of_attempt(run.number(), run.attempt());
            let new = edits
                .filter(|edit| !edit.is_recorded && known.iter().all(|(key, _)| *key != edit.key));
            let judged = new.filter_map(|edit| {
                let bytes = edit.text.as_bytes();
                let (verdict, read) = judge_other_by(entity, rules, bytes, Finish::Stop).ok()?;
                let line = read.map_or_else(|_| String::new(), |proposal| proposal.dialogue);
                Some((edit.key, JudgedReply { line, verdict }))
            });
            Some(judged.collect())
        });
        judged.unwrap_or_default()
    }

    /// The world may have moved since a reply that says this was judged. Nothing is asked of a reply that has failed already.
    fn verdict_at_commit(
        &self,
        entity: Entity,
        rules: &RuleSet,
        verdict: &Verdict,
        dialogue: &str,
    ) -> Option<Verdict> {
        if !verdict.passed {
            return None;
        }
        let world = rules.rules.world;
        let actions = verdict.actions.iter().map(|action| action.intent.clone());
        let intents: Vec<Intent> = actions.collect();
        let heard = world.get::<HeardSentences>(entity);
        let line = heard.map(HeardSentences::before).unwrap_or_default();
        let line = line.join(dialogue);
        let since = closed_since(rules, entity).ok()?;
        let mut failures = said_of_closed(&since, heard, &line, intents.iter());
        let context = world.get::<InteractionContext>(entity)?;
        let snapshot = world.get::<StateSnapshot>(entity)?;
        let gate = action_context(&rules.rules, context, snapshot, &[]);
        let (actions, changes) = judge_again(&gate, &WorldView::new(world), &intents);
        failures.extend(changes.err().unwrap_or_default());
        let mut verdict = verdict.clone();
        if !failures.is_empty() {
            verdict.passed = false;
            verdict.failures.extend(failures);
            verdict.actions = actions;
        }
        Some(verdict)
    }

    /// Judges once more the changes to commit, and the texts that replace them.
    fn judge_at_commit(&self, world: &World, entity: Entity) -> Option<(Verdicts, EditVerdicts)> {
        self.by_changed_rules(world, entity, |run, rules| {
            let attempt = run.attempt();
            let second = world.get::<SecondOpinion>(entity)?;
            let (mut verdicts, mut edited) = (second.verdicts.clone(), second.edited.clone());
            let parsed = world.get::<ParsedReply>(entity)?;
            if let (Ok(proposal), Some((at, verdict))) = (&parsed.0, verdicts.last_mut())
                && *at == attempt
                && let Some(now) =
                    self.verdict_at_commit(entity, rules, verdict, &proposal.dialogue)
            {
                *verdict = now;
            }
            let of_attempt = edited.iter_mut().filter(|(key, _)| key.attempt == attempt);
            for (_, JudgedReply { line, verdict }) in of_attempt {
                if let Some(now) = self.verdict_at_commit(entity, rules, verdict, line) {
                    *verdict = now;
                }
            }
            Some((verdicts, edited))
        })
    }

    fn review_run(&self, world: &World, entity: Entity) -> Option<Totals> {
        let run = world.get::<Run>(entity)?;
        let seq = world.resource::<InstalledLedger>().position();
        let log = world.get::<AttemptLog>(entity);
        let second = world.get::<SecondOpinion>(entity);
        let verdicts = second.map(|second| &*second.verdicts).unwrap_or_default();
        let edited = second.map(|second| &*second.edited).unwrap_or_default();
        let mut changed = Vec::new();
        let mut replies = Vec::new();
        for (attempt, after) in verdicts {
            let mut records = log.iter().flat_map(|log| log.0.iter());
            let Some(record) = records.find(|record| record.index == *attempt) else {
                continue;
            };
            let Some(before) = &record.verdict else {
                continue;
            };
            let proposal = record.proposal.as_ref().and_then(|read| read.as_ref().ok());
            let line = proposal.map_or("", |proposal| &*proposal.dialogue);
            let mut edits = self.edits.of_attempt(run.number(), *attempt);
            let edit = edits.find(|edit| edit.key.seq == seq);
            let other = edit.and_then(|edit| edited.iter().find(|(key, _)| *key == edit.key));
            let (line_after, after) = match other {
                Some((_, reply)) => (&*reply.line, &reply.verdict),
                None => (line, after),
            };
            // A text that differs and was not judged is told of as unused.
            if let Some(edit) = edit.filter(|edit| edit.is_recorded || other.is_some()) {
                let judged = |line: &str, verdict: &Verdict| JudgedReply {
                    line: line.to_owned(),
                    verdict: verdict.clone(),
                };
                replies.push(EditedReply {
                    key: edit.key,
                    npc: run.npc().clone(),
                    before: judged(line, before),
                    after: judged(line_after, after),
                });
            }
            let found = [before, after].map(Findings::of_reply);
            let judged = Judged {
                seq,
                kind: RecordKind::Interaction,
                npc: run.npc(),
                attempt: *attempt,
                line: line_after,
            };
            changed.extend(compare(found, &judged));
        }
        Some(Totals {
            runs: 1,
            attempts: verdicts.len() as u64,
            changed,
            replies,
            characters: [run.npc().clone()].into(),
            ..Totals::default()
        })
    }

    fn review_turn(&self, world: &World, record: &TurnRecord) -> Option<Totals> {
        let after = self.turn().take()?;
        let names = || {
            let kinds: Vec<&str> = record.parsed.iter().map(|action| &*action.kind).collect();
            kinds.join(", ")
        };
        let found = [record, &after].map(Findings::of_turn);
        let line = record.text.clone().unwrap_or_else(names);
        let judged = Judged {
            seq: world.resource::<InstalledLedger>().position(),
            kind: RecordKind::Turn,
            npc: &record.actor,
            attempt: 0,
            line: &line,
        };
        Some(Totals {
            turns: 1,
            changed: compare(found, &judged).into_iter().collect(),
            ..Totals::default()
        })
    }

    fn turn(&self) -> MutexGuard<'_, Option<TurnRecord>> {
        lock(&self.turn)
    }

    /// Judges the texts that replace the reply of this attempt, once.
    fn note_edits(&self, world: &mut World, run: Entity) {
        let judged = self.verdicts_of_edits(world, run);
        if let Some(mut second) = world.get_mut::<SecondOpinion>(run) {
            second.edited.extend(judged);
        }
    }

    fn count(&self, reviewed: Option<Totals>) {
        if let Some(reviewed) = reviewed {
            let mut totals = lock(&self.totals);
            totals.add(reviewed);
        }
    }
}

impl PipelineHook for RegateHook {
    fn before_step(&self, world: &mut World, run: Entity, step: RunStep) {
        self.first.before_step(world, run, step);
        refresh(world);
        match step {
            RunStep::Expectancy => {
                if let Ok(set) = constraints_by(&self.rules(world), run) {
                    world.entity_mut(run).insert(SecondOpinion {
                        set,
                        ..SecondOpinion::default()
                    });
                }
            }
            RunStep::Snapshot => {
                // A retry keeps the input that was frozen first.
                let known = world
                    .get::<SecondOpinion>(run)
                    .is_none_or(|s| s.closed.is_some());
                let closed = closed_now(&self.rules(world), run).ok().filter(|_| !known);
                let closed =
                    closed.map(|closed| closed.into_iter().map(|h| h.topic.clone()).collect());
                if let (Some(closed), Some(mut second)) =
                    (closed, world.get_mut::<SecondOpinion>(run))
                {
                    second.closed = Some(closed);
                }
            }
            RunStep::Sentence => {
                let verdict = self.verdict_of_part(world, run);
                note(world, run, verdict);
                self.note_edits(world, run);
            }
            RunStep::Validation => {
                let verdict = self.verdict(world, run);
                note(world, run, verdict);
                self.note_edits(world, run);
            }
            RunStep::Commit => {
                if let Some((verdicts, edited)) = self.judge_at_commit(world, run)
                    && let Some(mut second) = world.get_mut::<SecondOpinion>(run)
                {
                    second.verdicts = verdicts;
                    second.edited = edited;
                }
            }
            RunStep::Start | RunStep::Retrieval | RunStep::Choice | RunStep::Failure => {}
        }
    }

    fn stage_judged(&self, world: &mut World, run: Entity, words: &str) {
        self.first.stage_judged(world, run, words);
        self.stages.judge(world, run, words);
    }

    fn run_ended(&self, world: &mut World, run: Entity) {
        self.first.run_ended(world, run);
        self.count(self.review_run(world, run));
    }

    fn before_turn(&self, world: &mut World) {
        self.first.before_turn(world);
    }

    fn turn_judged(&self, world: &World, again: &dyn Fn(&Rules) -> TurnRecord) {
        self.first.turn_judged(world, again);
        *self.turn() = Some(again(&self.rules(world)));
    }

    fn turn_taken(&self, world: &mut World, actor: Option<Entity>, record: &Arc<TurnRecord>) {
        self.first.turn_taken(world, actor, record);
        self.count(self.review_turn(world, record));
    }
}

/// Keeps the verdict on an attempt. Of a reply that is judged in parts the first part that fails decides.
fn note(world: &mut World, run: Entity, verdict: Option<(u32, Verdict)>) {
    let (Some(verdict), Some(mut second)) = (verdict, world.get_mut::<SecondOpinion>(run)) else {
        return;
    };
    match second.verdicts.last_mut() {
        Some((attempt, last)) if *attempt == verdict.0 => {
            if last.passed {
                *last = verdict.1;
            }
        }
        _ => second.verdicts.push(verdict),
    }
}
