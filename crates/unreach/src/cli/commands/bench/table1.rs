//! The rows of Table 1.

use super::{Measured, measure};
use engines::Engine;
use engines::table::{IMPACT, KOJAK};
use std::fmt::Write;
use std::time::Duration;
use transform::BlockSize;

/// What the paper measured with large blocks, and whether it got an answer with and without them.
#[derive(Clone, Copy)]
struct Paper {
    splits: u32,
    calls: u32,
    milliseconds: u32,
    without_blocks: bool,
}

/// A row: its number in the paper, what it is, the program, whether it is safe, and the paper's two tools.
struct Row {
    number: &'static str,
    name: String,
    text: String,
    safe: bool,
    kojak: Option<Paper>,
    impact: Option<Paper>,
}

fn paper(splits: u32, calls: u32, milliseconds: u32, without_blocks: bool) -> Option<Paper> {
    Some(Paper { splits, calls, milliseconds, without_blocks })
}

macro_rules! program {
    ($name:literal) => {
        include_str!(concat!("../../../../tests/programs/", $name, ".bpl")).to_owned()
    };
}

fn rows() -> Vec<Row> {
    let row = |number, name: &str, text, safe, kojak, impact| Row {
        number,
        name: name.to_owned(),
        text,
        safe,
        kojak,
        impact,
    };
    let mut rows = vec![
        row(
            "01",
            "4-bit counter, nested branches",
            program!("counter4_nested"),
            true,
            paper(0, 3, 34, true),
            paper(3, 1, 35, true),
        ),
        row(
            "02",
            "one loop without branches",
            program!("single_loop"),
            true,
            paper(3, 33, 288, true),
            paper(4, 8, 108, true),
        ),
        row("03", "several loops", program!("several_loops"), true, paper(13, 156, 2040, false), None),
        row(
            "04",
            "gripper",
            program!("gripper"),
            true,
            paper(42, 766, 13827, false),
            paper(6, 52, 1246, false),
        ),
        row(
            "05",
            "gripper with a bug",
            program!("gripper_bug"),
            false,
            paper(1, 16, 462, false),
            paper(5, 10, 133, false),
        ),
        row("06", "running example", program!("running_example"), true, paper(6, 85, 9611, false), None),
    ];
    let counters = [
        ("07", 4, paper(0, 3, 66, false), paper(6, 19, 539, false)),
        ("08", 8, paper(0, 3, 79, false), paper(6, 25, 5447, true)),
        ("09", 16, paper(0, 3, 116, false), None),
        ("10", 32, paper(0, 3, 165, false), None),
        ("", 64, None, None),
        ("", 128, None, None),
        ("", 256, None, None),
    ];
    for (number, bits, kojak, impact) in counters {
        rows.push(row(number, &format!("{bits}-bit counter"), counter(bits), true, kojak, impact));
    }
    rows
}

/// A counter of so many bits with one loop of as many branches. When the carry leaves the highest bit, all are zero.
fn counter(bits: usize) -> String {
    let mut text = String::from("procedure main()\n{\n  var carry: bool;\n");
    let mut line = |line: String| {
        text.push_str(&line);
        text.push('\n');
    };
    for bit in 0..bits {
        line(format!("  var b{bit}: bool;"));
    }
    for bit in 0..bits {
        line(format!("  b{bit} := false;"));
    }
    line("  carry := false;\n  while (!carry)\n  {\n    carry := true;".to_owned());
    for bit in 0..bits {
        line(format!("    if (carry && b{bit}) {{\n      b{bit} := false;\n    }} else {{"));
        line(format!("      b{bit} := b{bit} || carry;\n      carry := false;\n    }}"));
    }
    line("  }".to_owned());
    let zero: Vec<String> = (0..bits).map(|bit| format!("!b{bit}")).collect();
    line(format!("  assert {};\n}}", zero.join(" && ")));
    text
}

/// Runs everything and prints a line per row and engine.
pub(super) fn print(timeout: Duration) {
    println!(
        "LBE: large-block encoding; TPC: theorem prover calls; times in milliseconds; a dash is no answer."
    );
    println!(
        "{:<3} {:<31} {:<7} | {:>6} {:>5} {:>6} {:>3} {:>3} | {:>6} {:>5} {:>6} {:>3} {:>3}",
        "No.",
        "program",
        "engine",
        "Splits",
        "TPC",
        "Time",
        "LBE",
        "not",
        "Splits",
        "TPC",
        "Time",
        "LBE",
        "not"
    );
    println!("{:<43} | {:^27} | {:^27}", "", "the paper", "here");
    for row in rows() {
        for (engine, paper) in [(KOJAK, row.kojak), (IMPACT, row.impact)] {
            let large = measure(&row.name, &row.text, engine, BlockSize::LoopFree, timeout);
            let single = measure(&row.name, &row.text, engine, BlockSize::Single, timeout);
            println!("{}", line(&row, engine, paper, &large, &single));
        }
    }
}

fn line(row: &Row, engine: &Engine, paper: Option<Paper>, large: &Measured, single: &Measured) -> String {
    let mut line = format!("{:<3} {:<31} {:<7} |", row.number, row.name, engine.name);
    let mark = |answered: bool| if answered { "yes" } else { "-" };
    // Formatting into a string cannot fail.
    let _ = match paper {
        Some(Paper { splits, calls, milliseconds, without_blocks }) => write!(
            line,
            " {splits:>6} {calls:>5} {milliseconds:>6} {:>3} {:>3} |",
            "yes",
            mark(without_blocks)
        ),
        None => write!(line, " {:>6} {:>5} {:>6} {:>3} {:>3} |", "-", "-", "-", "-", "-"),
    };
    let answer = |run: &Measured| match run.safe {
        None => "-",
        Some(safe) if safe == row.safe => "yes",
        Some(_) => "NO!",
    };
    let _ = write!(
        line,
        " {:>6} {:>5} {:>6} {:>3} {:>3}",
        large.counted.get("splits"),
        large.counted.get("theorem_prover_calls"),
        large.time.as_millis(),
        answer(large),
        answer(single)
    );
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With large blocks both engines solve the rows, as the table claims. The largest counters are left to the
    /// command, which is optimised.
    #[test]
    fn every_row_is_solved_with_large_blocks() {
        for row in rows().into_iter().filter(|row| row.text.len() < 3_000) {
            for engine in [KOJAK, IMPACT] {
                let run = measure(&row.name, &row.text, engine, BlockSize::LoopFree, Duration::from_secs(60));
                assert_eq!(run.safe, Some(row.safe), "{} by {}", row.name, engine.name);
            }
        }
    }

    #[test]
    fn a_counter_of_two_bits() {
        expect_test::expect![[r#"
            procedure main()
            {
              var carry: bool;
              var b0: bool;
              var b1: bool;
              b0 := false;
              b1 := false;
              carry := false;
              while (!carry)
              {
                carry := true;
                if (carry && b0) {
                  b0 := false;
                } else {
                  b0 := b0 || carry;
                  carry := false;
                }
                if (carry && b1) {
                  b1 := false;
                } else {
                  b1 := b1 || carry;
                  carry := false;
                }
              }
              assert !b0 && !b1;
            }
        "#]]
        .assert_eq(&counter(2));
    }
}
