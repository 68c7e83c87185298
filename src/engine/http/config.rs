//! Where the server is and how to speak to it.

use crate::engine::setup_error::EngineSetupError;
use crate::engine::{BreakerSettings, Budget, Capacity};
use crate::policy::Form;
use reqwest::Url;
use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

/// Fields of the request that the engine itself sets and that a game cannot replace.
const RESERVED: [&str; 3] = ["messages", "stream", "stream_options"];

/// How to reach an OpenAI-compatible server. Nothing is checked before [`HttpEngine::new`](super::HttpEngine::new).
///
/// ```
/// use bevy_dramatis::engine::{HttpConfig, HttpEngine};
///
/// let config = HttpConfig::new("http://127.0.0.1:8080", "tiny-npc").with_context_chars(6_000);
/// assert!(HttpEngine::new(config).is_ok());
/// assert!(HttpEngine::new(HttpConfig::new("ftp://127.0.0.1", "tiny-npc")).is_err());
/// ```
#[derive(Clone)]
pub struct HttpConfig {
    pub(super) base_url: String,
    pub(super) model: String,
    pub(super) api_key: Option<SecretString>,
    pub(super) connect_timeout: Duration,
    pub(super) read_timeout: Duration,
    pub(super) context_chars: usize,
    pub(super) form: Form,
    pub(super) schema: SchemaDialect,
    pub(super) cache_prompt: bool,
    pub(super) marked_thoughts: bool,
    pub(super) props: Option<bool>,
    pub(super) capacity: Capacity,
    pub(super) fields: BTreeMap<String, Value>,
}

impl HttpConfig {
    /// The server at `base_url` (`http` or `https`; with or without `/v1` or the whole `/v1/chat/completions`) and
    /// the name that `model` has there.
    ///
    /// | setting | unit | default |
    /// |---|---|---|
    /// | [`with_api_key`](Self::with_api_key) | text | no key |
    /// | [`with_connect_timeout`](Self::with_connect_timeout) | time | 5 s |
    /// | [`with_read_timeout`](Self::with_read_timeout) | time between two parts of the answer | 35 s |
    /// | [`with_context_chars`](Self::with_context_chars) | characters | 32,000 |
    /// | [`with_form`](Self::with_form) | | [`Form::Apart`] |
    /// | [`with_schema`](Self::with_schema) | | [`SchemaDialect::JsonSchema`] |
    /// | [`with_cache_prompt`](Self::with_cache_prompt) | | not sent |
    /// | [`with_marked_thoughts`](Self::with_marked_thoughts) | | found out by the first reply |
    /// | [`with_props`](Self::with_props) | | asked only on this machine |
    /// | [`with_calls`](Self::with_calls) | calls in flight | the slots of a llama.cpp server, else no limit |
    /// | [`with_budget`](Self::with_budget) | calls and tokens a minute | no limit |
    /// | [`with_breaker`](Self::with_breaker) | | after 3 faults, 1 to 60 s |
    /// | [`with_field`](Self::with_field) | JSON | no further fields |
    ///
    /// How long a whole call may take, its tokens and its temperature come with each request
    /// ([`EngineRequest`](crate::engine::EngineRequest)).
    #[must_use]
    pub fn new(base_url: impl Into<String>, model: impl Into<String>) -> Self {
        Self {
            base_url: base_url.into(),
            model: model.into(),
            api_key: None,
            connect_timeout: Duration::from_secs(5),
            read_timeout: Duration::from_secs(35),
            context_chars: 32_000,
            form: Form::Apart,
            schema: SchemaDialect::default(),
            cache_prompt: false,
            marked_thoughts: false,
            props: None,
            capacity: Capacity {
                breaker: Some(BreakerSettings::default()),
                ..Capacity::default()
            },
            fields: BTreeMap::new(),
        }
    }

    /// The key, sent as `Authorization: Bearer`. White space around it is dropped; an empty key means no key.
    #[must_use]
    pub fn with_api_key(mut self, key: impl Into<SecretString>) -> Self {
        let key: SecretString = key.into();
        let trimmed = key.expose_secret().trim();
        self.api_key = (!trimmed.is_empty()).then(|| SecretString::from(trimmed));
        self
    }

    /// How long to wait for a connection; 5 s by default. A call waits no longer than its own deadline in any case.
    #[must_use]
    pub fn with_connect_timeout(mut self, timeout: Duration) -> Self {
        self.connect_timeout = timeout;
        self
    }

    /// How long the server may be silent; 35 s by default. It must be longer than the model's reading of the prompt
    /// takes, and than a server's pings are apart (30 s with llama.cpp).
    #[must_use]
    pub fn with_read_timeout(mut self, timeout: Duration) -> Self {
        self.read_timeout = timeout;
        self
    }

    /// The longest prompt that the model takes, in characters; 32,000 by default. A server counts tokens, so leave
    /// room: three characters for a token is a careful guess for English. When the server says that its slots hold less
    /// ([`with_props`](Self::with_props)), prompts are shorter.
    #[must_use]
    pub fn with_context_chars(mut self, characters: usize) -> Self {
        self.context_chars = characters;
        self
    }

