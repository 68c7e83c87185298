//! What a check asks of an action, as facts with an order, and what follows from each.
//!
//! All here is what [`condition`](crate::judged_world::rulebook::condition) says, read backwards: who is perceived exists,
//! what is carried is in no location, an attribute has one value.

use crate::judged_world::rulebook::{ActionCondition, ActionRole, EffectValue};
use crate::memory::RelationshipPart;
use crate::world::WorldValue;
use std::cmp::Ordering;

/// A role, with an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RoleKey<'a>(pub &'a ActionRole);

pub(super) const ACTOR: RoleKey<'static> = RoleKey(&ActionRole::Actor);
const HERE: RoleKey<'static> = RoleKey(&ActionRole::Here);

impl RoleKey<'_> {
    fn rank(self) -> u8 {
        match self.0 {
            ActionRole::Actor => 0,
            ActionRole::Target => 1,
            ActionRole::Tool => 2,
            ActionRole::To => 3,
            ActionRole::Here => 4,
            ActionRole::KeyOf(_) => 5,
            ActionRole::The(_) => 6,
        }
    }
}

impl Ord for RoleKey<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.0, other.0) {
            (ActionRole::KeyOf(a), ActionRole::KeyOf(b)) => RoleKey(a).cmp(&RoleKey(b)),
            (ActionRole::The(a), ActionRole::The(b)) => a.cmp(b),
            _ => self.rank().cmp(&other.rank()),
        }
    }
}

impl PartialOrd for RoleKey<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// What has one value at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Quantity<'a> {
    Id(RoleKey<'a>),
    Kind(RoleKey<'a>),
    Attribute(RoleKey<'a>, &'a str),
    /// What the first feels towards the second, in millionths.
    Felt(RoleKey<'a>, RoleKey<'a>, RelationshipPart),
    Time,
}

/// A value of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Value<'a> {
    Text(&'a str),
    Bool(bool),
    Int(i64),
}

impl<'a> From<&'a WorldValue> for Value<'a> {
    fn from(value: &'a WorldValue) -> Self {
        match value {
            WorldValue::Bool(value) => Self::Bool(*value),
            WorldValue::Int(value) => Self::Int(*value),
            WorldValue::Text(value) => Self::Text(value),
        }
    }
}

