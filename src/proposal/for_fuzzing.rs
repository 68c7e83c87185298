//! What the fuzz targets check: any bytes, in any chunks, are read in the same way, or refused.

use super::{Finish, ParseOptions, ReplyPart, ReplyReader, parse};

/// Any bytes of a reply give a proposal or an error, the same each time, and no line is longer than its limit.
///
/// # Panics
/// When that does not hold.
pub fn check_reply(data: &[u8]) {
    let names = ["Eldrin".to_owned()];
    for finish in [Finish::Stop, Finish::Length] {
        let options = ParseOptions {
            finish,
            speaker_names: &names,
            ..ParseOptions::default()
        };
        let once = parse(data, &options);
        assert_eq!(once, parse(data, &options));
        let Ok(proposal) = once else { continue };
        assert!(proposal.dialogue.chars().count() <= options.line_chars);
    }
}

/// Any bytes, in any chunks: the same parts, and at the end what the whole reply says.
///
/// # Panics
/// When that does not hold.
pub fn check_stream(data: &[u8]) {
    let Some((first, bytes)) = data.split_first() else {
        return;
    };
    let every = usize::from(*first % 16) + 1;
    let told = parts(bytes, every);
    assert_eq!(told, parts(bytes, bytes.len()));
    if let Some((ReplyPart::End, line)) = told.0.last() {
        let whole = parse(bytes, &ParseOptions::default());
        let whole = whole.expect("a reply that was read to its end");
        assert_eq!(&whole.dialogue, line);
    }
}

/// All parts of a reply that comes in chunks of `every` bytes, each with the line up to it, and how many bytes were read.
fn parts(bytes: &[u8], every: usize) -> (Vec<(ReplyPart, String)>, usize) {
    let options = ParseOptions::default();
    let mut reader = ReplyReader::default();
    let mut parts = Vec::new();
    let chunks = bytes.chunks(every.max(1)).map(Some).chain([None]);
    for chunk in chunks {
        match chunk {
            Some(chunk) => reader.push(chunk),
            None => reader.end(Finish::Stop),
        }
        while let Some(part) = reader.next_part(&options) {
            parts.push((part, reader.proposed().dialogue.clone()));
        }
    }
    (parts, reader.read_bytes())
}
