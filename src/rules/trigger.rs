//! Triggers: rules for interactions of one kind, and when such an interaction begins by itself.

use super::firing::FiringSpec;
use super::spec::{CustomRuleSpec, ExampleSpec, RuleSpec};
use serde::Deserialize;

/// Rules that apply to interactions with one trigger id.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename = "Trigger", deny_unknown_fields)]
pub struct TriggerSpec {
    /// The trigger id that an interaction must have.
    pub id: String,
    /// Its rules, each written in place or the path of a `.rules.ron` file.
    #[serde(default)]
    pub(crate) rules: Vec<crate::format::Inline<RuleSpec>>,
    /// Its rules over the words of a reply.
    #[serde(default)]
    pub custom_rules: Vec<CustomRuleSpec>,
    /// Short exchanges that show the model how a character speaks then; they come before its own.
    #[serde(default)]
    pub examples: Vec<ExampleSpec>,
    /// When it fires by itself, and which characters respond then. Left out, only the game names it in its requests.
    pub fires: Option<FiringSpec>,
}
