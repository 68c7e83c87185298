//! Activation: which characters act in a turn, and in which order.

use crate::base::canonical::draw;
use crate::base::ids::Id;
use crate::text::Lexicon;
use crate::text::fold::fold;
use crate::text::whole_word::whole_words;
use serde::Serialize;

/// A character that might act.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// Its id.
    pub npc: Id,
    /// How readily it acts, 0 to 100: the chance in a hundred.
    pub chattiness: u8,
    /// Whether it acts in every turn.
    pub baked: bool,
    /// Its name and its other names.
    pub names: Vec<String>,
    /// The number of the turn in which it acted last; 0 when it never did.
    pub last_acted: u64,
}

/// Why a character acts, or does not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Roll {
    /// The id of the character.
    pub npc: Id,
    /// What was drawn, 0 to 99; `None` for a baked one, which does not roll.
    pub roll: Option<u8>,
    /// Its chattiness: it acts when the roll is lower.
    pub chattiness: u8,
    /// Whether it was named.
    pub named: bool,
    /// Whether it acts in this turn, after `max_active` was looked at.
    pub active: bool,
}

/// How characters are chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ActivationRules {
    /// How many may act. Baked and named ones always do; those who rolled share the room that is left.
    pub max_active: usize,
    /// Whether a character that is named always acts.
    pub when_named: bool,
}

/// Chooses who acts. Baked ones come first, as the author listed them; then the others by chattiness, ties by id. Each of the
/// others rolls, also when it was named, so that naming one does not change what others roll.
///
/// `texts` are the intention and the narrations of the turn so far.
#[must_use]
pub(crate) fn activate(
    candidates: &[Candidate],
    texts: &[&str],
    rules: ActivationRules,
    lexicon: &Lexicon,
    seed: u64,
    turn_id: u64,
) -> Vec<Roll> {
    let mut order: Vec<&Candidate> = candidates.iter().collect();
    // Stable: baked ones stay as they are listed.
    order.sort_by(|a, b| match (a.baked, b.baked) {
        (false, false) => (b.chattiness, &a.npc).cmp(&(a.chattiness, &b.npc)),
        _ => b.baked.cmp(&a.baked),
    });
    let turn = turn_id.to_string();
    let mut rolls: Vec<Roll> = order
        .iter()
        .map(|candidate| {
            let named = rules.when_named && is_named(&candidate.names, texts, lexicon);
            let drawn = draw(seed, "activation", &[&turn, &candidate.npc]) % 100;
            let roll = u8::try_from(drawn).unwrap_or_default();
            Roll {
                npc: candidate.npc.clone(),
                roll: (!candidate.baked).then_some(roll),
                chattiness: candidate.chattiness,
                named,
                active: candidate.baked || named || roll < candidate.chattiness,
            }
        })
        .collect();
    let mut rolled: Vec<usize> = (0..rolls.len())
        .filter(|i| rolls[*i].active && !order[*i].baked && !rolls[*i].named)
        .collect();
    rolled.sort_by(|a, b| {
        let (a, b) = (order[*a], order[*b]);
        (b.chattiness, a.last_acted, &a.npc).cmp(&(a.chattiness, b.last_acted, &b.npc))
    });
    // Baked and named ones always act; they take their room first.
    let taken = rolls.iter().filter(|roll| roll.active).count() - rolled.len();
    let room = rules.max_active.saturating_sub(taken);
    for late in rolled.into_iter().skip(room) {
        rolls[late].active = false;
    }
    rolls
}

/// Whether one of these names is in one of the texts as a whole word, in any case. A name that is also a common word of the
/// language counts only where it is written as a name.
fn is_named(names: &[String], texts: &[&str], lexicon: &Lexicon) -> bool {
    names
        .iter()
        .filter(|name| !name.trim().is_empty())
        .any(|name| {
            let name = name.trim();
            texts.iter().any(|text| match is_common(name, lexicon) {
                true => stands_in(name, text),
                false => stands_in(&fold(name), &fold(text)),
            })
        })
}

fn is_common(name: &str, lexicon: &Lexicon) -> bool {
    lexicon.is_common_word(&fold(name))
}

