//! Loading a scenario: everything is read and checked before anything is played.

use super::beginning::Beginning;
use super::own_story::{misplaced, story};
use super::spec::ScenarioSpec;
use super::step_checks::step_problems;
use crate::authoring::files::{FileSource, Files, WithSource, files_below, read_named};
use crate::authoring::story_spec::PersonaSpec;
use crate::authoring::{Character, StoryBook};
use crate::base::fixed::Millis;
use crate::base::ids::Id;
use crate::base::time::GameTime;
use crate::engine::{Capabilities, EngineIdentity, ScriptSpec, ScriptedEngine};
use crate::format::error::first_of_each_file;
use crate::format::{AuthoringError, Inline, Problem};
use crate::journal::import;
use crate::journal::source::RecordingSource;
use crate::plans::{PlanSettings, Taxonomy};
use crate::policy::{Form, RunPolicy};
use crate::text::PatternSet;
use crate::world::ActionRegistry;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A scenario that was read and checked whole, ready to be played.
#[derive(Debug)]
pub struct Scenario {
    /// What the file says.
    pub(crate) spec: ScenarioSpec,
    /// The name of its file, for errors.
    pub file: String,
    /// The file's text, for the places of errors.
    pub source: String,
    /// The world, canon, facts and rules of the scenario, as a story.
    pub story: Arc<StoryBook>,
    /// The characters, in the order of the file.
    pub characters: Vec<Arc<Character>>,
    /// How many attempts dialogue runs make, and what happens when none passes.
    pub policy: RunPolicy,
    /// The id of the actor whom the player plays.
    pub player: Id,
    /// Game time before the first step.
    pub game_time: GameTime,
    /// How plans are judged.
    pub plans: PlanSettings,
    /// The recorded game that it begins from; `None`: it says itself how everything is at first.
    pub(super) beginning: Option<Beginning>,
}

impl Scenario {
    /// Whether a character of this id may be in it. Whom a recording holds is known when it begins.
    #[cfg(feature = "cli")]
    pub(crate) fn may_have(&self, npc: &str) -> bool {
        let mut written = self.characters.iter();
        self.beginning.is_some() || written.any(|one| one.id.as_str() == npc)
    }

    /// How many things it expects. One that expects nothing proves nothing.
    #[must_use]
    pub fn expectations(&self) -> usize {
        self.spec.expect.len()
    }

    /// Reads a file. Files that it refers to are looked for next to it, then in `assets/`.
    ///
    /// # Errors
    /// Everything that is wrong, each with its place.
    pub fn read(path: &Path, registry: &ActionRegistry) -> Result<Self, Vec<AuthoringError>> {
        let (file, bytes) = read_named(path)?;
        Self::parse(&bytes, &file, &Files::beside(path), registry)
    }

    /// Parses a scenario from memory.
    ///
    /// # Errors
    /// Everything that is wrong, each with its place.
    pub fn parse(
        bytes: &[u8],
        file: &str,
        files: &dyn FileSource,
        registry: &ActionRegistry,
    ) -> Result<Self, Vec<AuthoringError>> {
        let sourced = WithSource::parse(bytes, file)?;
        Self::compile(&sourced, files, registry)
    }

