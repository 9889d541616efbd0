//! Writing witnesses: YAML 2.0, where that says enough; YAML 2.1 for endless executions, transition invariants, contracts and ghosts;
//! YAML 2.2 for violations in threads; and GraphML 1.0 for violations.
//!
//! Guarantee: what is written is read back by [`super::read`] as the same [`Monitor`] (GraphML, which knows lines
//! only, excepted). The same task and time give the same text.

use c::{Claim, DataModel, Event, Monitor, Place, Race, Waypoint, When};
use sha2::{Digest, Sha256};
use std::fmt::Write;

/// What a witness is about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Task {
    /// The name of the program file.
    pub file: String,
    /// Its text.
    pub text: String,
    /// The property, as in a property file.
    pub specification: String,
    /// The sizes of types.
    pub data_model: DataModel,
    /// When the witness was made, as `2026-01-31T12:00:00Z`.
    pub time: String,
    /// The version of this tool.
    pub version: String,
    /// The oldest version of the format that is wanted. What is written has this one, or the first one that can say it all.
    pub format: Version,
}

/// The versions of the format in YAML that are written.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub enum Version {
    /// 2.0: invariants of loops and places; violations of safety.
    #[default]
    V2_0,
    /// 2.1: contracts, transition invariants, ghosts, cycles.
    V2_1,
    /// 2.2: threads of waypoints, and races.
    V2_2,
}

impl std::fmt::Display for Version {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Version::V2_0 => "2.0",
            Version::V2_1 => "2.1",
            Version::V2_2 => "2.2",
        })
    }
}

/// The first version that can say a claim.
pub fn needed_for(claim: &Claim) -> Version {
    let of_function = matches!(claim.when, When::FunctionEntry | When::FunctionExit);
    if of_function || is_about_visits(claim) { Version::V2_1 } else { Version::V2_0 }
}

fn is_about_visits(claim: &Claim) -> bool {
    claim.text.contains("\\at(")
}

impl Task {
    fn hash(&self) -> String {
        hex(&Sha256::digest(self.text.as_bytes()))
    }

    fn data_model(&self) -> &'static str {
        match self.data_model {
            DataModel::Ilp32 => "ILP32",
            DataModel::Lp64 => "LP64",
        }
    }
}

/// An answer of the environment, in the order of the execution.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answered {
    /// When it is known: at the return of the call, or before the statement behind it.
    pub waypoint: Waypoint,
    /// The function that was called.
    pub function: String,
    /// The line of the call.
    pub line: u32,
    /// The value, as a C constant expression.
    pub value: String,
}

/// The correctness witness with the claims of a monitor, and its ghosts. Ghosts come first, so entries are numbered in the order
/// ghosts, assignments to them, claims.
pub fn correctness(task: &Task, monitor: &Monitor) -> String {
    let mut content = String::new();
    // Writing to a string cannot fail.
    for claim in &monitor.claims {
        if let When::FunctionEntry | When::FunctionExit = claim.when {
            contract(&mut content, task, claim);
            continue;
        }
        let kind = match claim.when {
            When::LoopCondition if is_about_visits(claim) => "loop_transition_invariant",
            When::LoopCondition | When::LoopOrStatement => "loop_invariant",
            When::Statement | When::FunctionEntry | When::FunctionExit => "location_invariant",
        };
        let _ = writeln!(content, "  - invariant:\n      type: {kind}\n      location:");
        location(&mut content, task, &claim.place, "        ");
        let format = if is_about_visits(claim) { "ext_c_expression" } else { "c_expression" };
        let _ = writeln!(content, "      value: {}\n      format: {format}", quoted(&claim.text));
    }
    let of_ghosts = if monitor.ghosts.is_empty() { Version::V2_0 } else { Version::V2_1 };
    let version = monitor.claims.iter().map(needed_for).fold(task.format.max(of_ghosts), Version::max);
    let ghosts = match monitor.ghosts.is_empty() {
        true => String::new(),
        false => head(task, "ghost_instrumentation", version, &ghosts(task, monitor)),
    };
    let invariants = head(task, "invariant_set", version, &content);
    ghosts
        + &match monitor.claims.is_empty() {
            true => invariants.replace("  content:\n", "  content: []\n"),
            false => invariants,
        }
}

