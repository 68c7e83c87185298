//! Whoever asks for the second opinion, at the very moment at which the first one is formed.

use super::findings::{Findings, compare};
use super::{ChangedRules, ChangedVerdict};
use crate::actor_turns::RecentMentions;
use crate::authoring::{Character, StoryBook};
use crate::base::seed::WorldSeed;
use crate::gate::actions::judge_again;
use crate::gate::words::{Text, judge_closed_since};
use crate::gate::{Failure, Verdict};
use crate::journal::RecordKind;
use crate::journal::ledger::Ledger;
use crate::npc::LoadedCharacter;
use crate::pipeline::expectancy::{RustRules, evaluate};
use crate::pipeline::hook::{InstalledHook, PipelineHook, RunStep};
use crate::pipeline::validation::{RuleSet, action_context, judge_by};
use crate::pipeline::{AttemptLog, ParsedReply, Run};
use crate::pipeline::{ConstraintSet, InteractionContext, StateSnapshot};
use crate::rules::{Constraint, ConstraintKind, HiddenTopic, RuleSeverity, Topic, is_closed};
use crate::story::{ActiveStory, action_rules};
use crate::world::apply::TurnKey;
use crate::world::refresh::refresh;
use crate::world::turn::{TurnInput, take_turn};
use crate::world::{ActionRules, Intent, TurnRecord, WorldState, WorldView};
use bevy::platform::collections::HashMap;
use bevy::prelude::*;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

/// What has been judged twice.
enum Told {
    /// A run that has ended.
    Run {
        npc: String,
        attempts: u64,
        changed: Vec<ChangedVerdict>,
    },
    /// A turn that was taken.
    Turn { changed: Option<ChangedVerdict> },
}

/// The most changed verdicts that are kept; the rest is counted.
const MAX_CHANGED: usize = 10_000;

/// All that has been judged twice so far.
#[derive(Default)]
pub(super) struct Tally {
    pub runs: u64,
    pub attempts: u64,
    pub turns: u64,
    pub changed: Vec<ChangedVerdict>,
    pub left_out: u64,
    /// The characters that runs were of.
    pub seen: BTreeSet<String>,
}

impl Tally {
    fn add(&mut self, told: Told) {
        let changed = match told {
            Told::Run {
                npc,
                attempts,
                changed,
            } => {
                self.runs += 1;
                self.attempts += attempts;
                self.seen.insert(npc);
                changed
            }
            Told::Turn { changed } => {
                self.turns += 1;
                changed.into_iter().collect()
            }
        };
        for verdict in changed {
            if self.changed.len() < MAX_CHANGED {
                self.changed.push(verdict);
            } else {
                self.left_out += 1;
            }
        }
    }
}

/// What a reviewer and whoever asked for it have in common.
pub(super) type SharedTally = Arc<Mutex<Tally>>;

/// Listens beside whoever writes things down. It reads the world, and writes nothing but components of its own.
pub(super) struct RegateHook {
    first: Arc<dyn PipelineHook>,
    changed: Arc<ChangedRules>,
    tally: SharedTally,
}

/// On a run: what the changed rules have said of it so far.
#[derive(Component, Default)]
struct Second {
    set: ConstraintSet,
    /// Hidden topics that were closed when the input was frozen.
    closed: Option<Vec<Topic>>,
    /// By attempt.
    verdicts: Vec<(u32, Verdict)>,
}

/// The world before a turn.
#[derive(Resource)]
struct BeforeTurn {
    world: WorldState,
    mentioned: HashMap<Entity, RecentMentions>,
}

impl RegateHook {
    /// Steps in between: what happens is written down first, then judged once more.
    pub(super) fn listen_in(world: &mut World, changed: Arc<ChangedRules>, tally: SharedTally) {
        if let Some(InstalledHook(first)) = world.remove_resource::<InstalledHook>() {
            world.insert_resource(InstalledHook(Arc::new(Self {
                first,
                changed,
                tally,
            })));
        }
    }

    fn book<'a>(&'a self, world: &'a World) -> &'a StoryBook {
        let own = &world.resource::<ActiveStory>().0;
        self.changed.story.as_ref().unwrap_or(own)
    }

    fn character<'a>(&'a self, world: &'a World, run: &Run) -> Option<&'a Character> {
        match self.changed.characters.get(run.npc()) {
            Some(character) => Some(character),
            None => Some(&world.get::<LoadedCharacter>(run.npc_entity())?.0),
        }
    }

