//! What is drawn of it.

use super::super::background::Progress;
use super::super::selection::Selection;
use super::super::theme::{BAD, LIVE, NOTED};
use super::super::view::InspectorView;
use super::super::what_if::{RecordingCopy, ReplayConfigure};
use super::super::widgets::{counted, excerpt, more_ui};
use super::super::world::things_ui;
use super::differences::differences;
use super::state::Then;
use crate::journal::{PastGame, game_after};
use crate::world::WorldView;
use bevy_egui::egui::{Button, CollapsingHeader, Ui};
use std::time::Duration;

/// The most differences that are listed.
const MOST_DIFFERENCES: usize = 100;
/// The most characters whose memory is listed.
const MOST_MINDS: usize = 100;

/// Draws the world as it was after this record. `copy` gives the recording.
pub(in crate::inspector) fn past_ui(
    ui: &mut Ui,
    view: &InspectorView,
    selection: &mut Selection,
    seq: u64,
    copy: impl FnOnce() -> RecordingCopy,
) {
    let header = CollapsingHeader::new("The world after this record").id_salt("past");
    header.show(ui, |ui| {
        let progress = selection.past.0.progress();
        let is_running = matches!(progress, Progress::Running);
        let answered = match &progress {
            Progress::Answered(answered) => Some(&**answered),
            Progress::Idle | Progress::Running => None,
        };
        let shown = match answered {
            Some(Ok(then)) if then.seq == seq => Some(then),
            _ => None,
        };
        ui.horizontal_wrapped(|ui| {
            let words = "Replay up to this record";
            let button = ui.add_enabled(!is_running && shown.is_none(), Button::new(words));
            if button.clicked() {
                let configure = view.world.get_resource::<ReplayConfigure>();
                let configure = configure.cloned().unwrap_or_default();
                let copy = copy();
                selection.past.0.begin("dramatis past", move || {
                    let recording = copy.open()?;
                    let game = game_after(&*recording, seq, &*configure.0);
                    let game = game.map_err(|error| error.to_string())?;
                    Ok(Then { seq, game })
                });
            }
            if is_running {
                ui.colored_label(LIVE, "replaying ..");
                // It ends without an event of the window.
                ui.ctx().request_repaint_after(Duration::from_millis(100));
            }
        });
        if let Some(Err(error)) = answered {
            ui.colored_label(BAD, error);
        }
        if let Some(then) = shown {
            then_ui(ui, view, &then.game, selection);
        }
    });
}

fn then_ui(ui: &mut Ui, view: &InspectorView, then: &PastGame, selection: &mut Selection) {
    if !then.replay.holds() {
        let words = "What came before does not replay: this cannot be trusted.";
        ui.colored_label(BAD, words);
    }
    let now = WorldView::new(view.world).to_state();
    let lines = differences(&then.world, &now);
    if lines.is_empty() {
        ui.weak("Everything was where it is now.");
    }
    for line in lines.iter().take(MOST_DIFFERENCES) {
        ui.colored_label(NOTED, excerpt(line, 200));
    }
    more_ui(ui, lines.len().saturating_sub(MOST_DIFFERENCES));
    let things = CollapsingHeader::new("What was where").id_salt("was where");
    things.show(ui, |ui| things_ui(ui, &then.world, selection));
    let minds = CollapsingHeader::new("What each remembered").id_salt("remembered");
    minds.show(ui, |ui| {
        for (npc, mind) in then.minds.iter().take(MOST_MINDS) {
            let episodes = counted(mind.episodes.len(), "episode");
            let beliefs = counted(mind.beliefs.len(), "belief");
            ui.label(format!("{npc}: {episodes}, {beliefs}"));
            if let Some(last) = mind.episodes.last() {
                ui.weak(excerpt(&last.text, 200));
            }
        }
        more_ui(ui, then.minds.len().saturating_sub(MOST_MINDS));
    });
}
