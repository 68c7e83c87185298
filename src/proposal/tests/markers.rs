//! Markers in prose.

use super::*;

/// The only action of a marker: its type and its fields, as `key=value`.
fn action(marker: &str) -> String {
    let proposal = ok(marker);
    assert_eq!(proposal.intents.len(), 1, "{marker}");
    let action = &proposal.intents[0];
    let mut all = action.kind.clone();
    for (key, value) in &action.fields {
        all += &format!("|{key}={}", value.as_str().expect("a string"));
    }
    if action.malformed.is_some() {
        all += "|malformed";
    }
    all
}

fn change(marker: &str) -> ProposedMutation {
    let proposal = ok(&format!("Yes. {marker}"));
    assert_eq!(
        (proposal.dialogue.as_str(), proposal.mutations.len()),
        ("Yes.", 1),
        "{marker}"
    );
    proposal.mutations[0].clone()
}

#[test]
fn g1_actions_of_markers() {
    for (marker, expected) in [
        (
            "[INTENT: open door_1 tool=key_1]",
            "open|target=door_1|tool=key_1",
        ),
        (
            "[ACTION: open door_1 tool=key_1]",
            "open|target=door_1|tool=key_1",
        ),
        ("[intent:open door_1]", "open|target=door_1"),
        ("[ Intent : open  door_1 ]", "open|target=door_1"),
        ("[INTENT: open\ndoor_1]", "open|target=door_1"),
        ("[INTENT: open target=door_1]", "open|target=door_1"),
        (
            "[INTENT: open tool=key_1 door_1]",
            "open|target=door_1|tool=key_1",
        ),
        (
            "[INTENT: open tool=\"brass key\" door_1]",
            "open|target=door_1|tool=brass key",
        ),
        ("[INTENT: open \"oak door\"]", "open|target=oak door"),
        ("[INTENT: open “oak door”]", "open|target=oak door"),
        ("[INTENT: open \"a ] b\"]", "open|target=a ] b"),
        (
            "[INTENT: open door_1, tool=key_1;]",
            "open|target=door_1|tool=key_1",
        ),
        ("[INTENT: move yard]", "move|target=yard"),
        (
            "[INTENT: give key_1 to=player]",
            "give|target=key_1|to=player",
        ),
        (
            "[INTENT: give key_1 player]",
            "give|content=player|target=key_1",
        ),
        ("[INTENT: open the door]", "open|content=door|target=the"),
        (
            "[INTENT: take key_1 actor=bob]",
            "take|actor=bob|target=key_1",
        ),
        (
            "[INTENT: take key_1 tool=x]",
            "take|content=tool=x|target=key_1",
        ),
        ("[INTENT: take tool=x key_1]", "take|content=tool=x key_1"),
        (
            "[INTENT: speak to=player Hello there = you]",
            "speak|content=Hello there = you|to=player",
        ),
        (
            "[INTENT: speak content=\"Hello there\"]",
            "speak|content=Hello there",
        ),
        (
            "[INTENT: speak \"Hello there\"]",
            "speak|content=Hello there",
        ),
        (
            "[INTENT: describe door_1 It is old and to=you]",
            "describe|content=It is old and to=you|target=door_1",
        ),
        (
            "[INTENT: describe target=door_1 It is old]",
            "describe|content=It is old|target=door_1",
        ),
        (
            "[INTENT: introduce name=\"Old Tom\" kind=character]",
            "introduce|kind=character|name=Old Tom",
        ),
        ("[INTENT: look]", "look"),
        ("[Action: waves]", "waves"),
        (
            "[INTENT: cast fireball power=3]",
            "cast|power=3|target=fireball",
        ),
        ("[INTENT: open door_1 tool=]", "open|target=door_1|tool="),
        (
            "[INTENT: open door_1 target=door_2]",
            "open|content=target=door_2|target=door_1",
        ),
        ("[INTENT:]", "|malformed"),
        ("[INTENT:  ]", "|malformed"),
    ] {
        let expected = if marker.contains("target=door_2") {
            "open|target=door_2|malformed"
        } else {
            expected
        };
        assert_eq!(action(marker), expected, "{marker}");
    }
}

#[test]
fn g1_episodes_of_markers() {
    let m = change("[MEMORY: Ann asked about the tower.]");
    assert_eq!(
        (m.kind.as_str(), m.content.as_deref()),
        ("AppendEpisodic", Some("Ann asked about the tower."))
    );
    let m = change("[memory: significance=0.9 Ann has x=1]");
    assert_eq!(
        (m.significance, m.content.as_deref()),
        (Some(0.9), Some("Ann has x=1"))
    );
    let m = change("[MEMORY: Ann says significance=0.9]");
    assert_eq!(
        (m.significance, m.content.as_deref()),
        (None, Some("Ann says significance=0.9"))
    );
    let m = change("[MEMORY: confidence=0.9 x]");
    assert_eq!(
        (m.confidence, m.content.as_deref()),
        (None, Some("confidence=0.9 x"))
    );
    let m = change("[MEMORY: \"Ann asked.\"]");
    assert_eq!(m.content.as_deref(), Some("Ann asked."));
    let m = change("[MEMORY: \"Go\" said Ann, \"now\"]");
    assert_eq!(m.content.as_deref(), Some("\"Go\" said Ann, \"now\""));
    let m = change("[MEMORY: Ann\n  said \"a ] b\"]");
    assert_eq!(m.content.as_deref(), Some("Ann said \"a ] b\""));
    let m = change("[MEMORY: the nail is 6\" long]");
    assert_eq!(m.content.as_deref(), Some("the nail is 6\" long"));
}

