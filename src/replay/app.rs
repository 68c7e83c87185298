//! The app in which a recording happens again: runs begin and go on at the moments at which they did.

use super::schedule::{Plan, Schedule, hold_newcomers, identify_engine, step_of};
use crate::adventure::AdventureSettings;
use crate::adventure::submit::{begin_turn, stages_asked};
use crate::base::clock::{DramatisClock, ManualClock};
use crate::base::time::GameTime;
use crate::engine::{EngineIdentity, Engines, ReplayEngine, ReplayedReply, Stage};
use crate::journal::game::capture::Assets;
use crate::journal::ledger::{self, InstalledLedger, LedgerEntry};
use crate::journal::record::run_timeline::{Moment, RunTimeline};
use crate::journal::record::{
    AdventureTurnInputs, EncodedRecord, InteractionInputs, RecordBody, RecordKind, RecordedReply,
};
use crate::journal::recording::Recorded;
use crate::journal::recording::error::ReplayError;
use crate::journal::recording::reading::{check_assets, replayed, said};
use crate::npc::submit::CancelRun;
use crate::npc::submit::submit_request;
use crate::pipeline::run::{ActiveRun, HeldPhases, Run, RunPhase};
use crate::pipeline::steps::interaction::RunNumbers;
use crate::pipeline::{StageTask, diary, remembering};
use crate::plugin::DramatisPlugins;
use crate::recorded::InputsAreFed;
use crate::staging::AuthoredTriggers;
use crate::world::WorldIndex;
use bevy::prelude::*;
use std::collections::{BTreeMap, VecDeque};

/// More passes than any record needs.
const MAX_PASSES: usize = 10_000;

/// Runs whose moments are known.
type Dialogues = (With<ActiveRun>, Without<StageTask>);

/// An app that plays a recording.
pub(super) struct ReplayApp<'a> {
    recording: &'a dyn Recorded,
    inner: App,
    engine: ReplayEngine,
    /// Whether a frame has been played.
    begun: bool,
    /// The records of runs that begin at each moment.
    starts: BTreeMap<Moment, Vec<u64>>,
    /// When the runs that begin here are over, by the numbers of their records.
    awaited_runs: BTreeMap<u64, Moment>,
    /// The runs that have begun and whose records have not been reached.
    begun_runs: BTreeMap<u64, BegunRun>,
    /// Records that were made here and not compared yet.
    pub produced: VecDeque<LedgerEntry>,
    /// Finds the runs whose moments are known.
    dialogues: QueryState<(Entity, &'static Run, Option<&'static RunTimeline>), Dialogues>,
}

/// A run that was begun as its record says.
pub(super) struct BegunRun {
    /// The number of the run, which is not that of its record.
    pub number: u64,
    /// Whether the last reply came to its end.
    pub is_answered: bool,
    /// Its record, which is whole.
    pub record: EncodedRecord,
}

impl BegunRun {
    /// The run that this record tells of, whose inputs these are.
    pub fn of(record: EncodedRecord, inputs: &InteractionInputs) -> Self {
        let reply = inputs.replies.last();
        Self {
            number: inputs.run_timeline.run,
            is_answered: reply.is_some_and(|reply| !reply.pending),
            record,
        }
    }
}

impl<'a> ReplayApp<'a> {
    /// An app with the plugin and with what `configure` adds. The recording is read once, to learn when runs begin.
    pub(crate) fn new(
        recording: &'a dyn Recorded,
        assets: &Assets,
        identity: EngineIdentity,
        configure: &dyn Fn(&mut App),
    ) -> Result<Self, ReplayError> {
        let engine = ReplayEngine::new(identity);
        let mut app = App::new();
        let plugins = DramatisPlugins::new(engine.clone()).with_sealed_engine(engine.clone());
        app.add_plugins(plugins).insert_resource(ManualClock);
        configure(&mut app);
        ledger::begin(&mut app);
        // No engine of the game is asked in a replay.
        app.world_mut().remove_resource::<Engines>();
        // What triggers asked for was recorded as requests.
        app.insert_resource(AuthoredTriggers(false));
        app.insert_resource(InputsAreFed);
        app.init_resource::<Schedule>()
            .add_observer(hold_newcomers)
            .add_observer(identify_engine);
        app.finish();
        app.cleanup();
        app.world_mut().resource_mut::<InstalledLedger>().replaying = true;
        let mut starts: BTreeMap<Moment, Vec<u64>> = BTreeMap::new();
        let mut awaited_runs = BTreeMap::new();
        let mut seq = 0;
        recording.visit_outlines(&mut |outline| {
            seq += 1;
            if let Some(record) = &outline.naming {
                check_assets(record, assets)?;
            }
            // A record in the wrong place is reported when the replay reaches it.
            if let Some(began) = outline.began.filter(|_| outline.seq == seq) {
                starts.entry(began.at).or_default().push(seq);
                awaited_runs.insert(seq, began.over);
            }
            Ok(())
        })?;
        let dialogues = app.world_mut().query_filtered();
        Ok(Self {
            recording,
            inner: app,
            engine,
            begun: false,
            starts,
            awaited_runs,
            begun_runs: BTreeMap::new(),
            produced: VecDeque::new(),
            dialogues,
        })
    }

