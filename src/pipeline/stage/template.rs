//! Templates: the words of each stage's prompt, as Handlebars text.
//!
//! A template is a conversation: the text above the first line of three dashes is the system message, and each line of dashes
//! begins the next message, `---` one of the user and `--- assistant` one of the model. So a template can show how an answer
//! looks. The last message is the user's; where its line is `--- msgs`, the history goes before it, as separate messages. The
//! words of players and models are data to a template, never a template, and nothing is escaped for HTML. In addition to
//! Handlebars' own helpers there are `{{#take list n}}` and `{{#last list n}}`, which go through the first or the last `n`
//! entries of a list.

use crate::engine::Role;
use bevy::prelude::Resource;
use handlebars::{
    BlockContext, Context, Handlebars, Helper, HelperDef, HelperResult, Output, RenderContext,
    Renderable,
};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};
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
        /// The problem, for people.
        message: String,
    },
    /// It cannot be rendered, such as for a partial that does not exist.
    #[error("the template of {stage}: {message}")]
    Render {
        /// The stage that it is for.
        stage: &'static str,
        /// The problem, for people.
        message: String,
    },
    /// Nothing has a template of this name.
    #[error("there is no template \"{0}\": the names are {names}", names = NAMES.join(", "))]
    UnknownName(String),
}

/// The templates of stages: those that the crate ships, in each of its languages, and those of a game. A clone is cheap.
///
/// A game's own template is used in every language.
#[derive(Resource, Clone)]
pub struct StageTemplates(Arc<Templates>);

#[derive(Clone)]
struct Templates {
    engine: Handlebars<'static>,
    /// The messages of each template, by its place and its name. Their texts are in the engine.
    messages: BTreeMap<(Place, &'static str), Vec<Opening>>,
}

/// Where a template is found: in the language with this name, or among those of the game.
type Place = Option<&'static str>;

/// A message of a template, as the line above it says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Opening {
    /// No line: the system message.
    System,
    /// `---`
    User,
    /// `--- assistant`
    Assistant,
    /// `--- msgs`: a message of the user after the history.
    UserAfterHistory,
}

impl Opening {
    fn of(line: &str) -> Option<Self> {
        match line.trim_end() {
            "---" => Some(Self::User),
            "--- assistant" => Some(Self::Assistant),
            "--- msgs" => Some(Self::UserAfterHistory),
            _ => None,
        }
    }

    fn role(self) -> Role {
        match self {
            Self::System => Role::System,
            Self::User | Self::UserAfterHistory => Role::User,
            Self::Assistant => Role::Assistant,
        }
    }
}

macro_rules! shipped {
    ($($name:literal),+ $(,)?) => {
        /// What templates are called: the names of their files without the ending.
        const NAMES: &[&str] = &[$($name),+];

        /// The languages of the templates that the crate ships, each with their texts in the order of [`NAMES`].
        const SHIPPED: [(&str, &[&str]); 2] = [
            ("en", &[$(include_str!(concat!("../../../assets/prompts/en/", $name, ".hbs"))),+]),
            ("de", &[$(include_str!(concat!("../../../assets/prompts/de/", $name, ".hbs"))),+]),
        ];
    };
}

shipped! {
    "aside",
    "character_extractor",
    "lore_extractor",
    "narrator",
    "npc_intent",
    "parser",
    "persona_extractor",
    "persona_intent",
    "plan",
    "plan_intent",
    "player_lines",
    "recap",
    "told_turn",
}

impl Default for StageTemplates {
    fn default() -> Self {
        static SHIPPED_TEMPLATES: LazyLock<StageTemplates> = LazyLock::new(StageTemplates::shipped);
        SHIPPED_TEMPLATES.clone()
    }
}

impl StageTemplates {
    fn shipped() -> Self {
        let mut engine = Handlebars::new();
        engine.register_escape_fn(handlebars::no_escape);
        engine.register_helper("take", Box::new(Part { last: false }));
        engine.register_helper("last", Box::new(Part { last: true }));
        let mut templates = Self(Arc::new(Templates {
            engine,
            messages: BTreeMap::new(),
        }));
        for (language, sources) in SHIPPED {
            for (name, source) in NAMES.iter().zip(sources) {
                if let Err(error) = templates.register(Some(language), name, source) {
                    log::error!("{error}");
                }
            }
        }
        templates
    }

