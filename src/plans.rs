//! Plans with risk gates: the part that decides (contract section A).
//!
//! A plan is checked, scored and gated by deterministic code before one step of it happens. Here are the tables by which it is
//! judged and the one pure function that decides. Asking a model for plans, and carrying them out, is being built.
//!
//! | file | what it holds |
//! |---|---|
//! | [`taxonomy`] | what can be planned, and by which tables it is judged |
//! | [`profile`] | how much a player is asked |
//! | [`mod@order`] | the order of the steps |
//! | [`step_facts`] | what is known of a step |
//! | [`risk`] | 0 to 100 points |
//! | [`quality`] | 0 to 1000 thousandths |
//! | [`decision`] | what is decided, and why |

pub mod decision;
pub mod order;
pub mod profile;
pub mod quality;
pub mod risk;
pub mod step_facts;
pub mod taxonomy;

pub use decision::{Approval, Decision, DecisionInput, Gate, GateResult, decide};
pub use order::{PlanProblem, order};
pub use profile::{Answer, Profile};
pub use quality::{Measures, Quality};
pub use risk::Risk;
pub use step_facts::{StepFacts, TargetFacts};
pub use taxonomy::{Operation, Taxonomy};
