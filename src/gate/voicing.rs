//! Whose words the prose of a narration tells.
//!
//! Prose tells that a person speaks where a verb of saying has a known name for its subject. These words count:
//!
//! | prose | whose words |
//! |---|---|
//! | `Odo whispers that the well is dry.` | Odo's, from the verb on |
//! | `The well is dry, says Odo.` | Odo's, before the verb |
//! | `"The well is dry," says Odo. "Go home."` | Odo's, both quotations |
//! | `Odo nods. "The well is dry."`, `Odo, loudly: ".."` | Odo's, the quotation |
//! | `Odo says: "The well is dry."` | Odo's, the quotation |
//! | `Kael tells Odo that the well is dry.` | Kael's: the name before the verb is its subject |
//! | `Odo says nothing of the well.` | none |
//! | `Odo looks at the well.`, `He says that ..` | none: there is no verb of saying, or no name |
//!
//! All words come from the [lexicon](crate::text::lexicon::Voicing), so that another language is another file. Linear in the length
//! of the text.

mod fragment;
mod names;
mod paragraph;
mod saying;
mod tokens;
mod words;

use self::paragraph::Paragraph;
use self::words::Words;
use crate::base::ids::Id;
use crate::proposal::Speaker;
use crate::text::Lexicon;
use std::ops::Range;

/// Words of one speaker in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ToldWords {
    /// The id of the speaker.
    pub speaker: Id,
    /// Where they are, in bytes of the text.
    pub range: Range<usize>,
}

/// Reads whose words the prose of a narration tells. It is made once for a narration.
pub(super) struct ProseReader<'a> {
    speakers: &'a [Speaker],
    words: Words<'a>,
}

impl<'a> ProseReader<'a> {
    /// For these names, in this language.
    pub fn new(speakers: &'a [Speaker], lexicon: &'a Lexicon) -> Self {
        Self {
            speakers,
            words: Words::new(speakers, lexicon),
        }
    }

    /// The words that a text reports, each with its speaker, paragraph by paragraph.
    pub fn told(&self, text: &str) -> Vec<ToldWords> {
        let mut found = Vec::new();
        let mut start = 0;
        for line in text.split('\n') {
            for (speaker, range) in Paragraph::read(line, &self.words).told() {
                found.push(ToldWords {
                    speaker: self.speakers[speaker].id.clone(),
                    range: start + range.start..start + range.end,
                });
            }
            start += line.len() + 1;
        }
        found
    }
}

#[cfg(test)]
mod tests;
