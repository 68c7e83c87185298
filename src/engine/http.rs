//! [`HttpEngine`]: every server that speaks `OpenAI`'s chat protocol: llama.cpp, Ollama, vLLM, LM Studio, `OpenAI`
//! itself, gateways.
//!
//! A call is a task on Bevy's IO task pool; it feeds a bounded channel, never waits for the consumer and ends no
//! later than [`EngineRequest::time_left`]. Dropping the [`EngineCall`] drops the task and with it the connection,
//! which stops a server's work within milliseconds because every call is streamed. A call is one request: the
//! engine sends it again only where the server refuses it and names the refused part, and follows no redirect.
//!
//! Each call opens its own connection. llama.cpp promises to keep connections alive and closes them after each streamed
//! reply, so that a reused one fails about every second call. A new connection costs almost nothing compared with inference.
//!
//! # Servers
//!
//! | server | what we have seen | settings |
//! |---|---|---|
//! | llama.cpp | all of it is tested against it; it is asked for its slots (`/props`) | [`with_cache_prompt`](HttpConfig::with_cache_prompt) |
//! | llama-cpp-python 0.3.36 | refuses the usual form of a schema; a new call ends the one before it, whose reply then counts as whole | [`SchemaDialect::JsonObject`], [`with_calls(1)`](HttpConfig::with_calls) or `--interrupt_requests false` |
//! | MLX (`mlx_lm.server` 0.32.2) | ignores schemas; calls with a seed are served one by one; the model's name must be right | [`SchemaDialect::None`], [`with_calls(1)`](HttpConfig::with_calls) or [`with_field("seed", null)`](HttpConfig::with_field) |
//! | `transformers serve` 5.23.0 | ignores schemas, refuses fields that it does not know, serves one call at a time | [`SchemaDialect::None`], [`with_calls(1)`](HttpConfig::with_calls) |
//! | `LiteLLM` proxy 1.106.2 | passes everything on, also `cache_prompt`; reports a cut reply as whole | as the server that it passes calls to |
//!
//! # What servers do differently
//!
//! None of this needs a setting, and none of it costs a reply:
//!
//! | what a server does | seen of | what becomes of it |
//! |---|---|---|
//! | refuses a field by its name: `max_tokens`, `seed`, `temperature`, `stop`, `stream_options`, `cache_prompt`, a field of the game's own, .. | `OpenAI`, Azure, Groq, Gemini, Mistral, xAI | the call is made again without it, `max_tokens` as `max_completion_tokens`, a schema as `json_object` first; the engine remembers it and logs it once |
//! | has a model whose template knows no system message | Gemma, Mistral 7B 0.1, o1-mini on any server | the engine puts the system text in front of the first message; it remembers and logs that |
//! | ends no reply with a reason, or with an empty one, or each part with `stop` | Ollama, vllm-mlx, gateways of Gemini, GLM | the end of the stream ends the reply, and only a broken connection cuts it |
//! | keeps the connection after the reply | OCI, `DeepSeek`'s gateways | the reply is whole a quarter of a second after its reason (two seconds where that came with text) |
//! | sends a body where a stream was asked for, or calls a stream something else | ramalama, gateways | what the bytes say counts |
//! | keeps the connection alive with comments, empty data or words | `OpenRouter`, proxies | passed over |
//! | sends parts in place of a text, thoughts among them | Mistral | texts are the reply, thoughts are its reasoning |
//! | cuts an emoji into two events, repeats the reply so far with each event, counts in `index`, writes NaN | many in Python or JavaScript, text-generation-webui, TGI | read as it is meant |
//!
//! A prompt's `stop` words ([`EngineRequest::stop`]) are not sent any more once the model has shown that it thinks: they
//! would end its thinking. An answer with an error in it, a page of HTML, JSON that is broken in its middle, and a connection
//! that breaks are failed calls.
//!
//! All of them answer 404 to `/props`, which does no harm. A call that is dropped while a reply is being written stops the work
//! of each within half a second; while the prompt is still being read, only llama.cpp stops. The models that we had there were of
//! random weights: what is said here is about the protocol.
//!
//! In a browser, the browser makes the calls: it follows redirects, and the server must allow the page (`docs/web.md`).
//! [`HttpConfig::with_read_timeout`] and [`HttpConfig::with_connect_timeout`] mean nothing there.
//!
//! Without Bevy's `multi_threaded` feature, calls advance when Bevy ticks its task pools, once a frame
//! (`TaskPoolPlugin`, part of `MinimalPlugins` and `DefaultPlugins`).

