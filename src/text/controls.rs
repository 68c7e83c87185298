//! Control characters, which no text of players or authors needs.

/// The text without control characters: TAB, CR and LF become a space, all others vanish.
#[must_use]
pub fn without_controls(text: &str) -> String {
    text.chars()
        .filter_map(|c| match c {
            '\t' | '\r' | '\n' => Some(' '),
            c if c.is_control() => None,
            c => Some(c),
        })
        .collect()
}
