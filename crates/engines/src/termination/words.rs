//! Words of steps: the relation of a whole word, and what has to hold before a step.
//!
//! Both are for finding candidates; whatever they lead to is asked of the steps themselves later on.

use super::transitions::Transition;
use super::{Termination, limits};
use crate::horn::Class;
use base::Interrupted;
use logic::{Substitution, Symbol, Term, qe};
use program::VarKind;
use smt::SolverOracle;

impl Termination<'_, '_> {
    /// The steps of a word, which is not empty, one after the other as a single transition. Variables that influence no
    /// guard are forgotten between them.
    pub(super) fn composed(&mut self, word: &[usize]) -> Transition {
        let program = self.context.program;
        let vars: Vec<Symbol> = program
            .variables
            .iter()
            .filter(|&(var, data)| data.kind != VarKind::Constant && self.relevant.contains(var))
            .map(|(_, data)| data.symbol)
            .collect();
        // The values of the variables, over the state before the word.
        let mut values = Substitution::new();
        let mut guard: Vec<Term> = Vec::new();
        let (mut source, mut target) = (None, 0);
        for &step in word {
            let mut transition = Transition::new(program, &self.whole, step, self.context.terms);
            let formula = transition.formula(&self.known, self.context.terms);
            source.get_or_insert(transition.source);
            target = transition.target;
            let after: Vec<Term> = vars
                .iter()
                .map(|&symbol| {
                    let value = self.context.terms.constant(symbol);
                    transition.after.apply(self.context.terms, value)
                })
                .collect();
            let mut renaming = Substitution::new();
            let mut named: Vec<Symbol> = Vec::new();
            for &symbol in &vars {
                let var = self.context.terms.constant(symbol);
                let before = transition.before.apply(self.context.terms, var);
                let Some(before) = self.context.terms.as_symbol(before) else { continue };
                renaming.insert(before, values.image(symbol).unwrap_or(var));
                named.push(before);
            }
            let mut roots = formula.clone();
            roots.extend(&after);
            for symbol in self.context.terms.free_symbols_of(&roots) {
                let var = program.variables.of_symbol(symbol);
                let constant = var.is_some_and(|var| program.variables[var].kind == VarKind::Constant);
                if !constant && !named.contains(&symbol) {
                    let data = self.context.terms.symbol_data(symbol).clone();
                    let fresh = self.context.terms.fresh_symbol(&data.name, data.sort);
                    let fresh = self.context.terms.constant(fresh);
                    renaming.insert(symbol, fresh);
                }
            }
            for conjunct in formula {
                guard.push(renaming.apply(self.context.terms, conjunct));
            }
            let mut next = Substitution::new();
            for (&symbol, value) in vars.iter().zip(after) {
                next.insert(symbol, renaming.apply(self.context.terms, value));
            }
            values = next;
        }
        guard.sort_unstable();
        guard.dedup();
        Transition {
            step: word[0],
            source: source.unwrap_or(target),
            target,
            guard,
            updates: Vec::new(),
            before: Substitution::new(),
            after: values,
            inside: None,
        }
    }

    /// A formula over the state before a step that makes sure of another one after it, without regard to when the step is
    /// possible; none if the step chooses something that matters.
    pub(super) fn substituted(&mut self, step: usize, post: Term, old: &[Symbol]) -> Option<Term> {
        let mut transition = Transition::new(self.context.program, &self.whole, step, self.context.terms);
        let before = transition.after.apply(self.context.terms, post);
        let (mut renaming, source) = (self.names_before(&mut transition), transition.source);
        let before = renaming.apply(self.context.terms, before);
        self.is_about(source, before, old).then_some(before)
    }

    /// The weakest such formula: the step may be impossible. None if it is too large or needs quantifiers.
    pub(super) fn precondition(
        &mut self,
        step: usize,
        post: Term,
        old: &[Symbol],
    ) -> Result<Option<Term>, Interrupted> {
        let program = self.context.program;
        let mut transition = Transition::new(program, &self.whole, step, self.context.terms);
        let post = transition.after.apply(self.context.terms, post);
        let mut bad = transition.guard.clone();
        if let Some((class, inside)) = &mut transition.inside {
            for &fact in &self.known[*class] {
                bad.push(inside.apply(self.context.terms, fact));
            }
        }
        bad.push(self.context.terms.not(post));
        let bad = self.context.terms.and(bad);
        let mut renaming = self.names_before(&mut transition);
        let bad = renaming.apply(self.context.terms, bad);
        let scope = self.symbols_at(transition.source);
        let mut gone = self.context.terms.free_symbols(bad);
        gone.retain(|symbol| !scope.contains(symbol) && !old.contains(symbol));
        let mut session = self.context.session();
        let mut oracle = SolverOracle::new(&mut *session);
        let left = qe::eliminate(self.context.terms, &gone, bad, &mut oracle, qe::Limits::default());
        self.context.budget.check()?;
        let mut size = 0;
        self.context.terms.for_each_subterm(&[left.formula], |_| size += 1);
        if !left.remaining.is_empty() || size > limits::MOST_PREDICATE_NODES {
            return Ok(None);
        }
        let before = self.context.terms.not(left.formula);
        Ok(self.is_about(transition.source, before, old).then_some(before))
    }

    /// Names of the state at a call become those of the state there, and what is inside of the callee gets others.
    fn names_before(&mut self, transition: &mut Transition) -> Substitution {
        let program = self.context.program;
        let terms = &mut *self.context.terms;
        let mut renaming = Substitution::new();
        if transition.inside.is_none() {
            return renaming;
        }
        for global in program.variables.globals() {
            let symbol = program.variables[global].symbol;
            let (sort, plain) = (terms.symbol_data(symbol).sort, terms.constant(symbol));
            let at_call = transition.before.apply(terms, plain);
            if let Some(named) = terms.as_symbol(at_call).filter(|&named| named != symbol) {
                renaming.insert(named, plain);
                let fresh = terms.fresh_symbol("inside", sort);
                let fresh = terms.constant(fresh);
                renaming.insert(symbol, fresh);
            }
        }
        renaming
    }

    /// Does a formula speak of the state at a class and of some names only?
    pub(super) fn is_about(&self, class: Class, formula: Term, names: &[Symbol]) -> bool {
        let scope = self.symbols_at(class);
        let symbols = self.context.terms.free_symbols(formula);
        symbols.iter().all(|symbol| scope.contains(symbol) || names.contains(symbol))
    }

    /// The symbols of the variables at a class.
    fn symbols_at(&self, class: Class) -> Vec<Symbol> {
        let program = self.context.program;
        program.scope(self.whole.locations[class]).map(|var| program.variables[var].symbol).collect()
    }
}
