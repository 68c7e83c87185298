//! The call of a stage: what it is told, how its reply is judged, and its start.

use super::brief::{lore_value, messages, narration_lines, person, summary, variables};
use super::lore::Lorebook;
use super::markers::quiet_marker;
use super::message::{Message, MessageType};
use super::recap::{Recap, Recaps};
use super::record::TurnFailure;
use super::scene::Cast;
use super::states::{Persona, StateEntry};
use super::stream::Stream;
use super::template::StageTemplates;
use super::tools::ToolRegistry;
use super::turn::{AdventureTurn, Waiting};
use super::views::{ViewOf, Viewer};
use crate::authoring::Character;
use crate::authoring::adventure_settings::{AdventureSettings, VoiceSetting};
use crate::base::clock::DramatisClock;
use crate::base::ids::Id;
use crate::engine::Stage;
use crate::gate::{KnownWrites, Told, Voices};
use crate::pipeline::stage::start::start_stage;
use crate::pipeline::stage::steps::stage_schema;
use crate::pipeline::steps::prompt::escape;
use crate::pipeline::{Run, StageForm, StageTask};
use crate::proposal::ToolSpec;
use crate::rules::TriggerReason;
use crate::story::ActiveStory;
use crate::world::{WorldRead, WorldView};
use bevy::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::Arc;

/// How many older texts bring up lore, beside the intention.
const LORE_TEXTS: usize = 5;

/// Starts the call of a stage.
pub(super) fn start(
    world: &mut World,
    host: Entity,
    turn: &mut AdventureTurn,
    cast: &Cast,
    stage: Stage,
    actor: &Id,
    denied: &[Told],
) -> std::result::Result<(), TurnFailure> {
    let failed = |error: String| TurnFailure {
        stage: Some(stage),
        error,
    };
    let tools = world.get_resource_or_init::<ToolRegistry>().of(stage);
    let data = data(world, turn, cast, stage, actor, &tools);
    let words = world
        .get_resource_or_init::<StageTemplates>()
        .render(stage, &data)
        .map_err(|error| failed(error.to_string()))?;
    let is_persona = *actor == turn.persona;
    let input = match stage {
        // What it has heard last, and nothing that it has not.
        Stage::PersonaIntent | Stage::NpcIntent => last_heard(&data),
        Stage::LoreExtractor => turn
            .last_narration()
            .map(|told| told.content.clone())
            .unwrap_or_default(),
        _ => turn.intention(actor).unwrap_or_default().to_owned(),
    };
    let form = match stage {
        Stage::PersonaIntent => StageForm::Intention(None),
        Stage::NpcIntent => StageForm::Intention(cast.character(actor).map(|one| one.entity)),
        Stage::Narrator => StageForm::Narration {
            speakers: cast.speakers(),
            voices: voices(world, turn, cast, actor),
            denied: denied.to_vec(),
        },
        _ => {
            let book = world.resource::<Lorebook>();
            let own = (stage != Stage::LoreExtractor).then(|| actor.clone());
            let settings = world.get_resource::<AdventureSettings>();
            let review_below = settings.copied().unwrap_or_default().review_below;
            StageForm::Calls {
                known: KnownWrites {
                    review_below,
                    ..turn.known(own.as_ref(), book, cast)
                },
                own,
                tools: tools.clone(),
            }
        }
    };
    let task = StageTask {
        npc: (stage != Stage::LoreExtractor).then(|| actor.clone()),
        keys: seed_keys(turn, actor),
        input,
        words,
        schema: stage_schema(stage, &tools).map(Arc::new),
        form,
    };
    let reason = match is_persona {
        true => TriggerReason::PlayerUtterance,
        false => TriggerReason::NpcInteraction,
    };
    let interactions = cast.character(actor).map_or(0, |one| one.interactions);
    let run = start_stage(world, host, stage, actor, reason, interactions, task)
        .map_err(|error| failed(error.to_string()))?;
    let acted = turn.staged.acted.len();
    let act = match stage {
        Stage::PersonaIntent | Stage::NpcIntent => acted,
        _ => acted.saturating_sub(1),
    };
    let number = world.get::<Run>(run).map(Run::number);
    turn.staged.runs.extend(number.map(|number| (number, act)));
    turn.waiting.push(Waiting {
        run,
        stage,
        seq: match stage {
            Stage::PersonaIntent | Stage::NpcIntent => None,
            Stage::LoreExtractor => turn.last_narration().map(|told| told.seq),
            _ => turn.staged.resolving.map(|(_, seq)| seq),
        },
        at: world.get_resource_or_init::<DramatisClock>().game,
    });
    Ok(())
}

