//! Statements that contradict a fact by what they assert: of "The gods do not sleep" the words without the negator, and the words
//! of an authored pattern in another form.

use super::grammar::Grammar;
use super::tags::{
    ADVERB, ARTICLE, AUXILIARY, BE, BEHIND, CLITIC, CONDITION, CONJUNCTION, DEMONSTRATIVE, DENYING,
    DETERMINER, DO, EXCEPT, FINITE, FUNCTION, FUTURE, HAVE, MANNER, NEARLY, NEGATOR, NO_ARTICLE,
    NOBODY, NUMBER, OTHER, PENDING, POSSESSIVE, PREPOSITION, SUBJECT, SUBORDINATOR, TO, Tags, VERB,
};
use super::token::{Mark, Token};
use super::view::{ClauseView, MAX_GAP, TokenRange};
use super::word::{FactWord, Phrase, WordNumbers};

/// How many other words may come between two words of what is asserted.
const MAX_BETWEEN: usize = 6;

/// The kinds of words that may always be between them.
const FILLING: Tags =
    ADVERB | MANNER | ARTICLE | DETERMINER | DEMONSTRATIVE | NUMBER | DO | AUXILIARY | CLITIC;

/// The words that contradict a fact where a clause states them, in one order that it may have.
#[derive(Debug)]
pub struct Statement {
    /// The words.
    pub words: Phrase,
    order: Order,
}

/// The order of a statement's words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Order {
    /// As the fact has them.
    Plain,
    /// The verb comes before the subject, as it does behind an adverb in German: "Heute ist die Brücke sicher".
    VerbFirst,
    /// The verb comes last, as a participle does in German: "Jannik hat den Riesen getötet".
    VerbLast,
    /// What is said of the subject comes first, then the verb and the subject: "Dead is the king".
    PredicateFirst,
}

/// The words of a negative fact without its negators, in each order that a statement may have. Empty if nothing is denied, if less
/// than a subject and a verb is left, or if the subject itself is "nobody": such a fact needs patterns.
pub fn denied_words(
    fact: &[Token],
    grammar: &Grammar,
    numbers: &mut WordNumbers,
) -> Vec<Statement> {
    let orders = orders(fact, grammar).into_iter();
    orders
        .filter_map(|(order, words)| {
            let words = words_in_order(&words, grammar, numbers)?;
            Some(Statement { words, order })
        })
        .collect()
}

/// The words of a pattern, in each order that a statement may have. Empty unless it is a phrase with a verb that denies nothing.
pub fn pattern_words(
    pattern: &str,
    grammar: &Grammar,
    numbers: &mut WordNumbers,
) -> Vec<Statement> {
    let pattern = pattern.trim();
    let is_phrase = !pattern.starts_with(['/', '"']) && !pattern.ends_with('*');
    let tokens = grammar.tagged(pattern);
    let is_statement = tokens
        .first()
        .is_some_and(|first| !first.is(VERB | PREPOSITION));
    let denies = tokens
        .iter()
        .any(|token| token.is(NEGATOR | NO_ARTICLE | NOBODY));
    let has_verb = grammar.first_verb(&tokens, FINITE | AUXILIARY).is_some();
    if !is_phrase || !is_statement || denies || !has_verb {
        return Vec::new();
    }
    let mut word = |token: &Token| FactWord::new(&token.word, grammar, numbers);
    let orders = orders(&tokens, grammar).into_iter();
    orders
        .map(|(order, tokens)| Statement {
            words: tokens.iter().map(&mut word).collect(),
            order,
        })
        .collect()
}

/// A statement in the orders that it may have.
fn orders(tokens: &[Token], grammar: &Grammar) -> Vec<(Order, Vec<Token>)> {
    let mut orders = vec![(Order::Plain, tokens.to_vec())];
    let is_verb = |token: &Token| token.is(FINITE | AUXILIARY);
    let known = tokens.iter().position(is_verb);
    let verb = known.or_else(|| grammar.first_verb(tokens, FINITE | AUXILIARY));
    let Some(at) = verb.filter(|at| *at > 0) else {
        return orders;
    };
    let (subject, verb, rest) = (&tokens[..at], &tokens[at..=at], &tokens[at + 1..]);
    if grammar.lexicon.verb_last {
        orders.push((Order::VerbFirst, [verb, subject, rest].concat()));
    }
    if grammar.lexicon.verb_last && !verb[0].is(AUXILIARY) && !rest.is_empty() {
        orders.push((Order::VerbLast, [subject, rest, verb].concat()));
    }
    if verb[0].is(BE) && !rest.is_empty() {
        orders.push((Order::PredicateFirst, [rest, verb, subject].concat()));
    }
    orders
}

