//! Where entries are kept: in a folder, or in memory.
//!
//! An entry has a name that is made of its program: a sketch, by which programs that are alike find each other, and a digest,
//! by which a program finds itself. The sketch is the smallest fingerprints of the program's statements under
//! sixteen hash functions (MinHash), so two sketches agree in about as many places as the programs have statements in
//! common. A folder needs no index: its names are one. Entries are files of their own, written as a whole; the folder may be
//! shared, copied and deleted at any time. Of too many entries the oldest are dropped.

use super::outline::{Fingerprint, Outline};
use std::collections::{BTreeSet, VecDeque};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;
use std::{fs, io};

/// How many fingerprints a sketch has.
const SKETCH: usize = 16;
/// With fewer in common two programs have nothing to do with each other.
const LEAST_COMMON: usize = 6;
/// So many entries are looked at, the nearest first, until one can be read.
const MOST_READ: usize = 3;
/// An entry that is larger is not read.
const MOST_BYTES: u64 = 64 << 20;
/// The entries of a folder have no more bytes than this altogether.
const MOST_BYTES_OF_FOLDER: u64 = 512 << 20;
/// A folder has no more entries than this.
const MOST_ENTRIES: usize = 4_000;
/// How many entries are kept in memory.
const MOST_IN_MEMORY: usize = 64;
const SUFFIX: &str = ".reuse.json";

/// What an entry is found by.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Name {
    sketch: [u16; SKETCH],
    digest: String,
}

impl Name {
    /// The name for a program with this outline and this digest, which is made of hexadecimal digits.
    pub(super) fn new(outline: &Outline, digest: String) -> Name {
        let items: BTreeSet<u64> = outline.items.iter().map(|item| item.loose).collect();
        let mut sketch = [u16::MAX; SKETCH];
        for (number, place) in sketch.iter_mut().enumerate() {
            let hashed = |item: &u64| {
                let mut hash = Fingerprint::new();
                hash.add(&number.to_le_bytes());
                hash.add(&item.to_le_bytes());
                hash.number()
            };
            let least = items.iter().map(hashed).min().unwrap_or(u64::MAX);
            // The lowest bits; the highest ones are all small.
            *place = (least & 0xffff) as u16;
        }
        Name { sketch, digest }
    }

    fn text(&self) -> String {
        let mut text = String::new();
        for part in self.sketch {
            // Writing to a string cannot fail.
            let _ = write!(text, "{part:04x}");
        }
        text + "-" + &self.digest
    }

    fn of_text(text: &str) -> Option<Name> {
        let (sketch, digest) = text.split_once('-')?;
        if sketch.len() != 4 * SKETCH || !sketch.is_ascii() {
            return None;
        }
        let mut parts = [0; SKETCH];
        for (number, part) in parts.iter_mut().enumerate() {
            *part = u16::from_str_radix(&sketch[4 * number..4 * number + 4], 16).ok()?;
        }
        Some(Name { sketch: parts, digest: digest.to_owned() })
    }

    /// How near another program is: first whether it is the same, then how much is the same.
    fn nearness(&self, other: &Name) -> (bool, usize) {
        let common = self.sketch.iter().zip(&other.sketch).filter(|(one, other)| one == other).count();
        (self.digest == other.digest, common)
    }
}

/// What earlier runs have found out. Clones share it.
#[derive(Clone, Debug)]
pub struct Reuse {
    keeper: Arc<Keeper>,
    /// Whether easy answers are kept as well, and tried before the plan begins.
    pub(super) keeps_all: bool,
}

#[derive(Debug)]
enum Keeper {
    Folder(PathBuf),
    Memory(Mutex<VecDeque<(Name, Arc<str>)>>),
}

/// An entry that was found.
pub(super) struct Found {
    pub(super) text: Arc<str>,
    /// Whether it is about the same program.
    pub(super) is_same: bool,
}

impl Reuse {
    /// In a folder, which is made if there is none.
    pub fn folder(folder: &Path) -> io::Result<Reuse> {
        fs::create_dir_all(folder)?;
        Ok(Reuse { keeper: Arc::new(Keeper::Folder(folder.to_owned())), keeps_all: false })
    }

    /// In memory, as long as somebody has a clone of it.
    pub fn in_memory() -> Reuse {
        Reuse { keeper: Arc::new(Keeper::Memory(Mutex::default())), keeps_all: false }
    }

    /// The same, but answers are kept whether they were easy or not, and tried before the plan has its short rounds: for tests, whose
    /// programs are small.
    pub fn keeping_all(self) -> Reuse {
        Reuse { keeps_all: true, ..self }
    }

    /// The entries that are near a program, the nearest first.
    pub(super) fn find(&self, name: &Name) -> Vec<Found> {
        let mut near: Vec<((bool, usize), Name)> = self
            .names()
            .into_iter()
            .map(|other| (name.nearness(&other), other))
            .filter(|((is_same, common), _)| *is_same || *common >= LEAST_COMMON)
            .collect();
        // The digest makes the order the same on all machines.
        near.sort_by(|one, other| other.0.cmp(&one.0).then_with(|| one.1.digest.cmp(&other.1.digest)));
        let read =
            |((is_same, _), name): ((bool, usize), Name)| Some(Found { text: self.read(&name)?, is_same });
        near.into_iter().take(MOST_READ).filter_map(read).collect()
    }

    fn names(&self) -> Vec<Name> {
        match &*self.keeper {
            Keeper::Memory(entries) => {
                let entries = entries.lock().unwrap_or_else(PoisonError::into_inner);
                entries.iter().map(|(name, _)| name.clone()).collect()
            }
            Keeper::Folder(folder) => {
                // A folder that cannot be read has no entries.
                let files = fs::read_dir(folder).into_iter().flatten().flatten();
                let name =
                    |file: fs::DirEntry| Name::of_text(file.file_name().to_str()?.strip_suffix(SUFFIX)?);
                files.filter_map(name).collect()
            }
        }
    }

