//! A story file, and the checks of a world with its rules in any file.

use super::story_parts::StoryParts;
use crate::authoring::files::{FileSource, WithSource};
use crate::authoring::{StoryBook, StorySpec};
use crate::lint::closed::Closed;
use crate::lint::known_names::KnownNames;
use crate::lint::level::Level;
use crate::lint::linter::{Checked, Linter};
use crate::lint::place::{Part, Place};
use crate::lint::spoken::Spoken;
use crate::lint::worlds::KnownIds;
use crate::lint::{adventures, canon, firings, patterns, protection, rules, towns, worlds};

impl Linter<'_> {
    pub(super) fn story_file(
        &mut self,
        file: &str,
        bytes: &[u8],
        files: &dyn FileSource,
    ) -> Checked {
        let story = WithSource::<StorySpec>::parse(bytes, file)?;
        self.told_story(&story, files)
    }

    /// A story with a file of its own that a scenario tells. It is judged with all characters, not with those of the scenario.
    pub(super) fn story_elsewhere(
        &mut self,
        story: &WithSource<StorySpec>,
        files: &dyn FileSource,
    ) -> Checked {
        let name = self.findings.name(&story.file);
        if self.findings.is_root(&name) || !self.told.insert(name) {
            return Ok(());
        }
        self.told_story(story, files)
    }

    fn told_story(&mut self, story: &WithSource<StorySpec>, files: &dyn FileSource) -> Checked {
        let book = StoryBook::compile(story, files, &self.options.registry)?;
        let (spec, place) = (&story.value, Place::of(story));
        let parts = StoryParts::of(spec, &place, files);
        let world = parts.world.as_ref().map(Part::value);
        let folder = std::mem::take(&mut self.folder);
        let personas = spec.personas.iter().map(|persona| persona.id.as_str());
        let cast = KnownIds {
            // The id that the player has, unless the game gives it another one.
            played: personas.chain(["player"]).collect(),
            // The characters of a story outside of the folder may be there, too.
            open: folder.npcs.is_empty() || folder.unread || !self.findings.is_root(&story.file),
            groups: spec.groups.keys().map(String::as_str).collect(),
            ..KnownIds::shared(&folder.npcs)
        };
        let cast = cast.with_world(world);
        let uses = KnownNames::of(world, &cast, true);
        let rulebook = parts.rulebook.as_ref().map(Part::value);
        let closed = Closed::of(&cast).with_story(world, &spec.world_facts, rulebook);
        self.story(spec, &book, &parts, &closed, uses);
        self.folder = folder;
        Ok(())
    }

    /// What is checked of a story in any file. Gives its levels back.
    pub(super) fn story<'a>(
        &mut self,
        spec: &StorySpec,
        book: &StoryBook,
        parts: &'a StoryParts,
        closed: &Closed,
        uses: KnownNames,
    ) -> Vec<Level<'a>> {
        let place = &parts.place;
        canon::check(
            &spec.canon,
            &spec.world_facts,
            &book.canon,
            place,
            self.findings,
        );
        adventures::check_lore(&spec.lore, place, self.findings);
        towns::check_groups(&spec.groups, &spec.lore, closed.cast, place, self.findings);
        let spoken = Spoken {
            echo: spec.echo,
            limit: spec.limits.echo,
            reply_language: spec.reply_language,
            lexicon: Some(&book.lexicon),
        };
        spoken.check(place, self.findings);
        self.world(parts, closed, uses)
    }

    /// What is checked of a world with its rules.
    fn world<'a>(
        &mut self,
        parts: &'a StoryParts,
        closed: &Closed,
        uses: KnownNames,
    ) -> Vec<Level<'a>> {
        if let Some(world) = &parts.world {
            let folder = self.folder.npcs.iter().map(String::as_str);
            let cast = KnownIds {
                // A world with a file of its own may be that of characters who are not played here.
                npcs: closed.cast.npcs.iter().copied().chain(folder).collect(),
                ..closed.cast.clone()
            };
            let cast = if world.is_here() { closed.cast } else { &cast };
            worlds::check(world.value(), cast, &world.place(), self.findings);
        }
        let registry = &self.options.registry;
        let rulebook = parts.rulebook.as_ref().map(Part::value);
        for (trigger, place, _) in &parts.triggers {
            if let Some(fires) = &trigger.fires {
                let place = place.at("/fires");
                firings::check(
                    fires,
                    closed,
                    &uses,
                    rulebook,
                    registry,
                    &place,
                    self.findings,
                );
            }
        }
        if let Some(book) = &parts.rulebook {
            self.books.part(book, uses, registry, self.findings);
        }
        let levels = parts.levels();
        for (i, level) in levels.iter().enumerate() {
            let others: Vec<&Level> = levels
                .iter()
                .enumerate()
                .filter(|(j, _)| *j != i)
                .map(|(_, other)| other)
                .collect();
            rules::check(level, &others, self.findings);
            patterns::check_level(level, self.findings);
            protection::check_level(level, self.findings);
            closed.check(level, parts.place.file, self.findings);
        }
        levels
    }
}
