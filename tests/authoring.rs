//! Files through the asset server, in memory: loading, hot reload, and errors with their place (contract row X1).

use bevy::asset::io::memory::{Dir, MemoryAssetReader};
use bevy::asset::io::{
    AssetReader, AssetReaderError, AssetSourceBuilder, AssetSourceId, PathStream, Reader,
};
use bevy::prelude::*;
use bevy_dramatis::authoring::assets::{CharacterAsset, StoryAsset};
use bevy_dramatis::engine::ScriptedEngine;
use bevy_dramatis::events::AuthoringFailed;
use bevy_dramatis::format::AuthoringError;
use bevy_dramatis::npc::{LoadedCharacter, Npc, RequestError, RequestQueue, Thinking};
use bevy_dramatis::pipeline::fallback::BUILT_IN_LINE;
use bevy_dramatis::plugin::{DramatisPlugins, EngineSource};
use bevy_dramatis::story::{ActiveStory, Story};
use bevy_dramatis::testing::{FnEngine, SpokenLine, TestGame};
use bevy_dramatis::world::{PlacedIn, WorldFlags, WorldIndex};
use std::future::poll_fn;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::task::{Poll, Waker};

/// Files in memory that can be held back.
#[derive(Clone, Default)]
struct Disk {
    files: Dir,
    held: Arc<Mutex<Option<Vec<Waker>>>>,
}

impl Disk {
    fn write(&self, path: &str, text: &str) {
        self.files.insert_asset_text(Path::new(path), text);
    }

    fn reader(&self) -> MemoryAssetReader {
        MemoryAssetReader {
            root: self.files.clone(),
        }
    }

    /// From now on nothing can be read.
    fn hold(&self) {
        *self.held.lock().unwrap() = Some(Vec::new());
    }

    /// What is held back goes on.
    fn release(&self) {
        let waiting = self.held.lock().unwrap().take();
        waiting.into_iter().flatten().for_each(Waker::wake);
    }

    async fn released(&self) {
        poll_fn(|context| match &mut *self.held.lock().unwrap() {
            None => Poll::Ready(()),
            Some(waiting) => {
                waiting.push(context.waker().clone());
                Poll::Pending
            }
        })
        .await;
    }
}

impl AssetReader for Disk {
    async fn read<'a>(
        &'a self,
        path: &'a Path,
    ) -> std::result::Result<impl Reader + 'a, AssetReaderError> {
        self.released().await;
        let mut bytes = Vec::new();
        self.reader()
            .read(path)
            .await?
            .read_to_end(&mut bytes)
            .await?;
        Ok(bevy::asset::io::VecReader::new(bytes))
    }

    async fn read_meta<'a>(
        &'a self,
        path: &'a Path,
    ) -> std::result::Result<impl Reader + 'a, AssetReaderError> {
        Err::<bevy::asset::io::VecReader, _>(AssetReaderError::NotFound(path.to_owned()))
    }

    async fn read_directory<'a>(
        &'a self,
        path: &'a Path,
    ) -> std::result::Result<Box<PathStream>, AssetReaderError> {
        Err(AssetReaderError::NotFound(path.to_owned()))
    }

    async fn is_directory<'a>(
        &'a self,
        _: &'a Path,
    ) -> std::result::Result<bool, AssetReaderError> {
        Ok(false)
    }
}

#[derive(Resource, Default)]
struct Failures {
    read: Vec<AuthoringError>,
    observed: Vec<AuthoringError>,
}

struct Theatre {
    game: TestGame,
    disk: Disk,
}

/// More frames than any file needs to load: a hang is a failed test.
const MOST_FRAMES: usize = 100_000;

