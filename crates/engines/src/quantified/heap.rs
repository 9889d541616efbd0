//! What heaps look like: candidates about blocks that point to each other.
//!
//! Blocks are numbered as in [`blocks`](super::blocks), and their fields are arrays over these numbers. Here nothing is said about the order
//! in which blocks are linked, so lists may be sorted, reversed and cut, and trees may grow anywhere:
//!
//! - every link of a living block is null or leads to a living block (of the same class), or is never null;
//! - a link leads back to where another link comes from;
//! - no two links of living blocks lead to the same block, and none leads to what a variable points to;
//! - data of all living blocks has a property;
//! - a variable points to a living block, if it or another one is not null; it points to what a link of another one leads to.
//!
//! Where the program asks whether any block lives, also what keeps blocks from being lost: links follow the order in which the living blocks were
//! allocated, and a variable or a link of it points to the first or the last of them ([`Heap::ordered`]).
//!
//! The first is what makes walks safe. The others are what keeps it true where a block is freed: nobody else points to it.
//! A block that lives is one whose mark (an array that is constant at first) is that of a new block; a class is a value that is written
//! into new blocks where there are several such values. A new block may be left out, as its fields are not written yet, and so may one that is
//! about to be freed, as it has been cut out already.

use super::accesses::{Access, Cells, Kind, place};
use super::counters::{Counter, leaves};
use super::limits;
use super::templates::{Source, Templates, add, replace};
use logic::{Op, Quantifier, Sort, Symbol, Term, Terms};
use num_traits::One;
use program::{Program, Var};
use std::collections::{BTreeMap, BTreeSet};

/// Blocks with the same marks.
#[derive(Clone, PartialEq, Eq)]
struct Class(Vec<(Cells, Term)>);

/// What a program does with blocks.
struct Heap<'a> {
    program: &'a Program,
    /// The first number of a block, and the next one.
    numbers: (Term, Term),
    /// Whether marks say which blocks live.
    marked: bool,
    classes: Vec<Class>,
    /// Fields that point to blocks, and others.
    links: Vec<Cells>,
    data: Vec<Cells>,
    /// Variables that point to blocks, and those of them that only ever get new ones.
    pointers: Vec<Term>,
    fresh: Vec<Term>,
    /// Variables whose blocks cease to live somewhere.
    leaving: Vec<Term>,
    /// Two names for numbers of blocks.
    indices: [Term; 2],
    found: Vec<Term>,
}

/// All candidates about heaps; none for programs that allocate nothing, or link nothing.
pub(super) fn candidates(source: &Source<'_>, templates: &Templates, terms: &mut Terms) -> Vec<Term> {
    let second = terms.fresh_symbol("j", Sort::INT);
    let indices = [templates.index, terms.constant(second)];
    for counter in source.counters {
        let Some(first) = counter.first_number_of_blocks(terms) else { continue };
        let Some(mut heap) = Heap::new(source, counter, first, indices, terms) else { continue };
        heap.lives(terms);
        heap.data(source, templates, terms);
        heap.linked(terms);
        heap.pointed(terms);
        if super::asks_for_some(source.program, terms) {
            heap.ordered(terms);
        }
        heap.pairs(terms);
        heap.unshared(terms);
        let mut found = heap.found;
        found.retain(|candidate| !candidate.is_true() && !candidate.is_false());
        found.truncate(limits::MOST_ABOUT_HEAPS);
        return found;
    }
    Vec::new()
}

