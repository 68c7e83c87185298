//! One call: the request, the stream, and every way in which it can end.

use super::config::SchemaDialect;
use super::in_order::InOrder;
use super::redact::ReplyFilter;
use super::reply;
use super::shared::Shared;
use crate::engine::sse::{SseReader, TooLong};
use crate::engine::{EngineError, EngineEvent, EngineRequest, MAX_REASONING_BYTES, TokenUsage};
use crate::proposal::Finish;
use crossbeam_channel::{Receiver, Sender};
use futures_lite::future::{or, pending};
use futures_timer::Delay;
use reqwest::{Response, header};
use serde_json::{Map, Value, json};
use std::error::Error;
use std::io;
use std::time::Duration;

/// Chunks that wait for the consumer; what comes on top waits in the sender's own buffer.
const QUEUE: usize = 64;
/// Places behind the queue for the last chunk, for what the model was thinking, for what the call took and for the last event,
/// so that a task never has to wait to end.
const RESERVED: usize = 4;
/// How long the sender waits before it looks for room in the queue again.
const FLUSH_WAIT: Duration = Duration::from_millis(2);
/// After so many bytes in a row the task lets others run. On a single-threaded pool they include the game's frame.
const BYTES_PER_TURN: usize = 64 * 1024;
/// How long it lets them run.
const REST: Duration = Duration::from_millis(1);
/// How long to wait for the usage figures once the reply is whole.
const TAIL_WAIT: Duration = Duration::from_millis(250);
/// How much of an error's body is read.
const ERROR_BODY: usize = 4 * 1024;
/// What an event or a body may have on top of the reply's own bytes.
const FRAME_BYTES: usize = 64 * 1024;

/// The task's end of the channel.
pub(super) struct ReplySender {
    sender: Sender<EngineEvent>,
    pending: Vec<u8>,
    total: usize,
    limit: usize,
    finish: Option<Finish>,
    filter: ReplyFilter,
    /// What the model was thinking, as far as it is kept, and how many bytes it was. It has a filter of its own: what that
    /// holds back must not come out among the words.
    reasoning: (String, usize),
    reasoning_filter: ReplyFilter,
    usage: Option<TokenUsage>,
}

impl ReplySender {
    /// A sender for a reply of at most `limit` bytes, and the consumer's end.
    pub fn new(limit: usize, filter: impl Fn() -> ReplyFilter) -> (Self, Receiver<EngineEvent>) {
        let (sender, receiver) = crossbeam_channel::bounded(QUEUE + RESERVED);
        let reply_sender = Self {
            sender,
            pending: Vec::new(),
            total: 0,
            limit,
            finish: None,
            filter: filter(),
            reasoning: (String::new(), 0),
            reasoning_filter: filter(),
            usage: None,
        };
        (reply_sender, receiver)
    }

