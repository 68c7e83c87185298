//! An answer with status 200, read from its bytes as they arrive: a stream of events, or a body of JSON. The bytes themselves say
//! which of them it is, since servers and proxies call a stream `text/plain` and a body `text/event-stream`.
//!
//! | the answer begins with | it is |
//! |---|---|
//! | `data:`, `event:`, `id:`, `retry:`, `error:` or `:` | a stream of events |
//! | `{` or `[` | a body: one JSON object, or several in a row |
//! | `<` | a page, and no answer |
//! | anything else | what it is called: a stream, a body, or no answer |
//!
//! White space, NUL and a byte order mark before it are passed over.

use super::reply::{self, ReplyPart};
use crate::engine::EngineError;
use crate::engine::sse::{SseEvent, SseReader, TooLong, is_end_mark};

/// What lines of a stream begin with.
const FIELDS: [&[u8]; 6] = [b"data:", b"event:", b"id:", b"retry:", b"error:", b":"];

/// Who takes the parts of a reply.
type Taker<'a> = &'a mut dyn FnMut(ReplyPart) -> Result<(), EngineError>;

/// Reads an answer.
#[derive(Debug)]
pub(super) struct AnswerReader {
    form: Form,
    limit: usize,
    /// What the server calls it, without its parameters, in lower case.
    called: Option<String>,
    choices: Choices,
    /// Whether anything of a reply came.
    has_reply: bool,
    /// Whether the server has said why the reply ends.
    has_reason: bool,
    /// What was passed over first, for an answer in which nothing else comes.
    strange: Option<EngineError>,
    /// What says, behind some of the reply, that the rest of it is lost.
    loss: Option<EngineError>,
}

#[derive(Debug)]
enum Form {
    /// Nothing is known yet: how many bytes were passed over, and what came after them.
    Unknown(usize, Vec<u8>),
    Events(SseReader),
    Body(Vec<u8>),
}

impl AnswerReader {
    /// A reader of an answer that the server calls so. An event, or a body, has at most `limit` bytes.
    pub fn new(limit: usize, called: Option<String>) -> Self {
        Self {
            form: Form::Unknown(0, Vec::new()),
            limit,
            called,
            choices: Choices::default(),
            has_reply: false,
            has_reason: false,
            strange: None,
            loss: None,
        }
    }

    /// Takes the next bytes. Whether the server has said that nothing follows.
    pub fn push(&mut self, bytes: &[u8], take: Taker<'_>) -> Result<bool, EngineError> {
        let limit = self.limit;
        let too_long = || EngineError::Oversized { limit };
        match &mut self.form {
            Form::Unknown(passed, head) => {
                let skip = if head.is_empty() { blanks(bytes) } else { 0 };
                *passed += skip;
                if *passed > limit {
                    return Err(too_long());
                }
                let mut all = std::mem::take(head);
                all.extend_from_slice(&bytes[skip..]);
                if all.is_empty() {
                    return Ok(false);
                }
                self.form = self.form_of(&all)?;
                match &mut self.form {
                    Form::Unknown(_, head) => *head = all,
                    Form::Events(_) | Form::Body(_) => return self.push(&all, take),
                }
                Ok(false)
            }
            Form::Events(reader) => {
                let events = reader.push(bytes).map_err(|TooLong(_)| too_long())?;
                let mut strays = reader.take_strays().peekable();
                for (at, event) in events.iter().enumerate() {
                    while let Some((_, line)) = strays.next_if(|(before, _)| *before <= at) {
                        self.stray(line);
                    }
                    if self.event(event, take)? {
                        return self.whole().map(|()| true);
                    }
                }
                strays.for_each(|(_, line)| self.stray(line));
                Ok(false)
            }
            Form::Body(body) => {
                if body.len().saturating_add(bytes.len()) > limit {
                    return Err(too_long());
                }
                body.extend_from_slice(bytes);
                Ok(false)
            }
        }
    }

