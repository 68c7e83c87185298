//! The characters: where they are, what they perceive, what they are like now, and what waits for them.

use super::selection::Selection;
use super::theme::{GONE, GOOD, LIVE, NOTED, PALETTE};
use super::view::{InspectorView, MindView};
use super::widgets::{contains, counted, excerpt, is_called, more_ui, recent, search};
use crate::adventure::drift::Drift;
use crate::adventure::states::{MAX_LEVEL, StateEntry};
use crate::adventure::{AdventureSettings, Personas};
use crate::base::ids::Id;
use crate::judged_world::state::senses::Senses;
use crate::npc::doing::{current_entry, is_there};
use crate::npc::{Baked, Chattiness, HeldStates, LoadedCharacter, RequestQueue, Thinking};
use crate::text::fold::fold;
use crate::town::life::Life;
use crate::world::{WorldIndex, WorldRead, WorldView};
use bevy::prelude::{Entity, World};
use bevy_egui::egui::{ProgressBar, RichText, ScrollArea, Ui};

/// The most characters that are listed at once. Words to look for find the others.
const MOST_CHARACTERS: usize = 100;

/// A character or a persona, as the panel shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CharacterRow {
    /// Its id.
    pub id: Id,
    /// Its name; its id where it has none.
    pub name: String,
    /// The name of its place; `None` where it is nowhere.
    pub place: Option<String>,
    /// What it lacks, such as `deaf`; empty where nothing is missing.
    pub lacks: Vec<&'static str>,
    /// How readily it joins in the turns of an adventure, 0 to 100; `None` for a persona, for one that always does,
    /// and for one that is not spawned.
    pub chattiness: Option<u8>,
    /// Whether it is in the game now. Where it is not, only its memory is kept.
    pub is_spawned: bool,
    /// Whether it is played: it never acts by itself.
    pub is_persona: bool,
    /// What it is like now.
    pub states: Vec<StateRow>,
    /// What waits for it, in order of arrival.
    pub waiting: Vec<String>,
    /// Which attempt it is making, from 0; `None` while it does not think.
    pub thinking: Option<u32>,
    /// How many runs it has ended with a line.
    pub interactions: u64,
    /// Its day, its groups and its news, a line each.
    pub town: Vec<String>,
}

/// The most news that are listed of a character.
const MOST_NEWS: usize = 5;

/// What a character does and wants to do by its routine, to which groups it belongs, and which news it has from whom.
fn town(world: &World, npc: Option<Entity>, mind: &MindView) -> Vec<String> {
    let view = WorldView::new(world);
    let called = |id: &str| view.name_of(id).unwrap_or_else(|| id.to_owned());
    let mut lines = Vec::new();
    let character = npc.and_then(|npc| world.get::<LoadedCharacter>(npc));
    let entry = npc.and_then(|npc| current_entry(world, npc));
    let entry = character
        .zip(entry)
        .and_then(|(npc, entry)| npc.0.routine.get(entry));
    if let Some(entry) = entry {
        let does = entry.doing.as_deref().unwrap_or("nothing in particular");
        let place = entry.place.as_deref().map(called).unwrap_or_default();
        let busy = if entry.busy { ", busy" } else { "" };
        lines.push(match is_there(entry, view.placement(mind.npc).as_ref()) {
            true => format!("by its routine: {does}{busy}"),
            false => format!("by its routine: on its way to the {place} ({does}{busy})"),
        });
    }
    let life = npc.and_then(|npc| world.get::<Life>(npc));
    if let Some(blocked) = life.and_then(|life| life.blocked.back()) {
        let (to, reason) = (called(&blocked.to), blocked.reason.name());
        lines.push(format!("could not go to the {to}: {reason}"));
    }
    let groups = view
        .groups()
        .of(mind.npc)
        .map(|(_, group)| group.name.as_str());
    let groups: Vec<&str> = groups.collect();
    if !groups.is_empty() {
        lines.push(format!("belongs to {}", groups.join(", ")));
    }
    let news = mind.mind.episodes.iter().rev().filter_map(|episode| {
        let from = called(episode.hearsay.as_deref()?.way.last()?);
        let text = excerpt(&episode.text, 80);
        Some(format!(
            "{from} told it, over {}: {text}",
            counted(episode.hops() as usize, "telling")
        ))
    });
    lines.extend(news.take(MOST_NEWS));
    lines
}

