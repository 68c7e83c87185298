//! What can this actor do now? One answer, from the rulebook, for prompts, for schemas and for a game's menus, so that
//! they cannot disagree with the gate.

mod shown;

use super::may::May;
use super::validate::{ActionRules, Judgement};
use crate::base::ids::Id;
use crate::judged_world::action::actions::BUILT_IN;
use crate::judged_world::action::{ActionField, ActionShape, FieldKind, Intent, Slot};
use crate::judged_world::change::apply::{TurnKey, apply};
use crate::judged_world::change::overlay::Overlay;
use crate::judged_world::rulebook::Rulebook;
use crate::judged_world::state::WorldRead;
use crate::judged_world::state::value::WorldValue;
use serde::Serialize;
use std::collections::BTreeMap;

/// The most combinations of references that are tried for one action. What comes after is left out.
pub const MAX_COMBINATIONS: usize = 256;
/// The most combinations of references that are offered for one action. What comes after is left out.
pub const MAX_OFFERED: usize = 512;

/// The ids in the reference fields of one action, in the order of its fields. `None`: an optional field that is left out.
pub(crate) type References = Vec<Option<Id>>;

/// One action that an actor may do now, with what it may do it to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Affordance {
    /// The name of the action, such as `open`.
    pub action: &'static str,
    /// The names of its reference fields, in order.
    pub fields: Vec<&'static str>,
    /// Every combination of ids with which it may be done, in the order of its fields, in order of the alphabet; at least one, at
    /// most 512. `None`: an optional field that is left out.
    #[serde(rename = "deeds")]
    pub combinations: Vec<Vec<Option<Id>>>,
    /// Its fields that refer to nothing, in order.
    pub(crate) words: Vec<FreeField>,
}

/// A field of an action that refers to nothing: words, a number, a truth value, or attributes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct FreeField {
    /// Its name: the key under which a reply writes it.
    pub name: &'static str,
    /// The type of its value. A reply with another type is refused.
    pub value: FreeValue,
    /// Whether the action needs it, where it has it at all.
    pub required: bool,
    /// Whether the action has it only where it refers to nothing: only a new entity needs a name.
    pub alone: bool,
}

/// What a field holds that refers to nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) enum FreeValue {
    /// Words, 1 to 2,000 characters; the schema offers at most 300.
    Text,
    /// A whole number of 64 bits.
    Integer,
    /// `true` or `false`.
    Flag,
    /// Attributes of a new entity, by name: the rulebook allows these.
    Attributes(Vec<String>),
}

impl FreeField {
    /// Whether the action has it, with references or without.
    pub(crate) fn fits(&self, refers_to_nothing: bool) -> bool {
        refers_to_nothing || !self.alone
    }
}

impl ActionRules<'_> {
    /// Every action that the actor with this id may do in this world, with its targets, in order of the actions' names. `may`
    /// limits the actions.
    ///
    /// The list leaves out an action that changes nothing and says nothing: a built-in action without effects, such as the
    /// shipped `use`, is offered only for things with the attribute `usable`, or where the game has added it
    /// ([`ActionRegistry::add`](crate::judged_world::ActionRegistry::add)). The shipped rules offer a tool only where the target
    /// names it in its attribute `key`.
    ///
    /// Words and numbers that an action also needs are assumed to be given; a rule that checks them may still refuse. The engine
    /// tries as targets only what the actor perceives, where it can go, and the entities that wait offstage; as a tool, only
    /// what the actor carries.
    #[must_use]
    pub fn affordances(&self, world: &dyn WorldRead, actor: &Id, may: May) -> Vec<Affordance> {
        affordances_among(self, world, actor, may, &[])
    }
}

/// The same in a crowd: `left_out`, sorted, are the ids of things that the actor perceives and that are not tried. The actor
/// can still refer to them.
#[must_use]
pub(crate) fn affordances_among(
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
        let fields = reference_fields(shape);
        let worth = Worth::of(rules, shape);
        let mut combinations: Vec<References> = reach
            .combinations(&fields)
            .into_iter()
            .filter(|ids| worth.an_offer(world, &fields, ids))
            .filter(|ids| judge_combination(rules, world, actor, shape, &fields, ids).is_ok())
            .take(MAX_OFFERED)
            .collect();
        combinations.sort();
        (!combinations.is_empty()).then(|| Affordance {
            action: shape.name,
            fields: fields.iter().map(|field| field.name).collect(),
            combinations,
            words: free_fields(rules, shape),
        })
    });
    offered.collect()
}

