//! What a character writes in its diary (contract row M8). The rest is in `assets/scenarios/m8_a_diary_*`.

use bevy_dramatis::base::Millis;
use bevy_dramatis::engine::{ScriptSpec, ScriptedEngine, Stage};
use bevy_dramatis::format::parse_ron;
use bevy_dramatis::npc::{MindChange, MindWrite, NewEpisode};
use bevy_dramatis::pipeline::{AttemptLog, Run};
use bevy_dramatis::prelude::*;
use bevy_dramatis::testing::TestGame;
use bevy_dramatis::world::GameWrite;
use proptest::prelude::*;

const DAY: i64 = 86_400_000;

/// A story in which everything that a character does not perceive contains the word "unseen".
const STORY: &str = r#"(
    diary: true,
    canon: [(id: "unseen_law", text: "The unseen king rules.")],
    world_facts: {"unseen_fact": "unseen storm"},
    world: (
        locations: {"yard": (name: "unseen yard"), "cave": (name: "unseen cave")},
        entities: {
            "player": (name: "Ann", kind: "character", at: In("yard")),
            "lamp": (name: "unseen lamp", kind: "item", at: In("yard")),
        },
    ),
)"#;
const ODO: &str = r#"(id: "odo", name: "Odo", persona: "You are a smith.", location: "yard",
    examples: [(player: "unseen question", npc: "unseen answer")],
    beliefs: [(id: "belief", text: "The unseen moon is cheese.")],
    memories: [(id: "before", text: "An unseen week ago it rained.", age_seconds: 604800)])"#;
const BEA: &str = r#"(id: "bea", name: "Bea", location: "cave", diary: false)"#;

/// An event on the day that the diary describes.
#[derive(Debug, Clone)]
enum Event {
    ToldToOdo(u8),
    ToldToBea,
    OdoLives(u8),
    OdoLivedBefore,
    BeaLives,
    FactChanges,
}

fn event() -> impl Strategy<Value = Event> {
    prop_oneof![
        any::<u8>().prop_map(Event::ToldToOdo),
        Just(Event::ToldToBea),
        any::<u8>().prop_map(Event::OdoLives),
        Just(Event::OdoLivedBefore),
        Just(Event::BeaLives),
        Just(Event::FactChanges),
    ]
}

/// The prompts of all diaries.
fn diaries(game: &TestGame) -> Vec<String> {
    let runs = game.runs().into_iter();
    let diaries = runs.filter(|run| {
        let run = game.world().get::<Run>(*run);
        run.is_some_and(|run| run.stage() == Stage::Diary)
    });
    diaries
        .map(|run| {
            let log = game.world().get::<AttemptLog>(run);
            log.and_then(|log| log.0.first())
                .map_or_else(String::new, |attempt| attempt.prompt.to_string())
        })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn m8_nothing_that_a_character_did_not_perceive_reaches_its_diary(events in prop::collection::vec(event(), 1..12)) {
        let replies: Vec<String> = (0..30).map(|n| format!("Answer {n}.")).collect();
        let mut game = TestGame::new(ScriptedEngine::saying(replies.iter().map(String::as_str)));
        game.install_story(STORY);
        let (odo, bea) = (game.spawn_npc(ODO), game.spawn_npc(BEA));
        game.advance(DAY);
        game.run_until_idle();
        let mut perceived = 0;
        for (number, event) in events.iter().enumerate() {
            let write = |npc, age, text: String| {
                let new = NewEpisode { age: Millis(age).into(), ..NewEpisode::new(Id::new(format!("e{number}")).unwrap(), text) };
                MindWrite::new(npc, MindChange::Remember(new))
            };
            match event {
                Event::ToldToOdo(word) => game.talk(odo, &format!("Seen {word}.")),
                Event::ToldToBea => game.talk(bea, "An unseen word."),
                Event::OdoLives(word) => write(id!("odo"), 0, format!("Seen {word}.")).apply_to(game.world_mut()).unwrap(),
                Event::OdoLivedBefore => write(id!("odo"), 3 * DAY, "An unseen day.".to_owned()).apply_to(game.world_mut()).unwrap(),
                Event::BeaLives => write(id!("bea"), 0, "An unseen life.".to_owned()).apply_to(game.world_mut()).unwrap(),
                Event::FactChanges => GameWrite::fact("unseen_fact", "unseen calm").apply(game.world_mut()).unwrap(),
            }
            perceived += usize::from(matches!(event, Event::ToldToOdo(_) | Event::OdoLives(_)));
        }
        game.advance(DAY);
        game.run_until_idle();
        let diaries = diaries(&game);
        prop_assert_eq!(diaries.len(), usize::from(perceived > 0));
        for prompt in diaries {
            prop_assert!(!prompt.contains("unseen"), "{}", prompt);
            prop_assert_eq!(prompt.matches("Seen ").count(), perceived.min(15));
        }
    }
}

