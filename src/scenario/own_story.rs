//! The story of a scenario: the file that it names, or what the scenario says of it in its own fields.

use super::spec::ScenarioSpec;
use crate::authoring::files::{FileSource, WithSource};
use crate::authoring::{StoryBook, StorySpec};
use crate::format::{AuthoringError, Problem};
use crate::world::ActionRegistry;

/// The story of a scenario: the one that it names, or what the scenario itself says of it. One that begins from a recording
/// and names none has none of its own.
pub(super) fn story(
    scenario: &WithSource<ScenarioSpec>,
    files: &dyn FileSource,
    registry: &ActionRegistry,
) -> Result<StoryBook, Vec<AuthoringError>> {
    let spec = &scenario.value;
    if let Some(story) = &spec.story {
        let story = scenario.part(story, "/story", files)?;
        return StoryBook::compile(&story, files, registry);
    }
    if spec.from.is_some() {
        return Ok(StoryBook::default());
    }
    let story = scenario.with(story_spec(spec));
    let story = StoryBook::compile(&story, files, registry)?;
    Ok(story.retold(story_text(scenario)))
}

macro_rules! of_story {
    ($($field:ident)*) => {
        /// The fields of a scenario that make up its story.
        const OF_STORY: &[&str] = &[$(stringify!($field)),*];

        /// The story that a scenario tells itself.
        pub(crate) fn story_spec(spec: &ScenarioSpec) -> StorySpec {
            StorySpec {
                $($field: spec.$field.clone(),)*
                // A scenario says so itself.
                adventure: None,
                personas: Vec::new(),
            }
        }
    };
}

of_story! {
    world rulebook canon world_facts rules custom_rules triggers limits memory diary calendar sampling form lexicon echo
    reply_language lore groups gossip
}

/// The fields, apart from the story, that say how a game is before the first step. A recording says all that.
const OF_GAME: [&str; 10] = [
    "seed",
    "game_time",
    "policy",
    "delivery",
    "budget",
    "player",
    "queue",
    "personas",
    "overheard",
    "tell_turns",
];

/// The text of a story file with the parts of a scenario that make up a story.
fn story_text(scenario: &WithSource<ScenarioSpec>) -> String {
    let parts = OF_STORY.iter().copied().filter_map(|field| {
        let words = written(scenario, field)?;
        Some(format!("    {field}: {words},\n"))
    });
    format!("(\n{})\n", parts.collect::<String>())
}

/// The text of a field's value in the file.
fn written<'a>(scenario: &'a WithSource<ScenarioSpec>, field: &str) -> Option<&'a str> {
    let pointer = format!("{}/{field}", scenario.base);
    scenario.source.slice(&pointer)
}

/// The fields that are not allowed together with `from` or `story`, and the field that needs `from`.
pub(super) fn misplaced(scenario: &WithSource<ScenarioSpec>) -> Vec<Problem> {
    let spec = &scenario.value;
    let written = |field: &&str| written(scenario, field).is_some();
    let problem = |field: &str, message: &str| Problem::new(format!("/{field}"), message);
    if spec.from.is_none() {
        let message = "this field needs `from`: the recording that the scenario begins from";
        let at = ["at"].into_iter().filter(written);
        let at = at.map(|field| problem(field, message));
        let message = "the story of `story` says this: leave it out there or here";
        let told = OF_STORY.iter().copied().filter(|_| spec.story.is_some());
        let told = told.filter(written).map(|field| problem(field, message));
        return at.chain(told).collect();
    }
    let game = OF_GAME.into_iter().filter(written);
    let game = game.map(|field| problem(field, "the recording of `from` says this: leave it out"));
    let story = OF_STORY.iter().copied().filter(written);
    let message =
        "the recording of `from` says this: leave it out, or name another story with `story`";
    game.chain(story.map(|field| problem(field, message)))
        .collect()
}
