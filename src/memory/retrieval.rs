//! Retrieval: which memories a prompt shows (contract rows P3 and M4).
//!
//! `score = 0.4 * recency + 0.4 * relevance + 0.2 * significance`, all in millionths, so that every platform ranks alike.
//!
//! * `recency = min(1, 2^(-age / 1 hour) * (1 + significance / 2))`, the age in game time.
//! * `relevance`: the sum of `idf(word)` over the words of the input that the episode holds, divided by the sum over all words of
//!   the input; `idf(word) = ln(1 + (N - n + 0.5) / (n + 0.5))`, where N is the number of active episodes and n the number
//!   of those that hold the word.
//! * `significance`: as stored.

use super::mind::Mind;
use crate::base::fixed::{Millionths, Millis, div_half_even};
use crate::base::ids::Id;
use crate::base::time::GameTime;
use crate::text::words::distinct_words;
use serde::Serialize;

/// How many episodes are retrieved at most.
pub const MAX_EPISODES: usize = 15;
/// How many beliefs are retrieved at most.
pub const MAX_BELIEFS: usize = 10;
/// Beliefs below this confidence are not retrieved.
pub const MIN_CONFIDENCE: Millionths = Millionths(300_000);
/// Recency halves in this time.
const HALF_LIFE_MS: f64 = 3_600_000.0;

/// The parts of an episode's score, each 0 to 1 and not yet weighted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct ScoreParts {
    /// The weighted sum, 0 to 1.
    pub score: Millionths,
    /// How recent it is: halves each hour of game time, and more slowly for significant episodes.
    pub recency: Millionths,
    /// Which share of the input's words it holds, rare words counting more.
    pub relevance: Millionths,
    /// How much it mattered, as stored.
    pub significance: Millionths,
}

/// An episode that was retrieved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RetrievedEpisode {
    /// Its id.
    pub id: String,
    /// Its text.
    pub text: String,
    /// The parts of its score.
    pub parts: ScoreParts,
}

/// A belief that was retrieved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RetrievedBelief {
    /// Its id.
    pub id: Id,
    /// Its text.
    pub text: String,
    /// How firmly it is held, 0.3 to 1.
    pub confidence: Millionths,
    /// Whether it contradicts canon, so that prompts show it as uncertain.
    pub contradicts_canon: bool,
}

/// What was retrieved from a mind, best first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Retrieved {
    /// Episodes: the highest score first; of equal ones the newer, then by id. At most [`MAX_EPISODES`].
    pub episodes: Vec<RetrievedEpisode>,
    /// Beliefs: the firmest first, then by id. At most [`MAX_BELIEFS`].
    pub beliefs: Vec<RetrievedBelief>,
}

/// Retrieves what fits `input` best at the game time `now`. Faded episodes and beliefs below [`MIN_CONFIDENCE`] stay out.
/// Exact: the same as scoring everything and sorting it.
#[must_use]
pub fn retrieve(mind: &Mind, input: &str, now: GameTime) -> Retrieved {
    Retrieved {
        episodes: episodes(mind, input, now),
        beliefs: beliefs(mind),
    }
}

fn episodes(mind: &Mind, input: &str, now: GameTime) -> Vec<RetrievedEpisode> {
    let active: Vec<bool> = mind.episodes.iter().map(|e| e.is_active(now)).collect();
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
    if ranked.len() > MAX_EPISODES {
        ranked.select_nth_unstable_by(MAX_EPISODES, order);
        ranked.truncate(MAX_EPISODES);
    }
    ranked.sort_unstable_by(order);
    ranked
        .into_iter()
        .map(|(parts, episode)| RetrievedEpisode {
            id: episode.id.clone(),
            text: episode.text.clone(),
            parts,
        })
        .collect()
}

/// `2^(-age / 1 h) * (1 + significance / 2)`, at most 1.
fn recency(age: Millis, significance: Millionths) -> Millionths {
    let age = age.0.max(0) as f64;
    let fresh = libm::exp2(-age / HALF_LIFE_MS) * (1.0 + significance.to_f64() / 2.0);
    Millionths::from_f64(fresh.min(1.0)).unwrap_or_default()
}

/// For each episode: the idf of the input's words that it holds, over the idf of all the input's words.
fn relevance(mind: &Mind, input: &str, active: &[bool]) -> Vec<Millionths> {
    let total_active = active.iter().filter(|a| **a).count() as f64;
    let mut found = vec![0.0f64; active.len()];
    let mut all = 0.0f64;
    for word in distinct_words(input) {
        let holders: Vec<usize> = mind
            .episodes
            .holding(&word)
            .filter(|i| active[*i])
            .collect();
        let n = holders.len() as f64;
        let idf = libm::log(1.0 + (total_active - n + 0.5) / (n + 0.5));
        all += idf;
        for i in holders {
            found[i] += idf;
        }
    }
    found
        .into_iter()
        .map(|sum| {
            if all > 0.0 {
                Millionths::from_f64(sum / all).unwrap_or_default()
            } else {
                Millionths::ZERO
            }
        })
        .collect()
}

fn beliefs(mind: &Mind) -> Vec<RetrievedBelief> {
    let mut beliefs: Vec<RetrievedBelief> = mind
        .beliefs
        .iter()
        .filter(|(_, belief)| belief.confidence >= MIN_CONFIDENCE)
        .map(|(id, belief)| RetrievedBelief {
            id: id.clone(),
            text: belief.text.clone(),
            confidence: belief.confidence,
            contradicts_canon: belief.contradicts_canon,
        })
        .collect();
    beliefs.sort_by(|a, b| b.confidence.cmp(&a.confidence).then(a.id.cmp(&b.id)));
    beliefs.truncate(MAX_BELIEFS);
    beliefs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::{Episode, NewBelief};

    fn mind(episodes: &[(&str, &str, i64)]) -> Mind {
        let mut mind = Mind::default();
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
        let found = retrieve(&mind, "The SWORD?", GameTime(0));
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
        );
        let two = retrieve(
            &mind(&[("c", "x", 100), ("a", "x", 0), ("b", "x", 0)]),
            "",
            GameTime(100),
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
                    },
                    now,
                )
                .unwrap();
        }
        let found = retrieve(&mind, "", GameTime(100_000_000));
        assert_eq!(found.episodes.len(), MAX_EPISODES);
        assert!(found.episodes.iter().all(|e| e.id != "old"));
        assert_eq!(found.beliefs.len(), MAX_BELIEFS);
        assert_eq!(found.beliefs[0].id, "b29");
        let none = retrieve(&Mind::default(), "hello", GameTime(0));
        assert_eq!(none, Retrieved::default());
    }
}
