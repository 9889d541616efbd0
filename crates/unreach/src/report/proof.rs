//! A proof in the words of the source: what holds at loop heads and at the ends of procedures.

use super::c_expression::{Moment, c_expression, ranges_of_types};
use super::formula::checked;
use crate::prepared::Prepared;
use crate::view::View;
use base::{Budget, Interrupted, Span};
use certify::Subject;
use engines::annotation::Annotation;
use engines::context::Context;
use logic::term::Op;
use logic::{Term, Terms};
use program::{BlockProgram, Location, Program, Proof, VarKind};
use serde_json::json;
use smt::{Answer, Solver, Solvers};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Something that holds whenever control is at a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invariant {
    /// What kind of place it is.
    pub kind: InvariantKind,
    /// The place.
    pub span: Span,
    /// The formula, in the words of the source.
    pub formula: String,
    /// What of it a C expression at the place can say.
    pub c_expression: Option<String>,
    /// The terms of an SV-LIB attribute that says it.
    pub terms_of_script: Vec<String>,
}

/// Where an invariant holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InvariantKind {
    /// At the head of a loop.
    Loop,
    /// When this procedure returns.
    Ensures(String),
    /// At the head of a loop: what becomes smaller with every round.
    Rank,
    /// In a loop: what becomes smaller again and again along some of its traces.
    PartialRank,
}

/// The invariants as text.
pub(super) fn text(view: &View, invariants: &[Invariant]) -> String {
    let mut out = String::new();
    for invariant in invariants {
        let place = view.sources.place(invariant.span);
        // Writing to a string cannot fail.
        let _ = match &invariant.kind {
            InvariantKind::Loop => writeln!(out, "{place}: loop invariant: {}", invariant.formula),
            InvariantKind::Rank => writeln!(out, "{place}: ranking function: {}", invariant.formula),
            InvariantKind::PartialRank => {
                writeln!(out, "{place}: ranking function of some traces: {}", invariant.formula)
            }
            InvariantKind::Ensures(name) => writeln!(out, "{place}: {name} ensures: {}", invariant.formula),
        };
    }
    out
}

/// The invariants for machines.
pub(super) fn json(view: &View, invariants: &[Invariant]) -> Vec<serde_json::Value> {
    let one = |invariant: &Invariant| {
        let at = view.sources.line_column(invariant.span);
        let kind = match &invariant.kind {
            InvariantKind::Loop => "loop",
            InvariantKind::Ensures(_) => "ensures",
            InvariantKind::Rank => "rank",
            InvariantKind::PartialRank => "rank of some traces",
        };
        json!({ "kind": kind, "line": at.line, "column": at.column, "formula": invariant.formula })
    };
    invariants.iter().map(one).collect()
}

/// A proof with the programs that it is about.
pub(crate) struct Proven<'p> {
    pub(crate) view: &'p View,
    pub(crate) subject: &'p Subject,
    pub(crate) prepared: &'p Prepared,
    pub(crate) blocks: &'p BlockProgram,
    pub(crate) proof: &'p Proof,
}

/// How much work the solver may have with one question about what is shown.
const RLIMIT: u32 = 500_000;

/// With more conjuncts than this, nobody asks which of them follow from the others.
const MOST_COMPARED: usize = 60;

/// With more formulas about all cells than this, they are shown as they are: a question about them takes the solver all the work that
/// it may have.
const MOST_QUANTIFIED: usize = 4;

/// What is shown of a proof.
#[derive(Default)]
pub(crate) struct Shown {
    /// In words.
    pub(crate) invariants: Vec<Invariant>,
    /// What the words rest on; none if there is too much of it.
    pub(crate) annotation: Option<Annotation>,
    /// See [`Safe::shared_facts`](crate::answer::Safe::shared_facts).
    pub(crate) shared_facts: Vec<String>,
}