    /// In how many calls a character is asked for its reply, where neither the game nor a file says so; [`Form::Apart`] by
    /// default: asked in parts, SmolLM2-135M said something usable at the first try in 97 of 100 cases of the shipped talk,
    /// and in 17 when it was asked for everything together (`docs/models.md` of the repository). A model that keeps to a
    /// schema by itself may say more in one call: [`Form::Together`].
    #[must_use]
    pub fn with_form(mut self, form: Form) -> Self {
        self.form = form;
        self
    }

    /// How the schema of a reply is sent, for servers that refuse or ignore `OpenAI`'s form; see [`SchemaDialect`].
    #[must_use]
    pub fn with_schema(mut self, dialect: SchemaDialect) -> Self {
        self.schema = dialect;
        self
    }

    /// The model says itself where its thoughts begin, or has none, so that its first reply streams as well. By default the
    /// engine finds that out: it holds a first reply in prose back until its end, because the template of a model may write
    /// the beginning of a thought, and the end alone would come too late.
    #[must_use]
    pub fn with_marked_thoughts(mut self) -> Self {
        self.marked_thoughts = true;
        self
    }

    /// Sends llama.cpp's `cache_prompt: true`. By default it is not sent, since other servers may refuse a field that
    /// they do not know. Newer llama.cpp servers reuse prompts without being asked. With it, characters can be warmed
    /// ([`NpcCommandsExt::warm`](crate::npc::NpcCommandsExt::warm)).
    #[must_use]
    pub fn with_cache_prompt(mut self) -> Self {
        self.cache_prompt = true;
        self
    }

    /// Adds a field of a server's own dialect to each request, or replaces one of ours (`max_tokens`,
    /// `temperature`, ...); null leaves the field out. `messages`, `stream` and `stream_options` cannot be changed:
    /// [`EngineSetupError::ReservedField`].
    #[must_use]
    pub fn with_field(mut self, name: impl Into<String>, value: impl Into<Value>) -> Self {
        self.fields.insert(name.into(), value.into());
        self
    }

    /// Whether llama.cpp's `/props` is asked. With the first call the engine asks how many slots the server has, and how many tokens
    /// each of them holds; until the server answers, one call is made at a time. Before the calls and the steps of plans it asks which model is served: the
    /// name of the model's file, and its hash where the file can be read, are then part of the engine's identity, so the
    /// engine notices when the model is swapped during a plan. By default only a server on this machine is asked.
    #[must_use]
    pub fn with_props(mut self, ask: bool) -> Self {
        self.props = Some(ask);
        self
    }

    /// The most calls in flight. Further runs wait for their turn here, where a character that the player speaks to goes
    /// first, and not in the server's queue. By default: as many as a llama.cpp server says that it has slots (see
    /// [`with_props`](Self::with_props)); for other servers no limit.
    #[must_use]
    pub fn with_calls(mut self, most: u32) -> Self {
        self.capacity.calls = Some(most);
        self
    }

    /// The most calls and tokens in a minute, for servers that limit or bill them. Calls beyond it wait, or are refused if they
    /// could not be in time. By default there is no limit.
    #[must_use]
    pub fn with_budget(mut self, budget: Budget) -> Self {
        self.capacity.budget = budget;
        self
    }

    /// When a server that fails gets no calls, and for how long; `None`: never. By default after three faults in a row, for 1
    /// second at first and at most 60.
    #[must_use]
    pub fn with_breaker(mut self, breaker: Option<BreakerSettings>) -> Self {
        self.capacity.breaker = breaker;
        self
    }

    /// The address of `/props`, next to the address that requests go to.
    pub(super) fn props_endpoint(&self, endpoint: &Url) -> Url {
        let mut props = endpoint.clone();
        let path = endpoint.path().trim_end_matches("/chat/completions");
        let path = path.trim_end_matches("/v1").to_owned();
        props.set_path(&format!("{path}/props"));
        props
    }

