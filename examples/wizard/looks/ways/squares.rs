//! The squares of the map.

use bevy::prelude::*;

/// How wide a square is, in metres.
const SQUARE: f32 = 0.15;
/// The middle of the square at the back left.
pub(super) const CORNER: Vec2 = vec2(-4.95, -6.45);
pub(super) const COLUMNS: usize = 130;
pub(super) const ROWS: usize = 66;

/// The middle of a square.
pub(super) fn middle(square: usize) -> Vec2 {
    let place = UVec2::new((square % COLUMNS) as u32, (square / COLUMNS) as u32);
    CORNER + place.as_vec2() * SQUARE
}

/// The square that is nearest to this point, of those that `is` accepts: most often the one in which it lies, or one next to
/// it.
pub(super) fn nearest(at: Vec2, is: impl Fn(usize) -> bool) -> Option<usize> {
    let far = |square: &usize| middle(*square).distance_squared(at);
    let nearest_of = |squares: &mut dyn Iterator<Item = usize>| {
        let those = squares.filter(|square| is(*square));
        those.min_by(|a, b| far(a).total_cmp(&far(b)))
    };
    let place = ((at - CORNER) / SQUARE).round().max(Vec2::ZERO).as_uvec2();
    let column = (place.x as usize).min(COLUMNS - 1);
    let row = (place.y as usize).min(ROWS - 1);
    let own = row * COLUMNS + column;
    nearest_of(&mut std::iter::once(own).chain(around(own)))
        .or_else(|| nearest_of(&mut (0..COLUMNS * ROWS)))
}

/// The squares around one.
pub(super) fn around(square: usize) -> impl Iterator<Item = usize> {
    let (column, row) = (square % COLUMNS, square / COLUMNS);
    let near = |at: usize, count: usize| at.saturating_sub(1)..=(at + 1).min(count - 1);
    let rows = near(row, ROWS);
    let all = rows.flat_map(move |row| near(column, COLUMNS).map(move |column| (column, row)));
    all.map(|(column, row)| row * COLUMNS + column)
        .filter(move |other| *other != square)
}
