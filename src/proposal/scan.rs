//! Where the brackets, markers and stage directions of a text are. The rulings are in `sanitise.rs`.
//!
//! Everything is found in a fixed number of passes; what a pass would have to search for again is kept in sorted
//! lists, so that a reply of nothing but openings costs no more than any other.

use super::marker::{self, MarkerKind};
use super::stars::{StarKind, Stars};
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
    /// The place of an underscore that may open an emphasis whose end is not there.
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

    fn brackets(&mut self, text: &str, reading: Reading, respect_quotes: bool, cut_tail: bool) {
        let bytes = text.as_bytes();
        let closers = Closers::new(bytes);
        let mut quotes = Quotes::default();
        let mut quoted_until = 0;
        let mut at = 0;
        while at < bytes.len() {
            let opens = opens_bracket_at(bytes, at);
            if opens == 0 {
                if respect_quotes
                    && at >= quoted_until
                    && let Some(end) = quotes.end(text, at)
                {
                    quoted_until = end;
                }
                at += 1;
                continue;
            }
            let quoted = at < quoted_until;
            if reading != Reading::Envelope
                && let Some((kind, opening)) = marker::opening(&text[at..])
            {
                let rest = at + opening;
                let end = closers.outside_quotes(at, rest);
                let behind = |end: usize| end + closing_len(bytes, end);
                // A marker in wide brackets does nothing, and is not spoken.
                let is_wide = opens > 1;
                match (kind, end) {
                    (Some(_), _) if quoted => {
                        at = end.map_or(quoted_until, |e| behind(e).min(quoted_until));
                        continue;
                    }
                    (Some(kind), Some(end)) => {
                        if !is_wide {
                            self.markers.push((kind, rest, end));
                        }
                        self.cuts.push((at, behind(end), true));
                        at = behind(end);
                        continue;
                    }
                    (Some(_), None) => {
                        self.unterminated = Some(at);
                        self.cuts.push((at, bytes.len(), true));
                        return;
                    }
                    (None, Some(end)) if !is_label_bracket(text, at, end) => {
                        self.cuts.push((at, behind(end), true));
                        at = behind(end);
                        continue;
                    }
                    (None, _) => {}
                }
            }
            if opens > 1 {
                at += opens;
                continue;
            }
            if let Some(end) = closers.partner(at) {
                let behind = end + closing_len(bytes, end);
                if let Some(link_end) = link_end(text, behind) {
                    // Of `[the map](http://..)` the words stay, of a picture nothing.
                    let is_picture = at > 0 && bytes[at - 1] == b'!';
                    match is_picture {
                        true => self.cuts.push((at - 1, link_end, true)),
                        false => self
                            .cuts
                            .extend([(at, at + opens, false), (end, link_end, false)]),
                    }
                } else if is_label_bracket(text, at, end) {
                    self.cuts
                        .extend([(at, at + opens, false), (end, behind, false)]);
                } else {
                    // The inside is scanned on: it may hold a marker. Brackets around nothing part no word.
                    let holds = !text[at + opens..end].trim().is_empty();
                    self.cuts.push((at, behind, holds));
                }
            } else if cut_tail && !quoted {
                self.cuts.push((at, bytes.len(), true));
                return;
            }
            at += opens;
        }
    }

    fn stars(&mut self, text: &str, reading: Reading, cut_tail: bool, lexicon: &Lexicon) {
        let runs = star_runs(text, &self.cuts);
        let mut next_closer = vec![None; runs.len()];
        let mut closer: Option<usize> = None;
        for (i, run) in runs.iter().enumerate().rev() {
            // Inside a word only a star whose partner comes next, at the end of a word, opens: "f*ck" and "sh*t" do not.
            next_closer[i] = closer.filter(|c| !run.in_word || *c == i + 1 && !runs[*c].in_word);
            if run.closes {
                closer = Some(i);
            }
        }
        let mut i = 0;
        while let Some(run) = runs.get(i) {
            let stars = |from: usize, end: usize| Stars {
                before: &text[..run.start],
                words: &text[run.end..from],
                behind: &text[end..],
            };
            if run.bold {
                // The words between the end of one and the beginning of the next are not bold.
                let opens = text[run.end..].starts_with(|c: char| !c.is_whitespace());
                let close = runs.get(i + 1).filter(|close| opens && close.bold);
                match close.filter(|close| {
                    reading != Reading::Told
                        && stars(close.start, close.end).begins_with_gesture(lexicon)
                }) {
                    Some(close) => {
                        self.cuts.push((run.start, close.end, true));
                        i += 1;
                    }
                    None => self.cuts.push((run.start, run.end, false)),
                }
            } else if run.opens {
                if let Some(close) = next_closer[i] {
                    let stars = Stars {
                        before: &text[..run.start],
                        words: &text[run.end..runs[close].start],
                        behind: &text[runs[close].end..],
                    };
                    let kind = match reading {
                        Reading::Told => StarKind::Emphasis,
                        _ => stars.kind(lexicon),
                    };
                    match kind {
                        StarKind::Direction => {
                            self.cuts.push((run.start, runs[close].end, true));
                        }
                        StarKind::Emphasis => {
                            self.cuts.push((run.start, run.end, false));
                            self.cuts.push((runs[close].start, runs[close].end, false));
                            // It may hold bold words.
                            let inner = runs[i + 1..close].iter().filter(|run| run.bold);
                            self.cuts
                                .extend(inner.map(|run| (run.start, run.end, false)));
                        }
                        StarKind::None => {
                            i += 1;
                            continue;
                        }
                    }
                    i = close;
                } else if cut_tail && !run.in_word {
                    self.cuts.push((run.start, text.len(), true));
                    return;
                } else if reading != Reading::Told {
                    // `Come in. *nods and steps aside`, without its end.
                    let near = text.floor_char_boundary(run.end + MAX_ASIDE);
                    let end = text[run.end..near].find('\n');
                    let end = end.map_or(near, |end| run.end + end);
                    let is_whole = end < near || near == text.len();
                    if is_whole && stars(end, end).begins_with_gesture(lexicon) {
                        self.cuts.push((run.start, end, true));
                    }
                }
            }
            i += 1;
        }
    }

    /// Of `_emphasis_` the marks go, and the words stay, unless they are a gesture.
    fn underscores(&mut self, text: &str, reading: Reading, lexicon: &Lexicon) {
        let mut open: Option<(usize, usize)> = None;
        let mut marks = Vec::new();
        let mut at = 0;
        while let Some(found) = text[at..].find('_') {
            let start = at + found;
            let len = text[start..].bytes().take_while(|b| *b == b'_').count();
            at = start + len;
            let before = text[..start].chars().next_back();
            let after = text[at..].chars().next();
            // After a backslash it is no mark.
            let is_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '\\');
            let begins = |c: char| {
                c.is_alphanumeric() || matches!(c, '(' | '"' | '“' | '‘' | '\'' | '¿' | '¡' | '*')
            };
            let ends = |c: char| {
                c.is_alphanumeric()
                    || matches!(
                        c,
                        '.' | ','
                            | ';'
                            | ':'
                            | '!'
                            | '?'
                            | '…'
                            | '—'
                            | '–'
                            | ')'
                            | '"'
                            | '”'
                            | '’'
                            | '\''
                            | '*'
                    )
            };
            match open {
                Some(opened) if before.is_some_and(ends) && !is_word(after) => {
                    let stars = Stars {
                        before: &text[..opened.0],
                        words: &text[opened.1..start],
                        behind: &text[at..],
                    };
                    match reading != Reading::Told && stars.is_marked_gesture(lexicon) {
                        true => self.cuts.push((opened.0, at, true)),
                        false => marks.extend([opened, (start, at)]),
                    }
                    open = None;
                }
                _ if after.is_some_and(begins) && !is_word(before) => open = Some((start, at)),
                _ => {}
            }
        }
        self.open_emphasis = open.map(|(start, _)| start);
        self.cuts
            .extend(marks.into_iter().map(|(start, end)| (start, end, false)));
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

