//! How much of a file is read, and why one is not.

use thiserror::Error;

/// The longest file that is read, in bytes: most of a card is its picture.
pub const MAX_FILE_BYTES: usize = 64 << 20;
/// The longest text of a card or a lorebook that is read, in bytes.
pub const MAX_TEXT_BYTES: usize = 4 << 20;
/// The most characters of one text of a card that are looked at, before it is cleaned and cut.
pub(super) const MAX_RAW_CHARS: usize = 100_000;
/// The most characters of a persona that a card gives.
pub const MAX_PERSONA_CHARS: usize = 20_000;
/// The most characters of a line, an example or an entry of lore that a card gives.
pub const MAX_LINE_CHARS: usize = 2_000;
/// The most examples of one card. `prompt_examples` of the character's limits sets how many are in a prompt.
pub const MAX_EXAMPLES: usize = 8;
/// The most greetings of one card.
pub const MAX_GREETINGS: usize = 32;
/// The most entries of one lorebook.
pub const MAX_ENTRIES: usize = 2_000;

/// Why a file is not imported.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub(crate) enum CardError {
    /// The file is longer than 64 MiB.
    #[error("the file has {0} bytes, more than {MAX_FILE_BYTES}")]
    TooLarge(usize),
    /// The text in it is longer than 4 MiB.
    #[error("the text of the card has more than {MAX_TEXT_BYTES} bytes")]
    TooMuchText,
    /// It is a WebP or JPEG picture. Cards in such pictures have no common form.
    #[error("it is a {0} picture: save the card as PNG, JSON or CHARX in the program that made it")]
    OtherPicture(&'static str),
    /// It is a PNG picture without a card.
    #[error("the picture holds no card: neither a `chara` nor a `ccv3` text is in it")]
    NoCardInPicture,
    /// The picture or the archive is damaged.
    #[error("the {0} is damaged: {1}")]
    Damaged(&'static str, String),
    /// The text of the card is no JSON.
    #[error("the text of the card is not JSON: {0}")]
    NotJson(String),
    /// It is JSON, and neither a card nor a lorebook.
    #[error(
        "it is neither a character card nor a lorebook: it has no `name`, no `description` and no `entries`"
    )]
    NotACard,
}
