//! The decision: one pure function over what is known of a plan, with its full explanation.

use super::profile::{Answer, Profile};
use super::risk::{MEDIUM_RISK, Risk};
use super::step_facts::StepFacts;
use super::taxonomy::{PolicyCondition, PolicyRule, StepMatch, Taxonomy};
use bevy::reflect::Reflect;

/// Below this quality a plan is denied, in thousandths.
pub const LOW_QUALITY: u32 = 600;
/// Below this quality a plan is asked in [`Profile::Safe`] and [`Profile::Dev`], in thousandths.
pub const GOOD_QUALITY: u32 = 750;

/// The most gates that a game can add.
pub const MAX_CUSTOM_GATES: usize = 16;

/// The gates, in their order.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Reflect)]
#[reflect(opaque)]
pub enum Gate {
    /// May the character do this at all?
    Security,
    /// What do the rules of the profile say?
    Policy,
    /// Is it too risky?
    Risk,
    /// Is it good enough?
    Quality,
    /// A gate that the game has added, by its name.
    Custom(String),
    /// What does the player say?
    Approval,
}

impl Gate {
    /// Its name in a trace.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Security => "security",
            Self::Policy => "policy",
            Self::Risk => "risk",
            Self::Quality => "quality",
            Self::Custom(name) => name,
            Self::Approval => "approval",
        }
    }
}

/// What a gate answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GateResult {
    /// The gate.
    pub gate: Gate,
    /// Its answer.
    pub result: Answer,
    /// The id of what decided; `None` when nothing in particular did.
    pub reason: Option<String>,
}

/// What the player has said of a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Approval {
    /// Nothing yet.
    #[default]
    Waiting,
    /// Yes.
    Granted,
    /// No.
    Refused,
    /// Nothing, for too long.
    Silence,
    /// There is no player who could be asked.
    NoApprover,
}

/// All that a decision is made of.
#[derive(Debug, Clone)]
pub(crate) struct DecisionInput<'a> {
    /// The tables by which it is judged.
    pub taxonomy: &'a Taxonomy,
    /// The profile in force.
    pub profile: Profile,
    /// What is known of the steps.
    pub steps: &'a [StepFacts],
    /// How risky it is.
    pub risk: &'a Risk,
    /// How good it is, in thousandths.
    pub quality: u32,
    /// Which rule of security forbids it: `not_allowed`, or the id of a constraint. `None`: none does.
    pub forbidden_by: Option<&'a str>,
    /// Whether it has a `MUST_NOT` that cannot be checked.
    pub has_unchecked_constraint: bool,
    /// What the gates of the game have answered, by their names. None of them can allow.
    pub custom: &'a [(String, Answer)],
    /// Whether the player is asked whatever the gates say, such as when the version of the model has changed.
    pub asked_again: bool,
    /// What the player has said.
    pub approval: Approval,
}

/// What is decided, with the full explanation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    /// What every gate answered, in their order.
    pub gates: Vec<GateResult>,
    /// What is decided: never [`Answer::Pass`].
    pub decision: Answer,
    /// The first gate with the answer that won; `None` when all passed, so that the player is asked.
    pub deciding_gate: Option<Gate>,
}

