//! What the inspector shows, as plain borrows.

use super::selection::Selection;
use crate::authoring::Character;
use crate::base::clock::DramatisClock;
use crate::base::counters::DramatisCounters;
use crate::base::fixed::Millis;
use crate::base::ids::Id;
use crate::base::time::GameTime;
use crate::engine::{
    BreakerState, Capacity, DefaultEngine, EngineIdentity, EngineStatus, Engines, RunEngine,
};
use crate::gate::Verdict;
use crate::memory::{DormantMinds, Mind};
use crate::npc::{LoadedCharacter, RequestQueue};
use crate::pipeline::engine_room::HasSlot;
use crate::pipeline::run::ActiveRun;
use crate::pipeline::run::attempt::AttemptFailure;
use crate::pipeline::run::attempt_log::AttemptParts;
use crate::pipeline::steps::inference::CallInFlight;
use crate::pipeline::steps::mutation::ApprovedIntents;
use crate::pipeline::{
    AssembledPrompt, AttemptLog, AttemptRecord, ChoiceRecord, ConstraintSet, EngineRoom,
    EngineStatuses, HeardSentences, Inference, InteractionContext, MutationReport, Outcome,
    ParsedReply, RetrievedContext, Run, StageSnapshot, StateSnapshot,
};
use crate::plans::Plans;
use crate::story::ActiveStory;
use crate::text::PromptWords;
use crate::world::Intent;
use bevy::prelude::*;
use std::borrow::Cow;
use std::cmp::Reverse;

/// The components of a run that the inspector reads.
type RunParts = (
    Entity,
    &'static Run,
    Has<ActiveRun>,
    Option<&'static InteractionContext>,
    Option<&'static ConstraintSet>,
    Option<&'static RetrievedContext>,
    Option<&'static StateSnapshot>,
    Option<&'static AttemptLog>,
    Option<&'static CallInFlight>,
    Option<&'static Inference>,
    Option<&'static MutationReport>,
    Option<&'static ApprovedIntents>,
    Option<&'static Outcome>,
    (
        Option<&'static AssembledPrompt>,
        Option<&'static AttemptFailure>,
        Option<&'static ParsedReply>,
        Option<&'static Verdict>,
        Option<&'static RunEngine>,
        Option<&'static StageSnapshot>,
        Option<&'static HeardSentences>,
        Option<&'static HasSlot>,
        Option<&'static ChoiceRecord>,
    ),
);

/// [`RunParts`], read.
type RunItem<'a> = (
    Entity,
    &'a Run,
    bool,
    Option<&'a InteractionContext>,
    Option<&'a ConstraintSet>,
    Option<&'a RetrievedContext>,
    Option<&'a StateSnapshot>,
    Option<&'a AttemptLog>,
    Option<&'a CallInFlight>,
    Option<&'a Inference>,
    Option<&'a MutationReport>,
    Option<&'a ApprovedIntents>,
    Option<&'a Outcome>,
    (
        Option<&'a AssembledPrompt>,
        Option<&'a AttemptFailure>,
        Option<&'a ParsedReply>,
        Option<&'a Verdict>,
        Option<&'a RunEngine>,
        Option<&'a StageSnapshot>,
        Option<&'a HeardSentences>,
        Option<&'a HasSlot>,
        Option<&'a ChoiceRecord>,
    ),
);

/// A run with all that its components hold. What its phase has not reached yet is `None`, or empty.
#[derive(Debug, Clone)]
pub struct RunView<'a> {
    /// The run's entity.
    pub entity: Entity,
    /// The run itself: its number, character, phase and policy.
    pub run: &'a Run,
    /// Whether it is in flight and has not ended.
    pub live: bool,
    /// Which model serves it; `None` when the game had removed the default engine.
    pub engine: Option<&'a EngineIdentity>,
    /// The name of the engine that serves it; `None` for the default one.
    pub engine_name: Option<&'a str>,
    /// What component 1 left: why the character responds, and to what.
    pub context: Option<&'a InteractionContext>,
    /// What component 2 left: the constraints, before any attempt added to them.
    pub constraints: Option<&'a ConstraintSet>,
    /// What component 3 left: the memories that were retrieved.
    pub retrieved: Option<&'a RetrievedContext>,
    /// What component 4 left: the snapshot of the last attempt.
    pub(crate) snapshot: Option<&'a StateSnapshot>,
    /// What components 5 to 7 left of each attempt: prompt, reply, verdict. In order, the one that is under way included.
    pub attempts: Cow<'a, [AttemptRecord]>,
    /// The bytes that have arrived of a reply that is not whole yet.
    pub arriving: Option<&'a [u8]>,
    /// What component 8 left: what became of the mutations.
    pub report: Option<&'a MutationReport>,
    /// The actions that were approved, in the order of the reply; empty before the commit.
    pub intents: &'a [Intent],
    /// What was heard of it so far; `None` for a run whose line is heard as a whole.
    pub(crate) heard: Option<&'a HeardSentences>,
    /// How the run ended; `None` while it goes on.
    pub outcome: Option<&'a Outcome>,
    /// The slot of its engine that its call has; `None` where no call is in flight, or the engine has no slots.
    pub slot: Option<u32>,
}

