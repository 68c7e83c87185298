//! A character as a card, for other programs.

use super::written::GREETING;
use crate::authoring::{Character, StoryBook};
use serde_json::json;

/// A character as a card of version 2, as JSON on several lines: its name, its persona, its examples and its lines, and the lore
/// of a story. Rules, memories, beliefs and what it must not speak of are not in it: no other program keeps them.
#[must_use]
pub fn export(character: &Character, story: &StoryBook) -> String {
    let lines = &character.fallbacks;
    let greetings = lines.triggers.get(GREETING).unwrap_or(&lines.generic);
    let examples = character
        .examples()
        .map(|(player, npc)| format!("<START>\n{{{{user}}}}: {player}\n{{{{char}}}}: {npc}\n"));
    let entries = story.lore.iter().enumerate().map(|(at, entry)| {
        let title = entry.title.as_ref().unwrap_or(&entry.key);
        let keys = match entry.keywords.is_empty() {
            true => std::slice::from_ref(title),
            false => &entry.keywords,
        };
        json!({
            "id": at, "name": title, "comment": title, "keys": keys, "content": entry.text, "enabled": true,
            "insertion_order": at, "extensions": {},
        })
    });
    let entries: Vec<_> = entries.collect();
    let mut card = json!({
        "spec": "chara_card_v2",
        "spec_version": "2.0",
        "data": {
            "name": character.name,
            "description": character.persona,
            "personality": "",
            "scenario": "",
            "first_mes": greetings.first().map_or("", String::as_str),
            "mes_example": examples.collect::<String>(),
            "creator_notes": "",
            "system_prompt": "",
            "post_history_instructions": "",
            "alternate_greetings": greetings.get(1..).unwrap_or_default(),
            "tags": [],
            "creator": "",
            "character_version": "",
            "extensions": {},
        },
    });
    if !entries.is_empty() {
        card["data"]["character_book"] = json!({"extensions": {}, "entries": entries});
    }
    // Values of JSON are always written.
    format!(
        "{}\n",
        serde_json::to_string_pretty(&card).unwrap_or_default()
    )
}
