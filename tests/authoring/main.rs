//! Files through the asset server, in memory: loading, hot reload, and errors with their place (contract row X1).

mod files;

use bevy::prelude::*;
use bevy_dramatis::adventure::{AdventureSettings, Personas};
use bevy_dramatis::authoring::CharacterAsset;
use bevy_dramatis::authoring::{Character, NoFiles, StoryBook};
use bevy_dramatis::engine::ScriptedEngine;
use bevy_dramatis::events::DramatisReady;
use bevy_dramatis::id;
use bevy_dramatis::npc::{LoadedCharacter, Npc, RequestError, RequestQueue, Thinking};
use bevy_dramatis::pipeline::{StageTemplates, TemplateAsset, TemplateFiles};
use bevy_dramatis::plugin::{DramatisPlugins, EngineSource, dramatis_ready};
use bevy_dramatis::story::ActiveStory;
use bevy_dramatis::testing::{SpokenLine, TestGame};
use bevy_dramatis::world::{ActionRegistry, PlacedIn, WorldFlags, WorldIndex};
use files::{GameWithFiles, MOST_FRAMES};

fn reply(line: &str) -> SpokenLine {
    SpokenLine::reply(line)
}

fn built_in() -> SpokenLine {
    SpokenLine::fallback("...")
}

const WIZARD: &str = "(id: \"wizard\",\n name: \"Eldrin\",\n persona: \"You keep the tower.\",\n)";
const TYPO: &str = "(id: \"wizard\",\n name: \"Eldrin\",\n   persna: \"You keep the tower.\",\n)";

#[test]
fn x1_a_persona_and_a_routine_may_be_files_of_their_own() {
    let npc = "(id: \"wizard\", persona: \"wizard.md\", routine: \"days/wizard.routine.ron\")";
    let files = [
        ("npcs/wizard.npc.ron", npc),
        (
            "npcs/wizard.md",
            "You keep the tower.\n\nYou are *tired*.\n",
        ),
        (
            "days/wizard.routine.ron",
            "[(from: \"07:00\", to: \"08:00\", doing: \"sweeps the hall\")]",
        ),
    ];
    let mut game = GameWithFiles::saying("Good evening.", &files);
    let wizard = game.npc("npcs/wizard.npc.ron");
    assert_eq!(game.answer(wizard), reply("Good evening."));
    let prompt = &game.game.attempts()[0].prompt;
    assert!(
        prompt.contains("You keep the tower.\n\nYou are *tired*."),
        "{prompt}"
    );
    assert!(!prompt.contains("wizard.md"), "{prompt}");
    let missing = Character::parse(npc.as_bytes(), "a.npc.ron", &NoFiles).unwrap_err();
    let missing: Vec<String> = missing.iter().map(ToString::to_string).collect();
    assert!(
        missing[0].starts_with("a.npc.ron:1:25: there is no file \"wizard.md\""),
        "{missing:?}"
    );
}

#[test]
fn x1_a_good_file_loads_and_speaks() {
    let mut game = GameWithFiles::saying("Good evening.", &[("npcs/wizard.npc.ron", WIZARD)]);
    let wizard = game.npc("npcs/wizard.npc.ron");
    assert_eq!(game.answer(wizard), reply("Good evening."));
    assert!(
        game.game.attempts()[0]
            .prompt
            .contains("You keep the tower.")
    );
    assert!(!game.has_failures());
}

#[test]
fn x1_a_request_made_before_the_file_is_loaded_waits_in_the_queue() {
    let mut game = GameWithFiles::saying("Good evening.", &[("wizard.npc.ron", WIZARD)]);
    game.disk.hold();
    let wizard = game.npc("wizard.npc.ron");
    game.game.say(wizard, "Hello");
    game.game.frames(20);
    assert_eq!(game.game.take_event_names(), Vec::<&str>::new());
    let world = game.game.world_mut();
    assert!(world.get::<LoadedCharacter>(wizard).is_none());
    assert_eq!(world.get::<RequestQueue>(wizard).unwrap().len(), 1);
    game.disk.release();
    assert_eq!(game.next_line(), reply("Good evening."));
}

