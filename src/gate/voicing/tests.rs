//! Whose words a prose tells.

use super::*;

/// Who says what in a text, in the order of the text.
fn told(text: &str, lexicon: &Lexicon) -> Vec<String> {
    let speakers = [
        ("kael", "Kael"),
        ("odo", "Odo"),
        ("will", "Will"),
        ("mi", "米拉"),
    ]
    .map(|(id, name)| Speaker {
        id: Id::new(id).unwrap(),
        names: vec![name.to_owned()],
    });
    let words = ProseReader::new(&speakers, lexicon).told(text).into_iter();
    words
        .map(|told| format!("{}: {}", told.speaker, &text[told.range]))
        .collect()
}

fn english(text: &str) -> Vec<String> {
    told(text, Lexicon::english())
}

#[test]
fn t10_a_verb_of_saying_with_a_name_tells_whose_words_follow() {
    for (text, said) in [
        (
            "Odo whispers that the nightjar sings.",
            "odo: the nightjar sings",
        ),
        (
            "Odo leans in and whispers that the nightjar sings.",
            "odo: the nightjar sings",
        ),
        (
            "Odo, smiling, tells Kael of the nightjar.",
            "odo: of the nightjar",
        ),
        (
            "Softly Odo says the nightjar sings.",
            "odo: the nightjar sings",
        ),
        (
            "Odo is saying that the nightjar sings.",
            "odo: the nightjar sings",
        ),
        (
            "Odo says to Kael: the nightjar sings.",
            "odo: the nightjar sings",
        ),
        ("The nightjar sings, says Odo.", "odo: The nightjar sings"),
        (
            "The nightjar sings, Odo says softly.",
            "odo: The nightjar sings",
        ),
        ("Kael enters. Odo mentions a nightjar.", "odo: a nightjar"),
        (
            "Odo asks whether the nightjar sings.",
            "odo: whether the nightjar sings",
        ),
        (
            "Kael waits, and Odo answers that the nightjar sings.",
            "odo: the nightjar sings",
        ),
        (
            "Odo looks at Kael and says the nightjar sings.",
            "odo: the nightjar sings",
        ),
    ] {
        assert_eq!(english(text), [said], "{text}");
    }
    assert_eq!(
        english("The nightjar, says Odo, sings by the well."),
        ["odo: sings by the well", "odo: The nightjar"]
    );
    assert_eq!(
        english("Odo says that people say that the nightjar sings."),
        ["odo: people say that the nightjar sings"]
    );
    assert_eq!(
        english("Odo says that it is late, and a stranger whispers that the nightjar sings."),
        ["odo: it is late,"]
    );
    assert_eq!(
        english("Odo and Kael say that the nightjar sings."),
        ["kael: the nightjar sings", "odo: the nightjar sings"]
    );
}

#[test]
fn t10_a_quotation_is_said_by_whoever_the_words_next_to_it_name() {
    for (text, said) in [
        (
            "\"The nightjar sings,\" says Odo.",
            "odo: \"The nightjar sings,\"",
        ),
        (
            "“The nightjar sings!” Odo whispers.",
            "odo: “The nightjar sings!”",
        ),
        (
            "Odo whispers: \"The nightjar sings.\"",
            "odo: \"The nightjar sings.\"",
        ),
        (
            "Odo leans closer and growls, \"The nightjar sings.\"",
            "odo: \"The nightjar sings.\"",
        ),
        (
            "'The nightjar sings,' adds Odo quietly.",
            "odo: 'The nightjar sings,'",
        ),
        (
            "«The nightjar sings», Odo replies.",
            "odo: «The nightjar sings»",
        ),
        (
            "Odo speaks to Kael. \"The nightjar sings.\"",
            "odo: \"The nightjar sings.\"",
        ),
        (
            "\"The nightjar sings,\" says Odo, looking at the well.",
            "odo: \"The nightjar sings,\"",
        ),
        (
            "Rain falls.\n\"The nightjar sings,\" says Odo.",
            "odo: \"The nightjar sings,\"",
        ),
        (
            "Odo nods slowly. \"The nightjar sings.\"",
            "odo: \"The nightjar sings.\"",
        ),
        (
            "Odo, loudly: \"The nightjar sings.\"",
            "odo: \"The nightjar sings.\"",
        ),
        (
            "Odo — \"The nightjar sings.\"",
            "odo: \"The nightjar sings.\"",
        ),
    ] {
        assert_eq!(english(text), [said], "{text}");
    }
    assert_eq!(
        english("\"Listen,\" says Odo. \"The nightjar sings.\""),
        ["odo: \"Listen,\"", "odo: \"The nightjar sings.\""]
    );
    assert_eq!(
        english("\"Where is the nightjar?\" Kael asks. \"Gone,\" says Odo."),
        ["kael: \"Where is the nightjar?\"", "odo: \"Gone,\""]
    );
    assert_eq!(
        english("\"Where is the nightjar?\" Odo answers: \"Gone.\""),
        ["odo: \"Gone.\""]
    );
}

