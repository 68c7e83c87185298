//! When something was, in the words of a language.

use super::PromptWords;
use crate::base::calendar::Age;

impl PromptWords {
    /// How long ago something was, such as "3 days ago".
    #[must_use]
    pub(crate) fn when(&self, age: Age) -> String {
        let counted = |key, count: i64| self.say(key, &[("count", &count.to_string())]);
        match age {
            Age::Moment => self.get("when_moment").to_owned(),
            Age::Minutes(1) => self.get("when_minute").to_owned(),
            Age::Minutes(count) => counted("when_minutes", count),
            Age::Today => self.get("when_today").to_owned(),
            Age::Yesterday => self.get("when_yesterday").to_owned(),
            Age::Days(count) => counted("when_days", count),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn m8_ages_are_told_in_the_words_of_the_language() {
        let english = PromptWords::default();
        let own = BTreeMap::from([("language".to_owned(), "de".to_owned())]);
        let german = PromptWords::try_from(own).unwrap();
        for (age, words, in_german) in [
            (Age::Moment, "a moment ago", "gerade eben"),
            (Age::Minutes(1), "1 minute ago", "vor 1 Minute"),
            (Age::Minutes(20), "20 minutes ago", "vor 20 Minuten"),
            (Age::Today, "earlier today", "heute schon"),
            (Age::Yesterday, "yesterday", "gestern"),
            (Age::Days(3), "3 days ago", "vor 3 Tagen"),
        ] {
            assert_eq!(english.when(age), words);
            assert_eq!(german.when(age), in_german);
        }
    }
}
