//! Finds the episodes that score best, and the weakest one, without looking at all of them.
//!
//! Every episode has a slot. The index keeps the parts of a score in plain lists by slot, and every [`BLOCK`] slots share
//! bounds. No episode of a block scores higher than these bounds, so most blocks need no further look. The result is exactly
//! the same as from scoring everything and sorting it.

mod relevance;

use super::postings::Postings;
use super::room;
use crate::base::fixed::Millionths;
use crate::base::time::GameTime;
use std::cmp::Ordering;

pub(super) use relevance::Asked;
#[cfg(test)]
pub(super) use relevance::NOTHING;
pub(crate) use relevance::idf;

/// How many slots share bounds.
const BLOCK: usize = 128;
/// The last moment of an episode that is always remembered.
const ALWAYS: i64 = i64::MAX;

/// Who wrote an episode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Writer {
    /// A model, in a reply.
    Model,
    /// The engine, in the words that a player and a model have chosen.
    Said,
    /// The designer or the game.
    Other,
}

impl Writer {
    /// How many there are.
    const COUNT: usize = 3;
}

/// What may become of the episode in a slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// There is none any more.
    Gone,
    Pinned,
    /// It makes room for others.
    Free(Writer),
}

/// What a score needs of an episode.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mark {
    /// When it happened, in game time.
    pub(super) time: GameTime,
    pub(super) significance: Millionths,
    /// Who wrote it; `None` of a pinned one, which never makes room for another.
    pub(super) free: Option<Writer>,
    /// The last moment at which it is remembered.
    pub(super) last: GameTime,
}

/// What a score needs of each episode, and where each word occurs.
#[derive(Debug, Clone, Default)]
pub(super) struct EpisodeIndex {
    states: Vec<State>,
    times: Vec<i64>,
    /// How much each mattered, in millionths.
    significance: Vec<u32>,
    /// The last moment of each. Empty where all are always remembered.
    last: Vec<i64>,
    /// How many are pinned, those that are gone left out.
    pinned_count: usize,
    /// How many are not, by writer.
    free_counts: [usize; Writer::COUNT],
    blocks: Vec<Bounds>,
    /// For each term, the slots of the episodes that hold it, including episodes that are gone.
    terms: Postings,
    /// For each person, the slots of the episodes in which it takes part, including episodes that are gone.
    people: Postings,
    /// The slots of those that are not gone, by the time at which they happened, then by slot.
    by_time: Vec<u32>,
}

/// Bounds of what the episodes of a block are.
#[derive(Debug, Clone, Copy, Default)]
struct Bounds {
    /// How many are not gone.
    count: usize,
    /// The first moment after which one of them is no longer remembered; `None` where all are gone.
    soonest: Option<i64>,
    /// The latest time at which one of them happened, and the highest significance; `None` where all are gone.
    best: Option<(i64, Millionths)>,
    /// The earliest time at which one happened, and the lowest significance, of those that are not pinned, by writer; `None`
    /// where there are none.
    worst_free: [Option<(i64, Millionths)>; Writer::COUNT],
}

impl Bounds {
    fn include(&mut self, mark: Mark) {
        let (time, significance) = (mark.time.0, mark.significance);
        self.count += 1;
        let soonest = self.soonest.unwrap_or(mark.last.0);
        self.soonest = Some(soonest.min(mark.last.0));
        let (newest, most) = self.best.unwrap_or((time, significance));
        self.best = Some((newest.max(time), most.max(significance)));
        if let Some(writer) = mark.free {
            let worst = &mut self.worst_free[writer as usize];
            let (oldest, least) = worst.unwrap_or((time, significance));
            *worst = Some((oldest.min(time), least.min(significance)));
        }
    }
}

impl EpisodeIndex {
    /// Takes in an episode with these terms, each once, in the next slot, which it gives.
    pub(super) fn add(&mut self, mark: Mark, terms: Vec<String>, people: &[&str]) -> u32 {
        let slot = self.push(mark);
        let times = &self.times;
        let place = |other: &u32| (times[*other as usize], *other) < (mark.time.0, slot);
        let place = match self.by_time.last() {
            // Most episodes are newer than all others.
            Some(last) if !place(last) => self.by_time.partition_point(place),
            _ => self.by_time.len(),
        };
        room::make_room(&mut self.by_time);
        self.by_time.insert(place, slot);
        for term in terms {
            self.terms.add(&term, slot);
        }
        for person in people {
            self.people.add(person, slot);
        }
        slot
    }

