//! What can be wrong with a server.

use super::short;
use bevy_dramatis::pipeline::AttemptError;

/// What is wrong with a server.
pub(super) enum Trouble {
    Away,
    Key,
    Model(String),
    Slow,
    NotReady(String),
    Other(String),
}

impl Trouble {
    /// What an attempt without a reply says of the server; `message` is the engine's own sentence.
    pub(super) fn of(error: AttemptError, message: &str) -> Self {
        let said = short(message);
        match error {
            AttemptError::Timeout | AttemptError::Deadline => Self::Slow,
            AttemptError::Transport => match status(message) {
                Some(401 | 403) => Self::Key,
                // Some servers answer 400 to a model that they do not have.
                Some(400 | 404) if message.contains("model") => Self::Model(said),
                None if message.starts_with("cannot reach") => Self::Away,
                _ => Self::Other(said),
            },
            _ => Self::Other(said),
        }
    }

    /// What the server does not do.
    pub(super) fn what(&self) -> String {
        match self {
            Self::Away => "answer".to_owned(),
            Self::Key => "accept the key that DRAMATIS_API_KEY holds".to_owned(),
            Self::Model(said) => format!("know the model ({said})"),
            Self::Slow => "answer in time".to_owned(),
            Self::NotReady(why) => format!("answer now ({why})"),
            Self::Other(said) => format!("answer as it should ({said})"),
        }
    }
}

/// The HTTP status in "the server answered 401: ..".
fn status(message: &str) -> Option<u16> {
    let rest = message.strip_prefix("the server answered ")?;
    rest.split(':').next()?.parse().ok()
}
