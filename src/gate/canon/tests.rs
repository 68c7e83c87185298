//! The judge of canon, row by row.

mod agreement;
mod contradictions;
mod exempt;
mod german_forms;
mod hard_rows;
mod other_forms;
mod own_words;
mod rows;
mod strangers;

use super::ContradictionKind::{Negation, Pattern, Slot};
use super::*;
use crate::text::{Lexicon, Readings, Span};

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
    let all = judge.judge(&Readings::new(text), Said::Aloud).into_iter();
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
fn g4_each_fact_is_reported_once_in_the_order_of_the_facts() {
    let judge = judge();
    let text =
        "Ah… the sky is green! The king is named Bob. The sky is not blue. The king is dead.";
    let all = judge.judge(&Readings::new(text), Said::Aloud);
    let facts: Vec<usize> = all.iter().map(|c| c.fact).collect();
    assert_eq!(facts, [0, 1, 2]);
    assert_eq!(all[1].how, Slot);
    assert_eq!(all[1].span.text, "the sky is green");
    assert_eq!(all[2].span.text, "king is dead");
    for c in &all {
        assert_eq!(c.span, Span::of(text, c.span.start, c.span.end));
    }
    assert!(judge.contradicts_any(text, Said::Aloud));
    assert!(!judge.contradicts_any("", Said::Aloud));
    assert_eq!(judge.get("sky").unwrap().text, "The sky is blue");
    assert!(judge.get("sea").is_none());
}

#[test]
fn g4_what_a_speaker_says_under_its_own_name_is_its_own_statement() {
    let judge = judge();
    let hit = |text: &str, name: &str| {
        let found = judge.judge_words_of(&Readings::new(text), Said::Aloud, Some(name));
        !found.is_empty()
    };
    let text = "Old Odo says that the king is dead.";
    assert!(hit(text, "Odo") && hit(text, "Captain Odo") && !hit(text, "Ann"));
    assert!(!hit("Odo was told that the king is dead.", "Odo"));
    assert!(hit(
        "The ferryman tells you the king is dead.",
        "the ferryman"
    ));
}

#[test]
fn g4_a_quotation_that_more_may_follow_is_not_the_whole_reply() {
    let judge = judge();
    let text = "\"The king is dead.\"";
    assert!(judge.contradicts_any(text, Said::Aloud));
    assert!(!judge.contradicts_any(text, Said::Begun));
    // Once the speaker vouches for it, it is a statement, and the span reaches to where it does.
    let more = "\"The king is dead.\" Mark my words.";
    let found = judge.judge(&Readings::new(more), Said::Begun);
    assert_eq!(found[0].span.end, more.chars().count() - 1);
}

#[test]
fn g4_a_belief_is_read_with_its_id() {
    let judge = judge();
    assert!(judge.contradicts_belief("the-king", "is dead"));
    assert!(judge.contradicts_belief("the_king_is_dead", "So it is."));
    assert!(!judge.contradicts_belief("trust_ann", "Ann is honest."));
    assert!(!judge.contradicts_belief("king", "He is kind to me."));
}

#[test]
fn g4_spans_are_characters_of_the_dialogue_given() {
    let judge = judge();
    let c = &judge.judge(
        &Readings::new("Ünd ﬁrst:  the KING\nisn’t named Arthur, ok."),
        Said::Aloud,
    )[0];
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
        assert_eq!(
            judge.judge(&Readings::new(text), Said::Aloud),
            [],
            "{text:?}"
        );
    }
    assert_eq!(
        judge.judge(&Readings::new("好。国王叫鲍勃。"), Said::Aloud)[0].how,
        Slot
    );
    assert_eq!(
        judge.judge(&Readings::new("🗝"), Said::Aloud)[0].how,
        Pattern
    );
    assert_eq!(judge.judge(&Readings::new("国王叫亚瑟。"), Said::Aloud), []);
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
        "I, say is, ",
        "I came to say ",
        "\"x\" ",
        "they say, and that is true, ",
        "the king is named: Bob: ",
        "Is the king alive? No. ",
        "the king, he is, ",
        "never is the king ",
        "The king... ",
    ] {
        let long = unit.repeat(120_000 / unit.len());
        let _ = judge.judge(&Readings::new(&long), Said::Aloud);
    }
}
