//! A sentence taken apart: words, clauses, and what of it is exempt.

use super::clause::{Clause, clauses};
use super::exempt::{Exemption, ask, exempt, is_question};
use super::grammar::Grammar;
use super::pronoun::{Named, Subjects, resolve};
use super::quote::keep_quotations;
use super::tags::BYGONE;
use super::token::Token;

/// A sentence taken apart.
#[derive(Debug, Default)]
pub struct ParsedSentence {
    /// Its words.
    pub tokens: Vec<Token>,
    /// Its clauses, in order; together they hold every token.
    pub clauses: Vec<Clause>,
    /// For each token, why what it says is exempt.
    pub exempt: Vec<Exemption>,
    /// Whether it ends in its own question mark.
    pub is_question: bool,
    /// Whether it tells of another time.
    pub is_bygone: bool,
}

/// How the sentences of a text are taken apart.
pub struct SentenceReader<'a> {
    /// The language of the text.
    pub grammar: &'a Grammar,
    /// For each character of the text, whether it is quoted.
    pub quoted: &'a [bool],
    /// Whether a quotation or question counts as another person's, and not as a statement of the speaker.
    pub has_source: bool,
    /// The names of the speaker, each as its words.
    pub speaker: &'a [Vec<String>],
    /// The subjects of all facts.
    pub subjects: &'a Subjects,
    /// What was named last.
    pub named: Named,
}

impl SentenceReader<'_> {
    /// Takes the next sentence of a text apart, whose apostrophes are straight. `offset`: its first character.
    pub fn read(&mut self, sentence: &str, offset: usize) -> ParsedSentence {
        let grammar = self.grammar;
        let endings = &grammar.lexicon.verb_endings;
        let mut tokens = grammar.tokens(sentence, offset);
        for token in &mut tokens {
            token.quoted = self.quoted.get(token.start).copied().unwrap_or_default();
        }
        grammar.tag_phrases(&mut tokens);
        Grammar::tag_speaker(&mut tokens, self.speaker);
        keep_quotations(&mut tokens, endings, self.has_source);
        self.named = resolve(&mut tokens, &self.named, self.subjects, grammar);
        let clauses = clauses(&tokens, endings);
        let is_question = is_question(sentence, offset, self.quoted);
        let mut exempt = exempt(&tokens, &clauses);
        if is_question && self.has_source {
            ask(&tokens, &clauses, &mut exempt);
        }
        ParsedSentence {
            is_bygone: tokens.iter().any(|token| token.is(BYGONE)),
            tokens,
            clauses,
            exempt,
            is_question,
        }
    }
}