#[test]
fn x1_a_typo_names_file_line_and_column_and_the_old_file_stays() {
    let mut game = GameWithFiles::saying("Good evening.", &[("npcs/wizard.npc.ron", WIZARD)]);
    let wizard = game.npc("npcs/wizard.npc.ron");
    game.answer(wizard);
    game.rewrite("npcs/wizard.npc.ron", TYPO);
    let errors = game.errors();
    assert_eq!(errors.len(), 1);
    assert_eq!(
        (errors[0].file.as_str(), errors[0].line),
        ("npcs/wizard.npc.ron", 3)
    );
    assert!((4..=10).contains(&errors[0].column), "{}", errors[0]);
    assert!(errors[0].message.contains("persna"), "{}", errors[0]);
    assert!(game.prompt(wizard).contains("You keep the tower."));
    assert!(game.game.app.should_exit().is_none());

    game.rewrite(
        "npcs/wizard.npc.ron",
        &WIZARD.replace("keep the tower", "guard the bridge"),
    );
    game.until("the new file is taken over", |game| {
        game.world()
            .get::<LoadedCharacter>(wizard)
            .unwrap()
            .0
            .persona
            .contains("bridge")
    });
    assert!(game.prompt(wizard).contains("You guard the bridge."));
    assert_eq!(
        game.game.mind(wizard).exchanges().len(),
        3,
        "its mind has stayed"
    );
}

#[test]
fn x1_a_failed_reload_is_told_once() {
    let mut game = GameWithFiles::saying("Good evening.", &[("wizard.npc.ron", WIZARD)]);
    let wizard = game.npc("wizard.npc.ron");
    game.answer(wizard);
    let other_typo = TYPO.replace("persna", "prsona");
    for (text, wrong) in [(TYPO, "persna"), (&*other_typo, "prsona")] {
        game.rewrite("wizard.npc.ron", text);
        let errors = game.errors();
        assert!(errors[0].message.contains(wrong), "{errors:?}");
        // The asset server tries a failed reload a second time, in this frame or in a later one.
        for _ in 0..200 {
            game.game.frame();
            std::thread::yield_now();
        }
        assert_eq!(errors.len(), 1, "{errors:?}");
        assert!(!game.has_failures());
    }
    // After the author has fixed the mistake, the game reports the same mistake again.
    let mended = WIZARD.replace("keep the tower", "guard the bridge");
    game.rewrite("wizard.npc.ron", &mended);
    game.until("the new file is taken over", |game| {
        let loaded = game.world().get::<LoadedCharacter>(wizard);
        loaded.is_some_and(|loaded| loaded.0.persona.contains("bridge"))
    });
    game.rewrite("wizard.npc.ron", TYPO);
    assert_eq!(game.errors().len(), 1);
}

#[test]
fn x1_every_error_of_a_file_is_told() {
    let twice = "(id: \"wizard\", forbidden: [\n \"/(/\",\n \"fine\",\n \"/[/\"])";
    let mut game = GameWithFiles::saying("Well.", &[("wizard.npc.ron", twice)]);
    game.npc("wizard.npc.ron");
    let places: Vec<usize> = game.errors().iter().map(|error| error.line).collect();
    assert_eq!(places, [2, 4]);
}

#[test]
fn p1_every_bad_id_of_a_world_is_told_with_its_place() {
    let story = r#"(world: (
        locations: {
            "hall": (name: "Hall", connected_to: ["yard",
                "the cellar"]),
            "a b": (name: "Nook"),
        },
        entities: {
            "key": (name: "key", kind: "item",
                at: In("no where")),
            "key 2": (name: "key", kind: "item", at: Offstage),
            "hall": (name: "Hall", kind: "item", at: Offstage),
        },
        turn_of: Some("the player"),
    ))"#;
    let registry = ActionRegistry::default();
    let parsed = StoryBook::parse(story.as_bytes(), "t.story.ron", &NoFiles, &registry);
    let mut places: Vec<usize> = parsed.unwrap_err().iter().map(|error| error.line).collect();
    places.sort_unstable();
    assert_eq!(places, [4, 5, 9, 10, 11, 13]);
    let npc = "(id: \"wizard\",\n location: Some(\"the tower\"),\n)";
    let parsed = Character::parse(npc.as_bytes(), "wizard.npc.ron", &NoFiles);
    let places: Vec<usize> = parsed.unwrap_err().iter().map(|error| error.line).collect();
    assert_eq!(places, [2]);
}

#[test]
fn x1_a_character_whose_first_load_fails_speaks_the_built_in_line() {
    let mut game = GameWithFiles::saying("Good evening.", &[("wizard.npc.ron", TYPO)]);
    let wizard = game.npc("wizard.npc.ron");
    assert_eq!(
        game.answer(wizard),
        built_in(),
        "also what was said before the error"
    );
    assert_eq!(game.errors().len(), 1);
    assert_eq!(game.answer(wizard), built_in());
    game.rewrite("wizard.npc.ron", WIZARD);
    game.until("the good file is taken over", |game| {
        game.world().get::<LoadedCharacter>(wizard).is_some()
    });
    assert_eq!(game.answer(wizard), reply("Good evening."));
}

