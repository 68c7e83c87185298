//! Reading a bench: everything is checked before anything is asked.

use super::deed::Deed;
use super::spec::{BenchSpec, CaseSpec};
use crate::authoring::files::{FileSource, Files, WithSource, read_bounded};
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
        let file = path.display().to_string();
        let bytes = read_bounded(path)
            .map_err(|error| vec![AuthoringError::whole(&file, error.to_string())])?;
        Self::parse(&bytes, &file, &Files::beside(path), registry)
    }

    /// Parses a bench from memory.
    ///
    /// # Errors
    /// Everything that is wrong, each with its place.
    pub(super) fn parse(
        bytes: &[u8],
        file: &str,
        files: &dyn FileSource,
        registry: &ActionRegistry,
    ) -> Result<Self, Vec<AuthoringError>> {
        let sourced = WithSource::<BenchSpec>::parse(bytes, file).map_err(|error| vec![error])?;
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
                .map_err(|error| vec![error])
                .and_then(|scenario| Scenario::compile(&scenario, files, registry)),
        };
        let scenario = scenario.map_err(|mut errors| {
            errors.extend(sourced.locate_all(&problems(spec, None, registry)));
            first_of_each_file(errors)
        })?;
        let problems = problems(spec, Some(&scenario), registry);
        if !problems.is_empty() {
            return Err(first_of_each_file(sourced.locate_all(&problems)));
        }
        let cases = spec.cases.iter().map(|case| compile(case, registry));
        let cases = cases.collect::<Result<_, String>>();
        Ok(Self {
            name: spec.name.clone(),
            samples: spec.samples,
            seed: spec.seed,
            cases: cases.map_err(|why| vec![AuthoringError::whole(file, why)])?,
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

fn compile(case: &CaseSpec, registry: &ActionRegistry) -> Result<Case, String> {
    let deeds = |written: &Vec<String>| {
        let deeds = written.iter().map(|deed| Deed::read(deed, registry));
        deeds.collect::<Result<_, String>>()
    };
    let patterns =
        |patterns: &[String]| PatternSet::compile(patterns).map_err(|error| error.to_string());
    Ok(Case {
        id: case.id.clone(),
        to: case.to.clone(),
        say: case.say.clone(),
        before: case.before.clone(),
        does: case.does.as_ref().map(deeds).transpose()?,
        says: match case.says.is_empty() {
            true => None,
            false => Some(patterns(&case.says)?),
        },
        never: patterns(&case.never)?,
    })
}

fn problems(
    spec: &BenchSpec,
    scenario: Option<&Scenario>,
    registry: &ActionRegistry,
) -> Vec<Problem> {
    let mut problems = Vec::new();
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
        for (j, deed) in case.does.iter().flatten().enumerate() {
            if let Err(why) = Deed::read(deed, registry) {
                problems.push(Problem::new(format!("{at}/does/{j}"), why));
            }
        }
        for (name, patterns) in [("says", &case.says), ("never", &case.never)] {
            for (j, pattern) in patterns.iter().enumerate() {
                if let Err(error) = PatternSet::compile([pattern]) {
                    problems.push(Problem::new(format!("{at}/{name}/{j}"), error.to_string()));
                }
            }
        }
        for (j, step) in case.before.iter().enumerate() {
            let at = format!("{at}/before/{j}");
            if let StepSpec::SwapModel { .. } = step {
                let message = "a bench asks the engines that it is given: leave this step out";
                problems.push(Problem::new(&at, message));
            }
            problems.extend(step_problems(step, &at, registry));
        }
    }
    problems
}
