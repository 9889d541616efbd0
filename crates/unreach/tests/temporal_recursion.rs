//! Random programs with recursion and loops, which may go on or go down for ever, with random formulas of linear temporal logic and of CaRet: the verdict against a simulation.
//!
//! The programs have no inputs and few values. So each has one execution, which ends, or comes to a place with the same values a second time without having returned from the calls that
//! were open at the first one: from there on it repeats itself. What it does is then a word that repeats itself, and the definitions of the logics say whether the formula holds.

#![allow(clippy::print_stderr, reason = "the test tells how many formulas were decided")]

use property::{caret, ltl};
use std::fmt::Write;
use std::sync::Arc;
use unreach::observed::ObserverFile;
use unreach::{Answer, Budget, Plan, Problem, Property, Silent, verify};

/// Random numbers that are the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).expect("31 bits") % bound
    }
}

const GLOBALS: [&str; 2] = ["x", "y"];
const PROCEDURES: [&str; 2] = ["f", "g"];
/// The procedure that executions begin with.
const START: usize = 2;

/// What a global becomes. Values stay between -1 and 2.
#[derive(Clone, Copy)]
enum Value {
    Number(i64),
    Of(usize),
    /// One less a global.
    Other(usize),
}

enum Step {
    Set(usize, Value),
    Call(usize),
    If(usize, i64, Vec<Step>, Vec<Step>),
    While(usize, i64, Vec<Step>),
}

fn number(random: &mut Random) -> i64 {
    i64::try_from(random.below(3)).expect("small")
}

fn steps(random: &mut Random, depth: usize) -> Vec<Step> {
    let one = |random: &mut Random| match random.below(8) {
        0 | 1 if depth > 0 => Step::If(
            random.below(2),
            number(random),
            steps(random, depth - 1),
            if random.below(2) == 0 { Vec::new() } else { steps(random, depth - 1) },
        ),
        2 if depth > 0 => Step::While(random.below(2), number(random), steps(random, depth - 1)),
        3 | 4 => Step::Call(random.below(2)),
        _ => {
            let value = match random.below(3) {
                0 => Value::Number(number(random)),
                1 => Value::Of(random.below(2)),
                _ => Value::Other(random.below(2)),
            };
            Step::Set(random.below(2), value)
        }
    };
    (0..1 + random.below(3)).map(|_| one(random)).collect()
}

fn write_steps(out: &mut String, steps: &[Step]) {
    for step in steps {
        match step {
            Step::Set(global, value) => {
                let value = match value {
                    Value::Number(number) => number.to_string(),
                    Value::Of(other) => GLOBALS[*other].to_owned(),
                    Value::Other(other) => format!("1 - {}", GLOBALS[*other]),
                };
                // Writing to a string cannot fail.
                let _ = write!(out, "{} := {value}; ", GLOBALS[*global]);
            }
            Step::Call(procedure) => {
                let _ = write!(out, "call {}(); ", PROCEDURES[*procedure]);
            }
            Step::If(global, number, then, otherwise) => {
                let _ = write!(out, "if ({} == {number}) {{ ", GLOBALS[*global]);
                write_steps(out, then);
                out.push_str("} else { ");
                write_steps(out, otherwise);
                out.push_str("} ");
            }
            Step::While(global, number, body) => {
                let _ = write!(out, "while ({} != {number}) {{ ", GLOBALS[*global]);
                write_steps(out, body);
                out.push_str("} ");
            }
        }
    }
}

/// A procedure as instructions.
enum Instruction {
    Set(usize, Value),
    Call(usize),
    /// The head of a loop, which is a position of its own.
    Round,
    /// Goes elsewhere if a global is not the number, or if it is.
    Jump(usize, i64, bool, usize),
    Go(usize),
    Return,
}

