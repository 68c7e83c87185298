//! How much room a prompt has, and which parts are cut when it runs out.

use crate::base::fixed::Millionths;
use crate::limits::LimitOverrides;
use bevy::prelude::*;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A part of a prompt, with its size.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Section {
    /// Its name, such as `canon` or `feedback`.
    pub name: &'static str,
    /// Its size, in characters.
    pub chars: usize,
}

/// How much room the variable part of a prompt has: canon, world facts, exchanges, episodes, beliefs, examples.
#[derive(Resource, Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PromptBudget {
    /// The most characters of the variable part; 1 to 1,000,000. Canon and world facts count towards it with their
    /// headings, and are never cut. The headings of the other sections do not count.
    pub chars: usize,
    /// The most exchanges, newest first. When there are more, the oldest leave in blocks of half that number, so that the prompt
    /// may hold fewer.
    pub exchanges: usize,
    /// The most episodes, those with the best score first.
    pub episodes: usize,
    /// The most beliefs, best first.
    pub beliefs: usize,
    /// The most few-shot pairs, in authored order.
    pub examples: usize,
}

impl PromptBudget {
    /// 1000 characters; 2 exchanges, 2 episodes, 1 belief, 1 example.
    pub const MINIMAL: Self = Self::new(1_000, 2, 2, 1, 1);
    /// 2000 characters; 5 exchanges, 5 episodes, 3 beliefs, 3 examples.
    pub const DEFAULT: Self = Self::new(2_000, 5, 5, 3, 3);
    /// 4000 characters; 10 exchanges, 10 episodes, 5 beliefs, 5 examples.
    pub const EXPANDED: Self = Self::new(4_000, 10, 10, 5, 5);

    const fn new(
        chars: usize,
        exchanges: usize,
        episodes: usize,
        beliefs: usize,
        examples: usize,
    ) -> Self {
        Self {
            chars,
            exchanges,
            episodes,
            beliefs,
            examples,
        }
    }

    /// The same budget with the numbers of a character in place of its own.
    #[must_use]
    pub fn with(self, set: &LimitOverrides) -> Self {
        Self {
            chars: set.prompt_chars.unwrap_or(self.chars),
            exchanges: set.exchanges.unwrap_or(self.exchanges),
            episodes: set.prompt_episodes.unwrap_or(self.episodes),
            beliefs: set.prompt_beliefs.unwrap_or(self.beliefs),
            examples: set.prompt_examples.unwrap_or(self.examples),
        }
    }

    /// The room of a prompt that asks what a character does: the last exchange, and nothing else of this.
    pub(super) fn for_choice(self) -> Self {
        Self {
            exchanges: self.exchanges.min(1),
            episodes: 0,
            beliefs: 0,
            examples: 0,
            ..self
        }
    }

    /// The room of a prompt that asks for a character's memories of this number of exchanges: the exchanges, whatever their length,
    /// and its beliefs.
    pub(super) fn for_memories(self, exchanges: usize) -> Self {
        Self {
            chars: 1_000_000,
            exchanges,
            episodes: 0,
            examples: 0,
            ..self
        }
    }

    /// The room of a prompt that asks for a diary about this number of episodes: the episodes, whatever their length.
    pub(super) fn for_diary(self, episodes: usize) -> Self {
        Self {
            chars: 1_000_000,
            exchanges: 0,
            episodes,
            beliefs: 0,
            examples: 0,
        }
    }

    /// This budget. An invalid one, with no room or more than 10^6 characters, is logged and replaced by the default.
    #[must_use]
    pub fn or_default(self) -> Self {
        if self.chars == 0 || self.chars > 1_000_000 {
            log::error!(
                "the prompt budget of {} characters is invalid: the default is used",
                self.chars
            );
            return Self::DEFAULT;
        }
        self
    }
}

impl Default for PromptBudget {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// The presets by name, as a scenario file names them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
pub enum BudgetPreset {
    /// [`PromptBudget::MINIMAL`]: 1000 characters.
    Minimal,
    /// [`PromptBudget::DEFAULT`]: 2000 characters.
    #[default]
    Default,
    /// [`PromptBudget::EXPANDED`]: 4000 characters.
    Expanded,
}

impl BudgetPreset {
    /// The budget of this preset.
    pub fn budget(self) -> PromptBudget {
        match self {
            Self::Minimal => PromptBudget::MINIMAL,
            Self::Default => PromptBudget::DEFAULT,
            Self::Expanded => PromptBudget::EXPANDED,
        }
    }
}

/// What kind of thing was cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum CutKind {
    /// An exchange; its id is its place, the oldest being 0.
    Exchange,
    /// An episode; its id is the episode's own.
    Episode,
    /// A belief; its id is the belief's own.
    Belief,
    /// An example; its id is its place in authored order, the first being 0.
    Example,
    /// Something in sight; its id is the entity's own.
    Entity,
    /// An action that could be done; its id is the action's name with the ids that it refers to.
    Offer,
}

