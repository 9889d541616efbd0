//! No input makes the front end panic, overflow the stack, or take more than linear time.
//!
//! The deep programs run on a thread with a small stack, so that recursion over the depth of the source would
//! not go unnoticed.

mod support;

use base::Budget;
use ir::interpreter::{Defaults, Interpreter, Limits, Outcome};
use proptest::prelude::*;

fn on_small_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(1 << 20).spawn_scoped(scope, work);
        thread.expect("threads can be started").join().expect("the work does not panic")
    })
}

/// Parses, prints, elaborates, prints, reads back, and runs the first procedure.
fn all_the_way(text: &str) -> Outcome {
    on_small_stack(|| {
        let tree = support::ast_text(text);
        assert_eq!(support::ast_text(&tree), tree);
        let program = support::compile(text);
        let printed = program.to_string();
        assert_eq!(support::compile(&printed).to_string(), printed);
        let mut interpreter = Interpreter::new(&program, Budget::unlimited());
        let procedure = program.entries()[0];
        interpreter.run(procedure, &[], &mut Defaults, Limits::default()).expect("nothing trips the budget")
    })
}

#[test]
fn a_hundred_thousand_parentheses() {
    let n = 100_000;
    let text = format!("procedure p() {{ assert {}true{}; }}", "(".repeat(n), ")".repeat(n));
    assert_eq!(all_the_way(&text), Outcome::Finished);
}

#[test]
fn deep_operators() {
    let n = 20_000;
    for (open, inner, close) in [
        ("!", "true", ""),
        ("!!(true && ", "true", ")"),
        ("true ==> ", "true", ""),
        ("0 == -", "0", ""),
        ("if true then true else ", "true", ""),
        ("(if ", "true", " then true else false)"),
        ("id(", "true", ")"),
    ] {
        let repeated = match open {
            "0 == -" => format!("0 == {}0", "- ".repeat(n)),
            _ => format!("{}{inner}{}", open.repeat(n), close.repeat(n)),
        };
        let text =
            format!("function id(x: bool) returns (bool) {{ x }} procedure p() {{ assert {repeated}; }}");
        assert_eq!(all_the_way(&text), Outcome::Finished, "{open}");
    }
}

#[test]
fn deep_maps_and_quantifiers() {
    let n = 20_000;
    let text = format!(
        "var m: [int]int; procedure p() modifies m; {{ m[{}0{}] := 1; }}",
        "m[".repeat(n),
        "]".repeat(n)
    );
    assert_eq!(all_the_way(&text), Outcome::Finished);
    let text = format!("var m: [int]int; procedure p() {{ assert m{}[0] == 3; }}", "[0 := 3]".repeat(n));
    assert_eq!(all_the_way(&text), Outcome::Finished);
    // Quantifiers are the one thing whose evaluation has a limit of depth.
    let text = format!(
        "procedure p() {{ assert {}true{}; }}",
        "(forall x: bool :: {:a x} { x } ".repeat(2_000),
        ")".repeat(2_000)
    );
    assert!(matches!(all_the_way(&text), Outcome::CannotEvaluate(..)));
    let text = format!(
        "procedure p() {{ assert true || {}true{}; }}",
        "(forall x: int :: {:a ".repeat(2_000),
        "} true)".repeat(2_000)
    );
    assert_eq!(all_the_way(&text), Outcome::Finished);
}

#[test]
fn deep_statements() {
    let n = 10_000;
    for (open, close) in [
        ("if (x == 0) { x := x; ", "}"),
        ("if (x != 0) { } else { ", "}"),
        ("if (x != 0) { } else ", "{ }"),
        ("while (x < 1) { x := x + 1; ", "}"),
        ("l: ", ""),
    ] {
        let (opened, closed) = match open {
            "if (x != 0) { } else " => (open.repeat(n), close.to_owned()),
            "l: " => ((0..n).map(|index| format!("l{index}: ")).collect(), String::new()),
            _ => (open.repeat(n), close.repeat(n)),
        };
        let text = format!("var x: int; procedure p() modifies x; {{ {opened}{closed} }}");
        assert_eq!(all_the_way(&text), Outcome::Finished, "{open}");
    }
}

#[test]
fn deep_types_are_refused_or_handled() {
    let refused = |text: &str, message: &str| {
        let failure = boogie::compile(support::file(), text).expect_err("the type is too deep");
        assert_eq!(failure.errors[0].message, message);
    };
    on_small_stack(|| {
        let deep = format!("var x: {}int;", "[int]".repeat(100_000));
        refused(&deep, "types may be nested at most 500 deep");
        let deep = format!("var x: {}int{};", "(".repeat(100_000), ")".repeat(100_000));
        refused(&deep, "types may be nested at most 500 deep");
        let mut chain: String = (0..100_000).map(|i| format!("type T{i} = [int]T{};", i + 1)).collect();
        chain.push_str("type T100000 = int; var x: T0;");
        refused(&chain, "the type is nested more than 500 deep");
        let mut wide = String::from("type T0 = int;");
        (0..60).for_each(|i| wide.push_str(&format!("type T{} = [T{i}]T{i};", i + 1)));
        refused(&wide, "the type has more than 100000 parts");
        let fine = format!("var x: {}int; procedure p() {{ }}", "[int]".repeat(400));
        assert_eq!(all_the_way(&fine), Outcome::Finished);
    });
}

