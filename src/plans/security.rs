//! The security gate: what a character may not do or say, whatever a player says (contract row A7).

use super::plan::{Plan, PlanAsked, PlanId, PlanStep};
use crate::authoring::Character;
use crate::base::ids::Id;
use crate::base::seed::WorldSeed;
use crate::gate::words::{CanonCheck, judge_content};
use crate::gate::{ActionContext, CustomChecks, GateContext, SnapshotView};
use crate::memory::Mind;
use crate::npc::{LoadedCharacter, PlayerId};
use crate::pipeline::expectancy::{RustRules, evaluate};
use crate::rules::{Interaction, Topic, TriggerReason, is_closed};
use crate::story::{ActiveStory, action_rules};
use crate::world::apply::TurnKey;
use crate::world::{Intent, May, WorldIndex, WorldView};
use bevy::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Files in the place of those of the characters, while a second opinion is asked for.
#[derive(Resource, Debug, Default)]
pub(super) struct CharactersInstead(pub BTreeMap<Id, Arc<Character>>);

/// The entity and the file of a character that lives.
pub(super) fn character_of(world: &World, npc: &Id) -> Option<(Entity, Arc<Character>)> {
    let entity = world.get_resource::<WorldIndex>()?.get(npc)?;
    let character = &world.get::<LoadedCharacter>(entity)?.0;
    let instead = world.get_resource::<CharactersInstead>();
    let instead = instead.and_then(|instead| instead.0.get(npc));
    Some((entity, instead.unwrap_or(character).clone()))
}

/// What the ids of newcomers of a plan are derived from.
pub(super) fn turn_key(world: &World, id: PlanId) -> TurnKey {
    TurnKey {
        seed: world.resource::<WorldSeed>().0,
        keys: vec!["plan".to_owned(), id.to_string()],
    }
}

/// The rule that forbids one of these steps; a character that is gone is forbidden everything.
pub(super) fn security(world: &World, plan: &Plan, steps: &[PlanStep]) -> Option<String> {
    let Some((entity, character)) = character_of(world, &plan.asked.npc) else {
        return Some("not_allowed".to_owned());
    };
    let player = world.resource::<PlayerId>().0.clone();
    let people: Vec<&Id> = [&player].into_iter().chain(&plan.asked.speaker).collect();
    let steps = steps.iter().map(|step| SecuredStep {
        intent: &step.intent,
        why: &step.why,
    });
    forbidden_by(world, entity, &character, &plan.asked, &people, steps)
}

/// A step as the security gate sees it.
struct SecuredStep<'a> {
    intent: &'a Intent,
    why: &'a str,
}

/// The rule that forbids one of these steps to the character, as the world is now; `None`: none does.
fn forbidden_by<'s>(
    world: &World,
    npc: Entity,
    character: &Character,
    asked: &PlanAsked,
    people: &[&Id],
    steps: impl IntoIterator<Item = SecuredStep<'s>>,
) -> Option<String> {
    let story = &world.resource::<ActiveStory>().0;
    let view = WorldView::new(world);
    let is_player = asked.reason == TriggerReason::PlayerUtterance;
    let speaker = asked.speaker.iter().filter(|_| !is_player);
    let tags: Vec<String> = speaker.map(Id::to_string).collect();
    let interaction = Interaction {
        reason: asked.reason,
        npc: &character.id,
        trigger_id: None,
        scene: None,
        tags: &tags,
        interaction_count: world.get::<Mind>(npc).map_or(0, |mind| mind.interactions),
    };
    let rust = world
        .get_resource::<RustRules>()
        .cloned()
        .unwrap_or_default();
    let found = evaluate(&interaction, story, character, &rust, &view);
    let closed: Vec<Topic> = character
        .rules
        .hidden
        .iter()
        .filter(|hidden| is_closed(hidden, &interaction, &view))
        .map(|hidden| hidden.topic.clone())
        .collect();
    let may = May::of_character(character.may.as_deref());
    let context = GateContext {
        run: 0,
        interaction,
        constraints: &found.constraints,
        canon: &story.canon_of(character),
        forbidden: &character.rules.forbidden,
        closed: &closed,
        custom: &found.custom,
        checks: world.resource::<CustomChecks>(),
        may,
        world: &view,
        actions: ActionContext {
            rules: action_rules(world),
            key: TurnKey::default(),
            people,
            seen: SnapshotView::default(),
        },
    };
    let rule_in = |words: &str, canon| {
        let found = judge_content(&context, words, canon);
        found.into_iter().next().map(|failure| failure.rule)
    };
    steps.into_iter().find_map(|step| {
        if !may.allows(step.intent.kind()) {
            return Some("not_allowed".to_owned());
        }
        let mut said = step.intent.words();
        said.find_map(|words| rule_in(words, CanonCheck::Aloud))
            .or_else(|| rule_in(step.why, CanonCheck::Skip))
    })
}
