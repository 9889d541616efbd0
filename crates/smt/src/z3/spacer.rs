//! Horn clauses solved by Spacer.
//!
//! Transformations that inline or slice relations are switched off, because afterwards the solution would speak of other
//! relations than the problem. Some relations vanish all the same (those that nothing can derive); their formulas are
//! corrected afterwards. Every solution is checked before it is returned. A query is bounded by a resource limit, so
//! that it costs the same in every run.

use super::Z3;
use super::context::{Context, Kept, Parameters, Setting, Z3Error, reason, text};
use crate::horn::{Atom, Clauses, Relation, Solution};
use crate::solver::{Reason, Solver};
use base::{Interrupted, PrimaryMap};
use logic::{Sort, Symbol, Term, Terms};
use std::rc::Rc;
use z3_sys::*;

impl Z3 {
    /// Looks for relations that satisfy all clauses. The search may cost `rlimit`, and so may the check of each clause.
    ///
    /// Quantifiers, uninterpreted functions and divisions by something other than a number are not understood; clauses
    /// with them are not solved.
    pub fn spacer(&self, terms: &mut Terms, clauses: &Clauses, rlimit: u32) -> Solution {
        let found =
            Problem::new(self, terms, clauses, rlimit).and_then(|problem| problem.solve(terms, clauses));
        let solution = match found {
            Ok(Solution::Solved(formulas)) => self.checked_solution(terms, clauses, formulas, rlimit),
            Ok(other) => other,
            Err(error) => Solution::Unknown(error.into()),
        };
        match (solution, self.context.budget().check()) {
            (Solution::Unknown(_), Err(Interrupted(limit))) => Solution::Unknown(Reason::Interrupted(limit)),
            (solution, _) => solution,
        }
    }

    fn checked_solution(
        &self,
        terms: &mut Terms,
        clauses: &Clauses,
        formulas: PrimaryMap<Relation, Term>,
        rlimit: u32,
    ) -> Solution {
        let mut session = self.session();
        session.set_rlimit(Some(rlimit));
        if clauses.violated(terms, &mut session, &formulas).is_none() {
            return Solution::Solved(formulas);
        }
        let formulas = clauses.without_underivable(terms, &mut session, &formulas);
        match clauses.violated(terms, &mut session, &formulas) {
            None => Solution::Solved(formulas),
            Some(_) => Solution::Unknown(Reason::Incomplete("the relations violate a clause".to_owned())),
        }
    }
}

/// Clauses as Spacer sees them.
struct Problem<'z> {
    z3: &'z Z3,
    engine: Engine,
    relations: PrimaryMap<Relation, Z3_func_decl>,
    error: Z3_func_decl,
}

