//! Interpolants from unsatisfiable cores (paper "Interpolation from unsatisfiable cores", the poster's three levels).
//!
//! Forwards, the predicate after an edge is the strongest postcondition of the one before; backwards, the predicate
//! before an edge is the weakest precondition of the one after. Level by level less is kept: first everything, then
//! only variables that are read later ([`live`]), then in addition only edges of the unsatisfiable core, while the
//! others are relaxed to "changes its variables somehow". Quantifiers are eliminated; what cannot be eliminated stays
//! quantified, and the check of the sequence decides whether the solver can live with it.
//!
//! Calls and returns: the postcondition of a return joins what holds at the exit of the callee with what held at the
//! call. Backwards, a return needs what held at the call, so the forward sequence is computed first and both are
//! joined.

mod live;

use super::Level;
use super::limits;
use crate::context::Context;
use crate::edge_formula::EdgeFormula;
use crate::traces::Trace;
use base::{EntitySet, Interrupted};
use logic::simplify::simplify;
use logic::{Quantifier, Substitution, Symbol, Term, qe};
use program::{Call, Edge, EdgeKind, Relation, ReturnEdge, Var, VarKind};
use smt::SolverOracle;

/// Strongest postconditions; none if they grow too large.
pub fn forwards(
    context: &mut Context<'_>,
    trace: &Trace,
    core: &[usize],
    level: Level,
) -> Result<Option<Vec<Term>>, Interrupted> {
    let relaxed = relaxed_positions(trace, core, level);
    let live = (level >= Level::LiveVariables).then(|| live::live_variables(context, trace, &relaxed));
    let mut formulas = vec![Term::TRUE];
    for (position, &edge) in trace.edges.iter().enumerate() {
        let before = formulas[position];
        let (joined, mut gone) = match &context.program.edges[edge].kind {
            EdgeKind::Internal(relation) => after_internal(context, before, relation, relaxed[position]),
            EdgeKind::Call(call) => after_call(context, before, call),
            EdgeKind::Return(returning) => {
                let at_call = formulas[trace.calls[position].expect("a return has a call")];
                after_return(context, edge, AtReturn { exit: before, call: at_call }, returning)
            }
        };
        if let Some(live) = &live {
            gone.extend(dead_symbols(context, joined, &live[position + 1]));
        }
        let after = eliminate(context, gone, joined)?;
        if context.terms.dag_size(after) > limits::LARGEST {
            return Ok(None);
        }
        formulas.push(after);
    }
    // The trace is infeasible, so the last postcondition is a contradiction; the check shows it.
    formulas[trace.len()] = Term::FALSE;
    Ok(Some(formulas))
}

/// Weakest preconditions; none if they grow too large.
pub fn backwards(
    context: &mut Context<'_>,
    trace: &Trace,
    core: &[usize],
    level: Level,
) -> Result<Option<Vec<Term>>, Interrupted> {
    let relaxed = relaxed_positions(trace, core, level);
    let forward = if trace.calls.iter().any(Option::is_some) {
        match forwards(context, trace, core, level)? {
            Some(forward) => Some(forward),
            None => return Ok(None),
        }
    } else {
        None
    };
    let mut formulas = vec![Term::FALSE; trace.len() + 1];
    for (position, &edge) in trace.edges.iter().enumerate().rev() {
        let after = formulas[position + 1];
        let (refuted, gone) = match &context.program.edges[edge].kind {
            EdgeKind::Internal(relation) => before_internal(context, after, relation, relaxed[position]),
            EdgeKind::Call(_) => before_call(context, after, edge),
            EdgeKind::Return(_) => {
                let call = trace.calls[position].expect("a return has a call");
                let at_call = forward.as_ref().expect("there is a return")[call];
                before_return(context, after, edge, at_call)
            }
        };
        // ∀x. φ is ¬∃x. ¬φ.
        let exists = eliminate(context, gone, refuted)?;
        let before = context.terms.not(exists);
        if context.terms.dag_size(before) > limits::LARGEST {
            return Ok(None);
        }
        formulas[position] = before;
    }
    formulas[0] = Term::TRUE;
    if let Some(forward) = forward {
        for (formula, known) in formulas.iter_mut().zip(forward) {
            *formula = context.terms.and([*formula, known]);
        }
    }
    Ok(Some(formulas))
}