impl<'a> From<RunItem<'a>> for RunView<'a> {
    fn from(item: RunItem<'a>) -> Self {
        let (entity, run, live, context, constraints, retrieved, snapshot, log, call, ..) = item;
        let (.., inference, report, intents, outcome, attempt) = item;
        let (prompt, failure, parsed, verdict, engine, stage, heard, slot, choice) = attempt;
        let current = AttemptParts {
            run,
            log,
            snapshot,
            stage,
            prompt,
            inference,
            failure,
            parsed,
            verdict,
            choice,
        };
        let over = log.map_or(&[][..], |log| &log.0);
        let attempts = match current.record() {
            Some(current) => over.iter().cloned().chain([current]).collect(),
            None => Cow::Borrowed(over),
        };
        Self {
            entity,
            run,
            live,
            engine: engine.map(RunEngine::identity),
            engine_name: engine.and_then(RunEngine::name),
            context,
            constraints,
            retrieved,
            snapshot,
            attempts,
            arriving: call.map(CallInFlight::arrived),
            report,
            intents: intents.map_or(&[], |intents| &intents.0),
            heard,
            outcome,
            slot: slot.filter(|_| call.is_some()).map(|slot| slot.0),
        }
    }
}

impl RunView<'_> {
    /// What was said to the NPC, or what the trigger wants.
    #[must_use]
    pub fn told(&self) -> &str {
        self.context.map_or("", InteractionContext::words)
    }

    /// The status of the run, in one word: its outcome, or its phase while it goes on.
    #[must_use]
    pub fn status(&self) -> String {
        match self.outcome {
            Some(outcome) => outcome.name().to_owned(),
            None => format!("{:?}", self.run.phase()),
        }
    }
}

/// The mind of one character, with the number of requests that wait for it.
#[derive(Debug, Clone, Copy)]
pub struct MindView<'a> {
    /// The character's id.
    pub npc: &'a Id,
    /// Its name; `None` while it is not spawned.
    pub name: Option<&'a str>,
    /// Its mind: all that it remembers.
    pub mind: &'a Mind,
    /// How many requests wait for it.
    pub waiting: usize,
}

impl<'a> MindView<'a> {
    /// The mind of a character that is spawned, with the number of requests that wait for it.
    #[must_use]
    pub fn spawned(character: &'a Character, mind: &'a Mind, waiting: usize) -> Self {
        Self {
            npc: &character.id,
            name: Some(&character.name),
            mind,
            waiting,
        }
    }

    /// The mind of a character that is not spawned, as [`DormantMinds`] keeps it.
    #[must_use]
    pub fn dormant(npc: &'a Id, mind: &'a Mind) -> Self {
        Self {
            npc,
            name: None,
            mind,
            waiting: 0,
        }
    }
}

/// Everything that the inspector shows, borrowed for one frame. What only one panel shows, the panel reads from the world
/// itself, and only while the user sees it.
#[derive(Clone)]
pub struct InspectorView<'a> {
    /// The world of the game.
    pub world: &'a World,
    /// The runs, live and past, newest first.
    pub runs: Vec<RunView<'a>>,
    /// The minds of all characters, by id.
    pub minds: Vec<MindView<'a>>,
    /// What has happened since the game began, in numbers.
    pub counters: DramatisCounters,
    /// Game time now: the strength and the age of memories depend on it.
    pub now: GameTime,
    /// The plans; `None` where the game has taken them away.
    pub plans: Option<&'a Plans>,
    /// How the engines are doing, the default one first.
    pub engines: Vec<EngineView<'a>>,
}

impl<'a> InspectorView<'a> {
    /// How long ago something was, in the words of the story's language, as prompts say it.
    #[must_use]
    pub fn when(&self, time: GameTime) -> String {
        let story = self.world.get_resource::<ActiveStory>();
        let calendar = story.map(|story| story.0.calendar).unwrap_or_default();
        let age = calendar.age(time, self.now);
        story.map_or_else(
            || PromptWords::default().when(age),
            |story| story.0.lexicon.prompt.when(age),
        )
    }

