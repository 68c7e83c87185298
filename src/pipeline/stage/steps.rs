//! The steps of a run of a stage, where they differ from those of a dialogue.

use crate::base::counters::DramatisCounters;
use crate::base::seed::WorldSeed;
use crate::engine::{Inference, RunEngine, Stage};
use crate::gate::actions::MAX_INTENTS;
use crate::gate::{
    Approved, CustomChecks, FailureReason, Speaking, StageRules, Verdict, judge_calls,
    judge_intention, judge_lines, judge_list, judge_narration, judge_wish, voiced_words,
};
use crate::pipeline::driver::hook::{RunStep, call_hook};
use crate::pipeline::driver::step::{RunFault, Serves, Step, StepResult, run_component};
use crate::pipeline::listening::speaking::{self, CharacterWords};
use crate::pipeline::run::attempt::{AttemptError, AttemptFailure, AttemptLog};
use crate::pipeline::run::finish::end_run;
use crate::pipeline::run::outcome::Outcome;
use crate::pipeline::run::{Run, RunPhase};
use crate::pipeline::stage::{StageForm, StageResult, StageSnapshot, StageTask, judged_character};
use crate::pipeline::steps::expectancy::{ConstraintSet, RustRules, evaluate, evaluate_story};
use crate::pipeline::steps::interaction::InteractionContext;
use crate::pipeline::steps::mutation::MutationReport;
use crate::pipeline::steps::prompt::{AssembledPrompt, escape, of_stage};
use crate::pipeline::steps::snapshot::{Escalated, merge_constraints};
use crate::pipeline::steps::validation::{RuleSet, count_blocked, note_failures};
use crate::proposal::{
    Finish, MAX_LINE_CHARS, MAX_LINES, ParseOptions, ToolSpec, parse_actions, parse_calls,
    parse_intention, parse_lines, parse_narration, parse_plan, parse_wish,
};
use crate::rules::{Constraint, ConstraintKind};
use crate::story::Rules;
use crate::world::WorldView;
use crate::world::refresh::refresh;
use bevy::prelude::*;

/// The step: finds the constraints of a stage. Those of a character count for its intentions, those of the story for
/// narrations and lore.
pub(crate) struct FindStageConstraints;

impl Step for FindStageConstraints {
    const PHASE: RunPhase = RunPhase::Expectancy;
    const READS: Option<RunStep> = None;
    const SERVES: Serves = Serves::Stages;
    type Frame = ();

    fn run(&self, world: &mut World, entity: Entity, (): &mut ()) -> StepResult {
        let constraints = stage_constraints(&Rules::of_game(world), entity)?;
        world.entity_mut(entity).insert(constraints);
        Ok(RunPhase::Snapshot)
    }
}

/// The constraints of a stage by these rules: those of a character where it is judged by its file, else those of the story.
pub(crate) fn stage_constraints(
    rules: &Rules,
    entity: Entity,
) -> std::result::Result<ConstraintSet, RunFault> {
    let (world, story) = (rules.world, rules.story());
    let task = run_component::<StageTask>(world, entity)?;
    let interaction = run_component::<InteractionContext>(world, entity)?.conditions();
    let rust = world.resource::<RustRules>();
    let view = WorldView::new(world);
    if matches!(task.form, StageForm::Lines(_)) {
        // The player is told no rule.
        return Ok(ConstraintSet::default());
    }
    Ok(match judged_character(rules, task) {
        Some(character) => evaluate(&interaction, story, character, rust, &view),
        // States that an extractor writes are no speech, and the code that asked for a plan judges it.
        None if matches!(
            &task.form,
            StageForm::Calls { own: Some(_), .. }
                | StageForm::Wish { .. }
                | StageForm::Steps(_)
                | StageForm::Actions(_)
        ) =>
        {
            ConstraintSet::default()
        }
        None => evaluate_story(&interaction, story, rust, &view),
    })
}

/// The step: freezes the input of the next attempt of a stage.
pub(crate) struct FreezeStage;

impl Step for FreezeStage {
    const PHASE: RunPhase = RunPhase::Snapshot;
    const READS: Option<RunStep> = None;
    const SERVES: Serves = Serves::Stages;
    type Frame = ();

