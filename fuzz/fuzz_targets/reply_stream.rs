//! Any bytes, in any chunks: the same parts, and at the end what the whole reply says.
#![no_main]

use bevy_dramatis::proposal::{Finish, ParseOptions, ReplyPart, ReplyReader, parse};
use libfuzzer_sys::fuzz_target;

/// All parts of a reply that comes in chunks of `every` bytes, each with the line up to it.
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
    let read = reader.read_bytes();
    (parts, read)
}

fuzz_target!(|data: &[u8]| {
    let (every, bytes) = match data.split_first() {
        Some((first, rest)) => (usize::from(*first % 16) + 1, rest),
        None => return,
    };
    let (told, read) = parts(bytes, every);
    assert_eq!((&told, read), (&parts(bytes, bytes.len()).0, parts(bytes, bytes.len()).1));
    if let Some((ReplyPart::End, line)) = told.last() {
        let whole = parse(bytes, &ParseOptions::default()).expect("a reply that was read to its end");
        assert_eq!(&whole.dialogue, line);
    }
});
