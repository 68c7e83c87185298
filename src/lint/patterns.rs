//! Patterns that cannot match, that are there twice, or that leave no reply that could pass.

use super::findings::Findings;
use super::level::Level;
use super::place::Place;
use super::report::LintKind::{NeverMatches, Repeated, Shadowed};
use crate::rules::{ConstraintKind, RuleSeverity};
use crate::text::{FoldedText, PatternSet, fold::fold};
use regex_syntax::ParserBuilder;
use regex_syntax::hir::{Class, Hir, HirKind, Look};
use std::collections::BTreeMap;

/// More characters of a class than are looked at one by one.
const MAX_CLASS: usize = 64;

/// What a pattern means, however it is written.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Meaning {
    Words { folded: String, prefix: bool },
    Regex(String),
}

impl Meaning {
    /// The meaning of a pattern that compiles.
    pub fn of(pattern: &str) -> Self {
        let trimmed = pattern.trim();
        if let Some(inner) = trimmed
            .strip_prefix('/')
            .and_then(|rest| rest.strip_suffix('/'))
        {
            return Self::Regex(inner.to_owned());
        }
        let (mut words, mut prefix) = (trimmed, false);
        for _ in 0..2 {
            if let Some(rest) = words.strip_suffix('*').filter(|_| !prefix) {
                (words, prefix) = (rest, true);
            }
            if let Some(inner) = words
                .strip_prefix('"')
                .and_then(|rest| rest.strip_suffix('"'))
            {
                words = inner;
            }
        }
        let folded = fold(words.trim()).trim().to_owned();
        Self::Words { folded, prefix }
    }
}

/// Patterns that no reply may hit, with who forbids each.
struct Bans<'a> {
    list: Vec<(&'a str, Meaning)>,
    set: PatternSet,
}

impl<'a> Bans<'a> {
    fn new(bans: Vec<(&'a str, &'a str)>) -> Self {
        Self {
            // Each of them compiled when the file was loaded.
            set: PatternSet::compile(bans.iter().map(|(_, pattern)| pattern)).unwrap_or_default(),
            list: bans
                .into_iter()
                .map(|(id, pattern)| (id, Meaning::of(pattern)))
                .collect(),
        }
    }

    /// Who forbids every text that this pattern hits.
    fn covers(&self, pattern: &str) -> Option<&'a str> {
        let meaning = Meaning::of(pattern);
        let Meaning::Words {
            folded,
            prefix: open,
        } = &meaning
        else {
            return self
                .list
                .iter()
                .find(|(_, ban)| *ban == meaning)
                .map(|(id, _)| *id);
        };
        let hits = self.set.scan(&FoldedText::new(folded));
        let mut bans = self.list.iter().enumerate();
        bans.find(|(i, (_, ban))| {
            // What begins like the pattern may go on: then only a beginning covers it.
            matches!(ban, Meaning::Words { prefix, .. } if *prefix || !open)
                && hits.first(*i).is_some()
        })
        .map(|(_, (id, _))| *id)
    }
}

/// Whether every pattern of `some` means the same as one of `all`.
pub(super) fn all_in(some: &[String], all: &[String]) -> bool {
    let all: Vec<Meaning> = all.iter().map(|pattern| Meaning::of(pattern)).collect();
    some.iter()
        .all(|pattern| all.contains(&Meaning::of(pattern)))
}

/// Checks a list of patterns.
pub(super) fn check_list(patterns: &[String], place: &Place, findings: &mut Findings) {
    let mut seen: BTreeMap<Meaning, &str> = BTreeMap::new();
    for (i, pattern) in patterns.iter().enumerate() {
        check_one(pattern, &place.item("", i), findings);
        if let Some(first) = seen.insert(Meaning::of(pattern), pattern) {
            let message = format!(
                "the pattern {pattern:?} is listed twice{}",
                alias(first, pattern)
            );
            findings.add(Repeated, &place.item("", i), message);
        }
    }
}

fn alias(first: &str, second: &str) -> String {
    if first == second {
        String::new()
    } else {
        format!(", first as {first:?}")
    }
}

/// Checks one pattern.
pub(super) fn check_one(pattern: &str, place: &Place, findings: &mut Findings) {
    if let Some(why) = never_matches(pattern) {
        findings.add(
            NeverMatches,
            place,
            format!("the pattern {pattern:?} {why}"),
        );
    }
}

