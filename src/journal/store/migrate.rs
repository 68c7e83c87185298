//! From format 1 to format 2.
//!
//! Format 1 had no subjects, left them out of its hashes and kept no texts apart. The old chain is verified from
//! end to end, and only then every entry gets its hash of format 2, with no subject. So the new chain vouches
//! for what the old one vouched for. The hashes themselves are others: a head that was noted down under format 1
//! can only be compared before the migration.

use super::chain::NO_ENTRY;
use super::error::StoreProblem;
use super::read::{Layout, verify, verify_chain, walk_state};
use super::schema::{FORMAT, checked_format, connect_private, create, create_tables};
use super::write::{insert, stored_form};
use rusqlite::{Connection, TransactionBehavior};

/// What the old records are called while both tables are in one file.
const MOVED_AWAY: &str = "records_1";

/// Migrates the file itself, in one transaction.
pub(super) fn in_place(connection: &mut Connection) -> Result<(), StoreProblem> {
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    if checked_format(&tx)? == FORMAT {
        // Another process did it while this one waited.
        return Ok(());
    }
    verify(&tx, Layout::One("records"))?;
    tx.execute_batch(&format!("ALTER TABLE records RENAME TO {MOVED_AWAY}"))?;
    create_tables(&tx, |name| name != "state")?;
    move_records(&tx, MOVED_AWAY, &tx)?;
    tx.execute_batch(&format!("DROP TABLE {MOVED_AWAY}"))?;
    tx.pragma_update(None, "user_version", FORMAT)?;
    Ok(tx.commit()?)
}

/// Makes a private journal of the current format, and leaves the old one as it is.
pub(super) fn in_private(old: &Connection) -> Result<Connection, StoreProblem> {
    let private = connect_private()?;
    create(&private)?;
    let snapshot = old.unchecked_transaction()?;
    verify(&snapshot, Layout::One("records"))?;
    let tx = private.unchecked_transaction()?;
    move_records(&snapshot, "records", &tx)?;
    let mut put = tx.prepare("INSERT INTO state(kind, key, value) VALUES(?1, ?2, ?3)")?;
    walk_state(&snapshot, |kind, key, value| {
        put.execute([kind, key, value])?;
        Ok(())
    })?;
    drop(put);
    tx.commit()?;
    Ok(private)
}

fn move_records(
    old: &Connection,
    table: &'static str,
    new: &Connection,
) -> Result<(), StoreProblem> {
    let mut previous = NO_ENTRY;
    verify_chain(old, Layout::One(table), |record| {
        let link = record.link();
        previous = link.hash(&previous);
        let stored = stored_form(&record.entry.kind, &record.entry.body);
        insert(new, &link, &previous, &stored)
    })?;
    Ok(())
}
