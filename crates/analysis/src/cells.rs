//! Cells of arrays at known places, as variables of their own.
//!
//! The memory of a C program is arrays of the program, and most accesses to them have an index that is one number, or one of a few:
//! the address of a variable, a field of it, an element of a small table. What an analysis has found out about indices so far says
//! which cells these are. Here, each of them becomes a variable in a copy of the program: a read of it is a read of the variable, a
//! write to it a write to the variable, and a write to a place that may be the cell's is a choice. The array stays beside it, for all
//! other accesses. The copy has the runs of the program as long as indices are what they were found out to be, so
//! what an analysis of the copy says of the variables holds of the cells.
//!
//! What a call binds and what it returns stays an array. The cost is the number of accesses, times the number of cells of an array for
//! each write to a place that is not known.

use crate::Facts;
use crate::form::Form;
use crate::limits;
use crate::state::{Domain, State};
use crate::value::Kind;
use base::{Budget, Interrupted};
use logic::{Integer, Op, Sort, Substitution, Term, Terms};
use num_traits::{Signed, ToPrimitive, Zero};
use program::variables::VarData;
use program::{EdgeKind, Program, Relation, Var, VarKind};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

/// Where a cell is: one index for each dimension of its array.
type Path = Vec<Integer>;

/// The cells of an array that are accessed.
#[derive(Default)]
struct Accesses {
    /// Those that are the only place of an access.
    exact: BTreeSet<Path>,
    /// Those that are one of a few places.
    few: BTreeSet<Path>,
    /// Whether there are accesses to other places.
    elsewhere: bool,
}

/// A program with variables for cells.
pub(crate) struct Celled {
    pub(crate) program: Program,
    /// The variables with the cells that they stand for.
    pub(crate) cells: Vec<(Var, Term)>,
    /// How many accesses have known places.
    pub(crate) resolved: usize,
}

/// Has a program arrays whose cells could become variables?
pub(crate) fn has_arrays(program: &Program, terms: &Terms) -> bool {
    program.variables.iter().any(|(_, data)| {
        matches!(data.kind, VarKind::Global | VarKind::Local(_))
            && is_table(terms, terms.symbol_data(data.symbol).sort)
    })
}

/// Is a sort that of arrays of numbers or truth values with integer indices, in any number of dimensions?
fn is_table(terms: &Terms, mut sort: Sort) -> bool {
    let mut depth = 0;
    while let Some((index, element)) = terms.array_parts(sort) {
        if index != Sort::INT {
            return false;
        }
        sort = element;
        depth += 1;
    }
    depth > 0 && (sort.is_arithmetic() || sort == Sort::BOOL)
}

/// The program with variables for the cells whose places are known from facts about it, if there are any.
pub(crate) fn with_cells(
    program: &Program,
    facts: &Facts<'_>,
    terms: &mut Terms,
    budget: &Budget,
) -> Result<Option<Celled>, Interrupted> {
    let mut survey = Survey { maps: eligible(program, terms), resolved: 0 };
    for edge in program.live_edges() {
        budget.check()?;
        let data = &program.edges[edge];
        let Some(state) = facts.state(data.source) else { continue };
        let places = Places::new(program, facts, facts.model.domain(data.source), state);
        for root in roots(&data.kind) {
            survey.look_at(&places, root, terms);
        }
    }
    let resolved = survey.resolved;
    let mut celled = program.clone();
    let mut cells: Vec<(Var, Term)> = Vec::new();
    let mut variables: FxHashMap<Var, BTreeMap<Path, Term>> = FxHashMap::default();
    for (&map, accesses) in &survey.maps {
        for path in accesses.chosen() {
            let data = &program.variables[map];
            let mut cell = terms.constant(data.symbol);
            // Variables of different procedures may be called the same, but not their symbols.
            let mut name = format!("cell {}", terms.symbol_data(data.symbol).name);
            for index in &path {
                let index = terms.int(index.clone());
                name = format!("{name}[{}]", logic::print::infix(terms, index));
                cell = terms.select(cell, index);
            }
            let symbol = terms.symbol(&name, terms.sort_of(cell));
            let var = celled.variables.add(VarData { name, symbol, kind: data.kind, source: None });
            variables.entry(map).or_default().insert(path, terms.constant(symbol));
            cells.push((var, cell));
        }
    }
    if cells.is_empty() {
        return Ok(None);
    }
    let live: Vec<_> = program.live_edges().collect();
    for edge in live {
        budget.check()?;
        let data = &program.edges[edge];
        let Some(state) = facts.state(data.source) else { continue };
        let places = Places::new(program, facts, facts.model.domain(data.source), state);
        let rewriting = Rewriting { variables: &variables, celled: &celled, places };
        if let Some(kind) = rewriting.edge(&data.kind, terms) {
            celled.edges[edge].kind = kind;
        }
    }
    Ok(Some(Celled { program: celled, cells, resolved }))
}