    /// Checks a scenario that was read, with the files that it names.
    ///
    /// # Errors
    /// Everything that is wrong, each with its place.
    pub(crate) fn compile(
        sourced: &WithSource<ScenarioSpec>,
        files: &dyn FileSource,
        registry: &ActionRegistry,
    ) -> Result<Self, Vec<AuthoringError>> {
        let files = &sourced.files(files);
        let mut errors = Vec::new();
        let spec = &sourced.value;
        let story = story(sourced, files, registry).unwrap_or_else(|found| {
            errors.extend(found);
            StoryBook::default()
        });
        let mut characters: Vec<Arc<Character>> = Vec::new();
        for (i, npc) in spec.npcs.iter().enumerate() {
            let pointer = format!("/npcs/{i}");
            let loaded = sourced
                .part(npc, &pointer, files)
                .map_err(Vec::from)
                .and_then(|npc| Character::compile(&npc, files));
            match loaded {
                Ok(character) if characters.iter().any(|other| other.id == character.id) => {
                    let message = format!("the NPC \"{}\" is listed twice", character.id);
                    errors.push(sourced.locate(&Problem::new(pointer, message)));
                }
                Ok(character) => characters.push(Arc::new(character)),
                Err(found) => errors.extend(found),
            }
        }
        let mut problems = check(spec, registry);
        problems.extend(misplaced(sourced));
        let beginning = beginning(spec, files).unwrap_or_else(|found| {
            problems.push(found);
            None
        });
        let player = Id::new(&spec.player)
            .map_err(|error| problems.push(Problem::new("/player", error.to_string())))
            .ok();
        let policy = spec.policy.compile().unwrap_or_else(|found| {
            problems.extend(found);
            RunPolicy::default()
        });
        let game_time = Millis::from_seconds(spec.game_time).filter(|time| time.0 >= 0);
        let game_time = game_time.unwrap_or_else(|| {
            problems.push(Problem::new(
                "/game_time",
                "game time must be a number of seconds, 0 to 10^12",
            ));
            Millis(0)
        });
        let game_time = GameTime(game_time.0);
        let plans = plan_settings(sourced, files, &mut problems).unwrap_or_else(|found| {
            errors.extend(found);
            PlanSettings::default()
        });
        errors.extend(sourced.locate_all(&problems));
        let (Some(player), true) = (player, errors.is_empty()) else {
            return Err(first_of_each_file(errors));
        };
        Ok(Self {
            spec: spec.clone(),
            player,
            file: sourced.file.clone(),
            source: String::from(&**sourced.source),
            story: Arc::new(story),
            characters,
            // The form of its files, and without one a single call, whatever the engine is.
            policy: policy.delivered(spec.delivery).asked(Form::Together),
            game_time,
            plans,
            beginning,
        })
    }

    /// A new engine that gives the replies of the scenario. They were checked when the scenario was read; if they are wrong
    /// all the same, every call fails.
    #[must_use]
    pub fn engine(&self) -> ScriptedEngine {
        let script = script_spec(&self.spec);
        let engine = ScriptedEngine::new(&script).unwrap_or_else(|_| ScriptedEngine::silent());
        let written = &self.spec.engine;
        if let (Some(beginning), None) = (&self.beginning, written) {
            return engine.with_identity(beginning.identity.clone());
        }
        let written = written.clone().unwrap_or_default();
        engine.with_identity(EngineIdentity {
            provider: written.provider,
            model: written.model,
            version: written.version,
            hash: written.hash,
            capabilities: Capabilities {
                json: written.json,
                streaming: written.streaming,
                context_chars: written.context_chars,
                form: Form::Together,
            },
        })
    }
}

/// The names of the shipped taxonomies.
fn shipped_taxonomy(name: &str) -> Option<Arc<Taxonomy>> {
    match name {
        "npc" => Some(Taxonomy::npc_shared()),
        "studio" => Some(Taxonomy::studio_shared()),
        _ => None,
    }
}

fn plan_settings(
    scenario: &WithSource<ScenarioSpec>,
    files: &dyn FileSource,
    problems: &mut Vec<Problem>,
) -> Result<PlanSettings, Vec<AuthoringError>> {
    let spec = &scenario.value.plans;
    let taxonomy = match &spec.taxonomy {
        None => Taxonomy::npc_shared(),
        Some(Inline::Path(name)) if shipped_taxonomy(name).is_some() => {
            shipped_taxonomy(name).unwrap_or_default()
        }
        Some(taxonomy) => {
            let part = scenario.part(taxonomy, "/plans/taxonomy", files)?;
            let found = part.value.problems();
            if !found.is_empty() {
                return Err(part.locate_all(&found));
            }
            Arc::new(part.value)
        }
    };
    let mut scope = BTreeSet::new();
    for (i, id) in spec.scope.iter().enumerate() {
        match Id::new(id) {
            Ok(id) => {
                scope.insert(id);
            }
            Err(error) => {
                let place = format!("/plans/scope/{i}");
                problems.push(Problem::new(place, error.to_string()));
            }
        }
    }
    for (i, constraint) in spec.constraints.iter().enumerate() {
        if let Some(pattern) = &constraint.pattern
            && let Err(error) = PatternSet::compile([pattern])
        {
            let place = format!("/plans/constraints/{i}/pattern");
            problems.push(Problem::new(place, error.to_string()));
        }
    }
    Ok(PlanSettings {
        taxonomy,
        profile: spec.profile,
        ceiling: spec.ceiling,
        has_approver: spec.approver,
        scope,
        protected_kinds: spec.protected_kinds.iter().cloned().collect(),
        constraints: spec.constraints.clone(),
    })
}

