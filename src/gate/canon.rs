//! Canon: what is settled about the world, and what speaks against it (contract row G4; SCENARIO.md section 2,
//! "Canon").
//!
//! A dialogue is judged clause by clause. The check reads words, not meanings: it is as good as its [`Lexicon`],
//! and what it cannot see an author adds as a pattern in `contradicted_by`.

mod clause;
mod exempt;
mod fact;
mod quote;

use crate::text::lexicon::Lexicon;
use crate::text::{FoldedText, PatternError, PatternSet, Span, sentence};
use clause::{Grammar, Parsed};
use fact::{Matcher, View, Vocabulary};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Which other values contradict a slot.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub enum Exclusive {
    /// Every other one.
    #[default]
    Any,
    /// These, and no others.
    OneOf(Vec<String>),
}

/// A statement of which only one value can be true: subject, relation, value.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct CanonSlot {
    /// The ways to name the subject.
    pub subject: Vec<String>,
    /// What joins subject and value: "is named".
    pub relation: String,
    /// The value that is true.
    pub value: String,
    /// Which other values contradict it.
    #[serde(default)]
    pub exclusive: Exclusive,
}

/// A canon entry as it is authored (SCENARIO.md section 1).
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct CanonFact {
    /// What mutations and traces call it.
    pub id: String,
    /// The fact in one plain sentence.
    pub text: String,
    /// Patterns that speak against it.
    #[serde(default)]
    pub contradicted_by: Vec<String>,
    /// Its exclusive slot, if it has one.
    #[serde(default)]
    pub slot: Option<CanonSlot>,
    /// Whether questions, quotations, reported and conditional speech are judged too.
    #[serde(default)]
    pub strict: bool,
}

/// How a dialogue speaks against a fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub enum ContradictionKind {
    /// A pattern of `contradicted_by` hit.
    Pattern,
    /// The fact is denied.
    Negation,
    /// Its slot has another value.
    Slot,
}

/// A contradiction that was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Contradiction {
    /// The place of the fact in [`CanonJudge::facts`].
    pub fact: usize,
    /// How it is contradicted.
    pub how: ContradictionKind,
    /// The offending words, in characters of the dialogue.
    pub span: Span,
}

/// The facts that are judged alike: all lenient ones, or all strict ones.
#[derive(Debug, Default)]
struct Group {
    strict: bool,
    /// Places in [`CanonJudge::facts`].
    facts: Vec<usize>,
    patterns: PatternSet,
    /// For each pattern, its fact.
    owners: Vec<usize>,
}

/// All canon of a world, compiled once when it is loaded.
#[derive(Debug)]
pub struct CanonJudge {
    facts: Vec<CanonFact>,
    matchers: Vec<Matcher>,
    groups: Vec<Group>,
    vocabulary: Vocabulary,
    grammar: Grammar,
}

/// A dialogue taken apart: its sentences with the numbers of their words.
struct Sentence {
    /// Characters of the dialogue.
    chars: Range<usize>,
    parsed: Parsed,
    numbers: Vec<Option<u32>>,
}

impl Default for CanonJudge {
    /// A world without canon.
    fn default() -> Self {
        Self {
            facts: Vec::new(),
            matchers: Vec::new(),
            groups: Vec::new(),
            vocabulary: Vocabulary::default(),
            grammar: Grammar::new(&Lexicon::default()),
        }
    }
}

impl CanonJudge {
    /// Compiles facts; what they mean depends on the language of `lexicon`.
    ///
    /// # Errors
    /// The first `contradicted_by` pattern that does not compile.
    pub fn compile(facts: Vec<CanonFact>, lexicon: &Lexicon) -> Result<Self, PatternError> {
        let grammar = Grammar::new(lexicon);
        let mut vocabulary = Vocabulary::default();
        let matchers = facts
            .iter()
            .map(|fact| Matcher::new(fact, &grammar, &mut vocabulary))
            .collect();
        let mut groups = Vec::new();
        for strict in [false, true] {
            let places: Vec<usize> = (0..facts.len())
                .filter(|i| facts[*i].strict == strict)
                .collect();
            let owned = || {
                places.iter().flat_map(|i| {
                    facts[*i]
                        .contradicted_by
                        .iter()
                        .map(move |pattern| (*i, pattern))
                })
            };
            let patterns =
                PatternSet::compile(owned().map(|(_, pattern)| quote::straighten(pattern)))?;
            let owners = owned().map(|(owner, _)| owner).collect();
            groups.push(Group {
                strict,
                facts: places,
                patterns,
                owners,
            });
        }
        Ok(Self {
            facts,
            matchers,
            groups,
            vocabulary,
            grammar,
        })
    }

