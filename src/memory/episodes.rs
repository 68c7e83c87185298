//! The episodes of a character: which are kept, which make room, and where to look for them.

use super::episode::{Decay, Episode, MAX_MEMORY_CHARS, last_moment, strength};
use super::episode_index::{EpisodeIndex, Mark, Writer};
use super::forgotten::{EpisodesSeen, ForgetReason, ForgottenEpisode, History};
use super::postings::hash_of;
use super::room;
use crate::base::fixed::Millionths;
use crate::base::time::GameTime;
use crate::limits::Limits;
use crate::text::Lexicon;
use crate::text::terms::TermRules;
use bevy::platform::collections::HashTable;
use std::sync::Arc;
use thiserror::Error;

/// Why an episode is not stored. Nothing has changed then.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum EpisodeError {
    /// The text is empty or longer than 2,000 characters, or significance lies outside 0-1.
    #[error("the episode \"{0}\" is corrupt: {1}")]
    Corrupt(String, &'static str),
    /// There is one with this id already.
    #[error("there is an episode \"{0}\" already")]
    Duplicate(String),
    /// The memory is full of pinned episodes; or, for one that a model wrote, of pinned ones and those of the designer and
    /// the game.
    #[error("the memory is full: each episode in it is pinned, or may not be removed for this one")]
    Full,
}

/// The episodes of one character, with an index over their words.
///
/// The time to store one depends on its own words, not on the number of episodes. Removing the weakest one takes longer, but
/// looks at only a few.
#[derive(Clone)]
pub struct Episodes {
    cap: usize,
    decay: Decay,
    next: u64,
    /// In order of arrival: (number of arrival, episode). One that is gone leaves a gap for a while.
    slots: Vec<(u64, Option<Box<Episode>>)>,
    /// The slot of each, by the hash of its id.
    ids: HashTable<u32>,
    index: EpisodeIndex,
    rules: Arc<TermRules>,
    history: History,
}

/// This number of gaps is always allowed.
const GAPS: usize = 128;

impl std::fmt::Debug for Episodes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let list: Vec<_> = self.numbered_from(0).collect();
        f.debug_struct("Episodes")
            .field("cap", &self.cap)
            .field("decay", &self.decay)
            .field("next", &self.next)
            .field("list", &list)
            .finish()
    }
}

impl Default for Episodes {
    fn default() -> Self {
        Self::with_cap(Limits::DEFAULT.episodes)
    }
}

impl Episodes {
    /// An empty memory that keeps at most `cap` episodes. The cap of a character in the game comes from its limits.
    #[must_use]
    pub fn with_cap(cap: usize) -> Self {
        Self {
            cap,
            decay: Decay::default(),
            next: 0,
            slots: Vec::new(),
            ids: HashTable::new(),
            index: EpisodeIndex::default(),
            rules: Lexicon::english_term_rules().clone(),
            history: History::default(),
        }
    }

