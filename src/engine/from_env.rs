//! [`FromEnv`]: the engine that the environment names.

use super::SharedEngine;
use super::http::{HttpConfig, HttpEngine, SchemaDialect};
use super::llama_server::LlamaServer;
use super::setup_error::EngineSetupError;
use std::sync::Arc;

/// What the environment says about a server; [`HttpEngine::from_env`] reads it.
///
/// | variable | meaning |
/// |---|---|
/// | `DRAMATIS_URL` | the base URL of a server that runs; unset or empty: none is wanted |
/// | `DRAMATIS_MODEL` | the model's name there; `default` when unset (a server with one model mostly ignores it) |
/// | `DRAMATIS_API_KEY` | the key, if the server wants one |
/// | `DRAMATIS_SCHEMA` | how JSON schemas are sent: `json_schema` (as when unset), `json_object`, or `off` (see [`SchemaDialect`]) |
/// | `DRAMATIS_SERVER` | in place of a URL: the program of a llama.cpp server, which is started (see [`LlamaServer`]) |
/// | `DRAMATIS_GGUF` | the file of the model that it serves |
///
/// No variable is needed for a server that refuses a field (`max_tokens` of `OpenAI`'s present models), or whose model knows no system
/// message: it is asked again without, and the log says so (see [the page on servers](crate::guide::servers)).
///
/// ```
/// use bevy_dramatis::engine::HttpEngine;
///
/// // A game with authored lines until the environment names a server.
/// let engine = HttpEngine::from_env().or_scripted("scripts/wizard.script.ron");
/// # let _ = engine;
/// ```
#[derive(Debug, Clone)]
pub struct FromEnv(Result<Named, EngineSetupError>);

/// What the variables name: no server, one that runs, or one to start.
#[derive(Debug, Clone)]
enum Named {
    Nothing,
    Url(HttpConfig),
    Program(LlamaServer),
}

impl HttpEngine {
    /// Reads which server the environment names, or which one is to be started; [`FromEnv`] says how.
    #[must_use]
    pub fn from_env() -> FromEnv {
        FromEnv::read()
    }
}

impl FromEnv {
    /// Reads the variables from the environment of this process. [`FromEnv::engine`] reports what is wrong with them.
    #[must_use]
    pub fn read() -> Self {
        Self::from_lookup(|name| match std::env::var(name) {
            Ok(value) => Ok(Some(value)),
            Err(std::env::VarError::NotPresent) => Ok(None),
            Err(std::env::VarError::NotUnicode(_)) => Err(EngineSetupError::NotUnicode(name)),
        })
    }

