//! The prompt of an attempt: how large its sections are, what was cut, and what differs from the prompt before, which is what a
//! server's cache cannot keep.

use super::marked::clip;
use super::selection::Selection;
use super::theme::{BAD, GOOD, NOTED, PALETTE};
use super::view::{InspectorView, RunView};
use super::widgets::{and_more_ui, excerpt, missing, part};
use crate::engine::Role;
use crate::pipeline::{AttemptRecord, CutItem, CutKind, Section};
use bevy_egui::egui::{
    CollapsingHeader, Color32, Label, RichText, ScrollArea, Sense, Ui, pos2, vec2,
};
use similar::{ChangeTag, TextDiff};

/// The most changed lines that are shown.
const MOST_LINES: usize = 200;
/// The most lines of a prompt that are compared.
const COMPARED_LINES: usize = 1_000;
/// The most things that were cut that are listed.
const MOST_CUT: usize = 100;
/// The most characters of a changed line that are shown.
const MOST_LINE_CHARS: usize = 2_000;

/// A section of a prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SectionText<'a> {
    /// Its name.
    pub name: &'static str,
    /// How many characters it has.
    pub chars: usize,
    /// Its text.
    pub text: &'a str,
}

/// Cuts a prompt into its sections, by their sizes.
#[must_use]
pub(crate) fn by_section<'a>(prompt: &'a str, sections: &[Section]) -> Vec<SectionText<'a>> {
    let mut rest = prompt;
    let texts = sections.iter().map(|section| {
        let end = rest.char_indices().nth(section.chars);
        let (text, after) = rest.split_at(end.map_or(rest.len(), |(at, _)| at));
        rest = after;
        SectionText {
            name: section.name,
            chars: section.chars,
            text,
        }
    });
    texts.collect()
}

/// A prompt that another one is compared with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Before<'a> {
    /// Which one it is: `attempt 0`, or `run 4`.
    pub what: String,
    /// Its text.
    pub prompt: &'a str,
    /// How many characters the two have in common from their beginning on: as much of the new one a cache can keep.
    pub same: usize,
}

/// What the prompt of an attempt is compared with: the attempt before it, and the last prompt of the character's run before of
/// the same stage. One that is not there is left out.
#[must_use]
pub fn prompts_before<'v>(
    runs: &'v [RunView],
    run: &'v RunView,
    attempt: &AttemptRecord,
) -> Vec<Before<'v>> {
    let mut earlier = run
        .attempts
        .iter()
        .filter(|other| other.index < attempt.index);
    let retried = earlier
        .next_back()
        .map(|other| (format!("attempt {}", other.index), &*other.prompt));
    // Newest first.
    let older = runs.iter().find(|other| {
        other.run.number() < run.run.number()
            && other.run.npc() == run.run.npc()
            && other.run.stage() == run.run.stage()
            && !other.attempts.is_empty()
    });
    let older = older.and_then(|other| {
        let last = other.attempts.last()?;
        Some((format!("run {}", other.run.number()), &*last.prompt))
    });
    let all = retried.into_iter().chain(older);
    all.map(|(what, prompt)| Before {
        what,
        prompt,
        same: common_start(prompt, &attempt.prompt),
    })
    .collect()
}

/// How many characters two texts have in common from their beginning on.
fn common_start(one: &str, other: &str) -> usize {
    one.chars()
        .zip(other.chars())
        .take_while(|(a, b)| a == b)
        .count()
}

/// A line that only one of two prompts has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedLine {
    /// Whether the new prompt has it; else the old one.
    pub is_new: bool,
    /// The line.
    pub text: String,
}

/// The lines that differ between two prompts, in order; at most 200. Blank lines are left out. After the beginning that both
/// have, 1,000 lines of each are compared.
#[must_use]
pub fn changed_lines(before: &str, now: &str) -> Vec<ChangedLine> {
    let same: usize = lines(before)
        .zip(lines(now))
        .take_while(|(a, b)| a == b)
        .count();
    let part = |prompt| -> Vec<&str> { lines(prompt).skip(same).take(COMPARED_LINES).collect() };
    let (before, now) = (part(before), part(now));
    let diff = TextDiff::from_slices(&before, &now);
    let changes = diff
        .iter_all_changes()
        .filter(|change| change.tag() != ChangeTag::Equal);
    let changed = changes.map(|change| ChangedLine {
        is_new: change.tag() == ChangeTag::Insert,
        text: excerpt(change.value().trim_end(), MOST_LINE_CHARS),
    });
    changed
        .filter(|line| !line.text.is_empty())
        .take(MOST_LINES)
        .collect()
}

