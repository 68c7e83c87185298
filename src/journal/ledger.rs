//! The ledger: records as they are made, in the order in which things took effect.
//!
//! It keeps a [`WorldMirror`] of what has been written down. Before anything reads the judged world, the ledger looks at
//! what has changed since, so that a record that depends on a change always comes after it. What the game writes through
//! [`GameWrite`] is written down as such; what its own systems changed in place is found by comparison.

use super::account::{self, Span};
use super::capture::{Assets, capture, session, settings};
use super::record::{Record, RecordKind};
use super::saved_game::{Settings, StateRow, checkpoint_bodies};
use super::timetable::{Moment, Timetable};
use crate::acts::Mentioned;
use crate::canonical::Digest;
use crate::clock::DramatisClock;
use crate::events::RequestRefused;
use crate::fixed::Millis;
use crate::memory::{DormantMinds, Mind, SavedMind};
use crate::npc::{CastChange, CastLog, KnownNames, Persona};
use crate::pipeline::mutation::AppliedChanges;
use crate::pipeline::{Outcome, Run};
use crate::scribe::{Listener, RunStep, Scribe};
use crate::story::ActiveStory;
use crate::world::mirror::{Now, WorldMirror};
use crate::world::watch::{WorldWatch, refresh};
use crate::world::writes::WriteLog;
use crate::world::{Change, JudgedWorld, TurnRecord, WorldId, WorldRead};
use bevy::ecs::change_detection::Tick;
use bevy::prelude::*;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What a record is about, for whoever is told that it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum About {
    /// Nobody is told.
    Nobody,
    /// A run of this character.
    Run { npc: Entity, run: Entity },
    /// A turn of this actor.
    Turn { actor: Entity, turn: u64 },
}

/// A record with what it changes of the state in the file.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub record: Record,
    pub rows: Vec<StateRow>,
    /// The rows are the whole state.
    pub replaces_state: bool,
    /// Texts that the record names by their hash.
    pub blobs: Vec<String>,
    pub about: About,
}

/// What has been written down, and what waits to be taken away.
#[derive(Resource)]
pub(super) struct Ledger {
    position: u64,
    /// Which stretch without a gap this is. A run of an earlier one cannot be replayed.
    stretch: u64,
    entries: Vec<Entry>,
    mirror: WorldMirror,
    settings: Option<Settings>,
    names: usize,
    story: Option<Arc<crate::authoring::StoryBook>>,
    minds: BTreeMap<String, (Tick, Digest)>,
    kept: BTreeSet<Digest>,
    turn_before: Digest,
    identity: Value,
    /// When it looked at the world last, in call time.
    looked: Millis,
    /// Inputs come from a recording: they are applied, and not written down once more.
    pub replaying: bool,
}

/// On a run: which stretch it began in, and the hashes before its commit.
#[derive(Component, Debug, Clone, Copy, Default)]
struct Begun {
    stretch: u64,
    world: Digest,
    mind: Digest,
}

impl Ledger {
    fn new() -> Self {
        Self {
            position: 0,
            stretch: 0,
            entries: Vec::new(),
            mirror: WorldMirror::default(),
            settings: None,
            names: 0,
            story: None,
            minds: BTreeMap::new(),
            kept: BTreeSet::new(),
            turn_before: Digest::default(),
            identity: Value::Null,
            looked: Millis(0),
            replaying: false,
        }
    }

    /// The number of the last record: a second opinion names it.
    pub fn position(&self) -> u64 {
        self.position
    }

    /// Takes what has been written down.
    pub fn take(&mut self) -> Vec<Entry> {
        std::mem::take(&mut self.entries)
    }

    /// Lets the last entry say how far things are: time goes on with writes of the game, too.
    #[cfg(feature = "store")]
    pub fn note_session(&mut self, session: super::saved_game::Session) {
        if let Some(last) = self.entries.last_mut() {
            last.rows.push(StateRow::new("session", "", Some(session)));
        }
    }

    /// The next record comes after this many.
    pub fn at(&mut self, position: u64) {
        self.position = position;
    }

    /// Takes over a record out of a recording.
    pub fn echo(&mut self) {
        self.position += 1;
    }

