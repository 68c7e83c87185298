//! The calls that make recaps, in the background after a turn.

use super::brief::variables;
use super::one_call::{OneCall, SingleCall, start_call, take_answered};
use super::recap::{MAX_RECAP_CHARS, Recap, RecapTask, Recaps, needed};
use super::scene::Cast;
use super::stream::Stream;
use super::views::{ViewOf, Viewer};
use crate::authoring::adventure_settings::AdventureSettings;
use crate::base::ids::Id;
use crate::engine::Stage;
use crate::pipeline::StageHost;
use crate::pipeline::stage::call::StageCall;
use crate::pipeline::steps::prompt::escape;
use crate::rules::TriggerReason;
use crate::story::ActiveStory;
use bevy::prelude::*;
use std::collections::BTreeSet;

/// How many recaps are made after one turn; the others follow after the next.
const MAX_CALLS: usize = 8;

/// On the entity of a recap that is being made.
#[derive(Component, Debug)]
pub(super) struct MakingRecap {
    task: RecapTask,
    call: Option<StageCall>,
}

impl OneCall for MakingRecap {
    fn call(&self) -> Option<StageCall> {
        self.call
    }
}

/// Begins the recaps that are needed after a turn of this persona. While others are still being made it begins none.
pub(super) fn begin_recaps(world: &mut World, persona: &Id) {
    let mut making = world.query_filtered::<(), With<MakingRecap>>();
    if making.iter(world).next().is_some() {
        return;
    }
    let cast = Cast::of(world, persona, &[]);
    let settings = *world.get_resource_or_init::<AdventureSettings>();
    world.get_resource_or_init::<Recaps>();
    world.get_resource_or_init::<Stream>();
    let ids: BTreeSet<&Id> = cast
        .characters
        .iter()
        .map(|one| &one.character.id)
        .chain(cast.personas.keys())
        .collect();
    let places: BTreeSet<Option<&Id>> = ids.iter().map(|id| cast.place(id)).collect();
    let of = |viewer, own, place| ViewOf {
        viewer,
        own,
        place,
        current: None,
    };
    let narrators = places
        .into_iter()
        .map(|place| of(Viewer::Narrator, None, place));
    let actors = ids.into_iter().map(|id| of(Viewer::Player, Some(id), None));
    let tasks = needed(
        narrators.chain(actors),
        &cast,
        world.resource::<Stream>(),
        world.resource::<Recaps>(),
        settings.recap_chars,
    );
    for task in tasks.into_iter().take(MAX_CALLS) {
        let host = world.spawn(StageHost).id();
        let call = start(world, host, persona, &cast, &task);
        world.entity_mut(host).insert(MakingRecap { task, call });
    }
}

/// Starts the call; `None` when it cannot be made.
fn start(
    world: &mut World,
    host: Entity,
    persona: &Id,
    cast: &Cast,
    task: &RecapTask,
) -> Option<StageCall> {
    let canon = world.resource::<ActiveStory>().0.canon.facts().iter();
    let canon: Vec<String> = canon.map(|fact| fact.text.clone()).collect();
    let data = variables([
        ("canon", canon.into()),
        ("recap", task.before.as_deref().map(escape).into()),
        ("lines", task.lines.clone().into()),
    ]);
    let sources = task
        .sources
        .iter()
        .flat_map(|(turn, seq)| [turn.to_string(), seq.to_string()]);
    let first_viewer = task.viewers.first().map(|viewer| format!("{viewer:?}"));
    let keys = ["recap".to_owned()]
        .into_iter()
        .chain(first_viewer)
        .chain(sources);
    let call = SingleCall {
        what: "a recap",
        stage: Stage::Recap,
        actor: persona,
        npc: None,
        reason: TriggerReason::WorldEvent,
        keys: keys.collect(),
        input: String::new(),
        template: ("recap", data),
        prompt_words: cast.bands.words.clone(),
        speakers: cast.speakers(),
        present: BTreeSet::new(),
        denied: Vec::new(),
    };
    start_call(world, host, call)
}

/// The system that keeps the recaps that have come. One that no reply would do for is tried again after the next turn, and so
/// is one of a turn that was taken back meanwhile.
pub(super) fn keep_recaps(world: &mut World, making: &mut QueryState<(Entity, &MakingRecap)>) {
    for (made, answer) in take_answered(world, making) {
        let Some(text) = answer else {
            continue;
        };
        let task = made.task;
        let stream = world.get_resource_or_init::<Stream>();
        let mut turns = task.sources.iter().map(|(turn, _)| *turn);
        if !turns.all(|turn| stream.is_live_turn(turn)) {
            continue;
        }
        world.get_resource_or_init::<Recaps>().push(Recap {
            viewers: task.viewers,
            sources: task.sources,
            goes_on_from: task.goes_on_from,
            text: bounded(&text),
        });
    }
}

/// What fits into a recap, up to the end of a sentence, or of a word where no sentence ends before.
fn bounded(text: &str) -> String {
    let Some((end, _)) = text.char_indices().nth(MAX_RECAP_CHARS) else {
        return text.to_owned();
    };
    let begun = &text[..end];
    let cut = match begun.rfind(['.', '!', '?', '…', '。', '！', '？']) {
        Some(mark) => mark + begun[mark..].chars().next().map_or(0, char::len_utf8),
        None => begun.rfind(char::is_whitespace).unwrap_or(end),
    };
    begun[..cut].trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn t14_a_recap_that_is_too_long_ends_with_a_sentence() {
        let sentence = "It rained. ";
        let long = sentence.repeat(200);
        let kept = bounded(&long);
        assert!(kept.ends_with("rained.") && kept.chars().count() <= MAX_RECAP_CHARS);
        assert_eq!(bounded("Short"), "Short");
        let words = "drip ".repeat(400);
        assert!(bounded(&words).ends_with("drip"));
    }
}
