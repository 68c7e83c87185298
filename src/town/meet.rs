//! Characters who meet tell one another what they remember.

use super::events::NewsTold;
use crate::authoring::story_spec::Gossip;
use crate::base::canonical::draw;
use crate::base::clock::DramatisClock;
use crate::base::fixed::Millis;
use crate::base::ids::Id;
use crate::base::seed::WorldSeed;
use crate::base::time::GameTime;
use crate::judged_world::state::senses::Senses;
use crate::memory::news::Telling;
use crate::memory::{Episode, Mind, Provenance};
use crate::npc::{LoadedCharacter, change_mind};
use crate::outbox::Outbox;
use crate::pipeline::driver::hook::call_hook;
use crate::story::ActiveStory;
use crate::world::{Contents, Location, PlacedIn, WorldIndex, WorldRead, WorldView};
use bevy::ecs::change_detection::Tick;
use bevy::platform::hash::FixedHasher;
use bevy::prelude::*;
use std::collections::{BTreeSet, VecDeque};
use std::hash::BuildHasher;

/// The company of a character: since when it is undisturbed where it is. Each character has it where news travels.
#[derive(Component, Debug, Clone, Default)]
pub(crate) struct Company {
    /// Since when it has been there and in no run.
    pub since: GameTime,
    /// What held it when it was looked at last.
    seen: Option<Entity>,
    /// When its mind was changed last then. `None`: it is to be looked at again.
    mind: Option<Tick>,
    /// What it could tell, and what it knows: a number for each piece of news, in order. What another can tell and this one does
    /// not know may be news for it; whether it is, the minds say.
    tells: Vec<u64>,
    knows: Vec<u64>,
}

impl Company {
    /// A character that has been undisturbed since then.
    pub(super) fn since(since: GameTime) -> Self {
        Self {
            since,
            ..Self::default()
        }
    }

    /// It was disturbed: it begins again.
    pub(super) fn disturb(&mut self, now: GameTime) {
        (self.since, self.mind) = (now, None);
    }
}

/// Whether one of two, both sorted, holds what the other lacks.
fn lacks_some(knows: &[u64], told: &[u64]) -> bool {
    let mut known = knows.iter().copied().peekable();
    told.iter().any(|one| {
        while known.next_if(|other| other < one).is_some() {}
        known.peek() != Some(one)
    })
}

/// A number for a piece of news: the character that was there, the id of its episode, and which correction.
fn number_of(witness: &Id, id: &str, version: i64) -> u64 {
    FixedHasher.hash_one((witness.as_str(), id, version))
}

/// What a character could tell, and what it knows.
fn news_of(mind: &Mind, own: &Id, gossip: Gossip) -> (Vec<u64>, Vec<u64>) {
    let number = |episode: &Episode| {
        let (witness, id) = episode.origin(own);
        number_of(
            witness,
            id,
            episode.hearsay.as_ref().map_or(0, |told| told.version),
        )
    };
    let told = mind
        .episodes
        .iter()
        .filter(|episode| may_go(episode, gossip));
    let mut tells: Vec<u64> = told.map(number).collect();
    let heard = mind.heard.iter().flat_map(|(witness, heard)| {
        heard
            .iter()
            .map(|(id, version)| number_of(witness, id, *version))
    });
    let mut knows: Vec<u64> = heard.chain(tells.iter().copied()).collect();
    tells.sort_unstable();
    knows.sort_unstable();
    knows.dedup();
    (tells, knows)
}

/// Whether an episode may be told at all.
fn may_go(episode: &Episode, gossip: Gossip) -> bool {
    episode.significance >= gossip.least
        && !episode.private
        && !matches!(episode.provenance, Provenance::Diary(_))
        && episode.hops() < gossip.most_hops
}

/// When pairs of characters meet next, as far as they have news for one another. One that is out of date is passed over.
#[derive(Resource, Debug, Default)]
pub(crate) struct Meetings {
    queue: BTreeSet<(GameTime, Id, Id)>,
    /// How news travels.
    gossip: Option<Gossip>,
}

/// What was told, the newest last.
#[derive(Resource, Debug, Default)]
pub(crate) struct ToldNews(pub VecDeque<NewsTold>);

/// How many tellings are kept, for tools and traces.
const MOST_TOLD: usize = 10_000;

pub(super) type Companions = (
    Entity,
    &'static LoadedCharacter,
    Option<&'static Company>,
    Option<&'static PlacedIn>,
    Option<Ref<'static, Mind>>,
);