impl Theatre {
    fn new(plugins: DramatisPlugins, files: &[(&str, &str)]) -> Self {
        let disk = Disk::default();
        files.iter().for_each(|(path, text)| disk.write(path, text));
        let mut app = App::new();
        let source = disk.clone();
        app.add_plugins(TaskPoolPlugin::default())
            .register_asset_source(
                AssetSourceId::Default,
                AssetSourceBuilder::new(move || Box::new(source.clone())),
            )
            .add_plugins(AssetPlugin::default())
            .init_resource::<Failures>()
            .add_systems(
                Last,
                |mut read: MessageReader<AuthoringFailed>, mut failures: ResMut<Failures>| {
                    failures
                        .read
                        .extend(read.read().map(|failed| failed.error.clone()));
                },
            )
            .add_observer(
                |failed: On<AuthoringFailed>, mut failures: ResMut<Failures>| {
                    failures.observed.push(failed.error.clone());
                },
            );
        app.add_plugins(plugins);
        let mut game = TestGame::from_app(app);
        // As `App::run` does: loaders are registered when every action is known.
        game.app.finish();
        game.app.cleanup();
        Self { game, disk }
    }

    /// With an engine that says one thing for ever.
    fn saying(line: &str, files: &[(&str, &str)]) -> Self {
        Self::new(DramatisPlugins::new(FnEngine::always(line)), files)
    }

    fn load<A: Asset>(&mut self, path: &str) -> Handle<A> {
        self.game
            .world()
            .resource::<AssetServer>()
            .load(path.to_owned())
    }

    fn npc(&mut self, path: &str) -> Entity {
        let handle = self.load(path);
        self.game.world_mut().spawn(Npc(handle)).id()
    }

    fn story(&mut self, path: &str) {
        let handle = self.load::<StoryAsset>(path);
        self.game.world_mut().insert_resource(Story(handle));
    }

    /// Changes a file and reloads it, as a file watcher does.
    fn rewrite(&mut self, path: &str, text: &str) {
        self.disk.write(path, text);
        self.game
            .world()
            .resource::<AssetServer>()
            .reload(path.to_owned());
    }

    /// Frames until something holds.
    fn until(&mut self, what: &str, mut holds: impl FnMut(&mut TestGame) -> bool) {
        assert!(
            (0..MOST_FRAMES).any(|_| {
                self.game.frame();
                std::thread::yield_now();
                holds(&mut self.game)
            }),
            "never happened: {what}"
        );
    }

    /// The next thing that is said after the player has spoken.
    fn answer(&mut self, npc: Entity) -> SpokenLine {
        self.game.say(npc, "Hello");
        self.next_line()
    }

    fn next_line(&mut self) -> SpokenLine {
        let mut lines = Vec::new();
        self.until("somebody speaks", |game| {
            lines.extend(game.take_lines());
            !lines.is_empty()
        });
        assert_eq!(lines.len(), 1);
        lines.remove(0)
    }

    /// Waits for the next errors and hands them out.
    fn errors(&mut self) -> Vec<AuthoringError> {
        self.until("an error is told", |game| {
            !game.world().resource::<Failures>().read.is_empty()
        });
        let failures = std::mem::take(&mut *self.game.world_mut().resource_mut::<Failures>());
        assert_eq!(
            failures.read, failures.observed,
            "messages tell the same as observers"
        );
        failures.read
    }

    fn has_failures(&mut self) -> bool {
        !self.game.world().resource::<Failures>().read.is_empty()
    }

    fn prompt(&mut self, npc: Entity) -> String {
        self.answer(npc);
        self.game.attempts().last().unwrap().prompt.clone()
    }
}

fn reply(line: &str) -> SpokenLine {
    SpokenLine::reply(line)
}

fn built_in() -> SpokenLine {
    SpokenLine::fallback(BUILT_IN_LINE)
}

const WIZARD: &str = "(id: \"wizard\",\n name: \"Eldrin\",\n persona: \"You keep the tower.\",\n)";
const TYPO: &str = "(id: \"wizard\",\n name: \"Eldrin\",\n   persna: \"You keep the tower.\",\n)";

#[test]
fn x1_a_good_file_loads_and_speaks() {
    let mut theatre = Theatre::saying("Good evening.", &[("npcs/wizard.npc.ron", WIZARD)]);
    let wizard = theatre.npc("npcs/wizard.npc.ron");
    assert_eq!(theatre.answer(wizard), reply("Good evening."));
    assert!(
        theatre.game.attempts()[0]
            .prompt
            .contains("You keep the tower.")
    );
    assert!(!theatre.has_failures());
}

