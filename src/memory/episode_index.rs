//! Finds the episodes that score best, and the weakest one, without looking at all of them.
//!
//! Every episode has a slot. What a score needs stands in plain lists by slot, and every [`BLOCK`] slots share bounds: no
//! episode of a block scores higher than they say, so that most blocks need no further look. What is found is exactly what
//! scoring everything and sorting it would find.

use super::postings::{Postings, Slots};
use super::room;
use crate::base::fixed::{Millionths, Millis};
use crate::base::time::GameTime;
use crate::memory::Episode;
use std::cell::Cell;
use std::cmp::Ordering;

/// How many slots share bounds.
const BLOCK: usize = 128;
/// The last moment of an episode that is always remembered.
const ALWAYS: i64 = i64::MAX;

/// Who wrote an episode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Writer {
    /// A model.
    Model,
    /// The engine, in the words that a player and a model have chosen.
    Said,
    /// The designer or the game.
    Other,
}

impl Writer {
    /// How many there are.
    const COUNT: usize = 3;

    pub(super) fn of(episode: &Episode) -> Self {
        match (episode.is_from_model(), episode.is_said()) {
            (true, _) => Self::Model,
            (_, true) => Self::Said,
            _ => Self::Other,
        }
    }
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
    /// In millionths.
    significance: Vec<u32>,
    /// The last moment of each. Empty where all are always remembered.
    last: Vec<i64>,
    /// How many are pinned, those that are gone left out.
    pinned_count: usize,
    /// How many are not, by writer.
    free_counts: [usize; Writer::COUNT],
    blocks: Vec<Bounds>,
    /// For each term the slots of the episodes that hold it; of those that are gone, too.
    terms: Postings,
    /// For each person the slots of the episodes in which it takes part, in the same way.
    people: Postings,
    /// The slots of those that are not gone, by the time at which they happened, then by slot.
    by_time: Vec<u32>,
}

/// What episodes are searched for.
pub(super) struct Asked<'a> {
    /// The terms of what is said, in order and once each.
    pub(super) terms: &'a [String],
    /// Those of the last exchange, without these. Together they count half.
    pub(super) before: &'a [String],
    /// Who is named, and who asks.
    pub(super) people: &'a [&'a str],
    /// How much of its relevance an episode gives to the next ones in time, 0 to 0.5.
    pub(super) neighbours: f64,
    /// The longest time between two episodes that follow each other in a talk.
    pub(super) talk: Millis,
}

/// How much of what a neighbour gets goes on to the one behind it.
const GOES_ON: f64 = 0.6;
/// Less than this share of all that is asked goes no further.
pub(super) const NOTHING: f64 = 1e-4;
/// A neighbour gets at most this much of the most relevant episode near it.
const MOST_SHARED: f64 = 0.5;
/// What an episode gains in which a person takes part who is named or asks, as a share of the relevance of one that holds every term.
const TAKES_PART: f64 = 0.1;

/// Bounds of what the episodes of a block are.
#[derive(Debug, Clone, Copy, Default)]
struct Bounds {
    /// The latest time at which one of them happened, and the highest significance; `None` where all are gone.
    best: Option<(i64, Millionths)>,
    /// The earliest time at which one happened, and the lowest significance, of those that are not pinned, by writer; `None` where
    /// there are none.
    worst_free: [Option<(i64, Millionths)>; Writer::COUNT],
}

impl Bounds {
    fn include(&mut self, mark: Mark) {
        let (time, significance) = (mark.time.0, mark.significance);
        let (newest, most) = self.best.unwrap_or((time, significance));
        self.best = Some((newest.max(time), most.max(significance)));
        if let Some(writer) = mark.free {
            let worst = &mut self.worst_free[writer as usize];
            let (oldest, least) = worst.unwrap_or((time, significance));
            *worst = Some((oldest.min(time), least.min(significance)));
        }
    }
}

/// An episode that may be among the best.
pub(super) struct Candidate {
    pub(super) slot: usize,
    /// When it happened, in game time.
    pub(super) time: GameTime,
    pub(super) significance: Millionths,
    /// The idf of the terms that it holds, of those that were asked for.
    sum: f64,
    /// The same with what it has of its neighbours and of those who take part, at most the idf of all terms.
    whole: f64,
    /// Whether it holds a term of what was said; where no episode does, one of the last exchange.
    pub(super) is_hit: bool,
}

/// The relevance of episodes to what is asked.
#[derive(Default)]
pub(super) struct Relevance {
    /// How many episodes are remembered at all.
    pub(super) active: usize,
    /// By slot: the idf of the terms that the episode holds.
    sums: Vec<f64>,
    /// By slot: the same with what the episode has of its neighbours and of those who take part. Empty where that is the same.
    wholes: Vec<f64>,
    /// By slot: whether it is a hit. Empty where all with a sum are.
    hits: Vec<bool>,
    /// The highest sum of each block, with what comes to it.
    highest: Vec<f64>,
    /// The idf of all terms.
    all: f64,
    /// What makes a share of a sum, in millionths; 0 where there are no terms.
    millionth: f64,
}

