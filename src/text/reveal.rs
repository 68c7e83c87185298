//! Disguises: a text as a reader sees it who ignores ornaments.
//!
//! A writer who wants a forbidden word to be read, but not to be found, writes `s e c r e t`, `se*cr*et`, `🅂🄴🄲🅁🄴🅃` or
//! `s̶e̶c̶r̶e̶t̶`. Rules that forbid something therefore look in several readings of a text: as written, revealed, and revealed
//! without accents. A hit in any of them counts. What is required must be there as written.
//!
//! First each character becomes what it is seen as, then what comes between the letters goes. So disguises that are worn
//! together come off together.
//!
//! | step | what it undoes | why it is safe |
//! |---|---|---|
//! | entities | `&#115;` for `s` | a numeric entity is one letter in every renderer |
//! | invisibles | what no font draws, marks without a letter, the blank of Braille, the stroke that lengthens Arabic letters | no reader sees more than the letters |
//! | overlays | combining strokes, underlines and enclosing marks | they change the looks of a letter, not the letter |
//! | letters in dress | circled, squared, bracketed letters, small capitals, regional indicators that are no flag, signs and digits that UTS 39 takes for a letter | they are read as that letter |
//! | accents | `é` and `ø`, and what has an accent and else looks like an ASCII letter: `ѐ`, `ά` | only where [`LookIn::Bare`] asks: in other languages it is another word |
//! | joints | U+2011 and U+2027 between letters | they are hints where to break a line |
//! | other letters | a blank comes where signs (`™`, `¹`) or letters of another script touch a word | nobody reads them as a part of it |
//! | markup | tags, comments, empty brackets; stars and underscores between two letters, and marks of emphasis around a word | a renderer shows the word in one piece |
//! | spelling | four or more single letters with anything but letters and digits between them; three where that is the same; three or more pieces of up to three letters with signs and no blanks between them | read aloud, they are one word |
//!
//! Not undone, since an honest line would suffer or no code could do it: encodings, ciphers, reversal, other languages,
//! typing errors, digits for letters, one cut in a word ("sec ret"), and pieces with blanks between them ("nig ht jar").

mod plain;

use self::plain::{SPELLED, begins_markup, is_plain};
use super::fold::{is_ignorable, is_word_char, look_alike};
use super::reading::{LookIn, Reading};
use super::signs::plain_sign;
use icu_normalizer::{ComposingNormalizerBorrowed, DecomposingNormalizerBorrowed};
use icu_properties::{
    CodePointMapData,
    props::{GeneralCategory, GeneralCategoryGroup, Script},
};
use std::ops::Range;

/// One character on its way through the steps.
#[derive(Debug, Clone, Copy)]
struct Sign {
    c: char,
    kind: Kind,
    start: u32,
    end: u32,
    apart: bool,
}

/// What two characters must have in common to be parts of one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// No part of any word.
    Gap,
    /// A part of any word: a mark, an ASCII digit.
    Any,
    /// A sign that only its compatibility form makes letters or digits of: `™`, `¹`.
    Sign,
    Letter(Script),
}

/// The longest tag or comment between two letters that is looked through, in characters.
const LONGEST_TAG: usize = 1_000;
/// The longest run of ornaments between two letters that is looked through, in characters.
const LONGEST_MARKUP: usize = 2_000;
/// The longest gap between two letters that are spelled, in characters.
const LONGEST_GAP: usize = 20;
/// The most letters of a piece of a word that is cut.
const LONGEST_PIECE: usize = 3;

/// The readings of a text without disguises; none where it has no disguise. Linear in its length.
#[must_use]
pub fn revealed(text: &str) -> Vec<(LookIn, Reading)> {
    let mut readings = Vec::new();
    if is_plain(text) {
        return readings;
    }
    let mut decodes = false;
    let signs = decoded(signs_of(text), &mut decodes);
    if signs.iter().all(|sign| sign.c.is_ascii()) {
        in_pieces(LookIn::Revealed, signs, decodes, &mut readings);
        return readings;
    }
    for look_in in [LookIn::Revealed, LookIn::Bare] {
        let (mut changed, mut bared) = (decodes, false);
        let signs = undressed(&signs, look_in == LookIn::Bare, &mut changed, &mut bared);
        if look_in == LookIn::Revealed || bared {
            changed |= bared;
            let signs = parted(signs, &mut changed);
            in_pieces(look_in, signs, changed, &mut readings);
        }
    }
    readings
}

