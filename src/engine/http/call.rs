//! One call: the request, the stream, and every way in which it can end.

use super::answer::AnswerReader;
use super::beginning::Beginning;
use super::change::Change;
use super::exchange::{Body, is_unreachable, packed};
use super::in_order::InOrder;
use super::payload::payload;
use super::redact::ReplyFilter;
use super::refusal;
use super::reply::{self, ReplyPart};
use super::shared::Shared;
use super::spoken::SpokenReply;
use crate::engine::{EngineError, EngineEvent, EngineRequest, MAX_REASONING_BYTES, TokenUsage};
use crossbeam_channel::{Receiver, Sender};
use futures_lite::future::{or, pending};
use futures_timer::Delay;
use reqwest::{Response, header};
use serde_json::{Map, Value};
use std::error::Error;
use std::io;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// Chunks that wait for the consumer; further ones wait in the sender's own buffer.
const QUEUE: usize = 64;
/// Further places of the channel for the sign of life, for the last chunk, for what the model was thinking, for what the call
/// took and for the last event, so that a task never has to wait to end.
const RESERVED: usize = 5;
/// How long the sender waits before it looks for room in the queue again.
const FLUSH_WAIT: Duration = Duration::from_millis(2);
/// After this number of bytes in a row the task lets others run. On a single-threaded pool they include the game's frame.
const BYTES_PER_TURN: usize = 64 * 1024;
/// How long it lets them run.
const REST: Duration = Duration::from_millis(1);
/// How often a call is made again because the server refuses something of the request.
const MOST_CHANGES: usize = 8;
/// The marks with which a model begins to think within its reply.
const THOUGHTS: [&str; 3] = ["<think", "[THINK]", "<|channel"];
/// How long to wait for the end of an answer that is a whole body already.
const BODY_TAIL: Duration = Duration::from_millis(250);
/// How often a server that says when to come back is asked again within one call, and how long that may take each time.
const MOST_RETURNS: u32 = 2;
const LONGEST_RETURN: Duration = Duration::from_secs(15);
/// How much of an error's body is read.
const ERROR_BODY: usize = 4 * 1024;
/// What an event or a body may have on top of the reply's own bytes.
const FRAME_BYTES: usize = 64 * 1024;

/// The task's end of the channel.
pub(super) struct ReplySender {
    sender: Sender<EngineEvent>,
    pending: Vec<u8>,
    limit: usize,
    reply: SpokenReply,
    filter: ReplyFilter,
    beginning: Beginning,
    /// What the model was thinking, as far as it is kept, and how many bytes it was. It has a filter of its own: what that
    /// holds back must not come out among the words.
    reasoning: (String, usize),
    reasoning_filter: ReplyFilter,
    usage: Option<TokenUsage>,
    /// What was changed in the request because the server refused it, each with what the server said, until it has answered.
    learned: Vec<(Change, String)>,
}

impl ReplySender {
    /// A sender for a reply of at most `limit` bytes, and the consumer's end.
    pub fn new(
        limit: usize,
        filter: impl Fn() -> ReplyFilter,
        beginning: Beginning,
    ) -> (Self, Receiver<EngineEvent>) {
        let (sender, receiver) = crossbeam_channel::bounded(QUEUE + RESERVED);
        let reply_sender = Self {
            sender,
            pending: Vec::new(),
            limit,
            reply: SpokenReply::new(limit),
            filter: filter(),
            beginning,
            reasoning: (String::new(), 0),
            reasoning_filter: filter(),
            usage: None,
            learned: Vec::new(),
        };
        (reply_sender, receiver)
    }

    /// Takes the next part of the reply.
    fn take(&mut self, part: &ReplyPart) -> Result<(), EngineError> {
        self.think(&part.reasoning)?;
        let text = self.reply.take(part)?;
        let text = self.filter.pass(&text);
        let is_held = !text.is_empty();
        let text = self.beginning.pass(text);
        if is_held && text.is_empty() && self.sender.is_empty() {
            self.send_sign_of_life();
        }
        self.pending.extend_from_slice(text.as_bytes());
        self.flush();
        Ok(())
    }

