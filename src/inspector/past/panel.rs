//! What is drawn of it.

use super::super::background::Progress;
use super::super::selection::Selection;
use super::super::theme::{BAD, LIVE, NOTED};
use super::super::view::InspectorView;
use super::super::what_if::ReplayConfigure;
use super::super::widgets::{and_more_ui, counted, excerpt, recent};
use super::super::world::things_ui;
use super::differences::differences;
use super::state::Then;
use crate::journal::Recorded;
use crate::journal::source::RecordingSource;
use crate::replay::{PastGame, game_after};
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
    (seq, count): (u64, u64),
    copy: impl FnOnce() -> RecordingSource,
) {
    let header = CollapsingHeader::new("The world after this record").id_salt("past");
    header.show(ui, |ui| {
        let progress = selection.past.0.progress();
        let is_running = matches!(progress, Progress::Running);
        let answered = match &progress {
            Progress::Answered(answered) => Some(&**answered),
            Progress::Idle | Progress::Running => None,
        };
        let then = answered.and_then(|answered| answered.as_ref().ok());
        let then = then.filter(|then| then.seq == seq && then.count <= count);
        ui.horizontal_wrapped(|ui| {
            let words = "Replay up to this record";
            let button = ui.add_enabled(!is_running && then.is_none(), Button::new(words));
            if button.clicked() {
                // What is looked at stays, also when other records follow.
                selection.record = Some(seq);
                let configure = view.world.get_resource::<ReplayConfigure>();
                let configure = configure.cloned().unwrap_or_default();
                let copy = copy();
                selection.past.0.begin("dramatis past", move || {
                    let replay = |recording: &dyn Recorded| {
                        let game = game_after(recording, seq, &*configure.0);
                        game.map_err(|error| error.to_string())
                    };
                    let game = copy.open().and_then(|recording| replay(&*recording));
                    Ok(Then { seq, count, game })
                });
            }
            if is_running {
                ui.colored_label(LIVE, "replaying ..");
                // It ends without an event of the window.
                ui.ctx().request_repaint_after(Duration::from_millis(100));
            }
        });
        // Its thread has panicked.
        if let Some(Err(error)) = answered {
            ui.colored_label(BAD, error);
        }
        match then.map(|then| &then.game) {
            None => {}
            Some(Ok(game)) => then_ui(ui, view, seq, game, selection),
            Some(Err(error)) => {
                ui.colored_label(BAD, error);
            }
        }
    });
}

fn then_ui(
    ui: &mut Ui,
    view: &InspectorView,
    seq: u64,
    then: &PastGame,
    selection: &mut Selection,
) {
    if !then.replay.holds() {
        let words = "What came before does not replay: this cannot be trusted.";
        ui.colored_label(BAD, words);
    }
    let lines = recent(ui, "past", seq, || {
        differences(&then.game.world, &WorldView::new(view.world).to_state())
    });
    if lines.is_empty() {
        ui.weak("All that is judged was as it is now.");
    }
    for line in lines.iter().take(MOST_DIFFERENCES) {
        ui.colored_label(NOTED, excerpt(line, 200));
    }
    and_more_ui(ui, lines.len().saturating_sub(MOST_DIFFERENCES));
    let things = CollapsingHeader::new("What was where").id_salt("was where");
    things.show(ui, |ui| things_ui(ui, &then.game.world, selection));
    let minds = CollapsingHeader::new("What each remembered").id_salt("remembered");
    minds.show(ui, |ui| {
        for (npc, mind) in then.game.minds.iter().take(MOST_MINDS) {
            let episodes = counted(mind.episodes.len(), "episode");
            let beliefs = counted(mind.beliefs.len(), "belief");
            ui.label(format!("{npc}: {episodes}, {beliefs}"));
            if let Some(last) = mind.episodes.last() {
                ui.weak(excerpt(&last.text, 200));
            }
        }
        and_more_ui(ui, then.game.minds.len().saturating_sub(MOST_MINDS));
    });
}