fn words_in_order(fact: &[Token], grammar: &Grammar, numbers: &mut WordNumbers) -> Option<Phrase> {
    // "The treasure is a myth" denies no words of its own.
    let denies = |token: &Token| token.is(NEGATOR | NO_ARTICLE) && !token.is(BEHIND);
    if !fact.iter().any(denies) {
        return None;
    }
    let mut words = Phrase::new();
    let mut is_bare = false;
    for (at, token) in fact.iter().enumerate() {
        if denies(token) {
            // "no heir": "two heirs" assert it, too.
            is_bare |= token.is(NO_ARTICLE);
            continue;
        }
        // "do not sleep": the verb has its bare form, and its other forms assert it, too.
        if token.is(DO) && fact.get(at + 1).is_some_and(denies) {
            is_bare = true;
            continue;
        }
        words.push(match is_bare && !token.is(ADVERB) {
            true => FactWord::of_bare_verb(&token.word, grammar, numbers),
            false => FactWord::new(&token.word, grammar, numbers),
        });
        is_bare &= token.is(ADVERB);
    }
    let content = words.iter().filter(|word| !word.is_article).count();
    (content >= 2).then_some(words)
}

/// Finds the words in order in a clause that does not deny them, or takes something out of what it denies.
pub fn assertion(denied: &Statement, view: &ClauseView) -> Option<TokenRange> {
    if view.falsehood.is_some() {
        return None;
    }
    let words = &denied.words;
    let is_lead = |at: &usize| view.is(*at, ADVERB | CONJUNCTION | ARTICLE);
    let lead = view.range.clone().take_while(is_lead).count();
    let may_begin = |first: &usize| match denied.order {
        Order::Plain | Order::VerbLast => true,
        Order::VerbFirst => may_begin_with_verb(view, *first),
        Order::PredicateFirst => *first <= view.range.start + lead,
    };
    // "Dead is the duke of whom I told you."
    let may_end = |last: &usize| {
        let is_over = |at: usize| view.token(at).is_none_or(|next| next.mark != Mark::None);
        denied.order != Order::PredicateFirst || is_over(*last + 1)
    };
    view.range.clone().filter(may_begin).find_map(|first| {
        let said = said_from(words, view, first, Denials::None);
        let said = said.filter(|last| may_end(last) && !is_denied(view, first, *last));
        let but = || {
            let last = said_from(words, view, first, Denials::One)?;
            excepted(view, last)
        };
        Some((first, said.or_else(but)?))
    })
}

/// Whether the verb of a statement may be at `at`. A clause that begins with its verb asks, or is a condition.
fn may_begin_with_verb(view: &ClauseView, at: usize) -> bool {
    let start = view.range.start;
    let Some(before) = at.checked_sub(1).filter(|before| *before >= start) else {
        return false;
    };
    // "Since you ask, ..": what comes before it is a clause of its own.
    let mark = view.token(at).map(|token| token.mark);
    let is_behind = mark == Some(Mark::Comma) && view.is(start, SUBORDINATOR | CONDITION);
    let is_word = before == start && view.token(before).is_some_and(Token::is_unknown);
    view.is(before, ADVERB) || is_word || is_behind
}

/// Finds the words of a pattern in a clause that says them as they are: "is still alive", and not "may be alive", "is nearly dead".
pub fn stated(pattern: &Statement, view: &ClauseView) -> Option<TokenRange> {
    let (first, last) = assertion(pattern, view)?;
    let tokens = &view.parsed.tokens;
    // "Jannik wird den Riesen töten", "hat ihn töten wollen"
    let is_last = pattern.order == Order::VerbLast;
    let takes_back = |at: usize| {
        let is_other = view.is(at, AUXILIARY | CLITIC) && !view.is(at, BE | HAVE | DO);
        is_other || view.is(at, NEARLY) || is_last && view.is(at, FUTURE)
    };
    let is_next = view
        .token(last + 1)
        .is_some_and(|next| next.mark == Mark::None);
    if is_last && is_next && takes_back(last + 1) {
        return None;
    }
    // "Wat killed the goat of the troll": another noun is no filling.
    let is_filled = |at: usize| {
        let is_own = pattern.words.iter().any(|word| view.has(word, at));
        is_own || view.is_cleft(at) || view.is(at, FILLING) && !view.is(at, OTHER)
    };
    // "Had the duke died, .."
    let is_inverted = view.is(view.range.start, AUXILIARY) && pattern.order != Order::VerbFirst;
    // "The duke's dead brother", "the troll's goat"
    let next = view.token(last + 1).filter(|next| next.mark == Mark::None);
    let is_owned = next.is_some_and(|next| {
        next.is(POSSESSIVE)
            || next.is_unknown() && (first..last).any(|at| tokens[at].is(POSSESSIVE))
    });
    let is_said = (first..=last).all(|at| is_filled(at) && !takes_back(at));
    (is_said && !is_owned && (!is_inverted || first == view.range.start)).then_some((first, last))
}