/// Decides on a plan. DENY beats CONFIRM beats ALLOW. When no gate has an answer for a plan, the player is asked. The player
/// is also asked when the gates say CONFIRM, and the player's answer then decides.
#[must_use]
pub(crate) fn decide(input: &DecisionInput) -> Decision {
    let mut gates = vec![security(input), policy(input), risk(input), quality(input)];
    gates.extend(input.custom.iter().map(|(name, result)| GateResult {
        gate: Gate::Custom(name.clone()),
        // A gate of the game can only tighten.
        result: match *result {
            Answer::Allow => Answer::Pass,
            other => other,
        },
        reason: (*result > Answer::Allow).then(|| name.clone()),
    }));
    let (decision, deciding_gate) = combine(&gates);
    let asked = decision == Answer::Confirm || (input.asked_again && decision == Answer::Allow);
    let (result, reason) = match input.approval {
        Approval::Granted if asked => (Answer::Allow, Some("player")),
        Approval::Refused if asked => (Answer::Deny, Some("player")),
        Approval::Silence if asked => (Answer::Deny, Some("silence")),
        Approval::NoApprover if asked => (Answer::Deny, Some("no_approver")),
        _ => (Answer::Pass, None),
    };
    gates.push(answer(Gate::Approval, result, reason));
    match result {
        Answer::Pass => Decision {
            gates,
            decision,
            deciding_gate,
        },
        settled => Decision {
            gates,
            decision: settled,
            deciding_gate: Some(Gate::Approval),
        },
    }
}

fn combine(gates: &[GateResult]) -> (Answer, Option<Gate>) {
    let strongest = gates.iter().map(|gate| gate.result).max();
    let strongest = strongest.filter(|result| *result != Answer::Pass);
    let Some(strongest) = strongest else {
        return (Answer::Confirm, None);
    };
    let first = gates.iter().find(|gate| gate.result == strongest);
    (strongest, first.map(|gate| gate.gate.clone()))
}

fn answer(gate: Gate, result: Answer, reason: Option<&str>) -> GateResult {
    GateResult {
        gate,
        result,
        reason: reason.map(str::to_owned),
    }
}

fn security(input: &DecisionInput) -> GateResult {
    match input.forbidden_by {
        Some(rule) => answer(Gate::Security, Answer::Deny, Some(rule)),
        None => answer(Gate::Security, Answer::Pass, None),
    }
}

fn policy(input: &DecisionInput) -> GateResult {
    let rules = input.taxonomy.policy.get(&input.profile);
    let fits = |rule: &PolicyRule, is: fn(&StepFacts, &StepMatch) -> bool| match &rule.when {
        PolicyCondition::Always => true,
        PolicyCondition::AnyStepIs(wanted) => input.steps.iter().any(|step| is(step, wanted)),
        PolicyCondition::RiskAtMost(most) => input.risk.points <= *most,
    };
    let all: Vec<&PolicyRule> = rules.into_iter().flatten().collect();
    let first = all
        .iter()
        .position(|rule| fits(rule, StepFacts::is_by_target));
    let by_target = first.map(|at| all[at]);
    // A rule before that one also fits by what a step names in addition to its target, but only where it makes the answer
    // stricter.
    let mut before = all[..first.unwrap_or(all.len())].iter().copied();
    let by_others = before.find(|rule| {
        let is_stricter = by_target.is_none_or(|first| rule.then > first.then);
        rule.then >= Answer::Confirm && is_stricter && fits(rule, StepFacts::is)
    });
    let found = match by_others.or(by_target) {
        Some(rule) => answer(Gate::Policy, rule.then, Some(&rule.id)),
        None => answer(Gate::Policy, Answer::Pass, None),
    };
    if found.result >= Answer::Confirm {
        return found;
    }
    if !input.risk.boundary.is_empty() {
        return answer(Gate::Policy, Answer::Confirm, Some("boundary"));
    }
    if input.has_unchecked_constraint {
        return answer(Gate::Policy, Answer::Confirm, Some("unchecked_constraint"));
    }
    found
}

fn risk(input: &DecisionInput) -> GateResult {
    match input.profile {
        Profile::Safe => answer(Gate::Risk, Answer::Confirm, Some("profile")),
        _ if input.risk.points <= MEDIUM_RISK => answer(Gate::Risk, Answer::Allow, None),
        _ => answer(Gate::Risk, Answer::Confirm, Some("high_risk")),
    }
}