/// The length of the bracket that opens at this place, an ASCII or a wide one; 0 where none does.
fn opens_bracket_at(bytes: &[u8], at: usize) -> usize {
    match bytes.get(at..) {
        Some([b'[', ..]) => 1,
        Some(rest) if rest.starts_with("［".as_bytes()) || rest.starts_with("【".as_bytes()) => 3,
        _ => 0,
    }
}

fn closing_len_at(bytes: &[u8], at: usize) -> usize {
    match bytes.get(at..) {
        Some([b']', ..]) => 1,
        Some(rest) if rest.starts_with("］".as_bytes()) || rest.starts_with("】".as_bytes()) => 3,
        _ => 0,
    }
}

/// The length of the closing bracket at this place.
fn closing_len(bytes: &[u8], at: usize) -> usize {
    closing_len_at(bytes, at).max(1)
}

/// Whether the bracket holds the label of a line, because a colon follows it: `[Ann]: Come in.`
fn is_label_bracket(text: &str, start: usize, end: usize) -> bool {
    let bytes = text.as_bytes();
    if text[..start]
        .chars()
        .next_back()
        .is_some_and(|c| !c.is_whitespace())
    {
        return false;
    }
    let behind = bytes
        .get(end + closing_len(bytes, end)..)
        .unwrap_or_default();
    if behind.first() != Some(&b':') && !behind.starts_with("：".as_bytes()) {
        return false;
    }
    // `Eldrin [calm]: ..`: it holds the mood.
    let near = &text[text.floor_char_boundary(start.saturating_sub(MAX_ASIDE))..start];
    let line = near.rsplit('\n').next().unwrap_or_default();
    !line.contains(char::is_alphanumeric)
}

