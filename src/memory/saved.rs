//! A mind as plain data: what a save holds.
//!
//! Memories are trusted and cannot be read from outside data. This can, and it goes through the same checks as any write: a
//! corrupt entry is skipped and logged.

use super::episode::{Episode, Hearsay, Provenance};
use super::forgotten::ForgottenEpisode;
use super::mind::{Exchange, HeardNews, Mind, Unremembered};
use super::relationships::{Cause, Relationship};
use super::said_line::{SAID_LINES, SaidLine};
use super::{Beliefs, Episodes, NewBelief, Relationships};
use crate::base::canonical::{Digest, Encoded, to_canonical};
use crate::base::fixed::Millionths;
use crate::base::ids::Id;
use crate::base::time::GameTime;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The most episodes that are read from a save: no limit allows more.
const MAX_EPISODES: usize = 100_000;
/// The most exchanges and fallback lines that are read from a save: no limit allows more.
const MAX_KEPT: usize = 1_000;

/// All that one character has for itself, as plain data. Fractions are in millionths, times in milliseconds.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedMind {
    /// How many episodes are kept at most.
    pub episode_cap: usize,
    /// The number of the next episode.
    pub next_episode: u64,
    /// Its episodes, in the order in which they arrived. A corrupt one is skipped when the save is loaded.
    pub(crate) episodes: Vec<SavedEpisode>,
    /// Its beliefs by id. A corrupt one, or a key that is not an id, is skipped when the save is loaded.
    pub(crate) beliefs: BTreeMap<String, SavedBelief>,
    /// Affinity, trust and familiarity in millionths, by the id of the other.
    pub relationships: BTreeMap<String, [i64; 3]>,
    /// The causes of the relationships, by the id of the other, the oldest first: when, in milliseconds of game time, the words, and
    /// what was added to each part in millionths. Left out where there are none.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub causes: BTreeMap<String, Vec<(i64, String, [i64; 3])>>,
    /// Speaker, what was heard, what was answered; oldest first.
    pub(crate) exchanges: Vec<SavedExchange>,
    /// How many exchanges are not kept any more.
    pub exchanges_gone: usize,
    /// How many Accepted and Fallback runs it has ended.
    pub interactions: u64,
    /// Its last fallback lines, oldest first.
    pub recent_fallbacks: Vec<String>,
    /// How many exchanges were kept as episodes. Left out when there are none.
    #[serde(default, skip_serializing_if = "crate::base::is_default")]
    pub said: u64,
    /// The first day of the game that its diary does not cover yet. Left out where that is the first day.
    #[serde(default, skip_serializing_if = "crate::base::is_default")]
    pub diary_from: i64,
    /// The news that it was ever told, by the id of the character that was there and the id of that character's episode: the number
    /// of the newest correction that it heard, 0 for none. Left out when there is no news.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub heard: HeardNews,
    /// How many entries of its routine were kept as episodes. Left out when there are none.
    #[serde(default, skip_serializing_if = "crate::base::is_default")]
    pub lived: u64,
    /// Its last lines that were heard of Accepted runs, oldest first. Left out when there is none; a save of an older version
    /// lacks them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<Arc<str>>,
    /// Labels, categories and levels of its states.
    pub states: Vec<(String, String, u8)>,
    /// Other limits of the character that are not the default: numbers of [`Limits`](crate::limits::Limits) in their smallest
    /// units, by name. Left out when there is none; a save of an older version lacks it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub limits: BTreeMap<String, i64>,
    /// The exchanges for which the character has not yet chosen memories: their count, how many of them one failed request has
    /// already covered, and the game time of the last one, in milliseconds. Left out when there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unremembered: Option<(usize, usize, i64)>,
}

/// An exchange of a saved mind: written as a list of who spoke, what was heard, what was answered, and the number of its
/// episode where it has one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SavedExchange(pub(crate) Arc<Encoded<Exchange>>);

