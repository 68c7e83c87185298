//! The test makes the page on files, `docs/files.md`, from the types that are read: every field with its form and its doc comment.

use crate::sources::Sources;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use syn::{Attribute, Expr, Fields, GenericArgument, Item, Lit, Meta, PathArguments, Type};

/// The kinds of files, each with the type that is read and its purpose.
pub(crate) const KINDS: [(&str, &str, &str); 11] = [
    (".npc.ron", "NpcSpec", "A character."),
    (
        ".story.ron",
        "StorySpec",
        "The world, and what holds in it for every character.",
    ),
    (
        ".routine.ron",
        "RoutineEntrySpec",
        "A part of a character's day. The file holds a list of these, in brackets.",
    ),
    (
        ".world.ron",
        "WorldSpec",
        "The places and things of a story, in a file of their own.",
    ),
    (
        ".rulebook.ron",
        "Rulebook",
        "Who may do what, when, and what it changes.",
    ),
    (
        ".rules.ron",
        "RuleSpec",
        "A rule with a condition, in a file of its own.",
    ),
    (
        ".taxonomy.ron",
        "Taxonomy",
        "What can be planned, what is risky, and who is asked.",
    ),
    (
        ".script.ron",
        "ScriptSpec",
        "Replies for a game without a model.",
    ),
    (
        ".scenario.ron",
        "ScenarioSpec",
        "A scene with its replies, and what must follow.",
    ),
    (
        ".bench.ron",
        "BenchSpec",
        "What players say to real models, and what is right then.",
    ),
    (".lexicon.ron", "Lexicon", "The words of a language."),
];

/// Examples of types that are too long for a line: the shipped files.
const SHIPPED: [(&str, &str); 8] = [
    ("StorySpec", "assets/tower.story.ron"),
    ("ScriptSpec", "assets/scripts/wizard.script.ron"),
    ("ScenarioSpec", "benches/models/village.scenario.ron"),
    ("BenchSpec", "benches/models/talk.bench.ron"),
    ("Lexicon", "assets/lexicon/en.lexicon.ron"),
    ("Imperatives", "assets/lexicon/en.lexicon.ron"),
    ("ReferringWords", "assets/lexicon/en.lexicon.ron"),
    ("Voicing", "assets/lexicon/en.lexicon.ron"),
];

/// For a type with its own reader, how files write a value of it, in words.
const WRITTEN: [(&str, &str); 13] = [
    ("WorldValue", "`true`, `false`, a whole number, or a text"),
    (
        "EffectValue",
        "`true`, `false`, a whole number, a text, or what the action has in a field: `Name`, `Content` or `KindOf`",
    ),
    ("Literal", "any value"),
    ("Value", "any value"),
    ("Finish", "`Stop` or `Length`"),
    (
        "PartName",
        "`\"affinity\"`, `\"trust\"` or `\"familiarity\"`",
    ),
    ("RuleTime", "number of seconds"),
    ("BandLevels", "five whole numbers: `((0, 6, 11, 16, 21))`"),
    ("PromptWords", "map of text"),
    (
        "StemmerLanguage",
        "text: the English name of the language, in small letters",
    ),
    ("StopWords", "list of text"),
    (
        "WantedTarget",
        "text: an id; or `Context(\"key\")`: what the wish gives under that key",
    ),
    ("ActionSpec", "action, such as `Take(target: \"key\")`"),
];

/// A type that files are read into.
pub(crate) struct Entry {
    pub(crate) docs: String,
    /// Fields or variants: the name, the form, whether it may be left out, and the doc comment.
    pub(crate) rows: Vec<(String, String, bool, String)>,
    is_choice: bool,
    uses: BTreeSet<String>,
}

pub(crate) fn docs(attrs: &[Attribute]) -> String {
    let mut lines = Vec::new();
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("doc")) {
        if let Meta::NameValue(doc) = &attr.meta
            && let Expr::Lit(text) = &doc.value
            && let Lit::Str(text) = &text.lit
        {
            lines.push(text.value().trim().to_owned());
        }
    }
    plain_docs(&lines)
}

/// The first paragraph, without links to Rust.
fn plain_docs(lines: &[String]) -> String {
    let lines = lines.split(String::is_empty).next().unwrap_or_default();
    let mut text = lines.join(" ").replace('|', "\\|");
    while let Some(at) = text.find("](") {
        let end = text[at..].find(')').map_or(text.len(), |end| at + end + 1);
        text.replace_range(at..end, "");
        if let Some(begin) = text[..at].rfind('[') {
            text.remove(begin);
        }
    }
    text.replace("[`", "`").replace("`]", "`")
}

