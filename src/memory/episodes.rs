//! Episodes: what a character has lived through.

use super::episode_index::{EpisodeIndex, Mark, Writer};
use super::postings::hash_of;
use super::room;
use crate::base::fixed::{Millionths, Millis, div_half_even};
use crate::base::time::GameTime;
use crate::limits::Limits;
use crate::text::Lexicon;
use crate::text::terms::TermRules;
use bevy::platform::collections::HashTable;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use thiserror::Error;

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
    /// Another one told it: the character with this id.
    ToldBy(String),
    /// It heard the character or player with this id say so to somebody else.
    OverheardFrom(String),
    /// The character concluded it, or a reply of the model proposed it.
    Inferred,
    /// The character wrote it into its diary, from the episodes with these ids. The engine alone writes such episodes: a file or a game that
    /// asks for one is refused.
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
pub struct Decay {
    /// The strength that an episode of significance 0 loses with each step; 0 by default.
    pub rate: Millionths,
    /// How long a step is, in game time; 300 s by default.
    pub step: Millis,
}

impl Default for Decay {
    fn default() -> Self {
        Self {
            rate: Limits::DEFAULT.decay_rate,
            step: Limits::DEFAULT.decay_step,
        }
    }
}

/// Something that a character has experienced and remembers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Episode {
    /// Its id, unique for its character.
    pub id: String,
    /// What happened, 1 to 2,000 characters.
    pub text: String,
    /// How much it mattered, 0 to 1. The more, the more slowly it fades.
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
        }
    }

    /// Whether a model wrote it: its id is one of those that are derived for what replies propose. So nothing has to be kept for it,
    /// and a save tells it, too.
    #[must_use]
    pub fn is_from_model(&self) -> bool {
        let digits = self.id.strip_prefix(FROM_MODEL).unwrap_or_default();
        let is_digit = |byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        digits.len() == 16 && digits.bytes().all(is_digit)
    }

    /// Of a diary, the ids of the episodes that it was written from; empty otherwise.
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

    fn writer(&self) -> Writer {
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
    fn people(&self) -> Vec<&str> {
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
    pub fn strength(&self, now: GameTime, decay: Decay) -> Millionths {
        if self.pinned {
            return Millionths::ONE;
        }
        strength(self.significance, self.time, now, decay)
    }

    /// Whether it is still remembered at the game time `now`: its strength is above 0.1.
    #[must_use]
    pub fn is_active(&self, now: GameTime, decay: Decay) -> bool {
        self.strength(now, decay) > INACTIVE_AT
    }
}

/// How much is left at the game time `now` of an episode of `time` that is not pinned.
fn strength(significance: Millionths, time: GameTime, now: GameTime, decay: Decay) -> Millionths {
    let steps = now.since(time).0.max(0) / decay.step.0.max(1);
    let lost = div_half_even(
        i128::from(steps) * loss_per_step(significance, decay),
        LOSS_UNIT,
    );
    Millionths(Millionths::ONE.0.saturating_sub(lost).max(0))
}

/// So many units of [`loss_per_step`] are a millionth.
const LOSS_UNIT: i128 = 2_000_000;

fn loss_per_step(significance: Millionths, decay: Decay) -> i128 {
    i128::from(decay.rate.0) * (LOSS_UNIT - i128::from(significance.0))
}

/// The last game time at which an episode is remembered.
fn last_moment(episode: &Episode, decay: Decay) -> GameTime {
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

/// Why an episode is not stored. Nothing has changed then.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum EpisodeError {
    /// The text is empty or longer than 2,000 characters, or significance lies outside 0-1.
    #[error("the episode \"{0}\" is corrupt: {1}")]
    Corrupt(String, &'static str),
    /// There is one with this id already.
    #[error("there is an episode \"{0}\" already")]
    Duplicate(String),
    /// The memory is full of pinned episodes; or, for one that a model wrote, of pinned ones and those of the designer and the game.
    #[error("the memory is full of pinned episodes, or of those that no model may push out")]
    Full,
}

/// Why a character has forgotten an episode.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ForgetReason {
    /// There was no room for one more, and it was worth least.
    Cap,
    /// The game wanted it forgotten.
    Forget,
    /// What it tells of was taken back.
    Retracted,
}

impl ForgetReason {
    /// Its name in a record or a trace, such as `cap`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Cap => "cap",
            Self::Forget => "forget",
            Self::Retracted => "retracted",
        }
    }
}