impl Serialize for SavedExchange {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Exchange {
            number,
            speaker,
            heard,
            answered,
        } = &**self.0;
        match number {
            0 => (speaker, heard, answered).serialize(serializer),
            number => (speaker, heard, answered, number).serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for SavedExchange {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Written(String, String, String, #[serde(default)] u64);
        let Written(speaker, heard, answered, number) = Deserialize::deserialize(deserializer)?;
        Ok(Self(Arc::new(Encoded::new(Exchange {
            number,
            speaker,
            heard,
            answered,
        }))))
    }
}

/// An episode of a saved mind, as plain data.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SavedEpisode {
    // In the order of the alphabet, in which they are written: so nothing needs to be put in order.
    /// Its id, unique for its character.
    pub id: String,
    /// The number of its arrival. Numbers go up in the list; an episode out of order is skipped.
    pub number: u64,
    /// Ids of those who took part.
    pub participants: Vec<String>,
    /// Whether it never fades and never makes room for another.
    pub pinned: bool,
    /// The id of the place, where one is known.
    pub place: Option<String>,
    /// Whether the character keeps it to itself. Left out when it does not; a save of an older version lacks it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub private: bool,
    /// How the character knows of it.
    pub provenance: Provenance,
    /// How much it mattered, in millionths: 0 to 1,000,000.
    pub significance: i64,
    /// What happened, 1 to 2,000 characters.
    pub text: String,
    /// When it happened, in milliseconds of game time.
    pub time: i64,
    /// Where it comes from, where it is news that was told or corrected. Left out where it is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub told: Option<Box<Hearsay>>,
}

impl SavedEpisode {
    pub(super) fn of(number: u64, episode: &Episode) -> Self {
        Self {
            number,
            id: episode.id.clone(),
            text: episode.text.clone(),
            significance: episode.significance.0,
            time: episode.time.0,
            participants: episode.participants.clone(),
            place: episode.place.clone(),
            provenance: episode.provenance.clone(),
            pinned: episode.pinned,
            private: episode.private,
            told: episode.hearsay.clone(),
        }
    }
}

/// A belief of a saved mind, as plain data.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SavedBelief {
    /// What the character believes, 1 to 2,000 characters.
    pub text: String,
    /// How firmly, in millionths: 0 to 1,000,000.
    pub confidence: i64,
    /// Since when, in milliseconds of game time.
    pub since: i64,
    /// Whether it contradicts canon. Prompts show such a belief as uncertain.
    pub contradicts_canon: bool,
    /// Whether it never makes room for another one. Left out when it does; a save of an older version lacks it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub pinned: bool,
    /// Whether none but a model ever wrote it. Left out when others did; a save of an older version lacks it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub from_model: bool,
    /// What was believed before, oldest first: text, confidence, since when.
    pub history: Vec<(String, i64, i64)>,
}

/// Which part of a mind is meant: what one reply may change of it.
#[derive(Debug, Clone, Default)]
pub(crate) struct MindPart {
    /// Episodes from this number of arrival on; `None`: all of them.
    pub episodes_from: Option<u64>,
    /// The beliefs with these ids; `None`: all of them.
    pub beliefs: Option<BTreeSet<Id>>,
    /// The relationships to these; `None`: all of them.
    pub relationships: Option<BTreeSet<Id>>,
}

impl MindPart {
    /// The part that holds these beliefs and relationships, and the episodes that are yet to come. Where there is no room for
    /// new beliefs, so that another one may go, all of them are meant.
    pub(crate) fn to_change(
        mind: &Mind,
        beliefs: BTreeSet<Id>,
        relationships: BTreeSet<Id>,
    ) -> Self {
        let new = beliefs.iter().filter(|id| mind.beliefs.get(id).is_none());
        let new = new.count();
        let belief_room = new == 0 || mind.beliefs.iter().len() + new <= mind.beliefs.cap();
        Self {
            episodes_from: Some(mind.episodes.next_number()),
            beliefs: belief_room.then_some(beliefs),
            relationships: Some(relationships),
        }
    }
}

impl From<&Mind> for SavedMind {
    fn from(mind: &Mind) -> Self {
        Self::of_part(mind, &MindPart::default())
    }
}

