//! News: what one character tells another of what it remembers, and what the game corrects.

use super::beliefs::BELIEF_HISTORY_CAP;
use super::episode::{Episode, Hearsay, MAX_MEMORY_CHARS, Provenance};
use super::episodes::EpisodeError;
use super::mind::Mind;
use crate::base::fixed::{Millionths, div_half_even};
use crate::base::ids::Id;
use crate::base::time::GameTime;
use std::collections::BTreeSet;

/// How many news a character keeps a note of having been told, so that no other tells them again. When there is no room, it drops
/// the notes of what it no longer remembers, and may be told that again.
const MOST_HEARD: usize = 20_000;

/// How many former texts of one piece of news are kept, as many as of a belief.
const MOST_CORRECTED: usize = BELIEF_HISTORY_CAP;

/// Who tells news, to whom and where.
pub(crate) struct Telling<'a> {
    /// The id of the character that tells it.
    pub teller: &'a Id,
    /// What the listener calls the teller.
    pub name: &'a str,
    /// The word by which the teller speaks to itself in what it remembers, such as `You`.
    pub you: &'a str,
    /// The id of the character that is told.
    pub listener: &'a Id,
    /// The id of the location where they are. `None`: they are in none.
    pub place: Option<&'a Id>,
    /// When it is told.
    pub now: GameTime,
}

impl Mind {
    /// Whether this character would be told such news by another: it was not there, and was never told, or not of this correction.
    pub(crate) fn lacks_news(&self, own: &Id, teller: &Id, news: &Episode) -> bool {
        let (witness, id) = news.origin(teller);
        let was_there = witness == own || news.participants.iter().any(|one| *own == **one);
        let heard = self.heard.get(witness).and_then(|heard| heard.get(id));
        let version = news.hearsay.as_ref().map_or(0, |hearsay| hearsay.version);
        let is_full =
            heard.is_none() && self.is_full_of_news() && self.episodes.len() >= MOST_HEARD;
        !was_there && !is_full && heard.is_none_or(|heard| *heard < version)
    }

    fn is_full_of_news(&self) -> bool {
        let heard: usize = self.heard.values().map(|heard| heard.len()).sum();
        heard >= MOST_HEARD
    }

    /// Notes that it was told such news. Where there is no room, only what it remembers stays noted.
    fn note_heard(&mut self, own: &Id, (witness, id): (Id, String), version: i64) {
        if self.is_full_of_news() {
            let remembered: BTreeSet<_> = self.episodes.iter().map(|one| one.origin(own)).collect();
            for (witness, heard) in &mut self.heard {
                heard.retain(|id, _| remembered.contains(&(witness, id.as_str())));
            }
            self.heard.retain(|_, heard| !heard.is_empty());
        }
        self.heard.entry(witness).or_default().insert(id, version);
    }

    /// This character is told news. It remembers it in the place of an older version, where it has one.
    pub(crate) fn hear_news(&mut self, news: &Episode, telling: &Telling<'_>) {
        let (witness, id) = news.origin(telling.teller);
        let told = news.hearsay.as_deref();
        let mut way = told.map(|told| told.way.clone()).unwrap_or_default();
        way.push(telling.teller.clone());
        let version = told.map_or(0, |told| told.version);
        let of_this = |one: &&Episode| one.origin(telling.listener) == (witness, id);
        let known = self.episodes.iter().find(of_this);
        let mut history = known
            .and_then(|known| known.hearsay.as_ref())
            .map(|known| known.history.clone())
            .unwrap_or_default();
        history.extend(known.map(|known| known.text.clone()));
        keep_last(&mut history);
        let hearsay = Hearsay {
            history,
            hops: news.hops().saturating_add(1),
            origin: (witness.clone(), id.to_owned()),
            significance: told.map_or(news.significance.0, |told| told.significance),
            version,
            way,
        };
        let episode = Episode {
            significance: Millionths(div_half_even(i128::from(news.significance.0) * 8, 10)),
            participants: news.participants.clone(),
            place: telling.place.map(Id::to_string),
            provenance: Provenance::ToldBy(telling.teller.to_string()),
            pinned: known.is_some_and(|known| known.pinned),
            hearsay: Some(Box::new(hearsay)),
            ..Episode::new(
                known.map_or_else(|| self.free_id(witness, news, id), |known| known.id.clone()),
                with_name(&news.text, telling.you, telling.name)
                    .chars()
                    .take(MAX_MEMORY_CHARS)
                    .collect::<String>(),
                telling.now,
            )
        };
        let is_known = known.is_some();
        let (witness, id) = (witness.clone(), id.to_owned());
        if is_known {
            self.episodes.replace(episode);
        } else {
            self.episodes.store_or_forget(episode, telling.now);
        }
        self.note_heard(telling.listener, (witness, id), version);
    }

