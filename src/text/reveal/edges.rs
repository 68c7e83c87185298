//! What touches a word and is no part of it: signs, and letters of another script.

use super::plain::SPELLED;
use super::sign::{Kind, Sign, numeral_letter};
use crate::text::fold::look_alike;
use icu_properties::props::Script;
use std::ops::Range;

/// With a blank for signs that touch a word, and with one where a word in another script does. Letters that look like ASCII
/// letters are part of any word, unless letters of their script follow or come before that do not.
pub fn parted(signs: Vec<Sign>, changed: &mut bool) -> Vec<Sign> {
    let mut out: Vec<Sign> = Vec::with_capacity(signs.len());
    let runs: Vec<Run> = runs(&signs).collect();
    for (n, run) in runs.iter().enumerate() {
        let before = n.checked_sub(1).map(|n| &runs[n]);
        let is_glued = run.kind == Kind::Sign
            && (is_word(runs[..n].iter().rev()) || is_word(runs[n + 1..].iter()));
        let touches = before.is_some_and(|before| {
            let both = [before, run];
            both.iter().all(|run| matches!(run.kind, Kind::Letter(_)))
                && both.iter().any(|run| run.is_foreign)
        });
        if is_glued || touches {
            *changed = true;
            out.push(Sign {
                c: ' ',
                kind: Kind::Gap,
                end: match is_glued {
                    true => signs[run.place.end - 1].end,
                    false => signs[run.place.start].start,
                },
                ..signs[run.place.start]
            });
        }
        if !is_glued {
            let (word, numeral) = without_numeral(&signs[run.place.clone()]);
            out.extend(word.iter().map(|sign| match numeral_letter(sign.c) {
                Some(c) => {
                    *changed = true;
                    Sign { c, ..*sign }
                }
                None => *sign,
            }));
            if let Some(numeral) = numeral {
                *changed = true;
                out.extend([
                    Sign {
                        c: ' ',
                        kind: Kind::Gap,
                        end: numeral.start,
                        ..numeral
                    },
                    numeral,
                ]);
            }
        }
    }
    out
}

/// A word without the numeral of one letter at its end: "Henryⅴ", and no "silⅴer".
fn without_numeral(word: &[Sign]) -> (&[Sign], Option<Sign>) {
    let is_numeral = |sign: &Sign| numeral_letter(sign.c).is_some();
    match word {
        [rest @ .., last]
            if is_numeral(last)
                && rest.len() >= SPELLED
                && rest.last().is_some_and(|sign| !is_numeral(sign)) =>
        {
            (rest, Some(*last))
        }
        _ => (word, None),
    }
}

/// Characters of one kind, with the marks and digits after them if they are letters.
struct Run {
    kind: Kind,
    place: Range<usize>,
    /// Whether they are letters of another script, and do not all look like ASCII letters.
    is_foreign: bool,
}

/// Whether a word begins with these runs, and no symbol such as the "m" of "m²".
fn is_word<'r>(runs: impl Iterator<Item = &'r Run>) -> bool {
    let letters = runs.take_while(|run| matches!(run.kind, Kind::Letter(_)));
    let counts = letters.take(SPELLED).map(|run| run.place.len());
    counts.sum::<usize>() >= SPELLED
}

fn runs(signs: &[Sign]) -> impl Iterator<Item = Run> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let kind = signs.get(at)?.kind;
        let is_letter = matches!(kind, Kind::Letter(_));
        let run = signs[at..]
            .iter()
            .take_while(|sign| sign.kind == kind || is_letter && sign.kind == Kind::Any);
        let place = at..at + run.count();
        at = place.end;
        let is_other = is_letter && kind != Kind::Letter(Script::Latin);
        let mut letters = signs[place.clone()].iter().filter(|sign| sign.kind == kind);
        Some(Run {
            kind,
            is_foreign: is_other && letters.any(|sign| look_alike(sign.c).is_none()),
            place,
        })
    })
}
