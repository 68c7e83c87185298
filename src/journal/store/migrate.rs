//! From an older format to the current one.
//!
//! Format 1 had no subjects, left them out of its hashes and kept no texts apart. Format 2 compressed nothing and hashed bodies
//! as they were given. The old chain is verified from end to end, and only then every entry gets its hash of the current
//! format. So the new chain vouches for what the old one vouched for. The hashes themselves are others: a head that was noted
//! down under an older format can only be compared before the migration.

use super::chain::{NO_ENTRY, StateSum, text_hash};
use super::error::StoreProblem;
use super::read::{Layout, verify, verify_chain, walk_state, walk_texts};
use super::schema::{FORMAT, checked_format, connect_private, create, create_tables};
use super::texts::Packer;
use super::write::{insert, keep_text};
use rusqlite::{Connection, TransactionBehavior};

/// What the old records are called while both tables are in one file.
const MOVED_AWAY: &str = "records_of_old";

/// Migrates the file itself, in one transaction.
pub(super) fn in_place(connection: &mut Connection) -> Result<(), StoreProblem> {
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let format = checked_format(&tx)?;
    if format == FORMAT {
        // Another process did it while this one waited.
        return Ok(());
    }
    verify(&tx, Layout::old(format, "records"))?;
    tx.execute_batch(&format!(
        "DROP INDEX IF EXISTS records_by_subject; ALTER TABLE records RENAME TO {MOVED_AWAY}"
    ))?;
    let had_texts = format > 1;
    create_tables(&tx, |name| {
        name.starts_with("records") || name == "texts" && !had_texts
    })?;
    move_records(&tx, Layout::old(format, MOVED_AWAY), &tx)?;
    tx.execute_batch(&format!("DROP TABLE {MOVED_AWAY}"))?;
    tx.pragma_update(None, "user_version", FORMAT)?;
    Ok(tx.commit()?)
}

/// Makes a private journal of the current format, and leaves the old one, which is of this format, as it is.
pub(super) fn in_private(old: &Connection, format: u32) -> Result<Connection, StoreProblem> {
    let private = connect_private()?;
    create(&private)?;
    let snapshot = old.unchecked_transaction()?;
    let layout = Layout::old(format, "records");
    verify(&snapshot, layout)?;
    let tx = private.unchecked_transaction()?;
    if format > 1 {
        walk_texts(&snapshot, |hash, text| {
            keep_text(&tx, &mut StateSum::default(), hash, text)
        })?;
    }
    move_records(&snapshot, layout, &tx)?;
    let mut put = tx.prepare("INSERT INTO state(kind, key, value) VALUES(?1, ?2, ?3)")?;
    walk_state(&snapshot, |kind, key, value| {
        put.execute([kind, key, value])?;
        Ok(())
    })?;
    drop(put);
    tx.commit()?;
    Ok(private)
}

/// Writes the old records again. The texts that they refer to are there already.
fn move_records(old: &Connection, layout: Layout, new: &Connection) -> Result<(), StoreProblem> {
    let mut texts = StateSum::default();
    walk_texts(new, |hash, _| {
        texts.add_text(hash);
        Ok(())
    })?;
    let mut packer = Packer::default();
    let mut previous = NO_ENTRY;
    verify_chain(old, layout, |record| {
        let mut link = record.link;
        let body = record.body(old)?;
        let packed = packer.pack(link.kind, &body);
        for text in packed.texts.values() {
            keep_text(new, &mut texts, &text_hash(text), text)?;
        }
        // The sums of older formats are those of the state alone.
        link.sum.add_sum(texts);
        (link.body, link.bytes) = (&packed.stored, packed.bytes as u64);
        previous = link.hash(&previous);
        insert(new, &link, &previous)
    })?;
    Ok(())
}
