//! What a player writes out of character, in doubled parentheses: `((brb))`. No model ever reads it.

const OPEN: &str = "((";
const CLOSE: &str = "))";

/// A text without the parts in doubled parentheses. Where they are not closed, the rest of the text goes.
#[must_use]
pub(crate) fn in_character(text: &str) -> String {
    if !text.contains(OPEN) {
        return text.to_owned();
    }
    let mut kept: Vec<&str> = Vec::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once(OPEN) {
        kept.push(before.trim());
        rest = behind_close(behind);
    }
    kept.push(rest.trim());
    kept.retain(|part| !part.is_empty());
    kept.join(" ")
}

/// The text after the parentheses that close the first ones; those in between are left out together.
fn behind_close(text: &str) -> &str {
    let Some(close) = text.find(CLOSE) else {
        return "";
    };
    text[close..].trim_start_matches(')')
}

/// The words in doubled parentheses that hold a whole text; `None` for every other text.
#[must_use]
#[cfg(any(test, feature = "cli"))]
pub(crate) fn aside_of(text: &str) -> Option<&str> {
    let inner = text.trim().strip_prefix(OPEN)?.strip_suffix(CLOSE)?.trim();
    (!inner.contains(OPEN)).then_some(inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn t17_what_stands_in_doubled_parentheses_is_out_of_character() {
        for (text, kept) in [
            ("I wait.", "I wait."),
            ("((brb)) I wait.", "I wait."),
            ("I wait ((brb))", "I wait"),
            ("I wait. ((no (really) stop))) I sit.", "I wait. I sit."),
            ("I wait. ((no end", "I wait."),
            ("((a)) ((b))", ""),
            ("I say (softly) hello.", "I say (softly) hello."),
        ] {
            assert_eq!(in_character(text), kept, "{text}");
        }
        assert_eq!(aside_of(" (( end scene )) "), Some("end scene"));
        assert_eq!(aside_of("((a)) b"), None);
    }
}
