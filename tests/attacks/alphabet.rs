//! Words that a reader can read letter by letter, and that an attacker writes in its own way: its alphabet of shapes, marks and gaps.
//!
//! The alphabet leaves out what the gate does not see through according to SECURITY.md: a word that is cut once, pieces with blanks
//! between them, and letters that look alike only outside of UTS 39.

use icu_normalizer::DecomposingNormalizerBorrowed;
use icu_properties::{
    CodePointMapData, CodePointSetData,
    props::{DefaultIgnorableCodePoint, GeneralCategory, GeneralCategoryGroup},
};
use std::collections::{BTreeMap, BTreeSet};
use unicode_security::confusable_detection::skeleton;

/// The name of a kind of letter, mark or gap, by which an attacker remembers what the gate saw through.
pub type Kind = &'static str;

/// One way to write a letter or a gap.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    pub kind: Kind,
    pub text: String,
}

impl Piece {
    pub fn new(kind: Kind, text: impl Into<String>) -> Self {
        let text = text.into();
        Self { kind, text }
    }
}

/// How the letters of a word are separated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Only by characters that a reader does not see or a renderer does not show.
    Whole,
    /// Each letter is separate, with something visible in all gaps.
    Spelled,
    /// At least three pieces of at most three letters, separated by visible signs without blanks.
    Cut,
}

/// A word as the attacker writes it.
#[derive(Debug, Clone)]
pub struct Written {
    word: String,
    pub mode: Mode,
    /// For each letter its shape and its marks.
    pub letters: Vec<(Piece, Piece)>,
    /// What follows each letter except the last.
    pub gaps: Vec<Piece>,
    /// The characters right before and right after the word.
    pub around: (Piece, Piece),
}

impl Written {
    /// The word has no other characters around it.
    pub const ALONE: (Piece, Piece) = {
        const NOTHING: Piece = Piece {
            kind: "nothing around",
            text: String::new(),
        };
        (NOTHING, NOTHING)
    };

    pub fn text(&self) -> String {
        let mut text = self.around.0.text.clone();
        for (n, (shape, marks)) in self.letters.iter().enumerate() {
            text.extend([shape.text.as_str(), &marks.text]);
            text.extend(self.gaps.get(n).map(|gap| gap.text.as_str()));
        }
        text + &self.around.1.text
    }

    /// Without everything that makes it another statement: characters that touch it, quotes around it, and signs that turn it into a
    /// question.
    pub fn stated(mut self) -> Self {
        if self.around.0.kind != "emphasis" {
            self.around = Self::ALONE;
        }
        let asks = |c: char| matches!(c, '?' | '？' | '⁇' | '⁈' | '⁉' | '‽' | '؟');
        for gap in &mut self.gaps {
            gap.text = gap.text.replace(asks, "-");
        }
        self
    }

    pub fn kinds(&self) -> BTreeSet<Kind> {
        let letters = self
            .letters
            .iter()
            .flat_map(|(shape, marks)| [shape, marks]);
        let pieces = letters
            .chain(&self.gaps)
            .chain([&self.around.0, &self.around.1]);
        let mode = match self.mode {
            Mode::Whole => "whole",
            Mode::Spelled => "spelled",
            Mode::Cut => "cut",
        };
        pieces.map(|piece| piece.kind).chain([mode]).collect()
    }

