//! Random programs with threads: the product fails if and only if some interleaving does.
//!
//! Two independent explorations of finite state spaces are compared: one follows the threads as the source has them, with
//! a stack each and every interleaving; the other follows the blocks of the product, which has one thread and no calls.

mod back;
mod generator;
mod interleavings;
mod values;

use base::{Budget, EntityRef, FileId};
use interleavings::{Rules, Truth, run, run_by};
use std::ops::Range;
use threads::{Beyond, Guards, Options, Order, Refused, sequential};

fn program(text: &str) -> ir::Program {
    match boogie::compile(FileId::new(0), text) {
        Ok(compiled) => compiled.program,
        Err(failure) => panic!("{:?} {:?}\n{text}", failure.errors, failure.unsupported),
    }
}

/// Compares, and gives what is true.
fn check(text: &str, instances: usize) -> Truth {
    let source = program(text);
    let truth = run_by(&source, Rules::Threads);
    let lockstep = (Beyond::Marked, Order::Lockstep);
    for (beyond, order) in [(Beyond::Cut, Order::OneAfterTheOther), lockstep] {
        let (guards, running) = (Guards::Kept, None);
        let options = Options { instances, beyond, most_states: 1_000, order, guards, running };
        let product = match sequential(&source, &options, &Budget::unlimited()) {
            Ok(product) => product,
            Err(Refused::TooManyStates(_)) => return Truth::TooLarge,
            Err(other) => panic!("{other:?}\n{text}"),
        };
        let found = run(&product.program);
        let mistakes = ir::well_formed::check(&product.program);
        assert!(mistakes.is_empty(), "{mistakes:?}\n{text}\n{}", product.program);
        let agrees = match (truth, found) {
            (Truth::TooLarge, _) | (_, Truth::TooLarge) => true,
            (Truth::Unsafe, Truth::Unsafe) => true,
            // Beyond the bound, the product says nothing of errors.
            (Truth::Unsafe, Truth::Safe) => product.bounded && beyond == Beyond::Cut,
            (Truth::Unsafe, Truth::Marked) => product.bounded,
            (Truth::Safe, Truth::Safe) => true,
            (Truth::Safe, Truth::Marked) => product.bounded && beyond == Beyond::Marked,
            (Truth::Safe, Truth::Unsafe) | (Truth::Marked, _) => false,
        };
        assert!(agrees, "truth {truth:?}, product {found:?} ({beyond:?})\n{text}\n{}", product.program);
        check_open(&source, truth, &options);
        check_few(&source, truth, &options);
    }
    truth
}

/// What fails where only one thread besides the first may run, fails.
fn check_few(source: &ir::Program, truth: Truth, options: &Options) {
    let options = Options { running: Some(1), ..*options };
    let Ok(product) = sequential(source, &options, &Budget::unlimited()) else { return };
    let found = run(&product.program);
    let is_lost = found == Truth::Unsafe && truth == Truth::Safe;
    assert!(!is_lost, "an error that does not exist\n{source}\n{}", product.program);
    let complete = !product.bounded && truth == Truth::Unsafe && found == Truth::Safe;
    assert!(!complete, "an error is lost and the product is said to be whole\n{source}");
}

/// With open guards, what fails still fails.
fn check_open(source: &ir::Program, truth: Truth, options: &Options) {
    let options = Options { guards: Guards::Open, ..*options };
    let Ok(product) = sequential(source, &options, &Budget::unlimited()) else { return };
    let mistakes = ir::well_formed::check(&product.program);
    assert!(mistakes.is_empty(), "{mistakes:?}\n{}", product.program);
    let found = run(&product.program);
    let is_left_out = product.bounded && options.beyond == Beyond::Cut;
    if truth == Truth::Unsafe && !is_left_out {
        assert!(found != Truth::Safe, "an error is lost with open guards\n{source}\n{}", product.program);
    }
    assert!(found != Truth::Unsafe, "an error with open guards has a mark\n{source}");
}

#[test]
fn the_product_fails_where_an_interleaving_does() {
    let (mut safe, mut unsafe_) = (0, 0);
    for seed in 0..600 {
        match check(&generator::program(seed), 1 + seed as usize % 3) {
            Truth::Safe => safe += 1,
            Truth::Unsafe => unsafe_ += 1,
            Truth::Marked | Truth::TooLarge => {}
        }
    }
    assert!(safe > 60 && unsafe_ > 60, "{safe} safe, {unsafe_} unsafe");
}