    fn run(&self, world: &mut World, entity: Entity, (): &mut ()) -> StepResult {
        let escalated = world.entity_mut(entity).take::<Escalated>();
        let run = run_component::<Run>(world, entity)?;
        let task = run_component::<StageTask>(world, entity)?;
        let log = run_component::<AttemptLog>(world, entity)?;
        let attempt = u32::try_from(log.0.len()).unwrap_or(u32::MAX);
        let escalated = escalated.unwrap_or_default();
        let mut constraints = match world.get::<StageSnapshot>(entity) {
            Some(last) => last.constraints.clone(),
            None => run_component::<ConstraintSet>(world, entity)?
                .constraints
                .clone(),
        };
        merge_constraints(&mut constraints, escalated.constraints);
        let seed = world.resource::<WorldSeed>().0;
        let snapshot = StageSnapshot::freeze(
            run.stage(),
            task,
            seed,
            attempt,
            constraints,
            escalated.feedback,
        );
        let snapshot = snapshot?;
        let mut run = world.entity_mut(entity);
        run.insert(snapshot);
        if let Some(mut run) = run.get_mut::<Run>() {
            run.set_attempt(attempt);
        }
        Ok(RunPhase::Prompt)
    }
}

/// The step: writes the prompt of a stage.
pub(crate) struct WriteStagePrompt;

impl Step for WriteStagePrompt {
    const PHASE: RunPhase = RunPhase::Prompt;
    const READS: Option<RunStep> = None;
    const SERVES: Serves = Serves::Stages;
    type Frame = ();

    fn run(&self, world: &mut World, entity: Entity, (): &mut ()) -> StepResult {
        let task = run_component::<StageTask>(world, entity)?;
        let snapshot = run_component::<StageSnapshot>(world, entity)?;
        let engine = run_component::<RunEngine>(world, entity)?;
        let most = run_component::<Run>(world, entity)?.policy().max_attempts;
        let prompt = assemble_stage(task, snapshot, most);
        let chars: usize = prompt.sections.iter().map(|section| section.chars).sum();
        let limit = engine.identity().capabilities.context_chars;
        world.resource_mut::<DramatisCounters>().attempts += 1;
        let mut run = world.entity_mut(entity);
        if chars <= limit {
            run.insert(prompt);
            return Ok(RunPhase::Call);
        }
        run.insert(AssembledPrompt::too_long(prompt.sections.to_vec()));
        if let Some(mut run) = run.get_mut::<Run>() {
            run.forbid_retry();
        }
        run.insert(AttemptFailure {
            error: AttemptError::ContextLimit,
            message: format!("the prompt has {chars} characters, and the engine takes {limit}"),
        });
        Ok(RunPhase::Failed)
    }
}

/// The prompt of a stage: the template's words around what has happened, then rules, feedback and the input.
fn assemble_stage(task: &StageTask, snapshot: &StageSnapshot, most: u32) -> AssembledPrompt {
    let says = &task.prompt_words;
    let attempt = (snapshot.attempt + 1).to_string();
    let numbers = [("attempt", &*attempt), ("most", &*most.to_string())];
    let list = |heading: &str, lines: Vec<String>| match lines.is_empty() {
        true => String::new(),
        false => format!("## {heading}\n{}\n", lines.concat()),
    };
    let rules = snapshot
        .constraints
        .iter()
        .filter_map(|rule| rule_line(rule));
    let feedback = snapshot.feedback.iter().map(|line| format!("- {line}\n"));
    // A stage that makes an intention has the last narration in its view.
    let shown = matches!(task.form, StageForm::Intention(_));
    let input = match task.input.is_empty() || shown {
        true => String::new(),
        false => format!("<heard>{}</heard>\n", escape(&task.input)),
    };
    let now = [
        (
            "constraints",
            list(says.get("heading_rules"), rules.collect()),
        ),
        (
            "feedback",
            list(&says.say("heading_feedback", &numbers), feedback.collect()),
        ),
        ("input", input),
    ];
    of_stage(&task.words, now)
}

fn rule_line(rule: &Constraint) -> Option<String> {
    let words = match rule.prompt.is_empty() {
        true => &rule.description,
        false => &rule.prompt,
    };
    (rule.kind != ConstraintKind::Permission && !words.is_empty()).then(|| format!("- {words}\n"))
}

/// The step: parses and judges the reply of a stage.
pub(crate) struct JudgeStage;

impl Step for JudgeStage {
    const PHASE: RunPhase = RunPhase::Validation;
    const READS: Option<RunStep> = None;
    const SERVES: Serves = Serves::Stages;
    type Frame = ();

    fn run(&self, world: &mut World, entity: Entity, (): &mut ()) -> StepResult {
        refresh(world);
        let StageJudgement {
            verdict,
            words,
            result,
        } = judge_stage(world, entity)?;
        count_blocked(&verdict, &mut world.resource_mut::<DramatisCounters>());
        let mut run = world.entity_mut(entity);
        if let Some(mut run) = run.get_mut::<Run>() {
            note_failures(&mut run, &verdict);
        }
        run.insert(verdict);
        let passed = result.is_some();
        if let Some(result) = result {
            run.insert(result);
        }
        call_hook(world, |hook, world| {
            hook.stage_judged(world, entity, &words)
        });
        Ok(match passed {
            true => RunPhase::Commit,
            false => RunPhase::Failed,
        })
    }
}

