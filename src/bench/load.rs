//! Reading a bench: everything is checked before anything is asked.

use super::deed::Deed;
use super::spec::BenchSpec;
use crate::authoring::files::{FileSource, Files, WithSource, read_named};
use crate::format::error::first_of_each_file;
use crate::format::{AuthoringError, Inline, Problem};
use crate::scenario::{Scenario, StepSpec, step_problems};
use crate::text::PatternSet;
use crate::world::ActionRegistry;
use std::collections::BTreeSet;
use std::path::Path;

/// The most samples of a case.
const MOST_SAMPLES: u32 = 100;

/// A bench that was read and checked whole.
#[derive(Debug)]
pub(crate) struct Bench {
    /// What it measures, in a few words.
    pub name: String,
    /// In the state of this scenario each case begins.
    pub(super) scenario: Scenario,
    /// How often each case is asked.
    pub(super) samples: u32,
    /// The world seed of the first sample.
    pub(super) seed: u64,
    pub(super) cases: Vec<Case>,
}

/// A case that was read and checked.
#[derive(Debug)]
pub(super) struct Case {
    pub id: String,
    pub to: String,
    pub say: String,
    pub before: Vec<StepSpec>,
    /// The actions of which one is right; `None` where they are not judged.
    pub does: Option<Vec<Deed>>,
    /// What must be heard; `None` where nothing must.
    pub says: Option<PatternSet>,
    /// What must not be heard.
    pub never: PatternSet,
}

impl Bench {
    /// Reads a file. Files that it names are looked for next to it, then in `assets/`.
    ///
    /// # Errors
    /// Everything that is wrong, each with its place.
    pub fn read(path: &Path, registry: &ActionRegistry) -> Result<Self, Vec<AuthoringError>> {
        let (file, bytes) = read_named(path)?;
        Self::parse(&bytes, &file, &Files::beside(path), registry)
    }

    /// Parses a bench from memory.
    ///
    /// # Errors
    /// Everything that is wrong, each with its place.
    pub fn parse(
        bytes: &[u8],
        file: &str,
        files: &dyn FileSource,
        registry: &ActionRegistry,
    ) -> Result<Self, Vec<AuthoringError>> {
        let sourced = WithSource::<BenchSpec>::parse(bytes, file)?;
        let spec = &sourced.value;
        let scenario = match &spec.scenario {
            Inline::Path(path) => match files.find(path) {
                Some(path) => Scenario::read(&path, registry),
                None => files
                    .read(path)
                    .map_err(|why| vec![sourced.locate(&Problem::new("/scenario", why))])
                    .and_then(|(file, bytes)| Scenario::parse(&bytes, &file, files, registry)),
            },
            here @ Inline::Here(_) => sourced
                .part(here, "/scenario", files)
                .map_err(Vec::from)
                .and_then(|scenario| Scenario::compile(&scenario, files, registry)),
        };
        let scenario = scenario.map_err(|mut errors| {
            errors.extend(sourced.locate_all(&check(spec, None, registry).1));
            first_of_each_file(errors)
        })?;
        let (cases, problems) = check(spec, Some(&scenario), registry);
        if !problems.is_empty() {
            return Err(first_of_each_file(sourced.locate_all(&problems)));
        }
        Ok(Self {
            name: spec.name.clone(),
            samples: spec.samples,
            seed: spec.seed,
            cases,
            scenario,
        })
    }

    /// Keeps the cases whose ids begin with one of these; all, where there are none. The error is a sentence for people.
    pub fn keep(&mut self, beginnings: &[String]) -> Result<(), String> {
        let begins = |case: &Case, with: &String| case.id.starts_with(with.as_str());
        let unknown = beginnings
            .iter()
            .find(|with| !self.cases.iter().any(|case| begins(case, with)));
        if let Some(unknown) = unknown {
            return Err(format!(
                "no case begins with \"{}\"",
                unknown.escape_debug()
            ));
        }
        if !beginnings.is_empty() {
            self.cases
                .retain(|case| beginnings.iter().any(|with| begins(case, with)));
        }
        Ok(())
    }
}

/// The cases, and everything that is wrong with them. `scenario`: `None` where it could not be read.
fn check(
    spec: &BenchSpec,
    scenario: Option<&Scenario>,
    registry: &ActionRegistry,
) -> (Vec<Case>, Vec<Problem>) {
    let (mut cases, mut problems) = (Vec::new(), Vec::new());
    if !(1..=MOST_SAMPLES).contains(&spec.samples) {
        let message = format!("a case is asked 1 to {MOST_SAMPLES} times");
        problems.push(Problem::new("/samples", message));
    }
    if spec.cases.is_empty() {
        problems.push(Problem::new("/cases", "a bench has at least one case"));
    }
    let mut ids = BTreeSet::new();
    for (i, case) in spec.cases.iter().enumerate() {
        let at = format!("/cases/{i}");
        if case.id.trim().is_empty() {
            problems.push(Problem::new(format!("{at}/id"), "a case needs an id"));
        }
        if !ids.insert(&case.id) {
            let message = format!("the case \"{}\" is listed twice", case.id.escape_debug());
            problems.push(Problem::new(format!("{at}/id"), message));
        }
        if scenario.is_some_and(|scenario| !scenario.may_have(&case.to)) {
            let message = format!(
                "the scenario has no character \"{}\"",
                case.to.escape_debug()
            );
            problems.push(Problem::new(format!("{at}/to"), message));
        }
        let does = case
            .does
            .iter()
            .flatten()
            .enumerate()
            .filter_map(|(j, deed)| {
                let deed = Deed::read(deed, registry);
                deed.map_err(|why| problems.push(Problem::new(format!("{at}/does/{j}"), why)))
                    .ok()
            });
        let does: Vec<Deed> = does.collect();
        let mut patterns = |name: &str, patterns: &[String]| {
            for (j, pattern) in patterns.iter().enumerate() {
                if let Err(error) = PatternSet::compile([pattern]) {
                    problems.push(Problem::new(format!("{at}/{name}/{j}"), error.to_string()));
                }
            }
            // Where one does not compile the bench is refused.
            PatternSet::compile(patterns).unwrap_or_default()
        };
        let (says, never) = (patterns("says", &case.says), patterns("never", &case.never));
        for (j, step) in case.before.iter().enumerate() {
            let at = format!("{at}/before/{j}");
            if let StepSpec::SwapModel { .. } = step {
                let message = "a bench asks the engines that it is given: leave this step out";
                problems.push(Problem::new(&at, message));
            }
            problems.extend(step_problems(step, &at, registry));
        }
        cases.push(Case {
            id: case.id.clone(),
            to: case.to.clone(),
            say: case.say.clone(),
            before: case.before.clone(),
            does: case.does.as_ref().map(|_| does),
            says: (!case.says.is_empty()).then_some(says),
            never,
        });
    }
    (cases, problems)
}
