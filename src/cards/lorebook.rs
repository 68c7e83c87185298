//! Lorebooks: in cards, alone, and as `SillyTavern` keeps them.

use super::bounds::{MAX_ENTRIES, MAX_LINE_CHARS};
use super::json::{field, text};
use super::left_out::Notes;
use super::talk::{exchanges, spoken};
use super::words::{line, named, resolved};
use crate::text::is_visible;
use serde_json::Value;

/// The most keywords of an entry.
const MAX_KEYWORDS: usize = 64;
/// The most characters of a keyword or a title.
const MAX_WORD_CHARS: usize = 100;

/// An entry of a lorebook.
pub(super) struct Entry {
    pub(super) title: String,
    pub(super) text: String,
    pub(super) keywords: Vec<String>,
    /// Whether its own program shows it always, whatever is talked about.
    pub(super) is_constant: bool,
}

/// The lorebook that a file holds in place of a card.
pub(super) fn alone(root: &Value) -> Option<&Value> {
    let inner = field(root, "data").filter(|data| data.is_object());
    let book = [Some(root), inner].into_iter().flatten().find(|value| {
        field(value, "entries").is_some_and(|entries| entries.is_object() || entries.is_array())
    })?;
    // A card has its entries in its book.
    text(book, "first_mes").is_none().then_some(book)
}

/// The entries of a lorebook, of this character or of none.
pub(super) fn entries(book: &Value, character: Option<&str>, notes: &mut Notes) -> Vec<Entry> {
    let listed: Vec<&Value> = match field(book, "entries") {
        Some(Value::Array(list)) => list.iter().collect(),
        // By their numbers, as texts.
        Some(Value::Object(fields)) => fields.values().collect(),
        _ => Vec::new(),
    };
    let mut found = Vec::new();
    for written in listed {
        if found.len() == MAX_ENTRIES {
            notes.content("an entry of lore", "there are too many");
            continue;
        }
        found.extend(entry(written, character, notes));
    }
    found
}

fn entry(written: &Value, character: Option<&str>, notes: &mut Notes) -> Option<Entry> {
    let is = |name| field(written, name).and_then(Value::as_bool);
    let content = text(written, "content")?;
    if is("enabled") == Some(false) || is("disable") == Some(true) {
        notes.content("an entry of lore", "it is switched off");
        return None;
    }
    let is_constant = is("constant") == Some(true);
    let mut keywords: Vec<String> = Vec::new();
    for word in words(written, &["keys", "key"]) {
        if is("use_regex") == Some(true) || word.starts_with('/') && word[1..].contains('/') {
            notes.content("a keyword of lore", "it is a regular expression");
            continue;
        }
        let word = named(&resolved(word, notes), character.unwrap_or("the character"));
        let word = line(&word.replace('*', " "), MAX_WORD_CHARS, "a keyword", notes);
        if is_visible(&word) && !keywords.contains(&word) && keywords.len() < MAX_KEYWORDS {
            keywords.push(word);
        }
    }
    if words(written, &["secondary_keys", "keysecondary"])
        .next()
        .is_some()
    {
        notes.content("second keywords of lore", "one keyword is enough here");
    }
    let title = ["comment", "name"]
        .iter()
        .find_map(|name| text(written, name));
    let title = title.map(|title| line(title, MAX_WORD_CHARS, "a title", notes));
    let title = title
        .filter(|title| is_visible(title))
        .or_else(|| keywords.first().cloned());
    // An entry that nothing brings up is brought up by its title.
    let Some(title) = title else {
        if !is_constant {
            notes.content("an entry of lore", "no keyword brings it up");
            return None;
        }
        return Some(of_text(
            content,
            String::new(),
            keywords,
            true,
            character,
            notes,
        ));
    };
    Some(of_text(
        content,
        title,
        keywords,
        is_constant,
        character,
        notes,
    ))
}

fn of_text(
    content: &str,
    title: String,
    keywords: Vec<String>,
    is_constant: bool,
    character: Option<&str>,
    notes: &mut Notes,
) -> Entry {
    let lines = content.lines();
    let kept: Vec<&str> = lines
        .filter(|line| !line.trim_start().starts_with("@@"))
        .collect();
    if kept.len() < content.lines().count() {
        notes.content("decorators of lore (@@)", "they are for another program");
    }
    let name = character.unwrap_or("the character");
    // Many books tell their lore as a talk: what the character says in it is the lore.
    let (rest, found) = exchanges(&resolved(&kept.join("\n"), notes), name);
    let told = found.iter().map(|exchange| spoken(&exchange.character));
    let parts: Vec<String> = [rest].into_iter().chain(told).collect();
    let text = named(&parts.join("\n"), name);
    Entry {
        title,
        text: line(&text, MAX_LINE_CHARS, "an entry of lore", notes),
        keywords,
        is_constant,
    }
}

/// Words in a list, or in one text with commas.
fn words<'a>(written: &'a Value, names: &[&str]) -> impl Iterator<Item = &'a str> {
    let list = names.iter().find_map(|name| field(written, name));
    let (list, text) = match list {
        Some(Value::Array(list)) => (list.as_slice(), ""),
        Some(Value::String(text)) => (&[][..], text.as_str()),
        _ => (&[][..], ""),
    };
    let list = list.iter().filter_map(Value::as_str);
    list.chain(text.split(','))
        .map(str::trim)
        .filter(|word| is_visible(word))
}
