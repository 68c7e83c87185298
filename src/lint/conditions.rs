//! Conditions that cannot hold, whatever the world is like.

use crate::base::fixed::Millionths;
use crate::rules::RuleCondition;

/// More ways to hold than are looked at; beyond, a condition counts as one that may hold.
const MAX_WAYS: usize = 512;

/// A condition without parts, and whether it must hold.
pub(super) type Literal<'a> = (&'a RuleCondition, bool);

/// Whether the condition can never hold where everything in `given` does.
pub(super) fn never_holds(condition: &RuleCondition, given: &[(RuleCondition, bool)]) -> bool {
    let given: Vec<Literal> = given
        .iter()
        .map(|(condition, wanted)| (condition, *wanted))
        .collect();
    ways(condition, true).is_some_and(|ways| {
        ways.into_iter().all(|mut way| {
            way.extend_from_slice(&given);
            contradicts_itself(&way)
        })
    })
}

/// The parts of a condition that have no parts themselves, each with whether it must hold.
pub(super) fn literals(condition: &RuleCondition) -> Vec<Literal<'_>> {
    fn walk<'a>(condition: &'a RuleCondition, wanted: bool, out: &mut Vec<Literal<'a>>) {
        match condition {
            RuleCondition::Not(inner) => walk(inner, !wanted, out),
            RuleCondition::All(list) | RuleCondition::Any(list) => {
                list.iter().for_each(|inner| walk(inner, wanted, out));
            }
            _ => out.push((condition, wanted)),
        }
    }
    let mut out = Vec::new();
    walk(condition, true, &mut out);
    out
}

/// Every way in which a condition holds, or does not; nothing where there are too many.
fn ways(condition: &RuleCondition, wanted: bool) -> Option<Vec<Vec<Literal<'_>>>> {
    match (condition, wanted) {
        (RuleCondition::Always, true) => Some(vec![Vec::new()]),
        (RuleCondition::Always, false) => Some(Vec::new()),
        (RuleCondition::Not(inner), _) => ways(inner, !wanted),
        (RuleCondition::All(list), true) | (RuleCondition::Any(list), false) => {
            let mut joined: Vec<Vec<Literal>> = vec![Vec::new()];
            for inner in list {
                let next = ways(inner, wanted)?;
                let mut product = Vec::new();
                for (way, more) in joined
                    .iter()
                    .flat_map(|way| next.iter().map(move |more| (way, more)))
                {
                    let way: Vec<Literal> = way.iter().chain(more).copied().collect();
                    if !contradicts_itself(&way) {
                        product.push(way);
                    }
                    if product.len() > MAX_WAYS {
                        return None;
                    }
                }
                joined = product;
            }
            Some(joined)
        }
        (RuleCondition::Any(list), true) | (RuleCondition::All(list), false) => {
            let mut either = Vec::new();
            for inner in list {
                either.extend(ways(inner, wanted)?);
                if either.len() > MAX_WAYS {
                    return None;
                }
            }
            Some(either)
        }
        _ => Some(vec![vec![(condition, wanted)]]),
    }
}

/// Whether these can never hold together.
fn contradicts_itself(way: &[Literal]) -> bool {
    if way.len() > MAX_WAYS {
        return false;
    }
    let pairs = way
        .iter()
        .enumerate()
        .flat_map(|(i, one)| way[..i].iter().map(move |other| (one, other)));
    for (&(one, wanted), &(other, also)) in pairs {
        if (one == other && wanted != also) || (wanted && also && exclude_each_other(one, other)) {
            return true;
        }
    }
    let is_empty = |(condition, wanted): &Literal| *wanted && has_no_value(condition);
    way.iter().any(is_empty) || no_count_fits(way)
}

/// Whether no value is between the bounds of a feeling or a standing, which are from -1 to 1.
fn has_no_value(condition: &RuleCondition) -> bool {
    let (RuleCondition::Relationship {
        at_least, at_most, ..
    }
    | RuleCondition::Standing {
        at_least, at_most, ..
    }) = condition
    else {
        return false;
    };
    let one = Millionths::from_f64(1.0).unwrap_or_default();
    let least = at_least
        .unwrap_or(Millionths(-one.0))
        .max(Millionths(-one.0));
    at_most.unwrap_or(one).min(one) < least
}

/// Whether both cannot hold at once: an interaction has one reason, one character, one scene.
fn exclude_each_other(one: &RuleCondition, other: &RuleCondition) -> bool {
    use RuleCondition as C;
    match (one, other) {
        (C::Trigger(a), C::Trigger(b)) => a != b,
        (C::Npc(a), C::Npc(b))
        | (C::TriggerId(a), C::TriggerId(b))
        | (C::Scene(a), C::Scene(b)) => a != b,
        (
            C::WorldFact { key, value },
            C::WorldFact {
                key: same,
                value: differs,
            },
        ) => key == same && value != differs,
        _ => false,
    }
}

