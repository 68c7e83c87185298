//! A component of the game as an attribute of the judged world: the rulebook reads and writes it in place.
//!
//! ```text
//! cargo run -p bevy_dramatis --example bind_component
//! ```
#![allow(clippy::print_stdout, reason = "an example says what it did")]

use bevy::prelude::*;
use bevy_dramatis::prelude::*;
use bevy_dramatis::world::{DisplayName, Kind, Location};

/// The game's own door. No copy of it is kept anywhere.
#[derive(Component)]
struct Door {
    open: bool,
    locked: bool,
}

fn main() -> AppExit {
    App::new()
        .add_plugins((MinimalPlugins, DramatisPlugins::silent()))
        .bind_attribute::<Door>(
            "open",
            |door| door.open.into(),
            |door, open| door.open = open.truthy(),
        )
        .bind_attribute::<Door>(
            "locked",
            |door| door.locked.into(),
            |door, locked| door.locked = locked.truthy(),
        )
        // Every door can be opened: that is a fact about the component, not a field of it.
        .bind_attribute::<Door>("openable", |_| true.into(), |_, _| {})
        .add_systems(Startup, setup)
        .add_observer(tell)
        .run()
}

fn setup(mut commands: Commands) {
    let hall = commands
        .spawn((WorldId(id!("hall")), Location::default()))
        .id();
    let name = |name: &str| DisplayName(name.to_owned());
    let (open, locked) = (false, true);
    let door = Door { open, locked };
    commands.spawn((WorldId(id!("door")), name("oak door"), PlacedIn(hall), door));
    let kind = Kind("character".to_owned());
    let ann = commands
        .spawn((
            WorldId(id!("ann")),
            name("Ann"),
            kind,
            Player,
            PlacedIn(hall),
        ))
        .id();
    // The rulebook reads `locked` from the component and refuses.
    commands.entity(ann).act("open the oak door");
}

fn tell(
    ended: On<TurnEnded>,
    mut door: Single<&mut Door>,
    ann: Single<Entity, With<Player>>,
    mut commands: Commands,
    mut exit: MessageWriter<AppExit>,
) {
    for action in &ended.record.actions {
        println!("{}: {}", action.intent.kind(), action.judgement.result);
    }
    if door.open {
        println!("the door is open");
        exit.write(AppExit::Success);
        return;
    }
    // The game unlocks it, and now the rulebook allows it: its effect sets `open` in the component.
    println!("the game unlocks the door");
    door.locked = false;
    commands.entity(*ann).act("open the oak door");
}
