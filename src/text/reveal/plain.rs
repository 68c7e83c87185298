//! Texts in which nothing can be disguised, found in one pass: most lines are such.

/// How many single letters or short pieces in a row are a spelled word.
pub(super) const SPELLED: usize = 3;

/// Whether nothing can be disguised in the text: it is ASCII, without a sign of markup, and with too few single letters, or
/// short pieces with signs between them, for a word that is spelled. Most lines are.
pub(super) fn is_plain(text: &str) -> bool {
    let (mut singles, mut pieces) = (0, 0);
    // How long the word is that the byte belongs to, and whether it has letters alone.
    let (mut length, mut letters) = (0, true);
    for byte in text.bytes().chain([b' ']) {
        match CLASSES[usize::from(byte)] {
            Class::Letter => length += 1,
            Class::Digit => (length, letters) = (length + 1, false),
            Class::Suspect => return false,
            between => {
                if length > 0 {
                    singles += usize::from(letters && length == 1);
                    pieces = match letters && length <= LONGEST_PIECE {
                        true => pieces + 1,
                        false => 0,
                    };
                    if singles.max(pieces) >= SPELLED {
                        return false;
                    }
                    (length, letters) = (0, true);
                }
                if between == Class::Blank {
                    pieces = 0;
                }
            }
        }
    }
    true
}

/// The most letters of a piece of a word that is cut.
pub(super) const LONGEST_PIECE: usize = 3;

/// What a byte may be to a disguise.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Blank,
    /// Another sign that comes between words.
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
            b' ' | b'\t'..=b'\r' => Class::Blank,
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
