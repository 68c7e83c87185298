//! The signs of RON: brackets, texts, words and comments.

/// Reads a source from left to right.
pub(super) struct Scanner<'a> {
    source: &'a str,
    /// How far it has read, in bytes.
    pub(super) at: usize,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(source: &'a str) -> Self {
        Self { source, at: 0 }
    }

    pub(super) fn rest(&self) -> &'a str {
        &self.source[self.at..]
    }

    /// Skips white space, comments and `#![enable(..)]` lines, and tells where the next token begins.
    pub(super) fn value_start(&mut self) -> usize {
        loop {
            let skip = match self.remark() {
                0 => match self.rest().chars().next() {
                    Some(c) if c.is_whitespace() => c.len_utf8(),
                    _ => return self.at,
                },
                length => length,
            };
            self.at += skip;
        }
    }

    /// The length of the comment or `#![enable(..)]` that begins here; 0 where none does.
    pub(super) fn remark(&self) -> usize {
        let rest = self.rest();
        if let Some(comment) = rest.strip_prefix("//") {
            2 + comment.find('\n').unwrap_or(comment.len())
        } else if rest.starts_with("/*") {
            block_comment(rest)
        } else if rest.starts_with("#!") {
            rest.find(']').map_or(rest.len(), |i| i + 1)
        } else {
            0
        }
    }

    /// Goes behind a text, a word or a sign.
    pub(super) fn skip_token(&mut self) {
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
