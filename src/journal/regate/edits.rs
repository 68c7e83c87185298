//! Replies that stand in for recorded ones, and what is said of them.

use crate::base::ids::Id;
use crate::gate::Verdict;
use crate::journal::record::{RecordBody, RecordedReply};
use crate::journal::replay::Recorded;
use serde::Serialize;
use std::collections::BTreeMap;

/// Which reply of a recording is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct ReplyKey {
    /// The number of the record of its run, from 1.
    pub seq: u64,
    /// Which attempt of the run, from 0.
    pub attempt: u32,
}

/// A reply with what was found wrong with it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct JudgedReply {
    /// What it says to be heard: the spans of the findings count in the characters of this line. Empty when the reply could
    /// not be read.
    pub line: String,
    /// What was found, with the rules that found it.
    pub verdict: Verdict,
}

/// What was said of a recorded reply, and what is said of the text that stands in for it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EditedReply {
    /// Which reply it is.
    pub key: ReplyKey,
    /// Who spoke, by id.
    pub npc: Id,
    /// The recorded reply, with the recorded verdict.
    pub before: JudgedReply,
    /// The text that stands in for it, with the verdict of the second opinion. It may be equal to the recorded reply.
    pub after: JudgedReply,
}

/// A text that stands in for the reply of an attempt.
pub(super) struct Edit {
    pub key: ReplyKey,
    pub text: String,
    /// Whether it is the recorded reply, byte by byte: then it is judged like one.
    pub is_recorded: bool,
}

/// The texts that stand in for replies of a recording, by the numbers of their runs. Several runs can have one number, where
/// a game was loaded meanwhile: the numbers of their records tell them apart.
#[derive(Default)]
pub(super) struct Edits(BTreeMap<u64, Vec<Edit>>);

impl Edits {
    /// Looks the replies up that are to be replaced. What is not there is left out.
    pub(super) fn find(recording: &dyn Recorded, replies: &BTreeMap<ReplyKey, String>) -> Self {
        let mut found = Self::default();
        for (key, text) in replies {
            let Some((run, recorded)) = recorded_reply(recording, *key) else {
                continue;
            };
            found.0.entry(run).or_default().push(Edit {
                key: *key,
                is_recorded: text.as_bytes() == recorded.bytes(),
                text: text.clone(),
            });
        }
        found
    }

    /// Those for an attempt of the runs that have this number.
    pub(super) fn of_attempt(&self, run: u64, attempt: u32) -> impl Iterator<Item = &Edit> {
        let edits = self.0.get(&run).into_iter().flatten();
        edits.filter(move |edit| edit.key.attempt == attempt)
    }
}

/// The number of the run, and what the engine answered. What cannot be read is told of by the replay.
fn recorded_reply(recording: &dyn Recorded, key: ReplyKey) -> Option<(u64, RecordedReply)> {
    let RecordBody::Interaction { mut inputs, .. } = recording.record(key.seq).ok()?.read().ok()?
    else {
        return None;
    };
    let attempt = usize::try_from(key.attempt).ok()?;
    let is_there = attempt < inputs.replies.len();
    is_there.then(|| (inputs.run_timeline.run, inputs.replies.swap_remove(attempt)))
}