    /// The facts, in the order given.
    #[must_use]
    pub fn facts(&self) -> &[CanonFact] {
        &self.facts
    }

    /// The fact with this id; of several, the first.
    #[must_use]
    pub fn get(&self, id: &str) -> Option<&CanonFact> {
        self.facts.iter().find(|fact| fact.id == id)
    }

    /// Whether `text` contradicts any fact.
    #[must_use]
    pub fn contradicts_any(&self, text: &str) -> bool {
        !self.judge(text).is_empty()
    }

    /// Everything in `dialogue` that speaks against canon: for each fact at most one contradiction, the earliest,
    /// in the order of the facts. Total, and linear in the length of the dialogue for given facts.
    #[must_use]
    pub fn judge(&self, dialogue: &str) -> Vec<Contradiction> {
        if self.facts.is_empty() {
            return Vec::new();
        }
        let text = quote::straighten(dialogue);
        let places = text
            .char_indices()
            .map(|(at, _)| at)
            .chain([text.len()])
            .collect::<Vec<_>>();
        let sentences = self.sentences(&text);
        let mut present = vec![false; self.vocabulary.len()];
        for number in sentences
            .iter()
            .flat_map(|sentence| &sentence.numbers)
            .flatten()
        {
            present[*number as usize] = true;
        }
        let mut found: Vec<Option<(ContradictionKind, usize, usize)>> =
            vec![None; self.facts.len()];
        for group in self.groups.iter().filter(|group| !group.facts.is_empty()) {
            let possible: Vec<usize> = group
                .facts
                .iter()
                .copied()
                .filter(|fact| self.matchers[*fact].may_occur(&present))
                .collect();
            for sentence in &sentences {
                group.scan(sentence, &text, &places, &mut found);
                for clause in &sentence.parsed.clauses {
                    let view = View::new(
                        &sentence.parsed,
                        &sentence.numbers,
                        clause.range.clone(),
                        group.strict,
                    );
                    self.match_clause(&possible, &view, &mut found);
                }
            }
        }
        let contradictions = found.into_iter().enumerate();
        contradictions
            .filter_map(|(fact, found)| {
                let (how, start, end) = found?;
                let span = Span::of(dialogue, start, end);
                Some(Contradiction { fact, how, span })
            })
            .collect()
    }

    fn sentences(&self, text: &str) -> Vec<Sentence> {
        let quoted = quote::quoted(text, &self.grammar.lexicon);
        let (mut bytes, mut chars) = (0, 0);
        sentence::sentences(text, &self.grammar.lexicon)
            .into_iter()
            .map(|range| {
                let start = chars + text[bytes..range.start].chars().count();
                let sentence = &text[range.clone()];
                let end = start + sentence.chars().count();
                (bytes, chars) = (range.end, end);
                let parsed = self.grammar.parse(sentence, start, &quoted);
                let numbers = parsed
                    .tokens
                    .iter()
                    .map(|t| self.vocabulary.number(&t.word))
                    .collect();
                Sentence {
                    chars: start..end,
                    parsed,
                    numbers,
                }
            })
            .collect()
    }

    fn match_clause(
        &self,
        facts: &[usize],
        view: &View,
        found: &mut [Option<(ContradictionKind, usize, usize)>],
    ) {
        let tokens = &view.parsed.tokens;
        for &fact in facts {
            let negation = self.matchers[fact]
                .negation(view)
                .map(|at| (ContradictionKind::Negation, at));
            let slot = self.matchers[fact]
                .other_value(view)
                .map(|at| (ContradictionKind::Slot, at));
            for (how, (first, last)) in negation.into_iter().chain(slot) {
                keep_earliest(
                    &mut found[fact],
                    (how, tokens[first].start, tokens[last].end),
                );
            }
        }
    }
}

impl Group {
    /// Scans what is judged of a sentence for this group's patterns, clause by clause.
    fn scan(
        &self,
        sentence: &Sentence,
        text: &str,
        places: &[usize],
        found: &mut [Option<(ContradictionKind, usize, usize)>],
    ) {
        if self.patterns.is_empty() {
            return;
        }
        for chars in judged_stretches(sentence, self.strict) {
            let hits = self.patterns.scan(&FoldedText::new(
                &text[places[chars.start]..places[chars.end]],
            ));
            for (pattern, &fact) in self.owners.iter().enumerate() {
                if let Some(hit) = hits.first(pattern) {
                    let (start, end) = (chars.start + hit.start, chars.start + hit.end);
                    keep_earliest(&mut found[fact], (ContradictionKind::Pattern, start, end));
                }
            }
        }
    }
}

