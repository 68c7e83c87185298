//! The lines that a player types, or that another program sends: any bytes. A line that is no text is answered with one sentence, and
//! the talk goes on.

use super::output::{HELD, print_errors, print_line};
use crate::format::AuthoringError;
use std::io::{BufRead, ErrorKind};
use thiserror::Error;

/// The most bytes of a line. What a character hears, and what an actor does, is shorter.
const MOST_BYTES: usize = 64 * 1024;

/// Why a line is not read. The text is for the player.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
enum BadLine {
    #[error("byte {0} of this line is not UTF-8: send it again as UTF-8 text")]
    NotUtf8(usize),
    #[error("this line holds NUL bytes, as UTF-16 text does: send it again as UTF-8 text")]
    Nul,
    #[error("this line has more than {MOST_BYTES} bytes: send a shorter one")]
    TooLong,
}

/// Obeys each line of standard input until it ends, and says why a line cannot be read. The exit code of the command.
pub(super) fn obey_each(mut obey: impl FnMut(&str)) -> u8 {
    let mut lines = Lines::of(std::io::stdin().lock());
    loop {
        match lines.next() {
            Ok(None) => return HELD,
            Ok(Some(Ok(line))) => obey(&line),
            Ok(Some(Err(bad))) => print_line(&format!("  ({bad})")),
            Err(error) => {
                return print_errors(&[AuthoringError::whole("standard input", error.to_string())]);
            }
        }
    }
}

struct Lines<R> {
    input: R,
    is_first: bool,
}

impl<R: BufRead> Lines<R> {
    fn of(input: R) -> Self {
        Self {
            input,
            is_first: true,
        }
    }

    /// The next line without its end; `None` at the end of the input, before which a line need have no end.
    fn next(&mut self) -> std::io::Result<Option<Result<String, BadLine>>> {
        let mut line = Vec::new();
        let mut bytes = 0_usize;
        loop {
            let part = match self.input.fill_buf() {
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                part => part?,
            };
            if part.is_empty() && bytes == 0 {
                return Ok(None);
            }
            let end = part.iter().position(|byte| *byte == b'\n');
            let of_line = &part[..end.unwrap_or(part.len())];
            let read = end.map_or(part.len(), |end| end + 1);
            let room = (MOST_BYTES + 1).saturating_sub(line.len());
            line.extend(&of_line[..room.min(of_line.len())]);
            let is_over = end.is_some() || part.is_empty();
            self.input.consume(read);
            bytes = bytes.saturating_add(read);
            if is_over {
                let is_first = std::mem::take(&mut self.is_first);
                return Ok(Some(text_of(&line, is_first)));
            }
        }
    }
}

fn text_of(line: &[u8], is_first: bool) -> Result<String, BadLine> {
    if line.len() > MOST_BYTES {
        return Err(BadLine::TooLong);
    }
    // Some editors mark the beginning of a file as UTF-8.
    let line = match line.strip_prefix(b"\xEF\xBB\xBF") {
        Some(unmarked) if is_first => unmarked,
        _ => line,
    };
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    if line.contains(&0) {
        return Err(BadLine::Nul);
    }
    let text = std::str::from_utf8(line).map_err(|error| BadLine::NotUtf8(error.valid_up_to() + 1));
    text.map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufReader, Read};

    fn read(bytes: &[u8], at_once: usize) -> Vec<Result<String, BadLine>> {
        let mut lines = Lines::of(BufReader::with_capacity(at_once, bytes));
        std::iter::from_fn(|| lines.next().unwrap()).collect()
    }

    #[test]
    fn x4_whatever_bytes_come_each_line_is_read_or_refused_and_the_next_one_is_read() {
        let text = |text: &str| Ok(text.to_owned());
        let utf_16 = "\u{FEFF}Hi\nyou".encode_utf16().flat_map(u16::to_le_bytes);
        let utf_16: Vec<u8> = utf_16.collect();
        for (bytes, lines) in [
            (&b""[..], vec![]),
            (b"Hello?\nBye.\n", vec![text("Hello?"), text("Bye.")]),
            (b"no end", vec![text("no end")]),
            (b"\r\n\n", vec![text(""), text("")]),
            (b"one\r\ntwo\r\n", vec![text("one"), text("two")]),
            (
                b"Caf\xE9?\nHello?\n",
                vec![Err(BadLine::NotUtf8(4)), text("Hello?")],
            ),
            (
                b"Gr\xFC\xDFe\nok",
                vec![Err(BadLine::NotUtf8(3)), text("ok")],
            ),
            (b"\xC3\nok", vec![Err(BadLine::NotUtf8(1)), text("ok")]),
            (
                b"\xED\xA0\x80\nok",
                vec![Err(BadLine::NotUtf8(1)), text("ok")],
            ),
            (b"a\0b\nok", vec![Err(BadLine::Nul), text("ok")]),
            (&utf_16, vec![Err(BadLine::Nul), Err(BadLine::Nul)]),
            (
                b"\xEF\xBB\xBFone\n\xEF\xBB\xBFtwo",
                vec![text("one"), text("\u{FEFF}two")],
            ),
            ("Grüße, 世界 🎲\n".as_bytes(), vec![text("Grüße, 世界 🎲")]),
        ] {
            for at_once in [1, 2, 3, 7, 1_000] {
                assert_eq!(read(bytes, at_once), lines, "{bytes:?}, {at_once} at once");
            }
        }
    }

    #[test]
    fn x4_a_line_without_an_end_is_refused_in_bounded_room() {
        let endless = std::io::repeat(b'a').take(50 << 20);
        let mut lines = Lines::of(BufReader::new(endless.chain(&b"\nHello?\n"[..])));
        assert_eq!(lines.next().unwrap(), Some(Err(BadLine::TooLong)));
        assert_eq!(lines.next().unwrap(), Some(Ok("Hello?".to_owned())));
        let longest = "a".repeat(MOST_BYTES);
        assert_eq!(read(longest.as_bytes(), 64), [Ok(longest.clone())]);
    }
}
