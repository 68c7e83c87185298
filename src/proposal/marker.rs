//! The opening of a marker in prose: `[INTENT:` and the like, also with wide signs: `［INTENT：`, `【INTENT：`.

/// The markers that mean something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MarkerKind {
    /// `[INTENT: ..]`, `[ACTION: ..]`.
    Action,
    /// `[MEMORY: ..]`.
    Memory,
    /// `[BELIEF: ..]`.
    Belief,
    /// `[MUTATION: ..]`.
    Mutation,
}

/// A marker cut out of prose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Marker {
    /// Which command its opening word is.
    pub(super) kind: MarkerKind,
    /// The text between `:` and `]`.
    pub(super) rest: String,
}

/// Reads `[TYPE:` at the start of a text: the type, `None` for an unknown one, and the length of the opening.
pub(super) fn opening(text: &str) -> Option<(Option<MarkerKind>, usize)> {
    let inner = text.strip_prefix(['[', '［', '【'])?;
    let inner = inner.trim_start_matches([' ', '\t']);
    let after = inner.trim_start_matches(|c: char| c.is_ascii_alphabetic() || c == '_');
    let name = &inner[..inner.len() - after.len()];
    let rest = after
        .trim_start_matches([' ', '\t'])
        .strip_prefix([':', '：'])?;
    let kind = match name.to_ascii_uppercase().as_str() {
        "" => return None,
        "INTENT" | "ACTION" => Some(MarkerKind::Action),
        "MEMORY" => Some(MarkerKind::Memory),
        "BELIEF" => Some(MarkerKind::Belief),
        "MUTATION" => Some(MarkerKind::Mutation),
        _ => None,
    };
    Some((kind, text.len() - rest.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn g1_openings() {
        assert_eq!(opening("[INTENT: x"), Some((Some(MarkerKind::Action), 8)));
        assert_eq!(opening("[note: x"), Some((None, 6)));
        for text in [
            "[INTENT]",
            "[: x]",
            "[IN TENT: x]",
            "[1: x]",
            "INTENT: x",
            "[",
            "",
        ] {
            assert_eq!(opening(text), None, "{text}");
        }
    }
}
