//! What a server is started with, and why it cannot be.

use crate::engine::http::{HttpConfig, HttpEngine, prompt_chars};
use crate::engine::setup_error::EngineSetupError;
use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Which program serves which model, and how: see [`LlamaServer::start`].
///
/// The server listens only on this machine, on a free port, with a key that only this process knows. When it ends by itself, the
/// engine starts it again, a few times; [`EngineStatusChanged`](crate::events::EngineStatusChanged) reports its status. While
/// it is not ready, authored lines come at once. It ends with the last clone of the engine; on Unix also when the game is
/// killed, by a shell that waits for that. On Windows a server outlives a game that is killed.
///
/// ```no_run
/// use bevy::prelude::*;
/// use bevy_dramatis::engine::LlamaServer;
/// use bevy_dramatis::prelude::*;
///
/// let engine = LlamaServer::new("bin/llama-server", "models/small.gguf").with_slots(2).start();
/// match engine {
///     Ok(engine) => {
///         App::new().add_plugins((MinimalPlugins, DramatisPlugins::new(engine))).run();
///     }
///     // The game stays playable without a model.
///     Err(error) => eprintln!("{error}"),
/// }
/// ```
#[derive(Clone)]
pub struct LlamaServer {
    pub(super) program: PathBuf,
    pub(super) model: PathBuf,
    pub(super) slots: u32,
    pub(super) context_tokens: u32,
    pub(super) arguments: Vec<OsString>,
    pub(super) start_limit: Duration,
    pub(super) restarts: u32,
    change: Arc<dyn Fn(HttpConfig) -> HttpConfig + Send + Sync>,
}

impl LlamaServer {
    /// The program (a path, or a name that is looked up in `PATH`) and the file of the model. Nothing is started yet.
    ///
    /// | setting | unit | default |
    /// |---|---|---|
    /// | [`with_slots`](Self::with_slots) | calls at once | 2 |
    /// | [`with_context_tokens`](Self::with_context_tokens) | tokens of a slot | 8,192 |
    /// | [`with_arguments`](Self::with_arguments) | | none |
    /// | [`with_start_limit`](Self::with_start_limit) | time until it is ready | 5 minutes |
    /// | [`with_restarts`](Self::with_restarts) | starts in a row after the first | 3 |
    /// | [`with_http`](Self::with_http) | | as [`HttpConfig`] |
    #[must_use]
    pub fn new(program: impl Into<PathBuf>, model: impl Into<PathBuf>) -> Self {
        Self {
            program: program.into(),
            model: model.into(),
            slots: 2,
            context_tokens: 8_192,
            arguments: Vec::new(),
            start_limit: Duration::from_secs(300),
            restarts: 3,
            change: Arc::new(|config| config),
        }
    }

    /// How many calls it serves at once. Each slot needs memory of its own. 0 counts as 1.
    #[must_use]
    pub fn with_slots(mut self, slots: u32) -> Self {
        self.slots = slots.max(1);
        self
    }

    /// How many tokens a slot holds, prompt and reply together; at least 2,048. A thousand are left for the reply, and prompts
    /// are cut to the rest, with three characters for a token.
    #[must_use]
    pub fn with_context_tokens(mut self, tokens: u32) -> Self {
        self.context_tokens = tokens.max(2_048);
        self
    }

    /// Further arguments of the program, after those of this crate: `["--n-gpu-layers", "99"]`.
    #[must_use]
    pub fn with_arguments(
        mut self,
        arguments: impl IntoIterator<Item = impl Into<OsString>>,
    ) -> Self {
        self.arguments.extend(arguments.into_iter().map(Into::into));
        self
    }

    /// How long it may take until it is ready. One that takes longer is ended.
    #[must_use]
    pub fn with_start_limit(mut self, limit: Duration) -> Self {
        self.start_limit = limit;
        self
    }

    /// How often in a row it is started again when it has ended by itself, after 1, 2, 4, .. seconds, at most 30. The count
    /// begins again when it was ready for a minute.
    #[must_use]
    pub fn with_restarts(mut self, restarts: u32) -> Self {
        self.restarts = restarts;
        self
    }

    /// Changes how the game talks to it, such as its budget: `|config| config.with_budget(budget)`. Where it listens and its key
    /// are set already.
    #[must_use]
    pub fn with_http(
        mut self,
        change: impl Fn(HttpConfig) -> HttpConfig + Send + Sync + 'static,
    ) -> Self {
        self.change = Arc::new(change);
        self
    }

    /// How the game talks to it while it listens on this port.
    pub(super) fn http(&self, port: u16, key: &str) -> Result<HttpEngine, EngineSetupError> {
        let config = HttpConfig::new(format!("http://127.0.0.1:{port}"), self.model_name())
            .with_api_key(key)
            .with_context_chars(prompt_chars(self.context_tokens))
            .with_cache_prompt();
        HttpEngine::new((self.change)(config))
    }

    /// The name of the model's file, without its ending.
    pub(super) fn model_name(&self) -> String {
        let stem = self.model.file_stem().unwrap_or(self.model.as_os_str());
        stem.to_string_lossy().into_owned()
    }
}

impl fmt::Debug for LlamaServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LlamaServer")
            .field("program", &self.program)
            .field("model", &self.model)
            .field("slots", &self.slots)
            .finish_non_exhaustive()
    }
}
