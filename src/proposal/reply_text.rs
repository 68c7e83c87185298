//! The text of a reply, before anything is read from it.

use super::invalid::{InvalidFormat, InvalidKind};
use super::options::ParseOptions;
use super::sanitise::Spoken;

/// The most bytes that a reply may have: 256 KiB. A longer one is `InvalidKind::Oversized`.
pub(crate) const MAX_REPLY_BYTES: usize = 256 * 1024;

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
///
/// # Errors
/// `InvalidKind::Truncated` where there is none.
pub(super) fn whole_sentences(
    spoken: Spoken,
    options: &ParseOptions,
) -> Result<Spoken, InvalidFormat> {
    let kept = spoken.whole_sentences(options.lexicon);
    match kept.line.is_empty() {
        false => Ok(kept),
        true => Err(InvalidFormat::new(
            InvalidKind::Truncated,
            "the reply was cut before its first whole sentence ended",
        )),
    }
}
