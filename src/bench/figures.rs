//! What a bench has measured: for programs as JSON, for people as a few lines.

use super::ask::Asked;
use crate::base::fixed::Millis;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The results of all cases, asked of one engine in one form.
#[derive(Debug, Clone)]
pub(crate) struct Figures {
    /// Where the engine is.
    pub engine: String,
    /// The name of its model.
    pub model: String,
    /// The form in which it was asked.
    pub form: String,
    pub(super) asked: Vec<Asked>,
}

impl Figures {
    fn count(&self, holds: impl Fn(&Asked) -> bool) -> usize {
        self.asked.iter().filter(|asked| holds(asked)).count()
    }

    fn usable(&self) -> usize {
        self.count(|asked| asked.why.is_none())
    }

    fn first_try(&self) -> usize {
        self.count(|asked| asked.why.is_none() && asked.attempts == 1)
    }

    fn retries(&self) -> usize {
        self.asked
            .iter()
            .map(|asked| asked.attempts.saturating_sub(1))
            .sum()
    }

    fn right(&self) -> usize {
        self.count(|asked| asked.is_right == Some(true))
    }

    fn judged(&self) -> usize {
        self.count(|asked| asked.is_right.is_some())
    }

    /// How often something else was done than what was asked for.
    fn wrong(&self) -> usize {
        self.count(|asked| asked.is_right == Some(false) && !asked.actions.is_empty())
    }

    fn tokens(&self) -> [u64; 3] {
        let mut sums = [0; 3];
        for asked in &self.asked {
            let tokens = asked.tokens;
            for (sum, more) in
                sums.iter_mut()
                    .zip([tokens.prompt, tokens.cached, tokens.completion])
            {
                *sum += more;
            }
        }
        sums
    }

    /// The medians of the times until the first sentence and until the last one; `None` where nothing was heard.
    fn times(&self) -> Option<(i64, i64)> {
        let times = || self.asked.iter().filter_map(|asked| asked.times);
        let first = median(times().map(|(first, _)| first))?;
        Some((first, median(times().map(|(_, last)| last))?))
    }

    pub(super) fn to_json(&self) -> Value {
        let [prompt, cached, reply] = self.tokens();
        let times = self.times();
        json!({
            "engine": self.engine,
            "model": self.model,
            "form": self.form,
            "cases": self.asked.len(),
            "usable": self.usable(),
            "first_try": self.first_try(),
            "retries": self.retries(),
            "fallbacks": self.count(|asked| asked.outcome == "Fallback"),
            "right_actions": self.right(),
            "judged_actions": self.judged(),
            "wrong_actions": self.wrong(),
            "right_words": self.count(|asked| asked.says == Some(true)),
            "judged_words": self.count(|asked| asked.says.is_some()),
            "forbidden": self.count(|asked| asked.is_forbidden),
            "prompt_tokens": prompt,
            "cached_tokens": cached,
            "reply_tokens": reply,
            "first_sentence_ms": times.map(|(first, _)| first),
            "line_ms": times.map(|(_, line)| line),
            "replies": self.asked.iter().map(reply_json).collect::<Vec<_>>(),
        })
    }

    pub(super) fn to_text(&self) -> String {
        let all = self.asked.len();
        let share = |part: usize, of: usize| match part.saturating_mul(100).checked_div(of) {
            Some(percent) => format!("{part} of {of} ({percent}%)"),
            None => "not asked for".to_owned(),
        };
        let mut text = format!("{} at {}, asked {}\n", self.model, self.engine, self.form);
        let mut row = |name: &str, words: String| {
            let _ = writeln!(text, "  {name:<18}{words}");
        };
        let first = share(self.first_try(), all);
        row(
            "usable lines",
            format!("{}, at the first try {first}", share(self.usable(), all)),
        );
        row(
            "right actions",
            format!(
                "{}; {} times it did something else",
                share(self.right(), self.judged()),
                self.wrong()
            ),
        );
        let (says, judged) = (
            self.count(|one| one.says == Some(true)),
            self.count(|one| one.says.is_some()),
        );
        row("right words", share(says, judged));
        row(
            "forbidden words",
            format!("{} times", self.count(|asked| asked.is_forbidden)),
        );
        let fallbacks = self.count(|asked| asked.outcome == "Fallback");
        row(
            "further attempts",
            format!(
                "{}; {fallbacks} times an authored line was said instead",
                self.retries()
            ),
        );
        let [prompt, cached, reply] = self.tokens();
        row(
            "tokens",
            format!("{prompt} read, {cached} of them from the cache; {reply} written"),
        );
        if let Some((first, line)) = self.times() {
            row(
                "time",
                format!(
                    "{first} ms to the first sentence, {line} ms to the end of the line (medians)"
                ),
            );
        }
        let mut why: BTreeMap<_, usize> = BTreeMap::new();
        for what in self.asked.iter().filter_map(|asked| asked.why) {
            *why.entry(what).or_default() += 1;
        }
        let why: Vec<String> = why
            .iter()
            .map(|(what, count)| format!("{} {count}", what.words()))
            .collect();
        if !why.is_empty() {
            row("not usable", why.join(", "));
        }
        if let Some(error) = self.asked.iter().find_map(|asked| asked.error.as_ref()) {
            row("the first error", error.clone());
        }
        text
    }
}

fn reply_json(asked: &Asked) -> Value {
    json!({
        "case": asked.case,
        "sample": asked.sample,
        "outcome": asked.outcome,
        "line": asked.line,
        "action": Some(asked.actions.join(", ")).filter(|actions| !actions.is_empty()),
        "usable": asked.why.is_none(),
        "why": asked.why.map(|why| why.name()),
        "right": asked.is_right,
        "says": asked.says,
        "forbidden": asked.is_forbidden,
        "attempts": asked.attempts,
        "error": asked.error,
    })
}

/// The middle one of these times, in milliseconds; the lower one of two.
fn median(times: impl Iterator<Item = Millis>) -> Option<i64> {
    let mut times: Vec<i64> = times.map(|time| time.0).collect();
    times.sort_unstable();
    times.get(times.len().saturating_sub(1) / 2).copied()
}
