//! Which rules of a level may apply to an interaction, without asking all of them: most rules of a large story are about
//! another character or thing.

use super::condition::Interaction;
use super::spec::{RuleCondition, TriggerReason};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The rules of a level by what they cannot apply without. A rule is named by its place in the level's list.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct RuleIndex {
    /// Rules that may apply to anything.
    open: Vec<usize>,
    reasons: BTreeMap<TriggerReason, Vec<usize>>,
    npcs: BTreeMap<String, Vec<usize>>,
    triggers: BTreeMap<String, Vec<usize>>,
    scenes: BTreeMap<String, Vec<usize>>,
    tags: BTreeMap<String, Vec<usize>>,
}

impl RuleIndex {
    /// The index of rules with these conditions.
    pub(super) fn new<'a>(conditions: impl Iterator<Item = &'a RuleCondition>) -> Self {
        let mut index = Self::default();
        for (place, condition) in conditions.enumerate() {
            match needed(condition) {
                Some(needs) => needs.iter().for_each(|need| index.under(need).push(place)),
                None => index.open.push(place),
            }
        }
        index
    }

    fn under(&mut self, need: &RuleCondition) -> &mut Vec<usize> {
        match need {
            RuleCondition::Trigger(reason) => self.reasons.entry(*reason).or_default(),
            RuleCondition::Npc(id) => self.npcs.entry(id.clone()).or_default(),
            RuleCondition::TriggerId(id) => self.triggers.entry(id.clone()).or_default(),
            RuleCondition::Scene(scene) => self.scenes.entry(scene.clone()).or_default(),
            RuleCondition::HasTag(tag) => self.tags.entry(tag.clone()).or_default(),
            _ => &mut self.open,
        }
    }

    /// The places of the rules that may apply to this interaction, in order. All that do apply are among them.
    pub(super) fn candidates(&self, interaction: &Interaction) -> Cow<'_, [usize]> {
        fn named<'m>(map: &'m BTreeMap<String, Vec<usize>>, name: Option<&str>) -> &'m [usize] {
            let places = name.and_then(|name| map.get(name));
            places.map_or(&[], Vec::as_slice)
        }
        let reasons = self.reasons.get(&interaction.reason);
        let tags = interaction.tags.iter();
        let tags = tags.flat_map(|tag| named(&self.tags, Some(tag)));
        let mut asked = reasons.map_or(&[][..], Vec::as_slice).to_vec();
        asked.extend(named(&self.npcs, Some(interaction.npc)));
        asked.extend(named(&self.triggers, interaction.trigger_id));
        asked.extend(named(&self.scenes, interaction.scene));
        asked.extend(tags);
        if asked.is_empty() {
            return Cow::Borrowed(&self.open);
        }
        asked.extend(&self.open);
        asked.sort_unstable();
        asked.dedup();
        Cow::Owned(asked)
    }
}

/// Conditions on the interaction. At least one of them must hold for `condition` to hold; `None` where none are known.
fn needed(condition: &RuleCondition) -> Option<Vec<&RuleCondition>> {
    match condition {
        RuleCondition::Trigger(_)
        | RuleCondition::Npc(_)
        | RuleCondition::TriggerId(_)
        | RuleCondition::Scene(_)
        | RuleCondition::HasTag(_) => Some(vec![condition]),
        // Fewest first: a rule about one of ten scenes and one character is about that character.
        RuleCondition::All(list) => list.iter().filter_map(needed).min_by_key(Vec::len),
        RuleCondition::Any(list) => {
            let each: Option<Vec<_>> = list.iter().map(needed).collect();
            each.map(|each| each.into_iter().flatten().collect())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::ids::Id;
    use crate::judged_world::WorldState;
    use crate::rules::holds;
    use proptest::prelude::*;

    fn name() -> impl Strategy<Value = String> {
        prop_oneof![Just("a"), Just("b"), Just("c")].prop_map(str::to_owned)
    }

    fn reason() -> impl Strategy<Value = TriggerReason> {
        prop_oneof![
            Just(TriggerReason::PlayerUtterance),
            Just(TriggerReason::ZoneTrigger),
            Just(TriggerReason::Custom)
        ]
    }

    fn condition() -> impl Strategy<Value = RuleCondition> {
        let leaf = prop_oneof![
            Just(RuleCondition::Always),
            reason().prop_map(RuleCondition::Trigger),
            name().prop_map(RuleCondition::Npc),
            name().prop_map(RuleCondition::TriggerId),
            name().prop_map(RuleCondition::Scene),
            name().prop_map(RuleCondition::HasTag),
            name().prop_map(RuleCondition::Flag),
        ];
        leaf.prop_recursive(3, 16, 3, |inner| {
            prop_oneof![
                inner
                    .clone()
                    .prop_map(|inner| RuleCondition::Not(Box::new(inner))),
                prop::collection::vec(inner.clone(), 0..3).prop_map(RuleCondition::All),
                prop::collection::vec(inner, 0..3).prop_map(RuleCondition::Any),
            ]
        })
    }

    proptest! {
        #[test]
        fn p2_every_rule_that_applies_is_a_candidate(
            conditions in prop::collection::vec(condition(), 0..20),
            reason in reason(),
            npc in name(),
            trigger in prop::option::of(name()),
            scene in prop::option::of(name()),
            tags in prop::collection::vec(name(), 0..3),
            flags in prop::collection::vec(name(), 0..3),
        ) {
            let mut world = WorldState::default();
            world.flags.extend(flags.into_iter().map(|flag| (flag, true)));
            let npc = Id::new(npc).unwrap();
            let interaction = Interaction {
                reason,
                npc: &npc,
                trigger_id: trigger.as_deref(),
                scene: scene.as_deref(),
                tags: &tags,
                interaction_count: 0,
            };
            let index = RuleIndex::new(conditions.iter());
            let candidates = index.candidates(&interaction);
            for (place, condition) in conditions.iter().enumerate() {
                if holds(condition, &interaction, &world) {
                    prop_assert!(candidates.contains(&place), "{:?}", condition);
                }
            }
        }
    }
}