/// Checks the patterns of a level, and whether they leave room for a reply.
pub(super) fn check_level(level: &Level, findings: &mut Findings) {
    for constraint in level.all_constraints() {
        check_list(
            &constraint.spec.patterns,
            &constraint.place.at("/patterns"),
            findings,
        );
    }
    for rule in &level.custom {
        check_one(&rule.value.pattern, &rule.place.at("/pattern"), findings);
    }
    if let Some(never) = &level.never {
        check_list(never.value, &never.place, findings);
    }
    let mut topics: BTreeMap<Meaning, &str> = BTreeMap::new();
    for topic in &level.forbidden {
        check_one(topic.value, &topic.place, findings);
        if topics
            .insert(Meaning::of(topic.value), topic.value)
            .is_some()
        {
            findings.add(
                Repeated,
                &topic.place,
                format!("the topic {:?} is forbidden twice", topic.value),
            );
        }
    }
    for hidden in &level.hidden {
        let place = hidden.place.at("/topic");
        check_one(&hidden.value.topic, &place, findings);
        if topics.contains_key(&Meaning::of(&hidden.value.topic)) {
            let message = format!(
                "the topic {:?} is in `forbidden` already, and is never revealed",
                hidden.value.topic
            );
            findings.add(Shadowed, &place, message);
        }
    }
    impossible_requirements(level, findings);
}

/// Requirements that every reply must meet and no reply may.
fn impossible_requirements(level: &Level, findings: &mut Findings) {
    let blocks = |severity| severity >= RuleSeverity::Hard;
    let (all, lifted) = (level.all_constraints(), level.lifted());
    let mut banned: Vec<(&str, &str)> = Vec::new();
    for constraint in &all {
        let spec = constraint.spec;
        if spec.kind == ConstraintKind::Prohibition
            && blocks(spec.severity)
            && constraint.is_always_on()
            && !level.may_be_lifted(spec, &lifted)
        {
            banned.extend(
                spec.patterns
                    .iter()
                    .map(|pattern| (spec.id.as_str(), pattern.as_str())),
            );
        }
    }
    for rule in &level.custom {
        if rule.value.kind == ConstraintKind::Prohibition && blocks(rule.value.severity) {
            banned.push((&rule.value.id, &rule.value.pattern));
        }
    }
    banned.extend(
        level
            .forbidden
            .iter()
            .map(|topic| ("forbidden", topic.value.as_str())),
    );
    let never = level.never.iter().flat_map(|never| never.value);
    banned.extend(never.map(|words| ("never", words.as_str())));
    let bans = Bans::new(banned);
    let mut required: Vec<(&str, Place, &[String])> = Vec::new();
    for constraint in &all {
        if constraint.spec.kind == ConstraintKind::Requirement && blocks(constraint.spec.severity) {
            required.push((
                &constraint.spec.id,
                constraint.place.at("/patterns"),
                &constraint.spec.patterns,
            ));
        }
    }
    for rule in &level.custom {
        if rule.value.kind == ConstraintKind::Requirement && blocks(rule.value.severity) {
            let pattern = std::slice::from_ref(&rule.value.pattern);
            required.push((&rule.value.id, rule.place.at("/pattern"), pattern));
        }
    }
    for (id, place, patterns) in required {
        let who: Option<Vec<&str>> = patterns
            .iter()
            .map(|pattern| bans.covers(pattern))
            .collect();
        if let Some(first) = who.as_ref().and_then(|who| who.first()) {
            let message = format!(
                "no reply can meet the requirement \"{id}\": \"{first}\" forbids the same words"
            );
            findings.add(NeverMatches, &place, message);
        }
    }
}

/// Why a pattern that compiles can never match, in words that follow the pattern.
pub(super) fn never_matches(pattern: &str) -> Option<&'static str> {
    let trimmed = pattern.trim();
    match Meaning::of(pattern) {
        Meaning::Words { .. } => {
            let inner = trimmed.strip_prefix('/')?;
            let Some((body, flags)) = inner.rsplit_once('/') else {
                return Some(
                    "is read as plain words: the `/` at the end of a regular expression is missing",
                );
            };
            let is_flags =
                (1..=4).contains(&flags.len()) && flags.chars().all(|c| "gimsuxU".contains(c));
            (is_flags && !body.is_empty())
                .then_some("is read as plain words: a regular expression ends in `/`, and ignores case as it is")
        }
        Meaning::Regex(inner) => {
            let hir = ParserBuilder::new()
                .case_insensitive(true)
                .build()
                .parse(&inner)
                .ok()?;
            if !can_match(&hir) {
                Some("cannot match anything")
            } else if hir.properties().maximum_len() == Some(0) {
                Some("matches nothing but empty text, and so never hits")
            } else {
                None
            }
        }
    }
}

