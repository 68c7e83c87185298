//! Whether a line that was accepted is one that a person would say: what a format, a prompt or a tired model leaves in it.

use crate::text::script::{script_of_language, scripts_of};
use crate::text::{Lexicon, fold::fold, sentence::sentences};
use serde::Serialize;
use std::collections::BTreeSet;
use unicode_segmentation::UnicodeSegmentation;

/// This number of words in a row that are also in the prompt counts as copied.
const COPIED: usize = 8;
/// In a line of at least this number of words, at least half of them must be different.
const LONG: usize = 12;

/// What is wrong with a line. The first problem in this order is reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Unusable {
    /// No attempt was accepted.
    NotAccepted,
    /// It has no words.
    Empty,
    /// It has more than twice as many sentences as a line may have.
    Sentences,
    /// It holds the id of something in the world.
    Id,
    /// It holds a heading.
    Heading,
    /// It holds a brace, a bracket, a backtick or an angle bracket.
    Sign,
    /// It holds the name of a speaker with a colon.
    Label,
    /// It says a sentence twice.
    Repeats,
    /// It is long, and more than half of its words are the same.
    SameWords,
    /// It holds eight words in a row of its prompt, which the player has not said.
    Copied,
    /// It is written in the letters of another language.
    Script,
}

impl Unusable {
    /// Its name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::NotAccepted => "not_accepted",
            Self::Empty => "empty",
            Self::Sentences => "sentences",
            Self::Id => "id",
            Self::Heading => "heading",
            Self::Sign => "sign",
            Self::Label => "label",
            Self::Repeats => "repeats",
            Self::SameWords => "same_words",
            Self::Copied => "copied",
            Self::Script => "script",
        }
    }

    /// What it says to people.
    pub fn words(self) -> &'static str {
        match self {
            Self::NotAccepted => "no answer was accepted",
            Self::Empty => "nothing was said",
            Self::Sentences => "far too long",
            Self::Id => "an id of the world",
            Self::Heading => "a heading",
            Self::Sign => "brackets or backticks",
            Self::Label => "a speaker's name with a colon",
            Self::Repeats => "a sentence twice",
            Self::SameWords => "the same words again and again",
            Self::Copied => "copied from the prompt",
            Self::Script => "another language's letters",
        }
    }
}

/// What a line is compared with.
pub(super) struct Around<'a> {
    /// How many sentences a line may have.
    pub sentences: u32,
    /// The ids of the world.
    pub ids: BTreeSet<String>,
    /// What people and things are called.
    pub names: BTreeSet<String>,
    /// The texts that the model was sent.
    pub prompt: Vec<&'a str>,
    /// What the player has said.
    pub said: Vec<&'a str>,
    /// The language of the story.
    pub lexicon: &'a Lexicon,
}

/// The first thing that is wrong with a line that was accepted; `None`: it is usable.
pub(super) fn what_is_wrong(line: &str, around: &Around) -> Option<Unusable> {
    let words = words_of(line);
    let told: Vec<Vec<String>> = sentences(line, around.lexicon)
        .into_iter()
        .map(|range| words_of(line.get(range).unwrap_or_default()))
        .filter(|words| !words.is_empty())
        .collect();
    let most = usize::try_from(around.sentences).unwrap_or(usize::MAX);
    let different: BTreeSet<&String> = words.iter().collect();
    let checks = [
        (Unusable::Empty, words.is_empty()),
        (Unusable::Sentences, told.len() > most.saturating_mul(2)),
        (Unusable::Id, holds_id(line, around)),
        (Unusable::Heading, has_heading(line, around)),
        (
            Unusable::Sign,
            line.contains(['{', '}', '[', ']', '`', '<', '>']),
        ),
        (Unusable::Label, has_label(line, around)),
        (
            Unusable::Repeats,
            told.iter().collect::<BTreeSet<_>>().len() < told.len(),
        ),
        (
            Unusable::SameWords,
            words.len() >= LONG && different.len() * 2 < words.len(),
        ),
        (Unusable::Copied, is_copied(&words, around)),
        (Unusable::Script, !is_in_script(line, around)),
    ];
    checks
        .into_iter()
        .find(|(_, holds)| *holds)
        .map(|(what, _)| what)
}

/// The words of a text as they are compared.
fn words_of(text: &str) -> Vec<String> {
    fold(text).unicode_words().map(str::to_owned).collect()
}

/// An id that is also a word of a name, such as `tower`, is a word that people say.
fn holds_id(line: &str, around: &Around) -> bool {
    let named = names_words(around);
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    let mut tokens = line.split(|c| !is_part(c));
    tokens.any(|token| around.ids.contains(token) && !named.contains(&fold(token)))
}

fn names_words(around: &Around) -> BTreeSet<String> {
    around
        .names
        .iter()
        .flat_map(|name| words_of(name))
        .collect()
}

