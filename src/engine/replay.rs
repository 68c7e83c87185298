//! An engine that answers with what was recorded: the same bytes, in the same chunks.

use super::{
    Engine, EngineCall, EngineError, EngineErrorKind, EngineEvent, EngineIdentity, EngineRequest,
    Stage,
};
use crate::base::lock::lock;
use crate::proposal::Finish;
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex};

/// What a recorded call gives again: its bytes, and how it ended.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ReplayedReply {
    /// The bytes that arrived, all chunks joined.
    pub bytes: Vec<u8>,
    /// Where each chunk ended, as byte offsets into `bytes`, ascending. Offsets that do not ascend, or lie beyond the end,
    /// are left out.
    pub chunk_ends: Vec<usize>,
    /// Why the engine stopped. It does not count where `failure` is given.
    pub finish: Finish,
    /// How the call failed; `None` when it did not.
    pub failure: Option<EngineError>,
    /// Whether no answer ever came, so that the call stays open until it is dropped.
    pub pending: bool,
}

impl ReplayedReply {
    fn events(&self) -> Vec<EngineEvent> {
        let mut events = Vec::new();
        let mut from = 0;
        for end in self.chunk_ends.iter().copied().chain([self.bytes.len()]) {
            if let Some(chunk) = self.bytes.get(from..end).filter(|chunk| !chunk.is_empty()) {
                events.push(EngineEvent::Chunk(chunk.to_vec()));
                from = end;
            }
        }
        if !self.pending {
            events.push(match &self.failure {
                Some(error) => EngineEvent::Failed(error.clone()),
                None => EngineEvent::Finished(self.finish),
            });
        }
        events
    }
}

/// Answers each character's calls with its recorded replies, in order. A call without one fails as
/// [`EngineError::Recorded`], of kind Transport.
#[derive(Clone)]
pub struct ReplayEngine {
    identity: EngineIdentity,
    replies: Arc<Mutex<BTreeMap<String, VecDeque<ReplayedReply>>>>,
}

impl ReplayEngine {
    /// An engine without replies that says that it is this model.
    #[must_use]
    pub fn new(identity: EngineIdentity) -> Self {
        Self {
            identity,
            replies: Arc::default(),
        }
    }

    /// What the next calls of the character with this id give, one reply a call. Replies left over from before are dropped.
    pub fn feed(&self, npc: &str, replies: Vec<ReplayedReply>) {
        let mut all = lock(&self.replies);
        all.insert(npc.to_owned(), replies.into());
    }

    /// What the next calls of this stage for this character or persona give, one reply per call; `None`: the calls that
    /// belong to no character and no persona. Replies left over from before are dropped.
    pub fn feed_stage(&self, stage: Stage, npc: Option<&str>, replies: Vec<ReplayedReply>) {
        self.feed(&key(stage, npc), replies);
    }

    fn next(&self, npc: &str) -> Option<ReplayedReply> {
        let mut all = lock(&self.replies);
        all.get_mut(npc)?.pop_front()
    }
}

/// Dialogues are told apart by their character, other stages by their stage, too.
fn key(stage: Stage, npc: Option<&str>) -> String {
    let npc = npc.unwrap_or_default();
    match stage {
        // The calls of one run share one queue.
        Stage::Dialogue | Stage::Decide | Stage::Speak => npc.to_owned(),
        // No id has a space.
        _ => format!("{} {npc}", stage.snake_case()),
    }
}

impl Engine for ReplayEngine {
    fn identity(&self) -> EngineIdentity {
        self.identity.clone()
    }

    fn start(&self, request: EngineRequest) -> EngineCall {
        match self.next(&key(request.stage, request.npc.as_deref())) {
            Some(reply) if reply.pending => {
                let events = reply.events();
                let (sender, receiver) = crossbeam_channel::bounded(events.len().max(1));
                for event in events {
                    // There is room for all of them.
                    let _ = sender.try_send(event);
                }
                // The sender lives as long as the call: nothing else comes, and nothing is cut.
                EngineCall::new(receiver, sender)
            }
            Some(reply) => EngineCall::ready(reply.events()),
            None => EngineCall::ready([EngineEvent::Failed(EngineError::Recorded {
                kind: EngineErrorKind::Transport,
                message: "the recording holds no reply to this call".to_owned(),
            })]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn j4_bytes_come_in_the_chunks_in_which_they_were_recorded() {
        let reply = ReplayedReply {
            bytes: b"Well met.".to_vec(),
            chunk_ends: vec![4, 4, 2, 99],
            ..ReplayedReply::default()
        };
        let chunk = |text: &str| EngineEvent::Chunk(text.as_bytes().to_vec());
        assert_eq!(
            reply.events(),
            [
                chunk("Well"),
                chunk(" met."),
                EngineEvent::Finished(Finish::Stop)
            ]
        );
    }
}