#[test]
fn x1_a_file_that_is_not_there_is_an_error_too() {
    let mut game = GameWithFiles::saying("Good evening.", &[]);
    let wizard = game.npc("gone.npc.ron");
    assert_eq!(game.answer(wizard), built_in());
    assert_eq!(game.errors()[0].file, "gone.npc.ron");
}

#[test]
fn x1_a_character_spawned_after_its_file_has_failed_speaks_the_built_in_line() {
    let mut game = GameWithFiles::saying("Good evening.", &[("wizard.npc.ron", TYPO)]);
    let handle: Handle<CharacterAsset> = game.load("wizard.npc.ron");
    game.errors();
    game.game.frames(5);
    let wizard = game.game.world_mut().spawn(Npc(handle)).id();
    game.game.say(wizard, "Hello");
    game.game.frames(50);
    assert_eq!(game.game.take_lines(), [built_in()]);
}

#[test]
fn x1_strict_leaves_with_an_error_and_otherwise_the_app_goes_on() {
    for strict in [true, false] {
        let plugins = DramatisPlugins::new(ScriptedEngine::silent());
        let plugins = if strict { plugins.strict() } else { plugins };
        let mut game = GameWithFiles::new(plugins, &[("wizard.npc.ron", TYPO)]);
        game.npc("wizard.npc.ron");
        game.errors();
        let exit = game.game.app.should_exit();
        assert_eq!(exit.is_some_and(|exit| exit.is_error()), strict);
    }
}

const STORY: &str = r#"(
    world: (
        locations: {"tower": (name: "Tower")},
        entities: {"lamp": (name: "lamp", kind: "item", at: In("tower"))},
        flags: {"night": true},
    ),
    canon: [(id: "sky", text: "The sky is blue")],
)"#;

#[test]
fn x1_a_story_comes_before_its_characters_and_its_world_is_installed_once() {
    let wizard = "(id: \"wizard\", location: \"tower\")";
    let mut game = GameWithFiles::saying(
        "Well.",
        &[("tower.story.ron", STORY), ("wizard.npc.ron", wizard)],
    );
    game.story("tower.story.ron");
    let wizard = game.npc("wizard.npc.ron");
    let prompt = game.prompt(wizard);
    assert!(
        prompt.contains("The sky is blue") && prompt.contains("lamp"),
        "{prompt}"
    );
    assert!(game.game.world().get::<PlacedIn>(wizard).is_some());

    // What the game has changed since then stays changed.
    let world = game.game.world_mut();
    let lamp = world.resource::<WorldIndex>().get("lamp").unwrap();
    world.despawn(lamp);
    world
        .resource_mut::<WorldFlags>()
        .0
        .insert("night".into(), false);
    game.rewrite(
        "tower.story.ron",
        &STORY.replace("sky is blue", "sea is salt"),
    );
    game.until("the story is taken over", |game| {
        let story = &game.world().resource::<ActiveStory>().0;
        story
            .source()
            .is_some_and(|source| source.text.contains("sea"))
    });
    let prompt = game.prompt(wizard);
    assert!(
        prompt.contains("The sea is salt") && !prompt.contains("lamp"),
        "{prompt}"
    );
    let world = game.game.world_mut();
    assert!(world.resource::<WorldIndex>().get("lamp").is_none());
    assert!(!world.resource::<WorldFlags>().0["night"]);
}

