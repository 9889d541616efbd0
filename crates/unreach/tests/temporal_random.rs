//! Random programs with random formulas of linear temporal logic, against all their executions: with branches, with recursion, and with threads.
//!
//! All programs end, so the oracle lists the states that are observed, the last one for ever, and asks what the formula means on them. Safety formulas are decided
//! by the engines of reachability, others by the Büchi automaton; the first have to have an answer everywhere, also with recursion and threads.

use property::ltl::{BadPrefixes, parse};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::sync::Arc;
use unreach::{Answer, Budget, Plan, Problem, Property, Silent, verify};

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

const GLOBALS: [&str; 2] = ["x", "y"];
const ATOMS: [&str; 2] = ["AP(x > 0)", "AP(y > x)"];

fn letter(globals: [i64; 2]) -> Vec<bool> {
    vec![globals[0] > 0, globals[1] > globals[0]]
}

/// A statement: a global becomes a number or a global plus a number, or one of two ways is taken.
#[derive(Clone)]
enum Step {
    Set(usize, Option<usize>, i64),
    Either(Vec<Step>, Vec<Step>),
    /// A call of the procedure that calls itself, so many times.
    Down(i64),
}

fn steps(random: &mut Random, depth: usize, recursion: bool) -> Vec<Step> {
    let one = |random: &mut Random| match random.below(4) {
        0 if depth > 0 => {
            Step::Either(steps(random, depth - 1, recursion), steps(random, depth - 1, recursion))
        }
        1 if recursion => Step::Down(random.number(3)),
        _ => Step::Set(random.below(2), [None, Some(0), Some(1)][random.below(3)], random.number(3) - 1),
    };
    (0..1 + random.below(2)).map(|_| one(random)).collect()
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
            Step::Either(left, right) => {
                write!(out, "if (*) {{ {}}} else {{ {}}} ", text_of(left), text_of(right))
            }
            Step::Down(number) => write!(out, "call down({number}); "),
        };
    }
    out
}

/// The states behind every change, in every execution; `inner` is what the procedure does before it calls itself.
fn executions(steps: &[Step], inner: &[Step], before: Vec<Vec<[i64; 2]>>) -> Vec<Vec<[i64; 2]>> {
    let mut all = before;
    for step in steps {
        all = match step {
            Step::Set(global, from, number) => {
                let set = |mut states: Vec<[i64; 2]>| {
                    let mut now = *states.last().expect("a first state");
                    now[*global] = from.map_or(0, |from| now[from]) + number;
                    states.push(now);
                    states
                };
                all.into_iter().map(set).collect()
            }
            Step::Either(left, right) => {
                let mut both = executions(left, inner, all.clone());
                both.extend(executions(right, inner, all));
                both
            }
            Step::Down(number) => (0..*number).fold(all, |all, _| executions(inner, inner, all)),
        };
    }
    all
}

/// A formula without `X`, as text.
fn formula(random: &mut Random, depth: usize) -> String {
    let atom = ATOMS[random.below(2)].to_owned();
    if depth == 0 {
        return if random.below(2) == 0 { atom } else { format!("!{atom}") };
    }
    let mut part = || formula(random, depth - 1);
    let (one, other) = (part(), part());
    match random.below(7) {
        0 => format!("({one} && {other})"),
        1 => format!("({one} || {other})"),
        2 => format!("({one} W {other})"),
        3 => format!("({one} R {other})"),
        4 => format!("({one} U {other})"),
        5 => format!("<>{one}"),
        _ => format!("[]{one}"),
    }
}

/// Whether a formula holds of an execution, whose last state stays for ever.
fn holds(text: &str, states: &[[i64; 2]]) -> bool {
    let (formulas, formula) = parse(text).expect(text);
    let number = |written: &str| ATOMS.iter().position(|atom| atom[3..atom.len() - 1] == *written);
    let order: Vec<usize> = formulas.atoms.iter().filter_map(|written| number(written)).collect();
    let word: Vec<Vec<bool>> =
        states.iter().map(|&state| order.iter().map(|&atom| letter(state)[atom]).collect()).collect();
    let (last, before) = word.split_last().expect("a first state");
    formulas.holds(formula, before, std::slice::from_ref(last))
}

fn is_safety(text: &str) -> bool {
    let (formulas, formula) = parse(text).expect(text);
    BadPrefixes::of(&formulas, formula).is_some()
}

