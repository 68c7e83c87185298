//! Character cards and lorebooks of other programs, as files that this crate reads, and back.
//!
//! [`import`] reads cards of versions 1 to 3 (as JSON, in a PNG picture, or as CHARX), lorebooks in cards, and world files of
//! `SillyTavern`. It writes the text of a `.npc.ron` file for each character, of one `.story.ron` file with the lore, and of a
//! `.scenario.ron` file in which the first character greets the player. It lists what it left out, and why.
//!
//! All text of a card is untrusted. It becomes plain text: without control characters, markup, macros and anything that a
//! prompt could take for a heading, a message or a mark of its own, and bounded (see [the page on cards](crate::guide::cards)). A card's own instructions
//! to the model (`system_prompt` and its kin) are left out.
//!
//! [`export`] writes a character as a card of version 2.

pub(crate) mod bounds;
mod card;
mod container;
mod export;
mod json;
mod left_out;
mod lorebook;
mod talk;
mod words;
mod written;

use bounds::CardError;
pub use export::export;
pub use left_out::LeftOut;

use card::Card;
use left_out::Notes;
use lorebook::Entry;
use std::collections::BTreeMap;

/// The files that an import gives, and what is not in them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Imported {
    /// The texts of the new files, by their names.
    pub files: BTreeMap<String, String>,
    /// What was left out, file by file.
    pub left_out: Vec<LeftOut>,
}

/// What a file turned out to be.
enum Read {
    Card(Box<Card>),
    Lorebook(Vec<Entry>),
}

/// Imports cards and lorebooks as one cast: the name of each file, and its bytes. Total: any bytes give files or errors.
///
/// ```
/// use bevy_dramatis::cards::import;
///
/// let card = r#"{"name": "Mara", "description": "{{char}} keeps the inn.", "first_mes": "*She nods.* \"Come in!\""}"#;
/// let imported = import([("mara.json", card.as_bytes())]).unwrap();
/// assert!(imported.files["mara.npc.ron"].contains("Mara keeps the inn."));
/// assert!(imported.files["mara.npc.ron"].contains("Come in!"));
/// ```
///
/// # Errors
/// Each file that cannot be read, by its name. Nothing is imported then.
pub fn import<'a>(
    files: impl IntoIterator<Item = (&'a str, &'a [u8])>,
) -> Result<Imported, Vec<(String, String)>> {
    let mut cast = written::Cast::default();
    let mut errors = Vec::new();
    let mut left_out = Vec::new();
    for (file, bytes) in files {
        let mut notes = Notes::default();
        match read(file, bytes, &mut notes) {
            Ok(Read::Card(card)) => cast.add(file, *card),
            Ok(Read::Lorebook(entries)) => cast.add_lore(entries),
            Err(error) => errors.push((file.to_owned(), error.to_string())),
        }
        left_out.extend(notes.of(file));
    }
    if errors.is_empty() {
        let files = cast.write(&left_out);
        Ok(Imported { files, left_out })
    } else {
        Err(errors)
    }
}

fn read(file: &str, bytes: &[u8], notes: &mut Notes) -> Result<Read, CardError> {
    let json = container::json_of(bytes, notes)?;
    let value: serde_json::Value =
        serde_json::from_str(&json).map_err(|error| CardError::NotJson(error.to_string()))?;
    if let Some(book) = lorebook::alone(&value) {
        return Ok(Read::Lorebook(lorebook::entries(book, None, notes)));
    }
    let stem = file.rsplit(['/', '\\']).next().unwrap_or(file);
    let stem = stem.rsplit_once('.').map_or(stem, |(stem, _)| stem);
    card::read(&value, stem, notes).map(|card| Read::Card(Box::new(card)))
}
