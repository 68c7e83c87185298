//! What pronouns refer to.

use crate::base::ids::Id;
use bevy::prelude::*;

/// What an actor mentioned lately, by action, the last one last: what "it" may be.
#[derive(Component, Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct RecentMentions(pub Vec<Vec<Id>>);
