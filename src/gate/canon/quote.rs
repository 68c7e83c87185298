//! Apostrophes and paired quotation marks.

use super::clause::may_be_verb;
use super::speaker::reports;
use super::tags::{
    ADVERB, ANNOUNCING, ASSENT, ASSERTING, AUXILIARY, CONJUNCTION, FIRST, NEGATOR, NO_ARTICLE, OWN,
    REPORT, RIGHT, SUBJECT, VERB, VOICE,
};
use super::token::{Mark, Token};
use crate::text::fold::is_word_char;
use crate::text::lexicon::Lexicon;
use std::ops::Range;

/// Pairs of two different marks, opening and closing.
const PAIRS: [(char, char); 11] = [
    ('“', '”'),
    ('„', '“'),
    ('„', '”'),
    ('«', '»'),
    ('»', '«'),
    ('‹', '›'),
    ('›', '‹'),
    ('「', '」'),
    ('『', '』'),
    ('‘', '’'),
    ('‚', '‘'),
];

/// Makes every apostrophe inside a word the ASCII one, so that curly contractions are contractions. Character
/// for character: no place moves.
pub fn straighten_apostrophes(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    let mut in_word = false;
    while let Some(c) = chars.next() {
        let joins = in_word && chars.peek().is_some_and(|next| is_word_char(*next));
        let curly = matches!(
            c,
            '’' | '‘' | '‛' | '′' | '＇' | '`' | '´' | '\u{2b9}'
                ..='\u{2bd}' | 'ˈ' | '՚' | '׳' | 'ꞌ' | '᾽' | '᾿' | '❛' | '❜' | 'ʾ' | 'ʿ' | '΄'
        );
        out.push(if joins && curly { '\'' } else { c });
        in_word = is_word_char(c);
    }
    out
}

/// Which characters of a straightened text are in paired quotation marks that do not hold the whole text. `is_begun`: more text
/// follows, so that no marks hold the whole.
pub fn quoted_characters(text: &str, lexicon: &Lexicon, is_begun: bool) -> Vec<bool> {
    let chars: Vec<char> = text.chars().collect();
    let mut inside = vec![false; chars.len()];
    let outer = pairs(&chars, 0, chars.len(), lexicon);
    for &(open, close) in &outer {
        inside[open..=close].fill(true);
    }
    let all = |inside: &[bool]| {
        chars
            .iter()
            .zip(inside)
            .all(|(c, q)| *q || !is_word_char(*c))
    };
    if !is_begun && !outer.is_empty() && all(&inside) {
        // The whole reply is quoted: only quotations in it count.
        inside.fill(false);
        for (open, close) in outer {
            for (open, close) in pairs(&chars, open + 1, close, lexicon) {
                inside[open..=close].fill(true);
            }
        }
    }
    inside
}

/// The outermost pairs of marks among characters `from..to`.
fn pairs(chars: &[char], from: usize, to: usize, lexicon: &Lexicon) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    if let Some((start, mark)) = pairs_but(None, chars, from..to, lexicon, &mut found) {
        // A mark that nothing closes must not hide the pairs after it. One more pass, so that this stays linear.
        pairs_but(Some(mark), chars, start + 1..to, lexicon, &mut found);
    }
    found
}

/// Collects pairs that another mark than `not` opens; gives back the opening mark that nothing closed.
fn pairs_but(
    not: Option<char>,
    chars: &[char],
    range: Range<usize>,
    lexicon: &Lexicon,
    found: &mut Vec<(usize, usize)>,
) -> Option<(usize, char)> {
    let mut open: Option<(usize, char)> = None;
    for at in range {
        match open {
            Some((start, mark)) if closes(chars, at, mark) => {
                found.push((start, at));
                open = None;
            }
            // A mark that nothing closes must not swallow the next paragraph.
            Some(_) if chars[at] == '\n' && ends_paragraph(chars, at) => open = None,
            None if Some(chars[at]) != not && opens(chars, at, lexicon) => {
                open = Some((at, chars[at]))
            }
            _ => {}
        }
    }
    open
}

/// How many words after a quotation a verb of saying may come.
const REACH: usize = 5;
/// How many words before it.
const REACH_BEFORE: usize = 40;

