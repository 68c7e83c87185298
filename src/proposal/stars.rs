//! Words between stars, in parentheses and the like: a stage direction, which is not spoken, or words that are.
//!
//! Models write both between stars. The engine removes a direction. Where it is not sure, it keeps the words:
//!
//! * Words that begin with a gesture of the lexicon (`*smiles*`, `*nods slowly*`) are a direction, unless their sentence needs them:
//!   "She *laughs* at me.", "You should *smile* more.", "He is *laughing* at you.", "*Nod* if you hear me."
//! * Other words are a direction only where they are alone: at the beginning of a text or after the end of a sentence, and
//!   before its end, a line break, or something that begins a new sentence.
//! * A negator, a number, or one word with a capital letter or an end mark ("*Never!*") is an emphasis everywhere.
//! * Words in which a sentence ends are a direction where they are alone. Elsewhere the stars are no pair: no emphasis goes on
//!   into the next sentence.
//!
//! Between underscores, in parentheses and between `<` and `>` only gestures are a direction: `_nods_`, `(smiles)`, `(He leans closer.)`,
//! `<sighs>`; in parentheses also how something is said, `(softly)`, and any few words that are alone and no sentence: `(Worried) Well, ..`.

use super::labels::is_gap;
use super::white_space::GAP;
use crate::text::Lexicon;
use crate::text::fold::{fold, is_spaceless};
use crate::text::sentence::{is_closer, is_end_mark};

/// What a pair of stars is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StarKind {
    /// The engine removes the words and the stars.
    Direction,
    /// The engine removes the stars and keeps the words.
    Emphasis,
    /// The stars are no pair, and the engine keeps them.
    None,
}

/// A pair of stars in its text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stars<'a> {
    pub(super) before: &'a str,
    pub(super) words: &'a str,
    pub(super) behind: &'a str,
}

/// How many characters before and after the words are looked at.
const AROUND: usize = 64;

