//! The letters: what the first thread, or another one, does between two stops.
//!
//! They are the paths of the recursive procedure on which the first thread or a tracked one moves. What other threads do is the same with other
//! names. A letter has a place for every tracked thread that takes part: the one that moves, and one that it starts or awaits.

use crate::any_number::Subject;
use crate::any_number::paths::{End, Path};
use logic::{Substitution, Symbol, Term, Terms};
use program::variables::{VarData, Variables};
use program::{Relation, Var};
use std::collections::{BTreeMap, BTreeSet};

/// Where a thread sleeps that was not started.
pub(super) const ASLEEP: i64 = 0;

/// Where a thread is before and after a letter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Moves {
    pub(super) before: i64,
    pub(super) after: i64,
}

/// What a letter stands for.
#[derive(Clone, Debug)]
pub(super) struct LetterData {
    /// What it does to the data; the thread at a place has the variables of the family with that number.
    pub(super) relation: Relation,
    /// If the first thread takes part.
    pub(super) first: Option<Moves>,
    /// The others.
    pub(super) threads: Vec<Moves>,
    /// Whether it is the beginning of a trace.
    pub(super) begins: bool,
    /// Whether it is an error, and the end of a trace.
    pub(super) fails: bool,
}

/// The letters with the variables that they are about.
pub(super) struct Alphabet {
    pub(super) letters: Vec<LetterData>,
    /// The variables of the program, and those of more threads.
    pub(super) variables: Variables,
    /// The variables of the threads of a word. The first ones are those of the tracked threads.
    pub(super) families: Vec<Vec<Var>>,
    /// How many threads besides the first one an invariant can speak of.
    pub(super) tracked: usize,
    /// The family of a symbol.
    pub(super) family_of: BTreeMap<Symbol, usize>,
}

impl Alphabet {
    /// The letters of the procedure. None if a thread that takes part is at a place that is no number.
    pub(super) fn of(subject: &Subject<'_>, terms: &mut Terms) -> Option<Alphabet> {
        let Subject { single, results, controls, tallies, .. } = subject;
        // A state is what all share, then each thread, which begins with its control variable.
        let (&first, others) = controls.split_first()?;
        let mut ends: Vec<usize> = others.iter().skip(1).copied().collect();
        ends.push(results.len());
        let groups: Vec<&[Var]> =
            others.iter().zip(&ends).map(|(&begin, &end)| &results[begin..end]).collect();
        if groups.is_empty() || groups.iter().any(|group| group.len() != groups[0].len()) {
            return None;
        }
        let first_group = &results[first..others[0]];
        let mut alphabet = Alphabet {
            letters: Vec::new(),
            variables: single.variables.clone(),
            families: groups.iter().map(|group| group[1..].to_vec()).collect(),
            tracked: groups.len(),
            family_of: BTreeMap::new(),
        };
        for (number, family) in alphabet.families.iter().enumerate() {
            for &variable in family {
                alphabet.family_of.insert(single.variables[variable].symbol, number);
            }
        }
        let reader = Reader {
            variables: &single.variables,
            threads: [&[first_group][..], &groups].concat(),
            controls: controls.iter().map(|&c| single.variables[results[c]].symbol).collect(),
            tallies: tallies.iter().map(|&t| single.variables[results[t]].symbol).collect(),
        };
        for path in &subject.found.paths {
            let begins = path.instances.is_empty();
            if !begins && (path.instances.len() > 1 || path.instances[0] != *results) {
                continue;
            }
            match reader.letter(path.clone(), begins, terms) {
                Read::Letter(letter) => alphabet.letters.push(*letter),
                Read::Nothing => {}
                Read::Unclear => return None,
            }
        }
        Some(alphabet)
    }

    /// Makes sure that there are so many families.
    pub(super) fn reserve(&mut self, count: usize, terms: &mut Terms) {
        while self.families.len() < count {
            let number = self.families.len();
            let mut family = Vec::new();
            for variable in self.families[0].clone() {
                let data = &self.variables[variable];
                let (kind, sort) = (data.kind, terms.symbol_data(data.symbol).sort);
                let name = format!("{} of thread {number}", data.name);
                let symbol = terms.fresh_symbol(&name, sort);
                family.push(self.variables.add(VarData { name, symbol, kind, source: None }));
                self.family_of.insert(symbol, number);
            }
            self.families.push(family);
        }
    }

    /// Replaces families by others.
    pub(super) fn renaming(
        &self,
        families: impl IntoIterator<Item = (usize, usize)>,
        terms: &mut Terms,
    ) -> Substitution {
        let mut renaming = Substitution::new();
        for (from, to) in families.into_iter().filter(|(from, to)| from != to) {
            for (&from, &to) in self.families[from].iter().zip(&self.families[to]) {
                let to = self.variables.term(terms, to);
                renaming.insert(self.variables[from].symbol, to);
            }
        }
        renaming
    }

