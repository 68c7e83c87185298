//! The scenario file as it is written. Every key of SCENARIO.md section 1 has its field here.

use super::expect::Expectation;
use crate::authoring::npc_spec::{NpcSpec, StateSpec};
use crate::authoring::story_spec::LoreSpec;
use crate::engine::ReplySpec;
use crate::format::Inline;
use crate::format::inline::unique_map;
use crate::gate::CanonFact;
use crate::npc::{OnNewRequest, WhenFull};
use crate::pipeline::Escalation;
use crate::pipeline::prompt::BudgetPreset;
use crate::rules::{CustomRuleSpec, RuleSpec, TriggerReason, TriggerSpec};
use crate::world::rulebook::Rulebook;
use crate::world::{PlacementSpec, ProposedAction, WorldSpec, WorldValue};
use serde::Deserialize;
use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error as _, MapAccess, VariantAccess, Visitor,
};
use std::collections::BTreeMap;
use std::fmt;

/// A scenario. Only `name` is required.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename = "Scenario")]
pub struct ScenarioSpec {
    /// What it shows, in words.
    pub name: String,
    /// The world seed.
    #[serde(default)]
    pub seed: u64,
    /// Game time at first, in seconds.
    #[serde(default)]
    pub game_time: f64,
    /// How dialogue runs go about it.
    #[serde(default)]
    pub policy: PolicySpec,
    /// How much room prompts have.
    #[serde(default)]
    pub budget: BudgetPreset,
    /// The player's actor id.
    #[serde(default = "default_player")]
    pub player: String,
    /// The world at first.
    #[serde(default)]
    pub world: Option<Inline<WorldSpec>>,
    /// Who may do what; the shipped rulebook where left out.
    #[serde(default)]
    pub rulebook: Option<Inline<Rulebook>>,
    /// Facts that nobody may change.
    #[serde(default)]
    pub canon: Vec<CanonFact>,
    /// Facts that the game may change.
    #[serde(default, deserialize_with = "unique_map")]
    pub world_facts: BTreeMap<String, WorldValue>,
    /// The characters.
    #[serde(default)]
    pub npcs: Vec<Inline<NpcSpec>>,
    /// Rules for everybody.
    #[serde(default)]
    pub rules: Vec<Inline<RuleSpec>>,
    /// Rules over the words of every reply.
    #[serde(default)]
    pub custom_rules: Vec<CustomRuleSpec>,
    /// Rules by trigger id.
    #[serde(default)]
    pub triggers: Vec<TriggerSpec>,
    /// The engine.
    #[serde(default)]
    pub engine: EngineSpec,
    /// What happens with requests while a run is in flight.
    #[serde(default)]
    pub queue: QueueSpec,
    /// How adventure turns go.
    #[serde(default)]
    pub adventure: AdventureSpec,
    /// Played characters.
    #[serde(default)]
    pub personas: Vec<PersonaSpec>,
    /// Lore.
    #[serde(default)]
    pub lore: Vec<LoreSpec>,
    /// How plans go.
    #[serde(default)]
    pub plans: Option<PlansSpec>,
    /// What the engine answers.
    #[serde(default)]
    pub replies: Vec<ReplySpec>,
    /// What happens.
    #[serde(default)]
    pub steps: Vec<StepSpec>,
    /// What must come of it.
    #[serde(default)]
    pub expect: Vec<Expectation>,
}

fn default_player() -> String {
    "player".to_owned()
}

/// How dialogue runs go about it.
#[derive(Debug, Clone, Copy, PartialEq, Default, Deserialize)]
pub enum PolicySpec {
    /// Three attempts, escalate, then an authored fallback.
    #[default]
    Dialogue,
    /// One call, no retry, no fallback.
    Sealed,
    /// As written.
    Custom(CustomPolicySpec),
}

/// A policy of its own; each part has the default of contract row P10.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct CustomPolicySpec {
    /// The most attempts, at least 1.
    pub max_attempts: u32,
    /// What a retry adds.
    pub escalation: Escalation,
    /// Call time for the whole run, in seconds.
    pub deadline_seconds: f64,
    /// Whether an authored line is spoken when no attempt passed.
    pub fallback: bool,
}

impl Default for CustomPolicySpec {
    fn default() -> Self {
        Self {
            max_attempts: 3,
            escalation: Escalation::default(),
            deadline_seconds: 30.0,
            fallback: true,
        }
    }
}

/// The engine that a scenario pretends to have.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct EngineSpec {
    /// The longest prompt, in characters.
    pub context_chars: usize,
    /// Whether it obeys a JSON schema.
    pub json: bool,
    /// Whether it delivers in chunks.
    pub streaming: bool,
    /// Who serves it.
    pub provider: String,
    /// The model's name.
    pub model: String,
    /// Its version.
    pub version: Option<String>,
}

