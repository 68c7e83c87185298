//! Each kind of file, and what is checked in it.

use super::allow::first_code;
use super::books::Books;
use super::closed::Closed;
use super::findings::Findings;
use super::level::Level;
use super::place::{Part, Place};
use super::uses::Uses;
use super::worlds::Cast;
use super::{
    LintKind, LintOptions, LintReport, canon, fallbacks, minds, patterns, rulebooks, rules, steps,
    worlds,
};
use crate::authoring::files::{FileSource, Files, Sourced, read_bounded};
use crate::authoring::{Character, NpcSpec, StoryBook, StorySpec};
use crate::engine::{ScriptSpec, ScriptedEngine};
use crate::format::AuthoringError;
use crate::rules::compiled::{CompileRules, OpenRules};
use crate::rules::{CustomRuleSpec, RuleCondition, RuleLevel, RuleSpec, TriggerSpec};
use crate::scenario::{Scenario, ScenarioSpec};
use crate::world::rulebook::Rulebook;
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

type Checked = Result<(), Vec<AuthoringError>>;

/// How authored files end.
const ENDINGS: [&str; 6] = [
    ".npc.ron",
    ".story.ron",
    ".rulebook.ron",
    ".rules.ron",
    ".script.ron",
    ".scenario.ron",
];

/// Checks a file, or all below a folder.
pub(super) fn check(path: &Path, options: &LintOptions) -> LintReport {
    let mut findings = Findings::default();
    match authored_files(path) {
        Ok(paths) => {
            let mut linter = Linter::new(options, &mut findings);
            for path in &paths {
                let file = path.display().to_string();
                linter.findings.root(&file);
                // Who has a file of its own may be named by any story beside it.
                if file.ends_with(".npc.ron")
                    && let Ok(bytes) = read_file(path)
                    && let Ok(npc) = Sourced::<NpcSpec>::parse(&bytes, &file)
                {
                    linter.npcs.insert(npc.value.id);
                }
            }
            for path in &paths {
                let file = path.display().to_string();
                match read_file(path) {
                    Ok(bytes) => linter.check_file(&file, &bytes, &Files::beside(path)),
                    Err(error) => {
                        let error = AuthoringError::whole(&file, error.to_string());
                        linter.findings.unreadable([error]);
                    }
                }
            }
            linter.finish(path.is_dir());
        }
        Err(error) => findings.unreadable([error]),
    }
    findings.finish()
}

/// A pipe that is called like a file would be read for ever.
fn read_file(path: &Path) -> std::io::Result<Vec<u8>> {
    if fs::metadata(path)?.is_file() {
        read_bounded(path)
    } else {
        Err(std::io::Error::other("this is not a file"))
    }
}

/// Checks a file that names no others.
#[cfg(test)]
pub(super) fn check_source(file: &str, source: &str) -> LintReport {
    let (mut findings, options) = (Findings::default(), LintOptions::default());
    findings.root(file);
    let mut linter = Linter::new(&options, &mut findings);
    linter.check_file(file, source.as_bytes(), &crate::authoring::OneFile);
    linter.finish(false);
    findings.finish()
}

/// The files that a path names, in order of the alphabet.
fn authored_files(path: &Path) -> Result<Vec<PathBuf>, AuthoringError> {
    let whole = |message: String| AuthoringError::whole(&path.display().to_string(), message);
    let unreadable = |error: std::io::Error| whole(error.to_string());
    let authored = |path: &Path| {
        ENDINGS
            .iter()
            .any(|ending| path.to_string_lossy().ends_with(ending))
    };
    let kind = fs::metadata(path).map_err(unreadable)?;
    if !kind.is_dir() {
        return match (kind.is_file(), authored(path)) {
            (true, true) => Ok(vec![path.to_path_buf()]),
            (true, false) => Err(whole(format!(
                "this is no authored file: those end in {}",
                ENDINGS.join(", ")
            ))),
            (false, _) => Err(whole("this is neither a file nor a folder".to_owned())),
        };
    }
    let mut files = Vec::new();
    let mut folders = vec![path.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).map_err(unreadable)? {
            let entry = entry.map_err(unreadable)?.path();
            // A link to a folder is not followed: it could lead in a circle.
            if entry.is_dir() {
                if !entry.is_symlink() {
                    folders.push(entry);
                }
            } else if authored(&entry) {
                files.push(entry);
            }
        }
    }
    files.sort();
    if files.is_empty() {
        return Err(whole("there is no authored file in this folder".to_owned()));
    }
    Ok(files)
}