    fn constraints(&self, world: &World, entity: Entity) -> Option<ConstraintSet> {
        let run = world.get::<Run>(entity)?;
        let context = world.get::<InteractionContext>(entity)?;
        Some(evaluate(
            &context.conditions(),
            self.book(world),
            self.character(world, run)?,
            world.resource::<RustRules>(),
            &WorldView::new(world),
        ))
    }

    /// The hidden topics that are closed now, whatever was closed before.
    fn closed<'a>(&'a self, world: &'a World, entity: Entity) -> Option<Vec<&'a HiddenTopic>> {
        let run = world.get::<Run>(entity)?;
        let context = world.get::<InteractionContext>(entity)?;
        let live = WorldView::new(world);
        let hidden = self.character(world, run)?.rules.hidden.iter();
        let closed = hidden.filter(|hidden| is_closed(hidden, &context.conditions(), &live));
        Some(closed.collect())
    }

    fn verdict(&self, world: &World, entity: Entity) -> Option<(u32, Verdict)> {
        let run = world.get::<Run>(entity)?;
        let second = world.get::<Second>(entity)?;
        let own = world.get::<ConstraintSet>(entity)?;
        let frozen = &world.get::<StateSnapshot>(entity)?.body().constraints;
        let laws = RuleSet {
            book: self.book(world),
            character: self.character(world, run)?,
            constraints: &hardened(&second.set, own, frozen),
            custom: &second.set.custom,
            closed: second.closed.as_deref().unwrap_or_default(),
        };
        let (verdict, ..) = judge_by(world, entity, &laws).ok()?;
        Some((run.attempt(), verdict))
    }

    /// The world may have moved since a reply was judged. Nothing is asked of a reply that has failed already.
    fn verdict_at_commit(&self, world: &World, entity: Entity) -> Option<Verdict> {
        let run = world.get::<Run>(entity)?;
        let second = world.get::<Second>(entity)?;
        let (_, verdict) = second
            .verdicts
            .last()
            .filter(|(at, _)| *at == run.attempt())?;
        let parsed = world.get::<ParsedReply>(entity)?;
        let Some(Ok(proposal)) = Some(&parsed.0).filter(|_| verdict.passed) else {
            return None;
        };
        // What was closed when the input was frozen has failed the reply already.
        let closed_since = self.closed(world, entity)?;
        let actions = verdict.actions.iter().map(|action| action.intent.clone());
        let intents: Vec<Intent> = actions.collect();
        let said =
            std::iter::once(&*proposal.dialogue).chain(intents.iter().flat_map(Intent::words));
        let mut failures: Vec<Failure> = said
            .flat_map(|words| judge_closed_since(&closed_since, &Text::new(words)))
            .collect();
        let context = world.get::<InteractionContext>(entity)?;
        let snapshot = world.get::<StateSnapshot>(entity)?;
        let mut bench = action_context(world, context, snapshot, &[]);
        bench.rules.book = self.book(world).rulebook();
        let (actions, changes) = judge_again(&bench, &WorldView::new(world), &intents);
        failures.extend(changes.err().unwrap_or_default());
        let mut verdict = verdict.clone();
        if !failures.is_empty() {
            verdict.passed = false;
            verdict.failures.extend(failures);
            verdict.actions = actions;
        }
        Some(verdict)
    }

    fn review_run(&self, world: &World, entity: Entity) -> Option<Told> {
        let run = world.get::<Run>(entity)?;
        let seq = world.resource::<Ledger>().position();
        let log = world.get::<AttemptLog>(entity);
        let second = world.get::<Second>(entity);
        let verdicts = second.map(|second| &*second.verdicts).unwrap_or_default();
        let mut changed = Vec::new();
        for (attempt, after) in verdicts {
            let mut records = log.iter().flat_map(|log| &log.0);
            let Some(record) = records.find(|record| record.index == *attempt) else {
                continue;
            };
            let Some(before) = &record.verdict else {
                continue;
            };
            let proposal = record.proposal.as_ref().and_then(|read| read.as_ref().ok());
            let line = proposal.map(|proposal| &*proposal.dialogue);
            let found = [before, after].map(Findings::of_reply);
            changed.extend(compare(found, line.unwrap_or_default()).map(|verdict| {
                ChangedVerdict {
                    seq,
                    npc: run.npc().to_owned(),
                    attempt: *attempt,
                    ..verdict
                }
            }));
        }
        Some(Told::Run {
            npc: run.npc().to_owned(),
            attempts: verdicts.len() as u64,
            changed,
        })
    }