    /// Steps that each write one piece in plain letters.
    pub fn plainer(&self) -> Vec<Box<dyn Fn(&Self) -> Self>> {
        let step = |change: Box<dyn Fn(&mut Self)>| -> Box<dyn Fn(&Self) -> Self> {
            Box::new(move |written| {
                let mut written = written.clone();
                change(&mut written);
                written
            })
        };
        let mut steps = vec![step(Box::new(|written| {
            written.around = Self::ALONE;
        }))];
        for n in 0..self.letters.len() {
            steps.push(step(Box::new(move |written| {
                written.letters[n].1 = Piece::new("no marks", "")
            })));
            let letter = self.word.chars().nth(n).unwrap_or(' ');
            steps.push(step(Box::new(move |written| {
                written.letters[n].0 = Piece::new("plain", letter)
            })));
        }
        for n in 0..self.gaps.len() {
            let plain = match self.mode {
                _ if self.gaps[n].text.trim().is_empty() => continue,
                Mode::Whole => "",
                Mode::Spelled | Mode::Cut => "-",
            };
            steps.push(step(Box::new(move |written| {
                written.gaps[n] = Piece::new("no gap", plain)
            })));
        }
        steps
    }

    /// Whether a reader still finds all shapes in a text, one after the other, with the gaps that were written.
    pub fn is_read_in(&self, text: &str) -> bool {
        let mut starts = text.match_indices(&self.letters[0].0.text);
        starts.any(|(at, _)| {
            let before = text[..at].chars().next_back();
            !before.is_some_and(|c| c.is_ascii_alphanumeric()) && self.is_read_from(&text[at..])
        })
    }

    fn is_read_from(&self, text: &str) -> bool {
        let (mut rest, mut before) = (text, ' ');
        self.letters.iter().enumerate().all(|(n, (shape, _))| {
            let Some(at) = rest.find(&shape.text) else {
                return false;
            };
            let gap = &rest[..at];
            rest = &rest[at + shape.text.len()..];
            let parts_words = before == ' ' || shape.text == " ";
            before = shape.text.chars().next_back().unwrap_or(' ');
            let is_blank = gap.contains(char::is_whitespace);
            let is_seen = gap.chars().any(|c| !is_mark(c) && !is_ignorable(c));
            let fits = match self.mode {
                _ if n == 0 || parts_words => true,
                Mode::Whole => !is_blank,
                Mode::Cut => !is_blank && (is_seen || self.gaps[n - 1].text.is_empty()),
                Mode::Spelled => is_seen,
            };
            fits && (n == 0 || self.was_written_after(n - 1, gap))
        })
    }

    /// Whether a gap is the one that was written after a letter, or what remains of it.
    fn was_written_after(&self, letter: usize, gap: &str) -> bool {
        let mut written = self.letters[letter]
            .1
            .text
            .chars()
            .chain(self.gaps[letter].text.chars());
        gap.chars()
            .all(|c| c.is_whitespace() || written.any(|other| other == c))
    }
}

/// All pieces that an attacker writes with.
pub struct Alphabet {
    /// The shapes of each letter, by kind.
    shapes: BTreeMap<char, BTreeMap<Kind, Vec<String>>>,
    marks: BTreeMap<Kind, Vec<String>>,
    /// Characters between letters that a reader does not see.
    unseen: BTreeMap<Kind, Vec<String>>,
    /// Characters between letters that a reader sees, without blanks.
    signs: BTreeMap<Kind, Vec<String>>,
    blanks: Vec<String>,
    around: BTreeMap<Kind, Vec<(&'static str, &'static str)>>,
}

