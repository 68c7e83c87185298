//! The earlier conversation, as messages: few-shot pairs, then the exchanges.

use super::bounded::{ExampleLine, ExchangeLine};
use super::escape::escaped;
use super::fixed::{said, speaker_name};
use super::sheet::Sheet;
use crate::memory::Exchange;
use crate::pipeline::steps::snapshot::SnapshotBody;

/// Writes the pairs of the conversation, each as a speech and an answer. Returns whether more than one person speaks in it.
pub(super) fn conversation(
    examples: &[ExampleLine],
    exchanges: &[ExchangeLine],
    body: &SnapshotBody,
    sheet: &mut Sheet,
) -> bool {
    for line in examples.iter().filter(|line| !line.is_of_trigger()) {
        let example = line.example;
        sheet.pair(
            "examples",
            |out| out.push_str(&example.player),
            |out| out.push_str(&example.npc),
        );
    }
    let is_named = has_several_speakers(exchanges, body);
    for line in exchanges {
        let exchange = &**line.exchange;
        sheet.pair(
            "exchanges",
            |out| heard(exchange, is_named, body, out),
            |out| match exchange.answered.is_empty() {
                true => out.push_str(body.words.get("silent")),
                false => said(&exchange.answered, out),
            },
        );
    }
    is_named
}

/// Whether more than one person speaks to the character in this prompt.
fn has_several_speakers(exchanges: &[ExchangeLine], body: &SnapshotBody) -> bool {
    let now = body.context.speaker.iter().map(|speaker| speaker.as_str());
    let before = exchanges.iter().map(|line| line.exchange.speaker.as_str());
    let mut speakers = before
        .chain(now)
        .filter(|speaker| !speaker.is_empty() && *speaker != body.context.npc.as_str());
    let first = speakers.next();
    speakers.any(|speaker| Some(speaker) != first)
}

/// The speech: with the name of its speaker where several speak, and an event in parentheses.
fn heard(exchange: &Exchange, is_named: bool, body: &SnapshotBody, out: &mut String) {
    // A message without words would be none, and the answer would follow another answer.
    if exchange.heard.is_empty() {
        return out.push_str(body.words.get("happened"));
    }
    if exchange.speaker.is_empty() {
        return out.extend(["(", &escaped(&exchange.heard), ")"]);
    }
    if is_named {
        out.extend([&*speaker_name(body, &exchange.speaker), ": "]);
    }
    said(&exchange.heard, out);
}