/// Compares programs whose steps can often be exchanged.
fn check_exchanging(seeds: Range<u64>) {
    let (mut safe, mut unsafe_) = (0, 0);
    for seed in seeds.clone() {
        match check(&generator::exchanging(seed), 1 + seed as usize % 3) {
            Truth::Safe => safe += 1,
            Truth::Unsafe => unsafe_ += 1,
            Truth::Marked | Truth::TooLarge => {}
        }
    }
    let least = (seeds.end - seeds.start) / 10;
    assert!(safe > least && unsafe_ > least, "{safe} safe, {unsafe_} unsafe");
}

#[test]
fn the_product_fails_where_an_interleaving_of_exchanged_steps_does() {
    check_exchanging(0..300);
}

#[test]
#[ignore = "takes minutes"]
fn the_product_fails_where_one_of_many_interleavings_of_exchanged_steps_does() {
    check_exchanging(300..6_000);
}

/// Compares programs with critical sections.
fn check_locked(seeds: Range<u64>) {
    let (mut safe, mut unsafe_) = (0, 0);
    for seed in seeds.clone() {
        match check(&generator::locked(seed), 1 + seed as usize % 3) {
            Truth::Safe => safe += 1,
            Truth::Unsafe => unsafe_ += 1,
            Truth::Marked | Truth::TooLarge => {}
        }
    }
    let least = (seeds.end - seeds.start) / 20;
    assert!(safe > least && unsafe_ > least, "{safe} safe, {unsafe_} unsafe");
}

#[test]
fn the_product_fails_where_an_interleaving_of_critical_sections_does() {
    check_locked(0..400);
}

#[test]
#[ignore = "takes minutes"]
fn the_product_fails_where_one_of_many_interleavings_of_critical_sections_does() {
    check_locked(400..6_000);
}

/// Compares programs with recursion.
fn check_recursive(seeds: Range<u64>) {
    let (mut safe, mut unsafe_) = (0, 0);
    for seed in seeds.clone() {
        match check(&generator::recursive(seed), 1 + seed as usize % 3) {
            Truth::Safe => safe += 1,
            Truth::Unsafe => unsafe_ += 1,
            Truth::Marked | Truth::TooLarge => {}
        }
    }
    let least = (seeds.end - seeds.start) / 20;
    assert!(safe > least && unsafe_ > least, "{safe} safe, {unsafe_} unsafe");
}

#[test]
fn the_product_fails_where_an_interleaving_of_recursive_calls_does() {
    check_recursive(0..400);
}

#[test]
fn the_product_fails_where_recursive_calls_race() {
    let (mut safe, mut unsafe_) = (0, 0);
    for seed in 0..200 {
        match check(&generator::recursive_and_watched(seed), 1 + seed as usize % 3) {
            Truth::Safe => safe += 1,
            Truth::Unsafe => unsafe_ += 1,
            Truth::Marked | Truth::TooLarge => {}
        }
    }
    assert!(safe > 10 && unsafe_ > 10, "{safe} safe, {unsafe_} unsafe");
}

#[test]
#[ignore = "takes minutes"]
fn the_product_fails_where_one_of_many_interleavings_of_recursive_calls_does() {
    check_recursive(400..6_000);
}

/// Compares programs in which locks are tried.
fn check_tried(seeds: Range<u64>) {
    let (mut safe, mut unsafe_) = (0, 0);
    for seed in seeds.clone() {
        match check(&generator::tried(seed), 1 + seed as usize % 3) {
            Truth::Safe => safe += 1,
            Truth::Unsafe => unsafe_ += 1,
            Truth::Marked | Truth::TooLarge => {}
        }
    }
    let least = (seeds.end - seeds.start) / 20;
    assert!(safe > least && unsafe_ > least, "{safe} safe, {unsafe_} unsafe");
}

#[test]
fn the_product_fails_where_an_interleaving_of_tried_locks_does() {
    check_tried(0..400);
}

#[test]
#[ignore = "takes minutes"]
fn the_product_fails_where_one_of_many_interleavings_of_tried_locks_does() {
    check_tried(400..6_000);
}

/// Compares programs with a lock, a condition and a barrier.
fn check_waiting(seeds: Range<u64>) {
    let (mut safe, mut unsafe_) = (0, 0);
    for seed in seeds.clone() {
        match check(&generator::waiting(seed), 1 + seed as usize % 3) {
            Truth::Safe => safe += 1,
            Truth::Unsafe => unsafe_ += 1,
            Truth::Marked | Truth::TooLarge => {}
        }
    }
    let least = (seeds.end - seeds.start) / 20;
    assert!(safe > least && unsafe_ > least, "{safe} safe, {unsafe_} unsafe");
}

