//! What is drawn of it.

use super::super::background::Progress;
use super::super::marked::{marked_label, marks};
use super::super::selection::Selection;
use super::super::theme::{BAD, GOOD, LIVE, NOTED};
use super::super::view::InspectorView;
use super::super::widgets::excerpt;
use super::judged_record::{JudgedRecord, RecordedAttempt};
use super::judging::{Answer, NewScenario, ReplayConfigure, is_known};
use super::save::save_new;
use super::shown::{doubts, other_changes, verdict_words};
use super::state::{RulesFile, WhatIf};
use crate::authoring::asset_source::AssetKind;
use crate::format::error::MAX_FILE_BYTES;
use crate::journal::RecordKind;
use crate::journal::source::RecordingSource;
use crate::npc::LoadedCharacter;
use crate::proposal::MAX_REPLY_BYTES;
use crate::replay::regate::{ChangedVerdict, EditedReply, JudgedReply, Part};
use crate::story::ActiveStory;
use crate::world::{ActionRegistry, WorldIndex};
use bevy_egui::egui::{Align, Button, CollapsingHeader, Layout, ScrollArea, TextEdit, Ui};
use std::hash::Hash;
use std::time::Duration;

/// The most changed verdicts of other runs that are listed.
const MOST_OTHERS: usize = 20;
/// The longest path that a scenario is saved to, in characters.
const MOST_PATH: usize = 1_000;
/// The height of a text that is edited, in points; a longer one scrolls.
const TEXT_HEIGHT: f32 = 150.0;

/// The replies of a recorded run, of a turn of an adventure, or with the steps of a plan, and the files that they are judged by, to be
/// edited, and what the gate says of them now. Of a turn of an actor the files alone. `copy` gives the recording.
pub(in crate::inspector) fn what_if_ui(
    ui: &mut Ui,
    view: &InspectorView,
    selection: &mut Selection,
    run: &JudgedRecord,
    copy: impl FnOnce() -> RecordingSource,
) {
    CollapsingHeader::new("What if?")
        .id_salt("what if")
        .show(ui, |ui| {
            if run.kind == RecordKind::Interaction && run.attempts.is_empty() {
                ui.weak("The run has no reply that could be another one.");
                return;
            }
            let files = files_of(view, run);
            let progress = selection.what_if.judging.progress();
            let answered = match &progress {
                Progress::Answered(answered) => Some(&**answered),
                Progress::Idle | Progress::Running => None,
            };
            let answer = answered.and_then(|answered| answered.as_ref().ok());
            let answer = answer.filter(|answer| answer.question.seq == run.seq);
            for attempt in &run.attempts {
                attempt_ui(ui, attempt, answer, &mut selection.what_if);
            }
            for file in &files {
                rules_ui(ui, file, &mut selection.what_if);
            }
            let is_running = matches!(progress, Progress::Running);
            ui.horizontal_wrapped(|ui| {
                let judge = ui.add_enabled(!is_running, Button::new("Judge"));
                if judge.clicked() {
                    let world = view.world;
                    let question = selection.what_if.question(run, &files);
                    selection.what_if.saved.clear();
                    let registry: ActionRegistry =
                        world.get_resource().cloned().unwrap_or_default();
                    let configure: ReplayConfigure =
                        world.get_resource().cloned().unwrap_or_default();
                    let recording = copy();
                    let judging = &selection.what_if.judging;
                    judging.begin("dramatis what if", move || {
                        question.answer(recording, &registry, &configure)
                    });
                }
                if is_running {
                    ui.colored_label(LIVE, "judging ..");
                    // It ends without an event of the window.
                    ui.ctx().request_repaint_after(Duration::from_millis(100));
                }
            });
            if let Some(Err(error)) = answered {
                ui.colored_label(BAD, error);
            }
            if let Some(answer) = answer {
                if !selection.what_if.asks(&answer.question, run, &files) {
                    ui.colored_label(NOTED, "Edited since it was judged.");
                }
                match run.kind {
                    RecordKind::AdventureTurn => actions_ui(ui, answer),
                    RecordKind::Turn => {
                        changed_ui(ui, answer);
                        if let Some(scenario) = answer.scenarios.get(&0) {
                            save_ui(ui, scenario, &mut selection.what_if);
                        }
                    }
                    _ if run.attempts.is_empty() => changed_ui(ui, answer),
                    _ => {}
                }
                answer_ui(ui, answer, run, selection);
                if answer.scenarios.values().any(Result::is_ok) {
                    ui.horizontal_wrapped(|ui| {
                        ui.weak("scenarios are saved to");
                        let file = TextEdit::singleline(&mut selection.what_if.file);
                        ui.add(file.char_limit(MOST_PATH).desired_width(220.0));
                    });
                }
                if !selection.what_if.saved.is_empty() {
                    ui.label(&selection.what_if.saved);
                }
            }
        });
}