fn instructions(out: &mut Vec<Instruction>, steps: &[Step]) {
    for step in steps {
        match step {
            Step::Set(global, value) => out.push(Instruction::Set(*global, *value)),
            Step::Call(procedure) => out.push(Instruction::Call(*procedure)),
            Step::If(global, number, then, otherwise) => {
                let jump = out.len();
                out.push(Instruction::Return);
                instructions(out, then);
                let end = out.len();
                out.push(Instruction::Return);
                out[jump] = Instruction::Jump(*global, *number, false, out.len());
                instructions(out, otherwise);
                out[end] = Instruction::Go(out.len());
            }
            Step::While(global, number, body) => {
                let head = out.len();
                out.extend([Instruction::Round, Instruction::Return]);
                instructions(out, body);
                out.push(Instruction::Go(head));
                out[head + 1] = Instruction::Jump(*global, *number, true, out.len());
            }
        }
    }
}

/// What happens at a step, with the values afterwards.
#[derive(Clone, Copy, PartialEq)]
enum Happened {
    Nothing,
    Call(usize),
    Return(usize),
    Round,
    End,
}

type Event = (Happened, [i64; 2]);

/// The execution of a program: what happens first, and what is repeated for ever; none if that is not seen soon.
fn execution(procedures: &[Vec<Instruction>; 3]) -> Option<(Vec<Event>, Vec<Event>)> {
    let mut values = [0, 0];
    let mut stack = vec![(START, 0)];
    let mut events: Vec<Event> = vec![(Happened::Nothing, values)];
    /// How many events there were, how many calls were open, where the execution was, and the values.
    type Step = (usize, usize, (usize, usize), [i64; 2]);
    let mut places: Vec<Step> = Vec::new();
    for _ in 0..3_000 {
        let Some(&(procedure, at)) = stack.last() else {
            return Some((events, vec![(Happened::End, values)]));
        };
        let mut least = usize::MAX;
        for &(count, height, place, then) in places.iter().rev() {
            least = least.min(height);
            if least < height.min(stack.len()) {
                continue;
            }
            if (place, then) == ((procedure, at), values) && height <= stack.len() && count < events.len() {
                let cycle = events.split_off(count);
                return Some((events, cycle));
            }
        }
        places.push((events.len(), stack.len(), (procedure, at), values));
        let top = stack.len() - 1;
        stack[top].1 += 1;
        match &procedures[procedure][at] {
            Instruction::Set(global, value) => {
                values[*global] = match value {
                    Value::Number(number) => *number,
                    Value::Of(other) => values[*other],
                    Value::Other(other) => 1 - values[*other],
                };
                events.push((Happened::Nothing, values));
            }
            Instruction::Call(callee) => {
                events.push((Happened::Call(*callee), values));
                stack.push((*callee, 0));
            }
            Instruction::Round => events.push((Happened::Round, values)),
            Instruction::Jump(global, number, wanted, target) => {
                if (values[*global] == *number) == *wanted {
                    stack[top].1 = *target;
                }
            }
            Instruction::Go(target) => stack[top].1 = *target,
            Instruction::Return => {
                stack.pop();
                if procedure != START {
                    events.push((Happened::Return(procedure), values));
                }
            }
        }
    }
    None
}

/// A random program, as text and as instructions.
fn program(random: &mut Random) -> (String, [Vec<Instruction>; 3]) {
    let mut text = String::from("var x, y: int;\n");
    let mut bodies: [Vec<Instruction>; 3] = std::array::from_fn(|_| Vec::new());
    for (number, name) in [(0, "f"), (1, "g"), (START, "ULTIMATE.start")] {
        let body = steps(random, 2);
        let first = if number == START { "x, y := 0, 0; " } else { "" };
        let _ = write!(text, "procedure {name}() modifies x, y; {{ {first}");
        write_steps(&mut text, &body);
        text.push_str("}\n");
        instructions(&mut bodies[number], &body);
        bodies[number].push(Instruction::Return);
    }
    (text, bodies)
}

const ATOMS: [&str; 2] = ["AP(x > 0)", "AP(y > x)"];

fn holds_of(values: [i64; 2]) -> [bool; 2] {
    [values[0] > 0, values[1] > values[0]]
}

