//! Commits: an entry, its texts and its changes of the state, in one transaction.
//!
//! Sizes are checked and bodies are packed before the transaction begins, because packing takes longer than writing and
//! others may want to write. The number of each entry is compared with the end of the file inside the transaction,
//! because another process may have written meanwhile. After an error nothing of any commit is in the file.

use super::chain::{Link, StateSum, text_hash};
use super::error::{StoreProblem, within};
use super::read::{MOST_STATE, walk_state};
use super::schema::{End, end_of};
use super::texts::{Packed, Packer};
use super::{Commit, MOST_BYTES, StateRow};
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, OptionalExtension, TransactionBehavior, params};

/// The most bytes of a kind and a subject together.
const MOST_NAMES: usize = 1 << 15;

/// Writes all commits or none, and returns the new end of the chain.
pub(super) fn commit(
    connection: &mut Connection,
    packer: &mut Packer,
    commits: &[Commit],
) -> Result<End, StoreProblem> {
    // Before the transaction begins: packing takes longer than writing, and others may want to write.
    let packed = commits
        .iter()
        .map(|commit| checked_and_packed(packer, commit))
        .collect::<Result<Vec<_>, _>>()?;
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // From the file, not from memory: another program may have written.
    let mut end = end_of(&tx)?;
    for (commit, packed) in commits.iter().zip(&packed) {
        end = append(&tx, &end, commit, packed)?;
    }
    tx.commit()?;
    Ok(end)
}

fn checked_and_packed(packer: &mut Packer, commit: &Commit) -> Result<Packed, StoreProblem> {
    let subject = commit.subject.as_ref().map_or(0, String::len);
    within(
        "a kind and a subject",
        commit.kind.len() + subject,
        MOST_NAMES,
    )?;
    let mut state = 0;
    for row in &commit.state {
        let value = row.value.as_ref().map_or(0, String::len);
        let length = row.kind.len() + row.key.len() + value;
        within("a state row", length, MOST_BYTES)?;
        state += length + size_of::<StateRow>();
    }
    within("a state", state, MOST_STATE)?;
    for text in &commit.blobs {
        within("a text", text.len(), MOST_BYTES)?;
    }
    within("a body", commit.body.len(), MOST_BYTES)?;
    let packed = packer.pack(&commit.kind, &commit.body);
    within("a body", packed.bytes, MOST_BYTES)?;
    Ok(packed)
}

fn append(
    connection: &Connection,
    end: &End,
    commit: &Commit,
    packed: &Packed,
) -> Result<End, StoreProblem> {
    let expected = end.seq + 1;
    if commit.seq != expected {
        return Err(StoreProblem::OutOfOrder {
            expected,
            got: commit.seq,
        });
    }
    let mut end = *end;
    change_state(connection, &mut end, commit)?;
    for text in &commit.blobs {
        keep_text(connection, &mut end.sum, &text_hash(text), text)?;
    }
    for (hash, text) in &packed.texts {
        keep_text(connection, &mut end.sum, hash, text)?;
    }
    let link = Link {
        sum: end.sum,
        seq: commit.seq,
        kind: &commit.kind,
        game_ms: commit.game_ms,
        subject: commit.subject.as_deref(),
        body: &packed.stored,
        bytes: packed.bytes as u64,
    };
    end.hash = link.hash(&end.hash);
    end.seq = commit.seq;
    insert(connection, &link, &end.hash)?;
    Ok(end)
}

/// Writes one record.
pub(super) fn insert(
    connection: &Connection,
    link: &Link<'_>,
    hash: &[u8; 32],
) -> Result<(), StoreProblem> {
    let seq = i64::try_from(link.seq).map_err(|_| StoreProblem::corrupt("no number is left"))?;
    let bytes = i64::try_from(link.bytes).unwrap_or(i64::MAX);
    // An uncompressed body is there as text, for people who look.
    let plain = (link.bytes == link.body.len() as u64)
        .then(|| std::str::from_utf8(link.body).ok())
        .flatten();
    let body = match plain {
        Some(text) => ValueRef::Text(text.as_bytes()),
        None => ValueRef::Blob(link.body),
    };
    let body = ToSqlOutput::Borrowed(body);
    connection
        .prepare_cached(
            "INSERT INTO records(seq, kind, game_ms, subject, body, bytes, state_sum, hash) \
             VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        )?
        .execute(params![
            seq,
            link.kind,
            link.game_ms,
            link.subject,
            body,
            bytes,
            link.sum.to_bytes(),
            hash
        ])?;
    Ok(())
}

/// Keeps a text, if it is not there yet, and counts it in.
pub(super) fn keep_text(
    connection: &Connection,
    sum: &mut StateSum,
    hash: &[u8; 32],
    text: &str,
) -> Result<(), StoreProblem> {
    let new = connection
        .prepare_cached(
            "INSERT INTO texts(hash, text) VALUES(?1, ?2) ON CONFLICT(hash) DO NOTHING",
        )?
        .execute(params![hash, text])?;
    if new > 0 {
        sum.add_text(hash);
    }
    Ok(())
}

fn change_state(
    connection: &Connection,
    end: &mut End,
    commit: &Commit,
) -> Result<(), StoreProblem> {
    if commit.replaces_state {
        walk_state(connection, |kind, key, value| {
            end.sum.remove(kind, key, value);
            Ok(())
        })?;
        connection
            .prepare_cached("DELETE FROM state")?
            .execute([])?;
    }
    let mut old_value =
        connection.prepare_cached("SELECT value FROM state WHERE kind = ?1 AND key = ?2")?;
    let mut put = connection.prepare_cached(
        "INSERT INTO state(kind, key, value) VALUES(?1, ?2, ?3) \
         ON CONFLICT(kind, key) DO UPDATE SET value = excluded.value",
    )?;
    let mut remove = connection.prepare_cached("DELETE FROM state WHERE kind = ?1 AND key = ?2")?;
    for row in &commit.state {
        let old: Option<String> = old_value
            .query_row([&row.kind, &row.key], |found| found.get(0))
            .optional()?;
        if old == row.value {
            continue;
        }
        if let Some(old) = &old {
            end.sum.remove(&row.kind, &row.key, old);
        }
        match &row.value {
            Some(value) => {
                put.execute([&row.kind, &row.key, value])?;
                end.sum.add(&row.kind, &row.key, value);
            }
            None => {
                remove.execute([&row.kind, &row.key])?;
            }
        }
    }
    Ok(())
}
