//! A fact that is denied in a clause.

use super::tags::{
    ADVERB, AHEAD, ALL_TIME, ARTICLE, AUXILIARY, BEHIND, CLITIC, CONJUNCTION, CONTRAST, NEGATOR,
    OTHER, POSSESSIVE, PREPOSITION, SUBJECT, SUBORDINATOR,
};
use super::token::Mark;
use super::view::{ClauseView, EMPTY, MAX_GAP, TokenRange};
use super::word::Phrase;
use std::ops::Range;

/// Finds the words in order with a negator among or after them, or under a falsehood.
pub fn negation(
    words: &Phrase,
    view: &ClauseView,
    falsehood: Option<&Range<usize>>,
) -> Option<TokenRange> {
    // For each number of words, the way to match them that begins last; ways share their beginnings.
    let mut steps: Vec<(usize, Option<usize>)> = Vec::new();
    let mut ways: Vec<Option<(usize, usize)>> = vec![None; words.len()];
    for at in view.range.clone() {
        for n in (0..words.len()).rev() {
            if !view.has(&words[n], at) {
                continue;
            }
            let before = if n == 0 { None } else { ways[n - 1] };
            let (first, step) = match before {
                Some((first, step)) if at - first <= words.len() + MAX_GAP => (first, Some(step)),
                None if n == 0 => (at, None),
                _ => continue,
            };
            steps.push((at, step));
            ways[n] = Some((first, steps.len() - 1));
            if n + 1 == words.len() {
                let mut places = Vec::with_capacity(words.len());
                let mut next = Some(steps.len() - 1);
                while let Some(step) = next {
                    places.push(steps[step].0);
                    next = steps[step].1;
                }
                places.reverse();
                if let Some(found) = denied(words, &places, view, falsehood) {
                    return Some(found);
                }
            }
        }
    }
    None
}

/// Whether the fact whose words are at `places` is denied there.
fn denied(
    words: &Phrase,
    places: &[usize],
    view: &ClauseView,
    falsehood: Option<&Range<usize>>,
) -> Option<TokenRange> {
    let (&first, &last) = (places.first()?, places.last()?);
    let tokens = &view.parsed.tokens;
    let matched = |at: usize| places.binary_search(&at).is_ok();
    // "The son of the king ..", "The king's son ..": the fact is about another.
    let noun = match words.first().is_some_and(|word| word.is_article) {
        true => places.get(1).copied().unwrap_or(first),
        false => first,
    };
    // "Another king", "the other king"; not "unlike the others, the king".
    let from = first.saturating_sub(usize::from(tokens[first].mark == Mark::None));
    let other_subject = (first > view.range.start && view.is(first - 1, PREPOSITION))
        || (from.max(view.range.start)..noun).any(|at| view.is(at, OTHER) && !matched(at))
        || (first + 1..last).any(|at| {
            tokens[at].is(POSSESSIVE)
                && !matched(at)
                && matched(at - 1)
                && !matched(at + 1)
                && !view.is(at + 1, NEGATOR | ADVERB)
        });
    if other_subject {
        return None;
    }
    let reach = view.range.end.min(last + 1 + MAX_GAP);
    let mut negator = None;
    let mut at = first + 1;
    while at < reach {
        if matched(at) || !view.is(at, NEGATOR) {
            at += 1;
            continue;
        }
        let mut end = at + 1;
        while end < reach && view.is(end, NEGATOR) && !matched(end) {
            end += 1;
        }
        // "is not safe, not at all": what denies a second time stresses what a negative fact denies itself.
        let own = places.iter().find(|at| view.is(**at, NEGATOR));
        let stresses = own.is_some_and(|own| at > last || at == own + 1 || end == *own);
        let counts = if stresses {
            false
        } else if at < last {
            denies_among(at, end, places, view)
        } else {
            denies_after(at, end, places, view)
        };
        if counts {
            negator = Some(end - 1);
            break;
        }
        at = end;
    }
    // "No king is alive": the article itself denies, and a second negator takes that back.
    let articles = places.iter().zip(words).filter(|(_, word)| word.is_article);
    let mut articles = articles.map(|(at, _)| at);
    // "The inn has no finer cellar" has one.
    let article = articles.find(|at| view.is_denying_article(**at) && matched(**at + 1));
    let negator = match (article, negator) {
        (Some(_), Some(_)) => None,
        (Some(article), None) => Some(*article),
        (None, negator) => negator,
    };
    let under = falsehood.filter(|falsehood| falsehood.end <= first);
    match (under, negator) {
        (Some(falsehood), None) => Some((falsehood.start, last)),
        (None, Some(negator)) => Some((first, last.max(negator))),
        // Denied twice is said.
        _ => None,
    }
}

