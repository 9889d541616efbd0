//! The part of Z3's quantifier elimination that can be trusted.
//!
//! [`Z3::qe_lite`] removes what equations and a few inequations determine; it is cheap and exact. Nothing else is
//! offered. The complete procedures (`qe2`, `qe_rec`) and model-based projection (`Z3_qe_model_project`) gave wrong
//! results on small formulas, projection also overflows the stack; [`logic::qe`] does that work instead, with models
//! from a [`SolverOracle`](crate::oracle::SolverOracle).

use super::Z3;
use super::context::{Kept, Z3Error};
use logic::{Symbol, Term, Terms};
use z3_sys::*;

/// What is left of an existentially quantified formula: `∃ remaining. formula` is equivalent to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Eliminated {
    /// The formula.
    pub formula: Term,
    /// The symbols that could not be eliminated, sorted.
    pub remaining: Vec<Symbol>,
}

impl Z3 {
    /// Eliminates symbols from `∃ symbols. formula` where that is easy.
    pub fn qe_lite(
        &self,
        terms: &mut Terms,
        symbols: &[Symbol],
        formula: Term,
    ) -> Result<Eliminated, Z3Error> {
        let c = self.context.raw();
        let kept = Kept::new(&self.context);
        let body = self.encode(terms, formula)?;
        let mut variables = Vec::with_capacity(symbols.len());
        for &symbol in symbols {
            let constant = terms.constant(symbol);
            variables.push(self.encode(terms, constant)?);
        }
        // SAFETY: context, variables and body are alive; vector and result are counted before the next call.
        let formula = unsafe {
            let vector = self.context.checked(Z3_mk_ast_vector(c))?;
            Z3_ast_vector_inc_ref(c, vector);
            for variable in variables {
                Z3_ast_vector_push(c, vector, variable);
            }
            let result = kept.keep(Z3_qe_lite(c, vector, body));
            Z3_ast_vector_dec_ref(c, vector);
            self.decode(terms, result?, &[])?
        };
        let remaining = remaining(terms, symbols, formula);
        Ok(Eliminated { formula, remaining })
    }
}

/// Those of the symbols that a formula mentions.
fn remaining(terms: &Terms, symbols: &[Symbol], formula: Term) -> Vec<Symbol> {
    let mut free = terms.free_symbols(formula);
    free.retain(|symbol| symbols.contains(symbol));
    free
}
