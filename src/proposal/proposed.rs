//! What a reply proposes: speech, memory changes and actions, all of it untrusted.

use super::invalid::{InvalidFormat, InvalidKind};
use super::mutation::ProposedMutation;
use super::mutation_kind::MutationKind;
use super::sanitise::Spoken;
use crate::judged_world::action::ProposedAction;
use crate::text::{is_visible, name_excerpt};
use serde::Serialize;
use serde_json::Value;

/// The most warnings that one reply is given; one more says how many were left out.
pub const MAX_WARNINGS: usize = 64;

/// In which of the two forms a reply came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
pub(crate) enum ReplyForm {
    /// An envelope: a JSON object, alone or in a code fence.
    Envelope,
    /// Speech as plain text, perhaps with markers.
    Prose,
}

/// What a reply proposes: speech, memory changes and actions, all of it still untrusted.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Proposal {
    /// In which of the two forms the reply came.
    pub form: ReplyForm,
    /// The spoken words: one line, with nothing but speech in it. Empty only where there is at least one intent.
    pub dialogue: String,
    /// Proposed changes of memory, in the order in which they appear. An `EmitWorldIntent` is not among them: it is one of the
    /// intents.
    pub mutations: Vec<ProposedMutation>,
    /// Proposed actions in the order in which they appear, those of `EmitWorldIntent` after the others.
    pub intents: Vec<ProposedAction>,
    /// The envelope's `plan` object, not read here. `None` where there is none, and in prose.
    pub plan: Option<Value>,
    /// The ignored parts, at most 64 entries. Warnings fail nothing.
    pub warnings: Vec<ParseWarning>,
    /// The end of each sentence of the dialogue, as byte offsets.
    #[serde(skip)]
    pub(super) sentence_ends: Vec<usize>,
}

/// Something of a reply that was ignored, with the rule that says so. It fails nothing; verdicts list it as a Soft
/// finding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct ParseWarning {
    /// The rule: `unknown_field`, `unterminated_marker`, `trailing_text` for words after an envelope, `another_speaker` for a
    /// reply that went on with the words of another speaker, `reply_chars` for a line that was cut, `sentences` and `repeats`
    /// for a line that was ended because it was long enough or repeated itself, or `mute` for words of a character that cannot
    /// speak.
    pub rule: &'static str,
    /// The part that was ignored or cut, in one sentence for the log.
    pub message: String,
}

impl ParseWarning {
    /// The warning about words after an envelope.
    pub(super) fn trailing_text() -> Self {
        Self {
            rule: "trailing_text",
            message: "text follows the envelope and was dropped".to_owned(),
        }
    }

    /// Of a field that the form does not know.
    pub(super) fn unknown_field(name: &str) -> Self {
        let named = name_excerpt(name, "of another name");
        Self {
            rule: "unknown_field",
            message: format!("the reply has an unknown field {named}, ignored"),
        }
    }
}

impl ProposedMutation {
    /// A new episode of this text.
    pub(crate) fn episode(text: String) -> Self {
        Self {
            kind: MutationKind::AppendEpisodic.name().to_owned(),
            content: Some(text),
            ..Self::default()
        }
    }
}

impl Proposal {
    pub(super) fn empty(form: ReplyForm) -> Self {
        Self {
            form,
            dialogue: String::new(),
            mutations: Vec::new(),
            intents: Vec::new(),
            plan: None,
            warnings: Vec::new(),
            sentence_ends: Vec::new(),
        }
    }

    /// A proposal of nothing.
    pub(crate) fn of_nothing() -> Self {
        Self::empty(ReplyForm::Prose)
    }

    /// A proposal of these changes of memory alone.
    pub(crate) fn of_memories(mutations: Vec<ProposedMutation>) -> Self {
        Self {
            mutations,
            ..Self::empty(ReplyForm::Envelope)
        }
    }

    /// A proposal of this action alone.
    pub(crate) fn of_action(action: ProposedAction) -> Self {
        Self {
            intents: vec![action],
            ..Self::of_nothing()
        }
    }

    /// Only words count: what a reply does and remembers is what was chosen before it.
    pub(crate) fn speak_only(&mut self, does: Option<&ProposedAction>) {
        self.mutations.clear();
        self.plan = None;
        self.intents.clear();
        self.intents.extend(does.cloned());
    }

    /// Where the sentences of the dialogue end, as byte offsets in order; the last one
    /// is its length. Empty where nothing is said.
    #[must_use]
    pub fn sentence_ends(&self) -> &[usize] {
        &self.sentence_ends
    }

    pub(super) fn speak(&mut self, spoken: Spoken) {
        if spoken.is_broken_off {
            self.warn(
                "another_speaker",
                "the reply holds words that are not its speaker's, which were dropped".to_owned(),
            );
        }
        self.dialogue = spoken.line;
        self.sentence_ends = spoken.ends;
    }

    /// Says only this, a part of the line.
    pub(crate) fn say(&mut self, line: &str) {
        if self.dialogue != line {
            self.dialogue = line.to_owned();
            self.sentence_ends.clear();
        }
    }

    /// Cuts the line after this many bytes.
    pub(super) fn cut_line(&mut self, kept: usize) {
        self.dialogue.truncate(kept);
        self.sentence_ends.retain(|end| *end < kept);
        self.sentence_ends.extend((kept > 0).then_some(kept));
    }

    /// Ends the line after this many bytes, with a warning.
    pub(crate) fn end_line(&mut self, kept: usize, rule: &'static str, why: &str) {
        self.cut_line(kept);
        self.warn(rule, why.to_owned());
    }

    fn say_nothing(&mut self) {
        self.speak(Spoken::default());
    }

    pub(super) fn warn(&mut self, rule: &'static str, message: String) {
        if self.warnings.len() < MAX_WARNINGS {
            self.warnings.push(ParseWarning { rule, message });
        }
    }

    /// Drops the words after the `heard` ones, because the speaker cannot speak, with a warning if there were any.
    pub(crate) fn silence_behind(&mut self, heard: &str) {
        if self.dialogue != heard {
            self.say(heard);
            self.warn(
                "mute",
                "the character cannot speak: its words are dropped".to_owned(),
            );
        }
    }

    /// The proposal, if it says or does something. With an intent, a line without a visible letter or digit is left out; without
    /// one, it fails at the gate.
    pub(super) fn speaks_or_acts(mut self) -> Result<Self, InvalidFormat> {
        if !self.intents.is_empty() && !is_visible(&self.dialogue) {
            self.say_nothing();
        }
        if self.dialogue.is_empty() && self.intents.is_empty() {
            return Err(InvalidFormat::new(
                InvalidKind::NoSpeech,
                "the reply has no dialogue and no intent",
            ));
        }
        Ok(self)
    }
}
