//! A reply that is still coming: its sentences as soon as their end is certain, and what it says that it will do as soon as
//! that can be read.
//!
//! The reader takes one character after the other, so where a chunk ends makes no difference. Its results are certain:
//! `parse`, which reads the whole reply, gives the same. A reply for which that does not hold, because its end changes the
//! meaning of its beginning, is `InvalidKind::Changed`: an object, a fence, a wrapper or the end of a thought after words that
//! were heard. From a `{` on, and where a token or a tag is unknown, the end of the reply decides.

mod envelope;
mod json;
mod speech;

use self::envelope::{EnvelopeReader, Told};
use self::speech::{Certain, SpeechReader};
use super::invalid::{InvalidFormat, InvalidKind};
use super::locate::is_unopened;
use super::markup::{Markup, Turn};
use super::options::{Finish, ParseOptions};
use super::proposed::{Proposal, ReplyForm};
use super::scan::Reading;
use super::white_space::is_blank;
use super::{markers, parse};
use std::collections::VecDeque;

/// What has become certain of a reply.
#[derive(Debug, Clone, PartialEq)]
pub enum ReplyPart {
    /// [`ReplyReader::proposed`] has one more action or change of memory.
    Action,
    /// The line of [`ReplyReader::proposed`] has one more sentence, which is not the last one of the reply.
    Sentence,
    /// The reply can be no proposal.
    Invalid(InvalidFormat),
    /// The bytes are not UTF-8.
    NotUtf8,
    /// The reply is over, and every sentence but the last was told. [`ReplyReader::proposed`] is all of it.
    End,
}

/// Which form the reply has, as far as that is known.
#[derive(Debug)]
enum Form {
    /// Nothing but white space and thinking has come.
    Unknown(Markup),
    /// A fence has begun at this byte; its contents decide.
    Fence(usize),
    Prose(Markup, SpeechReader),
    Envelope(Box<EnvelopeReader>),
    /// The end of the reply decides.
    Held,
}

/// Reads a reply while it comes.
///
/// ```ignore
/// use bevy_dramatis::proposal::{Finish, ParseOptions, ReplyPart, ReplyReader};
///
/// let options = ParseOptions::default();
/// let mut reader = ReplyReader::default();
/// reader.push("Come in, fri".as_bytes());
/// assert_eq!(reader.next_part(&options), None);
/// reader.push("end. Sit down.".as_bytes());
/// assert_eq!(reader.next_part(&options), Some(ReplyPart::Sentence));
/// assert_eq!(reader.proposed().dialogue, "Come in, friend.");
/// reader.end(Finish::Stop);
/// assert_eq!(reader.next_part(&options), Some(ReplyPart::End));
/// assert_eq!(reader.proposed().dialogue, "Come in, friend. Sit down.");
/// ```
#[derive(Debug)]
pub struct ReplyReader {
    bytes: Vec<u8>,
    /// How many of them have been looked at.
    at: usize,
    /// What has been looked at, as text.
    text: String,
    /// Why the engine stopped, once it has.
    finish: Option<Finish>,
    holds_prose: bool,
    form: Form,
    proposed: Proposal,
    waiting: VecDeque<Waiting>,
    /// The whole line, once it is known.
    line: String,
    /// Whether nothing more is read: it is over, or can be no proposal.
    is_over: bool,
    has_ended: bool,
}

/// A part that is certain and was not told.
#[derive(Debug)]
enum Waiting {
    Action(Box<Proposal>),
    Sentence(String),
    /// The line up to its next sentence, of a proposal that is known as a whole.
    LineUpTo(usize),
    Whole(Box<Proposal>),
    Invalid(InvalidFormat),
    End,
}

impl Default for ReplyReader {
    fn default() -> Self {
        Self {
            bytes: Vec::new(),
            at: 0,
            text: String::new(),
            finish: None,
            holds_prose: false,
            form: Form::Unknown(Markup::default()),
            proposed: Proposal::empty(ReplyForm::Prose),
            waiting: VecDeque::new(),
            line: String::new(),
            is_over: false,
            has_ended: false,
        }
    }
}

impl ReplyReader {
    /// A reader of what an engine answers that was given a schema: prose before an envelope is no speech, so prose waits for
    /// the end of the reply.
    #[must_use]
    pub fn with_schema() -> Self {
        Self {
            holds_prose: true,
            ..Self::default()
        }
    }

    /// Adds bytes that have arrived. A chunk may end anywhere, also inside a character.
    pub fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// The reply has come to its end.
    pub fn end(&mut self, finish: Finish) {
        self.finish = Some(finish);
    }

    /// Whether the reply is read as prose so far: what was said of it stays said, wherever it ends.
    #[must_use]
    pub fn is_prose(&self) -> bool {
        matches!(self.form, Form::Prose(..))
    }

