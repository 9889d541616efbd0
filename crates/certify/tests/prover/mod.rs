//! Proofs by unwinding, made without an engine: everything that may be claimed is claimed, and used if a solver shows it.

use base::{Budget, Interrupted};
use ir::claims::{Claim, Paths, What};
use ir::induction::Induction;
use program::EntryUnwinding;
use sat::{Answer, Lit, Proof, Recording, Solver, Step};
use unroll::{Clauses, Guide, Halt, Limits, Subject, Unroller, Value};

/// A claim is worth so many conflicts.
const MOST_CONFLICTS: u64 = 100;

struct Trying {
    solver: Solver,
    /// The solver's numbers of the clauses.
    clauses: Vec<u32>,
    claims: Vec<Claim>,
    made: Option<(u64, What)>,
}

impl Clauses for Trying {
    fn clause(&mut self, clause: &[Lit]) {
        let number = self.solver.add_clause(clause);
        self.clauses.push(number);
    }

    fn variable(&mut self) {
        self.solver.new_var();
    }
}

impl Guide for Trying {
    fn claim(&mut self, question: u64, subject: Subject, value: Option<&Value>) -> Option<What> {
        let what = match (subject, value) {
            (Subject::Visit | Subject::Call, _) => What::Unreached,
            (_, Some(Value::Bool(_))) => What::Truth(question.is_multiple_of(2)),
            (_, Some(Value::Int(word))) if question.is_multiple_of(3) && word.bits.len() > 1 => {
                What::Width(word.bits.len() as u32 / 2)
            }
            (_, Some(Value::Int(_))) => What::OneOf((0..4).collect()),
            _ => return None,
        };
        self.made = Some((question, what.clone()));
        Some(what)
    }

    fn uses(&mut self, obligation: Option<Lit>) -> Result<bool, Interrupted> {
        let used = match obligation {
            None => true,
            Some(literal) => self.solver.solve_within(&[literal], MOST_CONFLICTS)? == Some(Answer::Unsat),
        };
        let (question, what) = self.made.take().expect("a claim was made");
        self.claims.push(Claim { question, what, used });
        Ok(used)
    }
}

/// The proof for one procedure; none if it may fail, or does not come to an end.
pub fn prove(
    program: &ir::Program,
    procedure: ir::Procedure,
    inductions: &[Induction],
    paths: Paths,
) -> Option<EntryUnwinding> {
    let solver = Solver::new(Recording::Proof, Budget::unlimited());
    let mut trying = Trying { solver, clauses: Vec::new(), claims: Vec::new(), made: None };
    let limits = Limits { gates: 400_000, steps: 600, call_depth: 20, decisions: 50 };
    let unroller = Unroller::new(program, inductions, &mut trying, limits, Budget::unlimited());
    let mut unroller = unroller.with_paths(paths);
    match unroller.run(procedure) {
        Ok(()) => {}
        Err(Halt::Refused(_)) => return None,
        Err(Halt::Interrupted(_)) => panic!("there is no limit"),
    }
    unroller.question();
    let steps = unroller.steps();
    if trying.solver.solve(&[]) == Ok(Answer::Sat) {
        return None;
    }
    let Trying { solver, clauses, claims, .. } = trying;
    let proof = renumbered(solver.into_proof(), &clauses);
    Some(EntryUnwinding { procedure, inductions: inductions.to_vec(), paths, steps, claims, proof })
}

/// Clauses that were added after questions have later numbers than steps have; in a certificate they come first.
fn renumbered(proof: Proof, clauses: &[u32]) -> Proof {
    let (count, numbers): (usize, Vec<u32>) =
        (clauses.len(), proof.steps.iter().map(|step| step.id).collect());
    let number = |old: u32| match clauses.binary_search(&old) {
        Ok(place) => place as u32 + 1,
        Err(_) => (count + numbers.binary_search(&old).expect("a step")) as u32 + 1,
    };
    let step = |step: &Step| Step {
        id: number(step.id),
        clause: step.clause.clone(),
        hints: step.hints.iter().map(|&hint| number(hint)).collect(),
    };
    Proof { steps: proof.steps.iter().map(step).collect() }
}
