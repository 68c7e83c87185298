//! The taxonomy: what can be planned, how dangerous it is, and who has to be asked, as data.

use super::profile::{Answer, Profile};
use crate::authoring::files::WithSource;
use crate::base::ids::Id;
use crate::format::AuthoringError;
use crate::format::Problem;
use crate::format::error::listed_twice;
use crate::format::inline::unique_map;
use crate::text::fold::fold;
use crate::world::{ActionRegistry, WorldValue};
use serde::de::{Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde::ser::{SerializeMap, Serializer};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::{Arc, OnceLock};

/// What an action does, as risk and policy see it.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
pub(crate) enum Operation {
    /// It makes something new.
    Create,
    /// It changes something.
    Change,
    /// It removes something.
    Remove,
    /// An actor goes somewhere.
    Move,
    /// An actor says something. Every action that the taxonomy does not name counts as this.
    #[default]
    Tell,
    /// It builds something.
    Build,
}

/// A closed list of what can be planned, with the tables by which plans are judged. See
/// [`npc`](Taxonomy::npc) for the one that the crate ships.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Taxonomy {
    /// Its id.
    pub id: Id,
    /// What can be planned, by name.
    #[serde(default, deserialize_with = "unique_map")]
    pub(crate) intents: BTreeMap<String, PlanIntentSpec>,
    /// What each action does; one that is not named is `Operation::Tell`.
    #[serde(default, deserialize_with = "unique_map")]
    pub(crate) operations: BTreeMap<String, Operation>,
    /// What makes a plan risky, in order.
    #[serde(default)]
    pub(crate) risk: Vec<RiskFactor>,
    /// Steps that touch the system itself: a plan with such a step has a risk of at least 66, and a player is always asked.
    #[serde(default)]
    pub(crate) boundary: Vec<StepMatch>,
    /// The rules of each profile, in order: the first one that fits decides.
    #[serde(default)]
    pub(crate) policy: BTreeMap<Profile, Vec<PolicyRule>>,
    /// The names of attributes whose changes do not expire an approval.
    #[serde(default)]
    pub volatile: BTreeSet<String>,
}

/// Something that can be planned.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename = "PlanIntent", deny_unknown_fields, default)]
pub struct PlanIntentSpec {
    /// What it is, in a sentence for the prompt.
    pub description: String,
    /// The keys that a wish must give.
    pub context: Vec<String>,
    /// Closed lists, by key: what a wish gives must be one of the values, in any case. A key without a list takes any words.
    #[serde(
        deserialize_with = "unique_map",
        skip_serializing_if = "BTreeMap::is_empty"
    )]
    pub values: BTreeMap<String, Vec<String>>,
    /// The names of the actions that a plan may use; empty: all.
    pub actions: Vec<String>,
    /// What a plan should do.
    pub checklist: Vec<ChecklistEntry>,
}

/// One thing that a plan should do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChecklistEntry {
    /// Its id, unique in its checklist.
    pub id: Id,
    /// When it is met.
    pub when: ChecklistCondition,
    /// Whether a plan that does not meet it is refused. Otherwise it only lowers quality.
    #[serde(default = "yes")]
    pub required: bool,
}

fn yes() -> bool {
    true
}

/// When an entry of a checklist is met.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum ChecklistCondition {
    /// A step has this action and, where one is named, this target.
    AnyStep(String, #[serde(default)] Option<WantedTarget>),
}

/// A target that a checklist asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WantedTarget {
    /// What the wish gives under this key: `Context("thing")`.
    Context(String),
    /// The thing with this id.
    Id(String),
}

impl Serialize for WantedTarget {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Id(id) => serializer.serialize_str(id),
            Self::Context(key) => {
                let mut map = serializer.serialize_map(Some(1))?;
                map.serialize_entry("Context", key)?;
                map.end()
            }
        }
    }
}

impl<'de> Deserialize<'de> for WantedTarget {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct TargetVisitor;

        impl<'de> Visitor<'de> for TargetVisitor {
            type Value = WantedTarget;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an id, or Context(\"key\")")
            }

            fn visit_str<E: Error>(self, id: &str) -> Result<WantedTarget, E> {
                Ok(WantedTarget::Id(id.to_owned()))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<WantedTarget, A::Error> {
                match map.next_entry::<String, String>()? {
                    Some((name, key)) if name == "Context" => Ok(WantedTarget::Context(key)),
                    _ => Err(A::Error::custom("a target is an id, or Context with a key")),
                }
            }

            fn visit_newtype_struct<D: Deserializer<'de>>(
                self,
                deserializer: D,
            ) -> Result<WantedTarget, D::Error> {
                String::deserialize(deserializer).map(WantedTarget::Context)
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<WantedTarget, A::Error> {
                let key = list.next_element()?;
                key.map(WantedTarget::Context)
                    .ok_or_else(|| A::Error::custom("Context needs a key"))
            }
        }

        deserializer.deserialize_any(TargetVisitor)
    }
}