/// The ghosts of a monitor, and what is assigned to them.
fn ghosts(task: &Task, monitor: &Monitor) -> String {
    let mut out = String::from("    ghost_variables:\n");
    for ghost in &monitor.ghosts {
        let _ = writeln!(
            out,
            "    - name: {}\n      scope: global\n      type: {}\n      initial:\n        value: {}\n        \
             format: c_expression",
            ghost.name,
            ghost.ty,
            quoted(&ghost.initial)
        );
    }
    out.push_str(if monitor.updates.is_empty() { "    ghost_updates: []\n" } else { "    ghost_updates:\n" });
    for update in &monitor.updates {
        out.push_str("    - location:\n");
        location(&mut out, task, &update.place, "        ");
        let _ = writeln!(
            out,
            "      updates:\n      - variable: {}\n        value: {}\n        format: c_expression",
            update.variable,
            quoted(&update.value)
        );
    }
    out
}

/// What holds whenever a function begins or ends.
fn contract(out: &mut String, task: &Task, claim: &Claim) {
    let key = if claim.when == When::FunctionEntry { "requires" } else { "ensures" };
    let _ = writeln!(out, "  - contract:\n      type: function_contract\n      location:");
    location(out, task, &claim.place, "        ");
    let _ = writeln!(out, "      {key}: {}\n      format: ext_c_expression", quoted(&claim.text));
}

/// The violation witness with the segments of a monitor.
pub fn violation(task: &Task, monitor: &Monitor) -> String {
    let mut content = String::new();
    for (index, segment) in monitor.segments.iter().enumerate() {
        if let Event::TargetOfLine | Event::ReturnOf(..) | Event::Behind(_) | Event::Decision(_) =
            segment.follow.event
        {
            continue;
        }
        content.push_str("  - segment:\n");
        for avoid in &segment.avoid {
            waypoint(&mut content, task, avoid, "avoid");
        }
        let cycles = monitor.cycle.is_some_and(|first| index >= first);
        waypoint(&mut content, task, &segment.follow, if cycles { "cycle" } else { "follow" });
    }
    if let Some(Race::Between(other)) = &monitor.race {
        waypoint(&mut content, task, other, "follow");
    }
    let mut waypoints = monitor.segments.iter().map(|segment| &segment.follow);
    let needed = match monitor.cycle {
        _ if waypoints.any(|waypoint| waypoint.thread.is_some()) => Version::V2_2,
        Some(_) => Version::V2_1,
        None => Version::V2_0,
    };
    head(task, "violation_sequence", task.format.max(needed), &content)
}

fn waypoint(out: &mut String, task: &Task, waypoint: &Waypoint, action: &str) {
    let (kind, constraint) = match &waypoint.event {
        Event::Assumption(text) => ("assumption", Some((quoted(text), "c_expression"))),
        Event::Branching(way) => ("branching", Some((quoted(&way.to_string()), ""))),
        Event::Switch(case) => {
            let case = case.map_or("default".to_owned(), |case| case.to_string());
            ("branching", Some((quoted(&case), "")))
        }
        Event::Enter => ("function_enter", None),
        Event::Return(text) => {
            ("function_return", text.as_ref().map(|text| (quoted(text), "acsl_expression")))
        }
        Event::Target => ("target", None),
        // Only GraphML has them. Nothing is said instead: a witness that says less is not wrong for it.
        Event::TargetOfLine | Event::ReturnOf(..) | Event::Behind(_) | Event::Decision(_) => return,
    };
    let _ = writeln!(out, "    - waypoint:\n        type: {kind}\n        action: {action}");
    if let Some(thread) = waypoint.thread {
        let _ = writeln!(out, "        thread_id: {thread}");
    }
    if let Some((value, format)) = constraint {
        let _ = writeln!(out, "        constraint:\n          value: {value}");
        if !format.is_empty() {
            let _ = writeln!(out, "          format: {format}");
        }
    }
    out.push_str("        location:\n");
    location(out, task, &waypoint.place, "          ");
}

