//! F2 and M7: what a run allocates, and how much memory an episode takes. Unlike times, these are the same on every machine, so a test can
//! judge them.

#[path = "../benches/ratios/hall.rs"]
mod hall;

use bevy_dramatis::base::GameTime;
use bevy_dramatis::memory::{Episode, Episodes};
use hall::{Ready, Words, hall, last_prompt, say};

/// The most bytes that a run may allocate. A text or a list that grows counts with each size that it has had.
const MOST: u64 = 96 * 1_024;

#[test]
fn f2_a_run_allocates_at_most_96_kib() {
    let mut game = hall(Ready, 1_000, 100);
    for _ in 0..20 {
        say(&mut game);
    }
    let idle = allocation_counter::measure(|| game.update());
    let runs: Vec<u64> = (0..20)
        .map(|_| allocation_counter::measure(|| say(&mut game)).bytes_total)
        .collect();
    assert!(last_prompt(&game).contains("rule 99"));
    let idle = idle.bytes_total;
    assert!(
        runs.iter().all(|bytes| *bytes <= MOST),
        "a run {runs:?}, a frame {idle}"
    );
    assert_eq!(idle, 0, "a frame in which nothing happens");
}

/// The most bytes that an episode of twenty words may take, with its entries in the index.
const MOST_OF_AN_EPISODE: i64 = 500;

#[test]
fn m7_an_episode_of_twenty_words_takes_at_most_500_bytes() {
    // How many episodes came, and how many are kept: two sizes, the second one just after a list that doubles would have doubled, and a
    // full memory with as many gaps as a memory can have.
    for (came, cap) in [(10_000, 20_000), (16_500, 20_000), (18_800, 15_000)] {
        let mut words = Words::default();
        let mut kept = Episodes::with_cap(cap);
        let taken = allocation_counter::measure(|| {
            for i in 0..came {
                // Words as long as English ones: about 5.9 letters with the space after them.
                let text = words.text().replace("word", "wor");
                let time = GameTime(i * 1_000);
                let mut episode = Episode::new(format!("event-{i:012x}"), text, time);
                episode.participants = vec!["player".to_owned(), format!("villager_{}", i % 40)];
                episode.place = Some("market_square".to_owned());
                kept.store(episode, time).expect("room for it");
            }
        });
        let each = taken.bytes_current / i64::try_from(kept.len()).expect("few");
        assert!(each <= MOST_OF_AN_EPISODE, "{each} bytes each, of {came}");
    }
}

#[cfg(feature = "inspector")]
#[test]
fn i3_a_closed_inspector_allocates_nothing() {
    use bevy_dramatis::inspector::bevy_egui::{
        EguiContext, EguiPrimaryContextPass, EguiUserTextures, PrimaryEguiContext, egui,
    };
    use bevy_dramatis::inspector::{InspectorPlugin, InspectorSettings};
    let with = |inspector: bool| {
        let mut game = hall(Ready, 100, 10);
        let mut context = EguiContext::default();
        let own = context.get_mut().clone();
        game.init_resource::<EguiUserTextures>()
            .init_schedule(EguiPrimaryContextPass);
        game.world_mut().spawn((context, PrimaryEguiContext));
        if inspector {
            // The game has already begun.
            bevy::app::Plugin::build(&InspectorPlugin, &mut game);
        }
        hall::on_one_thread(&mut game);
        // What the inspector draws in a pass of the user interface.
        let draw = |game: &mut bevy::app::App| {
            own.begin_pass(egui::RawInput::default());
            let drawn = allocation_counter::measure(|| {
                game.world_mut().run_schedule(EguiPrimaryContextPass);
            });
            let _ = own.end_pass();
            drawn.count_total
        };
        draw(&mut game);
        for _ in 0..20 {
            say(&mut game);
        }
        let idle = allocation_counter::measure(|| game.update());
        let run = allocation_counter::measure(|| say(&mut game));
        let drawn = draw(&mut game);
        if inspector {
            game.world_mut().resource_mut::<InspectorSettings>().open = true;
            assert!(draw(&mut game) > 0, "it draws when it is open");
        }
        (idle.count_total, run.count_total, drawn)
    };
    // If a rule finds something in a run, the run pays for counting it.
    let (without, inspected) = (with(false), with(true));
    assert_eq!(
        without, inspected,
        "allocations of an idle frame, a run and a pass that draws"
    );
}
