//! What the everyday operations on terms cost. Run with `cargo bench -p logic --bench terms`.

use criterion::{Criterion, criterion_group, criterion_main};
use logic::smtlib::{parse, print as smtlib};
use logic::{Sort, Substitution, Symbol, Term, Terms, nnf, print, simplify};
use std::hint::black_box;

/// A formula such as large blocks have: a disjunction of paths, each a conjunction of updates and guards.
fn large_block(terms: &mut Terms, paths: usize) -> (Vec<Symbol>, Term) {
    let symbols: Vec<Symbol> = (0..8).map(|i| terms.symbol(&format!("x{i}"), Sort::INT)).collect();
    let sort = terms.array_sort(Sort::INT, Sort::INT);
    let array = terms.named("a", sort);
    let variables: Vec<Term> = symbols.iter().map(|&symbol| terms.constant(symbol)).collect();
    let mut disjuncts = Vec::new();
    for path in 0..paths {
        let mut conjuncts = Vec::new();
        for (i, pair) in variables.windows(2).enumerate() {
            let step = terms.int((path * 7 + i) as i64 % 11 - 5);
            let next = terms.add(&[pair[0], step]);
            conjuncts.push(if i % 3 == 0 { terms.eq(pair[1], next) } else { terms.le(pair[1], next) });
        }
        let (index, value) = (variables[path % 8], variables[(path + 3) % 8]);
        let written = terms.store(array, index, value);
        let read = terms.select(written, variables[(path + 5) % 8]);
        conjuncts.push(terms.le(read, variables[0]));
        disjuncts.push(terms.and(conjuncts));
    }
    let bound = terms.int(100);
    let guard = terms.le(variables[0], bound);
    let paths = terms.or(disjuncts);
    (symbols, terms.and([guard, paths]))
}

fn interning(c: &mut Criterion) {
    let mut group = c.benchmark_group("intern a known term");
    let mut terms = Terms::new();
    let (_, formula) = large_block(&mut terms, 50);
    let function = terms.function("f", &[Sort::INT, Sort::INT], Sort::INT);
    let sort = terms.array_sort(Sort::INT, Sort::INT);
    let [x, y] = ["x0", "x1"].map(|name| terms.named(name, Sort::INT));
    let array = terms.named("a", sort);
    let [p, q, r] = ["p", "q", "r"].map(|name| terms.named(name, Sort::BOOL));
    let five = terms.int(5);
    group.bench_function("application", |b| b.iter(|| terms.apply(function, black_box(&[x, y]))));
    group.bench_function("read", |b| b.iter(|| terms.select(black_box(array), black_box(x))));
    group.bench_function("conjunction of three", |b| b.iter(|| terms.and(black_box([p, q, r]))));
    group.bench_function("negation", |b| b.iter(|| terms.not(black_box(formula))));
    group.bench_function("if-then-else", |b| b.iter(|| terms.ite(black_box(p), black_box(x), black_box(y))));
    group.bench_function("constant", |b| {
        let symbol = terms.as_symbol(x).expect("a symbol");
        b.iter(|| terms.constant(black_box(symbol)))
    });
    group.finish();
    let mut group = c.benchmark_group("normalise a known sum or atom");
    group.bench_function("x + 5", |b| b.iter(|| terms.add(black_box(&[x, five]))));
    group.bench_function("x <= y", |b| b.iter(|| terms.le(black_box(x), black_box(y))));
    group.bench_function("x = 5", |b| b.iter(|| terms.eq(black_box(x), black_box(five))));
    group.finish();
}

fn traversals(c: &mut Criterion) {
    let mut terms = Terms::new();
    let (symbols, formula) = large_block(&mut terms, 50);
    let size = terms.dag_size(formula);
    let mut group = c.benchmark_group(format!("a formula of {size} nodes"));
    let renamed: Vec<Term> = symbols
        .iter()
        .map(|&symbol| {
            let name = format!("{}'", terms.symbol_data(symbol).name);
            terms.named(&name, Sort::INT)
        })
        .collect();
    group.bench_function("substitute all variables", |b| {
        b.iter(|| {
            let mut substitution: Substitution =
                symbols.iter().copied().zip(renamed.iter().copied()).collect();
            substitution.apply(&mut terms, black_box(formula))
        })
    });
    group.bench_function("free symbols", |b| b.iter(|| terms.free_symbols(black_box(formula))));
    group.bench_function("simplify", |b| b.iter(|| simplify(&mut terms, black_box(formula))));
    group.bench_function("negation normal form", |b| b.iter(|| nnf(&mut terms, black_box(formula))));
    group.bench_function("print for people", |b| b.iter(|| print::infix(&terms, black_box(formula))));
    group.bench_function("print SMT-LIB", |b| b.iter(|| smtlib::term(&terms, black_box(formula))));
    let text = smtlib::term(&terms, formula);
    group.bench_function("parse SMT-LIB", |b| b.iter(|| parse::term(&mut terms, black_box(&text))));
    group.finish();
}

criterion_group!(benches, interning, traversals);
criterion_main!(benches);
