//! What earlier runs found out helps later ones, and never makes an answer wrong.

#![allow(clippy::disallowed_methods, reason = "the test reads and writes entries")]

use engines::Engine;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex};
use unreach::reuse::REUSE;
use unreach::{Answer, Budget, Decision, News, Observer, Plan, Problem, Reuse, Silent, verify};

fn decide(problem: &Problem, reuse: &Reuse) -> Decision {
    let plan = Plan::default().with_reuse(Some(reuse.clone()));
    verify(problem, &plan, &Budget::unlimited(), Arc::new(Silent)).expect("the program has no mistakes")
}

fn word(decision: &Decision) -> &'static str {
    match decision.answer {
        Answer::Safe(_) => "safe",
        Answer::Unsafe(_) | Answer::Leaps(_) => "unsafe",
        _ => "unknown",
    }
}

/// Who answers after an edit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum By {
    /// What was known.
    Reuse,
    /// Anybody.
    Any,
}

/// Verifies a program, then what it has become, and says what is to come out.
fn check(before: &str, after: &str, expected: (&str, By)) {
    check_problems(&Problem::boogie("a.bpl", before), &Problem::boogie("b.bpl", after), expected);
}

fn check_problems(before: &Problem, after: &Problem, (answer, by): (&str, By)) {
    let reuse = Reuse::in_memory().keeping_all();
    decide(before, &reuse);
    let decision = decide(after, &reuse);
    assert_eq!(word(&decision), answer, "{}", after.text());
    if by == By::Reuse {
        assert_eq!(decision.engine, Some(REUSE), "{}", after.text());
    }
}

const LOOP: &str = "procedure main(n: int) {
  var x, y: int;
  assume n > 0;
  x := 0; y := 0;
  while (x < n) { x := x + 1; y := y + 2; }
  assert y == 2 * n;
}";

/// A program that is not decided in the first short rounds.
const HARD: &str = include_str!("../../../examples/mccarthy91.bpl");

#[test]
fn a_proof_survives_edits() {
    check(LOOP, LOOP, ("safe", By::Reuse));
    check(LOOP, &format!("// a comment\n\n{LOOP}"), ("safe", By::Reuse));
    check(LOOP, &LOOP.replace('x', "counter").replace("main", "other"), ("safe", By::Reuse));
    check(LOOP, &LOOP.replace('x', "z").replace('y', "x").replace('z', "y"), ("safe", By::Reuse));
    // Another variable, and another statement in the loop.
    let more = LOOP.replace("var x", "var w, x").replace("x := x + 1;", "w := x; x := x + 1;");
    check(LOOP, &more, ("safe", By::Reuse));
    // Another number, of which the invariant speaks.
    check(LOOP, &LOOP.replace("y + 2", "y + 3").replace("2 * n", "3 * n"), ("safe", By::Reuse));
    // Another assertion, which follows from what is known.
    check(LOOP, &LOOP.replace("  assert", "  assert y > x;\n  assert"), ("safe", By::Any));
    // Another procedure.
    check(LOOP, &format!("procedure new(a: int) {{ assert a == a + 0; }}\n{LOOP}"), ("safe", By::Reuse));
    // Another loop before, in which nothing happens to what is known.
    let before = LOOP.replace("  x := 0;", "  while (*) { assume true; }\n  x := 0;");
    check(LOOP, &before, ("safe", By::Any));
}

/// Writes down which engines begin to work.
#[derive(Default)]
struct Begun(Mutex<Vec<&'static str>>);

impl Observer for Begun {
    fn engine(&self, engine: &'static Engine, news: &News) {
        if let News::Begins = news {
            self.0.lock().expect("nobody panics").push(engine.name);
        }
    }
}

/// The engines that begin to work on a problem.
fn begun(problem: &Problem, reuse: &Reuse) -> Vec<&'static str> {
    let (plan, begun) = (Plan::default().with_reuse(Some(reuse.clone())), Arc::new(Begun::default()));
    verify(problem, &plan, &Budget::unlimited(), Arc::clone(&begun) as _).expect("a decision");
    begun.0.lock().expect("nobody panics").clone()
}

