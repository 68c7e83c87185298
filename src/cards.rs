//! Character cards and lorebooks of other programs, as files that this crate reads, and back.
//!
//! [`import`] reads cards of versions 1 to 3 (as JSON, in a PNG picture, or as CHARX), lorebooks in cards, and world files of
//! `SillyTavern`. It writes the text of a `.npc.ron` file for each character, of one `.story.ron` file with the lore, and of a
//! `.scenario.ron` file in which the first character greets the player. It lists what it left out, and why.
//!
//! All text of a card is untrusted. It becomes plain text: without control characters, markup, macros and anything that a
//! prompt could take for a heading, a message or a mark of its own, and bounded by the numbers below. A card's own instructions
//! to the model (`system_prompt` and its kin) are left out.
//!
//! [`export`] writes a character as a card of version 2.

mod card;
mod container;
mod export;
mod lorebook;
mod talk;
mod words;
mod written;

pub use export::export;

use card::Card;
use lorebook::Entry;
use std::collections::BTreeMap;
use thiserror::Error;

/// The longest file that is read, in bytes: most of a card is its picture.
pub const MAX_FILE_BYTES: usize = 64 << 20;
/// The longest text of a card or a lorebook that is read, in bytes.
pub const MAX_TEXT_BYTES: usize = 4 << 20;
/// The most characters of a persona that a card gives.
pub const MAX_PERSONA_CHARS: usize = 20_000;
/// The most characters of a line, an example or an entry of lore that a card gives.
pub const MAX_LINE_CHARS: usize = 2_000;
/// The most examples of one card. All of them are in every prompt of the character.
pub const MAX_EXAMPLES: usize = 8;
/// The most greetings of one card.
pub const MAX_GREETINGS: usize = 32;
/// The most entries of one lorebook.
pub const MAX_ENTRIES: usize = 2_000;

/// Why a file is not imported.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CardError {
    /// The file is longer than [`MAX_FILE_BYTES`].
    #[error("the file has {0} bytes, more than {MAX_FILE_BYTES}")]
    TooLarge(usize),
    /// The text in it is longer than [`MAX_TEXT_BYTES`].
    #[error("the text of the card has more than {MAX_TEXT_BYTES} bytes")]
    TooMuchText,
    /// It is a WebP or JPEG picture. Cards in such pictures have no common form.
    #[error("it is a {0} picture: save the card as PNG, JSON or CHARX in the program that made it")]
    OtherPicture(&'static str),
    /// It is a PNG picture without a card.
    #[error("the picture holds no card: neither a `chara` nor a `ccv3` text is in it")]
    NoCardInPicture,
    /// The picture or the archive is damaged.
    #[error("the {0} is damaged: {1}")]
    Damaged(&'static str, String),
    /// The text of the card is no JSON.
    #[error("the text of the card is not JSON: {0}")]
    NotJson(String),
    /// It is JSON, and neither a card nor a lorebook.
    #[error(
        "it is neither a character card nor a lorebook: it has no `name`, no `description` and no `entries`"
    )]
    NotACard,
}

/// Something that a file says and the imported files do not.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct LeftOut {
    /// The name of the file, as the caller gave it.
    pub file: String,
    /// What was left out.
    pub what: String,
    /// Why.
    pub why: &'static str,
    /// Whether the character or its world would have been told of it. Notes for people are not such.
    pub is_content: bool,
}

/// What was imported.
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
) -> Result<Imported, Vec<(String, CardError)>> {
    let mut cast = written::Cast::default();
    let mut errors = Vec::new();
    let mut left_out = Vec::new();
    for (file, bytes) in files {
        let mut notes = Notes::default();
        match read(file, bytes, &mut notes) {
            Ok(Read::Card(card)) => cast.add(file, *card),
            Ok(Read::Lorebook(entries)) => cast.add_lore(entries),
            Err(error) => errors.push((file.to_owned(), error)),
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

/// What is left out of one file: each thing once, with how often it was there.
#[derive(Default)]
struct Notes(BTreeMap<(String, &'static str), (usize, bool)>);

impl Notes {
    /// Content of a kind is left out.
    fn content(&mut self, what: impl Into<String>, why: &'static str) {
        self.count(what.into(), why, true);
    }

    /// Something for people is left out.
    fn note(&mut self, what: impl Into<String>, why: &'static str) {
        self.count(what.into(), why, false);
    }

    fn count(&mut self, what: String, why: &'static str, is_content: bool) {
        let (count, _) = self.0.entry((what, why)).or_insert((0, is_content));
        *count += 1;
    }

    fn of(self, file: &str) -> impl Iterator<Item = LeftOut> {
        self.0
            .into_iter()
            .map(move |((what, why), (count, is_content))| LeftOut {
                file: file.to_owned(),
                what: match count {
                    1 => what,
                    _ => format!("{what} ({count} times)"),
                },
                why,
                is_content,
            })
    }
}
