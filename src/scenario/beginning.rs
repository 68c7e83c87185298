//! How a scenario begins: with settings of its own, and perhaps from a recorded game.

use crate::base::ids::Id;
use crate::engine::{DefaultEngine, EngineIdentity};
use crate::format::literal::Literal;
use crate::journal::game::capture::{Assets, Restoring, restore};
use crate::journal::record::RecordKind;
use crate::journal::recording::reading::{checkpoint_game, identity_of};
use crate::journal::source::RecordingSource;
use crate::journal::{Recorded, RestoreError, SavedGame};
use crate::replay::game_after;
use crate::settings::SettingRegistry;
use bevy::prelude::{App, World};
use std::collections::BTreeMap;
use thiserror::Error;

/// Why a scenario cannot begin.
#[derive(Debug, Error)]
pub(crate) enum NotBegun {
    /// The recording cannot be opened, read or replayed.
    #[error("the recording cannot be read: {0}")]
    Unreadable(String),
    /// What came before does not happen again here.
    #[error(
        "the recording does not replay here, so the game at record {at} is not known: {why}. With the \
         version that made it, `dramatis export FILE --at {at} -o NEW.jsonl` writes that game alone: begin from that file"
    )]
    Differs { at: u64, why: String },
    /// A setting of the scenario cannot be used.
    #[error("{why}")]
    Setting { name: String, why: String },
    /// The recorded game cannot be played here.
    #[error("the recorded game cannot be played: {0}")]
    Unplayable(#[from] RestoreError),
}

impl NotBegun {
    /// The field of the scenario that is to blame, as a JSON pointer.
    pub(crate) fn place(&self) -> String {
        match self {
            Self::Setting { name, .. } => format!("/settings/{name}"),
            _ => "/from".to_owned(),
        }
    }

    fn unreadable(why: impl ToString) -> Self {
        Self::Unreadable(why.to_string())
    }
}

/// The recorded game that a scenario begins from: the one after a record.
#[derive(Debug, Clone)]
pub(super) struct Beginning {
    source: RecordingSource,
    /// The number of the record.
    at: u64,
    /// Which model the recording was made with: that of a scenario which names no engine.
    pub identity: EngineIdentity,
}

/// A recorded game, ready to be put into an app.
pub(super) struct RecordedGame {
    game: SavedGame,
    assets: Assets,
}

impl Beginning {
    /// Opens the recording. `at`: after which record, by its number from 1; `None`: after the last one.
    ///
    /// # Errors
    /// A sentence for people, with the field of the scenario that is wrong.
    pub fn find(source: RecordingSource, at: Option<u64>) -> Result<Self, (&'static str, String)> {
        let recording = source.open().map_err(|why| ("/from", why))?;
        let identity = identity_of(&*recording);
        let identity = identity.map_err(|error| ("/from", error.to_string()))?;
        let last = recording.count();
        let at = at.unwrap_or(last);
        if at < recording.first() || at > last {
            let first = recording.first();
            let why = format!("the recording has the records {first} to {last}");
            return Err(("/at", why));
        }
        Ok(Self {
            source,
            at,
            identity,
        })
    }

    /// The game after the record. Where no checkpoint holds it, all that came before is replayed; `configure` is as in a replay.
    pub fn game(&self, configure: &dyn Fn(&mut App)) -> Result<RecordedGame, NotBegun> {
        let recording = self.source.open().map_err(NotBegun::Unreadable)?;
        let recording = &*recording;
        if let Some(checkpoint) = self.checkpoint(recording)? {
            let game = checkpoint_game(recording, checkpoint).map_err(NotBegun::unreadable)?;
            let assets = recording.assets().map_err(NotBegun::unreadable)?;
            return Ok(RecordedGame { game, assets });
        }
        let past = game_after(recording, self.at, configure).map_err(NotBegun::unreadable)?;
        match past.replay.doubt() {
            Some(why) => Err(NotBegun::Differs { at: self.at, why }),
            None => Ok(RecordedGame {
                game: past.game,
                assets: past.assets,
            }),
        }
    }

    /// The number of the checkpoint that holds the game, where one does: the record itself, or the one of whose parts it is the last.
    fn checkpoint(&self, recording: &dyn Recorded) -> Result<Option<u64>, NotBegun> {
        let kind = |seq| match recording.encoded(seq) {
            Ok(record) => Ok(record.kind),
            Err(error) => Err(NotBegun::unreadable(error)),
        };
        let is_part = |seq| Ok::<bool, NotBegun>(kind(seq)? == RecordKind::Part);
        if self.at < recording.count() && is_part(self.at + 1)? {
            return Ok(None);
        }
        let mut seq = self.at;
        while seq > recording.first() && is_part(seq)? {
            seq -= 1;
        }
        Ok((kind(seq)? == RecordKind::Checkpoint).then_some(seq))
    }
}

impl RecordedGame {
    /// Whether this character is in the game.
    pub fn has(&self, character: &Id) -> bool {
        self.game.cast.contains_key(character)
    }

    /// Puts the game into a world in which nothing has happened yet. The characters and the story that are there stay.
    pub fn put(&self, world: &mut World) -> Result<(), NotBegun> {
        // A scenario has an engine of its own.
        let engine = world.get_resource::<DefaultEngine>().cloned();
        restore(world, &self.game, &self.assets, Restoring::Scenario)?;
        if let Some(engine) = engine {
            world.insert_resource(engine);
        }
        Ok(())
    }
}

/// Puts the settings of a scenario into a world, each by its name.
pub(super) fn put_settings(
    world: &mut World,
    settings: &BTreeMap<String, Literal>,
) -> Result<(), NotBegun> {
    let known = world.get_resource_or_init::<SettingRegistry>().clone();
    for (name, Literal(value)) in settings {
        let wrong = |why: String| NotBegun::Setting {
            name: name.clone(),
            why,
        };
        let setting = known.iter().find(|setting| setting.name == name);
        let setting = setting.ok_or_else(|| {
            wrong("no plugin of this game has added this setting with add_setting".to_owned())
        })?;
        let read = setting.check(Some(value));
        read.map_err(|error| wrong(error.to_string()))?;
        (setting.put)(world, Some(value));
    }
    Ok(())
}