fn answer(problem: &Problem, text: &str) -> Option<bool> {
    let budget = Budget::unlimited();
    let decision = verify(problem, &Plan::default().with_rounds(6), &budget, Arc::new(Silent));
    match decision.unwrap_or_else(|failure| panic!("{failure:?}\n{text}")).answer {
        Answer::Safe(_) | Answer::Terminates(_) => Some(true),
        Answer::Unsafe(_) | Answer::Leaps(_) | Answer::Infinite(_) => Some(false),
        Answer::Unknown(_) => None,
    }
}

/// How many formulas hold, do not, and have no answer, of programs that end, that go round and that go down for ever.
#[derive(Default, Debug)]
struct Count {
    holding: usize,
    violated: usize,
    open: usize,
    ended: usize,
    round: usize,
    down: usize,
}

impl Count {
    fn add(&mut self, found: Option<bool>, expected: bool, cycle: &[Event], text: &str) {
        match found {
            None => {
                self.open += 1;
                return;
            }
            Some(found) => assert_eq!(found, expected, "{text}"),
        }
        *if expected { &mut self.holding } else { &mut self.violated } += 1;
        let calls = cycle.iter().filter(|event| matches!(event.0, Happened::Call(_))).count();
        let returns = cycle.iter().filter(|event| matches!(event.0, Happened::Return(_))).count();
        *match cycle {
            [(Happened::End, _)] => &mut self.ended,
            _ if calls > returns => &mut self.down,
            _ => &mut self.round,
        } += 1;
    }

    fn answered(&self) -> usize {
        self.holding + self.violated
    }
}

/// A formula of linear temporal logic without `X`.
fn ltl_formula(random: &mut Random, depth: usize) -> String {
    let atom = ATOMS[random.below(2)].to_owned();
    if depth == 0 {
        return if random.below(2) == 0 { atom } else { format!("!{atom}") };
    }
    let (one, other) = (ltl_formula(random, depth - 1), ltl_formula(random, depth - 1));
    match random.below(7) {
        0 => format!("({one} && {other})"),
        1 => format!("({one} || {other})"),
        2 => format!("({one} R {other})"),
        3 => format!("({one} U {other})"),
        4 | 5 => format!("<>{one}"),
        _ => format!("[]{one}"),
    }
}

fn linear(seeds: std::ops::Range<u64>) -> Count {
    let mut count = Count::default();
    for seed in seeds {
        let mut random = Random(seed * 86_028_121 + 5);
        let (text, bodies) = program(&mut random);
        let written = ltl_formula(&mut random, 2);
        let Some((stem, cycle)) = execution(&bodies) else { continue };
        let (formulas, formula) = ltl::parse(&written).expect("it can be read");
        if ltl::BadPrefixes::of(&formulas, formula).is_some() {
            continue;
        }
        let number =
            |atom: &String| ATOMS.iter().position(|it| it[3..it.len() - 1] == **atom).expect("known");
        let letter = |&(_, values): &Event| -> Vec<bool> {
            formulas.atoms.iter().map(|atom| holds_of(values)[number(atom)]).collect()
        };
        let [before, again] = [&stem, &cycle].map(|part| part.iter().map(letter).collect::<Vec<_>>());
        let expected = formulas.holds(formula, &before, &again);
        let mut problem = Problem::boogie("random.bpl", &text);
        problem.ltl = Some(written.clone());
        problem.property = Property::Termination;
        let said = format!("{written}\n{text}");
        count.add(answer(&problem, &said), expected, &cycle, &said);
    }
    count
}

#[test]
fn linear_formulas() {
    let count = linear(0..90);
    eprintln!("{count:?}");
    assert!(count.holding >= 12 && count.violated >= 12, "{count:?}");
    assert!(count.round >= 4 && count.down >= 4, "{count:?}");
    assert!(count.answered() > 4 * count.open, "{count:?}");
}

#[test]
#[ignore = "half an hour"]
fn many_linear_formulas() {
    let count = linear(1_000..4_000);
    eprintln!("{count:?}");
}