/// How many denials may be between the words.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Denials {
    None,
    One,
}

/// The last token of the exception after what is denied: "no heir but Tom".
fn excepted(view: &ClauseView, last: usize) -> Option<usize> {
    let is_exceptive = |at: usize| {
        view.is(at, EXCEPT) && view.token(at).is_some_and(|token| token.mark == Mark::None)
    };
    let mut at = last + 1;
    if !is_exceptive(at) {
        return None;
    }
    while view.is(at, EXCEPT) {
        at += 1;
    }
    let next = view.token(at)?;
    let begins_clause = next.is(VERB | SUBJECT | SUBORDINATOR | CONDITION | TO | NEGATOR);
    (next.mark == Mark::None && !begins_clause).then_some(at)
}

/// The last token of the words, when they begin at `first`.
fn said_from(words: &Phrase, view: &ClauseView, first: usize, denials: Denials) -> Option<usize> {
    let denies = |at: usize| view.is(at, NEGATOR) || view.is_denying_article(at);
    let has = |word: &FactWord, at: usize| view.has(word, at) && !view.is_denying_article(at);
    // An article may be left out or another one: "The king has an heir" against "The king has no heir".
    let mut words = words
        .iter()
        .skip_while(|word| word.is_article)
        .filter(|word| !word.is_article);
    let mut last = first;
    let mut denied = 0;
    if !has(words.next()?, first) {
        return None;
    }
    for word in words {
        let next = (last + 1..=last + 1 + MAX_BETWEEN)
            .take_while(|at| {
                view.token(*at)
                    .is_some_and(|token| token.mark == Mark::None)
            })
            .find(|at| has(word, *at))?;
        // "a young heir", "two fine heirs", and not "has lost his heir"
        let mut is_noun = false;
        for at in last + 1..next {
            if denies(at) {
                denied += 1;
                is_noun = view.is(at, NO_ARTICLE);
                continue;
            }
            let fills = view.is(at, FILLING) || view.is_cleft(at);
            if !fills && (!is_noun || view.is(at, FUNCTION)) {
                return None;
            }
            is_noun =
                is_noun && !fills || view.is(at, ARTICLE | DETERMINER | DEMONSTRATIVE | NUMBER);
        }
        // "The king's heir" says nothing of what the king has; "there's magic" says what there is.
        let owner = next.checked_sub(2).and_then(|at| view.token(at));
        let is_owned = view.is(next - 1, POSSESSIVE) && owner.is_some_and(Token::is_unknown);
        if word.is_bare && is_owned && !view.is_participle(word, next) {
            return None;
        }
        last = next;
    }
    match denials {
        Denials::None => denied == 0,
        Denials::One => denied == 1,
    }
    .then_some(last)
}

/// Whether something denies the words `first..=last`, or they are about another subject than the fact.
fn is_denied(view: &ClauseView, first: usize, last: usize) -> bool {
    let part = (view.range.start..first)
        .rev()
        .take(MAX_GAP)
        .take_while(|at| !view.is_boundary(*at + 1));
    let before: Vec<usize> = part.collect();
    let denies = |at: &usize| view.is(*at, NEGATOR | NO_ARTICLE | NOBODY);
    let article = before
        .iter()
        .find(|at| view.is(**at, PENDING) || !view.is(**at, ARTICLE | ADVERB | DETERMINER));
    // "Until the bridge is safe"
    let of_another = article.is_some_and(|at| view.is(*at, PREPOSITION | OTHER | PENDING));
    let mut after = last + 1..view.part_end(last + 1);
    // "I do not doubt that the gods sleep."
    let doubted = before.iter().any(|at| view.is(*at, DENYING));
    of_another || before.iter().any(denies) && !doubted || after.any(|at| denies(&at))
}
