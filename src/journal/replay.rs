//! Replay: everything but the model happens again, and every record is compared with the one that was written down
//! (contract row J4).
//!
//! The recording is played through the same plugin, in an app of its own. Its inputs are fed in one by one; each step of
//! a run happens when just as many records have been replayed as had been written when it happened first. Nothing is
//! asked of the game that was recorded, but its actions, conditions, rules and checks in Rust, which `configure` adds.

mod reading;
mod schedule;

use self::reading::{Context, broken_at, check_assets, field, game_at, replayed};
use self::schedule::{Plan, Schedule, hold_newcomers, step_of};
use super::capture::{Assets, Restoring, capture, character, restore, story};
use super::drift::{Divergence, first_difference};
use super::ledger::{self, Ledger};
use super::record::{Record, RecordKind};
use super::record_body::RecordedReply;
use super::run_timeline::{Moment, RunTimeline};
use super::saved_game::{SavedGame, Settings};
use crate::actor_turns::repeat_turn;
use crate::base::clock::{DramatisClock, ManualClock};
use crate::base::fixed::Millis;
use crate::engine::{EngineIdentity, ReplayEngine};
use crate::memory::SavedMind;
use crate::npc::{KnownNames, LoadedCharacter, submit_request};
use crate::pipeline::interaction::RunNumbers;
use crate::pipeline::run::{ActiveRun, CancelRun, HeldPhases, Run, RunPhase};
use crate::plugin::DramatisPlugins;
use crate::story::ActiveStory;
use crate::world::ActionRegistry;
use crate::world::WorldPart;
use crate::world::action::ProposedAction;
use crate::world::turn::TurnKind;
use bevy::prelude::*;
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::{BTreeMap, VecDeque};
use thiserror::Error;

/// More passes than any record needs.
const MAX_PASSES: usize = 10_000;
/// The most passes in which a reply arrives.
const MAX_ARRIVING: usize = 256;
/// The most differences that a report holds.
const MAX_DIVERGENCES: usize = 1_000;

/// Records with the sources of what was authored.
pub trait Recorded {
    /// How many records there are.
    fn count(&self) -> u64;

    /// One record, by its number from 1.
    ///
    /// # Errors
    /// When it cannot be read.
    fn record(&self, seq: u64) -> Result<Record, ReplayError>;

    /// The sources of what was authored, by the hex form of their hash.
    ///
    /// # Errors
    /// When they cannot be read.
    fn assets(&self) -> Result<Assets, ReplayError>;
}

/// A recording in memory.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Recording {
    /// The records, in order.
    pub records: Vec<Record>,
    /// The sources of what was authored, by the hex form of their hash.
    pub assets: Assets,
}

impl Recorded for Recording {
    fn count(&self) -> u64 {
        self.records.len() as u64
    }

    fn record(&self, seq: u64) -> Result<Record, ReplayError> {
        let index = usize::try_from(seq.wrapping_sub(1)).unwrap_or(usize::MAX);
        self.records
            .get(index)
            .cloned()
            .ok_or(ReplayError::Missing(seq))
    }

    fn assets(&self) -> Result<Assets, ReplayError> {
        Ok(self.assets.clone())
    }
}

/// Why a recording cannot be replayed at all, or no further.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ReplayError {
    /// A record is not there.
    #[error("record {0} is missing")]
    Missing(u64),
    /// A recording begins with a checkpoint.
    #[error("the recording does not begin with a checkpoint")]
    NoCheckpoint,
    /// A record cannot be understood.
    #[error("record {seq}: its \"{field}\" cannot be understood: {why}")]
    Unreadable {
        /// The record's number.
        seq: u64,
        /// The field.
        field: &'static str,
        /// What is wrong.
        why: String,
    },
    /// A record speaks of an authored thing that the recording does not hold, or that cannot be used.
    #[error("record {seq}: {why}")]
    Asset {
        /// The record's number.
        seq: u64,
        /// What is wrong.
        why: String,
    },
    /// The file cannot be read.
    #[error("{0}")]
    File(String),
}

