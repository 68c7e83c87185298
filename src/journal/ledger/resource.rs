//! The ledger itself: the records so far, and the known state of the game.

use super::entry::{LedgerEntry, RecordAndRows, Sign};
use super::minds::KnownMinds;
use super::settings_seen::SettingsSeen;
use crate::adventure::saved::{WrittenAdventure, adventure_ticks};
use crate::base::canonical::Digest;
use crate::base::ids::Id;
use crate::base::resource_ticks::ResourceTicks;
use crate::base::time::{CallTime, GameTime};
use crate::engine::EngineIdentity;
#[cfg(feature = "store")]
use crate::journal::game::saved_game::Session;
use crate::journal::game::saved_game::{Settings, StateRow};
use crate::journal::record::{EncodedRecord, RecordBody, RecordKind};
use crate::judged_world::change::mirror::WorldMirror;
use crate::world::{TurnOf, WorldFacts, WorldFlags};
use bevy::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

/// The ledger of this game. It is in a box, because Bevy moves a resource that is taken out from one table to another.
#[derive(Resource)]
pub(crate) struct InstalledLedger(Option<Box<Ledger>>);

impl InstalledLedger {
    pub(super) fn new() -> Self {
        Self(Some(Box::new(Ledger::new())))
    }
}

/// No code can ask for it then: all commands are done before it is taken, and no code of the game runs until it is back. With
/// Bevy's `resource_scope` the resource would be missing in the same way.
const IN_USE: &str = "the ledger is in use";

impl Deref for InstalledLedger {
    type Target = Ledger;

    fn deref(&self) -> &Ledger {
        self.0.as_deref().expect(IN_USE)
    }
}

impl DerefMut for InstalledLedger {
    fn deref_mut(&mut self) -> &mut Ledger {
        self.0.as_deref_mut().expect(IN_USE)
    }
}

/// Calls `work` with the world and its ledger, once all commands are done that wait. Nothing happens in a world without a
/// ledger, and in a call within such a call.
pub(super) fn with_ledger(world: &mut World, work: impl FnOnce(&mut World, &mut Ledger)) {
    world.flush();
    let take = |mut installed: Mut<InstalledLedger>| installed.0.take();
    let ledger = world.get_resource_mut::<InstalledLedger>().and_then(take);
    let mut taken = TakenLedger { world, ledger };
    if let Some(ledger) = &mut taken.ledger {
        work(taken.world, ledger);
    }
}

/// A ledger that goes back to its place, even when there was a panic.
struct TakenLedger<'w> {
    world: &'w mut World,
    ledger: Option<Box<Ledger>>,
}

impl Drop for TakenLedger<'_> {
    fn drop(&mut self) {
        if let Some(ledger) = self.ledger.take()
            && let Some(mut installed) = self.world.get_resource_mut::<InstalledLedger>()
        {
            installed.0 = Some(ledger);
        }
    }
}

/// What has been written down, and what waits to be taken away.
pub(crate) struct Ledger {
    pub(super) position: u64,
    /// Which segment without a gap this is. A run of an earlier one cannot be replayed.
    pub(super) segment: u64,
    pub(super) entries: Vec<LedgerEntry>,
    pub(super) mirror: WorldMirror,
    settings: Option<Settings>,
    /// The engine of these settings.
    identity: Option<EngineIdentity>,
    pub(super) settings_seen: SettingsSeen,
    /// The last seen state of flags, facts, and whose turn it is.
    pub(super) world_seen: ResourceTicks,
    pub(super) names: usize,
    pub(super) story: Option<Arc<crate::authoring::StoryBook>>,
    pub(super) minds: KnownMinds,
    /// Things that wait for their carriers, as they are in the file.
    pub(super) awaited: BTreeMap<Id, Vec<Id>>,
    pub(super) stored_assets: BTreeSet<Digest>,
    /// What has been written down of the adventure.
    pub(super) adventure: WrittenAdventure,
    /// The last seen state of it.
    pub(super) adventure_seen: ResourceTicks,
    pub(super) turn_before: Digest,
    /// The segment in which it was written down last by what plans are judged, and its hash.
    pub(super) plan_settings: Option<(u64, Digest)>,
    /// When it looked at everything last, in call time.
    pub(super) last_compared: CallTime,
    /// Inputs come from a recording: they are applied, and not written down once more.
    pub replaying: bool,
}

