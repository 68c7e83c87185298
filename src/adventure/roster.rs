//! Who acts in a turn: the characters at the place of the persona, chosen once.

use super::activation::{ActivationRules, Candidate, activate};
use super::markers::quiet_marker;
use super::message::{MessageType, Owner};
use super::record::Price;
use super::scene::Cast;
use super::stream::Stream;
use super::turn::AdventureTurn;
use crate::authoring::adventure_settings::AdventureSettings;
use crate::base::ids::Id;
use crate::base::seed::WorldSeed;
use crate::npc::{Baked, Chattiness};
use crate::story::ActiveStory;
use crate::text::Lexicon;
use bevy::prelude::*;

/// Decides who acts, after the persona's narration, among those at the persona's place.
pub(super) fn choose_active(world: &mut World, turn: &mut AdventureTurn, cast: &Cast) {
    let settings = *world.get_resource_or_init::<AdventureSettings>();
    let stream = world.get_resource_or_init::<Stream>();
    let acted_in = |npc: &Id| {
        let mut tail = stream.live_tail().rev();
        let own = tail.find(|message| message.owner.actor() == Some(npc));
        own.map_or(0, |message| message.turn_id)
    };
    let here = cast.at(cast.place(&turn.persona));
    let present = cast
        .characters
        .iter()
        .filter(|one| here.contains(&one.character.id));
    let candidates: Vec<(Entity, Candidate)> = present
        .map(|one| {
            let candidate = Candidate {
                npc: one.character.id.clone(),
                chattiness: one.character.chattiness,
                baked: one.character.baked,
                names: cast.names(&one.character.id),
                last_acted: acted_in(&one.character.id),
            };
            (one.entity, candidate)
        })
        .collect();
    let candidates: Vec<Candidate> = candidates
        .into_iter()
        .map(|(entity, candidate)| Candidate {
            chattiness: world
                .get::<Chattiness>(entity)
                .map_or(candidate.chattiness, |own| own.0),
            baked: world
                .get::<Baked>(entity)
                .map_or(candidate.baked, |own| own.0),
            ..candidate
        })
        .collect();
    let intention = turn.intention(&turn.persona).unwrap_or_default();
    let narrations = turn.staged.messages.iter();
    let narrations = narrations.filter(|message| message.kind == MessageType::Narration);
    let mut texts: Vec<&str> = narrations.map(|message| message.content.as_str()).collect();
    texts.push(intention);
    if !turn.whisper_to.is_empty() {
        // The topic of a whisper activates no character.
        texts.clear();
    }
    let rules = ActivationRules {
        max_active: settings.max_active,
        when_named: settings.activate_when_named,
    };
    let seed = world.get_resource::<WorldSeed>().map_or(0, |seed| seed.0);
    let lexicon: &Lexicon = &world.resource::<ActiveStory>().0.lexicon;
    let rolls = activate(&candidates, &texts, rules, lexicon, seed, turn.turn_id);
    let active = rolls.iter().filter(|roll| roll.active);
    turn.order = active.map(|roll| roll.npc.clone()).collect();
    turn.staged.rolls = rolls;
    let acting = u32::try_from(turn.order.len()).unwrap_or(u32::MAX);
    let made = u32::from(turn.text.is_none());
    turn.staged.price = Price {
        calls: 3 + made + 4 * acting,
        depth: 2 + made + 2 * acting,
    };
    if turn.order.is_empty() && settings.quiet_marker {
        let place = cast.place(&turn.persona).cloned();
        let content = quiet_marker();
        turn.say(
            Owner::System,
            MessageType::SceneMarker,
            content,
            place,
            Vec::new(),
        );
    }
}

/// The next character that acts; one that is gone meanwhile is passed over.
pub(super) fn next_actor(turn: &mut AdventureTurn, cast: &Cast) -> Option<Id> {
    while let Some(next) = turn.order.pop_front() {
        if cast.character(&next).is_some() {
            return Some(next);
        }
    }
    None
}
