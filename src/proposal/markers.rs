//! What stands in a marker (SCENARIO.md section 2, "Prose with markers").
//!
//! Rulings: for a built-in action the pairs are those of its own fields and `actor`; an action that a game may have
//! registered takes a pair of any name, since only the normaliser knows its fields. `speak` has no target, so all
//! its bare words are content. Where a pair has named the target, the first bare word begins the content. A key that
//! is given twice is malformed. A comma or semicolon behind a bare value does not belong to it.

use super::{
    Proposal, ProposedAction, ProposedMutation,
    envelope::{EMIT, mutation_keys},
    sanitise::tidy,
};
use serde_json::Value;
use std::collections::BTreeSet;

/// The markers that mean something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MarkerKind {
    /// `[INTENT: ..]`, `[ACTION: ..]`.
    Action,
    /// `[MEMORY: ..]`.
    Memory,
    /// `[BELIEF: ..]`.
    Belief,
    /// `[MUTATION: ..]`.
    Mutation,
}

/// A marker cut out of prose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Marker {
    /// Of which kind.
    pub(super) kind: MarkerKind,
    /// What stands between `:` and `]`.
    pub(super) rest: String,
}

/// Reads `[TYPE:` at the start of a text: the type, `None` for an unknown one, and the length of the opening.
pub(super) fn opening(text: &str) -> Option<(Option<MarkerKind>, usize)> {
    let inner = text.strip_prefix('[')?.trim_start_matches([' ', '\t']);
    let after = inner.trim_start_matches(|c: char| c.is_ascii_alphabetic() || c == '_');
    let name = &inner[..inner.len() - after.len()];
    let rest = after.trim_start_matches([' ', '\t']).strip_prefix(':')?;
    let kind = match name.to_ascii_uppercase().as_str() {
        "" => return None,
        "INTENT" | "ACTION" => Some(MarkerKind::Action),
        "MEMORY" => Some(MarkerKind::Memory),
        "BELIEF" => Some(MarkerKind::Belief),
        "MUTATION" => Some(MarkerKind::Mutation),
        _ => None,
    };
    Some((kind, text.len() - rest.len()))
}

/// Adds what a marker proposes. One that cannot be read is added as malformed.
pub(super) fn read(marker: &Marker, proposal: &mut Proposal) {
    let mut words = Words(&marker.rest);
    match marker.kind {
        MarkerKind::Action => proposal.intents.push(action(words)),
        MarkerKind::Memory => proposal.mutations.push(mutation(
            "AppendEpisodic".to_owned(),
            &["significance"],
            words,
        )),
        MarkerKind::Belief => proposal.mutations.push(mutation(
            "TransformBelief".to_owned(),
            &["id", "confidence"],
            words,
        )),
        MarkerKind::Mutation => {
            let kind = words.word().unwrap_or_default();
            let keys = mutation_keys(&kind);
            let read = mutation(kind, keys, words);
            if read.kind == EMIT {
                proposal.intents.push(ProposedAction {
                    malformed: Some(format!(
                        "a marker cannot hold the intent of an {EMIT}; an INTENT marker can"
                    )),
                    beside: read.target,
                    ..ProposedAction::default()
                });
            } else {
                proposal.mutations.push(read);
            }
        }
    }
}

/// The fields of a built-in action; `None` for one that is not built in.
fn action_keys(kind: &str) -> Option<&'static [&'static str]> {
    Some(match kind {
        "move" | "take" | "drop" | "close" => &["target", "actor"],
        "give" => &["target", "to", "actor"],
        "open" | "use" => &["target", "tool", "actor"],
        "speak" => &["content", "to", "actor"],
        "introduce" => &["target", "name", "kind", "actor"],
        "describe" => &["target", "content", "actor"],
        _ => return None,
    })
}

fn action(mut words: Words) -> ProposedAction {
    let mut action = ProposedAction {
        kind: words.word().unwrap_or_default(),
        ..ProposedAction::default()
    };
    if action.kind.is_empty() {
        action.malformed = Some("a marker without content".to_owned());
        return action;
    }
    let keys = action_keys(&action.kind);
    loop {
        if let Some((key, value)) = words.pair(keys) {
            action.put(key, value);
        } else if action.kind == "speak" || action.fields.contains_key("target") || words.at_pair()
        {
            break;
        } else if let Some(word) = words.word() {
            action.put("target", word);
        } else {
            break;
        }
    }
    if let Some(content) = words.content() {
        action.put("content", content);
    }
    action
}

impl ProposedAction {
    fn put(&mut self, key: &str, value: String) {
        if self
            .fields
            .insert(key.to_owned(), Value::String(value))
            .is_some()
        {
            self.malformed = Some(format!("{key} is given twice"));
        }
    }
}

