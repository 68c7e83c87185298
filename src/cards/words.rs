//! The words of a card as plain words: macros resolved, markup and machinery gone.

use super::bounds::MAX_RAW_CHARS;
use super::left_out::Notes;
use crate::pipeline::steps::prompt::escape;
use crate::text::{excerpt, is_visible, single_spaced};

/// What a card calls the player.
pub(super) const PLAYER: &str = "the player";
/// In a text that is being read, the character and the player. Cards cannot write them: they are removed first.
pub(super) const CHARACTER_MARK: char = '\u{e000}';
pub(super) const PLAYER_MARK: char = '\u{e001}';

/// Resolves the macros of a text. The names of the two who talk become marks, so that their lines are found.
pub(super) fn resolved(text: &str, notes: &mut Notes) -> String {
    let text: String = looked_at(text, notes)
        .chars()
        .filter(|c| !matches!(*c, CHARACTER_MARK | PLAYER_MARK))
        .collect();
    // Open macros, outermost first; the first is no macro, but the text.
    let mut open = vec![String::new()];
    let mut rest = text.as_str();
    while let Some(at) = rest.find(['{', '}', '<']) {
        let (before, from) = rest.split_at(at);
        push(&mut open, before);
        rest = if let Some(rest) = from.strip_prefix("{{") {
            open.push(String::new());
            rest
        } else if let (Some(rest), true) = (from.strip_prefix("}}"), open.len() > 1) {
            let inner = open.pop().unwrap_or_default();
            let value = value_of(&inner, notes);
            push(&mut open, &value);
            rest
        } else if let Some((mark, rest)) = old_macro(from) {
            push(&mut open, &mark.to_string());
            rest
        } else {
            let end = from.chars().next().map_or(0, char::len_utf8);
            push(&mut open, &from[..end]);
            &from[end..]
        };
    }
    push(&mut open, rest);
    // What was never closed is no macro.
    open.join("{{")
}

/// The beginning of a text, as much of it as is looked at: what a hostile one costs has a bound.
fn looked_at<'a>(text: &'a str, notes: &mut Notes) -> &'a str {
    let Some((end, _)) = text.char_indices().nth(MAX_RAW_CHARS) else {
        return text;
    };
    notes.content("the end of a text", "it is too long");
    &text[..end]
}

fn push(open: &mut [String], text: &str) {
    if let Some(last) = open.last_mut() {
        last.push_str(text);
    }
}

/// The macros of the first cards: `<USER>`, `<BOT>`, `<CHAR>`.
fn old_macro(from: &str) -> Option<(char, &str)> {
    let macros = [
        ("<user>", PLAYER_MARK),
        ("<bot>", CHARACTER_MARK),
        ("<char>", CHARACTER_MARK),
    ];
    macros.into_iter().find_map(|(name, mark)| {
        let written = from.get(..name.len())?;
        written
            .eq_ignore_ascii_case(name)
            .then(|| (mark, &from[name.len()..]))
    })
}

/// What a macro gives. The same card gives the same files each time, so chance gives the first choice.
fn value_of(inner: &str, notes: &mut Notes) -> String {
    let inner = inner.trim();
    let (name, argument) = inner.split_once(':').unwrap_or((inner, ""));
    let argument = argument.strip_prefix(':').unwrap_or(argument);
    match name.trim().to_ascii_lowercase().as_str() {
        "char" | "bot" => CHARACTER_MARK.to_string(),
        "user" => PLAYER_MARK.to_string(),
        "newline" => "\n".to_owned(),
        "random" | "pick" => {
            notes.content(format!("{{{{{name}}}}}"), "the first choice is taken");
            let first = argument.split("::").next().unwrap_or_default();
            match first.len() < argument.len() {
                true => first.trim().to_owned(),
                false => argument
                    .split(',')
                    .next()
                    .unwrap_or_default()
                    .trim()
                    .to_owned(),
            }
        }
        "noop" | "trim" | "original" | "comment" | "hidden_key" => String::new(),
        name if name.starts_with("//") => String::new(),
        name => {
            let name = excerpt(name);
            notes.content(format!("the macro {{{{{name}}}}}"), "it has no value here");
            String::new()
        }
    }
}

/// The text with the names of the two who talk.
pub(super) fn named(text: &str, character: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            CHARACTER_MARK => out.push_str(character),
            // At the beginning of a sentence it has a capital letter.
            PLAYER_MARK if begins_sentence(&out) => out.push_str("The player"),
            PLAYER_MARK => out.push_str(PLAYER),
            c => out.push(c),
        }
    }
    out
}

fn begins_sentence(before: &str) -> bool {
    let before = before.trim_end_matches([' ', '"', '*', '\u{201c}', '(']);
    before.is_empty() || before.ends_with(['.', '!', '?', '\n', ':'])
}

