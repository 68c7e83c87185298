//! The runner: plays a scenario through the plugin, under one scripted clock.

use super::expect::FailedExpectation;
use super::load::Scenario;
use super::spec::{ActionSpec, StepSpec};
use super::trace::{TraceBuilder, run_json, trace_json, turn_json};
use crate::actor_turns::{self, TurnQueue};
use crate::base::clock::{DramatisClock, ManualClock};
use crate::base::fixed::Millis;
use crate::base::seed::WorldSeed;
use crate::engine::GenerationSettings;
use crate::engine::ScriptedEngine;
use crate::events::{RequestRefused, RunEnded, ThinkingLine, TurnEnded};
use crate::journal::{MemoryJournal, MemoryJournalPlugin, Recording};
use crate::npc::ReadyNpcs;
use crate::npc::{LoadedCharacter, PlayerId, QueuePolicy, Request, cancel, submit_request};
use crate::outbox::Outbox;
use crate::pipeline::{ActiveRun, CallInFlight, DialoguePolicy, RunHistory};
use crate::pipeline::{PromptBudget, Run, RunPhase};
use crate::plugin::DramatisPlugins;
use crate::story::{ActiveStory, install_world};
use crate::world::{GameWrite, WorldIndex};
use bevy::ecs::message::MessageCursor;
use bevy::prelude::*;
use serde_json::{Value, json};

/// More passes than any step of a sane scenario needs.
const MAX_PASSES: usize = 100_000;

/// A scenario that was played.
#[derive(Debug)]
pub struct ScenarioResult {
    /// Everything that happened.
    pub trace: Value,
    /// The expectations that did not hold.
    pub broken: Vec<FailedExpectation>,
}

/// Plays a scenario. `configure` adds what a game adds to its app: rules, checks, guards.
#[must_use]
pub fn play(scenario: &Scenario, configure: &dyn Fn(&mut App)) -> ScenarioResult {
    let mut stage = ScenarioRunner::new(scenario, configure);
    stage.play_steps(scenario);
    stage.into_played(scenario)
}

/// Plays a scenario and writes down what happens, for a replay.
#[must_use]
pub fn record(scenario: &Scenario, configure: &dyn Fn(&mut App)) -> (ScenarioResult, Recording) {
    let mut stage = ScenarioRunner::new(scenario, &|app| {
        configure(app);
        app.add_plugins(MemoryJournalPlugin);
    });
    stage.play_steps(scenario);
    let recording = stage.app.world_mut().resource_mut::<MemoryJournal>().take();
    (stage.into_played(scenario), recording)
}

/// Holds the expectations of a scenario against its trace.
fn judge(scenario: &Scenario, trace: Value) -> ScenarioResult {
    let broken = scenario
        .spec
        .expect
        .iter()
        .enumerate()
        .filter_map(|(index, expectation)| {
            let message = expectation.broken(&trace)?;
            Some(FailedExpectation {
                index,
                at: expectation.at.clone(),
                message,
            })
        })
        .collect();
    ScenarioResult { trace, broken }
}

/// The app with everything of a scenario in it, before the first step.
pub fn stage_app(
    scenario: &Scenario,
    engine: impl Into<crate::plugin::EngineSource>,
    configure: &dyn Fn(&mut App),
) -> App {
    let spec = &scenario.spec;
    let mut app = App::new();
    app.add_plugins(DramatisPlugins::new(engine))
        .insert_resource(WorldSeed(spec.seed))
        .insert_resource(DramatisClock {
            game: scenario.game_time,
            call: Millis(0),
        })
        .insert_resource(PromptBudget::from(spec.budget))
        .insert_resource(DialoguePolicy(scenario.policy))
        .insert_resource(PlayerId(spec.player.clone()))
        .insert_resource(QueuePolicy {
            limit: spec.queue.limit,
            when_full: spec.queue.when_full,
            on_new: spec.queue.on_new,
        })
        .insert_resource(ActiveStory(scenario.story.clone()));
    configure(&mut app);
    let world = app.world_mut();
    install_world(world, &scenario.story);
    for character in &scenario.characters {
        if let Some(place) = &character.location {
            crate::story::ensure_location(world, place);
        }
        let persona = LoadedCharacter(character.clone());
        let described = world.resource::<WorldIndex>().get(&character.id);
        let entity = described.unwrap_or_else(|| world.spawn_empty().id());
        world.entity_mut(entity).insert(persona);
    }
    world.flush();
    app.finish();
    app.cleanup();
    app
}

/// Who moves the clock and keeps the record.
struct ScenarioRunner {
    app: App,
    engine: ScriptedEngine,
    step: usize,
    ended: MessageCursor<RunEnded>,
    refusals: MessageCursor<RequestRefused>,
    sounds: MessageCursor<ThinkingLine>,
    taken: MessageCursor<TurnEnded>,
    runs: Vec<(u64, Value)>,
    happened: TraceBuilder,
}

