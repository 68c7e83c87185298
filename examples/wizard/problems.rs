//! What can go wrong during the game, each in one sentence: in the window and in the terminal.

use crate::cast::PLAYER;
use crate::talk::{Talk, Who};
use bevy::prelude::*;
use bevy_dramatis::engine::{BreakerState, DefaultEngine, EngineStatus, RunEngine};
use bevy_dramatis::events::{BreakerChanged, CallRefusal, CallRefused, EngineStatusChanged};
use bevy_dramatis::format::AuthoringError;
use bevy_dramatis::npc::RequestError;
use bevy_dramatis::pipeline::AttemptError;
use bevy_dramatis::prelude::*;
use std::mem::discriminant;

/// How many characters of a message from outside are shown.
const SHOWN: usize = 200;

/// Adds the sentences.
pub fn plugin(app: &mut App) {
    app.init_resource::<Server>()
        .add_observer(tell_of_refused_request)
        .add_observer(note_refused_call)
        .add_observer(note_failed_attempt)
        .add_observer(note_status)
        .add_observer(
            |changed: On<BreakerChanged>, mut server: ResMut<Server>, mut talk: ResMut<Talk>| {
                if changed.engine.is_none() && changed.state == BreakerState::Closed {
                    server.answers(&mut talk);
                }
            },
        )
        .add_observer(
            |ended: On<RunEnded>, mut server: ResMut<Server>, mut talk: ResMut<Talk>| {
                if matches!(ended.outcome, Outcome::Accepted { .. }) {
                    server.answers(&mut talk);
                }
            },
        )
        .add_observer(|failed: On<AuthoringFailed>, mut talk: ResMut<Talk>| {
            let AuthoringError {
                file, line, column, ..
            } = &failed.error;
            let what = short(&failed.error.message);
            let sentence = match (line, column) {
                // It is wrong as a whole, or is not there.
                (1, 1) => format!("{file}: {what}."),
                _ => format!("{file}, line {line}, column {column}: {what}."),
            };
            // The plugin has logged it already.
            talk.note(Who::Problem, &sentence);
        });
}

/// Tells of a problem in the window and in the terminal.
pub fn tell(talk: &mut Talk, sentence: &str) {
    warn!("{sentence}");
    talk.note(Who::Problem, sentence);
}

/// What is known of the server that speaks for the wizard, if one does.
#[derive(Resource)]
pub struct Server {
    name: String,
    trouble: Option<Trouble>,
    /// The run whose call was not made: its attempt fails, and says nothing new of the server.
    refused: Option<Entity>,
}

/// What is wrong with a server.
enum Trouble {
    Away,
    Key,
    Model(String),
    Slow,
    NotReady(String),
    Other(String),
}

impl Default for Server {
    /// The server that the environment names.
    fn default() -> Self {
        Self::at(&std::env::var("DRAMATIS_URL").unwrap_or_default())
    }
}

impl Server {
    /// The server at this address, of which nothing is known.
    pub fn at(url: &str) -> Self {
        // Scheme and host are enough: what follows, or comes before an `@`, may be a secret.
        let host: Vec<&str> = url.trim().split('/').take(3).collect();
        let name = match host.as_slice() {
            [scheme, "", host] if !host.contains('@') => format!("The server at {scheme}//{host}"),
            _ => "The server".to_owned(),
        };
        Self {
            name,
            trouble: None,
            refused: None,
        }
    }

    /// What is wrong with it, in a sentence without its full stop; `None` when nothing is, as far as is known.
    pub fn trouble(&self) -> Option<String> {
        let what = match self.trouble.as_ref()? {
            Trouble::Away => "answer".to_owned(),
            Trouble::Key => "accept the key that DRAMATIS_API_KEY holds".to_owned(),
            Trouble::Model(said) => format!("know the model ({said})"),
            Trouble::Slow => "answer in time".to_owned(),
            Trouble::NotReady(why) => format!("answer now ({why})"),
            Trouble::Other(said) => format!("answer as it should ({said})"),
        };
        Some(format!("{} does not {what}", self.name))
    }

    /// Something is wrong with it. That is told once, and not for each attempt.
    fn fails(&mut self, trouble: Trouble, talk: &mut Talk) {
        let known = self.trouble.as_ref().map(discriminant);
        let is_new = known != Some(discriminant(&trouble));
        self.trouble = Some(trouble);
        if let Some(sentence) = self.trouble().filter(|_| is_new) {
            let sentence =
                format!("{sentence}. The characters speak authored lines until it does.");
            tell(talk, &sentence);
        }
    }

