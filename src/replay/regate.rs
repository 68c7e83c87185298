//! Re-gate: old recordings under changed rules, without a model.
//!
//! A recording is replayed with its own assets, so that memory and world are at every moment as they were. The replay asks for a
//! second opinion at each judged reply, including replies to a stage of an adventure, at each turn, at each intention in an
//! adventure, and at each proposed plan: what would the changed rules say of the same bytes in the same world? The replay never
//! follows it. If the first reply of a run passes only now, the later replies are still judged, as they happened.
//!
//! # Edited replies
//!
//! What if the model had said something else? `ChangedRules::replies` holds raw replies that are judged in place of recorded
//! ones, with the same rules or with changed ones. Only the second opinion judges them: memory, world, and later records stay
//! those of the recorded replies. `RegateReport::replies` holds both verdicts on each, even where they are equal. An edited
//! reply is judged as a whole, at the moment at which the recorded one, or its first part, was judged.
//!
//! # Limits
//!
//! - The verdicts are as good as the replay: from its first divergence on they cannot be trusted
//!   (`RegateReport::replay`).
//! - No model is asked. Other rules might have led to another prompt and another reply; the replies that are judged are
//!   those that were recorded.
//! - Results that a replay takes as given are not judged: runs that began before the recording, and turns of adventures that were
//!   interrupted or during which something else happened ([`ReplayReport::skipped`]).
//! - A narrator must not tell that a denied action succeeded. This is judged by the denials of the recording: if only the changed
//!   rulebook denies the action, the narration passes as before.
//! - At most 10,000 changed verdicts are listed. The others are counted (`RegateReport::left_out`).

mod edits;
mod findings;
mod hardened;
mod hook;
mod plans;
mod rules;
mod stages;
mod totals;
mod verdict;

#[cfg(feature = "inspector")]
pub(crate) use edits::JudgedReply;
#[cfg(feature = "inspector")]
pub(crate) use edits::steps_reply;
pub(crate) use edits::{EditedReply, ReplyKey};
pub(crate) use rules::ChangedRules;
pub(crate) use verdict::ChangedVerdict;
#[cfg(any(test, feature = "inspector"))]
pub(crate) use verdict::Part;
#[cfg(test)]
pub(crate) use verdict::{FindingChange, SecondVerdict};

use crate::base::ids::Id;
use crate::base::lock::lock;
use crate::journal::{Recorded, ReplayError};
use crate::replay::{ReplayReport, replay};
use bevy::prelude::{App, Startup, World};
use edits::Edits;
use hook::RegateHook;
use plans::RegatePlans;
use stages::{RegateAdventure, SecondStages};
use std::collections::BTreeSet;
use std::sync::Arc;
use totals::SharedTotals;

/// What a second opinion on a recording found: how much was judged again, and which verdicts change.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct RegateReport {
    /// How many runs were looked at. Runs that began before the recording are not among them.
    pub runs: u64,
    /// How many replies were judged again, those to stages of adventures among them.
    pub attempts: u64,
    /// How many turns, turns of adventures and plans were judged again.
    pub turns: u64,
    /// The verdicts that change, in the order of the records; 10,000 at most.
    pub changed: Vec<ChangedVerdict>,
    /// How many changed verdicts are not listed, because there are too many.
    pub left_out: u64,
    /// The verdicts on the replies that were edited (`ChangedRules::replies`), in the order of the records.
    pub replies: Vec<EditedReply>,
    /// The edited replies that replace none: the recording has no such reply, or nothing was judged there.
    pub unused_replies: Vec<ReplyKey>,
    /// The ids of characters among the changed rules of whom nothing was judged: no run, no plan, and no stage of an adventure.
    pub unused: Vec<String>,
    /// Whether the recording replays. From the first divergence on its verdicts cannot be trusted.
    pub replay: ReplayReport,
}

/// Judges all of a recording again by changed rules, and lists the verdicts that change. `configure` is as in
/// [`replay`]; rules and checks in Rust that it adds have their say in both verdicts.
///
/// # Errors
/// See [`ReplayError`].
pub(crate) fn regate(
    recording: &dyn Recorded,
    changed: &ChangedRules,
    configure: &dyn Fn(&mut App),
) -> Result<RegateReport, ReplayError> {
    let totals = SharedTotals::default();
    let changed_rules = Arc::new(changed.clone());
    let edits = Arc::new(Edits::find(recording, &changed.replies));
    let replay = replay(recording, &|app| {
        configure(app);
        let (totals, changed) = (totals.clone(), changed_rules.clone());
        let edits = edits.clone();
        // The ledger's hook is installed by then, and nothing has happened yet.
        app.add_systems(Startup, move |world: &mut World| {
            let stages = SecondStages::new(changed.clone(), edits.clone());
            RegatePlans::install(world, changed.clone(), edits.clone(), totals.clone());
            RegateAdventure::install(world, stages.clone(), totals.clone());
            let (changed, edits) = (changed.clone(), edits.clone());
            RegateHook::install(world, changed, edits, totals.clone(), stages);
        });
    })?;
    let totals = std::mem::take(&mut *lock(&totals));
    let ids = changed.characters.keys();
    let unused = ids.filter(|id| !totals.characters.contains(*id));
    let judged: BTreeSet<ReplyKey> = totals.replies.iter().map(|reply| reply.key).collect();
    let unused_replies = changed.replies.keys().copied();
    Ok(RegateReport {
        unused_replies: unused_replies.filter(|key| !judged.contains(key)).collect(),
        replies: totals.replies,
        runs: totals.runs,
        attempts: totals.attempts,
        turns: totals.turns,
        changed: totals.changed,
        left_out: totals.left_out,
        unused: unused.map(Id::to_string).collect(),
        replay,
    })
}

#[cfg(test)]
mod tests;