impl<'a> Heap<'a> {
    fn new(
        source: &Source<'a>,
        counter: &Counter,
        first: Term,
        indices: [Term; 2],
        terms: &mut Terms,
    ) -> Option<Heap<'a>> {
        let (program, null) = (source.program, terms.int(0));
        let is_new = |index: Term, terms: &Terms| {
            terms.sort_of(index) == Sort::INT
                && terms.linear(index).coefficient(counter.term).is_some_and(One::is_one)
        };
        // What is written into new blocks, and which variables point to blocks.
        let mut written: BTreeMap<Cells, Vec<Term>> = BTreeMap::new();
        for access in source.accesses {
            if let Kind::Write { value, .. } = access.kind
                && access.path.is_empty()
                && is_new(access.index, terms)
            {
                add(written.entry(access.array).or_default(), value);
            }
        }
        let block = |access: &Access| access.path.first().copied().unwrap_or(access.index);
        let variable = |term: Term, terms: &Terms| {
            let var = terms.as_symbol(term).and_then(|symbol| program.variables.of_symbol(symbol))?;
            (var != counter.var && terms.sort_of(term) == Sort::INT).then_some(var)
        };
        let mut pointers: BTreeSet<Var> = BTreeSet::new();
        for access in source.accesses.iter().filter(|access| written.contains_key(&access.array)) {
            pointers.extend(variable(block(access), terms));
        }
        // Fields are what is accessed through such variables.
        let mut fields: BTreeSet<Cells> = written.keys().copied().collect();
        for access in source.accesses.iter().filter(|access| access.path.is_empty()) {
            if variable(access.index, terms).is_some_and(|var| pointers.contains(&var)) {
                fields.insert(access.array);
            }
        }
        fields.retain(|field| {
            let cell = indexed(program, *field, indices[0], terms);
            terms.sort_of(cell) == Sort::INT
        });
        let reads_field = |term: Term, terms: &Terms| field_read(program, &fields, term, terms);
        let mut links: BTreeSet<Cells> = BTreeSet::new();
        for access in source.accesses.iter().filter(|access| fields.contains(&access.array)) {
            links.extend(reads_field(block(access), terms));
        }
        let (mut fresh, mut old): (BTreeSet<Var>, BTreeSet<Var>) = (BTreeSet::new(), BTreeSet::new());
        for _ in 0..limits::CHAINS {
            for edge in program.live_edges() {
                let Some(relation) = program.relation(edge) else { continue };
                for &(var, update) in &relation.updates {
                    if terms.sort_of(update) != Sort::INT || var == counter.var {
                        continue;
                    }
                    for leaf in leaves(terms, update) {
                        let read = reads_field(leaf, terms);
                        if pointers.contains(&var) {
                            links.extend(read);
                        } else if read.is_some_and(|field| links.contains(&field)) {
                            pointers.insert(var);
                        }
                        let known = variable(leaf, terms);
                        if read.is_some() || known.is_some_and(|other| old.contains(&other)) {
                            old.insert(var);
                        }
                        let given = pointers.contains(&var)
                            && terms.is_literal_value(leaf)
                            && terms.certainly_different(leaf, null);
                        if is_new(leaf, terms) || given || known.is_some_and(|other| fresh.contains(&other)) {
                            fresh.insert(var);
                            pointers.insert(var);
                        } else if known.is_some_and(|other| pointers.contains(&other)) {
                            pointers.insert(var);
                        } else if let Some(other) = known
                            && pointers.contains(&var)
                        {
                            pointers.insert(other);
                        }
                    }
                }
            }
            for access in source.accesses.iter().filter(|access| fields.contains(&access.array)) {
                let Kind::Write { value, .. } = access.kind else { continue };
                for leaf in leaves(terms, value) {
                    let pointer = variable(leaf, terms).is_some_and(|var| pointers.contains(&var));
                    let linked = reads_field(leaf, terms).is_some_and(|field| links.contains(&field));
                    if pointer || linked || is_new(leaf, terms) {
                        links.insert(access.array);
                    }
                }
            }
        }
        if links.is_empty() {
            return None;
        }
        fresh.retain(|var| !old.contains(var));
        // Marks are what new blocks always get.
        let mut marks: Vec<(Cells, Vec<Term>)> = Vec::new();
        for (&field, values) in &written {
            if fields.contains(&field)
                && !links.contains(&field)
                && values.iter().all(|&value| terms.is_literal_value(value))
            {
                marks.push((field, values.clone()));
            }
        }
        let constant = constant_at_first(program, terms);
        let life: Option<Cells> =
            marks.iter().map(|&(field, _)| field).find(|field| constant.contains(&field.var));
        let base: Vec<Class> = match marks.iter().find(|(field, _)| Some(*field) == life) {
            Some((field, values)) => values.iter().map(|&value| Class(vec![(*field, value)])).collect(),
            None => vec![Class(Vec::new())],
        };
        let mut classes = base.clone();
        for (field, values) in marks.iter().filter(|(field, values)| Some(*field) != life && values.len() > 1)
        {
            for (class, &value) in
                base.iter().flat_map(|class| values.iter().map(move |value| (class, value)))
            {
                let mut parts = class.0.clone();
                parts.push((*field, value));
                classes.push(Class(parts));
            }
        }
        classes.truncate(limits::MOST_CLASSES);
        let mut leaving: BTreeSet<Var> = BTreeSet::new();
        for access in source.accesses.iter().filter(|access| Some(access.array) == life) {
            if let Kind::Write { value, .. } = access.kind
                && value == null
            {
                leaving.extend(variable(block(access), terms).filter(|var| pointers.contains(var)));
            }
        }
        leaving.retain(|var| !fresh.contains(var));
        let data = fields.iter().filter(|field| !links.contains(field) && Some(**field) != life).copied();
        let term_of = |vars: &BTreeSet<Var>, terms: &mut Terms| -> Vec<Term> {
            vars.iter().take(limits::MOST_POINTERS).map(|&var| program.variables.term(terms, var)).collect()
        };
        Some(Heap {
            program,
            numbers: (first, counter.term),
            marked: life.is_some(),
            classes,
            data: data.collect(),
            links: links.into_iter().collect(),
            pointers: term_of(&pointers, terms),
            fresh: term_of(&fresh, terms),
            leaving: term_of(&leaving, terms),
            indices,
            found: Vec::new(),
        })
    }

    /// The block with a number is of a class.
    fn is(&self, class: &Class, number: Term, terms: &mut Terms) -> Term {
        let mut parts = Vec::new();
        if !self.marked {
            parts.push(terms.le(self.numbers.0, number));
            parts.push(terms.lt(number, self.numbers.1));
        }
        for &(field, value) in &class.0 {
            let cell = self.cell(field, number, terms);
            parts.push(terms.eq(cell, value));
        }
        terms.and(parts)
    }

    fn cell(&self, field: Cells, number: Term, terms: &mut Terms) -> Term {
        indexed(self.program, field, number, terms)
    }

    fn null(number: Term, terms: &mut Terms) -> Term {
        let zero = terms.int(0);
        terms.eq(number, zero)
    }

    /// Adds `∀k. premise ⇒ conclusion`, and the same without one new block, or one that is about to be freed.
    fn all(&mut self, premise: Term, conclusion: Term, terms: &mut Terms) {
        let mut exceptions = vec![None];
        exceptions.extend(self.fresh.iter().chain(&self.leaving).copied().map(Some));
        self.all_without((premise, conclusion), &exceptions, terms);
    }

    /// Adds `∀k. premise ⇒ conclusion`.
    fn all_without_exception(&mut self, premise: Term, conclusion: Term, terms: &mut Terms) {
        self.all_without((premise, conclusion), &[None], terms);
    }

    fn all_without(
        &mut self,
        (premise, conclusion): (Term, Term),
        exceptions: &[Option<Term>],
        terms: &mut Terms,
    ) {
        let used: Vec<Symbol> = (self.indices.iter())
            .filter_map(|&index| terms.as_symbol(index))
            .filter(|&symbol| terms.mentions(premise, symbol) || terms.mentions(conclusion, symbol))
            .collect();
        for &exception in exceptions {
            let mut parts = vec![premise];
            for &symbol in &used {
                if let Some(block) = exception {
                    let index = terms.constant(symbol);
                    parts.push(terms.distinct(&[index, block]));
                }
            }
            let premise = terms.and(parts);
            let body = terms.implies(premise, conclusion);
            let candidate = terms.quantify(Quantifier::Forall, &used, body, &[]);
            add(&mut self.found, candidate);
        }
    }

    /// Which numbers living blocks have.
    fn lives(&mut self, terms: &mut Terms) {
        if !self.marked {
            return;
        }
        let ((first, next), k) = (self.numbers, self.indices[0]);
        let mut life: Vec<Cells> = self.classes.iter().filter_map(|class| Some(class.0.first()?.0)).collect();
        life.dedup();
        for field in life {
            let cell = self.cell(field, k, terms);
            let (ahead, dead) = (terms.le(next, k), Self::null(cell, terms));
            let body = terms.implies(ahead, dead);
            let symbol = terms.as_symbol(k).expect("a symbol");
            let candidate = terms.quantify(Quantifier::Forall, &[symbol], body, &[]);
            add(&mut self.found, candidate);
        }
        for class in self.classes.clone().iter().filter(|class| class.0.len() == 1) {
            let alive = self.is(class, k, terms);
            let given = terms.le(first, k);
            let body = terms.implies(alive, given);
            let symbol = terms.as_symbol(k).expect("a symbol");
            let candidate = terms.quantify(Quantifier::Forall, &[symbol], body, &[]);
            add(&mut self.found, candidate);
        }
    }

    /// Data has a property in all living blocks, and so have variables that are read from it.
    fn data(&mut self, source: &Source<'_>, templates: &Templates, terms: &mut Terms) {
        let k = self.indices[0];
        for field in self.data.clone() {
            let stands_for = templates.cell_of(field);
            let index = terms.as_symbol(k).expect("a symbol");
            let mut properties: Vec<Term> = Vec::new();
            for access in source.accesses.iter().filter(|access| access.array == field) {
                if let Kind::Write { value, .. } = access.kind
                    && terms.is_literal_value(value)
                {
                    let equal = terms.eq(stands_for, value);
                    add(&mut properties, equal);
                }
            }
            let carriers = self.carriers(source, field, terms);
            for value in self.literals_of(&carriers, terms) {
                let equal = terms.eq(stands_for, value);
                add(&mut properties, equal);
            }
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
                    let premise = self.is(&class, k, terms);
                    self.all(premise, said, terms);
                }
                for &carrier in &carriers {
                    let said = replace(terms, property, &[(stands_for, carrier)]);
                    add(&mut self.found, said);
                }
            }
        }
    }

    /// The variables that are read from a field or written to it.
    fn carriers(&self, source: &Source<'_>, field: Cells, terms: &mut Terms) -> Vec<Term> {
        let program = self.program;
        let own: BTreeSet<Cells> = [field].into();
        let mut carriers = Vec::new();
        for edge in program.live_edges() {
            let Some(relation) = program.relation(edge) else { continue };
            for &(var, update) in &relation.updates {
                let reads = |&leaf: &Term| field_read(program, &own, leaf, terms).is_some();
                if terms.sort_of(update) == Sort::INT && leaves(terms, update).iter().any(reads) {
                    add(&mut carriers, program.variables.term(terms, var));
                }
            }
        }
        for access in source.accesses.iter().filter(|access| access.array == field) {
            let Kind::Write { value, .. } = access.kind else { continue };
            for leaf in leaves(terms, value) {
                if terms.as_symbol(leaf).is_some_and(|symbol| program.variables.of_symbol(symbol).is_some()) {
                    add(&mut carriers, leaf);
                }
            }
        }
        // Values are handed on from one variable to another.
        for _ in 0..limits::CHAINS {
            for relation in program.live_edges().filter_map(|edge| program.relation(edge)) {
                for &(var, update) in &relation.updates {
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
        }
        carriers.truncate(limits::MOST_POINTERS);
        carriers
    }

    /// The literals that variables are set to.
    fn literals_of(&self, variables: &[Term], terms: &Terms) -> Vec<Term> {
        let mut literals = Vec::new();
        for edge in self.program.live_edges() {
            let Some(relation) = self.program.relation(edge) else { continue };
            for &(var, update) in &relation.updates {
                let symbol = self.program.variables[var].symbol;
                if variables.iter().any(|&variable| terms.as_symbol(variable) == Some(symbol)) {
                    for leaf in leaves(terms, update) {
                        if terms.is_literal_value(leaf) {
                            add(&mut literals, leaf);
                        }
                    }
                }
            }
        }
        literals
    }

    /// Where links lead to.
    fn linked(&mut self, terms: &mut Terms) {
        let k = self.indices[0];
        for (field, class) in product(&self.links, &self.classes) {
            let target = self.cell(field, k, terms);
            let premise = self.is(&class, k, terms);
            let null = Self::null(target, terms);
            for other in self.classes.clone() {
                let inside = self.is(&other, target, terms);
                self.all(premise, inside, terms);
                let maybe = terms.or([null, inside]);
                self.all(premise, maybe, terms);
            }
            for back in self.links.clone() {
                let returned = self.cell(back, target, terms);
                let same = terms.eq(returned, k);
                let back = terms.or([null, same]);
                self.all(premise, back, terms);
            }
            let (older, younger) = (terms.lt(target, k), terms.lt(k, target));
            self.all(premise, older, terms);
            let younger = terms.or([null, younger]);
            self.all(premise, younger, terms);
        }
    }

    /// What variables point to.
    fn pointed(&mut self, terms: &mut Terms) {
        for (pointer, class) in product(&self.pointers, &self.classes) {
            let inside = self.is(&class, pointer, terms);
            let null = Self::null(pointer, terms);
            add(&mut self.found, inside);
            let maybe = terms.or([null, inside]);
            add(&mut self.found, maybe);
        }
        for (pointer, field) in product(&self.pointers, &self.links) {
            let null = Self::null(pointer, terms);
            let cell = self.cell(field, pointer, terms);
            let ends = Self::null(cell, terms);
            let ends = terms.or([null, ends]);
            add(&mut self.found, ends);
        }
    }

    /// What variables say of each other.
    fn pairs(&mut self, terms: &mut Terms) {
        for (pointer, other) in product(&self.pointers, &self.pointers) {
            if pointer == other {
                continue;
            }
            let null = Self::null(pointer, terms);
            for class in self.classes.clone() {
                let inside = self.is(&class, other, terms);
                let together = terms.or([null, inside]);
                add(&mut self.found, together);
            }
            let mut some = vec![null];
            for field in self.links.clone() {
                let cell = self.cell(field, other, terms);
                let ends = Self::null(cell, terms);
                let together = terms.or([null, ends]);
                add(&mut self.found, together);
                let cell = self.cell(field, pointer, terms);
                some.push(terms.eq(cell, other));
            }
            let linked = terms.or(some);
            add(&mut self.found, linked);
            let same = terms.eq(pointer, other);
            let different = terms.not(same);
            add(&mut self.found, different);
            let unless_null = terms.or([null, different]);
            add(&mut self.found, unless_null);
            for &third in &self.pointers.clone() {
                if third != pointer && third < other {
                    let same = terms.eq(third, other);
                    let (not_null, maybe) = (terms.not(null), same);
                    let otherwise = terms.or([not_null, maybe]);
                    add(&mut self.found, otherwise);
                }
            }
        }
    }

    /// No block is lost. "Everything that lives can be reached" is no formula of first order, but this is: a link leads to the next older living
    /// block (or to the next younger one), and a variable points to the youngest (or the oldest). Blocks may be missing in between, so lists may be
    /// used as stacks and queues, and blocks may be cut out of them. If the variable is null at last, nothing lives.
    fn ordered(&mut self, terms: &mut Terms) {
        let k = self.indices[0];
        for class in self.classes.clone().into_iter().filter(|class| !class.0.is_empty()) {
            let alive = self.is(&class, k, terms);
            for field in self.links.clone() {
                let (premise, older, younger) = self.neighbours(&class, field, terms);
                self.all(premise, older, terms);
                self.all(premise, younger, terms);
            }
            // The list begins with a variable, or behind a block of its own.
            let mut begins = self.pointers.clone();
            for (field, pointer) in product(&self.links, &self.pointers) {
                begins.push(self.cell(field, pointer, terms));
            }
            for begin in begins {
                let (newest, oldest) = (terms.le(k, begin), self.from(begin, k, terms));
                self.all(alive, newest, terms);
                self.all(alive, oldest, terms);
            }
            if class.0.len() == 1 {
                self.in_two_parts(&class, terms);
            }
        }
        self.owned(terms);
    }

    /// For two living blocks of a class, `k` before `j`: the link of `j` does not leave `k` out on its way down, and that of `k` not `j` on
    /// its way up. Given as the premise and both conclusions.
    fn neighbours(&self, class: &Class, field: Cells, terms: &mut Terms) -> (Term, Term, Term) {
        let [k, j] = self.indices;
        let (one, two, behind) = (self.is(class, k, terms), self.is(class, j, terms), terms.lt(k, j));
        let (down, up) = (self.cell(field, j, terms), self.cell(field, k, terms));
        let (older, younger) = (terms.le(k, down), self.from(up, j, terms));
        (terms.and([one, two, behind]), older, younger)
    }

    /// A list that is turned around, or moved into another one, consists of two parts, the blocks up to a variable and those behind it; each part
    /// has an order of its own.
    fn in_two_parts(&mut self, class: &Class, terms: &mut Terms) {
        let [k, j] = self.indices;
        let alive = self.is(class, k, terms);
        for split in self.pointers.clone() {
            let (below, above) = (terms.le(k, split), terms.lt(split, k));
            let both_below = terms.le(j, split);
            for field in self.links.clone() {
                let (premise, older, younger) = self.neighbours(class, field, terms);
                let target = self.cell(field, k, terms);
                let (down, up) = (terms.lt(target, k), terms.lt(k, target));
                let null = Self::null(target, terms);
                let up = terms.or([null, up]);
                for (parts, conclusion) in [
                    ([premise, both_below], older),
                    ([premise, above], younger),
                    ([alive, below], down),
                    ([alive, above], up),
                ] {
                    let premise = terms.and(parts);
                    self.all_without_exception(premise, conclusion, terms);
                }
            }
            for other in self.pointers.clone().into_iter().filter(|&other| other != split) {
                let from = self.from(other, k, terms);
                let either = terms.or([below, from]);
                self.all_without_exception(alive, either, terms);
                let (null, behind) = (Self::null(other, terms), terms.lt(split, other));
                let apart = terms.or([null, behind]);
                add(&mut self.found, apart);
            }
        }
    }

    /// Blocks that are allocated together, one of which points to the other: every block of the one class has its owner in the other class, at
    /// a fixed distance. All blocks are of one of the classes that a field tells apart.
    fn owned(&mut self, terms: &mut Terms) {
        let k = self.indices[0];
        let kinds: Vec<Class> = self.classes.iter().filter(|class| class.0.len() > 1).cloned().collect();
        for (owner, owned) in product(&kinds, &kinds) {
            if owner == owned {
                continue;
            }
            let premise = self.is(&owned, k, terms);
            for (field, distance) in product(&self.links.clone(), &[1, -1]) {
                let distance = terms.int(distance);
                let place = terms.sub(k, distance);
                let (lives, link) = (self.is(&owner, place, terms), self.cell(field, place, terms));
                let leads = terms.eq(link, k);
                let conclusion = terms.and([lives, leads]);
                self.all_without_exception(premise, conclusion, terms);
            }
        }
        let bases: Vec<Class> = self.classes.iter().filter(|class| class.0.len() == 1).cloned().collect();
        for base in bases {
            let mut by_field: BTreeMap<Cells, Vec<Term>> = BTreeMap::new();
            for kind in kinds.iter().filter(|kind| kind.0[0] == base.0[0]) {
                let (field, value) = kind.0[1];
                let cell = self.cell(field, k, terms);
                let equal = terms.eq(cell, value);
                by_field.entry(field).or_default().push(equal);
            }
            let premise = self.is(&base, k, terms);
            for equations in by_field.into_values() {
                let conclusion = terms.or(equations);
                self.all_without_exception(premise, conclusion, terms);
            }
        }
    }

    fn some(number: Term, terms: &mut Terms) -> Term {
        let zero = terms.int(0);
        terms.lt(zero, number)
    }

    /// A pointer is not null, and the block is not older than what it points to.
    fn from(&self, pointer: Term, block: Term, terms: &mut Terms) -> Term {
        let (some, reached) = (Self::some(pointer, terms), terms.le(pointer, block));
        terms.and([some, reached])
    }

    /// Blocks that nothing else points to.
    fn unshared(&mut self, terms: &mut Terms) {
        let [k, j] = self.indices;
        let alive = self.classes.iter().filter(|class| class.0.len() <= 1).cloned().collect::<Vec<_>>();
        for class in alive {
            let (first, second) = (self.is(&class, k, terms), self.is(&class, j, terms));
            for field in self.links.clone() {
                let target = self.cell(field, k, terms);
                for pointer in self.pointers.clone() {
                    let null = Self::null(pointer, terms);
                    let same = terms.eq(target, pointer);
                    let other = terms.not(same);
                    let unless_null = terms.or([null, other]);
                    self.all(first, unless_null, terms);
                }
            }
            for (field, other) in product(&self.links, &self.links) {
                if field > other {
                    continue;
                }
                let (target, shared) = (self.cell(field, k, terms), self.cell(other, j, terms));
                let mut parts = vec![first, second];
                if field == other {
                    parts.push(terms.lt(k, j));
                }
                let premise = terms.and(parts);
                let null = Self::null(target, terms);
                let same = terms.eq(target, shared);
                let different = terms.not(same);
                let conclusion = terms.or([null, different]);
                self.all(premise, conclusion, terms);
            }
        }
    }
}

/// A cell of a field.
fn indexed(program: &Program, field: Cells, number: Term, terms: &mut Terms) -> Term {
    field.at(program, &[number], terms)
}

/// The field that a term is a cell of.
fn field_read(program: &Program, fields: &BTreeSet<Cells>, term: Term, terms: &Terms) -> Option<Cells> {
    if terms.op(term) != Op::Select {
        return None;
    }
    let (var, path) = place(program, terms, term)?;
    fields
        .iter()
        .find(|field| field.var == var && field.offset.is_none_or(|offset| path.last() == Some(&offset)))
        .copied()
}

/// The arrays that are made as constant ones somewhere.
fn constant_at_first(program: &Program, terms: &Terms) -> BTreeSet<Var> {
    let mut constant = BTreeSet::new();
    for edge in program.live_edges() {
        let Some(relation) = program.relation(edge) else { continue };
        for &(var, update) in &relation.updates {
            let mut term = update;
            while let (Op::Store, &[inner, ..]) | (Op::Ite, &[_, inner, _]) =
                (terms.op(term), terms.args(term))
            {
                term = inner;
            }
            if matches!(terms.op(term), Op::ConstArray(_)) {
                constant.insert(var);
            }
        }
    }
    constant
}

/// All pairs.
fn product<A: Clone, B: Clone>(left: &[A], right: &[B]) -> Vec<(A, B)> {
    left.iter().flat_map(|one| right.iter().map(move |other| (one.clone(), other.clone()))).collect()
}