    fn answers(&mut self, talk: &mut Talk) {
        if self.trouble.take().is_some() {
            let sentence = format!("{} answers again.", self.name);
            info!("{sentence}");
            talk.note(Who::Nobody, &sentence);
        }
    }
}

impl Trouble {
    /// What an attempt without a reply says of the server; `message` is the engine's own sentence.
    fn of(error: AttemptError, message: &str) -> Self {
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
}

/// The HTTP status in "the server answered 401: ..".
fn status(message: &str) -> Option<u16> {
    let rest = message.strip_prefix("the server answered ")?;
    rest.split(':').next()?.parse().ok()
}

/// The beginning of a message from outside, without its last mark: it becomes a part of a sentence.
pub fn short(text: &str) -> String {
    let shown: String = text.chars().take(SHOWN).collect();
    let more = if shown.len() < text.len() { " …" } else { "" };
    let shown = shown.trim().trim_end_matches(['.', ':', ',']);
    format!("{shown}{more}")
}

fn note_refused_call(refused: On<CallRefused>, mut server: ResMut<Server>, mut talk: ResMut<Talk>) {
    server.refused = Some(refused.run);
    // The other reasons were told when they arose.
    if refused.reason == CallRefusal::TooLate {
        let line = "There are more questions than can be answered in time: wait a moment.";
        tell(&mut talk, line);
    }
}

fn note_failed_attempt(
    failed: On<AttemptFailed>,
    runs: Query<&RunEngine>,
    default: Res<DefaultEngine>,
    mut server: ResMut<Server>,
    mut talk: ResMut<Talk>,
) {
    let was_refused = server.refused.take() == Some(failed.run);
    // A script is not a server, and a server that was replaced does not matter any more.
    let matters = runs.get(failed.run).is_ok_and(|engine| {
        engine.is_default(&default) && engine.identity().provider != "scripted"
    });
    if was_refused || !matters {
        return;
    }
    match failed.error {
        // There was a reply, which the gate rejected.
        None => server.answers(&mut talk),
        Some(error) => {
            let message = failed.message.as_deref().unwrap_or_default();
            server.fails(Trouble::of(error, message), &mut talk);
        }
    }
}

fn note_status(
    changed: On<EngineStatusChanged>,
    mut server: ResMut<Server>,
    mut talk: ResMut<Talk>,
) {
    match &changed.status {
        _ if changed.engine.is_some() => {}
        EngineStatus::Ready => server.answers(&mut talk),
        EngineStatus::Starting(why) | EngineStatus::Down(why) => {
            server.fails(Trouble::NotReady(short(why)), &mut talk);
        }
    }
}

fn tell_of_refused_request(refused: On<RequestRefused>, mut talk: ResMut<Talk>) {
    // A turn that is told says itself why it is refused.
    if refused.entity.is_none() && refused.npc == PLAYER {
        return;
    }
    match &refused.error {
        // What came later is answered.
        RequestError::Replaced | RequestError::Despawned => {}
        RequestError::QueueFull { .. } => tell(
            &mut talk,
            "What you said before is not answered yet: wait a moment.",
        ),
        error => tell(&mut talk, &format!("That cannot be: {}.", reason(error))),
    }
}

/// An error of the plugin in words, without the code before them.
pub fn reason(error: &impl std::fmt::Display) -> String {
    let text = error.to_string();
    let words = match text.split_once(": ") {
        Some((code, words)) if !code.contains(' ') => words,
        _ => text.as_str(),
    };
    short(words)
}

/// Bevy panics where there is no graphics driver and no display: from now on that is a sentence, and exit code 2.
pub fn explain_what_is_missing() {
    let panic = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        let said = info.payload_as_str().unwrap_or_default();
        let sentence = if said.contains("Unable to find a GPU") {
            "No graphics driver was found: install one for Vulkan, or try `-- --headless`."
        } else if said.contains("Failed to build event loop") {
            "The display cannot be opened: look at the variable DISPLAY, or try `-- --headless`."
        } else {
            return panic(info);
        };
        eprintln!("{sentence}");
        std::process::exit(2);
    }));
}

#[cfg(test)]
mod tests;
