//! Rules: which constraints apply to an interaction, and what they watch for (contract rows P2, G3, G5, G8).
//!
//! `spec` is how they are written, `compiled` what they become when they are loaded: patterns of one rule
//! set share one automaton. `condition` says when they apply.

pub(crate) mod compiled;
pub(crate) mod condition;
pub(crate) mod firing;
mod rule_index;
pub(crate) mod spec;
pub(crate) mod trigger;

pub(crate) use compiled::is_closed;
pub use compiled::{
    Constraint, ConstraintList, CustomRule, HiddenTopic, LevelRules, PatternRef, Rule, RuleLevel,
    Topic,
};
pub use condition::Interaction;
pub(crate) use condition::holds;
pub use firing::{Firing, FiringSpec, Occasion};
pub use spec::{
    ConstraintKind, ConstraintSpec, CustomRuleSpec, ExampleSpec, RuleCondition, RuleSeverity,
    RuleSpec, TriggerReason,
};
pub use trigger::TriggerSpec;