impl SavedMind {
    /// A mind without its episodes.
    pub(super) fn without_episodes(mind: &Mind) -> Self {
        let part = MindPart {
            episodes_from: Some(u64::MAX),
            ..MindPart::default()
        };
        Self::of_part(mind, &part)
    }

    /// A part of a mind: of its episodes, beliefs and relationships; of all else everything.
    pub(crate) fn of_part(mind: &Mind, part: &MindPart) -> Self {
        let from = part.episodes_from.unwrap_or_default();
        let episodes = mind.episodes.numbered_from(from);
        let episodes = episodes.map(|(number, episode)| SavedEpisode::of(number, episode));
        let meant =
            |ids: &Option<BTreeSet<Id>>, id: &Id| ids.as_ref().is_none_or(|ids| ids.contains(id));
        let beliefs = mind
            .beliefs
            .iter()
            .filter(|(id, _)| meant(&part.beliefs, id));
        let beliefs = beliefs.map(|(id, b)| {
            let history = b.history.iter();
            let belief = SavedBelief {
                text: b.text.clone(),
                confidence: b.confidence.0,
                since: b.since.0,
                contradicts_canon: b.contradicts_canon,
                pinned: b.pinned,
                from_model: b.from_model,
                history: history.map(|(t, c, s)| (t.clone(), c.0, s.0)).collect(),
            };
            (id.to_string(), belief)
        });
        let relationships = mind.relationships.iter();
        let relationships = relationships.filter(|(other, _)| meant(&part.relationships, other));
        let relationships = relationships.map(|(other, r)| {
            let parts = [r.affinity.0, r.trust.0, r.familiarity.0];
            (other.to_string(), parts)
        });
        let with_causes = mind.relationships.iter().filter(|(other, _)| {
            meant(&part.relationships, other) && mind.relationships.causes(other).len() > 0
        });
        let causes = with_causes.map(|(other, _)| {
            let causes = mind.relationships.causes(other);
            let causes = causes.map(|cause| {
                let Relationship {
                    affinity,
                    trust,
                    familiarity,
                } = cause.change;
                let parts = [affinity.0, trust.0, familiarity.0];
                (cause.time.0, cause.text.clone(), parts)
            });
            (other.to_string(), causes.collect())
        });
        let exchanges = mind.exchanges.iter();
        let exchanges = exchanges.cloned().map(SavedExchange);
        Self {
            episode_cap: mind.episodes.cap(),
            next_episode: mind.episodes.next_number(),
            episodes: episodes.collect(),
            beliefs: beliefs.collect(),
            relationships: relationships.collect(),
            causes: causes.collect(),
            exchanges: exchanges.collect(),
            exchanges_gone: mind.exchanges_gone,
            interactions: mind.interactions,
            recent_fallbacks: mind.recent_fallbacks.iter().cloned().collect(),
            said: mind.said,
            diary_from: mind.diary_from,
            heard: mind.heard.clone(),
            lived: mind.lived,
            lines: mind.lines.iter().map(|line| line.text().clone()).collect(),
            states: mind.states.clone(),
            limits: mind.kept_to(),
            unremembered: match mind.unremembered {
                Unremembered { exchanges: 0, .. } => None,
                waiting => Some((waiting.exchanges, waiting.tried, waiting.last.0)),
            },
        }
    }

