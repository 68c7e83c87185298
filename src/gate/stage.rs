//! Judging what the stages of an adventure answer.
//!
//! Intentions and narrations are words, and are judged by the judges of dialogue. What extractors want to write is judged
//! call by call.

use super::approved::{Approved, SpendsApprovals};
use super::canon::Said;
use super::canon::read_together;
use super::mutations::protected;
use super::stage_rules::StageRules;
use super::verdict::{Failure, FailureReason, RejectedMutation, Rejection, Verdict};
use super::voices::{Speaking, VoicedWords, Voices, plain};
use crate::base::canonical::Digest;
use crate::base::fixed::Millionths;
use crate::base::ids::Id;
use crate::memory::state_slots::{StateError, room_for};
use crate::proposal::{
    IntentionReply, InvalidFormat, MAX_LINE_CHARS, MAX_LINES, NarrationReply, ParseWarning,
    ReadCall, ToolCall, ToolValue, WishReply,
};
use crate::rules::RuleSeverity;
use crate::text::fold::fold;
use crate::text::sentence::sentences;
use crate::text::twin::{twin_key, twin_keys};
use crate::text::whole_word::whole_words;
use crate::text::{FoldedText, Lexicon, PatternSet, excerpt, name_excerpt};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The most calls of one reply that are judged; further ones are refused.
pub const MAX_CALLS: usize = 8;
/// The most calls of one reply that write an entry of lore that is new.
pub const MAX_NEW_LORE: usize = 2;

/// What was read of a reply, with warnings about what was ignored; or why nothing could be read.
pub type ReadReply<T> = Result<(T, Vec<ParseWarning>), InvalidFormat>;

fn begin<'r, T>(read: &'r ReadReply<T>, verdict: &mut Verdict) -> Option<&'r T> {
    match read {
        Ok((reply, warnings)) => {
            verdict
                .warnings
                .extend(warnings.iter().map(Failure::parse_warning));
            Some(reply)
        }
        Err(error) => {
            verdict.add(Failure::invalid_format(error));
            None
        }
    }
}

/// Judges an intention: its words, and not the thought that explains it.
#[must_use]
pub(crate) fn judge_intention(
    rules: &StageRules,
    read: &ReadReply<IntentionReply>,
) -> (Verdict, Option<Approved<IntentionReply>>) {
    let mut verdict = Verdict::default();
    let Some(reply) = begin(read, &mut verdict) else {
        return verdict.close_stage_failed();
    };
    rules.judge_form(&reply.intention, &mut verdict);
    rules.judge(&reply.intention, Said::Aloud, &mut verdict);
    verdict.close_stage(Approved::new(rules.run, reply.clone()))
}

/// Judges lines that a player could say, each by itself: one that is bad is left out. At most four are left, and equal ones count once.
#[must_use]
pub(crate) fn judge_lines(
    rules: &StageRules,
    read: &ReadReply<Vec<String>>,
) -> (Verdict, Option<Approved<Vec<String>>>) {
    let mut verdict = Verdict::default();
    let Some(lines) = begin(read, &mut verdict) else {
        return verdict.close_stage_failed();
    };
    let mut passed: Vec<String> = Vec::new();
    for line in lines {
        let is_short = (1..=MAX_LINE_CHARS as usize).contains(&line.chars().count());
        let is_new = passed.iter().all(|other| fold(other) != fold(line));
        if is_short && is_new && rules.is_open(line) {
            passed.push(line.clone());
        }
    }
    passed.truncate(MAX_LINES);
    verdict.close_stage(Approved::new(rules.run, passed))
}

/// What a narrator must not tell: that a denied action succeeded.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Told {
    /// The names of what the action was aimed at.
    pub target: Vec<String>,
    /// Patterns that say that the action succeeded.
    pub patterns: Vec<String>,
    /// The verdict, in a sentence: the reason code, the rule and its message.
    pub verdict: String,
    /// The id of the rule that denied.
    pub rule: String,
}

/// Judges a narration: its words, its speakers, what they say, and whether it tells what the rulebook has denied. `said` are the
/// words that it [gives](super::voices::voiced_words) to anyone, and `speaking` the characters whose rules judge theirs.
#[must_use]
pub(crate) fn judge_narration(
    rules: &StageRules,
    voices: &Voices,
    said: &[VoicedWords],
    speaking: &[Speaking],
    denied: &[Told],
    read: &ReadReply<NarrationReply>,
) -> (Verdict, Option<Approved<NarrationReply>>) {
    let mut verdict = Verdict::default();
    let Some(reply) = begin(read, &mut verdict) else {
        return verdict.close_stage_failed();
    };
    rules.judge_form(&reply.content, &mut verdict);
    rules.judge(&reply.content, Said::Aloud, &mut verdict);
    voices.judge(said, &mut verdict);
    for one in speaking {
        one.judge(&mut verdict);
    }
    for told in denied {
        verdict.add_all(
            contradicted(rules, told, &reply.content)
                .into_iter()
                .collect(),
        );
    }
    verdict.close_stage(Approved::new(rules.run, reply.clone()))
}

