//! What heaps look like: candidates about blocks that point to each other.
//!
//! Blocks are numbered as in [`blocks`](super::blocks), and their fields are arrays over these numbers. Here nothing is said about the order
//! in which blocks are linked, so lists may be sorted, reversed and cut, and trees may grow anywhere:
//!
//! - every link of a living block is null or leads to a living block (of the same class), or is never null;
//! - a link leads back to where another link comes from;
//! - no two links of living blocks lead to the same block, and none leads to what a variable points to;
//! - data of all living blocks has a property;
//! - a variable points to a living block, if it or another one is not null; it points to what a link of another one leads to;
//! - a cell of a table, an array with other indices, is null or leads to a living block, to which nothing else leads.
//!
//! Where the program asks whether any block lives, also what keeps blocks from being lost: links follow the order in which the living blocks were
//! allocated, and a variable or a link of it points to the first or the last of them ([`order`](super::order)).
//!
//! The first is what makes walks safe. The others are what keeps it true where a block is freed: nobody else points to it.
//! A block that lives is one whose mark (an array that is constant at first) is that of a new block; a class is a value that is written
//! into new blocks where there are several such values. What is said with exceptions is tried where it does not hold without. A new block may be left out, as its fields are not written yet, and so may one that is
//! about to be freed, as it has been cut out already.

use super::accesses::{Access, Cells, Kind, place};
use super::along_links;
use super::calls;
use super::counters::{Counter, leaves};
use super::kinds::Kinds;
use super::limits;
use super::places::Places;
use super::tables;
use super::templates::{Source, Templates, add};
use base::EntitySet;
use logic::{Op, Quantifier, Sort, Symbol, Term, Terms};
use num_traits::One;
use program::{EdgeKind, Program, Var, VarKind};
use std::collections::{BTreeMap, BTreeSet};

/// Blocks with the same marks.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Class(pub(super) Vec<(Cells, Term)>);

/// What a program does with blocks.
pub(super) struct Heap<'a> {
    pub(super) program: &'a Program,
    /// The first number of a block, and the next one.
    pub(super) numbers: (Term, Term),
    /// The array whose marks say which blocks live.
    pub(super) life: Option<Cells>,
    pub(super) classes: Vec<Class>,
    /// What leads to which of them.
    pub(super) kinds: Kinds,
    /// Fields that point to blocks, and others.
    pub(super) links: Vec<Cells>,
    pub(super) data: Vec<Cells>,
    /// The variables of all procedures.
    everywhere: Pointing,
    /// Arrays with other indices whose cells point to blocks, and what else is constant at first.
    pub(super) tables: Vec<Var>,
    pub(super) constant: Vec<Var>,
    /// The variables at which tables are written.
    pub(super) current: Vec<Term>,
    /// Variables that point to blocks, and those of them that only ever get new ones.
    pub(super) pointers: Vec<Term>,
    pub(super) fresh: Vec<Term>,
    /// Those that get what is read from links.
    pub(super) walking: Vec<Term>,
    /// Variables whose blocks cease to live somewhere.
    leaving: Vec<Term>,
    /// Two names for numbers of blocks.
    pub(super) indices: [Term; 2],
    /// From here on blocks are new in a procedure that is called.
    pub(super) from: Option<Term>,
    /// What such a procedure gets.
    pub(super) parameters: Vec<Term>,
    /// Variables whose blocks get links.
    pub(super) linking: Vec<Term>,
    /// The variables that are read somewhere: what is said of others is of no use.
    pub(super) read: EntitySet<Var>,
    /// Pointers that are kept in memory, and variables that point to them.
    pub(super) places: Places,
    pub(super) found: Vec<Term>,
    /// What follows from candidates, to be tried where they do not hold.
    pub(super) weaker: BTreeMap<Term, Vec<Term>>,
}

/// The variables that point to blocks, those of them that only get new ones, those whose blocks cease to live, and those whose blocks get links.
struct Pointing {
    pointers: BTreeSet<Var>,
    fresh: BTreeSet<Var>,
    leaving: BTreeSet<Var>,
    linking: BTreeSet<Var>,
    walking: BTreeSet<Var>,
}

/// What is asked about a heap.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum About {
    /// What it looks like.
    Shape,
    /// What its data says, where the shape is known.
    Data,
}