#[test]
fn t10_prose_without_a_known_speaker_reports_no_words() {
    for text in [
        "The nightjar sings by the well.",
        "Odo listens to the nightjar.",
        "Odo says nothing of the nightjar.",
        "Odo does not say where the nightjar sings.",
        "Odo never speaks of the nightjar.",
        "Odo hears whispers of the nightjar.",
        "Odo is told that the nightjar sings.",
        "Odo would say that the nightjar sings.",
        "Odo refuses to say where the nightjar sings.",
        "The stranger says that the nightjar sings, and Odo nods.",
        "A stranger tells Odo that the nightjar sings.",
        "Odo nods, and she says that the nightjar sings.",
        "Odo's brother says that the nightjar sings.",
        "Odo speaks by the well.",
        "While the nightjar sings, Odo speaks.",
        "The sign says \"To the nightjar\", and Odo reads it.",
        "The old sign creaks above Odo. \"To the nightjar.\"",
        "Odo looks up. \"To the nightjar,\" a sign says.",
        "\"The nightjar sings.\" Odo's eyes widen.",
        "You will say it to the nightjar.",
        "Odo calls Kael to the well.",
        "She nods and asks Odo about the nightjar.",
    ] {
        assert_eq!(english(text), [""; 0], "{text}");
    }
    assert_eq!(
        english("Odo says good night while the nightjar sings."),
        ["odo: good night"]
    );
    assert_eq!(
        english("Odo says good night and walks to the well."),
        ["odo: good night"]
    );
    assert_eq!(
        english("Kael tells Odo that the nightjar sings."),
        ["kael: the nightjar sings"]
    );
    assert_eq!(
        english("Kael nods and asks Odo about the nightjar."),
        ["kael: about the nightjar"]
    );
    assert_eq!(
        english("Kael seeks the nightjar, says Odo."),
        ["odo: Kael seeks the nightjar"]
    );
    assert_eq!(
        english("Kael asks Odo: \"Does the nightjar sing?\""),
        ["kael: \"Does the nightjar sing?\""]
    );
}

#[test]
fn t10_german_prose_is_read_by_the_words_of_german() {
    let german = |text: &str| told(text, Lexicon::german());
    for (text, said) in [
        (
            "Odo flüstert, dass die Nachtigall singt.",
            "odo: die Nachtigall singt",
        ),
        (
            "Dann sagt Odo, die Nachtigall singe am Brunnen.",
            "odo: die Nachtigall singe am Brunnen",
        ),
        (
            "Leise sagt Odo, dass die Nachtigall singt.",
            "odo: die Nachtigall singt",
        ),
        (
            "„Die Nachtigall singt“, sagt Odo.",
            "odo: „Die Nachtigall singt“",
        ),
        (
            "Odo beugt sich vor und raunt: „Die Nachtigall singt.“",
            "odo: „Die Nachtigall singt.“",
        ),
        (
            "»Die Nachtigall singt«, murmelt der alte Odo.",
            "odo: »Die Nachtigall singt«",
        ),
        (
            "Odo erzählt Kael von der Nachtigall.",
            "odo: von der Nachtigall",
        ),
        (
            "Die Nachtigall singt, behauptet Odo.",
            "odo: Die Nachtigall singt",
        ),
    ] {
        assert_eq!(german(text), [said], "{text}");
    }
    for text in [
        "Odo sagt nichts von der Nachtigall.",
        "Odo hört die Nachtigall singen.",
        "Odo sagt nicht, wo die Nachtigall singt.",
        "Der Fremde sagt, dass die Nachtigall singt, und Odo nickt.",
    ] {
        assert_eq!(german(text), [""; 0], "{text}");
    }
    assert_eq!(
        german("„Wo ist die Nachtigall?“, fragt Kael Odo."),
        ["kael: „Wo ist die Nachtigall?“"]
    );
}

#[test]
fn t10_a_name_that_is_a_word_counts_as_it_is_written() {
    assert_eq!(english("Will says that it rains."), ["will: it rains"]);
    assert_eq!(english("You will say that it rains."), [""; 0]);
}

#[test]
fn t10_long_prose_is_read_in_linear_time() {
    let long = "Odo says and whispers that Kael, Odo and Kael said, ".repeat(4_000);
    assert!(english(&long).len() > 1_000);
}
