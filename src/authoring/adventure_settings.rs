//! How an adventure is played.

use crate::base::fixed::Millionths;
use crate::format::Problem;
use crate::memory::mind::MAX_STATE_LEVEL;
use bevy::prelude::Resource;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};

/// Settings of adventure turns. A change counts for turns that begin after it.
#[derive(Resource, Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct AdventureSettings {
    /// How many characters may act in a turn; 4 when left out. Baked and named characters always
    /// act; those that are chosen by chance share the places that are left.
    pub max_active: usize,
    /// Whether a character that is named always acts; true when left out.
    pub activate_when_named: bool,
    /// Whether a turn in which no character acts leaves a scene marker.
    pub quiet_marker: bool,
    /// Whether the narrator decides what happened, rather than the rulebook. Then nothing changes in the world.
    pub narrator_decides: bool,
    /// Who may speak in a narration.
    pub voices: VoiceSetting,
    /// How many characters of narration a view may hold before a recap replaces the oldest; 8,000 when left out.
    pub recap_chars: usize,
    /// What happens to a turn whose extractor fails.
    pub on_extractor_failure: OnExtractorFailure,
    /// How often extractors are asked.
    pub extract_every: ExtractEvery,
    /// From which level on each band of states begins; 0, 6, 11, 16 and 21 when left out. The language has their
    /// names (`band_latent` and so on of `PromptWords`).
    pub bands: BandLevels,
    /// How states change by themselves at the end of each turn; not at all when left out.
    pub drift: Drift,
    /// A call of an extractor that is less sure than this waits for the player's review, 0 to 1, to a millionth; 0.5 when left out.
    // A journal keeps it in a field of its own.
    #[serde(skip_serializing, deserialize_with = "part_of_one")]
    pub review_below: f32,
}

impl AdventureSettings {
    /// What is wrong with them beyond their form.
    pub(crate) fn problem(&self) -> Option<Problem> {
        let message = "bands must begin with 0 and rise, up to 30";
        (!self.bands.is_complete()).then(|| Problem::new("/adventure/bands", message))
    }
}

impl Default for AdventureSettings {
    fn default() -> Self {
        Self {
            max_active: 4,
            activate_when_named: true,
            quiet_marker: false,
            narrator_decides: false,
            voices: VoiceSetting::default(),
            recap_chars: 8_000,
            on_extractor_failure: OnExtractorFailure::default(),
            extract_every: ExtractEvery::default(),
            bands: BandLevels::default(),
            drift: Drift::default(),
            review_below: 0.5,
        }
    }
}

fn part_of_one<'de, D: Deserializer<'de>>(deserializer: D) -> std::result::Result<f32, D::Error> {
    let part = f64::deserialize(deserializer)?;
    let out_of_range = || D::Error::custom(format!("{part} is not a number from 0 to 1"));
    let millionths = Millionths::unit_from_f64(part).ok_or_else(out_of_range)?;
    Ok(millionths.to_f32())
}

/// Who may speak in a narration. With every choice, the words of a persona must be in its intention.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum VoiceSetting {
    /// Only the actor whose intention is told.
    Acting,
    /// Every character who is there. The default.
    #[default]
    Present,
    /// Every character whose name is known.
    Any,
}

/// What happens to a turn whose extractor fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum OnExtractorFailure {
    /// The turn fails. The default.
    #[default]
    Fail,
    /// The turn is committed without what the extractor would have written, and its record says so.
    Degrade,
}

/// How often each extractor is asked: once in this number of turns. 1 is every turn, 0 is never.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ExtractEvery {
    /// The extractor of personas.
    pub persona: u64,
    /// The extractor of characters.
    pub character: u64,
    /// The extractor of lore.
    pub lore: u64,
}

impl Default for ExtractEvery {
    fn default() -> Self {
        Self {
            persona: 1,
            character: 1,
            lore: 1,
        }
    }
}

impl ExtractEvery {
    /// Whether an extractor that is asked every `every` turns is asked in this one.
    pub(crate) fn is_due(every: u64, turn_id: u64) -> bool {
        turn_id.checked_rem(every) == Some(0)
    }
}

/// How the states of a category change at the end of each turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct DriftRate {
    /// How much the level rises in a turn; a negative number makes it fall. 0 when left out. A state that falls to 0 is removed.
    pub per_turn: i8,
    /// The level up to which a state rises by itself, 0 to 30; 30 when left out. A level that is higher already stays.
    pub most: u8,
    /// A state at this level or above becomes persistent, if a persistent slot is free. `None`: it never does.
    pub persists_from: Option<u8>,
}

impl Default for DriftRate {
    fn default() -> Self {
        Self {
            per_turn: 0,
            most: MAX_STATE_LEVEL,
            persists_from: None,
        }
    }
}

/// How states change at the end of each turn, by category. A category that is left out does not change.
///
/// A table that has proved itself in a game of this kind:
///
/// ```ron
/// adventure: (drift: (
///     core: (per_turn: 2),
///     persistent: (per_turn: 1, most: 20),
///     temporal: (per_turn: -1, persists_from: 20),
/// ))
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Drift {
    /// The states of the category `core`: what a character is at heart.
    pub core: DriftRate,
    /// The states of the category `persistent`, which last long.
    pub persistent: DriftRate,
    /// The states of the category `temporal`, which pass.
    pub temporal: DriftRate,
}

/// From which level on each band begins: latent, slightly, clearly, strongly, wholly.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct BandLevels(pub [u8; 5]);

impl Default for BandLevels {
    fn default() -> Self {
        Self([0, 6, 11, 16, 21])
    }
}

impl BandLevels {
    /// Whether they begin with 0 and rise up to the highest level, so that each level has one band.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.0[0] == 0 && self.0.is_sorted() && self.0[4] <= MAX_STATE_LEVEL
    }
}
