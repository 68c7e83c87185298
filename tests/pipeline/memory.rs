//! What a run changes in a mind, and what it must not change (contract rows P8, P9, M1, G6).

use super::WIZARD;
use bevy::prelude::*;
use bevy_dramatis::adventure::AdventureCommandsExt;
use bevy_dramatis::app::DramatisAppExt;
use bevy_dramatis::base::GameTime;
use bevy_dramatis::engine::ScriptedEngine;
use bevy_dramatis::events::Applied;
use bevy_dramatis::events::Retraction;
use bevy_dramatis::gate::{FailureReason, MemoryChange, Verdict};
use bevy_dramatis::limits::LimitOverrides;
use bevy_dramatis::memory::{Episode, Episodes, Mind, SavedMind};
use bevy_dramatis::npc::{CouldNot, MindWriteError, NpcLimits};
use bevy_dramatis::pipeline::{MutationReport, Outcome};
use bevy_dramatis::testing::{GameEvent, SpokenLine, TestGame, change_mind};
use bevy_dramatis::world::actions::Open;
use bevy_dramatis::world::{GameWrite, GameWrites, WorldFacts};

const STORY: &str = r#"(
    canon: [(id: "king", text: "The king is named Arthur", contradicted_by: ["king is called bob"])],
    world_facts: {"weather": "rain"},
)"#;

fn game(replies: &[&str]) -> (TestGame, Entity) {
    let mut game = TestGame::new(ScriptedEngine::saying(replies.iter().copied()));
    game.install_story(STORY);
    let wizard = game.spawn_npc(WIZARD);
    (game, wizard)
}