    fn write(
        &mut self,
        kind: RecordKind,
        game: Millis,
        subject: Option<String>,
        body: Value,
    ) -> &mut Entry {
        self.position += 1;
        let body = account::into_map(body).unwrap_or_default();
        let mut record = Record {
            seq: self.position,
            kind,
            game,
            subject,
            body,
        };
        record.seal();
        self.entries.push(Entry {
            record,
            rows: Vec::new(),
            replaces_state: false,
            blobs: Vec::new(),
            about: About::Nobody,
        });
        let last = self.entries.len() - 1;
        &mut self.entries[last]
    }

    /// An input: in a replay it is known already.
    fn input(
        &mut self,
        kind: RecordKind,
        game: Millis,
        subject: Option<String>,
        body: Value,
        rows: Vec<StateRow>,
    ) {
        if !self.replaying {
            self.write(kind, game, subject, body).rows = rows;
        }
    }

    /// The text, if the file does not hold it yet.
    fn keep(&mut self, digest: Digest, text: impl FnOnce() -> String) -> Vec<String> {
        if self.kept.insert(digest) {
            vec![text()]
        } else {
            Vec::new()
        }
    }
}

/// Begins to write down what happens. The first record is a checkpoint, made when the first record is due.
pub(super) fn begin(app: &mut App) {
    app.insert_resource(Ledger::new())
        .insert_resource(Listener(Arc::new(LedgerScribe)))
        .init_resource::<WriteLog>()
        .init_resource::<CastLog>();
    let mut watch = app.world_mut().get_resource_or_init::<WorldWatch>();
    watch.keep_touched();
}

/// Goes on in a file after `position` records, with a checkpoint: what happened meanwhile is in no record.
#[cfg(feature = "store")]
pub(super) fn go_on_from(world: &mut World, position: u64, reason: &'static str, lost: u64) {
    world.resource_scope(|world, mut ledger: Mut<Ledger>| {
        ledger.position = position;
        ledger.kept.clear();
        ledger.entries.clear();
        checkpoint(&mut ledger, world, reason, lost);
    });
}

/// Writes a checkpoint down: everything as it is now.
#[cfg(feature = "store")]
pub(super) fn check_point(world: &mut World, reason: &'static str) {
    observe(world);
    observe_minds(world);
    world.resource_scope(|world, mut ledger: Mut<Ledger>| {
        checkpoint(&mut ledger, world, reason, 0);
    });
}

/// Everything is another: a checkpoint, and runs that began before cannot be replayed.
#[cfg(feature = "store")]
pub(super) fn restart(world: &mut World, reason: &'static str) {
    world.resource_scope(|world, mut ledger: Mut<Ledger>| {
        checkpoint(&mut ledger, world, reason, 0);
    });
}

/// Takes the app as it is for what has been written down.
pub(super) fn take_over(world: &mut World) {
    world.resource_scope(|world, mut ledger: Mut<Ledger>| {
        look_at_everything(&mut ledger, world);
    });
}

fn look_at_everything(ledger: &mut Ledger, world: &mut World) {
    world.flush();
    refresh(world);
    world.resource_mut::<WorldWatch>().take_touched();
    world.resource_mut::<WriteLog>().0.clear();
    world.resource_mut::<CastLog>().0.clear();
    ledger.mirror = WorldMirror::of(JudgedWorld::new(world).to_state());
    let settings = settings(world);
    ledger.identity = json!(settings.identity);
    ledger.settings = Some(settings);
    ledger.names = world.resource::<KnownNames>().0.len();
    ledger.story = Some(world.resource::<ActiveStory>().0.clone());
    ledger.minds.clear();
    let mut awake = world.query::<(&Persona, Ref<Mind>)>();
    for (persona, mind) in awake.iter(world) {
        let digest = SavedMind::from(&*mind).digest();
        ledger
            .minds
            .insert(persona.0.id.clone(), (mind.last_changed(), digest));
    }
}

fn checkpoint(ledger: &mut Ledger, world: &mut World, reason: &'static str, lost: u64) {
    look_at_everything(ledger, world);
    let (game, assets) = capture(world);
    if reason != "saved" {
        ledger.stretch += 1;
    }
    let blobs = blobs(ledger, &assets);
    let now = game.session.game;
    let rows = game.rows();
    let (body, parts) = checkpoint_bodies(&game, &rows, reason, lost);
    let entry = ledger.write(RecordKind::Checkpoint, now, None, body);
    entry.rows = rows;
    entry.replaces_state = true;
    entry.blobs = blobs;
    for part in parts {
        ledger.write(RecordKind::Part, now, None, part);
    }
}

fn blobs(ledger: &mut Ledger, assets: &Assets) -> Vec<String> {
    let assets = assets.values();
    assets
        .flat_map(|source| ledger.keep(source.digest(), || source.encoded()))
        .collect()
}

