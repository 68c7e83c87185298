//! Errors with a place, and the one function that parses RON.

#[cfg(feature = "json")]
use super::json;
use super::{field_error, outline, syntax};
use bevy::reflect::Reflect;
use serde::de::DeserializeOwned;
use std::collections::{BTreeMap, BTreeSet};
use thiserror::Error;

/// The longest file that is read, in bytes.
pub const MAX_FILE_BYTES: usize = 16 << 20;

/// A file that cannot be used, and why. Prints as `FILE:LINE:COLUMN: message`.
#[derive(Debug, Clone, PartialEq, Eq, Error, Reflect)]
#[reflect(opaque)]
#[error("{file}:{line}:{column}: {message}")]
pub struct AuthoringError {
    /// The name of the file, as the caller gave it.
    pub file: String,
    /// The line of the mistake, from 1; 1 for an error about the whole file.
    pub line: usize,
    /// The column of the mistake in characters, from 1; 1 for an error about the whole file.
    pub column: usize,
    /// What is wrong, in one line without the place.
    pub message: String,
}

impl AuthoringError {
    /// An error about a whole file.
    #[must_use]
    pub fn whole(file: &str, message: impl Into<String>) -> Self {
        Self {
            file: file.to_owned(),
            line: 1,
            column: 1,
            message: message.into(),
        }
    }

    /// An error at a place inside `source`, named by a JSON pointer such as `/steps/2/text`.
    ///
    /// Where the pointer leads nowhere, the nearest place above it is named.
    #[must_use]
    pub fn at(file: &str, source: &str, pointer: &str, message: impl Into<String>) -> Self {
        let (line, column) = outline::position(source, pointer);
        Self {
            file: file.to_owned(),
            line,
            column,
            message: message.into(),
        }
    }
}

impl From<AuthoringError> for Vec<AuthoringError> {
    fn from(error: AuthoringError) -> Self {
        vec![error]
    }
}

/// The dialect that every file is written in: RON with `implicit_some`.
#[must_use]
pub fn dialect() -> ron::Options {
    ron::Options::default().with_default_extension(ron::extensions::Extensions::IMPLICIT_SOME)
}

/// Parses one RON file; with the feature `json` also one in JSON, whose name ends in `.json`. Total: any bytes give a value or an
/// error.
///
/// # Errors
/// An [`AuthoringError`] with the place, for what is not UTF-8, not RON, too long, or not of this shape.
pub fn parse_ron<T: DeserializeOwned>(bytes: &[u8], origin: &str) -> Result<T, AuthoringError> {
    let source = decode(bytes, origin)?;
    #[cfg(feature = "json")]
    if json::is_json(source, origin) {
        return match json::read(source) {
            Ok((value, _)) => Ok(value),
            Err(wrong) => Err(of_json(wrong, origin)),
        };
    }
    dialect()
        .from_str(source)
        .map_err(|error| explain(&error, source, origin))
}

/// Checks that bytes are RON, of whatever shape.
///
/// # Errors
/// As [`parse_ron`].
#[cfg(feature = "cli")]
pub(crate) fn check_syntax(bytes: &[u8], origin: &str) -> Result<(), AuthoringError> {
    parse_ron::<Box<ron::value::RawValue>>(bytes, origin).map(drop)
}

/// An error of a file in JSON.
#[cfg(feature = "json")]
pub(super) fn of_json(((line, column), message): json::Wrong, origin: &str) -> AuthoringError {
    AuthoringError {
        file: origin.to_owned(),
        line,
        column,
        message,
    }
}

/// A parser's error in plain words, at its place. A missing field has no place: it gets the place of its struct.
fn explain(error: &ron::error::SpannedError, source: &str, origin: &str) -> AuthoringError {
    let name = |outer: &Option<String>| outer.clone().unwrap_or_default();
    let message = match &error.code {
        ron::Error::MissingStructField { field, outer } => {
            field_error::missing(&name(outer), field)
        }
        ron::Error::NoSuchStructField {
            expected,
            found,
            outer,
        } => field_error::unknown(&name(outer), found, expected),
        ron::Error::DuplicateStructField { field, outer } => {
            field_error::duplicate(&name(outer), field)
        }
        code => syntax::message(code),
    };
    let (start, end) = (error.span.start, error.span.end);
    let (line, column) = if field_error::is_missing(&message) {
        outline::enclosing(source, end.line, end.col)
    } else {
        after_blanks(source, start.line, start.col)
    };
    AuthoringError {
        file: origin.to_owned(),
        line,
        column,
        message,
    }
}

