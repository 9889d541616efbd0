//! Data along links: what walks have passed, what neighbours say of each other, and what variables know of the blocks that they point to.
//!
//! These are the invariants of programs that look at the data of lists and trees, once it is known that the links lead somewhere
//! ([`heap`](super::heap) comes first, and what it found holds here anyway):
//!
//! - a walk that follows the order of allocation has passed all younger blocks, or all older ones: these have a property, as "not larger than `max`";
//! - links follow the order of allocation, and a variable points to the youngest or the oldest block, so that a walk passes all of them;
//! - data of a block and of the one that its link leads to is ordered, as in sorted lists and search trees, or they differ by one; so is different data of one block;
//! - where data of a block has a property, so has that of the block to which its link leads;
//! - data of the block that a variable points to is ordered with another variable, or with data of the block of another variable.
//!
//! Cost: for each field of data that is not the same in all blocks a few candidates for each link, walk, and variable that the data is compared with.

use super::accesses::{Cells, Kind};
use super::counters::{difference, is_bound_of_type, leaves};
use super::heap::{Heap, assignments, field_read, product};
use super::limits;
use super::templates::{Source, Templates, add, replace};
use logic::{Linear, Op, Rational, Sort, Term, Terms};
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};
use program::{Program, Var};
use std::collections::BTreeSet;

