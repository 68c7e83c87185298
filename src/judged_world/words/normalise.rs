//! Normalising: from a proposed action to an [`Intent`], or a typed refusal.
//!
//! It checks in this order: a known type, its fields and their shapes, that the action is not another actor's, the actor's
//! `may`, and last what the references mean. It fills in only the actor; everything else that is missing is refused.

use super::name_key::name_key;
use super::reference::{Reference, UnresolvedReference, is_pronoun, means_person};
use crate::base::ids::Id;
use crate::judged_world::action::newcomer_name::check_newcomer;
use crate::judged_world::action::registry::ActionRegistry;
use crate::judged_world::action::{
    ActionField, ActionShape, FieldKind, Intent, ProposedAction, id_of,
};
use crate::judged_world::rulebook::ReasonCode;
use crate::judged_world::rulebook::may::{INTRODUCE, May};
use crate::judged_world::state::WorldRead;
use crate::judged_world::state::knowledge::{is_in_sight, is_named_in};
use crate::judged_world::state::passage::{destination, without_through};
use crate::judged_world::state::value::WorldValue;
use crate::text::fold::fold;
use crate::text::{Lexicon, excerpt, is_visible, name_excerpt, without_controls};
use serde_json::Value;
use std::collections::BTreeMap;
use thiserror::Error;

/// The longest text in a field of an action, in characters.
pub const MAX_FIELD_CHARS: usize = 2_000;
/// The most attributes that a new entity can be given.
const MAX_NEW_ATTRIBUTES: usize = 16;
/// The longest text in an attribute of a new entity, in characters.
const MAX_ATTRIBUTE_CHARS: usize = 64;

/// Why an action cannot be normalised.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub(crate) enum ActionError {
    /// No action of this name is registered. It holds the name, cut to 40 characters.
    #[error("there is no action {}", name_excerpt(.0, "of that name"))]
    UnknownAction(String),
    /// No such action, but a verb of looking: it changes nothing, so that the world has no answer to it. A game that shows
    /// what is there adds its own action.
    #[error("to \"{0}\" changes nothing, and this game has no action for it")]
    OnlyLooks(String),
    /// A field is missing, unknown, or holds a value of another kind.
    #[error("the action \"{action}\" {what}")]
    BadFields {
        /// The name of the action, cut to 40 characters.
        action: String,
        /// What is wrong with it, as the end of a sentence: `needs "target"`.
        what: String,
    },
    /// The action names another actor than the one that proposes it. It holds that name.
    #[error("\"{0}\" cannot be made to act by another")]
    ForeignActor(String),
    /// The action is none of those that the character may propose. It holds the action's name.
    #[error("the character may not \"{0}\"")]
    NotAllowed(String),
    /// A reference names nothing that the actor can refer to.
    #[error("nothing here is \"{words}\"")]
    Unresolved {
        /// The name of the field that holds the reference.
        field: &'static str,
        /// What was written there, cut to 40 characters.
        words: String,
    },
    /// The thing that the actor wants to go through leads nowhere that is known.
    #[error("no way is known to lead \"{words}\"")]
    LeadsNowhere {
        /// The name of the field that holds the reference.
        field: &'static str,
        /// What was written there, cut to 40 characters.
        words: String,
    },
    /// A reference may name several things.
    #[error("\"{words}\" may be any of {}", .candidates.join(", "))]
    Ambiguous {
        /// The name of the field that holds the reference.
        field: &'static str,
        /// What was written there, cut to 40 characters.
        words: String,
        /// The ids of what it may be, in order of the alphabet.
        candidates: Vec<Id>,
    },
}

