//! The panel of the engines: who is served, and in which slot.

use super::*;
use crate::engine::{Capacity, Engine, EngineCall, EngineIdentity, EngineRequest, Engines};
use crate::testing::{ManualEngine, TestGame};

/// An engine with two slots.
struct TwoSlots(ManualEngine);

impl Engine for TwoSlots {
    fn identity(&self) -> EngineIdentity {
        self.0.identity()
    }

    fn capacity(&self) -> Capacity {
        Capacity {
            calls: Some(2),
            slots: true,
            ..Capacity::default()
        }
    }

    fn start(&self, request: EngineRequest) -> EngineCall {
        self.0.start(request)
    }
}

#[test]
fn i3_an_engine_shows_who_has_which_slot_and_who_waits() {
    let mut app = App::new();
    let engine = ManualEngine::default();
    app.add_plugins(DramatisPlugins::new(TwoSlots(engine.clone())));
    let mut game = TestGame::from_app(app);
    let npcs = ["cook", "smith", "monk"];
    let npcs = npcs.map(|id| game.spawn_npc(&format!(r#"(id: "{id}", persona: "You wait.")"#)));
    game.say(npcs[0], "Hello?");
    game.frames(4);
    let mut app = game.app;
    let mut watched = Watched::new(on(Tab::Engine));
    watched.assert_shows(
        &mut app,
        &[
            "1 call in flight of at most 2, 0 runs wait for a turn",
            "slot 0: run 0, cook",
            "slot 1: free",
        ],
    );
    for npc in &npcs[1..] {
        let id = app.world().get::<WorldId>(*npc).unwrap().0.to_string();
        let request = crate::npc::Request::speech("player", "player", "And you?");
        crate::npc::submit::submit_request(app.world_mut(), &id, request);
    }
    for _ in 0..4 {
        app.update();
    }
    watched.assert_shows(
        &mut app,
        &[
            "2 calls in flight of at most 2, 1 run waits for a turn",
            "slot 1: run 1, smith",
        ],
    );
}

#[test]
fn i3_each_engine_has_its_own_identity() {
    let mut app = after_a_run();
    let named = ScriptedEngine::saying(["Hm."]);
    let mut engines = app.world_mut().resource_mut::<Engines>();
    engines.add("narrator", named);
    app.update();
    let view = InspectorView::of(app.world_mut());
    let engines = view.engines.iter();
    let known: Vec<_> = engines.map(|e| (e.name, e.identity.is_some())).collect();
    assert_eq!(known, [(None, true), (Some("narrator"), true)]);
    let mut watched = Watched::new(on(Tab::Engine));
    watched.assert_shows(&mut app, &["The default engine: ready", "narrator: ready"]);
}

#[test]
fn i3_what_waits_for_a_character_is_listed() {
    let mut app = App::new();
    app.add_plugins(DramatisPlugins::new(ManualEngine::default()));
    let mut game = TestGame::from_app(app);
    let cook = game.spawn_npc(r#"(id: "cook", persona: "You cook.")"#);
    for words in ["Hello?", "What is for dinner?"] {
        game.say(cook, words);
        game.frames(3);
    }
    let mut watched = Watched::new(on(Tab::Characters));
    watched.assert_shows(
        &mut game.app,
        &["thinks, attempt 0", "waits, 1: player: What is for dinner?"],
    );
}

#[test]
fn l1_the_day_the_groups_and_the_news_of_a_character_are_shown() {
    let mut app = App::new();
    app.add_plugins(DramatisPlugins::new(ManualEngine::default()));
    let mut game = TestGame::from_app(app);
    game.install_story(
        r#"Story(gossip: (), groups: {"guild": (name: "the guild", members: ["cook"])},
            world: (locations: {"inn": (name: "inn", connected_to: ["yard"]), "yard": (name: "yard")}))"#,
    );
    game.spawn_npc(
        r#"(id: "cook", name: "Cook", location: "inn",
            routine: [(from: "00:00", to: "24:00", place: "inn", doing: "plucks geese", busy: true)])"#,
    );
    game.spawn_npc(
        r#"(id: "maid", name: "Maid", location: "inn",
            routine: [(from: "00:00", to: "24:00", place: "yard", doing: "sweeps")],
            memories: [(id: "ring", text: "You found a ring.", significance: 0.9)])"#,
    );
    game.spawn_npc(
        r#"(id: "boy", name: "Boy", location: "inn",
            memories: [(id: "mouse", text: "You saw a mouse.", significance: 0.9)])"#,
    );
    game.frame();
    let mut watched = Watched::new(on(Tab::Characters));
    let way = "by its routine: on its way to the yard (sweeps)";
    watched.assert_shows(&mut game.app, &[way, "belongs to the guild"]);
    game.advance(700_000);
    game.frames(3);
    let shown = [
        "by its routine: plucks geese, busy",
        "Boy told it, over 1 telling: Boy saw a mouse.",
    ];
    watched.assert_shows(&mut game.app, &shown);
}
