//! What an adventure is told and can never use.

use super::findings::Findings;
use super::place::Place;
use super::report::LintKind::{NeverMatches, NoEffect};
use crate::adventure::AdventureSettings;
use crate::adventure::states::SLOTS;
use crate::authoring::NpcSpec;
use crate::authoring::npc_spec::StateSpec;
use crate::authoring::story_spec::LoreSpec;
use crate::story::lore::keyword;
use crate::text::fold::fold;

/// Lore that no keyword can reach, and keywords that never hit.
pub(super) fn check_lore(lore: &[LoreSpec], place: &Place, findings: &mut Findings) {
    for (i, entry) in lore.iter().enumerate() {
        let place = place.item("/lore", i);
        let key = entry.key.escape_debug();
        if entry.keywords.iter().all(|word| keyword(word).is_empty()) {
            findings.add(
                NoEffect,
                &place,
                format!("no keyword brings up the lore \"{key}\": it has none"),
            );
        }
        for written in &entry.keywords {
            let name = written.escape_debug();
            if let Some(why) = never_hits(written.trim()) {
                findings.add(
                    NeverMatches,
                    &place,
                    format!("the keyword \"{name}\" of the lore \"{key}\" never hits: {why}"),
                );
            } else if written.trim().ends_with('*') {
                findings.add(
                    NoEffect,
                    &place,
                    format!(
                        "the `*` in the keyword \"{name}\" of the lore \"{key}\" has no effect: every keyword hits the words that begin with it, leave the `*` out"
                    ),
                );
            }
        }
    }
}

/// Why a keyword that is written as a pattern never hits: keywords are plain words.
fn never_hits(written: &str) -> Option<&'static str> {
    let is_regex = written
        .strip_prefix('/')
        .and_then(|rest| rest.rsplit_once('/'))
        .is_some_and(|(body, flags)| !body.is_empty() && flags.chars().all(char::is_alphabetic));
    let is_quoted = written.len() > 1 && written.starts_with('"') && written.ends_with('"');
    if is_regex {
        Some("a keyword is a plain word, not a regular expression, list each word instead")
    } else if is_quoted {
        Some("the text has to hold the quotation marks, too, leave them out")
    } else if keyword(written).contains('*') {
        Some("a keyword is a plain word, leave the `*` out")
    } else {
        None
    }
}

/// A character of a scenario with turns that can never act in one.
pub(super) fn check_activity(
    npc: &NpcSpec,
    settings: &AdventureSettings,
    place: &Place,
    findings: &mut Findings,
) {
    if npc.chattiness == 0 && !npc.baked && !settings.activate_when_named {
        findings.add(
            NoEffect,
            place,
            format!(
                "\"{}\" acts in no turn: its chattiness is 0, it is not baked, and naming it does not wake it",
                npc.id.escape_debug()
            ),
        );
    }
}

/// More states of a category than an actor may have: extractors can add none.
pub(super) fn check_states(states: &[StateSpec], place: &Place, findings: &mut Findings) {
    for (category, slots) in SLOTS {
        let own = states
            .iter()
            .filter(|state| fold(&state.category) == category);
        let own = own.count();
        if own > slots {
            findings.add(
                NoEffect,
                place,
                format!("{own} states of the category \"{category}\": it has {slots} slots, so that extractors add none"),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::lint::kinds;

    #[test]
    fn x2_keywords_that_are_written_as_patterns_are_found() {
        for (keyword, found) in [
            ("king*", "no_effect"),
            ("/kings?/i", "never_matches"),
            ("/the (old )?king/", "never_matches"),
            ("k*ng", "never_matches"),
            ("\\\"crown jewels\\\"", "never_matches"),
        ] {
            let lore = format!("lore: [(key: \"k\", text: \"Old.\", keywords: [\"{keyword}\"])]");
            assert_eq!(kinds(&lore), [found], "{keyword}");
        }
        for keyword in ["king", "and/or", "/", "Ivo's inn", "crown jewels"] {
            let lore = format!("lore: [(key: \"k\", text: \"Old.\", keywords: [\"{keyword}\"])]");
            assert_eq!(kinds(&lore), [""; 0], "{keyword}");
        }
    }

    #[test]
    fn x2_what_an_adventure_can_never_use_is_found() {
        let turn = "personas: [(id: \"player\")], steps: [Turn(persona: \"player\", intention: \"I wait.\")]";
        let quiet = format!("npcs: [(id: \"a\", chattiness: 0)], {turn}");
        assert_eq!(kinds(&quiet), [""; 0], "it may be named");
        let never = format!("adventure: (activate_when_named: false), {quiet}");
        assert_eq!(kinds(&never), ["no_effect"]);
        assert_eq!(
            kinds("lore: [(key: \"well\", text: \"Dry.\", keywords: [\" \"])]"),
            ["no_effect"]
        );
        assert_eq!(
            kinds("lore: [(key: \"well\", text: \"Dry.\", keywords: [\"well\"])]"),
            [""; 0]
        );
        let states = "(label: \"a\", category: \"core\"), (label: \"b\", category: \"core\"),
            (label: \"c\", category: \"core\"), (label: \"d\", category: \"core\")";
        assert_eq!(
            kinds(&format!("npcs: [(id: \"a\", states: [{states}])]")),
            ["no_effect"]
        );
    }
}
