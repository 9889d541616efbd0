//! Random Boogie programs without inputs, watched by random observers: the verdict against a simulation that knows nothing of products.

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

    fn one_in(&mut self, chance: usize) -> bool {
        self.below(chance) == 0
    }
}

const PROCEDURES: [&str; 2] = ["f", "g"];

/// Statements of the programs; there are two globals and two procedures with a parameter and a result.
enum Step {
    /// A global becomes the parameter (or zero) plus a number.
    Assign(usize, i64),
    /// A call of a procedure with a number, and the global that gets its result.
    Call(usize, i64, Option<usize>),
    /// If a global is greater than a number.
    If(usize, i64, Vec<Step>, Vec<Step>),
}

const GLOBALS: [&str; 2] = ["x", "y"];

fn steps(random: &mut Random, depth: usize) -> Vec<Step> {
    let count = 1 + random.below(3);
    (0..count)
        .map(|_| {
            let (global, number) = (random.below(2), i64::try_from(random.below(4)).expect("small"));
            match random.below(5) {
                0 | 1 => Step::Assign(global, number),
                2 if depth > 0 => {
                    Step::If(global, number, steps(random, depth - 1), steps(random, depth - 1))
                }
                _ => {
                    let result = random.one_in(2).then_some(global);
                    Step::Call(random.below(2), number, result)
                }
            }
        })
        .collect()
}

/// What happens in a run.
enum Happened {
    Call(usize, i64),
    Return(usize, i64, i64),
    Assign(usize),
    End,
}

/// A run: events with the values of the globals.
#[derive(Default)]
struct Run {
    globals: [i64; 2],
    events: Vec<(Happened, [i64; 2])>,
}

impl Run {
    fn tell(&mut self, what: Happened) {
        self.events.push((what, self.globals));
    }

    fn steps(&mut self, bodies: &[Vec<Step>; 2], steps: &[Step], parameter: i64, fuel: u32) {
        for step in steps {
            match step {
                Step::Assign(global, number) => {
                    self.globals[*global] = parameter + number;
                    self.tell(Happened::Assign(*global));
                }
                Step::Call(procedure, argument, result) => {
                    self.tell(Happened::Call(*procedure, *argument));
                    if fuel > 1 {
                        self.steps(bodies, &bodies[*procedure], *argument, fuel - 1);
                    }
                    let value = self.globals[0] + argument;
                    self.tell(Happened::Return(*procedure, *argument, value));
                    if let Some(global) = result {
                        self.globals[*global] = value;
                        self.tell(Happened::Assign(*global));
                    }
                }
                Step::If(global, number, then, otherwise) => {
                    let way = if self.globals[*global] > *number { then } else { otherwise };
                    self.steps(bodies, way, parameter, fuel);
                }
            }
        }
    }
}

fn text_of(steps: &[Step], parameter: &str, fuel: &str, out: &mut String) {
    for step in steps {
        // Writing to a string cannot fail.
        let _ = match step {
            Step::Assign(global, number) => write!(out, "{} := {parameter} + {number}; ", GLOBALS[*global]),
            Step::Call(procedure, argument, result) => {
                let to = result.map_or("r0", |global| GLOBALS[global]);
                write!(out, "call {to} := {}({argument}, {fuel}); ", PROCEDURES[*procedure])
            }
            Step::If(global, number, then, otherwise) => {
                let _ = write!(out, "if ({} > {number}) {{ ", GLOBALS[*global]);
                text_of(then, parameter, fuel, out);
                out.push_str("} else { ");
                text_of(otherwise, parameter, fuel, out);
                write!(out, "}} ")
            }
        };
    }
}

/// A transition of a random observer.
struct Transition {
    from: usize,
    to: usize,
    what: What,
    /// A global that must be greater than a number.
    condition: Option<(usize, i64)>,
    /// The state in which the call was made.
    called_in: Option<usize>,
}

enum What {
    Call(usize, Pattern),
    Return(usize, Pattern, Pattern),
    Assign(usize),
    End,
}

#[derive(Clone, Copy)]
enum Pattern {
    Any,
    Each,
    Number(i64),
}

impl Pattern {
    fn random(random: &mut Random) -> Pattern {
        match random.below(4) {
            0 => Pattern::Each,
            1 => Pattern::Number(i64::try_from(random.below(4)).expect("small")),
            _ => Pattern::Any,
        }
    }

    fn text(self) -> String {
        match self {
            Pattern::Any => "_".to_owned(),
            Pattern::Each => "v".to_owned(),
            Pattern::Number(number) => number.to_string(),
        }
    }