/// The arrays whose cells can become variables.
fn eligible(program: &Program, terms: &Terms) -> BTreeMap<Var, Accesses> {
    let mut maps: BTreeMap<Var, Accesses> = BTreeMap::new();
    for (var, data) in program.variables.iter() {
        let lives = matches!(data.kind, VarKind::Global | VarKind::Local(_));
        if lives && is_table(terms, terms.symbol_data(data.symbol).sort) {
            maps.insert(var, Accesses::default());
        }
    }
    for edge in program.live_edges() {
        match &program.edges[edge].kind {
            EdgeKind::Internal(_) => {}
            EdgeKind::Call(call) => call.bindings.iter().for_each(|(var, _)| drop(maps.remove(var))),
            EdgeKind::Return(returning) => {
                returning.results.iter().for_each(|(to, from)| {
                    maps.remove(to);
                    maps.remove(from);
                });
            }
        }
    }
    maps
}

/// The terms of an edge.
fn roots(kind: &EdgeKind) -> Vec<Term> {
    match kind {
        EdgeKind::Internal(relation) => {
            let values = relation.updates.iter().map(|&(_, value)| value);
            std::iter::once(relation.guard).chain(values).collect()
        }
        EdgeKind::Call(call) => call.bindings.iter().map(|&(_, value)| value).collect(),
        EdgeKind::Return(_) => Vec::new(),
    }
}

impl Accesses {
    /// The cells that become variables: all, or as many as can be afforded where writes change many of them at once.
    fn chosen(&self) -> Vec<Path> {
        let (exact, few) = (self.exact.len(), self.few.union(&self.exact).count());
        let most = if self.elsewhere || !self.few.is_empty() {
            limits::MOST_CELLS_AMONG_OTHERS
        } else {
            limits::MOST_CELLS
        };
        match () {
            () if few <= most => self.few.union(&self.exact).cloned().collect(),
            () if exact <= most => self.exact.iter().cloned().collect(),
            () => Vec::new(),
        }
    }
}

/// What indices are where an edge begins.
struct Places<'a> {
    program: &'a Program,
    domain: Domain<'a>,
    state: &'a State,
    temporaries: &'a BTreeMap<Var, Term>,
}

impl<'a> Places<'a> {
    fn new(program: &'a Program, facts: &'a Facts<'_>, domain: Domain<'a>, state: &'a State) -> Places<'a> {
        Places { program, domain, state, temporaries: &facts.temporaries }
    }

    /// The values of an index, if they are a few.
    fn of(&self, index: Term, terms: &mut Terms) -> Option<Vec<Integer>> {
        if let Some(number) = terms.as_integer(index) {
            return Some(vec![number.clone()]);
        }
        let mut meanings = Substitution::new();
        for symbol in terms.free_symbols(index) {
            let var = self.program.variables.of_symbol(symbol)?;
            if let Some(&meaning) = self.temporaries.get(&var) {
                meanings.insert(symbol, meaning);
            }
        }
        let index = meanings.apply(terms, index);
        let linear = terms.linear(index);
        let mut form = Form::constant(linear.constant);
        for (part, coefficient) in linear.monomials {
            let dimension = self.domain.space.known(part)?;
            self.domain.space.is_variable(dimension).then_some(())?;
            form.add_scaled(&Form::dimension(dimension), &coefficient);
        }
        let value = self.domain.evaluate(self.state, &form, Kind::Int);
        let (low, high) = (value.interval.low.as_ref()?, value.interval.high.as_ref()?);
        let step = value.stride().map_or_else(|| Integer::from(1), |stride| stride.modulus.clone());
        let (low, high) = (low.ceil().to_integer(), high.floor().to_integer());
        let count = ((&high - &low) / &step).to_usize()?;
        if (&high - &low).is_negative() || step.is_zero() || count >= limits::MOST_PLACES {
            return None;
        }
        Some((0..=count).map(|number| &low + &step * Integer::from(number)).collect())
    }
}

/// Which cells are accessed.
struct Survey {
    maps: BTreeMap<Var, Accesses>,
    resolved: usize,
}

impl Survey {
    fn look_at(&mut self, places: &Places<'_>, root: Term, terms: &mut Terms) {
        let mut seen: FxHashSet<Term> = FxHashSet::default();
        let mut pending = vec![root];
        while let Some(term) = pending.pop() {
            if !seen.insert(term) {
                continue;
            }
            let arguments = terms.args(term).to_vec();
            if let (Op::Select | Op::Store, [array, index, ..]) = (terms.op(term), &arguments[..]) {
                let element = terms.array_parts(terms.sort_of(*array)).map(|(_, element)| element);
                if element.is_some_and(|element| terms.array_parts(element).is_none()) {
                    self.access(places, (*array, *index), terms);
                }
            }
            pending.extend(arguments);
        }
    }

