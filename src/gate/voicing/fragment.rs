//! A sentence of prose, or a part of one, and the words that it reports.

use super::saying::{REACH, Saying};
use super::tokens::{Token, tokens_of};
use super::words::Words;
use crate::text::sentence::{is_end_mark, sentences};
use std::ops::Range;

/// How many sayings inside of one another count.
const MAX_NESTED: usize = 4;

/// A sentence of prose, or a part of one between quotations.
pub(super) struct Fragment {
    pub(super) tokens: Vec<Token>,
    pub(super) sayings: Vec<Saying>,
    /// Whether it ends with a mark that ends a sentence.
    pub(super) is_ended: bool,
}

/// The quotations next to a fragment.
#[derive(Debug, Clone, Copy)]
pub(super) struct Beside {
    /// Whether the quotation before it ends a sentence; `None` where there is none.
    pub(super) ended: Option<bool>,
    /// Whether it leads to a quotation after it.
    pub(super) leads: bool,
}

impl Fragment {
    /// The last saying that may introduce a quotation.
    pub(super) fn last_speaker(&self) -> Option<&Saying> {
        let mut sayings = self.sayings.iter().rev();
        sayings.find(|saying| saying.may_introduce())
    }

    /// The last saying before this one that surely tells of speech.
    fn strong_before(&self, number: usize) -> Option<&Saying> {
        let before = self.sayings.iter().take(number).rev();
        before.take(REACH).find(|saying| saying.is_strong)
    }
}

pub(super) fn fragments(text: &str, range: Range<usize>, words: &Words) -> Vec<Fragment> {
    let prose = &text[range.clone()];
    let mut fragments: Vec<Fragment> = Vec::new();
    for part in sentences(prose, words.lexicon) {
        let tokens = tokens_of(&prose[part.clone()], range.start + part.start);
        let is_ended = tokens
            .last()
            .and_then(|last| last.text.chars().next())
            .is_some_and(is_end_mark);
        let sayings = words.sayings(text, &tokens);
        fragments.push(Fragment {
            tokens,
            sayings,
            is_ended,
        });
    }
    fragments
}

impl Words<'_> {
    /// What the prose of a fragment reports of its speakers.
    pub(super) fn reported(
        &self,
        fragment: &Fragment,
        beside: Beside,
    ) -> Vec<(usize, Range<usize>)> {
        let mut told = Vec::new();
        let tokens = &fragment.tokens;
        for (number, saying) in fragment.sayings.iter().enumerate() {
            if saying.who.is_empty() {
                continue;
            }
            let behind = tokens.get(self.skip_manners(tokens, saying.end));
            let is_mark = behind.is_none_or(|behind| !behind.is_word);
            let names_the_speaker = beside
                .ended
                .is_some_and(|ended| number == 0 && (!ended || saying.is_inverted || is_mark));
            let may_report = !saying.is_tag || self.leads_to_words(tokens, saying.end);
            let content = may_report.then(|| self.content(fragment, number)).flatten();
            let content = content.filter(|content| {
                // Next to a quotation the rest of the sentence tells what happens.
                self.introduces(&tokens[content.start - 1])
                    || !(saying.is_tag || names_the_speaker || beside.leads)
            });
            let is_inserted = saying.is_inverted && is_mark;
            let before = match &content {
                Some(content) if !is_inserted || self.is_that(&tokens[content.start - 1]) => None,
                _ if names_the_speaker => None,
                _ if !saying.is_strong && number + 1 < fragment.sayings.len() => None,
                _ => self.said_before(fragment, number),
            };
            for range in content.into_iter().chain(before) {
                let Some(parts) = tokens.get(range) else {
                    continue;
                };
                if let (Some(first), Some(last)) = (parts.first(), parts.last()) {
                    let bytes = first.range.start..last.range.end;
                    told.extend(saying.who.iter().map(|who| (*who, bytes.clone())));
                }
            }
        }
        told
    }

    /// The tokens of what is said after a verb; `None` where nothing is.
    pub(super) fn content(&self, fragment: &Fragment, number: usize) -> Option<Range<usize>> {
        let tokens = &fragment.tokens;
        let saying = fragment.sayings.get(number)?;
        let later = || {
            let later = fragment.sayings.iter().skip(number + 1).take(REACH);
            later.filter(|saying| saying.is_strong)
        };
        let all = tokens.len() - usize::from(fragment.is_ended);
        let end = later().next().map_or(all, |next| next.start);
        let mut at = self.skip_manners(tokens, saying.end);
        // "tells Kael that", "says to him that".
        if let Some(behind) = self.object_behind(tokens, at) {
            at = self.skip_manners(tokens, behind);
        }
        let find = |from: usize, is: &dyn Fn(&Token) -> bool| {
            (from..end).find(|at| is(&tokens[*at])).map(|at| at + 1)
        };
        let is_that = |token: &Token| self.is_that(token);
        let next = tokens.get(at).filter(|_| at < end)?;
        let word = next.text.as_str();
        let start = if self.introduces(next) {
            at + 1
        } else if !next.is_word {
            // ", dass ..", or the words that are said after a comma.
            let behind = tokens.get(at + 1).filter(|_| at + 1 < end)?;
            if is_that(behind) || self.is_joint(behind) || self.begins_aside(&behind.text) {
                find(at + 1, &is_that)?
            } else {
                at + 1
            }
        } else if self.conjunctions.contains(word) {
            return None;
        } else if self.begins_aside(word)
            || (self.prepositions.contains(word) && !self.topics.contains(word))
        {
            // "speaks by the well, and says that": where, when and why.
            find(at, &|token| self.introduces(token))?
        } else {
            at
        };
        let has_that = self.introduces(&tokens[start - 1]);
        // "says that people say that ..": what others are told to say is said as well, up to the next clause of the sentence.
        let mut end = all;
        for (nested, next) in later().enumerate() {
            let joint = |at: &usize| {
                let token = &tokens[*at];
                matches!(token.text.as_str(), "," | ";")
                    || self.conjunctions.contains(token.text.as_str())
            };
            match (start..next.start).rev().find(joint) {
                Some(joint) => end = joint,
                None if nested >= MAX_NESTED || next.start < start => end = next.start,
                None => continue,
            }
            break;
        }
        let stop = (start..end).find(|at| {
            let word = tokens[*at].text.as_str();
            let next = tokens.get(at + 1).map(|next| next.text.as_str());
            // A sentence that goes on with another predicate.
            let goes_on = self.conjunctions.contains(word)
                && next.is_some_and(|next| self.finite.contains(next));
            goes_on || (!has_that && self.begins_aside(word))
        });
        let range = start..stop.unwrap_or(end).max(start);
        (range.start < range.end).then_some(range)
    }

    /// The words before a saying that closes its sentence: "The well is dry, says Odo."
    fn said_before(&self, fragment: &Fragment, number: usize) -> Option<Range<usize>> {
        let tokens = &fragment.tokens;
        let saying = &fragment.sayings[number];
        let start = fragment
            .strong_before(number)
            .map_or(0, |before| before.end);
        let comma = saying.start.checked_sub(1).filter(|comma| *comma > start)?;
        let first = tokens.get(start)?;
        let word = first.text.as_str();
        let is_aside = !self.is_that(first)
            && (self.subordinators.contains(word) || self.prepositions.contains(word));
        let is_parted = !tokens[comma].is_word && tokens[comma].text != ":";
        (is_parted && !is_aside).then_some(start..comma)
    }
}
