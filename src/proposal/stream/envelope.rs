//! An envelope that is still coming.
//!
//! Its sentences are certain as they end where `intents` and `mutations` come before `dialogue`; otherwise when the object has
//! ended. The whole reply is read once more in the end.

use super::super::envelope::{self, Reader};
use super::super::invalid::{InvalidFormat, InvalidKind};
use super::super::json_fields::{object, wrong_type};
use super::super::locate::Object;
use super::super::markup::{Markup, Turn};
use super::super::options::{Finish, ParseOptions};
use super::super::proposed::Proposal;
use super::super::scan::Reading;
use super::super::white_space::is_blank;
use super::json::{JsonReader, Kind, Step, Unescape, Wrong};
use super::speech::{Certain, SpeechReader};
use serde_json::Value;
use std::borrow::Cow;
use std::ops::Range;

/// More entries of a list than can be judged are not told one by one.
const TOLD_ONE_BY_ONE: usize = 65;

/// What has become certain.
pub(super) enum Told {
    /// There is one more action or change of memory: what the reply says so far that it does.
    Action(Box<Proposal>),
    /// A sentence, with the space before it.
    Sentence(String),
    /// The object has ended. Where its sentences had to wait for that, they are in the proposal.
    Object(Option<Box<Proposal>>),
}

/// The fields of an envelope that matter before it has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Field {
    Dialogue,
    Intents,
    Mutations,
    Plan,
    Other,
}

impl Field {
    fn of(key: &str) -> Self {
        match key {
            "dialogue" | "dialogueText" => Self::Dialogue,
            "intents" | "worldIntents" => Self::Intents,
            "mutations" | "proposedMutations" => Self::Mutations,
            "plan" => Self::Plan,
            _ => Self::Other,
        }
    }

    /// Why a value of this kind cannot be there; `None` where it can.
    fn refuses(self, kind: Kind) -> Option<InvalidFormat> {
        let (key, expected, wanted) = match self {
            Self::Dialogue => ("dialogue", "a string", Kind::String),
            Self::Intents => ("intents", "an array", Kind::Array),
            Self::Mutations => ("mutations", "an array", Kind::Array),
            Self::Plan => ("plan", "an object", Kind::Object),
            Self::Other => return None,
        };
        let fits = kind == wanted || kind == Kind::Null;
        (!fits).then(|| wrong_type("the envelope", key, expected))
    }
}

fn object_of(json: &str) -> Object<'_> {
    Object {
        json: Cow::Borrowed(json),
        has_trailing_text: false,
    }
}

/// Reads an envelope.
#[derive(Debug)]
pub(super) struct EnvelopeReader {
    /// Where the object begins.
    start: usize,
    /// Whether it is in a fence: the text after it is ignored.
    is_fenced: bool,
    has_ended: bool,
    /// Whether something follows it.
    is_followed: bool,
    json: JsonReader,
    steps: Vec<Step>,
    field: Field,
    /// The actions so far, without those that are spelled as mutations.
    intents: Reader,
    mutations: Reader,
    has_intents: bool,
    has_mutations: bool,
    told: usize,
    /// Reads the dialogue where it may be spoken as it comes.
    speech: Option<(Unescape, Markup, SpeechReader)>,
    has_spoken: bool,
    /// All of it, once the object has ended, and its place.
    whole: Option<(Proposal, Range<usize>)>,
}

impl EnvelopeReader {
    /// The byte at which its object begins.
    pub(super) fn start(&self) -> usize {
        self.start
    }

    pub(super) fn new(start: usize, is_fenced: bool) -> Self {
        Self {
            start,
            is_fenced,
            has_ended: false,
            is_followed: false,
            json: JsonReader::new(),
            steps: Vec::new(),
            field: Field::Other,
            intents: Reader::new(),
            mutations: Reader::new(),
            has_intents: false,
            has_mutations: false,
            told: 0,
            speech: None,
            has_spoken: false,
            whole: None,
        }
    }

    /// The result for the whole reply, where it is known already: there is no text around the object.
    pub(super) fn take_whole(&mut self, text: &str) -> Option<Proposal> {
        let (whole, range) = self.whole.take().filter(|_| !self.is_fenced)?;
        let (before, behind) = (text.get(..range.start)?, text.get(range.end..)?);
        let is_alone = before.chars().chain(behind.chars()).all(is_blank);
        is_alone.then_some(whole)
    }

    /// Takes the character at byte `at` of the reply, and says what has become certain by it.
    pub(super) fn take(
        &mut self,
        text: &str,
        at: usize,
        c: char,
        options: &ParseOptions,
    ) -> Result<Vec<Told>, InvalidFormat> {
        if self.has_ended {
            return self.behind(c).map(|()| Vec::new());
        }
        let mut steps = std::mem::take(&mut self.steps);
        let taken = self.json.take(text, at, c, &mut steps);
        let mut told = Vec::new();
        for step in steps.drain(..) {
            self.step(text, step, options, &mut told)?;
        }
        self.steps = steps;
        taken.map_err(|wrong| self.no_json(text, at + c.len_utf8(), wrong))?;
        Ok(told)
    }