/// An episode that a character has forgotten.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ForgottenEpisode {
    /// The episode, as it was.
    pub episode: Episode,
    /// Why it is gone.
    pub why: ForgetReason,
    /// The number of its arrival.
    pub(super) number: u64,
}

/// What has become of the episodes of one memory since it was made: enough to follow it without looking at all of them.
#[derive(Debug)]
struct History {
    /// No two memories of a process have the same, not even a copy and its original.
    id: u64,
    /// How many episodes are gone.
    gone: usize,
    /// The last that went, at most [`REMEMBERED`].
    last_gone: VecDeque<ForgottenEpisode>,
}

/// How many episodes that are gone are kept.
const REMEMBERED: usize = 64;

impl Default for History {
    fn default() -> Self {
        static IDS: AtomicU64 = AtomicU64::new(0);
        Self {
            id: IDS.fetch_add(1, Ordering::Relaxed),
            gone: 0,
            last_gone: VecDeque::new(),
        }
    }
}

impl Clone for History {
    /// A copy goes its own way.
    fn clone(&self) -> Self {
        Self {
            gone: self.gone,
            last_gone: self.last_gone.clone(),
            ..Self::default()
        }
    }
}

/// How far somebody has followed the episodes of a memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct EpisodesSeen {
    history: u64,
    gone: usize,
    next: u64,
}

/// The episodes of one character, with an index over their words.
///
/// Storing one takes time for its own words alone, however many there are; letting the weakest go takes more, but looks at few.
#[derive(Clone)]
pub struct Episodes {
    cap: usize,
    decay: Decay,
    next: u64,
    /// In order of arrival: (number of arrival, episode). One that is gone leaves a gap for a while.
    slots: Vec<(u64, Option<Box<Episode>>)>,
    /// The slot of each, by the hash of its id.
    ids: HashTable<u32>,
    index: EpisodeIndex,
    rules: Arc<TermRules>,
    history: History,
}

/// So many gaps are always allowed.
const GAPS: usize = 128;

impl std::fmt::Debug for Episodes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let list: Vec<_> = self.numbered_from(0).collect();
        f.debug_struct("Episodes")
            .field("cap", &self.cap)
            .field("decay", &self.decay)
            .field("next", &self.next)
            .field("list", &list)
            .finish()
    }
}

impl Default for Episodes {
    fn default() -> Self {
        Self::with_cap(Limits::DEFAULT.episodes)
    }
}

impl Episodes {
    /// An empty memory that keeps at most `cap` episodes. How many those of a character in the game are, its limits say.
    #[must_use]
    pub fn with_cap(cap: usize) -> Self {
        Self {
            cap,
            decay: Decay::default(),
            next: 0,
            slots: Vec::new(),
            ids: HashTable::new(),
            index: EpisodeIndex::default(),
            rules: Lexicon::english_term_rules().clone(),
            history: History::default(),
        }
    }

