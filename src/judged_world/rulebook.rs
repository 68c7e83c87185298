//! The rulebook: who may do what, when, as data.
//!
//! This file loads and checks a whole book; [`spec`] is what it says of one action.
//! [`condition`](crate::judged_world::rulebook::condition) asks its questions,
//! [`validate`](mod@crate::judged_world::rulebook::validate) finds the check that decides, and
//! [`apply`](mod@crate::judged_world::change::apply) brings about its effects.

pub(crate) mod affordance;
pub(crate) mod condition;
pub(crate) mod may;
pub(crate) mod message;
pub(crate) mod scene;
pub(crate) mod spec;
pub(crate) mod turn;
pub(crate) mod validate;

pub use spec::{
    ActionCondition, ActionEffect, ActionRole, ActionRule, Check, EffectPlace, EffectValue,
    ReasonCode, RuleTime,
};

use self::message::unknown_placeholder;
use crate::base::canonical::{Digest, Hashing, canonical_digest};
use crate::format::error::{AuthoringError, Problem, parse_ron};
use crate::format::inline::unique_map;
use crate::judged_world::action::registry::ActionRegistry;
use crate::text::pattern::check_pattern;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

/// The source of the rulebook that is used where a story brings none.
pub const DEFAULT_RULEBOOK: &str = include_str!("../../assets/rulebooks/default.rulebook.ron");

/// Checks and effects by action.
///
/// It is read from RON; its serialised form is for hashing alone. It does not change after it was loaded: change a copy of it
/// instead.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rulebook {
    /// Its id, as records and `extends` name it.
    pub id: String,
    /// `"default"`: the shipped rulebook judges actions that this one does not contain. Left out: they are denied.
    #[serde(default)]
    pub extends: Option<String>,
    /// What each action needs and does, by the action's name.
    #[serde(default, deserialize_with = "unique_map")]
    pub actions: BTreeMap<String, ActionRule>,
    #[serde(skip)]
    digest: KnownDigest,
}

/// The hash of a rulebook, computed when it is first asked for. A copy computes its own, because it may be changed first.
#[derive(Debug, Default)]
struct KnownDigest(OnceLock<Digest>);

impl Clone for KnownDigest {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl PartialEq for KnownDigest {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Rulebook {
    /// Parses and checks a rulebook, and fills in what it extends.
    ///
    /// # Errors
    /// An [`AuthoringError`] with line and column: of what does not parse, else of the first of [`Rulebook::problems`].
    pub fn parse(
        bytes: &[u8],
        origin: &str,
        registry: &ActionRegistry,
    ) -> Result<Self, AuthoringError> {
        let book: Self = parse_ron(bytes, origin)?;
        match book.problems(registry).first() {
            None => Ok(book.extended()),
            Some(problem) => {
                let source = std::str::from_utf8(bytes).unwrap_or_default();
                Err(problem.located(origin, source))
            }
        }
    }

    /// The rulebook that comes with the crate: `DEFAULT_RULEBOOK`, parsed once.
    #[must_use]
    pub fn shipped() -> &'static Self {
        static SHIPPED: OnceLock<Rulebook> = OnceLock::new();
        SHIPPED.get_or_init(|| {
            let registry = ActionRegistry::default();
            Self::parse(
                DEFAULT_RULEBOOK.as_bytes(),
                "default.rulebook.ron",
                &registry,
            )
            .unwrap_or_else(|_| Self {
                id: SHIPPED_ID.to_owned(),
                extends: None,
                actions: BTreeMap::new(),
                digest: KnownDigest::default(),
            })
        })
    }

    /// With the actions of the book that it extends.
    #[must_use]
    pub fn extended(mut self) -> Self {
        if self.extends.as_deref() == Some(SHIPPED_ID) {
            for (name, rule) in &Self::shipped().actions {
                self.actions
                    .entry(name.clone())
                    .or_insert_with(|| rule.clone());
            }
        }
        self
    }

