//! The headings and fixed sentences of prompts as data, so that a game can speak another language to its model.

use bevy::platform::collections::HashMap;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock, OnceLock};
use thiserror::Error;

/// The languages that the crate ships words and templates in, each with its words. The first one replaces what others leave
/// out.
const SHIPPED: [(&str, &str); 2] = [
    ("en", include_str!("../../assets/prompts/en/words.ron")),
    ("de", include_str!("../../assets/prompts/de/words.ron")),
];

/// What every entry of feedback may fill in.
const FEEDBACK: [&str; 5] = ["asked", "message", "more", "rule", "words"];

/// The key of the entry that names the language.
const LANGUAGE: &str = "language";

type Table = HashMap<String, String>;

/// The shipped words, in the order of [`SHIPPED`]. A prompt looks up some thirty entries by their keys; their order decides
/// nothing.
fn shipped() -> &'static [Table; 2] {
    static TABLES: LazyLock<[Table; 2]> =
        LazyLock::new(|| SHIPPED.map(|(_, source)| ron::from_str(source).unwrap_or_default()));
    &TABLES
}

/// The place of a language among those that are shipped.
fn shipped_place(language: &str) -> Option<usize> {
    SHIPPED.iter().position(|(known, _)| *known == language)
}

/// The most characters of an entry.
const MAX_CHARS: usize = 600;

/// The headings and fixed sentences of all prompts in one language: of dialogues, of stages, of feedback.
///
/// It is a part of a [`Lexicon`](super::Lexicon): `prompt: {"language": "de", "heading_canon": "..", ..}`. The entry `language`
/// names one of the languages that the crate ships (`en`, `de`), and chooses the templates of stages too. An entry that is left
/// out is said in that language, and in English where there is no such entry either. `assets/prompts/en/words.ron` of the crate
/// lists all entries.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(
    try_from = "BTreeMap<String, String>",
    into = "BTreeMap<String, String>"
)]
pub(crate) struct PromptWords(Arc<Words>);

#[derive(Debug, Default)]
struct Words {
    entries: BTreeMap<String, String>,
    /// The place of its language in [`SHIPPED`].
    language: usize,
    made: [OnceLock<Box<str>>; 2],
}

/// A text that is made of the words alone.
#[derive(Debug, Clone, Copy)]
pub(crate) enum MadeText {
    /// How changes of memory are written in JSON.
    JsonMutations,
    /// How they are written as markers.
    MarkerMutations,
}

impl PartialEq for PromptWords {
    fn eq(&self, other: &Self) -> bool {
        self.0.entries == other.0.entries
    }
}

impl Eq for PromptWords {}

/// Why an entry of `PromptWords` cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub(crate) enum PromptWordsError {
    /// There is no such entry.
    #[error("the prompt has no words \"{0}\"")]
    Unknown(String),
    /// The crate ships no prompts in this language.
    #[error("no prompts are shipped in the language \"{0}\": the entry \"language\" is one of {known}", known = languages())]
    UnknownLanguage(String),
    /// It fills in something that this entry does not know.
    #[error("\"{0}\" cannot fill in {{{{{1}}}}}: it may hold {2}")]
    UnknownName(String, String, String),
    /// It has a line break, or is too long.
    #[error("\"{0}\" must be one line of at most {MAX_CHARS} characters")]
    NotALine(String),
}

impl TryFrom<BTreeMap<String, String>> for PromptWords {
    type Error = PromptWordsError;

    fn try_from(words: BTreeMap<String, String>) -> Result<Self, PromptWordsError> {
        let shown = |text: &str| text.escape_debug().take(80).collect::<String>();
        let language = match words.get(LANGUAGE) {
            Some(own) => {
                shipped_place(own).ok_or_else(|| PromptWordsError::UnknownLanguage(shown(own)))?
            }
            None => 0,
        };
        for (key, text) in &words {
            let Some(english) = english(key) else {
                return Err(PromptWordsError::Unknown(shown(key)));
            };
            if text.chars().count() > MAX_CHARS || text.chars().any(char::is_control) {
                return Err(PromptWordsError::NotALine(key.clone()));
            }
            let known = match key.starts_with("feedback_") {
                true => FEEDBACK.to_vec(),
                false => names(english),
            };
            if let Some(name) = names(text).into_iter().find(|name| !known.contains(name)) {
                let known: Vec<String> =
                    known.iter().map(|name| format!("{{{{{name}}}}}")).collect();
                let known = match known.is_empty() {
                    true => "nothing of that kind".to_owned(),
                    false => known.join(", "),
                };
                return Err(PromptWordsError::UnknownName(
                    key.clone(),
                    shown(name),
                    known,
                ));
            }
        }
        Ok(Self(Arc::new(Words {
            entries: words,
            language,
            ..Words::default()
        })))
    }
}

