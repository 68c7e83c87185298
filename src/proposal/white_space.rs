//! White space and control characters.

use crate::text::controls::cleaned;

/// Marks a place where text was cut out. No text holds it, because control characters go first.
pub(super) const GAP: char = '\0';

/// White space and invisible characters, as they may be around an envelope.
pub(super) fn is_blank(c: char) -> bool {
    c.is_whitespace()
        || c.is_control()
        || matches!(
            c,
            '\u{feff}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{ad}'
        )
}

/// A line ends only at LF or CR LF, and becomes `\n` there. Other white space among the control characters becomes a space; the
/// rest of them vanish, together with invisible characters.
pub(super) fn normalise(text: &str) -> String {
    let is_space = |c| {
        matches!(
            c,
            '\r' | '\t' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}'
        )
    };
    cleaned(&text.replace("\r\n", "\n"), is_space)
}

/// Whether a sign belongs to the words before it, so that no space stays between them where something was cut.
pub(super) fn closes(c: char) -> bool {
    matches!(c, '.' | ',' | '!' | '?' | ';' | ':' | '…' | ')' | '”' | '»')
}

/// One line: white space collapsed, and the places where something was cut closed.
pub(super) fn tidy(text: &str) -> String {
    tidy_with(text, &[]).0
}

/// The same, and where some places of the text, in order, are in it.
pub(super) fn tidy_with(text: &str, places: &[usize]) -> (String, Vec<usize>) {
    let mut out = String::with_capacity(text.len());
    let mut moved = Vec::with_capacity(places.len());
    let mut places = places.iter().peekable();
    let (mut space, mut gap, mut odd_quotes) = (false, false, false);
    let mut line_break = false;
    let mut last = None;
    for (at, c) in text.char_indices() {
        while places.next_if(|place| **place <= at).is_some() {
            moved.push(out.len());
        }
        if c == GAP {
            gap = true;
            continue;
        }
        if c.is_whitespace() {
            space = true;
            line_break |= c == '\n';
            continue;
        }
        if let Some(before) = last {
            let words = gap && char::is_alphanumeric(before) && c.is_alphanumeric();
            let closes = closes(c) || c == '"' && odd_quotes;
            let opened = matches!(before, '(' | '“' | '«') || before == '"' && odd_quotes;
            // "Welcome, [name]!": the comma belonged to what was cut.
            if gap && !line_break && before == ',' && matches!(c, '.' | ',' | '!' | '?') {
                out.pop();
                let behind = moved.iter_mut().rev();
                behind
                    .take_while(|place| **place > out.len())
                    .for_each(|place| *place = out.len());
            }
            if words || space && !(gap && (closes || opened)) {
                out.push(' ');
            }
        }
        odd_quotes ^= c == '"';
        out.push(c);
        last = Some(c);
        (space, gap, line_break) = (false, false, false);
    }
    moved.extend(places.map(|_| out.len()));
    (out, moved)
}
