//! How a model chooses its words.

use crate::base::fixed::Millionths;
use crate::format::Problem;
use crate::limits::Limits;
use serde::{Deserialize, Serialize};

/// The most texts at which a reply may end.
const MAX_STOPS: usize = 16;
/// The most characters of one of them.
const MAX_STOP_CHARS: usize = 64;

/// How a model chooses its words: `sampling: (temperature: 0.6, repeat_penalty: 1.2, ..)` of a character, a story or a scenario.
///
/// Each value may be left out (`None`). A character then uses the value of the story; if that is left out too, the limits
/// `temperature` and `reply_tokens`; and else the engine's own default. A value that a server does not know is not sent to it
/// again.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub(crate) struct Sampling {
    /// The temperature, 0 to 10: 0 asks for the most likely words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub temperature: Option<Millionths>,
    /// The engine draws only from the most likely words that together have this share of the likelihood, above 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub top_p: Option<Millionths>,
    /// The engine draws only words that are at least this many times as likely as the most likely one, 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_p: Option<Millionths>,
    /// How much less likely a word is that was said lately, above 0 to 10: 1 changes nothing. An HTTP engine asks a server
    /// to look back at 512 tokens where no schema is sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repeat_penalty: Option<Millionths>,
    /// The most tokens of a reply, 1 to 1,000,000.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<u32>,
    /// Texts at which a reply ends, at most 16 of at most 64 characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stop: Option<Vec<String>>,
}

impl Sampling {
    /// These values, and those of `farther` where there are none.
    #[must_use]
    pub fn or(&self, farther: &Self) -> Self {
        Self {
            temperature: self.temperature.or(farther.temperature),
            top_p: self.top_p.or(farther.top_p),
            min_p: self.min_p.or(farther.min_p),
            repeat_penalty: self.repeat_penalty.or(farther.repeat_penalty),
            max_tokens: self.max_tokens.or(farther.max_tokens),
            stop: self.stop.clone().or_else(|| farther.stop.clone()),
        }
    }

    /// These values, and the limits where there are none.
    pub(crate) fn within(&self, limits: &Limits) -> Self {
        Self {
            temperature: self
                .temperature
                .or(Some(Millionths::nearest(limits.temperature))),
            max_tokens: self.max_tokens.or(Some(limits.reply_tokens)),
            ..self.clone()
        }
    }

    /// The values that are out of range, with their places below `/sampling`.
    pub(crate) fn problems(&self) -> Vec<Problem> {
        let mut problems = Vec::new();
        let mut problem = |key: &str, what: String| {
            problems.push(Problem::new(format!("/sampling/{key}"), what));
        };
        let numbers = [
            ("temperature", self.temperature, 0, 10),
            ("top_p", self.top_p, 1, 1),
            ("min_p", self.min_p, 0, 1),
            ("repeat_penalty", self.repeat_penalty, 1, 10),
        ];
        for (key, value, least, most) in numbers {
            let fits = |value: Millionths| (least..=most * 1_000_000).contains(&value.0);
            if !value.is_none_or(fits) {
                let from = if least == 0 { "from 0" } else { "above 0" };
                problem(key, format!("`{key}` is a number {from} to {most}"));
            }
        }
        if !self
            .max_tokens
            .is_none_or(|most| (1..=1_000_000).contains(&most))
        {
            let what = "`max_tokens` is a whole number from 1 to 1000000";
            problem("max_tokens", what.to_owned());
        }
        let stops = self.stop.as_deref().unwrap_or_default();
        let is_text = |stop: &String| (1..=MAX_STOP_CHARS).contains(&stop.chars().count());
        if stops.len() > MAX_STOPS || !stops.iter().all(is_text) {
            let what = format!(
                "`stop` lists at most {MAX_STOPS} texts of 1 to {MAX_STOP_CHARS} characters"
            );
            problem("stop", what);
        }
        problems
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(ron: &str) -> Sampling {
        ron::from_str(ron).unwrap()
    }

    #[test]
    fn p16_each_value_is_that_of_the_nearest() {
        let own = read("(temperature: Some(0.6), stop: Some([\"###\"]))");
        let story = read(
            "(temperature: Some(0.9), top_p: Some(0.95), max_tokens: Some(60), stop: Some([]))",
        );
        let both = own.or(&story);
        assert_eq!(both.temperature, Some(Millionths(600_000)));
        assert_eq!(both.top_p, Some(Millionths(950_000)));
        assert_eq!((both.max_tokens, both.min_p), (Some(60), None));
        assert_eq!(both.stop, Some(vec!["###".to_owned()]));
    }

    #[test]
    fn p16_values_out_of_range_are_named() {
        let long = "x".repeat(65);
        for (key, wrong, right) in [
            ("temperature", "-0.1", "0.0"),
            ("temperature", "10.1", "10.0"),
            ("top_p", "0.0", "1.0"),
            ("top_p", "1.5", "0.1"),
            ("min_p", "1.1", "0.0"),
            ("repeat_penalty", "0.0", "1.2"),
            ("max_tokens", "0", "1"),
            ("stop", "[\"\"]", "[\"a\"]"),
            ("stop", &format!("[\"{long}\"]"), "[]"),
        ] {
            let problems = read(&format!("({key}: Some({wrong}))")).problems();
            let places: Vec<&str> = problems.iter().map(|one| one.pointer.as_str()).collect();
            assert_eq!(places, [format!("/sampling/{key}")], "{wrong}");
            let problems = read(&format!("({key}: Some({right}))")).problems();
            assert!(problems.is_empty(), "{right}");
        }
    }
}
