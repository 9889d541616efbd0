//! What symbols of a script stand for.

use crate::problem::{Problem, mistake};
use crate::syntax::Node;
use base::Span;
use ir::{Expr, Function, Procedure, TypeConstructor, Variable};
use rustc_hash::FxHashMap;

/// What a symbol of terms stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Named {
    /// A constant of SMT-LIB, which no statement changes.
    Constant(Variable),
    /// A function; also one without parameters that has a definition.
    Function(Function),
    /// A global variable of the program.
    Global(Variable),
}

/// What a symbol of sorts stands for.
#[derive(Clone, Debug)]
pub(crate) enum NamedSort {
    /// `declare-sort`
    Constructor { constructor: TypeConstructor, arity: usize },
    /// `define-sort`
    Synonym { parameters: Vec<String>, body: Node },
}

/// A symbol with the number of the command that declares it.
#[derive(Clone, Debug)]
struct Declared<T> {
    what: T,
    at: usize,
    span: Span,
}

/// One name space.
#[derive(Clone, Debug)]
pub(crate) struct Table<T> {
    entries: FxHashMap<String, Declared<T>>,
}

impl<T> Default for Table<T> {
    fn default() -> Table<T> {
        Table { entries: FxHashMap::default() }
    }
}

impl<T: Clone> Table<T> {
    /// Declares a symbol.
    pub(crate) fn declare(&mut self, name: &str, what: T, at: usize, span: Span) -> Result<(), Problem> {
        if let Some(first) = self.entries.get(name) {
            let message = format!("`{name}` is declared twice");
            let diagnostic = base::Diagnostic::error(span, message).related(first.span, "first declaration");
            return Err(Problem::Mistake(Box::new(diagnostic)));
        }
        self.entries.insert(name.to_owned(), Declared { what, at, span });
        Ok(())
    }

    /// What a symbol stands for in a command. Commands are read one after the other, so it must have been declared before.
    pub(crate) fn find(&self, name: &str, at: usize, span: Span) -> Result<Option<T>, Problem> {
        match self.entries.get(name) {
            Some(found) if found.at <= at => Ok(Some(found.what.clone())),
            Some(later) => {
                let message = format!("`{name}` is used before it is declared");
                let diagnostic =
                    base::Diagnostic::error(span, message).related(later.span, "its declaration");
                Err(Problem::Mistake(Box::new(diagnostic)))
            }
            None => Ok(None),
        }
    }
}

/// What a term may speak of, and when it is evaluated.
#[derive(Clone, Default, Debug)]
pub(crate) struct Scope {
    /// The number of the command in which the term stands.
    pub(crate) command: usize,
    /// Inputs, outputs and locals of the procedure around the term.
    pub(crate) locals: FxHashMap<String, Variable>,
    /// Whether the term may use variables of the program.
    pub(crate) has_state: bool,
    /// Whether `old` and `at` may occur, and what `old` is then.
    pub(crate) relational: Option<KeptAt>,
    /// Whether the present part of the term is below `old`.
    pub(crate) is_old: bool,
    /// What `let`, quantifiers and calls have bound; the last entry of a name counts.
    pub(crate) bound: FxHashMap<String, Vec<Expr>>,
    /// The sort parameters of a definition have no place here: sorts are expanded with their own environment.
    pub(crate) procedure: Option<Procedure>,
}

/// A moment of a procedure's execution whose values are kept for later.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) enum KeptAt {
    /// When the procedure was called.
    Call,
    /// When its body begins, which differs from the above where a contract is checked for itself.
    Body,
    /// When a statement with this tag was last about to be executed.
    Tag(String),
}

impl Scope {
    pub(crate) fn bind(&mut self, name: &str, value: Expr) {
        self.bound.entry(name.to_owned()).or_default().push(value);
    }

    pub(crate) fn unbind(&mut self, name: &str) {
        if let Some(values) = self.bound.get_mut(name) {
            values.pop();
        }
    }

    pub(crate) fn bound_value(&self, name: &str) -> Option<Expr> {
        self.bound.get(name).and_then(|values| values.last()).copied()
    }
}

/// A symbol that may be declared: not one of those that are reserved for tools.
pub(crate) fn check_symbol(name: &str, span: Span) -> Result<(), Problem> {
    if name.starts_with('#') {
        return Err(mistake(span, "symbols that begin with `#` are reserved"));
    }
    Ok(())
}