/// The stretches of a sentence, in characters, that hold judged words and end where clauses end.
fn judged_stretches(sentence: &Sentence, strict: bool) -> Vec<Range<usize>> {
    let parsed = &sentence.parsed;
    if parsed.tokens.is_empty() {
        return vec![sentence.chars.clone()];
    }
    let mut stretches = Vec::new();
    for (n, clause) in parsed.clauses.iter().enumerate() {
        let view = View::new(parsed, &sentence.numbers, clause.range.clone(), strict);
        // What stands under "not true that" is denied, so that a pattern there is no statement.
        let denied = view
            .falsehood
            .as_ref()
            .map_or(clause.range.end, |denied| denied.end);
        let mut start = if n == 0 {
            sentence.chars.start
        } else {
            parsed.tokens[clause.range.start].start
        };
        let mut judged = false;
        for at in clause.range.clone() {
            if view.judged(at) && at < denied {
                judged = true;
                continue;
            }
            if judged {
                stretches.push(start..parsed.tokens[at].start.max(start));
            }
            (start, judged) = (parsed.tokens[at].end, false);
        }
        if judged {
            let next = parsed
                .clauses
                .get(n + 1)
                .map(|next| parsed.tokens[next.range.start].start);
            stretches.push(start..next.unwrap_or(sentence.chars.end).max(start));
        }
    }
    stretches
}

fn keep_earliest(
    slot: &mut Option<(ContradictionKind, usize, usize)>,
    new: (ContradictionKind, usize, usize),
) {
    let key = |c: &(ContradictionKind, usize, usize)| (c.1, c.2, c.0);
    if slot.as_ref().is_none_or(|old| key(&new) < key(old)) {
        *slot = Some(new);
    }
}

#[cfg(test)]
mod tests {
    use super::ContradictionKind::{Negation, Pattern, Slot};
    use super::*;

    const CANON: &str = r#"#![enable(implicit_some)]
    [
        (id: "king_name", text: "The king is named Arthur", contradicted_by: ["king is called bob"],
         slot: (subject: ["the king", "our king"], relation: "is named", value: "Arthur", exclusive: Any)),
        (id: "sky", text: "The sky is blue",
         slot: (subject: ["the sky"], relation: "is", value: "blue", exclusive: OneOf(["green", "red", "pale grey"]))),
        (id: "alive", text: "The king is alive", contradicted_by: ["king is dead", "/king (has )?died/"]),
        (id: "dragon", text: "The dragon guards the gate"),
        (id: "crown", text: "The crown is gold", contradicted_by: ["crown is lost"],
         slot: (subject: ["the crown"], relation: "is", value: "gold", exclusive: OneOf(["silver"])), strict: true),
        (id: "sleep", text: "The gods do not sleep"),
    ]"#;

    fn judge() -> CanonJudge {
        CanonJudge::compile(ron::from_str(CANON).unwrap(), Lexicon::english()).unwrap()
    }

    fn seen(judge: &CanonJudge, text: &str) -> Vec<(String, ContradictionKind)> {
        let all = judge.judge(text).into_iter();
        all.map(|c| (judge.facts()[c.fact].id.clone(), c.how))
            .collect()
    }

    fn contradicts(rows: &[(&str, &str, ContradictionKind)]) {
        let judge = judge();
        let mut wrong = Vec::new();
        for (text, id, how) in rows {
            let seen = seen(&judge, text);
            if seen != [((*id).to_owned(), *how)] {
                wrong.push(format!("{text:?}: {seen:?}"));
            }
        }
        assert!(wrong.is_empty(), "{wrong:#?}");
    }

    fn agrees(rows: &[&str]) {
        let judge = judge();
        let mut wrong = Vec::new();
        for text in rows {
            let seen = seen(&judge, text);
            if !seen.is_empty() {
                wrong.push(format!("{text:?}: {seen:?}"));
            }
        }
        assert!(wrong.is_empty(), "{wrong:#?}");
    }

    #[test]
    fn g4_authored_patterns_hit() {
        contradicts(&[
            ("Our king is called Bob.", "king_name", Pattern),
            ("THE KING IS CALLED BOB!", "king_name", Pattern),
            ("The king\n  is  called\tBob", "king_name", Pattern),
            ("The king died long ago.", "alive", Pattern),
            ("Alas, the king is dead and we mourn.", "alive", Pattern),
            ("Is it cold? The king is dead.", "alive", Pattern),
            ("I say the king is dead.", "alive", Pattern),
            ("The kіng is dеad.", "alive", Pattern),
        ]);
    }

