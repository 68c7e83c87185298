//! What is retrieved is what the formula says.

use super::*;
use crate::base::canonical::draw;
use crate::base::fixed::div_half_even;
use crate::id;
use crate::limits::LimitOverrides;
use crate::memory::NewBelief;
use crate::memory::episode::Decay;
use crate::memory::episode_index::NOTHING;
use crate::text::terms::TermRules;
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
    cue: &Cue,
    now: GameTime,
    limits: &Limits,
) -> (Vec<RetrievedEpisode>, usize) {
    let (decay, rules) = (mind.episodes.decay(), mind.episodes.rules());
    let is_lasting = limits.memory == Memory::Lasting;
    let mut active: Vec<(usize, &Episode)> = mind
        .episodes
        .iter()
        .enumerate()
        .filter(|(_, e)| e.is_active(now, decay))
        .collect();
    active.sort_by_key(|(arrived, episode)| (episode.time, *arrived));
    let active: Vec<&Episode> = active.into_iter().map(|(_, episode)| episode).collect();
    let all_held: Vec<Vec<String>> = active.iter().map(|e| rules.terms(&e.text)).collect();
    let terms = rules.terms(cue.input);
    let mut before = match is_lasting {
        true => rules.terms(cue.before),
        false => Vec::new(),
    };
    before.retain(|term| !terms.contains(term));
    let idf_of = |term: &String| {
        let holding = all_held.iter().filter(|held| held.contains(term));
        let holding = holding.count();
        idf(active.len(), holding)
    };
    let idfs = |terms: &[String]| terms.iter().map(&idf_of).fold(0.0, |sum, idf| sum + idf);
    let (of_input, of_before) = (idfs(&terms), idfs(&before));
    let all = if of_input > 0.0 { of_input } else { of_before };
    let weight = match of_input > 0.0 {
        true => 0.5 * of_input / of_before,
        false => 0.5,
    };
    // What is passed over holds nothing.
    let passed_over = |i: usize| cue.except.contains(&active[i].id);
    let held: Vec<Vec<String>> = all_held
        .iter()
        .enumerate()
        .map(|(i, held)| match passed_over(i) {
            true => Vec::new(),
            false => held.clone(),
        })
        .collect();
    let sums: Vec<f64> = held
        .iter()
        .map(|held| {
            let holds = |term: &&String| held.contains(term);
            let said = terms.iter().filter(holds).map(|term| idf_of(term) * 1.0);
            let before = before.iter().filter(holds);
            let all_words = said.chain(before.map(|term| idf_of(term) * weight));
            all_words.fold(0.0, |sum, idf| sum + idf).min(all)
        })
        .collect();
    let holds = |held: &[String], terms: &[String]| terms.iter().any(|term| held.contains(term));
    let has_hits = held.iter().any(|held| holds(held, &terms));
    let near = |from: usize, to: usize| {
        (from.min(to)..from.max(to)).all(|i| {
            active[i + 1].time.since(active[i].time).0 <= NEAR.max(limits.talk_ends.into()).0
        })
    };
    let mut ranked: Vec<(ScoreParts, &Episode)> = (0..active.len())
        .map(|i| {
            let episode = active[i];
            // In the order in which the index adds them.
            let reach = |others: &mut dyn Iterator<Item = usize>| {
                let (mut passed, mut highest) = (0.0, 0.0);
                for other in others {
                    passed = passed * 0.6 + sums[other];
                    highest = f64::max(highest * 0.6, sums[other]);
                    if passed < all * NOTHING {
                        (passed, highest) = (0.0, 0.0);
                    }
                }
                (passed, highest)
            };
            let first = (0..i).find(|from| near(*from, i)).unwrap_or(i);
            let last = (i..active.len()).rev().find(|to| near(i, *to)).unwrap_or(i);
            let (from_before, most_before) = reach(&mut (first..i));
            let (from_behind, most_behind) = reach(&mut (i + 1..=last).rev());
            let shared =
                (from_before + from_behind) * Millionths::nearest(limits.neighbours).to_f64();
            let mut more = shared.min(f64::max(most_before, most_behind) * 0.5);
            let takes_part = episode
                .participants
                .iter()
                .any(|who| cue.people.contains(&who.as_str()));
            if takes_part {
                more += 0.1 * all;
            }
            let whole = match is_lasting && all > 0.0 {
                true => (more + sums[i]).min(all),
                false => sums[i],
            };
            let share = |sum: f64| Millionths::from_f64(sum / all).unwrap_or_default();
            let is_hit = match has_hits {
                true => holds(&held[i], &terms),
                false => holds(&held[i], &before),
            };
            let significance = episode.significance;
            let recency = recency(
                now.since(episode.time),
                significance,
                limits.half_life.into(),
            );
            let weights = [
                limits.weight_relevance,
                limits.weight_recency,
                limits.weight_significance,
            ]
            .map(Millionths::nearest);
            let parts = [share(whole), recency, significance];
            let weighted = weights
                .iter()
                .zip(parts)
                .map(|(weight, part)| i128::from(weight.0) * i128::from(part.0));
            let divisor = weights
                .iter()
                .map(|weight| i128::from(weight.0))
                .sum::<i128>()
                .max(1);
            let (weighted, divisor) = match (is_lasting, is_hit) {
                (false, _) => (weighted.sum::<i128>(), divisor),
                (true, false) => (weighted.sum(), divisor * 2),
                (true, true) => (weighted.sum::<i128>() + divisor * 1_000_000, divisor * 2),
            };
            (
                ScoreParts {
                    score: Millionths(div_half_even(weighted, divisor)),
                    recency,
                    relevance: share(sums[i]),
                    significance,
                },
                episode,
            )
        })
        .collect();
    ranked.sort_by(|(a, one), (b, other)| {
        b.score
            .cmp(&a.score)
            .then(other.time.cmp(&one.time))
            .then(one.id.cmp(&other.id))
    });
    ranked.retain(|(_, episode)| !cue.except.contains(&episode.id));
    let more = ranked.len().saturating_sub(limits.retrieved_episodes);
    ranked.truncate(limits.retrieved_episodes);
    let found = ranked.into_iter().map(|(parts, episode)| RetrievedEpisode {
        id: episode.id.clone(),
        text: episode.text.clone(),
        note: String::new(),
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
        rate in prop_oneof![Just(0_i64), 0_i64..200_000],
        weights in (0_i64..1_000_001, 0_i64..1_000_001, 0_i64..1_000_001),
        neighbours in prop_oneof![Just(0_i64), 0_i64..500_001],
        memory in prop_oneof![Just(Memory::Lasting), Just(Memory::Fading)],
    ) {
        let draw = |what: &str, i: usize, below: i64| {
            (draw(seed, what, &[&i.to_string()]) % below.max(1).unsigned_abs()) as i64
        };
        let mut mind = Mind::empty();
        let decay = Decay { rate: Millionths(rate), ..Decay::default() };
        mind.episodes.keep_to(cap, decay);
        let limits = Limits {
            memory,
            weight_relevance: Millionths(weights.0).to_f32(),
            weight_recency: Millionths(weights.1).to_f32(),
            weight_significance: Millionths(weights.2).to_f32(),
            neighbours: Millionths(neighbours).to_f32(),
            retrieved_episodes: most,
            ..Limits::DEFAULT
        };
        for i in 0..count {
            let words = (0..1 + draw("length", i, 4)).map(|w| WORDS[draw("word", i * 7 + w as usize, 9) as usize]);
            let episode = Episode {
                significance: Millionths(draw("significance", i, 5) * 250_000),
                pinned: draw("pinned", i, 20) == 0,
                participants: match draw("who", i, 4) {
                    0 => vec!["ann".to_owned()],
                    1 => vec!["ann".to_owned(), "bo".to_owned()],
                    _ => Vec::new(),
                },
                ..Episode::new(format!("m{}", draw("id", i, 2_000)), words.collect::<Vec<_>>().join(" "), GameTime(draw("time", i, span)))
            };
            let now = GameTime(draw("now", i, span));
            let id = episode.id.clone();
            let is_full = mind.episodes.len() >= cap && mind.episodes.get(&id).is_none();
            let free = mind.episodes.iter().filter(|e| is_full && !e.pinned);
            // Where all fades, the first of equal ones is taken, and they come in the order of their arrival.
            let weakness = |e: &Episode| match rate {
                0 => (e.significance, e.time, e.id.clone()),
                _ => (e.strength(now, decay), e.time, String::new()),
            };
            let weakest = free.min_by_key(|e| weakness(e)).map(|e| e.id.clone());
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
            let before = WORDS[draw("before", i, 9) as usize].to_owned() + " sun";
            let cue = Cue {
                input: if draw("silent", i, 5) == 0 { "moon" } else { &input },
                before: if draw("first", i, 2) == 0 { "" } else { &before },
                people: match draw("people", i, 3) {
                    0 => Vec::new(),
                    1 => vec!["bo"],
                    _ => vec!["ann", "bo"],
                },
                except: (0..draw("except", i, 3) * 10).map(|n| format!("m{}", draw("left out", n as usize, 2_000))).collect(),
            };
            let terms = mind.episodes.rules().terms(cue.input);
            prop_assert_eq!(
                episodes(&mind, &terms, &cue, now, &limits),
                exhaustive(&mind, &cue, now, &limits)
            );
        }
    }
}

#[test]
fn m4_recency_halves_each_hour_and_stops_at_one() {
    let half = Millionths(500_000);
    let recency = |age, significance| recency(age, significance, Millis(3_600_000));
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
    let mut mind = mind(&[
        ("a", "the sword fell", 0),
        ("b", "the cat slept", 0),
        ("c", "the rain", 0),
    ]);
    mind.episodes.compare_by(TermRules::as_written());
    let fading = LimitOverrides::FADING.over(Limits::DEFAULT);
    let found = retrieve(&mind, "The SWORD?", GameTime(0), &fading);
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
