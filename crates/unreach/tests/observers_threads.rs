//! Observers of programs with threads: random programs against all interleavings, and programs of C both ways.

use property::caret;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::sync::Arc;
use unreach::observed::ObserverFile;
use unreach::{Answer, Budget, Plan, Problem, Silent, verify};

/// Random numbers that are the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).expect("31 bits") % bound
    }

    fn number(&mut self, bound: usize) -> i64 {
        i64::try_from(self.below(bound)).expect("small")
    }
}

const PROCEDURES: [&str; 2] = ["f", "g"];
const GLOBALS: [&str; 2] = ["x", "y"];

/// A statement: a global becomes a number or a global plus a number, or a procedure is called with a number.
#[derive(Clone, Copy)]
enum Step {
    Set(usize, Option<usize>, i64),
    Call(usize, i64),
}

/// What a thread does at one moment.
#[derive(Clone, Copy)]
enum Op {
    Set(usize, Option<usize>, i64),
    Call(usize, i64),
    /// The result of a procedure is `x` and its argument.
    Result(i64),
    Return(usize),
}

fn steps(random: &mut Random, calls: bool) -> Vec<Step> {
    let one = |random: &mut Random| match random.below(2) {
        0 if calls => Step::Call(random.below(2), random.number(3)),
        _ => {
            let from = [None, Some(0), Some(1)][random.below(3)];
            Step::Set(random.below(2), from, random.number(3))
        }
    };
    (0..1 + random.below(2)).map(|_| one(random)).collect()
}

fn ops(steps: &[Step], bodies: &[Vec<Step>; 2]) -> Vec<Op> {
    let mut all = Vec::new();
    for &step in steps {
        match step {
            Step::Set(global, from, number) => all.push(Op::Set(global, from, number)),
            Step::Call(procedure, argument) => {
                all.push(Op::Call(procedure, argument));
                all.extend(ops(&bodies[procedure], bodies));
                all.extend([Op::Result(argument), Op::Return(procedure)]);
            }
        }
    }
    all
}

fn text_of(steps: &[Step]) -> String {
    let mut out = String::new();
    for step in steps {
        // Writing to a string cannot fail.
        let _ = match step {
            Step::Set(global, None, number) => write!(out, "{} := {number}; ", GLOBALS[*global]),
            Step::Set(global, Some(from), number) => {
                write!(out, "{} := {} + {number}; ", GLOBALS[*global], GLOBALS[*from])
            }
            Step::Call(procedure, argument) => {
                write!(out, "call r0 := {}({argument}); ", PROCEDURES[*procedure])
            }
        };
    }
    out
}

/// What a transition looks for; arguments and results may be the value that is watched.
#[derive(Clone, Copy, PartialEq)]
enum What {
    Call(usize, bool),
    Return(usize, bool),
    Assign(usize),
}

struct Transition {
    from: usize,
    to: usize,
    what: What,
    condition: Option<(usize, i64)>,
    called_in: Option<usize>,
}

/// States are numbers; the last one is the error.
const ERROR: usize = 3;

fn transitions(random: &mut Random) -> Vec<Transition> {
    let mut all = Vec::new();
    for from in 0..ERROR {
        for _ in 0..1 + random.below(2) {
            let which = random.below(2);
            let what = match random.below(4) {
                0 => What::Assign(which),
                1 => What::Return(which, random.below(2) == 0),
                _ => What::Call(which, random.below(2) == 0),
            };
            let condition = (random.below(3) == 0).then(|| (random.below(2), random.number(2)));
            let is_return = matches!(what, What::Return(..));
            let called_in = (is_return && random.below(2) == 0).then(|| random.below(ERROR));
            all.push(Transition { from, to: random.below(ERROR + 1), what, condition, called_in });
        }
    }
    all
}

fn observer_of(transitions: &[Transition]) -> String {
    let mut out = String::from("observer random;\nfor each v;\n");
    for state in 0..ERROR {
        let initial = if state == 0 { "initial " } else { "" };
        let _ = writeln!(out, "{initial}state s{state} {{");
        for transition in transitions.iter().filter(|transition| transition.from == state) {
            let pattern = |is_each: bool| if is_each { "v" } else { "_" };
            let event = match transition.what {
                What::Call(procedure, is_each) => {
                    format!("call {}({})", PROCEDURES[procedure], pattern(is_each))
                }
                What::Return(procedure, is_each) => {
                    let from = transition.called_in.map_or(String::new(), |state| format!(" from s{state}"));
                    format!("return {} = {}(_){from}", pattern(is_each), PROCEDURES[procedure])
                }
                What::Assign(global) => format!("assign {}", GLOBALS[global]),
            };
            let with = |(global, number): (usize, i64)| format!(" with {} > {number}", GLOBALS[global]);
            let condition = transition.condition.map_or(String::new(), with);
            let to = if transition.to == ERROR { "error".to_owned() } else { format!("s{}", transition.to) };
            let _ = writeln!(out, "  on {event}{condition} goto {to};");
        }
        out.push_str("}\n");
    }
    out
}

