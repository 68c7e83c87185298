//! What a text is searched by: its words in their stems, without those that say nothing ("the", "did").

use super::fold::{fold, is_spaceless};
use serde::de::value::{Error, StrDeserializer};
use serde::{Deserialize, Deserializer};
use snowball_stemmers_rs::{Algorithm, Stemmer};
use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};
use unicode_segmentation::UnicodeSegmentation;

/// A language that has a stemmer of Snowball, by its English name in small letters: `english`, `german`. By default none.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct StemmerLanguage(Option<Algorithm>);

impl StemmerLanguage {
    /// Its English name; `None` where there is none.
    pub(crate) fn name(self) -> Option<String> {
        self.0.map(|language| format!("{language:?}"))
    }
}

impl<'de> Deserialize<'de> for StemmerLanguage {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        let mut chars = name.chars();
        let is_lower = chars.clone().all(|c| c.is_ascii_lowercase());
        let first = chars.next().map(|first| first.to_ascii_uppercase());
        let variant: String = first.into_iter().chain(chars).collect();
        let variant: StrDeserializer<Error> = StrDeserializer::new(&variant);
        match Algorithm::deserialize(variant) {
            Ok(language) if is_lower => Ok(Self(Some(language))),
            _ => {
                let name: String = name.escape_debug().take(64).collect();
                Err(serde::de::Error::custom(format!(
                    "there is no stemmer \"{name}\": name a language of Snowball, such as \"english\", \"german\" or \"french\""
                )))
            }
        }
    }
}

/// Words that are not searched for. They are compared folded.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct StopWords(Arc<BTreeSet<String>>);

impl StopWords {
    /// The words, folded, in order of the alphabet.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &String> {
        self.0.iter()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a word is one of them. `folded` is the word, folded.
    pub(crate) fn contains(&self, folded: &str) -> bool {
        self.0.contains(folded)
    }
}

impl<'de> Deserialize<'de> for StopWords {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let words = Vec::<String>::deserialize(deserializer)?;
        Ok(Self(Arc::new(
            words.iter().map(|word| fold(word)).collect(),
        )))
    }
}

/// How the words of texts are compared when memories are searched.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct TermRules {
    stemmer: StemmerLanguage,
    stop_words: StopWords,
    /// Endings that say whose something is ("'s"). They are cut off.
    possessives: Vec<String>,
    /// Whether letters of scripts without spaces are compared two by two, and not one by one.
    in_pairs: bool,
}

impl TermRules {
    /// Words as they are written.
    pub(crate) fn as_written() -> &'static Arc<Self> {
        static RULES: OnceLock<Arc<TermRules>> = OnceLock::new();
        RULES.get_or_init(Arc::default)
    }

    /// Stems, without these words and endings.
    pub(super) fn stems(
        stemmer: StemmerLanguage,
        stop_words: &StopWords,
        possessives: &[String],
    ) -> Self {
        Self {
            stemmer,
            stop_words: stop_words.clone(),
            possessives: possessives.to_vec(),
            in_pairs: true,
        }
    }

    /// Whether they are the same as [`TermRules::stems`] would make.
    pub(super) fn are_stems(
        &self,
        stemmer: StemmerLanguage,
        stop_words: &StopWords,
        possessives: &[String],
    ) -> bool {
        let same_words =
            || Arc::ptr_eq(&self.stop_words.0, &stop_words.0) || self.stop_words == *stop_words;
        self.in_pairs && self.stemmer == stemmer && same_words() && self.possessives == possessives
    }

    /// The terms of a text, in order of the alphabet, each once.
    pub(crate) fn terms(&self, text: &str) -> Vec<String> {
        let folded = fold(text);
        let stemmer = self.stemmer.0.map(Stemmer::create);
        // A word and the white space after it have some six letters.
        let mut terms: Vec<String> = Vec::with_capacity(folded.len() / 6 + 1);
        let mut run = String::new();
        let mut run_ends = 0;
        for (at, word) in folded.unicode_word_indices() {
            if self.in_pairs && word.chars().all(is_spaceless) {
                if at != run_ends {
                    add_pairs(&mut run, &mut terms);
                }
                run.push_str(word);
                run_ends = at + word.len();
                continue;
            }
            let bare = self.bare(word);
            if !self.stop_words.0.contains(word) && !self.stop_words.0.contains(bare) {
                terms.push(match &stemmer {
                    Some(stemmer) => stemmer.stem(bare).into_owned(),
                    None => bare.to_owned(),
                });
            }
        }
        add_pairs(&mut run, &mut terms);
        terms.sort_unstable();
        terms.dedup();
        terms
    }

    /// A word without the ending that says whose something is.
    fn bare<'w>(&self, word: &'w str) -> &'w str {
        let mut bare = self.possessives.iter().filter_map(|ending| {
            let typographic = ending.replace('\'', "\u{2019}");
            word.strip_suffix(ending.as_str())
                .or_else(|| word.strip_suffix(typographic.as_str()))
        });
        bare.find(|bare| !bare.is_empty()).unwrap_or(word)
    }
}

/// Adds the terms of a run of letters that are written without spaces, and empties it: each two that follow each other, and
/// each by itself, since one Chinese letter may be a word.
fn add_pairs(run: &mut String, terms: &mut Vec<String>) {
    let mut before = None;
    for c in run.chars() {
        terms.push(c.to_string());
        if let Some(before) = before {
            terms.push(String::from_iter([before, c]));
        }
        before = Some(c);
    }
    run.clear();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Lexicon;

    fn terms(lexicon: &Lexicon, text: &str) -> String {
        lexicon.term_rules().terms(text).join(" ")
    }

    #[test]
    fn m7_words_are_compared_in_their_stems_without_those_that_say_nothing() {
        let english = Lexicon::english();
        for (one, other) in [
            ("Did she paint the fences?", "painting a fence"),
            ("Caroline's horses", "the horse of Caroline"),
            ("Caroline\u{2019}s STORIES", "a story by Caroline"),
            ("What was he running from?", "He runs."),
        ] {
            assert_eq!(terms(english, one), terms(english, other), "{one}");
        }
        assert_eq!(terms(english, "What did you say to them?"), "");
        let german = Lexicon::german();
        for (one, other) in [
            ("Wo sind die Schlüssel?", "der Schlüssel"),
            ("Häuser", "das Haus"),
            ("Wen hat sie geliebt?", "geliebte"),
        ] {
            assert_eq!(terms(german, one), terms(german, other), "{one}");
        }
    }

    #[test]
    fn m7_letters_without_spaces_are_compared_two_by_two() {
        let english = Lexicon::english();
        assert_eq!(terms(english, "红龙"), "红 红龙 龙");
        assert_eq!(terms(english, "红 龙"), "红 龙");
        let found = english.term_rules().terms("看見了黒猫です。");
        assert!(found.iter().any(|term| term == "黒猫"), "{found:?}");
    }

    #[test]
    fn m4_words_as_they_are_written_are_folded_and_counted_once() {
        let words = TermRules::as_written().terms("The cat, THE Cat's über-cat");
        assert_eq!(words, ["cat", "cat's", "the", "über"]);
    }

    #[test]
    fn m7_a_stemmer_that_is_not_there_is_an_error() {
        let error = Lexicon::parse(r#"(stemmer: "klingon")"#).unwrap_err();
        assert!(
            error
                .to_string()
                .contains("there is no stemmer \"klingon\""),
            "{error}"
        );
        assert!(Lexicon::parse(r#"(stemmer: "English")"#).is_err());
        assert!(Lexicon::parse(r#"(stemmer: "french")"#).is_ok());
    }
}
