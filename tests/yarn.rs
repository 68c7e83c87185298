//! Characters in dialogues of Yarn Spinner (contract row X9).

use bevy::ecs::system::RunSystemOnce;
use bevy::prelude::*;
use bevy_dramatis::base::Millionths;
use bevy_dramatis::engine::ScriptedEngine;
use bevy_dramatis::id;
use bevy_dramatis::memory::Relationship;
use bevy_dramatis::npc::{MindChange, MindWrite, Player};
use bevy_dramatis::plugin::{DramatisPlugins, EngineSource};
use bevy_dramatis::testing::{FnEngine, ManualEngine, TestGame, change_mind};
use bevy_dramatis::world::actions::{Open, Take};
use bevy_dramatis::world::{GameWrite, WorldId};
use bevy_dramatis::yarn::{YarnPlugin, YarnTalk};
use bevy_yarnspinner::events::PresentLine;
use bevy_yarnspinner::prelude::*;

const HOUSE: &str = include_str!("fixtures/house.story.ron");
const ODO: &str = r#"(id: "odo", name: "Odo", persona: "You keep the house.", location: "hall", may: ["open"],
    constraints: [(id: "no_gold", kind: Prohibition, severity: Hard, description: "Never speak of the gold.",
        patterns: ["gold"])],
    fallbacks: (generic: ["Move along."]),
)"#;
/// A character outside the story's world, whose authored line looks like markup.
const RUNE: &str = r#"(id: "rune", name: "Rune", persona: "You are a stone.",
    fallbacks: (generic: ["Read [b]this: it is 10:30 \\"]))"#;
const BRAM: &str =
    r#"(id: "bram", name: "Bram", persona: "You sleep.", fallbacks: (generic: ["Hm."]))"#;
/// The most frames of a dialogue.
const MOST_FRAMES: usize = 120;

/// The lines that the dialogue showed.
#[derive(Resource, Default)]
struct Shown(Vec<String>);

fn show(shown: On<PresentLine>, mut lines: ResMut<Shown>, mut runners: Query<&mut DialogueRunner>) {
    lines.0.push(shown.line.text.clone());
    if let Ok(mut runner) = runners.get_mut(shown.entity) {
        runner.continue_in_next_update();
    }
}

/// The declarations that each dialogue begins with.
const DECLARED: &str = r#"<<declare $npc_outcome = "">>
<<declare $npc_line = "">>
<<declare $npc_action = "">>
<<declare $choices = 0>>
<<declare $choice_1 = "">>
<<declare $choice_2 = "">>
"#;

/// A game with a node `Start`, and a node `Other`.
fn game_of(engine: impl Into<EngineSource>, start: &str, other: &str) -> TestGame {
    let source =
        format!("title: Start\n---\n{DECLARED}{start}\n===\ntitle: Other\n---\n{other}\n===\n");
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, AssetPlugin::default()))
        .add_plugins(DramatisPlugins::new(engine))
        .add_plugins((
            YarnSpinnerPlugin::with_yarn_source(YarnFile::new("test.yarn", source)),
            YarnPlugin,
        ))
        .init_resource::<Shown>()
        .add_observer(show);
    let mut game = TestGame::from_app(app);
    let is_there = (0..MOST_FRAMES).any(|_| {
        game.frame();
        game.world().contains_resource::<YarnProject>()
    });
    assert!(is_there, "the project is compiled");
    game
}

fn game(engine: impl Into<EngineSource>, start: &str) -> TestGame {
    game_of(engine, start, "Narrator: This is another node.")
}

fn begin_at(game: &mut TestGame, node: &'static str) -> Entity {
    let made = game.world_mut().run_system_once(
        move |mut commands: Commands, project: Res<YarnProject>| {
            let mut runner = project.create_dialogue_runner(&mut commands);
            runner.start_node(node);
            commands.spawn(runner).id()
        },
    );
    made.expect("the project is there")
}

fn begin(game: &mut TestGame) -> Entity {
    begin_at(game, "Start")
}

