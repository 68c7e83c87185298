//! Rulebooks: actions that no actor can propose or do, and checks that decide nothing. The loader does the rest.

use super::findings::Findings;
use super::place::Place;
use super::reasoning::{Known, MAX_STEPS, Verdict};
use super::report::LintKind::{NeverPossible, Unreachable, Unresolved};
use crate::base::names::hint;
use crate::judged_world::action::ActionShape;
use crate::judged_world::rulebook::{ActionCondition, ActionRule, Check, Rulebook};
use crate::lint::{effects, roles};
use crate::world::ActionRegistry;

/// Checks a rulebook against the actions that exist.
pub(super) fn check(
    book: &Rulebook,
    registry: &ActionRegistry,
    place: &Place,
    findings: &mut Findings,
) {
    let mut steps_left = MAX_STEPS;
    for (name, rule) in &book.actions {
        let place = place.key("/actions", name);
        if let Some(message) = unknown_action(name, registry) {
            findings.add(Unresolved, &place, message);
        }
        let shape = registry.shape(name);
        if let Some(shape) = shape {
            roles::check(rule, shape, &place, findings);
        }
        let mut known = Known::new(shape.map(roles::given).unwrap_or_default(), steps_left);
        check_order(name, rule, shape, &mut known, &place, findings);
        effects::check(rule, shape, &mut known, &place, findings);
        steps_left = known.steps_left();
    }
    effects::check_types(book, place, findings);
}

/// Checks what each check adds to those before it.
fn check_order<'a>(
    action: &str,
    rule: &'a ActionRule,
    shape: Option<&ActionShape>,
    known: &mut Known<'a>,
    place: &Place,
    findings: &mut Findings,
) {
    let id = |check: &Check| check.id.escape_debug().to_string();
    for (i, check) in rule.checks.iter().enumerate() {
        let place_of = |i: usize| place.item("/checks", i);
        // The check that decides, by its number.
        let decided = |number: usize| {
            let check = number.checked_sub(1).and_then(|i| rule.checks.get(i));
            check.map(id)
        };
        match known.judge(&check.when, i + 1) {
            Verdict::Open => {}
            Verdict::CannotFail(_) if shape.is_some_and(|s| roles::is_beside(s, &check.when)) => {}
            Verdict::CannotFail(number) => {
                let why = decided(number).map_or_else(String::new, |other| {
                    format!(": where \"{other}\" holds it does, too")
                });
                let message = format!("the check \"{}\" can never fail{why}", id(check));
                findings.add(Unreachable, &place_of(i).at("/when"), message);
            }
            Verdict::CannotHold(_) if is_plain_refusal(rule, i) => return,
            Verdict::CannotHold(number) => {
                let why = decided(number)
                    .map_or_else(String::new, |other| format!(" where \"{other}\" does"));
                let message = format!(
                    "the check \"{}\" can never hold{why}: no actor can ever \"{}\"",
                    id(check),
                    action.escape_debug()
                );
                findings.add(NeverPossible, &place_of(i).at("/when"), message);
                if let Some(next) = rule.checks.get(i + 1) {
                    let message = format!(
                        "the check \"{}\" is never asked: \"{}\" before it can never hold",
                        id(next),
                        id(check)
                    );
                    findings.add(Unreachable, &place_of(i + 1), message);
                }
                return;
            }
        }
    }
}

/// Whether this check openly forbids the action for all actors: `Any([])`, and nothing after it that would be lost.
fn is_plain_refusal(rule: &ActionRule, check: usize) -> bool {
    let nothing =
        |when: &ActionCondition| matches!(when, ActionCondition::Any(list) if list.is_empty());
    check + 1 == rule.checks.len()
        && rule.effects.is_empty()
        && rule.checks.get(check).is_some_and(|c| nothing(&c.when))
}

/// The message about an action that the game does not have.
pub(super) fn unknown_action(name: &str, registry: &ActionRegistry) -> Option<String> {
    let known = || registry.shapes().map(|shape| shape.name);
    let unknown = !known().any(|known| known == name);
    unknown.then(|| {
        let near = hint(name, known());
        let own = match near.is_empty() {
            true => {
                ": if your game adds it in Rust, check with your game's command line (`cli::main`)"
            }
            false => "",
        };
        format!("there is no action \"{}\"{near}{own}", name.escape_debug())
    })
}

