//! What is checked in each kind of file. A story and a scenario have a file of their own here.

mod scenario_file;
mod story_file;
mod story_parts;

use super::allow_comment::first_code;
use super::endings::ending_of;
use super::findings::Findings;
use super::folder::Folder;
use super::known_names::KnownNames;
use super::level::Level;
use super::place::{Part, Place};
use super::report::{LintKind, LintOptions};
use super::rulebook_files::RulebookFiles;
use super::taxonomies;
use crate::authoring::files::{FileSource, WithSource};
use crate::authoring::routine::{RoutineEntrySpec, load_routine};
use crate::authoring::rulebooks::whole_rulebook;
use crate::authoring::{Character, NpcSpec};
#[cfg(feature = "cli")]
use crate::bench::Bench;
use crate::engine::{ScriptSpec, ScriptedEngine};
use crate::format::{AuthoringError, Inline};
use crate::judged_world::rulebook::Rulebook;
use crate::lint::spoken::Spoken;
use crate::lint::worlds::{self, KnownIds};
use crate::lint::{fallbacks, minds, patterns, protection, rulebooks, rules, spoken, steps, towns};
use crate::pipeline::stage::template::check_template;
use crate::pipeline::stage::template_files::{located, name_of};
use crate::plans::Taxonomy;
use crate::policy::ReplyLanguage;
use crate::rules::compiled::{CompileRules, OpenRules};
use crate::rules::{RuleLevel, RuleSpec};
use crate::text::Lexicon;
use crate::text::fold::fold;
use crate::world::WorldSpec;
use std::collections::BTreeSet;

/// The errors are those of a file that cannot be read at all.
type Checked = Result<(), Vec<AuthoringError>>;

/// Checks files one after the other, and keeps what can be told only when all of them are seen.
pub(super) struct Linter<'f> {
    options: &'f LintOptions,
    pub(super) findings: &'f mut Findings,
    /// What all checked files describe.
    pub(super) folder: Folder,
    /// The story files outside of the folder that were checked.
    pub(super) told: BTreeSet<String>,
    /// The rulebooks with files of their own.
    books: RulebookFiles,
}

impl<'f> Linter<'f> {
    pub(super) fn new(options: &'f LintOptions, findings: &'f mut Findings) -> Self {
        Self {
            options,
            findings,
            folder: Folder::default(),
            told: BTreeSet::new(),
            books: RulebookFiles::default(),
        }
    }

    /// Checks what can be told only when all files are seen.
    pub(super) fn finish(self, is_folder: bool) {
        self.books.finish(is_folder, self.findings);
    }

    pub(super) fn check_file(&mut self, file: &str, bytes: &[u8], files: &dyn FileSource) {
        if let Ok(source) = crate::format::error::decode(bytes, file) {
            self.findings.source(file, source);
        }
        let checked = match ending_of(file) {
            Some(".npc.ron") => self.npc_file(file, bytes, files),
            Some(".routine.ron") => self.routine_file(file, bytes, files),
            Some(".story.ron") => self.story_file(file, bytes, files),
            Some(".world.ron") => self.world_file(file, bytes),
            Some(".rulebook.ron") => self.rulebook_file(file, bytes, files),
            Some(".rules.ron") => self.rules_file(file, bytes),
            Some(".script.ron") => self.script_file(file, bytes),
            Some(".lexicon.ron") => lexicon_file(file, bytes),
            Some(".hbs") => template_file(file, bytes),
            Some(".taxonomy.ron") => self.taxonomy_file(file, bytes),
            #[cfg(feature = "cli")]
            Some(".bench.ron") => {
                Bench::parse(bytes, file, files, &self.options.registry).map(drop)
            }
            _ => self.scenario_file(file, bytes, files),
        };
        if let Err(errors) = checked {
            self.findings.unreadable(errors);
        }
    }

    fn npc_file(&mut self, file: &str, bytes: &[u8], files: &dyn FileSource) -> Checked {
        let npc = WithSource::<NpcSpec>::parse(bytes, file)?;
        let character = Character::compile(&npc, files)?;
        let place = Place::of(&npc);
        let rules = self.npc(&npc.value, &place, &[], files);
        let level = Level::of_npc(&npc.value, &place, &rules);
        self.folder.check(&npc.value, &level, &place, self.findings);
        fallbacks::check_npc(&npc.value, &place, self.findings);
        let lexicon = character.lexicon.as_deref();
        Spoken::of_npc(&npc.value, lexicon).check(&place, self.findings);
        if let (Some(ReplyLanguage::Check), Some(lexicon)) = (character.reply_language, lexicon) {
            spoken::check_words(&npc.value, lexicon, |below| place.at(below), self.findings);
        }
        Ok(())
    }

    fn routine_file(&mut self, file: &str, bytes: &[u8], files: &dyn FileSource) -> Checked {
        let routine = WithSource::<Vec<RoutineEntrySpec>>::parse(bytes, file)?;
        load_routine(&routine, &Inline::Here(routine.value.clone()), "", files)?;
        let place = Place::of(&routine);
        towns::check_entries(&routine.value, |i| place.item("", i), self.findings);
        self.folder
            .check_routine(&routine.value, &place, self.findings);
        Ok(())
    }

