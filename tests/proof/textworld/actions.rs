//! The actions of `TextWorld` as our actions, and the meaning of each of their parameters here.

use bevy::reflect::Reflect;
use bevy_dramatis::world::{ActionRegistry, FieldKind, NpcAction, ProposedAction};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// For each action, the rule of `TextWorld` with its parameters, the name of our action, and the parameter in each field. `r-r'` is the
/// end in r of the way to r'.
macro_rules! actions {
    ($($type:ident: $theirs:literal = $ours:literal { $($field:ident: $kind:ident = $from:literal),* })*) => {
        $(
            #[derive(Debug, Clone, Reflect, Serialize, Deserialize)]
            struct $type {
                $(#[reflect(@FieldKind::$kind)] $field: String),*
            }

            impl NpcAction for $type {
                const NAME: &'static str = $ours;
            }
        )*

        /// The rule of `TextWorld`, the name of our action, and the parameter in each field.
        pub const ALL: &[(&str, &str, &[(&str, &str)])] =
            &[$(($theirs, $ours, &[$((stringify!($field), $from)),*])),*];

        pub fn registry() -> ActionRegistry {
            let mut registry = ActionRegistry::default();
            $(registry.add::<$type>();)*
            registry
        }
    };
}

actions! {
    GoNorth: "go/north(P,r,r')" = "go_north" { target: Place = "r'", to: Thing = "r-r'" }
    GoSouth: "go/south(P,r,r')" = "go_south" { target: Place = "r'", to: Thing = "r-r'" }
    GoEast: "go/east(P,r,r')" = "go_east" { target: Place = "r'", to: Thing = "r-r'" }
    GoWest: "go/west(P,r,r')" = "go_west" { target: Place = "r'", to: Thing = "r-r'" }
    OpenDoor: "open/d(P,r,d,r')" = "open_d" { target: Thing = "r-r'" }
    CloseDoor: "close/d(P,r,d,r')" = "close_d" { target: Thing = "r-r'" }
    LockDoor: "lock/d(P,r,d,r',k,I)" = "lock_d" { target: Thing = "r-r'", tool: Thing = "k" }
    UnlockDoor: "unlock/d(P,r,d,r',k,I)" = "unlock_d" { target: Thing = "r-r'", tool: Thing = "k" }
    OpenContainer: "open/c(P,r,c)" = "open_c" { target: Thing = "c" }
    CloseContainer: "close/c(P,r,c)" = "close_c" { target: Thing = "c" }
    LockContainer: "lock/c(P,r,c,k,I)" = "lock_c" { target: Thing = "c", tool: Thing = "k" }
    UnlockContainer: "unlock/c(P,r,c,k,I)" = "unlock_c" { target: Thing = "c", tool: Thing = "k" }
    Take: "take(P,r,o,I)" = "take" { target: Thing = "o" }
    Drop: "drop(P,r,o,I)" = "drop" { target: Thing = "o" }
    TakeOut: "take/c(P,r,c,o,I)" = "take_c" { target: Thing = "o", to: Thing = "c" }
    Insert: "insert(P,r,c,o,I)" = "insert" { target: Thing = "c", tool: Thing = "o" }
    TakeOff: "take/s(P,r,s,o,I)" = "take_s" { target: Thing = "o", to: Thing = "s" }
    Put: "put(P,r,s,o,I)" = "put" { target: Thing = "s", tool: Thing = "o" }
    Eat: "eat(f,I)" = "eat" { target: Thing = "f" }
    Look: "look(P,r)" = "look" {}
    Inventory: "inventory(P,r)" = "inventory" {}
    ExamineThing: "examine/t(P,r,t)" = "examine_t" { target: Thing = "t" }
    ExamineCarried: "examine/I(o,I)" = "examine_i" { target: Thing = "o" }
    ExamineInside: "examine/c(P,r,c,o)" = "examine_c" { target: Thing = "o", to: Thing = "c" }
    ExamineOnTop: "examine/s(P,r,s,o)" = "examine_s" { target: Thing = "o", to: Thing = "s" }
    ExamineDoor: "examine/d(P,r,d,r')" = "examine_d" { target: Thing = "r-r'" }
}

/// One of our actions with the ids in its fields.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Deed {
    pub action: String,
    pub fields: BTreeMap<String, String>,
}

impl Deed {
    pub fn proposed(&self) -> ProposedAction {
        let fields = self.fields.iter();
        ProposedAction {
            kind: self.action.clone(),
            fields: fields
                .map(|(name, id)| (name.clone(), id.as_str().into()))
                .collect(),
            ..ProposedAction::default()
        }
    }
}

/// The name before the brackets, and the text in them.
pub fn parts(written: &str) -> (&str, Vec<&str>) {
    let inside = written
        .strip_suffix(')')
        .and_then(|rest| rest.split_once('('));
    let (name, arguments) = inside.unwrap_or_else(|| panic!("{written}"));
    (name, arguments.split(',').collect())
}

/// An action of `TextWorld`, such as `take(P,r_0,k_1,I)`, as one of our actions.
pub fn deed_of(theirs: &str) -> Deed {
    let (name, arguments) = parts(theirs);
    let rule = ALL.iter().find(|(rule, ..)| parts(rule).0 == name);
    let (rule, action, fields) = rule.unwrap_or_else(|| panic!("no rule for {theirs}"));
    let parameters = parts(rule).1;
    assert_eq!(parameters.len(), arguments.len(), "{theirs} is not {rule}");
    let given: BTreeMap<&str, &str> = parameters.into_iter().zip(arguments).collect();
    let filled = |from: &str| {
        from.split('-')
            .map(|p| given[p])
            .collect::<Vec<_>>()
            .join("-")
    };
    let fields = fields.iter();
    Deed {
        action: (*action).to_owned(),
        fields: fields
            .map(|(field, from)| ((*field).to_owned(), filled(from)))
            .collect(),
    }
}
