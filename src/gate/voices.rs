//! The speakers in a narration, and whether they may say what they say.
//!
//! A narrator speaks for others. The gate judges each line that it gives to a character by what that character may not say: its
//! Hard and Critical prohibitions with those of the rules in force, its topics, its prohibiting custom rules, checks and canon.
//! It judges prose like this only where the prose tells that the character says something.

use super::canon::Said;
use super::custom::CheckedWords;
use super::stage_rules::StageRules;
use super::verdict::{Failure, FailureReason, Verdict};
use super::voicing::ProseReader;
use super::words::{JudgedText, judge_canon, judge_custom, judge_prohibitions, judge_topics};
use crate::base::ids::Id;
use crate::proposal::{NarrationReply, PartKind, Speaker};
use crate::rules::RuleSeverity;
use crate::text::fold::fold;
use crate::text::whole_word::whole_words;
use crate::text::{Lexicon, Span};
use std::collections::BTreeSet;

/// The characters that may speak in a narration.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize)]
pub struct Voices {
    /// The ids of the characters that may speak; `None`: all whose names are known.
    pub allowed: Option<BTreeSet<Id>>,
    /// Personas, each with its intention of this turn, which must contain the words that the narration lets it say.
    pub personas: Vec<(Id, String)>,
    /// The ids of the characters that are there. Their rules judge the words that the prose gives them.
    #[serde(skip)]
    pub present: BTreeSet<Id>,
}

impl Voices {
    /// Voices that let no one speak. `present` are the characters that are there.
    #[must_use]
    pub fn none(present: BTreeSet<Id>) -> Self {
        Self {
            allowed: Some(BTreeSet::new()),
            personas: Vec::new(),
            present,
        }
    }

    /// Whether each line of a narration, and each quotation in its prose, is of one who may say that.
    pub(super) fn judge(&self, said: &[VoicedWords], verdict: &mut Verdict) {
        for words in said.iter().filter(|words| words.is_line || words.is_quoted) {
            let found = self.judge_words(&words.speaker, &words.text);
            verdict.add_all(found.into_iter().collect());
        }
    }

    /// Whether the rules of the speaker judge these words: it is no persona, and it says a line, or is there.
    #[must_use]
    pub fn judges_by_rules(&self, words: &VoicedWords) -> bool {
        let is_persona = self.personas.iter().any(|(id, _)| *id == words.speaker);
        !is_persona && (words.is_line || self.present.contains(&words.speaker))
    }

    fn judge_words(&self, speaker: &Id, words: &str) -> Option<Failure> {
        let refused = |rule: &str, message: String| Failure {
            reason: FailureReason::VoiceRefused,
            rule: rule.to_owned(),
            severity: RuleSeverity::Hard,
            span: None,
            message,
        };
        let allowed = self.allowed.as_ref();
        if allowed.is_some_and(|allowed| !allowed.contains(speaker)) {
            return Some(refused(
                "voices",
                format!("{speaker} does not speak here: tell what happens without words of theirs"),
            ));
        }
        let mut personas = self.personas.iter();
        let (_, intention) = personas.find(|(persona, _)| persona == speaker)?;
        let (intention, words) = (plain(intention), plain(words));
        let stands = whole_words(&intention, words.trim()).next().is_some();
        (!stands).then(|| {
            refused(
                "persona_words",
                format!(
                    "{speaker} is played by a player: only words of the intention may be spoken"
                ),
            )
        })
    }
}

/// Folded words with single spaces, and nothing else.
pub(super) fn plain(text: &str) -> String {
    let folded = fold(text);
    let words = folded.split(|c: char| !c.is_alphanumeric());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    format!(" {} ", words.join(" "))
}

/// Words that a narration gives to a character.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VoicedWords {
    /// The id of the speaker.
    pub speaker: Id,
    /// The words.
    pub text: String,
    /// Where they begin, in characters of the narration.
    start: usize,
    /// Whether they are a line of the speaker; else prose tells them.
    is_line: bool,
    /// Whether the prose quotes them; else it reports them in its own words.
    is_quoted: bool,
}

