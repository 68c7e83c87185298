//! Brackets: which of them are markers, links and labels, and where they end.

use super::super::marker;
use super::super::quotation_marks::Quotes;
use super::{MAX_ASIDE, Reading, Scan};

impl Scan {
    /// Brackets, and the markers among them.
    pub(super) fn brackets(
        &mut self,
        text: &str,
        reading: Reading,
        respect_quotes: bool,
        cut_tail: bool,
    ) {
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