/// Where an interleaving is.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Moment {
    at: [usize; 2],
    globals: [i64; 2],
    results: [i64; 2],
    state: usize,
    /// The states at the open calls of each thread.
    open: [Vec<usize>; 2],
}

/// Whether the observer reaches an error for a value in some interleaving.
fn fails(threads: &[Vec<Op>; 2], transitions: &[Transition], each: i64) -> bool {
    let (at, globals, results) = ([0; 2], [0; 2], [0; 2]);
    let mut pending = vec![Moment { at, globals, results, state: 0, open: [Vec::new(), Vec::new()] }];
    let mut seen = BTreeSet::new();
    while let Some(moment) = pending.pop() {
        if !seen.insert(moment.clone()) {
            continue;
        }
        for (thread, ops) in threads.iter().enumerate() {
            let Some(&op) = ops.get(moment.at[thread]) else { continue };
            let mut next = moment.clone();
            next.at[thread] += 1;
            let mut called = None;
            match op {
                Op::Set(global, from, number) => {
                    next.globals[global] = from.map_or(0, |from| moment.globals[from]) + number;
                }
                Op::Call(..) => next.open[thread].push(moment.state),
                Op::Result(argument) => next.results[thread] = moment.globals[0] + argument,
                Op::Return(..) => called = next.open[thread].pop(),
            }
            let happened = |what: What| match (what, op) {
                (What::Assign(wanted), Op::Set(global, ..)) => wanted == global,
                (What::Call(wanted, is_each), Op::Call(procedure, argument)) => {
                    wanted == procedure && (!is_each || argument == each)
                }
                (What::Return(wanted, is_each), Op::Return(procedure)) => {
                    wanted == procedure && (!is_each || next.results[thread] == each)
                }
                _ => false,
            };
            let taken = transitions.iter().find(|transition| {
                happened(transition.what)
                    && transition.from == moment.state
                    && transition.condition.is_none_or(|(global, number)| next.globals[global] > number)
                    && transition.called_in.is_none_or(|wanted| called == Some(wanted))
            });
            next.state = taken.map_or(moment.state, |transition| transition.to);
            if next.state == ERROR {
                return true;
            }
            pending.push(next);
        }
    }
    false
}

/// A program with two threads, whose procedures have these bodies.
fn threads_program(bodies: &[Vec<Step>; 2], threads: &[Vec<Step>; 2]) -> String {
    let mut program = String::from("var x, y: int;\n");
    for (name, body) in PROCEDURES.iter().zip(bodies) {
        let body = text_of(body);
        let _ = writeln!(
            program,
            "procedure {name}(a: int) returns (r: int) modifies x, y; {{ {body}r := x + a; }}"
        );
    }
    let [first, second] = [text_of(&threads[0]), text_of(&threads[1])];
    let _ = writeln!(program, "procedure worker() modifies x, y; {{ var r0: int; {second}}}");
    let _ = writeln!(
        program,
        "procedure ULTIMATE.start() modifies x, y; {{ var r0: int; assume x == 0 && y == 0; fork 1 worker(); {first}}}"
    );
    program
}

#[test]
fn verdicts_agree_with_all_interleavings() {
    let (mut failing, mut holding) = (0, 0);
    for seed in 0..40 {
        let mut random = Random(seed * 7_919 + 29);
        let bodies = [steps(&mut random, false), steps(&mut random, false)];
        let threads = [steps(&mut random, true), steps(&mut random, true)];
        let transitions = transitions(&mut random);
        let program = threads_program(&bodies, &threads);
        let text = observer_of(&transitions);
        let runs = [ops(&threads[0], &bodies), ops(&threads[1], &bodies)];
        let expected = (-2..20).any(|each| fails(&runs, &transitions, each));
        let mut problem = Problem::boogie("random.bpl", &program);
        problem.observer =
            Some(ObserverFile { name: "random.obs".to_owned(), text: text.clone(), formula: None });
        let decision = verify(&problem, &Plan::default(), &Budget::unlimited(), Arc::new(Silent))
            .unwrap_or_else(|failure| panic!("{failure:?}\n{program}{text}"));
        let found = match decision.answer {
            Answer::Safe(_) => false,
            Answer::Unsafe(_) | Answer::Leaps(_) => true,
            other => panic!("{other:?}\n{program}{text}"),
        };
        assert_eq!(found, expected, "seed {seed}\n{program}{text}");
        if expected { failing += 1 } else { holding += 1 }
    }
    assert!(failing >= 8 && holding >= 8, "{failing} fail, {holding} hold");
}

