//! A list to choose from.

use super::choices::Choice;
use bevy_egui::egui;

/// A list to choose from, with what the choice means. Returns the new choice; `None` when it is the current one.
pub(super) fn choose<T: Copy + PartialEq>(
    ui: &mut egui::Ui,
    name: &str,
    now: T,
    choices: &[Choice<T>],
) -> Option<T> {
    let known = choices.iter().find(|(value, ..)| *value == now);
    let (_, label, meaning) = known.copied().unwrap_or((now, "as the game has it", ""));
    let mut chosen = now;
    egui::ComboBox::from_label(name)
        .selected_text(label)
        .show_ui(ui, |ui| {
            for (value, label, _) in choices {
                ui.selectable_value(&mut chosen, *value, *label);
            }
        });
    ui.weak(meaning);
    (chosen != now).then_some(chosen)
}
