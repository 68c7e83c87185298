//! Effects that cannot be meant: they would deny the action, or another one writes over them.

use super::facts::{Fact, RoleKey, Value};
use super::findings::Findings;
use super::place::Place;
use super::reasoning::Known;
use super::report::LintKind::{BadEffect, NoEffect, Repeated};
use super::roles;
use crate::judged_world::action::ActionShape;
use crate::judged_world::rulebook::{
    ActionEffect, ActionRole, ActionRule, EffectPlace, EffectValue, Rulebook,
};
use crate::world::FieldKind;
use crate::world::WorldValue;
use std::collections::{BTreeMap, BTreeSet};

/// Checks the effects of a rule, where `known` is what its checks have made sure.
pub(super) fn check<'a>(
    rule: &'a ActionRule,
    shape: Option<&ActionShape>,
    known: &mut Known<'a>,
    place: &Place,
    findings: &mut Findings,
) {
    let place_of = |i: usize| place.item("/effects", i);
    let mut written: BTreeMap<(RoleKey, &str), (usize, &EffectValue)> = BTreeMap::new();
    let mut touched: BTreeSet<&str> = BTreeSet::new();
    let mut flags: BTreeMap<&str, usize> = BTreeMap::new();
    let mut spawned: Vec<&EffectValue> = Vec::new();
    for (i, effect) in rule.effects.iter().enumerate() {
        if let Some(what) = cannot_be(effect, shape, known) {
            findings.add(BadEffect, &place_of(i), what);
        }
        match effect {
            ActionEffect::SetAttribute(role, name, word) => {
                touched.insert(name);
                let is_sure = matches!(word, EffectValue::Value(_)) && is_steady(role);
                let before = written.insert((RoleKey(role), name), (i, word));
                if let Some((before, _)) = before.filter(|_| is_sure) {
                    overwritten(name, &place_of(before), findings);
                }
            }
            ActionEffect::AddAttribute(role, name, _) => {
                let value = match written.get(&(RoleKey(role), name.as_str())) {
                    Some((_, EffectValue::Value(value))) if is_steady(role) => Some(value.into()),
                    None if !touched.contains(name.as_str()) => known.value(role, name),
                    _ => None,
                };
                if value.is_some_and(|value| !matches!(value, Value::Int(_))) {
                    no_number(name, &place_of(i), findings);
                }
                touched.insert(name);
                // What it wrote counts.
                written.remove(&(RoleKey(role), name.as_str()));
            }
            ActionEffect::SetFlag(name, _) => {
                if let Some(before) = flags.insert(name, i) {
                    overwritten(name, &place_of(before), findings);
                }
            }
            ActionEffect::Spawn(name, ..) => {
                if spawned.contains(&name) {
                    let message = "two new entities would have the same name";
                    findings.add(Repeated, &place_of(i), message);
                } else if spawned.len() < 64 {
                    spawned.push(name);
                }
            }
            ActionEffect::Place(..) => {}
        }
    }
}

/// Checks that no effect adds to what another one of the book makes a text, or true or false.
pub(super) fn check_types(book: &Rulebook, place: &Place, findings: &mut Findings) {
    let effects = || book.actions.values().flat_map(|rule| &rule.effects);
    let texts: BTreeSet<&str> = effects()
        .filter_map(|effect| match effect {
            ActionEffect::SetAttribute(_, _, EffectValue::Value(WorldValue::Int(_))) => None,
            ActionEffect::SetAttribute(_, name, _) => Some(name.as_str()),
            _ => None,
        })
        .collect();
    for (action, rule) in &book.actions {
        for (i, effect) in rule.effects.iter().enumerate() {
            if let ActionEffect::AddAttribute(_, name, _) = effect
                && texts.contains(name.as_str())
            {
                let place = place.key("/actions", action).item("/effects", i);
                no_number(name, &place, findings);
            }
        }
    }
}

pub(super) fn no_number(name: &str, place: &Place, findings: &mut Findings) {
    let message = format!(
        "\"{}\" is not a number: adding to it denies the action",
        name.escape_debug()
    );
    findings.add(BadEffect, place, message);
}

fn overwritten(name: &str, place: &Place, findings: &mut Findings) {
    let message = format!("a later effect writes over \"{}\"", name.escape_debug());
    findings.add(NoEffect, place, message);
}

/// Whether a role means the same before and after another effect.
fn is_steady(role: &ActionRole) -> bool {
    !matches!(role, ActionRole::KeyOf(_) | ActionRole::Here)
}

/// What is wrong with whom an effect changes, or where it puts it.
fn cannot_be<'a>(
    effect: &'a ActionEffect,
    shape: Option<&ActionShape>,
    known: &mut Known<'a>,
) -> Option<&'static str> {
    let (changed, place) = match effect {
        ActionEffect::SetAttribute(role, ..) | ActionEffect::AddAttribute(role, ..) => {
            (Some(role), None)
        }
        ActionEffect::Place(role, place) => (Some(role), Some(place)),
        ActionEffect::Spawn(_, _, place) => (None, Some(place)),
        ActionEffect::SetFlag(..) => (None, None),
    };
    // A role that the action lacks is reported as such.
    let mut is_not = |role: &'a ActionRole, fact: fn(RoleKey<'a>) -> Fact<'a>| {
        !known.rules_out(Fact::Named(RoleKey(role))) && known.rules_out(fact(RoleKey(role)))
    };
    if changed.is_some_and(|role| is_not(role, Fact::Entity)) {
        return Some("this changes something that is not an entity: the action is denied");
    }
    match place? {
        EffectPlace::In(role) => {
            let never = never_a_location(role, shape) || is_not(role, Fact::Location);
            never.then_some(
                "this puts it into something that is not a location: the action is denied",
            )
        }
        EffectPlace::CarriedBy(role) if changed == Some(role) => {
            Some("nothing can be put into itself: the action is denied")
        }
        EffectPlace::CarriedBy(role) => is_not(role, Fact::Entity)
            .then_some("this puts it into something that is not an entity: the action is denied"),
        EffectPlace::Offstage => None,
    }
}

