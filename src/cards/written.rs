//! The files that an import writes: readable, and with room for what their author adds.

use super::card::Card;
use super::left_out::LeftOut;
use super::lorebook::Entry;
use crate::base::ids::{MAX_ID_CHARS, is_id};
use crate::text::fold::fold;
use icu_normalizer::DecomposingNormalizerBorrowed;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// The trigger with whose fallback lines a character greets.
pub(super) const GREETING: &str = "greeting";

/// The characters and the lore of all files that are imported together.
#[derive(Default)]
pub(super) struct Cast {
    characters: Vec<(String, String, Card)>,
    lore: Vec<Entry>,
    ids: BTreeSet<String>,
}

impl Cast {
    pub(super) fn add(&mut self, file: &str, mut card: Card) {
        self.lore.append(&mut card.lore);
        // The player's entity has this id.
        self.ids.insert("player".to_owned());
        let id = unique(&slug(&card.name, "character"), &mut self.ids);
        self.characters.push((id, file.to_owned(), card));
    }

    pub(super) fn add_lore(&mut self, mut lore: Vec<Entry>) {
        self.lore.append(&mut lore);
    }

    /// The text of each file, by its name.
    pub(super) fn write(&self, left_out: &[LeftOut]) -> BTreeMap<String, String> {
        let mut files = BTreeMap::new();
        for (id, file, card) in &self.characters {
            files.insert(format!("{id}.npc.ron"), character(id, file, card, left_out));
        }
        let first = self.characters.first();
        let stem = first.map_or("lore", |(id, ..)| id.as_str());
        files.insert(format!("{stem}.story.ron"), story(&self.lore));
        if let Some((id, _, card)) = first {
            let cast: Vec<&str> = self.characters.iter().map(|(id, ..)| id.as_str()).collect();
            files.insert(format!("{stem}.scenario.ron"), scenario(id, card, &cast));
        }
        files
    }
}

fn character(id: &str, file: &str, card: &Card, left_out: &[LeftOut]) -> String {
    let mut out = format!("// {}, imported from {}.\n", card.name, comment(file));
    let lost: Vec<_> = left_out.iter().filter(|lost| lost.file == file).collect();
    if !lost.is_empty() {
        out.push_str("//\n// Left out:\n");
    }
    for lost in lost {
        let _ = writeln!(out, "// - {}: {}", comment(&lost.what), lost.why);
    }
    let _ = write!(
        out,
        "(\n    id: {},\n    name: {},\n",
        text(id),
        text(&card.name)
    );
    if !card.persona.is_empty() {
        let _ = writeln!(out, "    persona: {},", text(&card.persona));
    }
    if !card.examples.is_empty() {
        out.push_str("    examples: [\n");
        for (player, words) in &card.examples {
            let _ = writeln!(
                out,
                "        (player: {}, npc: {}),",
                text(player),
                text(words)
            );
        }
        out.push_str("    ],\n");
    }
    out.push_str(
        "    // What is said when no answer of the model can be used.\n    fallbacks: (\n",
    );
    if !card.greetings.is_empty() {
        let _ = writeln!(
            out,
            "        triggers: {{\n            {}: [",
            text(GREETING)
        );
        for greeting in &card.greetings {
            let _ = writeln!(out, "                {},", text(greeting));
        }
        out.push_str("            ],\n        },\n");
    }
    out.push_str("        generic: [\"Hm.\"],\n    ),\n)\n");
    out
}

fn story(lore: &[Entry]) -> String {
    let mut out = String::from(
        "// Lore that was imported. A world, canon and rules have their places here, too.\n(\n    lore: [\n",
    );
    let mut keys = BTreeSet::new();
    let mut said = BTreeSet::new();
    for entry in lore {
        // Cards of one world have the same entries.
        if entry.text.is_empty() || !said.insert(fold(&entry.text)) {
            continue;
        }
        let key = unique(&slug(&entry.title, "entry"), &mut keys);
        let _ = write!(out, "        (key: {}, ", text(&key));
        if !entry.title.is_empty() && entry.title != key {
            let _ = write!(out, "title: {}, ", text(&entry.title));
        }
        let _ = write!(out, "text: {}", text(&entry.text));
        if !entry.keywords.is_empty() {
            let words: Vec<String> = entry.keywords.iter().map(|word| text(word)).collect();
            let _ = write!(out, ", keywords: [{}]", words.join(", "));
        }
        out.push_str("),\n");
    }
    out.push_str("    ],\n)\n");
    out
}

fn scenario(id: &str, card: &Card, cast: &[&str]) -> String {
    let files: Vec<String> = cast
        .iter()
        .map(|id| text(&format!("{id}.npc.ron")))
        .collect();
    let name = &card.name;
    let mut out = format!(
        "// Talk to {name}: dramatis chat {id}.scenario.ron\n(\n    name: {},\n    story: {},\n    npcs: [{}],\n",
        text(&format!("{name} greets the player")),
        text(&format!("{id}.story.ron")),
        files.join(", "),
    );
    let _ = write!(
        out,
        "    // Without a model, an authored line is said.\n    replies: [Fail((kind: Transport))],\n    steps: [Trigger(npc: {}, reason: Custom, trigger_id: {})],\n    expect: [(at: \"/runs/0/outcome\", is: \"Fallback\")],\n)\n",
        text(id),
        text(GREETING),
    );
    out
}

/// A text as RON writes it: as it is, between marks that are not in it.
fn text(text: &str) -> String {
    if !text.contains(['"', '\\', '\n']) {
        return format!("\"{text}\"");
    }
    let mut marks = "#".to_owned();
    while text.contains(&format!("\"{marks}")) {
        marks.push('#');
    }
    format!("r{marks}\"{text}\"{marks}")
}

/// A text in a comment: on one line.
fn comment(text: &str) -> String {
    crate::text::without_controls(text)
}

/// An id that looks like a name.
fn slug(name: &str, otherwise: &str) -> String {
    let plain: String = DecomposingNormalizerBorrowed::new_nfkd()
        .normalize(name)
        .to_lowercase();
    let mut id = String::new();
    // Without marks, and with room for a number.
    for c in plain
        .chars()
        .filter(|c| !('\u{300}'..='\u{36f}').contains(c) && *c != '\'')
    {
        match c {
            'a'..='z' | '0'..='9' => id.push(c),
            _ if !id.is_empty() && !id.ends_with('_') => id.push('_'),
            _ => {}
        }
        if id.len() == MAX_ID_CHARS - 8 {
            break;
        }
    }
    let id = id.trim_end_matches('_');
    if is_id(id) { id } else { otherwise }.to_owned()
}

/// The id, with a number where another has it already.
fn unique(id: &str, taken: &mut BTreeSet<String>) -> String {
    let numbered = (2..).map(|number| format!("{id}_{number}"));
    let free = [id.to_owned()]
        .into_iter()
        .chain(numbered)
        .find(|id| !taken.contains(id));
    let free = free.unwrap_or_default();
    taken.insert(free.clone());
    free
}