    #[test]
    fn g4_the_fact_denied_is_a_contradiction() {
        contradicts(&[
            ("The king is not named Arthur", "king_name", Negation),
            ("The king isn't named Arthur.", "king_name", Negation),
            ("The king isn’t named Arthur.", "king_name", Negation),
            ("The king isnʼt named Arthur.", "king_name", Negation),
            ("The king's not named Arthur.", "king_name", Negation),
            ("The king ain't named Arthur.", "king_name", Negation),
            ("the king isnt named arthur", "king_name", Negation),
            ("The king is no longer named Arthur.", "king_name", Negation),
            ("The king is never named Arthur.", "king_name", Negation),
            ("The king never was named Arthur.", "king_name", Negation),
            (
                "The king is, of course, not named Arthur.",
                "king_name",
                Negation,
            ),
            (
                "The king is not, and never was, named Arthur.",
                "king_name",
                Negation,
            ),
            (
                "The king is not really named Arthur.",
                "king_name",
                Negation,
            ),
            (
                "The king, who is old, is not named Arthur.",
                "king_name",
                Negation,
            ),
            ("The king is named Arthur no longer.", "king_name", Negation),
            (
                "That the king is named Arthur is not true.",
                "king_name",
                Negation,
            ),
            ("Our king is not named Arthur.", "king_name", Negation),
            (
                "In the tower, the king is not named Arthur.",
                "king_name",
                Negation,
            ),
            (
                "It rains, and the king is not named Arthur.",
                "king_name",
                Negation,
            ),
            (
                "Hear me: the king is not named Arthur.",
                "king_name",
                Negation,
            ),
            ("The sky is never blue.", "sky", Negation),
            ("ＴＨＥ ＳＫＹ ＩＳ ＮＯＴ ＢＬＵＥ", "sky", Negation),
            (
                "The sky cannot be what you think; the sky isn't blue.",
                "sky",
                Negation,
            ),
            ("The sky  is\nnot blue.", "sky", Negation),
            ("The dragon doesn't guard the gate.", "dragon", Negation),
            (
                "The dragon does not guard the gate any longer.",
                "dragon",
                Negation,
            ),
            ("The dragon never guards the gate.", "dragon", Negation),
            ("The dragon no longer guards the gate.", "dragon", Negation),
            ("The king is not alive.", "alive", Negation),
        ]);
    }

    #[test]
    fn g4_the_fact_under_a_falsehood_is_a_contradiction() {
        contradicts(&[
            (
                "It is not true that the king is named Arthur.",
                "king_name",
                Negation,
            ),
            (
                "It isn't true that the king is named Arthur.",
                "king_name",
                Negation,
            ),
            (
                "It isn’t really true that the king is named Arthur.",
                "king_name",
                Negation,
            ),
            ("It is false that the sky is blue.", "sky", Negation),
            ("I say it is false that the sky is blue.", "sky", Negation),
        ]);
        agrees(&[
            "It is not false that the sky is blue.",
            "It is not true that the king is not named Arthur.",
            "It is not true that the king is named Bob.",
            "It is false that the king is dead.",
        ]);
    }

    #[test]
    fn g4_another_value_of_a_slot_is_a_contradiction() {
        contradicts(&[
            ("The king is named Bob.", "king_name", Slot),
            ("Our king is named Bob, not Bill.", "king_name", Slot),
            ("The king is really truly named Bob.", "king_name", Slot),
            ("The king is now named Sir Bob.", "king_name", Slot),
            ("The king’s named Bob.", "king_name", Slot),
            ("The sky is green.", "sky", Slot),
            ("The sky's green.", "sky", Slot),
            ("The sky is a green sheet.", "sky", Slot),
            ("the sky is very, very red today", "sky", Slot),
            ("The sky is pale grey.", "sky", Slot),
            ("The sky is green, not blue.", "sky", Slot),
            ("I say the sky is green", "sky", Slot),
            ("I do say the sky is green.", "sky", Slot),
            ("I'm telling you the sky is green.", "sky", Slot),
            ("I still believe that the sky is green.", "sky", Slot),
            ("Let me tell you, the sky is green.", "sky", Slot),
            ("Some claim the sky is blue; the sky is green.", "sky", Slot),
            ("They say many things, but the sky is green.", "sky", Slot),
            ("He asked \"why?\", and the sky is green.", "sky", Slot),
            ("If you ask me, the sky is green.", "sky", Slot),
            ("The sky is green, I say.", "sky", Slot),
            ("“The sky is green.”", "sky", Slot),
            ("\"Hello. The sky is green.\"", "sky", Slot),
            ("“Hello.” “The sky is green.”", "sky", Slot),
            ("Believe me, the sky is green.", "sky", Slot),
            ("My claim is simple: the sky is green.", "sky", Slot),
            ("Mr. Smith knows the sky is green.", "sky", Slot),
        ]);
    }

