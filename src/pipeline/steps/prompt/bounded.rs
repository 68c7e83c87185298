//! The sections that share the budget: each takes what fits, best first.

use super::budget::{CutKind, Line, PromptBudget, Room};
use super::escape::escaped;
use super::sheet::Sheet;
use super::standing::{exchange_chars, leaving};
use crate::authoring::character::Example;
use crate::base::canonical::Encoded;
use crate::base::fixed::Millionths;
use crate::memory::Exchange;
use crate::memory::episode::said_id;
use crate::memory::retrieval::{RetrievedBelief, RetrievedEpisode};
use crate::pipeline::steps::snapshot::{Ask, SnapshotBody};
use std::borrow::Cow;
use std::fmt;

/// A speech to the character and its answer.
pub(super) struct ExchangeLine<'a> {
    body: &'a SnapshotBody,
    index: usize,
    pub exchange: &'a Encoded<Exchange>,
}

impl Line for ExchangeLine<'_> {
    const KIND: CutKind = CutKind::Exchange;

    fn write(&self, out: &mut dyn fmt::Write) -> fmt::Result {
        let Self { body, exchange, .. } = self;
        let (who, heard) = (escaped(&exchange.speaker), escaped(&exchange.heard));
        let (name, answered) = (&body.name, escaped(&exchange.answered));
        for part in [&who, ": ", &heard, "\n", name, ": ", &answered, "\n"] {
            out.write_str(part)?;
        }
        Ok(())
    }

    fn chars(&self) -> usize {
        let Self { body, exchange, .. } = self;
        exchange_chars(exchange, &body.name)
    }

    fn id(&self) -> String {
        self.index.to_string()
    }
}

/// The newest exchanges, at most as many as the budget counts. When there are more, the oldest leave in blocks of half
/// that number, rounded up: the prompt's beginning stays the same for several turns, and a server's prefix cache holds.
/// The oldest comes first.
pub(super) fn exchanges<'a>(
    body: &'a SnapshotBody,
    budget: PromptBudget,
    room: &mut Room,
) -> Vec<ExchangeLine<'a>> {
    let all = &body.retrieved.exchanges;
    let leaving = leaving(all.len(), body.retrieved.exchanges_gone, budget.exchanges);
    let newest = all.iter().enumerate().rev();
    let lines = newest.map(|(index, exchange)| ExchangeLine {
        body,
        index,
        exchange,
    });
    let mut taken = room.take(lines, all.len().saturating_sub(leaving));
    taken.lines.reverse();
    taken.lines
}

/// Something that the character remembers.
struct EpisodeLine<'a> {
    episode: &'a RetrievedEpisode,
    /// When it was, and its text as it is shown: they are measured and written.
    note: Cow<'a, str>,
    shown: Cow<'a, str>,
}

impl<'a> From<&'a RetrievedEpisode> for EpisodeLine<'a> {
    fn from(episode: &'a RetrievedEpisode) -> Self {
        Self {
            episode,
            note: escaped(&episode.note),
            shown: escaped(&episode.text),
        }
    }
}

impl Line for EpisodeLine<'_> {
    const KIND: CutKind = CutKind::Episode;

    fn chars(&self) -> usize {
        let note = match self.note.is_empty() {
            true => 0,
            false => self.note.chars().count() + " ".len(),
        };
        note + self.shown.chars().count() + "- \n".len()
    }

    fn write(&self, out: &mut dyn fmt::Write) -> fmt::Result {
        let space = if self.note.is_empty() { "" } else { " " };
        for part in ["- ", &self.note, space, &self.shown, "\n"] {
            out.write_str(part)?;
        }
        Ok(())
    }

    fn id(&self) -> String {
        self.episode.id.clone()
    }

    fn score(&self) -> Millionths {
        self.episode.parts.score
    }
}

/// Episodes, without those that keep one of these exchanges. When all of them have room, the section does not depend on the
/// speech: they are sorted by id then; otherwise the best come first.
pub(super) fn episodes(
    body: &SnapshotBody,
    exchanges: &[ExchangeLine],
    budget: PromptBudget,
    room: &mut Room,
    sheet: &mut Sheet,
) {
    let memories = &body.retrieved.memories;
    let shown: Vec<String> = exchanges
        .iter()
        .map(|line| said_id(line.exchange.number))
        .collect();
    let episodes = memories.episodes.iter();
    let lines = episodes
        .filter(|episode| !shown.contains(&episode.id))
        .map(EpisodeLine::from);
    let mut taken = room.take(lines, budget.episodes);
    let is_whole = memories.more_episodes == 0 && taken.is_whole;
    if is_whole {
        taken.lines.sort_by_key(|line| &line.episode.id);
    }
    sheet.lines("episodes", body.words.get("heading_episodes"), &taken.lines);
}