fn judge_stage(world: &World, entity: Entity) -> std::result::Result<StageJudgement, RunFault> {
    let inference = run_component::<Inference>(world, entity)?;
    let rules = RuleSet {
        rules: Rules::of_game(world),
        constraints: &run_component::<StageSnapshot>(world, entity)?.constraints,
        custom: &run_component::<ConstraintSet>(world, entity)?.custom,
        // Those of a character are looked up in the world as it is.
        closed: &[],
    };
    judge_stage_by(entity, &rules, &inference.bytes, inference.finish)
}

/// The judgement on the reply of a stage.
pub(crate) struct StageJudgement {
    /// The problems that were found in it, and whether it passes.
    pub verdict: Verdict,
    /// The words that were judged as a whole: spans of findings count in their characters. Empty where there are none, and where
    /// the reply could not be read.
    pub words: String,
    /// What passes; `None` when nothing does.
    pub result: Option<StageResult>,
}

/// What these rules say of a reply, as one to the attempt that a stage is making.
pub(crate) fn judge_stage_by(
    entity: Entity,
    by: &RuleSet,
    bytes: &[u8],
    finish: Finish,
) -> std::result::Result<StageJudgement, RunFault> {
    let (world, story) = (by.rules.world, by.rules.story());
    let run = run_component::<Run>(world, entity)?;
    let task = run_component::<StageTask>(world, entity)?;
    let context = run_component::<InteractionContext>(world, entity)?;
    let view = WorldView::new(world);
    let character = judged_character(&by.rules, task);
    let (lexicon, canon, topics) = match character {
        Some(character) => {
            let words = CharacterWords::of(story, character, &context.conditions(), &view);
            (words.lexicon, words.canon, words.topics)
        }
        None => (&*story.lexicon, story.canon.clone(), Vec::new()),
    };
    let rules = StageRules {
        run: run.number(),
        interaction: context.conditions(),
        constraints: by.constraints,
        canon: &canon,
        topics: &topics,
        custom: by.custom,
        checks: world.resource::<CustomChecks>(),
        world: &view,
        lexicon,
    };
    let names: Vec<String> = character
        .map(|character| vec![character.name.clone(), character.id.to_string()])
        .unwrap_or_default();
    let options = ParseOptions {
        finish,
        speaker_names: &names,
        lexicon,
        ..ParseOptions::default()
    };
    let mut words = String::new();
    let (verdict, result) = match &task.form {
        StageForm::Intention(_) => {
            let read = parse_intention(bytes, &options);
            if let Ok((reply, _)) = &read {
                words.clone_from(&reply.intention);
            }
            let (verdict, reply) = judge_intention(&rules, &read);
            (verdict, reply.map(StageResult::Intention))
        }
        StageForm::Narration {
            speakers,
            voices,
            denied,
        } => {
            let read = parse_narration(bytes, &options, speakers).map(|reply| (reply, Vec::new()));
            if let Ok((reply, _)) = &read {
                words.clone_from(&reply.content);
            }
            let all = match &read {
                Ok((reply, _)) => voiced_words(reply, speakers, lexicon),
                Err(_) => Vec::new(),
            };
            let said = all.iter().filter(|words| voices.judges_by_rules(words));
            let said: Vec<_> = said.cloned().collect();
            let who = speaking::speakers(&by.rules, &view, context, &said);
            let judged = who
                .iter()
                .map(|one| one.judged(rules.run, rules.checks, &view));
            let judged: Vec<Speaking> = judged.collect();
            let (verdict, reply) = judge_narration(&rules, voices, &all, &judged, denied, &read);
            (verdict, reply.map(StageResult::Narration))
        }
        StageForm::Calls { own, known, tools } => {
            let read = parse_calls(bytes, &options, tools);
            let (verdict, reply) = judge_calls(&rules, own.as_ref(), known, &read);
            (verdict, reply.map(StageResult::Calls))
        }
        StageForm::Lines(_) => {
            let read = parse_lines(bytes, &options);
            let (verdict, reply) = judge_lines(&rules, &read);
            (verdict, reply.map(StageResult::Lines))
        }
        StageForm::Wish { actions } => {
            let (verdict, reply) = judge_wish(run, actions, &parse_wish(bytes, &options));
            (verdict, reply.map(StageResult::Wish))
        }
        StageForm::Steps(check) => {
            let read = parse_plan(bytes, &options);
            let problems = match &read {
                Ok((steps, _)) => check.problems(world, steps),
                Err(_) => Vec::new(),
            };
            let reason = FailureReason::PlanRejected;
            let (verdict, reply) = judge_list(run, reason, problems, &read);
            (verdict, reply.map(StageResult::Steps))
        }
        StageForm::Actions(check) => {
            let read = parse_actions(bytes, &options, MAX_INTENTS);
            let problems = match &read {
                Ok((actions, _)) if !run.is_last_attempt() => check.problems(world, actions),
                _ => Vec::new(),
            };
            let reason = FailureReason::ActionRejected;
            let (verdict, reply) = judge_list(run, reason, problems, &read);
            (verdict, reply.map(StageResult::Actions))
        }
    };
    Ok(StageJudgement {
        verdict,
        words,
        result,
    })
}