struct Linter<'f> {
    options: &'f LintOptions,
    findings: &'f mut Findings,
    /// The characters with files of their own.
    npcs: BTreeSet<String>,
    /// The rulebooks with files of their own.
    books: Books,
}

/// What a story and a scenario have in common.
struct StoryParts<'a> {
    world: Option<Part<'a, crate::world::WorldSpec>>,
    rulebook: Option<Part<'a, Rulebook>>,
    rules: Vec<Part<'a, RuleSpec>>,
    custom: &'a [CustomRuleSpec],
    triggers: Vec<(&'a TriggerSpec, Place<'a>, Vec<Part<'a, RuleSpec>>)>,
    place: Place<'a>,
}

impl StoryParts<'_> {
    /// The level of the world, then those of the triggers.
    fn levels(&self) -> Vec<Level<'_>> {
        let world = Level::new(
            RuleLevel::World,
            &self.rules,
            self.custom,
            &self.place.at("/custom_rules"),
        );
        let triggers = self.triggers.iter().map(|(trigger, place, rules)| {
            let custom = place.at("/custom_rules");
            Level {
                given: vec![(RuleCondition::TriggerId(trigger.id.clone()), true)],
                ..Level::new(RuleLevel::Trigger, rules, &trigger.custom_rules, &custom)
            }
        });
        std::iter::once(world).chain(triggers).collect()
    }
}

/// The parts of anything with a story's fields.
macro_rules! story_parts {
    ($spec:expr, $place:expr, $files:expr) => {{
        let (spec, place, files) = ($spec, $place, $files);
        StoryParts {
            world: spec
                .world
                .as_ref()
                .and_then(|world| Part::of(world, place.at("/world"), files)),
            rulebook: spec
                .rulebook
                .as_ref()
                .and_then(|book| Part::of(book, place.at("/rulebook"), files)),
            rules: Part::list(&spec.rules, &place.at("/rules"), files),
            custom: &spec.custom_rules,
            triggers: (spec.triggers.iter().enumerate())
                .map(|(i, trigger)| {
                    let place = place.item("/triggers", i);
                    let rules = Part::list(&trigger.rules, &place.at("/rules"), files);
                    (trigger, place, rules)
                })
                .collect(),
            place: place.clone(),
        }
    }};
}

impl<'f> Linter<'f> {
    fn new(options: &'f LintOptions, findings: &'f mut Findings) -> Self {
        Self {
            options,
            findings,
            npcs: BTreeSet::new(),
            books: Books::default(),
        }
    }

    /// Checks what can be told only when all files are seen.
    fn finish(self, is_folder: bool) {
        self.books.finish(is_folder, self.findings);
    }

    fn check_file(&mut self, file: &str, bytes: &[u8], files: &dyn FileSource) {
        if let Ok(source) = crate::format::error::decode(bytes, file) {
            self.findings.source(file, source);
        }
        let ending = ENDINGS
            .iter()
            .find(|ending| file.ends_with(**ending))
            .copied();
        let checked = match ending {
            Some(".npc.ron") => self.npc_file(file, bytes, files),
            Some(".story.ron") => self.story_file(file, bytes, files),
            Some(".rulebook.ron") => self.rulebook_file(file, bytes),
            Some(".rules.ron") => self.rules_file(file, bytes),
            Some(".script.ron") => self.script_file(file, bytes),
            _ => self.scenario_file(file, bytes, files),
        };
        if let Err(errors) = checked {
            self.findings.unreadable(errors);
        }
    }