#[test]
fn x1_a_second_story_brings_its_world_too() {
    let yard = "(world: (locations: {\"yard\": (name: \"Yard\")}, flags: {\"rain\": true},
        entities: {\"well\": (name: \"well\", kind: \"thing\", at: In(\"yard\"))}))";
    let files = [("tower.story.ron", STORY), ("yard.story.ron", yard)];
    let mut game = GameWithFiles::saying("Well.", &files);
    let lives =
        |game: &mut TestGame, id: &str| game.world().resource::<WorldIndex>().get(id).is_some();
    game.story("tower.story.ron");
    game.until("the first world is there", |game| lives(game, "lamp"));
    assert!(!lives(&mut game.game, "well"));
    game.story("yard.story.ron");
    game.until("the second world is there", |game| lives(game, "well"));
    assert!(lives(&mut game.game, "lamp"), "a thing that exists stays");
    assert!(game.game.world().resource::<WorldFlags>().0["rain"]);
}

#[test]
fn x1_a_game_is_ready_once_when_its_files_are_loaded_or_have_failed() {
    #[derive(Resource, Default)]
    struct Ready(usize);
    let files = [
        ("tower.story.ron", STORY),
        ("wizard.npc.ron", WIZARD),
        ("bad.npc.ron", TYPO),
    ];
    let mut game = GameWithFiles::saying("Well.", &files);
    let app = &mut game.game.app;
    app.init_resource::<Ready>()
        .add_observer(|_: On<DramatisReady>, mut ready: ResMut<Ready>| ready.0 += 1);
    game.disk.hold();
    game.story("tower.story.ron");
    let wizard = game.npc("wizard.npc.ron");
    game.npc("bad.npc.ron");
    game.game.frames(20);
    assert_eq!(game.game.world().resource::<Ready>().0, 0);
    game.disk.release();
    game.until("all is loaded", |game| {
        game.world().resource::<Ready>().0 > 0
    });
    let world = game.game.world_mut();
    assert!(world.get::<LoadedCharacter>(wizard).is_some());
    assert!(world.run_system_cached(dramatis_ready).unwrap());
    game.game.frames(20);
    assert_eq!(
        game.game.world().resource::<Ready>().0,
        1,
        "it is told once"
    );
}

#[test]
fn x1_a_broken_story_never_replaces_a_good_one() {
    let mut game = GameWithFiles::saying(
        "Well.",
        &[("tower.story.ron", STORY), ("wizard.npc.ron", WIZARD)],
    );
    game.story("tower.story.ron");
    let wizard = game.npc("wizard.npc.ron");
    game.answer(wizard);
    game.rewrite("tower.story.ron", &STORY.replace("canon:", "cannon:"));
    assert_eq!(game.errors()[0].line, 7);
    assert!(game.prompt(wizard).contains("The sky is blue"));
}

#[test]
fn x1_a_story_that_never_loads_does_not_mute_its_characters() {
    let mut game = GameWithFiles::saying(
        "Well.",
        &[
            ("tower.story.ron", "(cannon: [])"),
            ("wizard.npc.ron", WIZARD),
        ],
    );
    game.story("tower.story.ron");
    let wizard = game.npc("wizard.npc.ron");
    game.errors();
    game.game.say(wizard, "Hello");
    game.game.frames(50);
    assert_eq!(
        game.game.take_lines().len(),
        1,
        "the character answers the player"
    );
}

fn rule(id: &str) -> String {
    format!(
        "(id: \"{id}\",\n constraints: [(id: \"no_{id}\", kind: Prohibition, severity: Soft, patterns: [\"{id}\"])])"
    )
}

#[test]
fn x1_rules_by_path_are_found_beside_the_file_then_in_the_asset_folder() {
    let wizard = "(id: \"wizard\", rules: [\"near.rules.ron\", \"rules/far.rules.ron\"])";
    let (near, far) = (rule("near"), rule("far"));
    let files = [
        ("npcs/wizard.npc.ron", wizard),
        ("npcs/near.rules.ron", &near),
        ("rules/far.rules.ron", &far),
        ("near.rules.ron", "(not this one"),
    ];
    let mut game = GameWithFiles::saying("Well.", &files);
    let wizard = game.npc("npcs/wizard.npc.ron");
    game.answer(wizard);
    let attempts = game.game.attempts();
    let mut ids: Vec<&str> = attempts[0].constraint_ids().collect();
    ids.sort_unstable();
    assert_eq!(ids, ["no_far", "no_near"]);
}

#[test]
fn x1_a_rule_that_is_not_there_names_the_place_of_its_path() {
    let wizard = "(id: \"wizard\", rules: [\n  \"gone.rules.ron\"])";
    let mut game = GameWithFiles::saying("Well.", &[("npcs/wizard.npc.ron", wizard)]);
    game.npc("npcs/wizard.npc.ron");
    let errors = game.errors();
    assert_eq!(
        (errors[0].file.as_str(), errors[0].line, errors[0].column),
        ("npcs/wizard.npc.ron", 2, 3)
    );
    assert!(errors[0].message.contains("gone.rules.ron"));
}

#[test]
fn x1_a_broken_rule_by_path_names_its_own_file_and_line() {
    let wizard = "(id: \"wizard\", rules: [\"bad.rules.ron\"])";
    let bad = rule("bad").replace("constraints", "constrains");
    let mut game = GameWithFiles::saying(
        "Well.",
        &[
            ("npcs/wizard.npc.ron", wizard),
            ("npcs/bad.rules.ron", &bad),
        ],
    );
    game.npc("npcs/wizard.npc.ron");
    let errors = game.errors();
    assert_eq!(errors.len(), 1);
    assert!(errors[0].file.ends_with("bad.rules.ron"), "{}", errors[0]);
    assert_eq!(errors[0].line, 2, "{}", errors[0]);
}

#[test]
fn x1_what_is_said_while_the_script_loads_is_answered_by_it_at_the_first_try() {
    for _ in 0..10 {
        let script = "(replies: [Say(\"First.\")])";
        let plugins = DramatisPlugins::new(EngineSource::Script("a.script.ron".into()));
        let mut game = GameWithFiles::new(
            plugins,
            &[("a.script.ron", script), ("wizard.npc.ron", WIZARD)],
        );
        let wizard = game.npc("wizard.npc.ron");
        assert_eq!(game.answer(wizard), reply("First."));
        assert_eq!(game.game.attempts().len(), 1);
    }
}

#[test]
fn x1_a_script_is_loaded_and_reloaded_and_a_broken_one_is_refused() {
    let script = |line: &str| format!("(repeat: true, replies: [Say(\"{line}\")])");
    let first = script("First.");
    let plugins = DramatisPlugins::new(EngineSource::Script("a.script.ron".into()));
    let mut game = GameWithFiles::new(
        plugins,
        &[("a.script.ron", &first), ("wizard.npc.ron", WIZARD)],
    );
    let wizard = game.npc("wizard.npc.ron");
    game.game.frames(50);
    game.until("the script is there", |game| {
        game.say(wizard, "Hello");
        game.take_lines().contains(&reply("First."))
    });
    game.rewrite("a.script.ron", "(replies: [Say(1)])");
    assert_eq!(game.errors()[0].file, "a.script.ron");
    game.game.run_until_idle();
    game.game.take_lines();
    assert_eq!(game.answer(wizard), reply("First."));
    game.rewrite("a.script.ron", &script("Second."));
    game.until("the new script is there", |game| {
        if game.world().get::<Thinking>(wizard).is_none() {
            game.say(wizard, "Hello");
        }
        game.take_lines().contains(&reply("Second."))
    });
}

#[test]
fn x1_a_character_that_is_gone_before_its_file_is_there_is_no_trouble() {
    let mut game = GameWithFiles::saying("Well.", &[("wizard.npc.ron", WIZARD)]);
    game.disk.hold();
    let handle: Handle<CharacterAsset> = game.load("wizard.npc.ron");
    let wizard = game.game.world_mut().spawn(Npc(handle.clone())).id();
    game.game.say(wizard, "Hello");
    game.game.frames(3);
    game.game.world_mut().despawn(wizard);
    game.disk.release();
    game.until("the file is loaded", |game| {
        game.world()
            .resource::<Assets<CharacterAsset>>()
            .get(&handle)
            .is_some()
    });
    game.game.frames(3);
    assert_eq!(game.game.take_lines(), []);
    let refusals = game.game.take_refusals();
    assert_eq!(
        refusals,
        [RequestError::Despawned],
        "no request waits for a character that is gone"
    );
}

const LOCKED_STORY: &str = r#"(
    world: (
        locations: {"hall": (name: "Hall")},
        entities: {"box": (name: "box", kind: "item", at: In("hall"), attributes: {"openable": true})},
    ),
    rulebook: "house.rulebook.ron",
)"#;

