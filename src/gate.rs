//! The gate: deterministic judges of a proposal, and the only maker of `Approved` values.
//!
//! A reply is parsed into a `Proposal`, which the engine does not trust. `judge` checks it in every respect and answers
//! with a [`Verdict`], which says why, and with `Approvals`, which say what may happen. A failed verdict approves nothing.
//! The same proposal, frozen input and world give the same verdict.
//!
//! All judges check every reply. Their findings come in this order:
//!
//! | judge | what it judges | severity |
//! |---|---|---|
//! | format | whether the reply could be read at all; if not, nothing else is judged | Hard |
//! | form | whether what was read is speech: no name of the format or of a thing, no time stamp, no markup, not the same again and again (rule `degenerate` or `markup`) | Hard |
//! | constraints | prohibited and required patterns in the dialogue | the rule's own |
//! | canon | statements that contradict settled facts | Critical |
//! | knowledge | topics that the character must not speak of | Hard |
//! | `mutations` | what the reply wants remembered; most faults reject one mutation alone | Critical when aimed at canon |
//! | `actions` | what the reply wants done, by the rulebook, in sequence | Hard |
//! | custom rules, custom checks | a game's own rules, in data and in Rust | the rule's own |
//! | language | with `reply_language: Check`: whether a line is in the language of its character | Hard |
//! | echo | whether a line repeats what its character has just said | Soft, with `echo: Hard` Hard |
//!
//! **Soft** findings never block. **Hard** ones fail the attempt, which may be tried again. A **Critical** one ends the
//! run at once.

pub(crate) mod actions;
pub(crate) mod approved;
pub(crate) mod canon;
mod context;
pub(crate) mod custom;
mod degenerate;
mod echo;
mod heard;
pub(crate) mod language;
pub(crate) mod mutations;
pub(crate) mod stage;
pub(crate) mod stage_rules;
pub(crate) mod verdict;
pub(crate) mod voices;
mod voicing;
pub(crate) mod words;

pub use approved::MemoryChange;
pub(crate) use approved::{Approvals, Approved, ApprovedFor, Line, SpendsApprovals};
pub(crate) use canon::{CanonFact, CanonJudge, Said};
pub(crate) use context::{ActionContext, GateContext, LineRules, SnapshotView};
pub(crate) use custom::CustomChecks;
pub use custom::{CheckFinding, CustomCheck};
pub(crate) use heard::{HeardBefore, judge_proposed, judge_sentence};
pub(crate) use stage::{
    KnownWrites, LoreKeys, Told, judge_calls, judge_intention, judge_lines, judge_list,
    judge_narration, judge_wish,
};
pub(crate) use stage_rules::StageRules;
#[cfg(feature = "remote")]
pub(crate) use verdict::RejectedIntent;
pub use verdict::{Failure, FailureReason, Verdict};
pub(crate) use verdict::{RejectedMutation, Rejection};
pub(crate) use voices::{Speaking, VoicedWords, Voices, voiced_words};

use self::heard::{Extent, judge_form, judge_line, judge_rules, judge_words};
use self::mutations::BroughtBy;
use crate::proposal::{InvalidFormat, Proposal};
use crate::text::is_visible;

/// Judges a reply: why it passed or failed, and what it may do.
///
/// `reply` is what `parse` made of the bytes. Findings of all judges are combined, in the order
/// of the table above. Nothing is approved unless the verdict passed. Deterministic: the same reply, context and world
/// give the same answer.
#[cfg(test)]
#[must_use]
pub(crate) fn judge(
    context: &GateContext,
    reply: &Result<Proposal, InvalidFormat>,
) -> (Verdict, Approvals) {
    judge_behind(context, reply, &HeardBefore::default())
}

