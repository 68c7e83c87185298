//! What the writer of a mind knows of it: its hash, updated with each change, and what has to be written.

use super::episode::Episode;
use super::forgotten::EpisodesSeen;
use super::mind::Mind;
use super::saved::{SavedEpisode, SavedMind};
use crate::base::canonical::{Digest, DigestSum, to_canonical};
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

/// How a mind was at one moment: all of it except its episodes, and the sum of their hashes. It is encoded and hashed on
/// first use, which may be on another thread.
#[derive(Debug, Default)]
pub(crate) struct MindMoment {
    /// All of it but its episodes.
    core: SavedMind,
    /// The sum of the hashes of its episodes.
    episode_sum: DigestSum,
    digest: OnceLock<Digest>,
}

impl MindMoment {
    /// All of the mind but its episodes, in canonical encoding.
    pub(crate) fn encode(&self) -> String {
        let core = self.core.encoded();
        // The writer asks for the hash, too.
        self.digest
            .get_or_init(|| digest_of(&core, self.episode_sum));
        core
    }

    /// The hash of the mind: of all but its episodes, and of the sum of their hashes.
    pub(crate) fn digest(&self) -> Digest {
        let hash = || digest_of(&self.core.encoded(), self.episode_sum);
        *self.digest.get_or_init(hash)
    }
}

/// Two moments are equal when the mind was the same, and so are their hashes.
impl PartialEq for MindMoment {
    fn eq(&self, other: &Self) -> bool {
        self.episode_sum == other.episode_sum && self.core == other.core
    }
}

impl Eq for MindMoment {}

/// How a mind was when it was looked at last. Looking again costs what has changed, and not what is remembered.
#[derive(Debug, Clone, Default)]
pub(crate) struct MindMirror {
    /// The hash of each episode, by its number.
    episodes: BTreeMap<u64, Digest>,
    /// The sum of these hashes.
    sum: DigestSum,
    /// How far it has followed the episodes; `None` before the first look.
    seen: Option<EpisodesSeen>,
}

/// What of a mind is to be written down again.
#[derive(Debug)]
pub(crate) struct MindChanges {
    /// How the mind is now, whether it has changed or not.
    pub(crate) now: Arc<MindMoment>,
    /// Its new episodes by their numbers, in canonical encoding; `None` for those that are gone.
    pub(crate) episodes: BTreeMap<u64, Option<String>>,
}

impl MindMirror {
    /// Looks at the mind, and returns what has changed since the last look.
    pub(crate) fn look(&mut self, mind: &Mind) -> MindChanges {
        let mut changed = BTreeMap::new();
        let followed = self.seen.and_then(|seen| mind.episodes.changes_since(seen));
        if let Some((gone, new)) = followed {
            for number in gone {
                self.forget(number, &mut changed);
            }
            for (number, episode) in new {
                self.learn(number, episode, &mut changed);
            }
        } else {
            self.compare(mind, &mut changed);
        }
        self.seen = Some(mind.episodes.seen());
        MindChanges {
            now: Arc::new(MindMoment {
                core: SavedMind::without_episodes(mind),
                episode_sum: self.sum,
                digest: OnceLock::new(),
            }),
            episodes: changed,
        }
    }

    /// Looks at every episode.
    fn compare(&mut self, mind: &Mind, changed: &mut BTreeMap<u64, Option<String>>) {
        let mut gone: Vec<u64> = self.episodes.keys().copied().collect();
        for (number, episode) in mind.episodes.numbered_from(0) {
            self.learn(number, episode, changed);
        }
        gone.retain(|number| mind.episodes.numbered(*number).is_none());
        for number in gone {
            self.forget(number, changed);
        }
    }