    /// Keeps what the model is thinking. One that thinks without end is stopped.
    fn think(&mut self, thought: &str) -> Result<(), EngineError> {
        let (kept, bytes) = &mut self.reasoning;
        *bytes = bytes.saturating_add(thought.len());
        if *bytes > self.limit {
            return Err(EngineError::Oversized { limit: self.limit });
        }
        if kept.len() < MAX_REASONING_BYTES {
            kept.push_str(&self.reasoning_filter.pass(thought));
        }
        Ok(())
    }

    /// Whether anything of the reply has come.
    fn has_begun(&self) -> bool {
        self.reply.has_begun() || self.reasoning.1 > 0
    }

    /// Tells the consumer, by a chunk of nothing, that the server is at work.
    fn send_sign_of_life(&self) {
        self.send(EngineEvent::Chunk(Vec::new()));
    }

    /// Hands over what waits, if the queue has room. Only this task sends, so room that was seen stays.
    fn flush(&mut self) {
        if self.sender.len() < QUEUE {
            self.send_pending();
        }
    }

    fn send_pending(&mut self) {
        if !self.pending.is_empty() {
            let chunk = std::mem::take(&mut self.pending);
            self.send(EngineEvent::Chunk(chunk));
        }
    }

    fn send(&self, event: EngineEvent) {
        // Full cannot be; a consumer that has gone has dropped this task too.
        let _ = self.sender.try_send(event);
    }

    /// Ends the call. A reply that was over stays whole whatever came after it.
    fn end(&mut self, result: Result<(), EngineError>) {
        let mut thought = std::mem::take(&mut self.reasoning.0);
        thought.push_str(&self.reasoning_filter.rest());
        if !thought.is_empty() {
            self.send(EngineEvent::Reasoning(thought));
        }
        if let Some(usage) = self.usage {
            self.send(EngineEvent::Usage(usage));
        }
        match result {
            Err(error) if !self.reply.is_over() => self.send(EngineEvent::Failed(error)),
            _ => {
                let rest = self.filter.pass(self.reply.rest()) + &self.filter.rest();
                let rest = self.beginning.pass(rest) + &self.beginning.rest();
                self.pending.extend_from_slice(rest.as_bytes());
                self.send_pending();
                self.send(EngineEvent::Finished(self.reply.finish()));
            }
        }
    }
}

/// Makes the call and tells the sender how it went. Must be polled inside a tokio context.
pub(super) async fn run(shared: &Shared, request: &EngineRequest, mut reply_sender: ReplySender) {
    let late = async {
        Delay::new(request.time_left).await;
        Err(EngineError::EXPIRED)
    };
    let result = or(converse(shared, request, &mut reply_sender), late).await;
    reply_sender.end(result.map_err(|error| shared.redactor.error(error)));
}

/// Asks, and asks once more for each thing that the server refuses of the request, as far as it can do without.
async fn converse(
    shared: &Shared,
    request: &EngineRequest,
    reply_sender: &mut ReplySender,
) -> Result<(), EngineError> {
    let mut changes = shared.changes();
    let known = changes.len();
    let mut returns = 0;
    loop {
        let mut body = payload(shared, request);
        for change in &changes {
            change.apply(&mut body);
        }
        let refused = match ask(shared, &body).await? {
            Asked::Answered(response) => {
                let answered = answer(shared, response, reply_sender).await;
                match answered {
                    Err(EngineError::Status { status, message }) if !reply_sender.has_begun() => {
                        let error = message.clone().into_bytes();
                        Refused {
                            status,
                            message,
                            error,
                            wait: None,
                        }
                    }
                    answered => return answered,
                }
            }
            Asked::Refused(refused) => refused,
        };
        let Refused {
            status,
            message,
            error,
            wait,
        } = refused;
        if let Some(wait) = wait.filter(|_| returns < MOST_RETURNS) {
            returns += 1;
            Delay::new(wait).await;
            continue;
        }
        let is_open = changes.len() < known + MOST_CHANGES;
        let change = is_open.then(|| refusal::change(status, &error, &body, &changes));
        match change.flatten().filter(|change| !changes.contains(change)) {
            Some(change) => {
                let why = shared.redactor.clean(&message);
                reply_sender.learned.push((change.clone(), why));
                changes.push(change);
            }
            None => return Err(EngineError::Status { status, message }),
        }
    }
}

/// What a server does with a request.
enum Asked {
    Answered(Response),
    Refused(Refused),
}

/// A request that was answered with an error: its status, its sentence, and its body or the beginning of it.
struct Refused {
    status: u16,
    message: String,
    error: Vec<u8>,
    /// After what time the server may be asked again, if it says so, and that is soon.
    wait: Option<Duration>,
}

