//! What a clause exempts: questions, quotations, reported and conditional speech.

use super::clause::{Clause, Link};
use super::speaker::{is_inverted, reports, vouches};
use super::tags::{
    ADDRESS, ADVERB, ARTICLE, ASIDE, ASSERTING, ATTRIBUTIVE, AUXILIARY, AWAITING, BEFORE_NOUN,
    CONDITION, CONJUNCTION, DEMONSTRATIVE, DETERMINER, DOUBT, FINITE, FUTURE, HEARSAY, HYPOTHESIS,
    OBJECT, PAST_HELPER, PREPOSITION, PRONOUN, REPORT, REPORT_BASE, SUBJECT, SUBORDINATOR, TAG,
    TELLING, THAT, TO, VERB, YES,
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
    fn exemption(self) -> Exemption {
        match self {
            Self::None => Exemption::None,
            Self::Condition | Self::Hypothesis => Exemption::Conditional,
            Self::Report { .. } => Exemption::Reported,
        }
    }

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

/// Why what a token says is no statement of the speaker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exemption {
    /// It is one.
    None,
    /// It is asked.
    Asked,
    /// It is in quotation marks.
    Quoted,
    /// Another person says it.
    Reported,
    /// It depends on a condition.
    Conditional,
}

/// For each token, whether it is quoted, reported, or conditional.
pub fn exempt(tokens: &[Token], clauses: &[Clause]) -> Vec<Exemption> {
    let quoted = |token: &Token| match token.quoted {
        true => Exemption::Quoted,
        false => Exemption::None,
    };
    let mut exempt: Vec<Exemption> = tokens.iter().map(quoted).collect();
    let mut carry = Carry::None;
    for (number, clause) in clauses.iter().enumerate() {
        let Range { start, end } = clause.range;
        let previous = number.checked_sub(1).map(|n| clauses[n].range.clone());
        let vouched = vouches(tokens, start..end);
        if carry.reaches(clause.link) && !vouched {
            exempt[start..end].fill(carry.exemption());
            if carry == (Carry::Report { open: true }) {
                carry = Carry::Report { open: false };
            }
        } else {
            carry = Carry::None;
        }
        if awaits(tokens, &clauses[number..]) {
            exempt[start..end].fill(Exemption::Conditional);
            continue;
        }
        let mut i = start;
        while i < end {
            let token = &tokens[i];
            if token.quoted {
                i += 1;
                continue;
            }
            if token.is(CONDITION) {
                exempt[i + 1..end].fill(Exemption::Conditional);
                if !token.is(ASIDE) {
                    exempt[start..i].fill(Exemption::Conditional);
                    carry = Carry::Condition;
                }
                break;
            } else if token.is(HYPOTHESIS) && !token.is(ASSERTING) {
                exempt[i + 1..end].fill(Exemption::Conditional);
                carry = Carry::Hypothesis;
                break;
            } else if token.is(REPORT | HEARSAY) && is_set_aside(tokens, start, i) {
                // "Despite all rumours the king ..": it only names what others say.
                i += 1;
                continue;
            } else if token.is(HEARSAY) && !token.is(ASSERTING) {
                exempt[start..end].fill(Exemption::Reported);
                let last = (i..end).rfind(|j| tokens[*j].is(HEARSAY)).unwrap_or(i);
                if let Some(previous) = previous.filter(|_| last + 1 == end && i <= start + 1) {
                    exempt[previous].fill(Exemption::Reported);
                }
                // "In the song of the two sisters, ..": no verb has followed yet.
                let mut behind = tokens[last + 1..end].iter();
                carry = Carry::Report {
                    open: !behind.any(|token| token.is(VERB)),
                };
                break;
            } else if token.is(DOUBT) && says_later(tokens, i, end) {
                // "I wish to say that ..": the verb of saying counts.
                i += 2;
                continue;
            } else if !vouched && reports(tokens, start..end, i) {
                if tokens
                    .get(i + 1)
                    .is_some_and(|next| i + 1 < end && next.is(TO))
                {
                    // "said to be ..": no clause follows, only an infinitive.
                    let stop = (i + 1..end)
                        .find(|j| tokens[*j].mark == Mark::Comma)
                        .unwrap_or(end);
                    exempt[i + 1..stop].fill(Exemption::Reported);
                    i = stop;
                    continue;
                }
                exempt[i + 1..end].fill(Exemption::Reported);
                let open = (i + 1..end)
                    .find(|j| !tokens[*j].is(ADVERB | OBJECT))
                    .is_none_or(|j| tokens[j].is(PREPOSITION))
                    || is_inverted(tokens, start..end, i);
                // "The sky is green, tell Bob." is a command, and the words before it are the speaker's own.
                let command = token.is(ADDRESS)
                    && token.is(REPORT_BASE)
                    && (i == start || token.mark == Mark::Comma);
                let inserted = (start + 1..=i)
                    .rfind(|j| tokens[*j].mark == Mark::Comma)
                    .filter(|_| !command);
                if inserted.is_some_and(|j| j == i || (open && tokens[j].is(ATTRIBUTIVE))) {
                    // "The sky is green, says Bob." "The sky is green, as they say."
                    exempt[start..i].fill(Exemption::Reported);
                } else if open
                    && !command
                    && matches!(clause.link, Link::Comma | Link::Adding { comma: true, .. })
                {
                    // "The sky is green, they say."
                    if let Some(previous) = previous {
                        exempt[previous].fill(Exemption::Reported);
                    }
                }
                // "Contrary to what you heard, ..", "Whatever they say, ..": what follows is the speaker's own.
                let is_own = tokens[start..i].iter().any(|token| token.is(ASSERTING));
                carry = Carry::Report {
                    open: open && !token.is(DOUBT) && !is_own,
                };
                break;
            }
            i += 1;
        }
    }
    exempt
}

