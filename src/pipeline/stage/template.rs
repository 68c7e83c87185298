//! Templates: the words of each stage's prompt, as Handlebars text.
//!
//! A template holds two messages: what stands above a line of three dashes is the system message, the rest is the user
//! message. Where that line is `--- msgs`, what has happened goes between the two, as messages of their own. What players and models have said is data to a template, never a template itself, and nothing is escaped for
//! HTML. Beside Handlebars' own helpers there are `{{#take list n}}` and `{{#last list n}}`, which go through the first or the
//! last `n` entries of a list.

use bevy::prelude::Resource;
use handlebars::{
    BlockContext, Context, Handlebars, Helper, HelperDef, HelperResult, Output, RenderContext,
    Renderable,
};
use serde_json::Value;
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
    #[error("there is no template \"{0}\": the names are {names}", names = NAMES.join(", "))]
    UnknownName(String),
}

/// The templates of stages: those that the crate ships, in each of its languages, and those of a game. A clone is cheap.
///
/// A template of a game counts whatever the language is.
#[derive(Resource, Clone)]
pub struct StageTemplates(Arc<Handlebars<'static>>);

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
        let mut templates = Self(Arc::new(engine));
        for (language, sources) in SHIPPED {
            for (name, source) in NAMES.iter().zip(sources) {
                if let Err(error) = templates.register(language, name, source) {
                    log::error!("{error}");
                }
            }
        }
        templates
    }

    /// Takes the template of a game: `name` is that of its file without the ending, such as `narrator`.
    ///
    /// # Errors
    /// [`TemplateError::UnknownName`] when nothing has such a template, [`TemplateError::Parse`] with line and column. The
    /// template that was there stays then.
    pub fn set(&mut self, name: &str, source: &str) -> Result<(), TemplateError> {
        self.register(OWN, known_name(name)?, source)
    }

    fn register(
        &mut self,
        language: &str,
        name: &'static str,
        source: &str,
    ) -> Result<(), TemplateError> {
        let (system, line, user) = split(source);
        let mut parts = vec![
            ("system", system, 0),
            ("user", user, source.len() - user.len()),
        ];
        match line {
            SHOWS_HISTORY if HAVE_HISTORY.contains(&name) => parts.push(("history", "", 0)),
            SHOWS_HISTORY => {
                return Err(TemplateError::Parse {
                    stage: name,
                    line: system.matches('\n').count() + 1,
                    column: 1,
                    message: format!(
                        "only {} can have the line \"{SHOWS_HISTORY}\": write \"---\"",
                        HAVE_HISTORY.join(", ")
                    ),
                });
            }
            _ => Arc::make_mut(&mut self.0).unregister_template(&key(language, name, "history")),
        }
        for (part, text, skipped) in parts {
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
            Arc::make_mut(&mut self.0).register_template(&key(language, name, part), template);
        }
        Ok(())
    }

    /// The system message and the user message of a template, made of this data: of the game's own template, else of the one
    /// that is shipped in a language, such as `en`.
    ///
    /// # Errors
    /// [`TemplateError`] when nothing has such a template, or it cannot be rendered.
    pub fn render(
        &self,
        name: &str,
        language: &str,
        data: &Value,
    ) -> Result<[String; 2], TemplateError> {
        let name = known_name(name)?;
        let language = self.place(name, language);
        let render = |part: &str| {
            let rendered = self.0.render(&key(language, name, part), data);
            rendered.map_err(|error| TemplateError::Render {
                stage: name,
                message: error.reason().to_string(),
            })
        };
        Ok([render("system")?, render("user")?])
    }

    /// Whether what has happened goes between the two messages of a template.
    pub(crate) fn shows_history(&self, name: &str, language: &str) -> bool {
        let language = self.place(name, language);
        self.0.has_template(&key(language, name, "history"))
    }

    /// Where a template is found: among the game's own, else among those of a language.
    fn place<'l>(&self, name: &str, language: &'l str) -> &'l str {
        match self.0.has_template(&key(OWN, name, "system")) {
            true => OWN,
            false => language,
        }
    }
}

/// The line that ends the system message of a template where what has happened goes behind it.
const SHOWS_HISTORY: &str = "--- msgs";

/// The templates that can have it.
const HAVE_HISTORY: [&str; 3] = ["narrator", "npc_intent", "persona_intent"];

/// What stands in the place of the language in the key of a game's own template.
const OWN: &str = "own";

/// The key of a part of a template: `system`, `user`, or `history`, which is there where its template shows it.
fn key(language: &str, name: &str, part: &str) -> String {
    format!("{language}/{name}/{part}")
}

fn known_name(name: &str) -> Result<&'static str, TemplateError> {
    let known = NAMES.iter().find(|known| **known == name).copied();
    known.ok_or_else(|| TemplateError::UnknownName(name.escape_debug().take(64).collect()))
}

/// Whether a template of this name could be used.
///
/// # Errors
/// As of [`StageTemplates::set`].
pub fn check_template(name: &str, source: &str) -> Result<(), TemplateError> {
    StageTemplates::default().set(name, source)
}

/// The two messages of a template, and the line between them; the second is empty where there is no such line.
fn split(source: &str) -> (&str, &str, &str) {
    let mut at = 0;
    for line in source.split_inclusive('\n') {
        let words = line.trim_end();
        if words == "---" || words == SHOWS_HISTORY {
            return (&source[..at], words, &source[at + line.len()..]);
        }
        at += line.len();
    }
    (source, "", "")
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
        let [system, user] = templates.render("narrator", "en", &data)?;
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
        let before = templates.render("narrator", "en", &json!({})).unwrap();
        assert!(templates.set("narrator", "{{#each").is_err());
        assert_eq!(templates.render("narrator", "en", &json!({})), Ok(before));
    }

    #[test]
    fn t8_a_template_says_whether_its_history_stands_in_messages() {
        let mut templates = StageTemplates::default();
        assert!(templates.shows_history("narrator", "en"));
        assert!(templates.shows_history("npc_intent", "de"));
        assert!(!templates.shows_history("recap", "en"));
        for (source, shows) in [("a\n--- msgs\nb", true), ("a\n---\nb", false), ("a", false)] {
            templates.set("narrator", source).unwrap();
            assert_eq!(templates.shows_history("narrator", "en"), shows, "{source}");
            let [system, user] = templates.render("narrator", "en", &json!({})).unwrap();
            let parts = (system.trim_end(), &*user);
            assert_eq!(parts, ("a", if source == "a" { "" } else { "b" }));
        }
        let error = templates.set("recap", "one\n--- msgs\ntwo").unwrap_err();
        assert_eq!(
            error.to_string(),
            "the template of recap, line 2, column 1: only narrator, npc_intent, persona_intent can have the line \"--- msgs\": \
             write \"---\""
        );
    }

    #[test]
    fn t8_every_language_has_every_template_in_words_of_its_own() {
        let templates = StageTemplates::default();
        let english = SHIPPED[0].1;
        for (language, sources) in SHIPPED {
            for ((name, source), english) in NAMES.iter().zip(sources).zip(english) {
                let [system, user] = templates.render(name, language, &json!({})).unwrap();
                assert!(!system.is_empty() && !user.contains("{{"), "{name}");
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
            let [system, _] = templates.render("recap", language, &json!({})).unwrap();
            assert_eq!(system, "Mine.");
        }
    }
}