/// The step: ends a run of a stage whose reply passed. What it answered waits on the run for the end of its turn.
pub(crate) struct CommitStage;

impl Step for CommitStage {
    const PHASE: RunPhase = RunPhase::Commit;
    const READS: Option<RunStep> = None;
    const SERVES: Serves = Serves::Stages;
    type Frame = ();

    fn run(&self, world: &mut World, entity: Entity, (): &mut ()) -> StepResult {
        let rejected = run_component::<Verdict>(world, entity)?
            .rejected_mutations
            .clone();
        let (line, calls) = match run_component::<StageResult>(world, entity)? {
            StageResult::Narration(narration) => (narration.get().content.clone(), 0),
            StageResult::Intention(_)
            | StageResult::Lines(_)
            | StageResult::Wish(_)
            | StageResult::Steps(_)
            | StageResult::Actions(_) => (String::new(), 0),
            StageResult::Calls(calls) => (String::new(), Approved::get(calls).len()),
        };
        world.entity_mut(entity).insert(MutationReport {
            attempted: calls,
            succeeded: calls,
            rejected,
            ..MutationReport::default()
        });
        end_run(world, entity, Outcome::Accepted { line });
        Ok(RunPhase::Ended)
    }
}

/// The schema of a stage's reply; `None` for the narrator, which answers with prose. `tools` are the game's tools that the stage
/// has.
#[must_use]
pub fn stage_schema(stage: Stage, tools: &[ToolSpec]) -> Option<serde_json::Value> {
    use serde_json::json;
    let text = |most: u32| json!({"type": "string", "minLength": 1, "maxLength": most});
    let object = |tool: &str, fields: serde_json::Value| {
        // A list: servers do not keep numbers within bounds.
        let confidence = json!({"enum": [null, 0.1, 0.3, 0.5, 0.7, 0.9, 1.0]});
        let mut properties = json!({"tool": {"const": tool}, "confidence": confidence});
        let mut required = vec!["tool".to_owned(), "confidence".to_owned()];
        if let (Some(all), Some(more)) = (properties.as_object_mut(), fields.as_object()) {
            required.extend(more.keys().cloned());
            all.extend(more.clone());
        }
        json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
    };
    let states = || {
        let category = json!({"enum": ["core", "persistent", "temporal"]});
        vec![
            object(
                "state_set",
                json!({"category": category, "label": text(64), "level": {"type": "integer", "minimum": 0, "maximum": 30}}),
            ),
            object(
                "state_adjust",
                json!({"category": category, "label": text(64), "by": {"type": "integer", "minimum": -30, "maximum": 30}}),
            ),
        ]
    };
    let calls = |mut built_in: Vec<serde_json::Value>| {
        let own = tools.iter();
        built_in.extend(own.map(|tool| object(&tool.name, tool.schema_fields())));
        let tools = built_in;
        let calls = json!({"type": "array", "maxItems": 8, "items": {"anyOf": tools}});
        json!({"type": "object", "properties": {"calls": calls}, "required": ["calls"], "additionalProperties": false})
    };
    match stage {
        Stage::PersonaIntent | Stage::NpcIntent => Some(json!({
            "type": "object",
            "properties": {
                "thought": {"type": ["string", "null"], "maxLength": 500},
                "intention": text(500),
            },
            "required": ["thought", "intention"],
            "additionalProperties": false,
        })),
        Stage::PersonaExtractor | Stage::CharacterExtractor => Some(calls(states())),
        Stage::PlayerLines => Some(json!({
            "type": "object",
            "properties": {"lines": {"type": "array", "maxItems": MAX_LINES, "items": text(MAX_LINE_CHARS)}},
            "required": ["lines"],
            "additionalProperties": false,
        })),
        Stage::LoreExtractor => {
            let keywords = json!({"type": "array", "maxItems": 8, "items": text(32)});
            Some(calls(vec![object(
                "lore_upsert",
                json!({"key": text(64), "text": text(500), "title": {"type": ["string", "null"], "maxLength": 64}, "keywords": keywords}),
            )]))
        }
        Stage::Dialogue
        | Stage::Decide
        | Stage::Speak
        | Stage::Remember
        | Stage::Diary
        | Stage::Narrator
        | Stage::Recap
        | Stage::PlanIntent
        | Stage::Plan
        | Stage::Parser => None,
    }
}
