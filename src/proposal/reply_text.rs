//! The text of a reply, before anything is read from it.

use super::invalid::{InvalidFormat, InvalidKind};
use super::options::ParseOptions;
use super::sanitise;
use super::scan::Reading;

/// The most bytes that a reply may have: 256 KiB (contract row G1). A longer one is [`InvalidKind::Oversized`].
pub const MAX_REPLY_BYTES: usize = 256 * 1024;

/// The text of a reply that is not too long.
pub(super) fn text_of(bytes: &[u8]) -> Result<&str, InvalidFormat> {
    if bytes.len() > MAX_REPLY_BYTES {
        return Err(InvalidFormat::new(
            InvalidKind::Oversized,
            format!(
                "the reply has {} bytes, more than {MAX_REPLY_BYTES}",
                bytes.len()
            ),
        ));
    }
    std::str::from_utf8(bytes).map_err(|e| {
        InvalidFormat::new(
            InvalidKind::NotUtf8,
            format!("the reply is no UTF-8 at byte {}", e.valid_up_to()),
        )
    })
}

/// The whole sentences of prose that was cut.
pub(super) fn whole_sentences(text: &str, options: &ParseOptions) -> Result<String, InvalidFormat> {
    let names = options.speaker_names;
    let end = crate::text::sentence::last_whole_sentence_end(text, options.lexicon);
    match end
        .and_then(|end| text.get(..end))
        .map(|kept| sanitise::speech(kept, Reading::Prose, names))
    {
        Some(kept) if !kept.is_empty() => Ok(kept),
        _ => Err(InvalidFormat::new(
            InvalidKind::Truncated,
            "the reply was cut before its first whole sentence ended",
        )),
    }
}