impl Stars<'_> {
    /// Decides what it is.
    pub(super) fn kind(self, lexicon: &Lexicon) -> StarKind {
        let words = self
            .words
            .trim_matches(|c: char| matches!(c, '*' | '_') || is_gap(c));
        let all: Vec<&str> = words.split_whitespace().collect();
        let is_alone = self.begins_alone() && self.ends_alone();
        let is_quoted = words.starts_with(['"', '“', '„', '«', '「']);
        let kind = if is_quoted {
            StarKind::Emphasis
        } else if self.is_gesture(&all, lexicon) {
            match self.needs_its_words(&all, lexicon) {
                true => StarKind::Emphasis,
                false => StarKind::Direction,
            }
        } else if !is_alone || is_weighty(&all, lexicon) || is_single_capital(words, &all) {
            StarKind::Emphasis
        } else {
            StarKind::Direction
        };
        match kind {
            StarKind::Emphasis if sentence_ends_inside(words) => match is_alone {
                true => StarKind::Direction,
                false => StarKind::None,
            },
            kind => kind,
        }
    }

    /// Whether words between underscores, or between `<` and `>`, are a direction.
    pub(super) fn is_marked_gesture(self, lexicon: &Lexicon) -> bool {
        let all: Vec<&str> = self.words.split_whitespace().collect();
        self.is_gesture(&all, lexicon) && !self.needs_its_words(&all, lexicon)
    }

    /// The same, at the beginning of a sentence.
    pub(super) fn begins_with_gesture(self, lexicon: &Lexicon) -> bool {
        self.is_marked_gesture(lexicon) && self.begins_alone()
    }

    /// Whether words between two pairs of stars are a direction: a gesture at the beginning of a sentence, or a few words in small
    /// letters that begin with a verb and are alone: `**bangs his spear on the floor** Halt!`
    pub(super) fn is_bold_direction(self, lexicon: &Lexicon) -> bool {
        /// Fewer are an emphasis.
        const LEAST: usize = 4;
        let all: Vec<&str> = self.words.split_whitespace().collect();
        let folded: Vec<String> = all
            .iter()
            .map(|word| fold(word.trim_matches(|c: char| !c.is_alphanumeric())))
            .collect();
        let is_of =
            |lists: &[&Vec<String>], word: &String| lists.iter().any(|list| list.contains(word));
        let no_verbs = [
            &lexicon.adverbs,
            &lexicon.subordinators,
            &lexicon.conditionals,
            &lexicon.prepositions,
            &lexicon.determiners,
            &lexicon.negators,
        ];
        let persons = [
            &lexicon.first_person,
            &lexicon.own_words,
            &lexicon.second_person,
        ];
        let begins = |first: &&str| {
            let mut endings = lexicon.verb_endings.iter();
            first.starts_with(char::is_lowercase)
                && endings.any(|ending| first.ends_with(ending.as_str()))
                && !is_of(&no_verbs, &folded[0])
        };
        let is_label = self.before.trim_end_matches(is_gap).ends_with([':', '：']);
        self.begins_with_gesture(lexicon)
            || all.len() >= LEAST
                && all.first().is_some_and(begins)
                && self.begins_alone()
                && self.ends_alone()
                && !is_label
                && !self.words.contains(|c| is_end_mark(c) || c == '\n')
                && !folded.iter().any(|word| is_of(&persons, word))
    }

    /// Whether words in parentheses are a direction: a gesture, or a way to speak, that the sentence around it does not need.
    pub(super) fn is_aside(self, lexicon: &Lexicon) -> bool {
        let is_label = self
            .behind
            .trim_start_matches(is_gap)
            .starts_with([':', '：']);
        if is_label {
            return false;
        }
        let all: Vec<&str> = self.words.split_whitespace().collect();
        let behind = self.behind.trim_start_matches(is_gap);
        let is_apart = self.begins_alone() || !behind.starts_with(char::is_lowercase);
        if self.is_gesture(&all, lexicon) {
            // "He left (laughing!) with my purse."
            let is_short = all.len() <= 2 && !fold(all[0]).trim_end_matches('!').ends_with("ing");
            return is_short || is_apart;
        }
        let words = fold(self.words.trim_matches(|c: char| !c.is_alphanumeric()));
        let is_manner = lexicon.voicing.manners.contains(&words);
        // No lexicon lists the gestures of a script without spaces: "（微笑）".
        let is_spaceless = || {
            !self.words.contains(is_end_mark)
                && self.words.chars().all(is_spaceless)
                && !self
                    .words
                    .contains(|c| "〇零一二三四五六七八九十百千".contains(c))
        };
        is_manner && is_apart
            || self.begins_alone() && (tells_of_gesture(&all, lexicon) || is_spaceless())
    }

    /// Whether words in parentheses are alone and have no end mark: "(Worried) Well, ..". In the lines of other games, 3 of 197 such
    /// asides are speech.
    pub(super) fn is_lone_aside(self, lexicon: &Lexicon) -> bool {
        let all: Vec<&str> = self.words.split_whitespace().collect();
        let own = [
            &lexicon.first_person,
            &lexicon.own_words,
            &lexicon.second_person,
        ];
        let is_said = |word: &&str| {
            let folded = fold(word.trim_matches(|c: char| !c.is_alphanumeric()));
            word.contains(char::is_numeric) || own.iter().any(|words| words.contains(&folded))
        };
        self.begins_alone()
            && self.ends_alone()
            && !all.is_empty()
            && !self.words.contains(is_end_mark)
            && !is_weighty(&all, lexicon)
            && !all.iter().any(is_said)
    }

    /// Whether nothing of the same sentence is before it.
    fn begins_alone(self) -> bool {
        let near = last_chars(self.before, AROUND);
        let mut chars = near
            .chars()
            .rev()
            .skip_while(|c| matches!(c, ' ' | '\t'))
            .peekable();
        match chars.peek() {
            None | Some('\n' | '\r' | &GAP | '*') => return true,
            Some(c) if is_end_mark(*c) || *c == ']' => return true,
            // The label of a line.
            Some(':' | '：') => {
                let line = near.rsplit('\n').next().unwrap_or_default();
                return near.len() < AROUND && line.split_whitespace().count() <= 3;
            }
            Some(_) => {}
        }
        let mut behind_closers = chars.skip_while(|c| is_closer(*c)).peekable();
        behind_closers.peek().is_some_and(|c| is_end_mark(*c))
    }

    /// Whether no text of the same sentence follows it.
    fn ends_alone(self) -> bool {
        let rest = self.behind.trim_start_matches([' ', '\t', GAP]);
        match rest.chars().next() {
            None => true,
            Some(c) => {
                let goes_on = c.is_lowercase() || is_end_mark(c) || ",;:，；：、)-–—'’".contains(c);
                // "*Un*able": a part of a word.
                let is_glued = c.is_alphanumeric()
                    && !self.behind.starts_with([' ', '\t', '\n', GAP])
                    && self.words.chars().any(char::is_uppercase);
                !goes_on && !is_glued
            }
        }
    }

    fn is_gesture(self, words: &[&str], lexicon: &Lexicon) -> bool {
        // "softly smiles", "slowly nods"
        let mut first = words.iter().take(2).map(|word| {
            let word = word.trim_matches(|c: char| !c.is_alphanumeric());
            fold(word)
        });
        let is_known = |word: &str| lexicon.gestures.iter().any(|gesture| gesture == word);
        let Some(word) = first.next() else {
            return false;
        };
        let mut endings = lexicon.adverb_endings.iter();
        is_known(&word)
            || endings.any(|ending| word.ends_with(ending.as_str()))
                && first.next().is_some_and(|next| is_known(&next))
    }

    /// Whether the sentence around a gesture needs its words: they follow their subject, or are a form that no direction has.
    fn needs_its_words(self, all: &[&str], lexicon: &Lexicon) -> bool {
        let first = all.first().copied().unwrap_or_default();
        let word = fold(first.trim_matches(|c: char| !c.is_alphanumeric()));
        let is_single = all.len() == 1;
        let is_bare = lexicon.gestures.contains(&format!("{word}s"));
        if self.begins_alone() {
            // "*Nod* if you hear me."; not "*sigh* Come in."
            return is_single
                && is_bare
                && first.starts_with(char::is_uppercase)
                && !self.ends_alone();
        }
        let before = last_chars(self.before, AROUND).trim_end();
        let before = fold(before.rsplit(' ').next().unwrap_or_default());
        let is_progressive = word.ends_with("ing")
            && (lexicon.auxiliaries.contains(&before) || lexicon.adverbs.contains(&before));
        is_progressive || is_single && (is_bare || self.goes_on_a_subject(lexicon))
    }

    /// Whether the word before it is a subject that a verb may follow.
    fn goes_on_a_subject(self, lexicon: &Lexicon) -> bool {
        let before = last_chars(self.before, AROUND).trim_end();
        let mut words = before.rsplit(|c: char| !c.is_alphanumeric()).map(fold);
        let word = words.next().unwrap_or_default();
        // "The key *turns*"
        let article = words.next().unwrap_or_default();
        !word.is_empty()
            && (lexicon.articles.contains(&article)
                || lexicon.determiners.contains(&article)
                || lexicon.subject_pronouns.contains(&word)
                || matches!(
                    word.as_str(),
                    "it" | "you" | "who" | "that" | "sie" | "es" | "ihr" | "wer" | "der" | "die"
                ))
    }
}

