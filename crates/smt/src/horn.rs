//! Constrained Horn clauses: unknown relations, and what must hold between them.
//!
//! A relation is declared with the symbols that name its parameters; a solution gives it a formula over these
//! symbols. In a clause all symbols are universally quantified, and its arguments are arbitrary terms.

use crate::solver::{Answer, Reason, Solver};
use base::PrimaryMap;
use logic::smtlib::{names, print};
use logic::{SortData, Substitution, Symbol, Term, Terms};
use std::fmt::Write;

base::id!(
    /// An unknown relation of [`Clauses`].
    Relation,
    "r"
);

/// A relation applied to terms of the sorts of its parameters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Atom {
    /// The relation.
    pub relation: Relation,
    /// As many as it has parameters.
    pub arguments: Vec<Term>,
}

/// If all premises and the constraint hold, then so does the conclusion; without one they must not hold together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Clause {
    /// The premises that are relations.
    pub premises: Vec<Atom>,
    /// The other premise.
    pub constraint: Term,
    /// What follows.
    pub conclusion: Option<Atom>,
}

impl Clause {
    /// The symbols that the clause quantifies, sorted.
    pub fn symbols(&self, terms: &Terms) -> Vec<Symbol> {
        let atoms = self.premises.iter().chain(&self.conclusion);
        let mut roots: Vec<Term> = atoms.flat_map(|atom| atom.arguments.iter().copied()).collect();
        roots.push(self.constraint);
        terms.free_symbols_of(&roots)
    }
}

/// A set of clauses over some relations.
#[derive(Clone, Default, Debug)]
pub struct Clauses {
    relations: PrimaryMap<Relation, Vec<Symbol>>,
    clauses: Vec<Clause>,
}

/// The answer of a Horn solver.
#[derive(Clone, Debug)]
pub enum Solution {
    /// Relations that satisfy all clauses, which was checked: a formula over its parameters for each.
    Solved(PrimaryMap<Relation, Term>),
    /// No relations do; the derivation of the contradiction, if the solver tells it.
    Refuted(Option<Derivation>),
    /// The solver does not know.
    Unknown(Reason),
}

/// How clauses lead to a contradiction: a tree of their uses. The first step is one of a clause without conclusion.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Derivation {
    /// The steps; premises come behind the step that needs them.
    pub steps: Vec<DerivationStep>,
}

/// The use of a clause.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DerivationStep {
    /// Which clause, by its number in [`Clauses::clauses`].
    pub clause: usize,
    /// For each of its premises the step that derives it; none if the solver does not say, because the relation holds
    /// of everything.
    pub premises: Vec<Option<usize>>,
}

impl Clauses {
    /// The derivation whose clauses are listed breadth first, if they fit together.
    pub fn derivation(&self, breadth_first: &[usize]) -> Option<Derivation> {
        let first = self.clauses.get(*breadth_first.first()?)?;
        let concludes = |index: usize, relation: Relation| {
            let clause = breadth_first.get(index).and_then(|&clause| self.clauses.get(clause));
            clause.and_then(|clause| clause.conclusion.as_ref()).is_some_and(|atom| atom.relation == relation)
        };
        let mut steps = Vec::with_capacity(breadth_first.len());
        let mut next = 1;
        for &clause in breadth_first {
            let wanted = &self.clauses.get(clause)?.premises;
            let mut premises = vec![None; wanted.len()];
            // The next clauses derive the premises, in any order and without those that need no derivation.
            while let Some(found) = (0..wanted.len())
                .find(|&premise| premises[premise].is_none() && concludes(next, wanted[premise].relation))
            {
                premises[found] = Some(next);
                next += 1;
            }
            steps.push(DerivationStep { clause, premises });
        }
        (next == steps.len() && first.conclusion.is_none()).then_some(Derivation { steps })
    }

    /// A relation with these parameters.
    pub fn add_relation(&mut self, parameters: Vec<Symbol>) -> Relation {
        self.relations.push(parameters)
    }

    /// Adds a clause.
    pub fn add(&mut self, clause: Clause) {
        self.clauses.push(clause);
    }

    /// The relations with their parameters.
    pub fn relations(&self) -> impl Iterator<Item = (Relation, &[Symbol])> {
        self.relations.iter().map(|(relation, parameters)| (relation, &parameters[..]))
    }