fn with(mutations: &str) -> String {
    format!(r#"{{"dialogue": "Well.", "mutations": [{mutations}]}}"#)
}

fn episode(text: &str) -> String {
    format!(r#"{{"type": "AppendEpisodic", "content": "{text}"}}"#)
}

const BELIEF: &str = r#"{"type": "TransformBelief", "target": "ann", "content": "Ann is kind."}"#;

fn remembered(game: &mut TestGame) -> Vec<&'static str> {
    let told = game.take_events().into_iter();
    told.filter_map(|told| match told {
        GameEvent::Remembered(change) => Some(change.name()),
        _ => None,
    })
    .collect()
}

fn numbers(report: &MutationReport) -> (usize, usize, usize) {
    (report.attempted, report.succeeded, report.failed)
}

/// The reasons why changes were rejected one by one, as records write them.
fn rejections(report: &MutationReport) -> Vec<String> {
    let report = serde_json::to_value(report).unwrap();
    let rejected = report["rejected"].as_array().unwrap().iter();
    let reason = |one: &serde_json::Value| one["reason"].as_str().unwrap().to_owned();
    rejected.map(reason).collect()
}

#[test]
fn t12_a_line_that_pushed_an_episode_out_of_a_full_memory_is_taken_back_whole() {
    let news = ["The bridge fell.", "A bear came."].map(episode);
    for new in [1, 2] {
        let (mut game, wizard) = game(&[&with(&news[..new].join(","))]);
        let limits = NpcLimits(LimitOverrides {
            episodes: Some(3),
            ..LimitOverrides::default()
        });
        game.world_mut().entity_mut(wizard).insert(limits);
        change_mind(game.app.world_mut(), wizard, |mind| {
            mind.episodes = Episodes::with_cap(3);
            for i in 0..3 {
                // A model wrote these before; memories that the game wrote would stay.
                let id = format!("m-{i:016x}");
                let old = Episode::new(id, format!("Old {i}."), GameTime(i - 9));
                mind.episodes.store(old, GameTime(0)).unwrap();
            }
        });
        let ids = |game: &TestGame| -> Vec<String> {
            let episodes = game.mind(wizard).episodes.iter();
            episodes.map(|episode| episode.id.clone()).collect()
        };
        let before = ids(&game);
        game.talk(wizard, "Any news?");
        let after = ids(&game);
        let left = before.iter().filter(|id| !after.contains(id));
        // What was said needs a place, too.
        assert_eq!(left.count(), new + 1, "{after:?}");
        game.world_mut().commands().retract_last(wizard);
        game.frame();
        assert_eq!(game.take_sent::<Retraction>()[0].kept, [""; 0]);
        assert_eq!(ids(&game), before);
    }
}

#[test]
fn m6_a_mind_that_keeps_to_its_limits_is_not_written_to_before_a_run_ends() {
    let engine = ScriptedEngine::saying(["Aye.", "Aye."]);
    let mut game = TestGame::new(engine.clone());
    game.install_story(STORY);
    let wizard = game.spawn_npc(WIZARD);
    game.talk(wizard, "Hello");
    let written = |game: &TestGame| {
        let mind = game.world().entity(wizard).get_ref::<Mind>();
        mind.unwrap().last_changed()
    };
    let before = written(&game);
    engine.hold();
    game.say(wizard, "Hello?");
    game.frames(3);
    assert_eq!(written(&game), before);
    engine.release();
    game.run_until_idle();
    assert_ne!(written(&game), before);
}

#[test]
fn p5_memories_are_sorted_by_id_where_all_of_them_have_room() {
    let (mut game, wizard) = game(&["Aye.", "Aye.", "Aye."]);
    game.talk(wizard, "Hello");
    let remember = |game: &mut TestGame, number: usize| {
        change_mind(game.app.world_mut(), wizard, |mind| {
            let now = GameTime(0);
            let text = format!("The cat caught mouse number {number}.");
            mind.episodes
                .store(Episode::new(format!("mouse_{number}"), text, now), now)
                .unwrap();
        });
    };
    let mice = |game: &TestGame| -> Vec<usize> {
        let user = game.attempts()[0].messages.last().unwrap().content();
        let found = user.split("caught mouse number ").skip(1);
        found.filter_map(|m| m[..1].parse().ok()).collect()
    };
    for number in [3, 1, 2] {
        remember(&mut game, number);
    }
    game.talk(wizard, "Is mouse number 2 well?");
    // The prompt lists them by id, so their order does not depend on the player's words.
    assert_eq!(mice(&game), [1, 2, 3]);
    for number in 4..8 {
        remember(&mut game, number);
    }
    game.talk(wizard, "Is mouse number 2 well?");
    let best = mice(&game);
    assert_eq!((best.len(), best[0]), (5, 2), "{best:?}");
}

#[test]
fn p9_a_fallback_is_not_a_memory() {
    let lie = with(&format!("{}, {BELIEF}", episode("Ann told a secret.")));
    let (mut game, wizard) = game(
        &[lie.as_str(), "The secret.", "My secret."]
            .map(|r| r.replace("Well", "A secret"))
            .each_ref()
            .map(String::as_str),
    );
    let before = SavedMind::from(game.mind(wizard));
    game.talk(wizard, "Hello");
    assert_eq!(game.take_lines(), [SpokenLine::fallback("Hm.")]);
    let mut expected = before;
    expected.interactions += 1;
    expected.recent_fallbacks.push("Hm.".to_owned());
    assert_eq!(SavedMind::from(game.mind(wizard)), expected);
    assert_eq!(numbers(game.last_run()), (0, 0, 0));
    let counters = game.counters();
    assert_eq!(
        (counters.fallbacks, counters.accepted, counters.attempts),
        (1, 0, 3)
    );
}

#[test]
fn p8_nothing_of_a_failed_attempt_is_remembered() {
    let (mut game, wizard) = game(&[
        &with(&episode("Ann is here.")).replace("Well", "A secret"),
        "Well.",
    ]);
    game.talk(wizard, "Hello");
    // The character remembers what was said, and nothing else.
    assert_eq!(game.mind(wizard).episodes.len(), 2);
    assert!(game.mind(wizard).episodes.get("said-1").is_some());
    assert_eq!(remembered(&mut game), Vec::<&str>::new());
    assert_eq!(game.mind(wizard).exchanges().next().unwrap().2, "Well.");
}

#[test]
fn g6_at_most_four_and_what_is_wrong_is_rejected_alone() {
    let many = [
        episode("One."),
        episode("  ONE. "),
        r#"{"type": "AppendEpisodic", "content": ""}"#.to_owned(),
        r#"{"type": "TransformBelief", "target": "x", "content": "y", "confidence": 1.5}"#
            .to_owned(),
        r#"{"type": "Forget", "content": "y"}"#.to_owned(),
        episode("Two."),
        episode("Three."),
        BELIEF.to_owned(),
        episode("Five."),
    ];
    let (mut game, wizard) = game(&[&with(&many.join(","))]);
    game.talk(wizard, "Hello");
    assert_eq!(
        game.take_outcomes(),
        [Outcome::Accepted {
            line: "Well.".into()
        }]
    );
    let report: &MutationReport = game.last_run();
    assert_eq!(numbers(report), (4, 4, 0));
    assert_eq!(
        rejections(report),
        ["Duplicate", "Malformed", "Malformed", "Malformed", "Quota"]
    );
    let texts: Vec<&str> = game
        .mind(wizard)
        .episodes
        .iter()
        .map(|e| e.text.as_str())
        .collect();
    let said = "player: \"Hello\" You: \"Well.\"";
    assert_eq!(
        texts,
        ["Ann saved the cat.", "One.", "Two.", "Three.", said]
    );
    assert_eq!(
        remembered(&mut game),
        [
            "AppendEpisodic",
            "AppendEpisodic",
            "AppendEpisodic",
            "TransformBelief"
        ]
    );
}

#[test]
fn m1_a_mutation_aimed_at_canon_ends_the_run_at_once() {
    for kind in ["TransformBelief", "AppendEpisodic", "Whatever"] {
        let aimed = format!(
            r#"{{"type": "{kind}", "target": "king", "content": "x"}}, {}"#,
            episode("y")
        );
        let (mut game, wizard) = game(&[&with(&aimed), "Never asked for."]);
        game.talk(wizard, "Hello");
        assert_eq!(game.take_lines(), [SpokenLine::fallback("Hm.")]);
        let verdict: &Verdict = game.last_run();
        assert!(verdict.is_critical());
        assert_eq!(verdict.failures[0].reason, FailureReason::CanonMutation);
        let counters = game.counters();
        assert_eq!(
            (counters.engine_calls, counters.canon_writes_blocked),
            (1, 1)
        );
        assert_eq!(game.mind(wizard).episodes.len(), 1);
    }
}

#[test]
fn m1_a_mutation_aimed_at_a_world_fact_is_rejected_alone_and_counted() {
    let aimed = r#"{"type": "TransformBelief", "target": "weather", "content": "The sun shines."}"#;
    let (mut game, wizard) = game(&[&with(&format!("{aimed}, {BELIEF}"))]);
    game.talk(wizard, "Hello");
    let report: &MutationReport = game.last_run();
    assert_eq!(rejections(report)[0], "AuthorityViolation");
    assert_eq!(numbers(report), (1, 1, 0));
    assert_eq!(game.counters().authority_blocked, 1);
    assert!(game.mind(wizard).beliefs.get("weather").is_none());
    assert_eq!(
        game.world().resource::<WorldFacts>().0["weather"],
        "rain".into()
    );
}

#[test]
fn m1_the_game_itself_may_write_world_facts() {
    let (mut game, wizard) = game(&["Well."]);
    game.app.add_systems(PreUpdate, |mut writes: GameWrites| {
        writes.set_fact("weather", "fog")
    });
    game.talk(wizard, "Hello");
    assert!(game.attempts()[0].prompt.contains("weather: fog"));
}

#[test]
fn g6_what_is_remembered_is_judged_too() {
    let bad = [
        episode("Ann knows the secret."),
        episode("The king is called Bob."),
        r#"{"type": "TransformBelief", "target": "king_name", "content": "The king is called Bob."}"#.to_owned(),
        BELIEF.to_owned(),
    ];
    let (mut game, wizard) = game(&[&with(&bad.join(",")), "Next."]);
    game.talk(wizard, "Hello");
    let report: &MutationReport = game.last_run();
    assert_eq!(numbers(report), (2, 2, 0));
    assert_eq!(
        rejections(report),
        ["ProhibitionViolated", "CanonContradiction"]
    );
    assert!(
        game.mind(wizard)
            .beliefs
            .get("king_name")
            .unwrap()
            .contradicts_canon,
        "a belief may be wrong"
    );
    game.talk(wizard, "Next?");
    let prompt = &game.attempts()[0].prompt;
    let (sure, unsure) = (
        prompt.find("Ann is kind.").unwrap(),
        prompt.find("The king is called Bob.").unwrap(),
    );
    let heading = prompt.find("uncertain").unwrap();
    assert!(sure < heading && heading < unsure);
}

#[test]
fn p8_a_guard_undoes_those_of_its_type_and_no_others() {
    let reply = with(
        &[
            episode("One."),
            BELIEF.to_owned(),
            episode("Two taboo."),
            episode("Three."),
        ]
        .join(","),
    );
    let (mut game, wizard) = game(&[&reply]);
    game.app.add_mutation_guard(|npc, change| match change {
        MemoryChange::AppendEpisodic { content, .. } if content.contains("taboo") => {
            Err(format!("{npc} must not").into())
        }
        _ => Ok(()),
    });
    game.talk(wizard, "Hello");
    assert_eq!(
        game.take_outcomes(),
        [Outcome::Accepted {
            line: "Well.".into()
        }],
        "the reply is still accepted"
    );
    let report: &MutationReport = game.last_run();
    assert_eq!(numbers(report), (4, 1, 3));
    assert_eq!(report.failures.len(), 1);
    assert!(
        report.failures[0].contains("wizard must not"),
        "{:?}",
        report.failures
    );
    let mind = game.mind(wizard);
    assert_eq!((mind.episodes.len(), mind.beliefs.iter().len()), (2, 1));
    assert_eq!(remembered(&mut game), ["TransformBelief"]);
}

fn keep_at_most(game: &mut TestGame, npc: Entity, episodes: usize) {
    let limits = LimitOverrides {
        episodes: Some(episodes),
        ..default()
    };
    game.world_mut().entity_mut(npc).insert(NpcLimits(limits));
}

#[test]
fn p8_a_memory_full_of_pinned_episodes_fails_and_the_rest_goes_on() {
    let (mut game, wizard) = game(&[&with(&[episode("One."), BELIEF.to_owned()].join(","))]);
    let mut full = Episodes::with_cap(1);
    let mut pinned = Episode::new("p", "An oath.", GameTime(0));
    pinned.pinned = true;
    full.store(pinned, GameTime(0)).unwrap();
    change_mind(game.world_mut(), wizard, |mind| mind.episodes = full);
    keep_at_most(&mut game, wizard, 1);
    game.talk(wizard, "Hello");
    let report: &MutationReport = game.last_run();
    assert_eq!(numbers(report), (2, 1, 1));
    assert!(
        report.failures[0].contains("pinned"),
        "{:?}",
        report.failures
    );
    let texts: Vec<&str> = game
        .mind(wizard)
        .episodes
        .iter()
        .map(|e| e.text.as_str())
        .collect();
    assert_eq!(texts, ["An oath."]);
    assert_eq!(remembered(&mut game), ["TransformBelief"]);
}

#[test]
fn p8_a_memory_that_fills_up_within_a_reply_takes_none_of_it() {
    let (mut game, wizard) = game(&[&with(&[episode("One."), episode("Two.")].join(","))]);
    let mut full = Episodes::with_cap(2);
    for id in ["p", "q"] {
        let mut pinned = Episode::new(id, "An oath.", GameTime(0));
        pinned.pinned = true;
        full.store(pinned, GameTime(0)).unwrap();
    }
    change_mind(game.world_mut(), wizard, |mind| mind.episodes = full);
    keep_at_most(&mut game, wizard, 2);
    let mut refused = 0;
    game.app.add_mutation_guard(move |_, change| match change {
        MemoryChange::AppendEpisodic { content, .. } if content == "Two." => Err("no more".into()),
        _ => Ok(()),
    });
    game.talk(wizard, "Hello");
    refused += game.last_run::<MutationReport>().failed;
    assert_eq!(refused, 2);
    let ids: Vec<&str> = game
        .mind(wizard)
        .episodes
        .iter()
        .map(|e| e.id.as_str())
        .collect();
    assert_eq!(ids, ["p", "q"]);
}

#[test]
fn m2_a_thousand_accepted_memories_stay_within_the_cap() {
    let replies: Vec<String> = (0..150)
        .map(|i| with(&episode(&format!("Event {i}."))))
        .collect();
    let (mut game, wizard) = game(&replies.iter().map(String::as_str).collect::<Vec<_>>());
    let few = LimitOverrides {
        episodes: Some(100),
        ..default()
    };
    game.world_mut().entity_mut(wizard).insert(NpcLimits(few));
    for _ in 0..150 {
        game.advance(60_000);
        game.talk(wizard, "Go on");
    }
    let mind = game.mind(wizard);
    assert_eq!((mind.episodes.len(), mind.interactions), (100, 150));
    assert!(mind.exchanges().len() <= 20);
    let ids: std::collections::BTreeSet<&str> =
        mind.episodes.iter().map(|e| e.id.as_str()).collect();
    assert_eq!(ids.len(), 100);
}

#[test]
fn p8_what_is_not_remembered_is_told_with_its_reason() {
    let bad = [
        episode("Ann knows the secret."),
        episode("One."),
        BELIEF.to_owned(),
    ];
    let (mut game, wizard) = game(&[&with(&bad.join(","))]);
    game.app.add_mutation_guard(|_, change| match change {
        MemoryChange::AppendEpisodic { .. } => Err("no more".into()),
        _ => Ok(()),
    });
    game.talk(wizard, "Hello");
    let told = game.take_events().into_iter();
    let told: Vec<String> = told
        .filter_map(|told| match told {
            GameEvent::NotRemembered(why) => Some(why),
            _ => None,
        })
        .collect();
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(told[0].contains("secret"), "{told:?}");
    assert_eq!(told[1], "AppendEpisodic: no more");
    assert_eq!(game.counters().not_remembered, 2);
}

#[test]
fn p8_what_the_game_could_not_do_is_told_in_the_next_prompt() {
    let open = r#"{"dialogue": "Come in.", "intents": [{"type": "open", "target": "door"}]}"#;
    for (lexicon, told) in [
        (
            "",
            "You wanted to do something, but it did not happen (open oak door): The hinge is rusted through.",
        ),
        (
            r#"lexicon: "lexicon/de.lexicon.ron","#,
            "Du wolltest etwas tun, aber es ist nicht geschehen (open oak door): The hinge is rusted through.",
        ),
    ] {
        let mut game = TestGame::new(ScriptedEngine::saying([open, "Hm.", open, "Hm."]));
        game.install_story(&format!(
            r#"({lexicon} world: (locations: {{"hall": (name: "Hall")}}, entities: {{
                "door": (name: "oak door", kind: "door", at: In("hall"), attributes: {{"openable": true}})}}))"#
        ));
        let wizard = game.spawn_npc(WIZARD);
        game.app
            .add_observer(|opened: On<Applied<Open>>, mut commands: Commands| {
                commands.queue(opened.could_not("The hinge is rusted through."));
            });
        game.talk(wizard, "Open the door!");
        let write = GameWrite::attribute(bevy_dramatis::id!("door"), "open", false);
        write.apply(game.world_mut()).unwrap();
        game.talk(wizard, "Well?");
        let prompt = &game.attempts()[0].prompt;
        assert!(prompt.contains(told), "{prompt}");
        // Each of them is a separate episode with the highest significance.
        game.talk(wizard, "Once more!");
        let episodes = &game.mind(wizard).episodes;
        for id in ["could_not_1", "could_not_2"] {
            let episode = episodes.get(id).unwrap();
            assert_eq!(
                (episode.text.as_str(), episode.significance.0),
                (told, 1_000_000)
            );
        }
    }
}