impl Relevance {
    fn share(&self, sum: f64) -> Millionths {
        Millionths::from_f64(sum / self.all).unwrap_or_default()
    }

    /// The relevance of the episode by itself.
    pub(super) fn of(&self, episode: &Candidate) -> Millionths {
        self.share(episode.sum)
    }

    /// The same with what comes to it.
    pub(super) fn whole(&self, episode: &Candidate) -> Millionths {
        self.share(episode.whole)
    }

    /// At least what [`Relevance::whole`] gives, and cheaper to find: the share may be one too high.
    pub(super) fn bound(&self, episode: &Candidate) -> Millionths {
        #[allow(clippy::cast_possible_truncation, reason = "a share is 0 to 1")]
        let share = (episode.whole * self.millionth) as i64;
        Millionths(share + 2)
    }

    /// What comes to an episode, at least, where its relevance with that is this or more. Somewhat less, since shares are rounded.
    pub(super) fn least_whole(&self, relevance: Millionths) -> f64 {
        match relevance.0 > 2 {
            true => (relevance.0 - 2) as f64 / 1e6 * self.all,
            false => 0.0,
        }
    }

    /// At least the relevance of every episode of a block, and whether one of them may be a hit.
    pub(super) fn of_block(&self, block: usize) -> (Millionths, bool) {
        let highest = self.highest[block];
        (self.share(highest), highest > 0.0)
    }
}

impl Drop for Relevance {
    fn drop(&mut self) {
        give_back(std::mem::take(&mut self.sums));
        give_back(std::mem::take(&mut self.wholes));
    }
}

thread_local! {
    /// The room of the last sums, of this thread: eight bytes for each episode, asked for in every run.
    static KEPT: Cell<Vec<Vec<f64>>> = const { Cell::new(Vec::new()) };
}

/// Room for the sums of more episodes than this is not kept.
const MOST_KEPT: usize = 1 << 18;

/// Keeps the room of a list for the next one.
fn give_back(mut room: Vec<f64>) {
    let mut kept = KEPT.take();
    if room.capacity() <= MOST_KEPT && kept.len() < 3 {
        room.clear();
        kept.push(room);
    }
    KEPT.set(kept);
}

/// A list of zeroes, in the room of an earlier one.
fn zeroes(count: usize) -> Vec<f64> {
    let mut kept = KEPT.take();
    let mut room = kept.pop().unwrap_or_default();
    KEPT.set(kept);
    room.resize(count, 0.0);
    room
}