/// What the sampling seed of a call is drawn from: another play of the same turn gets another one.
fn seed_keys(turn: &AdventureTurn, actor: &Id) -> Vec<String> {
    match turn.redo {
        None => vec![turn.turn_id.to_string(), actor.to_string()],
        Some((root, plays)) => vec![root.to_string(), actor.to_string(), format!("redo {plays}")],
    }
}

/// The last words of a narration that a view holds.
fn last_heard(data: &Value) -> String {
    let messages = data["msgs"]
        .as_array()
        .map(Vec::as_slice)
        .unwrap_or_default();
    let mut narrations = messages
        .iter()
        .rev()
        .filter(|message| message["type"] == "narration");
    let last = narrations
        .next()
        .and_then(|message| message["text"].as_str());
    last.unwrap_or_default().to_owned()
}

/// Who may speak in the narration of an intention.
fn voices(world: &World, turn: &AdventureTurn, cast: &Cast, actor: &Id) -> Voices {
    let settings = world
        .get_resource::<AdventureSettings>()
        .copied()
        .unwrap_or_default();
    let mut present: BTreeSet<Id> = turn.staged.audience.iter().cloned().collect();
    present.extend(cast.at(cast.place(actor)));
    let allowed = match settings.voices {
        VoiceSetting::Any => None,
        VoiceSetting::Acting => Some([actor.clone()].into()),
        VoiceSetting::Present => Some(present.clone()),
    };
    // Who cannot speak has no voice.
    let speakers = cast.speakers().into_iter().map(|speaker| speaker.id);
    let (mute, able): (BTreeSet<Id>, BTreeSet<Id>) = speakers.partition(|id| cast.senses(id).mute);
    let allowed = match allowed {
        None if mute.is_empty() => None,
        None => Some(able),
        Some(allowed) => Some(allowed.difference(&mute).cloned().collect()),
    };
    let personas = cast.personas.keys().map(|persona| {
        let intention = turn.intention(persona).unwrap_or_default();
        (persona.clone(), intention.to_owned())
    });
    Voices {
        allowed,
        personas: personas.collect(),
        present,
    }
}

