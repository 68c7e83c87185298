//! A line in another language than its character's.
//!
//! The gate tells the language by the script, and by the common words of the languages that the crate ships: no model, no
//! statistics. So it does not recognise a language that is written in the same script and is not shipped.

use super::canon::{quoted_characters, straighten_apostrophes};
use super::verdict::{Failure, FailureReason};
use crate::rules::RuleSeverity;
use crate::text::Lexicon;
use crate::text::fold::fold;
use crate::text::script::{script_of_language, scripts_of};
use crate::text::word_runs::WordRuns;
use unicode_segmentation::UnicodeSegmentation;

/// A line of fewer words is in any language.
const LEAST_WORDS: usize = 4;

/// In what other language a line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OtherLanguage {
    /// In one that is written in another script.
    OfAnotherScript,
    /// In one of this name, which the crate ships.
    Shipped(&'static str),
}

/// The other language that a line is in, if it is. What it quotes does not count. `is_begun`: more follows.
#[must_use]
pub(crate) fn other_language(
    line: &str,
    lexicon: &Lexicon,
    is_begun: bool,
) -> Option<OtherLanguage> {
    let said = without_quotations(line, lexicon, is_begun);
    if WordRuns::of(&said).count() < LEAST_WORDS {
        return None;
    }
    if is_in_another_script(&said, lexicon) {
        return Some(OtherLanguage::OfAnotherScript);
    }
    shipped_language(&said, lexicon).map(OtherLanguage::Shipped)
}

/// The line with blanks in place of what is quoted.
fn without_quotations(line: &str, lexicon: &Lexicon, is_begun: bool) -> String {
    let quoted = quoted_characters(&straighten_apostrophes(line), lexicon, is_begun);
    let chars = line.chars().zip(quoted);
    chars
        .map(|(c, quoted)| if quoted { ' ' } else { c })
        .collect()
}

/// Whether more than half of the letters are in another script than that of the language.
fn is_in_another_script(said: &str, lexicon: &Lexicon) -> bool {
    let Some(own) = script_of_language(lexicon) else {
        return false;
    };
    let (mut letters, mut others) = (0_usize, 0_usize);
    for script in scripts_of(said) {
        letters += 1;
        others += usize::from(script != own);
    }
    others * 2 > letters
}

/// The shipped language that has more of its stop words in the line than the line's own language has. Words that are in both
/// lists count for neither.
fn shipped_language(said: &str, lexicon: &Lexicon) -> Option<&'static str> {
    let own = &lexicon.stop_words;
    if own.is_empty() {
        return None;
    }
    let folded = fold(said);
    Lexicon::all_shipped()
        .into_iter()
        .find_map(|(name, other)| {
            let (mut of_own, mut of_other) = (0_usize, 0_usize);
            for word in folded.unicode_words() {
                match (own.contains(word), other.stop_words.contains(word)) {
                    (true, false) => of_own += 1,
                    (false, true) => of_other += 1,
                    _ => {}
                }
            }
            (of_other > of_own).then_some(name)
        })
}

impl OtherLanguage {
    /// A sentence for people: the language of the line, and the language that it must be in.
    pub fn told(self, lexicon: &Lexicon) -> String {
        let own = lexicon.stemmer.name();
        let own = own.unwrap_or_else(|| "the language of the character".to_owned());
        match self {
            Self::OfAnotherScript => format!("the line is in another script: it must be in {own}"),
            Self::Shipped(name) => format!("the line is in {name}: it must be in {own}"),
        }
    }
}

