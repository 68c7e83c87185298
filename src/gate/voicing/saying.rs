//! The verbs of saying of a sentence, each with its subject.

use super::names::{Named, Names, is_possessive};
use super::tokens::Token;
use super::words::Words;
use std::ops::Range;

/// How many words before a verb its subject may be.
pub(super) const REACH: usize = 48;

/// A verb of saying with its subject.
#[derive(Debug, Clone)]
pub(super) struct Saying {
    /// The speakers; empty where no known name is the subject, or nothing is said.
    pub(super) who: Vec<usize>,
    /// The first token of the subject and its verb.
    pub(super) start: usize,
    /// The token after the verb, and after a subject that follows it.
    pub(super) end: usize,
    /// Whether the subject follows the verb.
    pub(super) is_inverted: bool,
    /// Whether the verb tells of speech only next to a quotation.
    pub(super) is_tag: bool,
    /// Whether it surely tells of speech; "the nightjar sings" does not.
    pub(super) is_strong: bool,
}

impl Saying {
    /// Whether a quotation next to it may be its words.
    pub(super) fn may_introduce(&self) -> bool {
        self.is_strong || !self.who.is_empty()
    }
}

impl Words<'_> {
    /// The verbs of saying of a fragment, each with its subject.
    pub(super) fn sayings(&self, text: &str, tokens: &[Token]) -> Vec<Saying> {
        let names = self.names_in(text, tokens);
        let mut sayings = Vec::new();
        let mut at = 0;
        while at < tokens.len() {
            // A name such as Will is no verb.
            if let Some(name) = names.from(at) {
                at = name.range.end;
                continue;
            }
            let verb = self.verbs.at(tokens, at).map(|(len, _)| (len, false));
            let tag = || self.tags.at(tokens, at).map(|(len, _)| (len, true));
            let Some((len, is_tag)) = verb.or_else(tag) else {
                at += 1;
                continue;
            };
            sayings.push(self.saying(tokens, &names, at..at + len, is_tag));
            at += len;
        }
        sayings
    }

    fn saying(&self, tokens: &[Token], names: &Names, verb: Range<usize>, is_tag: bool) -> Saying {
        let unknown = Saying {
            who: Vec::new(),
            start: verb.start,
            end: verb.end,
            is_inverted: false,
            is_tag,
            is_strong: !is_tag || self.leads_to_words(tokens, verb.end),
        };
        let is_progressive = self
            .progressive
            .contains(tokens[verb.end - 1].text.as_str());
        let (left, is_denied) = self.skip_back(tokens, verb.start, is_progressive);
        let floor = left.saturating_sub(REACH);
        let before = left.checked_sub(1).map(|before| &tokens[before]);
        let mut saying = if let Some(subject) = names.until(left) {
            if subject.is_oblique {
                return unknown;
            }
            let mut who = vec![subject.of];
            let mut start = subject.range.start;
            // "Odo and Ravn say ..".
            while let Some(other) = self.joined_before(tokens, names, start) {
                who.push(other.of);
                start = other.range.start;
            }
            Saying {
                who,
                start,
                is_strong: true,
                ..unknown
            }
        } else if before.is_some_and(|before| self.pronouns.contains(before.text.as_str())) {
            return Saying {
                start: left - 1,
                is_strong: true,
                ..unknown
            };
        } else if before.is_none_or(|before| self.is_joint(before)) {
            let earlier = self.subject_of_clause(tokens, names, floor..left);
            let joins = |joint: &Token| self.lexicon.conjunctions.contains(&joint.text);
            // "Kael nods and asks Odo ..": one more thing that Kael does.
            let goes_on = left > 1 && before.is_some_and(joins);
            // "Kael is a thief, says Odo."; not "Kael nods, asks Odo for it".
            let closes = |end: usize| {
                let next = tokens.get(self.skip_manners(tokens, end));
                next.is_none_or(|next| !next.is_word)
            };
            let behind = self
                .subject_behind(tokens, names, verb.end)
                .filter(|(_, end)| !goes_on && (earlier.is_none() || closes(*end)));
            match behind {
                Some((who, end)) => Saying {
                    who,
                    end,
                    is_inverted: true,
                    is_strong: true,
                    ..unknown
                },
                None => Saying {
                    who: earlier.unwrap_or_default(),
                    start: left,
                    ..unknown
                },
            }
        } else {
            return unknown;
        };
        let behind = self.skip_manners(tokens, saying.end);
        if is_denied || self.silences.has(tokens, behind) {
            saying.who.clear();
        }
        saying
    }

    /// Goes back over the words that may be between a subject and its verb, and tells whether the verb is denied or hypothetical.
    fn skip_back(&self, tokens: &[Token], mut at: usize, is_progressive: bool) -> (usize, bool) {
        let mut is_denied = false;
        while let Some(before) = at.checked_sub(1) {
            let word = tokens[before].text.as_str();
            let denies = self.negators.has(&tokens[before..at], 0);
            let supposes = self.hypotheticals.contains(word);
            // "is told" has another for its subject than "is saying".
            let helps =
                self.supports.contains(word) || (is_progressive && self.auxiliaries.contains(word));
            let may_stand = denies || supposes || helps || self.manners.has(&tokens[before..at], 0);
            if !may_stand || self.conjunctions.contains(word) {
                break;
            }
            is_denied |= denies || supposes;
            at = before;
        }
        (at, is_denied)
    }

    fn joined_before<'n>(
        &self,
        tokens: &[Token],
        names: &'n Names,
        start: usize,
    ) -> Option<&'n Named> {
        let joint = tokens.get(start.checked_sub(1)?)?;
        let is_joint = self.lexicon.additive.contains(&joint.text);
        let other = names.until(start - 1);
        other.filter(|name| is_joint && !name.is_oblique)
    }

    /// A subject right after its verb: whose it is, and the token after it.
    fn subject_behind(
        &self,
        tokens: &[Token],
        names: &Names,
        verb_end: usize,
    ) -> Option<(Vec<usize>, usize)> {
        let at = self.skip_manners(tokens, verb_end);
        // "sagt der alte Odo": an article, and a word or two.
        let mut found = names.from(at);
        if found.is_none()
            && tokens
                .get(at)
                .is_some_and(|token| self.determiners.contains(token.text.as_str()))
        {
            found = names.from(at + 1).or_else(|| names.from(at + 2));
        }
        if let Some(name) = found {
            if is_possessive(&tokens[name.range.end..]) {
                return Some((Vec::new(), name.range.end));
            }
            let mut next = name.range.end;
            let mut who = vec![name.of];
            while tokens
                .get(next)
                .is_some_and(|joint| self.lexicon.additive.contains(&joint.text))
                && let Some(other) = names.from(next + 1)
            {
                who.push(other.of);
                next = other.range.end;
            }
            return Some((who, next));
        }
        let pronoun = tokens.get(at)?;
        self.pronouns
            .contains(pronoun.text.as_str())
            .then(|| (Vec::new(), at + 1))
    }

    /// The subject of the clause that these tokens are of: what begins it last, else its first name. A pronoun names no one.
    fn subject_of_clause(
        &self,
        tokens: &[Token],
        names: &Names,
        clause: Range<usize>,
    ) -> Option<Vec<usize>> {
        let subject_at = |at: usize| names.from(at).filter(|name| !name.is_oblique);
        for at in clause.clone().rev() {
            if at > 0 && !self.is_joint(&tokens[at - 1]) {
                continue;
            }
            let word = tokens[at].text.as_str();
            if self.lexicon.subject_pronouns.iter().any(|one| one == word) {
                return Some(Vec::new());
            }
            let Some(name) = subject_at(at) else {
                continue;
            };
            // In a list a name is followed by a comma or by another one.
            let next = tokens.get(name.range.end);
            let is_listed = at > 0 && next.is_none_or(|next| self.is_joint(next));
            if !is_listed {
                return Some(vec![name.of]);
            }
        }
        let mut clause = clause;
        let first = clause.find_map(subject_at);
        first.map(|name| vec![name.of])
    }
}
