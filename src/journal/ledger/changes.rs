//! Changes of the game since the last comparison, written down as records.

use super::checkpoint::checkpoint;
use super::minds::MindNews;
use super::resource::{InstalledLedger, Ledger, with_ledger};
use crate::adventure::saved::changed_parts;
use crate::authoring::AssetSource;
use crate::base::canonical::Digest;
use crate::base::clock::DramatisClock;
use crate::base::fixed::Millis;
use crate::base::ids::Id;
use crate::base::time::GameTime;
use crate::events::RequestRefused;
use crate::journal::game::capture::settings;
use crate::journal::game::saved_game::StateRow;
use crate::journal::record::{
    AdventureBody, ChangeSource, CheckpointReason, EnteredBody, InputBody, LeftBody, MindBody,
    RecordBody, RecordedSettings, RefusedBody, SettingsBody, StoryBody, WriteBody,
};
use crate::memory::{DormantMinds, Mind, SavedMind};
use crate::npc::{
    CharacterChange, CharacterLog, KnownNames, LoadedCharacter, MindWrite, MindWriteLog,
};
use crate::recorded::InputLog;
use crate::story::ActiveStory;
use crate::world::bindings::WorldBindings;
use crate::world::game_write::WriteLog;
use crate::world::refresh::refresh;
use crate::world::tracker::WorldTracker;
use crate::world::{WorldFlags, WorldPart, WorldRead, WorldView};
use bevy::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// How long a change may stay unseen that no run reads, in call time.
const COMPARE_EVERY: Millis = Millis(1_000);

/// Whether it is time to look: the game has written, a character came or went, or the last look is a second ago.
pub(crate) fn is_due(world: &World) -> bool {
    let ledger = world.resource::<InstalledLedger>();
    let story = &world.resource::<ActiveStory>().0;
    let same = ledger
        .story
        .as_ref()
        .is_some_and(|known| Arc::ptr_eq(known, story));
    let now = world.resource::<DramatisClock>().call;
    !same
        || !world.resource::<WriteLog>().0.is_empty()
        || !world.resource::<InputLog>().0.is_empty()
        || !world.resource::<CharacterLog>().0.is_empty()
        || now.since(ledger.last_compared) >= COMPARE_EVERY
}

/// Writes down what the game has changed since the last look.
pub(crate) fn observe(world: &mut World) {
    with_ledger(world, |world, ledger| observe_all(ledger, world));
}

/// The same for a caller that already has the ledger.
pub(super) fn observe_all(ledger: &mut Ledger, world: &mut World) {
    let DramatisClock { game, call } = *world.resource::<DramatisClock>();
    ledger.last_compared = call;
    // Writes after this look get a newer tick than those that it sees.
    world.increment_change_tick();
    if ledger.settings().is_none() {
        checkpoint(ledger, world, CheckpointReason::Begun, 0);
    } else {
        observe_story(ledger, world, game);
        observe_inputs(ledger, world, game);
        observe_world(ledger, world, game);
        observe_settings(ledger, world, game);
        observe_characters(ledger, world, game);
    }
    observe_adventure(ledger, world, game);
}

/// What a turn of the adventure has left, or the game has changed of it.
fn observe_adventure(ledger: &mut Ledger, world: &World, game: GameTime) {
    if ledger.adventure_seen.are_same(world) {
        return;
    }
    let now = changed_parts(world, &mut ledger.adventure);
    if now.is_empty() {
        return;
    }
    let rows = now
        .iter()
        .map(|(key, part)| StateRow::new("adventure", key, part.as_ref()));
    let rows = rows.collect();
    let body = RecordBody::Adventure(AdventureBody { now });
    ledger.input(game, None, &body, rows);
}

