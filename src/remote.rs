//! Methods of the Bevy Remote Protocol by which tools outside of the game read what characters do, and why. They change nothing.
//!
//! The game adds `RemotePlugin` of `bevy_remote`, and a transport such as its `RemoteHttpPlugin`; this crate adds neither. The
//! order of the plugins makes no difference.
//!
//! ```no_run
//! use bevy::prelude::*;
//! use bevy_dramatis::prelude::*;
//! use bevy_dramatis::remote::RemoteMethodsPlugin;
//! use bevy_remote::RemotePlugin;
//!
//! App::new()
//!     .add_plugins((MinimalPlugins, DramatisPlugins::silent()))
//!     .add_plugins((RemotePlugin::default(), RemoteMethodsPlugin))
//!     .run();
//! ```
//!
//! | method | parameters | what it tells |
//! |---|---|---|
//! | `dramatis/runs` | `npc`, `limit`, both optional | the runs that are kept, the newest first, those in progress too |
//! | `dramatis/explain` | `run` | why a run ended as it did: each attempt, with what was refused and by which rule |
//! | `dramatis/affordances` | `actor` | what the rulebook allows an actor now, as typed actions and as phrases |
//! | `dramatis/memory` | `npc`, `limit`, which is optional | what a character remembers, believes and feels |
//!
//! Answers are bounded, in the same order each time, and without what looks like a secret
//! ([`Redaction`](crate::journal::Redaction)). Ids and the numbers of runs are texts. A request that cannot be answered gets an
//! error with a sentence that says what is wrong.
//!
//! [The page on it](crate::guide::remote) has a request and an answer of each, and says what to do for security.

mod affordances;
mod answer;
mod explain;
mod memory;
mod runs;

use affordances::tell_affordances;
use explain::explain_run;
use memory::tell_memory;
use runs::tell_runs;

use crate::journal::ledger::InstalledLedger;
use bevy::prelude::*;
use bevy_remote::builtin_methods::{
    BRP_DESPAWN_COMPONENTS_METHOD, BRP_INSERT_COMPONENTS_METHOD, BRP_INSERT_RESOURCE_METHOD,
    BRP_MUTATE_COMPONENTS_METHOD, BRP_MUTATE_RESOURCE_METHOD, BRP_REMOVE_COMPONENTS_METHOD,
    BRP_REMOVE_RESOURCE_METHOD, BRP_REPARENT_ENTITIES_METHOD, BRP_SPAWN_ENTITY_METHOD,
    BRP_TRIGGER_EVENT_METHOD, BRP_WRITE_MESSAGE_METHOD,
};
use bevy_remote::{BrpResult, RemoteMethodSystemId, RemoteMethods};
use serde_json::Value;

/// The methods of Bevy that change the game.
const CHANGING: [&str; 11] = [
    BRP_SPAWN_ENTITY_METHOD,
    BRP_DESPAWN_COMPONENTS_METHOD,
    BRP_INSERT_COMPONENTS_METHOD,
    BRP_REMOVE_COMPONENTS_METHOD,
    BRP_MUTATE_COMPONENTS_METHOD,
    BRP_REPARENT_ENTITIES_METHOD,
    BRP_INSERT_RESOURCE_METHOD,
    BRP_REMOVE_RESOURCE_METHOD,
    BRP_MUTATE_RESOURCE_METHOD,
    BRP_TRIGGER_EVENT_METHOD,
    BRP_WRITE_MESSAGE_METHOD,
];

/// Adds methods that read to the Bevy Remote Protocol: `dramatis/runs`, `dramatis/explain`, `dramatis/affordances` and
/// `dramatis/memory`.
///
/// They are registered in `PreStartup`. A method of the same name that the game has registered stays. The application adds
/// `bevy_remote::RemotePlugin`; where it does not, a warning is logged and no method is added. Where a journal is kept while
/// remote clients can change the game, another warning names the methods by which they can.
#[derive(Debug, Clone, Copy, Default)]
pub struct RemoteMethodsPlugin;

impl Plugin for RemoteMethodsPlugin {
    fn build(&self, app: &mut App) {
        // Not now: `RemotePlugin` begins with an empty list of methods when it is added, which may be later.
        app.add_systems(PreStartup, register)
            .add_systems(PostStartup, warn_of_changes);
    }
}

fn register(world: &mut World) {
    if !world.contains_resource::<RemoteMethods>() {
        log::warn!(
            "no method of RemoteMethodsPlugin can be called: add bevy_remote::RemotePlugin to the app, too"
        );
        return;
    }
    add(world, "dramatis/runs", tell_runs);
    add(world, "dramatis/explain", explain_run);
    add(world, "dramatis/affordances", tell_affordances);
    add(world, "dramatis/memory", tell_memory);
}

/// Adds a method, unless the game has one of that name.
fn add<M>(
    world: &mut World,
    name: &str,
    handler: impl IntoSystem<In<Option<Value>>, BrpResult, M> + 'static,
) {
    let methods = world.get_resource::<RemoteMethods>();
    if methods.is_none_or(|methods| methods.get(name).is_some()) {
        return;
    }
    let id = world.register_system(handler);
    if let Some(mut methods) = world.get_resource_mut::<RemoteMethods>() {
        methods.insert(name, RemoteMethodSystemId::Instant(id));
    }
}

/// After `Startup`, in which a game may still take methods away.
fn warn_of_changes(methods: Option<Res<RemoteMethods>>, journal: Option<Res<InstalledLedger>>) {
    let (Some(methods), Some(_)) = (methods, journal) else {
        return;
    };
    let open: Vec<&str> = CHANGING
        .into_iter()
        .filter(|name| methods.get(name).is_some())
        .collect();
    if !open.is_empty() {
        log::warn!(
            "a journal is kept, and remote clients can change the game by {}. The journal does not record these requests, so \
             that a replay can differ from the game. Keep only the methods that read: docs/remote.md shows how",
            open.join(", ")
        );
    }
}
