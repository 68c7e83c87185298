//! Characters that come, go and come back: their runs, requests and minds (contract row P11).

use super::talk::{ACTIONS, accepted};
use super::{HALL, WIZARD};
use bevy::prelude::*;
use bevy_dramatis::adventure::AdventureCommandsExt;
use bevy_dramatis::engine::ScriptedEngine;
use bevy_dramatis::events::{CommandFailed, DuplicateCharacter};
use bevy_dramatis::id;
use bevy_dramatis::limits::{LimitOverrides, Limits};
use bevy_dramatis::memory::{DormantMinds, Mind};
use bevy_dramatis::npc::NpcLimits;
use bevy_dramatis::npc::{LoadedCharacter, NpcCommandsExt, Player, RequestError, Thinking};
use bevy_dramatis::pipeline::{InteractionContext, Outcome};
use bevy_dramatis::rules::TriggerReason;
use bevy_dramatis::testing::{FnEngine, GameEvent, ManualEngine, SpokenLine, TestGame};
use bevy_dramatis::world::{DisplayName, WorldId};

#[test]
fn p11_despawning_a_thinking_character_cancels_its_run_and_keeps_its_mind() {
    let engine = ManualEngine::default();
    let mut game = TestGame::new(engine.clone());
    let wizard = game.spawn_npc(WIZARD);
    game.say(wizard, "Hello");
    game.frame();
    assert!(game.world().get::<Thinking>(wizard).is_some());
    let call = engine.last_call();
    assert!(call.chunk("Good "));
    game.frame();
    game.world_mut().despawn(wizard);
    call.reply("evening.");
    game.run_until_idle();
    assert_eq!(game.take_outcomes(), [Outcome::Cancelled]);
    assert!(call.is_dropped(), "the call is dropped");
    game.frames(3);
    assert_eq!(game.take_lines(), [], "late chunks change nothing");
    let asleep = game
        .world()
        .resource::<DormantMinds>()
        .get("wizard")
        .unwrap();
    assert_eq!(
        (
            asleep.interactions,
            asleep.episodes.len(),
            asleep.exchanges().len()
        ),
        (0, 1, 0)
    );

    let again = game.spawn_npc(WIZARD);
    assert!(game.world().resource::<DormantMinds>().is_empty());
    game.say(again, "Hello again");
    game.frame();
    engine.last_call().reply("You again.");
    game.run_until_idle();
    assert_eq!(game.take_outcomes(), [accepted("You again.")]);
}

#[test]
fn p11_a_respawned_character_remembers() {
    let mut game = TestGame::new(ScriptedEngine::saying([ACTIONS, "Welcome back."]));
    game.install_story(HALL);
    let wizard = game.spawn_npc(WIZARD);
    game.talk(wizard, "Hello");
    game.world_mut().despawn(wizard);
    game.frames(3);
    let again = game.spawn_npc(WIZARD);
    let mind = game.mind(again);
    assert_eq!(
        (
            mind.interactions,
            mind.exchanges().len(),
            mind.episodes.len()
        ),
        (1, 1, 3)
    );
    game.talk(again, "Me again");
    assert!(game.attempts()[0].prompt.contains("Ann came by."));
}

#[test]
fn p11_a_character_that_loses_its_persona_and_gets_it_back_remembers() {
    let mut game = TestGame::new(ScriptedEngine::saying([ACTIONS]));
    game.install_story(HALL);
    let wizard = game.spawn_npc(WIZARD);
    game.talk(wizard, "Hello");
    let persona = game
        .world_mut()
        .entity_mut(wizard)
        .take::<LoadedCharacter>()
        .unwrap();
    game.frame();
    game.world_mut().entity_mut(wizard).insert(persona);
    game.world_mut().flush();
    let mind = game.mind(wizard);
    assert_eq!(
        (
            mind.interactions,
            mind.exchanges().len(),
            mind.episodes.len()
        ),
        (1, 1, 3)
    );
    assert!(game.world().resource::<DormantMinds>().is_empty());
}

#[test]
fn p11_a_new_persona_on_a_living_character_keeps_its_mind_and_its_run() {
    let engine = ManualEngine::default();
    let mut game = TestGame::new(engine.clone());
    let wizard = game.spawn_npc(WIZARD);
    game.say(wizard, "Hello");
    game.frame();
    let changed = LoadedCharacter::from_ron(&WIZARD.replace("Eldrin", "Merlin")).unwrap();
    game.world_mut().entity_mut(wizard).insert(changed);
    engine.last_call().reply("Good evening.");
    game.run_until_idle();
    assert_eq!(game.take_outcomes(), [accepted("Good evening.")]);
    assert_eq!(game.mind(wizard).episodes.len(), 2);
    assert!(game.world().resource::<DormantMinds>().is_empty());
}

