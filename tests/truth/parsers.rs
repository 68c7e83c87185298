//! What reads the words of a turn: a model, or the built-in parser (row W9).

use super::support::read;
use super::{GUARD, HOUSE};
use bevy::prelude::*;
use bevy_dramatis::actor_turns::EngineParser;
use bevy_dramatis::app::DramatisAppExt;
use bevy_dramatis::authoring::NoFiles;
use bevy_dramatis::engine::{
    Capacity, Engine, EngineCall, EngineEvent, EngineIdentity, EngineRequest, ScriptedEngine, Stage,
};
use bevy_dramatis::plugin::DramatisPlugins;
use bevy_dramatis::replay::replay;
use bevy_dramatis::scenario::{Scenario, record};
use bevy_dramatis::testing::{FnEngine, ManualEngine, TestGame};
use bevy_dramatis::world::actions::{Open, Take};
use bevy_dramatis::world::{ActionRegistry, ReasonCode, WorldRead};

/// Makes this engine read the words of turns.
fn read_by(game: &mut TestGame, engine: impl Engine) {
    game.app
        .add_engine("reader", engine)
        .set_stage_engine(Stage::Parser, "reader")
        .set_action_parser(EngineParser);
}

/// Plays "take the brass key" through a parser that asks this engine.
fn parsed_by(engine: FnEngine) -> (TestGame, FnEngine) {
    let mut game = TestGame::new(ScriptedEngine::silent());
    read_by(&mut game, engine.clone());
    game.install_story(HOUSE);
    let player = game.entity("player");
    game.act(player, "Would I not love that brass key of yours!");
    game.frames(6);
    (game, engine)
}

#[test]
fn w9_a_model_may_read_the_words_and_is_judged_like_any_other() {
    let (mut game, engine) = parsed_by(FnEngine::always(
        r#"{"actions": [{"type": "take", "target": "brass key"}, {"type": "fly"}]}"#,
    ));
    let request = &engine.requests()[0];
    assert_eq!(request.temperature, 0.0);
    assert_eq!(
        (request.stage, request.npc.as_deref()),
        (Stage::Parser, None)
    );
    assert!(
        request.messages[1]
            .content()
            .contains("<heard>Would I not love")
    );
    let record = &game.take_turns()[0];
    assert_eq!(record.actions[0].judgement.result, ReasonCode::Ok);
    assert_eq!(record.rejected[0].rule, "unknown_action");
    assert_eq!(read(&game, |w| w.contents("player")), ["key_1"]);
}

#[test]
fn w9_when_a_model_cannot_read_the_words_the_built_in_parser_does() {
    for answer in ["no JSON", r#"{"actions": {}}"#, ""] {
        let (mut game, _) = parsed_by(FnEngine::always(answer));
        let record = &game.take_turns()[0];
        assert!(
            record.actions.is_empty() && record.rejected.len() == 1,
            "{answer}: {record:?}"
        );
    }
    let failing = |_: u64, _: &EngineRequest| {
        vec![EngineEvent::Failed(
            bevy_dramatis::engine::EngineError::Interrupted("cut".into()),
        )]
    };
    let (mut game, _) = parsed_by(FnEngine::new(failing));
    assert_eq!(game.take_turns().len(), 1);
}

#[test]
fn w9_a_slow_parser_holds_up_nobody_else_and_is_given_up() {
    let engine = ManualEngine::default();
    let mut game = TestGame::new(ScriptedEngine::silent());
    read_by(&mut game, engine.clone());
    game.install_story(HOUSE);
    let (player, _) = (game.entity("player"), game.spawn_npc(GUARD));
    game.act(player, "take the brass key");
    game.perform(
        player,
        Open {
            target: "door".into(),
            tool: None,
        },
    );
    let guard = game.entity("guard");
    game.perform(
        guard,
        Take {
            target: "key_2".into(),
        },
    );
    game.frames(3);
    let actors = |game: &mut TestGame| -> Vec<String> {
        game.take_turns()
            .iter()
            .map(|r| r.actor.to_string())
            .collect()
    };
    assert_eq!(
        actors(&mut game),
        ["guard"],
        "the player's own turns stay in order"
    );
    game.advance(10_000);
    game.frame();
    assert_eq!(actors(&mut game), ["player", "player"]);
    assert_eq!(read(&game, |w| w.contents("player")), ["key_1"]);
    assert!(read(&game, |w| w.attribute("door", "open")) == Some(true.into()));
}