/// What is tried: in a program without calls everywhere, otherwise in each procedure.
#[derive(Default)]
pub(super) struct Candidates {
    everywhere: Vec<Term>,
    of_procedures: BTreeMap<ir::Procedure, Vec<Term>>,
    /// What gives blocks their numbers, if it is spoken of also where nobody reads it later.
    pub(super) next: Option<Var>,
    /// What follows from candidates, and is tried where they do not hold.
    pub(super) weaker: BTreeMap<Term, Vec<Term>>,
}

impl Candidates {
    /// Is nothing tried?
    pub(super) fn is_empty(&self) -> bool {
        self.everywhere.is_empty() && self.of_procedures.values().all(Vec::is_empty)
    }

    /// What is tried in a procedure.
    pub(super) fn of(&self, procedure: ir::Procedure) -> &[Term] {
        self.of_procedures.get(&procedure).unwrap_or(&self.everywhere)
    }
}

/// All candidates about heaps; none for programs that allocate nothing, or link nothing.
/// Only variables that are read somewhere are spoken of.
pub(super) fn candidates(
    source: &Source<'_>,
    templates: &Templates,
    (about, read): (About, &EntitySet<Var>),
    terms: &mut Terms,
) -> Candidates {
    let second = terms.fresh_symbol("j", Sort::INT);
    let indices = [templates.index, terms.constant(second)];
    for counter in source.counters {
        let Some(first) = counter.first_number_of_blocks(terms) else { continue };
        let Some(mut heap) = Heap::new(source, counter, first, indices, terms) else { continue };
        heap.read.clone_from(read);
        let interfaces = calls::interfaces(source.program);
        if interfaces.is_empty() {
            heap.look_at(|var| read.contains(var), terms);
            heap.all_about(about, source, templates, terms);
            let next = (about == About::Data && heap.life.is_some()).then_some(counter.var);
            return Candidates {
                everywhere: heap.taken(),
                weaker: heap.weaker,
                next,
                ..Candidates::default()
            };
        }
        let mut candidates = Candidates::default();
        for (procedure, interface) in interfaces {
            let variables = &source.program.variables;
            let visible = |var: Var| read.contains(var) && calls::is_visible(variables[var].kind, procedure);
            heap.look_at(visible, terms);
            heap.from = None;
            if let Some(interface) = interface {
                heap.across_calls(&interface, terms);
            }
            heap.all_about(about, source, templates, terms);
            candidates.of_procedures.insert(procedure, heap.taken());
        }
        candidates.weaker = heap.weaker;
        return candidates;
    }
    Candidates::default()
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
        let assignments = assignments(program, terms);
        let (mut fresh, mut old): (BTreeSet<Var>, BTreeSet<Var>) = (BTreeSet::new(), BTreeSet::new());
        for _ in 0..limits::CHAINS {
            for &(var, update) in &assignments {
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
            for class in &base {
                // Where blocks are told apart already, only what is written together with their mark divides them further.
                let own = match base.len() {
                    1 => values.clone(),
                    _ => written_together(source, class, *field, values),
                };
                for &value in own.iter().filter(|_| own.len() > 1) {
                    let mut parts = class.0.clone();
                    parts.push((*field, value));
                    classes.push(Class(parts));
                }
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
        let of_field: BTreeSet<Var> = fields.iter().map(|field| field.var).collect();
        let is_other = |var: &Var| {
            let sort = terms.symbol_data(program.variables[*var].symbol).sort;
            !of_field.contains(var) && terms.array_parts(sort) == Some((Sort::INT, Sort::INT))
        };
        let mut tables: Vec<Var> = Vec::new();
        for access in source.accesses.iter().filter(|access| is_other(&access.array.var)) {
            let Kind::Write { value, .. } = access.kind else { continue };
            let points = |&leaf: &Term| {
                let pointer = variable(leaf, terms).is_some_and(|var| pointers.contains(&var));
                let linked = reads_field(leaf, terms).is_some_and(|field| links.contains(&field));
                pointer || linked || is_new(leaf, terms)
            };
            if leaves(terms, value).iter().any(points) && !tables.contains(&access.array.var) {
                tables.push(access.array.var);
            }
        }
        let mut linking: BTreeSet<Var> = BTreeSet::new();
        for access in source.accesses.iter().filter(|access| links.contains(&access.array)) {
            if let Kind::Write { .. } = access.kind {
                linking.extend(variable(block(access), terms));
            }
        }
        let data = fields.iter().filter(|field| !links.contains(field) && Some(**field) != life).copied();
        let constant: Vec<Var> = constant.into_iter().filter(is_other).collect();
        let current = tables::written_at(source, &tables, terms);
        let places = Places::new(source, &fields, &links, terms);
        let kinds = Kinds::find(source, (life, counter.term), &fields, terms);
        let walking = along_links::walking(source, &links, &pointers, terms);
        Some(Heap {
            program,
            places,
            current,
            read: EntitySet::new(),
            numbers: (first, counter.term),
            life,
            classes,
            kinds,
            data: data.collect(),
            links: links.into_iter().collect(),
            tables,
            constant,
            everywhere: Pointing { pointers, fresh, leaving, linking, walking },
            pointers: Vec::new(),
            fresh: Vec::new(),
            walking: Vec::new(),
            leaving: Vec::new(),
            linking: Vec::new(),
            parameters: Vec::new(),
            indices,
            from: None,
            found: Vec::new(),
            weaker: BTreeMap::new(),
        })
    }

    /// Speaks of these variables from now on.
    fn look_at(&mut self, visible: impl Fn(Var) -> bool + Copy, terms: &mut Terms) {
        let program = self.program;
        let mut term_of = |vars: &BTreeSet<Var>| -> Vec<Term> {
            let vars = vars.iter().filter(|&&var| visible(var)).take(limits::MOST_POINTERS);
            vars.map(|&var| program.variables.term(terms, var)).collect()
        };
        let Pointing { pointers, fresh, leaving, linking, walking } = &self.everywhere;
        (self.pointers, self.fresh, self.leaving) = (term_of(pointers), term_of(fresh), term_of(leaving));
        (self.linking, self.walking) = (term_of(linking), term_of(walking));
        self.places.look_at(program, visible, terms);
        for &cell in &self.places.pointers {
            add(&mut self.pointers, cell);
        }
    }

    /// Adds what is said about one state.
    fn all_about(&mut self, about: About, source: &Source<'_>, templates: &Templates, terms: &mut Terms) {
        match about {
            About::Shape => self.all_about_blocks(source, templates, terms),
            About::Data => self.along_links(source, templates, terms),
        }
    }

    /// Adds what is said of blocks and links.
    fn all_about_blocks(&mut self, source: &Source<'_>, templates: &Templates, terms: &mut Terms) {
        self.lives(terms);
        self.data(source, templates, terms);
        self.linked(terms);
        self.measured(source, terms);
        self.pointed(terms);
        self.places(terms);
        self.unshared(terms);
        self.tables(terms);
        if super::asks_for_some(source.program, terms) {
            self.ordered(terms);
        }
        self.pairs(terms);
    }

    /// What was found since the last time.
    fn taken(&mut self) -> Vec<Term> {
        let mut found = std::mem::take(&mut self.found);
        found.retain(|candidate| !candidate.is_true() && !candidate.is_false());
        found.truncate(limits::MOST_ABOUT_HEAPS);
        found
    }

    /// The block with a number is of a class.
    pub(super) fn is(&self, class: &Class, number: Term, terms: &mut Terms) -> Term {
        let mut parts = Vec::new();
        if self.life.is_none() {
            parts.push(terms.le(self.numbers.0, number));
            parts.push(terms.lt(number, self.numbers.1));
        }
        for &(field, value) in &class.0 {
            let cell = self.cell(field, number, terms);
            parts.push(terms.eq(cell, value));
        }
        terms.and(parts)
    }

    pub(super) fn cell(&self, field: Cells, number: Term, terms: &mut Terms) -> Term {
        indexed(self.program, field, number, terms)
    }

    pub(super) fn null(number: Term, terms: &mut Terms) -> Term {
        let zero = terms.int(0);
        terms.eq(number, zero)
    }

    /// Adds `∀k. premise ⇒ conclusion`; where that does not hold, the same without one new block, or one that is about to be freed.
    pub(super) fn all(&mut self, premise: Term, conclusion: Term, terms: &mut Terms) -> Term {
        let candidate = self.for_all(premise, conclusion, terms);
        add(&mut self.found, candidate);
        self.weaken(candidate, (premise, conclusion), terms);
        candidate
    }

    /// Tries `∀k. premise ⇒ conclusion` where a candidate that implies it does not hold, and what [`all`](Heap::all) tries then.
    pub(super) fn all_instead_of(
        &mut self,
        stronger: Term,
        (premise, conclusion): (Term, Term),
        terms: &mut Terms,
    ) -> Term {
        let candidate = self.plain_instead_of(stronger, (premise, conclusion), terms);
        self.weaken(candidate, (premise, conclusion), terms);
        candidate
    }

    /// Adds `∀k. premise ⇒ conclusion`.
    pub(super) fn all_without_exception(
        &mut self,
        premise: Term,
        conclusion: Term,
        terms: &mut Terms,
    ) -> Term {
        let candidate = self.for_all(premise, conclusion, terms);
        add(&mut self.found, candidate);
        candidate
    }

    /// Tries a candidate where another one that implies it does not hold.
    pub(super) fn instead_of(&mut self, stronger: Term, weaker: Term) {
        if stronger != weaker && !weaker.is_true() {
            add(self.weaker.entry(stronger).or_default(), weaker);
        }
    }

    /// The same without one new block, or one that is about to be freed; in procedures that are called also of new blocks only.
    fn weaken(&mut self, candidate: Term, (premise, conclusion): (Term, Term), terms: &mut Terms) {
        let exceptions: Vec<Term> = self.fresh.iter().chain(&self.leaving).copied().collect();
        self.weaken_without(candidate, (premise, conclusion), &exceptions, terms);
    }

    pub(super) fn weaken_without(
        &mut self,
        candidate: Term,
        (premise, conclusion): (Term, Term),
        exceptions: &[Term],
        terms: &mut Terms,
    ) {
        let used = self.used(premise, conclusion, terms);
        let mut of_new = None;
        if let Some(from) = self.from {
            let mut parts = vec![premise];
            for &symbol in &used {
                let index = terms.constant(symbol);
                parts.push(terms.le(from, index));
            }
            let premise = terms.and(parts);
            let weaker = self.for_all(premise, conclusion, terms);
            self.instead_of(candidate, weaker);
            of_new = Some((weaker, premise));
        }
        for (stronger, premise) in [Some((candidate, premise)), of_new].into_iter().flatten() {
            for &exception in exceptions {
                let mut apart = Vec::with_capacity(used.len());
                for &symbol in &used {
                    let index = terms.constant(symbol);
                    apart.push(terms.distinct(&[index, exception]));
                }
                let nowhere = terms.and([&[premise], apart.as_slice()].concat());
                let nowhere = self.for_all(nowhere, conclusion, terms);
                // Of two fields of a new block, one may be written already.
                for &there in apart.iter().filter(|_| apart.len() > 1) {
                    let premise = terms.and([premise, there]);
                    let weaker = self.for_all(premise, conclusion, terms);
                    self.instead_of(stronger, weaker);
                    self.instead_of(weaker, nowhere);
                }
                if apart.len() < 2 {
                    self.instead_of(stronger, nowhere);
                }
            }
        }
    }

    /// The indices that a formula has.
    fn used(&self, premise: Term, conclusion: Term, terms: &Terms) -> Vec<Symbol> {
        let symbols = self.indices.iter().filter_map(|&index| terms.as_symbol(index));
        symbols
            .filter(|&symbol| terms.mentions(premise, symbol) || terms.mentions(conclusion, symbol))
            .collect()
    }

    /// `∀k. premise ⇒ conclusion`.
    pub(super) fn for_all(&self, premise: Term, conclusion: Term, terms: &mut Terms) -> Term {
        let used = self.used(premise, conclusion, terms);
        let body = terms.implies(premise, conclusion);
        terms.quantify(Quantifier::Forall, &used, body, &[])
    }

    /// Which numbers living blocks have.
    fn lives(&mut self, terms: &mut Terms) {
        if self.life.is_none() {
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
        let plain: Vec<Class> = self.classes.iter().filter(|class| class.0.len() == 1).cloned().collect();
        if plain.len() > 1 {
            // Every block is of a kind that is spoken of.
            let cell = self.cell(plain[0].0[0].0, k, terms);
            let mut kinds = vec![Self::null(cell, terms)];
            for class in &plain {
                kinds.push(self.is(class, k, terms));
            }
            let (given, kind) = (terms.le(first, k), terms.or(kinds));
            self.all_without_exception(given, kind, terms);
        }
        for class in &plain {
            let alive = self.is(class, k, terms);
            let given = terms.le(first, k);
            let body = terms.implies(alive, given);
            let symbol = terms.as_symbol(k).expect("a symbol");
            let candidate = terms.quantify(Quantifier::Forall, &[symbol], body, &[]);
            add(&mut self.found, candidate);
        }
    }

    /// Where links lead to.
    pub(super) fn linked(&mut self, terms: &mut Terms) {
        let k = self.indices[0];
        for (field, class) in product(&self.links, &self.classes) {
            if !self.kinds.have(&class, field) {
                continue;
            }
            let target = self.cell(field, k, terms);
            let premise = self.is(&class, k, terms);
            let null = Self::null(target, terms);
            let others = self.classes.clone().into_iter().filter(|other| self.kinds.leads(field, other));
            for other in others.collect::<Vec<_>>() {
                let inside = self.is(&other, target, terms);
                let always = self.all(premise, inside, terms);
                let maybe = terms.or([null, inside]);
                let closed = self.all_instead_of(always, (premise, maybe), terms);
                self.closed_here(closed, (field, &class, &other), terms);
            }
            for back in self.links.clone() {
                if !self.may_lead_back((field, back), &class) {
                    continue;
                }
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

    /// A link leads to blocks that have another one, and that may lead back to a class.
    fn may_lead_back(&self, (field, back): (Cells, Cells), class: &Class) -> bool {
        let through = |other: &Class| self.kinds.leads(field, other) && self.kinds.have(other, back);
        self.kinds.leads(back, class) && self.classes.iter().any(through)
    }

    fn some(number: Term, terms: &mut Terms) -> Term {
        let zero = terms.int(0);
        terms.lt(zero, number)
    }

    /// A pointer is not null, and the block is not older than what it points to.
    pub(super) fn reached_from(&self, pointer: Term, block: Term, terms: &mut Terms) -> Term {
        let (some, reached) = (Self::some(pointer, terms), terms.le(pointer, block));
        terms.and([some, reached])
    }
}

/// What variables get from each other, also from calls and when they return.
pub(super) fn assignments(program: &Program, terms: &mut Terms) -> Vec<(Var, Term)> {
    let mut all = Vec::new();
    for edge in program.live_edges() {
        match &program.edges[edge].kind {
            EdgeKind::Internal(relation) => all.extend(&relation.updates),
            EdgeKind::Call(call) => {
                let old = |var: Var| matches!(program.variables[var].kind, VarKind::Old(_));
                all.extend(call.bindings.iter().filter(|&&(var, _)| !old(var)));
            }
            EdgeKind::Return(returning) => {
                for &(to, from) in &returning.results {
                    all.push((to, program.variables.term(terms, from)));
                }
            }
        }
    }
    all
}

/// The values of a field that are written by the same edges, and into the same new blocks, as the mark of a class.
fn written_together(source: &Source<'_>, class: &Class, field: Cells, values: &[Term]) -> Vec<Term> {
    let writes = |field: Cells, value: Term| {
        let same = move |access: &&Access| {
            access.array == field && matches!(access.kind, Kind::Write { value: own, .. } if own == value)
        };
        source.accesses.iter().filter(same)
    };
    let beside = |value: Term| {
        writes(field, value).any(|access| {
            let here = |other: &Access| other.edge == access.edge && other.index == access.index;
            class.0.iter().all(|&(mark, value)| writes(mark, value).any(here))
        })
    };
    values.iter().copied().filter(|&value| beside(value)).collect()
}

/// A cell of a field.
fn indexed(program: &Program, field: Cells, number: Term, terms: &mut Terms) -> Term {
    field.at(program, &[number], terms)
}

/// The field that a term is a cell of.
pub(super) fn field_read(
    program: &Program,
    fields: &BTreeSet<Cells>,
    term: Term,
    terms: &Terms,
) -> Option<Cells> {
    if terms.op(term) != Op::Select {
        return None;
    }
    let (var, path) = place(program, terms, term)?;
    let of_array = || fields.iter().filter(|field| field.var == var);
    let exactly = |field: &&Cells| field.offset.is_none_or(|offset| path.last() == Some(&offset));
    // The address of a link may lead to any link.
    of_array().find(exactly).or_else(|| of_array().next()).copied()
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
pub(super) fn product<A: Clone, B: Clone>(left: &[A], right: &[B]) -> Vec<(A, B)> {
    left.iter().flat_map(|one| right.iter().map(move |other| (one.clone(), other.clone()))).collect()
}
