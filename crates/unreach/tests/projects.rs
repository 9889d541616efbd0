//! What `unreach check` does for real projects besides its answers: contracts that are listed and proposed, skeletons of models,
//! tests from failures, and one SARIF log.
//!
//! Tests from failures are built and run with gcc's sanitizers, which are the oracle: every one of them has to fail.

#![allow(clippy::disallowed_methods, reason = "the tests run the binary and gcc on files of their own")]

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder that goes with the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str, files: &[(&str, &str)]) -> Folder {
        let path = std::env::temp_dir().join(format!("unreach-projects-{name}-{}", std::process::id()));
        for (name, text) in files {
            let file = path.join(name);
            std::fs::create_dir_all(file.parent().expect("a folder")).expect("a writable folder");
            std::fs::write(file, text).expect("a writable folder");
        }
        Folder(path)
    }

    fn text(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.join(name)).expect("the file is there")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn check(folder: &Path, options: &[&str]) -> (String, Option<i32>) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_unreach"));
    let output = command.current_dir(folder).arg("check").args(options).output().expect("the binary runs");
    let Output { stdout, stderr, status } = output;
    (String::from_utf8_lossy(&stdout).into_owned() + &String::from_utf8_lossy(&stderr), status.code())
}

const CONTRACTS: &str = "\
/*@ requires 0 < x < 100; assigns \\nothing; ensures \\result > x; */
int proven(int x) { return x + 1; }
/*@ requires x > 0 && x < 0; assigns \\nothing; ensures \\result == 7; */
int vacuous(int x) { return x; }
/*@ requires x < 10; assigns \\nothing; ensures \\result > 100; */
int wrong(int x) { return x; }
/*@ requires \\valid(p); assigns *p; ensures *p == 1 && *p == 2; */
void impossible(int *p);
/*@ requires \\valid(p); assigns *p; ensures *p == 1; */
void assumed(int *p);
/*@ assigns \\nothing; ensures \\result == 2; */
int by_contract(void) { int a; assumed(&a); return a + a; }
int without(int x) { return x; }
";

#[test]
fn contracts_are_listed_with_what_they_amount_to() {
    let folder = Folder::new("list", &[("a.c", CONTRACTS)]);
    let (text, code) = check(&folder.0, &["--contracts", "list", "--json", "a.c"]);
    assert_eq!(code, Some(1), "{text}");
    let listed: Value = serde_json::from_str(&text).expect("one object");
    let result = |name: &str| {
        let all = listed["contracts"].as_array().expect("a list");
        let one = all.iter().find(|one| one["function"] == name).unwrap_or_else(|| panic!("{name}: {text}"));
        one["result"].as_str().unwrap_or_default().to_owned()
    };
    for (function, expected) in [
        ("proven", "proven"),
        ("vacuous", "vacuous"),
        ("wrong", "fails"),
        ("impossible", "vacuous"),
        ("assumed", "assumed"),
        ("by_contract", "proven"),
    ] {
        assert_eq!(result(function), expected, "{function}");
    }
    assert_eq!(listed["functions_without_contract"], 1);
    let (text, code) = check(&folder.0, &["--contracts", "list; x", "a.c"]);
    assert_eq!(code, Some(3), "{text}");
}

#[test]
fn one_contract_is_ignored() {
    let folder = Folder::new("ignore", &[("a.c", CONTRACTS)]);
    let (text, _) = check(&folder.0, &["--contracts", "check; ignore wrong", "--function", "wrong", "a.c"]);
    assert!(text.starts_with("proven wrong"), "{text}");
    let (text, _) = check(&folder.0, &["--contracts", "check", "--function", "wrong", "a.c"]);
    assert!(text.starts_with("fails  wrong"), "{text}");
}

