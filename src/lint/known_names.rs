//! The worlds that a rulebook is used in, and the attributes and ids in it that none of them knows.

use super::effects::no_number;
use super::findings::Findings;
use super::place::Place;
use super::report::LintKind::{UnknownAttribute, Unresolved};
use super::roles::{leaves, roles_of, roles_of_effect};
use super::worlds::KnownIds;
use crate::base::names::{hint, slip};
use crate::format::pointer;
use crate::judged_world::rulebook::{ActionCondition, ActionEffect, ActionRole, Rulebook};
use crate::judged_world::state::passage::LEADS_TO;
use crate::scenario::StepSpec;
use crate::world::{WorldSpec, WorldValue};
use std::collections::{BTreeMap, BTreeSet};

/// More names in one rulebook than are looked at.
const MAX_NAMES: usize = 1_000;

/// What the worlds know in which a rulebook is used.
#[derive(Debug, Default)]
pub(super) struct KnownNames {
    /// Whether all worlds are seen that the rulebook is for.
    pub all: bool,
    worlds: usize,
    /// Whether some world does not say which attributes there are, or which ids.
    vague_attributes: bool,
    vague_ids: bool,
    /// The attributes that there are, and whether some of them is a number.
    attributes: BTreeMap<String, bool>,
    ids: BTreeSet<String>,
}

impl KnownNames {
    /// The use in one world. A story is the one that its rulebook is for; one whose entities have no attributes leaves these
    /// to the game.
    pub(crate) fn of(world: Option<&WorldSpec>, cast: &KnownIds, is_story: bool) -> Self {
        let mut uses = Self {
            all: is_story,
            worlds: 1,
            vague_ids: cast.locations.is_none() || cast.open,
            ..Self::default()
        };
        let entities = world.into_iter().flat_map(|world| world.entities.values());
        let kinds = world.into_iter().flat_map(|world| world.kinds.values());
        for (name, value) in entities
            .map(|entity| &entity.attributes)
            .chain(kinds)
            .flatten()
        {
            uses.attribute(name, value);
        }
        uses.vague_attributes = world.is_none_or(|world| world.entities.is_empty())
            || (is_story && uses.attributes.is_empty());
        let known = [&cast.entities, &cast.npcs, &cast.played];
        let known = known.into_iter().chain(&cast.locations).flatten();
        uses.ids.extend(known.map(|id| (*id).to_owned()));
        uses
    }

    /// Takes in what the steps of a scenario set.
    pub(crate) fn with_steps(mut self, steps: &[StepSpec]) -> Self {
        for step in steps.iter().flat_map(|step| step.with_inner()) {
            if let StepSpec::SetAttribute { name, value, .. } = step {
                self.attribute(name, value);
            }
        }
        self
    }

    fn attribute(&mut self, name: &str, value: &WorldValue) {
        let is_number = matches!(value, WorldValue::Int(_));
        *self.attributes.entry(name.to_owned()).or_default() |= is_number;
    }

    /// Takes in the use in other worlds.
    pub fn join(&mut self, other: Self) {
        self.all |= other.all;
        self.worlds += other.worlds;
        self.vague_attributes |= other.vague_attributes;
        self.vague_ids |= other.vague_ids;
        for (name, is_number) in other.attributes {
            *self.attributes.entry(name).or_default() |= is_number;
        }
        self.ids.extend(other.ids);
    }

    /// Checks what a rulebook names.
    pub fn check(&self, book: &Rulebook, place: &Place, findings: &mut Findings) {
        let names = Names::of(book);
        let seen = self.all && self.worlds > 0;
        self.check_asked(&names, seen && !self.vague_attributes, place, findings);
        self.check_set(&names, place, findings);
        if seen && !self.vague_attributes {
            self.check_added(book, &names, place, findings);
        }
        for (id, places) in names.ids.iter().take(MAX_NAMES) {
            let known = || self.ids.iter().map(String::as_str);
            let missing = !self.ids.contains(*id)
                && ((seen && !self.vague_ids) || slip(id, known()).is_some());
            if missing {
                let hint = hint(id, known());
                let message = format!(
                    "there is no entity or location \"{}\"{hint}",
                    id.escape_debug()
                );
                for below in places {
                    findings.add(Unresolved, &place.at(below), message.clone());
                }
            }
        }
    }

