//! Bands: what levels of states are called in prompts, as data.

use crate::authoring::adventure_settings::BandLevels;
use crate::text::PromptWords;

/// The entries of `PromptWords` that name the bands.
const WORDS: [&str; 5] = [
    "band_latent",
    "band_slightly",
    "band_clearly",
    "band_strongly",
    "band_wholly",
];

/// The bands, with the words of a language.
#[derive(Debug, Clone, Default)]
pub(super) struct Bands {
    pub levels: BandLevels,
    pub words: PromptWords,
}

impl Bands {
    /// The word for a level, such as `clearly`.
    pub(super) fn word(&self, level: u8) -> &str {
        let at = self.levels.0.iter().rposition(|from| level >= *from);
        self.words.get(WORDS[at.unwrap_or_default()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Lexicon;

    #[test]
    fn t5_each_level_has_a_band() {
        let bands = Bands::default();
        let words = [0, 5, 6, 10, 11, 15, 16, 20, 21, 30].map(|level| bands.word(level));
        assert_eq!(
            words,
            [
                "latent", "latent", "slightly", "slightly", "clearly", "clearly", "strongly",
                "strongly", "wholly", "wholly"
            ]
        );
        let own = Bands {
            levels: BandLevels([0, 1, 2, 3, 30]),
            words: Lexicon::german().prompt.clone(),
        };
        assert_eq!(own.word(29), "stark");
        assert!(own.levels.is_complete() && BandLevels::default().is_complete());
        for wrong in [[1, 2, 3, 4, 5], [0, 9, 3, 4, 5], [0, 1, 2, 3, 31]] {
            assert!(!BandLevels(wrong).is_complete(), "{wrong:?}");
        }
    }
}