/// What a step may be, for risk, boundary and policy.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum StepMatch {
    /// Its action does this.
    Operation(Operation),
    /// Another actor than the planning character carries its target, or the target's attribute `owner` names another one.
    OfAnother,
    /// Its target has this attribute with this value.
    TargetAttribute(String, WorldValue),
    /// Its target is of this kind.
    TargetKind(String),
}

/// One cause of risk.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RiskFactor {
    /// Its name, unique in the taxonomy.
    pub factor: String,
    /// The most points that it gives; 100 where left out.
    #[serde(default = "hundred")]
    pub cap: u32,
    /// What gives points. They are added up.
    pub points: Vec<RiskPoints>,
}

fn hundred() -> u32 {
    100
}

/// What gives points of risk.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum RiskPoints {
    /// Adds this number of points for each step that matches.
    Each(StepMatch, u32),
    /// Adds this number of points once, if at least one step matches.
    Any(StepMatch, u32),
    /// Adds this number of points once, if more steps match than the first number.
    MoreThan(u32, StepMatch, u32),
    /// Adds this number of points for each location of targets beyond the first number.
    EachLocationBeyond(u32, u32),
    /// Adds this number of points for each step beyond the first number.
    EachStepBeyond(u32, u32),
}

/// A rule of a policy.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PolicyRule {
    /// Its id, unique in its profile.
    pub id: Id,
    /// When it fits.
    pub when: PolicyCondition,
    /// What it answers.
    pub then: Answer,
}

/// When a rule of a policy fits.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum PolicyCondition {
    /// Always.
    Always,
    /// At least one step matches.
    AnyStepIs(StepMatch),
    /// The risk is at most this number of points.
    RiskAtMost(u32),
}

impl PlanIntentSpec {
    /// The value of the closed list that these words mean. The words themselves for a key without a list; `None` when the
    /// list does not have them.
    #[must_use]
    pub fn value<'a>(&'a self, key: &str, words: &'a str) -> Option<&'a str> {
        let Some(list) = self.values.get(key) else {
            return Some(words);
        };
        let meant = fold(words.trim());
        let found = list.iter().find(|value| fold(value) == meant);
        found.map(String::as_str)
    }
}

impl Default for Taxonomy {
    /// A taxonomy in which nothing can be planned.
    fn default() -> Self {
        Self {
            id: crate::id!("empty"),
            intents: BTreeMap::new(),
            operations: BTreeMap::new(),
            risk: Vec::new(),
            boundary: Vec::new(),
            policy: BTreeMap::new(),
            volatile: BTreeSet::new(),
        }
    }
}