#[test]
fn the_product_fails_where_an_interleaving_of_conditions_and_barriers_does() {
    check_waiting(0..300);
}

#[test]
#[ignore = "takes minutes"]
fn the_product_fails_where_one_of_many_interleavings_of_conditions_and_barriers_does() {
    check_waiting(300..6_000);
}

/// How many states the product of so many threads has that take a lock, and look at what it protects.
fn states_of_locked(threads: usize, section: &str) -> usize {
    let forks: String = (0..threads).map(|number| format!("fork {number} a(); ")).collect();
    let text = format!(
        "var k, x, y: int; procedure ULTIMATE.start() modifies k, x, y; {{ k := 0; x := 0; y := 0; {forks}
         atomic {{ assume k == 0; k := 1; }} assert x == y; k := 0; }}
         procedure a() modifies k, x, y; {{ {section} }}"
    );
    let options = Options {
        instances: 1,
        beyond: Beyond::Cut,
        most_states: 30_000,
        order: Order::OneAfterTheOther,
        guards: Guards::Kept,
        running: None,
    };
    match sequential(&program(&text), &options, &Budget::unlimited()) {
        Ok(product) => product.states,
        Err(refused) => panic!("{refused:?}"),
    }
}

#[test]
fn critical_sections_are_exchanged_as_a_whole() {
    let section = "atomic { assume k == 0; k := 1; } x := x + 1; y := y + 1; k := 0;";
    let states = states_of_locked(20, section);
    assert!(states < 300, "{states} states of 20 threads");
    // What is also accessed without the lock is not protected by it.
    let disturbed = "atomic { assume k == 0; k := 1; } x := x + 1; y := y + 1; k := 0; x := x;";
    let (few, many) = (states_of_locked(4, section), states_of_locked(4, disturbed));
    assert!(2 * few < many, "{few} and {many} states");
}

/// How many states the product has of so many threads with a lock and a number each, at all of which the first thread looks.
fn states_of_own_locks(threads: usize) -> usize {
    let list = |part: &dyn Fn(usize) -> String| (0..threads).map(part).collect::<Vec<_>>();
    let names = list(&|i| format!("k{i}, x{i}, y{i}")).join(", ");
    let clear = list(&|i| format!("k{i} := 0; x{i} := 0; y{i} := 0; ")).concat();
    let forks = list(&|i| format!("fork {i} a{i}(); ")).concat();
    let looks =
        list(&|i| format!("atomic {{ assume k{i} == 0; k{i} := 1; }} assert x{i} == y{i}; k{i} := 0; "));
    let bodies = list(&|i| {
        format!(
            "procedure a{i}() modifies k{i}, x{i}, y{i}; {{ atomic {{ assume k{i} == 0; k{i} := 1; }}
             x{i} := x{i} + 1; y{i} := y{i} + 1; k{i} := 0; }}\n"
        )
    });
    let text = format!(
        "var {names}: int; procedure ULTIMATE.start() modifies {names}; {{ {clear} {forks} {} }}\n{}",
        looks.concat(),
        bodies.concat()
    );
    let options = Options {
        instances: 1,
        beyond: Beyond::Cut,
        // Such a product is a sequence, which may always be as long as its threads together.
        most_states: 1,
        order: Order::OneAfterTheOther,
        guards: Guards::Kept,
        running: None,
    };
    match sequential(&program(&text), &options, &Budget::unlimited()) {
        Ok(product) => product.states,
        Err(refused) => panic!("{refused:?}"),
    }
}

#[test]
fn threads_with_locks_of_their_own_are_a_sequence() {
    let (few, many) = (states_of_own_locks(20), states_of_own_locks(80));
    assert!(many < 5 * few, "{few} states of 20 threads, {many} of 80");
}

/// How many states the product of two threads with these bodies has.
fn states(one: &str, other: &str) -> usize {
    let text = format!(
        "var x: int; procedure ULTIMATE.start() modifies x; {{ x := 0; fork 1 a(); fork 2 b(); join 1; join 2; assert x != 7; }}
         procedure a() modifies x; {{ {one} }} procedure b() modifies x; {{ {other} }}"
    );
    let options = Options {
        instances: 1,
        beyond: Beyond::Cut,
        most_states: 1_000,
        order: Order::OneAfterTheOther,
        guards: Guards::Kept,
        running: None,
    };
    match sequential(&program(&text), &options, &Budget::unlimited()) {
        Ok(product) => product.states,
        Err(refused) => panic!("{refused:?}"),
    }
}

