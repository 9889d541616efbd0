//! Cells of arrays that are looked at like variables: the size of the block that `p` points to, the capacity that stands in a struct.
//!
//! In a program with blocks, a guard or an update says in the words of the place where its edge begins which cells it reads:
//! `size[p]`, `size[data[v]]`. At a place, those whose variables are read later are unknowns as variables are. Of two of them, and of one
//! with a variable, equations with two unknowns are tried, and which is the smaller one; of indices into the same array, that they are different. Where an index is 0 in
//! some states, which is what a pointer to nothing is, it is tried what holds in the others. That is what growing buffers rest on: the size of the block is four times the
//! capacity, and the length is not above it.

use super::limits;
use super::runs::State;
use logic::{Linear, Op, Rational, Sort, Term, Terms};
use num_traits::{Signed, Zero};
use program::Program;

/// The cells with a number in them that the edges of a program read, in the words of the state before; small terms first.
pub(super) fn cells(program: &Program, terms: &mut Terms) -> Vec<Term> {
    let mut found: Vec<(usize, Term)> = Vec::new();
    for relation in program.live_edges().filter_map(|edge| program.relation(edge)) {
        let mut roots = vec![relation.guard];
        roots.extend(relation.updates.iter().map(|&(_, value)| value));
        terms.for_each_subterm(&roots, |term| {
            if !matches!(terms.op(term), Op::Select | Op::Mul)
                || terms.sort_of(term) != Sort::INT
                || found.iter().any(|&(_, known)| known == term)
            {
                return;
            }
            let mut size = 0;
            let mut plain = true;
            terms.for_each_subterm(&[term], |part| {
                size += 1;
                plain &= match terms.op(part) {
                    Op::Symbol(symbol) => program.variables.of_symbol(symbol).is_some(),
                    Op::Select | Op::Add | Op::Mul | Op::Scale(_) | Op::Int(_) => true,
                    _ => false,
                };
            });
            if plain {
                found.push((size, term));
            }
        });
    }
    found.sort_unstable();
    let mut found: Vec<Term> = found.into_iter().map(|(_, term)| term).collect();
    // Products alone are not what cells are compared with.
    if found.iter().all(|&term| terms.op(term) != Op::Select) {
        return Vec::new();
    }
    // What is said of the cell of one pointer is handed on from that of another one.
    let variable = |term: Term, terms: &Terms| terms.as_symbol(term).is_some();
    let (mut maps, mut pointers): (Vec<Term>, Vec<Term>) = (Vec::new(), Vec::new());
    for &cell in found.iter().filter(|&&cell| terms.op(cell) == Op::Select) {
        let (map, index) = (terms.args(cell)[0], terms.args(cell)[1]);
        if variable(map, terms) && variable(index, terms) {
            add(&mut maps, map);
            add(&mut pointers, index);
        }
    }
    for relation in program.live_edges().filter_map(|edge| program.relation(edge)) {
        for &(_, value) in &relation.updates {
            let mut term = value;
            while let (Op::Store, &[inner, index, _]) = (terms.op(term), terms.args(term)) {
                if terms.as_symbol(index).is_some_and(|symbol| program.variables.of_symbol(symbol).is_some())
                {
                    add(&mut pointers, index);
                }
                term = inner;
            }
        }
    }
    for (&map, &pointer) in maps.iter().flat_map(|map| pointers.iter().map(move |pointer| (map, pointer))) {
        let index = terms.array_parts(terms.sort_of(map)).map(|(index, _)| index);
        if index == Some(terms.sort_of(pointer)) {
            let cell = terms.select(map, pointer);
            add(&mut found, cell);
        }
    }
    found.truncate(limits::MOST_CELLS);
    found
}

fn add(list: &mut Vec<Term>, term: Term) {
    if !list.contains(&term) {
        list.push(term);
    }
}

/// The numbers by which something is multiplied that guards compare with a cell: the sizes of elements.
pub(super) fn strides(program: &Program, terms: &Terms) -> Vec<Rational> {
    let mut found = Vec::new();
    for relation in program.live_edges().filter_map(|edge| program.relation(edge)) {
        terms.for_each_subterm(&[relation.guard], |term| {
            let (Op::Le | Op::Lt | Op::Eq, &[left, right]) = (terms.op(term), terms.args(term)) else {
                return;
            };
            if terms.sort_of(left) != Sort::INT {
                return;
            }
            let form = terms.linear(left).minus(&terms.linear(right));
            if form.monomials.iter().any(|&(part, _)| terms.op(part) == Op::Select) {
                for (_, factor) in &form.monomials {
                    if factor.is_integer()
                        && !found.contains(&factor.abs())
                        && found.len() < limits::MOST_STRIDES
                    {
                        found.push(factor.abs());
                    }
                }
            }
        });
    }
    found
}