impl Heap<'_> {
    /// Adds what data of living blocks may say.
    pub(super) fn along_links(&mut self, source: &Source<'_>, templates: &Templates, terms: &mut Terms) {
        let mut told: Vec<Cells> = Vec::new();
        for field in self.data.clone() {
            if !self.is_the_same_everywhere(source, field, terms) && told.len() < limits::MOST_TOLD {
                told.push(field);
            }
        }
        if told.is_empty() {
            return;
        }
        if !super::asks_for_some(source.program, terms) {
            self.allocation_order(terms);
        }
        for &field in &told {
            let variables = self.compared_with(source, field, terms);
            let properties = self.properties(source, (templates, field), &variables, terms);
            self.neighbours_in_order(field, terms);
            self.kept_along_links(field, (templates.cell_of(field), &properties), terms);
            self.passed(field, (templates.cell_of(field), &properties), terms);
            self.known_to_variables(field, &variables, terms);
        }
        self.added_up(source, &told, terms);
        for (position, &one) in told.iter().enumerate() {
            for &two in &told[position + 1..] {
                self.beside_each_other(one, two, terms);
            }
        }
    }

    /// Is one literal all that is ever written to a field, as the offset in a block to which links lead?
    fn is_the_same_everywhere(&self, source: &Source<'_>, field: Cells, terms: &mut Terms) -> bool {
        let program = source.program;
        let own = BTreeSet::from([field]);
        let assignments = assignments(program, terms);
        let (mut pending, mut seen, mut literals) = (Vec::new(), BTreeSet::new(), BTreeSet::new());
        for access in source.accesses.iter().filter(|access| access.array.var == field.var) {
            if let Kind::Write { value, .. } = access.kind
                && (access.array == field || access.array.offset.is_none())
            {
                pending.push(value);
            }
        }
        while let Some(value) = pending.pop() {
            for leaf in leaves(terms, value) {
                let var = terms.as_symbol(leaf).map(|symbol| program.variables.of_symbol(symbol));
                if terms.is_literal_value(leaf) {
                    literals.insert(leaf);
                } else if let Some(Some(var)) = var {
                    if seen.insert(var) {
                        let to = assignments.iter().filter(|&&(to, _)| to == var);
                        pending.extend(to.map(|&(_, value)| value));
                    }
                } else if field_read(program, &own, leaf, terms).is_none() {
                    return false;
                }
            }
        }
        literals.len() < 2
    }

    /// Links lead to the next older living block, or to the next younger one, and variables point to the youngest or the oldest.
    fn allocation_order(&mut self, terms: &mut Terms) {
        let k = self.indices[0];
        for class in self.plain_classes().into_iter().filter(|class| !class.0.is_empty()) {
            let alive = self.is(&class, k, terms);
            for field in self.links.clone() {
                if self.kinds.have(&class, field) && self.kinds.leads(field, &class) {
                    let (premise, older, younger) = self.neighbours(&class, field, terms);
                    self.all(premise, older, terms);
                    self.all(premise, younger, terms);
                }
            }
            for begin in self.pointers.clone() {
                if self.kinds.points(self.program, begin, &class, terms) {
                    let (newest, oldest) = (terms.le(k, begin), self.reached_from(begin, k, terms));
                    self.all(alive, newest, terms);
                    self.all(alive, oldest, terms);
                }
            }
        }
    }

    /// The variables that get data of a field, or are written to it, or are compared with it.
    fn compared_with(&self, source: &Source<'_>, field: Cells, terms: &mut Terms) -> Vec<Term> {
        let program = source.program;
        let own = BTreeSet::from([field]);
        let mut found = self.carriers(source, &own, terms);
        for access in source.accesses.iter().filter(|access| access.array == field) {
            let Kind::Write { value, .. } = access.kind else { continue };
            let Some(relation) = program.relation(access.edge) else { continue };
            let written: Vec<Term> =
                leaves(terms, value).into_iter().filter(|&leaf| !terms.is_literal_value(leaf)).collect();
            for &(var, update) in &relation.updates {
                if terms.sort_of(update) == Sort::INT
                    && leaves(terms, update).iter().any(|leaf| written.contains(leaf))
                {
                    add(&mut found, program.variables.term(terms, var));
                }
            }
        }
        for relation in program.live_edges().filter_map(|edge| program.relation(edge)) {
            let mut atoms = Vec::new();
            terms.for_each_subterm(&[relation.guard], |term| {
                if matches!(terms.op(term), Op::Le | Op::Lt | Op::Eq) && terms.is_closed(term) {
                    atoms.push(term);
                }
            });
            atoms.sort_unstable();
            for atom in atoms {
                let sides = terms.args(atom).to_vec();
                let mut parts = Vec::new();
                for &side in &sides {
                    if terms.sort_of(side) == Sort::INT {
                        parts.extend(terms.linear(side).monomials.iter().map(|&(term, _)| term));
                    }
                }
                if parts.iter().any(|&part| field_read(program, &own, part, terms).is_some()) {
                    let is_variable = |part: &Term| {
                        terms.as_symbol(*part).is_some_and(|s| program.variables.of_symbol(s).is_some())
                    };
                    parts.into_iter().filter(is_variable).for_each(|part| add(&mut found, part));
                }
            }
        }
        found.retain(|&variable| {
            terms.sort_of(variable) == Sort::INT
                && self.is_read(variable, terms)
                && !self.pointers.contains(&variable)
                && variable != self.numbers.1
        });
        found.truncate(limits::MOST_CARRIERS);
        found
    }

    /// What may hold of data in some blocks, of what stands for a cell: the literals that are written, what guards say, and orders with variables.
    fn properties(
        &self,
        source: &Source<'_>,
        (templates, field): (&Templates, Cells),
        variables: &[Term],
        terms: &mut Terms,
    ) -> Vec<Term> {
        let cell = templates.cell_of(field);
        let index = terms.as_symbol(self.indices[0]).expect("a symbol");
        let (mut properties, mut literals) = (Vec::new(), Vec::new());
        for access in source.accesses.iter().filter(|access| access.array == field) {
            if let Kind::Write { value, .. } = access.kind {
                let written = leaves(terms, value);
                written
                    .into_iter()
                    .filter(|&leaf| terms.is_literal_value(leaf))
                    .for_each(|leaf| add(&mut literals, leaf));
            }
        }
        literals.truncate(limits::MOST_MARKS + 1);
        for &literal in &literals {
            for property in [terms.eq(cell, literal), terms.le(literal, cell), terms.le(cell, literal)] {
                add(&mut properties, property);
            }
        }
        for &variable in variables {
            for property in [terms.le(cell, variable), terms.le(variable, cell)] {
                add(&mut properties, property);
            }
        }
        for &property in templates.properties_of(field) {
            if !terms.mentions(property, index) && properties.len() < limits::MOST_PROPERTIES {
                add(&mut properties, property);
            }
        }
        properties.truncate(limits::MOST_PROPERTIES);
        properties
    }

    /// Data of a block is ordered with that of the block to which its link leads.
    fn neighbours_in_order(&mut self, field: Cells, terms: &mut Terms) {
        let k = self.indices[0];
        for (class, link) in product(&self.plain_classes(), &self.links.clone()) {
            if !(self.kinds.have(&class, link)
                && self.kinds.have(&class, field)
                && self.kinds.leads(link, &class))
            {
                continue;
            }
            let premise = self.is(&class, k, terms);
            let (own, target) = (self.cell(field, k, terms), self.cell(link, k, terms));
            let next = self.cell(field, target, terms);
            let null = Self::null(target, terms);
            for (small, large) in [(own, next), (next, own)] {
                let one = terms.int(1);
                let above = terms.add(&[small, one]);
                let mut stronger = None;
                for said in [terms.eq(large, above), terms.lt(small, large), terms.le(small, large)] {
                    let said = terms.or([null, said]);
                    stronger = Some(match stronger {
                        None => self.all(premise, said, terms),
                        Some(stronger) => self.all_instead_of(stronger, (premise, said), terms),
                    });
                    // A block into which somebody writes may still lead elsewhere.
                    let linking = self.linking.clone();
                    self.weaken_without(stronger.expect("it was set"), (premise, said), &linking, terms);
                }
            }
        }
    }

    /// Data of one block is ordered.
    fn beside_each_other(&mut self, one: Cells, two: Cells, terms: &mut Terms) {
        let k = self.indices[0];
        for class in self.plain_classes() {
            if self.kinds.have(&class, one) && self.kinds.have(&class, two) {
                let premise = self.is(&class, k, terms);
                let (one, two) = (self.cell(one, k, terms), self.cell(two, k, terms));
                for (small, large) in [(one, two), (two, one)] {
                    let (less, at_most) = (terms.lt(small, large), terms.le(small, large));
                    let less = self.all(premise, less, terms);
                    self.all_instead_of(less, (premise, at_most), terms);
                }
            }
        }
    }

    /// Where data of a block has a property, so has that of the block to which its link leads; and that of the block to which a variable points.
    fn kept_along_links(
        &mut self,
        field: Cells,
        (stands_for, properties): (Term, &[Term]),
        terms: &mut Terms,
    ) {
        let k = self.indices[0];
        let closed = |property: &&Term, terms: &Terms| {
            terms.op(**property) != Op::Eq && terms.free_symbols(**property).len() == 1
        };
        let properties: Vec<Term> = properties
            .iter()
            .filter(|property| closed(property, terms))
            .copied()
            .take(limits::MOST_OF_DATA)
            .collect();
        for property in properties {
            for pointer in self.pointers.clone() {
                let cell = self.cell(field, pointer, terms);
                let (null, said) =
                    (Self::null(pointer, terms), replace(terms, property, &[(stands_for, cell)]));
                let known = terms.or([null, said]);
                add(&mut self.found, known);
            }
            for (class, link) in product(&self.plain_classes(), &self.links.clone()) {
                if !(self.kinds.have(&class, link)
                    && self.kinds.have(&class, field)
                    && self.kinds.leads(link, &class))
                {
                    continue;
                }
                let alive = self.is(&class, k, terms);
                let (own, target) = (self.cell(field, k, terms), self.cell(link, k, terms));
                let next = self.cell(field, target, terms);
                let here = replace(terms, property, &[(stands_for, own)]);
                let there = replace(terms, property, &[(stands_for, next)]);
                let (premise, null) = (terms.and([alive, here]), Self::null(target, terms));
                let said = terms.or([null, there]);
                self.all(premise, said, terms);
            }
        }
    }

    /// Data has a property in all living blocks, or in those that a walk has passed, or in those that it has not reached yet.
    fn passed(&mut self, field: Cells, (stands_for, properties): (Term, &[Term]), terms: &mut Terms) {
        let k = self.indices[0];
        let walks: Vec<Term> = self.walking.iter().copied().take(limits::MOST_VISITING).collect();
        for class in self.plain_classes() {
            if !self.kinds.have(&class, field) {
                continue;
            }
            let alive = self.is(&class, k, terms);
            let cell = self.cell(field, k, terms);
            for &property in properties {
                let said = replace(terms, property, &[(stands_for, cell)]);
                let everywhere = self.all(alive, said, terms);
                for &walk in &walks {
                    if !self.kinds.points(self.program, walk, &class, terms) {
                        continue;
                    }
                    let null = Self::null(walk, terms);
                    let ahead = terms.not(null);
                    for (one, other) in [(walk, k), (k, walk)] {
                        let (behind, reached) = (terms.lt(one, other), terms.le(other, one));
                        let passed = terms.or([null, behind]);
                        for side in [vec![passed], vec![ahead, reached]] {
                            let premise = terms.and([&[alive], side.as_slice()].concat());
                            self.plain_instead_of(everywhere, (premise, said), terms);
                        }
                    }
                }
            }
        }
    }

    /// What variables know of the data of blocks.
    fn known_to_variables(&mut self, field: Cells, variables: &[Term], terms: &mut Terms) {
        let one = terms.int(1);
        let mut pairs: Vec<(Vec<Term>, Term, Term)> = Vec::new();
        for (pointer, &variable) in
            self.pointers.clone().iter().flat_map(|&p| variables.iter().map(move |v| (p, v)))
        {
            let (null, cell) = (Self::null(pointer, terms), self.cell(field, pointer, terms));
            pairs.push((vec![null], cell, variable));
        }
        for (&pointer, &new) in
            self.walking.iter().chain(&self.linking).flat_map(|p| self.fresh.iter().map(move |n| (p, n)))
        {
            if pointer != new {
                let null = [pointer, new].map(|pointer| Self::null(pointer, terms));
                let [cell, other] = [pointer, new].map(|pointer| self.cell(field, pointer, terms));
                pairs.push((null.to_vec(), cell, other));
            }
        }
        for (null, left, right) in pairs {
            let unless_null = |said: Term, terms: &mut Terms| terms.or([null.as_slice(), &[said]].concat());
            let equal = terms.eq(left, right);
            let equal = unless_null(equal, terms);
            add(&mut self.found, equal);
            for (small, large) in [(left, right), (right, left)] {
                let above = terms.add(&[small, one]);
                let [next, less, at_most] =
                    [terms.eq(large, above), terms.lt(small, large), terms.le(small, large)]
                        .map(|said| unless_null(said, terms));
                add(&mut self.found, next);
                self.instead_of(next, less);
                self.instead_of(less, at_most);
                self.instead_of(equal, at_most);
            }
        }
    }
}

