//! One run: what came out, from the raw reply to the outcome.

use super::marked::{clip, colour, has_span, marked_label, marks, texts_with_spans};
use super::selection::Selection;
use super::shown::Shown;
use super::theme::{BAD, GOOD, NOTED};
use super::widgets::{counted, missing, outcome_colour, rule_link};
use crate::engine::Inference;
use crate::gate::Failure;
use crate::pipeline::{AttemptRecord, ChoiceRecord, Outcome};
use crate::world::{Intent, JudgedAction, Judgement};
use bevy_egui::egui::{Align, Label, Layout, RichText, Ui};
use egui_json_tree::{DefaultExpand, JsonTree};

/// The raw reply next to what was read out of it.
pub(super) fn reply_ui(ui: &mut Ui, shown: &Shown, _: &mut Selection) {
    let Shown {
        view,
        attempt,
        is_last,
    } = *shown;
    let Some(attempt) = attempt else {
        return missing(ui);
    };
    if let Some(choice) = &attempt.choice {
        choice_ui(ui, choice);
    }
    if let Some(error) = attempt.error {
        let message = attempt.error_message.as_deref().unwrap_or_default();
        ui.colored_label(BAD, format!("{error:?}: {message}"));
    }
    let arriving = view.arriving.filter(|_| is_last).map(|bytes| {
        let text = String::from_utf8_lossy(bytes).into_owned();
        format!("(arriving) {text}")
    });
    let Some(raw) = attempt.reply.clone().or(arriving) else {
        return missing(ui);
    };
    if attempt.reply.is_some() {
        call_ui(ui, &attempt.arrived);
    }
    ui.columns(2, |columns| {
        if let [left, right] = columns {
            // Columns would spread the words of a line over its width.
            let layout = Layout::top_down(Align::LEFT);
            left.with_layout(layout, |ui| {
                ui.weak("raw");
                ui.add(Label::new(RichText::new(clip(&raw)).monospace()).wrap());
            });
            right.with_layout(layout, |ui| {
                ui.weak("read");
                parsed_ui(ui, attempt, &raw);
            });
        }
    });
}

/// What the character could choose to do, and what it chose.
fn choice_ui(ui: &mut Ui, choice: &ChoiceRecord) {
    if !choice.options.is_empty() {
        let words = format!("It could choose one of {}:", choice.options.len());
        ui.weak(words);
        for option in &choice.options {
            ui.add(Label::new(format!("  {}", clip(option))).wrap());
        }
    }
    if let Some(call) = &choice.call {
        let answer = match (&call.reply, &call.error_message) {
            (Some(reply), _) => format!("It answered: {}", clip(reply)),
            (None, Some(error)) => format!("It did not answer: {}", clip(error)),
            (None, None) => "It did not answer.".to_owned(),
        };
        ui.add(Label::new(answer).wrap());
        call_ui(ui, &call.arrived);
    }
    match &choice.chosen {
        Some(chosen) => ui.colored_label(GOOD, intent_line(chosen)),
        None => ui.weak("It does nothing."),
    };
    for warning in &choice.warnings {
        let words = format!("{}: {}", warning.rule, clip(&warning.message));
        ui.colored_label(NOTED, words);
    }
    ui.separator();
}

/// What a call took, and what the model was thinking.
fn call_ui(ui: &mut Ui, arrived: &Inference) {
    ui.weak(format!(
        "{} in {}, {} ms, {:?}",
        counted(arrived.bytes.len(), "byte"),
        counted(arrived.chunk_ends.len(), "chunk"),
        arrived.latency.0,
        arrived.finish
    ));
    if let Some(usage) = arrived.usage {
        ui.weak(format!(
            "{} tokens of the prompt, {} of them from the cache; {} of the reply",
            usage.prompt, usage.cached, usage.completion
        ));
    }
    if !arrived.reasoning.is_empty() {
        ui.collapsing("thinking (not spoken)", |ui| {
            ui.add(Label::new(RichText::new(clip(&arrived.reasoning)).italics()).wrap());
        });
    }
}

