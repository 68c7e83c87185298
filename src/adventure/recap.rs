//! Recaps: the oldest narrations of a view in a few sentences.
//!
//! A recap is made of what its viewers perceived themselves, by a call in the background after a turn. It goes on from the one
//! before it, lists its sources, and is what its viewers believe to have happened: never canon, and never part of the stream.

use super::brief::narration_lines;
use super::message::{Message, MessageType};
use super::scene::Cast;
use super::stream::Stream;
use super::views::{ViewOf, Viewer};
use crate::base::ids::Id;
use bevy::prelude::Resource;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// How many recaps are kept; the oldest leave.
pub const MAX_RECAPS: usize = 256;
/// The most characters of a recap; what is longer is cut back to its last whole sentence.
pub const MAX_RECAP_CHARS: usize = 1_200;
/// How many of the last turns keep their narrations as they are.
const RECENT_TURNS: u64 = 2;

/// Whose past a recap tells.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) enum RecapViewer {
    /// The narrator, at this place; `None`: with the actors that are nowhere.
    Narrator(Option<Id>),
    /// A character or persona.
    Actor(Id),
}

/// What happened in older narrations, in a few sentences.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Recap {
    /// Whose past it tells: all of them perceived the same.
    pub viewers: BTreeSet<RecapViewer>,
    /// The narrations that it was made of, each with the number of its turn and of the message in it.
    pub sources: Vec<(u64, u32)>,
    /// The last source of the recap that it goes on from; `None` when it is the first.
    pub goes_on_from: Option<(u64, u32)>,
    /// What happened.
    pub text: String,
}

impl Recap {
    /// What tells it from all others: no two recaps of one viewer end at the same place. The order of the keys is that of what
    /// they tell.
    pub(super) fn key(&self) -> String {
        let (turn, seq) = self.through();
        let viewer = match self.viewers.first() {
            Some(RecapViewer::Actor(id)) => format!("a.{id}"),
            Some(RecapViewer::Narrator(Some(place))) => format!("n.{place}"),
            Some(RecapViewer::Narrator(None)) | None => "n".to_owned(),
        };
        format!("{turn:09}.{seq:09}.{viewer}")
    }

    /// Its last source: the narrations up to this one are told by it.
    #[must_use]
    pub fn through(&self) -> (u64, u32) {
        self.sources.last().copied().unwrap_or_default()
    }
}

/// All recaps, in the order of what they tell.
#[derive(Resource, Debug, Clone, Default)]
pub(crate) struct Recaps(BTreeMap<String, Recap>);

impl Recaps {
    /// All recaps, oldest first.
    pub fn all(&self) -> impl Iterator<Item = &Recap> {
        self.0.values()
    }

    /// The recap that replaces the oldest narrations of a view; `None` when there is none.
    pub(super) fn of(&self, view: &ViewOf) -> Option<&Recap> {
        let viewer = viewer(view)?;
        let mut newest_first = self.0.values().rev();
        newest_first.find(|recap| recap.viewers.contains(&viewer))
    }

    /// Adds a recap. Where it goes on from another one, that one stays for when this one is taken back.
    pub(super) fn push(&mut self, recap: Recap) {
        self.0.insert(recap.key(), recap);
        while self.0.len() > MAX_RECAPS {
            self.0.pop_first();
        }
    }

    /// Puts a recap back to its kept form, or removes it.
    pub(super) fn put(&mut self, key: &str, recap: Option<Recap>) {
        match recap {
            Some(recap) => self.push(recap),
            None => {
                self.0.remove(key);
            }
        }
    }

    /// Takes back what was made of a turn. It is the last that counts, so everything that goes further goes too.
    pub(super) fn retract(&mut self, turn_id: u64) {
        self.0.retain(|_, recap| recap.through().0 < turn_id);
    }
}

fn viewer(view: &ViewOf) -> Option<RecapViewer> {
    match view.viewer {
        Viewer::Narrator => Some(RecapViewer::Narrator(view.place.cloned())),
        Viewer::LoreExtractor => None,
        _ => view.own.cloned().map(RecapViewer::Actor),
    }
}

/// A recap that is to be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RecapTask {
    pub viewers: BTreeSet<RecapViewer>,
    pub sources: Vec<(u64, u32)>,
    pub goes_on_from: Option<(u64, u32)>,
    /// The recap that it goes on from.
    pub before: Option<String>,
    /// What was perceived since, a line each.
    pub lines: Vec<String>,
}

/// The recaps that these views need: one for all that perceived the same.
pub(super) fn needed<'v>(
    views: impl IntoIterator<Item = ViewOf<'v>>,
    cast: &Cast,
    stream: &Stream,
    recaps: &Recaps,
    recap_chars: usize,
) -> Vec<RecapTask> {
    let mut tasks: Vec<RecapTask> = Vec::new();
    for view in views {
        let Some(task) = needed_by(&view, cast, stream, recaps, recap_chars) else {
            continue;
        };
        let same = tasks.iter_mut().find(|other| {
            let alike = (&other.sources, &other.before, &other.lines);
            alike == (&task.sources, &task.before, &task.lines)
        });
        match same {
            Some(same) => same.viewers.extend(task.viewers),
            None => tasks.push(task),
        }
    }
    tasks
}

fn needed_by(
    view: &ViewOf,
    cast: &Cast,
    stream: &Stream,
    recaps: &Recaps,
    recap_chars: usize,
) -> Option<RecapTask> {
    let before = recaps.of(view);
    let through = before.map(Recap::through);
    let narrations = stream.live_tail().filter(|message| {
        message.kind == MessageType::Narration && view.shows(message) && Some(at(message)) > through
    });
    let narrations: Vec<&Message> = narrations.collect();
    let chars = |message: &Message| message.content.chars().count();
    let mut left: usize = narrations.iter().map(|message| chars(message)).sum();
    left += before.map_or(0, |recap| recap.text.chars().count());
    if left <= recap_chars {
        return None;
    }
    // Half of the room becomes free, so that the next recap is not needed with the next turn.
    let last_old = stream.turns().saturating_sub(RECENT_TURNS);
    let mut told = Vec::new();
    for message in narrations {
        if left <= recap_chars / 2 || message.turn_id > last_old {
            break;
        }
        left = left.saturating_sub(chars(message));
        told.push((at(message), narration_lines(view, cast, message)));
    }
    // One narration in other words is no shorter.
    if told.len() < 2 {
        return None;
    }
    let (sources, lines): (Vec<_>, Vec<_>) = told.into_iter().unzip();
    Some(RecapTask {
        viewers: [viewer(view)?].into(),
        sources,
        goes_on_from: through,
        before: before.map(|recap| recap.text.clone()),
        lines: lines.into_iter().flatten().collect(),
    })
}

fn at(message: &Message) -> (u64, u32) {
    (message.turn_id, message.seq)
}