/// Looks at who has come and gone since `last`, and plans who meets whom. Returns whether news travels at all.
pub(super) fn look_around(
    world: &mut World,
    companions: &mut QueryState<Companions>,
    last: GameTime,
) -> bool {
    let gossip = world.resource::<ActiveStory>().0.gossip;
    let mut meetings = world.get_resource_or_init::<Meetings>();
    let is_other = meetings.gossip != gossip;
    if is_other {
        meetings.queue.clear();
        meetings.gossip = gossip;
    }
    if gossip.is_none() && !is_other {
        return false;
    }
    let mut woken: Vec<(Id, Entity)> = Vec::new();
    for (npc, character, company, placed, mind) in companions.iter(world) {
        let place = placed.map(|placed| placed.0);
        let mind = mind.map(|mind| mind.last_changed());
        let is_same = company.is_some_and(|known| known.seen == place && known.mind == mind);
        if is_other || !is_same {
            woken.push((character.0.id.clone(), npc));
        }
    }
    woken.sort_unstable();
    for (_, npc) in &woken {
        let placed = world.get::<PlacedIn>(*npc).map(|placed| placed.0);
        let mind = world
            .get_entity(*npc)
            .ok()
            .and_then(|npc| npc.get_ref::<Mind>());
        let mind = mind.map(|mind| mind.last_changed());
        let known = world.get::<Company>(*npc);
        // One that is loaded has not been looked at yet.
        let stays = known.is_some_and(|known| known.seen == placed || known.seen.is_none());
        let since = known.map(|known| known.since).filter(|_| stays);
        let own = LoadedCharacter::id_of(world, *npc);
        let news = own
            .zip(gossip)
            .and_then(|(own, gossip)| Some(news_of(world.get::<Mind>(*npc)?, &own, gossip)));
        let (tells, knows) = news.unwrap_or_default();
        let company = Company {
            since: since.unwrap_or(last),
            seen: placed,
            mind,
            tells,
            knows,
        };
        match gossip {
            Some(_) => world.entity_mut(*npc).insert(company),
            None => world.entity_mut(*npc).remove::<Company>(),
        };
    }
    for (id, npc) in &woken {
        plan_meetings(world, *npc, id, last);
    }
    gossip.is_some()
}

/// A character has come somewhere at this time.
pub(super) fn arrive(world: &mut World, npc: Entity, id: &Id, now: GameTime) {
    let placed = world.get::<PlacedIn>(npc).map(|placed| placed.0);
    if let Some(mut company) = world.get_mut::<Company>(npc) {
        (company.since, company.seen) = (now, placed);
        plan_meetings(world, npc, id, now);
    }
}

/// A character remembers something more from this time on: it may be news for those who are with it.
pub(super) fn remembers_more(world: &mut World, npc: Entity, id: &Id, now: GameTime) {
    let Some(gossip) = world
        .get_resource::<Meetings>()
        .and_then(|meetings| meetings.gossip)
    else {
        return;
    };
    let mind = world.get_entity(npc).ok();
    let mind = mind.and_then(|npc| npc.get_ref::<Mind>());
    let now_known = mind.map(|mind| (mind.last_changed(), news_of(&mind, id, gossip)));
    if let (Some(mut company), Some((tick, (tells, knows)))) =
        (world.get_mut::<Company>(npc), now_known)
    {
        (company.mind, company.tells, company.knows) = (Some(tick), tells, knows);
        plan_meetings(world, npc, id, now);
    }
}

/// The next meeting, later than `now`.
pub(super) fn next_meeting(world: &World) -> Option<GameTime> {
    let meetings = world.get_resource::<Meetings>()?;
    meetings.queue.first().map(|(time, ..)| *time)
}

/// Plans when a character meets each of those who are with it, later than `now`.
fn plan_meetings(world: &mut World, npc: Entity, id: &Id, now: GameTime) {
    let Some(every) = world
        .resource::<Meetings>()
        .gossip
        .map(|gossip| gossip.every)
    else {
        return;
    };
    let Some(own) = world.get::<Company>(npc) else {
        return;
    };
    let since = own.since;
    let place = world.get::<PlacedIn>(npc).map(|placed| placed.0);
    let Some(here) = place.filter(|place| world.get::<Location>(*place).is_some()) else {
        return;
    };
    let contents = world.get::<Contents>(here);
    let others = contents.into_iter().flat_map(|contents| contents.iter());
    let meetings: Vec<_> = others
        .filter(|other| *other != npc)
        .filter_map(|other| {
            let company = world.get::<Company>(other)?;
            let is_news =
                lacks_some(&company.knows, &own.tells) || lacks_some(&own.knows, &company.tells);
            if !is_news {
                return None;
            }
            let other = &world.get::<LoadedCharacter>(other)?.0.id;
            let since = since.max(company.since);
            // Every so often since then, and later than now.
            let so_often = now.since(since).0.max(0) / every.0 + 1;
            let next = since.after(Millis(so_often.saturating_mul(every.0)));
            let (a, b) = (id.min(other).clone(), id.max(other).clone());
            Some((next, a, b))
        })
        .collect();
    world.resource_mut::<Meetings>().queue.extend(meetings);
}

