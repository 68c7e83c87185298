//! The order of the rooms, read from the sources: which file imports from which.
//!
//! - No circle of imports between files, and no circle between rooms.
//! - `gate` and `world` do not know where replies come from, and do not know turns, plans, panels and journals.
//! - The package contains all files that are compiled in.
//! - The core rooms do not know the systems above them, and hold no system, hook or `&mut World` themselves.
//! - Code that writes into the judged world has few users, and the test names each of them.
//!
//! - The items that a game can name are a list that reviewers look at, and each item has one path.
//!
//! `imports.rs` says what counts as an import.

mod circles;
mod core_items;
mod file_examples;
mod file_reference;
mod file_schemas;
mod imports;
mod packaged;
mod reader;
mod sources;
mod surface;
mod words;

use circles::circles;
use core_items::shell_items;
use imports::{Import, imports};
use sources::{Module, Sources, file_of};
use std::fmt::Write;
use std::path::Path;

/// Rooms with pure functions and plain data; rooms that are not named here are the shell around them.
const CORE: [&str; 9] = [
    "limits",
    "base",
    "format",
    "gate",
    "judged_world",
    "memory",
    "proposal",
    "rules",
    "text",
];

/// The rooms that the judges and the world must not know.
const UNKNOWN_TO_JUDGES: [&str; 5] = ["adventure", "engine", "inspector", "journal", "plans"];

/// The judges and the world.
const JUDGES: [&str; 3] = ["gate", "judged_world", "world"];
/// Items that write into the judged world, and the files that may use them.
const DOORS: [(&str, &[&str]); 3] = [
    (
        "apply_change",
        &["src/commit.rs", "src/world/game_write.rs"],
    ),
    (
        "commit_own_turn",
        &["src/actor_turns.rs", "src/town/live.rs"],
    ),
    (
        "commit",
        &[
            "src/adventure/commit.rs",
            "src/pipeline/steps/mutation.rs",
            "src/plans/execute.rs",
        ],
    ),
];

fn of_this_crate() -> Vec<Import> {
    let sources = Sources::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    let imports = imports(&sources);
    assert!(
        imports.len() > 500,
        "only {} imports were read",
        imports.len()
    );
    imports
}

/// The room that a file belongs to: its first folder, or the file itself.
fn room(module: &Module) -> &str {
    module.first().map_or("lib", String::as_str)
}

fn listed<'a>(imports: impl IntoIterator<Item = &'a Import>) -> String {
    let mut list = String::new();
    for import in imports {
        let _ = writeln!(list, "  {import}");
    }
    list
}

#[test]
fn no_circle_between_files() {
    assert_no_circle(&of_this_crate(), "files");
}

#[test]
fn no_circle_between_rooms() {
    let imports = of_this_crate();
    let between: Vec<Import> = imports.iter().filter_map(Import::between_rooms).collect();
    assert!(between.len() > 100, "only {} imports", between.len());
    assert_no_circle(&between, "rooms");
}

fn assert_no_circle(imports: &[Import], what: &str) {
    let found = circles(imports);
    let mut report = String::new();
    for circle in &found {
        let _ = writeln!(report, "\n{} {what} in a circle:", circle.len());
        for file in circle {
            let inside = |import: &&Import| import.from == *file && circle.contains(&import.to);
            let _ = write!(
                report,
                "{}\n{}",
                file_of(file),
                listed(imports.iter().filter(inside))
            );
        }
    }
    let files: usize = found.iter().map(|circle| circle.len()).sum();
    assert!(
        found.is_empty(),
        "{files} {what} import each other in {} circles{report}",
        found.len()
    );
}

#[test]
fn the_judges_and_the_world_know_no_engine_turn_plan_inspector_or_journal() {
    let imports = of_this_crate();
    let wrong = imports.iter().filter(|import| {
        JUDGES.contains(&room(&import.from)) && UNKNOWN_TO_JUDGES.contains(&room(&import.to))
    });
    let list = listed(wrong);
    assert!(list.is_empty(), "\n{list}");
}

#[test]
fn the_judged_world_has_one_door_for_what_is_approved_and_one_for_own_turns() {
    let imports = of_this_crate();
    for (name, allowed) in DOORS {
        let home = match name {
            "apply_change" => "src/world/writer.rs",
            _ => "src/commit.rs",
        };
        let door = |import: &&Import| file_of(&import.to) == home && import.names(name);
        let users: Vec<&Import> = imports.iter().filter(door).collect();
        let wrong = users
            .iter()
            .filter(|import| !allowed.contains(&file_of(&import.from).as_str()));
        let list = listed(wrong.copied());
        assert!(list.is_empty(), "{name} is used by\n{list}");
        for file in allowed {
            assert!(
                users.iter().any(|import| file_of(&import.from) == *file),
                "{file} does not use {name} any more"
            );
        }
    }
}

#[test]
fn the_core_knows_nothing_of_the_shell() {
    let imports = of_this_crate();
    let wrong = imports
        .iter()
        .filter(|import| CORE.contains(&room(&import.from)) && !CORE.contains(&room(&import.to)));
    let list = listed(wrong);
    assert!(list.is_empty(), "\n{list}");
}

#[test]
fn the_core_holds_no_system_hook_or_world_to_change() {
    let sources = Sources::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    let core = sources
        .iter()
        .filter(|(module, _)| CORE.contains(&room(module)));
    let mut list = String::new();
    for (module, file) in core {
        for item in shell_items(file) {
            let _ = writeln!(list, "  {}: {item}", file_of(module));
        }
    }
    assert!(list.is_empty(), "\n{list}");
}

#[test]
fn what_a_game_can_name_is_the_list() {
    let sources = Sources::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    let surface = surface::surface(&sources);
    let twice: Vec<_> = surface.values().filter(|paths| paths.len() > 1).collect();
    assert!(twice.is_empty(), "items with several paths: {twice:#?}");
    let mut names: Vec<String> = surface.into_values().flatten().collect();
    names.sort();
    insta::assert_snapshot!(names.join("\n"));
}

/// A guard with a room that does not exist guards nothing.
#[test]
fn every_room_that_a_guard_names_is_there() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let named = CORE.iter().chain(&UNKNOWN_TO_JUDGES).chain(&JUDGES);
    let is_missing = |room: &&&str| !src.join(format!("{room}.rs")).is_file();
    let missing: Vec<&&str> = named.filter(is_missing).collect();
    assert!(missing.is_empty(), "no such rooms: {missing:?}");
}