fn relaxed_positions(trace: &Trace, core: &[usize], level: Level) -> Vec<bool> {
    (0..trace.len()).map(|position| level >= Level::Core && core.binary_search(&position).is_err()).collect()
}

/// A formula, and the symbols that have to go from it.
type Joined = (Term, Vec<Symbol>);

fn after_internal(context: &mut Context<'_>, before: Term, relation: &Relation, relaxed: bool) -> Joined {
    let variables = &context.program.variables;
    let terms = &mut *context.terms;
    let mut old = Substitution::new();
    let mut gone = Vec::new();
    for &(var, _) in &relation.updates {
        let data = terms.symbol_data(variables[var].symbol).clone();
        let symbol = terms.symbol(&format!("before {}", data.name), data.sort);
        let term = terms.constant(symbol);
        old.insert(variables[var].symbol, term);
        gone.push(symbol);
    }
    let mut parts = vec![old.apply(terms, before)];
    if !relaxed {
        parts.push(old.apply(terms, relation.guard));
        for &(var, value) in &relation.updates {
            let (now, value) = (variables.term(terms, var), old.apply(terms, value));
            parts.push(terms.eq(now, value));
        }
        gone.extend(&relation.auxiliaries);
    }
    (terms.and(parts), gone)
}

fn after_call(context: &mut Context<'_>, before: Term, call: &Call) -> Joined {
    let variables = &context.program.variables;
    let terms = &mut *context.terms;
    let values: Vec<Term> = call.bindings.iter().map(|&(_, value)| value).chain([before]).collect();
    let mut caller = Substitution::new();
    let mut gone = Vec::new();
    for symbol in terms.free_symbols_of(&values) {
        let own = variables.of_symbol(symbol).is_some_and(|var| variables[var].kind.belongs_to_a_call());
        if own {
            let data = terms.symbol_data(symbol).clone();
            let copy = terms.symbol(&format!("caller {}", data.name), data.sort);
            let term = terms.constant(copy);
            caller.insert(symbol, term);
            gone.push(copy);
        }
    }
    let mut parts = vec![caller.apply(terms, before)];
    for &(var, value) in &call.bindings {
        let (inside, value) = (variables.term(terms, var), caller.apply(terms, value));
        parts.push(terms.eq(inside, value));
    }
    (terms.and(parts), gone)
}

/// What is known at the exit of a procedure, and what was known at its call.
#[derive(Clone, Copy)]
struct AtReturn {
    exit: Term,
    call: Term,
}

fn after_return(context: &mut Context<'_>, edge: Edge, known: AtReturn, returning: &ReturnEdge) -> Joined {
    let variables = &context.program.variables;
    let terms = &mut *context.terms;
    let mut formula = EdgeFormula::new(context.program, edge, terms);
    let mut parts = formula.base.clone();
    parts.push(formula.pre.apply(terms, known.exit));
    parts.push(formula.call.apply(terms, known.call));
    let joined = terms.and(parts);
    let mut overwritten = Substitution::new();
    for &(to, _) in &returning.results {
        let data = terms.symbol_data(variables[to].symbol).clone();
        let before = terms.named(&format!("before {}", data.name), data.sort);
        overwritten.insert(variables[to].symbol, before);
    }
    let mut parts = vec![overwritten.apply(terms, joined)];
    for &(to, from) in &returning.results {
        let (now, inside) = (variables.term(terms, to), variables.term(terms, from));
        let inside = formula.pre.apply(terms, inside);
        parts.push(terms.eq(now, inside));
    }
    let joined = terms.and(parts);
    let gone = foreign_symbols(context, joined);
    (joined, gone)
}