    fn review_turn(
        &self,
        world: &mut World,
        actor: Option<Entity>,
        record: &TurnRecord,
    ) -> Option<Told> {
        let BeforeTurn {
            world: before,
            mut mentioned,
        } = world.remove_resource()?;
        let mentioned = actor.and_then(|actor| mentioned.remove(&actor));
        let rules = ActionRules {
            book: self.book(world).rulebook(),
            now: record.time,
            ..action_rules(world)
        };
        let key = TurnKey {
            seed: world.resource::<WorldSeed>().0,
            keys: vec!["turn".to_owned(), record.id.to_string()],
        };
        let input = TurnInput {
            id: record.id,
            kind: record.kind,
            actor: record.actor.clone(),
            text: record.text.clone(),
            parsed: record.parsed.clone(),
        };
        let mut mentioned = mentioned.unwrap_or_default().0;
        let after = take_turn(&rules, key, &before, input, &mut mentioned);
        let names = || {
            let kinds: Vec<&str> = record.parsed.iter().map(|action| &*action.kind).collect();
            kinds.join(", ")
        };
        let found = [record, &after].map(Findings::of_turn);
        let line = record.text.clone().unwrap_or_else(names);
        let changed = compare(found, &line).map(|verdict| ChangedVerdict {
            seq: world.resource::<Ledger>().position(),
            kind: RecordKind::Turn,
            npc: record.actor.clone(),
            ..verdict
        });
        Some(Told::Turn { changed })
    }

    fn say(&self, told: Option<Told>) {
        if let Some(told) = told {
            let mut tally = self.tally.lock().unwrap_or_else(PoisonError::into_inner);
            tally.add(told);
        }
    }
}

impl PipelineHook for RegateHook {
    fn before_step(&self, world: &mut World, run: Entity, step: RunStep) {
        self.first.before_step(world, run, step);
        refresh(world);
        match step {
            RunStep::Expectancy => {
                if let Some(set) = self.constraints(world, run) {
                    world.entity_mut(run).insert(Second {
                        set,
                        ..Second::default()
                    });
                }
            }
            RunStep::Snapshot => {
                // A retry keeps the input that was frozen first.
                let known = world.get::<Second>(run).is_none_or(|s| s.closed.is_some());
                let closed = self.closed(world, run).filter(|_| !known);
                let closed =
                    closed.map(|closed| closed.into_iter().map(|h| h.topic.clone()).collect());
                if let (Some(closed), Some(mut second)) = (closed, world.get_mut::<Second>(run)) {
                    second.closed = Some(closed);
                }
            }
            RunStep::Validation => {
                let verdict = self.verdict(world, run);
                if let (Some(verdict), Some(mut second)) = (verdict, world.get_mut::<Second>(run)) {
                    second.verdicts.push(verdict);
                }
            }
            RunStep::Commit => {
                if let Some(verdict) = self.verdict_at_commit(world, run)
                    && let Some(mut second) = world.get_mut::<Second>(run)
                    && let Some((_, last)) = second.verdicts.last_mut()
                {
                    *last = verdict;
                }
            }
            RunStep::Start | RunStep::Retrieval | RunStep::Failure => {}
        }
    }

    fn run_ended(&self, world: &mut World, run: Entity) {
        self.first.run_ended(world, run);
        self.say(self.review_run(world, run));
    }

    fn before_turn(&self, world: &mut World) {
        self.first.before_turn(world);
        refresh(world);
        let mut mentioned = world.query::<(Entity, &RecentMentions)>();
        let mentioned = mentioned.iter(world).map(|(entity, m)| (entity, m.clone()));
        let before = BeforeTurn {
            mentioned: mentioned.collect(),
            world: WorldView::new(world).to_state(),
        };
        world.insert_resource(before);
    }

    fn turn_taken(&self, world: &mut World, actor: Option<Entity>, record: &TurnRecord) {
        self.first.turn_taken(world, actor, record);
        let told = self.review_turn(world, actor, record);
        self.say(told);
    }
}

/// The changed constraints of an attempt: a retry has hardened requirements that are still there. A prohibition that it
/// restates is judged by the rule that it restates, and by nothing of its own.
fn hardened(
    changed: &ConstraintSet,
    own: &ConstraintSet,
    frozen: &[Arc<Constraint>],
) -> Vec<Arc<Constraint>> {
    let mut constraints = changed.constraints.clone();
    let added = frozen.iter().filter(|c| !own.constraints.contains(c));
    for raised in added.filter(|c| c.restates.is_none()) {
        let mut known = constraints.iter_mut();
        if let Some(rule) =
            known.find(|c| c.id == raised.id && c.kind == ConstraintKind::Requirement)
        {
            let severity = rule.severity.max(RuleSeverity::Hard);
            Arc::make_mut(rule).severity = severity;
        }
    }
    constraints
}
