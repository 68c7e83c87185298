//! The objects of a command, and the phrases next to them.

use super::tokens::{Kind, Token, at};
use crate::judged_world::action::ProposedAction;
use crate::judged_world::words::imperative::{
    MAX_ACTIONS, Parser, Verb, known, put, put_in, without,
};
use crate::text::fold::fold;
use crate::text::lexicon::VerbFrame;

const INTRODUCE: &str = "introduce";
const MOVE: &str = "move";
const USE: &str = "use";
const TARGET: &str = "target";
const TO: &str = "to";
const TOOL: &str = "tool";
const NAME: &str = "name";
const KIND: &str = "kind";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    Object,
    Tool,
    To,
    Name,
    /// What no field takes.
    Source,
}

/// The phrases of one action.
type Phrases = Vec<(Role, String)>;

impl Parser<'_> {
    /// Actions with objects, one for each of them.
    pub(super) fn with_objects(
        &self,
        frame: &VerbFrame,
        tokens: &[Token],
        found: &mut Vec<ProposedAction>,
    ) {
        let mut list = Vec::new();
        let mut start = 0;
        for i in 0..=tokens.len() {
            let rest = &tokens[i..];
            let comma = rest.first().is_some_and(|t| t.kind == Kind::Comma);
            if i < start || !(comma || rest.is_empty() || at(&self.words.conjunctions, rest) > 0) {
                continue;
            }
            join(&mut list, self.phrases(frame, &tokens[start..i]));
            start = i + self.gap(rest).len;
        }
        share(&mut list);
        if list.is_empty() {
            list.push(Phrases::new());
        }
        found.extend(
            list.into_iter()
                .take(MAX_ACTIONS)
                .map(|p| self.action(frame, p)),
        );
    }

    /// "use the key to open the door": the used thing is the tool of the second verb. False, and nothing is found, where that
    /// verb takes no tool.
    pub(super) fn with_used_tool(
        &self,
        used: &Verb,
        tokens: &[Token],
        found: &mut Vec<ProposedAction>,
    ) -> bool {
        if used.frame.action != USE {
            return false;
        }
        let aim = (used.len..tokens.len()).find_map(|i| {
            let rest = &tokens[i + at(&self.words.receivers, &tokens[i..])..];
            let verb = self.verb(rest).filter(|_| rest.len() < tokens.len() - i)?;
            Some((&tokens[used.len..i], rest, verb))
        });
        let Some((tool, rest, verb)) = aim else {
            return false;
        };
        let (tool, frame) = (self.phrase(tool), verb.frame);
        let takes_tool = frame.action != USE && frame.text.is_none() && frame.tool.is_some();
        if tool.is_empty() || !takes_tool || self.wishes(&rest[verb.len..]) {
            return false;
        }
        let first = found.len();
        self.with_objects(frame, &without(rest, &verb), found);
        for action in found.iter_mut().skip(first) {
            put(action, &frame.tool, tool.clone());
        }
        true
    }

    /// The phrases of one object and what belongs to it.
    fn phrases(&self, frame: &VerbFrame, mut tokens: &[Token]) -> Phrases {
        let mut found = Phrases::new();
        let mut role = Role::Object;
        let mut start = 0;
        let receives = frame.to.as_deref() == Some(TO);
        let through = frame.action == MOVE && self.goes_through(tokens);
        if frame.to.is_none() {
            tokens = self.skip_ways(tokens);
        } else if receives && let Some(cut) = self.receiver_len(tokens) {
            found.push((Role::To, self.phrase(&tokens[..cut])));
            tokens = &tokens[cut..];
        }
        let is_to = |i: &usize| at(&self.words.receivers, &tokens[*i..]) > 0;
        let last_to = (0..tokens.len()).rev().find(is_to).filter(|_| receives);
        for i in 0..tokens.len() {
            let Some((next, len)) =
                self.role(frame, &tokens[i..], last_to.is_none_or(|last| last == i))
            else {
                continue;
            };
            if i < start || next == role || found.iter().any(|(role, _)| *role == next) {
                continue;
            }
            found.push((role, self.phrase(&tokens[start..i])));
            (role, start) = (next, i + len);
        }
        found.push((role, self.phrase(&tokens[start..])));
        found.retain(|(_, phrase)| !phrase.is_empty());
        // Where a door leads is for the world to say: the phrase keeps the word.
        let passage = self.words.passages.first().filter(|_| through);
        if let (Some(passage), Some((Role::Object, phrase))) = (passage, found.first_mut()) {
            phrase.insert_str(0, &format!("{passage} "));
        }
        found
    }

    /// The role of the phrase that a preposition begins, and the preposition's length.
    fn role(&self, frame: &VerbFrame, tokens: &[Token], aims: bool) -> Option<(Role, usize)> {
        let w = self.words;
        let to = frame.to.is_some() && aims;
        let receives = frame.to.as_deref() == Some(TO);
        let tables = [
            (&w.tools, Role::Tool, frame.tool.is_some()),
            (&w.receivers, Role::To, to),
            (&w.goals, Role::To, to && !receives),
            (&w.sources, Role::Source, true),
            (&w.namings, Role::Name, frame.action == INTRODUCE),
        ];
        let mut found = tables.iter().filter(|(_, _, active)| *active);
        found.find_map(|(table, role, _)| match at(table, tokens) {
            0 => None,
            len => Some((*role, len)),
        })
    }

    /// The length of a receiver before the thing that is given ("him the key").
    fn receiver_len(&self, tokens: &[Token]) -> Option<usize> {
        let limit = self.noun_limit(tokens);
        if tokens.len() > 1 && self.is_pronoun(tokens) {
            let alone = self.begins_noun(&tokens[1..]) || self.behind_to(tokens).is_empty();
            return alone.then_some(1);
        }
        (limit > 0 && self.begins_noun(&tokens[limit..])).then_some(limit)
    }

    /// Whether the words between a verb of motion and its object say that the actor goes through it.
    fn goes_through(&self, tokens: &[Token]) -> bool {
        let ways = tokens.len() - self.skip_ways(tokens).len();
        (0..ways).any(|i| at(&self.words.passages, &tokens[i..]) > 0)
    }

    /// Without the words between a verb of motion or of looking and its object.
    pub(super) fn skip_ways<'t>(&self, mut tokens: &'t [Token]) -> &'t [Token] {
        let w = self.words;
        let ways = [&w.ways, &w.passages, &w.receivers, &w.goals, &w.adverbs];
        while let Some(len) = ways.iter().map(|t| at(t, tokens)).max().filter(|l| *l > 0) {
            tokens = &tokens[len..];
        }
        tokens
    }

    fn action(&self, frame: &VerbFrame, phrases: Phrases) -> ProposedAction {
        let mut action = known(frame);
        let named = phrases.iter().any(|(role, _)| *role == Role::Name);
        for (role, phrase) in phrases {
            match role {
                Role::Object if named => put_in(&mut action, KIND, self.bare(&phrase)),
                Role::Object => put(&mut action, &frame.object, phrase),
                Role::Tool => put(&mut action, &frame.tool, phrase),
                Role::To => put(&mut action, &frame.to, phrase),
                Role::Name => put_in(&mut action, NAME, phrase),
                Role::Source => {}
            }
        }
        // What is used on nothing is itself the target.
        if frame.action == USE
            && !action.fields.contains_key(TARGET)
            && let Some(used) = action.fields.remove(TOOL)
        {
            action.fields.insert(TARGET.to_owned(), used);
        }
        action
    }

    /// A noun phrase without its article.
    fn bare(&self, phrase: &str) -> String {
        let (first, rest) = phrase.split_once(' ').unwrap_or(("", phrase));
        let article = self.words.articles.contains(&fold(first));
        if article { rest } else { phrase }.to_owned()
    }
}

