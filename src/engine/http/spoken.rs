//! What a reply comes to, part by part: which text is new, and whether the server has said that it is whole.

use super::repair::Halves;
use super::reply::ReplyPart;
use crate::engine::EngineError;
use crate::proposal::Finish;
use std::time::Duration;

/// How long to wait for the usage figures, and for the end of the stream, once the server has said that the reply is whole.
const TAIL: Duration = Duration::from_millis(250);
/// The same where it has said so along with a part of the text: some servers say so with each part.
const LONG_TAIL: Duration = Duration::from_secs(2);
/// A part that begins with all that was said before it counts as a repetition, if that was at least this number of bytes: some
/// servers send the whole reply so far with each part. Shorter ones are looked at more closely: a model may stammer.
const LEAST_REPEATED: usize = 16;
/// A last part that equals all that was said before it counts as a repetition, if that was at least this number of bytes.
const LEAST_SAID: usize = 6;
/// How many times as many bytes as a reply may have its parts may have together, what they repeat included.
const REPEATS: usize = 64;

/// A reply as far as it has come.
///
/// A finish reason is no end by itself: servers send one with the first part, with each part, or never. The stream ends the
/// reply; and where a server keeps it open, the reason does, after [`Self::patience`].
#[derive(Debug, Default)]
pub(super) struct SpokenReply {
    limit: usize,
    said: String,
    heard: usize,
    halves: Halves,
    reason: Option<Finish>,
    /// Whether the last reason came along with a part of the text.
    is_beside_text: bool,
    /// Whether text came after the last reason, or there was no reason yet.
    is_open: bool,
    /// Whether the text is an object that is closed.
    is_closed: bool,
    /// How many parts said something of the reply.
    told: u64,
}

impl SpokenReply {
    /// A reply of at most `limit` bytes.
    pub fn new(limit: usize) -> Self {
        Self {
            limit,
            is_open: true,
            ..Self::default()
        }
    }

    /// Takes the next part, and returns the text that is new in it.
    pub fn take(&mut self, part: &ReplyPart) -> Result<String, EngineError> {
        let text = self.halves.join(part.text.clone(), part.is_repaired);
        self.heard = self.heard.saturating_add(text.len());
        let new = match text.strip_prefix(&self.said) {
            Some(new) if part.is_all_so_far || self.repeats(new, part) => new.to_owned(),
            None if part.is_all_so_far && !self.said.is_empty() => String::new(),
            _ => text,
        };
        let is_too_long = self.said.len().saturating_add(new.len()) > self.limit
            || self.heard > self.limit.saturating_mul(REPEATS);
        if is_too_long {
            return Err(EngineError::Oversized { limit: self.limit });
        }
        if !new.is_empty() {
            self.said.push_str(&new);
            self.is_open = true;
            self.is_closed = is_closed(&self.said);
            self.told += 1;
        }
        if part.finish.is_some() {
            self.reason = part.finish;
            self.is_beside_text = !new.is_empty();
            self.is_open = self.said.trim().is_empty();
            self.told += 1;
        }
        Ok(new)
    }

    /// Whether a part that begins with all that was said repeats it, where `new` is what follows that.
    fn repeats(&self, new: &str, part: &ReplyPart) -> bool {
        let said = self.said.trim();
        if self.said.len() >= LEAST_REPEATED {
            return true;
        }
        if new.trim().is_empty() {
            return part.finish.is_some() && said.len() >= LEAST_SAID && said.contains(' ');
        }
        // No object begins with two braces. And no word is followed by itself and more, but where one stammers: "No. No. No."
        let is_word = said.chars().filter(|c| c.is_alphabetic()).count() >= 2;
        said.starts_with('{') || is_word && !new.trim_start().starts_with(said)
    }

    /// What is left of the text when no other part comes.
    pub fn rest(&mut self) -> &'static str {
        self.halves.rest()
    }

    /// The text so far.
    pub fn said(&self) -> &str {
        &self.said
    }

    /// Whether anything of a reply has come.
    pub fn has_begun(&self) -> bool {
        self.told > 0
    }

    /// Why the reply ended, once its stream has: without a reason it is whole.
    pub fn finish(&self) -> Finish {
        self.reason.unwrap_or(Finish::Stop)
    }

    /// Whether the reply is over: the server has said so, and nothing of it came after that, or it is an object that is closed.
    /// Whatever comes now cannot spoil it.
    pub fn is_over(&self) -> bool {
        self.reason.is_some() && !self.is_open || self.is_closed
    }

    /// How long to wait for the end of the stream. A new wait begins where the first number is another one than before.
    pub fn patience(&self) -> (u64, Option<Duration>) {
        let is_sure = self.reason.is_some() && !self.is_beside_text;
        let wait = if is_sure { TAIL } else { LONG_TAIL };
        (self.told, self.is_over().then_some(wait))
    }
}

/// Whether a text is one object that is closed.
fn is_closed(text: &str) -> bool {
    let text = text.trim();
    text.starts_with('{')
        && text.ends_with('}')
        && serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(text: &str, finish: Option<Finish>) -> ReplyPart {
        ReplyPart {
            text: text.to_owned(),
            finish,
            ..ReplyPart::default()
        }
    }

    /// What these parts come to, whether the reply is over then, and why.
    fn read(parts: &[(&str, Option<Finish>)]) -> (String, bool, Finish) {
        let mut reply = SpokenReply::new(1_000);
        let mut text = String::new();
        for (said, finish) in parts {
            text += &reply.take(&part(said, *finish)).unwrap();
        }
        (text, reply.is_over(), reply.finish())
    }

    const STOP: Option<Finish> = Some(Finish::Stop);
    const CUT: Option<Finish> = Some(Finish::Length);

    #[test]
    fn p15_a_reason_is_an_end_only_where_no_text_follows() {
        let said = |text: &str, is_over, finish| (text.to_owned(), is_over, finish);
        let stop = Finish::Stop;
        assert_eq!(read(&[("a", None), ("", STOP)]), said("a", true, stop));
        assert_eq!(read(&[("", STOP), ("a", None)]), said("a", false, stop));
        assert_eq!(read(&[("a", STOP), ("b", STOP)]), said("ab", true, stop));
        assert_eq!(read(&[(" ", STOP)]), said(" ", false, stop));
        assert_eq!(read(&[("a", None)]), said("a", false, stop));
        assert_eq!(
            read(&[("a", None), ("", CUT)]),
            said("a", true, Finish::Length)
        );
    }

    #[test]
    fn p15_a_server_that_sends_all_so_far_with_each_part_says_nothing_twice() {
        let so_far = [
            "Come in, my friend.",
            "Come in, my friend. Sit",
            "Come in, my friend. Sit.",
        ];
        let parts = so_far.map(|text| (text, None));
        assert_eq!(read(&parts).0, "Come in, my friend. Sit.");
        assert_eq!(
            read(&[("ha", None), ("ha", None), ("ha!", None)]).0,
            "hahaha!"
        );
        assert_eq!(read(&[("No. ", None), ("No. No.", None)]).0, "No. No. No.");
    }

    #[test]
    fn r1_neither_a_reply_nor_its_repetitions_grow_without_end() {
        let mut reply = SpokenReply::new(20);
        assert!(reply.take(&part("12345678901234567890", None)).is_ok());
        assert!(reply.take(&part("x", None)).is_err());
        let mut reply = SpokenReply::new(20);
        let again = part("12345678901234567890", None);
        assert!((0..100).any(|_| reply.take(&again).is_err()));
    }
}