    #[test]
    fn g4_the_value_itself_or_one_that_is_not_listed_is_none() {
        agrees(&[
            "The king is named Arthur.",
            "The king is named Arthur the Great.",
            "The king is truly named Arthur.",
            "THE KING IS NAMED ARTHUR",
            "The king is named, as you know, Arthur.",
            "I know how the king is named.",
            "The sky is a blue one.",
            "The sky is wide.",
            "The sky is greenish.",
            "The sky is pale.",
            "The skyline is green.",
            "The king's sword is named Bob.",
            "The son of the king is named Bob.",
            "The gods do not sleep.",
            "The gods don't sleep.",
        ]);
    }

    #[test]
    fn g4_another_value_denied_and_an_alternative_denied_are_none() {
        agrees(&[
            "The king is not named Bob.",
            "The king isn’t named Bob.",
            "The king is never named Bob.",
            "The king is named Bob no longer.",
            "The king is named neither Bob nor Bill.",
            "The king is named Arthur, not Bob.",
            "The king is named Arthur not Bob.",
            "The king is named Arthur and not Bob.",
            "The king is named Arthur, never Bob.",
            "The king is not named Bob but Arthur.",
            "The sky is blue, not green.",
            "The sky is not green.",
            "The sky isn't red, it is blue.",
            "I do not think the sky is green.",
        ]);
    }

    #[test]
    fn g4_a_negator_elsewhere_is_none() {
        agrees(&[
            "The king is named Arthur and I do not like him.",
            "The king is named Arthur, and I do not like him.",
            "The king is named Arthur, but the queen is not happy.",
            "The king is named Arthur; I do not like him.",
            "The king is named Arthur: do not forget it.",
            "The king is named Arthur — not that you care.",
            "The king is named Arthur - never forget it.",
            "The king is named Arthur -- never forget it.",
            "The king is named Arthur and does not smile.",
            "The king is named Arthur, who never smiles.",
            "The king is named Arthur because he is not Bob.",
            "The king is named Arthur, and Merlin is not happy.",
            "Do not forget that the king is named Arthur.",
            "I cannot deny the king is named Arthur.",
            "The queen is not happy that the king is named Arthur.",
            "The king, not the queen, is named Arthur.",
            "The king, who never smiles, is named Arthur.",
            "The king is not old and is named Arthur.",
            "The king is not only named Arthur but loved.",
            "The king's brother is not named Arthur.",
            "The son of the king is not named Arthur.",
            "The dragon guards the gate, and I do not like it.",
            "Never! The sky is blue.",
            "The sky is blue. Not green.",
        ]);
    }

    #[test]
    fn g4_questions_are_exempt() {
        agrees(&[
            "The king is dead? No.",
            "Is it true that the sky is green?",
            "The king is named Bob, isn't he?",
            "The sky is green?!",
            "(The sky is green?)",
            "“The sky is green?”",
            "Is the sky not blue?",
        ]);
    }

    #[test]
    fn g4_quotations_are_exempt() {
        agrees(&[
            "The sign reads “the sky is green”.",
            "The sign reads \"the king is dead\" in red.",
            "The sign reads «The king is named Bob».",
            "The sign reads ‘the king isn’t named Arthur’ here.",
            "The sign reads 'the sky is green' here.",
            "“The sky is green. The king is dead.” So reads the sign.",
        ]);
        contradicts(&[
            ("'Tis true: the sky is green.", "sky", Slot),
            ("Don't trust the lords' men: the sky's green.", "sky", Slot),
            ("He is 6\" tall and the sky is green", "sky", Slot),
            ("A “broken mark. The sky is green.", "sky", Slot),
        ]);
    }

    #[test]
    fn g4_reported_speech_is_exempt() {
        agrees(&[
            "They say the king is dead.",
            "They say that the king is dead and that the sky is green.",
            "I heard the sky is green.",
            "I have heard that the sky is green.",
            "I said the sky is green.",
            "I was told the king is named Bob.",
            "Some claim the sky is green; it is blue.",
            "The old woman of the hill believes the king isn't named Arthur.",
            "He dreamed the king was dead, that the king is dead.",
            "The sky is green, they say.",
            "The sky is green, says Bob.",
            "The sky is green, as the elders say.",
            "The sky is green, the old man said with a smile.",
            "The sky, they say, is green.",
            "It is said that the king is dead.",
            "According to the elders, the sky is green.",
            "The elders say: the sky is green.",
            "The claim that the sky is green is old.",
            "I doubt the sky is green.",
            "In my dreams the sky is green.",
        ]);
    }

    #[test]
    fn g4_conditional_speech_is_exempt() {
        agrees(&[
            "If the king is dead, we are lost.",
            "We are lost if the king is dead.",
            "Unless the king is dead, we march.",
            "Suppose the sky is green.",
            "I would say the sky is green.",
            "I'd say the sky is green.",
            "It would mean that the king is dead.",
            "If Mordred wins, the king is named Bob.",
        ]);
    }