impl Default for EngineSpec {
    fn default() -> Self {
        Self {
            context_chars: 32_000,
            json: true,
            streaming: true,
            provider: "scripted".to_owned(),
            model: "scripted".to_owned(),
            version: Some("1".to_owned()),
        }
    }
}

/// What happens with requests while a run is in flight.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct QueueSpec {
    /// How many may wait.
    pub limit: usize,
    /// What happens to one more.
    pub when_full: WhenFull,
    /// What a new one does to the run in flight.
    pub on_new: OnNewRequest,
}

impl Default for QueueSpec {
    fn default() -> Self {
        Self {
            limit: 4,
            when_full: WhenFull::default(),
            on_new: OnNewRequest::default(),
        }
    }
}

/// How adventure turns go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct AdventureSpec {
    /// The most NPCs that act in a turn.
    pub max_active: usize,
    /// Whether a named NPC always acts.
    pub activate_when_named: bool,
    /// Whether a turn without any NPC leaves a marker.
    pub quiet_marker: bool,
    /// Whether the narrator, not the rulebook, says what happened.
    pub narrator_decides: bool,
}

impl Default for AdventureSpec {
    fn default() -> Self {
        Self {
            max_active: 4,
            activate_when_named: true,
            quiet_marker: false,
            narrator_decides: false,
        }
    }
}

/// A played character.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PersonaSpec {
    /// Its id.
    pub id: String,
    /// Who it is.
    #[serde(default)]
    pub description: String,
    /// Its states at first.
    #[serde(default)]
    pub states: Vec<StateSpec>,
}

/// How plans go.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PlansSpec {
    /// The name or path of the taxonomy.
    pub taxonomy: Option<String>,
    /// The profile.
    pub profile: ProfileSpec,
    /// Whether somebody approves.
    pub approver: bool,
    /// The locations that plans may reach.
    pub scope: Vec<String>,
    /// Kinds that no step may touch.
    pub protected_kinds: Vec<String>,
}

/// How careful plans are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[allow(
    non_camel_case_types,
    clippy::upper_case_acronyms,
    reason = "as authors write them"
)]
pub enum ProfileSpec {
    /// Careful.
    #[default]
    SAFE,
    /// In between.
    DEV,
    /// Bold.
    FULL_AUTO,
}

/// One thing that happens.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(
    missing_docs,
    reason = "each is one entry of the list in SCENARIO.md section 1, \"Steps\""
)]
pub enum StepSpec {
    Say {
        to: String,
        text: String,
        #[serde(default)]
        from: Option<String>,
        #[serde(default)]
        tags: Vec<String>,
        #[serde(default)]
        scene: Option<String>,
        #[serde(default)]
        while_waiting: Vec<StepSpec>,
    },
    Trigger {
        npc: String,
        reason: TriggerReason,
        #[serde(default)]
        trigger_id: Option<String>,
        #[serde(default)]
        prompt: Option<String>,
        #[serde(default)]
        tags: Vec<String>,
        #[serde(default)]
        scene: Option<String>,
        #[serde(default)]
        while_waiting: Vec<StepSpec>,
    },
    Act {
        actor: String,
        text: String,
    },
    Do {
        actor: String,
        actions: Vec<ActionSpec>,
    },
    Turn {
        persona: String,
        #[serde(default)]
        intention: Option<String>,
        #[serde(default)]
        thought: Option<String>,
        #[serde(default)]
        while_waiting: Vec<StepSpec>,
    },
    Advance {
        seconds: f64,
    },
    SetWorldFact {
        key: String,
        value: WorldValue,
    },
    SetFlag {
        name: String,
        value: bool,
    },
    Place {
        entity: String,
        at: PlacementSpec,
    },
    SetAttribute {
        entity: String,
        name: String,
        value: WorldValue,
    },
    Marker(MarkerSpec),
    Ask {
        npc: String,
        text: String,
    },
    Approve {
        plan: String,
    },
    Deny {
        plan: String,
    },
    SwapModel {
        #[serde(default)]
        version: Option<String>,
        #[serde(default)]
        model: Option<String>,
        #[serde(default)]
        provider: Option<String>,
    },
    Cancel {
        npc: String,
    },
    Despawn {
        npc: String,
    },
}

