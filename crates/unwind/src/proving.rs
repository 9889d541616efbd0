//! The proof for the checker.
//!
//! The checker unrolls programs in its own way ([`unroll`]) and knows less. So its unrolling is run here with claims, taken
//! from the record of the engine's own unwinding, wherever it would know less than that did. A claim is used if the solver
//! shows it at once, with all that was shown before; others are left alone, and cost nothing but their gates. In the end the
//! solver shows that nothing fails, and everything that it has learnt is the proof.
//!
//! Costs: a question to the solver for every claim, most of which need no search; then one for everything together.

use crate::record::{self, Known, Record};
use base::{Budget, Interrupted};
use ir::claims::{Claim, What};
use ir::induction::Induction;
use ir::{Procedure, Program};
use sat::{Answer, Lit, Proof, Recording, Solver, Step, Var};
use std::rc::Rc;
use unroll::{Bit, Clauses, Guide, Halt, Limits, Moment, Subject, Unroller, Value, Visit, Word};

/// A claim that something is never reached is worth so many conflicts, …
const CONFLICTS_FOR_ENDS: u64 = 20_000;
/// … and one about a value so many.
const CONFLICTS_FOR_VALUES: u64 = 1_000;

/// How large the checker's unrolling may become, if the engine's had so many statements.
fn limits(steps: u64) -> Limits {
    Limits { gates: 8_000_000, steps: 4 * steps + 10_000, call_depth: 1_000, decisions: u32::MAX }
}

/// A proof that no execution of a procedure fails, as the checker wants it.
pub struct Refutation {
    /// How many statements the checker's unrolling has.
    pub steps: u64,
    /// What is claimed on the way.
    pub claims: Vec<Claim>,
    /// Why the claims hold and nothing fails.
    pub proof: Proof,
}

/// What became of a proof.
pub enum Proven {
    /// It is there.
    Yes(Refutation),
    /// The checker's unrolling may fail.
    No,
    /// The checker's unrolling becomes too large.
    TooLarge(&'static str),
}

/// Makes the proof that no execution of a procedure fails, from the record of a complete unwinding of so many statements.
pub fn prove(
    source: &Program,
    procedure: Procedure,
    inductions: &[Induction],
    (record, steps): (&Record, u64),
    budget: &Budget,
) -> Result<Proven, Interrupted> {
    let mut telling = Telling::new(record, budget);
    let mut unroller = Unroller::new(source, inductions, &mut telling, limits(steps), budget.clone());
    match unroller.run(procedure) {
        Ok(()) => {}
        Err(Halt::Interrupted(interrupted)) => return Err(interrupted),
        Err(Halt::Refused(why)) => return Ok(Proven::TooLarge(why)),
    }
    unroller.question();
    let (steps, gates) = (unroller.steps(), unroller.gates().count());
    let answer = telling.solver.solve(&[])?;
    let unused = telling.claims.iter().filter(|claim| !claim.used).count();
    tracing::debug!(steps, gates, claims = telling.claims.len(), unused, ?answer, "the checker's unrolling");
    if answer == Answer::Sat {
        return Ok(Proven::No);
    }
    let Telling { solver, clauses, claims, .. } = telling;
    let proof = renumbered(solver.into_proof(), &clauses);
    Ok(Proven::Yes(Refutation { steps, claims, proof }))
}

/// Tells what was known.
struct Telling<'r> {
    record: &'r Record,
    solver: Solver,
    /// The numbers of the clauses of the problem, in order.
    clauses: Vec<u32>,
    claims: Vec<Claim>,
    /// The claim that may be used.
    made: Option<(u64, Subject, What)>,
    /// By the number of a call in the unrolling: its number in the record.
    calls: Vec<Option<u32>>,
    moment: Moment,
    /// What was known at this moment.
    known: Option<Rc<[(record::Subject, Known)]>>,
}

