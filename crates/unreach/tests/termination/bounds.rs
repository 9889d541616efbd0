//! Bounds of the rounds of loops, against counted runs.
//!
//! A random program has loops that count up or down by random steps, one after the other and inside of each other, with
//! resets, choices and early ends. It is run with random inputs and choices; each time a loop is entered, the
//! bound for the values then must not be below the number of rounds, nor the bound for the inputs if there is one. Many loops
//! are never entered, and have no bound because nothing of them is left in the proof.
//!
//! `UNREACH_BOUND_PROGRAMS=500` sets how many programs there are.

use crate::decide;
use base::Random;
use logic::Integer;
use std::fmt::Write as _;
use unreach::report::rounds::Rounds;
use unreach::{Answer, Problem};

const NAMES: [&str; 5] = ["a", "b", "c", "n", "m"];
/// The last two are inputs that are never changed.
const CHANGED: usize = 3;
/// A run that is longer is given up.
const LONGEST_RUN: usize = 20_000;

type State = [i64; NAMES.len()];

enum Statement {
    /// Sets a variable to another one, with a factor, and a number.
    Set { variable: usize, from: Option<usize>, plus: i64 },
    /// One or the other, or as the comparison says.
    Choice { condition: Option<(usize, usize)>, ways: [Vec<Statement>; 2] },
    /// As long as the first variable is below the second.
    Loop { line: usize, below: (usize, usize), body: Vec<Statement> },
}

struct Maker<'r> {
    random: &'r mut Random,
    text: String,
    lines: usize,
}

impl Maker<'_> {
    fn line(&mut self, text: &str) -> usize {
        writeln!(self.text, "{text}").expect("a string can be written to");
        self.lines += 1;
        self.lines
    }

    fn set(&mut self, variable: usize, from: Option<usize>, plus: i64) -> Statement {
        let value = match from {
            Some(from) => format!("{} + {plus}", NAMES[from]).replace("+ -", "- "),
            None => plus.to_string(),
        };
        self.line(&format!("{} := {value};", NAMES[variable]));
        Statement::Set { variable, from, plus }
    }

    fn number(&mut self, most: usize) -> i64 {
        self.random.below(most + 1) as i64
    }

    fn other(&mut self, than: usize) -> usize {
        (than + 1 + self.random.below(NAMES.len() - 1)) % NAMES.len()
    }

    fn statement(&mut self, depth: usize) -> Statement {
        match self.random.below(if depth < 2 { 7 } else { 4 }) {
            0 => {
                let (variable, plus) = (self.random.below(CHANGED), self.number(6) - 3);
                self.set(variable, Some(variable), plus)
            }
            1 => {
                let variable = self.random.below(CHANGED);
                let (from, plus) = (self.other(variable), self.number(4) - 2);
                self.set(variable, Some(from), plus)
            }
            2 => {
                let (variable, plus) = (self.random.below(CHANGED), self.number(3));
                self.set(variable, None, plus)
            }
            3 => {
                let condition = match self.random.below(2) {
                    0 => None,
                    _ => {
                        let left = self.random.below(NAMES.len());
                        Some((left, self.other(left)))
                    }
                };
                match condition {
                    None => self.line("if (*) {"),
                    Some((left, right)) => self.line(&format!("if ({} < {}) {{", NAMES[left], NAMES[right])),
                };
                let first = self.block(depth + 1, 1);
                self.line("} else {");
                let second = self.block(depth + 1, 1);
                self.line("}");
                Statement::Choice { condition, ways: [first, second] }
            }
            _ => {
                let counts = self.random.below(CHANGED);
                let limit = self.other(counts);
                let up = self.random.below(2) == 0;
                let below = if up { (counts, limit) } else { (limit, counts) };
                let line = self.line(&format!("while ({} < {}) {{", NAMES[below.0], NAMES[below.1]));
                let most = self.random.below(2);
                let mut body = self.block(depth + 1, most);
                let by = 1 + self.number(2);
                body.push(self.set(counts, Some(counts), if up { by } else { -by }));
                self.line("}");
                Statement::Loop { line, below, body }
            }
        }
    }

    fn block(&mut self, depth: usize, most: usize) -> Vec<Statement> {
        (0..self.random.below(most + 1)).map(|_| self.statement(depth)).collect()
    }
}

struct Program {
    text: String,
    statements: Vec<Statement>,
}

fn program(random: &mut Random) -> Program {
    let mut maker = Maker { random, text: String::new(), lines: 0 };
    maker.line("procedure main(n: int, m: int) {");
    maker.line("var a, b, c: int;");
    let mut statements: Vec<Statement> = (0..CHANGED).map(|variable| maker.set(variable, None, 0)).collect();
    for _ in 0..1 + maker.random.below(3) {
        statements.push(maker.statement(0));
    }
    maker.line("}");
    Program { text: maker.text, statements }
}

