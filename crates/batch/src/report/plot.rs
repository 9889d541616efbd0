//! Plots as SVG: how many tasks are solved within which time, and the times of two batches against each other.
//!
//! Axes of time are logarithmic, from [`FIRST`] to the time limit.

use std::fmt::Write as _;

/// The shortest time that is told apart, in seconds.
const FIRST: f64 = 0.01;

const WIDTH: f64 = 560.0;
const HEIGHT: f64 = 380.0;
const MARGIN: f64 = 50.0;

/// The ordered times of the solved tasks of one batch.
pub(super) struct Series<'a> {
    pub(super) name: &'a str,
    pub(super) colour: &'a str,
    pub(super) times: &'a [f64],
}

/// A task in two batches.
pub(super) struct Pair {
    pub(super) name: String,
    pub(super) before: f64,
    pub(super) now: f64,
    pub(super) colour: &'static str,
}

/// How many tasks (to the right) are solved in at most which time (upwards).
pub(super) fn quantiles(series: &[Series<'_>], limit: f64) -> String {
    let most = series.iter().map(|series| series.times.len()).max().unwrap_or_default().max(1);
    let mut svg = frame("solved tasks", "seconds each", limit, false);
    for part in 0..=4 {
        let count = most * part / 4;
        let x = across(count as f64 / most as f64);
        let _ = write!(
            svg,
            "<text x='{x:.1}' y='{:.1}' text-anchor='middle'>{count}</text>",
            HEIGHT - MARGIN + 16.0
        );
    }
    for (number, Series { name, colour, times }) in series.iter().enumerate() {
        let mut points = String::new();
        for (place, &time) in times.iter().enumerate() {
            let x = across((place + 1) as f64 / most as f64);
            let _ = write!(points, "{x:.1},{:.1} ", up(logarithmic(time, limit)));
        }
        let _ = write!(svg, "<polyline fill='none' stroke='{colour}' stroke-width='2' points='{points}'/>");
        let y = MARGIN + 16.0 * (number as f64 + 1.0);
        let _ = write!(
            svg,
            "<text x='{:.1}' y='{y:.1}' fill='{colour}'>{} ({})</text>",
            MARGIN + 10.0,
            super::html::escape(name),
            times.len()
        );
    }
    svg + "</svg>\n"
}

/// A point for each task: its time before (to the right) and now (upwards). Below the diagonal is faster now.
pub(super) fn scatter(pairs: &[Pair], limit: f64) -> String {
    let mut svg = frame("seconds before", "seconds now", limit, true);
    let _ = write!(
        svg,
        "<line x1='{:.1}' y1='{:.1}' x2='{:.1}' y2='{:.1}' stroke='#999'/>",
        across(0.0),
        up(0.0),
        across(1.0),
        up(1.0)
    );
    for Pair { name, before, now, colour } in pairs {
        let _ = write!(
            svg,
            "<circle cx='{:.1}' cy='{:.1}' r='3' fill='{colour}' fill-opacity='0.6'><title>{}: {before:.2} s, {now:.2} s</title></circle>",
            across(logarithmic(*before, limit)),
            up(logarithmic(*now, limit)),
            super::html::escape(name)
        );
    }
    svg + "</svg>\n"
}

/// Where a time lies between the first one and the limit, from 0 to 1.
fn logarithmic(time: f64, limit: f64) -> f64 {
    let limit = limit.max(FIRST * 10.0);
    (time.clamp(FIRST, limit) / FIRST).ln() / (limit / FIRST).ln()
}

fn across(part: f64) -> f64 {
    MARGIN + part * (WIDTH - 2.0 * MARGIN)
}

fn up(part: f64) -> f64 {
    HEIGHT - MARGIN - part * (HEIGHT - 2.0 * MARGIN)
}

/// The axes with their names, and the lines of powers of ten.
fn frame(below: &str, beside: &str, limit: f64, both: bool) -> String {
    let mut svg = format!(
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {WIDTH} {HEIGHT}' width='{WIDTH}' font-family='sans-serif' \
         font-size='12'><rect x='{MARGIN}' y='{MARGIN}' width='{}' height='{}' fill='none' stroke='#333'/>",
        WIDTH - 2.0 * MARGIN,
        HEIGHT - 2.0 * MARGIN
    );
    let mut time = FIRST;
    while time <= limit.max(FIRST * 10.0) * 1.000_001 {
        let part = logarithmic(time, limit);
        let (x, y) = (across(part), up(part));
        let label = if time < 1.0 { format!("{time:.2}") } else { format!("{time:.0}") };
        let _ = write!(
            svg,
            "<line x1='{MARGIN}' x2='{:.1}' y1='{y:.1}' y2='{y:.1}' stroke='#ddd'/>",
            WIDTH - MARGIN
        );
        let _ =
            write!(svg, "<text x='{:.1}' y='{:.1}' text-anchor='end'>{label}</text>", MARGIN - 5.0, y + 4.0);
        if both {
            let bottom = HEIGHT - MARGIN;
            let _ = write!(svg, "<line x1='{x:.1}' x2='{x:.1}' y1='{MARGIN}' y2='{bottom}' stroke='#ddd'/>");
            let _ =
                write!(svg, "<text x='{x:.1}' y='{:.1}' text-anchor='middle'>{label}</text>", bottom + 16.0);
        }
        time *= 10.0;
    }
    let _ = write!(
        svg,
        "<text x='{:.1}' y='{:.1}' text-anchor='middle'>{below}</text>",
        WIDTH / 2.0,
        HEIGHT - 12.0
    );
    let _ = write!(svg, "<text x='{MARGIN}' y='{:.1}'>{beside}</text>", MARGIN - 12.0);
    svg
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_placed_by_their_logarithm() {
        assert_eq!(logarithmic(0.001, 100.0), 0.0);
        assert!((logarithmic(1.0, 100.0) - 0.5).abs() < 1e-9);
        assert_eq!(logarithmic(1e9, 100.0), 1.0);
    }

    #[test]
    fn nothing_is_a_plot_too() {
        let svg = quantiles(&[Series { name: "<now>", colour: "blue", times: &[] }], 10.0);
        assert!(
            svg.contains("&lt;now&gt; (0)") && svg.ends_with("</svg>\n") && !svg.contains("NaN"),
            "{svg}"
        );
        assert!(!scatter(&[], 10.0).contains("NaN"));
    }
}