/// Whether the first of some clauses only names a time to come: "When the king is dead, his son will rule".
fn awaits(tokens: &[Token], clauses: &[Clause]) -> bool {
    /// How many words of a main clause there are up to its verb, at most.
    const FAR: usize = 4;
    let [first, next, ..] = clauses else {
        return false;
    };
    let leads = |token: &Token| token.is(ADVERB | CONJUNCTION) && !token.is(AWAITING);
    let words = &tokens[first.range.clone()];
    let begins = words.iter().find(|word| !leads(word));
    let begins = begins.is_some_and(|word| word.is(AWAITING) && !word.quoted);
    // "Once the king was slain, ..": that has happened.
    let is_past = || words.iter().any(|word| word.is(PAST_HELPER));
    let is_to_come = |at: usize| {
        // "his will"
        tokens[at].is(FUTURE)
            && !at
                .checked_sub(1)
                .is_some_and(|at| tokens[at].is(BEFORE_NOUN))
    };
    // "he left debts that we will never pay": it must be the verb of that clause.
    let mut verb = next.range.clone().take(FAR);
    begins && next.link == Link::Comma && !is_past() && verb.any(is_to_come)
}

/// Marks what a question asks. What it states is no question: all before a tag ("The king is dead, you know?"), and all that
/// follows "did you know".
pub fn ask(tokens: &[Token], clauses: &[Clause], exempt: &mut [Exemption]) {
    let stated = stated(tokens, clauses);
    for (at, why) in exempt.iter_mut().enumerate() {
        if *why == Exemption::None && !stated.contains(&at) {
            *why = Exemption::Asked;
        }
    }
}

/// The tokens of a question that are a statement.
fn stated(tokens: &[Token], clauses: &[Clause]) -> Range<usize> {
    let leads = |token: &Token| token.is(ADVERB | CONJUNCTION | YES) || token.is_unknown();
    let is_opener = |at: &usize| {
        tokens[*at].is(TELLING)
            && (tokens[*at].mark != Mark::None || tokens[..*at].iter().all(leads))
    };
    if let Some(start) = (0..tokens.len()).find(is_opener) {
        let content = (start..tokens.len()).find(|at| !tokens[*at].is(TELLING | ADVERB));
        // "Do you know who ..", "do you know whether .." only ask.
        let asks = |token: &Token| token.is(CONDITION | SUBORDINATOR) && !token.is(THAT);
        let states = |at: &usize| {
            !asks(&tokens[*at]) && tokens[*at + 1..].iter().any(|token| token.is(VERB))
        };
        if let Some(content) = content.filter(states) {
            return content..tokens.len();
        }
    }
    // "The king is dead, you know, Ann?"
    let is_named =
        |token: &Token| token.mark == Mark::Comma && token.is_unknown() && !token.is(TAG);
    let end = tokens.len() - usize::from(tokens.last().is_some_and(is_named));
    let tag = tokens[..end]
        .iter()
        .rev()
        .take_while(|token| token.is(TAG))
        .count();
    let before = clauses
        .iter()
        .rev()
        .filter(|clause| clause.range.start + tag < end);
    let Some(clause) = before.into_iter().next().filter(|_| tag > 0) else {
        return 0..0;
    };
    let mut first = clause
        .range
        .clone()
        .filter(|at| !tokens[*at].is(ADVERB | CONJUNCTION | YES));
    let is_asked = first.next().is_none_or(|first| {
        let first = &tokens[first];
        first.is(AUXILIARY | FINITE | SUBORDINATOR) && !first.is(THAT | PRONOUN | SUBJECT)
    });
    match is_asked {
        true => 0..0,
        false => 0..end - tag,
    }
}

/// Whether a noun for what others say follows words that set it aside, and nothing of its content: "despite all rumours".
fn is_set_aside(tokens: &[Token], start: usize, i: usize) -> bool {
    let mut before = (start..i).rev();
    let is_leading =
        |at: &usize| tokens[*at].is(ARTICLE | DETERMINER | DEMONSTRATIVE | PREPOSITION | OBJECT);
    let first = before.find(|at| tokens[*at].is(ASSERTING) || !is_leading(at));
    let has_content = tokens.get(i + 1).is_some_and(|next| next.is(THAT));
    first.is_some_and(|at| tokens[at].is(ASSERTING)) && !has_content
}

/// Whether a verb of wishing only leads to one of saying: "I wish to tell you".
fn says_later(tokens: &[Token], i: usize, end: usize) -> bool {
    let is = |at: usize, tags| at < end && tokens[at].is(tags);
    is(i + 1, TO) && is(i + 2, REPORT)
}