/// The parser points at the blanks before what it does not expect: the place of the thing itself, where it is on the same line.
fn after_blanks(source: &str, line: usize, column: usize) -> (usize, usize) {
    let text = source
        .lines()
        .nth(line.saturating_sub(1))
        .unwrap_or_default();
    let rest = text.chars().skip(column.saturating_sub(1));
    let blanks = rest.clone().take_while(|c| c.is_whitespace()).count();
    let is_there = rest.count() > blanks;
    (line, if is_there { column + blanks } else { column })
}

/// The text of a file, without its byte-order mark.
///
/// # Errors
/// When it is longer than [`MAX_FILE_BYTES`] or not UTF-8.
pub fn decode<'a>(bytes: &'a [u8], origin: &str) -> Result<&'a str, AuthoringError> {
    if bytes.len() > MAX_FILE_BYTES {
        return Err(AuthoringError::whole(
            origin,
            format!(
                "the file has {} bytes, more than {MAX_FILE_BYTES}",
                bytes.len()
            ),
        ));
    }
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let before = String::from_utf8_lossy(&bytes[..error.valid_up_to()]).into_owned();
        AuthoringError {
            file: origin.to_owned(),
            line: before.matches('\n').count() + 1,
            column: before
                .rsplit('\n')
                .next()
                .unwrap_or_default()
                .chars()
                .count()
                + 1,
            message: "the file is not UTF-8".to_owned(),
        }
    })?;
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text))
}

/// Something wrong inside a file that parsed well: where, as a JSON pointer, and what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The place, as a JSON pointer such as `/npcs/0/constraints/1/patterns/0`; empty for the whole value.
    pub pointer: String,
    /// What is wrong.
    pub message: String,
}

/// More problems of one file than anybody reads at once.
const MAX_PROBLEMS: usize = 100;

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl Problem {
    /// A problem at `pointer`.
    #[must_use]
    pub fn new(pointer: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            pointer: pointer.into(),
            message: message.into(),
        }
    }

    /// The problem with its file, line and column.
    #[must_use]
    pub fn located(&self, file: &str, source: &str) -> AuthoringError {
        AuthoringError::at(file, source, &self.pointer, self.message.clone())
    }
}

/// A problem for each name of a list that was there before. `field` is where an entry of the list has its name.
pub(crate) fn listed_twice<'a>(
    what: &str,
    list: &str,
    field: &str,
    names: impl Iterator<Item = &'a str>,
) -> Vec<Problem> {
    let mut seen = BTreeSet::new();
    let again = names.enumerate().filter(|(_, name)| !seen.insert(*name));
    let problems = again.map(|(i, name)| {
        let message = format!("the {what} \"{}\" is listed twice", name.escape_debug());
        Problem::new(format!("{list}/{i}/{field}"), message)
    });
    problems.collect()
}

