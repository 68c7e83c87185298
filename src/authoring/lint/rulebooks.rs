//! Rulebooks: actions that nobody can propose, and answers that cannot be meant. The loader does the rest.

use super::LintKind::{BadCheck, Unresolved};
use super::findings::Findings;
use super::names::hint;
use super::place::Place;
use crate::world::action::BUILT_IN;
use crate::world::rulebook::{ReasonCode, Rulebook};

/// Checks a rulebook. `actions` are those that the game registers beside the built-in ones.
pub(super) fn check(book: &Rulebook, actions: &[String], place: &Place, findings: &mut Findings) {
    for (name, action) in &book.actions {
        let place = place.key("/actions", name);
        if let Some(message) = unknown_action(name, actions) {
            findings.add(Unresolved, &place, message);
        }
        for (i, check) in action.checks.iter().enumerate() {
            if check.otherwise == ReasonCode::Ok {
                let place = place.item("/checks", i).at("/else");
                findings.add(BadCheck, &place, "a check that fails cannot answer OK");
            }
        }
    }
}

/// What to say of an action that nobody knows.
pub(super) fn unknown_action(name: &str, actions: &[String]) -> Option<String> {
    let known = || {
        BUILT_IN
            .iter()
            .map(|shape| shape.name)
            .chain(actions.iter().map(String::as_str))
    };
    let unknown = !known().any(|known| known == name);
    unknown.then(|| {
        format!(
            "there is no action \"{}\"{}",
            name.escape_debug(),
            hint(name, known())
        )
    })
}

#[cfg(test)]
mod tests {
    use crate::authoring::lint::found;

    #[test]
    fn x2_rulebooks_name_known_actions_and_answers() {
        let source = r#"Rulebook(id: "r", actions: {
"open": (checks: [(id: "a", when: Exists(Target), else: NOT_FOUND, message: "no {target}, {tool}, {to}, {actor}")]),
"opne": (checks: [
(id: "b", when: Exists(Target), else: OK),
])})"#;
        assert_eq!(
            found("x.rulebook.ron", source),
            [
                "3:9: there is no action \"opne\" (did you mean \"open\"?) [unresolved]",
                "4:39: a check that fails cannot answer OK [bad_check]",
            ]
        );
    }
}
