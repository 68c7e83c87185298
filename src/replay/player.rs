//! Plays a recording record by record: feeds in what is an input, lets the rest happen again, and compares.

use super::app::{BegunRun, ReplayApp};
use super::comparing::{Comparing, Differences};
use super::past::PastGame;
use super::report::ReplayReport;
use super::schedule::Schedule;
use crate::actor_turns::repeat_turn;
use crate::adventure::saved::put_parts;
use crate::journal::game::capture::{
    Assets, RestoreError, Restoring, capture, character, check_settings, put_settings, restore,
    story,
};
use crate::journal::game::inputs;
use crate::journal::game::saved_game::SavedGame;
use crate::journal::ledger::{self, InstalledLedger, LedgerEntry};
use crate::journal::record::run_timeline::Moment;
use crate::journal::record::{
    AdventureTurnInputs, AskedTurn, CheckpointBody, CheckpointReason, EncodedRecord,
    InteractionInputs, PlanInputs, ReadRecord, RecordBody, RecordedSettings,
};
use crate::journal::recording::Recorded;
use crate::journal::recording::drift::Divergence;
use crate::journal::recording::error::ReplayError;
use crate::journal::recording::reading::{game_of, identity_of, said};
use crate::npc::submit::CancelRun;
use crate::npc::{KnownNames, LoadedCharacter};
use crate::pipeline::run::{ActiveRun, Run};
use crate::pipeline::steps::prompt::PROMPTS;
use crate::plans::{PlanId, repeat};
use crate::recorded::RecordedInputs;
use crate::story::ActiveStory;
use crate::world::ActionRegistry;
use bevy::prelude::*;
use serde_json::{Value, json};

/// The most passes in which a reply arrives.
const MAX_ARRIVING: usize = 256;

/// Plays a recording and collects the differences.
pub(super) struct Player<'a> {
    recording: &'a dyn Recorded,
    assets: Assets,
    app: ReplayApp<'a>,
    report: ReplayReport,
    comparing: Comparing,
    /// Whether what is played was made with the prompts of this version.
    same_prompts: bool,
    /// The differences in addition to those of the reproduced records.
    differences: Differences,
}

impl<'a> Player<'a> {
    /// Begins with the checkpoint that every recording begins with.
    pub fn new(
        recording: &'a dyn Recorded,
        configure: &dyn Fn(&mut App),
    ) -> Result<Self, ReplayError> {
        let identity = identity_of(recording)?;
        let assets = recording.assets()?;
        Ok(Self {
            recording,
            app: ReplayApp::new(recording, &assets, identity, configure)?,
            assets,
            report: ReplayReport::default(),
            comparing: Comparing::begin(),
            same_prompts: true,
            differences: Differences::default(),
        })
    }

    /// Plays all of it, or as far as it goes.
    pub fn play_all(mut self) -> Result<ReplayReport, ReplayError> {
        self.play_records(self.recording.count())?;
        self.report.divergences = self.differences.with(self.comparing.end());
        Ok(self.report)
    }

    /// Plays it up to a record, and looks at the game then.
    pub(crate) fn play_until(mut self, last: u64) -> Result<PastGame, ReplayError> {
        self.play_records(last.min(self.recording.count()))?;
        self.report.divergences = self.differences.with(self.comparing.end());
        Ok(PastGame::of(self.app.world_mut(), self.report))
    }

    fn play_records(&mut self, last: u64) -> Result<(), ReplayError> {
        for seq in 1..=last {
            if self.report.stopped.is_some() {
                break;
            }
            self.report.records += 1;
            if let Some(run) = self.app.begin_run(seq)? {
                self.repeat_run(run)?;
                continue;
            }
            let read = self.recording.read(seq)?;
            self.play(read, seq)?;
        }
        Ok(())
    }

