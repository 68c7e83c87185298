//! Judging what a reply wants remembered.

use super::approved::MemoryChange;
use super::canon::{CanonFact, CanonJudge, read_together};
use super::context::GateContext;
use super::degenerate;
use super::verdict::{Failure, FailureReason, RejectedMutation, Rejection, Verdict};
use super::words::{self, CanonCheck};
use crate::base::fixed::Millionths;
use crate::base::ids::Id;
use crate::judged_world::WorldRead;
use crate::memory::Relationship;
use crate::memory::authority::{Authority, WriteSource, check_authority};
use crate::memory::episode::MAX_MEMORY_CHARS;
use crate::memory::relationships::MAX_CHANGE;
use crate::proposal::{MutationKind, ProposedAction, ProposedMutation};
use crate::rules::RuleSeverity;
use crate::text::fold::fold;
use crate::text::twin::twin_id;
use crate::text::{FoldedText, Span, is_visible, name_excerpt};
use std::collections::{BTreeMap, BTreeSet};

/// The most mutations of one reply that are judged; further ones are rejected as `Rejection::Quota`.
pub const MAX_MUTATIONS: usize = 4;

/// The most mutations of a reply that says what a character remembers of a talk.
const MAX_REMEMBERED: usize = 6;

/// The kind of reply that proposes mutations: it decides how many are judged, and what one that is aimed at canon does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BroughtBy {
    /// A reply to what was said: one that is aimed at canon fails it.
    Reply,
    /// A reply that says what a character remembers of a talk: each mutation is judged alone.
    Remembering,
}

impl BroughtBy {
    fn most(self) -> usize {
        match self {
            Self::Reply => MAX_MUTATIONS,
            Self::Remembering => MAX_REMEMBERED,
        }
    }
}

/// Judges each mutation. Whatever is wrong rejects it alone, but one of a reply that is aimed at canon fails the reply, Critical.
pub(super) fn judge(
    context: &GateContext,
    proposed: &[ProposedMutation],
    by: BroughtBy,
    verdict: &mut Verdict,
) -> Vec<MemoryChange> {
    let mut approved = Vec::new();
    let mut seen = BTreeSet::new();
    let mut counted = 0;
    for mutation in proposed {
        let result = judge_one(context, mutation, by, &mut seen, &mut counted);
        match result {
            Ok(change) => approved.push(change),
            Err(Rejected {
                reason,
                rule,
                message,
                span,
            }) => {
                let is_fatal = by == BroughtBy::Reply;
                if is_fatal && reason == Rejection::Gate(FailureReason::CanonMutation) {
                    verdict.add(canon_mutation(&rule));
                }
                verdict.rejected_mutations.push(RejectedMutation {
                    kind: mutation.kind.clone(),
                    reason,
                    rule,
                    message,
                    span,
                });
            }
        }
    }
    limit_relationship_changes(&mut approved);
    approved
}

/// A reply changes a relationship by no more than [`MAX_CHANGE`], however many mutations it brings.
fn limit_relationship_changes(approved: &mut [MemoryChange]) {
    let mut moved: BTreeMap<Id, Relationship> = BTreeMap::new();
    for memory in approved {
        if let MemoryChange::TransformRelationship { target, change, .. } = memory {
            let moved = moved.entry(target.clone()).or_default();
            for (so_far, part) in [
                (&mut moved.affinity, &mut change.affinity),
                (&mut moved.trust, &mut change.trust),
                (&mut moved.familiarity, &mut change.familiarity),
            ] {
                let low = Millionths(-MAX_CHANGE.0);
                let after = so_far.add_clamped(*part, low, MAX_CHANGE);
                *part = Millionths(after.0 - so_far.0);
                *so_far = after;
            }
        }
    }
}

/// An `EmitWorldIntent` is a mutation too: its own target may be neither canon nor a world fact. The rest are intents like the
/// others.
pub(super) fn judge_emitted<'a>(
    context: &GateContext,
    proposed: &'a [ProposedAction],
    verdict: &mut Verdict,
) -> Vec<&'a ProposedAction> {
    let mut kept = Vec::new();
    for action in proposed {
        let target = action.emit_target.as_deref();
        let Some((reason, aim, message)) =
            target.and_then(|t| protected(context.canon, context.world, t))
        else {
            kept.push(action);
            continue;
        };
        if reason == FailureReason::CanonMutation {
            verdict.add(canon_mutation(&aim));
        }
        verdict.rejected_mutations.push(RejectedMutation {
            kind: MutationKind::EmitWorldIntent.to_string(),
            reason: Rejection::Gate(reason),
            // Canon and world facts are guarded by their own names.
            rule: aim,
            message,
            span: None,
        });
    }
    kept
}

