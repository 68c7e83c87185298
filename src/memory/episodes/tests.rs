use super::*;
use crate::base::fixed::Millis;
use crate::memory::episode::{model_episode_id, said_id};

const FADING: Decay = Decay {
    rate: Millionths(50_000),
    step: Millis(300_000),
};

fn with_significance(id: &str, significance: i64) -> Episode {
    Episode {
        significance: Millionths(significance),
        ..Episode::new(id, format!("{id} happened"), GameTime(0))
    }
}

#[test]
fn m2_strength_fades_in_whole_steps() {
    let episode = with_significance("m", 500_000);
    assert_eq!(episode.strength(GameTime(299_999), FADING), Millionths::ONE);
    assert_eq!(
        episode.strength(GameTime(300_000), FADING),
        Millionths(962_500)
    );
    assert!(episode.is_active(GameTime(23 * 300_000), FADING));
    assert!(
        !episode.is_active(GameTime(24 * 300_000), FADING),
        "0.1 is inactive"
    );
    assert_eq!(
        episode.strength(GameTime(i64::MAX), FADING),
        Millionths::ZERO
    );
    assert_eq!(episode.strength(GameTime(-1), FADING), Millionths::ONE);
    let pinned = Episode {
        pinned: true,
        ..episode
    };
    assert!(pinned.is_active(GameTime(i64::MAX), FADING));
}

#[test]
fn m2_the_weakest_goes_first_and_pinned_ones_never() {
    let mut episodes = Episodes::with_cap(3);
    let now = GameTime(600_000);
    episodes
        .store(with_significance("strong", 900_000), now)
        .unwrap();
    episodes
        .store(
            Episode {
                pinned: true,
                ..with_significance("pinned", 0)
            },
            now,
        )
        .unwrap();
    episodes
        .store(with_significance("weak", 100_000), now)
        .unwrap();
    episodes
        .store(with_significance("new", 500_000), now)
        .unwrap();
    let ids: Vec<&str> = episodes.iter().map(|e| e.id.as_str()).collect();
    assert_eq!(ids, ["strong", "pinned", "new"]);
    assert!(episodes.get("weak").is_none());
    assert_eq!(episodes.get("pinned").unwrap().text, "pinned happened");
}

#[test]
fn p8_a_memory_full_of_pinned_episodes_refuses() {
    let mut episodes = Episodes::with_cap(1);
    episodes
        .store(
            Episode {
                pinned: true,
                ..with_significance("a", 0)
            },
            GameTime(0),
        )
        .unwrap();
    assert_eq!(
        episodes.store(with_significance("b", 0), GameTime(0)),
        Err(EpisodeError::Full)
    );
    assert_eq!(episodes.len(), 1);
}

#[test]
fn m1_what_a_model_writes_pushes_out_nothing_that_others_wrote() {
    let mut episodes = Episodes::with_cap(4);
    let now = GameTime(0);
    let ids =
        |episodes: &Episodes| -> Vec<String> { episodes.iter().map(|e| e.id.clone()).collect() };
    let drawn = |n: u64, significance| with_significance(&model_episode_id(n), significance);
    episodes
        .store(with_significance("authored", 100_000), now)
        .unwrap();
    for n in 0..8 {
        episodes.store(drawn(n, 1_000_000), now).unwrap();
    }
    assert_eq!(
        ids(&episodes),
        [
            "authored",
            &model_episode_id(5),
            &model_episode_id(6),
            &model_episode_id(7)
        ]
    );
    // What the game writes takes the place of what a model wrote before that of what matters more than itself.
    for (name, significance) in [("a", 50_000), ("b", 60_000), ("c", 900_000)] {
        episodes
            .store(with_significance(name, significance), now)
            .unwrap();
    }
    // "a" took the place of the fifth, and went itself for "b", and that for "c".
    let others = [6, 7].map(model_episode_id);
    assert_eq!(ids(&episodes), ["authored", &others[0], &others[1], "c"]);
    episodes.store(drawn(9, 100), now).unwrap();
    let other = model_episode_id(9);
    assert_eq!(ids(&episodes), ["authored", &others[1], "c", &other]);
    // What was said goes like what a model wrote, by what it is worth.
    for number in 1..4 {
        let id = said_id(number);
        episodes
            .store(with_significance(&id, 40_000), GameTime(number as i64))
            .unwrap();
    }
    assert_eq!(ids(&episodes), ["authored", &others[1], "c", "said-3"]);
    for name in ["d", "e"] {
        episodes
            .store(with_significance(name, 900_000), now)
            .unwrap();
    }
    // "d" took the place of what was said, and "e" that of what the author wrote, which mattered less.
    assert_eq!(ids(&episodes), [&others[1], "c", "d", "e"]);
    episodes
        .store(with_significance("said-4", 40_000), now)
        .unwrap();
    assert_eq!(ids(&episodes), ["c", "d", "e", "said-4"]);
    episodes.store(drawn(10, 1_000_000), now).unwrap();
    episodes
        .store(with_significance("f", 900_000), now)
        .unwrap();
    // Where nothing else is left, the weakest goes, but not for what a model wrote.
    episodes
        .store(with_significance("said-5", 40_000), now)
        .unwrap();
    assert_eq!(ids(&episodes), ["d", "e", "f", "said-5"]);
    episodes
        .store(with_significance("g", 900_000), now)
        .unwrap();
    assert_eq!(
        episodes.store(drawn(11, 1_000_000), now),
        Err(EpisodeError::Full)
    );
}

#[test]
fn p3_corrupt_entries_are_refused() {
    let mut episodes = Episodes::default();
    for bad in [
        Episode::new("a", " ", GameTime(0)),
        with_significance("b", 1_000_001),
        with_significance("c", -1),
        Episode::new("d", "x".repeat(MAX_MEMORY_CHARS + 1), GameTime(0)),
    ] {
        assert!(matches!(
            episodes.store(bad, GameTime(0)),
            Err(EpisodeError::Corrupt(..))
        ));
    }
}