    /// Whether the end of the reply was read.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        self.has_ended
    }

    /// How many bytes of the reply were read: up to the character that settled the last part.
    #[must_use]
    pub fn read_bytes(&self) -> usize {
        self.at
    }

    /// What the reply proposes so far, as far as it has been told: the line up to the last sentence, and the actions and
    /// changes of memory.
    #[must_use]
    pub(crate) fn proposed(&self) -> &Proposal {
        &self.proposed
    }

    /// The next part that is certain; `None` when more of the reply has to come, or all of it was told.
    pub(crate) fn next_part(&mut self, options: &ParseOptions) -> Option<ReplyPart> {
        loop {
            if let Some(waiting) = self.waiting.pop_front() {
                if let Some(part) = self.tell(waiting, options) {
                    return Some(part);
                }
                continue;
            }
            if self.is_over {
                return None;
            }
            match self.next_char() {
                Ok(Some((at, c))) => self.take(at, c, options),
                Ok(None) => {
                    let finish = self.finish?;
                    self.take_end(&ParseOptions { finish, ..*options });
                }
                Err(()) => {
                    self.is_over = true;
                    return Some(ReplyPart::NotUtf8);
                }
            }
        }
    }

    /// The next character; `None` when it has not come.
    fn next_char(&mut self) -> Result<Option<(usize, char)>, ()> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        if let Some(byte) = rest.first().filter(|byte| byte.is_ascii()) {
            self.at += 1;
            self.text.push(char::from(*byte));
            return Ok(Some((self.at - 1, char::from(*byte))));
        }
        let first = rest.get(..rest.len().min(4)).unwrap_or_default();
        let valid = match std::str::from_utf8(first) {
            Ok(valid) => valid,
            Err(error) if error.valid_up_to() > 0 => {
                std::str::from_utf8(&first[..error.valid_up_to()]).unwrap_or_default()
            }
            // The rest of the character may still come.
            Err(error) if error.error_len().is_none() && self.finish.is_none() => return Ok(None),
            Err(_) => return Err(()),
        };
        let Some(c) = valid.chars().next() else {
            return Ok(None);
        };
        let at = self.at;
        self.at += c.len_utf8();
        self.text.push(c);
        Ok(Some((at, c)))
    }

    fn take(&mut self, at: usize, c: char, options: &ParseOptions) {
        // `{{char}}: Come in.` is no object: the end of the reply decides.
        if let Form::Envelope(reader) = &self.form
            && c == '{'
            && at == reader.start() + 1
        {
            self.form = Form::Held;
        }
        if let Form::Envelope(reader) = &mut self.form {
            match reader.take(&self.text, at, c, options) {
                Err(error) => {
                    self.form = Form::Held;
                    self.invalid(error);
                }
                Ok(told) if told.is_empty() => {}
                Ok(told) => self.take_told(told),
            }
            return;
        }
        match std::mem::replace(&mut self.form, Form::Held) {
            Form::Held => {}
            Form::Unknown(mut markup) => {
                let mut kept = String::new();
                if let Some(Turn::Machine | Turn::Unsure) = markup.take(c, &mut kept) {
                    // The end of the reply decides.
                    return;
                }
                let begins = kept.trim_start_matches(is_blank);
                self.form = match begins.chars().next() {
                    None => Form::Unknown(markup),
                    Some('{') => Form::Envelope(Box::new(EnvelopeReader::new(at, false))),
                    Some('`' | '~') => Form::Fence(at),
                    Some(_) if self.holds_prose => Form::Held,
                    Some(_) => Form::Prose(markup, SpeechReader::new(Reading::Prose)),
                };
                match &self.form {
                    Form::Envelope(_) => self.take(at, c, options),
                    Form::Prose(..) => self.take_prose(begins.to_owned().as_str(), options),
                    _ => {}
                }
            }
            Form::Fence(start) => {
                self.form = match fence_holds(self.text.get(start..).unwrap_or_default()) {
                    None => Form::Fence(start),
                    Some(true) => Form::Envelope(Box::new(EnvelopeReader::new(at, true))),
                    Some(false) => Form::Held,
                };
                if matches!(self.form, Form::Envelope(_)) {
                    self.take(at, c, options);
                }
            }
            // An object whose beginning is missing.
            Form::Prose(..)
                if c == ':'
                    && !self.has_spoken()
                    && is_unopened(self.text.trim_matches(is_blank)) => {}
            Form::Prose(mut markup, speech) => {
                let mut kept = String::new();
                match markup.take(c, &mut kept) {
                    None | Some(Turn::End) => {
                        self.form = Form::Prose(markup, speech);
                        self.take_prose(&kept, options);
                    }
                    Some(Turn::Clear) if self.has_spoken() => self.invalid(changed()),
                    Some(Turn::Clear) => {
                        self.proposed = Proposal::empty(ReplyForm::Prose);
                        self.form = Form::Unknown(markup);
                    }
                    // The end of the reply decides.
                    Some(Turn::Machine | Turn::Unsure) => {}
                }
            }
            // It was taken above, where it need not move.
            Form::Envelope(_) => {}
        }
    }

    fn has_spoken(&self) -> bool {
        !self.proposed.dialogue.is_empty()
    }

    fn invalid(&mut self, error: InvalidFormat) {
        self.waiting.push_back(Waiting::Invalid(error));
    }

    fn take_prose(&mut self, kept: &str, options: &ParseOptions) {
        let Form::Prose(_, speech) = &mut self.form else {
            return;
        };
        // What follows may be an object, which would make this its preamble.
        let (said, is_object) = match kept.split_once('{') {
            Some((said, _)) => (said, true),
            None => (kept, false),
        };
        let certain: Vec<Certain> = said.chars().flat_map(|c| speech.take(c, options)).collect();
        let mut proposed = self.proposed.clone();
        for certain in certain {
            match certain {
                Certain::Marker(marker) => {
                    markers::read(&marker, &mut proposed);
                    self.waiting
                        .push_back(Waiting::Action(Box::new(proposed.clone())));
                }
                Certain::Sentence(words) => self.waiting.push_back(Waiting::Sentence(words)),
                Certain::Fence if self.has_spoken() => self.invalid(InvalidFormat::new(
                    InvalidKind::Changed,
                    "a fence stands behind what was said already",
                )),
                // The contents of the fence decide what the reply is.
                Certain::Fence => self.form = Form::Held,
            }
        }
        if is_object {
            self.form = Form::Held;
        }
    }

    fn take_told(&mut self, told: Vec<Told>) {
        for told in told {
            match told {
                Told::Action(proposed) => self.waiting.push_back(Waiting::Action(proposed)),
                Told::Sentence(words) => self.waiting.push_back(Waiting::Sentence(words)),
                Told::Object(None) => {}
                Told::Object(Some(whole)) => self.tell_sentences(*whole),
            }
        }
    }

    /// Tells the untold sentences of a proposal that is known as a whole, except for the last one.
    fn tell_sentences(&mut self, whole: Proposal) {
        let ends = whole.sentence_ends();
        let from = self.proposed.dialogue.len();
        let but_last = ends.len().saturating_sub(1);
        let new: Vec<usize> = ends[..but_last]
            .iter()
            .copied()
            .filter(|end| *end > from)
            .collect();
        self.waiting.push_back(Waiting::Whole(Box::new(whole)));
        self.waiting.extend(new.into_iter().map(Waiting::LineUpTo));
    }

    /// The end of the reply decides everything that is not decided yet.
    fn take_end(&mut self, options: &ParseOptions) {
        self.is_over = true;
        self.has_ended = true;
        let known = match &mut self.form {
            Form::Envelope(reader) => reader.take_whole(&self.text),
            _ => None,
        };
        let whole = match known.map_or_else(|| parse(&self.bytes, options), Ok) {
            Ok(whole) => whole,
            Err(error) => return self.invalid(error),
        };
        if !whole.dialogue.starts_with(&self.proposed.dialogue) {
            return self.invalid(changed());
        }
        self.tell_sentences(whole);
        self.waiting.push_back(Waiting::End);
    }

    fn tell(&mut self, waiting: Waiting, options: &ParseOptions) -> Option<ReplyPart> {
        match waiting {
            Waiting::Action(proposed) => {
                let line = std::mem::take(&mut self.proposed.dialogue);
                self.proposed = *proposed;
                self.proposed.dialogue = line;
                super::speak::clean(&mut self.proposed.intents, options);
                Some(ReplyPart::Action)
            }
            Waiting::Sentence(words) => {
                let line = format!("{}{words}", self.proposed.dialogue);
                // A line that is too long is cut back in the end.
                if line.chars().count() > options.line_chars {
                    self.form = Form::Held;
                    self.waiting
                        .retain(|one| !matches!(one, Waiting::Sentence(_)));
                    return None;
                }
                self.proposed.dialogue = line;
                Some(ReplyPart::Sentence)
            }
            Waiting::Whole(whole) => {
                let line = std::mem::take(&mut self.proposed.dialogue);
                self.proposed = *whole;
                self.line = std::mem::replace(&mut self.proposed.dialogue, line);
                None
            }
            Waiting::LineUpTo(end) => {
                let line = self.line.get(..end)?;
                self.proposed.dialogue = line.to_owned();
                Some(ReplyPart::Sentence)
            }
            Waiting::Invalid(error) => {
                self.is_over = true;
                self.waiting.clear();
                Some(ReplyPart::Invalid(error))
            }
            Waiting::End => {
                self.proposed.dialogue = std::mem::take(&mut self.line);
                Some(ReplyPart::End)
            }
        }
    }
}

fn changed() -> InvalidFormat {
    InvalidFormat::new(
        InvalidKind::Changed,
        "the reply takes back what it has said already",
    )
}

/// Whether a fence that a reply begins with holds an envelope; `None` while that is not known.
fn fence_holds(text: &str) -> Option<bool> {
    let mark = text.chars().next()?;
    let rest = text.trim_start_matches(mark);
    let marks = text.len() - rest.len();
    if rest.is_empty() {
        return None;
    }
    let content = rest
        .trim_start_matches([' ', '\t'])
        .trim_start_matches(|c: char| {
            c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '+' | '.')
        })
        .trim_start_matches(is_blank);
    match content {
        "" => None,
        "{" => Some(marks >= 3),
        _ => Some(false),
    }
}

#[cfg(test)]
mod tests;
