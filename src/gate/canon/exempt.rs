//! What a clause exempts: questions, quotations, reported and conditional speech (SCENARIO.md section 2, "Canon").

use super::clause::{Clause, Link};
use super::tags::{
    ADDRESS, ADVERB, ARTICLE, ASIDE, ASSERTING, ATTRIBUTIVE, AUXILIARY, CONDITION, DENYING,
    DETERMINER, DOUBT, FIRST, HEARSAY, HELPER, HYPOTHESIS, NEGATOR, NO_ARTICLE, NOBODY, OBJECT,
    PAST_HELPER, PREPOSITION, REPORT, REPORT_BASE, REPORT_ING, SUBJECT, THAT, TO,
};
use super::token::{Mark, Token};
use crate::text::fold::is_word_char;
use std::ops::Range;

/// Whether a sentence ends in `?`; one that a quotation ends in is the quotation's.
pub fn is_question(sentence: &str, offset: usize, quoted: &[bool]) -> bool {
    let count = sentence.chars().count();
    sentence
        .chars()
        .rev()
        .enumerate()
        .take_while(|(_, c)| !is_word_char(*c))
        .any(|(back, c)| {
            let at = offset + count - 1 - back;
            matches!(c, '?' | '？' | '⁇' | '⁈' | '⁉' | '‽' | '؟')
                && !quoted.get(at).copied().unwrap_or_default()
        })
}

/// What goes on from a clause to the next of the same sentence.
#[derive(Clone, Copy, PartialEq)]
enum Carry {
    None,
    Condition,
    Hypothesis,
    /// `open`: nothing that was reported has followed yet ("They say, ..").
    Report {
        open: bool,
    },
}

impl Carry {
    fn reaches(self, link: Link) -> bool {
        let Link::Adding { comma, that } = link else {
            return match link {
                Link::Comma => self == Self::Condition || self == Self::Report { open: true },
                Link::Colon => self == Self::Report { open: true },
                _ => false,
            };
        };
        self != Self::None && (!comma || that || self == Self::Condition)
    }
}

/// For each token, whether it is quoted, reported, or conditional.
pub fn exempt(tokens: &[Token], clauses: &[Clause]) -> Vec<bool> {
    let mut exempt: Vec<bool> = tokens.iter().map(|token| token.quoted).collect();
    let mut carry = Carry::None;
    for (number, clause) in clauses.iter().enumerate() {
        let Range { start, end } = clause.range;
        let previous = number.checked_sub(1).map(|n| clauses[n].range.clone());
        if carry.reaches(clause.link) {
            exempt[start..end].fill(true);
            if carry == (Carry::Report { open: true }) {
                carry = Carry::Report { open: false };
            }
        } else {
            carry = Carry::None;
        }
        let mut i = start;
        while i < end {
            let token = &tokens[i];
            if token.quoted {
                i += 1;
                continue;
            }
            if token.is(CONDITION) {
                exempt[i + 1..end].fill(true);
                if !token.is(ASIDE) {
                    exempt[start..i].fill(true);
                    carry = Carry::Condition;
                }
                break;
            } else if token.is(HYPOTHESIS) {
                exempt[i + 1..end].fill(true);
                carry = Carry::Hypothesis;
                break;
            } else if token.is(HEARSAY) && !token.is(ASSERTING) {
                exempt[start..end].fill(true);
                let last = (i..end).rfind(|j| tokens[*j].is(HEARSAY)).unwrap_or(i);
                if let Some(previous) = previous.filter(|_| last + 1 == end && i <= start + 1) {
                    exempt[previous].fill(true);
                }
                carry = Carry::Report {
                    open: last + 1 == end,
                };
                break;
            } else if reports(tokens, start, i) {
                if tokens
                    .get(i + 1)
                    .is_some_and(|next| i + 1 < end && next.is(TO))
                {
                    // "said to be ..": no clause follows, only an infinitive.
                    let stop = (i + 1..end)
                        .find(|j| tokens[*j].mark == Mark::Comma)
                        .unwrap_or(end);
                    exempt[i + 1..stop].fill(true);
                    i = stop;
                    continue;
                }
                exempt[i + 1..end].fill(true);
                let open = (i + 1..end)
                    .find(|j| !tokens[*j].is(ADVERB | OBJECT))
                    .is_none_or(|j| tokens[j].is(PREPOSITION));
                // "The sky is green, tell Bob." is a command, and what stands before it is the speaker's own word.
                let command = token.is(ADDRESS)
                    && token.is(REPORT_BASE)
                    && (i == start || token.mark == Mark::Comma);
                let inserted = (start + 1..=i)
                    .rfind(|j| tokens[*j].mark == Mark::Comma)
                    .filter(|_| !command);
                if inserted.is_some_and(|j| j == i || (open && tokens[j].is(ATTRIBUTIVE))) {
                    // "The sky is green, says Bob." "The sky is green, as they say."
                    exempt[start..i].fill(true);
                } else if open
                    && !command
                    && matches!(clause.link, Link::Comma | Link::Adding { comma: true, .. })
                {
                    // "The sky is green, they say."
                    if let Some(previous) = previous {
                        exempt[previous].fill(true);
                    }
                }
                carry = Carry::Report {
                    open: open && !token.is(DOUBT),
                };
                break;
            }
            i += 1;
        }
    }
    exempt
}

