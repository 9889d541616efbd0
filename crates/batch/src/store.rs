//! The results of a batch, in one SQLite file.
//!
//! Guarantees. A result is written in a transaction and is on the disk when [`Store::record`] returns: whoever kills the batch,
//! at any moment, loses no finished task. A task has one result: a second one is dropped, so that a task that several machines
//! have run counts once. Two batches cannot use the same file at once. A batch with other settings (another verifier, other
//! limits) cannot be continued by mistake.
//!
//! Whether a result is right is not in the file but found out when it is read, from what is expected then: a label that was
//! wrong can be mended without running anything again.

use crate::outcome::{Ending, judge};
use crate::{BatchError, Measured, Outcome, Task};
use rusqlite::{Connection, OpenFlags, OptionalExtension as _, params};
use sha2::{Digest as _, Sha256};
use std::fs::{File, TryLockError};
use std::io::Read as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The form of the tables below.
const FORMAT: &str = "unreach-batch 1";

const TABLES: &str = "
CREATE TABLE IF NOT EXISTS about (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS task (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, property TEXT NOT NULL, definition TEXT NOT NULL,
    UNIQUE (name, property));
CREATE TABLE IF NOT EXISTS result (
    task INTEGER PRIMARY KEY REFERENCES task (id), ending TEXT NOT NULL, said TEXT NOT NULL, note TEXT NOT NULL,
    wall REAL NOT NULL, cpu REAL, memory INTEGER, host TEXT NOT NULL);
";

/// A file with results.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    connection: Connection,
    _lock: Option<Lock>,
}

/// A task with what became of it.
#[derive(Clone, PartialEq, Debug)]
pub struct Finished {
    /// The task.
    pub task: Task,
    /// What was seen.
    pub measured: Measured,
    /// Whether it is right.
    pub outcome: Outcome,
}

impl Store {
    /// Opens a file, or makes a new one. `settings` is what must not change between two runs of one batch.
    pub fn open(path: &Path, settings: &str) -> Result<Store, BatchError> {
        let lock = Lock::take(path)?;
        let connection = Connection::open(path).map_err(|error| failed(path, &error))?;
        let store = Store { path: path.to_owned(), connection, _lock: Some(lock) };
        store.prepare(settings)?;
        Ok(store)
    }

    /// Opens the file of another batch for reading. One that was killed in the middle of a transaction is mended first, if it
    /// may be written to.
    pub fn read(path: &Path) -> Result<Store, BatchError> {
        let open = |flags| Connection::open_with_flags(path, flags);
        let connection = open(OpenFlags::SQLITE_OPEN_READ_WRITE)
            .or_else(|_| open(OpenFlags::SQLITE_OPEN_READ_ONLY))
            .map_err(|error| failed(path, &error))?;
        // A batch that writes at the moment is waited for.
        connection.busy_timeout(Duration::from_secs(10)).map_err(|error| failed(path, &error))?;
        let store = Store { path: path.to_owned(), connection, _lock: None };
        match store.about("format")? {
            Some(format) if format == FORMAT => Ok(store),
            _ => Err(BatchError::Store(path.to_owned(), "is no file with results of a batch".to_owned())),
        }
    }

    fn prepare(&self, settings: &str) -> Result<(), BatchError> {
        // A commit returns when the data is on the disk.
        self.check(self.connection.execute_batch("PRAGMA synchronous = FULL; PRAGMA busy_timeout = 10000;"))?;
        self.check(self.connection.execute_batch(&format!("BEGIN IMMEDIATE; {TABLES} COMMIT;")))?;
        let refuse = |why: String| Err(BatchError::Store(self.path.clone(), why));
        match self.about("format")? {
            None => {}
            Some(format) if format == FORMAT => {}
            Some(format) => return refuse(format!("has another form: {format}")),
        }
        match self.about("settings")? {
            Some(before) if before == settings => Ok(()),
            Some(before) => refuse(format!(
                "holds results of other settings; name another file, or use the same\n  before: {before}\n  now:    {settings}"
            )),
            None => {
                let written = self.connection.execute(
                    "INSERT INTO about VALUES ('format', ?1), ('settings', ?2)",
                    params![FORMAT, settings],
                );
                self.check(written).map(|_| ())
            }
        }
    }

