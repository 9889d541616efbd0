//! Affine equalities (Karr): which linear equations between variables hold at a location of a path program.
//!
//! A set of states is described by a point and directions, so that assignments map them, joins collect them, and an
//! arbitrary value is one more direction. Guards are ignored. The dimension grows at most as often as there are
//! variables. The result is used as a source of candidates only, so calls may simply forget everything.

use super::limits;
use crate::horn::Step;
use logic::{Linear, Op, Rational, Sort, Symbol, Term, Terms};
use num_traits::{One, Zero};
use program::{EdgeKind, Location, Program, Relation};
use rustc_hash::FxHashMap;

type Vector = Vec<Rational>;

/// A point and independent directions in echelon form.
#[derive(Clone)]
struct Space {
    point: Vector,
    directions: Vec<Vector>,
}

/// The equalities that hold in each class; class 0 starts with arbitrary values.
pub(super) fn equalities(
    program: &Program,
    locations: &[Location],
    steps: &[Step],
    terms: &mut Terms,
) -> Vec<Vec<Term>> {
    let symbols = numeric_symbols(program, steps, terms);
    let none = vec![Vec::new(); locations.len()];
    if symbols.is_empty() || symbols.len() > limits::MOST_VARIABLES {
        return none;
    }
    let index: FxHashMap<Symbol, usize> =
        symbols.iter().enumerate().map(|(i, &symbol)| (symbol, i)).collect();
    let mut spaces: Vec<Option<Space>> = vec![None; locations.len()];
    spaces[0] = Some(Space::everything(symbols.len()));
    let mut changed = true;
    while changed {
        changed = false;
        for step in steps {
            let (Some(target), Some(before)) = (step.target, spaces[step.source].clone()) else { continue };
            let images = match &program.edges[step.edge].kind {
                EdgeKind::Internal(relation) => {
                    let cases = cases(relation, terms);
                    cases.iter().map(|case| before.after(program, case, &symbols, &index, terms)).collect()
                }
                _ => vec![Space::everything(symbols.len())],
            };
            for image in images {
                match &mut spaces[target] {
                    Some(space) => changed |= space.join(&image),
                    empty => {
                        *empty = Some(image);
                        changed = true;
                    }
                }
            }
        }
    }
    spaces
        .into_iter()
        .map(|space| space.map_or_else(Vec::new, |space| space.equations(&symbols, terms)))
        .collect()
}

/// The integer and real variables of the steps; only one of the two sorts, since they do not mix in equations.
fn numeric_symbols(program: &Program, steps: &[Step], terms: &Terms) -> Vec<Symbol> {
    let mut roots: Vec<Term> = Vec::new();
    let mut symbols: Vec<Symbol> = Vec::new();
    for step in steps {
        if let EdgeKind::Internal(relation) = &program.edges[step.edge].kind {
            roots.push(relation.guard);
            roots.extend(relation.updates.iter().map(|&(_, value)| value));
            symbols.extend(relation.updates.iter().map(|&(var, _)| program.variables[var].symbol));
        }
    }
    symbols.extend(terms.free_symbols_of(&roots));
    symbols.retain(|&symbol| {
        terms.symbol_data(symbol).sort == Sort::INT && program.variables.of_symbol(symbol).is_some()
    });
    symbols.sort_unstable();
    symbols.dedup();
    symbols
}

/// The updates of a relation with the conditions inside them decided in every way.
fn cases(relation: &Relation, terms: &mut Terms) -> Vec<Vec<(program::Var, Term)>> {
    let values: Vec<Term> = relation.updates.iter().map(|&(_, value)| value).collect();
    let mut conditions: Vec<Term> = Vec::new();
    let mut collected: Vec<Term> = Vec::new();
    terms.for_each_subterm(&values, |term| collected.push(term));
    for term in collected {
        if terms.op(term) == Op::Ite && terms.is_closed(term) {
            conditions.push(terms.args(term)[0]);
        }
    }
    conditions.sort_unstable();
    conditions.dedup();
    conditions.truncate(limits::MOST_CONDITIONS);
    (0..1usize << conditions.len())
        .map(|choice| {
            let mut done: FxHashMap<Term, Term> = FxHashMap::default();
            for (i, &condition) in conditions.iter().enumerate() {
                done.insert(condition, terms.bool(choice >> i & 1 == 1));
            }
            let mut decide = |terms: &mut Terms, value: Term| terms.transform(value, &mut done, |_, _| None);
            relation.updates.iter().map(|&(var, value)| (var, decide(terms, value))).collect()
        })
        .collect()
}

impl Space {
    fn everything(dimension: usize) -> Space {
        let mut space = Space { point: vec![Rational::zero(); dimension], directions: Vec::new() };
        for axis in 0..dimension {
            space.directions.push(unit(dimension, axis));
        }
        space
    }

    /// Adds a direction; says whether it is new.
    fn add(&mut self, direction: Vector) -> bool {
        let reduced = self.reduce(direction);
        let Some(pivot) = reduced.iter().position(|value| !value.is_zero()) else { return false };
        let lead = reduced[pivot].clone();
        self.directions.push(reduced.into_iter().map(|value| value / &lead).collect());
        true
    }

