//! The SQL of each call, and the checks that notice damage. Nothing here knows threads or paths.

use loopwright_core::json::Digest;
use loopwright_runtime::journal::{Head, JournalError, RunEntry, RunId, Stored, Word};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension, Row, Transaction, TransactionBehavior};

use crate::reason::Trouble;

pub(crate) fn create(connection: &mut Connection, run: &RunId, created_at_ms: u64) -> Result<(), Trouble> {
    const INSERT: &str = "INSERT INTO runs (id, created_at_ms, length, digest) VALUES (?1, ?2, ?3, ?4) \
                          ON CONFLICT (id) DO NOTHING";
    let transaction = writing(connection)?;
    let head = (Head::EMPTY.length, Head::EMPTY.digest.to_string());
    let added = transaction.prepare_cached(INSERT)?.execute((run.as_str(), created_at_ms, head.0, head.1))?;
    if added == 0 {
        return Err(JournalError::RunExists { run: run.clone() }.into());
    }
    Ok(transaction.commit()?)
}

pub(crate) fn append(
    connection: &mut Connection,
    run: &RunId,
    expected: Head,
    facts: &[Vec<u8>],
    taken: &[u64],
) -> Result<Head, Trouble> {
    const FACT: &str = "INSERT INTO facts (run, sequence, digest, bytes) VALUES (?1, ?2, ?3, ?4)";
    const HEAD: &str = "UPDATE runs SET length = ?2, digest = ?3 WHERE number = ?1";
    const TAKE: &str = "UPDATE words SET taken_at_length = ?3 WHERE run = ?1 AND id = ?2 AND taken_at_length IS NULL";
    let transaction = writing(connection)?;
    let (number, found) = number_and_head(&transaction, run)?;
    if found != expected {
        let (expected, found) = (expected.length, found.length);
        return Err(JournalError::Moved { run: run.clone(), expected, found }.into());
    }
    let mut head = found;
    {
        let mut insert = transaction.prepare_cached(FACT)?;
        for bytes in facts {
            let digest = Digest::of(bytes);
            head = Head { length: head.length + 1, digest };
            insert.execute((number, head.length, digest.to_string(), bytes))?;
        }
        transaction.prepare_cached(HEAD)?.execute((number, head.length, head.digest.to_string()))?;
        let mut take = transaction.prepare_cached(TAKE)?;
        for word in taken {
            take.execute((number, word, head.length))?;
        }
    }
    transaction.commit()?;
    Ok(head)
}

pub(crate) fn read(connection: &mut Connection, run: &RunId) -> Result<Stored, Trouble> {
    const SELECT: &str = "SELECT sequence, digest, bytes FROM facts WHERE run = ?1 ORDER BY sequence";
    // One snapshot, so that head and facts belong together while another process appends.
    let transaction = connection.transaction()?;
    let (number, head) = number_and_head(&transaction, run)?;
    let mut facts = Vec::new();
    let mut statement = transaction.prepare_cached(SELECT)?;
    let mut rows = statement.query([number])?;
    while let Some(row) = rows.next()? {
        facts.push(checked_fact(row, run, facts.len() as u64 + 1)?);
    }
    check_head(run, &facts, head)?;
    Ok(Stored { facts, head })
}

pub(crate) fn post(connection: &mut Connection, run: &RunId, word: &[u8]) -> Result<u64, Trouble> {
    const INSERT: &str = "INSERT INTO words (run, bytes) VALUES (?1, ?2) RETURNING id";
    let transaction = writing(connection)?;
    let (number, _) = number_and_head(&transaction, run)?;
    let id = transaction.prepare_cached(INSERT)?.query_row((number, word), |row| row.get(0))?;
    transaction.commit()?;
    Ok(id)
}

pub(crate) fn words(connection: &mut Connection, run: &RunId) -> Result<Vec<Word>, Trouble> {
    const SELECT: &str = "SELECT id, bytes FROM words WHERE run = ?1 AND taken_at_length IS NULL ORDER BY id";
    let transaction = connection.transaction()?;
    let (number, _) = number_and_head(&transaction, run)?;
    let mut statement = transaction.prepare_cached(SELECT)?;
    let words = statement.query_map([number], |row| Ok(Word { id: row.get(0)?, bytes: row.get(1)? }))?;
    Ok(words.collect::<Result<_, _>>()?)
}