impl ActionError {
    /// The normaliser's rule, as traces and failures name it.
    #[must_use]
    pub fn rule(&self) -> &'static str {
        match self {
            Self::UnknownAction(_) | Self::OnlyLooks(_) => "unknown_action",
            Self::BadFields { .. } => "bad_fields",
            Self::ForeignActor(_) => "foreign_actor",
            Self::NotAllowed(_) => "not_allowed",
            Self::Unresolved { .. } | Self::LeadsNowhere { .. } => "unresolved",
            Self::Ambiguous { .. } => "ambiguous",
        }
    }

    /// The reason code: `UNKNOWN` for an action that is unknown or not allowed, `MISSING_REQUIREMENT` for bad fields,
    /// `INVALID_TARGET` for another actor or several candidates, `NOT_FOUND` for a reference that names nothing.
    #[must_use]
    pub fn reason(&self) -> ReasonCode {
        match self {
            Self::UnknownAction(_) | Self::OnlyLooks(_) | Self::NotAllowed(_) => {
                ReasonCode::Unknown
            }
            Self::BadFields { .. } => ReasonCode::MissingRequirement,
            Self::ForeignActor(_) | Self::Ambiguous { .. } => ReasonCode::InvalidTarget,
            Self::Unresolved { .. } | Self::LeadsNowhere { .. } => ReasonCode::NotFound,
        }
    }
}

/// How the references in an action are read.
#[derive(Clone, Copy)]
pub enum Referring<'a> {
    /// They are ids already; whether they name anything is the rulebook's question.
    ByIds,
    /// They are words, such as "the brass key" or an id. The normaliser puts ids in their place.
    ByWords {
        /// The world in which it is looked up what they mean.
        world: &'a dyn WorldRead,
        /// Ids that were mentioned before, by action, the last one last.
        mentioned: &'a [Vec<Id>],
        /// The id of the speaker that has just addressed the actor.
        speaker: Option<&'a Id>,
        /// Ids that the actor knows of in addition to what is on stage.
        known: &'a [Id],
        /// What the actor was told, as texts: of what is out of its sight it knows what they name. `None`: it knows of everything.
        told: Option<&'a [&'a str]>,
        /// Whether an action could be done.
        possible: &'a dyn Fn(&Intent) -> bool,
        /// Ids of the speakers here, who may have no entity.
        people: &'a [&'a Id],
        /// The language of the words.
        lexicon: &'a Lexicon,
    },
}

/// Turns an untrusted action into an intent of `actor`. `may` are the actions that it may propose.
///
/// # Errors
/// See `ActionError`.
pub(crate) fn normalise(
    registry: &ActionRegistry,
    proposed: &ProposedAction,
    actor: &Id,
    may: May,
    referring: Referring,
) -> Result<Intent, ActionError> {
    let written = proposed.kind.as_str();
    if let Some(why) = &proposed.malformed {
        return Err(ActionError::BadFields {
            action: excerpt(written),
            what: format!("cannot be read: {why}"),
        });
    }
    let shape = registry.meant(written).ok_or_else(|| {
        let lexicon = match referring {
            Referring::ByWords { lexicon, .. } => lexicon,
            Referring::ByIds => Lexicon::english(),
        };
        if lexicon.imperatives.looks(written) {
            ActionError::OnlyLooks(excerpt(written))
        } else {
            ActionError::UnknownAction(excerpt(written))
        }
    })?;
    let kind = shape.name;
    let Checked {
        mut fields,
        attributes,
        actor: named_actor,
    } = check_fields(shape, &proposed.fields)?;
    let is_oneself = |named: &str| match referring {
        Referring::ByIds => named == actor,
        Referring::ByWords { world, lexicon, .. } => names_oneself(world, lexicon, actor, named),
    };
    if let Some(other) = named_actor.filter(|named| !is_oneself(named)) {
        return Err(ActionError::ForeignActor(excerpt(other)));
    }
    if !may.allows(kind) {
        return Err(ActionError::NotAllowed(kind.to_owned()));
    }
    if kind == INTRODUCE {
        let (people, lexicon) = match referring {
            Referring::ByWords {
                people, lexicon, ..
            } => (people, lexicon),
            Referring::ByIds => (&[][..], Lexicon::english()),
        };
        check_newcomer(&mut fields, actor, people, lexicon).map_err(|what| {
            ActionError::BadFields {
                action: kind.to_owned(),
                what: what.to_owned(),
            }
        })?;
    }
    let mut written = BTreeMap::new();
    if let Referring::ByWords { .. } = referring {
        let references = shape
            .fields
            .iter()
            .filter(|field| field.kind.is_reference());
        written.extend(
            references.filter_map(|field| match fields.get(field.name)? {
                WorldValue::Text(words) => Some((field.name, excerpt(words))),
                _ => None,
            }),
        );
        resolve_all(shape, &mut fields, actor, referring)?;
    }
    Ok(Intent::new(shape, actor, fields)
        .with_attributes(attributes)
        .written_as(written))
}