/// A negator `at..end` among the fact's words denies it if it is alone, or if a word of the fact follows in the same part and
/// it denies nothing else ("is not named Bob but Arthur").
fn denies_among(at: usize, end: usize, places: &[usize], view: &ClauseView) -> bool {
    let matched = |i: usize| places.binary_search(&i).is_ok();
    let tokens = &view.parsed.tokens;
    // "The false king is alive", "The king I used to serve is alive": they deny another word.
    if tokens[at].is(BEHIND) {
        return false;
    }
    if tokens[at].is(AHEAD) {
        let mut next = end;
        while next < view.range.end
            && tokens[next].mark == Mark::None
            && !matched(next)
            && tokens[next].is(ADVERB | ARTICLE)
        {
            next += 1;
        }
        if next >= view.range.end || tokens[next].mark != Mark::None || !matched(next) {
            return false;
        }
    }
    let part_end = view.part_end(end);
    let other = |i: usize| !matched(i) && !view.parsed.tokens[i].is(EMPTY | ARTICLE);
    if !(end..part_end).any(matched) {
        return !(end..part_end).any(other);
    }
    let last = places.last().copied().unwrap_or(at);
    let contrast = (end..last).find(|i| view.parsed.tokens[*i].is(CONTRAST) && !matched(*i));
    !contrast.is_some_and(|contrast| (end..contrast).any(other))
}

/// A negator `at..end` after the fact's last word denies it unless it denies something else: an alternative
/// ("Arthur, not Bob"), or what a further statement says ("and does not smile").
fn denies_after(at: usize, end: usize, places: &[usize], view: &ClauseView) -> bool {
    let tokens = &view.parsed.tokens;
    let (Some(&first), Some(&last)) = (places.first(), places.last()) else {
        return false;
    };
    // "far from here", "Arthur the False"
    let is_said = (last + 1..at).any(|i| view.is(i, AUXILIARY | CLITIC));
    let is_ahead = (at..end).any(|i| tokens[i].is(AHEAD));
    if is_ahead || tokens[at].is(BEHIND) && !is_said {
        return false;
    }
    // "because the guards are not here"
    if (last + 1..at).any(|i| tokens[i].is(SUBORDINATOR)) {
        return false;
    }
    let part_end = view.part_end(end);
    if (end..part_end).all(|i| tokens[i].is(EMPTY)) {
        // In "Der König lebt und lacht nicht" it denies the later part, unless that part adds no meaning.
        let begins_part = |i: &usize| {
            tokens[*i].mark == Mark::Comma || tokens[*i].is(CONJUNCTION) && !tokens[*i].is(ADVERB)
        };
        let later = (last + 1..=at).rev().find(begins_part);
        return later.is_none_or(|later| (later..at).all(|i| tokens[i].is(EMPTY | CONJUNCTION)));
    }
    if (last + 1..=at).any(|i| view.is_boundary(i) || tokens[i].is(SUBJECT)) {
        return false;
    }
    if (last + 1..at).all(|i| tokens[i].is(ADVERB)) {
        return end > at + 1 || tokens[at].is(ALL_TIME);
    }
    // "The dragon that guards the gate does not sleep."
    let is_relative =
        (first..last).any(|i| tokens[i].is(SUBORDINATOR) && places.binary_search(&i).is_err());
    !is_relative && view.is(at - 1, AUXILIARY | ADVERB)
}
