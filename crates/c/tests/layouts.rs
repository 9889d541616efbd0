//! Sizes, alignments and offsets of random structs and unions, against gcc, for both data models.
//!
//! gcc only has to compile, not to link, so that `-m32` works without libraries. What it computes becomes static
//! assertions, which the front end checks.

#![allow(clippy::disallowed_methods, clippy::print_stderr, reason = "tests run a compiler")]

use base::Random;
use base::SourceMap;
use c::{DataModel, NoIncludes, Problem};
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

/// Type names with the widths of bit-fields that they may have; 0 if none.
const TYPES: &[(&str, u64)] = &[
    ("char", 8),
    ("unsigned short", 16),
    ("int", 32),
    ("unsigned", 32),
    ("long", 32),
    ("unsigned long long", 64),
    ("_Bool", 1),
    ("float", 0),
    ("double", 0),
    ("long double", 0),
    ("void *", 0),
    ("aligned_int", 0),
];

/// Structs, and the expressions about them whose values are compared.
fn structs(random: &mut Random, count: u64) -> (String, Vec<String>) {
    let mut text = String::from("typedef int aligned_int __attribute__((aligned(16)));\n");
    let mut asked = Vec::new();
    for number in 0..count {
        let pack = random.number(6) == 0;
        if pack {
            let size = random.pick(&["1", "2", "4", "8"]);
            let _ = writeln!(text, "#pragma pack(push, {size})");
        }
        let word = random.pick(&["struct", "struct", "struct", "union"]);
        let _ = write!(text, "typedef {word} s{number} {{");
        for member in 0..1 + random.number(6) {
            let (ty, bits) = TYPES[random.number(TYPES.len() as u64) as usize];
            let attribute =
                random.pick(&["", "", "", "", " __attribute__((packed))", " __attribute__((aligned(8)))"]);
            match random.number(8) {
                0..=2 if bits > 0 => {
                    let _ = write!(text, " {ty} b{member} : {};", 1 + random.number(bits));
                }
                3 if bits > 0 => {
                    let _ = write!(text, " {ty} : {};", random.number(bits + 1));
                }
                4 if number > 0 => {
                    let _ = write!(text, " s{} m{member};", random.number(number));
                    asked.push(format!("__builtin_offsetof(s{number}, m{member})"));
                }
                5 if ty != "aligned_int" => {
                    let _ = write!(text, " {ty} m{member}[{}];", 1 + random.number(4));
                    asked.push(format!("__builtin_offsetof(s{number}, m{member})"));
                }
                _ => {
                    let _ = write!(text, " {ty} m{member}{attribute};");
                    asked.push(format!("__builtin_offsetof(s{number}, m{member})"));
                }
            }
        }
        let attribute = random.pick(&[
            "",
            "",
            "",
            " __attribute__((packed))",
            " __attribute__((aligned(32)))",
            " __attribute__((packed, aligned(2)))",
        ]);
        let _ = writeln!(text, " char last; }}{attribute} s{number};");
        if pack {
            text.push_str("#pragma pack(pop)\n");
        }
        asked.push(format!("sizeof(s{number})"));
        asked.push(format!("_Alignof(s{number})"));
        asked.push(format!("__builtin_offsetof(s{number}, last)"));
    }
    (text, asked)
}

/// The values that gcc computes.
fn by_gcc(name: &str, option: &str, text: &str, asked: &[String]) -> Vec<u64> {
    let source = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.c"));
    let text = format!("{text}int values[] = {{ {} }};\n", asked.join(", "));
    std::fs::write(&source, text).expect("the directory is writable");
    let output = Command::new("gcc")
        .args([option, "-w", "-S", "-o", "-"])
        .arg(&source)
        .output()
        .expect("gcc is installed");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let assembly = String::from_utf8_lossy(&output.stdout);
    let values = assembly.lines().skip_while(|line| *line != "values:").skip(1);
    let mut numbers = Vec::new();
    for line in values {
        let mut words = line.split_whitespace();
        match (words.next(), words.next()) {
            (Some(".long"), Some(number)) => numbers.push(number.parse().expect("a number")),
            (Some(".zero"), Some(bytes)) => {
                let count = bytes.parse::<usize>().expect("a number") / 4;
                numbers.extend(std::iter::repeat_n(0, count));
            }
            _ => break,
        }
    }
    assert_eq!(numbers.len(), asked.len(), "{assembly}");
    numbers
}

fn same(option: &str, model: DataModel, seeds: std::ops::Range<u64>) {
    for seed in seeds {
        let (text, asked) = structs(&mut Random::new(seed), 40);
        let values = by_gcc(&format!("layouts{option}_{seed}"), option, &text, &asked);
        let mut checked = text.clone();
        for (expression, value) in asked.iter().zip(values) {
            let _ = writeln!(checked, "_Static_assert({expression} == {value}, \"{expression}\");");
        }
        let mut sources = SourceMap::new();
        let file = sources.add("layouts.c", checked);
        if let Err(problems) = c::check(&mut sources, file, model, &NoIncludes) {
            for problem in &problems {
                match problem {
                    Problem::Error(diagnostic) => {
                        eprintln!("{}", diagnostic.render(&sources, base::diagnostics::Style::Plain));
                    }
                    Problem::Unsupported(unsupported) => eprintln!("{}", unsupported.describe(&sources)),
                    Problem::Interrupted(limit) => eprintln!("{limit}"),
                }
            }
            panic!("seed {seed}, {option}: {} of the layouts differ\n{text}", problems.len());
        }
    }
}

#[test]
fn layouts_of_lp64() {
    same("-m64", DataModel::Lp64, 0..12);
}

#[test]
fn layouts_of_ilp32() {
    same("-m32", DataModel::Ilp32, 100..112);
}
