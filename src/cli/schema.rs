//! `dramatis schema`: what may be written into a file, as a JSON Schema for editors.

use super::output::{HELD, print_errors, print_line};
use crate::format::AuthoringError;
use std::fs;
use std::path::Path;

/// The kinds of files, each with its schema. They are made from the types that are read.
const SCHEMAS: [(&str, &str); 11] = [
    ("npc", include_str!("../../docs/schemas/npc.schema.json")),
    (
        "story",
        include_str!("../../docs/schemas/story.schema.json"),
    ),
    (
        "routine",
        include_str!("../../docs/schemas/routine.schema.json"),
    ),
    (
        "world",
        include_str!("../../docs/schemas/world.schema.json"),
    ),
    (
        "rulebook",
        include_str!("../../docs/schemas/rulebook.schema.json"),
    ),
    (
        "rules",
        include_str!("../../docs/schemas/rules.schema.json"),
    ),
    (
        "taxonomy",
        include_str!("../../docs/schemas/taxonomy.schema.json"),
    ),
    (
        "script",
        include_str!("../../docs/schemas/script.schema.json"),
    ),
    (
        "scenario",
        include_str!("../../docs/schemas/scenario.schema.json"),
    ),
    (
        "bench",
        include_str!("../../docs/schemas/bench.schema.json"),
    ),
    (
        "lexicon",
        include_str!("../../docs/schemas/lexicon.schema.json"),
    ),
];

/// The names of the kinds.
pub(super) fn kinds() -> [&'static str; SCHEMAS.len()] {
    SCHEMAS.map(|(kind, _)| kind)
}

/// Prints the schema of a kind. Exit 0.
pub(super) fn print(kind: &str) -> u8 {
    for (_, schema) in SCHEMAS.iter().filter(|(name, _)| *name == kind) {
        print_line(schema.trim_end());
    }
    HELD
}

/// Writes all schemas into a folder. Exit 0: done; 2: one cannot be written.
pub(super) fn write_all(folder: &Path) -> u8 {
    let refused = |file: &Path, error: std::io::Error| {
        print_errors(&[AuthoringError::whole(
            &file.display().to_string(),
            error.to_string(),
        )])
    };
    if let Err(error) = fs::create_dir_all(folder) {
        return refused(folder, error);
    }
    for (kind, schema) in SCHEMAS {
        let file = folder.join(format!("{kind}.schema.json"));
        if let Err(error) = fs::write(&file, schema) {
            return refused(&file, error);
        }
        print_line(&format!("written  {}", file.display()));
    }
    HELD
}