    /// How many there are, faded ones included.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether there are none, faded ones included.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// All of them, in order of arrival.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Episode> {
        self.slots
            .iter()
            .filter_map(|(_, episode)| episode.as_deref())
    }

    /// The one with this id; `None` when there is none.
    #[must_use]
    pub fn get(&self, id: &str) -> Option<&Episode> {
        self.at(self.slot_of(id)?)
    }

    /// The slot of the one with this id.
    pub(super) fn slot_of(&self, id: &str) -> Option<usize> {
        let is_it = |slot: &u32| id == id_at(&self.slots, *slot);
        let slot = self.ids.find(hash_of(id), is_it)?;
        Some(*slot as usize)
    }

    /// The last ones that are forgotten, at most 64 since the game began or was loaded, the newest last.
    pub fn forgotten(
        &self,
    ) -> impl ExactSizeIterator<Item = &ForgottenEpisode> + DoubleEndedIterator {
        self.history.last_gone.iter()
    }

    /// How many are forgotten, in all.
    pub(crate) fn forgotten_count(&self) -> usize {
        self.history.gone
    }

    /// Those that were forgotten since there were so many, at most 64.
    pub(crate) fn forgotten_since(&self, count: usize) -> impl Iterator<Item = &ForgottenEpisode> {
        let History {
            gone, last_gone, ..
        } = &self.history;
        let new = gone.saturating_sub(count).min(last_gone.len());
        last_gone.range(last_gone.len() - new..)
    }

    /// Takes over what these have forgotten; and what they have and it has not, was taken back.
    pub(crate) fn take_back_from(&mut self, before: &Self) {
        self.history = before.history.clone();
        for (number, episode) in before.numbered_from(0) {
            if self.get(&episode.id).is_none() {
                let episode = episode.clone();
                self.note_gone(number, episode, ForgetReason::Retracted);
            }
        }
        let gone = self.forgotten_since(before.forgotten_count());
        let gone: Vec<String> = gone.map(|one| one.episode.id.clone()).collect();
        // A diary goes with what it was written from.
        let written_from_it = |diary: &&Episode| diary.sources().iter().any(|id| gone.contains(id));
        let diaries: Vec<String> = self
            .iter()
            .filter(written_from_it)
            .map(|diary| diary.id.clone())
            .collect();
        for diary in diaries {
            self.take_away(&diary, ForgetReason::Retracted);
        }
    }

    /// How many are kept at most.
    #[must_use]
    pub fn cap(&self) -> usize {
        self.cap
    }

    /// How fast they fade.
    #[must_use]
    pub fn decay(&self) -> Decay {
        self.decay
    }

    /// How their words are compared.
    pub(super) fn rules(&self) -> &Arc<TermRules> {
        &self.rules
    }

    /// Their words are compared in this way from now on.
    pub(super) fn compare_by(&mut self, rules: &Arc<TermRules>) {
        if self.rules != *rules {
            let episodes = self.slots.iter().map(|(_, episode)| episode.as_deref());
            let terms = episodes.map(|episode| match episode {
                Some(episode) => rules.terms(&episode.text),
                None => Vec::new(),
            });
            self.index.index_again(terms);
            self.rules = rules.clone();
        }
    }

    /// How many are kept and how fast they fade, from now on. Surplus ones leave when the next one comes.
    pub(super) fn keep_to(&mut self, cap: usize, decay: Decay) {
        self.cap = cap;
        if self.decay != decay {
            self.decay = decay;
            let episodes = self.slots.iter().map(|(_, episode)| episode.as_deref());
            let moments = episodes.map(|episode| match episode {
                Some(episode) => last_moment(episode, decay),
                None => GameTime(i64::MAX),
            });
            self.index.fade_at(moments);
        }
    }

    /// Those that arrived with this number or a later one, with their numbers.
    pub(super) fn numbered_from(&self, first: u64) -> impl Iterator<Item = (u64, &Episode)> {
        let before = self.slots.partition_point(|(number, _)| *number < first);
        let slots = self.slots[before..].iter();
        slots.filter_map(|(number, episode)| Some((*number, episode.as_deref()?)))
    }

    /// The slot of the one that makes room for a new one that matters so much. `for_model`: a model wrote that.
    fn weakest_slot(&self, now: GameTime, new: Millionths, for_model: bool) -> Option<usize> {
        let decay = self.decay;
        let weakest = |writer| {
            // Where nothing fades, what mattered least goes first.
            let strength = |significance, time| match decay.rate {
                Millionths::ZERO => significance,
                _ => strength(significance, time, now, decay),
            };
            let order = |a: usize, b: usize| match decay.rate {
                Millionths::ZERO => self
                    .at(a)
                    .map(|one| &one.id)
                    .cmp(&self.at(b).map(|one| &one.id)),
                _ => a.cmp(&b),
            };
            self.index.weakest(writer, strength, order)
        };
        let least = |writers: &[Writer]| {
            let found = writers.iter().filter_map(|writer| weakest(*writer));
            found.min_by_key(|slot| self.at(*slot).map(Episode::worth))
        };
        let free = || least(&[Writer::Model, Writer::Said]);
        // What a model wrote makes no room of what the designer or the game wrote.
        if for_model {
            return free();
        }
        if decay.rate != Millionths::ZERO {
            // Where all fades, what a model wrote goes first.
            return weakest(Writer::Model).or_else(|| weakest(Writer::Other));
        }
        let weakest = least(&[Writer::Model, Writer::Said, Writer::Other])?;
        let episode = self.at(weakest)?;
        // A model that exaggerates does not lead to that either.
        let is_safe = episode.writer() == Writer::Other && episode.significance > new;
        Some(if is_safe {
            free().unwrap_or(weakest)
        } else {
            weakest
        })
    }

    /// How far whoever looks now has followed it.
    pub(super) fn seen(&self) -> EpisodesSeen {
        EpisodesSeen {
            history: self.history.id,
            gone: self.history.gone,
            next: self.next,
        }
    }

    /// What has changed since then: the numbers of episodes that are gone, some of which may never have been seen, and those that
    /// are new. `None` when nobody knows: it was another memory, or too many are gone.
    pub(super) fn changes_since(
        &self,
        seen: EpisodesSeen,
    ) -> Option<(
        impl Iterator<Item = u64>,
        impl Iterator<Item = (u64, &Episode)>,
    )> {
        let History {
            id,
            gone,
            last_gone,
        } = &self.history;
        let newly_gone = gone.checked_sub(seen.gone)?;
        let known = last_gone.len().checked_sub(newly_gone)?;
        (*id == seen.history).then(|| {
            let gone = last_gone.range(known..);
            (gone.map(|one| one.number), self.numbered_from(seen.next))
        })
    }

    /// The one with this number; `None` when there is none.
    pub(super) fn numbered(&self, number: u64) -> Option<&Episode> {
        let (found, episode) = self.numbered_from(number).next()?;
        (found == number).then_some(episode)
    }

    pub(super) fn next_number(&self) -> u64 {
        self.next
    }

    /// Where to look for them.
    pub(super) fn index(&self) -> &EpisodeIndex {
        &self.index
    }

    /// The one in a slot of the index.
    pub(super) fn at(&self, slot: usize) -> Option<&Episode> {
        self.slots.get(slot)?.1.as_deref()
    }

    /// Stores an episode of a save, under the number that it had. They come in order.
    pub(super) fn restore(&mut self, number: u64, episode: Episode) -> Result<(), EpisodeError> {
        if number < self.next || number > u64::MAX / 2 {
            return Err(EpisodeError::Corrupt(
                episode.id,
                "its number is out of order",
            ));
        }
        if self.len() >= self.cap {
            return Err(EpisodeError::Full);
        }
        let next = std::mem::replace(&mut self.next, number);
        let now = episode.time;
        self.store(episode, now).inspect_err(|_| self.next = next)
    }

    /// The next number is this one, or the one after the last episode.
    pub(super) fn continue_numbers_from(&mut self, number: u64) {
        self.next = self.next.max(number.min(u64::MAX / 2));
    }

    /// Stores an episode. When the cap is passed, another one goes, but never a pinned one.
    ///
    /// Where nothing fades, the one goes that mattered least; of equal ones the older; then by id. What the designer or the game wrote never
    /// goes for what a model wrote, and for what matters less than itself only where nothing else is left. Where episodes fade, the one that
    /// has faded most goes of those that models wrote; where there is none, the one that has faded most of all.
    ///
    /// # Errors
    /// See [`EpisodeError`]; nothing has changed then.
    pub fn store(&mut self, mut episode: Episode, now: GameTime) -> Result<(), EpisodeError> {
        let corrupt = if episode.text.trim().is_empty() {
            Some("its text is empty")
        } else if episode.text.chars().count() > MAX_MEMORY_CHARS {
            Some("its text is too long")
        } else if !episode.significance.is_unit() {
            Some("its significance is outside 0-1")
        } else {
            None
        };
        if let Some(why) = corrupt {
            return Err(EpisodeError::Corrupt(episode.id, why));
        }
        if self.slot_of(&episode.id).is_some() {
            return Err(EpisodeError::Duplicate(episode.id));
        }
        let from_model = episode.is_from_model();
        self.make_room(now, episode.significance, from_model)?;
        let mark = Mark {
            time: episode.time,
            significance: episode.significance,
            free: (!episode.pinned).then(|| episode.writer()),
            last: last_moment(&episode, self.decay),
        };
        let terms = self.rules.terms(&episode.text);
        let slot = self.index.add(mark, terms, &episode.people());
        let hash_at = |slot: &u32| hash_of(id_at(&self.slots, *slot));
        self.ids.insert_unique(hash_of(&episode.id), slot, hash_at);
        // It stays for long: what it has in reserve is given back.
        episode.id.shrink_to_fit();
        episode.text.shrink_to_fit();
        episode.participants.shrink_to_fit();
        room::push(&mut self.slots, (self.next, Some(Box::new(episode))));
        self.next += 1;
        Ok(())
    }

    /// Lets the weakest go until there is room for one more. Nothing goes where those that stay take all the room.
    fn make_room(
        &mut self,
        now: GameTime,
        new: Millionths,
        for_model: bool,
    ) -> Result<(), EpisodeError> {
        let staying = self.index.pinned()
            + if for_model {
                self.index.free(Writer::Other)
            } else {
                0
            };
        if self.len() >= self.cap && staying >= self.cap {
            return Err(EpisodeError::Full);
        }
        while self.len() >= self.cap {
            let Some(weakest) = self.weakest_slot(now, new, for_model) else {
                break;
            };
            self.forget(weakest, ForgetReason::Cap);
        }
        Ok(())
    }

    /// Stores an episode that nobody has asked for: where there is no room, it is forgotten at once.
    pub(crate) fn store_or_forget(&mut self, episode: Episode, now: GameTime) {
        let kept = episode.clone();
        match self.store(episode, now) {
            Ok(()) => {}
            Err(EpisodeError::Full) => {
                self.note_gone(self.next, kept, ForgetReason::Cap);
                self.next += 1;
            }
            Err(error) => log::warn!("an episode is not kept: {error}"),
        }
    }

    /// Takes the episode with this id away, pinned or not. False when there is none.
    pub fn remove(&mut self, id: &str) -> bool {
        self.take_away(id, ForgetReason::Forget)
    }

    /// The same, for this reason.
    pub(crate) fn take_away(&mut self, id: &str, why: ForgetReason) -> bool {
        let found = self.slot_of(id);
        found.inspect(|slot| self.forget(*slot, why)).is_some()
    }

    fn note_gone(&mut self, number: u64, episode: Episode, why: ForgetReason) {
        self.history.gone += 1;
        self.history.last_gone.push_back(ForgottenEpisode {
            episode,
            why,
            number,
        });
        if self.history.last_gone.len() > REMEMBERED {
            self.history.last_gone.pop_front();
        }
    }

    fn forget(&mut self, slot: usize, why: ForgetReason) {
        let Some((number, gone)) = self.slots.get_mut(slot) else {
            return;
        };
        let Some(episode) = gone.take() else {
            return;
        };
        let number = *number;
        let is_it = |other: &u32| *other as usize == slot;
        if let Ok(entry) = self.ids.find_entry(hash_of(&episode.id), is_it) {
            entry.remove();
        }
        self.index.remove(slot);
        self.note_gone(number, *episode, why);
        // One in five slots may be a gap: closing them costs little for each episode that goes.
        let len = self.len();
        if self.slots.len() > len + len / 4 + GAPS {
            self.slots.retain(|(_, episode)| episode.is_some());
            self.slots.shrink_to_fit();
            let moved = self.index.compact();
            self.ids.retain(|slot| {
                let moved = moved[*slot as usize];
                moved.inspect(|moved| *slot = *moved).is_some()
            });
        }
    }
}

