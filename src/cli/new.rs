//! `dramatis new`: files to begin with.

use super::output::{HELD, print_errors, print_line};
use crate::base::ids::is_id;
use crate::format::AuthoringError;
use clap::ValueEnum;
use std::fs::{self, File};
use std::io::Write;
use std::path::Path;

/// A kind of file to begin with.
#[derive(Clone, Copy, ValueEnum)]
pub(super) enum Kind {
    /// A character.
    Npc,
    /// A world, and what always holds in it.
    Story,
    /// Who may do what, when, and what it changes.
    Rulebook,
    /// A scene with its replies, and what must follow.
    Scenario,
}

impl Kind {
    /// The ending of its files, and a file with `%ID%` and `%NAME%` in the places of its own.
    fn template(self) -> (&'static str, &'static str) {
        match self {
            Self::Npc => (".npc.ron", include_str!("new/npc.ron")),
            Self::Story => (".story.ron", include_str!("new/story.ron")),
            Self::Rulebook => (".rulebook.ron", include_str!("new/rulebook.ron")),
            Self::Scenario => (".scenario.ron", include_str!("new/scenario.ron")),
        }
    }
}

/// Endings in another kind's or a half form: a file has one.
const SLIPS: [&str; 6] = [".ron", ".json", ".npc", ".story", ".rulebook", ".scenario"];

/// Writes a file to begin with. `path` may leave its ending out. Exit 0: done; 2: it cannot be written, or is there already.
pub(super) fn write(kind: Kind, path: &Path) -> u8 {
    let (ending, template) = kind.template();
    let whole = path.display().to_string();
    let whole = whole.trim_end_matches('/');
    let stem = whole.strip_suffix(ending).unwrap_or(whole);
    let stem = SLIPS
        .iter()
        .fold(stem, |stem, slip| stem.strip_suffix(slip).unwrap_or(stem));
    let file = format!("{stem}{ending}");
    let refused = |why: String| print_errors(&[AuthoringError::whole(&file, why)]);
    let id = Path::new(stem)
        .file_name()
        .and_then(|name| name.to_str())
        .unwrap_or_default();
    if !is_id(id) {
        return refused(format!(
            "\"{}\" cannot be an id: use letters a to z, digits, `_`, `-` and `.`",
            id.escape_debug()
        ));
    }
    let mut name = id.replace(['_', '-', '.'], " ");
    if let Some(first) = name.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    let text = template.replace("%ID%", id).replace("%NAME%", &name);
    let folder = Path::new(&file).parent().unwrap_or(Path::new(""));
    let written = fs::create_dir_all(folder)
        .and_then(|()| File::create_new(&file))
        .and_then(|mut file| file.write_all(text.as_bytes()));
    match written {
        Ok(()) => {
            print_line(&format!("written  {file}"));
            HELD
        }
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
            refused("is there already".to_owned())
        }
        Err(error) => refused(error.to_string()),
    }
}
