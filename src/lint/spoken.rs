//! How characters must speak: settings without an effect, and authored words in another language.

use super::fallbacks::lists_of;
use super::findings::Findings;
use super::place::Place;
use super::report::LintKind::{NoEffect, Unprotected};
use crate::authoring::NpcSpec;
use crate::gate::language::other_language;
use crate::policy::{Echo, ReplyLanguage};
use crate::text::Lexicon;

/// What one file says of how characters must speak.
pub(super) struct Spoken<'a> {
    pub echo: Option<Echo>,
    /// How much of a line an earlier line may contain.
    pub limit: Option<f64>,
    pub reply_language: Option<ReplyLanguage>,
    /// The language, where it is known.
    pub lexicon: Option<&'a Lexicon>,
}

impl<'a> Spoken<'a> {
    pub fn of_npc(npc: &NpcSpec, lexicon: Option<&'a Lexicon>) -> Self {
        Self {
            echo: npc.echo,
            limit: npc.limits.echo,
            reply_language: npc.reply_language,
            lexicon,
        }
    }

    /// Settings that change nothing, or less than they say.
    pub fn check(&self, place: &Place, findings: &mut Findings) {
        let allows_all = self.limit.is_some_and(|limit| limit >= 1.0);
        if self.echo == Some(Echo::Hard) && allows_all {
            let message = "with `limits: (echo: 1)` no line is an echo";
            findings.add(NoEffect, &place.at("/echo"), message);
        }
        let is_checked = self.reply_language == Some(ReplyLanguage::Check);
        if is_checked
            && self
                .lexicon
                .is_some_and(|lexicon| lexicon.stop_words.is_empty())
        {
            let message =
                "the lexicon has no `stop_words`, so that only the script of a reply is looked at";
            findings.add(Unprotected, &place.at("/reply_language"), message);
        }
    }
}

/// The lines and examples of a character that must speak this language. No gate judges them when they are spoken.
pub(super) fn check_words<'a>(
    npc: &NpcSpec,
    lexicon: &Lexicon,
    place_of: impl Fn(&str) -> Place<'a>,
    findings: &mut Findings,
) {
    let lists = lists_of(npc).into_iter();
    let lines = lists.flat_map(|(at, list)| {
        let lines = list.iter().enumerate();
        lines.map(move |(i, line)| (format!("{at}/{i}"), line))
    });
    let examples = npc.examples.iter().enumerate();
    let examples = examples.map(|(i, example)| (format!("/examples/{i}/npc"), &example.npc));
    for (at, words) in lines.chain(examples) {
        if let Some(other) = other_language(words, lexicon, false) {
            let message = format!("{} (`reply_language: Check`)", other.told(lexicon));
            findings.add(Unprotected, &place_of(&at), message);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::lint::{found, kinds, kinds_in};

    const GERMAN: &str = "Ich habe den Schlüssel nicht.";

    #[test]
    fn m9_authored_words_in_another_language_are_told() {
        for fields in [
            format!("fallbacks: (generic: [\"Hm.\", \"{GERMAN}\"])"),
            format!("fallbacks: (thinking: [\"{GERMAN}\"], reasons: {{Custom: [\"Hm.\"]}})"),
            format!("examples: [(player: \"Wo?\", npc: \"{GERMAN}\")]"),
        ] {
            let of = |story: &str| kinds(&format!("{story} npcs: [(id: \"a\", {fields})]"));
            assert_eq!(of("reply_language: Check,"), ["unprotected"], "{fields}");
            assert_eq!(of(""), [""; 0], "{fields}");
            let german = "reply_language: Check, lexicon: \"lexicon/de.lexicon.ron\",";
            assert_eq!(of(german), [""; 0], "{fields}");
        }
        let npc = format!(
            "(id: \"a\", reply_language: Check, lexicon: \"lexicon/en.lexicon.ron\",\n  fallbacks: (generic: [\"{GERMAN}\"]))"
        );
        assert_eq!(
            found("a.npc.ron", &npc),
            [
                "2:25: the line is in German: it must be in English (`reply_language: Check`) [unprotected]"
            ]
        );
        // In which language the story is, the file of a character does not know.
        let unknown =
            format!("(id: \"a\", reply_language: Check, fallbacks: (generic: [\"{GERMAN}\"]))");
        assert_eq!(kinds_in("a.npc.ron", &unknown), [""; 0]);
    }

    #[test]
    fn m9_settings_without_an_effect_are_told() {
        assert_eq!(kinds("echo: Hard, limits: (echo: 1.0)"), ["no_effect"]);
        assert_eq!(kinds("echo: Hard, limits: (echo: 0.9)"), [""; 0]);
        assert_eq!(kinds("echo: Soft, limits: (echo: 1.0)"), [""; 0]);
        let bare = "lexicon: (negators: [\"ne\"])";
        assert_eq!(
            kinds(&format!("reply_language: Check, {bare}")),
            ["unprotected"]
        );
        assert_eq!(kinds(&format!("reply_language: Off, {bare}")), [""; 0]);
        let story = format!("(reply_language: Check, {bare})");
        assert_eq!(kinds_in("a.story.ron", &story), ["unprotected"]);
        let npc = |fields: &str| kinds(&format!("npcs: [(id: \"a\", {fields})]"));
        assert_eq!(npc("echo: Hard, limits: (echo: 1.0)"), ["no_effect"]);
        assert_eq!(
            npc(&format!("reply_language: Check, {bare}")),
            ["unprotected"]
        );
    }
}