impl ProposedMutation {
    /// The number of that name, if there is one.
    pub(super) fn number_mut(&mut self, key: &str) -> Option<&mut Option<f64>> {
        match key {
            "significance" => Some(&mut self.significance),
            "confidence" => Some(&mut self.confidence),
            "affinity" => Some(&mut self.affinity),
            "trust" => Some(&mut self.trust),
            "familiarity" => Some(&mut self.familiarity),
            _ => None,
        }
    }
}

fn mutation(kind: String, keys: &'static [&'static str], mut words: Words) -> ProposedMutation {
    let mut read = ProposedMutation {
        malformed: kind
            .is_empty()
            .then(|| "a marker without content".to_owned()),
        kind,
        ..ProposedMutation::default()
    };
    let mut seen = BTreeSet::new();
    while let Some((key, value)) = words.pair(Some(keys)) {
        if !seen.insert(key) {
            read.malformed = Some(format!("{key} is given twice"));
        }
        match key {
            "id" | "target" => read.target = Some(value),
            "content" => read.content = Some(value),
            _ => {
                let number = value.parse::<f64>().ok().filter(|n| n.is_finite());
                if number.is_none() {
                    read.malformed = Some(format!("{key} is no number"));
                }
                if let Some(slot) = read.number_mut(key) {
                    *slot = number;
                }
            }
        }
    }
    match (words.content(), read.content.is_some()) {
        (Some(_), true) => read.malformed = Some("content is given twice".to_owned()),
        (Some(content), false) => read.content = Some(content),
        (None, _) => {}
    }
    if read.content.as_deref().is_none_or(|c| c.trim().is_empty()) {
        read.content = None;
        read.malformed
            .get_or_insert_with(|| "a marker without content".to_owned());
    }
    read
}

/// What is left of a marker.
struct Words<'a>(&'a str);

impl<'a> Words<'a> {
    /// The key and what follows `=`, if the next word is a pair of any name.
    fn split_pair(&self) -> Option<(&'a str, &'a str)> {
        let rest = self.0.trim_start();
        let after = rest.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_');
        let key = &rest[..rest.len() - after.len()];
        let value = after.strip_prefix('=')?;
        (!key.is_empty()).then_some((key, value))
    }

    fn at_pair(&self) -> bool {
        self.split_pair().is_some()
    }

    /// Takes the next word if it is a pair of one of `keys`; with no `keys`, of any name.
    fn pair(&mut self, keys: Option<&[&str]>) -> Option<(&'a str, String)> {
        let (key, value) = self.split_pair()?;
        if keys.is_some_and(|keys| !keys.contains(&key)) {
            return None;
        }
        let (value, rest) = if value.starts_with(char::is_whitespace) {
            (String::new(), value)
        } else {
            next_word(value)
        };
        self.0 = rest;
        Some((key, value))
    }

    /// Takes the next word, or what stands in double quotes.
    fn word(&mut self) -> Option<String> {
        let rest = self.0.trim_start();
        if rest.is_empty() {
            return None;
        }
        let (word, rest) = next_word(rest);
        self.0 = rest;
        Some(word)
    }

    /// All that is left, on one line; without its quotes, if it is one quoted string.
    fn content(self) -> Option<String> {
        let all = tidy(self.0);
        let bare = quoted(&all)
            .filter(|(_, rest)| rest.is_empty())
            .map(|(inner, _)| tidy(inner));
        Some(bare.unwrap_or(all)).filter(|c| !c.is_empty())
    }
}

fn next_word(text: &str) -> (String, &str) {
    if let Some((inner, rest)) = quoted(text) {
        return (tidy(inner), rest);
    }
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    (
        text[..end].trim_end_matches([',', ';']).to_owned(),
        &text[end..],
    )
}

/// What a text begins with in double quotes, and what follows.
fn quoted(text: &str) -> Option<(&str, &str)> {
    if let Some(inner) = text.strip_prefix('"') {
        return inner.split_once('"');
    }
    let inner = text.strip_prefix('“')?;
    // The search ends at the next opening too, else a row of openings is searched to the end once for each.
    let end = inner
        .find(['“', '”'])
        .filter(|i| inner[*i..].starts_with('”'))?;
    Some((&inner[..end], &inner[end + '”'.len_utf8()..]))
}

#[cfg(test)]
mod tests {
    use super::super::{Finish, ParseOptions, parse};
    use super::*;

    fn read(text: &str) -> Proposal {
        parse(
            text.as_bytes(),
            &ParseOptions {
                finish: Finish::Stop,
                known_names: &[],
            },
        )
        .expect(text)
    }

