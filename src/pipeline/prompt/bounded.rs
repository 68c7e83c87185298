//! The sections that share the budget: each takes what fits, best first.

use super::budget::{CutKind, Item, PromptBudget, Room};
use super::fixed::{escape, section};
use crate::base::fixed::Millionths;
use crate::pipeline::snapshot::SnapshotBody;

/// The newest exchanges, at most as many as the budget counts. When there are more, the oldest leave in blocks of half
/// that number, rounded up: the prompt's beginning stays the same for several turns, and a server's prefix cache holds.
pub(super) fn exchanges(body: &SnapshotBody, budget: PromptBudget, room: &mut Room) -> String {
    let all = &body.retrieved.exchanges;
    let block = budget.exchanges.div_ceil(2).max(1);
    // Counted from the first exchange ever: a ring that lets go of its oldest must not move the blocks.
    let gone = body.retrieved.exchanges_gone;
    let surplus = (gone + all.len()).saturating_sub(budget.exchanges);
    let leaving = (surplus.div_ceil(block) * block).saturating_sub(gone);
    let items: Vec<Item> = all
        .iter()
        .enumerate()
        .rev()
        .map(|(i, exchange)| {
            let heard = escape(&exchange.heard);
            let who = if exchange.speaker.is_empty() {
                body.words.get("happened")
            } else {
                &exchange.speaker
            };
            let answered = escape(&exchange.answered);
            let line = [
                &escape(who),
                ": ",
                &heard,
                "\n",
                &body.name,
                ": ",
                &answered,
                "\n",
            ]
            .concat();
            Item::new(CutKind::Exchange, i.to_string(), Millionths::ZERO, line)
        })
        .collect();
    let taken = room.take(&items, all.len().saturating_sub(leaving));
    let mut lines: Vec<String> = kept(items, &taken).collect();
    lines.reverse();
    section(body.words.get("heading_exchanges"), lines)
}

/// A section of memories.
pub(super) struct Memories {
    pub(super) text: String,
    /// Whether it holds all that there is, so that it is the same whatever is said. Its lines are sorted by id then; else the best
    /// come first.
    pub(super) is_whole: bool,
}

impl Memories {
    /// Of lines with their ids, best first.
    fn new(heading: &str, mut lines: Vec<(String, String)>, is_whole: bool) -> Self {
        if is_whole {
            lines.sort();
        }
        Self {
            text: section(heading, lines.into_iter().map(|(_, line)| line)),
            is_whole,
        }
    }
}

pub(super) fn episodes(body: &SnapshotBody, budget: PromptBudget, room: &mut Room) -> Memories {
    let items: Vec<Item> = body
        .retrieved
        .memories
        .episodes
        .iter()
        .map(|episode| {
            let line = ["- ", &escape(&episode.text), "\n"].concat();
            Item::new(
                CutKind::Episode,
                episode.id.clone(),
                episode.parts.score,
                line,
            )
        })
        .collect();
    let taken = room.take(&items, budget.episodes);
    let is_whole = body.retrieved.memories.more_episodes == 0 && !taken.contains(&false);
    let kept = items.into_iter().zip(taken).filter(|(_, taken)| *taken);
    let lines = kept.map(|(item, _)| (item.cut.id, item.line)).collect();
    Memories::new(body.words.get("heading_episodes"), lines, is_whole)
}

/// Beliefs, and those that contradict canon.
pub(super) fn beliefs(
    body: &SnapshotBody,
    budget: PromptBudget,
    room: &mut Room,
) -> (Memories, Memories) {
    let beliefs = &body.retrieved.memories.beliefs;
    let items: Vec<Item> = beliefs
        .iter()
        .map(|belief| {
            let line = format!("- {}: {}\n", belief.id, escape(&belief.text));
            Item::new(
                CutKind::Belief,
                belief.id.to_string(),
                belief.parts.score,
                line,
            )
        })
        .collect();
    let taken = room.take(&items, budget.beliefs);
    let is_whole = body.retrieved.memories.more_beliefs == 0 && !taken.contains(&false);
    let (mut sure, mut unsure) = (Vec::new(), Vec::new());
    for ((item, belief), taken) in items.into_iter().zip(beliefs).zip(taken) {
        match (taken, belief.contradicts_canon) {
            (false, _) => {}
            (true, false) => sure.push((item.cut.id, item.line)),
            (true, true) => unsure.push((item.cut.id, item.line)),
        }
    }
    (
        Memories::new(body.words.get("heading_beliefs"), sure, is_whole),
        Memories::new(body.words.get("heading_uncertain"), unsure, is_whole),
    )
}

pub(super) fn examples(body: &SnapshotBody, budget: PromptBudget, room: &mut Room) -> String {
    let items: Vec<Item> = body
        .examples
        .iter()
        .enumerate()
        .map(|(i, example)| {
            let line = format!(
                "{}: {}\n{}: {}\n",
                body.words.get("player"),
                example.player,
                body.name,
                example.npc
            );
            Item::new(CutKind::Example, i.to_string(), Millionths::ZERO, line)
        })
        .collect();
    let taken = room.take(&items, budget.examples);
    section(body.words.get("heading_examples"), kept(items, &taken))
}

fn kept<'a>(items: Vec<Item>, taken: &'a [bool]) -> impl Iterator<Item = String> + 'a {
    items
        .into_iter()
        .zip(taken)
        .filter(|(_, taken)| **taken)
        .map(|(item, _)| item.line)
}
