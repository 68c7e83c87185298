//! Where a journal is told about plans. Without a journal no hook is installed, and it costs nothing.

use super::event::PlanInput;
use super::plan::Plan;
use bevy::prelude::*;
use std::sync::Arc;

/// Code that is called whenever something happens to a plan.
pub(crate) trait PlanHook: Send + Sync + 'static {
    /// Something is about to happen to a plan. Nothing has been read yet.
    fn before_plan(&self, world: &mut World);
    /// It has happened, and what it changed or took back is installed.
    fn plan_changed(&self, world: &mut World, plan: &Plan, input: &PlanInput);
}

/// The hook that is called, if there is one.
#[derive(Resource, Clone)]
pub(crate) struct InstalledPlanHook(pub Arc<dyn PlanHook>);

/// Calls the hook, if one is installed.
pub(super) fn call_hook(world: &mut World, call: impl FnOnce(&dyn PlanHook, &mut World)) {
    if let Some(InstalledPlanHook(hook)) = world.get_resource::<InstalledPlanHook>().cloned() {
        call(&*hook, world);
    }
}
