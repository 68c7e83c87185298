//! Plans with risk gates.
//!
//! A character is asked for something that takes several steps. A model says what it understood and how sure it is, then it
//! plans; deterministic code checks the plan, scores it and decides, and perhaps a player is asked, before one step of it
//! happens. Then it is carried out step by step on the world as it is, and taken back when a step fails.
//!
//! ```
//! use bevy::prelude::*;
//! use bevy_dramatis::plans::{PlanCharacterExt, PlanCommandsExt};
//! use bevy_dramatis::prelude::*;
//!
//! fn wish(mut commands: Commands, wizard: Single<Entity, With<LoadedCharacter>>) {
//!     commands.entity(*wizard).ask_plan("Bring me the brass key.");
//! }
//!
//! fn ask_the_player(question: On<PlanQuestion>, plans: Res<Plans>, mut commands: Commands) {
//!     if let Some(plan) = plans.get(question.plan) {
//!         println!("risk {:?}, steps {:?}", plan.risk, plan.steps);
//!     }
//!     commands.approve_plan(question.plan);
//! }
//! # bevy::ecs::system::assert_is_system(wish);
//! ```
//!
//! | file | what it holds |
//! |---|---|
//! | `taxonomy` | what can be planned, and by which tables it is judged |
//! | `profile` | how much a player is asked |
//! | `settings` | how a game wants plans to be judged |
//! | `constraint` | what is demanded, forbidden and preferred |
//! | `order` | the order of the steps |
//! | `check` | the checks of a plan, and its dry run |
//! | `checked_step` | a step that was normalised and tried |
//! | `reach` | what a plan may touch |
//! | `targets` | what is known of the targets |
//! | `step_facts` | what is known of a step |
//! | `risk` | 0 to 100 points |
//! | `quality` | 0 to 1000 thousandths |
//! | `decision` | what is decided, and why |
//! | `custom` | gates and causes of risk of a game |
//! | `identity` | whether the model is the one that made the plan |
//! | `plan`, `plans` | a plan; all of them |
//! | `answer` | what a model has answered, approved and spent |
//! | `event`, `transition` | what can happen to a plan, and what becomes of it |
//! | `prompt` | what a model is asked |
//! | `execute` | carrying out, and taking back |
//! | `driver` | takes every plan as far as it comes |
//! | `explain` | a plan in words |
//! | `judge` | what checks and gates say of a plan, by the rules of the game or by others |
//! | `saved` | what of plans is saved |
//! | `words` | the part of a model's words that a player is shown |
//! | `submit`, `commands` | how plans are asked for and answered |

mod answer;
pub(crate) mod check;
pub(crate) mod checked_step;
pub(crate) mod commands;
pub(crate) mod constraint;
pub(crate) mod custom;
pub(crate) mod decision;
mod driver;
pub(crate) mod event;
pub(crate) mod events;
mod execute;
#[cfg_attr(
    not(any(feature = "cli", feature = "inspector")),
    allow(
        dead_code,
        reason = "the command line and the inspector alone ask for it"
    )
)]
mod explain;
pub(crate) mod hook;
pub(crate) mod identity;
pub(crate) mod judge;
pub(crate) mod order;
pub(crate) mod plan;
#[expect(clippy::module_inception, reason = "all plans of a game")]
pub(crate) mod plans;
pub(crate) mod plugin;
pub(crate) mod profile;
mod prompt;
pub(crate) mod quality;
pub(crate) mod reach;
pub(crate) mod risk;
pub(crate) mod saved;
mod security;
pub(crate) mod settings;
pub(crate) mod step_facts;
pub(crate) mod submit;
pub(crate) mod targets;
pub(crate) mod taxonomy;
mod transition;
pub(crate) mod words;

pub use checked_step::CheckedStep;
pub use commands::{PlanCharacterExt, PlanCommandsExt};
pub(crate) use custom::PlanChecks;
pub use decision::{Decision, Gate, GateResult};
pub(crate) use driver::is_moving;
pub use event::PlanGoal;
#[cfg(any(feature = "cli", feature = "inspector"))]
pub(crate) use explain::explain;
pub use plan::{Plan, PlanId, PlanStatus, PlanStep};
pub use plans::Plans;
pub use plugin::PlansPlugin;
pub use profile::{Answer, Profile};
pub use risk::Risk;
pub use settings::PlanSettings;
pub(crate) use submit::repeat;
pub(crate) use taxonomy::Operation;
pub use taxonomy::Taxonomy;

#[cfg(test)]
mod tests;
