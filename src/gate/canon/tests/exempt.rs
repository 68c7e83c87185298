//! Questions, quotations, reported and conditional speech.

use super::*;

#[test]
fn g4_questions_are_exempt() {
    agrees(&[
        "The king is dead? No.",
        "Is it true that the sky is green?",
        "The king is named Bob, isn't he?",
        "The sky is green?!",
        "(The sky is green?)",
        "“The sky is green?”",
        "Is the sky not blue?",
    ]);
}

#[test]
fn g4_quotations_are_exempt() {
    agrees(&[
        "The sign reads “the sky is green”.",
        "The sign reads \"the king is dead\" in red.",
        "The sign reads «The king is named Bob».",
        "The sign reads ‘the king isn’t named Arthur’ here.",
        "The sign reads 'the sky is green' here.",
        "“The sky is green. The king is dead.” So reads the sign.",
    ]);
    contradicts(&[
        ("'Tis true: the sky is green.", "sky", Slot),
        ("Don't trust the lords' men: the sky's green.", "sky", Slot),
        ("He is 6\" tall and the sky is green", "sky", Slot),
        ("A “broken mark. The sky is green.", "sky", Slot),
    ]);
}

#[test]
fn g4_reported_speech_is_exempt() {
    agrees(&[
        "They say the king is dead.",
        "They say that the king is dead and that the sky is green.",
        "I heard the sky is green.",
        "I have heard that the sky is green.",
        "I was told the king is named Bob.",
        "Some claim the sky is green; it is blue.",
        "The old woman of the hill believes the king isn't named Arthur.",
        "He dreamed the king was dead, that the king is dead.",
        "The sky is green, they say.",
        "The sky is green, says Bob.",
        "The sky is green, as the elders say.",
        "The sky is green, the old man said with a smile.",
        "The sky, they say, is green.",
        "It is said that the king is dead.",
        "According to the elders, the sky is green.",
        "The elders say: the sky is green.",
        "The claim that the sky is green is old.",
        "I doubt the sky is green.",
        "In my dreams the sky is green.",
    ]);
}

#[test]
fn g4_conditional_speech_is_exempt() {
    agrees(&[
        "If the king is dead, we are lost.",
        "We are lost if the king is dead.",
        "Unless the king is dead, we march.",
        "Suppose the sky is green.",
        "It would mean that the king is dead.",
        "If Mordred wins, the king is named Bob.",
    ]);
}

#[test]
fn g4_strict_facts_judge_all_four() {
    contradicts(&[
        ("The crown is silver?", "crown", Slot),
        ("They say the crown is silver.", "crown", Slot),
        ("The sign reads “the crown is lost”.", "crown", Pattern),
        ("If the crown is not gold, we are poor.", "crown", Negation),
        ("I heard the crown isn’t gold.", "crown", Negation),
    ]);
    agrees(&["They say the crown is gold.", "Is the crown gold?"]);
}
