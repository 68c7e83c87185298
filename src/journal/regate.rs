//! Re-gate: old recordings under changed rules, without a model.
//!
//! A recording is replayed with its own assets, so that memory and world are at every moment what they were. At each
//! reply that is judged, and at each turn that is taken, a second opinion is asked for: what would the changed rules say
//! of the same bytes in the same world? The replay never follows it. Of a run whose first reply passes only now, what
//! came after is judged all the same, as it happened.
//!
//! ```
//! use bevy_dramatis::authoring::NoFiles;
//! use bevy_dramatis::journal::{ChangedRules, regate};
//! use bevy_dramatis::scenario::{Scenario, record};
//! use bevy_dramatis::world::ActionRegistry;
//! let read = |rules: &str| {
//!     let source = format!(r#"(name: "a greeting", npcs: [(id: "wizard", {rules})],
//!         replies: [Say("Well met, stranger.")], steps: [Say(to: "wizard", text: "Hello?")])"#);
//!     Scenario::parse(source.as_bytes(), "a.scenario.ron", &NoFiles, &ActionRegistry::default()).unwrap()
//! };
//! let (_, recording) = record(&read(""), &|_| {});
//! let changed = ChangedRules::from(&read(r#"forbidden: ["stranger"]"#));
//! let report = regate(&recording, &changed, &|_| {}).unwrap();
//! assert!(report.replay.holds());
//! assert!(report.changed[0].before.passed && !report.changed[0].after.passed);
//! assert_eq!(report.changed[0].responsible[0].rule, "stranger");
//! ```

mod findings;
mod second;

use super::RecordKind;
use super::replay::{Recorded, ReplayError, ReplayReport, replay};
use crate::authoring::files::{Files, read_bounded};
use crate::authoring::{Character, StoryBook};
use crate::format::AuthoringError;
use crate::gate::FailureReason;
use crate::rules::RuleSeverity;
use crate::scenario::Scenario;
use crate::world::ActionRegistry;
use bevy::prelude::{App, Startup, World};
use second::{RegateHook, SharedTally};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError};

/// The rules of a second opinion. What is not given is judged as it was recorded.
#[derive(Debug, Clone, Default)]
pub struct ChangedRules {
    /// The canon, rules, custom rules, triggers and rulebook of this story; its world is not looked at.
    pub story: Option<Arc<StoryBook>>,
    /// The rules, topics and actions of these characters, by NPC id; who they are and remember is not looked at.
    pub characters: BTreeMap<String, Arc<Character>>,
}

impl From<&Scenario> for ChangedRules {
    fn from(scenario: &Scenario) -> Self {
        let characters = scenario.characters.iter();
        Self {
            story: Some(scenario.story.clone()),
            characters: characters.map(|c| (c.id.clone(), c.clone())).collect(),
        }
    }
}

impl ChangedRules {
    /// Reads `.story.ron`, `.npc.ron` and `.scenario.ron` files. A scenario gives its story and its characters; what
    /// they name by path comes from beside the file, then from `assets/`.
    ///
    /// # Errors
    /// Everything that is wrong, each with its place; also a second story, and a second file of one character.
    pub fn read(paths: &[PathBuf], registry: &ActionRegistry) -> Result<Self, Vec<AuthoringError>> {
        let mut changed = Self::default();
        let mut errors = Vec::new();
        for path in paths {
            match Self::read_one(path, registry) {
                Ok(read) => errors.extend(changed.add(path, read)),
                Err(found) => errors.extend(found),
            }
        }
        if errors.is_empty() {
            Ok(changed)
        } else {
            Err(errors)
        }
    }

    fn read_one(path: &Path, registry: &ActionRegistry) -> Result<Self, Vec<AuthoringError>> {
        let file = path.display().to_string();
        let whole = |message: String| vec![AuthoringError::whole(&file, message)];
        let bytes = || read_bounded(path).map_err(|error| whole(error.to_string()));
        let files = Files::beside(path);
        if file.ends_with(".story.ron") {
            let story = StoryBook::parse(&bytes()?, &file, &files, registry)?;
            Ok(Self {
                story: Some(Arc::new(story)),
                ..Self::default()
            })
        } else if file.ends_with(".npc.ron") {
            let character = Arc::new(Character::parse(&bytes()?, &file, &files)?);
            Ok(Self {
                characters: BTreeMap::from([(character.id.clone(), character)]),
                ..Self::default()
            })
        } else if file.ends_with(".scenario.ron") {
            // Only its rules are wanted: steps that cannot be played yet do not matter.
            let scenario = Scenario::parse_for_check(&bytes()?, &file, &files, registry)?;
            Ok(Self::from(&scenario))
        } else {
            let wanted = "rules are read from .story.ron, .npc.ron and .scenario.ron files";
            Err(whole(wanted.to_owned()))
        }
    }