    /// What the file says about itself.
    pub fn about(&self, key: &str) -> Result<Option<String>, BatchError> {
        let value =
            self.connection.query_row("SELECT value FROM about WHERE key = ?1", [key], |row| row.get(0));
        self.check(value.optional())
    }

    /// Notes something about the batch itself.
    pub fn set_about(&self, key: &str, value: &str) -> Result<(), BatchError> {
        let set = "INSERT INTO about VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET value = ?2";
        self.check(self.connection.execute(set, [key, value])).map(|_| ())
    }

    /// Makes tasks known; those that are known keep their results.
    pub fn add(&mut self, tasks: &[Task]) -> Result<(), BatchError> {
        let path = self.path.clone();
        let add = |connection: &mut Connection| -> rusqlite::Result<()> {
            let transaction = connection.transaction()?;
            {
                let mut insert = transaction.prepare(
                    "INSERT INTO task (name, property, definition) VALUES (?1, ?2, ?3)
                     ON CONFLICT (name, property) DO UPDATE SET definition = ?3",
                )?;
                for task in tasks {
                    insert.execute(params![task.name, task.property, task.to_json().to_string()])?;
                }
            }
            transaction.commit()
        };
        add(&mut self.connection).map_err(|error| failed(&path, &error))
    }

    /// Writes results; of each task the first one counts. When this returns they are on the disk.
    pub fn record<'a>(
        &mut self,
        results: impl IntoIterator<Item = (&'a Task, &'a Measured)>,
    ) -> Result<(), BatchError> {
        let path = self.path.clone();
        let record = |connection: &mut Connection| -> rusqlite::Result<()> {
            let transaction = connection.transaction()?;
            {
                let mut insert = transaction.prepare(
                    "INSERT OR IGNORE INTO result
                     SELECT id, ?3, ?4, ?5, ?6, ?7, ?8, ?9 FROM task WHERE name = ?1 AND property = ?2",
                )?;
                for (task, seen) in results {
                    insert.execute(params![
                        task.name,
                        task.property,
                        seen.ending.to_text(),
                        seen.said,
                        seen.note,
                        seen.wall,
                        seen.cpu,
                        seen.memory.and_then(|memory| i64::try_from(memory).ok()),
                        seen.host
                    ])?;
                }
            }
            transaction.commit()
        };
        record(&mut self.connection).map_err(|error| failed(&path, &error))
    }

    /// All finished tasks, in the order in which they became known.
    pub fn finished(&self) -> Result<Vec<Finished>, BatchError> {
        let query = "SELECT definition, ending, said, note, wall, cpu, memory, host
                     FROM result JOIN task ON task.id = result.task ORDER BY task.id";
        let mut statement = self.check(self.connection.prepare(query))?;
        let rows = statement.query_map([], |row| {
            let definition: String = row.get(0)?;
            let ending: String = row.get(1)?;
            let measured = Measured {
                ending: Ending::of_text(&ending).unwrap_or(Ending::Lost),
                said: row.get(2)?,
                note: row.get(3)?,
                wall: row.get(4)?,
                cpu: row.get(5)?,
                memory: row.get::<_, Option<i64>>(6)?.and_then(|memory| u64::try_from(memory).ok()),
                host: row.get(7)?,
            };
            Ok((definition, measured))
        });
        let mut finished = Vec::new();
        for row in self.check(rows)? {
            let (definition, measured) = self.check(row)?;
            let task = serde_json::from_str(&definition).ok().and_then(|value| Task::of_json(&value));
            let Some(task) = task else {
                return Err(BatchError::Store(self.path.clone(), "a task in it cannot be read".to_owned()));
            };
            let outcome = judge(&task, &measured);
            finished.push(Finished { task, measured, outcome });
        }
        Ok(finished)
    }

    fn check<T>(&self, result: rusqlite::Result<T>) -> Result<T, BatchError> {
        result.map_err(|error| failed(&self.path, &error))
    }
}

