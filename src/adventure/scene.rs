//! Who is where in a turn, as the changes so far have left the world.

use super::bands::Bands;
use super::name_forms::with_forms;
use super::states::{Persona, Personas, StateEntry};
use super::write_states::{held_states, states_of};
use crate::authoring::Character;
use crate::authoring::adventure_settings::AdventureSettings;
use crate::base::ids::Id;
use crate::judged_world::state::senses::Senses;
use crate::memory::Mind;
use crate::npc::doing::{Doing, doing};
use crate::npc::{HeldStates, KnownNames, LoadedCharacter};
use crate::proposal::Speaker;
use crate::story::ActiveStory;
use crate::text::Lexicon;
use crate::world::{JudgedChange, Overlay, WorldRead, WorldView};
use bevy::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A character on stage.
#[derive(Debug, Clone)]
pub(super) struct OnStage {
    /// Its entity.
    pub entity: Entity,
    /// What its file says.
    pub character: Arc<Character>,
    /// Its states.
    pub states: Vec<StateEntry>,
    /// How many runs it has ended.
    pub interactions: u64,
}

/// All actors of a turn: the characters, in the order in which they became known, and the personas.
#[derive(Debug, Clone)]
pub(super) struct Cast {
    pub characters: Vec<OnStage>,
    pub personas: BTreeMap<Id, Persona>,
    /// Where each one is; `None`: nowhere.
    places: BTreeMap<Id, Option<Id>>,
    /// What each one cannot perceive.
    senses: BTreeMap<Id, Senses>,
    /// The names of each one, the first one first.
    names: BTreeMap<Id, Vec<String>>,
    /// Those who have no name but their id.
    nameless: BTreeSet<Id>,
    /// What those do now who have a routine.
    doings: BTreeMap<Id, Doing>,
    /// What levels of states are called.
    pub bands: Bands,
    /// What a persona without a name is called in templates.
    nameless_player: String,
    lexicon: Arc<Lexicon>,
}

/// Reads the world with changes that have not been installed.
pub(super) fn with_staged<T>(
    world: &World,
    changes: &[JudgedChange],
    read: impl FnOnce(&dyn WorldRead) -> T,
) -> T {
    let view = WorldView::new(world);
    read(&Overlay::after(&view, changes))
}

impl Cast {
    /// All actors, as the changes so far have left the world. `persona` plays in this turn.
    pub(super) fn of(world: &mut World, persona: &Id, changes: &[JudgedChange]) -> Self {
        let settings = world.get_resource_or_init::<AdventureSettings>();
        let levels = settings.bands;
        let story = world.get_resource::<ActiveStory>();
        let lexicon = story.map(|story| story.0.lexicon.clone());
        let lexicon = lexicon.unwrap_or_default();
        let nameless_player = lexicon.prompt.get("nameless_player").to_owned();
        let bands = Bands {
            levels,
            words: lexicon.prompt.clone(),
        };
        let mut personas = world.get_resource_or_init::<Personas>().0.clone();
        personas.entry(persona.clone()).or_default();
        let known = world.get_resource_or_init::<KnownNames>().all().to_vec();
        let order = |id: &Id| known.iter().position(|name| name == id.as_str());
        let mut all = world.query::<(Entity, &LoadedCharacter, &Mind, Option<&HeldStates>)>();
        let mut characters: Vec<OnStage> = all
            .iter(world)
            .filter(|(_, loaded, ..)| !personas.contains_key(&loaded.0.id))
            .map(|(entity, loaded, mind, held)| OnStage {
                entity,
                character: loaded.0.clone(),
                states: states_of(mind, held_states(held, loaded)),
                interactions: mind.interactions,
            })
            .collect();
        characters.sort_by_key(|one| (order(&one.character.id), one.character.id.clone()));
        let ids = characters.iter().map(|one| &one.character.id);
        let ids: Vec<Id> = ids.chain(personas.keys()).cloned().collect();
        let doings = ids
            .iter()
            .filter_map(|id| Some((id.clone(), doing(world, id)?)));
        let doings = doings.collect();
        let (mut places, mut names) = (BTreeMap::new(), BTreeMap::new());
        let (mut senses, mut nameless) = (BTreeMap::new(), BTreeSet::new());
        with_staged(world, changes, |world| {
            for id in ids {
                let view = world.entity(&id);
                let mut called: Vec<String> = view
                    .map(|view| [view.name].into_iter().chain(view.aliases).collect())
                    .unwrap_or_default();
                let own = characters.iter().find(|one| one.character.id == id);
                called.extend(own.map(|one| one.character.name.clone()));
                called.retain(|name| !name.is_empty());
                if called.is_empty() {
                    nameless.insert(id.clone());
                    called.push(id.to_string());
                }
                names.insert(id.clone(), called);
                senses.insert(id.clone(), Senses::of(world, &id));
                places.insert(id.clone(), world.place_of(&id));
            }
        });
        Self {
            characters,
            personas,
            places,
            senses,
            names,
            nameless,
            doings,
            bands,
            nameless_player,
            lexicon,
        }
    }

