//! The security gate: what a character may not do or say, whatever a player says.

use super::constraint::resolve;
use super::plan::{Plan, PlanId, PlanStep};
use crate::authoring::Character;
use crate::base::ids::Id;
use crate::base::seed::WorldSeed;
use crate::gate::words::{CanonCheck, judge_content};
use crate::gate::{ActionContext, CustomChecks, GateContext, SnapshotView};
use crate::judged_world::change::apply::TurnKey;
use crate::memory::Mind;
use crate::npc::{LoadedCharacter, PlayerId};
use crate::pipeline::steps::expectancy::{RustRules, evaluate};
use crate::rules::{Interaction, Topic, TriggerReason, is_closed};
use crate::story::Rules;
use crate::world::{May, WorldIndex, WorldView};
use bevy::prelude::*;
use std::sync::Arc;

/// The entity and the file of a character that lives.
pub(super) fn living<'a>(world: &'a World, npc: &Id) -> Option<(Entity, &'a Arc<Character>)> {
    let entity = WorldIndex::find(world, npc)?;
    Some((entity, &world.get::<LoadedCharacter>(entity)?.0))
}

/// What the ids of newcomers of a plan are derived from.
pub(super) fn turn_key(world: &World, id: PlanId) -> TurnKey {
    TurnKey {
        seed: world.resource::<WorldSeed>().0,
        keys: vec!["plan".to_owned(), id.to_string()],
    }
}

/// The rule that forbids one of these steps; a character that is gone is forbidden everything.
pub(super) fn security(rules: &Rules, plan: &Plan, steps: &[PlanStep]) -> Option<String> {
    with_gate(rules, plan, |gate| {
        steps.iter().find_map(|step| {
            if !gate.may.allows(step.intent.kind()) {
                return Some("not_allowed".to_owned());
            }
            let id = as_words(&step.id);
            let mut shown = step.intent.words().chain([step.why.as_str(), id.as_str()]);
            shown.find_map(|words| rule_in(gate, words))
        })
    })
}

/// The rule that forbids what a model has understood of a wish: a player is asked with these words. What only names something
/// in the world is not a statement. A goal that the game gave is the game's own.
pub(super) fn forbidden_in_wish(rules: &Rules, plan: &Plan) -> Option<String> {
    let wish = plan.wish.as_ref().filter(|_| !plan.progress.is_goal)?;
    let npc = &plan.asked.npc;
    let view = WorldView::new(rules.world);
    let lexicon = &rules.story().lexicon;
    let is_name = |words: &str| !resolve(&view, npc, lexicon, words).is_empty();
    let mut shown: Vec<String> = Vec::new();
    for (key, value) in &wish.context {
        if !is_name(value) {
            shown.push(value.clone());
            shown.push(format!("{} {value}", as_words(key)));
        }
    }
    for constraint in &wish.constraints {
        shown.push(constraint.text.clone());
        let target = constraint.target.iter();
        shown.extend(target.filter(|target| !is_name(target)).cloned());
    }
    match shown.is_empty() {
        true => None,
        false => forbidden_in(rules, plan, &shown),
    }
}

/// The rule that forbids the character of a plan to say one of these.
pub(super) fn forbidden_in(rules: &Rules, plan: &Plan, said: &[String]) -> Option<String> {
    with_gate(rules, plan, |gate| {
        said.iter().find_map(|words| rule_in(gate, words))
    })
}

/// The rule that forbids to say this aloud.
fn rule_in(gate: &GateContext, words: &str) -> Option<String> {
    let found = judge_content(gate, words, CanonCheck::Aloud);
    found.into_iter().next().map(|failure| failure.rule)
}

/// An id, as it is read by people.
fn as_words(id: &str) -> String {
    id.replace(['_', '-', '.'], " ")
}

/// Judges by what forbids something to the character of a plan, as the world is now; everything is forbidden to one that is gone.
fn with_gate(
    rules: &Rules,
    plan: &Plan,
    judge: impl FnOnce(&GateContext) -> Option<String>,
) -> Option<String> {
    let Some((npc, own)) = living(rules.world, &plan.asked.npc) else {
        return Some("not_allowed".to_owned());
    };
    let character = rules.of_character(own);
    let (world, story) = (rules.world, rules.story());
    let asked = &plan.asked;
    let player = world.resource::<PlayerId>().0.clone();
    let people: Vec<&Id> = [&player].into_iter().chain(&asked.speaker).collect();
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
    judge(&GateContext {
        run: 0,
        interaction,
        constraints: &found.constraints,
        canon: &story.canon_of(character),
        forbidden: &character.rules.forbidden,
        closed: &closed,
        custom: &found.custom,
        checks: world.resource::<CustomChecks>(),
        lines: None,
        may: May::of_character(character.may.as_deref()),
        world: &view,
        actions: ActionContext {
            rules: rules.of_actions(),
            key: TurnKey::default(),
            people: &people,
            seen: SnapshotView::default(),
        },
    })
}