/// Whether nothing that plays this role is a location. A target may be one, where an action names it by its id.
fn never_a_location(role: &ActionRole, shape: Option<&ActionShape>) -> bool {
    match role {
        ActionRole::Actor | ActionRole::KeyOf(_) => true,
        ActionRole::Tool | ActionRole::To => shape
            .and_then(|shape| roles::field(shape, role))
            .is_some_and(|field| {
                matches!(
                    field.kind,
                    FieldKind::Thing | FieldKind::Character | FieldKind::Newcomer
                )
            }),
        ActionRole::Target | ActionRole::Here | ActionRole::The(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::lint::kinds_in;

    fn rule(rule: &str) -> Vec<String> {
        let source = format!("Rulebook(id: \"r\", actions: {{{rule}}})");
        kinds_in("x.rulebook.ron", &source)
    }

    fn effects(action: &str, checks: &str, effects: &str) -> Vec<String> {
        rule(&format!(
            "\"{action}\": (checks: [{checks}], effects: [{effects}])"
        ))
    }

    const PLACE: &str = "(id: \"a\", when: IsLocation(Target), else: INVALID_TARGET)";
    const DOOR: &str = "(id: \"a\", when: Kind(Target, \"door\"), else: INVALID_TARGET)";
    const OPEN: &str = "(id: \"a\", when: Attribute(Target, \"open\", true), else: LOCKED)";

    #[test]
    fn x2_effects_that_would_deny_the_action_are_found() {
        for (checks, wrong) in [
            ("", "Place(Target, In(Actor))"),
            ("", "Place(Target, In(Tool))"),
            ("", "Place(Target, In(KeyOf(Target)))"),
            ("", "Place(Target, CarriedBy(Target))"),
            ("", "Spawn(\"a cat\", \"animal\", In(Actor))"),
            (PLACE, "SetAttribute(Target, \"n\", 1)"),
            (PLACE, "Place(Target, Offstage)"),
            (PLACE, "Place(Actor, CarriedBy(Target))"),
            (DOOR, "Place(Actor, In(Target))"),
            (OPEN, "AddAttribute(Target, \"open\", 1)"),
            (
                "",
                "SetAttribute(Target, \"n\", \"x\"), AddAttribute(Target, \"n\", 1)",
            ),
        ] {
            assert_eq!(effects("open", checks, wrong), ["bad_effect"], "{wrong}");
        }
        let other = "\"open\": (effects: [SetAttribute(Tool, \"n\", true)]), \"close\": (effects: [AddAttribute(Target, \"n\", 1)])";
        assert_eq!(rule(other), ["bad_effect"]);
    }

    #[test]
    fn x2_effects_that_another_writes_over_are_found() {
        for (wrong, kind) in [
            (
                "SetAttribute(Target, \"n\", 1), SetAttribute(Target, \"n\", 2)",
                "no_effect",
            ),
            ("SetFlag(\"a\", true), SetFlag(\"a\", false)", "no_effect"),
            (
                "Spawn(\"x\", \"y\", Offstage), Spawn(\"x\", \"z\", Offstage)",
                "repeated",
            ),
        ] {
            assert_eq!(effects("open", "", wrong), [kind], "{wrong}");
        }
    }

    #[test]
    fn x2_effects_that_may_be_meant_are_left_alone() {
        for (checks, right) in [
            ("", "Place(Actor, In(Target))"),
            ("", "Place(Target, In(The(\"yard\")))"),
            (PLACE, "Place(Actor, In(Target))"),
            (DOOR, "Place(Target, CarriedBy(Actor))"),
            (
                OPEN,
                "SetAttribute(Target, \"open\", 1), AddAttribute(Target, \"open\", 1)",
            ),
            (
                "",
                "AddAttribute(Target, \"n\", 1), AddAttribute(Target, \"n\", 1)",
            ),
            (
                "",
                "AddAttribute(Target, \"n\", 1), SetAttribute(Target, \"m\", 1)",
            ),
            (
                "",
                "SetAttribute(Target, \"n\", 1), SetAttribute(Actor, \"n\", 1)",
            ),
            ("", "SetFlag(\"a\", true), SetFlag(\"b\", true)"),
            (
                "",
                "Spawn(\"x\", \"y\", Offstage), Spawn(\"z\", \"y\", In(Here))",
            ),
        ] {
            assert_eq!(effects("open", checks, right), [""; 0], "{right}");
        }
        // What is left out does not write over anything.
        let name = "SetAttribute(Actor, \"n\", \"x\"), SetAttribute(Actor, \"n\", Name)";
        assert_eq!(effects("introduce", "", name), [""; 0]);
    }
}
