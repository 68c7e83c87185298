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

#[test]
fn g4_what_a_negative_fact_denies_contradicts_it() {
    let sleep = "sleep";
    contradicts(&[
        ("The gods sleep.", sleep, Negation),
        ("The gods often sleep at noon.", sleep, Negation),
        ("Do you not know? The gods do sleep!", sleep, Negation),
        ("I do not doubt the gods sleep.", sleep, Negation),
        ("We say the gods sleep.", sleep, Negation),
    ]);
    agrees(&[
        "The gods do not sleep.",
        "The gods never sleep.",
        "No gods sleep.",
        "Do the gods sleep?",
        "Bob said the gods sleep.",
        "It is not true that the gods sleep.",
        "That the gods sleep is a lie.",
        "It is a lie: the gods sleep.",
        "The dreams of the gods sleep here.",
        "The gods watch while mortals sleep.",
    ]);
    let heir: CanonFact = ron::from_str(r#"(id: "heir", text: "The king has no heir")"#).unwrap();
    let judge = CanonJudge::compile(vec![heir], Lexicon::english()).unwrap();
    let hit = |text: &str| judge.contradicts_any(text, Said::Aloud);
    for text in [
        "The king has an heir.",
        "Our king has a young heir, my lord.",
    ] {
        assert!(hit(text), "{text}");
    }
    for text in [
        "The king has no heir.",
        "The king has a sword.",
        "The king has lost his heir.",
        "The king's brother has an heir.",
        "The king has never had an heir.",
        "The king has much to give to his heir's friends, none of it gold.",
    ] {
        assert!(!hit(text), "{text}");
    }
}

#[test]
fn g4_denials_in_many_words() {
    let alive = "alive";
    contradicts(&[
        ("No king is alive.", alive, Negation),
        ("That the king is alive is false.", alive, Negation),
        ("It is a lie: the king is alive.", alive, Negation),
        ("The king is in no way alive.", alive, Negation),
        ("The king is by no means alive.", alive, Negation),
        ("The king is far from alive.", alive, Negation),
        ("The king is anything but alive.", alive, Negation),
        ("The king is hardly alive.", alive, Negation),
        ("The king ceased to be alive.", alive, Negation),
        ("The king used to be alive.", alive, Negation),
        ("The king is n't alive.", alive, Negation),
        ("The king isnʹt alive.", alive, Negation),
        ("The king isn\u{5f3}t alive.", alive, Negation),
    ]);
    agrees(&[
        "No, the king is alive.",
        "It is not a lie that the king is alive.",
        "That the king is alive is not false.",
        "The king is alive and used to the cold.",
        "It is no lie: the king is alive.",
        "No man doubts the king is alive.",
        "No, that is not true: the king is alive.",
        "That is a lie; the king is alive.",
        "The false king is alive.",
        "The king I used to serve is alive.",
        "The dragon guards the false gate.",
        "The dragon guards the gate far from here.",
        "The dragon guards the gate far from the town.",
        "The king is named Arthur the False.",
        "The crown is gold, hardly a surprise.",
        "The dragon guards the gate and eats anything but sheep.",
        "The king is alive and hardly a day older.",
        "The sky is blue in a way it used to be.",
    ]);
}

#[test]
fn g4_exemptions_swallow_no_statement() {
    contradicts(&[
        ("The king is named \"Bob\".", "king_name", Slot),
        ("The king is 'named Bob'.", "king_name", Slot),
        ("I do not doubt the king is dead.", "alive", Pattern),
        ("Nobody denies that the king is dead.", "alive", Pattern),
        ("There is no doubt that the king is dead.", "alive", Pattern),
        ("We say the king is dead.", "alive", Pattern),
        ("According to me, the king is dead.", "alive", Pattern),
    ]);
    agrees(&[
        "They say \"the king is dead\" in the inns.",
        "\"The king is dead\" was a song of old.",
        "I doubt the king is dead.",
        "I do not hope that the king is dead.",
        "No, I doubt the king is dead.",
        "Without proof I doubt that the king is dead.",
        "He whispered to me: \"King is dead!\"",
        "\"King is dead!\" the drunk shouted.",
        "According to Bob the king is dead.",
    ]);
}

#[test]
fn g4_a_memory_names_who_said_what_it_quotes() {
    let judge = judge();
    let hit = |text: &str| judge.contradicts_any(text, Said::InMemory);
    for text in [
        "\"The king is dead.\" That is how it is.",
        "So the king is dead?",
        "The king is dead.",
        "A sign: \"The king is dead.\"",
    ] {
        assert!(hit(text), "{text}");
    }
    for text in [
        "Bob said: \"The king is dead.\"",
        "Ann asked whether the king is dead.",
        "Ann asked: is it so that the king is dead?",
        "According to Bob the king is dead.",
    ] {
        assert!(!hit(text), "{text}");
    }
}

#[test]
fn g4_a_true_value_with_accents_or_initials_is_true_in_every_reading() {
    let facts: Vec<CanonFact> = ron::from_str(
        r#"[
        (id: "a", text: "The king is named René", slot: (subject: ["the king"], relation: "is named", value: "René")),
        (id: "b", text: "The writer is named J. R. R. Tolkien",
         slot: (subject: ["the writer"], relation: "is named", value: "J. R. R. Tolkien")),
        (id: "c", text: "The agent is called agent_x", slot: (subject: ["the agent"], relation: "is called", value: "agent_x")),
    ]"#
        .replace("slot: (", "slot: Some((")
        .replace("\")),", "\"))),")
        .as_str(),
    )
    .unwrap();
    let judge = CanonJudge::compile(facts, Lexicon::english()).unwrap();
    for text in [
        "The king is named René.",
        "The writer is named J. R. R. Tolkien.",
        "The agent is called agent_x.",
    ] {
        assert!(!judge.contradicts_any(text, Said::Aloud), "{text}");
    }
    assert!(judge.contradicts_any("The king is named Bób.", Said::Aloud));
}

#[test]
fn g4_disguised_words_are_read() {
    contradicts(&[
        ("The king is d e a d.", "alive", Pattern),
        ("The king is n̶o̶t alive.", "alive", Negation),
        ("The king is n*o*t alive.", "alive", Negation),
        ("The ķing is dead.", "alive", Pattern),
    ]);
}