impl<'z> Problem<'z> {
    fn new(z3: &'z Z3, terms: &mut Terms, clauses: &Clauses, rlimit: u32) -> Result<Problem<'z>, Z3Error> {
        let engine = Engine::new(&z3.context, rlimit)?;
        let result = z3.encoder.borrow_mut().sort(terms, Sort::BOOL)?;
        let mut relations = PrimaryMap::new();
        for (relation, parameters) in clauses.relations() {
            let mut sorts = Vec::with_capacity(parameters.len());
            for &parameter in parameters {
                let sort = terms.symbol_data(parameter).sort;
                sorts.push(z3.encoder.borrow_mut().sort(terms, sort)?);
            }
            // With a dot at the end the name is none of those that the encoder gives to symbols and functions.
            relations.push(engine.declare(&format!("relation {relation}."), &sorts, result)?);
        }
        let error = engine.declare("error.", &[], result)?;
        let problem = Problem { z3, engine, relations, error };
        for (number, clause) in clauses.clauses().iter().enumerate() {
            let mut premises = vec![z3.encode(terms, clause.constraint)?];
            for atom in &clause.premises {
                premises.push(problem.atom(terms, atom)?);
            }
            let conclusion = match &clause.conclusion {
                Some(atom) => problem.atom(terms, atom)?,
                None => problem.engine.apply(error, &[])?,
            };
            let mut variables = Vec::new();
            for symbol in clause.symbols(terms) {
                let constant = terms.constant(symbol);
                variables.push(z3.encode(terms, constant)?);
            }
            problem.engine.rule(&format!("{RULE}{number}"), &premises, conclusion, &variables)?;
        }
        Ok(problem)
    }

    fn atom(&self, terms: &Terms, atom: &Atom) -> Result<Z3_ast, Z3Error> {
        let arguments = atom.arguments.iter().map(|&argument| self.z3.encode(terms, argument));
        self.engine.apply(self.relations[atom.relation], &arguments.collect::<Result<Vec<_>, _>>()?)
    }

    fn solve(&self, terms: &mut Terms, clauses: &Clauses) -> Result<Solution, Z3Error> {
        let query = self.engine.apply(self.error, &[])?;
        // SAFETY: engine and query are alive and of this context.
        let answer = unsafe { Z3_fixedpoint_query(self.z3.context.raw(), self.engine.raw, query) };
        let answered = self.read(terms, clauses, answer);
        // SAFETY: context and engine are alive.
        let statistics = unsafe { Z3_fixedpoint_get_statistics(self.z3.context.raw(), self.engine.raw) };
        self.z3.context.count_effort(statistics);
        answered
    }

    fn read(&self, terms: &mut Terms, clauses: &Clauses, answer: Z3_lbool) -> Result<Solution, Z3Error> {
        match answer {
            Z3_L_FALSE => {
                let mut solution = PrimaryMap::new();
                for (relation, parameters) in clauses.relations() {
                    solution.push(self.cover(terms, relation, parameters)?);
                }
                Ok(Solution::Solved(solution))
            }
            Z3_L_TRUE => Ok(Solution::Refuted(clauses.derivation(&self.engine.rules_of_refutation()?))),
            _ => {
                self.z3.context.done()?;
                Ok(Solution::Unknown(self.engine.reason()))
            }
        }
    }

    /// What the solution says about a relation, over its parameters.
    fn cover(&self, terms: &mut Terms, relation: Relation, parameters: &[Symbol]) -> Result<Term, Z3Error> {
        // SAFETY: engine and declaration are alive.
        let cover = self.engine.kept.keep(unsafe {
            Z3_fixedpoint_get_cover_delta(
                self.z3.context.raw(),
                self.engine.raw,
                -1,
                self.relations[relation],
            )
        })?;
        // Parameter 0 is variable 0, and the decoder wants that one last.
        let free: Vec<Term> = parameters.iter().rev().map(|&parameter| terms.constant(parameter)).collect();
        self.z3.decode(terms, cover, &free)
    }
}

/// What the names of rules begin with; their number follows.
const RULE: &str = "rule ";

/// Spacer asks about each relation in solvers of three kinds. Of each kind it makes as many as this, which the relations then share. It would make up to
/// five hundred, of a megabyte and more each: those of two hundred relations took 1.3 of 1.6 gigabytes.
const SOLVERS: u32 = 16;

/// A fixed-point engine, with what has to live as long.
struct Engine {
    context: Rc<Context>,
    raw: Z3_fixedpoint,
    kept: Kept,
}

// SAFETY, for all calls below: context and engine are alive; terms come from the encoder or are in `kept`.
impl Engine {
    fn new(context: &Rc<Context>, rlimit: u32) -> Result<Engine, Z3Error> {
        let settings = [
            ("engine", Setting::Word("spacer")),
            ("xform.inline_eager", Setting::Flag(false)),
            ("xform.inline_linear", Setting::Flag(false)),
            ("xform.inline_linear_branch", Setting::Flag(false)),
            ("xform.slice", Setting::Flag(false)),
            ("spacer.max_num_contexts", Setting::Number(SOLVERS)),
            ("rlimit", Setting::Number(rlimit)),
            // Ctrl-C is the business of the budget.
            ("ctrl_c", Setting::Flag(false)),
        ];
        let parameters = Parameters::new(context, &settings)?;
        let raw = context.checked(unsafe { Z3_mk_fixedpoint(context.raw()) })?;
        unsafe { Z3_fixedpoint_inc_ref(context.raw(), raw) }
        let engine = Engine { context: Rc::clone(context), raw, kept: Kept::new(context) };
        unsafe { Z3_fixedpoint_set_params(context.raw(), raw, parameters.raw) }
        context.done()?;
        Ok(engine)
    }

    /// Declares a relation and makes it known to the engine.
    fn declare(&self, name: &str, sorts: &[Z3_sort], result: Z3_sort) -> Result<Z3_func_decl, Z3Error> {
        let c = self.context.raw();
        let name = self.context.symbol(name)?;
        unsafe {
            let declaration = Z3_mk_func_decl(c, name, sorts.len() as u32, sorts.as_ptr(), result);
            let declaration = self.context.checked(declaration)?;
            self.kept.keep(Z3_func_decl_to_ast(c, declaration))?;
            Z3_fixedpoint_register_relation(c, self.raw, declaration);
            self.context.done()?;
            Ok(declaration)
        }
    }

    fn apply(&self, function: Z3_func_decl, arguments: &[Z3_ast]) -> Result<Z3_ast, Z3Error> {
        let (count, all) = (arguments.len() as u32, arguments.as_ptr());
        self.kept.keep(unsafe { Z3_mk_app(self.context.raw(), function, count, all) })
    }

    /// For all variables: if the premises then the conclusion.
    fn rule(
        &self,
        name: &str,
        premises: &[Z3_ast],
        conclusion: Z3_ast,
        variables: &[Z3_ast],
    ) -> Result<(), Z3Error> {
        let c = self.context.raw();
        let name = self.context.symbol(name)?;
        unsafe {
            let premise = self.kept.keep(Z3_mk_and(c, premises.len() as u32, premises.as_ptr()))?;
            let mut rule = self.kept.keep(Z3_mk_implies(c, premise, conclusion))?;
            if !variables.is_empty() {
                let bound = variables.iter().map(|&variable| self.context.checked(Z3_to_app(c, variable)));
                let bound = bound.collect::<Result<Vec<_>, _>>()?;
                let count = bound.len() as u32;
                rule = self.kept.keep(Z3_mk_forall_const(
                    c,
                    0,
                    count,
                    bound.as_ptr(),
                    0,
                    std::ptr::null(),
                    rule,
                ))?;
            }
            Z3_fixedpoint_add_rule(c, self.raw, rule, Some(name));
        }
        self.context.done()
    }

