//! Random Boogie programs that use everything that the analysis knows something about.

use base::Random;
use std::fmt::Write;

/// A random program with a number.
pub fn program(seed: u64) -> String {
    let mut generator = Generator {
        random: Random::new(seed),
        text: String::new(),
        size: 0,
        procedures: 0,
        current: 0,
        results: seed % 2 == 1,
    };
    generator.whole();
    generator.text
}

struct Generator {
    random: Random,
    text: String,
    size: usize,
    procedures: u64,
    current: u64,
    /// Whether there are many variables that most of the time are needed for a moment only.
    results: bool,
}

/// The number of these variables in each procedure: more than are related without sharing a place.
const RESULTS: u64 = 14;

impl Generator {
    fn below(&mut self, bound: u64) -> u64 {
        self.random.number(bound)
    }

    fn whole(&mut self) {
        self.procedures = self.below(3);
        self.text.push_str("const N: int;\naxiom 0 <= N && N <= 7;\nvar g, h: int;\nvar a: [int]int;\nvar m: [int][int]int;\n");
        for procedure in 0..=self.procedures {
            self.current = procedure;
            self.size = 9;
            let head = match procedure {
                0 => "ULTIMATE.start() modifies g, h, a, m;".to_owned(),
                _ => format!("p{procedure}(n: int, c: bool) returns (r: int, s: bool) modifies g, h, a, m;"),
            };
            let _ = writeln!(
                self.text,
                "procedure {head}\n{{\n  var x, y, z, p, q, s0, s1, s2: int; var u, v: real; var b: bool;"
            );
            if self.results {
                let names: Vec<String> = (0..RESULTS).map(|number| format!("t{number}")).collect();
                let _ = writeln!(self.text, "  var {}: int;", names.join(", "));
            }
            if procedure == 0 {
                self.text.push_str("  a := a[0 := 1]; x, y := 0, 0; p, q := 1, 2;\n");
            }
            self.block(1);
            if procedure == 0 {
                self.text.push_str("  assert g < h || x == y;\n");
            }
            self.text.push_str("}\n");
        }
    }

    fn line(&mut self, indent: usize, text: &str) {
        let _ = writeln!(self.text, "{}{text}", "  ".repeat(indent));
    }

    fn block(&mut self, indent: usize) {
        for _ in 0..=self.below(4) {
            if self.size > 0 {
                self.size -= 1;
                self.statement(indent);
            }
        }
    }

    fn statement(&mut self, indent: usize) {
        let target = self.variable();
        match self.below(20) {
            16 | 17 => self.store(indent),
            18 => {
                let (pointer, place) = (self.pointer(), self.below(3));
                self.line(indent, &format!("{pointer} := {place};"));
            }
            19 => {
                // A variable that is assigned once is temporary where what it is made of stays the same.
                let (temporary, sign) = (self.below(3), ["", "-"][self.below(2) as usize]);
                let (value, more) = (self.atom(), self.below(3));
                self.line(indent, &format!("s{temporary} := {sign}{value} + {more};"));
            }
            0..=4 => {
                let value = self.expression(2);
                if !self.results {
                    self.line(indent, &format!("{target} := {value};"));
                    return;
                }
                let (first, second) = (self.below(RESULTS), self.below(RESULTS));
                self.line(indent, &format!("t{first} := {value};"));
                match self.below(4) {
                    0 => self.line(indent, &format!("{target} := t{first};")),
                    1 => self.line(indent, &format!("t{second} := t{first} + 1; {target} := t{second};")),
                    2 => self.line(
                        indent,
                        &format!("havoc t{second}; assume t{second} > t{first}; {target} := t{second};"),
                    ),
                    _ => self.line(indent, &format!("{target}, t{second} := t{first}, {target};")),
                }
            }
            5 => {
                let (left, right) = (self.expression(1), self.expression(1));
                self.line(indent, &format!("x, y := {left}, {right};"));
            }
            6 => {
                let condition = self.condition();
                self.line(indent, &format!("havoc {target}; assume {condition};"));
            }
            7 => {
                let condition = self.condition();
                self.line(indent, &format!("assume {condition};"));
            }
            8 => {
                let (index, value) = (self.expression(1), self.expression(1));
                self.line(indent, &format!("a := a[{index} := {value}];"));
            }
            9 => {
                let condition = self.condition();
                self.line(indent, &format!("b := {condition};"));
            }
            10 => {
                let value = ["u + 1.0", "u / 2.0", "v - u", "2.5", "real(x)"][self.below(5) as usize];
                let real = ["u", "v"][self.below(2) as usize];
                self.line(indent, &format!("{real} := {value};"));
            }
            11 | 12 => {
                let condition = self.decision();
                self.line(indent, &format!("if ({condition}) {{"));
                self.block(indent + 1);
                if self.below(2) == 0 {
                    self.line(indent, "} else {");
                    self.block(indent + 1);
                }
                self.line(indent, "}");
            }
            13 => {
                let condition = self.decision();
                self.line(indent, &format!("while ({condition}) {{"));
                self.block(indent + 1);
                self.line(indent, "}");
            }
            _ if self.procedures > 0 => {
                let callee = 1 + self.below(self.procedures);
                let (argument, truth) = (self.expression(1), self.condition());
                let guard = if callee <= self.current { "if (*) " } else { "" };
                let open = if guard.is_empty() { "" } else { "{ " };
                let close = if guard.is_empty() { "" } else { " }" };
                self.line(
                    indent,
                    &format!("{guard}{open}call {target}, b := p{callee}({argument}, {truth});{close}"),
                );
            }
            _ => self.line(indent, &format!("{target} := {target} + 1;")),
        }
    }