/// How long what nobody reads may stay unseen, in call time.
const LOOK_EVERY: Millis = Millis(1_000);

/// Whether it is time to look: the game has written, somebody came or went, or the last look is a second ago.
pub(super) fn is_due(world: &World) -> bool {
    let ledger = world.resource::<Ledger>();
    let story = &world.resource::<ActiveStory>().0;
    let told = ledger
        .story
        .as_ref()
        .is_some_and(|known| Arc::ptr_eq(known, story));
    let now = world.resource::<DramatisClock>().call;
    !told
        || !world.resource::<WriteLog>().0.is_empty()
        || !world.resource::<CastLog>().0.is_empty()
        || now.since(ledger.looked) >= LOOK_EVERY
}

/// Writes down what the game has changed since the last look.
pub(super) fn observe(world: &mut World) {
    if !world.contains_resource::<Ledger>() {
        return;
    }
    world.flush();
    world.resource_scope(|world, mut ledger: Mut<Ledger>| {
        if ledger.settings.is_none() {
            checkpoint(&mut ledger, world, "begun", 0);
            return;
        }
        let DramatisClock { game, call } = *world.resource::<DramatisClock>();
        ledger.looked = call;
        observe_story(&mut ledger, world, game);
        observe_world(&mut ledger, world, game);
        observe_settings(&mut ledger, world, game);
        observe_cast(&mut ledger, world, game);
    });
}

fn observe_story(ledger: &mut Ledger, world: &World, game: Millis) {
    let story = &world.resource::<ActiveStory>().0;
    if ledger
        .story
        .as_ref()
        .is_some_and(|known| Arc::ptr_eq(known, story))
    {
        return;
    }
    let hash = |source: &Arc<crate::authoring::AssetSource>| source.digest();
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
    let body = json!({"asset": asset, "file": file});
    let blobs = match (now, story.source()) {
        (Some(digest), Some(source)) => ledger.keep(digest, || source.encoded()),
        _ => Vec::new(),
    };
    if !ledger.replaying {
        let entry = ledger.write(RecordKind::Story, game, None, body);
        entry.rows = rows;
        entry.blobs = blobs;
    }
}

fn observe_world(ledger: &mut Ledger, world: &mut World, game: Millis) {
    let writes = std::mem::take(&mut world.resource_mut::<WriteLog>().0);
    for write in writes {
        // What is written to something that is new itself comes with it.
        let now = ledger.mirror.apply_write(&write);
        let rows = now.iter().map(row_of).collect();
        let now: Vec<Now> = now.into_iter().collect();
        let body = json!({"source": "game_system", "write": write, "now": now});
        ledger.input(RecordKind::Write, game, None, body, rows);
    }
    refresh(world);
    let touched = world.resource_mut::<WorldWatch>().take_touched();
    let judged = JudgedWorld::new(world);
    let mut changed: Vec<Now> = Vec::new();
    for id in touched {
        // An id may have passed from a place to a thing.
        changed.push(Now::Location(id.clone(), judged.location(&id)));
        changed.push(Now::Entity(id.clone(), judged.entity(&id)));
    }
    let known = ledger.mirror.state();
    let flags = world.get_resource::<crate::world::WorldFlags>();
    let flags = flags.map(|flags| flags.0.clone()).unwrap_or_default();
    if flags != known.flags {
        let gone = known.flags.keys().filter(|name| !flags.contains_key(*name));
        changed.extend(gone.map(|name| Now::Flag(name.clone(), None)));
        changed.extend(
            flags
                .into_iter()
                .map(|(name, value)| Now::Flag(name, Some(value))),
        );
    }
    let facts: BTreeMap<_, _> = judged.facts().into_iter().collect();
    if facts != known.facts {
        let gone = known.facts.keys().filter(|key| !facts.contains_key(*key));
        changed.extend(gone.map(|key| Now::Fact(key.clone(), None)));
        changed.extend(
            facts
                .into_iter()
                .map(|(key, value)| Now::Fact(key, Some(value))),
        );
    }
    changed.push(Now::TurnOf(judged.turn_of()));
    changed.retain(|now| ledger.mirror.set(now));
    if !changed.is_empty() {
        let rows = changed.iter().map(row_of).collect();
        let body = json!({"source": "observed", "now": changed});
        ledger.input(RecordKind::Write, game, None, body, rows);
    }
}

