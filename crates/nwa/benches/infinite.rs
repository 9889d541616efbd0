//! How the operations on Büchi automata grow with the automata: `cargo bench -p nwa --bench infinite`.

mod families;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use families::{counter, finite, last_phase, looping, program};
use nwa::{Nwa, Unlimited, buchi};
use std::hint::black_box;

const SIZES: [usize; 3] = [1_000, 10_000, 100_000];

fn measure(criterion: &mut Criterion, name: &str, family: fn(usize) -> Nwa, operation: fn(&Nwa)) {
    let mut group = criterion.benchmark_group(name);
    group.sample_size(10);
    for size in SIZES {
        let nwa = looping(&family(size));
        group.throughput(Throughput::Elements(nwa.num_transitions() as u64));
        group.bench_with_input(BenchmarkId::from_parameter(size), &nwa, |bencher, nwa| {
            bencher.iter(|| operation(black_box(nwa)));
        });
    }
    group.finish();
}

fn find_a_lasso(nwa: &Nwa) {
    black_box(buchi::shortest_lasso(nwa, &Unlimited).expect("no limit"));
}

fn keep_live_states(nwa: &Nwa) {
    black_box(buchi::remove_non_live_states(nwa, &Unlimited).expect("no limit"));
}

fn subtract_deterministic(nwa: &Nwa) {
    black_box(buchi::difference(nwa, &counter(3), &Unlimited).expect("no limit"));
}

fn subtract_semi_deterministic(nwa: &Nwa) {
    black_box(buchi::difference(nwa, &last_phase(), &Unlimited).expect("no limit"));
}

fn scaling(criterion: &mut Criterion) {
    measure(criterion, "lasso in finite automata", finite, find_a_lasso);
    measure(criterion, "lasso in programs", program, find_a_lasso);
    measure(criterion, "live states of programs", program, keep_live_states);
    measure(
        criterion,
        "Büchi difference of programs and a deterministic automaton",
        program,
        subtract_deterministic,
    );
    measure(
        criterion,
        "Büchi difference of programs and a semi-deterministic automaton",
        program,
        subtract_semi_deterministic,
    );
}

criterion_group!(benches, scaling);
criterion_main!(benches);
