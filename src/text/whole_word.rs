//! Whether a part of a text is a word of its own, for names and keywords.

use super::fold::{is_spaceless, is_word_char};
use icu_properties::CodePointMapData;
use icu_properties::props::{GeneralCategory, GeneralCategoryGroup};

/// Whether `text[start..end]` is no part of a longer word. In a script without spaces a word ends where its letters do.
#[must_use]
pub fn is_whole_word(text: &str, start: usize, end: usize) -> bool {
    begins_word(text, start) && !joins_at(text, end)
}

/// Whether a word begins at this byte of a text.
#[must_use]
pub fn begins_word(text: &str, start: usize) -> bool {
    !joins_at(text, start)
}

/// The byte ranges where `text` holds `words` as a whole word or phrase, in order.
pub fn whole_words<'t>(
    text: &'t str,
    words: &'t str,
) -> impl Iterator<Item = std::ops::Range<usize>> + 't {
    let hits = text.match_indices(words).filter(|_| !words.is_empty());
    hits.map(|(start, hit)| start..start + hit.len())
        .filter(|hit| is_whole_word(text, hit.start, hit.end))
}

/// Whether the characters before and after this place belong to one word.
fn joins_at(text: &str, at: usize) -> bool {
    let before = text.get(..at).and_then(|text| text.chars().next_back());
    let behind = text.get(at..).and_then(|text| text.chars().next());
    match (before, behind) {
        (Some(before), Some(behind)) if is_word_char(before) && is_word_char(behind) => {
            goes_on_with_a_letter(behind) || (!is_spaceless(before) && !is_spaceless(behind))
        }
        _ => false,
    }
}

/// A mark, and the sign that makes a vowel of kana long, belong to the letter before them.
fn goes_on_with_a_letter(c: char) -> bool {
    let category = CodePointMapData::<GeneralCategory>::new().get(c);
    GeneralCategoryGroup::Mark.contains(category) || c == 'ー'
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_named(text: &str, name: &str) -> bool {
        whole_words(text, name).next().is_some()
    }

    #[test]
    fn t4_a_name_in_a_script_without_spaces_is_a_word_wherever_it_stands() {
        for (text, name) in [
            ("我问米拉箱子是谁的。", "米拉"),
            ("私はミラに鍵を渡す。", "ミラ"),
            ("さくらと話す", "さくら"),
            ("ฉันถามมิราเรื่องกุญแจ", "มิรา"),
            ("ຂ້ອຍຖາມມິລາກ່ຽວກັບ", "ມິລາ"),
            ("ខ្ញុំសួរមីរ៉ាអំពីកូនសោ", "មីរ៉ា"),
            // A name in another script, next to letters that need no space.
            ("我问Odo箱子是谁的。", "Odo"),
        ] {
            assert!(is_named(text, name), "{name} in {text}");
        }
    }

    #[test]
    fn t4_a_part_of_a_longer_word_is_no_name() {
        for (text, name) in [
            ("an ivory box", "ivo"),
            ("Odos Haus", "Odo"),
            ("Миранда пришла", "Мира"),
            ("미라클을 본다", "미라"),
            ("Odo\u{301} comes", "Odo"),
            // "Mirror", and the cluster of another vowel.
            ("ミラーを見る", "ミラ"),
            ("กรุงเทพ", "กร"),
        ] {
            assert!(!is_named(text, name), "{name} in {text}");
        }
    }
}
