//! What other rules would say of a plan, in the same world: for judging old recordings by changed rules.

use super::answer::recorded_answer;
use super::event::PlanInput;
use super::plan::{Awaited, CallOf, Plan, PlanProgress, PlanStatus};
use super::plans::Plans;
use super::security::CharactersInstead;
use super::settings::PlanSettings;
use super::transition::{constraints_of, happen};
use crate::authoring::{Character, StoryBook};
use crate::base::ids::Id;
use crate::story::ActiveStory;
use bevy::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Rules in the place of those of the game. `None`: those of the game count.
#[derive(Debug, Clone, Default)]
pub(crate) struct OtherRules {
    pub story: Option<Arc<StoryBook>>,
    pub characters: BTreeMap<Id, Arc<Character>>,
    pub settings: Option<PlanSettings>,
}

/// What would have become of a plan whose steps a model has written just now; `None` where something else has happened. Nothing
/// is left of it in the world.
pub(crate) fn judge_by(
    world: &mut World,
    plan: &Plan,
    input: &PlanInput,
    rules: &OtherRules,
) -> Option<Plan> {
    if !matches!(
        input,
        PlanInput::Answered {
            of: CallOf::Steps,
            ..
        }
    ) {
        return None;
    }
    let mut again = Plan {
        steps: Vec::new(),
        risk: None,
        quality: None,
        decision: None,
        status: PlanStatus::Planning,
        reason: None,
        approved_by: None,
        proposed_at: None,
        progress: PlanProgress {
            awaited: Awaited::Nothing,
            ..PlanProgress::default()
        },
        ..plan.clone()
    };
    let approvals = world.resource::<Plans>().approvals;
    let settings = world.resource::<PlanSettings>().clone();
    let story = world.resource::<ActiveStory>().0.clone();
    put_story(world, rules.story.as_ref().unwrap_or(&story));
    if let Some(other) = &rules.settings {
        world.insert_resource(other.clone());
    }
    world.insert_resource(CharactersInstead(rules.characters.clone()));
    again.constraints = constraints_of(world, &again);
    let answer = recorded_answer(world, &again, input);
    happen(world, &mut again, input, answer);
    world.remove_resource::<CharactersInstead>();
    world.insert_resource(settings);
    put_story(world, &story);
    world.resource_mut::<Plans>().approvals = approvals;
    Some(again)
}

/// Puts a story in place without anybody noticing: it is put back at once.
fn put_story(world: &mut World, story: &Arc<StoryBook>) {
    let mut active = world.resource_mut::<ActiveStory>();
    active.bypass_change_detection().0 = story.clone();
}