    /// The answer has ended, as it should.
    pub fn end(&mut self, take: Taker<'_>) -> Result<(), EngineError> {
        match &mut self.form {
            Form::Unknown(..) => {}
            Form::Events(reader) => {
                let events = reader.end();
                let strays = reader.take_strays();
                strays.for_each(|(_, line)| self.stray(line));
                for event in events {
                    match self.event(&event, take) {
                        Ok(true) => break,
                        Ok(false) => {}
                        Err(EngineError::Protocol(_) | EngineError::NotUtf8) => {
                            let cut = "the stream ended in the middle of an event";
                            return Err(EngineError::Interrupted(cut.to_owned()));
                        }
                        Err(error) => return Err(error),
                    }
                }
            }
            Form::Body(body) => {
                let body = std::mem::take(body);
                for part in reply::parts(without_end_mark(&body))? {
                    self.part(part, take)?;
                }
            }
        }
        if let Some(held) = self.choices.held.take() {
            self.give(held, take)?;
        }
        self.whole()?;
        match (self.has_reply, self.strange.take()) {
            (true, _) => Ok(()),
            (false, Some(strange)) => Err(strange),
            (false, None) => Err(EngineError::Interrupted(
                "the answer ended without a reply".to_owned(),
            )),
        }
    }

    /// Whether what came so far is a whole body of JSON.
    pub fn is_whole_body(&self) -> bool {
        match &self.form {
            Form::Body(body) => {
                let ends = matches!(body.trim_ascii_end().last(), Some(b'}' | b']'));
                ends && serde_json::from_slice::<serde::de::IgnoredAny>(body).is_ok()
            }
            Form::Unknown(..) | Form::Events(_) => false,
        }
    }

    /// The reply is as long as it is going to be. An error when it was lost on the way, and nothing has said why it ends.
    fn whole(&mut self) -> Result<(), EngineError> {
        match self.loss.take() {
            Some(loss) if self.has_reply && !self.has_reason => Err(loss),
            _ => Ok(()),
        }
    }

    /// A line that is no event.
    fn stray(&mut self, line: String) {
        if self.has_reply {
            if is_fault(&line) {
                self.loss = Some(EngineError::Interrupted(line));
            }
        } else {
            let said = format!("this is not an event: {line}");
            self.strange.get_or_insert(EngineError::Protocol(said));
        }
    }

    fn form_of(&self, head: &[u8]) -> Result<Form, EngineError> {
        let events = || Ok(Form::Events(SseReader::new(self.limit)));
        let is_begun = |field: &&[u8]| field.starts_with(head);
        match head.first() {
            _ if FIELDS.iter().any(|field| head.starts_with(field)) => return events(),
            Some(b'{' | b'[') => return Ok(Form::Body(Vec::new())),
            _ if FIELDS.iter().any(is_begun) => return Ok(Form::Unknown(0, Vec::new())),
            _ => {}
        }
        let is_page = head.first() == Some(&b'<');
        match self.called.as_deref().unwrap_or("text/event-stream") {
            "text/event-stream" if !is_page => events(),
            called if called.contains("json") && !is_page => Ok(Form::Body(Vec::new())),
            called => {
                let is_other = !called.contains("json") && called != "text/event-stream";
                let called = if is_other { called } else { "a page" };
                let mut text = format!("the answer is {called}, not text/event-stream");
                let said = String::from_utf8_lossy(&head[..head.len().min(SHOWN)]);
                if !is_page && called.starts_with("text/") {
                    text = format!("{text}: {}", said.trim());
                }
                Err(EngineError::Protocol(text))
            }
        }
    }

    /// A word in place of an event.
    fn word(&mut self, data: &[u8]) {
        let said = String::from_utf8_lossy(&data[..data.len().min(SHOWN)]);
        let said = said.trim();
        if !self.has_reply {
            let text = format!("an event is neither JSON nor the end mark: {said}");
            self.strange.get_or_insert(EngineError::Protocol(text));
        } else if is_fault(said) {
            self.loss = Some(EngineError::Interrupted(said.to_owned()));
        }
    }

