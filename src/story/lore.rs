//! The lorebook: what is known about the world, found by keywords.

use crate::authoring::{LoreSpec, StoryBook};
use crate::base::fixed::Millionths;
use crate::base::ids::Id;
use crate::gate::LoreKeys;
use crate::memory::idf;
use crate::text::fold::fold;
use crate::text::terms::TermRules;
use crate::text::twin::twin_key;
use crate::text::whole_word::begins_word;
use crate::world::Groups;
use aho_corasick::{AhoCorasick, MatchKind};
use bevy::prelude::Resource;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

/// The most entries of a lorebook.
pub const MAX_LORE: usize = 20_000;
/// The most characters of lore in a prompt.
pub const MAX_LORE_CHARS: usize = 4_000;
/// How many older texts an entry keeps.
pub const MAX_HISTORY: usize = 32;

/// One entry: something that is true in the story, or is believed to be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoreEntry {
    /// Its key, compared folded.
    pub key: String,
    /// Its title.
    pub title: String,
    /// What it says, in one or a few sentences; at most 2,000 characters where an extractor wrote it.
    pub text: String,
    /// Words that make it relevant: each hits every word that begins with it, and its own forms ("berry": "berries"). In a script
    /// without spaces it hits its letters wherever they occur.
    pub keywords: Vec<String>,
    /// Whether it is canon, so that no character, no player and no extractor may change it.
    pub fixed: bool,
    /// What it said before, oldest first.
    pub history: Vec<String>,
    /// The ids of those who know of it; `None`: all know of it.
    pub audience: Option<Vec<Id>>,
}

impl LoreEntry {
    /// Whether an actor knows of it: it has heard of it, and where groups list it, it belongs to one of them.
    pub(crate) fn is_known_to(&self, actor: &Id, groups: &Groups) -> bool {
        let audience = self.audience.as_ref();
        audience.is_none_or(|heard| heard.contains(actor)) && groups.is_open(&self.key, &[actor])
    }

    fn chars(&self) -> usize {
        self.text.chars().count() + self.title.chars().count()
    }
}

/// A change of the lorebook: an entry that is new, or says something else.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LoreWrite {
    /// The key of the entry.
    pub key: String,
    /// What it says, in one or a few sentences; at most 2,000 characters where an extractor wrote it.
    pub text: String,
    /// Its title; `None`: the key, or the title that it has.
    pub title: Option<String>,
    /// Words that make it relevant; empty: those of its title, or those that it has.
    pub keywords: Vec<String>,
    /// The ids of those who know of it: those who heard what it was read from.
    pub audience: Vec<Id>,
}

/// A keyword as it is looked for: folded, and without the `*` of a pattern, since every keyword hits the words that begin with
/// it.
#[must_use]
pub fn keyword(written: &str) -> String {
    let folded = fold(written.trim());
    folded.trim_end_matches('*').trim().to_owned()
}

/// All lore, in the order in which it became known.
#[derive(Resource, Debug, Clone, Default)]
pub struct Lorebook {
    entries: Vec<LoreEntry>,
    by_key: BTreeMap<String, usize>,
    /// How the words of the story's language are compared.
    rules: Arc<TermRules>,
    index: OnceLock<LoreIndex>,
    keys: OnceLock<Arc<LoreKeys>>,
}

#[derive(Debug, Clone, Default)]
struct LoreIndex {
    /// All keywords, folded. `None`: they cannot be searched for.
    words: Option<AhoCorasick>,
    /// The entry that each keyword belongs to.
    entry: Vec<usize>,
    /// The terms of each keyword, and the entry that it belongs to, by the first term.
    inflected: BTreeMap<String, Vec<(Vec<String>, usize)>>,
    /// The entries that hold a term, in their titles, keywords or texts.
    holding: BTreeMap<String, Vec<usize>>,
}