    /// Checks the attribute that a trigger waits for. The effects of the rulebook set attributes, too.
    pub fn check_awaited(
        &self,
        name: &str,
        book: Option<&Rulebook>,
        place: &Place,
        findings: &mut Findings,
    ) {
        let mut names = book.map_or_else(Names::default, Names::of);
        let asked = Asked {
            place: String::new(),
            wanted: true,
        };
        names.asked = BTreeMap::from([(name, vec![asked])]);
        self.check_asked(&names, !self.vague_attributes, place, findings);
    }

    fn check_asked(&self, names: &Names, sure: bool, place: &Place, findings: &mut Findings) {
        let shipped = Names::shipped();
        let known = || {
            shipped
                .iter()
                .chain(&self.attributes)
                .map(|(name, _)| name.as_str())
        };
        for (name, asked) in names.asked.iter().take(MAX_NAMES) {
            let is_known = shipped.contains_key(*name) || self.attributes.contains_key(*name);
            if is_known || names.set.contains_key(name) {
                continue;
            }
            let slip = slip(name, known())
                .or_else(|| swapped(name, &shipped))
                .or_else(|| names.slip(name, asked.len()));
            for asked in asked {
                let message = if let Some(slip) = slip {
                    format!(
                        "nothing has the attribute \"{}\" (did you mean \"{}\"?)",
                        name.escape_debug(),
                        slip.escape_debug()
                    )
                } else if sure && asked.wanted {
                    let others = names.set.keys().copied();
                    let hint = hint(name, known().chain(others));
                    format!(
                        "nothing has the attribute \"{}\", and nothing sets it{hint}",
                        name.escape_debug()
                    )
                } else {
                    continue;
                };
                findings.add(UnknownAttribute, &place.at(&asked.place), message);
            }
        }
    }

    /// A name that is set may be new. Where nothing asks for it, it may be a slip.
    fn check_set(&self, names: &Names, place: &Place, findings: &mut Findings) {
        let shipped = Names::shipped();
        for (name, places) in names.set.iter().take(MAX_NAMES) {
            let is_known = shipped.contains_key(*name) || self.attributes.contains_key(*name);
            if is_known || names.asked.contains_key(name) {
                continue;
            }
            let known = shipped
                .iter()
                .chain(&self.attributes)
                .map(|(name, _)| name.as_str());
            let Some(slip) = slip(name, known).or_else(|| swapped(name, &shipped)) else {
                continue;
            };
            let message = format!(
                "nothing asks for the attribute \"{}\" (did you mean \"{}\"?)",
                name.escape_debug(),
                slip.escape_debug()
            );
            for below in places {
                findings.add(UnknownAttribute, &place.at(below), message.clone());
            }
        }
    }

    /// What is added to is a number somewhere, or nowhere yet.
    fn check_added(&self, book: &Rulebook, names: &Names, place: &Place, findings: &mut Findings) {
        for (action, rule) in &book.actions {
            for (i, effect) in rule.effects.iter().enumerate() {
                if let ActionEffect::AddAttribute(_, name, _) = effect
                    && self.attributes.get(name) == Some(&false)
                    && !names.written.contains(name.as_str())
                {
                    let place = place.key("/actions", action).item("/effects", i);
                    no_number(name, &place, findings);
                }
            }
        }
    }
}

/// A place that asks for an attribute.
struct Asked {
    place: String,
    /// Whether its absence matters: it must be there, and no condition next to it asks whether it is.
    wanted: bool,
}

