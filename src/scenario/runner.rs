//! The runner: plays a scenario through the plugin, under one scripted clock.

mod steps;

#[cfg(feature = "cli")]
use super::app::app_with;
use super::app::{Additions, scenario_app};
use super::beginning::NotBegun;
use super::expect::FailedExpectation;
use super::load::Scenario;
use super::spec::StepSpec;
use super::trace::{
    TraceBuilder, adventure_turn_json, mark_retracted, plans_json, run_json, trace_json, turn_json,
};
use crate::actor_turns::TurnQueue;
use crate::adventure::submit::is_advancing;
use crate::base::clock::{DramatisClock, ManualClock};
use crate::base::fixed::Millis;
use crate::base::time::CallTime;
use crate::engine::ScriptedEngine;
#[cfg(feature = "cli")]
use crate::engine::SharedEngine;
use crate::events::{
    AdventureTurnEnded, Forgotten, LinesOffered, Narrated, RequestRefused, RunEnded, Spoke,
    SpokeSentence, StepDone, ThinkingLine, TurnEnded, TurnTold,
};
use crate::journal::{MemoryJournal, MemoryJournalPlugin, Recording};
use crate::npc::{LoadedCharacter, ReadyNpcs};
use crate::outbox::{Outbox, collect, take_collected};
use crate::pipeline::diary::next_day_to_write;
use crate::pipeline::remembering::next_end_of_talk;
use crate::pipeline::{
    ActiveRun, CallInFlight, HeardSentences, Run, RunHistory, RunPhase, WaitsForTurn,
};
use crate::plans::{self, PlanId};
use crate::staging::firing::{are_due, fire_triggers};
use bevy::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// How many frames a step may take. A step that needs more does not end by itself: it is logged and left.
const MAX_FRAMES: usize = 100_000;
/// The same where frames wait for a real engine.
const MAX_WAITING_FRAMES: usize = 10_000_000;
/// The most moments at which a step that moves time on stops for runs in the background. Not measured: it bounds a calendar whose
/// days are milliseconds, and is nearly three years of diaries.
const MAX_STOPS: usize = 1_000;

/// The result of playing a scenario.
#[derive(Debug)]
pub struct ScenarioResult {
    /// Everything that happened, as the JSON object that `dramatis run --json` prints; null where the scenario could not begin.
    pub trace: Value,
    /// The expectations that did not hold, in the order of the file. Empty: the scenario holds.
    pub failed: Vec<FailedExpectation>,
}

/// Plays a scenario and checks what it expects. `configure` adds what a game adds to its app: actions, rules, checks.
#[must_use]
pub fn play(scenario: &Scenario, configure: &dyn Fn(&mut App)) -> ScenarioResult {
    match ScenarioRunner::new(scenario, configure, &|_| {}) {
        Ok(mut runner) => {
            runner.play_steps(scenario);
            runner.into_result(scenario)
        }
        Err(why) => not_begun(&why),
    }
}

/// As [`play`], and records what happens in a journal, so that it can be replayed.
#[must_use]
pub fn record(scenario: &Scenario, configure: &dyn Fn(&mut App)) -> (ScenarioResult, Recording) {
    let runner = ScenarioRunner::new(scenario, configure, &|app| {
        app.add_plugins(MemoryJournalPlugin);
    });
    let mut runner = match runner {
        Ok(runner) => runner,
        Err(why) => return (not_begun(&why), Recording::default()),
    };
    runner.play_steps(scenario);
    let recording = runner
        .app
        .world_mut()
        .resource_mut::<MemoryJournal>()
        .take();
    (runner.into_result(scenario), recording)
}

/// Keeps the events of which the trace tells, and those after which inner steps begin.
fn collect_events(app: &mut App) {
    collect::<RunEnded>(app);
    collect::<Forgotten>(app);
    collect::<RequestRefused>(app);
    collect::<TurnEnded>(app);
    collect::<TurnTold>(app);
    collect::<AdventureTurnEnded>(app);
    collect::<LinesOffered>(app);
    collect::<ThinkingLine>(app);
    collect::<SpokeSentence>(app);
    collect::<Spoke>(app);
    collect::<Narrated>(app);
    collect::<StepDone>(app);
}

/// The result of a scenario that cannot begin.
fn not_begun(why: &NotBegun) -> ScenarioResult {
    let place = why.place();
    ScenarioResult {
        trace: Value::Null,
        failed: vec![FailedExpectation {
            at: place.clone(),
            place,
            message: why.to_string(),
        }],
    }
}