/// What serde has after `word =` in the attributes, for example another name of a field.
pub(crate) fn serde_text(attrs: &[Attribute], word: &str) -> Option<String> {
    let serde = attrs.iter().filter(|attr| attr.path().is_ident("serde"));
    let texts = serde.filter_map(|attr| match &attr.meta {
        Meta::List(list) => Some(list.tokens.to_string()),
        _ => None,
    });
    let mut found = texts.filter_map(|text| {
        let mut parts = text.split(',').filter_map(|part| part.split_once('='));
        let (_, value) = parts.find(|(name, _)| name.trim() == word)?;
        Some(value.trim().trim_matches('"').to_owned())
    });
    found.next()
}

/// The name of a variant as files write it.
pub(crate) fn cased(name: &str, case: Option<&str>) -> String {
    let joined = |to: fn(&char) -> char| {
        let mut words = String::new();
        for c in name.chars() {
            if c.is_uppercase() && !words.is_empty() {
                words.push('_');
            }
            words.push(to(&c));
        }
        words
    };
    match case {
        Some("SCREAMING_SNAKE_CASE") => joined(char::to_ascii_uppercase),
        Some("snake_case") => joined(char::to_ascii_lowercase),
        Some("lowercase") => name.to_lowercase(),
        None => name.to_owned(),
        Some(other) => panic!("write how names in {other} are written"),
    }
}

pub(crate) fn has_serde(attrs: &[Attribute], word: &str) -> bool {
    let mut serde = attrs.iter().filter(|attr| attr.path().is_ident("serde"));
    serde.any(|attr| match &attr.meta {
        Meta::List(list) => list
            .tokens
            .to_string()
            .split([',', '='])
            .any(|part| part.trim() == word),
        _ => false,
    })
}

pub(crate) fn reads_files(attrs: &[Attribute]) -> bool {
    let mut derives = attrs.iter().filter(|attr| attr.path().is_ident("derive"));
    derives.any(|attr| match &attr.meta {
        Meta::List(list) => list.tokens.to_string().contains("Deserialize"),
        _ => false,
    })
}

/// A type in plain words; `uses` receives the names of the types in it.
fn form(of: &Type, uses: &mut BTreeSet<String>) -> String {
    let Type::Path(path) = of else {
        return "value".to_owned();
    };
    let Some(last) = path.path.segments.last() else {
        return "value".to_owned();
    };
    let inner: Vec<&Type> = match &last.arguments {
        PathArguments::AngleBracketed(list) => {
            let types = list.args.iter().filter_map(|argument| match argument {
                GenericArgument::Type(inner) => Some(inner),
                _ => None,
            });
            types.collect()
        }
        _ => Vec::new(),
    };
    let mut of = |at: usize| {
        inner
            .get(at)
            .map(|inner| form(inner, uses))
            .unwrap_or_default()
    };
    match last.ident.to_string().as_str() {
        "Option" | "Box" | "Arc" => of(0),
        "Vec" | "BTreeSet" => format!("list of {}", of(0)),
        "BTreeMap" => match of(0).as_str() {
            "text" => format!("map of {}", of(1)),
            key => format!("map from {key} to {}", of(1)),
        },
        "Inline" => format!("{}, or the path of its file", of(0)),
        "String" | "Id" => "text".to_owned(),
        "bool" => "true or false".to_owned(),
        "f64" | "f32" | "Millionths" => "number".to_owned(),
        "u8" | "i8" | "u16" | "u32" | "u64" | "i64" | "i32" | "usize" | "Millis" => {
            "whole number".to_owned()
        }
        name => match WRITTEN.iter().find(|(it, _)| *it == name) {
            Some((_, written)) => (*written).to_owned(),
            None => {
                uses.insert(name.to_owned());
                format!("[{0}](#{1})", plain(name), anchor(name))
            }
        },
    }
}

/// The name of a type for authors: `CustomRule` for `CustomRuleSpec`. Two types get another name, since other types have theirs.
pub(crate) fn called(name: &str) -> &str {
    match name {
        "MemorySpec" => "Remembered",
        "QueuePolicy" => "Queue",
        _ => name.strip_suffix("Spec").unwrap_or(name),
    }
}