/// Unmarks words in quotation marks that are no quotation: words that are neither a whole clause nor introduced by a verb of
/// saying ("The king is named \"Bob\""), the speaker's own words ("I say to you: .."), and everything without a source where
/// one is needed.
pub fn keep_quotations(tokens: &mut [Token], verb_endings: &[String], has_source: bool) {
    let mut at = 0;
    while at < tokens.len() {
        if !tokens[at].quoted {
            at += 1;
            continue;
        }
        let len = tokens[at..].iter().take_while(|token| token.quoted).count();
        let (before, rest) = tokens.split_at(at);
        let (run, after) = rest.split_at(len);
        // "He whispered to me: ..", and "..," the drunk shouted.
        let near = before.iter().rev().take(REACH_BEFORE);
        let unquoted = near.take_while(|token| !token.quoted);
        let said_before = before.len() - unquoted.count();
        let is_verb = |at: &usize| tokens[*at].is(VERB | REPORT);
        let verb = (said_before..before.len()).rev().find(is_verb);
        let behind = at + len..tokens.len().min(at + len + REACH.min(after.len()));
        let follows = behind.clone().find(is_verb);
        let (verb, clause) = match before.iter().all(|token| token.quoted) {
            true => (follows, at + len..tokens.len()),
            false => (verb, said_before..at),
        };
        let is_told = verb.is_some_and(|verb| tokens[verb].is(REPORT));
        let is_own = verb.is_some_and(|verb| is_told && is_announced(tokens, clause, verb))
            || tokens[at].mark == Mark::Colon && announces(tokens, said_before..at);
        if !has_source || is_own || !(is_told || holds_a_clause(run, verb_endings)) {
            tokens[at..at + len]
                .iter_mut()
                .for_each(|token| token.quoted = false);
        }
        at += len;
    }
}

/// Whether the verb of saying next to a quotation says that its words are the speaker's own: "I say to you: ..", ".., I tell you".
fn is_announced(tokens: &[Token], clause: Range<usize>, verb: usize) -> bool {
    let has_subject =
        clause.start < verb || tokens.get(verb + 1).is_some_and(|next| next.is(FIRST));
    has_subject && !reports(tokens, clause, verb)
}

/// Whether words before a colon say that the speaker says so: "Know this: ..", "The truth is: ..", "My answer: ..".
fn announces(tokens: &[Token], clause: Range<usize>) -> bool {
    let is_own = |at: usize| {
        let near = at.saturating_sub(2).max(clause.start)..at;
        tokens[at].is(ANNOUNCING | ASSERTING | ASSENT | RIGHT)
            || tokens[at].is(VOICE) && tokens[near].iter().any(|near| near.is(OWN))
    };
    let is_others = |at: usize| {
        let token = &tokens[at];
        token.is(SUBJECT) && !token.is(FIRST)
            || token.is(NEGATOR | NO_ARTICLE)
            || token.is(REPORT) && reports(tokens, clause.clone(), at)
    };
    clause.clone().any(is_own) && !clause.clone().any(is_others)
}

/// Whether words have a verb with a subject before it.
fn holds_a_clause(words: &[Token], verb_endings: &[String]) -> bool {
    let verb = (1..words.len())
        .find(|at| words[*at].is(VERB) || may_be_verb(&words[at - 1], &words[*at], verb_endings));
    let filling = |token: &Token| token.is(ADVERB | CONJUNCTION | NEGATOR | AUXILIARY);
    verb.is_some_and(|verb| !words[..verb].iter().all(filling))
}

fn is_opening(c: char) -> bool {
    matches!(c, '"' | '＂' | '\'') || PAIRS.iter().any(|(open, _)| *open == c)
}

fn opens(chars: &[char], at: usize, lexicon: &Lexicon) -> bool {
    let c = chars[at];
    let touches_before = at > 0 && is_word_char(chars[at - 1]);
    let blank_after = chars.get(at + 1).is_none_or(|next| next.is_whitespace());
    match c {
        '"' | '＂' => !blank_after,
        '\'' => !touches_before && !blank_after && !is_elision(&chars[at + 1..], lexicon),
        _ => is_opening(c),
    }
}

fn closes(chars: &[char], at: usize, mark: char) -> bool {
    let c = chars[at];
    let touches_after = chars.get(at + 1).is_some_and(|next| is_word_char(*next));
    let blank_before = at > 0 && chars[at - 1].is_whitespace();
    match mark {
        '"' | '＂' => c == mark && !blank_before,
        '\'' => c == mark && !blank_before && !touches_after,
        '‘' => c == '’' && !blank_before && !touches_after,
        _ => PAIRS.contains(&(mark, c)),
    }
}

fn is_elision(after: &[char], lexicon: &Lexicon) -> bool {
    let word: String = after
        .iter()
        .take(12)
        .take_while(|c| is_word_char(**c))
        .flat_map(|c| c.to_lowercase())
        .collect();
    lexicon.elisions.contains(&word)
}

fn ends_paragraph(chars: &[char], at: usize) -> bool {
    chars[at + 1..]
        .iter()
        .take(32)
        .find(|c| !matches!(c, ' ' | '\t' | '\r'))
        .is_some_and(|c| *c == '\n')
}