#[test]
fn x1_a_request_made_before_the_file_is_loaded_waits_in_the_queue() {
    let mut theatre = Theatre::saying("Good evening.", &[("wizard.npc.ron", WIZARD)]);
    theatre.disk.hold();
    let wizard = theatre.npc("wizard.npc.ron");
    theatre.game.say(wizard, "Hello");
    theatre.game.frames(20);
    assert_eq!(theatre.game.take_event_names(), Vec::<&str>::new());
    let world = theatre.game.world_mut();
    assert!(world.get::<LoadedCharacter>(wizard).is_none());
    assert_eq!(world.get::<RequestQueue>(wizard).unwrap().len(), 1);
    theatre.disk.release();
    assert_eq!(theatre.next_line(), reply("Good evening."));
}

#[test]
fn x1_a_typo_names_file_line_and_column_and_the_old_file_stays() {
    let mut theatre = Theatre::saying("Good evening.", &[("npcs/wizard.npc.ron", WIZARD)]);
    let wizard = theatre.npc("npcs/wizard.npc.ron");
    theatre.answer(wizard);
    theatre.rewrite("npcs/wizard.npc.ron", TYPO);
    let mut errors = theatre.errors();
    // The asset server tries a failed reload a second time.
    errors.dedup();
    assert_eq!(errors.len(), 1);
    assert_eq!(
        (errors[0].file.as_str(), errors[0].line),
        ("npcs/wizard.npc.ron", 3)
    );
    assert!((4..=10).contains(&errors[0].column), "{}", errors[0]);
    assert!(errors[0].message.contains("persna"), "{}", errors[0]);
    assert!(theatre.prompt(wizard).contains("You keep the tower."));
    assert!(theatre.game.app.should_exit().is_none());

    theatre.rewrite(
        "npcs/wizard.npc.ron",
        &WIZARD.replace("keep the tower", "guard the bridge"),
    );
    theatre.until("the new file is taken over", |game| {
        game.world()
            .get::<LoadedCharacter>(wizard)
            .unwrap()
            .0
            .persona
            .contains("bridge")
    });
    assert!(theatre.prompt(wizard).contains("You guard the bridge."));
    assert_eq!(
        theatre.game.mind(wizard).exchanges.len(),
        3,
        "its mind has stayed"
    );
}

#[test]
fn x1_every_error_of_a_file_is_told() {
    let twice = "(id: \"wizard\", forbidden: [\n \"/(/\",\n \"fine\",\n \"/[/\"])";
    let mut theatre = Theatre::saying("Well.", &[("wizard.npc.ron", twice)]);
    theatre.npc("wizard.npc.ron");
    let places: Vec<usize> = theatre.errors().iter().map(|error| error.line).collect();
    assert_eq!(places, [2, 4]);
}

#[test]
fn x1_a_character_whose_first_load_fails_speaks_the_built_in_line() {
    let mut theatre = Theatre::saying("Good evening.", &[("wizard.npc.ron", TYPO)]);
    let wizard = theatre.npc("wizard.npc.ron");
    assert_eq!(
        theatre.answer(wizard),
        built_in(),
        "also what was said before the error"
    );
    assert_eq!(theatre.errors().len(), 1);
    assert_eq!(theatre.answer(wizard), built_in());
    theatre.rewrite("wizard.npc.ron", WIZARD);
    theatre.until("the good file is taken over", |game| {
        game.world().get::<LoadedCharacter>(wizard).is_some()
    });
    assert_eq!(theatre.answer(wizard), reply("Good evening."));
}

#[test]
fn x1_a_file_that_is_not_there_is_an_error_too() {
    let mut theatre = Theatre::saying("Good evening.", &[]);
    let wizard = theatre.npc("gone.npc.ron");
    assert_eq!(theatre.answer(wizard), built_in());
    assert_eq!(theatre.errors()[0].file, "gone.npc.ron");
}

#[test]
fn x1_a_character_spawned_after_its_file_has_failed_speaks_the_built_in_line() {
    let mut theatre = Theatre::saying("Good evening.", &[("wizard.npc.ron", TYPO)]);
    let handle: Handle<CharacterAsset> = theatre.load("wizard.npc.ron");
    theatre.errors();
    theatre.game.frames(5);
    let wizard = theatre.game.world_mut().spawn(Npc(handle)).id();
    theatre.game.say(wizard, "Hello");
    theatre.game.frames(50);
    assert_eq!(theatre.game.take_lines(), [built_in()]);
}