/// What a replay found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReplayReport {
    /// How many records were looked at.
    pub records: u64,
    /// How many runs and turns happened again.
    pub repeated: u64,
    /// Runs that began before the recording did: they cannot happen again.
    pub skipped: Vec<u64>,
    /// Where the replay differs, the first field of each record.
    pub divergences: Vec<Divergence>,
    /// The record at which the replay had to stop, because what happened is not what was recorded.
    pub stopped: Option<u64>,
}

impl ReplayReport {
    /// Whether everything happened again just as it was recorded.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.divergences.is_empty() && self.stopped.is_none()
    }
}

/// Replays a recording. `configure` adds what the recorded game added to its app: actions, conditions, rules, checks,
/// guards; none of its systems.
///
/// # Errors
/// See [`ReplayError`].
pub fn replay(
    recording: &dyn Recorded,
    configure: &dyn Fn(&mut App),
) -> Result<ReplayReport, ReplayError> {
    let mut player = Player::new(recording, configure)?;
    for seq in 1..=recording.count() {
        if player.report.stopped.is_some() {
            break;
        }
        let record = recording.record(seq)?;
        player.report.records += 1;
        player.play(&record, seq)?;
    }
    Ok(player.report)
}

/// Whoever makes the recorded things happen again.
struct Player<'a> {
    recording: &'a dyn Recorded,
    assets: Assets,
    app: App,
    engine: ReplayEngine,
    /// The records of runs that begin at each moment.
    starts: BTreeMap<Moment, Vec<u64>>,
    produced: VecDeque<Record>,
    report: ReplayReport,
}

impl<'a> Player<'a> {
    fn new(recording: &'a dyn Recorded, configure: &dyn Fn(&mut App)) -> Result<Self, ReplayError> {
        if recording.count() == 0 {
            return Err(ReplayError::NoCheckpoint);
        }
        let first = recording.record(1)?;
        if first.kind != RecordKind::Checkpoint {
            return Err(ReplayError::NoCheckpoint);
        }
        let assets = recording.assets()?;
        let game = game_at(recording, &first)?;
        let engine = ReplayEngine::new(game.settings.identity.clone());
        let mut app = App::new();
        app.add_plugins(DramatisPlugins::new(engine.clone()))
            .insert_resource(ManualClock);
        configure(&mut app);
        ledger::begin(&mut app);
        app.init_resource::<Schedule>().add_observer(hold_newcomers);
        app.finish();
        app.cleanup();
        app.world_mut().resource_mut::<Ledger>().replaying = true;
        let mut starts: BTreeMap<Moment, Vec<u64>> = BTreeMap::new();
        for seq in 1..=recording.count() {
            let record = recording.record(seq)?;
            check_assets(&record, &assets)?;
            // What was tampered with is told of when it is reached, and does nothing before.
            if record.kind != RecordKind::Interaction || broken_at(&record, seq).is_some() {
                continue;
            }
            let run_timeline: Option<RunTimeline> = field(&record, "timetable").ok();
            let run_timeline = run_timeline.filter(|run_timeline| !run_timeline.begun_before);
            if let Some(started) = run_timeline.and_then(|run_timeline| run_timeline.started) {
                starts.entry(started).or_default().push(seq);
            }
        }
        Ok(Self {
            recording,
            assets,
            app,
            engine,
            starts,
            produced: VecDeque::new(),
            report: ReplayReport::default(),
        })
    }

