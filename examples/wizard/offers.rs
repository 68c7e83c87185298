//! What the player can do now. `web/` uses this file, too.

use crate::cast::PLAYER;
use crate::words::phrase;
use bevy::prelude::*;
use bevy_dramatis::prelude::*;
use bevy_dramatis::story::action_rules;
use bevy_dramatis::world::{Affordance, May, ProposedAction, WorldRead, WorldView};

/// What the menu offers.
const MENU: [&str; 7] = ["move", "take", "drop", "give", "open", "close", "use"];

/// What the rulebook lets the player do now, in words, and as it is asked for. The gate would say the same.
pub fn offered(world: &mut World) -> Vec<(String, ProposedAction)> {
    let judged = WorldView::new(world);
    let menu = MENU.map(str::to_owned);
    let can = action_rules(world).affordances(&judged, &id!(PLAYER), May::Only(&menu));
    can.iter()
        .flat_map(|can| can.combinations.iter().map(move |ids| as_offer(can, ids)))
        // The menu leaves out what is done to the player, and with which key something is opened: the rulebook finds the
        // right one.
        .filter(|(kind, about)| {
            !about
                .iter()
                .any(|(field, id)| (*field == "tool" && *kind != "use") || *id == PLAYER)
        })
        .map(|(kind, about)| offer(kind, &about, &judged))
        .collect()
}

/// An action that can be done: its kind, and its fields with the ids in them.
type Offer<'a> = (&'static str, Vec<(&'static str, &'a str)>);

fn as_offer<'a>(can: &'a Affordance, ids: &'a [Option<Id>]) -> Offer<'a> {
    let about = can.fields.iter().zip(ids);
    let about = about.filter_map(|(field, id)| Some((*field, id.as_deref()?)));
    (can.action, about.collect())
}

/// The action in words, and as it is asked for.
fn offer(kind: &str, about: &[(&str, &str)], judged: &WorldView) -> (String, ProposedAction) {
    let name = |id: &str| judged.name_of(id).unwrap_or_else(|| id.to_owned());
    let words = phrase(kind, about.iter().map(|(field, id)| (*field, name(id))));
    let fields = about
        .iter()
        .map(|(field, id)| ((*field).to_owned(), (*id).into()));
    let action = ProposedAction {
        kind: kind.to_owned(),
        fields: fields.collect(),
        ..default()
    };
    (words, action)
}
