//! What the plugin tells a game about the days of its characters, and what a journal records.

use bevy::prelude::*;
use bevy_dramatis::engine::ScriptedEngine;
use bevy_dramatis::events::{NewsTold, RoutineBlocked, StepWanted};
use bevy_dramatis::journal::{MemoryJournal, MemoryJournalPlugin, RecordKind};
use bevy_dramatis::npc::{Doing, MindChange, MindWrite};
use bevy_dramatis::prelude::*;
use bevy_dramatis::replay::replay;
use bevy_dramatis::testing::TestGame;
use bevy_dramatis::town::WalksItself;
use bevy_dramatis::world::{ReasonCode, WorldRead, WorldView};
use std::time::Duration;

const STORY: &str = "Story(gossip: (every_seconds: 60.0), world: (locations: {
    \"inn\": (name: \"inn\", connected_to: [\"lane\"]),
    \"lane\": (name: \"lane\", connected_to: [\"inn\", \"mill\"]),
    \"mill\": (name: \"mill\", connected_to: [\"lane\"]),
    \"isle\": (name: \"isle\"),
}))";

fn npc(id: &str, place: &str) -> String {
    format!(
        "(id: \"{id}\", name: \"{id}\", location: \"inn\", routine: [(from: \"00:00\", to: \"12:00\", place: \"{place}\", doing: \"works\", done: \"worked\")])"
    )
}

fn place_of(game: &TestGame, id: &str) -> String {
    let place = WorldView::new(game.world()).place_of(id);
    place.map(|place| place.to_string()).unwrap_or_default()
}

fn pass(game: &mut TestGame, millis: i64) {
    game.advance(millis);
    game.frames(2);
}

#[test]
fn l1_a_game_is_told_of_steps_of_what_is_done_and_of_what_is_blocked() {
    let mut game = TestGame::new(ScriptedEngine::silent());
    game.install_story(STORY);
    let ada = game.spawn_npc(&npc("ada", "mill"));
    game.spawn_npc(&npc("bo", "isle"));
    game.frame();
    pass(&mut game, 30_000);
    assert_eq!(
        (
            place_of(&game, "ada").as_str(),
            game.world().get::<Doing>(ada)
        ),
        ("lane", None)
    );
    pass(&mut game, 30_000);
    assert_eq!(place_of(&game, "ada"), "mill");
    assert_eq!(game.world().get::<Doing>(ada).unwrap().text, "works");
    let went: Vec<String> = game
        .take_actions::<MoveTo>()
        .into_iter()
        .map(|step| step.target)
        .collect();
    assert_eq!(went, ["lane", "mill"]);
    let blocked = game.take_sent::<RoutineBlocked>();
    let blocked: Vec<(&str, &str, ReasonCode)> = blocked
        .iter()
        .map(|one| (one.npc.as_str(), one.to.as_str(), one.reason))
        .collect();
    assert_eq!(blocked, [("bo", "isle", ReasonCode::NotFound)]);
    pass(&mut game, 12 * 3_600_000);
    assert_eq!(game.world().get::<Doing>(ada), None);
    assert_eq!(
        game.mind(ada).episodes.get("day-1").unwrap().text,
        "You worked in the mill."
    );
}

#[test]
fn l1_a_game_that_walks_its_characters_says_when_they_are_there() {
    let mut game = TestGame::new(ScriptedEngine::silent());
    game.install_story(STORY);
    let ada = game.spawn_npc(&npc("ada", "mill"));
    game.world_mut()
        .entity_mut(ada)
        .insert(WalksItself(Duration::from_secs(300)));
    game.frames(2);
    let wanted = |game: &mut TestGame| {
        let wanted = game.take_sent::<StepWanted>();
        wanted
            .iter()
            .map(|step| step.to.to_string())
            .collect::<Vec<_>>()
    };
    assert_eq!(wanted(&mut game), ["lane"]);
    pass(&mut game, 100_000);
    assert_eq!(place_of(&game, "ada"), "inn", "it walks");
    game.world_mut().commands().entity(ada).arrived();
    pass(&mut game, 1_000);
    assert_eq!(
        (place_of(&game, "ada").as_str(), wanted(&mut game)),
        ("lane", vec!["mill".to_owned()])
    );
    // If the game never reports the arrival, the character's day still continues.
    pass(&mut game, 299_000);
    assert_eq!(place_of(&game, "ada"), "lane");
    pass(&mut game, 2_000);
    assert_eq!(place_of(&game, "ada"), "mill");
    // A character that is not on its way stays where it is.
    game.world_mut().commands().entity(ada).arrived();
    pass(&mut game, 1_000);
    assert_eq!(
        (place_of(&game, "ada").as_str(), wanted(&mut game).len()),
        ("mill", 0)
    );
}

