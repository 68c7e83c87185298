//! A lexicon made ready for look-up: it cuts text into words and says what each may be.

use super::clause::may_be_verb;
use super::quote::straighten_apostrophes;
use super::tags::{
    ADDITIVE, ADDRESS, ADVERB, AHEAD, ALL_TIME, ANNOUNCING, ARTICLE, ASIDE, ASSENT, ASSERTING,
    ATTRIBUTIVE, AUXILIARY, AWAITING, BE, BEFORE_NOUN, BEHIND, BIDDING, BYGONE, CLITIC, CONDITION,
    CONJUNCTION, CONTRAST, DEMONSTRATIVE, DENYING, DETERMINER, DO, DOUBT, EMPHATIC, EXCEPT, FALSE,
    FALSEHOOD, FINITE, FIRST, FUTURE, GENERIC, HAVE, HEARSAY, HELPER, HYPOTHESIS, INWARD, MANNER,
    NEARLY, NECESSITY, NEGATOR, NO, NO_ARTICLE, NOBODY, NOT_NEGATING, NUMBER, OBJECT, OTHER, OWN,
    PAST_HELPER, PENDING, POSSESSIVE, PREPOSITION, PRONOUN, REPORT_BASE, REPORT_ING, REPORT_OTHER,
    RIGHT, SECOND, SELF, SUBJECT, SUBORDINATOR, TAG, TELLING, THAT, THIRD, TITLE, TO, TRUTH, Tags,
    VAGUE, VOICE, VOUCH, YES,
};
use super::token::{Mark, Token};
use crate::text::bare;
use crate::text::fold::{FoldedText, is_spaceless, is_word_char};
use crate::text::lexicon::Lexicon;
use std::collections::HashMap;
use std::ops::Range;

/// What a phrase of a lexicon has for an article or an owner, and what describes the noun behind it: "in .. song" is "in the old
/// tavern song", and "in Berta's song".
const GAP: &str = "..";
/// The most words in a gap.
const MAX_GAP: usize = 4;

/// A lexicon made ready for look-up.
#[derive(Debug, Clone)]
pub struct Grammar {
    pub lexicon: Lexicon,
    words: HashMap<String, Tags>,
    /// The phrases, by first word. Longer ones are not preferred: each adds its tags.
    phrases: HashMap<String, Vec<(Vec<String>, Tags)>>,
}

impl Grammar {
    pub fn new(lexicon: &Lexicon) -> Self {
        let mut grammar = Self {
            lexicon: lexicon.clone(),
            words: HashMap::new(),
            phrases: HashMap::new(),
        };
        let l = lexicon;
        let tables: [(&[String], Tags); 67] = [
            (&l.announcing, ANNOUNCING),
            (&l.statement_tags, TAG),
            (&l.telling_questions, TELLING),
            (&l.addressing, ADDRESS),
            (&l.negators, NEGATOR),
            (&l.negators_ahead, AHEAD),
            (&l.negators_behind, BEHIND),
            (&l.negative_articles, NO_ARTICLE),
            (&l.negative_subjects, NOBODY),
            (&l.denying, DENYING),
            (&l.negators_for_all_time, ALL_TIME),
            (&l.not_negating, NOT_NEGATING),
            (&l.falsehoods, FALSEHOOD),
            (&l.truths, TRUTH),
            (&l.doubting, DOUBT),
            (&l.hearsay, HEARSAY),
            (&l.asserting, ASSERTING),
            (&l.first_person, FIRST),
            (&l.helpers, HELPER),
            (&l.past_helpers, PAST_HELPER),
            (&l.conditionals, CONDITION),
            (&l.hypotheticals, HYPOTHESIS),
            (&l.asides, ASIDE),
            (&l.conjunctions, CONJUNCTION),
            (&l.additive, ADDITIVE),
            (&l.contrasts, CONTRAST),
            (&l.subordinators, SUBORDINATOR),
            (&l.attributives, ATTRIBUTIVE),
            (&l.complementizers, THAT),
            (&l.infinitives, TO),
            (&l.subject_pronouns, SUBJECT),
            (&l.pronouns, PRONOUN),
            (&l.object_pronouns, OBJECT),
            (&l.articles, ARTICLE),
            (&l.determiners, DETERMINER),
            (&l.demonstratives, DEMONSTRATIVE),
            (&l.prepositions, PREPOSITION),
            (&l.auxiliaries, AUXILIARY),
            (&l.do_support, DO),
            (&l.finite_verbs, FINITE),
            (&l.adverbs, ADVERB),
            (&l.possessives, POSSESSIVE),
            (&l.own_voices, VOICE),
            (&l.own_words, OWN),
            (&l.generic_subjects, GENERIC),
            (&l.second_person, SECOND),
            (&l.third_person, THIRD),
            (&l.necessities, NECESSITY),
            (&l.copulas, BE),
            (&l.perfects, HAVE),
            (&l.bidding, BIDDING),
            (&l.vouching, VOUCH),
            (&l.assents, ASSENT),
            (&l.answers_yes, YES),
            (&l.answers_no, NO),
            (&l.verdicts_false, FALSE),
            (&l.verdicts_true, RIGHT),
            (&l.emphatics, EMPHATIC),
            (&l.exceptives, EXCEPT),
            (&l.others, OTHER),
            (&l.pending, PENDING),
            (&l.vague, VAGUE),
            (&l.titles, TITLE),
            (&l.bygone, BYGONE),
            (&l.approximations, NEARLY),
            (&l.futures, FUTURE),
            (&l.awaiting, AWAITING),
        ];
        for (table, tag) in tables {
            for entry in table {
                grammar.add(entry, tag);
            }
        }
        for verb in &l.reporting {
            let inward = if verb.inward { INWARD } else { 0 };
            grammar.add(&verb.base, REPORT_BASE | inward);
            grammar.add(&verb.progressive, REPORT_ING | inward);
            for form in &verb.other {
                grammar.add(form, REPORT_OTHER | inward);
            }
        }
        for (word, digits) in &l.numbers {
            grammar.add(word, NUMBER);
            grammar.add(digits, NUMBER);
        }
        for clitic in l.clitics.keys() {
            grammar.add(clitic, CLITIC);
        }
        grammar
    }