    /// Where an actor is; `None`: nowhere.
    pub(super) fn place(&self, id: &Id) -> Option<&Id> {
        self.places.get(id)?.as_ref()
    }

    /// What an actor cannot perceive.
    pub(super) fn senses(&self, id: &Id) -> Senses {
        self.senses.get(id).copied().unwrap_or_default()
    }

    /// The name of an actor; its id where it has no name.
    pub(super) fn name<'a>(&'a self, id: &'a Id) -> &'a str {
        let names = self.names.get(id);
        names
            .and_then(|names| names.first())
            .map_or(id, String::as_str)
    }

    /// What templates call a persona.
    pub(super) fn player_name<'a>(&'a self, id: &'a Id) -> &'a str {
        match self.nameless.contains(id) {
            true => &self.nameless_player,
            false => self.name(id),
        }
    }

    /// All names of an actor.
    pub(super) fn names(&self, id: &Id) -> Vec<String> {
        self.names.get(id).cloned().unwrap_or_default()
    }

    /// All actors at a place, in order of the ids. Those that are nowhere are together.
    pub(super) fn at(&self, place: Option<&Id>) -> Vec<Id> {
        let here = self.places.iter().filter(|(_, at)| at.as_ref() == place);
        here.map(|(id, _)| id.clone()).collect()
    }

    /// The names of those whom an actor sees in its place, itself left out, each with what it does now.
    pub(super) fn seen_beside(&self, id: &Id) -> Vec<String> {
        if self.senses(id).blind {
            return Vec::new();
        }
        let here = self.at(self.place(id)).into_iter();
        here.filter(|other| other != id && !self.senses(other).invisible)
            .map(|other| match self.doings.get(&other) {
                Some(doing) => {
                    format!("{} ({})", self.name(&other), doing.seen(&self.bands.words))
                }
                None => self.name(&other).to_owned(),
            })
            .collect()
    }

    /// What a character does now, in its own prompt; `None`: its routine does not say it.
    pub(super) fn own_doing(&self, id: &Id) -> Option<String> {
        let doing = self.doings.get(id)?;
        Some(doing.own(&self.bands.words, self.name(id)))
    }

    /// All speakers whose names are known, each with all forms in which a narrator may write the name.
    pub(super) fn speakers(&self) -> Vec<Speaker> {
        let speakers = self.names.iter().map(|(id, names)| Speaker {
            id: id.clone(),
            names: names.clone(),
        });
        with_forms(speakers.collect(), &self.lexicon)
    }

    /// A character by its id.
    pub(super) fn character(&self, id: &Id) -> Option<&OnStage> {
        self.characters.iter().find(|one| one.character.id == *id)
    }

    /// The states of an actor, as they are before this turn.
    pub(super) fn states(&self, id: &Id) -> &[StateEntry] {
        match self.character(id) {
            Some(one) => &one.states,
            None => self.personas.get(id).map_or(&[], |persona| &persona.states),
        }
    }
}
