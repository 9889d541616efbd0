//! Small random Boogie programs with functions, maps, quantifiers, bit-vectors, datatypes, jumps, contracts and threads.
//!
//! Whatever is chosen is finite: integers are assumed to lie in `0..3`, functions without a body and constants are over
//! bit-vectors and truth values. So all executions can be enumerated. Loops count up to a small number.

use base::Random;

/// A random program with a number.
pub fn program(seed: u64) -> String {
    Generator::new(seed, Kind::All).whole()
}

/// The same without threads, quantifiers and recursive definitions, about which Horn solvers know little.
pub fn plain_program(seed: u64) -> String {
    Generator::new(seed, Kind::Plain).whole()
}

/// What may be in a program.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    All,
    Plain,
}

struct Generator {
    numbers: Random,
    loops: u64,
    labels: u64,
    kind: Kind,
    /// Whether there is a recursive definition. It makes most questions hard, so that few programs have one.
    recursive: bool,
}

/// What an expression may mention besides globals.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scope {
    /// Only constants, functions and what is bound by an axiom: nothing of the state.
    Nothing,
    /// The variables of the first procedure.
    Start,
    /// The parameter `x` and the result `y`.
    Callee,
}

impl Generator {
    fn new(seed: u64, kind: Kind) -> Generator {
        let mut numbers = Random::new(seed);
        let recursive = kind == Kind::All && numbers.number(5) == 0;
        Generator { numbers, loops: 0, labels: 0, kind, recursive }
    }

    fn yes(&mut self, one_in: u64) -> bool {
        self.numbers.number(one_in) == 0
    }

    fn whole(&mut self) -> String {
        let mut text = String::from(
            "function {:bvbuiltin \"bvadd\"} add(bv2, bv2) returns (bv2);\n\
             function {:bvbuiltin \"bvult\"} less(bv2, bv2) returns (bool);\n\
             function h(bv2) returns (bool);\n\
             const k: bv2;\n\
             datatype Shape { Dot(), Line(length: int), Box(width: int, solid: bool) }\n\
             var s: Shape;\n\
             var g: int;\nvar m: [bool]int;\nvar w: bv2;\nvar t: [bv2, bool]bool;\n",
        );
        let body = self.numbers.pick(&["x + 1", "2 - x", "x * 2", "x mod 2"]);
        text += &format!("function d(x: int, b: bool) returns (int) {{ if b then {body} else x }}\n");
        let (base, step) = (self.numbers.number(3), self.numbers.pick(&["1", "2", "n"]));
        if self.recursive {
            text += &format!(
                "function r(n: int) returns (int) {{ if n <= 0 then {base} else r(n - 1) + {step} }}\n"
            );
        }
        if self.kind == Kind::All && self.yes(4) {
            let formula = self.truth(Scope::Nothing, 1);
            text += &format!("axiom (forall q: bv2 :: less(q, 2bv2) ==> ({formula}) || h(q));\n");
        }
        let free = if self.yes(3) { "free " } else { "" };
        let relation =
            self.numbers.pick(&["y == x", "y <= x", "y == x || y == 0", "h(k) ==> y == 1", "y != old(g)"]);
        text += &format!(
            "procedure specified(x: int) returns (y: int);\n  modifies g;\n  requires 0 <= x;\n  \
             {free}ensures 0 <= y && y < 3 && ({relation});\n  ensures 0 <= g && g < 3;\n"
        );
        text += &self.callee();
        let concurrent = self.kind == Kind::All && self.yes(4);
        if concurrent {
            text += &self.worker();
        }
        text +=
            "procedure ULTIMATE.start()\n  modifies g, m, w, t, s;\n{\n  var a, b: int;\n  var p, q: bool;\n";
        for number in 0..6 {
            text += &format!("  var i{number}: int;\n");
        }
        text += "  havoc a; assume 0 <= a && a < 3;\n  havoc p, w;\n  b := a; g := 0; q := !p; s := Line(a);\n  \
                 m := m[true := 0][false := 1];\n  t := t[0bv2, true := p][0bv2, false := true][1bv2, true := q]\
                 [1bv2, false := p][2bv2, true := false][2bv2, false := q][3bv2, true := p][3bv2, false := p];\n";
        let count = if concurrent { 2 } else { 4 + self.numbers.number(4) };
        if concurrent {
            text += "  fork 1 worker();\n";
        }
        for _ in 0..count {
            // Every step of a thread multiplies the interleavings.
            text += &self.statement(Scope::Start, if concurrent { 0 } else { 2 });
        }
        if concurrent && self.yes(2) {
            text += "  join 1;\n";
        }
        text += &format!("  assert {};\n}}\n", self.claim(2));
        text
    }