/// The words that a narration gives to anyone: each line of dialogue, and the words that the prose reports.
#[must_use]
pub(crate) fn voiced_words(
    reply: &NarrationReply,
    speakers: &[Speaker],
    lexicon: &Lexicon,
) -> Vec<VoicedWords> {
    let prose = ProseReader::new(speakers, lexicon);
    let mut found = Vec::new();
    let mut end = reply.content.len();
    // Backwards from the end: each part ends a line of the narration, after its label.
    for part in reply.parts.iter().rev() {
        let rest = reply.content.get(..end).unwrap_or_default();
        let start = rest.strip_suffix(part.text.as_str()).map(str::len);
        let start = start.unwrap_or(end);
        let mut line_start = start;
        if let (PartKind::Dialog, Some(speaker)) = (part.kind, &part.speaker) {
            line_start = rest[..start].rfind('\n').map_or(0, |at| at + 1);
            found.push(VoicedWords {
                speaker: speaker.clone(),
                text: part.text.clone(),
                start,
                is_line: true,
                is_quoted: false,
            });
        } else {
            let told = prose.told(&part.text).into_iter();
            found.extend(told.map(|told| VoicedWords {
                speaker: told.speaker,
                start: start + told.range.start,
                is_quoted: is_in_quotes(&part.text, told.range.start),
                text: part.text[told.range].to_owned(),
                is_line: false,
            }));
        }
        end = line_start.saturating_sub(1);
    }
    found.sort_by_key(|words| words.start);
    // Bytes become characters, in one pass.
    let (mut bytes, mut chars) = (0, 0);
    for words in &mut found {
        let between = reply.content.get(bytes..words.start).unwrap_or_default();
        chars += between.chars().count();
        bytes = words.start;
        words.start = chars;
    }
    found
}

/// Whether a quotation begins at this byte, or just before it.
fn is_in_quotes(text: &str, at: usize) -> bool {
    let is_mark = |c: char| matches!(c, '"' | '“' | '„' | '«' | '»' | '「' | '『' | '‘' | '\'');
    let (before, behind) = text.split_at(at);
    before.trim_end().ends_with(is_mark) || behind.starts_with(is_mark)
}

/// A character that speaks in a narration, with all that it says there.
pub struct Speaking<'a> {
    /// What it is judged by.
    pub rules: StageRules<'a>,
    /// What it says.
    pub words: Vec<&'a VoicedWords>,
}