/// Compares the trace with what the scenario expects.
fn check_expectations(scenario: &Scenario, trace: Value) -> ScenarioResult {
    let failed = scenario
        .spec
        .expect
        .iter()
        .enumerate()
        .filter_map(|(index, expectation)| {
            let message = expectation.failure(&trace)?;
            let place = format!("/expect/{index}");
            Some(FailedExpectation {
                at: expectation.at.clone().unwrap_or_else(|| place.clone()),
                place,
                message,
            })
        })
        .collect();
    ScenarioResult { trace, failed }
}

/// Plays the steps of a scenario, moves the clock, and collects what goes into the trace.
pub(crate) struct ScenarioRunner<'a> {
    app: App,
    engine: ScriptedEngine,
    /// The index of the step that is being played.
    step: usize,
    /// What the step that is being played says that happens after each narration.
    between: BTreeMap<u32, Vec<StepSpec>>,
    /// How many narrations it has caused, or sentences of its run were heard.
    narrated: u32,
    /// The character that the step makes speak, and its run, once something of it was heard.
    speaker: Option<(String, Option<Entity>)>,
    /// What the game does after steps of plans, by plan and step.
    between_steps: BTreeMap<PlanId, BTreeMap<String, Vec<StepSpec>>>,
    /// The runs that have ended, each with its number.
    runs: Vec<(u64, Value)>,
    trace: TraceBuilder,
    /// Sleeps for a moment, and says how much time has passed since it was last called: for an engine that takes its time.
    /// `None`: time moves on to the next moment at which something happens.
    wait: Option<&'a dyn Fn() -> Millis>,
}

impl<'a> ScenarioRunner<'a> {
    fn new(
        scenario: &Scenario,
        of_game: &dyn Fn(&mut App),
        of_caller: &dyn Fn(&mut App),
    ) -> std::result::Result<Self, NotBegun> {
        let engine = scenario.engine();
        let additions = Additions { of_game, of_caller };
        let app = scenario_app(scenario, engine.clone(), &additions)?;
        Ok(Self::of_app(app, engine))
    }

    /// Asks a real engine. The replies of the scenario are not used, and sealed characters ask no engine. Call time passes as
    /// `wait` says, and game time does not pass while a call is in flight.
    #[cfg(feature = "cli")]
    pub(crate) fn asking(
        scenario: &Scenario,
        engine: SharedEngine,
        wait: &'a dyn Fn() -> Millis,
        additions: &Additions<'_>,
    ) -> std::result::Result<Self, NotBegun> {
        let app = app_with(scenario, engine.into(), None, additions)?;
        Ok(Self {
            wait: Some(wait),
            ..Self::of_app(app, ScriptedEngine::silent())
        })
    }

    /// The world of the game that is played.
    #[cfg(feature = "cli")]
    pub(crate) fn world_mut(&mut self) -> &mut World {
        self.app.world_mut()
    }

    fn of_app(mut app: App, engine: ScriptedEngine) -> Self {
        app.insert_resource(ManualClock);
        collect_events(&mut app);
        // Triggers look at what the scenario describes before its first step, so that they see what that step changes.
        fire_triggers(app.world_mut());
        // What the trace needs of a run is collected in the frame in which it ends: as many are kept as can end in one frame.
        let mut cast = app.world_mut().query::<&LoadedCharacter>();
        let characters = cast.iter(app.world()).count();
        app.world_mut().resource_mut::<RunHistory>().cap = 16 + 4 * characters;
        Self {
            app,
            engine,
            step: 0,
            between: BTreeMap::new(),
            narrated: 0,
            speaker: None,
            between_steps: BTreeMap::new(),
            runs: Vec::new(),
            trace: TraceBuilder::default(),
            wait: None,
        }
    }

    fn play_steps(&mut self, scenario: &Scenario) {
        for (index, step) in scenario.spec.steps.iter().enumerate() {
            self.step = index;
            self.play_step(step);
        }
    }

    pub(crate) fn play_step(&mut self, step: &StepSpec) {
        self.between = step.between().cloned().unwrap_or_default();
        self.narrated = 0;
        self.speaker = step.speaker().map(|npc| (npc.to_owned(), None));
        if step.while_waiting().is_empty() {
            self.start_step(step);
            self.run_until_idle();
            return;
        }
        self.engine.hold();
        self.start_step(step);
        self.run_until_calling();
        for inner in step.while_waiting() {
            if let StepSpec::Advance { seconds } = inner {
                self.advance_while_waiting(Millis::from_seconds(*seconds).unwrap_or_default());
            } else {
                self.start_step(inner);
            }
            self.run_frame();
        }
        self.engine.release();
        self.run_until_idle();
    }

    fn clock(&self) -> DramatisClock {
        *self.app.world().resource::<DramatisClock>()
    }

