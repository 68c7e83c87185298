//! Retrieval: which memories a prompt shows.
//!
//! `score = 0.4 * recency + 0.4 * relevance + 0.2 * significance`, all in millionths, so that every platform ranks alike.
//!
//! * `recency = min(1, 2^(-age / 1 hour) * (1 + significance / 2))`, the age in game time.
//! * `relevance`: the sum of `idf(word)` over the words of the input that the episode holds, divided by the sum over all words of
//!   the input; `idf(word) = ln(1 + (N - n + 0.5) / (n + 0.5))`, where N is the number of active episodes and n the number
//!   of those that hold the word.
//! * `significance`: as stored.
//!
//! Of a belief it is `0.4 * confidence + 0.4 * relevance + 0.2 * recency`: relevance over all beliefs of
//! the character, and recency from when it was last written, without the factor for significance.

use super::episode_index::idf;
use super::episodes::{Episode, Episodes};
use super::mind::Mind;
use crate::base::fixed::{Millionths, Millis};
use crate::base::ids::Id;
use crate::base::time::GameTime;
use crate::limits::Limits;
use crate::text::words::distinct_words;
use serde::Serialize;
use std::collections::BTreeMap;

/// Recency halves in this time.
const HALF_LIFE_MS: f64 = 3_600_000.0;

/// The parts of an episode's score, each 0 to 1 and not yet weighted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct ScoreParts {
    // In the order of the alphabet, in which they are hashed: so nothing needs to be put in order.
    /// How recent it is: halves each hour of game time, and more slowly for significant episodes.
    pub recency: Millionths,
    /// Which share of the input's words it holds, rare words counting more.
    pub relevance: Millionths,
    /// The weighted sum, 0 to 1: `0.4 * recency + 0.4 * relevance + 0.2 * significance`.
    pub score: Millionths,
    /// How much it mattered, as stored.
    pub significance: Millionths,
}

/// The parts of a belief's score, each 0 to 1 and not yet weighted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct BeliefScore {
    /// How firmly it is held, 0.3 to 1.
    pub confidence: Millionths,
    /// How lately it was written: halves each hour of game time.
    pub recency: Millionths,
    /// Which share of the input's words it holds, rare words counting more.
    pub relevance: Millionths,
    /// The weighted sum, 0 to 1: `0.4 * confidence + 0.4 * relevance + 0.2 * recency`.
    pub score: Millionths,
}

/// An episode that was retrieved for a prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RetrievedEpisode {
    /// The id of the episode.
    pub id: String,
    /// The score that ranked it, with its parts.
    pub parts: ScoreParts,
    /// What happened, as the episode says it.
    pub text: String,
}

/// A belief that was retrieved for a prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RetrievedBelief {
    /// Whether it contradicts canon, so that prompts show it as uncertain.
    pub contradicts_canon: bool,
    /// The id of the belief.
    pub id: Id,
    /// The score that ranked it, with its parts.
    pub parts: BeliefScore,
    /// What the character believes.
    pub text: String,
}

/// What was retrieved from a mind, best first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Retrieved {
    /// Beliefs: the highest score first; of equal ones the newer, then by id. At most [`Limits::retrieved_beliefs`].
    pub beliefs: Vec<RetrievedBelief>,
    /// Episodes: the highest score first; of equal ones the newer, then by id. At most [`Limits::retrieved_episodes`].
    pub episodes: Vec<RetrievedEpisode>,
    /// How many beliefs that are sure enough scored too low for the limit. 0: the same beliefs are retrieved whatever is said.
    #[serde(skip_serializing_if = "is_zero")]
    pub more_beliefs: usize,
    /// How many episodes that have not faded scored too low for the limit. 0: the same episodes are retrieved whatever is said.
    #[serde(skip_serializing_if = "is_zero")]
    pub more_episodes: usize,
}

#[allow(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde hands over a reference"
)]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// Retrieves what fits `input` best at the game time `now`, as much as the limits allow. Faded episodes and beliefs below
/// [`Limits::min_confidence`] stay out.
/// Exact: the same as scoring everything and sorting it.
#[must_use]
pub fn retrieve(mind: &Mind, input: &str, now: GameTime, limits: &Limits) -> Retrieved {
    let words = distinct_words(input);
    let (episodes, more_episodes) = episodes(mind, &words, now, limits.retrieved_episodes);
    let (beliefs, more_beliefs) = beliefs(mind, &words, now, limits);
    Retrieved {
        episodes,
        beliefs,
        more_episodes,
        more_beliefs,
    }
}

