//! Roles and words that an action does not have.

use super::facts::{Fact, RoleKey, field_of};
use super::findings::Findings;
use super::place::Place;
use super::report::LintKind::Unresolved;
use crate::judged_world::action::{ActionField, ActionShape, Slot};
use crate::judged_world::rulebook::{
    ActionCondition, ActionEffect, ActionRole, ActionRule, EffectPlace, EffectValue,
};
use crate::world::FieldKind;
use std::collections::BTreeSet;

const SLOTS: [(Slot, ActionRole, &str, &str); 3] = [
    (Slot::Target, ActionRole::Target, "Target", "{target}"),
    (Slot::Tool, ActionRole::Tool, "Tool", "{tool}"),
    (Slot::To, ActionRole::To, "To", "{to}"),
];

/// The field that plays a role, where the action has it.
pub(super) fn field<'s>(shape: &'s ActionShape, role: &ActionRole) -> Option<&'s ActionField> {
    let (slot, ..) = SLOTS.iter().find(|(_, known, ..)| known == role)?;
    shape.fields.iter().find(|field| field.slot == Some(*slot))
}

/// The role in this one that the action does not have.
fn lacking(shape: &ActionShape, role: &ActionRole) -> Option<&'static str> {
    match role {
        ActionRole::KeyOf(locked) => lacking(shape, locked),
        _ => {
            let (.., name, _) = SLOTS.iter().find(|(_, known, ..)| known == role)?;
            field(shape, role).is_none().then_some(name)
        }
    }
}

/// What holds of every action of this shape.
pub(super) fn given(shape: &ActionShape) -> Vec<(Fact<'static>, bool)> {
    let text = |field: &ActionField| {
        !matches!(
            field.kind,
            FieldKind::Integer | FieldKind::Flag | FieldKind::Attributes
        )
    };
    let roles = [&ActionRole::Target, &ActionRole::Tool, &ActionRole::To].map(|role| {
        let always = match field(shape, role) {
            None => Some(false),
            Some(field) => (field.required && text(field)).then_some(true),
        };
        always.map(|always| (Fact::Named(RoleKey(role)), always))
    });
    let words = ["name", "content", "kind"].map(|word| {
        let always = match shape.field(word) {
            None => Some(false),
            Some(field) => field.required.then_some(true),
        };
        always.map(|always| (Fact::Given(word), always))
    });
    roles.into_iter().chain(words).flatten().collect()
}

/// Calls `with` for every part of a condition that has no parts, with whether it must hold.
pub(super) fn leaves<'a>(
    condition: &'a ActionCondition,
    wanted: bool,
    with: &mut dyn FnMut(&'a ActionCondition, bool),
) {
    match condition {
        ActionCondition::Not(inner) => leaves(inner, !wanted, with),
        ActionCondition::All(list) | ActionCondition::Any(list) => {
            list.iter().for_each(|inner| leaves(inner, wanted, with));
        }
        _ => with(condition, wanted),
    }
}

/// The roles that a condition without parts looks at.
pub(super) fn roles_of(condition: &ActionCondition) -> impl Iterator<Item = &ActionRole> {
    use ActionCondition as C;
    let roles = match condition {
        C::Exists(role)
        | C::IsLocation(role)
        | C::Kind(role, _)
        | C::Perceivable(role)
        | C::Unowned(role)
        | C::Attribute(role, ..)
        | C::HasAttribute(role, _)
        | C::AtLeast(role, ..)
        | C::AtMost(role, ..)
        | C::Is(role, _)
        | C::Named(role)
        | C::Offstage(role) => [Some(role), None],
        C::SameLocation(one, other)
        | C::Connected(one, other)
        | C::Carries(one, other)
        | C::Same(one, other) => [Some(one), Some(other)],
        _ => [None, None],
    };
    roles.into_iter().flatten()
}

/// The roles that an effect changes or places something with.
pub(super) fn roles_of_effect(effect: &ActionEffect) -> impl Iterator<Item = &ActionRole> {
    fn at(place: &EffectPlace) -> Option<&ActionRole> {
        match place {
            EffectPlace::In(role) | EffectPlace::CarriedBy(role) => Some(role),
            EffectPlace::Offstage => None,
        }
    }
    let roles = match effect {
        ActionEffect::SetAttribute(role, ..) | ActionEffect::AddAttribute(role, ..) => {
            [Some(role), None]
        }
        ActionEffect::Place(role, place) => [Some(role), at(place)],
        ActionEffect::Spawn(_, _, place) => [at(place), None],
        ActionEffect::SetFlag(..) => [None, None],
    };
    roles.into_iter().flatten()
}

