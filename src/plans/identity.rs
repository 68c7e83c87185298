//! Whether the model that answers now is the one that made a plan.

use crate::engine::{DefaultEngine, EngineIdentity, Engines, NpcEngine, SharedEngine, Stage};
use bevy::prelude::*;

/// What has changed of a model since it made a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ModelDrift {
    /// Nothing.
    None,
    /// Its version alone: the player is asked once more.
    Version,
    /// Who serves it, which one it is, its hash or what it can do: the plan is blocked.
    Model,
}

impl ModelDrift {
    /// What has changed between two identities. A version that was unknown and is known now has changed.
    #[must_use]
    pub fn between(made: &EngineIdentity, now: &EngineIdentity) -> Self {
        let without_version = |identity: &EngineIdentity| EngineIdentity {
            version: None,
            ..identity.clone()
        };
        if made == now {
            Self::None
        } else if without_version(made) == without_version(now) {
            Self::Version
        } else {
            Self::Model
        }
    }
}

/// Which model serves the plans of a character now, as far as is known; `None` when no engine does.
pub(crate) fn identity_now(world: &World, npc: Option<Entity>) -> Option<EngineIdentity> {
    serving(world, npc).map(|engine| engine.identity.clone())
}

/// The engine that serves the plans of a character now; `None` when none does.
pub(crate) fn engine_now(world: &World, npc: Option<Entity>) -> Option<SharedEngine> {
    serving(world, npc).map(|engine| engine.engine.clone())
}

fn serving(world: &World, npc: Option<Entity>) -> Option<&DefaultEngine> {
    let default = world.get_resource::<DefaultEngine>()?;
    let own = npc.and_then(|npc| world.get::<NpcEngine>(npc));
    match world.get_resource::<Engines>() {
        Some(engines) => engines.serving(own, Stage::Plan, default).ok(),
        None => Some(default),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Capabilities;

    #[test]
    fn s5_the_drift_table() {
        let made = EngineIdentity {
            provider: "a".into(),
            model: "b".into(),
            version: Some("1".into()),
            hash: Some("ff".into()),
            capabilities: Capabilities::default(),
        };
        let drift = |change: &dyn Fn(&mut EngineIdentity)| {
            let mut now = made.clone();
            change(&mut now);
            ModelDrift::between(&made, &now)
        };
        assert_eq!(drift(&|_| {}), ModelDrift::None);
        for version in [None, Some("2".to_owned())] {
            let changed = drift(&|now| now.version.clone_from(&version));
            assert_eq!(changed, ModelDrift::Version);
        }
        assert_eq!(drift(&|now| now.provider = "x".into()), ModelDrift::Model);
        assert_eq!(drift(&|now| now.model = "x".into()), ModelDrift::Model);
        assert_eq!(drift(&|now| now.hash = None), ModelDrift::Model);
        assert_eq!(
            drift(&|now| now.capabilities.json = false),
            ModelDrift::Model
        );
        let both = drift(&|now| {
            now.version = None;
            now.capabilities.context_chars += 1;
        });
        assert_eq!(both, ModelDrift::Model);
    }
}