    fn event(&mut self, event: &SseEvent, take: Taker<'_>) -> Result<bool, EngineError> {
        if is_end_mark(&event.data) {
            return Ok(true);
        }
        if event.error {
            return Err(EngineError::Status {
                status: 200,
                message: reply::error_body(&event.data),
            });
        }
        if !matches!(event.data.trim_ascii_start().first(), Some(b'{' | b'[')) {
            // A word that keeps the connection alive, such as `ping`; or a server that does not speak the protocol.
            self.word(&event.data);
            return Ok(false);
        }
        let parts = match reply::parts(&event.data) {
            // `[PING]`.
            Err(EngineError::Protocol(_)) if is_word_in_brackets(&event.data) => {
                self.word(&event.data);
                return Ok(false);
            }
            parts => parts?,
        };
        for part in parts {
            self.part(part, take)?;
        }
        Ok(false)
    }

    fn part(&mut self, part: ReplyPart, take: Taker<'_>) -> Result<(), EngineError> {
        if let Some(message) = &part.complaint {
            let message = message.clone();
            let complaint = EngineError::Status {
                status: 200,
                message,
            };
            if self.has_reply {
                self.loss = Some(complaint);
            } else {
                self.strange.get_or_insert(complaint);
            }
        }
        for part in self.choices.ours(part) {
            self.give(part, take)?;
        }
        Ok(())
    }

    fn give(&mut self, part: ReplyPart, take: Taker<'_>) -> Result<(), EngineError> {
        let is_empty = part.text.is_empty() && part.reasoning.is_empty();
        self.has_reply |= !is_empty || part.finish.is_some();
        self.has_reason |= part.finish.is_some();
        take(part)
    }
}

/// How much of an answer that is none is shown.
const SHOWN: usize = 120;

/// Words of which one is in a line that says that a server was lost.
const FAULTS: [&str; 9] = [
    "error",
    "exception",
    "fail",
    "timeout",
    "timed out",
    "refused",
    "reset",
    "denied",
    "unavailable",
];

/// Whether a text in the middle of a reply says that the rest of it is lost.
fn is_fault(text: &str) -> bool {
    let text = text.trim().to_ascii_lowercase();
    text.starts_with(['{', '<']) || FAULTS.iter().any(|word| text.contains(word))
}

/// Whether an event is a word in brackets, such as `[PING]`, and no list.
fn is_word_in_brackets(data: &[u8]) -> bool {
    let word = data.trim_ascii().strip_prefix(b"[");
    word.and_then(<[u8]>::first)
        .is_some_and(u8::is_ascii_alphabetic)
}

/// A body without the end mark of a stream behind it.
fn without_end_mark(body: &[u8]) -> &[u8] {
    let body = body.trim_ascii();
    let marked = body.strip_suffix(b"[DONE]").map(<[u8]>::trim_ascii_end);
    let marked = marked.and_then(|body| body.strip_suffix(b"data:"));
    marked.unwrap_or(body)
}

/// How many bytes at the beginning of an answer say nothing.
fn blanks(bytes: &[u8]) -> usize {
    let says = |byte: &u8| {
        !matches!(
            byte,
            b' ' | b'\t' | b'\r' | b'\n' | b'\0' | 0xEF | 0xBB | 0xBF
        )
    };
    bytes.iter().position(says).unwrap_or(bytes.len())
}

/// Tells parts of our choice from those of another one. One choice is asked for, and it has the number 0; but some servers count
/// the parts in that field (TGI), or begin with 1. So a part with another number waits for the next part.
#[derive(Debug, Default)]
struct Choices {
    zeros: u32,
    held: Option<ReplyPart>,
    is_a_count: bool,
}

