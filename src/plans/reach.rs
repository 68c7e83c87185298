//! What a plan may touch: the locations of its scope, and no protected kinds. It is checked when a plan is made, and once
//! more for each step on the world as it is then.

use super::targets::location_of;
use crate::base::ids::Id;
use crate::world::{JudgedChange, WorldChange, WorldRead};
use std::collections::BTreeSet;
use std::fmt;

/// What the steps of a plan may touch.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Reach {
    /// The locations that steps may touch; empty: all.
    pub scope: BTreeSet<Id>,
    /// The kinds of entities that no step may aim at.
    pub protected_kinds: BTreeSet<String>,
}

/// Why a step may not touch something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Beyond {
    /// It is in no location of the scope.
    OutsideScope(String),
    /// It is of a protected kind.
    Protected(String, String),
}

impl Beyond {
    /// The rule that says so.
    #[must_use]
    pub fn rule(&self) -> &'static str {
        match self {
            Self::OutsideScope(_) => "outside_scope",
            Self::Protected(..) => "protected",
        }
    }
}

impl fmt::Display for Beyond {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OutsideScope(thing) => write!(f, "\"{thing}\" is out of bounds"),
            Self::Protected(thing, kind) => write!(f, "\"{thing}\" is protected ({kind})"),
        }
    }
}

impl Reach {
    /// Whether something lies in a location of the scope.
    #[must_use]
    pub fn holds(&self, world: &dyn WorldRead, thing: &str) -> bool {
        self.scope.is_empty()
            || location_of(world, thing).is_some_and(|place| self.scope.contains(&place))
    }

    /// Why a step may not touch something in this world; empty where it may.
    #[must_use]
    pub fn beyond(&self, world: &dyn WorldRead, thing: &str) -> Vec<Beyond> {
        let mut found = Vec::new();
        // The player may speak without an entity in the world: then nothing can be reached.
        if !self.holds(world, thing) && world.exists(thing) {
            found.push(Beyond::OutsideScope(thing.to_owned()));
        }
        let kind = world.entity(thing).map(|view| view.kind);
        if let Some(kind) = kind.filter(|kind| self.protected_kinds.contains(kind)) {
            found.push(Beyond::Protected(thing.to_owned(), kind));
        }
        found
    }
}

/// Who comes into the world by these changes.
pub(super) fn newcomers(changes: &[JudgedChange]) -> impl Iterator<Item = &Id> {
    changes.iter().filter_map(|change| match change.change() {
        WorldChange::Spawn { id, .. } => Some(id),
        _ => None,
    })
}