    /// The address that requests go to.
    pub(super) fn endpoint(&self) -> Result<Url, EngineSetupError> {
        // Anywhere, not only where a URL keeps them: a key with a `/` in it moves the `@` into the path.
        if self.base_url.contains('@') {
            return Err(EngineSetupError::Credentials);
        }
        let mut url = Url::parse(self.base_url.trim())
            .map_err(|error| EngineSetupError::BaseUrl(error.to_string()))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(EngineSetupError::Scheme(url.scheme().to_owned()));
        }
        if url.query().is_some() || url.fragment().is_some() {
            return Err(EngineSetupError::Query);
        }
        let path = url.path().trim_end_matches('/').to_owned();
        if path.ends_with("/chat/completions") {
            url.set_path(&path);
        } else {
            // `/v1beta/openai`, `/api/paas/v4`: what has a version gets no other one.
            let is_version = |part: &str| {
                let number = part.strip_prefix('v').unwrap_or_default();
                number.starts_with(|c: char| c.is_ascii_digit())
            };
            let has_version = path.split('/').any(is_version);
            let version = if has_version { "" } else { "/v1" };
            url.set_path(&format!("{path}{version}/chat/completions"));
        }
        Ok(url)
    }

    /// Checks what [`HttpConfig::endpoint`] does not.
    pub(super) fn check(&self) -> Result<(), EngineSetupError> {
        if self.model.trim().is_empty() {
            return Err(EngineSetupError::Model);
        }
        match RESERVED
            .iter()
            .find(|name| self.fields.contains_key(**name))
        {
            Some(name) => Err(EngineSetupError::ReservedField((*name).to_owned())),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for HttpConfig {
    /// Shows whether there is a key, never the key, and no address that may hold one.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = self.endpoint();
        f.debug_struct("HttpConfig")
            .field("endpoint", &shown.as_ref().map_or("(refused)", Url::as_str))
            .field("model", &self.model)
            .field("has_api_key", &self.api_key.is_some())
            .field("connect_timeout", &self.connect_timeout)
            .field("read_timeout", &self.read_timeout)
            .field("context_chars", &self.context_chars)
            .field("form", &self.form)
            .field("schema", &self.schema)
            .field("cache_prompt", &self.cache_prompt)
            .field("marked_thoughts", &self.marked_thoughts)
            .field("fields", &self.fields.keys())
            .finish()
    }
}

/// How a server is told the JSON schema that a reply should obey, in the request's `response_format`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SchemaDialect {
    /// `{"type": "json_schema", "json_schema": {"schema": ..}}`: `OpenAI`, llama.cpp, vLLM, Ollama, LM Studio.
    #[default]
    JsonSchema,
    /// `{"type": "json_object", "schema": ..}`: the server of llama-cpp-python, which refuses the other form.
    JsonObject,
    /// Not at all, for servers that do not obey one, such as those of MLX and of the transformers library:
    /// [`Capabilities::json`](crate::engine::Capabilities) is false then, and characters are asked for prose.
    None,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn endpoint(base: &str) -> Result<String, EngineSetupError> {
        HttpConfig::new(base, "m").endpoint().map(String::from)
    }

    #[test]
    fn every_way_to_write_the_base_url_names_the_same_address() {
        for base in [
            "http://host:1",
            "http://host:1/",
            " http://host:1/v1",
            "http://host:1/v1/",
            "http://host:1/v1/chat/completions",
        ] {
            assert_eq!(
                endpoint(base).unwrap(),
                "http://host:1/v1/chat/completions",
                "{base}"
            );
        }
        assert_eq!(
            endpoint("https://host/api").unwrap(),
            "https://host/api/v1/chat/completions"
        );
        for base in ["https://host/v1beta/openai", "https://host/api/paas/v4/"] {
            let whole = format!("{}/chat/completions", base.trim_end_matches('/'));
            assert_eq!(endpoint(base).unwrap(), whole, "it has a version");
        }
        assert_eq!(
            endpoint("https://host/vault").unwrap(),
            "https://host/vault/v1/chat/completions"
        );
        let whole = "https://host/v3/x/chat/completions";
        assert_eq!(endpoint(&format!("{whole}/")).unwrap(), whole);
        assert_eq!(endpoint(whole).unwrap(), whole);
    }

    #[test]
    fn a_bad_base_url_is_a_typed_error() {
        assert!(matches!(endpoint(""), Err(EngineSetupError::BaseUrl(_))));
        assert!(matches!(
            endpoint("127.0.0.1:80"),
            Err(EngineSetupError::BaseUrl(_))
        ));
        assert_eq!(
            endpoint("localhost:80"),
            Err(EngineSetupError::Scheme("localhost".into()))
        );
        for url in [
            "http://u:p@host",
            "u:p@host",
            "http://sk-a/b@host",
            "http://u@",
        ] {
            assert_eq!(endpoint(url), Err(EngineSetupError::Credentials), "{url}");
        }
        assert_eq!(endpoint("http://host/?key=1"), Err(EngineSetupError::Query));
        assert!(matches!(
            endpoint("http://"),
            Err(EngineSetupError::BaseUrl(_))
        ));
    }

    #[test]
    fn r4_a_config_shows_no_key_and_no_password() {
        let config =
            HttpConfig::new("http://u:hunter2@host", "m").with_api_key("sk-hunter2".to_owned());
        let shown = format!(
            "{config:?} {:?} {}",
            config.endpoint(),
            config.endpoint().unwrap_err()
        );
        assert!(!shown.contains("hunter2"), "{shown}");
    }

    #[test]
    fn an_empty_key_is_no_key_and_reserved_fields_stay() {
        assert!(
            HttpConfig::new("http://h", "m")
                .with_api_key(" \n".to_owned())
                .api_key
                .is_none()
        );
        let config = HttpConfig::new("http://h", "m").with_field("stream", false);
        assert_eq!(
            config.check(),
            Err(EngineSetupError::ReservedField("stream".into()))
        );
        assert_eq!(
            HttpConfig::new("http://h", " ").check(),
            Err(EngineSetupError::Model)
        );
    }
}