    /// How an action is judged: by this book, else as the action's type says. `None`: no actor may do it.
    #[must_use]
    pub fn rule<'a>(
        &'a self,
        registry: &'a ActionRegistry,
        action: &str,
    ) -> Option<&'a ActionRule> {
        let own = || registry.shape(action)?.rule.as_ref();
        self.actions.get(action).or_else(own)
    }

    /// The names of the flags that its checks ask for.
    #[must_use]
    pub fn flags(&self) -> BTreeSet<&str> {
        let mut flags = BTreeSet::new();
        let checks = self.actions.values().flat_map(|action| &action.checks);
        checks.for_each(|check| check.when.flags(&mut flags));
        flags
    }

    /// The hash of all it says, whatever its file looks like. Turn records name it.
    #[must_use]
    pub fn digest(&self) -> Digest {
        let KnownDigest(digest) = &self.digest;
        // Nothing in it has no canonical form: its keys are texts and it holds no floats.
        *digest.get_or_init(|| canonical_digest(self, Hashing::Whole).unwrap_or_default())
    }

    /// What is wrong with a book that parsed: repeated check ids, checks that answer `OK` when they fail, unknown
    /// placeholders, functions and bases, words that cannot name or be the kind of anything. Such a book is not loaded.
    #[must_use]
    pub fn problems(&self, registry: &ActionRegistry) -> Vec<Problem> {
        let mut problems = Vec::new();
        if let Some(base) = self.extends.as_ref().filter(|base| *base != SHIPPED_ID) {
            let message = format!(
                "there is no rulebook \"{}\" to extend: \"{SHIPPED_ID}\" is the shipped one",
                base.escape_debug()
            );
            problems.push(Problem::new("/extends", message));
        }
        let mut ids = BTreeSet::new();
        for (action_name, action) in &self.actions {
            for (i, check) in action.checks.iter().enumerate() {
                let place = format!("/actions/{action_name}/checks/{i}");
                if !ids.insert(&check.id) {
                    let message =
                        format!("the check \"{}\" is listed twice", check.id.escape_debug());
                    problems.push(Problem::new(format!("{place}/id"), message));
                }
                if check.otherwise == ReasonCode::Ok {
                    let message = format!(
                        "the check \"{}\" answers OK when it fails: a check that fails always denies the action",
                        check.id.escape_debug()
                    );
                    problems.push(Problem::new(format!("{place}/else"), message));
                }
                if let Some(unknown) = unknown_placeholder(&check.message) {
                    let message = format!("there is no placeholder {{{}}}", unknown.escape_debug());
                    problems.push(Problem::new(format!("{place}/message"), message));
                }
                if let Some(function) = unknown_function(&check.when, registry) {
                    let message =
                        format!("no function \"{}\" is registered", function.escape_debug());
                    problems.push(Problem::new(format!("{place}/when"), message));
                }
            }
            for (i, told) in action.told.iter().enumerate() {
                if let Err(error) = check_pattern(told) {
                    let place = format!("/actions/{action_name}/told/{i}");
                    problems.push(Problem::new(place, error.to_string()));
                }
            }
            for (i, effect) in action.effects.iter().enumerate() {
                if let ActionEffect::Spawn(name, kind, _) = effect
                    && [name, kind].iter().any(|word| !word.is_text())
                {
                    let place = format!("/actions/{action_name}/effects/{i}");
                    problems.push(Problem::new(place, "a name and a kind are texts"));
                }
            }
        }
        problems
    }
}

/// The id of the shipped rulebook.
const SHIPPED_ID: &str = "default";

/// The first function in the condition that the game has not registered.
fn unknown_function<'a>(
    condition: &'a ActionCondition,
    registry: &ActionRegistry,
) -> Option<&'a str> {
    match condition {
        ActionCondition::Custom(name) => registry.function(name).is_none().then_some(name),
        ActionCondition::Not(inner) => unknown_function(inner, registry),
        ActionCondition::All(list) | ActionCondition::Any(list) => list
            .iter()
            .find_map(|inner| unknown_function(inner, registry)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn registry() -> ActionRegistry {
        ActionRegistry::default()
    }

    #[test]
    fn w5_the_shipped_rulebook_parses_and_covers_every_built_in_action() {
        let book = Rulebook::parse(DEFAULT_RULEBOOK.as_bytes(), "default", &registry()).unwrap();
        for action in [
            "move",
            "take",
            "drop",
            "give",
            "open",
            "close",
            "use",
            "speak",
            "introduce",
            "describe",
        ] {
            assert!(book.actions.contains_key(action), "{action}");
        }
    }

    #[test]
    fn w6_words_of_the_action_and_values_are_told_apart() {
        let source = r#"Rulebook(id: "x", actions: {"a": (effects: [
            SetAttribute(Target, "note", Content), SetAttribute(Target, "n", 3), SetAttribute(KeyOf(Target), "b", true),
            Spawn(Name, KindOf, In(Here)), Spawn("a cat", "animal", CarriedBy(Actor)), Place(Target, Offstage)])})"#;
        let book = Rulebook::parse(source.as_bytes(), "x", &registry()).unwrap();
        let effects = &book.actions["a"].effects;
        assert_eq!(
            effects[0],
            ActionEffect::SetAttribute(ActionRole::Target, "note".into(), EffectValue::Content)
        );
        assert_eq!(
            effects[1],
            ActionEffect::SetAttribute(
                ActionRole::Target,
                "n".into(),
                EffectValue::Value(3.into())
            )
        );
    }

    #[test]
    fn w6_a_check_that_answers_ok_is_a_load_error_with_its_place() {
        let source = "Rulebook(id: \"x\", actions: {\n  \"a\": (checks: [\n    (id: \"c\", when: Exists(Target), else: OK)])})";
        let error = Rulebook::parse(source.as_bytes(), "x.ron", &registry()).unwrap_err();
        assert_eq!((error.line, error.column), (3, 43));
        assert!(
            error
                .to_string()
                .starts_with("x.ron:3:43: the check \"c\" answers OK")
        );
    }

    #[test]
    fn x1_an_unknown_field_in_a_check_is_an_error_with_its_place() {
        let source = "Rulebook(id: \"x\", actions: {\n  \"a\": (checks: [(id: \"c\", when: Exists(Target), else: NOT_FOUND, mesage: \"\")])})";
        let error = Rulebook::parse(source.as_bytes(), "x.ron", &registry()).unwrap_err();
        assert_eq!(error.line, 2);
        assert!(error.to_string().contains("mesage"), "{error}");
    }
}
