//! What polyhedra cost by the number of dimensions: a loop that raises one of n counters and their sum, so that a polyhedron between all of
//! them is found, and the same with bounds for each counter, whose corners double with each of them.

use analysis::{Precision, analyse};
use base::{Budget, SourceMap};
use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use logic::Terms;
use std::fmt::Write as _;
use std::hint::black_box;

/// The loop with so many counters.
fn counters(count: usize, bounded: bool) -> String {
    let mut text = String::from("procedure main() {\n  var s: int;\n");
    for index in 0..count {
        let _ = writeln!(text, "  var x{index}: int;");
    }
    text.push_str("  s := 0;\n");
    for index in 0..count {
        let _ = writeln!(text, "  x{index} := 0;");
    }
    text.push_str("  while (*) {\n    if (*) { s := s + 1; }\n");
    for index in 0..count {
        let guard = if bounded { format!("x{index} < {}", 10 + index) } else { "*".to_owned() };
        let _ = writeln!(text, "    else if ({guard}) {{ x{index} := x{index} + 1; s := s + 1; }}");
    }
    let sum: Vec<String> = (0..count).map(|index| format!("x{index}")).collect();
    let _ = writeln!(text, "  }}\n  assert {} <= s;\n}}", sum.join(" + "));
    text
}

fn polyhedra(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("polyhedra");
    group.sample_size(10);
    for bounded in [false, true] {
        for count in [2, 4, 6, 8, 10] {
            let text = counters(count, bounded);
            let mut sources = SourceMap::new();
            let file = sources.add("program.bpl".to_owned(), text.clone());
            let source = boogie::compile(file, &text).expect("the program is correct").program;
            let mut terms = Terms::new();
            let program = program::build(&source, &mut terms).expect("logic can express the program");
            let name = if bounded { "bounded counters" } else { "counters" };
            group.bench_function(BenchmarkId::new(name, count), |bencher| {
                bencher.iter(|| {
                    let facts = analyse(&program, &mut terms, Precision::Polyhedra, &Budget::unlimited());
                    black_box(facts.expect("unlimited").statistics())
                });
            });
        }
    }
    group.finish();
}

criterion_group!(benches, polyhedra);
criterion_main!(benches);
