//! The judged world: what is where and what is true of it, and what an actor can do now, or why not.

use super::selection::Selection;
use super::theme::{BAD, GOOD, NOTED};
use super::view::InspectorView;
use super::widgets::{and_more_ui, contains, counted, excerpt, recent, rule_link, search};
use crate::base::ids::Id;
use crate::judged_world::rulebook::affordance::{MAX_COMBINATIONS, TriedAction, tried_actions};
use crate::npc::{LoadedCharacter, PlayerId};
use crate::story::{ActiveStory, action_rules};
use crate::world::{
    ActionRegistry, ActionRules, May, Placement, WorldIndex, WorldRead, WorldState, WorldView,
};
use bevy_egui::egui::{CollapsingHeader, ComboBox, Grid, Label, RichText, ScrollArea, Ui};
use std::collections::BTreeMap;

/// The most things that are listed at once. Words to look for find the others.
const MOST_THINGS: usize = 200;
/// The most flags, and the most facts, that are shown.
const MOST_FACTS: usize = 40;
/// The most characters of the text on one line, and of the text under the mouse.
const MOST_CHARS: usize = 400;

/// A thing or a character of the judged world.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ThingRow {
    /// Its id in the judged world.
    pub id: String,
    /// Its name; its id where it has none.
    pub name: String,
    /// Its kind; empty where it has none.
    pub kind: String,
    /// Where it is, in words: `in the tower`, `carried by Eldrin`, `nowhere`.
    pub at: String,
    /// What is true of it, by name.
    pub attributes: Vec<(String, String)>,
}

/// The things whose id, name or kind holds these words, by id: at most 200, and how many more there are.
#[must_use]
pub fn thing_rows(world: &WorldState, words: &str) -> (Vec<ThingRow>, usize) {
    let found: Vec<_> = world
        .entities
        .iter()
        .filter(|(id, thing)| contains(words, [id.as_str(), &thing.name, &thing.kind]))
        .collect();
    let rows = found.iter().take(MOST_THINGS).map(|(id, thing)| ThingRow {
        id: id.to_string(),
        name: thing.name.clone(),
        kind: thing.kind.clone(),
        at: in_words(world, &thing.at),
        attributes: thing
            .attributes
            .iter()
            .map(|(name, value)| (name.clone(), value.to_string()))
            .collect(),
    });
    (rows.collect(), found.len().saturating_sub(MOST_THINGS))
}

pub(super) fn in_words(world: &WorldState, at: &Placement) -> String {
    let name = |id: &Id| world.name_of(id).unwrap_or_else(|| id.to_string());
    match at {
        Placement::In(place) => format!("in {}", name(place)),
        Placement::CarriedBy(who) => format!("carried by {}", name(who)),
        Placement::Offstage => "nowhere".to_owned(),
    }
}

/// One action of an actor: what it can do it to now, and why not to the rest.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AbilityRow {
    /// The name of the action.
    pub action: &'static str,
    /// The ways in which it can be done, such as `brass key to the traveller`; one without words where it needs no target.
    pub can: Vec<String>,
    /// The ways in which it cannot be done, by the check that denies them, each with what that says.
    pub cannot: BTreeMap<String, Vec<(String, String)>>,
}

/// What an actor can do now, and why not, by action.
#[must_use]
pub(crate) fn ability_rows(world: &dyn WorldRead, tried: &[TriedAction]) -> Vec<AbilityRow> {
    let mut rows: Vec<AbilityRow> = Vec::new();
    for one in tried {
        if rows.last().is_none_or(|row| row.action != one.action) {
            rows.push(AbilityRow {
                action: one.action,
                ..AbilityRow::default()
            });
        }
        let names = one.references.iter().map(|(field, id)| {
            let name = world.name_of(id).unwrap_or_else(|| id.to_string());
            match *field {
                "tool" => format!("with {name}"),
                "to" => format!("to {name}"),
                _ => name,
            }
        });
        let words = names.collect::<Vec<_>>().join(" ");
        let Some(row) = rows.last_mut() else {
            continue;
        };
        let judgement = &one.judgement;
        if judgement.is_ok() {
            row.can.push(words);
        } else {
            let check = judgement.rule.clone().unwrap_or_default();
            let denied = row.cannot.entry(check).or_default();
            denied.push((words, judgement.message.clone()));
        }
    }
    rows
}