/// What may be said at a place of the unknowns, of which the last are cells: all of `states` agree with it. The unknowns of
/// `nulls` are 0 at some place.
pub(super) fn candidates(
    unknowns: &[Term],
    (cells, strides): (usize, &[Rational]),
    (states, nulls): (&[State], &[usize]),
    terms: &mut Terms,
) -> Vec<Term> {
    let mut found = Vec::new();
    if states.len() < limits::FEWEST_FOR_CELLS {
        return found;
    }
    let all: Vec<&State> = states.iter().collect();
    let constants: Vec<bool> = (0..unknowns.len()).map(|unknown| constant(unknown, &all).is_some()).collect();
    let first_cell = unknowns.len() - cells;
    for (cell, &term) in unknowns.iter().enumerate().skip(first_cell) {
        let about = indices_of(unknowns, term, terms);
        let null: Vec<usize> = about
            .iter()
            .copied()
            .filter(|&unknown| states.iter().any(|state| state.values[unknown].is_zero()))
            .collect();
        let set: Vec<&State> = states
            .iter()
            .filter(|state| null.iter().all(|&unknown| !state.values[unknown].is_zero()))
            .collect();
        let mut said = Vec::new();
        if let Some(value) = constant(cell, &set) {
            let value = terms.numeral(value, Sort::INT);
            said.push(terms.eq(term, value));
        } else {
            for (other, &with) in unknowns.iter().enumerate().filter(|&(other, _)| other != cell) {
                if constants[other] || about.contains(&other) {
                    continue;
                }
                if let Some((factor, rest)) = line((other, cell), &set) {
                    let mut form = Linear::constant(rest);
                    form.add_scaled(&terms.linear(with), &factor);
                    form.add_scaled(&terms.linear(term), &-Rational::from_integer(1.into()));
                    said.push(terms.equals_zero(form, Sort::INT));
                } else {
                    said.extend(order((cell, other), (term, with), &set, terms));
                }
                for stride in strides {
                    said.extend(room((other, cell), stride, (with, term), &set, terms));
                }
            }
        }
        if terms.has_products() && !constants[cell] {
            said.extend(product((unknowns, first_cell), cell, (strides, &set), terms));
        }
        let mut nothing = Vec::new();
        for unknown in null {
            let zero = terms.int(0);
            nothing.push(terms.eq(unknowns[unknown], zero));
        }
        // An index that is 0 elsewhere may be so here, although no run has shown it.
        let (here, elsewhere) = (nothing.clone(), nulls.iter().copied().filter(|null| about.contains(null)));
        for unknown in elsewhere {
            let zero = terms.int(0);
            let null = terms.eq(unknowns[unknown], zero);
            add(&mut nothing, null);
        }
        for fact in said {
            let alternatives = [here.as_slice(), &[fact]].concat();
            found.push(terms.or(alternatives));
            if nothing.len() > here.len() {
                let alternatives = [nothing.as_slice(), &[fact]].concat();
                found.push(terms.or(alternatives));
            }
        }
    }
    found.extend(indices(unknowns, (first_cell, states), terms));
    found
}

/// The products of two variables of which a cell is a multiple: a block of rows and columns.
fn product(
    (unknowns, variables): (&[Term], usize),
    cell: usize,
    (strides, states): (&[Rational], &[&State]),
    terms: &mut Terms,
) -> Vec<Term> {
    let mut found = Vec::new();
    for (first, second) in
        (0..variables).flat_map(|first| (first..variables).map(move |second| (first, second)))
    {
        for stride in strides {
            let fits =
                |state: &&State| stride * &state.values[first] * &state.values[second] == state.values[cell];
            if states.iter().all(fits) {
                let product = terms.mul(&[unknowns[first], unknowns[second]]);
                let product = terms.scaled(product, stride);
                found.push(terms.eq(product, unknowns[cell]));
            }
        }
    }
    found
}

/// The unknowns that are indices in a cell.
fn indices_of(unknowns: &[Term], cell: Term, terms: &Terms) -> Vec<usize> {
    let mut parts = Vec::new();
    terms.for_each_subterm(&[cell], |part| {
        if terms.op(part) == Op::Select {
            parts.push(terms.args(part)[1]);
        }
    });
    (0..unknowns.len()).filter(|&unknown| parts.contains(&unknowns[unknown])).collect()
}

