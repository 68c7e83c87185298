//! A wizard in his tower, a locked door, a key: talk to him by typing.
//!
//! ```sh
//! cargo run --example wizard                         # a window
//! cargo run --example wizard -- --headless           # a scripted visit, in the terminal
//! cargo run --example wizard -- --pictures FOLDER     # a few lines, pictures, and out
//! cargo run --example wizard -- --frames              # plays by itself for a while, and prints how long frames take
//! cargo run --example wizard -- --high                # with shadows and glow, also where the processor draws; or `--low`
//! ```
//!
//! Walk with W A S D or the arrows. Enter opens the line to type in. Your words go to the character that is near, or to the
//! one that you name (`Bryn, what grows here?`). After a `>` the line is an action (`> take the key`), after a `!` a wish
//! that takes a plan (`! brew a potion`), after a `*` it is told, as a turn of an adventure (`* I sit down by the fire`;
//! `* undo` takes it back).
//! F1 shows all keys.
//!
//! Bryn keeps the herbs in the yard. Her routine leads her into the tower now and then, when the door is open, and she talks with
//! the wizard.
//!
//! With no model, `assets/scripts/wizard.script.ron` answers. With one, name its server in the environment:
//! `DRAMATIS_URL=http://127.0.0.1:8080 DRAMATIS_MODEL=.. cargo run --example wizard`, or one that the example starts itself:
//! `DRAMATIS_SERVER=llama-server DRAMATIS_GGUF=model.gguf cargo run --example wizard`.
//!
//! If you copy it, begin with `cast.rs`, `game.rs`, `door.rs`, `talk.rs`, `chat.rs` and `bubbles.rs`; `scene.rs` and its folder are only
//! looks.
//!
//! | file | what it holds |
//! |---|---|
//! | `cast.rs` | who is in the tower, and what the rulebook leaves to the game |
//! | `game.rs` | what the player asks for, and the time that the steps of a plan take |
//! | `door.rs` | the door and the weather: the game's own data as part of the judged world |
//! | `gossip.rs` | Bryn visits, and two characters talk to each other |
//! | `tale.rs` | what the player does is told, and can be taken back |
//! | `words.rs` | actions in words |
//! | `scene.rs` and its folder | what it looks like: shapes that follow the judged world, and walking |
//! | `talk.rs` | the last lines, and what is shown over each head |
//! | `chat.rs`, `bubbles.rs`, `style.rs` | how that is shown, and the line to type in |
//! | `lessons.rs` | the first minutes, one thing to try at a time |
//! | `actions.rs`, `offers.rs` | the results of an action, the question back; the menu, and what is in it |
//! | `plan_panel.rs` | what he plans, and the question whether he may |
//! | `settings.rs` | who answers, and how, on F3 |
//! | `saves.rs` | saving on F5, loading on F9, and the journal |
//! | `problems.rs` | what can go wrong, in sentences |
//! | `help.rs` | the keys, on F1 |
//! | `visit.rs`, `headless.rs` | the scripted visit, and how it is played without a window |
//! | `pictures.rs` | the visit for the pictures of the docs |
//! | `frame_times.rs` | how long frames take |

mod actions;
mod bubbles;
mod cast;
mod chat;
mod door;
mod frame_times;
mod game;
mod gossip;
mod headless;
mod help;
mod lessons;
mod offers;
mod pictures;
mod plan_panel;
mod problems;
mod saves;
mod scene;
mod settings;
mod style;
mod tale;
mod talk;
mod visit;
mod words;

use bevy::prelude::*;
use bevy_dramatis::inspector::InspectorPlugin;
use bevy_dramatis::plugin::EngineSource;
use bevy_dramatis::prelude::*;
use bevy_egui::{EguiGlobalSettings, EguiPlugin};
use scene::Quality;
use std::path::PathBuf;
use std::process::ExitCode;

/// The repository's assets, wherever the example is started from.
const ASSETS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets");

const USAGE: &str = "usage: wizard [--headless | [--pictures FOLDER | --frames] [--low | --high]]";

/// What the command line asks for.
#[derive(Default)]
struct Options {
    headless: bool,
    /// The folder for pictures; `None` when a player plays.
    pictures: Option<PathBuf>,
    /// Whether to measure how long frames take.
    frames: bool,
    /// `None`: it depends on the machine.
    quality: Option<Quality>,
}

impl Options {
    fn from_args(mut args: impl Iterator<Item = String>) -> Option<Self> {
        let mut options = Self::default();
        while let Some(arg) = args.next() {
            match arg.as_str() {
                "--headless" => options.headless = true,
                "--pictures" => options.pictures = Some(args.next()?.into()),
                "--frames" => options.frames = true,
                "--low" => options.quality = Some(Quality::Low),
                "--high" => options.quality = Some(Quality::High),
                _ => return None,
            }
        }
        // Pictures and frame times are taken apart.
        (options.pictures.is_none() || !options.frames).then_some(options)
    }
}

fn main() -> ExitCode {
    match Options::from_args(std::env::args().skip(1)) {
        None => {
            eprintln!("{USAGE}");
            ExitCode::from(2)
        }
        Some(options) if options.headless => headless::visit(),
        Some(_) if !has_display() => {
            eprintln!("There is no X11 display to open a window on: try `-- --headless`.");
            ExitCode::from(2)
        }
        Some(options) => play(options),
    }
}

/// On Linux a window needs a display server; elsewhere there is one. These examples are built for X11.
fn has_display() -> bool {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    !cfg!(target_os = "linux") || is_set("DISPLAY")
}

fn play(options: Options) -> ExitCode {
    problems::explain_what_is_missing();
    // What is played by itself must go as written, so the script answers whatever the environment says.
    let plays_itself = options.frames || options.pictures.is_some();
    let named = match plays_itself {
        false => HttpEngine::from_env().engine(),
        true => None,
    };
    let (engine, wrong) = match named {
        Some(Ok(engine)) => (engine.into(), None),
        Some(Err(error)) => (EngineSource::Script(cast::SCRIPT.to_owned()), Some(error)),
        None => (EngineSource::Script(cast::SCRIPT.to_owned()), None),
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
        (
            EguiPlugin::default(),
            DramatisPlugins::new(engine),
            InspectorPlugin,
        ),
        // What happens.
        (game::plugin, door::plugin, gossip::plugin, tale::plugin),
        // What it looks like.
        scene::plugin,
        // What is read and typed.
        (talk::plugin, bubbles::plugin, chat::plugin, lessons::plugin),
        (actions::plugin, plan_panel::plugin, help::plugin),
        (settings::plugin, problems::plugin),
    ))
    // Egui gets a camera of its own, see scene/camera.rs.
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
    match options.pictures {
        // Nothing happens by itself while pictures are taken, and the player's saves are left alone.
        Some(folder) => {
            let quality = options.quality.unwrap_or(Quality::Low);
            pictures::take(&mut app, folder, quality);
        }
        None => {
            if let Some(quality) = options.quality {
                app.insert_resource(quality);
            }
            if options.frames {
                app.add_plugins(frame_times::plugin);
            } else {
                app.add_plugins(saves::plugin);
            }
        }
    }
    match app.run() {
        AppExit::Success => ExitCode::SUCCESS,
        AppExit::Error(code) => ExitCode::from(code.get()),
    }
}
