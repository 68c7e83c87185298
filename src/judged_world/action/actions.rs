//! The built-in actions as Rust types, one for each, named as a game listens for them: `On<Applied<Open>>`.

use crate::judged_world::action::{FieldKind, NpcAction};
use crate::judged_world::state::value::WorldValue;
use bevy::prelude::Reflect;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Names the built-in actions.
macro_rules! built_in {
    ($($type:ident = $name:literal $({ $($rest:tt)* })?,)*) => {
        $(
            impl NpcAction for $type {
                const NAME: &'static str = $name;

                $($($rest)*)?
            }
        )*

        /// The names of the built-in actions.
        pub const BUILT_IN: &[&str] = &[$($name),*];

        pub(crate) fn shapes() -> Vec<crate::judged_world::action::ActionShape> {
            vec![$(crate::judged_world::action::ActionShape::of::<$type>()),*]
        }
    };
}

built_in! {
    MoveTo = "move",
    Take = "take",
    PutDown = "drop",
    Give = "give",
    Open = "open",
    Close = "close",
    Use = "use",
    Speak = "speak",
    Introduce = "introduce" {
        fn alternatives() -> Vec<Vec<&'static str>> {
            // An entity that is there already has a name.
            vec![vec!["target"], vec!["name", "kind", "attributes"]]
        }
    },
    Describe = "describe",
}

/// Goes to a location. Written `move`.
#[derive(Debug, Clone, PartialEq, Eq, Reflect, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MoveTo {
    /// The location: its id, or words for it.
    #[reflect(@FieldKind::Place)]
    pub target: String,
}

/// Picks something up. Written `take`.
#[derive(Debug, Clone, PartialEq, Eq, Reflect, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Take {
    /// The thing: its id, or words for it.
    #[reflect(@FieldKind::Thing)]
    pub target: String,
}

/// Puts down what is carried. Written `drop`.
#[derive(Debug, Clone, PartialEq, Eq, Reflect, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PutDown {
    /// The thing: its id, or words for it.
    #[reflect(@FieldKind::Thing)]
    pub target: String,
}

/// Hands a carried thing to a character. Written `give`.
#[derive(Debug, Clone, PartialEq, Eq, Reflect, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Give {
    /// The thing: its id, or words for it.
    #[reflect(@FieldKind::Thing)]
    pub target: String,
    /// The character that gets it: its id, or words for it.
    #[reflect(@FieldKind::Character)]
    pub to: String,
}

/// Opens something, such as a door. Written `open`.
#[derive(Debug, Clone, PartialEq, Eq, Reflect, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Open {
    /// The thing: its id, or words for it.
    #[reflect(@FieldKind::Thing)]
    pub target: String,
    /// What it is opened with, such as a key. `None`: nothing is named.
    #[reflect(@FieldKind::Thing)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
}

/// Closes something, such as a door. Written `close`.
#[derive(Debug, Clone, PartialEq, Eq, Reflect, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Close {
    /// The thing: its id, or words for it.
    #[reflect(@FieldKind::Thing)]
    pub target: String,
}

/// Uses something, or something on something else. Written `use`.
#[derive(Debug, Clone, PartialEq, Eq, Reflect, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Use {
    /// The thing that is used, or on which the tool is used.
    #[reflect(@FieldKind::Thing)]
    pub target: String,
    /// What it is used with. `None`: nothing is named.
    #[reflect(@FieldKind::Thing)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
}

/// Says something aloud. Written `speak`.
#[derive(Debug, Clone, PartialEq, Eq, Reflect, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Speak {
    /// The words that are said.
    pub content: String,
    /// The character that the words are for. `None`: no one in particular.
    #[reflect(@FieldKind::Character)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
}

/// Brings an entity into the scene: one that waits offstage, or a new one with a name. `target` or `name` must be there; if
/// there is a target, the other fields are dropped.
#[derive(Debug, Clone, PartialEq, Eq, Reflect, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Introduce {
    /// The entity that waits offstage: an id, or words for it. `None`: a new entity is brought, which needs a `name`.
    #[reflect(@FieldKind::Newcomer)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// The name of the new entity, at most 64 characters in one line. `None`: the target is brought.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The kind of the new entity. `None`: a character.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// Attributes of the new entity, by name, such as `takeable`. The rulebook lists those that are allowed. `None`: it has
    /// none.
    #[reflect(@FieldKind::Attributes)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attributes: Option<BTreeMap<String, WorldValue>>,
}

/// Says what something looks like. Written `describe`. It changes nothing in the world.
#[derive(Debug, Clone, PartialEq, Eq, Reflect, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Describe {
    /// The thing: its id, or words for it.
    #[reflect(@FieldKind::Thing)]
    pub target: String,
    /// The words that describe it.
    pub content: String,
}