/// Why only the designer or the game may write to a target, and the name of what it aims at.
pub(super) fn protected(
    canon: &CanonJudge,
    world: &dyn WorldRead,
    target: &str,
) -> Option<(FailureReason, String, String)> {
    if let Some(fact) = canon_fact(canon, target) {
        let message = canon_mutation(&fact.id).message;
        return Some((FailureReason::CanonMutation, fact.id.clone(), message));
    }
    let key = twin_id(target);
    let facts = world.facts();
    let (fact, _) = facts.into_iter().find(|(name, _)| twin_id(name) == key)?;
    let error = check_authority(WriteSource::ValidatedOutput, Authority::WorldFact).err()?;
    let message = format!("\"{fact}\" is a world fact: {error}");
    Some((FailureReason::AuthorityViolation, fact.to_string(), message))
}

/// The fact of canon that a target means, however it is written.
fn canon_fact<'a>(canon: &'a CanonJudge, target: &str) -> Option<&'a CanonFact> {
    let key = twin_id(target);
    let mut facts = canon.facts().iter();
    facts.find(|fact| twin_id(&fact.id) == key)
}

/// The rule that an id breaks with its words; the id is read unchanged and with its joints as spaces.
fn said_by_id(context: &GateContext, id: &str) -> Option<Failure> {
    let as_it_stands = words::judge_content(context, id, CanonCheck::Skip);
    let in_words = id.replace(['_', '-', '.'], " ");
    let mut findings = as_it_stands.into_iter();
    findings.next().or_else(|| {
        // Most ids are one word: reading it once more would find the same.
        let again =
            (in_words != id).then(|| words::judge_content(context, &in_words, CanonCheck::Skip));
        again.into_iter().flatten().next()
    })
}

fn canon_mutation(fact: &str) -> Failure {
    Failure {
        reason: FailureReason::CanonMutation,
        rule: fact.to_owned(),
        severity: RuleSeverity::Critical,
        span: None,
        message: format!("\"{fact}\" is canon: nobody may change it"),
    }
}

/// Why a mutation is not remembered.
struct Rejected {
    reason: Rejection,
    rule: String,
    message: String,
    span: Option<Span>,
}

impl Rejected {
    /// A rejection because of what the gate found in its words.
    fn of(found: Failure) -> Self {
        Self {
            reason: Rejection::Gate(found.reason),
            rule: found.rule,
            message: found.message,
            span: found.span,
        }
    }

    fn plain(reason: Rejection, message: impl Into<String>) -> Self {
        Self::by(reason, reason.rule(), message.into())
    }

    fn by(reason: Rejection, rule: &str, message: String) -> Self {
        Self {
            reason,
            rule: rule.to_owned(),
            message,
            span: None,
        }
    }
}

fn judge_one(
    context: &GateContext,
    mutation: &ProposedMutation,
    by: BroughtBy,
    seen: &mut BTreeSet<[String; 3]>,
    counted: &mut usize,
) -> Result<MemoryChange, Rejected> {
    let target = mutation.target.as_deref();
    let fatal = target.filter(|_| by == BroughtBy::Reply);
    if let Some(fact) = fatal.and_then(|target| canon_fact(context.canon, target)) {
        let message = canon_mutation(&fact.id).message;
        let reason = Rejection::Gate(FailureReason::CanonMutation);
        return Err(Rejected::by(reason, &fact.id, message));
    }
    let mut change =
        read(mutation, by).map_err(|why| Rejected::plain(Rejection::Malformed, why))?;
    let content = mutation.content.as_deref().unwrap_or_default();
    let key =
        [mutation.kind.as_str(), target.unwrap_or_default(), content].map(|part| fold(part.trim()));
    if !seen.insert(key) {
        return Err(Rejected::plain(
            Rejection::Duplicate,
            "the same stands in this reply already",
        ));
    }
    *counted += 1;
    if *counted > by.most() {
        return Err(Rejected::plain(
            Rejection::Quota,
            format!("a reply may bring {} mutations", by.most()),
        ));
    }
    if let Some(target) = target
        && let Some((reason, aim, message)) = protected(context.canon, context.world, target)
    {
        return Err(Rejected::by(Rejection::Gate(reason), &aim, message));
    }
    if let MemoryChange::TransformRelationship { target, .. } = &mut change {
        *target = somebody(context, target).ok_or_else(|| {
            Rejected::plain(Rejection::Malformed, "the target is nobody who is known")
        })?;
    }
    if FoldedText::new(content).is_overgrown() {
        let why = "the content is written in signs that stand for far more text";
        return Err(Rejected::plain(Rejection::Malformed, why));
    }
    if let Some(found) = target.and_then(|target| said_by_id(context, target)) {
        return Err(Rejected::of(found));
    }
    let canon = match change {
        MemoryChange::AppendEpisodic { .. } => CanonCheck::InMemory,
        MemoryChange::TransformBelief { .. } | MemoryChange::TransformRelationship { .. } => {
            CanonCheck::Skip
        }
    };
    if let Some(found) = words::judge_content(context, content, canon)
        .into_iter()
        .next()
    {
        return Err(Rejected::of(found));
    }
    // What says the same again and again is no memory.
    if let Some(found) = degenerate::judge_repeated(content) {
        return Err(Rejected::of(found));
    }
    if let MemoryChange::TransformBelief {
        target,
        contradicts_canon,
        ..
    } = &mut change
    {
        // Prompts show both together.
        let together = read_together(target.as_str(), content);
        let mut found = together
            .iter()
            .flat_map(|words| words::judge_content(context, words, CanonCheck::Skip));
        if let Some(found) = found.next() {
            return Err(Rejected {
                span: None,
                ..Rejected::of(found)
            });
        }
        *contradicts_canon = context.canon.contradicts_belief(target.as_str(), content);
    }
    Ok(change)
}

