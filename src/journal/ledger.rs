//! The ledger: records as they are made, in the order in which things took effect.
//!
//! It keeps a [`WorldMirror`] of what has been written down. Before anything reads the judged world, the ledger looks at
//! what has changed since, so that a record that depends on a change always comes after it. What the game writes through
//! [`GameWrite`] is written down as such; what its own systems changed in place is found by comparison.

mod observing;
mod telling;

pub(super) use observing::{is_due, observe, observe_minds, refused};
use telling::LedgerHook;

use super::capture::{Assets, capture, settings};
use super::record::{Record, RecordKind};
use super::record_body;
use super::saved_game::{Settings, StateRow, checkpoint_bodies};
use crate::base::canonical::Digest;
use crate::base::fixed::Millis;
use crate::memory::{Mind, SavedMind};
use crate::npc::{CharacterLog, KnownNames, LoadedCharacter};
use crate::pipeline::hook::InstalledHook;
use crate::story::ActiveStory;
use crate::world::WorldView;
use crate::world::game_write::WriteLog;
use crate::world::mirror::WorldMirror;
use crate::world::refresh::refresh;
use crate::world::tracker::WorldTracker;
use bevy::ecs::change_detection::Tick;
use bevy::prelude::*;
use serde_json::{Value, json};
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
        let body = record_body::into_map(body).unwrap_or_default();
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
        .insert_resource(InstalledHook(Arc::new(LedgerHook)))
        .init_resource::<WriteLog>()
        .init_resource::<CharacterLog>();
    let mut watch = app.world_mut().get_resource_or_init::<WorldTracker>();
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
pub(super) fn write_checkpoint(world: &mut World, reason: &'static str) {
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
    world.resource_mut::<WorldTracker>().take_touched();
    world.resource_mut::<WriteLog>().0.clear();
    world.resource_mut::<CharacterLog>().0.clear();
    ledger.mirror = WorldMirror::of(WorldView::new(world).to_state());
    let settings = settings(world);
    ledger.identity = json!(settings.identity);
    ledger.settings = Some(settings);
    ledger.names = world.resource::<KnownNames>().0.len();
    ledger.story = Some(world.resource::<ActiveStory>().0.clone());
    ledger.minds.clear();
    let mut awake = world.query::<(&LoadedCharacter, Ref<Mind>)>();
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
