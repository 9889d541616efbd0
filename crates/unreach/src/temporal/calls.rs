//! Calls as atomic propositions: `call(f())` holds at the moment at which `f` is called, and at no other.
//!
//! What observers do to see calls is done here too: the program calls a stand-in instead of each function that the formula names, which first tells that it is called. There the state is
//! observed, with the proposition true. A function that the program does not have is never called.

use super::{STEP, Translated, unsupported};
use crate::observed;
use crate::problem::Problem;
use crate::view::{NoView, View};
use ir::{Boundary, Procedure, Program, Statement, StatementKind, Variable};
use property::ltl::Formulas;
use property::observer::product::EVENT;

/// The atoms of calls, with the names of the procedures that tell of them, if the program has the function.
pub(super) type Told = Vec<(usize, Option<String>)>;

/// A problem that tells of the calls that a formula speaks of, with the atoms and the names of the procedures that tell of them, if the program has the function.
pub(super) fn watched(
    problem: &Problem,
    formulas: &Formulas,
    plain: &dyn Fn(&Problem) -> Result<View, NoView>,
) -> Result<(Problem, Told), NoView> {
    let atoms: Vec<usize> =
        (0..formulas.atoms.len()).filter(|&atom| formulas.called(atom).is_some()).collect();
    let names: Vec<&str> = atoms.iter().filter_map(|&atom| formulas.called(atom)).collect();
    if names.is_empty() {
        return Ok((problem.clone(), Vec::new()));
    }
    if problem.text().contains(STEP) {
        return Err(unsupported("calls in a temporal property of a program with marked steps"));
    }
    let (problem, events) = observed::watch_calls(problem, &names, plain)?;
    let told = atoms.iter().enumerate().map(|(index, &atom)| {
        let event = events.iter().find(|(number, _)| *number == index);
        (atom, event.map(|(_, event)| format!("{EVENT}{event}")))
    });
    Ok((problem, told.collect()))
}

/// Lets a program observe the state where functions are called that the formula speaks of.
pub(super) fn observe(
    program: &mut Program,
    told: &[(usize, Option<String>)],
    atoms: &[Variable],
    (observe, start, threads): (Procedure, Procedure, bool),
) {
    let span = program.procedures[start].span;
    let statement = |kind| Statement { kind, span, attributes: Vec::new() };
    let mut first = Vec::new();
    for (atom, event) in told {
        let variable = atoms[*atom];
        let mut set = |value: bool| {
            let value = match program.variables[variable].ty {
                ir::Type::BOOL => program.bool(value, span),
                _ => program.int(i32::from(value), span),
            };
            statement(StatementKind::Assign(vec![(variable, value)]))
        };
        let (yes, no) = (set(true), set(false));
        first.push(no.clone());
        let event = event.as_ref().and_then(|event| program.procedure(event));
        let Some(event) = event else { continue };
        for data in program.procedures.values_mut() {
            for block in data.body.iter_mut().flat_map(|body| body.blocks.values_mut()) {
                let mut statements = Vec::with_capacity(block.statements.len());
                for one in std::mem::take(&mut block.statements) {
                    let tells =
                        matches!(one.kind, StatementKind::Call { procedure, .. } if procedure == event);
                    if !tells {
                        statements.push(one);
                        continue;
                    }
                    let boundary = |boundary| threads.then(|| statement(StatementKind::Atomic(boundary)));
                    let (arguments, results) = (Vec::new(), Vec::new());
                    let observed = StatementKind::Call { procedure: observe, arguments, results };
                    statements.extend(boundary(Boundary::Begin));
                    statements.extend([yes.clone(), statement(observed), no.clone()]);
                    statements.extend(boundary(Boundary::End));
                }
                block.statements = statements;
            }
        }
    }
    // At the beginning nothing is called.
    if let Some(body) = program.procedures[start].body.as_mut() {
        let entry = body.entry();
        body.blocks[entry].statements.splice(0..0, first);
    }
    for data in program.procedures.values_mut().filter(|data| data.body.is_some()) {
        let own = told.iter().map(|(atom, _)| atoms[*atom]);
        let more: Vec<Variable> = own.filter(|variable| !data.modifies.contains(variable)).collect();
        data.modifies.extend(more);
    }
}

impl Translated {
    /// Observes the calls that the formula speaks of.
    pub(super) fn observe_calls(
        &mut self,
        (observed, start, threads): (Procedure, Procedure, bool),
    ) -> Result<(), NoView> {
        let atoms = super::atoms(&self.view.program, self.formulas.atoms.len())?;
        observe(&mut self.view.program, &self.calls, &atoms, (observed, start, threads));
        Ok(())
    }
}