async fn ask(shared: &Shared, body: &Map<String, Value>) -> Result<Asked, EngineError> {
    let body = serde_json::to_vec(&InOrder(&Value::Object(body.clone())))
        .map_err(|error| EngineError::Protocol(error.to_string()))?;
    let mut call = shared
        .client
        .post(shared.endpoint.clone())
        .header(header::CONTENT_TYPE, "application/json")
        .header(header::ACCEPT, "text/event-stream, application/json")
        .header(header::ACCEPT_ENCODING, "identity")
        .body(body);
    if let Some(authorization) = &shared.authorization {
        call = call.header(header::AUTHORIZATION, authorization.clone());
    }
    let response = call.send().await.map_err(|error| wire(shared, &error))?;

    let status = response.status();
    if status.is_redirection() {
        return Err(EngineError::Status {
            status: status.as_u16(),
            message: "redirects are not followed: give the final base URL".to_owned(),
        });
    }
    if status.is_success() {
        return Ok(Asked::Answered(response));
    }
    let wait = matches!(status.as_u16(), 429 | 503).then(|| wait_of(&response));
    let packed = packed(&response);
    let error = read_body(response, ERROR_BODY).await;
    let mut message = match packed {
        Some(packed) => format!("an error that is packed ({packed}), which was not asked for"),
        None => reply::error_body(&error),
    };
    if message.is_empty() {
        let plain = status.canonical_reason().unwrap_or("no reason given");
        plain.clone_into(&mut message);
    }
    if status.as_u16() == 404 && !message.contains("model") {
        let path = shared.endpoint.path();
        message = format!("{message} (the address is {path}: is the base URL right?)");
    }
    Ok(Asked::Refused(Refused {
        status: status.as_u16(),
        message,
        error,
        wait: wait.flatten(),
    }))
}

/// How long a server wants to be left alone, in seconds; `None` where it does not say so, or too long.
fn wait_of(response: &Response) -> Option<Duration> {
    let value = response.headers().get(header::RETRY_AFTER)?;
    let seconds: f64 = value.to_str().ok()?.trim().parse().ok()?;
    let wait = Duration::try_from_secs_f64(seconds).ok()?;
    (wait <= LONGEST_RETURN).then_some(wait)
}

/// Reads the answer of a server that has not refused.
async fn answer(
    shared: &Shared,
    response: Response,
    reply_sender: &mut ReplySender,
) -> Result<(), EngineError> {
    if let Some(packed) = packed(&response) {
        let text = format!("the answer is packed ({packed}), which was not asked for");
        return Err(EngineError::Protocol(text));
    }
    // JSON may write one byte of text as six (`\u0007`).
    let limit = reply_sender
        .limit
        .saturating_mul(6)
        .saturating_add(FRAME_BYTES);
    let reader = AnswerReader::new(limit, content_type(&response));
    reply_sender.send_sign_of_life();
    listen(shared, response, reader, reply_sender).await
}

fn content_type(response: &Response) -> Option<String> {
    let value = response.headers().get(header::CONTENT_TYPE)?;
    let text = String::from_utf8_lossy(value.as_bytes());
    let essence = text.split(';').next().unwrap_or_default();
    Some(essence.trim().to_ascii_lowercase())
}

/// What ended a wait for the server.
enum Wake {
    Bytes(Result<Option<Vec<u8>>, EngineError>),
    Room,
    Enough,
}

