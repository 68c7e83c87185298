//! How the rules of a second opinion are read from files.

use super::Scenario;
use crate::replay::regate::ChangedRules;
use std::collections::BTreeMap;
#[cfg(any(test, feature = "cli"))]
use {
    crate::authoring::files::{Files, read_bounded},
    crate::authoring::{Character, StoryBook},
    crate::format::AuthoringError,
    crate::world::ActionRegistry,
    std::path::{Path, PathBuf},
    std::sync::Arc,
};

impl From<&Scenario> for ChangedRules {
    fn from(scenario: &Scenario) -> Self {
        let characters = scenario.characters.iter();
        Self {
            story: Some(scenario.story.clone()),
            characters: characters.map(|c| (c.id.clone(), c.clone())).collect(),
            plans: Some(scenario.plans.clone()),
            replies: BTreeMap::new(),
        }
    }
}

#[cfg(any(test, feature = "cli"))]
impl ChangedRules {
    /// Reads `.story.ron`, `.npc.ron` and `.scenario.ron` files. A scenario gives its story and its characters. Files that
    /// these name by path are looked for next to the file, then in `assets/`.
    ///
    /// # Errors
    /// Everything that is wrong, each with its place; also a second story, and a second file of one character.
    pub fn read(paths: &[PathBuf], registry: &ActionRegistry) -> Result<Self, Vec<AuthoringError>> {
        let mut changed = Self::default();
        let mut errors = Vec::new();
        for path in paths {
            match Self::read_one(path, registry) {
                Ok(read) => errors.extend(changed.add(path, read)),
                Err(found) => errors.extend(found),
            }
        }
        if errors.is_empty() {
            Ok(changed)
        } else {
            Err(errors)
        }
    }

    fn read_one(path: &Path, registry: &ActionRegistry) -> Result<Self, Vec<AuthoringError>> {
        let file = path.display().to_string();
        let whole = |message: String| vec![AuthoringError::whole(&file, message)];
        let bytes = || read_bounded(path).map_err(|error| whole(error.to_string()));
        let files = Files::beside(path);
        if file.ends_with(".story.ron") {
            let story = StoryBook::parse(&bytes()?, &file, &files, registry)?;
            Ok(Self {
                story: Some(Arc::new(story)),
                ..Self::default()
            })
        } else if file.ends_with(".npc.ron") {
            let character = Arc::new(Character::parse(&bytes()?, &file, &files)?);
            Ok(Self {
                characters: BTreeMap::from([(character.id.clone(), character)]),
                ..Self::default()
            })
        } else if file.ends_with(".scenario.ron") {
            let scenario = Scenario::parse(&bytes()?, &file, &files, registry)?;
            Ok(Self::from(&scenario))
        } else {
            let wanted = "rules are read from .story.ron, .npc.ron and .scenario.ron files";
            Err(whole(wanted.to_owned()))
        }
    }

    /// Takes over what was read from a file. A part that an earlier file has already given is an error.
    fn add(&mut self, path: &Path, read: Self) -> Vec<AuthoringError> {
        let file = path.display().to_string();
        let mut errors = Vec::new();
        if read.story.is_some() && self.story.is_some() {
            let message = "this is a second story: one can be given";
            errors.push(AuthoringError::whole(&file, message));
        }
        self.story = self.story.take().or(read.story);
        self.plans = self.plans.take().or(read.plans);
        for (id, character) in read.characters {
            if self.characters.insert(id.clone(), character).is_some() {
                let message = format!("the NPC \"{id}\" was read from another file already");
                errors.push(AuthoringError::whole(&file, message));
            }
        }
        errors
    }
}
