//! `unreach check --stubs DIR`: skeletons of models for functions that are called and have no body.

use crate::cli::arguments::CheckPaths;
use crate::cli::bad_input::BadInput;
use crate::cli::exit::Exit;
use crate::cli::files;
use crate::cli::terminal::{failed, line};
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};
use unreach::CSettings;
use unreach::project::{stubs, units};

/// Writes a file for each function that needs a model, unless the folder has one.
pub(super) fn write(job: &CheckPaths, settings: &CSettings, folder: &Path) -> Result<Exit, BadInput> {
    std::fs::create_dir_all(folder).map_err(|error| BadInput::Unwritable(folder.to_owned(), error))?;
    let mut found: BTreeMap<String, c::Stub> = BTreeMap::new();
    let mut broken = 0;
    for path in &job.paths {
        for unit in units(path)? {
            match stubs(&unit, settings) {
                Ok(stubs) => found.extend(stubs.into_iter().map(|stub| (stub.name.clone(), stub))),
                Err(failure) => {
                    broken += 1;
                    failed(failure);
                }
            }
        }
    }
    let (mut written, mut there, mut none) = (0, 0, 0);
    for (name, stub) in &found {
        let path = folder.join(format!("{name}.c"));
        let text = match &stub.text {
            _ if path.exists() => {
                there += 1;
                continue;
            }
            Ok(text) => text,
            Err(why) => {
                none += 1;
                line(&format!("none    {name}: {why}"));
                continue;
            }
        };
        let header = stub.header.as_ref().map(|header| from(folder, Path::new(header)));
        let include = header.map_or(String::new(), |header| format!("#include \"{}\"\n", header.display()));
        files::write(&path, &format!("{include}{text}"))?;
        written += 1;
        line(&format!("written {}", path.display()));
    }
    line(&format!(
        "{written} skeletons written, {there} models are there already, {none} functions without one"
    ));
    Ok(if broken > 0 { Exit::BadInput } else { Exit::Success })
}

/// How a file is called from a folder.
fn from(folder: &Path, file: &Path) -> PathBuf {
    let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let (folder, file) = (absolute(folder), absolute(file));
    let ups = folder.components().filter(|part| matches!(part, Component::Normal(_))).count();
    let shared = folder.components().zip(file.components()).take_while(|(one, other)| one == other).count();
    let parts = folder.components().count();
    let up = parts.saturating_sub(shared).min(ups);
    let mut path = PathBuf::new();
    path.extend(std::iter::repeat_n("..", up));
    path.extend(file.components().skip(shared));
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_found_from_the_folder_of_models() {
        for (folder, file, expected) in [
            ("models", "src/a.h", "../src/a.h"),
            ("src/models", "src/a.h", "../a.h"),
            ("src", "src/a.h", "a.h"),
        ] {
            assert_eq!(from(Path::new(folder), Path::new(file)), Path::new(expected));
        }
    }
}