fn location(out: &mut String, task: &Task, place: &Place, indent: &str) {
    let _ = writeln!(out, "{indent}file_name: {}\n{indent}line: {}", quoted(&task.file), place.line);
    if let Some(column) = place.column {
        let _ = writeln!(out, "{indent}column: {column}");
    }
}

fn head(task: &Task, entry_type: &str, version: Version, content: &str) -> String {
    let identity = Sha256::digest(format!("{}\n{}\n{content}", task.hash(), task.specification).as_bytes());
    format!(
        "- entry_type: {entry_type}\n  metadata:\n    format_version: \"{version}\"\n    uuid: {uuid}\n    \
         creation_time: {time}\n    producer:\n      name: Unreach\n      version: {tool}\n    task:\n      \
         input_files:\n      - {file}\n      input_file_hashes:\n        {file}: {hash}\n      \
         specification: {specification}\n      data_model: {model}\n      language: C\n  content:\n{content}",
        uuid = uuid(&identity),
        time = quoted(&task.time),
        tool = quoted(&task.version),
        file = quoted(&task.file),
        hash = quoted(&task.hash()),
        specification = quoted(&task.specification),
        model = task.data_model(),
    )
}

/// A violation witness in GraphML 1.0: one edge per answer, and one to the target.
pub fn violation_graphml(task: &Task, answers: &[Answered], target: &Place) -> String {
    let mut out = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n\
         <graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n <graph edgedefault=\"directed\">\n",
    );
    let architecture = match task.data_model {
        DataModel::Ilp32 => "32bit",
        DataModel::Lp64 => "64bit",
    };
    for (key, value) in [
        ("witness-type", "violation_witness"),
        ("sourcecodelang", "C"),
        ("producer", &format!("Unreach {}", task.version)),
        ("specification", &task.specification),
        ("programfile", &task.file),
        ("programhash", &task.hash()),
        ("architecture", architecture),
        ("creationtime", &task.time),
    ] {
        let _ = writeln!(out, "  <data key=\"{key}\">{}</data>", escaped(value));
    }
    out.push_str("  <node id=\"N0\"><data key=\"entry\">true</data></node>\n");
    for (index, answer) in answers.iter().enumerate() {
        let (from, to) = (index, index + 1);
        let _ = writeln!(
            out,
            "  <node id=\"N{to}\"/>\n  <edge source=\"N{from}\" target=\"N{to}\">\n   \
             <data key=\"startline\">{}</data>\n   <data key=\"assumption\">\\result == {};</data>\n   \
             <data key=\"assumption.resultfunction\">{}</data>\n  </edge>",
            answer.line,
            escaped(&answer.value),
            escaped(&answer.function),
        );
    }
    let (from, to) = (answers.len(), answers.len() + 1);
    let _ = writeln!(
        out,
        "  <node id=\"N{to}\"><data key=\"violation\">true</data></node>\n  \
         <edge source=\"N{from}\" target=\"N{to}\">\n   <data key=\"startline\">{}</data>\n  </edge>\n </graph>\n</graphml>",
        target.line
    );
    out
}

