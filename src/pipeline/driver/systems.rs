//! The system sets of the plugin, and their order.

use bevy::ecs::intern::Interned;
use bevy::ecs::schedule::ScheduleLabel;
use bevy::prelude::*;

/// The systems that bring loaded files into the game, before the pipeline's pass.
#[derive(SystemSet, Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct LoadingSystems;

/// The nine components of the pipeline, in order, in one schedule (`Update`, unless the plugin is told another one). There
/// is one pass a frame: a failed attempt goes on from [`PipelineSystems::Snapshot`] in the next frame.
///
/// Order your own systems against them. Results leave after [`PipelineSystems::Fallback`], in [`ResultSystems`].
#[derive(SystemSet, Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PipelineSystems {
    /// Cancelled runs end, requests become runs.
    Interaction,
    /// Runs get their constraints.
    Expectancy,
    /// Runs get their memories.
    Retrieval,
    /// The input of an attempt is frozen.
    Snapshot,
    /// Prompts are written.
    Prompt,
    /// Calls start, and what has arrived is collected.
    Inference,
    /// Replies are judged.
    Validation,
    /// Turns of actors are taken, and approved changes are committed.
    Mutation,
    /// Failed attempts are retried in the next frame, or an authored line is spoken.
    Fallback,
}

impl PipelineSystems {
    /// All of them, in order.
    pub const ALL: [Self; 9] = [
        Self::Interaction,
        Self::Expectancy,
        Self::Retrieval,
        Self::Snapshot,
        Self::Prompt,
        Self::Inference,
        Self::Validation,
        Self::Mutation,
        Self::Fallback,
    ];
}

/// After the pipeline: events are sent to the game.
#[derive(SystemSet, Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ResultSystems;

/// The schedule in which the plugin runs, for plugins that run next to it.
#[derive(Resource, Debug, Clone, Copy)]
pub(crate) struct DramatisSchedule(pub Interned<dyn ScheduleLabel>);

/// Work that is made of several runs goes on after them: turns of an adventure first, then plans.
#[derive(SystemSet, Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum AdvanceSystems {
    /// Turns of adventures, and the texts that are told in addition to them.
    Adventures,
    /// Plans.
    Plans,
    /// Lines for the player.
    Offers,
}
