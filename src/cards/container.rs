//! What a card comes in: JSON, a PNG picture, or an archive.

use super::bounds::{CardError, MAX_FILE_BYTES, MAX_TEXT_BYTES};
use super::left_out::Notes;
use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use std::io::{Cursor, Read};

/// Some programs leave the padding out.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);
/// Where a picture keeps its card, the newer form first.
const KEYWORDS: [&str; 2] = ["ccv3", "chara"];

/// The JSON of a card or a lorebook. What the bytes are, they say themselves: names of files are often wrong.
pub(super) fn json_of(bytes: &[u8], notes: &mut Notes) -> Result<String, CardError> {
    if bytes.len() > MAX_FILE_BYTES {
        return Err(CardError::TooLarge(bytes.len()));
    }
    match bytes {
        [0x89, b'P', b'N', b'G', ..] => of_picture(bytes),
        [b'P', b'K', 3, 4, ..] => of_archive(bytes, notes),
        // An archive may follow a picture, which programs show for it.
        [0xff, 0xd8, ..] => match of_archive(bytes, notes) {
            Err(CardError::Damaged(..)) => Err(CardError::OtherPicture("JPEG")),
            read => read,
        },
        [
            b'R',
            b'I',
            b'F',
            b'F',
            _,
            _,
            _,
            _,
            b'W',
            b'E',
            b'B',
            b'P',
            ..,
        ] => Err(CardError::OtherPicture("WebP")),
        _ => text(bytes.to_vec()),
    }
}

fn text(bytes: Vec<u8>) -> Result<String, CardError> {
    if bytes.len() > MAX_TEXT_BYTES {
        return Err(CardError::TooMuchText);
    }
    let text = String::from_utf8(bytes);
    let text = text.map_err(|_| CardError::NotJson("it is not UTF-8".to_owned()))?;
    Ok(text.trim_start_matches('\u{feff}').to_owned())
}

fn of_picture(bytes: &[u8]) -> Result<String, CardError> {
    let damaged = |error: png::DecodingError| match error {
        png::DecodingError::LimitsExceeded => CardError::TooMuchText,
        error => CardError::Damaged("picture", error.to_string()),
    };
    let mut options = png::DecodeOptions::default();
    options.set_skip_ancillary_crc_failures(false);
    let mut decoder = png::Decoder::new_with_options(Cursor::new(bytes), options);
    // Base64 needs four bytes for three, and a picture may hold its card in both forms.
    decoder.set_limits(png::Limits {
        bytes: MAX_FILE_BYTES,
    });
    let mut reader = decoder.read_info().map_err(damaged)?;
    if let Some(found) = in_chunks(reader.info()) {
        return found;
    }
    // Some programs write it after the picture.
    reader.finish().map_err(damaged)?;
    in_chunks(reader.info()).unwrap_or(Err(CardError::NoCardInPicture))
}

fn in_chunks(info: &png::Info) -> Option<Result<String, CardError>> {
    let plain = info.uncompressed_latin1_text.iter();
    let plain = plain.map(|chunk| (&chunk.keyword, Ok(chunk.text.clone())));
    let packed = info.compressed_latin1_text.iter();
    let packed = packed.map(|chunk| {
        (
            &chunk.keyword,
            unpacked(chunk.clone(), |chunk| {
                chunk.decompress_text_with_limit(2 * MAX_TEXT_BYTES)?;
                chunk.get_text()
            }),
        )
    });
    let unicode = info.utf8_text.iter();
    let unicode = unicode.map(|chunk| {
        (
            &chunk.keyword,
            unpacked(chunk.clone(), |chunk| {
                chunk.decompress_text_with_limit(2 * MAX_TEXT_BYTES)?;
                chunk.get_text()
            }),
        )
    });
    let found: Vec<_> = plain.chain(packed).chain(unicode).collect();
    let of = |keyword| {
        found
            .iter()
            .find(|(name, _)| name.eq_ignore_ascii_case(keyword))
    };
    let (_, text) = KEYWORDS.into_iter().find_map(of)?;
    Some(text.clone().and_then(decoded))
}

/// The text of a chunk that may be compressed.
fn unpacked<C>(
    mut chunk: C,
    unpack: impl FnOnce(&mut C) -> Result<String, png::DecodingError>,
) -> Result<String, CardError> {
    unpack(&mut chunk).map_err(|error| CardError::Damaged("picture", error.to_string()))
}

/// The JSON of a picture's text: base64, or as it is.
fn decoded(written: String) -> Result<String, CardError> {
    if written.trim_start().starts_with('{') {
        return text(written.into_bytes());
    }
    let packed: Vec<u8> = written
        .bytes()
        .filter(|b| !b.is_ascii_whitespace())
        .collect();
    let json = BASE64.decode(packed);
    let json = json.map_err(|error| CardError::Damaged("picture", error.to_string()))?;
    text(json)
}

fn of_archive(bytes: &[u8], notes: &mut Notes) -> Result<String, CardError> {
    let damaged = |error: zip::result::ZipError| CardError::Damaged("archive", error.to_string());
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).map_err(damaged)?;
    let others = archive.len().saturating_sub(1);
    let card = archive.by_name("card.json").map_err(damaged)?;
    let mut json = Vec::new();
    // An archive may say that a file is small, and unpack without end.
    card.take(MAX_TEXT_BYTES as u64 + 1)
        .read_to_end(&mut json)
        .map_err(|error| CardError::Damaged("archive", error.to_string()))?;
    if others > 0 {
        notes.note(
            format!("{others} other files of the archive"),
            "only the card is read",
        );
    }
    text(json)
}
