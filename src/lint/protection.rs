//! What the gate cannot guard as it is written: the author believes it safe, and it is not.

use super::findings::Findings;
use super::level::Level;
use super::patterns::never_matches;
use super::place::Place;
use super::report::LintKind::Unprotected;
use crate::authoring::NpcSpec;
use crate::authoring::files::FileSource;
use crate::gate::canon::{CanonFact, CanonJudge, OutOfReach};
use crate::rules::{ConstraintKind, RuleSeverity};
use crate::text::reading::Reading;
use crate::text::{LookIn, PatternSet, Readings, revealed};

/// Checks whether the gate can see a contradiction of this fact, the one with this number.
pub(super) fn check_fact(
    fact: &CanonFact,
    number: usize,
    judge: &CanonJudge,
    place: &Place,
    findings: &mut Findings,
) {
    if !fact.contradicted_by.is_empty() || fact.slot.is_some() {
        return;
    }
    let message = match judge.out_of_reach(number) {
        Some(OutOfReach::Negative) => {
            "this fact denies something in words that the gate cannot turn round, so that no reply contradicts it: list \
             statements that do in `contradicted_by`"
        }
        Some(OutOfReach::NoVerb) => {
            "this fact seems to have no verb, so that hardly a sentence denies it: write a sentence, or list contradictions in \
             `contradicted_by`"
        }
        None => return,
    };
    findings.add(Unprotected, &place.at("/text"), message);
}

/// Checks that what is forbidden at a level can be found.
pub(super) fn check_level(level: &Level, findings: &mut Findings) {
    for constraint in level.all_constraints() {
        let spec = constraint.spec;
        if spec.kind != ConstraintKind::Prohibition {
            continue;
        }
        if spec.patterns.is_empty() && spec.severity > RuleSeverity::Soft {
            let message = format!(
                "the prohibition \"{}\" has no patterns: it is in the prompt only, and nothing is judged by it",
                spec.id.escape_debug()
            );
            findings.add(Unprotected, &constraint.place, message);
        }
        for (i, pattern) in spec.patterns.iter().enumerate() {
            check_pattern(pattern, &constraint.place.item("/patterns", i), findings);
        }
    }
    for rule in &level.custom {
        if rule.value.kind == ConstraintKind::Prohibition {
            check_pattern(&rule.value.pattern, &rule.place.at("/pattern"), findings);
        }
    }
    if let Some(never) = &level.never {
        for (i, words) in never.value.iter().enumerate() {
            check_pattern(words, &never.place.item("", i), findings);
        }
    }
    for topic in &level.forbidden {
        check_pattern(topic.value, &topic.place, findings);
    }
    for hidden in &level.hidden {
        check_pattern(&hidden.value.topic, &hidden.place.at("/topic"), findings);
    }
}

/// Checks that other letters, or a word next to it, do not get past a pattern.
fn check_pattern(pattern: &str, place: &Place, findings: &mut Findings) {
    // What matches nothing is another finding.
    if let Some(why) = passed_by(pattern).filter(|_| never_matches(pattern).is_none()) {
        let message = format!("the pattern {pattern:?} {why}");
        findings.add(Unprotected, place, message);
    }
}

fn passed_by(pattern: &str) -> Option<&'static str> {
    let pattern = pattern.trim();
    let Some(expression) = pattern
        .strip_prefix('/')
        .and_then(|rest| rest.strip_suffix('/'))
    else {
        let words = pattern
            .trim_end_matches('*')
            .trim_matches('"')
            .replace('_', "");
        // Between two scripts a reading has a blank, which is no ornament.
        let is_ornate = |reading: &Reading| {
            !reading.apart.is_empty() || reading.text.replace(' ', "") != words.replace(' ', "")
        };
        let readings = revealed(&words);
        let mut plain = readings
            .iter()
            .filter(|(look_in, _)| *look_in == LookIn::Revealed);
        return plain
            .any(|(_, reading)| is_ornate(reading))
            .then_some("is written with ornaments: a reply that writes it plainly passes it");
    };
    let minds_case = expression.match_indices("(?").any(|(at, _)| {
        let rest = &expression[at + 2..];
        let flags = rest.split([')', ':']).next().unwrap_or_default();
        flags.split_once('-').is_some_and(|(_, off)| {
            off.contains('i') && off.bytes().all(|b| b.is_ascii_alphabetic())
        })
    });
    if minds_case {
        return Some("depends on letter case: a reply in other letters passes it");
    }
    let is_anchored = expression.starts_with('^')
        || expression.starts_with("\\A")
        || expression.ends_with("\\z")
        || expression.ends_with('$') && !expression.ends_with("\\$");
    is_anchored
        .then_some("matches only at the start or end: a reply with another word there passes it")
}

