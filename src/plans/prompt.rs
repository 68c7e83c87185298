//! What a model is asked for a plan: the data of the two templates, the schemas of the two replies, and the start of a call.

use super::constraint::{PlanConstraint, resolve};
use super::judge::PlanJudge;
use super::plan::{CallOf, Plan, PlanId};
use super::plans::Plans;
use super::security::living;
use super::settings::PlanSettings;
use super::taxonomy::{ChecklistCondition, PlanIntentSpec, Taxonomy, WantedTarget};
use crate::authoring::Character;
use crate::base::canonical::Digest;
use crate::base::ids::Id;
use crate::engine::{EngineChoiceError, NpcEngine};
use crate::judged_world::action::{ActionField, ActionShape, FieldKind};
use crate::npc::doing::doing;
use crate::npc::{PlayerId, limits_of_id};
use crate::pipeline::stage::call::StageCall;
use crate::pipeline::stage::template::{StageTemplates, TemplateError};
use crate::pipeline::steps::prompt::escape;
use crate::pipeline::{ListCheck, StageForm, StageTask};
use crate::story::{ActiveStory, action_rules};
use crate::text::PromptWords;
use crate::world::{May, Placement, WorldRead, WorldView};
use bevy::prelude::*;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use thiserror::Error;

/// The most ids that a schema lists.
const MAX_LISTED: usize = 256;

/// Why a call cannot be made.
#[derive(Debug, Error)]
pub(super) enum CallError {
    #[error(transparent)]
    Template(#[from] TemplateError),
    #[error(transparent)]
    Engine(#[from] EngineChoiceError),
    #[error("the plan or its character is gone")]
    Gone,
}

impl CallError {
    /// The reason with which the plan ends.
    pub(super) fn reason(&self) -> &'static str {
        match self {
            Self::Engine(_) => "EngineUnfit",
            Self::Template(_) => "BadTemplate",
            Self::Gone => "Cancelled",
        }
    }
}

/// Starts a call of a plan, as a run of its own.
pub(super) fn start_call(
    world: &mut World,
    id: PlanId,
    of: CallOf,
    npc: Entity,
    host: Entity,
) -> std::result::Result<StageCall, CallError> {
    let plan = world
        .resource::<Plans>()
        .get(id)
        .cloned()
        .ok_or(CallError::Gone)?;
    let (_, character) = living(world, &plan.asked.npc).ok_or(CallError::Gone)?;
    let character = character.clone();
    // The engine of the character serves its plans.
    match world.get::<NpcEngine>(npc).cloned() {
        Some(own) => world.entity_mut(host).insert(own),
        None => world.entity_mut(host).remove::<NpcEngine>(),
    };
    let asked = Asked::of(world, &plan, &character);
    let data = asked.data(of);
    let schema = asked.schema(of);
    let prompt_words = asked.words.clone();
    let words = world.get_resource_or_init::<StageTemplates>().render(
        of.stage().snake_case(),
        prompt_words.language(),
        &data,
    )?;
    let task = StageTask {
        npc: Some(plan.asked.npc.clone()),
        keys: vec![plan.correlation.clone(), id.to_string()],
        input: plan.asked.text.clone(),
        words,
        prompt_words,
        schema: Some(Arc::new(schema)),
        form: form(world, &plan, of),
    };
    let (npc, reason) = (plan.asked.npc.clone(), plan.asked.reason);
    let stage = of.stage();
    Ok(StageCall::start(world, host, stage, &npc, reason, 0, task)?)
}

fn form(world: &World, plan: &Plan, of: CallOf) -> StageForm {
    let settings = world.resource::<PlanSettings>();
    match of {
        CallOf::Wish => StageForm::Wish {
            actions: settings
                .taxonomy
                .known_actions(action_rules(world).registry),
        },
        CallOf::Steps => {
            let id = plan.id;
            let basis = json!([settings, id.to_string(), plan.wish]);
            StageForm::Steps(ListCheck::new(
                Digest::of(&basis).to_hex(),
                move |world, steps| {
                    let Some(plan) = world.resource::<Plans>().get(id) else {
                        return vec![("gone".to_owned(), "the plan is gone".to_owned())];
                    };
                    let found = PlanJudge::of_game(world)
                        .problems(plan, steps)
                        .err()
                        .unwrap_or_default();
                    found
                        .into_iter()
                        .map(|problem| (problem.rule, problem.message))
                        .collect()
                },
            ))
        }
    }
}

/// The name and the kind of an entity in the world.
struct Seen {
    id: Id,
    name: String,
    kind: String,
    carried: bool,
    /// What it does now; `None`: its routine does not say it.
    doing: Option<String>,
}

/// All that both prompts are made of.
struct Asked<'a> {
    plan: &'a Plan,
    character: &'a Character,
    taxonomy: &'a Taxonomy,
    seen: Vec<Seen>,
    place: Option<String>,
    places: Vec<(Id, String)>,
    /// The actions that the character may use for this plan.
    shapes: Vec<&'a ActionShape>,
    known_actions: BTreeSet<String>,
    player: Id,
    /// What the character does now, in its own prompt; `None`: its routine does not say it.
    doing: Option<String>,
    words: &'a PromptWords,
}

