//! What may hold in a state: comparisons of its variables with each other and with the numbers of the program, the
//! conditions that the program itself asks, and each of these under a condition on a single variable.
//!
//! Cost: the square of the number of variables times the number of conditions, cut off at [`MOST_CANDIDATES`].

use crate::any_number::paths::{End, Path};
use logic::{Op, Sort, Substitution, Symbol, Term, Terms};
use program::Var;
use std::collections::{BTreeMap, BTreeSet};

/// More candidates are not taken.
const MOST_CANDIDATES: usize = 3_000;
/// More numbers of a program are not used.
const MOST_NUMBERS: usize = 6;
/// More conditions for other candidates are not used.
const MOST_CONDITIONS: usize = 16;
/// More formulas of the program, with one variable put for another, are not used.
const MOST_FORMULAS: usize = 150;

/// Something that may hold.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) formula: Term,
    /// If one of these holds of all states of which this one holds, too, then this one follows from it.
    pub(super) implied_by: Vec<usize>,
    symbols: Vec<Symbol>,
    /// The variable whose value it says.
    fixes: Option<Symbol>,
}

impl Candidate {
    fn new(formula: Term, terms: &Terms) -> Candidate {
        let symbols = terms.free_symbols(formula);
        let fixes = match (terms.op(formula), terms.args(formula)) {
            (Op::Eq, &[left, right]) if terms.is_literal_value(right) => terms.as_symbol(left),
            (Op::Symbol(symbol), _) => Some(symbol),
            (Op::Not, &[negated]) => terms.as_symbol(negated),
            _ => None,
        };
        Candidate { formula, implied_by: Vec::new(), symbols, fixes }
    }
}

/// Of candidates that hold of all states of some kind, those that do not follow from others, as far as their form tells.
pub(super) fn strongest<'a>(
    candidates: &'a [Candidate],
    holds: &'a [bool],
) -> impl Iterator<Item = usize> + 'a {
    let holding = move || candidates.iter().enumerate().filter(|(number, _)| holds[*number]);
    let mut fixed: Vec<(Symbol, usize)> = Vec::new();
    for (number, candidate) in holding() {
        if let Some(symbol) = candidate.fixes
            && !fixed.iter().any(|(known, _)| *known == symbol)
        {
            fixed.push((symbol, number));
        }
    }
    let follows = move |(number, candidate): (usize, &Candidate)| {
        let is_value = fixed.iter().any(|&(_, fixing)| fixing == number);
        // A formula about variables whose values are known is true or false.
        let is_known = |symbol: &Symbol| fixed.iter().any(|(known, _)| known == symbol);
        !is_value
            && (candidate.symbols.iter().all(is_known)
                || candidate.implied_by.iter().any(|&other| holds[other]))
    };
    holding().filter(move |&(number, candidate)| !follows((number, candidate))).map(|(number, _)| number)
}

/// How many candidates there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Wealth {
    /// Under conditions that the program asks itself.
    Few,
    /// Under all conditions.
    Many,
}

/// The variables of a state.
pub(super) struct StateVariables {
    /// Those that say where threads are, of all instances.
    pub(super) controls: Vec<Var>,
    /// Those that say how many threads are somewhere.
    pub(super) tallies: Vec<(Var, Symbol)>,
    /// The others.
    pub(super) plain: Vec<(Var, Symbol)>,
}

