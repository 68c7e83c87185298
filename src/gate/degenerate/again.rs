//! What a text says again and again.

use crate::text::fold::is_spaceless;
use std::ops::Range;

/// The most words that come again in a row and are looked for.
const MOST: usize = 128;
/// How many kinds of words are told apart before they are compared.
const KINDS: usize = 256;
/// What a word counts. A character of a script without spaces counts half of it.
const WORD: u32 = 2;

/// A word of a text.
#[derive(Clone, Copy, Default)]
struct Word {
    /// A number that identifies it.
    hash: u64,
    /// What all words before it count.
    counted: u32,
    begin: u32,
    /// The number of the last word of its kind before it, counted from 1; 0 where there is none.
    before: u32,
}

/// Words that come again at one distance.
#[derive(Clone, Copy, Default)]
struct Row {
    /// How many are the same as the word at that distance before them.
    same: usize,
    /// The number of the last of them, counted from 1.
    last: usize,
    /// What was counted where the row began.
    counted: u32,
    begin: u32,
}

/// The first row of the same words that is too long: where it is, up to the first word too many, and its words once. In bytes.
/// Linear: each word is compared with at most [`MOST`] others, and in most texts with hardly any.
pub(super) fn same_words(text: &str) -> Option<(Range<usize>, Range<usize>)> {
    // A text as short as that has no room for 20 words and their blanks.
    if text.len() < 39 {
        return None;
    }
    let mut words_before = [Word::default(); MOST];
    let mut rows = [Row::default(); MOST];
    let mut last_of_kind = [0; KINDS];
    let mut counted = 0;
    for (number, (range, hash, counts)) in (1..).zip(words(text)) {
        let kind = &mut last_of_kind[hash as usize % KINDS];
        let word = Word {
            hash,
            counted,
            begin: u32::try_from(range.start).ok()?,
            before: *kind,
        };
        counted += counts;
        let mut known = *kind as usize;
        *kind = u32::try_from(number).ok()?;
        // From the nearest to the farthest.
        while known > 0 && number - known <= MOST {
            let (before, distance) = (words_before[known % MOST], number - known);
            known = before.before as usize;
            if before.hash != hash {
                continue;
            }
            let row = &mut rows[distance - 1];
            if row.same == 0 || row.last + 1 != number {
                (row.same, row.counted, row.begin) = (0, before.counted, before.begin);
            }
            row.same += 1;
            row.last = number;
            let row = *row;
            // One or two words come again at every distance.
            let mut short = rows[..2.min(distance - 1)].iter();
            let is_short = short.any(|short| short.last == number && short.same >= row.same);
            let begin = row.begin as usize;
            let said = text.get(begin..range.end).unwrap_or_default();
            if !is_short && is_too_much(distance, row.same, counted - row.counted, said) {
                let mut once = words(text.get(begin..)?).map(|(range, ..)| begin + range.end);
                return Some((begin..range.end, begin..once.nth(distance - 1)?));
            }
        }
        words_before[number % MOST] = word;
    }
    None
}

/// Whether a repetition of this number of `words` is too much. A chant, a refrain and a laugh are not; `said` is all of it.
fn is_too_much(words: usize, same: usize, counted: u32, said: &str) -> bool {
    let times = same / words + 1;
    // Sentences of one or two letters are sounds: "Aa. Aa.", "Ä é. Ä é."
    let beginning = &said[..said.floor_char_boundary(64)];
    let letters = beginning.chars().filter(|c| c.is_alphanumeric()).count();
    if words <= 2 && letters < 3 * full_stops(beginning) {
        return false;
    }
    match words {
        1 => counted >= 24 * WORD,
        2 => times >= 10 && counted >= 20 * WORD,
        _ => match times {
            ..3 => false,
            3 => counted >= 30 * WORD || counted >= 21 * WORD && full_stops(said) >= 2,
            4 => counted >= 20 * WORD,
            5.. => counted >= 15 * WORD,
        },
    }
}

/// How many statements have ended in a text. Lines of a song are parted by other signs.
fn full_stops(text: &str) -> usize {
    text.matches(['.', '。']).count()
}

/// The words of a text: where each is, in bytes, a number that is the same for the same word in any case, and what it counts.
fn words(text: &str) -> impl Iterator<Item = (Range<usize>, u64, u32)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = text.get(at..)?;
        let begin = at + rest.find(char::is_alphanumeric)?;
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        let mut take = |c: u32| hash = (hash ^ u64::from(c)).wrapping_mul(0x0100_0000_01b3);
        at = begin;
        for c in text[begin..].chars() {
            let is_alone = is_spaceless(c);
            if is_alone && at > begin {
                break;
            }
            if c.is_ascii() {
                match c {
                    '\'' => {}
                    c if c.is_ascii_alphanumeric() => take(u32::from(c.to_ascii_lowercase())),
                    _ => break,
                }
            } else if c.is_alphanumeric() {
                c.to_lowercase().for_each(|c| take(u32::from(c)));
            } else if c != '’' {
                break;
            }
            at += c.len_utf8();
            if is_alone {
                return Some((begin..at, hash, WORD / 2));
            }
        }
        Some((begin..at, hash, WORD))
    })
}

/// The pieces of a text between blanks, and where each begins, in bytes.
pub(super) fn tokens(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = text.get(at..)?.trim_start();
        let begin = text.len() - rest.len();
        let token = rest.split(char::is_whitespace).next()?;
        at = begin + token.len();
        (!token.is_empty()).then_some((begin, token))
    })
}

/// The most characters of what comes again without a blank.
const CYCLE: usize = 8;

/// The first token in which one sign repeats 60 times in a row, or a few signs fill 80 of them: where it is, and the signs once.
pub(super) fn cycle(text: &str) -> Option<(Range<usize>, Range<usize>)> {
    for (base, token) in tokens(text).filter(|(_, token)| token.len() >= 60) {
        let mut last = ['\0'; CYCLE];
        let mut same = [0; CYCLE];
        let mut begin = [0; CYCLE];
        let mut places = [0; CYCLE];
        for (number, (at, c)) in token.char_indices().enumerate() {
            for distance in 1..=CYCLE.min(number) {
                let before = (number - distance) % CYCLE;
                let row = &mut same[distance - 1];
                if last[before] != c {
                    *row = 0;
                    continue;
                }
                if *row == 0 {
                    begin[distance - 1] = places[before];
                }
                *row += 1;
                let most = if distance == 1 { 60 } else { 80 };
                if *row + distance >= most {
                    let begin = base + begin[distance - 1];
                    let end = base + at + c.len_utf8();
                    return Some((begin..end, base + places[before]..base + at));
                }
            }
            last[number % CYCLE] = c;
            places[number % CYCLE] = at;
        }
    }
    None
}
