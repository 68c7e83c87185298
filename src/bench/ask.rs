//! One case, asked once: what an engine makes of it.

use super::deed::{Deed, named};
use super::load::{Bench, Case};
use super::usable::{Around, Unusable, what_is_wrong};
use crate::base::clock::DramatisClock;
use crate::base::fixed::Millis;
use crate::base::seed::WorldSeed;
use crate::base::time::CallTime;
use crate::engine::{SharedEngine, Stage, TokenUsage};
use crate::events::{Spoke, SpokeSentence};
use crate::journal::record::CheckpointReason;
use crate::journal::{MemoryJournal, MemoryJournalPlugin, Recording, ledger};
use crate::npc::limits::limits_of;
use crate::npc::{LoadedCharacter, NpcPolicy, policy_of};
use crate::pipeline::steps::mutation::ApprovedIntents;
use crate::pipeline::{AttemptLog, AttemptRecord, HeardSentences, Outcome, Run, RunHistory};
use crate::policy::Form;
use crate::scenario::{Additions, NotBegun, ScenarioRunner, StepSpec};
use crate::story::ActiveStory;
use crate::text::{FoldedText, PatternSet};
use crate::world::{WorldIndex, WorldView};
use bevy::prelude::*;
use std::collections::BTreeSet;

/// The result of one case.
#[derive(Debug, Clone)]
pub(super) struct Asked {
    pub case: String,
    /// Which sample, from 0.
    pub sample: u32,
    /// In how many calls the character was asked.
    pub form: Form,
    /// How the run ended; `Refused` where none began.
    pub outcome: &'static str,
    /// What was heard.
    pub line: String,
    /// What was done, as the bench names actions.
    pub actions: Vec<String>,
    /// What is wrong with the line first; `None`: it is usable.
    pub why: Option<Unusable>,
    /// Why the last attempt had no reply, for people.
    pub error: Option<String>,
    pub attempts: usize,
    /// Whether what was done is right; `None` where it is not judged.
    pub is_right: Option<bool>,
    /// Whether what must be heard was heard; `None` where nothing must.
    pub says: Option<bool>,
    /// Whether something was heard that must never be.
    pub is_forbidden: bool,
    pub tokens: TokenUsage,
    /// How long it took until the first sentence of the model was heard, and until the last one.
    pub times: Option<(Millis, Millis)>,
}

/// When words of a model were heard of the character that is asked.
#[derive(Resource, Default)]
struct Heard {
    npc: String,
    times: Option<(CallTime, CallTime)>,
}

impl Heard {
    fn hear(&mut self, npc: &str, now: CallTime) {
        if self.npc == npc {
            let first = self.times.map_or(now, |(first, _)| first);
            self.times = Some((first, now));
        }
    }
}

/// What a case is asked with.
pub(super) struct Asking<'a> {
    pub engine: &'a SharedEngine,
    /// `None`: as the files say.
    pub form: Option<Form>,
    /// Sleeps for a moment, and says how much time has passed since it was last called.
    pub wait: &'a dyn Fn() -> Millis,
    pub of_game: &'a dyn Fn(&mut App),
}

/// Asks a case once in a new game. With a recording, what happens is added to it.
///
/// # Errors
/// As for a scenario that cannot begin.
pub(super) fn ask(
    bench: &Bench,
    case: &Case,
    sample: u32,
    with: &Asking<'_>,
    recording: Option<&mut Recording>,
) -> Result<Asked, NotBegun> {
    let is_recorded = recording.is_some();
    let additions = Additions {
        of_game: with.of_game,
        of_caller: &|app| {
            app.add_plugins(TaskPoolPlugin::default())
                .init_resource::<Heard>()
                .add_observer(hear_sentence)
                .add_observer(hear_line);
            if is_recorded {
                app.add_plugins(MemoryJournalPlugin);
            }
        },
    };
    let engine = with.engine.clone();
    let mut runner = ScenarioRunner::asking(&bench.scenario, engine, with.wait, &additions)?;
    let world = runner.world_mut();
    world.insert_resource(WorldSeed(bench.seed.wrapping_add(u64::from(sample))));
    if let Some(form) = with.form {
        ask_in_form(world, form);
    }
    if let Some(recording) = &recording {
        let position = u64::try_from(recording.records.len()).unwrap_or(u64::MAX);
        ledger::go_on_from(world, position, CheckpointReason::Loaded, 0);
    }
    for step in &case.before {
        runner.play_step(step);
    }
    let before = last_run(runner.world_mut(), &case.to);
    runner.world_mut().insert_resource(Heard {
        npc: case.to.clone(),
        times: None,
    });
    let began = runner.world_mut().resource::<DramatisClock>().call;
    runner.play_step(&StepSpec::say(&case.to, &case.say));
    let world = runner.world_mut();
    let npc = world.resource::<WorldIndex>().get(&case.to);
    let nothing = Asked {
        case: case.id.clone(),
        sample,
        form: npc.map_or(Form::default(), |npc| {
            policy_of(world, npc).form.unwrap_or_default()
        }),
        outcome: "Refused",
        line: String::new(),
        actions: Vec::new(),
        why: Some(Unusable::NotAccepted),
        error: None,
        attempts: 0,
        is_right: case.does.as_ref().map(Vec::is_empty),
        says: case.says.as_ref().map(|_| false),
        is_forbidden: false,
        tokens: TokenUsage::default(),
        times: None,
    };
    let run = last_run(world, &case.to).filter(|run| Some(*run) != before);
    let asked = match run {
        Some(run) => read(world, case, began, run, nothing),
        None => nothing,
    };
    if let Some(recording) = recording {
        let new = runner.world_mut().resource_mut::<MemoryJournal>().take();
        recording.records.extend(new.records);
        recording.assets.extend(new.assets);
    }
    Ok(asked)
}