/// Judges a reply whose line continues what its run has said before: the words of both together. The line that is approved is
/// the whole one.
#[must_use]
pub(crate) fn judge_behind(
    context: &GateContext,
    reply: &Result<Proposal, InvalidFormat>,
    heard: &HeardBefore,
) -> (Verdict, Approvals) {
    let mut verdict = Verdict::default();
    let proposal = match reply {
        Ok(proposal) => proposal,
        Err(error) => {
            verdict.add(Failure::invalid_format(error));
            return verdict.close(Approvals::default());
        }
    };
    verdict
        .warnings
        .extend(proposal.warnings.iter().map(Failure::parse_warning));
    let line = heard.join(&proposal.dialogue);
    // A mute character's words were dropped: an empty line is no silence that the model chose.
    let is_silent = !line.is_empty() && !is_visible(&line);
    if is_silent && proposal.intents.is_empty() {
        verdict.add(Failure::unreadable(
            "the reply has nothing that can be read",
        ));
    }
    let dialogue = words::JudgedText::new(&line);
    judge_form(context, proposal, &dialogue, heard, &mut verdict);
    judge_words(context, &dialogue, heard, Extent::Line, &mut verdict);
    judge_open_lines(context, proposal, &mut verdict);
    let memories = mutations::judge(context, &proposal.mutations, BroughtBy::Reply, &mut verdict);
    let emitted = mutations::judge_emitted(context, &proposal.intents, &mut verdict);
    let intents = actions::judge(context, &emitted, &mut verdict);
    actions::judge_together(context, &line, &intents, &mut verdict);
    judge_rules(context, &dialogue, heard, Extent::Line, &mut verdict);
    judge_line(context, &line, heard, Extent::Line, &mut verdict);
    let approvals = Approvals::new(context.run, line.trim_end(), memories, intents);
    verdict.close(approvals)
}

/// Canon judges the lines of a reply that end without a mark as sentences, too: "They say little⏎The king is dead" says it.
fn judge_open_lines(context: &GateContext, proposal: &Proposal, verdict: &mut Verdict) {
    let Some(apart) = with_stops(&proposal.dialogue, proposal.sentence_ends()) else {
        return;
    };
    for mut found in words::by_canon(context, &words::JudgedText::new(&apart), canon::Said::Aloud) {
        let is_known = |known: &Failure| (known.reason, &known.rule) == (found.reason, &found.rule);
        if !verdict.failures.iter().any(is_known) {
            // The place is one of the text with the stops.
            found.span = None;
            verdict.add(found);
        }
    }
}

/// A line with a full stop where a line of the reply ended without a mark, and the next one begins with a capital. `None`: there is
/// no such place.
fn with_stops(line: &str, ends: &[usize]) -> Option<String> {
    let mut apart = String::new();
    let mut from = 0;
    for end in ends {
        let (piece, rest) = (line.get(from..*end)?, line.get(*end..)?);
        let is_open = piece.trim_end().ends_with(char::is_alphanumeric);
        let begins = rest.trim_start().starts_with(char::is_uppercase);
        if is_open && begins {
            apart.push_str(line.get(from..*end)?.trim_end());
            apart.push('.');
        } else {
            apart.push_str(piece);
        }
        from = *end;
    }
    apart.push_str(line.get(from..)?);
    (apart.len() > line.len()).then_some(apart)
}

/// Judges what a reply says that a character remembers: each change of memory alone.
#[must_use]
pub(crate) fn judge_memories(context: &GateContext, proposal: &Proposal) -> (Verdict, Approvals) {
    let mut verdict = Verdict::default();
    let (proposed, by) = (&proposal.mutations, BroughtBy::Remembering);
    let memories = mutations::judge(context, proposed, by, &mut verdict);
    let approvals = Approvals::new(context.run, "", memories, Vec::new());
    verdict.close(approvals)
}

/// Judges what a character writes in its diary: by the rules of an episode, and as a whole.
pub(crate) fn judge_diary(context: &GateContext, proposal: &Proposal) -> (Verdict, Approvals) {
    let (mut verdict, approvals) = judge_memories(context, proposal);
    let rejected = verdict.rejected_mutations.iter();
    let failures: Vec<Failure> = rejected.map(Failure::of_rejected).collect();
    if failures.is_empty() {
        return (verdict, approvals);
    }
    verdict.failures.extend(failures);
    verdict.close(Approvals::default())
}

#[cfg(test)]
mod tests;
