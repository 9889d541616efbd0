//! Horn clauses solved by Spacer.
//!
//! Transformations that rename, inline or slice relations are switched off, because afterwards the solution would speak
//! of other relations than the problem. A query is bounded by a resource limit, so that it costs the same in every run.

use super::Z3;
use super::context::{Context, Parameters, Setting, Z3Error, text};
use crate::horn::{Atom, Clauses, Solution};
use crate::solver::Reason;
use base::{Interrupted, PrimaryMap};
use logic::{Symbol, Term, Terms};
use std::rc::Rc;
use z3_sys::*;

impl Z3 {
    /// Looks for relations that satisfy all clauses.
    pub fn spacer(&self, terms: &mut Terms, clauses: &Clauses, rlimit: u32) -> Solution {
        let solution = self.solve(terms, clauses, rlimit);
        let solution = solution.unwrap_or_else(|error| Solution::Unknown(Reason::Error(error.0)));
        match (solution, self.context.budget().check()) {
            (Solution::Unknown(_), Err(Interrupted(limit))) => Solution::Unknown(Reason::Interrupted(limit)),
            (solution, _) => solution,
        }
    }

    fn solve(&self, terms: &mut Terms, clauses: &Clauses, rlimit: u32) -> Result<Solution, Z3Error> {
        let engine = Engine::new(&self.context, rlimit)?;
        let bool_sort = self.encoder.borrow_mut().sort(terms, logic::Sort::BOOL)?;
        let mut declarations: PrimaryMap<crate::horn::Relation, Z3_func_decl> = PrimaryMap::new();
        for (relation, parameters) in clauses.relations() {
            let mut sorts = Vec::with_capacity(parameters.len());
            for &parameter in parameters {
                let sort = terms.symbol_data(parameter).sort;
                sorts.push(self.encoder.borrow_mut().sort(terms, sort)?);
            }
            declarations.push(engine.declare(&format!("{relation}"), &sorts, bool_sort)?);
        }
        let error = engine.declare("error", &[], bool_sort)?;
        for clause in clauses.clauses() {
            let mut premises = vec![self.encode(terms, clause.constraint)?];
            for atom in &clause.premises {
                premises.push(self.atom(terms, declarations[atom.relation], atom)?);
            }
            let conclusion = match &clause.conclusion {
                Some(atom) => self.atom(terms, declarations[atom.relation], atom)?,
                None => engine.apply(error, &[])?,
            };
            let atoms = clause.premises.iter().chain(&clause.conclusion);
            let mut roots: Vec<Term> = atoms.flat_map(|atom| atom.arguments.iter().copied()).collect();
            roots.push(clause.constraint);
            let mut variables = Vec::new();
            for symbol in terms.free_symbols_of(&roots) {
                variables.push(self.constant(terms, symbol)?);
            }
            engine.rule(&premises, conclusion, &variables)?;
        }
        let query = engine.apply(error, &[])?;
        // SAFETY: engine and query are alive and of this context.
        let answer = unsafe { Z3_fixedpoint_query(self.context.raw(), engine.raw, query) };
        match answer {
            Z3_L_FALSE => {
                let mut solution = PrimaryMap::new();
                for (relation, parameters) in clauses.relations() {
                    let formula = self.cover(terms, &engine, declarations[relation], parameters)?;
                    solution.push(formula);
                }
                Ok(Solution::Solved(solution))
            }
            Z3_L_TRUE => Ok(Solution::Refuted),
            _ => Ok(Solution::Unknown(Reason::Incomplete(engine.reason()))),
        }
    }

    fn constant(&self, terms: &mut Terms, symbol: Symbol) -> Result<Z3_ast, Z3Error> {
        let term = terms.constant(symbol);
        self.encode(terms, term)
    }

    fn atom(&self, terms: &Terms, relation: Z3_func_decl, atom: &Atom) -> Result<Z3_ast, Z3Error> {
        let mut arguments = Vec::with_capacity(atom.arguments.len());
        for &argument in &atom.arguments {
            arguments.push(self.encode(terms, argument)?);
        }
        apply(&self.context, relation, &arguments)
    }

    /// What the solution says about a relation, over its parameters.
    fn cover(
        &self,
        terms: &mut Terms,
        engine: &Engine,
        relation: Z3_func_decl,
        parameters: &[Symbol],
    ) -> Result<Term, Z3Error> {
        // SAFETY: engine and declaration are alive; the result is kept before the next call.
        let cover = unsafe { Z3_fixedpoint_get_cover_delta(self.context.raw(), engine.raw, -1, relation) };
        let cover = self.context.keep(self.context.checked(cover)?);
        // Parameter 0 is variable 0, and the decoder wants that one last.
        let free: Vec<Term> = parameters.iter().rev().map(|&parameter| terms.constant(parameter)).collect();
        self.decode(terms, cover, &free)
    }
}

fn apply(context: &Context, function: Z3_func_decl, arguments: &[Z3_ast]) -> Result<Z3_ast, Z3Error> {
    // SAFETY: declaration and arguments are alive; Z3 checks their sorts.
    let application =
        unsafe { Z3_mk_app(context.raw(), function, arguments.len() as u32, arguments.as_ptr()) };
    Ok(context.keep(context.checked(application)?))
}

/// A fixed-point engine.
struct Engine {
    context: Rc<Context>,
    raw: Z3_fixedpoint,
}