fn hear_sentence(said: On<SpokeSentence>, clock: Res<DramatisClock>, mut heard: ResMut<Heard>) {
    if !said.fallback {
        heard.hear(said.npc.as_str(), clock.call);
    }
}

fn hear_line(said: On<Spoke>, clock: Res<DramatisClock>, mut heard: ResMut<Heard>) {
    if !said.fallback {
        heard.hear(said.npc.as_str(), clock.call);
    }
}

/// Every character is asked in this form, whatever its file says.
fn ask_in_form(world: &mut World, form: Form) {
    let mut cast = world.query_filtered::<Entity, With<LoadedCharacter>>();
    let cast: Vec<Entity> = cast.iter(world).collect();
    for npc in cast {
        let policy = policy_of(world, npc).asked(form);
        world.entity_mut(npc).insert(NpcPolicy(policy));
    }
}

/// The last dialogue run of a character.
fn last_run(world: &World, npc: &str) -> Option<Entity> {
    let history = world.resource::<RunHistory>();
    history.iter().rev().find(|run| {
        let run = world.get::<Run>(*run);
        run.is_some_and(|run| run.npc().as_str() == npc && run.stage() == Stage::Dialogue)
    })
}

/// What a run of a case has come to.
fn read(world: &mut World, case: &Case, began: CallTime, run: Entity, nothing: Asked) -> Asked {
    let outcome = world
        .get::<Outcome>(run)
        .cloned()
        .unwrap_or(Outcome::Cancelled);
    let attempts = world.get::<AttemptLog>(run).cloned().unwrap_or_default();
    let heard = world.get::<HeardSentences>(run).map(HeardSentences::line);
    let line = heard.filter(|line| !line.is_empty());
    let line = line
        .or_else(|| outcome.line().map(str::to_owned))
        .unwrap_or_default();
    let done = world
        .get::<ApprovedIntents>(run)
        .cloned()
        .unwrap_or_default();
    // To speak is no deed of its own.
    let done: Vec<_> = done
        .0
        .into_iter()
        .filter(|done| !matches!(done.kind(), "speak" | "describe"))
        .collect();
    let accepted = attempts.0.iter().find(|attempt| attempt.passed);
    let why = match (&outcome, accepted) {
        (Outcome::Accepted { .. }, Some(attempt)) => is_usable(world, case, &line, attempt),
        _ => Some(Unusable::NotAccepted),
    };
    let is_right = |right: &Vec<Deed>| match right.is_empty() {
        true => done.is_empty(),
        false => !done.is_empty() && done.iter().all(|done| right.iter().any(|one| one.is(done))),
    };
    let words = FoldedText::new(&line);
    let holds = |patterns: &PatternSet| {
        let hits = patterns.scan(&words);
        (0..patterns.len()).any(|pattern| hits.first(pattern).is_some())
    };
    let since = |time: CallTime| time.since(began);
    let times = world.resource::<Heard>().times;
    let last = attempts.0.last();
    Asked {
        outcome: outcome.name(),
        actions: done.iter().map(named).collect(),
        why,
        error: last.and_then(|attempt| attempt.error_message.clone()),
        attempts: attempts.0.len(),
        is_right: case.does.as_ref().map(is_right),
        says: case.says.as_ref().map(holds),
        is_forbidden: holds(&case.never),
        tokens: attempts.0.iter().fold(TokenUsage::default(), add_tokens),
        times: times.map(|(first, last)| (since(first), since(last))),
        line,
        ..nothing
    }
}

/// What all calls of an attempt took.
fn add_tokens(sum: TokenUsage, attempt: &AttemptRecord) -> TokenUsage {
    let choice = attempt
        .choice
        .as_ref()
        .and_then(|choice| choice.call.as_ref());
    let calls = choice
        .map(|call| &call.arrived)
        .into_iter()
        .chain([&attempt.arrived]);
    calls
        .filter_map(|call| call.usage)
        .fold(sum, |sum, call| TokenUsage {
            prompt: sum.prompt + call.prompt,
            cached: sum.cached + call.cached,
            completion: sum.completion + call.completion,
        })
}

fn is_usable(
    world: &mut World,
    case: &Case,
    line: &str,
    attempt: &AttemptRecord,
) -> Option<Unusable> {
    let state = WorldView::new(world).to_state();
    let places = state
        .locations
        .iter()
        .map(|(id, place)| (id, &place.name, &[][..]));
    let things = state
        .entities
        .iter()
        .map(|(id, thing)| (id, &thing.name, &thing.aliases[..]));
    let (mut ids, mut names) = (BTreeSet::new(), BTreeSet::new());
    for (id, name, aliases) in places.chain(things) {
        ids.insert(id.to_string());
        // What has no name is called by its id. One that is a word may be said.
        let is_word = name.chars().all(char::is_alphabetic);
        names.extend((is_word || name.as_str() != id.as_str()).then(|| name.clone()));
        names.extend(aliases.iter().cloned());
    }
    names.remove("");
    let npc = world.resource::<WorldIndex>().get(&case.to);
    let story = world.resource::<ActiveStory>().0.clone();
    let character = npc.and_then(|npc| world.get::<LoadedCharacter>(npc));
    let lexicon = character.map_or(&*story.lexicon, |one| story.language_of(&one.0));
    let said = case.before.iter().filter_map(StepSpec::said);
    let around = Around {
        sentences: npc.map_or(1, |npc| limits_of(world, npc).sentences),
        ids,
        names,
        prompt: attempt
            .messages
            .iter()
            .map(|message| &*message.content)
            .collect(),
        said: said.chain([case.say.as_str()]).collect(),
        lexicon,
    };
    what_is_wrong(line, &around)
}
