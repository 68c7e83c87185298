//! The parts of a story: a world, a rulebook, and rules for all characters.

use crate::authoring::StorySpec;
use crate::authoring::files::FileSource;
use crate::judged_world::rulebook::Rulebook;
use crate::lint::level::Level;
use crate::lint::place::{Part, Place};
use crate::rules::{CustomRuleSpec, RuleCondition, RuleLevel, RuleSpec, TriggerSpec};

/// The parts of a story, with the files that it names.
pub(super) struct StoryParts<'a> {
    pub world: Option<Part<'a, crate::world::WorldSpec>>,
    pub rulebook: Option<Part<'a, Rulebook>>,
    pub rules: Vec<Part<'a, RuleSpec>>,
    pub custom: &'a [CustomRuleSpec],
    pub triggers: Vec<(&'a TriggerSpec, Place<'a>, Vec<Part<'a, RuleSpec>>)>,
    pub place: Place<'a>,
}

impl<'a> StoryParts<'a> {
    /// The parts of the story at this place.
    pub fn of(spec: &'a StorySpec, place: &Place<'a>, files: &dyn FileSource) -> Self {
        let world = spec.world.as_ref();
        let rulebook = spec.rulebook.as_ref();
        let triggers = spec.triggers.iter().enumerate();
        let triggers = triggers.map(|(i, trigger)| {
            let place = place.item("/triggers", i);
            let rules = Part::list(&trigger.rules, &place.at("/rules"), files);
            (trigger, place, rules)
        });
        Self {
            world: world.and_then(|world| Part::of(world, place.at("/world"), files)),
            rulebook: rulebook.and_then(|book| Part::of(book, place.at("/rulebook"), files)),
            rules: Part::list(&spec.rules, &place.at("/rules"), files),
            custom: &spec.custom_rules,
            triggers: triggers.collect(),
            place: place.clone(),
        }
    }

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