/// A text as a YAML scalar in double quotes.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => out.extend(['\\', letter]),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            letter if letter.is_control() => {
                let _ = write!(out, "\\u{:04x}", u32::from(letter));
            }
            letter => out.push(letter),
        }
    }
    out.push('"');
    out
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// An identifier in the form of RFC 4122, made of a hash.
fn uuid(hash: &[u8]) -> String {
    let text = hex(&hash[..16]);
    format!("{}-{}-4{}-8{}-{}", &text[..8], &text[8..12], &text[13..16], &text[17..20], &text[20..32])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::witness::{Kind, read};
    use c::{Claim, Ghost, Segment, Update};

    fn task() -> Task {
        Task {
            file: "dir/a \"b\".c".to_owned(),
            text: "int main(void) { return 0; }\n".to_owned(),
            specification: "CHECK( init(main()), LTL(G ! call(reach_error())) )".to_owned(),
            data_model: DataModel::Lp64,
            time: "2026-01-31T12:00:00Z".to_owned(),
            version: "0.1.0".to_owned(),
            format: Version::V2_0,
        }
    }

    fn place(line: u32, column: u32) -> Place {
        Place { line, column: Some(column) }
    }

    #[test]
    fn a_violation_witness_is_read_as_it_was_written() {
        let at = |entry, line, event| Waypoint { entry, place: place(line, 3), event, thread: None };
        let segments = vec![
            Segment {
                avoid: vec![at(1, 2, Event::Branching(false))],
                follow: at(2, 3, Event::Assumption("x == -5 && \"a\\n\"[0]".to_owned())),
            },
            Segment { avoid: Vec::new(), follow: at(3, 4, Event::Return(Some("\\result == 1".to_owned()))) },
            Segment { avoid: Vec::new(), follow: at(4, 5, Event::Enter) },
            Segment { avoid: Vec::new(), follow: at(5, 6, Event::Switch(Some(-7))) },
            Segment { avoid: Vec::new(), follow: at(6, 7, Event::Target) },
        ];
        let monitor = Monitor { segments, ..Monitor::default() };
        let witness = read(&violation(&task(), &monitor)).expect("a witness");
        assert_eq!(witness.monitor, monitor);
        assert_eq!((witness.kind, witness.gaps, witness.omissions), (Kind::Violation, vec![], vec![]));
        assert_eq!(witness.data_model, Some(DataModel::Lp64));
        assert_eq!(witness.specification, Some(task().specification));
    }

    #[test]
    fn a_correctness_witness_is_read_as_it_was_written() {
        let claim = |entry, when| Claim { entry, when, place: place(entry, 1), text: "x <= 'y'".to_owned() };
        let claims = vec![
            claim(1, When::LoopCondition),
            claim(2, When::Statement),
            claim(3, When::FunctionEntry),
            claim(4, When::FunctionExit),
        ];
        for claims in [claims, Vec::new()] {
            let monitor = Monitor { claims, ..Monitor::default() };
            let witness = read(&correctness(&task(), &monitor)).expect("a witness");
            assert_eq!(witness.monitor, monitor);
            assert_eq!((witness.kind, witness.gaps, witness.omissions), (Kind::Correctness, vec![], vec![]));
        }
    }

    #[test]
    fn ghosts_are_read_as_they_were_written() {
        let monitor = Monitor {
            ghosts: vec![Ghost {
                entry: 1,
                name: "held".to_owned(),
                ty: "int".to_owned(),
                initial: "0".to_owned(),
            }],
            updates: vec![Update {
                entry: 2,
                place: place(4, 3),
                variable: "held".to_owned(),
                value: "held + 1".to_owned(),
            }],
            claims: vec![Claim {
                entry: 3,
                when: When::Statement,
                place: place(5, 3),
                text: "held == 1".to_owned(),
            }],
            ..Monitor::default()
        };
        let witness = read(&correctness(&task(), &monitor)).expect("a witness");
        assert_eq!(witness.monitor, monitor);
        assert_eq!((witness.version.as_str(), witness.gaps, witness.omissions), ("2.1", vec![], vec![]));
    }

    #[test]
    fn a_newer_version_is_written_if_it_is_wanted() {
        let target = Waypoint { entry: 1, place: place(3, 1), event: Event::Target, thread: None };
        let segments = vec![Segment { avoid: Vec::new(), follow: target }];
        let violating = Monitor { segments, ..Monitor::default() };
        for (format, expected) in [(Version::V2_0, "2.0"), (Version::V2_1, "2.1"), (Version::V2_2, "2.2")] {
            let task = Task { format, ..task() };
            for text in [correctness(&task, &Monitor::default()), violation(&task, &violating)] {
                let witness = read(&text).expect("a witness");
                assert_eq!((witness.version.as_str(), witness.gaps), (expected, vec![]));
            }
        }
    }

    #[test]
    fn graphml_is_well_formed() {
        let answer = Answered {
            waypoint: Waypoint { entry: 1, place: place(3, 1), event: Event::Enter, thread: None },
            function: "__VERIFIER_nondet_int".to_owned(),
            line: 3,
            value: "1 < 2".to_owned(),
        };
        let text = violation_graphml(&task(), &[answer], &place(9, 2));
        let witness = read(&text).expect("XML");
        assert_eq!((witness.kind, witness.data_model), (Kind::Violation, Some(DataModel::Lp64)));
    }
}
