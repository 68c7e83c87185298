//! The runs of four words of a text: by what it is compared with another one, word for word.

use super::fold::{fold, is_spaceless, is_word_char};
use crate::base::canonical::Digest;
use std::ops::Range;
use unicode_segmentation::UnicodeSegmentation;

/// How many words in a row make a run.
const RUN_WORDS: usize = 4;

/// What counts as a word, in half words: in scripts without spaces two letters do.
const WORD: usize = 2;
/// What a letter of a script without spaces counts, in half words.
const LETTER: usize = 1;

/// The words of a text, folded and without punctuation, and its runs: one begins at each word that has enough others after
/// it. In scripts without spaces each letter is a word.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct WordRuns {
    /// The words, with blanks between them.
    words: String,
}

impl WordRuns {
    /// The words of a text, in order.
    pub fn of(text: &str) -> Self {
        let mut words = String::with_capacity(text.len());
        each_word(text, |_, word| {
            if !words.is_empty() {
                words.push(' ');
            }
            words.push_str(word);
        });
        Self { words }
    }

    /// How many words there are.
    pub fn count(&self) -> usize {
        let halves = places(&self.words).map(|place| half_words(&self.words[place]));
        halves.sum::<usize>() / WORD
    }

    /// The first 64 bits of the hash of each run. They are equal where the words are.
    pub fn hashes(&self) -> impl Iterator<Item = u64> {
        self.runs()
            .map(|run| Digest::of_bytes(run.as_bytes()).to_u64())
    }

    /// The words of each run, with blanks between them.
    fn runs(&self) -> impl Iterator<Item = &str> {
        let mut ends = places(&self.words);
        let (mut end, mut halves) = (0, 0);
        places(&self.words).map_while(move |first| {
            while halves < RUN_WORDS * WORD {
                let last = ends.next()?;
                end = last.end;
                halves += half_words(&self.words[last]);
            }
            halves -= half_words(&self.words[first.clone()]);
            Some(&self.words[first.start..end])
        })
    }
}

/// The place of the runs with these numbers in a text, in bytes, from the beginning of the first to the end of the last.
pub(crate) fn place_of_runs(text: &str, runs: Range<usize>) -> Option<Range<usize>> {
    let all = WordRuns::of(text);
    let before = runs.len().checked_sub(1)?;
    let last = all.runs().nth(runs.start + before)?;
    let words = before + places(last).count();
    let mut written = Vec::new();
    each_word(text, |place, _| written.push(place));
    let written = written.get(runs.start..runs.start + words)?;
    Some(written.first()?.start..written.last()?.end)
}

/// Calls `add` for each word of a text: its place in the text, in bytes, and the form in which it is compared.
fn each_word(text: &str, mut add: impl FnMut(Range<usize>, &str)) {
    let mut plain = String::new();
    let mut add = |written: &str, at: usize| {
        plain.clear();
        match written.is_ascii() {
            true => plain.extend(written.chars().map(|c| c.to_ascii_lowercase())),
            false => plain.push_str(&fold(written)),
        }
        plain.retain(is_word_char);
        if !plain.is_empty() {
            add(at..at + written.len(), &plain);
        }
    };
    for (at, word) in text.unicode_word_indices() {
        if !word.chars().any(is_spaceless) {
            add(word, at);
            continue;
        }
        for (within, c) in word.char_indices().filter(|(_, c)| c.is_alphanumeric()) {
            add(&word[within..within + c.len_utf8()], at + within);
        }
    }
}

/// The place of each word, in bytes.
fn places(words: &str) -> impl Iterator<Item = Range<usize>> {
    let mut next = 0;
    let places = words.split(' ').map(move |word| {
        let place = next..next + word.len();
        next = place.end + 1;
        place
    });
    places.filter(|place| !place.is_empty())
}

/// How much a word counts.
fn half_words(word: &str) -> usize {
    match word.starts_with(is_spaceless) {
        true => LETTER,
        false => WORD,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runs(text: &str) -> Vec<String> {
        WordRuns::of(text).runs().map(str::to_owned).collect()
    }

    #[test]
    fn m9_runs_have_four_words_without_case_and_punctuation() {
        assert_eq!(
            runs("Well, DON’T ask—me that! Again"),
            ["well dont ask me", "dont ask me that", "ask me that again"]
        );
        assert_eq!(runs("Only three words."), [""; 0]);
        assert_eq!(runs("... ?!"), [""; 0]);
        assert_eq!(runs("Four words in all"), ["four words in all"]);
    }

    #[test]
    fn m9_two_letters_of_a_script_without_spaces_are_a_word() {
        assert_eq!(runs("龙在塔下睡觉了"), [""; 0]);
        assert_eq!(
            runs("龙在塔下，睡觉了吗呢"),
            ["龙 在 塔 下 睡 觉 了 吗", "在 塔 下 睡 觉 了 吗 呢"]
        );
        assert_eq!(runs("Vael in 塔下 sleeps"), ["vael in 塔 下 sleeps"]);
        let texts = ["ドラゴンだ", "Well, well.", "", "สวัสดี"];
        assert_eq!(texts.map(|text| WordRuns::of(text).count()), [2, 2, 0, 3]);
    }

    #[test]
    fn m9_a_run_knows_where_it_stands() {
        let text = "Oh! Ü ber, das (Tor) ist zu.";
        assert_eq!(runs(text).len(), 4);
        let written = |range| place_of_runs(text, range).map(|range| &text[range]);
        assert_eq!(written(1..2), Some("Ü ber, das (Tor"));
        assert_eq!(written(1..4), Some("Ü ber, das (Tor) ist zu"));
        assert_eq!(written(2..2), None);
        assert_eq!(written(0..0), None);
        assert_eq!(written(3..5), None);
        let text = "龙在塔下，睡觉了吗呢 Ann!";
        assert_eq!(
            place_of_runs(text, 1..3).map(|range| &text[range]),
            Some("在塔下，睡觉了吗呢 Ann")
        );
    }
}