/// Whether no number of interactions satisfies all of these.
fn no_count_fits(way: &[Literal]) -> bool {
    let bounds = |wanted: bool| {
        way.iter()
            .filter_map(move |(condition, is)| match condition {
                RuleCondition::InteractionCount { min, max } if *is == wanted => {
                    Some((min.unwrap_or(0), max.unwrap_or(u64::MAX)))
                }
                _ => None,
            })
    };
    let low = bounds(true).map(|(low, _)| low).max().unwrap_or(0);
    let high = bounds(true).map(|(_, high)| high).min().unwrap_or(u64::MAX);
    let mut excluded: Vec<(u64, u64)> = bounds(false).filter(|(low, high)| low <= high).collect();
    excluded.sort_unstable();
    // Walks up from the lowest number, over every stretch that is excluded.
    let mut next = low;
    for (from, to) in excluded {
        if from <= next && to >= next {
            match to.checked_add(1) {
                Some(after) => next = after,
                None => return true,
            }
        }
    }
    next > high
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::error::dialect;

    fn never(condition: &str) -> bool {
        let condition: RuleCondition = dialect().from_str(condition).unwrap();
        never_holds(&condition, &[(RuleCondition::Npc("guard".into()), true)])
    }

    #[test]
    fn x2_contradictions_are_seen_through_not_all_and_any() {
        for condition in [
            "Not(Always)",
            "Any([])",
            "Not(All([]))",
            "All([Flag(\"a\"), Not(Flag(\"a\"))])",
            "All([Flag(\"a\"), Any([Not(Flag(\"a\")), Not(Always)])])",
            "All([Trigger(ZoneTrigger), Trigger(Custom)])",
            "All([Scene(\"a\"), All([Scene(\"b\")])])",
            "All([TriggerId(\"a\"), TriggerId(\"b\")])",
            "Npc(\"smith\")",
            "Not(Npc(\"guard\"))",
            "InteractionCount(min: 3, max: 2)",
            "All([InteractionCount(min: 3), InteractionCount(max: 2)])",
            "All([InteractionCount(min: 3, max: 5), Not(InteractionCount(min: 2))])",
            "All([InteractionCount(max: 5), Not(InteractionCount(max: 2)), Not(InteractionCount(min: 3, max: 9))])",
            "Not(InteractionCount())",
            "All([WorldFact(key: \"a\", value: 1), WorldFact(key: \"a\", value: 2)])",
            "Not(Any([Flag(\"a\"), Not(Flag(\"a\"))]))",
            "Relationship(target: \"player\", field: Trust, at_least: 0.9, at_most: 0.2)",
            "Standing(group: \"g\", target: \"player\", at_least: 20)",
        ] {
            assert!(never(condition), "{condition}");
        }
    }

    #[test]
    fn x2_what_may_hold_is_left_alone() {
        for condition in [
            "Always",
            "All([])",
            "Not(Any([]))",
            "Npc(\"guard\")",
            "All([Flag(\"a\"), Not(Flag(\"b\"))])",
            "Any([Not(Always), Flag(\"a\")])",
            "Any([Trigger(ZoneTrigger), Trigger(Custom)])",
            "All([Trigger(ZoneTrigger), Not(Trigger(Custom))])",
            "InteractionCount(min: 2, max: 2)",
            "All([InteractionCount(min: 1), Not(InteractionCount(min: 2, max: 4))])",
            "All([InteractionCount(min: 1), Not(InteractionCount(min: 4, max: 2))])",
            "All([WorldFact(key: \"a\", value: 1), WorldFact(key: \"b\", value: 2)])",
            "All([HasTag(\"a\"), HasTag(\"b\")])",
            "Relationship(target: \"player\", field: Affinity, at_least: -1, at_most: -1)",
            "Not(Relationship(target: \"player\", field: Trust, at_least: 0.9, at_most: 0.2))",
        ] {
            assert!(!never(condition), "{condition}");
        }
    }

    #[test]
    fn x2_too_many_ways_count_as_possible_and_end_soon() {
        let pair = |i: usize| format!("Any([Flag(\"a{i}\"), Flag(\"b{i}\")])");
        let pairs: Vec<String> = (0..40).map(pair).collect();
        assert!(!never(&format!("All([{}])", pairs.join(", "))));
    }

    #[test]
    fn x2_literals_know_whether_they_are_negated() {
        let condition: RuleCondition = dialect()
            .from_str("All([Flag(\"a\"), Not(Any([Flag(\"b\"), Not(Flag(\"c\"))]))])")
            .unwrap();
        let signs: Vec<bool> = literals(&condition)
            .into_iter()
            .map(|(_, sign)| sign)
            .collect();
        assert_eq!(signs, [true, false, true]);
    }
}
