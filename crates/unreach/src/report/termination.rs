//! Termination in the words of the source: ranking functions at loop heads, and runs that never end.

use super::c_execution::is_hidden;
use super::c_expression;
use super::formula::readable;
use super::proof::{Invariant, InvariantKind, script_terms};
use crate::view::View;
use base::Span;
use certify::termination::recurrence::InfiniteRun;
use ir::Procedure;
use logic::{Model, Symbol, Term, Terms};
use program::{EdgeKind, Program, TerminationProof, Var};
use serde_json::json;

/// A rank with a text that is longer is not shown.
const LONGEST: usize = 400;

/// So many variables of an infinite run are shown.
const MOST_TOLD: usize = 20;
/// What is said of a run with an overflow.
const WRAPS: &str = "a signed number may overflow on the way: here it wraps around, and there is such a run, too, if signed \
                     numbers are unbounded";

/// The variables that are shown: those that the recurrent set speaks of, and those that change in the first rounds.
fn told_variables(single: &Program, run: &InfiniteRun, terms: &Terms) -> Vec<Var> {
    let set = &run.recurrence.sets[0];
    let mentioned = terms.free_symbols(set.states);
    let mut told: Vec<Var> = Vec::new();
    for var in single.scope(set.location) {
        let symbol = single.variables[var].symbol;
        let changes = run.states.windows(2).any(|pair| pair[0].get(symbol) != pair[1].get(symbol));
        let is_copy = told.iter().any(|&other| single.variables[other].name == single.variables[var].name);
        if !is_copy && (mentioned.contains(&symbol) || changes) {
            told.push(var);
        }
    }
    told.truncate(MOST_TOLD);
    told
}

/// The name and the value of a variable, if both can be shown.
fn value(single: &Program, var: Var, model: &Model) -> Option<(String, String)> {
    let data = &single.variables[var];
    let value = match model.get(data.symbol)? {
        logic::Value::Bool(value) => value.to_string(),
        logic::Value::Int(value) => value.to_string(),
        logic::Value::Real(value) => value.to_string(),
        logic::Value::BitVec(_, value) => value.to_string(),
        _ => return None,
    };
    let plain = data.name.chars().all(|c| c.is_alphanumeric() || c == '_');
    (plain && !is_hidden(&data.name)).then(|| (data.name.clone(), value))
}

/// The ranking functions of the loops of a proof.
pub(crate) fn ranks(
    view: &View,
    single: &Program,
    proof: &TerminationProof,
    terms: &mut Terms,
) -> Vec<Invariant> {
    let nodes = &proof.nodes[..];
    let loop_heads = transform::loop_heads(single);
    let mut shown = Vec::new();
    for node in nodes {
        if !loop_heads.contains(node.location) {
            continue;
        }
        let procedure = single.locations[node.location].procedure;
        let function = &view.program.procedures[procedure].name;
        // The first entry only tells loops apart that come one after the other.
        let mut entries: Vec<Term> = node.rank.iter().skip(1).copied().collect();
        while entries.last().is_some_and(|&entry| terms.as_number(entry).is_some()) {
            entries.pop();
        }
        let said: Vec<String> = entries.iter().map(|&entry| spoken(single, entry, terms)).collect();
        let formula = match &said[..] {
            [] => continue,
            [one] => one.clone(),
            several => format!("({})", several.join(", ")),
        };
        if formula.len() <= LONGEST {
            let span = single.locations[node.location].span;
            let terms_of_script = script_terms(view, single, &entries, terms);
            let kind = InvariantKind::Rank;
            // Visits of other nodes of the loop, or in other calls, have ranks of their own.
            let is_lone = nodes.iter().filter(|other| other.location == node.location).count() == 1;
            let c_expression = view.back.as_ref().filter(|_| is_lone && called_once(view, single, procedure));
            let c_expression = c_expression.and_then(|back| {
                c_expression::transition_invariant((single, back), function, &node.rank, terms)
            });
            shown.push(Invariant { kind, span, formula, c_expression, terms_of_script });
        }
        let invariant = readable(single, view.back.as_ref(), node.invariant, terms);
        if let Some(formula) = invariant.filter(|_| !node.invariant.is_true()) {
            let span = single.locations[node.location].span;
            let conjuncts = terms.conjuncts(node.invariant);
            let terms_of_script = script_terms(view, single, &conjuncts, terms);
            let kind = InvariantKind::Loop;
            let is_lone = nodes.iter().filter(|other| other.location == node.location).count() == 1;
            let c_expression = view.back.as_ref().filter(|_| is_lone);
            let c_expression = c_expression.and_then(|back| {
                let at = (function.as_str(), c_expression::Moment::Visit);
                c_expression::c_expression(single, back, at, node.invariant, terms)
            });
            shown.push(Invariant { kind, span, formula, c_expression, terms_of_script });
        }
    }
    shown.extend(module_ranks(single, proof, terms));
    shown.sort_by_key(|invariant| invariant.span);
    shown
}

/// The ranking functions of modules: each ranks some of the traces of its loop.
fn module_ranks(single: &Program, proof: &TerminationProof, terms: &Terms) -> Vec<Invariant> {
    let mut shown: Vec<Invariant> = Vec::new();
    for module in proof.coverings.iter().flat_map(|covering| &covering.modules) {
        for state in &module.states {
            let (false, Some(rank)) = (state.label.is_false(), &state.rank) else { continue };
            let said: Vec<String> = rank.iter().map(|&entry| spoken(single, entry, terms)).collect();
            let formula = match &said[..] {
                [one] => one.clone(),
                several => format!("({})", several.join(", ")),
            };
            let span = single.locations[state.location].span;
            let is_new = !shown.iter().any(|other| other.span == span && other.formula == formula);
            if is_new && formula.len() <= LONGEST {
                let (c_expression, terms_of_script) = (None, Vec::new());
                shown.push(Invariant {
                    kind: InvariantKind::PartialRank,
                    span,
                    formula,
                    c_expression,
                    terms_of_script,
                });
            }
        }
    }
    shown
}

