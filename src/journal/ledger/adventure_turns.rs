//! Turns of an adventure, written down when they end: the journal's hook in the orchestrator.

use super::changes::row_of;
use super::changes::{observe, observe_minds};
use super::minds::MindNews;
use super::resource::{InstalledLedger, Ledger, with_ledger};
use super::runs::{LedgerHook, apply};
use crate::adventure::AdventureSettings;
use crate::adventure::hook::AdventureHook;
use crate::adventure::record::{AdventureRecord, StageLog};
use crate::adventure::saved::changed_parts;
use crate::base::canonical::Digest;
use crate::base::clock::DramatisClock;
use crate::base::ids::Id;
use crate::gate::Verdict;
use crate::journal::game::capture::session;
use crate::journal::game::saved_game::StateRow;
use crate::journal::record::{
    AdventureTurnInputs, AdventureTurnOutputs, AskedAdventure, BeforeAfter, RecordBody,
    RecordedStage,
};
use crate::memory::{Mind, SavedMind};
use crate::npc::LoadedCharacter;
use crate::pipeline::{AttemptError, Outcome, RunPolicy};
use crate::story::ActiveStory;
use bevy::prelude::*;
use serde_json::json;
use std::collections::BTreeMap;

/// On a turn: in which segment it began, and after which record.
#[derive(Component, Debug, Clone, Copy)]
#[component(storage = "SparseSet")]
struct TurnBeginning {
    segment: u64,
    after: u64,
}

impl AdventureHook for LedgerHook {
    fn turn_begun(&self, world: &mut World, turn: Entity) {
        observe(world);
        observe_minds(world);
        let ledger = world.resource::<InstalledLedger>();
        let beginning = TurnBeginning {
            segment: ledger.segment,
            after: ledger.position,
        };
        if let Ok(mut turn) = world.get_entity_mut(turn) {
            turn.insert(beginning);
        }
    }

    fn before_commit(&self, world: &mut World) {
        observe(world);
        observe_minds(world);
        let mut ledger = world.resource_mut::<InstalledLedger>();
        ledger.turn_before = ledger.mirror.digest();
    }

    fn turn_ended(&self, world: &mut World, turn: Entity, record: &AdventureRecord) {
        if record.failure.is_some() {
            // Nothing of the turn is installed: other code made the changes.
            self.before_commit(world);
        }
        with_ledger(world, |world, ledger| {
            write_turn(ledger, world, turn, record);
        });
    }
}

fn write_turn(ledger: &mut Ledger, world: &mut World, turn: Entity, record: &AdventureRecord) {
    let beginning = world.get::<TurnBeginning>(turn).copied();
    let nothing_between = beginning.is_some_and(|beginning| {
        (beginning.segment, beginning.after) == (ledger.segment, ledger.position)
    });
    let repeats = nothing_between && can_happen_again(record);
    let names = ledger.names;
    let (now, known_names) = apply(ledger, world, &record.changes);
    let mut rows: Vec<StateRow> = now.iter().map(row_of).chain(known_names).collect();
    if !repeats {
        // A replay cannot learn them by itself: they are written down as settings.
        ledger.names = names;
    }
    let (minds, minds_now) = match record.failure {
        None => changed_minds(ledger, world, repeats),
        Some(_) => Default::default(),
    };
    let mut digests = BTreeMap::new();
    for (id, news) in minds {
        let after = news.after.clone();
        rows.extend(news.into_rows(&id));
        // It was hashed when it was encoded.
        digests.insert(id, after.digest().to_hex());
    }
    let parts = changed_parts(world, &mut ledger.adventure);
    let part_rows = parts
        .iter()
        .map(|(key, part)| StateRow::new("adventure", key, part.as_ref()));
    rows.extend(part_rows);
    let judged = BeforeAfter {
        before: ledger.turn_before,
        after: ledger.mirror.digest(),
    };
    let settings = world
        .get_resource::<AdventureSettings>()
        .copied()
        .unwrap_or_default();
    let stages = record.stages.iter();
    let outputs = AdventureTurnOutputs::of(
        record,
        Digest::of(&json!(parts)),
        digests,
        world.resource::<ActiveStory>().0.rulebook_digest(),
        judged,
    );
    let body = RecordBody::AdventureTurn {
        inputs: Box::new(AdventureTurnInputs {
            asked: AskedAdventure::of(record, settings),
            stages: stages
                .map(|log| RecordedStage::of(log, ledger.identity()))
                .collect(),
            now: (!repeats).then_some(now),
            minds_now: (!repeats).then_some(minds_now),
            adventure_now: (!repeats).then_some(parts),
        }),
        outputs: Some(Box::new(outputs)),
    };
    let game = world.resource::<DramatisClock>().game;
    let entry = ledger.write(game, Some(&record.persona), &body);
    entry.rows = rows;
    entry.session = Some(session(world));
}

/// Whether a replay can bring about the same turn. One that was interrupted, or whose stage ran out of time between two
/// attempts, did not end by what its stages answered alone.
fn can_happen_again(record: &AdventureRecord) -> bool {
    let interrupted = record
        .failure
        .as_ref()
        .is_some_and(|failure| failure.stage.is_none());
    let ran_out_of_time = |log: &StageLog| {
        let attempts = u32::try_from(log.attempts.len()).unwrap_or(u32::MAX);
        let last = log.attempts.last();
        let ended_by_it = last.is_some_and(|last| {
            last.error == Some(AttemptError::Deadline)
                || last.verdict.as_ref().is_some_and(Verdict::is_critical)
        });
        !matches!(log.outcome, Outcome::Accepted { .. })
            && attempts < RunPolicy::STAGE.max_attempts
            && !ended_by_it
    };
    !interrupted && !record.stages.iter().any(ran_out_of_time)
}

/// The news in the minds that differ from the last record of them. Where the turn cannot happen again, these minds as well.
fn changed_minds(
    ledger: &mut Ledger,
    world: &mut World,
    repeats: bool,
) -> (BTreeMap<Id, MindNews>, BTreeMap<Id, SavedMind>) {
    let mut awake = world.query::<(&LoadedCharacter, Ref<Mind>)>();
    let (mut news, mut minds) = (BTreeMap::new(), BTreeMap::new());
    for (character, mind) in awake.iter(world) {
        let (id, tick) = (&character.0.id, mind.last_changed());
        if ledger.minds.has_seen(id, tick) == Some(true) {
            continue;
        }
        let new = ledger.minds.look(id, &mind, Some(tick));
        if new.is_new() {
            news.insert(id.clone(), new);
            if !repeats {
                minds.insert(id.clone(), SavedMind::from(&*mind));
            }
        }
    }
    (news, minds)
}
