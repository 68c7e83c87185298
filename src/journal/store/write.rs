//! Commits: an entry, its texts and its changes of the state, in one transaction.
//!
//! Sizes are checked and bodies are packed before the transaction begins, because packing takes longer than writing and
//! others may want to write. The number of each entry is compared with the end of the file inside the transaction,
//! because another process may have written meanwhile. After an error nothing of any commit is in the file.

use super::chain::{Link, text_hash};
use super::error::StoreProblem;
use super::schema::{End, end_of};
use super::texts::{PACKED_KIND, Packed, pack};
use super::{Commit, MOST_BYTES};
use rusqlite::{Connection, OptionalExtension, TransactionBehavior, params};
use std::collections::BTreeMap;

/// The most bytes of a kind and a subject together.
const MOST_NAMES: usize = 1 << 15;

/// Writes all commits or none, and returns the new end of the chain.
pub(super) fn commit(connection: &mut Connection, commits: &[Commit]) -> Result<End, StoreProblem> {
    // Before the transaction begins: packing takes longer than writing, and others may want to write.
    let packed = commits
        .iter()
        .map(checked_and_packed)
        .collect::<Result<Vec<_>, _>>()?;
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // From the file, not from memory: somebody else may have written.
    let mut end = end_of(&tx)?;
    for (commit, packed) in commits.iter().zip(&packed) {
        end = append(&tx, &end, commit, packed)?;
    }
    tx.commit()?;
    Ok(end)
}

fn checked_and_packed(commit: &Commit) -> Result<Packed, StoreProblem> {
    let subject = commit.subject.as_ref().map_or(0, String::len);
    within(
        "a kind and a subject",
        commit.kind.len() + subject,
        MOST_NAMES,
    )?;
    for row in &commit.state {
        let value = row.value.as_ref().map_or(0, String::len);
        let length = row.kind.len() + row.key.len() + value;
        within("a state row", length, MOST_BYTES)?;
    }
    for text in &commit.blobs {
        within("a text", text.len(), MOST_BYTES)?;
    }
    within("a body", commit.body.len(), MOST_BYTES)?;
    let packed = stored_form(&commit.kind, &commit.body);
    within("a body", packed.stored.len(), MOST_BYTES)?;
    Ok(packed)
}

fn within(what: &'static str, bytes: usize, most: usize) -> Result<(), StoreProblem> {
    if bytes <= most {
        return Ok(());
    }
    Err(StoreProblem::TooLarge {
        what,
        bytes: bytes as u64,
        most: most as u64,
    })
}

/// How a body of a kind is stored.
pub(super) fn stored_form(kind: &str, body: &str) -> Packed {
    if kind == PACKED_KIND {
        return pack(body);
    }
    Packed {
        stored: body.to_owned(),
        texts: BTreeMap::new(),
    }
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
    let link = Link {
        sum: end.sum,
        seq: commit.seq,
        kind: &commit.kind,
        game_ms: commit.game_ms,
        subject: commit.subject.as_deref(),
        body: &commit.body,
    };
    end.hash = link.hash(&end.hash);
    end.seq = commit.seq;
    for text in &commit.blobs {
        keep_text(connection, &text_hash(text), text)?;
    }
    insert(connection, &link, &end.hash, packed)?;
    Ok(end)
}

/// Writes one record and the texts that it refers to.
pub(super) fn insert(
    connection: &Connection,
    link: &Link<'_>,
    hash: &[u8; 32],
    packed: &Packed,
) -> Result<(), StoreProblem> {
    for (hash, text) in &packed.texts {
        keep_text(connection, hash, text)?;
    }
    let seq = i64::try_from(link.seq).map_err(|_| StoreProblem::corrupt("no number is left"))?;
    connection
        .prepare_cached(
            "INSERT INTO records(seq, kind, game_ms, subject, body, state_sum, hash) \
             VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        )?
        .execute(params![
            seq,
            link.kind,
            link.game_ms,
            link.subject,
            packed.stored,
            link.sum.to_bytes(),
            hash
        ])?;
    Ok(())
}

fn keep_text(connection: &Connection, hash: &[u8; 32], text: &str) -> Result<(), StoreProblem> {
    connection
        .prepare_cached(
            "INSERT INTO texts(hash, text) VALUES(?1, ?2) ON CONFLICT(hash) DO NOTHING",
        )?
        .execute(params![hash, text])?;
    Ok(())
}

fn change_state(
    connection: &Connection,
    end: &mut End,
    commit: &Commit,
) -> Result<(), StoreProblem> {
    if commit.replaces_state {
        connection
            .prepare_cached("DELETE FROM state")?
            .execute([])?;
        end.sum = Default::default();
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