/// Whether token `i` is a verb whose content is reported and not the speaker's own statement.
fn reports(tokens: &[Token], start: usize, i: usize) -> bool {
    let token = &tokens[i];
    if !token.is(REPORT | DOUBT) || token.is(ASSERTING) {
        return false;
    }
    let before = (i > start).then(|| &tokens[i - 1]);
    let after_that = tokens.get(i + 1).is_some_and(|next| next.is(THAT));
    if before.is_some_and(|t| t.is(ARTICLE | DETERMINER) || (t.is(PREPOSITION) && !t.is(TO)))
        && !after_that
    {
        // A noun: "my claim".
        return false;
    }
    if token.is(DENYING) && is_denied(tokens, start, i) {
        // "I do not doubt that ..", "Nobody denies that ..": a statement.
        return false;
    }
    token.is(DOUBT) || !is_own_statement(tokens, start, i)
}

/// Whether the verb or noun `i` is denied: "do not doubt", "nobody denies", "no man doubts", "no doubt".
fn is_denied(tokens: &[Token], start: usize, i: usize) -> bool {
    let filling = |token: &Token| {
        token.is(ADVERB | HELPER | PAST_HELPER | AUXILIARY) && !token.is(NEGATOR | NOBODY)
    };
    let Some(before) = (start..i).rev().find(|at| !filling(&tokens[*at])) else {
        return false;
    };
    let is_joined = |at: usize| {
        tokens[at + 1..=i]
            .iter()
            .all(|token| token.mark == Mark::None)
    };
    let noun = before
        .checked_sub(1)
        .filter(|at| *at >= start && !tokens[before].is(SUBJECT));
    is_joined(before) && tokens[before].is(NEGATOR | NOBODY)
        || noun.is_some_and(|at| tokens[at].is(NO_ARTICLE) && is_joined(at))
}

/// Whether a sentence says whose words it tells: with a verb of saying or hearing that is not the speaker's own statement, or
/// a phrase such as "according to".
pub fn names_a_source(tokens: &[Token]) -> bool {
    let said = (0..tokens.len()).filter(|at| !tokens[*at].quoted);
    said.into_iter().any(|at| {
        let token = &tokens[at];
        token.is(HEARSAY) && !token.is(ASSERTING)
            || token.is(REPORT) && at > 0 && reports(tokens, 0, at)
    })
}

/// Whether the subject of the verb `i` is "I" or "we", in the present and not denied.
fn is_own_statement(tokens: &[Token], start: usize, i: usize) -> bool {
    if !tokens[i].is(REPORT_BASE | REPORT_ING) {
        return false;
    }
    for token in tokens[start..i].iter().rev() {
        if token.is(NEGATOR | PAST_HELPER) {
            return false;
        }
        if token.is(FIRST) {
            return true;
        }
        if !token.is(ADVERB | HELPER) {
            return false;
        }
    }
    false
}
