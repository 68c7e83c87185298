//! The JSON schema of a reply, kept from one run to the next while it would be the same.

use crate::base::ids::Id;
use crate::pipeline::steps::prompt::schema::{actions_first, reply_schema};
use crate::pipeline::steps::snapshot::SnapshotBody;
use crate::pipeline::steps::snapshot::kept_affordances::Affordances;
use crate::policy::Delivery;
use bevy::prelude::*;
use serde_json::Value;
use std::sync::Arc;

/// The schema of the last reply of a character, with all that it depends on. It is a component of the character.
#[derive(Component, Clone)]
pub(in crate::pipeline) struct KeptSchema {
    affordances: Affordances,
    known: Vec<Id>,
    delivery: Delivery,
    schema: Arc<Value>,
}

impl KeptSchema {
    /// The schema of a reply to this snapshot: the one that was kept of the character, where it fits.
    pub(in crate::pipeline) fn of(
        kept: Option<&Self>,
        body: &SnapshotBody,
        delivery: Delivery,
    ) -> Self {
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
    pub(in crate::pipeline) fn schema(&self) -> Arc<Value> {
        self.schema.clone()
    }
}