/// The `most` best episodes, and how many more are not among them.
fn episodes(
    mind: &Mind,
    words: &[String],
    now: GameTime,
    most: usize,
) -> (Vec<RetrievedEpisode>, usize) {
    let index = mind.episodes.index();
    let relevance = index.relevance(words.iter().map(String::as_str), now);
    // No episode of a block has a higher recency than one that would be as new and as significant as any of them. One more, since
    // `exp2` promises no order in its last digit.
    let mut blocks: Vec<(i64, Millionths, usize)> = index
        .blocks()
        .map(|(block, newest, significance)| {
            let recency = recency(now.since(newest), significance);
            let recency = Millionths(recency.0 + 1);
            let bound = ten_scores(recency, relevance.of_block(block), significance);
            (bound, recency, block)
        })
        .collect();
    blocks.sort_unstable_by(|a, b| b.cmp(a));
    let mut best = Best::new(&mind.episodes, most);
    for (bound, highest, block) in blocks {
        if !best.takes(bound) {
            break;
        }
        let most_relevant = relevance.of_block(block);
        for episode in index.active_in(block, now, &relevance) {
            let significance = episode.significance;
            // Looking at what is stored is cheaper than finding a share, and a bound is cheaper than the share itself.
            if !best.takes(ten_scores(highest, most_relevant, significance))
                || !best.takes(ten_scores(highest, relevance.bound(&episode), significance))
            {
                continue;
            }
            let relevance = relevance.of(&episode);
            if best.takes(ten_scores(highest, relevance, significance)) {
                let recency = recency(now.since(episode.time), significance);
                let parts = ScoreParts {
                    score: tenth(ten_scores(recency, relevance, significance)),
                    recency,
                    relevance,
                    significance,
                };
                best.offer(parts, episode.slot);
            }
        }
    }
    let found = best.into_episodes();
    let more = relevance.active - found.len();
    (found, more)
}

/// Ten times the weighted sum of the parts of an episode's score, which is not rounded.
fn ten_scores(recency: Millionths, relevance: Millionths, significance: Millionths) -> i64 {
    recency.0 * 4 + relevance.0 * 4 + significance.0 * 2
}

/// A tenth, rounded half to even. The same as `div_half_even`, for numbers that are known to be small.
fn tenth(number: i64) -> Millionths {
    let (quotient, rest) = (number.div_euclid(10), number.rem_euclid(10));
    let up = rest > 5 || rest == 5 && quotient % 2 != 0;
    Millionths(quotient + i64::from(up))
}

/// The best episodes that have been offered so far, best first.
struct Best<'a> {
    episodes: &'a Episodes,
    most: usize,
    found: Vec<(ScoreParts, &'a Episode)>,
    /// Ten times the least score that can be among the best, before it is rounded.
    least: i64,
}

impl<'a> Best<'a> {
    fn new(episodes: &'a Episodes, most: usize) -> Self {
        Self {
            episodes,
            most,
            found: Vec::with_capacity(most.min(episodes.len())),
            least: if most > 0 { i64::MIN } else { i64::MAX },
        }
    }

    /// Whether an episode can be among the best of which this is ten times the score, not rounded.
    fn takes(&self, ten_scores: i64) -> bool {
        ten_scores >= self.least
    }

    fn offer(&mut self, parts: ScoreParts, slot: usize) {
        let Some(episode) = self.episodes.at(slot) else {
            return;
        };
        let is_better = |(other_parts, other): &(ScoreParts, &Episode)| {
            let by_score = other_parts.score.cmp(&parts.score);
            let by_time = by_score.then(other.time.cmp(&episode.time));
            by_time.then_with(|| episode.id.cmp(&other.id)).is_gt()
        };
        let place = self.found.partition_point(is_better);
        if place < self.most {
            self.found.truncate(self.most - 1);
            self.found.insert(place, (parts, episode));
            if let Some((last, _)) = self.found.get(self.most - 1) {
                // What lies half way is rounded to the even one.
                self.least = last.score.0 * 10 - 5 + last.score.0 % 2;
            }
        }
    }

    fn into_episodes(self) -> Vec<RetrievedEpisode> {
        let found = self.found.into_iter();
        found
            .map(|(parts, episode)| RetrievedEpisode {
                id: episode.id.clone(),
                text: episode.text.clone(),
                parts,
            })
            .collect()
    }
}

/// `2^(-age / 1 h) * (1 + significance / 2)`, at most 1.
fn recency(age: Millis, significance: Millionths) -> Millionths {
    let age = age.0.max(0) as f64;
    let fresh = libm::exp2(-age / HALF_LIFE_MS) * (1.0 + significance.to_f64() / 2.0);
    Millionths::from_f64(fresh.min(1.0)).unwrap_or_default()
}

