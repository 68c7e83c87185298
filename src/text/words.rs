//! Words for retrieval: Unicode words, folded.

use super::fold::fold;
use unicode_segmentation::UnicodeSegmentation;

/// The distinct words of a text, folded, in order of the alphabet.
#[must_use]
pub fn distinct_words(text: &str) -> Vec<String> {
    let folded = fold(text);
    let mut words: Vec<&str> = folded.unicode_words().collect();
    words.sort_unstable();
    words.dedup();
    words.into_iter().map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn m4_words_are_unicode_words_folded_and_counted_once() {
        let words = distinct_words("The cat, THE Cat's über-cat");
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        assert_eq!(words, ["cat", "cat's", "the", "über"]);
    }
}
