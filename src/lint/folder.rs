//! What all checked files say there is. A character's own file does not: it only names places, flags and groups.

use super::closed::Closed;
use super::endings::ending_of;
use super::findings::Findings;
use super::level::Level;
use super::place::{Part, Place};
use super::report::LintKind::Repeated;
use super::towns;
use super::worlds::KnownIds;
use crate::authoring::files::{Files, WithSource};
use crate::authoring::routine::RoutineEntrySpec;
use crate::authoring::{NpcSpec, StorySpec};
use crate::format::Inline;
use crate::judged_world::rulebook::{ActionEffect, Rulebook};
use crate::scenario::own_story::story_spec;
use crate::scenario::{ScenarioSpec, StepSpec};
use crate::world::WorldSpec;
use serde::de::DeserializeOwned;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// What the files of a folder describe, each in what it is about.
#[derive(Default)]
pub(super) struct Folder {
    /// The characters with files of their own.
    pub npcs: BTreeSet<String>,
    /// The first file of each character, by its folder and its id.
    first: BTreeMap<(PathBuf, String), PathBuf>,
    locations: BTreeSet<String>,
    entities: BTreeSet<String>,
    flags: BTreeSet<String>,
    facts: BTreeSet<String>,
    groups: BTreeSet<String>,
    /// Whether the file of a character cannot be read, so that its id is not known.
    pub unread: bool,
    /// Whether a story with a file of its own is there. What is wrong in the world of a scenario is told in the scenario.
    told: bool,
    /// Whether a character may be in a world that no file describes, or in one that cannot be read.
    vague: bool,
}

impl Folder {
    /// Takes in a file, as far as it can be read: what cannot is told by the check of the file itself.
    pub fn take_in(&mut self, path: &Path, bytes: &[u8]) {
        let file = path.display().to_string();
        match ending_of(&file) {
            Some(".npc.ron") => {
                let Some(npc) = read::<NpcSpec>(bytes, &file) else {
                    self.unread = true;
                    return;
                };
                let id = npc.value.id;
                let folder = path.parent().unwrap_or(Path::new("")).to_owned();
                let of_id = self.first.entry((folder, id.clone()));
                of_id.or_insert_with(|| path.to_owned());
                self.npcs.insert(id);
            }
            Some(".story.ron") => {
                self.told = true;
                let story = read::<StorySpec>(bytes, &file);
                let described = story.map(|story| self.story(&story.value, &story, path));
                self.vague |= described != Some(true);
            }
            Some(".scenario.ron") => match read::<ScenarioSpec>(bytes, &file) {
                Some(scenario) => self.scenario(&scenario, path),
                None => self.vague = true,
            },
            Some(".rulebook.ron") => {
                if let Some(book) = read::<Rulebook>(bytes, &file) {
                    self.rulebook(&book.value);
                }
            }
            _ => {}
        }
    }

    fn scenario(&mut self, scenario: &WithSource<ScenarioSpec>, path: &Path) {
        let spec = &scenario.value;
        let described = match &spec.story {
            Some(story) => {
                let story = Part::of(story, Place::of(scenario), &Files::beside(path));
                // The places in it are relative to its own file.
                match story {
                    Some(Part::Here(story, _)) => self.story(story, scenario, path),
                    Some(Part::Elsewhere(story)) => {
                        self.told = true;
                        self.story(&story.value, &story, path)
                    }
                    None => false,
                }
            }
            None => self.story(&story_spec(spec), scenario, path),
        };
        let shares = spec.npcs.iter().any(|npc| matches!(npc, Inline::Path(_)));
        self.vague |= !described && shares;
        for step in spec.steps.iter().flat_map(|step| step.with_inner()) {
            match step {
                StepSpec::SetFlag { name, .. } => {
                    self.flags.insert(name.clone());
                }
                StepSpec::SetWorldFact { key, .. } => {
                    self.facts.insert(key.clone());
                }
                _ => {}
            }
        }
    }

