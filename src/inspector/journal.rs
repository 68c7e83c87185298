//! The journal: what was written down, a record at a time.

use super::past::past_ui;
use super::selection::Selection;
use super::theme::{BAD, LIVE};
use super::view::InspectorView;
use super::what_if::{JudgedRecord, what_if_ui};
use super::widgets::{excerpt, seconds};
use crate::base::time::GameTime;
use crate::journal::source::RecordingSource;
#[cfg(feature = "store")]
use crate::journal::{Journal, JournalFile, JournalState};
use crate::journal::{MemoryJournal, Record, Recorded, Recording, ReplayError};
use crate::settings::SettingRegistry;
use bevy_egui::egui::{Button, CollapsingHeader, Grid, Id as UiId, ScrollArea, Ui};
use egui_json_tree::{DefaultExpand, JsonTree};
use serde_json::Value;
use std::sync::Arc;

/// How many records are listed at once.
pub const PAGE: u64 = 10;

/// A record, as a line of the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordRow {
    /// Its number, from 1.
    pub seq: u64,
    /// The name of its kind, such as `interaction`; empty where it cannot be read.
    pub kind: &'static str,
    /// When it took effect, in game time.
    pub game: GameTime,
    /// The character that it is about; empty where it is about no character.
    pub subject: String,
    /// Why it cannot be read, for people; `None` where it can.
    pub error: Option<String>,
}

impl RecordRow {
    /// The line of a record, or of one that cannot be read.
    #[must_use]
    pub fn of(seq: u64, record: Result<&Record, &ReplayError>) -> Self {
        match record {
            Ok(record) => Self {
                seq,
                kind: record.kind.name(),
                game: record.game,
                subject: record.subject.clone().unwrap_or_default(),
                error: None,
            },
            Err(error) => Self {
                seq,
                kind: "",
                game: GameTime(0),
                subject: String::new(),
                error: Some(error.to_string()),
            },
        }
    }
}

/// The numbers of the records of the page that this one is on, the newest first: at most [`PAGE`]. `seq` beyond the last
/// record counts as the last. Pages do not move while records are added, so that the user keeps the page in view.
#[must_use]
pub fn page_of(seq: u64, count: u64) -> Vec<u64> {
    let seq = seq.clamp(1, count.max(1));
    let first = (seq - 1) / PAGE * PAGE + 1;
    (first..=count.min(first + PAGE - 1)).rev().collect()
}

