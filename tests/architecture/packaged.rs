//! A package contains all files that are compiled in: the manifest must name files outside of `src`.

use crate::sources::texts;
use std::path::{Component, Path};

/// The folder, below the crate's folder, of each file outside of `src` that a source includes.
fn included(source: &str, file: &Path) -> Vec<String> {
    let named = source.split("include_str!(\"").skip(1);
    let named = named.filter_map(|rest| rest.split_once('"'));
    // `page!(name, "file")` of the guide.
    let pages = source.split("page!(").skip(1);
    let pages = pages.filter_map(|rest| rest.split_once('"')?.1.split_once('"'));
    let paths = named.chain(pages);
    let folder = |(path, _): (&str, &str)| {
        let mut place: Vec<String> = Vec::new();
        let parts = file.parent().unwrap().components();
        for part in parts.chain(Path::new(path).components()) {
            match part {
                Component::ParentDir => drop(place.pop()),
                part => place.push(part.as_os_str().to_string_lossy().into_owned()),
            }
        }
        place.swap_remove(0)
    };
    paths.map(folder).filter(|folder| folder != "src").collect()
}

#[test]
fn what_is_compiled_in_is_packaged() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let manifest = std::fs::read_to_string(root.join("Cargo.toml")).unwrap();
    let packaged = manifest.lines().find(|line| line.starts_with("include = "));
    let packaged = packaged.unwrap();
    let mut found = 0;
    for (name, source) in texts(&root.join("src")) {
        let file = &Path::new("src").join(name);
        for folder in included(&source, file) {
            found += 1;
            let named = packaged.contains(&format!("\"/{folder}\""));
            assert!(named, "{}: /{folder} is not packaged", file.display());
        }
    }
    assert!(found > 10, "only {found} included files were found");
}