fn observe_story(ledger: &mut Ledger, world: &World, game: GameTime) {
    let story = &world.resource::<ActiveStory>().0;
    if ledger
        .story
        .as_ref()
        .is_some_and(|known| Arc::ptr_eq(known, story))
    {
        return;
    }
    let hash = |source: &Arc<AssetSource>| source.digest();
    let before = ledger
        .story
        .as_ref()
        .and_then(|known| known.source().map(hash));
    ledger.story = Some(story.clone());
    let now = story.source().map(hash);
    if before == now {
        return;
    }
    let asset = now.map(Digest::to_hex);
    let file = story.source().map(|source| source.file.clone());
    let rows = vec![StateRow::new("story", "", asset.as_ref())];
    let body = RecordBody::Story(StoryBody { asset, file });
    let blobs = match (now, story.source()) {
        (Some(digest), Some(source)) => ledger.new_text(digest, || source.encoded()),
        _ => Vec::new(),
    };
    if !ledger.replaying {
        let entry = ledger.write(game, None, &body);
        entry.rows = rows;
        entry.blobs = blobs;
    }
}

fn observe_inputs(ledger: &mut Ledger, world: &mut World, game: GameTime) {
    for (name, asked) in std::mem::take(&mut world.resource_mut::<InputLog>().0) {
        let name = name.to_owned();
        let body = RecordBody::Input(InputBody { name, asked });
        ledger.input(game, None, &body, Vec::new());
    }
}

fn observe_world(ledger: &mut Ledger, world: &mut World, game: GameTime) {
    let writes = std::mem::take(&mut world.resource_mut::<WriteLog>().0);
    for write in writes {
        // A write to something new comes with it.
        let now = ledger.mirror.change(write.change());
        let rows = now.iter().map(row_of).collect();
        let now: Vec<WorldPart> = now.into_iter().collect();
        let body = RecordBody::Write(WriteBody {
            source: ChangeSource::GameSystem,
            now,
            write: Some(write),
        });
        ledger.input(game, None, &body, rows);
    }
    let changed = observed_parts(ledger, world);
    if !changed.is_empty() {
        let rows = changed.iter().map(row_of).collect();
        let body = RecordBody::Write(WriteBody {
            source: ChangeSource::Observed,
            now: changed,
            write: None,
        });
        ledger.input(game, None, &body, rows);
    }
}

/// What of the world is not as it was written down last, which is taken over.
pub(super) fn observed_parts(ledger: &mut Ledger, world: &mut World) -> Vec<WorldPart> {
    refresh(world);
    // Writes after this look get a newer tick than those that it sees.
    world.increment_change_tick();
    let mut tracker = world.resource_mut::<WorldTracker>();
    let (touched, things) = (tracker.take_touched(), tracker.sum());
    let bindings = world.get_resource::<WorldBindings>();
    // A bound fact reads a resource of the game, whose ticks are not watched.
    let is_bound = bindings.is_some_and(WorldBindings::has_facts);
    let is_quiet = ledger.world_seen.are_same(world) && !is_bound;
    let mut changed: Vec<WorldPart> = Vec::new();
    // What runs and turns have changed is known already: then the hashes are the same.
    if things != ledger.mirror.things() {
        let judged = WorldView::new(world);
        for id in touched {
            // An id may have passed from a place to a thing.
            changed.push(WorldPart::Location(id.clone(), judged.location(&id)));
            changed.push(WorldPart::Entity(id.clone(), judged.entity(&id)));
        }
    }
    if !is_quiet {
        add_flags_and_facts(ledger, world, &mut changed);
    }
    changed.retain(|now| ledger.mirror.set(now));
    changed
}

/// Adds flags, facts and whose turn it is, where they are not as they were written down.
fn add_flags_and_facts(ledger: &Ledger, world: &World, changed: &mut Vec<WorldPart>) {
    let judged = WorldView::new(world);
    let known = ledger.mirror.state();
    let flags = world.get_resource::<WorldFlags>().map(|flags| &flags.0);
    let same_flags = flags.map_or(known.flags.is_empty(), |flags| *flags == known.flags);
    if !same_flags {
        let flags = flags.cloned().unwrap_or_default();
        let gone = known.flags.keys().filter(|name| !flags.contains_key(*name));
        changed.extend(gone.map(|name| WorldPart::Flag(name.clone(), None)));
        changed.extend(
            flags
                .into_iter()
                .map(|(name, value)| WorldPart::Flag(name, Some(value))),
        );
    }
    // Sorted by key, as those that are known.
    let facts = judged.facts();
    let same_facts = facts
        .iter()
        .map(|(key, value)| (key, value))
        .eq(&known.facts);
    if !same_facts {
        let facts: BTreeMap<_, _> = facts.into_iter().collect();
        let gone = known.facts.keys().filter(|key| !facts.contains_key(*key));
        changed.extend(gone.map(|key| WorldPart::Fact(key.clone(), None)));
        changed.extend(
            facts
                .into_iter()
                .map(|(key, value)| WorldPart::Fact(key, Some(value))),
        );
    }
    changed.push(WorldPart::TurnOf(judged.turn_of()));
}