    /// An access to a number in an array.
    fn access(&mut self, places: &Places<'_>, (array, index): (Term, Term), terms: &mut Terms) {
        let mut indices = vec![index];
        let mut root = array;
        loop {
            let arguments = terms.args(root).to_vec();
            match terms.op(root) {
                Op::Select => indices.push(arguments[1]),
                Op::Store => {}
                _ => break,
            }
            root = arguments[0];
        }
        let Some(var) = terms.as_symbol(root).and_then(|symbol| places.program.variables.of_symbol(symbol))
        else {
            return;
        };
        if !self.maps.contains_key(&var) {
            return;
        }
        let mut paths: Option<Vec<Path>> = Some(vec![Vec::new()]);
        for &index in indices.iter().rev() {
            let known = places.of(index, terms);
            paths = paths.zip(known).and_then(|(paths, known)| {
                let few = paths.len() * known.len() <= limits::MOST_PLACES;
                let with = |path: &Path, last: &Integer| path.iter().chain([last]).cloned().collect();
                few.then(|| {
                    paths.iter().flat_map(|path| known.iter().map(move |last| with(path, last))).collect()
                })
            });
        }
        let accesses = self.maps.get_mut(&var).expect("it was looked up above");
        match paths {
            None => accesses.elsewhere = true,
            Some(mut paths) if paths.len() == 1 => {
                self.resolved += limits::MOST_PLACES;
                accesses.exact.extend(paths.pop());
            }
            Some(paths) => {
                self.resolved += limits::MOST_PLACES - paths.len();
                accesses.few.extend(paths);
            }
        }
    }
}

/// Puts variables in the place of cells.
struct Rewriting<'a> {
    variables: &'a FxHashMap<Var, BTreeMap<Path, Term>>,
    celled: &'a Program,
    places: Places<'a>,
}