    /// The same language for texts without accents, in which "hörte" is "horte". `None` if none of its words has an accent.
    pub fn without_accents(&self) -> Option<Self> {
        let words = self.words.iter().map(|(word, tags)| (word.clone(), *tags));
        let phrases = self.phrases.iter().flat_map(|(first, phrases)| {
            phrases
                .iter()
                .map(move |(rest, tags)| (format!("{first} {}", rest.join(" ")), *tags))
        });
        let bare_entry = |(entry, tags): (String, Tags)| {
            if entry.is_ascii() {
                return None;
            }
            let bare_entry = bare(&entry);
            // "hätte" is not "hatte".
            let is_new = bare_entry != entry && !self.words.contains_key(&bare_entry);
            is_new.then_some((bare_entry, tags))
        };
        let mut added: Vec<(String, Tags)> = words.chain(phrases).filter_map(bare_entry).collect();
        if added.is_empty() {
            return None;
        }
        // The tables are hash maps, and a phrase may be found by the tags of another one: the order is part of the result.
        added.sort_unstable();
        let mut grammar = self.clone();
        for (entry, tags) in added {
            grammar.add(&entry, tags);
        }
        Some(grammar)
    }

    fn add(&mut self, entry: &str, tag: Tags) {
        let mut words = entry.split_whitespace().map(str::to_owned);
        let Some(first) = words.next() else { return };
        let rest: Vec<String> = words.collect();
        if rest.is_empty() {
            *self.words.entry(first).or_default() |= tag;
        } else {
            self.phrases.entry(first).or_default().push((rest, tag));
        }
    }

    /// The words of an authored text, as they are cut out of a dialogue.
    pub fn words(&self, text: &str) -> Vec<String> {
        let tokens = self.tokens(&straighten_apostrophes(text), 0);
        tokens.into_iter().map(|token| token.word).collect()
    }

    /// The words of an authored text, with all their tags.
    pub fn tagged(&self, text: &str) -> Vec<Token> {
        let mut tokens = self.tokens(&straighten_apostrophes(text), 0);
        self.tag_phrases(&mut tokens);
        tokens
    }

