//! Small program automata for unit tests.

use base::{EntityRef, FileId, Span};
use ir::Procedure;
use logic::{Sort, Terms};
use program::automaton::EdgeData;
use program::steps::{OriginData, Step};
use program::variables::VarData;
use program::{
    EdgeKind, Error, ErrorData, ErrorKind, Location, LocationData, Program, Relation, Var, VarKind,
};

/// `x := 0; loop { x := x + 1 }`, with an error where `x < 0` in the loop. Locations are `l0`, the loop head `l1`, and
/// the error `l2`; edges are `e0` (into the loop), `e1` (around it) and `e2` (to the error).
pub(crate) fn counting_up(terms: &mut Terms) -> (Program, Var) {
    let mut program = Program::default();
    let span = Span::new(FileId::new(0), 0, 0);
    let procedure = Procedure::new(0);
    let location = |program: &mut Program, error: Option<Error>| {
        program.locations.push(LocationData { procedure, span, error })
    };
    let start = location(&mut program, None);
    let head = location(&mut program, None);
    let failed = location(&mut program, Some(Error::new(0)));
    program.errors.push(ErrorData { location: failed, kind: ErrorKind::Assert, span, condition: span });
    program.initial.push(start);
    let symbol = terms.symbol("x", Sort::INT);
    let x = program.variables.add(VarData {
        name: "x".to_owned(),
        symbol,
        kind: VarKind::Local(procedure),
        source: None,
    });
    let (value, zero, one) = (terms.constant(symbol), terms.int(0), terms.int(1));
    let more = terms.add(&[value, one]);
    let negative = terms.lt(value, zero);
    let mut edge = |source: Location, target: Location, relation: Relation| {
        let step = Step::Start(procedure);
        let origin = program.origins.push(OriginData::Step { step, choices: Vec::new() });
        let kind = EdgeKind::Internal(relation);
        program.add_edge(EdgeData { source, target, kind, origin, overapproximates: false });
    };
    edge(start, head, Relation::assign(vec![(x, zero)]));
    edge(head, head, Relation::assign(vec![(x, more)]));
    edge(head, failed, Relation::assume(negative));
    (program, x)
}
