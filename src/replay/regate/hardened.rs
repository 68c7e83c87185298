//! Constraints that a retry has made harder.

use crate::base::canonical::Encoded;
use crate::pipeline::ConstraintSet;
use crate::rules::{Constraint, ConstraintKind, RuleSeverity};
use std::sync::Arc;

/// The changed constraints of an attempt: a retry has hardened requirements that are still there. A prohibition that it restates
/// is judged only by the rule that it restates.
pub(super) fn hardened(
    changed: &ConstraintSet,
    own: &ConstraintSet,
    frozen: &[Arc<Encoded<Constraint>>],
) -> Vec<Arc<Encoded<Constraint>>> {
    let mut constraints = changed.constraints.to_vec();
    let added = frozen.iter().filter(|c| !own.constraints.contains(c));
    for raised in added.filter(|c| c.restates.is_none()) {
        let mut known = constraints.iter_mut();
        if let Some(rule) =
            known.find(|c| c.id == raised.id && c.kind == ConstraintKind::Requirement)
        {
            *rule = Arc::new(Encoded::new(Constraint {
                severity: rule.severity.max(RuleSeverity::Hard),
                ..Constraint::clone(rule)
            }));
        }
    }
    constraints
}
