//! Rules: which constraints apply to an interaction, and what they watch for.
//!
//! `spec` is how they are written, `compiled` what they become when they are loaded: patterns of one rule
//! set share one automaton. `condition` says when they apply.

pub(crate) mod compiled;
pub(crate) mod condition;
pub(crate) mod firing;
mod rule_index;
pub(crate) mod spec;
pub(crate) mod trigger;

pub use compiled::{Constraint, CustomRule, PatternRef, RuleLevel};
pub(crate) use compiled::{ConstraintList, HiddenTopic, Rule, Topic, is_closed};
pub use condition::Interaction;
pub(crate) use condition::holds;
pub use spec::{
    ConstraintKind, ConstraintSpec, RuleCondition, RuleSeverity, RuleSpec, TriggerReason,
};
pub(crate) use spec::{CustomRuleSpec, ExampleSpec};
pub(crate) use trigger::TriggerSpec;