/// Plain text of several lines: no markup, and nothing that a prompt could take for its own. Blank lines part paragraphs.
pub(super) fn plain(text: &str, most: usize, what: &'static str, notes: &mut Notes) -> String {
    let text = without_markup(looked_at(text, notes), notes);
    let mut out = String::new();
    let mut is_parted = false;
    for line in text.lines() {
        // A heading of a card must not look like one of ours.
        let line = escape(line.trim().trim_start_matches(['#', '>', '=']).trim_start());
        let is_rule = line
            .chars()
            .all(|c| matches!(c, '-' | '_' | '*' | ' ' | '~'));
        if is_rule || !is_visible(&line) {
            is_parted = !out.is_empty();
            continue;
        }
        if !out.is_empty() {
            out.push_str(if is_parted { "\n\n" } else { "\n" });
        }
        out.push_str(line.trim());
        is_parted = false;
    }
    bounded(out, most, what, notes)
}

/// Plain text on one line.
pub(super) fn line(text: &str, most: usize, what: &'static str, notes: &mut Notes) -> String {
    let text = plain(text, usize::MAX, what, notes);
    bounded(single_spaced(&text), most, what, notes)
}

/// Cuts a text after the last sentence, or else the last word, that fits.
fn bounded(text: String, most: usize, what: &'static str, notes: &mut Notes) -> String {
    let Some((end, _)) = text.char_indices().nth(most) else {
        return text;
    };
    notes.content(format!("the end of {what}"), "it is too long");
    let kept = &text[..end];
    let sentence = kept.rfind(['.', '!', '?', '\n', '\u{3002}']);
    let sentence = sentence
        .filter(|at| *at > end / 2)
        .map(|at| at + kept[at..].chars().next().map_or(0, char::len_utf8));
    let word = kept.rfind(' ');
    kept[..sentence.or(word).unwrap_or(end)]
        .trim_end()
        .to_owned()
}

/// The text without HTML, and without pictures and the addresses of links in Markdown.
fn without_markup(text: &str, notes: &mut Notes) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['<', '!', '[']) {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        if let Some(end) = tag_end(from) {
            notes.note("HTML", "a character has no page");
            rest = &from[end..];
        } else if let Some((label, end)) = picture_or_link(from) {
            out.push_str(label);
            notes.note("pictures and links", "a character has no page");
            rest = &from[end..];
        } else {
            let end = from.chars().next().map_or(0, char::len_utf8);
            out.push_str(&from[..end]);
            rest = &from[end..];
        }
    }
    out.push_str(rest);
    out
}

/// The longest tag, in bytes; what is longer is text.
const MAX_TAG: usize = 500;
/// Elements whose content is for programs.
const PROGRAMS: [&str; 2] = ["script", "style"];

/// Where the tag ends that the text begins with, with what it holds where that is for programs.
fn tag_end(from: &str) -> Option<usize> {
    let inside = from.strip_prefix('<')?;
    let name = inside.strip_prefix(['/', '!']).unwrap_or(inside);
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '-')
        .then_some(())?;
    let end = from.bytes().take(MAX_TAG).position(|byte| byte == b'>')? + 1;
    let program = PROGRAMS.iter().find(|program| {
        inside
            .get(..program.len())
            .is_some_and(|name| name.eq_ignore_ascii_case(program))
    });
    let Some(program) = program else {
        return Some(end);
    };
    // Without an end, all of the rest is the program.
    let close = from[end..].char_indices().find(|(at, _)| {
        let rest = &from[end + at..];
        let name = rest
            .strip_prefix("</")
            .and_then(|name| name.get(..program.len()));
        name.is_some_and(|name| name.eq_ignore_ascii_case(program))
    });
    let close = close.map_or(from.len(), |(at, _)| {
        let at = end + at;
        from[at..]
            .find('>')
            .map_or(from.len(), |length| at + length + 1)
    });
    Some(close)
}

/// What is read of a picture or a link of Markdown, and where it ends.
fn picture_or_link(from: &str) -> Option<(&str, usize)> {
    let is_picture = from.starts_with("![");
    let label = from.strip_prefix("![").or_else(|| from.strip_prefix('['))?;
    let begin = from.len() - label.len();
    let close = label
        .bytes()
        .take(MAX_TAG)
        .position(|byte| matches!(byte, b']' | b'\n'))?;
    let address = label[close..].strip_prefix("](")?;
    let end = address
        .bytes()
        .take(MAX_TAG)
        .position(|byte| matches!(byte, b')' | b'\n'))?;
    address[end..].starts_with(')').then_some(())?;
    let whole = begin + close + 2 + end + 1;
    Some((if is_picture { "" } else { &label[..close] }, whole))
}