#[test]
fn x1_strict_leaves_with_an_error_and_otherwise_the_app_goes_on() {
    for strict in [true, false] {
        let plugins = DramatisPlugins::new(ScriptedEngine::silent());
        let plugins = if strict { plugins.strict() } else { plugins };
        let mut theatre = Theatre::new(plugins, &[("wizard.npc.ron", TYPO)]);
        theatre.npc("wizard.npc.ron");
        theatre.errors();
        let exit = theatre.game.app.should_exit();
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
    let mut theatre = Theatre::saying(
        "Well.",
        &[("tower.story.ron", STORY), ("wizard.npc.ron", wizard)],
    );
    theatre.story("tower.story.ron");
    let wizard = theatre.npc("wizard.npc.ron");
    let prompt = theatre.prompt(wizard);
    assert!(
        prompt.contains("The sky is blue") && prompt.contains("lamp"),
        "{prompt}"
    );
    assert!(theatre.game.world().get::<PlacedIn>(wizard).is_some());

    // What the game has changed since then stays changed.
    let world = theatre.game.world_mut();
    let lamp = world.resource::<WorldIndex>().get("lamp").unwrap();
    world.despawn(lamp);
    world
        .resource_mut::<WorldFlags>()
        .0
        .insert("night".into(), false);
    theatre.rewrite(
        "tower.story.ron",
        &STORY.replace("sky is blue", "sea is salt"),
    );
    theatre.until("the story is taken over", |game| {
        game.world().resource::<ActiveStory>().0.canon.facts()[0]
            .text
            .contains("sea")
    });
    let prompt = theatre.prompt(wizard);
    assert!(
        prompt.contains("The sea is salt") && !prompt.contains("lamp"),
        "{prompt}"
    );
    let world = theatre.game.world_mut();
    assert!(world.resource::<WorldIndex>().get("lamp").is_none());
    assert!(!world.resource::<WorldFlags>().0["night"]);
}

#[test]
fn x1_a_broken_story_never_replaces_a_good_one() {
    let mut theatre = Theatre::saying(
        "Well.",
        &[("tower.story.ron", STORY), ("wizard.npc.ron", WIZARD)],
    );
    theatre.story("tower.story.ron");
    let wizard = theatre.npc("wizard.npc.ron");
    theatre.answer(wizard);
    theatre.rewrite("tower.story.ron", &STORY.replace("canon:", "cannon:"));
    assert_eq!(theatre.errors()[0].line, 7);
    assert!(theatre.prompt(wizard).contains("The sky is blue"));
}

#[test]
fn x1_a_story_that_never_loads_does_not_mute_its_characters() {
    let mut theatre = Theatre::saying(
        "Well.",
        &[
            ("tower.story.ron", "(cannon: [])"),
            ("wizard.npc.ron", WIZARD),
        ],
    );
    theatre.story("tower.story.ron");
    let wizard = theatre.npc("wizard.npc.ron");
    theatre.errors();
    theatre.game.say(wizard, "Hello");
    theatre.game.frames(50);
    assert_eq!(
        theatre.game.take_lines().len(),
        1,
        "somebody who is spoken to answers"
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
    let mut theatre = Theatre::saying("Well.", &files);
    let wizard = theatre.npc("npcs/wizard.npc.ron");
    theatre.answer(wizard);
    let attempts = theatre.game.attempts();
    let mut ids: Vec<&str> = attempts[0]
        .constraints
        .iter()
        .map(|(id, ..)| id.as_str())
        .collect();
    ids.sort_unstable();
    assert_eq!(ids, ["no_far", "no_near"]);
}

#[test]
fn x1_a_rule_that_is_not_there_names_the_place_of_its_path() {
    let wizard = "(id: \"wizard\", rules: [\n  \"gone.rules.ron\"])";
    let mut theatre = Theatre::saying("Well.", &[("npcs/wizard.npc.ron", wizard)]);
    theatre.npc("npcs/wizard.npc.ron");
    let errors = theatre.errors();
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
    let mut theatre = Theatre::saying(
        "Well.",
        &[
            ("npcs/wizard.npc.ron", wizard),
            ("npcs/bad.rules.ron", &bad),
        ],
    );
    theatre.npc("npcs/wizard.npc.ron");
    let errors = theatre.errors();
    assert_eq!(errors.len(), 1);
    assert!(errors[0].file.ends_with("bad.rules.ron"), "{}", errors[0]);
    assert_eq!(errors[0].line, 2, "{}", errors[0]);
}

#[test]
fn x1_a_script_is_loaded_and_reloaded_and_a_broken_one_is_refused() {
    let script = |line: &str| format!("(repeat: true, replies: [Say(\"{line}\")])");
    let first = script("First.");
    let plugins = DramatisPlugins::new(EngineSource::Script("a.script.ron".into()));
    let mut theatre = Theatre::new(
        plugins,
        &[("a.script.ron", &first), ("wizard.npc.ron", WIZARD)],
    );
    let wizard = theatre.npc("wizard.npc.ron");
    theatre.game.frames(50);
    theatre.until("the script is there", |game| {
        game.say(wizard, "Hello");
        game.take_lines().contains(&reply("First."))
    });
    theatre.rewrite("a.script.ron", "(replies: [Say(1)])");
    assert_eq!(theatre.errors()[0].file, "a.script.ron");
    theatre.game.run_until_idle();
    theatre.game.take_lines();
    assert_eq!(theatre.answer(wizard), reply("First."));
    theatre.rewrite("a.script.ron", &script("Second."));
    theatre.until("the new script is there", |game| {
        if game.world().get::<Thinking>(wizard).is_none() {
            game.say(wizard, "Hello");
        }
        game.take_lines().contains(&reply("Second."))
    });
}

#[test]
fn x1_a_character_that_is_gone_before_its_file_is_there_is_no_trouble() {
    let mut theatre = Theatre::saying("Well.", &[("wizard.npc.ron", WIZARD)]);
    theatre.disk.hold();
    let handle: Handle<CharacterAsset> = theatre.load("wizard.npc.ron");
    let wizard = theatre.game.world_mut().spawn(Npc(handle.clone())).id();
    theatre.game.say(wizard, "Hello");
    theatre.game.frames(3);
    theatre.game.world_mut().despawn(wizard);
    theatre.disk.release();
    theatre.until("the file is loaded", |game| {
        game.world()
            .resource::<Assets<CharacterAsset>>()
            .get(&handle)
            .is_some()
    });
    theatre.game.frames(3);
    assert_eq!(theatre.game.take_lines(), []);
    let refusals = theatre.game.take_refusals();
    assert_eq!(refusals, [RequestError::Despawned], "nobody waits in vain");
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
    let mut theatre = Theatre::saying(
        opens,
        &[
            ("house.story.ron", LOCKED_STORY),
            ("house.rulebook.ron", &house("")),
            ("wizard.npc.ron", wizard),
        ],
    );
    theatre.story("house.story.ron");
    let wizard = theatre.npc("wizard.npc.ron");
    assert_eq!(theatre.answer(wizard), reply("There."));
    let never = "(id: \"never\", when: Any([]), else: LOCKED, message: \"no\")";
    theatre.disk.write("house.rulebook.ron", &house(never));
    theatre.rewrite("house.story.ron", LOCKED_STORY);
    let mut answered = theatre.answer(wizard);
    // The reload takes a few frames.
    for _ in 0..MOST_FRAMES {
        if matches!(answered, SpokenLine::Fallback(_)) {
            break;
        }
        answered = theatre.answer(wizard);
    }
    assert_eq!(answered, SpokenLine::fallback("Hm."));
    theatre
        .disk
        .write("house.rulebook.ron", &house("(id: \"x\", wen: Any([]))"));
    theatre.rewrite("house.story.ron", LOCKED_STORY);
    let error = theatre.errors().remove(0);
    assert!(
        error.file.ends_with("house.rulebook.ron") && error.line == 3,
        "{error}"
    );
    assert_eq!(theatre.answer(wizard).text(), "Hm.", "the old one stays");
}
