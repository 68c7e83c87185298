//! What no text of players, authors or models needs: control characters and what nobody sees.

use super::fold::{fold, is_ignorable, is_word_char};
use super::reveal::{is_mark, is_unseen};
use crate::base::bytes::all_bytes;

/// The text as one line without control characters and without what nobody sees (SCENARIO.md section 7, "Lines").
///
/// TAB, CR, LF and the line separators of Unicode (U+0085, U+2028, U+2029) become a space: a reader to whom one of them is the
/// end of a line sees no line that nobody wrote. All other control characters vanish, and so do the marks that turn the
/// direction of writing and everything that is drawn by no font, such as zero-width spaces and tags. A joiner between two
/// letters stays: the words of many languages need it.
#[must_use]
pub fn without_controls(text: &str) -> String {
    // Most texts hold nothing of all that.
    if all_bytes(text, |byte| matches!(byte, b' '..=b'~')) {
        return text.to_owned();
    }
    cleaned(text, |c| {
        matches!(c, '\t' | '\r' | '\n' | '\u{85}' | '\u{2028}' | '\u{2029}')
    })
}

/// The text cleaned, and of several lines where it has LF. `is_space`: which control characters become a space.
pub(crate) fn cleaned(text: &str, is_space: impl Fn(char) -> bool) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if is_space(c) {
            out.push(' ');
        } else if matches!(c, '\u{200c}' | '\u{200d}') {
            let joins = |c: Option<char>| c.is_some_and(|c| !c.is_ascii() && is_word_char(c));
            if joins(out.chars().next_back()) && joins(chars.peek().copied()) {
                out.push(c);
            }
        } else if matches!(c, '\n' | ' '..='~')
            || !(c.is_control() || turns_direction(c) || is_ignorable(c))
        {
            out.push(c);
        }
    }
    out
}

/// Whether it is one of the marks that turn the direction of writing for what follows.
fn turns_direction(c: char) -> bool {
    matches!(
        c,
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}' | '\u{61c}'
    )
}

/// Whether something of the text can be read: one letter or digit at least, after folding (SCENARIO.md section 7, "Visible").
/// What is spoken or remembered must have one; dots and invisible characters are no words.
#[must_use]
pub fn is_visible(text: &str) -> bool {
    text.bytes().any(|b| b.is_ascii_alphanumeric())
        || !text.is_ascii() && fold(text).chars().any(char::is_alphanumeric)
}

/// Whether anything of the text is seen: `...` and an emoji are, blanks and invisible characters are not, and a mark that stands on
/// no character is not. An authored line that shows nothing is no line.
#[must_use]
pub fn shows_something(text: &str) -> bool {
    let is_seen = |c: char| {
        let is_blank = c.is_whitespace() || c.is_control();
        !(is_blank || turns_direction(c) || is_ignorable(c) || is_unseen(c))
    };
    text.chars()
        .any(|c| c.is_ascii_graphic() || !c.is_ascii() && is_seen(c) && !is_mark(c))
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
    }

    #[test]
    fn p1_what_nobody_sees_vanishes_but_joiners_between_letters() {
        assert_eq!(without_controls("می\u{200c}خواهم"), "می\u{200c}خواهم");
        let tags = "a\u{e0041}\u{200b}\u{ad}\u{3164}b\u{200d}c{\u{200b}{";
        assert_eq!(without_controls(tags), "abc{{");
        assert_eq!(without_controls("\u{200c}x\u{200d}"), "x");
    }

    #[test]
    fn p9_a_line_that_shows_nothing_is_told_from_one_that_is_silent_on_purpose() {
        for text in [
            "...",
            "…",
            "(He says nothing.)",
            "👍",
            "—",
            "好",
            "\u{200b}.",
            "é",
        ] {
            assert!(shows_something(text), "{text:?}");
        }
        for text in [
            "",
            " \t\n",
            "\u{200b}",
            "\u{a0}\u{3000}\u{2009}",
            "\u{ad}\u{2060}\u{feff}",
            "\u{3164}\u{ffa0}\u{115f}",
            "\u{2800}\u{2800}",
            "\u{202e}\u{2069}",
            "\u{e0041}\u{e007f}",
            "\u{301} \u{20e3}",
            "\u{7}\u{0}",
            "\u{fffc}",
        ] {
            assert!(!shows_something(text), "{text:?}");
        }
    }

    #[test]
    fn g1_visible_is_what_has_a_letter_or_digit() {
        for text in ["a", "7", "好", "é", "...a"] {
            assert!(is_visible(text), "{text}");
        }
        for text in [
            "",
            " ",
            "...",
            "\u{200b}",
            "\u{3164}",
            "\u{2800}",
            "\u{e0041}",
            "👍",
            "\u{301}",
        ] {
            assert!(!is_visible(text), "{text:?}");
        }
    }
}
