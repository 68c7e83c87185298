//! Exit codes, and what is printed where.

use crate::format::AuthoringError;
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
        let _ = writeln!(err, "{error}");
    }
    UNREADABLE
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
