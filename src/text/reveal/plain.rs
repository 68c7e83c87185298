//! Texts in which nothing can be disguised, found in one pass: most lines are such.

/// How many single letters in a row are a spelled word.
pub(super) const SPELLED: usize = 3;

/// Whether nothing can be disguised in the text: it is ASCII, without a sign of markup, and with too few single letters for a
/// word that is spelled. Most lines are.
pub(super) fn is_plain(text: &str) -> bool {
    let mut singles = 0;
    // Whether a letter or digit comes before the byte; whether that is a letter which is alone as far as was read.
    let (mut in_word, mut alone) = (false, false);
    for byte in text.bytes() {
        let class = CLASSES[usize::from(byte)];
        if class == Class::Suspect {
            return false;
        }
        let is_word = class != Class::Between;
        singles += usize::from(alone & !is_word);
        alone = !in_word & (class == Class::Letter);
        in_word = is_word;
    }
    singles + usize::from(alone) < SPELLED
}

/// What a byte may be to a disguise.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    /// It comes between words.
    Between,
    Letter,
    Digit,
    /// A disguise may begin with it.
    Suspect,
}

/// The class of each byte.
const CLASSES: [Class; 256] = {
    let mut classes = [Class::Suspect; 256];
    let mut byte: u8 = 0;
    while byte.is_ascii() {
        classes[byte as usize] = match byte {
            _ if begins_markup(byte as char) => Class::Suspect,
            b'a'..=b'z' | b'A'..=b'Z' => Class::Letter,
            b'0'..=b'9' => Class::Digit,
            _ => Class::Between,
        };
        byte += 1;
    }
    classes
};

/// Signs that ornaments of markup begin with.
pub(super) const fn begins_markup(c: char) -> bool {
    matches!(
        c,
        '*' | '_' | '~' | '`' | '|' | '^' | '\\' | '<' | '[' | '(' | '{' | '&'
    )
}
