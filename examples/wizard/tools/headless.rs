//! The scripted visit of `visit.rs` without a window: what is said and done goes to the terminal, and must come out as written.

mod gossip_visit;
mod play;
mod take;
mod watch;

use crate::gossip::Gossip;
use crate::{ASSETS, cast, door, game, gossip, tale, weather};
use bevy::log::{Level, LogPlugin};
use bevy::prelude::*;
use bevy_dramatis::base::ManualClock;
use bevy_dramatis::plugin::EngineSource;
use bevy_dramatis::prelude::*;
use play::play;
use std::process::ExitCode;
use watch::{VisitLog, watch};

/// The secret, the crown before the letters were read, and the door that got barred.
const REJECTED_ATTEMPTS: usize = 3;

/// Plays the visit.
pub fn visit() -> ExitCode {
    let mut app = App::new();
    app.add_plugins((
        MinimalPlugins,
        LogPlugin {
            level: Level::WARN,
            ..default()
        },
        AssetPlugin {
            file_path: ASSETS.to_owned(),
            ..default()
        },
        DramatisPlugins::new(EngineSource::Script(cast::SCRIPT.to_owned())),
        game::plugin,
        door::plugin,
        weather::plugin,
        gossip::plugin,
        tale::plugin,
    ));
    // No player reads along, and the time of the game goes on by the steps of the visit alone.
    app.world_mut().resource_mut::<Gossip>().pause = 0.0;
    app.insert_resource(ManualClock);
    watch(&mut app);
    app.finish();
    app.cleanup();

    match play(&mut app).and_then(|()| check_replies(app.world().resource())) {
        Ok(()) => {
            println!("(The chest is open, and its letters are read.)");
            ExitCode::SUCCESS
        }
        Err(why) => {
            eprintln!("The visit did not go as written: {why}.");
            ExitCode::FAILURE
        }
    }
}

/// The wizard always found words of his own, and was stopped where he had to be.
fn check_replies(seen: &VisitLog) -> Result<(), String> {
    if seen.authored > 0 {
        Err(format!("{} runs were not accepted", seen.authored))
    } else if seen.rejected_attempts != REJECTED_ATTEMPTS {
        Err(format!(
            "{} attempts were rejected, not {REJECTED_ATTEMPTS}",
            seen.rejected_attempts
        ))
    } else {
        Ok(())
    }
}
