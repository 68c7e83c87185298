//! A recording, judged again on a thread of its own: no frame waits for it.

use super::super::background::Background;
use crate::authoring::asset_source::{AssetKind, AssetSource};
use crate::authoring::files::{FileSource, Files};
use crate::format::AuthoringError;
use crate::journal::source::RecordingSource;
use crate::journal::{Record, RecordKind, Recorded, Recording, Redaction, export};
use crate::replay::regate::RegateReport;
use crate::replay::regate::{ChangedRules, EditedReply, ReplyKey, regate};
use crate::scenario::{RecordedScenario, Scenario, ScenarioWish, play, scenario_of};
use crate::world::ActionRegistry;
use bevy::prelude::{App, Resource};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::sync::Arc;

/// Adds the game's own actions, conditions, rules and checks in Rust to the app in which the inspector judges a recording
/// again. It must not add systems. By default it adds nothing.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_dramatis::gate::CustomCheck;
/// use bevy_dramatis::inspector::ReplayConfigure;
/// use bevy_dramatis::prelude::*;
///
/// fn rules(app: &mut App) {
///     app.add_check(CustomCheck::new("silence", |_, _, _| Ok(None)));
/// }
/// let mut app = App::new();
/// app.add_plugins(DramatisPlugins::silent());
/// rules(&mut app);
/// app.insert_resource(ReplayConfigure::new(rules));
/// ```
#[derive(Resource, Clone)]
pub struct ReplayConfigure(pub Arc<dyn Fn(&mut App) + Send + Sync>);

impl ReplayConfigure {
    /// `configure` adds what the game adds to its own app. It is called on another thread.
    pub fn new(configure: impl Fn(&mut App) + Send + Sync + 'static) -> Self {
        Self(Arc::new(configure))
    }
}

impl Default for ReplayConfigure {
    fn default() -> Self {
        Self::new(|_| {})
    }
}

impl fmt::Debug for ReplayConfigure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ReplayConfigure(..)")
    }
}

/// What is asked: these replies and these files, in place of what was recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Question {
    /// The number of the record.
    pub seq: u64,
    /// What the record is of: a run, a turn, a turn of an adventure, or a plan.
    pub kind: RecordKind,
    /// The texts that are judged as its replies, edited or as they were recorded.
    pub replies: BTreeMap<ReplyKey, String>,
    /// The files of its characters and its story, with those that they name.
    pub rules: Vec<AssetSource>,
}

/// The answer to a [`Question`], with a scenario for each reply, or for the turn of an actor, that was judged.
#[derive(Debug)]
pub(super) struct Answer {
    pub question: Question,
    pub report: RegateReport,
    /// A scenario for each reply that was judged, by attempt, or why there is none; of the turn of an actor the one of attempt 0.
    pub scenarios: BTreeMap<u32, Result<NewScenario, String>>,
}

/// A scenario that can be saved.
#[derive(Debug)]
pub(super) struct NewScenario {
    pub scenario: RecordedScenario,
    /// Whether it holds by the rules as they are.
    pub holds: bool,
}

impl Question {
    fn changed_rules(&self, registry: &ActionRegistry) -> Result<ChangedRules, String> {
        let mut changed = ChangedRules {
            replies: self.replies.clone(),
            ..ChangedRules::default()
        };
        for source in &self.rules {
            match source.kind {
                AssetKind::Npc => {
                    let character = source.character().map_err(first_of)?;
                    changed
                        .characters
                        .insert(character.id.clone(), Arc::new(character));
                }
                AssetKind::Story => {
                    let story = source.story(registry).map_err(first_of)?;
                    changed.story = Some(Arc::new(story));
                }
            }
        }
        Ok(changed)
    }

    /// Judges the whole recording. An error is a sentence for people.
    pub(super) fn answer(
        self,
        recording: RecordingSource,
        registry: &ActionRegistry,
        configure: &ReplayConfigure,
    ) -> Result<Answer, String> {
        let changed = self.changed_rules(registry)?;
        let recording = recording.open()?;
        let report = regate(&*recording, &changed, &*configure.0);
        let report = report.map_err(|error| error.to_string())?;
        let mut wishes: Vec<ScenarioWish> = report.replies.iter().map(|it| self.wish(it)).collect();
        wishes.extend(self.turn_wish(&*recording, &report));
        let scenarios = wishes.iter().map(|wish| {
            let scenario = new_scenario(&*recording, wish, registry, configure);
            (wish.key.attempt, scenario)
        });
        Ok(Answer {
            scenarios: scenarios.collect(),
            report,
            question: self,
        })
    }