    /// The terms of the episodes, from now on: a list for each slot, empty for one that is gone.
    pub(super) fn index_again(&mut self, terms: impl Iterator<Item = Vec<String>>) {
        self.terms = Postings::default();
        for (slot, terms) in (0..).zip(terms) {
            for term in terms {
                self.terms.add(&term, slot);
            }
        }
    }

    fn push(&mut self, mark: Mark) -> u32 {
        let slot = self.states.len();
        let state = mark.free.map_or(State::Pinned, State::Free);
        room::push(&mut self.states, state);
        if mark.last.0 != ALWAYS && self.last.is_empty() {
            self.last = vec![ALWAYS; slot];
        }
        if mark.last.0 != ALWAYS || !self.last.is_empty() {
            room::push(&mut self.last, mark.last.0);
        }
        room::push(&mut self.times, mark.time.0);
        let significance = u32::try_from(mark.significance.0).unwrap_or_default();
        room::push(&mut self.significance, significance);
        *self.count_of(mark.free) += 1;
        if slot.is_multiple_of(BLOCK) {
            room::push(&mut self.blocks, Bounds::default());
        }
        if let Some(bounds) = self.blocks.last_mut() {
            bounds.include(mark);
        }
        u32::try_from(slot).unwrap_or(u32::MAX)
    }

    /// How many are free that this writer wrote; of `None`, how many are pinned.
    fn count_of(&mut self, free: Option<Writer>) -> &mut usize {
        match free {
            Some(writer) => &mut self.free_counts[writer as usize],
            None => &mut self.pinned_count,
        }
    }

    /// What is known of the episode in this slot; `None` of one that is gone.
    fn mark(&self, slot: usize) -> Option<Mark> {
        let free = match self.states[slot] {
            State::Gone => return None,
            State::Pinned => None,
            State::Free(writer) => Some(writer),
        };
        Some(Mark {
            time: GameTime(self.times[slot]),
            significance: Millionths(self.significance[slot].into()),
            free,
            last: GameTime(self.last_of(slot)),
        })
    }

    fn last_of(&self, slot: usize) -> i64 {
        self.last.get(slot).copied().unwrap_or(ALWAYS)
    }

    /// Lets the episode in this slot go. The slot stays empty until [`EpisodeIndex::compact`].
    pub(super) fn remove(&mut self, slot: usize) {
        let Some(mark) = self.mark(slot) else {
            return;
        };
        self.states[slot] = State::Gone;
        *self.count_of(mark.free) -= 1;
        let key = |slot: u32| (self.times[slot as usize], slot);
        let gone = u32::try_from(slot).unwrap_or(u32::MAX);
        if let Ok(place) = self
            .by_time
            .binary_search_by_key(&key(gone), |slot| key(*slot))
        {
            self.by_time.remove(place);
        }
        self.bound(slot / BLOCK);
    }

    /// Finds the bounds of a block again.
    fn bound(&mut self, block: usize) {
        let mut bounds = Bounds::default();
        for mark in self.slots_of(block).filter_map(|slot| self.mark(slot)) {
            bounds.include(mark);
        }
        self.blocks[block] = bounds;
    }

    /// Closes the gaps: slots that are not empty keep their order. Where each is now, by its old slot.
    pub(super) fn compact(&mut self) -> Vec<Option<u32>> {
        let old = std::mem::take(self);
        let slots = 0..old.states.len();
        let moved = slots.map(|slot| old.mark(slot).map(|mark| self.push(mark)));
        let moved: Vec<Option<u32>> = moved.collect();
        (self.terms, self.people) = (old.terms, old.people);
        self.terms.renumber(&moved);
        self.people.renumber(&moved);
        let by_time = old.by_time.into_iter();
        self.by_time = by_time.filter_map(|slot| moved[slot as usize]).collect();
        self.by_time.shrink_to_fit();
        moved
    }