fn lines(prompt: &str) -> impl Iterator<Item = &str> {
    prompt.split_inclusive('\n')
}

/// Draws the prompt of the chosen attempt.
pub(super) fn prompt_ui(ui: &mut Ui, view: &InspectorView, selection: &mut Selection) {
    let Some(run) = view.chosen_run(selection) else {
        ui.weak("No prompt has been written yet.");
        return;
    };
    let last = run.attempts.len().saturating_sub(1);
    let chosen = selection.attempt.unwrap_or(last).min(last);
    ui.horizontal_wrapped(|ui| {
        ui.strong(format!("run {}, {}", run.run.number(), run.run.npc()));
        for (i, attempt) in run.attempts.iter().enumerate() {
            let label = format!("attempt {}", attempt.index);
            if ui.selectable_label(i == chosen, label).clicked() {
                selection.run = Some(run.entity);
                selection.attempt = Some(i);
            }
        }
    });
    let Some(attempt) = run.attempts.get(chosen) else {
        return missing(ui);
    };
    bar_ui(ui, attempt);
    let before = prompts_before(&view.runs, run, attempt);
    let all = attempt.prompt.chars().count();
    for other in &before {
        let share = (other.same * 100).checked_div(all).unwrap_or_default();
        let colour = if share >= 80 { GOOD } else { NOTED };
        let words = format!(
            "the first {} of {all} characters are those of {}: a cache can keep {share}%",
            other.same, other.what
        );
        ui.colored_label(colour, words);
    }
    ScrollArea::vertical()
        .id_salt("prompt")
        .auto_shrink(false)
        .show(ui, |ui| {
            cut_ui(ui, attempt);
            for (i, other) in before.iter().enumerate() {
                CollapsingHeader::new(format!("What differs from {}", other.what))
                    .id_salt(("differs", i))
                    .show(ui, |ui| changes_ui(ui, other.prompt, &attempt.prompt));
            }
            messages_ui(ui, attempt);
            for section in by_section(&attempt.prompt, &attempt.sections) {
                CollapsingHeader::new(format!("{}, {} characters", section.name, section.chars))
                    .id_salt(section.name)
                    .default_open(section.chars < 600)
                    .show(ui, |ui| {
                        ui.add(
                            Label::new(RichText::new(clip(section.text.trim_end())).monospace())
                                .wrap(),
                        );
                    });
            }
        });
}

/// Draws the prompt as the engine is sent it: message by message.
fn messages_ui(ui: &mut Ui, attempt: &AttemptRecord) {
    let count = attempt.messages.len();
    CollapsingHeader::new(format!("As {count} messages")).show(ui, |ui| {
        for message in &*attempt.messages {
            let role = match message.role {
                Role::System => "system",
                Role::User => "user",
                Role::Assistant => "assistant",
            };
            ui.strong(role);
            ui.add(Label::new(RichText::new(clip(&message.content)).monospace()).wrap());
        }
    });
}

fn changes_ui(ui: &mut Ui, before: &str, now: &str) {
    let lines = changed_lines(before, now);
    if lines.is_empty() {
        ui.weak("Nothing.");
    }
    for line in lines {
        let (sign, colour) = if line.is_new { ("+", GOOD) } else { ("-", BAD) };
        let text = RichText::new(format!("{sign} {}", line.text))
            .monospace()
            .color(colour);
        ui.add(Label::new(text).wrap());
    }
}

/// What was cut in a sentence: what it is, how long, what it was worth, and which room it did not get.
#[must_use]
pub(crate) fn cut_in_words(cut: &CutItem) -> String {
    let worth = match cut.kind {
        CutKind::Episode | CutKind::Belief => format!(", worth {}", part(cut.score)),
        _ => String::new(),
    };
    let id = excerpt(&cut.id, 80);
    format!(
        "{:?} {id}, {} characters{worth}: {}",
        cut.kind, cut.chars, cut.why
    )
}

