//! Finds the place of a value in a RON source by JSON pointer: from its brackets, texts and comments.
//!
//! The code uses it to name the place of a value that the parser accepts and that is still wrong: a second id, a pattern that
//! does not compile, a step that is not built yet.

use super::pointer;
use super::scanner::Scanner;
use std::ops::Range;

/// Line and column (from 1) of the value that `pointer` names, or of the nearest value above it. For many places of one source
/// make an [`Outline`] once.
#[must_use]
pub fn position(source: &str, pointer: &str) -> (usize, usize) {
    Outline::new(source).position(source, pointer)
}

/// How many wrappers such as `Some((..))` a field is looked for in.
const MOST_WRAPPERS: usize = 4;

/// The place of each value of a source, found in one pass. It does not hold the source; its methods get the source again.
#[derive(Debug, Clone, Default)]
pub struct Outline {
    /// All values, each before those that it holds; the first one is the whole source.
    values: Vec<Value>,
    /// Where each line but the first one begins, in bytes.
    lines: Vec<usize>,
}

/// One value, from its first byte to the place after its last.
#[derive(Debug, Clone, Default)]
struct Value {
    start: usize,
    end: usize,
    /// What its first bracket holds; `None` where it has no bracket.
    members: Option<Vec<Member>>,
}

#[derive(Debug, Clone)]
struct Member {
    /// The place of its key. `None`: it is an element of a list.
    key: Option<Range<usize>>,
    /// Which value it is.
    value: usize,
}

/// A bracket that is open while a source is read.
struct OpenBracket {
    /// Whose bracket it is. `None`: it belongs to a value that had one before, and the members are not needed.
    owner: Option<usize>,
    key: Option<Range<usize>>,
    /// The member that is being read.
    member: Option<usize>,
}

impl Outline {
    /// Reads a source. It never fails: in a text that is not RON it finds what it can.
    #[must_use]
    pub fn new(source: &str) -> Self {
        let ends = source.match_indices('\n').map(|(at, _)| at + 1);
        let mut outline = Self {
            values: Vec::new(),
            lines: ends.collect(),
        };
        let mut scanner = Scanner::new(source);
        let mut open = vec![OpenBracket {
            owner: None,
            key: None,
            member: None,
        }];
        let whole = scanner.value_start();
        let whole = outline.begin(whole);
        loop {
            let at = scanner.value_start();
            let Some(first) = scanner.rest().chars().next() else {
                break;
            };
            let is_whole = open.len() == 1;
            let Some(bracket) = open.last_mut() else {
                break;
            };
            match first {
                '(' | '[' | '{' => {
                    let value = match is_whole {
                        true => whole,
                        false => *bracket.member.get_or_insert_with(|| outline.begin(at)),
                    };
                    let is_first = outline.values[value].members.is_none();
                    if is_first {
                        outline.values[value].members = Some(Vec::new());
                    }
                    open.push(OpenBracket {
                        owner: is_first.then_some(value),
                        key: None,
                        member: None,
                    });
                    scanner.at += 1;
                }
                ')' | ']' | '}' => {
                    outline.end_member(bracket);
                    if !is_whole {
                        open.pop();
                    }
                    scanner.at += 1;
                }
                ',' => {
                    outline.end_member(bracket);
                    scanner.at += 1;
                }
                ':' => {
                    // The text before this was a key, not a value.
                    if let Some(value) = bracket.member.take() {
                        bracket.key = Some(outline.values[value].start..at);
                    }
                    scanner.at += 1;
                }
                _ => {
                    if !is_whole {
                        bracket.member.get_or_insert_with(|| outline.begin(at));
                    }
                    scanner.skip_token();
                }
            }
            let value = match &open[..] {
                [_] => Some(whole),
                [.., last] => last.member,
                [] => None,
            };
            if let Some(value) = value {
                outline.values[value].end = scanner.at;
            }
        }
        while let Some(mut bracket) = open.pop() {
            outline.end_member(&mut bracket);
        }
        outline
    }

    fn begin(&mut self, start: usize) -> usize {
        self.values.push(Value {
            start,
            end: start,
            members: None,
        });
        self.values.len() - 1
    }

    fn end_member(&mut self, bracket: &mut OpenBracket) {
        let key = bracket.key.take();
        let (Some(value), Some(owner)) = (bracket.member.take(), bracket.owner) else {
            return;
        };
        if let Some(members) = &mut self.values[owner].members {
            members.push(Member { key, value });
        }
    }

    /// Line and column (from 1) of the value that `pointer` names, or of the nearest value above it.
    #[must_use]
    pub fn position(&self, source: &str, pointer: &str) -> (usize, usize) {
        let (value, _) = self.find(source, pointer);
        let start = self.values.get(value).map_or(0, |value| value.start);
        let line = self.lines.partition_point(|line| *line <= start);
        let begin = line.checked_sub(1).map_or(0, |line| self.lines[line]);
        let before = source.get(begin..start).unwrap_or_default();
        (line + 1, before.chars().count() + 1)
    }