/// Unknowns that are indices: which are never the same, and than which variables they are always smaller, as those of new cells are larger. A difference is
/// also tried for states in which the one is not 0.
fn indices(unknowns: &[Term], (first_cell, states): (usize, &[State]), terms: &mut Terms) -> Vec<Term> {
    let mut found = Vec::new();
    let pointers = pointers(unknowns, first_cell, terms);
    let all: Vec<&State> = states.iter().collect();
    for (position, &pointer) in pointers.iter().enumerate() {
        for other in (0..first_cell).filter(|&other| other != pointer) {
            found.extend(order((pointer, other), (unknowns[pointer], unknowns[other]), &all, terms));
        }
        for &other in &pointers[..position] {
            let same = |state: &&State| state.values[pointer] == state.values[other];
            let meet: Vec<&State> = states.iter().filter(same).collect();
            let equal = terms.eq(unknowns[pointer], unknowns[other]);
            let different = terms.not(equal);
            if meet.is_empty() {
                found.push(different);
            } else if meet.iter().all(|state| state.values[pointer].is_zero()) {
                let zero = terms.int(0);
                let null = terms.eq(unknowns[pointer], zero);
                found.push(terms.or([null, different]));
            }
        }
    }
    found
}

/// The unknowns that are indices of cells.
fn pointers(unknowns: &[Term], first_cell: usize, terms: &Terms) -> Vec<usize> {
    let mut pointers: Vec<usize> = Vec::new();
    for &cell in &unknowns[first_cell..] {
        for unknown in indices_of(unknowns, cell, terms) {
            if !pointers.contains(&unknown) {
                pointers.push(unknown);
            }
        }
    }
    pointers
}

/// What may be said of the unknowns, of which the last are cells, where an index is 0.
pub(super) fn about_null(unknowns: &[Term], cells: usize, states: &[State], terms: &mut Terms) -> Vec<Term> {
    let all: Vec<&State> = states.iter().collect();
    let mut found = Vec::new();
    for pointer in pointers(unknowns, unknowns.len() - cells, terms) {
        found.extend(nothing(unknowns, pointer, &all, terms));
    }
    found
}

/// What others are where an index is 0.
fn nothing(unknowns: &[Term], pointer: usize, states: &[&State], terms: &mut Terms) -> Vec<Term> {
    let is_zero = |state: &&&State| state.values[pointer].is_zero();
    let part: Vec<&State> = states.iter().filter(is_zero).copied().collect();
    let mut found = Vec::new();
    if part.is_empty() || part.len() == states.len() {
        return found;
    }
    let zero = terms.int(0);
    let null = terms.eq(unknowns[pointer], zero);
    let set = terms.not(null);
    for other in (0..unknowns.len()).filter(|&other| other != pointer) {
        if let Some(value) = constant(other, &part)
            && constant(other, states).is_none()
        {
            let value = terms.numeral(value, Sort::INT);
            let equal = terms.eq(unknowns[other], value);
            found.push(terms.or([set, equal]));
        }
    }
    found
}

/// The value that an unknown has in all states.
fn constant(unknown: usize, states: &[&State]) -> Option<Rational> {
    let (first, rest) = states.split_first()?;
    let value = &first.values[unknown];
    rest.iter().all(|state| state.values[unknown] == *value).then(|| value.clone())
}

/// `(a, b)` if `y = a·x + b` in all states, in which `x` has several values, with small integers.
fn line((x, y): (usize, usize), states: &[&State]) -> Option<(Rational, Rational)> {
    let (first, rest) = states.split_first()?;
    let (x0, y0) = (&first.values[x], &first.values[y]);
    let other = rest.iter().find(|state| state.values[x] != *x0)?;
    let factor = (&other.values[y] - y0) / (&other.values[x] - x0);
    let constant = y0 - &factor * x0;
    let modest = |number: &Rational| {
        number.is_integer() && number.abs() <= Rational::from_integer(limits::LARGEST.into())
    };
    let fits = |state: &&&State| &factor * &state.values[x] + &constant == state.values[y];
    (!factor.is_zero() && modest(&factor) && modest(&constant) && rest.iter().all(|state| fits(&state)))
        .then_some((factor, constant))
}

/// That a multiple of the first is never larger than the second: an element of a buffer, or one more of them, has room.
fn room(
    (small, large): (usize, usize),
    stride: &Rational,
    (left, right): (Term, Term),
    states: &[&State],
    terms: &mut Terms,
) -> Vec<Term> {
    let distance = |state: &&State| &state.values[large] - stride * &state.values[small];
    let Some(least) = states.iter().map(distance).min() else { return Vec::new() };
    let multiple = terms.scaled(left, stride);
    let mut found = Vec::new();
    for room in [Rational::zero(), stride.clone()] {
        if least >= room {
            let room = terms.numeral(room, Sort::INT);
            let end = terms.add(&[multiple, room]);
            found.push(terms.le(end, right));
        }
    }
    found
}

/// That the first is always smaller, or at least never larger.
fn order(
    (small, large): (usize, usize),
    (left, right): (Term, Term),
    states: &[&State],
    terms: &mut Terms,
) -> Vec<Term> {
    if states.iter().any(|state| state.values[small] > state.values[large]) {
        return Vec::new();
    }
    let mut found = vec![terms.le(left, right)];
    if states.iter().all(|state| state.values[small] < state.values[large]) {
        found.push(terms.lt(left, right));
    }
    found
}
