//! Two games in a browser: the wizard's tower, drawn, and the tavern, told. `web/build.sh` builds the page; `docs/web.md` explains more.
//!
//! | file | what it holds |
//! |---|---|
//! | `page.rs` | the least that a game for the web needs: copy it, with `minimal.html` as its page |
//! | `tower.rs` | the tower on the page; `cast.rs`, `offers.rs` and `words.rs` are those of `examples/wizard` |
//! | `actions.rs` | what the player can do now, and what came of it |
//! | `room.rs` | what the tower looks like |
//! | `bubbles.rs` | the words over each head |
//! | `why.rs` | why a character said what it said, in sentences |
//! | `saves.rs` | saves and the record, as text |
//! | `server.rs` | the address of a server, whose model then answers |
//! | `tavern.rs` | an evening of adventure turns; the story is that of `examples/tavern` |
//! | `index.html`, `page.js`, `page.css` | the page itself |

#[cfg(target_arch = "wasm32")]
mod actions;
#[cfg(target_arch = "wasm32")]
mod bubbles;
#[cfg(target_arch = "wasm32")]
#[path = "../examples/wizard/cast.rs"]
mod cast;
#[cfg(target_arch = "wasm32")]
#[path = "../examples/wizard/offers.rs"]
mod offers;
#[cfg(target_arch = "wasm32")]
mod page;
#[cfg(target_arch = "wasm32")]
mod room;
#[cfg(target_arch = "wasm32")]
mod saves;
#[cfg(target_arch = "wasm32")]
mod server;
#[cfg(target_arch = "wasm32")]
mod tavern;
#[cfg(target_arch = "wasm32")]
mod tower;
#[cfg(target_arch = "wasm32")]
mod why;
#[cfg(target_arch = "wasm32")]
#[path = "../examples/wizard/words.rs"]
#[allow(dead_code, reason = "the example uses the rest of it")]
mod words;

#[cfg(target_arch = "wasm32")]
fn main() {
    match page::game().as_str() {
        "tavern" => tavern::play(),
        _ => tower::play(),
    }
}

/// Makes `game.js` and `game_bg.wasm` out of the compiled game.
#[cfg(all(not(target_arch = "wasm32"), feature = "bindgen"))]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let [game, folder] = std::env::args()
        .skip(1)
        .collect::<Vec<_>>()
        .try_into()
        .map_err(|_| "usage: bevy_dramatis_web GAME.wasm FOLDER")?;
    let mut bindgen = wasm_bindgen_cli_support::Bindgen::new();
    bindgen.input_path(game).out_name("game").typescript(false);
    bindgen.omit_default_module_path(false);
    // These are a fifth of the game's size.
    bindgen
        .remove_name_section(true)
        .remove_producers_section(true);
    Ok(bindgen.web(true)?.generate(folder)?)
}

#[cfg(not(any(target_arch = "wasm32", feature = "bindgen")))]
fn main() {
    eprintln!("This game runs in a browser: `web/build.sh` builds its page.");
}
