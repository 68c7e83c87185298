//! Where in a RON source a value stands, found by JSON pointer: a scanner that knows brackets, strings and comments.
//!
//! It is used to name the place of what parses well and is wrong all the same: a second id, a pattern that
//! does not compile, a step that is not built yet.

/// Line and column (from 1) of the value that `pointer` names, or of the nearest value above it.
#[must_use]
pub fn position(source: &str, pointer: &str) -> (usize, usize) {
    let mut scanner = Scanner::new(source);
    let mut best = scanner.value_start();
    for part in pointer.split('/').skip(1) {
        let part = part.replace("~1", "/").replace("~0", "~");
        match scanner.enter(best, &part) {
            Some(found) => best = found,
            None => break,
        }
    }
    line_and_column(source, best)
}

/// The text of the value that `pointer` names, if there is one.
#[must_use]
pub fn slice<'a>(source: &'a str, pointer: &str) -> Option<&'a str> {
    let mut scanner = Scanner::new(source);
    let mut start = scanner.value_start();
    for part in pointer.split('/').skip(1) {
        let part = part.replace("~1", "/").replace("~0", "~");
        start = scanner.enter(start, &part)?;
    }
    scanner.at = start;
    scanner.skip_value();
    source.get(start..scanner.end)
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

struct Scanner<'a> {
    source: &'a str,
    at: usize,
    /// Where the last value that was skipped ends, without what is no part of it.
    end: usize,
}

impl<'a> Scanner<'a> {
    fn new(source: &'a str) -> Self {
        Self {
            source,
            at: 0,
            end: 0,
        }
    }

    fn rest(&self) -> &str {
        &self.source[self.at..]
    }

    /// Skips white space, comments and `#![enable(..)]` lines, and tells where the next token begins.
    fn value_start(&mut self) -> usize {
        loop {
            let rest = self.rest();
            let skip = if let Some(comment) = rest.strip_prefix("//") {
                2 + comment.find('\n').unwrap_or(comment.len())
            } else if rest.starts_with("/*") {
                block_comment(rest)
            } else if rest.starts_with("#!") {
                rest.find(']').map_or(rest.len(), |i| i + 1)
            } else {
                match rest.chars().next() {
                    Some(c) if c.is_whitespace() => c.len_utf8(),
                    _ => return self.at,
                }
            };
            self.at += skip;
        }
    }

    /// Inside the value at `start`, finds the field, map key or list element called `part`.
    fn enter(&mut self, start: usize, part: &str) -> Option<usize> {
        self.at = start;
        // `Name(..)`, `Some((..))` and the like: go on to the first bracket of this value.
        let mut depth_of_wrappers = 0;
        loop {
            self.value_start();
            match self.rest().chars().next()? {
                '(' | '[' | '{' => {
                    self.at += 1;
                    let inner = self.value_start();
                    let wrapped = matches!(self.rest().chars().next(), Some('('))
                        && depth_of_wrappers < 4
                        && part.parse::<usize>().is_err();
                    if wrapped {
                        depth_of_wrappers += 1;
                        continue;
                    }
                    self.at = inner;
                    return self.find_member(part);
                }
                c if c.is_alphanumeric() || c == '_' => self.skip_token(),
                _ => return None,
            }
        }
    }

    /// Behind an opening bracket, finds the member called `part`.
    fn find_member(&mut self, part: &str) -> Option<usize> {
        let wanted: Option<usize> = part.parse().ok();
        let mut index = 0;
        loop {
            let start = self.value_start();
            match self.rest().chars().next()? {
                ')' | ']' | '}' => return None,
                ',' => {
                    self.at += 1;
                    continue;
                }
                _ => {}
            }
            self.skip_value();
            let key = self.source[start..self.at].trim();
            self.value_start();
            if self.rest().starts_with(':') {
                self.at += 1;
                let value = self.value_start();
                if key.trim_matches('"') == part {
                    return Some(value);
                }
                self.skip_value();
            } else if wanted == Some(index) {
                return Some(start);
            }
            index += 1;
        }
    }

    /// Skips one value: everything up to a `,`, `:` or closing bracket of this depth.
    fn skip_value(&mut self) {
        let mut depth = 0usize;
        self.end = self.at;
        loop {
            self.value_start();
            let Some(c) = self.rest().chars().next() else {
                return;
            };
            match c {
                '(' | '[' | '{' => {
                    depth += 1;
                    self.at += 1;
                }
                ')' | ']' | '}' if depth == 0 => return,
                ')' | ']' | '}' => {
                    depth -= 1;
                    self.at += 1;
                }
                ',' | ':' if depth == 0 => return,
                ',' | ':' => self.at += 1,
                _ => self.skip_token(),
            }
            self.end = self.at;
        }
    }

    fn skip_token(&mut self) {
        let rest = self.rest();
        let hashes = rest
            .strip_prefix('r')
            .map(|r| r.len() - r.trim_start_matches('#').len());
        if let Some(hashes) = hashes.filter(|h| rest[1 + h..].starts_with('"')) {
            let end = format!("\"{}", "#".repeat(hashes));
            let body = 2 + hashes;
            let close = rest[body..]
                .find(&end)
                .map_or(rest.len(), |i| body + i + end.len());
            self.at += close;
            return;
        }
        let quote = rest.chars().next();
        if quote == Some('"') || quote == Some('\'') {
            let mut escaped = false;
            for (i, c) in rest.char_indices().skip(1) {
                if !escaped && Some(c) == quote {
                    self.at += i + 1;
                    return;
                }
                escaped = !escaped && c == '\\';
            }
            self.at = self.source.len();
            return;
        }
        let word = rest
            .find(|c: char| c.is_whitespace() || "()[]{},:\"'/".contains(c))
            .unwrap_or(rest.len());
        let first = rest.chars().next().map_or(0, char::len_utf8);
        self.at += word.max(first);
    }
}

/// The length of a nested block comment at the start of `text`.
fn block_comment(text: &str) -> usize {
    let mut depth = 0usize;
    let mut at = 0;
    while at < text.len() {
        if text[at..].starts_with("/*") {
            depth += 1;
            at += 2;
        } else if text[at..].starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += text[at..].chars().next().map_or(1, char::len_utf8);
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