fn is_running(game: &TestGame, runner: Entity) -> bool {
    let runner = game.world().get::<DialogueRunner>(runner);
    runner.is_some_and(DialogueRunner::is_running)
}

/// Plays frames until the dialogue is over.
fn play(game: &mut TestGame, runner: Entity) {
    let is_over = (0..MOST_FRAMES).any(|_| {
        game.frame();
        !is_running(game, runner)
    });
    assert!(is_over, "the dialogue waits without end");
}

fn held(game: &TestGame, runner: Entity, name: &str) -> String {
    let runner = game.world().get::<DialogueRunner>(runner);
    let runner = runner.expect("the runner is there");
    String::from(runner.variable_storage().get(name).expect("it is declared"))
}

fn outcome(game: &TestGame, runner: Entity) -> String {
    held(game, runner, "$npc_outcome")
}

fn shown(game: &TestGame) -> Vec<&str> {
    let shown = game.world().resource::<Shown>();
    shown.0.iter().map(String::as_str).collect()
}

const ASK: &str = r#"<<ask odo "Good evening.">>
Odo: {$npc_line}
<<if $npc_outcome == "accepted">>
Narrator: He was heard.
<<elseif $npc_outcome == "fallback">>
Narrator: He would not say.
<<else>>
Narrator: There was silence.
<<endif>>"#;

#[test]
fn x9_a_yarn_node_asks_a_character_and_goes_on_by_what_was_approved() {
    let mut game = game(ScriptedEngine::saying(["Come in."]), ASK);
    game.install_story(HOUSE);
    let odo = game.spawn_npc(ODO);
    let runner = begin(&mut game);
    play(&mut game, runner);
    assert_eq!(shown(&game), ["Odo: Come in.", "Narrator: He was heard."]);
    assert_eq!(held(&game, runner, "$npc_action"), "");
    assert_eq!(game.mind(odo).exchanges().len(), 1);
}

#[test]
fn x9_words_that_were_refused_never_reach_a_variable() {
    let mut game = game(FnEngine::always("The gold is here."), ASK);
    game.install_story(HOUSE);
    game.spawn_npc(ODO);
    let runner = begin(&mut game);
    play(&mut game, runner);
    assert_eq!(
        shown(&game),
        ["Odo: Move along.", "Narrator: He would not say."]
    );
    let storage = game.world().get::<DialogueRunner>(runner).unwrap();
    let all = storage.variable_storage().variables();
    assert!(!all.values().any(|held| String::from(held).contains("gold")));
}

#[test]
fn x9_an_approved_action_is_named_and_done_before_the_node_goes_on() {
    let engine = ScriptedEngine::saying(["Come in. [INTENT: open door]"]);
    let mut game = game(engine, ASK);
    game.install_story(HOUSE);
    game.spawn_npc(ODO);
    let runner = begin(&mut game);
    play(&mut game, runner);
    assert_eq!(held(&game, runner, "$npc_action"), "open");
    assert_eq!(game.take_actions::<Open>()[0].target, "door");
}

#[test]
fn x9_an_unknown_character_fails_and_the_dialogue_goes_on() {
    for wrong in [
        r#"<<ask ghost "Good evening.">>"#,
        r#"<<ask odo "">>"#,
        "<<ask odo>>",
        "<<ask>>",
        r#"<<ask "two words" "Good evening.">>"#,
    ] {
        let mut game = game(
            FnEngine::always("Come in."),
            &format!("{wrong}\nNarrator: On."),
        );
        game.install_story(HOUSE);
        game.spawn_npc(ODO);
        let runner = begin(&mut game);
        play(&mut game, runner);
        assert_eq!(outcome(&game, runner), "failed", "{wrong}");
        assert_eq!(shown(&game), ["Narrator: On."], "{wrong}");
    }
}

