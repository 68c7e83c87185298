//! Turns in a running game: interrupted, changed by the game, with a broken template (contract rows T4, T7 and T8).

use bevy::prelude::*;
use bevy_dramatis::adventure::{
    AdventureCommandsExt, AdventureRecord, CurrentStates, MessageType, Personas, PlayerTurn,
    SceneMarker, StateEntry, Stream, TurnStatus, WaitingCalls,
};
use bevy_dramatis::app::DramatisAppExt;
use bevy_dramatis::base::Millis;
use bevy_dramatis::engine::Stage;
use bevy_dramatis::engine::{EngineError, EngineEvent};
use bevy_dramatis::events::{AdventureTurnEnded, CommandFailed, Retracted, Retraction, ToolCalled};
use bevy_dramatis::id;
use bevy_dramatis::memory::Mind;
use bevy_dramatis::npc::{Baked, Chattiness, HeldStates, LoadedCharacter, MindChange, MindWrite};
use bevy_dramatis::pipeline::StageTemplates;
use bevy_dramatis::plans::{PlanCommandsExt, PlanId};
use bevy_dramatis::proposal::{ToolField, ToolReader, ToolSpec, ToolValue};
use bevy_dramatis::testing::{FnEngine, ManualEngine, TestGame};
use bevy_dramatis::world::WorldId;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

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
        EngineEvent::whole_reply(match request.stage {
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

#[derive(Resource, Default)]
struct Failed(Vec<CommandFailed>);

#[test]
fn t12_commands_play_take_back_and_pick_turns_and_say_what_failed() {
    let mut game = watched(TestGame::new(answering()));
    game.world_mut().init_resource::<Failed>();
    game.world_mut()
        .add_observer(|failed: On<CommandFailed>, mut all: ResMut<Failed>| {
            all.0.push(failed.clone());
        });
    let failed = |game: &TestGame| {
        let all = game.world().resource::<Failed>().0.iter();
        all.map(|failed| failed.command).collect::<Vec<_>>()
    };
    game.world_mut().commands().play_turn(turn());
    game.run_until_idle();
    assert_eq!(ended(&game).len(), 1);
    let messages = |game: &TestGame| {
        let stream = game.world().resource::<Stream>();
        stream
            .messages()
            .iter()
            .filter(|m| stream.is_live(m))
            .count()
    };
    let told = messages(&game);
    assert!(told > 0);
    game.world_mut().commands().redo_turn(1);
    game.run_until_idle();
    game.world_mut().commands().pick_turn(1, 0);
    game.run_until_idle();
    assert_eq!((ended(&game).len(), messages(&game)), (2, told));
    game.world_mut().commands().retract_turn();
    game.run_until_idle();
    assert_eq!((messages(&game), failed(&game)), (0, Vec::new()));
    let mut commands = game.world_mut().commands();
    commands.retract_turn();
    commands.pick_turn(9, 0);
    commands.accept_call(5);
    commands.interrupt_turn();
    commands.approve_plan(PlanId::parse("p7").unwrap());
    game.run_until_idle();
    let all = ["retract_turn", "pick_turn", "accept_call", "approve_plan"];
    assert_eq!(failed(&game), all);
}

#[test]
fn t7_a_new_submission_interrupts_what_has_not_been_committed() {
    let engine = ManualEngine::default();
    let mut game = watched(TestGame::new(engine.clone()));
    game.world_mut().commands().play_turn(turn());
    for _ in 0..5 {
        game.frame();
    }
    let calls = engine.calls();
    assert_eq!(calls.len(), 2, "narrator and extractor");
    game.world_mut().commands().play_turn(turn());
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
fn t12_undo_takes_back_the_turn_that_is_being_played_and_then_the_last_one() {
    let engine = ManualEngine::default();
    let mut game = watched(TestGame::new(engine.clone()));
    game.world_mut().commands().play_turn(turn());
    game.frames(5);
    game.world_mut().commands().retract_turn();
    game.frame();
    assert_eq!(ended(&game)[0].status(), TurnStatus::Failed);
    assert_eq!(game.take_sent::<Retraction>(), []);
    assert_eq!(game.take_sent::<CommandFailed>(), []);
    game.world_mut().commands().retract_turn();
    game.frame();
    let failed = game.take_sent::<CommandFailed>();
    assert!(
        failed[0].error.starts_with("NothingToRetract"),
        "{failed:?}"
    );
}

#[test]
fn t4_the_game_changes_who_acts() {
    let mut game = watched(TestGame::new(answering()));
    let ivo = game.spawn_npc(r#"(id: "ivo", chattiness: 100)"#);
    let mira = game.spawn_npc(r#"(id: "mira", chattiness: 0)"#);
    game.world_mut().commands().play_turn(turn());
    game.run_until_idle();
    game.world_mut().entity_mut(ivo).insert(Chattiness(0));
    game.world_mut().entity_mut(mira).insert(Baked(true));
    game.world_mut().commands().play_turn(turn());
    game.run_until_idle();
    let active = |record: &AdventureRecord| -> Vec<String> {
        record.active().map(ToString::to_string).collect()
    };
    assert_eq!(active(&ended(&game)[0]), ["ivo"]);
    assert_eq!(active(&ended(&game)[1]), ["mira"]);
}

#[test]
fn t4_what_a_file_says_of_activity_stands_on_the_entity() {
    let mut game = TestGame::new(answering());
    let ivo = game.spawn_npc(r#"(id: "ivo", chattiness: 30)"#);
    game.frame();
    let of = |game: &TestGame| {
        let world = game.world();
        let chattiness = world.get::<Chattiness>(ivo).map(|own| own.0);
        (chattiness, world.get::<Baked>(ivo).map(|own| own.0))
    };
    assert_eq!(of(&game), (Some(30), Some(false)));
    let write = |game: &mut TestGame, chattiness: u8| {
        let mut other = (*game.world().get::<LoadedCharacter>(ivo).unwrap().0).clone();
        other.chattiness = chattiness;
        let other = LoadedCharacter(Arc::new(other));
        game.world_mut().entity_mut(ivo).insert(other);
        game.frame();
    };
    write(&mut game, 60);
    assert_eq!(of(&game).0, Some(60), "another version of the file");
    game.world_mut().entity_mut(ivo).insert(Chattiness(5));
    write(&mut game, 70);
    assert_eq!(of(&game).0, Some(5), "the game has set it");
}

#[test]
fn t5_what_a_character_and_a_persona_are_like_is_on_their_entities() {
    let mut game = TestGame::new(answering());
    let proud = r#"(label: "proud", category: "core", level: 3, held: true)"#;
    let ivo = game.spawn_npc(&format!(r#"(id: "ivo", states: [{proud}])"#));
    let mira = game.spawn_npc(r#"(id: "mira")"#);
    game.frame();
    let of = |game: &TestGame, entity: Entity| {
        let shown = game.world().get::<CurrentStates>(entity);
        shown.map(|shown| {
            let states = shown.0.iter();
            let states = states.map(|state| (state.label.clone(), state.level, state.held));
            states.collect::<Vec<_>>()
        })
    };
    let proud = |held| ("proud".to_owned(), 3, held);
    assert_eq!(of(&game, ivo), Some(vec![proud(true)]));
    assert_eq!(of(&game, mira), None, "she has no states");
    let change = MindChange::State {
        category: "temporal".to_owned(),
        label: "wary".to_owned(),
        level: 12,
    };
    let write = MindWrite::new(id!("ivo"), change);
    write.apply_to(game.world_mut()).unwrap();
    game.frame();
    let wary = ("wary".to_owned(), 12, false);
    assert_eq!(of(&game, ivo), Some(vec![proud(true), wary.clone()]));
    game.world_mut()
        .entity_mut(ivo)
        .insert(HeldStates(Vec::new()));
    game.frame();
    assert_eq!(of(&game, ivo), Some(vec![proud(false), wary.clone()]));
    game.world_mut().entity_mut(ivo).remove::<HeldStates>();
    game.frame();
    assert_eq!(of(&game, ivo), Some(vec![proud(true), wary]));

    let player = game.player;
    let id = WorldId(id!("player"));
    game.world_mut().entity_mut(player).insert(id);
    let tired = StateEntry {
        label: "tired".to_owned(),
        category: "temporal".to_owned(),
        level: 9,
        held: false,
    };
    let mut personas = game.world_mut().resource_mut::<Personas>();
    let persona = personas.0.entry(id!("player")).or_default();
    persona.states = vec![tired];
    game.frame();
    assert_eq!(
        of(&game, player),
        Some(vec![("tired".to_owned(), 9, false)])
    );
    let mut personas = game.world_mut().resource_mut::<Personas>();
    personas.0.get_mut(&id!("player")).unwrap().states.clear();
    game.frame();
    assert_eq!(of(&game, player), Some(Vec::new()));
}

/// Plays frames, and answers whatever is asked.
fn answer(game: &mut TestGame, engine: &ManualEngine) {
    for _ in 0..40 {
        for call in engine.calls() {
            call.reply(match call.request.stage {
                Stage::Narrator => "It is so.",
                _ => r#"{"calls": []}"#,
            });
        }
        game.frame();
    }
}

/// The numbers of the turns that were played, as the stream counts them.
fn turns_of(game: &TestGame) -> Vec<u64> {
    let stream = game.world().resource::<Stream>();
    let live = stream.messages().iter().filter(|m| stream.is_live(m));
    let mut turns: Vec<u64> = live.map(|message| message.turn_id).collect();
    turns.dedup();
    turns
}

#[test]
fn t12_a_turn_is_played_again_while_another_one_is_played() {
    let engine = ManualEngine::default();
    let mut game = watched(TestGame::new(engine.clone()));
    game.world_mut().commands().play_turn(turn());
    answer(&mut game, &engine);
    game.world_mut().commands().play_turn(turn());
    for _ in 0..5 {
        game.frame();
    }
    game.world_mut().commands().redo_turn(1);
    answer(&mut game, &engine);
    let status: Vec<_> = ended(&game)
        .iter()
        .map(|record| (record.turn_id, record.status()))
        .collect();
    let (played, failed) = (TurnStatus::Committed, TurnStatus::Failed);
    assert_eq!(status, [(1, played), (2, failed), (2, played)]);
    assert_eq!(turns_of(&game), [2]);
    // Back to what was played first, also in the middle of a turn.
    game.world_mut().commands().play_turn(turn());
    for _ in 0..5 {
        game.frame();
    }
    game.world_mut().commands().pick_turn(2, 0);
    answer(&mut game, &engine);
    assert_eq!(turns_of(&game), [1]);
}

#[test]
fn t7_a_turn_whose_repetition_failed_can_be_played_again() {
    let works = Arc::new(AtomicBool::new(true));
    let is_up = works.clone();
    let engine = FnEngine::new(move |_, request| match is_up.load(Ordering::Relaxed) {
        true => EngineEvent::whole_reply(match request.stage {
            Stage::Narrator => "It is so.",
            _ => r#"{"calls": []}"#,
        }),
        false => vec![EngineEvent::Failed(EngineError::Unreachable("gone".into()))],
    });
    let mut game = watched(TestGame::new(engine));
    game.world_mut().commands().play_turn(turn());
    game.run_until_idle();
    works.store(false, Ordering::Relaxed);
    game.world_mut().commands().redo_turn(1);
    game.run_until_idle();
    assert_eq!(turns_of(&game), Vec::<u64>::new());
    works.store(true, Ordering::Relaxed);
    game.world_mut().commands().redo_turn(1);
    game.run_until_idle();
    assert!(game.take_sent::<CommandFailed>().is_empty());
    assert_eq!(turns_of(&game).len(), 1);
}

#[test]
fn t9_a_marker_that_is_set_while_a_turn_is_played_begins_the_next_one() {
    let engine = ManualEngine::default();
    let mut game = watched(TestGame::new(engine.clone()));
    let markers = |game: &TestGame| -> Vec<u64> {
        let stream = game.world().resource::<Stream>();
        let all = stream.messages().iter();
        all.filter(|message| message.kind == MessageType::SceneMarker)
            .map(|message| message.turn_id)
            .collect()
    };
    game.world_mut().commands().play_turn(turn());
    for _ in 0..5 {
        game.frame();
    }
    let skip = SceneMarker::TimeSkip(Millis(60_000));
    game.world_mut().commands().set_marker(id!("player"), skip);
    answer(&mut game, &engine);
    assert_eq!(markers(&game), Vec::<u64>::new());
    game.world_mut().commands().play_turn(turn());
    answer(&mut game, &engine);
    assert_eq!(markers(&game), [2]);
}

#[test]
fn t9_time_goes_on_and_a_persona_leaves_where_it_is() {
    let mut game = TestGame::new(answering());
    let nowhere = SceneMarker::LocationChange {
        from: id!("here"),
        to: id!("nowhere"),
    };
    for (marker, wrong) in [
        (SceneMarker::TimeSkip(Millis(-1)), Some("back in time")),
        (nowhere, Some("nowhere")),
        (SceneMarker::TimeSkip(Millis(0)), None),
    ] {
        let player = id!("player");
        game.world_mut().commands().set_marker(player, marker);
        game.frame();
        let failed = game.take_sent::<CommandFailed>();
        let failed = failed.first().map(|failed| failed.error.as_str());
        assert_eq!(failed.is_some(), wrong.is_some(), "{failed:?}");
        assert!(
            failed
                .unwrap_or_default()
                .contains(wrong.unwrap_or_default()),
            "{failed:?}"
        );
    }
}

#[test]
fn t8_a_template_that_cannot_be_rendered_fails_the_turn_with_its_stage() {
    let mut game = watched(TestGame::new(answering()));
    let mut templates = game.world_mut().resource_mut::<StageTemplates>();
    templates.set("lore_extractor", "{{> nowhere}}").unwrap();
    game.world_mut().commands().play_turn(turn());
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
    game.world_mut()
        .commands()
        .play_turn(PlayerTurn::new(id!("player"), everybody));
    game.run_until_idle();
    let record = &ended(&game)[0];
    assert_eq!(
        record.status(),
        TurnStatus::Committed,
        "{:?}",
        record.failure
    );
    assert_eq!(record.calls(), 3 + 4 * 64);
}

/// An engine whose extractors say this, without being sure.
fn unsure(reply: &'static str) -> FnEngine {
    FnEngine::new(move |_, request| {
        EngineEvent::whole_reply(match request.stage {
            Stage::Narrator => "It is so.",
            Stage::PersonaExtractor => reply,
            _ => r#"{"calls": []}"#,
        })
    })
}

#[test]
fn t6_what_is_not_sure_waits_until_the_player_answers() {
    let engine = unsure(
        r#"{"calls": [
            {"tool": "state_set", "category": "core", "label": "kind", "level": 9, "confidence": 0.2},
            {"tool": "state_set", "category": "core", "label": "bold", "level": 8, "confidence": 0.1},
            {"tool": "state_set", "category": "odd", "label": "green", "level": 8, "confidence": 0.1}]}"#,
    );
    let mut game = watched(TestGame::new(engine));
    game.world_mut().commands().play_turn(turn());
    game.run_until_idle();
    let waiting: Vec<u64> = game
        .world()
        .resource::<WaitingCalls>()
        .iter()
        .map(|(number, _)| number)
        .collect();
    assert_eq!(waiting.len(), 3);
    let states = |game: &TestGame| {
        let personas = &game.world().resource::<Personas>().0;
        let states = personas[&id!("player")].states.iter();
        states
            .map(|state| (state.label.clone(), state.level))
            .collect::<Vec<_>>()
    };
    assert_eq!(states(&game), []);
    game.world_mut().commands().accept_call(waiting[0]);
    game.world_mut().commands().refuse_call(waiting[1]);
    game.frame();
    assert_eq!(states(&game), [("kind".to_owned(), 9)]);
    assert_eq!(game.take_sent::<CommandFailed>(), []);
    let gone = [waiting[0], waiting[1], 999];
    for number in gone {
        game.world_mut().commands().accept_call(number);
        game.world_mut().commands().refuse_call(number);
    }
    // The story does not define this category.
    game.world_mut().commands().accept_call(waiting[2]);
    game.frame();
    let failed = game.take_sent::<CommandFailed>();
    assert_eq!(failed.len(), 7, "{failed:?}");
    for (failed, number) in failed
        .iter()
        .zip(gone.into_iter().flat_map(|one| [one, one]))
    {
        let named = failed.error.contains(&number.to_string());
        assert!(
            failed.error.starts_with("NoSuchCall") && named,
            "{failed:?}"
        );
    }
    assert!(failed[6].error.contains("odd"), "{:?}", failed[6]);
    assert_eq!(game.world().resource::<WaitingCalls>().iter().count(), 1);
    game.world_mut().commands().retract_turn();
    game.frame();
    let taken_back = game.take_sent::<Retraction>();
    assert_eq!(taken_back[0].what, Retracted::Turn(1));
    assert_eq!(game.world().resource::<WaitingCalls>().iter().count(), 0);
}

#[test]
fn t6_what_the_game_holds_no_extractor_changes() {
    let engine = FnEngine::new(|_, request| {
        EngineEvent::whole_reply(match request.stage {
            Stage::Narrator => "It is so.",
            Stage::NpcIntent => "I wait.",
            Stage::CharacterExtractor => {
                r#"{"calls": [{"tool": "state_set", "category": "core", "label": "proud", "level": 1},
                    {"tool": "state_set", "category": "core", "label": "calm", "level": 2}]}"#
            }
            _ => r#"{"calls": []}"#,
        })
    });
    let mut game = watched(TestGame::new(engine));
    let npc = game.spawn_npc(r#"(id: "mira", name: "Mira")"#);
    let state = |label: &str, level| MindChange::State {
        category: "core".to_owned(),
        label: label.to_owned(),
        level,
    };
    let whose = game
        .world()
        .get::<LoadedCharacter>(npc)
        .unwrap()
        .0
        .id
        .clone();
    let write = |game: &mut TestGame, change| {
        MindWrite::new(whose.clone(), change).apply_to(game.world_mut())
    };
    write(&mut game, state("proud", 20)).unwrap();
    write(&mut game, state("calm", 200)).unwrap();
    let held = HeldStates(vec![("Core".to_owned(), "PROUD".to_owned())]);
    game.world_mut().entity_mut(npc).insert((held, Baked(true)));
    game.world_mut().commands().play_turn(turn());
    game.run_until_idle();
    let states = &game.world().get::<Mind>(npc).unwrap().states;
    let core = |label: &str, level| (label.to_owned(), "core".to_owned(), level);
    assert_eq!(*states, [core("proud", 20), core("calm", 2)]);
    // The game can still take the turn back.
    game.world_mut().commands().retract_turn();
    game.frame();
    let states = &game.world().get::<Mind>(npc).unwrap().states;
    assert_eq!(*states, [core("proud", 20), core("calm", 30)]);
    for i in 0..100 {
        let written = write(&mut game, state(&i.to_string(), 1));
        assert_eq!(written.is_err(), i >= 62, "{i}");
    }
}

#[derive(Resource, Default)]
struct Called(Vec<ToolCalled>);

#[test]
fn t6_a_game_adds_tools_to_the_extractors() {
    let engine = FnEngine::new(|_, request| {
        if request.stage == Stage::PersonaExtractor {
            let schema = request.schema.as_ref().unwrap().to_string();
            assert!(schema.contains("promise") && schema.contains("confidence"));
            assert!(
                request
                    .messages
                    .iter()
                    .any(|message| message.content().contains("notes a promise"))
            );
        }
        EngineEvent::whole_reply(match request.stage {
            Stage::Narrator => "It is so.",
            Stage::PersonaExtractor => {
                r#"{"calls": [
                    {"tool": "promise", "what": "a horse", "days": 3, "sworn": true, "to": "ada"},
                    {"tool": "promise", "what": "a horse", "days": 3, "sworn": true, "to": "ada"},
                    {"tool": "promise", "what": "a cow", "days": 400, "sworn": true, "to": "ada"},
                    {"tool": "promise", "what": "a cow", "days": 4, "sworn": "yes", "to": "ada"},
                    {"tool": "promise", "what": "a cow", "days": 4, "sworn": true, "to": "cy"},
                    {"tool": "promise", "what": "The king is not alive.", "days": 4, "sworn": true, "to": "bo"},
                    {"tool": "promise", "what": "a pig", "days": 5, "sworn": false, "to": "bo", "confidence": 0.1}]}"#
            }
            // The other extractors do not offer this tool.
            _ => {
                r#"{"calls": [{"tool": "promise", "what": "x", "days": 1, "sworn": true, "to": "ada"}]}"#
            }
        })
    });
    let mut game = watched(TestGame::new(engine));
    game.install_story(r#"(canon: [(id: "king", text: "The king is alive")])"#);
    let promise = ToolSpec::new("promise", "notes a promise", ToolReader::Personas)
        .field("what", ToolField::Text(40))
        .field("days", ToolField::Whole(0, 365))
        .field("sworn", ToolField::Truth)
        .field(
            "to",
            ToolField::OneOf(vec!["ada".to_owned(), "bo".to_owned()]),
        );
    game.app.add_tool(promise);
    game.world_mut().init_resource::<Called>();
    game.world_mut()
        .add_observer(|called: On<ToolCalled>, mut all: ResMut<Called>| all.0.push(called.clone()));
    game.world_mut().commands().play_turn(turn());
    game.run_until_idle();
    assert_eq!(ended(&game)[0].status(), TurnStatus::Committed);
    let called = &game.world().resource::<Called>().0;
    assert_eq!(called.len(), 1, "{called:?}");
    assert_eq!(
        called[0].fields["what"],
        ToolValue::Text("a horse".to_owned())
    );
    assert_eq!(called[0].fields["days"], ToolValue::Whole(3));
    assert_eq!(called[0].npc, Some(id!("player")));
    let waiting = game.world().resource::<WaitingCalls>().iter().next();
    let number = waiting.unwrap().0;
    game.world_mut().commands().accept_call(number);
    game.frame();
    let called = &game.world().resource::<Called>().0;
    assert_eq!(called[1].fields["sworn"], ToolValue::Truth(false));
}