impl ScenarioRunner {
    fn new(scenario: &Scenario, configure: &dyn Fn(&mut App)) -> Self {
        let engine = scenario.engine();
        let mut app = stage_app(scenario, engine.clone(), configure);
        app.insert_resource(ManualClock);
        // Records are made as runs end; none is dropped before.
        app.world_mut().resource_mut::<RunHistory>().cap = 16;
        Self {
            app,
            engine,
            step: 0,
            ended: MessageCursor::default(),
            refusals: MessageCursor::default(),
            sounds: MessageCursor::default(),
            taken: MessageCursor::default(),
            runs: Vec::new(),
            happened: TraceBuilder::default(),
        }
    }

    fn play_steps(&mut self, scenario: &Scenario) {
        for (index, step) in scenario.spec.steps.iter().enumerate() {
            self.step = index;
            self.play_step(step);
        }
    }

    fn play_step(&mut self, step: &StepSpec) {
        if step.while_waiting().is_empty() {
            self.act(step);
            self.settle();
            return;
        }
        self.engine.hold();
        self.act(step);
        self.update_until_calling();
        for inner in step.while_waiting() {
            if let StepSpec::Advance { seconds } = inner {
                self.advance_held(Millis::from_seconds(*seconds).unwrap_or_default());
            } else {
                self.act(inner);
            }
            self.update();
        }
        self.engine.release();
        self.settle();
    }

    /// Does one thing. What it causes happens in the passes that follow.
    fn act(&mut self, step: &StepSpec) {
        let player = self.app.world().resource::<PlayerId>().0.clone();
        let world = self.app.world_mut();
        match step.clone() {
            StepSpec::Say {
                to,
                text,
                from,
                tags,
                scene,
                ..
            } => {
                let speaker = from.unwrap_or_else(|| player.clone());
                let mut request = Request::speech(&speaker, &player, &text);
                request.tags.extend(tags);
                request.scene = scene;
                submit_request(world, &to, request);
            }
            StepSpec::Trigger {
                npc,
                reason,
                trigger_id,
                prompt,
                tags,
                scene,
                ..
            } => {
                let request = Request {
                    trigger_id,
                    prompt,
                    tags,
                    scene,
                    ..Request::new(reason)
                };
                submit_request(world, &npc, request);
            }
            StepSpec::Advance { seconds } => {
                self.move_clock(Millis::from_seconds(seconds).unwrap_or_default())
            }
            StepSpec::SetFlag { name, value } => {
                self.write(&name.clone(), GameWrite::flag(name, value))
            }
            StepSpec::SetWorldFact { key, value } => {
                self.write(&key.clone(), GameWrite::fact(key, value))
            }
            StepSpec::SetAttribute {
                entity,
                name,
                value,
            } => {
                self.write(&entity.clone(), GameWrite::attribute(entity, name, value));
            }
            StepSpec::Place { entity, at } => {
                let at = (&at).into();
                if let crate::world::Placement::In(place) = &at {
                    // As in the file, a place that nobody described is one without roads.
                    crate::story::ensure_location(self.app.world_mut(), place);
                }
                self.write(&entity.clone(), GameWrite::place(entity, at));
            }
            StepSpec::Cancel { npc } => match find_npc(world, &npc) {
                Some(entity) => cancel(world, entity),
                None => self.refuse(&npc, unknown_npc(&npc)),
            },
            StepSpec::Despawn { npc } => match find_npc(world, &npc) {
                Some(entity) => {
                    world.despawn(entity);
                }
                None => self.refuse(&npc, unknown_npc(&npc)),
            },
            StepSpec::Act { actor, text } => actor_turns::act(world, &actor, &text),
            StepSpec::Do { actor, actions } => {
                let actions = actions.iter().map(ActionSpec::proposed).collect();
                actor_turns::perform(world, &actor, actions);
            }
            // The loader refuses these before anything is played.
            StepSpec::Turn { .. }
            | StepSpec::Marker(_)
            | StepSpec::Ask { .. }
            | StepSpec::Approve { .. }
            | StepSpec::Deny { .. }
            | StepSpec::SwapModel { .. } => {}
        }
    }

    fn write(&mut self, what: &str, write: GameWrite) {
        if let Err(error) = write.apply(self.app.world_mut()) {
            self.refuse(what, error.to_string());
        }
    }

    fn refuse(&mut self, npc: &str, error: String) {
        self.happened
            .refused
            .push(json!({"step": self.step, "npc": npc, "error": error}));
    }

    fn clock(&self) -> DramatisClock {
        *self.app.world().resource::<DramatisClock>()
    }

