//! Rules: which constraints apply to an interaction, and what they watch for.
//!
//! A rule is written in a file, and compiled when it is loaded: patterns of one rule set share one automaton.

pub(crate) mod compiled;
pub(crate) mod condition;
pub(crate) mod firing;
mod rule_index;
pub(crate) mod spec;
pub(crate) mod trigger;

pub(crate) use compiled::{
    Constraint, ConstraintList, CustomRule, HiddenTopic, PatternRef, Rule, RuleLevel, Topic,
    is_closed,
};
pub use condition::Interaction;
pub(crate) use condition::holds;
pub(crate) use spec::{
    ConstraintKind, ConstraintSpec, CustomRuleSpec, ExampleSpec, RuleCondition, RuleSpec,
};
pub use spec::{RuleSeverity, TriggerReason};
pub(crate) use trigger::TriggerSpec;
