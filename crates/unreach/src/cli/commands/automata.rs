//! `unreach automata`: runs automata scripts and says how their assertions turned out.
//!
//! One script: what it prints, then a line for each assertion that does not simply hold, then the counts. Several
//! scripts, or a folder: one line per script, then the totals.

use crate::cli::arguments::Automata;
use crate::cli::bad_input::BadInput;
use crate::cli::exit::Exit;
use crate::cli::limits;
use ats::{Counts, Environment, Format, Loaded, Outcome, Report};
use base::Budget;
use base::budget::Limits;
use base::diagnostics::Style;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;
use unreach::{InputError, input};

/// How long a script may take to come back by itself after its limit.
const GRACE: Duration = Duration::from_secs(1);

pub(crate) fn run(job: &Automata) -> Result<Exit, BadInput> {
    if let [file] = &job.files[..]
        && !file.is_dir()
    {
        return one(job, file);
    }
    many(job)
}

/// Runs a script. What it prints goes to `out`.
fn report(job: &Automata, file: &Path, out: &mut dyn Write) -> Result<Report, BadInput> {
    let text = input::read_script(file)?;
    let budget = Budget::unlimited();
    let limits = Limits { time: job.timeout, memory: limits::memory(job.memory) };
    // Standard output may be taken by what the script prints.
    let _watchdog = budget.watch(limits, GRACE, |limit| {
        eprintln!("interrupted: {limit}");
        std::process::exit(Exit::Unknown as i32)
    });
    let mut load = |from: &str, path: &str| {
        let path = Path::new(from).parent().unwrap_or(Path::new("")).join(path);
        let text = input::read_script(&path).map_err(|bad| bad.to_string())?;
        Ok(Loaded { name: path.display().to_string(), text })
    };
    let format = if job.dot { Format::Dot } else { Format::Script };
    let environment = Environment { load: &mut load, out, format, budget: &budget };
    Ok(ats::run(&file.display().to_string(), &text, environment))
}

fn exit(outcome: Outcome) -> Exit {
    match outcome {
        Outcome::Passed => Exit::Success,
        Outcome::Failed => Exit::Unsafe,
        Outcome::Unsupported | Outcome::Interrupted(_) => Exit::Unknown,
        Outcome::BadInput => Exit::BadInput,
    }
}

fn one(job: &Automata, file: &Path) -> Result<Exit, BadInput> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    let report = report(job, file, &mut out)?;
    // A closed pipe is the reader's choice, not an error of ours.
    let _ = out.flush();
    drop(out);
    for diagnostic in &report.diagnostics {
        eprint!("{}", diagnostic.render(&report.sources, Style::Plain));
    }
    print!("{}", report.remarks());
    for name in report.unsupported_names() {
        println!("unsupported operation: {name}");
    }
    if let Some(limit) = report.interrupted {
        println!("interrupted: {limit}");
    }
    println!("assertions: {}", counted(report.counts()));
    Ok(exit(report.outcome()))
}

fn counted(counts: Counts) -> String {
    format!(
        "{} passed ({} smaller than asserted), {} failed ({} larger than asserted), {} unsupported",
        counts.passed, counts.smaller, counts.failed, counts.larger, counts.unsupported
    )
}

/// What several scripts came to.
#[derive(Default)]
struct Totals {
    passed: usize,
    unsupported: usize,
    interrupted: usize,
    failed: usize,
    refused: usize,
    counts: Counts,
    /// For each unsupported operation the number of scripts that use it.
    operations: BTreeMap<String, usize>,
    /// The automata that are larger than asserted.
    larger: String,
}

fn many(job: &Automata) -> Result<Exit, BadInput> {
    let mut totals = Totals::default();
    for file in scripts(&job.files)? {
        let report = match report(job, &file, &mut io::sink()) {
            Ok(report) => report,
            Err(bad) => {
                println!("refused      {bad}");
                totals.refused += 1;
                continue;
            }
        };
        let counts = report.counts();
        totals.counts.add(counts);
        for name in report.unsupported_names() {
            *totals.operations.entry(name.to_owned()).or_default() += 1;
        }
        for line in report.remarks().lines().filter(|line| line.contains(": larger than asserted")) {
            totals.larger += &format!("  {line}\n");
        }
        line(&file, &report, &mut totals);
    }
    print!("{totals}");
    Ok(match totals {
        Totals { refused: 1.., .. } => Exit::BadInput,
        Totals { failed: 1.., .. } => Exit::Unsafe,
        Totals { unsupported: 1.., .. } | Totals { interrupted: 1.., .. } => Exit::Unknown,
        _ => Exit::Success,
    })
}

/// Prints the line of a script and counts it.
fn line(file: &Path, report: &Report, totals: &mut Totals) {
    let file = file.display();
    let counts = report.counts();
    match report.outcome() {
        Outcome::Passed => {
            totals.passed += 1;
            println!("passed       {file}: {} assertions", counts.passed);
        }
        Outcome::Unsupported => {
            totals.unsupported += 1;
            let names = report.unsupported_names().join(", ");
            println!("unsupported  {file}: {names}; {} assertions passed", counts.passed);
        }
        Outcome::Interrupted(limit) => {
            totals.interrupted += 1;
            println!("interrupted  {file}: {limit}");
        }
        Outcome::Failed => {
            totals.failed += 1;
            println!("failed       {file}: {}", counted(counts));
            for remark in
                report.remarks().lines().filter(|line| line.contains("larger") || line.contains("fails"))
            {
                println!("               {remark}");
            }
        }
        Outcome::BadInput => {
            totals.refused += 1;
            println!("refused      {file}");
            for diagnostic in &report.diagnostics {
                println!("               {}: {}", report.sources.place(diagnostic.span), diagnostic.message);
            }
        }
    }
}

impl std::fmt::Display for Totals {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(
            f,
            "scripts: {} passed, {} unsupported, {} interrupted, {} failed, {} refused",
            self.passed, self.unsupported, self.interrupted, self.failed, self.refused
        )?;
        writeln!(f, "assertions: {}", counted(self.counts))?;
        if !self.operations.is_empty() {
            let names: Vec<String> =
                self.operations.iter().map(|(name, scripts)| format!("{name} ({scripts})")).collect();
            writeln!(f, "unsupported operations (scripts): {}", names.join(", "))?;
        }
        if !self.larger.is_empty() {
            write!(f, "larger than asserted:\n{}", self.larger)?;
        }
        Ok(())
    }
}

/// The files, and the scripts in the folders and their folders, in the order of their names.
fn scripts(paths: &[PathBuf]) -> Result<Vec<PathBuf>, BadInput> {
    let mut found = Vec::new();
    let mut work: Vec<PathBuf> = paths.iter().rev().cloned().collect();
    while let Some(path) = work.pop() {
        if !path.is_dir() {
            found.push(path);
            continue;
        }
        let unreadable = |error| InputError::Unreadable(path.clone(), error);
        let mut inside = Vec::new();
        for entry in std::fs::read_dir(&path).map_err(unreadable)? {
            inside.push(entry.map_err(unreadable)?.path());
        }
        inside.retain(|path| path.is_dir() || path.extension().is_some_and(|extension| extension == "ats"));
        inside.sort();
        work.extend(inside.into_iter().rev());
    }
    Ok(found)
}