    fn world_file(&mut self, file: &str, bytes: &[u8]) -> Checked {
        let world = WithSource::<WorldSpec>::parse(bytes, file)?;
        let compiled = world.value.compile();
        compiled.map_err(|problems| world.locate_all(&problems))?;
        let cast = KnownIds::shared(&self.folder.npcs).with_world(Some(&world.value));
        worlds::check(&world.value, &cast, &Place::of(&world), self.findings);
        Ok(())
    }

    fn rulebook_file(&mut self, file: &str, bytes: &[u8], files: &dyn FileSource) -> Checked {
        let book = WithSource::<Rulebook>::parse(bytes, file)?;
        let registry = &self.options.registry;
        whole_rulebook(&book, files, registry)?;
        self.books
            .file(&book, KnownNames::default(), registry, self.findings);
        Ok(())
    }

    fn taxonomy_file(&mut self, file: &str, bytes: &[u8]) -> Checked {
        Taxonomy::parse(bytes, file)?;
        let taxonomy = WithSource::<Taxonomy>::parse(bytes, file)?;
        let (place, registry) = (Place::of(&taxonomy), &self.options.registry);
        taxonomies::check_taxonomy(&taxonomy.value, registry, &place, self.findings);
        Ok(())
    }

    /// One rule, or a list of them.
    fn rules_file(&mut self, file: &str, bytes: &[u8]) -> Checked {
        let source = crate::format::error::decode(bytes, file)?;
        let listed = first_code(source) == Some('[');
        let rules = if listed {
            WithSource::<Vec<RuleSpec>>::parse(bytes, file)
        } else {
            WithSource::<RuleSpec>::parse(bytes, file).map(|one| one.with(vec![one.value.clone()]))
        };
        let rules = rules?;
        let place = Place::of(&rules);
        let place_of = |i| {
            if listed {
                place.item("", i)
            } else {
                place.clone()
            }
        };
        let mut compile = CompileRules::new(RuleLevel::World);
        let mut open = OpenRules::default();
        for (i, rule) in rules.value.iter().enumerate() {
            compile.rule(&mut open, rule, &place_of(i).pointer);
        }
        compile
            .finish(open)
            .map_err(|problems| rules.locate_all(&problems))?;
        let parts: Vec<Part<RuleSpec>> = rules
            .value
            .iter()
            .enumerate()
            .map(|(i, rule)| Part::Here(rule, place_of(i)))
            .collect();
        let level = Level {
            // The rules next to them are known only where they are used.
            whole: false,
            ..Level::new(RuleLevel::World, &parts, &[], &place)
        };
        rules::check(&level, &[], self.findings);
        patterns::check_level(&level, self.findings);
        protection::check_level(&level, self.findings);
        self.folder.check_rules(&level, file, self.findings);
        Ok(())
    }

    fn script_file(&mut self, file: &str, bytes: &[u8]) -> Checked {
        let script = WithSource::<ScriptSpec>::parse(bytes, file)?;
        ScriptedEngine::new(&script.value).map_err(|problem| vec![script.locate(&problem)])?;
        let place = Place::of(&script).at("/replies");
        let cast = KnownIds::shared(&self.folder.npcs);
        steps::check_replies(&script.value.replies, &cast, &place, self.findings);
        Ok(())
    }

    /// What is checked of a character in any file. Returns its rules.
    fn npc<'a>(
        &mut self,
        npc: &'a NpcSpec,
        place: &Place<'a>,
        others: &[&Level],
        files: &dyn FileSource,
    ) -> Vec<Part<'a, RuleSpec>> {
        let rules = Part::list(&npc.rules, &place.at("/rules"), files);
        let level = Level::of_npc(npc, place, &rules);
        rules::check(&level, others, self.findings);
        patterns::check_level(&level, self.findings);
        protection::check_level(&level, self.findings);
        protection::check_persona(npc, place, files, self.findings);
        fallbacks::check_lines(npc, place, self.findings);
        minds::check(npc, place, self.findings);
        if let Inline::Here(entries) = &npc.routine {
            towns::check_entries(entries, |i| place.item("/routine", i), self.findings);
        }
        for (i, action) in npc.may.iter().flatten().enumerate() {
            if let Some(message) = rulebooks::unknown_action(action, &self.options.registry) {
                self.findings
                    .add(LintKind::Unresolved, &place.item("/may", i), message);
            }
        }
        rules
    }
}

/// A template of a stage: its name says which.
fn template_file(file: &str, bytes: &[u8]) -> Checked {
    let source = crate::format::error::decode(bytes, file)?;
    check_template(name_of(file), source).map_err(|error| vec![located(&error, file)])
}