pub(crate) fn row_of(now: &WorldPart) -> StateRow {
    let (kind, key) = now.name();
    match now {
        WorldPart::Entity(_, view) => StateRow::new(kind, key, view.as_ref()),
        WorldPart::Location(_, view) => StateRow::new(kind, key, view.as_ref()),
        WorldPart::Flag(_, value) => StateRow::new(kind, key, value.as_ref()),
        WorldPart::Fact(_, value) => StateRow::new(kind, key, value.as_ref()),
        WorldPart::TurnOf(actor) => StateRow::new(kind, key, actor.as_ref()),
    }
}

fn observe_settings(ledger: &mut Ledger, world: &World, game: GameTime) {
    let known = world.resource::<KnownNames>();
    let same_names = ledger.names == known.learned();
    if same_names && ledger.settings_seen.are_untouched(world) {
        return;
    }
    let now = settings(world);
    let names = known.all();
    if same_names && ledger.settings() == Some(&now) {
        return;
    }
    let rows = vec![
        StateRow::new("settings", "", Some(&now)),
        StateRow::new("names", "", Some(names)),
    ];
    ledger.remember_settings(now.clone());
    ledger.names = known.learned();
    let settings = RecordedSettings {
        settings: now,
        names: names.to_vec(),
    };
    let body = RecordBody::Settings(Box::new(SettingsBody { settings }));
    ledger.input(game, None, &body, rows);
}

fn observe_characters(ledger: &mut Ledger, world: &mut World, game: GameTime) {
    let cast = std::mem::take(&mut world.resource_mut::<CharacterLog>().0);
    for change in cast {
        match change {
            CharacterChange::Entered(entity) => entered(ledger, world, entity, game),
            CharacterChange::Left(id) => {
                // What the game did to its mind before it went has no other record.
                let writes = writes_to(world, &id);
                if let Some(mind) = world.resource::<DormantMinds>().get(&id) {
                    let news = ledger.minds.look(&id, mind, None);
                    write_mind(ledger, &id, mind, news, writes, game);
                }
                let rows = vec![StateRow::new("cast", &id, None::<()>)];
                let body = RecordBody::Left(LeftBody { npc: id.clone() });
                ledger.input(game, Some(&id), &body, rows);
            }
        }
    }
}

fn entered(ledger: &mut Ledger, world: &mut World, entity: Entity, game: GameTime) {
    // It may have gone again.
    let Some(id) = LoadedCharacter::id_of(world, entity) else {
        return;
    };
    // They are in the mind with which it enters.
    writes_to(world, &id);
    let Some((_, source, mind)) = loaded_character(world, entity) else {
        return;
    };
    let digest = source.digest();
    let news = ledger.minds.look(&id, &mind, Some(mind.last_changed()));
    if ledger.replaying {
        return;
    }
    let asset = digest.to_hex();
    let blobs = ledger.new_text(digest, || source.encoded());
    let mut rows = vec![StateRow::new("cast", &id, Some(&asset))];
    rows.extend(news.into_rows(&id));
    let body = RecordBody::Entered(EnteredBody {
        npc: id.clone(),
        asset,
        mind: SavedMind::from(&*mind),
        file: Some(source.file.clone()),
    });
    let entry = ledger.write(game, Some(&id), &body);
    entry.rows = rows;
    entry.blobs = blobs;
}