    fn learn(
        &mut self,
        number: u64,
        episode: &Episode,
        changed: &mut BTreeMap<u64, Option<String>>,
    ) {
        // All of it has a canonical form: there are no floats.
        let encoded = to_canonical(&SavedEpisode::of(number, episode)).unwrap_or_default();
        let digest = Digest::of_bytes(encoded.as_bytes());
        let before = self.episodes.insert(number, digest);
        if before == Some(digest) {
            return;
        }
        if let Some(before) = before {
            self.sum.remove(before);
        }
        self.sum.add(digest);
        changed.insert(number, Some(encoded));
    }

    fn forget(&mut self, number: u64, changed: &mut BTreeMap<u64, Option<String>>) {
        if let Some(digest) = self.episodes.remove(&number) {
            self.sum.remove(digest);
            changed.insert(number, None);
        }
    }
}

fn digest_of(core: &str, episodes: DigestSum) -> Digest {
    let mut hasher = blake3::Hasher::new();
    for lane in episodes.lanes() {
        hasher.update(&lane.to_le_bytes());
    }
    hasher.update(core.as_bytes());
    Digest(*hasher.finalize().as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::canonical::draw;
    use crate::base::time::GameTime;
    use crate::memory::episode::Decay;
    use proptest::prelude::*;

    /// What a mirror sees that has never looked before.
    fn fresh(mind: &Mind) -> Arc<MindMoment> {
        MindMirror::default().look(mind).now
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]

        /// Whatever is stored, forgotten and copied between two looks: what was told adds up to what is there.
        #[test]
        fn j3_what_was_told_adds_up_to_the_mind(
            seed in any::<u64>(),
            cap in 1_usize..200,
            steps in 1_usize..12,
        ) {
            let draw = |what: &str, i: usize, below: u64| draw(seed, what, &[&i.to_string()]) % below;
            let mut mind = Mind::empty();
            mind.episodes.keep_to(cap, Decay::default());
            let mut mirror = MindMirror::default();
            let mut told: BTreeMap<u64, String> = BTreeMap::new();
            let mut core = String::new();
            let mut next = 0;
            for step in 0..steps {
                for i in 0..draw("count", step, 150) {
                    let id = format!("m{next}");
                    next += 1;
                    let _ = mind.episodes.store(Episode::new(id, "It rained.", GameTime(i as i64)), GameTime(0));
                }
                mind.episodes.remove(&format!("m{}", draw("gone", step, 100)));
                if draw("copy", step, 4) == 0 {
                    mind = mind.copy();
                }
                if draw("back", step, 4) == 0 {
                    mind = SavedMind::from(&mind).restore("ann");
                    mind.episodes.keep_to(cap, Decay::default());
                }
                mind.note_fallback(&format!("line {step}"));
                let changes = mirror.look(&mind);
                for (number, episode) in changes.episodes {
                    match episode {
                        Some(episode) => { told.insert(number, episode); }
                        None => { prop_assert!(told.remove(&number).is_some()); }
                    }
                }
                prop_assert_eq!(changes.now.digest(), fresh(&mind).digest());
                prop_assert_eq!(&changes.now, &fresh(&mind));
                core = changes.now.encode();
            }
            let mut saved: SavedMind = serde_json::from_str(&core).unwrap();
            let episodes = told.values().map(|text| serde_json::from_str(text).unwrap());
            saved.episodes = episodes.collect();
            prop_assert_eq!(saved, SavedMind::from(&mind));
        }
    }

    #[test]
    fn j3_a_look_at_what_has_not_changed_tells_of_no_episode() {
        let mut mind = Mind::empty();
        let episode = Episode::new("flood", "The river flooded the yard.", GameTime(0));
        mind.episodes.store(episode, GameTime(0)).unwrap();
        let mut mirror = MindMirror::default();
        let before = mirror.look(&mind).now;
        let same = mirror.look(&mind);
        assert_eq!(same.episodes, BTreeMap::new());
        assert_eq!((&same.now, same.now.digest()), (&before, before.digest()));
        mind.note_fallback("Hm.");
        let other = mirror.look(&mind);
        assert_eq!(other.episodes, BTreeMap::new());
        assert_ne!(other.now, before);
        assert_ne!(other.now.digest(), before.digest());
    }
}
