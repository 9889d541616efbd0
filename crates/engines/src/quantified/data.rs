//! What data of living blocks says, and the variables that it is read into.

use super::accesses::{Access, Cells, Kind};
use super::counters::leaves;
use super::heap::{Heap, assignments, field_read, product};
use super::limits;
use super::templates::{Source, Templates, add, replace};
use logic::{Linear, Rational, Sort, Term, Terms};
use num_traits::One;
use program::Var;
use std::collections::BTreeSet;

impl Heap<'_> {
    /// Data has a property in all living blocks, and so have variables that are read from it.
    pub(super) fn data(&mut self, source: &Source<'_>, templates: &Templates, terms: &mut Terms) {
        let k = self.indices[0];
        for field in self.data.clone() {
            let stands_for = templates.cell_of(field);
            let index = terms.as_symbol(k).expect("a symbol");
            let mut properties: Vec<Term> = Vec::new();
            let alike = self.alike(source, field, terms);
            // What is written to the field itself comes first, as only so many properties are tried.
            for own in [true, false] {
                let written = |access: &&Access| {
                    let is_own = access.array.var == field.var;
                    is_own == own && alike.iter().any(|other| other.var == access.array.var)
                };
                for access in source.accesses.iter().filter(written) {
                    if let Kind::Write { value, .. } = access.kind
                        && terms.is_literal_value(value)
                    {
                        let equal = terms.eq(stands_for, value);
                        add(&mut properties, equal);
                    }
                }
            }
            if self.computed(source, terms).iter().any(|&(measured, _)| measured == field) {
                let zero = terms.int(0);
                let some = terms.lt(zero, stands_for);
                add(&mut properties, some);
            }
            let mut carriers = self.carriers(source, &alike, terms);
            let kept = self.places.cells_beside(self.program, field, terms);
            for value in self.literals_of(&carriers, terms) {
                let equal = terms.eq(stands_for, value);
                add(&mut properties, equal);
            }
            carriers.retain(|&carrier| self.is_read(carrier, terms));
            carriers.truncate(limits::MOST_POINTERS);
            for &property in templates.properties_of(field) {
                if !terms.mentions(property, index) {
                    add(&mut properties, property);
                }
            }
            properties.truncate(limits::MOST_OF_DATA);
            let cell = self.cell(field, k, terms);
            for property in properties {
                let said = replace(terms, property, &[(stands_for, cell)]);
                for class in self.classes.clone() {
                    if !self.kinds.have(&class, field) {
                        continue;
                    }
                    let premise = self.is(&class, k, terms);
                    self.all(premise, said, terms);
                }
                for &carrier in carriers.iter().chain(&kept) {
                    let said = replace(terms, property, &[(stands_for, carrier)]);
                    add(&mut self.found, said);
                }
            }
        }
    }

    /// The data of new blocks that is computed, such as their sizes, in a program with blocks of several kinds.
    fn computed(&self, source: &Source<'_>, terms: &Terms) -> Vec<(Cells, Term)> {
        let mut found = Vec::new();
        if self.plain_classes().len() < 2 {
            return found;
        }
        for access in source.accesses.iter().filter(|access| self.data.contains(&access.array)) {
            let Kind::Write { value, .. } = access.kind else { continue };
            let is_new = terms.sort_of(access.index) == Sort::INT
                && terms.linear(access.index).coefficient(self.numbers.1).is_some_and(One::is_one);
            let pair = (access.array, value);
            if is_new && !terms.is_literal_value(value) && !found.contains(&pair) {
                found.push(pair);
            }
        }
        found
    }

    /// A block knows the size of the one that it owns: what is written into a new block is computed from data of the block whose link leads to it.
    pub(super) fn measured(&mut self, source: &Source<'_>, terms: &mut Terms) {
        let k = self.indices[0];
        let mut forms: Vec<(Cells, Rational, Rational)> = Vec::new();
        for (field, value) in self.computed(source, terms) {
            let form = terms.linear(value);
            if let [(_, factor)] = form.monomials.as_slice() {
                let form = (field, factor.clone(), form.constant.clone());
                if !forms.contains(&form) && forms.len() < limits::MOST_SIZES {
                    forms.push(form);
                }
            }
        }
        let bases = self.plain_classes();
        for (measured, factor, constant) in forms {
            let others: Vec<Cells> = self.data.iter().copied().filter(|&data| data != measured).collect();
            for (class, link) in product(&bases, &self.links.clone()) {
                if !self.kinds.have(&class, link) {
                    continue;
                }
                let premise = self.is(&class, k, terms);
                let target = self.cell(link, k, terms);
                let size = self.cell(measured, target, terms);
                let null = Self::null(target, terms);
                let own = others.iter().filter(|&&data| self.kinds.have(&class, data));
                for data in own.copied().take(limits::MOST_CELLS).collect::<Vec<_>>() {
                    let count = self.cell(data, k, terms);
                    let monomials = vec![(count, factor.clone())];
                    let form = Linear { monomials, constant: constant.clone() };
                    let computed = terms.from_linear(&form, Sort::INT);
                    let always = terms.eq(size, computed);
                    let known = self.all(premise, always, terms);
                    let maybe = terms.or([null, always]);
                    self.all_instead_of(known, (premise, maybe), terms);
                }
            }
        }
    }

    /// The data that comes from where that of a field comes from, or goes where it goes: what is written to one of these fields may stand in the others.
    fn alike(&self, source: &Source<'_>, field: Cells, terms: &mut Terms) -> BTreeSet<Cells> {
        let program = self.program;
        let all: BTreeSet<Cells> = self.data.iter().copied().collect();
        let of_array = |var: Var| all.iter().filter(move |other| other.var == var).copied();
        let assignments = assignments(program, terms);
        let mut alike: BTreeSet<Cells> = of_array(field.var).collect();
        for _ in 0..limits::CHAINS {
            let before = alike.len();
            let carriers = self.carriers(source, &alike, terms);
            let mut values = Vec::new();
            for &(var, update) in &assignments {
                if terms.sort_of(update) == Sort::INT
                    && carriers.contains(&program.variables.term(terms, var))
                {
                    values.push(update);
                }
            }
            for access in source.accesses {
                if let Kind::Write { value, .. } = access.kind
                    && alike.iter().any(|other| other.var == access.array.var)
                {
                    values.push(value);
                }
            }
            for value in values {
                for leaf in leaves(terms, value) {
                    if let Some(read) = field_read(program, &all, leaf, terms) {
                        alike.extend(of_array(read.var));
                    }
                }
            }
            if alike.len() == before {
                break;
            }
        }
        alike
    }

    /// The variables that are read from fields or written to them.
    pub(super) fn carriers(
        &self,
        source: &Source<'_>,
        own: &BTreeSet<Cells>,
        terms: &mut Terms,
    ) -> Vec<Term> {
        let program = self.program;
        let mut carriers = Vec::new();
        let assignments = assignments(program, terms);
        for &(var, update) in &assignments {
            let reads = |&leaf: &Term| field_read(program, own, leaf, terms).is_some();
            if terms.sort_of(update) == Sort::INT && leaves(terms, update).iter().any(reads) {
                add(&mut carriers, program.variables.term(terms, var));
            }
        }
        let written = |access: &&Access| own.iter().any(|field| field.var == access.array.var);
        for access in source.accesses.iter().filter(written) {
            let Kind::Write { value, .. } = access.kind else { continue };
            for leaf in leaves(terms, value) {
                if terms.as_symbol(leaf).is_some_and(|symbol| program.variables.of_symbol(symbol).is_some()) {
                    add(&mut carriers, leaf);
                }
            }
        }
        // Values are handed on from one variable to another.
        for _ in 0..limits::CHAINS {
            for &(var, update) in &assignments {
                if terms.sort_of(update) != Sort::INT {
                    continue;
                }
                let own = program.variables.term(terms, var);
                for leaf in leaves(terms, update) {
                    let known =
                        terms.as_symbol(leaf).is_some_and(|s| program.variables.of_symbol(s).is_some());
                    if known && carriers.contains(&leaf) {
                        add(&mut carriers, own);
                    } else if known && carriers.contains(&own) {
                        add(&mut carriers, leaf);
                    }
                }
            }
        }
        carriers
    }

    /// Is a variable read somewhere?
    pub(super) fn is_read(&self, variable: Term, terms: &Terms) -> bool {
        let symbol = terms.as_symbol(variable);
        let var = symbol.and_then(|symbol| self.program.variables.of_symbol(symbol));
        var.is_some_and(|var| self.read.contains(var))
    }

    /// The literals that variables are set to.
    fn literals_of(&self, variables: &[Term], terms: &mut Terms) -> Vec<Term> {
        let mut literals = Vec::new();
        for (var, update) in assignments(self.program, terms) {
            let symbol = self.program.variables[var].symbol;
            if variables.iter().any(|&variable| terms.as_symbol(variable) == Some(symbol)) {
                for leaf in leaves(terms, update) {
                    if terms.is_literal_value(leaf) {
                        add(&mut literals, leaf);
                    }
                }
            }
        }
        literals
    }
}
