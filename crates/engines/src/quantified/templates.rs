//! What is said of cells: patterns of cells, properties of them, and their combination to candidates.
//!
//! A candidate is `∀k. range(k) ⇒ property(cell(k), k)`. Cells come from accesses whose index counts, with `k` for the counter.
//! Properties come from what is written, from what guards say about it, and from what guards and assertions say about what
//! is read. A property that speaks of `k` goes with cells of its own shape only.

use super::accesses::{Access, Cells, Kind, place};
use super::counters::{Counter, Range, difference, is_bound_of_type, solve};
use super::limits;
use logic::{Linear, Op, Quantifier, Rational, Sort, Term, Terms};
use program::{Edge, Program};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Cells that can be told apart by where they lie, but not by how they are walked through: the array, the factor of `k` and the
/// constant in the index.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Shape {
    array: Cells,
    factor: Rational,
    constant: Rational,
}

/// A cell that is read: the value that is read, what counts, and what stands for the cell.
#[derive(Clone, Copy)]
struct Reading {
    read: Term,
    counter: Term,
    cell: Term,
}

/// What is known of a shape.
#[derive(Clone, Default, Debug)]
struct Family {
    cells: Vec<Term>,
    ranges: Vec<Range>,
    properties: Vec<Term>,
}

/// The templates of a program.
pub(super) struct Templates {
    /// The bound variable.
    pub(super) index: Term,
    /// What stands for a cell of an array in a property.
    cells: BTreeMap<Cells, Term>,
    families: BTreeMap<Shape, Family>,
    /// Properties of arrays that do not speak of the index.
    general: BTreeMap<Cells, Vec<Term>>,
    /// Facts about cells whose index does not count.
    pub(super) ground: Vec<Term>,
}

/// A term with some of its parts replaced.
pub(super) fn replace(terms: &mut Terms, term: Term, parts: &[(Term, Term)]) -> Term {
    let mut done: FxHashMap<Term, Term> = parts.iter().copied().collect();
    terms.transform(term, &mut done, |_, _| None)
}

pub(super) fn add(list: &mut Vec<Term>, term: Term) {
    if !list.contains(&term) {
        list.push(term);
    }
}

/// What the templates are made from.
pub(super) struct Source<'a> {
    pub(super) program: &'a Program,
    pub(super) accesses: &'a [Access],
    pub(super) counters: &'a [Counter],
    /// Equations that hold before an edge.
    pub(super) equations: &'a dyn Fn(Edge) -> Vec<Linear>,
    /// Equations between counters that may hold everywhere.
    pub(super) relations: &'a [Linear],
}

impl Templates {
    /// Templates without anything.
    pub(super) fn new(terms: &mut Terms) -> Templates {
        let index = terms.fresh_symbol("k", Sort::INT);
        Templates {
            index: terms.constant(index),
            cells: BTreeMap::new(),
            families: BTreeMap::new(),
            general: BTreeMap::new(),
            ground: Vec::new(),
        }
    }

    /// What stands for a cell of an array.
    pub(super) fn cell_of(&self, array: Cells) -> Term {
        self.cells[&array]
    }

    /// Properties of an array that do not speak of the index.
    pub(super) fn properties_of(&self, array: Cells) -> &[Term] {
        self.general.get(&array).map_or(&[], Vec::as_slice)
    }

    /// Adds ranges and properties of an array whose cells are told apart by a number.
    pub(super) fn add_to_field(
        &mut self,
        program: &Program,
        array: Cells,
        (ranges, properties): (&[Term], &[Term]),
        terms: &Terms,
    ) {
        let one = Rational::from_integer(1.into());
        let shape = Shape { array, factor: one, constant: Rational::default() };
        let family = self.families.entry(shape.clone()).or_default();
        family.ranges.extend(ranges.iter().map(|&range| (range, None)));
        for &property in properties {
            self.add_property(program, array, Some(shape.clone()), property, terms);
        }
    }

