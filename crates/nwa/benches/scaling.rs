//! How the operations grow with the automata: `cargo bench -p nwa`.

mod families;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use families::{counter, finite, program, recursion};
use nwa::Nwa;
use nwa::Unlimited;
use std::hint::black_box;

const SIZES: [usize; 4] = [1_000, 10_000, 100_000, 1_000_000];

fn measure(criterion: &mut Criterion, name: &str, family: fn(usize) -> Nwa, operation: fn(&Nwa)) {
    let mut group = criterion.benchmark_group(name);
    group.sample_size(10);
    for size in SIZES {
        let nwa = family(size);
        group.throughput(Throughput::Elements(nwa.num_transitions() as u64));
        group.bench_with_input(BenchmarkId::from_parameter(size), &nwa, |bencher, nwa| {
            bencher.iter(|| operation(black_box(nwa)));
        });
    }
    group.finish();
}

fn find_a_run(nwa: &Nwa) {
    black_box(nwa::shortest_run(nwa, &Unlimited).expect("no limit"));
}

fn subtract(nwa: &Nwa) {
    black_box(nwa::difference(nwa, &counter(3), &Unlimited).expect("no limit"));
}

fn trim(nwa: &Nwa) {
    black_box(nwa::remove_dead_ends(nwa, &Unlimited).expect("no limit"));
}

fn bisimulate(nwa: &Nwa) {
    black_box(nwa::reduce::by_bisimulation(nwa, |_| 0, &Unlimited).expect("no limit"));
}

fn scaling(criterion: &mut Criterion) {
    measure(criterion, "emptiness of finite automata", finite, find_a_run);
    measure(criterion, "emptiness of programs", program, find_a_run);
    measure(criterion, "emptiness of recursions", recursion, find_a_run);
    measure(criterion, "difference of programs and a counter", program, subtract);
    measure(criterion, "removal of dead ends of programs", program, trim);
    measure(criterion, "bisimulation of programs", program, bisimulate);
}

criterion_group!(benches, scaling);
criterion_main!(benches);