/// The candidates over the results of a procedure.
pub(super) fn candidates(
    state: &StateVariables,
    paths: &[Path],
    wealth: Wealth,
    terms: &mut Terms,
) -> Vec<Candidate> {
    let words = Words::of(&state.plain, &state.controls, paths, terms);
    let mut sums = words.sums(&state.tallies, paths, terms);
    // Where nothing is such a sum, something may be bounded by one.
    if sums.is_empty() {
        sums.extend(words.bounds(&state.tallies, terms));
    }
    let mut numbers: BTreeMap<Term, usize> = BTreeMap::new();
    let mut all: Vec<Candidate> = Vec::new();
    for formula in sums.into_iter().chain(words.formulas.iter().copied()).chain(words.comparisons(terms)) {
        for formula in [formula, terms.not(formula)] {
            let is_new = !formula.is_true() && !formula.is_false() && !numbers.contains_key(&formula);
            if is_new && all.len() < MOST_CANDIDATES {
                numbers.insert(formula, all.len());
                all.push(Candidate::new(formula, terms));
            }
        }
    }
    let number = |numbers: &BTreeMap<Term, usize>, formula: Term| numbers.get(&formula).copied();
    for (equations, others) in words.families(terms) {
        let equations: Vec<usize> =
            equations.iter().filter_map(|&formula| number(&numbers, formula)).collect();
        for other in others.into_iter().flat_map(|other| [other, terms.not(other)]) {
            if let Some(other) = number(&numbers, other) {
                let stronger = equations.iter().copied().filter(|&equation| equation != other);
                all[other].implied_by.extend(stronger);
            }
        }
    }
    let plain = all.len();
    let most = match wealth {
        Wealth::Few => words.asked,
        Wealth::Many => MOST_CONDITIONS,
    };
    for &condition in words.conditions.iter().take(most) {
        let about = terms.free_symbols(condition);
        let never = terms.not(condition);
        for base in 0..plain {
            let formula = all[base].formula;
            if all[base].symbols.iter().all(|symbol| about.contains(symbol)) {
                continue;
            }
            let guarded = terms.implies(condition, formula);
            if all.len() < MOST_CANDIDATES && !guarded.is_true() && !numbers.contains_key(&guarded) {
                numbers.insert(guarded, all.len());
                let implied_by = [Some(base), number(&numbers, never)].into_iter().flatten().collect();
                all.push(Candidate { implied_by, ..Candidate::new(guarded, terms) });
            }
        }
    }
    all
}

struct Words {
    variables: Vec<(Symbol, Sort)>,
    vars: Vec<(Var, Symbol)>,
    numbers: BTreeMap<Sort, Vec<Term>>,
    /// The conditions of the program about the state, with one variable put for another.
    formulas: Vec<Term>,
    /// Equations of a variable and a number, Boolean variables, and their negations: those that the program has first.
    conditions: Vec<Term>,
    /// How many of the conditions the program has itself.
    asked: usize,
}