impl Speaking<'_> {
    pub(super) fn judge(&self, verdict: &mut Verdict) {
        for words in &self.words {
            for failure in self.faults(words) {
                // What the story forbids was found in the whole narration.
                let same = |known: &&Failure| {
                    (known.reason, &known.rule) == (failure.reason, &failure.rule)
                };
                if verdict.failures.iter().find(same).is_none() {
                    verdict.add(failure);
                }
            }
        }
    }

    fn faults(&self, words: &VoicedWords) -> Vec<Failure> {
        let rules = &self.rules;
        let text = JudgedText::new(&words.text);
        let mut found = judge_prohibitions(rules.constraints, &text);
        if words.is_line || words.is_quoted {
            found.extend(judge_canon(rules.canon, &text, Said::Aloud, None));
        }
        found.extend(judge_topics(rules.topics.iter(), &text));
        // What is required is asked of replies: an unmet requirement has no span.
        let custom = judge_custom(rules.custom, &text).into_iter();
        found.extend(custom.filter(|failure| failure.span.is_some()));
        let kind = match words.is_line {
            true => CheckedWords::Dialogue,
            false => CheckedWords::Content,
        };
        found.extend(
            rules
                .checks
                .judge(kind, &words.text, &rules.interaction, rules.world),
        );
        found.retain(|failure| failure.severity > RuleSeverity::Soft);
        for failure in &mut found {
            failure.message = format!("{} may not say this: {}", words.speaker, failure.message);
            if let Some(span) = &mut failure.span {
                *span = Span {
                    start: words.start + span.start,
                    end: words.start + span.end,
                    text: std::mem::take(&mut span.text),
                };
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id;
    use crate::proposal::NarrationPart;

    #[test]
    fn t15_words_of_the_intention_may_be_spoken_in_every_script() {
        for (intention, words, may) in [
            ("I say: good evening, all.", "Good evening!", true),
            ("I say good evening.", "Good even", false),
            ("我对陈伯说你好。", "你好", true),
            ("我看着他。", "你好", false),
        ] {
            let voices = Voices {
                allowed: None,
                personas: vec![(id!("kael"), intention.to_owned())],
                present: BTreeSet::new(),
            };
            let refused = voices.judge_words(&id!("kael"), words);
            assert_eq!(refused.is_none(), may, "{words}");
        }
    }

    #[test]
    fn t15_words_that_prose_quotes_are_judged_like_lines() {
        let voices = Voices {
            allowed: Some([id!("kael"), id!("odo")].into()),
            personas: vec![(id!("kael"), "I say \"I yield\" to her.".to_owned())],
            present: [id!("odo")].into(),
        };
        let speakers = ["Kael", "Odo", "Tom"].map(|name| Speaker {
            id: Id::new(name.to_lowercase()).unwrap(),
            names: vec![name.to_owned()],
        });
        for (prose, may) in [
            ("Kael says: \"I yield.\"", true),
            ("Kael says: \"I swear to pay.\"", false),
            ("\"I swear to pay,\" vows Kael.", false),
            ("Kael says that he yields.", true),
            ("\"Mind the step,\" says Odo.", true),
            // Tom is elsewhere.
            ("\"Hm, hm,\" says Tom.", false),
            ("Kael bows.", true),
        ] {
            let reply = NarrationReply {
                content: prose.to_owned(),
                parts: vec![NarrationPart {
                    kind: PartKind::Narration,
                    speaker: None,
                    mood: None,
                    text: prose.to_owned(),
                }],
            };
            let said = voiced_words(&reply, &speakers, Lexicon::english());
            let mut verdict = Verdict::default();
            voices.judge(&said, &mut verdict);
            assert_eq!(verdict.failures.is_empty(), may, "{prose}");
        }
    }

    #[test]
    fn t10_words_have_their_place_in_the_narration() {
        let part = |kind, speaker: Option<&str>, text: &str| NarrationPart {
            kind,
            speaker: speaker.map(|id| Id::new(id).unwrap()),
            mood: None,
            text: text.to_owned(),
        };
        let reply = NarrationReply {
            content: "Es dämmert.\nOdo: Odo: x\nOdo says that it rains.\nKael: Hm.".to_owned(),
            parts: vec![
                part(PartKind::Narration, None, "Es dämmert."),
                part(PartKind::Dialog, Some("odo"), "Odo: x"),
                part(PartKind::Narration, None, "Odo says that it rains."),
                part(PartKind::Dialog, Some("kael"), "Hm."),
            ],
        };
        let speakers = [Speaker {
            id: id!("odo"),
            names: vec!["Odo".to_owned()],
        }];
        let mut voices = Voices {
            allowed: None,
            personas: vec![(id!("kael"), String::new())],
            present: [id!("odo")].into(),
        };
        let found = |voices: &Voices| -> Vec<(String, usize, bool)> {
            let words = voiced_words(&reply, &speakers, Lexicon::english());
            let words = words
                .into_iter()
                .filter(|words| voices.judges_by_rules(words));
            words
                .map(|words| (words.text, words.start, words.is_line))
                .collect()
        };
        let line = ("Odo: x".to_owned(), 17, true);
        let told = ("it rains".to_owned(), 38, false);
        assert_eq!(found(&voices), [line.clone(), told]);
        voices.present.clear();
        assert_eq!(
            found(&voices),
            [line],
            "prose counts of those who are there"
        );
    }
}
