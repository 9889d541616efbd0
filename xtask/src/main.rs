//! Tasks of the project that are more than a cargo command: `cargo xtask dist` makes a folder with everything that is
//! needed to run Unreach, and an archive of it; `cargo xtask soak` runs random tests for as long as one likes.
//!
//! The folder contains the binary, its libz3, the licences, a README, and a smoke test. The binary looks for libz3
//! beside itself first, so the folder works wherever it is moved, without the sources it was made from. That is tried
//! before the archive is made: a copy at another place must run the smoke test, and load the libz3 that lies in it.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "this is a tool for people"
)]

mod fuzz;
mod soak;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::{env, fs};

const USAGE: &str =
    "usage: cargo xtask dist [FOLDER]\n\nMakes an archive of Unreach in FOLDER (default: target/dist).";

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let outcome = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["dist"] => dist(&root().join("target/dist")),
        ["dist", folder] => dist(Path::new(folder)),
        ["fuzz", ref rest @ ..] => fuzz::run(rest),
        ["soak", ref rest @ ..] => soak::run(rest),
        _ => Err(format!("{USAGE}\n\n{}\n\n{}", soak::USAGE, fuzz::USAGE)),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn dist(into: &Path) -> Result<(), String> {
    let root = root().canonicalize().map_err(|error| error.to_string())?;
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    run(Command::new(&cargo).current_dir(&root).args(["build", "--release", "--package", "unreach"]))?;
    let name = format!("unreach-{}-{}-{}", env!("CARGO_PKG_VERSION"), env::consts::OS, env::consts::ARCH);
    let folder = into.join(&name);
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    fill(&root, &folder, &cargo)?;
    try_elsewhere(&folder)?;
    let archive = into.join(format!("{name}.tar.gz"));
    run(Command::new("tar").arg("-C").arg(into).arg("-czf").arg(&archive).arg(&name))?;
    // Competitions want a zip file, in which the binary stays executable.
    let script = "import shutil, sys; shutil.make_archive(sys.argv[1], 'zip', sys.argv[2], sys.argv[3])";
    run(Command::new("python3").args(["-c", script]).arg(into.join(&name)).arg(into).arg(&name))?;
    println!("{}\n{}", archive.display(), into.join(format!("{name}.zip")).display());
    Ok(())
}

/// Puts everything into the folder.
fn fill(root: &Path, folder: &Path, cargo: &OsStr) -> Result<(), String> {
    let smoke = folder.join("smoke-test");
    let licences = folder.join("licences");
    for made in [&smoke, &licences] {
        fs::create_dir_all(made).map_err(|error| format!("{}: {error}", made.display()))?;
    }
    let binary = folder.join("unreach");
    copy(&root.join("target/release/unreach"), &binary)?;
    // Without the tables for debuggers it is a fraction of the size; a machine without the tool keeps them.
    let _ = Command::new("strip").arg("--strip-debug").arg(&binary).status();
    for library in libraries(root)? {
        copy(&library, &folder.join(library.file_name().unwrap_or_default()))?;
    }
    copy(&root.join("LICENSE-MIT"), &licences.join("Unreach-MIT.txt"))?;
    copy(&root.join("LICENSE-APACHE"), &licences.join("Unreach-Apache-2.0.txt"))?;
    write(&licences.join("Z3-MIT.txt"), Z3_LICENCE)?;
    write(&licences.join("crates.txt"), &crates(root, cargo)?)?;
    copy(&root.join("CITATION.cff"), &folder.join("CITATION.cff"))?;
    write(&folder.join("README.md"), README)?;
    for (name, text) in SMOKE_TESTS {
        write(&smoke.join(name), text)?;
    }
    let script = folder.join("smoke-test.sh");
    write(&script, SMOKE_SCRIPT)?;
    run(Command::new("chmod").arg("+x").arg(&script))
}

/// The libz3 that the build has fetched, under the name that the loader looks for.
fn libraries(root: &Path) -> Result<Vec<PathBuf>, String> {
    let home = root.join(".z3");
    let mut found = Vec::new();
    for version in fs::read_dir(&home).map_err(|error| format!("{}: {error}", home.display()))?.flatten() {
        for file in fs::read_dir(version.path().join("lib")).into_iter().flatten().flatten() {
            if file.file_type().is_ok_and(|kind| kind.is_file()) {
                found.push(file.path());
            }
        }
    }
    match found.len() {
        1 => Ok(found),
        0 => Err(format!("there is no libz3 in {}", home.display())),
        _ => Err(format!("{} holds several versions: remove it and build again", home.display())),
    }
}

/// The crates that the binary is made of, with their licences.
fn crates(root: &Path, cargo: &OsStr) -> Result<String, String> {
    let output = Command::new(cargo)
        .current_dir(root)
        .args(["tree", "--package", "unreach", "--edges", "normal", "--prefix", "none"])
        .args(["--format", "{p} {l}"])
        .output()
        .map_err(|error| format!("cargo tree: {error}"))?;
    if !output.status.success() {
        return Err(format!("cargo tree: {}", String::from_utf8_lossy(&output.stderr).trim_end()));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    // Crates of this workspace stand with the folder they were built in, which is nobody's business.
    let mut lines: Vec<&str> = text.lines().filter(|line| !line.contains(" (/")).collect();
    lines.retain(|line| !line.ends_with("(*)"));
    lines.sort_unstable();
    lines.dedup();
    Ok(format!("The binary contains these crates; their licences allow that.\n\n{}\n", lines.join("\n")))
}

/// Runs the smoke test of a copy at another place, and looks which libz3 it loads.
fn try_elsewhere(folder: &Path) -> Result<(), String> {
    let elsewhere = env::temp_dir().join(format!("unreach-dist-{}", std::process::id()));
    run(Command::new("cp").arg("-R").arg(folder).arg(&elsewhere))?;
    let tried =
        run(Command::new(elsewhere.join("smoke-test.sh")).env_remove("LD_LIBRARY_PATH")).and_then(|()| {
            if env::consts::OS != "linux" {
                return Ok(());
            }
            let output = Command::new("ldd").arg(elsewhere.join("unreach")).output();
            let output = output.map_err(|error| format!("ldd: {error}"))?;
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            let line = text.lines().find(|line| line.contains("libz3")).unwrap_or_default();
            match line.contains(&elsewhere.display().to_string()) {
                true => Ok(()),
                false => Err(format!("the moved binary does not load its own libz3: {line}")),
            }
        });
    // What is left over spoils nothing.
    let _ = fs::remove_dir_all(&elsewhere);
    tried
}

fn copy(from: &Path, to: &Path) -> Result<(), String> {
    fs::copy(from, to).map(|_| ()).map_err(|error| format!("{}: {error}", from.display()))
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}

fn run(command: &mut Command) -> Result<(), String> {
    let shown = format!("{command:?}");
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{shown}: {status}")),
        Err(error) => Err(format!("{shown}: {error}")),
    }
}

const README: &str = include_str!("dist/README.md");
const SMOKE_SCRIPT: &str = include_str!("dist/smoke-test.sh");
const Z3_LICENCE: &str = include_str!("dist/Z3-MIT.txt");

/// Programs with verdicts that a newcomer can follow.
const SMOKE_TESTS: &[(&str, &str)] = &[
    ("safe.c", include_str!("dist/safe.c")),
    ("unsafe.c", include_str!("dist/unsafe.c")),
    ("safe.bpl", include_str!("dist/safe.bpl")),
    ("unsafe.svlib", include_str!("dist/unsafe.svlib")),
];
