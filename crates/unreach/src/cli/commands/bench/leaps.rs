//! The programs of paper "Leaping Loops in the Presence of Abstraction", with errors behind more and more iterations.

use super::measure;
use base::budget::resident_bytes;
use engines::table::LEAPING;
use std::time::Duration;
use transform::BlockSize;

macro_rules! program {
    ($name:literal) => {
        ($name, include_str!(concat!("../../../../tests/leaping/programs/", $name, ".bpl")))
    };
}

const PROGRAMS: [(&str, &str); 5] = [
    program!("simple"),
    program!("less_simple"),
    program!("nested"),
    program!("jump_beyond_n"),
    program!("flip"),
];

/// The powers of ten that an input has at least.
const EXPONENTS: [u32; 5] = [3, 6, 9, 12, 15];

/// The program with a least value for its input; none if there is no bound.
fn with_bound(text: &str, least: Option<u64>) -> String {
    const BOUND: &str = "assume n >= 1000000;";
    debug_assert!(text.contains(BOUND), "the programs have a bound to be replaced");
    match least {
        Some(least) => text.replace(BOUND, &format!("assume n >= {least};")),
        None => text.replace(BOUND, ""),
    }
}

/// Runs everything and prints a line per program.
pub(super) fn print(timeout: Duration) {
    println!("Milliseconds to an error behind n iterations and more, leaps checked; a dash is no answer.");
    let bounds: Vec<String> = EXPONENTS.iter().map(|exponent| format!("n >= 10^{exponent}")).collect();
    println!("{:<14} {:>10} {}", "program", "any n", row(bounds));
    let mut most = 0;
    for (name, text) in PROGRAMS {
        let bounds = std::iter::once(None).chain(EXPONENTS.map(|exponent| Some(10u64.pow(exponent))));
        let times = bounds.map(|least| {
            let text = with_bound(text, least);
            let run = measure(name, &text, LEAPING, BlockSize::LoopFree, timeout);
            most = most.max(resident_bytes().unwrap_or_default());
            match run.safe {
                Some(false) => run.time.as_millis().to_string(),
                Some(true) => "WRONG".to_owned(),
                None => "-".to_owned(),
            }
        });
        println!("{name:<14} {}", row(times.collect()));
    }
    println!("at most {} MB after a run", most >> 20);
}

fn row(cells: Vec<String>) -> String {
    cells.iter().map(|cell| format!("{cell:>10}")).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_iterations_does_not_matter() {
        for (name, text) in PROGRAMS {
            for least in [None, Some(1_000), Some(1_000_000_000_000)] {
                let text = with_bound(text, least);
                let timeout = Duration::from_secs(60);
                let run = measure(name, &text, LEAPING, BlockSize::LoopFree, timeout);
                assert_eq!(run.safe, Some(false), "{name} with {least:?}");
            }
        }
    }
}
