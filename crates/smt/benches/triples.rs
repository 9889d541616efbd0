//! What queries cost: translation, and tiny Hoare triples `{pre} transition {post}` in several theories.
//!
//! Triples are asked in three ways: `nested` has one session per transition and nested scopes transition → pre → post;
//! `flat` has one session and pushes all three parts for each query; `process` is `nested` with a solver process.
//! All ask the same triples. `cargo bench -p smt --bench triples` prints the time of all triples of a family, and
//! their number per second.

use base::Budget;
use criterion::{BatchSize, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use logic::{Op, Sort, Term, Terms};
use smt::process::{ProcessOptions, ProcessSession};
use smt::z3::Z3;
use smt::{Answer, Solver};
use std::hint::black_box;

/// Transitions, preconditions and negated postconditions over one theory; every combination is a triple.
struct Family {
    name: &'static str,
    terms: Terms,
    transitions: Vec<Term>,
    pre: Vec<Term>,
    refuted_post: Vec<Term>,
}

impl Family {
    fn len(&self) -> usize {
        self.transitions.len() * self.pre.len() * self.refuted_post.len()
    }
}

/// `x' = x + k ∧ y' = y + x ∧ x ≤ 10·k`, with bounds on both variables before and after.
fn linear() -> Family {
    let mut terms = Terms::new();
    let [x, y, x_next, y_next] = ["x", "y", "x'", "y'"].map(|name| terms.named(name, Sort::INT));
    let (mut transitions, mut pre, mut refuted_post) = (Vec::new(), Vec::new(), Vec::new());
    for k in 1..=4 {
        let (step, bound) = (terms.int(k), terms.int(10 * k));
        let (sum, total) = (terms.add(&[x, step]), terms.add(&[y, x]));
        let parts = [terms.eq(x_next, sum), terms.eq(y_next, total), terms.le(x, bound)];
        transitions.push(terms.and(parts));
    }
    for k in 0..8 {
        let bound = terms.int(k);
        let parts = [terms.ge(x, bound), terms.ge(y, x)];
        pre.push(terms.and(parts));
        refuted_post.push(terms.lt(y_next, bound));
    }
    Family { name: "LIA", terms, transitions, pre, refuted_post }
}

/// The same with a function: `x' = f(x) + k`, and equations between applications.
fn functions() -> Family {
    let mut terms = Terms::new();
    let f = terms.function("f", &[Sort::INT], Sort::INT);
    let [x, y, x_next, y_next] = ["x", "y", "x'", "y'"].map(|name| terms.named(name, Sort::INT));
    let (mut transitions, mut pre, mut refuted_post) = (Vec::new(), Vec::new(), Vec::new());
    for k in 1..=4 {
        let step = terms.int(k);
        let fx = terms.apply(f, &[x]);
        let next = terms.add(&[fx, step]);
        let parts = [terms.eq(x_next, next), terms.eq(y_next, x), terms.le(x, y)];
        transitions.push(terms.and(parts));
    }
    for k in 0..8 {
        let bound = terms.int(k);
        let fy = terms.apply(f, &[y]);
        let parts = [terms.eq(x, y), terms.ge(fy, bound)];
        pre.push(terms.and(parts));
        let f_next = terms.apply(f, &[y_next]);
        let (equal, below) = (terms.lt(f_next, bound), terms.lt(x_next, bound));
        refuted_post.push(terms.or([equal, below]));
    }
    Family { name: "UFLIA", terms, transitions, pre, refuted_post }
}

/// `a' = a[i := k] ∧ i' = i + 1`, with facts about single elements.
fn arrays() -> Family {
    let mut terms = Terms::new();
    let map = terms.array_sort(Sort::INT, Sort::INT);
    let [a, a_next] = ["a", "a'"].map(|name| terms.named(name, map));
    let [i, i_next, j] = ["i", "i'", "j"].map(|name| terms.named(name, Sort::INT));
    let (mut transitions, mut pre, mut refuted_post) = (Vec::new(), Vec::new(), Vec::new());
    let one = terms.int(1);
    for k in 1..=4 {
        let value = terms.int(k);
        let (written, next) = (terms.store(a, i, value), terms.add(&[i, one]));
        let parts = [terms.eq(a_next, written), terms.eq(i_next, next)];
        transitions.push(terms.and(parts));
    }
    for k in 0..8 {
        let bound = terms.int(k);
        let element = terms.select(a, j);
        let parts = [terms.ge(element, bound), terms.lt(j, i)];
        pre.push(terms.and(parts));
        let after = terms.select(a_next, j);
        refuted_post.push(terms.lt(after, bound));
    }
    Family { name: "ALIA", terms, transitions, pre, refuted_post }
}

/// `x' = x + k ∧ y' = y ⊕ x` on 32 bits, with unsigned bounds.
fn bit_vectors() -> Family {
    let mut terms = Terms::new();
    let word = terms.bitvec_sort(32);
    let [x, y, x_next, y_next] = ["x", "y", "x'", "y'"].map(|name| terms.named(name, word));
    let (mut transitions, mut pre, mut refuted_post) = (Vec::new(), Vec::new(), Vec::new());
    for k in 1..=4 {
        let step = terms.bitvec(k, 32);
        let (sum, mixed) = (terms.bv_binary(Op::BvAdd, x, step), terms.bv_binary(Op::BvXor, y, x));
        let parts = [terms.eq(x_next, sum), terms.eq(y_next, mixed)];
        transitions.push(terms.and(parts));
    }
    for k in 1..=8 {
        let bound = terms.bitvec(k * 16, 32);
        let parts = [terms.bv_ult(x, bound), terms.bv_ule(y, x)];
        pre.push(terms.and(parts));
        let limit = terms.bitvec(k * 16 + 4, 32);
        refuted_post.push(terms.bv_ult(limit, x_next));
    }
    let _ = y_next;
    Family { name: "BV", terms, transitions, pre, refuted_post }
}

fn families() -> [Family; 4] {
    [linear(), functions(), arrays(), bit_vectors()]
}

/// Asks all triples with nested scopes. The sessions have their transitions already.
fn nested(family: &Family, sessions: &mut [Box<dyn Solver>]) -> usize {
    let terms = &family.terms;
    let mut valid = 0;
    for session in sessions {
        for &pre in &family.pre {
            session.push();
            session.assert(terms, pre);
            for &post in &family.refuted_post {
                session.push();
                session.assert(terms, post);
                valid += usize::from(session.check(terms) == Answer::Unsat);
                session.pop();
            }
            session.pop();
        }
    }
    valid
}

fn sessions(family: &Family, new: impl Fn() -> Box<dyn Solver>) -> Vec<Box<dyn Solver>> {
    let with_transition = |&transition: &Term| {
        let mut session = new();
        session.assert(&family.terms, transition);
        session
    };
    family.transitions.iter().map(with_transition).collect()
}

/// Asks all triples in one session.
fn flat(family: &Family, session: &mut dyn Solver) -> usize {
    let terms = &family.terms;
    let mut valid = 0;
    for &transition in &family.transitions {
        for &pre in &family.pre {
            for &post in &family.refuted_post {
                session.push();
                for part in [transition, pre, post] {
                    session.assert(terms, part);
                }
                valid += usize::from(session.check(terms) == Answer::Unsat);
                session.pop();
            }
        }
    }
    valid
}

fn triples(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("triples");
    group.sample_size(20);
    for family in families() {
        group.throughput(Throughput::Elements(family.len() as u64));
        let z3 = Z3::new(&Budget::unlimited());
        let mut in_process = sessions(&family, || Box::new(z3.session()));
        let mut single = z3.session();
        let expected = flat(&family, &mut single);
        assert_eq!(nested(&family, &mut in_process), expected, "both ways give the same answers");
        group.bench_function(BenchmarkId::new("nested", family.name), |bencher| {
            bencher.iter(|| black_box(nested(&family, &mut in_process)));
        });
        group.bench_function(BenchmarkId::new("flat", family.name), |bencher| {
            bencher.iter(|| black_box(flat(&family, &mut single)));
        });
        let command = vec![env!("UNREACH_Z3_EXECUTABLE").to_owned(), "-in".to_owned()];
        let options = ProcessOptions { command, ..ProcessOptions::command("") };
        let mut processes =
            sessions(&family, || Box::new(ProcessSession::new(options.clone(), &Budget::unlimited())));
        assert_eq!(nested(&family, &mut processes), expected, "a process gives the same answers");
        group.bench_function(BenchmarkId::new("process", family.name), |bencher| {
            bencher.iter(|| black_box(nested(&family, &mut processes)));
        });
    }
    group.finish();
}

/// A formula with about `size` distinct subterms.
fn large_formula(terms: &mut Terms, size: i64) -> Term {
    let mut all = Vec::new();
    for i in 0..size / 5 {
        let (x, y) =
            (terms.named(&format!("x{}", i % 50), Sort::INT), terms.named(&format!("y{i}"), Sort::INT));
        let bound = terms.int(i);
        let sum = terms.add(&[x, y]);
        all.push(terms.le(sum, bound));
    }
    terms.and(all)
}

fn translation(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("translation");
    let mut terms = Terms::new();
    let formula = large_formula(&mut terms, 5000);
    group.throughput(Throughput::Elements(terms.dag_size(formula) as u64));
    group.bench_function("new terms", |bencher| {
        bencher.iter_batched(
            || Z3::new(&Budget::unlimited()).session(),
            |mut session| {
                session.assert(&terms, formula);
                session
            },
            BatchSize::LargeInput,
        );
    });
    group.throughput(Throughput::Elements(1));
    let z3 = Z3::new(&Budget::unlimited());
    let mut session = z3.session();
    group.bench_function("a known term", |bencher| {
        bencher.iter(|| {
            session.push();
            session.assert(&terms, black_box(formula));
            session.pop();
        });
    });
    group.bench_function("a context", |bencher| {
        bencher.iter(|| Z3::new(&Budget::unlimited()));
    });
    group.bench_function("a session", |bencher| {
        bencher.iter(|| {
            let mut session = z3.session();
            session.check(&terms)
        });
    });
    group.finish();
}

criterion_group!(benches, translation, triples);
criterion_main!(benches);