/// The id of the actor that the target of a relationship means: an actor other than the character itself, which speaks here or
/// is a character of the world.
fn somebody(context: &GateContext, target: &Id) -> Option<Id> {
    let is_known =
        |id: &Id| context.actions.people.contains(&id) || context.world.is_kind(id, "character");
    let seen = context.actions.seen.entities.iter().map(|(id, _)| id);
    let mut people = context
        .actions
        .people
        .iter()
        .copied()
        .chain(seen.filter(|id| is_known(id)));
    let meant = match is_known(target) {
        true => Some(target.clone()),
        // An id that is written with other letters or joints means the one that is near.
        false => people.find(|id| twin_id(id) == twin_id(target)).cloned(),
    };
    meant.filter(|id| id != context.interaction.npc)
}

/// Reads the parts of a mutation; what is missing or wrong is told in words.
fn read(mutation: &ProposedMutation, by: BroughtBy) -> Result<MemoryChange, String> {
    if let Some(why) = &mutation.malformed {
        return Err(why.clone());
    }
    let content = mutation
        .content
        .as_deref()
        .map(str::trim)
        .filter(|content| is_visible(content));
    let target = || {
        let target = mutation.target.as_deref().unwrap_or_default();
        Id::new(target).map_err(|error| error.to_string())
    };
    let content = |kind: &str| {
        let content = content.ok_or_else(|| format!("a {kind} needs content"))?;
        if content.chars().count() > MAX_MEMORY_CHARS {
            return Err(format!(
                "the content is longer than {MAX_MEMORY_CHARS} characters"
            ));
        }
        Ok(content.to_owned())
    };
    let unit = |value: Option<f64>, default: i64, name: &str| match value {
        None => Ok(Millionths(default)),
        Some(value) => Millionths::unit_from_f64(value)
            .ok_or_else(|| format!("{name} must lie between 0 and 1")),
    };
    let change = |value: Option<f64>| {
        let value = value.unwrap_or_default().clamp(-1.0, 1.0);
        Millionths::from_f64(value).ok_or_else(|| "a change is not a number".to_owned())
    };
    match mutation.mutation_kind() {
        Some(MutationKind::AppendEpisodic) => Ok(MemoryChange::AppendEpisodic {
            content: content("memory")?,
            significance: unit(mutation.significance, 500_000, "significance")?,
        }),
        Some(MutationKind::TransformBelief) => Ok(MemoryChange::TransformBelief {
            target: target()?,
            content: content("belief")?,
            confidence: unit(mutation.confidence, 800_000, "confidence")?,
            contradicts_canon: false,
        }),
        Some(MutationKind::TransformRelationship) => {
            if by == BroughtBy::Reply || mutation.content.is_some() {
                content("relationship")?;
            }
            Ok(MemoryChange::TransformRelationship {
                target: target()?,
                change: Relationship {
                    affinity: change(mutation.affinity)?,
                    trust: change(mutation.trust)?,
                    familiarity: change(mutation.familiarity)?,
                },
                why: mutation.content.clone().unwrap_or_default(),
            })
        }
        // An intent that is spelled as a mutation became an intent when the reply was parsed.
        Some(MutationKind::EmitWorldIntent) | None => {
            let named = name_excerpt(&mutation.kind, "of that name");
            Err(format!("there is no mutation {named}"))
        }
    }
}