/// What a rulebook names, with the places below it.
#[derive(Default)]
struct Names<'a> {
    asked: BTreeMap<&'a str, Vec<Asked>>,
    /// Set or added to.
    set: BTreeMap<&'a str, Vec<String>>,
    /// Set.
    written: BTreeSet<&'a str>,
    ids: BTreeMap<&'a str, BTreeSet<String>>,
}

impl<'a> Names<'a> {
    fn of(book: &'a Rulebook) -> Self {
        let mut names = Self::default();
        for (action, rule) in &book.actions {
            let action = format!("/actions/{}", pointer::key(action));
            for (i, check) in rule.checks.iter().enumerate() {
                names.condition(&check.when, &format!("{action}/checks/{i}/when"));
            }
            for (i, effect) in rule.effects.iter().enumerate() {
                names.effect(effect, &format!("{action}/effects/{i}"));
            }
        }
        names
    }

    /// The attributes of the shipped rulebook. Any world may know them.
    fn shipped() -> BTreeMap<String, bool> {
        let names = Names::of(Rulebook::shipped());
        let names = names.asked.into_keys().chain(names.set.into_keys());
        let names = names.chain(["key", LEADS_TO]);
        names.map(|name| (name.to_owned(), false)).collect()
    }

    fn condition(&mut self, condition: &'a ActionCondition, place: &str) {
        let mut asked: BTreeMap<&str, bool> = BTreeMap::new();
        leaves(condition, true, &mut |leaf, wanted| {
            if let ActionCondition::Attribute(_, name, _)
            | ActionCondition::HasAttribute(_, name)
            | ActionCondition::AtLeast(_, name, _)
            | ActionCondition::AtMost(_, name, _) = leaf
            {
                *asked.entry(name).or_insert(true) &= wanted;
            }
            if let ActionCondition::Is(_, id) = leaf {
                self.id(id, place);
            }
            roles_of(leaf).for_each(|role| self.role(role, place));
        });
        for (name, wanted) in asked {
            let place = place.to_owned();
            self.asked
                .entry(name)
                .or_default()
                .push(Asked { place, wanted });
        }
    }

    fn effect(&mut self, effect: &'a ActionEffect, place: &str) {
        if let ActionEffect::SetAttribute(_, name, _) | ActionEffect::AddAttribute(_, name, _) =
            effect
        {
            self.set.entry(name).or_default().push(place.to_owned());
        }
        if let ActionEffect::SetAttribute(_, name, _) = effect {
            self.written.insert(name);
        }
        roles_of_effect(effect).for_each(|role| self.role(role, place));
    }

    fn role(&mut self, role: &'a ActionRole, place: &str) {
        match role {
            ActionRole::KeyOf(locked) => self.role(locked, place),
            ActionRole::The(id) => self.id(id, place),
            _ => {}
        }
    }

    fn id(&mut self, id: &'a str, place: &str) {
        self.ids.entry(id).or_default().insert(place.to_owned());
    }

    /// The name in this book that the author means with this one: this name is here once, the other more often.
    fn slip(&self, name: &str, times: usize) -> Option<&'a str> {
        let often = self.asked.iter().filter(|(_, asked)| asked.len() > 1);
        let often = often.map(|(name, _)| *name).chain(self.set.keys().copied());
        // "charge" and "charged" are two words.
        let others = often
            .filter(|other| *other != name && !other.starts_with(name) && !name.starts_with(other));
        if times == 1 { slip(name, others) } else { None }
    }
}

/// The shipped name of at least four letters that this is with two neighbours swapped: "opne".
fn swapped<'s>(name: &str, shipped: &'s BTreeMap<String, bool>) -> Option<&'s str> {
    let is_swapped = |other: &&str| {
        other.len() >= 4
            && other.len() == name.len()
            && (1..name.len()).any(|i| {
                let mut bytes = name.as_bytes().to_vec();
                bytes.swap(i - 1, i);
                bytes == other.as_bytes() && *other != name
            })
    };
    shipped.keys().map(String::as_str).find(is_swapped)
}

#[cfg(test)]
mod tests;
