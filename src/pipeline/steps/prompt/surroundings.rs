//! The things that a character sees and carries, and its possible actions, bounded together: first the mentioned things, then
//! those that it can act on, then the rest by id. Things without room are listed as cut; a reply can still refer to them.

use super::budget::{CutItem, CutKind, CutReason, Line};
use super::escape::{escape, escaped};
use super::sheet::Sheet;
use crate::base::fixed::Millionths;
use crate::base::ids::Id;
use crate::pipeline::steps::snapshot::{Ask, SnapshotBody};
use crate::world::{Affordance, EntityView, Placement};
use std::collections::BTreeSet;
use std::fmt;

/// More than the headings of all three, and the names of the actions.
const HEADINGS: usize = 300;

/// Writes three sections in at most `room` characters, and returns the things that are in none of them. Carried things are apart
/// from seen things, so that the seen part stays the same when something is taken or given away.
pub(super) fn surroundings(body: &SnapshotBody, room: usize, sheet: &mut Sheet) -> Vec<CutItem> {
    let is_named = match body.ask {
        Ask::Whole => true,
        Ask::Words(_) => false,
        // The possible actions already name the things that are there, and memories need none of them.
        Ask::Choice(_) | Ask::Memories | Ask::Diary => return Vec::new(),
    };
    let room = room.min(body.surroundings_chars);
    let heading_seen = body.words.get("heading_seen");
    let heading_carried = body.words.get("heading_carried");
    let heading_offers = body.words.get("heading_offers");
    let oneself = &body.context.npc;
    let seen = body.seen.iter().filter(|(id, _)| id != oneself);
    let lines = seen.map(|(id, view)| EntityLine {
        id,
        view,
        doing: body.doing(id).map(|doing| doing.seen(&body.words)),
        is_named,
    });
    let lines: Vec<EntityLine> = lines.collect();
    let own = Placement::CarriedBy(oneself.clone());
    let own = body.seen.iter().filter(|(_, view)| view.at == own);
    let own: Vec<(&Id, &str)> = own
        .map(|(id, view)| match is_named {
            true => (id, id.as_str()),
            false => (id, view.name.as_str()),
        })
        .collect();
    let offers = match is_named {
        true => body.affordances.words(offer_lines),
        false => "",
    };
    let crowd = body.crowd.iter().map(|id| CutItem {
        kind: CutKind::Entity,
        id: id.to_string(),
        score: Millionths::ZERO,
        chars: 0,
        why: CutReason::TooManyInSight,
    });
    let carried = carried_line(own.iter().map(|(_, name)| *name));
    let whole = lines.iter().map(Line::chars).sum::<usize>();
    let chars = whole + carried.chars().count() + offers.chars().count();
    let chosen = (chars > room).then(|| choose(body, &lines, &own, room.saturating_sub(HEADINGS)));
    let Some(chosen) = chosen else {
        sheet.lines("surroundings", heading_seen, &lines);
        sheet.section("carried", heading_carried, |out| out.push_str(&carried));
        sheet.section("deeds", heading_offers, |out| out.push_str(offers));
        return crowd.collect();
    };
    let is_chosen = |line: &&EntityLine| chosen.contains(line.id);
    let left_out = lines.iter().filter(|line| !is_chosen(line));
    let crowded = CutReason::Crowded(room);
    let left_out = left_out.map(|line| line.cut(line.chars(), crowded));
    let mut cut: Vec<CutItem> = left_out.collect();
    cut.extend(crowd);
    let mut offered = Vec::new();
    if is_named {
        let (left, unoffered) = offers_among(body, &chosen);
        offered = left;
        cut.extend(unoffered);
    }
    let own = own.into_iter().filter(|(id, _)| chosen.contains(id));
    let own = own.map(|(_, name)| name);
    sheet.lines("surroundings", heading_seen, lines.iter().filter(is_chosen));
    sheet.section("carried", heading_carried, |out| {
        out.push_str(&carried_line(own));
    });
    sheet.section("deeds", heading_offers, |out| {
        out.push_str(&offer_lines(&offered));
    });
    cut
}