fn parsed_ui(ui: &mut Ui, attempt: &AttemptRecord, raw: &str) {
    let proposal = match &attempt.proposal {
        None => return stage_reply_ui(ui, raw),
        Some(Err(error)) => {
            ui.colored_label(BAD, error.to_string());
            return;
        }
        Some(Ok(proposal)) => proposal,
    };
    ui.add(Label::new(RichText::new(clip(&proposal.dialogue)).strong()).wrap());
    for mutation in &proposal.mutations {
        let words = [mutation.target.as_deref(), mutation.content.as_deref()];
        let words: Vec<&str> = words.into_iter().flatten().collect();
        let line = format!("{}: {}", mutation.kind, words.join(": "));
        ui.label(clip(&line).as_ref());
    }
    for intent in &proposal.intents {
        let fields = intent.fields.iter().map(|(k, v)| format!(" {k}={v}"));
        let line = format!("intent {}{}", intent.kind, fields.collect::<String>());
        ui.label(clip(&line).as_ref());
    }
    for warning in &proposal.warnings {
        ui.colored_label(NOTED, &warning.message);
    }
}

/// Up to how many bytes of JSON are unfolded at first.
const UNFOLDED_BYTES: usize = 8_000;

/// What a stage answers has a form of its own: it is shown as the tree that it is.
fn stage_reply_ui(ui: &mut Ui, raw: &str) {
    match serde_json::from_str::<serde_json::Value>(raw) {
        Ok(tree) => {
            // A long one has thousands of lines.
            let unfolded = if raw.len() <= UNFOLDED_BYTES {
                DefaultExpand::ToLevel(2)
            } else {
                DefaultExpand::None
            };
            JsonTree::new("reply", &tree)
                .default_expand(unfolded)
                .show(ui);
        }
        Err(_) => missing(ui),
    }
}

pub(super) fn verdict_ui(ui: &mut Ui, shown: &Shown, selection: &mut Selection) {
    let verdict = shown.attempt.and_then(|attempt| attempt.verdict.as_ref());
    let Some(verdict) = verdict else {
        return missing(ui);
    };
    if verdict.passed {
        ui.colored_label(GOOD, "passed");
    } else {
        ui.colored_label(BAD, "failed");
    }
    let findings = || verdict.failures.iter().chain(&verdict.warnings);
    let attempt = shown.attempt;
    let proposal = attempt.and_then(|attempt| attempt.proposal.as_ref());
    match (proposal, attempt.and_then(|attempt| attempt.reply.as_ref())) {
        (Some(Ok(proposal)), _) => marked_label(ui, &proposal.dialogue, &marks(findings())),
        // What a stage answers is read in another form.
        (None, Some(raw)) => {
            for (text, found) in texts_with_spans(raw, findings()) {
                marked_label(ui, &text, &marks(found));
            }
        }
        _ => {}
    }
    for finding in verdict.failures.iter().chain(&verdict.warnings) {
        finding_ui(ui, finding, selection);
    }
    let contents = proposal.and_then(|read| read.as_ref().ok());
    for rejected in &verdict.rejected_mutations {
        rejected_ui(
            ui,
            &rejected.kind,
            &rejected.rule,
            &rejected.message,
            selection,
        );
        let mutations = contents.into_iter().flat_map(|read| &read.mutations);
        let contents = mutations.filter_map(|mutation| mutation.content.as_deref());
        if let Some(span) = &rejected.span
            && let Some(content) = contents.into_iter().find(|words| has_span(words, span))
        {
            marked_label(ui, content, &[(span, BAD)]);
        }
    }
    for action in &verdict.actions {
        action_ui(ui, action, selection);
    }
    // Those that could not even be normalised; the others are above.
    let judged = |rule: &str| {
        verdict
            .actions
            .iter()
            .any(|action| action.judgement.rule.as_deref() == Some(rule))
    };
    for rejected in verdict.rejected_intents.iter().filter(|r| !judged(&r.rule)) {
        rejected_ui(
            ui,
            &rejected.kind,
            &rejected.rule,
            &rejected.message,
            selection,
        );
    }
}