impl LoreIndex {
    fn new(entries: &[LoreEntry], rules: &TermRules) -> Self {
        let mut index = Self::default();
        let mut words = Vec::new();
        for (at, lore) in entries.iter().enumerate() {
            for word in &lore.keywords {
                let word = keyword(word);
                if word.is_empty() {
                    continue;
                }
                let terms = rules.terms(&word);
                if let Some(first) = terms.first().cloned() {
                    index.inflected.entry(first).or_default().push((terms, at));
                }
                words.push(word);
                index.entry.push(at);
            }
            let all = [&lore.title, &lore.text].into_iter().chain(&lore.keywords);
            let all: Vec<&str> = all.map(String::as_str).collect();
            for term in rules.terms(&all.join("\n")) {
                index.holding.entry(term).or_default().push(at);
            }
        }
        index.words = AhoCorasick::builder()
            .match_kind(MatchKind::Standard)
            .build(words)
            .ok();
        index
    }

    /// The entries that a text brings up. `terms` are those of the text, in order.
    fn brought_up(&self, text: &str, terms: &[String]) -> BTreeSet<usize> {
        let folded = fold(text);
        let words = self.words.iter();
        let hits = words.flat_map(|words| words.find_overlapping_iter(&folded));
        let written = hits
            .filter(|hit| begins_word(&folded, hit.start()))
            .filter_map(|hit| self.entry.get(hit.pattern().as_usize()).copied());
        let inflected = terms.iter().filter_map(|term| self.inflected.get(term));
        let inflected = inflected.flatten().filter_map(|(keyword, at)| {
            let has = |term| terms.binary_search(term).is_ok();
            keyword.iter().all(has).then_some(*at)
        });
        written.chain(inflected).collect()
    }

    /// How much the entry at `at`, one of `total`, shares with what was said: the idf of the terms that both have.
    fn shared(&self, said: &BTreeSet<String>, at: usize, total: usize) -> Millionths {
        let holding = said.iter().filter_map(|term| self.holding.get(term));
        let both = holding.filter(|holding| holding.binary_search(&at).is_ok());
        let idfs = both.map(|holding| idf(total, holding.len()));
        Millionths::from_f64(idfs.fold(0.0, |sum, idf| sum + idf)).unwrap_or_default()
    }
}

impl Lorebook {
    /// The lorebook with which a story begins.
    #[must_use]
    pub fn of(story: &StoryBook) -> Self {
        Self::new(&story.lore, Arc::new(story.lexicon.term_rules()))
    }

    fn new(written: &[LoreSpec], rules: Arc<TermRules>) -> Self {
        let mut book = Self {
            rules,
            ..Self::default()
        };
        for spec in written {
            let title = spec.title.clone().unwrap_or_else(|| spec.key.clone());
            book.insert(LoreEntry {
                key: spec.key.clone(),
                title,
                text: spec.text.clone(),
                keywords: spec.keywords.clone(),
                fixed: spec.fixed,
                history: Vec::new(),
                audience: None,
            });
        }
        book
    }

    /// The book of a story, with what was found out before.
    pub(crate) fn reopened(&self, story: &StoryBook) -> Self {
        let mut book = Self::of(story);
        let found = self.entries.iter().filter(|entry| entry.audience.is_some());
        for entry in found.cloned() {
            if book.get(&entry.key).is_none() {
                book.insert(entry);
            }
        }
        book
    }

    /// All entries, in the order in which they became known.
    #[must_use]
    pub fn entries(&self) -> &[LoreEntry] {
        &self.entries
    }