/// What an edit costs is counted in attempts, as time depends on the machine: where what is known can be carried over as it is, there is at most
/// one attempt, and the plan does not begin.
#[test]
fn an_edit_that_changes_nothing_costs_one_attempt() {
    let c_loop =
        "int main(void) { unsigned x = 0; while (x < 1000000) x += 2; //@ assert x == 1000000;\n return 0; }";
    for (before, edits) in [
        (
            Problem::boogie("a.bpl", LOOP),
            vec![
                Problem::boogie("a.bpl", format!("// a comment\n\n{LOOP}")),
                Problem::boogie("a.bpl", LOOP.replace('x', "counter")),
                Problem::boogie("a.bpl", format!("procedure new(a: int) {{ assert a == a + 0; }}\n{LOOP}")),
            ],
        ),
        (
            Problem::c("a.c", c_loop),
            vec![
                Problem::c("a.c", format!("// a comment\n\n{c_loop}")),
                Problem::c("a.c", c_loop.replace('x', "counter")),
                Problem::c("a.c", format!("static int more(int a) {{ return a; }}\n{c_loop}")),
            ],
        ),
    ] {
        let reuse = Reuse::in_memory().keeping_all();
        assert!(!begun(&before, &reuse).contains(&REUSE.name));
        for edited in edits {
            // A proof by unwinding is held against the new program without even that; if it does not fit, its engine is asked alone.
            let begun = begun(&edited, &reuse);
            assert!(begun.len() <= 1, "{begun:?}: {}", edited.text());
        }
    }
}

#[test]
fn a_proof_does_not_survive_a_bug() {
    for (from, to) in [
        ("y + 2", "y + 3"),
        ("x < n", "x <= n"),
        ("assume n > 0;", ""),
        ("y := 0", "y := 1"),
        ("2 * n", "2 * n + 1"),
        ("x + 1", "x + 2"),
    ] {
        check(LOOP, &LOOP.replace(from, to), ("unsafe", By::Any));
    }
}

/// An error that the plan finds at once costs what it costs without an earlier proof, which is not even looked at.
#[test]
fn an_edit_that_brings_a_shallow_bug_does_not_ask_for_the_earlier_proof() {
    let reuse = Reuse::in_memory();
    assert!(!begun(&Problem::boogie("a.bpl", HARD), &reuse).contains(&REUSE.name));
    let same = Problem::boogie("a.bpl", format!("// a comment\n{HARD}"));
    assert!(begun(&same, &reuse).contains(&REUSE.name), "the proof is kept");
    let edited = Problem::boogie("a.bpl", HARD.replace("== 91", "== 92"));
    let begun = begun(&edited, &reuse);
    assert!(!begun.is_empty() && !begun.contains(&REUSE.name), "{begun:?}");
}

const BUG: &str = "var g: int;
procedure main(n: int) modifies g; {
  var x: int;
  havoc x;
  g := 0;
  while (*) { g := g + x; }
  if (n == 12345) { assert g != 24690; }
}";

#[test]
fn an_execution_survives_edits() {
    check(BUG, &BUG.replace('x', "y"), ("unsafe", By::Reuse));
    check(BUG, &BUG.replace("g := 0;", "g := 0; assert g == 0;"), ("unsafe", By::Reuse));
    check(
        BUG,
        &BUG.replace("var x: int;\n  havoc x;", "var w, x: int;\n  havoc w; havoc x;"),
        ("unsafe", By::Reuse),
    );
    check(BUG, &BUG.replace("havoc x;", "havoc x; assume x == 0;"), ("safe", By::Any));
}

const RECURSION: &str = "procedure main(n: int) { var r: int; call r := f(n); assert r >= n; assert r >= 0; }
procedure f(n: int) returns (r: int) { if (n <= 0) { r := 0; } else { call r := f(n - 1); r := r + 1; } }";