async fn listen(
    shared: &Shared,
    response: Response,
    mut reader: AnswerReader,
    reply_sender: &mut ReplySender,
) -> Result<(), EngineError> {
    let mut body = Body::of(response);
    let mut tail: Option<Delay> = None;
    let mut told = 0;
    let mut in_a_row = 0;
    loop {
        let waiting = !reply_sender.pending.is_empty();
        let bytes = async {
            let chunk = body.chunk().await;
            Wake::Bytes(chunk.map_err(|e| wire(shared, &e)))
        };
        let timer = async {
            match &mut tail {
                Some(tail) => {
                    tail.await;
                    Wake::Enough
                }
                None if waiting => {
                    Delay::new(FLUSH_WAIT).await;
                    Wake::Room
                }
                None => pending().await,
            }
        };
        // The timer first: a server that keeps talking after the end must not hold the call.
        let bytes = match or(timer, bytes).await {
            Wake::Bytes(Ok(Some(bytes))) => bytes,
            Wake::Bytes(Ok(None)) => {
                return reader.end(&mut |part| accept(shared, reply_sender, part));
            }
            Wake::Enough => return reader.end(&mut |part| accept(shared, reply_sender, part)),
            Wake::Bytes(Err(_)) if reader.is_whole_body() => {
                return reader.end(&mut |part| accept(shared, reply_sender, part));
            }
            Wake::Bytes(Err(error)) => return Err(error),
            Wake::Room => {
                reply_sender.flush();
                continue;
            }
        };
        if reader.push(&bytes, &mut |part| accept(shared, reply_sender, part))? {
            return Ok(());
        }
        let (now, patience) = reply_sender.reply.patience();
        if now != told {
            told = now;
            tail = patience.map(Delay::new);
        }
        if reader.is_whole_body() {
            tail = Some(Delay::new(BODY_TAIL));
        }
        in_a_row += bytes.len();
        if in_a_row >= BYTES_PER_TURN {
            in_a_row = 0;
            Delay::new(REST).await;
        }
    }
}

/// Takes one part.
fn accept(
    shared: &Shared,
    reply_sender: &mut ReplySender,
    part: ReplyPart,
) -> Result<(), EngineError> {
    if let Some(usage) = part.usage {
        shared.count(usage);
        let [prompt, cached, completion] = usage;
        reply_sender.usage = Some(TokenUsage {
            prompt,
            cached,
            completion,
        });
    }
    if part.model.is_some() || part.build.is_some() {
        shared.note(|seen| {
            seen.name = part.model.clone();
            seen.build = part.build.clone();
        });
    }
    reply_sender.take(&part)?;
    let said = reply_sender.reply.said().trim_start();
    if !part.reasoning.is_empty() || THOUGHTS.iter().any(|mark| said.starts_with(mark)) {
        shared.thinks.store(true, Ordering::Relaxed);
    }
    if reply_sender.has_begun() {
        // Only what was answered shows that the server wanted it so.
        shared.remember(std::mem::take(&mut reply_sender.learned));
    }
    Ok(())
}

/// The first `limit` bytes of a body, as far as they come.
async fn read_body(response: Response, limit: usize) -> Vec<u8> {
    let (mut all, mut body) = (Body::of(response), Vec::new());
    while let Ok(Some(chunk)) = all.chunk().await {
        let room = limit - body.len();
        body.extend_from_slice(&chunk[..chunk.len().min(room)]);
        if chunk.len() > room {
            break;
        }
    }
    body
}

/// What a failed exchange means. The texts name the host, never the whole address.
fn wire(shared: &Shared, error: &reqwest::Error) -> EngineError {
    let mut cause: &dyn Error = error;
    let mut broken = error.is_body() || error.is_decode();
    while let Some(source) = cause.source() {
        cause = source;
        broken |= cause.is::<io::Error>();
    }
    let cause = first_line(&cause.to_string()).to_owned();
    if is_unreachable(error) {
        EngineError::Unreachable(format!("{}: {cause}", shared.host()))
    } else if error.is_timeout() {
        let silent = shared.read_timeout.as_millis();
        EngineError::Timeout(format!("the server was silent for {silent} ms"))
    } else if broken || cause.contains("before message completed") {
        EngineError::Interrupted(cause)
    } else {
        EngineError::Protocol(cause)
    }
}

/// What went wrong, without the stack that a browser writes below it: `JsValue(TypeError: Failed to fetch\n at ..)`.
fn first_line(cause: &str) -> &str {
    let Some(thrown) = cause.strip_prefix("JsValue(") else {
        return cause;
    };
    let line = thrown.lines().next().unwrap_or_default();
    line.strip_suffix(')').unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::first_line;

    #[test]
    fn e4_what_a_browser_throws_is_told_without_its_stack() {
        let thrown = "JsValue(TypeError: Failed to fetch\nTypeError: Failed to fetch\n    at f (game.js:7:2))";
        assert_eq!(first_line(thrown), "TypeError: Failed to fetch");
        assert_eq!(first_line("JsValue(AbortError)"), "AbortError");
        assert_eq!(
            first_line("connection refused (os error 111)"),
            "connection refused (os error 111)"
        );
    }
}