    fn read(&self, name: &Name) -> Option<Arc<str>> {
        match &*self.keeper {
            Keeper::Memory(entries) => {
                let entries = entries.lock().unwrap_or_else(PoisonError::into_inner);
                entries.iter().find(|(known, _)| known == name).map(|(_, text)| Arc::clone(text))
            }
            Keeper::Folder(folder) => {
                let path = folder.join(name.text() + SUFFIX);
                if fs::metadata(&path).ok()?.len() > MOST_BYTES {
                    return None;
                }
                Some(fs::read_to_string(path).ok()?.into())
            }
        }
    }

    /// Keeps an entry, in the place of one with the same name.
    pub(super) fn put(&self, name: &Name, text: String) -> io::Result<()> {
        match &*self.keeper {
            Keeper::Memory(entries) => {
                let mut entries = entries.lock().unwrap_or_else(PoisonError::into_inner);
                entries.retain(|(known, _)| known != name);
                entries.push_back((name.clone(), text.into()));
                if entries.len() > MOST_IN_MEMORY {
                    entries.pop_front();
                }
                Ok(())
            }
            Keeper::Folder(folder) => {
                base::files::replace_one_of_many(&folder.join(name.text() + SUFFIX), text)?;
                // Looking at all files takes longer than writing one, so it is done now and then.
                if name.digest.ends_with('0') {
                    drop_oldest(folder, MOST_ENTRIES, MOST_BYTES_OF_FOLDER)?;
                }
                Ok(())
            }
        }
    }
}

/// Drops entries, the oldest first, until there are few enough.
fn drop_oldest(folder: &Path, most_entries: usize, most_bytes: u64) -> io::Result<()> {
    let mut entries: Vec<(SystemTime, PathBuf, u64)> = Vec::new();
    for file in fs::read_dir(folder)? {
        let file = file?;
        let is_entry = file.file_name().to_str().is_some_and(|name| name.ends_with(SUFFIX));
        // Somebody else may drop entries at the same time.
        if let (true, Ok(data)) = (is_entry, file.metadata()) {
            entries.push((data.modified().unwrap_or(SystemTime::UNIX_EPOCH), file.path(), data.len()));
        }
    }
    entries.sort();
    let mut bytes: u64 = entries.iter().map(|(.., size)| size).sum();
    let mut count = entries.len();
    for (_, path, size) in entries {
        if count <= most_entries && bytes <= most_bytes {
            break;
        }
        match fs::remove_file(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => (count, bytes) = (count - 1, bytes - size),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::BitOperations;
    use crate::{Problem, View};

    fn name(text: &str) -> Name {
        let view = View::new(&Problem::boogie("a.bpl", text), BitOperations::Marked).expect("a program");
        let digest = text.bytes().fold(0_u32, |sum, byte| sum.wrapping_mul(31).wrapping_add(u32::from(byte)));
        Name::new(&Outline::of(&view.program).0, format!("{digest:08x}"))
    }

    fn program(bound: u32, more: &str) -> String {
        format!(
            "procedure main() {{ var x: int; x := 0; while (x < {bound}) {{ x := x + 1; }} {more} assert x >= 0; }}"
        )
    }

    #[test]
    fn names_survive_writing() {
        let name = name(&program(1, ""));
        assert_eq!(Name::of_text(&name.text()), Some(name));
        assert_eq!(Name::of_text("no name"), None);
        assert_eq!(Name::of_text(&format!("{}-12", "é".repeat(32))), None);
    }

    #[test]
    fn what_is_nearest_is_found_first() {
        let reuse = Reuse::in_memory();
        let other = "procedure p(a: [int]int) returns (r: int) { r := a[7]; assume r > 3; call r := p(a); assert r != 2; }";
        for (text, entry) in
            [(program(5, "x := x + 2;"), "near"), (program(5, ""), "same"), (other.to_owned(), "far")]
        {
            reuse.put(&name(&text), entry.to_owned()).expect("memory can be written to");
        }
        let found = |text: &str| {
            let found = reuse.find(&name(text));
            found.iter().map(|found| (found.text.to_string(), found.is_same)).collect::<Vec<_>>()
        };
        let expected = [("same".to_owned(), true), ("near".to_owned(), false)];
        assert_eq!(found(&program(5, "")), expected);
        assert_eq!(found(&program(6, "")).first(), Some(&("same".to_owned(), false)));
        assert_eq!(found("procedure q() { assume false; }"), []);
    }

    #[test]
    fn a_folder_stays_small_and_bears_rubbish() {
        let folder = std::env::temp_dir().join(format!("unreach-reuse-{}", std::process::id()));
        let reuse = Reuse::folder(&folder).expect("a writable folder");
        let names: Vec<Name> = (0..6).map(|bound| name(&program(bound, ""))).collect();
        for name in &names {
            reuse.put(name, "entry".to_owned()).expect("a writable folder");
        }
        fs::write(folder.join("rubbish.reuse.json"), "rubbish").expect("a writable folder");
        assert_eq!(reuse.names().len(), 6);
        drop_oldest(&folder, 3, 1 << 20).expect("a writable folder");
        assert!(reuse.names().len() <= 3);
        drop_oldest(&folder, 100, 7).expect("a writable folder");
        assert!(reuse.names().len() <= 1);
        fs::remove_dir_all(&folder).expect("nobody else uses it");
        assert!(reuse.find(&names[0]).is_empty(), "a folder that is gone has nothing");
    }
}