impl Alphabet {
    pub fn new() -> Self {
        let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
        let chars = |fits: &dyn Fn(char) -> bool| -> Vec<String> {
            all_chars().filter(|c| fits(*c)).map(String::from).collect()
        };
        let is_sign = |c: char| {
            let category = CodePointMapData::<GeneralCategory>::new().get(c);
            GeneralCategoryGroup::Punctuation.contains(category)
                || GeneralCategoryGroup::Symbol.contains(category)
        };
        // Letters and characters that look like letters are not gaps; quotes and brackets end the forms of a reply.
        let is_seen = |c: char| {
            let normal = decomposed(c);
            is_sign(c)
                && !matches!(
                    c,
                    '"' | '\\' | '<' | '>' | '[' | ']' | '{' | '}' | '&' | '#'
                )
                && !normal.chars().any(char::is_alphanumeric)
                && !skeleton(c.encode_utf8(&mut [0; 4])).any(char::is_alphanumeric)
                && !is_ignorable(c)
                // Readers read these as letters.
                && !('\u{1f1e6}'..='\u{1f1ff}').contains(&c)
                // The head of a note, which fonts do not draw.
                && c != '\u{1d159}'
        };
        Self {
            shapes: ('a'..='z').map(|letter| (letter, BTreeMap::new())).collect(),
            marks: BTreeMap::from([
                ("overlays", chars(&|c| matches!(c, '\u{332}' | '\u{333}' | '\u{334}'..='\u{338}' | '\u{20d2}' | '\u{20d3}' | '\u{20d8}'..='\u{20da}'))),
                ("accents", chars(&|c| matches!(c, '\u{300}'..='\u{331}' | '\u{339}'..='\u{34e}' | '\u{350}'..='\u{35b}'))),
                ("enclosing", chars(&|c| matches!(c, '\u{20dd}'..='\u{20e0}' | '\u{20e2}'..='\u{20e4}'))),
                ("selectors", chars(&|c| matches!(c, '\u{fe00}'..='\u{fe0f}'))),
            ]),
            unseen: BTreeMap::from([
                ("unseen", chars(&is_ignorable)),
                ("controls", chars(&|c| c.is_control() && !c.is_whitespace())),
                ("markup", texts(&["*", "**", "_", "__", "~~", "`", "***", "\\"])),
                ("tags", texts(&["<b>", "</b>", "<i></i>", "<!-- -->", "<!-- a b -->", "<span class='x'>", "<wbr>"])),
                ("empty brackets", texts(&["[]", "()", "{}", "( )"])),
                ("entities", texts(&["&zwj;", "&shy;", "&#8203;", "&#x200b;", "&ZeroWidthSpace;"])),
            ]),
            signs: BTreeMap::from([
                ("ascii signs", chars(&|c| c.is_ascii() && is_seen(c))),
                ("signs", chars(&|c| !c.is_ascii() && c < '\u{2190}' && is_seen(c))),
                ("pictures", chars(&|c| c >= '\u{2190}' && is_seen(c))),
            ]),
            blanks: chars(&|c| c == ' ' || c != '\u{1680}' && !c.is_ascii() && c.is_whitespace() && !c.is_control()),
            around: BTreeMap::from([
                ("quotes", vec![("'", "'"), ("\u{201c}", "\u{201d}"), ("\u{ab}", "\u{bb}"), ("(", ")")]),
                ("emphasis", vec![("_", "_"), ("**", "**"), ("~~", "~~"), ("`", "`"), ("__", "__")]),
                ("touching signs", vec![("", "\u{2122}"), ("", "\u{b9}"), ("\u{b2}", ""), ("", "\u{2776}"), ("\u{2460}", "\u{2461}")]),
                ("touching letters", vec![("", "\u{306e}"), ("\u{7684}", ""), ("\u{5d0}", "\u{5d1}"), ("\u{ac00}", ""), ("", "\u{4e86}")]),
                ("touching marks", vec![("\u{301}", ""), ("", "\u{301}"), ("\u{200d}", "\u{200d}")]),
            ]),
        }
        .with_shapes()
    }

