//! One style for authored files: indentation, blanks and commas. Words, comments and the breaks of lines stay as they are.

use super::scanner::Scanner;

/// How many columns a bracket that ends its line moves the next line to the right.
const STEP: usize = 4;

/// What a sign of a source is.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Open,
    Close,
    Comma,
    Colon,
    /// A text, a number, a name.
    Word,
    /// A comment, or `#![enable(..)]`.
    Remark,
}

struct Token<'a> {
    kind: Kind,
    text: &'a str,
    /// How many lines end before it.
    breaks: usize,
    /// How many blanks are before it on its line.
    blanks: usize,
}

/// A source in the one style. What is no RON comes out with the same words in the same order.
pub(crate) fn formatted(source: &str) -> String {
    let tokens = with_commas(tokens(source));
    let mut out = Writer::default();
    for (at, token) in tokens.iter().enumerate() {
        let before = at.checked_sub(1).map(|before| &tokens[before]);
        match before {
            None => {}
            Some(_) if token.breaks > 0 => out.new_line(token),
            Some(before) => out.blanks(before, token),
        }
        out.token(token, tokens.get(at + 1).is_none_or(|next| next.breaks > 0));
    }
    let mut text = out.text;
    if !text.is_empty() {
        text.push('\n');
    }
    text
}

fn tokens(source: &str) -> Vec<Token<'_>> {
    let mut scanner = Scanner::new(source);
    let mut tokens = Vec::new();
    let (mut breaks, mut blanks) = (0, 0);
    while let Some(first) = scanner.rest().chars().next() {
        if first.is_whitespace() {
            if first == '\n' {
                (breaks, blanks) = (breaks + 1, 0);
            } else {
                blanks += 1;
            }
            scanner.at += first.len_utf8();
            continue;
        }
        let begin = scanner.at;
        let remark = scanner.remark();
        let kind = match first {
            _ if remark > 0 => Kind::Remark,
            '(' | '[' | '{' => Kind::Open,
            ')' | ']' | '}' => Kind::Close,
            ',' => Kind::Comma,
            ':' => Kind::Colon,
            _ => Kind::Word,
        };
        match kind {
            Kind::Remark => scanner.at += remark,
            Kind::Word => scanner.skip_token(),
            _ => scanner.at += 1,
        }
        let text = source[begin..scanner.at].trim_end();
        tokens.push(Token {
            kind,
            text,
            breaks,
            blanks,
        });
        (breaks, blanks) = (0, 0);
    }
    tokens
}

