//! The mind of one character: all that it has for itself.

use super::episode::{Decay, Episode, said_id};
use super::said_line::{SAID_LINES, SaidLine};
use super::{Beliefs, Episodes, Relationships};
use crate::base::canonical::Encoded;
use crate::base::ids::Id;
use crate::base::time::GameTime;
use crate::limits::{LimitOverrides, Limits, Memory};
use crate::text::Lexicon;
use crate::text::fold::fold;
use crate::text::terms::TermRules;
use bevy::prelude::*;
use serde::Serialize;
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use thiserror::Error;

/// How many exchanges are kept at least, where the limits ask for no more. More than prompts show by default, so that a cut
/// can be listed.
pub const EXCHANGE_CAP: usize = 20;

/// One thing said to a character, and its answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Exchange {
    /// The number of the episode that keeps it, from 1, as in `said-1`; 0 where none does.
    #[serde(skip)]
    pub number: u64,
    /// The id of the speaker; empty when there was no speaker.
    pub speaker: String,
    /// What was said to the character, else what the trigger asked of it.
    pub heard: String,
    /// What the character answered; empty when it only acted.
    pub answered: String,
}

/// How many states a character may have.
pub const MAX_STATES: usize = 64;
/// The highest level of a state.
pub const MAX_STATE_LEVEL: u8 = 30;

/// A character has 64 states already.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("TooManyStates: a character has at most {MAX_STATES} states")]
pub(crate) struct TooManyStates;

/// All that one character has for itself: a component of its entity. Its file fills it at the beginning, each run that
/// is accepted adds to it at the commit, and a fallback is noted in it. While the character is not spawned, its mind is in
/// [`DormantMinds`].
///
/// Any system may read it. A game writes to it by [`MindWrite`](crate::npc::MindWrite), which names its source and is
/// recorded. There is no other way: the component is immutable, so that no query changes it in place, and only this crate can
/// make or copy one.
///
/// ```compile_fail,E0271
/// # use bevy::prelude::*;
/// # use bevy_dramatis::memory::Mind;
/// fn forget_everything(mut minds: Query<&mut Mind>) {}
/// ```
#[derive(Component, Debug)]
#[component(immutable)]
#[non_exhaustive]
pub struct Mind {
    /// Its episodes: what it has lived through and remembers.
    pub episodes: Episodes,
    /// Its beliefs: what it holds to be true, right or wrong.
    pub beliefs: Beliefs,
    /// Its relationships to others, by their ids.
    pub relationships: Relationships,
    /// The last exchanges, oldest first: 20, or as many as a prompt shows where that is more.
    pub(crate) exchanges: VecDeque<Arc<Encoded<Exchange>>>,
    /// How many older exchanges are not kept any more.
    pub exchanges_gone: usize,
    /// How many Accepted and Fallback runs it has ended.
    pub interactions: u64,
    /// Its last fallback lines, oldest first: as many as [`Limits::no_repeat`] says.
    pub recent_fallbacks: VecDeque<String>,
    /// Its last lines that were heard of Accepted runs, oldest first: 20 at most.
    pub(crate) lines: VecDeque<Arc<SaidLine>>,
    /// Its states: label, category, and level 0 to 30.
    pub states: Vec<(String, String, u8)>,
    /// How many exchanges episodes have kept: the number of the last one. None is used again.
    pub(crate) said: u64,
    /// The first day of the game that its diary does not cover yet.
    pub(crate) diary_from: i64,
    /// The news that it was ever told, though it may have forgotten it: which correction of each.
    pub(crate) heard: HeardNews,
    /// How many entries of its routine were kept as episodes: the number of the last one. No number is used again.
    pub(crate) lived: u64,
    /// How many exchanges and fallback lines are kept.
    pub(crate) kept: KeptLines,
    /// For a character that is asked in parts: what it has talked about and not yet looked back on.
    pub(crate) unremembered: Unremembered,
}

/// News by the character that was there and the id of its episode: which correction of it, 0 for none.
pub(crate) type HeardNews = BTreeMap<Id, BTreeMap<String, i64>>;

/// What a character has talked about and not yet looked back on, to choose what it remembers of it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Unremembered {
    /// How many of the last exchanges.
    pub exchanges: usize,
    /// How many of these, from the oldest on, one failed request has already covered.
    pub tried: usize,
    /// When the last of them was said.
    pub last: GameTime,
}

/// The most exchanges that wait to be looked back on.
const MAX_UNREMEMBERED: usize = 64;

/// How many lines a mind keeps. The plugin sets it from the limits of the character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct KeptLines {
    /// How many exchanges, at least 20.
    pub exchanges: usize,
    /// How many fallback lines: as many as [`Limits::no_repeat`] says.
    pub fallbacks: usize,
}

