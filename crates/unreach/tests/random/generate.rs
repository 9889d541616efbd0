//! Small random programs.
//!
//! All values stay in `0..RANGE`: whatever is assigned is taken modulo, and whatever is chosen is assumed to lie in the
//! range of choices. Calls go to procedures with a larger number, or to the procedure itself with a smaller fuel, so the
//! depth of recursion is bounded. Loops may go on for ever. Every variable is assigned before it is used.

use super::odometer::CHOICES;
use base::Random;
use std::fmt::Write;

/// Assigned values are taken modulo this.
const RANGE: u64 = 4;

/// A random program with a number.
pub fn program(seed: u64) -> String {
    let mut generator = Generator { numbers: Random::new(seed), text: String::new(), size: 0, procedures: 0 };
    generator.whole();
    generator.text
}

struct Generator {
    numbers: Random,
    text: String,
    /// How many statements there may still be.
    size: usize,
    /// How many procedures there are besides the first.
    procedures: u64,
}

/// Where a statement stands.
#[derive(Clone, Copy)]
struct Scope {
    /// The number of the procedure; 0 is where runs begin.
    procedure: u64,
    indent: usize,
}

impl Scope {
    fn inner(self) -> Scope {
        Scope { indent: self.indent + 1, ..self }
    }
}

const GLOBALS: [&str; 2] = ["g", "h"];
const LOCALS: [&str; 2] = ["x", "y"];

impl Generator {
    fn below(&mut self, bound: u64) -> u64 {
        self.numbers.number(bound)
    }

    fn line(&mut self, scope: Scope, text: &str) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.text, "{}{text}", "  ".repeat(scope.indent));
    }

    fn whole(&mut self) {
        self.procedures = self.below(3);
        self.text.push_str("var g, h: int;\n");
        for procedure in 0..=self.procedures {
            self.size = 7;
            let (head, own) = match procedure {
                0 => ("ULTIMATE.start()".to_owned(), ""),
                _ => (format!("p{procedure}(n: int, fuel: int) returns (r: int)"), "  r := 0;\n"),
            };
            let _ = writeln!(self.text, "\nprocedure {head}\n  modifies g, h;\n{{\n  var x, y: int;");
            let start = if procedure == 0 { "  g, h := 0, 0;\n" } else { "" };
            let _ = writeln!(self.text, "{start}{own}  x, y := 0, 1;");
            let scope = Scope { procedure, indent: 1 };
            self.block(scope);
            if procedure == 0 {
                let condition = self.condition(scope);
                self.line(scope, &format!("assert {condition};"));
            } else {
                let value = self.expression(scope);
                self.line(scope, &format!("r := {value};"));
            }
            self.text.push_str("}\n");
        }
    }

    fn block(&mut self, scope: Scope) {
        for _ in 0..=self.below(3) {
            if self.size > 0 {
                self.size -= 1;
                self.statement(scope);
            }
        }
    }

    fn statement(&mut self, scope: Scope) {
        let target = self.target();
        match self.below(11) {
            0..=3 => {
                let value = self.expression(scope);
                self.line(scope, &format!("{target} := {value};"));
            }
            4 => {
                self.line(scope, &format!("havoc {target};"));
                self.line(scope, &format!("assume 0 <= {target} && {target} < {CHOICES};"));
            }
            5 => {
                let condition = self.condition(scope);
                let kind = if self.below(3) == 0 { "assume" } else { "assert" };
                self.line(scope, &format!("{kind} {condition};"));
            }
            6 | 7 => {
                let condition = self.decision(scope);
                self.line(scope, &format!("if ({condition}) {{"));
                self.block(scope.inner());
                if self.below(2) == 0 {
                    self.line(scope, "} else {");
                    self.block(scope.inner());
                }
                self.line(scope, "}");
            }
            8 => {
                let condition = self.decision(scope);
                self.line(scope, &format!("while ({condition}) {{"));
                self.block(scope.inner());
                self.line(scope, "}");
            }
            _ => self.call(scope, target),
        }
    }

    fn call(&mut self, scope: Scope, target: &str) {
        let argument = self.expression(scope);
        if scope.procedure > 0 && self.below(2) == 0 {
            let name = scope.procedure;
            self.line(scope, "if (fuel > 0) {");
            self.line(scope.inner(), &format!("call {target} := p{name}({argument}, fuel - 1);"));
            self.line(scope, "}");
        } else if scope.procedure < self.procedures {
            let name = scope.procedure + 1 + self.below(self.procedures - scope.procedure);
            let fuel = self.below(3);
            self.line(scope, &format!("call {target} := p{name}({argument}, {fuel});"));
        } else {
            self.line(scope, &format!("{target} := {argument};"));
        }
    }

    fn target(&mut self) -> &'static str {
        let all = [GLOBALS, LOCALS].concat();
        all[self.below(4) as usize]
    }

    /// Something in the range.
    fn atom(&mut self, scope: Scope) -> String {
        match self.below(6) {
            0 => self.below(RANGE).to_string(),
            1 if scope.procedure > 0 => "n".to_owned(),
            _ => self.target().to_owned(),
        }
    }

    fn expression(&mut self, scope: Scope) -> String {
        let (left, right) = (self.atom(scope), self.atom(scope));
        match self.below(6) {
            0 | 1 => left,
            2 => format!("({left} + {right}) mod {RANGE}"),
            3 => format!("({left} - {right}) mod {RANGE}"),
            4 => format!("({left} + 1) mod {RANGE}"),
            _ => format!("(if {left} < {right} then {right} else {left})"),
        }
    }

    fn condition(&mut self, scope: Scope) -> String {
        let (left, right) = (self.atom(scope), self.atom(scope));
        let simple = match self.below(5) {
            0 => format!("{left} == {right}"),
            1 => format!("{left} != {right}"),
            2 => format!("{left} <= {right}"),
            3 => format!("{left} < {right}"),
            _ => format!("{left} + {right} != {}", self.below(2 * RANGE)),
        };
        match self.below(5) {
            0 => format!("{simple} || {} < {}", self.atom(scope), self.atom(scope)),
            1 => format!("{simple} ==> {} != {}", self.atom(scope), self.atom(scope)),
            _ => simple,
        }
    }

    /// A condition, or an arbitrary decision.
    fn decision(&mut self, scope: Scope) -> String {
        if self.below(3) == 0 { "*".to_owned() } else { self.condition(scope) }
    }
}