#[test]
fn w9_a_model_that_misreads_is_told_and_may_answer_once_more() {
    let answers = |n: u64, _: &EngineRequest| {
        EngineEvent::whole_reply(match n {
            0 => r#"{"actions": [{"type": "take", "target": "the golden fleece"}]}"#,
            _ => r#"{"actions": [{"type": "take", "target": "key_1"}]}"#,
        })
    };
    let (mut game, engine) = parsed_by(FnEngine::new(answers));
    let asked = engine.requests();
    assert_eq!(asked.len(), 2);
    let (first, second) = (
        asked[0].messages[1].content(),
        asked[1].messages[1].content(),
    );
    assert!(!first.contains("was not accepted"));
    assert!(second.contains("the golden fleece"), "{second}");
    assert_ne!(asked[0].seed, asked[1].seed);
    let record = &game.take_turns()[0];
    assert!(record.rejected.is_empty());
    assert_eq!(read(&game, |w| w.contents("player")), ["key_1"]);

    // The plugin asks at most twice, and also asks again after a reply that it cannot read.
    for answer in [
        r#"{"actions": [{"type": "take", "target": "the moon"}]}"#,
        "I would rather not.",
    ] {
        let (mut game, engine) = parsed_by(FnEngine::always(answer));
        assert_eq!(engine.requests().len(), 2);
        assert_eq!(game.take_turns().len(), 1);
    }
    // If the world denies an action, the parser has not misread the words.
    let not_carried = r#"{"actions": [{"type": "drop", "target": "key_1"}]}"#;
    let (mut game, engine) = parsed_by(FnEngine::always(not_carried));
    assert_eq!(engine.requests().len(), 1);
    let judged = &game.take_turns()[0].actions[0].judgement;
    assert_eq!(judged.result, ReasonCode::MissingRequirement);
}

/// An engine that serves one call at a time.
struct OneAtATime(ManualEngine);

impl Engine for OneAtATime {
    fn identity(&self) -> EngineIdentity {
        self.0.identity()
    }

    fn capacity(&self) -> Capacity {
        Capacity {
            calls: Some(1),
            ..Capacity::default()
        }
    }

    fn start(&self, request: EngineRequest) -> EngineCall {
        self.0.start(request)
    }
}

#[test]
fn w9_the_call_of_a_parser_waits_for_its_turn_like_every_other() {
    let engine = ManualEngine::default();
    let mut app = App::new();
    app.add_plugins(DramatisPlugins::new(OneAtATime(engine.clone())))
        .set_action_parser(EngineParser);
    let mut game = TestGame::from_app(app);
    game.install_story(HOUSE);
    let (player, guard) = (game.entity("player"), game.spawn_npc(GUARD));
    game.say(guard, "Hello?");
    game.frames(2);
    game.act(player, "Would I not love that brass key of yours!");
    game.frames(3);
    assert_eq!(engine.calls().len(), 1, "the guard's");
    engine.last_call().reply("Yes.");
    game.frames(3);
    let stages: Vec<Stage> = engine
        .calls()
        .iter()
        .map(|call| call.request.stage)
        .collect();
    assert_eq!(stages, [Stage::Dialogue, Stage::Parser]);
    engine
        .last_call()
        .reply(r#"{"actions": [{"type": "take", "target": "brass key"}]}"#);
    game.frames(3);
    assert_eq!(read(&game, |w| w.contents("player")), ["key_1"]);
}

#[test]
fn w9_words_that_a_model_read_are_played_again_without_it() {
    const SCENE: &str = r##"Scenario(
        name: "read by a model",
        world: (
            locations: {"yard": (name: "Yard")},
            entities: {
                "kael": (name: "Kael", kind: "character", at: In("yard")),
                "key_1": (name: "brass key", kind: "item", at: In("yard"), attributes: {"takeable": true}),
            },
        ),
        player: "kael",
        replies: [Reply((stage: Parser, text: r#"{"actions": [{"type": "take", "target": "key_1"}]}"#))],
        steps: [Act(actor: "kael", text: "Would I not love that brass key of yours!")],
    )"##;
    let scenario = Scenario::parse(
        SCENE.as_bytes(),
        "scene",
        &NoFiles,
        &ActionRegistry::default(),
    )
    .unwrap();
    let read_by_a_model = |app: &mut App| {
        app.set_action_parser(EngineParser);
    };
    let (played, recording) = record(&scenario, &read_by_a_model);
    let done = &played.trace["turns"][0]["actions"][0];
    assert_eq!(done["result"], "OK", "{}", played.trace);
    let report = replay(&recording, &|_| {}).unwrap();
    assert!(report.holds(), "{:?}", report.divergences.first());
}
