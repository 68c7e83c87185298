//! The scores of risk and quality, and the table of decisions, as the origin of plans has them.

use super::decision::{Approval, DecisionInput, decide};
use super::quality::{Measures, quality};
use super::risk::risk;
use super::step_facts::StepFacts;
use super::{Answer, Operation, Profile, Risk, Taxonomy};

fn facts(removals: usize, changes: usize) -> Vec<StepFacts> {
    let of = |operation: Operation, count: usize| {
        let step = StepFacts {
            operation,
            ..StepFacts::default()
        };
        vec![step; count]
    };
    [
        of(Operation::Remove, removals),
        of(Operation::Change, changes),
    ]
    .concat()
}

#[test]
fn x19_x20_operations_score_as_the_tables_say() {
    for (removals, changes, points) in [(0, 5, 0), (0, 6, 15), (1, 6, 25), (2, 6, 35), (4, 0, 35)] {
        let found = risk(Taxonomy::npc(), &facts(removals, changes));
        assert_eq!(found.factors[0].1, points, "{removals} {changes}");
    }
    let tiers = br#"(id: "tiers", risk: [(factor: "operations", cap: 35, points: [Each(Operation(Remove), 10),
        MoreThan(2, Operation(Change), 5), MoreThan(5, Operation(Change), 5), MoreThan(10, Operation(Change), 5)])])"#;
    let tiers = Taxonomy::parse(tiers, "tiers").unwrap();
    for (changes, points) in [(2, 0), (3, 5), (6, 10), (11, 15)] {
        assert_eq!(risk(&tiers, &facts(0, changes)).points, points, "{changes}");
    }
}

fn table(points: &str, boundary: &str) -> Taxonomy {
    let source = format!("(id: \"t\", risk: [{points}], boundary: [{boundary}])");
    Taxonomy::parse(source.as_bytes(), "t").unwrap()
}

#[test]
fn x21_x22_x23_the_sum_is_clamped_and_a_boundary_lifts_it() {
    let factor = |name: &str, points: u32| {
        format!("(factor: \"{name}\", points: [EachStepBeyond(0, {points})])")
    };
    let all = [factor("a", 60), factor("b", 60)].join(", ");
    let step = facts(0, 1);
    assert_eq!(risk(&table(&all, ""), &step).points, 100);
    assert_eq!(
        risk(&table(&factor("a", 12), "Operation(Change)"), &step).points,
        66
    );
    assert_eq!(
        risk(&table(&factor("a", 90), "Operation(Change)"), &step).points,
        90
    );
}

#[test]
fn x24_the_same_plan_has_the_same_score() {
    let steps = facts(2, 6);
    let first = risk(Taxonomy::npc(), &steps);
    assert!((0..20).all(|_| risk(Taxonomy::npc(), &steps) == first));
}

#[test]
fn x25_quality_is_weighed() {
    let good = StepFacts {
        is_specific: true,
        is_feasible: true,
        why_chars: 20,
        ..StepFacts::default()
    };
    let half = Measures {
        met: 1,
        wanted: 2,
        unmatched_preferences: 0,
    };
    assert_eq!(
        quality(std::slice::from_ref(&good), Measures::default()).sum,
        1_000
    );
    assert_eq!(quality(std::slice::from_ref(&good), half).sum, 850);
    let steps: Vec<StepFacts> = (0..5)
        .map(|i| {
            if i < 3 {
                good.clone()
            } else {
                StepFacts::default()
            }
        })
        .collect();
    let measures = Measures {
        met: 3,
        wanted: 5,
        unmatched_preferences: 2,
    };
    // 60% of each, and half of safety.
    assert_eq!(quality(&steps, measures).sum, 585);
}

fn decided(profile: Profile, points: u32, quality: u32, custom: &[(String, Answer)]) -> Answer {
    let risk = Risk {
        points,
        ..Risk::default()
    };
    decide(&DecisionInput {
        taxonomy: Taxonomy::npc(),
        profile,
        steps: &facts(0, 1),
        risk: &risk,
        quality,
        forbidden_by: None,
        has_unchecked_constraint: false,
        custom,
        asked_again: false,
        approval: Approval::Waiting,
    })
    .decision
}

#[test]
fn x26_to_x32_the_table_of_the_origin() {
    use Answer::{Allow, Confirm, Deny};
    for (quality, points, expected) in [
        (590, 0, [Deny, Deny, Deny]),
        (600, 31, [Confirm, Confirm, Allow]),
        (740, 31, [Confirm, Confirm, Allow]),
        (750, 65, [Confirm, Allow, Allow]),
        (1_000, 66, [Confirm, Confirm, Confirm]),
        (700, 10, [Confirm, Confirm, Allow]),
        (500, 90, [Deny, Deny, Deny]),
    ] {
        let found = Profile::ALL.map(|profile| decided(profile, points, quality, &[]));
        assert_eq!(found, expected, "quality {quality}, risk {points}");
    }
}
