//! Plans with risk gates (contract section A).
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
//! | [`taxonomy`] | what can be planned, and by which tables it is judged |
//! | [`profile`] | how much a player is asked |
//! | [`settings`] | how a game wants plans to be judged |
//! | [`constraint`] | what is demanded, forbidden and preferred |
//! | [`mod@order`] | the order of the steps |
//! | [`mod@check`] | the checks of a plan, and its dry run |
//! | [`checked_step`] | a step that was normalised and tried |
//! | [`reach`] | what a plan may touch |
//! | [`targets`] | what is known of the targets |
//! | [`step_facts`] | what is known of a step |
//! | [`risk`] | 0 to 100 points |
//! | [`quality`] | 0 to 1000 thousandths |
//! | [`decision`] | what is decided, and why |
//! | [`custom`] | gates and causes of risk of a game |
//! | [`identity`] | whether the model is the one that made the plan |
//! | [`plan`], [`mod@plans`] | a plan; all of them |
//! | `answer` | what a model has answered, approved and spent |
//! | `event`, `transition` | what can happen to a plan, and what becomes of it |
//! | `prompt` | what a model is asked |
//! | `execute` | carrying out, and taking back |
//! | `driver` | takes every plan as far as it comes |
//! | `explain` | a plan in words |
//! | `second_opinion` | what other rules would say of a plan |
//! | [`saved`] | what of plans is saved |
//! | [`words`] | the part of a model's words that a player is shown |
//! | [`submit`], [`commands`] | how plans are asked for and answered |

mod answer;
pub mod check;
pub mod checked_step;
pub mod commands;
pub mod constraint;
pub mod custom;
pub mod decision;
mod driver;
pub(crate) mod event;
pub(crate) mod events;
mod execute;
mod explain;
pub(crate) mod hook;
pub mod identity;
pub mod order;
pub mod plan;
#[expect(clippy::module_inception, reason = "all plans of a game")]
pub mod plans;
pub(crate) mod plugin;
pub mod profile;
mod prompt;
pub mod quality;
pub mod reach;
pub mod risk;
pub mod saved;
pub(crate) mod second_opinion;
mod security;
pub mod settings;
pub mod step_facts;
pub mod submit;
pub mod targets;
pub mod taxonomy;
mod transition;
pub mod words;

pub use checked_step::CheckedStep;
pub use commands::{PlanCharacterExt, PlanCommandsExt};
pub use custom::PlanChecks;
pub use decision::{Approval, Decision, DecisionInput, Gate, GateResult, decide};
pub(crate) use driver::is_moving;
pub use driver::{MAX_AGE, SILENCE};
pub use event::PlanGoal;
pub use explain::explain;
pub use order::{PlanProblem, order};
pub use plan::{Plan, PlanAsked, PlanId, PlanStatus, PlanStep};
pub use plans::Plans;
pub use profile::{Answer, Profile};
pub use quality::{Measures, Quality};
pub use risk::{MAX_RISK, Risk};
pub use settings::PlanSettings;
pub use step_facts::{StepFacts, TargetFacts};
pub(crate) use submit::repeat;
pub use submit::{
    PlanError, approve_plan, ask_goal, ask_plan, deny_plan, hold_plan, regenerate_plan, set_profile,
};
pub use taxonomy::{Operation, Taxonomy};
pub use transition::{SURE, UNSURE};
