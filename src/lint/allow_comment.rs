//! Comments that allow a finding: `// lint: allow unresolved, never_set: because`.

use super::report::LintKind;

/// A comment that allows something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct AllowComment {
    /// The line of the comment.
    pub line: usize,
    /// The line that it is about; the whole file where there is none.
    pub target: Option<usize>,
    /// What it allows.
    pub kinds: Vec<LintKind>,
    /// Words that are not the name of a kind.
    pub unknown: Vec<String>,
}

impl AllowComment {
    /// Whether it allows a finding of this kind on this line.
    pub(crate) fn covers(&self, kind: LintKind, line: usize) -> bool {
        self.kinds.contains(&kind) && self.target.is_none_or(|target| target == line)
    }
}

/// All such comments of a file, in order.
pub(super) fn allows(source: &str) -> Vec<AllowComment> {
    let mut allows = Vec::new();
    // Comments alone on their line wait for the line that they are about.
    let mut waiting = Vec::new();
    let mut coded = 0;
    for token in tokens(source) {
        if !token.comment {
            let before = coded == 0;
            for i in std::mem::take(&mut waiting) {
                let allow: &mut AllowComment = &mut allows[i];
                allow.target = (!before).then_some(token.line);
            }
            coded = token.line + token.text.matches('\n').count();
        } else if let Some((kinds, unknown)) = parse(token.text) {
            if coded != token.line {
                waiting.push(allows.len());
            }
            allows.push(AllowComment {
                line: token.line,
                target: Some(token.line),
                kinds,
                unknown,
            });
        }
    }
    allows
}

fn parse(comment: &str) -> Option<(Vec<LintKind>, Vec<String>)> {
    let words = comment.strip_prefix("//")?.trim_start_matches('/').trim();
    let rest = words.strip_prefix("lint:")?.trim_start();
    let rest = rest.strip_prefix("allow")?;
    let list = rest.split(':').next().unwrap_or_default();
    let mut kinds = Vec::new();
    let mut unknown = Vec::new();
    for word in list.split(',').map(str::trim) {
        match LintKind::ALL.into_iter().find(|kind| kind.name() == word) {
            Some(kind) => kinds.push(kind),
            None => unknown.push(word.to_owned()),
        }
    }
    Some((kinds, unknown))
}

struct Token<'a> {
    comment: bool,
    line: usize,
    text: &'a str,
}

/// Comments, strings and everything else that is no white space.
fn tokens(source: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let (mut at, mut line) = (0, 1);
    while let Some(first) = source[at..].chars().next() {
        let rest = &source[at..];
        let length = if first.is_whitespace() {
            first.len_utf8()
        } else {
            token_length(rest)
        };
        let text = &rest[..length];
        if !first.is_whitespace() {
            let comment = text.starts_with("//") || text.starts_with("/*");
            tokens.push(Token {
                comment,
                line,
                text,
            });
        }
        line += text.matches('\n').count();
        at += length;
    }
    tokens
}

/// The length of the token that `rest` begins with.
fn token_length(rest: &str) -> usize {
    if rest.starts_with("//") {
        return rest.find('\n').unwrap_or(rest.len());
    }
    if rest.starts_with("/*") {
        return block_length(rest);
    }
    let raw = rest.strip_prefix("br").or_else(|| rest.strip_prefix('r'));
    if let Some(raw) = raw {
        let hashes = raw.len() - raw.trim_start_matches('#').len();
        if let Some(body) = raw[hashes..].strip_prefix('"') {
            let end = format!("\"{}", "#".repeat(hashes));
            let close = body.find(&end).map_or(body.len(), |i| i + end.len());
            return rest.len() - body.len() + close;
        }
    }
    if rest.starts_with('"') || rest.starts_with('\'') {
        let quote = rest.chars().next();
        let mut escaped = false;
        for (i, c) in rest.char_indices().skip(1) {
            if !escaped && Some(c) == quote {
                return i + 1;
            }
            escaped = !escaped && c == '\\';
        }
        return rest.len();
    }
    // A word is one token, so that the `r` of `Or"..."` opens no raw string.
    let word = rest
        .find(|c: char| !c.is_alphanumeric() && c != '_')
        .unwrap_or(rest.len());
    word.max(rest.chars().next().map_or(0, char::len_utf8))
}

/// The length of a nested block comment.
fn block_length(rest: &str) -> usize {
    let (mut depth, mut at) = (0usize, 0);
    while let Some(c) = rest[at..].chars().next() {
        if rest[at..].starts_with("/*") {
            depth += 1;
            at += 2;
        } else if rest[at..].starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += c.len_utf8();
        }
    }
    rest.len()
}

/// The first character of a file that is neither white space nor comment.
pub(super) fn first_code(source: &str) -> Option<char> {
    let mut code = tokens(source).into_iter().filter(|token| !token.comment);
    loop {
        let token = code.next()?;
        if token.text != "#" {
            return token.text.chars().next();
        }
        // `#![enable(..)]`
        code.find(|token| token.text == "]")?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use LintKind::{NeverSet, Unresolved};

    fn of(source: &str) -> Vec<(Option<usize>, Vec<LintKind>)> {
        let allows = allows(source).into_iter();
        allows.map(|allow| (allow.target, allow.kinds)).collect()
    }

    #[test]
    fn x2_a_comment_speaks_of_its_line_the_next_one_or_the_file() {
        assert_eq!(
            of("a\n b, // lint: allow unresolved\nc"),
            [(Some(2), vec![Unresolved])]
        );
        assert_eq!(
            of("a\n // lint: allow unresolved, never_set: x: y\n // more\n\n c"),
            [(Some(5), vec![Unresolved, NeverSet])]
        );
        assert_eq!(
            of("// words\n// lint: allow never_set\n(a)"),
            [(None, vec![NeverSet])]
        );
    }

    #[test]
    fn x2_what_stands_in_a_string_is_no_comment() {
        for source in [
            "a \"// lint: allow unresolved\"",
            "a \"\\\"// lint: allow unresolved\"",
            "a r#\"\" // lint: allow unresolved\"#",
            "a /* // lint: allow unresolved */ b",
            "a /* /* */ // lint: allow unresolved\n */ b",
            "a // lint allow unresolved",
        ] {
            assert_eq!(of(source), [], "{source}");
        }
        assert_eq!(
            of("a \"x\ny\" // lint: allow never_set"),
            [(Some(2), vec![NeverSet])]
        );
    }

    #[test]
    fn x2_an_unknown_kind_is_noted() {
        let found = allows("a // lint: allow everything, never_set");
        assert_eq!(found[0].unknown, ["everything"]);
        assert_eq!(found[0].kinds, [NeverSet]);
        assert_eq!(allows("a // lint: allow")[0].unknown, [""]);
    }

    #[test]
    fn x2_any_text_has_tokens() {
        for source in [
            "\"", "'", "r#\"", "/*", "/*/", "*/", "//", "é'", "r", "", "br##\"#",
        ] {
            let length: usize = tokens(source).iter().map(|token| token.text.len()).sum();
            assert!(length <= source.len(), "{source}");
        }
        assert_eq!(first_code("// a\n#![enable(x)]\n[1]"), Some('['));
        assert_eq!(first_code(" /* [ */ (a)"), Some('('));
        assert_eq!(first_code("// only"), None);
    }
}
