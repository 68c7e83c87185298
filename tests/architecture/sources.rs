//! The crate's source files as syntax trees, by module, without code that only tests see.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use syn::{Attribute, Item, Meta};

/// A module that has its own file, as its path from the root: `["gate", "approved"]`; the root itself is empty.
pub type Module = Vec<String>;

/// Every `.rs` file below a folder: its path from there, with `/`, and its text.
///
/// # Panics
///
/// When a file cannot be read.
pub fn texts(root: &Path) -> Vec<(String, String)> {
    let mut files = Vec::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries =
            fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        for entry in entries {
            let path = entry.expect("a folder's entry can be read").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.strip_prefix(root).expect("it is below the root");
            let name = name.display().to_string().replace('\\', "/");
            if name.ends_with(".rs") {
                let text =
                    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
                files.push((name, text));
            }
        }
    }
    files
}

/// Every source file by its module.
pub struct Sources(BTreeMap<Module, syn::File>);

impl Sources {
    /// Reads every `.rs` file below a folder, except for the programs in `bin`.
    ///
    /// # Panics
    ///
    /// When a file cannot be read or is not Rust.
    pub fn read(root: &Path) -> Self {
        let files = texts(root);
        let files = files.iter().filter(|(name, _)| !name.starts_with("bin/"));
        Self::parse(files.map(|(name, text)| (name.as_str(), text.as_str())))
    }

    /// The same from names, such as `gate/approved.rs`, and texts.
    pub fn parse<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let mut parsed: BTreeMap<Module, syn::File> = files
            .into_iter()
            .map(|(name, text)| {
                let file = syn::parse_file(text).unwrap_or_else(|error| panic!("{name}: {error}"));
                (module_of(name), file)
            })
            .collect();
        let for_tests: Vec<Module> = parsed
            .iter()
            .flat_map(|(module, file)| {
                file.items.iter().filter_map(move |item| match item {
                    Item::Mod(child) if child.content.is_none() && is_for_tests(&child.attrs) => {
                        Some(
                            module
                                .iter()
                                .cloned()
                                .chain([child.ident.to_string()])
                                .collect(),
                        )
                    }
                    _ => None,
                })
            })
            .collect();
        parsed.retain(|module, _| !for_tests.iter().any(|tests| module.starts_with(tests)));
        Self(parsed)
    }

    /// Whether a module has a file.
    pub fn has(&self, module: &[String]) -> bool {
        self.0.contains_key(module)
    }

    pub fn iter(&self) -> impl Iterator<Item = (&Module, &syn::File)> {
        self.0.iter()
    }
}

/// The module that a file contains: `gate/approved.rs` and `gate/approved/mod.rs` contain the same.
fn module_of(name: &str) -> Module {
    let name = name.trim_end_matches(".rs");
    let name = name.strip_suffix("/mod").unwrap_or(name);
    if name == "lib" {
        Vec::new()
    } else {
        name.split('/').map(str::to_owned).collect()
    }
}

/// A module's file as people name it.
pub fn file_of(module: &Module) -> String {
    if module.is_empty() {
        "src/lib.rs".to_owned()
    } else {
        format!("src/{}.rs", module.join("/"))
    }
}

/// Whether only tests see an item with these attributes: `#[cfg(test)]`, or `test` as a part of `all`.
pub fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| match &attribute.meta {
        Meta::List(list) if list.path.is_ident("cfg") => {
            let condition = list.tokens.to_string().replace(' ', "");
            let all = condition
                .strip_prefix("all(")
                .and_then(|rest| rest.strip_suffix(')'));
            condition == "test" || all.is_some_and(|all| all.split(',').any(|one| one == "test"))
        }
        _ => false,
    })
}

#[test]
fn a_file_is_a_module() {
    for (name, module) in [
        ("lib.rs", &[][..]),
        ("gate.rs", &["gate"]),
        ("gate/approved.rs", &["gate", "approved"]),
        ("gate/canon/mod.rs", &["gate", "canon"]),
    ] {
        assert_eq!(module_of(name), module, "{name}");
    }
}

#[test]
fn what_only_tests_see_is_left_out() {
    let sources = Sources::parse([
        ("lib.rs", "mod a;"),
        (
            "a.rs",
            "#[cfg(test)] mod tests; #[cfg(feature = \"x\")] mod b; #[cfg(all(test, unix))] mod c;",
        ),
        ("a/tests.rs", ""),
        ("a/tests/files.rs", ""),
        ("a/b.rs", ""),
        ("a/c.rs", ""),
    ]);
    let left: Vec<_> = sources.iter().map(|(module, _)| file_of(module)).collect();
    assert_eq!(left, ["src/lib.rs", "src/a.rs", "src/a/b.rs"]);
}