#[test]
fn p8_an_actor_without_a_mind_is_told_nothing() {
    let (mut game, _) = game(&[]);
    let could_not = CouldNot::new(bevy_dramatis::id!("stone"), "open", None, "It is a stone.");
    let told = could_not.apply_to(game.world_mut());
    assert_eq!(
        told,
        Err(MindWriteError::UnknownNpc(bevy_dramatis::id!("stone")))
    );
}

#[test]
fn m9_lines_that_were_heard_are_saved_with_a_mind_unless_no_line_is_an_echo() {
    for (echo, kept) in [(None, 2), (Some(1.0), 0)] {
        let (mut game, wizard) = game(&["The tower is old and cold.", "The stairs are steep."]);
        let limits = NpcLimits(LimitOverrides {
            echo,
            ..LimitOverrides::default()
        });
        game.world_mut().entity_mut(wizard).insert(limits);
        for _ in 0..2 {
            game.talk(wizard, "Tell me of the tower.");
        }
        // The character has nothing left to say; a fallback line does not count as its own line.
        game.talk(wizard, "Tell me of the tower.");
        let saved = SavedMind::from(game.mind(wizard));
        let lines: Vec<&str> = saved.lines.iter().map(|line| &**line).collect();
        let said = ["The tower is old and cold.", "The stairs are steep."];
        assert_eq!(lines, said[..kept]);
        // An older version wrote no lines.
        assert_eq!(saved.encoded().contains("\"lines\""), kept > 0);
    }
}