    /// The id for news: that of its origin, or one that names the one who was there, where the character has such an id or the engine
    /// chose it.
    fn free_id(&self, witness: &Id, news: &Episode, id: &str) -> String {
        let is_free = |id: &str| self.episodes.get(id).is_none();
        let of_origin = Episode::new(id, "", news.time);
        if !of_origin.is_from_engine() && is_free(id) {
            return id.to_owned();
        }
        let named = format!("{id}-of-{witness}");
        let numbers = (2_u64..).map(|number| format!("{named}-{number}"));
        let mut ids = std::iter::once(named.clone()).chain(numbers);
        ids.find(|id| is_free(id)).unwrap_or(named)
    }

    /// The game tells this character the truth of something that it remembers: of the episode with this id, or of news whose origin has it.
    /// False where it remembers no such thing.
    pub(crate) fn correct(
        &mut self,
        own: &Id,
        id: &str,
        text: &str,
        now: GameTime,
    ) -> Result<bool, EpisodeError> {
        let corrupt = |why| Err(EpisodeError::Corrupt(id.to_owned(), why));
        if text.trim().is_empty() {
            return corrupt("its text is empty");
        }
        if text.chars().count() > MAX_MEMORY_CHARS {
            return corrupt("its text is too long");
        }
        let of_origin = || self.episodes.iter().find(|one| one.origin(own).1 == id);
        let Some(known) = self.episodes.get(id).or_else(of_origin).cloned() else {
            return Ok(false);
        };
        let (witness, id) = known.origin(own);
        let origin = (witness.clone(), id.to_owned());
        let told = known.hearsay.as_deref();
        let before = told.map_or(0, |told| told.version);
        let version = now.0.saturating_add(1).max(before.saturating_add(1)).max(1);
        let significance = told.map_or(known.significance.0, |told| told.significance);
        let mut history = told.map(|told| told.history.clone()).unwrap_or_default();
        history.push(known.text.clone());
        keep_last(&mut history);
        if origin.0 != *own {
            self.note_heard(own, origin.clone(), version);
        }
        self.episodes.replace(Episode {
            text: text.to_owned(),
            significance: Millionths(significance),
            hearsay: Some(Box::new(Hearsay {
                history,
                hops: 0,
                origin,
                significance,
                version,
                way: Vec::new(),
            })),
            ..known
        });
        Ok(true)
    }
}

/// Drops the oldest of what news said before.
fn keep_last(history: &mut Vec<String>) {
    let surplus = history.len().saturating_sub(MOST_CORRECTED);
    history.drain(..surplus);
}