/// A state, with where it is going.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StateRow {
    /// The state.
    pub state: StateEntry,
    /// How much its level changes by itself at the end of a turn.
    pub drift: i16,
}

/// The characters and personas whose id or name holds these words, by id, personas last: at most 100, and how many more there
/// are.
#[must_use]
pub fn character_rows(view: &InspectorView, words: &str) -> (Vec<CharacterRow>, usize) {
    let world = view.world;
    let live = WorldView::new(world);
    let settings = world.get_resource::<AdventureSettings>();
    let drift = settings.map(|settings| settings.drift).unwrap_or_default();
    let minds = view.minds.iter();
    let minds: Vec<&MindView> = minds.filter(|mind| is_called(mind, words)).collect();
    let more = minds.len().saturating_sub(MOST_CHARACTERS);
    let characters = minds.into_iter().take(MOST_CHARACTERS).map(|mind| {
        let entity = WorldIndex::find(world, mind.npc);
        let loaded = entity.and_then(|entity| world.get::<LoadedCharacter>(entity));
        let own = entity.and_then(|entity| world.get::<Chattiness>(entity));
        let baked = entity
            .and_then(|entity| world.get::<Baked>(entity))
            .map(|own| own.0);
        let baked = baked
            .or(loaded.map(|loaded| loaded.0.baked))
            .unwrap_or_default();
        let held = entity
            .and_then(|entity| world.get::<HeldStates>(entity))
            .map(|own| &own.0);
        let held = held.or(loaded.map(|loaded| &loaded.0.held_states));
        let states = mind
            .mind
            .states
            .iter()
            .map(|(label, category, level)| StateEntry {
                label: label.clone(),
                category: category.clone(),
                level: *level,
                held: held
                    .into_iter()
                    .flatten()
                    .any(|(of, name)| fold(of) == fold(category) && fold(name) == fold(label)),
            });
        let chattiness = own
            .map(|own| own.0)
            .or(loaded.map(|loaded| loaded.0.chattiness));
        CharacterRow {
            place: place(&live, mind.npc),
            lacks: lacks(Senses::of(&live, mind.npc)),
            chattiness: chattiness.filter(|_| !baked),
            is_spawned: mind.name.is_some(),
            is_persona: false,
            states: drifting(drift, states.collect()),
            waiting: entity
                .and_then(|entity| world.get::<RequestQueue>(entity))
                .map(|queue| queue.in_words().collect())
                .unwrap_or_default(),
            thinking: entity.and_then(|entity| Some(world.get::<Thinking>(entity)?.attempt)),
            interactions: mind.mind.interactions,
            town: town(world, entity, mind),
            name: mind.name.unwrap_or(mind.npc).to_owned(),
            id: mind.npc.clone(),
        }
    });
    let personas = world.get_resource::<Personas>();
    let personas = personas.into_iter().flat_map(|personas| &personas.0);
    let personas = personas.map(|(id, persona)| {
        let name = live.name_of(id).unwrap_or_else(|| id.to_string());
        (id, persona, name)
    });
    let wanted = personas.filter(|(id, _, name)| contains(words, [id.as_str(), name.as_str()]));
    let personas = wanted.map(|(id, persona, name)| CharacterRow {
        name,
        place: place(&live, id),
        lacks: lacks(Senses::of(&live, id)),
        chattiness: None,
        is_spawned: true,
        is_persona: true,
        states: drifting(drift, persona.states.clone()),
        waiting: Vec::new(),
        thinking: None,
        interactions: 0,
        town: Vec::new(),
        id: id.clone(),
    });
    (characters.chain(personas).collect(), more)
}

fn place(world: &WorldView, id: &str) -> Option<String> {
    world.name_of(&world.place_of(id)?)
}

fn lacks(senses: Senses) -> Vec<&'static str> {
    let all = [
        (senses.deaf, "deaf"),
        (senses.mute, "mute"),
        (senses.blind, "blind"),
        (senses.invisible, "invisible"),
    ];
    all.into_iter()
        .filter(|(is, _)| *is)
        .map(|(_, word)| word)
        .collect()
}

/// The states, each with what a turn would make of it by itself.
fn drifting(drift: Drift, states: Vec<StateEntry>) -> Vec<StateRow> {
    let rows = states.into_iter().map(|state| {
        let alone = std::slice::from_ref(&state);
        let after = drift
            .after_turn(alone, 1)
            .first()
            .map_or(0, |after| after.level);
        StateRow {
            drift: i16::from(after) - i16::from(state.level),
            state,
        }
    });
    rows.collect()
}