impl Default for KeptLines {
    fn default() -> Self {
        Self {
            exchanges: EXCHANGE_CAP,
            fallbacks: Limits::DEFAULT.no_repeat,
        }
    }
}

impl Mind {
    /// A mind with nothing in it.
    pub(crate) fn empty() -> Self {
        Self {
            episodes: Episodes::default(),
            beliefs: Beliefs::default(),
            relationships: Relationships::default(),
            exchanges: VecDeque::new(),
            exchanges_gone: 0,
            interactions: 0,
            recent_fallbacks: VecDeque::new(),
            lines: VecDeque::new(),
            states: Vec::new(),
            said: 0,
            diary_from: 0,
            heard: HeardNews::new(),
            lived: 0,
            kept: KeptLines::default(),
            unremembered: Unremembered::default(),
        }
    }

    /// The same mind once more. It is not `Clone`, so that no game gives one character the mind of another.
    pub(crate) fn copy(&self) -> Self {
        Self {
            episodes: self.episodes.clone(),
            beliefs: self.beliefs.clone(),
            relationships: self.relationships.clone(),
            exchanges: self.exchanges.clone(),
            exchanges_gone: self.exchanges_gone,
            interactions: self.interactions,
            recent_fallbacks: self.recent_fallbacks.clone(),
            said: self.said,
            diary_from: self.diary_from,
            heard: self.heard.clone(),
            lived: self.lived,
            lines: self.lines.clone(),
            states: self.states.clone(),
            kept: self.kept,
            unremembered: self.unremembered,
        }
    }

    /// Gives a state this level, at most [`MAX_STATE_LEVEL`]; one that is not there is made.
    pub(crate) fn set_state(
        &mut self,
        category: &str,
        label: &str,
        level: u8,
    ) -> Result<(), TooManyStates> {
        let level = level.min(MAX_STATE_LEVEL);
        let full = self.states.len() >= MAX_STATES;
        let known = self.states.iter_mut().find(|(own_label, own_category, _)| {
            fold(own_label) == fold(label) && fold(own_category) == fold(category)
        });
        match known {
            Some((_, _, known)) => *known = level,
            None if full => return Err(TooManyStates),
            None => {
                let state = (label.trim().to_owned(), category.to_owned(), level);
                self.states.push(state);
            }
        }
        Ok(())
    }

    /// How much it remembers of what it has lived through, for a choice between minds.
    fn size(&self) -> usize {
        self.episodes.len() + self.beliefs.iter().len() + self.exchanges.len()
    }

    /// Whether it keeps to these limits already. See [`Mind::keep_to`].
    pub(crate) fn keeps_to(&self, limits: &Limits, exchanges: usize, lexicon: &Lexicon) -> bool {
        let rules = self.episodes.rules();
        let compares_so = match limits.memory {
            Memory::Lasting => lexicon.has_term_rules(rules),
            Memory::Fading => rules == TermRules::as_written(),
        };
        self.episodes.cap() == limits.episodes
            && self.episodes.decay() == Decay::of(limits)
            && self.beliefs.cap() == limits.beliefs
            && self.kept.exchanges == EXCHANGE_CAP.max(exchanges)
            && self.kept.fallbacks == limits.no_repeat
            && compares_so
    }

    /// Keeps to these limits from now on. What is too much leaves when the next of its kind comes. `exchanges` is how many
    /// of them a prompt may show, and `lexicon` says how words are compared.
    pub(crate) fn keep_to(&mut self, limits: &Limits, exchanges: usize, lexicon: &Lexicon) {
        let rules = match limits.memory {
            Memory::Lasting => Arc::new(lexicon.term_rules()),
            Memory::Fading => TermRules::as_written().clone(),
        };
        self.episodes.compare_by(&rules);
        self.beliefs.compare_by(&rules);
        self.keep_to_numbers(limits, exchanges);
    }

    fn keep_to_numbers(&mut self, limits: &Limits, exchanges: usize) {
        self.episodes.keep_to(limits.episodes, Decay::of(limits));
        self.beliefs.keep_to(limits.beliefs);
        self.kept.exchanges = EXCHANGE_CAP.max(exchanges);
        self.kept.fallbacks = limits.no_repeat;
    }

    /// What it keeps to where those are not the numbers of a fading memory, in the smallest units, by name: once they were
    /// the default, and are left out of old saves.
    pub(super) fn kept_to(&self) -> BTreeMap<String, i64> {
        let decay = self.episodes.decay();
        let default = LimitOverrides::FADING.over(Limits::DEFAULT);
        let kept = LimitOverrides {
            beliefs: other_than(default.beliefs, self.beliefs.cap()),
            decay_rate: other_than(default.decay_rate, decay.rate.to_f32()),
            decay_step: other_than(default.decay_step, decay.step.into()),
            no_repeat: other_than(default.no_repeat, self.kept.fallbacks),
            exchanges: other_than(EXCHANGE_CAP, self.kept.exchanges),
            ..LimitOverrides::default()
        };
        kept.units()
    }

