//! Component 7, validation: parse, then every judge of the gate.

use super::expectancy::{ConstraintSet, RustRules, evaluate};
use super::interaction::InteractionContext;
use super::snapshot::{Ask, StateSnapshot};
use crate::authoring::Character;
use crate::base::canonical::Encoded;
use crate::base::counters::DramatisCounters;
use crate::base::ids::Id;
use crate::base::seed::WorldSeed;
use crate::engine::Inference;
use crate::gate::words::{JudgedText, judge_closed_since};
use crate::gate::{
    ActionContext, Approvals, CustomChecks, Failure, FailureReason, GateContext, HeardBefore,
    LineRules, Rejection, SnapshotView, Verdict, judge_behind, judge_diary, judge_memories,
    judge_proposed, judge_sentence,
};
use crate::judged_world::change::apply::TurnKey;
use crate::judged_world::state::senses::Senses;
use crate::memory::Mind;
use crate::npc::{KnownNames, LoadedCharacter, PlayerId, own_names};
use crate::pipeline::driver::hook::RunStep;
use crate::pipeline::driver::step::{
    RunFault, Step, StepResult, character_component, run_component,
};
use crate::pipeline::listening::ReplyInProgress;
use crate::pipeline::listening::heard::HeardSentences;
use crate::pipeline::listening::line_end::{cut_line, end_line};
use crate::pipeline::listening::repetition::repeated_bytes;
use crate::pipeline::run::attempt::ParsedReply;
use crate::pipeline::run::{Run, RunPhase};
use crate::policy::Echo;
use crate::proposal::{
    Finish, InvalidFormat, ParseOptions, Proposal, ProposedMutation, parse, parse_memories,
};
use crate::rules::{
    Constraint, ConstraintKind, CustomRule, HiddenTopic, RuleSeverity, Topic, is_closed,
};
use crate::story::Rules;
use crate::world::refresh::refresh;
use crate::world::{Intent, May, WorldView};
use bevy::prelude::*;
use std::collections::BTreeSet;
use std::sync::Arc;

/// What a passed verdict approved. Validation puts it on the run, the commit takes it.
#[derive(Component, Debug, Default)]
#[component(storage = "SparseSet")]
pub(crate) struct Pending(pub Approvals);

/// Counts what a verdict blocked.
pub(crate) fn count_blocked(verdict: &Verdict, counters: &mut DramatisCounters) {
    for rejected in &verdict.rejected_mutations {
        match rejected.reason {
            Rejection::Gate(FailureReason::CanonMutation) => counters.canon_writes_blocked += 1,
            Rejection::Gate(FailureReason::AuthorityViolation) => counters.authority_blocked += 1,
            _ => {}
        }
    }
}

/// What the gate judges the actions of a run by.
pub(crate) fn action_context<'a>(
    rules: &Rules<'a>,
    context: &'a InteractionContext,
    snapshot: &'a StateSnapshot,
    people: &'a [&'a Id],
) -> ActionContext<'a> {
    ActionContext {
        rules: rules.of_actions(),
        key: TurnKey {
            seed: rules.world.resource::<WorldSeed>().0,
            keys: vec![
                "run".to_owned(),
                context.npc.to_string(),
                context.interaction_count.to_string(),
            ],
        },
        people,
        seen: SnapshotView {
            entities: &snapshot.body().seen,
            flags: &snapshot.body().flags,
            time: context.game_time,
            speaker: context.speaker.as_ref(),
            told: Some(snapshot.body().told()),
        },
    }
}

/// The step: parses and judges the reply of a run.
pub(crate) struct JudgeReply;

impl Step for JudgeReply {
    const PHASE: RunPhase = RunPhase::Validation;
    const READS: Option<RunStep> = Some(RunStep::Validation);
    type Frame = ();

