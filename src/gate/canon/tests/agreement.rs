//! What sounds like a contradiction and is none.

use super::*;

#[test]
fn g4_the_value_itself_or_one_that_is_not_listed_is_none() {
    agrees(&[
        "The king is named Arthur.",
        "The king is named Arthur the Great.",
        "The king is truly named Arthur.",
        "THE KING IS NAMED ARTHUR",
        "The king is named, as you know, Arthur.",
        "I know how the king is named.",
        "The sky is a blue one.",
        "The sky is wide.",
        "The sky is greenish.",
        "The sky is pale.",
        "The skyline is green.",
        "The king's sword is named Bob.",
        "The son of the king is named Bob.",
        "The gods do not sleep.",
        "The gods don't sleep.",
    ]);
}

#[test]
fn g4_another_value_denied_and_an_alternative_denied_are_none() {
    agrees(&[
        "The king is not named Bob.",
        "The king isn’t named Bob.",
        "The king is never named Bob.",
        "The king is named Bob no longer.",
        "The king is named neither Bob nor Bill.",
        "The king is named Arthur, not Bob.",
        "The king is named Arthur not Bob.",
        "The king is named Arthur and not Bob.",
        "The king is named Arthur, never Bob.",
        "The king is not named Bob but Arthur.",
        "The sky is blue, not green.",
        "The sky is not green.",
        "The sky isn't red, it is blue.",
        "I do not think the sky is green.",
    ]);
}

#[test]
fn g4_a_negator_elsewhere_is_none() {
    agrees(&[
        "The king is named Arthur and I do not like him.",
        "The king is named Arthur, and I do not like him.",
        "The king is named Arthur, but the queen is not happy.",
        "The king is named Arthur; I do not like him.",
        "The king is named Arthur: do not forget it.",
        "The king is named Arthur — not that you care.",
        "The king is named Arthur - never forget it.",
        "The king is named Arthur -- never forget it.",
        "The king is named Arthur and does not smile.",
        "The king is named Arthur, who never smiles.",
        "The king is named Arthur because he is not Bob.",
        "The king is named Arthur, and Merlin is not happy.",
        "Do not forget that the king is named Arthur.",
        "I cannot deny the king is named Arthur.",
        "The queen is not happy that the king is named Arthur.",
        "The king, not the queen, is named Arthur.",
        "The king, who never smiles, is named Arthur.",
        "The king is not old and is named Arthur.",
        "The king is not only named Arthur but loved.",
        "The king's brother is not named Arthur.",
        "The son of the king is not named Arthur.",
        "The dragon guards the gate, and I do not like it.",
        "Never! The sky is blue.",
        "The sky is blue. Not green.",
    ]);
}
