//! Stars and underscores: which of them are a pair, and of what kind.

use super::super::stars::{StarKind, Stars};
use super::{Cut, MAX_ASIDE, Reading, Scan};
use crate::text::Lexicon;

impl Scan {
    /// Stage directions and emphasis between stars.
    pub(super) fn stars(
        &mut self,
        text: &str,
        reading: Reading,
        cut_tail: bool,
        lexicon: &Lexicon,
    ) {
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
                        && stars(close.start, close.end).is_bold_direction(lexicon)
                }) {
                    Some(close) => {
                        self.cuts.push((run.start, close.end, true));
                        i += 1;
                    }
                    None => self.cuts.push((run.start, run.end, false)),
                }
            } else if run.opens {
                if let Some(close) = next_closer[i] {
                    let kind = match reading {
                        Reading::Told => StarKind::Emphasis,
                        _ => stars(runs[close].start, runs[close].end).kind(lexicon),
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
                    self.open_emphasis = Some(run.start);
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
            } else if run.is_alone_on_its_line(text) {
                self.cuts.push((run.start, run.end, false));
            }
            i += 1;
        }
    }

    /// Of `_emphasis_` the marks go, and the words stay, unless they are a gesture.
    pub(super) fn underscores(&mut self, text: &str, reading: Reading, lexicon: &Lexicon) {
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
        let open = open.map(|(start, _)| start);
        self.open_emphasis = self.open_emphasis.into_iter().chain(open).min();
        self.cuts
            .extend(marks.into_iter().map(|(start, end)| (start, end, false)));
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

impl StarRun {
    fn is_alone_on_its_line(&self, text: &str) -> bool {
        let before = text[..self.start].trim_end_matches([' ', '\t']);
        let behind = text[self.end..].trim_start_matches([' ', '\t']);
        (before.is_empty() || before.ends_with('\n'))
            && (behind.is_empty() || behind.starts_with('\n'))
    }
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