/// `¬(guard ⇒ after[updates])`, and what is quantified universally.
fn before_internal(context: &mut Context<'_>, after: Term, relation: &Relation, relaxed: bool) -> Joined {
    let variables = &context.program.variables;
    let terms = &mut *context.terms;
    if relaxed {
        let refuted = terms.not(after);
        return (refuted, relation.updates.iter().map(|&(var, _)| variables[var].symbol).collect());
    }
    let updated = relation.substitution(variables).apply(terms, after);
    let refuted = terms.not(updated);
    (terms.and([relation.guard, refuted]), relation.auxiliaries.clone())
}

fn before_call(context: &mut Context<'_>, after: Term, edge: Edge) -> Joined {
    let mut formula = EdgeFormula::new(context.program, edge, context.terms);
    let passed = formula.post.apply(context.terms, after);
    let refuted = context.terms.not(passed);
    let gone = foreign_symbols(context, refuted);
    (refuted, gone)
}

/// What must hold at the exit of the callee, given what held at the call.
fn before_return(context: &mut Context<'_>, after: Term, edge: Edge, at_call: Term) -> Joined {
    let mut formula = EdgeFormula::new(context.program, edge, context.terms);
    let terms = &mut *context.terms;
    let goal = formula.post.apply(terms, after);
    let refuted = terms.not(goal);
    let mut parts = formula.base.clone();
    parts.push(formula.call.apply(terms, at_call));
    parts.push(refuted);
    let joined = terms.and(parts);
    // The caller's variables go, and the callee's copies become the callee's variables again.
    let variables = &context.program.variables;
    let mut away = Substitution::new();
    let mut gone = Vec::new();
    for symbol in terms.free_symbols(joined) {
        let kind = variables.of_symbol(symbol).map(|var| variables[var].kind);
        if kind.is_some_and(VarKind::belongs_to_a_call) {
            let data = terms.symbol_data(symbol).clone();
            let copy = terms.symbol(&format!("caller {}", data.name), data.sort);
            let term = terms.constant(copy);
            away.insert(symbol, term);
            gone.push(copy);
        }
    }
    let joined = away.apply(terms, joined);
    let mut back = Substitution::new();
    for (_, data) in variables.iter() {
        let own = terms.constant(data.symbol);
        let copy = formula.pre.apply(terms, own);
        if let Some(copy) = terms.as_symbol(copy).filter(|&copy| copy != data.symbol) {
            back.insert(copy, own);
        }
    }
    let joined = back.apply(terms, joined);
    gone.extend(foreign_symbols(context, joined));
    gone.sort_unstable();
    gone.dedup();
    (joined, gone)
}

/// Symbols of a formula that are no variables of the state.
fn foreign_symbols(context: &Context<'_>, formula: Term) -> Vec<Symbol> {
    let symbols = context.terms.free_symbols(formula).into_iter();
    symbols.filter(|&symbol| context.program.variables.of_symbol(symbol).is_none()).collect()
}

/// Symbols of variables that nobody reads any more.
fn dead_symbols(context: &Context<'_>, formula: Term, live: &EntitySet<Var>) -> Vec<Symbol> {
    let variables = &context.program.variables;
    let dead = |symbol: &Symbol| {
        let var = variables.of_symbol(*symbol);
        var.is_some_and(|var| variables[var].kind != VarKind::Constant && !live.contains(var))
    };
    context.terms.free_symbols(formula).into_iter().filter(dead).collect()
}

/// `∃ gone. formula`, without quantifiers as far as possible.
fn eliminate(context: &mut Context<'_>, gone: Vec<Symbol>, formula: Term) -> Result<Term, Interrupted> {
    context.budget.check()?;
    let mut session = context.session();
    let mut oracle = SolverOracle::new(&mut *session);
    let result = qe::eliminate(context.terms, &gone, formula, &mut oracle, qe::Limits::default());
    context.budget.check()?;
    let simple = simplify(context.terms, result.formula);
    Ok(context.terms.quantify(Quantifier::Exists, &result.remaining, simple, &[]))
}
