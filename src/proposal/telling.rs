//! Replies as a novel would print them: `"Come in," he says. "Sit down."` Only the quotations are spoken.

use super::heads::{are_only_labels, without_labels};
use super::labels::is_gap;
use super::names::{is_name_of, label_key, words};
use super::options::ParseOptions;
use super::preambles::leads_to_quotation;
use super::quotation_marks::{PAIRS, is_double};
use super::remarks::{is_first_person, is_of_habit};
use super::scan::{Reading, Scan};
use super::verbs::{is_gesture, is_saying, is_verb, lexicons};
use crate::text::Lexicon;
use crate::text::sentence::is_end_mark;
use std::ops::Range;

/// How many words may be between a subject and its verb: "he quietly says".
const BETWEEN: usize = 2;

/// The words of a reply that its speaker says, without those that tell that it says them; `None` where the reply is no such
/// text. A reply of several quotations and nothing else is one, too.
///
/// It is one where each quotation is a whole statement, the words around them are of the third person, and they say that the
/// speaker does something. Where they name another known character, the reply ends.
pub(super) fn without_telling(
    text: &str,
    reading: Reading,
    options: &ParseOptions,
) -> Option<String> {
    if !text.contains(is_double) {
        return None;
    }
    let scan = Scan::new(text, reading, false, false, options.lexicon);
    let kept: Vec<(usize, char)> = scan.kept(text).collect();
    if !may_be_told(kept.iter().copied(), options) {
        return None;
    }
    let quotations = quotations(&kept)?;
    let spoken = spoken(&kept, &quotations, options)?;
    let quotations = quotations.get(..spoken)?;
    let mut goes_on = false;
    for quotation in quotations {
        let last = last_in(&kept, quotation);
        let first = kept.get(quotation.start + 1);
        let is_middle = first.is_some_and(|(_, c)| c.is_lowercase()) && !goes_on;
        if is_middle || !ends_as_statement(&kept, quotation) {
            return None;
        }
        goes_on = last.is_none_or(|c| is_comma(c) || c.is_alphanumeric());
    }
    let mut said = String::with_capacity(text.len());
    let (mut at, mut nth, mut depth) = (0, 0, 0_usize);
    for (place, c) in text.char_indices() {
        let quotation = quotations.get(nth);
        let is_inside = quotation.is_some_and(|quotation| at > quotation.start);
        // What is cut, such as a marker, stays where it is; the stars around what is told do not.
        if kept.get(at).is_none_or(|(kept, _)| *kept != place) {
            depth += usize::from(c == '[');
            if is_inside || depth > 0 {
                said.push(c);
            }
            depth = depth.saturating_sub(usize::from(c == ']'));
            continue;
        }
        at += 1;
        match quotation {
            Some(quotation) if at == quotation.end => {
                nth += 1;
                let next = quotations
                    .get(nth)
                    .and_then(|next| kept.get(next.start + 1));
                end_statement(&mut said, next.is_some_and(|(_, c)| c.is_lowercase()));
            }
            Some(_) if is_inside => said.push(c),
            _ => {}
        }
    }
    Some(said)
}

/// Whether a text that is still coming may be one of which only the quotations are spoken.
pub(super) fn may_be_told(
    kept: impl Iterator<Item = (usize, char)>,
    options: &ParseOptions,
) -> bool {
    /// The end of the first sentence is not farther.
    const NEAR: usize = 400;
    let near: String = kept.map(|(_, c)| c).take(NEAR).collect();
    let before = near.find(is_double).map(|at| &near[..at]);
    // Sentences that have ended, before a quotation.
    let told = before.unwrap_or(&near);
    let ended = told.rfind(is_end_mark).map(|at| &told[..at]);
    let first = without_labels(&near, options).split(is_end_mark).next();
    let first = words(first.unwrap_or_default());
    before.is_some_and(|before| are_only_labels(before, options) || leads_to_quotation(before))
        || !first.is_empty()
            && ended.is_some_and(|ended| tells_own_gestures(ended, false, true, options.lexicon))
        || !first
            .iter()
            .any(|word| is_first_person(word, options.lexicon))
            && (teller(&first, options) == Teller::Speaker
                || teller_is_unnamed(&first, options.lexicon))
}