/// What a proof says about loop heads and about the ends of procedures that are called. All of it was accepted by the
/// independent check as an inductive annotation, before it was put into words; and the words follow from it.
pub(crate) fn shown(
    proven: &Proven<'_>,
    terms: &mut Terms,
    solvers: &Solvers,
    budget: &Budget,
) -> Result<Shown, Interrupted> {
    let Proven { view, subject, prepared, blocks, proof } = *proven;
    let single = &prepared.single;
    let mut context = Context::new(&blocks.program, terms, solvers, budget.clone());
    let annotation = engines::annotation::inductive(&mut context, single, proof)?;
    drop(context);
    let Some(annotation) = annotation else { return Ok(Shown::default()) };
    let claim = annotation.claim(&blocks.program, terms);
    let accepted = prepared
        .certificate((subject, blocks), &claim, terms)
        .and_then(|claim| certify::check_labels(subject, &claim, terms, &mut *solvers.session(), budget));
    if accepted.is_err() {
        budget.check()?;
        return Ok(Shown::default());
    }
    let invariants = in_words(view, single, annotation.at_locations(), (terms, solvers), budget)?;
    let shared_facts = match view.threads {
        Some(_) => shared_facts(view, single, &annotation, terms),
        None => Vec::new(),
    };
    Ok(Shown { invariants, annotation: Some(annotation), shared_facts })
}

/// A fact that is said somewhere, as far as it matters which one is the better one.
struct SaidFact {
    is_about_one: bool,
    size: usize,
    times: usize,
}

/// What an annotation says at some location about global variables only, as C expressions; what relates variables comes first, then
/// what is short, and then what is said at many locations.
fn shared_facts(view: &View, single: &Program, annotation: &Annotation, terms: &Terms) -> Vec<String> {
    let Some(back) = &view.back else { return Vec::new() };
    let is_global = |&symbol: &logic::Symbol| {
        let var = single.variables.of_symbol(symbol);
        var.is_some_and(|var| single.variables[var].kind == VarKind::Global)
    };
    let mut said: BTreeMap<Term, usize> = BTreeMap::new();
    for (_, conjuncts) in annotation.at_locations().filter(|(_, all)| !all.contains(&Term::FALSE)) {
        for &conjunct in conjuncts {
            *said.entry(conjunct).or_default() += 1;
        }
    }
    let mut facts: BTreeMap<String, SaidFact> = BTreeMap::new();
    for (conjunct, times) in said {
        let symbols = terms.free_symbols(conjunct);
        if symbols.is_empty() || !symbols.iter().all(is_global) {
            continue;
        }
        if let Some(text) = c_expression(single, back, ("main", Moment::Visit), conjunct, terms) {
            let (is_about_one, size) = (symbols.len() < 2, terms.dag_size(conjunct));
            facts.entry(text).or_insert(SaidFact { is_about_one, size, times: 0 }).times += times;
        }
    }
    let mut facts: Vec<(String, SaidFact)> = facts.into_iter().collect();
    facts.sort_by_key(|(_, fact)| (fact.is_about_one, fact.size, std::cmp::Reverse(fact.times)));
    facts.into_iter().map(|(text, _)| text).collect()
}