    fn reduce(&self, mut vector: Vector) -> Vector {
        for direction in &self.directions {
            let pivot = direction.iter().position(|value| !value.is_zero()).expect("directions are not zero");
            let factor = vector[pivot].clone();
            if !factor.is_zero() {
                subtract(&mut vector, direction, &factor);
            }
        }
        vector
    }

    /// The smallest space around both; says whether it grew.
    fn join(&mut self, other: &Space) -> bool {
        let mut offset = other.point.clone();
        subtract(&mut offset, &self.point, &Rational::one());
        let mut grew = self.add(offset);
        for direction in &other.directions {
            grew |= self.add(direction.clone());
        }
        grew
    }

    /// The image under parallel assignments; what is not linear becomes arbitrary.
    fn after(
        &self,
        program: &Program,
        updates: &[(program::Var, Term)],
        symbols: &[Symbol],
        index: &FxHashMap<Symbol, usize>,
        terms: &Terms,
    ) -> Space {
        let mut rows: Vec<Option<Linear>> = vec![None; symbols.len()];
        let mut wild: Vec<usize> = Vec::new();
        for &(var, value) in updates {
            let Some(&axis) = index.get(&program.variables[var].symbol) else { continue };
            let linear = terms.linear(value);
            let known = |(term, _): &(Term, Rational)| {
                terms.as_symbol(*term).is_some_and(|symbol| index.contains_key(&symbol))
            };
            if linear.monomials.iter().all(known) {
                rows[axis] = Some(linear);
            } else {
                wild.push(axis);
            }
        }
        let map = |vector: &Vector, with_constant: bool| -> Vector {
            let mut image = vector.clone();
            for (axis, row) in rows.iter().enumerate() {
                let Some(row) = row else { continue };
                let start = if with_constant { row.constant.clone() } else { Rational::zero() };
                image[axis] = row.monomials.iter().fold(start, |sum, (term, coefficient)| {
                    let symbol = terms.as_symbol(*term).expect("the row is linear in symbols");
                    sum + coefficient * &vector[index[&symbol]]
                });
            }
            image
        };
        let mut space = Space { point: map(&self.point, true), directions: Vec::new() };
        for direction in &self.directions {
            space.add(map(direction, false));
        }
        for axis in wild {
            space.add(unit(symbols.len(), axis));
        }
        space
    }

    /// The equations that describe the space: the vectors that are orthogonal to all directions.
    fn equations(&self, symbols: &[Symbol], terms: &mut Terms) -> Vec<Term> {
        let dimension = symbols.len();
        let mut rows: Vec<Vector> = self.directions.clone();
        // Reduced row echelon form, then one equation per free column.
        let mut pivots: Vec<usize> = Vec::new();
        let mut rank = 0;
        for column in 0..dimension {
            let Some(found) = (rank..rows.len()).find(|&row| !rows[row][column].is_zero()) else { continue };
            rows.swap(rank, found);
            let lead = rows[rank][column].clone();
            rows[rank].iter_mut().for_each(|value| *value /= &lead);
            let pivot_row = rows[rank].clone();
            for (row, vector) in rows.iter_mut().enumerate() {
                let factor = vector[column].clone();
                if row != rank && !factor.is_zero() {
                    subtract(vector, &pivot_row, &factor);
                }
            }
            pivots.push(column);
            rank += 1;
        }
        let free = (0..dimension).filter(|column| !pivots.contains(column));
        let normals: Vec<Vector> = free
            .map(|column| {
                // Orthogonal to all rows: 1 at the free column, minus each row's entry there at the row's pivot.
                let mut normal = unit(dimension, column);
                for (row, &pivot) in rows.iter().zip(&pivots) {
                    normal[pivot] = -row[column].clone();
                }
                normal
            })
            .collect();
        normals.iter().filter_map(|normal| equation(normal, &self.point, symbols, terms)).collect()
    }
}

/// `normal · x = normal · point`, with integer coefficients.
fn equation(normal: &Vector, point: &Vector, symbols: &[Symbol], terms: &mut Terms) -> Option<Term> {
    use num_integer::Integer as _;
    let scale = normal.iter().fold(logic::Integer::one(), |lcm, value| lcm.lcm(value.denom()));
    let scale = Rational::from_integer(scale);
    let mut linear = Linear::zero();
    for ((value, &symbol), coordinate) in normal.iter().zip(symbols).zip(point) {
        if value.is_zero() {
            continue;
        }
        let term = terms.constant(symbol);
        let coefficient = value * &scale;
        linear.constant -= &coefficient * coordinate;
        linear.add_scaled(
            &Linear { monomials: vec![(term, Rational::one())], constant: Rational::zero() },
            &coefficient,
        );
    }
    linear.constant.is_integer().then(|| terms.equals_zero(linear, Sort::INT))
}

fn unit(dimension: usize, axis: usize) -> Vector {
    let mut vector = vec![Rational::zero(); dimension];
    vector[axis] = Rational::one();
    vector
}

fn subtract(vector: &mut Vector, other: &Vector, factor: &Rational) {
    for (value, amount) in vector.iter_mut().zip(other) {
        *value -= amount * factor;
    }
}
