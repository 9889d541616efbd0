//! From what was typed to tasks: programs, folders, task definitions of SV-COMP, sets of them, and tables.
//!
//! The order is that of the arguments, inside of folders that of the names; a task that is named twice occurs once.

mod definition;
mod table;

use crate::pattern::{is_pattern, matches};
use crate::{BatchError, Task};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The endings of programs.
const PROGRAMS: &[&str] = &["bpl", "c", "i", "svlib"];

/// How deep folders are searched; deeper there are only links that lead back.
const MAX_DEPTH: usize = 40;

/// All tasks of some paths. Programs that no definition says more about are asked for `spec`, or for their assertions.
pub fn collect(paths: &[PathBuf], spec: Option<&Path>) -> Result<Vec<Task>, BatchError> {
    let mut collector = Collector { spec, tasks: Vec::new(), seen: BTreeSet::new() };
    for path in paths {
        collector.path(path)?;
    }
    Ok(collector.tasks)
}

struct Collector<'a> {
    spec: Option<&'a Path>,
    tasks: Vec<Task>,
    /// The names and properties of the tasks.
    seen: BTreeSet<(String, String)>,
}

impl Collector<'_> {
    fn path(&mut self, path: &Path) -> Result<(), BatchError> {
        if path.is_dir() {
            return self.folder(path, 0);
        }
        match ending(path) {
            "yml" | "yaml" => {
                let tasks = definition::read(path)?;
                self.add(tasks);
            }
            "set" => self.set(path)?,
            "csv" => {
                let tasks = table::read(path)?;
                self.add(tasks);
            }
            program if PROGRAMS.contains(&program) => {
                if !path.exists() {
                    return Err(BatchError::File(path.to_owned(), "no such file".to_owned()));
                }
                let task = self.program(path);
                self.add([task]);
            }
            _ => {
                let why = "expected a program (.bpl, .c, .i, .svlib), a folder, a task definition (.yml), a .set or a .csv";
                return Err(BatchError::File(path.to_owned(), why.to_owned()));
            }
        }
        Ok(())
    }

    fn add(&mut self, tasks: impl IntoIterator<Item = Task>) {
        for task in tasks {
            if self.seen.insert((task.name.clone(), task.property.clone())) {
                self.tasks.push(task);
            }
        }
    }

    fn program(&self, path: &Path) -> Task {
        Task {
            name: path.display().to_string(),
            property: self.spec.map_or_else(|| "assert".to_owned(), property_of),
            files: vec![path.to_owned()],
            spec: self.spec.map(Path::to_owned),
            data_model: None,
            expected: None,
            columns: Vec::new(),
        }
    }

    /// Definitions first, then the programs that none of them names, then the folders inside.
    fn folder(&mut self, folder: &Path, depth: usize) -> Result<(), BatchError> {
        if depth > MAX_DEPTH {
            return Ok(());
        }
        let entries = entries(folder)?;
        let mut named = BTreeSet::new();
        for path in entries.iter().filter(|path| matches!(ending(path), "yml" | "yaml") && path.is_file()) {
            // A folder may have other YAML files.
            if !definition::is_definition(path) {
                continue;
            }
            let tasks = definition::read(path)?;
            named.extend(tasks.iter().flat_map(|task| task.files.iter().cloned()));
            self.add(tasks);
        }
        for path in entries.iter().filter(|path| PROGRAMS.contains(&ending(path)) && path.is_file()) {
            if !named.contains(path) {
                let task = self.program(path);
                self.add([task]);
            }
        }
        for path in entries.iter().filter(|path| path.is_dir()) {
            self.folder(path, depth + 1)?;
        }
        Ok(())
    }

    /// A line for each pattern of paths, from the folder of the set on; `#` begins a comment.
    fn set(&mut self, path: &Path) -> Result<(), BatchError> {
        let text = read(path)?;
        let folder = path.parent().unwrap_or(Path::new(""));
        for (number, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or_default().trim();
            if line.is_empty() {
                continue;
            }
            let found = expand(folder, line)?;
            if found.is_empty() {
                return Err(BatchError::Line(path.to_owned(), number + 1, format!("`{line}` names no file")));
            }
            for path in found {
                self.path(&path)?;
            }
        }
        Ok(())
    }
}

/// The paths that a pattern stands for, part by part.
fn expand(folder: &Path, line: &str) -> Result<Vec<PathBuf>, BatchError> {
    let mut found = vec![folder.to_owned()];
    for part in line.split('/').filter(|part| !part.is_empty() && *part != ".") {
        let mut next = Vec::new();
        for path in found {
            if is_pattern(part) {
                let fits = |path: &PathBuf| {
                    path.file_name().and_then(|name| name.to_str()).is_some_and(|name| matches(part, name))
                };
                next.extend(entries(&path)?.into_iter().filter(fits));
            } else {
                let path = path.join(part);
                next.extend(path.exists().then_some(path));
            }
        }
        found = next;
    }
    Ok(found)
}

