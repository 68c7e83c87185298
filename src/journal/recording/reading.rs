//! What a replay reads from records. A record is believed only when its seals are whole.

use super::error::ReplayError;
use crate::engine::{EngineError, EngineErrorKind, EngineIdentity, ReplayedReply};
use crate::journal::game::capture::Assets;
use crate::journal::game::saved_game::{SavedGame, StateRow};
use crate::journal::record::{
    CheckpointBody, EncodedRecord, FieldError, NotRead, ReadRecord, RecordBody, RecordKind,
    RecordedReply,
};
use crate::journal::recording::Recorded;
use crate::proposal::Finish;

/// What the record in this place says; the name of a field where it is not what was sealed.
pub(crate) fn said(
    read: ReadRecord,
    seq: u64,
) -> Result<(EncodedRecord, Result<RecordBody<'static>, String>), ReplayError> {
    let ReadRecord { record, says } = read;
    let says = match says {
        _ if record.seq != seq => Err("seq".to_owned()),
        Ok(body) => Ok(body),
        Err(NotRead::BrokenSeal(field)) => Err(field),
        Err(NotRead::Field(error)) => return Err(unreadable(&record, error)),
    };
    Ok((record, says))
}

/// What a record says.
pub(crate) fn read(record: &EncodedRecord) -> Result<RecordBody<'static>, ReplayError> {
    record.read().map_err(|error| unreadable(record, error))
}

fn unreadable(record: &EncodedRecord, error: FieldError) -> ReplayError {
    ReplayError::Unreadable {
        seq: record.seq,
        field: error.field,
        why: error.why,
    }
}

/// Makes sure that every source that a record names is the recorded one. An unreadable source is reported when the replay
/// reaches the record.
pub(crate) fn check_assets(record: &EncodedRecord, assets: &Assets) -> Result<(), ReplayError> {
    let body = record.kind.names_assets().then(|| record.read().ok());
    let body = body.flatten();
    for hash in body.map(|body| body.assets()).unwrap_or_default() {
        let source = assets.get(&hash);
        if source.is_some_and(|source| source.digest().to_hex() != hash) {
            return Err(ReplayError::Asset {
                seq: record.seq,
                why: format!("the source of {hash} is not what was recorded"),
            });
        }
    }
    Ok(())
}

/// The game that a checkpoint holds, in one piece or in the parts that follow it.
pub(crate) fn game_of(
    recording: &dyn Recorded,
    seq: u64,
    checkpoint: CheckpointBody,
) -> Result<SavedGame, ReplayError> {
    let unreadable = |why: String| ReplayError::Unreadable {
        seq,
        field: "game",
        why,
    };
    if let Some(game) = checkpoint.game {
        return Ok(game);
    }
    let parts = checkpoint.parts.unwrap_or_default();
    if parts == 0 {
        return Err(unreadable("the game is missing".to_owned()));
    }
    let mut rows: Vec<StateRow> = Vec::new();
    for part in (1..=parts).map_while(|part| seq.checked_add(part)) {
        match read(&recording.encoded(part)?)? {
            RecordBody::Part(part) => rows.extend(part.rows),
            _ => return Err(unreadable(format!("record {part} is not a part of it"))),
        }
    }
    SavedGame::from_rows(&rows).map_err(|error| unreadable(error.to_string()))
}

/// The game that a recording begins with.
pub(crate) fn first_game(recording: &dyn Recorded) -> Result<SavedGame, ReplayError> {
    match recording.count() {
        0 => Err(ReplayError::NoCheckpoint),
        _ => checkpoint_game(recording, recording.first()),
    }
}

/// The game that the checkpoint with this number holds.
pub(crate) fn checkpoint_game(
    recording: &dyn Recorded,
    seq: u64,
) -> Result<SavedGame, ReplayError> {
    let record = recording.encoded(seq)?;
    if record.kind != RecordKind::Checkpoint {
        return Err(ReplayError::NoCheckpoint);
    }
    match read(&record)? {
        RecordBody::Checkpoint(body) => game_of(recording, seq, *body),
        _ => Err(ReplayError::NoCheckpoint),
    }
}

/// What the engine gives again; `None` for an attempt that made no call.
pub(crate) fn replayed(reply: &RecordedReply) -> Option<ReplayedReply> {
    let failure = match &reply.error {
        None => None,
        Some((kind, _)) if kind == "ContextLimit" => return None,
        Some((kind, message)) if kind == "Deadline" => {
            let passed = EngineError::EXPIRED.to_string();
            let more = message.strip_prefix(&passed).unwrap_or_default();
            Some(EngineError::Expired {
                recorded: more.to_owned(),
            })
        }
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

/// Which model a recording was made with: that of the default engine when it began.
pub(crate) fn identity_of(recording: &dyn Recorded) -> Result<EngineIdentity, ReplayError> {
    let missing = || ReplayError::Unreadable {
        seq: recording.first(),
        field: "identity",
        why: "the settings do not hold it".to_owned(),
    };
    let settings = first_game(recording)?.settings;
    settings.get("identity").ok_or_else(missing)
}
