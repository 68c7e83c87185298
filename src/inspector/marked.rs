//! Text with marked spans, and text that is too long to show.

use super::theme::{BAD, CRITICAL, NOTED};
use crate::gate::Failure;
use crate::rules::RuleSeverity;
use crate::text::Span;
use bevy_egui::egui::text::{LayoutJob, TextFormat};
use bevy_egui::egui::{Color32, FontId, Ui};
use serde_json::Value;
use std::borrow::Cow;

/// The most characters of one text that are laid out.
pub const MAX_SHOWN: usize = 20_000;

/// The colour of a finding of this severity. Critical has one of its own.
#[must_use]
pub fn colour(severity: RuleSeverity) -> Color32 {
    match severity {
        RuleSeverity::Soft => NOTED,
        RuleSeverity::Hard => BAD,
        RuleSeverity::Critical => CRITICAL,
    }
}

/// The text, or its first [`MAX_SHOWN`] characters with a note.
#[must_use]
pub fn clip(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(MAX_SHOWN) {
        None => Cow::Borrowed(text),
        Some((end, _)) => {
            let rest = text.chars().count() - MAX_SHOWN;
            Cow::Owned(format!("{} .. {rest} characters more", &text[..end]))
        }
    }
}

/// The spans of findings, with their colours, the lightest first, so that the gravest is marked on top.
#[must_use]
pub fn marks<'a>(findings: impl IntoIterator<Item = &'a Failure>) -> Vec<(&'a Span, Color32)> {
    let mut found: Vec<(RuleSeverity, &Span)> = findings
        .into_iter()
        .filter_map(|finding| Some((finding.severity, finding.span.as_ref()?)))
        .collect();
    found.sort_by_key(|(severity, _)| *severity);
    found
        .into_iter()
        .map(|(severity, span)| (span, colour(severity)))
        .collect()
}

/// The texts of a reply in which findings have hit words, each with its findings: the strings of its JSON, or the whole reply
/// where it is none. A finding belongs to the first text that has its words at its place; one that no text has is left out.
#[must_use]
pub fn texts_with_spans<'a>(
    raw: &str,
    findings: impl IntoIterator<Item = &'a Failure>,
) -> Vec<(String, Vec<&'a Failure>)> {
    let mut texts = Vec::new();
    match serde_json::from_str::<Value>(raw) {
        Ok(tree) => add_texts(tree, &mut texts),
        Err(_) => texts.push((raw.to_owned(), Vec::new())),
    }
    for finding in findings {
        let Some(span) = &finding.span else {
            continue;
        };
        if let Some((_, found)) = texts.iter_mut().find(|(text, _)| has_span(text, span)) {
            found.push(finding);
        }
    }
    texts.retain(|(_, found)| !found.is_empty());
    texts
}

/// Whether a text has these words at their place.
#[must_use]
pub fn has_span(text: &str, span: &Span) -> bool {
    let length = span.end.saturating_sub(span.start);
    let words = text.chars().skip(span.start).take(length);
    length > 0 && words.eq(span.text.chars())
}

fn add_texts(tree: Value, texts: &mut Vec<(String, Vec<&Failure>)>) {
    match tree {
        Value::String(text) => texts.push((text, Vec::new())),
        Value::Array(all) => all.into_iter().for_each(|one| add_texts(one, texts)),
        Value::Object(all) => all.into_values().for_each(|one| add_texts(one, texts)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// A text as stretches of one colour each; a later mark covers an earlier one. Spans beyond the text's end mark
/// what there is of them.
#[must_use]
pub fn stretches(text: &str, marks: &[(&Span, Color32)]) -> Vec<(String, Option<Color32>)> {
    let mut out: Vec<(String, Option<Color32>)> = Vec::new();
    for (i, c) in text.chars().enumerate() {
        let mark = marks
            .iter()
            .rev()
            .find(|(span, _)| (span.start..span.end).contains(&i))
            .map(|(_, colour)| *colour);
        match out.last_mut() {
            Some((stretch, last)) if *last == mark => stretch.push(c),
            _ => out.push((c.to_string(), mark)),
        }
    }
    out
}

/// Shows the first [`MAX_SHOWN`] characters of a text, with its spans marked.
pub fn marked_label(ui: &mut Ui, text: &str, marks: &[(&Span, Color32)]) {
    let mut job = LayoutJob::default();
    let plain = TextFormat::simple(FontId::proportional(14.0), ui.visuals().strong_text_color());
    for (stretch, mark) in stretches(&clip(text), marks) {
        let format = match mark {
            None => plain.clone(),
            Some(colour) => TextFormat {
                color: Color32::BLACK,
                background: colour,
                ..plain.clone()
            },
        };
        job.append(&stretch, 0.0, format);
    }
    ui.label(job);
}

#[cfg(test)]
mod tests {
    use super::super::theme::GOOD;
    use super::*;
    use crate::gate::FailureReason;

    fn span(start: usize, end: usize) -> Span {
        Span {
            start,
            end,
            text: String::new(),
        }
    }

    #[test]
    fn i3_a_span_counts_characters_and_later_marks_cover_earlier_ones() {
        let (wide, narrow, beyond) = (span(2, 5), span(3, 4), span(7, 99));
        let marks = [(&wide, NOTED), (&narrow, BAD), (&beyond, GOOD)];
        let found = stretches("éàsecret", &marks);
        let found: Vec<(&str, Option<Color32>)> =
            found.iter().map(|(s, c)| (s.as_str(), *c)).collect();
        assert_eq!(
            found,
            [
                ("éà", None),
                ("s", Some(NOTED)),
                ("e", Some(BAD)),
                ("c", Some(NOTED)),
                ("re", None),
                ("t", Some(GOOD))
            ]
        );
    }

    #[test]
    fn i3_a_finding_in_the_reply_of_a_stage_is_marked_in_its_own_text() {
        let finding = |start, end, text: &str| Failure {
            reason: FailureReason::ProhibitionViolated,
            rule: "no_secret".to_owned(),
            severity: RuleSeverity::Hard,
            span: Some(Span {
                start,
                end,
                text: text.to_owned(),
            }),
            message: String::new(),
        };
        let found = [
            finding(4, 10, "secret"),
            finding(0, 4, "gone"),
            finding(3, 3, ""),
        ];
        let raw = r#"{"mood": "grim", "parts": [{"text": "The secret is out."}]}"#;
        let texts = texts_with_spans(raw, &found);
        let texts: Vec<(&str, usize)> = texts.iter().map(|(t, f)| (&**t, f.len())).collect();
        assert_eq!(texts, [("The secret is out.", 1)]);
        let texts = texts_with_spans("The secret is out.", &found[..1]);
        assert_eq!(texts.len(), 1);
    }

    #[test]
    fn i3_what_is_shown_is_bounded() {
        let long = "é".repeat(MAX_SHOWN + 5);
        assert!(clip(&long).ends_with(".. 5 characters more"));
        assert_eq!(clip("short"), "short");
    }
}
