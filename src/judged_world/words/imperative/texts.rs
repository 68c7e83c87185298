//! Free text in a command, and its receiver.

use super::tokens::{Kind, Token, at, count};
use crate::judged_world::action::ProposedAction;
use crate::judged_world::words::imperative::{Parser, REACH, SPEAK, known, parted, put};
use crate::text::lexicon::VerbFrame;
use crate::text::single_spaced;

impl Parser<'_> {
    /// An action with free text.
    pub(super) fn with_text(
        &self,
        frame: &VerbFrame,
        tokens: &[Token],
        asked: bool,
    ) -> ProposedAction {
        let mut action = known(frame);
        let (object, text) = self.object_and_text(frame, tokens);
        put(&mut action, &frame.object, self.phrase(object));
        if text.iter().any(Token::is_quote) {
            let (quotes, words) = parted(text);
            let said: Vec<&str> = quotes.iter().map(|t| self.unquoted(t)).collect();
            put(&mut action, &frame.text, said.join(" "));
            let speech = frame.action == SPEAK && frame.object.is_some();
            let field = if speech { &frame.object } else { &frame.to };
            put(&mut action, field, self.phrase(self.behind_to(&words)));
            return action;
        }
        let (text, to) = match &frame.to {
            Some(_) => self.text_and_receiver(text),
            None => (text, &text[..0]),
        };
        let mut content = single_spaced(self.raw(self.skip_marks(text, frame)));
        if asked && !content.is_empty() {
            content.push('?');
        }
        put(&mut action, &frame.text, content);
        put(&mut action, &frame.to, self.phrase(to));
        action
    }

    /// The object before a text, if the verb takes one, and the text.
    fn object_and_text<'t>(
        &self,
        frame: &VerbFrame,
        tokens: &'t [Token],
    ) -> (&'t [Token], &'t [Token]) {
        let mark = |i: usize| at(&self.words.text_marks, &tokens[i..]);
        if frame.object.is_none() {
            (&tokens[..0], tokens)
        } else if frame.action == SPEAK {
            tokens.split_at(self.name_len(tokens))
        } else {
            let begins = |i: &usize| tokens[*i].kind != Kind::Word || mark(*i) > 0;
            let cut = (0..tokens.len()).find(begins).unwrap_or(tokens.len());
            (&tokens[..cut], &tokens[cut + mark(cut)..])
        }
    }

    /// Without the marks, and the "that", before a text.
    fn skip_marks<'t>(&self, tokens: &'t [Token], frame: &VerbFrame) -> &'t [Token] {
        let marks = count(tokens, |t| matches!(t.kind, Kind::Comma | Kind::Colon));
        let tokens = &tokens[marks..];
        match at(&self.words.complementizers, tokens) {
            len if frame.action == SPEAK => &tokens[len..],
            _ => tokens,
        }
    }

    /// Parts "to Ann that .." and ".. to Ann".
    fn text_and_receiver<'t>(&self, tokens: &'t [Token]) -> (&'t [Token], &'t [Token]) {
        let behind = &tokens[at(&self.words.receivers, tokens)..];
        if behind.len() < tokens.len() && (self.names(behind) || self.is_pronoun(behind)) {
            let (to, text) = behind.split_at(self.name_len(behind));
            return (text, to);
        }
        match self.last_receiver(tokens) {
            Some(i) => (&tokens[..i], self.behind_to(&tokens[i..])),
            None => (tokens, &tokens[..0]),
        }
    }

    /// Where the receiver at the end of a text begins: the last "to", if a name or an article follows it.
    pub(super) fn last_receiver(&self, tokens: &[Token]) -> Option<usize> {
        let first = tokens.len().saturating_sub(REACH).max(1);
        let mut places = (first..tokens.len()).rev();
        let last = places.find(|&i| at(&self.words.receivers, &tokens[i..]) > 0)?;
        self.names(self.behind_to(&tokens[last..])).then_some(last)
    }

    /// What follows the first "to".
    pub(super) fn behind_to<'t>(&self, tokens: &'t [Token]) -> &'t [Token] {
        (0..tokens.len())
            .map(|i| (i, at(&self.words.receivers, &tokens[i..])))
            .find(|(_, len)| *len > 0)
            .map_or(&[], |(i, len)| &tokens[i + len..])
    }

    /// Whether a name or an article comes first.
    fn names(&self, tokens: &[Token]) -> bool {
        at(&self.words.articles, tokens) > 0 || tokens.first().is_some_and(|t| self.is_capital(t))
    }

    pub(super) fn is_capital(&self, token: &Token) -> bool {
        self.raw(std::slice::from_ref(token))
            .starts_with(char::is_uppercase)
    }

    pub(super) fn is_pronoun(&self, tokens: &[Token]) -> bool {
        // A name such as "it's raining" is none.
        let word = tokens.first().filter(|t| !t.folded.contains(' '));
        let stem = word.and_then(|t| t.folded.split('\'').next());
        stem.is_some_and(|stem| self.words.pronouns.iter().any(|p| p == stem))
    }

    /// Whether a noun phrase begins here.
    pub(super) fn begins_noun(&self, tokens: &[Token]) -> bool {
        at(&self.words.articles, tokens) > 0
            || at(&self.words.determiners, tokens) > 0
            || self.is_pronoun(tokens)
    }

    /// Where the noun phrase that `tokens` begin with ends at the latest.
    pub(super) fn noun_limit(&self, tokens: &[Token]) -> usize {
        let w = self.words;
        let ends = [
            &w.topics,
            &w.complementizers,
            &w.tools,
            &w.receivers,
            &w.goals,
            &w.ways,
            &w.passages,
            &w.sources,
        ];
        let stops = |&i: &usize| {
            let rest = &tokens[i..];
            rest[0].kind != Kind::Word
                || ends.iter().any(|table| at(table, rest) > 0)
                || (i > 0 && self.begins_noun(rest))
        };
        (0..tokens.len()).find(stops).unwrap_or(tokens.len())
    }

    /// The length of the name or noun phrase before words that are told to a character.
    fn name_len(&self, tokens: &[Token]) -> usize {
        let limit = self.noun_limit(tokens);
        let capitals = count(&tokens[..limit], |t| self.is_capital(t));
        if limit > 0 && self.is_pronoun(tokens) {
            1
        } else if capitals > 0 && capitals < tokens.len() {
            capitals
        } else if limit < tokens.len() {
            limit
        } else {
            let articles = at(&self.words.articles, tokens);
            (articles + 1).min(tokens.len())
        }
    }
}