/// The quotations of a text, each with its marks; `None` where there is none, or one does not end in its paragraph.
fn quotations(kept: &[(usize, char)]) -> Option<Vec<Range<usize>>> {
    let mut found = Vec::new();
    let mut open: Option<(usize, char)> = None;
    for (at, (_, c)) in kept.iter().enumerate() {
        match open {
            None if is_double(*c) => open = Some((at, *c)),
            None => {}
            Some((start, mark)) => {
                let closers = PAIRS.iter().find(|(open, _)| *open == mark);
                if closers.is_some_and(|(_, closers)| closers.contains(c)) {
                    found.push(start..at + 1);
                    open = None;
                } else if *c == '\n' {
                    return None;
                }
            }
        }
    }
    (open.is_none() && !found.is_empty()).then_some(found)
}

/// How many of the quotations the speaker says; `None` where the words around them do not tell that it says them.
fn spoken(
    kept: &[(usize, char)],
    quotations: &[Range<usize>],
    options: &ParseOptions,
) -> Option<usize> {
    // The words before each quotation, and those after the last one.
    let ends = quotations.iter().map(|quotation| quotation.start);
    let begins = quotations.iter().map(|quotation| quotation.end);
    let told = [0].into_iter().chain(begins).zip(ends.chain([kept.len()]));
    let text = |(from, to): (usize, usize)| kept[from..to].iter().map(|(_, c)| *c).collect();
    let mut told: Vec<String> = told.map(text).collect();
    let has_preamble = leads_to_quotation(&told[0]);
    if has_preamble || are_only_labels(&told[0], options) {
        told[0].clear();
    }
    let is_story = told
        .last()
        .is_some_and(|last| concludes(last, options.lexicon));
    let parts = told;
    let told: Vec<Vec<String>> = parts.iter().map(|text| words(text)).collect();
    // `Eldrin: "Who is there?"`, and in the next line `Player: "A friend."`
    let labelled = (1..parts.len()).find(|at| is_label_of_another(&parts[*at], options));
    let is_labelled = |part: &String| part.trim().is_empty() || are_only_labels(part, options);
    if let Some(labelled) = labelled.filter(|at| parts[..*at].iter().all(is_labelled)) {
        return Some(labelled);
    }
    let Some(first) = told.iter().find(|words| !words.is_empty()) else {
        return (has_preamble || quotations.len() > 1).then_some(quotations.len());
    };
    let lexicon = options.lexicon;
    let mut all = told.iter().flatten();
    if all.any(|word| is_first_person(word, lexicon)) {
        let tells = parts
            .iter()
            .enumerate()
            .all(|(at, part)| tells_own_gestures(part, at + 1 < parts.len(), at == 0, lexicon));
        return tells.then_some(quotations.len());
    }
    // "They say: ..", "He said: ..": what is told first may be another one's words.
    let reports = !parts[0].trim_matches(is_gap).ends_with(is_end_mark)
        && !told[0]
            .iter()
            .any(|word| is_name_of(word, options.speaker_names))
        && (0..told[0].len()).any(|at| is_saying(&told[0], at, lexicon));
    if reports || is_story && teller_is_unnamed(first, lexicon) {
        return None;
    }
    let who = told.iter().zip(&parts);
    let who = who.map(|(words, part)| match is_label_of_another(part, options) {
        true => Teller::Other,
        false => teller(words, options),
    });
    let who: Vec<Teller> = who.collect();
    // `"No," he corrects.`: a comma before the mark is one of a novel, whatever the verb is.
    let is_tag = |(at, words): (usize, &Vec<String>)| {
        let quotation = at.checked_sub(1).and_then(|before| quotations.get(before));
        let has_comma = quotation.and_then(|quotation| last_in(kept, quotation));
        (2..=3).contains(&words.len())
            && has_comma.is_some_and(is_comma)
            && is_person(&words[0], lexicon)
    };
    let is_speaker = who.iter().any(|who| matches!(who, Teller::Speaker | Teller::SpeakerThenOther))
        || told.iter().enumerate().any(is_tag)
        // "The guard", "the old innkeeper" are no name, but a story of another one has no two quotations.
        || teller_is_unnamed(first, lexicon)
            && match told[0].is_empty() {
                true => quotations.len() > 1,
                false => {
                    parts[0].trim_matches(is_gap).ends_with(is_end_mark)
                        || !(1..=2 + BETWEEN).any(|at| is_saying(first, at, lexicon))
                }
            };
    if !is_speaker {
        // `"Good morning," Ann says.`, and nothing else
        let is_all = told[0].is_empty() && who.get(1) == Some(&Teller::Other);
        let says = is_all && (0..=BETWEEN).any(|at| is_saying(&told[1], at, lexicon));
        let is_habit = told.iter().flatten().any(|word| is_of_habit(word, lexicon));
        let is_one = !parts
            .concat()
            .trim_end_matches(is_end_mark)
            .contains(is_end_mark);
        return (says && is_one && !is_habit).then_some(0);
    }
    let ends = |who: &Teller| matches!(who, Teller::Other | Teller::SpeakerThenOther);
    let Some(other) = who.iter().position(ends) else {
        return Some(quotations.len());
    };
    // `"Thanks," Ann says.`: the quotation before is Ann's, too.
    let says = (0..=BETWEEN).any(|at| is_saying(&told[other], at, lexicon));
    let is_before = who[other] == Teller::Other && says && other > 0;
    let spoken = other - usize::from(is_before);
    (spoken > 0).then_some(spoken)
}

