//! The JSON schema of a reply, kept from one run to the next while it would be the same.

use super::kept_affordances::Affordances;
use super::policy::Delivery;
use super::prompt::schema::{actions_first, reply_schema};
use super::snapshot::SnapshotBody;
use crate::base::ids::Id;
use bevy::prelude::*;
use serde_json::Value;
use std::sync::Arc;

/// The schema of the last reply of a character, with all that it depends on. It is a component of the character.
#[derive(Component, Clone)]
pub(super) struct KeptSchema {
    affordances: Affordances,
    known: Vec<Id>,
    delivery: Delivery,
    schema: Arc<Value>,
}

impl KeptSchema {
    /// The schema of a reply to this snapshot: the one that was kept of the character, where it fits.
    pub(super) fn of(kept: Option<&Self>, body: &SnapshotBody, delivery: Delivery) -> Self {
        let known = body.known_characters();
        let fits = |kept: &&Self| {
            Arc::ptr_eq(&kept.affordances, &body.affordances)
                && kept.delivery == delivery
                && kept.known.iter().eq(known.iter().copied())
        };
        if let Some(kept) = kept.filter(fits) {
            return kept.clone();
        }
        let schema = reply_schema(body);
        Self {
            affordances: body.affordances.clone(),
            known: known.into_iter().cloned().collect(),
            delivery,
            schema: Arc::new(match delivery {
                Delivery::Whole => schema,
                Delivery::Sentences => actions_first(schema),
            }),
        }
    }

    /// The schema itself.
    pub(super) fn schema(&self) -> Arc<Value> {
        self.schema.clone()
    }
}
