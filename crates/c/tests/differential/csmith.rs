//! Programs of Csmith (X. Yang, Y. Chen, E. Eide, J. Regehr, "Finding and understanding bugs in C compilers", PLDI 2011),
//! whose checksum becomes the result. They have no undefined behaviour by construction.
//!
//! Csmith is not installed everywhere: without it, or without its header, there are no such programs.

use std::path::Path;
use std::process::Command;

/// Where packages put the header that the programs include.
const HEADERS: [&str; 2] = ["/usr/include/csmith", "/usr/local/include/csmith-2.3.0"];

/// The program for a seed, preprocessed; nothing if Csmith is not there.
pub fn program(seed: u64, directory: &Path) -> Option<String> {
    let headers = HEADERS.iter().find(|headers| Path::new(headers).join("csmith.h").exists())?;
    let generated = Command::new("csmith")
        .args(["--seed", &seed.to_string(), "--no-argc", "--max-funcs", "3", "--max-block-depth", "2"])
        .args(["--max-block-size", "3", "--max-expr-complexity", "4", "--max-array-len-per-dim", "4"])
        .output()
        .ok()?;
    let text = String::from_utf8(generated.stdout).ok()?;
    let text = text.replace(
        "platform_main_end(crc32_context ^ 0xFFFFFFFFUL, print_hash_value);",
        "result = crc32_context;",
    );
    let source = directory.join(format!("csmith_{seed}.c"));
    std::fs::write(&source, format!("long long result;\n{text}")).ok()?;
    let expanded = Command::new("gcc").args(["-E", "-P", "-w", "-I", headers]).arg(&source).output().ok()?;
    expanded.status.success().then(|| String::from_utf8_lossy(&expanded.stdout).into_owned())
}