    /// How many there are, faded ones included.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether there are none, faded ones included.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// All of them, in order of arrival.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Episode> {
        self.slots
            .iter()
            .filter_map(|(_, episode)| episode.as_deref())
    }

    /// The one with this id; `None` when there is none.
    #[must_use]
    pub fn get(&self, id: &str) -> Option<&Episode> {
        self.at(self.slot_of(id)?)
    }

    /// The slot of the one with this id.
    pub(super) fn slot_of(&self, id: &str) -> Option<usize> {
        let is_it = |slot: &u32| id == id_at(&self.slots, *slot);
        let slot = self.ids.find(hash_of(id), is_it)?;
        Some(*slot as usize)
    }

    /// The last ones that are forgotten, at most 64 since the game began or was loaded, the newest last.
    pub(crate) fn forgotten(
        &self,
    ) -> impl ExactSizeIterator<Item = &ForgottenEpisode> + DoubleEndedIterator {
        self.history.last_gone.iter()
    }

    /// How many are forgotten, in all.
    pub(crate) fn forgotten_count(&self) -> usize {
        self.history.gone
    }

    /// The episodes that were forgotten since `count` had been forgotten; the last 64 at most.
    pub(crate) fn forgotten_since(&self, count: usize) -> impl Iterator<Item = &ForgottenEpisode> {
        self.history.since(count)
    }

    /// Takes over what these have forgotten; and what they have and it has not, was taken back.
    pub(crate) fn take_back_from(&mut self, before: &Self) {
        self.history = before.history.clone();
        for (number, episode) in before.numbered_from(0) {
            if self.get(&episode.id).is_none() {
                let episode = episode.clone();
                self.history.note(number, episode, ForgetReason::Retracted);
            }
        }
        let gone = self.forgotten_since(before.forgotten_count());
        let gone: Vec<String> = gone.map(|one| one.episode.id.clone()).collect();
        // A diary entry goes together with its sources.
        let written_from_it = |diary: &&Episode| diary.sources().iter().any(|id| gone.contains(id));
        let diaries: Vec<String> = self
            .iter()
            .filter(written_from_it)
            .map(|diary| diary.id.clone())
            .collect();
        for diary in diaries {
            self.take_away(&diary, ForgetReason::Retracted);
        }
    }

    /// The most episodes that are kept.
    #[must_use]
    pub fn cap(&self) -> usize {
        self.cap
    }

    /// How fast they fade.
    #[must_use]
    pub(crate) fn decay(&self) -> Decay {
        self.decay
    }

    /// How their words are compared.
    pub(super) fn rules(&self) -> &Arc<TermRules> {
        &self.rules
    }

    /// Their words are compared in this way from now on.
    pub(super) fn compare_by(&mut self, rules: &Arc<TermRules>) {
        if self.rules != *rules {
            let episodes = self.slots.iter().map(|(_, episode)| episode.as_deref());
            let terms = episodes.map(|episode| match episode {
                Some(episode) => rules.terms(&episode.text),
                None => Vec::new(),
            });
            self.index.index_again(terms);
            self.rules = rules.clone();
        }
    }

    /// How many are kept and how fast they fade, from now on. Surplus ones leave when the next one comes.
    pub(super) fn keep_to(&mut self, cap: usize, decay: Decay) {
        self.cap = cap;
        if self.decay != decay {
            self.decay = decay;
            let episodes = self.slots.iter().map(|(_, episode)| episode.as_deref());
            let moments = episodes.map(|episode| match episode {
                Some(episode) => last_moment(episode, decay),
                None => GameTime(i64::MAX),
            });
            self.index.fade_at(moments);
        }
    }

    /// Those that arrived with this number or a later one, with their numbers.
    pub(super) fn numbered_from(&self, first: u64) -> impl Iterator<Item = (u64, &Episode)> {
        let before = self.slots.partition_point(|(number, _)| *number < first);
        let slots = self.slots[before..].iter();
        slots.filter_map(|(number, episode)| Some((*number, episode.as_deref()?)))
    }

    /// The slot of the episode that makes room for a new one of significance `new`. `for_model`: a model wrote the new one.
    fn weakest_slot(&self, now: GameTime, new: Millionths, for_model: bool) -> Option<usize> {
        let decay = self.decay;
        let weakest = |writer| {
            // Where nothing fades, what mattered least goes first.
            let strength = |significance, time| match decay.rate {
                Millionths::ZERO => significance,
                _ => strength(significance, time, now, decay),
            };
            let order = |a: usize, b: usize| match decay.rate {
                Millionths::ZERO => self
                    .at(a)
                    .map(|one| &one.id)
                    .cmp(&self.at(b).map(|one| &one.id)),
                _ => a.cmp(&b),
            };
            self.index.weakest(writer, strength, order)
        };
        let least = |writers: &[Writer]| {
            let found = writers.iter().filter_map(|writer| weakest(*writer));
            found.min_by_key(|slot| self.at(*slot).map(Episode::worth))
        };
        let free = || least(&[Writer::Model, Writer::Said]);
        // What a model wrote makes no room of what the designer or the game wrote.
        if for_model {
            return free();
        }
        if decay.rate != Millionths::ZERO {
            // Where all fades, what a model wrote goes first.
            return weakest(Writer::Model).or_else(|| weakest(Writer::Other));
        }
        let weakest = least(&[Writer::Model, Writer::Said, Writer::Other])?;
        let episode = self.at(weakest)?;
        // A model that exaggerates does not lead to that either.
        let is_safe = episode.writer() == Writer::Other && episode.significance > new;
        Some(if is_safe {
            free().unwrap_or(weakest)
        } else {
            weakest
        })
    }

    /// How far the present reader has followed it.
    pub(super) fn seen(&self) -> EpisodesSeen {
        EpisodesSeen {
            history: self.history.id,
            gone: self.history.gone,
            next: self.next,
        }
    }

    /// What has changed since then: the numbers of episodes that are gone (the reader may never have seen some of them), and
    /// those that are new. `None` when this is not known: it was another memory, or too many are gone.
    pub(super) fn changes_since(
        &self,
        seen: EpisodesSeen,
    ) -> Option<(
        impl Iterator<Item = u64>,
        impl Iterator<Item = (u64, &Episode)>,
    )> {
        let History {
            id,
            gone,
            last_gone,
        } = &self.history;
        let newly_gone = gone.checked_sub(seen.gone)?;
        let known = last_gone.len().checked_sub(newly_gone)?;
        (*id == seen.history).then(|| {
            let gone = last_gone.range(known..);
            (gone.map(|one| one.number), self.numbered_from(seen.next))
        })
    }

    /// The one with this number; `None` when there is none.
    pub(super) fn numbered(&self, number: u64) -> Option<&Episode> {
        let (found, episode) = self.numbered_from(number).next()?;
        (found == number).then_some(episode)
    }

    pub(super) fn next_number(&self) -> u64 {
        self.next
    }

    /// Where to look for them.
    pub(super) fn index(&self) -> &EpisodeIndex {
        &self.index
    }

    /// The one in a slot of the index.
    pub(super) fn at(&self, slot: usize) -> Option<&Episode> {
        self.slots.get(slot)?.1.as_deref()
    }

    /// Stores an episode of a save, under the number that it had. They come in order.
    pub(super) fn restore(&mut self, number: u64, episode: Episode) -> Result<(), EpisodeError> {
        if number < self.next || number > u64::MAX / 2 {
            return Err(EpisodeError::Corrupt(
                episode.id,
                "its number is out of order",
            ));
        }
        if self.len() >= self.cap {
            return Err(EpisodeError::Full);
        }
        let next = std::mem::replace(&mut self.next, number);
        let now = episode.time;
        self.store(episode, now).inspect_err(|_| self.next = next)
    }

    /// The next number is this one, or the one after the last episode.
    pub(super) fn continue_numbers_from(&mut self, number: u64) {
        self.next = self.next.max(number.min(u64::MAX / 2));
    }

    /// Stores an episode. When there are more than the cap allows, another one is removed, but never a pinned one.
    ///
    /// Where nothing fades, the episode that matters least is removed; of equal ones the older; then by id. An episode from the
    /// designer or the game never makes room for one from a model. It makes room for a less significant one only if no other
    /// episode is left. With fading memory, the most faded episode that a model wrote is removed first; if there is none, the
    /// most faded of all.
    ///
    /// # Errors
    /// See [`EpisodeError`]; nothing has changed then.
    pub fn store(&mut self, mut episode: Episode, now: GameTime) -> Result<(), EpisodeError> {
        let corrupt = if episode.text.trim().is_empty() {
            Some("its text is empty")
        } else if episode.text.chars().count() > MAX_MEMORY_CHARS {
            Some("its text is too long")
        } else if !episode.significance.is_unit() {
            Some("its significance is outside 0-1")
        } else {
            None
        };
        if let Some(why) = corrupt {
            return Err(EpisodeError::Corrupt(episode.id, why));
        }
        if self.slot_of(&episode.id).is_some() {
            return Err(EpisodeError::Duplicate(episode.id));
        }
        let from_model = episode.is_from_model();
        self.make_room(now, episode.significance, from_model)?;
        let mark = Mark {
            time: episode.time,
            significance: episode.significance,
            free: (!episode.pinned).then(|| episode.writer()),
            last: last_moment(&episode, self.decay),
        };
        let terms = self.rules.terms(&episode.text);
        let slot = self.index.add(mark, terms, &episode.people());
        let hash_at = |slot: &u32| hash_of(id_at(&self.slots, *slot));
        self.ids.insert_unique(hash_of(&episode.id), slot, hash_at);
        // It stays for long: what it has in reserve is given back.
        episode.id.shrink_to_fit();
        episode.text.shrink_to_fit();
        episode.participants.shrink_to_fit();
        room::push(&mut self.slots, (self.next, Some(Box::new(episode))));
        self.next += 1;
        Ok(())
    }

    /// Puts an episode in the place of the one with its id, which arrived as that did. False when there is none, or the new one cannot be
    /// stored.
    pub(crate) fn replace(&mut self, episode: Episode) -> bool {
        if self.get(&episode.id).is_none() {
            return false;
        }
        let mut other = Self::with_cap(usize::MAX);
        (other.rules, other.decay) = (self.rules.clone(), self.decay);
        for (number, known) in self.numbered_from(0) {
            let known = if known.id == episode.id {
                &episode
            } else {
                known
            };
            if other.restore(number, known.clone()).is_err() {
                return false;
            }
        }
        other.continue_numbers_from(self.next);
        // No reader has followed this memory: each looks at all of it.
        (other.cap, other.history) = (self.cap, self.history.clone());
        *self = other;
        true
    }

    /// Lets the weakest go until there is room for one more. Nothing goes where those that stay take all the room.
    fn make_room(
        &mut self,
        now: GameTime,
        new: Millionths,
        for_model: bool,
    ) -> Result<(), EpisodeError> {
        let staying = self.index.pinned()
            + if for_model {
                self.index.free(Writer::Other)
            } else {
                0
            };
        if self.len() >= self.cap && staying >= self.cap {
            return Err(EpisodeError::Full);
        }
        while self.len() >= self.cap {
            let Some(weakest) = self.weakest_slot(now, new, for_model) else {
                break;
            };
            self.forget(weakest, ForgetReason::Cap);
        }
        Ok(())
    }

    /// Stores an episode that the game did not ask for: where there is no room, it is forgotten at once.
    pub(crate) fn store_or_forget(&mut self, episode: Episode, now: GameTime) {
        let kept = episode.clone();
        match self.store(episode, now) {
            Ok(()) => {}
            Err(EpisodeError::Full) => {
                self.history.note(self.next, kept, ForgetReason::Cap);
                self.next += 1;
            }
            Err(error) => log::warn!("an episode is not kept: {error}"),
        }
    }

    /// Takes the episode with this id away, pinned or not. False when there is none.
    pub fn remove(&mut self, id: &str) -> bool {
        self.take_away(id, ForgetReason::Forget)
    }

    /// The same, for this reason.
    pub(crate) fn take_away(&mut self, id: &str, why: ForgetReason) -> bool {
        let found = self.slot_of(id);
        found.inspect(|slot| self.forget(*slot, why)).is_some()
    }

    fn forget(&mut self, slot: usize, why: ForgetReason) {
        let Some((number, gone)) = self.slots.get_mut(slot) else {
            return;
        };
        let Some(episode) = gone.take() else {
            return;
        };
        let number = *number;
        let is_it = |other: &u32| *other as usize == slot;
        if let Ok(entry) = self.ids.find_entry(hash_of(&episode.id), is_it) {
            entry.remove();
        }
        self.index.remove(slot);
        self.history.note(number, *episode, why);
        // One in five slots may be a gap: closing them costs little for each episode that goes.
        let len = self.len();
        if self.slots.len() > len + len / 4 + GAPS {
            self.slots.retain(|(_, episode)| episode.is_some());
            self.slots.shrink_to_fit();
            let moved = self.index.compact();
            self.ids.retain(|slot| {
                let moved = moved[*slot as usize];
                moved.inspect(|moved| *slot = *moved).is_some()
            });
        }
    }
}

/// The id of the episode in a slot; empty where there is none.
fn id_at(slots: &[(u64, Option<Box<Episode>>)], slot: u32) -> &str {
    let episode = slots.get(slot as usize);
    let episode = episode.and_then(|(_, episode)| episode.as_deref());
    episode.map_or("", |episode| &episode.id)
}

#[cfg(test)]
mod tests;