#[test]
fn p11_requests_of_a_despawned_character_are_refused() {
    let mut game = TestGame::new(ManualEngine::default());
    let wizard = game.spawn_npc(WIZARD);
    for text in ["One", "Two", "Three"] {
        game.say(wizard, text);
        game.frame();
    }
    game.world_mut().despawn(wizard);
    game.run_until_idle();
    game.frame();
    let told = game.take_events();
    let gone = GameEvent::RequestRefused(RequestError::Despawned);
    assert_eq!(told.iter().filter(|event| **event == gone).count(), 2);
    assert!(told.contains(&GameEvent::RunEnded(Outcome::Cancelled)));
    assert_eq!(game.counters().engine_calls, 1);
}

#[test]
fn p11_of_two_living_characters_with_one_id_the_second_is_mute() {
    let mut game = TestGame::new(ScriptedEngine::saying(["First.", "First again."]));
    let first = game.spawn_npc(WIZARD);
    let second = game.spawn_npc(WIZARD);
    assert!(game.world().get::<Mind>(second).is_none());
    game.say(second, "Hello");
    game.talk(first, "Hello");
    assert_eq!(game.take_lines(), [SpokenLine::reply("First.")]);
    assert!(matches!(
        game.take_refusals()[..],
        [RequestError::UnknownNpc(_)]
    ));
    game.world_mut().despawn(second);
    assert!(
        game.world().resource::<DormantMinds>().is_empty(),
        "the first one's mind is awake"
    );
    game.talk(first, "Hello again");
    assert_eq!(game.take_lines(), [SpokenLine::reply("First again.")]);
}

#[test]
fn p11_a_second_character_with_a_taken_id_is_told_of() {
    #[derive(Resource, Default)]
    struct Duplicates(Vec<DuplicateCharacter>);
    let mut game = TestGame::new(ScriptedEngine::silent());
    game.app.init_resource::<Duplicates>().add_observer(
        |event: On<DuplicateCharacter>, mut told: ResMut<Duplicates>| told.0.push(event.clone()),
    );
    let other = game.spawn_npc(WIZARD);
    let entity = game.spawn_npc(WIZARD);
    game.frame();
    let npc = id!("wizard");
    let told = &game.world().resource::<Duplicates>().0;
    let told: Vec<_> = told.iter().map(|t| (t.entity, &t.npc, t.other)).collect();
    assert_eq!(told, [(entity, &npc, other)]);
}

#[test]
fn p3_a_character_without_a_mind_answers_with_nothing_remembered() {
    let mut game = TestGame::new(ScriptedEngine::saying(["Who are you?", "Ann?"]));
    let wizard = game.spawn_npc(WIZARD);
    game.world_mut().entity_mut(wizard).remove::<Mind>();
    game.talk(wizard, "Hello");
    game.talk(wizard, "I am Ann.");
    assert!(game.take_refusals().is_empty());
    let lines = ["Who are you?", "Ann?"].map(SpokenLine::reply);
    assert_eq!(game.take_lines(), lines);
    let mind = game.world().get::<Mind>(wizard);
    assert_eq!(mind.map(|mind| mind.interactions), Some(2));
}

#[test]
fn p1_who_is_neither_the_player_nor_an_actor_is_no_speaker() {
    let mut game = TestGame::new(ScriptedEngine::saying(["Yes?"]));
    let wizard = game.spawn_npc(WIZARD);
    let nobody = game.world_mut().spawn_empty().id();
    let mut commands = game.world_mut().commands();
    commands.entity(wizard).hear(nobody, "Hello");
    game.world_mut().flush();
    game.run_until_idle();
    assert_eq!(game.take_refusals(), [RequestError::UnknownSpeaker]);
    // A player with an actor of its own is still the player.
    let knight = game
        .world_mut()
        .spawn((Player, WorldId(id!("knight"))))
        .id();
    let mut commands = game.world_mut().commands();
    commands.entity(wizard).hear(knight, "Hello");
    game.world_mut().flush();
    game.run_until_idle();
    let context = game.last_run::<InteractionContext>();
    assert_eq!(context.reason, TriggerReason::PlayerUtterance);
    assert_eq!(context.speaker.as_deref(), Some("knight"));
}

