//! The stages and intentions of an adventure, judged a second time.

use super::edits::{EditedReply, Edits, JudgedReply, ReplyKey, StageAttempt};
use super::findings::{Findings, Judged, compare};
use super::hardened::hardened;
use super::rules::ChangedRules;
use super::totals::{SharedTotals, Totals};
use crate::adventure::AdventureRecord;
use crate::adventure::hook::{
    AdventureHook, InstalledAdventureHook, JudgedActions, JudgedIntention,
};
use crate::base::ids::Id;
use crate::base::lock::lock;
use crate::engine::Inference;
use crate::journal::ledger::InstalledLedger;
use crate::journal::record::RecordKind;
use crate::pipeline::stage::steps::{judge_stage_by, stage_constraints};
use crate::pipeline::steps::validation::RuleSet;
use crate::pipeline::{ConstraintSet, Run, StageSnapshot, StageTask};
use crate::proposal::Finish;
use crate::story::Rules;
use bevy::prelude::*;
use std::sync::{Arc, Mutex};

/// On the run of a stage: what the changed rules have said of its attempts.
#[derive(Component, Default)]
#[component(storage = "SparseSet")]
struct StageOpinion {
    attempts: Vec<SecondAttempt>,
}

/// The opinions on an attempt of a stage.
struct SecondAttempt {
    attempt: u32,
    /// The words of the recorded reply.
    words: String,
    /// What the changed rules say of it.
    second: JudgedReply,
    /// Their verdicts on texts that may replace it. They are those of all turns: its record tells which is meant.
    edited: Vec<(ReplyKey, JudgedReply)>,
}

/// A turn of an adventure so far.
#[derive(Default)]
struct TurnSoFar {
    /// The opinions on each stage that has ended, in the order of its record.
    stages: Vec<StageOpinion>,
    /// The findings on each intention, then and now. Their record has no number yet.
    intentions: Vec<(Id, String, [Findings; 2])>,
}

/// The second opinion on the stages of adventures.
#[derive(Clone)]
pub(super) struct SecondStages {
    changed: Arc<ChangedRules>,
    edits: Arc<Edits>,
    turn: Arc<Mutex<TurnSoFar>>,
}

impl SecondStages {
    pub(super) fn new(changed: Arc<ChangedRules>, edits: Arc<Edits>) -> Self {
        Self {
            changed,
            edits,
            turn: Arc::default(),
        }
    }

    /// Judges the attempt that a stage has made, after its own judgement, and the texts that may replace its reply. `words`: the
    /// judged words.
    pub(super) fn judge(&self, world: &mut World, run: Entity, words: &str) {
        let Some(judged) = self.second_attempt(world, run, words) else {
            return;
        };
        let mut run = world.entity_mut(run);
        let mut opinion = run.take::<StageOpinion>().unwrap_or_default();
        opinion.attempts.push(judged);
        run.insert(opinion);
    }

    fn second_attempt(&self, world: &World, entity: Entity, words: &str) -> Option<SecondAttempt> {
        let run = world.get::<Run>(entity)?;
        let task = world.get::<StageTask>(entity)?;
        let rules = self.changed.in_world(world);
        let set = stage_constraints(&rules, entity).ok()?;
        let frozen = &world.get::<StageSnapshot>(entity)?.constraints;
        let by = RuleSet {
            rules,
            constraints: &hardened(&set, world.get::<ConstraintSet>(entity)?, frozen),
            custom: &set.custom,
            closed: &[],
        };
        let judge = |bytes: &[u8], finish| {
            let judged = judge_stage_by(entity, &by, bytes, finish).ok()?;
            Some(JudgedReply {
                line: judged.words,
                verdict: judged.verdict,
            })
        };
        let recorded = world.get::<Inference>(entity)?;
        let second = judge(&recorded.bytes, recorded.finish)?;
        let asked = StageAttempt {
            stage: run.stage(),
            npc: task.npc.clone(),
            attempt: run.attempt(),
        };
        let edits = self.edits.of_stage(&asked);
        let edited = edits.filter_map(|edit| {
            let judged = match edit.is_recorded {
                true => second.clone(),
                false => judge(edit.text.as_bytes(), Finish::Stop)?,
            };
            Some((edit.key, judged))
        });
        Some(SecondAttempt {
            attempt: run.attempt(),
            words: words.to_owned(),
            edited: edited.collect(),
            second,
        })
    }