impl Engine {
    fn new(context: &Rc<Context>, rlimit: u32) -> Result<Engine, Z3Error> {
        // SAFETY: the count is raised at once and lowered when this is dropped.
        let raw = unsafe {
            let raw = context.checked(Z3_mk_fixedpoint(context.raw()))?;
            Z3_fixedpoint_inc_ref(context.raw(), raw);
            raw
        };
        let engine = Engine { context: Rc::clone(context), raw };
        let settings = [
            ("engine", Setting::Word("spacer")),
            ("xform.inline_eager", Setting::Flag(false)),
            ("xform.inline_linear", Setting::Flag(false)),
            ("xform.inline_linear_branch", Setting::Flag(false)),
            ("xform.slice", Setting::Flag(false)),
            ("rlimit", Setting::Number(rlimit)),
        ];
        let parameters = Parameters::new(context, &settings)?;
        // SAFETY: engine and parameters are alive.
        unsafe { Z3_fixedpoint_set_params(context.raw(), raw, parameters.raw) };
        context.done()?;
        Ok(engine)
    }

    /// Declares a relation and makes it known to the engine.
    fn declare(&self, name: &str, sorts: &[Z3_sort], result: Z3_sort) -> Result<Z3_func_decl, Z3Error> {
        let name = self.context.symbol(name)?;
        // SAFETY: sorts are alive; the declaration is kept alive by its own count, as long as the context.
        unsafe {
            let raw = self.context.raw();
            let declaration = Z3_mk_func_decl(raw, name, sorts.len() as u32, sorts.as_ptr(), result);
            let declaration = self.context.checked(declaration)?;
            let ast = self.context.checked(Z3_func_decl_to_ast(raw, declaration))?;
            self.context.keep(ast);
            Z3_fixedpoint_register_relation(raw, self.raw, declaration);
            self.context.done()?;
            Ok(declaration)
        }
    }

    fn apply(&self, function: Z3_func_decl, arguments: &[Z3_ast]) -> Result<Z3_ast, Z3Error> {
        apply(&self.context, function, arguments)
    }

    /// For all variables: if the premises then the conclusion.
    fn rule(&self, premises: &[Z3_ast], conclusion: Z3_ast, variables: &[Z3_ast]) -> Result<(), Z3Error> {
        let raw = self.context.raw();
        // SAFETY: all terms are alive; intermediate results are kept before the next call.
        unsafe {
            let premise = self.context.checked(Z3_mk_and(raw, premises.len() as u32, premises.as_ptr()))?;
            let premise = self.context.keep(premise);
            let body = self.context.checked(Z3_mk_implies(raw, premise, conclusion))?;
            let mut rule = self.context.keep(body);
            if !variables.is_empty() {
                let mut bound = Vec::with_capacity(variables.len());
                for &variable in variables {
                    bound.push(self.context.checked(Z3_to_app(raw, variable))?);
                }
                let count = bound.len() as u32;
                let closed = Z3_mk_forall_const(raw, 0, count, bound.as_ptr(), 0, std::ptr::null(), rule);
                rule = self.context.keep(self.context.checked(closed)?);
            }
            let name = self.context.checked(Z3_mk_int_symbol(raw, 0))?;
            Z3_fixedpoint_add_rule(raw, self.raw, rule, Some(name));
        }
        self.context.done()
    }

    fn reason(&self) -> String {
        // SAFETY: the engine is alive, and the string is copied before the next call.
        unsafe { text(Z3_fixedpoint_get_reason_unknown(self.context.raw(), self.raw)) }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // SAFETY: the count was raised when this was made.
        unsafe { Z3_fixedpoint_dec_ref(self.context.raw(), self.raw) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::horn::Clause;
    use base::Budget;
    use logic::Sort;
    use logic::evaluate::holds;
    use logic::{Model, Value};

    /// x = 0; while (*) x := x + 2; assert x != bad
    fn counter(bad: i64) -> (Terms, Symbol, Clauses) {
        let mut terms = Terms::new();
        let x = terms.symbol("x", Sort::INT);
        let (tx, zero, two, bad) = (terms.constant(x), terms.int(0), terms.int(2), terms.int(bad));
        let mut clauses = Clauses::default();
        let relation = clauses.add_relation(vec![x]);
        let atom = |argument| Atom { relation, arguments: vec![argument] };
        clauses.add(Clause { premises: vec![], constraint: Term::TRUE, conclusion: Some(atom(zero)) });
        let next = terms.add(&[tx, two]);
        let step = Clause { premises: vec![atom(tx)], constraint: Term::TRUE, conclusion: Some(atom(next)) };
        clauses.add(step);
        let wrong = terms.eq(tx, bad);
        clauses.add(Clause { premises: vec![atom(tx)], constraint: wrong, conclusion: None });
        (terms, x, clauses)
    }

    #[test]
    fn a_solution_is_inductive() {
        let (mut terms, x, clauses) = counter(-1);
        let solution = Z3::new(&Budget::unlimited()).spacer(&mut terms, &clauses, 10_000_000);
        let Solution::Solved(formulas) = solution else { panic!("{solution:?}") };
        let formula = formulas.values().copied().next().expect("one relation");
        for (value, expected) in [(0, true), (2, true), (40, true), (-1, false)] {
            let mut model = Model::new();
            model.set(x, Value::Int(value.into()));
            assert_eq!(holds(&mut terms, &model, formula), Ok(expected), "{value}");
        }
    }

    #[test]
    fn a_refutation_is_recognised() {
        let (mut terms, _, clauses) = counter(6);
        let solution = Z3::new(&Budget::unlimited()).spacer(&mut terms, &clauses, 10_000_000);
        assert!(matches!(solution, Solution::Refuted), "{solution:?}");
    }

    #[test]
    fn work_is_bounded() {
        let (mut terms, _, clauses) = counter(2_000_000);
        let solution = Z3::new(&Budget::unlimited()).spacer(&mut terms, &clauses, 100_000);
        assert!(matches!(solution, Solution::Unknown(_)), "{solution:?}");
    }
}