/// Whether the words behind the last quotation tell how a story ended: "he said. And so they did.", "Nobody bought any."
fn concludes(text: &str, lexicon: &Lexicon) -> bool {
    text.split(is_end_mark).any(|sentence| {
        let words = words(sentence);
        words.first().is_some_and(|first| {
            lexicon.conjunctions.contains(first) || lexicon.negative_subjects.contains(first)
        })
    })
}

/// Whether the last line of the words before a quotation is nothing but the label of another one.
fn is_label_of_another(told: &str, options: &ParseOptions) -> bool {
    let line = told.trim_end_matches(is_gap).rsplit('\n').next();
    let label = line.and_then(|line| line.trim_end().strip_suffix([':', '：']));
    told.contains('\n') && label.is_some_and(|label| is_another(label, options))
}

fn is_another(word: &str, options: &ParseOptions) -> bool {
    !is_name_of(word, options.speaker_names) && options.other_names.has(&label_key(word))
}

/// Whom the words tell about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Teller {
    /// The speaker: "he says", "says Eldrin", "Eldrin looks up".
    Speaker,
    /// The speaker, and then another one: "says Eldrin. Ann nods."
    SpeakerThenOther,
    /// Another known character, or the player: "Ann replies", "you say".
    Other,
    Unknown,
}

fn teller(words: &[String], options: &ParseOptions) -> Teller {
    /// A subject is among the first words.
    const NEAR: usize = 4;
    let lexicon = options.lexicon;
    let is_object = |at: usize| at > 0 && lexicon.prepositions.contains(&words[at - 1]);
    let near = || (0..words.len().min(NEAR)).filter(|at| !is_object(*at));
    let own = near().find(|at| is_name_of(&words[*at], options.speaker_names));
    let verb_follows = |at: usize| (1..=BETWEEN + 1).any(|next| is_verb(words, at + next, lexicon));
    let tells_of = |at: usize| verb_follows(at) || at > 0 && is_verb(words, at - 1, lexicon);
    let is_other = |at: &usize| is_another(&words[*at], options) && tells_of(*at);
    let is_addressed = |at: &usize| {
        let says = (1..=BETWEEN).any(|next| is_saying(words, at + next, lexicon));
        lexicon.second_person.contains(&words[*at]) && says
    };
    let other = (0..words.len()).find(|at| is_other(at) || is_addressed(at));
    match (own, other) {
        (Some(own), Some(other)) if own < other => Teller::SpeakerThenOther,
        (_, Some(_)) => Teller::Other,
        (Some(_), None) => Teller::Speaker,
        _ if near().any(|at| is_person(&words[at], lexicon) && tells_of(at)) => Teller::Speaker,
        _ => Teller::Unknown,
    }
}