/// A clause that says that a denied action succeeded: it names what the action was aimed at, or it has no subject and its sentence
/// names that ("The gate, at last, swings open"), or it has a pronoun for it ("He pushes the gate. It swings open").
fn contradicted(rules: &StageRules, told: &Told, narration: &str) -> Option<Failure> {
    let patterns = PatternSet::compile(&told.patterns).ok()?;
    let names = told.target.iter().map(|name| plain(name).trim().to_owned());
    let names: Vec<String> = names.collect();
    let names_it = |words: &str| {
        let mut names = names.iter();
        names.any(|name| whole_words(words, name).next().is_some())
    };
    let mut before = String::new();
    for range in sentences(narration, rules.lexicon) {
        let sentence = narration.get(range).unwrap_or_default();
        let words = plain(sentence);
        let mut is_about = false;
        let parts = sentence.split([',', ';', ':', '—', '–', '，', '、', '；', '：', '?']);
        for clause in parts {
            let names_it_here = names_it(&plain(clause));
            let was_about = is_about;
            is_about |= names_it_here;
            let hits = patterns.scan(&FoldedText::new(clause));
            let hit = (0..told.patterns.len()).find_map(|pattern| hits.first(pattern));
            let Some(hit) = hit else {
                continue;
            };
            let lead: String = clause.chars().take(hit.start).collect();
            let is_meant = names_it_here
                || match subject_in(&plain(&lead), rules.lexicon) {
                    ClauseSubject::None => was_about,
                    ClauseSubject::Pronoun => was_about || names_it(&ends_of(&before)),
                    ClauseSubject::Other => false,
                };
            if is_meant {
                let words = excerpt(&hit.text);
                return Some(Failure {
                    reason: FailureReason::VerdictContradicted,
                    rule: told.rule.clone(),
                    severity: RuleSeverity::Hard,
                    span: None,
                    message: format!("\"{words}\" did not happen: {}", told.verdict),
                });
            }
        }
        before = words;
    }
    None
}

/// The subject of a clause, as far as the words before its verb tell.
enum ClauseSubject {
    None,
    Pronoun,
    Other,
}

fn subject_in(lead: &str, lexicon: &Lexicon) -> ClauseSubject {
    let fills = [
        &lexicon.adverbs,
        &lexicon.conjunctions,
        &lexicon.imperatives.sequencers,
    ];
    let has = |words: &[String], word: &str| words.iter().any(|known| known == word);
    let mut subject = ClauseSubject::None;
    for word in lead.split_whitespace() {
        if has(&lexicon.third_person, word) {
            subject = ClauseSubject::Pronoun;
        } else if !fills.iter().any(|words| has(words, word)) {
            return ClauseSubject::Other;
        }
    }
    subject
}

/// The first and the last words of a sentence, among which is what a pronoun in the next one means.
fn ends_of(words: &str) -> String {
    const NEAR: usize = 3;
    let all: Vec<&str> = words.split_whitespace().collect();
    let first = all.iter().take(NEAR);
    let last = all.iter().skip(all.len().saturating_sub(NEAR));
    let near: Vec<&str> = first.chain(&["|"]).chain(last).copied().collect();
    near.join(" ")
}

/// Judges what was understood of a wish: its form alone, and whether its constraints name actions that exist.
#[must_use]
pub(crate) fn judge_wish(
    owner: &impl SpendsApprovals,
    actions: &BTreeSet<String>,
    read: &ReadReply<WishReply>,
) -> (Verdict, Option<Approved<WishReply>>) {
    let mut verdict = Verdict::default();
    let Some(wish) = begin(read, &mut verdict) else {
        return verdict.close_stage_failed();
    };
    let named = wish
        .constraints
        .iter()
        .filter_map(|one| one.action.as_ref());
    for unknown in named.filter(|action| !actions.contains(*action)) {
        let name = name_excerpt(unknown, "of another name");
        verdict.add(Failure {
            reason: FailureReason::InvalidFormat,
            rule: "unknown_action".to_owned(),
            severity: RuleSeverity::Hard,
            span: None,
            message: format!("a constraint names an action {name}, which there is not"),
        });
    }
    verdict.close_stage(Approved::new_for(owner.approved_for(), wish.clone()))
}

