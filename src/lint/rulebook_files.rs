//! The rulebooks in files of their own: each is checked once, however many worlds it is used in.

use super::findings::Findings;
use super::known_names::KnownNames;
use super::place::{Part, Place};
use super::rulebooks;
use crate::authoring::files::WithSource;
use crate::judged_world::rulebook::Rulebook;
use crate::world::ActionRegistry;
use std::collections::BTreeMap;

/// A rulebook, and what the worlds know in which it is used.
struct Book {
    sourced: WithSource<Rulebook>,
    uses: KnownNames,
}

/// The rulebooks, by the name under which their file was met first.
#[derive(Default)]
pub(super) struct RulebookFiles(BTreeMap<String, Book>);

impl RulebookFiles {
    /// Checks a rulebook where it is used.
    pub fn part(
        &mut self,
        part: &Part<Rulebook>,
        mut uses: KnownNames,
        registry: &ActionRegistry,
        findings: &mut Findings,
    ) {
        match part {
            Part::Here(book, place) => {
                rulebooks::check(book, registry, place, findings);
                uses.all = true;
                uses.check(book, place, findings);
            }
            Part::Elsewhere(sourced) => self.file(sourced, uses, registry, findings),
        }
    }

    /// Takes in a rulebook with a file of its own.
    pub fn file(
        &mut self,
        sourced: &WithSource<Rulebook>,
        uses: KnownNames,
        registry: &ActionRegistry,
        findings: &mut Findings,
    ) {
        let book = self
            .0
            .entry(findings.name(&sourced.file))
            .or_insert_with(|| {
                let place = Place::of(sourced);
                rulebooks::check(&sourced.value, registry, &place, findings);
                Book {
                    sourced: sourced.clone(),
                    uses: KnownNames::default(),
                }
            });
        book.uses.join(uses);
    }

    /// Checks what the worlds know, once they are all seen. In a folder, all are.
    pub fn finish(self, is_folder: bool, findings: &mut Findings) {
        for (file, mut book) in self.0 {
            book.uses.all |= is_folder && findings.is_root(&file);
            book.uses
                .check(&book.sourced.value, &Place::of(&book.sourced), findings);
        }
    }
}