    /// The words of a sentence, each with the tags of single words. `offset`: its first character.
    pub fn tokens(&self, sentence: &str, offset: usize) -> Vec<Token> {
        let folded = FoldedText::new(sentence);
        let layer = folded.folded();
        let text = layer.text();
        let mut tokens: Vec<Token> = Vec::new();
        let mut mark_from = 0;
        let mut written = Written::new(sentence);
        let mut chars = text.char_indices().peekable();
        while let Some((start, c)) = chars.next() {
            if !is_token_char(c) && !self.begins_elision(text, start) {
                continue;
            }
            let mut end = start + c.len_utf8();
            let mut last = c;
            while let Some(&(at, next)) = chars.peek() {
                let after = text[at + next.len_utf8()..].chars().next();
                let joins = match next {
                    '\'' => last.is_alphanumeric() && after.is_some_and(char::is_alphanumeric),
                    '.' | ',' => last.is_numeric() && after.is_some_and(char::is_numeric),
                    _ => is_token_char(next),
                };
                if !joins || is_spaceless(last) || is_spaceless(next) {
                    break;
                }
                last = next;
                end = at + next.len_utf8();
                chars.next();
            }
            let gap = &text[mark_from..start];
            // "Mr. Hawthorne"
            let is_abbreviated = gap.starts_with(". ")
                && tokens.last().is_some_and(|before: &Token| {
                    self.lexicon.abbreviations.contains(&before.word)
                });
            // Before the first word of a sentence there is none.
            let mark = match tokens.is_empty() || is_abbreviated {
                true => Mark::None,
                false => Mark::between(gap),
            };
            let joined =
                !tokens.is_empty() && !gap.is_empty() && !gap.contains(char::is_whitespace);
            self.expand(&text[start..end], |word, bytes| {
                let (from, to) = layer.origin(start + bytes.start, start + bytes.end);
                let mut tags = self.words.get(word).copied().unwrap_or_default();
                let mut endings = self.lexicon.adverb_endings.iter();
                if tags == 0 && endings.any(|ending| word.ends_with(ending.as_str())) {
                    tags = MANNER;
                }
                if word.starts_with(|c: char| c.is_ascii_digit()) {
                    tags |= NUMBER;
                }
                tokens.push(Token {
                    word: word.to_owned(),
                    start: offset + from,
                    end: offset + to,
                    mark: if bytes.start == 0 { mark } else { Mark::None },
                    tags,
                    quoted: false,
                    capital: bytes.start == 0 && written.is_capital(from, to),
                    joined: joined && bytes.start == 0,
                });
            });
            mark_from = end;
        }
        // The words of one contraction begin at the same place; only the first has the mark before it.
        for i in 1..tokens.len() {
            if tokens[i].start < tokens[i - 1].end {
                tokens[i].mark = Mark::None;
            }
        }
        tokens
    }

    fn begins_elision(&self, text: &str, at: usize) -> bool {
        text[at..].starts_with('\'') && {
            let rest = &text[at + 1..];
            let end = rest.find(|c| !is_token_char(c)).unwrap_or(rest.len());
            // Short words only, so that this stays linear.
            end <= 12 && self.lexicon.contractions.contains_key(&text[at..=at + end])
        }
    }

    /// Gives a word in its parts: contractions written out, endings apart.
    fn expand(&self, word: &str, mut out: impl FnMut(&str, Range<usize>)) {
        let all = 0..word.len();
        if let Some(written_out) = self.lexicon.contractions.get(word) {
            for part in written_out.split_whitespace() {
                out(part, all.clone());
            }
            return;
        }
        for (ending, stands_for) in &self.lexicon.negative_endings {
            if let Some(stem) = word
                .strip_suffix(ending.as_str())
                .filter(|stem| !stem.is_empty())
            {
                out(stem, 0..stem.len());
                out(stands_for, stem.len()..word.len());
                return;
            }
        }
        if let Some(at) = word.rfind('\'').filter(|at| *at > 0)
            && self.lexicon.clitics.contains_key(&word[at..])
        {
            out(&word[..at], 0..at);
            out(&word[at..], at..word.len());
            return;
        }
        out(word, all);
    }

    /// What a single word may be.
    pub fn tags(&self, word: &str) -> Tags {
        self.words.get(word).copied().unwrap_or_default()
    }

    /// The first word that may be a verb: one of `tags`, an irregular past, or one by its ending.
    pub fn first_verb(&self, tokens: &[Token], tags: Tags) -> Option<usize> {
        let may_be = |at: usize, before: usize| {
            let (before, token) = (&tokens[before], &tokens[at]);
            let is_past = self.lexicon.bare_forms.contains_key(&token.word);
            is_past && !before.is(BEFORE_NOUN)
                || may_be_verb(before, token, &self.lexicon.verb_endings)
        };
        (0..tokens.len()).find(|at| {
            tokens[*at].is(tags) || at.checked_sub(1).is_some_and(|before| may_be(*at, before))
        })
    }