/// Whether a procedure is called once in every execution, as `main` is: by the start of a C program only.
fn called_once(view: &View, program: &Program, procedure: Procedure) -> bool {
    let calls = program.edges.values().filter_map(|edge| match &edge.kind {
        EdgeKind::Call(call) if call.callee == procedure => Some(program.locations[edge.source].procedure),
        _ => None,
    });
    let callers: Vec<Procedure> = calls.collect();
    matches!(callers[..], [caller] if view.program.procedures[caller].name == ir::program::START)
}

/// A term with the names of the program.
fn spoken(program: &Program, term: Term, terms: &Terms) -> String {
    let name = |symbol: Symbol| match program.variables.of_symbol(symbol) {
        Some(var) => program.variables[var].name.as_str(),
        None => terms.symbol_data(symbol).name.as_str(),
    };
    logic::print::infix_with(terms, term, &name)
}

/// A run that never ends.
#[derive(Clone, Debug)]
pub struct InfiniteReport {
    /// Where the run comes back to.
    pub(crate) span: Span,
    /// What holds there in every round.
    pub(super) states: Option<String>,
    /// How many rounds were replayed.
    pub(super) rounds: usize,
    /// The values in the first rounds.
    pub(super) values: Vec<Vec<(String, String)>>,
    /// Where the run is with the automaton of a temporal property, step by step: places, with the state.
    pub(super) states_at: Vec<(Span, usize)>,
    /// Whether a signed number overflows on the way, and wraps around.
    wraps: bool,
}

/// So many steps of an automaton are told.
const MOST_STEPS: usize = 60;

/// The steps of a run with the states of the automaton that watches it. Steps at one place in one state are told once.
fn states_at(view: &View, run: &InfiniteRun) -> Vec<(Span, usize)> {
    let line = |span: Span| (span.file, view.sources.line_column(span).line);
    let mut told: Vec<(Span, usize)> = Vec::new();
    for event in &run.events {
        let Some(&state) = view.states.get(&(event.place.procedure, event.place.block)) else { continue };
        let Some(span) = super::execution::span_of(view, event.place) else { continue };
        let file = view.sources.file(span.file);
        // Nobody has written the models of the library, and what evaluates the conditions of a formula.
        let is_made = [c::LIBRARY, c::watch::ADDED].contains(&file.name.as_str())
            || crate::temporal::is_added(file.line(line(span).1));
        let same = |(last, before): &(Span, usize)| line(*last) == line(span) && *before == state;
        if !is_made && !told.last().is_some_and(same) {
            told.push((span, state));
        }
    }
    told.truncate(MOST_STEPS);
    told
}

impl InfiniteReport {
    pub(crate) fn new(view: &View, single: &Program, run: &InfiniteRun, terms: &mut Terms) -> InfiniteReport {
        let set = &run.recurrence.sets[0];
        let states = readable(single, view.back.as_ref(), set.states, terms);
        let told = told_variables(single, run, terms);
        let values =
            run.states.iter().map(|model| told.iter().filter_map(|&var| value(single, var, model)).collect());
        InfiniteReport {
            span: single.locations[set.location].span,
            states,
            rounds: run.rounds,
            values: values.collect(),
            states_at: states_at(view, run),
            wraps: false,
        }
    }

    /// The run is one of the view in which signed numbers wrap around, and there is one if they are unbounded, too.
    pub(crate) fn wraps(&mut self) {
        self.wraps = true;
    }

    pub(super) fn text(&self, view: &View) -> String {
        let place = view.sources.place(self.span);
        let mut out =
            format!("{place}: a run comes back here for ever ({} times when it was replayed)\n", self.rounds);
        if self.wraps {
            out += &format!("{place}: {WRAPS}\n");
        }
        if let Some(states) = &self.states {
            out += &format!("{place}: where always: {states}\n");
        }
        for (round, values) in self.values.iter().enumerate() {
            let values: Vec<String> =
                values.iter().map(|(name, value)| format!("{name} = {value}")).collect();
            if !values.is_empty() {
                out += &format!("  round {}: {}\n", round + 1, values.join(", "));
            }
        }
        if !self.states_at.is_empty() {
            out += "\nExecution, with the state of the property's automaton:\n";
        }
        for &(span, state) in &self.states_at {
            let number = view.sources.line_column(span).line;
            let source = view.sources.file(span.file).line(number).trim();
            out += &format!("{:<60}  q{state}\n", format!("{number:>5} | {source}"));
        }
        out
    }

    pub(super) fn json(&self, view: &View) -> serde_json::Value {
        let at = view.sources.line_column(self.span);
        let rounds: Vec<serde_json::Value> = self
            .values
            .iter()
            .map(|values| {
                values
                    .iter()
                    .map(|(name, value)| (name.clone(), json!(value)))
                    .collect::<serde_json::Map<_, _>>()
                    .into()
            })
            .collect();
        let mut told = json!({
            "line": at.line, "column": at.column, "states": self.states, "replayed_rounds": self.rounds,
            "first_rounds": rounds, "signed_overflow": self.wraps.then_some("wraps")
        });
        if !self.states_at.is_empty() {
            let step = |&(span, state): &(Span, usize)| {
                let at = view.sources.line_column(span);
                json!({ "line": at.line, "column": at.column, "automaton": format!("q{state}") })
            };
            told["steps"] = json!(self.states_at.iter().map(step).collect::<Vec<_>>());
        }
        told
    }
}
