//! Lines that a player could say: for a player without a keyboard, or without an idea.

use super::events::LinesOffered;
use super::meet::ToldNews;
use crate::base::ids::Id;
use crate::engine::Stage;
use crate::memory::Mind;
use crate::npc::doing::doing;
use crate::npc::{LoadedCharacter, PlayerId, RequestError, refuse};
use crate::outbox::Outbox;
use crate::pipeline::stage::call::StageCall;
use crate::pipeline::stage::steps::stage_schema;
use crate::pipeline::stage::template::StageTemplates;
use crate::pipeline::steps::prompt::escape;
use crate::pipeline::{StageForm, StageHost, StageResult, StageTask};
use crate::recorded::InputsAreFed;
use crate::rules::TriggerReason;
use crate::story::ActiveStory;
use crate::world::{WorldRead, WorldView};
use bevy::prelude::*;
use serde_json::{Value, json};
use std::sync::Arc;

/// The most exchanges with the player that the prompt holds.
const MOST_EXCHANGES: usize = 8;

/// On the entity of an offer that waits for its lines.
#[derive(Component, Debug)]
pub(crate) struct OfferingLines {
    npc: Id,
    entity: Entity,
    call: Option<StageCall>,
}

/// Asks for lines that the player could say to a character.
pub(crate) fn offer_lines(world: &mut World, npc: Entity) {
    if world.contains_resource::<InputsAreFed>() {
        return;
    }
    if !world.contains_resource::<ToldNews>() {
        return refuse(world, Some(npc), "", RequestError::LeftOut("TownPlugin"));
    }
    let Some(LoadedCharacter(character)) = world.get::<LoadedCharacter>(npc) else {
        return refuse(
            world,
            Some(npc),
            "",
            RequestError::UnknownNpc(npc.to_string()),
        );
    };
    let id = character.id.clone();
    let host = world.spawn(StageHost).id();
    let call = start(world, host, npc);
    world.entity_mut(host).insert(OfferingLines {
        npc: id,
        entity: npc,
        call,
    });
}

/// Starts the call; `None`, with a line in the log, when it cannot be made.
fn start(world: &mut World, host: Entity, npc: Entity) -> Option<StageCall> {
    let character = world.get::<LoadedCharacter>(npc)?.0.clone();
    let player = world.get_resource_or_init::<PlayerId>().0.clone();
    let story = world.resource::<ActiveStory>().0.clone();
    let words = story.lexicon.prompt.clone();
    let data = data(world, npc, &player);
    let messages = world
        .get_resource_or_init::<StageTemplates>()
        .render("player_lines", words.language(), &data)
        .inspect_err(|error| log::error!("{error}"))
        .ok()?;
    let mind = world.get::<Mind>(npc)?;
    let task = StageTask {
        npc: Some(character.id.clone()),
        keys: vec![
            "player_lines".to_owned(),
            character.id.to_string(),
            mind.interactions.to_string(),
        ],
        input: String::new(),
        words: messages,
        prompt_words: words,
        schema: stage_schema(Stage::PlayerLines, &[]).map(Arc::new),
        form: StageForm::Lines(npc),
    };
    let reason = TriggerReason::Custom;
    StageCall::start(
        world,
        host,
        Stage::PlayerLines,
        &character.id,
        reason,
        0,
        task,
    )
    .inspect_err(|error| log::warn!("lines for the player cannot be made: {error}"))
    .ok()
}

/// What the player knows: canon, what was said, and what it perceives. Nothing of the character but its name.
fn data(world: &World, npc: Entity, player: &Id) -> Value {
    let view = WorldView::new(world);
    let story = &world.resource::<ActiveStory>().0;
    let words = &story.lexicon.prompt;
    let called = |id: &str| view.name_of(id).unwrap_or_else(|| id.to_owned());
    let character = world.get::<LoadedCharacter>(npc);
    let name = character.map(|npc| npc.0.name.as_str()).unwrap_or_default();
    let player_name = called(player);
    let seen = view.perceived_by(player).into_iter();
    let seen = seen.map(|(id, thing)| match doing(world, &id) {
        Some(doing) => format!("{} ({})", thing.name, doing.seen(words)),
        None => thing.name,
    });
    let seen: Vec<String> = seen.filter(|name| !name.is_empty()).collect();
    let exchanges = world.get::<Mind>(npc).into_iter();
    let exchanges = exchanges.flat_map(|mind| mind.exchanges.iter().rev());
    let own = exchanges.filter(|exchange| exchange.speaker == player.as_str());
    let own: Vec<_> = own.take(MOST_EXCHANGES).collect();
    let said = own.into_iter().rev().flat_map(|exchange| {
        let heard = format!("{player_name}: {}", exchange.heard);
        let answered = format!("{name}: {}", exchange.answered);
        [heard, answered]
            .into_iter()
            .filter(|line| !line.ends_with(": "))
    });
    let said: Vec<String> = said.map(|line| escape(&line)).collect();
    let canon = story.canon.facts().iter();
    let canon: Vec<&str> = canon.map(|fact| fact.text.as_str()).collect();
    let place = view.place_of(player).map(|place| called(&place));
    json!({
        "player_name": escape(&player_name),
        "name": escape(name),
        "canon": canon,
        "place": place.as_deref().map(escape),
        "seen": escape(&seen.join(", ")),
        "msgs": said,
    })
}

/// The system that sends the lines that have come.
pub(crate) fn send_offers(
    world: &mut World,
    waiting: &mut QueryState<(Entity, &'static OfferingLines)>,
) {
    let over = waiting.iter(world);
    let over = over.filter(|(_, one)| one.call.is_none_or(|call| call.is_over(world)));
    let over: Vec<Entity> = over.map(|(entity, _)| entity).collect();
    for host in over {
        let Some(offer) = world.entity_mut(host).take::<OfferingLines>() else {
            continue;
        };
        let lines = offer.call.and_then(|call| match call.take(world).ok()? {
            (run, StageResult::Lines(lines)) => lines.spend(&run),
            _ => None,
        });
        world.despawn(host);
        world.get_resource_or_init::<Outbox>().tell(LinesOffered {
            entity: offer.entity,
            npc: offer.npc,
            lines: lines.unwrap_or_default(),
        });
    }
}