/// One way of doing an action, with the rulebook's answer.
#[cfg(any(test, feature = "inspector"))]
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TriedAction {
    /// The name of the action, such as `open`.
    pub action: &'static str,
    /// The fields that refer to something, in order, each with the id in it. Optional ones that are left out are missing.
    pub references: Vec<(&'static str, Id)>,
    /// Whether it may be done now, or why not and by which check.
    pub judgement: Judgement,
}

/// Everything that [`ActionRules::affordances`] tries for an actor, with the rulebook's answer to each: for a menu that says why
/// something cannot be done. At most 256 for each action, in order of the actions' names.
#[cfg(any(test, feature = "inspector"))]
#[must_use]
pub(crate) fn tried_actions(
    rules: &ActionRules,
    world: &dyn WorldRead,
    actor: &Id,
    may: May,
) -> Vec<TriedAction> {
    let reach = Reach::of(world, actor, &[]);
    let allowed = rules.registry.shapes().filter(|shape| {
        may.allows(shape.name) && rules.book.rule(rules.registry, shape.name).is_some()
    });
    let mut tried = Vec::new();
    for shape in allowed {
        let fields = reference_fields(shape);
        let worth = Worth::of(rules, shape);
        let combinations = reach.combinations(&fields).into_iter();
        let combinations = combinations.filter(|ids| worth.an_offer(world, &fields, ids));
        tried.extend(combinations.map(|ids| {
            TriedAction {
                action: shape.name,
                judgement: judge_combination(rules, world, actor, shape, &fields, &ids),
                references: fields
                    .iter()
                    .zip(ids)
                    .filter_map(|(field, id)| Some((field.name, id?)))
                    .collect(),
            }
        }));
    }
    tried
}

/// What makes an action worth an offer.
struct Worth {
    /// Whether it does nothing and says nothing: then it needs a usable thing.
    needs_use: bool,
    /// Whether a tool counts only where it is the target's key.
    needs_key: bool,
}

impl Worth {
    fn of(rules: &ActionRules, shape: &ActionShape) -> Self {
        let rule = rules.book.rule(rules.registry, shape.name);
        let is_own = !BUILT_IN.contains(&shape.name) || rules.registry.is_own(shape.name);
        let mut fields = shape.fields.iter();
        let says = fields.any(|field| field.required && field.kind == FieldKind::Text);
        let does = rule.is_some_and(|rule| !rule.effects.is_empty());
        Self {
            needs_use: !(is_own || says || does),
            needs_key: !is_own && rule == Rulebook::shipped().actions.get(shape.name),
        }
    }

    fn an_offer(&self, world: &dyn WorldRead, fields: &[&ActionField], ids: &References) -> bool {
        let in_slot = |slot| {
            let mut fields = fields.iter().zip(ids);
            fields.find_map(|(field, id)| id.as_ref().filter(|_| field.slot == Some(slot)))
        };
        let (target, tool) = (in_slot(Slot::Target), in_slot(Slot::Tool));
        let attribute = |name| target.and_then(|target| world.attribute(target, name));
        let is_usable = || attribute("usable") == Some(WorldValue::Bool(true));
        let is_key = |tool: &Id| attribute("key") == Some(WorldValue::Text(tool.to_string()));
        (!self.needs_use || is_usable()) && (!self.needs_key || tool.is_none_or(is_key))
    }
}

fn reference_fields(shape: &ActionShape) -> Vec<&ActionField> {
    let fields = shape.fields.iter();
    fields.filter(|field| field.kind.is_reference()).collect()
}

/// The actions among these that have fields other than references, with those fields, in order of their names. Unlike the
/// affordances, this does not depend on what happens in the game.
#[must_use]
pub(crate) fn action_words(rules: &ActionRules, may: May) -> Vec<(&'static str, Vec<FreeField>)> {
    let allowed = rules.registry.shapes().filter(|shape| {
        may.allows(shape.name) && rules.book.rule(rules.registry, shape.name).is_some()
    });
    allowed
        .map(|shape| (shape.name, free_fields(rules, shape)))
        .filter(|(_, words)| !words.is_empty())
        .collect()
}

fn free_fields(rules: &ActionRules, shape: &ActionShape) -> Vec<FreeField> {
    let refers = |name: &&str| {
        let field = shape.field(name);
        field.is_some_and(|field| field.kind.is_reference())
    };
    let rule = rules.book.rule(rules.registry, shape.name);
    let free = shape.fields.iter().filter_map(|field| {
        let value = match field.kind {
            FieldKind::Text => FreeValue::Text,
            FieldKind::Integer => FreeValue::Integer,
            FieldKind::Flag => FreeValue::Flag,
            FieldKind::Attributes => {
                let allowed = rule.map(|rule| rule.attributes.iter().cloned().collect());
                FreeValue::Attributes(allowed.filter(|names: &Vec<String>| !names.is_empty())?)
            }
            _ => return None,
        };
        // In an alternative to references, it belongs to an action that refers to nothing.
        let mut groups = shape.alternatives.iter();
        let group = groups.find(|group| group.contains(&field.name));
        let alone = group.is_some_and(|group| !group.iter().any(&refers));
        Some(FreeField {
            name: field.name,
            value,
            required: field.required || shape.leads_alternative(field.name),
            alone,
        })
    });
    free.collect()
}

fn judge_combination(
    rules: &ActionRules,
    world: &dyn WorldRead,
    actor: &Id,
    shape: &ActionShape,
    fields: &[&ActionField],
    ids: &References,
) -> Judgement {
    let mut given = given_fields(shape, ids.iter().all(Option::is_none));
    let references = fields.iter().zip(ids);
    given.extend(references.filter_map(|(field, id)| {
        let id = id.as_ref()?;
        Some((field.name, WorldValue::Text(id.to_string())))
    }));
    let intent = Intent::new(shape, actor, given);
    let mut copy = Overlay::new(world);
    apply(rules, &TurnKey::default(), &mut copy, &intent, &mut 0)
}

/// Placeholders for the words and numbers that an action needs. Where it refers to nothing, also for optional words: a new
/// entity needs a name.
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
        let mut near = world.near(actor);
        near.retain(|id| id != actor && tried(id));
        let mut carried = world.contents(actor);
        carried.retain(|id| near.binary_search(id).is_ok());
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

    /// What a field may hold.
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
