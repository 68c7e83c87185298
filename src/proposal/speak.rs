//! What a `speak` says: speech like the dialogue, and nothing else.

use super::options::ParseOptions;
use super::sanitise;
use super::scan::Reading;
use crate::judged_world::action::{ProposedAction, action_key};
use serde_json::Value;

/// Cleans the words of each `speak`. One whose words are for machines is malformed.
pub(super) fn clean<'a>(
    actions: impl IntoIterator<Item = &'a mut ProposedAction>,
    options: &ParseOptions,
) {
    let spoken = actions.into_iter();
    for action in spoken.filter(|action| action_key(&action.kind) == "speak") {
        if let Some(Value::String(words)) = action.fields.get_mut("content") {
            match sanitise::speech(words, Reading::Envelope, options) {
                Ok(spoken) => *words = spoken.line,
                Err(error) => action.malformed = Some(error.message),
            }
        }
    }
}
