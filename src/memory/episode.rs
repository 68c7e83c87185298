//! An episode: something that a character has lived through.

use super::episode_index::Writer;
use crate::base::fixed::{Millionths, Millis, div_half_even};
use crate::base::ids::Id;
use crate::base::time::GameTime;
use crate::limits::Limits;
use bevy::reflect::Reflect;
use serde::{Deserialize, Serialize};

/// At this strength and below, an episode is no longer remembered.
const INACTIVE_AT: Millionths = Millionths(100_000);
/// The longest text of an episode or belief, in characters.
pub const MAX_MEMORY_CHARS: usize = 2_000;

/// What the ids of episodes begin with that a model wrote.
const FROM_MODEL: &str = "m-";

/// The id of an episode that a model wrote, from a number that was drawn for it.
pub(crate) fn model_episode_id(drawn: u64) -> String {
    format!("{FROM_MODEL}{drawn:016x}")
}

/// What the ids of episodes begin with that keep an entry of a routine.
const LIVED: &str = "day-";

/// The id of the episode that keeps a character's entry of this number.
pub(crate) fn lived_id(number: u64) -> String {
    format!("{LIVED}{number}")
}

/// What the ids of episodes begin with that keep an exchange.
const SAID: &str = "said-";

/// The id of the diary of a day.
pub(crate) fn diary_id(day: i64) -> String {
    format!("diary-{day}")
}

/// The id of the episode that keeps a character's exchange of this number.
pub(crate) fn said_id(number: u64) -> String {
    format!("{SAID}{number}")
}

/// How a character knows of an episode.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Provenance {
    /// The character was there. It is the default.
    #[default]
    Saw,
    /// The character with this id told it.
    ToldBy(String),
    /// It overheard the character or player with this id say it to another one.
    OverheardFrom(String),
    /// The character concluded it, or a reply of the model proposed it.
    Inferred,
    /// The character wrote it into its diary, from the episodes with these ids. The engine alone writes such episodes: a file
    /// or a game that asks for one is refused.
    Diary(Vec<String>),
}

impl std::fmt::Display for Provenance {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Saw => f.write_str("Saw"),
            Self::ToldBy(who) => write!(f, "ToldBy({who})"),
            Self::OverheardFrom(who) => write!(f, "overheard from {who}"),
            Self::Inferred => f.write_str("Inferred"),
            Self::Diary(_) => f.write_str("Diary"),
        }
    }
}

/// How fast episodes fade.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Decay {
    /// The strength that an episode of significance 0 loses with each step; 0 by default.
    pub rate: Millionths,
    /// How long a step is, in game time; 300 s by default.
    pub step: Millis,
}

impl Decay {
    /// As these limits say.
    pub(super) fn of(limits: &Limits) -> Self {
        Self {
            rate: Millionths::nearest(limits.decay_rate),
            step: limits.decay_step.into(),
        }
    }
}

impl Default for Decay {
    fn default() -> Self {
        Self::of(&Limits::DEFAULT)
    }
}

/// Where news comes from that a character was told, or that was corrected.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub(crate) struct Hearsay {
    // In the order of the alphabet, in which they are written.
    /// What it said before it was corrected, the oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub history: Vec<String>,
    /// How many tellings lie between this and the correction, or the character that was there; 0: none.
    pub hops: u32,
    /// The character that was there, and the id of its episode.
    pub origin: (Id, String),
    /// How much it mattered to the one that was there, in millionths.
    pub significance: i64,
    /// Which correction it is: the later one has the larger number. 0: it was not corrected.
    #[serde(default, skip_serializing_if = "crate::base::is_default")]
    pub version: i64,
    /// The ids of those who told it on, the first one first.
    pub way: Vec<Id>,
}

/// Something that a character has experienced and remembers.
#[derive(Debug, Clone, PartialEq, Eq, Reflect)]
#[reflect(opaque)]
pub struct Episode {
    /// Its id, unique for its character.
    pub id: String,
    /// What happened, 1 to 2,000 characters.
    pub text: String,
    /// How much it mattered, 0 to 1. An episode that mattered more fades more slowly.
    pub significance: Millionths,
    /// When it happened, in game time.
    pub time: GameTime,
    /// Ids of those who took part.
    pub participants: Vec<String>,
    /// The id of the place; `None` where none is known.
    pub place: Option<String>,
    /// How the character knows of it.
    pub provenance: Provenance,
    /// Whether it never fades and never makes room for another.
    pub pinned: bool,
    /// Whether the character keeps it to itself: it is not told as news.
    pub private: bool,
    /// Where it comes from, where it is news that was told or corrected. `None`: the character knows it by itself.
    pub(crate) hearsay: Option<Box<Hearsay>>,
}

impl Episode {
    /// An episode that the character saw just now, of significance 0.5.
    #[must_use]
    pub fn new(id: impl Into<String>, text: impl Into<String>, time: GameTime) -> Self {
        Self {
            id: id.into(),
            text: text.into(),
            significance: Millionths(500_000),
            time,
            participants: Vec::new(),
            place: None,
            provenance: Provenance::Saw,
            pinned: false,
            private: false,
            hearsay: None,
        }
    }