/// Draws all characters and personas.
pub(super) fn characters_ui(ui: &mut Ui, view: &InspectorView, selection: &mut Selection) {
    let personas = view.world.get_resource::<Personas>();
    if view.minds.is_empty() && personas.is_none_or(|personas| personas.0.is_empty()) {
        ui.weak("There is no character yet.");
        return;
    }
    search(ui, &mut selection.characters, "id or name");
    let words = selection.characters.clone();
    let read = recent(ui, "characters", words, || {
        character_rows(view, &selection.characters)
    });
    let (rows, more) = &*read;
    ScrollArea::vertical()
        .id_salt("characters")
        .auto_shrink(false)
        .show(ui, |ui| {
            for row in rows {
                row_ui(ui, row, selection);
                ui.separator();
            }
            more_ui(ui, *more);
        });
}

fn row_ui(ui: &mut Ui, row: &CharacterRow, selection: &mut Selection) {
    ui.horizontal_wrapped(|ui| {
        ui.label(RichText::new(&row.name).strong().size(15.0));
        ui.weak(row.id.as_str());
        match &row.place {
            Some(place) => ui.label(format!("in {place}")),
            None => ui.colored_label(GONE, "nowhere"),
        };
        for word in &row.lacks {
            ui.colored_label(NOTED, *word);
        }
        if let Some(attempt) = row.thinking {
            ui.colored_label(LIVE, format!("thinks, attempt {attempt}"));
        }
        if !row.is_persona && ui.link("memory").clicked() {
            selection.show_memory(&row.id);
        }
    });
    ui.horizontal_wrapped(|ui| match (row.is_persona, row.chattiness) {
        (true, _) => {
            ui.weak("played by a player");
        }
        (false, _) if !row.is_spawned => {
            ui.weak("not spawned");
        }
        (false, None) => {
            ui.weak("acts in every turn of an adventure");
        }
        (false, Some(chance)) => {
            ui.weak("acts in");
            ui.add(
                ProgressBar::new(f32::from(chance) / 100.0)
                    .desired_width(80.0)
                    .text(format!("{chance}%")),
            );
            ui.weak("of the turns of an adventure");
        }
    });
    if !row.is_persona {
        let interactions = usize::try_from(row.interactions).unwrap_or(usize::MAX);
        ui.weak(format!("{} so far", counted(interactions, "interaction")));
    }
    for line in &row.town {
        ui.label(line);
    }
    for (n, words) in row.waiting.iter().enumerate() {
        let words = format!("waits, {}: {}", n + 1, excerpt(words, 120));
        ui.colored_label(NOTED, words);
    }
    for StateRow { state, drift } in &row.states {
        ui.horizontal(|ui| {
            let level = f32::from(state.level) / f32::from(MAX_LEVEL);
            let colour = if state.is_manifest() {
                PALETTE[0]
            } else {
                GONE
            };
            let bar = ProgressBar::new(level).desired_width(120.0).fill(colour);
            ui.add(bar.text(format!("{} / {MAX_LEVEL}", state.level)));
            ui.label(&state.label);
            ui.weak(&state.category);
            if state.held {
                ui.weak("held by the game");
            } else if *drift != 0 {
                let colour = if *drift > 0 { GOOD } else { NOTED };
                ui.colored_label(colour, format!("{drift:+} a turn"));
            }
            if !state.is_manifest() {
                ui.weak("not manifest yet");
            }
        });
    }
    if row.is_persona && row.states.is_empty() {
        ui.weak("no states yet");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adventure::drift::DriftRate;

    #[test]
    fn i3_a_state_shows_where_it_is_going() {
        let drift = Drift {
            temporal: DriftRate {
                per_turn: -1,
                ..DriftRate::default()
            },
            ..Drift::default()
        };
        let state = |label: &str, category: &str, level| StateEntry {
            label: label.to_owned(),
            category: category.to_owned(),
            level,
            held: label == "proud",
        };
        let rows = drifting(
            drift,
            vec![
                state("angry", "temporal", 9),
                state("tired", "temporal", 1),
                state("proud", "temporal", 9),
                state("kind", "core", 20),
            ],
        );
        let by: Vec<i16> = rows.iter().map(|row| row.drift).collect();
        assert_eq!(by, [-1, -1, 0, 0]);
    }
}