/// The message about a known action that an actor may propose and that the book lets no actor do.
pub(super) fn denied_action(
    name: &str,
    book: &Rulebook,
    registry: &ActionRegistry,
) -> Option<String> {
    registry.shape(name)?;
    match book.rule(registry, name) {
        None => Some(format!(
            "no rule allows the action \"{}\"",
            name.escape_debug()
        )),
        Some(rule) => (0..rule.checks.len())
            .any(|i| is_plain_refusal(rule, i))
            .then(|| format!("the rulebook lets no actor \"{}\"", name.escape_debug())),
    }
}

#[cfg(test)]
mod tests {
    use crate::lint::{found, kinds};

    #[test]
    fn x2_rulebooks_name_known_actions() {
        let source = r#"Rulebook(id: "r", actions: {
"open": (checks: [(id: "a", when: Exists(Target), else: NOT_FOUND, message: "no {target}, {tool}, {actor}")]),
"opne": (checks: [
(id: "b", when: Exists(Target), else: NOT_FOUND),
])})"#;
        assert_eq!(
            found("x.rulebook.ron", source),
            ["3:9: there is no action \"opne\" (did you mean \"open\"?) [unresolved]"]
        );
    }

    #[test]
    fn x2_checks_that_decide_nothing_are_found() {
        let source = r#"Rulebook(id: "r", actions: {
"open": (checks: [
(id: "a", when: Perceivable(Target), else: NOT_PRESENT),
(id: "b", when: Exists(Target), else: NOT_FOUND),
(id: "c", when: All([]), else: NOT_FOUND),
(id: "d", when: Attribute(Target, "open", false), else: INVALID_TARGET),
(id: "e", when: Attribute(Target, "open", true), else: INVALID_TARGET),
(id: "f", when: Flag("x"), else: INVALID_TARGET),
(id: "g", when: Flag("x"), else: INVALID_TARGET),
]),
})"#;
        assert_eq!(
            found("x.rulebook.ron", source),
            [
                "4:17: the check \"b\" can never fail: where \"a\" holds it does, too [unreachable]",
                "5:17: the check \"c\" can never fail [unreachable]",
                "7:17: the check \"e\" can never hold where \"d\" does: no actor can ever \"open\" [never_possible]",
                "8:1: the check \"f\" is never asked: \"e\" before it can never hold [unreachable]",
            ]
        );
    }

    #[test]
    fn x2_a_plain_refusal_is_meant_unless_something_stands_behind_it() {
        let book = |open: &str| {
            let refuse = "(id: \"no\", when: Any([]), else: UNKNOWN)";
            found(
                "x.rulebook.ron",
                &format!(
                    "Rulebook(id: \"r\", actions: {{\"open\": ({})}})",
                    open.replace("NO", refuse)
                ),
            )
            .len()
        };
        assert_eq!(book("checks: [NO]"), 0);
        assert_eq!(
            book("checks: [(id: \"a\", when: Flag(\"x\"), else: LOCKED), NO]"),
            0
        );
        assert_eq!(
            book("checks: [NO, (id: \"a\", when: Flag(\"x\"), else: LOCKED)]"),
            2
        );
        assert_eq!(book("checks: [NO], effects: [SetFlag(\"x\", true)]"), 1);
    }

    #[test]
    fn x2_what_a_character_may_has_a_rule() {
        let scene = |book: &str| {
            kinds(&format!(
                "npcs: [(id: \"a\", may: [\"open\", \"take\"])]{book}"
            ))
        };
        assert_eq!(scene(""), [""; 0]);
        let open = "\"open\": (checks: [])";
        assert_eq!(
            scene(&format!(", rulebook: (id: \"r\", actions: {{{open}}})")),
            ["never_possible"]
        );
        assert_eq!(
            scene(&format!(
                ", rulebook: (id: \"r\", extends: \"default\", actions: {{{open}}})"
            )),
            [""; 0]
        );
        let refused = "\"open\": (checks: [(id: \"no\", when: Any([]), else: UNKNOWN)])";
        assert_eq!(
            scene(&format!(
                ", rulebook: (id: \"r\", extends: \"default\", actions: {{{refused}}})"
            )),
            ["never_possible"]
        );
    }
}
