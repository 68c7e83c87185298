//! A sentence taken apart: words, clauses, and what of it is exempt.

use super::clause::may_be_verb;
use super::clause::{Clause, clauses};
use super::exempt::{Exemption, ask, exempt, is_question};
use super::grammar::Grammar;
use super::pronoun::{Named, Subjects, resolve};
use super::quote::keep_quotations;
use super::tags::{
    ARTICLE, BYGONE, DEMONSTRATIVE, DETERMINER, FALSE, FALSEHOOD, NEGATOR, NO_ARTICLE, NOBODY,
    PRONOUN, SUBJECT, SUBORDINATOR, THAT, VERB,
};
use super::token::{Mark, Token};

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
        if grammar.lexicon.verb_last {
            verbs_behind_subjects(&mut tokens, endings);
            // A phrase may be one only now that its verb is in its place.
            grammar.tag_phrases(&mut tokens);
        }
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

/// Puts the verb of each dependent clause behind its subject, where a main clause has it: "dass die Brücke sicher ist".
fn verbs_behind_subjects(tokens: &mut [Token], endings: &[String]) {
    let mut at = 0;
    while at < tokens.len() {
        let start = at + 1;
        let is_clause = tokens[at].is(SUBORDINATOR | THAT) && !tokens[at].quoted;
        at = start;
        if !is_clause {
            continue;
        }
        let end = (start..tokens.len()).find(|at| tokens[*at].mark != Mark::None);
        let end = end.unwrap_or(tokens.len());
        let Some(subject) = subject_end(&tokens[start..end]).map(|len| start + len) else {
            continue;
        };
        let Some(last) = end.checked_sub(1).filter(|last| subject < *last) else {
            continue;
        };
        // "Dass der Mond rot ist, steht nicht fest.": the main clause may take back what this one says.
        // "Es ist eine Lüge, dass ..": a falsehood is judged with the verb in its place.
        let mut around = tokens[..start].iter().chain(&tokens[end..]);
        let denies = |token: &Token| token.is(NEGATOR | NO_ARTICLE | NOBODY | FALSE);
        if around.any(|token| denies(token) && !token.is(FALSEHOOD)) {
            continue;
        }
        let is_verb =
            tokens[last].is(VERB) || may_be_verb(&tokens[last - 1], &tokens[last], endings);
        if is_verb && tokens[start..end].iter().all(|token| !token.quoted) {
            tokens[subject..=last].rotate_right(1);
        }
    }
}

/// How many words the subject has with which a clause begins.
fn subject_end(words: &[Token]) -> Option<usize> {
    /// The most words before a noun: "der sehr alte gute König".
    const BEFORE: usize = 5;
    let is_noun = |token: &Token| token.capital && token.is_unknown();
    let noun = words.iter().take(BEFORE).position(is_noun);
    let first = words.first()?;
    match noun {
        // "dass der Herzog Wat heißt": the name is no part of the subject.
        Some(noun) if first.is(ARTICLE | DETERMINER | DEMONSTRATIVE) => Some(noun + 1),
        Some(0) => Some(words.iter().take_while(|token| is_noun(token)).count()),
        _ => first.is(SUBJECT | PRONOUN).then_some(1),
    }
}
