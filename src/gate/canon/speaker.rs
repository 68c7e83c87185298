//! Whose statement a verb of saying passes on: the speaker's own, or another's.
//!
//! A report exempts only where another person says it. What the speaker says in its own name, what has no subject ("it must be
//! said that .."), and what the speaker vouches for is judged.

use super::tags::{
    ADDRESS, ADVERB, ARTICLE, ASSENT, ASSERTING, AUXILIARY, BE, BIDDING, CLITIC, CONDITION,
    CONJUNCTION, DEMONSTRATIVE, DENYING, DETERMINER, DO, DOUBT, FIRST, GENERIC, HAVE, HEARSAY,
    HELPER, INWARD, NECESSITY, NEGATOR, NO_ARTICLE, NOBODY, OBJECT, OWN, PAST_HELPER, PREPOSITION,
    PRONOUN, REPORT, REPORT_BASE, REPORT_ING, REPORT_OTHER, SECOND, SELF, SUBJECT, SUBORDINATOR,
    THAT, TO, VERB, VOICE, VOUCH,
};
use super::token::{Mark, Token};
use std::ops::Range;

/// How many words before and after a verb of saying are checked. It bounds the work on one clause, however long.
const REACH: usize = 60;

/// Whether token `i` is a verb or noun whose content is another's statement.
pub fn reports(tokens: &[Token], clause: Range<usize>, i: usize) -> bool {
    let clause = clause.start.max(i.saturating_sub(REACH))..clause.end.min(i + REACH);
    let token = &tokens[i];
    if !token.is(REPORT | DOUBT) || token.is(ASSERTING) {
        return false;
    }
    let before = (i > clause.start).then(|| &tokens[i - 1]);
    let after_that = tokens.get(i + 1).is_some_and(|next| next.is(THAT));
    if token.is(DENYING) && is_denied(tokens, clause.start, i) {
        // "I do not doubt that ..", "Nobody denies that ..": a statement.
        return false;
    }
    if is_refuted(tokens, clause.start, i) {
        return false;
    }
    let is_noun = |t: &Token| t.is(ARTICLE | DETERMINER) || t.is(PREPOSITION) && !t.is(TO);
    if let Some(before) = before.filter(|t| is_noun(t)) {
        // "My claim", "my claim that ..", and "the claim that ..".
        if !after_that || before.is(OWN) || !before.is(PREPOSITION) {
            return after_that && !before.is(OWN);
        }
    }
    token.is(DOUBT) || !is_own(tokens, clause, i)
}

/// Whether something is said to be no such thing: "it is no rumour that ..", "that is not a mere tale". "There is no rumour that .."
/// states nothing.
fn is_refuted(tokens: &[Token], start: usize, i: usize) -> bool {
    let fills = |at: &usize| tokens[*at].is(ARTICLE | ADVERB | NO_ARTICLE | NEGATOR);
    let words = (start..i).rev().take_while(|at| fills(at)).count();
    let (verb, noun) = (i - words, start..i);
    let has = |tags| tokens[verb..i].iter().any(|token| token.is(tags));
    let denies = has(NO_ARTICLE) || has(NEGATOR) && has(ARTICLE);
    let is = |at: Option<usize>, tags| {
        at.filter(|at| noun.contains(at))
            .is_some_and(|at| tokens[at].is(tags))
    };
    denies && is(verb.checked_sub(1), BE) && is(verb.checked_sub(2), PRONOUN | DEMONSTRATIVE)
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
            || token.is(REPORT) && at > 0 && reports(tokens, 0..tokens.len(), at)
    })
}

