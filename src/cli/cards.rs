//! `dramatis import` and `dramatis export-card`.

use super::output::{BROKEN, HELD, print_errors, print_line};
use crate::authoring::files::read_named;
use crate::authoring::{Character, Files, StoryBook};
use crate::cards;
use crate::cards::bounds::MAX_FILE_BYTES;
use crate::format::AuthoringError;
use crate::world::ActionRegistry;
use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

/// Imports cards and lorebooks into a folder. Exit 0: done; 1: done, and something that they say is left out; 2: a file cannot
/// be read, or is there already, and nothing is written.
pub(super) fn import(paths: &[PathBuf], folder: &Path) -> u8 {
    let mut sources = Vec::new();
    let mut errors = Vec::new();
    for path in paths {
        match read(path) {
            Ok(bytes) => sources.push((path.display().to_string(), bytes)),
            Err(error) => errors.push(error),
        }
    }
    if !errors.is_empty() {
        return print_errors(&errors);
    }
    let files = sources
        .iter()
        .map(|(name, bytes)| (name.as_str(), bytes.as_slice()));
    let imported = match cards::import(files) {
        Ok(imported) => imported,
        Err(errors) => {
            let errors = errors.into_iter();
            let errors: Vec<_> = errors
                .map(|(file, error)| AuthoringError::whole(&file, error.to_string()))
                .collect();
            return print_errors(&errors);
        }
    };
    let taken = imported
        .files
        .keys()
        .map(|name| folder.join(name))
        .filter(|file| file.exists());
    let taken: Vec<_> = taken
        .map(|file| {
            whole(
                &file,
                "is there already: choose another folder with --output",
            )
        })
        .collect();
    if !taken.is_empty() {
        return print_errors(&taken);
    }
    for (name, text) in &imported.files {
        let file = folder.join(name);
        let written = std::fs::create_dir_all(folder).and_then(|()| create(&file, text));
        if let Err(error) = written {
            return print_errors(&[whole(&file, error)]);
        }
        print_line(&format!("written  {}", file.display()));
    }
    let mut exit = HELD;
    for lost in &imported.left_out {
        print_line(&format!(
            "left out  {}: {}: {}",
            lost.file, lost.what, lost.why
        ));
        if lost.is_content {
            exit = BROKEN;
        }
    }
    exit
}

/// Writes a character as a card, to a file or to standard output. Exit 0: done; 2: a file cannot be read or written.
pub(super) fn export(
    character: &Path,
    story: Option<&Path>,
    output: Option<&Path>,
    registry: &ActionRegistry,
) -> u8 {
    let read_all = || -> Result<String, Vec<AuthoringError>> {
        let (name, bytes) = read_named(character)?;
        let npc = Character::parse(&bytes, &name, &Files::beside(character))?;
        let story = match story {
            None => StoryBook::default(),
            Some(path) => {
                let (name, bytes) = read_named(path)?;
                StoryBook::parse(&bytes, &name, &Files::beside(path), registry)?
            }
        };
        Ok(cards::export(&npc, &story))
    };
    let card = match read_all() {
        Ok(card) => card,
        Err(errors) => return print_errors(&errors),
    };
    match output {
        None => print_line(card.trim_end()),
        Some(file) => {
            if let Err(error) = create(file, &card) {
                return print_errors(&[whole(file, error)]);
            }
        }
    }
    HELD
}

/// A new file: one that is there is not overwritten.
fn create(file: &Path, text: &str) -> std::io::Result<()> {
    File::create_new(file)?.write_all(text.as_bytes())
}

fn whole(path: &Path, why: impl ToString) -> AuthoringError {
    AuthoringError::whole(&path.display().to_string(), why.to_string())
}

/// At most one byte more than is read.
fn read(path: &Path) -> Result<Vec<u8>, AuthoringError> {
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|file| file.take(MAX_FILE_BYTES as u64 + 1).read_to_end(&mut bytes))
        .map_err(|error| whole(path, error))?;
    Ok(bytes)
}