impl Ledger {
    pub(super) fn new() -> Self {
        Self {
            position: 0,
            segment: 0,
            entries: Vec::new(),
            mirror: WorldMirror::default(),
            settings: None,
            identity: None,
            settings_seen: SettingsSeen::default(),
            world_seen: ResourceTicks::of([
                World::component_id::<WorldFlags>,
                World::component_id::<WorldFacts>,
                World::component_id::<TurnOf>,
            ]),
            names: 0,
            story: None,
            minds: KnownMinds::default(),
            awaited: BTreeMap::new(),
            stored_assets: BTreeSet::new(),
            adventure: WrittenAdventure::default(),
            adventure_seen: adventure_ticks(),
            turn_before: Digest::default(),
            plan_settings: None,
            last_compared: CallTime(0),
            replaying: false,
        }
    }

    /// The settings that were written last; `None` before the first.
    pub(super) fn settings(&self) -> Option<&Settings> {
        self.settings.as_ref()
    }

    /// Notes the settings that are written.
    pub(super) fn remember_settings(&mut self, settings: Settings) {
        self.identity = settings.get("identity");
        self.settings = Some(settings);
    }

    /// Which engine answers; `None` before the first checkpoint.
    pub(super) fn identity(&self) -> Option<&EngineIdentity> {
        self.identity.as_ref()
    }

    /// The number of the last record: a second opinion names it.
    pub fn position(&self) -> u64 {
        self.position
    }

    /// Whether nothing waits to be taken away.
    #[cfg(feature = "store")]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Takes what has been written down.
    pub fn take(&mut self) -> Vec<LedgerEntry> {
        std::mem::take(&mut self.entries)
    }

    /// Adds to the last entry the changes that have no record: how far the game is, and which things wait for the character that
    /// carries them.
    #[cfg(feature = "store")]
    pub(crate) fn add_state_rows(&mut self, session: Session, awaited: BTreeMap<Id, Vec<Id>>) {
        let Some(last) = self.entries.last_mut() else {
            return;
        };
        last.session = Some(session);
        if awaited == self.awaited {
            return;
        }
        let gone = self.awaited.keys().filter(|id| !awaited.contains_key(*id));
        let gone = gone.map(|id| StateRow::new("awaited", id, None::<()>));
        last.rows.extend(gone);
        let waiting = awaited.iter();
        let waiting = waiting.map(|(id, things)| StateRow::new("awaited", id, Some(things)));
        last.rows.extend(waiting);
        self.awaited = awaited;
    }

    /// The next record comes after this many.
    pub fn at(&mut self, position: u64) {
        self.position = position;
    }

    /// Counts a record that was fed in from a recording.
    pub fn count_recorded(&mut self) {
        self.position += 1;
    }

    /// Writes a record down.
    pub(super) fn write(
        &mut self,
        game: GameTime,
        subject: Option<&str>,
        body: &RecordBody<'_>,
    ) -> &mut LedgerEntry {
        self.position += 1;
        let subject = subject.map(str::to_owned);
        let record = EncodedRecord::sealed(self.position, game, subject, body);
        let entry = self.add(LedgerEntry::made(record));
        entry.sign = Sign::of(body);
        entry
    }

    /// Writes a record down that is made later: `make` is given its number.
    pub(super) fn write_later(
        &mut self,
        kind: RecordKind,
        make: impl FnOnce(u64) -> RecordAndRows + Send + Sync + 'static,
    ) -> &mut LedgerEntry {
        self.position += 1;
        let seq = self.position;
        self.add(LedgerEntry::pending(seq, kind, move || make(seq)))
    }

    fn add(&mut self, entry: LedgerEntry) -> &mut LedgerEntry {
        self.entries.push(entry);
        let last = self.entries.len() - 1;
        &mut self.entries[last]
    }

    /// Writes an input down. In a replay it is known already.
    pub(super) fn input(
        &mut self,
        game: GameTime,
        subject: Option<&str>,
        body: &RecordBody<'_>,
        rows: Vec<StateRow>,
    ) {
        if !self.replaying {
            self.write(game, subject, body).rows = rows;
        }
    }

    /// The text, if the file does not hold it yet.
    pub(super) fn new_text(
        &mut self,
        digest: Digest,
        text: impl FnOnce() -> String,
    ) -> Vec<String> {
        if self.stored_assets.insert(digest) {
            vec![text()]
        } else {
            Vec::new()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    #[test]
    fn j1_the_ledger_is_back_after_a_panic_and_a_call_within_a_call_does_nothing() {
        let mut world = World::new();
        world.insert_resource(InstalledLedger::new());
        let mut calls = 0;
        let broken = catch_unwind(AssertUnwindSafe(|| {
            with_ledger(&mut world, |world, _| {
                with_ledger(world, |_, _| calls += 1);
                panic!("a hook of the game has panicked");
            });
        }));
        assert!(broken.is_err());
        with_ledger(&mut world, |_, ledger| {
            ledger.at(7);
            calls += 10;
        });
        assert_eq!(calls, 10);
        assert_eq!(world.resource::<InstalledLedger>().position, 7);
    }
}
