//! The programs that the page offers: those of the folder `examples` and others after the papers, and those of the manual.

use serde_json::{Value, json};

/// The programs of the folder `examples` and those after the papers, by the idea that they are about.
const FILES: [(&str, &str, &str); 11] = [
    (AUTOMATA, "two_errors.bpl", include_str!("../../../../examples/two_errors.bpl")),
    (AUTOMATA, "disjoint_arguments.bpl", include_str!("../../../../examples/disjoint_arguments.bpl")),
    (AUTOMATA, "trace_partitioning.bpl", include_str!("../../../../examples/trace_partitioning.bpl")),
    (AUTOMATA, "branches_that_are_forgotten.bpl", include_str!("../../tests/programs/fig7.bpl")),
    (NESTED, "mccarthy91.bpl", include_str!("../../../../examples/mccarthy91.bpl")),
    (NESTED, "mccarthy91_bug.bpl", include_str!("../../../../examples/mccarthy91_bug.bpl")),
    (SPLITTING, "tokens.bpl", include_str!("../../tests/programs/running_example.bpl")),
    (LEAPS, "steps.bpl", include_str!("../../../../examples/steps.bpl")),
    (LEAPS, "less_simple.bpl", include_str!("../../tests/leaping/programs/less_simple.bpl")),
    (LEAPS, "jump_beyond_n.bpl", include_str!("../../tests/leaping/programs/jump_beyond_n.bpl")),
    (LEAPS, "flip.bpl", include_str!("../../tests/leaping/programs/flip.bpl")),
];

const AUTOMATA: &str = "Papers: proofs as automata";
const NESTED: &str = "Papers: recursion and nested interpolants";
const SPLITTING: &str = "Papers: splitting";
const LEAPS: &str = "Papers: leaping loops";

/// The chapters of the manual that have programs.
const CHAPTERS: [(&str, &str); 3] = [
    ("First steps", include_str!("../../../../docs/manual/src/tutorial.md")),
    ("Boogie", include_str!("../../../../docs/manual/src/boogie.md")),
    ("Checks", include_str!("../../../../docs/manual/src/checks.md")),
];

/// A program.
struct Example {
    group: String,
    name: String,
    language: &'static str,
    text: String,
}

/// All programs, for the page.
pub(super) fn json() -> Value {
    let files = FILES.iter().map(|(group, name, text)| Example {
        group: (*group).to_owned(),
        name: (*name).to_owned(),
        language: "boogie",
        text: without_expectation(text),
    });
    let chapters = CHAPTERS.iter().flat_map(|(group, text)| of_chapter(group, text));
    let one =
        |it: Example| json!({ "group": it.group, "name": it.name, "language": it.language, "text": it.text });
    files.chain(chapters).map(one).collect()
}

/// A program without the line that tells a test what to expect.
fn without_expectation(text: &str) -> String {
    text.split_inclusive('\n').filter(|line| !line.starts_with("//@ ")).collect()
}

/// The programs of a chapter, named by the heading above them.
fn of_chapter(group: &str, chapter: &str) -> Vec<Example> {
    let mut found: Vec<Example> = Vec::new();
    let mut heading = group;
    let mut open: Option<(&'static str, String)> = None;
    for line in chapter.lines() {
        match &mut open {
            None => {
                let language = match line {
                    "```boogie" => Some("boogie"),
                    "```c" => Some("c"),
                    _ => None,
                };
                open = language.map(|language| (language, String::new()));
                if let Some(title) = line.strip_prefix('#') {
                    heading = title.trim_start_matches('#').trim();
                }
            }
            Some((language, text)) if line == "```" => {
                let number = found.iter().filter(|example| example.name.starts_with(heading)).count();
                let name =
                    if number == 0 { heading.to_owned() } else { format!("{heading} ({})", number + 1) };
                found.push(Example {
                    group: format!("Manual: {group}"),
                    name,
                    language,
                    text: std::mem::take(text),
                });
                open = None;
            }
            Some((_, text)) => {
                text.push_str(line);
                text.push('\n');
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    #[test]
    fn there_are_programs_in_both_languages() {
        let all = super::json();
        let all = all.as_array().expect("a list");
        for language in ["boogie", "c"] {
            assert!(all.iter().filter(|example| example["language"] == language).count() >= 5, "{language}");
        }
        assert!(all.iter().all(|example| example["text"].as_str().is_some_and(|text| !text.contains("```"))));
    }
}
