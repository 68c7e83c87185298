//! Templates: the words of each stage's prompt, as Handlebars text.
//!
//! A template holds two messages: what stands above a line of three dashes is the system message, the rest is the user
//! message. What players and models have said is data to a template, never a template itself, and nothing is escaped for
//! HTML. Beside Handlebars' own helpers there are `{{#take list n}}` and `{{#last list n}}`, which go through the first or the
//! last `n` entries of a list.

use crate::engine::Stage;
use bevy::prelude::Resource;
use handlebars::{
    BlockContext, Context, Handlebars, Helper, HelperDef, HelperResult, Output, RenderContext,
    Renderable,
};
use serde_json::Value;
use std::sync::Arc;
use thiserror::Error;

/// Why a template cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TemplateError {
    /// It does not parse.
    #[error("the template of {stage}, line {line}, column {column}: {message}")]
    Parse {
        /// The stage that it is for.
        stage: &'static str,
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
        /// What is wrong, for people.
        message: String,
    },
    /// It cannot be rendered, such as for a partial that does not exist.
    #[error("the template of {stage}: {message}")]
    Render {
        /// The stage that it is for.
        stage: &'static str,
        /// What is wrong, for people.
        message: String,
    },
    /// Nothing has a template of this name.
    #[error("there is no template \"{0}\": the names are {names}", names = names().join(", "))]
    UnknownName(String),
    /// No template is for this stage.
    #[error("the stage {0} has no template")]
    NoTemplate(&'static str),
}

