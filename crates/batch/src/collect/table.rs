//! Tables of tasks: a CSV file with a line of names. Known columns are `id` or `name`, `path` or `file` (or `files`, with
//! spaces between), `property`, `property_file` or `spec`, `expected` or `expected_verdict`, and `data_model`; all others are
//! for choosing. Paths are looked for beside the table, then in its folders `tasks` and `properties`.

use super::{definition, property_of, read as read_text};
use crate::csv::{Row, rows};
use crate::{BatchError, Expected, Task};
use std::path::{Path, PathBuf};

pub(super) fn read(path: &Path) -> Result<Vec<Task>, BatchError> {
    let text = read_text(path)?;
    let mut rows = rows(&text).into_iter();
    let Some(header) = rows.next() else {
        return Err(BatchError::File(path.to_owned(), "the table is empty".to_owned()));
    };
    let table = Table { path, header: header.fields };
    if table.column(&["path", "file", "files"]).is_none() {
        let why = "the first line names the columns, and one of them is `path`";
        return Err(BatchError::Line(path.to_owned(), 1, why.to_owned()));
    }
    rows.map(|row| table.task(&row)).collect()
}

struct Table<'a> {
    path: &'a Path,
    header: Vec<String>,
}

impl Table<'_> {
    fn column(&self, names: &[&str]) -> Option<usize> {
        names.iter().find_map(|name| self.header.iter().position(|column| column == name))
    }

    /// What stands in a row, unless it is empty.
    fn get<'r>(&self, row: &'r Row, names: &[&str]) -> Option<&'r str> {
        let filled = |name: &&str| {
            let place = self.header.iter().position(|column| column == *name)?;
            row.fields.get(place).map(|text| text.trim()).filter(|text| !text.is_empty())
        };
        names.iter().find_map(filled)
    }

    fn task(&self, row: &Row) -> Result<Task, BatchError> {
        let wrong = |why: String| BatchError::Line(self.path.to_owned(), row.line, why);
        let files: Vec<PathBuf> = match (self.get(row, &["files"]), self.get(row, &["path", "file"])) {
            (Some(files), _) => files.split_whitespace().map(|file| self.find(file, "tasks")).collect(),
            (None, Some(file)) => vec![self.find(file, "tasks")],
            (None, None) => return Err(wrong("there is no path".to_owned())),
        };
        let spec = self.get(row, &["property_file", "spec"]).map(|file| self.find(file, "properties"));
        let expected = match self.get(row, &["expected", "expected_verdict"]) {
            None => None,
            Some(word) => match Expected::of_word(word) {
                Some(Expected::Unsafe(None)) => {
                    Some(Expected::Unsafe(self.get(row, &["subproperty"]).map(str::to_owned)))
                }
                Some(expected) => Some(expected),
                None => return Err(wrong(format!("`{word}` is no verdict"))),
            },
        };
        let property = self.get(row, &["property"]).map(str::to_owned);
        let name = self.get(row, &["id", "name", "path", "file", "files"]).unwrap_or_default();
        let given = self.get(row, &["data_model"]).map(str::to_owned);
        let data_model = given.or_else(|| definition::data_model_beside(&files[0]));
        Ok(Task {
            name: name.to_owned(),
            property: property
                .unwrap_or_else(|| spec.as_deref().map_or_else(|| "assert".to_owned(), property_of)),
            spec,
            data_model,
            expected,
            columns: self.header.iter().cloned().zip(row.fields.iter().cloned()).collect(),
            files,
        })
    }

    /// A file beside the table, or in a folder beside it.
    fn find(&self, file: &str, folder: &str) -> PathBuf {
        let beside = self.path.parent().unwrap_or(Path::new(""));
        let inside = beside.join(folder).join(file);
        if !beside.join(file).exists() && inside.exists() { inside } else { beside.join(file) }
    }
}
