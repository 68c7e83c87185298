//! Quality: 0 to 1000 thousandths, computed by rules.

use super::step_facts::StepFacts;

/// The parts of quality, each 0 to 1000, with the percentage that each weighs.
pub const WEIGHTS: [(&str, u32); 5] = [
    ("completeness", 30),
    ("specificity", 25),
    ("feasibility", 20),
    ("safety", 15),
    ("clarity", 10),
];

/// How good a plan is, and why. All in thousandths, rounded down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Quality {
    /// The weighed sum.
    pub sum: u32,
    /// The parts, in the order of `WEIGHTS`.
    pub parts: [u32; 5],
}

/// What a plan is measured by, in addition to its steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Measures {
    /// How many entries of the checklist are met, and MUSTs are covered.
    pub met: usize,
    /// How many of both there are.
    pub wanted: usize,
    /// How many PREFERs that name something no step matches.
    pub unmatched_preferences: usize,
}

/// The quality of a plan with these steps.
#[must_use]
pub(crate) fn quality(steps: &[StepFacts], measures: Measures) -> Quality {
    let of_steps = |is: &dyn Fn(&StepFacts) -> bool| {
        thousandths(steps.iter().filter(|step| is(step)).count(), steps.len())
    };
    let penalty = u32::try_from(measures.unmatched_preferences).unwrap_or(u32::MAX);
    let parts = [
        thousandths(measures.met, measures.wanted),
        of_steps(&|step| step.is_specific),
        of_steps(&|step| step.is_feasible),
        1_000_u32.saturating_sub(penalty.saturating_mul(250)),
        of_steps(&|step| (3..=200).contains(&step.why_chars)),
    ];
    let sum: u32 = WEIGHTS
        .iter()
        .zip(parts)
        .map(|((_, weight), part)| weight * part)
        .sum();
    Quality {
        sum: sum / 100,
        parts,
    }
}

/// The share `part` of `all`, in thousandths; 1000 where `all` is 0.
fn thousandths(part: usize, all: usize) -> u32 {
    if all == 0 {
        return 1_000;
    }
    let thousandths = part.saturating_mul(1_000) / all;
    u32::try_from(thousandths).unwrap_or(1_000).min(1_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a6_each_part_is_rounded_down() {
        let good = StepFacts {
            is_specific: true,
            is_feasible: true,
            why_chars: 3,
            ..StepFacts::default()
        };
        let vague = StepFacts {
            why_chars: 2,
            ..StepFacts::default()
        };
        let long = StepFacts {
            why_chars: 201,
            ..StepFacts::default()
        };
        let all = quality(std::slice::from_ref(&good), Measures::default());
        assert_eq!((all.sum, all.parts), (1_000, [1_000; 5]));
        let measures = Measures {
            met: 1,
            wanted: 3,
            unmatched_preferences: 2,
        };
        let third = quality(&[good, vague, long], measures);
        assert_eq!(third.parts, [333, 333, 333, 500, 333]);
        // 99.9 + 83.25 + 66.6 + 75 + 33.3
        assert_eq!(third.sum, 358);
        let many = Measures {
            unmatched_preferences: 9,
            ..measures
        };
        assert_eq!(quality(&[], many).parts[3], 0);
    }
}