/// Adds a further object or a further phrase. An object alone is joined to the phrase before it ("to Ann and Bob"); a phrase
/// without an object belongs to the object before it.
fn join(list: &mut Vec<Phrases>, phrases: Phrases) {
    let has_object = phrases.iter().any(|(role, _)| *role == Role::Object);
    match (list.last_mut(), phrases.as_slice()) {
        (_, []) => {}
        (Some(before), [(Role::Object, object)]) => {
            let mut next = before.clone();
            next.retain(|(role, _)| *role != Role::Source);
            match next.last_mut() {
                Some(last) => last.1.clone_from(object),
                None => next = phrases,
            }
            list.push(next);
        }
        (Some(before), _) if !has_object => {
            let taken = |role| before.iter().any(|(r, _)| *r == role);
            if phrases.iter().any(|(role, _)| taken(*role)) {
                let mut next = before.clone();
                next.retain(|(role, _)| phrases.iter().all(|(r, _)| r != role));
                next.extend(phrases);
                list.push(next);
            } else {
                before.extend(phrases);
            }
        }
        _ => list.push(phrases),
    }
}

/// Gives objects without phrases the phrases after a later object ("the key and the lamp to Ann").
fn share(list: &mut [Phrases]) {
    for i in (1..list.len()).rev() {
        let (before, behind) = list.split_at_mut(i);
        let (Some(alone), Some(full)) = (before.last_mut(), behind.first()) else {
            continue;
        };
        if matches!(alone.as_slice(), [(Role::Object, _)]) {
            let shared = full.iter().filter(|(role, _)| *role != Role::Object);
            alone.extend(shared.cloned());
        }
    }
}