    /// Takes the template of a game: `name` is that of its file without the ending, such as `narrator`.
    ///
    /// # Errors
    /// `TemplateError::UnknownName` when no stage has such a template, `TemplateError::Parse` with line and column. In
    /// both cases the previous template stays in use.
    pub fn set(&mut self, name: &str, source: &str) -> Result<(), TemplateError> {
        self.register(None, known_name(name)?, source)
    }

    fn register(
        &mut self,
        place: Place,
        name: &'static str,
        source: &str,
    ) -> Result<(), TemplateError> {
        let messages = split(source);
        let wrong = |line, column, message| TemplateError::Parse {
            stage: name,
            line,
            column,
            message,
        };
        let mut compiled = Vec::new();
        for (nth, (opening, first_line, text)) in messages.iter().enumerate() {
            let is_last = nth + 1 == messages.len();
            match opening {
                Opening::UserAfterHistory if !is_last || !HAVE_HISTORY.contains(&name) => {
                    let names = HAVE_HISTORY.join(", ");
                    let message = format!(
                        "\"--- msgs\" can only begin the last message of {names}: write \"---\""
                    );
                    return Err(wrong(first_line - 1, 1, message));
                }
                Opening::Assistant if is_last => {
                    let message = "the last message is the user's: add \"---\" below this one";
                    return Err(wrong(first_line - 1, 1, message.to_owned()));
                }
                _ => {}
            }
            compiled.push(handlebars::Template::compile(text).map_err(|error| {
                let (line, column) = error.pos().unwrap_or((1, 1));
                wrong(
                    line + first_line - 1,
                    column,
                    error.reason().to_string().trim().to_owned(),
                )
            })?);
        }
        let templates = Arc::make_mut(&mut self.0);
        for (nth, template) in compiled.into_iter().enumerate() {
            templates
                .engine
                .register_template(&key(place, name, nth), template);
        }
        let openings = messages.iter().map(|(opening, ..)| *opening);
        templates.messages.insert((place, name), openings.collect());
        Ok(())
    }

    /// The messages of a template, filled with this data: of the game's own template, or else of the one that is shipped in a
    /// language, such as `en`.
    ///
    /// # Errors
    /// `TemplateError` when there is no such template, or it cannot be rendered.
    pub fn render(
        &self,
        name: &str,
        language: &str,
        data: &Value,
    ) -> Result<Vec<(Role, String)>, TemplateError> {
        self.render_around(Vec::new, name, language, data)
    }

    /// The same with what has happened, where the template asks for it.
    pub(crate) fn render_around(
        &self,
        history: impl FnOnce() -> Vec<(Role, String)>,
        name: &str,
        language: &str,
        data: &Value,
    ) -> Result<Vec<(Role, String)>, TemplateError> {
        let name = known_name(name)?;
        let shipped = SHIPPED.iter().map(|(known, _)| *known);
        let place = shipped.into_iter().find(|known| *known == language);
        let mut places = [None, place].into_iter();
        let found = places.find_map(|place| Some((place, self.0.messages.get(&(place, name))?)));
        let (place, openings) = found.ok_or_else(|| TemplateError::Render {
            stage: name,
            message: format!("there is none in the language \"{language}\""),
        })?;
        let mut history = Some(history);
        let mut messages = Vec::new();
        for (nth, opening) in openings.iter().enumerate() {
            let rendered = self.0.engine.render(&key(place, name, nth), data);
            let text = rendered.map_err(|error| TemplateError::Render {
                stage: name,
                message: error.reason().to_string(),
            })?;
            if *opening == Opening::UserAfterHistory {
                messages.extend(history.take().into_iter().flat_map(|history| history()));
            }
            messages.push((opening.role(), text));
        }
        Ok(messages)
    }
}

/// The templates that can show what has happened as messages.
const HAVE_HISTORY: [&str; 3] = ["narrator", "npc_intent", "persona_intent"];

/// The key of a message of a template in the engine.
fn key(place: Place, name: &str, nth: usize) -> String {
    format!("{}/{name}/{nth}", place.unwrap_or("own"))
}

fn known_name(name: &str) -> Result<&'static str, TemplateError> {
    let known = NAMES.iter().find(|known| **known == name).copied();
    known.ok_or_else(|| TemplateError::UnknownName(name.escape_debug().take(64).collect()))
}

/// Whether a template of this name could be used.
///
/// # Errors
/// As of [`StageTemplates::set`].
pub(crate) fn check_template(name: &str, source: &str) -> Result<(), TemplateError> {
    StageTemplates::default().set(name, source)
}