/// A memory or an action that was refused, with the rule that did so.
fn rejected_ui(ui: &mut Ui, kind: &str, rule: &str, message: &str, selection: &mut Selection) {
    ui.horizontal_wrapped(|ui| {
        ui.colored_label(BAD, clip(kind).as_ref());
        rule_link(ui, rule, selection);
        ui.label(clip(message).as_ref());
    });
}

/// An action with the rulebook's answer.
fn action_ui(ui: &mut Ui, action: &JudgedAction, selection: &mut Selection) {
    let Judgement {
        result,
        rule,
        message,
    } = &action.judgement;
    let mark = if action.judgement.is_ok() { GOOD } else { BAD };
    ui.horizontal_wrapped(|ui| {
        ui.colored_label(mark, result.name());
        if let Some(rule) = rule {
            rule_link(ui, rule, selection);
        }
        ui.label(intent_line(&action.intent));
        if !message.is_empty() {
            ui.label(clip(message).as_ref());
        }
    });
}

fn finding_ui(ui: &mut Ui, finding: &Failure, selection: &mut Selection) {
    ui.horizontal_wrapped(|ui| {
        ui.colored_label(colour(finding.severity), format!("{:?}", finding.severity));
        ui.label(format!("{:?}", finding.reason));
        rule_link(ui, &finding.rule, selection);
        if let Some(span) = &finding.span {
            ui.weak(format!("{}..{}", span.start, span.end));
        }
        ui.label(clip(&finding.message).as_ref());
    });
}

pub(super) fn mutation_ui(ui: &mut Ui, shown: &Shown, _: &mut Selection) {
    let view = shown.view;
    let Some(report) = view.report else {
        return missing(ui);
    };
    let all = report.attempted + report.rejected.len();
    let changes = if all == 1 { "change" } else { "changes" };
    ui.label(format!(
        "{all} {changes} of memory: {} done, {} failed, {} rejected by the gate",
        report.succeeded,
        report.failed,
        report.rejected.len()
    ));
    for failure in &report.failures {
        ui.colored_label(BAD, failure);
    }
    for intent in view.intents {
        ui.colored_label(GOOD, intent_line(intent));
    }
    if view.intents.is_empty() {
        ui.weak("No intent.");
    }
}

fn intent_line(intent: &Intent) -> String {
    let fields = intent.fields().iter().map(|(k, v)| format!(" {k}={v}"));
    let line = format!(
        "{} {}{}",
        intent.actor(),
        intent.kind(),
        fields.collect::<String>()
    );
    clip(&line).into_owned()
}

pub(super) fn outcome_ui(ui: &mut Ui, shown: &Shown, _: &mut Selection) {
    let view = shown.view;
    for (n, sentence) in view.heard.iter().flat_map(|heard| heard.iter()).enumerate() {
        let words = clip(&sentence.words);
        let from = match sentence.authored {
            true => "authored".to_owned(),
            false => format!("attempt {}", sentence.attempt),
        };
        let row = format!("heard {}, {from}: {words}", n + 1);
        ui.add(Label::new(RichText::new(row)).wrap());
    }
    let Some(outcome) = view.outcome else {
        return missing(ui);
    };
    ui.colored_label(outcome_colour(view), outcome.name());
    if let Outcome::Fallback { tier, .. } = outcome {
        ui.label(format!("fallback from {tier:?}"));
    }
    if let Some(line) = outcome.line() {
        ui.add(Label::new(RichText::new(clip(line)).strong()).wrap());
    }
}