/// The failure of a line that is in another language than that of its character.
pub(super) fn failure(other: OtherLanguage, lexicon: &Lexicon) -> Failure {
    Failure {
        reason: FailureReason::WrongLanguage,
        rule: "reply_language".to_owned(),
        severity: RuleSeverity::Hard,
        span: None,
        message: other.told(lexicon),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use OtherLanguage::{OfAnotherScript, Shipped};

    fn other(line: &str, lexicon: &Lexicon) -> Option<OtherLanguage> {
        other_language(line, lexicon, false)
    }

    #[test]
    fn m9_a_line_is_in_the_language_of_which_it_has_more_common_words() {
        let (english, german) = (Lexicon::english(), Lexicon::german());
        for line in [
            "Ich habe den Schlüssel nicht, und das Tor ist zu.",
            "DAS TOR IST ZU UND BLEIBT ES AUCH",
            "Komm herein, mein Freund, und setz dich zu mir.",
        ] {
            assert_eq!(other(line, english), Some(Shipped("German")), "{line}");
            assert_eq!(other(line, german), None, "{line}");
        }
        for line in [
            "I don’t have the key, and the gate is shut.",
            "Come in, my friend, and sit down with me.",
        ] {
            assert_eq!(other(line, german), Some(Shipped("English")), "{line}");
            assert_eq!(other(line, english), None, "{line}");
        }
    }

    #[test]
    fn m9_words_of_both_languages_and_of_none_decide_nothing() {
        let (english, german) = (Lexicon::english(), Lexicon::german());
        for line in [
            "Eldrin, Bram, Odo, Mirela.",
            // "in", "am", "was" and "so" are words of both.
            "Kael was in Bramwick, so am Odo.",
            "Guten Morgen, Ann.",
            "",
        ] {
            assert_eq!(other(line, english), None, "{line}");
            assert_eq!(other(line, german), None, "{line}");
        }
        // One word of each.
        assert_eq!(other("Und the Herr Doktor", english), None);
    }

    #[test]
    fn m9_more_than_half_of_the_letters_are_in_another_script() {
        let english = Lexicon::english();
        for line in [
            "Я не знаю, где ключ.",
            "東の門は閉まっている。",
            "门已经关上了，朋友。",
            "ประตูปิดแล้ว",
            "Ann, я не знаю, где ключ от двери.",
        ] {
            assert_eq!(other(line, english), Some(OfAnotherScript), "{line}");
        }
        for line in [
            "Привет, друг мой!",
            "門は閉まった",
            "The sign says ключ in letters of the north.",
            "1 2 3 4 5 6 7",
        ] {
            assert_eq!(other(line, english), None, "{line}");
        }
        // Exactly half of the letters.
        assert_eq!(other("ax cy еж из", english), None);
        assert_eq!(other("ax cy еж изи", english), Some(OfAnotherScript));
        let russian = Lexicon::parse(r#"(stop_words: ["не", "где", "я"])"#).unwrap();
        assert_eq!(other("Я не знаю, где ключ.", &russian), None);
        assert_eq!(
            other("I know where the key is.", &russian),
            Some(OfAnotherScript)
        );
    }

    #[test]
    fn m9_what_is_quoted_is_left_out() {
        let english = Lexicon::english();
        for line in [
            "The sign says “Ich bin nicht zu Hause und komme auch nicht wieder”.",
            "Odo said: \"Das Tor ist zu und bleibt es auch.\"",
            "He wrote «Я не знаю, где ключ от этой двери» on it.",
        ] {
            assert_eq!(other(line, english), None, "{line}");
        }
        // Marks around the whole line quote nothing.
        let whole = "\"Ich habe den Schlüssel nicht.\"";
        assert_eq!(other(whole, english), Some(Shipped("German")));
        assert_eq!(other_language(whole, english, true), None);
    }

    #[test]
    fn m9_a_language_without_a_list_is_told_by_its_script_alone() {
        let bare = Lexicon::parse(r#"(negators: ["ne"])"#).unwrap();
        assert_eq!(other("Ich habe den Schlüssel nicht.", &bare), None);
        assert_eq!(other("Я не знаю, где ключ.", &bare), Some(OfAnotherScript));
        assert_eq!(other("Я не знаю, где ключ.", &Lexicon::default()), None);
    }
}