pub(crate) fn loaded_character(
    world: &World,
    entity: Entity,
) -> Option<(Id, &Arc<AssetSource>, Ref<'_, Mind>)> {
    let entity = world.get_entity(entity).ok()?;
    let character = &entity.get::<LoadedCharacter>()?.0;
    Some((character.id.clone(), character.source(), entity.get_ref()?))
}

/// Writes down what the game has changed of a character's mind by itself.
pub(crate) fn observe_mind(ledger: &mut Ledger, world: &mut World, npc: Entity, game: GameTime) {
    let Some((id, _, mind)) = loaded_character(world, npc) else {
        return;
    };
    let tick = mind.last_changed();
    if ledger.minds.has_seen(&id, tick) == Some(true) {
        return;
    }
    let writes = writes_to(world, &id);
    // The writes are out of the log: the mind is looked at once more.
    let Some((_, _, mind)) = loaded_character(world, npc) else {
        return;
    };
    let news = ledger.minds.look(&id, &mind, Some(tick));
    write_mind(ledger, &id, &mind, news, writes, game);
}

/// Takes the writes of the game to the mind of one character out of the log.
fn writes_to(world: &mut World, npc: &Id) -> Vec<MindWrite> {
    let mut log = world.resource_mut::<MindWriteLog>();
    let (these, others) = std::mem::take(&mut log.0)
        .into_iter()
        .partition(|write| write.npc() == npc);
    log.0 = others;
    these
}

/// Writes a mind down, if it differs from what was written down last.
fn write_mind(
    ledger: &mut Ledger,
    id: &Id,
    mind: &Mind,
    mut news: MindNews,
    writes: Vec<MindWrite>,
    game: GameTime,
) {
    if !news.is_new() || ledger.replaying {
        return;
    }
    let body = RecordBody::Mind(MindBody {
        npc: id.clone(),
        mind: SavedMind::from(mind),
        writes: (!writes.is_empty()).then_some(writes),
        forgotten: Some(std::mem::take(&mut news.forgotten)).filter(|gone| !gone.is_empty()),
    });
    ledger.input(game, Some(id), &body, news.into_rows(id));
}

/// Looks at every mind in the game: a game may change one whose character has no run.
pub(crate) fn observe_minds(world: &mut World) {
    with_ledger(world, |world, ledger| {
        let game = world.resource::<DramatisClock>().game;
        let mut awake =
            world.query_filtered::<(Entity, &LoadedCharacter, Ref<Mind>), With<LoadedCharacter>>();
        let changed: Vec<(Id, Entity)> = awake
            .iter(world)
            .filter(|(_, character, mind)| {
                ledger.minds.has_seen(&character.0.id, mind.last_changed()) == Some(false)
            })
            .map(|(entity, character, _)| (character.0.id.clone(), entity))
            .collect();
        let changed: BTreeMap<Id, Entity> = changed.into_iter().collect();
        for npc in changed.into_values() {
            observe_mind(ledger, world, npc, game);
        }
        observe_dormant(ledger, world, game);
    });
}

/// Writes down what the game has written into minds of characters that have left.
fn observe_dormant(ledger: &mut Ledger, world: &mut World, game: GameTime) {
    let written = world.resource::<MindWriteLog>().0.iter();
    let written: BTreeSet<Id> = written.map(|write| write.npc().clone()).collect();
    for id in written {
        if world.resource::<DormantMinds>().get(&id).is_none() {
            continue;
        }
        let writes = writes_to(world, &id);
        if let Some(mind) = world.resource::<DormantMinds>().get(&id) {
            let news = ledger.minds.look(&id, mind, None);
            write_mind(ledger, &id, mind, news, writes, game);
        }
    }
}

/// Writes down a request that started nothing.
pub(crate) fn refused(world: &mut World, refused: &RequestRefused) {
    observe(world);
    let game = world.resource::<DramatisClock>().game;
    let body = RecordBody::Refused(RefusedBody {
        npc: refused.npc.clone(),
        error: refused.error.to_string(),
    });
    let subject = Some(refused.npc.as_str());
    let mut ledger = world.resource_mut::<InstalledLedger>();
    ledger.input(game, subject, &body, Vec::new());
}