    /// Keeps to what [`Mind::kept_to`] says.
    pub(super) fn keep_to_saved(&mut self, saved: &BTreeMap<String, i64>) {
        let saved = LimitOverrides::from_units(saved);
        let limits = LimitOverrides {
            episodes: Some(self.episodes.cap()),
            ..saved
        };
        self.keep_to_numbers(
            &limits.over(LimitOverrides::FADING.over(Limits::DEFAULT)),
            saved.exchanges.unwrap_or_default(),
        );
    }

    /// Keeps an exchange as an episode, whose id is its number. Returns the exchange with that number.
    pub(crate) fn keep_said(
        &mut self,
        exchange: Exchange,
        episode: Episode,
        now: GameTime,
    ) -> Exchange {
        // A file may have given an episode such an id.
        let id = loop {
            self.said += 1;
            let id = said_id(self.said);
            if self.episodes.get(&id).is_none() {
                break id;
            }
        };
        self.episodes
            .store_or_forget(Episode { id, ..episode }, now);
        Exchange {
            number: self.said,
            ..exchange
        }
    }

    /// The last exchanges, oldest first: who spoke (an id), what was heard, and what was answered.
    pub fn exchanges(
        &self,
    ) -> impl ExactSizeIterator<Item = (&str, &str, &str)> + DoubleEndedIterator {
        let exchanges = self.exchanges.iter();
        exchanges.map(move |of| {
            let of: &Exchange = of;
            (&*of.speaker, &*of.heard, &*of.answered)
        })
    }

    /// Adds an exchange; the oldest leaves when there are too many.
    pub(crate) fn add_exchange(&mut self, exchange: Exchange) {
        self.add(exchange, None);
    }

    /// Adds an exchange that the character looks back on later.
    pub(crate) fn add_exchange_to_remember(&mut self, exchange: Exchange, now: GameTime) {
        self.add(exchange, Some(now));
    }

    /// `said`: when, where the character looks back on it later. Exchanges after such a one wait with it.
    fn add(&mut self, exchange: Exchange, said: Option<GameTime>) {
        let waiting = &mut self.unremembered;
        waiting.last = said.unwrap_or(waiting.last);
        if said.is_some() || waiting.exchanges > 0 {
            match waiting.exchanges < MAX_UNREMEMBERED {
                true => waiting.exchanges += 1,
                false => waiting.tried = waiting.tried.saturating_sub(1),
            }
        }
        self.exchanges.push_back(Arc::new(Encoded::new(exchange)));
        let kept = self.kept.exchanges.max(self.unremembered.exchanges);
        while self.exchanges.len() > kept {
            self.exchanges.pop_front();
            self.exchanges_gone += 1;
        }
    }

    /// The exchanges that wait to be looked back on, the oldest first.
    pub(crate) fn to_remember(&self) -> Vec<Arc<Encoded<Exchange>>> {
        let before = self
            .exchanges
            .len()
            .saturating_sub(self.unremembered.exchanges);
        self.exchanges.iter().skip(before).cloned().collect()
    }

    /// The character has looked back on the oldest `exchanges` of them, or a call for it has failed. Those for which a call failed
    /// before wait no longer.
    pub(crate) fn looked_back(&mut self, exchanges: usize, is_done: bool) {
        let waiting = &mut self.unremembered;
        let asked = exchanges.min(waiting.exchanges);
        let over = match is_done {
            true => asked,
            false => waiting.tried.min(asked),
        };
        waiting.exchanges -= over;
        waiting.tried = match is_done {
            true => 0,
            false => asked - over,
        };
    }

    /// Notes a line that was heard, so that the next ones are compared with it. A character that only acts has said none.
    pub(crate) fn add_line(&mut self, line: &str) {
        if line.is_empty() {
            return;
        }
        if self.lines.len() == SAID_LINES {
            self.lines.pop_front();
        }
        self.lines.push_back(Arc::new(SaidLine::new(line.into())));
    }

    /// Notes a fallback line, so that it is not repeated soon.
    pub(crate) fn note_fallback(&mut self, line: &str) {
        self.recent_fallbacks.push_back(line.to_owned());
        while self.recent_fallbacks.len() > self.kept.fallbacks {
            self.recent_fallbacks.pop_front();
        }
    }
}

/// The most minds that are kept of characters that are not spawned.
pub const MAX_DORMANT_MINDS: usize = 10_000;