mod answer;
mod beginning;
mod call;
mod change;
mod config;
mod exchange;
#[cfg(not(target_arch = "wasm32"))]
mod guarded;
mod in_order;
mod payload;
mod props;
mod redact;
mod refusal;
mod repair;
mod reply;
#[cfg(fuzzing)]
pub use answer::read_stream_for_fuzzing;
mod shared;
mod spoken;
mod task;

pub use config::{HttpConfig, SchemaDialect};
pub(in crate::engine) use props::prompt_chars;

use crate::base::lock::lock;
use crate::engine::setup_error::EngineSetupError;
use crate::engine::{
    Capabilities, Capacity, Engine, EngineCall, EngineIdentity, EngineRequest, EngineStatus,
    IdentityProbe, TokenUsage,
};
use beginning::Beginning;
use change::Change;
use redact::Redactor;
use reqwest::Url;
use reqwest::header::HeaderValue;
use secrecy::{ExposeSecret, SecretString};
use shared::{SeenModel, Shared, SlotCount};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// An engine that calls a server over HTTP. Clones share the client and the counters.
///
/// ```
/// use bevy_dramatis::engine::Engine;
/// use bevy_dramatis::engine::{HttpConfig, HttpEngine};
///
/// let config = HttpConfig::new("http://127.0.0.1:8080", "tiny-npc").with_api_key("sk-secret");
/// let engine = HttpEngine::new(config)?;
/// assert_eq!(engine.identity().provider, "openai-compatible");
/// assert!(!format!("{engine:?}").contains("sk-secret"));
/// # Ok::<(), bevy_dramatis::engine::EngineSetupError>(())
/// ```
#[derive(Clone)]
pub struct HttpEngine(Arc<Shared>);

impl HttpEngine {
    /// An engine for the server in `config`. Nothing is sent yet.
    ///
    /// # Errors
    ///
    /// The base URL, the key, the model's name or an extra field cannot be used, or the HTTP client cannot be built.
    pub fn new(config: HttpConfig) -> Result<Self, EngineSetupError> {
        config.check()?;
        let endpoint = config.endpoint()?;
        let asks = config.props.unwrap_or_else(|| is_loopback(&endpoint));
        let props = asks.then(|| config.props_endpoint(&endpoint));
        let authorization = config.api_key.as_ref().map(bearer).transpose()?;
        if authorization.is_some() && endpoint.scheme() == "http" && !is_loopback(&endpoint) {
            let host = endpoint.host_str().unwrap_or_default();
            log::warn!("the API key goes to {host} unencrypted: use https");
        }
        let client = exchange::client(&config, endpoint.scheme() == "http")
            .map_err(|error| EngineSetupError::Client(error.without_url().to_string()))?;
        Ok(Self(Arc::new(Shared {
            client,
            endpoint,
            authorization,
            redactor: Redactor::new(config.api_key),
            model: config.model,
            read_timeout: config.read_timeout,
            context_chars: config.context_chars,
            form: config.form,
            schema: config.schema,
            cache_prompt: config.cache_prompt,
            fields: config.fields,
            capacity: config.capacity,
            props,
            is_greeted: Default::default(),
            seen: Default::default(),
            changes: Default::default(),
            thinks: Default::default(),
            is_plain: Arc::new(AtomicBool::new(config.marked_thoughts)),
            usage: Default::default(),
        })))
    }

    /// Asks the server how many slots it has, and how large they are, if the engine wants to know it and has not asked yet.
    fn ask_slots(&self) {
        if self.0.props.is_none() || self.0.seen().slots != SlotCount::Unknown {
            return;
        }
        self.0.note(|seen| seen.slots = SlotCount::Asked);
        let shared = self.0.clone();
        task::spawn(async move { props::ask_slots(&shared).await }).detach();
    }
}

impl Engine for HttpEngine {
    fn identity(&self) -> EngineIdentity {
        let seen = self.0.seen();
        let name = seen.name.filter(|name| *name != self.0.model);
        let version: Vec<String> = name.into_iter().chain(seen.build).collect();
        EngineIdentity {
            provider: "openai-compatible".to_owned(),
            model: match seen.file {
                Some(file) => format!("{} ({file})", self.0.model),
                None => self.0.model.clone(),
            },
            version: (!version.is_empty()).then(|| version.join(" ")),
            hash: seen.hash,
            capabilities: Capabilities {
                json: self.0.schema != SchemaDialect::None,
                streaming: true,
                context_chars: seen
                    .context_tokens
                    .map(prompt_chars)
                    .map_or(self.0.context_chars, |told| told.min(self.0.context_chars)),
                form: self.0.form,
            },
        }
    }

