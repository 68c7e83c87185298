//! Exit codes, and what is printed where.

use crate::format::{AuthoringError, error::decode};
use std::io::Write;

/// The exit code when everything held.
pub(super) const HELD: u8 = 0;
/// The exit code when something did not hold, or was found.
pub(super) const BROKEN: u8 = 1;
/// The exit code when something cannot be read.
pub(super) const UNREADABLE: u8 = 2;

/// Prints errors to standard error, and answers with the exit code for what cannot be read.
pub(super) fn print_errors(errors: &[AuthoringError]) -> u8 {
    let mut err = std::io::stderr().lock();
    for error in errors {
        // When standard error is closed, there is no place to report it.
        let _ = writeln!(err, "{error}{}", marked(error).unwrap_or_default());
    }
    UNREADABLE
}

/// The most characters of a line that are shown, before and after the mark.
const MOST_SHOWN: usize = 60;

/// The line of an error, and below it a mark at its place; nothing for an error about a whole file.
fn marked(error: &AuthoringError) -> Option<String> {
    if (error.line, error.column) == (1, 1) {
        return None;
    }
    let bytes = std::fs::read(&error.file).ok()?;
    let source = decode(&bytes, &error.file).ok()?;
    let line: Vec<char> = source.lines().nth(error.line - 1)?.chars().collect();
    let at = (error.column - 1).min(line.len());
    let begin = at.saturating_sub(MOST_SHOWN);
    let end = line.len().min(at + MOST_SHOWN);
    // One sign for each character, so that the mark is at its place; and no sign steers the terminal.
    let shown = line[begin..end]
        .iter()
        .map(|c| if c.is_control() { ' ' } else { *c });
    let shown: String = shown.collect();
    let number = error.line.to_string();
    let (margin, before) = (" ".repeat(number.len()), " ".repeat(at - begin));
    Some(format!(
        "\n  {number} | {}\n  {margin} | {before}^",
        shown.trim_end()
    ))
}

/// Prints a line to standard output; see [`print_words`].
pub(super) fn print_line(line: &str) {
    print_words(&format!("{line}\n"));
}

/// Prints words to standard output at once. A reader that has gone away, as `head` does, is not an error; anything else ends the
/// process with 2, because a lost trace must not look like a held scenario.
pub(super) fn print_words(words: &str) {
    let mut out = std::io::stdout().lock();
    let printed = out.write_all(words.as_bytes()).and_then(|()| out.flush());
    if let Err(error) = printed
        && error.kind() != std::io::ErrorKind::BrokenPipe
    {
        print_errors(&[AuthoringError::whole("standard output", error.to_string())]);
        std::process::exit(i32::from(UNREADABLE));
    }
}
