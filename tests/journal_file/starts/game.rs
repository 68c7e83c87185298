//! A game in its own process: a player with a purse, a bell that pays two coins for each ring, a keeper, and weather that changes in every
//! frame.

use crate::by_id::tell;
use crate::loading::load_game;
use bevy::asset::AssetPlugin;
use bevy::ecs::system::RunSystemOnce;
use bevy::prelude::*;
use bevy_dramatis::adventure::{AdventureCommandsExt, PlayerTurn};
use bevy_dramatis::engine::ScriptedEngine;
use bevy_dramatis::id;
use bevy_dramatis::journal::{Journal, JournalPlugin, LoadGameError, Save};
use bevy_dramatis::npc::{Npc, Request};
use bevy_dramatis::plugin::DramatisPlugins;
use bevy_dramatis::prelude::*;
use bevy_dramatis::story::Story;
use bevy_dramatis::testing::save_game_blocking;
use bevy_dramatis::world::actions::Use;
use bevy_dramatis::world::{GameWrite, ProposedAction, WorldId, WorldRead, WorldValue, WorldView};
use std::io::{BufRead, BufReader, Lines, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

const FILE: &str = "DRAMATIS_TEST_START_FILE";
const QUIET: &str = "DRAMATIS_TEST_START_QUIET";
const PATIENCE: Duration = Duration::from_secs(60);

const STORY: &str = r#"(
    world: (
        locations: {"hall": (name: "Hall")},
        entities: {
            "ann": (name: "Ann", kind: "character", at: In("hall")),
            "bell": (name: "bell", kind: "thing", at: In("hall")),
            "rope": (name: "rope", kind: "thing", at: CarriedBy("ann")),
        },
    ),
    rulebook: (id: "bells", extends: "default", actions: {
        "use": (checks: [(id: "near", when: Perceivable(Target), else: NOT_PRESENT, message: "it is not here")],
                effects: [AddAttribute(Actor, "coins", 2)]),
    }),
)"#;

const KEEPER: &str = r#"(id: "keeper", name: "Odo", persona: "You keep the hall.", location: "hall",
    fallbacks: (generic: ["Hm."]))"#;

#[derive(Component)]
struct Purse(i64);

#[derive(Resource, Default)]
struct Weather(i64);

fn app(path: &Path) -> App {
    let files = path.with_extension("files");
    std::fs::create_dir_all(&files).unwrap();
    std::fs::write(files.join("bell.story.ron"), STORY).unwrap();
    std::fs::write(files.join("keeper.npc.ron"), KEEPER).unwrap();
    let mut app = App::new();
    app.add_plugins((
        MinimalPlugins,
        AssetPlugin {
            file_path: files.display().to_string(),
            ..default()
        },
        DramatisPlugins::new(ScriptedEngine::silent()),
        JournalPlugin::new(path),
    ));
    app.init_resource::<Weather>()
        .bind_world_fact::<Weather>("weather", |weather| weather.0.into())
        .bind_attribute::<Purse>(
            "coins",
            |purse| purse.0.into(),
            |purse, value| {
                if let WorldValue::Int(coins) = value {
                    purse.0 = *coins;
                }
            },
        )
        .add_systems(Startup, set_up);
    if std::env::var_os(QUIET).is_none() {
        app.add_systems(Update, |mut weather: ResMut<Weather>| weather.0 += 1);
    }
    app.finish();
    app.cleanup();
    app
}

fn set_up(mut commands: Commands, assets: Res<AssetServer>) {
    commands.insert_resource(Story(assets.load("bell.story.ron")));
    commands.spawn(Npc(assets.load("keeper.npc.ron")));
    commands.spawn((WorldId(id!("ann")), Name::new("Ann"), Purse(10)));
}

fn coins(app: &App) -> i64 {
    match WorldView::new(app.world()).attribute("ann", "coins") {
        Some(WorldValue::Int(coins)) => coins,
        other => panic!("Ann has coins: {other:?}"),
    }
}

/// Plays frames until something holds.
fn until(app: &mut App, what: &str, mut holds: impl FnMut(&mut App) -> bool) {
    let began = Instant::now();
    loop {
        frame(app);
        if holds(app) {
            return;
        }
        assert!(began.elapsed() < PATIENCE, "never: {what}");
    }
}

fn frame(app: &mut App) {
    app.update();
    std::thread::sleep(Duration::from_millis(1));
}

/// Plays frames until everything important is on the disk.
fn settle(app: &mut App) {
    (0..3).for_each(|_| frame(app));
    until(app, "what was begun is stored", |app| {
        let journal = app.world().resource::<Journal>();
        !journal.has_begun() || journal.waiting() == 0
    });
}

/// Not a test by itself: the game, which obeys until it receives no more orders.
#[test]
#[ignore = "the child of the tests of starts"]
fn start_child() {
    let Ok(path) = std::env::var(FILE) else {
        return;
    };
    let path = PathBuf::from(path);
    let mut app = app(&path);
    until(&mut app, "the files are loaded", |app| {
        app.world_mut().run_system_once(dramatis_ready).unwrap()
    });
    (0..3).for_each(|_| frame(&mut app));
    answer(&coins_line(&app));
    for order in std::io::stdin().lock().lines() {
        let order = order.unwrap();
        let said = obey(&mut app, &path, &order);
        answer(&said.unwrap_or_else(|| coins_line(&app)));
    }
    app.world_mut().write_message(AppExit::Success);
    app.update();
}

