//! A rulebook, with those that it extends.

use super::files::{FileSource, WithSource};
use crate::format::{AuthoringError, Inline, Problem};
use crate::world::{ActionRegistry, Rulebook};
use std::borrow::Cow;

/// The path of the shipped rulebook among the crate's assets.
const SHIPPED_PATH: &str = "rulebooks/default.rulebook.ron";

/// The most rulebooks that may extend one another.
pub(super) const MOST_BASES: usize = 8;

/// A story's own rulebook.
///
/// # Errors
/// The place of what is wrong with it, or with one that it extends.
pub fn load_rulebook<T>(
    sourced: &WithSource<T>,
    rulebook: &Inline<Rulebook>,
    files: &dyn FileSource,
    registry: &ActionRegistry,
) -> Result<Rulebook, AuthoringError> {
    if matches!(rulebook, Inline::Path(path) if path == SHIPPED_PATH && files.read(path).is_err()) {
        // The shipped book is there by its name, wherever the game runs.
        return Ok(Rulebook::shipped().clone());
    }
    let part = sourced.part(rulebook, "/rulebook", files)?;
    whole_rulebook(&part, files, registry)
}

/// A rulebook with the actions of those that it extends.
///
/// # Errors
/// The place of what is wrong with it, or with one that it extends.
pub fn whole_rulebook(
    book: &WithSource<Rulebook>,
    files: &dyn FileSource,
    registry: &ActionRegistry,
) -> Result<Rulebook, AuthoringError> {
    extended(book, files, registry, MOST_BASES)
}

fn extended(
    book: &WithSource<Rulebook>,
    files: &dyn FileSource,
    registry: &ActionRegistry,
    left: usize,
) -> Result<Rulebook, AuthoringError> {
    let base = match book.value.base_file() {
        None => book.value.shipped_base().map(Cow::Borrowed),
        Some(path) => {
            let wrong = |why: String| book.locate(&Problem::new("/extends", why));
            let Some(left) = left.checked_sub(1) else {
                return Err(wrong(format!(
                    "more than {MOST_BASES} rulebooks extend one another, or they do so in a circle"
                )));
            };
            let near = book.files(files);
            let (file, bytes) = near.read(path).map_err(wrong)?;
            let base = WithSource::<Rulebook>::parse(&bytes, &file)?.named(path);
            Some(Cow::Owned(extended(&base, &near, registry, left)?))
        }
    };
    match book.value.problems_over(base.as_deref(), registry).first() {
        None => Ok(book.value.clone().over(base.as_deref())),
        Some(problem) => Err(book.locate(problem)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::authoring::files::MemoryFiles;

    fn read(books: &[(&str, &str)]) -> Result<Rulebook, String> {
        let files = books
            .iter()
            .map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec()));
        let files = MemoryFiles(files.collect());
        let (file, text) = books[0];
        let book = WithSource::<Rulebook>::parse(text.as_bytes(), file).unwrap();
        whole_rulebook(&book, &files, &ActionRegistry::default()).map_err(|error| error.to_string())
    }

    #[test]
    fn w6_a_rulebook_extends_any_other() {
        let check = |id: &str| format!("(id: \"{id}\", when: Flag(\"{id}\"), else: LOCKED)");
        let (one, two) = (check("one"), check("two"));
        let top = format!(
            "(id: \"top\", extends: \"b/mid.rulebook.ron\", actions: {{\"take\": (extends: true, checks: [{two}])}})"
        );
        let mid = format!(
            "(id: \"mid\", extends: \"default\", actions: {{\"take\": (extends: true, checks: [{one}]), \"drop\": ()}})"
        );
        let book = read(&[("a.rulebook.ron", &top), ("b/mid.rulebook.ron", &mid)]).unwrap();
        let ids: Vec<&str> = book.actions["take"]
            .checks
            .iter()
            .map(|check| check.id.as_str())
            .collect();
        assert!(ids.ends_with(&["take_takeable", "one", "two"]), "{ids:?}");
        assert!(book.actions["drop"].checks.is_empty());
        assert!(book.actions.contains_key("move"));
    }

    #[test]
    fn w6_each_rulebook_of_a_chain_is_looked_for_next_to_the_one_that_names_it() {
        let extends = |id: &str, path: &str| format!("(id: \"{id}\", extends: \"{path}\")");
        let book = read(&[
            ("x.rulebook.ron", &extends("x", "a/y.rulebook.ron")),
            ("a/y.rulebook.ron", &extends("y", "z.rulebook.ron")),
            ("a/z.rulebook.ron", "(id: \"z\", actions: {\"drop\": ()})"),
        ]);
        assert!(book.unwrap().actions.contains_key("drop"));
    }

    #[test]
    fn w6_what_cannot_be_extended_is_told_with_its_place() {
        let to = |path: &str| format!("(id: \"x\",\n extends: \"{path}\")");
        let circle = to("a.rulebook.ron");
        for (books, expected) in [
            (
                vec![("a.rulebook.ron", circle.clone())],
                "a.rulebook.ron:2:11: more than 8 rulebooks",
            ),
            (
                vec![
                    ("a.rulebook.ron", to("b.rulebook.ron")),
                    ("b.rulebook.ron", circle.clone()),
                ],
                "more than 8 rulebooks",
            ),
            (
                vec![("a.rulebook.ron", to("c.rulebook.ron"))],
                "a.rulebook.ron:2:11: there is no file \"c.rulebook.ron\"",
            ),
            (
                vec![("a.rulebook.ron", to("standard"))],
                "a.rulebook.ron:2:11: there is no rulebook \"standard\" to extend",
            ),
            (
                vec![
                    ("a.rulebook.ron", to("b.rulebook.ron")),
                    ("b.rulebook.ron", "(id: 3)".to_owned()),
                ],
                "b.rulebook.ron:1:6: a text",
            ),
        ] {
            let books: Vec<(&str, &str)> = books
                .iter()
                .map(|(path, text)| (*path, text.as_str()))
                .collect();
            let error = read(&books).unwrap_err();
            assert!(
                error.starts_with(expected) || error.contains(expected),
                "{error}"
            );
        }
    }
}
