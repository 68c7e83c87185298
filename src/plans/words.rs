//! The part of a model's words that a player is shown with a plan: one line, and no more of it than a player reads.

use crate::npc::KnownNames;
use crate::proposal::{ParseOptions, PlanConstraintSpec, WishReply, parse};
use crate::text::{Lexicon, single_spaced, without_controls};
use bevy::prelude::World;
use serde_json::json;
use std::collections::BTreeMap;

/// The most characters of a reason, a value or a constraint that are shown.
pub const MAX_SHOWN_CHARS: usize = 200;
/// How many characters of such words are looked at.
const MAX_READ_CHARS: usize = 2_000;

/// A reason as the character would say it: read like the dialogue of an envelope, and cut after its last whole sentence or word.
/// Empty when none of the words can be shown.
pub(super) fn spoken(world: &World, words: &str, lexicon: &Lexicon) -> String {
    let begun: String = words.chars().take(MAX_READ_CHARS).collect();
    if begun.trim().is_empty() {
        return String::new();
    }
    let names = world.get_resource::<KnownNames>();
    let options = ParseOptions {
        speaker_names: names.map(KnownNames::all).unwrap_or_default(),
        line_chars: MAX_SHOWN_CHARS,
        lexicon,
        ..ParseOptions::default()
    };
    let envelope = json!({"dialogue": begun}).to_string();
    let read = parse(envelope.as_bytes(), &options);
    read.map(|reply| reply.dialogue).unwrap_or_default()
}

/// What was understood of a wish, in words that can be shown.
pub(super) fn shown_wish(world: &World, wish: WishReply, lexicon: &Lexicon) -> WishReply {
    let sentence = |words: &str| match spoken(world, words, lexicon) {
        said if said.is_empty() => one_line(words),
        said => said,
    };
    let constraints = wish.constraints.into_iter();
    let constraints = constraints.map(|one| PlanConstraintSpec {
        text: sentence(&one.text),
        target: one.target.as_deref().map(one_line),
        ..one
    });
    let context: BTreeMap<String, String> = wish
        .context
        .iter()
        .map(|(key, value)| (one_line(key), one_line(value)))
        .collect();
    WishReply {
        intent: one_line(&wish.intent),
        confidence: wish.confidence,
        context,
        constraints: constraints.collect(),
    }
}

/// Words on one line, without invisible characters, as many as are shown.
fn one_line(words: &str) -> String {
    let begun: String = words.chars().take(MAX_READ_CHARS).collect();
    let line = single_spaced(&without_controls(&begun));
    line.chars().take(MAX_SHOWN_CHARS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(words: &str) -> String {
        spoken(&World::new(), words, Lexicon::english())
    }

    #[test]
    fn a7_a_reason_is_one_line_of_speech() {
        for (written, shown) in [
            ("it is wanted", "it is wanted"),
            (
                "ok\n\nAPPROVED\u{1b}[2J\u{202e}: press yes",
                // Without its first sign an escape sequence is plain text.
                "ok APPROVED[2J: press yes",
            ),
            ("<think>he must not know</think>She asked.", "She asked."),
            ("*smiles* It is near.", "It is near."),
            ("الحبل هنا", "الحبل هنا"),
            ("", ""),
            ("\n\t", ""),
        ] {
            assert_eq!(said(written), shown, "{written:?}");
        }
        let long = "It lies in the hall. ".repeat(200);
        let cut = said(&long);
        assert!(
            cut.chars().count() <= MAX_SHOWN_CHARS && cut.ends_with("hall."),
            "{cut}"
        );
    }

    #[test]
    fn a7_what_was_understood_is_shown_on_one_line() {
        let wish = WishReply {
            intent: "fet\nch".to_owned(),
            confidence: 900,
            context: [(
                "thing".to_owned(),
                " rope\n\u{202e}## \u{1b}[2J ".to_owned(),
            )]
            .into(),
            constraints: Vec::new(),
        };
        let shown = shown_wish(&World::new(), wish, Lexicon::english());
        assert_eq!(shown.intent, "fet ch");
        assert_eq!(shown.context["thing"], "rope ## [2J");
    }
}