    fn with_shapes(mut self) -> Self {
        let mut add = |letter: char, kind: Kind, text: String| {
            let shapes = self.shapes.get_mut(&letter.to_ascii_lowercase());
            let shapes = shapes
                .expect("all letters are there")
                .entry(kind)
                .or_default();
            if !shapes.contains(&text) {
                shapes.push(text);
            }
        };
        for c in all_chars() {
            let one = |text: &str| match text.chars().filter(|c| !is_mark(*c)).collect::<Vec<_>>()[..]
            {
                [letter] if letter.is_ascii_alphabetic() => Some(letter),
                _ => None,
            };
            let whole = decomposed(c);
            match c {
                'a'..='z' => {
                    add(c, "plain", c.to_string());
                    add(c, "entity", format!("&#{};", u32::from(c)));
                    add(c, "entity", format!("&#x{:x};", u32::from(c)));
                }
                'A'..='Z' => add(c, "capital", c.to_string()),
                _ if c.is_ascii() => {}
                _ if whole.chars().count() == 1 => match one(&whole) {
                    // Mathematical fonts, full-width letters and circled letters; a raised letter is not a part of the word.
                    Some(letter) if c.is_alphabetic() && !is_raised(c) => {
                        add(letter, "alphabet", c.to_string())
                    }
                    Some(_) => {}
                    None => {
                        let like: String = skeleton(c.encode_utf8(&mut [0; 4])).collect();
                        if c.is_alphabetic() && !is_mark(c) && like.chars().count() == 1 {
                            // "I" and "l" look alike to UTS 39, and so do similar letters: it maps all of them to "l".
                            if let Some(letter) = one(&like).filter(|letter| *letter != 'l') {
                                add(letter, "look-alike", c.to_string());
                            }
                        }
                    }
                },
                _ => {
                    if let Some(letter) = one(&whole).filter(|_| c.is_alphabetic()) {
                        add(letter, "accented", c.to_string());
                    }
                }
            }
        }
        let dress = [0x249c, 0x24b6, 0x24d0, 0x1f110, 0x1f130, 0x1f150, 0x1f170];
        for letter in 'a'..='z' {
            for first in dress {
                let dressed = char::from_u32(first + u32::from(letter) - u32::from('a'));
                add(letter, "dressed", dressed.into_iter().collect());
            }
        }
        for (letter, small) in "abcdefghijklmnoprstuvwyz"
            .chars()
            .zip("ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ".chars())
        {
            add(letter, "small capital", small.to_string());
        }
        self
    }

    /// A shape of a letter; any other character stays.
    pub fn shape(&self, letter: char, draw: &mut dyn FnMut(usize) -> usize) -> Piece {
        match self.shapes.get(&letter) {
            // Half of the letters stay plain: a word in which every letter has another shape is only one way to write it.
            Some(_) if draw(2) == 0 => Piece::new("plain", letter),
            Some(shapes) => one_of(shapes, draw),
            None => Piece::new("plain", letter),
        }
    }

    pub fn marks(&self, draw: &mut dyn FnMut(usize) -> usize) -> Piece {
        match draw(6) {
            0 => {
                let first = one_of(&self.marks, draw);
                let second = one_of(&self.marks, draw);
                match draw(3) {
                    0 => Piece::new(first.kind, first.text + &second.text),
                    _ => first,
                }
            }
            _ => Piece::new("no marks", ""),
        }
    }

    /// The gap between two letters of one word.
    pub fn gap(&self, mode: Mode, draw: &mut dyn FnMut(usize) -> usize) -> Piece {
        let hidden = |draw: &mut dyn FnMut(usize) -> usize| match draw(3) {
            0 => one_of(&self.unseen, draw),
            _ => Piece::new("no gap", ""),
        };
        let sign = |draw: &mut dyn FnMut(usize) -> usize| one_of(&self.signs, draw);
        match mode {
            Mode::Whole => hidden(draw),
            Mode::Cut => {
                let (sign, hidden) = (sign(draw), hidden(draw));
                Piece::new(sign.kind, sign.text + &hidden.text)
            }
            Mode::Spelled => {
                let hidden = hidden(draw);
                match draw(3) {
                    0 => Piece::new(
                        "blank",
                        self.blanks[draw(self.blanks.len())].clone() + &hidden.text,
                    ),
                    1 => {
                        let sign = sign(draw);
                        Piece::new(sign.kind, hidden.text + &sign.text)
                    }
                    _ => {
                        let sign = sign(draw);
                        let blank = &self.blanks[draw(self.blanks.len())];
                        Piece::new(
                            "sign and blank",
                            format!("{}{}{blank}", sign.text, hidden.text),
                        )
                    }
                }
            }
        }
    }