    fn run(&self, world: &mut World, entity: Entity, (): &mut ()) -> StepResult {
        refresh(world);
        let (verdict, approvals, parsed) = judge_reply(world, entity)?;
        count_blocked(&verdict, &mut world.resource_mut::<DramatisCounters>());
        let passed = verdict.passed;
        let mut run = world.entity_mut(entity);
        if let Some(mut run) = run.get_mut::<Run>() {
            note_failures(&mut run, &verdict);
        }
        run.insert((verdict, Pending(approvals), ParsedReply(parsed)));
        Ok(if passed {
            RunPhase::Commit
        } else {
            RunPhase::Failed
        })
    }
}

pub(crate) fn note_failures(run: &mut Run, verdict: &Verdict) {
    if verdict.is_critical() {
        run.forbid_retry();
    }
    for failure in &verdict.failures {
        // A model's mistake, not ours: an attacker must not be able to flood the log.
        log::debug!(
            "{}: attempt {}: {:?} {}: {}",
            run.npc(),
            run.attempt(),
            failure.reason,
            failure.rule,
            failure.message
        );
    }
}

/// A reply as it was read, or why it could not be.
pub(crate) type Read = std::result::Result<Proposal, InvalidFormat>;

/// The rules that judge an attempt, in addition to the world: authored parts, which a second opinion may replace.
pub(crate) struct RuleSet<'a> {
    /// Canon, the rulebook, and what the character may do and must not speak of.
    pub rules: Rules<'a>,
    /// The constraints of this attempt.
    pub constraints: &'a [Arc<Encoded<Constraint>>],
    /// Custom rules of every level.
    pub custom: &'a [CustomRule],
    /// Hidden topics that were closed when the input was frozen.
    pub closed: &'a [Topic],
}

/// A verdict, what it approved, and the reply as it was read.
type Judged = (Verdict, Approvals, Read);

fn judge_reply(world: &World, entity: Entity) -> std::result::Result<Judged, RunFault> {
    let closed = frozen_topics(world, entity)?;
    judge_by(entity, &rule_set(world, entity, &closed)?)
}

/// What the gate says of the reply of a run by these rules, in the world as it is now. Nothing changes.
///
/// # Errors
/// [`RunFault`] when the run lacks what its reply is judged by.
pub(crate) fn judge_by(entity: Entity, set: &RuleSet) -> std::result::Result<Judged, RunFault> {
    let world = set.rules.world;
    let asked = run_component::<StateSnapshot>(world, entity)?
        .body()
        .ask
        .words();
    if let Some(words) = asked.filter(|words| words.mute) {
        // It acts, and says nothing.
        let mut proposal = Proposal::of_nothing();
        proposal.speak_only(words.does.as_ref().map(|option| &option.action));
        return judge_read(entity, set, Ok(proposal));
    }
    let inference = run_component::<Inference>(world, entity)?;
    let mut reply = read_reply(entity, set, &inference.bytes, inference.finish)?;
    let read = world.get::<ReplyInProgress>(entity);
    if let (Ok(proposal), Some(asked)) = (&mut reply, asked) {
        match read.and_then(ReplyInProgress::cut) {
            // It was not awaited to its end.
            Some((end, cut)) => cut_line(proposal, end, cut),
            None => end_line(proposal, asked.sentences),
        }
    }
    if let (Ok(proposal), Some(read)) = (&mut reply, read) {
        drop_beginning(proposal, read.dropped());
    }
    judge_read(entity, set, reply)
}

