//! Every number can be set for all and for one character, in RON and in Rust (contract row M6).

use crate::base::Millionths;
use crate::limits::{LimitOverrides, Limits};
use crate::npc::{NpcLimits, limit_overrides, limits_of};
use crate::pipeline::{CutKind, StateSnapshot};
use crate::testing::{FnEngine, SpokenLine, TestGame};
use bevy::prelude::*;
use std::time::Duration;

#[test]
fn m6_what_is_set_nearest_to_a_character_counts() {
    let mut game = TestGame::new(FnEngine::always("Yes."));
    game.install_story("(limits: (episodes: 30, beliefs: 31))");
    let odo = game.spawn_npc(r#"(id: "odo", limits: (episodes: 20))"#);
    let mira = game.spawn_npc(r#"(id: "mira")"#);
    game.world_mut().insert_resource(Limits {
        episodes: 40,
        beliefs: 41,
        retrieved_episodes: 7,
        decay_step: Duration::ZERO,
        ..default()
    });
    let own = LimitOverrides {
        decay_rate: Some(1e-6),
        ..default()
    };
    game.world_mut().entity_mut(odo).insert(NpcLimits(own));
    let odo_now = limits_of(game.world(), odo);
    assert_eq!((odo_now.episodes, odo_now.beliefs), (20, 31));
    assert_eq!(odo_now.retrieved_episodes, 7);
    let millisecond = Duration::from_millis(1);
    assert_eq!(odo_now.decay_step, millisecond, "cut to its range");
    let mira_now = limits_of(game.world(), mira);
    assert_eq!((mira_now.episodes, mira_now.decay_rate), (30, 0.0));
    assert_eq!(limit_overrides(game.world(), mira).beliefs, Some(31));

    game.talk(odo, "Hello?");
    assert_eq!(game.mind(odo).episodes.cap(), 20);
    assert_eq!(game.mind(odo).episodes.decay().rate, Millionths(1));
    game.world_mut().remove_resource::<Limits>();
    assert_eq!(limits_of(game.world(), mira).retrieved_episodes, 15);
}

#[test]
fn m6_a_first_mind_is_as_large_as_its_file_says() {
    let memories: Vec<String> = (0..120)
        .map(|i| format!(r#"(id: "m{i}", text: "Day {i} was long.")"#))
        .collect();
    let memories = memories.join(",");
    let mut game = TestGame::new(FnEngine::always("Yes."));
    let much = game.spawn_npc(&format!(
        r#"(id: "much", limits: (episodes: 200), memories: [{memories}])"#
    ));
    let little = game.spawn_npc(&format!(
        r#"(id: "little", limits: (episodes: 5), memories: [{memories}])"#
    ));
    assert_eq!(game.mind(much).episodes.len(), 120);
    assert_eq!(game.mind(little).episodes.len(), 5);
}

#[test]
fn m6_prompts_and_lines_keep_to_the_numbers_of_their_character() {
    let mut game = TestGame::new(FnEngine::always("One two three. Four five six."));
    let odo = game.spawn_npc(
        r#"(id: "odo", limits: (reply_chars: 16, exchanges: 40, prompt_chars: 100000, prompt_examples: 1),
            examples: [(player: "A?", npc: "B."), (player: "C?", npc: "D.")])"#,
    );
    for i in 0..30 {
        game.talk(odo, &format!("Question {i}?"));
        assert_eq!(game.take_lines(), [SpokenLine::reply("One two three.")]);
    }
    assert_eq!(game.mind(odo).exchanges.len(), 30, "more than by default");
    let prompt = &game.attempts()[0].prompt;
    assert!(prompt.contains("Question 0?") && prompt.contains("Question 28?"));
    let cut: Vec<CutKind> = game.attempts()[0].cut.iter().map(|c| c.kind).collect();
    assert_eq!(cut, [CutKind::Example]);
    assert_eq!(game.last_run::<StateSnapshot>().body().line_chars, 16);
}

#[test]
fn m6_numbers_out_of_range_are_a_load_error_with_their_place() {
    let story = "(\n  limits: (\n    decay_rate: 1.5,\n  ),\n)";
    let errors = crate::authoring::StoryBook::parse(
        story.as_bytes(),
        "a.story.ron",
        &crate::authoring::NoFiles,
        &crate::world::ActionRegistry::default(),
    )
    .unwrap_err();
    assert_eq!(
        errors[0].to_string(),
        "a.story.ron:3:17: `decay_rate` is a number from 0 to 1"
    );
}