    /// Collects what the program says.
    pub(super) fn collect(&mut self, source: &Source<'_>, terms: &mut Terms) {
        for relation in source.relations {
            let equation = terms.equals_zero(relation.clone(), Sort::INT);
            add(&mut self.ground, equation);
        }
        for access in source.accesses {
            self.cell_symbol(source.program, access.array, terms);
            let mut counted = false;
            for counter in source.counters {
                let form = if terms.sort_of(access.index) == Sort::INT {
                    terms.linear(access.index)
                } else {
                    Linear::zero()
                };
                let Some(factor) = form.coefficient(counter.term).cloned() else { continue };
                counted = true;
                let shape = Shape { array: access.array, factor, constant: form.constant };
                self.walk(source, access, (counter, shape), terms);
            }
            if !counted {
                self.stand(source, access, terms);
            }
        }
        self.compose(source, terms);
    }

    fn cell_symbol(&mut self, program: &Program, array: Cells, terms: &mut Terms) {
        if self.cells.contains_key(&array) {
            return;
        }
        let mut sort = terms.symbol_data(program.variables[array.var].symbol).sort;
        while let Some((_, element)) = terms.array_parts(sort) {
            sort = element;
        }
        let symbol = terms.fresh_symbol("cell", sort);
        let cell = terms.constant(symbol);
        self.cells.insert(array, cell);
    }

    /// An access with a counter in its index.
    fn walk(
        &mut self,
        source: &Source<'_>,
        access: &Access,
        (counter, shape): (&Counter, Shape),
        terms: &mut Terms,
    ) {
        let program = source.program;
        let to_index = [(counter.term, self.index)];
        let mut path: Vec<Term> = access.path.iter().map(|&i| replace(terms, i, &to_index)).collect();
        path.push(replace(terms, access.index, &to_index));
        let cell = access.array.at(program, &path, terms);
        if self.speaks_of_state(program, cell, terms) {
            let ranges = counter.ranges(self, terms);
            let family = self.families.entry(shape.clone()).or_default();
            add(&mut family.cells, cell);
            for range in ranges {
                if !family.ranges.contains(&range) {
                    family.ranges.push(range);
                }
            }
        }
        let stands_for = self.cells[&access.array];
        let properties = match &access.kind {
            Kind::Write { value, conditions } => {
                self.written(source, access.edge, (*value, conditions), (counter, stands_for), terms)
            }
            Kind::Read(read) => {
                let reading = Reading { read: *read, counter: counter.term, cell: stands_for };
                self.read(source, access.edge, reading, terms)
            }
        };
        for property in properties {
            self.add_property(program, access.array, Some(shape.clone()), property, terms);
        }
    }

    fn add_property(
        &mut self,
        program: &Program,
        array: Cells,
        shape: Option<Shape>,
        property: Term,
        terms: &Terms,
    ) {
        if property.is_true() || property.is_false() || !self.speaks_of_state(program, property, terms) {
            return;
        }
        let cell = terms.as_symbol(self.cells[&array]).expect("a symbol");
        if !terms.mentions(property, cell) {
            return;
        }
        let index = terms.as_symbol(self.index).expect("a symbol");
        if !terms.mentions(property, index) {
            add(self.general.entry(array).or_default(), property);
        } else if let Some(shape) = shape {
            add(&mut self.families.entry(shape).or_default().properties, property);
        }
    }

    /// Are all symbols variables of the program, the index, or cells?
    fn speaks_of_state(&self, program: &Program, term: Term, terms: &Terms) -> bool {
        let own = |symbol| {
            let is = |&term: &Term| terms.as_symbol(term) == Some(symbol);
            is(&self.index) || self.cells.values().any(is)
        };
        terms.free_symbols(term).iter().all(|&s| own(s) || program.variables.of_symbol(s).is_some())
    }