fn coins_line(app: &App) -> String {
    format!("{} coins", coins(app))
}

fn answer(line: &str) {
    let mut out = std::io::stdout().lock();
    writeln!(out, "answer: {line}").unwrap();
    out.flush().unwrap();
}

/// Executes an order. Returns the answer, if it is not the number of coins.
fn obey(app: &mut App, path: &Path, order: &str) -> Option<String> {
    match order {
        "look" => (0..40).for_each(|_| frame(app)),
        "play" => {
            let before = coins(app);
            let ring = Use {
                target: "bell".to_owned(),
                tool: None,
            };
            tell(app.world_mut(), "ann", |actor| {
                actor.perform_all(vec![ProposedAction::of(&ring)]);
            });
            until(app, "the bell has paid", |app| coins(app) == before + 2);
        }
        "talk" => tell(app.world_mut(), "keeper", |npc| {
            npc.interact(Request::speech("ann", "ann", "Hello?"));
        }),
        "refused" => tell(app.world_mut(), "bell", |npc| {
            npc.interact(Request::speech("ann", "ann", "Hello?"));
        }),
        "adventure" => app
            .world_mut()
            .commands()
            .play_turn(PlayerTurn::new(id!("ann"), "I ring the bell.")),
        "plan" => {
            tell(app.world_mut(), "keeper", |keeper| {
                keeper.ask_plan("Brew a potion.");
            });
        }
        "new game" => app.world_mut().resource_mut::<Journal>().begin_game(),
        "write" => GameWrite::flag("night", true)
            .apply(app.world_mut())
            .unwrap(),
        "find" => {
            let mut purses = app.world_mut().query::<&mut Purse>();
            purses.single_mut(app.world_mut()).unwrap().0 += 1;
            // The plugin compares what no code reads once a second.
            let began = Instant::now();
            until(app, "a second has passed", |_| {
                began.elapsed() > Duration::from_millis(1_200)
            });
        }
        "save" => {
            let slot = path.with_extension("save");
            save_game_blocking(app.world_mut(), &slot, PATIENCE).unwrap();
        }
        "load" => match load_game(app.world_mut(), path) {
            Ok(()) => {}
            Err(LoadGameError::Empty(_)) => return Some("no game".to_owned()),
            Err(error) => panic!("{error}"),
        },
        other => panic!("there is no order \"{other}\""),
    }
    settle(app);
    None
}

/// The game in its process, as its player sees it.
pub struct Player {
    child: Child,
    said: Lines<BufReader<ChildStdout>>,
}

impl Player {
    /// Starts the game, and waits until it is set up.
    pub fn start(path: &Path) -> Self {
        let mut player = Self::begin(path);
        assert_eq!(player.answer(), "10 coins", "a new game");
        player
    }

    /// The same without weather.
    pub fn start_quiet(path: &Path) -> Self {
        let mut player = Self::begin_with(path, Some("1"));
        assert_eq!(player.answer(), "10 coins", "a new game");
        player
    }

    /// Starts the game, and does not wait for it.
    pub fn begin(path: &Path) -> Self {
        Self::begin_with(path, None)
    }

    fn begin_with(path: &Path, quiet: Option<&str>) -> Self {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command
            .args([
                "--exact",
                "starts::game::start_child",
                "--ignored",
                "--nocapture",
                "--test-threads=1",
            ])
            .env(FILE, path)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        if let Some(quiet) = quiet {
            command.env(QUIET, quiet);
        }
        let mut child = command.spawn().unwrap();
        let said = BufReader::new(child.stdout.take().unwrap()).lines();
        Self { child, said }
    }

    fn answer(&mut self) -> String {
        let mut lines = self.said.by_ref().map_while(Result::ok);
        let found = lines.find_map(|line| Some(line.split_once("answer: ")?.1.to_owned()));
        found.expect("the game answers")
    }

    /// Sends an order, and does not wait.
    pub fn tell(&mut self, order: &str) {
        let orders = self.child.stdin.as_mut().unwrap();
        writeln!(orders, "{order}").unwrap();
        orders.flush().unwrap();
    }

    /// Sends an order, and returns the game's answer when it is done.
    pub fn order(&mut self, order: &str) -> String {
        self.tell(order);
        self.answer()
    }

    /// Ends the game as a player does.
    pub fn quit(mut self) {
        drop(self.child.stdin.take());
        assert!(self.child.wait().unwrap().success());
    }

    /// `kill -9`.
    pub fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

/// How many coins `load_game` gives from the file; `None` if the file has no game.
pub fn kept(path: &Path) -> Option<i64> {
    match Save::read(path) {
        Ok(save) => Some(coins_of(&save)),
        Err(LoadGameError::Empty(_)) => None,
        Err(error) => panic!("{error}"),
    }
}

/// How many coins a saved game has.
pub fn coins_of(save: &Save) -> i64 {
    let ann = &save.game().world.entities["ann"];
    ann.attributes["coins"].to_string().parse().unwrap()
}
