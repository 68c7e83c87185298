//! Which of some phrases a reply chooses.

use super::locate::{Located, Object, locate_any};
use super::reply_text::text_of;
use crate::text::fold::{fold, is_word_char};
use crate::text::{Lexicon, single_spaced};
use serde_json::Value;

/// The place of the phrase that a reply chooses among `phrases`, of which the first says that nothing is done. `None`: it chooses
/// none, or several.
///
/// It is read as `{"choice": phrase}`, or the number of a phrase in its place; as a phrase or its number alone; or as prose that
/// holds exactly one phrase. A phrase inside a longer one does not count, nor one that is denied.
#[must_use]
pub fn parse_choice(bytes: &[u8], phrases: &[&str], lexicon: &Lexicon) -> Option<usize> {
    match locate_any(text_of(bytes).ok()?).ok()? {
        Located::Envelope(object) => chosen(&object, phrases),
        Located::Prose(text) => {
            let text = bare(&text);
            // A list of values is no sentence.
            if text.starts_with(['{', '[']) {
                return None;
            }
            named(text, phrases).or_else(|| held(text, phrases, lexicon))
        }
    }
}

/// The text without the signs around it that are never a part of a phrase or a number.
fn bare(text: &str) -> &str {
    let is_sign = |c: char| !is_word_char(c) && !matches!(c, '{' | '[' | '(' | ')' | '-');
    text.trim_matches(is_sign).trim_end_matches(['-', '['])
}

/// What an object says that has a `choice`.
fn chosen(object: &Object, phrases: &[&str]) -> Option<usize> {
    let fields: Value = serde_json::from_str(&object.json).ok()?;
    match fields.get("choice")? {
        Value::Number(number) => listed(number.as_u64()?, phrases),
        Value::String(text) => named(bare(text), phrases),
        _ => None,
    }
}

fn listed(number: u64, phrases: &[&str]) -> Option<usize> {
    let place = usize::try_from(number).ok()?;
    (place < phrases.len()).then_some(place)
}

/// The phrase that this text is, or whose number it is.
fn named(text: &str, phrases: &[&str]) -> Option<usize> {
    let digits = text.trim_matches(['(', ')']);
    if let Ok(number) = digits.parse() {
        return listed(number, phrases);
    }
    let spaced = |text| single_spaced(&fold(text));
    let text = spaced(text);
    phrases
        .iter()
        .position(|phrase| spaced(bare(phrase)) == text)
}

/// The one phrase that a text holds.
fn held(text: &str, phrases: &[&str], lexicon: &Lexicon) -> Option<usize> {
    let text = Words::of(text);
    let mut found: Vec<(usize, usize, usize)> = Vec::new();
    for (place, phrase) in phrases.iter().enumerate() {
        let phrase = Words::of(phrase);
        let len = phrase.words.len();
        if len == 0 {
            continue;
        }
        let starts = 0..(text.words.len() + 1).saturating_sub(len);
        let starts = starts.filter(|at| {
            let here = &text.words[*at..at + len];
            let is_one = text.clauses[*at] == text.clauses[at + len - 1];
            is_one && here == phrase.words
        });
        found.extend(starts.map(|at| (place, at, at + len)));
    }
    let is_part = |(place, from, to): &(usize, usize, usize)| {
        let mut others = found.iter();
        others.any(|(other, begin, end)| {
            other != place && begin <= from && to <= end && end - begin > to - from
        })
    };
    let counts = |one: &&(usize, usize, usize)| {
        !is_part(one) && (one.0 == 0 || !text.is_denied(one.1, lexicon))
    };
    let mut places: Vec<usize> = found
        .iter()
        .filter(counts)
        .map(|(place, ..)| *place)
        .collect();
    places.sort_unstable();
    places.dedup();
    match places[..] {
        [place] | [0, place] => Some(place),
        _ => None,
    }
}

/// The words of a text, folded, each with the number of its clause.
struct Words {
    words: Vec<String>,
    clauses: Vec<usize>,
}

impl Words {
    fn of(text: &str) -> Self {
        let folded = fold(text);
        let mut all = Self {
            words: Vec::new(),
            clauses: Vec::new(),
        };
        let mut clause = 0;
        let is_part = |c: char| is_word_char(c) || matches!(c, '\'' | '\u{2019}');
        let mut rest = folded.as_str();
        while let Some(c) = rest.chars().next() {
            if !is_part(c) {
                clause += usize::from(matches!(
                    c,
                    '.' | ',' | ';' | ':' | '!' | '?' | '\n' | '…' | '—' | '–' | '。' | '、' | '，'
                ));
                rest = &rest[c.len_utf8()..];
                continue;
            }
            let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
            let word = rest[..end].replace('\u{2019}', "'");
            let word = word.trim_matches('\'');
            if !word.is_empty() {
                all.words.push(word.to_owned());
                all.clauses.push(clause);
            }
            rest = &rest[end..];
        }
        all
    }