    /// Moves both clocks on.
    fn advance_clock(&mut self, span: Millis) {
        let mut clock = self.app.world_mut().resource_mut::<DramatisClock>();
        clock.game = clock.game.after(span);
        clock.call = clock.call.after(span);
    }

    fn new_events<E: Event>(&mut self) -> Vec<E> {
        take_collected(self.app.world_mut())
    }

    /// Plays one frame, and collects what ended in it.
    fn run_frame(&mut self) {
        self.app.update();
        let runs_ended = self.new_events::<RunEnded>();
        let world = self.app.world();
        for ended in runs_ended {
            let number = world
                .get::<Run>(ended.run)
                .map_or(u64::MAX, |run| run.number());
            self.runs
                .extend(run_json(world, ended.run).map(|run| (number, run)));
        }
        // No event reports the runs in the background, so they are read from the history.
        for ended in world
            .get_resource::<RunHistory>()
            .iter()
            .flat_map(|all| all.iter())
        {
            let run = world.get::<Run>(ended);
            let number = run
                .filter(|run| run.stage().is_background())
                .map(Run::number);
            let number = number.filter(|number| self.runs.iter().all(|(known, _)| known != number));
            if let Some(number) = number {
                self.runs
                    .extend(run_json(world, ended).map(|run| (number, run)));
            }
        }
        for gone in self.new_events::<Forgotten>() {
            self.trace
                .forgotten
                .push(json!({"npc": gone.npc, "id": gone.episode.id, "why": gone.why.name()}));
        }
        for refused in self.new_events::<RequestRefused>() {
            let error = refused.error.to_string();
            self.trace
                .refused
                .push(json!({"step": self.step, "npc": refused.npc, "error": error}));
        }
        for ended in self.new_events::<TurnEnded>() {
            self.trace.turns.push(turn_json(&ended.record));
        }
        for told in self.new_events::<TurnTold>() {
            self.trace.tell(told.turn, &told.text, told.by_engine);
        }
        for ended in self.new_events::<AdventureTurnEnded>() {
            self.trace.turns.push(adventure_turn_json(&ended.record));
        }
        for offer in self.new_events::<LinesOffered>() {
            self.trace
                .offers
                .push(json!({"npc": offer.npc, "lines": offer.lines}));
        }
        for thinking in self.new_events::<ThinkingLine>() {
            self.trace
                .thinking
                .push(json!({"npc": thinking.npc, "line": thinking.line}));
        }
        self.play_between();
    }

    /// How many sentences of the step's run were heard just now. A line that is heard as a whole counts as one.
    fn heard_sentences(&mut self) -> usize {
        let sentences = self.new_events::<SpokeSentence>().into_iter();
        let sentences = sentences.map(|said| (said.run, said.npc.to_string()));
        let mut heard: Vec<(Entity, String)> = sentences.collect();
        for line in self.new_events::<Spoke>() {
            let world = self.app.world();
            let run = line
                .run
                .filter(|run| world.get::<HeardSentences>(*run).is_none());
            heard.extend(run.map(|run| (run, line.npc.to_string())));
        }
        let Some((speaker, own)) = &mut self.speaker else {
            return 0;
        };
        let of_step = heard
            .iter()
            .filter(|(run, npc)| npc == speaker && *own.get_or_insert(*run) == *run);
        of_step.count()
    }

    /// Starts the inner steps that the step puts after each of the narrations and sentences that were just heard.
    fn play_between(&mut self) {
        let told = self.new_events::<Narrated>().len() + self.heard_sentences();
        for _ in 0..told {
            self.narrated += 1;
            for inner in self.between.remove(&self.narrated).unwrap_or_default() {
                self.start_step(&inner);
            }
        }
        for step in self.new_events::<StepDone>() {
            let between = self.between_steps.get_mut(&step.plan);
            for inner in between
                .and_then(|steps| steps.remove(&step.step))
                .unwrap_or_default()
            {
                self.start_step(&inner);
            }
        }
    }

