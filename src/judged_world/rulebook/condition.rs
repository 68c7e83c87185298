//! The questions of a rulebook, asked of an action and the world it would happen in. Pure: nothing here writes.

use super::scene::ActionScene;
use crate::judged_world::action::registry::ActionRegistry;
use crate::judged_world::rulebook::spec::{ActionCondition, ActionRole, EffectValue, PartName};
use crate::judged_world::state::Placement;
use crate::judged_world::state::value::WorldValue;
use crate::judged_world::words::reference::is_pronoun;
use crate::text::Lexicon;
use crate::text::twin::twin_keys;

/// Whether a condition holds. A condition on a role that the action lacks is false, and so is a `Custom` that the game has not
/// registered.
#[must_use]
pub(crate) fn holds(
    condition: &ActionCondition,
    scene: &ActionScene,
    registry: &ActionRegistry,
) -> bool {
    let world = scene.world;
    let with =
        |role: &ActionRole, ask: &dyn Fn(&str) -> bool| scene.role(role).is_some_and(|id| ask(&id));
    match condition {
        ActionCondition::Exists(role) => with(role, &|id| world.exists(id)),
        ActionCondition::IsLocation(role) => with(role, &|id| world.is_location(id)),
        ActionCondition::Kind(role, kind) => with(role, &|id| world.is_kind(id, kind)),
        ActionCondition::Perceivable(role) => with(role, &|id| scene.perceives(id)),
        ActionCondition::SameLocation(a, b) => with(a, &|a| {
            let place = world.place_of(a);
            place.is_some() && with(b, &|b| world.place_of(b) == place)
        }),
        ActionCondition::Connected(from, to) => with(from, &|from| {
            let exits = world.location(from).map(|from| from.connected_to);
            with(to, &|to| {
                exits.iter().flatten().any(|next| next == to) && world.is_location(to)
            })
        }),
        ActionCondition::Carries(carrier, thing) => with(carrier, &|carrier| {
            with(
                thing,
                &|thing| matches!(world.placement(thing), Some(Placement::CarriedBy(by)) if by == *carrier),
            )
        }),
        ActionCondition::Unowned(role) => with(role, &|id| {
            matches!(
                world.placement(id),
                Some(Placement::In(_) | Placement::Offstage)
            )
        }),
        ActionCondition::Attribute(role, name, value) => with(role, &|id| {
            world.attribute(id, name).as_ref() == Some(value)
        }),
        ActionCondition::HasAttribute(role, name) => {
            with(role, &|id| world.attribute(id, name).is_some())
        }
        ActionCondition::AtLeast(role, name, least) => {
            scene.number(role, name).is_some_and(|n| n >= *least)
        }
        ActionCondition::AtMost(role, name, most) => {
            scene.number(role, name).is_some_and(|n| n <= *most)
        }
        ActionCondition::RelationshipAtLeast(of, towards, part, least) => with(of, &|of| {
            with(towards, &|towards| {
                felt(scene, of, towards, *part) >= i128::from(*least) * 1_000
            })
        }),
        ActionCondition::RelationshipAtMost(of, towards, part, most) => with(of, &|of| {
            with(towards, &|towards| {
                felt(scene, of, towards, *part) <= i128::from(*most) * 1_000
            })
        }),
        ActionCondition::InGroup(role, group) => with(role, &|id| world.groups().has(group, id)),
        ActionCondition::Custom(name) => registry.function(name).is_some_and(|ask| ask(scene)),
        ActionCondition::Is(role, wanted) => with(role, &|id| id == wanted),
        ActionCondition::Same(a, b) => with(a, &|a| with(b, &|b| a == b)),
        ActionCondition::Flag(name) => world.flag(name),
        ActionCondition::TimeBetween(from, to) => from.0 <= scene.now && scene.now <= to.0,
        ActionCondition::ActorsTurn => world
            .turn_of()
            .is_none_or(|holder| holder == *scene.intent.actor()),
        ActionCondition::Named(role) => scene.role(role).is_some(),
        ActionCondition::Given(value) => scene.value(value).is_some(),
        ActionCondition::Offstage(role) => {
            with(role, &|id| world.placement(id) == Some(Placement::Offstage))
        }
        ActionCondition::NameFree => match scene.value(&EffectValue::Name) {
            // A pronoun is no name either: what would "it" mean then?
            Some(WorldValue::Text(name)) => {
                ![Lexicon::english(), Lexicon::german()]
                    .iter()
                    .any(|language| is_pronoun(&name, language))
                    && twin_keys(&name)
                        .iter()
                        .all(|key| world.named(key).is_empty())
            }
            _ => false,
        },
        ActionCondition::SpawnedThisTurn => scene.spawned,
        ActionCondition::Not(inner) => !holds(inner, scene, registry),
        ActionCondition::All(list) => list.iter().all(|c| holds(c, scene, registry)),
        ActionCondition::Any(list) => list.iter().any(|c| holds(c, scene, registry)),
    }
}

/// A part of one actor's relationship to another, in millionths.
fn felt(scene: &ActionScene, of: &str, towards: &str, part: PartName) -> i128 {
    let relationship = scene.world.relationship(of, towards);
    i128::from(relationship.part(part.0).0)
}