#[test]
fn procedures_that_call_themselves() {
    check(RECURSION, RECURSION, ("safe", By::Any));
    check(
        RECURSION,
        &RECURSION
            .replace("r >=", "q >=")
            .replace("var r", "var q")
            .replace("call r := f(n);", "call q := f(n);"),
        ("safe", By::Any),
    );
    check(RECURSION, &RECURSION.replace("r + 1", "r + 2"), ("safe", By::Any));
    check(RECURSION, &RECURSION.replace("r + 1", "r"), ("unsafe", By::Any));
}

#[test]
fn c_programs() {
    let text = "#include <assert.h>
extern int input(void);
int twice(int a) { return a + a; }
int main(void) {
  int n = input(), s = 0;
  if (n < 0 || n > 1000000) return 0;
  for (int i = 0; i < n; i++) s = s + twice(1);
  assert(s == 2 * n);
  return 0;
}";
    let check = |after: &str, expected| {
        check_problems(&Problem::c("a.c", text), &Problem::c("a.c", after), expected);
    };
    check(text, ("safe", By::Reuse));
    let renamed =
        text.replace("s = 0", "sum = 0").replace("s = s +", "sum = sum +").replace("(s ==", "(sum ==");
    check(&renamed, ("safe", By::Reuse));
    check(&text.replace("int main", "int unused(int a) { return a; }\nint main"), ("safe", By::Reuse));
    check(&text.replace("int n", "int more = 3; more = more + 1; int n"), ("safe", By::Reuse));
    check(&text.replace("twice(1)", "twice(i)"), ("unsafe", By::Any));
}

#[test]
fn proofs_by_unwinding_survive_edits() {
    let text = "procedure main(b: bv8) { var i: int; var c: bv8; c := b; i := 0; while (i < 8) { c := c[4:0] ++ c[8:4]; i := i + 1; } assert c == b; }";
    check(text, text, ("safe", By::Reuse));
    check(text, &text.replace('c', "d").replace("prodedure", "procedure"), ("safe", By::Reuse));
    check(text, &text.replace("i < 8", "i < 6"), ("safe", By::Any));
    check(text, &text.replace("i < 8", "i < 7"), ("unsafe", By::Any));
}

/// The programs of a folder of tests, with what is true of them. Those with threads take long: they are asked about for more and
/// more threads.
fn programs() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("the folder").map(|file| file.expect("a file").path()).collect();
    paths.sort();
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(path).ok().filter(|text| !text.contains("fork "))?;
        let truth = text.lines().find_map(|line| line.strip_prefix("//@ verdict: "))?.to_owned();
        Some((truth, text))
    };
    paths.into_iter().filter_map(read).collect()
}

/// What one program taught is tried on another that is only similar, with everything that can be wrong about it.
#[test]
fn what_is_known_of_other_programs_makes_no_answer_wrong() {
    let reuse = Reuse::in_memory().keeping_all();
    let plan = Plan::default().with_reuse(Some(reuse)).with_rounds(3);
    for (truth, text) in programs().into_iter().step_by(4) {
        for name in ["first.bpl", "again.bpl"] {
            let problem = Problem::boogie(name, &text);
            let decision = verify(&problem, &plan, &Budget::unlimited(), Arc::new(Silent));
            let answer = decision.map(|decision| word(&decision)).expect("the program has no mistakes");
            assert!(answer == truth || answer == "unknown", "{answer} instead of {truth}:\n{text}");
        }
    }
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("reuse").join(name);
    // It may not be there.
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("the target folder is writable");
    folder
}

/// Runs the binary on a text in a folder: its exit code, and the engine that answered.
fn run(folder: &Path, text: &str) -> (Option<i32>, String) {
    let file = folder.join("program.bpl");
    std::fs::write(&file, text).expect("the folder is writable");
    let output = Command::new(env!("CARGO_BIN_EXE_unreach"))
        .args(["verify", "--json", "--timeout", "60", "--reuse"])
        .args([&folder.join("known"), &file])
        .output()
        .expect("the binary runs");
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    (output.status.code(), answer["engine"].as_str().unwrap_or_default().to_owned())
}

