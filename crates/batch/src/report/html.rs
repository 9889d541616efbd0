//! A page with everything: figures, plots, what has changed, and all tasks. It needs no other file and no script.

use super::plot::{Pair, Series, quantiles, scatter};
use super::{groups, score, solved_times};
use crate::compare::Comparison;
use crate::progress::Tally;
use crate::store::Finished;
use crate::{Expected, Outcome};
use std::fmt::Write as _;

const STYLE: &str = "body{font-family:sans-serif;margin:2em;max-width:80em}table{border-collapse:collapse}td,th{padding:2px 8px;\
text-align:left;border-bottom:1px solid #ddd}td.n{text-align:right}.wrong,.broken{background:#fbb}.correct,.answered{background:#dfd}";

/// Text as it stands in a page.
pub(super) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            other => escaped.push(other),
        }
    }
    escaped
}

/// The page of a batch with this time limit in seconds.
pub fn page(finished: &[Finished], tasks: usize, limit: f64, comparison: Option<&Comparison>) -> String {
    let tally: Tally = finished.iter().map(|f| f.outcome).collect();
    let mut html = format!(
        "<!DOCTYPE html>\n<html lang='en'><head><meta charset='utf-8'><title>Unreach: a batch</title><style>{STYLE}</style></head><body>\n\
         <h1>{} of {tasks} tasks finished</h1>\n<p>{}; score {}; {limit} s for each task.</p>\n",
        finished.len(),
        tally.text(),
        score(finished)
    );
    table_of_groups(&mut html, finished);
    let times = solved_times(finished);
    let mut series = Vec::new();
    if let Some(comparison) = comparison {
        series.push(Series { name: "before", colour: "#c60", times: &comparison.solved_before });
    }
    series.push(Series { name: "now", colour: "#06c", times: &times });
    let _ = write!(html, "<h2>Solved tasks by time</h2>\n{}", quantiles(&series, limit));
    if let Some(comparison) = comparison {
        compared(&mut html, comparison, limit);
    }
    all_tasks(&mut html, finished);
    html + "</body></html>\n"
}

fn table_of_groups(html: &mut String, finished: &[Finished]) {
    html.push_str("<table><tr><th>language, property</th><th>tasks</th>");
    for outcome in Outcome::ALL {
        let _ = write!(html, "<th>{}</th>", outcome.word());
    }
    html.push_str("</tr>\n");
    for (group, tally) in groups(finished, |f| format!("{} {}", f.task.language(), f.task.property)) {
        let _ = write!(html, "<tr><td>{}</td><td class='n'>{}</td>", escape(&group), tally.total());
        for outcome in Outcome::ALL {
            let _ = write!(html, "<td class='n'>{}</td>", tally.of(outcome));
        }
        html.push_str("</tr>\n");
    }
    html.push_str("</table>\n");
}

fn compared(html: &mut String, comparison: &Comparison, limit: f64) {
    let _ = write!(
        html,
        "<h2>Against {}</h2>\n<p>{}</p>\n",
        escape(&comparison.with),
        escape(&comparison.line())
    );
    for (title, changes) in [("Lost", &comparison.lost), ("Won", &comparison.won)] {
        if !changes.is_empty() {
            let _ = writeln!(html, "<h3>{title}</h3><ul>");
            for change in changes {
                let _ = writeln!(html, "<li>{}</li>", escape(&change.text()));
            }
            html.push_str("</ul>\n");
        }
    }
    let pairs: Vec<Pair> = comparison
        .pairs
        .iter()
        .map(|pair| Pair {
            name: pair.name.clone(),
            before: if pair.before.is_solved() { pair.wall_before } else { limit },
            now: if pair.now.is_solved() { pair.wall_now } else { limit },
            colour: match (pair.before.is_solved(), pair.now.is_solved()) {
                (true, false) => "#c00",
                (false, true) => "#090",
                _ => "#06c",
            },
        })
        .collect();
    html.push_str(&scatter(&pairs, limit));
}

fn all_tasks(html: &mut String, finished: &[Finished]) {
    html.push_str(
        "<h2>All tasks</h2>\n<table><tr><th>task</th><th>property</th><th>expected</th><th>result</th><th>wall s</th>\
         <th>CPU s</th><th>MB</th><th>said</th></tr>\n",
    );
    for f in finished {
        let seen = &f.measured;
        let expected = f.task.expected.as_ref().map(Expected::to_word).unwrap_or_default();
        let line = if seen.said.is_empty() { &seen.note } else { &seen.said };
        let _ = writeln!(
            html,
            "<tr class='{}'><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td class='n'>{:.2}</td><td class='n'>{}</td>\
             <td class='n'>{}</td><td>{}</td></tr>",
            f.outcome.word(),
            escape(&f.task.name),
            escape(&f.task.property),
            escape(&expected),
            f.outcome.word(),
            seen.wall,
            seen.cpu.map(|cpu| format!("{cpu:.2}")).unwrap_or_default(),
            seen.memory.map(|memory| memory.to_string()).unwrap_or_default(),
            escape(line)
        );
    }
    html.push_str("</table>\n");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::tests::finished;

    #[test]
    fn nothing_of_a_task_becomes_part_of_the_page() {
        let name = "<script>alert('x')</script>&\"";
        let page = page(&[finished(name, "true", "UNKNOWN (<b>)", 1.0)], 1, 10.0, None);
        assert!(!page.contains("<script>") && !page.contains("(<b>)"), "{page}");
        assert!(page.contains("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;&quot;"), "{page}");
    }
}