/// The verdict on a turn or a plan, then and now.
fn changed_ui(ui: &mut Ui, answer: &Answer) {
    let mut changed = answer.report.changed.iter();
    let Some(changed) = changed.find(|changed| changed.seq == answer.question.seq) else {
        ui.label(match is_known(&answer.report, answer.question.seq) {
            true => "The verdict on it stays what it was.",
            false => "Whether the verdict on it changes is not known.",
        });
        return;
    };
    both_ui(ui, changed);
}

/// What the rulebook says of the intentions in a turn of an adventure, where it says something else now.
fn actions_ui(ui: &mut Ui, answer: &Answer) {
    let seq = answer.question.seq;
    let of_actions = |changed: &&ChangedVerdict| {
        let mut responsible = changed.responsible.iter();
        changed.seq == seq && responsible.all(|one| one.part == Part::Action)
    };
    for changed in answer.report.changed.iter().filter(of_actions) {
        ui.label(format!("{}: {}", changed.npc, changed.line));
        both_ui(ui, changed);
    }
}

/// Both verdicts on what has no reply.
fn both_ui(ui: &mut Ui, changed: &ChangedVerdict) {
    for (when, verdict) in [("then", &changed.before), ("now", &changed.after)] {
        let (colour, words) = match verdict.passed {
            true => (GOOD, "passed".to_owned()),
            false => (BAD, format!("failed by {}", verdict.failures.join(", "))),
        };
        ui.colored_label(colour, format!("{when}: {words}"));
    }
}

/// The files that it would be judged by now: of its characters and of the story, where they have one.
fn files_of(view: &InspectorView, run: &JudgedRecord) -> Vec<RulesFile> {
    let characters = run.judged_by.iter().filter_map(|npc| {
        let entity = WorldIndex::find(view.world, npc)?;
        let character = view.world.get::<LoadedCharacter>(entity)?;
        Some(RulesFile {
            npc: npc.clone(),
            source: character.0.source().clone(),
        })
    });
    let story = view.world.get_resource::<ActiveStory>();
    let story = story.and_then(|story| story.0.source().cloned());
    let story = story.map(|source| RulesFile {
        npc: run.npc.clone(),
        source,
    });
    characters.chain(story).collect()
}

fn attempt_ui(
    ui: &mut Ui,
    attempt: &RecordedAttempt,
    answer: Option<&Answer>,
    what_if: &mut WhatIf,
) {
    let RecordedAttempt {
        key,
        title,
        reply,
        passed,
    } = attempt;
    ui.horizontal_wrapped(|ui| {
        ui.strong(title);
        match passed {
            Some(true) => ui.colored_label(GOOD, "passed"),
            Some(false) => ui.colored_label(BAD, "failed"),
            None => ui.weak("was not judged"),
        };
        if what_if.replies.contains_key(key) && ui.button("as recorded").clicked() {
            what_if.replies.remove(key);
        }
    });
    let mut text = what_if.reply(*key, reply).to_owned();
    if text_ui(
        ui,
        ("reply", key.seq, key.attempt),
        &mut text,
        MAX_REPLY_BYTES,
    ) {
        what_if.edit_reply(*key, reply, text);
    }
    let judged = answer.and_then(|answer| {
        let mut replies = answer.report.replies.iter();
        replies.find(|reply| reply.key == *key)
    });
    if let Some(EditedReply { before, after, .. }) = judged {
        verdict_ui(ui, "then", before);
        verdict_ui(ui, "now", after);
        let scenario = answer.and_then(|answer| answer.scenarios.get(&key.attempt));
        if let Some(scenario) = scenario {
            save_ui(ui, scenario, what_if);
        }
    }
}