    /// The world of the app.
    pub fn world_mut(&mut self) -> &mut World {
        self.inner.world_mut()
    }

    /// Lets everything happen up to the record with this number, if it is of a run that begins here. `None` of any other record,
    /// and of one that was tampered with.
    pub fn begin_run(&mut self, seq: u64) -> Result<Option<BegunRun>, ReplayError> {
        if let Some(over) = self.awaited_runs.remove(&seq) {
            self.advance(over)?;
        }
        Ok(self.begun_runs.remove(&seq))
    }

    /// Whether the run has a reply that has not arrived whole: chunks come in a bounded number a pass.
    pub fn is_arriving(&mut self, run: &BegunRun) -> bool {
        if !run.is_answered {
            return false;
        }
        let world = self.inner.world_mut();
        let mut active = world.query_filtered::<&Run, With<ActiveRun>>();
        let mut calling = active
            .iter(world)
            .filter(|run| run.phase() == RunPhase::Calling);
        calling.any(|other| other.number() == run.number)
    }

    /// A run that has done all that it did, and is not over, was ended from outside.
    pub fn end_run(&mut self, number: u64) {
        let world = self.inner.world_mut();
        let mut active = world.query_filtered::<(Entity, &Run), With<ActiveRun>>();
        let run = active.iter(world).find(|(_, run)| run.number() == number);
        if let Some((run, _)) = run {
            let mut run = world.entity_mut(run);
            run.insert(CancelRun);
            if let Some(mut held) = run.get_mut::<HeldPhases>() {
                held.0.retain(|phase| *phase != RunPhase::Ended);
            }
        }
    }

    /// Lets everything happen that happened up to this moment, until a run ends.
    pub fn advance(&mut self, until: Moment) -> Result<(), ReplayError> {
        self.advance_until(until, true)
    }

    pub fn advance_until(&mut self, until: Moment, inclusive: bool) -> Result<(), ReplayError> {
        for _ in 0..MAX_PASSES {
            if !self.produced.is_empty() {
                return Ok(());
            }
            let due = self.next_moment();
            let due = due.filter(|due| *due < until || inclusive && *due == until);
            let Some(due) = due else { return Ok(()) };
            self.start_all(due)?;
            self.set_game_time(GameTime(due.game));
            self.hold_back(due, false);
            self.update();
        }
        Ok(())
    }

    /// Begins the runs that began at this moment, one after the other, and before anything that reads no earlier and writes: a
    /// run's number is its own.
    pub fn start_all(&mut self, at: Moment) -> Result<(), ReplayError> {
        for seq in self.starts.remove(&at).into_iter().flatten() {
            self.set_game_time(GameTime(at.game));
            self.start(seq)?;
            self.hold_back(at, true);
            self.update();
        }
        Ok(())
    }

    /// The next moment at which something happened that has not happened again yet.
    fn next_moment(&mut self) -> Option<Moment> {
        let start = self.starts.keys().next().copied();
        let world = self.inner.world();
        let schedule = world.resource::<Schedule>();
        let steps = self.dialogues.iter(world).filter_map(|(_, run, so_far)| {
            let step = step_of(run.phase())?;
            schedule.plans.get(&run.number())?.due(step, so_far)
        });
        steps.chain(start).min()
    }

    /// Holds every run back from what had not happened to it at this moment.
    fn hold_back(&mut self, now: Moment, only_beginnings: bool) {
        let world = self.inner.world_mut();
        let mut schedule = world.resource_mut::<Schedule>();
        schedule.now = now;
        schedule.only_beginnings = only_beginnings;
        let schedule = world.resource::<Schedule>();
        let holds: Vec<(Entity, HeldPhases, bool)> = self
            .dialogues
            .iter(world)
            .map(|(entity, run, so_far)| {
                let late = schedule.is_late(run.number(), so_far);
                (entity, schedule.hold(run.number(), so_far), late)
            })
            .collect();
        for (entity, hold, late) in holds {
            let mut run = world.entity_mut(entity);
            run.insert(hold);
            if late && let Some(mut run) = run.get_mut::<Run>() {
                run.forbid_retry();
            }
        }
    }

    pub fn set_game_time(&mut self, game: GameTime) {
        self.inner.world_mut().resource_mut::<DramatisClock>().game = game;
    }