/// The answer about a program: whether the formula holds of it, if that was found out.
fn answer(program: &str, text: &str) -> Option<bool> {
    let mut problem = Problem::boogie("random.bpl", program);
    problem.ltl = Some(text.to_owned());
    problem.property = Property::Termination;
    let decision = verify(&problem, &Plan::default().with_rounds(12), &Budget::unlimited(), Arc::new(Silent));
    match decision.unwrap_or_else(|failure| panic!("{failure:?}\n{text}\n{program}")).answer {
        Answer::Safe(_) | Answer::Terminates(_) => Some(true),
        Answer::Unsafe(_) | Answer::Leaps(_) | Answer::Infinite(_) => Some(false),
        Answer::Unknown(_) => None,
    }
}

/// What came out of all programs.
#[derive(Default)]
struct Count {
    holding: usize,
    violated: usize,
    open: usize,
}

impl Count {
    fn add(&mut self, program: &str, text: &str, expected: bool) {
        match answer(program, text) {
            None => {
                assert!(!is_safety(text), "no answer about a safety formula: {text}\n{program}");
                self.open += 1;
            }
            Some(found) => {
                assert_eq!(found, expected, "{text}\n{program}");
                *if expected { &mut self.holding } else { &mut self.violated } += 1;
            }
        }
    }
}

#[test]
fn formulas_about_programs_with_branches() {
    let mut count = Count::default();
    for seed in 0..60 {
        let mut random = Random(seed * 104_729 + 7);
        let body = steps(&mut random, 2, false);
        let text = formula(&mut random, 2);
        let program = format!(
            "var x, y: int;\nprocedure ULTIMATE.start() modifies x, y; {{ x, y := 0, 0; {}}}\n",
            text_of(&body)
        );
        let runs = executions(&body, &[], vec![vec![[0, 0]]]);
        count.add(&program, &text, runs.iter().all(|states| holds(&text, states)));
    }
    let Count { holding, violated, open } = count;
    assert!(holding >= 10 && violated >= 10 && open == 0, "{holding} hold, {violated} do not, {open} open");
}

#[test]
fn safety_formulas_about_recursive_programs() {
    let mut count = Count::default();
    let mut seed = 0;
    while count.holding + count.violated < 40 {
        seed += 1;
        let mut random = Random(seed * 15_485_863 + 3);
        let (body, inner) = (steps(&mut random, 1, true), steps(&mut random, 1, false));
        let text = formula(&mut random, 2);
        if !is_safety(&text) {
            continue;
        }
        let mut program = String::from("var x, y: int;\n");
        let _ = writeln!(
            program,
            "procedure down(n: int) modifies x, y; {{ if (n > 0) {{ {}call down(n - 1); }} }}",
            text_of(&inner)
        );
        let _ = writeln!(
            program,
            "procedure ULTIMATE.start() modifies x, y; {{ x, y := 0, 0; {}}}",
            text_of(&body)
        );
        let runs = executions(&body, &inner, vec![vec![[0, 0]]]);
        count.add(&program, &text, runs.iter().all(|states| holds(&text, states)));
    }
    assert!(count.holding >= 8 && count.violated >= 8, "{} hold, {} do not", count.holding, count.violated);
}

/// What is observed in all interleavings of two threads without branches.
fn interleavings(threads: &[Vec<Step>; 2]) -> BTreeSet<Vec<[i64; 2]>> {
    let mut all = BTreeSet::new();
    let mut pending = vec![([0, 0], vec![[0, 0]])];
    while let Some((at, states)) = pending.pop() {
        let mut ended = true;
        for (thread, steps) in threads.iter().enumerate() {
            let Some(step) = steps.get(at[thread]) else { continue };
            ended = false;
            let mut next = at;
            next[thread] += 1;
            for states in executions(std::slice::from_ref(step), &[], vec![states.clone()]) {
                pending.push((next, states));
            }
        }
        if ended {
            all.insert(states);
        }
    }
    all
}

#[test]
fn safety_formulas_about_programs_with_threads() {
    let mut count = Count::default();
    let mut seed = 0;
    while count.holding + count.violated < 40 {
        seed += 1;
        let mut random = Random(seed * 32_452_843 + 11);
        let threads = [steps(&mut random, 0, false), steps(&mut random, 0, false)];
        let text = formula(&mut random, 2);
        if !is_safety(&text) {
            continue;
        }
        let [first, second] = [text_of(&threads[0]), text_of(&threads[1])];
        let program = format!(
            "var x, y: int;\nprocedure worker() modifies x, y; {{ {second}}}\n\
             procedure ULTIMATE.start() modifies x, y; {{ x, y := 0, 0; fork 1 worker(); {first}}}\n"
        );
        count.add(&program, &text, interleavings(&threads).iter().all(|states| holds(&text, states)));
    }
    assert!(count.holding >= 8 && count.violated >= 8, "{} hold, {} do not", count.holding, count.violated);
}