/// Whether a regular expression may match some text; false is certain, true is not.
fn can_match(hir: &Hir) -> bool {
    // Sooner than that the pattern would not have compiled.
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => true,
        HirKind::Literal(literal) => std::str::from_utf8(&literal.0).map_or(true, occurs),
        HirKind::Class(Class::Unicode(class)) => {
            let count: usize = class
                .ranges()
                .iter()
                .map(regex_syntax::hir::ClassUnicodeRange::len)
                .sum();
            let mut chars = class
                .ranges()
                .iter()
                .flat_map(|range| range.start()..=range.end());
            count > MAX_CLASS || chars.any(|c| occurs(c.encode_utf8(&mut [0; 4])))
        }
        HirKind::Class(Class::Bytes(class)) => !class.ranges().is_empty(),
        HirKind::Repetition(repetition) => repetition.min == 0 || can_match(&repetition.sub),
        HirKind::Capture(capture) => can_match(&capture.sub),
        HirKind::Alternation(branches) => branches.iter().any(can_match),
        HirKind::Concat(parts) => parts.iter().all(can_match) && anchors_fit(parts),
    }
}

/// Whether no part must be at the beginning of the text after another one, or at its end before another one.
fn anchors_fit(parts: &[Hir]) -> bool {
    let takes_room = |part: &Hir| {
        part.properties()
            .minimum_len()
            .is_some_and(|length| length > 0)
    };
    let starts = |part: &Hir| part.properties().look_set_prefix().contains(Look::Start);
    let ends = |part: &Hir| part.properties().look_set_suffix().contains(Look::End);
    let first = parts.iter().position(takes_room);
    let last = parts.iter().rposition(takes_room);
    let late_start = first.is_some_and(|first| parts[first + 1..].iter().any(starts));
    let early_end = last.is_some_and(|last| parts[..last].iter().any(ends));
    !late_start && !early_end
}