#[test]
fn globals_are_as_initialised_or_arbitrary() {
    let program = "int limit = 3; int *shared;\nint f(int i) { int a[4] = { 0 }; return i >= 0 && i <= limit ? a[i] : shared ? *shared : 0; }\n";
    let folder = Folder::new("globals", &[("a.c", program)]);
    let (text, code) = check(&folder.0, &["a.c"]);
    assert_eq!(code, Some(0), "{text}");
    let (text, code) = check(&folder.0, &["--globals", "any", "a.c"]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("assuming that shared is null or points to"), "{text}");
}

const HEADER: &str = "\
struct device { int id; char name[8]; };
typedef struct { int x, y; } point;
int device_read(struct device *device, unsigned char *buffer, unsigned long size);
point device_position(const struct device *d);
struct device *device_open(const char *name);
void device_log(const char *text, ...);
";
const USER: &str = "\
#include \"device.h\"
enum mode { A, B };
int other(enum mode m, int (*callback)(int), double *out);
int use(const char *name) {
  unsigned char data[4];
  struct device *d = device_open(name);
  if (!d) return -1;
  int got = device_read(d, data, sizeof data);
  device_log(\"%d\", got);
  point p = device_position(d);
  double o;
  return 100 / (got ? got : 1) + p.x % 7 + other(A, 0, &o) % 2;
}
";

#[test]
fn skeletons_are_c_and_models_accept_them() {
    let folder = Folder::new("stubs", &[("src/device.h", HEADER), ("src/use.c", USER)]);
    let (text, code) = check(&folder.0, &["--stubs", "models", "src"]);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("5 skeletons written"), "{text}");
    for function in ["device_read", "device_position", "device_open", "device_log", "other"] {
        let file = format!("models/{function}.c");
        let gcc =
            Command::new("gcc").current_dir(&folder.0).args(["-fsyntax-only", "-Werror", &file]).output();
        let gcc = gcc.expect("gcc runs");
        assert!(gcc.status.success(), "{function}: {}", String::from_utf8_lossy(&gcc.stderr));
    }
    assert!(folder.text("models/device_read.c").contains("unsigned char *buffer"), "names are kept");
    let (text, _) = check(&folder.0, &["--models", "models", "src"]);
    assert!(text.starts_with("proven use"), "{text}");
    // What somebody has written stays.
    std::fs::write(folder.0.join("models/other.c"), "/* mine */\n").expect("a writable folder");
    let (text, _) = check(&folder.0, &["--stubs", "models", "src"]);
    assert!(text.contains("0 skeletons written, 5 models are there already"), "{text}");
    assert_eq!(folder.text("models/other.c"), "/* mine */\n");
}

/// Functions that fail, each in a way of its own.
/// `copy` is not asked about empty texts: the sanitizer makes an empty block one byte larger.
const FAILING: &str = "\
#include <stdlib.h>
#include <string.h>
#include \"types.h\"
static int table[5] = { 1, 2, 3, 4, 5 };
int element(int i) { return table[i % 5]; }
int average(const int *a, unsigned n) { if (!a || n > 4) return 0; int s = 0; for (unsigned i = 0; i < n; i++) s += a[i]; return s / (int)n; }
int second(struct node *list) { if (!list) return 0; return list->next->value; }
void append(struct buffer *b, char c) { if (!b || !b->data) return; b->data[b->length] = c; b->length++; }
int trace(struct matrix *m) { if (!m) return 0; int s = 0; for (int i = 0; i < m->rows; i++) s ^= m->cells[i][i]; return s; }
int find(const char *text, char c) { if (!text) return -1; int i = 0; while (text[i] != c) i++; return i; }
int negate(int x) { return -x; }
unsigned shift(unsigned x, int by) { return x << by; }
char *copy(const char *text) { if (!text || !*text) return 0; char *p = malloc(strlen(text)); if (!p) return 0; strcpy(p, text); return p; }
int level_of(enum level l) { static const int limits[] = { 10, 20 }; return limits[l]; }
void twice(int *p) { free(p); free(p); }
int secret(const char *word) { if (!word) return 0; if (word[0] == 'k' && word[1] == 'e' && word[2] == 'y') return 1 / (word[3] - '!'); return 2; }
int by_value(struct matrix m) { return 10 / (m.rows - m.columns); }
extern int external(int);
int calls(int x) { int y = external(x); return y == 42 ? table[y] : 0; }
int main(void) { return element(3); }
";
const TYPES: &str = "\
struct node { int value; struct node *next; };
struct buffer { unsigned length; unsigned capacity; char *data; };
struct matrix { int rows, columns; int cells[3][3]; };
enum level { LOW, MID, HIGH };
";

