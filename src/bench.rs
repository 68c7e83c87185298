//! Which model and which form suits a game: `dramatis bench` asks real engines what a player would say, and counts the lines that a
//! person would say and the actions that are right.
//!
//! A `.bench.ron` file names a scenario and cases. Each case begins in the state of that scenario, in a game of its own; its steps
//! before happen, the player says its words, and what the character says and does is judged. A bench needs no expectations: whatever a
//! model answers, it has run.

mod ask;
mod deed;
mod figures;
mod load;
mod spec;
mod usable;

pub(crate) use figures::Figures;
pub(crate) use load::Bench;

use crate::base::fixed::Millis;
use crate::engine::SharedEngine;
use crate::journal::Recording;
use crate::policy::Form;
use crate::scenario::NotBegun;
use ask::{Asked, Asking, ask};
use bevy::prelude::App;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// An engine that is asked, and what it is called.
pub(crate) struct Candidate {
    /// Where it is, for people.
    pub name: String,
    pub engine: SharedEngine,
}

/// What all engines and forms have in common.
pub(crate) struct BenchRun<'a> {
    pub bench: &'a Bench,
    /// Sleeps for a moment, and says how much time has passed since it was last called.
    pub wait: &'a dyn Fn() -> Millis,
    /// Adds what the game adds to its app.
    pub of_game: &'a dyn Fn(&mut App),
    /// Is told after each reply how many there are, and of how many.
    pub progress: &'a dyn Fn(usize, usize),
}

impl BenchRun<'_> {
    /// Asks every case. `form`: as the files say where it is `None`. What happens is added to the recording.
    ///
    /// # Errors
    /// As for a scenario that cannot begin.
    pub fn ask(
        &self,
        candidate: &Candidate,
        form: Option<Form>,
        mut recording: Option<&mut Recording>,
    ) -> Result<Figures, NotBegun> {
        let bench = self.bench;
        let with = Asking {
            engine: &candidate.engine,
            form,
            wait: self.wait,
            of_game: self.of_game,
        };
        let mut asked = Vec::new();
        let all = bench.cases.len() * usize::try_from(bench.samples).unwrap_or(1);
        for case in &bench.cases {
            for sample in 0..bench.samples {
                asked.push(ask(bench, case, sample, &with, recording.as_deref_mut())?);
                (self.progress)(asked.len(), all);
            }
        }
        Ok(Figures {
            engine: candidate.name.clone(),
            model: candidate.engine.identity().model,
            form: forms_of(&asked),
            asked,
        })
    }
}

/// The names of the forms in which characters were asked.
fn forms_of(asked: &[Asked]) -> String {
    let forms: BTreeSet<String> = asked.iter().map(|one| format!("{:?}", one.form)).collect();
    forms.into_iter().collect::<Vec<_>>().join(" and ")
}

/// All figures of a bench as one JSON object.
pub(crate) fn to_json(bench: &Bench, figures: &[Figures]) -> Value {
    let engines: Vec<Value> = figures.iter().map(Figures::to_json).collect();
    json!({"name": bench.name, "engines": engines})
}

/// All figures of a bench for people.
pub(crate) fn to_text(bench: &Bench, figures: &[Figures]) -> String {
    let asked = bench.cases.len();
    let mut text = format!(
        "{}: {asked} cases, each asked {} times\n",
        bench.name, bench.samples
    );
    for figures in figures {
        text.push('\n');
        text.push_str(&figures.to_text());
    }
    text
}
