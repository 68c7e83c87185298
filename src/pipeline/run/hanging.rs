//! Calls that hang: they are made again while they hang, as long as the run's deadline allows it.

use crate::base::fixed::Millis;
use crate::engine::{EngineCall, EngineRequest, RunEngine};
use crate::pipeline::driver::step::{RunFault, run_component};
use crate::pipeline::engine_room::is_bounded;
use crate::pipeline::run::Run;
use crate::recorded::InputsAreFed;
use bevy::prelude::*;
use std::time::Duration;

/// A call that is silent for this part of the deadline hangs: a third.
const HANGS: i64 = 3;

/// Starts a call of a run that is not sealed. Where another attempt could follow, a call that hangs for a third of the deadline is
/// made again while it hangs; so it is not where that would be more than its engine takes.
pub(in crate::pipeline) fn start_call(
    world: &World,
    entity: Entity,
    request: EngineRequest,
) -> std::result::Result<EngineCall, RunFault> {
    let run = run_component::<Run>(world, entity)?;
    let run_engine = run_component::<RunEngine>(world, entity)?;
    let engine = run_engine.engine().clone();
    let call = engine.start(request.clone());
    let policy = run.policy();
    let every = Millis(Millis::from(policy.deadline).0 / HANGS);
    let attempts = i64::from(policy.max_attempts) - 1;
    let most = u32::try_from(attempts.min(HANGS - 1)).unwrap_or(0);
    // A script says when its reply comes.
    let delay = call.delay();
    let comes_in_time = delay > Millis(0) && delay <= request.time_left.into();
    // Where calls that fail are made again by themselves, the deadline is that of each call. A record has no call that hung.
    if comes_in_time
        || policy.fault_retries > 0
        || is_bounded(world, run, run_engine, &engine.capacity())
        || world.contains_resource::<InputsAreFed>()
    {
        return Ok(call);
    }
    Ok(
        call.asking_again(every, most, request.time_left.into(), move |late| {
            let late = Duration::from_millis(late.0.max(0).unsigned_abs());
            engine.start_again(EngineRequest {
                time_left: request.time_left.saturating_sub(late),
                ..request.clone()
            })
        }),
    )
}
