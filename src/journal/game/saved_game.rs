//! A whole game as plain data: what a checkpoint and a save hold.

use crate::base::canonical::to_canonical;
use crate::base::counters::DramatisCounters;
use crate::base::ids::Id;
use crate::base::time::GameTime;
use crate::memory::SavedMind;
use crate::memory::saved::SavedEpisode;
use crate::plans::saved::SavedPlans;
use crate::town::life::SavedLives;
use crate::world::{EntityView, LocationView, WorldState, WorldValue};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use thiserror::Error;

/// Everything that a game is made of, as far as this crate knows it. Made by `capture`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedGame {
    /// Policies, seed, player, budget and engine.
    pub(crate) settings: Settings,
    /// How far the game is: its time, its counters, and the numbers of its runs and turns.
    pub(crate) session: Session,
    /// Names that are known as speakers, in the order in which they became known.
    pub names: Vec<String>,
    /// The judged world: entities, locations, flags, facts, and whose turn it is.
    pub world: WorldState,
    /// What each character remembers, by its id; of characters that are not loaded now, too.
    pub minds: BTreeMap<Id, SavedMind>,
    /// The characters that are loaded, by id, each with the hash of its source in hexadecimal.
    pub cast: BTreeMap<Id, String>,
    /// The hash of the story's source, in hexadecimal. `None`: no story is played.
    pub story: Option<String>,
    /// What each actor mentioned lately, by its id: ids by action, the last action last. Pronouns refer to them.
    pub mentioned: BTreeMap<Id, Vec<Vec<Id>>>,
    /// The ids of things that wait for the character who carries them, by the id of that character, who is not loaded yet.
    /// Left out when nothing waits; a save of an older version lacks it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub awaited: BTreeMap<Id, Vec<Id>>,
    /// The parts of the adventure, by their keys: messages, lore, personas. Left out where none was played; a save of an older
    /// version lacks it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub adventure: BTreeMap<String, Value>,
    /// The saved state of plans. Left out where there were none; a save of an older version lacks it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) plans: Option<SavedPlans>,
    /// How far characters are in their days. Left out where none has a routine; a save of an older version lacks it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) lives: Option<SavedLives>,
}

/// Settings of a game, by their names in files. A change of any of them is a record. One that is left out has its first value.
///
/// They hold no secret: of the engine, `identity` has its provider, model, version and capabilities.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Settings(BTreeMap<String, Value>);

impl Settings {
    /// The setting of this name, if it is there and of this type.
    #[must_use]
    pub fn get<T: DeserializeOwned>(&self, name: &str) -> Option<T> {
        T::deserialize(self.0.get(name)?).ok()
    }

    /// The id of the character that the player plays; `None` where the file lacks it.
    #[must_use]
    pub fn player(&self) -> Option<Id> {
        self.get("player")
    }

    /// The setting of this name as JSON.
    #[must_use]
    pub fn value(&self, name: &str) -> Option<&Value> {
        self.0.get(name)
    }

    /// The names of the settings that are there, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }
}

impl FromIterator<(String, Value)> for Settings {
    fn from_iter<I: IntoIterator<Item = (String, Value)>>(settings: I) -> Self {
        Self(settings.into_iter().collect())
    }
}

/// How far a game is, in time and in numbers. It changes all the time and is no setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Session {
    /// Game time, in milliseconds since the game began.
    pub game: GameTime,
    /// What has happened so far, as counts. Written by the pipeline.
    pub counters: DramatisCounters,
    /// The number that the next run gets.
    pub runs: u64,
    /// How many turns were asked for so far.
    pub turns_requested: u64,
    /// How many turns were taken so far; the rest waits or was dropped.
    pub turns_taken: u64,
}

impl Session {
    /// The row of the state in a file that says so.
    pub(in crate::journal) fn row(self) -> StateRow {
        StateRow::new("session", "", Some(self))
    }
}

/// A part of a saved game, as it is in a file: replaced on its own when it changes.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StateRow {
    /// What kind of part it is, such as `entity` or `mind`.
    pub kind: String,
    /// Which one of its kind: an id, or a name; empty where there is one alone.
    pub key: String,
    /// The part as canonical JSON. `None`: the row is to be removed.
    pub value: Option<String>,
}

