//! The text form: Boogie.
//!
//! Reading the text back with the Boogie front end gives a program with the same text. Declarations come
//! in a fixed order (types, constants, functions, axioms, globals, procedures); every block is labelled and
//! ends with an explicit `goto`, `return` or two-way branch; parentheses stand only where they are needed.
//!
//! Nesting is never followed with the host's stack. Shared sub-expressions are written out at every
//! occurrence, so the text can be longer than the program is large.

mod declarations;
mod expressions;
mod statements;

use crate::expressions::Expr;
use crate::program::Program;
use crate::statements::Statement;
use crate::types::Type;
use std::fmt;

/// Something of a program that prints itself.
pub struct Show<'a, T> {
    program: &'a Program,
    what: T,
}

impl Program {
    /// The text of an expression.
    pub fn show_expr(&self, expr: Expr) -> Show<'_, Expr> {
        Show { program: self, what: expr }
    }

    /// The text of a type.
    pub fn show_type(&self, ty: Type) -> Show<'_, Type> {
        Show { program: self, what: ty }
    }

    /// The text of a statement, without indentation and line break.
    pub fn show_statement<'a>(&'a self, statement: &'a Statement) -> Show<'a, &'a Statement> {
        Show { program: self, what: statement }
    }
}

impl fmt::Display for Show<'_, Expr> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Printer::new(self.program, f).expr(self.what)
    }
}

impl fmt::Display for Show<'_, Type> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Printer::new(self.program, f).ty(self.what)
    }
}

impl fmt::Display for Show<'_, &Statement> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Printer::new(self.program, f).statement(self.what)
    }
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Printer::new(self, f).program()
    }
}

/// A name as it must be written.
struct Name<'a>(&'a str);

impl fmt::Display for Name<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if crate::names::is_keyword(self.0) {
            f.write_str("\\")?;
        }
        f.write_str(self.0)
    }
}

struct Printer<'a, 'w> {
    program: &'a Program,
    out: &'w mut dyn fmt::Write,
    stack: Vec<expressions::Item<'a>>,
}

impl<'a, 'w> Printer<'a, 'w> {
    fn new(program: &'a Program, out: &'w mut dyn fmt::Write) -> Printer<'a, 'w> {
        Printer { program, out, stack: Vec::new() }
    }

    /// Writes the items with commas between them.
    fn list<T>(
        &mut self,
        items: impl IntoIterator<Item = T>,
        mut each: impl FnMut(&mut Self, T) -> fmt::Result,
    ) -> fmt::Result {
        for (index, item) in items.into_iter().enumerate() {
            if index > 0 {
                self.out.write_str(", ")?;
            }
            each(self, item)?;
        }
        Ok(())
    }
}
