//! Finds the episodes that score best, and the weakest one, without looking at all of them.
//!
//! Every episode has a slot. What a score needs stands in plain lists by slot, and every [`BLOCK`] slots share bounds: no
//! episode of a block scores higher than they say, so that most blocks need no further look. What is found is exactly what
//! scoring everything and sorting it would find.

use crate::base::fixed::{Millionths, Millis};
use crate::base::time::GameTime;
use crate::memory::Episode;
use std::cell::Cell;
use std::collections::BTreeMap;

/// How many slots share bounds.
const BLOCK: usize = 128;
/// The last moment of an episode that is gone: it is never remembered.
const GONE: i64 = i64::MIN;

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

/// What a score needs of an episode.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mark {
    /// When it happened, in game time.
    pub(super) time: GameTime,
    pub(super) significance: Millionths,
    /// Whether it never makes room for another.
    pub(super) pinned: bool,
    /// Who wrote it.
    pub(super) writer: Writer,
    /// The last moment at which it is remembered.
    pub(super) last: GameTime,
}

/// What a score needs of each episode, and where each word occurs.
#[derive(Debug, Clone, Default)]
pub(super) struct EpisodeIndex {
    /// The last moment of each; [`GONE`] of one that is gone.
    last: Vec<i64>,
    times: Vec<i64>,
    significance: Vec<Millionths>,
    pinned: Vec<bool>,
    writers: Vec<Writer>,
    /// How many are pinned, those that are gone left out.
    pinned_count: usize,
    /// How many are not, by writer.
    free_counts: [usize; Writer::COUNT],
    blocks: Vec<Bounds>,
    /// For each term the slots of the episodes that hold it, in order; of those that are gone, too.
    postings: BTreeMap<Box<str>, Vec<u32>>,
    /// For each person the slots of the episodes in which it takes part, in the same way.
    people: BTreeMap<Box<str>, Vec<u32>>,
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
        let (time, significance, pinned) = (mark.time.0, mark.significance, mark.pinned);
        let (newest, most) = self.best.unwrap_or((time, significance));
        self.best = Some((newest.max(time), most.max(significance)));
        if !pinned {
            let worst = &mut self.worst_free[mark.writer as usize];
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

/// Whether what is remembered up to the moment `last` still is.
fn is_lasting(last: i64, now: GameTime) -> bool {
    now.0 <= last && last != GONE
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

/// Adds a slot to those of a key. Most keys are known: looking them up first makes no new one.
fn post(postings: &mut BTreeMap<Box<str>, Vec<u32>>, key: &str, slot: u32) {
    match postings.get_mut(key) {
        Some(slots) => slots.push(slot),
        None => {
            postings.insert(key.into(), vec![slot]);
        }
    }
}

impl EpisodeIndex {
    /// Takes in an episode with these terms, each once, in the next slot.
    pub(super) fn add(&mut self, mark: Mark, terms: Vec<String>, people: &[&str]) {
        let slot = self.push(mark);
        let times = &self.times;
        let place = |other: &u32| (times[*other as usize], *other) < (mark.time.0, slot);
        let place = match self.by_time.last() {
            // Most episodes are newer than all others.
            Some(last) if !place(last) => self.by_time.partition_point(place),
            _ => self.by_time.len(),
        };
        self.by_time.insert(place, slot);
        for term in terms {
            post(&mut self.postings, &term, slot);
        }
        for person in people {
            post(&mut self.people, person, slot);
        }
    }

    /// The terms of the episodes, from now on: a list for each slot, empty for one that is gone.
    pub(super) fn index_again(&mut self, terms: impl Iterator<Item = Vec<String>>) {
        self.postings.clear();
        for (slot, terms) in (0..).zip(terms) {
            for term in terms {
                post(&mut self.postings, &term, slot);
            }
        }
    }

    fn push(&mut self, mark: Mark) -> u32 {
        let slot = self.last.len();
        self.last.push(mark.last.0.max(GONE + 1));
        self.times.push(mark.time.0);
        self.significance.push(mark.significance);
        self.pinned.push(mark.pinned);
        self.writers.push(mark.writer);
        match mark.pinned {
            true => self.pinned_count += 1,
            false => self.free_counts[mark.writer as usize] += 1,
        }
        if slot.is_multiple_of(BLOCK) {
            self.blocks.push(Bounds::default());
        }
        if let Some(bounds) = self.blocks.last_mut() {
            bounds.include(mark);
        }
        u32::try_from(slot).unwrap_or(u32::MAX)
    }

    /// What is known of the episode in this slot; `None` of one that is gone.
    fn mark(&self, slot: usize) -> Option<Mark> {
        (self.last[slot] != GONE).then(|| Mark {
            time: GameTime(self.times[slot]),
            significance: self.significance[slot],
            pinned: self.pinned[slot],
            writer: self.writers[slot],
            last: GameTime(self.last[slot]),
        })
    }

    /// Lets the episode in this slot go. The slot stays empty until [`EpisodeIndex::compact`].
    pub(super) fn remove(&mut self, slot: usize) {
        if self.last[slot] == GONE {
            return;
        }
        self.last[slot] = GONE;
        let key = |slot: u32| (self.times[slot as usize], slot);
        let gone = u32::try_from(slot).unwrap_or(u32::MAX);
        if let Ok(place) = self
            .by_time
            .binary_search_by_key(&key(gone), |slot| key(*slot))
        {
            self.by_time.remove(place);
        }
        match self.pinned[slot] {
            true => self.pinned_count -= 1,
            false => self.free_counts[self.writers[slot] as usize] -= 1,
        }
        let block = slot / BLOCK;
        let mut bounds = Bounds::default();
        for mark in self.slots_of(block).filter_map(|slot| self.mark(slot)) {
            bounds.include(mark);
        }
        self.blocks[block] = bounds;
    }

    /// Closes the gaps: slots that are not empty keep their order.
    pub(super) fn compact(&mut self) {
        let old = std::mem::take(self);
        let mut moved = vec![None; old.last.len()];
        for (slot, moved) in moved.iter_mut().enumerate() {
            *moved = old.mark(slot).map(|mark| self.push(mark));
        }
        let there = |slots: Vec<u32>| -> Vec<u32> {
            let slots = slots.into_iter();
            slots.filter_map(|slot| moved[slot as usize]).collect()
        };
        let all = |postings: BTreeMap<Box<str>, Vec<u32>>| {
            let postings = postings.into_iter();
            let postings = postings.map(|(key, slots)| (key, there(slots)));
            postings.filter(|(_, slots)| !slots.is_empty()).collect()
        };
        self.postings = all(old.postings);
        self.people = all(old.people);
        self.by_time = there(old.by_time);
    }

    /// From now on these are the last moments of the episodes, slot by slot; `None` of those that are gone.
    pub(super) fn fade_at(&mut self, moments: impl Iterator<Item = Option<GameTime>>) {
        for (last, moment) in self.last.iter_mut().zip(moments) {
            *last = moment.map_or(GONE, |moment| moment.0.max(GONE + 1));
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
        block * BLOCK..((block + 1) * BLOCK).min(self.last.len())
    }

    fn is_active(&self, slot: usize, now: GameTime) -> bool {
        is_lasting(self.last[slot], now)
    }

    /// How relevant the episodes are to what is asked.
    pub(super) fn relevance(&self, asked: &Asked, now: GameTime) -> Relevance {
        let last = self.last.iter();
        let active = last.filter(|last| is_lasting(**last, now)).count();
        let mut found = Relevance::default();
        found.active = active;
        found.sums = zeroes(self.last.len());
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
        let slots = self.postings.get(term).map_or(&[][..], Vec::as_slice);
        if active == self.last.len() {
            return slots.len();
        }
        let is_active = |slot: &&u32| self.is_active(**slot as usize, now);
        slots.iter().filter(is_active).count()
    }

    /// Counts a term for the episodes that hold it. Whether an active one does.
    fn count(&self, term: &str, weight: f64, now: GameTime, found: &mut Relevance) -> bool {
        let holding = self.holding(term, found.active, now);
        let idf = idf(found.active, holding) * weight;
        // Nobody asks for the sums of those that are not active.
        for slot in self.postings.get(term).into_iter().flatten() {
            found.sums[*slot as usize] += idf;
        }
        holding > 0
    }

    /// Adds to each episode what it has of its neighbours in time, and of those who take part.
    fn share_out(&self, asked: &Asked, now: GameTime, found: &mut Relevance) {
        let takes_part = asked
            .people
            .iter()
            .any(|person| self.people.contains_key(*person));
        if asked.neighbours <= 0.0 && !takes_part {
            return;
        }
        let mut wholes = zeroes(self.last.len());
        if asked.neighbours > 0.0 {
            let mut most = zeroes(self.last.len());
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
        let mut gained: Vec<u32> = Vec::new();
        for person in asked.people {
            gained.extend(self.people.get(*person).into_iter().flatten());
        }
        gained.sort_unstable();
        gained.dedup();
        for slot in gained {
            wholes[slot as usize] += gain;
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
        let last = self.last[slots.clone()].iter();
        let rest = self.times[slots.clone()]
            .iter()
            .zip(&self.significance[slots.clone()])
            .zip(&relevance.sums[slots.clone()])
            .zip(&wholes[slots.clone()]);
        last.zip(rest)
            .zip(slots)
            .filter(move |((last, (_, whole)), _)| **whole >= least && is_lasting(**last, now))
            .map(
                |((_, (((time, significance), sum), whole)), slot)| Candidate {
                    slot,
                    time: GameTime(*time),
                    significance: *significance,
                    sum: *sum,
                    whole: *whole,
                    is_hit: match relevance.hits.get(slot) {
                        Some(is_hit) => *is_hit,
                        None => *sum > 0.0,
                    },
                },
            )
    }

    /// The slot of the weakest episode of this writer that is not pinned: of equal ones the one that happened first, then the one that
    /// arrived first. `None` when there is none.
    ///
    /// `strength` gives that of an episode by its significance and its time. It never falls when one of them grows: that is how
    /// a block is passed over.
    pub(super) fn weakest(
        &self,
        writer: Writer,
        strength: impl Fn(Millionths, GameTime) -> Millionths,
    ) -> Option<usize> {
        // No free episode of a block is weaker than one that would be as old and matter as little as any of them.
        let bound = |(block, bounds): (usize, &Bounds)| {
            let (oldest, least) = bounds.worst_free[writer as usize]?;
            Some((strength(least, GameTime(oldest)), oldest, block * BLOCK))
        };
        let weakest_of = |block: usize| {
            let marks = self
                .slots_of(block)
                .filter_map(|slot| Some((self.mark(slot)?, slot)));
            marks
                .filter(|(mark, _)| !mark.pinned && mark.writer == writer)
                .map(|(mark, slot)| (strength(mark.significance, mark.time), mark.time.0, slot))
                .min()
        };
        let bounds: Vec<Option<(Millionths, i64, usize)>> =
            self.blocks.iter().enumerate().map(bound).collect();
        // The most promising block first: after it, few others can hold a weaker one.
        let (first, _) = bounds
            .iter()
            .enumerate()
            .filter_map(|(block, bound)| Some((block, (*bound)?)))
            .min_by_key(|(_, bound)| *bound)?;
        let mut weakest = weakest_of(first)?;
        for (block, bound) in bounds.iter().enumerate() {
            if block != first && bound.is_some_and(|bound| bound < weakest) {
                weakest = weakest.min(weakest_of(block).unwrap_or(weakest));
            }
        }
        let (_, _, slot) = weakest;
        Some(slot)
    }
}