    /// From now on these are the last moments of the episodes, slot by slot; of those that are gone, any.
    pub(super) fn fade_at(&mut self, moments: impl Iterator<Item = GameTime>) {
        self.last = moments.map(|moment| moment.0).collect();
        if self.last.iter().all(|last| *last == ALWAYS) {
            self.last = Vec::new();
        }
        for block in 0..self.blocks.len() {
            self.bound(block);
        }
    }

    /// How many episodes are pinned.
    pub(super) fn pinned(&self) -> usize {
        self.pinned_count
    }

    /// How many are not pinned of those that this writer wrote.
    pub(super) fn free(&self, writer: Writer) -> usize {
        self.free_counts[writer as usize]
    }

    fn slots_of(&self, block: usize) -> std::ops::Range<usize> {
        block * BLOCK..((block + 1) * BLOCK).min(self.states.len())
    }

    fn is_active(&self, slot: usize, now: GameTime) -> bool {
        self.states[slot] != State::Gone && now.0 <= self.last_of(slot)
    }

    /// How many episodes are remembered at the game time `now`.
    fn active(&self, now: GameTime) -> usize {
        let blocks = self.blocks.iter().enumerate();
        let active = blocks.map(|(block, bounds)| match bounds.soonest {
            Some(soonest) if now.0 > soonest => {
                let slots = self.slots_of(block);
                slots.filter(|slot| self.is_active(*slot, now)).count()
            }
            _ => bounds.count,
        });
        active.sum()
    }

    /// The blocks that are not empty, each with the latest time and the highest significance of its episodes.
    pub(super) fn blocks(&self) -> impl Iterator<Item = (usize, GameTime, Millionths)> {
        let blocks = self.blocks.iter().enumerate();
        blocks.filter_map(|(block, bounds)| {
            let (newest, most) = bounds.best?;
            Some((block, GameTime(newest), most))
        })
    }

    /// The slot of the weakest episode of this writer that is not pinned: of equal ones the one that happened first, then the
    /// first by `order` of their slots. `None` when there is none.
    ///
    /// `strength` gives that of an episode by its significance and its time. It never falls when one of them grows: that is how
    /// a block is passed over.
    pub(super) fn weakest(
        &self,
        writer: Writer,
        strength: impl Fn(Millionths, GameTime) -> Millionths,
        order: impl Fn(usize, usize) -> Ordering,
    ) -> Option<usize> {
        type Weak = ((Millionths, i64), usize);
        let weaker =
            |(a, slot): &Weak, (b, other): &Weak| a.cmp(b).then_with(|| order(*slot, *other));
        // No free episode of a block is weaker than one that would be as old and matter as little as any of them.
        let bound = |bounds: &Bounds| {
            let (oldest, least) = bounds.worst_free[writer as usize]?;
            Some((strength(least, GameTime(oldest)), oldest))
        };
        let weakest_of = |block: usize| {
            let marks = self
                .slots_of(block)
                .filter_map(|slot| Some((self.mark(slot)?, slot)));
            let free = marks.filter(|(mark, _)| mark.free == Some(writer));
            free.map(|(mark, slot)| {
                let strength = strength(mark.significance, mark.time);
                ((strength, mark.time.0), slot)
            })
            .min_by(weaker)
        };
        let bounds: Vec<Option<(Millionths, i64)>> = self.blocks.iter().map(bound).collect();
        // The most promising block first: after it, few others can hold a weaker one.
        let (first, _) = bounds
            .iter()
            .enumerate()
            .filter_map(|(block, bound)| Some((block, (*bound)?)))
            .min_by_key(|(_, bound)| *bound)?;
        let mut weakest = weakest_of(first)?;
        for (block, bound) in bounds.iter().enumerate() {
            if block == first || bound.is_none_or(|bound| bound > weakest.0) {
                continue;
            }
            if let Some(other) = weakest_of(block).filter(|other| weaker(other, &weakest).is_lt()) {
                weakest = other;
            }
        }
        Some(weakest.1)
    }
}