/// The actions whose words others hear or read unchanged.
const WORDS: [&str; 2] = ["speak", "describe"];

type Fields = BTreeMap<&'static str, WorldValue>;

/// The fields of an action as values of the right kind.
struct Checked<'p> {
    fields: Fields,
    /// Those of a new entity, by name.
    attributes: BTreeMap<String, WorldValue>,
    /// The actor that the action names.
    actor: Option<&'p str>,
}

fn check_fields<'p>(
    shape: &ActionShape,
    raw: &'p BTreeMap<String, Value>,
) -> Result<Checked<'p>, ActionError> {
    let bad = |what: String| ActionError::BadFields {
        action: shape.name.to_owned(),
        what,
    };
    let mut fields = Fields::new();
    let mut attributes = None;
    let mut actor = None;
    for (name, value) in raw
        .iter()
        .filter(|(name, value)| !is_left_out(shape, name, value))
    {
        if let Some(field) = shape.meant_field(name) {
            if field.kind == FieldKind::Attributes {
                let read = read_attributes(value).map_err(|what| bad(what.to_owned()))?;
                attributes = Some((field.name, read));
                continue;
            }
            let value = read_field(field, value)
                .map_err(|what| bad(format!("{what} \"{}\"", field.name)))?;
            let value = match value {
                // What is said aloud is one line.
                WorldValue::Text(text)
                    if WORDS.contains(&shape.name) && field.kind == FieldKind::Text =>
                {
                    WorldValue::Text(without_controls(&text).trim().to_owned())
                }
                value => value,
            };
            if fields.get(field.name).is_some_and(|other| *other != value) {
                return Err(bad(format!("has two values for \"{}\"", field.name)));
            }
            fields.insert(field.name, value);
        } else if let ("actor", Value::String(named)) = (id_of(name).unwrap_or(name), value) {
            if actor.is_some_and(|other| other != named) {
                return Err(bad("names two actors".to_owned()));
            }
            actor = Some(named.as_str());
        } else {
            return Err(bad(format!(
                "has no field {}",
                name_excerpt(name, "of that name")
            )));
        }
    }
    let mut required = shape.fields.iter().filter(|field| field.required);
    if let Some(missing) = required.find(|field| !fields.contains_key(field.name)) {
        return Err(bad(format!("needs \"{}\"", missing.name)));
    }
    let (name, attributes) = attributes.unwrap_or_default();
    // It takes part in the choice like any other field.
    fields.extend((!name.is_empty()).then_some((name, WorldValue::Bool(true))));
    choose_alternative(shape, &mut fields).map_err(bad)?;
    let is_kept = fields.remove(name).is_some();
    Ok(Checked {
        attributes: if is_kept { attributes } else { BTreeMap::new() },
        fields,
        actor,
    })
}

/// Whether a field is as good as not there. Models write `null` for what they leave out, and an empty text in what may be left out.
fn is_left_out(shape: &ActionShape, name: &str, value: &Value) -> bool {
    let is_required = shape.meant_field(name).is_some_and(|field| field.required);
    match value {
        Value::Null => true,
        Value::String(text) => !is_required && fold(text).trim().is_empty(),
        _ => false,
    }
}

