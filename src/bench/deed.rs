//! Actions as a bench names them.

use crate::base::ids::Id;
use crate::world::{ActionRegistry, Intent};

/// An action by its type and the ids of what it is about, the target first: `open door_1`, or `give key_1 player`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Deed {
    kind: String,
    about: Vec<String>,
}

impl Deed {
    /// Reads an action as a bench writes it. The error is a sentence for people.
    pub fn read(written: &str, registry: &ActionRegistry) -> Result<Self, String> {
        let mut words = written.split_whitespace().map(str::to_owned);
        let kind = words.next().unwrap_or_default();
        if registry.shape(&kind).is_none() {
            return Err(format!(
                "there is no action \"{}\": write its type and its target, such as \"open door_1\"",
                kind.escape_debug()
            ));
        }
        let about: Vec<String> = words.collect();
        match about.iter().find_map(|id| Id::new(id).err()) {
            Some(error) => Err(error.to_string()),
            None => Ok(Self { kind, about }),
        }
    }

    /// Whether this is what was done. Where fewer ids are named here than the action has, the others may be any.
    pub fn is(&self, done: &Intent) -> bool {
        let ids = ids_of(done);
        let named = self.about.iter().map(String::as_str);
        self.kind == done.kind()
            && self.about.len() <= ids.len()
            && named.zip(ids).all(|(named, id)| named == id)
    }
}

/// The ids of what an action is about, the target first.
fn ids_of(done: &Intent) -> Vec<&str> {
    let target = done.target();
    let others = done.references().filter(|id| Some(*id) != target);
    target.into_iter().chain(others).collect()
}

/// An action as a bench names it: its type and its target.
pub(super) fn named(done: &Intent) -> String {
    match ids_of(done).first() {
        Some(target) => format!("{} {target}", done.kind()),
        None => done.kind().to_owned(),
    }
}