    /// Lets the systems of the app's beginning run, if no frame has been played yet.
    pub fn begin(&mut self) {
        if !self.begun {
            self.update();
        }
    }

    pub fn update(&mut self) {
        self.begun = true;
        self.inner.update();
        self.collect();
    }

    /// Takes the records that were made here.
    pub fn collect(&mut self) {
        let mut ledger = self.inner.world_mut().resource_mut::<InstalledLedger>();
        self.produced.extend(ledger.take());
    }

    /// Plays a turn of an adventure from its beginning to its end, as far as what was recorded takes it.
    pub fn play_adventure(&mut self, recorded: &AdventureTurnInputs, end: GameTime) {
        // Lore is read several times in a turn, and belongs to no character: its replies are in one row.
        let mut replies: BTreeMap<(Stage, Option<&str>), Vec<ReplayedReply>> = BTreeMap::new();
        for stage in &recorded.stages {
            let of_stage = replies.entry((stage.stage, stage.npc.as_deref()));
            of_stage
                .or_default()
                .extend(stage.replies.iter().filter_map(replayed));
        }
        for ((stage, npc), replies) in replies {
            self.engine.feed_stage(stage, npc, replies);
        }
        let engines = recorded.stages.iter();
        let engines = engines
            .filter_map(|stage| Some(((stage.stage, stage.npc.clone()), stage.engine.clone()?)));
        let engines = engines.collect();
        let world = self.inner.world_mut();
        world.resource_mut::<Schedule>().stage_engines = engines;
        world.insert_resource(AdventureSettings {
            // Separate records give what they said.
            recap_chars: usize::MAX,
            ..recorded.asked.settings()
        });
        let first = recorded.stages.first().map_or(end, |stage| stage.at);
        self.set_game_time(first);
        begin_turn(
            self.inner.world_mut(),
            recorded.asked.turn(),
            recorded.asked.version_of,
        );
        for _ in 0..MAX_PASSES {
            if !self.produced.is_empty() {
                return;
            }
            let Some(asked) = stages_asked(self.inner.world_mut()) else {
                return;
            };
            self.set_game_time(recorded.stages.get(asked).map_or(end, |stage| stage.at));
            self.update();
        }
    }

    /// Begins a run as it began.
    fn start(&mut self, seq: u64) -> Result<(), ReplayError> {
        let read = self.recording.read(seq)?;
        // A record that was tampered with is reported when the replay reaches it, and does nothing before.
        let (record, Ok(RecordBody::Interaction { inputs, .. })) = said(read, seq)? else {
            return Ok(());
        };
        self.begun_runs.insert(seq, BegunRun::of(record, &inputs));
        let InteractionInputs {
            context,
            run_timeline,
            replies,
            engine,
            remembers,
            diary,
            ..
        } = *inputs;
        let late = self.ran_out_of_time(seq, &run_timeline, replies.len(), &context.npc)?;
        let mut plan = Plan {
            attempts: replies.len(),
            late,
            run_timeline,
            engine,
        };
        if let Some(last) = plan.run_timeline.failed.last_mut().filter(|_| late) {
            // It was over only after every failure of that pass had been looked at.
            last.after = seq - 1;
        }
        let number = plan.run_timeline.run;
        let calls = replies.iter().flat_map(RecordedReply::calls);
        let calls = calls.filter_map(replayed).collect();
        let npc = context.npc.clone();
        let begin: Option<(Stage, fn(&mut World, Entity))> = match (remembers, diary) {
            (Some(true), _) => Some((Stage::Remember, remembering::begin)),
            (_, Some(true)) => Some((Stage::Diary, |world, npc| {
                diary::begin_next(world, npc);
            })),
            _ => None,
        };
        match begin {
            Some((stage, _)) => self.engine.feed_stage(stage, Some(&npc), calls),
            None => self.engine.feed(&npc, calls),
        }
        let world = self.inner.world_mut();
        world.resource_mut::<RunNumbers>().0 = number;
        world.resource_mut::<Schedule>().plans.insert(number, plan);
        if let Some((_, begin)) = begin {
            if let Some(character) = WorldIndex::find(world, &npc) {
                begin(world, character);
            }
            return Ok(());
        }
        submit_request(world, &npc, context.into_request());
        Ok(())
    }

    /// Whether the run ended with its last failure: no attempt followed, and no code ended it from outside. If attempts were
    /// left, its time had run out.
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
            let record = self.recording.encoded(between)?;
            let ended = match record.kind {
                RecordKind::Cancel => match record.read() {
                    Ok(RecordBody::Cancel(body)) => body.run == run_timeline.run,
                    _ => false,
                },
                RecordKind::Left => record.subject.as_deref() == Some(npc),
                _ => false,
            };
            if ended {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
