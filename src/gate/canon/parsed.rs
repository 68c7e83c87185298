//! A sentence taken apart: words, clauses, and what of it is exempt (SCENARIO.md section 2, "Canon").

use super::clause::{Clause, clauses};
use super::exempt::{exempt, is_question};
use super::grammar::Grammar;
use super::quote::keep_quotations;
use super::token::Token;

/// A sentence taken apart.
#[derive(Debug, Default)]
pub struct ParsedSentence {
    /// Its words.
    pub tokens: Vec<Token>,
    /// Its clauses, in order; together they hold every token.
    pub clauses: Vec<Clause>,
    /// For each token, whether what it says is exempt.
    pub exempt: Vec<bool>,
    /// Whether it ends in a question mark of its own.
    pub is_question: bool,
}

impl ParsedSentence {
    /// Takes one sentence of a text apart whose apostrophes are straight. `offset`: its first character; `quoted`:
    /// which characters of the whole text are quoted; `has_source`: whether a quotation or question counts as somebody's.
    pub fn new(
        grammar: &Grammar,
        sentence: &str,
        offset: usize,
        quoted: &[bool],
        has_source: bool,
    ) -> Self {
        let mut tokens = grammar.tokens(sentence, offset);
        for token in &mut tokens {
            token.quoted = quoted.get(token.start).copied().unwrap_or_default();
        }
        grammar.tag_phrases(&mut tokens);
        keep_quotations(&mut tokens, &grammar.lexicon.verb_endings, has_source);
        let clauses = clauses(&tokens, &grammar.lexicon.verb_endings);
        let is_question = is_question(sentence, offset, quoted);
        let exempt = if is_question && has_source {
            vec![true; tokens.len()]
        } else {
            exempt(&tokens, &clauses)
        };
        Self {
            tokens,
            clauses,
            exempt,
            is_question,
        }
    }
}