    /// Something to be asserted: mostly something that holds wherever control is.
    fn claim(&mut self, depth: u32) -> String {
        const FACTS: &[&str] = &[
            "0 <= g && g < 3",
            "s is Dot || s is Line || s is Box",
            "s is Line ==> s == Line(s->length)",
            "s is Box && s->solid ==> s != Box(s->width, false)",
            "d(a, false) == a",
            "m[p := 1][p] == 1",
            "m[p := 1][!p] == m[!p]",
            "add(w, 0bv2) == w",
            "!less(w, w)",
            "h(w) && w == k ==> h(k)",
            "(w[1:0] ++ w[2:1])[2:1] == w[1:0]",
        ];
        let other = self.truth(Scope::Start, depth);
        match self.numbers.number(8) {
            0 | 1 => other,
            2 | 3 => format!("({other}) ==> {}", self.numbers.pick(FACTS)),
            _ => self.numbers.pick(FACTS).to_owned(),
        }
    }

    fn callee(&mut self) -> String {
        let requires = match self.numbers.number(4) {
            0 => "  requires x <= 2;\n",
            1 => "  free requires x <= 1;\n",
            _ => "",
        };
        let ensures = match self.numbers.number(4) {
            0 => "  ensures y >= 0;\n".to_owned(),
            1 => "  ensures g == old(g) || y == x;\n".to_owned(),
            2 => "  free ensures y != 2;\n".to_owned(),
            _ => String::new(),
        };
        let mut text = format!(
            "procedure called(x: int) returns (y: int)\n  modifies g, m;\n{requires}{ensures}{{\n  y := 0;\n"
        );
        for _ in 0..1 + self.numbers.number(3) {
            text += &self.simple(Scope::Callee);
        }
        text + "}\n"
    }

    /// A thread that works on the globals, of which one part may be atomic.
    fn worker(&mut self) -> String {
        let (first, second) = (self.numbers.number(3), self.numbers.pick(&["g + 1", "2 - g", "0"]));
        let (open, close) = if self.yes(2) { ("  atomic {\n", "  }\n") } else { ("", "") };
        let last =
            self.numbers.pick(&["s := Dot();", "assume g > 0;", "assert g >= 0;", "w := add(w, 1bv2);"]);
        format!(
            "procedure worker()\n  modifies g, s, w;\n{{\n  g := {first};\n{open}  g := ({second}) mod 3;\n  {last}\n{close}}}\n"
        )
    }

    fn statement(&mut self, scope: Scope, depth: u32) -> String {
        match self.numbers.number(if depth == 0 { 5 } else { 10 }) {
            5 | 6 => {
                let (condition, then) = (self.truth(scope, 1), self.statement(scope, depth - 1));
                let otherwise = self.statement(scope, depth - 1);
                format!("  if ({condition}) {{\n{then}  }} else {{\n{otherwise}  }}\n")
            }
            7 if self.loops < 6 => {
                let (counter, bound) = (self.loops, 1 + self.numbers.number(3));
                self.loops += 1;
                let body = self.statement(scope, depth - 1);
                format!(
                    "  i{counter} := 0;\n  while (i{counter} < {bound})\n  {{\n{body}  i{counter} := i{counter} + 1;\n  }}\n"
                )
            }
            8 => {
                let label = self.labels;
                self.labels += 1;
                let (one, other) = (self.simple(scope), self.simple(scope));
                format!(
                    "  goto one{label}, other{label};\n  one{label}:\n{one}  goto end{label};\n  other{label}:\n{other}  \
                     goto end{label};\n  end{label}:\n"
                )
            }
            9 => format!("  assert {};\n", self.claim(1)),
            _ => self.simple(scope),
        }
    }