#[test]
fn x9_without_one_player_an_ask_fails_until_the_game_names_it() {
    let mut game = game(FnEngine::always("Come in."), ASK);
    game.install_story(HOUSE);
    game.spawn_npc(ODO);
    game.world_mut().spawn((Player, WorldId(id!("second"))));
    let runner = begin(&mut game);
    play(&mut game, runner);
    assert_eq!(outcome(&game, runner), "failed");
    let runner = begin(&mut game);
    let player = game.player;
    let talk = YarnTalk {
        player,
        remember: false,
    };
    game.world_mut().entity_mut(runner).insert(talk);
    play(&mut game, runner);
    assert_eq!(outcome(&game, runner), "accepted");
}

#[test]
fn x9_a_character_that_leaves_while_it_is_asked_fails() {
    let mut game = game(ManualEngine::default(), ASK);
    game.install_story(HOUSE);
    let odo = game.spawn_npc(ODO);
    let runner = begin(&mut game);
    game.frames(10);
    assert!(is_running(&game, runner), "it waits");
    assert!(shown(&game).is_empty());
    game.world_mut().despawn(odo);
    play(&mut game, runner);
    assert_eq!(shown(&game), ["Odo: ", "Narrator: There was silence."]);
}

#[test]
fn x9_a_run_that_is_cancelled_fails() {
    let mut game = game(ManualEngine::default(), ASK);
    game.install_story(HOUSE);
    let odo = game.spawn_npc(ODO);
    let runner = begin(&mut game);
    game.frames(10);
    game.cancel_run(odo);
    play(&mut game, runner);
    assert_eq!(outcome(&game, runner), "failed");
}

#[test]
fn x9_a_runner_that_is_stopped_or_despawned_while_it_waits_does_no_harm() {
    let engine = ManualEngine::default();
    let mut game = game(engine.clone(), ASK);
    game.install_story(HOUSE);
    game.spawn_npc(ODO);
    let runner = begin(&mut game);
    game.frames(10);
    // In one frame the game stops the dialogue and begins another: the other node waits for nothing.
    let mut dialogue = game.world_mut().get_mut::<DialogueRunner>(runner).unwrap();
    dialogue.stop().start_node("Other");
    play(&mut game, runner);
    assert_eq!(shown(&game), ["Narrator: This is another node."]);
    engine.last_call().reply("Come in.");
    game.frames(5);
    assert_eq!(outcome(&game, runner), "", "no node asks any more");

    let runner = begin(&mut game);
    game.frames(10);
    game.world_mut().despawn(runner);
    engine.last_call().reply("Come in.");
    game.run_until_idle();
}

#[test]
fn x9_brackets_and_colons_in_a_line_are_shown_as_they_are() {
    let ask = "<<ask rune \"What is it?\">>\nRune: {$npc_line}";
    let mut game = game(ScriptedEngine::silent(), ask);
    game.spawn_npc(RUNE);
    let runner = begin(&mut game);
    play(&mut game, runner);
    assert_eq!(shown(&game), ["Rune: Read [b]this: it is 10:30"]);
    assert_eq!(outcome(&game, runner), "fallback");
}

#[test]
fn x9_any_text_can_be_asked_through_a_variable() {
    let mut game = game(FnEngine::always("Come in."), "<<ask odo $choice_1>>");
    game.install_story(HOUSE);
    let odo = game.spawn_npc(ODO);
    let runner = begin(&mut game);
    let mut dialogue = game.world_mut().get_mut::<DialogueRunner>(runner).unwrap();
    let storage = dialogue.variable_storage_mut();
    let words = YarnValue::from("He said \"why?\"");
    storage.set("$choice_1".to_owned(), words).unwrap();
    play(&mut game, runner);
    assert_eq!(outcome(&game, runner), "accepted");
    let heard = game.mind(odo).exchanges().next().unwrap().1;
    assert_eq!(heard, "He said \"why?\"");
}

/// What a character remembers of authored lines.
fn authored(game: &TestGame, npc: Entity) -> Vec<&str> {
    let episodes = game.mind(npc).episodes.iter();
    let authored = episodes.filter(|episode| episode.id.starts_with("yarn-"));
    authored.map(|episode| episode.text.as_str()).collect()
}

