//! Random programs over tiny ranges, against an exhaustive search for infinite runs.
//!
//! A program has a few places with a few ways from each to another. Values stay between 0 and 3, or the run ends, so there
//! are finitely many states, and a run is infinite exactly if a cycle of states is reachable.

use crate::{Ends, decide, ends};
use base::Random;
use unreach::Problem;

const VALUES: i64 = 4;
const VARIABLES: usize = 2;
const NAMES: [&str; VARIABLES] = ["x", "y"];

type State = [i64; VARIABLES];

#[derive(Clone, Copy)]
enum Guard {
    Always,
    Less(usize, i64),
    AtLeast(usize, i64),
    Different(usize, i64),
    Below,
    Even(usize),
}

#[derive(Clone, Copy)]
enum Value {
    Plus(usize, i64),
    Sum,
    Double(usize),
    Constant(i64),
    Wrapped(usize),
    Anything,
}

#[derive(Clone)]
struct Way {
    guard: Guard,
    variable: usize,
    value: Value,
    target: usize,
}

#[derive(Clone)]
pub(crate) struct Program {
    places: Vec<Vec<Way>>,
}

impl Guard {
    fn random(random: &mut Random) -> Guard {
        let (variable, number) = (random.below(VARIABLES), random.below(4) as i64);
        match random.below(6) {
            0 => Guard::Always,
            1 => Guard::Less(variable, number),
            2 => Guard::AtLeast(variable, number),
            3 => Guard::Different(variable, number),
            4 => Guard::Below,
            _ => Guard::Even(variable),
        }
    }

    fn text(self) -> String {
        match self {
            Guard::Always => "true".to_owned(),
            Guard::Less(v, n) => format!("{} < {n}", NAMES[v]),
            Guard::AtLeast(v, n) => format!("{} >= {n}", NAMES[v]),
            Guard::Different(v, n) => format!("{} != {n}", NAMES[v]),
            Guard::Below => "x < y".to_owned(),
            Guard::Even(v) => format!("{} mod 2 == 0", NAMES[v]),
        }
    }

    fn holds(self, state: State) -> bool {
        match self {
            Guard::Always => true,
            Guard::Less(v, n) => state[v] < n,
            Guard::AtLeast(v, n) => state[v] >= n,
            Guard::Different(v, n) => state[v] != n,
            Guard::Below => state[0] < state[1],
            Guard::Even(v) => state[v] % 2 == 0,
        }
    }
}

impl Value {
    fn random(random: &mut Random) -> Value {
        let variable = random.below(VARIABLES);
        match random.below(8) {
            0..=2 => Value::Plus(variable, if random.below(2) == 0 { 1 } else { -1 }),
            3 => Value::Sum,
            4 => Value::Double(variable),
            5 => Value::Constant(random.below(4) as i64),
            6 => Value::Wrapped(variable),
            _ => Value::Anything,
        }
    }

    fn text(self, variable: usize) -> String {
        let name = NAMES[variable];
        match self {
            Value::Plus(v, n) => format!("{name} := {} + {n};", NAMES[v]).replace("+ -", "- "),
            Value::Sum => format!("{name} := x + y;"),
            Value::Double(v) => format!("{name} := 2 * {};", NAMES[v]),
            Value::Constant(n) => format!("{name} := {n};"),
            Value::Wrapped(v) => format!("{name} := ({} + 1) mod 4;", NAMES[v]),
            Value::Anything => format!("havoc {name};"),
        }
    }

    fn values(self, state: State) -> Vec<i64> {
        match self {
            Value::Plus(v, n) => vec![state[v] + n],
            Value::Sum => vec![state[0] + state[1]],
            Value::Double(v) => vec![2 * state[v]],
            Value::Constant(n) => vec![n],
            Value::Wrapped(v) => vec![(state[v] + 1) % 4],
            Value::Anything => (0..VALUES).collect(),
        }
    }
}

