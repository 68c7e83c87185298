//! Where states are kept: those of a character in its mind, those of a persona in [`Personas`], and a copy on the entity to read.

use super::states::{CurrentStates, Persona, Personas, StateEntry};
use crate::authoring::story_spec::PersonaSpec;
use crate::base::ids::Id;
use crate::memory::Mind;
use crate::npc::{HeldStates, LoadedCharacter, change_mind};
use crate::world::WorldIndex;
use bevy::prelude::*;

fn character(world: &World, id: &Id) -> Option<Entity> {
    let is_persona = world
        .get_resource::<Personas>()
        .is_some_and(|personas| personas.0.contains_key(id));
    let entity = WorldIndex::find(world, id)?;
    let is_character = world.get::<LoadedCharacter>(entity).is_some();
    (is_character && !is_persona).then_some(entity)
}

/// The states in a mind. Those that are `held` are marked as held.
pub(super) fn states_of(mind: &Mind, held: &[(String, String)]) -> Vec<StateEntry> {
    let states = mind.states.iter();
    states
        .map(|(label, category, level)| {
            let mut state = StateEntry {
                label: label.clone(),
                category: category.clone(),
                level: *level,
                held: false,
            };
            state.held = held
                .iter()
                .any(|(category, label)| state.is(category, label));
            state
        })
        .collect()
}

/// Which states of a character the game holds.
pub(super) fn held_states<'a>(
    own: Option<&'a HeldStates>,
    character: &'a LoadedCharacter,
) -> &'a [(String, String)] {
    own.map_or(&character.0.held_states, |own| &own.0)
}

/// The states of a character or persona now.
pub(super) fn read_states(world: &World, id: &Id) -> Vec<StateEntry> {
    let character = character(world, id).and_then(|npc| {
        let held = held_states(world.get(npc), world.get(npc)?);
        Some(states_of(world.get::<Mind>(npc)?, held))
    });
    match character {
        Some(states) => states,
        None => {
            let personas = world.get_resource::<Personas>();
            let persona = personas.and_then(|personas| personas.0.get(id));
            persona
                .map(|persona| persona.states.clone())
                .unwrap_or_default()
        }
    }
}

/// Writes the states of a character or persona.
pub(super) fn write_states(world: &mut World, id: &Id, states: Vec<StateEntry>) {
    match character(world, id) {
        Some(entity) => {
            let states = states
                .into_iter()
                .map(|state| (state.label, state.category, state.level));
            let states = states.collect();
            change_mind(world, entity, |mind| mind.states = states);
        }
        None => {
            let mut personas = world.get_resource_or_init::<Personas>();
            personas.0.entry(id.clone()).or_default().states = states;
        }
    }
}

/// What the states of a character are made of.
type States = (Mind, LoadedCharacter, HeldStates);

/// Shows what a character is like on its entity, whenever one of the three is written.
pub(super) fn on_states_written(written: On<Insert, States>, mut commands: Commands) {
    commands.entity(written.entity).queue_silenced(show_states);
}

/// The same where the game holds no states any more.
pub(super) fn on_states_let_go(let_go: On<Remove, HeldStates>, mut commands: Commands) {
    commands.entity(let_go.entity).queue_silenced(show_states);
}

fn show_states(mut entity: EntityWorldMut) {
    let (Some(mind), Some(character)) = (entity.get::<Mind>(), entity.get::<LoadedCharacter>())
    else {
        return;
    };
    let states = states_of(mind, held_states(entity.get(), character));
    let shown = entity.get::<CurrentStates>();
    if shown.map_or(&[][..], |shown| &shown.0) != states {
        entity.insert(CurrentStates(states));
    }
}

/// The system that shows what personas are like on their entities.
pub(super) fn show_persona_states(
    personas: Res<Personas>,
    index: Option<Res<WorldIndex>>,
    shown: Query<Option<&CurrentStates>>,
    mut commands: Commands,
) {
    for (id, persona) in &personas.0 {
        let Some(entity) = index.as_ref().and_then(|index| index.get(id)) else {
            continue;
        };
        let shown = shown.get(entity).ok().flatten();
        if shown.map_or(&[][..], |shown| &shown.0) != persona.states {
            let states = CurrentStates(persona.states.clone());
            commands.entity(entity).try_insert(states);
        }
    }
}

impl Persona {
    /// A persona as its author describes it.
    pub(crate) fn of(written: &PersonaSpec) -> Self {
        let states = written.states.iter().map(|state| StateEntry {
            label: state.label.clone(),
            category: state.category.clone(),
            level: state.level,
            held: state.held,
        });
        Self {
            description: written.description.clone(),
            states: states.collect(),
        }
    }
}

/// Adds the personas of a story. One that is played already stays as it is.
pub(super) fn add_personas(personas: &mut Personas, written: &[PersonaSpec]) {
    for persona in written {
        // Its id was checked when the story was read.
        if let Ok(id) = Id::new(&persona.id) {
            let played = personas.0.entry(id);
            played.or_insert_with(|| Persona::of(persona));
        }
    }
}