/// The next pair meets, whose time has come: one of them tells the other something.
pub(super) fn meet(world: &mut World, held: &BTreeSet<Id>) {
    let mut meetings = world.resource_mut::<Meetings>();
    let (Some((now, a, b)), Some(gossip)) = (meetings.queue.pop_first(), meetings.gossip) else {
        return;
    };
    let index = world.resource::<WorldIndex>();
    let (Some(first), Some(second)) = (index.get(&a), index.get(&b)) else {
        return;
    };
    let together = |npc: Entity| Some((world.get::<Company>(npc)?, world.get::<PlacedIn>(npc)?.0));
    let (Some((one, here)), Some((other, there))) = (together(first), together(second)) else {
        return;
    };
    let since = now.since(one.since.max(other.since)).0;
    let is_time = since > 0 && since % gossip.every.0 == 0;
    // A character that was disturbed meanwhile meets at another time, and one that is in a run after that run.
    if here != there || !is_time || held.contains(&a) || held.contains(&b) {
        return;
    }
    let seed = world.resource::<WorldSeed>().0;
    let drawn = draw(seed, "gossip", &[&a, &b, &now.0.to_string()]);
    let mut pair = [(first, &a), (second, &b)];
    if drawn % 2 == 1 {
        pair.reverse();
    }
    let [teller, listener] = pair;
    let (is_told, may_hear) = match tell(world, gossip, teller, listener) {
        Tried::Told => (true, true),
        tried => {
            let other_way = tell(world, gossip, listener, teller);
            let senses = [tried, other_way].contains(&Tried::NotHeard);
            (other_way == Tried::Told, senses)
        }
    };
    // Those who have nothing to tell meet again when one of them remembers something new.
    if is_told || may_hear {
        let next = now.after(gossip.every);
        world.resource_mut::<Meetings>().queue.insert((next, a, b));
    }
}

/// What has become of a telling.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tried {
    Told,
    /// There is nothing to tell.
    Nothing,
    /// One of them cannot tell or hear it now.
    NotHeard,
}

/// One tells the other what matters most of what that one does not know.
fn tell(
    world: &mut World,
    gossip: Gossip,
    (teller, from): (Entity, &Id),
    (listener, to): (Entity, &Id),
) -> Tried {
    let now = world.resource::<DramatisClock>().game;
    let (Some(mind), Some(other)) = (world.get::<Mind>(teller), world.get::<Mind>(listener)) else {
        return Tried::Nothing;
    };
    let news = mind.episodes.iter();
    let news = news.filter(|news| may_go(news, gossip) && other.lacks_news(to, from, news));
    // The newest of what matters most.
    let order = |episode: &&Episode| (episode.significance, episode.time);
    let Some(news) = news.max_by(|a, b| order(a).cmp(&order(b)).then(b.id.cmp(&a.id))) else {
        return Tried::Nothing;
    };
    let news = news.clone();
    let view = WorldView::new(world);
    let (mouth, ear) = (Senses::of(&view, from), Senses::of(&view, to));
    if mouth.mute || mouth.invisible || ear.deaf {
        return Tried::NotHeard;
    }
    let place = view.place_of(to);
    let name = view.name_of(from).unwrap_or_else(|| from.to_string());
    let story = world.resource::<ActiveStory>().0.clone();
    let character = world.get::<LoadedCharacter>(teller);
    let character = character.map(|npc| npc.0.clone());
    let language = character.as_ref().map(|npc| story.language_of(npc));
    let language = language.unwrap_or(&story.lexicon);
    let telling = Telling {
        teller: from,
        name: &name,
        you: language.prompt.get("you"),
        listener: to,
        place: place.as_ref(),
        now,
    };
    change_mind(world, listener, |mind| mind.hear_news(&news, &telling));
    call_hook(world, |hook, world| hook.mind_changed(world, listener));
    let (witness, id) = news.origin(from);
    let told = NewsTold {
        entity: listener,
        from: from.clone(),
        to: to.clone(),
        origin: (witness.clone(), id.to_owned()),
        hops: news.hops().saturating_add(1),
        time: now,
    };
    let mut all = world.get_resource_or_init::<ToldNews>();
    if all.0.len() >= MOST_TOLD {
        all.0.pop_front();
    }
    all.0.push_back(told.clone());
    world.get_resource_or_init::<Outbox>().tell(told);
    remembers_more(world, listener, to, now);
    Tried::Told
}