    /// A write to a cell that is often one of a few.
    fn store(&mut self, indent: usize) {
        let value = self.expression(1);
        let (first, second) = (self.index(), self.index());
        let text = match self.below(3) {
            0 => format!("m := m[{first} := m[{first}][{second} := {value}]];"),
            1 => format!("a := a[{first} := {value}][{second} := 4];"),
            _ => format!("a[{first}] := {value};"),
        };
        self.line(indent, &text);
    }

    fn index(&mut self) -> String {
        match self.below(6) {
            0 | 1 => self.below(3).to_string(),
            2 => format!("{} + 1", self.pointer()),
            3 => self.variable().to_owned(),
            _ => self.pointer().to_owned(),
        }
    }

    fn pointer(&mut self) -> &'static str {
        ["p", "q"][self.below(2) as usize]
    }

    fn variable(&mut self) -> &'static str {
        ["x", "y", "z", "g", "h"][self.below(5) as usize]
    }

    fn atom(&mut self) -> String {
        if self.results && self.below(12) == 0 {
            return format!("t{}", self.below(RESULTS));
        }
        match self.below(14) {
            10 | 11 => format!("a[{}]", self.index()),
            12 => {
                let (first, second) = (self.index(), self.index());
                format!("m[{first}][{second}]")
            }
            13 => format!("s{}", self.below(3)),
            0 | 1 => self.below(6).to_string(),
            2 => ["4294967296", "2147483647", "N", "1000"][self.below(4) as usize].to_owned(),
            3 => format!("a[{}]", self.variable()),
            4 if self.current > 0 => "n".to_owned(),
            _ => self.variable().to_owned(),
        }
    }

    fn expression(&mut self, depth: u64) -> String {
        if depth == 0 {
            return self.atom();
        }
        let (left, right) = (self.expression(depth - 1), self.expression(depth - 1));
        match self.below(11) {
            0 | 1 => left,
            2 => format!("{left} + {right}"),
            3 => format!("{left} - {right}"),
            4 => format!("{left} + {}", self.below(4)),
            5 => format!("({left}) mod {}", ["2", "3", "8", "4294967296"][self.below(4) as usize]),
            6 => format!("({left}) div {}", ["2", "3", "(-4)", "10"][self.below(4) as usize]),
            7 => format!("(if {} then {left} else {right})", self.comparison()),
            8 => format!("({left}) * ({right})"),
            9 => format!("({left}) mod ({right})"),
            _ => format!("{} * ({left})", self.below(5)),
        }
    }

    fn comparison(&mut self) -> String {
        let (left, right) = (self.atom(), self.expression(1));
        let operator = ["==", "!=", "<=", "<", ">", ">="][self.below(6) as usize];
        match self.below(9) {
            0 => "b".to_owned(),
            1 => "!b".to_owned(),
            2 => "u <= v".to_owned(),
            3 => "u < 1.5".to_owned(),
            _ => format!("{left} {operator} {right}"),
        }
    }

    fn condition(&mut self) -> String {
        let (left, right) = (self.comparison(), self.comparison());
        match self.below(8) {
            0 => format!("({left}) && ({right})"),
            1 => format!("({left}) || ({right})"),
            2 => format!("({left}) <==> ({right})"),
            3 => format!("({left}) ==> ({right})"),
            _ => left,
        }
    }

    fn decision(&mut self) -> String {
        if self.below(3) == 0 { "*".to_owned() } else { self.condition() }
    }
}
