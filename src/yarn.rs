//! Characters of this crate in the dialogues of [Yarn Spinner](https://docs.yarnspinner.dev): a node asks a character, waits, and goes on
//! by what was approved. Feature `yarn`, for `bevy_yarnspinner` 0.9.
//!
//! ```text
//! title: Start
//! ---
//! <<declare $npc_outcome = "">>
//! <<declare $npc_line = "">>
//! Traveller: May I have the key?
//! <<ask wizard "May I have the key?">>
//! Wizard: {$npc_line}
//! <<if $npc_outcome == "accepted">>
//!     Traveller: Thank you.
//! <<endif>>
//! ===
//! ```
//!
//! ```
//! use bevy::prelude::*;
//! use bevy_dramatis::prelude::*;
//! use bevy_dramatis::yarn::YarnPlugin;
//!
//! App::new().add_plugins((MinimalPlugins, DramatisPlugins::silent(), YarnPlugin));
//! // The game adds its `YarnSpinnerPlugin`, and shows lines and options, as without this crate.
//! ```
//!
//! | command | does | sets |
//! |---|---|---|
//! | `<<ask wizard "words">>` | the player says it to the character with this id; the dialogue waits for the answer | `$npc_outcome`: `accepted`, `fallback` or `failed`; `$npc_line`, `$npc_action` |
//! | `<<act "open the door">>` | the player does it, where the rulebook allows it | `$npc_outcome`: `done`, `denied` or `failed`; `$npc_line` says why not; `$npc_action` |
//! | `<<offers>>`, `<<offers move take>>` | up to four things that the rulebook lets the player do now; only these actions, where it names some | `$choices`: how many; `$choice_1` to `$choice_4` |
//! | `<<suggest wizard>>` | asks the engine for up to four lines that the player could say, and waits | the same |
//!
//! | function | returns |
//! |---|---|
//! | `flag("night")` | whether the flag is set |
//! | `fact("weather")` | the world fact as text; `""`: there is none |
//! | `standing("wizard", "trust")` | what the character thinks of the player: `affinity`, -1 to 1, `trust` or `familiarity`, 0 to 1 |
//! | `believes("wizard", "gold")` | the text of the belief with this id; `""`: there is none |
//!
//! A command that cannot be done sets `$npc_outcome` to `failed` and logs why, and the dialogue goes on. It never waits without end.
//!
//! A variable is safe to show: signs of markup are escaped in it, and it has no line break. Write a name before it, as in
//! `Wizard: {$npc_line}`, since Yarn Spinner takes what is before the first colon of a line for the name of the speaker. [The page on
//! Yarn](crate::guide::yarn) has it all with examples.
//!
//! [`YarnTalk`] on the entity of the `DialogueRunner` says who the player is, and whether lines of characters become memories.

mod act;
mod ask;
mod choices;
mod follow;
mod functions;
mod remember;
mod talk;
mod variables;
mod wait;

pub use talk::YarnTalk;

use crate::plugin::ResultSystems;
use crate::story::ActiveStory;
use bevy::prelude::*;
use bevy_yarnspinner::prelude::{DialogueRunner, YarnCommand, YarnValue};
use wait::{Done, Waits};

/// Gives each `DialogueRunner` the commands and functions of [this module](self) when it comes into the game.
///
/// It needs [`DramatisPlugins`](crate::plugin::DramatisPlugins) and the `YarnSpinnerPlugin` of the game, in any order. A command
/// or function of the game that has one of their names when its runner is spawned stays as it is.
#[derive(Debug, Clone, Copy, Default)]
pub struct YarnPlugin;

impl Plugin for YarnPlugin {
    fn build(&self, app: &mut App) {
        app.register_type::<YarnTalk>()
            .add_observer(equip)
            .add_observer(follow::begin_anew)
            .add_observer(follow::take_answer)
            .add_observer(follow::take_turn_result)
            .add_observer(follow::take_lines)
            .add_observer(remember::remember_line)
            .add_systems(
                Last,
                follow::give_up_lost
                    .after(ResultSystems)
                    .run_if(any_with_component::<Waits>),
            );
    }
}

type Does = fn(&mut World, Entity, &[String]) -> Done;

/// The commands, each with what it does.
const COMMANDS: [(&str, Does); 4] = [
    ("ask", ask::ask),
    ("act", act::act),
    ("offers", choices::offers),
    ("suggest", choices::suggest),
];

/// A command of one runner.
#[derive(Clone, Copy)]
struct RunnerCommand {
    runner: Entity,
    does: Does,
}

impl YarnCommand<()> for RunnerCommand {
    type In = ();
    type Out = Done;

    fn run(&mut self, input: Vec<YarnValue>, world: &mut World) -> Done {
        let words = input.iter();
        let words: Vec<String> = words
            .map(|word| variables::parameter(world, self.runner, word))
            .collect();
        (self.does)(world, self.runner, &words)
    }
}

/// The observer that gives a runner its commands and functions.
fn equip(
    added: On<Add, DialogueRunner>,
    mut runners: Query<&mut DialogueRunner>,
    story: Option<Res<ActiveStory>>,
) {
    if story.is_none() {
        log::error!("Yarn dialogues cannot ask characters: YarnPlugin needs DramatisPlugins");
        return;
    }
    let runner = added.entity;
    let Ok(mut dialogue) = runners.get_mut(runner) else {
        return;
    };
    let commands = dialogue.commands_mut();
    for (name, does) in COMMANDS {
        if commands.contains_key(name) {
            log::debug!("the game's own command {name} stays in a Yarn dialogue");
        } else {
            commands.add_command::<(), _>(name, RunnerCommand { runner, does });
        }
    }
    functions::add_functions(&mut dialogue, runner);
}
