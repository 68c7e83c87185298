//! A dialogue of Yarn Spinner asks a wizard, waits, and goes on by what was approved.
//!
//! ```text
//! cargo run -p bevy_dramatis --features yarn --example yarn
//! ```
//!
//! It needs no window, no files and no model: the replies of a model are written in the program.
#![allow(clippy::print_stdout, reason = "an example says what it did")]

use bevy::prelude::*;
use bevy_dramatis::prelude::*;
use bevy_dramatis::yarn::YarnPlugin;
use bevy_yarnspinner::events::{DialogueCompleted, PresentLine};
use bevy_yarnspinner::prelude::*;

const WIZARD: &str = r#"(
    id: "wizard", name: "Wizard", persona: "You live in a tower. You are old and kind.",
    constraints: [(id: "no_password",
        description: "Never say the password.", patterns: ["swordfish"])],
    fallbacks: (generic: ["That I will not say."]),
)"#;

const DIALOGUE: &str = r#"title: Start
---
<<declare $npc_outcome = "">>
<<declare $npc_line = "">>
Traveller: May I have the key?
<<ask wizard "May I have the key?">>
Wizard: {$npc_line}
<<if $npc_outcome == "accepted">>
    Traveller: Thank you. And the password?
    <<ask wizard "And the password?">>
    Wizard: {$npc_line}
    <<if $npc_outcome != "accepted">>
        Traveller: Then I will guess.
    <<endif>>
<<else>>
    Traveller: Then I will climb.
<<endif>>
===
"#;

fn main() -> AppExit {
    // What a model says: once it does well, and then it gives the password away three times.
    let bad = "It is swordfish.";
    let engine = ScriptedEngine::saying(["Take it, my friend.", bad, bad, bad]);
    let yarn = YarnSpinnerPlugin::with_yarn_source(YarnFile::new("tower.yarn", DIALOGUE));
    App::new()
        .add_plugins((MinimalPlugins, AssetPlugin::default(), yarn))
        .add_plugins((DramatisPlugins::new(engine), YarnPlugin))
        .add_systems(Startup, setup)
        .add_systems(Update, begin.run_if(resource_added::<YarnProject>))
        .add_observer(show)
        .add_observer(
            |_: On<DialogueCompleted>, mut exit: MessageWriter<AppExit>| {
                exit.write(AppExit::Success);
            },
        )
        .run()
}

fn setup(mut commands: Commands) -> Result {
    commands.spawn(Player);
    commands.spawn(LoadedCharacter::from_ron(WIZARD)?);
    Ok(())
}

fn begin(mut commands: Commands, project: Res<YarnProject>) {
    let mut runner = project.create_dialogue_runner(&mut commands);
    runner.start_node("Start");
    commands.spawn(runner);
}

fn show(shown: On<PresentLine>, mut runners: Query<&mut DialogueRunner>) -> Result {
    println!("{}", shown.line.text);
    runners.get_mut(shown.entity)?.continue_in_next_update();
    Ok(())
}
