//! Retrieval: which memories a prompt shows (contract rows P3 and M4).
//!
//! `score = 0.4 * recency + 0.4 * relevance + 0.2 * significance`, all in millionths, so that every platform ranks alike.
//!
//! * `recency = min(1, 2^(-age / 1 hour) * (1 + significance / 2))`, the age in game time.
//! * `relevance`: the sum of `idf(word)` over the words of the input that the episode holds, divided by the sum over all words of
//!   the input; `idf(word) = ln(1 + (N - n + 0.5) / (n + 0.5))`, where N is the number of active episodes and n the number
//!   of those that hold the word.
//! * `significance`: as stored.
//!
//! Of a belief it is `0.4 * confidence + 0.4 * relevance + 0.2 * recency` (SCENARIO.md section 7): relevance over all beliefs of
//! the character, and recency from when it was last written, without the factor for significance.

use super::mind::Mind;
use crate::base::fixed::{Millionths, Millis, div_half_even};
use crate::base::ids::Id;
use crate::base::time::GameTime;
use crate::limits::Limits;
use crate::text::words::distinct_words;
use serde::Serialize;
use std::collections::BTreeMap;

/// Recency halves in this time.
const HALF_LIFE_MS: f64 = 3_600_000.0;

/// The parts of an episode's score, each 0 to 1 and not yet weighted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct ScoreParts {
    /// The weighted sum, 0 to 1: `0.4 * recency + 0.4 * relevance + 0.2 * significance` (contract row M4).
    pub score: Millionths,
    /// How recent it is: halves each hour of game time, and more slowly for significant episodes.
    pub recency: Millionths,
    /// Which share of the input's words it holds, rare words counting more.
    pub relevance: Millionths,
    /// How much it mattered, as stored.
    pub significance: Millionths,
}

/// The parts of a belief's score, each 0 to 1 and not yet weighted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct BeliefScore {
    /// The weighted sum, 0 to 1: `0.4 * confidence + 0.4 * relevance + 0.2 * recency` (SCENARIO.md section 7).
    pub score: Millionths,
    /// How firmly it is held, 0.3 to 1.
    pub confidence: Millionths,
    /// Which share of the input's words it holds, rare words counting more.
    pub relevance: Millionths,
    /// How lately it was written: halves each hour of game time.
    pub recency: Millionths,
}

/// An episode that was retrieved for a prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RetrievedEpisode {
    /// The id of the episode.
    pub id: String,
    /// What happened, as the episode says it.
    pub text: String,
    /// The score that ranked it, with its parts.
    pub parts: ScoreParts,
}

/// A belief that was retrieved for a prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RetrievedBelief {
    /// The id of the belief.
    pub id: Id,
    /// What the character believes.
    pub text: String,
    /// The score that ranked it, with its parts.
    pub parts: BeliefScore,
    /// Whether it contradicts canon, so that prompts show it as uncertain.
    pub contradicts_canon: bool,
}

