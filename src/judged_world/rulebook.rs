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

pub use spec::ReasonCode;
pub(crate) use spec::{
    ActionCondition, ActionEffect, ActionRole, ActionRule, Check, EffectPlace, EffectValue,
};

use self::message::unknown_placeholder;
use crate::base::canonical::{Digest, Hashing, canonical_digest};
use crate::format::error::{AuthoringError, Problem, parse_ron};
use crate::format::inline::unique_map;
use crate::judged_world::action::registry::ActionRegistry;
use crate::text::pattern;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

/// The source of the rulebook that is used where a story brings none.
pub const DEFAULT_RULEBOOK: &str = include_str!("../../assets/rulebooks/default.rulebook.ron");

/// Checks and effects by action.
///
/// It is read from RON; its serialised form is only for hashing. It does not change after it was loaded: change a copy of it
/// instead.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rulebook {
    /// Its id, as records and `extends` name it.
    pub id: String,
    /// The rulebook that judges actions that this one does not contain: `"default"`, the shipped one, or the path of another
    /// `.rulebook.ron` file. Left out: such actions are denied.
    pub extends: Option<String>,
    /// What each action needs and does, by the action's name.
    #[serde(default, deserialize_with = "unique_map")]
    pub(crate) actions: BTreeMap<String, ActionRule>,
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
    /// An [`AuthoringError`] with line and column: of what does not parse, else of the first thing that is wrong. A rulebook that
    /// extends another than the shipped one is an error here: its story, or the asset server, reads the other file.
    pub fn parse(
        bytes: &[u8],
        origin: &str,
        registry: &ActionRegistry,
    ) -> Result<Self, AuthoringError> {
        let book: Self = parse_ron(bytes, origin)?;
        let base = book.shipped_base();
        match book.problems_over(base, registry).first() {
            None => Ok(book.over(base)),
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

    /// The shipped rulebook, where this one extends it.
    pub(crate) fn shipped_base(&self) -> Option<&'static Self> {
        (self.extends.as_deref() == Some(SHIPPED_ID)).then(Self::shipped)
    }

    /// The path of the rulebook that it extends, where that is not the shipped one.
    pub(crate) fn base_file(&self) -> Option<&str> {
        let path = self.extends.as_deref();
        path.filter(|path| path.ends_with(".rulebook.ron") || path.ends_with(".rulebook.json"))
    }

    /// This rulebook, with the actions of the book that it extends.
    pub(crate) fn over(mut self, base: Option<&Self>) -> Self {
        for (name, base) in base.into_iter().flat_map(|base| &base.actions) {
            let rule = match self.actions.remove(name) {
                Some(own) if own.extends => own.extending(base),
                Some(own) => own,
                None => base.clone(),
            };
            self.actions.insert(name.clone(), rule);
        }
        self
    }

    /// How an action is judged: by this book, else as the action's type says. `None`: no actor may do it.
    #[must_use]
    pub(crate) fn rule<'a>(
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

    /// The hash of its content, which does not depend on the layout of its file. Turn records name it.
    #[must_use]
    pub fn digest(&self) -> Digest {
        let KnownDigest(digest) = &self.digest;
        // Nothing in it has no canonical form: its keys are texts and it holds no floats.
        *digest.get_or_init(|| canonical_digest(self, Hashing::Whole).unwrap_or_default())
    }

    /// What is wrong with a book that parsed and extends `base`: repeated check ids, checks that answer `OK` when they fail,
    /// unknown placeholders, functions and bases, words that cannot name or be the kind of anything. Such a book is not loaded.
    pub(crate) fn problems_over(
        &self,
        base: Option<&Self>,
        registry: &ActionRegistry,
    ) -> Vec<Problem> {
        let mut problems = Vec::new();
        if let (Some(name), None) = (&self.extends, base) {
            let name = name.escape_debug();
            let message = match self.base_file() {
                Some(_) => {
                    format!("the file \"{name}\" that this rulebook extends is not read here")
                }
                None => format!(
                    "there is no rulebook \"{name}\" to extend: write \"{SHIPPED_ID}\", which is the shipped one, or the path \
                     of a .rulebook.ron file"
                ),
            };
            problems.push(Problem::new("/extends", message));
        }
        let mut ids = BTreeSet::new();
        for (action_name, action) in &self.actions {
            if action.extends && !base.is_some_and(|base| base.actions.contains_key(action_name)) {
                let message = match base {
                    Some(base) => format!(
                        "the rulebook \"{}\" has no action \"{}\" to extend",
                        base.id.escape_debug(),
                        action_name.escape_debug()
                    ),
                    None => format!(
                        "this action extends a rule, so its book needs `extends: \"{SHIPPED_ID}\"`"
                    ),
                };
                problems.push(Problem::new(
                    format!("/actions/{action_name}/extends"),
                    message,
                ));
            }
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
                if let Err(error) = pattern::parse(told) {
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
    fn w6_an_action_adds_to_the_shipped_rule() {
        let source = r#"Rulebook(id: "x", extends: "default", actions: {"take": (extends: true,
            checks: [(id: "take_day", when: Not(Flag("night")), else: LOCKED), (id: "take_here", when: Exists(Target), else: NOT_FOUND)],
            effects: [SetFlag("taken", true)], told: ["takes"])})"#;
        let book = Rulebook::parse(source.as_bytes(), "x", &registry()).unwrap();
        let (own, shipped) = (&book.actions["take"], &Rulebook::shipped().actions["take"]);
        assert_eq!(own.checks.len(), shipped.checks.len() + 1);
        let at = |id: &str| own.checks.iter().position(|check| check.id == id);
        let there = shipped
            .checks
            .iter()
            .position(|check| check.id == "take_here");
        assert_eq!(at("take_here"), there);
        assert_eq!(own.checks[there.unwrap()].otherwise, ReasonCode::NotFound);
        assert_eq!(at("take_day"), Some(shipped.checks.len()));
        assert_eq!(own.effects[..shipped.effects.len()], shipped.effects);
        assert_eq!(own.effects.len(), shipped.effects.len() + 1);
        for (wrong, expected) in [
            (
                source.replace("\"take\": (", "\"grab\": ("),
                "the rulebook \"default\" has no action \"grab\" to extend",
            ),
            (
                source.replace("extends: \"default\", ", ""),
                "needs `extends: \"default\"`",
            ),
        ] {
            let error = Rulebook::parse(wrong.as_bytes(), "x", &registry()).unwrap_err();
            assert!(error.message.contains(expected), "{error}");
        }
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