#[test]
fn tests_from_failures_fail_under_sanitizers() {
    let folder = Folder::new("tests", &[("src/a.c", FAILING), ("src/types.h", TYPES)]);
    let (text, code) = check(&folder.0, &["--all", "--tests", "tests", "src/a.c"]);
    assert_eq!(code, Some(1), "{text}");
    let failing: Vec<&str> =
        text.lines().filter_map(|line| line.strip_prefix("fails  ")?.split(' ').next()).collect();
    assert_eq!(failing.len(), 14, "{text}");
    let mut wrong = Vec::new();
    for function in failing {
        let test = folder.text(&format!("tests/test_{function}.c"));
        let build =
            test.lines().next().and_then(|line| line.split("Build: gcc ").nth(1)).expect("how it is built");
        let build = build.replace("FILE.c", &format!("tests/test_{function}.c")).replace(" */", "");
        let gcc =
            Command::new("gcc").current_dir(&folder.0).args(build.split(' ')).output().expect("gcc runs");
        if !gcc.status.success() {
            wrong.push(format!("{function} is not built: {}", String::from_utf8_lossy(&gcc.stderr)));
            continue;
        }
        let run = Command::new(folder.0.join("test")).output().expect("the test runs");
        let said = String::from_utf8_lossy(&run.stderr).into_owned();
        if run.status.success() || !(said.contains("runtime error") || said.contains("AddressSanitizer")) {
            wrong.push(format!("{function} does not fail: {said}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn one_log_for_all_functions_and_files() {
    let second =
        "#include \"inner.h\"\nint outer(int i) { return inner(i); }\nint fine(int i) { return i; }\n";
    let header = "\nstatic int inner(int i) { int a[2] = { 0 }; return a[i]; }\n";
    let first = "int table[4];\nint get(unsigned i) { return table[i % 5]; }\nint again(unsigned i) { return table[i % 5]; }\n";
    let folder = Folder::new("sarif", &[("a.c", first), ("b.c", second), ("inner.h", header)]);
    // Answers that are known have their place in the log, too.
    for _ in 0..2 {
        let (text, _) = check(&folder.0, &["--cache", "cache", "--sarif", "log.sarif", "."]);
        let log: Value = serde_json::from_str(&folder.text("log.sarif")).expect("JSON");
        assert_eq!(log["runs"].as_array().map(Vec::len), Some(1));
        let run = &log["runs"][0];
        let results = run["results"].as_array().expect("results");
        let kinds: Vec<&str> = results.iter().filter_map(|one| one["kind"].as_str()).collect();
        assert_eq!(kinds, ["fail", "fail", "fail", "pass"], "{text}");
        let location = |index: usize| &results[index]["locations"][0]["physicalLocation"];
        assert_eq!(location(0)["artifactLocation"]["uri"], "./a.c");
        // The failure is in the header, and has no number among the files that were asked about.
        assert_eq!(location(2)["artifactLocation"]["uri"], "./inner.h");
        assert_eq!(location(2)["region"]["startLine"], 2);
        assert_eq!(location(3)["artifactLocation"]["uri"], "./b.c");
        for result in results {
            let rule = result["ruleIndex"].as_u64().expect("a number") as usize;
            assert_eq!(run["tool"]["driver"]["rules"][rule]["id"], result["ruleId"]);
            let place = &result["locations"][0]["physicalLocation"]["artifactLocation"];
            if let Some(index) = place["index"].as_u64() {
                assert_eq!(run["artifacts"][index as usize]["location"]["uri"], place["uri"]);
            }
        }
        let prints: Vec<&Value> =
            results[..3].iter().map(|one| &one["partialFingerprints"]["unreach/v1"]).collect();
        assert_ne!(prints[0], prints[1], "equal lines are numbered");
        assert_eq!(run["invocations"][0]["exitCode"], 1);
    }
}

#[test]
fn proposals_are_proven_and_hold_as_contracts() {
    let program = "\
int clamp(int x, int low, int high) { if (x < low) return low; if (x > high) return high; return x; }
void fill(int *a, unsigned n, int v) { for (unsigned i = 0; i < n; i++) a[i] = v; }
struct point { int x, y; };
void reset(struct point *p) { p->x = 0; p->y = 0; }
int never(int x) { return x / (x - x); }
";
    let folder = Folder::new("propose", &[("a.c", program)]);
    let (text, _) = check(&folder.0, &["--propose", "a.c"]);
    for expected in [
        "ensures \\result == \\old(x) || \\result == \\old(low) || \\result == \\old(high);",
        "/*@ requires \\valid(a + (0 .. n - 1));\n  @ assigns a[0 .. n - 1];\n",
        "/*@ requires \\valid(p);\n  @ assigns *p;\n",
    ] {
        assert!(text.contains(expected), "{expected}\n{text}");
    }
    // Nothing makes the last one right.
    let behind = text.split("never (").nth(1).expect("it has a line");
    assert!(!behind.contains("/*@"), "{text}");
    // Pasted before its function, a proposal is a contract that is proven.
    let proposal = text.split("fill (").nth(1).and_then(|rest| rest.split("/*@").nth(1)).expect("a proposal");
    let proposal = proposal.split("@*/").next().expect("its end");
    let pasted = program.replace("void fill", &format!("/*@{proposal}@*/\nvoid fill"));
    std::fs::write(folder.0.join("b.c"), pasted).expect("a writable folder");
    let (text, _) = check(&folder.0, &["--contracts", "list", "b.c"]);
    assert!(text.starts_with("proven  fill"), "{text}");
}

/// What is proposed for a loop holds when it is pasted; a text that says more does not.
#[test]
fn proposed_loop_invariants_are_proven_where_they_are_pasted() {
    let program = "\
int count(int n) {
    int i = 0;
    while (i < n) i++;
    return i;
}
";
    let folder = Folder::new("propose-loops", &[("a.c", program)]);
    let (text, _) = check(&folder.0, &["--propose", "a.c"]);
    let contract = text.split("/*@").nth(1).and_then(|rest| rest.split("@*/").next());
    let contract = format!("/*@{}@*/\n", contract.expect("a contract"));
    let behind = text.split("to paste before the loop at a.c:3:5:\n").nth(1);
    let invariant = behind.and_then(|rest| rest.lines().next()).unwrap_or_else(|| panic!("{text}"));
    assert!(invariant.starts_with("/*@ loop invariant "), "{text}");
    let pasted = |invariant: &str| {
        let with_loop = program.replace("while", &format!("{invariant}\n    while"));
        std::fs::write(folder.0.join("b.c"), contract.clone() + &with_loop).expect("a writable folder");
        check(&folder.0, &["--contracts", "list", "b.c"]).0
    };
    let text = pasted(invariant);
    assert!(text.starts_with("proven  count"), "{invariant}\n{text}");
    let text = pasted("/*@ loop invariant i < n; */");
    assert!(text.starts_with("fails   count"), "{text}");
}

#[test]
fn a_function_that_is_not_there() {
    let folder = Folder::new("missing", &[("a.c", "int f(void) { return 0; }\n")]);
    let (text, code) = check(&folder.0, &["--function", "g", "a.c"]);
    assert_eq!(code, Some(3), "{text}");
    assert!(text.contains("there is no function `g`"), "{text}");
}