/// Where the address of a link ends that begins at `at`, after its words.
fn link_end(text: &str, at: usize) -> Option<usize> {
    let address = text.get(at..)?.strip_prefix('(')?;
    let end = address.find(|c: char| c == ')' || c.is_whitespace())?;
    let inner = &address[..end];
    let is_address = inner.contains("://")
        || inner.starts_with(['/', '#', '.'])
        || inner.starts_with("www.")
        || inner.starts_with("mailto:");
    (address[end..].starts_with(')') && is_address).then_some(at + 1 + end + 1)
}

/// Where brackets end.
struct Closers {
    quotes: Vec<usize>,
    /// Every `]`, by whether the number of straight quotes before it is odd.
    by_parity: [Vec<usize>; 2],
    /// `[` with the `]` that belongs to it, in order of the `[`.
    partners: Vec<(usize, usize)>,
}

impl Closers {
    fn new(bytes: &[u8]) -> Self {
        let mut closers = Self {
            quotes: Vec::new(),
            by_parity: [Vec::new(), Vec::new()],
            partners: Vec::new(),
        };
        let mut open = Vec::new();
        for (i, b) in bytes.iter().enumerate() {
            match b {
                b'"' => closers.quotes.push(i),
                _ if opens_bracket_at(bytes, i) > 0 => open.push(i),
                _ if closing_len_at(bytes, i) > 0 => {
                    closers.by_parity[closers.quotes.len() % 2].push(i);
                    closers.partners.extend(open.pop().map(|o| (o, i)));
                }
                _ => {}
            }
        }
        closers.partners.sort_unstable();
        closers
    }

    fn partner(&self, open: usize) -> Option<usize> {
        let i = self.partners.binary_search_by_key(&open, |p| p.0).ok()?;
        self.partners.get(i).map(|p| p.1)
    }

    /// The first `]` from `rest` on that is outside the double quotes opened since `start`. With none, one of those
    /// quotes was an inch or a slip, and the first `]` counts.
    fn outside_quotes(&self, start: usize, rest: usize) -> Option<usize> {
        let parity = self.quotes.partition_point(|q| *q < start) % 2;
        let first = |of: &[usize]| of.get(of.partition_point(|c| *c < rest)).copied();
        first(&self.by_parity[parity]).or_else(|| first(&self.by_parity[1 - parity]))
    }
}

/// Whether the sign at `at` has a word after it and none before it.
fn begins_word(text: &str, at: usize) -> bool {
    let before = text[..at].chars().next_back();
    let behind = text[at..].chars().nth(1);
    before.is_none_or(|c| c.is_whitespace() || c == GAP)
        && behind.is_some_and(|c| !c.is_whitespace())
}

