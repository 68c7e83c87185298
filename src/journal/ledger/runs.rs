//! Runs and turns, written down when they end: the journal's hook in the pipeline.

use super::changes::{loaded_character, observe, observe_mind, row_of};
use super::entry::About;
use super::resource::Ledger;
use super::run_parts::RunParts;
use crate::actor_turns::RecentMentions;
use crate::base::canonical::Digest;
use crate::base::clock::DramatisClock;
use crate::engine::RunEngine;
use crate::journal::capture::session;
use crate::journal::record::{
    BeforeAfter, CancelBody, InteractionInputs, RecordBody, TurnInputs, TurnOutputs,
};
use crate::journal::run_timeline::{Moment, RunTimeline};
use crate::journal::saved_game::StateRow;
use crate::npc::{KnownNames, LoadedCharacter};
use crate::pipeline::hook::{PipelineHook, RunStep};
use crate::pipeline::mutation::AppliedChanges;
use crate::pipeline::{HeardSentences, Outcome, Run};
use crate::story::ActiveStory;
use crate::world::{JudgedChange, TurnRecord, WorldChange, WorldId, WorldPart};
use bevy::prelude::*;
use std::collections::BTreeMap;

/// On a run: which segment it began in, whether its engine is another than that of the settings, and the hashes before its
/// commit.
#[derive(Component, Debug, Clone, Copy, Default)]
struct RunBeginning {
    segment: u64,
    own_engine: bool,
    world: Digest,
    mind: Digest,
}

/// Tells the ledger of each moment of the pipeline.
pub(super) struct LedgerHook;

impl PipelineHook for LedgerHook {
    fn before_step(&self, world: &mut World, run: Entity, step: RunStep) {
        observe(world);
        world.resource_scope(|world, mut ledger: Mut<Ledger>| {
            let game = world.resource::<DramatisClock>().game;
            let Some((number, npc, id)) = world
                .get::<Run>(run)
                .map(|run| (run.number(), run.npc_entity(), run.npc().clone()))
            else {
                return;
            };
            observe_mind(&mut ledger, world, npc, game);
            let now = Moment {
                after: ledger.position,
                game: game.0,
            };
            let mut entity = world.entity_mut(run);
            let mut run_timeline = entity.take::<RunTimeline>().unwrap_or_default();
            let mut begun = entity.take::<RunBeginning>().unwrap_or_default();
            run_timeline.run = number;
            run_timeline.add(step, now);
            if step == RunStep::Start {
                begun.segment = ledger.segment;
                let engine = entity.get::<RunEngine>();
                let own = |engine: &RunEngine| Some(engine.identity()) != ledger.identity();
                begun.own_engine = engine.is_some_and(own);
            }
            if step == RunStep::Commit {
                begun.world = ledger.mirror.digest();
                begun.mind = ledger
                    .minds
                    .get(&id)
                    .map(|(_, digest)| *digest)
                    .unwrap_or_default();
            }
            entity.insert((run_timeline, begun));
        });
    }

    fn run_ended(&self, world: &mut World, run: Entity) {
        let accepted = matches!(world.get::<Outcome>(run), Some(Outcome::Accepted { .. }));
        if !accepted {
            // What an accepted run has installed is not the game's; all else that has changed is.
            observe(world);
        }
        world.resource_scope(|world, mut ledger: Mut<Ledger>| {
            write_run(&mut ledger, world, run, accepted);
        });
    }

    fn before_turn(&self, world: &mut World) {
        observe(world);
        let mut ledger = world.resource_mut::<Ledger>();
        ledger.turn_before = ledger.mirror.digest();
    }

    fn turn_taken(&self, world: &mut World, actor: Option<Entity>, record: &TurnRecord) {
        world.resource_scope(|world, mut ledger: Mut<Ledger>| {
            let (mut rows, _) = apply(&mut ledger, world, &record.changes);
            let mentioned = actor.and_then(|actor| world.get::<RecentMentions>(actor));
            if let (Some(RecentMentions(mentioned)), Some(id)) = (
                mentioned,
                actor.and_then(|actor| world.get::<WorldId>(actor)),
            ) {
                rows.push(StateRow::new("mentioned", &id.0, Some(mentioned)));
            }
            rows.push(StateRow::new("session", "", Some(session(world))));
            let judged = BeforeAfter {
                before: ledger.turn_before,
                after: ledger.mirror.digest(),
            };
            let body = RecordBody::Turn {
                inputs: TurnInputs::from(record),
                outputs: Some(Box::new(TurnOutputs::of(record, judged))),
            };
            let subject = Some(record.actor.as_str());
            let entry = ledger.write(record.time, subject, &body);
            entry.rows = rows;
            entry.about = About::Turn {
                actor: actor.unwrap_or(Entity::PLACEHOLDER),
                turn: record.id,
            };
        });
    }
}