    /// What a write with a counter in its index says about the cell.
    fn written(
        &self,
        source: &Source<'_>,
        edge: Edge,
        (value, conditions): (Term, &[Term]),
        (counter, cell): (&Counter, Term),
        terms: &mut Terms,
    ) -> Vec<Term> {
        let mut found = Vec::new();
        let mut parts = self.by_counter(source, edge, counter, terms);
        parts.push((counter.term, self.index));
        // Terms in equations are replaced by terms over the counter, which is replaced in turn.
        let said = |terms: &mut Terms, term: Term, more: &[(Term, Term)]| {
            let term = replace(terms, term, &[more, &parts[..parts.len() - 1]].concat());
            replace(terms, term, &parts[parts.len() - 1..])
        };
        let plain = plain(source.program, value, terms);
        let written = said(terms, plain, &[]);
        let equal = terms.eq(cell, written);
        found.push(equal);
        let mut premises = Vec::new();
        for &condition in conditions {
            premises.push(said(terms, condition, &[]));
        }
        if !premises.is_empty() {
            let premise = terms.and(premises);
            found.push(terms.implies(premise, equal));
        }
        if terms.is_literal_value(value) {
            return found;
        }
        // What is known of the value is known of the cell.
        let guard = source.program.relation(edge).map_or(Term::TRUE, |relation| relation.guard);
        let mut known = terms.conjuncts(guard);
        for &condition in conditions {
            known.extend(terms.conjuncts(condition));
        }
        for part in [value, plain] {
            for atom in comparisons(terms, &known, part) {
                found.push(said(terms, atom, &[(part, cell)]));
            }
        }
        found
    }

    /// Other terms that equations before an edge express by a counter.
    fn by_counter(
        &self,
        source: &Source<'_>,
        edge: Edge,
        counter: &Counter,
        terms: &mut Terms,
    ) -> Vec<(Term, Term)> {
        let mut parts = Vec::new();
        for equation in &(source.equations)(edge) {
            if equation.coefficient(counter.term).is_none() {
                continue;
            }
            for other in source.counters.iter().filter(|other| other.var != counter.var) {
                if let Some(value) = solve(equation, other.term, terms)
                    && !parts.iter().any(|&(from, _)| from == other.term)
                {
                    parts.push((other.term, value));
                }
            }
        }
        parts
    }

    /// What guards say about a cell that is read: it holds where the program goes on, and shall hold where it fails.
    fn read(
        &self,
        source: &Source<'_>,
        edge: Edge,
        Reading { read, counter, cell }: Reading,
        terms: &mut Terms,
    ) -> Vec<Term> {
        let program = source.program;
        let Some(relation) = program.relation(edge) else { return Vec::new() };
        let fails = program.locations[program.edges[edge].target].error.is_some();
        let conjuncts = terms.conjuncts(relation.guard);
        let mut parts: Vec<(Term, Term)> = vec![(read, cell)];
        if terms.sort_of(counter) == Sort::INT && terms.as_symbol(counter).is_some() {
            parts.push((counter, self.index));
        }
        let mut found = Vec::new();
        for atom in comparisons(terms, &conjuncts, read) {
            let plain = plain(program, atom, terms);
            let said = replace(terms, plain, &parts);
            let negated = terms.not(said);
            if fails {
                found.push(negated);
            }
            if !fails || !conjuncts.contains(&atom) {
                found.push(said);
            }
        }
        if fails {
            let mut about = conjuncts;
            about.retain(|&conjunct| {
                let mut touched = false;
                terms.for_each_subterm(&[conjunct], |term| touched |= term == read || term == counter);
                touched
            });
            let together = terms.and(about);
            let together = plain(program, together, terms);
            let said = replace(terms, together, &parts);
            found.push(terms.not(said));
        }
        found
    }