impl<'r> Telling<'r> {
    fn new(record: &'r Record, budget: &Budget) -> Telling<'r> {
        Telling {
            record,
            solver: Solver::new(Recording::Proof, budget.clone()),
            clauses: Vec::new(),
            claims: Vec::new(),
            made: None,
            calls: vec![Some(0)],
            moment: Moment { call: 0, visit: Visit(Vec::new()), statement: Moment::ENTRY },
            known: None,
        }
    }

    /// The number that the current call has in the record.
    fn call(&self) -> Option<u32> {
        self.calls.get(self.moment.call as usize).copied().flatten()
    }

    /// The number that the call of the current statement has in the record.
    fn callee(&self) -> Option<u32> {
        self.record.call(self.call()?, &self.moment.visit.0, self.moment.statement)
    }

    fn is_visited(&self) -> bool {
        self.call().is_some_and(|call| self.record.has_visit(call, &self.moment.visit.0))
    }

    /// What was known last about something at this moment.
    fn known(&self, subject: record::Subject) -> Option<&Known> {
        let known = self.known.as_ref()?;
        known.iter().rev().find(|(about, _)| *about == subject).map(|(_, known)| known)
    }

    fn worth_telling(&self, subject: Subject, value: &Value) -> Option<What> {
        let (known, is_index) = match subject {
            Subject::Value(frame, expr) => (self.known(record::Subject::Value(frame, expr))?, false),
            Subject::Index(frame, expr) => (self.known(record::Subject::Value(frame, expr))?, true),
            Subject::Variable(fact, variable) => {
                (self.known(record::Subject::Variable(fact, variable))?, false)
            }
            Subject::Visit | Subject::Call => return None,
        };
        match (known, value) {
            (Known::Truth(truth), Value::Bool(_)) => Some(What::Truth(*truth)),
            (Known::Constant(value), Value::Bits(_)) => Some(What::OneOf(vec![*value])),
            (Known::Integer { width, one_of }, Value::Int(word)) => {
                let values = one_of.iter().find(|values| is_better(values, word, is_index));
                let is_wide = word.beyond != Bit::FALSE || (*width as usize) < word.bits.len();
                match values {
                    Some(values) => Some(What::OneOf(values.to_vec())),
                    None => is_wide.then_some(What::Width(*width)),
                }
            }
            _ => None,
        }
    }
}

/// Whether it is worth telling that a number is one of these: if it is the only one, or if it is an index that could be more
/// places.
fn is_better(values: &[i128], word: &Word, is_index: bool) -> bool {
    if values.len() == 1 {
        return true;
    }
    let mut open: Vec<u32> =
        word.bits.iter().filter(|bit| bit.constant().is_none()).map(|bit| bit.gate()).collect();
    open.sort_unstable();
    open.dedup();
    let places = match &word.one_of {
        Some(values) => values.len(),
        None => 1_usize.checked_shl(open.len() as u32).unwrap_or(usize::MAX),
    };
    is_index && (values.len() < places || word.beyond != Bit::FALSE)
}

impl Clauses for Telling<'_> {
    fn clause(&mut self, clause: &[Lit]) {
        let number = self.solver.add_clause(clause);
        self.clauses.push(number);
    }

    fn variable(&mut self) {
        self.solver.new_var();
    }

    fn truth(&mut self, lit: Lit) {
        let number = self.solver.add_lemma(lit);
        self.clauses.push(number);
    }

    fn define(&mut self, var: Var, gate: sat::Gate) {
        self.solver.define(var, gate);
    }
}

impl Guide for Telling<'_> {
    fn claim(&mut self, question: u64, subject: Subject, value: Option<&Value>) -> Option<What> {
        let what = match (subject, value) {
            (Subject::Visit, _) => (!self.is_visited()).then_some(What::Unreached),
            (Subject::Call, _) => self.callee().is_none().then_some(What::Unreached),
            (_, Some(value)) => self.worth_telling(subject, value),
            _ => None,
        }?;
        self.made = Some((question, subject, what.clone()));
        Some(what)
    }

    fn uses(&mut self, obligation: Option<Lit>) -> Result<bool, Interrupted> {
        let Some((question, subject, what)) = self.made.take() else { return Ok(false) };
        let conflicts = if what == What::Unreached { CONFLICTS_FOR_ENDS } else { CONFLICTS_FOR_VALUES };
        let used = match obligation {
            None => true,
            Some(literal) => self.solver.solve_within(&[literal], conflicts)? == Some(Answer::Unsat),
        };
        if !used {
            tracing::trace!(?what, ?subject, moment = ?self.moment, "not shown");
        }
        self.claims.push(Claim { question, what, used });
        Ok(used)
    }

    fn moment(&mut self, moment: &Moment) {
        self.moment.clone_from(moment);
        self.known = self.call().and_then(|call| self.record.known(call, &moment.visit.0, moment.statement));
    }

    fn enters(&mut self, call: u32) {
        let callee = self.callee();
        self.calls.resize(call as usize + 1, None);
        self.calls[call as usize] = callee;
    }
}

/// The proof in which the clauses of the problem are numbered from one, and the steps that lead to the contradiction follow.
pub(crate) fn renumbered(proof: Proof, clauses: &[u32]) -> Proof {
    let mut steps = proof.steps;
    let end = steps.iter().position(|step| step.clause.is_empty()).map_or(steps.len(), |last| last + 1);
    steps.truncate(end);
    let most = steps.last().map_or(0, |step| step.id).max(clauses.last().copied().unwrap_or(0)) as usize;
    let mut needed = vec![false; most + 1];
    needed[steps.last().map_or(0, |step| step.id) as usize] = true;
    for step in steps.iter().rev() {
        if needed[step.id as usize] {
            step.hints.iter().for_each(|&hint| needed[hint as usize] = true);
        }
    }
    steps.retain(|step| needed[step.id as usize]);
    let mut number = vec![0; most + 1];
    for (place, &clause) in clauses.iter().enumerate() {
        number[clause as usize] = place as u32 + 1;
    }
    for (place, step) in steps.iter().enumerate() {
        number[step.id as usize] = (clauses.len() + place) as u32 + 1;
    }
    let renumber = |step: Step| Step {
        id: number[step.id as usize],
        clause: step.clause,
        hints: step.hints.iter().map(|&hint| number[hint as usize]).collect(),
    };
    Proof { steps: steps.into_iter().map(renumber).collect() }
}