/// What was told last in this turn, as far as a view holds it.
fn told_in_turn(view: &ViewOf, cast: &Cast, turn: &AdventureTurn) -> Option<String> {
    let mut told = turn.staged.messages.iter().rev();
    let last =
        told.find(|message| message.kind == MessageType::Narration && view.shows(message))?;
    let lines = narration_lines(view, cast, last);
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// Whether only the persona acted in the turn before this one, and a marker says so.
fn was_quiet(stream: &Stream) -> bool {
    let mut tail = stream.live_tail().rev();
    let last = tail.next().map(|message| message.turn_id);
    let mut of_turn = stream
        .live_tail()
        .rev()
        .take_while(|message| Some(message.turn_id) == last);
    of_turn.any(|message| {
        message.kind == MessageType::SceneMarker && message.content == quiet_marker()
    })
}

/// The variables of a stage's template.
fn data(
    world: &mut World,
    turn: &AdventureTurn,
    cast: &Cast,
    stage: Stage,
    actor: &Id,
    tools: &[ToolSpec],
) -> Value {
    let tools: Vec<String> = tools.iter().map(ToolSpec::line).collect();
    world.get_resource_or_init::<Stream>();
    world.get_resource_or_init::<Lorebook>();
    let world = &*world;
    let viewer = match stage {
        Stage::PersonaIntent => Viewer::PersonaIntent,
        Stage::NpcIntent => Viewer::NpcIntent,
        Stage::Narrator => Viewer::Narrator,
        Stage::PersonaExtractor => Viewer::PersonaExtractor,
        Stage::CharacterExtractor => Viewer::CharacterExtractor,
        _ => Viewer::LoreExtractor,
    };
    let told = turn.last_narration();
    let place = cast.place(actor);
    let view = ViewOf {
        viewer,
        own: (stage != Stage::LoreExtractor).then_some(actor),
        place,
        current: match stage {
            Stage::LoreExtractor => told.map(|told| (told.turn_id, told.seq)),
            _ => turn.staged.resolving,
        },
    };
    let stream = world.resource::<Stream>();
    let past: Vec<&Message> = stream.live_tail().collect();
    let recap = world
        .get_resource::<Recaps>()
        .and_then(|recaps| recaps.of(&view));
    let mut msgs = messages(
        &view,
        cast,
        &past,
        &turn.staged.messages,
        recap.map(Recap::through),
    );
    let resolves = matches!(
        stage,
        Stage::Narrator | Stage::PersonaExtractor | Stage::CharacterExtractor
    );
    if resolves {
        // The intention is the input of the call: its prompt holds it once.
        msgs.retain(|message| message["type"] != "intention");
    }
    let story = &world.resource::<ActiveStory>().0;
    let canon: Vec<String> = story
        .canon
        .facts()
        .iter()
        .map(|fact| fact.text.clone())
        .collect();
    let extracts = matches!(stage, Stage::PersonaExtractor | Stage::CharacterExtractor);
    let states = |id: &Id| turn.states(id, cast);
    let of_persona = |persona: &Id| {
        let written = cast.personas.get(persona);
        let description = written.map_or("", |persona: &Persona| persona.description.as_str());
        person(
            cast,
            cast.name(persona),
            &escape(description),
            &states(persona),
            extracts,
        )
    };
    let of_character = |character: &Character| {
        let states: Vec<StateEntry> = states(&character.id);
        person(cast, &character.name, &character.persona, &states, extracts)
    };
    let own = cast
        .character(actor)
        .map(|one| of_character(&one.character));
    let here = cast.at(place);
    let others = cast.seen_beside(actor);
    let names_all = matches!(stage, Stage::NpcIntent | Stage::Narrator);
    let sees_facts = stage == Stage::Narrator;
    let view_of = WorldView::new(world);
    let facts: Vec<String> = view_of
        .facts()
        .into_iter()
        .map(|(key, value)| format!("{key}: {}", escape(&value.to_string())))
        .collect();
    let book = world.resource::<Lorebook>();
    let lore = match stage {
        Stage::Narrator => {
            let seen = msgs.iter().rev().filter_map(|line| line["text"].as_str());
            let mut texts: Vec<&str> = seen.take(LORE_TEXTS).collect();
            texts.extend(turn.intention(actor));
            let knows = |entry: &super::lore::LoreEntry| {
                entry
                    .audience
                    .as_ref()
                    .is_none_or(|heard| here.iter().any(|id| heard.contains(id)))
            };
            lore_value(&book.relevant(&texts, knows))
        }
        Stage::LoreExtractor => {
            let texts: Vec<&str> = told.iter().map(|told| told.content.as_str()).collect();
            lore_value(&book.relevant(&texts, |_| true))
        }
        _ => Value::Null,
    };
    let verdicts: Vec<Value> = match stage {
        Stage::Narrator | Stage::PersonaExtractor | Stage::CharacterExtractor => turn
            .staged
            .verdicts
            .iter()
            .cloned()
            .map(Value::String)
            .collect(),
        _ => Vec::new(),
    };
    let is_persona = *actor == turn.persona;
    let is_persona_stage = matches!(stage, Stage::PersonaIntent | Stage::PersonaExtractor);
    let tells = stage == Stage::Narrator;
    variables([
        ("player_name", cast.player_name(&turn.persona).into()),
        (
            "player",
            match is_persona_stage || tells {
                true => of_persona(&turn.persona),
                false => Value::Null,
            },
        ),
        (
            "char",
            own.filter(|_| !is_persona_stage).unwrap_or_default(),
        ),
        (
            "chars",
            match tells {
                // What nobody sees has no part in what is told.
                true => {
                    let seen = here.iter();
                    let seen = seen.filter(|id| *id == actor || !cast.senses(id).invisible);
                    let seen: Vec<Id> = seen.cloned().collect();
                    json!({"summary": summary(cast, &seen, &states)})
                }
                false => Value::Null,
            },
        ),
        (
            "canon",
            match stage {
                Stage::LoreExtractor | Stage::PersonaExtractor | Stage::CharacterExtractor => {
                    Value::Null
                }
                _ => canon.into(),
            },
        ),
        (
            "facts",
            match sees_facts {
                true => facts.into(),
                false => Value::Null,
            },
        ),
        (
            "place",
            match names_all {
                true => place.and_then(|place| view_of.name_of(place)).into(),
                false => Value::Null,
            },
        ),
        (
            "present",
            match names_all {
                true => others.join(", ").into(),
                false => Value::Null,
            },
        ),
        ("tools", tools.into()),
        ("lore", lore),
        ("verdicts", verdicts.into()),
        (
            "actor",
            match resolves {
                true => cast.name(actor).into(),
                false => Value::Null,
            },
        ),
        (
            "turn",
            match told_in_turn(&view, cast, turn) {
                Some(told) => json!({"narration": told}),
                None => Value::Null,
            },
        ),
        ("quiet", (tells && is_persona && was_quiet(stream)).into()),
        ("recap", recap.map(|recap| escape(&recap.text)).into()),
        ("msgs", msgs.into()),
    ])
}
