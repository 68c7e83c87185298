//! Turns in a running game: interrupted, changed by the game, with a broken template (contract rows T4, T7 and T8).

use bevy::prelude::*;
use bevy_dramatis::adventure::{
    AdventureRecord, PlayerTurn, StageTemplates, Stream, TurnStatus, submit_turn,
};
use bevy_dramatis::engine::Stage;
use bevy_dramatis::events::AdventureTurnEnded;
use bevy_dramatis::id;
use bevy_dramatis::npc::{Baked, Chattiness};
use bevy_dramatis::testing::{FnEngine, ManualEngine, TestGame, whole_reply};
use std::sync::Arc;

#[derive(Resource, Default)]
struct Ended(Vec<Arc<AdventureRecord>>);

fn watched(mut game: TestGame) -> TestGame {
    game.world_mut().init_resource::<Ended>();
    game.world_mut()
        .add_observer(|ended: On<AdventureTurnEnded>, mut all: ResMut<Ended>| {
            all.0.push(ended.record.clone());
        });
    game
}

fn answering() -> FnEngine {
    FnEngine::new(|_, request| {
        whole_reply(match request.stage {
            Stage::Narrator => "It is so.",
            Stage::NpcIntent => "I wait.",
            _ => r#"{"calls": []}"#,
        })
    })
}

fn turn() -> PlayerTurn {
    PlayerTurn::new(id!("player"), "I look around.")
}

fn ended(game: &TestGame) -> &[Arc<AdventureRecord>] {
    &game.world().resource::<Ended>().0
}

#[test]
fn t7_a_new_submission_interrupts_what_has_not_been_committed() {
    let engine = ManualEngine::default();
    let mut game = watched(TestGame::new(engine.clone()));
    submit_turn(game.world_mut(), turn());
    for _ in 0..5 {
        game.frame();
    }
    let calls = engine.calls();
    assert_eq!(calls.len(), 2, "narrator and extractor");
    submit_turn(game.world_mut(), turn());
    for _ in 0..5 {
        game.frame();
    }
    assert!(
        calls.iter().all(|call| call.is_dropped()),
        "the calls are cancelled"
    );
    let first = &ended(&game)[0];
    assert_eq!((first.status(), first.turn_id), (TurnStatus::Failed, 1));
    assert!(
        first
            .failure
            .as_ref()
            .unwrap()
            .error
            .contains("Interrupted")
    );
    assert_eq!(game.world().resource::<Stream>().messages().len(), 0);
    assert_eq!(engine.calls().len(), 4, "the new turn has begun");
}

#[test]
fn t4_the_game_changes_who_acts() {
    let mut game = watched(TestGame::new(answering()));
    let ivo = game.spawn_npc(r#"(id: "ivo", chattiness: 100)"#);
    let mira = game.spawn_npc(r#"(id: "mira", chattiness: 0)"#);
    submit_turn(game.world_mut(), turn());
    game.run_until_idle();
    game.world_mut().entity_mut(ivo).insert(Chattiness(0));
    game.world_mut().entity_mut(mira).insert(Baked(true));
    submit_turn(game.world_mut(), turn());
    game.run_until_idle();
    let active = |record: &AdventureRecord| -> Vec<String> {
        let rolls = record.rolls.iter().filter(|roll| roll.active);
        rolls.map(|roll| roll.npc.to_string()).collect()
    };
    assert_eq!(active(&ended(&game)[0]), ["ivo"]);
    assert_eq!(active(&ended(&game)[1]), ["mira"]);
}

#[test]
fn t8_a_template_that_cannot_be_rendered_fails_the_turn_with_its_stage() {
    let mut game = watched(TestGame::new(answering()));
    let mut templates = game.world_mut().resource_mut::<StageTemplates>();
    templates
        .set(Stage::LoreExtractor, "{{> nowhere}}")
        .unwrap();
    submit_turn(game.world_mut(), turn());
    game.run_until_idle();
    let failure = ended(&game)[0].failure.clone().unwrap();
    assert_eq!(failure.stage, Some(Stage::LoreExtractor));
    assert!(failure.error.contains("nowhere"), "{}", failure.error);
    assert_eq!(game.world().resource::<Stream>().messages().len(), 0);
}

#[test]
fn t3_sixty_four_who_are_named_all_act_and_it_ends() {
    let mut game = watched(TestGame::new(answering()));
    let names: Vec<String> = (0..64).map(|i| format!("npc{i}")).collect();
    for name in &names {
        game.spawn_npc(&format!("(id: \"{name}\", chattiness: 0)"));
    }
    let everybody = format!("I greet {}.", names.join(", "));
    submit_turn(game.world_mut(), PlayerTurn::new(id!("player"), everybody));
    game.run_until_idle();
    let record = &ended(&game)[0];
    assert_eq!(
        record.status(),
        TurnStatus::Committed,
        "{:?}",
        record.failure
    );
    assert_eq!(record.price.calls, 3 + 4 * 64);
}
