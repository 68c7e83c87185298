//! A synthetic twin of `LoCoMo`, which may not be shipped: long invented talks, and 200 questions about them. Retrieval must find as much
//! as it did when it was measured (contract row M7, `docs/memory.md`).

#[path = "../support/dice.rs"]
mod dice;
mod talks;

use bevy_dramatis::base::GameTime;
use bevy_dramatis::engine::ScriptedEngine;
use bevy_dramatis::limits::{LimitOverrides, Limits};
use bevy_dramatis::memory::{Cue, Episode, Episodes, recall};
use bevy_dramatis::npc::LoadedCharacter;
use bevy_dramatis::testing::{TestGame, empty_mind};
use bevy_dramatis::text::Lexicon;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use talks::{Kind, Talk, talks};

const MINUTE_MS: i64 = 60_000;
const DAY_MS: i64 = 86_400_000;

/// The delay after the last line, and for how many percent of the questions an answer was among the first 5 and among the first 15. Before
/// you change retrieval on purpose, measure `LoCoMo` (`benches/memory.rs`); then write here what the test prints.
const MEASURED: [(i64, [f64; 2]); 2] = [(MINUTE_MS, [69.5, 83.0]), (DAY_MS, [69.0, 83.5])];
/// A figure may differ by this many points.
const TOLERANCE: f64 = 2.0;

/// How many questions find a line that answers them.
#[derive(Default)]
struct Found {
    /// By kind, `None` for all: how many questions there were, and how many find an answer among the first 5 and among the first 15.
    counts: BTreeMap<Option<Kind>, [u32; 3]>,
}

impl Found {
    fn add(&mut self, kind: Kind, place: Option<usize>) {
        for key in [None, Some(kind)] {
            let [asked, in_5, in_15] = self.counts.entry(key).or_default();
            *asked += 1;
            *in_5 += u32::from(place.is_some_and(|place| place < 5));
            *in_15 += u32::from(place.is_some_and(|place| place < 15));
        }
    }

    fn asked(&self) -> u32 {
        self.counts.get(&None).map_or(0, |[asked, ..]| *asked)
    }

    /// The shares among the first 5 and the first 15, in percent: for one kind, or for all.
    fn percent(&self, kind: Option<Kind>) -> [f64; 2] {
        let [asked, in_5, in_15] = self.counts.get(&kind).copied().unwrap_or_default();
        [in_5, in_15].map(|hits| f64::from(hits) * 100.0 / f64::from(asked.max(1)))
    }
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (kind, [asked, ..]) in &self.counts {
            let name = kind.map_or("all".to_owned(), |kind| format!("{kind:?}"));
            let [in_5, in_15] = self.percent(*kind);
            writeln!(
                f,
                "{name:>10}, {asked:3} asked: {in_5:5.1}% among 5, {in_15:5.1}% among 15"
            )?;
        }
        Ok(())
    }
}

/// Tells each talk to a mind that keeps this many episodes, and asks its questions this long after the last line.
fn ask(talks: &[Talk], episodes: &Episodes, limits: &Limits, delay: i64) -> Found {
    let mut found = Found::default();
    for talk in talks {
        let mut mind = empty_mind();
        mind.episodes = episodes.clone();
        let mut now = GameTime(0);
        for line in &talk.lines {
            now = line.time;
            let mut episode = Episode::new(line.id.clone(), line.text.clone(), now);
            episode.participants = talk.speakers.map(str::to_owned).to_vec();
            let stored = mind.episodes.store(episode, now);
            stored.expect("a line is an episode");
        }
        now = GameTime(now.0 + delay);
        for question in &talk.questions {
            let named = talk.speakers.into_iter();
            let cue = Cue {
                people: named.filter(|name| question.text.contains(name)).collect(),
                ..Cue::from(question.text.as_str())
            };
            let retrieved = recall(&mind, cue, now, limits);
            let mut retrieved = retrieved.iter();
            let place = retrieved.position(|id| question.answers.contains(id));
            found.add(question.kind, place);
        }
    }
    found
}

fn olga(more: &str) -> LoadedCharacter {
    let file = format!(r#"(id: "olga", persona: "You listen.", {more})"#);
    LoadedCharacter::from_ron(&file).expect("it is well-formed")
}

/// The empty memory of a character of a game.
fn memory_of(character: LoadedCharacter) -> Episodes {
    let mut game = TestGame::new(ScriptedEngine::silent());
    let npc = game.world_mut().spawn(character).id();
    game.frame();
    game.mind(npc).episodes.clone()
}

#[test]
fn m7_a_synthetic_twin_of_long_talks_is_answered_as_measured() {
    let talks = talks();
    for (delay, measured) in MEASURED {
        let found = ask(&talks, &Episodes::default(), &Limits::default(), delay);
        assert_eq!(found.asked(), 200);
        let off = |(now, then): (f64, f64)| (now - then).abs() > TOLERANCE;
        assert!(
            !found.percent(None).into_iter().zip(measured).any(off),
            "{delay} ms after the last line it was {measured:?}, and now it is:\n{found}"
        );
    }
}

#[test]
fn m7_the_twin_notices_a_memory_that_fades() {
    let fading = memory_of(olga("memory: Fading"));
    let limits = LimitOverrides::FADING.over(Limits::default());
    let found = ask(&talks(), &fading, &limits, MINUTE_MS);
    assert!(found.percent(None)[1] < 10.0, "{found}");
}

#[test]
fn m7_the_twin_notices_when_neighbours_or_stems_are_missing() {
    let talks = talks();
    let [(delay, measured), _] = MEASURED;
    let loses = |found: &Found| {
        let mut figures = found.percent(None).into_iter().zip(measured);
        figures.all(|(now, then)| now < then - 4.0)
    };
    let alone = Limits {
        neighbours: 0.0,
        ..Limits::default()
    };
    let found = ask(&talks, &Episodes::default(), &alone, delay);
    assert!(loses(&found), "without neighbours:\n{found}");

    let lexicon = include_str!("../../assets/lexicon/en.lexicon.ron");
    let lexicon = lexicon.replace("    stemmer: \"english\",\n", "");
    let lexicon = Lexicon::parse(&lexicon).expect("it parses");
    let mut literal = olga("");
    Arc::make_mut(&mut literal.0).lexicon = Some(Arc::new(lexicon));
    let found = ask(&talks, &memory_of(literal), &Limits::default(), delay);
    assert!(loses(&found), "without stems:\n{found}");
}
