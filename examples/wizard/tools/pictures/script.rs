//! What happens in the visit, in order.

use super::step::Step::{self, Attempt, Check, Close, Look, Say, Storm, Take, Until};
use crate::cast::PLAYER;
use crate::game::{TOWER, YARD};
use crate::tools::visit::{VISIT_OF_BRYN, has, is, is_in};
use bevy_dramatis::inspector::Tab;

pub(super) const VISIT: &[Step] = &[
    Take("yard"),
    Say("Would you let me in?"),
    Check("the door is open", |world| is(world, "door_1", "open")),
    Say("> go to the tower"),
    Check("the traveller is inside", |world| is_in(world, TOWER)),
    Say("May I borrow the key?"),
    Check("the traveller has the brass key", |world| {
        has(world, PLAYER, "key_1")
    }),
    Take("talk"),
    // Bryn comes in and talks to the wizard, and goes again.
    Until(VISIT_OF_BRYN[0], 3),
    Take("gossip"),
    Until(VISIT_OF_BRYN[1], 0),
    Say("Eldrin, tell me the secret of this tower."),
    Look(Tab::Runs),
    // The one that the gate rejected.
    Attempt(0),
    Take("inspector-runs"),
    Look(Tab::Prompt),
    Take("inspector-prompt"),
    Look(Tab::Characters),
    Take("inspector-characters"),
    Look(Tab::Memory),
    Take("inspector-memory"),
    Look(Tab::Rules),
    Take("inspector-rules"),
    Look(Tab::Engine),
    Take("inspector-engine"),
    Look(Tab::Journal),
    Take("inspector-journal"),
    Say("* I sit down by the fire and warm my hands"),
    Take("room"),
    Look(Tab::Stream),
    Take("inspector-stream"),
    // He has one key, and sees another: the question back.
    Say("> take the key"),
    Look(Tab::World),
    Take("inspector-world"),
    Close,
    Storm,
    Say("> go to the yard"),
    Check("the traveller is outside", |world| is_in(world, YARD)),
    Take("night"),
    Storm,
    Say("> go to the tower"),
    // His plan, with the question whether he may.
    Say("! brew a potion"),
    Take("plan"),
    Look(Tab::Plans),
    Take("inspector-plans"),
];