/// The verdict about a C program.
fn verdict(program: &str, observer: &str) -> Answer {
    let mut problem = Problem::c("threads.c", program);
    problem.observer =
        Some(ObserverFile { name: "threads.obs".to_owned(), text: observer.to_owned(), formula: None });
    let decision = verify(&problem, &Plan::default(), &Budget::unlimited(), Arc::new(Silent));
    decision.unwrap_or_else(|failure| panic!("{failure:?}\n{program}")).answer
}

/// Two threads that each begin and end a transaction, with what stands in place of `LOCK` and `UNLOCK`.
fn transactions(lock: &str, unlock: &str) -> String {
    format!(
        "#include <pthread.h>
         pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
         int shared;
         void begin(int who) {{ }}
         void commit(int who) {{ }}
         void *worker(void *argument) {{ {lock} begin(1); shared = shared + 1; commit(1); {unlock} return 0; }}
         int main(void) {{
             pthread_t thread;
             pthread_create(&thread, 0, worker, 0);
             {lock} begin(0); shared = shared + 1; commit(0); {unlock}
             pthread_join(thread, 0);
             return 0;
         }}"
    )
}

const ONE_AT_A_TIME: &str = "observer one_at_a_time;
    initial state idle { on call begin goto busy; }
    state busy { on call begin goto error \"two transactions at once\"; on call commit goto idle; }";

#[test]
fn a_lock_keeps_transactions_apart() {
    let locked = transactions("pthread_mutex_lock(&m);", "pthread_mutex_unlock(&m);");
    assert!(matches!(verdict(&locked, ONE_AT_A_TIME), Answer::Safe(_)));
    assert!(matches!(verdict(&transactions("", ""), ONE_AT_A_TIME), Answer::Unsafe(_)));
}

#[test]
fn a_function_that_a_thread_begins_with_is_seen() {
    let observer = "observer started;
        initial state no { on call worker goto yes; on call commit(0) goto error \"committed before the other began\"; }
        state yes { }";
    assert!(matches!(verdict(&transactions("", ""), observer), Answer::Unsafe(_)));
    let never = "observer twice;
        initial state no { on call worker goto yes; }
        state yes { on call worker goto error \"begun twice\"; }";
    assert!(matches!(verdict(&transactions("", ""), never), Answer::Safe(_)));
}

/// A thread that `main` does not wait for, unless that stands in place of `JOIN`.
fn left_alone(join: &str) -> String {
    format!(
        "#include <pthread.h>
         int done;
         void begin(void) {{ }}
         void commit(void) {{ done = 1; }}
         void *worker(void *argument) {{ begin(); commit(); return 0; }}
         int main(void) {{ pthread_t thread; pthread_create(&thread, 0, worker, 0); {join} return 0; }}"
    )
}

#[test]
fn the_end_of_main_is_the_end_of_all_threads() {
    let open = "observer open;
        initial state idle { on call begin goto busy; }
        state busy { on return commit goto idle; on exit goto error \"a transaction is open at the end\"; }";
    assert!(matches!(verdict(&left_alone(""), open), Answer::Unsafe(_)));
    assert!(matches!(verdict(&left_alone("pthread_join(thread, 0);"), open), Answer::Safe(_)));
    // Nothing happens behind the end.
    let later = "observer later;
        initial state runs { on exit goto over; }
        state over { on call commit goto error \"behind the end\"; }";
    assert!(matches!(verdict(&left_alone(""), later), Answer::Safe(_)));
}

/// The end of a Boogie program is that of its last thread, and happens once.
#[test]
fn the_end_of_the_last_thread_is_the_end_of_a_boogie_program() {
    let program = |join: &str| {
        format!(
            "var x: int; procedure f() {{ }}
             procedure worker(n: int) returns (r: int) modifies x; {{ call f(); x := n; r := n; }}
             procedure ULTIMATE.start() modifies x; {{ var a: int; x := 0; fork 1 worker(7); {join} }}"
        )
    };
    let verdict = |program: &str, observer: &str| {
        let mut problem = Problem::boogie("ends.bpl", program);
        let (name, text) = ("ends.obs".to_owned(), observer.to_owned());
        problem.observer = Some(ObserverFile { name, text, formula: None });
        let decision = verify(&problem, &Plan::default(), &Budget::unlimited(), Arc::new(Silent));
        decision.unwrap_or_else(|failure| panic!("{failure:?}\n{program}")).answer
    };
    let early = "observer early;
        initial state idle { on call f goto called; on exit goto error \"the end before the call\"; }
        state called { on exit with x != 7 goto error \"another value at the end\"; }";
    let twice = "observer twice;
        initial state runs { on exit goto over; }
        state over { on exit goto error \"a second end\"; on call f goto error \"behind the end\"; }";
    let ends = "observer ends; initial state runs { on exit goto error \"the end\"; }";
    for join in ["", "join 1 assign a; assume a == 7;"] {
        let program = program(join);
        assert!(matches!(verdict(&program, early), Answer::Safe(_)), "{join}");
        assert!(matches!(verdict(&program, twice), Answer::Safe(_)), "{join}");
        assert!(matches!(verdict(&program, ends), Answer::Unsafe(_)), "{join}");
    }
    let value = "observer value; initial state runs { on exit with x == 7 goto error \"seven\"; }";
    assert!(matches!(verdict(&program(""), value), Answer::Unsafe(_)));
}

/// The verdict about a formula of CaRet and a program of a language.
fn caret_verdict(mut problem: Problem, formula: &str) -> Answer {
    let text = format!("CHECK( init(main()), CARET({formula}) )");
    problem.observer =
        Some(ObserverFile { name: "threads.prp".to_owned(), text, formula: Some(formula.to_owned()) });
    let decision = verify(&problem, &Plan::default(), &Budget::unlimited(), Arc::new(Silent));
    decision.unwrap_or_else(|failure| panic!("{failure:?}\n{formula}")).answer
}

/// A formula of CaRet is about the calls and returns of every thread by itself.
#[test]
fn formulas_of_caret_about_threads() {
    let program = |other: &str| {
        format!(
            "#include <pthread.h>
             int n;
             void write(int value) {{ n = value; }}
             void check(int value) {{ write(value); }}
             void *worker(void *argument) {{ {other} return 0; }}
             int main(void) {{ pthread_t thread; pthread_create(&thread, 0, worker, 0); check(1); pthread_join(thread, 0); return 0; }}"
        )
    };
    let below = "G (call(write) -> Fc call(check))";
    let verdict =
        |other: &str, formula: &str| caret_verdict(Problem::c("threads.c", program(other)), formula);
    assert!(matches!(verdict("check(2);", below), Answer::Safe(_)));
    // That another thread is in `check` does not help.
    assert!(matches!(verdict("write(2);", below), Answer::Unsafe(_)));
    assert!(matches!(verdict("check(2);", "G (call(worker) -> wX call(check))"), Answer::Safe(_)));
    assert!(matches!(verdict("check(2);", "G (call(check) -> wX call(write))"), Answer::Safe(_)));
    assert!(matches!(verdict("check(2);", "G (call(check) -> wXa AP(n == 2))"), Answer::Unsafe(_)));
    assert!(matches!(verdict("", "G (return(worker) -> wX (!call && !return))"), Answer::Safe(_)));
    match verdict("check(2);", "F call(write)") {
        Answer::Unknown(reason) => assert!(reason.to_string().contains("threads"), "{reason}"),
        other => panic!("{other:?}"),
    }
}

/// A formula of CaRet whose violations show in finite words.
fn caret_formula(random: &mut Random, depth: usize) -> String {
    if depth == 0 {
        let atoms = ["call(f)", "return(g)", "call", "return", "AP(x > 0)", "AP(y > x)"];
        let atom = atoms[random.below(atoms.len())];
        return if random.below(3) == 0 { format!("!{atom}") } else { atom.to_owned() };
    }
    let (one, other) = (caret_formula(random, depth - 1), caret_formula(random, depth - 1));
    let way = ["", "a", "c"][random.below(3)];
    match random.below(7) {
        0 => format!("({one} && {other})"),
        1 => format!("({one} || {other})"),
        2 => format!("wX{way} {one}"),
        3 => format!("({one} W{way} {other})"),
        4 => format!("Fc {one}"),
        _ => format!("G{way} {one}"),
    }
}

/// The positions of a thread, with the values of `x` and `y`; the end is the last.
type Word = Vec<(usize, [i64; 2])>;

/// The words of each thread in all interleavings.
fn words(threads: &[Vec<Op>; 2]) -> [BTreeSet<Word>; 2] {
    const END: usize = 4;
    /// Where the threads are, the values, which threads are over, and their words so far.
    type Moment = ([usize; 2], [i64; 2], [bool; 2], [Word; 2]);
    let mut all = [BTreeSet::new(), BTreeSet::new()];
    let mut seen = BTreeSet::new();
    let mut pending: Vec<Moment> = vec![([0; 2], [0; 2], [false; 2], [Vec::new(), Vec::new()])];
    while let Some(moment) = pending.pop() {
        if !seen.insert(moment.clone()) {
            continue;
        }
        let (at, globals, over, words) = moment;
        for (thread, ops) in threads.iter().enumerate() {
            let (mut at, mut globals, mut over, mut words) = (at, globals, over, words.clone());
            match ops.get(at[thread]) {
                _ if over[thread] => continue,
                None => {
                    over[thread] = true;
                    words[thread].push((END, globals));
                    all[thread].insert(words[thread].clone());
                }
                Some(&Op::Set(global, from, number)) => {
                    globals[global] = from.map_or(0, |from| globals[from]) + number;
                }
                Some(&Op::Call(procedure, _)) => words[thread].push((procedure, globals)),
                Some(&Op::Return(procedure)) => words[thread].push((2 + procedure, globals)),
                Some(Op::Result(_)) => {}
            }
            at[thread] += usize::from(!over[thread]);
            pending.push((at, globals, over, words));
        }
    }
    all
}

/// Whether a formula holds of the positions of a thread, whose end stays for ever.
fn holds(formulas: &caret::Formulas, formula: caret::Formula, word: &[(usize, [i64; 2])]) -> bool {
    let letter = |&(what, values): &(usize, [i64; 2])| {
        let value = |atom: &caret::Atom| match atom {
            caret::Atom::Call(Some(name)) => what < 2 && PROCEDURES[what] == name,
            caret::Atom::Return(Some(name)) => (2..4).contains(&what) && PROCEDURES[what - 2] == name,
            caret::Atom::Condition(text) if text == "x > 0" => values[0] > 0,
            caret::Atom::Condition(_) => values[1] > values[0],
            _ => false,
        };
        let kind = match what {
            0 | 1 => caret::Kind::Call,
            2 | 3 => caret::Kind::Return,
            _ => caret::Kind::Internal,
        };
        caret::Letter { kind, values: formulas.atoms.iter().map(value).collect() }
    };
    let letters: Vec<caret::Letter> = word.iter().map(letter).collect();
    let (last, before) = letters.split_last().expect("an end");
    caret::Lasso { stem: before, cycle: std::slice::from_ref(last) }.holds(formulas, formula)
}

#[test]
fn formulas_of_caret_agree_with_all_interleavings() {
    let (mut violated, mut holding, mut seed) = (0, 0, 0);
    while violated + holding < 40 {
        seed += 1;
        let mut random = Random(seed * 49_979_687 + 3);
        let bodies = [steps(&mut random, false), steps(&mut random, false)];
        let threads = [steps(&mut random, true), steps(&mut random, true)];
        let written = caret_formula(&mut random, 2);
        let (mut formulas, formula) = caret::parse(&written).expect("it can be read");
        let negation = formulas.not(formula);
        if caret::Automaton::of(&formulas, negation).is_err() {
            continue;
        }
        let runs = [ops(&threads[0], &bodies), ops(&threads[1], &bodies)];
        let mut words = words(&runs).into_iter().flatten();
        let expected = words.all(|word| holds(&formulas, formula, &word));
        let program = threads_program(&bodies, &threads);
        let found = match caret_verdict(Problem::boogie("random.bpl", &program), &written) {
            Answer::Safe(_) => true,
            Answer::Unsafe(_) | Answer::Leaps(_) => false,
            other => panic!("{other:?}\n{written}\n{program}"),
        };
        assert_eq!(found, expected, "seed {seed}: {written}\n{program}");
        if expected { holding += 1 } else { violated += 1 }
    }
    assert!(violated >= 8 && holding >= 8, "{violated} do not hold, {holding} do");
}

#[test]
fn what_has_no_meaning_with_threads_is_refused() {
    let exit = "observer ends; initial state s { on exit goto error \"ends\"; }";
    match verdict(&left_alone("pthread_exit(0);"), exit) {
        Answer::Unknown(reason) => assert!(reason.to_string().contains("the end as an event"), "{reason}"),
        other => panic!("{other:?}"),
    }
}