/// The templates of all stages. A clone is cheap.
#[derive(Resource, Clone)]
pub struct StageTemplates(Arc<Handlebars<'static>>);

/// The name of the template for the prose of actors' turns.
const TOLD_TURN: &str = "told_turn";
/// The name of the template for answers to asides.
const ASIDE: &str = "aside";
const ASIDE_SOURCE: &str = include_str!("../../assets/prompts/aside.hbs");
/// The name of the template for recaps.
const RECAP: &str = "recap";
const RECAP_SOURCE: &str = include_str!("../../assets/prompts/recap.hbs");
const TOLD_TURN_SOURCE: &str = include_str!("../../assets/prompts/told_turn.hbs");

const SHIPPED: [(Stage, &str); 8] = [
    (
        Stage::PlanIntent,
        include_str!("../../assets/prompts/plan_intent.hbs"),
    ),
    (Stage::Plan, include_str!("../../assets/prompts/plan.hbs")),
    (
        Stage::PersonaIntent,
        include_str!("../../assets/prompts/persona_intent.hbs"),
    ),
    (
        Stage::NpcIntent,
        include_str!("../../assets/prompts/npc_intent.hbs"),
    ),
    (
        Stage::Narrator,
        include_str!("../../assets/prompts/narrator.hbs"),
    ),
    (
        Stage::PersonaExtractor,
        include_str!("../../assets/prompts/persona_extractor.hbs"),
    ),
    (
        Stage::CharacterExtractor,
        include_str!("../../assets/prompts/character_extractor.hbs"),
    ),
    (
        Stage::LoreExtractor,
        include_str!("../../assets/prompts/lore_extractor.hbs"),
    ),
];

impl Default for StageTemplates {
    fn default() -> Self {
        let mut engine = Handlebars::new();
        engine.register_escape_fn(handlebars::no_escape);
        engine.register_helper("take", Box::new(Part { last: false }));
        engine.register_helper("last", Box::new(Part { last: true }));
        let mut templates = Self(Arc::new(engine));
        let beside = [
            (TOLD_TURN, TOLD_TURN_SOURCE),
            (ASIDE, ASIDE_SOURCE),
            (RECAP, RECAP_SOURCE),
        ];
        for (name, source) in beside {
            if let Err(error) = templates.set_named(name, source) {
                log::error!("{error}");
            }
        }
        for (stage, source) in SHIPPED {
            if let Err(error) = templates.set(stage, source) {
                log::error!("{error}");
            }
        }
        templates
    }
}

impl StageTemplates {
    /// Takes another template for a stage.
    ///
    /// # Errors
    /// [`TemplateError::Parse`] with line and column. The template that was there stays then.
    pub fn set(&mut self, stage: Stage, source: &str) -> Result<(), TemplateError> {
        self.set_named(stage.snake_case(), source)
    }

    /// Takes another template for the prose of actors' turns outside of an adventure.
    ///
    /// # Errors
    /// [`TemplateError::Parse`] with line and column. The template that was there stays then.
    pub fn set_told_turn(&mut self, source: &str) -> Result<(), TemplateError> {
        self.set_named(TOLD_TURN, source)
    }

    /// Takes another template for answers to asides.
    ///
    /// # Errors
    /// [`TemplateError::Parse`] with line and column. The template that was there stays then.
    pub fn set_aside(&mut self, source: &str) -> Result<(), TemplateError> {
        self.set_named(ASIDE, source)
    }

    /// Takes another template for recaps.
    ///
    /// # Errors
    /// [`TemplateError::Parse`] with line and column. The template that was there stays then.
    pub fn set_recap(&mut self, source: &str) -> Result<(), TemplateError> {
        self.set_named(RECAP, source)
    }

    /// Takes the template of a file over: `name` is that of the file without its ending, such as `narrator`.
    ///
    /// # Errors
    /// [`TemplateError::UnknownName`] when nothing has such a template, [`TemplateError::Parse`] with line and column. The
    /// template that was there stays then.
    pub fn set_file(&mut self, name: &str, source: &str) -> Result<(), TemplateError> {
        self.set_named(known_name(name)?, source)
    }

    fn set_named(&mut self, name: &'static str, source: &str) -> Result<(), TemplateError> {
        let (system, user) = split(source);
        for (part, text, skipped) in [
            ("system", system, 0),
            ("user", user, source.len() - user.len()),
        ] {
            let lines_before = source[..skipped].matches('\n').count();
            let template = handlebars::Template::compile(text).map_err(|error| {
                let (line, column) = error.pos().unwrap_or((1, 1));
                TemplateError::Parse {
                    stage: name,
                    line: line + lines_before,
                    column,
                    message: error.reason().to_string().trim().to_owned(),
                }
            })?;
            Arc::make_mut(&mut self.0).register_template(&format!("{name}/{part}"), template);
        }
        Ok(())
    }

    /// The system message and the user message of a stage, made of this data.
    ///
    /// # Errors
    /// [`TemplateError`] when the stage has no template, or it cannot be rendered.
    pub fn render(&self, stage: Stage, data: &Value) -> Result<[String; 2], TemplateError> {
        self.render_named(stage.snake_case(), data)
    }

    pub(super) fn render_told_turn(&self, data: &Value) -> Result<[String; 2], TemplateError> {
        self.render_named(TOLD_TURN, data)
    }

    pub(super) fn render_aside(&self, data: &Value) -> Result<[String; 2], TemplateError> {
        self.render_named(ASIDE, data)
    }

    pub(super) fn render_recap(&self, data: &Value) -> Result<[String; 2], TemplateError> {
        self.render_named(RECAP, data)
    }

    fn render_named(&self, name: &'static str, data: &Value) -> Result<[String; 2], TemplateError> {
        let render = |part: &str| {
            let template = format!("{name}/{part}");
            if !self.0.has_template(&template) {
                return Err(TemplateError::NoTemplate(name));
            }
            self.0
                .render(&template, data)
                .map_err(|error| TemplateError::Render {
                    stage: name,
                    message: error.reason().to_string(),
                })
        };
        Ok([render("system")?, render("user")?])
    }
}

/// The names of all templates: what their files are called, without the ending.
fn names() -> Vec<&'static str> {
    let stages = SHIPPED.iter().map(|(stage, _)| stage.snake_case());
    stages.chain([TOLD_TURN, ASIDE, RECAP]).collect()
}

fn known_name(name: &str) -> Result<&'static str, TemplateError> {
    let known = names().into_iter().find(|known| *known == name);
    known.ok_or_else(|| TemplateError::UnknownName(name.escape_debug().take(64).collect()))
}

/// Whether a template of this name could be used.
///
/// # Errors
/// As of [`StageTemplates::set_file`].
pub fn check_template(name: &str, source: &str) -> Result<(), TemplateError> {
    StageTemplates::default().set_file(name, source)
}

/// The two messages of a template; the second is empty where there is no line of three dashes.
fn split(source: &str) -> (&str, &str) {
    let mut at = 0;
    for line in source.split_inclusive('\n') {
        if line.trim_end() == "---" {
            return (&source[..at], &source[at + line.len()..]);
        }
        at += line.len();
    }
    (source, "")
}