impl StateRow {
    pub(in crate::journal) fn new(kind: &str, key: &str, value: Option<impl Serialize>) -> Self {
        Self {
            kind: kind.to_owned(),
            key: key.to_owned(),
            // Nothing in a game has no canonical form: there are no floats.
            value: value.map(|value| to_canonical(&value).unwrap_or_default()),
        }
    }

    /// A part that is encoded already, or is to be removed.
    pub(in crate::journal) fn encoded(kind: &str, key: &str, value: Option<String>) -> Self {
        Self {
            kind: kind.to_owned(),
            key: key.to_owned(),
            value,
        }
    }
}

/// The key of an episode's row: whose it is, and its number.
pub(in crate::journal) fn episode_key(npc: &Id, number: u64) -> String {
    format!("{npc}/{number}")
}

/// Why the parts in a file make no game.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub(crate) enum SavedGameError {
    /// A part that every game has is missing. The text is its kind.
    #[error("the save holds no {0}")]
    Missing(&'static str),
    /// A part is of no known kind. The text is that kind, cut to 60 characters.
    #[error("the save holds \"{0}\", which this version does not know")]
    Unknown(String),
    /// A part is there and cannot be read.
    #[error("the {kind} \"{key}\" of the save cannot be read: {message}")]
    Unreadable {
        /// What kind of part it is.
        kind: String,
        /// Which one of its kind: its key, cut to 60 characters.
        key: String,
        /// The problem: where in the part reading stopped, or why its key is no id.
        message: String,
    },
}

impl SavedGame {
    /// A setting of the game, by its name in files: one that the game added with
    /// [`add_setting`](crate::app::DramatisAppExt::add_setting), for instance. `None` where it is not there or of another type.
    #[must_use]
    pub fn setting<T: DeserializeOwned>(&self, name: &str) -> Option<T> {
        self.settings.get(name)
    }

    /// All its parts, as they are in a file. Each has a value.
    #[must_use]
    pub(crate) fn rows(&self) -> Vec<StateRow> {
        let mut rows = vec![
            StateRow::new("settings", "", Some(&self.settings)),
            self.session.row(),
            StateRow::new("names", "", Some(&self.names)),
        ];
        rows.extend(
            self.story
                .iter()
                .map(|s| StateRow::new("story", "", Some(s))),
        );
        rows.extend(of_map("entity", &self.world.entities));
        rows.extend(of_map("location", &self.world.locations));
        rows.extend(of_map("flag", &self.world.flags));
        rows.extend(of_map("fact", &self.world.facts));
        let turn_of = self.world.turn_of.iter();
        rows.extend(turn_of.map(|actor| StateRow::new("turn_of", "", Some(actor))));
        for (npc, mind) in &self.minds {
            let mut core = mind.clone();
            let episodes = std::mem::take(&mut core.episodes);
            rows.push(StateRow::new("mind", npc, Some(core)));
            rows.extend(episodes.iter().map(|episode| {
                StateRow::new("episode", &episode_key(npc, episode.number), Some(episode))
            }));
        }
        rows.extend(of_map("cast", &self.cast));
        rows.extend(of_map("mentioned", &self.mentioned));
        rows.extend(of_map("awaited", &self.awaited));
        rows.extend(of_map("adventure", &self.adventure));
        let plans = self.plans.iter();
        rows.extend(plans.map(|plans| StateRow::new("plans", "", Some(plans))));
        let lives = self.lives.iter();
        rows.extend(lives.map(|lives| StateRow::new("lives", "", Some(lives))));
        rows
    }

