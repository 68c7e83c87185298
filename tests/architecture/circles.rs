//! Files that reach each other by their imports.

use crate::imports::Import;
use crate::sources::Module;
use std::collections::{BTreeMap, BTreeSet};

/// The sets of files in which every file reaches every other, in order. Files that are in no circle are left out.
pub fn circles(imports: &[Import]) -> Vec<BTreeSet<Module>> {
    let mut next: BTreeMap<&Module, BTreeSet<&Module>> = BTreeMap::new();
    for import in imports {
        next.entry(&import.from).or_default().insert(&import.to);
    }
    let reached: BTreeMap<_, _> = next
        .keys()
        .map(|&file| (file, reached_from(file, &next)))
        .collect();
    let mut circles: Vec<BTreeSet<Module>> = Vec::new();
    for (file, others) in &reached {
        let back = |other: &&&Module| reached.get(**other).is_some_and(|back| back.contains(file));
        let circle: BTreeSet<Module> = others
            .iter()
            .filter(back)
            .map(|&other| other.clone())
            .collect();
        if !circle.is_empty() && !circles.contains(&circle) {
            circles.push(circle);
        }
    }
    circles
}

/// Every file that a walk along the imports reaches. It contains the first file only if the walk comes back to it.
fn reached_from<'a>(
    start: &Module,
    next: &BTreeMap<&'a Module, BTreeSet<&'a Module>>,
) -> BTreeSet<&'a Module> {
    let mut met = BTreeSet::new();
    let mut open: Vec<&Module> = vec![start];
    while let Some(file) = open.pop() {
        for &other in next.get(file).into_iter().flatten() {
            if met.insert(other) {
                open.push(other);
            }
        }
    }
    met
}
