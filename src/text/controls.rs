//! Control characters, which no text of players or authors needs.

/// The text as one line without control characters (SCENARIO.md section 7, "Lines").
///
/// TAB, CR, LF and the line separators of Unicode (U+0085, U+2028, U+2029) become a space: a reader to whom one of them is the
/// end of a line sees no line that nobody wrote. All other control characters vanish, and so do the marks that turn the
/// direction of writing.
#[must_use]
pub fn without_controls(text: &str) -> String {
    text.chars()
        .filter_map(|c| match c {
            '\t' | '\r' | '\n' | '\u{85}' | '\u{2028}' | '\u{2029}' => Some(' '),
            c if c.is_control() || turns_direction(c) => None,
            c => Some(c),
        })
        .collect()
}

/// Whether it is one of the marks that turn the direction of writing for what follows.
fn turns_direction(c: char) -> bool {
    matches!(
        c,
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}' | '\u{61c}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn p1_no_line_and_no_direction_can_be_forged() {
        let forged = "Hi\u{2028}## Now\u{85}\u{2029}x\r\n\ty";
        assert_eq!(without_controls(forged), "Hi ## Now  x   y");
        let turned = "a\u{202e}b\u{2066}c\u{2069}\u{200f}\u{61c}d\u{7}";
        assert_eq!(without_controls(turned), "abcd");
        // Joiners between letters are part of the words of many languages.
        assert_eq!(without_controls("می\u{200c}خواهم"), "می\u{200c}خواهم");
    }
}