fn row_of(now: &Now) -> StateRow {
    match now {
        Now::Entity(id, view) => StateRow::new("entity", id, view.as_ref()),
        Now::Location(id, view) => StateRow::new("location", id, view.as_ref()),
        Now::Flag(name, value) => StateRow::new("flag", name, value.as_ref()),
        Now::Fact(key, value) => StateRow::new("fact", key, value.as_ref()),
        Now::TurnOf(actor) => StateRow::new("turn_of", "", actor.as_ref()),
    }
}

fn observe_settings(ledger: &mut Ledger, world: &World, game: Millis) {
    let now = settings(world);
    let names = &world.resource::<KnownNames>().0;
    let same = ledger.settings.as_ref() == Some(&now);
    if same && ledger.names == names.len() {
        return;
    }
    let body = json!({"settings": {"how": now, "names": names}});
    let rows = vec![
        StateRow::new("settings", "", Some(&now)),
        StateRow::new("names", "", Some(names)),
    ];
    ledger.identity = json!(now.identity);
    ledger.settings = Some(now);
    ledger.names = names.len();
    ledger.input(RecordKind::Settings, game, None, body, rows);
}

fn observe_cast(ledger: &mut Ledger, world: &mut World, game: Millis) {
    let cast = std::mem::take(&mut world.resource_mut::<CastLog>().0);
    for change in cast {
        match change {
            CastChange::Entered(entity) => entered(ledger, world, entity, game),
            CastChange::Left(id) => {
                // What the game did to its mind before it went has no other record.
                let known = ledger.minds.remove(&id).map(|(_, digest)| digest);
                let mind = world
                    .resource::<DormantMinds>()
                    .0
                    .get(&id)
                    .map(SavedMind::from);
                if let Some(mind) = mind.filter(|mind| Some(mind.digest()) != known) {
                    note_mind(ledger, &id, &mind, game);
                }
                let rows = vec![StateRow::new("cast", &id, None::<()>)];
                let body = json!({"npc": id});
                ledger.input(RecordKind::Left, game, Some(id), body, rows);
            }
        }
    }
}

fn entered(ledger: &mut Ledger, world: &World, entity: Entity, game: Millis) {
    // It may have gone again.
    let Some((id, source, mind, tick)) = on_stage(world, entity) else {
        return;
    };
    let digest = source.digest();
    ledger.minds.insert(id.clone(), (tick, mind.digest()));
    if ledger.replaying {
        return;
    }
    let asset = digest.to_hex();
    let blobs = ledger.keep(digest, || source.encoded());
    let rows = vec![
        StateRow::new("cast", &id, Some(&asset)),
        StateRow::new("mind", &id, Some(&mind)),
    ];
    let body = json!({"npc": id, "asset": asset, "file": source.file, "mind": mind});
    let entry = ledger.write(RecordKind::Entered, game, Some(id), body);
    entry.rows = rows;
    entry.blobs = blobs;
}

fn on_stage(
    world: &World,
    entity: Entity,
) -> Option<(String, Arc<crate::authoring::AssetSource>, SavedMind, Tick)> {
    let persona = &world.get_entity(entity).ok()?.get::<Persona>()?.0;
    let mind = world.get_entity(entity).ok()?.get_ref::<Mind>()?;
    let (saved, tick) = (SavedMind::from(&*mind), mind.last_changed());
    Some((persona.id.clone(), persona.source().clone(), saved, tick))
}

/// Writes down what the game has changed of a character's mind by itself.
fn observe_mind(ledger: &mut Ledger, world: &World, npc: Entity, game: Millis) {
    let changed = |ledger: &Ledger| {
        let persona = world.get_entity(npc).ok()?.get::<Persona>()?;
        let mind = world.get_entity(npc).ok()?.get_ref::<Mind>()?;
        let known = ledger.minds.get(&persona.0.id);
        let tick = mind.last_changed();
        if known.is_some_and(|(seen, _)| *seen == tick) {
            return None;
        }
        let before = known.map(|(_, digest)| *digest);
        Some((persona.0.id.clone(), SavedMind::from(&*mind), tick, before))
    };
    let Some((id, mind, tick, before)) = changed(ledger) else {
        return;
    };
    let digest = mind.digest();
    ledger.minds.insert(id.clone(), (tick, digest));
    if before != Some(digest) {
        note_mind(ledger, &id, &mind, game);
    }
}