/// Judges a list of actions or steps: their form, and the problems that the caller found, as rules with their messages.
#[must_use]
pub(crate) fn judge_list<T: Clone>(
    owner: &impl SpendsApprovals,
    reason: FailureReason,
    problems: Vec<(String, String)>,
    read: &ReadReply<Vec<T>>,
) -> (Verdict, Option<Approved<Vec<T>>>) {
    let mut verdict = Verdict::default();
    let Some(list) = begin(read, &mut verdict) else {
        return verdict.close_stage_failed();
    };
    let problems = problems.into_iter().map(|(rule, message)| Failure {
        reason,
        rule,
        severity: RuleSeverity::Hard,
        span: None,
        message,
    });
    verdict.add_all(problems.collect());
    verdict.close_stage(Approved::new_for(owner.approved_for(), list.clone()))
}

/// The keys and titles of lore, as [`twin_key`] writes them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LoreKeys {
    /// Those that no one may change.
    pub fixed: BTreeSet<String>,
    /// All of them.
    pub known: BTreeSet<String>,
    /// The hash of both. A snapshot holds it in their place, since a book may have thousands.
    pub digest: Digest,
}

impl LoreKeys {
    /// These keys and titles.
    #[must_use]
    pub fn new(fixed: BTreeSet<String>, known: BTreeSet<String>) -> Self {
        // No key has a line break; an empty line parts the two.
        let keys: Vec<&str> = fixed
            .iter()
            .map(String::as_str)
            .chain([""])
            .chain(known.iter().map(String::as_str))
            .collect();
        let digest = Digest::of_bytes(keys.join("\n").as_bytes());
        Self {
            fixed,
            known,
            digest,
        }
    }
}

fn digest_of<S: serde::Serializer>(lore: &LoreKeys, serializer: S) -> Result<S::Ok, S::Error> {
    lore.digest.serialize_hex(serializer)
}

/// What an extractor may not write, and what is there already.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize)]
pub struct KnownWrites {
    /// The lore that is there.
    #[serde(serialize_with = "digest_of")]
    pub lore: Arc<LoreKeys>,
    /// Keys of lore that this turn has added, as [`twin_key`] writes them.
    pub added: BTreeSet<String>,
    /// States that the player or the game holds: category and label, folded.
    pub held: BTreeSet<(String, String)>,
    /// All states of the extractor's character: category and label, folded. They are in the prompt, which a snapshot holds.
    #[serde(skip)]
    pub states: BTreeSet<(String, String)>,
    /// A call that is less sure waits for the player, and takes no room before that.
    #[serde(skip)]
    pub review_below: Millionths,
}

/// Judges the calls of an extractor, each on its own: form, authority, and the words of lore. `own` is the id of its
/// character; `None` for the lore extractor, which has none.
#[must_use]
pub(crate) fn judge_calls(
    rules: &StageRules,
    own: Option<&Id>,
    known: &KnownWrites,
    read: &ReadReply<Vec<ReadCall>>,
) -> (Verdict, Option<Approved<Vec<ToolCall>>>) {
    let mut verdict = Verdict::default();
    let Some(calls) = begin(read, &mut verdict) else {
        return verdict.close_stage_failed();
    };
    let mut approved: Vec<ToolCall> = Vec::new();
    let mut new_lore = BTreeSet::new();
    let mut states = known.states.clone();
    for (index, read) in calls.iter().enumerate() {
        let judged = match &read.call {
            _ if index >= MAX_CALLS => Err((
                Rejection::Quota,
                format!("a reply may bring {MAX_CALLS} calls"),
            )),
            Err(why) => Err((Rejection::Malformed, why.clone())),
            Ok(call) => judge_call(rules, own, known, &mut new_lore, call)
                .and_then(
                    |()| match approved.iter().any(|other| same_key(other, call)) {
                        true => Err((
                            Rejection::Duplicate,
                            "the same stands in this reply already".to_owned(),
                        )),
                        false => Ok(()),
                    },
                )
                .and_then(|()| {
                    let sure = call.confidence();
                    match sure.is_some_and(|sure| sure < known.review_below) {
                        true => Ok(()),
                        false => judge_room(&mut states, call),
                    }
                })
                .map(|()| call),
        };
        match judged {
            Ok(call) => approved.push(call.clone()),
            Err((reason, message)) => verdict.rejected_mutations.push(RejectedMutation {
                kind: read.tool.clone(),
                reason,
                rule: reason.rule().to_owned(),
                message,
                span: None,
            }),
        }
    }
    verdict.close_stage(Approved::new(rules.run, approved))
}

