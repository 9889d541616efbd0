//! Automata of properties as pictures in SVG, laid out as the graphs of pages are.

use super::page::layout::{Point, layout};
use property::drawing::{Drawing, Edge};
use std::fmt::Write;

/// How high a line of text is.
const LINE: i32 = 14;

/// What SVG would read as something else.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// The picture in SVG. Transitions between the same two states are one arrow with several lines; accepting ones are bold.
pub fn svg(drawing: &Drawing) -> String {
    let mut arrows: Vec<(usize, usize)> = Vec::new();
    for edge in &drawing.edges {
        if !arrows.contains(&(edge.from, edge.to)) {
            arrows.push((edge.from, edge.to));
        }
    }
    let places = layout(drawing.nodes.len(), &arrows, drawing.initial);
    // Labels may be wider than the columns of the layout.
    let longest = drawing.edges.iter().map(|edge| edge.label.chars().count()).max().unwrap_or(0);
    let width = places.width + i32::try_from(7 * longest).unwrap_or(i32::MAX / 2);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\"/></marker></defs>\n\
         <title>{}</title>\n",
        places.height,
        escaped(&drawing.name)
    );
    for (&(from, to), points) in arrows.iter().zip(&places.edges) {
        let own: Vec<&Edge> =
            drawing.edges.iter().filter(|edge| (edge.from, edge.to) == (from, to)).collect();
        arrow(&mut out, points, &own);
    }
    for (number, (node, at)) in drawing.nodes.iter().zip(&places.nodes).enumerate() {
        let colour = if node.is_error { "red" } else { "black" };
        let thickness = if number == drawing.initial { 3 } else { 1 };
        let half = 12 + 4 * i32::try_from(node.label.chars().count()).unwrap_or(0);
        // Writing to a string cannot fail.
        let _ = writeln!(
            out,
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"24\" rx=\"10\" fill=\"white\" stroke=\"{colour}\" stroke-width=\"{thickness}\"/><text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
            at.x - half,
            at.y - 12,
            2 * half,
            at.x,
            at.y + 4,
            escaped(&node.label)
        );
    }
    out.push_str("</svg>\n");
    out
}

/// An arrow with what is written at it.
fn arrow(out: &mut String, points: &[Point], edges: &[&Edge]) {
    let [first, .., last] = points else { return };
    // The tip ends at the box of the state.
    let before = points[points.len() - 2];
    let side = (before.y - last.y).signum();
    let tip = Point { x: last.x, y: last.y + 12 * side };
    let way: Vec<String> = points[..points.len() - 1]
        .iter()
        .chain([&tip])
        .map(|point| format!("{} {}", point.x, point.y))
        .collect();
    let thickness = if edges.iter().any(|edge| edge.accepting) { 3 } else { 1 };
    // Writing to a string cannot fail.
    let _ = writeln!(
        out,
        "<path d=\"M{}\" fill=\"none\" stroke=\"black\" stroke-width=\"{thickness}\" marker-end=\"url(#tip)\"/>",
        way.join("L")
    );
    let middle = points[points.len() / 2];
    let at = match points.len() {
        // Nearer to where it begins, so that an arrow back has its words elsewhere.
        2 => Point { x: (2 * first.x + last.x) / 3, y: (2 * first.y + last.y) / 3 },
        _ => middle,
    };
    for (edge, line) in edges.iter().zip(0..) {
        let _ = writeln!(
            out,
            "<text x=\"{}\" y=\"{}\">{}</text>",
            at.x + 4,
            at.y + LINE * line,
            escaped(&edge.label)
        );
    }
}
