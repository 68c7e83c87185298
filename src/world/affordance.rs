//! What can this actor do now? One answer, from the rulebook, for prompts, for schemas and for a game's menus, so that
//! they cannot disagree with the gate (contract row W6).

use super::action::{ActionField, ActionShape, FieldKind, Intent, Slot};
use super::apply::{TurnKey, apply};
use super::may::May;
use super::overlay::Overlay;
use super::registry::ActionRegistry;
use super::state::WorldRead;
use super::validate::ActionRules;
use super::value::WorldValue;
use crate::base::ids::Id;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// The most combinations of references that are tried for one action. What comes after is left out.
pub const MAX_COMBINATIONS: usize = 256;
/// The most combinations of references that are offered for one action. What comes after is left out.
pub const MAX_OFFERED: usize = 512;

/// The ids in the reference fields of one action, in the order of its fields. `None`: an optional field that is left out.
pub type References = Vec<Option<Id>>;

/// One action that an actor may do now, with what it may do it to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Affordance {
    /// The name of the action, such as `open`.
    pub action: &'static str,
    /// The names of its reference fields, in order.
    pub fields: Vec<&'static str>,
    /// Every combination of ids with which it may be done, in order of the alphabet; at least one, at most
    /// [`MAX_OFFERED`].
    #[serde(rename = "deeds")]
    pub combinations: Vec<References>,
}

/// Every action that the actor with this id may do in this world, with its targets, in order of the actions' names. `may`
/// limits the actions.
///
/// Words and numbers that an action needs beside are taken to be given; a rule that looks into them may still refuse.
/// Only what the actor perceives, where it can go, and who waits offstage are tried as targets; what it carries, as a
/// tool.
#[must_use]
pub fn affordances(
    rules: &ActionRules,
    world: &dyn WorldRead,
    actor: &Id,
    may: May,
) -> Vec<Affordance> {
    affordances_among(rules, world, actor, may, &[])
}

/// The same in a crowd: `left_out`, sorted, are the ids of things that the actor perceives and that are not tried. They can be
/// referred to all the same.
#[must_use]
pub fn affordances_among(
    rules: &ActionRules,
    world: &dyn WorldRead,
    actor: &Id,
    may: May,
    left_out: &[Id],
) -> Vec<Affordance> {
    let reach = Reach::of(world, actor, left_out);
    let allowed = |shape: &&ActionShape| {
        may.allows(shape.name) && rules.book.rule(rules.registry, shape.name).is_some()
    };
    let offered = rules.registry.shapes().filter(allowed).filter_map(|shape| {
        let fields: Vec<&ActionField> = shape
            .fields
            .iter()
            .filter(|field| field.kind.is_reference())
            .collect();
        let mut combinations: Vec<References> = reach
            .combinations(&fields)
            .into_iter()
            .filter(|ids| is_possible(rules, world, actor, shape, &fields, ids))
            .take(MAX_OFFERED)
            .collect();
        combinations.sort();
        (!combinations.is_empty()).then(|| Affordance {
            action: shape.name,
            fields: fields.iter().map(|field| field.name).collect(),
            combinations,
        })
    });
    offered.collect()
}

fn is_possible(
    rules: &ActionRules,
    world: &dyn WorldRead,
    actor: &Id,
    shape: &ActionShape,
    fields: &[&ActionField],
    ids: &References,
) -> bool {
    let mut given = given_fields(shape, ids.iter().all(Option::is_none));
    let references = fields.iter().zip(ids);
    given.extend(references.filter_map(|(field, id)| {
        let id = id.as_ref()?;
        Some((field.name, WorldValue::Text(id.to_string())))
    }));
    let intent = Intent::new(shape, actor, given);
    let mut copy = Overlay::new(world);
    apply(rules, &TurnKey::default(), &mut copy, &intent, &mut 0).is_ok()
}