/// Adds a comma after the last part of a bracket that closes on its own line, and removes it where it closes on the same line.
fn with_commas(tokens: Vec<Token<'_>>) -> Vec<Token<'_>> {
    let mut with: Vec<Token<'_>> = Vec::new();
    for token in tokens {
        if token.kind == Kind::Close
            && let Some(last) = with.iter().rposition(|token| token.kind != Kind::Remark)
        {
            match with[last].kind {
                Kind::Comma
                    if token.breaks == 0
                        && last + 1 == with.len()
                        && last > 0
                        && is_part(&with[last - 1]) =>
                {
                    with.pop();
                }
                _ if is_part(&with[last]) && (token.breaks > 0 || last + 1 < with.len()) => with
                    .insert(
                        last + 1,
                        Token {
                            kind: Kind::Comma,
                            text: ",",
                            breaks: 0,
                            blanks: 0,
                        },
                    ),
                _ => {}
            }
        }
        with.push(token);
    }
    with
}

/// Whether a part of a bracket can end with it.
fn is_part(token: &Token<'_>) -> bool {
    matches!(token.kind, Kind::Word | Kind::Close)
}

#[derive(Default)]
struct Writer {
    text: String,
    /// The column at which the next sign is written.
    column: usize,
    /// The indentation of the line.
    indent: usize,
    /// The brackets that are open.
    open: Vec<Bracket>,
}

struct Bracket {
    /// The indentation of the line on which it was opened.
    line: usize,
    /// The column of the lines within it. `None`: it is the last of its line so far.
    within: Option<usize>,
}

impl Writer {
    fn new_line(&mut self, token: &Token<'_>) {
        self.text.push('\n');
        let closes = token.kind == Kind::Close;
        if token.breaks > 1 && !closes {
            self.text.push('\n');
        }
        self.indent = match self.open.last() {
            None => 0,
            Some(bracket) if closes => bracket.line,
            Some(bracket) => bracket.within.unwrap_or(bracket.line + STEP),
        };
        self.text.extend(std::iter::repeat_n(' ', self.indent));
        self.column = self.indent;
    }

    /// The blanks between two tokens of a line.
    fn blanks(&mut self, before: &Token<'_>, token: &Token<'_>) {
        let blanks = match (before.kind, token.kind) {
            (_, Kind::Remark) => token.blanks.max(1),
            (Kind::Remark, _) => 1,
            (_, Kind::Comma | Kind::Colon | Kind::Close) | (Kind::Open, _) => 0,
            (Kind::Comma | Kind::Colon, _) => 1,
            (Kind::Word, Kind::Open) | (Kind::Close, _) | (_, _) => token.blanks.min(1),
        };
        self.text.extend(std::iter::repeat_n(' ', blanks));
        self.column += blanks;
    }

    fn token(&mut self, token: &Token<'_>, is_last: bool) {
        self.text.push_str(token.text);
        self.column = match token.text.rsplit_once('\n') {
            Some((_, last)) => last.chars().count(),
            None => self.column + token.text.chars().count(),
        };
        match token.kind {
            Kind::Open => {
                self.open.push(Bracket {
                    line: self.indent,
                    within: Some(self.column),
                });
                if is_last {
                    // All that this line leaves open goes on one step to the right.
                    let line = self.indent;
                    for bracket in self.open.iter_mut().rev().take_while(|it| it.line == line) {
                        bracket.within = None;
                    }
                }
            }
            Kind::Close => {
                self.open.pop();
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The words and signs, without blanks and commas.
    fn words(source: &str) -> Vec<&str> {
        let tokens = tokens(source).into_iter();
        let kept = tokens.filter(|token| token.kind != Kind::Comma);
        kept.map(|token| token.text).collect()
    }

    #[test]
    fn x7_a_file_is_written_in_one_style() {
        for (source, expected) in [
            ("", ""),
            ("(id:\"a\" ,name : \"b\",)", "(id: \"a\", name: \"b\")\n"),
            (
                "(\n  id: \"a\",\n\n\n  /* who */ name: \"b\"   // it\n\n)\n\n",
                "(\n    id: \"a\",\n\n    /* who */ name: \"b\",   // it\n)\n",
            ),
            (
                "Scenario(name: \"x\",\nnpcs: [\n(id: \"a\",\nname: \"b\")\n],\n)",
                "Scenario(name: \"x\",\n         npcs: [\n             (id: \"a\",\n              name: \"b\"),\n         ],\n)\n",
            ),
            (
                "(world: (entities: {\n\"door\": (at: In( \"hall\" )),\n}),\nname: \"x\")\r\n",
                "(world: (entities: {\n    \"door\": (at: In(\"hall\")),\n}),\n    name: \"x\")\n",
            ),
            (
                "#![enable(implicit_some)]\n( // first\nreply: r#\"{\"a\":\n 1,}\"#)",
                "#![enable(implicit_some)]\n( // first\n reply: r#\"{\"a\":\n 1,}\"#)\n",
            ),
        ] {
            assert_eq!(formatted(source), expected, "{source}");
            assert_eq!(formatted(expected), expected, "{source}");
        }
    }

    proptest! {
        #[test]
        fn x7_formatting_keeps_all_words_and_changes_nothing_twice(
            parts in proptest::collection::vec(
                prop_oneof![
                    Just("("), Just(")"), Just("["), Just("]"), Just("{"), Just("}"), Just(","), Just(":"), Just(" "), Just("\n"),
                    Just("\"a, (b\""), Just("name"), Just("-1.5"), Just("// said\n"), Just("/* x */"), Just("r#\"\n \"#"), Just("\r\n"),
                ],
                0..40,
            ),
        ) {
            let source = parts.concat();
            let once = formatted(&source);
            prop_assert_eq!(words(&once), words(&source));
            prop_assert_eq!(formatted(&once), once);
        }
    }
}