    /// The witness: the id of the character that was there, and the id of its episode. `npc` is the character that remembers
    /// this one.
    #[must_use]
    pub fn origin<'a>(&'a self, npc: &'a Id) -> (&'a Id, &'a str) {
        match &self.hearsay {
            Some(hearsay) => (&hearsay.origin.0, &hearsay.origin.1),
            None => (npc, &self.id),
        }
    }

    /// How many characters passed it on before this one heard it; 0 if no other character told it.
    #[must_use]
    pub fn hops(&self) -> u32 {
        self.hearsay.as_ref().map_or(0, |hearsay| hearsay.hops)
    }

    /// Whether the engine chose its id: what it wrote by itself, or for a model.
    pub(crate) fn is_from_engine(&self) -> bool {
        let begins = |start: &&str| self.id.starts_with(start);
        [FROM_MODEL, SAID, "diary-", LIVED].iter().any(begins)
    }

    /// Whether a model wrote it: its id is one of those that are derived for what replies propose. The id alone shows it, so this
    /// is also known after a load.
    #[must_use]
    pub fn is_from_model(&self) -> bool {
        let digits = self.id.strip_prefix(FROM_MODEL).unwrap_or_default();
        let is_digit = |byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        digits.len() == 16 && digits.bytes().all(is_digit)
    }

    /// For an entry of a diary, the ids of the episodes that it was written from; empty otherwise.
    #[must_use]
    pub fn sources(&self) -> &[String] {
        match &self.provenance {
            Provenance::Diary(sources) => sources,
            _ => &[],
        }
    }

    /// Whether it keeps an exchange: the engine wrote it, in the words that a player and a model have chosen.
    #[must_use]
    pub fn is_said(&self) -> bool {
        let number = self.id.strip_prefix(SAID).unwrap_or_default();
        !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
    }

    /// Whether it keeps an entry of the character's routine: the engine wrote it when the entry ended.
    #[must_use]
    pub(crate) fn is_lived(&self) -> bool {
        let number = self.id.strip_prefix(LIVED).unwrap_or_default();
        !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
    }

    /// Who wrote it, as its id says.
    pub(super) fn writer(&self) -> Writer {
        match (self.is_from_model(), self.is_said()) {
            (true, _) => Writer::Model,
            (_, true) => Writer::Said,
            _ => Writer::Other,
        }
    }

    /// What it is worth where nothing fades: the one of least worth goes first.
    pub(crate) fn worth(&self) -> (Millionths, GameTime, &str) {
        (self.significance, self.time, &self.id)
    }

    /// The ids of those who take part: those who were there, and who told it.
    pub(super) fn people(&self) -> Vec<&str> {
        let mut people: Vec<&str> = self.participants.iter().map(String::as_str).collect();
        if let Provenance::ToldBy(who) | Provenance::OverheardFrom(who) = &self.provenance {
            people.push(who);
        }
        people.sort_unstable();
        people.dedup();
        people
    }

    /// How much of it is left at the game time `now`, 0 to 1: 1.0 less `rate * (1 - significance / 2)` for each whole step of
    /// its age. A pinned one is always at 1.
    #[must_use]
    pub(crate) fn strength(&self, now: GameTime, decay: Decay) -> Millionths {
        if self.pinned {
            return Millionths::ONE;
        }
        strength(self.significance, self.time, now, decay)
    }

    /// Whether it is still remembered at the game time `now`: its strength is above 0.1.
    #[must_use]
    pub(crate) fn is_active(&self, now: GameTime, decay: Decay) -> bool {
        self.strength(now, decay) > INACTIVE_AT
    }
}

/// How much is left at the game time `now` of an episode of `time` that is not pinned.
pub(super) fn strength(
    significance: Millionths,
    time: GameTime,
    now: GameTime,
    decay: Decay,
) -> Millionths {
    let steps = now.since(time).0.max(0) / decay.step.0.max(1);
    let lost = div_half_even(
        i128::from(steps) * loss_per_step(significance, decay),
        LOSS_UNIT,
    );
    Millionths(Millionths::ONE.0.saturating_sub(lost).max(0))
}

/// How many units of [`loss_per_step`] make a millionth.
const LOSS_UNIT: i128 = 2_000_000;

fn loss_per_step(significance: Millionths, decay: Decay) -> i128 {
    i128::from(decay.rate.0) * (LOSS_UNIT - i128::from(significance.0))
}

/// The last game time at which an episode is remembered.
pub(super) fn last_moment(episode: &Episode, decay: Decay) -> GameTime {
    let loss = loss_per_step(episode.significance, decay);
    if episode.pinned || loss <= 0 {
        return GameTime(i64::MAX);
    }
    // The loss at which it is no longer remembered, rounded half to even like every loss: half a millionth less is enough.
    let forgotten_at = i128::from(Millionths::ONE.0 - INACTIVE_AT.0) * LOSS_UNIT - LOSS_UNIT / 2;
    let steps = (forgotten_at + loss - 1) / loss;
    let span = steps * i128::from(decay.step.0.max(1));
    let last = i128::from(episode.time.0) + span - 1;
    GameTime(i64::try_from(last).unwrap_or(i64::MAX))
}
