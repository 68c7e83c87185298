//! The ledger itself: what has been written down so far, and what is known of the game.

use super::entry::{About, LedgerEntry};
use crate::base::canonical::Digest;
use crate::base::fixed::Millis;
use crate::journal::record::{Record, RecordKind};
use crate::journal::record_body;
use crate::journal::saved_game::{Settings, StateRow};
use crate::world::mirror::WorldMirror;
use bevy::ecs::change_detection::Tick;
use bevy::prelude::*;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What has been written down, and what waits to be taken away.
#[derive(Resource)]
pub(in crate::journal) struct Ledger {
    pub(super) position: u64,
    /// Which segment without a gap this is. A run of an earlier one cannot be replayed.
    pub(super) segment: u64,
    pub(super) entries: Vec<LedgerEntry>,
    pub(super) mirror: WorldMirror,
    pub(super) settings: Option<Settings>,
    pub(super) names: usize,
    pub(super) story: Option<Arc<crate::authoring::StoryBook>>,
    pub(super) minds: BTreeMap<String, (Tick, Digest)>,
    pub(super) stored_assets: BTreeSet<Digest>,
    pub(super) turn_before: Digest,
    pub(super) identity: Value,
    /// When it looked at the world last, in call time.
    pub(super) last_compared: Millis,
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
            names: 0,
            story: None,
            minds: BTreeMap::new(),
            stored_assets: BTreeSet::new(),
            turn_before: Digest::default(),
            identity: Value::Null,
            last_compared: Millis(0),
            replaying: false,
        }
    }

    /// The number of the last record: a second opinion names it.
    pub fn position(&self) -> u64 {
        self.position
    }

    /// Takes what has been written down.
    pub fn take(&mut self) -> Vec<LedgerEntry> {
        std::mem::take(&mut self.entries)
    }

    /// Lets the last entry say how far things are: time goes on with writes of the game, too.
    #[cfg(feature = "store")]
    pub fn add_session_row(&mut self, session: crate::journal::saved_game::Session) {
        if let Some(last) = self.entries.last_mut() {
            last.rows.push(StateRow::new("session", "", Some(session)));
        }
    }

    /// The next record comes after this many.
    pub fn at(&mut self, position: u64) {
        self.position = position;
    }

    /// Counts a record that was fed in from a recording.
    pub fn count_recorded(&mut self) {
        self.position += 1;
    }

    pub(super) fn write(
        &mut self,
        kind: RecordKind,
        game: Millis,
        subject: Option<String>,
        body: Value,
    ) -> &mut LedgerEntry {
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
        self.entries.push(LedgerEntry {
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
    pub(super) fn input(
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
