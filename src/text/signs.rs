//! Apostrophes and hyphens: they have many shapes and one meaning.
//!
//! A model writes `king’s plan` where an author wrote `king's plan`, and `north‑gate` with a hyphen that breaks no line. So the
//! folded text has the ASCII sign for each of them. What is heard keeps the sign that was written.
//!
//! The en dash and the em dash are not among them, since a clause ends at them. The grave accent is not either: it is ASCII, and
//! folding changes nothing of ASCII but its case.

/// The ASCII apostrophe or hyphen that a sign outside ASCII is another shape of.
pub(super) fn plain_sign(c: char) -> Option<char> {
    match c {
        // Quotation marks that are written as apostrophes, primes, accents without a letter.
        '\u{2018}' | '\u{2019}' | '\u{201b}' | '\u{2032}' | '\u{2035}' | '\u{275b}' | '\u{275c}' | '\u{b4}' | '\u{384}'
        | '\u{1fbd}' | '\u{1fbf}' | '\u{ff07}'
        // Letters that modify others, and the apostrophes of Armenian and Hebrew.
        | '\u{2b9}'..='\u{2bf}' | '\u{2c8}' | '\u{a78b}' | '\u{a78c}' | '\u{55a}' | '\u{5f3}' => Some('\''),
        // Hyphens, the minus, and the hyphens of Armenian, Hebrew, Canadian syllables and Mongolian.
        '\u{2010}' | '\u{2011}' | '\u{2043}' | '\u{2212}' | '\u{2d7}' | '\u{fe63}' | '\u{ff0d}' | '\u{58a}' | '\u{5be}'
        | '\u{1400}' | '\u{1806}' => Some('-'),
        _ => None,
    }
}

/// A regular expression with plain signs. It runs on the folded text, too, where every such sign is plain.
pub(super) fn with_plain_signs(expression: &str) -> String {
    let mut plain = String::with_capacity(expression.len());
    for c in expression.chars() {
        match plain_sign(c) {
            // Without the backslash it would be a range between brackets.
            Some('-') => plain.push_str("\\-"),
            sign => plain.push(sign.unwrap_or(c)),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::fold::fold;

    #[test]
    fn g2_apostrophes_and_hyphens_of_all_shapes_are_one() {
        let apostrophes = "‘’\u{201b}\u{2032}\u{b4}\u{2b9}\u{2bb}\u{2bc}\u{2c8}\u{ff07}\u{a78c}\u{5f3}\u{384}\u{1fbd}";
        for sign in apostrophes.chars() {
            assert_eq!(fold(&format!("King{sign}s")), "king's", "{sign:?}");
        }
        for sign in "\u{2010}\u{2011}\u{2212}\u{fe63}\u{ff0d}\u{5be}".chars() {
            assert_eq!(fold(&format!("north{sign}Gate")), "north-gate", "{sign:?}");
        }
    }

    #[test]
    fn g2_dashes_and_ascii_signs_stay_what_they_are() {
        for text in ["a\u{2013}b\u{2014}c", "a`b", "a'b-c"] {
            assert_eq!(fold(text), text);
        }
        assert_eq!(with_plain_signs("[a\u{2010}z]’s"), r"[a\-z]'s");
    }
}