impl StepSpec {
    /// The name, when this kind of step is not built yet.
    #[must_use]
    pub fn not_built(&self) -> Option<&'static str> {
        match self {
            Self::Turn { .. } => Some("Turn"),
            Self::Marker(_) => Some("Marker"),
            Self::Ask { .. } => Some("Ask"),
            Self::Approve { .. } => Some("Approve"),
            Self::Deny { .. } => Some("Deny"),
            Self::SwapModel { .. } => Some("SwapModel"),
            _ => None,
        }
    }

    /// What happens while its first call is in flight.
    #[must_use]
    pub fn while_waiting(&self) -> &[StepSpec] {
        match self {
            Self::Say { while_waiting, .. }
            | Self::Trigger { while_waiting, .. }
            | Self::Turn { while_waiting, .. } => while_waiting,
            _ => &[],
        }
    }

    /// Whether it may stand in `while_waiting`.
    #[must_use]
    pub fn fits_while_waiting(&self) -> bool {
        match self {
            Self::Say { while_waiting, .. } => while_waiting.is_empty(),
            Self::SetWorldFact { .. }
            | Self::SetFlag { .. }
            | Self::SetAttribute { .. }
            | Self::Place { .. }
            | Self::Advance { .. }
            | Self::Cancel { .. }
            | Self::Despawn { .. } => true,
            _ => false,
        }
    }
}

/// A marker in an adventure.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "see SCENARIO.md section 1, \"Steps\"")]
pub enum MarkerSpec {
    LocationChange { from: String, to: String },
    TimeSkip { seconds: f64 },
    SceneOpen,
    SceneClose,
}

/// A typed action: `Take(target: "key_1")`. The loader checks it against the actions that exist.
#[derive(Debug, Clone, PartialEq)]
pub struct ActionSpec {
    /// Its name, as written: `CamelCase`.
    pub written: String,
    /// Its fields.
    pub fields: BTreeMap<String, WorldValue>,
}

impl ActionSpec {
    /// The action's name as rulebooks and replies spell it: `PickLock` is `pick_lock`.
    #[must_use]
    pub fn name(&self) -> String {
        let mut name = String::new();
        for c in self.written.chars() {
            if c.is_uppercase() {
                if !name.is_empty() {
                    name.push('_');
                }
                name.extend(c.to_lowercase());
            } else {
                name.push(c);
            }
        }
        name
    }

    /// As a proposal like any other.
    #[must_use]
    pub fn proposed(&self) -> ProposedAction {
        let fields = self.fields.iter();
        ProposedAction {
            kind: self.name(),
            fields: fields
                .map(|(name, value)| (name.clone(), value.to_json()))
                .collect(),
            ..ProposedAction::default()
        }
    }
}

impl<'de> Deserialize<'de> for ActionSpec {
    // The names of a game's own actions are not known here, so this is an enum whose variants are open.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ActionVisitor;
        impl<'de> Visitor<'de> for ActionVisitor {
            type Value = ActionSpec;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an action such as Take(target: \"key_1\")")
            }
            fn visit_enum<A: EnumAccess<'de>>(self, data: A) -> Result<ActionSpec, A::Error> {
                let (written, fields) = data.variant_seed(Name)?;
                let fields = fields.struct_variant(&[], FieldsVisitor)?;
                Ok(ActionSpec { written, fields })
            }
        }
        struct Name;
        impl<'de> DeserializeSeed<'de> for Name {
            type Value = String;
            fn deserialize<D: Deserializer<'de>>(
                self,
                deserializer: D,
            ) -> Result<String, D::Error> {
                deserializer.deserialize_identifier(NameVisitor)
            }
        }
        struct NameVisitor;
        impl Visitor<'_> for NameVisitor {
            type Value = String;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a name")
            }
            fn visit_str<E>(self, name: &str) -> Result<String, E> {
                Ok(name.to_owned())
            }
        }
        struct FieldsVisitor;
        impl<'de> Visitor<'de> for FieldsVisitor {
            type Value = BTreeMap<String, WorldValue>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("named fields")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut fields = BTreeMap::new();
                while let Some(name) = map.next_key_seed(Name)? {
                    if fields.contains_key(&name) {
                        let name = name.escape_debug();
                        return Err(A::Error::custom(format!(
                            "the field \"{name}\" is listed twice"
                        )));
                    }
                    let value: FieldValue = map.next_value()?;
                    if let Some(value) = value.0 {
                        fields.insert(name, value);
                    }
                }
                Ok(fields)
            }
        }
        deserializer.deserialize_enum("Action", &[], ActionVisitor)
    }
}

/// A value, or nothing: `None` is as good as left out, and `Some(..)` may be written.
struct FieldValue(Option<WorldValue>);

impl<'de> Deserialize<'de> for FieldValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Option::<WorldValue>::deserialize(deserializer).map(Self)
    }
}