/// Leaves in the folder what is found out about a text, though it is easy.
fn keep(folder: &Path, text: &str) {
    let reuse = Reuse::folder(&folder.join("known")).expect("the folder is writable").keeping_all();
    decide(&Problem::boogie("program.bpl", text), &reuse);
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let files = std::fs::read_dir(folder.join("known")).expect("a folder");
    files.map(|file| file.expect("a file").path()).collect()
}

#[test]
fn the_command_line_keeps_and_finds_entries() {
    let folder = folder("kept");
    let (code, engine) = run(&folder, HARD);
    assert_eq!(code, Some(0));
    assert_ne!(engine, "reuse");
    assert_eq!(entries(&folder).len(), 1);
    assert_eq!(run(&folder, HARD), (Some(0), "reuse".to_owned()));
    assert_eq!(entries(&folder).len(), 1);
    std::fs::remove_dir_all(folder.join("known")).expect("it may be deleted at any time");
    assert_eq!(run(&folder, HARD).0, Some(0));
}

/// What was easy is decided anew: that takes no longer than to hold something against it.
#[test]
fn easy_answers_are_not_kept() {
    let folder = folder("easy");
    for (last, code) in [(10, 0), (11, 1)] {
        let text = format!(
            "procedure main() {{ var x: int; x := 0; while (x < 10) {{ x := x + 1; }} assert x == {last}; }}"
        );
        assert_eq!(run(&folder, &text).0, Some(code));
        assert_eq!(entries(&folder), Vec::<PathBuf>::new());
    }
}

#[test]
fn damaged_entries_cost_no_verdict() {
    let folder = folder("damaged");
    keep(&folder, LOOP);
    let [entry] = &entries(&folder)[..] else { panic!("one entry is kept") };
    let text = std::fs::read_to_string(entry).expect("an entry");
    let mut damaged = vec![
        String::new(),
        "[]".to_owned(),
        text[..text.len() / 2].to_owned(),
        text.replace("unreach-reuse-1", "unreach-reuse-0"),
        text.replace("\"before\"", "\"exit\""),
        text.replace("kept 1", "kept 0"),
        text.replace("kept 0", "kept 7"),
        text.replace("<=", "<"),
        text.replace("(= ", "(< "),
    ];
    // Every number becomes another.
    for digit in '0'..='9' {
        damaged.push(text.replace(digit, "4"));
    }
    for damaged in damaged {
        std::fs::write(entry, &damaged).expect("the folder is writable");
        assert_eq!(run(&folder, LOOP).0, Some(0), "{damaged}");
    }
}

/// Somebody puts the entry of a safe program in the place of that of an unsafe one, and the other way round.
#[test]
fn exchanged_entries_cost_no_verdict() {
    let unsafe_loop = LOOP.replace("assume n > 0;", "assume n > -2;");
    let (one, other) = (folder("exchanged-safe"), folder("exchanged-unsafe"));
    keep(&one, LOOP);
    keep(&other, &unsafe_loop);
    let ([safe], [failing]) = (&entries(&one)[..], &entries(&other)[..]) else { panic!("one entry each") };
    let texts = [safe, failing].map(|path| std::fs::read_to_string(path).expect("an entry"));
    std::fs::write(safe, &texts[1]).expect("the folder is writable");
    std::fs::write(failing, &texts[0]).expect("the folder is writable");
    assert_eq!(run(&one, LOOP).0, Some(0));
    assert_eq!(run(&other, &unsafe_loop).0, Some(1));
}

#[test]
fn a_folder_that_cannot_be_made_is_bad_input() {
    let folder = folder("file");
    std::fs::write(folder.join("known"), "a file").expect("the folder is writable");
    std::fs::write(folder.join("a.bpl"), LOOP).expect("the folder is writable");
    let output = Command::new(env!("CARGO_BIN_EXE_unreach"))
        .args(["verify", "--reuse"])
        .args([&folder.join("known"), &folder.join("a.bpl")])
        .output()
        .expect("the binary runs");
    assert_eq!(output.status.code(), Some(3), "{output:?}");
}