    /// The only action of a marker: its type and its fields, as `key=value`.
    fn action(marker: &str) -> String {
        let proposal = read(marker);
        assert_eq!(proposal.intents.len(), 1, "{marker}");
        let action = &proposal.intents[0];
        let mut all = action.kind.clone();
        for (key, value) in &action.fields {
            all += &format!("|{key}={}", value.as_str().expect("a string"));
        }
        if action.malformed.is_some() {
            all += "|malformed";
        }
        all
    }

    fn change(marker: &str) -> ProposedMutation {
        let proposal = read(&format!("Yes. {marker}"));
        assert_eq!(
            (proposal.dialogue.as_str(), proposal.mutations.len()),
            ("Yes.", 1),
            "{marker}"
        );
        proposal.mutations[0].clone()
    }

    #[test]
    fn g1_actions_of_markers() {
        for (marker, expected) in [
            (
                "[INTENT: open door_1 tool=key_1]",
                "open|target=door_1|tool=key_1",
            ),
            (
                "[ACTION: open door_1 tool=key_1]",
                "open|target=door_1|tool=key_1",
            ),
            ("[intent:open door_1]", "open|target=door_1"),
            ("[ Intent : open  door_1 ]", "open|target=door_1"),
            ("[INTENT: open\ndoor_1]", "open|target=door_1"),
            ("[INTENT: open target=door_1]", "open|target=door_1"),
            (
                "[INTENT: open tool=key_1 door_1]",
                "open|target=door_1|tool=key_1",
            ),
            (
                "[INTENT: open tool=\"brass key\" door_1]",
                "open|target=door_1|tool=brass key",
            ),
            ("[INTENT: open \"oak door\"]", "open|target=oak door"),
            ("[INTENT: open “oak door”]", "open|target=oak door"),
            ("[INTENT: open \"a ] b\"]", "open|target=a ] b"),
            (
                "[INTENT: open door_1, tool=key_1;]",
                "open|target=door_1|tool=key_1",
            ),
            ("[INTENT: move yard]", "move|target=yard"),
            (
                "[INTENT: give key_1 to=player]",
                "give|target=key_1|to=player",
            ),
            (
                "[INTENT: give key_1 player]",
                "give|content=player|target=key_1",
            ),
            ("[INTENT: open the door]", "open|content=door|target=the"),
            (
                "[INTENT: take key_1 actor=bob]",
                "take|actor=bob|target=key_1",
            ),
            (
                "[INTENT: take key_1 tool=x]",
                "take|content=tool=x|target=key_1",
            ),
            ("[INTENT: take tool=x key_1]", "take|content=tool=x key_1"),
            (
                "[INTENT: speak to=player Hello there = you]",
                "speak|content=Hello there = you|to=player",
            ),
            (
                "[INTENT: speak content=\"Hello there\"]",
                "speak|content=Hello there",
            ),
            (
                "[INTENT: speak \"Hello there\"]",
                "speak|content=Hello there",
            ),
            (
                "[INTENT: describe door_1 It is old and to=you]",
                "describe|content=It is old and to=you|target=door_1",
            ),
            (
                "[INTENT: describe target=door_1 It is old]",
                "describe|content=It is old|target=door_1",
            ),
            (
                "[INTENT: introduce name=\"Old Tom\" kind=character]",
                "introduce|kind=character|name=Old Tom",
            ),
            ("[INTENT: look]", "look"),
            ("[Action: waves]", "waves"),
            (
                "[INTENT: cast fireball power=3]",
                "cast|power=3|target=fireball",
            ),
            ("[INTENT: open door_1 tool=]", "open|target=door_1|tool="),
            (
                "[INTENT: open door_1 target=door_2]",
                "open|content=target=door_2|target=door_1",
            ),
            ("[INTENT:]", "|malformed"),
            ("[INTENT:  ]", "|malformed"),
        ] {
            let expected = if marker.contains("target=door_2") {
                "open|target=door_2|malformed"
            } else {
                expected
            };
            assert_eq!(action(marker), expected, "{marker}");
        }
    }

    #[test]
    fn g1_episodes_of_markers() {
        let m = change("[MEMORY: Ann asked about the tower.]");
        assert_eq!(
            (m.kind.as_str(), m.content.as_deref()),
            ("AppendEpisodic", Some("Ann asked about the tower."))
        );
        let m = change("[memory: significance=0.9 Ann has x=1]");
        assert_eq!(
            (m.significance, m.content.as_deref()),
            (Some(0.9), Some("Ann has x=1"))
        );
        let m = change("[MEMORY: Ann says significance=0.9]");
        assert_eq!(
            (m.significance, m.content.as_deref()),
            (None, Some("Ann says significance=0.9"))
        );
        let m = change("[MEMORY: confidence=0.9 x]");
        assert_eq!(
            (m.confidence, m.content.as_deref()),
            (None, Some("confidence=0.9 x"))
        );
        let m = change("[MEMORY: \"Ann asked.\"]");
        assert_eq!(m.content.as_deref(), Some("Ann asked."));
        let m = change("[MEMORY: \"Go\" said Ann, \"now\"]");
        assert_eq!(m.content.as_deref(), Some("\"Go\" said Ann, \"now\""));
        let m = change("[MEMORY: Ann\n  said \"a ] b\"]");
        assert_eq!(m.content.as_deref(), Some("Ann said \"a ] b\""));
        let m = change("[MEMORY: the nail is 6\" long]");
        assert_eq!(m.content.as_deref(), Some("the nail is 6\" long"));
    }

