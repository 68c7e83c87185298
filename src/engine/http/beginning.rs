//! Finds where a thought begins when the template of the model wrote the beginning: the reply then has only the end of the thought.
//!
//! The player hears a character's words as they come, and the end of a thought would come too late. So the engine holds the words
//! of a reply back as long as it does not know its model: up to the end of the thought, and then it puts the beginning in front, or
//! up to the end of the reply. After a reply that has ended without a thought, the engine streams.

use crate::proposal::{ThoughtWatch, begins_in_form};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The most that is held back, in bytes.
const MOST: usize = 64 * 1024;

/// Holds back the beginning of a reply while it may be a thought.
pub(super) struct Beginning {
    /// What is held back; `None` when all goes through.
    held: Option<(String, ThoughtWatch)>,
    /// Whether it is known of the engine that its replies do not begin in a thought.
    is_plain: Arc<AtomicBool>,
}

impl Beginning {
    pub fn new(is_plain: Arc<AtomicBool>) -> Self {
        let holds = !is_plain.load(Ordering::Relaxed);
        Self {
            held: holds.then(Default::default),
            is_plain,
        }
    }

    /// Takes more of the reply, and lets through what may be read.
    pub fn pass(&mut self, text: String) -> String {
        let Some((held, watch)) = &mut self.held else {
            return text;
        };
        held.push_str(&text);
        let opening = match begins_in_form(held) {
            true => Some(String::new()),
            false => watch.take(&text),
        };
        match opening {
            Some(opening) => {
                let held = std::mem::take(held);
                self.held = None;
                opening + &held
            }
            None if held.len() > MOST => self.rest(),
            None => String::new(),
        }
    }

    /// What was held back, when nothing more comes.
    pub fn rest(&mut self) -> String {
        match self.held.take() {
            Some((held, _)) => {
                if !held.trim().is_empty() {
                    self.is_plain.store(true, Ordering::Relaxed);
                }
                held
            }
            None => String::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reply(is_plain: &Arc<AtomicBool>, chunks: &[&str]) -> Vec<String> {
        let mut beginning = Beginning::new(is_plain.clone());
        let mut out: Vec<String> = chunks
            .iter()
            .map(|chunk| beginning.pass((*chunk).to_owned()))
            .collect();
        out.push(beginning.rest());
        out
    }

    #[test]
    fn e6_a_thought_gets_its_beginning_before_a_word_of_it_is_heard() {
        let engine = Arc::default();
        assert_eq!(
            reply(
                &engine,
                &["She is a fool. ", "I rob her.</thi", "nk>Come", " in."]
            ),
            [
                "",
                "",
                "<think>She is a fool. I rob her.</think>Come",
                " in.",
                ""
            ]
        );
        assert_eq!(
            reply(&engine, &["A fool.[/THINK]Hi"]),
            ["[THINK]A fool.[/THINK]Hi", ""]
        );
        assert_eq!(
            reply(&engine, &["A fool.◁/think▷Hi"]),
            ["◁think▷A fool.◁/think▷Hi", ""]
        );
    }

    #[test]
    fn e6_an_engine_that_says_what_it_thinks_or_does_not_think_streams() {
        let engine = Arc::default();
        assert_eq!(
            reply(&engine, &["{\"dia", "logue"]),
            ["{\"dia", "logue", ""]
        );
        assert_eq!(
            reply(&engine, &["Come in. ", "Sit."]),
            ["", "", "Come in. Sit."]
        );
        assert_eq!(
            reply(&engine, &["Come in. ", "Sit."]),
            ["Come in. ", "Sit.", ""]
        );
    }

    #[test]
    fn e6_no_more_than_a_part_of_a_reply_is_held_back() {
        let mut beginning = Beginning::new(Arc::default());
        let mut passed = 0;
        for _ in 0..200 {
            passed += beginning.pass("a ".repeat(500)).len();
        }
        assert!(passed >= 200 * 1_000 - MOST - 1_000);
    }
}