#[test]
fn steps_that_can_be_exchanged_come_in_one_order() {
    let (add, double) = ("x := x + 1; x := x + 2; x := x + 3;", "x := 2 * x; x := 2 * x; x := 2 * x;");
    let one_after_the_other = states(add, "x := x - 1; x := x - 2; x := x - 3;");
    let interleaved = states(add, double);
    assert!(one_after_the_other + 10 < interleaved, "{one_after_the_other} and {interleaved} states");
    // An assertion sees the order.
    let seen = states(add, "x := x - 1; assert x < 9; x := x - 2; x := x - 3;");
    assert!(seen > one_after_the_other, "{seen} and {one_after_the_other} states");
}

#[test]
fn the_product_fails_where_threads_race_or_wait() {
    let (mut safe, mut unsafe_) = (0, 0);
    for seed in 0..300 {
        match check(&generator::watched(seed), 1 + seed as usize % 3) {
            Truth::Safe => safe += 1,
            Truth::Unsafe => unsafe_ += 1,
            Truth::Marked | Truth::TooLarge => {}
        }
    }
    assert!(safe > 20 && unsafe_ > 20, "{safe} safe, {unsafe_} unsafe");
}

#[test]
fn races_and_deadlocks() {
    for (expected, text) in [
        (
            Truth::Unsafe,
            "var {:watched} g: int; procedure ULTIMATE.start() modifies g; { fork 1 a(); g := 1; }
             procedure a() modifies g; { g := 2; }",
        ),
        // Only one thread is there.
        (
            Truth::Safe,
            "var {:watched} g: int; procedure ULTIMATE.start() modifies g; { g := 1; fork 1 a(); join 1; g := 3; }
             procedure a() modifies g; { g := 2; }",
        ),
        // Both only read.
        (
            Truth::Safe,
            "var {:watched} g: int; procedure ULTIMATE.start() { var l: int; fork 1 a(); l := g; }
             procedure a() { var l: int; l := g; }",
        ),
        // Only one of the accesses is atomic.
        (
            Truth::Unsafe,
            "var {:watched} g: int; procedure ULTIMATE.start() { var l: int; fork 1 a(); l := g; }
             procedure a() modifies g; { atomic { g := 1; } }",
        ),
        (
            Truth::Safe,
            "var {:watched} g: int; procedure ULTIMATE.start() { var l: int; fork 1 a(); atomic { l := g; } }
             procedure a() modifies g; { atomic { g := 1; } }",
        ),
        // The atomic part does not come to its end, so it does not begin.
        (
            Truth::Safe,
            "var {:watched} g: int; procedure ULTIMATE.start() { var l: int; fork 1 a(); l := g; }
             procedure a() modifies g; { atomic { g := 1; assume false; } }",
        ),
        // A lock.
        (
            Truth::Safe,
            "var {:watched} g: int; var k: int;
             procedure ULTIMATE.start() modifies g, k; { k := 0; fork 1 a(); fork 2 a(); }
             procedure a() modifies g, k; { atomic { assume k == 0; k := 1; } g := g + 1; k := 0; }",
        ),
        (
            Truth::Unsafe,
            "var {:watched} g: int; var k: int;
             procedure ULTIMATE.start() modifies g, k; { k := 0; fork 1 a(); fork 2 a(); }
             procedure a() modifies g, k; { atomic { assume k == 0; k := 1; } k := 0; g := 1; }",
        ),
        // A race in a thread that nobody needs for anything else.
        (
            Truth::Unsafe,
            "var {:watched} g: int; procedure ULTIMATE.start() { fork 1 a(); fork 1 a(); }
             procedure a() modifies g; { g := 1; }",
        ),
        // Two locks in different orders.
        (
            Truth::Unsafe,
            "var j, k: int;
             procedure {:deadlock_free} ULTIMATE.start() modifies j, k; { j := 0; k := 0; fork 1 a(); fork 2 b(); join 1; join 2; }
             procedure a() modifies j, k; {
               assume {:waits \"j\"} j == 0; atomic { assume j == 0; j := 1; }
               assume {:waits \"k\"} k == 0; atomic { assume k == 0; k := 1; } j := 0; k := 0; }
             procedure b() modifies j, k; {
               assume {:waits \"k\"} k == 0; atomic { assume k == 0; k := 1; }
               assume {:waits \"j\"} j == 0; atomic { assume j == 0; j := 1; } j := 0; k := 0; }",
        ),
        (
            Truth::Safe,
            "var j, k: int;
             procedure {:deadlock_free} ULTIMATE.start() modifies j, k; { j := 0; k := 0; fork 1 a(); fork 2 a(); join 1; join 2; }
             procedure a() modifies j, k; {
               assume {:waits \"j\"} j == 0; atomic { assume j == 0; j := 1; }
               assume {:waits \"k\"} k == 0; atomic { assume k == 0; k := 1; } j := 0; k := 0; }",
        ),
        // A join that waits for ever.
        (
            Truth::Unsafe,
            "procedure {:deadlock_free} ULTIMATE.start() { fork 1 a(); join 2; } procedure a() { }",
        ),
        // A thread that runs for ever can go on.
        (
            Truth::Safe,
            "procedure {:deadlock_free} ULTIMATE.start() { fork 1 a(); join 2; } procedure a() { while (true) { } }",
        ),
    ] {
        assert_eq!(check(text, 2), expected, "{text}");
    }
}

#[test]
fn small_programs() {
    for (expected, text) in [
        (
            Truth::Unsafe,
            "var g: int; procedure ULTIMATE.start() modifies g; { g := 0; fork 1 a(); assert g == 0; }
             procedure a() modifies g; { g := 1; }",
        ),
        (
            Truth::Safe,
            "var g: int; procedure ULTIMATE.start() modifies g; { g := 0; fork 1 a(); assert g == 0; }
             procedure a() modifies g; { atomic { g := 1; g := 0; } }",
        ),
        // An atomic part that cannot end does not begin.
        (
            Truth::Safe,
            "var g: int; procedure ULTIMATE.start() modifies g; { g := 0; fork 1 a(); assert g == 0; }
             procedure a() modifies g; { atomic { g := 1; assume false; } }",
        ),
        // Nobody has the name, so the join waits for ever.
        (Truth::Safe, "procedure ULTIMATE.start() { fork 1 a(); join 2; assert false; } procedure a() { }"),
        // The result has another type.
        (
            Truth::Safe,
            "procedure ULTIMATE.start() { var x: int; fork 1 a(); join 1 assign x; assert false; }
             procedure a() returns (r: bool) { r := true; }",
        ),
        // A thread that runs for ever does not keep others from failing.
        (
            Truth::Unsafe,
            "var g: int; procedure ULTIMATE.start() modifies g; { fork 1 a(); g := 1; assert g == 0; }
             procedure a() { while (true) { } }",
        ),
        (
            Truth::Unsafe,
            "procedure ULTIMATE.start() { var l: int; l := 0; fork 1 a(); while (l < 3) { l := (l + 1) mod 3; assert l < 3; } }
             procedure a() { assert false; }",
        ),
        // A thread that is started in an atomic part may see a lock held that was tried before. Its variable makes the start a step that is not
        // always possible.
        (
            Truth::Unsafe,
            "var k, x: int; procedure ULTIMATE.start() modifies k, x; { k := 0; x := 0; atomic { fork 1 a(); } atomic { fork 2 b(); } join 2; assert x == 0; }
             procedure a() modifies k; { var t: int; atomic { t := k; k := if t == 0 then 1 else t; } if (t == 0) { k := 0; } }
             procedure b() modifies k, x; { var t: int; var z: int where z >= 0; x := 2; atomic { t := k; k := if t == 0 then 1 else t; }
               if (t == 0) { assume false; } }",
        ),
        // Neither does one that waits for ever.
        (
            Truth::Unsafe,
            "var g: int; procedure ULTIMATE.start() modifies g; { fork 1 a(); g := 1; assert g == 0; }
             procedure a() { assume false; }",
        ),
        // The postcondition of a thread is checked at its end, with the value at its beginning as the old one.
        (
            Truth::Unsafe,
            "var g: int; procedure ULTIMATE.start() modifies g; { g := 0; fork 1 a(); g := 1; }
             procedure a() ensures g == old(g); { }",
        ),
        (
            Truth::Unsafe,
            "procedure ULTIMATE.start() { fork 1 a(0); } procedure a(x: int) requires x == 1; { }",
        ),
    ] {
        assert_eq!(check(text, 2), expected, "{text}");
    }
}
