//! What the game did: writes, characters that come and go, another story, other settings.

use super::fields::input_fields;
use crate::base::ids::Id;
use crate::journal::game::saved_game::Settings;
use crate::memory::{ForgetReason, ForgottenEpisode, SavedMind};
use crate::npc::MindWrite;
use crate::world::{GameWrite, WorldPart};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// How the journal learned of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChangeSource {
    /// The game wrote it through [`GameWrite`].
    GameSystem,
    /// A system of the game changed components in place; it was found by comparison.
    Observed,
}

impl ChangeSource {
    /// The source's name in a file.
    #[cfg(feature = "cli")]
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::GameSystem => "game_system",
            Self::Observed => "observed",
        }
    }
}

input_fields! {
    /// The game changed the judged world.
    pub struct WriteBody {
        inputs {
            /// How the journal learned of it.
            source: ChangeSource = "source",
            /// How everything that changed is now.
            now: Vec<WorldPart> = "now",
        }
        labels {
            /// The write, as the game asked for it. Left out for what was found by comparison.
            write: GameWrite = "write",
        }
    }
}

input_fields! {
    /// A character was loaded, or got another file.
    pub struct EnteredBody {
        inputs {
            /// The character's id.
            npc: Id = "npc",
            /// The hash of its source, in hexadecimal.
            asset: String = "asset",
            /// All that it remembers as it comes in.
            mind: SavedMind = "mind",
        }
        notes {
            /// The name of its file; a label, never opened.
            file: Option<String> = "file",
        }
    }
}

input_fields! {
    /// A character was removed from the game.
    pub struct LeftBody {
        inputs {
            /// The character's id.
            npc: Id = "npc",
        }
    }
}

input_fields! {
    /// Another story is played, or none any more.
    pub struct StoryBody {
        inputs {
            /// The hash of its source, in hexadecimal; `None`: no story.
            asset: Option<String> = "asset",
        }
        notes {
            /// The name of its file; a label, never opened. `None`: no story.
            file: Option<String> = "file",
        }
    }
}

input_fields! {
    /// The game itself changed what a character remembers.
    pub struct MindBody {
        inputs {
            /// The character's id.
            npc: Id = "npc",
            /// All that it remembers now, not only what is new.
            mind: SavedMind = "mind",
        }
        labels {
            /// What the game wrote, each write with its source. Left out where the mind was replaced.
            writes: Vec<MindWrite> = "writes",
            /// What the character has forgotten by that. Left out where it is nothing.
            forgotten: Vec<RecordedForgetting> = "forgotten",
        }
    }
}

/// An episode that a character has forgotten.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RecordedForgetting {
    /// The id of the episode.
    pub id: String,
    /// Why it is gone.
    pub why: ForgetReason,
}

impl RecordedForgetting {
    pub(in crate::journal) fn of(forgotten: &ForgottenEpisode) -> Self {
        Self {
            id: forgotten.episode.id.clone(),
            why: forgotten.why,
        }
    }
}

/// All settings, after a change of one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RecordedSettings {
    /// Seed, player, policies, budget and engine, as they are now.
    #[serde(rename = "how")]
    pub settings: Settings,
    /// The names that are known as speakers, in the order in which they became known.
    pub names: Vec<String>,
}

input_fields! {
    /// A setting or a known name is new.
    pub struct SettingsBody {
        inputs {
            /// All settings as they are now.
            settings: RecordedSettings = "settings",
        }
    }
}

input_fields! {
    /// A plugin of the game was told something that it records: see
    /// [`add_recorded`](crate::prelude::DramatisAppExt::add_recorded).
    pub struct InputBody {
        inputs {
            /// The name under which the plugin has added it.
            name: String = "name",
            /// What it was told, as JSON.
            asked: Value = "asked",
        }
    }
}

input_fields! {
    /// A run was cancelled from outside.
    pub struct CancelBody {
        inputs {
            /// The number of the run, as its [`RunTimeline`](crate::journal::RunTimeline) has it.
            run: u64 = "run",
        }
    }
}

input_fields! {
    /// A request was refused and started no run.
    pub struct RefusedBody {
        inputs {
            /// The id of the character that was asked.
            npc: String = "npc",
            /// Why it was refused, for people.
            error: String = "error",
        }
    }
}

input_fields! {
    /// Parts of the adventure are new or otherwise.
    pub struct AdventureBody {
        inputs {
            /// The parts by their keys, as they are now; `null` for one that is no longer there.
            now: BTreeMap<String, Option<Value>> = "now",
        }
    }
}