    /// The entry with this key or title, compared as they are read: without case, accents, joints, blanks and articles.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&LoreEntry> {
        let at = self.by_key.get(&twin_key(key))?;
        self.entries.get(*at)
    }

    fn insert(&mut self, entry: LoreEntry) {
        if self.entries.len() >= MAX_LORE {
            log::warn!("the lorebook is full: \"{}\" is left out", entry.key);
            return;
        }
        self.by_key.insert(twin_key(&entry.key), self.entries.len());
        self.by_key
            .entry(twin_key(&entry.title))
            .or_insert(self.entries.len());
        self.entries.push(entry);
        self.index = OnceLock::new();
        self.keys = OnceLock::new();
    }

    /// Writes an entry. One that is fixed, or says the same already, stays as it is.
    pub(crate) fn write(&mut self, write: LoreWrite) {
        let titled = write.title.as_ref().map(|title| twin_key(title));
        let known = self.by_key.get(&twin_key(&write.key));
        let known = known.or_else(|| self.by_key.get(&titled?)).copied();
        let Some(entry) = known.and_then(|at| self.entries.get_mut(at)) else {
            let title = write.title.unwrap_or_else(|| write.key.clone());
            let keywords = match write.keywords.is_empty() {
                true => vec![title.clone()],
                false => write.keywords,
            };
            self.insert(LoreEntry {
                key: write.key,
                title,
                text: write.text,
                keywords,
                fixed: false,
                history: Vec::new(),
                audience: Some(write.audience),
            });
            return;
        };
        if entry.fixed {
            return;
        }
        if entry.text != write.text {
            let before = std::mem::replace(&mut entry.text, write.text);
            entry.history.push(before);
            let surplus = entry.history.len().saturating_sub(MAX_HISTORY);
            entry.history.drain(..surplus);
        }
        if let Some(title) = write.title {
            self.keys = OnceLock::new();
            entry.title = title;
        }
        if let Some(audience) = &mut entry.audience {
            audience.extend(write.audience);
            audience.sort();
            audience.dedup();
        }
        if !write.keywords.is_empty() {
            entry.keywords = write.keywords;
            self.index = OnceLock::new();
        }
    }

    /// Puts an entry back to its earlier form, or removes it.
    pub(crate) fn put(&mut self, key: &str, entry: Option<LoreEntry>) {
        let at = self.by_key.get(&twin_key(key)).copied();
        match (at, entry) {
            (Some(at), Some(entry)) => {
                if let Some(old) = self.entries.get_mut(at) {
                    *old = entry;
                }
            }
            (None, Some(entry)) => self.insert(entry),
            (Some(at), None) => {
                let mut entries = std::mem::take(&mut self.entries);
                entries.remove(at);
                *self = Self::new(&[], self.rules.clone());
                entries.into_iter().for_each(|entry| self.insert(entry));
            }
            (None, None) => {}
        }
        self.index = OnceLock::new();
        self.keys = OnceLock::new();
    }

    /// The keys and titles of all entries, for the gate.
    pub(crate) fn keys(&self) -> Arc<LoreKeys> {
        let gather = || {
            let (mut fixed, mut known) = (BTreeSet::new(), BTreeSet::new());
            for entry in &self.entries {
                let names = [twin_key(&entry.key), twin_key(&entry.title)];
                if entry.fixed {
                    fixed.extend(names.clone());
                }
                known.extend(names);
            }
            Arc::new(LoreKeys::new(fixed, known))
        };
        self.keys.get_or_init(gather).clone()
    }

    /// The entries that the texts bring up, in the order of the book, as many as fit into 4,000 characters. Entries that
    /// share the most words with the texts come in first; rare words count more, as with memories. A keyword counts where a
    /// word begins with it, in any case, or is another form of it. `knows` says whether the asking character knows of an
    /// entry.
    #[must_use]
    pub fn relevant(&self, texts: &[&str], knows: impl Fn(&LoreEntry) -> bool) -> Vec<&LoreEntry> {
        let build = || LoreIndex::new(&self.entries, &self.rules);
        let index = self.index.get_or_init(build);
        let (mut found, mut said) = (BTreeSet::new(), BTreeSet::new());
        for text in texts {
            let terms = self.rules.terms(text);
            found.extend(index.brought_up(text, &terms));
            said.extend(terms);
        }
        let chars = |at: &usize| self.entries.get(*at).map_or(0, LoreEntry::chars);
        let mut found: Vec<usize> = found.into_iter().collect();
        if found.iter().map(chars).sum::<usize>() > MAX_LORE_CHARS {
            let total = self.entries.len();
            found.sort_by_cached_key(|at| Reverse(index.shared(&said, *at, total)));
        }
        let mut room = MAX_LORE_CHARS;
        found.retain(|at| {
            let entry = self.entries.get(*at).filter(|entry| knows(entry));
            entry.is_some_and(|entry| {
                let chars = entry.chars();
                let fits = chars <= room;
                room = room.saturating_sub(if fits { chars } else { 0 });
                fits
            })
        });
        found.sort_unstable();
        let found = found.into_iter();
        found.filter_map(|at| self.entries.get(at)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Lexicon;

    fn book(entries: &[(&str, &str)]) -> Lorebook {
        let specs: Vec<LoreSpec> = entries
            .iter()
            .map(|(key, keyword)| LoreSpec {
                key: (*key).to_owned(),
                title: None,
                text: format!("about {key}"),
                keywords: vec![(*keyword).to_owned()],
                fixed: *key == "fixed",
            })
            .collect();
        Lorebook::new(&specs, Arc::new(Lexicon::english().term_rules()))
    }

    fn keys(book: &Lorebook, texts: &[&str]) -> Vec<String> {
        let found = book.relevant(texts, |_| true);
        found.into_iter().map(|entry| entry.key.clone()).collect()
    }

    fn write(key: &str, text: &str) -> LoreWrite {
        LoreWrite {
            key: key.to_owned(),
            text: text.to_owned(),
            title: None,
            keywords: Vec::new(),
            audience: Vec::new(),
        }
    }

    #[test]
    fn t6_lore_is_found_by_keywords_in_the_order_of_the_book() {
        let book = book(&[("a", "owl"), ("b", "Well"), ("c", "king")]);
        assert_eq!(keys(&book, &["an OWL", "owlish"]), ["a"]);
        assert_eq!(keys(&book, &["The king", "at the well"]), ["b", "c"]);
        assert_eq!(keys(&book, &["a bowl of soup"]), Vec::<String>::new());
        assert_eq!(keys(&book, &[]), Vec::<String>::new());
    }

    #[test]
    fn t6_a_keyword_in_a_script_without_spaces_is_found_inside_a_sentence() {
        for (keyword, text) in [
            ("国王", "我看着国王的剑。"),
            ("ドラゴン", "あのドラゴンを見る。"),
            ("กุญแจ", "ฉันหากุญแจในห้อง"),
            ("king*", "The kingdom is old."),
        ] {
            let book = book(&[("a", keyword)]);
            assert_eq!(keys(&book, &[text]), ["a"], "{keyword}");
        }
        let book = book(&[("a", "король")]);
        assert_eq!(keys(&book, &["подкороль"]), Vec::<String>::new());
    }

    #[test]
    fn m7_a_keyword_hits_its_own_forms() {
        for (keyword, text) in [
            ("berry", "Are there berries?"),
            ("old stories", "an old story"),
            ("painting", "Who painted it?"),
            ("The Knights", "a knight"),
        ] {
            assert_eq!(keys(&book(&[("a", keyword)]), &[text]), ["a"], "{keyword}");
        }
        for (keyword, text) in [
            ("old stories", "a story"),
            ("the", "Who did that?"),
            ("berry", "the bell"),
        ] {
            let none: [&str; 0] = [];
            assert_eq!(keys(&book(&[("a", keyword)]), &[text]), none, "{keyword}");
        }
    }

    #[test]
    fn m7_where_not_all_lore_fits_the_most_relevant_is_shown() {
        let many = |key: &str, text: &str| LoreSpec {
            key: key.to_owned(),
            title: None,
            text: format!("{text} {}", "so ".repeat(500)),
            keywords: vec!["king".to_owned()],
            fixed: false,
        };
        let specs = [
            many("a", "Born in spring."),
            many("b", "Born in autumn."),
            many("crown", "He lost his crown in the marshes."),
            many("d", "Born in winter."),
        ];
        let book = Lorebook::new(&specs, Arc::new(Lexicon::english().term_rules()));
        assert_eq!(keys(&book, &["the king"]), ["a", "b"]);
        let asked = ["Where did the king lose crowns?"];
        assert_eq!(keys(&book, &asked), ["a", "crown"]);
    }

    #[test]
    fn t6_lore_is_written_with_history_and_fixed_lore_stays() {
        let mut book = book(&[("well", "well"), ("fixed", "fixed")]);
        book.write(write("WELL", "It is dry."));
        book.write(write("well", "It is dry."));
        book.write(write("fixed", "Changed."));
        book.write(write("Bridge", "It fell."));
        let well = book.get("Well").unwrap();
        assert_eq!((well.text.as_str(), well.history.len()), ("It is dry.", 1));
        assert_eq!(book.get("fixed").unwrap().text, "about fixed");
        assert_eq!(keys(&book, &["the bridge"]), ["Bridge"]);
    }
}