    fn simple(&mut self, scope: Scope) -> String {
        let (number, truth) = (self.number(scope, 1), self.truth(scope, 1));
        if scope == Scope::Callee {
            return match self.numbers.number(4) {
                0 => format!("  g := ({number}) mod 3;\n"),
                1 => format!("  m[{truth}] := {number};\n"),
                2 => format!("  assume {truth};\n"),
                _ => format!("  y := ({number}) mod 3;\n"),
            };
        }
        match self.numbers.number(13) {
            10 => format!("  s := (if {truth} then Dot() else Box({number}, {truth}));\n"),
            11 => format!(
                "  if (s is Line) {{ s->length := {number}; }} else {{ s := Line(({number}) mod 3); }}\n"
            ),
            12 => format!("  s := Box(({number}) mod 3, p);\n"),
            0 => format!("  a := {number};\n"),
            1 => format!("  b, g := ({number}) mod 3, a mod 3;\n"),
            2 => format!("  p := {truth};\n"),
            3 => format!("  w := {};\n", self.bits(scope, 1)),
            4 => format!("  m[{truth}] := {number};\n"),
            5 => format!("  t[{}, p] := {truth};\n", self.bits(scope, 1)),
            6 => "  havoc b; assume 0 <= b && b < 3;\n".to_owned(),
            7 => format!("  call b := called(({number}) mod 3);\n"),
            8 => format!("  call b := specified(({number}) mod 3);\n"),
            _ => format!("  assume {truth};\n"),
        }
    }

    fn number(&mut self, scope: Scope, depth: u32) -> String {
        let leaf = match scope {
            Scope::Nothing => self.numbers.pick(&["0", "1", "2"]),
            Scope::Start => self.numbers.pick(&[
                "0",
                "1",
                "2",
                "a",
                "b",
                "g",
                "m[p]",
                "m[true]",
                "(if s is Line then s->length else 0)",
            ]),
            Scope::Callee => self.numbers.pick(&["0", "1", "2", "x", "y", "g", "m[false]", "old(g)"]),
        };
        if depth == 0 || self.yes(3) {
            return leaf.to_owned();
        }
        let (left, right) = (self.number(scope, depth - 1), self.number(scope, depth - 1));
        let truth = self.truth(scope, 0);
        match self.numbers.number(7) {
            0 => format!("({left} + {right})"),
            1 => format!("({left} - {right})"),
            2 => format!("({left} * {right})"),
            3 => format!("(if {truth} then {left} else {right})"),
            4 => format!("d({left}, {truth})"),
            5 if self.recursive => format!("r(({left}) mod 3)"),
            _ => format!("(var v := {left}; v div 2 + v mod 2)"),
        }
    }

    fn bits(&mut self, scope: Scope, depth: u32) -> String {
        let leaf = match scope {
            Scope::Nothing => self.numbers.pick(&["0bv2", "1bv2", "k"]),
            _ => self.numbers.pick(&["0bv2", "3bv2", "k", "w", "w"]),
        };
        if depth == 0 || self.yes(2) {
            return leaf.to_owned();
        }
        match self.numbers.number(2) {
            0 => format!("add({leaf}, {})", self.bits(scope, 0)),
            _ => format!("({leaf}[1:0] ++ {leaf}[2:1])"),
        }
    }

    fn truth(&mut self, scope: Scope, depth: u32) -> String {
        if depth == 0 {
            let leaf = match scope {
                Scope::Nothing => self.numbers.pick(&["h(k)", "k == 1bv2", "true"]),
                Scope::Start => self.numbers.pick(&[
                    "p",
                    "q",
                    "h(w)",
                    "t[w, p]",
                    "a == b",
                    "w == k",
                    "s is Dot",
                    "s == Box(1, q)",
                    "s != Line(b)",
                ]),
                Scope::Callee => self.numbers.pick(&["x == y", "h(k)", "g > 0", "y == old(g)"]),
            };
            return leaf.to_owned();
        }
        let (left, right) = (self.number(scope, depth - 1), self.number(scope, depth - 1));
        let (one, other) = (self.truth(scope, depth - 1), self.truth(scope, depth - 1));
        let bits = self.bits(scope, depth - 1);
        let choices = match (self.kind, scope) {
            (Kind::Plain, _) => 7,
            (Kind::All, Scope::Nothing) => 9,
            (Kind::All, _) => 12,
        };
        match self.numbers.number(choices) {
            0 => format!("({left} < {right})"),
            1 => format!("({left} == {right})"),
            2 => format!("({one} && {other})"),
            3 => format!("({one} ==> {other})"),
            4 => format!("!({one})"),
            5 => format!("h({bits})"),
            6 => format!("less({bits}, k)"),
            7 => format!("(forall z: bv2 :: h(z) ==> {one} || z == {bits})"),
            8 => format!("(exists z: bv2 :: less(z, {bits}) && h(z))"),
            9 => format!("(exists i: int :: 0 <= i && i < 3 && {left} == i)"),
            10 => format!("(m == m[{one} := {left}])"),
            _ => format!("(forall e: bool :: m[e] >= {left})"),
        }
    }
}