/// The words before a verb of saying in its clause that belong to the verb.
#[derive(Default)]
struct Chain {
    /// The last word before it that is no auxiliary, adverb or the like.
    head: Option<usize>,
    /// "Do not say".
    is_denied: bool,
    /// "Must say", "ought to say".
    must: bool,
    /// "Can say", "will say", "must say".
    modal: bool,
    /// "Could say", "used to say": not the speaker's own statement.
    unreal: bool,
    /// "Did hear", "had heard".
    past: bool,
    /// "Has heard".
    perfect: bool,
    /// "Is said", "been told".
    passive: bool,
    /// "Be told": a command.
    bidden: bool,
    /// The mark of its infinitive.
    to: Option<usize>,
}

impl Chain {
    fn before(tokens: &[Token], start: usize, i: usize) -> Self {
        let mut chain = Self::default();
        let mut is_next = true;
        if tokens[i].mark != Mark::None {
            // ", says Bob", "I, your friend, say".
            return chain;
        }
        for at in (start..i).rev() {
            let token = &tokens[at];
            if token.quoted {
                break;
            }
            if token.is(NEGATOR | NOBODY) {
                chain.is_denied = true;
                break;
            }
            // "They say ..;" nothing reaches over a mark but adverbs: "I, however, say".
            let is_subject = token.is(FIRST | SELF | SUBJECT | SECOND | GENERIC);
            let skips =
                token.is(ADVERB | HELPER | PAST_HELPER | AUXILIARY | TO | NECESSITY | CLITIC)
                    || token.is(DOUBT) && tokens[at + 1].is(TO);
            if is_subject || !skips || token.is(PRONOUN) && !token.is(HELPER) {
                chain.head = Some(at);
                break;
            }
            if token.is(TO) && chain.to.is_none() {
                chain.to = Some(at);
            }
            chain.must |= token.is(NECESSITY);
            chain.modal |= token.is(AUXILIARY | NECESSITY) && !token.is(BE | HAVE | DO);
            chain.unreal |= token.is(PAST_HELPER) && !token.is(BE | HAVE | DO);
            chain.past |= token.is(PAST_HELPER);
            chain.perfect |= token.is(HAVE);
            if is_next && !token.is(ADVERB) {
                is_next = false;
                chain.passive =
                    token.is(BE) && tokens[i].is(REPORT_OTHER) && !tokens[i].is(REPORT_ING);
                chain.bidden = token.is(HELPER) && !token.is(PAST_HELPER);
            }
        }
        chain
    }
}

/// Whether what the verb `i` says is the speaker's own statement.
fn is_own(tokens: &[Token], clause: Range<usize>, i: usize) -> bool {
    let token = &tokens[i];
    let chain = Chain::before(tokens, clause.start, i);
    let objects = tokens[i + 1..clause.end]
        .iter()
        .take_while(|token| token.is(OBJECT | ADVERB));
    if chain.is_denied
        || objects
            .into_iter()
            .any(|token| token.is(OBJECT) && token.is(NEGATOR))
    {
        // "I never say ..", "Sag nicht, ..".
        return false;
    }
    let assents = |at: Option<usize>| {
        at.and_then(|at| tokens.get(at))
            .is_some_and(|near| near.is(ASSENT) && near.mark == Mark::None)
    };
    // "They rightly say", "they say rightly".
    if assents(i.checked_sub(1)) || assents(Some(i + 1)) {
        return true;
    }
    let Some(head) = chain.head else {
        return has_no_other_subject(tokens, clause, i, &chain);
    };
    let head = own_pronoun(tokens, clause.start, head).unwrap_or(head);
    // "It is I who say that ..".
    let behind_own = head > clause.start && tokens[head - 1].is(FIRST);
    let head = head - usize::from(behind_own && tokens[head].is(SUBORDINATOR));
    let subject = &tokens[head];
    let says = !token.is(INWARD);
    if subject.is(FIRST) {
        return !chain.passive
            && match says {
                true => !chain.unreal,
                false => token.is(REPORT_BASE | REPORT_ING) && !chain.past,
            };
    }
    if subject.is(SELF) {
        return says && !chain.passive && !chain.unreal;
    }
    if chain.passive {
        // "It must be said", "he has to be told"; not "it is said", "I was told".
        return chain.modal || chain.must || chain.to.is_some();
    }
    // In German the infinitive comes after a preposition: "um dir zu sagen".
    let to = chain.to.filter(|_| !chain.must);
    if let Some(to) = to.or_else(|| subject.is(PREPOSITION).then_some(head)) {
        return infinitive_is_own(tokens, clause.start, head, to);
    }
    if subject.is(CONJUNCTION) && !subject.is(SUBJECT | PRONOUN) {
        return shares_own_subject(tokens, clause.start, head) && says && !chain.unreal;
    }
    if subject.is(VOICE) {
        let from = head.saturating_sub(2).max(clause.start);
        return tokens[from..head]
            .iter()
            .any(|near| near.is(OWN | DEMONSTRATIVE));
    }
    if subject.is(GENERIC) {
        let is_first = head == clause.start || subject.mark != Mark::None || {
            let before = &tokens[head - 1];
            before.is(ADVERB | CONJUNCTION | SUBORDINATOR | CONDITION | THAT)
                && !before.is(NO_ARTICLE)
        };
        return says && is_first && (chain.modal || chain.must || !chain.past && !chain.perfect);
    }
    // "Do you think that ..?" only asks.
    let is_asked = head > clause.start && tokens[head - 1].is(DO);
    // "You must admit that ..", "You may tell them that ..".
    subject.is(SECOND)
        && match says {
            true => chain.must || chain.modal && token.is(ADDRESS),
            false => is_asked,
        }
}