/// A thing that the character sees, with the id by which a reply may name it.
struct EntityLine<'a> {
    id: &'a Id,
    view: &'a EntityView,
    /// What it does now; `None`: its routine does not say it.
    doing: Option<String>,
    /// Whether a reply may refer to it.
    is_named: bool,
}

impl Line for EntityLine<'_> {
    const KIND: CutKind = CutKind::Entity;

    fn write(&self, out: &mut dyn fmt::Write) -> fmt::Result {
        let (name, kind) = (escaped(&self.view.name), escaped(&self.view.kind));
        match (self.is_named, name.is_empty()) {
            (true, _) => write!(out, "- {name} ({}, {kind})", self.id)?,
            (false, true) => write!(out, "- {kind}")?,
            (false, false) => write!(out, "- {name}")?,
        }
        match &self.doing {
            Some(doing) => writeln!(out, ": {}", escaped(doing)),
            None => writeln!(out),
        }
    }

    fn id(&self) -> String {
        self.id.to_string()
    }
}

fn offer_lines(affordances: &[Affordance]) -> String {
    let lines = affordances.iter().flat_map(Affordance::lines);
    lines.map(|line| format!("- {}\n", escape(&line))).collect()
}

/// The carried things, in one line; empty when there are none.
fn carried_line<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<_> = names.filter(|name| !name.is_empty()).map(escaped).collect();
    match names.is_empty() {
        true => String::new(),
        false => format!("- {}\n", names.join(", ")),
    }
}

/// The things that have room, each counted with its line, with its id among the carried things, and with its id in every action
/// that it is part of.
fn choose<'a>(
    body: &SnapshotBody,
    lines: &[EntityLine<'a>],
    own: &[(&Id, &str)],
    room: usize,
) -> BTreeSet<&'a Id> {
    let mut actions: std::collections::BTreeMap<&Id, usize> = std::collections::BTreeMap::new();
    for affordance in body.affordances.iter() {
        let ids = affordance.combinations.iter().flatten().flatten();
        let ids: BTreeSet<&Id> = ids.collect();
        for id in ids {
            *actions.entry(id).or_default() += 1;
        }
    }
    let rank = |id: &Id| match (body.mentioned.contains(id), actions.contains_key(id)) {
        (true, _) => 0,
        (false, true) => 1,
        (false, false) => 2,
    };
    let mut ranked: Vec<&EntityLine> = lines.iter().collect();
    ranked.sort_by_key(|line| (rank(line.id), line.id));
    let mut left = room;
    let mut chosen = BTreeSet::new();
    for line in ranked {
        let id = line.id;
        let acted_on = actions.get(id).copied().unwrap_or_default();
        let named = acted_on + usize::from(own.iter().any(|(own, _)| *own == id));
        let cost = line.chars() + named * (id.len() + 2);
        if cost <= left {
            left -= cost;
            chosen.insert(id);
        }
    }
    chosen
}

/// The affordances with the chosen things alone, and the other possible actions.
fn offers_among(body: &SnapshotBody, chosen: &BTreeSet<&Id>) -> (Vec<Affordance>, Vec<CutItem>) {
    let seen: BTreeSet<&Id> = body.seen.iter().map(|(id, _)| id).collect();
    // Places and characters that wait offstage are not among the seen things.
    let known = |id: &Id| chosen.contains(id) || !seen.contains(id) || *id == body.context.npc;
    let mut left_out = Vec::new();
    let mut offered = Vec::new();
    for affordance in body.affordances.iter() {
        let combinations = affordance.combinations.iter();
        let (kept, cut): (Vec<_>, Vec<_>) =
            combinations.partition(|ids| ids.iter().flatten().all(known));
        left_out.extend(cut.into_iter().map(|ids| {
            let ids: Vec<&str> = ids.iter().flatten().map(Id::as_str).collect();
            let offer = format!("{} {}", affordance.action, ids.join(" "));
            CutItem {
                kind: CutKind::Offer,
                chars: offer.chars().count(),
                id: offer,
                score: Millionths::ZERO,
                why: CutReason::ItsThingWasCut,
            }
        }));
        if !kept.is_empty() {
            offered.push(Affordance {
                combinations: kept.into_iter().cloned().collect(),
                ..affordance.clone()
            });
        }
    }
    (offered, left_out)
}