impl<'a> Asked<'a> {
    fn of(world: &'a World, plan: &'a Plan, character: &'a Character) -> Self {
        let taxonomy = &*world.resource::<PlanSettings>().taxonomy;
        let rules = action_rules(world);
        let view = WorldView::new(world);
        let npc = &character.id;
        let may = May::of_character(character.may.as_deref());
        let intent = plan
            .wish
            .as_ref()
            .and_then(|wish| taxonomy.intents.get(&wish.intent));
        let listed = |name: &str| match intent {
            Some(intent) if !intent.actions.is_empty() => {
                intent.actions.iter().any(|action| action == name)
            }
            _ => true,
        };
        let shapes = rules.registry.shapes().filter(|shape| {
            listed(shape.name)
                && may.allows(shape.name)
                && rules.book.rule(rules.registry, shape.name).is_some()
        });
        let here = crate::plans::targets::location_of(&view, npc);
        let connected = here
            .as_ref()
            .and_then(|place| view.location(place))
            .map(|place| place.connected_to)
            .unwrap_or_default();
        let mut places: BTreeSet<Id> = connected.into_iter().chain(here.clone()).collect();
        let lexicon = &world.resource::<ActiveStory>().0.lexicon;
        // Things in the wish can be named, wherever they are.
        let mut meant: BTreeSet<Id> = BTreeSet::new();
        for value in plan.wish.iter().flat_map(|wish| wish.context.values()) {
            for id in resolve(&view, npc, lexicon, value) {
                match view.is_location(&id) {
                    true => places.insert(id),
                    false => meant.insert(id),
                };
            }
        }
        let perceived = view.perceived_by(npc).into_iter();
        let mut seen: BTreeMap<Id, Seen> = BTreeMap::new();
        let meant = meant
            .into_iter()
            .filter_map(|id| Some((id.clone(), view.entity(&id)?)));
        for (id, found) in perceived.chain(meant) {
            let carried = found.at == Placement::CarriedBy(npc.clone());
            seen.entry(id.clone()).or_insert(Seen {
                doing: None,
                id,
                name: found.name,
                kind: found.kind,
                carried,
            });
        }
        let words = &world
            .resource::<ActiveStory>()
            .0
            .language_of(character)
            .prompt;
        for seen in seen.values_mut() {
            seen.doing = doing(world, &seen.id).map(|doing| doing.seen(words));
        }
        Self {
            seen: bounded(seen.into_values().collect(), plan, world, npc),
            place: here.map(|place| {
                let name = view.name_of(&place).unwrap_or_default();
                format!("{name} ({place})")
            }),
            places: places
                .into_iter()
                .take(MAX_LISTED)
                .map(|id| (id.clone(), view.name_of(&id).unwrap_or_default()))
                .collect(),
            shapes: shapes.collect(),
            known_actions: taxonomy.known_actions(rules.registry),
            player: world.resource::<PlayerId>().0.clone(),
            doing: doing(world, npc).map(|doing| doing.own(words, &character.name)),
            words,
            plan,
            character,
            taxonomy,
        }
    }

