//! The test makes the JSON Schemas of the files, `docs/schemas`, from the types that are read.

use crate::file_reference::{
    KINDS, called, cased, docs, has_serde, limits, reads_files, serde_text,
};
use crate::sources::Sources;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use syn::{Fields, GenericArgument, Item, PathArguments, Type};

/// For a type with its own reader, the schema of a value of it.
fn written(name: &str) -> Option<Value> {
    let values = json!(["boolean", "integer", "string"]);
    Some(match name {
        "WorldValue" | "EffectValue" => json!({"type": values}),
        "Literal" | "Value" => json!({}),
        "Finish" => json!({"enum": ["Stop", "Length"]}),
        "PartName" => json!({"enum": ["affinity", "trust", "familiarity"]}),
        "RuleTime" => json!({"type": "number"}),
        "BandLevels" => {
            json!({"type": "array", "items": {"type": "integer"}, "minItems": 5, "maxItems": 5})
        }
        "PromptWords" => json!({"type": "object", "additionalProperties": {"type": "string"}}),
        "StemmerLanguage" => json!({"type": "string"}),
        "StopWords" => json!({"type": "array", "items": {"type": "string"}}),
        "WantedTarget" => {
            json!({"anyOf": [{"type": "string"}, one("Context", json!({"type": "string"}))]})
        }
        "ActionSpec" => json!({"type": "object", "minProperties": 1, "maxProperties": 1}),
        _ => return None,
    })
}

/// An object with this one member.
fn one(name: &str, value: Value) -> Value {
    let mut properties = Map::new();
    properties.insert(name.to_owned(), value);
    json!({"type": "object", "properties": properties, "required": [name], "additionalProperties": false})
}

fn form(of: &Type, uses: &mut BTreeSet<String>) -> Value {
    if let Type::Tuple(tuple) = of {
        let parts: Vec<Value> = tuple.elems.iter().map(|part| form(part, uses)).collect();
        return json!({"type": "array", "minItems": parts.len(), "maxItems": parts.len(), "items": parts});
    }
    let Type::Path(path) = of else {
        return json!({});
    };
    let Some(last) = path.path.segments.last() else {
        return json!({});
    };
    let mut inner = Vec::new();
    if let PathArguments::AngleBracketed(list) = &last.arguments {
        for argument in &list.args {
            if let GenericArgument::Type(of) = argument {
                inner.push(form(of, uses));
            }
        }
    }
    let mut inner = inner.into_iter();
    let mut next = || inner.next().unwrap_or_else(|| json!({}));
    match last.ident.to_string().as_str() {
        "Option" => json!({"anyOf": [next(), {"type": "null"}]}),
        "Box" | "Arc" => next(),
        "Vec" | "BTreeSet" => json!({"type": "array", "items": next()}),
        "BTreeMap" => {
            let _ = next();
            json!({"type": "object", "additionalProperties": next()})
        }
        "Inline" => json!({"anyOf": [{"type": "string"}, next()]}),
        "String" | "Id" => json!({"type": "string"}),
        "bool" => json!({"type": "boolean"}),
        "f64" | "f32" | "Millionths" => json!({"type": "number"}),
        "u8" | "u16" | "u32" | "u64" | "usize" | "Millis" => {
            json!({"type": "integer", "minimum": 0})
        }
        "i8" | "i32" | "i64" => json!({"type": "integer"}),
        name => written(name).unwrap_or_else(|| {
            uses.insert(name.to_owned());
            json!({"$ref": format!("#/definitions/{}", called(name))})
        }),
    }
}

/// A schema with the doc comment of its type as the description.
fn described(mut schema: Value, said: &str) -> Value {
    if said.is_empty() {
        return schema;
    }
    // Readers ignore other words next to a `$ref`.
    if schema.get("$ref").is_some() {
        schema = json!({"allOf": [schema]});
    }
    schema["description"] = json!(said);
    schema
}