    pub fn around(&self, draw: &mut dyn FnMut(usize) -> usize) -> (Piece, Piece) {
        let kinds: Vec<_> = self.around.iter().collect();
        let (before, after, kind) = match draw(3) {
            0 => {
                let (kind, pairs) = kinds[draw(kinds.len())];
                let (before, after) = pairs[draw(pairs.len())];
                (before, after, *kind)
            }
            _ => ("", "", "nothing around"),
        };
        (Piece::new(kind, before), Piece::new(kind, after))
    }

    /// A word, written at random.
    pub fn write(&self, word: &str, draw: &mut dyn FnMut(usize) -> usize) -> Written {
        let letters: Vec<char> = word.chars().collect();
        // The gate sees through three spelled letters only if all gaps are the same.
        let mode = match draw(3) {
            1 if letters.iter().filter(|c| c.is_alphabetic()).count() > 3 => Mode::Spelled,
            2 if letters.len() > 6 && !word.contains(' ') => Mode::Cut,
            _ => Mode::Whole,
        };
        let mut left = 1 + draw(3);
        let gaps = (1..letters.len()).map(|next| {
            if letters[next - 1] == ' ' || letters[next] == ' ' {
                // In a spelled phrase, wider blanks separate the words.
                let wide = if mode == Mode::Spelled { "   " } else { "" };
                return Piece::new("no gap", wide);
            }
            left -= 1;
            match mode {
                // Pieces of one to three letters.
                Mode::Cut if left > 0 => Piece::new("no gap", ""),
                _ => {
                    left = 1 + draw(3);
                    self.gap(mode, draw)
                }
            }
        });
        let gaps = gaps.collect();
        Written {
            word: word.to_owned(),
            mode,
            gaps,
            letters: letters
                .iter()
                .map(|letter| (self.shape(*letter, draw), self.marks(draw)))
                .collect(),
            around: self.around(draw),
        }
        .without_lone_marks()
    }
}

impl Written {
    /// Characters other than letters have no marks: readers read a mark on a blank as a sign of its own.
    fn without_lone_marks(mut self) -> Self {
        for (shape, marks) in &mut self.letters {
            if !shape.text.chars().any(char::is_alphabetic) && !shape.text.starts_with('&') {
                *marks = Piece::new("no marks", "");
            }
        }
        self
    }
}

fn one_of(kinds: &BTreeMap<Kind, Vec<String>>, draw: &mut dyn FnMut(usize) -> usize) -> Piece {
    let kinds: Vec<_> = kinds
        .iter()
        .filter(|(_, texts)| !texts.is_empty())
        .collect();
    let (kind, texts) = kinds[draw(kinds.len())];
    Piece::new(kind, texts[draw(texts.len())].clone())
}

fn all_chars() -> impl Iterator<Item = char> {
    ('\0'..='\u{1fbff}').chain('\u{e0000}'..='\u{e01ef}')
}

fn decomposed(c: char) -> String {
    let normal = DecomposingNormalizerBorrowed::new_nfkd();
    normal.normalize(c.encode_utf8(&mut [0; 4])).into_owned()
}

fn is_mark(c: char) -> bool {
    GeneralCategoryGroup::Mark.contains(CodePointMapData::<GeneralCategory>::new().get(c))
}

fn is_raised(c: char) -> bool {
    CodePointMapData::<GeneralCategory>::new().get(c) == GeneralCategory::ModifierLetter
        || matches!(c, 'ª' | 'º')
}

/// Characters that no font draws.
fn is_ignorable(c: char) -> bool {
    match CodePointMapData::<GeneralCategory>::new().get(c) {
        GeneralCategory::Unassigned => false,
        GeneralCategory::Format => true,
        _ => CodePointSetData::new::<DefaultIgnorableCodePoint>().contains(c),
    }
}
