//! What an adventure is told and can never use.

use super::findings::Findings;
use super::place::Place;
use super::report::LintKind::NoEffect;
use crate::adventure::AdventureSettings;
use crate::adventure::states::SLOTS;
use crate::authoring::NpcSpec;
use crate::authoring::npc_spec::StateSpec;
use crate::authoring::story_spec::LoreSpec;
use crate::text::fold::fold;

/// Lore that no keyword can reach.
pub(super) fn check_lore(lore: &[LoreSpec], place: &Place, findings: &mut Findings) {
    for (i, entry) in lore.iter().enumerate() {
        if entry
            .keywords
            .iter()
            .all(|word| fold(word.trim()).is_empty())
        {
            findings.add(
                NoEffect,
                &place.item("/lore", i),
                format!(
                    "no keyword brings up the lore \"{}\": it has none",
                    entry.key.escape_debug()
                ),
            );
        }
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
                "\"{}\" acts in no turn: its chattiness is 0, it is not baked, and naming it wakes nobody",
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
    use crate::authoring::lint::kinds;

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
