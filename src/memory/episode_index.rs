//! Finds the episodes that score best, and the weakest one, without looking at all of them.
//!
//! Every episode has a slot. What a score needs stands in plain lists by slot, and every [`BLOCK`] slots share bounds: no
//! episode of a block scores higher than they say, so that most blocks need no further look. What is found is exactly what
//! scoring everything and sorting it would find.

use crate::base::fixed::Millionths;
use crate::base::time::GameTime;
use crate::text::words::distinct_words;
use std::cell::Cell;
use std::collections::BTreeMap;

/// How many slots share bounds.
const BLOCK: usize = 128;
/// The last moment of an episode that is gone: it is never remembered.
const GONE: i64 = i64::MIN;

/// Who wrote an episode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Writer {
    /// A model. What it wrote makes room first.
    Model,
    /// The designer or the game.
    Other,
}

impl Writer {
    pub(super) fn of(from_model: bool) -> Self {
        if from_model { Self::Model } else { Self::Other }
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
    free_counts: [usize; 2],
    blocks: Vec<Bounds>,
    /// For each word the slots of the episodes that hold it, in order; of those that are gone, too.
    postings: BTreeMap<Box<str>, Vec<u32>>,
}

/// Bounds of what the episodes of a block are.
#[derive(Debug, Clone, Copy, Default)]
struct Bounds {
    /// The latest time at which one of them happened, and the highest significance; `None` where all are gone.
    best: Option<(i64, Millionths)>,
    /// The earliest time at which one happened, and the lowest significance, of those that are not pinned, by writer; `None` where
    /// there are none.
    worst_free: [Option<(i64, Millionths)>; 2],
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
    /// The idf of the words that it holds, of those that were asked for.
    sum: f64,
}

/// Whether what is remembered up to the moment `last` still is.
fn is_lasting(last: i64, now: GameTime) -> bool {
    now.0 <= last && last != GONE
}

/// The relevance of episodes to some words.
pub(super) struct Relevance {
    /// How many episodes are remembered at all.
    pub(super) active: usize,
    /// By slot: the idf of the words that the episode holds.
    sums: Vec<f64>,
    /// The highest of the sums of each block.
    highest: Vec<f64>,
    /// The idf of all words.
    all: f64,
    /// What makes a share of a sum, in millionths; 0 where there are no words.
    millionth: f64,
}

impl Relevance {
    fn share(&self, sum: f64) -> Millionths {
        Millionths::from_f64(sum / self.all).unwrap_or_default()
    }

    pub(super) fn of(&self, episode: &Candidate) -> Millionths {
        self.share(episode.sum)
    }

    /// At least what [`Relevance::of`] gives, and cheaper to find: the share may be one too high.
    pub(super) fn bound(&self, episode: &Candidate) -> Millionths {
        #[allow(clippy::cast_possible_truncation, reason = "a share is 0 to 1")]
        let share = (episode.sum * self.millionth) as i64;
        Millionths(share + 2)
    }

    pub(super) fn of_block(&self, block: usize) -> Millionths {
        self.share(self.highest[block])
    }
}

impl Drop for Relevance {
    fn drop(&mut self) {
        let mut sums = std::mem::take(&mut self.sums);
        if sums.capacity() <= MOST_KEPT {
            sums.clear();
            KEPT.set(sums);
        }
    }
}

thread_local! {
    /// The room of the last sums, of this thread: eight bytes for each episode, asked for in every run.
    static KEPT: Cell<Vec<f64>> = const { Cell::new(Vec::new()) };
}

/// Room for the sums of more episodes than this is not kept.
const MOST_KEPT: usize = 1 << 18;

/// How much a word tells that `holding` of `total` texts hold: the fewer, the more.
pub(super) fn idf(total: usize, holding: usize) -> f64 {
    let (total, holding) = (total as f64, holding as f64);
    libm::log(1.0 + (total - holding + 0.5) / (holding + 0.5))
}

impl EpisodeIndex {
    /// Takes in an episode with this text, in the next slot.
    pub(super) fn add(&mut self, mark: Mark, text: &str) {
        let slot = self.push(mark);
        for word in distinct_words(text) {
            // Most words are known: looking them up first makes no new key.
            match self.postings.get_mut(word.as_str()) {
                Some(slots) => slots.push(slot),
                None => {
                    self.postings.insert(word.into(), vec![slot]);
                }
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
        for (word, mut slots) in old.postings {
            slots = slots
                .into_iter()
                .filter_map(|slot| moved[slot as usize])
                .collect();
            if !slots.is_empty() {
                self.postings.insert(word, slots);
            }
        }
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

    /// How relevant the episodes are to these words, which come in order and once each.
    pub(super) fn relevance<'a>(
        &self,
        words: impl IntoIterator<Item = &'a str>,
        now: GameTime,
    ) -> Relevance {
        let last = self.last.iter();
        let active = last.filter(|last| is_lasting(**last, now)).count();
        let mut sums = KEPT.take();
        sums.resize(self.last.len(), 0.0);
        let mut all = 0.0;
        for word in words {
            let slots = self.postings.get(word).map_or(&[][..], Vec::as_slice);
            let holding = if active == self.last.len() {
                slots.len()
            } else {
                let is_active = |slot: &&u32| self.is_active(**slot as usize, now);
                slots.iter().filter(is_active).count()
            };
            let idf = idf(active, holding);
            all += idf;
            // Nobody asks for the sums of those that are not active.
            for slot in slots {
                sums[*slot as usize] += idf;
            }
        }
        let highest = sums
            .chunks(BLOCK)
            .map(|block| block.iter().copied().fold(0.0, f64::max))
            .collect();
        Relevance {
            active,
            sums,
            highest,
            all,
            millionth: if all > 0.0 { 1e6 / all } else { 0.0 },
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

    /// The episodes of a block that are remembered at the game time `now`.
    pub(super) fn active_in(
        &self,
        block: usize,
        now: GameTime,
        relevance: &Relevance,
    ) -> impl Iterator<Item = Candidate> {
        // Side by side, so that nothing is looked up slot by slot.
        let slots = self.slots_of(block);
        let last = self.last[slots.clone()].iter();
        let rest = self.times[slots.clone()]
            .iter()
            .zip(&self.significance[slots.clone()])
            .zip(&relevance.sums[slots.clone()]);
        last.zip(rest)
            .zip(slots)
            .filter(move |((last, _), _)| is_lasting(**last, now))
            .map(|((_, ((time, significance), sum)), slot)| Candidate {
                slot,
                time: GameTime(*time),
                significance: *significance,
                sum: *sum,
            })
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