/// The id of the episode in a slot; empty where there is none.
fn id_at(slots: &[(u64, Option<Box<Episode>>)], slot: u32) -> &str {
    let episode = slots.get(slot as usize);
    let episode = episode.and_then(|(_, episode)| episode.as_deref());
    episode.map_or("", |episode| &episode.id)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FADING: Decay = Decay {
        rate: Millionths(50_000),
        step: Millis(300_000),
    };

    fn with_significance(id: &str, significance: i64) -> Episode {
        Episode {
            significance: Millionths(significance),
            ..Episode::new(id, format!("{id} happened"), GameTime(0))
        }
    }

    #[test]
    fn m2_strength_fades_in_whole_steps() {
        let episode = with_significance("m", 500_000);
        assert_eq!(episode.strength(GameTime(299_999), FADING), Millionths::ONE);
        assert_eq!(
            episode.strength(GameTime(300_000), FADING),
            Millionths(962_500)
        );
        assert!(episode.is_active(GameTime(23 * 300_000), FADING));
        assert!(
            !episode.is_active(GameTime(24 * 300_000), FADING),
            "0.1 is inactive"
        );
        assert_eq!(
            episode.strength(GameTime(i64::MAX), FADING),
            Millionths::ZERO
        );
        assert_eq!(episode.strength(GameTime(-1), FADING), Millionths::ONE);
        let pinned = Episode {
            pinned: true,
            ..episode
        };
        assert!(pinned.is_active(GameTime(i64::MAX), FADING));
    }

    #[test]
    fn m2_the_weakest_goes_first_and_pinned_ones_never() {
        let mut episodes = Episodes::with_cap(3);
        let now = GameTime(600_000);
        episodes
            .store(with_significance("strong", 900_000), now)
            .unwrap();
        episodes
            .store(
                Episode {
                    pinned: true,
                    ..with_significance("pinned", 0)
                },
                now,
            )
            .unwrap();
        episodes
            .store(with_significance("weak", 100_000), now)
            .unwrap();
        episodes
            .store(with_significance("new", 500_000), now)
            .unwrap();
        let ids: Vec<&str> = episodes.iter().map(|e| e.id.as_str()).collect();
        assert_eq!(ids, ["strong", "pinned", "new"]);
        assert!(episodes.get("weak").is_none());
        assert_eq!(episodes.get("pinned").unwrap().text, "pinned happened");
    }

    #[test]
    fn p8_a_memory_full_of_pinned_episodes_refuses() {
        let mut episodes = Episodes::with_cap(1);
        episodes
            .store(
                Episode {
                    pinned: true,
                    ..with_significance("a", 0)
                },
                GameTime(0),
            )
            .unwrap();
        assert_eq!(
            episodes.store(with_significance("b", 0), GameTime(0)),
            Err(EpisodeError::Full)
        );
        assert_eq!(episodes.len(), 1);
    }

    #[test]
    fn m1_what_a_model_writes_pushes_out_nothing_that_others_wrote() {
        let mut episodes = Episodes::with_cap(4);
        let now = GameTime(0);
        let ids = |episodes: &Episodes| -> Vec<String> {
            episodes.iter().map(|e| e.id.clone()).collect()
        };
        let drawn = |n: u64, significance| with_significance(&model_episode_id(n), significance);
        episodes
            .store(with_significance("authored", 100_000), now)
            .unwrap();
        for n in 0..8 {
            episodes.store(drawn(n, 1_000_000), now).unwrap();
        }
        assert_eq!(
            ids(&episodes),
            [
                "authored",
                &model_episode_id(5),
                &model_episode_id(6),
                &model_episode_id(7)
            ]
        );
        // What the game writes takes the place of what a model wrote before that of what matters more than itself.
        for (name, significance) in [("a", 50_000), ("b", 60_000), ("c", 900_000)] {
            episodes
                .store(with_significance(name, significance), now)
                .unwrap();
        }
        // "a" took the place of the fifth, and went itself for "b", and that for "c".
        let others = [6, 7].map(model_episode_id);
        assert_eq!(ids(&episodes), ["authored", &others[0], &others[1], "c"]);
        episodes.store(drawn(9, 100), now).unwrap();
        let other = model_episode_id(9);
        assert_eq!(ids(&episodes), ["authored", &others[1], "c", &other]);
        // What was said goes like what a model wrote, by what it is worth.
        for number in 1..4 {
            let id = said_id(number);
            episodes
                .store(with_significance(&id, 40_000), GameTime(number as i64))
                .unwrap();
        }
        assert_eq!(ids(&episodes), ["authored", &others[1], "c", "said-3"]);
        for name in ["d", "e"] {
            episodes
                .store(with_significance(name, 900_000), now)
                .unwrap();
        }
        // "d" took the place of what was said, and "e" that of what the author wrote, which mattered less.
        assert_eq!(ids(&episodes), [&others[1], "c", "d", "e"]);
        episodes
            .store(with_significance("said-4", 40_000), now)
            .unwrap();
        assert_eq!(ids(&episodes), ["c", "d", "e", "said-4"]);
        episodes.store(drawn(10, 1_000_000), now).unwrap();
        episodes
            .store(with_significance("f", 900_000), now)
            .unwrap();
        // Where nothing else is left, the weakest goes, but not for what a model wrote.
        episodes
            .store(with_significance("said-5", 40_000), now)
            .unwrap();
        assert_eq!(ids(&episodes), ["d", "e", "f", "said-5"]);
        episodes
            .store(with_significance("g", 900_000), now)
            .unwrap();
        assert_eq!(
            episodes.store(drawn(11, 1_000_000), now),
            Err(EpisodeError::Full)
        );
    }

    #[test]
    fn p3_corrupt_entries_are_refused() {
        let mut episodes = Episodes::default();
        for bad in [
            Episode::new("a", " ", GameTime(0)),
            with_significance("b", 1_000_001),
            with_significance("c", -1),
            Episode::new("d", "x".repeat(MAX_MEMORY_CHARS + 1), GameTime(0)),
        ] {
            assert!(matches!(
                episodes.store(bad, GameTime(0)),
                Err(EpisodeError::Corrupt(..))
            ));
        }
    }
}