/// A line of its own that begins with `#`, or that is a heading of the prompt.
fn has_heading(line: &str, around: &Around) -> bool {
    let prompt = around.prompt.iter().flat_map(|text| text.lines());
    let headings: BTreeSet<&str> = prompt.filter_map(heading).collect();
    line.lines().map(str::trim).any(|line| {
        let bare = line.trim_end_matches(':').trim();
        line.starts_with('#') || headings.contains(bare)
    })
}

/// The words of a heading.
fn heading(line: &str) -> Option<&str> {
    let line = line.trim();
    let words = line.trim_start_matches('#');
    let words = words.strip_suffix(':').unwrap_or(words);
    (words.len() < line.len() && line.starts_with('#')).then(|| words.trim())
}

/// Whether a name comes before a colon as a speaker's does: at the beginning of a line or of a sentence.
fn has_label(line: &str, around: &Around) -> bool {
    let names: BTreeSet<String> = around.names.iter().map(|name| fold(name)).collect();
    line.match_indices(':').any(|(at, _)| {
        let before = &line[..at];
        let ends = |c: char| matches!(c, '.' | '!' | '?' | '\n' | '"' | '(' | ')' | '*');
        let begins = before.rfind(ends).map_or(0, |mark| mark + 1);
        names.contains(fold(before.get(begins..).unwrap_or_default()).trim())
    })
}

fn is_copied(words: &[String], around: &Around) -> bool {
    let runs = |texts: &[&str]| -> BTreeSet<Vec<String>> {
        let texts = texts.iter().map(|text| words_of(text));
        texts
            .flat_map(|words| {
                words
                    .windows(COPIED)
                    .map(<[String]>::to_vec)
                    .collect::<Vec<_>>()
            })
            .collect()
    };
    if words.len() < COPIED {
        return false;
    }
    let (prompt, said) = (runs(&around.prompt), runs(&around.said));
    words
        .windows(COPIED)
        .any(|run| prompt.contains(run) && !said.contains(run))
}

/// Words of names count as the language's own.
fn is_in_script(line: &str, around: &Around) -> bool {
    let Some(own) = script_of_language(around.lexicon) else {
        return true;
    };
    let named = names_words(around);
    line.unicode_words()
        .filter(|word| !named.contains(&fold(word)))
        .all(|word| scripts_of(word).all(|script| script == own))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROMPT: &str = "You are Eldrin.\n\n## What you know\nThe dragon Vael sleeps under the tower, and no bell wakes him.\n\nAnn: Please tell me all that you know of the old tower today.";

    fn wrong(line: &str) -> Option<Unusable> {
        let owned = |list: &[&str]| list.iter().map(|one| (*one).to_owned()).collect();
        let around = Around {
            sentences: 2,
            ids: owned(&["door_1", "tower", "player", "wizard_001"]),
            names: owned(&[
                "Eldrin",
                "the tower's hall",
                "tower",
                "oak door",
                "Ann",
                "Žofie",
                "Олег",
            ]),
            prompt: vec![PROMPT],
            said: vec!["Please tell me all that you know of the old tower today."],
            lexicon: Lexicon::english(),
        };
        what_is_wrong(line, &around)
    }

    #[test]
    fn x8_a_line_is_usable_that_a_person_would_say() {
        for line in [
            "Rain by midnight. Look at the swallows.",
            "Welcome to the tower, Ann!",
            "Listen: the dragon sleeps. I hear him: a deep breath.",
            "You ask me to tell you all that you know of the old tower today.",
            "Well, well, well. It is late.",
            "I know Žofie and Олег; she's at the café.",
            "The door? The key is 3 inches long: brass.",
            "One. Two. Three. Four.",
            "I don't know what you know.",
        ] {
            assert_eq!(wrong(line), None, "{line}");
        }
    }

    #[test]
    fn x8_the_first_thing_that_is_wrong_with_a_line_is_told() {
        for (line, what) in [
            ("", Unusable::Empty),
            ("...", Unusable::Empty),
            ("One. Two. Three. Four. Five.", Unusable::Sentences),
            ("I open door_1 for you.", Unusable::Id),
            ("The player is here.", Unusable::Id),
            ("# Eldrin\nHello.", Unusable::Heading),
            ("What you know:\nNothing.", Unusable::Heading),
            ("What you know", Unusable::Heading),
            ("I say {nothing}.", Unusable::Sign),
            ("I say `nothing`.", Unusable::Sign),
            ("Hello [smiles].", Unusable::Sign),
            ("<b>Hello.", Unusable::Sign),
            ("Eldrin: Hello.", Unusable::Label),
            ("Hello. Ann: And you?", Unusable::Label),
            ("Hello.\noak door: creaks.", Unusable::Label),
            ("The cat. THE cat!", Unusable::Repeats),
            (
                "A cat is a cat is a cat is a cat is a cat is a cat",
                Unusable::SameWords,
            ),
            (
                "Ah, the dragon Vael sleeps under the tower and no bell!",
                Unusable::Copied,
            ),
            ("Привет, Ann.", Unusable::Script),
            ("我是一个老人。", Unusable::Script),
        ] {
            assert_eq!(wrong(line), Some(what), "{line}");
        }
    }
}
