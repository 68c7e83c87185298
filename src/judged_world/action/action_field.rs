//! The fields of an action: what each holds, and how they are read from a Rust struct.

use bevy::prelude::Reflect;
use bevy::reflect::enums::VariantInfo;
use bevy::reflect::{NamedField, TypeInfo};

/// What a field of an action holds. On a field of a game's own action it is an attribute: `#[reflect(@FieldKind::Thing)]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Reflect)]
pub enum FieldKind {
    /// A reference to a thing or a character.
    Thing,
    /// A reference to a character. Words that fit a character and a thing nearby mean the character.
    Character,
    /// A reference to a location. Words for a thing with the attribute `leads_to` mean the location that it leads to.
    Place,
    /// A reference to an entity that may wait offstage.
    Newcomer,
    /// Words, 1 to 2,000 characters. The gate judges those that a character proposes.
    Text,
    /// A whole number of 64 bits. A text of digits counts as one, since markers hold nothing but texts.
    Integer,
    /// True or false, also as a text: `true` or `false`.
    Flag,
    /// Attributes of a new entity, by name. At most one field of an action holds them. The engine refuses those that the
    /// action's rule in the rulebook does not list.
    Attributes,
}

impl FieldKind {
    /// Whether it refers to something in the world.
    #[must_use]
    pub fn is_reference(self) -> bool {
        matches!(
            self,
            Self::Thing | Self::Character | Self::Place | Self::Newcomer
        )
    }
}

/// The part that a reference plays in a rulebook: its `Target`, `Tool` or `To`. A field called `target`, `tool` or `to`
/// plays that part by its name; another one by an attribute: `#[reflect(@FieldKind::Character, @Slot::To)]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Reflect)]
pub enum Slot {
    /// What is acted on, such as the door that is opened.
    Target,
    /// What it is done with, such as a key.
    Tool,
    /// The receiver, such as the character that gets a thing.
    To,
}

/// One field of an action: its name, and what it may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ActionField {
    /// Its name: the key under which replies, scenarios and records write it.
    pub name: &'static str,
    /// What it holds. An action that holds something else there is refused.
    pub kind: FieldKind,
    /// The part that it plays in a rulebook. `None`: rules cannot ask for it by a role.
    pub slot: Option<Slot>,
    /// Whether an action without it is refused.
    pub required: bool,
}

impl ActionField {
    /// A required field. One called `target`, `tool` or `to` that is a reference plays that part.
    #[must_use]
    pub const fn new(name: &'static str, kind: FieldKind) -> Self {
        let slot = match (kind, name.as_bytes()) {
            (FieldKind::Text | FieldKind::Integer | FieldKind::Flag | FieldKind::Attributes, _) => {
                None
            }
            (_, b"target") => Some(Slot::Target),
            (_, b"tool") => Some(Slot::Tool),
            (_, b"to") => Some(Slot::To),
            _ => None,
        };
        Self {
            name,
            kind,
            slot,
            required: true,
        }
    }

    /// The same field as one that may be left out.
    #[must_use]
    pub const fn optional(mut self) -> Self {
        self.required = false;
        self
    }

    /// The same field as one that plays this part in a rulebook.
    #[must_use]
    pub const fn playing(mut self, slot: Slot) -> Self {
        self.slot = Some(slot);
        self
    }
}

/// The fields of a struct that derives `Reflect`, in order, as those of the action called `action`.
///
/// What a field holds is told by its type: [`FieldKind::Text`] for a `String`, or an enum whose variants have no fields,
/// [`FieldKind::Integer`] for a whole number, [`FieldKind::Flag`] for a `bool`. An attribute such as
/// `#[reflect(@FieldKind::Thing)]` says otherwise, `#[reflect(@Slot::Tool)]` which part it plays. An `Option` may be left out.
///
/// A field of any other type is logged as an error and left out: no reply can fill it.
#[must_use]
pub fn reflected_fields(action: &str, info: &TypeInfo) -> Vec<ActionField> {
    let TypeInfo::Struct(info) = info else {
        log::error!("the action {action} is not a struct with named fields, so it has no fields");
        return Vec::new();
    };
    let fields = info.iter().filter_map(|field| {
        let read = reflected_field(field);
        if read.is_none() {
            let (name, path) = (field.name(), field.type_path());
            log::error!(
                "the field {name} of the action {action} is left out: no action holds a {path}"
            );
        }
        read
    });
    fields.collect()
}

/// The field of an action that a field of a struct describes; none for a type that no action holds.
fn reflected_field(field: &NamedField) -> Option<ActionField> {
    let outer = field.type_info();
    let inner = outer.and_then(optional_type);
    let kind = match field.get_attribute::<FieldKind>() {
        Some(kind) => *kind,
        None => kind_of(inner.or(outer)?)?,
    };
    let mut read = ActionField::new(field.name(), kind);
    if let Some(slot) = field.get_attribute::<Slot>() {
        read = read.playing(*slot);
    }
    Some(if inner.is_some() {
        read.optional()
    } else {
        read
    })
}

/// The type inside an `Option`.
fn optional_type(info: &'static TypeInfo) -> Option<&'static TypeInfo> {
    let TypeInfo::Enum(info) = info else {
        return None;
    };
    let path = info.type_path_table();
    if (path.crate_name(), path.ident()) != (Some("core"), Some("Option")) {
        return None;
    }
    match info.variant("Some")? {
        VariantInfo::Tuple(some) => some.field_at(0)?.type_info(),
        _ => None,
    }
}

/// What a type holds where no attribute says so.
fn kind_of(info: &TypeInfo) -> Option<FieldKind> {
    let is_integer = info.is::<i64>()
        || info.is::<i32>()
        || info.is::<i16>()
        || info.is::<i8>()
        || info.is::<u64>()
        || info.is::<u32>()
        || info.is::<u16>()
        || info.is::<u8>()
        || info.is::<isize>()
        || info.is::<usize>();
    match info {
        _ if is_integer => Some(FieldKind::Integer),
        _ if info.is::<bool>() => Some(FieldKind::Flag),
        _ if info.is::<String>() => Some(FieldKind::Text),
        // Serde writes a variant without fields as its name.
        TypeInfo::Enum(info) => info
            .iter()
            .all(|variant| matches!(variant, VariantInfo::Unit(_)))
            .then_some(FieldKind::Text),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy::reflect::Typed;

    #[derive(Reflect)]
    enum Tone {
        Loud,
        Soft,
    }

    #[derive(Reflect)]
    enum Wish {
        For(String),
    }

    #[derive(Reflect)]
    struct Sing {
        song: String,
        tone: Option<Tone>,
        verses: u8,
        again: bool,
        #[reflect(@FieldKind::Character)]
        to: Option<String>,
        #[reflect(@FieldKind::Thing, @Slot::Tool)]
        instrument: String,
        pitch: f32,
        wish: Wish,
    }

    #[test]
    fn w1_the_fields_of_an_action_are_read_from_its_struct() {
        let text = ActionField::new("song", FieldKind::Text);
        let expected = [
            text,
            ActionField {
                name: "tone",
                ..text.optional()
            },
            ActionField::new("verses", FieldKind::Integer),
            ActionField::new("again", FieldKind::Flag),
            ActionField::new("to", FieldKind::Character).optional(),
            ActionField::new("instrument", FieldKind::Thing).playing(Slot::Tool),
        ];
        // What no reply can fill is left out.
        assert_eq!(reflected_fields("sing", Sing::type_info()), expected);
        assert_eq!(reflected_fields("tone", Tone::type_info()), []);
    }
}
