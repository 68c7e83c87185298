//! The last record of each mind, and its news since then.

use crate::base::canonical::{Digest, Hashing};
use crate::base::ids::Id;
use crate::journal::game::saved_game::{StateRow, episode_key};
use crate::journal::record::RecordedForgetting;
use crate::memory::mirror::{MindChanges, MindMirror, MindMoment};
use crate::memory::{Mind, SavedMind};
use bevy::ecs::change_detection::Tick;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What has been written down of the minds of all characters, of those that are not spawned too.
#[derive(Default)]
pub(crate) struct KnownMinds {
    minds: BTreeMap<Id, KnownMind>,
    hashing: Hashing,
}

#[derive(Default)]
struct KnownMind {
    /// When the component was changed last; `None` where it was no component.
    tick: Option<Tick>,
    mirror: MindMirror,
    hash: MindHash,
    /// How many episodes it had forgotten.
    forgotten: usize,
}

/// The hash of a mind. By default it is zeros: nothing has been written down of that mind.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum MindHash {
    /// It was taken at once: of a whole mind, as recordings of older formats have it, or zeros.
    Known(Digest),
    /// It is computed when other code asks for it, such as the thread that writes it down: that costs more than all other work
    /// of a journal in a frame.
    Later(Arc<MindMoment>),
}

impl Default for MindHash {
    fn default() -> Self {
        Self::Known(Digest::default())
    }
}

impl MindHash {
    pub fn digest(&self) -> Digest {
        match self {
            Self::Known(digest) => *digest,
            Self::Later(moment) => moment.digest(),
        }
    }
}

/// The news in a mind.
pub(super) struct MindNews {
    /// Its hash before; `None` when nothing had been written down of it.
    pub before: Option<MindHash>,
    /// Its hash now.
    pub after: MindHash,
    /// What it has forgotten, in order; at most the last 64.
    pub forgotten: Vec<RecordedForgetting>,
    changes: MindChanges,
}

impl MindNews {
    /// Whether it differs from what was written down last.
    pub fn is_new(&self) -> bool {
        self.before.as_ref() != Some(&self.after)
    }

    /// The rows to write for this mind: all of it except its episodes, and of these the new ones and those that are gone.
    pub fn into_rows(self, npc: &Id) -> Vec<StateRow> {
        let MindChanges { now, episodes } = self.changes;
        let core = StateRow::encoded("mind", npc, Some(now.encode()));
        let episodes = episodes.into_iter().map(|(number, episode)| {
            StateRow::encoded("episode", &episode_key(npc, number), episode)
        });
        std::iter::once(core).chain(episodes).collect()
    }
}

impl KnownMinds {
    /// Forgets all of them. From now on minds are hashed so.
    pub fn begin(&mut self, hashing: Hashing) {
        self.minds.clear();
        self.hashing = hashing;
    }

    /// The hash of a mind as it was written down last; zeros when it never was.
    pub fn hash(&self, npc: &Id) -> MindHash {
        let known = self.minds.get(npc);
        known.map(|known| known.hash.clone()).unwrap_or_default()
    }

    /// Whether the mind with this tick has been looked at. `None`: nothing has been written down of it.
    pub fn has_seen(&self, npc: &Id, tick: Tick) -> Option<bool> {
        let known = self.minds.get(npc)?;
        Some(known.tick == Some(tick))
    }

    /// Takes a mind over as it is now.
    pub fn look(&mut self, npc: &Id, mind: &Mind, tick: Option<Tick>) -> MindNews {
        let before = self.minds.get(npc).map(|known| known.hash.clone());
        let known = self.minds.entry(npc.clone()).or_default();
        known.tick = tick;
        let forgotten = mind.episodes.forgotten_since(known.forgotten);
        let forgotten = forgotten.map(RecordedForgetting::of).collect();
        known.forgotten = mind.episodes.forgotten_count();
        let changes = known.mirror.look(mind);
        known.hash = match self.hashing {
            Hashing::ByParts => MindHash::Later(changes.now.clone()),
            Hashing::Whole => MindHash::Known(SavedMind::from(mind).digest()),
        };
        MindNews {
            before,
            after: known.hash.clone(),
            forgotten,
            changes,
        }
    }
}
