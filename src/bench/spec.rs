//! The bench file as it is written.

use crate::format::Inline;
use crate::scenario::{ScenarioSpec, StepSpec};
use serde::Deserialize;

/// A bench. `name`, `scenario` and `cases` are required.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename = "Bench")]
pub(super) struct BenchSpec {
    /// What it measures, in a few words.
    pub name: String,
    /// The scenario that sets the state at the beginning of each case, here or in a file. Its replies, steps and expectations are
    /// not used.
    pub scenario: Inline<ScenarioSpec>,
    /// How often each case is asked, 1 to 100; 1 when left out.
    #[serde(default = "once")]
    pub samples: u32,
    /// The world seed of the first sample; each further one has the next number. 0 when left out.
    #[serde(default)]
    pub seed: u64,
    /// What is asked, at least one case.
    pub cases: Vec<CaseSpec>,
}

fn once() -> u32 {
    1
}

/// One thing that the player says, and what is right then.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename = "Case", deny_unknown_fields)]
pub(super) struct CaseSpec {
    /// Its name; no other case has the same.
    pub id: String,
    /// The id of the character that is asked.
    pub to: String,
    /// What the player says.
    pub say: String,
    /// What happens before. Replies that these steps ask for are not judged.
    #[serde(default)]
    pub before: Vec<StepSpec>,
    /// The right actions, each as its type and the ids of what it is about: `open door_1`. One of them is enough. Empty: it is right
    /// to do nothing. Left out: what the character does is not judged.
    pub does: Option<Vec<String>>,
    /// Patterns. At least one of them must be heard. Empty: the words are not judged by it.
    #[serde(default)]
    pub says: Vec<String>,
    /// Patterns. None of them may be heard.
    #[serde(default)]
    pub never: Vec<String>,
}