impl Rewriting<'_> {
    /// What an edge does, if it accesses any of the arrays.
    fn edge(&self, kind: &EdgeKind, terms: &mut Terms) -> Option<EdgeKind> {
        let about = terms.free_symbols_of(&roots(kind));
        let map = |var: Option<Var>| var.is_some_and(|var| self.variables.contains_key(&var));
        let reads = about.iter().any(|&symbol| map(self.celled.variables.of_symbol(symbol)));
        match kind {
            EdgeKind::Internal(relation) => {
                let writes = relation.updates.iter().any(|&(var, _)| map(Some(var)));
                (reads || writes).then(|| EdgeKind::Internal(self.relation(relation, terms)))
            }
            EdgeKind::Call(call) if reads => {
                let mut call = call.clone();
                for (_, value) in &mut call.bindings {
                    *value = self.term(*value, 0, terms);
                }
                Some(EdgeKind::Call(call))
            }
            EdgeKind::Call(_) | EdgeKind::Return(_) => None,
        }
    }

    fn relation(&self, relation: &Relation, terms: &mut Terms) -> Relation {
        let mut updates = Vec::with_capacity(relation.updates.len() + 1);
        for &(var, value) in &relation.updates {
            updates.push((var, self.term(value, 0, terms)));
            for (path, cell) in self.written(var, value, terms) {
                let new = self.read((value, &path), 0, terms);
                if new != cell {
                    let symbol = terms.as_symbol(cell).expect("a cell has a symbol");
                    updates.push((self.celled.variables.of_symbol(symbol).expect("it was added"), new));
                }
            }
        }
        updates.sort_unstable();
        Relation {
            guard: self.term(relation.guard, 0, terms),
            updates,
            auxiliaries: relation.auxiliaries.clone(),
        }
    }

    /// The cells of an array that get another value when it gets this one, and maybe others.
    fn written(&self, var: Var, value: Term, terms: &mut Terms) -> Vec<(Path, Term)> {
        let Some(cells) = self.variables.get(&var) else { return Vec::new() };
        let all = || cells.iter().map(|(path, &cell)| (path.clone(), cell)).collect();
        let [array, index, ..] = terms.args(value)[..] else { return all() };
        let is_plain =
            terms.op(value) == Op::Store && terms.as_symbol(array) == Some(self.celled.variables[var].symbol);
        match self.places.of(index, terms).filter(|_| is_plain) {
            Some(heads) => {
                let begin = |head: &Integer| {
                    let head = head.clone();
                    cells.range(vec![head.clone()]..).take_while(move |(path, _)| path[0] == head)
                };
                heads.iter().flat_map(begin).map(|(path, &cell)| (path.clone(), cell)).collect()
            }
            None => all(),
        }
    }

    /// A term with variables in the place of cells.
    fn term(&self, term: Term, depth: usize, terms: &mut Terms) -> Term {
        let mut done = FxHashMap::default();
        terms.transform(term, &mut done, |terms, node| {
            let is_number = terms.array_parts(terms.sort_of(node)).is_none();
            if terms.op(node) != Op::Select
                || !is_number
                || depth > limits::MOST_NESTED
                || !self.has_cells(node, terms)
            {
                return None;
            }
            let [array, index] = terms.args(node)[..] else { unreachable!("a read has two arguments") };
            let known = self.places.of(index, terms).filter(|known| known.len() <= limits::MOST_SPLIT)?;
            Some(self.one_of((array, index), (&known, &[]), depth, terms))
        })
    }

    /// Does an access lead to an array with cells?
    fn has_cells(&self, mut node: Term, terms: &Terms) -> bool {
        while let Op::Select | Op::Store = terms.op(node) {
            node = terms.args(node)[0];
        }
        let var = terms.as_symbol(node).and_then(|symbol| self.celled.variables.of_symbol(symbol));
        var.is_some_and(|var| self.variables.contains_key(&var))
            || matches!(terms.op(node), Op::Ite | Op::ConstArray(_))
    }

    /// The element of an array at an index that is one of a few, and from there on along a path.
    fn one_of(
        &self,
        (array, index): (Term, Term),
        (known, behind): (&[Integer], &[Integer]),
        depth: usize,
        terms: &mut Terms,
    ) -> Term {
        let path = |head: &Integer| [std::slice::from_ref(head), behind].concat();
        let (last, others) = known.split_last().expect("an index has a value");
        let mut result = self.read((array, &path(last)), depth + 1, terms);
        let index = if others.is_empty() { index } else { self.term(index, depth + 1, terms) };
        for head in others.iter().rev() {
            let here = self.read((array, &path(head)), depth + 1, terms);
            let number = terms.int(head.clone());
            let is_here = terms.eq(index, number);
            result = terms.ite(is_here, here, result);
        }
        result
    }

    /// The number in an array at a place.
    fn read(&self, (array, path): (Term, &[Integer]), depth: usize, terms: &mut Terms) -> Term {
        let arguments = terms.args(array).to_vec();
        let depth = depth + 1;
        match (terms.op(array), &arguments[..]) {
            _ if depth > limits::MOST_NESTED => {}
            (Op::Store, &[inner, index, value]) => {
                let known = self.places.of(index, terms);
                let elsewhere = known.as_ref().is_some_and(|known| !known.contains(&path[0]));
                if elsewhere {
                    return self.read((inner, path), depth, terms);
                }
                let written = self.within((value, &path[1..]), depth, terms);
                if known.is_some_and(|known| known.len() == 1) {
                    return written;
                }
                let kept = self.read((inner, path), depth, terms);
                let (index, here) = (self.term(index, depth, terms), terms.int(path[0].clone()));
                let is_here = terms.eq(index, here);
                return terms.ite(is_here, written, kept);
            }
            (Op::Ite, &[condition, then, otherwise]) => {
                let (then, otherwise) =
                    (self.read((then, path), depth, terms), self.read((otherwise, path), depth, terms));
                let condition = self.term(condition, depth, terms);
                return terms.ite(condition, then, otherwise);
            }
            (Op::ConstArray(_), &[element]) => return self.within((element, &path[1..]), depth, terms),
            (Op::Select, &[outer, index]) => {
                let known = self.places.of(index, terms).filter(|known| known.len() <= limits::MOST_SPLIT);
                if let Some(known) = known {
                    return self.one_of((outer, index), (&known, path), depth, terms);
                }
            }
            (Op::Symbol(symbol), _) => {
                let var = self.celled.variables.of_symbol(symbol);
                let cell = var.and_then(|var| self.variables.get(&var)).and_then(|cells| cells.get(path));
                if let Some(&cell) = cell {
                    return cell;
                }
            }
            _ => {}
        }
        let mut element = array;
        for index in path {
            let index = terms.int(index.clone());
            element = terms.select(element, index);
        }
        element
    }

    /// What is written somewhere, or the number in it at a place.
    fn within(&self, (value, path): (Term, &[Integer]), depth: usize, terms: &mut Terms) -> Term {
        if path.is_empty() { self.term(value, depth, terms) } else { self.read((value, path), depth, terms) }
    }
}