/// A stay in a loop.
struct Stay {
    line: usize,
    entered: State,
    rounds: i64,
}

struct Run<'r> {
    random: &'r mut Random,
    state: State,
    steps: usize,
    stays: Vec<Stay>,
}

impl Run<'_> {
    /// Runs statements; false if that takes too long.
    fn all(&mut self, statements: &[Statement]) -> bool {
        statements.iter().all(|statement| self.one(statement))
    }

    fn one(&mut self, statement: &Statement) -> bool {
        self.steps += 1;
        if self.steps > LONGEST_RUN {
            return false;
        }
        match statement {
            &Statement::Set { variable, from, plus } => {
                self.state[variable] = from.map_or(0, |from| self.state[from]) + plus;
                true
            }
            Statement::Choice { condition, ways } => {
                let first = match *condition {
                    Some((left, right)) => self.state[left] < self.state[right],
                    None => self.random.below(2) == 0,
                };
                self.all(&ways[usize::from(!first)])
            }
            Statement::Loop { line, below, body } => {
                let (entered, mut rounds) = (self.state, 0);
                while self.state[below.0] < self.state[below.1] {
                    if !self.all(body) {
                        return false;
                    }
                    rounds += 1;
                }
                self.stays.push(Stay { line: *line, entered, rounds });
                true
            }
        }
    }
}

/// What was seen.
#[derive(Default)]
struct Counted {
    programs: usize,
    loops: usize,
    bounds: usize,
    at_beginning: usize,
    stays: usize,
    exact: usize,
}

/// Compares the bounds of a program with some runs.
fn compare(program: &Program, random: &mut Random, counted: &mut Counted) {
    let decision = decide(Problem::boogie("program.bpl", program.text.clone()), false);
    let Answer::Terminates(found) = &decision.answer else { return };
    let view = decision.view.as_ref().expect("a proof is about a view");
    let bounds: Vec<(usize, &Rounds)> = found
        .rounds
        .iter()
        .map(|rounds| (view.sources.line_column(rounds.span).line as usize, rounds))
        .collect();
    counted.programs += 1;
    counted.loops += program.text.matches("while").count();
    counted.bounds += bounds.len();
    counted.at_beginning += bounds.iter().filter(|(_, rounds)| rounds.at_beginning.is_some()).count();
    for _ in 0..20 {
        let mut inputs: State = [0; NAMES.len()];
        for value in &mut inputs {
            *value = random.below(25) as i64 - 5;
        }
        let mut run = Run { random, state: inputs, steps: 0, stays: Vec::new() };
        run.all(&program.statements);
        for stay in &run.stays {
            for (_, rounds) in bounds.iter().filter(|(line, _)| *line == stay.line) {
                let value = |state: State| {
                    move |name: &str| {
                        let position = NAMES.iter().position(|&other| other == name);
                        Integer::from(state[position.expect("bounds speak of the variables")])
                    }
                };
                let most = rounds.at_entry.value(value(stay.entered));
                counted.stays += 1;
                counted.exact += usize::from(most == stay.rounds.into());
                let place =
                    format!("line {}, {:?}: {} rounds\n{}", stay.line, inputs, stay.rounds, program.text);
                assert!(most >= stay.rounds.into(), "at most {} is wrong: {place}", rounds.at_entry);
                if let Some(bound) = &rounds.at_beginning {
                    let most = bound.value(value(inputs));
                    assert!(most >= stay.rounds.into(), "at most {bound} is wrong: {place}");
                }
            }
        }
    }
}

#[test]
fn bounds_hold_in_counted_runs() {
    let wanted = std::env::var("UNREACH_BOUND_PROGRAMS").ok().and_then(|text| text.parse().ok());
    let wanted: usize = wanted.unwrap_or(30);
    let mut random = Random::new(5);
    let mut counted = Counted::default();
    for _ in 0..wanted {
        let program = program(&mut random);
        compare(&program, &mut random, &mut counted);
    }
    let Counted { programs, loops, bounds, at_beginning, stays, exact } = counted;
    eprintln!(
        "{wanted} programs, {programs} proven to end; of {loops} loops {bounds} have a bound, {at_beginning} of them for the inputs; \
         {stays} stays in such loops, in {exact} of them the bound is exact"
    );
    assert!(3 * bounds > loops, "only {bounds} of {loops} loops have a bound");
    assert!(2 * exact > stays, "only {exact} of {stays} are exact");
}