    fn intent(&self) -> Option<(&'a str, &'a PlanIntentSpec)> {
        let wish = self.plan.wish.as_ref()?;
        let (name, spec) = self.taxonomy.intents.get_key_value(&wish.intent)?;
        Some((name, spec))
    }

    /// The variables of the template.
    fn data(&self, of: CallOf) -> Value {
        let seen: Vec<Value> = self
            .seen
            .iter()
            .map(|seen| {
                json!({"id": seen.id, "name": escape(&seen.name), "kind": escape(&seen.kind), "carried": seen.carried, "doing": seen.doing.as_deref().map(escape)})
            })
            .collect();
        let places: Vec<Value> = self
            .places
            .iter()
            .map(|(id, name)| json!({"id": id, "name": escape(name)}))
            .collect();
        let mut data = json!({
            "char": {"name": self.character.name, "description": self.character.persona, "doing": self.doing.as_deref().map(escape)},
            "place": self.place.as_deref().map(escape),
            "seen": seen,
            "places": places,
        });
        let fields: Value = match of {
            CallOf::Wish => {
                let known: Vec<&str> = self.known_actions.iter().map(String::as_str).collect();
                let intents = self.taxonomy.intents.iter().map(|(name, intent)| {
                    let context: Vec<String> = intent.context.iter().map(|key| key_line(intent, key, self.words)).collect();
                    json!({"name": name, "description": intent.description, "context": context.join(", ")})
                });
                json!({"intents": intents.collect::<Vec<_>>(), "actions": known.join(", ")})
            }
            CallOf::Steps => self.plan_data(),
        };
        if let (Value::Object(data), Value::Object(fields)) = (&mut data, fields) {
            data.extend(fields);
        }
        data
    }

    fn plan_data(&self) -> Value {
        let (name, spec) = match self.intent() {
            Some((name, spec)) => (name, spec.clone()),
            None => ("", PlanIntentSpec::default()),
        };
        let context = self.plan.wish.iter().flat_map(|wish| &wish.context);
        let context: Vec<Value> = context
            .map(|(key, value)| json!({"key": escape(key), "value": escape(value)}))
            .collect();
        let given = |key: &str| {
            let wish = self.plan.wish.as_ref();
            escape(
                wish.and_then(|wish| wish.context.get(key))
                    .map_or("", String::as_str),
            )
        };
        let with = |action: &str, target: &str| {
            let parts = [("action", action), ("target", target)];
            self.words.say("with_target", &parts)
        };
        let checklist = spec.checklist.iter().filter(|entry| entry.required);
        let checklist: Vec<String> = checklist
            .map(|entry| {
                let ChecklistCondition::AnyStep(action, target) = &entry.when;
                match target {
                    None => action.clone(),
                    Some(WantedTarget::Id(id)) => with(action, id),
                    Some(WantedTarget::Context(key)) => with(action, &given(key)),
                }
            })
            .collect();
        let constraints: Vec<Value> = self.plan.constraints.iter().map(constraint_data).collect();
        let actions: Vec<String> = self
            .shapes
            .iter()
            .map(|shape| action_line(shape, self.words))
            .collect();
        json!({
            "intent": {"name": name, "description": spec.description},
            "context": context,
            "checklist": checklist,
            "constraints": constraints,
            "actions": actions,
        })
    }

