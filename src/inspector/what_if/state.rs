//! What the user tries out.

use super::judged_record::JudgedRecord;
use super::judging::{Judging, Question};
use crate::authoring::asset_source::{AssetKind, AssetSource};
use crate::base::ids::Id;
use crate::replay::regate::ReplyKey;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What the user tries out in the journal: other replies and other rules for what was recorded. What was not edited is judged
/// as it was recorded, and by the files as the game has them now. A game can set it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WhatIf {
    /// The raw replies that were edited.
    pub(crate) replies: BTreeMap<ReplyKey, String>,
    /// The texts of `.npc.ron` files that were edited, by the id of the character.
    pub characters: BTreeMap<Id, String>,
    /// The text of the `.story.ron` file; `None` where it was not edited.
    pub story: Option<String>,
    /// The texts of files that those name, such as a rulebook, that were edited: by the file that names them, and the path as
    /// written there.
    pub parts: BTreeMap<(String, String), String>,
    /// The file that a scenario is saved to. One that is there is never overwritten.
    pub file: String,
    /// What became of saving, in a sentence; empty before.
    pub(super) saved: String,
    pub(super) judging: Judging,
}

impl Default for WhatIf {
    fn default() -> Self {
        Self {
            replies: BTreeMap::new(),
            characters: BTreeMap::new(),
            story: None,
            parts: BTreeMap::new(),
            file: "what_if.scenario.ron".to_owned(),
            saved: String::new(),
            judging: Judging::default(),
        }
    }
}

/// A file that a record may be judged by.
pub(super) struct RulesFile {
    /// Whose file it is; of the story, whose turn it is.
    pub npc: Id,
    pub source: Arc<AssetSource>,
}

impl WhatIf {
    /// The text that is judged in place of a recorded reply.
    pub(super) fn reply<'a>(&'a self, key: ReplyKey, recorded: &'a str) -> &'a str {
        self.replies.get(&key).map_or(recorded, String::as_str)
    }

    /// A reply has this text now.
    pub(super) fn edit_reply(&mut self, key: ReplyKey, recorded: &str, text: String) {
        if text == recorded {
            self.replies.remove(&key);
        } else {
            self.replies.insert(key, text);
        }
    }

    /// The text that is judged by in place of that of a file.
    pub(super) fn rules<'a>(&'a self, file: &'a RulesFile) -> &'a str {
        let edited = match file.source.kind {
            AssetKind::Npc => self.characters.get(&file.npc),
            AssetKind::Story => self.story.as_ref(),
        };
        edited.unwrap_or(&file.source.text)
    }

    /// A file has this text now.
    pub(super) fn edit_rules(&mut self, file: &RulesFile, text: String) {
        let text = Some(text).filter(|text| *text != file.source.text);
        match (file.source.kind, text) {
            (AssetKind::Npc, Some(text)) => {
                self.characters.insert(file.npc.clone(), text);
            }
            (AssetKind::Npc, None) => {
                self.characters.remove(&file.npc);
            }
            (AssetKind::Story, text) => self.story = text,
        }
    }

    /// The text that is judged by in place of that of a file which another one names.
    pub(super) fn part<'a>(&'a self, file: &str, path: &str, recorded: &'a str) -> &'a str {
        // Few are edited.
        let mut edited = self.parts.iter();
        let edited = edited.find(|((by, named), _)| by == file && named == path);
        edited.map_or(recorded, |(_, text)| text)
    }

    /// A file that another one names has this text now.
    pub(super) fn edit_part(&mut self, file: &str, path: &str, recorded: &str, text: String) {
        let key = (file.to_owned(), path.to_owned());
        if text == recorded {
            self.parts.remove(&key);
        } else {
            self.parts.insert(key, text);
        }
    }

    /// Whether this is what would be asked now. It copies nothing, since it is called in each frame.
    pub(super) fn asks(&self, asked: &Question, run: &JudgedRecord, files: &[RulesFile]) -> bool {
        let mut attempts = run.attempts.iter();
        let same_replies = attempts.all(|attempt| {
            let text = asked.replies.get(&attempt.key).map(String::as_str);
            text == Some(self.reply(attempt.key, &attempt.reply))
        });
        let mut rules = asked.rules.iter().zip(files);
        same_replies
            && asked.rules.len() == files.len()
            && rules.all(|(rule, file)| {
                let mut parts = file.source.parts.iter();
                rule.text == self.rules(file)
                    && parts.all(|(path, text)| {
                        let asked = rule.parts.get(path).map(String::as_str);
                        asked == Some(self.part(&file.source.file, path, text))
                    })
            })
    }

    /// The question when the user lets this run be judged again. It names all replies, so that both verdicts on each are
    /// reported.
    pub(super) fn question(&self, run: &JudgedRecord, files: &[RulesFile]) -> Question {
        let replies = run.attempts.iter();
        Question {
            seq: run.seq,
            kind: run.kind,
            replies: replies
                .map(|attempt| {
                    let text = self.reply(attempt.key, &attempt.reply);
                    (attempt.key, text.to_owned())
                })
                .collect(),
            rules: files
                .iter()
                .map(|file| AssetSource {
                    text: self.rules(file).to_owned(),
                    parts: file
                        .source
                        .parts
                        .iter()
                        .map(|(path, text)| {
                            let text = self.part(&file.source.file, path, text);
                            (path.clone(), text.to_owned())
                        })
                        .collect(),
                    ..AssetSource::clone(&file.source)
                })
                .collect(),
        }
    }
}
