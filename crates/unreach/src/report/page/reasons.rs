//! Why a proof is one, as the page has it: Hoare triples, lines, and the automata with a layout.

use super::layout::{Layout, layout};
use super::places::Places;
use crate::answer::{Answer, Decision, Proof};
use crate::report::reasons::Reasons;
use crate::report::reasons::automata::Shown;
use crate::report::reasons::triples::{Spot, SpotKind, Triple};
use base::Span;
use serde_json::{Value, json};

/// What a decision says about why.
pub(super) fn of(decision: &Decision, places: &mut Places<'_>) -> Value {
    let Answer::Safe(safe) = &decision.answer else { return Value::Null };
    let by = match &safe.proof {
        Proof::Unwinding(_) => "unwinding",
        Proof::Parts(_) => "parts",
        Proof::Automata(_) => "automata",
    };
    let Some(reasons) = &safe.reasons else { return json!({ "by": by }) };
    let Reasons { triples, lines, automata, .. } = reasons;
    let triples: Vec<Value> = triples.iter().map(|triple| of_triple(triple, places)).collect();
    let lines = lines.as_ref().map(
        |lines| json!({ "needed": all(&lines.needed, places), "unneeded": all(&lines.unneeded, places) }),
    );
    let automata: Vec<Value> = automata.iter().map(|automaton| of_automaton(automaton, places)).collect();
    json!({ "by": by, "triples": triples, "lines": lines, "automata": automata })
}

fn all(spans: &[Span], places: &mut Places<'_>) -> Vec<Value> {
    spans.iter().filter_map(|&span| places.of(span)).collect()
}

fn of_triple(triple: &Triple, places: &mut Places<'_>) -> Value {
    let Triple { from, to, before, after, lines } = triple;
    json!({
        "from": of_spot(from, places), "to": of_spot(to, places),
        "before": before, "after": after, "lines": all(lines, places),
    })
}

fn of_spot(spot: &Spot, places: &mut Places<'_>) -> Value {
    let kind = match spot.kind {
        SpotKind::Begin => "begin",
        SpotKind::Loop => "loop",
        SpotKind::End => "end",
        SpotKind::Error => "error",
        SpotKind::Other => "",
    };
    json!({ "kind": kind, "place": places.of(spot.span), "procedure": spot.procedure })
}

fn of_automaton(automaton: &Shown, places: &mut Places<'_>) -> Value {
    let Shown { labels, states, transitions, initial, arrows } = automaton;
    if arrows.is_empty() {
        return json!({ "states": states, "transitions": transitions, "labels": labels });
    }
    let pairs: Vec<(usize, usize)> = arrows.iter().map(|arrow| (arrow.from, arrow.to)).collect();
    let first = initial.first().copied().unwrap_or(0);
    let Layout { nodes, edges, width, height } = layout(*states, &pairs, first);
    let nodes: Vec<Value> = nodes
        .iter()
        .enumerate()
        .map(|(state, at)| json!({ "x": at.x, "y": at.y, "initial": initial.contains(&state) }))
        .collect();
    let edges: Vec<Value> = arrows
        .iter()
        .zip(edges)
        .map(|(arrow, way)| {
            let way: Vec<[i32; 2]> = way.into_iter().map(|point| [point.x, point.y]).collect();
            json!({
                "from": arrow.from, "to": arrow.to, "letters": arrow.letters, "count": arrow.count,
                "places": all(&arrow.spans, places), "call": arrow.has_calls, "way": way,
            })
        })
        .collect();
    json!({
        "states": states, "transitions": transitions, "labels": labels,
        "nodes": nodes, "edges": edges, "width": width, "height": height,
    })
}