fn note_mind(ledger: &mut Ledger, id: &str, mind: &SavedMind, game: Millis) {
    let rows = vec![StateRow::new("mind", id, Some(mind))];
    let body = json!({"npc": id, "mind": mind});
    ledger.input(RecordKind::Mind, game, Some(id.to_owned()), body, rows);
}

/// Looks at every mind on stage: a game may change one whose character has no run.
pub(super) fn observe_minds(world: &mut World) {
    world.resource_scope(|world, mut ledger: Mut<Ledger>| {
        let game = world.resource::<DramatisClock>().game;
        let mut awake = world.query_filtered::<(Entity, &Persona, Ref<Mind>), With<Persona>>();
        let changed: Vec<(String, Entity)> = awake
            .iter(world)
            .filter(|(_, persona, mind)| {
                let known = ledger.minds.get(&persona.0.id);
                known.is_some_and(|(tick, _)| *tick != mind.last_changed())
            })
            .map(|(entity, persona, _)| (persona.0.id.clone(), entity))
            .collect();
        let changed: BTreeMap<String, Entity> = changed.into_iter().collect();
        for npc in changed.into_values() {
            observe_mind(&mut ledger, world, npc, game);
        }
    });
}

/// Writes down a request that started nothing.
pub(super) fn refused(world: &mut World, refused: &RequestRefused) {
    observe(world);
    let game = world.resource::<DramatisClock>().game;
    let body = json!({"npc": refused.npc, "error": refused.error.to_string()});
    let subject = Some(refused.npc.clone());
    let mut ledger = world.resource_mut::<Ledger>();
    ledger.input(RecordKind::Refused, game, subject, body, Vec::new());
}

struct LedgerScribe;

impl Scribe for LedgerScribe {
    fn reading(&self, world: &mut World, run: Entity, step: RunStep) {
        observe(world);
        world.resource_scope(|world, mut ledger: Mut<Ledger>| {
            let game = world.resource::<DramatisClock>().game;
            let Some((number, npc, id)) = world
                .get::<Run>(run)
                .map(|run| (run.number, run.npc_entity, run.npc.clone()))
            else {
                return;
            };
            observe_mind(&mut ledger, world, npc, game);
            let now = Moment {
                after: ledger.position,
                game: game.0,
            };
            let mut entity = world.entity_mut(run);
            let mut timetable = entity.take::<Timetable>().unwrap_or_default();
            let mut begun = entity.take::<Begun>().unwrap_or_default();
            timetable.run = number;
            timetable.note(step, now);
            if step == RunStep::Start {
                begun.stretch = ledger.stretch;
            }
            if step == RunStep::Commit {
                begun.world = ledger.mirror.digest();
                begun.mind = ledger
                    .minds
                    .get(&id)
                    .map(|(_, digest)| *digest)
                    .unwrap_or_default();
            }
            entity.insert((timetable, begun));
        });
    }

    fn run_ended(&self, world: &mut World, run: Entity) {
        let accepted = matches!(world.get::<Outcome>(run), Some(Outcome::Accepted { .. }));
        if !accepted {
            // What an accepted run has installed is not the game's; all else that has changed is.
            observe(world);
        }
        world.resource_scope(|world, mut ledger: Mut<Ledger>| {
            write_run(&mut ledger, world, run, accepted);
        });
    }

    fn turn_due(&self, world: &mut World) {
        observe(world);
        let mut ledger = world.resource_mut::<Ledger>();
        ledger.turn_before = ledger.mirror.digest();
    }

    fn turn_taken(&self, world: &mut World, actor: Option<Entity>, record: &TurnRecord) {
        world.resource_scope(|world, mut ledger: Mut<Ledger>| {
            let (mut rows, _) = apply(&mut ledger, world, &record.changes);
            let mentioned = actor.and_then(|actor| world.get::<Mentioned>(actor));
            if let (Some(Mentioned(mentioned)), Some(id)) = (
                mentioned,
                actor.and_then(|actor| world.get::<WorldId>(actor)),
            ) {
                rows.push(StateRow::new("mentioned", &id.0, Some(mentioned)));
            }
            rows.push(StateRow::new("session", "", Some(session(world))));
            let judged = Span {
                before: ledger.turn_before,
                after: ledger.mirror.digest(),
            };
            let body = account::of_turn(record, judged).unwrap_or_default();
            let subject = Some(record.actor.clone());
            let entry = ledger.write(RecordKind::Turn, record.time, subject, Value::Object(body));
            entry.rows = rows;
            entry.about = About::Turn {
                actor: actor.unwrap_or(Entity::PLACEHOLDER),
                turn: record.id,
            };
        });
    }
}

