//! Why an engine cannot be made.

use std::path::PathBuf;
use thiserror::Error;

/// Why an engine over HTTP or a llama.cpp server cannot be made from its settings or the environment. Later problems are an
/// [`EngineStatus`](crate::engine::EngineStatus). No variant ever holds a key, nor the address of a server, which may hold one.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum EngineSetupError {
    /// The base URL is not a URL. The text says why.
    #[error("the base URL is not a URL: {0}")]
    BaseUrl(String),
    /// The base URL begins with neither `http` nor `https`. The text is what it begins with.
    #[error("the base URL must begin with http:// or https://, not with {0}:")]
    Scheme(String),
    /// The base URL holds an `@`, and so a user name or a password.
    #[error("the base URL holds an `@`: give the key as the API key, not in the URL")]
    Credentials,
    /// The base URL holds a query or a fragment.
    #[error("the base URL holds a query or a fragment")]
    Query,
    /// The name of the model is empty.
    #[error("the model's name is empty")]
    Model,
    /// The key holds characters that an HTTP header cannot carry.
    #[error("the API key holds characters that an HTTP header cannot carry")]
    ApiKey,
    /// A field was added that only the engine sets. The text is its name.
    #[error("the request's field `{0}` cannot be changed")]
    ReservedField(String),
    /// The HTTP client cannot be built, for example because the system has no certificates. The text says why.
    #[error("the HTTP client cannot be built: {0}")]
    Client(String),
    /// The file of the model cannot be read.
    #[error("the model {path} cannot be read: {error}")]
    NoModel {
        /// The file, as it was named.
        path: PathBuf,
        /// What the system says.
        error: String,
    },
    /// The file is not a model of llama.cpp: it does not begin with `GGUF`.
    #[error("{path} is not a GGUF model")]
    NotAModel {
        /// The file, as it was named.
        path: PathBuf,
    },
    /// The program cannot be started.
    #[error("the program {program} cannot be started: {error}")]
    Program {
        /// The program, as it was named.
        program: PathBuf,
        /// What the system says.
        error: String,
    },
    /// The machine has no free port, or no room for another thread.
    #[error("the server cannot be started: {0}")]
    System(String),
    /// The environment variable of this name is not Unicode.
    #[error("the environment variable {0} is not Unicode")]
    NotUnicode(&'static str),
    /// The environment names both a server that runs and one to start.
    #[error("DRAMATIS_URL and DRAMATIS_SERVER are both set: use one of them")]
    Both,
    /// The environment names a program and no model, or a model and no program.
    #[error("DRAMATIS_SERVER and DRAMATIS_GGUF belong together, and {0} is not set")]
    Half(&'static str),
    /// The environment names an unknown way to send a schema. Holds that name.
    #[error("DRAMATIS_SCHEMA is \"{0}\": use json_schema, json_object or off")]
    Schema(String),
}
