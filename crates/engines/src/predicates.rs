//! The pool of predicates: formulas over the state that engines talk about.
//!
//! A predicate is an id of a formula; `true` and `false` are fixed. Equal formulas are one predicate because terms
//! are hash-consed. The pool knows for each predicate which variables it mentions and in which procedure it makes
//! sense, and it remembers which predicates are known to imply which.

use base::{EntityRef, PrimaryMap};
use logic::{Term, Terms};
use program::{Location, Program, Var, VarKind};
use rustc_hash::FxHashMap;

base::id!(
    /// A predicate of a [`PredicatePool`].
    Predicate,
    "p"
);

base::id!(
    /// A set of predicates, which stands for their conjunction.
    PredicateSet,
    "s"
);

/// What is known about a predicate.
#[derive(Clone, Debug)]
pub struct PredicateData {
    /// The formula over state symbols.
    pub formula: Term,
    /// The variables that it mentions, sorted.
    pub variables: Vec<Var>,
    /// The procedure whose variables it mentions, if it mentions any.
    pub procedure: Option<ir::Procedure>,
}

/// All predicates of a job.
#[derive(Default)]
pub struct PredicatePool {
    data: PrimaryMap<Predicate, PredicateData>,
    ids: FxHashMap<Term, Predicate>,
    sets: PrimaryMap<PredicateSet, Box<[Predicate]>>,
    set_ids: FxHashMap<Box<[Predicate]>, PredicateSet>,
}

impl Predicate {
    /// Holds everywhere.
    pub fn top() -> Predicate {
        Predicate::new(0)
    }

    /// Holds nowhere.
    pub fn bottom() -> Predicate {
        Predicate::new(1)
    }
}

impl std::ops::Index<Predicate> for PredicatePool {
    type Output = PredicateData;

    fn index(&self, predicate: Predicate) -> &PredicateData {
        &self.data[predicate]
    }
}

impl PredicatePool {
    /// A pool with `true` and `false`.
    pub fn new() -> PredicatePool {
        let mut pool = PredicatePool::default();
        for formula in [Term::TRUE, Term::FALSE] {
            let data = PredicateData { formula, variables: Vec::new(), procedure: None };
            let id = pool.data.push(data);
            pool.ids.insert(formula, id);
        }
        pool
    }

    /// The predicate of a formula. Fails if the formula mentions variables of two procedures or symbols that are
    /// no variables: such a formula is no predicate.
    pub fn add(&mut self, program: &Program, terms: &Terms, formula: Term) -> Option<Predicate> {
        if let Some(&known) = self.ids.get(&formula) {
            return Some(known);
        }
        let mut variables = Vec::new();
        let mut procedure = None;
        for symbol in terms.free_symbols(formula) {
            let var = program.variables.of_symbol(symbol)?;
            variables.push(var);
            if let VarKind::Local(owner) = program.variables[var].kind {
                if procedure.is_some_and(|other| other != owner) {
                    return None;
                }
                procedure = Some(owner);
            }
        }
        variables.sort_unstable();
        let id = self.data.push(PredicateData { formula, variables, procedure });
        self.ids.insert(formula, id);
        Some(id)
    }

    /// Does the predicate make sense at a location?
    pub fn fits(&self, program: &Program, predicate: Predicate, location: Location) -> bool {
        let procedure = self.data[predicate].procedure;
        procedure.is_none_or(|owner| program.locations[location].procedure == owner)
    }

    /// The set of some predicates. `true` is dropped; a set with `false` is the set of `false` alone.
    pub fn set(&mut self, mut predicates: Vec<Predicate>) -> PredicateSet {
        if predicates.contains(&Predicate::bottom()) {
            predicates = vec![Predicate::bottom()];
        }
        predicates.retain(|&predicate| predicate != Predicate::top());
        predicates.sort_unstable();
        predicates.dedup();
        let members = predicates.into_boxed_slice();
        if let Some(&known) = self.set_ids.get(&members) {
            return known;
        }
        let id = self.sets.push(members.clone());
        self.set_ids.insert(members, id);
        id
    }

    /// The members of a set, sorted.
    pub fn members(&self, set: PredicateSet) -> &[Predicate] {
        &self.sets[set]
    }

    /// Is this the set that holds nowhere?
    pub fn is_contradictory(&self, set: PredicateSet) -> bool {
        *self.sets[set] == [Predicate::bottom()]
    }

    /// The conjunction of a set.
    pub fn conjunction(&self, set: PredicateSet, terms: &mut Terms) -> Term {
        terms.and(self.sets[set].iter().map(|&predicate| self.data[predicate].formula))
    }

    /// How many predicates there are.
    pub fn len(&self) -> usize {
        self.data.len()
    }

    /// Never: `true` and `false` are always there.
    pub fn is_empty(&self) -> bool {
        self.data.is_empty()
    }
}
