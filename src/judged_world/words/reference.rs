//! References: from "the brass key" or "it" to an id, always the same way.
//!
//! Words are compared whole and folded, without their article. An id beats a name, a name beats an alias; what the
//! actor perceives beats what is elsewhere on stage. Two that fit equally well are ambiguous, and nothing is guessed.

use super::name_key::name_key;
use crate::base::ids::Id;
use crate::judged_world::action::FieldKind;
use crate::judged_world::state::knowledge::is_carried_unseen;
use crate::judged_world::state::senses::Senses;
use crate::judged_world::state::{Placement, WorldRead};
use crate::text::Lexicon;
use std::borrow::Cow;

/// Whether the words are a pronoun, such as "it" or "herself".
#[must_use]
pub fn is_pronoun(words: &str, lexicon: &Lexicon) -> bool {
    let wanted = name_key(words);
    let known = &lexicon.references;
    [
        &known.oneself,
        &known.things,
        &known.anything,
        &known.people,
        &known.subjects,
        &known.addressed,
    ]
    .iter()
    .any(|list| list.contains(&wanted))
}

/// Whether the words are a pronoun that may mean another character, such as "him" or "you".
pub(crate) fn means_person(words: &str, lexicon: &Lexicon) -> bool {
    let wanted = name_key(words);
    let known = &lexicon.references;
    let lists = [
        &known.people,
        &known.anything,
        &known.subjects,
        &known.addressed,
    ];
    lists.iter().any(|list| list.contains(&wanted))
}

/// Why words do not say which entity or location is meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UnresolvedReference {
    /// Nothing that the actor can refer to fits.
    Unresolved,
    /// Several fit equally well; their ids, in order of the alphabet.
    Ambiguous(Vec<Id>),
}

/// A reference in a field of an action, without its words: the actor that refers, and what it may mean.
#[derive(Clone, Copy)]
pub struct Reference<'a> {
    /// The id of the actor that refers.
    pub actor: &'a Id,
    /// What the field holds: a thing, a character, a location, an entity that waits offstage.
    pub kind: FieldKind,
    /// The ids in the action's other references: a pronoun means none of them.
    pub taken: &'a [Id],
    /// The ids that were mentioned before, one list for each action, the last one last: what pronouns may mean.
    pub mentioned: &'a [Vec<Id>],
    /// The id of the speaker that has just addressed the actor: "you".
    pub speaker: Option<&'a Id>,
    /// The ids of what the actor saw a moment ago: it can refer to them, on stage or not.
    pub known: &'a [Id],
    /// Whether the actor knows of something that is elsewhere. What it does not know of, its words do not mean.
    pub knows: &'a dyn Fn(&Id) -> bool,
    /// The language of the words.
    pub lexicon: &'a Lexicon,
    /// Whether the action could be done with this id in the field. It decides between what a pronoun may mean.
    pub possible: &'a dyn Fn(&Id) -> bool,
}