    /// An access with an index that does not count.
    fn stand(&mut self, source: &Source<'_>, access: &Access, terms: &mut Terms) {
        let program = source.program;
        let indices = [access.path.as_slice(), &[access.index]].concat();
        let cell = access.array.at(program, &indices, terms);
        let stands_for = self.cells[&access.array];
        let properties = match &access.kind {
            Kind::Write { value, .. } => {
                let equal = terms.eq(stands_for, *value);
                vec![equal]
            }
            Kind::Read(read) => {
                let variable = terms.as_symbol(access.index).map_or(*read, |_| access.index);
                self.read(
                    source,
                    access.edge,
                    Reading { read: *read, counter: variable, cell: stands_for },
                    terms,
                )
            }
        };
        for property in properties {
            let index = terms.as_symbol(self.index).expect("a symbol");
            if self.speaks_of_state(program, cell, terms)
                && self.speaks_of_state(program, property, terms)
                && !terms.mentions(property, index)
            {
                let fact = replace(terms, property, &[(stands_for, cell)]);
                add(&mut self.ground, fact);
            }
            // Shapes with factor one and no constant are those of arrays that are walked through one by one.
            let one = Rational::from_integer(1.into());
            let shape = Shape { array: access.array, factor: one, constant: Rational::default() };
            self.add_property(program, access.array, Some(shape), property, terms);
        }
    }

    /// Values that are computed from what a cell held before: `a[i] := a[i] + i` after `a[i] := b[i]`.
    fn compose(&mut self, source: &Source<'_>, terms: &mut Terms) {
        let shapes: Vec<Shape> = self.families.keys().cloned().collect();
        for shape in shapes {
            let cell = self.cells[&shape.array];
            let family = &self.families[&shape];
            let mut all = family.properties.clone();
            all.extend(self.general.get(&shape.array).into_iter().flatten());
            let cells = family.cells.clone();
            let (mut changes, mut values) = (Vec::new(), Vec::new());
            for property in all {
                let Some(value) = equal_to(terms, property, cell) else { continue };
                let mut own = Vec::new();
                terms.for_each_subterm(&[value], |term| {
                    let of = |(array, _)| array == shape.array.var;
                    if terms.op(term) == Op::Select && place(source.program, terms, term).is_some_and(of) {
                        own.push(term);
                    }
                });
                match own.as_slice() {
                    [] => values.push(value),
                    _ if own.iter().all(|read| {
                        cells.contains(read) || terms.array_parts(terms.sort_of(*read)).is_some()
                    }) =>
                    {
                        changes.push((value, own));
                    }
                    _ => {}
                }
            }
            for (change, own) in changes {
                for &value in values.iter().take(limits::MOST_VALUES) {
                    let parts: Vec<(Term, Term)> = own
                        .iter()
                        .filter(|&&read| terms.array_parts(terms.sort_of(read)).is_none())
                        .map(|&read| (read, value))
                        .collect();
                    let changed = replace(terms, change, &parts);
                    let property = terms.eq(cell, changed);
                    self.add_property(source.program, shape.array, Some(shape.clone()), property, terms);
                }
            }
        }
    }

    /// All candidates, with the counters that must be counting for them to be of use.
    pub(super) fn candidates(&self, terms: &mut Terms) -> Vec<Range> {
        let mut all: Vec<Range> = self.ground.iter().map(|&fact| (fact, None)).collect();
        for (shape, family) in &self.families {
            let general = self.general.get(&shape.array).map_or(&[][..], Vec::as_slice);
            let properties = family.properties.iter().chain(general).take(limits::MOST_PROPERTIES);
            self.combine((shape, family), properties.copied(), &mut all, terms);
        }
        all.retain(|(candidate, _)| !candidate.is_true() && !candidate.is_false());
        all.truncate(limits::MOST_CANDIDATES);
        all
    }

    /// The arrays of integers that a loop walks through, with what stands for their cells.
    pub(super) fn walked(&self, terms: &Terms) -> Vec<(Cells, Term)> {
        let mut found: Vec<(Cells, Term)> = Vec::new();
        for shape in self.families.keys() {
            let stands_for = self.cells[&shape.array];
            if terms.sort_of(stands_for) == Sort::INT && !found.contains(&(shape.array, stands_for)) {
                found.push((shape.array, stands_for));
            }
        }
        found
    }

