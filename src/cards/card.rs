//! A character card as plain words. Cards of all versions are read alike, since many say one version and are another.

use super::bounds::{CardError, MAX_EXAMPLES, MAX_GREETINGS, MAX_LINE_CHARS, MAX_PERSONA_CHARS};
use super::json::{field, says_something, text};
use super::left_out::Notes;
use super::lorebook::{self, Entry};
use super::talk::{exchanges, spoken};
use super::words::{line, named, plain, resolved};
use crate::text::{excerpt, is_visible};
use serde_json::Value;

/// What a card says of its character.
pub(super) struct Card {
    pub(super) name: String,
    pub(super) persona: String,
    /// What the player says, and what the character answers.
    pub(super) examples: Vec<(String, String)>,
    pub(super) greetings: Vec<String>,
    pub(super) lore: Vec<Entry>,
}

const INSTRUCTS: &str = "a card gives no instructions to the model";
const FOR_PEOPLE: &str = "it is for people";
/// Texts that are left out, and why.
const LEFT_OUT: [(&str, &str, bool); 11] = [
    ("system_prompt", INSTRUCTS, true),
    ("post_history_instructions", INSTRUCTS, true),
    ("group_only_greetings", "a greeting is for the player", true),
    ("creator_notes", FOR_PEOPLE, false),
    ("creator_notes_multilingual", FOR_PEOPLE, false),
    ("creatorcomment", FOR_PEOPLE, false),
    ("creator", FOR_PEOPLE, false),
    ("character_version", FOR_PEOPLE, false),
    ("tags", FOR_PEOPLE, false),
    ("source", FOR_PEOPLE, false),
    ("assets", "pictures and sounds are not read", false),
];

/// Reads a card; `stem` is the name of its file, for a card without a name.
pub(super) fn read(root: &Value, stem: &str, notes: &mut Notes) -> Result<Card, CardError> {
    let data = field(root, "data")
        .filter(|data| data.is_object())
        .unwrap_or(root);
    // The names of version 1 and 2, and those of Pygmalion.
    let first = |names: &[&str]| {
        let texts = names.iter().filter_map(|name| text(data, name));
        texts.map(str::to_owned).next().unwrap_or_default()
    };
    let full_name = first(&["name", "char_name"]);
    let description = first(&["description", "char_persona"]);
    let personality = first(&["personality"]);
    let scenario = first(&["scenario", "world_scenario"]);
    let greeting = first(&["first_mes", "char_greeting"]);
    let dialogue = first(&["mes_example", "example_dialogue"]);
    let book = field(data, "character_book").filter(|book| book.is_object());
    let says = [
        &full_name,
        &description,
        &personality,
        &scenario,
        &greeting,
        &dialogue,
    ];
    if says.iter().all(|text| text.is_empty()) && book.is_none() {
        return Err(CardError::NotACard);
    }
    let mut nickname = text(data, "nickname").unwrap_or_default().to_owned();
    if !is_visible(&nickname) {
        nickname.clone_from(&full_name);
    }
    let name = [&nickname, &full_name]
        .into_iter()
        .find_map(|name| name_of(name));
    let name = name
        .or_else(|| name_of(stem))
        .unwrap_or_else(|| "Character".to_owned());

    let mut examples = Vec::new();
    let mut paragraphs = Vec::new();
    for (label, written) in [
        ("", &description),
        ("Personality: ", &personality),
        ("Scenario: ", &scenario),
    ] {
        let (rest, found) = exchanges(&resolved(written, notes), &name);
        examples.extend(found);
        let what = "the description";
        let rest = plain(&named(&rest, &name), MAX_PERSONA_CHARS, what, notes);
        if !rest.is_empty() {
            paragraphs.push(format!("{label}{rest}"));
        }
    }
    let (prose, found) = exchanges(&resolved(&dialogue, notes), &name);
    examples.extend(found);
    if is_visible(&prose) {
        notes.content(
            "text among the example dialogues",
            "no one of the two says it",
        );
    }

    let mut greetings = Vec::new();
    let others = field(data, "alternate_greetings").and_then(Value::as_array);
    let others = others.into_iter().flatten().filter_map(Value::as_str);
    for written in [greeting.as_str()]
        .into_iter()
        .chain(others)
        .filter(|text| is_visible(text))
    {
        let words = said(&resolved(written, notes), &name, "a greeting", notes);
        if words.is_empty() {
            notes.content("a greeting", "no words are spoken in it");
        } else if greetings.len() < MAX_GREETINGS {
            greetings.push(words);
        } else {
            notes.content("a greeting", "there are too many");
        }
    }

    let mut shown = Vec::new();
    for exchange in examples {
        let player = said(&exchange.player, &name, "an example", notes);
        let words = said(&exchange.character, &name, "an example", notes);
        if player.is_empty() || words.is_empty() {
            notes.content("an example", "one of the two says nothing in it");
        } else if shown.len() < MAX_EXAMPLES {
            shown.push((player, words));
        } else {
            notes.content(
                "an example",
                "there are too many: all of them are in every prompt",
            );
        }
    }

    let lore = book.map_or_else(Vec::new, |book| lorebook::entries(book, Some(&name), notes));
    let (always, lore): (Vec<_>, Vec<_>) = lore.into_iter().partition(|entry| entry.is_constant);
    paragraphs.extend(always.into_iter().map(|entry| entry.text));
    let persona = plain(
        &paragraphs.join("\n\n"),
        MAX_PERSONA_CHARS,
        "the persona",
        notes,
    );

    list_left_out(data, root, notes);
    Ok(Card {
        name,
        persona,
        examples: shown,
        greetings,
        lore,
    })
}

/// The words that are spoken in a text, on one line.
fn said(text: &str, name: &str, what: &'static str, notes: &mut Notes) -> String {
    let words = spoken(&named(text, name));
    if words.len() + 2 < text.trim().len() {
        notes.content(
            format!("the stage directions of {what}"),
            "a line is what is spoken",
        );
    }
    line(&words, MAX_LINE_CHARS, what, notes)
}

/// A name on one line, of at most 100 characters.
fn name_of(written: &str) -> Option<String> {
    let name = line(written, 100, "the name", &mut Notes::default());
    is_visible(&name).then_some(name)
}

/// Lists what is not read.
fn list_left_out(data: &Value, root: &Value, notes: &mut Notes) {
    for (name, why, is_content) in LEFT_OUT {
        let value = field(data, name).or_else(|| field(root, name));
        if value.is_some_and(says_something) {
            notes.count(name.to_owned(), why, is_content);
        }
    }
    let extensions = field(data, "extensions").and_then(Value::as_object);
    for (name, value) in extensions.into_iter().flatten() {
        if !says_something(value) {
            continue;
        }
        match name.as_str() {
            "regex_scripts" => notes.content("extensions.regex_scripts", "a card runs no scripts"),
            "depth_prompt" => notes.content("extensions.depth_prompt", INSTRUCTS),
            "fav" | "talkativeness" | "world" => {}
            name => notes.note(
                format!("extensions.{}", excerpt(name)),
                "it is for another program",
            ),
        }
    }
}
