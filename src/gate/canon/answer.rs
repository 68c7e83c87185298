//! Verdicts on canon: the fact with "no" after it, or another statement with "that is true" after it.

use super::exempt::Exemption;
use super::judge::{CanonJudge, ContradictionKind, Found, Group, JudgedWords, keep_earliest};
use super::sentence::Sentence;
use super::tags::{ADVERB, AUXILIARY, CONJUNCTION, DO, VERB};
use super::verdict::{About, Verdict, verdict};
use super::view::{ClauseView, Lift};
use std::ops::Range;

/// How many words may be before the verb of a question once it is a statement: "Is the old king alive".
const LONGEST_SUBJECT: usize = 4;

/// How many other clauses of the same sentence a verdict may be about.
const MOST_CLAUSES: usize = 3;

impl CanonJudge {
    /// What a sentence says of the one before it, and each of its clauses of the clause before.
    pub(super) fn judge_answers(
        &self,
        group: &Group,
        facts: &[usize],
        before: Option<&Sentence>,
        sentence: &Sentence,
        text: &JudgedWords,
        found: &mut [Found],
    ) {
        let parsed = &sentence.parsed;
        if parsed.is_question || parsed.exempt.contains(&Exemption::Conditional) {
            return;
        }
        let mut about =
            |sentence: &Sentence, clauses: Range<usize>, last: usize, of: Range<usize>| {
                let target = Target {
                    sentence,
                    is_whole: clauses.end == sentence.parsed.clauses.len(),
                    clauses,
                    last,
                    end: parsed.tokens[of.end - 1].end,
                };
                let verdict = verdict(&parsed.tokens, of);
                target.judge(self, group, facts, &verdict, text, found);
            };
        if let (Some(before), Some(first)) = (before, parsed.clauses.first()) {
            let clauses = 0..before.parsed.clauses.len();
            about(
                before,
                clauses,
                before.parsed.tokens.len(),
                first.range.clone(),
            );
        }
        for m in 1..parsed.clauses.len() {
            let range = parsed.clauses[m].range.clone();
            about(
                sentence,
                m.saturating_sub(MOST_CLAUSES)..m,
                range.start,
                range,
            );
        }
        // "\"The king is dead\" is the truth.": a quotation, and the verdict on it in the same clause.
        let quoted = parsed
            .tokens
            .iter()
            .take_while(|token| token.quoted)
            .count();
        if quoted > 0 && quoted < parsed.tokens.len() && parsed.tokens[quoted].is(VERB) {
            about(sentence, 0..1, quoted, quoted..parsed.tokens.len());
        }
    }
}

/// What a verdict is about.
struct Target<'a> {
    sentence: &'a Sentence,
    clauses: Range<usize>,
    /// Whether these are all of its clauses.
    is_whole: bool,
    /// The token after the last one that it is about.
    last: usize,
    /// The character after the verdict.
    end: usize,
}

