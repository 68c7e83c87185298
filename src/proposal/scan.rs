//! Where the brackets, markers and stage directions of a text are. The rulings are in `sanitise.rs`.
//!
//! Everything is found in a fixed number of passes; what a pass would have to search for again is kept in sorted
//! lists, so that a reply of nothing but openings costs no more than any other.

mod brackets;
mod emphasis;

use super::marker::MarkerKind;
use super::stars::Stars;
use super::white_space::GAP;
use crate::text::Lexicon;

/// How brackets and stars are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reading {
    /// In an envelope's dialogue: every bracket is stripped.
    Envelope,
    /// In prose: markers inside double-quoted speech stay.
    Prose,
    /// A narration or a wish: as in prose, but the words between stars stay, because they are what happens.
    Told,
}

/// The signs around a gesture, apart from stars and underscores.
const ASIDES: [(char, char); 4] = [('(', ')'), ('（', '）'), ('<', '>'), ('~', '~')];

/// The longest words between them, in bytes.
const MAX_ASIDE: usize = 160;

/// A cut of a text: `start..end`, and whether a gap is left.
type Cut = (usize, usize, bool);

/// Brackets, markers and stage directions of a text.
pub(super) struct Scan {
    /// The cuts, in order, without overlaps.
    cuts: Vec<Cut>,
    /// The markers in the order in which they appear, and where each one's rest begins and ends.
    pub(super) markers: Vec<(MarkerKind, usize, usize)>,
    /// Where a marker without an end begins.
    pub(super) unterminated: Option<usize>,
    /// The place of a mark that may open an emphasis or an aside whose end is not there.
    pub(super) open_emphasis: Option<usize>,
}

impl Scan {
    /// Scans a text. Without `respect_quotes` markers in quotations count too; with `cut_tail` what has no end is cut.
    pub(super) fn new(
        text: &str,
        reading: Reading,
        respect_quotes: bool,
        cut_tail: bool,
        lexicon: &Lexicon,
    ) -> Self {
        let mut scan = Self {
            cuts: Vec::new(),
            markers: Vec::new(),
            unterminated: None,
            open_emphasis: None,
        };
        if text.contains(['[', '［', '【']) {
            scan.brackets(
                text,
                reading,
                respect_quotes && reading != Reading::Envelope,
                cut_tail,
            );
            scan.merge();
        }
        if text.contains('*') {
            scan.stars(text, reading, cut_tail, lexicon);
            scan.merge();
        }
        if text.contains('_') {
            scan.underscores(text, reading, lexicon);
            scan.merge();
        }
        if reading != Reading::Told && text.contains(ASIDES.map(|(open, _)| open)) {
            scan.asides(text, lexicon);
            scan.merge();
        }
        scan
    }

    /// Gestures in parentheses and between `<` and `>`.
    fn asides(&mut self, text: &str, lexicon: &Lexicon) {
        let mut found: Vec<Cut> = Vec::new();
        for (at, c) in text.char_indices() {
            let Some((open, close)) = ASIDES.into_iter().find(|(open, _)| *open == c) else {
                continue;
            };
            let nth = self.cuts.partition_point(|cut| cut.1 <= at);
            let is_cut = |cut: &Cut| (cut.0..cut.1).contains(&at);
            if self.cuts.get(nth).is_some_and(is_cut) || found.last().is_some_and(is_cut) {
                continue;
            }
            let inside = at + open.len_utf8();
            let near = &text[inside..text.floor_char_boundary(inside + MAX_ASIDE)];
            let Some(end) = near.find([open, close, '\n']) else {
                let begins = near.starts_with(|c: char| !c.is_whitespace());
                if inside + near.len() == text.len() && begins && open != '<' {
                    self.open_emphasis = Some(self.open_emphasis.unwrap_or(at).min(at));
                }
                continue;
            };
            if !near[end..].starts_with(close) {
                continue;
            }
            let behind = inside + end + close.len_utf8();
            let stars = Stars {
                before: &text[..at],
                words: &near[..end],
                behind: &text[behind..],
            };
            let is_direction = match open {
                '<' | '~' => stars.is_marked_gesture(lexicon),
                _ => stars.is_aside(lexicon),
            };
            if is_direction {
                found.push((at, behind, true));
            }
        }
        self.cuts.append(&mut found);
    }

    fn merge(&mut self) {
        self.cuts.sort_unstable();
        let mut merged: Vec<Cut> = Vec::with_capacity(self.cuts.len());
        for (start, end, gap) in self.cuts.drain(..) {
            match merged.last_mut() {
                Some(last) if start < last.1 => {
                    last.1 = last.1.max(end);
                    last.2 |= gap;
                }
                _ => merged.push((start, end, gap)),
            }
        }
        self.cuts = merged;
    }

    /// The text without what is cut, a [`GAP`] where something was.
    pub(super) fn apply(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut at = 0;
        for (start, end, gap) in &self.cuts {
            out.push_str(&text[at..*start]);
            if *gap {
                out.push(GAP);
            }
            at = *end;
        }
        out.push_str(&text[at..]);
        out
    }

    /// Where a place of the text is in what [`apply`](Self::apply) leaves of it.
    pub(super) fn place_of(&self, at: usize) -> usize {
        let mut gone = 0;
        for (start, end, gap) in &self.cuts {
            if *start >= at {
                break;
            }
            if at < *end {
                return *start - gone;
            }
            gone += end - start - usize::from(*gap);
        }
        at - gone
    }

    /// Where the markers were in the text after the cuts.
    pub(super) fn marker_places(&self) -> impl Iterator<Item = usize> {
        self.markers.iter().map(|(_, from, _)| self.place_of(*from))
    }

    /// The characters that are not cut, with their places.
    pub(super) fn kept<'a>(&'a self, text: &'a str) -> impl Iterator<Item = (usize, char)> + 'a {
        let mut cuts = self.cuts.iter().peekable();
        text.char_indices().filter(move |(i, _)| {
            while cuts.peek().is_some_and(|c| c.1 <= *i) {
                cuts.next();
            }
            cuts.peek().is_none_or(|c| *i < c.0)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn g1_cuts_are_in_order_and_do_not_overlap() {
        let text = "a [b [c] *d] e* [INTENT: f] **g** [h";
        let scan = Scan::new(text, Reading::Prose, true, true, Lexicon::english());
        assert!(scan.cuts.windows(2).all(|w| w[0].1 <= w[1].0));
        assert_eq!(scan.markers.len(), 1);
        let kept: String = scan.kept(text).map(|(_, c)| c).collect();
        assert_eq!(kept, scan.apply(text).replace(GAP, ""));
        assert_eq!(kept, "a  e*  g ");
    }

    #[test]
    fn g1_rest_of_a_marker_ends_outside_its_quotes() {
        for (text, rest) in [
            ("[MEMORY: a]", " a"),
            ("[MEMORY: \"a]\" b] c]", " \"a]\" b"),
            ("\" [MEMORY: a] \"x\"", " a"),
            ("[MEMORY: 6\" a] b", " 6\" a"),
            ("[MEMORY: a\nb] c", " a\nb"),
        ] {
            let scan = Scan::new(text, Reading::Prose, false, false, Lexicon::english());
            let (_, from, to) = scan.markers[0];
            assert_eq!(&text[from..to], rest, "{text}");
        }
    }

    #[test]
    fn g1_envelope_speech_has_no_markers() {
        let scan = Scan::new(
            "a [INTENT: b] c",
            Reading::Envelope,
            true,
            false,
            Lexicon::english(),
        );
        assert!(scan.markers.is_empty());
        assert_eq!(scan.cuts.len(), 1);
    }
}
