//! The program automaton as graphs for the page, one for each procedure, laid out and in step with the source.
//!
//! A call is drawn as one edge from the call to where control comes back. Edges are labelled with the source that they
//! stand for. The smallest steps that give a graph of readable size are drawn; what is still too large is counted only.

use super::layout::{Layout, layout};
use super::places::Places;
use crate::report::edge_words::{EdgeWords, edge_words};
use crate::view::View;
use logic::Terms;
use program::{Edge, EdgeKind, Location, Program};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use transform::BlockSize;

/// The steps that are drawn, each up to a number of locations.
const SIZES: [(BlockSize, usize); 3] =
    [(BlockSize::Single, 24), (BlockSize::Straight, 120), (BlockSize::Moderate, usize::MAX)];
/// A procedure with more locations than this is not drawn.
const MOST_LOCATIONS: usize = 400;
/// Programs with more statements than this have no drawing, and none is attempted.
const MOST_STATEMENTS: usize = 20_000;

/// The automaton of a program.
pub(super) fn of(view: &View, places: &mut Places<'_>) -> Value {
    let bodies = view.program.procedures.values().filter_map(|data| data.body.as_ref());
    let statements: usize =
        bodies.flat_map(|body| body.blocks.values()).map(|block| block.statements.len() + 1).sum();
    if statements > MOST_STATEMENTS {
        return json!({ "why": format!("The program has {statements} statements: its automaton is not drawn.") });
    }
    let mut terms = Terms::new();
    let Ok(single) = program::build(&view.program, &mut terms) else {
        return json!({ "why": "The program has no automaton: a formula cannot say all of it." });
    };
    let single = transform::trim(single);
    let drawn = SIZES.into_iter().find_map(|(size, most)| {
        let composed = transform::compose(&single, size, &mut terms).program;
        let is_readable = program::print::used_locations(&composed).len() <= most;
        is_readable.then(|| drawn(view, &composed, places))
    });
    drawn.unwrap_or_default()
}

/// What is drawn between two locations of a procedure.
struct Arrow {
    from: Location,
    to: Location,
    label: String,
    lines: Vec<Value>,
    is_call: bool,
}

fn drawn(view: &View, program: &Program, places: &mut Places<'_>) -> Value {
    let loop_heads = transform::loop_heads(program);
    let used = program::print::used_locations(program);
    let mut procedures: BTreeMap<ir::Procedure, Vec<Location>> = BTreeMap::new();
    for &location in &used {
        procedures.entry(program.locations[location].procedure).or_default().push(location);
    }
    let mut arrows: BTreeMap<ir::Procedure, Vec<Arrow>> = BTreeMap::new();
    for edge in program.live_edges() {
        let arrow = arrow(view, program, edge, places);
        if let Some(arrow) = arrow {
            arrows.entry(program.locations[arrow.from].procedure).or_default().push(arrow);
        }
    }
    let mut graphs = Vec::new();
    for (procedure, locations) in &procedures {
        let name = &view.program.procedures[*procedure].name;
        let none = Vec::new();
        let arrows = arrows.get(procedure).unwrap_or(&none);
        if locations.len() > MOST_LOCATIONS {
            graphs.push(json!({ "name": name, "size": locations.len() }));
            continue;
        }
        let position = |location: Location| locations.binary_search(&location).ok();
        let pairs: Vec<(usize, usize)> =
            arrows.iter().filter_map(|arrow| Some((position(arrow.from)?, position(arrow.to)?))).collect();
        let entry = program.frames.get(procedure).and_then(|frame| position(frame.entry)).unwrap_or(0);
        let Layout { nodes, edges, width, height } = layout(locations.len(), &pairs, entry);
        let node = |(index, &location): (usize, &Location)| {
            let data = &program.locations[location];
            let is_exit = program.frames.get(procedure).is_some_and(|frame| frame.exit == location);
            let kind = match location {
                _ if data.error.is_some() => "error",
                _ if loop_heads.contains(location) => "loop",
                _ if index == entry || program.initial.contains(&location) => "start",
                _ if is_exit => "exit",
                _ => "",
            };
            let at = nodes[index];
            json!({ "id": location.to_string(), "x": at.x, "y": at.y, "kind": kind, "place": places.of(data.span) })
        };
        let nodes: Vec<Value> = locations.iter().enumerate().map(node).collect();
        let inside =
            arrows.iter().filter(|arrow| position(arrow.from).is_some() && position(arrow.to).is_some());
        let edges: Vec<Value> = inside
            .zip(edges)
            .map(|(arrow, way)| {
                let way: Vec<[i32; 2]> = way.into_iter().map(|point| [point.x, point.y]).collect();
                json!({
                    "from": arrow.from.to_string(), "to": arrow.to.to_string(), "label": arrow.label,
                    "places": arrow.lines, "call": arrow.is_call, "way": way,
                })
            })
            .collect();
        let size = locations.len();
        graphs.push(json!({
            "name": name, "size": size, "nodes": nodes, "edges": edges, "width": width, "height": height,
        }));
    }
    json!({ "procedures": graphs, "locations": used.len() })
}

/// What is drawn for an edge; nothing for a call, whose return is drawn as both.
fn arrow(view: &View, program: &Program, edge: Edge, places: &mut Places<'_>) -> Option<Arrow> {
    let data = &program.edges[edge];
    let from = match &data.kind {
        EdgeKind::Internal(_) => data.source,
        EdgeKind::Call(_) => return None,
        EdgeKind::Return(returning) => program.call_of(returning).0.source,
    };
    let EdgeWords { label, spans } = edge_words(view, program, edge);
    let lines = spans.into_iter().filter_map(|span| places.of(span)).collect();
    let is_call = matches!(data.kind, EdgeKind::Return(_));
    Some(Arrow { from, to: data.target, label, lines, is_call })
}