/// What an annotation that was accepted says about loop heads and about the ends of procedures that are called.
pub(crate) fn in_words<'f>(
    view: &View,
    single: &Program,
    labels: impl Iterator<Item = (Location, &'f [Term])>,
    (terms, solvers): (&mut Terms, &Solvers),
    budget: &Budget,
) -> Result<Vec<Invariant>, Interrupted> {
    let loop_heads = transform::loop_heads(single);
    let mut questions = Questions::new(solvers, single);
    let mut invariants = Vec::new();
    for (location, conjuncts) in labels {
        // About places that are never reached there is nothing to say.
        if conjuncts.contains(&Term::FALSE) {
            continue;
        }
        let data = &single.locations[location];
        let exit_of = single.frames.get(&data.procedure).filter(|frame| frame.exit == location);
        let kind = if exit_of.is_some() {
            InvariantKind::Ensures(view.program.procedures[data.procedure].name.clone())
        } else if loop_heads.contains(location) {
            InvariantKind::Loop
        } else {
            continue;
        };
        budget.check()?;
        let conjuncts: Vec<Term> = match kind {
            InvariantKind::Ensures(_) => {
                let outside =
                    |conjunct: &&Term| is_about_interface(view, single, data.procedure, **conjunct, terms);
                conjuncts.iter().filter(outside).copied().collect()
            }
            InvariantKind::Loop | InvariantKind::Rank | InvariantKind::PartialRank => conjuncts.to_vec(),
        };
        let conjuncts = questions.without_consequences(&conjuncts, &[], terms);
        let ranges = view.back.as_ref().map_or_else(Vec::new, |back| {
            let all = terms.and(conjuncts.iter().copied());
            ranges_of_types(single, back, all, terms)
        });
        // What every value of its type fulfils is nothing that anybody wants to read.
        let mut readable = questions.without_consequences(&conjuncts, &ranges, terms);
        if exit_of.is_none() {
            // What a function that was inlined returned is nothing that has a name here.
            readable.retain(|&conjunct| !speaks_of_result(view, single, conjunct, terms));
        }
        let mut follows =
            |premise, conclusion, terms: &mut Terms| questions.follows(&[premise], conclusion, terms);
        let text = checked(single, view.back.as_ref(), &readable, terms, &mut follows);
        let function = &view.program.procedures[data.procedure].name;
        let c_expression = view.back.as_ref().and_then(|back| {
            let all = terms.and(conjuncts.iter().copied());
            let moment = if exit_of.is_some() { Moment::Exit } else { Moment::Visit };
            c_expression(single, back, (function.as_str(), moment), all, terms)
        });
        let terms_of_script = script_terms(view, single, &conjuncts, terms);
        let span = data.span;
        let invariant = |formula| Invariant { kind, span, formula, c_expression, terms_of_script };
        invariants.extend(text.map(invariant));
    }
    invariants.sort_by_key(|invariant| invariant.span);
    Ok(invariants)
}

/// Terms in the words of a script; those that it has no words for are left out.
pub(super) fn script_terms(view: &View, program: &Program, all: &[Term], terms: &mut Terms) -> Vec<String> {
    let Some(back) = &view.script else { return Vec::new() };
    all.iter().filter_map(|&term| script_term(back, program, term, terms)).collect()
}

fn script_term(back: &svlib::Back, program: &Program, term: Term, terms: &mut Terms) -> Option<String> {
    let mut applies = false;
    terms.for_each_subterm(&[term], |part| applies |= matches!(terms.op(part), logic::term::Op::Apply(_)));
    if applies {
        return None;
    }
    let mut renamed = logic::Substitution::new();
    let mut words = Vec::new();
    for (number, symbol) in terms.free_symbols(term).into_iter().enumerate() {
        let var = &program.variables[program.variables.of_symbol(symbol)?];
        if matches!(var.kind, VarKind::Old(_)) {
            return None;
        }
        // Symbols of scripts may be anything, so they are put in place of names that cannot be mistaken.
        let placeholder = format!("unreach!{number}!");
        let sort = terms.symbol_data(symbol).sort;
        let image = terms.named(&placeholder, sort);
        renamed.insert(symbol, image);
        words.push((placeholder, back.symbol(var.source?)?));
    }
    let shown = renamed.apply(terms, term);
    let mut text = logic::smtlib::print::term(terms, shown);
    for (placeholder, word) in words {
        text = text.replace(&placeholder, &word);
    }
    Some(text)
}

