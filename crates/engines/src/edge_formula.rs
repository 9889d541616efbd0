//! One shape for all edges: what holds before, what the edge demands, what holds after.
//!
//! A step over an edge relates up to three states: the one before it, for a return also the one at the call, and the
//! one after it. Their variables share symbols (globals always, locals if a procedure calls itself), so they are
//! renamed: the callee's variables become `callee x`, the globals at the call become `call g`. After renaming, a step
//! is possible exactly if `base ∧ pre ∧ call ∧ post` is satisfiable, where `pre`, `call` and `post` are predicates
//! under their substitution.

use logic::{Substitution, Term, Terms};
use program::{Edge, EdgeKind, Program, VarKind};

/// The renamings that turn a triple over an edge into one formula.
pub struct EdgeFormula {
    /// What the edge demands.
    pub base: Vec<Term>,
    /// For the predicate before the edge.
    pub pre: Substitution,
    /// For the predicate at the call of a return.
    pub call: Substitution,
    /// For the predicate after the edge.
    pub post: Substitution,
}

impl EdgeFormula {
    /// The renamings of an edge.
    pub fn new(program: &Program, edge: Edge, terms: &mut Terms) -> EdgeFormula {
        let variables = &program.variables;
        match &program.edges[edge].kind {
            EdgeKind::Internal(relation) => EdgeFormula {
                base: terms.conjuncts(relation.guard),
                pre: Substitution::new(),
                call: Substitution::new(),
                post: relation.substitution(variables),
            },
            EdgeKind::Call(call) => {
                let mut post = callee_copies(program, call.callee, terms);
                for &(var, value) in &call.bindings {
                    post.insert(variables[var].symbol, value);
                }
                EdgeFormula { base: Vec::new(), pre: Substitution::new(), call: Substitution::new(), post }
            }
            EdgeKind::Return(returning) => {
                let (_, call) = program.call_of(returning);
                let mut pre = callee_copies(program, call.callee, terms);
                let mut at_call = Substitution::new();
                for global in variables.globals() {
                    let data = &variables[global];
                    let sort = terms.symbol_data(data.symbol).sort;
                    let copy = terms.named(&format!("call {}", data.name), sort);
                    at_call.insert(data.symbol, copy);
                }
                // What was passed does not change, so its value at the call stands for it.
                for &(var, value) in &call.bindings {
                    let value = at_call.apply(terms, value);
                    pre.insert(variables[var].symbol, value);
                }
                let mut post = Substitution::new();
                for &(to, from) in &returning.results {
                    let inside = variables.term(terms, from);
                    let inside = pre.apply(terms, inside);
                    post.insert(variables[to].symbol, inside);
                }
                EdgeFormula { base: Vec::new(), pre, call: at_call, post }
            }
        }
    }
}

/// Every variable of a call of this procedure, replaced by a copy of its own.
fn callee_copies(program: &Program, callee: ir::Procedure, terms: &mut Terms) -> Substitution {
    let mut copies = Substitution::new();
    for (_, data) in program.variables.iter() {
        let copied = match data.kind {
            VarKind::Local(owner) => owner == callee,
            VarKind::Old(_) => true,
            VarKind::Constant | VarKind::Global => false,
        };
        if copied {
            let unique = terms.symbol_data(data.symbol).clone();
            let copy = terms.named(&format!("callee {}", unique.name), unique.sort);
            copies.insert(data.symbol, copy);
        }
    }
    copies
}