/// The messages of a template, each with the number of its first line, from 1. Without a line of dashes, the last message is an
/// empty one of the user.
fn split(source: &str) -> Vec<(Opening, usize, &str)> {
    let mut messages = Vec::new();
    let (mut opening, mut first_line, mut begin, mut at) = (Opening::System, 1, 0, 0);
    for (nth, line) in source.split_inclusive('\n').enumerate() {
        if let Some(next) = Opening::of(line) {
            messages.push((opening, first_line, &source[begin..at]));
            (opening, first_line, begin) = (next, nth + 2, at + line.len());
        }
        at += line.len();
    }
    messages.push((opening, first_line, &source[begin..]));
    if opening == Opening::System {
        messages.push((Opening::User, first_line, ""));
    }
    messages
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
        templates.set("narrator", source)?;
        let messages = templates.render("narrator", "en", &data)?;
        Ok(messages.into_iter().map(|(_, text)| text).collect())
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
        let before = templates.render("narrator", "en", &json!({})).unwrap();
        assert!(templates.set("narrator", "{{#each").is_err());
        assert_eq!(templates.render("narrator", "en", &json!({})), Ok(before));
    }

    #[test]
    fn t8_a_template_is_a_conversation() {
        let mut templates = StageTemplates::default();
        let mut roles = |name: &str, source: &str| {
            templates.set(name, source)?;
            let history = || vec![(Role::Assistant, "before".to_owned())];
            let messages = templates.render_around(history, name, "en", &json!({}))?;
            let messages = messages.into_iter();
            Ok(messages
                .map(|(role, text)| format!("{role:?} {}", text.trim_end()))
                .collect::<Vec<_>>())
        };
        let told = |result: Result<Vec<String>, TemplateError>| result.unwrap().join(", ");
        assert_eq!(told(roles("recap", "a")), "System a, User ");
        assert_eq!(told(roles("recap", "a\n---\nb")), "System a, User b");
        assert_eq!(
            told(roles(
                "narrator",
                "a\n---\nb\n--- assistant\nc\n--- msgs\nd"
            )),
            "System a, User b, Assistant c, Assistant before, User d"
        );
        assert_eq!(
            told(roles("narrator", "a\n---\nb --- msgs\n----")),
            "System a, User b --- msgs\n----"
        );
        for (name, source, line) in [
            ("recap", "one\n--- msgs\ntwo", 2),
            ("narrator", "one\n--- msgs\ntwo\n---\nthree", 2),
            ("narrator", "one\n---\ntwo\n--- assistant\nthree", 4),
            ("narrator", "one\n---\ntwo\n--- msgs\n{{#if x}}", 5),
        ] {
            let error = roles(name, source).unwrap_err();
            let is_there = matches!(error, TemplateError::Parse { line: at, .. } if at == line);
            assert!(is_there, "{source:?}: {error}");
        }
    }

    #[test]
    fn t8_every_language_has_every_template_in_words_of_its_own() {
        let templates = StageTemplates::default();
        let english = SHIPPED[0].1;
        for (language, sources) in SHIPPED {
            for ((name, source), english) in NAMES.iter().zip(sources).zip(english) {
                let messages = templates.render(name, language, &json!({})).unwrap();
                assert!(!messages[0].1.is_empty(), "{name}");
                assert!(
                    messages.iter().all(|(_, text)| !text.contains("{{")),
                    "{name}"
                );
                assert_eq!(asked(source), asked(english), "{language}: {name}");
                assert_eq!(source == english, language == "en", "{language}: {name}");
            }
        }
        let none = templates.render("dialogue", "en", &json!({}));
        assert_eq!(none, Err(TemplateError::UnknownName("dialogue".to_owned())));
    }

    /// What a template asks of its data, in order.
    fn asked(source: &str) -> Vec<&str> {
        let parts = source.split("{{").skip(1);
        parts
            .filter_map(|part| Some(part.split_once("}}")?.0))
            .collect()
    }

    #[test]
    fn t8_an_own_template_counts_in_every_language() {
        let mut templates = StageTemplates::default();
        templates.set("recap", "Mine.").unwrap();
        for language in ["en", "de"] {
            let messages = templates.render("recap", language, &json!({})).unwrap();
            assert_eq!(messages[0].1, "Mine.");
        }
    }
}
