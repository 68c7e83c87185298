//! A recording without its secrets: which texts of records and assets are looked at, and what must stay.

use super::finder::{Finder, text_of_hex};
use super::patterns::MASK;
use super::position::Position;
use super::secrets::{FoundSecrets, Secrets};
use crate::authoring::AssetSource;
use crate::base::bytes::to_hex;
use crate::journal::game::capture::Assets;
use crate::journal::record::Record;
use secrecy::{ExposeSecret, SecretString};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The name of the variable that holds the key of the server.
const KEY_VARIABLE: &str = "DRAMATIS_API_KEY";
/// Servers without keys are given a word instead, `none` or `ollama`. It is no secret, and appears everywhere.
const SHORTEST_KEY: usize = 8;

/// The words that an export must not show, besides what looks like a secret by itself. Its `Debug` shows how many there
/// are, and none of them.
///
/// ```
/// use bevy_dramatis::journal::Redaction;
/// let redaction = Redaction::default().also(["hunter2", "Ann of Green Street"]);
/// assert_eq!(format!("{redaction:?}"), "Redaction { words: 2 }");
/// ```
#[derive(Clone)]
pub struct Redaction {
    words: Vec<SecretString>,
    key: Option<SecretString>,
}

impl Default for Redaction {
    /// Knows the key in the environment, `DRAMATIS_API_KEY`, if it has eight bytes or more.
    fn default() -> Self {
        let key = std::env::var(KEY_VARIABLE).ok();
        let key = key.filter(|key| key.trim().len() >= SHORTEST_KEY);
        Self {
            words: Vec::new(),
            key: key.map(|key| SecretString::from(key.trim())),
        }
    }
}

impl std::fmt::Debug for Redaction {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let words = self.words.len();
        f.debug_struct("Redaction").field("words", &words).finish()
    }
}

impl Redaction {
    /// Adds words that an export leaves out. They are removed everywhere, in upper and lower case, and inside other words as
    /// well: a short word may spoil the recording. White space around a word is dropped, and empty words are left out.
    #[must_use]
    pub fn also<'a>(mut self, words: impl IntoIterator<Item = &'a str>) -> Self {
        let words = words.into_iter().map(str::trim);
        let words = words.filter(|word| !word.is_empty());
        self.words.extend(words.map(SecretString::from));
        self
    }

    /// Removes from an answer what an export leaves out. A secret in one place of it is removed in all places.
    ///
    /// # Errors
    /// When there are more secrets than can be looked for.
    #[cfg(feature = "remote")]
    pub(crate) fn clean(&self, answer: &mut Value) -> Result<(), super::error::ExportError> {
        let mut finder = self.finder();
        finder.value(answer, Position::Other);
        let secrets = finder.into_secrets();
        let secrets = secrets.map_err(|_| super::error::ExportError::Secrets)?;
        Redactor::new(secrets).value(answer, Position::Other);
        Ok(())
    }

    pub(super) fn finder(&self) -> Finder {
        let mut found = FoundSecrets::default();
        for word in self.words.iter().chain(&self.key) {
            found.add(word.expose_secret());
        }
        Finder { found }
    }
}

/// Removes what a [`Finder`] has found.
pub(super) struct Redactor {
    secrets: Secrets,
    /// The new hashes of assets that changed.
    moved: BTreeMap<String, String>,
}

impl Redactor {
    pub fn new(secrets: Secrets) -> Self {
        Self {
            secrets,
            moved: BTreeMap::new(),
        }
    }

    /// The assets without their secrets, by their new hashes, and how many have changed.
    pub(crate) fn clean_assets(&mut self, assets: Assets) -> (Assets, u64) {
        let mut clean = Assets::new();
        for (hash, mut source) in assets {
            self.clean_asset(&mut source);
            let now = source.digest().to_hex();
            if now != hash {
                self.moved.insert(hash, now.clone());
            }
            clean.insert(now, source);
        }
        (clean, self.moved.len() as u64)
    }

    fn clean_asset(&self, source: &mut AssetSource) {
        self.file(&mut source.file);
        self.text(&mut source.text);
        let mut parts = BTreeMap::new();
        for (mut path, mut text) in std::mem::take(&mut source.parts) {
            self.text(&mut path);
            self.text(&mut text);
            parts.insert(
                free(path, parts.len(), |path| parts.contains_key(path)),
                text,
            );
        }
        source.parts = parts;
    }