impl Heap<'_> {
    /// What is added up along a walk is bounded by the number of blocks that it may have passed, and by what each of them may add: with `a` for the most
    /// that is added, `w` for the walk, and blocks from `first` up to `next`, a sum is at most `a * (next - 1 - w)` where links lead to older blocks, and
    /// `a * (w - first)` where they lead to younger ones; at the end it is at most `a * (next - first)`.
    fn added_up(&mut self, source: &Source<'_>, told: &[Cells], terms: &mut Terms) {
        let (first, next) = self.numbers;
        for (sum, begin, most) in self.sums(source, told, terms) {
            let factor = terms.int(most.clone());
            let added = terms.sub(sum, begin);
            for walk in self.walking.clone() {
                let one = terms.int(1);
                let null = Self::null(walk, terms);
                let ahead = terms.not(null);
                let down = terms.sub(next, walk);
                let down = terms.sub(down, one);
                let up = terms.sub(walk, first);
                let all = terms.sub(next, first);
                for (premise, count) in [(ahead, down), (ahead, up), (null, all)] {
                    let bound = terms.mul(&[factor, count]);
                    let at_most =
                        if most.is_negative() { terms.le(bound, added) } else { terms.le(added, bound) };
                    let said = terms.implies(premise, at_most);
                    add(&mut self.found, said);
                }
            }
            // A count of all blocks, and the other counts and sums, are compared by way of the numbers.
            if most.is_one() {
                let (given, counted) = (terms.sub(next, first), added);
                for (small, large) in [(given, counted), (counted, given)] {
                    let ordered = terms.le(small, large);
                    add(&mut self.found, ordered);
                }
            }
            for bound in bounds_of(self.program, sum, terms) {
                let bound = terms.from_linear(&Linear::constant(bound), Sort::INT);
                add(&mut self.found, terms.le(sum, bound));
            }
            let zero = terms.int(0);
            let of_sign = if most.is_negative() { terms.le(added, zero) } else { terms.le(zero, added) };
            add(&mut self.found, of_sign);
        }
    }

    /// Variables to which numbers or data are added, with what they begin with and with the most that is added at once.
    fn sums(&self, source: &Source<'_>, told: &[Cells], terms: &mut Terms) -> Vec<(Term, Term, BigInt)> {
        let program = source.program;
        let own: BTreeSet<Cells> = told.iter().copied().collect();
        let mut bounds: Vec<BigInt> = Vec::new();
        for relation in program.live_edges().filter_map(|edge| program.relation(edge)) {
            terms.for_each_subterm(&[relation.guard], |term| {
                if terms.is_literal_value(term) && terms.sort_of(term) == Sort::INT {
                    let value = terms.linear(term).constant.to_integer();
                    let counts = (value.bits() < 16) && !value.is_zero() && !bounds.contains(&value);
                    if counts && bounds.len() < limits::MOST_BOUNDS {
                        bounds.push(value);
                    }
                }
            });
        }
        let assignments = assignments(program, terms);
        let mut found: Vec<(Term, Term, BigInt)> = Vec::new();
        for &(var, update) in &assignments {
            let sum = program.variables.term(terms, var);
            if terms.sort_of(update) != Sort::INT || !self.is_read(sum, terms) || sum == self.numbers.1 {
                continue;
            }
            let begin = assignments.iter().filter(|&&(to, _)| to == var);
            let begin = begin.map(|&(_, value)| value).find(|&value| terms.is_literal_value(value));
            let Some(begin) = begin else { continue };
            for leaf in leaves(terms, update) {
                let mut form = terms.linear(leaf);
                if !form.coefficient(sum).is_some_and(One::is_one) {
                    continue;
                }
                form.monomials.retain(|&(term, _)| term != sum);
                let added = match form.monomials.as_slice() {
                    [] => vec![form.constant.to_integer()],
                    &[(cell, ref factor)]
                        if factor.is_one() && field_read(program, &own, cell, terms).is_some() =>
                    {
                        bounds.clone()
                    }
                    _ => continue,
                };
                for most in added {
                    let one = (sum, begin, most);
                    if !one.2.is_zero() && !found.contains(&one) && found.len() < limits::MOST_SUMS {
                        found.push(one);
                    }
                }
            }
        }
        found
    }
}

