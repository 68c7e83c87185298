//! Retrieval: which memories a prompt shows. The formula is at `retrieve`.

use super::episode::Episode;
use super::episode_index::{Asked, idf};
use super::episodes::Episodes;
use super::mind::Mind;
use crate::base::fixed::{Millionths, Millis, div_half_even};
use crate::base::ids::Id;
use crate::base::time::GameTime;
use crate::limits::{Limits, Memory};
use serde::Serialize;
use std::collections::BTreeMap;

/// Episodes that are farther apart in game time are not neighbours.
const NEAR: Millis = Millis(600_000);

/// What memories are searched by.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cue<'a> {
    /// What is said, or what a trigger wants.
    pub input: &'a str,
    /// The last exchange: what was heard and answered before. Empty: there was none. Its words count half.
    pub before: &'a str,
    /// The ids of the one who asks and of those whom the input names. Episodes in which they take part get a higher score.
    pub people: Vec<&'a str>,
    /// The ids of episodes that are neither retrieved nor give a share to their neighbours: the prompt shows their content in
    /// another way.
    pub except: Vec<String>,
}

impl<'a> From<&'a str> for Cue<'a> {
    fn from(input: &'a str) -> Self {
        Self {
            input,
            ..Self::default()
        }
    }
}

/// The parts of an episode's score, each 0 to 1 and not yet weighted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub(crate) struct ScoreParts {
    // In the order of the alphabet, in which they are hashed: so nothing needs to be put in order.
    /// How recent it is: halves in each half-life, and more slowly for significant episodes.
    pub recency: Millionths,
    /// Which share of the words of what is said it holds itself, rare words counting more.
    pub relevance: Millionths,
    /// What ranks it, 0 to 1: see `retrieve`. What it has of its neighbours is a part of it.
    pub score: Millionths,
    /// How much it mattered, as stored.
    pub significance: Millionths,
}

/// The parts of a belief's score, each 0 to 1 and not yet weighted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(crate) struct BeliefScore {
    /// How firmly it is held, 0.3 to 1.
    pub confidence: Millionths,
    /// How lately it was written: halves in each half-life.
    pub recency: Millionths,
    /// Which share of the input's words it holds, rare words counting more.
    pub relevance: Millionths,
    /// The weighted sum, 0 to 1: `0.4 * confidence + 0.4 * relevance + 0.2 * recency`.
    pub score: Millionths,
}

/// An episode that was retrieved for a prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct RetrievedEpisode {
    /// The id of the episode.
    pub id: String,
    /// The score that ranked it, with its parts.
    pub(crate) parts: ScoreParts,
    /// What happened, as the episode says it.
    pub text: String,
    /// When it was and how it is known, in words, as prompts show it. Empty until the prompt is built: `retrieve` does not
    /// fill it.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub note: String,
}

/// A belief that was retrieved for a prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct RetrievedBelief {
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
pub(crate) struct Retrieved {
    /// Beliefs: the highest score first; of equal ones the newer, then by id. At most [`Limits::retrieved_beliefs`].
    pub(crate) beliefs: Vec<RetrievedBelief>,
    /// Episodes: the highest score first; of equal ones the newer, then by id. At most [`Limits::retrieved_episodes`].
    pub episodes: Vec<RetrievedEpisode>,
    /// How many beliefs that are sure enough scored too low for the limit. 0: the same beliefs are retrieved whatever is said.
    #[serde(skip_serializing_if = "crate::base::is_default")]
    pub more_beliefs: usize,
    /// How many episodes that have not faded scored too low for the limit. 0: the same episodes are retrieved whatever is said.
    #[serde(skip_serializing_if = "crate::base::is_default")]
    pub more_episodes: usize,
}

/// The ids of the episodes that a character remembers at the game time `now` when it hears these words, best first: as many as the
/// limits allow, and none that has faded. A text alone is a cue, too. Exact: the same as scoring everything and sorting it.
///
/// The score of an episode is
/// `(weights.relevance * whole + weights.recency * recency + weights.significance * significance) / sum of the weights`, all
/// in millionths, so that every platform ranks alike. The weights are those of [`Limits`].
///
/// * `relevance`: the sum of `idf(term)` over the terms of what is said that the episode holds, divided by the sum over all
///   of them; `idf(term) = ln(1 + (N - n + 0.5) / (n + 0.5))`, where N is the number of active episodes and n the number of
///   those that hold the term. Terms are stems without stop words, as the lexicon says. The same sum for the last exchange
///   counts half. Both together are at most 1.
/// * `whole`, at most 1: the relevance, plus a share from the neighbours in time (up to ten minutes, or a pause in a talk,
///   apart), plus 0.1 where a character takes part who is named or asks. The share is `neighbours` times the neighbours'
///   relevance, 0.6 of that for the next but one and so on down to a ten thousandth. It is at most half of the highest of
///   them.
/// * `recency = min(1, 2^(-age / half-life) * (1 + significance / 2))`, the age in game time.
/// * `significance`: as stored.
///
/// An episode that holds a term of what is said comes before every one that holds none: its score is `0.5 + score / 2`, that
/// of the others `score / 2`. Where no episode holds a term of what is said, those of the last exchange decide.
///
/// Origin: tuned on five of the ten talks of `LoCoMo`, measured on the other five (`docs/memory.md` of the repository).
///
/// A memory that is [`Memory::Fading`] has no shares of neighbours, people and the last exchange, and no two halves. Its
/// terms are words as they are written.
#[must_use]
pub fn recall<'a>(
    mind: &Mind,
    cue: impl Into<Cue<'a>>,
    now: GameTime,
    limits: &Limits,
) -> Vec<String> {
    let found = retrieve(mind, cue, now, limits).episodes.into_iter();
    found.map(|episode| episode.id).collect()
}