#[test]
fn x9_authored_lines_become_memories_where_the_game_says_so() {
    const LINES: &str = "Odo: My key fell into the well.
Player: How sad.
Odo: My key fell into the well.
<<ask odo \"What now?\">>
Odo: {$npc_line}";
    for remember in [true, false] {
        let mut game = game(FnEngine::always("Come in."), LINES);
        game.install_story(HOUSE);
        let odo = game.spawn_npc(ODO);
        let runner = begin(&mut game);
        let player = game.player;
        let talk = YarnTalk { player, remember };
        game.world_mut().entity_mut(runner).insert(talk);
        play(&mut game, runner);
        // The memory has the line once, and does not have the answer, which is already an exchange.
        let known: &[&str] = match remember {
            true => &["You: \"My key fell into the well.\""],
            false => &[],
        };
        assert_eq!(authored(&game, odo), known);
        assert_eq!(game.mind(odo).exchanges().len(), 1);
    }
}

#[test]
fn x9_an_answer_of_one_word_hides_no_later_line_from_the_memory() {
    const LINES: &str = "<<ask odo \"Is it here?\">>
Player: Yes, tell me.
Odo: {$npc_line}
Odo: Yes, the key is under the mat.";
    let mut game = game(FnEngine::always("Yes"), LINES);
    game.install_story(HOUSE);
    let odo = game.spawn_npc(ODO);
    let runner = begin(&mut game);
    let player = game.player;
    let talk = YarnTalk {
        player,
        remember: true,
    };
    game.world_mut().entity_mut(runner).insert(talk);
    play(&mut game, runner);
    assert_eq!(
        authored(&game, odo),
        ["You: \"Yes, the key is under the mat.\""]
    );
}

#[test]
fn x9_functions_read_flags_facts_standing_and_beliefs() {
    const READ: &str = r#"<<if flag("night") == true>>
Narrator: It is night.
<<endif>>
<<if flag("war") == false>>
Narrator: There is peace.
<<endif>>
<<if fact("weather") == "sun" and fact("season") == "">>
Narrator: The sun shines.
<<endif>>
<<if standing("odo", "trust") > 0.05 and standing("ghost", "trust") == 0>>
Narrator: He trusts you.
<<endif>>
<<if believes("odo", "well") == "The key is in the well." and believes("odo", "moon") == "">>
Narrator: He knows.
<<endif>>"#;
    let mut game = game(ScriptedEngine::silent(), READ);
    game.install_story(HOUSE);
    let odo = game.spawn_npc(ODO);
    game.frame();
    let world = game.world_mut();
    GameWrite::flag("night", true).apply(world).unwrap();
    change_mind(world, odo, |mind| {
        let change = Relationship {
            trust: Millionths(100_000),
            ..default()
        };
        mind.relationships.shift(&id!("player"), change)
    });
    let belief = MindChange::believe(id!("well"), "The key is in the well.");
    MindWrite::new(id!("odo"), belief).apply_to(world).unwrap();
    let runner = begin(&mut game);
    play(&mut game, runner);
    assert_eq!(
        shown(&game),
        [
            "Narrator: It is night.",
            "Narrator: There is peace.",
            "Narrator: The sun shines.",
            "Narrator: He trusts you.",
            "Narrator: He knows."
        ]
    );
}

#[test]
fn x9_choices_are_what_the_rulebook_allows_and_can_be_done() {
    const TAKE: &str = r#"<<offers take>>
Narrator: {$choice_1} or {$choice_2}
<<act $choice_2>>
Narrator: {$npc_outcome} {$npc_action}
<<act "take the oak door">>
<<offers take>>"#;
    let mut game = game(ScriptedEngine::silent(), TAKE);
    game.install_story(HOUSE);
    let runner = begin(&mut game);
    play(&mut game, runner);
    assert_eq!(
        shown(&game),
        [
            "Narrator: take the brass key or take the iron key",
            "Narrator: done take"
        ]
    );
    assert_eq!(game.take_actions::<Take>()[0].target, "key_2");
    assert_eq!(outcome(&game, runner), "denied");
    assert!(!held(&game, runner, "$npc_line").is_empty());
    assert_eq!(held(&game, runner, "$choices"), "1");
    assert_eq!(held(&game, runner, "$choice_2"), "");
}

