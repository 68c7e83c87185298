//! Patterns, negations and other values that are contradictions.

use super::*;

#[test]
fn g4_authored_patterns_hit() {
    contradicts(&[
        ("Our king is called Bob.", "king_name", Pattern),
        ("THE KING IS CALLED BOB!", "king_name", Pattern),
        ("The king\n  is  called\tBob", "king_name", Pattern),
        ("The king died long ago.", "alive", Pattern),
        ("Alas, the king is dead and we mourn.", "alive", Pattern),
        ("Is it cold? The king is dead.", "alive", Pattern),
        ("I say the king is dead.", "alive", Pattern),
        ("The kіng is dеad.", "alive", Pattern),
    ]);
}

#[test]
fn g4_the_fact_denied_is_a_contradiction() {
    contradicts(&[
        ("The king is not named Arthur", "king_name", Negation),
        ("The king isn't named Arthur.", "king_name", Negation),
        ("The king isn’t named Arthur.", "king_name", Negation),
        ("The king isnʼt named Arthur.", "king_name", Negation),
        ("The king's not named Arthur.", "king_name", Negation),
        ("The king ain't named Arthur.", "king_name", Negation),
        ("the king isnt named arthur", "king_name", Negation),
        ("The king is no longer named Arthur.", "king_name", Negation),
        ("The king is never named Arthur.", "king_name", Negation),
        ("The king never was named Arthur.", "king_name", Negation),
        (
            "The king is, of course, not named Arthur.",
            "king_name",
            Negation,
        ),
        (
            "The king is not, and never was, named Arthur.",
            "king_name",
            Negation,
        ),
        (
            "The king is not really named Arthur.",
            "king_name",
            Negation,
        ),
        (
            "The king, who is old, is not named Arthur.",
            "king_name",
            Negation,
        ),
        ("The king is named Arthur no longer.", "king_name", Negation),
        (
            "That the king is named Arthur is not true.",
            "king_name",
            Negation,
        ),
        ("Our king is not named Arthur.", "king_name", Negation),
        (
            "In the tower, the king is not named Arthur.",
            "king_name",
            Negation,
        ),
        (
            "It rains, and the king is not named Arthur.",
            "king_name",
            Negation,
        ),
        (
            "Hear me: the king is not named Arthur.",
            "king_name",
            Negation,
        ),
        ("The sky is never blue.", "sky", Negation),
        ("ＴＨＥ ＳＫＹ ＩＳ ＮＯＴ ＢＬＵＥ", "sky", Negation),
        (
            "The sky cannot be what you think; the sky isn't blue.",
            "sky",
            Negation,
        ),
        ("The sky  is\nnot blue.", "sky", Negation),
        ("The dragon doesn't guard the gate.", "dragon", Negation),
        (
            "The dragon does not guard the gate any longer.",
            "dragon",
            Negation,
        ),
        ("The dragon never guards the gate.", "dragon", Negation),
        ("The dragon no longer guards the gate.", "dragon", Negation),
        ("The king is not alive.", "alive", Negation),
    ]);
}

#[test]
fn g4_the_fact_under_a_falsehood_is_a_contradiction() {
    contradicts(&[
        (
            "It is not true that the king is named Arthur.",
            "king_name",
            Negation,
        ),
        (
            "It isn't true that the king is named Arthur.",
            "king_name",
            Negation,
        ),
        (
            "It isn’t really true that the king is named Arthur.",
            "king_name",
            Negation,
        ),
        ("It is false that the sky is blue.", "sky", Negation),
        ("I say it is false that the sky is blue.", "sky", Negation),
    ]);
    agrees(&[
        "It is not false that the sky is blue.",
        "It is not true that the king is not named Arthur.",
        "It is not true that the king is named Bob.",
        "It is false that the king is dead.",
    ]);
}

#[test]
fn g4_another_value_of_a_slot_is_a_contradiction() {
    contradicts(&[
        ("The king is named Bob.", "king_name", Slot),
        ("Our king is named Bob, not Bill.", "king_name", Slot),
        ("The king is really truly named Bob.", "king_name", Slot),
        ("The king is now named Sir Bob.", "king_name", Slot),
        ("The king’s named Bob.", "king_name", Slot),
        ("The sky is green.", "sky", Slot),
        ("The sky's green.", "sky", Slot),
        ("The sky is a green sheet.", "sky", Slot),
        ("the sky is very, very red today", "sky", Slot),
        ("The sky is pale grey.", "sky", Slot),
        ("The sky is green, not blue.", "sky", Slot),
        ("I say the sky is green", "sky", Slot),
        ("I do say the sky is green.", "sky", Slot),
        ("I'm telling you the sky is green.", "sky", Slot),
        ("I still believe that the sky is green.", "sky", Slot),
        ("Let me tell you, the sky is green.", "sky", Slot),
        ("Some claim the sky is blue; the sky is green.", "sky", Slot),
        ("They say many things, but the sky is green.", "sky", Slot),
        ("He asked \"why?\", and the sky is green.", "sky", Slot),
        ("If you ask me, the sky is green.", "sky", Slot),
        ("The sky is green, I say.", "sky", Slot),
        ("“The sky is green.”", "sky", Slot),
        ("\"Hello. The sky is green.\"", "sky", Slot),
        ("“Hello.” “The sky is green.”", "sky", Slot),
        ("Believe me, the sky is green.", "sky", Slot),
        ("My claim is simple: the sky is green.", "sky", Slot),
        ("Mr. Smith knows the sky is green.", "sky", Slot),
    ]);
}

#[test]
fn g4_a_denial_may_leave_out_what_was_just_asked_or_say_it_first() {
    contradicts(&[
        ("Named Arthur? The king is not.", "king_name", Negation),
        ("Named Arthur? The king isn't!", "king_name", Negation),
        (
            "Named Arthur? But the king really is not.",
            "king_name",
            Negation,
        ),
        (
            "Is the king named Arthur? He is not.",
            "king_name",
            Negation,
        ),
        (
            "Is the king named Arthur? No, he isn't.",
            "king_name",
            Negation,
        ),
        ("Named Arthur the king is not.", "king_name", Negation),
        ("Named Arthur, the king is not.", "king_name", Negation),
    ]);
    agrees(&[
        "Named Arthur? The king is.",
        "Named Arthur? The queen is not.",
        "Is the king named Arthur? I am not.",
        "Is the king named Arthur? The queen is not.",
        "Is the king's dog named Arthur? It is not.",
        "Is the king named Bob? He is not.",
        "Named Bob? The king is not.",
        "Named Bob the king is not.",
        "Is the king named Arthur? He is not here.",
        "Is the king named Arthur? You know it. He is not.",
        "The king is named Arthur, is he not?",
    ]);
}
