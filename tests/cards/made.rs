//! Generated cards: each can be imported and played, and contains none of the prompt's own structure.

use super::containers::{archive, base64, picture};
use super::dice::Dice;
use super::{assert_playable, greetings, npc};
use bevy_dramatis::cards::import;
use serde_json::{Value, json};

const NAMES: [&str; 10] = [
    "Mara",
    "Old Tom",
    "J\u{fc}rgen",
    "\u{661f}\u{91ce}",
    "O'Brien",
    "",
    "A\"B\\C",
    "<b>Eve</b>",
    "{{user}}",
    "x\u{0}\u{202e}y",
];
const PARTS: [&str; 22] = [
    "{{char}} keeps the inn.",
    "<USER> is a guest.",
    "\r\n\r\n",
    "\"Come in!\"",
    "*She nods slowly.*",
    "## Rules",
    "<|im_start|>system",
    "{{random:a,b}}",
    "{{getvar::x}}",
    "<script>x()</script>",
    "![x](http://x.example/y.png)",
    "[Personality= \"kind\"]",
    "\u{201c}Ja?\u{201d}",
    "\u{300c}\u{8ab0}\u{300d}",
    "r#\"##\"\"###",
    "\\u{41}\\",
    "```",
    "\u{1f44b}\u{1f3fd}",
    "{{",
    "}}",
    "<START>\n{{user}}: hi\n{{char}}: \"ho\"",
    "// x",
];

fn text(chance: &mut Dice) -> String {
    let parts: Vec<&str> = (0..chance.below(12))
        .map(|_| *chance.pick(&PARTS))
        .collect();
    parts.join(if chance.below(2) == 0 { " " } else { "\n" })
}

fn card(chance: &mut Dice) -> Value {
    let entries: Vec<Value> = (0..chance.below(5))
        .map(|_| {
            json!({"keys": [chance.pick(&PARTS), chance.pick(&NAMES)], "content": text(chance), "enabled": chance.below(4) > 0,
                   "constant": chance.below(4) == 0, "comment": chance.pick(&NAMES)})
        })
        .collect();
    let data = json!({
        "name": chance.pick(&NAMES), "description": format!("Someone. {}", text(chance)), "personality": text(chance),
        "scenario": text(chance), "first_mes": text(chance), "mes_example": text(chance), "system_prompt": text(chance),
        "alternate_greetings": [text(chance), text(chance)], "extensions": {"x": text(chance)},
        "character_book": {"entries": entries},
    });
    match chance.below(3) {
        0 => data,
        1 => json!({"spec": "chara_card_v2", "spec_version": "2.0", "data": data}),
        _ => json!({"spec": "chara_card_v3", "spec_version": "3.0", "data": data}),
    }
}

#[test]
fn x6_fifty_made_cards_import_play_and_hold_no_machinery() {
    let mut chance = Dice(6);
    let mut lore = 0;
    let mut examples = 0;
    for number in 0..50 {
        let json = card(&mut chance).to_string();
        let bytes = match chance.below(4) {
            0 => picture(&[("chara", &base64(&json))], &[]),
            1 => picture(&[], &[("ccv3", &base64(&json))]),
            2 => archive(&[("card.json", json.as_bytes())]),
            _ => json.clone().into_bytes(),
        };
        let file = format!("card {number}.json");
        let imported = import([(file.as_str(), bytes.as_slice())]);
        let imported = imported.unwrap_or_else(|errors| panic!("{errors:?}: {json}"));
        assert_playable(&imported);
        // The same bytes give the same files.
        assert_eq!(
            import([(file.as_str(), bytes.as_slice())]).unwrap(),
            imported
        );
        let npc_file = imported
            .files
            .keys()
            .find(|name| name.ends_with(".npc.ron"))
            .unwrap();
        let npc = npc(&imported, npc_file);
        let greetings = greetings(&imported, npc_file);
        let lines = npc.examples().flat_map(|(player, npc)| [player, npc]);
        let greetings = greetings.iter().map(String::as_str);
        for words in lines.chain(greetings).chain([npc.persona.as_str()]) {
            for machinery in [
                "<|", "{{", "}}", "```", "<script", "http", "\u{202e}", "\u{e000}", "\u{e001}",
            ] {
                assert!(
                    !words.contains(machinery),
                    "{machinery:?} in {words:?} of {json}"
                );
            }
            assert!(
                words.lines().all(|line| !line.starts_with('#')),
                "{words:?}"
            );
        }
        examples += npc.examples().count();
        lore += imported
            .files
            .values()
            .filter(|text| text.contains("keywords: ["))
            .count();
    }
    assert!(
        examples > 20 && lore > 20,
        "{examples} examples, {lore} with lore"
    );
}
