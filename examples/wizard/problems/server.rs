//! The server that speaks for the characters, and what is known of it.

use super::tell;
use super::trouble::Trouble;
use crate::talking::{Talk, Who};
use bevy::prelude::*;
use std::mem::discriminant;

/// Adds what is known of it.
pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Server>();
}

/// What is known of the server that speaks for the wizard, if one does.
#[derive(Resource)]
pub struct Server {
    name: String,
    trouble: Option<Trouble>,
    /// The run whose call was not made: its attempt fails, and says nothing new of the server.
    pub(super) refused: Option<Entity>,
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
        let what = self.trouble.as_ref()?.what();
        Some(format!("{} does not {what}", self.name))
    }

    /// Something is wrong with it. That is told once, and not for each attempt.
    pub(super) fn fails(&mut self, trouble: Trouble, talk: &mut Talk) {
        let known = self.trouble.as_ref().map(discriminant);
        let is_new = known != Some(discriminant(&trouble));
        self.trouble = Some(trouble);
        if let Some(sentence) = self.trouble().filter(|_| is_new) {
            let sentence =
                format!("{sentence}. The characters speak authored lines until it does.");
            tell(talk, &sentence);
        }
    }

    pub(super) fn answers(&mut self, talk: &mut Talk) {
        if self.trouble.take().is_some() {
            let sentence = format!("{} answers again.", self.name);
            info!("{sentence}");
            talk.note(Who::Nobody, &sentence);
        }
    }
}