/// The text without accents and strokes, with plain letters for those in dress.
#[must_use]
pub fn bare(text: &str) -> String {
    let signs = undressed(&signs_of(text), true, &mut false, &mut false);
    signs.iter().map(|sign| sign.c).collect()
}

fn signs_of(text: &str) -> Vec<Sign> {
    let signs = text.chars().enumerate().map(|(at, c)| Sign {
        c,
        kind: kind(c),
        start: at as u32,
        end: at as u32 + 1,
        apart: false,
    });
    signs.collect()
}

fn kind(c: char) -> Kind {
    if c.is_ascii() {
        return match c {
            'a'..='z' | 'A'..='Z' => Kind::Letter(Script::Latin),
            '0'..='9' => Kind::Any,
            _ => Kind::Gap,
        };
    }
    let script = match CodePointMapData::<Script>::new().get(c) {
        Script::Hiragana | Script::Katakana => Script::Han,
        script => script,
    };
    let is_alphabet = matches!(
        script,
        Script::Common | Script::Latin | Script::Greek | Script::Cyrillic
    );
    match CodePointMapData::<GeneralCategory>::new().get(c) {
        GeneralCategory::OtherNumber
        | GeneralCategory::LetterNumber
        | GeneralCategory::OtherSymbol => match means_letters(c) {
            true => Kind::Sign,
            false => Kind::Gap,
        },
        GeneralCategory::ModifierLetter if plain_sign(c).is_some() => Kind::Gap,
        GeneralCategory::ModifierLetter if is_alphabet && c != 'ー' => Kind::Sign,
        _ if matches!(c, 'ª' | 'º') => Kind::Sign,
        _ if !is_word_char(c) => Kind::Gap,
        // Bold letters, digits of full width.
        _ if matches!(script, Script::Common | Script::Inherited) || is_mark(c) => Kind::Any,
        _ => Kind::Letter(script),
    }
}

/// Whether a sign is one for letters or digits.
fn means_letters(c: char) -> bool {
    let mut buffer = [0; 4];
    let normal = ComposingNormalizerBorrowed::new_nfkc();
    let normal = normal.normalize(c.encode_utf8(&mut buffer));
    is_word_char(c) || normal.chars().any(is_word_char)
}

/// Adds the reading of what is left, in which words are in one piece; where letters are spelled with blanks of several widths,
/// it adds the one, too, in which the wider blanks part words.
fn in_pieces(
    look_in: LookIn,
    signs: Vec<Sign>,
    mut changed: bool,
    readings: &mut Vec<(LookIn, Reading)>,
) {
    let signs = without_markup(signs, &mut changed);
    let Joined {
        in_one,
        in_words,
        changed: joins,
    } = joined(&signs);
    if changed || joins {
        readings.push((look_in, reading(&in_one)));
    }
    readings.extend(in_words.map(|signs| (look_in, reading(&signs))));
}

fn reading(signs: &[Sign]) -> Reading {
    Reading {
        text: signs.iter().map(|sign| sign.c).collect(),
        origin: signs.iter().map(|sign| (sign.start, sign.end)).collect(),
        apart: signs
            .iter()
            .enumerate()
            .filter(|(_, sign)| sign.apart)
            .map(|(at, _)| at as u32)
            .collect(),
    }
}

/// Numeric entities become their character.
fn decoded(signs: Vec<Sign>, changed: &mut bool) -> Vec<Sign> {
    if !signs.iter().any(|sign| sign.c == '&') {
        return signs;
    }
    let mut out = Vec::with_capacity(signs.len());
    let mut at = 0;
    while at < signs.len() {
        match entity(&signs[at..]) {
            Some((c, len)) => {
                *changed = true;
                out.push(Sign {
                    c,
                    kind: kind(c),
                    end: signs[at + len - 1].end,
                    ..signs[at]
                });
                at += len;
            }
            None => {
                out.push(signs[at]);
                at += 1;
            }
        }
    }
    out
}