    fn npc_file(&mut self, file: &str, bytes: &[u8], files: &dyn FileSource) -> Checked {
        let npc = Sourced::<NpcSpec>::parse(bytes, file).map_err(|error| vec![error])?;
        Character::compile(&npc, files)?;
        let place = Place::of(&npc);
        self.npc(&npc.value, &place, &[], files);
        fallbacks::check_npc(&npc.value, &place, self.findings);
        Ok(())
    }

    fn story_file(&mut self, file: &str, bytes: &[u8], files: &dyn FileSource) -> Checked {
        let story = Sourced::<StorySpec>::parse(bytes, file).map_err(|error| vec![error])?;
        let book = StoryBook::compile(&story, files, &self.options.registry)?;
        let (spec, place) = (&story.value, Place::of(&story));
        let parts = story_parts!(spec, &place, files);
        let world = parts.world.as_ref().map(Part::value);
        let npcs = std::mem::take(&mut self.npcs);
        let cast = Cast {
            npcs: npcs.iter().map(String::as_str).collect(),
            open: npcs.is_empty(),
            ..Cast::default()
        };
        let cast = cast.with_world(world);
        let uses = Uses::of(world, &cast, true);
        let levels = self.story(&parts, &cast, uses);
        let rulebook = parts.rulebook.as_ref().map(Part::value);
        let closed = Closed::default().with_story(world, &spec.world_facts, rulebook);
        for level in &levels {
            closed.check(level, file, self.findings);
        }
        canon::check(
            &spec.canon,
            &spec.world_facts,
            &book.canon,
            &place,
            self.findings,
        );
        self.npcs = npcs;
        Ok(())
    }

    fn rulebook_file(&mut self, file: &str, bytes: &[u8]) -> Checked {
        let book = Sourced::<Rulebook>::parse(bytes, file).map_err(|error| vec![error])?;
        let problems = book.value.problems(&self.options.registry);
        if !problems.is_empty() {
            return Err(book.locate_all(&problems));
        }
        let registry = &self.options.registry;
        self.books
            .file(&book, Uses::default(), registry, self.findings);
        Ok(())
    }