    #[test]
    fn g4_strict_facts_judge_all_four() {
        contradicts(&[
            ("The crown is silver?", "crown", Slot),
            ("They say the crown is silver.", "crown", Slot),
            ("The sign reads “the crown is lost”.", "crown", Pattern),
            ("If the crown is not gold, we are poor.", "crown", Negation),
            ("I heard the crown isn’t gold.", "crown", Negation),
        ]);
        agrees(&["They say the crown is gold.", "Is the crown gold?"]);
    }

    #[test]
    fn g4_each_fact_is_reported_once_in_the_order_of_the_facts() {
        let judge = judge();
        let text =
            "Ah… the sky is green! The king is named Bob. The sky is not blue. The king is dead.";
        let all = judge.judge(text);
        let facts: Vec<usize> = all.iter().map(|c| c.fact).collect();
        assert_eq!(facts, [0, 1, 2]);
        assert_eq!(all[1].how, Slot);
        assert_eq!(all[1].span.text, "the sky is green");
        assert_eq!(all[2].span.text, "king is dead");
        for c in &all {
            assert_eq!(c.span, Span::of(text, c.span.start, c.span.end));
        }
        assert!(judge.contradicts_any(text));
        assert!(!judge.contradicts_any(""));
        assert_eq!(judge.get("sky").unwrap().text, "The sky is blue");
        assert!(judge.get("sea").is_none());
    }

    #[test]
    fn g4_spans_are_characters_of_the_dialogue_given() {
        let judge = judge();
        let c = &judge.judge("Ünd ﬁrst:  the KING\nisn’t named Arthur, ok.")[0];
        assert_eq!(c.span.text, "the KING\nisn’t named Arthur");
        assert_eq!(c.span.start, 11);
    }

    #[test]
    fn g4_authored_forms_have_defaults_and_no_unknown_fields() {
        let fact: CanonFact = ron::from_str("(id: \"a\", text: \"b\")").unwrap();
        assert!(fact.contradicted_by.is_empty() && fact.slot.is_none() && !fact.strict);
        assert!(ron::from_str::<CanonFact>("(id: \"a\", text: \"b\", slots: [])").is_err());
        let slot: CanonSlot =
            ron::from_str("(subject: [\"a\"], relation: \"is\", value: \"b\")").unwrap();
        assert_eq!(slot.exclusive, Exclusive::Any);
        let mut bad = fact.clone();
        bad.contradicted_by = vec!["/(/".to_owned()];
        assert!(CanonJudge::compile(vec![bad], Lexicon::english()).is_err());
    }