fn cut_ui(ui: &mut Ui, attempt: &AttemptRecord) {
    if attempt.cut.is_empty() {
        return;
    }
    let words = format!("{} had no room:", attempt.cut.len());
    ui.colored_label(NOTED, words);
    for cut in attempt.cut.iter().take(MOST_CUT) {
        ui.label(cut_in_words(cut));
    }
    and_more_ui(ui, attempt.cut.len().saturating_sub(MOST_CUT));
}

/// Draws the sections as one bar, each as wide as it is long.
pub(super) fn bar_ui(ui: &mut Ui, attempt: &AttemptRecord) {
    let all: usize = attempt.sections.iter().map(|section| section.chars).sum();
    let size = vec2(ui.available_width(), 18.0);
    let (bar, _) = ui.allocate_exact_size(size, Sense::hover());
    let mut left = bar.left();
    for (i, section) in attempt.sections.iter().enumerate() {
        let share = section.chars as f32 / all.max(1) as f32;
        let right = (left + share * bar.width()).min(bar.right());
        let rect = bevy_egui::egui::Rect::from_min_max(
            pos2(left, bar.top()),
            pos2((right - 1.0).max(left), bar.bottom()),
        );
        ui.painter().rect_filled(rect, 2.0, colour_of(i));
        let id = ui.id().with(("section", i));
        ui.interact(rect, id, Sense::hover())
            .on_hover_text(format!("{}, {} characters", section.name, section.chars));
        left = right;
    }
    ui.horizontal_wrapped(|ui| {
        ui.weak(format!("{all} characters:"));
        for (i, section) in attempt.sections.iter().enumerate() {
            ui.colored_label(colour_of(i), format!("{} {}", section.name, section.chars));
        }
    });
}

fn colour_of(section: usize) -> Color32 {
    PALETTE[section % PALETTE.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn i3_a_prompt_is_cut_by_characters_and_never_beyond_its_end() {
        let section = |name, chars| Section { name, chars };
        let sections = [section("a", 2), section("b", 1), section("c", 9)];
        let found: Vec<(&str, &str)> = by_section("éàbrest", &sections)
            .into_iter()
            .map(|section| (section.name, section.text))
            .collect();
        assert_eq!(found, [("a", "éà"), ("b", "b"), ("c", "rest")]);
    }

    #[test]
    fn i3_what_a_cache_can_keep_ends_with_the_first_difference() {
        assert_eq!(common_start("éàb and more", "éàc and more"), 2);
        assert_eq!(common_start("the same", "the same"), 8);
        assert_eq!(common_start("", "the same"), 0);
    }

    #[test]
    fn i3_what_was_cut_says_which_room_it_did_not_get() {
        use crate::base::fixed::Millionths;
        use crate::pipeline::steps::prompt::CutReason;
        let cut = |kind, why| CutItem {
            kind,
            id: "flood".to_owned(),
            score: Millionths::ONE,
            chars: 40,
            why,
        };
        assert_eq!(
            cut_in_words(&cut(CutKind::Episode, CutReason::TooMany(5))),
            "Episode flood, 40 characters, worth 1.00: no more than 5 of its kind"
        );
        assert_eq!(
            cut_in_words(&cut(CutKind::Exchange, CutReason::NoRoom(12))),
            "Exchange flood, 40 characters: 12 characters were left"
        );
    }

    #[test]
    fn i3_the_lines_that_differ_are_listed_and_bounded() {
        let lines = changed_lines("one\ntwo\nthree\n", "one\n2\nthree\nfour\n");
        let words: Vec<(bool, &str)> = lines.iter().map(|l| (l.is_new, &*l.text)).collect();
        assert_eq!(words, [(false, "two"), (true, "2"), (true, "four")]);
        let long: String = (0..1_000).map(|n| format!("{n}\n")).collect();
        assert_eq!(changed_lines("", &long).len(), MOST_LINES);
        // What differs at the end of a megabyte is found.
        let megabyte = "the same line\n".repeat(75_000);
        let now = format!("{megabyte}and a new one");
        let lines = changed_lines(&megabyte, &now);
        assert_eq!(lines[0].text, "and a new one");
    }
}