impl Choices {
    fn ours(&mut self, part: ReplyPart) -> Vec<ReplyPart> {
        match part.index {
            None => vec![part],
            Some(0) => {
                self.zeros += 1;
                self.held = None;
                vec![part]
            }
            Some(_) if self.is_a_count => vec![part],
            Some(_) if self.zeros >= 2 => Vec::new(),
            Some(_) => match self.held.take() {
                None => {
                    self.held = Some(part);
                    Vec::new()
                }
                Some(held) => {
                    self.is_a_count = true;
                    vec![held, part]
                }
            },
        }
    }
}

/// For the fuzz target: what a stream says that comes in pieces of `every` bytes. Read as the engine reads it, but without a
/// server and a clock.
#[cfg(fuzzing)]
#[doc(hidden)]
pub fn read_stream_for_fuzzing(
    bytes: &[u8],
    every: usize,
) -> Result<(String, crate::proposal::Finish), crate::engine::EngineError> {
    let mut reader = AnswerReader::new(4 * crate::proposal::MAX_REPLY_BYTES, None);
    let mut reply = super::spoken::SpokenReply::new(crate::proposal::MAX_REPLY_BYTES);
    let mut text = String::new();
    let mut take = |part: ReplyPart| {
        text += &reply.take(&part)?;
        Ok(())
    };
    let mut is_over = false;
    for chunk in bytes.chunks(every.max(1)) {
        is_over = reader.push(chunk, &mut take)?;
        if is_over {
            break;
        }
    }
    if !is_over {
        reader.end(&mut take)?;
    }
    Ok((text, reply.finish()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_by(called: Option<&str>, text: &[u8], every: usize) -> Result<String, EngineError> {
        let mut reader = AnswerReader::new(1_000, called.map(str::to_owned));
        let mut said = String::new();
        let mut take = |part: ReplyPart| {
            said += &part.text;
            Ok(())
        };
        for bytes in text.chunks(every) {
            if reader.push(bytes, &mut take)? {
                return Ok(said);
            }
        }
        reader.end(&mut take)?;
        Ok(said)
    }

    fn read(called: Option<&str>, text: &str) -> Result<String, EngineError> {
        let whole = read_by(called, text.as_bytes(), text.len().max(1));
        for every in [1, 2, 7] {
            assert_eq!(read_by(called, text.as_bytes(), every), whole, "{text}");
        }
        whole
    }

    fn said(index: u64, text: &str) -> String {
        format!(
            "data: {{\"choices\":[{{\"index\":{index},\"delta\":{{\"content\":\"{text}\"}}}}]}}\n\n"
        )
    }

    #[test]
    fn r1_the_first_line_that_is_no_event_is_told_however_the_stream_is_cut() {
        for text in [
            ";\nd\n;\nmore\n",
            "the worker is gone\ndata:\n\nretrying\n",
            "event: x\nupstream lost\n\nupstream back\n\n",
        ] {
            let first = text.lines().find(|line| !line.contains(':')).unwrap_or(";");
            let told = read(None, text).unwrap_err().to_string();
            assert!(told.contains(first), "{told}");
        }
    }

    #[test]
    fn p15_the_bytes_say_whether_it_is_a_stream_or_a_body() {
        let stream = said(0, "Well.");
        let body = "{\"choices\":[{\"message\":{\"content\":\"Well.\"}}]}";
        let types = [
            None,
            Some("text/event-stream"),
            Some("application/json"),
            Some("text/plain"),
            Some("application/octet-stream"),
            Some("text/html"),
            Some("application/x-ndjson"),
        ];
        for called in types {
            for before in [
                "",
                "\n\n",
                "\u{feff}",
                "\0\0",
                ": hello\n\n",
                "id: 1\n",
                "retry: 5\n",
            ] {
                let said = read(called, &format!("{before}{stream}"));
                assert_eq!(said, Ok("Well.".to_owned()), "{called:?} {before:?}");
            }
            assert_eq!(read(called, body), Ok("Well.".to_owned()), "{called:?}");
            assert_eq!(
                read(called, &format!("\r\n{body}\n")),
                Ok("Well.".to_owned())
            );
        }
    }

    #[test]
    fn p15_several_objects_behind_each_other_are_a_reply() {
        let line =
            |text: &str| format!("{{\"choices\":[{{\"delta\":{{\"content\":\"{text}\"}}}}]}}\n");
        let lines = line("Well ") + &line("met.");
        assert_eq!(
            read(Some("application/x-ndjson"), &lines),
            Ok("Well met.".to_owned())
        );
    }

    #[test]
    fn p15_words_that_keep_the_connection_are_passed_over() {
        for word in [
            "ping",
            "\"ping\"",
            ": OPENROUTER PROCESSING",
            "keep-alive",
            "1",
            "true",
        ] {
            let text = format!("data: {word}\n\n{}data: {word}\n\n", said(0, "Aye."));
            assert_eq!(read(None, &text), Ok("Aye.".to_owned()), "{word}");
            let alone = read(None, &format!("data: {word}\n\n"));
            assert!(matches!(alone, Err(EngineError::Protocol(_))), "{alone:?}");
        }
    }

    #[test]
    fn p15_parts_of_another_choice_are_not_heard() {
        let all = |parts: &[(u64, &str)]| {
            let text: String = parts
                .iter()
                .map(|(index, text)| said(*index, text))
                .collect();
            read(None, &text).unwrap()
        };
        assert_eq!(all(&[(1, "no"), (0, "a"), (0, "b")]), "ab");
        assert_eq!(
            all(&[(0, "a"), (1, "no"), (0, "b"), (1, "no"), (1, "no")]),
            "ab"
        );
        assert_eq!(all(&[(1, "a"), (2, "b"), (3, "c"), (9, "")]), "abc");
        assert_eq!(all(&[(0, "a"), (1, "b"), (2, "c")]), "abc");
        assert_eq!(all(&[(1, "a"), (1, "b")]), "ab");
        assert_eq!(all(&[(7, "a")]), "a");
    }

    #[test]
    fn p15_an_end_without_a_blank_line_is_read_and_one_in_the_middle_is_not() {
        let last = said(0, "met.");
        let text = said(0, "Well ") + last.trim_end();
        assert_eq!(read(None, &text), Ok("Well met.".to_owned()));
        for cut in [7, 20, last.trim_end().len() - 1] {
            let text = said(0, "Well ") + &last[..cut];
            assert!(
                matches!(read(None, &text), Err(EngineError::Interrupted(_))),
                "{cut}"
            );
        }
    }

    #[test]
    fn p15_an_answer_without_a_reply_says_what_came_instead() {
        let page = read(Some("text/html"), "<html>Sign in</html>");
        let text = "the answer is text/html, not text/event-stream";
        assert_eq!(page, Err(EngineError::Protocol(text.to_owned())));
        assert!(matches!(
            read(None, "<html>"),
            Err(EngineError::Protocol(_))
        ));
        let error = |text: &str| match read(None, text) {
            Err(EngineError::Status { message, .. }) => message,
            other => panic!("{other:?}"),
        };
        assert_eq!(
            error("{\"detail\": \"Internal error\", \"status\": 500}"),
            "Internal error"
        );
        assert_eq!(
            error("[{\"error\": {\"code\": 400, \"message\": \"no\"}}]"),
            "no"
        );
        assert_eq!(
            error("{\"object\":\"error\",\"message\":\"no\",\"code\":400}"),
            "no"
        );
        assert_eq!(error("data: {\"detail\": \"no\"}\n\n"), "no");
        assert_eq!(error("error: {\"code\":500,\"message\":\"no\"}\n\n"), "no");
        assert!(matches!(read(None, ""), Err(EngineError::Interrupted(_))));
    }

    #[test]
    fn r1_neither_blanks_nor_a_body_grow_past_the_limit() {
        let limit = Err(EngineError::Oversized { limit: 1_000 });
        assert_eq!(read(None, &" ".repeat(1_001)), limit);
        assert_eq!(read(None, &format!("{{{}", " ".repeat(1_001))), limit);
    }
}