    fn move_clock(&mut self, span: Millis) {
        let mut clock = self.app.world_mut().resource_mut::<DramatisClock>();
        clock.game = clock.game.after(span);
        clock.call = clock.call.after(span);
    }

    /// One pass of the pipeline; what ended in it is recorded.
    fn update(&mut self) {
        self.app.update();
        let world = self.app.world();
        if let Some(messages) = world.get_resource::<Messages<RunEnded>>() {
            for ended in self.ended.read(messages) {
                let number = world
                    .get::<Run>(ended.run)
                    .map_or(u64::MAX, |run| run.number());
                self.runs
                    .extend(run_json(world, ended.run).map(|run| (number, run)));
            }
        }
        if let Some(messages) = world.get_resource::<Messages<RequestRefused>>() {
            for refused in self.refusals.read(messages) {
                let error = refused.error.to_string();
                self.happened
                    .refused
                    .push(json!({"step": self.step, "npc": refused.npc, "error": error}));
            }
        }
        if let Some(messages) = world.get_resource::<Messages<TurnEnded>>() {
            let ended = self.taken.read(messages);
            self.happened
                .turns
                .extend(ended.map(|turn| turn_json(&turn.record)));
        }
        if let Some(messages) = world.get_resource::<Messages<ThinkingLine>>() {
            for sound in self.sounds.read(messages) {
                self.happened
                    .thinking
                    .push(json!({"npc": sound.npc, "line": sound.line}));
            }
        }
    }

    /// What is going on: whether something moves by itself, and the next time at which something else would.
    fn pending(&mut self) -> Pending {
        let world = self.app.world_mut();
        let now = world.resource::<DramatisClock>().call;
        let requested = !world.resource::<ReadyNpcs>().0.is_empty()
            || world.resource::<TurnQueue>().is_moving()
            || !world.resource::<Outbox>().is_empty();
        let patience = world.resource::<GenerationSettings>().thinking_after;
        let turns = world.resource::<TurnQueue>().gives_up_at();
        let mut query = world.query_filtered::<(&Run, Option<&CallInFlight>), With<ActiveRun>>();
        let mut pending = Pending {
            moving: requested,
            calling: turns.is_some(),
            next: turns.filter(|time| *time > now),
        };
        for (run, flight) in query.iter(world) {
            let Some(flight) = flight.filter(|_| run.phase() == RunPhase::Calling) else {
                pending.moving = true;
                continue;
            };
            pending.calling = true;
            let thinks = (!run.has_spoken_thinking_line()).then(|| run.started().after(patience));
            let times = [Some(flight.ready_at()), Some(run.deadline()), thinks];
            let next = times.into_iter().flatten().filter(|time| *time > now).min();
            pending.next = pending.next.into_iter().chain(next).min();
        }
        pending
    }

    fn update_until_calling(&mut self) {
        for _ in 0..MAX_PASSES {
            self.update();
            let pending = self.pending();
            if pending.calling || !pending.moving {
                return;
            }
        }
    }

    /// Goes on until nothing is left to happen. While a call is in flight, time moves to the next thing that will.
    fn settle(&mut self) {
        for _ in 0..MAX_PASSES {
            self.update();
            let pending = self.pending();
            if pending.moving {
                continue;
            }
            match pending.next.filter(|_| pending.calling) {
                Some(next) => self.move_clock(next.since(self.clock().call)),
                None if pending.calling => {}
                None => return,
            }
        }
        log::error!("step {} did not come to an end", self.step);
    }

    /// Moves time while replies are held back, and stops where something happens on the way.
    fn advance_held(&mut self, span: Millis) {
        let target = self.clock().call.after(span);
        for _ in 0..MAX_PASSES {
            let Some(next) = self.pending().next.filter(|next| *next < target) else {
                break;
            };
            self.move_clock(next.since(self.clock().call));
            self.update();
        }
        self.move_clock(target.since(self.clock().call));
    }

    fn into_played(mut self, scenario: &Scenario) -> ScenarioResult {
        // Runs are listed in the order in which they were asked for, whoever finished first.
        self.runs.sort_by_key(|(number, _)| *number);
        self.happened.runs = self.runs.into_iter().map(|(_, run)| run).collect();
        let trace = trace_json(self.app.world_mut(), scenario, self.happened);
        judge(scenario, trace)
    }
}

struct Pending {
    moving: bool,
    calling: bool,
    next: Option<Millis>,
}

fn find_npc(world: &World, id: &str) -> Option<Entity> {
    let entity = world.get_resource::<WorldIndex>()?.get(id)?;
    world.get::<LoadedCharacter>(entity).map(|_| entity)
}

fn unknown_npc(id: &str) -> String {
    crate::npc::RequestError::UnknownNpc(id.to_owned()).to_string()
}