    fn fits(self, value: i64, each: i64) -> bool {
        match self {
            Pattern::Any => true,
            Pattern::Each => value == each,
            Pattern::Number(number) => value == number,
        }
    }
}

/// States are numbers; the last one is the error.
const ERROR: usize = 3;

fn transitions(random: &mut Random) -> Vec<Transition> {
    let mut all = Vec::new();
    for from in 0..ERROR {
        for _ in 0..1 + random.below(3) {
            let procedure = random.below(2);
            let what = match random.below(5) {
                0 => What::Assign(procedure),
                1 => What::End,
                2 | 3 => What::Call(procedure, Pattern::random(random)),
                _ => What::Return(procedure, Pattern::random(random), Pattern::random(random)),
            };
            let condition = random.one_in(3).then(|| (random.below(2), 1));
            let is_return = matches!(what, What::Return(..));
            let called_in = (is_return && random.one_in(2)).then(|| random.below(ERROR));
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
            let event = match &transition.what {
                What::Call(procedure, argument) => {
                    format!("call {}({}, _)", PROCEDURES[*procedure], argument.text())
                }
                What::Return(procedure, argument, result) => {
                    let from = transition.called_in.map_or(String::new(), |state| format!(" from s{state}"));
                    let (name, argument) = (PROCEDURES[*procedure], argument.text());
                    format!("return {} = {name}({argument}, _){from}", result.text())
                }
                What::Assign(global) => format!("assign {}", GLOBALS[*global]),
                What::End => "exit".to_owned(),
            };
            let condition = transition
                .condition
                .map_or(String::new(), |(global, number)| format!(" with {} > {number}", GLOBALS[global]));
            let to = if transition.to == ERROR { "error".to_owned() } else { format!("s{}", transition.to) };
            let _ = writeln!(out, "  on {event}{condition} goto {to};");
        }
        out.push_str("}\n");
    }
    out
}

/// Whether the observer reaches an error for a value.
fn fails(run: &Run, transitions: &[Transition], each: i64) -> bool {
    let (mut state, mut open) = (0, Vec::new());
    for (happened, globals) in &run.events {
        let called = match happened {
            Happened::Call(..) => {
                open.push(state);
                None
            }
            Happened::Return(..) => open.pop(),
            _ => None,
        };
        let taken = transitions.iter().find(|transition| {
            let fits = match (&transition.what, happened) {
                (What::Call(procedure, pattern), Happened::Call(called, argument)) => {
                    procedure == called && pattern.fits(*argument, each)
                }
                (What::Return(procedure, pattern, wanted), Happened::Return(called, argument, result)) => {
                    procedure == called && pattern.fits(*argument, each) && wanted.fits(*result, each)
                }
                (What::Assign(wanted), Happened::Assign(global)) => wanted == global,
                (What::End, Happened::End) => true,
                _ => false,
            };
            fits && transition.from == state
                && transition.condition.is_none_or(|(global, number)| globals[global] > number)
                && transition.called_in.is_none_or(|wanted| called == Some(wanted))
        });
        state = taken.map_or(state, |transition| transition.to);
        if state == ERROR {
            return true;
        }
    }
    false
}

#[test]
fn verdicts_agree_with_a_simulation() {
    const FUEL: u32 = 3;
    let (mut failing, mut holding) = (0, 0);
    for seed in 0..40 {
        let mut random = Random(seed * 7_919 + 13);
        let bodies = [steps(&mut random, 1), steps(&mut random, 1)];
        let main = steps(&mut random, 2);
        let mut run = Run::default();
        run.steps(&bodies, &main, 0, FUEL + 1);
        run.tell(Happened::End);
        if run.events.len() > 150 {
            continue;
        }
        let mut program = String::from("var x, y: int;\n");
        for (name, body) in PROCEDURES.iter().zip(&bodies) {
            let _ = write!(
                program,
                "procedure {name}(a: int, fuel: int) returns (r: int) modifies x, y; {{ var r0: int; if (fuel > 0) {{ "
            );
            text_of(body, "a", "fuel - 1", &mut program);
            program.push_str("} r := x + a; }\n");
        }
        program
            .push_str("procedure ULTIMATE.start() modifies x, y; { var r0: int; assume x == 0 && y == 0; ");
        text_of(&main, "0", &FUEL.to_string(), &mut program);
        program.push_str("}\n");
        let transitions = transitions(&mut random);
        let expected = (-2..40).any(|each| fails(&run, &transitions, each));
        let text = observer_of(&transitions);
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