    fn play(&mut self, read: ReadRecord, seq: u64) -> Result<(), ReplayError> {
        let (record, says) = said(read, seq)?;
        let body = match says {
            Ok(body) => body,
            Err(name) => {
                self.stop_at_broken_seal(&record, seq, &name);
                return Ok(());
            }
        };
        match body {
            RecordBody::Checkpoint(body) => self.play_checkpoint(&record, *body),
            RecordBody::Interaction { inputs, .. } if inputs.run_timeline.begun_before => {
                self.report.skipped.push(record.seq);
                self.feed(&record, |player| player.take_for_granted(&record, *inputs))
            }
            RecordBody::Interaction { inputs, .. } => {
                // It says of no beginning.
                self.repeat_run(BegunRun::of(record, &inputs))
            }
            RecordBody::Turn { inputs, .. } => self.repeat_turn(record, inputs.asked),
            RecordBody::AdventureTurn { inputs, .. } if inputs.now.is_some() => {
                self.report.skipped.push(record.seq);
                self.feed(&record, |player| {
                    player.take_turn_for_granted(*inputs);
                    Ok(())
                })
            }
            RecordBody::AdventureTurn { inputs, .. } => self.repeat_adventure(record, &inputs),
            RecordBody::Plan { inputs, .. } => self.repeat_plan(record, *inputs),
            other => self.feed(&record, |player| player.apply(record.seq, other)),
        }
    }

    /// A person who changed an input has changed everything that follows from it.
    fn stop_at_broken_seal(&mut self, record: &EncodedRecord, seq: u64, name: &str) {
        let value = || Some(record.to_record().ok()?.body.get(name)?.to_string());
        let recorded = match name {
            "seq" => Some(record.seq.to_string()),
            _ => value(),
        };
        self.diverge(Divergence {
            seq,
            kind: record.kind.name(),
            field: format!("/{name}"),
            recorded,
            replayed: None,
        });
        self.report.stopped = Some(seq);
    }

    fn play_checkpoint(
        &mut self,
        record: &EncodedRecord,
        body: CheckpointBody,
    ) -> Result<(), ReplayError> {
        let reason = body.reason;
        let hashing = body.hashing.unwrap_or_default();
        self.same_prompts = body.prompts == Some(PROMPTS);
        let recorded = game_of(self.recording, record.seq, body)?;
        self.app.advance(moment_of(record))?;
        // A file that was only ever saved to begins with such a one.
        if reason == CheckpointReason::Saved && record.seq > 1 {
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
            world.insert_resource(hashing);
            ledger::accept_current_state(world, hashing);
            world.resource_mut::<InstalledLedger>().take();
            world.resource_mut::<InstalledLedger>().at(record.seq - 1);
            self.app.produced.clear();
        }
        self.app
            .world_mut()
            .resource_mut::<InstalledLedger>()
            .count_recorded();
        Ok(())
    }

