//! Asides: questions outside the story.
//!
//! An engine answers from the player's own view. The question has no effect: no message, no turn id, no write.

use super::brief::{messages, person, shown, variables};
use super::markers::current_persona;
use super::one_call::{OneCall, SingleCall, start_call, take_answered};
use super::recap::{Recap, Recaps};
use super::scene::Cast;
use super::stream::Stream;
use super::submit::are_there;
use super::views::{ViewOf, Viewer};
use super::write_states::read_states;
use crate::base::ids::Id;
use crate::engine::Stage;
use crate::events::AsideAnswered;
use crate::npc::{MAX_INPUT_CHARS, RequestError, refuse};
use crate::outbox::Outbox;
use crate::pipeline::StageHost;
use crate::pipeline::stage::call::StageCall;
use crate::pipeline::steps::prompt::escape;
use crate::rules::TriggerReason;
use crate::text::without_controls;
use crate::world::{WorldRead, WorldView};
use bevy::prelude::*;
use std::collections::BTreeSet;

/// On the entity of a question that waits for its answer.
#[derive(Component, Debug)]
pub(super) struct AskingAside {
    persona: Id,
    question: String,
    call: Option<StageCall>,
}

/// Asks a question outside the story, about what the present persona knows; [`AsideAnswered`] brings the answer. A question
/// that is empty or too long is reported as [`RequestRefused`](crate::events::RequestRefused).
pub fn ask_aside(world: &mut World, question: &str) {
    let persona = current_persona(world);
    if let Err(error) = are_there(world) {
        return refuse(world, None, &persona, error);
    }
    let chars = question.chars().count();
    if chars > MAX_INPUT_CHARS {
        return refuse(world, None, &persona, RequestError::TooLong { chars });
    }
    let question = without_controls(question).trim().to_owned();
    if question.is_empty() {
        return refuse(world, None, &persona, RequestError::EmptyUtterance);
    }
    let host = world.spawn(StageHost).id();
    let call = start(world, host, &persona, &question);
    world.entity_mut(host).insert(AskingAside {
        persona,
        question,
        call,
    });
}

/// Starts the call; `None` when it cannot be made.
fn start(world: &mut World, host: Entity, persona: &Id, question: &str) -> Option<StageCall> {
    let cast = Cast::of(world, persona, &[]);
    world.get_resource_or_init::<Stream>();
    let view = ViewOf {
        viewer: Viewer::Player,
        own: Some(persona),
        place: None,
        current: None,
    };
    let recap = world
        .get_resource::<Recaps>()
        .and_then(|recaps| recaps.of(&view));
    let shown = shown(&view, world.resource(), &[], recap.map(Recap::through));
    let msgs = messages(&view, &cast, &shown);
    let live = WorldView::new(world);
    let carried: Vec<String> = live
        .contents(persona)
        .iter()
        .map(|id| live.name_of(id).unwrap_or_else(|| id.to_string()))
        .collect();
    let others = cast.seen_beside(persona);
    let description = cast
        .personas
        .get(persona)
        .map_or("", |persona| &persona.description);
    let name = cast.name(persona);
    let data = variables([
        ("player_name", cast.player_name(persona).into()),
        (
            "player",
            person(
                &cast,
                name,
                &escape(description),
                &read_states(world, persona),
                false,
            ),
        ),
        (
            "place",
            cast.place(persona)
                .and_then(|place| live.name_of(place))
                .into(),
        ),
        ("present", others.join(", ").into()),
        ("carried", carried.into()),
        ("recap", recap.map(|recap| escape(&recap.text)).into()),
        ("msgs", msgs.into()),
    ]);
    let call = SingleCall {
        what: "an answer to an aside",
        stage: Stage::Narrator,
        actor: persona,
        npc: Some(persona.clone()),
        reason: TriggerReason::PlayerUtterance,
        keys: vec!["aside".to_owned(), persona.to_string(), question.to_owned()],
        input: question.to_owned(),
        template: ("aside", data),
        prompt_words: cast.bands.words.clone(),
        speakers: cast.speakers(),
        present: BTreeSet::new(),
        denied: Vec::new(),
    };
    start_call(world, host, call)
}

impl OneCall for AskingAside {
    fn call(&self) -> Option<StageCall> {
        self.call
    }
}

/// The system that tells the answers that have come.
pub(super) fn answer_asides(world: &mut World, asking: &mut QueryState<(Entity, &AskingAside)>) {
    for (aside, answer) in take_answered(world, asking) {
        let answered = AsideAnswered {
            persona: aside.persona,
            question: aside.question,
            answer,
        };
        world.get_resource_or_init::<Outbox>().tell_all(answered);
    }
}