/// The gate's verdict on another reply in place of the one that came. The gate judges it as a whole, after the heard part of the
/// run. Nothing changes.
///
/// # Errors
/// [`RunFault`] when the run lacks the parts that the judgement needs.
pub(crate) fn judge_other_by(
    entity: Entity,
    set: &RuleSet,
    bytes: &[u8],
    finish: Finish,
) -> std::result::Result<(Verdict, Read), RunFault> {
    let world = set.rules.world;
    let mut reply = read_reply(entity, set, bytes, finish)?;
    let asked = run_component::<StateSnapshot>(world, entity)?
        .body()
        .ask
        .words();
    if let (Ok(proposal), Some(asked)) = (&mut reply, asked) {
        end_line(proposal, asked.sentences);
    }
    if let (Ok(proposal), Some(heard)) = (&mut reply, world.get::<HeardSentences>(entity)) {
        let words = heard.iter().map(|one| one.words.as_str());
        let dropped = repeated_bytes(words, &proposal.dialogue, proposal.sentence_ends());
        drop_beginning(proposal, dropped);
    }
    let (verdict, _, reply) = judge_read(entity, set, reply)?;
    Ok((verdict, reply))
}

fn read_reply(
    entity: Entity,
    set: &RuleSet,
    bytes: &[u8],
    finish: Finish,
) -> std::result::Result<Read, RunFault> {
    let world = set.rules.world;
    let character = set.character(entity)?;
    let snapshot = run_component::<StateSnapshot>(world, entity)?;
    let names = own_names(world, run_component::<Run>(world, entity)?.npc_entity());
    let options = ParseOptions {
        finish,
        speaker_names: &names,
        other_names: world.resource::<KnownNames>().labels(),
        line_chars: snapshot.body().line_chars,
        lexicon: set.rules.story().language_of(character),
    };
    if snapshot.body().ask == Ask::Memories {
        return Ok(parse_memories(bytes, &options).map(Proposal::of_memories));
    }
    let mut read = parse(bytes, &options);
    if snapshot.body().ask == Ask::Diary {
        return Ok(read.map(|mut proposal| {
            end_line(&mut proposal, DIARY_SENTENCES);
            Proposal::of_memories(vec![ProposedMutation::episode(proposal.dialogue)])
        }));
    }
    if let (Ok(proposal), Some(words)) = (&mut read, snapshot.body().ask.words()) {
        proposal.speak_only(words.does.as_ref().map(|option| &option.action));
    }
    Ok(read)
}

/// The most sentences of a diary.
const DIARY_SENTENCES: u32 = 4;

/// The beginning that repeats heard sentences is not said again.
fn drop_beginning(proposal: &mut Proposal, bytes: usize) {
    let line = proposal.dialogue.get(bytes..).unwrap_or_default();
    let line = line.trim_start().to_owned();
    proposal.say(&line);
}

/// Judges a reply that was read.
fn judge_read(
    entity: Entity,
    set: &RuleSet,
    mut reply: Read,
) -> std::result::Result<Judged, RunFault> {
    let world = set.rules.world;
    let ask = &run_component::<StateSnapshot>(world, entity)?.body().ask;
    if matches!(ask, Ask::Memories | Ask::Diary) {
        return with_gate(entity, set, |gate, _| {
            let (verdict, approvals) = match &reply {
                Ok(proposal) if *ask == Ask::Diary => judge_diary(gate, proposal),
                Ok(proposal) => judge_memories(gate, proposal),
                Err(error) => (Verdict::unreadable(error), Approvals::default()),
            };
            (verdict, approvals, reply)
        });
    }
    let heard = world.get::<HeardSentences>(entity);
    let before = heard.map(HeardSentences::before).unwrap_or_default();
    with_gate(entity, set, |gate, is_mute| {
        if let Ok(proposal) = &mut reply
            && is_mute
        {
            proposal.silence_behind(heard.map_or("", HeardSentences::current_line));
        }
        let (verdict, approvals) = judge_behind(gate, &reply, &before);
        if let (Ok(proposal), Some(_), false) = (&reply, heard, verdict.passed) {
            // One part of a reply fails, and the first of them is what it does.
            let done = judge_proposed(gate, proposal);
            if !done.passed {
                let verdict = Verdict {
                    warnings: verdict.warnings,
                    ..done
                };
                return (verdict, approvals, reply);
            }
        }
        (verdict, approvals, reply)
    })
}