/// Takes over changes that were installed, and says how what they changed is now.
fn apply(ledger: &mut Ledger, world: &World, changes: &[Change]) -> (Vec<StateRow>, Vec<Now>) {
    let mut last: BTreeMap<(String, String), (StateRow, Now)> = BTreeMap::new();
    for change in changes {
        if let Some(now) = ledger.mirror.apply(change) {
            let row = row_of(&now);
            last.insert((row.kind.clone(), row.key.clone()), (row, now));
        }
    }
    let (mut rows, now): (Vec<StateRow>, Vec<Now>) = last.into_values().unzip();
    let names = &world.resource::<KnownNames>().0;
    if changes
        .iter()
        .any(|change| matches!(change, Change::Spawn { .. }))
    {
        // Who was introduced is known by name.
        ledger.names = names.len();
        rows.push(StateRow::new("names", "", Some(names)));
    }
    (rows, now)
}

fn write_run(ledger: &mut Ledger, world: &mut World, run: Entity, accepted: bool) -> Option<()> {
    let (number, npc, id) = {
        let run = world.get::<Run>(run)?;
        (run.number, run.npc_entity, run.npc.clone())
    };
    let outcome = world.get::<Outcome>(run)?.clone();
    let begun = world.get::<Begun>(run).copied().unwrap_or_default();
    let game = world.resource::<DramatisClock>().game;
    let mut timetable = world.get::<Timetable>(run).cloned().unwrap_or_default();
    timetable.run = number;
    timetable.begun_before = begun.stretch != ledger.stretch || timetable.started.is_none();
    let known = |ledger: &Ledger| {
        ledger
            .minds
            .get(&id)
            .map(|(_, digest)| *digest)
            .unwrap_or_default()
    };
    if !accepted {
        observe_mind_unless_spoken(ledger, world, npc, game, &outcome);
    }
    let here = world
        .get_entity(npc)
        .is_ok_and(|npc| npc.contains::<Persona>());
    if outcome == Outcome::Cancelled && here {
        let body = json!({"run": number});
        ledger.input(RecordKind::Cancel, game, Some(id.clone()), body, Vec::new());
    }
    let (mut mind, mut judged) = (
        Span {
            before: known(ledger),
            after: known(ledger),
        },
        Span {
            before: ledger.mirror.digest(),
            after: ledger.mirror.digest(),
        },
    );
    let (mut rows, mut now, mut spoken) = (Vec::new(), Vec::new(), None);
    if accepted {
        mind.before = begun.mind;
        judged.before = begun.world;
        let changes = world
            .get::<AppliedChanges>(run)
            .cloned()
            .unwrap_or_default();
        let names = ledger.names;
        (rows, now) = apply(ledger, world, &changes.0);
        if timetable.begun_before {
            // A replay cannot learn them by itself: they are written down as settings.
            ledger.names = names;
        }
        judged.after = ledger.mirror.digest();
    }
    if matches!(outcome, Outcome::Accepted { .. } | Outcome::Fallback { .. })
        && let Some((_, _, saved, tick)) = on_stage(world, npc)
    {
        let encoded = saved.encoded();
        mind.after = Digest::of_bytes(encoded.as_bytes());
        ledger.minds.insert(id.clone(), (tick, mind.after));
        rows.push(StateRow::encoded("mind", &id, encoded));
        spoken = Some(saved);
    }
    rows.push(StateRow::new("session", "", Some(session(world))));
    let identity = ledger.identity.clone();
    let mut body: Map<String, Value> =
        account::of_run(world, run, &timetable, mind, judged, &identity)?;
    if timetable.begun_before {
        // It cannot happen again: what came of it is fed to a replay.
        body.insert("now".to_owned(), json!(now));
        body.insert("mind_now".to_owned(), json!(spoken));
    }
    let entry = ledger.write(RecordKind::Interaction, game, Some(id), Value::Object(body));
    entry.rows = rows;
    entry.about = About::Run { npc, run };
    Some(())
}

/// A fallback line is noted in the mind before the run ends: that is the run's own doing.
fn observe_mind_unless_spoken(
    ledger: &mut Ledger,
    world: &World,
    npc: Entity,
    game: Millis,
    outcome: &Outcome,
) {
    if !matches!(outcome, Outcome::Fallback { .. }) {
        observe_mind(ledger, world, npc, game);
    }
}