/// The beginning of a checksum of a file, enough to tell two builds apart.
pub fn fingerprint(path: &Path) -> Result<String, BatchError> {
    let unreadable = |error: std::io::Error| BatchError::io(path, &error);
    let mut file = File::open(path).map_err(unreadable)?;
    let mut hash = Sha256::new();
    let mut part = vec![0; 1 << 16];
    loop {
        match file.read(&mut part).map_err(unreadable)? {
            0 => break,
            read => hash.update(&part[..read]),
        }
    }
    Ok(hash.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect())
}

fn failed(path: &Path, error: &rusqlite::Error) -> BatchError {
    BatchError::Store(path.to_owned(), format!("the results cannot be kept: {error}"))
}

/// The right to use a file, as a lock on another one beside it that is there as long as the lock is.
#[derive(Debug)]
struct Lock {
    path: PathBuf,
    file: File,
}

impl Lock {
    fn take(store: &Path) -> Result<Lock, BatchError> {
        let mut name = store.as_os_str().to_owned();
        name.push(".lock");
        let path = PathBuf::from(name);
        loop {
            let file = File::create(&path).map_err(|error| BatchError::io(&path, &error))?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    return Err(BatchError::Store(store.to_owned(), "is used by another batch".to_owned()));
                }
                Err(TryLockError::Error(error)) => return Err(BatchError::io(&path, &error)),
            }
            // Its owner may have removed it between the two steps; then it is not the file that others would see.
            let same = match (file.metadata(), std::fs::metadata(&path)) {
                (Ok(own), Ok(seen)) => own.ino() == seen.ino(),
                _ => false,
            };
            if same {
                return Ok(Lock { path, file });
            }
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Removed while it is still held, so that nobody can hold two of them.
        let _ = std::fs::remove_file(&self.path);
        let _ = self.file.unlock();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Expected;

    fn path(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("unreach-store-{name}-{}.sqlite", std::process::id()));
        let _ = std::fs::remove_file(&path);
        path
    }

    fn task(name: &str, expected: Option<Expected>) -> Task {
        Task {
            name: name.to_owned(),
            property: "p".to_owned(),
            files: vec![PathBuf::from("a.c")],
            spec: None,
            data_model: None,
            expected,
            columns: Vec::new(),
        }
    }

    fn seen(said: &str) -> Measured {
        Measured { ending: Ending::Exited(0), said: said.to_owned(), ..Measured::lost("") }
    }

    #[test]
    fn results_are_kept_once_and_judged_by_todays_labels() {
        let path = path("once");
        let (a, b) = (task("a", Some(Expected::Safe)), task("b", None));
        {
            let mut store = Store::open(&path, "s").expect("a new file");
            store.add(&[a.clone(), b]).expect("tasks");
            store.record([(&a, &seen("TRUE"))]).expect("a result");
            store.record([(&a, &seen("FALSE(x)"))]).expect("a second one is dropped");
        }
        let mut store = Store::open(&path, "s").expect("the same file");
        let finished = store.finished().expect("results");
        assert_eq!(finished.len(), 1);
        assert_eq!((finished[0].measured.said.as_str(), finished[0].outcome), ("TRUE", Outcome::Correct));
        store.add(&[task("a", Some(Expected::Unsafe(None)))]).expect("a mended label");
        assert_eq!(store.finished().expect("results")[0].outcome, Outcome::Wrong);
        drop(store);
        let _ = std::fs::remove_file(&path);
    }

    #[test]
    fn two_batches_and_other_settings_are_refused() {
        let path = path("lock");
        let first = Store::open(&path, "s").expect("a new file");
        let second = Store::open(&path, "s").expect_err("it is in use");
        assert!(second.to_string().ends_with("is used by another batch"), "{second}");
        drop(first);
        let other = Store::open(&path, "t").expect_err("other settings");
        assert!(other.to_string().contains("other settings"), "{other}");
        drop(Store::open(&path, "s").expect("the lock is free again"));
        assert!(!path.with_extension("sqlite.lock").exists());
        let _ = std::fs::remove_file(&path);
    }

    #[test]
    fn other_files_are_no_stores() {
        let path = path("other");
        std::fs::write(&path, "this is no database, and long enough to be sure of that: ".repeat(20))
            .expect("a writable folder");
        assert!(Store::open(&path, "s").is_err());
        assert!(Store::read(&path).is_err());
        let _ = std::fs::remove_file(&path);
    }
}