fn script_spec(spec: &ScenarioSpec) -> ScriptSpec {
    ScriptSpec {
        replies: spec.replies.clone(),
        repeat: false,
    }
}

/// The recorded game that a scenario begins from.
fn beginning(spec: &ScenarioSpec, files: &dyn FileSource) -> Result<Option<Beginning>, Problem> {
    let Some(path) = &spec.from else {
        return Ok(None);
    };
    let problem = |(field, why): (&str, String)| Problem::new(field, why);
    let source = match files.find(path) {
        Some(file) => RecordingSource::File(file),
        None => {
            let (_, bytes) = files.read(path).map_err(|why| problem(("/from", why)))?;
            let recording = import(&*bytes);
            let recording = recording.map_err(|error| problem(("/from", error.to_string())))?;
            RecordingSource::Memory(Arc::new(recording))
        }
    };
    Beginning::find(source, spec.at).map(Some).map_err(problem)
}

fn check(spec: &ScenarioSpec, registry: &ActionRegistry) -> Vec<Problem> {
    let mut problems = Vec::new();
    problems.extend(ScriptedEngine::new(&script_spec(spec)).err());
    problems.extend(spec.adventure.problem());
    problems.extend(PersonaSpec::problems(&spec.personas));
    for (i, step) in spec.steps.iter().enumerate() {
        problems.extend(step_problems(step, &format!("/steps/{i}"), registry));
    }
    for (i, expectation) in spec.expect.iter().enumerate() {
        if let Some(Err(error)) = expectation
            .matches
            .as_ref()
            .map(|pattern| regex::Regex::new(pattern))
        {
            let message = error.to_string();
            let message = message.lines().last().unwrap_or_default().to_owned();
            problems.push(Problem::new(format!("/expect/{i}/matches"), message));
        }
        if expectation.has_no_condition() {
            problems.push(Problem::new(
                format!("/expect/{i}"),
                "this expectation has no condition: add heard, not_heard, did or attempts, or to `at` one of is, contains, lacks, matches, len, absent, at_least or at_most",
            ));
        }
        if expectation.at.is_none() && expectation.asks_at_a_place() {
            problems.push(Problem::new(
                format!("/expect/{i}"),
                "`at` is missing: where in the trace the value is, such as /runs/0/outcome",
            ));
        }
        let at = expectation.at.as_deref().unwrap_or_default();
        if !at.is_empty() && !at.starts_with('/') {
            problems.push(Problem::new(
                format!("/expect/{i}/at"),
                "a JSON pointer must begin with /",
            ));
        }
    }
    problems
}

/// The scenario files that a path names: itself, or all `.scenario.ron` files below a folder, in order of the alphabet.
///
/// # Errors
/// When the path or a folder below it cannot be read.
pub fn scenario_files(path: &Path) -> Result<Vec<PathBuf>, AuthoringError> {
    let unreadable = |error: std::io::Error| {
        AuthoringError::whole(&path.display().to_string(), error.to_string())
    };
    if !fs::metadata(path).map_err(unreadable)?.is_dir() {
        return Ok(vec![path.to_path_buf()]);
    }
    let wanted = |file: &Path| is_scenario(&file.to_string_lossy());
    files_below(path, wanted).map_err(unreadable)
}

/// Whether a file of this name holds a scenario.
fn is_scenario(file: &str) -> bool {
    file.ends_with(".scenario.ron") || cfg!(feature = "json") && file.ends_with(".scenario.json")
}