impl Program {
    pub(crate) fn random(random: &mut Random) -> Program {
        let count = 1 + random.below(3);
        let places = (0..count)
            .map(|_| {
                (0..1 + random.below(3))
                    .map(|_| Way {
                        guard: Guard::random(random),
                        variable: random.below(VARIABLES),
                        value: Value::random(random),
                        target: random.below(count),
                    })
                    .collect()
            })
            .collect();
        Program { places }
    }

    pub(crate) fn text(&self) -> String {
        let inside = "0 <= x && x <= 3 && 0 <= y && y <= 3";
        let mut text = format!("procedure main() {{\n  var x, y: int;\n  assume {inside};\n  goto place0;\n");
        for (number, ways) in self.places.iter().enumerate() {
            let names: Vec<String> = (0..ways.len()).map(|way| format!("way{number}_{way}")).collect();
            text += &format!("place{number}:\n  goto {}, done;\n", names.join(", "));
            for (name, way) in names.iter().zip(ways) {
                let (guard, value) = (way.guard.text(), way.value.text(way.variable));
                text += &format!(
                    "{name}:\n  assume {guard};\n  {value}\n  assume {inside};\n  goto place{};\n",
                    way.target
                );
            }
        }
        text + "done:\n  return;\n}\n"
    }

    /// The same with another condition or another value somewhere.
    pub(crate) fn changed(&self, random: &mut Random) -> Program {
        let mut changed = self.clone();
        let place = random.below(changed.places.len());
        let way = random.below(changed.places[place].len());
        let way = &mut changed.places[place][way];
        match random.below(3) {
            0 => way.guard = Guard::random(random),
            1 => way.value = Value::random(random),
            _ => way.variable = random.below(VARIABLES),
        }
        changed
    }

    /// Is a cycle of states reachable?
    pub(crate) fn has_infinite_run(&self) -> bool {
        let number = |place: usize, state: State| {
            place * (VALUES * VALUES) as usize + (state[0] * VALUES + state[1]) as usize
        };
        let count = self.places.len() * (VALUES * VALUES) as usize;
        let mut successors: Vec<Vec<usize>> = vec![Vec::new(); count];
        for (place, ways) in self.places.iter().enumerate() {
            for x in 0..VALUES {
                for y in 0..VALUES {
                    for way in ways.iter().filter(|way| way.guard.holds([x, y])) {
                        for value in way.value.values([x, y]) {
                            let mut next = [x, y];
                            next[way.variable] = value;
                            if (0..VALUES).contains(&value) {
                                successors[number(place, [x, y])].push(number(way.target, next));
                            }
                        }
                    }
                }
            }
        }
        // Removing states without successors leaves those from which a run can go on for ever.
        let mut alive = vec![true; count];
        loop {
            let dead: Vec<usize> = (0..count)
                .filter(|&state| alive[state] && !successors[state].iter().any(|&next| alive[next]))
                .collect();
            if dead.is_empty() {
                break;
            }
            for state in dead {
                alive[state] = false;
            }
        }
        // All states at the first place are possible at the beginning.
        (0..(VALUES * VALUES) as usize).any(|state| alive[state])
    }
}

/// Compares answers with the truth; how often there was an answer.
fn compare(programs: usize, seed: u64) -> usize {
    let mut random = Random::new(seed);
    let mut answered = 0;
    for number in 0..programs {
        let program = Program::random(&mut random);
        let text = program.text();
        let truth = if program.has_infinite_run() { Ends::NotAlways } else { Ends::Always };
        let found = ends(&decide(Problem::boogie("random.bpl", text.clone()), false));
        assert!(
            found == truth || found == Ends::Unknown,
            "program {number}: {found:?}, not {truth:?}\n{text}"
        );
        answered += usize::from(found == truth);
    }
    answered
}

#[test]
fn a_few_random_programs() {
    let answered = compare(40, 1);
    assert!(answered >= 36, "only {answered} of 40 were decided");
}

#[test]
#[ignore = "takes minutes"]
fn three_thousand_random_programs() {
    let answered = compare(3_000, 2);
    assert!(answered >= 2_700, "only {answered} of 3000 were decided");
}
