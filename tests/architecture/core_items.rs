//! What in a file belongs into the shell: system parameters, hooks, and mutable access to the world.

use crate::sources::is_for_tests;
use syn::visit::{self, Visit};

/// Names that only the shell uses.
const OF_THE_SHELL: [&str; 8] = [
    "Commands",
    "DeferredWorld",
    "EntityWorldMut",
    "HookContext",
    "Query",
    "Res",
    "ResMut",
    "SystemParam",
];
/// The hooks of a component.
const HOOKS: [&str; 5] = [
    "on_add",
    "on_insert",
    "on_discard",
    "on_remove",
    "on_despawn",
];

/// What in this file belongs into the shell, without code that only tests see.
pub fn shell_items(file: &syn::File) -> Vec<String> {
    let mut finder = Finder::default();
    finder.visit_file(file);
    finder.found
}

#[derive(Default)]
struct Finder {
    found: Vec<String>,
}

impl<'ast> Visit<'ast> for Finder {
    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if !is_for_tests(&item.attrs) {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_use(&mut self, _: &'ast syn::ItemUse) {}

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let names = path.segments.iter().map(|part| part.ident.to_string());
        self.found
            .extend(names.filter(|name| OF_THE_SHELL.contains(&name.as_str())));
        visit::visit_path(self, path);
    }

    fn visit_type_reference(&mut self, reference: &'ast syn::TypeReference) {
        if let syn::Type::Path(of) = &*reference.elem
            && reference.mutability.is_some()
            && of
                .path
                .segments
                .last()
                .is_some_and(|last| last.ident == "World")
        {
            self.found.push("&mut World".to_owned());
        }
        visit::visit_type_reference(self, reference);
    }

    fn visit_attribute(&mut self, attribute: &'ast syn::Attribute) {
        let names: &[&str] = match attribute.path() {
            path if path.is_ident("component") => &HOOKS,
            path if path.is_ident("derive") => &OF_THE_SHELL,
            _ => return,
        };
        if let syn::Meta::List(list) = &attribute.meta {
            let said = list.tokens.to_string();
            let words = said.split(|c: char| !(c.is_alphanumeric() || c == '_'));
            let named = words.filter(|word| names.contains(word));
            self.found.extend(named.map(str::to_owned));
        }
    }
}

#[test]
fn what_belongs_into_the_shell_is_found() {
    let found = |text: &str| shell_items(&syn::parse_file(text).expect("it is Rust"));
    for (text, name) in [
        ("fn f(mut q: Query<&Mind>) {}", "Query"),
        ("fn f(world: &mut World) {}", "&mut World"),
        ("fn f(world: &mut bevy::prelude::World) {}", "&mut World"),
        ("#[derive(SystemParam)] struct S;", "SystemParam"),
        (
            "#[component(immutable, on_insert = f)] struct S;",
            "on_insert",
        ),
        ("fn f() { let g = |w: &mut World| (); }", "&mut World"),
    ] {
        let found = found(text);
        assert!(found.iter().any(|item| item == name), "{text}: {found:?}");
    }
    for text in [
        "fn f(world: &World) {}",
        "#[derive(Component)] #[component(immutable)] struct Mind;",
        "use bevy::prelude::Commands;",
        "#[cfg(test)] mod tests { fn f(c: Commands) {} }",
    ] {
        assert_eq!(found(text), Vec::<String>::new(), "{text}");
    }
}