    /// Takes in a story of this file. Returns whether it describes places or things.
    fn story<T>(&mut self, story: &StorySpec, source: &WithSource<T>, path: &Path) -> bool {
        let (place, files) = (Place::of(source), Files::beside(path));
        self.groups.extend(story.groups.keys().cloned());
        self.facts.extend(story.world_facts.keys().cloned());
        let book = story.rulebook.as_ref();
        if let Some(book) = book.and_then(|book| Part::of(book, place.clone(), &files)) {
            self.rulebook(book.value());
        }
        let world = story.world.as_ref();
        let world: Option<Part<WorldSpec>> = world.and_then(|world| Part::of(world, place, &files));
        let Some(world) = world.as_ref().map(Part::value) else {
            return false;
        };
        self.flags.extend(world.flags.keys().cloned());
        self.locations.extend(world.locations.keys().cloned());
        self.entities.extend(world.entities.keys().cloned());
        !world.locations.is_empty() || !world.entities.is_empty()
    }

    fn rulebook(&mut self, book: &Rulebook) {
        let effects = book.actions.values().flat_map(|action| &action.effects);
        for effect in effects {
            if let ActionEffect::SetFlag(name, _) = effect {
                self.flags.insert(name.clone());
            }
        }
    }

    /// Checks what the file of a character names, where these files say what there is. Flags and facts are the game's, too:
    /// there only a slip of the pen is sure.
    pub fn check(&self, npc: &NpcSpec, level: &Level, place: &Place, findings: &mut Findings) {
        self.check_id(&npc.id, place, findings);
        let Some(cast) = self.cast() else {
            return;
        };
        if let Some(location) = &npc.location {
            cast.location(location, &place.at("/location"), findings);
        }
        towns::check_places(npc, |below| place.at(below), None, &cast, findings);
        self.check_slips(level, &cast, place.file, findings);
    }

    /// Checks the rules of a file of their own.
    pub fn check_rules(&self, level: &Level, file: &str, findings: &mut Findings) {
        if let Some(cast) = self.cast() {
            self.check_slips(level, &cast, file, findings);
        }
    }

    /// Checks where a routine with a file of its own leads.
    pub fn check_routine(
        &self,
        entries: &[RoutineEntrySpec],
        place: &Place,
        findings: &mut Findings,
    ) {
        let cast = self.cast();
        let places = entries.iter().enumerate();
        for (i, to) in places.filter_map(|(i, entry)| Some((i, entry.place.as_ref()?))) {
            if let Some(cast) = &cast {
                cast.location(to, &place.item("", i).at("/place"), findings);
            }
        }
    }

    /// Whether the stories say which places there are, and not this one.
    pub fn lacks(&self, location: &str) -> bool {
        let cast = self.cast();
        let locations = cast.and_then(|cast| cast.locations);
        locations.is_some_and(|known| !known.contains(location))
    }

    /// Who and what there is; `None` where the files do not say it.
    fn cast(&self) -> Option<KnownIds<'_>> {
        (self.told && !self.vague).then(|| KnownIds {
            locations: (!self.locations.is_empty()).then(|| names(&self.locations)),
            entities: names(&self.entities),
            groups: names(&self.groups),
            ..KnownIds::shared(&self.npcs)
        })
    }

    fn check_slips(&self, level: &Level, cast: &KnownIds, file: &str, findings: &mut Findings) {
        let closed = Closed {
            flags: names(&self.flags),
            facts: (self.facts.iter().map(|key| (key.as_str(), Vec::new()))).collect(),
            ..Closed::of(cast)
        };
        closed.check_slips(level, file, findings);
    }

    fn check_id(&self, id: &str, place: &Place, findings: &mut Findings) {
        let path = Path::new(place.file);
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        let first = self.first.get(&(folder, id.to_owned()));
        if let Some(first) = first.filter(|first| *first != path) {
            let name = first.file_name().unwrap_or_default().to_string_lossy();
            let message = format!(
                "the character in \"{}\" has the id \"{}\", too: give one of them another id",
                name.escape_debug(),
                id.escape_debug()
            );
            findings.add(Repeated, &place.at("/id"), message);
        }
    }
}

fn read<T: DeserializeOwned>(bytes: &[u8], file: &str) -> Option<WithSource<T>> {
    WithSource::parse(bytes, file).ok()
}

fn names(set: &BTreeSet<String>) -> BTreeSet<&str> {
    set.iter().map(String::as_str).collect()
}
