//! What a reply is read with.

use super::names::LabelNames;
use crate::limits::Limits;
use crate::text::Lexicon;
use serde::Serialize;

/// Why the engine stopped. The engine says so at the end of each call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize)]
pub enum Finish {
    /// The engine came to an end by itself: the reply is whole.
    #[default]
    Stop,
    /// The reply was cut at the limit of tokens: prose loses its unfinished last sentence, an envelope that is not whole is
    /// refused (`InvalidKind::Truncated`).
    Length,
}

/// What a reply is read with.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(crate) struct ParseOptions<'a> {
    /// Why the engine stopped. A reply that it cut is cut back or refused.
    pub finish: Finish,
    /// Names of the speaker: the character's name, its id, its aliases. A line that begins with one of them and a colon loses
    /// that label. Case, width, accents and look-alikes make no difference; an empty name fits nothing.
    pub speaker_names: &'a [String],
    /// The names of all other known characters. A reply ends where a line or a sentence begins with one of them and a colon.
    #[serde(skip)]
    pub other_names: &'a LabelNames,
    /// The most characters of a line; a longer one is cut back to its last whole sentence, with a warning.
    pub line_chars: usize,
    /// The language in which sentences end.
    #[serde(skip)]
    pub lexicon: &'a Lexicon,
}

impl Default for ParseOptions<'_> {
    fn default() -> Self {
        Self {
            finish: Finish::default(),
            speaker_names: &[],
            other_names: LabelNames::EMPTY,
            line_chars: Limits::DEFAULT.reply_chars,
            lexicon: Lexicon::english(),
        }
    }
}
