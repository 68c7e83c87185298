//! Runs and turns, written down when they end: the journal's hook in the pipeline.

use super::changes::{loaded_character, observe_all, observe_mind, row_of};
use super::ended_run::EndedRun;
use super::entry::About;
use super::minds::MindHash;
use super::resource::{Ledger, with_ledger};
use crate::actor_turns::RecentMentions;
use crate::base::canonical::Digest;
use crate::base::clock::DramatisClock;
use crate::engine::{RunEngine, Stage};
use crate::journal::game::capture::session;
use crate::journal::game::saved_game::StateRow;
use crate::journal::record::run_timeline::{Moment, RunTimeline};
use crate::journal::record::{
    BeforeAfter, CancelBody, EncodedRecord, InteractionInputs, RecordBody, RecordKind,
    RecordedContext, TurnInputs, TurnOutputs,
};
use crate::memory::SavedMind;
use crate::npc::{KnownNames, LoadedCharacter};
use crate::pipeline::driver::hook::{PipelineHook, RunStep};
use crate::pipeline::{HeardSentences, Outcome, Run};
use crate::story::ActiveStory;
use crate::world::{JudgedChange, TurnRecord, WorldChange, WorldId, WorldPart};
use bevy::prelude::*;
use std::sync::Arc;

/// On a run: which segment it began in, whether its engine is another than that of the settings, and the hashes before its
/// commit.
#[derive(Component, Default)]
#[component(storage = "SparseSet")]
struct RunBeginning {
    segment: u64,
    own_engine: bool,
    world: Digest,
    mind: MindHash,
}

/// Tells the ledger of each moment of the pipeline.
pub(super) struct LedgerHook;

impl PipelineHook for LedgerHook {
    fn before_step(&self, world: &mut World, run: Entity, step: RunStep) {
        with_ledger(world, |world, ledger| {
            observe_all(ledger, world);
            let game = world.resource::<DramatisClock>().game;
            let Some((number, npc, id)) = world
                .get::<Run>(run)
                .map(|run| (run.number(), run.npc_entity(), run.npc().clone()))
            else {
                return;
            };
            observe_mind(ledger, world, npc, game);
            let now = Moment {
                after: ledger.position,
                game: game.0,
            };
            let mut entity = world.entity_mut(run);
            // Coming and going moves all that a run has: they come once.
            if !entity.contains::<RunBeginning>() {
                entity.insert((RunTimeline::default(), RunBeginning::default()));
            }
            if let Some(mut timeline) = entity.get_mut::<RunTimeline>() {
                timeline.run = number;
                timeline.add(step, now);
            }
            // Most steps leave alone what a run has begun with.
            if step == RunStep::Start {
                let engine = entity.get::<RunEngine>();
                let own = |engine: &RunEngine| Some(engine.identity()) != ledger.identity();
                let own_engine = engine.is_some_and(own);
                if let Some(mut begun) = entity.get_mut::<RunBeginning>() {
                    begun.segment = ledger.segment;
                    begun.own_engine = own_engine;
                }
            }
            if step == RunStep::Commit
                && let Some(mut begun) = entity.get_mut::<RunBeginning>()
            {
                begun.world = ledger.mirror.digest();
                begun.mind = ledger.minds.hash(&id);
            }
        });
    }

    fn run_ended(&self, world: &mut World, run: Entity) {
        let accepted = matches!(world.get::<Outcome>(run), Some(Outcome::Accepted { .. }));
        with_ledger(world, |world, ledger| {
            if !accepted {
                // What an accepted run has installed is not the game's; all else that has changed is.
                observe_all(ledger, world);
            }
            write_run(ledger, world, run, accepted);
        });
    }

    fn before_turn(&self, world: &mut World) {
        with_ledger(world, |world, ledger| {
            observe_all(ledger, world);
            ledger.turn_before = ledger.mirror.digest();
        });
    }

    fn mind_changed(&self, world: &mut World, npc: Entity) {
        with_ledger(world, |world, ledger| {
            let game = world.resource::<DramatisClock>().game;
            observe_mind(ledger, world, npc, game);
        });
    }

    fn turn_taken(&self, world: &mut World, actor: Option<Entity>, record: &Arc<TurnRecord>) {
        with_ledger(world, |world, ledger| {
            let (now, names) = apply(ledger, world, &record.changes);
            let mentioned = actor
                .and_then(|actor| world.get::<RecentMentions>(actor))
                .map(|mentioned| mentioned.0.clone());
            let id = actor.and_then(|actor| world.get::<WorldId>(actor)).cloned();
            let session = session(world);
            let judged = BeforeAfter {
                before: ledger.turn_before,
                after: ledger.mirror.digest(),
            };
            let record = Arc::clone(record);
            let about = About::Turn {
                actor,
                turn: record.id,
            };
            let make = move |seq| {
                let mut rows: Vec<StateRow> = now.iter().map(row_of).chain(names).collect();
                if let (Some(mentioned), Some(id)) = (mentioned, id) {
                    rows.push(StateRow::new("mentioned", &id.0, Some(mentioned)));
                }
                let body = RecordBody::Turn {
                    inputs: TurnInputs::from(&*record),
                    outputs: Some(Box::new(TurnOutputs::of(&record, judged))),
                };
                let subject = Some(record.actor.to_string());
                (
                    EncodedRecord::sealed(seq, record.time, subject, &body),
                    rows,
                )
            };
            let entry = ledger.write_later(RecordKind::Turn, make);
            entry.about = about;
            entry.session = Some(session);
        });
    }
}