pub(crate) fn summarise(connection: &mut Connection, run: &RunId, length: u64, summary: &[u8]) -> Result<(), Trouble> {
    const UPDATE: &str = "UPDATE runs SET summary_length = ?2, summary = ?3 WHERE number = ?1";
    let transaction = writing(connection)?;
    let (number, _) = number_and_head(&transaction, run)?;
    transaction.prepare_cached(UPDATE)?.execute((number, length, summary))?;
    Ok(transaction.commit()?)
}

pub(crate) fn runs(connection: &mut Connection) -> Result<Vec<RunEntry>, Trouble> {
    const SELECT: &str = "SELECT id, created_at_ms, length, digest, summary_length, summary FROM runs ORDER BY number";
    let mut statement = connection.prepare_cached(SELECT)?;
    let mut rows = statement.query([])?;
    let mut entries = Vec::new();
    while let Some(row) = rows.next()? {
        let name: String = row.get(0)?;
        // An id that is none can only come from damage; it is shown as it stands.
        let run = RunId::new(name.as_str()).map_err(|_| damaged(&name, 1, "the run's id is illegal"))?;
        let head = head(&run, row.get(2)?, &row.get::<_, String>(3)?)?;
        let summary = row.get::<_, Option<u64>>(4)?.zip(row.get(5)?);
        entries.push(RunEntry { run, created_at_ms: row.get(1)?, head, summary });
    }
    Ok(entries)
}

/// Checks that a run is there.
pub(crate) fn find(connection: &mut Connection, run: &RunId) -> Result<(), Trouble> {
    number_and_head(connection, run).map(|_| ())
}

/// Takes the write lock at the start, so that what is read inside cannot change before it is written.
fn writing(connection: &mut Connection) -> rusqlite::Result<Transaction<'_>> {
    connection.transaction_with_behavior(TransactionBehavior::Immediate)
}

fn number_and_head(connection: &Connection, run: &RunId) -> Result<(i64, Head), Trouble> {
    const SELECT: &str = "SELECT number, length, digest FROM runs WHERE id = ?1";
    let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get::<_, String>(2)?));
    let found = connection.prepare_cached(SELECT)?.query_row([run.as_str()], read).optional()?;
    let (number, length, digest) = found.ok_or_else(|| JournalError::UnknownRun { run: run.clone() })?;
    Ok((number, head(run, length, &digest)?))
}

fn head(run: &RunId, length: u64, digest: &str) -> Result<Head, JournalError> {
    let digest = digest
        .parse()
        .map_err(|_| damaged(run.as_str(), length.max(1), "the remembered digest of the last fact is unreadable"))?;
    Ok(Head { length, digest })
}

/// A fact's bytes, if the row has the expected place and its digest is that of the bytes.
fn checked_fact(row: &Row<'_>, run: &RunId, expected: u64) -> Result<Vec<u8>, Trouble> {
    let damage = |reason: &str| Trouble::from(damaged(run.as_str(), expected, reason));
    let ValueRef::Integer(sequence) = row.get_ref(0)? else { return Err(damage("its sequence number is unreadable")) };
    if u64::try_from(sequence) != Ok(expected) {
        return Err(damage("the fact is missing"));
    }
    let (ValueRef::Text(digest), ValueRef::Blob(bytes)) = (row.get_ref(1)?, row.get_ref(2)?) else {
        return Err(damage("its row is unreadable"));
    };
    if Digest::of(bytes).to_string().as_bytes() != digest {
        return Err(damage("its bytes are not those that were stored"));
    }
    Ok(bytes.to_vec())
}

/// Compares the facts that are there with the head that was remembered apart from them.
fn check_head(run: &RunId, facts: &[Vec<u8>], head: Head) -> Result<(), JournalError> {
    let there = Head::EMPTY.after(facts);
    if there.length < head.length {
        let reason = format!("the tail is cut: {} facts were stored and {} are there", head.length, there.length);
        return Err(damaged(run.as_str(), there.length + 1, &reason));
    }
    if there.length > head.length {
        let reason = format!("there are {} facts where {} were stored", there.length, head.length);
        return Err(damaged(run.as_str(), head.length + 1, &reason));
    }
    if there.digest != head.digest {
        let reason = "its digest is not the one remembered as the last";
        return Err(damaged(run.as_str(), head.length.max(1), reason));
    }
    Ok(())
}

/// Damage at a fact, counted from 1.
fn damaged(run: &str, fact: u64, reason: &str) -> JournalError {
    JournalError::Damaged { run: run.into(), fact, reason: reason.into() }
}