fn stands_in(name: &str, text: &str) -> bool {
    whole_words(text, name).next().is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidate(npc: &str, chattiness: u8, baked: bool) -> Candidate {
        Candidate {
            npc: Id::new(npc).unwrap(),
            chattiness,
            baked,
            names: vec![npc.to_owned(), format!("Old {npc}")],
            last_acted: 0,
        }
    }

    fn active(
        candidates: &[Candidate],
        texts: &[&str],
        max_active: usize,
        seed: u64,
    ) -> Vec<String> {
        let rules = ActivationRules {
            max_active,
            when_named: true,
        };
        activate(candidates, texts, rules, Lexicon::english(), seed, 1)
            .into_iter()
            .filter(|roll| roll.active)
            .map(|roll| roll.npc.to_string())
            .collect()
    }

    #[test]
    fn t4_a_hundred_always_acts_and_zero_never() {
        for seed in 0..50 {
            let cast = [candidate("ivo", 100, false), candidate("mira", 0, false)];
            assert_eq!(active(&cast, &[], 4, seed), ["ivo"]);
        }
    }

    #[test]
    fn t4_baked_ones_come_first_as_listed_then_by_chattiness_then_by_id() {
        let cast = [
            candidate("a", 100, false),
            candidate("c", 100, false),
            candidate("b", 100, false),
            candidate("z", 0, true),
            candidate("y", 5, true),
        ];
        assert_eq!(active(&cast, &[], 5, 7), ["z", "y", "a", "b", "c"]);
    }

    #[test]
    fn t4_a_name_in_the_text_always_acts() {
        let cast = [candidate("ivo", 0, false), candidate("mira", 0, false)];
        assert_eq!(active(&cast, &["I greet IVO."], 4, 1), ["ivo"]);
        assert_eq!(
            active(&cast, &["An ivory box."], 4, 1),
            Vec::<String>::new()
        );
        assert_eq!(active(&cast, &["", "old mira's chair"], 4, 1), ["mira"]);
    }

    #[test]
    fn t4_a_name_in_a_script_without_spaces_acts() {
        for (name, text, named) in [
            ("米拉", "我问米拉箱子是谁的。", true),
            ("ミラ", "ミラに聞く。", true),
            ("ミラ", "ミラーに聞く。", false),
            ("มิรา", "ฉันถามมิราเรื่องกุญแจ", true),
            ("Ivo", "我问Ivo箱子是谁的。", true),
            ("Мира", "Миранда здесь.", false),
        ] {
            let mut one = candidate("x", 0, false);
            one.names = vec![name.to_owned()];
            assert_eq!(!active(&[one], &[text], 4, 1).is_empty(), named, "{text}");
        }
    }

    #[test]
    fn t4_max_active_bounds_those_who_rolled() {
        let mut cast: Vec<Candidate> = ["a", "b", "c", "d"]
            .into_iter()
            .map(|npc| candidate(npc, 100, false))
            .collect();
        cast[0].last_acted = 9;
        cast.push(candidate("e", 0, true));
        // The baked one and the named one fill the room, and both act.
        assert_eq!(active(&cast, &["Hello d!"], 2, 1), ["e", "d"]);
        assert_eq!(active(&cast, &["Hello d!"], 1, 1), ["e", "d"]);
        // The one that acted last waits.
        assert_eq!(active(&cast, &["Hello d!"], 4, 1), ["e", "b", "c", "d"]);
    }

    #[test]
    fn t4_the_longest_silent_acts_first() {
        let mut cast: Vec<Candidate> = ["a", "b", "c", "d", "e", "f"]
            .into_iter()
            .map(|npc| candidate(npc, 100, false))
            .collect();
        for (turn, expected) in [
            (1, ["a", "b"]),
            (2, ["c", "d"]),
            (3, ["e", "f"]),
            (4, ["a", "b"]),
        ] {
            let acting = active(&cast, &[], 2, 1);
            assert_eq!(acting, expected);
            for one in cast
                .iter_mut()
                .filter(|one| acting.contains(&one.npc.to_string()))
            {
                one.last_acted = turn;
            }
        }
    }

    #[test]
    fn t4_a_name_that_is_a_word_counts_where_it_is_written_as_a_name() {
        let mut will = candidate("will", 0, false);
        will.names = vec!["Will".to_owned()];
        let cast = [will];
        for (text, named) in [
            ("will you open it?", false),
            ("You will see.", false),
            ("Will, open it.", true),
            ("I ask Will.", true),
        ] {
            assert_eq!(!active(&cast, &[text], 4, 1).is_empty(), named, "{text}");
        }
    }

    #[test]
    fn t4_a_new_character_changes_no_other_roll() {
        let few = [candidate("a", 50, false), candidate("b", 50, false)];
        let many = [few[0].clone(), candidate("c", 50, false), few[1].clone()];
        for seed in 0..40 {
            let mut more = active(&many, &[], 9, seed);
            more.retain(|npc| npc != "c");
            assert_eq!(active(&few, &[], 9, seed), more);
        }
    }
}