    /// The game that these parts make. Rows without a value are passed over.
    ///
    /// # Errors
    /// See `SavedGameError`.
    pub(crate) fn from_rows(rows: &[StateRow]) -> Result<Self, SavedGameError> {
        let mut game = Self::default();
        let mut seen = BTreeSet::new();
        let mut episodes: BTreeMap<Id, Vec<SavedEpisode>> = BTreeMap::new();
        for row in rows {
            let Some(value) = &row.value else { continue };
            let key = || row.key.clone();
            let id = || Id::new(&row.key).map_err(|error| unreadable(row, error.to_string()));
            seen.insert(row.kind.as_str());
            match row.kind.as_str() {
                "settings" => game.settings = read(row, value)?,
                "session" => game.session = read(row, value)?,
                "names" => game.names = read(row, value)?,
                "story" => game.story = Some(read(row, value)?),
                "turn_of" => game.world.turn_of = Some(read(row, value)?),
                "entity" => {
                    let view: EntityView = read(row, value)?;
                    game.world.entities.insert(id()?, view);
                }
                "location" => {
                    let view: LocationView = read(row, value)?;
                    game.world.locations.insert(id()?, view);
                }
                "flag" => {
                    let flag: bool = read(row, value)?;
                    game.world.flags.insert(key(), flag);
                }
                "fact" => {
                    let fact: WorldValue = read(row, value)?;
                    game.world.facts.insert(key(), fact);
                }
                "mind" => {
                    game.minds.insert(id()?, read(row, value)?);
                }
                "episode" => {
                    let whose = row.key.rsplit_once('/').map_or("", |(whose, _)| whose);
                    let whose =
                        Id::new(whose).map_err(|error| unreadable(row, error.to_string()))?;
                    episodes.entry(whose).or_default().push(read(row, value)?);
                }
                "cast" => {
                    game.cast.insert(id()?, read(row, value)?);
                }
                "mentioned" => {
                    game.mentioned.insert(id()?, read(row, value)?);
                }
                "awaited" => {
                    game.awaited.insert(id()?, read(row, value)?);
                }
                "plans" => game.plans = Some(read(row, value)?),
                "lives" => game.lives = Some(read(row, value)?),
                "adventure" => {
                    game.adventure.insert(key(), read(row, value)?);
                }
                other => {
                    let shown: String = other.escape_debug().take(60).collect();
                    return Err(SavedGameError::Unknown(shown));
                }
            }
        }
        for (whose, mut episodes) in episodes {
            // Rows come in the order of the alphabet. A mind of an older version holds its episodes itself.
            episodes.sort_by_key(|episode| episode.number);
            let mind = game.minds.get_mut(&whose);
            mind.ok_or(SavedGameError::Missing("mind of an episode"))?
                .episodes
                .append(&mut episodes);
        }
        let needed = ["settings", "session", "names"];
        match needed.into_iter().find(|kind| !seen.contains(kind)) {
            Some(kind) => Err(SavedGameError::Missing(kind)),
            None => Ok(game),
        }
    }

    /// How many turns were taken up to it.
    #[must_use]
    pub fn turns_taken(&self) -> u64 {
        self.session.turns_taken
    }

    /// The hashes of the sources that it needs, in hexadecimal: of its characters and of its story.
    pub(crate) fn assets(&self) -> impl Iterator<Item = &str> {
        let cast = self.cast.values();
        cast.chain(&self.story).map(String::as_str)
    }
}

/// Any rows give a game or an error, and what was read is written as it was read. A row for each line: kind, key and value,
/// parted by tabs.
///
/// # Panics
/// When that does not hold.
#[cfg(fuzzing)]
pub fn check_rows_for_fuzzing(text: &str) {
    let rows = text.lines().map(|line| {
        let mut parts = line.splitn(3, '\t');
        let mut next = || parts.next().unwrap_or_default().to_owned();
        StateRow {
            kind: next(),
            key: next(),
            value: Some(next()),
        }
    });
    let rows: Vec<StateRow> = rows.collect();
    if let Ok(game) = SavedGame::from_rows(&rows) {
        let again = SavedGame::from_rows(&game.rows());
        assert_eq!(again.as_ref(), Ok(&game));
    }
}

fn of_map<'a, K: AsRef<str>, T: Serialize>(
    kind: &'a str,
    map: &'a BTreeMap<K, T>,
) -> impl Iterator<Item = StateRow> + 'a {
    map.iter()
        .map(move |(key, value)| StateRow::new(kind, key.as_ref(), Some(value)))
}

fn read<T: DeserializeOwned>(row: &StateRow, value: &str) -> Result<T, SavedGameError> {
    serde_json::from_str(value).map_err(|error| {
        let place = format!("line {}, column {}", error.line(), error.column());
        unreadable(row, place)
    })
}

fn unreadable(row: &StateRow, message: String) -> SavedGameError {
    SavedGameError::Unreadable {
        kind: row.kind.clone(),
        key: row.key.escape_debug().take(60).collect(),
        message,
    }
}
