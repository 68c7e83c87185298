//! An example of each type that files are read into: a part of a shipped file, which a walk along the file's schema finds.

use crate::file_reference::{KINDS, page, plain};
use crate::file_schemas::schemas;
use crate::sources::Sources;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The most characters of an example, which has to fit into a line of a table.
const MOST_CHARS: usize = 240;

/// A value of a file in RON.
#[derive(Default)]
struct Node<'a> {
    /// The name before the bracket, or the bare word.
    name: &'a str,
    text: String,
    members: Vec<(Option<String>, Node<'a>)>,
}

struct Reader<'a> {
    rest: &'a str,
}

impl<'a> Reader<'a> {
    fn skip_blanks(&mut self) {
        loop {
            self.rest = self.rest.trim_start();
            let end = match self.rest {
                rest if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
                rest if rest.starts_with("#!") => rest.find(']').map_or(rest.len(), |at| at + 1),
                _ => return,
            };
            self.rest = &self.rest[end..];
        }
    }

    fn take(&mut self, end: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(end);
        self.rest = rest;
        taken
    }

    fn text_end(&self) -> usize {
        if let Some(raw) = self.rest.strip_prefix("r#\"") {
            return raw.find("\"#").map_or(self.rest.len(), |at| at + 5);
        }
        let mut escaped = false;
        for (at, c) in self.rest.char_indices().skip(1) {
            if c == '"' && !escaped {
                return at + 1;
            }
            escaped = c == '\\' && !escaped;
        }
        self.rest.len()
    }

    fn value(&mut self) -> Node<'a> {
        self.skip_blanks();
        if self.rest.starts_with('"') || self.rest.starts_with("r#\"") {
            let end = self.text_end();
            return Node {
                text: self.take(end).to_owned(),
                ..Node::default()
            };
        }
        let word = self
            .rest
            .find(|c: char| c.is_whitespace() || "()[]{},:".contains(c));
        let name = self.take(word.unwrap_or(self.rest.len()));
        self.skip_blanks();
        let close = match self.rest.chars().next() {
            Some('(') => ')',
            Some('[') if name.is_empty() => ']',
            Some('{') if name.is_empty() => '}',
            _ => {
                return Node {
                    name,
                    text: name.to_owned(),
                    members: Vec::new(),
                };
            }
        };
        let mut text = format!("{name}{}", self.take(1));
        let mut members = Vec::new();
        loop {
            self.skip_blanks();
            if self.rest.is_empty() || self.rest.starts_with(close) {
                self.take(self.rest.len().min(1));
                text.push(close);
                break;
            }
            let mut value = self.value();
            self.skip_blanks();
            let mut key = None;
            if !members.is_empty() {
                text.push_str(", ");
            }
            if self.rest.starts_with(':') {
                self.take(1);
                text.push_str(&value.text);
                text.push_str(": ");
                key = Some(value.text.trim_matches('"').to_owned());
                value = self.value();
                self.skip_blanks();
            }
            text.push_str(&value.text);
            members.push((key, value));
            if self.rest.starts_with(',') {
                self.take(1);
            }
        }
        Node {
            name,
            text,
            members,
        }
    }
}

/// Collects the examples of each type.
struct Walk<'s> {
    definitions: &'s Value,
    found: &'s mut BTreeMap<String, Vec<Found>>,
    /// Whether the file is a test: names in tests are poor examples.
    is_test: bool,
}

/// Whether the example is from a test, how many members it has, and its text.
type Found = (bool, usize, String);

