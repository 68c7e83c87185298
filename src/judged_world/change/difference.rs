//! What has changed since a character looked: told to it when the world moved before its action could be done.

use crate::judged_world::action::Intent;
use crate::judged_world::rulebook::scene::ActionScene;
use crate::judged_world::rulebook::spec::{ActionCondition, ActionRole};
use crate::judged_world::rulebook::validate::ActionRules;
use crate::judged_world::state::{EntityView, Placement, WorldRead};
use std::collections::BTreeSet;

/// What the answer to an action depends on: if none of it has changed, neither has the answer.
#[derive(Debug, Default)]
pub struct DecisionInputs {
    /// Ids of entities and locations: the actor, what the action refers to, and what the deciding check looks at.
    pub ids: BTreeSet<String>,
    /// Names of the flags that the check asks for.
    pub flags: BTreeSet<String>,
    /// Whether the check asks for game time.
    pub time: bool,
}

impl DecisionInputs {
    /// What the answer depends on, for an action that the check with the id `rule` denied.
    #[must_use]
    pub fn of(rules: &ActionRules, world: &dyn WorldRead, intent: &Intent, rule: &str) -> Self {
        let scene = ActionScene {
            world,
            intent,
            now: rules.now,
            spawned: false,
        };
        let mut inputs = Self::default();
        inputs.ids.insert(intent.actor().to_string());
        inputs.ids.extend(intent.references().map(str::to_owned));
        let checks = rules.book.rule(rules.registry, intent.kind());
        let checks = checks.into_iter().flat_map(|of| &of.checks);
        for check in checks.filter(|check| check.id == rule) {
            inputs.add(&check.when, &scene);
        }
        inputs
    }

    fn add(&mut self, condition: &ActionCondition, scene: &ActionScene) {
        match condition {
            ActionCondition::Flag(name) => {
                self.flags.insert(name.clone());
            }
            ActionCondition::TimeBetween(..) => self.time = true,
            ActionCondition::Not(inner) => self.add(inner, scene),
            ActionCondition::All(list) | ActionCondition::Any(list) => {
                list.iter().for_each(|inner| self.add(inner, scene));
            }
            _ => {
                let roles: Vec<&ActionRole> = condition.roles();
                let ids = roles.into_iter().filter_map(|role| scene.role(role));
                self.ids.extend(ids.map(|id| id.into_owned()));
            }
        }
    }
}

/// How these entities differ from what they were, in words, one sentence each; empty when they do not. `before` has them
/// by id, as they were. Of what `actor` does not perceive any more it is told where it was, and not where and
/// how it is.
#[must_use]
pub fn changed_since<'a>(
    before: impl IntoIterator<Item = (&'a str, &'a EntityView)>,
    world: &dyn WorldRead,
    actor: &str,
) -> Vec<String> {
    let here = world.place_of(actor);
    let perceives = |id: &str| id == actor || here.is_some() && world.place_of(id) == here;
    let mut changes = Vec::new();
    for (id, old) in before {
        let Some(new) = world.entity(id) else {
            changes.push(format!("{id} is gone"));
            continue;
        };
        if old.at != new.at {
            let was = place(&old.at);
            changes.push(match perceives(id) || new.at == Placement::Offstage {
                true => format!("{id} was {was} and is {} now", place(&new.at)),
                false => format!("{id} was {was} and is not here any more"),
            });
        }
        if !perceives(id) {
            continue;
        }
        let mut names: Vec<&String> = old.attributes.keys().chain(new.attributes.keys()).collect();
        names.sort();
        names.dedup();
        for name in names {
            let (was, is) = (old.attributes.get(name), new.attributes.get(name));
            if was != is {
                let show = |value: Option<&crate::judged_world::state::value::WorldValue>| {
                    value.map_or_else(|| "not set".to_owned(), ToString::to_string)
                };
                changes.push(format!(
                    "{name} of {id} was {} and is {} now",
                    show(was),
                    show(is)
                ));
            }
        }
    }
    changes
}

fn place(at: &Placement) -> String {
    match at {
        Placement::In(id) => format!("in {id}"),
        Placement::CarriedBy(id) => format!("carried by {id}"),
        Placement::Offstage => "offstage".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id;
    use crate::judged_world::WorldState;

    #[test]
    fn g7_what_changed_is_named() {
        let mut world = WorldState::default();
        let mut door = EntityView {
            at: Placement::In(id!("hall")),
            ..EntityView::default()
        };
        door.attributes.insert("locked".into(), false.into());
        let before = door.clone();
        door.attributes.insert("locked".into(), true.into());
        door.at = Placement::Offstage;
        world.entities.insert(id!("door"), door);
        assert_eq!(
            changed_since([("door", &before), ("key", &before)], &world, "door"),
            [
                "door was in hall and is offstage now",
                "locked of door was false and is true now",
                "key is gone"
            ]
        );
        world.entities.get_mut("door").expect("it is there").at = Placement::In(id!("yard"));
        let now = world.entities["door"].clone();
        assert!(changed_since([("door", &now)], &world, "door").is_empty());
        // Only an actor that is there knows where it is now, and how.
        assert_eq!(
            changed_since([("door", &before)], &world, "ann"),
            ["door was in hall and is not here any more"]
        );
        assert!(changed_since([("door", &now)], &world, "ann").is_empty());
    }
}
