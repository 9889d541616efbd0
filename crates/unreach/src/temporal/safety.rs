//! Safety formulas of linear temporal logic, as a question for the engines of reachability.
//!
//! Such a formula is violated by a finite beginning of an execution ([`BadPrefixes`]). So the program is watched by a deterministic automaton, as by an observer, whose
//! state is a variable: procedures stay what they are, so recursion is no matter, and neither are threads. The independent checker walks through
//! the product as it does for observers.
//!
//! *What counts.* No execution has a bad beginning: then all satisfy the formula. An execution that has one violates it, if it can go on or end; one that an assumption
//! may block afterwards is no violation, so for programs with assumptions a violation is left to the Büchi automaton.
//!
//! *Signed overflow.* As for all temporal properties, a proof must not rest on an overflow being the end of an execution, so it is one about a program whose numbers are
//! unbounded; and a violation must not need an overflow, so it is one of a program that ends there.

use super::{
    Placing, Translated, atoms, has_assumptions, place, read, refuse_words, translated, unsupported,
};
use crate::agenda::Agenda;
use crate::answer::{Answer, Decision, Failure};
use crate::observed;
use crate::observer::Observer;
use crate::plan::Plan;
use crate::problem::{Language, Problem};
use crate::property::Property;
use crate::report;
use crate::termination;
use crate::view::{NoView, View};
use base::Budget;
use engines::table::TERMINATION;
use ir::{Program, StatementKind};
use program::Reason;
use property::ltl::BadPrefixes;
use property::observer::product::{Propositions, place_propositions};
use std::sync::Arc;

/// How many rounds of the plan are spent before the Büchi automaton is asked.
const FIRST_ROUNDS: u32 = 6;

/// What failures are called.
pub(crate) const NAME: &str = "ltl";

/// Does a formula hold of all executions? Safety formulas are asked of the engines of reachability first.
pub(crate) fn verify(
    problem: &Problem,
    plan: &Plan,
    budget: &Budget,
    observer: &Arc<dyn Observer>,
) -> Result<Decision, Failure> {
    let only = match &plan.entries[..] {
        [entry] => Some(entry.engine == TERMINATION),
        _ => None,
    };
    let whole = || termination::verify(problem, plan, budget, observer);
    if only == Some(true) || !is_safety(problem) {
        return whole();
    }
    let ask = |rounds: u32| {
        let plan = plan.clone().with_rounds(rounds.min(plan.rounds));
        let asked = Problem { property: Property::UnreachCall, ..problem.clone() };
        reachable(&asked, &plan, budget, observer)
    };
    if only == Some(false) {
        return Ok(ask(u32::MAX)?.decision());
    }
    let first = ask(FIRST_ROUNDS)?;
    if matches!(first, Found::Decided(_)) {
        return Ok(first.decision());
    }
    let decision = whole()?;
    let is_open = matches!(decision.answer, Answer::Unknown(_)) && budget.check().is_ok();
    match first {
        // The reason is that of whoever could have known.
        Found::Blocked(blocked) if is_open => Ok(blocked),
        Found::Open(_) if is_open => Ok(ask(u32::MAX)?.decision()),
        _ => Ok(decision),
    }
}

/// Whether the formula of a problem is a safety property.
fn is_safety(problem: &Problem) -> bool {
    let formula = problem.ltl.as_deref().and_then(|formula| read(formula).ok());
    formula.is_some_and(|(formulas, formula)| BadPrefixes::of(&formulas, formula).is_some())
}

/// What came of the question whether a bad beginning is reached.
enum Found {
    /// An answer.
    Decided(Decision),
    /// One is reached, but perhaps only by executions that are blocked later; the decision says so.
    Blocked(Decision),
    /// It is not known.
    Open(Decision),
}

impl Found {
    fn decision(self) -> Decision {
        match self {
            Found::Decided(decision) | Found::Blocked(decision) | Found::Open(decision) => decision,
        }
    }
}

fn unknown(decision: Decision, why: &str) -> Decision {
    Decision { answer: Answer::Unknown(Reason::Unsupported(why.to_owned())), ..decision }
}