/// Minds of characters that are not spawned, by NPC id. Spawning that id again takes its mind back.
///
/// At most 10,000 are kept. When there are more, the one that holds least is removed, among equal ones that of the first
/// id.
#[derive(Resource, Debug, Default)]
pub struct DormantMinds(BTreeMap<Id, Mind>);

impl DormantMinds {
    /// The mind of the character with this id; `None` when it is spawned or was never there.
    #[must_use]
    pub fn get(&self, npc: &str) -> Option<&Mind> {
        self.0.get(npc)
    }

    /// All of them with the ids of their characters, in the order of the ids.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&Id, &Mind)> {
        self.0.iter()
    }

    /// Whether none is kept.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn get_mut(&mut self, npc: &Id) -> Option<&mut Mind> {
        self.0.get_mut(npc)
    }

    /// Keeps the mind of a character that is gone. Where there are too many, one of them is forgotten.
    pub(crate) fn keep(&mut self, npc: Id, mind: Mind) {
        self.keep_at_most(MAX_DORMANT_MINDS, npc, mind);
    }

    fn keep_at_most(&mut self, most: usize, npc: Id, mind: Mind) {
        self.0.insert(npc, mind);
        while self.0.len() > most {
            let least = self.0.iter().min_by_key(|(_, mind)| mind.size());
            let Some(npc) = least.map(|(npc, _)| npc.clone()) else {
                return;
            };
            log::warn!(
                "more than {most} minds of characters that are gone: that of \"{npc}\" is forgotten"
            );
            self.0.remove(&npc);
        }
    }

    /// Gives the mind of a character that comes back.
    pub(crate) fn take(&mut self, npc: &Id) -> Option<Mind> {
        self.0.remove(npc)
    }

    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }
}

/// A number where it is not the default one.
fn other_than<T: PartialEq>(default: T, number: T) -> Option<T> {
    (number != default).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_bounded() {
        let mut mind = Mind::empty();
        for i in 0..100 {
            mind.add_exchange(Exchange {
                number: 0,
                speaker: "p".into(),
                heard: format!("{i}"),
                answered: String::new(),
            });
            mind.note_fallback(&format!("{i}"));
            mind.add_line(&format!("{i}"));
            mind.add_line("");
        }
        assert_eq!(mind.exchanges.len(), EXCHANGE_CAP);
        assert_eq!(mind.exchanges.back().unwrap().heard, "99");
        assert_eq!(mind.recent_fallbacks, ["97", "98", "99"]);
        assert_eq!(mind.lines.len(), SAID_LINES);
        assert_eq!(&**mind.lines[0].text(), "80");
    }

    #[test]
    fn p14_what_was_asked_in_vain_is_asked_once_more_and_then_let_go() {
        let mut mind = Mind::empty();
        let say = |mind: &mut Mind, heard: &str| {
            let exchange = Exchange {
                number: 0,
                speaker: "ann".into(),
                heard: heard.into(),
                answered: "Aye.".into(),
            };
            mind.add_exchange_to_remember(exchange, GameTime(1));
        };
        let waits = |mind: &Mind| -> Vec<String> {
            let waiting = mind.to_remember();
            waiting.iter().map(|one| one.heard.clone()).collect()
        };
        say(&mut mind, "a");
        say(&mut mind, "b");
        mind.looked_back(2, false);
        assert_eq!((waits(&mind).len(), mind.unremembered.tried), (2, 2));
        say(&mut mind, "c");
        mind.looked_back(3, false);
        assert_eq!(waits(&mind), ["c"]);
        // One that is said while it is asked waits for the next time.
        say(&mut mind, "d");
        mind.looked_back(1, true);
        assert_eq!(waits(&mind), ["d"]);
        for _ in 0..100 {
            say(&mut mind, "e");
        }
        assert_eq!(waits(&mind).len(), MAX_UNREMEMBERED);
        assert_eq!(mind.exchanges.len(), MAX_UNREMEMBERED);
        mind.looked_back(MAX_UNREMEMBERED, true);
        assert!(waits(&mind).is_empty());
    }

    #[test]
    fn m1_minds_of_those_who_are_gone_are_bounded() {
        let mut dormant = DormantMinds::default();
        for (npc, exchanges) in [("a", 1), ("b", 0), ("c", 0), ("d", 2)] {
            let mut mind = Mind::empty();
            for _ in 0..exchanges {
                mind.add_exchange(Exchange {
                    number: 0,
                    speaker: String::new(),
                    heard: String::new(),
                    answered: String::new(),
                });
            }
            dormant.keep_at_most(2, npc.parse().unwrap(), mind);
        }
        let kept: Vec<&str> = dormant.iter().map(|(npc, _)| npc.as_str()).collect();
        assert_eq!(kept, ["a", "d"]);
    }
}
