//! Rules: which constraints apply to an interaction, and what they watch for (contract rows P2, G3, G5, G8).
//!
//! [`spec`] is how they are written, [`compiled`] what they become when they are loaded: patterns of one rule
//! set share one automaton. [`condition`] says when they apply.

pub mod compiled;
pub mod condition;
pub mod firing;
mod rule_index;
pub mod spec;
pub mod trigger;

pub use compiled::{
    CompileRules, Constraint, ConstraintList, CustomRule, HiddenTopic, PatternRef, Rule, RuleLevel,
    Topic, is_closed,
};
pub use condition::{Interaction, holds};
pub use spec::{
    ConstraintKind, ConstraintSpec, CustomRuleSpec, ExampleSpec, RuleCondition, RuleSeverity,
    RuleSpec, TriggerReason,
};
pub use trigger::TriggerSpec;