/// What stands for the words and numbers that an action needs. Where it refers to nothing, optional words too: somebody
/// new needs a name.
fn given_fields(
    shape: &ActionShape,
    refers_to_nothing: bool,
) -> BTreeMap<&'static str, WorldValue> {
    let given = shape
        .fields
        .iter()
        .filter(|field| field.required || refers_to_nothing && field.kind == FieldKind::Text);
    given
        .filter_map(|field| {
            let value = match field.kind {
                FieldKind::Text => WorldValue::Text("\u{2026}".to_owned()),
                FieldKind::Integer => WorldValue::Int(1),
                FieldKind::Flag => WorldValue::Bool(true),
                _ => return None,
            };
            Some((field.name, value))
        })
        .collect()
}

/// The ids of what an actor could refer to, without itself.
struct Reach {
    carried: Vec<Id>,
    near: Vec<Id>,
    people: Vec<Id>,
    places: Vec<Id>,
    offstage: Vec<Id>,
}

impl Reach {
    fn of(world: &dyn WorldRead, actor: &Id, left_out: &[Id]) -> Self {
        let here = world.place_of(actor);
        let tried = |id: &Id| left_out.binary_search(id).is_err();
        let mut carried = world.contents(actor);
        carried.retain(tried);
        let mut near = carried.clone();
        near.extend(here.iter().flat_map(|here| world.contents(here)));
        near.retain(|id| id != actor && tried(id));
        near.sort();
        near.dedup();
        let people = near.iter().filter(|id| world.is_kind(id, "character"));
        let exits = here
            .as_ref()
            .and_then(|here| world.location(here))
            .map(|location| location.connected_to);
        Self {
            people: people.cloned().collect(),
            places: here
                .into_iter()
                .chain(exits.into_iter().flatten())
                .collect(),
            offstage: world.offstage(),
            carried,
            near,
        }
    }

    /// What may stand in a field.
    fn pool(&self, field: &ActionField) -> Vec<&Id> {
        if field.slot == Some(Slot::Tool) {
            return self.carried.iter().collect();
        }
        match field.kind {
            FieldKind::Character => self.people.iter().collect(),
            FieldKind::Place => self.places.iter().collect(),
            FieldKind::Newcomer => self.offstage.iter().collect(),
            _ => self.near.iter().chain(self.places.first()).collect(),
        }
    }

    /// Every combination, an optional field also left out, at most [`MAX_COMBINATIONS`]. The last field changes last: with
    /// something left out everything else comes up first, so that in a crowd no target is forgotten for another one's tools.
    fn combinations(&self, fields: &[&ActionField]) -> Vec<References> {
        let mut all: Vec<References> = vec![Vec::new()];
        for field in fields {
            let mut choices: Vec<Option<Id>> = Vec::new();
            if !field.required {
                choices.push(None);
            }
            choices.extend(self.pool(field).into_iter().cloned().map(Some));
            let longer = choices.iter().flat_map(|choice| {
                let chosen = all.iter();
                chosen.map(move |begun| begun.iter().cloned().chain([choice.clone()]).collect())
            });
            all = longer.take(MAX_COMBINATIONS).collect();
        }
        all
    }
}

impl Affordance {
    /// The JSON schemas of an entry of `intents` that names this action: together they accept exactly its combinations.
    #[must_use]
    pub fn schemas(&self, registry: &ActionRegistry) -> Vec<Value> {
        let Some(shape) = registry.shape(self.action) else {
            return Vec::new();
        };
        let combinations = self.combinations.iter().map(Vec::as_slice);
        // What refers to nothing may need words that nothing else needs: a schema of its own.
        let (alone, combinations): (Vec<_>, Vec<_>) =
            combinations.partition(|ids| ids.iter().all(Option::is_none));
        let alone = alone.first().map(|_| Vec::new());
        let branches = branches(&self.fields, &combinations).into_iter();
        let branches = branches.filter(|_| !combinations.is_empty());
        alone
            .into_iter()
            .chain(branches)
            .map(|references| schema_of(shape, &references))
            .collect()
    }
}

impl Affordance {
    /// What a prompt says of it, in at most 8 lines: the action, and what it can refer to.
    pub fn lines(&self) -> impl Iterator<Item = String> {
        let combinations: Vec<&[Option<Id>]> =
            self.combinations.iter().map(Vec::as_slice).collect();
        let branches = branches(&self.fields, &combinations)
            .into_iter()
            .take(MAX_LINES);
        let lines: Vec<String> = branches
            .map(|branch| line_of(self.action, &branch))
            .collect();
        lines.into_iter()
    }
}