    /// Looks at a game. It needs the world for itself only to find the components; nothing changes.
    #[must_use]
    pub fn of(world: &'a mut World) -> Self {
        let mut runs = world.query::<RunParts>();
        let mut minds = world.query::<(&LoadedCharacter, &Mind, &RequestQueue)>();
        let world: &World = world;
        let mut runs: Vec<RunView> = runs.iter(world).map(RunView::from).collect();
        runs.sort_unstable_by_key(|view| Reverse(view.run.number()));
        let spawned = minds.iter(world);
        let spawned = spawned
            .map(|(character, mind, queue)| MindView::spawned(&character.0, mind, queue.len()));
        let dormant = world.get_resource::<DormantMinds>();
        let dormant = dormant.into_iter().flat_map(DormantMinds::iter);
        let dormant = dormant.map(|(id, mind)| MindView::dormant(id, mind));
        let mut minds: Vec<MindView> = spawned.chain(dormant).collect();
        minds.sort_unstable_by_key(|view| view.npc);
        Self {
            runs,
            minds,
            counters: world.get_resource().copied().unwrap_or_default(),
            now: world
                .get_resource::<DramatisClock>()
                .map_or(GameTime::default(), |clock| clock.game),
            plans: world.get_resource(),
            engines: engines(world),
            world,
        }
    }

    /// The run that the user looks at: the chosen one, else the newest; `None` before the first.
    #[must_use]
    pub fn chosen_run(&self, selection: &Selection) -> Option<&RunView<'a>> {
        let chosen = self
            .runs
            .iter()
            .find(|run| Some(run.entity) == selection.run);
        chosen.or(self.runs.first())
    }

    /// The mind that the user looks at: the chosen one, else the first; `None` where there is no character.
    #[must_use]
    pub fn chosen_mind(&self, selection: &Selection) -> Option<&MindView<'a>> {
        let chosen = self
            .minds
            .iter()
            .find(|mind| Some(mind.npc.as_str()) == selection.npc.as_deref());
        chosen.or(self.minds.first())
    }
}

fn engines(world: &World) -> Vec<EngineView<'_>> {
    let named = world.get_resource::<Engines>();
    let named = named.into_iter().flat_map(|engines| engines.names());
    let names = std::iter::once(None).chain(named.map(Some));
    names.map(|name| EngineView::of(world, name)).collect()
}

/// How an engine is doing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineView<'a> {
    /// Its name; `None` for the default one.
    pub name: Option<&'a str>,
    /// Which model it serves; `None` where the game has taken it away.
    pub identity: Option<&'a EngineIdentity>,
    /// What it can take at once; `None` where the game has taken it away.
    pub capacity: Option<Capacity>,
    /// Whether it can be asked.
    pub status: EngineStatus,
    /// Whether it is left alone, since it has failed.
    pub breaker: BreakerState,
    /// How long its calls take: the median of the last ones. `None` while that is not known.
    pub typical_call: Option<Millis>,
}

impl<'a> EngineView<'a> {
    /// What is known of the engine of this name; `None` for the default one.
    #[must_use]
    pub fn of(world: &'a World, name: Option<&'a str>) -> Self {
        let engine = match name {
            None => world.get_resource::<DefaultEngine>(),
            Some(name) => world.get_resource::<Engines>().and_then(|e| e.get(name)),
        };
        let statuses = world.get_resource::<EngineStatuses>();
        let room = world.get_resource::<EngineRoom>();
        Self {
            name,
            identity: engine.map(|engine| &engine.identity),
            capacity: engine.map(|engine| engine.engine.capacity()),
            status: statuses.map(|known| known.of(name)).unwrap_or_default(),
            breaker: room.map(|room| room.breaker(name)).unwrap_or_default(),
            typical_call: room.and_then(|room| room.typical_call(name)),
        }
    }

    /// What it is called: its name, or that it is the default one.
    #[must_use]
    pub fn called(&self) -> &'a str {
        self.name.unwrap_or("The default engine")
    }

    /// In words.
    #[must_use]
    pub fn in_words(&self) -> String {
        let status = match (&self.status, self.breaker) {
            (EngineStatus::Ready, BreakerState::Closed) => "ready".to_owned(),
            (EngineStatus::Ready, BreakerState::HalfOpen) => {
                "has failed; one call sees whether it answers again".to_owned()
            }
            (EngineStatus::Ready, BreakerState::Open { until }) => {
                format!("has failed; is asked again at {} ms of call time", until.0)
            }
            (status, _) => status.to_string(),
        };
        match self.typical_call {
            Some(Millis(took)) => format!("{status}; a call takes {took} ms"),
            None => status,
        }
    }
}