    /// All that was said of the turn whose record has this number.
    fn review(&self, seq: u64, record: &AdventureRecord) -> Totals {
        let turn = std::mem::take(&mut *lock(&self.turn));
        let (mut attempts, mut changed, mut replies) = (0, Vec::new(), Vec::new());
        let mut add = |found, npc: &Id, attempt, line: &str| {
            let judged = Judged {
                seq,
                kind: RecordKind::AdventureTurn,
                npc,
                attempt,
                line,
            };
            changed.extend(compare(found, &judged));
        };
        let mut number = 0;
        for (log, opinion) in record.stages.iter().zip(turn.stages) {
            let first = number;
            number += u32::try_from(log.attempts.len()).unwrap_or(u32::MAX);
            let npc = log.npc.as_ref().unwrap_or(&record.persona);
            for SecondAttempt {
                attempt,
                words,
                second,
                edited,
            } in opinion.attempts
            {
                let recorded = log.attempts.iter().find(|known| known.index == attempt);
                let Some(before) = recorded.and_then(|known| known.verdict.clone()) else {
                    continue;
                };
                attempts += 1;
                let key = ReplyKey {
                    seq,
                    attempt: first + attempt,
                };
                let edit = edited.into_iter().find(|(of, _)| *of == key);
                let is_edited = edit.is_some();
                let after = edit.map_or(second, |(_, judged)| judged);
                let found = [&before, &after.verdict].map(Findings::of_reply);
                add(found, npc, key.attempt, &after.line);
                if is_edited {
                    replies.push(EditedReply {
                        key,
                        npc: npc.clone(),
                        before: JudgedReply {
                            line: words,
                            verdict: before,
                        },
                        after,
                    });
                }
            }
        }
        for (actor, text, found) in turn.intentions {
            add(found, &actor, 0, &text);
        }
        let npcs = record.stages.iter().filter_map(|log| log.npc.clone());
        Totals {
            turns: 1,
            attempts,
            changed,
            replies,
            characters: npcs.collect(),
            ..Totals::default()
        }
    }
}

/// Runs before the ledger's hook, which it calls first.
pub(super) struct RegateAdventure {
    first: Arc<dyn AdventureHook>,
    stages: SecondStages,
    totals: SharedTotals,
}

impl RegateAdventure {
    /// Takes the place of the installed hook.
    pub(super) fn install(world: &mut World, stages: SecondStages, totals: SharedTotals) {
        let installed = world.remove_resource::<InstalledAdventureHook>();
        if let Some(InstalledAdventureHook(first)) = installed {
            world.insert_resource(InstalledAdventureHook(Arc::new(Self {
                first,
                stages,
                totals,
            })));
        }
    }

    fn turn(&self) -> std::sync::MutexGuard<'_, TurnSoFar> {
        lock(&self.stages.turn)
    }
}

impl AdventureHook for RegateAdventure {
    fn turn_begun(&self, world: &mut World, turn: Entity) {
        self.first.turn_begun(world, turn);
        *self.turn() = TurnSoFar::default();
    }

    fn intention_judged(
        &self,
        world: &World,
        intention: &JudgedIntention,
        again: &dyn Fn(&Rules) -> JudgedActions,
    ) {
        self.first.intention_judged(world, intention, again);
        let after = again(&self.stages.changed.in_world(world));
        let found = [intention.judged, &after]
            .map(|judged| Findings::of_actions(&judged.rejected, &judged.actions));
        let (actor, text) = (intention.actor.clone(), intention.text.to_owned());
        self.turn().intentions.push((actor, text, found));
    }

    fn stage_ended(&self, world: &mut World, run: Entity) {
        self.first.stage_ended(world, run);
        // Each stage has its place, also where nothing was judged.
        let opinion = world.entity_mut(run).take::<StageOpinion>();
        self.turn().stages.push(opinion.unwrap_or_default());
    }

    fn before_commit(&self, world: &mut World) {
        self.first.before_commit(world);
    }

    fn turn_ended(&self, world: &mut World, turn: Entity, record: &AdventureRecord) {
        self.first.turn_ended(world, turn, record);
        let seq = world.resource::<InstalledLedger>().position();
        let reviewed = self.stages.review(seq, record);
        let mut totals = lock(&self.totals);
        totals.add(reviewed);
    }
}