impl From<PromptWords> for BTreeMap<String, String> {
    fn from(words: PromptWords) -> Self {
        words.0.entries.clone()
    }
}

fn languages() -> String {
    SHIPPED.map(|(language, _)| language).join(", ")
}

fn english(key: &str) -> Option<&'static str> {
    shipped()[0].get(key).map(String::as_str)
}

/// The names that a text fills in.
fn names(text: &str) -> Vec<&str> {
    let parts = text.split("{{").skip(1);
    parts
        .filter_map(|part| Some(part.split_once("}}")?.0.trim()))
        .collect()
}

impl PromptWords {
    /// Whether everything is said in English.
    #[must_use]
    pub fn is_english(&self) -> bool {
        self.0.entries.is_empty()
    }

    /// The words of an entry, not filled in; empty for an entry that there is not.
    #[must_use]
    pub fn get(&self, key: &str) -> &str {
        let own = self.0.entries.get(key);
        let shipped = || shipped()[self.0.language].get(key);
        let words = own.or_else(shipped).map(String::as_str);
        words.or_else(|| english(key)).unwrap_or_default()
    }

    /// The language in which the crate ships what is not among these words, such as `en`.
    #[must_use]
    pub fn language(&self) -> &'static str {
        SHIPPED[self.0.language].0
    }

    /// A text that is made of these words alone, when it is asked for first.
    pub(crate) fn made_once(&self, which: MadeText, make: impl FnOnce(&Self) -> String) -> &str {
        self.0.made[which as usize].get_or_init(|| make(self).into())
    }

    /// The words of an entry, filled in once: what is filled in is not read again.
    #[must_use]
    pub fn say(&self, key: &str, values: &[(&str, &str)]) -> String {
        let text = self.get(key);
        let mut said = String::with_capacity(text.len() + 16);
        let mut rest = text;
        while let Some((before, behind)) = rest.split_once("{{") {
            let Some((name, after)) = behind.split_once("}}") else {
                break;
            };
            said.push_str(before);
            let value = values.iter().find(|(known, _)| *known == name.trim());
            said.push_str(value.map_or("", |(_, value)| value));
            rest = after;
        }
        said.push_str(rest);
        said
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(key: &str, text: &str) -> Result<PromptWords, PromptWordsError> {
        PromptWords::try_from(BTreeMap::from([(key.to_owned(), text.to_owned())]))
    }

    #[test]
    fn p5_every_language_has_all_entries_and_fills_in_what_english_does() {
        for (language, source) in SHIPPED {
            let table: BTreeMap<String, String> = ron::from_str(source).unwrap();
            let keys: Vec<&String> = table.keys().collect();
            let english: BTreeMap<String, String> = ron::from_str(SHIPPED[0].1).unwrap();
            assert_eq!(keys, english.keys().collect::<Vec<_>>(), "{language}");
            assert_eq!(table[LANGUAGE], language);
            let words = PromptWords::try_from(table.clone()).unwrap();
            assert_eq!(words.language(), language);
            let same = table.iter().filter(|(key, words)| english[*key] == **words);
            assert!(language == "en" || same.count() == 0, "{language}");
        }
    }

    #[test]
    fn p5_an_unknown_entry_or_language_is_refused() {
        let unknown = words("heading", "x");
        assert_eq!(
            unknown,
            Err(PromptWordsError::Unknown("heading".to_owned()))
        );
        let error = words(LANGUAGE, "fr").unwrap_err().to_string();
        assert_eq!(
            error,
            "no prompts are shipped in the language \"fr\": the entry \"language\" is one of en, de"
        );
    }

    #[test]
    fn p5_own_words_come_before_those_of_their_language() {
        let own = BTreeMap::from(
            [(LANGUAGE, "de"), ("heading_input", "Heute")]
                .map(|(key, text)| (key.to_owned(), text.to_owned())),
        );
        let own = PromptWords::try_from(own).unwrap();
        assert_eq!(own.get("heading_input"), "Heute");
        assert_eq!(own.get("heading_canon"), "Was immer wahr ist");
        assert_eq!(PromptWords::default().get("heading_input"), "Now");
    }

    #[test]
    fn p5_words_of_another_language_fill_in_what_the_english_ones_do() {
        let german = words("question", "Was sagt {{ name }} dazu?").unwrap();
        assert_eq!(
            german.say("question", &[("name", "{{name}}")]),
            "Was sagt {{name}} dazu?"
        );
        assert_eq!(german.get("heading_input"), "Now");
        for (wrong, text) in [
            ("question", "Was sagt {{nam}}?"),
            ("heading_input", "{{name}}"),
            ("heading_input", "a\nb"),
        ] {
            assert!(words(wrong, text).is_err(), "{text}");
        }
        let error = words("question", "{{nam}}").unwrap_err().to_string();
        assert_eq!(
            error,
            "\"question\" cannot fill in {{nam}}: it may hold {{name}}"
        );
    }
}