/// What is in a folder, by name.
fn entries(folder: &Path) -> Result<Vec<PathBuf>, BatchError> {
    // The folder of a file without one is where we are; its files keep their short names.
    let here = folder.as_os_str().is_empty();
    let listed = std::fs::read_dir(if here { Path::new(".") } else { folder });
    let listed = listed.map_err(|error| BatchError::io(folder, &error))?;
    let mut paths = Vec::new();
    for entry in listed {
        let entry = entry.map_err(|error| BatchError::io(folder, &error))?;
        paths.push(if here { PathBuf::from(entry.file_name()) } else { entry.path() });
    }
    paths.sort();
    Ok(paths)
}

fn ending(path: &Path) -> &str {
    path.extension().and_then(|ending| ending.to_str()).unwrap_or_default()
}

/// The property in a word.
fn property_of(spec: &Path) -> String {
    spec.file_stem().map_or_else(|| "assert".to_owned(), |stem| stem.to_string_lossy().into_owned())
}

fn read(path: &Path) -> Result<String, BatchError> {
    std::fs::read_to_string(path).map_err(|error| BatchError::io(path, &error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Expected;

    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Folder {
            let path = std::env::temp_dir().join(format!("unreach-collect-{name}-{}", std::process::id()));
            std::fs::create_dir_all(path.join("sub")).expect("a writable folder");
            Folder(path)
        }

        fn put(&self, name: &str, text: &str) -> &Folder {
            std::fs::write(self.0.join(name), text).expect("a writable folder");
            self
        }

        fn names(&self, of: &str) -> Vec<String> {
            let tasks = collect(&[self.0.join(of)], None).expect("tasks");
            let own = format!("{}/", self.0.display());
            tasks.iter().map(|task| format!("{} {}", task.name.replace(&own, ""), task.property)).collect()
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    const DEFINITION: &str = "format_version: '2.0'
input_files: 'a.c'
properties:
  - property_file: p/unreach-call.prp
    expected_verdict: false
  - property_file: p/valid-memsafety.prp
    expected_verdict: false
    subproperty: valid-free
  - property_file: p/no-overflow.prp
options:
  language: C
  data_model: ILP32
";

    #[test]
    fn definitions_folders_and_sets() {
        let folder = Folder::new("all");
        folder.put("a.yml", DEFINITION).put("a.c", "").put("b.bpl", "").put("notes.txt", "");
        folder
            .put("sub/c.i", "")
            .put("other.yml", "some: thing")
            .put("x.set", "# all\n*.yml # these\nsub/*\n");
        let defined = ["a.yml unreach-call", "a.yml valid-memsafety", "a.yml no-overflow"];
        assert_eq!(folder.names("a.yml"), defined);
        assert_eq!(folder.names(""), [&defined[..], &["b.bpl assert", "sub/c.i assert"]].concat());
        let tasks = collect(&[folder.0.join("a.yml")], None).expect("tasks");
        assert_eq!(tasks[0].expected, Some(Expected::Unsafe(None)));
        assert_eq!(tasks[1].expected, Some(Expected::Unsafe(Some("valid-free".to_owned()))));
        assert_eq!(tasks[2].expected, None);
        assert_eq!(tasks[0].data_model.as_deref(), Some("ILP32"));
        assert_eq!(tasks[0].spec, Some(folder.0.join("p/unreach-call.prp")));
        // Another YAML file in a folder is no definition, but one that is named must be one.
        let error = collect(&[folder.0.join("x.set")], None).expect_err("other.yml is no definition");
        assert!(error.to_string().contains("other.yml:1: the key `input_files` is missing"), "{error}");
    }

    #[test]
    fn tables() {
        let folder = Folder::new("table");
        std::fs::create_dir_all(folder.0.join("tasks")).expect("a writable folder");
        folder.put("tasks/a.c", "").put("tasks/a.yml", DEFINITION).put("b.bpl", "");
        folder.put(
            "t.csv",
            "id,path,property,property_file,expected,tier\nfirst,a.c,reach,unreach-call.prp,unsafe,1\n,b.bpl,,,,\n",
        );
        let tasks = collect(&[folder.0.join("t.csv")], None).expect("tasks");
        assert_eq!((tasks[0].name.as_str(), tasks[0].property.as_str()), ("first", "reach"));
        assert_eq!(tasks[0].data_model.as_deref(), Some("ILP32"));
        assert_eq!(tasks[0].files, [folder.0.join("tasks/a.c")]);
        assert!(tasks[0].columns.contains(&("tier".to_owned(), "1".to_owned())));
        assert_eq!((tasks[1].name.as_str(), tasks[1].property.as_str()), ("b.bpl", "assert"));
        folder.put("bad.csv", "path,expected\nb.bpl,perhaps\n");
        let error = collect(&[folder.0.join("bad.csv")], None).expect_err("no such verdict");
        assert!(error.to_string().ends_with("bad.csv:2: `perhaps` is no verdict"), "{error}");
    }
}
