//! The scripted engine: authored replies, so that the example, the tests, CI and a game need no model.
//!
//! It can misbehave on purpose: cut replies, odd chunks, delays and every kind of failure.

use super::script::{ReplySpec, ScriptSpec};
use super::{
    Capabilities, Engine, EngineCall, EngineError, EngineErrorKind, EngineEvent, EngineIdentity,
    EngineRequest, Stage,
};
use crate::base::canonical::canonical_json;
use crate::base::fixed::Millis;
use crate::base::lock::lock;
use crate::format::Problem;
use crate::proposal::{Finish, ThoughtWatch, begins_in_form};
use crate::text::{FoldedText, PatternSet};
use crossbeam_channel::Receiver;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

const UNEQUAL: &str = "its text, its object and its chunks joined differ";

/// What is wrong with a reply of a script, with its place in a file that has its replies at `/replies`.
fn wrong(reply: usize, why: &str) -> Problem {
    Problem::new(format!("/replies/{reply}"), format!("reply {reply}: {why}"))
}

/// A reply of a script with its conditions, and how often it was used.
#[derive(Debug)]
struct ScriptedReply {
    stage: Option<Stage>,
    npc: Option<String>,
    keyword: Option<PatternSet>,
    answer: Answer,
    used: u64,
}

#[derive(Debug, Clone)]
enum Answer {
    Reply {
        /// Each chunk, and how long after the one before it it comes.
        chunks: Vec<(Millis, Vec<u8>)>,
        finish: Finish,
    },
    Fail(EngineErrorKind),
}

/// A script made ready to answer.
#[derive(Debug, Default)]
struct Script {
    replies: Vec<ScriptedReply>,
    repeat: bool,
}

impl Script {
    fn compile(spec: &ScriptSpec) -> Result<Self, Problem> {
        let replies = spec
            .replies
            .iter()
            .enumerate()
            .map(|(i, reply)| ScriptedReply::compile(i, reply));
        Ok(Self {
            replies: replies.collect::<Result<_, _>>()?,
            repeat: spec.repeat,
        })
    }

    /// The first unused reply that fits, and its place; with `repeat`, the least used one.
    fn answer(&mut self, request: &EngineRequest) -> Option<(usize, Answer)> {
        let input = FoldedText::new(&request.input);
        let repeat = self.repeat;
        let (place, reply) = self
            .replies
            .iter_mut()
            .enumerate()
            .filter(|(_, reply)| (repeat || reply.used == 0) && reply.fits(request, &input))
            // Where replies come back, one that was written for these words goes before one for any.
            .min_by_key(|(_, reply)| (repeat && reply.keyword.is_none(), reply.used))?;
        reply.used += 1;
        Some((place, reply.answer.clone()))
    }
}

