//! Measures how many of the lines that a character has heard it finds again when it is asked. The talks are those of `LoCoMo`, the
//! defaults are those that ship, and no model runs.
//!
//! ```text
//! cargo bench --bench memory -- FOLDER
//! ```
//!
//! FOLDER holds the talks as JSON files, one for each talk, as the repository `snap-research/locomo` packs them (`data/locomo10.zip`).
//! Their licence is not free, so this repository does not contain them. Every line of a talk is an episode, thirty seconds after the one
//! before it, in the words `NAME: ".."`. A question counts as answered if retrieval finds a line that the question's author names as
//! evidence.
#![allow(clippy::print_stdout, reason = "the figures are what it is for")]
#![allow(missing_docs, reason = "a program has no documented items")]

use bevy_dramatis::base::GameTime;
use bevy_dramatis::limits::Limits;
use bevy_dramatis::memory::{Cue, Episode, Mind, recall};
use bevy_dramatis::testing::empty_mind;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;

/// A line of a talk, thirty seconds after the line before it.
const LINE_MS: i64 = 30_000;
const DAY_MS: i64 = 86_400_000;
/// When the bench asks the questions, after the last line.
const DELAYS: [(&str, i64); 2] = [("1 minute", 60_000), ("1 day", DAY_MS)];

struct Talk {
    mind: Mind,
    last: i64,
    names: Vec<String>,
    /// Questions, each with the ids of the lines that answer it.
    questions: Vec<(String, BTreeSet<String>)>,
}

fn main() {
    let folder = std::env::args()
        .skip(1)
        .find(|argument| !argument.starts_with("--"));
    let Some(folder) = folder else {
        println!(
            "memory: not measured. Name the folder of LoCoMo's talks: cargo bench --bench memory -- FOLDER"
        );
        return;
    };
    let mut files: Vec<_> = match std::fs::read_dir(&folder) {
        Ok(files) => files.filter_map(|file| Some(file.ok()?.path())).collect(),
        Err(error) => {
            println!("memory: {folder} cannot be read: {error}");
            std::process::exit(2);
        }
    };
    files.retain(|file| file.extension().is_some_and(|ending| ending == "json"));
    files.sort();
    let talks: Vec<Talk> = files.iter().filter_map(|file| talk(file)).collect();
    for (delay, millis) in DELAYS {
        let all = found(&talks, millis);
        // The weights were chosen on the first, third, fifth talk and so on.
        let chosen = found(talks.iter().step_by(2), millis);
        let others = found(talks.iter().skip(1).step_by(2), millis);
        println!(
            "{delay} after the last line: {all}; of the talks that the weights were chosen on {chosen}, of the others {others}"
        );
    }
}

/// How many questions find a line that answers them among the first 5 and among the first 15.
fn found<'t>(talks: impl IntoIterator<Item = &'t Talk>, delay: i64) -> String {
    let (mut asked, mut in_5, mut in_15) = (0, 0, 0);
    for talk in talks {
        for (question, evidence) in &talk.questions {
            let now = GameTime(talk.last + delay);
            let named = talk
                .names
                .iter()
                .filter(|name| question.contains(name.as_str()));
            let cue = Cue {
                input: question,
                before: "",
                people: named.map(String::as_str).collect(),
                ..Cue::default()
            };
            let found = recall(&talk.mind, cue, now, &Limits::DEFAULT);
            let place = found.iter().position(|id| evidence.contains(id));
            asked += 1;
            in_5 += u32::from(place.is_some_and(|place| place < 5));
            in_15 += u32::from(place.is_some_and(|place| place < 15));
        }
    }
    let percent = |hits: u32| f64::from(hits) * 100.0 / f64::from(asked.max(1));
    format!(
        "{:.1}% of {asked} among 5, {:.1}% among 15",
        percent(in_5),
        percent(in_15)
    )
}

fn talk(file: &Path) -> Option<Talk> {
    let file: Value = serde_json::from_slice(&std::fs::read(file).ok()?).ok()?;
    let mut talk = Talk {
        mind: empty_mind(),
        last: 0,
        names: Vec::new(),
        questions: Vec::new(),
    };
    talk.names.extend(
        ["speaker_a", "speaker_b"]
            .iter()
            .filter_map(|name| Some(file[name].as_str()?.to_owned())),
    );
    let mut ids = BTreeSet::new();
    for session in 1.. {
        let Some(lines) = file[format!("session_{session}")].as_array() else {
            break;
        };
        // These are days apart.
        let begin = session * 3 * DAY_MS;
        for (nth, line) in (0..).zip(lines) {
            let field = |name: &str| line[name].as_str().unwrap_or_default();
            let picture = match field("blip_caption") {
                "" => String::new(),
                shown => format!(" ({shown})"),
            };
            let text = format!("{}: \"{}\"{picture}", field("speaker"), field("text"));
            talk.last = begin + nth * LINE_MS;
            let id = field("dia_id").to_owned();
            let mut episode = Episode::new(id.clone(), text, GameTime(talk.last));
            episode.participants.clone_from(&talk.names);
            if talk
                .mind
                .episodes
                .store(episode, GameTime(talk.last))
                .is_ok()
            {
                ids.insert(id);
            }
        }
    }
    for asked in file["qa"].as_array()? {
        let evidence = asked["evidence"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str);
        let evidence = evidence
            .flat_map(|one| one.split([';', ' ', ',']))
            .map(|one| one.trim().to_owned());
        let evidence: BTreeSet<String> = evidence.filter(|one| ids.contains(one)).collect();
        if let (Some(question), false) = (asked["question"].as_str(), evidence.is_empty()) {
            talk.questions.push((question.to_owned(), evidence));
        }
    }
    Some(talk)
}