/// Takes over installed changes: the new state of everything that they changed, and the row of the known names if they
/// introduced a character.
pub(super) fn apply(
    ledger: &mut Ledger,
    world: &World,
    changes: &[JudgedChange],
) -> (Vec<WorldPart>, Option<StateRow>) {
    let mut last: Vec<WorldPart> = Vec::new();
    for change in changes {
        if let Some(now) = ledger.mirror.change(change.change()) {
            last.retain(|part| part.name() != now.name());
            last.push(now);
        }
    }
    last.sort_by(|a, b| a.name().cmp(&b.name()));
    let introduced = |change: &JudgedChange| matches!(change.change(), WorldChange::Spawn { .. });
    let names = changes.iter().any(introduced).then(|| {
        // The names of introduced characters are known.
        let known = world.resource::<KnownNames>();
        ledger.names = known.learned();
        StateRow::new("names", "", Some(known.all()))
    });
    (last, names)
}

fn write_run(ledger: &mut Ledger, world: &mut World, run: Entity, accepted: bool) -> Option<()> {
    let (number, npc, id) = {
        let run = world.get::<Run>(run)?;
        (run.number(), run.npc_entity(), run.npc().clone())
    };
    let outcome = world.get::<Outcome>(run)?;
    let has_spoken = has_spoken(world, run, outcome);
    let is_cancelled = *outcome == Outcome::Cancelled;
    let begun = world.get_mut::<RunBeginning>(run);
    let begun = begun.map(|mut begun| std::mem::take(&mut *begun));
    let begun = begun.unwrap_or_default();
    let game = world.resource::<DramatisClock>().game;
    let mut run_timeline = world.get::<RunTimeline>(run).cloned().unwrap_or_default();
    run_timeline.run = number;
    run_timeline.begun_before = begun.segment != ledger.segment || run_timeline.started.is_none();
    // The run's own speech is in its own record.
    if !accepted && !has_spoken {
        observe_mind(ledger, world, npc, game);
    }
    let here = world
        .get_entity(npc)
        .is_ok_and(|npc| npc.contains::<LoadedCharacter>());
    if is_cancelled && here {
        let body = RecordBody::Cancel(CancelBody { run: number });
        ledger.input(game, Some(&id), &body, Vec::new());
    }
    let ended = EndedRun::of(world, run)?;
    let mut mind_before = ledger.minds.hash(&id);
    let mut mind_after = mind_before.clone();
    let world_now = ledger.mirror.digest();
    let mut judged = BeforeAfter {
        before: world_now,
        after: world_now,
    };
    let (mut now, mut names, mut new_mind, mut news) = (Vec::new(), None, None, None);
    if accepted {
        mind_before = begun.mind;
        judged.before = begun.world;
        let known_names = ledger.names;
        (now, names) = apply(ledger, world, &ended.changes.0);
        if run_timeline.begun_before {
            // A replay cannot learn them by itself: they are written down as settings.
            ledger.names = known_names;
        }
        judged.after = ledger.mirror.digest();
    }
    if has_spoken && let Some((_, _, own)) = loaded_character(world, npc) {
        let new = ledger.minds.look(&id, &own, Some(own.last_changed()));
        mind_after = new.after.clone();
        news = Some(new);
        new_mind = run_timeline.begun_before.then(|| SavedMind::from(&*own));
    }
    let session = session(world);
    let rulebook = world.resource::<ActiveStory>().0.rulebook_digest();
    let identity = match &ended.engine {
        Some(_) => None,
        None => ledger.identity().cloned(),
    };
    let make = move |seq| {
        let mut news = news;
        let mut rows: Vec<StateRow> = now.iter().map(row_of).chain(names).collect();
        let forgotten = news
            .as_mut()
            .map(|news| std::mem::take(&mut news.forgotten))
            .filter(|forgotten| !forgotten.is_empty());
        rows.extend(news.into_iter().flat_map(|news| news.into_rows(&id)));
        // A run that began before cannot happen again: a replay gets its result.
        let begun_before = run_timeline.begun_before;
        let inputs = InteractionInputs {
            context: RecordedContext::of(&ended.context),
            run_timeline,
            replies: ended.replies(),
            remembers: (ended.stage == Stage::Remember.snake_case()).then_some(true),
            diary: (ended.stage == Stage::Diary.snake_case()).then_some(true),
            engine: ended.engine.clone().filter(|_| begun.own_engine),
            now: begun_before.then_some(now),
            mind_now: begun_before.then_some(new_mind),
            rulebook: Some(rulebook.to_hex()),
            forgotten,
        };
        let identity = ended.engine.as_ref().or(identity.as_ref());
        let mind = BeforeAfter {
            before: mind_before.digest(),
            after: mind_after.digest(),
        };
        let body = RecordBody::Interaction {
            inputs: Box::new(inputs),
            outputs: Some(Box::new(ended.outputs(mind, judged, identity))),
        };
        let subject = Some(id.to_string());
        (EncodedRecord::sealed(seq, game, subject, &body), rows)
    };
    let entry = ledger.write_later(RecordKind::Interaction, make);
    entry.about = About::Run { npc, run };
    entry.session = Some(session);
    Some(())
}

/// Whether a run has noted in the mind of its character what it said: that is its own doing, and not the game's.
fn has_spoken(world: &World, run: Entity, outcome: &Outcome) -> bool {
    let heard = world.get::<HeardSentences>(run);
    // A request that failed is noted, too.
    let stage = world.get::<Run>(run).map(Run::stage);
    let was_asked = *outcome == Outcome::Failed && stage.is_some_and(Stage::is_background);
    was_asked
        || outcome.line().is_some()
        || heard.is_some_and(|heard| !heard.judged_line().is_empty())
}
