//! The parser that asks a model what the words mean. Its answer is as untrusted as any reply.

use super::misread::denials;
use crate::engine::Stage;
use crate::gate::actions::MAX_INTENTS;
use crate::judged_world::action::{ActionShape, FieldKind};
use crate::judged_world::words::parser::{ActionParser, ParseRequest, Parsing};
use crate::pipeline::stage::call::StageCall;
use crate::pipeline::stage::template::StageTemplates;
use crate::pipeline::steps::prompt::escape;
use crate::pipeline::{ListCheck, StageForm, StageHost, StageTask};
use crate::rules::TriggerReason;
use bevy::prelude::*;
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// The most things in sight that the prompt names.
const MAX_NAMED: usize = 64;

/// Asks a model to turn prose into actions: the engine of the stage [`Stage::Parser`](crate::engine::Stage::Parser), which is the
/// default engine unless [`set_stage_engine`](crate::app::DramatisAppExt::set_stage_engine) names another.
///
/// The call is a run like any other: it waits for its turn, counts against budgets, and its reply is judged. An answer that cannot be
/// read, that names no action or thing, or that is aimed at the wrong one gets a second try, with what is wrong. When the call fails
/// or takes longer than the limit `parser_patience`, the built-in parser reads the words.
///
/// ```
/// # use bevy::prelude::*;
/// use bevy_dramatis::actor_turns::EngineParser;
/// use bevy_dramatis::app::DramatisAppExt;
///
/// # let mut app = App::new();
/// app.set_action_parser(EngineParser);
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct EngineParser;

impl ActionParser for EngineParser {
    fn parse(&self, _request: &ParseRequest) -> Parsing {
        Parsing::AskModel
    }
}

/// The entity that the calls of parsers belong to.
#[derive(Resource)]
struct ParserHost(Entity);

/// Starts the call that reads these words; `None`, with a line in the log, where it cannot be made.
pub(super) fn ask_model(world: &mut World, request: &ParseRequest) -> Option<StageCall> {
    let prompt_words = request.lexicon.prompt.clone();
    let words = world
        .get_resource_or_init::<StageTemplates>()
        .render("parser", prompt_words.language(), &data(request))
        .inspect_err(|error| log::error!("{error}"))
        .ok()?;
    let actor = request.actor.clone();
    let task = StageTask {
        npc: None,
        keys: vec![request.seed.to_string()],
        input: request.text.clone(),
        words,
        prompt_words,
        schema: Some(Arc::new(schema(request))),
        form: StageForm::Actions(ListCheck::new(actor.to_string(), move |world, actions| {
            denials(world, &actor, actions)
        })),
    };
    let host = world.get_resource::<ParserHost>().map(|host| host.0);
    let host = host.unwrap_or_else(|| {
        let host = world.spawn(StageHost).id();
        world.insert_resource(ParserHost(host));
        host
    });
    let reason = TriggerReason::PlayerUtterance;
    StageCall::start(world, host, Stage::Parser, &request.actor, reason, 0, task)
        .inspect_err(|error| log::warn!("no model reads the words of {}: {error}", request.actor))
        .ok()
}

/// The variables of the template.
fn data(request: &ParseRequest) -> Value {
    let actions = request.registry.shapes().map(|shape| {
        let fields: Vec<&str> = shape.fields.iter().map(|field| field.name).collect();
        format!("{}: {}", shape.name, fields.join(", "))
    });
    let seen = request.perceived.iter().take(MAX_NAMED);
    let seen = seen.map(|(id, name)| json!({"id": escape(id), "name": escape(name)}));
    json!({"actions": actions.collect::<Vec<_>>(), "seen": seen.collect::<Vec<_>>()})
}

fn schema(request: &ParseRequest) -> Value {
    let actions: Vec<Value> = request.registry.shapes().map(shape_schema).collect();
    json!({
        "type": "object",
        "properties": {"actions": {"type": "array", "maxItems": MAX_INTENTS, "items": {"anyOf": actions}}},
        "required": ["actions"],
        "additionalProperties": false
    })
}

fn shape_schema(shape: &ActionShape) -> Value {
    let mut properties = Map::from_iter([("type".to_owned(), json!({"const": shape.name}))]);
    let mut required = vec!["type"];
    for field in &shape.fields {
        let kind = match field.kind {
            FieldKind::Integer => json!({"type": "integer"}),
            FieldKind::Flag => json!({"type": "boolean"}),
            // An actor that acts in words names no attributes.
            FieldKind::Attributes => continue,
            _ => json!({"type": "string", "minLength": 1, "maxLength": 300}),
        };
        properties.insert(field.name.to_owned(), kind);
        required.extend(field.required.then_some(field.name));
    }
    json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
}