/// One thing that holds or does not, as long as an action is judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fact<'a> {
    Named(RoleKey<'a>),
    Exists(RoleKey<'a>),
    /// It is not a location.
    Entity(RoleKey<'a>),
    Location(RoleKey<'a>),
    /// It is in a location, or is one.
    InPlace(RoleKey<'a>),
    /// An actor carries it.
    Carried(RoleKey<'a>),
    Offstage(RoleKey<'a>),
    Unowned(RoleKey<'a>),
    Perceivable(RoleKey<'a>),
    /// In order: being in the same place has no direction.
    Together(RoleKey<'a>, RoleKey<'a>),
    Connected(RoleKey<'a>, RoleKey<'a>),
    Carries(RoleKey<'a>, RoleKey<'a>),
    /// In order, as `Together`.
    Same(RoleKey<'a>, RoleKey<'a>),
    Has(RoleKey<'a>, &'a str),
    Equals(Quantity<'a>, Value<'a>),
    AtLeast(Quantity<'a>, i64),
    AtMost(Quantity<'a>, i64),
    /// It belongs to the group with this id.
    InGroup(RoleKey<'a>, &'a str),
    /// The action has this word.
    Given(&'static str),
    /// What is only itself: a flag, a function, whose turn it is.
    Other(&'static str, &'a str),
}

/// The field in which an action has a word; none for a value.
pub(super) fn field_of(word: &EffectValue) -> Option<&'static str> {
    match word {
        EffectValue::Value(_) => None,
        EffectValue::Name => Some("name"),
        EffectValue::Content => Some("content"),
        EffectValue::KindOf => Some("kind"),
    }
}

const NAME_FREE: Fact<'static> = Fact::Other("name_free", "");

impl<'a> Fact<'a> {
    /// Calls `with` for all that must be so, or not, where this holds.
    pub fn consequences(self, mut with: impl FnMut(Fact<'a>, bool)) {
        match self {
            Self::Named(RoleKey(ActionRole::KeyOf(locked))) => {
                with(Self::Has(RoleKey(locked), "key"), true)
            }
            Self::Named(who) if who == HERE => with(Self::InPlace(ACTOR), true),
            Self::Exists(who) | Self::InGroup(who, _) => with(Self::Named(who), true),
            Self::Entity(who) => {
                with(Self::Exists(who), true);
                with(Self::Location(who), false);
            }
            Self::Location(who) => {
                with(Self::InPlace(who), true);
                with(Self::Entity(who), false);
            }
            Self::InPlace(who) => {
                with(Self::Exists(who), true);
                with(Self::Carried(who), false);
                with(Self::Offstage(who), false);
                if who == ACTOR {
                    with(Self::Named(HERE), true);
                }
            }
            Self::Carried(who) => {
                with(Self::Entity(who), true);
                for other in [Self::InPlace(who), Self::Unowned(who), Self::Offstage(who)] {
                    with(other, false);
                }
            }
            Self::Offstage(who) => {
                with(Self::Unowned(who), true);
                with(Self::InPlace(who), false);
                with(Self::Perceivable(who), false);
            }
            Self::Unowned(who) => {
                with(Self::Entity(who), true);
                with(Self::Carried(who), false);
            }
            Self::Perceivable(who) => {
                with(Self::Exists(who), true);
                with(Self::Offstage(who), false);
            }
            Self::Together(a, b) => {
                for (one, other) in [(a, b), (b, a)] {
                    with(Self::InPlace(one), true);
                    if other == ACTOR {
                        with(Self::Perceivable(one), true);
                    }
                }
            }
            Self::Same(a, b) => {
                with(Self::Named(a), true);
                with(Self::Named(b), true);
            }
            Self::Connected(from, to) => {
                with(Self::Location(from), true);
                with(Self::Location(to), true);
            }
            Self::Carries(carrier, thing) => {
                with(Self::Named(carrier), true);
                with(Self::Carried(thing), true);
                if carrier == ACTOR {
                    with(Self::Perceivable(thing), true);
                }
            }
            Self::Has(who, _) | Self::Equals(Quantity::Kind(who), _) => {
                with(Self::Entity(who), true)
            }
            Self::Equals(Quantity::Id(who), _) => with(Self::Named(who), true),
            Self::Equals(Quantity::Attribute(who, name), _)
            | Self::AtLeast(Quantity::Attribute(who, name), _)
            | Self::AtMost(Quantity::Attribute(who, name), _) => with(Self::Has(who, name), true),
            fact if fact == NAME_FREE => with(Self::Given("name"), true),
            _ => {}
        }
    }
}

/// A condition that has `Not` only at its facts. An empty `All` holds, an empty `Any` does not.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Formula<'a> {
    Fact(Fact<'a>, bool),
    All(Vec<Formula<'a>>),
    Any(Vec<Formula<'a>>),
}

impl<'a> Formula<'a> {
    /// That a condition holds, or that it does not.
    pub(crate) fn of(condition: &'a ActionCondition, wanted: bool) -> Self {
        use ActionCondition as C;
        let fact = match condition {
            C::Not(inner) => return Self::of(inner, !wanted),
            C::All(list) | C::Any(list) => {
                let list = list.iter().map(|inner| Self::of(inner, wanted)).collect();
                return if matches!(condition, C::All(_)) == wanted {
                    Self::All(list)
                } else {
                    Self::Any(list)
                };
            }
            C::TimeBetween(from, to) => {
                let (from, to) = (
                    Fact::AtLeast(Quantity::Time, from.0.0),
                    Fact::AtMost(Quantity::Time, to.0.0),
                );
                let both = vec![Self::Fact(from, wanted), Self::Fact(to, wanted)];
                return if wanted {
                    Self::All(both)
                } else {
                    Self::Any(both)
                };
            }
            // Whatever the action and the world are.
            C::Named(ActionRole::Actor | ActionRole::The(_)) | C::Given(EffectValue::Value(_)) => {
                return Self::always(wanted);
            }
            C::Is(ActionRole::The(id), wished) => return Self::always((id == wished) == wanted),
            C::Exists(role) => Fact::Exists(RoleKey(role)),
            C::IsLocation(role) => Fact::Location(RoleKey(role)),
            C::Kind(role, kind) => Fact::Equals(Quantity::Kind(RoleKey(role)), Value::Text(kind)),
            C::Perceivable(role) => Fact::Perceivable(RoleKey(role)),
            C::SameLocation(a, b) => {
                let (a, b) = (RoleKey(a), RoleKey(b));
                match a.cmp(&b) {
                    Ordering::Less => Fact::Together(a, b),
                    Ordering::Equal => Fact::InPlace(a),
                    Ordering::Greater => Fact::Together(b, a),
                }
            }
            C::Same(a, b) => {
                let (a, b) = (RoleKey(a), RoleKey(b));
                match a.cmp(&b) {
                    Ordering::Less => Fact::Same(a, b),
                    Ordering::Equal => Fact::Named(a),
                    Ordering::Greater => Fact::Same(b, a),
                }
            }
            C::Connected(from, to) => Fact::Connected(RoleKey(from), RoleKey(to)),
            C::Carries(carrier, thing) => Fact::Carries(RoleKey(carrier), RoleKey(thing)),
            C::InGroup(role, group) => Fact::InGroup(RoleKey(role), group),
            C::Unowned(role) => Fact::Unowned(RoleKey(role)),
            C::Attribute(role, name, value) => {
                Fact::Equals(Quantity::Attribute(RoleKey(role), name), value.into())
            }
            C::HasAttribute(role, name) => Fact::Has(RoleKey(role), name),
            C::AtLeast(role, name, least) => {
                Fact::AtLeast(Quantity::Attribute(RoleKey(role), name), *least)
            }
            C::AtMost(role, name, most) => {
                Fact::AtMost(Quantity::Attribute(RoleKey(role), name), *most)
            }
            C::RelationshipAtLeast(of, towards, part, least) => {
                let felt = Quantity::Felt(RoleKey(of), RoleKey(towards), part.0);
                Fact::AtLeast(felt, least.saturating_mul(1_000))
            }
            C::RelationshipAtMost(of, towards, part, most) => {
                let felt = Quantity::Felt(RoleKey(of), RoleKey(towards), part.0);
                Fact::AtMost(felt, most.saturating_mul(1_000))
            }
            C::Custom(name) => Fact::Other("custom", name),
            C::Is(role, id) => Fact::Equals(Quantity::Id(RoleKey(role)), Value::Text(id)),
            C::Flag(name) => Fact::Other("flag", name),
            C::ActorsTurn => Fact::Other("actors_turn", ""),
            C::Named(role) => Fact::Named(RoleKey(role)),
            C::Given(word) => Fact::Given(field_of(word).unwrap_or_default()),
            C::Offstage(role) => Fact::Offstage(RoleKey(role)),
            C::NameFree => NAME_FREE,
            C::SpawnedThisTurn => Fact::Other("spawned", ""),
        };
        Self::Fact(fact, wanted)
    }

    fn always(holds: bool) -> Self {
        if holds {
            Self::All(Vec::new())
        } else {
            Self::Any(Vec::new())
        }
    }
}
