//! What has been written down of each mind, and what is new in it.

use crate::base::canonical::{Digest, Hashing};
use crate::base::ids::Id;
use crate::journal::saved_game::{StateRow, episode_key};
use crate::memory::mirror::{MindChanges, MindMirror};
use crate::memory::{Mind, SavedMind};
use bevy::ecs::change_detection::Tick;
use std::collections::BTreeMap;

/// What has been written down of the minds of all characters, of those that are not spawned too.
#[derive(Default)]
pub(in crate::journal) struct KnownMinds {
    minds: BTreeMap<Id, KnownMind>,
    hashing: Hashing,
}

#[derive(Default)]
struct KnownMind {
    /// When the component was changed last; `None` where it was no component.
    tick: Option<Tick>,
    mirror: MindMirror,
    digest: Digest,
}

/// What is new in a mind.
pub(super) struct MindNews {
    /// Its hash before; `None` when nothing had been written down of it.
    pub before: Option<Digest>,
    /// Its hash now.
    pub after: Digest,
    changes: MindChanges,
}

impl MindNews {
    /// Whether it is otherwise than it was written down.
    pub fn is_new(&self) -> bool {
        self.before != Some(self.after)
    }

    /// What is to be written down of this mind: all of it but its episodes, and of these the new ones and those that are gone.
    pub fn into_rows(self, npc: &Id) -> Vec<StateRow> {
        let MindChanges { core, episodes } = self.changes;
        let core = StateRow::encoded("mind", npc, Some(core));
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
    pub fn digest(&self, npc: &Id) -> Digest {
        let known = self.minds.get(npc);
        known.map(|known| known.digest).unwrap_or_default()
    }

    /// Whether the mind with this tick has been looked at. `None`: nothing has been written down of it.
    pub fn has_seen(&self, npc: &Id, tick: Tick) -> Option<bool> {
        let known = self.minds.get(npc)?;
        Some(known.tick == Some(tick))
    }

    /// Takes a mind over as it is now.
    pub fn look(&mut self, npc: &Id, mind: &Mind, tick: Option<Tick>) -> MindNews {
        let before = self.minds.get(npc).map(|known| known.digest);
        let known = self.minds.entry(npc.clone()).or_default();
        known.tick = tick;
        let changes = known.mirror.look(mind);
        known.digest = match self.hashing {
            Hashing::ByParts => known.mirror.digest(),
            Hashing::Whole => SavedMind::from(mind).digest(),
        };
        MindNews {
            before,
            after: known.digest,
            changes,
        }
    }
}