/// Judges a part of a reply that is still coming: its actions so far, or the next sentence after the heard ones. By the rules of
/// the attempt, and by the topics that the world has closed since.
pub(in crate::pipeline) fn judge_part(
    world: &World,
    entity: Entity,
    proposal: &Proposal,
    heard: Option<&HeardBefore>,
) -> std::result::Result<Verdict, RunFault> {
    let closed = frozen_topics(world, entity)?;
    let set = rule_set(world, entity, &closed)?;
    judge_part_by(entity, &set, proposal, heard)
}

/// The same by other rules.
pub(crate) fn judge_part_by(
    entity: Entity,
    set: &RuleSet,
    proposal: &Proposal,
    heard: Option<&HeardBefore>,
) -> std::result::Result<Verdict, RunFault> {
    let since = closed_since(set, entity)?;
    with_gate(entity, set, |gate, is_mute| {
        let Some(heard) = heard else {
            return judge_proposed(gate, proposal);
        };
        if is_mute {
            // No character hears it.
            return Verdict::of_nothing();
        }
        let mut verdict = judge_sentence(gate, proposal, heard);
        let line = heard.join(&proposal.dialogue);
        let (tail, heard) = heard.tail_of(&line);
        let text = JudgedText::new(tail);
        let since = heard.new_findings(&text, |text| judge_closed_since(&since, text));
        verdict.passed &= since.is_empty();
        verdict.failures.extend(since);
        verdict
    })
}

impl<'a> RuleSet<'a> {
    fn character(&self, entity: Entity) -> std::result::Result<&'a Character, RunFault> {
        judged_by(&self.rules, entity)
    }
}

/// The file that a run is judged by.
fn judged_by<'a>(
    rules: &Rules<'a>,
    entity: Entity,
) -> std::result::Result<&'a Character, RunFault> {
    let run = run_component::<Run>(rules.world, entity)?;
    let own = &character_component::<LoadedCharacter>(rules.world, run)?.0;
    Ok(rules.of_character(own))
}

/// The constraints of a run by these rules, in the world as it is now.
pub(crate) fn constraints_by(
    rules: &Rules,
    entity: Entity,
) -> std::result::Result<ConstraintSet, RunFault> {
    let world = rules.world;
    let context = run_component::<InteractionContext>(world, entity)?;
    Ok(evaluate(
        &context.conditions(),
        rules.story(),
        judged_by(rules, entity)?,
        world.resource::<RustRules>(),
        &WorldView::new(world),
    ))
}

/// The hidden topics of a run's character that are closed now.
pub(crate) fn closed_now<'a>(
    rules: &Rules<'a>,
    entity: Entity,
) -> std::result::Result<Vec<&'a HiddenTopic>, RunFault> {
    let context = run_component::<InteractionContext>(rules.world, entity)?;
    let live = WorldView::new(rules.world);
    let hidden = judged_by(rules, entity)?.rules.hidden.iter();
    let closed = hidden.filter(|hidden| is_closed(hidden, &context.conditions(), &live));
    Ok(closed.collect())
}

/// The hidden topics that were open when the input of a run was frozen and are closed now.
pub(crate) fn closed_since<'a>(
    set: &RuleSet<'a>,
    entity: Entity,
) -> std::result::Result<Vec<&'a HiddenTopic>, RunFault> {
    let mut closed = closed_now(&set.rules, entity)?;
    let before = |topic: &Topic| set.closed.iter().any(|was| was.source == topic.source);
    closed.retain(|hidden| !before(&hidden.topic));
    Ok(closed)
}

/// What a line and actions that passed say of topics that have closed since.
pub(crate) fn said_of_closed<'i>(
    since: &[&HiddenTopic],
    heard: Option<&HeardSentences>,
    line: &str,
    intents: impl Iterator<Item = &'i Intent>,
) -> Vec<Failure> {
    if since.is_empty() {
        return Vec::new();
    }
    let judge = |words: &JudgedText| judge_closed_since(since, words);
    let heard = heard.map(HeardSentences::before).unwrap_or_default();
    let mut failures = heard.new_findings(&JudgedText::new(line), judge);
    failures.extend(
        intents
            .flat_map(Intent::words)
            .flat_map(|words| judge(&JudgedText::new(words))),
    );
    failures
}