impl Words {
    fn of(plain: &[(Var, Symbol)], controls: &[Var], paths: &[Path], terms: &mut Terms) -> Words {
        let variables: Vec<(Symbol, Sort)> =
            plain.iter().map(|&(_, symbol)| (symbol, terms.symbol_data(symbol).sort)).collect();
        let is_state = |symbol: &Symbol| variables.iter().any(|(known, _)| known == symbol);
        let mut atoms: Vec<Term> = Vec::new();
        let mut numbers: BTreeMap<Sort, BTreeMap<u32, Vec<Term>>> = BTreeMap::new();
        let mut seen: BTreeSet<Term> = BTreeSet::new();
        for path in paths {
            // A control variable gets a number, which says nothing about others.
            let updates = path.relation.updates.iter().filter(|(variable, _)| !controls.contains(variable));
            let mut roots: Vec<Term> = vec![path.relation.guard];
            roots.extend(updates.map(|&(_, value)| value));
            for root in roots {
                let mut parts = Vec::new();
                terms.for_each_subterm(&[root], |part| parts.push(part));
                parts.sort_unstable();
                for part in parts {
                    if !seen.insert(part) {
                        continue;
                    }
                    let sort = terms.sort_of(part);
                    if terms.is_literal_value(part) && sort != Sort::BOOL {
                        let size = terms.as_integer(part).map_or(64, |value| value.bits() as u32);
                        numbers.entry(sort).or_default().entry(size).or_default().push(part);
                    }
                    let compares = matches!(terms.op(part), Op::Eq | Op::Le | Op::Lt | Op::Symbol(_));
                    // What stands inside of a quantifier says nothing by itself.
                    let says_something = !terms.has_quantifier(part) && terms.is_closed(part);
                    if sort == Sort::BOOL && compares && says_something {
                        let symbols = terms.free_symbols(part);
                        if !symbols.is_empty() && symbols.iter().all(is_state) {
                            atoms.push(part);
                        }
                    }
                }
            }
        }
        let mut known: BTreeMap<Sort, Vec<Term>> = BTreeMap::new();
        for (sort, by_size) in numbers {
            known.insert(sort, by_size.into_values().flatten().take(MOST_NUMBERS).collect());
        }
        let small = [terms.int(0), terms.int(1)];
        let integers = known.entry(Sort::INT).or_default();
        for number in small {
            if !integers.contains(&number) {
                integers.push(number);
            }
        }
        let is_condition = |terms: &Terms, atom: Term| match terms.op(atom) {
            Op::Symbol(_) => true,
            Op::Eq => {
                terms.as_symbol(terms.args(atom)[0]).is_some() && terms.is_literal_value(terms.args(atom)[1])
            }
            _ => false,
        };
        let equations: Vec<Term> = atoms.iter().copied().filter(|&atom| is_condition(terms, atom)).collect();
        let mut conditions: Vec<Term> = equations.iter().flat_map(|&atom| [atom, terms.not(atom)]).collect();
        let asked = conditions.len();
        for equation in equations {
            let Some(variable) = terms.args(equation).first().copied() else { continue };
            for number in known.get(&terms.sort_of(variable)).cloned().unwrap_or_default() {
                let other = terms.eq(variable, number);
                if !conditions.contains(&other) {
                    conditions.push(other);
                }
            }
        }
        let vars = plain.to_vec();
        let mut words = Words { variables, vars, numbers: known, formulas: atoms, conditions, asked };
        words.exchange(terms);
        words
    }

    /// Adds the formulas with one variable put for another.
    fn exchange(&mut self, terms: &mut Terms) {
        let mut known: BTreeSet<Term> = self.formulas.iter().copied().collect();
        for number in 0..self.formulas.len() {
            let formula = self.formulas[number];
            for symbol in terms.free_symbols(formula) {
                let sort = terms.symbol_data(symbol).sort;
                for &(other, _) in self.variables.iter().filter(|&&(_, of)| of == sort) {
                    let value = terms.constant(other);
                    let mut put = Substitution::new();
                    put.insert(symbol, value);
                    let exchanged = put.apply(terms, formula);
                    if self.formulas.len() < MOST_FORMULAS && known.insert(exchanged) {
                        self.formulas.push(exchanged);
                    }
                }
            }
        }
    }

    /// That a variable, and the numbers of threads at some places that were added to it, or taken away, are a number. Only sums that no
    /// interference changes are taken.
    fn sums(&self, tallies: &[(Var, Symbol)], paths: &[Path], terms: &mut Terms) -> Vec<Term> {
        let mut found = Vec::new();
        let integers = self.vars.iter().filter(|(_, symbol)| terms.symbol_data(*symbol).sort == Sort::INT);
        for &variable in integers.collect::<Vec<_>>() {
            let mut factors = vec![-1; tallies.len()];
            loop {
                if factors.iter().any(|&factor| factor != 0) {
                    let parts: Vec<((Var, Symbol), i64)> = [(variable, 1)]
                        .into_iter()
                        .chain(tallies.iter().copied().zip(factors.iter().copied()))
                        .collect();
                    let interfering = |path: &&Path| path.instances.len() > 1 && path.end == End::Exit;
                    if paths.iter().filter(interfering).all(|path| keeps(path, &parts, terms)) {
                        let sum = sum(&parts, terms);
                        for number in self.numbers.get(&Sort::INT).cloned().unwrap_or_default() {
                            found.push(terms.eq(sum, number));
                        }
                    }
                }
                let Some(position) = factors.iter().position(|&factor| factor < 1) else { break };
                factors[..position].fill(-1);
                factors[position] += 1;
            }
        }
        found
    }