/// What fits a cue best, as [`recall`] says, with beliefs: those below [`Limits::min_confidence`] stay out.
///
/// The score of a belief is `0.4 * confidence + 0.4 * relevance + 0.2 * recency`: relevance over all beliefs of
/// the character, and recency from when it was last written, without the factor for significance.
#[must_use]
pub(crate) fn retrieve<'a>(
    mind: &Mind,
    cue: impl Into<Cue<'a>>,
    now: GameTime,
    limits: &Limits,
) -> Retrieved {
    let cue = cue.into();
    let terms = mind.episodes.rules().terms(cue.input);
    let (episodes, more_episodes) = episodes(mind, &terms, &cue, now, limits);
    let (beliefs, more_beliefs) = beliefs(mind, &terms, now, limits);
    Retrieved {
        episodes,
        beliefs,
        more_episodes,
        more_beliefs,
    }
}

/// The best episodes, as many as the limits allow, and how many more are not among them.
fn episodes(
    mind: &Mind,
    terms: &[String],
    cue: &Cue,
    now: GameTime,
    limits: &Limits,
) -> (Vec<RetrievedEpisode>, usize) {
    let index = mind.episodes.index();
    let scoring = Scoring::of(limits);
    let is_lasting = limits.memory == Memory::Lasting;
    let mut before = match is_lasting {
        true => mind.episodes.rules().terms(cue.before),
        false => Vec::new(),
    };
    before.retain(|term| terms.binary_search(term).is_err());
    let slots = cue.except.iter();
    let mut except: Vec<usize> = slots.filter_map(|id| mind.episodes.slot_of(id)).collect();
    except.sort_unstable();
    except.dedup();
    let asked = Asked {
        except: &except,
        terms,
        before: &before,
        people: if is_lasting { &cue.people } else { &[] },
        neighbours: if is_lasting {
            Millionths::nearest(limits.neighbours).to_f64()
        } else {
            0.0
        },
        talk: NEAR.max(limits.talk_ends.into()),
    };
    let relevance = index.relevance(&asked, now);
    // No episode of a block has a higher recency than one that would be as new and as significant as any of them. One more, since
    // `exp2` promises no order in its last digit.
    let mut blocks: Vec<(i64, Millionths, Millionths, usize)> = index
        .blocks()
        .map(|(block, newest, significance)| {
            let recency = scoring.recency(now.since(newest), significance);
            let recency = Millionths(recency.0 + 1);
            let (most_relevant, may_hit) = relevance.of_block(block);
            let bound = scoring.sum(most_relevant, recency, significance, may_hit);
            (bound, recency, significance, block)
        })
        .collect();
    blocks.sort_unstable_by(|a, b| b.cmp(a));
    let mut best = Best::new(&mind.episodes, &scoring, limits.retrieved_episodes);
    for (bound, highest, most_significant, block) in blocks {
        if !best.takes(bound) {
            break;
        }
        let (most_relevant, may_hit) = relevance.of_block(block);
        let needed = best.needs(highest, most_significant, may_hit);
        for episode in index.active_in(block, now, &relevance, relevance.least_whole(needed)) {
            let (significance, is_hit) = (episode.significance, episode.is_hit);
            // Looking at what is stored is cheaper than finding a share, and a bound is cheaper than the share itself.
            if !best.takes(scoring.sum(most_relevant, highest, significance, is_hit))
                || !best.takes(scoring.sum(
                    relevance.bound(&episode),
                    highest,
                    significance,
                    is_hit,
                ))
            {
                continue;
            }
            let whole = relevance.whole(&episode);
            if best.takes(scoring.sum(whole, highest, significance, is_hit))
                && !except.contains(&episode.slot)
            {
                let recency = scoring.recency(now.since(episode.time), significance);
                let parts = ScoreParts {
                    score: scoring.score(scoring.sum(whole, recency, significance, is_hit)),
                    recency,
                    relevance: relevance.of(&episode),
                    significance,
                };
                best.offer(parts, episode.slot);
            }
        }
    }
    let found = best.into_episodes();
    let is_active = |slot: &&usize| {
        let episode = mind.episodes.at(**slot);
        episode.is_some_and(|episode| episode.is_active(now, mind.episodes.decay()))
    };
    let left_out = except.iter().filter(is_active).count();
    let more = relevance.active - found.len() - left_out;
    (found, more)
}

