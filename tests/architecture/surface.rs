//! The items that a game can name: those of public modules, each under its one path.

use crate::imports::Names;
use crate::sources::{Module, Sources, is_for_tests};
use std::collections::BTreeMap;
use syn::{Attribute, Item, UseTree, Visibility};

/// The place where an item is defined, and the paths under which a game can name it.
pub type Surface = BTreeMap<(Module, Vec<String>), Vec<String>>;

/// All items that a game can name. `prelude` names other paths again and is left out.
pub fn surface(sources: &Sources) -> Surface {
    let mut reader = Reader {
        sources,
        names: Names::read(sources),
        found: Surface::new(),
    };
    reader.module(&Module::new(), "");
    reader.found
}

struct Reader<'a> {
    sources: &'a Sources,
    names: Names<'a>,
    found: Surface,
}

impl Reader<'_> {
    fn module(&mut self, module: &Module, path: &str) {
        let Some((_, file)) = self.sources.iter().find(|(at, _)| *at == module) else {
            return;
        };
        for item in &file.items {
            match item {
                Item::Mod(child) if is_seen(&child.vis, &child.attrs) => {
                    let name = child.ident.to_string();
                    if name != "prelude" {
                        let below = module.iter().cloned().chain([name.clone()]).collect();
                        self.module(&below, &joined(path, &name));
                    }
                }
                Item::Use(used) if is_seen(&used.vis, &used.attrs) => {
                    self.follow(module, path, &mut Vec::new(), &used.tree);
                }
                Item::Macro(made)
                    if made.attrs.iter().any(|a| a.path().is_ident("macro_export")) =>
                {
                    let name = made.ident.as_ref().map(ToString::to_string);
                    self.add(
                        module,
                        vec![name.clone().unwrap_or_default()],
                        name.unwrap_or_default(),
                    );
                }
                other => {
                    if let Some(name) = defined(other) {
                        self.add(module, vec![name.clone()], joined(path, &name));
                    }
                }
            }
        }
    }

    fn follow(&mut self, module: &Module, path: &str, before: &mut Vec<String>, tree: &UseTree) {
        match tree {
            UseTree::Path(part) => {
                before.push(part.ident.to_string());
                self.follow(module, path, before, &part.tree);
                before.pop();
            }
            UseTree::Group(group) => {
                for tree in &group.items {
                    self.follow(module, path, before, tree);
                }
            }
            UseTree::Name(name) => {
                let leaf = name.ident.to_string();
                self.bring(module, path, before, &leaf, &leaf);
            }
            UseTree::Rename(name) => {
                let (leaf, alias) = (name.ident.to_string(), name.rename.to_string());
                self.bring(module, path, before, &leaf, &alias);
            }
            UseTree::Glob(_) => panic!("{path}: a glob hides what is public"),
        }
    }

    fn bring(&mut self, module: &Module, path: &str, before: &[String], leaf: &str, alias: &str) {
        let whole: Vec<String> = before.iter().cloned().chain([leaf.to_owned()]).collect();
        match self.names.lead(module, &whole) {
            Some((to, rest)) if rest.is_empty() && self.is_public(&to) => {
                self.module(&to, &joined(path, alias));
            }
            // An item with the same name as a private module.
            Some((to, rest)) if rest.is_empty() => {
                self.add(&to, vec![leaf.to_owned()], joined(path, alias));
            }
            Some((to, rest)) => self.add(&to, rest, joined(path, alias)),
            // Of another crate.
            None => self.add(module, whole, joined(path, alias)),
        }
    }

    fn is_public(&self, module: &Module) -> bool {
        let Some((name, parent)) = module.split_last() else {
            return false;
        };
        let mut files = self.sources.iter();
        files.find(|(at, _)| *at == parent).is_some_and(|(_, file)| {
            file.items.iter().any(|item| {
                matches!(item, Item::Mod(child) if child.ident == name && is_seen(&child.vis, &child.attrs))
            })
        })
    }

    fn add(&mut self, module: &Module, item: Vec<String>, path: String) {
        let paths = self.found.entry((module.clone(), item)).or_default();
        if !paths.contains(&path) {
            paths.push(path);
        }
    }
}

fn joined(path: &str, name: &str) -> String {
    match path {
        "" => name.to_owned(),
        path => format!("{path}::{name}"),
    }
}

fn is_seen(vis: &Visibility, attributes: &[Attribute]) -> bool {
    let is_hidden = attributes.iter().any(|attribute| match &attribute.meta {
        syn::Meta::List(list) => {
            let said = list.tokens.to_string();
            list.path.is_ident("doc") && said == "hidden"
                || list.path.is_ident("cfg") && said.contains("fuzzing")
        }
        _ => false,
    });
    matches!(vis, Visibility::Public(_)) && !is_hidden && !is_for_tests(attributes)
}

fn defined(item: &Item) -> Option<String> {
    let (name, vis, attributes) = match item {
        Item::Const(item) => (&item.ident, &item.vis, &item.attrs),
        Item::Enum(item) => (&item.ident, &item.vis, &item.attrs),
        Item::Fn(item) => (&item.sig.ident, &item.vis, &item.attrs),
        Item::Static(item) => (&item.ident, &item.vis, &item.attrs),
        Item::Struct(item) => (&item.ident, &item.vis, &item.attrs),
        Item::Trait(item) => (&item.ident, &item.vis, &item.attrs),
        Item::Type(item) => (&item.ident, &item.vis, &item.attrs),
        Item::Union(item) => (&item.ident, &item.vis, &item.attrs),
        _ => return None,
    };
    is_seen(vis, attributes).then(|| name.to_string())
}

#[test]
fn what_is_public_is_found_under_its_path() {
    let sources = Sources::parse([
        (
            "lib.rs",
            "pub mod a; mod b; pub mod prelude; #[macro_export] macro_rules! id { () => {} }",
        ),
        (
            "a.rs",
            "mod c; pub use c::{C, d as e}; pub use crate::b::B; pub use crate::b::inside; pub struct A; struct Own;",
        ),
        ("a/c.rs", "pub struct C; pub fn d() {}"),
        ("b.rs", "pub mod inside; pub struct B; pub struct Unseen;"),
        ("b/inside.rs", "pub struct I;"),
        ("prelude.rs", "pub use crate::a::A;"),
    ]);
    let mut paths: Vec<String> = surface(&sources).into_values().flatten().collect();
    paths.sort();
    assert_eq!(
        paths,
        ["a::A", "a::B", "a::C", "a::e", "a::inside::I", "id"]
    );
}