/// The attributes of a new entity, or what is wrong with them. One that is `null` is left out.
fn read_attributes(value: &Value) -> Result<BTreeMap<String, WorldValue>, &'static str> {
    let Value::Object(written) = value else {
        return Err("needs attributes by name in \"attributes\"");
    };
    let given = written.iter().filter(|(_, value)| !value.is_null());
    let mut attributes = BTreeMap::new();
    for (name, value) in given {
        let value = match value {
            Value::Bool(flag) => WorldValue::Bool(*flag),
            Value::Number(number) => WorldValue::Int(
                number
                    .as_i64()
                    .ok_or("needs whole numbers in \"attributes\"")?,
            ),
            Value::String(text) if !text.is_empty() && is_short_line(text) => {
                WorldValue::Text(text.clone())
            }
            _ => return Err("has an attribute that is no short text, number, true or false"),
        };
        if Id::new(name.as_str()).is_err() {
            return Err("has an attribute with a bad name");
        }
        attributes.insert(name.clone(), value);
    }
    if attributes.len() > MAX_NEW_ATTRIBUTES {
        return Err("has too many attributes");
    }
    Ok(attributes)
}

fn is_short_line(text: &str) -> bool {
    text.chars().count() <= MAX_ATTRIBUTE_CHARS && !text.chars().any(char::is_control)
}

/// Keeps one of the groups of fields that exclude each other, or says which field is missing.
fn choose_alternative(shape: &ActionShape, fields: &mut Fields) -> Result<(), String> {
    let groups = &shape.alternatives;
    if groups.is_empty() {
        return Ok(());
    }
    let first = |group: &&Vec<&str>| group.first().is_some_and(|name| fields.contains_key(name));
    let Some(chosen) = groups.iter().find(first) else {
        let names = groups.iter().filter_map(|group| group.first());
        let names: Vec<String> = names.map(|name| format!("\"{name}\"")).collect();
        return Err(format!("needs {}", names.join(" or ")));
    };
    fields.retain(|name, _| {
        chosen.contains(name) || !groups.iter().any(|group| group.contains(name))
    });
    Ok(())
}

/// A value of the field's kind, or what is wrong with it.
fn read_field(field: &ActionField, value: &Value) -> Result<WorldValue, &'static str> {
    match (field.kind, value) {
        (FieldKind::Integer, Value::Number(number)) => number
            .as_i64()
            .map(WorldValue::Int)
            .ok_or("needs a whole number in"),
        // Values out of a marker are texts.
        (FieldKind::Integer, Value::String(text)) => text
            .parse()
            .map(WorldValue::Int)
            .map_err(|_| "needs a whole number in"),
        (FieldKind::Integer, _) => Err("needs a whole number in"),
        (FieldKind::Flag, Value::Bool(flag)) => Ok(WorldValue::Bool(*flag)),
        (FieldKind::Flag, Value::String(text)) => match text.as_str() {
            "true" => Ok(WorldValue::Bool(true)),
            "false" => Ok(WorldValue::Bool(false)),
            _ => Err("needs true or false in"),
        },
        (FieldKind::Flag, _) => Err("needs true or false in"),
        (_, Value::String(text))
            if text.trim().is_empty() || text.chars().count() > MAX_FIELD_CHARS =>
        {
            Err("has an empty or overlong")
        }
        (FieldKind::Text, Value::String(text)) if !is_visible(text) => {
            Err("has nothing that can be read in")
        }
        (_, Value::String(text)) if fold(text).trim().is_empty() => Err("has an empty or overlong"),
        (_, Value::String(text)) => Ok(WorldValue::Text(text.clone())),
        _ => Err("needs a text in"),
    }
}

/// The action with every reference but `unclear` as an id, as far as they can be resolved: what was meant when it was said
/// is meant still when the answer comes.
#[must_use]
pub fn pinned(
    registry: &ActionRegistry,
    proposed: &ProposedAction,
    actor: &Id,
    referring: Referring,
    unclear: &str,
) -> ProposedAction {
    let mut pinned = proposed.clone();
    let Some(shape) = registry.meant(&proposed.kind) else {
        return pinned;
    };
    // Under its own name a field can be answered.
    let fields = std::mem::take(&mut pinned.fields).into_iter();
    let named = fields.map(|(name, value)| {
        let field = shape.meant_field(&name).map(|field| field.name.to_owned());
        (field.unwrap_or(name), value)
    });
    pinned.fields = named.collect();
    for field in shape
        .fields
        .iter()
        .filter(|f| f.kind.is_reference() && f.name != unclear)
    {
        let Some(Value::String(words)) = pinned.fields.get(field.name) else {
            continue;
        };
        let mut alone = Fields::from([(field.name, WorldValue::Text(words.clone()))]);
        let found = resolve_all(shape, &mut alone, actor, referring);
        if let (Ok(()), Some(WorldValue::Text(id))) = (found, alone.remove(field.name)) {
            pinned.fields.insert(field.name.to_owned(), id.into());
        }
    }
    pinned
}