/// How the parts of a score are put together.
struct Scoring {
    /// The weights of relevance, recency and significance.
    weights: [i64; 3],
    half_life: Millis,
    /// What a hit has more than others, in the units of a sum; 0 for a fading memory.
    of_hits: i64,
    /// How many units of a sum make a millionth of a score.
    unit: i64,
}

impl Scoring {
    fn of(limits: &Limits) -> Self {
        let weights = [
            limits.weight_relevance,
            limits.weight_recency,
            limits.weight_significance,
        ]
        .map(|weight| Millionths::nearest(weight).0);
        let all = weights.iter().sum::<i64>().max(1);
        let is_lasting = limits.memory == Memory::Lasting;
        Self {
            weights,
            half_life: limits.half_life.into(),
            of_hits: if is_lasting {
                all * Millionths::ONE.0
            } else {
                0
            },
            unit: if is_lasting { all * 2 } else { all },
        }
    }

    /// The weighted sum, which is not yet divided.
    fn sum(
        &self,
        relevance: Millionths,
        recency: Millionths,
        significance: Millionths,
        is_hit: bool,
    ) -> i64 {
        let [of_relevance, of_recency, of_significance] = self.weights;
        let hit = if is_hit { self.of_hits } else { 0 };
        relevance.0 * of_relevance + recency.0 * of_recency + significance.0 * of_significance + hit
    }

    fn score(&self, sum: i64) -> Millionths {
        Millionths(div_half_even(i128::from(sum), i128::from(self.unit)))
    }

    /// Twice the least sum that makes this score or a higher one. What lies half way is rounded to the even one.
    fn twice_least(&self, score: Millionths) -> i64 {
        (score.0 * 2 - 1) * self.unit + score.0 % 2
    }

    /// `2^(-age / half-life) * (1 + significance / 2)`, at most 1.
    fn recency(&self, age: Millis, significance: Millionths) -> Millionths {
        recency(age, significance, self.half_life)
    }
}

/// The best episodes that have been offered so far, best first.
struct Best<'a> {
    episodes: &'a Episodes,
    scoring: &'a Scoring,
    most: usize,
    found: Vec<(ScoreParts, &'a Episode)>,
    /// Twice the least sum that can be among the best.
    twice_least: i64,
}

impl<'a> Best<'a> {
    fn new(episodes: &'a Episodes, scoring: &'a Scoring, most: usize) -> Self {
        Self {
            episodes,
            scoring,
            most,
            found: Vec::with_capacity(most.min(episodes.len())),
            twice_least: if most > 0 { i64::MIN } else { i64::MAX },
        }
    }

    /// Whether an episode with this sum can be among the best.
    fn takes(&self, sum: i64) -> bool {
        sum * 2 >= self.twice_least
    }

    /// The least relevance with which an episode of at most this recency and significance can be among the best.
    fn needs(&self, recency: Millionths, significance: Millionths, may_hit: bool) -> Millionths {
        let [of_relevance, ..] = self.scoring.weights;
        let others = self
            .scoring
            .sum(Millionths::ZERO, recency, significance, may_hit);
        let missing = self.twice_least.saturating_div(2).saturating_sub(others);
        Millionths(missing.max(0).checked_div(of_relevance).unwrap_or_default())
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
                self.twice_least = self.scoring.twice_least(last.score);
            }
        }
    }

    fn into_episodes(self) -> Vec<RetrievedEpisode> {
        let found = self.found.into_iter();
        found
            .map(|(parts, episode)| RetrievedEpisode {
                id: episode.id.clone(),
                text: episode.text.clone(),
                note: String::new(),
                parts,
            })
            .collect()
    }
}

/// `2^(-age / half-life) * (1 + significance / 2)`, at most 1.
fn recency(age: Millis, significance: Millionths, half_life: Millis) -> Millionths {
    let (age, half_life) = (age.0.max(0) as f64, half_life.0.max(1) as f64);
    let fresh = libm::exp2(-age / half_life) * (1.0 + significance.to_f64() / 2.0);
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
    let (least, half_life) = (
        Millionths::nearest(limits.min_confidence),
        Millis::from(limits.half_life),
    );
    let held = held.filter(|(_, belief)| belief.confidence >= least);
    let mut ranked: Vec<(BeliefScore, &Id, &super::Belief)> = held
        .map(|(id, belief)| {
            let relevance = found.get(id).copied().unwrap_or_default();
            let recency = recency(now.since(belief.since), Millionths::ZERO, half_life);
            let sum = belief.confidence.0 * 4 + relevance.0 * 4 + recency.0 * 2;
            let parts = BeliefScore {
                score: Millionths(div_half_even(i128::from(sum), 10)),
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
mod tests;
