//! Risk: 0 to 100 points, from the table of a taxonomy.

use super::step_facts::StepFacts;
use super::taxonomy::{RiskPoints, StepMatch, Taxonomy};
use std::collections::BTreeSet;

/// The most points.
pub(crate) const MAX_RISK: u32 = 100;
/// Up to here a risk is medium, and above it is high.
pub const MEDIUM_RISK: u32 = 65;

/// How risky a plan is, and why.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Risk {
    /// The points, 0 to [`Risk::MAX`]: at least 66 when the plan touches the system itself.
    pub points: u32,
    /// The points of each factor after its cap, in the order of the taxonomy.
    pub factors: Vec<(String, u32)>,
    /// Which steps touch the system itself, by their place in the plan.
    pub boundary: Vec<usize>,
}

impl Risk {
    /// The most points that a plan can have.
    pub const MAX: u32 = MAX_RISK;
}

/// The risk of a plan with these steps.
#[must_use]
pub(crate) fn risk(taxonomy: &Taxonomy, steps: &[StepFacts]) -> Risk {
    let factors = taxonomy.risk.iter().map(|factor| {
        let points = factor.points.iter().map(|points| points_of(points, steps));
        let points = points.fold(0_u32, u32::saturating_add);
        (factor.factor.clone(), points.min(factor.cap))
    });
    let factors: Vec<(String, u32)> = factors.collect();
    let hits = |step: &StepFacts| taxonomy.boundary.iter().any(|boundary| step.is(boundary));
    let boundary = steps.iter().enumerate().filter(|(_, step)| hits(step));
    let boundary: Vec<usize> = boundary.map(|(at, _)| at).collect();
    let sum = factors.iter().map(|(_, points)| *points);
    let sum = sum.fold(0_u32, u32::saturating_add).min(MAX_RISK);
    Risk {
        points: match boundary.is_empty() {
            true => sum,
            false => sum.max(MEDIUM_RISK + 1),
        },
        factors,
        boundary,
    }
}

fn points_of(points: &RiskPoints, steps: &[StepFacts]) -> u32 {
    let count = |wanted: &StepMatch| number(steps.iter().filter(|step| step.is(wanted)).count());
    match points {
        RiskPoints::Each(wanted, n) => count(wanted).saturating_mul(*n),
        RiskPoints::Any(wanted, n) if count(wanted) > 0 => *n,
        RiskPoints::MoreThan(k, wanted, n) if count(wanted) > *k => *n,
        RiskPoints::Any(..) | RiskPoints::MoreThan(..) => 0,
        RiskPoints::EachLocationBeyond(k, n) => {
            let targets = steps.iter().filter_map(|step| step.target.as_ref());
            let places: BTreeSet<_> = targets
                .filter_map(|target| target.location.as_ref())
                .collect();
            number(places.len()).saturating_sub(*k).saturating_mul(*n)
        }
        RiskPoints::EachStepBeyond(k, n) => {
            number(steps.len()).saturating_sub(*k).saturating_mul(*n)
        }
    }
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plans::step_facts::TargetFacts;
    use crate::plans::taxonomy::Operation;
    use crate::world::WorldValue;

    fn step(operation: Operation, target: Option<TargetFacts>) -> StepFacts {
        StepFacts {
            operation,
            target,
            ..StepFacts::default()
        }
    }

    fn at(place: &str) -> TargetFacts {
        TargetFacts {
            location: place.parse().ok(),
            ..TargetFacts::default()
        }
    }

    fn factors(steps: &[StepFacts]) -> Vec<u32> {
        let risk = risk(Taxonomy::npc(), steps);
        risk.factors.into_iter().map(|(_, points)| points).collect()
    }

    #[test]
    fn a5_each_factor_counts_up_to_its_cap() {
        let removal = || step(Operation::Remove, None);
        let change = || step(Operation::Change, None);
        assert_eq!(factors(&[]), [0; 6]);
        assert_eq!(factors(&[removal()]), [10, 0, 0, 0, 0, 0]);
        assert_eq!(factors(&vec![removal(); 4]), [35, 0, 0, 0, 0, 0], "the cap");
        assert_eq!(factors(&vec![change(); 5]), [0; 6]);
        assert_eq!(factors(&vec![change(); 6]), [15, 0, 0, 0, 0, 2]);
        let of_another = TargetFacts {
            of_another: true,
            ..TargetFacts::default()
        };
        let taken = || step(Operation::Change, Some(of_another.clone()));
        assert_eq!(factors(&[taken(), taken()]), [0, 10, 0, 0, 0, 0]);
        let places = ["a", "b", "c", "c"].map(|place| step(Operation::Move, Some(at(place))));
        assert_eq!(factors(&places), [0, 0, 10, 0, 0, 0]);
        let locked = TargetFacts {
            attributes: [("locked".to_owned(), WorldValue::Bool(true))].into(),
            ..TargetFacts::default()
        };
        let open = || step(Operation::Change, Some(locked.clone()));
        assert_eq!(factors(&[open(), open()]), [0, 0, 0, 0, 15, 0], "once");
    }

    #[test]
    fn a5_a_step_is_as_risky_as_the_worst_of_what_it_names() {
        let of_kind = |kind: &str| TargetFacts {
            kind: kind.to_owned(),
            ..TargetFacts::default()
        };
        let law_as_tool = StepFacts {
            target: Some(of_kind("item")),
            others: vec![of_kind("item"), of_kind("law")],
            ..StepFacts::default()
        };
        let found = risk(Taxonomy::npc(), std::slice::from_ref(&law_as_tool));
        assert_eq!((found.points, found.boundary), (66, vec![0]));
        let taken = StepFacts {
            others: vec![TargetFacts {
                of_another: true,
                attributes: [("locked".to_owned(), WorldValue::Bool(true))].into(),
                location: "b".parse().ok(),
                ..TargetFacts::default()
            }],
            ..step(Operation::Change, Some(at("a")))
        };
        // Places are those of the targets.
        assert_eq!(factors(&[taken]), [0, 5, 0, 0, 15, 0]);
    }

    #[test]
    fn a5_what_touches_the_system_is_high() {
        let law = TargetFacts {
            kind: "law".to_owned(),
            ..TargetFacts::default()
        };
        let risk = risk(
            Taxonomy::npc(),
            &[
                step(Operation::Tell, None),
                step(Operation::Tell, Some(law)),
            ],
        );
        assert_eq!((risk.points, risk.boundary), (66, vec![1]));
    }
}