#[test]
fn x9_what_cannot_be_offered_or_done_fails() {
    for wrong in [
        "<<offers fly>>",
        "<<act \"\">>",
        "<<suggest ghost>>",
        "<<suggest>>",
    ] {
        let mut game = game(ScriptedEngine::silent(), wrong);
        game.install_story(HOUSE);
        let runner = begin(&mut game);
        play(&mut game, runner);
        assert_eq!(outcome(&game, runner), "failed", "{wrong}");
    }
    // The player has no actor in an empty world.
    let mut game = game(ScriptedEngine::silent(), "<<act \"open the door\">>");
    let runner = begin(&mut game);
    play(&mut game, runner);
    assert_eq!(outcome(&game, runner), "failed");
}

#[test]
fn x9_lines_for_the_player_are_suggested() {
    let lines = FnEngine::always(r#"{"lines": ["Who are you?", "Goodbye."]}"#);
    let mut game = game(lines, "<<suggest odo>>");
    game.install_story(HOUSE);
    game.spawn_npc(ODO);
    let runner = begin(&mut game);
    play(&mut game, runner);
    assert_eq!(held(&game, runner, "$choices"), "2");
    assert_eq!(held(&game, runner, "$choice_1"), "Who are you?");
    assert_eq!(held(&game, runner, "$choice_2"), "Goodbye.");
}

#[test]
fn x9_two_dialogues_wait_at_once_each_for_its_own_answer() {
    let engine = ManualEngine::default();
    let mut game = game_of(
        engine.clone(),
        "<<ask odo \"Good evening.\">>",
        "<<ask bram \"Good evening.\">>",
    );
    game.install_story(HOUSE);
    game.spawn_npc(ODO);
    game.spawn_npc(BRAM);
    let first = begin(&mut game);
    game.frames(5);
    let second = begin_at(&mut game, "Other");
    game.frames(5);
    let calls = engine.calls();
    assert_eq!(calls.len(), 2);
    calls[1].reply("I sleep.");
    play(&mut game, second);
    assert!(is_running(&game, first), "it still waits");
    calls[0].reply("Come in.");
    play(&mut game, first);
    assert_eq!(held(&game, first, "$npc_line"), "Come in.");
    assert_eq!(held(&game, second, "$npc_line"), "I sleep.");
}

#[test]
fn x9_two_dialogues_that_ask_the_same_get_two_answers() {
    let engine = ScriptedEngine::saying(["One.", "Two."]);
    let mut game = game(engine, "<<ask odo \"Good evening.\">>");
    game.install_story(HOUSE);
    game.spawn_npc(ODO);
    let (first, second) = (begin(&mut game), begin(&mut game));
    play(&mut game, first);
    if is_running(&game, second) {
        play(&mut game, second);
    }
    let mut lines = [first, second].map(|runner| held(&game, runner, "$npc_line"));
    lines.sort();
    assert_eq!(lines, ["One.", "Two."]);
}

#[test]
fn x9_a_command_of_the_game_with_the_same_name_stays() {
    let mut game = game(ScriptedEngine::silent(), "<<ask odo \"Good evening.\">>");
    let runner = game
        .world_mut()
        .run_system_once(|mut commands: Commands, project: Res<YarnProject>| {
            let own = commands.register_system(|_: In<(String, String)>| {});
            let mut runner = project.create_dialogue_runner(&mut commands);
            runner.commands_mut().add_command("ask", own);
            runner.start_node("Start");
            commands.spawn(runner).id()
        })
        .expect("the project is there");
    play(&mut game, runner);
    assert_eq!(
        outcome(&game, runner),
        "",
        "no command of this crate was called"
    );
}
