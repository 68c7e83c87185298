//! What is wrong with the signs and values of a file, in plain words.

use super::field_error::plain;
use crate::base::names::hint;
use ron::Error;

/// The parser's error, without words that only programmers know.
pub(super) fn message(error: &Error) -> String {
    let said = match error {
        Error::Eof => "the file ends too early: something is not closed",
        Error::ExpectedArray => "a list is expected, in `[` and `]`",
        Error::ExpectedArrayEnd => "`]` or a comma is expected: a list is not closed",
        Error::ExpectedBoolean => "`true` or `false` is expected",
        Error::ExpectedComma => "a comma is expected, or the sign that closes what was opened",
        Error::ExpectedFloat => "a number is expected",
        Error::ExpectedInteger => "a whole number is expected",
        Error::ExpectedOptionEnd | Error::ExpectedStructLikeEnd => {
            "`)` or a comma is expected: `(` is not closed"
        }
        Error::ExpectedMap => "names with values are expected, in `{` and `}`",
        Error::ExpectedMapColon => "`:` is expected between a name and its value",
        Error::ExpectedMapEnd => "`}` or a comma is expected: `{` is not closed",
        Error::ExpectedStructLike | Error::ExpectedNamedStructLike("") => {
            "fields are expected, in `(` and `)`"
        }
        Error::ExpectedString => "a text in quotes is expected",
        Error::ExpectedStringEnd => "a text is not closed: `\"` is missing",
        Error::ExpectedIdentifier => "a name is expected",
        Error::IntegerOutOfBounds => "the number is too large or too small",
        Error::UnclosedBlockComment => "a comment is not closed: `*/` is missing",
        Error::TrailingCharacters => "something follows after the end",
        Error::ExceededRecursionLimit => "it is nested too deeply",
        Error::ExpectedNamedStructLike(name) => {
            return format!("fields of {} are expected, in `(` and `)`", plain(name));
        }
        Error::ExpectedDifferentStructName { expected, found } => {
            return format!(
                "`{}(..)` is expected, and `{}` is there",
                plain(expected),
                found.escape_debug()
            );
        }
        Error::UnexpectedChar(sign) => {
            return format!("`{}` is not expected here", sign.escape_debug());
        }
        Error::InvalidIdentifier(name) | Error::SuggestRawIdentifier(name) => {
            return format!("\"{}\" is not a name", name.escape_debug());
        }
        Error::NoSuchEnumVariant {
            expected, found, ..
        } => {
            return unknown_variant(found, expected);
        }
        Error::InvalidValueForType { expected, found } => {
            return not_expected(expected, found);
        }
        other => return other.to_string(),
    };
    said.to_owned()
}

/// Says that there is no such one, and which there are.
pub(super) fn unknown_variant(found: &str, expected: &[&str]) -> String {
    let near = hint(found, expected.iter().copied());
    let found = found.escape_debug();
    format!(
        "`{found}` is not known here{near}: it is one of {}",
        expected.join(", ")
    )
}

/// Says that another kind of value is expected.
pub(super) fn not_expected(expected: &str, found: &str) -> String {
    format!(
        "{} is expected, and {} is there",
        in_words(expected),
        in_words(found)
    )
}

/// What serde calls a value, as authors call it.
fn in_words(value: &str) -> String {
    const WORDS: [(&str, &str); 24] = [
        ("a string", "a text in quotes"),
        ("the string ", "the text "),
        ("a boolean", "`true` or `false`"),
        ("the boolean ", ""),
        ("a sequence", "a list"),
        ("a map", "a list of names with values"),
        ("the unsigned integer ", "the number "),
        ("the signed integer ", "the number "),
        ("the floating point number ", "the number "),
        ("the UTF-8 character ", "the sign "),
        ("a unit value", "nothing"),
        ("an optional value", "a value"),
        ("a unit variant", "a name"),
        ("a newtype", "a name with a value"),
        ("a tuple variant", "a name with values"),
        ("a struct variant", "a name with fields"),
        ("an enum", "a name"),
        ("integer ", "the number "),
        ("floating point ", "the number "),
        ("boolean ", ""),
        ("string ", "the text "),
        ("unit value", "nothing"),
        ("sequence", "a list"),
        ("map", "a list of names with values"),
    ];
    let found = WORDS.iter().find(|(theirs, _)| value.starts_with(theirs));
    let Some((theirs, ours)) = found else {
        if let Some(name) = value.strip_prefix("struct ") {
            return plain(name).to_owned();
        }
        // Numbers have the names of Rust's types.
        let is_number = value.len() <= 5 && value.starts_with(['u', 'i', 'f']);
        let is_number = is_number && value[1..].chars().all(|c| c.is_ascii_digit());
        return if is_number || value == "usize" {
            "a number"
        } else {
            value
        }
        .to_owned();
    };
    format!("{ours}{}", &value[theirs.len()..])
}