fn house(check: &str) -> String {
    format!("Rulebook(id: \"house\",\nactions: {{\"open\": (\nchecks: [{check}])}})")
}

#[test]
fn w6_a_rulebook_is_reloaded_and_a_broken_one_is_refused_with_its_place() {
    let opens = r#"{"dialogue": "There.", "intents": [{"type": "open", "target": "box"}]}"#;
    let wizard = "(id: \"wizard\", location: \"hall\", fallbacks: (generic: [\"Hm.\"]))";
    let mut game = GameWithFiles::saying(
        opens,
        &[
            ("house.story.ron", LOCKED_STORY),
            ("house.rulebook.ron", &house("")),
            ("wizard.npc.ron", wizard),
        ],
    );
    game.story("house.story.ron");
    let wizard = game.npc("wizard.npc.ron");
    assert_eq!(game.answer(wizard), reply("There."));
    let never = "(id: \"never\", when: Any([]), else: LOCKED, message: \"no\")";
    game.disk.write("house.rulebook.ron", &house(never));
    game.rewrite("house.story.ron", LOCKED_STORY);
    let mut answered = game.answer(wizard);
    // The reload takes a few frames.
    for _ in 0..MOST_FRAMES {
        if matches!(answered, SpokenLine::Fallback(_)) {
            break;
        }
        answered = game.answer(wizard);
    }
    assert_eq!(answered, SpokenLine::fallback("Hm."));
    game.disk
        .write("house.rulebook.ron", &house("(id: \"x\", wen: Any([]))"));
    game.rewrite("house.story.ron", LOCKED_STORY);
    let error = game.errors().remove(0);
    assert!(
        error.file.ends_with("house.rulebook.ron") && error.line == 3,
        "{error}"
    );
    assert_eq!(game.answer(wizard).text(), "Hm.", "the old one stays");
}

