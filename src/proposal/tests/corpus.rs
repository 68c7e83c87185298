//! Replies that real models wrote: a file for each in `tests/fixtures/replies`, with where it was seen. The next report is one file
//! more.

use super::*;
use serde::Deserialize;

/// A reply, and what the character says; `None`: the reply is refused.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Seen {
    seen: String,
    reply: String,
    says: Option<String>,
}

#[test]
fn p15_replies_of_real_models_say_what_their_author_meant() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/replies");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().path())
        .collect();
    files.sort();
    assert!(files.len() > 60);
    let own = ["Eldrin".to_owned(), "wizard_001".to_owned()];
    let others: LabelNames = ["Ann", "player", "Mildred"].into_iter().collect();
    let options = ParseOptions {
        speaker_names: &own,
        other_names: &others,
        ..ParseOptions::default()
    };
    let mut wrong = Vec::new();
    for file in files {
        let name = file.display();
        let text = std::fs::read_to_string(&file).unwrap();
        let seen: Seen = ron::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(!seen.seen.is_empty(), "{name}");
        let says = |read: Result<Proposal, InvalidFormat>| read.ok().map(|read| read.dialogue);
        let said = says(parse(seen.reply.as_bytes(), &options));
        if said != seen.says {
            wrong.push(format!("{name}: {said:?}"));
        }
        // Cut into chunks of any size it says the same, or it is refused because its end takes back what was heard.
        for size in [1, 3, 16] {
            let mut reader = ReplyReader::default();
            let mut heard = None;
            for chunk in seen.reply.as_bytes().chunks(size) {
                reader.push(chunk);
            }
            reader.end(Finish::Stop);
            while let Some(part) = reader.next_part(&options) {
                if part == ReplyPart::End {
                    heard = Some(reader.proposed().dialogue.clone());
                }
            }
            let is_taken_back = heard.is_none() && seen.reply.contains("</think");
            if !(heard == seen.says || is_taken_back) {
                wrong.push(format!("{name} by {size}: {heard:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
