//! A reader for server-sent events, private to the HTTP engine.
//!
//! It takes bytes as they arrive, so a chunk may end anywhere: inside a UTF-8 character, inside `data:`, between
//! the two bytes of a CRLF. Its memory is bounded, and so is its time: each byte is looked at twice at most.
//!
//! It reads more than the standard has, since servers send more:
//!
//! | what is sent | what the reader makes of it |
//! |---|---|
//! | an event without data, or with white space alone | passed over: it keeps the connection alive |
//! | a `data` line with an object after one with an object | two events: the blank line between them is missing |
//! | a `data` line with the end mark | an event of its own, whatever is before and after it |
//! | the last event without its blank line | an event, when the stream has ended ([`SseReader::end`]) |
//! | `error: ..` in place of `data: ..` (older llama.cpp), an event named `exception` | an event named `error` |
//! | `data: data: ..` | the same with one `data:` |
//! | a line without a field of the standard | kept in [`SseReader::strays`]: a proxy says so that it has lost the server |
//! | NUL, or white space before a field | passed over |

use thiserror::Error;

/// How much of a stray line is kept.
const STRAY: usize = 300;

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
    /// Whether the data so far end with an object.
    after_object: bool,
    after_cr: bool,
    first_line: bool,
    /// The beginning of each line that has no field of the standard, and how many events the same bytes complete before it.
    strays: Vec<(usize, Vec<u8>)>,
}

impl SseReader {
    /// A reader that refuses events (and lines) of more than `limit` bytes.
    pub fn new(limit: usize) -> Self {
        Self {
            limit,
            line: Vec::new(),
            data: None,
            error: false,
            after_object: false,
            after_cr: false,
            first_line: true,
            strays: Vec::new(),
        }
    }

    /// The beginning of each line that has no field of the standard, since the last time that this was asked, and how many events of
    /// that time come before it.
    pub fn take_strays(&mut self) -> impl Iterator<Item = (usize, String)> + use<> {
        let strays = std::mem::take(&mut self.strays).into_iter();
        let strays =
            strays.map(|(at, line)| (at, String::from_utf8_lossy(&line).trim().to_owned()));
        strays.filter(|(_, line)| !line.is_empty())
    }

    /// Takes the next bytes and returns the events that they complete. An event that no blank line ended waits for
    /// [`Self::end`]: it may be cut.
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
            self.end_line(&mut events);
        }
        self.grow(bytes)?;
        Ok(events)
    }

    /// The events that the end of the stream leaves without a blank line. The last of them may be cut.
    pub fn end(&mut self) -> Vec<SseEvent> {
        let mut events = Vec::new();
        self.end_line(&mut events);
        events.extend(self.end_event());
        events
    }

    fn grow(&mut self, bytes: &[u8]) -> Result<(), TooLong> {
        let held = self.line.len() + self.data.as_ref().map_or(0, Vec::len);
        if held.saturating_add(bytes.len()) > self.limit {
            return Err(TooLong(self.limit));
        }
        self.line.extend_from_slice(bytes);
        Ok(())
    }

    fn end_line(&mut self, events: &mut Vec<SseEvent>) {
        let line = std::mem::take(&mut self.line);
        let mut text = line.as_slice();
        if std::mem::take(&mut self.first_line) {
            text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
        }
        while let [b'\0' | b' ' | b'\t', rest @ ..] = text {
            text = rest;
        }
        if text.is_empty() {
            events.extend(self.end_event());
            return;
        }
        let (field, value) = match text.iter().position(|&b| b == b':') {
            Some(colon) => (&text[..colon], &text[colon + 1..]),
            None => (text, &[][..]),
        };
        let value = value.strip_prefix(b" ").unwrap_or(value);
        match field {
            b"data" => self.data_line(value, events),
            b"error" => {
                self.error = true;
                self.data_line(value, events);
            }
            b"event" => {
                let name = value.trim_ascii();
                let is = |known: &[u8]| name.eq_ignore_ascii_case(known);
                self.error = is(b"error") || is(b"exception");
            }
            // Comments (an empty field name), ids, retry times: nothing that a chat needs.
            b"" | b"id" | b"retry" => {}
            _ => {
                let line = text[..text.len().min(STRAY)].to_vec();
                self.strays.push((events.len(), line));
            }
        }
    }

    fn data_line(&mut self, mut value: &[u8], events: &mut Vec<SseEvent>) {
        if let Some(inner) = value.strip_prefix(b"data:") {
            value = inner.strip_prefix(b" ").unwrap_or(inner);
        }
        let is_mark = is_end_mark(value);
        let text = value.trim_ascii();
        // Within JSON an object never follows an object without a sign between them.
        if is_mark || self.after_object && text.starts_with(b"{") {
            events.extend(self.end_event());
        }
        if let Some(last) = text.last() {
            self.after_object = *last == b'}';
        }
        match &mut self.data {
            Some(data) => {
                data.push(b'\n');
                data.extend_from_slice(value);
            }
            None => self.data = Some(value.to_vec()),
        }
        if is_mark {
            events.extend(self.end_event());
        }
    }

    fn end_event(&mut self) -> Option<SseEvent> {
        self.after_object = false;
        let error = std::mem::take(&mut self.error);
        let data = self.data.take()?;
        (!data.trim_ascii().is_empty()).then_some(SseEvent { error, data })
    }
}