#[test]
fn x1_a_story_and_a_character_load_their_language_from_a_file() {
    const NAY: &str = "(negators: [\"nay\"], finite_verbs: [\"lives\"], articles: [\"the\"])";
    const LIVES: &str =
        "(canon: [(id: \"king\", text: \"The king lives\")], lexicon: \"words/old.lexicon.ron\")";
    let files = [
        ("old.story.ron", LIVES),
        ("words/old.lexicon.ron", NAY),
        ("old.npc.ron", "(id: \"old\")"),
        (
            "new.npc.ron",
            "(id: \"new\", lexicon: \"lexicon/en.lexicon.ron\")",
        ),
    ];
    let mut game = GameWithFiles::saying("The king lives nay.", &files);
    game.story("old.story.ron");
    let (old, new) = (game.npc("old.npc.ron"), game.npc("new.npc.ron"));
    // The line denies canon in the words of its story; English does not know the word.
    assert_eq!(game.answer(old), built_in());
    assert_eq!(game.answer(new), reply("The king lives nay."));
    assert!(!game.has_failures());
}

#[test]
fn t8_a_template_is_reloaded_and_a_broken_one_is_refused_with_its_place() {
    let mut game =
        GameWithFiles::saying("Well.", &[("prompts/narrator.hbs", "First.\n---\nTell.")]);
    let handle = game.load::<TemplateAsset>("prompts/narrator.hbs");
    game.game
        .world_mut()
        .insert_resource(TemplateFiles(vec![handle]));
    let says = |game: &TestGame, system: &str| {
        let templates = game.world().resource::<StageTemplates>();
        let rendered = templates.render("narrator", "en", &serde_json::json!({}));
        rendered.unwrap()[0].1.trim() == system
    };
    game.until("the template is there", |game| says(game, "First."));
    game.rewrite("prompts/narrator.hbs", "Second.\n---\n{{#if x}}no end");
    let errors = game.errors();
    assert_eq!(errors[0].file, "prompts/narrator.hbs");
    assert!(errors[0].line >= 3, "{}", errors[0]);
    assert!(says(&game.game, "First."));
    game.rewrite("prompts/narrator.hbs", "Third.");
    game.until("the new template is there", |game| says(game, "Third."));
}

#[test]
fn t5_a_story_says_how_its_adventures_are_played_and_by_whom() {
    let story = |chars: usize, id: &str| {
        format!(
            r#"(adventure: (quiet_marker: true, recap_chars: {chars}, drift: (core: (per_turn: 2))),
            personas: [(id: "{id}", description: "A traveller.", states: [(label: "tired", category: "core", level: 3)])])"#
        )
    };
    let mut game = GameWithFiles::saying("Well.", &[("a.story.ron", &story(99, "kael"))]);
    game.story("a.story.ron");
    game.until("the story is there", |game| {
        game.world().resource::<AdventureSettings>().recap_chars == 99
    });
    let settings = *game.game.world().resource::<AdventureSettings>();
    assert!(settings.quiet_marker && settings.drift.core.per_turn == 2);
    let kael = &game.game.world().resource::<Personas>().0[&id!("kael")];
    assert_eq!(
        (kael.description.as_str(), kael.states.len()),
        ("A traveller.", 1)
    );
    game.rewrite("a.story.ron", &story(98, "no id"));
    assert_eq!(game.errors()[0].file, "a.story.ron");
    assert_eq!(
        game.game
            .world()
            .resource::<AdventureSettings>()
            .recap_chars,
        99
    );
}
