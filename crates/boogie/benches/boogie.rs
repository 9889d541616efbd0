//! How fast Boogie is read, and how fast programs run.

use base::{Budget, EntityRef, FileId};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use ir::interpreter::{Defaults, Interpreter, Limits, Outcome};
use std::fmt::Write;
use std::hint::black_box;

/// A program of about so many bytes: procedures with loops, maps, calls and specifications.
fn large_program(bytes: usize) -> String {
    let mut text = String::from(
        "var heap: [int]int;\nvar count: int;\nfunction f(x: int, y: int) returns (int);\n\
         axiom (forall x: int :: { f(x, 0) } f(x, 0) == x);\n",
    );
    let mut number = 0;
    while text.len() < bytes {
        write!(
            text,
            "\n// Procedure number {number}.\n\
             procedure proc~{number}(n: int, p: int) returns (#res: int)\n\
             \x20 requires n >= 0 && p != 0;\n\
             \x20 modifies heap, count;\n\
             \x20 ensures #res >= old(count) || heap[p] == f(n, {number});\n\
             {{\n\
             \x20 var i, limit: int;\n\
             \x20 var found: bool;\n\
             \x20 i, limit, found := 0, n * 2 + {number}, false;\n\
             \x20 loop~{number}: while (i < limit && !found)\n\
             \x20   invariant 0 <= i && i <= limit;\n\
             \x20 {{\n\
             \x20   if (heap[p + i] == {number} || i mod 7 == 3) {{\n\
             \x20     heap[p + i] := heap[p] - i;\n\
             \x20     found := i > 100 ==> heap[i] < 0;\n\
             \x20   }} else {{\n\
             \x20     count := count + 1;\n\
             \x20   }}\n\
             \x20   i := i + 1;\n\
             \x20 }}\n\
             \x20 assert {{:msg \"bounds\"}} i <= limit;\n\
             \x20 #res := count;\n\
             }}\n"
        )
        .expect("strings can be written");
        number += 1;
    }
    text
}

fn reading(criterion: &mut Criterion) {
    let text = large_program(4 << 20);
    let file = FileId::new(0);
    let mut group = criterion.benchmark_group("read");
    group.sample_size(10);
    group.throughput(Throughput::Bytes(text.len() as u64));
    group.bench_function("tokens", |bencher| {
        bencher.iter(|| {
            let mut lexer = boogie::lexer::Lexer::new(&text);
            let mut tokens = 0_u64;
            while lexer.next_token().kind != boogie::tokens::TokenKind::End {
                tokens += 1;
            }
            tokens
        });
    });
    group.bench_function("parse", |bencher| {
        bencher.iter(|| {
            let parsed = boogie::parse(file, &text);
            assert!(parsed.errors.is_empty());
            parsed.ast.declarations.len()
        });
    });
    group.bench_function("compile", |bencher| {
        bencher.iter(|| boogie::compile(file, &text).expect("the program is fine").program.procedures.len());
    });
    let program = boogie::compile(file, &text).expect("the program is fine").program;
    group.bench_function("print ir", |bencher| bencher.iter(|| program.to_string().len()));
    group.bench_function("check ir", |bencher| bencher.iter(|| ir::well_formed::check(&program).len()));
    group.finish();
}

/// Programs whose loops run a million steps and more.
const LOOPS: &[(&str, &str)] = &[
    ("count", "procedure p() { var i: int; i := 0; while (i < 500000) { i := i + 1; } }"),
    (
        "collatz",
        "procedure p() { var n, i: int; i := 1; while (i < 8000) { n := i; while (n > 1) \
         { if (n mod 2 == 0) { n := n div 2; } else { n := 3 * n + 1; } } i := i + 1; } }",
    ),
    (
        "sieve",
        "procedure p() { var m: [int]bool; var i, j: int; i := 2; while (i < 50000) { if (!m[i]) \
         { j := i + i; while (j < 50000) { m[j] := true; j := j + i; } } i := i + 1; } }",
    ),
    (
        "calls",
        "procedure fib(n: int) returns (r: int) { var a, b: int; if (n < 2) { r := n; } else \
         { call a := fib(n - 1); call b := fib(n - 2); r := a + b; } }\n\
         procedure p() { var r: int; call r := fib(20); assert r == 6765; }",
    ),
    (
        "bits",
        "function {:builtin \"bvadd\"} add(x: bv32, y: bv32) returns (bv32);\n\
         function {:builtin \"bvxor\"} xor(x: bv32, y: bv32) returns (bv32);\n\
         function {:builtin \"bvult\"} ult(x: bv32, y: bv32) returns (bool);\n\
         procedure p() { var x, i: bv32; i := 0bv32; x := 1bv32; while (ult(i, 300000bv32)) \
         { x := xor(add(x, i), x[31:0] ++ x[32:31]); i := add(i, 1bv32); } }",
    ),
];

fn running(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("run");
    group.sample_size(10);
    for (name, text) in LOOPS {
        let program = boogie::compile(FileId::new(0), text).expect("the program is fine").program;
        let procedure = program.procedure("p").expect("`p` is declared");
        let mut interpreter = Interpreter::new(&program, Budget::unlimited());
        let limits = Limits { steps: 100_000_000, ..Limits::default() };
        let mut run = || {
            let outcome = interpreter.run(procedure, &[], &mut Defaults, limits).expect("no budget");
            assert_eq!(outcome, Outcome::Finished);
            interpreter.steps_taken()
        };
        group.throughput(Throughput::Elements(run()));
        group.bench_function(BenchmarkId::from_parameter(name), |bencher| bencher.iter(|| black_box(run())));
    }
    group.finish();
}

criterion_group!(benches, reading, running);
criterion_main!(benches);
