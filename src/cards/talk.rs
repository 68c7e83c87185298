//! What a character of a card says: its example dialogues, and its words among stage directions.

use super::words::{CHARACTER_MARK, PLAYER_MARK};

/// One exchange of a dialogue, as it is written.
#[derive(Debug, PartialEq)]
pub(super) struct Exchange {
    pub(super) player: String,
    pub(super) character: String,
}

/// A text without the dialogues in it, and their exchanges in order. The macros of the text are resolved; a line that begins
/// with the mark or the name of one of the two, and a colon, is spoken by that one, and what follows belongs to it until another
/// line begins so, a blank line comes, or a dialogue begins.
pub(super) fn exchanges(text: &str, character: &str) -> (String, Vec<Exchange>) {
    enum In {
        Text,
        Player,
        Character,
    }
    let mut rest = String::new();
    let mut found: Vec<Exchange> = Vec::new();
    let mut at = In::Text;
    for line in text.lines() {
        let trimmed = line.trim();
        if trimmed.eq_ignore_ascii_case("<start>") || trimmed.is_empty() {
            at = In::Text;
            rest.push('\n');
        } else if trimmed.starts_with('[') {
            // Cards write in brackets what is about the character, also right after what it says.
            at = In::Text;
            rest.push('\n');
            rest.push_str(line);
        } else if let Some(words) = spoken_by(trimmed, PLAYER_MARK, "You") {
            at = In::Player;
            found.push(Exchange {
                player: words.to_owned(),
                character: String::new(),
            });
        } else if let Some(words) = spoken_by(trimmed, CHARACTER_MARK, character) {
            at = In::Character;
            match found.last_mut() {
                Some(last) if last.character.is_empty() => words.clone_into(&mut last.character),
                _ => found.push(Exchange {
                    player: String::new(),
                    character: words.to_owned(),
                }),
            }
        } else {
            let of = match (&at, found.last_mut()) {
                (In::Player, Some(last)) => &mut last.player,
                (In::Character, Some(last)) => &mut last.character,
                _ => &mut rest,
            };
            of.push('\n');
            of.push_str(line);
        }
    }
    (rest, found)
}

fn spoken_by<'a>(line: &'a str, mark: char, name: &str) -> Option<&'a str> {
    let after = line
        .strip_prefix(mark)
        .or_else(|| line.strip_prefix(name))?;
    Some(after.trim_start().strip_prefix(':')?.trim_start())
}

/// The words that are spoken in a text of a card, which has stage directions in asterisks or around quotations. Empty where it
/// has none but those.
pub(super) fn spoken(text: &str) -> String {
    let (quoted, outside) = quotations(text);
    let around = outside.trim();
    let is_told = !quoted.is_empty() && (around.contains('*') || told_around(text));
    let words = if is_told {
        quoted.join(" ")
    } else {
        without_actions(text)
    };
    words.replace(['*', '_'], "").trim().to_owned()
}

/// Whether a text begins or ends with a quotation, as a story does: `She smiled. "Come in."`
fn told_around(text: &str) -> bool {
    const MARKS: [char; 5] = ['"', '\u{201c}', '\u{201d}', '\u{201e}', '\u{ab}'];
    let text = text.trim();
    text.starts_with(MARKS) || text.ends_with(MARKS)
}

/// What is between quotation marks, and the rest.
fn quotations(text: &str) -> (Vec<&str>, String) {
    let mut quoted = Vec::new();
    let mut outside = String::new();
    // Where the open quotation begins, and what closes it.
    let mut open: Option<(usize, [char; 2])> = None;
    for (at, c) in text.char_indices() {
        match open {
            Some((begin, closes)) if closes.contains(&c) => {
                quoted.push(text[begin..at].trim());
                open = None;
            }
            Some(_) => {}
            None => match closing(c) {
                Some(closes) => open = Some((at + c.len_utf8(), closes)),
                None => outside.push(c),
            },
        }
    }
    // A quotation that is never closed goes to the end.
    quoted.extend(open.map(|(begin, _)| text[begin..].trim()));
    quoted.retain(|words| !words.is_empty());
    (quoted, outside)
}

fn closing(c: char) -> Option<[char; 2]> {
    match c {
        '"' => Some(['"', '\u{201d}']),
        '\u{201c}' => Some(['\u{201d}', '"']),
        '\u{201e}' => Some(['\u{201c}', '\u{201d}']),
        '\u{ab}' => Some(['\u{bb}'; 2]),
        '\u{300c}' => Some(['\u{300d}'; 2]),
        _ => None,
    }
}

/// The text without what is between asterisks, where that is more than an emphasised word.
fn without_actions(text: &str) -> String {
    let mut parts = text.split('*');
    let mut out = parts.next().unwrap_or_default().to_owned();
    let parts: Vec<&str> = parts.collect();
    let mut at = 0;
    while let Some(part) = parts.get(at) {
        let is_closed = at + 1 < parts.len();
        if !is_closed || part.split_whitespace().count() < 2 {
            out.push_str(part);
        }
        if let Some(after) = parts.get(at + 1) {
            out.push_str(after);
        }
        at += 2;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn x6_the_spoken_words_are_found_among_stage_directions() {
        for (written, words) in [
            (
                "*She nods.* \"Come in!\" *She steps aside.* \"Sit *here*.\"",
                "Come in! Sit here.",
            ),
            ("\u{201c}Halt!\u{201d} The guard raised his spear.", "Halt!"),
            ("Er lachte. \u{201e}Na komm.\u{201c}", "Na komm."),
            (
                "*\u{51b7}\u{7b11}* \u{300c}\u{8ab0}\u{3060}\u{ff1f}\u{300d}",
                "\u{8ab0}\u{3060}\u{ff1f}",
            ),
            ("Well met! *waves a hand* Sit down.", "Well met!  Sit down."),
            ("That is *so* good.", "That is so good."),
            (
                "They call it \"the beast\" in the valley.",
                "They call it \"the beast\" in the valley.",
            ),
            ("Plain words.", "Plain words."),
            ("*She only smiles at you.*", ""),
            ("\"Never closed", "Never closed"),
        ] {
            assert_eq!(spoken(written), words, "{written}");
        }
    }

    #[test]
    fn x6_a_dialogue_is_parted_from_the_text_around_it() {
        let text = format!(
            "Before.\n<START>\n{PLAYER_MARK}: Who are you?\n{CHARACTER_MARK}: Mara.\nI keep the inn.\nMara: Still I.\n[Scenario: rain]\n\nAfter."
        );
        let (rest, found) = exchanges(&text, "Mara");
        assert_eq!(
            rest.split_whitespace().collect::<Vec<_>>(),
            ["Before.", "[Scenario:", "rain]", "After."]
        );
        assert_eq!(found.len(), 2);
        assert_eq!(found[0].player, "Who are you?");
        assert_eq!(found[0].character, "Mara.\nI keep the inn.");
        assert_eq!((&*found[1].player, &*found[1].character), ("", "Still I."));
    }
}
