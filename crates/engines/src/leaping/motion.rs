//! Motions: sequences of blocks under a strategy, as guarded updates.
//!
//! A strategy gives auxiliary constants of a block values over the state at its beginning; this is how branches are
//! disabled and scheduled (paper "Leaping Loops", Section 5). A motion is a part of what the program can do, never more.

use super::limits;
use logic::{Sort, Substitution, Symbol, Term, Terms};
use program::{Edge, Location, Program, Relation};

/// Values of auxiliary constants, over the state at the beginning of a block. A truth value is a wish: it is granted
/// where the block can go on with it. Many choices of a block are decided by what comes later in it.
pub type Strategy = Vec<(Symbol, Term)>;

/// Some of the executions of a sequence of blocks.
#[derive(Clone, Debug)]
pub struct Motion {
    /// Where it begins.
    pub source: Location,
    /// Where it ends.
    pub target: Location,
    /// The blocks with their strategies.
    pub legs: Vec<(Edge, Strategy)>,
    /// What they do. Its auxiliaries are the choices that are left, and all of them occur.
    pub relation: Relation,
}

impl Motion {
    /// Does nothing.
    pub fn stay(location: Location) -> Motion {
        Motion { source: location, target: location, legs: Vec::new(), relation: Relation::skip() }
    }

    /// One internal edge under a strategy for some of its choices.
    pub fn new(program: &Program, edge: Edge, strategy: &Strategy, terms: &mut Terms) -> Motion {
        let data = &program.edges[edge];
        let relation = program.relation(edge).expect("motions are made of internal edges");
        let own = granted(relation, strategy, terms);
        let mut chosen: Substitution = own.iter().copied().collect();
        let mut relation = Relation {
            guard: chosen.apply(terms, relation.guard),
            updates: relation.updates.iter().map(|&(var, value)| (var, chosen.apply(terms, value))).collect(),
            auxiliaries: relation.auxiliaries.clone(),
        };
        relation
            .updates
            .retain(|&(var, value)| terms.as_symbol(value) != Some(program.variables[var].symbol));
        let occurring = terms.free_symbols_of(&roots(&relation));
        relation.auxiliaries.retain(|symbol| occurring.binary_search(symbol).is_ok());
        Motion { source: data.source, target: data.target, legs: vec![(edge, own)], relation }
    }

    /// First this motion, then the other. The choices of the other are made anew.
    pub fn then(&self, other: &Motion, program: &Program, terms: &mut Terms) -> Motion {
        let mut anew = Substitution::new();
        let mut auxiliaries = Vec::new();
        for &symbol in &other.relation.auxiliaries {
            let data = terms.symbol_data(symbol).clone();
            let fresh = terms.symbol(&format!("{} in leg {}", data.name, self.legs.len()), data.sort);
            auxiliaries.push(fresh);
            let fresh = terms.constant(fresh);
            anew.insert(symbol, fresh);
        }
        auxiliaries.sort_unstable();
        let renamed = Relation {
            guard: anew.apply(terms, other.relation.guard),
            updates: other
                .relation
                .updates
                .iter()
                .map(|&(var, value)| (var, anew.apply(terms, value)))
                .collect(),
            auxiliaries,
        };
        Motion {
            source: self.source,
            target: other.target,
            legs: [&self.legs[..], &other.legs[..]].concat(),
            relation: self.relation.then(&renamed, terms, &program.variables),
        }
    }

    /// The formula in the state after the motion, over the state before it and the choices.
    pub fn after(&self, program: &Program, terms: &mut Terms, formula: Term) -> Term {
        self.relation.substitution(&program.variables).apply(terms, formula)
    }
}

/// The strategy of a relation, with wishes granted where that is possible.
fn granted(relation: &Relation, strategy: &Strategy, terms: &mut Terms) -> Strategy {
    let own = strategy.iter().filter(|(symbol, _)| relation.auxiliaries.contains(symbol)).copied();
    let (wishes, mut values): (Strategy, Strategy) =
        own.partition(|(symbol, _)| terms.symbol_data(*symbol).sort == Sort::BOOL);
    let mut guard = values.iter().copied().collect::<Substitution>().apply(terms, relation.guard);
    for (position, &(symbol, wish)) in wishes.iter().enumerate() {
        let later = &wishes[position + 1..];
        let possible = [Term::TRUE, Term::FALSE].map(|value| possible(terms, guard, (symbol, value), later));
        let value = if possible.iter().any(|&can| mentions_any(terms, can, &relation.auxiliaries)) {
            wish
        } else {
            let (wished, forced) = (terms.and([wish, possible[0]]), terms.not(possible[1]));
            terms.or([wished, forced])
        };
        guard = Substitution::from_iter([(symbol, value)]).apply(terms, guard);
        values.push((symbol, value));
    }
    values
}

/// When a guard can hold with this value of a choice and some values of later ones.
fn possible(terms: &mut Terms, guard: Term, first: (Symbol, Term), later: &[(Symbol, Term)]) -> Term {
    let mut formula = Substitution::from_iter([first]).apply(terms, guard);
    for &(symbol, _) in later.iter().take(limits::MOST_LATER_CHOICES) {
        if terms.mentions(formula, symbol) {
            let cases = [Term::TRUE, Term::FALSE]
                .map(|value| Substitution::from_iter([(symbol, value)]).apply(terms, formula));
            formula = terms.or(cases);
        }
    }
    formula
}

fn mentions_any(terms: &Terms, term: Term, symbols: &[Symbol]) -> bool {
    terms.free_symbols(term).iter().any(|symbol| symbols.contains(symbol))
}

/// The guard and the values of a relation.
pub fn roots(relation: &Relation) -> Vec<Term> {
    std::iter::once(relation.guard).chain(relation.updates.iter().map(|&(_, value)| value)).collect()
}

/// Edges one after the other.
pub fn sequence(program: &Program, edges: &[Edge], strategy: &Strategy, terms: &mut Terms) -> Option<Motion> {
    let (&first, rest) = edges.split_first()?;
    let mut motion = Motion::new(program, first, strategy, terms);
    for &edge in rest {
        let next = Motion::new(program, edge, strategy, terms);
        motion = motion.then(&next, program, terms);
    }
    Some(motion)
}