/// Whether these letters can be in a text that is composed, and without characters that are not drawn.
fn occurs(letters: &str) -> bool {
    FoldedText::new(letters).plain().text() == letters
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lint::{found, kinds};

    #[test]
    fn x2_regular_expressions_that_cannot_match_are_recognised() {
        for pattern in [
            "/^$/",
            "/\\b/",
            "/(?:)|^/",
            "/a^b/",
            "/(a$)b/",
            "/a(?:^b|^c)/",
            "/[a&&b]/",
            "/x[a&&b]+/",
            "/ｓecret/",
            "/ﬁre/",
            "/a\\x{200b}b/",
        ] {
            assert!(
                check_compiles(pattern) && never_matches(pattern).is_some(),
                "{pattern}"
            );
        }
        for pattern in [
            "/^a$/",
            "/a|^/",
            "/a*/",
            "/(?m:^b)/",
            "/a(?m:^)b/",
            "/^^a$$/",
            "/(?:|a)^b/",
            "/b$(?:|a)/",
            "/[^a]/",
            "/.*/",
            "/computer|internet/",
            "/vault [0-9]+/",
            "/é/",
            "/leaf:\\S/",
            "/x[a&&b]*/",
            "/(^a|b)c/",
            "/c(a$|b)/",
        ] {
            assert!(
                check_compiles(pattern) && never_matches(pattern).is_none(),
                "{pattern}"
            );
        }
    }

    fn check_compiles(pattern: &str) -> bool {
        crate::text::pattern::parse(pattern).is_ok()
    }

    #[test]
    fn x2_a_regular_expression_with_flags_is_plain_words() {
        assert!(never_matches("/secret/i").is_some());
        assert!(never_matches("/secret").is_some());
        for words in ["secret", "and/or", "/etc/hosts", "//i", "a/b/i"] {
            assert!(never_matches(words).is_none(), "{words}");
        }
    }

    #[test]
    fn x2_patterns_that_never_match_are_found_wherever_they_stand() {
        let never = "\"/^$/\"";
        for fields in [
            format!("forbidden: [{never}]"),
            format!("hidden: [(topic: {never})]"),
            format!(
                "constraints: [(id: \"c\", kind: Prohibition, severity: Hard, patterns: [{never}])]"
            ),
            format!(
                "rules: [(id: \"r\", constraints: [(id: \"c\", kind: Prohibition, severity: Hard, patterns: [{never}])])]"
            ),
            format!(
                "custom_rules: [(id: \"c\", kind: Prohibition, severity: Hard, pattern: {never})]"
            ),
        ] {
            assert_eq!(
                kinds(&format!("npcs: [(id: \"a\", {fields})]")),
                ["never_matches"],
                "{fields}"
            );
        }
        assert_eq!(
            kinds(&format!(
                "canon: [(id: \"c\", text: \"All is well.\", contradicted_by: [{never}])]"
            )),
            ["never_matches"]
        );
        assert_eq!(
            kinds(&format!(
                "replies: [Reply((text: \"Hm.\", keyword: {never}))]"
            )),
            ["never_matches"]
        );
        assert_eq!(
            kinds(&format!(
                "custom_rules: [(id: \"c\", kind: Requirement, severity: Hard, pattern: {never})]"
            )),
            ["never_matches"]
        );
    }

    #[test]
    fn x2_a_pattern_that_stands_twice_is_found_however_it_is_written() {
        let list = |patterns: &str| {
            found(
                "a.npc.ron",
                &format!(
                    "(id: \"a\", fallbacks: (generic: [\"Hm.\"]), constraints: [(id: \"c\", kind: Prohibition, severity: Hard, patterns: [{patterns}])])"
                ),
            )
        };
        assert_eq!(list("\"gold\", \" GOLD \"").len(), 1);
        assert!(list("\"gold\", \"\\\"gold\\\"\"")[0].ends_with("first as \"gold\" [repeated]"));
        assert_eq!(list("\"gold\", \"gold*\", \"/gold/\""), [""; 0]);
        assert_eq!(
            kinds("npcs: [(id: \"a\", forbidden: [\"x\", \"X\"])]"),
            ["repeated"]
        );
        assert_eq!(
            kinds("npcs: [(id: \"a\", forbidden: [\"x\"], hidden: [(topic: \"x\")])]"),
            ["shadowed"]
        );
        assert_eq!(
            kinds("npcs: [(id: \"a\", never: [\"gem\", \"Gem\", \"/gold/i\"])]"),
            ["repeated", "never_matches"]
        );
    }

    #[test]
    fn x2_what_is_required_is_not_forbidden() {
        let npc = |banned: &str, required: &str| {
            kinds(&format!(
                "npcs: [(id: \"a\", constraints: [(id: \"no\", kind: Prohibition, severity: Hard, patterns: [{banned}]), (id: \"must\", kind: Requirement, severity: Hard, patterns: [{required}])])]"
            ))
        };
        let finding = ["never_matches"];
        assert_eq!(npc("\"gold\"", "\"gold\""), finding);
        assert_eq!(npc("\"gold\"", "\"a gold coin\""), finding);
        assert_eq!(npc("\"gold*\"", "\"golden*\", \"gold\""), finding);
        assert_eq!(npc("\"/gold/\"", "\"/gold/\""), finding);
        for (banned, required) in [
            ("\"gold\"", "\"gold*\""),
            ("\"gold\"", "\"gold\", \"silver\""),
            ("\"gold\"", "\"golden\""),
            ("\"gold coin\"", "\"gold\""),
            ("\"/gold/\"", "\"gold\""),
        ] {
            assert_eq!(npc(banned, required), [""; 0], "{banned} {required}");
        }
        let lifted = "npcs: [(id: \"a\", constraints: [(id: \"no\", kind: Prohibition, severity: Hard, patterns: [\"x\"]), (id: \"must\", kind: Requirement, severity: Hard, patterns: [\"x\"])], rules: [(id: \"r\", when: HasTag(\"t\"), constraints: [(id: \"p\", kind: Permission, severity: Hard, lifts: [\"no\"])])])]";
        assert_eq!(kinds(lifted), [""; 0]);
        let never = "npcs: [(id: \"a\", never: [\"x\"], custom_rules: [(id: \"must\", kind: Requirement, severity: Hard, pattern: \"x\")])]";
        assert_eq!(kinds(never), finding);
        let soft = "npcs: [(id: \"a\", forbidden: [\"x\"], custom_rules: [(id: \"must\", kind: Requirement, severity: Soft, pattern: \"x\")])]";
        assert_eq!(kinds(soft), [""; 0]);
        assert_eq!(kinds(&soft.replace("Soft", "Critical")), finding);
    }
}
