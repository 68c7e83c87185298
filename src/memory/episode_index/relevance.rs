//! How relevant each episode is to what is asked: its own share, and the share that it gets from its neighbours in time.
//!
//! Every episode is looked at, so all is in plain lists by slot, and no step waits for more than it needs.

use super::super::postings::Slots;
use super::{BLOCK, EpisodeIndex};
use crate::base::fixed::{Millionths, Millis};
use crate::base::time::GameTime;
use std::borrow::Cow;
use std::cell::Cell;

/// What episodes are searched for.
pub(in crate::memory) struct Asked<'a> {
    /// The terms of what is said, in order and once each.
    pub(in crate::memory) terms: &'a [String],
    /// Those of the last exchange, without these. Together they count half.
    pub(in crate::memory) before: &'a [String],
    /// Who is named, and who asks.
    pub(in crate::memory) people: &'a [&'a str],
    /// How much of its relevance an episode gives to the next ones in time, 0 to 0.5.
    pub(in crate::memory) neighbours: f64,
    /// The slots of episodes that are passed over: they count as if they held none of the terms.
    pub(in crate::memory) except: &'a [usize],
    /// The longest time between two episodes that follow each other in a talk.
    pub(in crate::memory) talk: Millis,
}

/// How much of what a neighbour gets goes on to the next one.
const GOES_ON: f64 = 0.6;
/// Less than this share of all that is asked goes no further.
pub(in crate::memory) const NOTHING: f64 = 1e-4;
/// A neighbour gets at most this much of the most relevant episode near it.
const MOST_SHARED: f64 = 0.5;
/// What an episode gains in which a person takes part who is named or asks, as a share of the relevance of one that holds
/// every term.
const TAKES_PART: f64 = 0.1;

/// An episode that may be among the best.
pub(in crate::memory) struct Candidate {
    pub(in crate::memory) slot: usize,
    /// When it happened, in game time.
    pub(in crate::memory) time: GameTime,
    pub(in crate::memory) significance: Millionths,
    /// The idf of the terms that it holds, of those that were asked for.
    sum: f64,
    /// The same, plus the shares from its neighbours and from those who take part, at most the idf of all terms.
    whole: f64,
    /// Whether it holds a term of what was said; where no episode does, one of the last exchange.
    pub(in crate::memory) is_hit: bool,
}

/// The relevance of episodes to what is asked.
#[derive(Default)]
pub(in crate::memory) struct Relevance {
    /// How many episodes are remembered at all.
    pub(in crate::memory) active: usize,
    /// By slot: the idf of the terms that the episode holds.
    sums: Vec<f64>,
    /// By slot: the same, plus the shares that the episode gets from its neighbours and from those who take part. Empty where that
    /// is the same.
    wholes: Vec<f64>,
    /// By slot: whether it is a hit. Empty where all with a sum are.
    hits: Vec<bool>,
    /// The highest sum of each block, with the shares of neighbours.
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
    pub(in crate::memory) fn of(&self, episode: &Candidate) -> Millionths {
        self.share(episode.sum)
    }

    /// The same with the shares of neighbours.
    pub(in crate::memory) fn whole(&self, episode: &Candidate) -> Millionths {
        self.share(episode.whole)
    }

    /// At least what [`Relevance::whole`] gives, and cheaper to find: the share may be one too high.
    pub(in crate::memory) fn bound(&self, episode: &Candidate) -> Millionths {
        #[allow(clippy::cast_possible_truncation, reason = "a share is 0 to 1")]
        let share = (episode.whole * self.millionth) as i64;
        Millionths(share + 2)
    }

    /// The least sum of an episode, shares included, whose relevance is at least this. Slightly too low, since shares are rounded.
    pub(in crate::memory) fn least_whole(&self, relevance: Millionths) -> f64 {
        match relevance.0 > 2 {
            true => (relevance.0 - 2) as f64 / 1e6 * self.all,
            false => 0.0,
        }
    }