/// The pronoun of the speaker that the word at `at` belongs to: "we all say", "we here in the hall say", "I myself believe". In "the
/// men I met say" it does not.
fn own_pronoun(tokens: &[Token], start: usize, at: usize) -> Option<usize> {
    let ends = VERB | REPORT | DOUBT | CONJUNCTION | SUBORDINATOR | THAT;
    let is_noun = |at: usize| tokens[at - 1].is(ARTICLE | DETERMINER);
    let belongs =
        |at: usize| tokens[at].mark == Mark::None && (!tokens[at].is(ends) || is_noun(at));
    let pronoun = (start..at).rev().find(|at| tokens[*at].is(FIRST))?;
    let begins = pronoun == start || tokens[pronoun].mark != Mark::None || {
        tokens[pronoun - 1].is(CONJUNCTION | ADVERB | SUBORDINATOR | THAT)
    };
    (begins && (pronoun + 1..=at).all(belongs)).then_some(pronoun)
}

/// Whether the speaker is the subject of a verb after a conjunction: "I came and said that ..", "Go and say that ..".
fn shares_own_subject(tokens: &[Token], start: usize, conjunction: usize) -> bool {
    let before = &tokens[start..conjunction];
    let subject = before
        .iter()
        .rev()
        .find(|token| token.is(FIRST | SELF | SUBJECT | PRONOUN));
    let is_denied = before.iter().any(|token| token.is(NEGATOR | NOBODY));
    let first = before.iter().find(|token| !token.is(ADVERB));
    !is_denied
        && match subject {
            Some(subject) => subject.is(FIRST | SELF),
            None => first.is_some_and(|first| first.is(TO | VERB)),
        }
}

