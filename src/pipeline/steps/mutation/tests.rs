use crate::pipeline::run::{ActiveRun, Run};
use crate::pipeline::steps::validation::Pending;
use crate::pipeline::{Outcome, RunFault};
use crate::plugin::{DramatisPlugins, PipelineSystems};
use crate::testing::{FnEngine, TestGame};
use bevy::prelude::*;

/// Exchanges the approved changes of two runs, between the gate and the commit.
fn swap(
    world: &mut World,
    runs: &mut QueryState<(Entity, &Run), (With<ActiveRun>, With<Pending>)>,
) {
    let found: Vec<Entity> = runs.iter(world).map(|(run, _)| run).collect();
    let [one, other] = found[..] else {
        return;
    };
    let (Some(first), Some(second)) = (
        world.entity_mut(one).take::<Pending>(),
        world.entity_mut(other).take::<Pending>(),
    ) else {
        return;
    };
    world.entity_mut(one).insert(second);
    world.entity_mut(other).insert(first);
}

#[test]
fn g9_what_was_approved_for_another_run_is_not_installed() {
    let mut app = App::new();
    app.add_plugins(DramatisPlugins::new(FnEngine::always("Well met.")));
    app.add_systems(
        Update,
        swap.after(PipelineSystems::Validation)
            .before(PipelineSystems::Mutation),
    );
    let mut game = TestGame::from_app(app);
    for id in ["ann", "bob"] {
        let npc = game.spawn_npc(&format!("(id: \"{id}\")"));
        game.say(npc, "Hello");
    }
    game.run_until_idle();
    let mut faults = game.world_mut().query::<&RunFault>();
    let faults: Vec<&RunFault> = faults.iter(game.world()).collect();
    assert_eq!(
        faults,
        [&RunFault::ForeignApproval, &RunFault::ForeignApproval]
    );
    let outcomes = game.take_outcomes();
    let fallback = |outcome: &Outcome| matches!(outcome, Outcome::Fallback { .. });
    assert!(
        outcomes.len() == 2 && outcomes.iter().all(fallback),
        "{outcomes:?}"
    );
}
