//! A scenario file: a closed world, in which only its own steps set a flag or speak to a character.

use super::story_parts::StoryParts;
use crate::authoring::files::{FileSource, WithSource};
use crate::format::Inline;
use crate::lint::closed::Closed;
use crate::lint::known_names::KnownNames;
use crate::lint::level::Level;
use crate::lint::linter::{Checked, Linter};
use crate::lint::place::{Part, Place};
use crate::lint::spoken::Spoken;
use crate::lint::worlds::KnownIds;
use crate::lint::{
    LintKind, adventures, canon, fallbacks, rulebooks, spoken, steps, taxonomies, towns,
};
use crate::scenario::own_story::story_spec;
use crate::scenario::{Scenario, ScenarioSpec, StepSpec};

impl Linter<'_> {
    pub(super) fn scenario_file(
        &mut self,
        file: &str,
        bytes: &[u8],
        files: &dyn FileSource,
    ) -> Checked {
        let sourced = WithSource::<ScenarioSpec>::parse(bytes, file)?;
        let scenario = Scenario::parse(bytes, file, files, &self.options.registry)?;
        let (spec, place) = (&sourced.value, Place::of(&sourced));
        if spec.from.is_some() {
            // Who and what there is, the recording says.
            let npcs = Part::list(&spec.npcs, &place.at("/npcs"), files);
            for npc in &npcs {
                self.npc(npc.value(), &npc.place(), &[], files);
            }
            return Ok(());
        }
        // A scenario tells its story itself, or names one.
        let of_file = spec.story.as_ref();
        let of_file = of_file.and_then(|story| Part::of(story, place.at("/story"), files));
        let own = story_spec(spec);
        let (told, told_at) = match &of_file {
            Some(story) => (story.value(), story.place()),
            None => (&own, place.clone()),
        };
        let parts = StoryParts::of(told, &told_at, files);
        let npcs = Part::list(&spec.npcs, &place.at("/npcs"), files);
        let world = parts.world.as_ref().map(Part::value);
        let personas = spec.personas.iter().map(|persona| persona.id.as_str());
        let cast = KnownIds {
            npcs: npcs.iter().map(|npc| npc.value().id.as_str()).collect(),
            played: personas.chain([spec.player.as_str()]).collect(),
            groups: told.groups.keys().map(String::as_str).collect(),
            complete: true,
            ..KnownIds::default()
        };
        let cast = cast.with_world(world);
        cast.player(&spec.player, &place.at("/player"), self.findings);
        let uses = KnownNames::of(world, &cast, false).with_steps(&spec.steps);
        let lines = npcs
            .iter()
            .flat_map(|npc| npc.value().fallbacks.triggers.keys());
        let closed = Closed {
            triggers: lines
                .chain(told.triggers.iter().map(|trigger| &trigger.id))
                .map(String::as_str)
                .collect(),
            ..Closed::of(&cast)
        };
        let rulebook = parts.rulebook.as_ref().map(Part::value);
        let closed = closed
            .with_story(world, &told.world_facts, rulebook)
            .with_steps(&spec.steps);
        let levels = match &of_file {
            Some(Part::Elsewhere(story)) => {
                if let Some(book @ Part::Elsewhere(_)) = &parts.rulebook {
                    let registry = &self.options.registry;
                    self.books.part(book, uses, registry, self.findings);
                }
                self.story_elsewhere(story, files)?;
                parts.levels()
            }
            _ => {
                if told.gossip.is_some() {
                    towns::check_gossip(npcs.len(), &told_at, self.findings);
                }
                self.story(told, &scenario.story, &parts, &closed, uses)
            }
        };
        let levels: Vec<&Level> = levels.iter().collect();
        let judged_by = scenario.story.rulebook();
        for (i, npc) in npcs.iter().enumerate() {
            let rules = self.npc(npc.value(), &npc.place(), &levels, files);
            let level = Level::of_npc(npc.value(), &npc.place(), &rules);
            closed.check(&level, file, self.findings);
            // What is wrong with a shared character only here is told here.
            let place_of = |below: &str| {
                if npc.is_here() {
                    npc.place().at(below)
                } else {
                    place.item("/npcs", i)
                }
            };
            let location = npc.value().location.as_ref();
            // The check of the character's own file tells it where no story has the place.
            let location = location.filter(|at| npc.is_here() || !self.folder.lacks(at));
            if let Some(location) = location {
                cast.location(location, &place_of("/location"), self.findings);
            }
            towns::check_places(npc.value(), place_of, world, &cast, self.findings);
            for (i, action) in npc.value().may.iter().flatten().enumerate() {
                let registry = &self.options.registry;
                if let Some(message) = rulebooks::denied_action(action, judged_by, registry) {
                    let place = place_of(&format!("/may/{i}"));
                    self.findings.add(LintKind::NeverPossible, &place, message);
                }
            }
            adventures::check_states(&npc.value().states, &place_of("/states"), self.findings);
            if spec
                .steps
                .iter()
                .any(|step| matches!(step, StepSpec::Turn { .. }))
            {
                let place = place_of("");
                adventures::check_activity(npc.value(), &spec.adventure, &place, self.findings);
            }
            canon::check_memories(npc.value(), place_of, &scenario.story.canon, self.findings);
            let character = scenario.characters.get(i).map(|character| &**character);
            if npc.is_here() {
                let language = character.map(|character| scenario.story.language_of(character));
                Spoken::of_npc(npc.value(), language).check(&npc.place(), self.findings);
            }
            let language = character.and_then(|one| scenario.story.checked_language_of(one));
            let says_all = npc.value().reply_language.is_some() && npc.value().lexicon.is_some();
            if let Some(language) = language.filter(|_| npc.is_here() || !says_all) {
                spoken::check_words(npc.value(), language, place_of, self.findings);
            }
        }
        for (i, persona) in spec.personas.iter().enumerate() {
            let place = place.item("/personas", i);
            adventures::check_states(&persona.states, &place, self.findings);
        }
        fallbacks::check_scenario(spec, &npcs, &place, self.findings);
        for (i, step) in spec.steps.iter().enumerate() {
            steps::check_step(
                step,
                &cast,
                &self.options.registry,
                &place.item("/steps", i),
                self.findings,
            );
        }
        steps::check_replies(&spec.replies, &cast, &place.at("/replies"), self.findings);
        for (i, expectation) in spec.expect.iter().enumerate() {
            steps::check_expectation(expectation, &cast, &place.item("/expect", i), self.findings);
        }
        if let Some(Inline::Here(taxonomy)) = &spec.plans.taxonomy {
            let place = place.at("/plans/taxonomy");
            let registry = &self.options.registry;
            taxonomies::check_taxonomy(taxonomy, registry, &place, self.findings);
        }
        for (i, location) in spec.plans.scope.iter().enumerate() {
            cast.location(location, &place.item("/plans/scope", i), self.findings);
        }
        Ok(())
    }
}