/// A verb of saying without a subject before it: a command, an infinitive, a participle, or a verb with its subject after it.
fn has_no_other_subject(tokens: &[Token], clause: Range<usize>, i: usize, chain: &Chain) -> bool {
    let token = &tokens[i];
    let end = clause.end;
    let next = tokens.get(i + 1).filter(|_| i + 1 < end);
    if next.is_some_and(|next| next.is(FIRST | SELF)) {
        // "Thus say I."
        return !token.is(INWARD);
    }
    let content = (i + 1..end).find(|at| !tokens[*at].is(ADVERB | OBJECT));
    let verbs = content.map_or(0, |content| count_verbs(&tokens[content..end]));
    if i > clause.start && token.mark != Mark::None {
        // After an insertion: "I, your friend, say that ..". The rest is an attribution: ".., say the elders".
        let first = tokens[clause.start..i]
            .iter()
            .find(|token| !token.is(ADVERB | CONJUNCTION));
        let says = verbs > 0 || content.is_none() && token.is(REPORT_BASE);
        return says && first.is_some_and(|first| first.is(FIRST | SELF));
    }
    if chain.to.is_some() || token.is(REPORT_ING) && !token.is(REPORT_BASE | REPORT_OTHER) {
        // "To say it plainly, .." is the speaker's own; "To say that the king is dead is treason" speaks of saying so.
        return verbs < 2;
    }
    if chain.passive {
        return chain.bidden || chain.modal || chain.must;
    }
    if !token.is(REPORT_BASE) {
        // "Said Bob", "Told me that ..": another person said it. "Said that ..", "Told you that ..": the speaker did.
        return next.is_some_and(|next| next.is(THAT | SECOND) && !next.is(OWN))
            && !token.is(INWARD);
    }
    if next.is_some_and(|next| next.is(OWN)) || token.is(INWARD) && !token.is(BIDDING) {
        // "Tell me that ..", "Imagine that ..".
        return false;
    }
    // "So say the elders" has its subject after it. A command says something, or begins its clause: "Hear it from me: ..".
    verbs > 0 || content.is_none() || i == clause.start
}

/// Whether the verb of saying `i` has nothing before it and only a subject after it: "So say the elders: ..".
pub fn is_inverted(tokens: &[Token], clause: Range<usize>, i: usize) -> bool {
    let leads = |token: &Token| token.is(ADVERB | CONJUNCTION);
    tokens[clause.start..i].iter().all(leads)
        && !tokens[i + 1..clause.end].iter().any(|token| token.is(VERB))
}

/// How many groups of verbs are among these tokens.
fn count_verbs(tokens: &[Token]) -> usize {
    let is_verb = |at: usize| tokens[at].is(VERB);
    let begins = |at: &usize| is_verb(*at) && !(*at > 0 && is_verb(at - 1));
    (0..tokens.len()).filter(begins).count()
}

/// Whether the infinitive whose mark is at `to` is the speaker's own: "I came to tell you that ..", "it is fair to say that ..".
fn infinitive_is_own(tokens: &[Token], start: usize, head: usize, to: usize) -> bool {
    let before = &tokens[start..to];
    if before.iter().any(|token| token.is(NEGATOR | NOBODY)) {
        return false;
    }
    let before_head = &before[..before.len().min(head - start + 1)];
    let last = |tags| before_head.iter().rev().find(|token| token.is(tags));
    let subject = last(FIRST | SELF | SUBJECT).or_else(|| last(PRONOUN));
    let Some(subject) = subject else {
        // "The time has come to say that ..", "my duty is to tell you that ..": unless a name or a noun comes.
        return before.iter().any(|token| token.is(OWN | VOUCH));
    };
    subject.is(FIRST | SELF)
        || !subject.is(SUBJECT) && before.iter().any(|token| token.is(OWN | VOUCH))
}

/// Whether a clause ends in words that vouch for what the speaker reports: "He who says so speaks the truth."
pub fn vouches(tokens: &[Token], clause: Range<usize>) -> bool {
    let last = clause
        .clone()
        .rev()
        .find(|at| !tokens[*at].is(ADVERB) || tokens[*at].is(ASSENT));
    let Some(last) = last.filter(|at| tokens[*at].is(ASSENT) && !tokens[*at].quoted) else {
        return false;
    };
    let first = (clause.start..=last)
        .rev()
        .take_while(|at| tokens[*at].is(ASSENT))
        .last()
        .unwrap_or(last);
    // All of the clause may be a verdict about another one.
    first > clause.start
        && !tokens[clause.start..first]
            .iter()
            .rev()
            .take(2)
            .any(|token| token.is(NEGATOR | NO_ARTICLE))
}