/// The name of a type in words: "Custom rule" for `CustomRuleSpec`.
pub(crate) fn plain(name: &str) -> String {
    let name = called(name);
    let mut words = String::new();
    for c in name.chars() {
        match c.is_uppercase() && !words.is_empty() {
            true => words.extend([' ', c.to_ascii_lowercase()]),
            false => words.push(c),
        }
    }
    words
}

fn anchor(name: &str) -> String {
    plain(name).to_lowercase().replace(' ', "-")
}

fn entry(item: &Item) -> Option<(String, Entry)> {
    let (name, attrs) = match item {
        Item::Struct(item) => (&item.ident, &item.attrs),
        Item::Enum(item) => (&item.ident, &item.attrs),
        _ => return None,
    };
    if !reads_files(attrs) {
        return None;
    }
    let mut uses = BTreeSet::new();
    let mut rows = Vec::new();
    match item {
        Item::Struct(item) => {
            let whole = has_serde(attrs, "default");
            for field in &item.fields {
                if has_serde(&field.attrs, "skip") {
                    continue;
                }
                let name = serde_text(&field.attrs, "rename");
                let name = name.or(Some(field.ident.as_ref()?.to_string()))?;
                let form = form(&field.ty, &mut uses);
                let is_option = matches!(&field.ty, Type::Path(path)
                    if path.path.segments.last().is_some_and(|last| last.ident == "Option"));
                let optional = whole || is_option || has_serde(&field.attrs, "default");
                rows.push((name, form, optional, docs(&field.attrs)));
            }
        }
        Item::Enum(item) => {
            let case = serde_text(attrs, "rename_all");
            for variant in &item.variants {
                if has_serde(&variant.attrs, "skip") {
                    continue;
                }
                let fields: Vec<String> = match &variant.fields {
                    Fields::Unit => Vec::new(),
                    Fields::Named(fields) => {
                        let named = fields.named.iter().filter_map(|field| {
                            let name = field.ident.as_ref()?;
                            Some(format!("`{name}`: {}", form(&field.ty, &mut uses)))
                        });
                        named.collect()
                    }
                    Fields::Unnamed(fields) => {
                        let unnamed = fields.unnamed.iter();
                        unnamed.map(|field| form(&field.ty, &mut uses)).collect()
                    }
                };
                let form = match fields.is_empty() {
                    true => String::new(),
                    false => format!("({})", fields.join(", ")),
                };
                let name = serde_text(&variant.attrs, "rename");
                let name =
                    name.unwrap_or_else(|| cased(&variant.ident.to_string(), case.as_deref()));
                rows.push((name, form, true, docs(&variant.attrs)));
            }
        }
        _ => {}
    }
    let is_choice = matches!(item, Item::Enum(_));
    let docs = docs(attrs);
    Some((
        name.to_string(),
        Entry {
            docs,
            rows,
            is_choice,
            uses,
        },
    ))
}

/// A macro makes the limits: these are the entries of `limits! {..}`, with their docs.
pub(crate) fn limits(sources: &Sources) -> Entry {
    let mut rows = Vec::new();
    let mut weights = Vec::new();
    let (_, file) = sources
        .iter()
        .find(|(module, _)| module.join("/") == "limits")
        .unwrap();
    let call = file.items.iter().find_map(|item| match item {
        Item::Macro(call) if call.mac.path.is_ident("limits") => Some(call.mac.tokens.clone()),
        _ => None,
    });
    for token in call.expect("a call of limits!") {
        let proc_macro2::TokenTree::Group(part) = token else {
            continue;
        };
        let mut said = Vec::new();
        let mut entry = String::new();
        for token in part.stream() {
            match token {
                proc_macro2::TokenTree::Group(doc)
                    if doc.stream().to_string().starts_with("doc =") =>
                {
                    let doc = doc.stream().to_string();
                    let doc: syn::LitStr = syn::parse_str(doc["doc =".len()..].trim()).unwrap();
                    said.push(doc.value().trim().to_owned());
                }
                proc_macro2::TokenTree::Punct(end) if end.as_char() == ';' => {
                    let text = plain_docs(&std::mem::take(&mut said));
                    let entry = std::mem::take(&mut entry);
                    let (name, rest) = entry.split_once(':').unwrap();
                    let key = entry.split('"').nth(1).map(str::to_owned);
                    let kind = rest
                        .split("as ")
                        .nth(1)
                        .unwrap_or("usize")
                        .split('=')
                        .next()
                        .unwrap_or_default()
                        .trim();
                    let form = if kind == "f64" {
                        "number"
                    } else {
                        "whole number"
                    };
                    match name.trim().strip_prefix("weight_") {
                        Some(weight) => weights.push(format!("`{weight}`: {text}")),
                        None => {
                            let name = key.unwrap_or_else(|| name.trim().to_owned());
                            rows.push((name, form.to_owned(), true, text));
                        }
                    }
                }
                proc_macro2::TokenTree::Punct(mark) if mark.as_char() == '#' => {}
                token => {
                    entry.push_str(&token.to_string());
                    entry.push(' ');
                }
            }
        }
    }
    rows.push((
        "weights".to_owned(),
        "`(relevance: .., recency: .., significance: ..)`".to_owned(),
        true,
        weights.join(" "),
    ));
    rows.sort();
    Entry {
        docs: "Numbers that bound a character. A number that is left out is that of the story, or of the game.".to_owned(),
        rows,
        is_choice: false,
        uses: BTreeSet::new(),
    }
}