impl ScriptedReply {
    fn compile(index: usize, spec: &ReplySpec) -> Result<Self, Problem> {
        let reply = match spec {
            ReplySpec::Say(text) => {
                return Ok(Self {
                    stage: None,
                    npc: None,
                    keyword: None,
                    answer: Answer::Reply {
                        chunks: marked(vec![text.clone().into_bytes()])
                            .into_iter()
                            .map(|chunk| (Millis(0), chunk))
                            .collect(),
                        finish: Finish::Stop,
                    },
                    used: 0,
                });
            }
            ReplySpec::Fail(fail) => {
                return Ok(Self {
                    stage: fail.stage,
                    npc: fail.npc.clone(),
                    keyword: None,
                    answer: Answer::Fail(fail.kind),
                    used: 0,
                });
            }
            ReplySpec::Reply(reply) => reply,
        };
        let bytes = |chunk: &String| chunk.clone().into_bytes();
        let object = reply.object.as_ref().map(canonical_json);
        if let (Some(text), Some(object)) = (&reply.text, &object)
            && text != object
        {
            return Err(wrong(index, UNEQUAL));
        }
        let text = reply.text.as_ref().or(object.as_ref());
        let chunks: Vec<Vec<u8>> = match (text, &reply.chunks, reply.chunk_bytes) {
            (None, None, _) => {
                return Err(wrong(index, "it has neither text nor object nor chunks"));
            }
            (_, Some(_), Some(_)) | (_, _, Some(0)) => {
                return Err(wrong(
                    index,
                    "it has chunks and chunk_bytes, or chunk_bytes is 0",
                ));
            }
            (Some(text), Some(chunks), _) if chunks.concat() != *text => {
                return Err(wrong(index, UNEQUAL));
            }
            (_, Some(chunks), _) => chunks.iter().map(bytes).collect(),
            (Some(text), None, Some(size)) => {
                text.as_bytes().chunks(size).map(<[u8]>::to_vec).collect()
            }
            (Some(text), None, None) => vec![bytes(text)],
        };
        let chunks = marked(chunks);
        let keyword = reply
            .keyword
            .as_ref()
            .map(|pattern| PatternSet::compile([pattern]))
            .transpose()
            .map_err(|error| wrong(index, &error.to_string()))?;
        let delays = std::iter::once(&reply.delay_seconds).chain(&reply.pauses);
        let delays = delays.map(|seconds| {
            let delay = Millis::from_seconds(*seconds).filter(|delay| delay.0 >= 0);
            delay.ok_or_else(|| wrong(index, "its delay or one of its pauses is not a time"))
        });
        let delays: Vec<Millis> = delays.collect::<Result<_, _>>()?;
        // A reply without any text takes its time, too.
        let chunks = if chunks.is_empty() {
            vec![Vec::new()]
        } else {
            chunks
        };
        let delays = delays.into_iter().chain(std::iter::repeat(Millis(0)));
        Ok(Self {
            stage: reply.stage,
            npc: reply.npc.clone(),
            keyword,
            answer: Answer::Reply {
                chunks: delays.zip(chunks).collect(),
                finish: reply.finish,
            },
            used: 0,
        })
    }

    fn fits(&self, request: &EngineRequest, input: &FoldedText) -> bool {
        let fits_any = !request.stage.is_asked_by_name();
        self.stage.map_or(fits_any, |stage| stage == request.stage)
            && (self.npc.is_none() || self.npc == request.npc)
            && self
                .keyword
                .as_ref()
                .is_none_or(|keyword| keyword.scan(input).first(0).is_some())
    }
}

/// An engine that plays a script. Clones share the script and the number of calls.
///
/// ```
/// use bevy_dramatis::engine::{ScriptSpec, ScriptedEngine};
/// use bevy_dramatis::format::parse_ron;
/// let script: ScriptSpec = parse_ron(br#"(replies: [Say("Who knocks?")], repeat: true)"#, "script").unwrap();
/// let engine = ScriptedEngine::new(&script).unwrap();
/// ```
#[derive(Debug, Clone)]
pub struct ScriptedEngine {
    script: Arc<Mutex<Script>>,
    identity: Arc<Mutex<EngineIdentity>>,
    hold: Arc<AtomicBool>,
    calls: Arc<AtomicU64>,
}

impl ScriptedEngine {
    /// An engine that plays this script. Its provider and its model are called `scripted`.
    ///
    /// # Errors
    /// The problem of one of its replies.
    pub fn new(script: &ScriptSpec) -> Result<Self, Problem> {
        Ok(Self {
            script: Arc::new(Mutex::new(Script::compile(script)?)),
            identity: Arc::new(Mutex::new(EngineIdentity {
                provider: "scripted".to_owned(),
                model: "scripted".to_owned(),
                version: Some("1".to_owned()),
                hash: None,
                capabilities: Capabilities::default(),
            })),
            hold: Arc::default(),
            calls: Arc::default(),
        })
    }

    /// An engine that answers each line in turn, then fails: handy in tests.
    #[must_use]
    pub fn saying<S: Into<String>>(lines: impl IntoIterator<Item = S>) -> Self {
        let replies = lines.into_iter().map(|line| ReplySpec::Say(line.into()));
        let script = ScriptSpec {
            replies: replies.collect(),
            repeat: false,
        };
        // Bare lines cannot be wrong.
        Self::new(&script).unwrap_or_else(|_| Self::silent())
    }

    /// An engine without a script: every call fails, and authored fallback lines carry the game.
    #[must_use]
    pub fn silent() -> Self {
        Self::saying(std::iter::empty::<String>())
    }