/// Saves a scenario that wants the verdict of now.
fn save_ui(ui: &mut Ui, scenario: &Result<NewScenario, String>, what_if: &mut WhatIf) {
    let NewScenario { scenario, holds } = match scenario {
        Ok(scenario) => scenario,
        Err(why) => {
            ui.weak(format!("No scenario: {why}."));
            return;
        }
    };
    ui.horizontal_wrapped(|ui| {
        if ui.button("Save as scenario").clicked() {
            what_if.saved = save_new(&what_if.file, scenario);
        }
        match holds {
            true => ui.weak("It holds by the rules as they are."),
            false => ui.weak("It fails until the rules are changed."),
        };
    });
}

fn verdict_ui(ui: &mut Ui, when: &str, judged: &JudgedReply) {
    let JudgedReply { line, verdict } = judged;
    let colour = if verdict.passed { GOOD } else { BAD };
    // The words of a line would be spread over the width of a column.
    ui.with_layout(Layout::top_down(Align::LEFT), |ui| {
        ui.colored_label(colour, format!("{when}: {}", verdict_words(verdict)));
        if !line.is_empty() {
            let findings = verdict.failures.iter().chain(&verdict.warnings);
            marked_label(ui, line, &marks(findings));
        }
    });
}

fn rules_ui(ui: &mut Ui, file: &RulesFile, what_if: &mut WhatIf) {
    let RulesFile { npc, source } = file;
    let (title, salt) = match source.kind {
        AssetKind::Npc => (format!("rules of {npc}"), npc.as_str()),
        AssetKind::Story => ("rules of the story".to_owned(), "the story"),
    };
    CollapsingHeader::new(title)
        .id_salt(("what if", salt))
        .show(ui, |ui| {
            ui.horizontal_wrapped(|ui| {
                ui.weak(&source.file);
                let is_edited = what_if.rules(file) != source.text;
                if is_edited && ui.button("as in the game").clicked() {
                    what_if.edit_rules(file, source.text.clone());
                }
            });
            let mut text = what_if.rules(file).to_owned();
            if text_ui(ui, ("rules", salt), &mut text, MAX_FILE_BYTES) {
                what_if.edit_rules(file, text);
            }
            for (path, recorded) in &source.parts {
                part_ui(ui, &source.file, path, recorded, what_if);
            }
        });
}

/// A file that another one names, such as a rulebook.
fn part_ui(ui: &mut Ui, file: &str, path: &str, recorded: &str, what_if: &mut WhatIf) {
    let header = CollapsingHeader::new(path).id_salt(("part", path));
    header.show(ui, |ui| {
        let is_edited = what_if.part(file, path, recorded) != recorded;
        if is_edited && ui.button("as in the game").clicked() {
            what_if.edit_part(file, path, recorded, recorded.to_owned());
        }
        let mut text = what_if.part(file, path, recorded).to_owned();
        if text_ui(ui, ("part", path), &mut text, MAX_FILE_BYTES) {
            what_if.edit_part(file, path, recorded, text);
        }
    });
}

/// A text to edit, of at most `most` characters. Returns whether the user has changed it.
fn text_ui(ui: &mut Ui, salt: impl Hash + Copy, text: &mut String, most: usize) -> bool {
    let edit = TextEdit::multiline(text)
        .id_salt(salt)
        .code_editor()
        .char_limit(most)
        .desired_rows(2)
        .desired_width(f32::INFINITY);
    let edited = ScrollArea::vertical()
        .id_salt(salt)
        .max_height(TEXT_HEIGHT)
        .auto_shrink([false, true])
        .show(ui, |ui| ui.add(edit));
    edited.inner.changed()
}

fn answer_ui(ui: &mut Ui, answer: &Answer, run: &JudgedRecord, selection: &mut Selection) {
    for doubt in doubts(&answer.report, run) {
        ui.colored_label(NOTED, doubt);
    }
    let (others, more) = other_changes(&answer.report, answer.question.seq);
    let count = others.len() as u64 + more;
    let verdicts = if count == 1 {
        "verdict changes"
    } else {
        "verdicts change"
    };
    ui.label(format!("{count} other {verdicts}."));
    for other in others.iter().take(MOST_OTHERS) {
        if ui.link(excerpt(&other.to_string(), 160)).clicked() {
            selection.record = Some(other.seq);
        }
    }
}