/// Whether the words are a name of the actor itself.
fn names_oneself(world: &dyn WorldRead, lexicon: &Lexicon, actor: &str, words: &str) -> bool {
    let wanted = name_key(words);
    words == actor
        || lexicon.references.oneself.contains(&wanted)
        || world
            .entity(actor)
            .is_some_and(|entity| entity.answers_to(actor, &wanted))
}

/// Puts ids in the place of words. Pronouns come last: they are none of the action's other references.
fn resolve_all(
    shape: &ActionShape,
    fields: &mut Fields,
    actor: &Id,
    referring: Referring,
) -> Result<(), ActionError> {
    let Referring::ByWords {
        world,
        mentioned,
        speaker: spoken_to_by,
        known,
        told,
        possible,
        people,
        lexicon,
    } = referring
    else {
        return Ok(());
    };
    let mut taken = Vec::new();
    for pronouns in [false, true] {
        for field in shape
            .fields
            .iter()
            .filter(|field| field.kind.is_reference())
        {
            let Some(WorldValue::Text(words)) = fields.get(field.name) else {
                continue;
            };
            let (kind, bare, through) = without_through(field.kind, words, lexicon);
            if is_pronoun(bare, lexicon) != pronouns {
                continue;
            }
            let leads = |id: Id| match field.kind {
                FieldKind::Place => destination(world, actor, &id, through),
                _ => Ok(id),
            };
            let reference = Reference {
                lexicon,
                actor,
                kind,
                taken: &taken,
                mentioned,
                speaker: spoken_to_by,
                known,
                knows: &|id: &Id| {
                    told.is_none_or(|texts| {
                        is_in_sight(world, actor, id)
                            || known.contains(id)
                            || mentioned.iter().flatten().any(|other| other == id)
                            || is_named_in(world, id, texts)
                    })
                },
                possible: &|id: &Id| {
                    let Ok(id) = leads(id.clone()) else {
                        return false;
                    };
                    let mut tried = fields.clone();
                    tried.insert(field.name, WorldValue::Text(id.into()));
                    possible(&Intent::new(shape, actor, tried))
                },
            };
            let found = reference.resolve(world, bare);
            let leads_nowhere = through && found.is_ok();
            // The player may speak without standing in the world.
            let named = people.iter().copied().find(|id| **id == *words);
            let speaker = named.or_else(|| spoken_to_by.filter(|_| means_person(bare, lexicon)));
            let speaker = speaker.filter(|_| field.kind == FieldKind::Character);
            let id = match (found.and_then(leads), speaker) {
                (Ok(id), _) => id,
                (Err(UnresolvedReference::Unresolved), Some(speaker)) => speaker.clone(),
                (Err(UnresolvedReference::Unresolved), None) if leads_nowhere => {
                    return Err(ActionError::LeadsNowhere {
                        field: field.name,
                        words: excerpt(words),
                    });
                }
                (Err(UnresolvedReference::Unresolved), None) => {
                    return Err(ActionError::Unresolved {
                        field: field.name,
                        words: excerpt(words),
                    });
                }
                (Err(UnresolvedReference::Ambiguous(candidates)), _) => {
                    return Err(ActionError::Ambiguous {
                        field: field.name,
                        words: excerpt(words),
                        candidates,
                    });
                }
            };
            taken.push(id.clone());
            fields.insert(field.name, WorldValue::Text(id.into()));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