/// `{{#take list n}}` and `{{#last list n}}`.
#[derive(Clone, Copy)]
struct Part {
    last: bool,
}

impl HelperDef for Part {
    fn call<'reg: 'rc, 'rc>(
        &self,
        helper: &Helper<'rc>,
        engine: &'reg Handlebars<'reg>,
        context: &'rc Context,
        render: &mut RenderContext<'reg, 'rc>,
        out: &mut dyn Output,
    ) -> HelperResult {
        let list = helper.param(0).and_then(|list| list.value().as_array());
        let count = helper.param(1).and_then(|count| count.value().as_u64());
        let (Some(list), Some(template)) = (list, helper.template()) else {
            return Ok(());
        };
        let count = usize::try_from(count.unwrap_or_default()).unwrap_or(usize::MAX);
        let count = count.min(list.len());
        let part = match self.last {
            true => &list[list.len() - count..],
            false => &list[..count],
        };
        for entry in part {
            let mut block = BlockContext::new();
            block.set_base_value(entry.clone());
            render.push_block(block);
            let rendered = template.render(engine, context, render, out);
            render.pop_block();
            rendered?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn render(source: &str, data: Value) -> Result<String, TemplateError> {
        let mut templates = StageTemplates::default();
        templates.set(Stage::Narrator, source)?;
        let [system, user] = templates.render(Stage::Narrator, &data)?;
        Ok(format!("{system}{user}"))
    }

    fn shows(source: &str, data: Value, expected: &str) {
        assert_eq!(render(source, data).as_deref(), Ok(expected), "{source}");
    }

    #[test]
    fn t8_templates_are_handlebars_without_html() {
        shows("Hello {{name}}!", json!({"name": "World"}), "Hello World!");
        shows("Hello {{name}}!", json!({}), "Hello !");
        shows(
            "{{#each xs}}{{this}} {{/each}}",
            json!({"xs": ["a", "b"]}),
            "a b ",
        );
        shows("{{#if x}}yes{{else}}no{{/if}}", json!({"x": true}), "yes");
        shows("{{#if x}}yes{{else}}no{{/if}}", json!({}), "no");
        shows("{{a.b}}", json!({"a": {"b": "<\"&'>"}}), "<\"&'>");
        shows("{{x}}", json!({"x": "{{y}}", "y": "no"}), "{{y}}");
    }

    #[test]
    fn t8_take_and_last() {
        let four = json!({"xs": ["a", "b", "c", "d"]});
        shows("{{#take xs 2}}{{this}} {{/take}}", four.clone(), "a b ");
        shows("{{#last xs 2}}{{this}} {{/last}}", four.clone(), "c d ");
        shows("{{#last xs 0}}{{this}} {{/last}}", four.clone(), "");
        shows("{{#last xs 10}}{{this}}{{/last}}", four, "abcd");
        let deep = json!({"xs": [{"n": 1}, {"n": 2}], "y": "!"});
        shows(
            "{{#last xs 1}}{{this.n}}{{n}}{{@root.y}}{{/last}}",
            deep,
            "22!",
        );
        shows("{{#last nothing 3}}x{{/last}}", json!({}), "");
    }

    #[test]
    fn t8_a_bad_template_is_refused_with_its_place() {
        let error = render("one\n---\nfine\n{{#if x}}no end", json!({})).unwrap_err();
        assert!(
            matches!(error, TemplateError::Parse { line: 4.., .. }),
            "{error}"
        );
        assert!(
            error
                .to_string()
                .starts_with("the template of narrator, line ")
        );
        let error = render("{{> nope}}", json!({})).unwrap_err();
        assert!(matches!(error, TemplateError::Render { .. }), "{error}");
        let mut templates = StageTemplates::default();
        let before = templates.render(Stage::Narrator, &json!({})).unwrap();
        assert!(templates.set(Stage::Narrator, "{{#each").is_err());
        assert_eq!(templates.render(Stage::Narrator, &json!({})), Ok(before));
    }

    #[test]
    fn t8_every_stage_has_a_template() {
        let templates = StageTemplates::default();
        for (stage, _) in SHIPPED {
            let [system, user] = templates.render(stage, &json!({})).unwrap();
            assert!(!system.is_empty() && !user.contains("{{"), "{stage:?}");
        }
        let none = templates.render(Stage::Dialogue, &json!({}));
        assert_eq!(none, Err(TemplateError::NoTemplate("dialogue")));
    }
}
