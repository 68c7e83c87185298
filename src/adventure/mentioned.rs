//! What pronouns refer to in an adventure.

use crate::base::ids::Id;
use bevy::prelude::Resource;
use std::collections::BTreeMap;

/// What each actor mentioned lately, by its id: ids by action, the last action last.
#[derive(Resource, Debug, Clone, Default)]
pub(super) struct Mentioned(pub(super) BTreeMap<Id, Vec<Vec<Id>>>);