impl Reference<'_> {
    /// The id that the words mean.
    ///
    /// # Errors
    /// See [`UnresolvedReference`].
    pub fn resolve(&self, world: &dyn WorldRead, words: &str) -> Result<Id, UnresolvedReference> {
        let wanted = name_key(words);
        if let Some(found) = self.pronoun(world, &wanted) {
            return found.ok_or(UnresolvedReference::Unresolved);
        }
        let named = self.named(world, &wanted);
        match self.without_article(&wanted) {
            Some(bare) if named == Err(UnresolvedReference::Unresolved) => self.named(world, bare),
            _ => named,
        }
    }

    /// The words without the article of their language, where they begin with one.
    fn without_article<'w>(&self, wanted: &'w str) -> Option<&'w str> {
        let (first, rest) = wanted.split_once(' ')?;
        let pointing = &self.lexicon.references.pointing;
        let mut articles = self.lexicon.articles.iter().chain(pointing);
        articles.any(|word| word == first).then_some(rest)
    }

    /// What is called so.
    fn named(&self, world: &dyn WorldRead, wanted: &str) -> Result<Id, UnresolvedReference> {
        let mut carried = world.contents(self.actor);
        carried.retain(|id| !self.is_hidden(world, id));
        let owned = self.owned(wanted).map(name_key);
        // "My sword" is the own one, whatever else is called so.
        if let Some(found) = owned.and_then(|owned| one_of(world, &carried, &owned)) {
            return found;
        }
        let known = self.known.iter().filter(|id| !self.is_hidden(world, id));
        let known: Vec<Id> = known.cloned().collect();
        let (near, far) = self.pools(world, wanted);
        for pool in near.iter().chain([&known]) {
            if let Some(found) = one_of(world, pool, wanted) {
                return found;
            }
        }
        // Which things there are where the actor has never been, no question may tell.
        let known = |pool: Vec<Id>| pool.into_iter().filter(|id| (self.knows)(id)).collect();
        let far: Vec<Vec<Id>> = far.into_iter().map(known).collect();
        let found = far.iter().find_map(|pool| one_of(world, pool, wanted));
        found
            .and_then(Result::ok)
            .ok_or(UnresolvedReference::Unresolved)
    }

    /// What a pronoun means, if the words are one.
    fn pronoun(&self, world: &dyn WorldRead, wanted: &str) -> Option<Option<Id>> {
        let words = &self.lexicon.references;
        let is = |list: &[String]| list.iter().any(|word| word == wanted);
        let last = |fits: &dyn Fn(&str) -> bool| {
            // Of what one action spoke of, that which the new action can be done to is meant, else what came last.
            self.mentioned.iter().rev().find_map(|together| {
                let fitting: Vec<&Id> = together
                    .iter()
                    .filter(|id| !self.taken.contains(id) && !self.is_hidden(world, id))
                    .filter(|id| self.fits(world, id) && fits(id))
                    .collect();
                let possible = fitting.iter().rev().find(|id| (self.possible)(id));
                possible.or(fitting.last()).map(|id| (*id).clone())
            })
        };
        if is(&words.oneself) {
            return Some(Some(self.actor.clone()));
        }
        if is(&words.addressed) {
            return Some(self.speaker.cloned());
        }
        if is(&words.things) {
            return Some(last(&|id| !world.is_kind(id, "character")));
        }
        if is(&words.anything) {
            return Some(last(&|_| true));
        }
        let other = |id: &str| world.is_kind(id, "character") && id != self.actor;
        if is(&words.people) {
            return Some(last(&other));
        }
        if is(&words.subjects) {
            return Some(last(&other).or_else(|| Some(self.actor.clone())));
        }
        None
    }

    /// Whether it cannot be seen: it is invisible, or its carrier is.
    fn is_hidden(&self, world: &dyn WorldRead, id: &Id) -> bool {
        is_carried_unseen(world, self.actor, id)
    }

    fn fits(&self, world: &dyn WorldRead, id: &str) -> bool {
        match self.kind {
            FieldKind::Place => world.is_location(id),
            FieldKind::Character => world.is_kind(id, "character"),
            _ => world.placement(id).is_some(),
        }
    }

    /// What follows "my".
    fn owned<'w>(&self, wanted: &'w str) -> Option<&'w str> {
        let (first, rest) = wanted.split_once(' ')?;
        let mine = &self.lexicon.references.mine;
        mine.iter().any(|word| word == first).then_some(rest)
    }

    /// Where to look, nearest first: among what the actor perceives, and among the rest.
    fn pools(&self, world: &dyn WorldRead, wanted: &str) -> (Vec<Vec<Id>>, Vec<Vec<Id>>) {
        let here = world.place_of(self.actor);
        let near = world.near(self.actor);
        let mut places: Vec<Id> = here.clone().into_iter().collect();
        places.extend(
            here.and_then(|here| world.location(&here))
                .map(|location| location.connected_to)
                .unwrap_or_default(),
        );
        let mut everywhere = world.named(wanted);
        everywhere.retain(|id| !self.is_hidden(world, id));
        // A blind actor finds what it carries and the speakers, and knows the places.
        let blind = Senses::of(world, self.actor).blind;
        everywhere.retain(|id| !blind || world.is_location(id) || near.contains(id));
        let on_stage = everywhere.iter().filter(|id| is_on_stage(world, id));
        let on_stage: Vec<Id> = on_stage.cloned().collect();
        let (far_places, far): (Vec<Id>, Vec<Id>) =
            on_stage.into_iter().partition(|id| world.is_location(id));
        match self.kind {
            FieldKind::Place => (vec![places], vec![far_places, near, far]),
            FieldKind::Newcomer => {
                let offstage = everywhere
                    .iter()
                    .filter(|id| world.placement(id) == Some(Placement::Offstage));
                (vec![offstage.cloned().collect()], vec![near, far])
            }
            FieldKind::Character => {
                let (people, things): (Vec<Id>, Vec<Id>) = near
                    .into_iter()
                    .partition(|id| world.is_kind(id, "character"));
                (vec![people, things], vec![far])
            }
            _ => (vec![near, places], vec![far, far_places]),
        }
    }
}

fn is_on_stage(world: &dyn WorldRead, id: &str) -> bool {
    world.placement(id) != Some(Placement::Offstage)
}

/// The one in a pool whose id, or else name, or else alias this is; nothing when there is none.
fn one_of(
    world: &dyn WorldRead,
    pool: &[Id],
    wanted: &str,
) -> Option<Result<Id, UnresolvedReference>> {
    // A reference by id needs no look at the names.
    let by_id = pick(pool.iter().filter(|id| name_key(id) == wanted));
    if by_id.is_some() {
        return by_id;
    }
    let names: Vec<(&Id, String, Vec<String>)> = pool
        .iter()
        .map(|id| {
            let (name, aliases) = match world.entity(id) {
                Some(entity) => (entity.name, entity.aliases),
                None => (world.name_of(id).unwrap_or_default(), Vec::new()),
            };
            (id, name, aliases)
        })
        .collect();
    let by_name = |(_, name, _): &&(&Id, String, Vec<String>)| name_key(name) == wanted;
    let by_alias = |(.., aliases): &&(&Id, String, Vec<String>)| {
        aliases.iter().any(|alias| name_key(alias) == wanted)
    };
    pick(names.iter().filter(by_name).map(|(id, ..)| *id))
        .or_else(|| pick(names.iter().filter(by_alias).map(|(id, ..)| *id)))
}

fn pick<'a>(found: impl Iterator<Item = &'a Id>) -> Option<Result<Id, UnresolvedReference>> {
    let mut ids: Vec<Id> = found.cloned().collect();
    ids.sort();
    ids.dedup();
    match ids.len() {
        0 => None,
        1 => ids.pop().map(Ok),
        _ => Some(Err(UnresolvedReference::Ambiguous(ids))),
    }
}

/// What to call something in a question, a list or a message: its name, or its id where it has none or is not there.
#[must_use]
pub fn display_name<'a>(world: &dyn WorldRead, id: &'a str) -> Cow<'a, str> {
    world.name_of(id).map_or(Cow::Borrowed(id), Cow::Owned)
}
