//! When a rule applies.

use super::spec::{RuleCondition, TriggerReason};
use crate::base::ids::Id;
use crate::judged_world::WorldRead;

/// What conditions may ask of an interaction.
#[derive(Debug, Clone, Copy)]
pub struct Interaction<'a> {
    /// Why the character should respond, as the game said in its request.
    pub reason: TriggerReason,
    /// The id of the character that should respond.
    pub npc: &'a Id,
    /// The trigger id that the game gave. `None`: it gave none, and no `TriggerId` condition holds.
    pub trigger_id: Option<&'a str>,
    /// The scene that the game named. `None`: it named none.
    pub scene: Option<&'a str>,
    /// The tags that the game gave, in its order.
    pub tags: &'a [String],
    /// How many Accepted and Fallback runs the character has ended before.
    pub interaction_count: u64,
}

/// Whether a condition holds. Pure: the same interaction and world give the same answer.
#[must_use]
pub(crate) fn holds(
    condition: &RuleCondition,
    interaction: &Interaction,
    world: &dyn WorldRead,
) -> bool {
    match condition {
        RuleCondition::Always => true,
        RuleCondition::Trigger(reason) => *reason == interaction.reason,
        RuleCondition::Npc(id) => interaction.npc == id,
        RuleCondition::TriggerId(id) => interaction.trigger_id == Some(id),
        RuleCondition::Scene(scene) => interaction.scene == Some(scene),
        RuleCondition::HasTag(tag) => interaction.tags.contains(tag),
        RuleCondition::InteractionCount { min, max } => {
            let count = interaction.interaction_count;
            min.is_none_or(|min| count >= min) && max.is_none_or(|max| count <= max)
        }
        RuleCondition::Flag(name) => world.flag(name),
        RuleCondition::WorldFact { key, value } => world.fact(key).as_ref() == Some(value),
        RuleCondition::Relationship {
            target,
            field,
            at_least,
            at_most,
        } => {
            let felt = world.relationship(interaction.npc, target).part(*field);
            at_least.is_none_or(|least| felt >= least) && at_most.is_none_or(|most| felt <= most)
        }
        RuleCondition::InGroup(group) => world.groups().has(group, interaction.npc),
        RuleCondition::Standing {
            group,
            target,
            at_least,
            at_most,
        } => world
            .groups()
            .exact_standing(group, target)
            .is_some_and(|now| {
                at_least.is_none_or(|least| now >= least) && at_most.is_none_or(|most| now <= most)
            }),
        RuleCondition::Not(inner) => !holds(inner, interaction, world),
        RuleCondition::All(list) => list.iter().all(|c| holds(c, interaction, world)),
        RuleCondition::Any(list) => list.iter().any(|c| holds(c, interaction, world)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id;
    use crate::judged_world::WorldState;

    #[test]
    fn p2_every_condition_and_its_negation() {
        let tags = vec!["rude".to_owned()];
        let interaction = Interaction {
            reason: TriggerReason::ZoneTrigger,
            npc: &id!("a"),
            trigger_id: Some("gate"),
            scene: Some("yard"),
            tags: &tags,
            interaction_count: 2,
        };
        let mut world = WorldState::default();
        world.flags.insert("night".into(), true);
        world.flags.insert("cleared".into(), false);
        world.facts.insert("weather".into(), "rain".into());
        use RuleCondition as C;
        let count = |min, max| C::InteractionCount { min, max };
        let fact = |key: &str, value: &str| C::WorldFact {
            key: key.into(),
            value: value.into(),
        };
        for (condition, expected) in [
            (C::Always, true),
            (C::Trigger(TriggerReason::ZoneTrigger), true),
            (C::Trigger(TriggerReason::Custom), false),
            (C::Npc("a".into()), true),
            (C::Npc("b".into()), false),
            (C::TriggerId("gate".into()), true),
            (C::TriggerId("other".into()), false),
            (C::Scene("yard".into()), true),
            (C::Scene("tower".into()), false),
            (C::HasTag("rude".into()), true),
            (C::HasTag("kind".into()), false),
            (count(None, None), true),
            (count(Some(2), Some(2)), true),
            (count(Some(3), None), false),
            (count(None, Some(1)), false),
            (C::Flag("night".into()), true),
            (C::Flag("cleared".into()), false),
            (C::Flag("unknown".into()), false),
            (fact("weather", "rain"), true),
            (fact("weather", "sun"), false),
            (fact("unknown", "rain"), false),
            (C::All(vec![]), true),
            (C::Any(vec![]), false),
            (C::All(vec![C::Always, C::Flag("unknown".into())]), false),
            (C::Any(vec![C::Always, C::Flag("unknown".into())]), true),
        ] {
            assert_eq!(
                holds(&condition, &interaction, &world),
                expected,
                "{condition:?}"
            );
            let negated = C::Not(Box::new(condition));
            assert_eq!(holds(&negated, &interaction, &world), !expected);
        }
    }
}
