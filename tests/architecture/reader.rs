//! Tests of the reader itself, on small sources.

use crate::circles::circles;
use crate::imports::imports;
use crate::sources::{Sources, file_of};

/// The imports between files, as `a -> b`, each once.
fn read(files: &[(&str, &str)]) -> Vec<String> {
    let mut found: Vec<_> = imports(&Sources::parse(files.iter().copied()))
        .iter()
        .map(|import| format!("{} -> {}", short(&import.from), short(&import.to)))
        .collect();
    found.sort();
    found.dedup();
    found
}

fn short(module: &crate::sources::Module) -> String {
    file_of(module)
        .trim_start_matches("src/")
        .trim_end_matches(".rs")
        .to_owned()
}

#[test]
fn a_planted_circle_is_found() {
    let sources = Sources::parse([
        ("lib.rs", "pub mod a; pub mod b; pub mod c; pub mod d;"),
        ("a.rs", "use crate::b::{self, B}; pub struct A(B);"),
        (
            "b.rs",
            "pub struct B; pub fn b() { let _ = vec![crate::c::C]; }",
        ),
        ("c.rs", "use super::a::A as Other; pub struct C;"),
        ("d.rs", "use crate::a::A; use std::fmt::Debug;"),
    ]);
    let found = circles(&imports(&sources));
    let found: Vec<Vec<_>> = found
        .iter()
        .map(|circle| circle.iter().map(short).collect())
        .collect();
    assert_eq!(found, [["a", "b", "c"]]);
}

#[test]
fn two_circles_are_two() {
    let sources = Sources::parse([
        ("a.rs", "use crate::b::B; pub struct A;"),
        ("b.rs", "use crate::a::A; use crate::c::C; pub struct B;"),
        ("c.rs", "use crate::d::D; pub struct C;"),
        ("d.rs", "use crate::c::C; pub struct D;"),
    ]);
    assert_eq!(
        circles(&imports(&sources))
            .iter()
            .map(|circle| circle.len())
            .collect::<Vec<_>>(),
        [2, 2]
    );
}

#[test]
fn a_table_of_contents_is_no_import_and_is_seen_through() {
    let files = [
        ("lib.rs", "pub mod a; pub mod b;"),
        (
            "a.rs",
            "mod leaf; mod other; pub use leaf::Leaf; pub use self::other::*; pub struct Own;",
        ),
        ("a/leaf.rs", "pub struct Leaf;"),
        ("a/other.rs", "use super::Leaf; pub struct Other;"),
        ("b.rs", "use crate::a::{Leaf, Other};"),
    ];
    assert_eq!(
        read(&files),
        ["a/other -> a/leaf", "b -> a/leaf", "b -> a/other"]
    );
}

#[test]
fn what_a_parent_uses_of_its_child_counts() {
    let files = [
        ("a.rs", "mod leaf; use leaf::Leaf; pub struct Own(Leaf);"),
        ("a/leaf.rs", "use super::Own; pub struct Leaf;"),
        ("b.rs", "mod leaf; pub fn f() { leaf::g() }"),
        ("b/leaf.rs", "pub fn g() {}"),
    ];
    assert_eq!(read(&files), ["a -> a/leaf", "a/leaf -> a", "b -> b/leaf"]);
}

#[test]
fn a_re_export_of_what_lies_elsewhere_counts() {
    assert_eq!(
        read(&[("a.rs", "pub use crate::b::B;"), ("b.rs", "pub struct B;")]),
        ["a -> b"]
    );
}

#[test]
fn a_module_that_is_only_named_leads_to_what_its_paths_name() {
    let files = [
        ("a.rs", "pub mod leaf; pub struct Own;"),
        ("a/leaf.rs", "pub struct Leaf; pub fn f() {}"),
        ("b.rs", "use crate::a; pub struct B(a::leaf::Leaf);"),
        ("c.rs", "use crate::a::leaf as l; pub fn g() { l::f() }"),
        ("d.rs", "use crate::a::{self, leaf};"),
    ];
    assert_eq!(read(&files), ["b -> a/leaf", "c -> a/leaf"]);
}

#[test]
fn tests_visibility_and_documentation_do_not_count() {
    let own = "
        /// See [`crate::b::B`].
        pub(in crate::b) struct A;
        impl A { #[cfg(test)] fn made() -> crate::b::B { crate::b::B } }
        #[cfg(test)] use crate::b::B;
        #[cfg(test)] mod tests { use crate::b::B; }
    ";
    assert_eq!(
        read(&[("a.rs", own), ("b.rs", "pub struct B;")]),
        Vec::<String>::new()
    );
}

#[test]
fn paths_in_macros_attributes_and_inner_modules_count() {
    let b = (
        "b.rs",
        "pub struct B; pub fn f() {} pub mod inner { pub struct I; }",
    );
    for own in [
        "fn g() { assert!(x == crate::b::B) }",
        "macro_rules! m { () => { $crate::b::f() } }",
        "#[derive(Debug)] struct A { #[serde(with = \"crate::b\", default = \"crate::b::f\")] x: u8 }",
        "#[require(crate::b::B)] struct A;",
        "mod inner { use super::super::b::B; }",
        "fn g() { use crate::b::inner::I; }",
        "fn g() -> Option<Vec<crate::b::B>> { None }",
    ] {
        assert_eq!(read(&[("a.rs", own), b]), ["a -> b"], "{own}");
    }
}