/// The most lines that a prompt spends on one action.
const MAX_LINES: usize = 8;
/// The most ids that one line names.
const MAX_NAMED: usize = 24;

fn line_of(action: &str, branch: &Branch) -> String {
    let mut line = action.to_owned();
    for (field, ids, optional) in branch.iter().filter(|(_, ids, _)| !ids.is_empty()) {
        let or_not = if *optional { ", or none" } else { "" };
        let named: Vec<&str> = ids.iter().copied().take(MAX_NAMED).collect();
        let more = ids.len() - named.len();
        let more = if more > 0 {
            format!(" and {more} more")
        } else {
            String::new()
        };
        let label = if *field == "target" {
            " ".to_owned()
        } else {
            format!("; {field}: ")
        };
        line.push_str(&format!("{label}{}{more}{or_not}", named.join(", ")));
    }
    line
}

/// One choice for each reference field: ids, and whether it may be left out.
type Branch<'a> = Vec<(&'static str, Vec<&'a str>, bool)>;

/// The combinations as few products of choices: values of a field that allow the same of the rest stand together.
fn branches<'a>(fields: &[&'static str], combinations: &[&'a [Option<Id>]]) -> Vec<Branch<'a>> {
    let Some((field, rest)) = fields.split_first() else {
        return vec![Vec::new()];
    };
    type Rests<'a> = Vec<&'a [Option<Id>]>;
    let mut by_value: BTreeMap<Option<&'a str>, Rests<'a>> = BTreeMap::new();
    for ids in combinations {
        if let Some((value, after)) = ids.split_first() {
            by_value.entry(value.as_deref()).or_default().push(after);
        }
    }
    let mut by_rest: BTreeMap<Rests<'a>, Vec<Option<&'a str>>> = BTreeMap::new();
    for (value, mut after) in by_value {
        after.sort_unstable();
        by_rest.entry(after).or_default().push(value);
    }
    let mut all = Vec::new();
    for (after, values) in by_rest {
        let ids: Vec<&str> = values.iter().copied().flatten().collect();
        let optional = values.contains(&None);
        for branch in branches(rest, &after) {
            let mut whole = vec![(*field, ids.clone(), optional)];
            whole.extend(branch);
            all.push(whole);
        }
    }
    all
}

/// The schema of an action with these choices. Every property is required; one that may be left out may be `null`.
fn schema_of(shape: &ActionShape, references: &Branch) -> Value {
    let mut properties = serde_json::Map::new();
    properties.insert("type".to_owned(), serde_json::json!({"const": shape.name}));
    let refers_to_nothing = references.iter().all(|(_, ids, _)| ids.is_empty());
    for field in &shape.fields {
        let reference = references.iter().find(|(name, ..)| *name == field.name);
        if reference.is_none() && field.kind.is_reference() {
            continue;
        }
        let schema = match (field.kind, reference) {
            (_, Some((_, ids, _))) if ids.is_empty() => continue,
            (_, Some((_, ids, optional))) => {
                let left_out = optional.then_some(Value::Null);
                let ids = ids.iter().map(|id| Value::from(*id));
                let choices: Vec<Value> = left_out.into_iter().chain(ids).collect();
                serde_json::json!({"enum": choices})
            }
            // Words that name somebody new belong to nobody who is there already.
            (FieldKind::Text, None) if !field.required && !refers_to_nothing => continue,
            (kind, None) => {
                let schema = match kind {
                    FieldKind::Integer => serde_json::json!({"type": "integer"}),
                    FieldKind::Flag => serde_json::json!({"type": "boolean"}),
                    _ => serde_json::json!({"type": "string", "minLength": 1, "maxLength": 300}),
                };
                if field.required || shape.leads_alternative(field.name) {
                    schema
                } else {
                    serde_json::json!({"anyOf": [{"type": "null"}, schema]})
                }
            }
        };
        properties.insert(field.name.to_owned(), schema);
    }
    let required: Vec<&String> = properties.keys().collect();
    serde_json::json!({
        "type": "object",
        "required": required,
        "properties": properties,
        "additionalProperties": false
    })
}