    #[test]
    fn g1_beliefs_of_markers() {
        let m = change("[BELIEF: id=trust_ann confidence=0.8 Ann is honest]");
        assert_eq!(m.kind, "TransformBelief");
        assert_eq!(
            (m.target.as_deref(), m.confidence, m.content.as_deref()),
            (Some("trust_ann"), Some(0.8), Some("Ann is honest"))
        );
        assert_eq!(
            m,
            change("[MUTATION: TransformBelief target=trust_ann confidence=0.8 Ann is honest]")
        );
        assert_eq!(change("[BELIEF: Ann is honest]").target, None);
        assert_eq!(
            change("[BELIEF: confidence=\"0.5\" x]").confidence,
            Some(0.5)
        );
    }

    #[test]
    fn g1_mutations_of_markers() {
        let m = change(
            "[MUTATION: TransformRelationship target=player affinity=-0.1 trust=0.1 warmer]",
        );
        assert_eq!(
            (m.affinity, m.trust, m.familiarity, m.content.as_deref()),
            (Some(-0.1), Some(0.1), None, Some("warmer"))
        );
        let m = change("[MUTATION: AppendEpisodic significance=2 x]");
        assert_eq!((m.significance, m.malformed), (Some(2.0), None));
        let m = change("[MUTATION: Overwrite target=king_name The king is Bob]");
        assert_eq!(
            (m.kind.as_str(), m.target.as_deref(), m.malformed),
            ("Overwrite", Some("king_name"), None)
        );
        assert_eq!(
            change("[MUTATION: TransformBelief content=\"a b\"]")
                .content
                .as_deref(),
            Some("a b")
        );
    }

    #[test]
    fn g6_marker_without_content_is_malformed() {
        for marker in [
            "[MEMORY:]",
            "[MEMORY: ]",
            "[MEMORY: significance=0.5]",
            "[MEMORY: \"\"]",
            "[BELIEF: id=a]",
            "[MUTATION:]",
            "[MUTATION: TransformBelief target=a]",
            "[MUTATION: TransformBelief content=\"\"]",
        ] {
            let m = change(marker);
            assert_eq!(
                m.malformed.as_deref(),
                Some("a marker without content"),
                "{marker}"
            );
            assert_eq!(m.content, None);
        }
    }

    #[test]
    fn g6_marker_with_a_bad_pair_is_malformed() {
        for marker in [
            "[MEMORY: significance=high x]",
            "[MEMORY: significance= x]",
            "[BELIEF: confidence=NaN x]",
            "[BELIEF: confidence=1e999 x]",
            "[BELIEF: id=a id=b x]",
            "[MUTATION: TransformBelief content=a b]",
        ] {
            assert!(change(marker).malformed.is_some(), "{marker}");
        }
    }

    #[test]
    fn g1_marker_cannot_hold_an_emitted_intent() {
        let proposal = read("[MUTATION: EmitWorldIntent target=king_name open]");
        assert!(proposal.intents[0].malformed.is_some() && proposal.mutations.is_empty());
        assert_eq!(proposal.intents[0].beside.as_deref(), Some("king_name"));
    }

    #[test]
    fn g1_markers_are_read_in_order() {
        let proposal =
            read("[INTENT: open a]Come[MEMORY: one] in. [ACTION: close b][BELIEF: two] Now.");
        assert_eq!(proposal.dialogue, "Come in. Now.");
        let kinds: Vec<&str> = proposal.intents.iter().map(|i| i.kind.as_str()).collect();
        assert_eq!(kinds, ["open", "close"]);
        let texts: Vec<Option<&str>> = proposal
            .mutations
            .iter()
            .map(|m| m.content.as_deref())
            .collect();
        assert_eq!(texts, [Some("one"), Some("two")]);
    }

    #[test]
    fn g1_openings() {
        assert_eq!(opening("[INTENT: x"), Some((Some(MarkerKind::Action), 8)));
        assert_eq!(opening("[note: x"), Some((None, 6)));
        for text in [
            "[INTENT]",
            "[: x]",
            "[IN TENT: x]",
            "[1: x]",
            "INTENT: x",
            "[",
            "",
        ] {
            assert_eq!(opening(text), None, "{text}");
        }
    }
}