/// The character of a numeric entity at the start of `signs`, and the entity's length.
fn entity(signs: &[Sign]) -> Option<(char, usize)> {
    let body: String = signs.iter().take(24).map(|sign| sign.c).collect();
    let body = body.strip_prefix("&#")?;
    let (digits, _) = body.split_once(';')?;
    let code = match digits.strip_prefix(['x', 'X']) {
        Some(hex) => u32::from_str_radix(hex, 16).ok()?,
        None => digits.parse().ok()?,
    };
    Some((char::from_u32(code)?, digits.chars().count() + 3))
}

/// Without invisible characters, with plain letters for those in dress, and without accents where `bare` says so.
fn undressed(signs: &[Sign], bare: bool, changed: &mut bool, bared: &mut bool) -> Vec<Sign> {
    let mut out: Vec<Sign> = Vec::with_capacity(signs.len());
    for (at, sign) in signs.iter().enumerate() {
        let c = sign.c;
        let before = out.last().map(|last| last.c);
        let in_word = before.is_some_and(is_word_char);
        let letter = match c.is_ascii() {
            true => None,
            _ if is_ignorable(c)
                || is_unseen(c)
                || is_overlay(c)
                || is_joint(c) && in_word
                || is_mark(c) && !in_word =>
            {
                *changed = true;
                continue;
            }
            _ if bare && before.is_some_and(|before| is_accent(c, before)) => {
                *bared = true;
                continue;
            }
            _ => undressed_letter(c).filter(|_| !is_flag(signs, at)),
        };
        let touches = || in_word || signs.get(at + 1).is_some_and(|next| is_letter(next.c));
        let sign_for_letter = || sign_for_letter(c).filter(|_| touches());
        if let Some(letter) = letter.or_else(sign_for_letter) {
            *changed = true;
            out.push(Sign {
                c: letter,
                kind: kind(letter),
                ..*sign
            });
        } else if let Some(letter) = bare_letter(c).filter(|_| bare) {
            *bared = true;
            out.push(Sign { c: letter, ..*sign });
        } else {
            out.push(*sign);
        }
    }
    out
}

/// With a blank for signs that touch a word, and with one where a word in another script does. Letters that look like ASCII
/// letters are part of any word, unless letters of their script follow or come before that do not.
fn parted(signs: Vec<Sign>, changed: &mut bool) -> Vec<Sign> {
    let mut out: Vec<Sign> = Vec::with_capacity(signs.len());
    let runs: Vec<Run> = runs(&signs).collect();
    for (n, run) in runs.iter().enumerate() {
        let before = n.checked_sub(1).map(|n| &runs[n]);
        let near = before.into_iter().chain(runs.get(n + 1));
        let is_glued = run.kind == Kind::Sign && near.into_iter().any(Run::is_word);
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
            out.extend_from_slice(&signs[run.place.clone()]);
        }
    }
    out
}

/// Characters of one kind, with the marks and digits after them if they are letters.
struct Run {
    kind: Kind,
    place: Range<usize>,
    /// Whether they are letters of another script, and do not all look like ASCII letters.
    is_foreign: bool,
}