    /// That a variable together with the number of threads at some places is at most another variable, or one more: threads that will
    /// still add something to the first, where the second says how many there are.
    fn bounds(&self, tallies: &[(Var, Symbol)], terms: &mut Terms) -> Vec<Term> {
        let mut found = Vec::new();
        let is_int = |&&(_, sort): &&(Symbol, Sort)| sort == Sort::INT;
        let integers: Vec<Symbol> = self.variables.iter().filter(is_int).map(|&(symbol, _)| symbol).collect();
        let one = terms.int(1);
        for &(_, tally) in tallies {
            let tally = terms.constant(tally);
            for &variable in &integers {
                for &bound in integers.iter().filter(|&&bound| bound != variable) {
                    let (variable, bound) = (terms.constant(variable), terms.constant(bound));
                    let (sum, next) = (terms.add(&[variable, tally]), terms.add(&[bound, one]));
                    found.extend([terms.le(sum, bound), terms.le(sum, next)]);
                }
            }
        }
        found
    }

    /// Comparisons of variables with numbers and with each other.
    fn comparisons(&self, terms: &mut Terms) -> Vec<Term> {
        let families = self.families(terms);
        families.into_iter().flat_map(|(equations, others)| equations.into_iter().chain(others)).collect()
    }

    /// Formulas about one variable or about the difference of two, in groups: equations, each of which decides all formulas
    /// of its group, and others.
    fn families(&self, terms: &mut Terms) -> Vec<(Vec<Term>, Vec<Term>)> {
        let mut families = Vec::new();
        for (position, &(symbol, sort)) in self.variables.iter().enumerate() {
            let variable = terms.constant(symbol);
            let (mut equations, mut others) = (Vec::new(), Vec::new());
            if sort == Sort::BOOL {
                equations.push(variable);
            }
            for &number in self.numbers.get(&sort).into_iter().flatten() {
                equations.push(terms.eq(variable, number));
                if sort == Sort::INT {
                    others.extend([terms.le(variable, number), terms.ge(variable, number)]);
                }
            }
            others.extend(&equations);
            families.push((equations, others));
            for &(other, _) in self.variables[position + 1..].iter().filter(|&&(_, of)| of == sort) {
                let other = terms.constant(other);
                let mut equations = vec![terms.eq(variable, other)];
                let mut others = equations.clone();
                if sort == Sort::INT {
                    others.extend([terms.le(variable, other), terms.le(other, variable)]);
                    let one = terms.int(1);
                    let (next, next_other) = (terms.add(&[variable, one]), terms.add(&[other, one]));
                    equations.extend([terms.eq(next, other), terms.eq(next_other, variable)]);
                    others.extend(&equations);
                }
                families.push((equations, others));
            }
        }
        families
    }
}

/// A sum of variables with factors.
fn sum(parts: &[((Var, Symbol), i64)], terms: &mut Terms) -> Term {
    let mut summands = Vec::new();
    for &((_, symbol), factor) in parts {
        let (variable, factor) = (terms.constant(symbol), terms.int(factor));
        summands.push(terms.mul(&[factor, variable]));
    }
    terms.add(&summands)
}

/// Whether a path leaves a sum as it was.
fn keeps(path: &Path, parts: &[((Var, Symbol), i64)], terms: &mut Terms) -> bool {
    let mut summands = Vec::new();
    for &((var, symbol), factor) in parts {
        let before = terms.constant(symbol);
        let Some(after) = path.relation.update(var) else { continue };
        let (difference, factor) = (terms.sub(after, before), terms.int(factor));
        summands.push(terms.mul(&[factor, difference]));
    }
    summands.is_empty() || {
        let zero = terms.int(0);
        terms.add(&summands) == zero
    }
}
