//! What was found out about a problem before, in a folder.
//!
//! An entry is found by what the problem means: the text of its program in the intermediate language, with bounded and with exact
//! bit operations, its property, the version of this tool, and what the caller adds. So a change elsewhere in the file,
//! in a comment, or in a header that makes no difference finds the old answer, and every change that could make one does not.
//! Evidence names places; it counts only while all of them are the same.
//!
//! Entries are files of their own, written as a whole. The folder may be shared, copied and deleted at any time. Whoever can write
//! to it decides what is answered: it is as trustworthy as the binary.

use crate::problem::Problem;
use crate::view::{BitOperations, View};
use ir::{Procedure, Program, StatementKind};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

/// A folder with answers.
#[derive(Clone, Debug)]
pub struct Cache {
    folder: PathBuf,
}

/// What an answer is found by.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Key {
    /// What the problem means.
    meaning: String,
    /// Where its statements are.
    places: String,
}

/// An answer that was found.
#[derive(Clone, PartialEq, Debug)]
pub struct Entry {
    /// What was put there.
    pub value: Value,
    /// Whether all places are where they were then.
    pub same_places: bool,
}

impl Cache {
    /// The cache in a folder, which is made if there is none.
    pub fn open(folder: &Path) -> io::Result<Cache> {
        std::fs::create_dir_all(folder)?;
        Ok(Cache { folder: folder.to_owned() })
    }

    fn path(&self, key: &Key) -> PathBuf {
        self.folder.join(format!("{}.json", key.meaning))
    }

    /// The answer for a key. One that cannot be read is none.
    pub fn get(&self, key: &Key) -> Option<Entry> {
        let text = std::fs::read_to_string(self.path(key)).ok()?;
        let mut stored: Value = serde_json::from_str(&text).ok()?;
        let same_places = stored["places"] == key.places.as_str();
        Some(Entry { value: stored.get_mut("value")?.take(), same_places })
    }

    /// Keeps an answer.
    pub fn put(&self, key: &Key, value: &Value) -> io::Result<()> {
        let stored = serde_json::json!({ "places": key.places, "value": value });
        base::files::replace_one_of_many(&self.path(key), stored.to_string())
    }
}

impl Key {
    /// The key of a problem; none if it has no meaning here. `more` is what the answer depends on besides.
    pub fn of(problem: &Problem, more: &str) -> Option<Key> {
        let view = View::new(problem, BitOperations::Marked).ok()?;
        let mut meaning = Sha256::new();
        let mut add = |text: &str| {
            // The lengths keep texts apart.
            meaning.update((text.len() as u64).to_le_bytes());
            meaning.update(text.as_bytes());
        };
        add(env!("CARGO_PKG_VERSION"));
        add(more);
        add(&format!("{:?} {:?} {:?}", problem.property, problem.ltl, view.program.entries()));
        add(&used(&view.program).to_string());
        if view.back.as_ref().is_some_and(|back| back.bounded_bits) {
            let exact = View::new(problem, BitOperations::Exact).ok()?;
            add(&used(&exact.program).to_string());
        }
        Some(Key { meaning: hex(meaning), places: hex(places(&view)) })
    }
}

/// The program without the bodies of procedures that no execution comes to.
fn used(program: &Program) -> Program {
    let mut reached: BTreeSet<Procedure> = BTreeSet::new();
    let mut pending = program.entries();
    while let Some(procedure) = pending.pop() {
        if !reached.insert(procedure) {
            continue;
        }
        let blocks = program.procedures[procedure].body.iter().flat_map(|body| body.blocks.values());
        pending.extend(blocks.flat_map(|block| &block.statements).filter_map(
            |statement| match statement.kind {
                StatementKind::Call { procedure, .. } | StatementKind::Fork { procedure, .. } => {
                    Some(procedure)
                }
                _ => None,
            },
        ));
    }
    let mut used = program.clone();
    used.chosen = Some(program.entries());
    for (procedure, data) in used.procedures.iter_mut() {
        if !reached.contains(&procedure) {
            (data.body, data.requires, data.ensures) = (None, Vec::new(), Vec::new());
        }
    }
    used
}

/// Where all statements are.
fn places(view: &View) -> Sha256 {
    let mut hash = Sha256::new();
    let program = used(&view.program);
    let bodies = program.procedures.values().filter_map(|data| data.body.as_ref());
    for block in bodies.flat_map(|body| body.blocks.values()) {
        let statements = block.statements.iter().map(|statement| statement.span);
        for span in statements.chain([block.transfer_span]) {
            hash.update(view.sources.place(span).as_bytes());
            hash.update(b"\n");
        }
    }
    hash
}

fn hex(hash: Sha256) -> String {
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(text: &str) -> Key {
        Key::of(&Problem::c("a.c", text), "").expect("it has a meaning")
    }

    #[test]
    fn only_what_makes_a_difference_makes_another_key() {
        let before = key("int f(int x) { return x ^ 1; } int main(int n) { return f(n); }");
        let comment = key("/* new */ int f(int x) { return x ^ 1; }\nint main(int n) { return f(n); }");
        assert_eq!(before.meaning, comment.meaning);
        assert_ne!(before.places, comment.places);
        let other = |body| key(&format!("int g(int x) {{ {body} }} int main(void) {{ return 3; }}"));
        assert_eq!(other("return x;").meaning, other("return x + 1;").meaning);
        // Bounded bit operations are the same for both numbers, exact ones are not.
        for other in ["x ^ 3", "x & 1", "x + 1", "x ^ 1u"] {
            let changed =
                key(&format!("int f(int x) {{ return {other}; }} int main(int n) {{ return f(n); }}"));
            assert_ne!(before.meaning, changed.meaning, "{other}");
        }
    }

    #[test]
    fn answers_are_found_again() {
        let folder = std::env::temp_dir().join(format!("unreach-cache-{}", std::process::id()));
        let cache = Cache::open(&folder).expect("a writable folder");
        let (one, moved) = (key("int main(void) { return 1; }"), key("\nint main(void) { return 1; }"));
        let other = key("int main(void) { return 2; }");
        assert_eq!(cache.get(&one), None);
        cache.put(&one, &Value::from("answer")).expect("a writable folder");
        assert_eq!(cache.get(&one), Some(Entry { value: "answer".into(), same_places: true }));
        assert_eq!(cache.get(&moved), Some(Entry { value: "answer".into(), same_places: false }));
        assert_eq!(cache.get(&other), None);
        std::fs::write(cache.path(&one), "half a fi").expect("a writable folder");
        assert_eq!(cache.get(&one), None);
        std::fs::remove_dir_all(&folder).expect("nobody else uses it");
    }
}
