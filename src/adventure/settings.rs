//! How an adventure is played.

use super::bands::BandLevels;
use super::drift::Drift;
use crate::base::fixed::Millionths;
use bevy::prelude::Resource;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};

/// Settings of adventure turns. A change counts for turns that begin after it.
#[derive(Resource, Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct AdventureSettings {
    /// How many characters may act in a turn; 4 when left out. Baked and named ones always do, and those who rolled share the
    /// room that is left.
    pub max_active: usize,
    /// Whether a character that is named always acts; it does when left out.
    pub activate_when_named: bool,
    /// Whether a turn in which no character acts leaves a scene marker.
    pub quiet_marker: bool,
    /// Whether the narrator decides what happened, rather than the rulebook. Nothing changes in the world then.
    pub narrator_decides: bool,
    /// Who may speak in a narration.
    pub voices: VoiceSetting,
    /// Over how many characters of narration in a view the oldest are replaced by a [recap](super::recap); 8,000 when left out.
    pub recap_chars: usize,
    /// What becomes of a turn whose extractor fails.
    pub on_extractor_failure: OnExtractorFailure,
    /// In which turns extractors are asked.
    pub extract_every: ExtractEvery,
    /// From which level on each band of states begins; 0, 6, 11, 16 and 21 when left out. What they are called is said by the
    /// language (`band_latent` and so on of [`PromptWords`](crate::text::PromptWords)).
    pub bands: BandLevels,
    /// How states change by themselves at the end of each turn; not at all when left out.
    pub drift: Drift,
    /// A call of an extractor that is less sure than this waits for the player's review, 0 to 1; 0.5 when left out.
    // A journal keeps it in a field of its own.
    #[serde(skip_serializing, deserialize_with = "part_of_one")]
    pub review_below: Millionths,
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
            review_below: Millionths(500_000),
        }
    }
}

fn part_of_one<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> std::result::Result<Millionths, D::Error> {
    let part = f64::deserialize(deserializer)?;
    let out_of_range = || D::Error::custom(format!("{part} is not a number from 0 to 1"));
    Millionths::unit_from_f64(part).ok_or_else(out_of_range)
}

/// Who may speak in a narration (contract row T15). A persona's words must stand in its intention, whatever is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum VoiceSetting {
    /// Only the one whose intention is told.
    Acting,
    /// Everybody who is there. The default.
    #[default]
    Present,
    /// Everybody whose name is known.
    Any,
}

/// What becomes of a turn whose extractor fails (contract row T7).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum OnExtractorFailure {
    /// The turn fails. The default.
    #[default]
    Fail,
    /// The turn is committed without what the extractor would have written, and says so.
    Degrade,
}

/// In every how many turns each extractor is asked; 1 is every turn, 0 is never.
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
    pub(super) fn is_due(every: u64, turn_id: u64) -> bool {
        turn_id.checked_rem(every) == Some(0)
    }
}
