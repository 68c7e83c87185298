//! Small things that several panels draw.

use super::selection::Selection;
use super::theme::{BAD, GONE, GOOD, LIVE, NOTED};
use super::view::{MindView, RunView};
use crate::base::fixed::Millionths;
use crate::base::time::GameTime;
use crate::pipeline::Outcome;
use bevy_egui::egui::{self, Color32, RichText, TextEdit, Ui};
use std::sync::Arc;

/// The colour for the status of a run: green for accepted, yellow for a fallback, red for rejected and failed, grey for
/// cancelled, light blue while it goes on.
#[must_use]
pub fn outcome_colour(view: &RunView) -> Color32 {
    match view.outcome {
        Some(Outcome::Accepted { .. }) => GOOD,
        Some(Outcome::Fallback { .. }) => NOTED,
        Some(Outcome::Cancelled) => GONE,
        Some(Outcome::Rejected | Outcome::Failed) => BAD,
        None => LIVE,
    }
}

/// Names with their values.
pub(super) fn table(ui: &mut Ui, id: &str, rows: &[(&str, String)]) {
    egui::Grid::new(id).num_columns(2).show(ui, |ui| {
        for (name, value) in rows {
            ui.weak(*name);
            ui.add(egui::Label::new(RichText::new(value)).wrap());
            ui.end_row();
        }
    });
}

/// A line to type in what is looked for.
pub(super) fn search(ui: &mut Ui, words: &mut String, hint: &str) {
    ui.add(
        TextEdit::singleline(words)
            .hint_text(hint)
            .desired_width(170.0),
    );
}

/// Whether one of the texts holds the words, whatever the case. No words are in every text.
pub(super) fn contains<'a>(words: &str, texts: impl IntoIterator<Item = &'a str>) -> bool {
    let words = words.trim().to_lowercase();
    words.is_empty()
        || texts
            .into_iter()
            .any(|text| text.to_lowercase().contains(&words))
}

/// Whether the id or the name of a character holds the words, whatever the case.
pub(super) fn is_called(mind: &MindView, words: &str) -> bool {
    contains(words, [mind.npc.as_str(), mind.name.unwrap_or_default()])
}

/// A text in one line, cut to this many characters.
pub(super) fn excerpt(text: &str, most: usize) -> String {
    let mut line: String = text
        .chars()
        .take(most)
        .map(|c| if c == '\n' { ' ' } else { c })
        .collect();
    if text.chars().nth(most).is_some() {
        line.push_str(" ..");
    }
    line
}

/// How many of something: `1 call`, `2 calls`.
pub(super) fn counted(count: usize, one: &str) -> String {
    match count {
        1 => format!("1 {one}"),
        _ => format!("{count} {one}s"),
    }
}

/// A fraction with two places.
pub(super) fn part(value: Millionths) -> String {
    format!("{:.2}", value.to_f64())
}

/// A point in game time, in seconds.
pub(super) fn seconds(at: GameTime) -> String {
    format!("{}.{:03} s", at.0.div_euclid(1_000), at.0.rem_euclid(1_000))
}

/// How many seconds what was computed of the game is shown before it is computed again.
const RECENT: f64 = 0.25;

/// What was computed a moment ago, so that it is not computed in every frame. `of` is what it depends on, apart from the
/// game.
pub(super) fn recent<K, T>(ui: &Ui, name: &str, of: K, compute: impl FnOnce() -> T) -> Arc<T>
where
    K: PartialEq + Clone + Send + Sync + 'static,
    T: Send + Sync + 'static,
{
    let key = egui::Id::new(("inspector", name));
    let now = ui.input(|input| input.time);
    let kept = ui.data(|data| data.get_temp::<(f64, K, Arc<T>)>(key));
    match kept {
        Some((at, kept_of, kept)) if kept_of == of && (now - at).abs() < RECENT => kept,
        _ => {
            let computed = Arc::new(compute());
            ui.data_mut(|data| data.insert_temp(key, (now, of, computed.clone())));
            computed
        }
    }
}

/// How many were left out of a list without a search field; nothing where none was.
pub(super) fn and_more_ui(ui: &mut Ui, more: usize) {
    if more > 0 {
        ui.weak(format!("and {more} more"));
    }
}

/// How many were left out of a list; nothing where none was.
pub(super) fn more_ui(ui: &mut Ui, more: usize) {
    if more > 0 {
        ui.weak(format!("and {more} more: look for them by their words"));
    }
}

/// The id of a rule. A click shows the rule.
pub(super) fn rule_link(ui: &mut Ui, rule: &str, selection: &mut Selection) {
    if ui.link(rule).clicked() {
        selection.show_rule(rule);
    }
}

/// The text for a component that is not there yet.
pub(super) fn missing(ui: &mut Ui) {
    ui.weak("Not there yet.");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn i3_what_is_looked_for_is_found_whatever_the_case() {
        assert!(contains(" Key ", ["a chest", "the brass KEY"]));
        assert!(contains("", ["a chest"]));
        assert!(!contains("key", ["a chest"]));
    }

    #[test]
    fn i3_one_of_something_is_not_several() {
        assert_eq!(counted(1, "call"), "1 call");
        assert_eq!(counted(0, "call"), "0 calls");
    }

    #[test]
    fn i3_an_excerpt_is_one_line() {
        assert_eq!(excerpt("one\ntwo", 20), "one two");
        assert_eq!(excerpt("éàè", 2), "éà ..");
    }
}
