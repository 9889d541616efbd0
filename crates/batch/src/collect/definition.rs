//! Task definitions of BenchExec, formats 1.0 and 2.0: input files, properties with expected verdicts, options.

use super::{property_of, read as read_text};
use crate::{BatchError, Expected, Task};
use evidence::Malformed;
use evidence::yaml::{self, Node, Value};
use std::path::Path;

/// Whether a YAML file is a task definition and not something else.
pub(super) fn is_definition(path: &Path) -> bool {
    let Ok(text) = read_text(path) else { return false };
    yaml::read(&text).is_ok_and(|node| matches!(node.get("input_files"), Ok(Some(_))))
}

/// A task for each property.
pub(super) fn read(path: &Path) -> Result<Vec<Task>, BatchError> {
    let text = read_text(path)?;
    let malformed = |error: Malformed| BatchError::Line(path.to_owned(), error.line as usize, error.message);
    tasks(path, &yaml::read(&text).map_err(malformed)?).map_err(malformed)
}

/// The data model that the definition beside a program names.
pub(super) fn data_model_beside(program: &Path) -> Option<String> {
    let node = yaml::read(&read_text(&program.with_extension("yml")).ok()?).ok()?;
    data_model(&node).ok().flatten()
}

fn tasks(path: &Path, node: &Node) -> Result<Vec<Task>, Malformed> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let files = texts(node.require("input_files")?)?;
    let data_model = data_model(node)?;
    let mut tasks = Vec::new();
    for property in node.get("properties")?.map_or(Ok(&[][..]), Node::list)? {
        let spec = folder.join(property.require("property_file")?.text()?);
        let expected = match property.get("expected_verdict")? {
            None => None,
            Some(verdict) => match Expected::of_word(verdict.text()?) {
                Some(Expected::Unsafe(None)) => {
                    let part = property.get("subproperty")?.map(Node::text).transpose()?;
                    Some(Expected::Unsafe(part.map(str::to_owned)))
                }
                Some(expected) => Some(expected),
                None => return Err(verdict.malformed("expected `true` or `false`")),
            },
        };
        tasks.push(Task {
            name: path.display().to_string(),
            property: property_of(&spec),
            files: files.iter().map(|file| folder.join(file)).collect(),
            spec: Some(spec),
            data_model: data_model.clone(),
            expected,
            columns: Vec::new(),
        });
    }
    Ok(tasks)
}

fn data_model(node: &Node) -> Result<Option<String>, Malformed> {
    let Some(options) = node.get("options")? else { return Ok(None) };
    options.get("data_model")?.map(|model| model.text().map(str::to_owned)).transpose()
}

/// One text, or a list of them.
fn texts(node: &Node) -> Result<Vec<String>, Malformed> {
    match &node.value {
        Value::Scalar(text) => Ok(vec![text.clone()]),
        _ => node.list()?.iter().map(|node| node.text().map(str::to_owned)).collect(),
    }
}
