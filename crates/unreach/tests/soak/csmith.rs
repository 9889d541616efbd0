//! Programs of Csmith against gcc: what a compiled program computes is what the verifier proves, and nothing else.
//!
//! Csmith writes C programs without inputs and without undefined behaviour that end by printing a checksum of their globals. Here
//! they sum the globals up instead, which costs less than a checksum; a compiled program tells the sum, and the verifier is asked
//! whether it can be another one, and whether it can be this one. Where Csmith or gcc is not installed, nothing is tried.

use super::{decide, report, seeds};
use crate::enumerate::Truth;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use unreach::{Plan, Problem, Property};

/// Where the headers of Csmith may be.
const HEADERS: [&str; 3] = ["/usr/include/csmith", "/usr/local/include/csmith", "/opt/csmith/include"];

/// How large programs are: small ones are decided quickly, larger ones have more to get wrong.
const SIZES: [[&str; 4]; 2] = [["2", "2", "2", "3"], ["4", "3", "3", "6"]];

/// A program of Csmith that sums its globals up, with a mark where it would print the sum.
fn program(seed: u64) -> Option<String> {
    let [functions, statements, depth, complexity] = SIZES[(seed % 2) as usize];
    let options =
        ["--concise", "--no-argc", "--no-volatiles", "--max-array-dim", "1", "--max-array-len-per-dim", "4"];
    let made = Command::new("csmith")
        .args(["--seed", &seed.to_string(), "--max-funcs", functions, "--max-block-size", statements])
        .args(["--max-block-depth", depth, "--max-expr-complexity", complexity])
        .args(options)
        .stdin(Stdio::null())
        .output()
        .ok()?;
    let text = String::from_utf8(made.stdout).ok()?;
    let mut out = String::new();
    for line in text.lines() {
        let statement = line.trim_start();
        if statement.starts_with("platform_main_end(") {
            out.push_str("END");
        } else if let Some(call) = statement.strip_prefix("transparent_crc(") {
            let (value, _) = call.rsplit_once(", \"")?;
            out.push_str(&format!("sum = sum * 31u + (unsigned)({value});"));
        } else if statement.starts_with("int main (void)") {
            out.push_str("unsigned sum;\nint main (void)");
        } else if !["platform_main_begin", "crc32_gentab", "transparent_crc_bytes"]
            .iter()
            .any(|name| statement.starts_with(name))
        {
            out.push_str(line);
        }
        out.push('\n');
    }
    out.contains("END").then_some(out)
}

/// What the compiled program sums up; nothing if it does not end soon.
fn sum(text: &str, headers: &Path, folder: &Path) -> Option<u32> {
    let (source, binary) = (folder.join("csmith.c"), folder.join("csmith"));
    let text = text.replace("END", "printf(\"%u\\n\", sum);");
    std::fs::write(&source, format!("#include <stdio.h>\n{text}")).ok()?;
    let compiled = Command::new("gcc")
        .args(["-w", "-O0", "-I"])
        .arg(headers)
        .arg(&source)
        .arg("-o")
        .arg(&binary)
        .output();
    if !compiled.ok()?.status.success() {
        return None;
    }
    let ran = Command::new("timeout").arg("2").arg(&binary).output().ok()?;
    String::from_utf8(ran.stdout).ok()?.trim().parse().ok()
}

#[test]
fn csmith() {
    let headers: Option<PathBuf> =
        HEADERS.iter().map(PathBuf::from).find(|path| path.join("csmith.h").exists());
    let has = |tool: &str| Command::new(tool).arg("--version").output().is_ok();
    let Some(headers) = headers.filter(|_| has("csmith") && has("gcc")) else {
        eprintln!("csmith or gcc is not installed; nothing is tried");
        return;
    };
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("soak-csmith");
    std::fs::create_dir_all(&folder).expect("the target folder is writable");
    let (mut made, mut open, mut found) = (0, 0, Vec::new());
    for seed in seeds(4) {
        let Some(text) = program(seed) else { continue };
        let Some(sum) = sum(&text, &headers, &folder) else { continue };
        for (relation, truth) in [("!=", Truth::Safe), ("==", Truth::Unsafe)] {
            let asked = text.replace("END", &format!("if (sum {relation} {sum}u) reach_error();"));
            let mut problem = Problem::c("soak.c", format!("extern void reach_error(void);\n{asked}"));
            problem.property = Property::UnreachCall;
            problem.c.data_model = c::DataModel::Lp64;
            problem.c.include = vec![headers.clone()];
            made += 1;
            match decide(&problem, &Plan::default().with_rounds(3)) {
                Ok(None) => open += 1,
                Ok(Some(answer)) if answer == truth => {}
                Ok(Some(_)) => {
                    found.push(format!("seed {seed}: the sum is {sum}, and it is said not to be\n{asked}"))
                }
                Err(what) => found.push(format!("seed {seed}: {what}\n{asked}")),
            }
        }
    }
    report("csmith", made, &found);
    eprintln!("{open} of them are open");
}