impl Run {
    /// Whether it is a word, and no symbol such as the "m" of "m²".
    fn is_word(&self) -> bool {
        matches!(self.kind, Kind::Letter(_)) && self.place.len() >= SPELLED
    }
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

/// The mark for an embedded object, the blank of Braille, the stroke that makes an Arabic letter longer: nothing is read of them
/// inside a word.
pub(super) fn is_unseen(c: char) -> bool {
    matches!(c, '\u{fffc}' | '\u{2800}' | '\u{640}')
}

/// Hints where a line may or may not be broken.
fn is_joint(c: char) -> bool {
    matches!(c, '\u{2011}' | '\u{2027}')
}

/// Combining marks that strike a letter out, underline or enclose it.
fn is_overlay(c: char) -> bool {
    matches!(c,
        '\u{305}' | '\u{332}' | '\u{333}' | '\u{33f}' | '\u{334}'..='\u{338}' | '\u{347}' | '\u{35f}' | '\u{489}' | '\u{488}'
        | '\u{20d2}' | '\u{20d3}' | '\u{20d8}'..='\u{20da}' | '\u{20dd}'..='\u{20e0}' | '\u{20e2}'..='\u{20e6}' | '\u{20e8}'
        | '\u{20ea}' | '\u{20eb}' | '\u{1ab6}' | '\u{1abe}' | '\u{fe2d}' | '\u{fe2b}')
}

/// The plain letter of one in dress.
fn undressed_letter(c: char) -> Option<char> {
    const SMALL_CAPITALS: &str = "ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡ-ʏᴢ";
    // Alphabets in order: parenthesised, circled, squared, and both with white letters on black, regional indicators.
    const ALPHABETS: [u32; 8] = [
        0x249c, 0x24b6, 0x24d0, 0x1f110, 0x1f130, 0x1f150, 0x1f170, 0x1f1e6,
    ];
    let code = u32::from(c);
    let letter = |index: u32| char::from_u32(u32::from(b'a') + index);
    if let Some(first) = ALPHABETS
        .iter()
        .find(|first| (**first..**first + 26).contains(&code))
    {
        return letter(code - first);
    }
    if let Some(index) = SMALL_CAPITALS.chars().position(|small| small == c) {
        return letter(index as u32);
    }
    None
}

/// The letter that UTS 39 takes a digit or sign for; letters are looked at when a text is folded.
fn sign_for_letter(c: char) -> Option<char> {
    (!c.is_alphabetic()).then(|| look_alike(c)).flatten()
}

/// Whether a regional indicator is one of exactly two, which are a flag.
fn is_flag(signs: &[Sign], at: usize) -> bool {
    let indicates = |sign: &&Sign| matches!(sign.c, '\u{1f1e6}'..='\u{1f1ff}');
    let before = signs[..at]
        .iter()
        .rev()
        .take(2)
        .take_while(indicates)
        .count();
    let from = signs[at..].iter().take(3).take_while(indicates).count();
    from > 0 && before + from == 2
}

/// Words in one piece that ornaments of markup cut, and without what a renderer does not show.
fn without_markup(signs: Vec<Sign>, changed: &mut bool) -> Vec<Sign> {
    if !signs.iter().any(|sign| begins_markup(sign.c)) {
        return signs;
    }
    let mut out: Vec<Sign> = Vec::with_capacity(signs.len());
    let mut at = 0;
    while at < signs.len() {
        let here = signs[at];
        let is_letter_at = |at: usize| signs.get(at).is_some_and(|sign| is_letter(sign.c));
        let skipped = match begins_markup(here.c) {
            false => at,
            true if out.last().is_some_and(|last| is_letter(last.c)) => {
                let end = markup_end(&signs, at);
                if is_letter_at(end) { end } else { at }
            }
            true => at,
        };
        let skipped = match skipped > at {
            true => skipped,
            false => at + hidden(&signs[at..]),
        };
        // Emphasis around a word: "_dead_".
        let touches = || at.checked_sub(1).is_some_and(is_letter_at) || is_letter_at(at + 1);
        if skipped > at {
            *changed = true;
            at = skipped;
        } else if matches!(here.c, '*' | '_' | '~' | '`') && touches() {
            *changed = true;
            at += 1;
        } else {
            out.push(here);
            at += 1;
        }
    }
    out
}

/// The length of a tag, a comment, an entity or empty brackets at the start of `rest`; 0 where none begins there.
fn hidden(rest: &[Sign]) -> usize {
    let is_tag = || {
        let next = rest.get(1);
        next.is_some_and(|next| next.c.is_ascii_alphabetic() || matches!(next.c, '/' | '!' | '?'))
    };
    match rest[0].c {
        '<' if !is_tag() => 0,
        '*' | '_' | '~' | '`' | '|' | '^' | '\\' => 0,
        _ => piece(rest),
    }
}

/// The length of the ornament at the start of `rest`; 0 where none begins there.
fn piece(rest: &[Sign]) -> usize {
    match rest[0].c {
        '*' | '_' | '~' | '`' | '|' | '^' | '\\' => 1,
        '<' => closed_by(rest, '>', LONGEST_TAG),
        '[' => closed_by(rest, ']', 3),
        '(' => closed_by(rest, ')', 3),
        '{' => closed_by(rest, '}', 3),
        '&' => closed_by(rest, ';', 20),
        _ => 0,
    }
}

/// Where a run of ornaments ends that begins at `at`.
fn markup_end(signs: &[Sign], mut at: usize) -> usize {
    let limit = signs.len().min(at + LONGEST_MARKUP);
    while at < limit {
        match piece(&signs[at..limit]) {
            0 => break,
            len => at += len,
        }
    }
    at
}

/// The length of a piece that `close` ends; 0 where it does not end within `longest` characters, or where a bracket holds
/// something.
fn closed_by(rest: &[Sign], close: char, longest: usize) -> usize {
    // A tag holds no other: so each opening is looked at once.
    let inside = rest
        .iter()
        .skip(1)
        .take(longest)
        .take_while(|sign| close != '>' || sign.c != '<');
    let end = inside
        .into_iter()
        .position(|sign| sign.c == close)
        .map(|at| at + 1);
    let Some(end) = end else { return 0 };
    let inside = &rest[1..end];
    let holds = match close {
        '>' => false,
        ';' => !inside.iter().all(|sign| sign.c.is_ascii_alphanumeric()),
        _ => inside.iter().any(|sign| !sign.c.is_whitespace()),
    };
    if holds { 0 } else { end + 1 }
}

/// A text whose spelled words are in one piece.
struct Joined {
    in_one: Vec<Sign>,
    /// The same with the wider blanks between spelled letters; `None` where all are equally wide.
    in_words: Option<Vec<Sign>>,
    changed: bool,
}

/// Words that are spelled letter by letter, or in short pieces, in one piece.
fn joined(signs: &[Sign]) -> Joined {
    let (mut in_one, mut in_words) = (Vec::with_capacity(signs.len()), None::<Vec<Sign>>);
    let mut changed = false;
    let mut at = 0;
    while at < signs.len() {
        let Some(Spelled { pieces, end }) = spelled(signs, at) else {
            let (start, end) = (at, after_word(signs, at));
            for out in [Some(&mut in_one), in_words.as_mut()].into_iter().flatten() {
                out.extend_from_slice(&signs[start..end]);
            }
            at = end;
            continue;
        };
        changed = true;
        let blanks = |n: usize| {
            let gap = &signs[pieces[n - 1].end..pieces[n].start];
            gap.iter().filter(|sign| sign.c.is_whitespace()).count()
        };
        let narrowest = (1..pieces.len()).map(blanks).min().unwrap_or_default();
        for (n, piece) in pieces.iter().enumerate() {
            if n > 0 && blanks(n) > narrowest {
                let blank = Sign {
                    c: ' ',
                    ..signs[piece.start - 1]
                };
                in_words.get_or_insert_with(|| in_one.clone()).push(blank);
            }
            // A word may begin and end beside each single letter, but not beside a longer piece.
            let is_single = |n: usize| pieces[n].len() == 1;
            let apart = n == 0 || is_single(n) || is_single(n - 1);
            for out in [Some(&mut in_one), in_words.as_mut()].into_iter().flatten() {
                out.push(Sign {
                    apart,
                    ..signs[piece.start]
                });
                out.extend_from_slice(&signs[piece.start + 1..piece.end]);
            }
        }
        at = end;
    }
    Joined {
        in_one,
        in_words,
        changed,
    }
}

/// A word that is spelled.
struct Spelled {
    pieces: Vec<Range<usize>>,
    /// The sign after it.
    end: usize,
}

/// The word that is spelled from here on; `None` where none begins here.
fn spelled(signs: &[Sign], at: usize) -> Option<Spelled> {
    let first = short_piece(signs, at)?;
    let collect = |fits: &dyn Fn(&Range<usize>, &Range<usize>) -> bool| {
        let mut pieces = vec![first.clone()];
        while let Some(last) = pieces.last()
            && let Some(next) = next_piece(signs, last.end)
            && fits(last, &next)
        {
            pieces.push(next);
        }
        pieces
    };
    let ornament = |last: &Range<usize>, next: &Range<usize>| {
        let gap = signs[last.end..next.start].iter().map(|sign| sign.c);
        gap.filter(|c| !c.is_whitespace()).collect::<String>()
    };
    let is_tight = |last: &Range<usize>, next: &Range<usize>| {
        let mut gap = signs[last.end..next.start].iter();
        gap.all(|sign| !sign.c.is_whitespace())
    };
    let letters = match first.len() {
        1 => collect(&|_, next| next.len() == 1),
        _ => Vec::new(),
    };
    let cut = collect(&is_tight);
    if cut.len() >= SPELLED && cut.len() > letters.len() {
        let end = cut.last()?.end;
        return Some(Spelled { pieces: cut, end });
    }
    let mut kinds = letters.windows(2).map(|pair| ornament(&pair[0], &pair[1]));
    let kind = kinds.next()?;
    let is_even = kinds.all(|other| other == kind);
    if letters.len() < SPELLED || letters.len() == SPELLED && !is_even {
        return None;
    }
    let end = letters.last()?.end;
    // "J. R. R. Tolkien": the last dot belongs to the initials, and ends no sentence.
    let is_initials =
        is_even && kind == "." && letters.iter().all(|at| signs[at.start].c.is_uppercase());
    let has_dot = signs.get(end).is_some_and(|sign| sign.c == '.');
    Some(Spelled {
        pieces: letters,
        end: end + usize::from(is_initials && has_dot),
    })
}

/// The piece of a word that follows after a gap of spelling.
fn next_piece(signs: &[Sign], from: usize) -> Option<Range<usize>> {
    let rest = signs[from..].iter().take(LONGEST_GAP + 1);
    let gap = rest.take_while(|sign| !in_word(sign)).count();
    let fits = (1..=LONGEST_GAP).contains(&gap);
    short_piece(signs, from + gap).filter(|_| fits)
}

/// A few letters that begin here, with no other part of a word before or after them.
fn short_piece(signs: &[Sign], at: usize) -> Option<Range<usize>> {
    let letters = signs.get(at..)?.iter().take(LONGEST_PIECE + 1);
    let count = letters.take_while(|sign| is_letter(sign.c)).count();
    let end = at + count;
    let touches = |at: Option<usize>| at.and_then(|at| signs.get(at)).is_some_and(in_word);
    let is_piece = (1..=LONGEST_PIECE).contains(&count);
    (is_piece && !touches(at.checked_sub(1)) && !touches(Some(end))).then_some(at..end)
}

/// The place after the word that begins here, or after one other sign.
fn after_word(signs: &[Sign], at: usize) -> usize {
    let word = signs[at..].iter().take_while(|sign| in_word(sign));
    at + word.count().max(1)
}

fn in_word(sign: &Sign) -> bool {
    is_word_char(sign.c) && sign.c != '_'
}

fn is_letter(c: char) -> bool {
    c.is_alphabetic()
}

pub(super) fn is_mark(c: char) -> bool {
    !c.is_ascii()
        && GeneralCategoryGroup::Mark.contains(CodePointMapData::<GeneralCategory>::new().get(c))
}

/// Whether a mark after this character is an ornament of it. The marks that write the vowels of Indic scripts and of Thai, and
/// those that make another kana of one, are none.
fn is_accent(c: char, before: char) -> bool {
    let is_own = || {
        !matches!(c, '\u{3099}' | '\u{309a}')
            && matches!(
                CodePointMapData::<Script>::new().get(c),
                Script::Inherited
                    | Script::Latin
                    | Script::Greek
                    | Script::Cyrillic
                    | Script::Hebrew
                    | Script::Arabic
                    | Script::Syriac
            )
    };
    is_mark(c) && (before.is_ascii_alphabetic() || is_letter(before) && is_own())
}

/// The letter under the accents and strokes of one that is seen as an ASCII letter else.
fn bare_letter(c: char) -> Option<char> {
    if c.is_ascii() || !is_letter(c) {
        return None;
    }
    let mut buffer = [0; 4];
    let apart = DecomposingNormalizerBorrowed::new_nfkd();
    let apart = apart.normalize(c.encode_utf8(&mut buffer));
    let mut letters = apart.chars().filter(|c| !is_mark(*c));
    if let (Some(first), None) = (letters.next(), letters.next())
        && (first.is_ascii_alphabetic() || first != c && look_alike(first).is_some())
    {
        return Some(first);
    }
    if look_alike(c).is_some() {
        // Folding sees to it.
        return None;
    }
    // For Unicode "ø" is not an "o" with an accent, for UTS 39 it is.
    let mut letters =
        unicode_security::confusable_detection::skeleton(&apart).filter(|c| !is_mark(*c));
    let first = letters.next()?;
    (letters.next().is_none() && first.is_ascii_alphabetic()).then_some(first)
}

#[cfg(test)]
mod tests;
