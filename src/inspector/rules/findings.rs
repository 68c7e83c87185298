//! What rules have found in a verdict.

use crate::gate::Verdict;

/// What a rule has found in a verdict.
pub(super) struct Finding<'a> {
    /// The id of the rule that has found it.
    pub rule: &'a str,
    /// The words that it hit, or else what it says of them.
    pub words: &'a str,
    /// Whether these are words that it hit.
    pub is_hit: bool,
}

impl<'a> Finding<'a> {
    fn said(rule: &'a str, words: &'a str) -> Self {
        Self {
            rule,
            words,
            is_hit: false,
        }
    }

    /// `hit`: the words that were hit, where there are some.
    fn of(rule: &'a str, hit: Option<&'a str>, says: &'a str) -> Self {
        match hit.filter(|hit| !hit.is_empty()) {
            Some(words) => Self {
                rule,
                words,
                is_hit: true,
            },
            None => Self::said(rule, says),
        }
    }
}

/// Who finds what in a verdict.
pub(super) fn findings(verdict: &Verdict) -> Vec<Finding<'_>> {
    let words = verdict.failures.iter().chain(&verdict.warnings);
    let words = words.map(|finding| {
        let hit = finding.span.as_ref().map(|span| &*span.text);
        Finding::of(&finding.rule, hit, &finding.message)
    });
    let memories = verdict.rejected_mutations.iter().map(|rejected| {
        let hit = rejected.span.as_ref().map(|span| &*span.text);
        Finding::of(&rejected.rule, hit, &rejected.message)
    });
    let actions = verdict.actions.iter().filter_map(|action| {
        let rule = action.judgement.rule.as_deref()?;
        Some(Finding::said(rule, &action.judgement.message))
    });
    // An action that was denied is in both lists.
    let unread = verdict.rejected_intents.iter().filter(|rejected| {
        let mut judged = verdict.actions.iter();
        judged.all(|action| action.judgement.rule.as_deref() != Some(&*rejected.rule))
    });
    let unread = unread.map(|rejected| Finding::said(&rejected.rule, &rejected.message));
    words.chain(memories).chain(actions).chain(unread).collect()
}