/// Whether an event's data says that the stream is over: `[DONE]`, as servers write it.
pub(super) fn is_end_mark(data: &[u8]) -> bool {
    let data = data.trim_ascii();
    let marks: [&[u8]; 3] = [b"[DONE]", b"\"[DONE]\"", b"DONE"];
    marks.iter().any(|mark| data.eq_ignore_ascii_case(mark))
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
    fn an_event_without_its_blank_line_waits_for_the_end() {
        for text in [&b"data: a\n\ndata: b\n"[..], b"data: a\n\ndata: b"] {
            let mut reader = SseReader::new(1_000);
            assert_eq!(reader.push(text).unwrap().len(), 1);
            let last = reader.end();
            assert_eq!(last.len(), 1);
            assert_eq!(last[0].data, b"b");
        }
    }

    #[test]
    fn p15_events_without_blank_lines_between_them_are_told_apart() {
        let lines = b"data: {\"a\":1}\ndata: {\"b\":[\ndata: {}]}\ndata: [DONE]\n";
        assert_eq!(read(&[lines]), ["{\"a\":1}", "{\"b\":[\n{}]}", "[DONE]"]);
    }

    #[test]
    fn p15_what_only_keeps_a_connection_alive_is_no_event() {
        assert_eq!(
            read(&[b"data:\n\ndata: \n\n\0data: a\n \n: PROCESSING\n\n  data: b\n\n"]),
            ["a", "b"]
        );
    }

    #[test]
    fn p15_an_end_mark_needs_no_blank_line_and_is_written_in_many_ways() {
        for mark in ["[DONE]", "[done] ", " \"[DONE]\"", "DONE"] {
            let text = format!("data:{mark}\n");
            assert_eq!(read(&[text.as_bytes()]).len(), 1, "{mark}");
            assert!(is_end_mark(mark.as_bytes()));
        }
        assert!(!is_end_mark(b"[DONE] and more"));
    }

    #[test]
    fn p15_an_error_may_be_a_field() {
        assert_eq!(
            read(&[b"error: {\"code\":500}\n\ndata: b\n\n"]),
            ["!{\"code\":500}", "b"]
        );
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
            text in "(data: [a-zé{}]{0,4}|:|event: error|id: 1|\u{feff}|x)?((\r\n|\n|\r){1,2}(data: ?[a-zé{}]{0,4}|:|event: error|error: a|data: \\[DONE\\])?){0,12}",
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
