//! A wizard in his tower, a locked door, a key: talk to him by typing.
//!
//! ```sh
//! cargo run --example wizard                         # a window
//! cargo run --example wizard -- --headless           # a scripted visit, in the terminal
//! cargo run --example wizard -- --pictures FOLDER     # a few lines, pictures, and out
//! ```
//!
//! Keys: type and press Enter to speak, to act with a line such as `> take the key`, or to ask for something that takes a plan,
//! such as `! brew a potion`; F1 shows and hides this
//! help, F12 the inspector; F2 makes a storm, which bars the shut door while the wizard thinks, and ends it; F3 shows and hides
//! the settings; F5 saves and F9 loads the save.
//!
//! Bryn keeps the herbs in the yard: `Bryn, what grows here?` is said to her. When the door stands open she comes in now and then
//! to talk with the wizard. A line such as `* I sit down by the fire` is told, as a turn of an adventure, and `* undo` takes the
//! last one back.
//!
//! With no model, `assets/scripts/wizard.script.ron` answers. With one, name its server in the environment:
//! `DRAMATIS_URL=http://127.0.0.1:8080 DRAMATIS_MODEL=.. cargo run --example wizard`, or one that the example starts itself:
//! `DRAMATIS_SERVER=llama-server DRAMATIS_GGUF=model.gguf cargo run --example wizard`.
//!
//! | file | what it holds |
//! |---|---|
//! | `game.rs` | the cast, what the player asks for, and what the rulebook leaves to the game |
//! | `door.rs` | the door and the weather: the game's own data as part of the judged world |
//! | `gossip.rs` | Bryn comes in, and two characters talk to each other |
//! | `tale.rs` | what the player does is told, and can be taken back |
//! | `words.rs` | actions in words |
//! | `scene.rs` | what it looks like: boxes that follow the judged world |
//! | `talk.rs` | the line to type in, the speech bubble, the last words |
//! | `actions.rs` | what came of an action, the question back, the menu |
//! | `plan_panel.rs` | what he plans, and the question whether he may |
//! | `settings.rs` | who answers, and how, on F3 |
//! | `saves.rs` | saving on F5, loading on F9, and the journal |
//! | `problems.rs` | what can go wrong, in sentences |
//! | `help.rs` | the keys, on F1 |
//! | `headless.rs` | the scripted visit |
//! | `pictures.rs` | the visit for the pictures of the docs |

mod actions;
mod door;
mod game;
mod gossip;
mod headless;
mod help;
mod pictures;
mod plan_panel;
mod problems;
mod saves;
mod scene;
mod settings;
mod tale;
mod talk;
mod words;

use bevy::prelude::*;
use bevy_dramatis::inspector::InspectorPlugin;
use bevy_dramatis::plugin::EngineSource;
use bevy_dramatis::prelude::*;
use bevy_egui::{EguiGlobalSettings, EguiPlugin};
use std::path::PathBuf;
use std::process::ExitCode;

/// The repository's assets, wherever the example is started from.
const ASSETS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets");

const USAGE: &str = "usage: wizard [--headless | --pictures FOLDER]";

enum Mode {
    Window,
    Headless,
    Pictures(PathBuf),
}

impl Mode {
    fn from_args(args: impl Iterator<Item = String>) -> Option<Self> {
        let args: Vec<String> = args.collect();
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        match args.as_slice() {
            [] => Some(Self::Window),
            ["--headless"] => Some(Self::Headless),
            ["--pictures", folder] => Some(Self::Pictures(folder.into())),
            _ => None,
        }
    }
}

fn main() -> ExitCode {
    match Mode::from_args(std::env::args().skip(1)) {
        None => {
            eprintln!("{USAGE}");
            ExitCode::from(2)
        }
        Some(Mode::Headless) => headless::visit(),
        Some(Mode::Window | Mode::Pictures(_)) if !has_display() => {
            eprintln!("There is no display to open a window on: try `-- --headless`.");
            ExitCode::from(2)
        }
        Some(Mode::Window) => play(None),
        Some(Mode::Pictures(folder)) => play(Some(folder)),
    }
}

/// On Linux a window needs a display server; elsewhere there is one. These examples are built for X11.
fn has_display() -> bool {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    !cfg!(target_os = "linux") || is_set("DISPLAY")
}

fn play(pictures: Option<PathBuf>) -> ExitCode {
    problems::explain_what_is_missing();
    // For pictures the visit must go as written, so the script answers whatever the environment says.
    let named = match pictures {
        None => HttpEngine::from_env().engine(),
        Some(_) => None,
    };
    let (engine, wrong) = match named {
        Some(Ok(engine)) => (engine.into(), None),
        Some(Err(error)) => (EngineSource::Script(game::SCRIPT.to_owned()), Some(error)),
        None => (EngineSource::Script(game::SCRIPT.to_owned()), None),
    };
    let window = Window {
        title: "The wizard's tower".to_owned(),
        resolution: (1280, 720).into(),
        ..default()
    };
    let mut app = App::new();
    app.add_plugins((
        DefaultPlugins
            .set(WindowPlugin {
                primary_window: Some(window),
                ..default()
            })
            .set(AssetPlugin {
                file_path: ASSETS.to_owned(),
                ..default()
            }),
        EguiPlugin::default(),
        DramatisPlugins::new(engine),
        InspectorPlugin,
        game::plugin,
        door::plugin,
        gossip::plugin,
        tale::plugin,
        scene::plugin,
        talk::plugin,
        actions::plugin,
        plan_panel::plugin,
        help::plugin,
        settings::plugin,
        problems::plugin,
    ))
    // Egui gets a camera of its own, see scene.rs.
    .insert_resource(EguiGlobalSettings {
        auto_create_primary_context: false,
        ..default()
    });
    if let Some(error) = wrong {
        app.add_systems(Startup, move |mut talk: ResMut<talk::Talk>| {
            let why = problems::short(&error.to_string());
            let sentence = format!("The environment names a server that cannot be used: {why}.");
            problems::tell(&mut talk, &sentence);
        });
    }
    match pictures {
        // Nothing happens by itself while pictures are taken, and the player's saves are left alone.
        Some(folder) => pictures::take(&mut app, folder),
        None => {
            app.add_plugins((gossip::now_and_then, saves::plugin));
        }
    }
    match app.run() {
        AppExit::Success => ExitCode::SUCCESS,
        AppExit::Error(code) => ExitCode::from(code.get()),
    }
}