    fn play(&mut self, record: &Record, seq: u64) -> Result<(), ReplayError> {
        if let Some(name) = broken_at(record, seq) {
            let recorded = match name.as_str() {
                "seq" => Some(record.seq.to_string()),
                name => record.body.get(name).map(Value::to_string),
            };
            self.diverge(Divergence {
                seq,
                kind: record.kind.name(),
                field: format!("/{name}"),
                recorded,
                replayed: None,
            });
            // Who changed what was fed in has changed all that follows from it.
            self.report.stopped = Some(seq);
            return Ok(());
        }
        match record.kind {
            RecordKind::Checkpoint => self.play_checkpoint(record),
            RecordKind::Interaction | RecordKind::Turn => self.repeat(record),
            _ => self.feed(record, Self::apply),
        }
    }

    fn play_checkpoint(&mut self, record: &Record) -> Result<(), ReplayError> {
        let recorded = game_at(self.recording, record)?;
        let reason = record.body.get("reason").and_then(Value::as_str);
        self.advance(Moment {
            after: record.seq - 1,
            game: record.game.0,
        })?;
        // A file that was only ever saved to begins with such a one.
        if reason == Some("saved") && record.seq > 1 {
            let found = capture(self.app.world_mut()).0;
            self.compare_games(record, &recorded, found);
        } else {
            let world = self.app.world_mut();
            world.resource_mut::<Schedule>().plans.clear();
            let restored = restore(world, &recorded, &self.assets, Restoring::Replay);
            restored.map_err(|error| ReplayError::Asset {
                seq: record.seq,
                why: error.to_string(),
            })?;
            ledger::take_over(world);
            world.resource_mut::<Ledger>().take();
            world.resource_mut::<Ledger>().at(record.seq - 1);
            self.produced.clear();
        }
        self.app.world_mut().resource_mut::<Ledger>().echo();
        Ok(())
    }

    fn compare_games(&mut self, record: &Record, recorded: &SavedGame, mut found: SavedGame) {
        // Numbers count what was in flight, too, which leaves no record before it ends.
        found.session.counters = recorded.session.counters;
        found.session.runs = recorded.session.runs;
        found.session.turns_requested = recorded.session.turns_requested;
        found.session.game = recorded.session.game;
        if found == *recorded {
            return;
        }
        let (a, b) = (json!(recorded), json!(found));
        let keys = a
            .as_object()
            .into_iter()
            .flat_map(|map| map.keys().cloned());
        let differing = keys.into_iter().find(|key| a.get(key) != b.get(key));
        let name = differing.unwrap_or_default();
        self.diverge(Divergence {
            seq: record.seq,
            kind: record.kind.name(),
            field: format!("/game/{name}"),
            recorded: a.get(&name).map(Value::to_string),
            replayed: b.get(&name).map(Value::to_string),
        });
    }

    fn diverge(&mut self, mut divergence: Divergence) {
        let cut = |text: Option<String>| text.map(|text| text.chars().take(300).collect());
        divergence.recorded = cut(divergence.recorded);
        divergence.replayed = cut(divergence.replayed);
        if self.report.divergences.len() < MAX_DIVERGENCES {
            self.report.divergences.push(divergence);
        }
    }

    fn out_of_order(&mut self, recorded: &Record, produced: &Record) {
        self.diverge(Divergence {
            seq: recorded.seq,
            kind: recorded.kind.name(),
            field: "/kind".to_owned(),
            recorded: Some(recorded.kind.name().to_owned()),
            replayed: Some(produced.kind.name().to_owned()),
        });
        self.report.stopped = Some(recorded.seq);
    }

