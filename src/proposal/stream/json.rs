//! One JSON value, read character by character: what has begun and ended, and the first character that is wrong.

use super::super::json_text::MAX_DEPTH;
use std::ops::Range;

/// What kind of value has begun.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Object,
    Array,
    String,
    Null,
    /// A number, `true` or `false`.
    Other,
}

/// An event from a character of the text. The depth of the outermost value is 0, of the values in it 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Step {
    /// A key of an object of this depth has ended; the range holds it with its quotes.
    Key(usize, Range<usize>),
    /// A value of this depth has begun.
    Begun(usize, Kind),
    /// A character inside a string of this depth, an escape sequence in pieces.
    InString(usize, char),
    /// A value of this depth has ended.
    Ended(usize, Range<usize>),
}

/// Why the text is no JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wrong {
    /// The character cannot be here.
    Syntax,
    /// Objects and arrays are nested deeper than allowed.
    TooDeep,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Expect {
    Value,
    ValueOrEnd,
    Key,
    KeyOrEnd,
    Colon,
    CommaOrEnd,
    Nothing,
}

#[derive(Debug)]
enum Token {
    String { is_key: bool, escape: Escape },
    Word,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Escape {
    None,
    Begun,
    /// So many hexadecimal digits are missing.
    Digits(u8),
}

/// Reads one value.
#[derive(Debug)]
pub(super) struct JsonReader {
    /// Where the open objects (`false`) and arrays (`true`) begin.
    open: Vec<(bool, usize)>,
    expect: Expect,
    token: Option<(Token, usize)>,
}

impl JsonReader {
    pub(super) fn new() -> Self {
        Self {
            open: Vec::new(),
            expect: Expect::Value,
            token: None,
        }
    }

    /// Takes the character at byte `at` of `text`; it does not look at the text after it.
    pub(super) fn take(
        &mut self,
        text: &str,
        at: usize,
        c: char,
        steps: &mut Vec<Step>,
    ) -> Result<(), Wrong> {
        match &mut self.token {
            Some((Token::String { is_key, escape }, start)) => {
                let (is_key, start) = (*is_key, *start);
                match *escape {
                    Escape::Begun => {
                        *escape = match c {
                            'u' => Escape::Digits(4),
                            '"' | '\\' | '/' | 'b' | 'f' | 'n' | 'r' | 't' => Escape::None,
                            _ => return Err(Wrong::Syntax),
                        };
                    }
                    Escape::Digits(left) => {
                        if !c.is_ascii_hexdigit() {
                            return Err(Wrong::Syntax);
                        }
                        *escape = match left {
                            1 => Escape::None,
                            left => Escape::Digits(left - 1),
                        };
                    }
                    Escape::None if c == '"' => {
                        return self.string_ends(text, start..at + 1, is_key, steps);
                    }
                    Escape::None if c < ' ' => return Err(Wrong::Syntax),
                    Escape::None => {
                        if c == '\\' {
                            *escape = Escape::Begun;
                        }
                    }
                }
                if !is_key {
                    steps.push(Step::InString(self.open.len(), c));
                }
                Ok(())
            }
            Some((Token::Word, start)) => {
                if c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.') {
                    return Ok(());
                }
                let range = *start..at;
                self.token = None;
                let word = text.get(range.clone()).unwrap_or_default();
                if serde_json::from_str::<serde_json::Value>(word).is_err() {
                    return Err(Wrong::Syntax);
                }
                self.value_ended(range, steps);
                self.outside(at, c, steps)
            }
            None => self.outside(at, c, steps),
        }
    }

    fn string_ends(
        &mut self,
        text: &str,
        range: Range<usize>,
        is_key: bool,
        steps: &mut Vec<Step>,
    ) -> Result<(), Wrong> {
        self.token = None;
        let string = text.get(range.clone()).unwrap_or_default();
        // Half of a surrogate pair is no character.
        if serde_json::from_str::<String>(string).is_err() {
            return Err(Wrong::Syntax);
        }
        if is_key {
            steps.push(Step::Key(self.open.len().saturating_sub(1), range));
            self.expect = Expect::Colon;
        } else {
            self.value_ended(range, steps);
        }
        Ok(())
    }

    fn value_ended(&mut self, range: Range<usize>, steps: &mut Vec<Step>) {
        steps.push(Step::Ended(self.open.len(), range));
        self.expect = match self.open.is_empty() {
            true => Expect::Nothing,
            false => Expect::CommaOrEnd,
        };
    }