/// Where the records are.
enum Source<'a> {
    Memory(&'a Recording),
    #[cfg(feature = "store")]
    File(&'a Journal),
}

impl<'a> Source<'a> {
    fn of(view: &InspectorView<'a>) -> Option<Self> {
        let memory = view.world.get_resource::<MemoryJournal>();
        let found = memory.map(|journal| Self::Memory(journal.recording()));
        #[cfg(feature = "store")]
        let found = found.or_else(|| view.world.get_resource().map(Self::File));
        found
    }

    /// The number of the last record that can be read.
    fn count(&self) -> u64 {
        match self {
            Self::Memory(recording) => recording.count(),
            #[cfg(feature = "store")]
            Self::File(journal) => journal.stored(),
        }
    }

    /// A number that changes when records that were there can be others.
    fn version(&self) -> u64 {
        match self {
            Self::Memory(recording) => recording.count(),
            #[cfg(feature = "store")]
            Self::File(_) => 0,
        }
    }

    /// What another thread can read.
    fn copy(&self) -> RecordingSource {
        match self {
            Self::Memory(recording) => RecordingSource::Memory(Arc::new((*recording).clone())),
            #[cfg(feature = "store")]
            Self::File(journal) => RecordingSource::File(journal.path().to_owned()),
        }
    }

    /// The lines of these records, and what the chosen one says.
    fn read(&self, page: &[u64], chosen: u64) -> Result<PageRead, String> {
        #[cfg(feature = "store")]
        if let Self::File(journal) = self {
            let file = JournalFile::open(journal.path()).map_err(|error| error.to_string())?;
            return Ok(read(&file, page, chosen));
        }
        match self {
            Self::Memory(recording) => Ok(read(*recording, page, chosen)),
            #[cfg(feature = "store")]
            Self::File(_) => Ok(PageRead::default()),
        }
    }
}

/// The lines of a page, and what its chosen record says.
#[derive(Default)]
struct PageRead {
    rows: Vec<RecordRow>,
    body: Value,
    /// What was judged in it; `None` where nothing was.
    judged: Option<JudgedRecord>,
}

fn read(recorded: &dyn Recorded, page: &[u64], chosen: u64) -> PageRead {
    let mut body = Value::Null;
    let mut judged = None;
    let rows = page.iter().map(|seq| {
        let record = recorded.record(*seq);
        let row = RecordRow::of(*seq, record.as_ref());
        if let Ok(record) = record
            && *seq == chosen
        {
            judged = JudgedRecord::of(&record);
            body = Value::Object(record.body);
        }
        row
    });
    PageRead {
        rows: rows.collect(),
        body,
        judged,
    }
}

/// What was read of the journal, until another record is chosen or the page has more.
#[derive(Clone)]
struct Read {
    source: u64,
    page: Vec<u64>,
    chosen: u64,
    read: Arc<Result<PageRead, String>>,
}

/// Draws the settings that saves and the journal keep, those of the game's plugins among them.
fn settings_ui(ui: &mut Ui, view: &InspectorView) {
    let Some(known) = view.world.get_resource::<SettingRegistry>() else {
        return;
    };
    CollapsingHeader::new("Settings that a save keeps").show(ui, |ui| {
        for setting in known.iter() {
            match setting.written(view.world) {
                Some(value) => ui.label(excerpt(&format!("{}: {value}", setting.name), 300)),
                None => ui.weak(format!("{}: its first value", setting.name)),
            };
        }
    });
}

/// Draws the journal.
pub(super) fn journal_ui(ui: &mut Ui, view: &InspectorView, selection: &mut Selection) {
    settings_ui(ui, view);
    let Some(source) = Source::of(view) else {
        ui.weak(
            "No journal is kept: add a MemoryJournalPlugin, or a JournalPlugin for one in a file.",
        );
        return;
    };
    let count = source.count();
    source_ui(ui, &source, count);
    if count == 0 {
        return;
    }
    let chosen = selection.record.unwrap_or(count).clamp(1, count);
    steps_ui(ui, chosen, count, selection);
    let page = page_of(chosen, count);
    let key = UiId::new("inspector/journal");
    let kept = ui.data(|data| data.get_temp::<Read>(key));
    // What is in a file stays; what is in memory can be taken away.
    let source_now = source.version();
    let kept =
        kept.filter(|kept| (kept.source, &kept.page, kept.chosen) == (source_now, &page, chosen));
    let read = kept.unwrap_or_else(|| {
        let read = Arc::new(source.read(&page, chosen));
        let read = Read {
            source: source_now,
            page,
            chosen,
            read,
        };
        ui.data_mut(|data| data.insert_temp(key, read.clone()));
        read
    });
    match &*read.read {
        Err(error) => {
            ui.colored_label(BAD, error);
        }
        Ok(PageRead { rows, body, judged }) => {
            rows_ui(ui, rows, chosen, count, selection);
            ui.separator();
            ScrollArea::vertical()
                .id_salt("record")
                .auto_shrink(false)
                .show(ui, |ui| {
                    past_ui(ui, view, selection, (chosen, count), || source.copy());
                    match judged {
                        Some(judged) => what_if_ui(ui, view, selection, judged, || source.copy()),
                        None => {
                            ui.weak("What if? is asked of talks, turns and plans.");
                        }
                    }
                    JsonTree::new(("record", chosen), body)
                        .default_expand(DefaultExpand::ToLevel(0))
                        .show(ui);
                });
        }
    }
}

fn source_ui(ui: &mut Ui, source: &Source, count: u64) {
    match source {
        Source::Memory(_) => {
            ui.weak(format!("{count} records, in memory"));
        }
        #[cfg(feature = "store")]
        Source::File(journal) => {
            ui.weak(format!("{count} records in {}", journal.path().display()));
            match journal.state() {
                JournalState::Writing => {}
                JournalState::Resuming => {
                    ui.colored_label(LIVE, "It begins again, with a checkpoint.");
                }
                JournalState::Stopped(why) => {
                    ui.colored_label(BAD, format!("Nothing is stored: {why}"));
                }
            }
        }
    }
}

/// Steps through the records, in time.
fn steps_ui(ui: &mut Ui, chosen: u64, count: u64, selection: &mut Selection) {
    ui.horizontal(|ui| {
        let steps = [
            ("first", 1),
            ("back", chosen.saturating_sub(1).max(1)),
            ("on", chosen.saturating_add(1).min(count)),
        ];
        for (words, goal) in steps {
            if ui.add_enabled(goal != chosen, Button::new(words)).clicked() {
                selection.record = Some(goal);
            }
        }
        let follows = selection.record.is_none();
        if ui.selectable_label(follows, "newest").clicked() {
            selection.record = None;
        }
        ui.colored_label(LIVE, format!("record {chosen} of {count}"));
    });
}

fn rows_ui(ui: &mut Ui, rows: &[RecordRow], chosen: u64, count: u64, selection: &mut Selection) {
    Grid::new("records")
        .num_columns(3)
        .striped(true)
        .show(ui, |ui| {
            for row in rows {
                let label = format!("{} {}", row.seq, row.kind);
                if ui.selectable_label(row.seq == chosen, label).clicked() {
                    // Who chooses the newest goes on with the newest.
                    selection.record = (row.seq != count).then_some(row.seq);
                }
                ui.weak(seconds(row.game));
                match &row.error {
                    None => ui.label(&row.subject),
                    Some(error) => ui.colored_label(BAD, error),
                };
                ui.end_row();
            }
        });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn i3_a_page_stays_where_it_is_while_records_are_added() {
        assert_eq!(page_of(3, 5), [5, 4, 3, 2, 1]);
        assert_eq!(page_of(3, 500), (1..=PAGE).rev().collect::<Vec<_>>());
        assert_eq!(page_of(PAGE + 1, PAGE + 1), [PAGE + 1]);
        assert_eq!(page_of(u64::MAX, 2), [2, 1]);
        assert_eq!(page_of(0, 2), [2, 1]);
        assert!(page_of(7, 0).is_empty());
    }

    #[test]
    fn i3_a_record_that_cannot_be_read_says_why() {
        let PageRead { rows, body, .. } = read(&Recording::default(), &[4], 4);
        assert_eq!(body, Value::Null);
        assert!(
            rows[0]
                .error
                .as_ref()
                .is_some_and(|error| error.contains('4'))
        );
    }
}
