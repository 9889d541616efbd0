//! How much of a set of C files each stage accepts, and why it refuses the rest.
//!
//! `cargo run --release -p c --example survey -- check|translate|print PROPERTY FILE…`, where the property is one of
//! `call`, `label`, `assert` and `overflow`, with `+ends` if a signed overflow ends the execution. The data model is read from the task definition (`.yml`) beside the file.

#![allow(clippy::disallowed_methods, clippy::print_stdout, reason = "a command-line tool")]

use base::SourceMap;
use c::{DataModel, NoIncludes, Options, Problem, Property, SignedOverflow};
use std::collections::BTreeMap;

fn data_model(path: &str) -> DataModel {
    let stem = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
    match std::fs::read_to_string(format!("{stem}.yml")) {
        Ok(text) if text.contains("LP64") => DataModel::Lp64,
        _ => DataModel::Ilp32,
    }
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let stage = arguments.next().unwrap_or_default();
    let property = arguments.next().unwrap_or_default();
    let (property, ends) =
        property.strip_suffix("+ends").map_or((property.as_str(), false), |name| (name, true));
    let signed_overflow = if ends { SignedOverflow::Ends } else { SignedOverflow::Wraps };
    let property = match Some(property) {
        Some("label") => Property::UnreachLabel,
        Some("assert") => Property::Assert,
        Some("overflow") => Property::NoOverflow,
        _ => Property::UnreachCall,
    };
    let mut reasons: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let (mut files, mut good, mut bytes) = (0, 0, 0);
    let start = std::time::Instant::now();
    for path in arguments {
        let Ok(raw) = std::fs::read(&path) else { continue };
        let text = String::from_utf8_lossy(&raw).into_owned();
        bytes += text.len();
        files += 1;
        let mut sources = SourceMap::new();
        let file = sources.add(path.clone(), text);
        let data_model = data_model(&path);
        let options = Options { data_model, property, signed_overflow, ..Options::default() };
        let result = match stage.as_str() {
            "check" => c::check(&mut sources, file, data_model, &NoIncludes),
            _ => c::translate(&mut sources, file, options, &NoIncludes).map(|(program, _)| {
                let violations = ir::well_formed::check(&program);
                if let Some(violation) = violations.first() {
                    println!("{path}: the translation is not well formed: {violation:?}");
                }
                if stage == "print" {
                    println!("{program}");
                }
            }),
        };
        match result {
            Ok(()) => good += 1,
            Err(problems) => {
                let (reason, span) = match &problems[0] {
                    Problem::Error(diagnostic) => (diagnostic.message.clone(), diagnostic.span),
                    Problem::Unsupported(unsupported) => {
                        (format!("unsupported: {}", unsupported.what), unsupported.span)
                    }
                    Problem::Interrupted(limit) => unreachable!("no limit is set: {limit}"),
                };
                reasons.entry(reason).or_default().push(sources.place(span));
            }
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    let speed = bytes as f64 / 1e6 / seconds;
    println!("{good} of {files} files accepted, {bytes} bytes in {seconds:.2} s, {speed:.1} MB/s");
    let mut reasons: Vec<_> = reasons.into_iter().collect();
    reasons.sort_by_key(|(_, places)| std::cmp::Reverse(places.len()));
    for (reason, places) in reasons.iter().take(60) {
        println!("{:5}  {reason}  {}", places.len(), places[0]);
    }
}