#[test]
fn m8_a_clock_that_jumps_a_year_asks_for_one_diary() {
    let script = r#"(replies: [Say("Aye."), Reply((stage: Diary, text: "I was asked."))])"#;
    let script: ScriptSpec = parse_ron(script.as_bytes(), "script").unwrap();
    let mut game = TestGame::new(ScriptedEngine::new(&script).unwrap());
    game.install_story("(diary: true, calendar: (day_seconds: 0.001))");
    let odo = game.spawn_npc(r#"(id: "odo", name: "Odo")"#);
    game.talk(odo, "Hello?");
    game.advance(365 * DAY);
    game.run_until_idle();
    assert_eq!(diaries(&game).len(), 1);
    assert_eq!(game.mind(odo).episodes.len(), 2);
    game.advance(365 * DAY);
    game.run_until_idle();
    assert_eq!(diaries(&game).len(), 1);
}

#[test]
fn m8_what_is_forgotten_is_told_with_its_reason() {
    use bevy_dramatis::events::Forgotten;
    use bevy_dramatis::memory::ForgetReason;
    let mut game = TestGame::new(ScriptedEngine::saying(["Aye."]));
    let odo = game.spawn_npc(r#"(id: "odo", name: "Odo", limits: (episodes: 1), memories: [(id: "old", text: "It rained.", significance: 0.1)])"#);
    game.talk(odo, "Hello?");
    MindWrite::new(id!("odo"), MindChange::Forget { id: id!("said-1") })
        .apply_to(game.world_mut())
        .unwrap();
    game.run_until_idle();
    let told = game.take_sent::<Forgotten>();
    let told: Vec<(&str, ForgetReason)> = told
        .iter()
        .map(|gone| (gone.episode.id.as_str(), gone.why))
        .collect();
    let expected = [("old", ForgetReason::Cap), ("said-1", ForgetReason::Forget)];
    assert_eq!(told, expected);
}

#[test]
fn m8_a_calendar_whose_day_has_no_length_is_an_error_with_its_place() {
    for (calendar, field) in [
        ("day_seconds: 0.0", "day_seconds"),
        ("day_seconds: -1.0", "day_seconds"),
        ("starts_at_seconds: -1.0", "starts_at_seconds"),
        ("day_seconds: 1e300", "day_seconds"),
    ] {
        let text = format!("(name: \"a\",\n calendar: ({calendar}))");
        let registry = bevy_dramatis::world::ActionRegistry::default();
        let files = bevy_dramatis::authoring::NoFiles;
        let errors = bevy_dramatis::scenario::Scenario::parse(
            text.as_bytes(),
            "a.scenario.ron",
            &files,
            &registry,
        )
        .unwrap_err();
        let error = errors[0].to_string();
        assert!(error.starts_with("a.scenario.ron:2:"), "{error}");
        assert!(error.contains(&format!("`{field}`")), "{error}");
    }
}
