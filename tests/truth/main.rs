//! The truth engine: typed actions, a rulebook, and a world that only it can change (contract rows W and G7).

mod bindings;
mod commit;
mod own_action;
mod parsers;
mod rulebooks;
mod shipped;
mod support;
mod turns;

/// A hall and a yard; a door that opens, and two keys that are both called "key".
const HOUSE: &str = include_str!("../fixtures/house.story.ron");
/// A hall and a cellar, four people and their things, for tests without Bevy.
const CELLAR: &str = include_str!("../fixtures/cellar.world.ron");
const GUARD: &str = include_str!("../fixtures/guard.npc.ron");
const COOK: &str = include_str!("../fixtures/cook.npc.ron");