pub(crate) fn page(sources: &Sources, examples: &BTreeMap<String, String>) -> String {
    let mut types: BTreeMap<String, Entry> = BTreeMap::new();
    for (_, file) in sources.iter() {
        for (name, entry) in file.items.iter().filter_map(entry) {
            types.entry(name).or_insert(entry);
        }
    }
    let limits = limits(sources);
    types.insert("LimitsSpec".to_owned(), limits);
    let mut page = String::from(
        "# Files\n\nEvery kind of file and every field. The files are written in [RON](https://github.com/ron-rs/ron): `name: value` in\n\
         parentheses, `// comments`, commas after the last entry are fine. A value that may be left out needs no `Some(..)`.\n\
         `dramatis check FOLDER` reads all files of a folder and says what is wrong, with line and column. This page is made from the\n\
         types that are read.\n\n\
         The name before the first parenthesis, as in `Scenario(..)`, may be left out. A path is looked for next to the file, then in `assets`.\n\n\
         A **pattern** is whole words, in any case: `secret` hits neither \"secrets\" nor \"secretly\"; `secret*` does. Between two strokes it\n\
         is a regular expression: `/gold(en)?/`.\n\n| file | what it is |\n|---|---|\n",
    );
    for (file, name, what) in KINDS {
        let _ = writeln!(page, "| [`{file}`](#{}) | {what} |", anchor(name));
    }
    let mut waiting: Vec<String> = KINDS
        .iter()
        .rev()
        .map(|(_, name, _)| (*name).to_owned())
        .collect();
    let mut told = BTreeSet::new();
    let mut headings = BTreeSet::new();
    while let Some(name) = waiting.pop() {
        if !told.insert(name.clone()) {
            continue;
        }
        let entry = types.get(&name);
        let entry = entry.unwrap_or_else(|| panic!("write in WRITTEN how {name} is written"));
        assert!(
            headings.insert(anchor(&name)),
            "two types are called {}",
            plain(&name)
        );
        waiting.extend(entry.uses.iter().rev().cloned());
        let kind = KINDS.iter().find(|(_, of, _)| *of == name);
        let _ = write!(
            page,
            "\n{} {}\n\n",
            if kind.is_some() { "##" } else { "###" },
            plain(&name)
        );
        if let Some((file, ..)) = kind {
            let _ = write!(page, "The files `{file}`. ");
        }
        let _ = write!(page, "{}\n\n", entry.docs);
        let whole = SHIPPED.iter().find(|(of, _)| *of == name);
        let example = examples.get(called(&name)).map(String::as_str);
        let first = || entry.rows.first().filter(|_| entry.is_choice);
        let example = example.or(whole.map(|(_, file)| *file));
        if let Some(example) = example.or_else(|| Some(first()?.0.as_str())) {
            let _ = write!(page, "For example `{example}`\n\n");
        }
        match entry.is_choice {
            true => page.push_str("One of:\n\n| | of | |\n|---|---|---|\n"),
            false => page.push_str("| field | form | required | |\n|---|---|---|---|\n"),
        }
        for (name, form, optional, docs) in &entry.rows {
            let _ = match (entry.is_choice, optional) {
                (true, _) => writeln!(page, "| `{name}` | {form} | {docs} |"),
                (false, true) => writeln!(page, "| `{name}` | {form} | | {docs} |"),
                (false, false) => writeln!(page, "| `{name}` | {form} | yes | {docs} |"),
            };
        }
    }
    page
}