#[test]
fn l1_a_step_and_a_telling_leave_one_record_each_and_replay() {
    let mut app = App::new();
    app.add_plugins((
        DramatisPlugins::new(ScriptedEngine::saying(["Hm."])),
        MemoryJournalPlugin,
    ));
    let mut game = TestGame::from_app(app);
    game.install_story(STORY);
    let ada = game.spawn_npc(&npc("ada", "mill"));
    let bo = game.spawn_npc(&npc("bo", "mill"));
    game.frame();
    let fire = MindChange::remember(bevy_dramatis::id!("fire"), "You saw a fire.");
    MindWrite::new(bevy_dramatis::id!("ada"), fire)
        .apply_to(game.world_mut())
        .unwrap();
    pass(&mut game, 1_000);
    let count = |game: &TestGame, kind: RecordKind| {
        let recording = game.world().resource::<MemoryJournal>().recording();
        recording
            .records
            .iter()
            .filter(|record| record.kind == kind)
            .count()
    };
    let (writes, minds) = (
        count(&game, RecordKind::Write),
        count(&game, RecordKind::Mind),
    );
    // Both characters go to the mill in one frame, and one tells the other of the fire there, more than a minute later.
    pass(&mut game, 600_000);
    pass(&mut game, 2_000);
    assert_eq!(
        count(&game, RecordKind::Write) - writes,
        4,
        "two steps of two characters"
    );
    assert_eq!(count(&game, RecordKind::Mind) - minds, 1, "one telling");
    let told = game.take_sent::<NewsTold>();
    assert_eq!(
        (told.len(), told[0].to.as_str(), told[0].time.0),
        (1, "bo", 120_000)
    );
    game.talk(bo, "What is new?");
    let times: Vec<i64> = {
        let recording = game.world().resource::<MemoryJournal>().recording();
        recording
            .records
            .iter()
            .map(|record| record.game.0)
            .collect()
    };
    assert!(times.is_sorted(), "{times:?}");
    assert!(
        times.contains(&30_000) && times.contains(&60_000) && times.contains(&120_000),
        "{times:?}"
    );
    let prompt = &game.attempts()[0].prompt;
    assert!(prompt.contains("ada saw a fire."), "{prompt}");
    assert!(prompt.contains("At the moment bo works."), "{prompt}");
    let _ = ada;
    let recording = game.world_mut().resource_mut::<MemoryJournal>().take();
    let report = replay(&recording, &|_| {}).unwrap();
    assert!(report.holds(), "{report:?}");
}

#[test]
fn l1_places_characters_and_corrections_that_change_meanwhile_leave_nothing_half_done() {
    let mut game = TestGame::new(ScriptedEngine::silent());
    game.install_story(STORY);
    let ids: Vec<String> = (0..100).map(|n| format!("n{n}")).collect();
    let crowd: Vec<Entity> = ids
        .iter()
        .map(|id| game.spawn_npc(&npc(id, "mill")))
        .collect();
    game.frame();
    pass(&mut game, 45_000);
    // A hundred characters are in the lane. The game removes the lane, and with it the only way.
    let lane = game.entity("lane");
    game.world_mut().despawn(lane);
    pass(&mut game, 600_000);
    assert_eq!(place_of(&game, "n7"), "", "offstage, it waits");
    let inn = game.entity("inn");
    for npc in &crowd {
        game.world_mut().entity_mut(*npc).insert(PlacedIn(inn));
    }
    pass(&mut game, 120_000);
    assert_eq!(place_of(&game, "n7"), "inn");
    assert_eq!(
        game.take_sent::<RoutineBlocked>().len(),
        100,
        "each is told once"
    );
    // News, corrections of corrections, and a teller that leaves.
    let write = |game: &mut TestGame, id: &str, change: MindChange| {
        MindWrite::new(Id::new(id).unwrap(), change).apply_to(game.world_mut())
    };
    let fire = bevy_dramatis::id!("fire");
    write(
        &mut game,
        "n0",
        MindChange::remember(fire.clone(), "You saw a fire."),
    )
    .unwrap();
    pass(&mut game, 300_000);
    game.world_mut().despawn(crowd[0]);
    pass(&mut game, 60_000);
    for (n, who) in ["n1", "n2", "n1", "n3"].into_iter().enumerate() {
        let text = format!("Truth number {n}.");
        write(
            &mut game,
            who,
            MindChange::Correct {
                id: fire.clone(),
                text,
            },
        )
        .unwrap();
        pass(&mut game, 70_000);
    }
    pass(&mut game, 3_600_000);
    for npc in &crowd[1..] {
        let known: Vec<&str> = game
            .mind(*npc)
            .episodes
            .iter()
            .map(|one| one.text.as_str())
            .collect();
        assert_eq!(known, ["Truth number 3."]);
    }
}

#[test]
fn l6_a_game_without_the_plugin_is_told_that_no_lines_can_be_offered() {
    use bevy_dramatis::npc::RequestError;
    use bevy_dramatis::town::TownPlugin;
    let mut app = App::new();
    let plugins = DramatisPlugins::silent().build().disable::<TownPlugin>();
    app.add_plugins(plugins);
    let mut game = TestGame::from_app(app);
    let ada = game.spawn_npc("(id: \"ada\")");
    game.world_mut().commands().entity(ada).offer_lines();
    game.frames(2);
    assert_eq!(game.take_refusals(), [RequestError::LeftOut("TownPlugin")]);
}