/// Those who could act: the player, the characters, and whatever else is a character in the world. By id.
#[must_use]
pub fn actors(view: &InspectorView, world: &WorldState) -> Vec<Id> {
    let player = view
        .world
        .get_resource::<PlayerId>()
        .map(|player| player.0.clone());
    let player = player.filter(|player| world.entities.contains_key(player));
    let characters = world
        .entities
        .iter()
        .filter(|(_, thing)| thing.kind == "character");
    let mut all: Vec<Id> = characters.map(|(id, _)| id.clone()).chain(player).collect();
    all.extend(
        view.minds
            .iter()
            .filter(|mind| mind.name.is_some())
            .map(|mind| mind.npc.clone()),
    );
    all.sort();
    all.dedup();
    all
}

/// What was read of the world.
struct Read {
    world: WorldState,
    actors: Vec<Id>,
    /// The actor with these abilities; `None` where no actor could act.
    actor: Option<Id>,
    abilities: Vec<AbilityRow>,
}

fn read(view: &InspectorView, actor: Option<&str>) -> Read {
    let live = WorldView::new(view.world);
    let world = live.to_state();
    let actors = actors(view, &world);
    let chosen = actors.iter().find(|one| Some(one.as_str()) == actor);
    let actor = chosen.or(actors.first()).cloned();
    let abilities = actor.as_ref().map(|actor| abilities(view, &live, actor));
    Read {
        abilities: abilities.unwrap_or_default(),
        world,
        actors,
        actor,
    }
}

fn abilities(view: &InspectorView, world: &WorldView, actor: &Id) -> Vec<AbilityRow> {
    let known = view.world.contains_resource::<ActiveStory>()
        && view.world.contains_resource::<ActionRegistry>();
    if !known {
        return Vec::new();
    }
    let rules: ActionRules = action_rules(view.world);
    let entity = WorldIndex::find(view.world, actor);
    let character = entity.and_then(|entity| view.world.get::<LoadedCharacter>(entity));
    let may = May::of_character(character.and_then(|character| character.0.may.as_deref()));
    ability_rows(world, &tried_actions(&rules, world, actor, may))
}

/// Draws the world.
pub(super) fn world_ui(ui: &mut Ui, view: &InspectorView, selection: &mut Selection) {
    let actor = selection.actor.clone();
    let read = recent(ui, "world", actor, || {
        read(view, selection.actor.as_deref())
    });
    if read.world.entities.is_empty() && read.world.locations.is_empty() {
        ui.weak("There is no world: no story was given, and nothing has a WorldId.");
        return;
    }
    ScrollArea::vertical()
        .id_salt("world")
        .auto_shrink(false)
        .show(ui, |ui| {
            facts_ui(ui, &read.world);
            CollapsingHeader::new(RichText::new("What can be done now, and why not").strong())
                .default_open(true)
                .show(ui, |ui| abilities_ui(ui, &read, selection));
            CollapsingHeader::new(RichText::new("What is where").strong())
                .default_open(true)
                .show(ui, |ui| things_ui(ui, &read.world, selection));
            CollapsingHeader::new(RichText::new("Places, and where they lead").strong())
                .show(ui, |ui| places_ui(ui, &read.world));
        });
}