    /// The same engine under another identity, for tests of what depends on it.
    #[must_use]
    pub fn with_identity(mut self, identity: EngineIdentity) -> Self {
        self.identity = Arc::new(Mutex::new(identity));
        self
    }

    /// From now on the engine and its clones say that they are this model: for tests of what follows from that.
    pub fn set_identity(&self, identity: EngineIdentity) {
        *lock(&self.identity) = identity;
    }

    /// Replaces the script, as a hot reload does. Calls in flight keep their answers.
    ///
    /// # Errors
    /// The problem of one of its replies; the old script stays then.
    pub fn set_script(&self, script: &ScriptSpec) -> Result<(), Problem> {
        let script = Script::compile(script)?;
        *lock(&self.script) = script;
        Ok(())
    }

    /// From now on calls start and no answer arrives, until [`Self::release`]: for tests of what happens in between.
    pub fn hold(&self) {
        self.hold.store(true, Ordering::Release);
    }

    /// Lets the answers arrive that [`Self::hold`] held back.
    pub fn release(&self) {
        self.hold.store(false, Ordering::Release);
    }

    /// How many calls were started so far, failed ones too.
    #[must_use]
    pub fn calls(&self) -> u64 {
        self.calls.load(Ordering::Acquire)
    }
}

impl Engine for ScriptedEngine {
    fn identity(&self) -> EngineIdentity {
        lock(&self.identity).clone()
    }

    fn start(&self, request: EngineRequest) -> EngineCall {
        self.begin(&request).1
    }

    /// If the caller heard nothing of a reply, the next call gets that reply.
    fn start_again(&self, request: EngineRequest) -> EngineCall {
        let (place, mut call) = self.begin(&request);
        if let Some(place) = place {
            call._cancel = Box::new(Unheard {
                script: self.script.clone(),
                place,
                all: call.events.len(),
                events: call.events.clone(),
            });
        }
        call
    }
}

impl ScriptedEngine {
    /// Starts a call, with the place of its reply in the script.
    fn begin(&self, request: &EngineRequest) -> (Option<usize>, EngineCall) {
        self.calls.fetch_add(1, Ordering::AcqRel);
        let answer = lock(&self.script).answer(request);
        let (place, answer) = answer.unzip();
        let fail = |error| vec![(Millis(0), EngineEvent::Failed(error))];
        let events = match answer {
            None => fail(EngineError::ScriptExhausted),
            Some(Answer::Fail(kind)) => fail(match kind {
                EngineErrorKind::Timeout => EngineError::Timeout("as scripted".to_owned()),
                EngineErrorKind::Transport => EngineError::Unreachable("as scripted".to_owned()),
                EngineErrorKind::Oversized => EngineError::Oversized {
                    limit: request.max_reply_bytes,
                },
                EngineErrorKind::NotUtf8 => EngineError::NotUtf8,
            }),
            Some(Answer::Reply { chunks, finish }) => {
                let chunks = chunks.into_iter();
                let chunks = chunks.map(|(delay, chunk)| (delay, EngineEvent::Chunk(chunk)));
                chunks
                    .chain([(Millis(0), EngineEvent::Finished(finish))])
                    .collect()
            }
        };
        (place, EngineCall::timed(events).held(self.hold.clone()))
    }
}

/// The chunks of a reply. An engine says where a thought begins, also where the template of a model wrote its beginning and the
/// reply has its end alone: else the thought would be heard while it comes.
fn marked(mut chunks: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
    let text = chunks.concat();
    let text = std::str::from_utf8(&text).unwrap_or_default();
    let opening = match begins_in_form(text) {
        true => None,
        false => ThoughtWatch::default().take(text),
    };
    if let (Some(opening), Some(first)) = (opening, chunks.first_mut()) {
        first.splice(0..0, opening.into_bytes());
    }
    chunks
}

/// Gives a reply back to its script when its call is dropped and nothing of it was heard.
struct Unheard {
    script: Arc<Mutex<Script>>,
    place: usize,
    all: usize,
    events: Receiver<EngineEvent>,
}