/// The hidden topics that were closed when the input of a run was frozen.
pub(crate) fn frozen_topics(
    world: &World,
    entity: Entity,
) -> std::result::Result<Vec<Topic>, RunFault> {
    let character = judged_by(&Rules::of_game(world), entity)?;
    let body = run_component::<StateSnapshot>(world, entity)?.body();
    let closed: BTreeSet<&str> = body.closed_topics.iter().map(String::as_str).collect();
    let is_closed = |topic: &Topic| closed.contains(&*topic.source);
    let hidden = character.rules.hidden.iter().map(|hidden| &hidden.topic);
    Ok(hidden.filter(|topic| is_closed(topic)).cloned().collect())
}

/// What the attempt of a run is judged by. `closed`: what [`frozen_topics`] gives.
pub(crate) fn rule_set<'a>(
    world: &'a World,
    entity: Entity,
    closed: &'a [Topic],
) -> std::result::Result<RuleSet<'a>, RunFault> {
    Ok(RuleSet {
        rules: Rules::of_game(world),
        constraints: &run_component::<StateSnapshot>(world, entity)?
            .body()
            .constraints,
        custom: &run_component::<ConstraintSet>(world, entity)?.custom,
        closed,
    })
}

/// Lets the gate judge something of a run. The judge is told whether the character is mute.
fn with_gate<R>(
    entity: Entity,
    set: &RuleSet,
    judge: impl FnOnce(&GateContext, bool) -> R,
) -> std::result::Result<R, RunFault> {
    let world = set.rules.world;
    let character = set.character(entity)?;
    let run = run_component::<Run>(world, entity)?;
    let context = run_component::<InteractionContext>(world, entity)?;
    let snapshot = run_component::<StateSnapshot>(world, entity)?;
    let view = WorldView::new(world);
    let mute = Senses::of(&view, run.npc()).mute;
    // It is no failure when a mute character does not say something.
    let spoken: Vec<Arc<Encoded<Constraint>>>;
    let rules_constraints = match mute {
        true => {
            let kept = set.constraints.iter();
            let kept = kept.filter(|rule| rule.kind != ConstraintKind::Requirement);
            spoken = kept.cloned().collect();
            &spoken[..]
        }
        false => set.constraints,
    };
    let custom: Vec<CustomRule>;
    let rules_custom = match mute {
        true => {
            let kept = set.custom.iter().filter(|rule| rule.prohibits);
            custom = kept.cloned().collect();
            &custom[..]
        }
        false => set.custom,
    };
    let player = &world.resource::<PlayerId>().0;
    let people: Vec<&Id> = [player].into_iter().chain(&context.speaker).collect();
    let story = set.rules.story();
    let canon = story.canon_of(character);
    let mind = world.get::<Mind>(run.npc_entity());
    let gate = GateContext {
        run: run.number(),
        interaction: context.conditions(),
        constraints: rules_constraints,
        canon: &canon,
        forbidden: &character.rules.forbidden,
        closed: set.closed,
        custom: rules_custom,
        checks: world.resource::<CustomChecks>(),
        lines: mind.map(|mind| LineRules {
            earlier: &mind.lines,
            echo: snapshot.body().echo,
            echo_severity: match story.echo_of(character) {
                Echo::Soft => RuleSeverity::Soft,
                Echo::Hard => RuleSeverity::Hard,
            },
            language: story.checked_language_of(character),
        }),
        may: May::of_character(character.may.as_deref()),
        world: &view,
        actions: action_context(&set.rules, context, snapshot, &people),
    };
    Ok(judge(&gate, mute))
}
