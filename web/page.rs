//! The least that a game for the web needs: its files, a line from the page, a line to the page. Copy it, with `minimal.html`.

use bevy::asset::io::memory::{Dir, MemoryAssetReader};
use bevy::asset::io::{AssetSourceBuilder, AssetSourceId};
use bevy::prelude::*;
use serde_json::{Value, json};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::path::Path;
use wasm_bindgen::prelude::*;

thread_local! {
    static ASKED: RefCell<VecDeque<(String, String)>> = const { RefCell::new(VecDeque::new()) };
}

#[wasm_bindgen]
extern "C" {
    /// The page's own function, which shows something: `page.show("line", "{..}")`.
    #[wasm_bindgen(js_namespace = page, js_name = show)]
    fn show_json(what: &str, json: &str);
    /// Which game the page is for: `page.game()`.
    #[wasm_bindgen(js_namespace = page)]
    pub fn game() -> String;
}

/// Shows something on the page.
pub fn show(what: &str, data: Value) {
    show_json(what, &data.to_string());
}

/// Shows a line of the log. `kind`: `player`, `note` or `problem`.
pub fn note(kind: &str, text: &str) {
    show("line", json!({"kind": kind, "text": text}));
}

/// The page asks for something: `ask("say", "Hello?")`. The game receives it in its next frame.
#[wasm_bindgen]
pub fn ask(what: String, words: String) {
    ASKED.with_borrow_mut(|asked| asked.push_back((what, words)));
}

/// A request of the page.
#[derive(Event)]
pub struct Asked {
    pub what: String,
    pub words: String,
}

fn hear(mut commands: Commands) {
    while let Some((what, words)) = ASKED.with_borrow_mut(VecDeque::pop_front) {
        commands.trigger(Asked { what, words });
    }
}

/// The page, and the files of the game, each with its path. Add it before `AssetPlugin`: the files are part of the program.
pub fn plugin(files: &'static [(&str, &str)]) -> impl Fn(&mut App) + Send + Sync {
    move |app| {
        let root = Dir::default();
        for (path, text) in files {
            root.insert_asset_text(Path::new(path), text);
        }
        let reader = MemoryAssetReader { root };
        let source = AssetSourceBuilder::new(move || Box::new(reader.clone()));
        app.register_asset_source(AssetSourceId::Default, source)
            .add_systems(PreUpdate, hear);
    }
}
