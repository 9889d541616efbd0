//! Which statements a proof needs.
//!
//! One statement after the other is replaced by one that may do anything to the variables that the statement changes;
//! if all triples through it still hold, it stays replaced. What is left at the end is needed: a set of statements from
//! which none can be taken away. (There may be other such sets.) Checks themselves are not asked about.

use super::Ground;
use super::prover::{Claim, Prover, edges_between};
use super::triples::Found;
use crate::report::edge_words::single_step;
use base::{Interrupted, Span};
use ir::StatementKind;
use logic::{Term, Terms};
use program::steps::Step;
use program::{Edge, EdgeKind, Program, Relation};
use std::collections::{BTreeMap, BTreeSet};

/// The statements of a proof by what it needs of them.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Lines {
    /// The proof needs them.
    pub needed: Vec<Span>,
    /// It would hold whatever they did to the variables that they change.
    pub unneeded: Vec<Span>,
}

/// Which statements the triples need; nothing if the triples do not exclude all errors, or if that is too much work.
pub(super) fn lines(
    ground: &Ground<'_>,
    found: &[Found],
    prover: &mut Prover<'_>,
    terms: &mut Terms,
) -> Result<Option<Lines>, Interrupted> {
    if !found.iter().all(|triple| triple.holds) {
        return Ok(None);
    }
    let mut program: Program = (*ground.proven.prepared.single).clone();
    let mut through: BTreeMap<Edge, Vec<usize>> = BTreeMap::new();
    for (position, triple) in found.iter().enumerate().filter(|(_, triple)| triple.at_edge.is_none()) {
        for edge in edges_between(&program, ground.cut_points, triple.ends) {
            through.entry(edge).or_default().push(position);
        }
    }
    let mut lines = Lines::default();
    for (span, edges) in statements(ground, &program, &through) {
        let kept: Vec<(Edge, EdgeKind)> =
            edges.iter().map(|&edge| (edge, program.edges[edge].kind.clone())).collect();
        for &edge in &edges {
            let EdgeKind::Internal(relation) = &program.edges[edge].kind else { continue };
            let anything = anything(&program, relation, terms);
            program.edges[edge].kind = EdgeKind::Internal(anything);
        }
        let touched: BTreeSet<usize> = edges.iter().flat_map(|edge| &through[edge]).copied().collect();
        let mut is_needed = false;
        for position in touched {
            let triple = &found[position];
            let after = terms.and(triple.after.iter().copied());
            let claim = Claim { before: &triple.known, ends: triple.ends, after };
            if !prover.holds(&program, ground.cut_points, claim, terms)? {
                is_needed = true;
                break;
            }
        }
        if is_needed {
            for (edge, kind) in kept {
                program.edges[edge].kind = kind;
            }
            lines.needed.push(span);
        } else {
            lines.unneeded.push(span);
        }
    }
    Ok((!prover.is_exhausted()).then_some(lines))
}

/// The statements that triples go through, with their edges: copies of a statement are one.
fn statements(
    ground: &Ground<'_>,
    program: &Program,
    through: &BTreeMap<Edge, Vec<usize>>,
) -> BTreeMap<Span, Vec<Edge>> {
    let source = &ground.proven.view.program;
    let names: BTreeSet<Span> = source.procedures.values().map(|data| data.span).collect();
    let mut statements: BTreeMap<Span, Vec<Edge>> = BTreeMap::new();
    for &edge in through.keys() {
        let span = match single_step(program, edge) {
            Some(Step::Statement(place)) => {
                let statement = program::build::statement_of(source, *place);
                let is_check = matches!(statement.kind, StatementKind::Assert(..));
                (!is_check).then_some(statement.span)
            }
            Some(Step::Branch { procedure, block, .. }) => {
                let body = source.procedures[*procedure].body.as_ref();
                body.map(|body| body.blocks[*block].transfer_span)
            }
            Some(Step::Enter(procedure)) => {
                source.procedures[*procedure].requires.first().map(|clause| clause.span)
            }
            _ => None,
        };
        // What stands at the name of a procedure was added by the translation, and nobody has written it.
        let is_written = |span: &Span| !names.contains(span);
        if let Some(span) = span.filter(is_written) {
            statements.entry(span).or_default().push(edge);
        }
    }
    statements
}

/// A relation that changes the same variables in any way, and can always be taken.
fn anything(program: &Program, relation: &Relation, terms: &mut Terms) -> Relation {
    let mut auxiliaries = Vec::new();
    let mut updates = Vec::new();
    for &(var, _) in &relation.updates {
        let data = terms.symbol_data(program.variables[var].symbol).clone();
        let symbol = terms.fresh_symbol("anything", data.sort);
        auxiliaries.push(symbol);
        updates.push((var, terms.constant(symbol)));
    }
    Relation { guard: Term::TRUE, updates, auxiliaries }
}