/// Whether a condition looks at what the action does not have.
pub(super) fn is_beside(shape: &ActionShape, condition: &ActionCondition) -> bool {
    let mut beside = false;
    leaves(condition, true, &mut |leaf, _| {
        beside |= roles_of(leaf).any(|role| lacking(shape, role).is_some());
        beside |= matches!(leaf, ActionCondition::Given(word) if lacks_word(shape, word));
    });
    beside
}

fn lacks_word(shape: &ActionShape, word: &EffectValue) -> bool {
    field_of(word).is_some_and(|field| shape.field(field).is_none())
}

/// Checks what a rule looks at against what its action has.
pub(super) fn check(
    rule: &ActionRule,
    shape: &ActionShape,
    place: &Place,
    findings: &mut Findings,
) {
    for (i, check) in rule.checks.iter().enumerate() {
        let place = place.item("/checks", i);
        let mut missing = BTreeSet::new();
        leaves(&check.when, true, &mut |leaf, _| {
            missing.extend(roles_of(leaf).filter_map(|role| lacking(shape, role)));
            if let ActionCondition::Given(word) = leaf {
                missing.extend(missing_word(shape, word));
            }
        });
        report(shape, missing, &place.at("/when"), findings);
        let missing = SLOTS.iter().filter(|(_, role, _, placeholder)| {
            check.message.contains(placeholder) && lacking(shape, role).is_some()
        });
        let missing = missing.map(|(.., placeholder)| *placeholder).collect();
        report(shape, missing, &place.at("/message"), findings);
    }
    for (i, effect) in rule.effects.iter().enumerate() {
        let words = match effect {
            ActionEffect::SetAttribute(_, _, word) => [Some(word), None],
            ActionEffect::Spawn(name, kind, _) => [Some(name), Some(kind)],
            _ => [None, None],
        };
        let words = words.into_iter().flatten();
        let roles = roles_of_effect(effect).filter_map(|role| lacking(shape, role));
        let missing = roles.chain(words.filter_map(|word| missing_word(shape, word)));
        report(
            shape,
            missing.collect(),
            &place.item("/effects", i),
            findings,
        );
    }
}

fn missing_word(shape: &ActionShape, word: &EffectValue) -> Option<&'static str> {
    lacks_word(shape, word).then_some(match word {
        EffectValue::Name => "Name",
        EffectValue::Content => "Content",
        EffectValue::KindOf | EffectValue::Value(_) => "KindOf",
    })
}

fn report(
    shape: &ActionShape,
    missing: BTreeSet<&'static str>,
    place: &Place,
    findings: &mut Findings,
) {
    for missing in missing {
        let message = format!("the action \"{}\" has no {missing}", shape.name);
        findings.add(Unresolved, place, message);
    }
}

#[cfg(test)]
mod tests {
    use crate::lint::found;

    #[test]
    fn x2_roles_words_and_placeholders_are_those_of_the_action() {
        let source = r#"Rulebook(id: "r", actions: {
"take": (checks: [
(id: "a", when: Not(Exists(KeyOf(Tool))), else: NOT_FOUND, message: "no {target}"),
(id: "b", when: Flag("x"), else: NOT_FOUND, message: "no {tool} for {actor}"),
(id: "c", when: Any([Flag("y"), Given(Content)]), else: NOT_FOUND),
], effects: [
SetAttribute(To, "n", 1),
SetAttribute(Target, "n", Content),
Place(Target, CarriedBy(To)),
Spawn(Name, "cat", In(Here)),
SetAttribute(The("x"), "n", 1),
]),
"speak": (checks: [
(id: "d", when: Exists(Target), else: NOT_FOUND),
]),
"give": (checks: [(id: "e", when: Perceivable(To), else: NOT_FOUND, message: "{to}")]),
"describe": (effects: [SetAttribute(Target, "look", Content)]),
"introduce": (effects: [Spawn(Name, KindOf, In(Here))]),
})"#;
        assert_eq!(
            found("x.rulebook.ron", source),
            [
                "3:17: the action \"take\" has no Tool [unresolved]",
                "4:54: the action \"take\" has no {tool} [unresolved]",
                "5:17: the action \"take\" has no Content [unresolved]",
                "7:1: the action \"take\" has no To [unresolved]",
                "8:1: the action \"take\" has no Content [unresolved]",
                "9:1: the action \"take\" has no To [unresolved]",
                "10:1: the action \"take\" has no Name [unresolved]",
                "14:17: the action \"speak\" has no Target [unresolved]",
                "14:17: the check \"d\" can never hold: no actor can ever \"speak\" [never_possible]",
            ]
        );
    }
}