    /// At least the relevance of every episode of a block, and whether one of them may be a hit.
    pub(in crate::memory) fn of_block(&self, block: usize) -> (Millionths, bool) {
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
pub(crate) fn idf(total: usize, holding: usize) -> f64 {
    let (total, holding) = (total as f64, holding as f64);
    libm::log(1.0 + (total - holding + 0.5) / (holding + 0.5))
}

/// What is passed on from episode to episode.
#[derive(Default)]
struct Passed {
    sum: f64,
    /// The most of it that one of them gives.
    highest: f64,
}

impl Passed {
    /// Takes along what an episode has. Less than `least` goes no further.
    fn go_on(&mut self, sum: f64, least: f64) {
        self.sum = self.sum * GOES_ON + sum;
        self.highest = higher(self.highest * GOES_ON, sum);
        if self.sum < least {
            *self = Self::default();
        }
    }
}

/// The higher one of two numbers. Unlike [`f64::max`] it is one instruction, and knows no NaN.
fn higher(one: f64, other: f64) -> f64 {
    if one > other { one } else { other }
}

/// The highest of numbers that are not below 0; four at a time, since each of them waits only for the one before.
fn highest(of: &[f64]) -> f64 {
    let (fours, rest) = of.as_chunks::<4>();
    let mut lanes = [0.0; 4];
    for four in fours {
        for (lane, number) in lanes.iter_mut().zip(four) {
            *lane = higher(*number, *lane);
        }
    }
    rest.iter().chain(&lanes).copied().fold(0.0, higher)
}

impl EpisodeIndex {
    /// How relevant the episodes are to what is asked.
    pub(in crate::memory) fn relevance(&self, asked: &Asked, now: GameTime) -> Relevance {
        let active = self.active(now);
        let mut found = Relevance::default();
        found.active = active;
        found.sums = zeroes(self.states.len());
        let holding = |terms: &[String]| -> Vec<usize> {
            let terms = terms.iter();
            terms.map(|term| self.holding(term, active, now)).collect()
        };
        let idf_of = |holding: &usize| idf(active, *holding);
        let all = |holding: &[usize]| holding.iter().map(idf_of).fold(0.0, |sum, idf| sum + idf);
        let (said, before) = (holding(asked.terms), holding(asked.before));
        found.all = all(&said);
        for (term, holding) in asked.terms.iter().zip(&said) {
            self.count(term, idf_of(holding), &mut found.sums);
        }
        let pass_over = |sums: &mut [f64]| asked.except.iter().for_each(|slot| sums[*slot] = 0.0);
        pass_over(&mut found.sums);
        if !before.is_empty() {
            // Those that are gone have sums, too.
            let is_hit = |(slot, sum): (usize, &f64)| *sum > 0.0 && self.is_active(slot, now);
            if found.sums.iter().enumerate().any(is_hit) {
                found.hits = found.sums.iter().map(|sum| *sum > 0.0).collect();
            }
            // All of them together count half as much as all that is said.
            let weight = match found.all > 0.0 {
                true => 0.5 * found.all / all(&before),
                false => 0.5,
            };
            if found.all <= 0.0 {
                found.all = all(&before);
            }
            for (term, holding) in asked.before.iter().zip(&before) {
                self.count(term, idf_of(holding) * weight, &mut found.sums);
            }
            pass_over(&mut found.sums);
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
        found.highest = wholes.chunks(BLOCK).map(highest).collect();
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

    /// Counts a term for the episodes that hold it. The sums of inactive episodes are never read.
    fn count(&self, term: &str, idf: f64, sums: &mut [f64]) {
        for slot in self.terms.of(term).into_iter().flat_map(Slots::iter) {
            sums[slot] += idf;
        }
    }

    /// Adds to each episode the shares from its neighbours in time, and from those who take part.
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
            self.pass_on(asked, now, found, &mut wholes, &mut most);
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

    /// Walks through the episodes in order of time, both ways, and passes on to each what those before it have, as long as
    /// they follow each other in a talk: `given` is what it gets, `most` the most of it that one gives.
    fn pass_on(
        &self,
        asked: &Asked,
        now: GameTime,
        found: &Relevance,
        given: &mut [f64],
        most: &mut [f64],
    ) {
        let pause = asked.talk.0.unsigned_abs();
        let time = |slot: u32| self.times[slot as usize];
        let order = self.active_by_time(found.active, now);
        let least = found.all * NOTHING;
        let mut meet = |passed: &mut Passed, slot: usize| {
            given[slot] += passed.sum;
            most[slot] = higher(most[slot], passed.highest);
            passed.go_on(found.sums[slot], least);
        };
        for talk in order.chunk_by(|one, next| time(*one).abs_diff(time(*next)) <= pause) {
            let (mut on, mut back) = (Passed::default(), Passed::default());
            // Both in one go, since neither waits for the other. What comes from both sides is the same in either order.
            for (one, other) in talk.iter().zip(talk.iter().rev()) {
                meet(&mut on, *one as usize);
                meet(&mut back, *other as usize);
            }
        }
    }

    /// The slots of the active episodes, by the time at which they happened, then by slot.
    fn active_by_time(&self, active: usize, now: GameTime) -> Cow<'_, [u32]> {
        let slots = &self.by_time;
        if slots.len() == active {
            return Cow::Borrowed(slots);
        }
        let is_active = |slot: &u32| self.is_active(*slot as usize, now);
        slots.iter().copied().filter(is_active).collect()
    }

    /// The episodes of a block that are remembered at the game time `now`, and to which at least `least` comes.
    pub(in crate::memory) fn active_in(
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
}
