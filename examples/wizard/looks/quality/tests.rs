//! When quality falls, and when it does not.

use super::*;
use bevy::ecs::system::RunSystemOnce;
use bevy::time::TimeUpdateStrategy;
use std::time::Duration;

/// An app after twenty seconds in high quality, in which each frame took this number of milliseconds.
fn after(milliseconds: u64) -> App {
    let mut app = App::new();
    let frame = TimeUpdateStrategy::ManualDuration(Duration::from_millis(milliseconds));
    app.add_plugins(MinimalPlugins)
        .insert_resource(frame)
        .insert_resource(Quality::High)
        .init_resource::<KeepsUp>()
        .add_systems(Update, keep_up.run_if(resource_exists::<KeepsUp>));
    for _ in 0..20_000 / milliseconds {
        app.update();
    }
    app
}

#[test]
fn quality_falls_once_where_most_frames_are_slow() {
    assert_eq!(*after(16).world().resource::<Quality>(), Quality::High);
    let mut slow = after(30);
    assert_eq!(*slow.world().resource::<Quality>(), Quality::Low);
    // A player who still wants it gets it.
    slow.insert_resource(Quality::High);
    for _ in 0..500 {
        slow.update();
    }
    assert_eq!(*slow.world().resource::<Quality>(), Quality::High);
}

#[test]
fn who_chooses_is_not_corrected() {
    let mut app = after(16);
    app.world_mut().run_system_once(change).unwrap();
    app.world_mut().run_system_once(change).unwrap();
    let slow = TimeUpdateStrategy::ManualDuration(Duration::from_millis(40));
    app.insert_resource(slow);
    for _ in 0..500 {
        app.update();
    }
    assert_eq!(*app.world().resource::<Quality>(), Quality::High);
}
