//! No code outside of the crate installs changes, approved or not: the commit, the writer and the judge of actions are private.

use bevy_dramatis::commit::commit; //~ E0603 module `commit` is private
use bevy_dramatis::commit::commit_own_turn; //~ E0603 module `commit` is private
use bevy_dramatis::gate::actions::approve_actions; //~ E0603 module `actions` is private
use bevy_dramatis::gate::actions::recheck; //~ E0603 module `actions` is private
use bevy_dramatis::world::writer::apply_change; //~ E0603 module `writer` is private

fn main() {}