    /// Lets a run end or a turn be taken, and compares what comes of it.
    fn repeat(&mut self, record: &Record) -> Result<(), ReplayError> {
        let begun_before = record
            .body
            .get("timetable")
            .and_then(|run_timeline| run_timeline.get("begun_before"))
            .is_some_and(|begun| *begun == json!(true));
        if begun_before {
            self.report.skipped.push(record.seq);
            return self.feed(record, Self::take_for_granted);
        }
        let moment = Moment {
            after: record.seq - 1,
            game: record.game.0,
        };
        if record.kind == RecordKind::Turn && self.produced.is_empty() {
            // What is judged in the same pass is judged before it: both wait for the same pass.
            self.advance_until(moment, false)?;
            if self.produced.is_empty() {
                self.ask_turn(record)?;
            }
        }
        if self.produced.is_empty() {
            self.advance(moment)?;
        }
        if self.produced.is_empty() {
            self.set_game_time(record.game);
            if record.kind == RecordKind::Interaction {
                for _ in 0..MAX_ARRIVING {
                    if !self.produced.is_empty() || !self.is_arriving(record)? {
                        break;
                    }
                    self.update();
                    self.advance(moment)?;
                }
            }
        }
        if self.produced.is_empty() {
            self.set_game_time(record.game);
            if record.kind == RecordKind::Interaction {
                self.end_run(record)?;
            }
            self.update();
        }
        let Some(produced) = self.produced.pop_front() else {
            self.diverge(Divergence {
                seq: record.seq,
                kind: record.kind.name(),
                field: "/kind".to_owned(),
                recorded: Some(record.kind.name().to_owned()),
                replayed: None,
            });
            self.report.stopped = Some(record.seq);
            return Ok(());
        };
        self.report.repeated += 1;
        if let Some(divergence) = first_difference(record, &produced) {
            self.diverge(divergence);
        }
        Ok(())
    }

    /// Feeds a record in when everything before it has happened. Nothing else may come of that.
    fn feed(
        &mut self,
        record: &Record,
        put: fn(&mut Self, &Record) -> Result<(), ReplayError>,
    ) -> Result<(), ReplayError> {
        self.advance(Moment {
            after: record.seq - 1,
            game: record.game.0,
        })?;
        if let Some(unexpected) = self.produced.pop_front() {
            self.out_of_order(record, &unexpected);
            return Ok(());
        }
        self.set_game_time(record.game);
        put(self, record)?;
        let world = self.app.world_mut();
        ledger::observe(world);
        world.resource_mut::<Ledger>().echo();
        Ok(())
    }

    /// What came of a run that began before the recording did.
    fn take_for_granted(&mut self, record: &Record) -> Result<(), ReplayError> {
        let npc: String = field(record, "npc")?;
        let mind: Option<SavedMind> = field(record, "mind_now")?;
        let world = self.app.world_mut();
        super::feed::put(world, &field::<Vec<WorldPart>>(record, "now")?);
        if let Some(mind) = mind {
            super::feed::remember(world, &npc, &mind);
        }
        Ok(())
    }

    /// Whether the run of this record has a reply that has not arrived whole: chunks come in a bounded number a pass.
    fn is_arriving(&mut self, record: &Record) -> Result<bool, ReplayError> {
        let RunTimeline { run: number, .. } = field(record, "timetable")?;
        let replies: Vec<RecordedReply> = field(record, "bytes")?;
        if replies.last().is_none_or(|reply| reply.pending) {
            return Ok(false);
        }
        let world = self.app.world_mut();
        let mut active = world.query_filtered::<&Run, With<ActiveRun>>();
        let mut calling = active
            .iter(world)
            .filter(|run| run.phase() == RunPhase::Calling);
        Ok(calling.any(|run| run.number() == number))
    }

    /// A run that has done all that it did, and is not over, was ended from outside.
    fn end_run(&mut self, record: &Record) -> Result<(), ReplayError> {
        let RunTimeline { run: number, .. } = field(record, "timetable")?;
        let world = self.app.world_mut();
        let mut active = world.query_filtered::<(Entity, &Run), With<ActiveRun>>();
        let run = active.iter(world).find(|(_, run)| run.number() == number);
        if let Some((run, _)) = run {
            let mut run = world.entity_mut(run);
            run.insert(CancelRun);
            if let Some(mut held) = run.get_mut::<HeldPhases>() {
                held.0.retain(|phase| *phase != RunPhase::Ended);
            }
        }
        Ok(())
    }

