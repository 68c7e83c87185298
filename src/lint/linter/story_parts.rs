//! What a story and a scenario have in common: a world, a rulebook, and rules for everybody.

use crate::judged_world::rulebook::Rulebook;
use crate::lint::level::Level;
use crate::lint::place::{Part, Place};
use crate::rules::{CustomRuleSpec, RuleCondition, RuleLevel, RuleSpec, TriggerSpec};

/// What a story and a scenario have in common.
pub(super) struct StoryParts<'a> {
    pub world: Option<Part<'a, crate::world::WorldSpec>>,
    pub rulebook: Option<Part<'a, Rulebook>>,
    pub rules: Vec<Part<'a, RuleSpec>>,
    pub custom: &'a [CustomRuleSpec],
    pub triggers: Vec<(&'a TriggerSpec, Place<'a>, Vec<Part<'a, RuleSpec>>)>,
    pub place: Place<'a>,
}

impl StoryParts<'_> {
    /// The level of the world, then those of the triggers.
    pub fn levels(&self) -> Vec<Level<'_>> {
        let world = Level::new(
            RuleLevel::World,
            &self.rules,
            self.custom,
            &self.place.at("/custom_rules"),
        );
        let triggers = self.triggers.iter().map(|(trigger, place, rules)| {
            let custom = place.at("/custom_rules");
            Level {
                given: vec![(RuleCondition::TriggerId(trigger.id.clone()), true)],
                ..Level::new(RuleLevel::Trigger, rules, &trigger.custom_rules, &custom)
            }
        });
        std::iter::once(world).chain(triggers).collect()
    }
}

/// The parts of anything with a story's fields.
macro_rules! story_parts {
    ($spec:expr, $place:expr, $files:expr) => {{
        let (spec, place, files) = ($spec, $place, $files);
        StoryParts {
            world: spec
                .world
                .as_ref()
                .and_then(|world| Part::of(world, place.at("/world"), files)),
            rulebook: spec
                .rulebook
                .as_ref()
                .and_then(|book| Part::of(book, place.at("/rulebook"), files)),
            rules: Part::list(&spec.rules, &place.at("/rules"), files),
            custom: &spec.custom_rules,
            triggers: (spec.triggers.iter().enumerate())
                .map(|(i, trigger)| {
                    let place = place.item("/triggers", i);
                    let rules = Part::list(&trigger.rules, &place.at("/rules"), files);
                    (trigger, place, rules)
                })
                .collect(),
            place: place.clone(),
        }
    }};
}

pub(super) use story_parts;
