//! How far a reply was read that is still coming: which part of it is judged next.

pub(crate) mod delivery;
pub(crate) mod heard;
pub(in crate::pipeline) mod line_end;
pub(crate) mod overhearing;
pub(in crate::pipeline) mod repetition;
pub(crate) mod speaking;

use super::run::Run;
use crate::gate::{HeardBefore, Verdict};
use crate::npc::{KnownNames, LoadedCharacter};
use crate::pipeline::driver::step::{RunFault, character_component, run_component};
use crate::pipeline::listening::heard::HeardSentences;
use crate::pipeline::listening::line_end::{Cut, LineEnd};
use crate::pipeline::listening::repetition::Repetition;
use crate::pipeline::steps::snapshot::{Ask, StateSnapshot, Words};
use crate::policy::Delivery;
use crate::proposal::{Finish, InvalidFormat, ParseOptions, Proposal, ReplyPart, ReplyReader};
use crate::story::ActiveStory;
use bevy::prelude::*;
use std::collections::VecDeque;

/// On a run whose reply is coming: how far it was read.
#[derive(Component, Debug, Default)]
#[component(storage = "SparseSet")]
pub(crate) struct ReplyInProgress {
    reader: ReplyReader,
    /// Where the line ends, where nothing but words is asked for.
    line_end: Option<LineEnd>,
    /// Whether its sentences are heard while it comes.
    is_heard: bool,
    /// How many of the bytes that have arrived the reader has been given.
    given: usize,
    repeated: Repetition,
    /// Where sentences end that wait to be judged, in the reply's own line.
    waiting: VecDeque<usize>,
    part: Option<Part>,
    has_judged_sentence: bool,
}

/// What waits to be judged.
#[derive(Debug, Clone)]
enum Part {
    Action,
    /// The line up to here.
    Sentence(usize),
    Invalid(InvalidFormat),
    NotUtf8,
}

/// What listening has brought.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Listened {
    /// Nothing is certain that was not judged.
    Nothing,
    /// A part waits to be judged.
    Part,
    /// The reply is over, and only the last sentence is left.
    Over,
    /// The line is over, whatever else the reply has.
    LineOver,
}

impl ReplyInProgress {
    /// The line of the reply so far, up to this byte, without the part that was heard already.
    fn line(&self, end: usize) -> String {
        let line = &self.reader.proposed().dialogue;
        let line = line.get(self.repeated.dropped()..end).unwrap_or_default();
        line.trim_start().to_owned()
    }

    /// How many bytes of the reply's line repeat sentences that were heard.
    pub(super) fn dropped(&self) -> usize {
        self.repeated.dropped()
    }

    /// Takes what has arrived so far. `finish`: why the engine stopped, if it has.
    pub(super) fn take(&mut self, arrived: &[u8], finish: Option<Finish>) {
        let new = arrived.get(self.given..).unwrap_or_default();
        self.reader.push(new);
        self.given = arrived.len();
        if let Some(finish) = finish {
            self.reader.end(finish);
        }
    }

    /// Where the line ends and why, if that is before the end of the reply.
    pub(super) fn cut(&self) -> Option<(usize, Cut)> {
        self.line_end.as_ref().and_then(LineEnd::cut)
    }

    /// How many bytes of the reply count: those up to the end of the last sentence that was read. The text after it only showed
    /// that the sentence was complete.
    pub(super) fn counted_bytes(&self, bytes: &[u8]) -> usize {
        let read = self.reader.read_bytes();
        let text = bytes.get(..read).unwrap_or(bytes);
        let text = String::from_utf8_lossy(text);
        match (self.reader.has_ended(), text.chars().next_back()) {
            (false, Some(shown)) => {
                let begins = |c: char| c.is_whitespace() || "\"'“”‘’«»„([*_".contains(c);
                text[..text.len() - shown.len_utf8()]
                    .trim_end_matches(begins)
                    .len()
            }
            _ => read,
        }
    }

    /// The part that was to be judged has been, and how.
    pub(super) fn note(&mut self, judged: &Judged) {
        self.part = None;
        self.has_judged_sentence |= matches!(judged, Judged::Passed(Some(_)));
    }

    /// The reader of the reply.
    pub(super) fn reader(&self) -> &ReplyReader {
        &self.reader
    }

