//! Names of things nearby, each read as one word whatever it contains: "the salt and pepper", "Dr. Moe's chest".

use super::Parser;
use super::tokens::{Kind, Token, at, tokens};
use crate::text::fold::fold;
use crate::text::lexicon::Imperatives;
use crate::text::single_spaced;
use std::collections::{BTreeMap, BTreeSet};

/// The most marks after a name that are no part of it.
const MOST_MARKS: usize = 8;
/// How many characters of a text may fold into one.
const MOST_FOLDED: usize = 8;

/// Names that would not be read as one word without knowing them.
#[derive(Debug, Default)]
struct Names {
    /// For names of several words: the folded words after the first one, by the first one.
    by_first: BTreeMap<String, BTreeSet<Vec<String>>>,
    /// The folded names of one word.
    alone: BTreeSet<String>,
    /// A longer word of the text, in characters, is in no name: folding shortens a word, but not by more than this.
    longest_word: usize,
}

impl Names {
    fn new(names: &[&str], words: &Imperatives) -> Self {
        let mut known = Self::default();
        for name in names {
            let parts: Vec<String> = fold(name).split_whitespace().map(str::to_owned).collect();
            let article = parts
                .first()
                .is_some_and(|part| words.articles.contains(part));
            let parts = &parts[usize::from(article && parts.len() > 1)..];
            let [first, rest @ ..] = parts else {
                continue;
            };
            let is_plain =
                || matches!(tokens(first, 0, words).as_slice(), [word] if word.kind == Kind::Word);
            if !rest.is_empty() || !is_plain() {
                let words = parts.iter().map(|part| part.chars().count());
                let bound = words.max().unwrap_or(0) * MOST_FOLDED + MOST_MARKS;
                known.longest_word = known.longest_word.max(bound);
                if rest.is_empty() {
                    known.alone.insert(first.clone());
                } else {
                    let entry = known.by_first.entry(first.clone()).or_default();
                    entry.insert(rest.to_vec());
                }
            }
        }
        known
    }

    /// The length in bytes of the longest name that `text` begins with, on one line.
    fn longest(&self, text: &str) -> Option<usize> {
        let line = text.split('\n').next().unwrap_or_default();
        let (first, _) = next_word(line, 0)?;
        if line[..first].chars().nth(self.longest_word).is_some() {
            return None;
        }
        // A name of one word may come before a mark that is no part of it.
        let mut ends = endings(&line[..first]).filter(|_| !self.alone.is_empty());
        let alone = ends.find(|end| self.alone.contains(&fold(&line[..*end])));
        let names = self.by_first.get(&fold(&line[..first]));
        let longer = names.into_iter().flatten();
        let longer = longer.filter_map(|rest| self.end_of(line, first, rest));
        longer.max().or(alone)
    }

    /// The end of the name that has these further words; nothing where other words follow.
    fn end_of(&self, line: &str, first: usize, words: &[String]) -> Option<usize> {
        let (last, between) = words.split_last()?;
        let mut end = first;
        for word in between {
            let (next, begin) = next_word(line, end)?;
            if fold(&line[begin..next]) != *word {
                return None;
            }
            end = next;
        }
        let (next, begin) = next_word(line, end)?;
        if line[begin..next].chars().nth(self.longest_word).is_some() {
            return None;
        }
        endings(&line[begin..next])
            .find(|len| fold(&line[begin..begin + len]) == *last)
            .map(|len| begin + len)
    }
}

/// Where the next word from `from` on ends, and where it begins.
fn next_word(line: &str, from: usize) -> Option<(usize, usize)> {
    let rest = &line[from..];
    let begin = from + rest.find(|c: char| !c.is_whitespace())?;
    let rest = &line[begin..];
    let len = rest.find(char::is_whitespace).unwrap_or(rest.len());
    Some((begin + len, begin))
}

/// Where a word may end: whole, or before the marks at its end.
fn endings(word: &str) -> impl Iterator<Item = usize> {
    let shorter = word
        .char_indices()
        .rev()
        .take_while(|(i, c)| *i > 0 && !c.is_alphanumeric())
        .take(MOST_MARKS);
    std::iter::once(word.len()).chain(shorter.map(|(i, _)| i))
}

impl Parser<'_> {
    /// The tokens of the text, each name one of them. Where a command may begin, a verb is no name.
    pub(super) fn tokens(&self, names: &[&str]) -> Vec<Token> {
        let names = Names::new(names, self.words);
        let mut plain = tokens(self.text, 0, self.words);
        if names.by_first.is_empty() && names.alone.is_empty() {
            return plain;
        }
        let mut joined = Vec::with_capacity(plain.len());
        let mut next = 0;
        let mut begins = true;
        while let Some(token) = plain.get(next) {
            let rest = &plain[next..];
            begins |= token.fresh;
            let grammar = if begins { self.beginning(rest) } else { 0 };
            if grammar > 0 {
                // Words before a command do not end its beginning.
                begins = rest.len() - self.skip_lead(rest).len() >= grammar;
                joined.extend_from_slice(&rest[..grammar]);
                next += grammar;
                continue;
            }
            if let Some(len) = names.longest(&self.text[token.range.start..]) {
                let range = token.range.start..token.range.start + len;
                joined.push(Token {
                    kind: Kind::Word,
                    folded: single_spaced(&fold(&self.text[range.clone()])),
                    fresh: token.fresh,
                    range: range.clone(),
                });
                next += rest.iter().take_while(|t| t.range.end <= range.end).count();
                if plain.get(next).is_some_and(|t| t.range.start < range.end) {
                    // A mark in the name opened a stretch that reaches beyond it.
                    plain = tokens(self.text, range.end, self.words);
                    next = 0;
                }
                begins = false;
                continue;
            }
            let gap = self.gap(rest).len;
            begins = gap > 0 || token.ends_sentence() || token.is_quote();
            let len = gap.max(1);
            joined.extend_from_slice(&rest[..len]);
            next += len;
        }
        joined
    }

    /// How many tokens at the beginning of a command are its verb, or come before it; 0 for none.
    fn beginning(&self, tokens: &[Token]) -> usize {
        let words = self.words;
        let lead = tokens.len() - self.skip_lead(tokens).len();
        if lead > 0 {
            return lead;
        }
        if let Some(verb) = self.verb(tokens) {
            return verb.len;
        }
        let tables = [
            &words.looking,
            &words.other_verbs,
            &words.negators,
            &words.conditionals,
            &words.questions,
        ];
        tables
            .iter()
            .map(|table| at(table, tokens))
            .max()
            .unwrap_or(0)
    }
}