/// The words of a language: each entry must be as words are compared, else it is never found.
fn lexicon_file(file: &str, bytes: &[u8]) -> Checked {
    let lexicon = WithSource::<Lexicon>::parse(bytes, file)?;
    // The words of the prompt are read by a model, as they are.
    let tables = lexicon.source.lines().enumerate();
    let tables = tables.take_while(|(_, line)| !line.trim_start().starts_with("prompt:"));
    let unfolded = tables.flat_map(|(n, line)| {
        let code = line.split("//").next().unwrap_or_default();
        let entries = code.split('"').skip(1).step_by(2);
        let wrong = entries.filter(|entry| fold(entry).trim() != *entry);
        wrong.map(move |entry| (n + 1, entry))
    });
    let errors: Vec<AuthoringError> = unfolded
        .map(|(line, entry)| AuthoringError {
            file: file.to_owned(),
            line,
            column: 1,
            message: format!(
                "\"{}\" is never found: write it in small letters, as \"{}\"",
                entry.escape_debug(),
                fold(entry).trim().escape_debug()
            ),
        })
        .collect();
    if errors.is_empty() {
        Ok(())
    } else {
        Err(errors)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lint::files::check_source;

    #[test]
    fn x2_steps_that_are_not_built_yet_can_be_checked() {
        let source = "Scenario(name: \"x\", npcs: [(id: \"a\")], policy: Sealed, steps: [Ask(npc: \"b\", text: \"x\"), SwapModel(version: \"2\")])";
        let report = check_source("x.scenario.ron", source);
        assert!(report.unreadable.is_empty(), "{:?}", report.unreadable);
        assert_eq!(report.findings.len(), 1);
    }

    #[test]
    fn x2_what_the_loader_refuses_is_unreadable() {
        for (file, source) in [
            ("a.npc.ron", "(id: \"a\", nmae: \"A\")"),
            ("a.npc.ron", "(id: \"a\", forbidden: [\"/(/\"])"),
            ("a.npc.ron", "(id: \"a\", chattiness: 101)"),
            (
                "a.story.ron",
                "Story(canon: [(id: \"c\", text: \"x\"), (id: \"c\", text: \"y\")])",
            ),
            ("a.world.ron", "(locations: {\"in n\": (name: \"Inn\")})"),
            ("a.world.ron", "(places: {})"),
            ("a.rules.ron", "[(id: \"r\"), (id: \"r\")]"),
            ("a.lexicon.ron", "(negators: [\"Nicht\"])"),
            ("a.lexicon.ron", "(negatives: [])"),
            ("narrator.hbs", "one\n{{#if x}}no end"),
            ("narator.hbs", "No stage has this name."),
            (
                "a.taxonomy.ron",
                "(id: \"a\", intents: {\"x\": (actionss: [])})",
            ),
            ("a.rules.ron", "(id: \"r\", when: Sometimes)"),
            ("a.rules.ron", "// [\n(id: \"r\", whn: Always)"),
            (
                "a.script.ron",
                "Script(replies: [Reply((text: \"x\", keyword: \"/(/\"))])",
            ),
            (
                "a.rulebook.ron",
                "Rulebook(id: \"r\", actions: {\"open\": (cheks: [])})",
            ),
            (
                "a.rulebook.ron",
                "Rulebook(id: \"r\", actions: {\"open\": (checks: [(id: \"a\", when: Exists(Target), else: LOCKED, message: \"{targt}\")])})",
            ),
            ("a.scenario.ron", "Scenario(nam: \"x\")"),
            (
                "a.scenario.ron",
                "Scenario(name: \"x\", npcs: [\"gone.npc.ron\"])",
            ),
            (
                "a.scenario.ron",
                "Scenario(name: \"x\", npcs: [(id: \"a\"), (id: \"a\")])",
            ),
        ] {
            let report = check_source(file, source);
            assert_eq!(report.unreadable.len(), 1, "{source}");
            assert!(report.findings.is_empty(), "{source}");
        }
    }

    #[test]
    fn x2_actions_of_the_game_are_known_when_it_says_so() {
        let source = b"(id: \"a\", may: [\"open\", \"summon\"], fallbacks: (generic: [\"Hm.\"]))";
        #[derive(Debug, Clone, bevy::prelude::Reflect, serde::Serialize, serde::Deserialize)]
        struct Summon {}
        impl crate::world::NpcAction for Summon {
            const NAME: &'static str = "summon";
        }
        let mut known = LintOptions::default();
        known.registry.add::<Summon>();
        for (options, expected) in [(LintOptions::default(), 1), (known, 0)] {
            let mut findings = Findings::default();
            Linter::new(&options, &mut findings).check_file(
                "a.npc.ron",
                source,
                &crate::authoring::NoFiles,
            );
            assert_eq!(findings.finish().findings.len(), expected);
        }
    }

    #[test]
    fn x2_many_findings_come_to_an_end() {
        let steps = "Cancel(npc: \"b\"),\n".repeat(5_000);
        let report = check_source(
            "x.scenario.ron",
            &format!("Scenario(name: \"x\", steps: [{steps}])"),
        );
        assert_eq!(report.findings.len(), 1_000);
    }
}