    /// All values that a key can have, where every intent that asks for it has a closed list.
    fn values_of(&self, key: &String) -> Option<BTreeSet<&'a str>> {
        let intents = self.taxonomy.intents.values();
        let mut intents = intents.filter(|intent| intent.context.contains(key));
        intents.try_fold(BTreeSet::new(), |mut all, intent| {
            all.extend(intent.values.get(key)?.iter().map(String::as_str));
            Some(all)
        })
    }

    /// The schema of the reply.
    fn schema(&self, of: CallOf) -> Value {
        let nullable = |schema: Value| json!({"anyOf": [schema, {"type": "null"}]});
        let text = |most: u32| json!({"type": "string", "minLength": 1, "maxLength": most});
        match of {
            CallOf::Wish => {
                let names: Vec<&String> = self.taxonomy.intents.keys().collect();
                let keys: BTreeSet<&String> = self
                    .taxonomy
                    .intents
                    .values()
                    .flat_map(|intent| &intent.context)
                    .collect();
                let context: Map<String, Value> = keys
                    .iter()
                    .map(|key| {
                        let free = || json!({"type": ["string", "null"], "maxLength": 100});
                        let schema = self.values_of(key).map_or_else(free, |values| {
                            let values = values.into_iter().map(Value::from);
                            json!({"enum": values.chain([Value::Null]).collect::<Vec<_>>()})
                        });
                        ((*key).clone(), schema)
                    })
                    .collect();
                let constraint = object(json!({
                    "kind": {"enum": ["MUST", "MUST_NOT", "PREFER"]},
                    "scope": {"enum": ["global", "target", "step"]},
                    "text": text(200),
                    "action": {"enum": self.known_actions.iter().map(|name| json!(name)).chain([Value::Null]).collect::<Vec<_>>()},
                    "target": nullable(text(64)),
                    "pattern": nullable(json!({"type": "string", "pattern": "^[a-z]{1,20}( [a-z]{1,20}){0,4}$"})),
                }));
                object(json!({
                    "intent": {"enum": names},
                    // A list: servers do not keep numbers within bounds.
                    "confidence": {"enum": [0.1, 0.3, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 1.0]},
                    "context": object(Value::Object(context)),
                    "constraints": {"type": "array", "maxItems": 4, "items": constraint},
                }))
            }
            CallOf::Steps => {
                let actions: Vec<Value> = self
                    .shapes
                    .iter()
                    .flat_map(|shape| self.action_schemas(shape))
                    .collect();
                let id = json!({"type": "string", "pattern": "^s(10|[1-9])$"});
                let constraints: Vec<&String> =
                    self.plan.constraints.iter().map(|one| &one.id).collect();
                let covers = match constraints.is_empty() {
                    true => json!({"type": "array", "maxItems": 0, "items": {"type": "null"}}),
                    false => {
                        json!({"type": "array", "maxItems": 4, "items": {"enum": constraints}})
                    }
                };
                let step = object(json!({
                    "id": id,
                    "needs": {"type": "array", "maxItems": 4, "items": id},
                    "action": {"anyOf": actions},
                    "why": {"type": "string", "minLength": 3, "maxLength": 200},
                    "covers": covers,
                }));
                object(
                    json!({"steps": {"type": "array", "minItems": 1, "maxItems": 10, "items": step}}),
                )
            }
        }
    }

    /// The schemas of an action: one for each group of fields that exclude each other. None for one that needs what there is
    /// not.
    fn action_schemas(&self, shape: &ActionShape) -> Vec<Value> {
        let whole = vec![Vec::new()];
        let groups = match shape.alternatives.is_empty() {
            true => &whole,
            false => &shape.alternatives,
        };
        let of_group = |group: &Vec<&'static str>| -> Option<Value> {
            let others = shape.alternatives.iter().filter(|other| *other != group);
            let others: BTreeSet<&str> = others.flatten().copied().collect();
            let mut fields = json!({"type": {"const": shape.name}});
            let fields_of = fields.as_object_mut()?;
            for field in &shape.fields {
                if others.contains(field.name) || field.kind == FieldKind::Attributes {
                    continue;
                }
                let required = field.required || group.first() == Some(&field.name);
                match self.field_schema(field) {
                    Some(schema) if required => fields_of.insert(field.name.to_owned(), schema),
                    Some(schema) => fields_of.insert(
                        field.name.to_owned(),
                        json!({"anyOf": [schema, {"type": "null"}]}),
                    ),
                    None if required => return None,
                    None => continue,
                };
            }
            Some(object(fields))
        };
        groups.iter().filter_map(of_group).collect()
    }

    fn field_schema(&self, field: &ActionField) -> Option<Value> {
        let ids: Vec<&Id> = match field.kind {
            FieldKind::Text => {
                return Some(json!({"type": "string", "minLength": 1, "maxLength": 200}));
            }
            FieldKind::Integer => return Some(json!({"type": "integer"})),
            FieldKind::Flag => return Some(json!({"type": "boolean"})),
            FieldKind::Attributes => return None,
            FieldKind::Place => self.places.iter().map(|(id, _)| id).collect(),
            FieldKind::Thing | FieldKind::Newcomer => {
                self.seen.iter().map(|seen| &seen.id).collect()
            }
            FieldKind::Character => {
                let people = self.seen.iter().filter(|seen| seen.kind == "character");
                let mut people: BTreeSet<&Id> = people.map(|seen| &seen.id).collect();
                people.insert(&self.player);
                people.into_iter().collect()
            }
        };
        (!ids.is_empty()).then(|| json!({"enum": ids}))
    }
}