/// Whether a word is a pronoun of one person: "he", "sie".
fn is_person(word: &String, lexicon: &Lexicon) -> bool {
    let is_third = |lexicon: &Lexicon| {
        lexicon.third_person.contains(word) && !lexicon.references.things.contains(word)
    };
    word != "they" && lexicons(lexicon).any(is_third)
}

/// Whether the words around quotations tell only what the speaker itself does now: "I look up.", "I say, closing the book."
/// `is_before`: a quotation follows them, which is no part of their sentence. `is_first`: none came before: "I say: .." is speech there.
fn tells_own_gestures(text: &str, is_before: bool, is_first: bool, lexicon: &Lexicon) -> bool {
    let text = text.trim_matches(|c| is_gap(c) || is_comma(c));
    let mut sentences = text.split(is_end_mark).map(words);
    let says = |words: &[String], at: usize| {
        words.get(at).is_some_and(|word| {
            let third = format!("{word}s");
            is_gesture(&third, lexicon) || !is_first && lexicon.voicing.verbs.contains(&third)
        })
    };
    let all = sentences.clone().all(|words| {
        let subject = words.first();
        words.is_empty()
            || subject.is_some_and(|word| lexicon.first_person.contains(word))
                && (1..=BETWEEN).any(|at| says(&words, at))
                && !words.iter().any(|word| is_of_habit(word, lexicon))
    });
    let is_apart = !is_before
        || text.is_empty()
        || text.ends_with(is_end_mark)
        || text.ends_with(':')
        || sentences
            .next_back()
            .is_some_and(|last| says(&last, 1) && last.len() <= 1 + BETWEEN);
    all && is_apart
}

/// Whether words tell of a person without a name: "the guard whispers", "the old innkeeper turns".
fn teller_is_unnamed(words: &[String], lexicon: &Lexicon) -> bool {
    words
        .first()
        .is_some_and(|first| lexicon.articles.contains(first))
        && (2..=2 + BETWEEN).any(|at| is_verb(words, at, lexicon))
}

fn is_comma(c: char) -> bool {
    matches!(c, ',' | '，' | '、')
}

/// The last sign of a quotation.
fn last_in(kept: &[(usize, char)], quotation: &Range<usize>) -> Option<char> {
    let inside = &kept[quotation.start + 1..quotation.end - 1];
    let last = inside.iter().rev().find(|(_, c)| !is_gap(*c));
    last.map(|(_, c)| *c)
}

/// Whether a quotation ends as a statement does, and is no word that the text around it needs.
fn ends_as_statement(kept: &[(usize, char)], quotation: &Range<usize>) -> bool {
    let ends = |c: char| is_end_mark(c) || is_comma(c) || "—–-~)".contains(c);
    let behind = kept.get(quotation.end);
    last_in(kept, quotation).is_some_and(ends)
        || behind.is_some_and(|(_, c)| is_comma(*c) || *c == '.')
}

/// Ends what was said so far as a sentence, unless the next quotation goes on with it.
fn end_statement(said: &mut String, goes_on: bool) {
    said.truncate(said.trim_end_matches(is_gap).len());
    if !goes_on {
        let has_comma = said.ends_with(is_comma);
        if has_comma {
            said.pop();
        }
        if has_comma || said.ends_with(char::is_alphanumeric) {
            said.push('.');
        }
    }
    said.push(' ');
}
