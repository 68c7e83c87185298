//! The one call of a sealed run: by type, and through the engine that the app was built with (contract rows S1 to S3).

use super::step::RunFault;
use crate::engine::{EngineCall, EngineError, EngineEvent, EngineRequest, SharedEngine};
use bevy::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// On a sealed run: its right to one call, until it is spent (contract row S2).
#[derive(Component, Debug)]
pub(crate) struct SealedRight(Option<OneCall>);

/// A right to one call. It is spent by using it; it cannot be copied, and each run is given one.
#[derive(Debug)]
struct OneCall(());

impl SealedRight {
    /// What a run that starts is given.
    pub(crate) fn new() -> Self {
        Self(Some(OneCall(())))
    }
}

/// The engine that sealed runs ask: the one that the app was built with. It lives in the system that starts calls, where
/// nobody can put another one in its place (contract row S3).
#[derive(Clone)]
pub(crate) struct BoundEngine(pub SharedEngine);

impl BoundEngine {
    /// Makes the one call of a sealed run. An engine that panics has said nothing (contract row S1).
    ///
    /// # Errors
    /// [`RunFault::NoCallLeft`] when the run has spent its call.
    pub(crate) fn call_once(
        &self,
        world: &mut World,
        run: Entity,
        request: EngineRequest,
    ) -> std::result::Result<EngineCall, RunFault> {
        let right = world.get_mut::<SealedRight>(run);
        let one_call = right.and_then(|mut right| right.0.take());
        Ok(self.spend(one_call.ok_or(RunFault::NoCallLeft)?, request))
    }

    fn spend(&self, _spent: OneCall, request: EngineRequest) -> EngineCall {
        let started = catch_unwind(AssertUnwindSafe(|| self.0.start(request)));
        started.unwrap_or_else(|_| {
            let error = EngineError::Interrupted("the engine panicked".to_owned());
            EngineCall::ready([EngineEvent::Failed(error)])
        })
    }
}
