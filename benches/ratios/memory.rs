//! F4: finding memories compared with an exhaustive scan that finds the same ones, and how the times of both grow.

use crate::hall::{LINE, remember};
use crate::table::{Pair, Table, pair, timed};
use bevy_dramatis::base::GameTime;
use bevy_dramatis::limits::Limits;
use bevy_dramatis::memory::recall;
use bevy_dramatis::memory::{Episode, Mind};
use std::hint::black_box;

/// One second after the last of a million episodes.
const NOW: GameTime = GameTime(1_001_000);

fn find(mind: &Mind) {
    black_box(recall(mind, LINE, NOW, &Limits::DEFAULT));
}

/// The rows of this file.
pub fn rows(table: &mut Table) {
    for (name, count) in [
        ("F4 10k", 10_000),
        ("F4 100k", 100_000),
        ("F4 1M", 1_000_000),
    ] {
        let count = table.size(count);
        let what = format!("finding the best 15 of {count} episodes / of 1,000");
        let rounds = table.rounds(200);
        table.row(name, &what, || {
            let (many, few) = (remember(count), remember(1_000));
            pair(rounds, || find(&many), || find(&few)).row()
        });
    }
    let count = table.size(100_000);
    let rounds = table.rounds(2_000);
    let what = format!("storing an episode beside {count} / beside 1,000");
    table.row("F4 store", &what, || {
        let store = |mind: &mut Mind, i: usize| {
            let text = format!("The road to the tower was long, and wolf {i} came in the snow.");
            let episode = Episode::new(format!("new{i}"), text, NOW);
            timed(|| drop(black_box(mind.episodes.store(episode, NOW))))
        };
        let (mut many, mut few) = (remember(count), remember(1_000));
        let (a, b) = (0..rounds)
            .map(|i| (store(&mut many, i), store(&mut few, i)))
            .unzip();
        let (ratio, text) = Pair::of(a, b).row();
        (ratio, format!("{text}; the weakest one leaves"))
    });
}
