//! The rules of one level, with their places: what holds together and may lift each other.

use super::place::{Part, Place};
use crate::authoring::NpcSpec;
use crate::authoring::npc_spec::HiddenSpec;
use crate::rules::{
    ConstraintKind, ConstraintSpec, CustomRuleSpec, RuleCondition, RuleLevel, RuleSeverity,
    RuleSpec,
};
use std::collections::BTreeSet;

/// Something authored, and where.
#[derive(Debug, Clone)]
pub(super) struct AtPlace<'a, T> {
    pub value: &'a T,
    pub place: Place<'a>,
}

impl<'a, T> AtPlace<'a, T> {
    pub fn list(list: &'a [T], place: &Place<'a>) -> Vec<Self> {
        let items = list.iter().enumerate();
        items
            .map(|(i, value)| Self {
                value,
                place: place.item("", i),
            })
            .collect()
    }
}

/// A constraint and the rule that holds it; `None` where it always applies.
#[derive(Debug, Clone)]
pub(super) struct LevelConstraint<'a> {
    pub spec: &'a ConstraintSpec,
    pub place: Place<'a>,
    pub rule: Option<&'a RuleSpec>,
}

impl LevelConstraint<'_> {
    /// Whether only a permission keeps it from applying.
    pub fn is_always_on(&self) -> bool {
        self.rule
            .is_none_or(|rule| rule.when == RuleCondition::Always)
    }
}

/// The rules of a level. A level that is not `whole` is a part of one: what it lifts may be in another part.
#[derive(Debug)]
pub(super) struct Level<'a> {
    pub level: RuleLevel,
    pub whole: bool,
    /// The file whose level it is.
    pub file: &'a str,
    /// What holds whenever these rules are asked.
    pub given: Vec<(RuleCondition, bool)>,
    pub constraints: Vec<AtPlace<'a, ConstraintSpec>>,
    pub rules: Vec<AtPlace<'a, RuleSpec>>,
    pub custom: Vec<AtPlace<'a, CustomRuleSpec>>,
    /// What the character must never say; `None` at another level.
    pub never: Option<AtPlace<'a, Vec<String>>>,
    pub forbidden: Vec<AtPlace<'a, String>>,
    pub hidden: Vec<AtPlace<'a, HiddenSpec>>,
}

impl<'a> Level<'a> {
    /// A level without anything but rules and custom rules.
    pub(crate) fn new(
        level: RuleLevel,
        rules: &'a [Part<RuleSpec>],
        custom: &'a [CustomRuleSpec],
        custom_place: &Place<'a>,
    ) -> Self {
        let rules = rules.iter().map(|part| AtPlace {
            value: part.value(),
            place: part.place(),
        });
        Self {
            level,
            file: custom_place.file,
            whole: true,
            given: Vec::new(),
            constraints: Vec::new(),
            rules: rules.collect(),
            custom: AtPlace::list(custom, custom_place),
            never: None,
            forbidden: Vec::new(),
            hidden: Vec::new(),
        }
    }

    /// The rules of a character.
    pub(crate) fn of_npc(npc: &'a NpcSpec, place: &Place<'a>, rules: &'a [Part<RuleSpec>]) -> Self {
        Self {
            given: vec![(RuleCondition::Npc(npc.id.clone()), true)],
            constraints: AtPlace::list(&npc.constraints, &place.at("/constraints")),
            never: Some(AtPlace {
                value: &npc.never,
                place: place.at("/never"),
            }),
            forbidden: AtPlace::list(&npc.forbidden, &place.at("/forbidden")),
            hidden: AtPlace::list(&npc.hidden, &place.at("/hidden")),
            ..Self::new(
                RuleLevel::Npc,
                rules,
                &npc.custom_rules,
                &place.at("/custom_rules"),
            )
        }
    }

    /// All constraints: those that always apply, then those of rules.
    pub fn all_constraints(&self) -> Vec<LevelConstraint<'a>> {
        let always = self.constraints.iter().map(|constraint| LevelConstraint {
            spec: constraint.value,
            place: constraint.place.clone(),
            rule: None,
        });
        let of_rules = self.rules.iter().flat_map(|rule| {
            let constraints = rule.value.constraints.iter().enumerate();
            constraints.map(|(i, spec)| LevelConstraint {
                spec,
                place: rule.place.item("/constraints", i),
                rule: Some(rule.value),
            })
        });
        always.chain(of_rules).collect()
    }

    /// The ids that some permission lifts, whenever it applies.
    pub fn lifted(&self) -> BTreeSet<&'a str> {
        let constraints = self.all_constraints().into_iter();
        constraints
            .filter(|constraint| constraint.spec.kind == ConstraintKind::Permission)
            .flat_map(|constraint| constraint.spec.lifts.iter().map(String::as_str))
            .collect()
    }

    /// Whether a permission may lift this one; `lifted` are those that some permission of the level names.
    pub(crate) fn may_be_lifted(
        &self,
        constraint: &ConstraintSpec,
        lifted: &BTreeSet<&str>,
    ) -> bool {
        constraint.kind == ConstraintKind::Prohibition
            && constraint.severity != RuleSeverity::Critical
            && (!self.whole || lifted.contains(constraint.id.as_str()))
    }
}