/// Something that the character believes, with the id by which a reply may change it.
struct BeliefLine<'a> {
    belief: &'a RetrievedBelief,
    /// Whether a reply may change it, so that its id comes before it.
    is_named: bool,
}

impl Line for BeliefLine<'_> {
    const KIND: CutKind = CutKind::Belief;

    fn write(&self, out: &mut dyn fmt::Write) -> fmt::Result {
        out.write_str("- ")?;
        if self.is_named {
            write!(out, "{}: ", self.belief.id)?;
        }
        writeln!(out, "{}", escaped(&self.belief.text))
    }

    fn id(&self) -> String {
        self.belief.id.to_string()
    }

    fn score(&self) -> Millionths {
        self.belief.parts.score
    }
}

/// Beliefs, and those that contradict canon, in the same order.
pub(super) fn beliefs(
    body: &SnapshotBody,
    budget: PromptBudget,
    room: &mut Room,
    sheet: &mut Sheet,
) {
    let memories = &body.retrieved.memories;
    let lines = memories.beliefs.iter().map(|belief| BeliefLine {
        belief,
        is_named: matches!(body.ask, Ask::Whole | Ask::Memories),
    });
    let mut taken = room.take(lines, budget.beliefs);
    let is_whole = memories.more_beliefs == 0 && taken.is_whole;
    if is_whole {
        taken.lines.sort_by_key(|line| &line.belief.id);
    }
    for (name, heading, uncertain) in [
        ("beliefs", "heading_beliefs", false),
        ("uncertain", "heading_uncertain", true),
    ] {
        let lines = taken.lines.iter();
        let lines = lines.filter(|line| line.belief.contradicts_canon == uncertain);
        sheet.lines(name, body.words.get(heading), lines);
    }
}

/// A few-shot pair, as the author wrote it.
pub(super) struct ExampleLine<'a> {
    body: &'a SnapshotBody,
    index: usize,
    pub example: &'a Example,
}

impl Line for ExampleLine<'_> {
    const KIND: CutKind = CutKind::Example;

    fn write(&self, out: &mut dyn fmt::Write) -> fmt::Result {
        let Self { body, example, .. } = self;
        let Example { player, npc } = example;
        let (asks, name) = (body.words.get("player"), &body.name);
        write!(out, "{asks}: {player}\n{name}: {npc}\n")
    }

    fn id(&self) -> String {
        self.index.to_string()
    }
}

impl ExampleLine<'_> {
    /// Whether it is of the trigger, and there for this moment alone.
    pub fn is_of_trigger(&self) -> bool {
        self.index < self.body.trigger_examples
    }
}

/// The few-shot pairs that have room.
pub(super) fn examples<'a>(
    body: &'a SnapshotBody,
    budget: PromptBudget,
    room: &mut Room,
) -> Vec<ExampleLine<'a>> {
    let examples = body.examples.iter().enumerate();
    let lines = examples.map(|(index, example)| ExampleLine {
        body,
        index,
        example,
    });
    room.take(lines, budget.examples).lines
}

/// The pairs of the trigger, as lines.
pub(super) fn trigger_examples(lines: &[ExampleLine], body: &SnapshotBody, sheet: &mut Sheet) {
    let heading = body.words.get("heading_examples");
    let lines = lines.iter().filter(|line| line.is_of_trigger());
    sheet.lines("trigger_examples", heading, lines);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn p5_a_line_is_as_long_as_it_is_written() {
        for words in ["Hello.", "Grüß <Gott>", "a {{b}} [c]", ""] {
            let episode = RetrievedEpisode {
                note: words.into(),
                id: "m".into(),
                text: words.into(),
                parts: Default::default(),
            };
            let line = EpisodeLine::from(&episode);
            let mut written = String::new();
            line.write(&mut written).unwrap();
            assert_eq!(line.chars(), written.chars().count(), "{written}");
        }
    }
}