    /// What is still to be done.
    fn pending_work(&mut self) -> PendingWork {
        let world = self.app.world_mut();
        let now = world.resource::<DramatisClock>().call;
        let requested = !world.resource::<ReadyNpcs>().0.is_empty()
            || world.resource::<TurnQueue>().is_moving()
            || is_advancing(world)
            || plans::is_moving(world)
            || !world.resource::<Outbox>().is_empty()
            || are_due(world);
        let turns = world.resource::<TurnQueue>().gives_up_at();
        let mut query = world
            .query_filtered::<(&Run, Option<&CallInFlight>, Has<WaitsForTurn>), With<ActiveRun>>();
        let mut pending = PendingWork {
            moving: requested,
            calling: turns.is_some(),
            next: turns.filter(|time| *time > now),
        };
        for (run, flight, waits) in query.iter(world) {
            if let Some(until) = run.waits_until().filter(|_| run.phase() == RunPhase::Call) {
                // Its call is made again then.
                pending.calling = true;
                let next = Some(until).filter(|until| *until > now);
                pending.moving |= next.is_none();
                pending.next = pending.next.into_iter().chain(next).min();
                continue;
            }
            if waits && run.phase() == RunPhase::Call {
                // Another call has to end first, or its time.
                pending.calling = true;
                let next = Some(run.deadline()).filter(|deadline| *deadline >= now);
                let next = next.map(|deadline| deadline.after(Millis(1)));
                pending.moving |= next.is_none();
                pending.next = pending.next.into_iter().chain(next).min();
                continue;
            }
            let Some(flight) = flight.filter(|_| run.phase() == RunPhase::Calling) else {
                pending.moving = true;
                continue;
            };
            pending.calling = true;
            pending.moving |= flight.has_more();
            let thinks = (!run.has_spoken_thinking_line()).then(|| run.thinks_at());
            let times = [Some(flight.ready_at()), Some(run.deadline()), thinks];
            let next = times.into_iter().flatten().filter(|time| *time > now).min();
            pending.next = pending.next.into_iter().chain(next).min();
        }
        pending
    }

    /// Plays frames until a call is in flight, or nothing is left to be done.
    fn run_until_calling(&mut self) {
        for _ in 0..MAX_FRAMES {
            self.run_frame();
            let pending = self.pending_work();
            if pending.calling || !pending.moving {
                return;
            }
        }
    }

    /// Plays frames until nothing is left to be done. When only calls in flight are left, time moves on to when one of them
    /// answers or is given up.
    fn run_until_idle(&mut self) {
        let most = match self.wait {
            Some(_) => MAX_WAITING_FRAMES,
            None => MAX_FRAMES,
        };
        for _ in 0..most {
            self.run_frame();
            let pending = self.pending_work();
            if pending.moving {
                continue;
            }
            match (pending.next.filter(|_| pending.calling), self.wait) {
                (_, Some(wait)) if pending.calling => {
                    let passed = wait();
                    let mut clock = self.app.world_mut().resource_mut::<DramatisClock>();
                    clock.call = clock.call.after(passed);
                }
                (Some(next), _) => self.advance_clock(next.since(self.clock().call)),
                (None, _) if pending.calling => {}
                (None, _) => return,
            }
        }
        log::error!("step {} is not over after {most} frames", self.step);
    }

    /// Moves time on to each moment at which a run in the background is due, and plays until it is over. Returns the rest of the span.
    fn live_through(&mut self, span: Millis, mut pass: impl FnMut(&mut Self, Millis)) -> Millis {
        let mut rest = span;
        for _ in 0..MAX_STOPS {
            let now = self.clock().game;
            let world = self.app.world_mut();
            let due = [next_end_of_talk(world, now), next_day_to_write(world, now)];
            let Some(next) = due.into_iter().flatten().min() else {
                break;
            };
            let part = next.since(now);
            if part >= rest {
                break;
            }
            rest = Millis(rest.0 - part.0);
            pass(self, part);
            self.run_until_idle();
        }
        rest
    }

    /// Moves time on while replies are held back. A frame is played at every time at which something happens on the way.
    fn advance_while_waiting(&mut self, span: Millis) {
        let target = self.clock().call.after(span);
        for _ in 0..MAX_FRAMES {
            let Some(next) = self.pending_work().next.filter(|next| *next < target) else {
                break;
            };
            self.advance_clock(next.since(self.clock().call));
            self.run_frame();
        }
        self.advance_clock(target.since(self.clock().call));
    }

    fn into_result(mut self, scenario: &Scenario) -> ScenarioResult {
        // Runs are listed in the order in which they were asked for, not in the order in which they finished.
        self.runs.sort_by_key(|(number, _)| *number);
        let world = self.app.world_mut();
        mark_retracted(world, &mut self.runs, &mut self.trace.turns);
        self.trace.plans = plans_json(world, &self.runs);
        self.trace.runs = self.runs.into_iter().map(|(_, run)| run).collect();
        let trace = trace_json(self.app.world_mut(), scenario, self.trace);
        check_expectations(scenario, trace)
    }
}

/// What is still to be done.
struct PendingWork {
    /// Whether the next frame does some of it, without time moving on.
    moving: bool,
    /// Whether a call is in flight.
    calling: bool,
    /// The next call time at which something happens by itself: a reply, a thinking line, a deadline.
    next: Option<CallTime>,
}