    /// The first clause that these formulas are not shown to satisfy, with what the solver says about a
    /// counterexample to it. The session must have no assertions.
    pub fn violated<'c>(
        &'c self,
        terms: &mut Terms,
        solver: &mut dyn Solver,
        formulas: &PrimaryMap<Relation, Term>,
    ) -> Option<(&'c Clause, Answer)> {
        self.clauses.iter().find_map(|clause| {
            let conclusion = clause.conclusion.as_ref().map(|atom| self.instance(terms, formulas, atom));
            let refuted = conclusion.map_or(Term::TRUE, |conclusion| terms.not(conclusion));
            let answer = self.check_body(terms, solver, formulas, clause, refuted);
            (!answer.is_unsat()).then_some((clause, answer))
        })
    }

    /// Replaces relations that no clause can derive by the empty one.
    ///
    /// Of relations that vanish from the problem at the beginning, Horn solvers say anything. If the others satisfy
    /// their clauses, the result satisfies all.
    pub fn without_underivable(
        &self,
        terms: &mut Terms,
        solver: &mut dyn Solver,
        formulas: &PrimaryMap<Relation, Term>,
    ) -> PrimaryMap<Relation, Term> {
        let mut derived: PrimaryMap<Relation, Term> = formulas.keys().map(|_| Term::FALSE).collect();
        loop {
            let mut changed = false;
            for clause in &self.clauses {
                let Some(conclusion) = &clause.conclusion else { continue };
                let relation = conclusion.relation;
                if derived[relation] != formulas[relation]
                    && !self.check_body(terms, solver, &derived, clause, Term::TRUE).is_unsat()
                {
                    derived[relation] = formulas[relation];
                    changed = true;
                }
            }
            if !changed {
                return derived;
            }
        }
    }

    /// Can the premises of a clause hold together with another formula?
    fn check_body(
        &self,
        terms: &mut Terms,
        solver: &mut dyn Solver,
        formulas: &PrimaryMap<Relation, Term>,
        clause: &Clause,
        other: Term,
    ) -> Answer {
        let mut all = vec![clause.constraint, other];
        for premise in &clause.premises {
            all.push(self.instance(terms, formulas, premise));
        }
        let all = terms.and(all);
        if all.is_false() {
            return Answer::Unsat;
        }
        solver.push();
        solver.assert(terms, all);
        let answer = solver.check(terms);
        solver.pop();
        answer
    }

    /// The formula of a relation at the arguments of an atom.
    fn instance(&self, terms: &mut Terms, formulas: &PrimaryMap<Relation, Term>, atom: &Atom) -> Term {
        let parameters = self.relations[atom.relation].iter().copied();
        let mut substitution: Substitution = parameters.zip(atom.arguments.iter().copied()).collect();
        substitution.apply(terms, formulas[atom.relation])
    }

    /// The clauses in the order in which they were added.
    pub fn clauses(&self) -> &[Clause] {
        &self.clauses
    }
}

/// The clauses as a script of SMT-LIB with logic `HORN`, for any Horn solver: it answers `sat` if there are relations
/// that satisfy them.
pub fn script(terms: &Terms, clauses: &Clauses) -> String {
    let mut out = String::from("(set-logic HORN)\n");
    // Sorts and relations are the only things that a clause does not bind.
    for (_, data) in terms.sorts() {
        if let SortData::Uninterpreted(name) = data {
            // Writing to a string cannot fail.
            let _ = writeln!(out, "(declare-sort {} 0)", names::encode(name));
        }
    }
    // No variable of a program has a space in its name, so none hides a relation.
    let name = |relation: Relation| format!("|relation {relation}|");
    for (relation, parameters) in clauses.relations() {
        let sorts: Vec<String> =
            parameters.iter().map(|&symbol| print::sort(terms, terms.symbol_data(symbol).sort)).collect();
        let _ = writeln!(out, "(declare-fun {} ({}) Bool)", name(relation), sorts.join(" "));
    }
    let atom = |atom: &Atom| {
        let arguments: Vec<String> =
            atom.arguments.iter().map(|&argument| print::term(terms, argument)).collect();
        if arguments.is_empty() {
            name(atom.relation)
        } else {
            format!("({} {})", name(atom.relation), arguments.join(" "))
        }
    };
    for clause in clauses.clauses() {
        let mut premises: Vec<String> = clause.premises.iter().map(atom).collect();
        premises.push(print::term(terms, clause.constraint));
        let conclusion = clause.conclusion.as_ref().map_or_else(|| "false".to_owned(), atom);
        let body = format!("(=> (and {}) {conclusion})", premises.join(" "));
        let variables: Vec<String> = clause
            .symbols(terms)
            .into_iter()
            .map(|symbol| {
                let data = terms.symbol_data(symbol);
                format!("({} {})", names::encode(&data.name), print::sort(terms, data.sort))
            })
            .collect();
        let _ = match variables[..] {
            [] => writeln!(out, "(assert {body})"),
            _ => writeln!(out, "(assert (forall ({}) {body}))", variables.join(" ")),
        };
    }
    out.push_str("(check-sat)\n");
    out
}
