//! What a new entity may be called.

use crate::base::ids::Id;
use crate::judged_world::state::value::WorldValue;
use crate::judged_world::words::name_key::name_key;
use crate::text::fold::is_word_char;
use crate::text::twin::{twin_key, twin_keys};
use crate::text::{Lexicon, is_visible, without_controls};
use std::collections::BTreeMap;

/// The longest name of a new entity, in characters.
pub const MAX_NAME_CHARS: usize = 64;
/// The longest kind of a new entity, in characters.
pub const MAX_KIND_CHARS: usize = 32;

/// Cleans and checks the name of a new entity, and checks its kind. Both appear in the prompts of all characters nearby, where
/// they must look like a name and a kind, and like nothing else. `people`: the speakers here, with or without an entity.
/// `lexicon`: the language of the story, whose reserved words count in addition to the English ones.
///
/// A pronoun is no name either; the rulebook's `NameFree` refuses it, like the names that other entities have.
///
/// # Errors
/// What is wrong, as the end of a sentence.
pub(crate) fn check_newcomer(
    fields: &mut BTreeMap<&'static str, WorldValue>,
    actor: &Id,
    people: &[&Id],
    lexicon: &Lexicon,
) -> Result<(), &'static str> {
    if let Some(WorldValue::Text(kind)) = fields.get("kind")
        && (kind.chars().count() > MAX_KIND_CHARS || Id::new(kind).is_err())
    {
        return Err("has a \"kind\" that is not an id of at most 32 characters");
    }
    let Some(WorldValue::Text(name)) = fields.get_mut("name") else {
        return Ok(());
    };
    if name.chars().any(char::is_control) {
        return Err("has a \"name\" of more than one line");
    }
    *name = without_controls(name).trim().to_owned();
    let is_name_char =
        |c: char| (c != '_' && is_word_char(c)) || matches!(c, ' ' | '\'' | '’' | '-' | '.');
    if name.chars().count() > MAX_NAME_CHARS || !name.chars().all(is_name_char) || !is_visible(name)
    {
        return Err(
            "has a \"name\" that is not a name: at most 64 letters, digits, spaces, ' - and .",
        );
    }
    let key = name_key(name);
    let key = key.trim_matches(['.', '-', '\'', ' ']);
    let twins = twin_keys(name);
    let is_person = people
        .iter()
        .copied()
        .chain([actor])
        .any(|id| twins.contains(&twin_key(id)));
    let languages = [Lexicon::english(), lexicon];
    let is_reserved = languages.into_iter().any(|language| {
        let words = &language.references;
        let first = key.split(' ').next().unwrap_or_default();
        words.reserved.iter().any(|word| word == key) || words.mine.iter().any(|mine| mine == first)
    });
    match is_person || is_reserved {
        true => Err("has a \"name\" that a newcomer cannot have"),
        false => Ok(()),
    }
}