/// Each place of the judged world with the ids of the places that one can go to from there: `tower: yard, cellar`. What is more
/// than two hundred is counted.
#[must_use]
pub fn place_lines(world: &WorldState) -> (Vec<String>, usize) {
    let lines = world.locations.iter().take(MOST_THINGS);
    let lines = lines.map(|(id, place)| {
        let roads: Vec<&str> = place.connected_to.iter().map(|to| &**to).collect();
        match roads.is_empty() {
            true => format!("{id}: leads nowhere"),
            false => format!("{id}: {}", roads.join(", ")),
        }
    });
    (
        lines.collect(),
        world.locations.len().saturating_sub(MOST_THINGS),
    )
}

fn places_ui(ui: &mut Ui, world: &WorldState) {
    let (lines, more) = place_lines(world);
    for line in lines {
        ui.label(excerpt(&line, MOST_CHARS));
    }
    and_more_ui(ui, more);
}

fn facts_ui(ui: &mut Ui, world: &WorldState) {
    let places = world.locations.len();
    ui.horizontal_wrapped(|ui| {
        let (things, places) = (
            counted(world.entities.len(), "thing"),
            counted(places, "place"),
        );
        ui.weak(format!("{things}, {places}"));
        for (flag, set) in world.flags.iter().take(MOST_FACTS) {
            ui.colored_label(if *set { GOOD } else { NOTED }, format!("{flag}: {set}"));
        }
        for (key, value) in world.facts.iter().take(MOST_FACTS) {
            ui.label(excerpt(&format!("{key} = {value}"), MOST_CHARS));
        }
        let more = |all: usize| all.saturating_sub(MOST_FACTS);
        and_more_ui(ui, more(world.flags.len()) + more(world.facts.len()));
    });
}

fn abilities_ui(ui: &mut Ui, read: &Read, selection: &mut Selection) {
    let Some(chosen) = &read.actor else {
        ui.weak("No actor is in the world.");
        return;
    };
    let name = |id: &str| read.world.name_of(id).unwrap_or_else(|| id.to_owned());
    ComboBox::from_id_salt("actor")
        .selected_text(name(chosen))
        .show_ui(ui, |ui| {
            for actor in read.actors.iter() {
                let label = format!("{} ({actor})", name(actor));
                if ui.selectable_label(actor == chosen, label).clicked() {
                    selection.actor = Some(actor.to_string());
                }
            }
        });
    Grid::new("abilities")
        .num_columns(2)
        .striped(true)
        .show(ui, |ui| {
            for row in read.abilities.iter() {
                ui.strong(row.action);
                ui.vertical(|ui| {
                    if !row.can.is_empty() {
                        let ways: Vec<&str> = row
                            .can
                            .iter()
                            .map(String::as_str)
                            .filter(|w| !w.is_empty())
                            .collect();
                        let words = if ways.is_empty() {
                            "can be done".to_owned()
                        } else {
                            ways.join(", ")
                        };
                        let words = excerpt(&words, MOST_CHARS);
                        ui.add(Label::new(RichText::new(words).color(GOOD)).wrap());
                    }
                    for (check, denied) in &row.cannot {
                        denied_ui(ui, check, denied, selection);
                    }
                    let denied: usize = row.cannot.values().map(Vec::len).sum();
                    if row.can.len() + denied >= MAX_COMBINATIONS {
                        ui.weak("There are more ways than are tried.");
                    }
                });
                ui.end_row();
            }
        });
}

/// What one check denies: what it says of the first way, and which other ways there are. Hovering them shows the rest.
fn denied_ui(ui: &mut Ui, check: &str, denied: &[(String, String)], selection: &mut Selection) {
    let Some(((_, first), others)) = denied.split_first() else {
        return;
    };
    ui.horizontal_wrapped(|ui| {
        rule_link(ui, check, selection);
        ui.colored_label(BAD, first);
        if others.is_empty() {
            return;
        }
        let ways: Vec<&str> = others.iter().map(|(way, _)| way.as_str()).collect();
        let words = format!("nor {}", excerpt(&ways.join(", "), MOST_CHARS));
        ui.add(Label::new(RichText::new(words).weak()).wrap())
            .on_hover_ui(|ui| {
                for (_, says) in others.iter().take(MOST_FACTS) {
                    ui.label(excerpt(says, MOST_CHARS));
                }
            });
    });
}