#[test]
fn long_things() {
    let n = 100_000;
    let sum = vec!["x"; n].join(" + ");
    let text = format!("var x: int; procedure p() {{ assert {sum} == 0; }}");
    assert_eq!(all_the_way(&text), Outcome::Finished);
    let digits = "1".repeat(100_001);
    let failure = boogie::compile(support::file(), &format!("axiom {digits} == 0;")).expect_err("too long");
    assert_eq!(failure.errors[0].message, "the number has more than 100000 digits");
    let labels: String = (0..n).map(|i| format!("a{i}: ")).collect();
    let gotos: Vec<String> = (0..n).map(|i| format!("a{i}")).collect();
    let text = format!("procedure p() {{ goto {}; {labels} }}", gotos.join(", "));
    assert_eq!(all_the_way(&text), Outcome::Finished);
}

/// Whatever the front end says, its messages can be drawn and its programs are well formed.
fn compile_anything(text: &str) {
    let mut sources = base::SourceMap::new();
    let file = sources.add("fuzz.bpl", text);
    let draw = |messages: &[base::Diagnostic]| {
        for message in messages {
            assert!(!message.render(&sources, base::diagnostics::Style::Plain).is_empty());
        }
    };
    boogie::print::tokens(&sources, file);
    boogie::print::ast(&boogie::parse(file, text).ast);
    match boogie::compile(file, text) {
        Ok(compiled) => {
            draw(&compiled.warnings);
            support::check_program(&compiled.program);
        }
        Err(failure) => {
            assert!(!failure.errors.is_empty() || !failure.unsupported.is_empty());
            draw(&failure.errors);
            draw(&failure.unsupported.iter().map(boogie::Unsupported::diagnostic).collect::<Vec<_>>());
        }
    }
}

const WORDS: &[&str] = &[
    "assert",
    "assume",
    "axiom",
    "bool",
    "break",
    "call",
    "const",
    "div",
    "else",
    "ensures",
    "exists",
    "false",
    "forall",
    "free",
    "function",
    "goto",
    "havoc",
    "if",
    "implementation",
    "int",
    "invariant",
    "lambda",
    "mod",
    "modifies",
    "old",
    "procedure",
    "real",
    "requires",
    "return",
    "returns",
    "then",
    "true",
    "type",
    "unique",
    "var",
    "where",
    "while",
    "fork",
    "join",
    "atomic",
    "par",
    "async",
    "yield",
    "datatype",
    "uses",
    "extends",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ";",
    ",",
    ":",
    "::",
    ":=",
    "=",
    "==",
    "!=",
    "<",
    "<=",
    ">",
    ">=",
    "<:",
    "<==>",
    "==>",
    "<==",
    "&&",
    "||",
    "!",
    "+",
    "++",
    "-",
    "*",
    "**",
    "/",
    "%",
    "|",
    "x",
    "y",
    "f",
    "p",
    "T",
    "bv8",
    "0",
    "1",
    "2.5",
    "3bv8",
    "\"s\"",
    "{:a",
    "/*",
    "*/",
    "//",
    "\n",
    "@",
    "é",
    "0x1.8e0f24e8",
    "\\if",
    "\"",
];

/// A program that uses everything, to be damaged.
const SAMPLE: &str = r#"
type T; type P _ _; type S a = [a, int]P a T;
const unique c, d: T; const n: int;
function f(x: int, y: bool) returns (r: int); function g(x: int): int { if x > 0 then g(x - 1) else 0 }
function {:builtin "bvadd"} add(x: bv8, y: bv8) returns (bv8);
axiom (forall x: int :: {:w 1} { g(x) } g(x) == 0 || (exists y: T :: y == c));
var m: [int][bool]int where m[0][true] == 0; var s: S T; var v: bv8;
procedure p(a: int where a > 0, b: bool) returns (r: int)
  requires a > n; free requires b; modifies m, v; ensures r == old(m)[a][b] + 1; free ensures true;
{
  var i, j: int where i < j; var x: real;
  i, j := 0, a div 2 mod 3; m[i][b] := f(j, !b); x := real(i) / 2.5 - -1.0;
  outer: while (i < a) invariant i >= 0; free invariant true; {
    if (*) { break; } else if (b <==> i == j) { break outer; } else { goto end, outer; }
    i := i + 1; havoc j; v := add(v, 255bv8)[8:4] ++ v[4:0];
  }
  call {:x "y"} r := p(i + 1, true ==> b);
  end: assert {:msg "z"} m == m[0 := m[1]] || (old(v) == v && x < 1e3); assume int(x) % 2 == 0; return;
}
procedure q(); modifies v;
implementation q() { v := 0bv8; }
"#;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_text(text in "\\PC{0,80}") {
        compile_anything(&text);
    }

    #[test]
    fn any_words(words in proptest::collection::vec(0..WORDS.len(), 0..60)) {
        let text: Vec<&str> = words.into_iter().map(|word| WORDS[word]).collect();
        compile_anything(&text.join(" "));
    }

    #[test]
    fn damaged_programs(
        cuts in proptest::collection::vec((0..SAMPLE.len(), 0..20_usize, 0..WORDS.len()), 1..4),
    ) {
        let mut text = SAMPLE.to_owned();
        for (at, length, word) in cuts {
            let from = at.min(text.len());
            let to = (from + length).min(text.len());
            if text.is_char_boundary(from) && text.is_char_boundary(to) {
                text.replace_range(from..to, &format!(" {} ", WORDS[word]));
            }
        }
        compile_anything(&text);
    }
}

#[test]
fn the_sample_is_fine() {
    support::check_program(&support::compile(SAMPLE));
}