/// The numbers below which guards keep a variable, and the next ones, which it may reach where it is counted up.
fn bounds_of(program: &Program, variable: Term, terms: &mut Terms) -> Vec<Rational> {
    let mut atoms = BTreeSet::new();
    for relation in program.live_edges().filter_map(|edge| program.relation(edge)) {
        terms.for_each_subterm(&[relation.guard], |term| {
            let compares = matches!(terms.op(term), Op::Le | Op::Lt) && terms.is_closed(term);
            if compares && terms.sort_of(terms.args(term)[0]) == Sort::INT {
                atoms.insert(term);
            }
        });
    }
    let mut found = Vec::new();
    for atom in atoms {
        let form = difference(terms, atom);
        if let [(only, factor)] = form.monomials.as_slice()
            && *only == variable
            && !is_bound_of_type(&form.constant)
        {
            let bound = -form.constant.clone() / factor;
            for bound in [bound.clone(), bound + Rational::one()] {
                if bound.is_integer() && !found.contains(&bound) && found.len() < limits::MOST_BOUNDS {
                    found.push(bound);
                }
            }
        }
    }
    found
}

/// The variables that follow links: they get what is read from one.
pub(super) fn walking(
    source: &Source<'_>,
    links: &BTreeSet<Cells>,
    pointers: &BTreeSet<Var>,
    terms: &mut Terms,
) -> BTreeSet<Var> {
    let program = source.program;
    let mut found = BTreeSet::new();
    for (var, update) in assignments(program, terms) {
        let reads = |&leaf: &Term| field_read(program, links, leaf, terms).is_some();
        if pointers.contains(&var)
            && terms.sort_of(update) == Sort::INT
            && leaves(terms, update).iter().any(reads)
        {
            found.insert(var);
        }
    }
    found
}