impl Taxonomy {
    /// The taxonomy for characters that the crate ships, `assets/taxonomies/npc.taxonomy.ron`.
    #[must_use]
    pub fn npc() -> &'static Self {
        Self::npc_arc()
    }

    /// The same, to be shared.
    #[must_use]
    pub fn npc_shared() -> Arc<Self> {
        Self::npc_arc().clone()
    }

    fn npc_arc() -> &'static Arc<Self> {
        static NPC: OnceLock<Arc<Taxonomy>> = OnceLock::new();
        NPC.get_or_init(|| {
            let source = include_bytes!("../../assets/taxonomies/npc.taxonomy.ron");
            Arc::new(Self::parse(source, "npc.taxonomy.ron").unwrap_or_default())
        })
    }

    /// The taxonomy for a studio's assistant that the crate ships, `assets/taxonomies/studio.taxonomy.ron`: what can be done
    /// with a project of files. Its actions are not built in: a game adds them.
    #[must_use]
    pub fn studio_shared() -> Arc<Self> {
        static STUDIO: OnceLock<Arc<Taxonomy>> = OnceLock::new();
        let read = || {
            let source = include_bytes!("../../assets/taxonomies/studio.taxonomy.ron");
            Arc::new(Self::parse(source, "studio.taxonomy.ron").unwrap_or_default())
        };
        STUDIO.get_or_init(read).clone()
    }

    /// The names of the actions that it knows, those that are registered among them where an intent may use all.
    #[must_use]
    pub fn known_actions(&self, registered: &ActionRegistry) -> BTreeSet<String> {
        let mut known: BTreeSet<String> = self.operations.keys().cloned().collect();
        for intent in self.intents.values() {
            known.extend(intent.actions.iter().cloned());
            if intent.actions.is_empty() {
                known.extend(registered.shapes().map(|shape| shape.name.to_owned()));
            }
        }
        known
    }

    /// Reads a taxonomy from RON. `file` names it in errors.
    ///
    /// # Errors
    /// Everything that is wrong with it, each with its place.
    pub fn parse(bytes: &[u8], file: &str) -> Result<Self, Vec<AuthoringError>> {
        let taxonomy = WithSource::<Self>::parse(bytes, file)?;
        let problems = taxonomy.value.problems();
        match problems.is_empty() {
            true => Ok(taxonomy.value),
            false => Err(taxonomy.locate_all(&problems)),
        }
    }

    /// The problems of its content, in a file whose form is right.
    #[must_use]
    pub fn problems(&self) -> Vec<Problem> {
        let mut problems = Vec::new();
        for (name, intent) in &self.intents {
            for (key, values) in &intent.values {
                let place = format!("/intents/{name}/values/{key}");
                let mut seen = BTreeSet::new();
                let shown = key.escape_debug();
                if values.is_empty() {
                    let message = format!(
                        "the list of values for \"{shown}\" is empty, so no wish can give one"
                    );
                    problems.push(Problem::new(place.clone(), message));
                }
                if let Some(twice) = values.iter().find(|value| !seen.insert(fold(value))) {
                    let twice = twice.escape_debug();
                    let message = format!("the value \"{twice}\" is listed twice");
                    problems.push(Problem::new(place, message));
                }
            }
            let entries = intent.checklist.iter().map(|entry| entry.id.as_str());
            let list = format!("/intents/{name}/checklist");
            problems.extend(listed_twice("entry", &list, "id", entries));
        }
        let factors = self.risk.iter().map(|factor| &*factor.factor);
        problems.extend(listed_twice("factor", "/risk", "factor", factors));
        for (profile, rules) in &self.policy {
            let rules = rules.iter().map(|rule| rule.id.as_str());
            let list = format!("/policy/{}", profile.name());
            problems.extend(listed_twice("rule", &list, "id", rules));
        }
        problems
    }

    /// What an action does.
    #[must_use]
    pub(crate) fn operation(&self, action: &str) -> Operation {
        self.operations.get(action).copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a1_the_shipped_taxonomy_is_read() {
        let npc = Taxonomy::npc();
        assert_eq!(npc.id, "npc");
        let intents: Vec<&str> = npc.intents.keys().map(String::as_str).collect();
        assert_eq!(intents, ["escort", "fetch", "guard", "prepare", "trade"]);
        let when = &npc.intents["fetch"].checklist[0].when;
        let thing = Some(WantedTarget::Context("thing".to_owned()));
        assert_eq!(*when, ChecklistCondition::AnyStep("give".to_owned(), thing));
        let when = &npc.intents["prepare"].checklist[0].when;
        assert_eq!(*when, ChecklistCondition::AnyStep("use".to_owned(), None));
        assert!(npc.intents["trade"].checklist[0].required);
        assert!(!npc.intents["guard"].checklist[0].required);
        assert_eq!(npc.operation("take"), Operation::Change);
        assert_eq!(npc.operation("dance"), Operation::Tell);
        let caps: Vec<u32> = npc.risk.iter().map(|factor| factor.cap).collect();
        assert_eq!(caps, [35, 25, 20, 15, 15, 10]);
    }

    #[test]
    fn a1_a_taxonomy_is_written_down_and_read_again() {
        let written = serde_json::to_string(Taxonomy::npc()).unwrap();
        let read: Taxonomy = serde_json::from_str(&written).unwrap();
        assert_eq!(read, *Taxonomy::npc());
    }

    #[test]
    fn a1_a_value_of_a_closed_list_is_found_in_any_case() {
        let studio = Taxonomy::studio_shared();
        let build = &studio.intents["BuildPackage"];
        assert_eq!(build.value("configuration", " release "), Some("Release"));
        assert_eq!(build.value("configuration", "Banana"), None);
        assert_eq!(build.value("configuration", ""), None);
        assert_eq!(build.value("anything", "Banana"), Some("Banana"));
        let wrong = |values: &str| {
            let source = format!("(id: \"a\", intents: {{\"x\": (values: {{{values}}})}})");
            Taxonomy::parse(source.as_bytes(), "a.taxonomy.ron").is_err()
        };
        assert!(!wrong(r#""k": ["A", "B"]"#));
        assert!(
            wrong(r#""k": []"#)
                && wrong(r#""k": ["A", "a"]"#)
                && wrong(r#""k": ["A"], "k": ["B"]"#)
        );
    }

    #[test]
    fn a1_what_is_wrong_with_a_taxonomy_is_named_with_its_place() {
        let wrong = |source: &str| {
            let errors = Taxonomy::parse(source.as_bytes(), "a.taxonomy.ron").unwrap_err();
            errors[0].to_string()
        };
        let error = wrong(
            "(id: \"a\",\nintents: {\"x\": (checklist: [(id: \"c\", when: AnyStep(\"give\")), (id: \"c\", when: AnyStep(\"take\"))])})",
        );
        assert!(error.starts_with("a.taxonomy.ron:2:"), "{error}");
        assert!(wrong("(id: \"a\", risks: [])").contains("risks"));
        let twice = "(id: \"a\", policy: {DEV: [(id: \"r\", when: Always, then: ALLOW), (id: \"r\", when: Always, then: DENY)]})";
        assert!(wrong(twice).contains("listed twice"), "{}", wrong(twice));
    }
}
