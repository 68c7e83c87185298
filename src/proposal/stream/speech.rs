//! What of a text that is still coming is certain to be said: sentences, and the markers between them.

use super::super::heads::Heads;
use super::super::labels::is_list_number;
use super::super::marker::Marker;
use super::super::options::ParseOptions;
use super::super::preambles::is_assent;
use super::super::quotation::{Enclosed, enclosed_in};
use super::super::quotation_marks::Quotes;
use super::super::sanitise::{is_settled, said};
use super::super::scan::{Reading, Scan};
use super::super::sentence_ends::sentence_ends_before;
use super::super::telling::may_be_told;
use super::super::white_space::{GAP, normalise, tidy_with};
use crate::text::controls::may_hold_together;
use crate::text::fold::fold;
use crate::text::sentence::is_end_mark;

/// Something that is certain, whatever follows.
#[derive(Debug)]
pub(super) enum Certain {
    /// A marker has ended.
    Marker(Marker),
    /// The next sentence has begun: the words of this one, with the space before them.
    Sentence(String),
    /// There is a code fence in the text.
    Fence,
}

/// Up to this many bytes a text is looked at after every character that could end a sentence. A longer one without any end is
/// looked at each time that it has grown by a sixteenth, so that reading it stays linear.
const LOOKED_AT_ALWAYS: usize = 1_024;

/// The text after the last sentence that was certain.
#[derive(Debug)]
pub(super) struct SpeechReader {
    reading: Reading,
    text: String,
    /// Characters whose meaning the next one decides.
    held: String,
    /// The text between the last sentence and the next one: a space, or nothing.
    space: &'static str,
    /// What the lines so far have said about the speaker.
    heads: Heads,
    /// How many markers of the text have been told.
    markers: usize,
    has_end_mark: bool,
    has_line_break: bool,
    /// The length of the text before which it is not looked at again.
    not_before: usize,
}

impl SpeechReader {
    pub(super) fn new(reading: Reading) -> Self {
        Self {
            reading,
            text: String::new(),
            held: String::new(),
            space: "",
            heads: Heads::default(),
            markers: 0,
            has_end_mark: false,
            has_line_break: false,
            not_before: 0,
        }
    }

    /// Takes the next character, and says what has become certain by it.
    pub(super) fn take(&mut self, c: char, options: &ParseOptions) -> Vec<Certain> {
        if self.heads.has_ended() {
            return Vec::new();
        }
        let before = self.text.len();
        self.push(c);
        let new = self.text.get(before..).unwrap_or_default();
        let Some(last) = new.chars().next_back() else {
            return Vec::new();
        };
        let is_line_break = new.contains('\n');
        let ends_marker = last == ']' && self.reading == Reading::Prose;
        let begins = !last.is_whitespace()
            && (self.has_line_break || self.has_end_mark && !last.is_lowercase());
        self.has_line_break |= is_line_break;
        self.has_end_mark |= new.chars().any(is_end_mark);
        if self.reading == Reading::Prose && self.text.ends_with("```") {
            return vec![Certain::Fence];
        }
        if !(ends_marker || begins) || self.text.len() < self.not_before {
            return Vec::new();
        }
        let certain = self.look(options);
        if certain.is_empty() && self.text.len() > LOOKED_AT_ALWAYS {
            self.not_before = self.text.len() + self.text.len() / 16;
        }
        certain
    }

    /// Adds a character as [`normalise`] writes it.
    fn push(&mut self, c: char) {
        if is_held(c) {
            self.held.push(c);
        } else if !self.held.is_empty() {
            let before = self.text.pop();
            let held = std::mem::take(&mut self.held);
            let piece: String = before.into_iter().chain(held.chars()).chain([c]).collect();
            self.text.push_str(&normalise(&piece));
        } else if matches!(c, ' '..='~') {
            // As nearly all characters are.
            self.text.push(c);
        } else {
            self.text.push_str(&normalise(c.encode_utf8(&mut [0; 4])));
        }
    }