pub(super) fn things_ui(ui: &mut Ui, world: &WorldState, selection: &mut Selection) {
    search(ui, &mut selection.things, "id, name or kind");
    let (rows, more) = thing_rows(world, &selection.things);
    Grid::new("things")
        .num_columns(3)
        .striped(true)
        .show(ui, |ui| {
            for row in &rows {
                // A column of words that may wrap would become as narrow as a word.
                ui.vertical(|ui| {
                    ui.add(Label::new(excerpt(&row.name, 40)).extend());
                    let kind = format!("{} {}", row.id, row.kind);
                    ui.add(Label::new(RichText::new(excerpt(&kind, 40)).weak()).extend());
                });
                ui.add(Label::new(excerpt(&row.at, 40)).extend());
                ui.horizontal_wrapped(|ui| {
                    for (name, value) in &row.attributes {
                        ui.label(format!("{name}: {value}"));
                    }
                });
                ui.end_row();
            }
        });
    if more > 0 {
        ui.weak(format!("{more} more: type words to find them"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id;
    use crate::world::{EntityView, Judgement, LocationView, ReasonCode};

    fn world() -> WorldState {
        let thing = |name: &str, kind: &str, at| EntityView {
            name: name.to_owned(),
            kind: kind.to_owned(),
            at,
            ..EntityView::default()
        };
        let tower = LocationView {
            name: "the tower".to_owned(),
            ..LocationView::default()
        };
        WorldState {
            entities: [
                (
                    id!("key"),
                    thing("brass key", "item", Placement::CarriedBy(id!("wizard"))),
                ),
                (
                    id!("wizard"),
                    thing("Eldrin", "character", Placement::In(id!("tower"))),
                ),
                (
                    id!("ghost"),
                    thing("a ghost", "character", Placement::Offstage),
                ),
            ]
            .into(),
            locations: [(id!("tower"), tower)].into(),
            ..WorldState::default()
        }
    }

    #[test]
    fn i3_things_say_where_they_are_and_can_be_looked_for() {
        let (rows, more) = thing_rows(&world(), "");
        let found: Vec<(&str, &str)> = rows.iter().map(|r| (&*r.id, &*r.at)).collect();
        let wanted = [
            ("ghost", "nowhere"),
            ("key", "carried by Eldrin"),
            ("wizard", "in the tower"),
        ];
        assert_eq!((found.as_slice(), more), (&wanted[..], 0));
        assert_eq!(thing_rows(&world(), "BRASS").0.len(), 1);
    }

    #[test]
    fn i3_a_thousand_things_are_listed_in_parts() {
        let mut world = world();
        for n in 0..1_000 {
            let id = Id::new(format!("thing_{n}")).unwrap();
            world.entities.insert(id, EntityView::default());
        }
        let (rows, more) = thing_rows(&world, "");
        assert_eq!((rows.len(), more), (MOST_THINGS, 1_003 - MOST_THINGS));
    }

    #[test]
    fn i3_what_cannot_be_done_is_grouped_by_the_check_that_denies_it() {
        let tried = |target: &str, judgement| TriedAction {
            action: "open",
            references: vec![("target", Id::new(target).unwrap())],
            judgement,
        };
        let locked = || Judgement {
            result: ReasonCode::Locked,
            rule: Some("locked".to_owned()),
            message: "it is locked".to_owned(),
        };
        let tried = [
            tried("key", Judgement::OK),
            tried("wizard", locked()),
            tried("ghost", locked()),
        ];
        let rows = ability_rows(&world(), &tried);
        assert_eq!(rows.len(), 1);
        assert_eq!(rows[0].can, ["brass key"]);
        let denied = ["Eldrin", "a ghost"].map(|way| (way.to_owned(), "it is locked".to_owned()));
        assert_eq!(rows[0].cannot["locked"], denied);
    }
}