    #[test]
    fn g4_odd_facts_and_odd_text_do_no_harm() {
        let odd: Vec<CanonFact> = ron::from_str(
            r#"#![enable(implicit_some)] [(id: "", text: ""), (id: "b", text: "...", contradicted_by: ["🗝"],
            slot: (subject: [""], relation: "", value: "", exclusive: OneOf([""]))),
            (id: "c", text: "国王叫亚瑟", slot: (subject: ["国王"], relation: "叫", value: "亚瑟"))]"#,
        )
        .unwrap();
        let judge = CanonJudge::compile(odd, Lexicon::english()).unwrap();
        for text in [
            "",
            "'",
            "\"",
            "n't",
            "'s",
            "—",
            "½;⅓",
            "…?",
            "\u{200b}",
            "’’’",
            "not",
            "a\u{301}'t",
            "``",
        ] {
            assert_eq!(judge.judge(text), [], "{text:?}");
        }
        assert_eq!(judge.judge("好。国王叫鲍勃。")[0].how, Slot);
        assert_eq!(judge.judge("🗝")[0].how, Pattern);
        assert_eq!(judge.judge("国王叫亚瑟。"), []);
    }

    /// `+` contradicts canon, `-` does not.
    const HARD_ROWS: &str = r#"
        + Traveler, the king is not named Arthur, whatever they tell you.
        + The king? He is fine. But the king is not named Arthur.
        - The king is named Arthur, though many do not know it.
        - The king is named Arthur, isn't he?
        - The king is named Arthur, and that is not a secret.
        - The king is named Arthur, and nobody calls him otherwise.
        - I am not sure, but the king is named Arthur.
        - I don't know you, yet the king is named Arthur to all.
        + You may not believe it, but the sky is green.
        + You wouldn't believe it, but the sky is green.
        - You would not believe that the sky is green.
        - No one says the sky is green.
        - Nobody believes the king is dead.
        - He thinks the king is dead, but he is wrong.
        - The rumor that the king is dead is false.
        - There is a rumor that the king is dead.
        - Who told you the king is dead?
        - Don't say the king is dead!
        - If only the king is dead.
        - I wonder whether the king is dead.
        - I wonder if the sky is green.
        - Imagine the sky is green.
        - Perhaps you heard that the king is dead; that is a lie.
        - It is a lie that the sky is green.
        - It's not the case that the king is dead.
        + It is a lie that the sky is blue.
        + The sky is green — trust me.
        + Look, the sky is green!
        + Ha! The king is dead, you fool.
        + The king is dead, and you cannot change it.
        + I think the king is dead.
        + As I said, the king is dead.
        + I swear the king is dead.
        + I swear to you, the king is dead.
        + I have to say the sky is green.
        + I must tell you that the king is dead.
        + The king is dead, I tell you!
        + Magic is not forbidden in Eldoria.
        + Magic isn't forbidden here in Eldoria.
        + In Eldoria magic is never forbidden, magic is not forbidden in Eldoria.
        - Magic is forbidden in Eldoria, so do not use it.
        - Magic is forbidden in Eldoria and you must not use it.
        - Magic is forbidden in Eldoria. Never use it.
        - Magic is forbidden in Eldoria, traveler; do not speak of it.
        - Magic is forbidden in Eldoria but not in Mercia.
        - Magic is forbidden in Eldoria, not in Mercia.
        - Magic is forbidden in Eldoria for those who do not serve the king.
        + The war did not end ten years ago.
        + The war never ended ten years ago.
        - The war ended ten years ago, yet there is no peace.
        - The war ended ten years ago and never came back.
        + Eldrin does not live in the tower.
        + Eldrin lives in the cave.
        - Eldrin lives in the tower.
        - Eldrin does not live in the cave.
        + The capital is Mercia.
        - The capital is Camelot.
        - The capital is not Mercia.
        + Camelot is not the capital.
        - Camelot is the capital, not Mercia.
        - Camelot is the capital and it is not small.
        - "The king is dead," said Mordred, and he laughed.
        - Mordred said, "The king is dead."
        - Mordred shouted that the king is dead and the sky is green.
        + Mordred shouted. The king is dead.
        - They'd say the king is dead.
        - Word has it the king is dead.
        + Yes the sky is green.
        + the sky is, um, green
        - the sky is not green, no.
        - Under the sky is green grass.
        + Oh, the king is not alive.
        + The king is neither alive nor well.
        - The king is alive and well, not dead.
        - The king is alive, is he not.
        + The king is hardly loved and not alive.
        - No, the king is alive.
        - Not a day passes that the king is alive without joy.
        - The king is alive no matter what they say.
        - The king is alive; he is not dead, whatever you have heard.
        - Never doubt that the king is alive.
        - I do not lie, the king is alive.
        - The king is alive... not that I care.
        - Arthur? Yes, the king is named Arthur, and I'll not hear otherwise.
        - The king is named Arthur – don't you know?
        - The king is named Arthur (not Bob).
        - The king is named Arthur (I do not like him).
        + The king is (sadly) not named Arthur.
        + The king is named Bob (or so I believe).
        - The king is named Bob (or so they say).
        - The king is named Bob, or so they say.
        - The king is named Bob, if you believe the bard.
        - Should the king fall, we weep.
        - Had the king died, we would weep.
        + *waves* The sky is green.
        + The king is _not_ named Arthur.
        + The king is **not** named Arthur.
        + The king is NOT named Arthur!
        + The king is n‌ot named Arthur.
        + It can't be that the king is named Arthur, the king is named Bob.
        - They claim the king's dead, but the king is alive.
        + The dragon, a great beast, does not guard the gate.
        + The dragon has never guarded the gate, the dragon doesn't guard the gate
        - The dragon guards the gate so that no one enters.
        - The dragon guards the gate that is not closed.
        - The dragon guards the gate, and it does not sleep.
        - The dragon guards the gate and doesn't sleep.
        - The dragon guards the gate while the king does not care.
        - The dragon that guards the gate is not evil.
        - The dragon who guards the gate does not sleep.
        - The king who is named Arthur is not old.
        - The king is named Arthur the Unbroken, never beaten in war.
        - The king is named Arthur of Camelot, and he won't see you.
        - The king is named Arthur, son of Uther, and does not suffer fools.
        - The sky is blue today, not a cloud in it.
        - The sky is blue without end, not one cloud.
        - The sky is blue when it does not rain.
        - The sky is blue like a lake that never freezes.
        - The sky is blue as never before.
        - The sky is so blue I can't look away.
        - The sky is blue, can't you see?
        - The sky is blue. Can't you see.
        - The sky is blue, you cannot deny it.
        - The sky is blue, that you cannot deny.
        + Deny it all you like: the sky is green.
        + The king’s not named Arthur anymore.
        + The king is named Bob and I do not like him.
        + The king is named Bob; do not tell anyone.
        + The king is named Bob, I say!
        + I am saying the king is named Bob.
        - I was saying the king is named Bob.
        - I used to believe the sky is green.
        - I once believed the sky is green.
        - I never said the sky is green.
        - I don't believe the sky is green.
        - We say the sky is green.
        - You say the sky is green.
        - People say that the sky is green and red.
        - The bards sing that the sky is green, that the king is dead.
        - She dreams the sky is green.
        - As they say, the sky is green.
        - They told me long ago that the sky is green.
        + They told me long ago. But the sky is green.
        + They told me; the sky is green.
        + They lied to me - the sky is green.
        + I hear that the sky is green.
        - I overheard that the sky is green.
        + The sky is green if you ask me.
        - The sky is green unless it rains.
        + The sky is green and I would know.
        + The king is dead; if only I knew why.
        - If you say the sky is green, you lie.
        + The sky is green as if painted.
        + The queen and king are well. The king is dead.
        + Well... the king is dead.
        + The king... is dead? No! The king is dead.
        + The king is dead!?! The king is dead.
        + “Welcome,” he said. The sky is green.
        - “The sky is green,” he said.
        - 'The sky is green,' he said, 'and the king is dead.'
        + The sky is green, my "friend".
        + Don't you see: the sky is green and 'tis so.
        + The king's crown is lost, and the king is dead.
        + We don't care that the king is dead.
        + I do not care that the sky is green.
        + Do not forget that the sky is green.
        - Do not think that the sky is green.
        - Do not believe the king is dead.
        + You know the sky is green.
        + Everyone knows the sky is green.
        + Truth be told, the sky is green.
        + Believe it or not, the sky is green.
        + Whether you like it or not, the sky is green.
        + Say what you will, the sky is green.
        + Say what you like, but the sky is green.
        + The answer is simple: the sky is green.
        + The answer, my friend, is that the sky is green.
        + The truth is that the sky is green.
        + In truth the sky is green.
        + Of course the sky is green.
        + Remember, the sky is green.
        + Listen, child, the sky is green.
        + Here the sky is green.
        + Tonight the sky is always green.
        - The sky is blue, never green.
        - The sky is blue rather than green.
        + The sky is green rather than blue.
        + The sky is either green or red.
        - The sky is not as green as grass.
        - The sky is neither green nor red.
        - The sky is no longer green.
        - The sky is hardly green.
        - My lord, the king is named Arthur; would I lie to you?
        - Would that the king is dead!
        + My lord, would you look at that: the sky is green!
        + Sire, I regret to inform you that the king is dead.
        + I fear the king is dead.
        - They fear the king is dead.
    "#;

    const HARD_CANON: &str = r#"#![enable(implicit_some)]
    [
        (id: "king_name", text: "The king is named Arthur", contradicted_by: ["king is called bob"],
         slot: (subject: ["the king", "our king"], relation: "is named", value: "Arthur")),
        (id: "sky", text: "The sky is blue",
         slot: (subject: ["the sky"], relation: "is", value: "blue", exclusive: OneOf(["green", "red"]))),
        (id: "alive", text: "The king is alive", contradicted_by: ["king is dead"]),
        (id: "dragon", text: "The dragon guards the gate"),
        (id: "magic", text: "Magic is forbidden in Eldoria"),
        (id: "war", text: "The war ended ten years ago"),
        (id: "home", text: "Eldrin lives in the tower",
         slot: (subject: ["Eldrin", "I"], relation: "lives in", value: "the tower")),
        (id: "capital", text: "Camelot is the capital",
         slot: (subject: ["the capital"], relation: "is", value: "Camelot")),
    ]"#;

    #[test]
    fn g4_hard_rows() {
        let judge =
            CanonJudge::compile(ron::from_str(HARD_CANON).unwrap(), Lexicon::english()).unwrap();
        let rows = HARD_ROWS
            .lines()
            .map(str::trim)
            .filter(|row| !row.is_empty());
        let wrong: Vec<&str> = rows
            .filter(|row| judge.contradicts_any(&row[2..]) != row.starts_with('+'))
            .collect();
        assert!(wrong.is_empty(), "{wrong:#?}");
    }

    #[test]
    fn g4_long_text_is_judged_in_linear_time() {
        let judge = judge();
        for unit in [
            "the king is named ",
            "the king is named Arthur ",
            "the king is named, x ",
            "not ",
            "I say ",
            "if, ",
            "\"“'",
            "not true that ",
            "and he is ",
            "x",
            "'",
            "the sky is not a b c ",
            "\n",
        ] {
            let long = unit.repeat(120_000 / unit.len());
            let _ = judge.judge(&long);
        }
    }
}
