//! The assistant of a studio: plans for a project of files, with the shipped taxonomy `studio` and actions of the game.

pub mod paths;
pub mod project;

use bevy::prelude::*;
use bevy_dramatis::prelude::*;
use bevy_dramatis::scenario::{Scenario, play};
use bevy_dramatis::world::ActionRegistry;
use std::path::Path;

#[test]
fn a1_the_studio_plans_for_a_project_of_files() {
    for file in ["add_feature", "fix_bug"] {
        let mut app = App::new();
        app.add_plugins(DramatisPlugins::silent());
        project::add_studio(&mut app);
        let registry = app.world().resource::<ActionRegistry>().clone();
        let file = format!(
            "{}/tests/plans/studio/{file}.scenario.ron",
            env!("CARGO_MANIFEST_DIR")
        );
        let scenario = Scenario::read(Path::new(&file), &registry).unwrap();
        let result = play(&scenario, &project::add_studio);
        assert!(result.failed.is_empty(), "{file}: {:?}", result.failed);
        let plans = result.trace["plans"].as_array().unwrap();
        assert_eq!(
            (&plans[0]["id"], &plans[0]["npc"]),
            (&"p1".into(), &"assistant".into())
        );
    }
}
