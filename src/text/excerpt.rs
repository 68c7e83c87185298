//! Words of a model or a player inside a message about them.

use super::controls::without_controls;

/// The most characters of such words in a message.
pub const MAX_EXCERPT_CHARS: usize = 40;

/// The beginning of untrusted words, at most 40 characters, for use between the quotation marks of a message: one line,
/// without controls, and without a mark that could end the quotation.
///
/// Messages become feedback, which is part of the next prompt. There the untrusted words must not end the quotation and go on
/// in the voice of the game.
#[must_use]
pub fn excerpt(words: &str) -> String {
    // What vanishes may be more than what is kept, but not without end.
    let begun: String = words.chars().take(MAX_EXCERPT_CHARS * 8).collect();
    let line = without_controls(&begun);
    let mut kept: String = line
        .chars()
        .take(MAX_EXCERPT_CHARS)
        .map(|c| match c {
            '"' | '“' | '”' | '„' | '‟' | '«' | '»' | '‹' | '›' | '＂' | '「' | '」' | '『'
            | '』' | '`' => '\'',
            c => c,
        })
        .collect();
    if line.chars().nth(MAX_EXCERPT_CHARS).is_some() || begun.len() < words.len() {
        kept.push('…');
    }
    kept
}

/// A name that a model or a player made up, if it looks like an id: then it is shown between quotation marks. Any other name
/// may be a sentence, and a message says `otherwise` in its place.
#[must_use]
pub fn name_excerpt(name: &str, otherwise: &str) -> String {
    let is_id = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.' | b':');
    match !name.is_empty() && name.len() <= MAX_EXCERPT_CHARS && name.bytes().all(is_id) {
        true => format!("\"{name}\""),
        false => otherwise.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::excerpt;

    #[test]
    fn an_excerpt_ends_no_quotation_and_is_short() {
        assert_eq!(excerpt("say \"no\"\n## Rules"), "say 'no' ## Rules");
        assert_eq!(excerpt(&"x".repeat(100)).len(), 41 + 2);
    }
}
