//! Plays a recording record by record: feeds in what is an input, lets the rest happen again, and compares.

use super::app::ReplayApp;
use super::error::ReplayError;
use super::reading::{broken_seal_at, field, game_at};
use super::recording::Recorded;
use super::report::ReplayReport;
use super::schedule::Schedule;
use crate::actor_turns::repeat_turn;
use crate::journal::capture::{self, Assets, Restoring, capture, character, restore, story};
use crate::journal::drift::{Divergence, first_difference};
use crate::journal::inputs;
use crate::journal::ledger::{self, Ledger};
use crate::journal::record::{Record, RecordKind};
use crate::journal::run_timeline::Moment;
use crate::journal::saved_game::{SavedGame, Settings};
use crate::memory::SavedMind;
use crate::npc::{KnownNames, LoadedCharacter};
use crate::pipeline::run::{ActiveRun, CancelRun, Run};
use crate::story::ActiveStory;
use crate::world::ActionRegistry;
use crate::world::action::ProposedAction;
use crate::world::WorldPart;
use crate::world::turn::TurnKind;
use bevy::prelude::*;
use serde::Deserialize;
use serde_json::{Value, json};

/// The most passes in which a reply arrives.
const MAX_ARRIVING: usize = 256;
/// The most differences that a report holds.
const MAX_DIVERGENCES: usize = 1_000;

/// Plays a recording and collects the differences.
pub(super) struct Player<'a> {
    recording: &'a dyn Recorded,
    assets: Assets,
    app: ReplayApp<'a>,
    report: ReplayReport,
}

impl<'a> Player<'a> {
    /// Begins with the checkpoint that every recording begins with.
    pub fn new(
        recording: &'a dyn Recorded,
        configure: &dyn Fn(&mut App),
    ) -> Result<Self, ReplayError> {
        if recording.count() == 0 {
            return Err(ReplayError::NoCheckpoint);
        }
        let first = recording.record(1)?;
        if first.kind != RecordKind::Checkpoint {
            return Err(ReplayError::NoCheckpoint);
        }
        let assets = recording.assets()?;
        let identity = game_at(recording, &first)?.settings.identity;
        Ok(Self {
            recording,
            app: ReplayApp::new(recording, &assets, identity, configure)?,
            assets,
            report: ReplayReport::default(),
        })
    }

    /// Plays all of it, or as far as it goes.
    pub fn play_all(mut self) -> Result<ReplayReport, ReplayError> {
        for seq in 1..=self.recording.count() {
            if self.report.stopped.is_some() {
                break;
            }
            let record = self.recording.record(seq)?;
            self.report.records += 1;
            self.play(&record, seq)?;
        }
        Ok(self.report)
    }

    fn play(&mut self, record: &Record, seq: u64) -> Result<(), ReplayError> {
        if let Some(name) = broken_seal_at(record, seq) {
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
        self.app.advance(Moment {
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
            ledger::accept_current_state(world);
            world.resource_mut::<Ledger>().take();
            world.resource_mut::<Ledger>().at(record.seq - 1);
            self.app.produced.clear();
        }
        self.app
            .world_mut()
            .resource_mut::<Ledger>()
            .count_recorded();
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
        if record.kind == RecordKind::Turn && self.app.produced.is_empty() {
            // What is judged in the same pass is judged before it: both wait for the same pass.
            self.app.advance_until(moment, false)?;
            if self.app.produced.is_empty() {
                self.ask_turn(record)?;
            }
        }
        if self.app.produced.is_empty() {
            self.app.advance(moment)?;
        }
        if self.app.produced.is_empty() {
            self.app.set_game_time(record.game);
            if record.kind == RecordKind::Interaction {
                for _ in 0..MAX_ARRIVING {
                    if !self.app.produced.is_empty() || !self.app.is_arriving(record)? {
                        break;
                    }
                    self.app.update();
                    self.app.advance(moment)?;
                }
            }
        }
        if self.app.produced.is_empty() {
            self.app.set_game_time(record.game);
            if record.kind == RecordKind::Interaction {
                self.app.end_run(record)?;
            }
            self.app.update();
        }
        let Some(produced) = self.app.produced.pop_front() else {
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
        self.app.advance(Moment {
            after: record.seq - 1,
            game: record.game.0,
        })?;
        if let Some(unexpected) = self.app.produced.pop_front() {
            self.out_of_order(record, &unexpected);
            return Ok(());
        }
        self.app.set_game_time(record.game);
        put(self, record)?;
        let world = self.app.world_mut();
        ledger::observe(world);
        world.resource_mut::<Ledger>().count_recorded();
        Ok(())
    }

    /// What came of a run that began before the recording did.
    fn take_for_granted(&mut self, record: &Record) -> Result<(), ReplayError> {
        let npc: String = field(record, "npc")?;
        let mind: Option<SavedMind> = field(record, "mind_now")?;
        let world = self.app.world_mut();
        inputs::put(world, &field::<Vec<WorldPart>>(record, "now")?);
        if let Some(mind) = mind {
            inputs::remember(world, &npc, &mind);
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

    fn apply(&mut self, record: &Record) -> Result<(), ReplayError> {
        let asset_error = |error: capture::RestoreError| ReplayError::Asset {
            seq: record.seq,
            why: error.to_string(),
        };
        let world = self.app.world_mut();
        match record.kind {
            RecordKind::Write => inputs::put(world, &field::<Vec<WorldPart>>(record, "now")?),
            RecordKind::Entered => {
                let npc: String = field(record, "npc")?;
                let asset: String = field(record, "asset")?;
                let mind: SavedMind = field(record, "mind")?;
                let character = character(&self.assets, &asset).map_err(asset_error)?;
                inputs::enter(world, &npc, LoadedCharacter(character), &mind);
            }
            RecordKind::Left => inputs::leave(world, &field::<String>(record, "npc")?),
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
                inputs::remember(world, &npc, &mind);
            }
            RecordKind::Settings => {
                #[derive(Deserialize)]
                struct Recorded {
                    how: Settings,
                    names: Vec<String>,
                }
                let Recorded { how, names } = field(record, "settings")?;
                capture::put_settings(world, &how, Restoring::Replay);
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
