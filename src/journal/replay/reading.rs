//! What a replay reads from records. A record is believed only when its seals are whole.

use super::error::ReplayError;
use super::recording::Recorded;
use crate::engine::{EngineError, EngineErrorKind, ReplayedReply};
use crate::journal::capture::Assets;
use crate::journal::record::Record;
use crate::journal::record_body::RecordedReply;
use crate::journal::saved_game::{SavedGame, StateRow};
use crate::npc::Request;
use crate::proposal::Finish;
use crate::rules::TriggerReason;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// The field of the record with this number that is not what was sealed; `None` when all of it is.
pub(super) fn broken_seal_at(record: &Record, seq: u64) -> Option<String> {
    if record.seq == seq {
        record.broken_seal()
    } else {
        Some("seq".to_owned())
    }
}

/// A source is used only when it is the one that a record names.
pub(super) fn check_assets(record: &Record, assets: &Assets) -> Result<(), ReplayError> {
    let game = record.body.get("game");
    let cast = game.and_then(|game| game.get("cast")?.as_object());
    let named = cast.into_iter().flat_map(|cast| cast.values());
    let story = game.and_then(|game| game.get("story"));
    let named = named.chain(story).chain(record.body.get("asset"));
    for hash in named.filter_map(Value::as_str) {
        let source = assets.get(hash);
        if source.is_some_and(|source| source.digest().to_hex() != hash) {
            return Err(ReplayError::Asset {
                seq: record.seq,
                why: format!("the source of {hash} is not what was recorded"),
            });
        }
    }
    Ok(())
}

/// The game that a checkpoint holds, in one piece or in parts.
pub(super) fn game_at(
    recording: &dyn Recorded,
    checkpoint: &Record,
) -> Result<SavedGame, ReplayError> {
    let parts = checkpoint.body.get("parts").and_then(Value::as_u64);
    let whole = checkpoint
        .body
        .get("game")
        .is_some_and(|game| !game.is_null());
    let Some(parts) = parts.filter(|_| !whole) else {
        return field(checkpoint, "game");
    };
    let mut rows: Vec<StateRow> = Vec::new();
    for seq in (1..=parts).map_while(|part| checkpoint.seq.checked_add(part)) {
        let part = recording.record(seq)?;
        let more: Vec<StateRow> = field(&part, "rows")?;
        rows.extend(more);
    }
    SavedGame::from_rows(&rows).map_err(|error| ReplayError::Unreadable {
        seq: checkpoint.seq,
        field: "game",
        why: error.to_string(),
    })
}

pub(super) fn field<T: DeserializeOwned>(
    record: &Record,
    name: &'static str,
) -> Result<T, ReplayError> {
    let value = record.body.get(name).cloned().unwrap_or(Value::Null);
    serde_json::from_value(value).map_err(|error| ReplayError::Unreadable {
        seq: record.seq,
        field: name,
        why: error.to_string(),
    })
}

/// An interaction's context, as far as a request is made of it.
#[derive(Deserialize)]
pub(super) struct Context {
    reason: TriggerReason,
    pub npc: String,
    speaker: Option<String>,
    input: Option<String>,
    scene: Option<String>,
    tags: Vec<String>,
    trigger_id: Option<String>,
    prompt: Option<String>,
}

impl From<Context> for Request {
    fn from(context: Context) -> Self {
        Self {
            reason: context.reason,
            speaker: context.speaker,
            input: context.input,
            trigger_id: context.trigger_id,
            prompt: context.prompt,
            scene: context.scene,
            tags: context.tags,
        }
    }
}

/// What the engine gives again; nothing for an attempt that made no call.
pub(super) fn replayed(reply: &RecordedReply) -> Option<ReplayedReply> {
    let failure = match &reply.error {
        None => None,
        Some((kind, _)) if kind == "ContextLimit" => return None,
        Some((kind, _)) if kind == "Deadline" => Some(EngineError::Expired),
        Some((kind, message)) => {
            let kind = match kind.as_str() {
                "Timeout" => EngineErrorKind::Timeout,
                "Oversized" => EngineErrorKind::Oversized,
                "NotUtf8" => EngineErrorKind::NotUtf8,
                _ => EngineErrorKind::Transport,
            };
            let message = message.clone();
            Some(EngineError::Recorded { kind, message })
        }
    };
    Some(ReplayedReply {
        bytes: reply.bytes(),
        chunk_ends: reply.chunk_ends.clone(),
        finish: if reply.cut {
            Finish::Length
        } else {
            Finish::Stop
        },
        failure,
        pending: reply.pending,
    })
}
