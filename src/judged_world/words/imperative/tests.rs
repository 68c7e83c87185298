//! What the parser reads, row by row.

mod commands;
mod names;
mod objects;
mod robust;
mod speech;

use super::*;
use crate::text::lexicon::Lexicon;

fn frames() -> Vec<VerbFrame> {
    let some = |text: &str| Some(text.to_owned());
    vec![
        VerbFrame {
            action: "cast".to_owned(),
            verbs: vec!["cast".to_owned(), "Hurl a spell of".to_owned()],
            object: some("spell"),
            to: some("target"),
            ..VerbFrame::default()
        },
        VerbFrame {
            action: "pray".to_owned(),
            verbs: vec!["pray".to_owned()],
            text: some("words"),
            ..VerbFrame::default()
        },
    ]
}

fn parse(text: &str) -> Vec<ProposedAction> {
    parse_imperatives(text, &Lexicon::english().imperatives, &frames(), &[])
}

/// Actions in short: `open target=the door tool=it; take target=the key`.
fn read(text: &str) -> String {
    in_short(text, parse(text))
}

fn in_short(text: &str, actions: Vec<ProposedAction>) -> String {
    let actions = actions.into_iter().map(|action| {
        assert_eq!(
            (action.emit_target, action.malformed),
            (None, None),
            "{text}"
        );
        let fields = action.fields.iter();
        let fields = fields.map(|(k, v)| format!(" {k}={}", v.as_str().unwrap()));
        format!("{}{}", action.kind, fields.collect::<String>())
    });
    actions.collect::<Vec<_>>().join("; ")
}

fn rows(rows: &[(&str, &str)]) {
    let wrong: Vec<String> = rows
        .iter()
        .map(|(text, expected)| (text, read(text), expected))
        .filter(|(_, got, expected)| got != *expected)
        .map(|(text, got, expected)| format!("{text}\n   got {got}\n  want {expected}"))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