    /// Looks at the text: what of it stays, whatever follows?
    fn look(&mut self, options: &ParseOptions) -> Vec<Certain> {
        let certain = self.text.trim_end_matches(['*', '_', '`']);
        if !self.heads.has_said() {
            let scan = Scan::new(certain, self.reading, false, true, options.lexicon);
            if enclosed_in(scan.kept(certain), options) != Enclosed::No
                || may_be_told(scan.kept(certain), options)
            {
                return Vec::new();
            }
        }
        let mut certain = certain;
        let mut scan = Scan::new(certain, self.reading, true, true, options.lexicon);
        let quotation = open_quotation(certain, &scan);
        let open = [scan.open_emphasis, quotation];
        let open = open.into_iter().flatten().min();
        // Its contents are not certain, only its beginning.
        let begins = open.is_some() && open == quotation;
        if let Some(open) = open {
            certain = certain.get(..open).unwrap_or_default();
            scan = Scan::new(certain, self.reading, true, true, options.lexicon);
        }
        let stripped = scan.apply(certain);
        let mut ends = sentence_ends_before(&stripped, begins, options.lexicon);
        let all_ends = ends.clone();
        // What follows the number of a list may be a label, and what follows "Sure!" a preamble.
        while let Some((last, before)) = ends.split_last() {
            let from = before.last().map_or(0, |end| end.next);
            let piece = stripped.get(from..last.end).unwrap_or_default();
            let is_opener = !self.heads.has_said() && is_assent(piece);
            if !is_list_number(piece) && !is_opener {
                break;
            }
            ends.pop();
        }
        let places: Vec<usize> = scan.marker_places().skip(self.markers).collect();
        let reads = match places.is_empty() {
            true => Vec::new(),
            false => {
                said(
                    &stripped,
                    &all_ends,
                    &places,
                    &mut { self.heads },
                    true,
                    options,
                )
                .reads
            }
        };
        let mut heads = self.heads;
        let said = said(&stripped, &ends, &[], &mut heads, false, options);
        let new = scan.markers.iter().skip(self.markers).zip(reads);
        let mut found: Vec<Certain> = new
            .filter(|(_, is_read)| *is_read)
            .map(|((kind, start, end), _)| {
                Certain::Marker(Marker {
                    kind: *kind,
                    rest: certain[*start..*end].to_owned(),
                })
            })
            .collect();
        self.markers = self.markers.max(scan.markers.len());
        let Some(last) = ends.last() else {
            return found;
        };
        let places: Vec<usize> = said.ends.iter().map(|(end, _)| *end).collect();
        let (tidied, places) = tidy_with(&said.text, &places);
        let is_first = !self.heads.has_said();
        // What follows decides whether signs alone are said.
        let is_signs = !tidied.contains(char::is_alphanumeric);
        if is_first && (is_signs || may_be_label(&tidied, options.speaker_names))
            || !is_settled(&tidied, self.reading, options)
        {
            return found;
        }
        let mut from = 0;
        for (place, (_, is_parted)) in places.into_iter().zip(&said.ends) {
            let piece = tidied.get(from..place).unwrap_or_default();
            from = place;
            if piece.trim().is_empty() {
                continue;
            }
            found.push(Certain::Sentence(format!("{}{}", self.space, piece.trim())));
            self.space = if *is_parted { " " } else { "" };
        }
        self.heads = heads;
        // The kept part of the text begins where the next sentence does.
        let before = stripped.get(..last.next).unwrap_or_default();
        let nth = before.chars().filter(|c| *c != GAP).count();
        let next = scan.kept(certain).nth(nth).map(|(place, _)| place);
        let next = next.unwrap_or(certain.len());
        let next = before_marks(certain, next);
        // One that is in the rest was told already.
        let kept = scan.markers.iter().filter(|(_, from, _)| *from >= next);
        self.markers = kept.count();
        self.text.drain(..next);
        self.has_end_mark = self.text.contains(is_end_mark);
        self.has_line_break = self.text.contains('\n');
        self.not_before = 0;
        found
    }
}

/// The place of the marks of emphasis before a place. Their partners may still come.
fn before_marks(text: &str, place: usize) -> usize {
    let before = text.get(..place).unwrap_or_default();
    before.trim_end_matches(['*', '_', '`']).len()
}

/// Whether the next character decides what this one is: the end of a line, or a part of a word or an emoji.
fn is_held(c: char) -> bool {
    c == '\r' || may_hold_together(c)
}

/// Where a quotation begins whose end has not come.
fn open_quotation(text: &str, scan: &Scan) -> Option<usize> {
    let mut quotes = Quotes::default();
    let mut quoted_until = 0;
    let paragraph = text.rfind("\n\n").map_or(0, |at| at + 2);
    for (at, c) in scan.kept(text) {
        if at < quoted_until {
            continue;
        }
        if let Some(end) = quotes.end(text, at) {
            quoted_until = end;
        } else if at >= paragraph && Quotes::opens(text, at, c) {
            return Some(at);
        }
    }
    None
}

/// Whether the line so far may be the beginning of a speaker's label.
fn may_be_label(line: &str, names: &[String]) -> bool {
    if names.is_empty() || line.contains([':', '：']) || line.len() > 512 {
        return false;
    }
    let said = fold(line.trim());
    names
        .iter()
        .any(|name| fold(name.trim()).starts_with(&said))
}
