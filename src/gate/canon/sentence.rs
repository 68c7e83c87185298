//! The sentences of a text, taken apart.

use super::clause::{Clause, Link};
use super::exempt::Exemption;
use super::parsed::{ParsedSentence, SentenceReader};
use super::tags::DEMONSTRATIVE;
use super::verdict::{About, verdict};
use super::view::{ClauseView, Lift};
use super::word::WordNumbers;
use crate::text::sentence::sentences;
use std::ops::Range;

/// A sentence of a text, with the numbers of its words.
pub struct Sentence {
    /// Characters of the text.
    pub chars: Range<usize>,
    /// Its words and clauses.
    pub parsed: ParsedSentence,
    /// The number of each of its words that some fact has.
    pub numbers: Vec<Option<u32>>,
}

impl Sentence {
    /// Clause number `m`. `lift` says how much of what is exempt is judged as well.
    pub fn clause(&self, m: usize, lift: Lift) -> ClauseView<'_> {
        let clauses = &self.parsed.clauses;
        let range = clauses.get(m).map_or(0..0, |clause| clause.range.clone());
        let view = ClauseView::new(&self.parsed, &self.numbers, range, lift);
        let is_behind_colon = |clause: &Clause| clause.link == Link::Colon;
        let before = m.checked_sub(1).and_then(|before| clauses.get(before));
        // "It is a lie: ..", "False: ..". "That is a lie: .." speaks of what was said before.
        let is_denied = before.filter(|_| clauses.get(m).is_some_and(is_behind_colon));
        let is_denied = is_denied.is_some_and(|before| {
            let range = before.range.clone();
            let is_judged = range
                .clone()
                .all(|at| self.parsed.exempt[at] == Exemption::None);
            let found = verdict(&self.parsed.tokens, range.clone());
            let is_it = || {
                range
                    .clone()
                    .all(|at| !self.parsed.tokens[at].is(DEMONSTRATIVE))
            };
            is_judged
                && match found.judgement {
                    Some((false, About::Bare)) => true,
                    Some((false, About::Words)) => is_it(),
                    _ => false,
                }
        });
        match is_denied {
            true => view.denied(),
            false => view,
        }
    }

    /// All of it as one clause, what is exempt included.
    pub fn whole(&self) -> ClauseView<'_> {
        let all = 0..self.parsed.tokens.len();
        ClauseView::new(&self.parsed, &self.numbers, all, Lift::All)
    }

    /// What this sentence asks, or reports last, which the next one may deny in few words: "Is the king alive? He is not."
    pub fn question(&self) -> Option<ClauseView<'_>> {
        match self.parsed.is_question {
            true => Some(self.whole()),
            false => self.reports().pop().map(|range| self.reported(range)),
        }
    }

    /// The stretches of tokens that are reported, in order.
    pub fn reports(&self) -> Vec<Range<usize>> {
        let mut reports: Vec<Range<usize>> = Vec::new();
        for (at, why) in self.parsed.exempt.iter().enumerate() {
            match reports.last_mut() {
                _ if *why != Exemption::Reported => {}
                Some(last) if last.end == at => last.end += 1,
                _ => reports.push(at..at + 1),
            }
        }
        reports
    }

    /// A stretch that is reported, as a clause.
    pub fn reported(&self, range: Range<usize>) -> ClauseView<'_> {
        ClauseView::new(&self.parsed, &self.numbers, range, Lift::All)
    }

    /// The stretches of some clauses, in characters, that hold judged words and end where clauses end.
    pub fn judged_stretches(&self, of: Range<usize>, lift: Lift) -> Vec<Range<usize>> {
        let parsed = &self.parsed;
        if parsed.tokens.is_empty() {
            return vec![self.chars.clone()];
        }
        let mut stretches = Vec::new();
        let clauses = parsed.clauses.iter().enumerate().take(of.end);
        for (n, clause) in clauses.skip(of.start) {
            let view = self.clause(n, lift);
            // "Not true that" denies the words that it governs, so that a pattern among them is no statement.
            let denied = view
                .falsehood
                .as_ref()
                .map_or(clause.range.end, |denied| denied.end);
            let mut start = if n == 0 {
                self.chars.start
            } else {
                parsed.tokens[clause.range.start].start
            };
            let mut judged = false;
            for at in clause.range.clone() {
                if view.judged(at) && at < denied {
                    judged = true;
                    continue;
                }
                if judged {
                    stretches.push(start..parsed.tokens[at].start.max(start));
                }
                (start, judged) = (parsed.tokens[at].end, false);
            }
            if judged {
                let next = parsed
                    .clauses
                    .get(n + 1)
                    .map(|next| parsed.tokens[next.range.start].start);
                stretches.push(start..next.unwrap_or(self.chars.end).max(start));
            }
        }
        stretches
    }
}

/// Cuts a text into sentences and takes each apart. A pause ("...") between two statements ends no sentence.
pub fn cut(text: &str, mut reader: SentenceReader, numbers: &WordNumbers) -> Vec<Sentence> {
    let mut found = Vec::new();
    let mut chars = Chars::default();
    for group in groups(text, sentences(text, &reader.grammar.lexicon)) {
        let whole = group[0].start..group[group.len() - 1].end;
        let start = chars.clone();
        let named = reader.named.clone();
        let sentence = read(text, whole, &mut chars, &mut reader, numbers);
        if group.len() == 1
            || sentence
                .parsed
                .exempt
                .iter()
                .all(|why| *why == Exemption::None)
        {
            found.push(sentence);
            continue;
        }
        // What is exempt in one sentence must not reach the next.
        (chars, reader.named) = (start, named);
        for range in group {
            found.push(read(text, range, &mut chars, &mut reader, numbers));
        }
    }
    found
}

/// How many characters lie before a byte.
#[derive(Clone, Default)]
struct Chars {
    bytes: usize,
    chars: usize,
}

fn read(
    text: &str,
    range: Range<usize>,
    before: &mut Chars,
    reader: &mut SentenceReader,
    numbers: &WordNumbers,
) -> Sentence {
    let start = before.chars + text[before.bytes..range.start].chars().count();
    let sentence = &text[range.clone()];
    let end = start + sentence.chars().count();
    *before = Chars {
        bytes: range.end,
        chars: end,
    };
    let parsed = reader.read(sentence, start);
    let numbers = parsed
        .tokens
        .iter()
        .map(|token| numbers.number(&token.word));
    Sentence {
        chars: start..end,
        numbers: numbers.collect(),
        parsed,
    }
}

/// The sentences that belong together: statements with nothing but a pause between them.
fn groups(text: &str, ranges: Vec<Range<usize>>) -> Vec<Vec<Range<usize>>> {
    /// The most sentences that a pause joins.
    const MOST: usize = 4;
    let ends = |range: &Range<usize>, marks: &[&str]| {
        marks.iter().any(|mark| text[range.clone()].ends_with(mark))
    };
    let mut groups: Vec<Vec<Range<usize>>> = Vec::new();
    for range in ranges {
        let joins = groups
            .last()
            .filter(|group| group.len() < MOST)
            .is_some_and(|group| {
                let is_pause = group.last().is_some_and(|last| ends(last, &["...", "…"]));
                is_pause && !ends(&range, &["?", "？"])
            });
        match groups.last_mut().filter(|_| joins) {
            Some(group) => group.push(range),
            None => groups.push(vec![range]),
        }
    }
    groups
}
