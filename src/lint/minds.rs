//! Memories and beliefs that would be skipped when their character is spawned.

use super::findings::Findings;
use super::place::Place;
use super::report::LintKind::Skipped;
use crate::authoring::NpcSpec;
use crate::memory::episode::MAX_MEMORY_CHARS;

/// Checks what a character remembers and believes at first.
pub(super) fn check(npc: &NpcSpec, place: &Place, findings: &mut Findings) {
    for (i, memory) in npc.memories.iter().enumerate() {
        let place = place.item("/memories", i);
        text(&memory.text, "memory", &place, findings);
        fraction(
            memory.significance,
            &place.at("/significance"),
            "memory",
            "significance",
            findings,
        );
    }
    for (i, belief) in npc.beliefs.iter().enumerate() {
        let place = place.item("/beliefs", i);
        text(&belief.text, "belief", &place, findings);
        fraction(
            belief.confidence,
            &place.at("/confidence"),
            "belief",
            "confidence",
            findings,
        );
    }
}

fn text(text: &str, what: &str, place: &Place, findings: &mut Findings) {
    let why = if text.trim().is_empty() {
        "is empty".to_owned()
    } else if text.chars().count() > MAX_MEMORY_CHARS {
        format!("has more than {MAX_MEMORY_CHARS} characters")
    } else {
        return;
    };
    findings.add(
        Skipped,
        &place.at("/text"),
        format!("this {what} is skipped: its text {why}"),
    );
}

fn fraction(value: f64, place: &Place, what: &str, name: &str, findings: &mut Findings) {
    if !(0.0..=1.0).contains(&value) {
        findings.add(
            Skipped,
            place,
            format!("this {what} is skipped: its {name} is outside 0-1"),
        );
    }
}

#[cfg(test)]
mod tests {
    use crate::lint::kinds;

    #[test]
    fn x2_what_would_be_skipped_at_run_time_is_found() {
        let npc = |fields: &str| kinds(&format!("npcs: [(id: \"a\", {fields})]"));
        for fields in [
            "memories: [(id: \"m\", text: \" \")]",
            "memories: [(id: \"m\", text: \"x\", significance: 1.5)]",
            "memories: [(id: \"m\", text: \"x\", significance: -0.1)]",
            "beliefs: [(id: \"b\", text: \"x\", confidence: 2.0)]",
            "beliefs: [(id: \"b\", text: \"\")]",
        ] {
            assert_eq!(npc(fields), ["skipped"], "{fields}");
        }
        assert_eq!(
            npc(&format!(
                "beliefs: [(id: \"b\", text: \"{}\")]",
                "x".repeat(2_001)
            )),
            ["skipped"]
        );
        assert_eq!(
            npc(
                "memories: [(id: \"m\", text: \"x\", significance: 1.0)], beliefs: [(id: \"b\", text: \"x\", confidence: 0.0)]"
            ),
            [""; 0]
        );
    }
}
