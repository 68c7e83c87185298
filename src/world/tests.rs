//! What only the crate sees of the judged world.

mod index;
mod properties;
mod references;
mod support;
mod turns;

use crate::testing::TestGame;
use crate::world::WorldView;
use std::sync::LazyLock;

/// A hall and a yard; a door that opens, and two keys that are both called "key".
static HOUSE: LazyLock<String> = LazyLock::new(|| {
    let file = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/fixtures/house.story.ron"
    );
    std::fs::read_to_string(file).expect("the fixture is there")
});

fn read<T>(game: &TestGame, ask: impl Fn(&WorldView) -> T) -> T {
    ask(&WorldView::new(game.world()))
}