/// An object with all of these fields and no others.
fn object(properties: Value) -> Value {
    let required: Vec<String> = properties
        .as_object()
        .map(|fields| fields.keys().cloned().collect())
        .unwrap_or_default();
    json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
}

/// In a crowd: first what the wish names, then the rest by id, as many as there is room for.
fn bounded(seen: Vec<Seen>, plan: &Plan, world: &World, npc: &Id) -> Vec<Seen> {
    let limits = limits_of_id(world, npc);
    let mut room = limits.surroundings_chars;
    let values: Vec<String> = plan
        .wish
        .iter()
        .flat_map(|wish| wish.context.values())
        .chain([&plan.asked.text])
        .map(|value| value.to_lowercase())
        .collect();
    let is_named = |seen: &Seen| {
        let (id, name) = (seen.id.to_lowercase(), seen.name.to_lowercase());
        let mut values = values.iter();
        values.any(|value| value.contains(&id) || value.contains(&name))
    };
    let (named, rest): (Vec<Seen>, Vec<Seen>) = seen.into_iter().partition(is_named);
    let mut kept: Vec<Seen> = Vec::new();
    for seen in named.into_iter().chain(rest) {
        let chars = seen.id.chars().count() + seen.name.chars().count() + 24;
        if chars > room || kept.len() >= MAX_LISTED {
            continue;
        }
        room -= chars;
        kept.push(seen);
    }
    kept.sort_by(|a, b| a.id.cmp(&b.id));
    kept
}

fn constraint_data(constraint: &PlanConstraint) -> Value {
    let spec = &constraint.spec;
    let parts = [
        ("action", &spec.action),
        ("target", &spec.target),
        ("pattern", &spec.pattern),
    ];
    let written = parts.into_iter().filter_map(|(name, value)| {
        let value = value.as_ref()?;
        Some(format!("{name}: {}", escape(value)))
    });
    json!({
        "id": constraint.id,
        "kind": spec.kind,
        "scope": spec.scope.name(),
        "text": escape(&spec.text),
        "written": written.collect::<Vec<_>>().join(", "),
    })
}

/// A key of a wish's context, with the values that it can have where they are a closed list.
fn key_line(intent: &PlanIntentSpec, key: &str, words: &PromptWords) -> String {
    match intent.values.get(key) {
        Some(values) => format!("{key} ({})", values.join(words.get("field_or"))),
        None => key.to_owned(),
    }
}

/// An action with its fields, as a model writes it.
fn action_line(shape: &ActionShape, words: &PromptWords) -> String {
    let fields = shape
        .fields
        .iter()
        .filter(|field| field.kind != FieldKind::Attributes);
    let fields = fields.map(|field| {
        let what = match field.kind {
            FieldKind::Thing | FieldKind::Newcomer => "field_id",
            FieldKind::Character => "field_character",
            FieldKind::Place => "field_place",
            FieldKind::Integer => "field_number",
            FieldKind::Flag => "field_flag",
            FieldKind::Text | FieldKind::Attributes => "value_text",
        };
        let optional = match field.required {
            true => "",
            false => words.get("field_optional"),
        };
        format!("\"{}\": {}{optional}", field.name, words.get(what))
    });
    format!("{}: {}", shape.name, fields.collect::<Vec<_>>().join("; "))
}