    fn probe(&self) -> Option<IdentityProbe> {
        self.0.props.as_ref()?;
        let (sender, done) = crossbeam_channel::bounded(1);
        let shared = self.0.clone();
        let task = task::spawn(async move {
            props::ask(&shared).await;
            drop(sender);
        });
        Some(IdentityProbe::new(done, task))
    }

    fn capacity(&self) -> Capacity {
        let mut capacity = self.0.capacity;
        if self.0.props.is_none() {
            return capacity;
        }
        let told = match self.0.seen().slots {
            // One call at a time, until it is known.
            SlotCount::Unknown | SlotCount::Asked => {
                capacity.calls = capacity.calls.or(Some(1));
                return capacity;
            }
            SlotCount::Told(told) => told,
        };
        capacity.calls = capacity.calls.or(told);
        // A call that would wait for one slot while another is free would be worse than none.
        capacity.slots = told.is_some_and(|told| capacity.calls.is_some_and(|most| most <= told));
        capacity
    }

    /// It can always be asked; a server that fails is what a breaker is for. The first time that a game looks, the server is
    /// asked how many slots it has, so that this is known before the first call.
    fn status(&self) -> EngineStatus {
        if !self.0.is_greeted.swap(true, Ordering::Relaxed) {
            self.ask_slots();
        }
        EngineStatus::Ready
    }

    fn usage(&self) -> TokenUsage {
        let [prompt, cached, completion] =
            [0, 1, 2].map(|i: usize| self.0.usage[i].load(Ordering::Relaxed));
        TokenUsage {
            prompt,
            cached,
            completion,
        }
    }

    fn warm(&self, request: EngineRequest) -> Option<EngineCall> {
        // Of other servers it is not known that they keep what they have read.
        self.0.cache_prompt.then(|| self.start(request))
    }

    fn start(&self, request: EngineRequest) -> EngineCall {
        let (sender, events) = call::ReplySender::new(
            request.max_reply_bytes,
            || self.0.redactor.filter(),
            Beginning::new(self.0.is_plain.clone()),
        );
        self.ask_slots();
        let shared = self.0.clone();
        let task = task::spawn(async move { call::run(&shared, &request, sender).await });
        EngineCall::new(events, task)
    }
}

impl fmt::Debug for HttpEngine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpEngine")
            .field("endpoint", &self.0.endpoint.as_str())
            .field("model", &self.0.model)
            .field("has_api_key", &self.0.authorization.is_some())
            .finish_non_exhaustive()
    }
}

impl Shared {
    fn host(&self) -> String {
        let host = self.endpoint.host_str().unwrap_or_default();
        let port = self.endpoint.port_or_known_default().unwrap_or_default();
        format!("{host}:{port}")
    }

    /// What the server has said of itself so far.
    fn seen(&self) -> SeenModel {
        lock(&self.seen).clone()
    }

    /// Takes over what the server has said of itself.
    fn note(&self, change: impl FnOnce(&mut SeenModel)) {
        change(&mut lock(&self.seen));
    }

    /// How this server is asked in another way than we do by ourselves.
    fn changes(&self) -> Vec<Change> {
        lock(&self.changes).clone()
    }

    /// Makes these changes in every later request. Each change comes with what the server said, and is logged once.
    fn remember(&self, changes: Vec<(Change, String)>) {
        if changes.is_empty() {
            return;
        }
        let mut known = lock(&self.changes);
        for (change, why) in changes {
            if !known.contains(&change) {
                let host = self.host();
                log::warn!("{host} refused a request ({why}): from now on {change}");
                known.push(change);
            }
        }
    }

    fn count(&self, usage: [u64; 3]) {
        for (sum, more) in self.usage.iter().zip(usage) {
            sum.fetch_add(more, Ordering::Relaxed);
        }
    }
}

fn bearer(key: &SecretString) -> Result<HeaderValue, EngineSetupError> {
    let mut value = HeaderValue::from_str(&format!("Bearer {}", key.expose_secret()))
        .map_err(|_| EngineSetupError::ApiKey)?;
    value.set_sensitive(true);
    Ok(value)
}

fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let address = host.trim_matches(['[', ']']).parse::<std::net::IpAddr>();
    host == "localhost" || address.is_ok_and(|address| address.is_loopback())
}