#[test]
fn g1_beliefs_of_markers() {
    let m = change("[BELIEF: id=trust_ann confidence=0.8 Ann is honest]");
    assert_eq!(m.kind, "TransformBelief");
    assert_eq!(
        (m.target.as_deref(), m.confidence, m.content.as_deref()),
        (Some("trust_ann"), Some(0.8), Some("Ann is honest"))
    );
    assert_eq!(
        m,
        change("[MUTATION: TransformBelief target=trust_ann confidence=0.8 Ann is honest]")
    );
    assert_eq!(change("[BELIEF: Ann is honest]").target, None);
    assert_eq!(
        change("[BELIEF: confidence=\"0.5\" x]").confidence,
        Some(0.5)
    );
}

#[test]
fn g1_mutations_of_markers() {
    let m =
        change("[MUTATION: TransformRelationship target=player affinity=-0.1 trust=0.1 warmer]");
    assert_eq!(
        (m.affinity, m.trust, m.familiarity, m.content.as_deref()),
        (Some(-0.1), Some(0.1), None, Some("warmer"))
    );
    let m = change("[MUTATION: AppendEpisodic significance=2 x]");
    assert_eq!((m.significance, m.malformed), (Some(2.0), None));
    let m = change("[MUTATION: Overwrite target=king_name The king is Bob]");
    assert_eq!(
        (m.kind.as_str(), m.target.as_deref(), m.malformed),
        ("Overwrite", Some("king_name"), None)
    );
    assert_eq!(
        change("[MUTATION: TransformBelief content=\"a b\"]")
            .content
            .as_deref(),
        Some("a b")
    );
}

#[test]
fn g6_marker_without_content_is_malformed() {
    for marker in [
        "[MEMORY:]",
        "[MEMORY: ]",
        "[MEMORY: significance=0.5]",
        "[MEMORY: \"\"]",
        "[BELIEF: id=a]",
        "[MUTATION:]",
        "[MUTATION: TransformBelief target=a]",
        "[MUTATION: TransformBelief content=\"\"]",
    ] {
        let m = change(marker);
        assert_eq!(
            m.malformed.as_deref(),
            Some("a marker without content"),
            "{marker}"
        );
        assert_eq!(m.content, None);
    }
}

#[test]
fn g6_marker_with_a_bad_pair_is_malformed() {
    for marker in [
        "[MEMORY: significance=high x]",
        "[MEMORY: significance= x]",
        "[BELIEF: confidence=NaN x]",
        "[BELIEF: confidence=1e999 x]",
        "[BELIEF: id=a id=b x]",
        "[MUTATION: TransformBelief content=a b]",
    ] {
        assert!(change(marker).malformed.is_some(), "{marker}");
    }
}

#[test]
fn g1_a_marker_may_hold_an_emitted_intent() {
    for text in [
        "[MUTATION: EmitWorldIntent type=open target=door_1]",
        "[MUTATION: EmitWorldIntent open door_1]",
        "[MUTATION: EmitWorldIntent open target=door_1]",
        "[MUTATION: emitworldintent intentType=open target=\"door_1\"]",
    ] {
        let proposal = ok(text);
        assert!(proposal.mutations.is_empty(), "{text}");
        let intent = &proposal.intents[0];
        assert_eq!(
            (intent.kind.as_str(), intent.malformed.as_deref()),
            ("open", None),
            "{text}"
        );
        assert_eq!(intent.fields["target"], "door_1", "{text}");
        assert_eq!(intent.emit_target.as_deref(), Some("door_1"), "{text}");
    }
    let proposal = ok("[MUTATION: EmitWorldIntent target=king_name open]");
    assert_eq!(
        proposal.intents[0].emit_target.as_deref(),
        Some("king_name")
    );
    assert!(
        ok("[MUTATION: EmitWorldIntent]").intents[0]
            .malformed
            .is_some()
    );
}

#[test]
fn g1_markers_are_read_in_order() {
    let proposal = ok("[INTENT: open a]Come[MEMORY: one] in. [ACTION: close b][BELIEF: two] Now.");
    assert_eq!(proposal.dialogue, "Come in. Now.");
    let kinds: Vec<&str> = proposal.intents.iter().map(|i| i.kind.as_str()).collect();
    assert_eq!(kinds, ["open", "close"]);
    let texts: Vec<Option<&str>> = proposal
        .mutations
        .iter()
        .map(|m| m.content.as_deref())
        .collect();
    assert_eq!(texts, [Some("one"), Some("two")]);
}