/// How much a word tells that `holding` of `total` texts hold: the fewer, the more.
pub(super) fn idf(total: usize, holding: usize) -> f64 {
    let (total, holding) = (total as f64, holding as f64);
    libm::log(1.0 + (total - holding + 0.5) / (holding + 0.5))
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
        let block = slot / BLOCK;
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

    /// How relevant the episodes are to what is asked.
    pub(super) fn relevance(&self, asked: &Asked, now: GameTime) -> Relevance {
        let slots = 0..self.states.len();
        let active = slots.filter(|slot| self.is_active(*slot, now)).count();
        let mut found = Relevance::default();
        found.active = active;
        found.sums = zeroes(self.states.len());
        let idfs = |terms: &[String]| {
            let idfs = terms
                .iter()
                .map(|term| idf(active, self.holding(term, active, now)));
            idfs.fold(0.0, |sum, idf| sum + idf)
        };
        found.all = idfs(asked.terms);
        let mut has_hits = false;
        for term in asked.terms {
            has_hits |= self.count(term, 1.0, now, &mut found);
        }
        if has_hits && !asked.before.is_empty() {
            found.hits = found.sums.iter().map(|sum| *sum > 0.0).collect();
        }
        if !asked.before.is_empty() {
            let before = idfs(asked.before);
            // All of them together count half as much as all that is said.
            let weight = match found.all > 0.0 {
                true => 0.5 * found.all / before,
                false => 0.5,
            };
            if found.all <= 0.0 {
                found.all = before;
            }
            for term in asked.before {
                self.count(term, weight, now, &mut found);
            }
            for sum in &mut found.sums {
                *sum = sum.min(found.all);
            }
        }
        if found.all > 0.0 {
            found.millionth = 1e6 / found.all;
            self.share_out(asked, now, &mut found);
        }
        let wholes = match found.wholes.is_empty() {
            true => &found.sums,
            false => &found.wholes,
        };
        let highest = wholes.chunks(BLOCK);
        let highest = highest.map(|block| block.iter().copied().fold(0.0, f64::max));
        found.highest = highest.collect();
        found
    }

    /// How many active episodes hold a term.
    fn holding(&self, term: &str, active: usize, now: GameTime) -> usize {
        match self.terms.of(term) {
            Some(slots) if active == self.states.len() => slots.len(),
            Some(slots) => slots
                .iter()
                .filter(|slot| self.is_active(*slot, now))
                .count(),
            None => 0,
        }
    }

    /// Counts a term for the episodes that hold it. Whether an active one does.
    fn count(&self, term: &str, weight: f64, now: GameTime, found: &mut Relevance) -> bool {
        let holding = self.holding(term, found.active, now);
        let idf = idf(found.active, holding) * weight;
        // Nobody asks for the sums of those that are not active.
        for slot in self.terms.of(term).into_iter().flat_map(Slots::iter) {
            found.sums[slot] += idf;
        }
        holding > 0
    }

    /// Adds to each episode what it has of its neighbours in time, and of those who take part.
    fn share_out(&self, asked: &Asked, now: GameTime, found: &mut Relevance) {
        let takes_part = asked
            .people
            .iter()
            .any(|person| self.people.of(person).is_some());
        if asked.neighbours <= 0.0 && !takes_part {
            return;
        }
        let mut wholes = zeroes(self.states.len());
        if asked.neighbours > 0.0 {
            let mut most = zeroes(self.states.len());
            let mut pass = |order: &mut dyn Iterator<Item = &u32>| {
                self.pass_on(asked, now, found, (&mut wholes, &mut most), order);
            };
            pass(&mut self.by_time.iter());
            pass(&mut self.by_time.iter().rev());
            for (whole, most) in wholes.iter_mut().zip(&most) {
                *whole = (*whole * asked.neighbours).min(most * MOST_SHARED);
            }
            give_back(most);
        }
        let gain = TAKES_PART * found.all;
        let people = asked.people.iter();
        let slots = people.filter_map(|person| self.people.of(person));
        let mut gained: Vec<usize> = slots.flat_map(Slots::iter).collect();
        gained.sort_unstable();
        gained.dedup();
        for slot in gained {
            wholes[slot] += gain;
        }
        for (whole, sum) in wholes.iter_mut().zip(&found.sums) {
            *whole = (*whole + sum).min(found.all);
        }
        found.wholes = wholes;
    }

    /// Walks through the episodes in this order and passes on to each what those before it have, as long as they follow each other in a
    /// talk: `into` gets it, `most` the most of it that one gives.
    fn pass_on(
        &self,
        asked: &Asked,
        now: GameTime,
        found: &Relevance,
        (into, most): (&mut [f64], &mut [f64]),
        order: &mut dyn Iterator<Item = &u32>,
    ) {
        let sums = &found.sums;
        let (mut passed, mut highest, mut time) = (0.0, 0.0, None::<i64>);
        for slot in order {
            let slot = *slot as usize;
            // Most episodes hold nothing, and have nothing near them.
            if passed <= 0.0 && sums[slot] <= 0.0 || !self.is_active(slot, now) {
                continue;
            }
            let apart = time.map(|time| time.abs_diff(self.times[slot]));
            if apart.is_none_or(|apart| apart > asked.talk.0.unsigned_abs()) {
                (passed, highest) = (0.0, 0.0);
            }
            time = Some(self.times[slot]);
            into[slot] += passed;
            most[slot] = f64::max(most[slot], highest);
            passed = passed * GOES_ON + sums[slot];
            highest = f64::max(highest * GOES_ON, sums[slot]);
            if passed < found.all * NOTHING {
                (passed, highest) = (0.0, 0.0);
            }
        }
    }

    /// The blocks that are not empty, each with the latest time and the highest significance of its episodes.
    pub(super) fn blocks(&self) -> impl Iterator<Item = (usize, GameTime, Millionths)> {
        let blocks = self.blocks.iter().enumerate();
        blocks.filter_map(|(block, bounds)| {
            let (newest, most) = bounds.best?;
            Some((block, GameTime(newest), most))
        })
    }

    /// The episodes of a block that are remembered at the game time `now`, and to which at least `least` comes.
    pub(super) fn active_in(
        &self,
        block: usize,
        now: GameTime,
        relevance: &Relevance,
        least: f64,
    ) -> impl Iterator<Item = Candidate> {
        let wholes = match relevance.wholes.is_empty() {
            true => &relevance.sums,
            false => &relevance.wholes,
        };
        // Side by side, so that nothing is looked up slot by slot.
        let slots = self.slots_of(block);
        let rest = self.times[slots.clone()]
            .iter()
            .zip(&self.significance[slots.clone()])
            .zip(&relevance.sums[slots.clone()])
            .zip(&wholes[slots.clone()]);
        rest.zip(slots)
            .filter(move |((_, whole), slot)| **whole >= least && self.is_active(*slot, now))
            .map(|((((time, significance), sum), whole), slot)| Candidate {
                slot,
                time: GameTime(*time),
                significance: Millionths((*significance).into()),
                sum: *sum,
                whole: *whole,
                is_hit: match relevance.hits.get(slot) {
                    Some(is_hit) => *is_hit,
                    None => *sum > 0.0,
                },
            })
    }

    /// The slot of the weakest episode of this writer that is not pinned: of equal ones the one that happened first, then the first by
    /// `order` of their slots. `None` when there is none.
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
