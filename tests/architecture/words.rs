//! Pages and comments are in plain words: the words that authors avoid, and the words that they write instead.

use crate::sources::texts;
use std::path::{Path, PathBuf};

/// Words and phrases that pages for users and comments must not contain, each with a plainer one.
const NOT_WRITTEN: [(&str, &str); 17] = [
    ("but for", "except for"),
    ("comes of it", "the result"),
    ("come of it", "follow"),
    ("of one's own", "its own"),
    (
        "who is spoken to",
        "the character that the player speaks to",
    ),
    ("for ever", "forever"),
    ("beside", "next to"),
    ("mend", "fix"),
    ("mended", "fixed"),
    ("nobody", "name the actor: no code, no reply, no character"),
    (
        "somebody",
        "name the actor: a character, a player, the engine",
    ),
    ("whoever", "name the actor"),
    ("stands", "is"),
    ("stand", "be"),
    ("in vain", "name what failed"),
    ("that one's", "its"),
    ("so high", "this high"),
];

/// The text of a page without code: neither blocks nor what is between backticks.
fn prose(page: &str) -> Vec<(usize, String)> {
    let mut is_code = false;
    let mut lines = Vec::new();
    for (at, line) in page.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        } else if !is_code {
            let text: String = line.split('`').step_by(2).collect();
            lines.push((at + 1, text.to_lowercase()));
        }
    }
    lines
}

fn unplain(page: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (at, line) in prose(page) {
        // A quotation mentions a word and does not use it.
        let line: String = line.split('"').step_by(2).collect();
        let letters = |c: char| c.is_alphanumeric() || c == '\'';
        let words: Vec<&str> = line
            .split(|c| !letters(c))
            .filter(|word| !word.is_empty())
            .collect();
        let line = format!(" {} ", words.join(" "));
        for (word, plain) in NOT_WRITTEN {
            if line.contains(&format!(" {word} ")) {
                found.push(format!("{at}: \"{word}\": write \"{plain}\""));
            }
        }
    }
    found
}

fn pages() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let names = [
        "README.md",
        "SECURITY.md",
        "CONTRIBUTING.md",
        "CHANGELOG.md",
    ];
    let mut pages: Vec<PathBuf> = names.map(|name| root.join(name)).into();
    for folder in ["docs", "docs/guide"] {
        let entries = std::fs::read_dir(root.join(folder)).unwrap();
        let paths = entries.map(|entry| entry.unwrap().path());
        // The contract is for people that work on the crate.
        pages.extend(paths.filter(|path| {
            path.extension().is_some_and(|end| end == "md") && !path.ends_with("contract.md")
        }));
    }
    pages.sort();
    pages
}

#[test]
fn pages_for_users_are_in_plain_words() {
    assert_eq!(
        unplain("It stands here.\n```\nstands\n```\nSay `nobody`."),
        ["1: \"stands\": write \"is\""]
    );
    let pages = pages();
    assert!(pages.len() > 20, "only {} pages", pages.len());
    let mut found = Vec::new();
    for path in pages {
        let page = std::fs::read_to_string(&path).unwrap();
        found.extend(
            unplain(&page)
                .into_iter()
                .map(|what| format!("{}:{what}", path.display())),
        );
    }
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}

/// The comments of a source file, each on one line, with the number of its last line.
fn comments(source: &str) -> Vec<(usize, String)> {
    let mut comments: Vec<(usize, String)> = Vec::new();
    let mut before = 0;
    for (at, line) in source.lines().enumerate() {
        let Some(text) = line.trim_start().strip_prefix("//") else {
            continue;
        };
        let text = text.trim_start_matches(['/', '!']);
        match comments.last_mut().filter(|_| before == at) {
            Some((end, comment)) => {
                *end = at + 1;
                *comment += text;
            }
            None => comments.push((at + 1, text.to_owned())),
        }
        before = at + 1;
    }
    comments
}

#[test]
fn comments_are_in_plain_words() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (mut found, mut count) = (Vec::new(), 0);
    // `fuzz` itself may contain a folder `target`.
    for folder in [
        "src",
        "examples",
        "web",
        "benches",
        "tests",
        "fuzz/fuzz_targets",
    ] {
        for (name, source) in texts(&root.join(folder)) {
            for (end, comment) in comments(&source) {
                count += 1;
                let at = format!("{folder}/{name}:{end}: in the comment that ends there");
                found.extend(unplain(&comment).iter().map(|what| format!("{at}, {what}")));
            }
        }
    }
    assert!(count > 10_000, "only {count} comments");
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}

/// The places of a page to which a link can lead: its headings, as GitHub and rustdoc write them.
fn places(page: &str) -> Vec<String> {
    let headings = page.lines().filter(|line| line.starts_with('#'));
    let text = headings.map(|line| line.trim_start_matches('#').trim().to_lowercase());
    let kept = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
    text.map(|text| {
        text.chars()
            .filter(kept)
            .collect::<String>()
            .replace(' ', "-")
    })
    .collect()
}

/// Each link to a file of the repository, or to a place in a file, has a target.
#[test]
fn links_between_pages_lead_somewhere() {
    let mut count = 0;
    for path in pages() {
        let page = std::fs::read_to_string(&path).unwrap();
        let inline = page
            .split("](")
            .skip(1)
            .filter_map(|rest| rest.split(')').next());
        let defined = page.lines().filter(|line| line.starts_with('['));
        let defined = defined.filter_map(|line| Some(line.split_once("]: ")?.1));
        for link in inline.chain(defined).filter(|link| !link.contains("://")) {
            let (file, place) = link.split_once('#').unwrap_or((link, ""));
            let there = match file {
                "" => path.clone(),
                file => path.parent().unwrap().join(file),
            };
            assert!(there.exists(), "{}: there is no {link}", path.display());
            if !place.is_empty() {
                let places = places(&std::fs::read_to_string(&there).unwrap());
                assert!(
                    places.iter().any(|it| it == place),
                    "{}: there is no {link}",
                    path.display()
                );
            }
            count += 1;
        }
        for (label, _) in page.match_indices("][") {
            let label = page[label + 2..].split(']').next().unwrap();
            assert!(
                page.contains(&format!("\n[{label}]: ")),
                "{}: [{label}] is not defined",
                path.display()
            );
        }
    }
    assert!(count > 50, "only {count} links");
}
