//! How long values of single variables take on large generated programs: `cargo bench -p analysis`.
//!
//! A program has procedures of two hundred statements with loops, branches and calls; the time should grow with its size.

use analysis::{Precision, analyse};
use base::{Budget, SourceMap};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use logic::Terms;
use std::fmt::Write;
use std::hint::black_box;

/// A program with about so many statements.
fn generated(statements: usize) -> String {
    let mut text = String::from("var g0, g1, g2, g3: int;\n");
    for procedure in 0..statements / 200 {
        // Writing to a string cannot fail.
        let _ =
            writeln!(text, "procedure p{procedure}(n: int) returns (r: int)\n  modifies g0, g1, g2, g3;\n{{");
        let _ =
            writeln!(text, "  var {}: int;", (0..20).map(|i| format!("x{i}")).collect::<Vec<_>>().join(", "));
        for block in 0..20 {
            let (a, b) = (block, (block * 7 + procedure) % 20);
            let _ = writeln!(text, "  x{a} := 0; x{b} := n;\n  while (x{a} < {}) {{", 10 + block);
            let _ = writeln!(text, "    x{a} := x{a} + 1;\n    if (x{b} > x{a}) {{ x{b} := x{b} - 1; }}");
            let _ = writeln!(text, "    else {{ g{} := x{a} mod 256; }}\n  }}", block % 4);
            let _ = writeln!(text, "  assert x{a} >= {};", 10 + block);
        }
        if procedure > 0 {
            let _ = writeln!(text, "  call r := p{}(x3);", procedure - 1);
        }
        text.push_str("}\n");
    }
    text
}

fn bench(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("values");
    group.sample_size(10);
    for statements in [12_500, 25_000, 50_000, 100_000] {
        let text = generated(statements);
        let mut sources = SourceMap::new();
        let file = sources.add("generated.bpl".to_owned(), text.clone());
        let source = boogie::compile(file, &text).expect("the program is good").program;
        let mut terms = Terms::new();
        let program = program::build(&source, &mut terms).expect("logic can express the program");
        group.throughput(Throughput::Elements(statements as u64));
        group.bench_with_input(BenchmarkId::from_parameter(statements), &program, |bencher, program| {
            bencher.iter(|| {
                let facts = analyse(program, &mut terms, Precision::Values, &Budget::unlimited());
                black_box(facts.expect("unlimited").statistics())
            });
        });
    }
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