/// What was retrieved from a mind, best first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Retrieved {
    /// Episodes: the highest score first; of equal ones the newer, then by id. At most [`Limits::retrieved_episodes`].
    pub episodes: Vec<RetrievedEpisode>,
    /// Beliefs: the highest score first; of equal ones the newer, then by id. At most [`Limits::retrieved_beliefs`].
    pub beliefs: Vec<RetrievedBelief>,
    /// How many episodes that have not faded scored too low for the limit. 0: the same episodes are retrieved whatever is said.
    #[serde(skip_serializing_if = "is_zero")]
    pub more_episodes: usize,
    /// How many beliefs that are sure enough scored too low for the limit. 0: the same beliefs are retrieved whatever is said.
    #[serde(skip_serializing_if = "is_zero")]
    pub more_beliefs: usize,
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
    let (episodes, more_episodes) = episodes(mind, input, now, limits.retrieved_episodes);
    let (beliefs, more_beliefs) = beliefs(mind, input, now, limits);
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
    input: &str,
    now: GameTime,
    most: usize,
) -> (Vec<RetrievedEpisode>, usize) {
    let decay = mind.episodes.decay();
    let active = mind.episodes.iter().map(|e| e.is_active(now, decay));
    let active: Vec<bool> = active.collect();
    let relevance = relevance(mind, input, &active);
    let mut ranked: Vec<(ScoreParts, &super::Episode)> = mind
        .episodes
        .iter()
        .zip(active)
        .zip(relevance)
        .filter(|((_, active), _)| *active)
        .map(|((episode, _), relevance)| {
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
                episode,
            )
        })
        .collect();
    let order = |a: &(ScoreParts, &super::Episode), b: &(ScoreParts, &super::Episode)| {
        b.0.score
            .cmp(&a.0.score)
            .then(b.1.time.cmp(&a.1.time))
            .then(a.1.id.cmp(&b.1.id))
    };
    let more = ranked.len().saturating_sub(most);
    if more > 0 {
        ranked.select_nth_unstable_by(most, order);
        ranked.truncate(most);
    }
    ranked.sort_unstable_by(order);
    let retrieved = ranked.into_iter().map(|(parts, episode)| RetrievedEpisode {
        id: episode.id.clone(),
        text: episode.text.clone(),
        parts,
    });
    (retrieved.collect(), more)
}

/// `2^(-age / 1 h) * (1 + significance / 2)`, at most 1.
fn recency(age: Millis, significance: Millionths) -> Millionths {
    let age = age.0.max(0) as f64;
    let fresh = libm::exp2(-age / HALF_LIFE_MS) * (1.0 + significance.to_f64() / 2.0);
    Millionths::from_f64(fresh.min(1.0)).unwrap_or_default()
}

/// For each episode: the idf of the input's words that it holds, over the idf of all the input's words.
fn relevance(mind: &Mind, input: &str, active: &[bool]) -> Vec<Millionths> {
    let total = active.iter().filter(|a| **a).count();
    let found = shares(input, total, |word| {
        let holding = mind.episodes.holding(word);
        holding.filter(|i| active[*i]).collect()
    });
    let share = |i| found.get(&i).copied().unwrap_or_default();
    (0..active.len()).map(share).collect()
}

/// The idf of the input's words that each of `total` texts holds, over the idf of all the input's words; texts that hold none
/// are left out.
fn shares<K: Copy + Ord>(
    input: &str,
    total: usize,
    holding: impl Fn(&str) -> Vec<K>,
) -> BTreeMap<K, Millionths> {
    let total = total as f64;
    let mut found: BTreeMap<K, f64> = BTreeMap::new();
    let mut all = 0.0f64;
    for word in distinct_words(input) {
        let holding = holding(&word);
        let n = holding.len() as f64;
        let idf = libm::log(1.0 + (total - n + 0.5) / (n + 0.5));
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
    input: &str,
    now: GameTime,
    limits: &Limits,
) -> (Vec<RetrievedBelief>, usize) {
    let found = shares(input, mind.beliefs.iter().len(), |word| {
        mind.beliefs.holding(word).collect()
    });
    let held = mind.beliefs.iter();
    let held = held.filter(|(_, belief)| belief.confidence >= limits.min_confidence);
    let mut ranked: Vec<(BeliefScore, &Id, &super::Belief)> = held
        .map(|(id, belief)| {
            let relevance = found.get(id).copied().unwrap_or_default();
            let recency = recency(now.since(belief.since), Millionths::ZERO);
            let weighted = i128::from(belief.confidence.0) * 4
                + i128::from(relevance.0) * 4
                + i128::from(recency.0) * 2;
            let parts = BeliefScore {
                score: Millionths(div_half_even(weighted, 10)),
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
    use crate::id;
    use crate::memory::{Episode, NewBelief};

    fn mind(episodes: &[(&str, &str, i64)]) -> Mind {
        let mut mind = Mind::empty();
        for (id, text, time) in episodes {
            mind.episodes
                .store(Episode::new(*id, *text, GameTime(*time)), GameTime(0))
                .unwrap();
        }
        mind
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