/// A type that files are read into, and the types that it uses.
fn definition(item: &Item) -> Option<(String, Value, BTreeSet<String>)> {
    let mut uses = BTreeSet::new();
    let (name, attrs, schema) = match item {
        Item::Struct(item) if reads_files(&item.attrs) => {
            let whole = has_serde(&item.attrs, "default");
            let (mut properties, mut required) = (Map::new(), Vec::new());
            for field in &item.fields {
                if has_serde(&field.attrs, "skip") {
                    continue;
                }
                let name = serde_text(&field.attrs, "rename");
                let name = name.or(Some(field.ident.as_ref()?.to_string()))?;
                let schema = form(&field.ty, &mut uses);
                let is_option = schema
                    .get("anyOf")
                    .is_some_and(|of| of[1] == json!({"type": "null"}));
                if !whole && !is_option && !has_serde(&field.attrs, "default") {
                    required.push(name.clone());
                }
                properties.insert(name, described(schema, &docs(&field.attrs)));
            }
            let mut schema =
                json!({"type": "object", "properties": properties, "additionalProperties": false});
            if !required.is_empty() {
                schema["required"] = json!(required);
            }
            (&item.ident, &item.attrs, schema)
        }
        Item::Enum(item) if reads_files(&item.attrs) => {
            let case = serde_text(&item.attrs, "rename_all");
            let mut forms = Vec::new();
            for variant in &item.variants {
                if has_serde(&variant.attrs, "skip") {
                    continue;
                }
                let name = serde_text(&variant.attrs, "rename");
                let name =
                    name.unwrap_or_else(|| cased(&variant.ident.to_string(), case.as_deref()));
                let schema = match &variant.fields {
                    Fields::Unit => json!({"const": name}),
                    Fields::Named(fields) => {
                        let (mut properties, mut required) = (Map::new(), Vec::new());
                        for field in &fields.named {
                            let name = field.ident.as_ref()?.to_string();
                            let schema = form(&field.ty, &mut uses);
                            let is_option = schema
                                .get("anyOf")
                                .is_some_and(|of| of[1] == json!({"type": "null"}));
                            if !is_option && !has_serde(&field.attrs, "default") {
                                required.push(name.clone());
                            }
                            properties.insert(name, described(schema, &docs(&field.attrs)));
                        }
                        let fields = json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false});
                        one(&name, fields)
                    }
                    Fields::Unnamed(fields) => {
                        let mut parts: Vec<Value> = fields
                            .unnamed
                            .iter()
                            .map(|field| form(&field.ty, &mut uses))
                            .collect();
                        match parts.len() {
                            1 => one(&name, parts.remove(0)),
                            many => {
                                let needed = fields
                                    .unnamed
                                    .iter()
                                    .filter(|field| !has_serde(&field.attrs, "default"))
                                    .count();
                                one(
                                    &name,
                                    json!({"type": "array", "items": parts, "minItems": needed, "maxItems": many}),
                                )
                            }
                        }
                    }
                };
                forms.push(described(schema, &docs(&variant.attrs)));
            }
            (&item.ident, &item.attrs, json!({"anyOf": forms}))
        }
        _ => return None,
    };
    Some((name.to_string(), described(schema, &docs(attrs)), uses))
}

fn of_limits(sources: &Sources) -> Value {
    let entry = limits(sources);
    let mut properties = Map::new();
    for (name, form, _, said) in &entry.rows {
        let schema = match form.as_str() {
            "number" => json!({"type": "number"}),
            "whole number" => json!({"type": "integer", "minimum": 0}),
            _ => {
                let weight = json!({"type": "number"});
                json!({"type": "object", "additionalProperties": false,
                    "properties": {"relevance": weight, "recency": weight, "significance": weight}})
            }
        };
        properties.insert(name.clone(), described(schema, said));
    }
    let schema = json!({"type": "object", "properties": properties, "additionalProperties": false});
    described(schema, &entry.docs)
}

/// The schema of each kind of file, by the name of the kind.
pub(crate) fn schemas(sources: &Sources) -> BTreeMap<String, Value> {
    let mut types: BTreeMap<String, (Value, BTreeSet<String>)> = BTreeMap::new();
    for (_, file) in sources.iter() {
        for (name, schema, uses) in file.items.iter().filter_map(definition) {
            types.entry(name).or_insert((schema, uses));
        }
    }
    types.insert(
        "LimitsSpec".to_owned(),
        (of_limits(sources), BTreeSet::new()),
    );
    let kinds = KINDS.iter().map(|(ending, root, what)| {
        let kind = ending.trim_start_matches('.').trim_end_matches(".ron");
        let mut definitions = Map::new();
        let mut waiting = vec![(*root).to_owned()];
        let mut told = BTreeSet::new();
        while let Some(name) = waiting.pop() {
            let (schema, uses) = types
                .get(&name)
                .unwrap_or_else(|| panic!("say in `written` how {name} is written"));
            let before = definitions.insert(called(&name).to_owned(), schema.clone());
            assert!(
                before.is_none_or(|before| before == *schema),
                "two types are called {name}"
            );
            if told.insert(name) {
                waiting.extend(uses.iter().cloned());
            }
        }
        let root = json!({"$ref": format!("#/definitions/{}", called(root))});
        // The file of a routine is a list.
        let root = match kind {
            "routine" => json!({"type": "array", "items": root}),
            _ => json!({"allOf": [root]}),
        };
        let mut schema = json!({
            "$schema": "http://json-schema.org/draft-07/schema#",
            "title": format!("{kind} of bevy_dramatis"),
            "description": what,
            "definitions": definitions,
        });
        for (name, value) in root.as_object().into_iter().flatten() {
            schema[name] = value.clone();
        }
        (kind.to_owned(), schema)
    });
    kinds.collect()
}

/// `WRITE_FILES_PAGE=1` writes the schemas again.
#[test]
fn x7_each_kind_of_file_has_a_json_schema_that_says_what_its_types_say() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = root.join("docs/schemas");
    let schemas = schemas(&Sources::read(&root.join("src")));
    assert_eq!(schemas.len(), KINDS.len());
    for (kind, schema) in schemas {
        let path = folder.join(format!("{kind}.schema.json"));
        let text = format!("{:#}\n", schema);
        if std::env::var_os("WRITE_FILES_PAGE").is_some() {
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(&path, &text).unwrap();
        }
        let written = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            written == text,
            "docs/schemas/{kind}.schema.json is out of date: run this test with WRITE_FILES_PAGE=1"
        );
    }
}