    fn ask_turn(&mut self, record: &Record) -> Result<(), ReplayError> {
        #[derive(Deserialize)]
        struct Asked {
            kind: TurnKind,
            actor: String,
            text: Option<String>,
            parsed: Vec<ProposedAction>,
        }
        let Asked {
            kind,
            actor,
            text,
            parsed,
        } = field(record, "asked")?;
        repeat_turn(self.app.world_mut(), &actor, kind, text, parsed);
        Ok(())
    }

    /// Lets everything happen that happened up to this moment, until a run ends.
    fn advance(&mut self, until: Moment) -> Result<(), ReplayError> {
        self.advance_until(until, true)
    }

    fn advance_until(&mut self, until: Moment, inclusive: bool) -> Result<(), ReplayError> {
        for _ in 0..MAX_PASSES {
            if !self.produced.is_empty() {
                return Ok(());
            }
            let due = self.next_moment();
            let due = due.filter(|due| *due < until || inclusive && *due == until);
            let Some(due) = due else { return Ok(()) };
            self.set_game_time(Millis(due.game));
            // One after the other, and before anything that reads no earlier and writes: a run's number is its own.
            for seq in self.starts.remove(&due).into_iter().flatten() {
                self.start(seq)?;
                self.hold_back(due, true);
                self.update();
            }
            self.hold_back(due, false);
            self.update();
        }
        Ok(())
    }

    /// The next moment at which something happened that has not happened again yet.
    fn next_moment(&mut self) -> Option<Moment> {
        let start = self.starts.keys().next().copied();
        let world = self.app.world_mut();
        let mut active = world.query_filtered::<(&Run, Option<&RunTimeline>), With<ActiveRun>>();
        let schedule = world.resource::<Schedule>();
        let steps = active.iter(world).filter_map(|(run, so_far)| {
            let step = step_of(run.phase())?;
            schedule.plans.get(&run.number())?.due(step, so_far)
        });
        steps.chain(start).min()
    }

    /// Holds every run back from what had not happened to it at this moment.
    fn hold_back(&mut self, now: Moment, only_beginnings: bool) {
        let world = self.app.world_mut();
        let mut schedule = world.resource_mut::<Schedule>();
        schedule.now = now;
        schedule.only_beginnings = only_beginnings;
        let mut active =
            world.query_filtered::<(Entity, &Run, Option<&RunTimeline>), With<ActiveRun>>();
        let schedule = world.resource::<Schedule>();
        let holds: Vec<(Entity, HeldPhases, bool)> = active
            .iter(world)
            .map(|(entity, run, so_far)| {
                let late = schedule.is_late(run.number(), so_far);
                (entity, schedule.hold(run.number(), so_far), late)
            })
            .collect();
        for (entity, hold, late) in holds {
            let mut run = world.entity_mut(entity);
            run.insert(hold);
            if let Some(mut run) = run.get_mut::<Run>() {
                if late {
                    run.forbid_retry();
                }
            }
        }
    }

    fn set_game_time(&mut self, game: Millis) {
        self.app.world_mut().resource_mut::<DramatisClock>().game = game;
    }

    fn update(&mut self) {
        self.app.update();
        let mut ledger = self.app.world_mut().resource_mut::<Ledger>();
        let entries = ledger.take();
        self.produced
            .extend(entries.into_iter().map(|entry| entry.record));
    }

    /// Begins a run as it began.
    fn start(&mut self, seq: u64) -> Result<(), ReplayError> {
        let record = self.recording.record(seq)?;
        let run_timeline: RunTimeline = field(&record, "timetable")?;
        let context: Context = field(&record, "context")?;
        let replies: Vec<RecordedReply> = field(&record, "bytes")?;
        let late = self.ran_out_of_time(seq, &run_timeline, replies.len(), &context.npc)?;
        let mut plan = Plan {
            attempts: replies.len(),
            late,
            run_timeline,
        };
        if let Some(last) = plan.run_timeline.failed.last_mut().filter(|_| late) {
            // It was over only after every failure of that pass had been looked at.
            last.after = seq - 1;
        }
        let number = plan.run_timeline.run;
        self.engine
            .feed(&context.npc, replies.iter().filter_map(replayed).collect());
        let world = self.app.world_mut();
        world.resource_mut::<RunNumbers>().0 = number;
        let npc = context.npc.clone();
        world.resource_mut::<Schedule>().plans.insert(number, plan);
        submit_request(world, &npc, context.into());
        Ok(())
    }

