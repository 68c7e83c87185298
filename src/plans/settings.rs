//! How a game wants plans to be judged.

use super::profile::Profile;
use super::reach::Reach;
use super::taxonomy::Taxonomy;
use crate::base::ids::Id;
use crate::proposal::PlanConstraintSpec;
use bevy::prelude::*;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeSet;
use std::sync::Arc;

/// How plans are judged. A change counts for what is judged after it; a plan that waits or runs keeps what it was judged by,
/// except that a stricter profile counts at once.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_dramatis::plans::{PlanSettings, Profile};
/// use bevy_dramatis::prelude::*;
///
/// App::new()
///     .add_plugins(DramatisPlugins::silent())
///     .insert_resource(PlanSettings {
///         ceiling: Profile::Dev,
///         protected_kinds: ["shrine".to_owned()].into(),
///         ..PlanSettings::default()
///     });
/// ```
#[derive(Resource, Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PlanSettings {
    /// What can be planned, and the tables by which plans are judged. Default: the shipped [`Taxonomy::npc`].
    #[serde(serialize_with = "write_taxonomy", deserialize_with = "read_taxonomy")]
    pub taxonomy: Arc<Taxonomy>,
    /// How much a player is asked. Change it with [`set_profile`](super::PlanCommandsExt::set_profile), which asks before it becomes laxer.
    pub profile: Profile,
    /// The laxest profile that can be in force. No plan can touch it.
    pub ceiling: Profile,
    /// Whether there is a player who can approve. Without one, a plan that would need an approval is denied.
    pub has_approver: bool,
    /// The locations that steps may touch; empty: all.
    pub scope: BTreeSet<Id>,
    /// The kinds of entities that no step may aim at.
    pub protected_kinds: BTreeSet<String>,
    /// What the game demands, forbids and prefers of every plan.
    pub constraints: Vec<PlanConstraintSpec>,
}

fn write_taxonomy<S: Serializer>(
    taxonomy: &Arc<Taxonomy>,
    serializer: S,
) -> std::result::Result<S::Ok, S::Error> {
    (**taxonomy).serialize(serializer)
}

fn read_taxonomy<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> std::result::Result<Arc<Taxonomy>, D::Error> {
    Taxonomy::deserialize(deserializer).map(Arc::new)
}

impl Default for PlanSettings {
    fn default() -> Self {
        Self {
            taxonomy: Taxonomy::npc_shared(),
            profile: Profile::default(),
            ceiling: Profile::FullAuto,
            has_approver: true,
            scope: BTreeSet::new(),
            protected_kinds: BTreeSet::new(),
            constraints: Vec::new(),
        }
    }
}

impl PlanSettings {
    /// What the steps of a plan may touch.
    #[must_use]
    pub(crate) fn reach(&self) -> Reach {
        Reach {
            scope: self.scope.clone(),
            protected_kinds: self.protected_kinds.clone(),
        }
    }

    /// The profile in force: the stricter of what is set and the ceiling.
    #[must_use]
    pub fn profile_in_force(&self) -> Profile {
        self.profile.stricter(self.ceiling)
    }
}