    /// Takes over what was read from a file; what stands in an earlier one already is an error.
    fn add(&mut self, path: &Path, read: Self) -> Vec<AuthoringError> {
        let file = path.display().to_string();
        let mut errors = Vec::new();
        if read.story.is_some() && self.story.is_some() {
            let message = "this is a second story: one can be given";
            errors.push(AuthoringError::whole(&file, message));
        }
        self.story = self.story.take().or(read.story);
        for (id, character) in read.characters {
            if self.characters.insert(id.clone(), character).is_some() {
                let message = format!("the NPC \"{id}\" was read from another file already");
                errors.push(AuthoringError::whole(&file, message));
            }
        }
        errors
    }
}

/// What a verdict comes to.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct SecondVerdict {
    /// Whether the reply passed; of a turn, whether all of its actions were done.
    pub passed: bool,
    /// The rules that failed it, each once, in the order of the judges.
    pub failures: Vec<String>,
}

/// What part of a reply or turn a rule decided of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub enum Part {
    /// The words, or all of it.
    Reply,
    /// A memory, which is refused alone.
    Memory,
    /// An action.
    Action,
}

/// How a finding has changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub enum Change {
    /// It is new.
    Appeared,
    /// It is gone.
    Vanished,
}

/// A rule that a verdict has changed by. A rule that finds the same with another weight has vanished and appeared.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ChangedRule {
    /// Its id: an authored one, that of a rulebook's check, or one of the built-in names of SCENARIO.md.
    pub rule: String,
    /// What kind of finding it is.
    pub reason: FailureReason,
    /// How much it weighs; Soft for a memory, which never fails a reply.
    pub severity: RuleSeverity,
    /// What it was found in.
    pub part: Part,
    /// What it says, by the rules that it was found by.
    pub message: String,
    /// Whether it was found only now, or only before.
    pub change: Change,
}

/// A verdict that is another one under the changed rules.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ChangedVerdict {
    /// The record of the run or turn.
    pub seq: u64,
    /// Of what it is: an interaction or a turn.
    pub kind: RecordKind,
    /// Who spoke or acted, by id.
    pub npc: String,
    /// Which attempt of the run, from 0; always 0 of a turn.
    pub attempt: u32,
    /// What was said, cut; of a turn, the words, or the names of the actions.
    pub line: String,
    /// The verdict as it was recorded.
    pub before: SecondVerdict,
    /// The verdict by the changed rules.
    pub after: SecondVerdict,
    /// The rules that the two differ in; there is always one.
    pub responsible: Vec<ChangedRule>,
}

impl fmt::Display for ChangedVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verdict = |opinion: &SecondVerdict| if opinion.passed { "passed" } else { "failed" };
        write!(f, "record {} ({}", self.seq, self.npc)?;
        match self.kind {
            RecordKind::Turn => write!(f, ", turn")?,
            _ => write!(f, ", attempt {}", self.attempt)?,
        }
        write!(
            f,
            "): {} before, {} now:",
            verdict(&self.before),
            verdict(&self.after)
        )?;
        for (i, found) in self.responsible.iter().enumerate() {
            let how = match found.change {
                Change::Appeared => "now",
                Change::Vanished => "no longer",
            };
            let comma = if i == 0 { "" } else { "," };
            write!(f, "{comma} {how} {:?} {}", found.reason, found.rule)?;
        }
        // A line of its own in the report, whatever stands in the reply.
        write!(f, ": \"{}\"", self.line.escape_debug())
    }
}

/// What a second opinion on a recording found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RegateReport {
    /// How many runs were looked at.
    pub runs: u64,
    /// How many replies were judged again.
    pub attempts: u64,
    /// How many turns were judged again.
    pub turns: u64,
    /// The verdicts that change, in the order of the records.
    pub changed: Vec<ChangedVerdict>,
    /// How many more change than are listed.
    pub left_out: u64,
    /// Characters among the changed rules that the recording has no run of.
    pub unused: Vec<String>,
    /// Whether the recording replays. From the first divergence on its verdicts cannot be trusted.
    pub replay: ReplayReport,
}

/// Judges all of a recording again by changed rules, and lists the verdicts that change. `configure` is as in
/// [`replay`]; rules and checks in Rust that it adds have their say in both verdicts.
///
/// # Errors
/// See [`ReplayError`].
pub fn regate(
    recording: &dyn Recorded,
    changed: &ChangedRules,
    configure: &dyn Fn(&mut App),
) -> Result<RegateReport, ReplayError> {
    let tally = SharedTally::default();
    let changed_rules = Arc::new(changed.clone());
    let replay = replay(recording, &|app| {
        configure(app);
        let (tally, changed) = (tally.clone(), changed_rules.clone());
        // Whoever writes things down has been set to listen by then, and nothing has happened yet.
        app.add_systems(Startup, move |world: &mut World| {
            RegateHook::listen_in(world, changed.clone(), tally.clone());
        });
    })?;
    let tally = std::mem::take(&mut *tally.lock().unwrap_or_else(PoisonError::into_inner));
    let ids = changed.characters.keys();
    let unused = ids.filter(|id| !tally.seen.contains(*id));
    Ok(RegateReport {
        runs: tally.runs,
        attempts: tally.attempts,
        turns: tally.turns,
        changed: tally.changed,
        left_out: tally.left_out,
        unused: unused.cloned().collect(),
        replay,
    })
}