    /// Whether the clause of the word at `at` is denied.
    fn is_denied(&self, at: usize, lexicon: &Lexicon) -> bool {
        let clause = self.clauses[at];
        let words: Vec<&str> = std::iter::zip(&self.words, &self.clauses)
            .filter(|(_, own)| **own == clause)
            .map(|(word, _)| word.as_str())
            .collect();
        let denied = format!(" {} ", words.join(" "));
        let tables = [&lexicon.negators, &lexicon.imperatives.negators];
        let mut negators = tables.into_iter().flatten();
        negators.any(|negator| denied.contains(&format!(" {negator} ")))
            || words.iter().any(|word| word.ends_with("n't"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PHRASES: [&str; 4] = [
        "nothing",
        "open the oak door",
        "open the oak door with the brass key",
        "give the brass key to Ann",
    ];

    fn read(reply: &str) -> Option<usize> {
        parse_choice(reply.as_bytes(), &PHRASES, Lexicon::english())
    }

    #[test]
    fn p14_a_choice_is_an_object_a_phrase_a_number_or_prose_that_holds_one_phrase() {
        for (reply, place) in [
            (r#"{"choice": "open the oak door"}"#, 1),
            (r#"{"choice": "Open the oak door."}"#, 1),
            (r#"{"choice": 3}"#, 3),
            (r#"{"choice": "2"}"#, 2),
            (r#"{"choice": "nothing"}"#, 0),
            ("```json\n{\"choice\": \"open the oak door\"}\n```", 1),
            ("<think>The key?</think>{\"choice\": 3}", 3),
            ("Here: {\"choice\": 0}", 0),
            ("open the oak door", 1),
            ("\"Open the Oak Door.\"", 1),
            ("**Open the oak door**", 1),
            ("- give the brass key to Ann", 3),
            ("2", 2),
            ("(3)", 3),
            ("3.", 3),
            ("0", 0),
            ("<think>Hm.</think>\n1", 1),
            ("Nothing.", 0),
            ("He does nothing.", 0),
            ("I will open the oak door with the brass key now.", 2),
            ("Eldrin: I open the oak door, nothing else.", 1),
            ("2. open the oak door with the brass key", 2),
            (
                "Give the brass key to Ann! Yes, give the brass key to Ann.",
                3,
            ),
            (
                "I do not give the brass key to Ann, I open the oak door.",
                1,
            ),
        ] {
            assert_eq!(read(reply), Some(place), "{reply}");
        }
    }

    #[test]
    fn p14_what_chooses_nothing_listed_or_several_things_is_no_choice() {
        for reply in [
            "",
            "   ",
            "4",
            "-1",
            "1.5",
            "17",
            "close the chest",
            "I think that the door looks old.",
            "open the oak door and give the brass key to Ann",
            "I will not open the oak door.",
            "I won't give the brass key to Ann.",
            "I'd never open the oak door",
            r#"{"choice": "close the chest"}"#,
            r#"{"choice": ["open the oak door"]}"#,
            r#"{"choice": null}"#,
            r#"{"choice": 9}"#,
            r#"{"choice": -1}"#,
            r#"{"do": "open the oak door"}"#,
            "{open the oak door}",
            "{\"choice\": \"open the oak",
            "[\"open the oak door\"]",
            "<think>open the oak door",
            "\u{0}\u{1}",
        ] {
            assert_eq!(read(reply), None, "{reply}");
        }
        assert_eq!(
            parse_choice(&[0xff, 0xfe], &PHRASES, Lexicon::english()),
            None
        );
    }

    #[test]
    fn p14_a_choice_is_read_in_the_language_of_its_character() {
        let phrases = ["nichts", "öffne Eichentür", "gib Schlüssel an Anna"];
        let read = |reply: &str| parse_choice(reply.as_bytes(), &phrases, Lexicon::german());
        assert_eq!(read("Öffne Eichentür!"), Some(1));
        assert_eq!(read("Nichts"), Some(0));
        assert_eq!(read("Ich werde nicht: öffne Eichentür"), Some(1));
        assert_eq!(read("Ich öffne Eichentür nicht."), None);
    }
}