/// The text with a name in the place of the word for the one who remembers it, but not in what is quoted.
fn with_name(text: &str, you: &str, name: &str) -> String {
    let mut told = String::with_capacity(text.len());
    let mut is_quoted = false;
    let mut word = String::new();
    for c in text.chars().map(Some).chain([None]) {
        if let Some(c) = c.filter(|c| c.is_alphanumeric() || matches!(c, '\'' | '\u{2019}')) {
            word.push(c);
            continue;
        }
        told.push_str(if !is_quoted && word == you {
            name
        } else {
            &word
        });
        word.clear();
        is_quoted ^= c == Some('"');
        told.extend(c);
    }
    told
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;

    #[test]
    fn l4_years_of_news_leave_a_mind_bounded_and_still_open_for_news() {
        let [teller, listener] = ["bram", "ada"].map(|id| Id::new(id).unwrap());
        let mut mind = Mind::empty();
        let news = |number: u32| Episode {
            significance: Millionths(900_000),
            ..Episode::new(
                format!("news_{number}"),
                format!("You saw wonder {number} in the market."),
                GameTime(i64::from(number) * 600_000),
            )
        };
        for number in 0..25_000 {
            let one = news(number);
            assert!(mind.lacks_news(&listener, &teller, &one), "{number}");
            mind.hear_news(
                &one,
                &Telling {
                    teller: &teller,
                    name: "Bram",
                    you: "You",
                    listener: &listener,
                    place: None,
                    now: one.time,
                },
            );
            assert!(!mind.lacks_news(&listener, &teller, &one), "{number}");
        }
        let heard: usize = mind.heard.values().map(|heard| heard.len()).sum();
        assert!(heard <= MOST_HEARD, "{heard}");
        assert_eq!(mind.episodes.len(), Limits::DEFAULT.episodes);
    }

    #[test]
    fn l4_news_that_is_corrected_each_hour_keeps_its_last_texts_alone() {
        let (ada, bram) = (Id::new("ada").unwrap(), Id::new("bram").unwrap());
        let mut mind = Mind::empty();
        let known = Episode::new("king", "The king is at Brask.", GameTime(0));
        mind.episodes.store(known, GameTime(0)).unwrap();
        let mut listener = Mind::empty();
        for hour in 1..100_i64 {
            let (text, now) = (
                format!("The king is at mile {hour}."),
                GameTime(hour * 3_600_000),
            );
            assert_eq!(mind.correct(&ada, "king", &text, now), Ok(true));
            let news = mind.episodes.get("king").unwrap().clone();
            let telling = Telling {
                teller: &ada,
                name: "Ada",
                you: "You",
                listener: &bram,
                place: None,
                now,
            };
            listener.hear_news(&news, &telling);
        }
        for (mind, id) in [(&mind, "king"), (&listener, "king")] {
            let news = mind.episodes.get(id).unwrap();
            assert_eq!(news.text, "The king is at mile 99.");
            let history = &news.hearsay.as_ref().unwrap().history;
            assert_eq!(history.len(), MOST_CORRECTED);
            assert_eq!(history.last().unwrap(), "The king is at mile 98.");
        }
    }

    #[test]
    fn l4_news_that_is_too_long_with_the_name_of_the_teller_is_cut_and_kept() {
        let (teller, listener) = (Id::new("bram").unwrap(), Id::new("ada").unwrap());
        let text = format!("You {}", "a".repeat(MAX_MEMORY_CHARS - 4));
        let news = Episode::new("long", text, GameTime(0));
        let mut mind = Mind::empty();
        let telling = Telling {
            teller: &teller,
            name: "Bram of the long name",
            you: "You",
            listener: &listener,
            place: None,
            now: GameTime(1),
        };
        mind.hear_news(&news, &telling);
        let kept = mind.episodes.get("long").unwrap();
        assert!(kept.text.starts_with("Bram of the long name aaa"));
        assert_eq!(kept.text.chars().count(), MAX_MEMORY_CHARS);
    }

    #[test]
    fn l4_the_name_of_the_teller_takes_the_place_of_the_word_for_itself() {
        for (text, told) in [
            ("You saw the fire.", "Bram saw the fire."),
            ("Ann and You met.", "Ann and Bram met."),
            (
                "Young Ann said: \"You lie.\" You left.",
                "Young Ann said: \"You lie.\" Bram left.",
            ),
            ("Nobody knows you.", "Nobody knows you."),
            ("You", "Bram"),
            ("", ""),
        ] {
            assert_eq!(with_name(text, "You", "Bram"), told);
        }
    }
}
