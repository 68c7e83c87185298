//! A reader for server-sent events, private to the HTTP engine.
//!
//! It takes bytes as they arrive, so a chunk may end anywhere: inside a UTF-8 character, inside `data:`, between
//! the two bytes of a CRLF. Its memory is bounded, and so is its time: each byte is looked at twice at most.

use thiserror::Error;

/// One event. Only what the chat protocol uses is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SseEvent {
    /// Whether the server named the event `error`.
    pub error: bool,
    /// The `data` lines, joined by line feeds. Not yet known to be UTF-8.
    pub data: Vec<u8>,
}

/// An event is longer than the reader's limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("an event is longer than {0} bytes")]
pub(super) struct TooLong(pub usize);

/// Turns bytes into events.
#[derive(Debug)]
pub(super) struct SseReader {
    limit: usize,
    line: Vec<u8>,
    data: Option<Vec<u8>>,
    error: bool,
    after_cr: bool,
    first_line: bool,
}

impl SseReader {
    /// A reader that refuses events (and lines) of more than `limit` bytes.
    pub fn new(limit: usize) -> Self {
        Self {
            limit,
            line: Vec::new(),
            data: None,
            error: false,
            after_cr: false,
            first_line: true,
        }
    }

    /// Takes the next bytes and returns the events that they complete. An event that no blank line ended is never
    /// returned, as the standard has it: it may be cut.
    pub fn push(&mut self, mut bytes: &[u8]) -> Result<Vec<SseEvent>, TooLong> {
        let mut events = Vec::new();
        if self.after_cr && !bytes.is_empty() {
            self.after_cr = false;
            bytes = bytes.strip_prefix(b"\n").unwrap_or(bytes);
        }
        while let Some(end) = bytes.iter().position(|b| matches!(b, b'\n' | b'\r')) {
            let (head, tail) = bytes.split_at(end);
            self.grow(head)?;
            bytes = match tail {
                [b'\r', b'\n', rest @ ..] | [b'\n', rest @ ..] => rest,
                [b'\r'] => {
                    self.after_cr = true;
                    &[]
                }
                [_, rest @ ..] => rest,
                [] => &[],
            };
            events.extend(self.end_line());
        }
        self.grow(bytes)?;
        Ok(events)
    }

    fn grow(&mut self, bytes: &[u8]) -> Result<(), TooLong> {
        let held = self.line.len() + self.data.as_ref().map_or(0, Vec::len);
        if held.saturating_add(bytes.len()) > self.limit {
            return Err(TooLong(self.limit));
        }
        self.line.extend_from_slice(bytes);
        Ok(())
    }

    fn end_line(&mut self) -> Option<SseEvent> {
        let line = std::mem::take(&mut self.line);
        let mut text = line.as_slice();
        if std::mem::take(&mut self.first_line) {
            text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
        }
        if text.is_empty() {
            let error = std::mem::take(&mut self.error);
            return self.data.take().map(|data| SseEvent { error, data });
        }
        let (field, value) = match text.iter().position(|&b| b == b':') {
            Some(colon) => (&text[..colon], &text[colon + 1..]),
            None => (text, &[][..]),
        };
        let value = value.strip_prefix(b" ").unwrap_or(value);
        match (field, &mut self.data) {
            (b"data", Some(data)) => {
                data.push(b'\n');
                data.extend_from_slice(value);
            }
            (b"data", None) => self.data = Some(value.to_vec()),
            (b"event", _) => self.error = value == b"error",
            // Comments (an empty field name), ids, retry times: nothing that a chat needs.
            _ => {}
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(chunks: &[&[u8]]) -> Vec<String> {
        let mut reader = SseReader::new(1_000);
        let mut all = Vec::new();
        for chunk in chunks {
            for event in reader.push(chunk).unwrap() {
                let mark = if event.error { "!" } else { "" };
                all.push(format!("{mark}{}", String::from_utf8(event.data).unwrap()));
            }
        }
        all
    }

    #[test]
    fn every_line_ending_ends_a_line() {
        assert_eq!(
            read(&[b"data: a\n\ndata: b\r\n\r\ndata: c\r\r"]),
            ["a", "b", "c"]
        );
        assert_eq!(read(&[b"data: a\r", b"\n\r", b"\ndata: b\n\n"]), ["a", "b"]);
    }

    #[test]
    fn comments_ids_and_byte_order_marks_are_passed_over() {
        assert_eq!(
            read(&[b"\xef\xbb\xbfdata: a\n:\n: ping\nid: 3\nretry: 5\nnonsense\n\n\n\n"]),
            ["a"]
        );
    }

    #[test]
    fn data_lines_are_joined_and_lose_one_space_only() {
        assert_eq!(read(&[b"data:a\ndata:  b\ndata\n\n"]), ["a\n b\n"]);
    }

    #[test]
    fn an_error_event_is_marked_and_the_mark_does_not_stick() {
        assert_eq!(
            read(&[b"event: error\ndata: a\n\ndata: b\n\n"]),
            ["!a", "b"]
        );
    }

    #[test]
    fn an_event_without_its_blank_line_is_not_an_event() {
        assert_eq!(read(&[b"data: a\n\ndata: b\n"]), ["a"]);
    }

    #[test]
    fn r1_neither_a_line_nor_an_event_grows_past_the_limit() {
        let mut reader = SseReader::new(10);
        assert_eq!(reader.push(b"data: 12345"), Err(TooLong(10)));
        let mut reader = SseReader::new(10);
        assert_eq!(reader.push(b"data: 1234\n").map(|e| e.len()), Ok(0));
        assert_eq!(reader.push(b"data: 5"), Err(TooLong(10)));
    }

    proptest! {
        #[test]
        fn r1_chunk_borders_never_change_the_events(
            text in "(data: [a-zé]{0,4}|:|event: error|id: 1|\u{feff}|x)?((\r\n|\n|\r){1,2}(data: ?[a-zé]{0,4}|:|event: error)?){0,12}",
            cuts in prop::collection::vec(0usize..200, 0..8),
        ) {
            let bytes = text.as_bytes();
            let whole = SseReader::new(1_000).push(bytes).unwrap();
            let mut cuts: Vec<usize> = cuts.into_iter().map(|c| c.min(bytes.len())).collect();
            cuts.push(bytes.len());
            cuts.sort_unstable();
            let mut reader = SseReader::new(1_000);
            let mut parts = Vec::new();
            let mut from = 0;
            for cut in cuts {
                parts.extend(reader.push(&bytes[from..cut]).unwrap());
                from = cut;
            }
            prop_assert_eq!(parts, whole);
        }

        #[test]
        fn r1_any_bytes_are_read_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            let _ = SseReader::new(64).push(&bytes);
        }
    }
}