fn quality(input: &DecisionInput) -> GateResult {
    match input.quality {
        ..LOW_QUALITY => answer(Gate::Quality, Answer::Deny, Some("low_quality")),
        LOW_QUALITY..GOOD_QUALITY if input.profile < Profile::FullAuto => {
            answer(Gate::Quality, Answer::Confirm, Some("moderate_quality"))
        }
        _ => answer(Gate::Quality, Answer::Pass, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plans::step_facts::TargetFacts;
    use crate::plans::taxonomy::Operation;

    fn risk_of(points: u32) -> Risk {
        Risk {
            points,
            ..Risk::default()
        }
    }

    fn input<'a>(steps: &'a [StepFacts], risk: &'a Risk) -> DecisionInput<'a> {
        DecisionInput {
            taxonomy: Taxonomy::npc(),
            profile: Profile::FullAuto,
            steps,
            risk,
            quality: 900,
            forbidden_by: None,
            has_unchecked_constraint: false,
            custom: &[],
            asked_again: false,
            approval: Approval::Waiting,
        }
    }

    fn decided(profile: Profile, points: u32, quality: u32) -> Decision {
        decide(&DecisionInput {
            profile,
            quality,
            ..input(&[StepFacts::default()], &risk_of(points))
        })
    }

    #[test]
    fn a7_the_table_of_the_origin_cell_by_cell() {
        use Answer::{Allow, Confirm, Deny};
        let table = [
            // risk, quality, SAFE, DEV, FULL_AUTO
            (20, 800, [Confirm, Allow, Allow]),
            (50, 800, [Confirm, Allow, Allow]),
            (80, 800, [Confirm, Confirm, Confirm]),
            (20, 700, [Confirm, Confirm, Allow]),
            (50, 700, [Confirm, Confirm, Allow]),
            (80, 700, [Confirm, Confirm, Confirm]),
            (20, 599, [Deny, Deny, Deny]),
            (80, 599, [Deny, Deny, Deny]),
        ];
        for (points, quality, expected) in table {
            let found = Profile::ALL.map(|profile| decided(profile, points, quality).decision);
            assert_eq!(found, expected, "risk {points}, quality {quality}");
        }
    }

    #[test]
    fn a7_more_risk_or_less_quality_never_relaxes_and_no_profile_is_laxer_than_a_stricter_one() {
        let edges = [0, 1, 30, 31, 64, 65, 66, 99, 100];
        let qualities = [0, 599, 600, 749, 750, 1_000];
        for profile in Profile::ALL {
            for pair in edges.windows(2) {
                for quality in qualities {
                    let (less, more) = (
                        decided(profile, pair[0], quality).decision,
                        decided(profile, pair[1], quality).decision,
                    );
                    assert!(less <= more, "{profile:?} {pair:?} {quality}");
                }
            }
            for pair in qualities.windows(2) {
                for points in edges {
                    let (worse, better) = (
                        decided(profile, points, pair[0]).decision,
                        decided(profile, points, pair[1]).decision,
                    );
                    assert!(better <= worse, "{profile:?} {pair:?} {points}");
                }
            }
        }
        for points in edges {
            for quality in qualities {
                let [safe, dev, auto] =
                    Profile::ALL.map(|profile| decided(profile, points, quality).decision);
                assert!(
                    auto <= dev && dev <= safe,
                    "risk {points}, quality {quality}"
                );
            }
        }
    }

    fn with(change: impl Fn(&mut DecisionInput)) -> Decision {
        let risk = risk_of(10);
        let steps = [StepFacts {
            operation: Operation::Change,
            ..StepFacts::default()
        }];
        let mut input = input(&steps, &risk);
        change(&mut input);
        decide(&input)
    }

    #[test]
    fn a7_security_dominates_and_no_approval_overrides_it() {
        let denied = with(|input| {
            input.forbidden_by = Some("not_allowed");
            input.approval = Approval::Granted;
        });
        assert_eq!(denied.decision, Answer::Deny);
        assert_eq!(denied.deciding_gate, Some(Gate::Security));
        assert_eq!(denied.gates[0].reason.as_deref(), Some("not_allowed"));
        assert_eq!(denied.gates[4].result, Answer::Pass, "nobody was asked");
    }

    #[test]
    fn a7_what_a_step_names_beside_its_target_makes_a_policy_stricter_and_never_laxer() {
        use Answer::{Allow, Confirm, Deny};
        let of_kind = |kind: &str| TargetFacts {
            kind: kind.to_owned(),
            ..TargetFacts::default()
        };
        let rule = |kind: &str, then: &str| {
            format!("(id: \"{kind}\", when: AnyStepIs(TargetKind(\"{kind}\")), then: {then})")
        };
        let always = |then: &str| format!("(id: \"rest\", when: Always, then: {then})");
        let answer = |rules: &[String], target: &str, other: &str| {
            let source = format!("(id: \"t\", policy: {{FULL_AUTO: [{}]}})", rules.join(", "));
            let taxonomy = Taxonomy::parse(source.as_bytes(), "t.taxonomy.ron").unwrap();
            let steps = [StepFacts {
                target: Some(of_kind(target)),
                others: vec![of_kind(other)],
                ..StepFacts::default()
            }];
            let found = policy(&DecisionInput {
                taxonomy: &taxonomy,
                ..input(&steps, &risk_of(10))
            });
            (found.result, found.reason.unwrap_or_default())
        };
        let relic = [rule("relic", "CONFIRM"), always("ALLOW")];
        assert_eq!(answer(&relic, "cup", "relic"), (Confirm, "relic".into()));
        assert_eq!(answer(&relic, "cup", "cup"), (Allow, "rest".into()));
        let toy = [rule("toy", "ALLOW"), always("CONFIRM")];
        assert_eq!(answer(&toy, "toy", "cup"), (Allow, "toy".into()));
        assert_eq!(answer(&toy, "cup", "toy"), (Confirm, "rest".into()));
        let law = [rule("relic", "CONFIRM"), rule("law", "DENY")];
        assert_eq!(answer(&law, "law", "relic"), (Deny, "law".into()));
        assert_eq!(answer(&law, "cup", "law"), (Deny, "law".into()));
    }

    #[test]
    fn a7_what_cannot_be_checked_is_asked_in_every_profile() {
        let unchecked = with(|input| input.has_unchecked_constraint = true);
        assert_eq!(unchecked.decision, Answer::Confirm);
        assert_eq!(
            unchecked.gates[1].reason.as_deref(),
            Some("unchecked_constraint")
        );
        let touches = Risk {
            points: 66,
            boundary: vec![0],
            ..Risk::default()
        };
        let boundary = decide(&DecisionInput {
            quality: 1_000,
            ..input(&[], &touches)
        });
        assert_eq!(boundary.decision, Answer::Confirm);
        assert_eq!(boundary.deciding_gate, Some(Gate::Policy));
    }

    #[test]
    fn a7_an_answer_settles_what_was_asked() {
        let asked = |approval| {
            let decided = with(|input| {
                input.profile = Profile::Safe;
                input.approval = approval;
            });
            (
                decided.decision,
                decided.deciding_gate.clone(),
                decided.gates[4].reason.clone(),
            )
        };
        let by = |reason: &str| Some(reason.to_owned());
        let approval = || Some(Gate::Approval);
        assert_eq!(
            asked(Approval::Waiting),
            (Answer::Confirm, Some(Gate::Policy), None)
        );
        assert_eq!(
            asked(Approval::Granted),
            (Answer::Allow, approval(), by("player"))
        );
        assert_eq!(
            asked(Approval::Refused),
            (Answer::Deny, approval(), by("player"))
        );
        assert_eq!(
            asked(Approval::Silence),
            (Answer::Deny, approval(), by("silence"))
        );
        assert_eq!(
            asked(Approval::NoApprover),
            (Answer::Deny, approval(), by("no_approver"))
        );
    }
}