    fn compare_games(
        &mut self,
        record: &EncodedRecord,
        recorded: &SavedGame,
        mut found: SavedGame,
    ) {
        // Numbers count what was in flight, too, which leaves no record before it ends.
        found.session.counters = recorded.session.counters;
        found.session.runs = recorded.session.runs;
        found.session.turns_requested = recorded.session.turns_requested;
        found.session.game = recorded.session.game;
        // A separate record gives a character the things that wait for it.
        found.awaited = recorded.awaited.clone();
        // Steps and memories of routines are fed in.
        found.lives = recorded.lives.clone();
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

    fn diverge(&mut self, divergence: Divergence) {
        self.differences.add(divergence);
    }

    fn out_of_order(&mut self, recorded: &EncodedRecord, produced: &LedgerEntry) {
        self.diverge(Divergence {
            seq: recorded.seq,
            kind: recorded.kind.name(),
            field: "/kind".to_owned(),
            recorded: Some(recorded.kind.name().to_owned()),
            replayed: Some(produced.kind.name().to_owned()),
        });
        self.report.stopped = Some(recorded.seq);
    }

    /// Takes a turn again, and compares the result.
    fn repeat_turn(&mut self, record: EncodedRecord, asked: AskedTurn) -> Result<(), ReplayError> {
        let moment = moment_of(&record);
        if self.app.produced.is_empty() {
            // Replies that are judged in the same pass are judged before it: both wait for the same pass.
            self.app.advance_until(moment, false)?;
        }
        if self.app.produced.is_empty() {
            // Runs that began in the same pass began before the turn was taken.
            self.app.start_all(moment)?;
        }
        if self.app.produced.is_empty() {
            let AskedTurn {
                kind,
                actor,
                text,
                parsed,
            } = asked;
            repeat_turn(self.app.world_mut(), &actor, kind, text, parsed);
            self.app.advance(moment)?;
        }
        if self.app.produced.is_empty() {
            self.app.set_game_time(record.game);
            self.app.update();
        }
        self.compare_produced(record);
        Ok(())
    }

    /// Plays a turn of an adventure again, and compares the result.
    fn repeat_adventure(
        &mut self,
        record: EncodedRecord,
        recorded: &AdventureTurnInputs,
    ) -> Result<(), ReplayError> {
        self.app.advance(moment_of(&record))?;
        if let Some(unexpected) = self.app.produced.pop_front() {
            self.out_of_order(&record, &unexpected);
            return Ok(());
        }
        self.app.play_adventure(recorded, record.game);
        self.compare_produced(record);
        Ok(())
    }

    /// Repeats the event of a plan, and compares the result.
    fn repeat_plan(
        &mut self,
        record: EncodedRecord,
        recorded: PlanInputs,
    ) -> Result<(), ReplayError> {
        self.app.begin();
        self.app.advance(moment_of(&record))?;
        if let Some(unexpected) = self.app.produced.pop_front() {
            self.out_of_order(&record, &unexpected);
            return Ok(());
        }
        self.app.set_game_time(record.game);
        let unreadable = |field, why: String| ReplayError::Unreadable {
            seq: record.seq,
            field,
            why,
        };
        let plan = PlanId::parse(&recorded.plan)
            .ok_or_else(|| unreadable("plan", "it is not a plan".to_owned()))?;
        let input = serde_json::from_value(recorded.event)
            .map_err(|error| unreadable("event", error.to_string()))?;
        let world = self.app.world_mut();
        if let Some(settings) = recorded.settings {
            world.insert_resource(settings);
        }
        repeat(world, plan, &input);
        self.app.collect();
        self.compare_produced(record);
        Ok(())
    }

    /// Lets a run end, and compares the result.
    fn repeat_run(&mut self, run: BegunRun) -> Result<(), ReplayError> {
        let moment = moment_of(&run.record);
        if self.app.produced.is_empty() {
            self.app.advance(moment)?;
        }
        if self.app.produced.is_empty() {
            self.app.set_game_time(run.record.game);
            for _ in 0..MAX_ARRIVING {
                if !self.app.produced.is_empty() || !self.app.is_arriving(&run) {
                    break;
                }
                self.app.update();
                self.app.advance(moment)?;
            }
        }
        if self.app.produced.is_empty() {
            self.app.set_game_time(run.record.game);
            self.app.end_run(run.number);
            self.app.update();
        }
        self.compare_produced(run.record);
        Ok(())
    }

    /// Compares a record with the next one that was made here.
    fn compare_produced(&mut self, record: EncodedRecord) {
        let Some(produced) = self.app.produced.pop_front() else {
            self.diverge(Divergence {
                seq: record.seq,
                kind: record.kind.name(),
                field: "/kind".to_owned(),
                recorded: Some(record.kind.name().to_owned()),
                replayed: None,
            });
            self.report.stopped = Some(record.seq);
            return;
        };
        self.report.repeated += 1;
        self.comparing.compare(record, produced, self.same_prompts);
    }

    /// Feeds a record in when everything before it has happened. It must cause no other record.
    fn feed(
        &mut self,
        record: &EncodedRecord,
        put: impl FnOnce(&mut Self) -> Result<(), ReplayError>,
    ) -> Result<(), ReplayError> {
        self.app.advance(moment_of(record))?;
        if let Some(unexpected) = self.app.produced.pop_front() {
            self.out_of_order(record, &unexpected);
            return Ok(());
        }
        self.app.set_game_time(record.game);
        put(self)?;
        let world = self.app.world_mut();
        ledger::observe(world);
        world.resource_mut::<InstalledLedger>().count_recorded();
        Ok(())
    }

    /// Installs the result of a run that began before the recording did.
    fn take_for_granted(
        &mut self,
        record: &EncodedRecord,
        run: InteractionInputs,
    ) -> Result<(), ReplayError> {
        let now = run.now.ok_or_else(|| ReplayError::Unreadable {
            seq: record.seq,
            field: "now",
            why: "it is missing".to_owned(),
        })?;
        let world = self.app.world_mut();
        inputs::put(world, &now);
        if let Some(mind) = run.mind_now.flatten() {
            inputs::remember(world, &run.context.npc, &mind);
        }
        Ok(())
    }

    /// Installs the result of a turn of an adventure that cannot happen again by itself.
    fn take_turn_for_granted(&mut self, turn: AdventureTurnInputs) {
        let world = self.app.world_mut();
        inputs::put(world, &turn.now.unwrap_or_default());
        for (npc, mind) in turn.minds_now.unwrap_or_default() {
            inputs::remember(world, &npc, &mind);
        }
        put_parts(world, turn.adventure_now.unwrap_or_default());
    }

    /// Installs what the game did.
    fn apply(&mut self, seq: u64, body: RecordBody<'_>) -> Result<(), ReplayError> {
        let asset_error = |error: RestoreError| ReplayError::Asset {
            seq,
            why: error.to_string(),
        };
        let world = self.app.world_mut();
        match body {
            RecordBody::Write(body) => inputs::put(world, &body.now),
            RecordBody::Entered(body) => {
                let character = character(&self.assets, &body.asset).map_err(asset_error)?;
                inputs::enter(world, &body.npc, LoadedCharacter(character), &body.mind);
            }
            RecordBody::Left(body) => inputs::leave(world, &body.npc),
            RecordBody::Story(body) => {
                let registry = world.resource::<ActionRegistry>().clone();
                let book = body
                    .asset
                    .map(|asset| story(&self.assets, &asset, &registry));
                let book = book.transpose().map_err(asset_error)?;
                world.insert_resource(ActiveStory(book.unwrap_or_default()));
            }
            RecordBody::Mind(body) => inputs::remember(world, &body.npc, &body.mind),
            RecordBody::Settings(body) => {
                let RecordedSettings { settings, names } = body.settings;
                let unreadable = |error: RestoreError| ReplayError::Unreadable {
                    seq,
                    field: "settings",
                    why: error.to_string(),
                };
                check_settings(world, &settings).map_err(unreadable)?;
                put_settings(world, &settings, Restoring::Replay);
                world.insert_resource(names.into_iter().collect::<KnownNames>());
            }
            RecordBody::Input(body) => {
                let inputs = world.get_resource_or_init::<RecordedInputs>().clone();
                let why = match inputs.apply(world, &body.name, body.asked) {
                    Some(Ok(())) => None,
                    Some(Err(error)) => Some(error.to_string()),
                    None => {
                        Some("no plugin of this game has added it with add_recorded".to_owned())
                    }
                };
                if let Some(why) = why {
                    let why = format!("\"{}\": {why}", body.name);
                    let field = "asked";
                    return Err(ReplayError::Unreadable { seq, field, why });
                }
            }
            RecordBody::Cancel(body) => {
                let mut active = world.query_filtered::<(Entity, &Run), With<ActiveRun>>();
                let run = active.iter(world).find(|(_, run)| run.number() == body.run);
                if let Some((run, _)) = run {
                    world.entity_mut(run).insert(CancelRun);
                }
            }
            RecordBody::Adventure(body) => put_parts(world, body.now),
            RecordBody::Refused(_)
            | RecordBody::Part(_)
            | RecordBody::Checkpoint(_)
            | RecordBody::Interaction { .. }
            | RecordBody::Turn { .. }
            | RecordBody::AdventureTurn { .. }
            | RecordBody::Plan { .. } => {}
        }
        world.flush();
        Ok(())
    }
}

/// The moment when everything before a record has happened.
fn moment_of(record: &EncodedRecord) -> Moment {
    Moment {
        after: record.seq - 1,
        game: record.game.0,
    }
}