/// Takes over changes that were installed, and says how what they changed is now.
pub(super) fn apply(
    ledger: &mut Ledger,
    world: &World,
    changes: &[JudgedChange],
) -> (Vec<StateRow>, Vec<WorldPart>) {
    let mut last: BTreeMap<(String, String), (StateRow, WorldPart)> = BTreeMap::new();
    for change in changes {
        if let Some(now) = ledger.mirror.change(change.change()) {
            let row = row_of(&now);
            last.insert((row.kind.clone(), row.key.clone()), (row, now));
        }
    }
    let (mut rows, now): (Vec<StateRow>, Vec<WorldPart>) = last.into_values().unzip();
    let known = world.resource::<KnownNames>();
    if changes
        .iter()
        .any(|change| matches!(change.change(), WorldChange::Spawn { .. }))
    {
        // Who was introduced is known by name.
        ledger.names = known.learned();
        rows.push(StateRow::new("names", "", Some(known.all())));
    }
    (rows, now)
}

fn write_run(ledger: &mut Ledger, world: &mut World, run: Entity, accepted: bool) -> Option<()> {
    let (number, npc, id) = {
        let run = world.get::<Run>(run)?;
        (run.number(), run.npc_entity(), run.npc().clone())
    };
    let outcome = world.get::<Outcome>(run)?.clone();
    let begun = world.get::<RunBeginning>(run).copied().unwrap_or_default();
    let game = world.resource::<DramatisClock>().game;
    let mut run_timeline = world.get::<RunTimeline>(run).cloned().unwrap_or_default();
    run_timeline.run = number;
    run_timeline.begun_before = begun.segment != ledger.segment || run_timeline.started.is_none();
    let known = |ledger: &Ledger| {
        ledger
            .minds
            .get(&id)
            .map(|(_, digest)| *digest)
            .unwrap_or_default()
    };
    if !accepted {
        // What the run has said itself stands in its own record.
        if !has_spoken(world, run, &outcome) {
            observe_mind(ledger, world, npc, game);
        }
    }
    let here = world
        .get_entity(npc)
        .is_ok_and(|npc| npc.contains::<LoadedCharacter>());
    if outcome == Outcome::Cancelled && here {
        let body = RecordBody::Cancel(CancelBody { run: number });
        ledger.input(game, Some(&id), &body, Vec::new());
    }
    let (mut mind, mut judged) = (
        BeforeAfter {
            before: known(ledger),
            after: known(ledger),
        },
        BeforeAfter {
            before: ledger.mirror.digest(),
            after: ledger.mirror.digest(),
        },
    );
    let (mut rows, mut now, mut new_mind) = (Vec::new(), Vec::new(), None);
    if accepted {
        mind.before = begun.mind;
        judged.before = begun.world;
        let changes = world
            .get::<AppliedChanges>(run)
            .cloned()
            .unwrap_or_default();
        let names = ledger.names;
        (rows, now) = apply(ledger, world, &changes.0);
        if run_timeline.begun_before {
            // A replay cannot learn them by itself: they are written down as settings.
            ledger.names = names;
        }
        judged.after = ledger.mirror.digest();
    }
    if has_spoken(world, run, &outcome)
        && let Some((_, _, saved, tick)) = loaded_character(world, npc)
    {
        let encoded = saved.encoded();
        mind.after = Digest::of_bytes(encoded.as_bytes());
        ledger.minds.insert(id.clone(), (tick, mind.after));
        rows.push(StateRow::encoded("mind", &id, encoded));
        new_mind = Some(saved);
    }
    rows.push(StateRow::new("session", "", Some(session(world))));
    let rulebook = world.resource::<ActiveStory>().0.rulebook_digest().to_hex();
    let parts = RunParts::of(world, run)?;
    // A run that began before cannot happen again: what came of it is fed to a replay.
    let begun_before = run_timeline.begun_before;
    let inputs = InteractionInputs {
        context: parts.context(),
        run_timeline,
        replies: parts.replies(),
        engine: parts.engine().filter(|_| begun.own_engine).cloned(),
        now: begun_before.then_some(now),
        mind_now: begun_before.then_some(new_mind),
        rulebook: Some(rulebook),
    };
    let identity = parts.engine().or(ledger.identity()).cloned();
    let body = RecordBody::Interaction {
        inputs: Box::new(inputs),
        outputs: Some(Box::new(parts.outputs(mind, judged, identity.as_ref()))),
    };
    let entry = ledger.write(game, Some(&id), &body);
    entry.rows = rows;
    entry.about = About::Run { npc, run };
    Some(())
}

/// Whether a run has noted in the mind of its character what it said: that is its own doing, and not the game's.
fn has_spoken(world: &World, run: Entity, outcome: &Outcome) -> bool {
    let heard = world.get::<HeardSentences>(run);
    outcome.line().is_some() || heard.is_some_and(|heard| !heard.judged_line().is_empty())
}