/// Checks that a character is not told by its own description and examples what it must not speak of.
pub(super) fn check_persona(
    npc: &NpcSpec,
    place: &Place,
    files: &dyn FileSource,
    findings: &mut Findings,
) {
    let files = place.files(files);
    let file = npc.persona_file().and_then(|path| files.read(path).ok());
    let file = file.map(|(_, bytes)| String::from_utf8_lossy(&bytes).into_owned());
    let told = std::iter::once(("the persona", file.as_deref().unwrap_or(&npc.persona)));
    let examples = npc
        .examples
        .iter()
        .map(|example| ("an example", &*example.npc));
    let told: Vec<_> = told
        .chain(examples)
        .map(|(what, text)| (what, Readings::new(text)))
        .collect();
    let topics = npc
        .forbidden
        .iter()
        .enumerate()
        .map(|(i, topic)| (format!("/forbidden/{i}"), topic));
    let hidden = npc
        .hidden
        .iter()
        .enumerate()
        .map(|(i, hidden)| (format!("/hidden/{i}/topic"), &hidden.topic));
    let never = npc.never.iter().enumerate();
    let never = never.map(|(i, words)| (format!("/never/{i}"), words));
    for (at, topic) in topics.chain(hidden).chain(never) {
        // One that does not compile is a load error.
        let Ok(patterns) = PatternSet::compile([topic]) else {
            continue;
        };
        let hit = told.iter().find_map(|(what, text)| {
            let mut texts = text.folded(LookIn::Written);
            let hit = texts.find_map(|text| patterns.scan(text).first(0).cloned())?;
            Some((what, hit))
        });
        if let Some((what, hit)) = hit {
            let message = format!(
                "the topic {topic:?} is in {what} (\"{}\"): the model is told what the character must not say",
                hit.text.escape_debug()
            );
            findings.add(Unprotected, &place.at(&at), message);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::kinds;
    use super::passed_by;

    #[test]
    fn x2_patterns_that_are_passed_are_told() {
        for passed in [
            "s-e-c-r-e-t",
            "s.e.c.r.e.t",
            "/(?-i)secret/",
            "/^secret/",
            "/secret$/",
            "/x(?s-i:Y)/",
        ] {
            assert!(passed_by(passed).is_some(), "{passed}");
        }
        for found in [
            "secret",
            "secret*",
            "top-secret",
            "snake_case",
            "/se+cret/",
            "/cost \\$/",
            "/(?:a|b)/",
            "\"a phrase\"*",
        ] {
            assert!(passed_by(found).is_none(), "{found}");
        }
    }

    #[test]
    fn x2_what_the_gate_cannot_guard_is_told() {
        for fields in [
            "canon: [(id: \"a\", text: \"Nobody knows the way\")]",
            "canon: [(id: \"a\", text: \"A dark tower\")]",
            "npcs: [(id: \"a\", forbidden: [\"vault\"], persona: \"You guard the vault.\")]",
            "npcs: [(id: \"a\", never: [\"vault\"], examples: [(player: \"What?\", npc: \"The vault.\")])]",
            "npcs: [(id: \"a\", hidden: [(topic: \"crown*\", until: Flag(\"x\"))], persona: \"You hide crowns.\")], world: (flags: {\"x\": true})",
            "npcs: [(id: \"a\", constraints: [(id: \"c\", kind: Prohibition, severity: Hard, prompt: \"Hush.\")])]",
        ] {
            assert!(
                kinds(fields).contains(&"unprotected".to_owned()),
                "{fields}: {:?}",
                kinds(fields)
            );
        }
        for fields in [
            "canon: [(id: \"a\", text: \"The gods do not sleep\")]",
            "canon: [(id: \"a\", text: \"Nobody knows the way\", contradicted_by: [\"knows the way\"])]",
            "npcs: [(id: \"a\", forbidden: [\"vault\"], persona: \"You guard a door.\")]",
            "npcs: [(id: \"a\", never: [\"vault\"], examples: [(player: \"The vault?\", npc: \"What?\")])]",
            "npcs: [(id: \"a\", constraints: [(id: \"c\", kind: Prohibition, severity: Soft, prompt: \"Be kind.\")])]",
        ] {
            assert!(
                !kinds(fields).contains(&"unprotected".to_owned()),
                "{fields}: {:?}",
                kinds(fields)
            );
        }
    }
}