/// Finds the ends of quotations, each stretch of text being searched at most once for each kind of quote.
#[derive(Default)]
pub(super) struct Quotes {
    paragraph_end: usize,
    none_before: [usize; 7],
}

impl Quotes {
    /// Whether the character at byte `at` is a mark with which a quotation may begin.
    pub(super) fn opens(text: &str, at: usize, c: char) -> bool {
        let behind_digit = at > 0 && text.as_bytes()[at - 1].is_ascii_digit();
        matches!(c, '“' | '„' | '«' | '「' | '『')
            || c == '"' && !behind_digit
            || c == '»' && begins_word(text, at)
    }

    /// The place after a quotation that begins at byte `at`, if one does.
    pub(super) fn end(&mut self, text: &str, at: usize) -> Option<usize> {
        const KINDS: [(&str, &[char]); 7] = [
            ("\"", &['"']),
            ("“", &['”']),
            ("„", &['“', '”', '"']),
            ("«", &['»']),
            ("「", &['」']),
            ("『", &['』']),
            ("»", &['«']),
        ];
        let bytes = text.as_bytes();
        // Nearly all characters are none.
        if bytes
            .get(at)
            .is_none_or(|byte| byte.is_ascii() && *byte != b'"')
        {
            return None;
        }
        let kind = KINDS
            .iter()
            .position(|(open, _)| bytes[at..].starts_with(open.as_bytes()))?;
        let (open, closers) = KINDS[kind];
        if kind == 0 && at > 0 && bytes[at - 1].is_ascii_digit() || at < self.none_before[kind] {
            return None;
        }
        // It closes in most languages.
        if kind == 6 && !begins_word(text, at) {
            return None;
        }
        if at >= self.paragraph_end {
            self.paragraph_end = text[at..].find("\n\n").map_or(text.len(), |p| at + p);
        }
        let from = at + open.len();
        let close = text
            .get(from..self.paragraph_end)
            .and_then(|t| t.match_indices(closers).next());
        let Some((place, close)) = close else {
            self.none_before[kind] = self.paragraph_end;
            return None;
        };
        Some(from + place + close.len())
    }
}

struct StarRun {
    start: usize,
    end: usize,
    in_word: bool,
    bold: bool,
    opens: bool,
    closes: bool,
}

/// The runs of stars outside `cuts`, and what each may be.
fn star_runs(text: &str, cuts: &[Cut]) -> Vec<StarRun> {
    let bytes = text.as_bytes();
    let mut runs = Vec::new();
    // The lengths of runs that have opened something.
    let mut open: Vec<usize> = Vec::new();
    let mut cuts = cuts.iter().peekable();
    let mut at = 0;
    while at < bytes.len() {
        while cuts.peek().is_some_and(|c| c.1 <= at) {
            cuts.next();
        }
        if let Some(cut) = cuts.peek().filter(|c| c.0 <= at) {
            at = cut.1;
            continue;
        }
        if bytes[at] != b'*' {
            at += 1;
            continue;
        }
        let len = bytes[at..].iter().take_while(|b| **b == b'*').count();
        let before = text[..at]
            .chars()
            .next_back()
            .filter(|c| !c.is_whitespace());
        let after = text[at + len..]
            .chars()
            .next()
            .filter(|c| !c.is_whitespace());
        let is = |side: Option<char>, what: fn(char) -> bool| side.is_some_and(what);
        // "What the f***" hides a word: nothing opened before that these would close.
        let is_pair = len == 1 || !is(before, char::is_alphanumeric) || open.contains(&len);
        if len > 1 {
            match open.iter().position(|opened| *opened == len) {
                Some(nth) => drop(open.remove(nth)),
                None if open.len() < 4 => open.push(len),
                None => {}
            }
        }
        let numbers = is(before, char::is_numeric) && is(after, char::is_numeric);
        let in_word = is(before, char::is_alphanumeric) && is(after, char::is_alphanumeric);
        runs.push(StarRun {
            start: at,
            end: at + len,
            in_word,
            bold: is_pair
                && (len > 2 || len == 2 && !in_word && (before.is_some() || after.is_some())),
            opens: len == 1 && after.is_some() && !numbers,
            closes: len == 1 && before.is_some() && !numbers,
        });
        at += len;
    }
    runs
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
