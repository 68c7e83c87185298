//! A wizard in his tower, a locked door, a key: talk to him by typing. `README.md` says how it is played, and with which model.
//!
//! ```sh
//! cargo run --example wizard                         # a window
//! cargo run --example wizard -- --headless           # a scripted visit, in the terminal
//! cargo run --example wizard -- --pictures FOLDER     # a few lines, pictures, and out
//! cargo run --example wizard -- --frames              # plays by itself for a while, and prints how long frames take
//! cargo run --example wizard -- --high                # with shadows and glow, also where the processor draws; or `--low`
//! ```
//!
//! If you copy it, begin at the top of this table. A file with a folder of the same name begins with what it is about; the folder
//! holds its parts.
//!
//! | file | what it holds |
//! |---|---|
//! | **the game** | **begin here** |
//! | `window.rs` | the app: which plugins the game has in a window |
//! | `cast.rs` | who is in the tower, and what the rulebook leaves to the game |
//! | `game.rs` | what the player asks for, and the time that the steps of a plan take |
//! | `door.rs`, `weather.rs` | the game's own data as part of the judged world |
//! | `gossip.rs` | Bryn visits, and two characters talk to each other |
//! | `tale.rs` | what the player does is told, and can be taken back |
//! | `words.rs`, `offers.rs` | actions in words; what the player can do now |
//! | **talking** | **what is read, typed and clicked** |
//! | `talking.rs` | the log, the line to type in, the menu, the wizard's plan, the first lessons |
//! | `problems.rs` | what can go wrong, in sentences |
//! | **tools** | **a game can do without them** |
//! | `tools.rs` | settings, saves, help; the visit without a window, pictures, frame times |
//! | **looks** | **your game has its own** |
//! | `looks.rs` | the scene, the speech bubbles, the colours of the panels |

// The game.
mod cast;
mod door;
mod game;
mod gossip;
mod offers;
mod tale;
mod weather;
mod window;
mod words;

// What is around it.
mod looks;
mod problems;
mod talking;
mod tools;

use std::process::ExitCode;
use tools::headless;
use tools::options::{Options, USAGE};

/// The repository's assets, wherever the example is started from.
const ASSETS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets");

fn main() -> ExitCode {
    match Options::from_args(std::env::args().skip(1)) {
        None => {
            eprintln!("{USAGE}");
            ExitCode::from(2)
        }
        Some(options) if options.headless => headless::visit(),
        Some(_) if !problems::has_display() => {
            eprintln!("There is no X11 display to open a window on: try `-- --headless`.");
            ExitCode::from(2)
        }
        Some(options) => window::play(options),
    }
}