    /// The record without its secrets, and whether it has changed. A sealed record is sealed again; a record that was tampered
    /// with before stays broken.
    pub fn clean_record(&self, record: Record) -> (Record, bool) {
        let mut clean = record.clone();
        if let Some(subject) = &mut clean.subject {
            self.text(subject);
        }
        let known = [
            clean.kind.inputs(),
            clean.kind.outputs(),
            &["seals", "redacted"],
        ]
        .concat();
        clean.body = Map::new();
        let mut changed = Vec::new();
        for (name, value) in &record.body {
            let (mut key, mut now) = (name.clone(), value.clone());
            if !known.contains(&name.as_str()) {
                self.text(&mut key);
            }
            self.value(&mut now, Position::Body.field(name));
            let key = free(key, clean.body.len(), |key| clean.body.contains_key(key));
            if name != "seals" && (key != *name || now != *value) {
                changed.push(key.clone());
            }
            clean.body.insert(key, now);
        }
        if clean.subject != record.subject {
            changed.push("subject".to_owned());
        }
        let seals_changed = clean.body.get("seals") != record.body.get("seals");
        if changed.is_empty() && !seals_changed {
            return (record, false);
        }
        name_changes(&mut clean.body, changed);
        seal_again(&record, &mut clean);
        (clean, true)
    }

    fn value(&self, value: &mut Value, position: Position) {
        match value {
            Value::String(hash) if position == Position::Asset && self.moved.contains_key(hash) => {
                hash.clone_from(&self.moved[hash.as_str()]);
            }
            Value::String(text) if position.is_own(text) => {}
            Value::String(text) => match position {
                Position::Secret => MASK.clone_into(text),
                Position::Hex => self.hex(text),
                Position::File => self.file(text),
                _ => self.text(text),
            },
            Value::Array(items) => {
                let position = position.item();
                items.iter_mut().for_each(|item| self.value(item, position));
            }
            Value::Object(map) => self.map(map, position),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    fn map(&self, map: &mut Map<String, Value>, position: Position) {
        let before = (position == Position::Reply).then(|| map.clone());
        for (name, mut value) in std::mem::take(map) {
            self.value(&mut value, position.field(&name));
            let mut key = name;
            self.text(&mut key);
            let key = free(key, map.len(), |key| map.contains_key(key));
            map.insert(key, value);
        }
        let answer = |map: &Map<String, Value>| [map.get("text").cloned(), map.get("hex").cloned()];
        // Where chunks ended is no longer true of other bytes.
        if before.is_some_and(|before| answer(&before) != answer(map)) {
            map.insert("borders".to_owned(), json!([]));
        }
    }

    fn text(&self, text: &mut String) {
        if let Some(clean) = self.secrets.clean(text) {
            *text = clean;
        }
    }

    /// Text between bytes that are no text may still be a secret.
    fn hex(&self, hex: &mut String) {
        if let Some(clean) = self.secrets.clean(&text_of_hex(hex)) {
            // One byte that is no text stays: the engine's fault stays what it was.
            *hex = to_hex(&[&[0xff], clean.as_bytes()].concat());
        }
    }

    fn file(&self, file: &mut String) {
        if let Some(name) = base_name(file) {
            *file = name;
        }
        self.text(file);
    }
}

/// The file's name, of a path that shows where a person keeps things; `None` for other paths.
fn base_name(path: &str) -> Option<String> {
    let rooted = path.starts_with(['/', '\\', '~']);
    let drive = path.as_bytes().get(1) == Some(&b':') && path.as_bytes()[0].is_ascii_alphabetic();
    let mut parts = path.split(['/', '\\']);
    if !rooted && !drive && !path.starts_with("file:") && !parts.any(|part| part == "..") {
        return None;
    }
    let mut parts = path.split(['/', '\\', ':']).rev();
    let name = parts.find(|part| !matches!(*part, "" | "." | ".."));
    Some(name.unwrap_or(MASK).to_owned())
}

/// A key that is not among those that were taken: two secrets must not become one.
fn free(key: String, taken: usize, is_taken: impl Fn(&str) -> bool) -> String {
    if !is_taken(&key) {
        return key;
    }
    let mut numbers = (taken + 1..).map(|number| format!("{key} {number}"));
    numbers.find(|key| !is_taken(key)).unwrap_or(key)
}

/// Says in the body which fields redaction has changed, now or before.
fn name_changes(body: &mut Map<String, Value>, mut changed: Vec<String>) {
    let before = body.get("redacted").and_then(Value::as_array);
    let before = before.into_iter().flatten().filter_map(Value::as_str);
    changed.extend(before.map(str::to_owned));
    changed.sort_unstable();
    changed.dedup();
    body.insert("redacted".to_owned(), json!(changed));
}

/// Seals again every part whose seal was right; the rest keeps the seal that did not fit.
fn seal_again(before: &Record, record: &mut Record) {
    let seals = |record: &Record| {
        let seals = record.body.get("seals").and_then(Value::as_object);
        seals.cloned().unwrap_or_default()
    };
    let (was, mut now) = (seals(before), seals(record));
    let fitting = |record: &Record| {
        let mut sealed = record.clone();
        sealed.seal();
        seals(&sealed)
    };
    let (fitted, fits) = (fitting(before), fitting(record));
    for (name, seal) in fits {
        if was.get(&name) == fitted.get(&name) {
            now.insert(name, seal);
        }
    }
    record.body.insert("seals".to_owned(), now.into());
}