    /// The numbers of the rules that lead to the error, breadth first.
    fn rules_of_refutation(&self) -> Result<Vec<usize>, Z3Error> {
        let c = self.context.raw();
        let names = unsafe {
            let names = Z3_fixedpoint_get_rule_names_along_trace(c, self.raw);
            text(Z3_get_symbol_string(c, self.context.checked(names)?))
        };
        Ok(names.split(';').filter_map(|name| name.strip_prefix(RULE)?.parse().ok()).collect())
    }

    /// Why the engine gave up.
    fn reason(&self) -> Reason {
        reason(unsafe { text(Z3_fixedpoint_get_reason_unknown(self.context.raw(), self.raw)) })
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
        let Solution::Refuted(Some(derivation)) = solution else { panic!("{solution:?}") };
        let clauses: Vec<usize> = derivation.steps.iter().map(|step| step.clause).collect();
        assert_eq!(clauses, [2, 1, 1, 1, 0]);
    }

    #[test]
    fn work_is_bounded() {
        let (mut terms, _, clauses) = counter(2_000_000);
        let solution = Z3::new(&Budget::unlimited()).spacer(&mut terms, &clauses, 100_000);
        assert!(matches!(solution, Solution::Unknown(Reason::ResourceLimit)), "{solution:?}");
    }

    /// Relations in a ring, more of them than there are solvers of one kind: each of the first counts x up by two, the last one sets it to zero.
    fn ring(bad: i64) -> (Terms, Clauses) {
        let mut terms = Terms::new();
        let x = terms.symbol("x", Sort::INT);
        let (tx, zero, two, bad) = (terms.constant(x), terms.int(0), terms.int(2), terms.int(bad));
        let mut clauses = Clauses::default();
        let relations: Vec<Relation> = (0..2 * SOLVERS).map(|_| clauses.add_relation(vec![x])).collect();
        let atom = |number: usize, argument| Atom { relation: relations[number], arguments: vec![argument] };
        clauses.add(Clause { premises: vec![], constraint: Term::TRUE, conclusion: Some(atom(0, zero)) });
        let up = terms.add(&[tx, two]);
        for number in 0..relations.len() {
            let (next, value) = if number + 1 < relations.len() { (number + 1, up) } else { (0, zero) };
            clauses.add(Clause {
                premises: vec![atom(number, tx)],
                constraint: Term::TRUE,
                conclusion: Some(atom(next, value)),
            });
            let wrong = terms.eq(tx, bad);
            clauses.add(Clause { premises: vec![atom(number, tx)], constraint: wrong, conclusion: None });
        }
        (terms, clauses)
    }

    #[test]
    fn relations_share_solvers() {
        let last = 2 * (2 * i64::from(SOLVERS) - 1);
        let ask = |bad| {
            let (mut terms, clauses) = ring(bad);
            Z3::new(&Budget::unlimited()).spacer(&mut terms, &clauses, 100_000_000)
        };
        for bad in [-2, last + 2] {
            let solution = ask(bad);
            assert!(matches!(solution, Solution::Solved(_)), "{bad}: {solution:?}");
        }
        let solution = ask(last);
        let Solution::Refuted(Some(derivation)) = solution else { panic!("{solution:?}") };
        assert_eq!(derivation.steps.len(), 2 * SOLVERS as usize + 1);
    }

    /// Relation 0 has a fact; relation 1 has none, but a clause from it to the error.
    #[test]
    fn a_relation_that_nothing_derives_is_empty() {
        let mut terms = Terms::new();
        let [x, y] = ["x", "y"].map(|name| terms.symbol(name, Sort::INT));
        let (tx, zero) = (terms.constant(x), terms.int(0));
        let mut clauses = Clauses::default();
        let relations = [clauses.add_relation(vec![x]), clauses.add_relation(vec![y])];
        let atom = |i: usize, argument| Atom { relation: relations[i], arguments: vec![argument] };
        clauses.add(Clause { premises: vec![], constraint: Term::TRUE, conclusion: Some(atom(0, zero)) });
        clauses.add(Clause {
            premises: vec![atom(1, tx)],
            constraint: Term::TRUE,
            conclusion: Some(atom(1, tx)),
        });
        clauses.add(Clause { premises: vec![atom(1, tx)], constraint: Term::TRUE, conclusion: None });
        let negative = terms.lt(tx, zero);
        clauses.add(Clause { premises: vec![atom(0, tx)], constraint: negative, conclusion: None });
        let solution = Z3::new(&Budget::unlimited()).spacer(&mut terms, &clauses, 10_000_000);
        let Solution::Solved(formulas) = solution else { panic!("{solution:?}") };
        assert_eq!(formulas[relations[1]], Term::FALSE);
        assert_ne!(formulas[relations[0]], Term::FALSE);
    }
}