    /// Marks where words are a name of the speaker. Each name is its folded words.
    pub fn tag_speaker(tokens: &mut [Token], names: &[Vec<String>]) {
        for name in names.iter().filter(|name| !name.is_empty()) {
            for start in 0..tokens.len() {
                let stands = tokens
                    .get(start..start + name.len())
                    .is_some_and(|some| some.iter().map(|token| &token.word).eq(name));
                if stands {
                    tokens[start..start + name.len()]
                        .iter_mut()
                        .for_each(|token| token.tags |= SELF);
                }
            }
        }
    }

    /// Adds the tags of phrases, such as "no longer".
    pub fn tag_phrases(&self, tokens: &mut [Token]) {
        for start in 0..tokens.len() {
            let Some(phrases) = self.phrases.get(&tokens[start].word) else {
                continue;
            };
            for (rest, tag) in phrases {
                if let Some(end) = phrase_end(tokens, start + 1, rest) {
                    for token in &mut tokens[start..end] {
                        token.tags |= tag;
                    }
                }
            }
        }
        for token in tokens {
            if token.is(NOT_NEGATING) {
                token.tags &= !NEGATOR;
            }
        }
    }
}

/// The characters of a sentence as they are written, read from front to back.
struct Written<'a> {
    chars: std::str::Chars<'a>,
    /// How many were read.
    at: usize,
}

impl<'a> Written<'a> {
    fn new(text: &'a str) -> Self {
        let chars = text.chars();
        Self { chars, at: 0 }
    }

    /// Whether the characters `from..to` are a capital and small letters. Words are asked for in order.
    fn is_capital(&mut self, from: usize, to: usize) -> bool {
        let Some(skip) = from.checked_sub(self.at) else {
            return false;
        };
        let first = self.chars.nth(skip);
        let rest = to.saturating_sub(from + 1);
        let small = self
            .chars
            .by_ref()
            .take(rest)
            .fold(true, |small, c| small & !c.is_uppercase());
        self.at = from + 1 + rest;
        first.is_some_and(char::is_uppercase) && small && rest > 0
    }
}

/// The end of a phrase whose further words begin at `from`; adverbs between them do not count, and [`GAP`] is a few words.
fn phrase_end(tokens: &[Token], from: usize, rest: &[String]) -> Option<usize> {
    let mut at = from;
    let mut words = rest.iter();
    while let Some(mut word) = words.next() {
        let mut reach = at;
        if word == GAP {
            word = words.next()?;
            reach += MAX_GAP;
        }
        let begins = |token: &Token| token.is(ARTICLE | DETERMINER | DEMONSTRATIVE);
        // "in Berta's song"
        let is_owned = || tokens.get(at + 1).is_some_and(|next| next.is(POSSESSIVE));
        let is_gap = reach > at && (tokens.get(at).is_some_and(begins) || is_owned());
        if reach > at && !is_gap {
            return None;
        }
        let may_be_between = |at: usize, token: &Token| {
            let is_of_noun = token.is_unknown() || token.is(POSSESSIVE) || begins(token);
            token.is(ADVERB) && at < from + 8
                || at < reach && token.mark == Mark::None && is_of_noun
        };
        while tokens
            .get(at)
            .is_some_and(|token| token.word != *word && may_be_between(at, token))
        {
            at += 1;
        }
        let token = tokens.get(at)?;
        if token.word != *word || is_gap && token.mark != Mark::None {
            return None;
        }
        at += 1;
    }
    Some(at)
}

fn is_token_char(c: char) -> bool {
    c != '_' && is_word_char(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn g4_a_word_of_plain_letters_has_no_other_form_without_accents() {
        for lexicon in [Lexicon::english(), Lexicon::german()] {
            let grammar = Grammar::new(lexicon);
            let phrases = grammar.phrases.iter();
            let phrases = phrases.flat_map(|(first, phrases)| {
                phrases
                    .iter()
                    .map(move |(rest, _)| format!("{first} {}", rest.join(" ")))
            });
            let mut plain = grammar.words.keys().cloned().chain(phrases);
            assert_eq!(
                plain.find(|entry| entry.is_ascii() && bare(entry) != *entry),
                None
            );
        }
        let german = Grammar::new(Lexicon::german());
        let bare_german = german.without_accents().expect("German has accents");
        let (bare_word, word) = ("horte", "hörte");
        assert_eq!(german.words.get(bare_word), None);
        assert_eq!(bare_german.words.get(bare_word), german.words.get(word));
    }
}