    /// The same with episodes that were there before, and have made room since.
    pub(crate) fn with_forgotten<'e>(
        mut self,
        forgotten: impl Iterator<Item = &'e ForgottenEpisode>,
    ) -> Self {
        let next = self.next_episode;
        let were_there = forgotten.filter(|one| one.number < next);
        let were_there = were_there.map(|one| SavedEpisode::of(one.number, &one.episode));
        self.episodes.extend(were_there);
        self
    }

    /// The mind again. `whose` names the character in the log.
    #[must_use]
    pub(crate) fn restore(&self, whose: &str) -> Mind {
        // What is more than the cap leaves when the next episode comes, as it would have without a save.
        let mut episodes = Episodes::with_cap(self.episodes.len().min(MAX_EPISODES));
        for saved in &self.episodes {
            let episode = Episode {
                id: saved.id.clone(),
                text: saved.text.clone(),
                significance: Millionths(saved.significance),
                time: GameTime(saved.time),
                participants: saved.participants.clone(),
                place: saved.place.clone(),
                provenance: saved.provenance.clone(),
                pinned: saved.pinned,
                private: saved.private,
                hearsay: saved.told.clone(),
            };
            if let Err(error) = episodes.restore(saved.number, episode) {
                log::warn!("{whose}: {error}, skipped");
            }
        }
        episodes.continue_numbers_from(self.next_episode);
        let decay = episodes.decay();
        episodes.keep_to(self.episode_cap, decay);
        let mut beliefs = Beliefs::default();
        beliefs.keep_to(self.beliefs.len());
        for (id, saved) in &self.beliefs {
            let id = match Id::new(id) {
                Ok(id) => id,
                Err(error) => {
                    log::warn!("{whose}: the belief {error}, skipped");
                    continue;
                }
            };
            let forms = saved.history.iter().map(|(t, c, s)| (t, *c, *s, false));
            let now = (
                &saved.text,
                saved.confidence,
                saved.since,
                saved.contradicts_canon,
            );
            for (text, confidence, since, contradicts_canon) in forms.chain([now]) {
                let belief = NewBelief {
                    text,
                    confidence: Millionths(confidence),
                    contradicts_canon,
                    pinned: saved.pinned,
                };
                let now = GameTime(since);
                if let Err(error) = beliefs.hold_as(&id, belief, saved.from_model, now) {
                    log::warn!("{whose}: {error}, skipped");
                }
            }
        }
        let mut relationships = Relationships::default();
        for (other, [affinity, trust, familiarity]) in &self.relationships {
            let saved = Relationship {
                affinity: Millionths(*affinity),
                trust: Millionths(*trust),
                familiarity: Millionths(*familiarity),
            };
            match Id::new(other) {
                Ok(id) => {
                    relationships.restore(&id, saved);
                    for (time, text, [affinity, trust, familiarity]) in
                        self.causes.get(other).into_iter().flatten()
                    {
                        let change = Relationship {
                            affinity: Millionths(*affinity),
                            trust: Millionths(*trust),
                            familiarity: Millionths(*familiarity),
                        };
                        let cause = Cause {
                            time: GameTime(*time),
                            text: text.clone(),
                            change,
                        };
                        relationships.add_cause(&id, cause);
                    }
                }
                Err(error) => log::warn!("{whose}: the relationship {error}, skipped"),
            }
        }
        let surplus = self.exchanges.len().saturating_sub(MAX_KEPT);
        let exchanges = self.exchanges.iter().skip(surplus);
        let exchanges = exchanges.map(|SavedExchange(exchange)| exchange.clone());
        let fallbacks = self.recent_fallbacks.len().saturating_sub(MAX_KEPT);
        let recent_fallbacks = self.recent_fallbacks.iter().skip(fallbacks).cloned();
        let lines = self.lines.len().saturating_sub(SAID_LINES);
        let lines = self.lines.iter().skip(lines).cloned();
        let mut mind = Mind {
            episodes,
            beliefs,
            relationships,
            exchanges: exchanges.collect(),
            exchanges_gone: self.exchanges_gone.saturating_add(surplus),
            // A made-up number must not run over.
            interactions: self.interactions.min(u64::MAX / 2),
            recent_fallbacks: recent_fallbacks.collect(),
            // A made-up number must not run over.
            said: self.said.min(u64::MAX / 2),
            diary_from: self.diary_from,
            heard: self.heard.clone(),
            lived: self.lived.min(u64::MAX / 2),
            lines: lines.map(|line| Arc::new(SaidLine::new(line))).collect(),
            states: self.states.clone(),
            ..Mind::empty()
        };
        if let Some((exchanges, tried, last)) = self.unremembered {
            let exchanges = exchanges.min(mind.exchanges.len());
            mind.unremembered = Unremembered {
                exchanges,
                tried: tried.min(exchanges),
                last: GameTime(last),
            };
        }
        mind.keep_to_saved(&self.limits);
        mind
    }

    /// Its episodes, in the order in which they arrived: id and text.
    pub fn episodes(&self) -> impl ExactSizeIterator<Item = (&str, &str)> {
        let episodes = self.episodes.iter();
        episodes.map(|episode| (&*episode.id, &*episode.text))
    }

    /// Its canonical encoding: what a journal keeps, and what is hashed.
    #[must_use]
    pub fn encoded(&self) -> String {
        // All of it has a canonical form: there are no floats.
        to_canonical(self).unwrap_or_default()
    }

    /// The hash of its canonical encoding.
    #[must_use]
    pub fn digest(&self) -> Digest {
        Digest::of_bytes(self.encoded().as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id;

    fn lived() -> Mind {
        let mut mind = Mind {
            episodes: Episodes::with_cap(3),
            interactions: 7,
            ..Mind::empty()
        };
        for i in 0..5 {
            let episode = Episode {
                provenance: Provenance::ToldBy("ann".into()),
                place: Some("tower".into()),
                ..Episode::new(format!("e{i}"), format!("thing {i} happened"), GameTime(i))
            };
            mind.episodes.store(episode, GameTime(i)).unwrap();
        }
        for text in ["Ann is kind.", "Ann is odd."] {
            let belief = NewBelief {
                text,
                confidence: Millionths(600_000),
                contradicts_canon: true,
                pinned: true,
            };
            mind.beliefs.hold(&id!("ann"), belief, GameTime(4)).unwrap();
        }
        let change = Relationship {
            affinity: Millionths(-200_000),
            ..Relationship::default()
        };
        let why = "She took my hat.";
        mind.relationships
            .shift_because(&id!("ann"), change, why, GameTime(3));
        mind.add_exchange(Exchange {
            number: 0,
            speaker: "ann".into(),
            heard: "Hello?".into(),
            answered: "Who knocks?".into(),
        });
        let exchange = Exchange {
            number: 7,
            speaker: "ann".into(),
            heard: "It is Ann.".into(),
            answered: "Come in.".into(),
        };
        mind.add_exchange_to_remember(exchange, GameTime(9));
        mind.note_fallback("Hm.");
        (mind.said, mind.diary_from, mind.lived) = (7, 3, 2);
        let diary = Episode {
            provenance: Provenance::Diary(vec!["e4".into()]),
            private: true,
            ..Episode::new("diary-2", "I saw things.", GameTime(5))
        };
        mind.episodes.store(diary, GameTime(5)).unwrap();
        mind.add_line("Come in.");
        mind.states.push(("wary".into(), "temporal".into(), 7));
        mind
    }

    #[test]
    fn m5_a_mind_comes_back_as_it_was() {
        let mind = lived();
        let saved = SavedMind::from(&mind);
        let text = to_canonical(&saved).unwrap();
        let read: SavedMind = serde_json::from_str(&text).unwrap();
        let back = read.restore("wizard");
        assert_eq!(format!("{mind:?}"), format!("{back:?}"));
        assert_eq!(SavedMind::from(&back).digest(), saved.digest());
    }

    #[test]
    fn p3_corrupt_entries_of_a_save_are_skipped() {
        let mut saved = SavedMind::from(&lived());
        saved.episodes[0].text = " ".into();
        saved.episodes[1].significance = 2_000_000;
        saved.beliefs.get_mut("ann").unwrap().confidence = -1;
        saved
            .relationships
            .insert("odo".into(), [i64::MIN, 5_000_000, 1]);
        let back = saved.restore("wizard");
        assert_eq!(back.episodes.len(), 1);
        assert_eq!(back.beliefs.get("ann").unwrap().text, "Ann is kind.");
        let odo = back.relationships.get("odo");
        assert_eq!((odo.affinity.0, odo.trust.0), (-1_000_000, 1_000_000));
    }
}
