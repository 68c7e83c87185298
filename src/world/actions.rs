//! The built-in actions as Rust types, one for each, named as a game listens for them: `On<Applied<Open>>`.

use super::action::{ActionField, FieldKind, NpcAction};
use serde::{Deserialize, Serialize};

macro_rules! built_in {
    ($($(#[$doc:meta])* $type:ident = $name:literal {
        $($(#[$field_doc:meta])* $field:ident: $rust:ty => $kind:ident $($optional:ident)?,)*
    })*) => {
        $(
            $(#[$doc])*
            #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
            #[serde(deny_unknown_fields)]
            pub struct $type {
                $($(#[$field_doc])* pub $field: $rust,)*
            }

            impl NpcAction for $type {
                const NAME: &'static str = $name;

                fn fields() -> Vec<ActionField> {
                    vec![$(ActionField::new(stringify!($field), FieldKind::$kind)$(.$optional())?,)*]
                }
            }
        )*

        /// The names of the built-in actions.
        pub const BUILT_IN: &[&str] = &[$($name),*];

        pub(super) fn shapes() -> Vec<super::action::ActionShape> {
            vec![$(super::action::ActionShape::of::<$type>()),*]
        }
    };
}

built_in! {
    /// Goes to a location. Written `move`.
    MoveTo = "move" {
        /// The location.
        target: String => Place,
    }
    /// Picks something up.
    Take = "take" {
        /// The thing.
        target: String => Thing,
    }
    /// Puts down what is carried. Written `drop`.
    PutDown = "drop" {
        /// The thing.
        target: String => Thing,
    }
    /// Hands over what is carried.
    Give = "give" {
        /// The thing.
        target: String => Thing,
        /// Who gets it.
        to: String => Character,
    }
    /// Opens something.
    Open = "open" {
        /// The thing.
        target: String => Thing,
        /// What with.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tool: Option<String> => Thing optional,
    }
    /// Closes something.
    Close = "close" {
        /// The thing.
        target: String => Thing,
    }
    /// Uses something.
    Use = "use" {
        /// The thing.
        target: String => Thing,
        /// What with.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tool: Option<String> => Thing optional,
    }
    /// Says something.
    Speak = "speak" {
        /// The words.
        content: String => Text,
        /// To whom.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        to: Option<String> => Character optional,
    }
    /// Brings somebody or something into the scene: one who waits offstage, or somebody new with a name.
    Introduce = "introduce" {
        /// Who waits offstage.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        target: Option<String> => Newcomer optional,
        /// The name of somebody new.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        name: Option<String> => Text optional,
        /// The kind of somebody new; a character where left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        kind: Option<String> => Text optional,
    }
    /// Says what something looks like.
    Describe = "describe" {
        /// The thing.
        target: String => Thing,
        /// The words.
        content: String => Text,
    }
}