/// A formula of CaRet; `callers` says whether it may look at callers.
fn caret_formula(random: &mut Random, depth: usize, callers: bool) -> String {
    if depth == 0 {
        let atom = ["call(f)", "return(g)", "call", "return", ATOMS[0], ATOMS[1]][random.below(6)];
        return if random.below(3) == 0 { format!("!{atom}") } else { atom.to_owned() };
    }
    let one = caret_formula(random, depth - 1, callers);
    let other = caret_formula(random, depth - 1, callers);
    let way = if callers { ["", "a", "c"][random.below(3)] } else { ["", "a"][random.below(2)] };
    match random.below(8) {
        0 => format!("({one} && {other})"),
        1 => format!("({one} || {other})"),
        2 => format!("({one} U{way} {other})"),
        3 => format!("X{way} {one}"),
        4 => format!("wX{way} {one}"),
        5 | 6 => format!("F{way} {one}"),
        _ => format!("G{way} {one}"),
    }
}

/// The positions of an execution that formulas of CaRet speak of.
fn positions(events: &[Event], atoms: &[caret::Atom]) -> Vec<caret::Letter> {
    let position = |&(happened, values): &Event| {
        let kind = match happened {
            Happened::Nothing => return None,
            Happened::Call(_) => caret::Kind::Call,
            Happened::Return(_) => caret::Kind::Return,
            Happened::Round | Happened::End => caret::Kind::Internal,
        };
        let value = |atom: &caret::Atom| match atom {
            caret::Atom::Call(Some(name)) => matches!(happened, Happened::Call(it) if PROCEDURES[it] == name),
            caret::Atom::Return(Some(name)) => {
                matches!(happened, Happened::Return(it) if PROCEDURES[it] == name)
            }
            caret::Atom::Condition(text) => {
                let number = ATOMS.iter().position(|it| it[3..it.len() - 1] == **text).expect("known");
                holds_of(values)[number]
            }
            _ => false,
        };
        Some(caret::Letter { kind, values: atoms.iter().map(value).collect() })
    };
    events.iter().filter_map(position).collect()
}

fn nested(seeds: std::ops::Range<u64>) -> Count {
    let mut count = Count::default();
    for seed in seeds {
        let mut random = Random(seed * 67_867_967 + 11);
        let (text, bodies) = program(&mut random);
        let Some((stem, cycle)) = execution(&bodies) else { continue };
        let calls = cycle.iter().filter(|event| matches!(event.0, Happened::Call(_))).count();
        let returns = cycle.iter().filter(|event| matches!(event.0, Happened::Return(_))).count();
        // In a word that goes down for ever, every round has other callers.
        let written = caret_formula(&mut random, 2, calls == returns);
        let (mut formulas, formula) = caret::parse(&written).expect("it can be read");
        let negation = formulas.not(formula);
        if caret::Automaton::of(&formulas, negation).is_ok() {
            continue;
        }
        let (stem, again) = (positions(&stem, &formulas.atoms), positions(&cycle, &formulas.atoms));
        if again.is_empty() {
            continue;
        }
        let lasso = caret::Lasso { stem: &stem, cycle: &again };
        let expected = lasso.holds(&formulas, formula);
        let mut problem = Problem::boogie("random.bpl", &text);
        let file = format!("CHECK( init(main()), CARET({written}) )");
        problem.observer =
            Some(ObserverFile { name: "random.prp".to_owned(), text: file, formula: Some(written.clone()) });
        problem.property = Property::Termination;
        let said = format!("{written}\n{text}");
        count.add(answer(&problem, &said), expected, &cycle, &said);
    }
    count
}

#[test]
fn nested_formulas() {
    let count = nested(0..12);
    eprintln!("{count:?}");
    assert!(count.answered() >= 1, "{count:?}");
}

#[test]
#[ignore = "half an hour"]
fn many_nested_formulas() {
    let count = nested(1_000..4_000);
    eprintln!("{count:?}");
}