    /// The text of the value that `pointer` names, if there is one.
    #[must_use]
    pub fn slice<'a>(&self, source: &'a str, pointer: &str) -> Option<&'a str> {
        let (value, is_there) = self.find(source, pointer);
        let value = self.values.get(value).filter(|_| is_there)?;
        source.get(value.start..value.end)
    }

    /// The value that `pointer` names, or the nearest one above it and false.
    fn find(&self, source: &str, pointer: &str) -> (usize, bool) {
        let mut best = 0;
        for part in pointer.split('/').skip(1) {
            let part = pointer::unkey(part);
            match self.member(source, best, &part) {
                Some(found) => best = found,
                None => return (best, false),
            }
        }
        (best, true)
    }

    /// Inside a value, the field, map key or list element called `part`.
    fn member(&self, source: &str, value: usize, part: &str) -> Option<usize> {
        let index: Option<usize> = part.parse().ok();
        let mut members = self.values.get(value)?.members.as_ref()?;
        // `Some((..))` and the like: a field is in the inner bracket.
        for _ in 0..MOST_WRAPPERS {
            let inner = members.first().filter(|first| first.key.is_none());
            let inner = inner.and_then(|first| self.values.get(first.value));
            let wrapped = inner.filter(|inner| source[inner.start..].starts_with('('));
            match wrapped.and_then(|inner| inner.members.as_ref()) {
                Some(inner) if index.is_none() => members = inner,
                _ => break,
            }
        }
        if let Some(element) = index.and_then(|index| members.get(index))
            && element.key.is_none()
        {
            return Some(element.value);
        }
        let is_called = |member: &&Member| {
            let key = member.key.clone().and_then(|key| source.get(key));
            key.is_some_and(|key| key.trim().trim_matches('"') == part)
        };
        Some(members.iter().find(is_called)?.value)
    }
}

/// The place of the innermost bracket that is open at this line and column (from 1).
#[must_use]
pub(super) fn enclosing(source: &str, line: usize, column: usize) -> (usize, usize) {
    let mut lines = source.split_inclusive('\n');
    let before: usize = lines
        .by_ref()
        .take(line.saturating_sub(1))
        .map(str::len)
        .sum();
    let within = lines.next().unwrap_or_default();
    let within = within.char_indices().nth(column.saturating_sub(1));
    let end = before + within.map_or(0, |(i, _)| i);
    let mut scanner = Scanner::new(source);
    let mut open = Vec::new();
    loop {
        let start = scanner.value_start();
        if start >= end || start >= source.len() {
            break;
        }
        match scanner.rest().chars().next() {
            Some('(' | '[' | '{') => {
                open.push(start);
                scanner.at += 1;
            }
            Some(')' | ']' | '}') => {
                open.pop();
                scanner.at += 1;
            }
            Some(',' | ':') => scanner.at += 1,
            _ => scanner.skip_token(),
        }
    }
    line_and_column(source, open.last().copied().unwrap_or(0))
}

fn line_and_column(source: &str, at: usize) -> (usize, usize) {
    let before = &source[..at.min(source.len())];
    let line = before.matches('\n').count() + 1;
    let column = before
        .rsplit('\n')
        .next()
        .unwrap_or_default()
        .chars()
        .count()
        + 1;
    (line, column)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slice<'a>(source: &'a str, pointer: &str) -> Option<&'a str> {
        Outline::new(source).slice(source, pointer)
    }

    const SOURCE: &str = "#![enable(implicit_some)]\n// a comment (with [brackets\nScenario(\n    name: \"x, (\\\" y\",\n    replies: [Say(r#\"{\"a\": 1}\"#), Fail((kind: Timeout))],\n    world: (entities: {\n        \"door\": (name: \"é\", kind: \"k\"),\n    }),\n    steps: [\n        Say(to: \"a\", text: \"t\"), /* [ */ Turn(\n            persona: \"p\"),\n    ],\n)\n";

    #[test]
    fn x1_values_are_found_by_pointer() {
        for (pointer, expected) in [
            ("", (3, 1)),
            ("/name", (4, 11)),
            ("/replies/1", (5, 35)),
            ("/replies/1/kind", (5, 47)),
            ("/world/entities/door/kind", (7, 35)),
            ("/steps/1", (10, 42)),
            ("/steps/1/persona", (11, 22)),
        ] {
            assert_eq!(position(SOURCE, pointer), expected, "{pointer}");
        }
    }

    #[test]
    fn a_part_is_cut_out_whole() {
        assert_eq!(slice(SOURCE, "/name"), Some("\"x, (\\\" y\""));
        assert_eq!(slice(SOURCE, "/replies/1"), Some("Fail((kind: Timeout))"));
        assert_eq!(
            slice(SOURCE, "/world/entities/door"),
            Some("(name: \"é\", kind: \"k\")")
        );
        assert_eq!(slice(SOURCE, "/nothing"), None);
    }

    #[test]
    fn x1_a_pointer_that_leads_nowhere_gives_the_nearest_place() {
        assert_eq!(position(SOURCE, "/steps/7"), (9, 12));
        assert_eq!(position(SOURCE, "/nothing/at/all"), (3, 1));
        assert_eq!(position("", "/a"), (1, 1));
        assert_eq!(position("((((((", "/a/b"), (1, 1));
    }

    #[test]
    fn x1_a_field_is_found_in_what_wraps_it_and_what_is_no_ron_breaks_nothing() {
        let wrapped = "(a: Some((b: 1, c: [Not(Flag(\"x\")), -5])))";
        assert_eq!(slice(wrapped, "/a/c/0"), Some("Not(Flag(\"x\"))"));
        assert_eq!(slice(wrapped, "/a/c/0/0"), Some("Flag(\"x\")"));
        assert_eq!(slice(wrapped, "/a/c/1"), Some("-5"));
        assert_eq!(slice(wrapped, "/a/c/2"), None);
        for broken in [
            ")",
            "a)b,c",
            "(a:",
            "::",
            "(a: b: c)",
            "\"",
            "(\"a",
            "]]((",
            "(,,)",
        ] {
            for pointer in ["", "/a", "/0", "/a/b/0"] {
                let (line, column) = position(broken, pointer);
                assert!(line == 1 && column <= broken.len() + 1, "{broken}");
                let _ = slice(broken, pointer);
            }
        }
        assert_eq!(slice("(a: b: c)", "/b"), Some("c"));
    }
}
