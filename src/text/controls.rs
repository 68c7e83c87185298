//! Removes what no text of players, authors or models needs: control characters and invisible characters.

use super::fold::{fold, is_ignorable, is_word_char};
use super::reveal::{is_mark, is_unseen};
use crate::base::bytes::all_bytes;
use icu_properties::{CodePointSetData, props::ExtendedPictographic};

/// The text as one line, without control characters and without invisible characters.
///
/// TAB, CR, LF and the line separators of Unicode (U+0085, U+2028, U+2029) become a space: some readers take one of them for
/// the end of a line, and would see a line that the author did not write. All other control characters vanish, and so do the
/// marks that turn the direction of writing and everything that no font draws, such as zero-width spaces and tags. Two kinds
/// of it stay: a joiner between two letters, since the words of many languages need it, and what makes one emoji of several
/// characters.
#[must_use]
pub(crate) fn without_controls(text: &str) -> String {
    // Most texts hold nothing of all that.
    if all_bytes(text, |byte| matches!(byte, b' '..=b'~')) {
        return text.to_owned();
    }
    cleaned(text, |c| {
        matches!(c, '\t' | '\r' | '\n' | '\u{85}' | '\u{2028}' | '\u{2029}')
    })
}

/// The text cleaned, and of several lines where it has LF. `is_space`: which control characters become a space.
///
/// What stays of the unseen depends on the character before it, on what follows, and on nothing else.
pub(crate) fn cleaned(text: &str, is_space: impl Fn(char) -> bool) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let before = out.chars().next_back();
        if let Some(flag) = flag_tags(before, rest) {
            out.push_str(flag);
            rest = &rest[flag.len()..];
            continue;
        }
        rest = &rest[c.len_utf8()..];
        if is_space(c) {
            out.push(' ');
        } else if matches!(c, '\n' | ' '..='~')
            || !(c.is_control() || turns_direction(c) || is_ignorable(c))
            || before.is_some_and(|before| holds_together(before, c, rest.chars().next()))
        {
            out.push(c);
        }
    }
    out
}

/// Whether it is nothing by itself, but may belong to the characters around it: see [`cleaned`].
pub(crate) fn may_hold_together(c: char) -> bool {
    matches!(
        c,
        '\u{200c}' | '\u{200d}' | '\u{fe0e}' | '\u{fe0f}' | '\u{e0020}'..='\u{e007f}'
    ) || spans_number(c)
}

/// Whether it is a sign of Arabic, Syriac or Kaithi that is drawn around the number after it.
fn spans_number(c: char) -> bool {
    matches!(
        c,
        '\u{600}'..='\u{605}' | '\u{6dd}' | '\u{8e2}' | '\u{110bd}' | '\u{110cd}'
    )
}

/// Whether an unseen character is part of the characters around it: a joiner in a word, or a part of an emoji.
fn holds_together(before: char, c: char, next: Option<char>) -> bool {
    let is_letter = |c: char| !c.is_ascii() && is_word_char(c);
    match c {
        _ if spans_number(c) => !is_word_char(before) && next.is_some_and(char::is_numeric),
        '\u{200c}' | '\u{200d}' if is_letter(before) && next.is_some_and(is_letter) => true,
        // A family, a profession, a flag with something on it.
        '\u{200d}' => {
            let is_drawn =
                is_pictograph(before) || matches!(before, '\u{fe0f}' | '\u{1f3fb}'..='\u{1f3ff}');
            is_drawn && next.is_some_and(is_pictograph)
        }
        // Whether a sign is drawn as text or in colours; a digit on a key.
        '\u{fe0e}' | '\u{fe0f}' => {
            let is_key = matches!(before, '0'..='9' | '#' | '*') && next == Some('\u{20e3}');
            is_key || is_pictograph(before)
        }
        _ => false,
    }
}

fn is_pictograph(c: char) -> bool {
    !c.is_ascii() && CodePointSetData::new::<ExtendedPictographic>().contains(c)
}

/// The tags that make a black flag that of England, Scotland or Wales, where the text begins with them. Other tags could hold
/// words that no reader sees.
fn flag_tags(before: Option<char>, text: &str) -> Option<&'static str> {
    const FLAGS: [&str; 3] = [
        "\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
        "\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}",
        "\u{e0067}\u{e0062}\u{e0077}\u{e006c}\u{e0073}\u{e007f}",
    ];
    before.filter(|before| *before == '\u{1f3f4}')?;
    FLAGS.into_iter().find(|flag| text.starts_with(flag))
}

/// Whether it is one of the marks that turn the direction of writing for what follows.
fn turns_direction(c: char) -> bool {
    matches!(
        c,
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}' | '\u{61c}'
    )
}

/// Whether something of the text can be read: one letter or digit at least, after folding.
/// What is spoken or remembered must have one; dots and invisible characters are not words.
#[must_use]
pub fn is_visible(text: &str) -> bool {
    text.bytes().any(|b| b.is_ascii_alphanumeric())
        || !text.is_ascii() && fold(text).chars().any(char::is_alphanumeric)
}

/// Whether anything of the text is seen: `...` and an emoji are, blanks and invisible characters are not, and a mark without
/// a base character is not. An authored line that shows nothing does not count as a line.
#[must_use]
pub fn shows_something(text: &str) -> bool {
    let is_seen = |c: char| {
        let is_blank = c.is_whitespace() || c.is_control();
        !(is_blank || turns_direction(c) || is_ignorable(c) || is_unseen(c))
    };
    text.chars()
        .any(|c| c.is_ascii_graphic() || !c.is_ascii() && is_seen(c) && !is_mark(c))
}

/// The words of a text with one space between them.
pub(crate) fn single_spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
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
    fn p1_an_emoji_of_several_characters_stays_one() {
        for emoji in [
            "👨\u{200d}👩\u{200d}👧",
            "❤\u{fe0f}",
            "☺\u{fe0e}",
            "❤\u{fe0f}\u{200d}🔥",
            "👩🏽\u{200d}🚀",
            "🤷🏽\u{200d}♀\u{fe0f}",
            "🏳\u{fe0f}\u{200d}🌈",
            "🏴\u{200d}☠\u{fe0f}",
            "1\u{fe0f}\u{20e3}",
            "🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}",
            "🇩🇪👍🏿",
        ] {
            let text = format!("Hi {emoji}!");
            assert_eq!(without_controls(&text), text, "{emoji}");
        }
    }

    #[test]
    fn p1_what_belongs_to_emoji_hides_nothing_elsewhere() {
        for (text, clean) in [
            ("se\u{fe0f}cret", "secret"),
            ("se\u{200d}cret", "secret"),
            ("👍\u{200d}secret", "👍secret"),
            ("secret\u{200d}👍", "secret👍"),
            ("1\u{fe0f}2", "12"),
            ("❤\u{fe0f}\u{fe0f}\u{fe0e}", "❤\u{fe0f}"),
            ("👍\u{200d}", "👍"),
            ("👍\u{200d}\u{200d}👍", "👍\u{200d}👍"),
            ("🏴\u{e0068}\u{e0069}\u{e007f}", "🏴"),
            (
                "👍\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}",
                "👍",
            ),
        ] {
            assert_eq!(without_controls(text), clean, "{text:?}");
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
