//! What the words of a stage are judged by, and the judges that look at all of them.

use super::canon::{CanonJudge, Said};
use super::custom::{CheckedWords, CustomChecks};
use super::degenerate::{self, Names};
use super::verdict::Verdict;
use super::words::{JudgedText, judge_canon, judge_constraints, judge_custom, judge_topics};
use crate::base::canonical::Encoded;
use crate::judged_world::WorldRead;
use crate::rules::{Constraint, CustomRule, Interaction, Topic};
use crate::text::Lexicon;
use std::sync::Arc;

/// What the words of a stage are judged by.
pub struct StageRules<'a> {
    /// The number of the run that approvals are bound to.
    pub run: u64,
    /// What conditions may ask of the stage.
    pub interaction: Interaction<'a>,
    /// The constraints of this attempt.
    pub(crate) constraints: &'a [Arc<Encoded<Constraint>>],
    /// Canon: facts that no reply may contradict.
    pub(crate) canon: &'a CanonJudge,
    /// Topics that must not be spoken of, forbidden or closed now.
    pub topics: &'a [Topic],
    /// Custom rules in data.
    pub(crate) custom: &'a [CustomRule],
    /// Custom checks in Rust.
    pub(crate) checks: &'a CustomChecks,
    /// The world as it is now.
    pub world: &'a dyn WorldRead,
    /// The language of the words.
    pub lexicon: &'a Lexicon,
}

impl StageRules<'_> {
    /// Whether what is told or wanted is said in words.
    pub(super) fn judge_form(&self, words: &str, verdict: &mut Verdict) {
        let names = Names {
            world: self.world,
            // What is wanted may be an action's name alone.
            actions: None,
        };
        verdict.add_all(degenerate::judge_words(names, words, self.lexicon));
    }

    /// Whether words contradict no canon and hold no topic that is forbidden or closed.
    pub(super) fn is_open(&self, words: &str) -> bool {
        let text = JudgedText::new(words);
        judge_canon(self.canon, &text, Said::Aloud, None).is_empty()
            && judge_topics(self.topics.iter(), &text).is_empty()
    }

    pub(super) fn judge(&self, words: &str, said: Said, verdict: &mut Verdict) {
        let text = JudgedText::new(words);
        verdict.add_all(judge_constraints(self.constraints, &text));
        verdict.add_all(judge_canon(self.canon, &text, said, None));
        verdict.add_all(judge_topics(self.topics.iter(), &text));
        verdict.add_all(judge_custom(self.custom, &text));
        verdict.add_all(self.checks.judge(
            CheckedWords::Dialogue,
            words,
            &self.interaction,
            self.world,
        ));
    }
}