impl Drop for Unheard {
    fn drop(&mut self) {
        if self.events.len() < self.all {
            return;
        }
        let mut script = lock(&self.script);
        if let Some(reply) = script.replies.get_mut(self.place) {
            reply.used = reply.used.saturating_sub(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::script::{FailRecord, ReplyRecord};
    use std::time::Duration;

    fn request(stage: Stage, npc: &str, input: &str) -> EngineRequest {
        EngineRequest {
            stage,
            npc: Some(npc.to_owned()),
            input: input.to_owned(),
            messages: Arc::default(),
            schema: None,
            seed: 0,
            max_tokens: 1,
            temperature: 0.0,
            top_p: None,
            min_p: None,
            repeat_penalty: None,
            max_reply_bytes: 10,
            time_left: Duration::from_secs(1),
            stop: Vec::new(),
            slot: None,
        }
    }

    fn text(engine: &ScriptedEngine, stage: Stage, npc: &str, input: &str) -> String {
        let mut call = engine.start(request(stage, npc, input));
        let mut out = String::new();
        while let Some(event) = call.poll(Millis(i64::MAX)) {
            match event {
                EngineEvent::Chunk(bytes) => out += std::str::from_utf8(&bytes).unwrap(),
                EngineEvent::Reasoning(_) | EngineEvent::Usage(_) => {}
                EngineEvent::Finished(_) => return out,
                EngineEvent::Failed(error) => return format!("{:?}", error.kind()),
            }
        }
        out
    }

    #[test]
    fn each_reply_is_used_once_the_first_that_fits() {
        let reply = |text: &str| ReplyRecord {
            text: Some(text.into()),
            ..ReplyRecord::default()
        };
        let script = ScriptSpec {
            replies: vec![
                ReplySpec::Reply(ReplyRecord {
                    npc: Some("b".into()),
                    ..reply("for b")
                }),
                ReplySpec::Reply(ReplyRecord {
                    keyword: Some("door*".into()),
                    ..reply("doors")
                }),
                ReplySpec::Reply(ReplyRecord {
                    stage: Some(Stage::Narrator),
                    ..reply("narrated")
                }),
                ReplySpec::Say("any".into()),
                ReplySpec::Fail(FailRecord {
                    kind: EngineErrorKind::Timeout,
                    stage: None,
                    npc: None,
                }),
            ],
            repeat: false,
        };
        let engine = ScriptedEngine::new(&script).unwrap();
        assert_eq!(text(&engine, Stage::Dialogue, "a", "outdoors"), "any");
        assert_eq!(text(&engine, Stage::Dialogue, "a", "The DOORS"), "doors");
        assert_eq!(text(&engine, Stage::Dialogue, "b", ""), "for b");
        assert_eq!(text(&engine, Stage::Dialogue, "a", ""), "Timeout");
        assert_eq!(text(&engine, Stage::Dialogue, "a", ""), "Transport");
        assert_eq!(text(&engine, Stage::Narrator, "a", ""), "narrated");
        assert_eq!(engine.calls(), 6);
    }

    #[test]
    fn a_repeating_script_takes_turns() {
        let script = ScriptSpec {
            replies: vec![ReplySpec::Say("1".into()), ReplySpec::Say("2".into())],
            repeat: true,
        };
        let engine = ScriptedEngine::new(&script).unwrap();
        let said: Vec<String> = (0..5)
            .map(|_| text(&engine, Stage::Dialogue, "a", ""))
            .collect();
        assert_eq!(said, ["1", "2", "1", "2", "1"]);
    }

    #[test]
    fn a_wrong_script_is_refused_and_the_old_one_stays() {
        let engine = ScriptedEngine::saying(["old"]);
        let wrong = |record: ReplyRecord| ScriptSpec {
            replies: vec![ReplySpec::Reply(record)],
            repeat: false,
        };
        for record in [
            ReplyRecord::default(),
            ReplyRecord {
                text: Some("a".into()),
                chunks: Some(vec!["b".into()]),
                ..ReplyRecord::default()
            },
            ReplyRecord {
                text: Some("a".into()),
                keyword: Some("/(/".into()),
                ..ReplyRecord::default()
            },
            ReplyRecord {
                text: Some("a".into()),
                delay_seconds: f64::NAN,
                ..ReplyRecord::default()
            },
        ] {
            assert!(engine.set_script(&wrong(record)).is_err());
        }
        assert_eq!(text(&engine, Stage::Dialogue, "a", ""), "old");
    }
}