/// Is a bad beginning reached?
fn reachable(
    problem: &Problem,
    plan: &Plan,
    budget: &Budget,
    observer: &Arc<dyn Observer>,
) -> Result<Found, Failure> {
    let view = match Agenda::first_view(problem) {
        Ok(view) => view,
        Err(NoView::Unknown(reason)) => return Ok(Found::Open(Decision::without_view(reason))),
        Err(NoView::Failure(failure)) => return Err(failure),
    };
    let has_overflows = view.back.as_ref().is_some_and(|back| back.assumed.contains(&c::Check::Overflow));
    let mut open = None;
    if has_overflows {
        let unbounded = Problem { unbounded: true, ..problem.clone() };
        let all = match Agenda::first_view(&unbounded) {
            Ok(view) => crate::decide(&unbounded, &view, plan, budget, observer)?,
            Err(NoView::Unknown(reason)) => Decision::without_view(reason),
            Err(NoView::Failure(failure)) => return Err(failure),
        };
        match all.answer {
            Answer::Safe(_) => return Ok(Found::Decided(all)),
            Answer::Unknown(_) => open = Some(all),
            _ => {}
        }
    }
    let ends = crate::decide(problem, &view, plan, budget, observer)?;
    let execution = match &ends.answer {
        Answer::Unsafe(execution) => Some(execution),
        Answer::Leaps(leaps) => leaps.execution.as_ref(),
        Answer::Safe(_) if !has_overflows => return Ok(Found::Decided(ends)),
        Answer::Safe(_) => {
            let why = "a temporal property of executions with a signed overflow, which has no meaning";
            return Ok(Found::Open(open.unwrap_or_else(|| unknown(ends, why))));
        }
        _ => return Ok(Found::Open(ends)),
    };
    let failed = execution.zip(ends.view.as_ref());
    let failed = failed.and_then(|(execution, view)| report::failed_property(view, execution));
    Ok(match failed.as_deref() {
        Some(NAME) if !may_block(problem, &view) => Found::Decided(ends),
        Some(NAME) => {
            let why = "a temporal property of executions that assumptions may block after its violation";
            Found::Blocked(unknown(ends, why))
        }
        _ => Found::Open(unknown(ends, "a temporal property where a front end has given up")),
    })
}

/// Whether an assumption may block executions of a program that is watched.
fn may_block(problem: &Problem, view: &View) -> bool {
    let (Some(language), Some(observation)) = (problem.language(), &view.observation) else { return true };
    has_assumptions(&observation.program, language, Some(observation.state))
}

/// The product of a problem with the automaton of the bad beginnings of a safety formula; `plain` gives the view of a problem.
pub(crate) fn view(
    problem: &Problem,
    formula: &str,
    plain: impl Fn(&Problem) -> Result<View, NoView>,
) -> Result<View, NoView> {
    let mut translated = translated(problem, formula, plain)?;
    let language = translated.language;
    let automaton = BadPrefixes::of(&translated.formulas, translated.formula)
        .ok_or_else(|| unsupported("a temporal property that is no safety property, besides another one"))?;
    let threads = translated.view.is_concurrent();
    let counts_steps = translated.formulas.counts_steps(translated.formula);
    if threads && counts_steps && language == Language::C {
        // The end of the thread that runs `main` need not be the end of the program then.
        refuse_words(problem.text(), &["pthread_exit", "thrd_exit"], "the operator `X`, with threads,")?;
    }
    let placing = Placing { rounds: false, threads, ..Placing::new(problem, language, counts_steps) };
    let places = place(&mut translated.view.program, &placing)?;
    translated.observe_calls((places.observe, places.start, threads))?;
    let Translated { formulas, mut view, .. } = translated;
    without_assertions(&mut view.program)?;
    let atoms = atoms(&view.program, formulas.atoms.len())?;
    let placed = place_propositions(
        &mut view.program,
        &Propositions {
            automaton: &automaton,
            observe: places.observe,
            atoms: &atoms,
            start: places.start,
            ends_at_return: language == Language::C,
            reads_end: counts_steps,
            threads,
            unused: places.first.into_iter().collect(),
        },
    );
    let names = (0..automaton.steps.len()).map(|state| automaton.name(state)).collect();
    observed::watched(&mut view, placed, names, atoms);
    view.made.insert("observer".to_owned(), automaton.text(&formulas));
    Ok(view)
}

/// An assertion of the program is no end of an execution that a temporal property speaks of, unless it says where a front end has given up.
fn without_assertions(program: &mut Program) -> Result<(), NoView> {
    for data in program.procedures.values_mut() {
        let Some(body) = &mut data.body else { continue };
        if !data.requires.is_empty() || !data.ensures.is_empty() {
            return Err(unsupported(format!(
                "a temporal property of a program with contracts (`{}`)",
                data.name
            )));
        }
        for block in body.blocks.values_mut() {
            block.statements.retain(|statement| {
                !matches!(statement.kind, StatementKind::Assert(..)) || property::flatten::gives_up(statement)
            });
        }
    }
    Ok(())
}
