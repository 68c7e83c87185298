//! Time passes in the street, and what its people do is told.

use crate::{DAY_ENDS, Pace, WAKES};
use bevy::prelude::*;
use bevy_dramatis::base::{DramatisClock, Millis};
use bevy_dramatis::events::NewsTold;
use bevy_dramatis::memory::Mind;
use bevy_dramatis::npc::Doing;
use bevy_dramatis::prelude::*;

pub fn plugin(app: &mut App) {
    app.add_systems(PreUpdate, pass.run_if(dramatis_ready))
        .add_observer(go)
        .add_observer(begin)
        .add_observer(tell_news)
        .add_observer(|spoke: On<Spoke>| println!("       {}: {}", spoke.npc, spoke.line));
}

/// The street moves on. No time passes in it while one of its people is asked.
fn pass(
    time: Res<Time<Real>>,
    pace: Res<Pace>,
    talking: Query<(), With<Thinking>>,
    mut clock: ResMut<DramatisClock>,
) {
    let passed = Millis::from(time.delta());
    clock.call = clock.call.after(passed);
    if talking.is_empty() && clock.game.0 / 1_000 + WAKES < DAY_ENDS {
        clock.game = clock.game.after(Millis(passed.0 * pace.0));
    }
}

fn go(went: On<Applied<MoveTo>>, time: Res<DramatisClock>) {
    say(
        &time,
        &format!("{} goes to the {}", went.actor, went.action.target),
    );
}

fn begin(begun: On<Insert, Doing>, people: Query<(&Name, &Doing)>, time: Res<DramatisClock>) {
    if let Ok((name, doing)) = people.get(begun.entity) {
        say(&time, &format!("{name} {}", doing.text));
    }
}

fn tell_news(told: On<NewsTold>, minds: Query<&Mind>, time: Res<DramatisClock>) {
    let heard = minds.iter_many([told.entity]);
    let news = heard.flat_map(|mind| mind.episodes.iter().rev().find(|news| news.hops() > 0));
    for news in news {
        say(
            &time,
            &format!("{} tells {}: {}", told.from, told.to, news.text),
        );
    }
}

/// A line with the time of day before it.
fn say(time: &DramatisClock, line: &str) {
    let minutes = (time.game.0 / 1_000 + WAKES) / 60;
    println!("{:02}:{:02}  {line}", minutes / 60 % 24, minutes % 60);
}