    /// Reads the same names through `lookup`, for games with settings of their own and for tests.
    #[must_use]
    pub fn from_lookup(
        lookup: impl Fn(&'static str) -> Result<Option<String>, EngineSetupError>,
    ) -> Self {
        Self(named(&|name| {
            Ok(lookup(name)?.filter(|value| !value.trim().is_empty()))
        }))
    }

    /// Changes how the game talks to the server, if one is named: `from_env().with(|c| c.with_context_chars(6_000))`.
    #[must_use]
    pub fn with(self, change: impl Fn(HttpConfig) -> HttpConfig + Send + Sync + 'static) -> Self {
        Self(self.0.map(|named| match named {
            Named::Nothing => Named::Nothing,
            Named::Url(config) => Named::Url(change(config)),
            Named::Program(server) => Named::Program(server.with_http(change)),
        }))
    }

    /// The engine, or `None` when the environment names no server. A server to start is started here.
    ///
    /// # Errors
    ///
    /// The environment names a server, but not one that can be used.
    #[must_use]
    pub fn engine(self) -> Option<Result<SharedEngine, EngineSetupError>> {
        let made = self.0.and_then(|named| match named {
            Named::Nothing => Ok(None),
            Named::Url(config) => Ok(Some(Arc::new(HttpEngine::new(config)?) as SharedEngine)),
            Named::Program(server) => Ok(Some(Arc::new(server.start()?) as SharedEngine)),
        });
        made.transpose()
    }
}

fn named(
    read: &dyn Fn(&'static str) -> Result<Option<String>, EngineSetupError>,
) -> Result<Named, EngineSetupError> {
    let schema = read("DRAMATIS_SCHEMA")?;
    let schema = match schema.as_deref().map(str::trim) {
        None | Some("json_schema") => SchemaDialect::JsonSchema,
        Some("json_object") => SchemaDialect::JsonObject,
        Some("off") => SchemaDialect::None,
        Some(other) => return Err(EngineSetupError::Schema(other.chars().take(40).collect())),
    };
    let server = (read("DRAMATIS_SERVER")?, read("DRAMATIS_GGUF")?);
    match (read("DRAMATIS_URL")?, server) {
        (None, (None, None)) => Ok(Named::Nothing),
        (Some(_), (Some(_), _)) => Err(EngineSetupError::Both),
        (Some(url), (None, _)) => {
            let model = read("DRAMATIS_MODEL")?.unwrap_or_else(|| "default".to_owned());
            let mut config = HttpConfig::new(url, model).with_schema(schema);
            if let Some(key) = read("DRAMATIS_API_KEY")? {
                config = config.with_api_key(key);
            }
            Ok(Named::Url(config))
        }
        (None, (Some(_), None)) => Err(EngineSetupError::Half("DRAMATIS_GGUF")),
        (None, (None, Some(_))) => Err(EngineSetupError::Half("DRAMATIS_SERVER")),
        (None, (Some(program), Some(model))) => Ok(Named::Program(
            LlamaServer::new(program, model).with_http(move |config| config.with_schema(schema)),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from(variables: &'static [(&'static str, &'static str)]) -> FromEnv {
        FromEnv::from_lookup(|name| {
            let set = variables.iter().find(|(set, _)| *set == name);
            Ok(set.map(|(_, value)| (*value).to_owned()))
        })
    }

    fn error(from: FromEnv) -> String {
        match from.engine() {
            Some(Err(error)) => error.to_string(),
            Some(Ok(_)) => "an engine".to_owned(),
            None => "nothing".to_owned(),
        }
    }

    #[test]
    fn the_environment_names_a_server_or_none_or_a_wrong_one() {
        assert_eq!(error(from(&[])), "nothing");
        assert_eq!(error(from(&[("DRAMATIS_URL", " ")])), "nothing");
        let url = ("DRAMATIS_URL", "http://h");
        assert_eq!(
            error(FromEnv::from_lookup(|n| Ok(
                (n == url.0).then(|| url.1.into())
            ))),
            "an engine"
        );
        let bad = error(from(&[("DRAMATIS_URL", "not a url")]));
        assert!(bad.contains("URL"), "{bad}");
        let broken = FromEnv::from_lookup(|name| Err(EngineSetupError::NotUnicode(name)));
        assert!(error(broken).ends_with("is not Unicode"));
    }

    #[test]
    fn e5_a_server_to_start_is_named_whole_or_not_at_all() {
        assert_eq!(
            error(from(&[("DRAMATIS_SERVER", "llama-server")])),
            "DRAMATIS_SERVER and DRAMATIS_GGUF belong together, and DRAMATIS_GGUF is not set"
        );
        assert!(
            error(from(&[("DRAMATIS_GGUF", "m.gguf")])).ends_with("DRAMATIS_SERVER is not set")
        );
        let both = &[("DRAMATIS_SERVER", "s"), ("DRAMATIS_URL", "http://h")];
        assert!(error(from(both)).contains("both set"));
        let started = &[("DRAMATIS_SERVER", "s"), ("DRAMATIS_GGUF", "/none/m.gguf")];
        assert!(error(from(started)).starts_with("the model /none/m.gguf cannot be read"));
    }

    #[test]
    fn a_dialect_that_is_none_is_an_error() {
        let wrong = &[("DRAMATIS_URL", "http://h"), ("DRAMATIS_SCHEMA", "yes")];
        assert!(error(from(wrong)).contains("json_schema, json_object or off"));
        let off = from(&[("DRAMATIS_URL", "http://h"), ("DRAMATIS_SCHEMA", "off")]);
        let engine = off.engine().and_then(Result::ok);
        assert!(engine.is_some_and(|engine| !engine.identity().capabilities.json));
    }
}