    fn push(&mut self, text: &str) -> Result<(), EngineError> {
        self.total = self.total.saturating_add(text.len());
        if self.total > self.limit {
            return Err(EngineError::Oversized { limit: self.limit });
        }
        let text = self.filter.pass(text);
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

    /// Ends the call. A reply that was whole stays whole whatever came after it.
    fn end(&mut self, result: Result<(), EngineError>) {
        let mut thought = std::mem::take(&mut self.reasoning.0);
        thought.push_str(&self.reasoning_filter.rest());
        if !thought.is_empty() {
            self.send(EngineEvent::Reasoning(thought));
        }
        if let Some(usage) = self.usage {
            self.send(EngineEvent::Usage(usage));
        }
        match (self.finish, result) {
            (Some(finish), _) => {
                let rest = self.filter.rest();
                self.pending.extend_from_slice(rest.as_bytes());
                self.send_pending();
                self.send(EngineEvent::Finished(finish));
            }
            (None, Err(error)) => self.send(EngineEvent::Failed(error)),
            (None, Ok(())) => self.send(EngineEvent::Failed(EngineError::Interrupted(
                "the stream ended without a finish reason".to_owned(),
            ))),
        }
    }
}

/// Makes the call and tells the sender how it went. Must be polled inside a tokio context.
pub(super) async fn run(shared: &Shared, request: &EngineRequest, mut reply_sender: ReplySender) {
    let late = async {
        Delay::new(request.time_left).await;
        Err(EngineError::Expired)
    };
    let result = or(converse(shared, request, &mut reply_sender), late).await;
    reply_sender.end(result.map_err(|error| shared.redactor.error(error)));
}

async fn converse(
    shared: &Shared,
    request: &EngineRequest,
    reply_sender: &mut ReplySender,
) -> Result<(), EngineError> {
    let body = serde_json::to_vec(&InOrder(&payload(shared, request)))
        .map_err(|error| EngineError::Protocol(error.to_string()))?;
    let mut call = shared
        .client
        .post(shared.endpoint.clone())
        .header(header::CONTENT_TYPE, "application/json")
        .header(header::ACCEPT, "text/event-stream, application/json")
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
    if !status.is_success() {
        let (body, _) = read_body(shared, response, ERROR_BODY).await;
        let said = reply::error_body(&body);
        let plain = status.canonical_reason().unwrap_or("no reason given");
        return Err(EngineError::Status {
            status: status.as_u16(),
            message: if said.is_empty() {
                plain.to_owned()
            } else {
                said
            },
        });
    }
    // JSON may write one byte of text as six (`\u0007`).
    let limit = reply_sender
        .limit
        .saturating_mul(6)
        .saturating_add(FRAME_BYTES);
    match content_type(&response).as_deref() {
        // Absent with some servers of one's own making.
        None | Some("text/event-stream") => stream(shared, response, reply_sender, limit).await,
        Some("application/json") => {
            let (body, end) = read_body(shared, response, limit).await;
            match end {
                BodyEnd::Whole => accept(shared, reply_sender, reply::body(&body)?),
                BodyEnd::TooLong => Err(EngineError::Oversized { limit }),
                BodyEnd::Broken(error) => Err(error),
            }
        }
        Some(other) => Err(EngineError::Protocol(format!(
            "the answer is {other}, not text/event-stream"
        ))),
    }
}

/// The request's body.
fn payload(shared: &Shared, request: &EngineRequest) -> Value {
    let mut body = Map::new();
    body.insert("model".to_owned(), shared.model.as_str().into());
    body.insert("max_tokens".to_owned(), request.max_tokens.into());
    body.insert(
        "temperature".to_owned(),
        (f64::from(request.temperature_milli) / 1000.0).into(),
    );
    // 31 bits: servers keep the seed in an i32, a u32 whose highest value means "random", or a double.
    body.insert("seed".to_owned(), (request.seed & 0x7fff_ffff).into());
    if shared.cache_prompt {
        body.insert("cache_prompt".to_owned(), true.into());
    }
    if let Some(slot) = request.slot {
        body.insert("id_slot".to_owned(), slot.into());
    }
    let format = request
        .schema
        .as_ref()
        .and_then(|schema| match shared.schema {
            SchemaDialect::JsonSchema => Some(json!({
                "type": "json_schema",
                "json_schema": { "name": "reply", "strict": true, "schema": schema },
            })),
            SchemaDialect::JsonObject => Some(json!({ "type": "json_object", "schema": schema })),
            SchemaDialect::None => None,
        });
    if let Some(format) = format {
        body.insert("response_format".to_owned(), format);
    }
    for (name, value) in &shared.fields {
        match value {
            Value::Null => body.remove(name),
            value => body.insert(name.clone(), value.clone()),
        };
    }
    body.insert("messages".to_owned(), json!(request.messages));
    // Only a stream can be cancelled reliably, so even JSON is streamed.
    body.insert("stream".to_owned(), true.into());
    body.insert(
        "stream_options".to_owned(),
        json!({ "include_usage": true }),
    );
    body.into()
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

async fn stream(
    shared: &Shared,
    mut response: Response,
    reply_sender: &mut ReplySender,
    limit: usize,
) -> Result<(), EngineError> {
    let mut reader = SseReader::new(limit);
    let mut tail: Option<Delay> = None;
    let mut in_a_row = 0;
    loop {
        let waiting = !reply_sender.pending.is_empty();
        let bytes = async {
            let chunk = response.chunk().await;
            Wake::Bytes(
                chunk
                    .map(|c| c.map(Vec::from))
                    .map_err(|e| wire(shared, &e)),
            )
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
            Wake::Bytes(Ok(None)) | Wake::Enough => return Ok(()),
            Wake::Bytes(Err(error)) => return Err(error),
            Wake::Room => {
                reply_sender.flush();
                continue;
            }
        };
        let events = reader
            .push(&bytes)
            .map_err(|TooLong(limit)| EngineError::Oversized { limit })?;
        for event in events {
            if event.data.trim_ascii() == b"[DONE]" {
                // Without a finish reason nobody says that the reply is whole: the server of llama-cpp-python ends a stream
                // so when it breaks it off for another call. It counts as one that was cut at its limit.
                reply_sender.finish.get_or_insert(Finish::Length);
                return Ok(());
            }
            if event.error {
                return Err(EngineError::Status {
                    status: 200,
                    message: reply::error_body(&event.data),
                });
            }
            accept(shared, reply_sender, reply::event(&event.data)?)?;
        }
        if reply_sender.finish.is_some() && tail.is_none() {
            tail = Some(Delay::new(TAIL_WAIT));
        }
        in_a_row += bytes.len();
        if in_a_row >= BYTES_PER_TURN {
            in_a_row = 0;
            Delay::new(REST).await;
        }
    }
}

/// Takes one part. Text after the finish reason is not part of the reply.
fn accept(
    shared: &Shared,
    reply_sender: &mut ReplySender,
    piece: reply::ReplyPart,
) -> Result<(), EngineError> {
    if let Some(usage) = piece.usage {
        shared.count(usage);
        let [prompt, cached, completion] = usage;
        reply_sender.usage = Some(TokenUsage {
            prompt,
            cached,
            completion,
        });
    }
    if piece.model.is_some() || piece.build.is_some() {
        shared.note(|seen| {
            seen.name = piece.model.clone();
            seen.build = piece.build.clone();
        });
    }
    if reply_sender.finish.is_none() {
        reply_sender.think(&piece.reasoning)?;
        reply_sender.push(&piece.text)?;
        reply_sender.finish = piece.finish;
    }
    Ok(())
}

/// How the reading of a body ended.
enum BodyEnd {
    Whole,
    TooLong,
    Broken(EngineError),
}

/// The first `limit` bytes of a body.
async fn read_body(shared: &Shared, mut response: Response, limit: usize) -> (Vec<u8>, BodyEnd) {
    let mut body = Vec::new();
    loop {
        match response.chunk().await {
            Ok(None) => return (body, BodyEnd::Whole),
            Err(error) => return (body, BodyEnd::Broken(wire(shared, &error))),
            Ok(Some(chunk)) => {
                let room = limit - body.len();
                body.extend_from_slice(&chunk[..chunk.len().min(room)]);
                if chunk.len() > room {
                    return (body, BodyEnd::TooLong);
                }
            }
        }
    }
}

/// What a failed exchange means. The texts name the host, never the whole address.
fn wire(shared: &Shared, error: &reqwest::Error) -> EngineError {
    let mut cause: &dyn Error = error;
    let mut broken = error.is_body() || error.is_decode();
    while let Some(source) = cause.source() {
        cause = source;
        broken |= cause.is::<io::Error>();
    }
    let cause = cause.to_string();
    if error.is_connect() {
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