/// The first [`MAX_PROBLEMS`] errors of each file, and one that says how many more there are.
#[must_use]
pub(crate) fn first_of_each_file(errors: Vec<AuthoringError>) -> Vec<AuthoringError> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut shown = errors;
    shown.retain(|error| {
        let count = counts.entry(error.file.clone()).or_default();
        *count += 1;
        *count <= MAX_PROBLEMS
    });
    for (file, count) in counts {
        if count > MAX_PROBLEMS {
            let more = format!("{} more problems are not listed", count - MAX_PROBLEMS);
            shown.push(AuthoringError::whole(&file, more));
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::authoring::{NoFiles, NpcSpec, StorySpec};
    use crate::scenario::{Scenario, ScenarioSpec};

    fn error<T: DeserializeOwned>(source: &str) -> String {
        match parse_ron::<T>(source.as_bytes(), "x") {
            Ok(_) => String::new(),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn x1_a_missing_field_names_its_struct_and_where_that_begins() {
        for (source, expected) in [
            (
                "Scenario(\n  name: \"x\",\n  npcs: [(id: \"a\"),\n    (\n  name: \"b\",\n )],\n)",
                "x:4:5: missing field \"id\" in Npc",
            ),
            (
                "Scenario(name: \"x\", npcs: [\n (id: \"a\", memories: [(id: \"m\", // (\n )])])",
                "x:2:23: missing field \"text\" in Remembered",
            ),
            (
                "Scenario(name: \"x\",\n world: (entities: {\"a\": (kind: \"b\", at: Offstage)}))",
                "x:2:26: missing field \"name\" in Entity",
            ),
            (
                "Scenario(seed: 1)",
                "x:1:9: missing field \"name\" in Scenario",
            ),
            ("(\n)", "x:1:1: missing field \"name\" in Scenario"),
        ] {
            assert_eq!(error::<ScenarioSpec>(source), expected, "{source}");
        }
        assert_eq!(
            error::<StorySpec>("(rules: [\"a.rules.ron\",\n (when: Always)])"),
            "x:2:2: missing field \"id\" in Rule"
        );
    }

    #[test]
    fn x1_of_thousands_of_problems_a_hundred_are_listed_each_at_its_place() {
        let npcs: String = (0..4_000)
            .map(|i| format!("(id: \"bad id {i}\"),\n"))
            .collect();
        let source = format!("Scenario(name: \"x\", npcs: [\n{npcs}])");
        let registry = crate::judged_world::ActionRegistry::default();
        let errors = Scenario::parse(source.as_bytes(), "x", &NoFiles, &registry).unwrap_err();
        assert_eq!(errors.len(), 101);
        for (i, error) in errors[..100].iter().enumerate() {
            assert_eq!((error.line, error.column), (i + 2, 6), "{error}");
        }
        assert_eq!(
            errors[100].to_string(),
            "x:1:1: 3900 more problems are not listed"
        );
    }

    #[test]
    fn x1_an_unknown_or_repeated_field_names_its_struct_too() {
        let found =
            error::<ScenarioSpec>("Scenario(name: \"x\", npcs: [(id: \"a\",\n persna: \"b\")])");
        assert!(
            found.starts_with("x:2:")
                && found.ends_with(": Npc has no field \"persna\" (did you mean \"persona\"?)"),
            "{found}"
        );
        assert!(
            error::<NpcSpec>("(id: \"a\", x: 1)")
                .contains("Npc has no field \"x\": its fields are id, name")
        );
        let found =
            error::<ScenarioSpec>("Scenario(name: \"x\", npcs: [(id: \"a\",\n id: \"b\")])");
        assert!(
            found.contains("the field \"id\" is listed twice in Npc"),
            "{found}"
        );
    }
    #[test]
    fn x7_errors_say_what_is_expected_in_plain_words() {
        for (source, expected) in [
            ("(id: 3)", "1:6: a text in quotes is expected"),
            (
                "(id: \"a\", chattiness: \"x\")",
                "1:23: a whole number is expected",
            ),
            (
                "(id: \"a\", baked: yes)",
                "1:18: `true` or `false` is expected",
            ),
            (
                "(id: \"a\", forbidden: \"x\")",
                "1:22: a list is expected, in `[` and `]`",
            ),
            (
                "(id: \"a\", forbidden: [\"x\" \"y\"])",
                "1:27: a comma is expected, or the sign that closes what was opened",
            ),
            (
                "(id: \"a\" name: \"b\")",
                "a comma is expected, or the sign that closes",
            ),
            (
                "(id: \"a\", name: \"b)",
                "a text is not closed: `\"` is missing",
            ),
            ("(id: \"a\"", "a comma is expected, or the sign that closes"),
            ("", "fields of Npc are expected, in `(` and `)`"),
            ("(id: \"a\") x", "something follows after the end"),
            (
                "(id: \"a\", form: Apartt)",
                "`Apartt` is not known here (did you mean \"Apart\"?): it is one of Together, Apart",
            ),
            (
                "(id: \"a\", rules: [3])",
                "a path in quotes, or the thing itself in parentheses is expected, and the number `3` is there",
            ),
            (
                "(id: \"a\", chattiness: 999)",
                "the number is too large or too small",
            ),
            (
                "Character(id: \"a\")",
                "`Npc(..)` is expected, and `Character` is there",
            ),
            ("(id: \"a\", name: \"\\q\")", ""),
        ] {
            let found = error::<NpcSpec>(source);
            assert!(found.contains(expected), "{source}: {found}");
            for word in [
                "struct",
                "enum",
                "variant",
                "boolean",
                "integer",
                "char ",
                "Option",
                "unit",
                "identifier",
                "Spec",
            ] {
                assert!(!found.contains(word), "{word}: {found}");
            }
        }
    }
}