    /// Whether the run ended with its last failure: no attempt followed, and nobody ended it from outside. Where attempts
    /// were left, its time had run out.
    fn ran_out_of_time(
        &self,
        seq: u64,
        run_timeline: &RunTimeline,
        attempts: usize,
        npc: &str,
    ) -> Result<bool, ReplayError> {
        if run_timeline.failed.is_empty() || run_timeline.failed.len() != attempts {
            return Ok(false);
        }
        let started = run_timeline
            .started
            .map_or(seq, |started| started.after + 1);
        for between in started..seq {
            let record = self.recording.record(between)?;
            let ended = match record.kind {
                RecordKind::Cancel => record.body.get("run") == Some(&run_timeline.run.into()),
                RecordKind::Left => record.subject.as_deref() == Some(npc),
                _ => false,
            };
            if ended {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn apply(&mut self, record: &Record) -> Result<(), ReplayError> {
        let asset_error = |error: super::capture::RestoreError| ReplayError::Asset {
            seq: record.seq,
            why: error.to_string(),
        };
        let world = self.app.world_mut();
        match record.kind {
            RecordKind::Write => super::feed::put(world, &field::<Vec<WorldPart>>(record, "now")?),
            RecordKind::Entered => {
                let npc: String = field(record, "npc")?;
                let asset: String = field(record, "asset")?;
                let mind: SavedMind = field(record, "mind")?;
                let character = character(&self.assets, &asset).map_err(asset_error)?;
                super::feed::enter(world, &npc, LoadedCharacter(character), &mind);
            }
            RecordKind::Left => super::feed::leave(world, &field::<String>(record, "npc")?),
            RecordKind::Story => {
                let asset: Option<String> = field(record, "asset")?;
                let registry = world.resource::<ActionRegistry>().clone();
                let book = asset.map(|asset| story(&self.assets, &asset, &registry));
                let book = book.transpose().map_err(asset_error)?;
                world.insert_resource(ActiveStory(book.unwrap_or_default()));
            }
            RecordKind::Mind => {
                let npc: String = field(record, "npc")?;
                let mind: SavedMind = field(record, "mind")?;
                super::feed::remember(world, &npc, &mind);
            }
            RecordKind::Settings => {
                #[derive(Deserialize)]
                struct Recorded {
                    how: Settings,
                    names: Vec<String>,
                }
                let Recorded { how, names } = field(record, "settings")?;
                super::capture::put_settings(world, &how, Restoring::Replay);
                world.insert_resource(KnownNames(names));
            }
            RecordKind::Cancel => {
                let number: u64 = field(record, "run")?;
                let mut active = world.query_filtered::<(Entity, &Run), With<ActiveRun>>();
                let run = active.iter(world).find(|(_, run)| run.number() == number);
                if let Some((run, _)) = run {
                    world.entity_mut(run).insert(CancelRun);
                }
            }
            RecordKind::Refused
            | RecordKind::Part
            | RecordKind::Checkpoint
            | RecordKind::Interaction
            | RecordKind::Turn => {}
        }
        world.flush();
        Ok(())
    }
}

/// Says which model a recording was made with.
///
/// # Errors
/// See [`ReplayError`].
pub fn identity(recording: &dyn Recorded) -> Result<EngineIdentity, ReplayError> {
    Ok(game_at(recording, &recording.record(1)?)?.settings.identity)
}