/// Whether a formula speaks of what a C function returned.
fn speaks_of_result(view: &View, program: &Program, formula: Term, terms: &Terms) -> bool {
    let Some(back) = &view.back else { return false };
    terms.free_symbols(formula).iter().any(|&symbol| {
        let source = program.variables.of_symbol(symbol).and_then(|var| program.variables[var].source);
        let meaning = source.and_then(|source| back.variables.get(&source));
        meaning.is_some_and(|meaning| meaning.name == "\\result")
    })
}

/// Does a formula about the end of a procedure speak of nothing that its callers do not see?
fn is_about_interface(
    view: &View,
    program: &Program,
    procedure: ir::Procedure,
    formula: Term,
    terms: &Terms,
) -> bool {
    let data = &view.program.procedures[procedure];
    let interface =
        |variable: &ir::Variable| data.parameters.contains(variable) || data.results.contains(variable);
    terms.free_symbols(formula).iter().all(|&symbol| match program.variables.of_symbol(symbol) {
        Some(var) => match program.variables[var].kind {
            VarKind::Local(_) => program.variables[var].source.as_ref().is_some_and(interface),
            VarKind::Constant | VarKind::Global | VarKind::Old(_) => true,
        },
        None => true,
    })
}

/// Asks the solver about single formulas.
pub(super) struct Questions<'s> {
    solvers: &'s Solvers,
    axioms: &'s [Term],
}

impl<'s> Questions<'s> {
    /// Questions about a program, whose axioms hold.
    pub(super) fn new(solvers: &'s Solvers, program: &'s Program) -> Questions<'s> {
        Questions { solvers, axioms: &program.axioms }
    }

    /// Is a formula a consequence of others? An answer that the solver does not find is a no.
    pub(super) fn follows(&mut self, premises: &[Term], conclusion: Term, terms: &mut Terms) -> bool {
        conclusion.is_true() || self.refutes(self.solvers.session(), premises, conclusion, terms)
    }

    fn refutes(
        &self,
        mut session: Box<dyn Solver>,
        premises: &[Term],
        conclusion: Term,
        terms: &mut Terms,
    ) -> bool {
        session.set_rlimit(Some(RLIMIT));
        for &premise in self.axioms.iter().chain(premises) {
            session.assert(terms, premise);
        }
        let refuted = terms.not(conclusion);
        session.assert(terms, refuted);
        session.check(terms) == Answer::Unsat
    }

    /// The conjuncts without those that follow from the others and from what is known anyway.
    fn without_consequences(&mut self, conjuncts: &[Term], known: &[Term], terms: &mut Terms) -> Vec<Term> {
        // A choice of which one part holds anyway says nothing more; there may be hundreds of them.
        let is_said = |&&part: &&Term| {
            terms.op(part) == Op::Or && terms.args(part).iter().any(|one| conjuncts.contains(one))
        };
        let is_known = |part: &Term| known.contains(part);
        let new = conjuncts.iter().filter(|part| !is_said(part) && !is_known(part));
        let mut left: Vec<Term> = new.copied().collect();
        if left.len() + known.len() < 2 || left.len() > MOST_COMPARED {
            return left;
        }
        let (quantified, plain): (Vec<Term>, Vec<Term>) =
            left.iter().partition(|&&conjunct| terms.has_quantifier(conjunct));
        let kept = if quantified.len() > MOST_QUANTIFIED {
            left = plain;
            quantified
        } else {
            Vec::new()
        };
        // Long formulas go first: what short ones say is easier to read.
        left.sort_by_key(|&conjunct| std::cmp::Reverse(terms.dag_size(conjunct)));
        let mut position = 0;
        while position < left.len() {
            let conjunct = left.remove(position);
            // Whatever is left out here, the rest holds all the same, so easy questions need no solver.
            let session = self.solvers.quick_session();
            if !self.refutes(session, &[&left[..], known].concat(), conjunct, terms) {
                left.insert(position, conjunct);
                position += 1;
            }
        }
        left.reverse();
        left.extend(kept);
        left
    }
}