/// Whether a state has room. `states` are those that there are, with those that the calls before it make.
fn judge_room(
    states: &mut BTreeSet<(String, String)>,
    call: &ToolCall,
) -> Result<(), (Rejection, String)> {
    let (ToolCall::StateSet {
        category, label, ..
    }
    | ToolCall::StateAdjust {
        category, label, ..
    }) = call
    else {
        return Ok(());
    };
    let state = (fold(category), fold(label));
    if states.contains(&state) {
        return Ok(());
    }
    match room_for(
        states.iter().map(|(category, _)| category.as_str()),
        category,
    ) {
        Ok(()) => {
            states.insert(state);
            Ok(())
        }
        Err(error @ StateError::Full(..)) => Err((Rejection::Quota, error.to_string())),
        Err(error @ StateError::UnknownCategory(_)) => {
            Err((Rejection::Malformed, error.to_string()))
        }
    }
}

/// Whether two calls write the same thing: the second one would undo the first.
fn same_key(a: &ToolCall, b: &ToolCall) -> bool {
    let key = |call: &ToolCall| match call {
        ToolCall::StateSet {
            category, label, ..
        }
        | ToolCall::StateAdjust {
            category, label, ..
        } => [call.tool().to_owned(), fold(category), fold(label)],
        ToolCall::LoreUpsert { key, .. } => [call.tool().to_owned(), twin_key(key), String::new()],
        ToolCall::Custom { fields, .. } => {
            [call.tool().to_owned(), format!("{fields:?}"), String::new()]
        }
    };
    key(a) == key(b)
}

fn judge_call(
    rules: &StageRules,
    own: Option<&Id>,
    known: &KnownWrites,
    new_lore: &mut BTreeSet<String>,
    call: &ToolCall,
) -> Result<(), (Rejection, String)> {
    let authority = Rejection::Gate(FailureReason::AuthorityViolation);
    match call {
        ToolCall::StateSet {
            target,
            category,
            label,
            ..
        }
        | ToolCall::StateAdjust {
            target,
            category,
            label,
            ..
        } => match (target, own) {
            (None, None) => Err((
                Rejection::Malformed,
                "this extractor has no character".to_owned(),
            )),
            (Some(target), own) if Some(target.as_str()) != own.map(Id::as_str) => Err((
                authority,
                "an extractor writes its own character alone".to_owned(),
            )),
            _ if known.held.contains(&(fold(category), fold(label))) => Err((
                authority,
                format!("\"{}\" is held by the game", excerpt(label)),
            )),
            // It appears in prompts, like a memory.
            _ => judge_words(rules, &format!("{category} {label}")),
        },
        ToolCall::Custom { fields, .. } => {
            let texts = fields.values().filter_map(|value| match value {
                ToolValue::Text(text) => Some(text),
                _ => None,
            });
            for text in texts {
                judge_words(rules, text)?;
            }
            Ok(())
        }
        ToolCall::LoreUpsert {
            key,
            text,
            title,
            keywords,
            ..
        } => {
            // Names must not say anything that the memory must not say.
            let named = title.iter().chain(keywords).map(String::as_str);
            for name in named.chain([key.as_str()]) {
                judge_words(rules, name)?;
                judge_words(rules, &name.replace(['_', '-', '.'], " "))?;
            }
            if let Some((reason, _, message)) = protected(rules.canon, rules.world, &twin_key(key))
            {
                return Err((Rejection::Gate(reason), message));
            }
            for name in title.iter().chain([key]) {
                let mut twins = twin_keys(name).into_iter();
                if twins.any(|twin| known.lore.fixed.contains(&twin)) {
                    return Err((
                        authority,
                        format!("\"{}\" is fixed: nobody may change it", excerpt(name)),
                    ));
                }
            }
            let folded = twin_key(key);
            let is_known = known.lore.known.contains(&folded) || known.added.contains(&folded);
            if !is_known && !new_lore.contains(&folded) {
                if new_lore.len() >= MAX_NEW_LORE {
                    return Err((
                        Rejection::Quota,
                        format!("a reply may bring {MAX_NEW_LORE} new entries of lore"),
                    ));
                }
                new_lore.insert(folded);
            }
            judge_words(rules, text)?;
            // Key and title are read together with the text.
            let titles = title.iter().map(String::as_str).chain([key.as_str()]);
            for read in titles.flat_map(|name| read_together(name, text)) {
                judge_words(rules, &read)?;
            }
            Ok(())
        }
    }
}

fn judge_words(rules: &StageRules, text: &str) -> Result<(), (Rejection, String)> {
    let mut found = Verdict::default();
    rules.judge(text, Said::InMemory, &mut found);
    // A requirement applies to a narration, not to a memory: an unmet one has no span.
    let mut found = found.failures.into_iter();
    match found.find(|failure| failure.span.is_some()) {
        Some(failure) => Err((Rejection::Gate(failure.reason), failure.message)),
        None => Ok(()),
    }
}