impl Walk<'_> {
    fn walk(&mut self, node: &Node<'_>, schema: &Value) {
        if let Some(name) = schema["$ref"].as_str() {
            let name = name.trim_start_matches("#/definitions/");
            let definition = &self.definitions[name];
            // Here the file has a path to another file instead of the content.
            if node.text.starts_with('"') && definition["type"] == "object" {
                return;
            }
            let example = (self.is_test, node.members.len(), node.text.clone());
            self.found.entry(name.to_owned()).or_default().push(example);
            return self.walk(node, definition);
        }
        for part in schema["allOf"].as_array().into_iter().flatten() {
            self.walk(node, part);
        }
        for form in schema["anyOf"].as_array().into_iter().flatten() {
            match form["properties"]
                .get(node.name)
                .filter(|_| !node.name.is_empty())
            {
                Some(content)
                    if content["properties"].is_object() || content["items"].is_array() =>
                {
                    self.members(node, content);
                }
                Some(content) => node
                    .members
                    .iter()
                    .for_each(|(_, held)| self.walk(held, content)),
                None if form["properties"].is_null() => self.walk(node, form),
                None => {}
            }
        }
        self.members(node, schema);
    }

    fn members(&mut self, node: &Node<'_>, schema: &Value) {
        for (at, (key, value)) in node.members.iter().enumerate() {
            let below = match (key, &schema["items"]) {
                (Some(key), _) => match &schema["properties"][key] {
                    Value::Null => &schema["additionalProperties"],
                    property => property,
                },
                (None, Value::Array(items)) => items.get(at).unwrap_or(&Value::Null),
                (None, items) => items,
            };
            self.walk(value, below);
        }
    }
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).unwrap();
    for entry in entries {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => files(&path, found),
            false if path.extension().is_some_and(|it| it == "ron") => found.push(path),
            false => {}
        }
    }
}

/// For each type, by its name in the schema, the shipped example with the most members that fits into a line.
fn examples(root: &Path, sources: &Sources) -> BTreeMap<String, String> {
    let schemas = schemas(sources);
    let mut paths = Vec::new();
    for folder in ["assets", "benches", "src/cli/new"] {
        files(&root.join(folder), &mut paths);
    }
    paths.sort();
    let mut found = BTreeMap::new();
    for path in paths {
        let file = path.file_name().unwrap().to_string_lossy().into_owned();
        let kind = file
            .strip_suffix(".ron")
            .unwrap()
            .rsplit('.')
            .next()
            .unwrap();
        let Some(schema) = schemas.get(kind) else {
            continue;
        };
        let source = std::fs::read_to_string(&path).unwrap();
        let source = source.replace("%ID%", "ford").replace("%NAME%", "Ford");
        let node = Reader { rest: &source }.value();
        let mut walk = Walk {
            definitions: &schema["definitions"],
            found: &mut found,
            is_test: path.starts_with(root.join("assets/scenarios")),
        };
        match schema["items"].is_object() {
            true => walk.members(&node, schema),
            false => walk.walk(&node, schema),
        }
    }
    let best = found
        .into_iter()
        .filter_map(|(name, mut examples): (String, Vec<Found>)| {
            examples.retain(|(_, _, text)| {
                text.chars().count() <= MOST_CHARS && !text.contains(['\n', '`', '|'])
            });
            let best = examples.into_iter().min_by(|a, b| {
                let by_members = a.0.cmp(&b.0).then(b.1.cmp(&a.1));
                by_members
                    .then(a.2.len().cmp(&b.2.len()))
                    .then(a.2.cmp(&b.2))
            });
            Some((name, best?.2))
        });
    best.collect()
}

/// `WRITE_FILES_PAGE=1` writes the page again.
#[test]
fn the_page_on_files_says_what_the_types_say() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let sources = Sources::read(&root.join("src"));
    let page = page(&sources, &examples(root, &sources));
    for (file, name, _) in KINDS {
        assert!(
            page.contains(&format!("## {}\n\nThe files `{file}`", plain(name))),
            "{name}"
        );
    }
    let path = root.join("docs/files.md");
    if std::env::var_os("WRITE_FILES_PAGE").is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        written == page,
        "docs/files.md is out of date: run this test with WRITE_FILES_PAGE=1"
    );
}