    /// The relation of a letter with these families at its places.
    pub(super) fn relation(&self, letter: usize, families: &[usize], terms: &mut Terms) -> Relation {
        let relation = &self.letters[letter].relation;
        let mut renaming = self.renaming(families.iter().copied().enumerate(), terms);
        let variable = |variable: Var| match self.family_of.get(&self.variables[variable].symbol) {
            Some(&place) => {
                let field = self.families[place].iter().position(|&own| own == variable);
                self.families[families[place]][field.expect("a family lists its variables")]
            }
            None => variable,
        };
        let mut updates: Vec<(Var, Term)> = relation
            .updates
            .iter()
            .map(|&(updated, value)| (variable(updated), renaming.apply(terms, value)))
            .collect();
        updates.sort_unstable();
        let guard = renaming.apply(terms, relation.guard);
        Relation { guard, updates, auxiliaries: relation.auxiliaries.clone() }
    }
}

/// What a path is.
enum Read {
    Letter(Box<LetterData>),
    /// It cannot be taken, or is another one with two threads exchanged.
    Nothing,
    /// A thread is at a place that is not known.
    Unclear,
}

struct Reader<'a> {
    variables: &'a Variables,
    /// The variables of the first thread and of the tracked ones.
    threads: Vec<&'a [Var]>,
    controls: Vec<Symbol>,
    tallies: Vec<Symbol>,
}

impl Reader<'_> {
    fn letter(&self, mut path: Path, begins: bool, terms: &mut Terms) -> Read {
        path.find_links(&self.controls, terms);
        let mut values = BTreeMap::new();
        if !path.propagate(&mut values) {
            return Read::Nothing;
        }
        // How many threads are counted at the places of those that are tracked says nothing about the letter.
        let counts = |terms: &Terms, part: Term| {
            let symbols = terms.free_symbols(part);
            let about = |list: &[Symbol]| symbols.iter().any(|symbol| list.contains(symbol));
            about(&self.tallies) && about(&self.controls)
        };
        let kept: Vec<Term> =
            terms.conjuncts(path.relation.guard).into_iter().filter(|&part| !counts(terms, part)).collect();
        path.relation.guard = terms.and(kept);
        let mut constants = Substitution::new();
        for (&symbol, &value) in &values {
            let value = terms.int(value);
            constants.insert(symbol, value);
        }
        let guard = constants.apply(terms, path.relation.guard);
        let mut updates = Vec::new();
        for &(variable, value) in &path.relation.updates {
            if !self.controls.contains(&self.variables[variable].symbol) {
                updates.push((variable, constants.apply(terms, value)));
            }
        }
        let fails = path.end == End::Error;
        let mut read: BTreeSet<Symbol> = terms.free_symbols(guard).into_iter().collect();
        for &(_, value) in &updates {
            read.extend(terms.free_symbols(value));
        }
        let mut moves = Vec::new();
        for (thread, &control) in self.threads.iter().zip(&self.controls) {
            let after = path.control_after((thread[0], control), &values, terms);
            let takes_part = if begins {
                // What sleeps at the beginning is like all others that do.
                control == self.controls[0] || after.is_some_and(|after| after != ASLEEP)
            } else {
                values.contains_key(&control)
                    || path.relation.update(thread[0]).is_some()
                    || updates.iter().any(|(variable, _)| thread.contains(variable))
                    || thread.iter().any(|&variable| read.contains(&self.variables[variable].symbol))
            };
            if !takes_part {
                moves.push(None);
                continue;
            }
            let before = if begins { Some(ASLEEP) } else { values.get(&control).copied() };
            let after = if fails { before } else { after };
            let (Some(before), Some(after)) = (before, after) else { return Read::Unclear };
            moves.push(Some(Moves { before, after }));
        }
        let first = moves.remove(0);
        // Whoever takes part is the first of those that could, or the letter is one that is there already.
        let count = moves.iter().flatten().count();
        let threads: Vec<Moves> = moves.iter().map_while(|moves| *moves).collect();
        if threads.len() < count {
            return Read::Nothing;
        }
        // What is said of those that only sleep at the beginning is left out.
        let sleeping: Vec<Var> =
            self.threads.iter().skip(1 + count).flat_map(|thread| thread.iter().copied()).collect();
        updates.retain(|(variable, _)| !sleeping.contains(variable));
        let about_sleeping = |part: &Term| {
            let symbols = terms.free_symbols(*part);
            sleeping.iter().any(|&variable| symbols.contains(&self.variables[variable].symbol))
        };
        let guard = match begins {
            true => {
                let parts: Vec<Term> =
                    terms.conjuncts(guard).into_iter().filter(|part| !about_sleeping(part)).collect();
                terms.and(parts)
            }
            false => guard,
        };
        let auxiliaries = path.relation.auxiliaries.clone();
        let relation = Relation { guard, updates, auxiliaries };
        Read::Letter(Box::new(LetterData { relation, first, threads, begins, fails }))
    }
}
