//! What a secret looks like: the patterns of known keys, the names of fields that hold keys, and long words that read
//! as if drawn by chance.

use regex::Regex;
use std::ops::Range;
use std::sync::OnceLock;

/// The text that replaces a secret.
pub(super) const MASK: &str = "[redacted]";
/// A word of this length may be a key that no header or name announced.
const LONG: usize = 32;

/// How a pattern's find is judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Judge {
    /// It is a secret.
    Certain,
    /// It is one when it does not read like a word.
    LikeAToken,
}

/// The last group that takes part in a match is the secret.
const PATTERNS: [(&str, Judge); 7] = [
    (
        r#"(?i)\bauthorization\b["']?\s*[:=]\s*["']?(?:(?:bearer|basic|token|digest)\s+)?([^\s"',;\\]+)"#,
        Judge::Certain,
    ),
    (r"(?i)\bbearer\s+([A-Za-z0-9._~+/=-]+)", Judge::LikeAToken),
    (
        r#"(?i)(?:api[-_ ]?key|api[-_]?token|access[-_]token|auth[-_]token|client[-_]secret|secret[-_]access[-_]key)["']?\s*[:=]\s*(?:"([^"]+)"?|'([^']+)'?|([^\s"',;&)}\]\\]+))"#,
        Judge::Certain,
    ),
    (
        r"(?i)(?:^|[^a-z0-9])((?:sk|pk|rk)-[a-z0-9_-]{6,})",
        Judge::LikeAToken,
    ),
    (
        r"(?i)(?:^|[^a-z0-9])((?:sk|pk|rk)_(?:live|test)_[a-z0-9]{8,}|gh[a-z]_[a-z0-9]{20,}|github_pat_[a-z0-9_]{20,}|glpat-[a-z0-9_-]{16,}|xox[a-z]-[a-z0-9-]{10,}|akia[a-z0-9]{16}|aiza[a-z0-9_-]{30,}|hf_[a-z0-9]{20,}|eyj[a-z0-9_-]{8,}\.[a-z0-9_-]{8,}\.[a-z0-9_-]*)",
        Judge::Certain,
    ),
    (
        r"(?s)-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----.*?(?:-----END [A-Z0-9 ]*PRIVATE KEY-----|\z)",
        Judge::Certain,
    ),
    (
        r#"(?i)\b[a-z][a-z0-9+.-]*://[^\s/@:"']*:([^\s/@"']+)@"#,
        Judge::Certain,
    ),
];

/// The names of fields whose values are secrets.
const NAMES: [&str; 9] = [
    "apikey",
    "apitoken",
    "accesstoken",
    "authtoken",
    "authorization",
    "bearertoken",
    "clientsecret",
    "secretaccesskey",
    "xapikey",
];

fn patterns() -> &'static [(Regex, Judge)] {
    static COMPILED: OnceLock<Vec<(Regex, Judge)>> = OnceLock::new();
    // A test counts them: none is left out.
    let compile = |(pattern, judge): (&str, Judge)| Some((Regex::new(pattern).ok()?, judge));
    COMPILED.get_or_init(|| PATTERNS.into_iter().filter_map(compile).collect())
}

/// Whether the value of a field with this name is a secret.
pub(super) fn is_secret_name(name: &str) -> bool {
    let plain = name.chars().filter(|c| !matches!(c, '-' | '_' | ' '));
    let plain: String = plain.map(|c| c.to_ascii_lowercase()).collect();
    NAMES.contains(&plain.as_str())
}

/// Whether a word reads like a key rather than like a word.
pub(super) fn like_a_token(word: &str) -> bool {
    let digit = word.bytes().any(|byte| byte.is_ascii_digit());
    word.len() >= 20 || word.len() >= 6 && digit
}

/// Where in `text` something looks like a secret.
pub(super) fn suspects(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for (pattern, judge) in patterns() {
        for captures in pattern.captures_iter(text) {
            let Some(secret) = captures.iter().flatten().last() else {
                continue;
            };
            // A mask from an earlier export is no secret; the bracket at its end may be left out of a match.
            let removed = secret.as_str().trim_end_matches(']') == MASK.trim_end_matches(']');
            if !removed && (*judge == Judge::Certain || like_a_token(secret.as_str())) {
                found.push(secret.range());
            }
        }
    }
    found.extend(long_tokens(text));
    found
}

/// Long words of the alphabets of base64 and hexadecimal that no language has.
fn long_tokens(text: &str) -> impl Iterator<Item = Range<usize>> {
    let inside =
        |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'_' | b'-');
    let mut at = 0;
    let words = text.as_bytes().split(move |byte| !inside(*byte));
    words.filter_map(move |word| {
        let start = at;
        at += word.len() + 1;
        (word.len() >= LONG && is_random(word)).then_some(start..start + word.len())
    })
}

/// Words change seldom between small letters, capitals and digits; what was drawn by chance does all the time. A capital
/// before a small letter begins a word, and is no change.
fn is_random(word: &[u8]) -> bool {
    let class = |byte: u8| match byte {
        b'a'..=b'z' => Some(0_u8),
        b'A'..=b'Z' => Some(1),
        b'0'..=b'9' => Some(2),
        _ => None,
    };
    let digits = word.iter().filter(|byte| byte.is_ascii_digit()).count();
    let mixed = word.iter().any(u8::is_ascii_lowercase) && word.iter().any(u8::is_ascii_uppercase);
    let (mut pairs, mut changes) = (0_usize, 0_usize);
    for pair in word.windows(2) {
        if let (Some(a), Some(b)) = (class(pair[0]), class(pair[1])) {
            pairs += 1;
            changes += usize::from(a != b && (a, b) != (1, 0));
        }
    }
    let often =
        digits >= 3 && changes * 5 >= pairs || digits >= 1 && mixed && changes * 10 >= pairs * 3;
    often && changes > 0 && !is_uuid(word)
}

/// Games use such for ids; without an announcement they are none of our business.
fn is_uuid(word: &[u8]) -> bool {
    let dashes = [8, 13, 18, 23];
    word.len() == 36
        && word
            .iter()
            .enumerate()
            .all(|(i, byte)| match dashes.contains(&i) {
                true => *byte == b'-',
                false => byte.is_ascii_hexdigit(),
            })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn r4_every_pattern_compiles() {
        assert_eq!(patterns().len(), PATTERNS.len());
    }
}