/// Whether words tell of another one's gesture: "He leans closer", "The guard nods".
fn tells_of_gesture(words: &[&str], lexicon: &Lexicon) -> bool {
    /// How many words the subject of a gesture has at most.
    const SUBJECT: usize = 3;
    let mut words = words
        .iter()
        .map(|word| fold(word.trim_matches(|c: char| !c.is_alphanumeric())));
    let Some(first) = words.next() else {
        return false;
    };
    let own = [&lexicon.first_person, &lexicon.second_person];
    !own.iter().any(|words| words.contains(&first))
        && words
            .take(SUBJECT)
            .any(|word| lexicon.gestures.contains(&word))
}

/// Whether all words are negators or numbers, which turn a meaning round.
fn is_weighty(words: &[&str], lexicon: &Lexicon) -> bool {
    words.len() <= 3
        && words.iter().all(|word| {
            let word = word.trim_matches(|c: char| !c.is_alphanumeric());
            let folded = fold(word);
            word.chars().any(char::is_numeric)
                || lexicon.negators.contains(&folded)
                || lexicon.negative_subjects.contains(&folded)
                || lexicon.demonstratives.contains(&folded)
        })
}

fn is_single_capital(words: &str, all: &[&str]) -> bool {
    all.len() == 1
        && (words.starts_with(char::is_uppercase) || words.ends_with(['!', '?', '.', ':', '…']))
}

/// Whether a sentence ends in the words and another one begins.
fn sentence_ends_inside(words: &str) -> bool {
    let mut chars = words.chars().peekable();
    while let Some(c) = chars.next() {
        if is_end_mark(c) && chars.peek().is_some_and(|next| next.is_whitespace()) || c == '\n' {
            return true;
        }
    }
    false
}

/// The last characters of a text.
fn last_chars(text: &str, most: usize) -> &str {
    let from = text
        .char_indices()
        .rev()
        .nth(most.saturating_sub(1))
        .map_or(0, |(at, _)| at);
    &text[from..]
}

/// Where a direction begins that the end of a reply cuts off: `Go. *I take the lantern and`, `Go. (he nods and looks at`.
pub(super) fn cut_off(text: &str, lexicon: &Lexicon) -> Option<usize> {
    /// Fewer words may be a note.
    const LEAST: usize = 4;
    /// The most bytes of one.
    const MOST: usize = 160;
    let from = text.floor_char_boundary(text.len().saturating_sub(MOST));
    let near = &text[from..];
    let at = from + near.rfind(['*', '('])?;
    let (sign, words) = text[at..].split_at(1);
    let stars = Stars {
        before: &text[..at],
        words,
        behind: "",
    };
    let all: Vec<&str> = words.split_whitespace().collect();
    let first = fold(all.first()?.trim_matches(|c: char| !c.is_alphanumeric()));
    let last = words.trim_end_matches(is_gap).chars().next_back();
    let is_open = last.is_some_and(|last| last.is_alphanumeric() || last == ',')
        && !words.contains([')', ']', '[', '"', '\n'])
        && words.starts_with(|c: char| c.is_alphanumeric());
    let is_direction = match sign {
        "*" => text.matches('*').count() % 2 == 1 && !lexicon.second_person.contains(&first),
        _ => stars.is_aside(lexicon),
    };
    let is_all = stars.before.trim_end_matches(is_gap).is_empty();
    (is_open && all.len() >= LEAST && !is_all && stars.begins_alone() && is_direction).then_some(at)
}