/// Why something is not in the prompt. It follows from the budget, so no record and no trace has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CutReason {
    /// There are this many of its kind already, and no more may be there.
    TooMany(usize),
    /// Only this number of characters was left of the room that it shares with others.
    NoRoom(usize),
    /// The things in sight, the carried things and the possible actions share this number of characters, and others came first.
    Crowded(usize),
    /// More is in sight than a snapshot holds.
    TooManyInSight,
    /// An action that needs something which was cut.
    ItsThingWasCut,
}

impl fmt::Display for CutReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooMany(most) => write!(f, "no more than {most} of its kind"),
            Self::NoRoom(left) => write!(f, "{left} characters were left"),
            Self::Crowded(room) => {
                write!(
                    f,
                    "{room} characters for all in sight, and others came first"
                )
            }
            Self::TooManyInSight => f.write_str("more is in sight than a snapshot holds"),
            Self::ItsThingWasCut => f.write_str("what it needs was cut"),
        }
    }
}

/// Something that was brought up and is not in the prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct CutItem {
    /// What kind of thing it is.
    pub kind: CutKind,
    /// Which one of its kind; `CutKind` says what the id is.
    pub id: String,
    /// What it was worth: the score of an episode or a belief, else 0.
    pub score: Millionths,
    /// How many characters it would have taken.
    pub chars: usize,
    /// Why it was cut.
    #[serde(skip)]
    pub why: CutReason,
}

/// A line of a section that shares its room: written when there is room for it, and only counted before.
pub(super) trait Line {
    /// What kind of thing it tells of.
    const KIND: CutKind;

    /// Writes the line, with its end. Writing to the prompt cannot fail.
    fn write(&self, out: &mut dyn fmt::Write) -> fmt::Result;

    /// Which one of its kind it tells of; `CutKind` says what the id is.
    fn id(&self) -> String;

    /// What it is worth.
    fn score(&self) -> Millionths {
        Millionths::ZERO
    }

    /// How long it is, in characters.
    fn chars(&self) -> usize {
        self.written_chars()
    }

    /// How long it is, by writing it.
    fn written_chars(&self) -> usize {
        let mut count = Chars(0);
        let _ = self.write(&mut count);
        count.0
    }

    /// What to say where it is cut. `chars`: how long it is.
    fn cut(&self, chars: usize, why: CutReason) -> CutItem {
        CutItem {
            kind: Self::KIND,
            id: self.id(),
            score: self.score(),
            chars,
            why,
        }
    }
}

/// Counts characters instead of keeping them.
struct Chars(usize);

impl fmt::Write for Chars {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 += text.chars().count();
        Ok(())
    }
}

/// Room that is handed out first come, first served.
pub(super) struct Room {
    pub left: usize,
    pub cut: Vec<CutItem>,
}

impl Room {
    /// Takes the lines that fit, at most `count`, in the order given.
    pub fn take<L: Line>(&mut self, lines: impl Iterator<Item = L>, count: usize) -> Taken<L> {
        let most = lines.size_hint().0;
        self.cut.reserve(most.saturating_sub(count));
        let mut taken = Taken {
            lines: Vec::with_capacity(most.min(count)),
            is_whole: true,
        };
        for line in lines {
            let chars = line.chars();
            debug_assert_eq!(chars, line.written_chars(), "a line knows its length");
            let has_enough = taken.lines.len() >= count;
            if !has_enough && chars <= self.left {
                self.left -= chars;
                taken.lines.push(line);
                continue;
            }
            taken.is_whole = false;
            let why = match has_enough {
                true => CutReason::TooMany(count),
                false => CutReason::NoRoom(self.left),
            };
            self.cut.push(line.cut(chars, why));
        }
        taken
    }
}

/// The lines that had room.
pub(super) struct Taken<L> {
    /// They themselves, in the order in which they were given.
    pub lines: Vec<L>,
    /// Whether these are all.
    pub is_whole: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn p5_room_skips_what_does_not_fit_and_lists_it() {
        struct Xs(&'static str, usize);
        impl Line for Xs {
            const KIND: CutKind = CutKind::Episode;
            fn write(&self, out: &mut dyn fmt::Write) -> fmt::Result {
                out.write_str(&"x".repeat(self.1))
            }
            fn id(&self) -> String {
                self.0.to_owned()
            }
        }
        let mut room = Room {
            left: 10,
            cut: Vec::new(),
        };
        let lines = [Xs("a", 6), Xs("b", 5), Xs("c", 4), Xs("d", 0)];
        let taken = room.take(lines.into_iter(), 2);
        assert!(!taken.is_whole);
        let ids: Vec<&str> = taken.lines.iter().map(|line| line.0).collect();
        assert_eq!(ids, ["a", "c"]);
        let cut = room.cut.iter().map(|cut| (cut.id.as_str(), cut.why));
        let cut: Vec<(&str, CutReason)> = cut.collect();
        let wanted = [("b", CutReason::NoRoom(4)), ("d", CutReason::TooMany(2))];
        assert_eq!(cut, wanted);
    }
}