    /// What the reply says so far that it does.
    fn proposed(&self) -> Proposal {
        let mut proposal = self.intents.proposal.clone();
        if self.has_intents {
            let emitted = &self.mutations.proposal.intents;
            proposal.intents.extend(emitted.iter().cloned());
        }
        proposal
            .mutations
            .clone_from(&self.mutations.proposal.mutations);
        proposal
    }

    fn behind(&mut self, c: char) -> Result<(), InvalidFormat> {
        // Text that follows is dropped; a mark may begin something else, and the end of the reply decides.
        if c == '{' && !self.is_fenced && !self.is_followed {
            return Err(InvalidFormat::several_envelopes());
        }
        self.is_followed |= !is_blank(c);
        Ok(())
    }

    fn no_json(&self, text: &str, end: usize, wrong: Wrong) -> InvalidFormat {
        let so_far = text.get(self.start..end).unwrap_or_default();
        let read = envelope::fields_of(&object_of(so_far), Finish::Stop);
        let kind = match wrong {
            Wrong::Syntax => InvalidKind::Json,
            Wrong::TooDeep => InvalidKind::TooDeep,
        };
        let plain = || InvalidFormat::new(kind, "the envelope is no JSON");
        read.err()
            .filter(|error| error.kind == kind)
            .unwrap_or_else(plain)
    }

    fn step(
        &mut self,
        text: &str,
        step: Step,
        options: &ParseOptions,
        told: &mut Vec<Told>,
    ) -> Result<(), InvalidFormat> {
        let value = |range: Range<usize>| {
            let value = text.get(range).unwrap_or_default();
            serde_json::from_str::<Value>(value).unwrap_or_default()
        };
        match step {
            Step::Key(0, range) => {
                let key = value(range);
                self.field = Field::of(key.as_str().unwrap_or_default());
            }
            Step::Begun(1, kind) => {
                if let Some(error) = self.field.refuses(kind) {
                    return Err(error);
                }
                let is_known = self.has_intents && self.has_mutations && !self.has_spoken;
                if self.field == Field::Dialogue && kind == Kind::String && is_known {
                    let speech = SpeechReader::new(Reading::Envelope);
                    self.speech = Some((Unescape::default(), Markup::default(), speech));
                    self.has_spoken = true;
                }
            }
            Step::Begun(2, kind) if kind != Kind::Object => {
                let (what, index) = match self.field {
                    Field::Intents => ("intent", self.intents.proposal.intents.len()),
                    Field::Mutations => ("mutation", self.mutations.read),
                    _ => return Ok(()),
                };
                object(Value::Null, what, index)?;
            }
            Step::InString(1, c) => {
                if let Some((unescape, markup, speech)) = &mut self.speech
                    && let Some(c) = unescape.take(c)
                {
                    let mut kept = String::new();
                    let turn = markup.take(c, &mut kept);
                    let certain = kept.chars().take_while(|c| *c != '{');
                    for certain in certain.flat_map(|c| speech.take(c, options)) {
                        if let Certain::Sentence(words) = certain {
                            told.push(Told::Sentence(words));
                        }
                    }
                    // The whole line decides.
                    if kept.contains('{') || !matches!(turn, None | Some(Turn::End)) {
                        self.speech = None;
                    }
                }
            }
            Step::Ended(2, range) => match self.field {
                Field::Intents => {
                    let fields = object(value(range), "intent", 0)?;
                    self.intents.proposal.intents.push(envelope::action(fields));
                    self.tell_action(told);
                }
                Field::Mutations => {
                    let index = self.mutations.read;
                    let fields = object(value(range), "mutation", index)?;
                    self.mutations.mutation(fields, index)?;
                    self.tell_action(told);
                }
                _ => {}
            },
            Step::Ended(1, _) => {
                self.speech = None;
                match self.field {
                    Field::Intents => {
                        self.has_intents = true;
                        if !self.mutations.proposal.intents.is_empty() {
                            // Those that are spelled as mutations come after the others.
                            self.tell_action(told);
                        }
                    }
                    Field::Mutations => self.has_mutations = true,
                    _ => {}
                }
                self.field = Field::Other;
            }
            Step::Ended(0, range) => {
                self.has_ended = true;
                let whole = ParseOptions {
                    finish: Finish::Stop,
                    ..*options
                };
                let object = text.get(range.clone()).unwrap_or_default();
                let proposal = super::super::read_envelope(&object_of(object), &whole)?;
                if self.has_spoken {
                    self.whole = Some((proposal, range));
                    told.push(Told::Object(None));
                } else {
                    told.push(Told::Object(Some(Box::new(proposal))));
                }
            }
            Step::Key(..) | Step::Begun(..) | Step::InString(..) | Step::Ended(..) => {}
        }
        Ok(())
    }

    fn tell_action(&mut self, told: &mut Vec<Told>) {
        self.told += 1;
        if self.told <= TOLD_ONE_BY_ONE {
            told.push(Told::Action(Box::new(self.proposed())));
        }
    }
}