    /// Properties of the cells of an array, in all ranges that are known of them.
    pub(super) fn in_ranges(&self, array: Cells, properties: &[Term], terms: &mut Terms) -> Vec<Range> {
        let mut all = Vec::new();
        for (shape, family) in self.families.iter().filter(|(shape, _)| shape.array == array) {
            self.combine((shape, family), properties.iter().copied(), &mut all, terms);
        }
        all
    }

    /// Adds that cells of a shape have these properties, in all ranges that are known of them.
    fn combine(
        &self,
        (shape, family): (&Shape, &Family),
        properties: impl IntoIterator<Item = Term>,
        all: &mut Vec<Range>,
        terms: &mut Terms,
    ) {
        let index = terms.as_symbol(self.index).expect("a symbol");
        let stands_for = self.cells[&shape.array];
        let properties: Vec<Term> = properties.into_iter().collect();
        for &cell in family.cells.iter().take(limits::MOST_CELLS) {
            for &property in &properties {
                let said = replace(terms, property, &[(stands_for, cell)]);
                for &(range, counter) in family.ranges.iter().take(limits::MOST_RANGES) {
                    let body = terms.implies(range, said);
                    let trigger = vec![vec![cell]];
                    let candidate = terms.quantify(Quantifier::Forall, &[index], body, &trigger);
                    match all.iter_mut().find(|(other, _)| *other == candidate) {
                        // Of use for more than one reason.
                        Some((_, other)) if *other != counter => *other = None,
                        Some(_) => {}
                        None => all.push((candidate, counter)),
                    }
                }
            }
        }
    }
}

/// A term without choices that the state does not decide, as far as one of the ways speaks of the state.
fn plain(program: &Program, term: Term, terms: &mut Terms) -> Term {
    let mut term = term;
    for _ in 0..limits::MOST_CHOICES {
        let open = |term: Term| {
            terms.free_symbols(term).iter().any(|&symbol| program.variables.of_symbol(symbol).is_none())
        };
        let mut parts: Vec<(Term, Term)> = Vec::new();
        terms.for_each_subterm(&[term], |part| {
            if let (Op::Ite, &[condition, then, otherwise]) = (terms.op(part), terms.args(part))
                && open(condition)
            {
                parts.push((part, if open(then) { otherwise } else { then }));
            }
        });
        if parts.is_empty() {
            break;
        }
        term = replace(terms, term, &parts);
    }
    term
}

/// The comparisons among the parts of formulas in which a term occurs, without those that only tell its type.
fn comparisons(terms: &Terms, formulas: &[Term], wanted: Term) -> Vec<Term> {
    let mut found = Vec::new();
    terms.for_each_subterm(formulas, |term| {
        if matches!(terms.op(term), Op::Le | Op::Lt | Op::Eq) {
            found.push(term);
        }
    });
    // Negated comparisons count as such where they are formulas themselves.
    for &negation in formulas.iter().filter(|&&formula| terms.op(formula) == Op::Not) {
        found.retain(|&atom| atom != terms.args(negation)[0]);
        found.push(negation);
    }
    found.retain(|&atom| {
        let mut occurs = false;
        terms.for_each_subterm(&[atom], |term| occurs |= term == wanted);
        let arithmetic =
            matches!(terms.op(atom), Op::Le | Op::Lt) && terms.sort_of(terms.args(atom)[0]).is_arithmetic();
        occurs
            && terms.is_closed(atom)
            && !(arithmetic && {
                let form = difference(terms, atom);
                is_bound_of_type(&form.constant)
            })
    });
    found.sort_unstable();
    found.dedup();
    found
}

/// `value` if the formula is `cell = value`.
fn equal_to(terms: &mut Terms, formula: Term, cell: Term) -> Option<Term> {
    if terms.op(formula) != Op::Eq {
        return None;
    }
    let sides = [terms.args(formula)[0], terms.args(formula)[1]];
    if terms.sort_of(cell) == Sort::INT {
        let equation = difference(terms, formula);
        return solve(&equation, cell, terms);
    }
    match sides {
        [left, right] if left == cell => Some(right),
        [left, right] if right == cell => Some(left),
        _ => None,
    }
}