/// The idf of the input's words that each of `total` texts holds, over the idf of all the input's words; texts that hold none
/// are left out.
fn shares<K: Copy + Ord>(
    words: &[String],
    total: usize,
    holding: impl Fn(&str) -> Vec<K>,
) -> BTreeMap<K, Millionths> {
    let mut found: BTreeMap<K, f64> = BTreeMap::new();
    let mut all = 0.0f64;
    for word in words {
        let holding = holding(word);
        let idf = idf(total, holding.len());
        all += idf;
        for key in holding {
            *found.entry(key).or_default() += idf;
        }
    }
    let share = |sum: f64| Millionths::from_f64(sum / all).unwrap_or_default();
    found
        .into_iter()
        .map(|(key, sum)| (key, share(sum)))
        .collect()
}

/// The best beliefs, as many as the limits allow, and how many more are not among them.
fn beliefs(
    mind: &Mind,
    words: &[String],
    now: GameTime,
    limits: &Limits,
) -> (Vec<RetrievedBelief>, usize) {
    let found = shares(words, mind.beliefs.iter().len(), |word| {
        mind.beliefs.holding(word).collect()
    });
    let held = mind.beliefs.iter();
    let held = held.filter(|(_, belief)| belief.confidence >= limits.min_confidence);
    let mut ranked: Vec<(BeliefScore, &Id, &super::Belief)> = held
        .map(|(id, belief)| {
            let relevance = found.get(id).copied().unwrap_or_default();
            let recency = recency(now.since(belief.since), Millionths::ZERO);
            let parts = BeliefScore {
                score: tenth(belief.confidence.0 * 4 + relevance.0 * 4 + recency.0 * 2),
                confidence: belief.confidence,
                relevance,
                recency,
            };
            (parts, id, belief)
        })
        .collect();
    ranked.sort_unstable_by(|(a, a_id, one), (b, b_id, other)| {
        let newer = other.since.cmp(&one.since);
        b.score.cmp(&a.score).then(newer).then(a_id.cmp(b_id))
    });
    let more = ranked.len().saturating_sub(limits.retrieved_beliefs);
    ranked.truncate(limits.retrieved_beliefs);
    let retrieved = ranked
        .into_iter()
        .map(|(parts, id, belief)| RetrievedBelief {
            id: id.clone(),
            text: belief.text.clone(),
            parts,
            contradicts_canon: belief.contradicts_canon,
        });
    (retrieved.collect(), more)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::canonical::draw;
    use crate::base::fixed::div_half_even;
    use crate::id;
    use crate::memory::NewBelief;
    use crate::memory::episodes::Decay;
    use proptest::prelude::*;

    fn mind(episodes: &[(&str, &str, i64)]) -> Mind {
        let mut mind = Mind::empty();
        for (id, text, time) in episodes {
            mind.episodes
                .store(Episode::new(*id, *text, GameTime(*time)), GameTime(0))
                .unwrap();
        }
        mind
    }

    /// What the formula says, with a look at every episode.
    fn exhaustive(
        mind: &Mind,
        input: &str,
        now: GameTime,
        most: usize,
    ) -> (Vec<RetrievedEpisode>, usize) {
        let decay = mind.episodes.decay();
        let active: Vec<&Episode> = mind
            .episodes
            .iter()
            .filter(|e| e.is_active(now, decay))
            .collect();
        let words = distinct_words(input);
        let words_of: BTreeMap<&str, Vec<String>> = active
            .iter()
            .map(|e| (e.id.as_str(), distinct_words(&e.text)))
            .collect();
        let holds = |episode: &Episode, word: &str| {
            words_of[episode.id.as_str()]
                .iter()
                .any(|held| held == word)
        };
        let idfs: BTreeMap<&String, f64> = words
            .iter()
            .map(|word| {
                let holding = active.iter().filter(|e| holds(e, word)).count();
                (word, idf(active.len(), holding))
            })
            .collect();
        let idf_of = |word: &String| idfs[word];
        let all: f64 = words.iter().map(idf_of).fold(0.0, |sum, idf| sum + idf);
        let mut ranked: Vec<(ScoreParts, &Episode)> = active
            .iter()
            .map(|episode| {
                let held = words.iter().filter(|word| holds(episode, word));
                let sum = held.map(idf_of).fold(0.0, |sum, idf| sum + idf);
                let relevance = Millionths::from_f64(sum / all).unwrap_or_default();
                let recency = recency(now.since(episode.time), episode.significance);
                let significance = episode.significance;
                let weighted = i128::from(recency.0) * 4
                    + i128::from(relevance.0) * 4
                    + i128::from(significance.0) * 2;
                let score = Millionths(div_half_even(weighted, 10));
                (
                    ScoreParts {
                        score,
                        recency,
                        relevance,
                        significance,
                    },
                    *episode,
                )
            })
            .collect();
        ranked.sort_by(|(a, one), (b, other)| {
            b.score
                .cmp(&a.score)
                .then(other.time.cmp(&one.time))
                .then(one.id.cmp(&other.id))
        });
        let more = ranked.len().saturating_sub(most);
        ranked.truncate(most);
        let found = ranked.into_iter().map(|(parts, episode)| RetrievedEpisode {
            id: episode.id.clone(),
            text: episode.text.clone(),
            parts,
        });
        (found.collect(), more)
    }

    const WORDS: [&str; 9] = [
        "the", "rain", "sword", "cat", "king", "the", "star", "the", "oak",
    ];

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]

        /// Whatever is stored, forgotten and faded, in a memory that is full or not, now or in the past.
        #[test]
        fn f4_retrieval_is_what_an_exhaustive_scan_finds(
            seed in any::<u64>(),
            count in 0_usize..600,
            cap in prop_oneof![Just(10_000_usize), 1_usize..400],
            span in prop_oneof![Just(1_i64), 1_i64..10_000_000],
            most in 0_usize..40,
            rate in 0_i64..200_000,
        ) {
            let draw = |what: &str, i: usize, below: i64| {
                (draw(seed, what, &[&i.to_string()]) % below.max(1).unsigned_abs()) as i64
            };
            let mut mind = Mind::empty();
            let decay = Decay { rate: Millionths(rate), ..Decay::default() };
            mind.episodes.keep_to(cap, decay);
            for i in 0..count {
                let words = (0..1 + draw("length", i, 4)).map(|w| WORDS[draw("word", i * 7 + w as usize, 9) as usize]);
                let episode = Episode {
                    significance: Millionths(draw("significance", i, 5) * 250_000),
                    pinned: draw("pinned", i, 20) == 0,
                    ..Episode::new(format!("m{}", draw("id", i, 2_000)), words.collect::<Vec<_>>().join(" "), GameTime(draw("time", i, span)))
                };
                let now = GameTime(draw("now", i, span));
                let id = episode.id.clone();
                let is_full = mind.episodes.len() >= cap && mind.episodes.get(&id).is_none();
                let free = mind.episodes.iter().filter(|e| is_full && !e.pinned);
                // The first of equal ones is taken, and they come in the order of their arrival.
                let weakest = free.min_by_key(|e| (e.strength(now, decay), e.time)).map(|e| e.id.clone());
                let stored = mind.episodes.store(episode, now);
                if is_full && stored.is_ok() {
                    prop_assert!(mind.episodes.get(&weakest.unwrap()).is_none());
                }
                if draw("removed", i, 6) == 0 {
                    let removed = format!("m{}", draw("which", i, 2_000));
                    prop_assert_eq!(mind.episodes.get(&removed).is_some(), mind.episodes.remove(&removed));
                }
            }
            prop_assert_eq!(mind.episodes.iter().count(), mind.episodes.len());
            let slower = Decay { rate: Millionths(rate / 2), ..decay };
            for (i, decay) in [(0, decay), (1, slower), (2, decay)] {
                mind.episodes.keep_to(cap, decay);
                let input = WORDS[draw("asked", i, 9) as usize].to_owned() + " " + WORDS[draw("asked too", i, 9) as usize] + " moon";
                let now = GameTime(draw("at", i, span.saturating_mul(2)));
                prop_assert_eq!(
                    episodes(&mind, &distinct_words(&input), now, most),
                    exhaustive(&mind, &input, now, most)
                );
            }
        }
    }

    #[test]
    fn m4_recency_halves_each_hour_and_stops_at_one() {
        let half = Millionths(500_000);
        assert_eq!(recency(Millis(0), half), Millionths::ONE);
        assert_eq!(recency(Millis(3_600_000), half), Millionths(625_000));
        assert_eq!(
            recency(Millis(7_200_000), Millionths::ZERO),
            Millionths(250_000)
        );
        assert_eq!(recency(Millis(-5), Millionths::ZERO), Millionths::ONE);
    }

    #[test]
    fn m4_rare_words_count_more_and_parts_add_up() {
        let mind = mind(&[
            ("a", "the sword fell", 0),
            ("b", "the cat slept", 0),
            ("c", "the rain", 0),
        ]);
        let found = retrieve(&mind, "The SWORD?", GameTime(0), &Limits::DEFAULT);
        assert_eq!(found.episodes[0].id, "a");
        let parts = found.episodes[0].parts;
        assert_eq!(parts.relevance, Millionths::ONE);
        // idf(the) = ln(1 + 0.5 / 3.5), idf(sword) = ln(1 + 2.5 / 1.5)
        let expected =
            libm::log(1.0 + 0.5 / 3.5) / (libm::log(1.0 + 0.5 / 3.5) + libm::log(1.0 + 2.5 / 1.5));
        assert_eq!(
            found.episodes[1].parts.relevance,
            Millionths::from_f64(expected).unwrap()
        );
        assert_eq!(parts.score, Millionths(400_000 + 400_000 + 100_000));
    }

    #[test]
    fn m4_ties_go_to_the_newer_then_to_the_id_whatever_the_order_of_arrival() {
        let one = retrieve(
            &mind(&[("b", "x", 0), ("a", "x", 0), ("c", "x", 100)]),
            "",
            GameTime(100),
            &Limits::DEFAULT,
        );
        let two = retrieve(
            &mind(&[("c", "x", 100), ("a", "x", 0), ("b", "x", 0)]),
            "",
            GameTime(100),
            &Limits::DEFAULT,
        );
        assert_eq!(one, two);
        let ids: Vec<&str> = one.episodes.iter().map(|e| e.id.as_str()).collect();
        assert_eq!(ids, ["c", "a", "b"]);
        assert!(
            one.episodes
                .iter()
                .all(|e| e.parts.relevance == Millionths::ZERO)
        );
    }

    #[test]
    fn m3_beliefs_come_by_what_is_asked_then_by_how_sure_and_how_new_they_are() {
        let mut mind = Mind::empty();
        let mut hold = |id: Id, text: &str, confidence: i64, hours: i64| {
            let belief = NewBelief {
                text,
                confidence: Millionths(confidence),
                contradicts_canon: false,
                pinned: false,
            };
            mind.beliefs
                .hold(&id, belief, GameTime(hours * 3_600_000))
                .unwrap();
        };
        hold(id!("moon"), "The moon is made of cheese.", 1_000_000, 0);
        hold(id!("oak"), "The oak is old.", 1_000_000, 0);
        hold(id!("plum"), "Plums grow in the yard.", 400_000, 10);
        let ask = |input: &str| {
            let found = retrieve(&mind, input, GameTime(10 * 3_600_000), &Limits::DEFAULT).beliefs;
            found
                .into_iter()
                .map(|b| b.id.to_string())
                .collect::<Vec<_>>()
        };
        assert_eq!(ask(""), ["moon", "oak", "plum"]);
        assert_eq!(ask("Do plums taste good?"), ["plum", "moon", "oak"]);
        assert_eq!(ask("How old is that oak?")[0], "oak");
        let plum = retrieve(&mind, "plums", GameTime(10 * 3_600_000), &Limits::DEFAULT)
            .beliefs
            .remove(0)
            .parts;
        assert_eq!(plum.relevance, Millionths::ONE);
        assert_eq!(plum.recency, Millionths::ONE);
        assert_eq!(plum.score, Millionths(160_000 + 400_000 + 200_000));
    }

    #[test]
    fn m4_faded_episodes_and_doubted_beliefs_stay_out_and_counts_are_capped() {
        let mut mind = mind(&[("old", "x", 0)]);
        for i in 0..30 {
            let now = GameTime(100_000_000);
            mind.episodes
                .store(Episode::new(format!("m{i:02}"), "x", now), now)
                .unwrap();
            mind.beliefs
                .hold(
                    &Id::new(format!("b{i:02}")).unwrap(),
                    NewBelief {
                        text: "x",
                        confidence: Millionths(200_000 + i * 20_000),
                        contradicts_canon: false,
                        pinned: false,
                    },
                    now,
                )
                .unwrap();
        }
        let found = retrieve(&mind, "", GameTime(100_000_000), &Limits::DEFAULT);
        assert_eq!(found.episodes.len(), Limits::DEFAULT.retrieved_episodes);
        assert!(found.episodes.iter().all(|e| e.id != "old"));
        assert_eq!(found.beliefs.len(), Limits::DEFAULT.retrieved_beliefs);
        assert_eq!(found.beliefs[0].id, "b29");
        let none = retrieve(&Mind::empty(), "hello", GameTime(0), &Limits::DEFAULT);
        assert_eq!(none, Retrieved::default());
    }
}