    /// Reads on, up to the next part that has to be judged.
    pub(super) fn next(&mut self, options: &ParseOptions) -> Listened {
        loop {
            let end = self.waiting.front().copied();
            if let Some(end) = end.filter(|_| self.repeated.is_decided()) {
                self.waiting.pop_front();
                if end > self.repeated.dropped() {
                    self.part = Some(Part::Sentence(end));
                    return Listened::Part;
                }
                continue;
            }
            // An object is read to its end: a part of one is no reply.
            if self.cut().is_some() && self.reader.is_prose() {
                return Listened::LineOver;
            }
            let Some(part) = self.reader.next_part(options) else {
                return Listened::Nothing;
            };
            let line = &self.reader.proposed().dialogue;
            self.part = Some(match part {
                // A reply that is only read, not heard, is judged when it is whole.
                ReplyPart::Action | ReplyPart::Invalid(_) | ReplyPart::NotUtf8
                    if !self.is_heard =>
                {
                    continue;
                }
                ReplyPart::Action => Part::Action,
                ReplyPart::Invalid(error) => Part::Invalid(error),
                ReplyPart::NotUtf8 => Part::NotUtf8,
                ReplyPart::Sentence => {
                    if let Some(line_end) = &mut self.line_end {
                        line_end.add(line, line.len(), false);
                    }
                    let end = self.cut().map_or(line.len(), |(end, _)| end);
                    self.repeated.add(line, line.len());
                    if self.is_heard {
                        self.waiting.push_back(line.len());
                    }
                    if end < line.len() || self.cut().is_some() {
                        // The last sentence that counts waits for all that is judged of the whole.
                        self.waiting.retain(|other| *other < end);
                        self.repeated.decide();
                    }
                    continue;
                }
                ReplyPart::End => {
                    if let Some(line_end) = &mut self.line_end {
                        line_end.add(line, line.len(), true);
                    }
                    let last = self.cut().map_or(line.len(), |(end, _)| end);
                    self.repeated.add(line, line.len());
                    self.repeated.decide();
                    let dropped = self.repeated.dropped();
                    self.waiting.retain(|end| *end > dropped && *end < last);
                    let Some(end) = self.waiting.pop_front() else {
                        return Listened::Over;
                    };
                    Part::Sentence(end)
                }
            });
            return Listened::Part;
        }
    }
}

impl ReplyInProgress {
    /// Judges the part that waits: the action, or a sentence that follows what was `heard`. `asked`: how the engine was asked
    /// for words alone.
    pub(super) fn judge(
        &self,
        heard: &HeardBefore,
        asked: Option<&Words>,
        judge: impl Fn(&Proposal, Option<&HeardBefore>) -> std::result::Result<Verdict, RunFault>,
    ) -> std::result::Result<Judged, RunFault> {
        let mut proposal = self.reader.proposed().clone();
        if let Some(words) = asked {
            proposal.speak_only(words.does.as_ref().map(|option| &option.action));
        }
        let end = match &self.part {
            None => return Ok(Judged::Passed(None)),
            Some(Part::NotUtf8) => return Ok(Judged::Unreadable),
            Some(Part::Invalid(error)) => {
                let verdict = Verdict::unreadable(error);
                return Ok(Judged::failed(verdict, Err(error.clone())));
            }
            Some(Part::Action) => None,
            Some(Part::Sentence(end)) => Some(*end),
        };
        proposal.say(&end.map(|end| self.line(end)).unwrap_or_default());
        if end.is_none() || !self.has_judged_sentence {
            // What it does is judged before it says that it does it, and once more before its first word.
            let verdict = judge(&proposal, None)?;
            if !verdict.passed {
                return Ok(Judged::failed(verdict, Ok(proposal)));
            }
        }
        if end.is_none() {
            return Ok(Judged::Passed(None));
        }
        let verdict = judge(&proposal, Some(heard))?;
        match verdict.passed {
            true => Ok(Judged::Passed(Some(proposal.dialogue))),
            false => Ok(Judged::failed(verdict, Ok(proposal))),
        }
    }
}

/// What became of a part.
pub(super) enum Judged {
    /// It passed; with the line up to it where it is a sentence.
    Passed(Option<String>),
    Failed(Box<(Verdict, std::result::Result<Proposal, InvalidFormat>)>),
    Unreadable,
}

impl Judged {
    fn failed(verdict: Verdict, read: std::result::Result<Proposal, InvalidFormat>) -> Self {
        Self::Failed(Box::new((verdict, read)))
    }
}

/// A run begins to listen to the reply of its next call.
pub(super) fn begin_listening(world: &mut World, entity: Entity, has_schema: bool) {
    let Ok(mut run) = world.get_entity_mut(entity) else {
        return;
    };
    let delivery = run.get::<Run>().map(|run| run.policy().delivery);
    let is_heard = delivery == Some(Delivery::Sentences);
    let line_end = match run.get::<StateSnapshot>().map(|frozen| &frozen.body().ask) {
        // No line is asked for.
        Some(Ask::Choice(_) | Ask::Memories | Ask::Diary) => return,
        Some(Ask::Words(words)) => Some(LineEnd::new(words.sentences)),
        _ => None,
    };
    if !is_heard && line_end.is_none() {
        return;
    }
    let heard = run.take::<HeardSentences>().unwrap_or_default();
    let repeated = Repetition::of(heard.iter().map(|one| one.words.as_str()));
    if is_heard {
        run.insert(heard);
    }
    run.insert(ReplyInProgress {
        line_end,
        is_heard,
        reader: match has_schema {
            true => ReplyReader::with_schema(),
            false => ReplyReader::default(),
        },
        repeated,
        ..ReplyInProgress::default()
    });
}

/// The options with which the reply of a run is read. `names`: the names of its speaker.
pub(super) fn read_options<'a>(
    world: &'a World,
    entity: Entity,
    finish: Finish,
    names: &'a [String],
) -> std::result::Result<ParseOptions<'a>, RunFault> {
    let run = run_component::<Run>(world, entity)?;
    let character = &character_component::<LoadedCharacter>(world, run)?.0;
    let snapshot = run_component::<StateSnapshot>(world, entity)?;
    Ok(ParseOptions {
        finish,
        speaker_names: names,
        other_names: world.resource::<KnownNames>().labels(),
        line_chars: snapshot.body().line_chars,
        lexicon: world.resource::<ActiveStory>().0.language_of(character),
    })
}