impl Target<'_> {
    fn judge(
        &self,
        judge: &CanonJudge,
        group: &Group,
        facts: &[usize],
        verdict: &Verdict,
        text: &JudgedWords,
        found: &mut [Found],
    ) {
        let parsed = &self.sentence.parsed;
        let is_question = parsed.is_question;
        let judgement = verdict.judgement;
        let truth = match judgement {
            Some((truth, About::Person)) if !is_question => truth,
            Some((_, About::Person)) | None if !is_question => return,
            Some((truth, _)) => truth,
            None => match verdict.answer {
                Some(truth) => truth,
                None => return,
            },
        };
        if is_question && judgement.is_some_and(|(_, about)| about == About::Person) {
            return;
        }
        let lift = match is_question {
            true => Lift::Questions,
            false => Lift::Reports,
        };
        match truth {
            true => self.assert(judge, group, facts, lift, text, found),
            false => self.deny(judge, facts, lift, verdict, found),
        }
    }

    fn is_exempt(&self, clause: usize) -> bool {
        let parsed = &self.sentence.parsed;
        let mut why = parsed.clauses[clause]
            .range
            .clone()
            .map(|at| parsed.exempt[at]);
        why.any(|why| {
            matches!(
                why,
                Exemption::Quoted | Exemption::Reported | Exemption::Asked
            )
        })
    }

    /// Judges what was asked, quoted or reported as if it were said to be true.
    fn assert(
        &self,
        judge: &CanonJudge,
        group: &Group,
        facts: &[usize],
        lift: Lift,
        text: &JudgedWords,
        found: &mut [Found],
    ) {
        let mut asserted: Vec<Found> = vec![None; found.len()];
        let exempt: Vec<usize> = self
            .clauses
            .clone()
            .filter(|m| self.is_exempt(*m))
            .collect();
        if exempt.is_empty() {
            return;
        }
        for m in exempt {
            judge.match_clause(facts, &self.sentence.clause(m, lift), None, &mut asserted);
        }
        group.scan(
            self.sentence,
            self.clauses.clone(),
            lift,
            text,
            &mut asserted,
        );
        if lift == Lift::Questions {
            for statement in self.statements() {
                let all = judge.find_in_statement(&statement);
                for (asserted, new) in asserted.iter_mut().zip(all) {
                    let new = new.map(|(how, ..)| (how, self.sentence.chars.start, self.end));
                    *asserted = asserted.or(new);
                }
            }
        }
        for (found, asserted) in found.iter_mut().zip(asserted) {
            if let Some((how, start, end)) = asserted {
                keep_earliest(found, (how, start, end.max(self.end)));
            }
        }
    }

    /// What was said, asked, quoted or reported is not so.
    fn deny(
        &self,
        judge: &CanonJudge,
        facts: &[usize],
        lift: Lift,
        verdict: &Verdict,
        found: &mut [Found],
    ) {
        let tokens = &self.sentence.parsed.tokens;
        let counts = |clause: usize| match verdict.judgement {
            _ if self.is_exempt(clause) => true,
            // Of a whole sentence, or of the clause right before.
            _ if clause + 1 < self.clauses.end && !self.is_whole => false,
            Some((_, About::Words)) => true,
            Some((_, About::Bare)) => verdict.is_all,
            _ => false,
        };
        for m in self.clauses.clone().filter(|m| counts(*m)) {
            let mut view = self.sentence.clause(m, lift).denied();
            view.range.end = view.range.end.min(self.last);
            for &fact in facts {
                let matcher = judge.matcher(fact);
                let stated = || {
                    let view = ClauseView {
                        falsehood: None,
                        ..view.clone()
                    };
                    let (first, last) = (view.range.start, view.range.end.checked_sub(1)?);
                    matcher.is_stated(&view).then_some((first, last))
                };
                if let Some((first, _)) = matcher.negation(&view).or_else(stated) {
                    let place = (ContradictionKind::Negation, tokens[first].start, self.end);
                    keep_earliest(&mut found[fact], place);
                }
            }
        }
    }

    /// The statements that a question may ask for: "Is the king dead" asks whether the king is dead.
    fn statements(&self) -> Vec<String> {
        let tokens = &self.sentence.parsed.tokens;
        let words = |range: Range<usize>| tokens[range].iter().map(|token| token.word.as_str());
        let first = tokens
            .iter()
            .position(|token| !token.is(ADVERB | CONJUNCTION));
        let Some(verb) = first.filter(|at| tokens[*at].is(AUXILIARY | VERB)) else {
            return Vec::new();
        };
        if tokens[verb].is(DO) {
            return vec![words(verb + 1..tokens.len()).collect::<Vec<_>>().join(" ")];
        }
        let ends = (verb + 2..tokens.len()).take(LONGEST_SUBJECT);
        let statement = |end: usize| {
            let subject = words(verb + 1..end);
            let rest = words(end..tokens.len());
            let all = subject.chain([tokens[verb].word.as_str()]).chain(rest);
            all.collect::<Vec<_>>().join(" ")
        };
        ends.map(statement).collect()
    }
}