    fn outside(&mut self, at: usize, c: char, steps: &mut Vec<Step>) -> Result<(), Wrong> {
        if matches!(c, ' ' | '\t' | '\r' | '\n') {
            return Ok(());
        }
        let in_array = self.open.last().is_some_and(|(array, _)| *array);
        match (self.expect, c) {
            (Expect::Value | Expect::ValueOrEnd, '{' | '[') => {
                let is_array = c == '[';
                let kind = if is_array { Kind::Array } else { Kind::Object };
                steps.push(Step::Begun(self.open.len(), kind));
                self.open.push((is_array, at));
                if self.open.len() > MAX_DEPTH {
                    return Err(Wrong::TooDeep);
                }
                self.expect = match is_array {
                    true => Expect::ValueOrEnd,
                    false => Expect::KeyOrEnd,
                };
            }
            (Expect::Value | Expect::ValueOrEnd, '"') => {
                steps.push(Step::Begun(self.open.len(), Kind::String));
                self.begin_string(at, false);
            }
            (Expect::Value | Expect::ValueOrEnd, 'n' | 't' | 'f' | '-' | '0'..='9') => {
                let kind = if c == 'n' { Kind::Null } else { Kind::Other };
                steps.push(Step::Begun(self.open.len(), kind));
                self.token = Some((Token::Word, at));
            }
            (Expect::Key | Expect::KeyOrEnd, '"') => self.begin_string(at, true),
            (Expect::Colon, ':') => self.expect = Expect::Value,
            (Expect::CommaOrEnd, ',') => {
                self.expect = match in_array {
                    true => Expect::Value,
                    false => Expect::Key,
                };
            }
            (Expect::CommaOrEnd | Expect::ValueOrEnd, ']') if in_array => self.close(at, steps),
            (Expect::CommaOrEnd | Expect::KeyOrEnd, '}') if !in_array => self.close(at, steps),
            _ => return Err(Wrong::Syntax),
        }
        Ok(())
    }

    fn begin_string(&mut self, at: usize, is_key: bool) {
        let escape = Escape::None;
        self.token = Some((Token::String { is_key, escape }, at));
    }

    fn close(&mut self, at: usize, steps: &mut Vec<Step>) {
        if let Some((_, start)) = self.open.pop() {
            self.value_ended(start..at + 1, steps);
        }
    }
}

/// The characters of a string, out of its pieces between the quotes.
#[derive(Debug, Default)]
pub(super) struct Unescape {
    /// An escape sequence that has not ended, with its backslash; of a surrogate pair, both halves.
    held: String,
}

impl Unescape {
    /// Takes a piece, and gives the character that it ends, if it does.
    pub(super) fn take(&mut self, c: char) -> Option<char> {
        if self.held.is_empty() && c != '\\' {
            return Some(c);
        }
        self.held.push(c);
        let quoted = format!("\"{}\"", self.held);
        // An escape sequence that is not whole cannot be read.
        let read: String = serde_json::from_str(&quoted).ok()?;
        self.held.clear();
        read.chars().next()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where the reader finds the text wrong; `None` for a whole value.
    fn wrong_at(text: &str) -> Option<usize> {
        let mut reader = JsonReader::new();
        let mut steps = Vec::new();
        for (at, c) in text.char_indices() {
            if reader.take(text, at, c, &mut steps).is_err() {
                return Some(at);
            }
        }
        None
    }

    #[test]
    fn p12_the_first_wrong_character_is_found() {
        for (text, at) in [
            (
                r#"{"a": [1, 2.5e3, true, null, "x\u00e9\n"], "b": {}}"#,
                None,
            ),
            (r#"{"a" 1}"#, Some(5)),
            (r#"{"a": 01}"#, Some(8)),
            (r#"{"a": 1,}"#, Some(8)),
            (r#"{"a": "\x"}"#, Some(8)),
            ("{\"a\": \"\n\"}", Some(7)),
            (r#"{"a": "\ud800"}"#, Some(13)),
            (r#"{"a": [1}"#, Some(8)),
            ("{} {", Some(3)),
            (r#"{a: 1}"#, Some(1)),
        ] {
            assert_eq!(wrong_at(text), at, "{text}");
        }
        assert!(wrong_at(&"[".repeat(40)).is_some());
    }

    #[test]
    fn p12_escapes_become_characters_as_they_end() {
        let mut unescape = Unescape::default();
        let text: String =
            r#"a\n\u00e9\ud83d\ude00\"b"#.chars().filter_map(|c| unescape.take(c)).collect();
        assert_eq!(text, "a\né😀\"b");
    }
}