    /// That a reply has the verdict of now.
    fn wish(&self, reply: &EditedReply) -> ScenarioWish {
        ScenarioWish {
            key: reply.key,
            reply: self.replies.get(&reply.key).cloned(),
            passes: reply.after.verdict.passed,
        }
    }

    /// That the turn of an actor has the verdict of now, where this is one, and the recording could be judged up to it.
    fn turn_wish(&self, recording: &dyn Recorded, report: &RegateReport) -> Option<ScenarioWish> {
        let seq = self.seq;
        if self.kind != RecordKind::Turn || !is_known(report, seq) {
            return None;
        }
        let mut changed = report.changed.iter();
        let passes = match changed.find(|changed| changed.seq == seq) {
            Some(changed) => changed.after.passed,
            None => all_done(&recording.record(seq).ok()?),
        };
        Some(ScenarioWish {
            key: ReplyKey { seq, attempt: 0 },
            reply: None,
            passes,
        })
    }
}

/// Whether it is known what became of the verdict on this record.
pub(super) fn is_known(report: &RegateReport, seq: u64) -> bool {
    let was_reached = report.replay.stopped.is_none_or(|stopped| stopped > seq);
    let is_listed = report.changed.iter().any(|changed| changed.seq == seq);
    is_listed || was_reached && !report.replay.skipped.contains(&seq) && report.left_out == 0
}

/// Whether all actions of a turn were done.
fn all_done(turn: &Record) -> bool {
    let list = |name: &str| turn.body.get(name).and_then(Value::as_array);
    let mut judged = list("actions").into_iter().flatten();
    list("rejected").is_none_or(Vec::is_empty) && judged.all(|action| action["result"] == "OK")
}

/// A scenario of the wanted result. It is played once, to learn whether it holds already.
fn new_scenario(
    recording: &dyn Recorded,
    wish: &ScenarioWish,
    registry: &ActionRegistry,
    configure: &ReplayConfigure,
) -> Result<NewScenario, String> {
    // Where it is saved, other files of the game are next to it or among its assets.
    let files = Files::beside(Path::new(""));
    let scenario = scenario_of(recording, wish, &files, &*configure.0);
    let scenario = scenario.map_err(|error| error.to_string())?;
    let files = WithBeginning {
        exported: exported(&scenario.beginning)?,
        others: files,
    };
    let text = scenario.text(BEGINNING);
    let read = Scenario::parse(text.as_bytes(), "the scenario", &files, registry);
    let played = play(&read.map_err(first_of)?, &*configure.0);
    Ok(NewScenario {
        scenario,
        holds: played.failed.is_empty(),
    })
}

/// A recording as the text of a file.
pub(super) fn exported(recording: &Recording) -> Result<Vec<u8>, String> {
    let mut file = Vec::new();
    let exported = export(recording, &mut file, &Redaction::default());
    exported.map_err(|error| error.to_string()).map(|_| file)
}

/// The path of a beginning that is in no file yet.
const BEGINNING: &str = "beginning.jsonl";

/// The files of the game, and the beginning of a scenario.
struct WithBeginning {
    exported: Vec<u8>,
    others: Files,
}

impl FileSource for WithBeginning {
    fn read(&self, path: &str) -> Result<(String, Vec<u8>), String> {
        match path == BEGINNING {
            true => Ok((path.to_owned(), self.exported.clone())),
            false => self.others.read(path),
        }
    }
}

/// The first thing that is wrong with a file.
fn first_of(errors: Vec<AuthoringError>) -> String {
    let more = errors.len().saturating_sub(1);
    let first = errors.first().map(ToString::to_string).unwrap_or_default();
    match more {
        0 => first,
        more => format!("{first} (and {more} more)"),
    }
}

/// What is being judged, and what came out last. At most one recording is judged at a time.
pub(super) type Judging = Background<Answer>;