#[test]
fn p6_a_character_can_have_generation_settings_of_its_own() {
    let engine = FnEngine::always("Yes?");
    let mut game = TestGame::new(engine.clone());
    game.world_mut().resource_mut::<Limits>().reply_tokens = 100;
    let wizard = game.spawn_npc(WIZARD);
    game.talk(wizard, "Hello");
    let own = LimitOverrides {
        reply_tokens: Some(20),
        temperature: Some(0.0),
        ..default()
    };
    game.world_mut().entity_mut(wizard).insert(NpcLimits(own));
    game.talk(wizard, "Hello");
    let asked = engine.requests();
    let asked: Vec<(u32, f32)> = asked
        .iter()
        .map(|request| (request.max_tokens, request.temperature))
        .collect();
    assert_eq!(asked, [(100, 0.7), (20, 0.0)]);
}

#[test]
fn p16_an_engine_is_asked_as_the_nearest_sampling_says() {
    let engine = FnEngine::always("Well.");
    let mut game = TestGame::new(engine.clone());
    game.install_story(
        r#"(sampling: (temperature: 0.9, top_p: 0.95, max_tokens: 60, stop: ["END"]))"#,
    );
    let own = game
        .spawn_npc(r#"(id: "own", sampling: (temperature: 0.6, min_p: 0.1, repeat_penalty: 1.2))"#);
    let other = game.spawn_npc(r#"(id: "other", limits: (temperature: 0.0, reply_tokens: 5))"#);
    for npc in [own, other] {
        game.talk(npc, "Hello.");
    }
    let asked = engine.requests();
    let asked: Vec<_> = asked
        .iter()
        .map(|request| {
            let stop = request.stop.first().map(String::as_str);
            (
                request.temperature,
                request.max_tokens,
                request.top_p,
                request.min_p,
                request.repeat_penalty,
                stop,
            )
        })
        .collect();
    assert_eq!(
        asked[0],
        (0.6, 60, Some(0.95), Some(0.1), Some(1.2), Some("END"))
    );
    // The settings of a story win over the limits of a character.
    assert_eq!(asked[1], (0.9, 60, Some(0.95), None, None, Some("END")));
}

#[test]
fn p16_another_sampling_is_another_snapshot() {
    let snapshot = |sampling: &str| {
        let mut game = TestGame::new(FnEngine::always("Well."));
        let npc = game.spawn_npc(&format!(r#"(id: "own", sampling: ({sampling}))"#));
        game.talk(npc, "Hello.");
        game.attempts()[0].snapshot
    };
    assert_eq!(
        snapshot(""),
        snapshot("temperature: 0.7"),
        "a snapshot does not depend on the temperature"
    );
    assert_ne!(snapshot(""), snapshot("min_p: 0.1"));
}

#[test]
fn p11_an_entity_that_gets_another_character_leaves_the_mind_of_the_first_behind() {
    const GUARD: &str = r#"(id: "guard", name: "Ada", persona: "You keep the gate.")"#;
    let engine = ManualEngine::default();
    let mut game = TestGame::new(engine.clone());
    game.install_story(HALL);
    let entity = game.spawn_npc(WIZARD);
    game.say(entity, "Hello");
    game.frame();
    engine.last_call().reply("Good evening.");
    game.run_until_idle();
    game.take_outcomes();
    game.say(entity, "Hello again");
    game.say(entity, "Are you there?");
    game.frame();
    let call = engine.last_call();
    let guard = LoadedCharacter::from_ron(GUARD).unwrap();
    game.world_mut().entity_mut(entity).insert(guard);
    game.run_until_idle();
    assert_eq!(game.take_outcomes(), [Outcome::Cancelled]);
    assert_eq!(game.take_refusals(), [RequestError::Despawned]);
    assert!(call.is_dropped());
    let asleep = game.world().resource::<DormantMinds>();
    assert_eq!(asleep.get("wizard").unwrap().episodes.len(), 2);
    assert_eq!(game.mind(entity).episodes.len(), 0);
    assert_eq!(game.entity("guard"), entity);
    let name = game.world().get::<DisplayName>(entity).unwrap();
    assert_eq!(name.0, "Ada");
    // It can take back no line of the first one.
    game.world_mut().commands().retract_last(entity);
    game.frame();
    assert_eq!(game.take_sent::<CommandFailed>().len(), 1);
    // The first one can come back on another entity, and remembers.
    let wizard = game.spawn_npc(WIZARD);
    assert_eq!(game.entity("wizard"), wizard);
    assert_eq!(game.mind(wizard).episodes.len(), 2);
    assert!(game.world().resource::<DormantMinds>().is_empty());
}