    /// One rule, or a list of them.
    fn rules_file(&mut self, file: &str, bytes: &[u8]) -> Checked {
        let listed = std::str::from_utf8(bytes).is_ok_and(|source| first_code(source) == Some('['));
        let rules = if listed {
            Sourced::<Vec<RuleSpec>>::parse(bytes, file)
        } else {
            Sourced::<RuleSpec>::parse(bytes, file).map(|one| Sourced {
                value: vec![one.value],
                file: one.file,
                source: one.source,
                base: one.base,
            })
        };
        let rules = rules.map_err(|error| vec![error])?;
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
            // What stands beside them is known where they are used.
            whole: false,
            ..Level::new(RuleLevel::World, &parts, &[], &place)
        };
        rules::check(&level, &[], self.findings);
        patterns::check_level(&level, self.findings);
        Ok(())
    }

    fn script_file(&mut self, file: &str, bytes: &[u8]) -> Checked {
        let script = Sourced::<ScriptSpec>::parse(bytes, file).map_err(|error| vec![error])?;
        ScriptedEngine::new(&script.value)
            .map_err(|error| vec![script.locate(&error.problem())])?;
        let place = Place::of(&script).at("/replies");
        steps::check_replies(&script.value.replies, None, &place, self.findings);
        Ok(())
    }

    fn scenario_file(&mut self, file: &str, bytes: &[u8], files: &dyn FileSource) -> Checked {
        let sourced = Sourced::<ScenarioSpec>::parse(bytes, file).map_err(|error| vec![error])?;
        let scenario = Scenario::parse_unbuilt(bytes, file, files, &self.options.registry)?;
        let (spec, place) = (&sourced.value, Place::of(&sourced));
        let parts = story_parts!(spec, &place, files);
        let npcs = Part::list(&spec.npcs, &place.at("/npcs"), files);
        let world = parts.world.as_ref().map(Part::value);
        let personas = spec.personas.iter().map(|persona| persona.id.as_str());
        let cast = Cast {
            npcs: npcs.iter().map(|npc| npc.value().id.as_str()).collect(),
            played: personas.chain([spec.player.as_str()]).collect(),
            ..Cast::default()
        };
        let cast = cast.with_world(world);
        let uses = Uses::of(world, &cast, false).with_steps(&spec.steps);
        let levels = self.story(&parts, &cast, uses);
        let levels: Vec<&Level> = levels.iter().collect();
        let lines = npcs
            .iter()
            .flat_map(|npc| npc.value().fallbacks.triggers.keys());
        let closed = Closed {
            complete: true,
            npcs: cast.npcs.clone(),
            triggers: lines
                .chain(spec.triggers.iter().map(|trigger| &trigger.id))
                .map(String::as_str)
                .collect(),
            ..Closed::default()
        };
        let rulebook = parts.rulebook.as_ref().map(Part::value);
        let closed = closed
            .with_story(world, &spec.world_facts, rulebook)
            .with_steps(&spec.steps);
        for level in &levels {
            closed.check(level, file, self.findings);
        }
        canon::check(
            &spec.canon,
            &spec.world_facts,
            &scenario.story.canon,
            &place,
            self.findings,
        );
        let shipped = Cow::Borrowed(Rulebook::shipped());
        let judged_by = rulebook.map_or(shipped, |book| Cow::Owned(book.clone().extended()));
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
            if let Some(location) = &npc.value().location {
                cast.location(location, &place_of("/location"), self.findings);
            }
            for (i, action) in npc.value().may.iter().flatten().enumerate() {
                let registry = &self.options.registry;
                if let Some(message) = rulebooks::denied_action(action, &judged_by, registry) {
                    let place = place_of(&format!("/may/{i}"));
                    self.findings.add(LintKind::NeverPossible, &place, message);
                }
            }
            canon::check_memories(npc.value(), place_of, &scenario.story.canon, self.findings);
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
        steps::check_replies(
            &spec.replies,
            Some(&cast),
            &place.at("/replies"),
            self.findings,
        );
        for (i, expectation) in spec.expect.iter().enumerate() {
            steps::check_expectation(expectation, &cast, &place.item("/expect", i), self.findings);
        }
        let scope = spec
            .plans
            .iter()
            .flat_map(|plans| plans.scope.iter().enumerate());
        for (i, location) in scope {
            cast.location(location, &place.item("/plans/scope", i), self.findings);
        }
        Ok(())
    }

    /// What is checked of a character wherever it stands. Gives its rules back.
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
        minds::check(npc, place, self.findings);
        for (i, action) in npc.may.iter().flatten().enumerate() {
            if let Some(message) = rulebooks::unknown_action(action, &self.options.registry) {
                self.findings
                    .add(LintKind::Unresolved, &place.item("/may", i), message);
            }
        }
        rules
    }

    /// What is checked of a world with its rules. Gives the levels back.
    fn story<'a>(&mut self, parts: &'a StoryParts, cast: &Cast, uses: Uses) -> Vec<Level<'a>> {
        if let Some(world) = &parts.world {
            worlds::check(world.value(), cast, &world.place(), self.findings);
        }
        if let Some(book) = &parts.rulebook {
            let registry = &self.options.registry;
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
        }
        levels
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
            ("a.rules.ron", "[(id: \"r\"), (id: \"r\")]"),
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
                &crate::authoring::OneFile,
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
