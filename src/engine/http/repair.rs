//! Makes invalid JSON readable: numbers that only Python writes, and halves of a character whose other half comes in the
//! next event. It guesses nothing else.

use std::iter::Peekable;
use std::str::Chars;

/// The first of the 2,048 characters of the last private plane that replace lone halves of surrogate pairs in a repaired text.
const PLACES: u32 = 0x0010_F000;
/// The first half of a pair, and the first second half.
const HIGH: u32 = 0xD800;
const LOW: u32 = 0xDC00;
/// Numbers that JSON does not have.
const NO_NUMBERS: [&str; 4] = ["NaN", "-Infinity", "Infinity", "-inf"];

/// The text with numbers that are none as null, and each lone half of a surrogate pair in its own place (see [`Halves`]). `None`
/// when there is nothing to repair.
pub(super) fn repaired(json: &str) -> Option<String> {
    let mut out = String::with_capacity(json.len());
    let mut rest = json.chars().peekable();
    let (mut in_text, mut is_changed) = (false, false);
    while let Some(c) = rest.next() {
        match c {
            '"' => in_text = !in_text,
            '\\' if in_text => {
                is_changed |= escape(&mut rest, &mut out);
                continue;
            }
            'N' | 'I' | '-' if !in_text => {
                let mut word: String = c.to_string();
                while let Some(letter) = rest.next_if(char::is_ascii_alphabetic) {
                    word.push(letter);
                }
                let is_none = NO_NUMBERS.contains(&word.as_str());
                out.push_str(if is_none { "null" } else { &word });
                is_changed |= is_none;
                continue;
            }
            _ => {}
        }
        out.push(c);
    }
    is_changed.then_some(out)
}

/// Copies an escape after its backslash. Returns whether it was the lone half of a pair.
fn escape(rest: &mut Peekable<Chars<'_>>, out: &mut String) -> bool {
    let Some(kind) = rest.next() else {
        out.push('\\');
        return false;
    };
    let code = (kind == 'u').then(|| hex(rest)).flatten();
    let Some(code) = code else {
        out.extend(['\\', kind]);
        return false;
    };
    if (HIGH..LOW).contains(&code) {
        let mut behind = rest.clone();
        let is_escape = behind.next() == Some('\\') && behind.next() == Some('u');
        let low = is_escape.then(|| hex(&mut behind)).flatten();
        if let Some(low) = low.filter(|low| (LOW..=0xDFFF).contains(low)) {
            *rest = behind;
            out.push_str(&format!("\\u{code:04x}\\u{low:04x}"));
            return false;
        }
    }
    if (HIGH..=0xDFFF).contains(&code) {
        out.extend(char::from_u32(PLACES + code - HIGH));
        return true;
    }
    out.push_str(&format!("\\u{code:04x}"));
    false
}

/// The number of the four hexadecimal digits that come next. Nothing is taken when they do not.
fn hex(rest: &mut Peekable<Chars<'_>>) -> Option<u32> {
    let mut ahead = rest.clone();
    let mut code = 0;
    for _ in 0..4 {
        code = code * 16 + ahead.next()?.to_digit(16)?;
    }
    *rest = ahead;
    Some(code)
}

/// Joins the halves of a character that came in different events.
#[derive(Debug, Default)]
pub(super) struct Halves {
    high: Option<u32>,
}

impl Halves {
    /// The next part of a text; `is_repaired` says that it may hold places of lone halves. A half without its other half
    /// becomes U+FFFD.
    pub fn join(&mut self, part: String, is_repaired: bool) -> String {
        if part.is_empty() || (!is_repaired && self.high.is_none()) {
            return part;
        }
        let mut out = String::with_capacity(part.len());
        for c in part.chars() {
            let half = u32::from(c).checked_sub(PLACES).filter(|_| is_repaired);
            let half = half.map(|half| half + HIGH).filter(|half| *half <= 0xDFFF);
            let high = self.high.take();
            match (high, half) {
                (Some(high), Some(low)) if low >= LOW => {
                    let pair = 0x10000 + ((high - HIGH) << 10) + (low - LOW);
                    out.extend(char::from_u32(pair));
                    continue;
                }
                (Some(_), _) => out.push('\u{fffd}'),
                (None, _) => {}
            }
            match half {
                Some(half) if half < LOW => self.high = Some(half),
                Some(_) => out.push('\u{fffd}'),
                None => out.push(c),
            }
        }
        out
    }

    /// What is left when no other part comes.
    pub fn rest(&mut self) -> &'static str {
        match self.high.take() {
            Some(_) => "\u{fffd}",
            None => "",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    /// The texts of these events, joined.
    fn joined(events: &[&str]) -> String {
        let mut halves = Halves::default();
        let mut out = String::new();
        for event in events {
            let repaired = repaired(event);
            let text = repaired.as_deref().unwrap_or(event);
            let text: String = serde_json::from_str(text).unwrap();
            out += &halves.join(text, repaired.is_some());
        }
        out + halves.rest()
    }

    #[test]
    fn p15_the_halves_of_a_character_are_joined() {
        assert_eq!(
            joined([r#""a \ud83d""#, r#""\ude00 b""#].as_slice()),
            "a 😀 b"
        );
        assert_eq!(joined(&[r#""\uD83D""#, r#""""#, r#""\uDE00""#]), "😀");
        assert_eq!(joined(&[r#""\ud83d\ude00""#, r#""!""#]), "😀!");
        let three = [
            r#""\ud83d\ude00\ud83d""#,
            r#""\ude00\ud83d""#,
            r#""\ude01""#,
        ];
        assert_eq!(joined(&three), "😀😀😁");
    }

    #[test]
    fn p15_a_half_that_stays_alone_is_a_sign_for_a_broken_one() {
        assert_eq!(joined(&[r#""a\ud83d""#, r#""b""#]), "a\u{fffd}b");
        assert_eq!(joined(&[r#""a\ude00b""#]), "a\u{fffd}b");
        assert_eq!(joined(&[r#""\ud83d\ud83d""#, r#""\ude00""#]), "\u{fffd}😀");
        assert_eq!(joined(&[r#""a\ud83d""#]), "a\u{fffd}");
        // What was written as it is stays as it is.
        assert_eq!(
            joined(&["\"\u{10F03D}\"", "\"\u{10F600}\""]),
            "\u{10F03D}\u{10F600}"
        );
    }

    #[test]
    fn p15_numbers_that_are_none_are_null() {
        let json = r#"{"a": NaN, "b": [-Infinity, Infinity, -1.5], "c": "NaN \" Infinity \\"}"#;
        let value: Value = serde_json::from_str(&repaired(json).unwrap()).unwrap();
        assert_eq!(value["a"], Value::Null);
        assert_eq!(value["b"], serde_json::json!([null, null, -1.5]));
        assert_eq!(value["c"], "NaN \" Infinity \\");
    }

    #[test]
    fn p15_what_cannot_be_repaired_is_left_alone() {
        for json in [
            "",
            "{",
            "\"a",
            "nonsense",
            r#""\ud8""#,
            r#""\"#,
            r#"{"a": 1}"#,
            "None",
        ] {
            assert_eq!(repaired(json), None, "{json}");
        }
    }
}
