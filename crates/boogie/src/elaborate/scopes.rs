//! What a name means where: globals and constants, then parameters, results and locals, then quantified
//! variables, which the parser has already resolved.
//!
//! The intermediate language wants names that hide nothing. A name that would hide an outer one gets a
//! suffix `#n` that occurs nowhere in the source; counting per name over the whole file keeps the made
//! names apart from each other.

use super::{Elaborator, Entry};
use crate::symbols::Symbol;
use base::{SecondaryMap, Span};
use ir::{Variable, VariableKind};
use rustc_hash::FxHashSet;

/// Where an expression stands, which decides what it may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Position {
    Axiom,
    FunctionBody,
    Where,
    Requires,
    Ensures,
    Body,
}

impl Position {
    pub(super) fn sees_globals(self) -> bool {
        !matches!(self, Position::Axiom | Position::FunctionBody)
    }

    /// In `requires` the old state is the current one, and some tools write it.
    pub(super) fn has_old(self) -> bool {
        matches!(self, Position::Requires | Position::Ensures | Position::Body)
    }

    pub(super) fn describe(self) -> &'static str {
        match self {
            Position::Axiom => "an axiom",
            Position::FunctionBody => "the body of a function",
            Position::Where => "a `where` clause",
            Position::Requires => "a `requires` clause",
            Position::Ensures => "an `ensures` clause",
            Position::Body => "the body of a procedure",
        }
    }
}

type Declared = Option<(Entry<Variable>, Span)>;

#[derive(Default)]
pub(super) struct Scopes {
    globals: SecondaryMap<Symbol, Declared>,
    locals: SecondaryMap<Symbol, Declared>,
    /// The names in `locals`, to take them out again.
    local_names: Vec<Symbol>,
    /// The names that the variables of the current procedure have in the result. An implementation may call
    /// a parameter differently, so these are not the names in `locals`.
    taken: FxHashSet<String>,
    /// How many open quantifiers bind a name.
    open: SecondaryMap<Symbol, u32>,
    /// How many names were made from a name.
    made: SecondaryMap<Symbol, u32>,
}

impl Scopes {
    /// The meaning of a name that no quantifier binds.
    pub(super) fn find(&self, symbol: Symbol) -> Option<Entry<Variable>> {
        self.locals[symbol].or(self.globals[symbol]).map(|(entry, _)| entry)
    }

    /// The meaning of a name outside of procedures, with its declaration.
    pub(super) fn global(&self, symbol: Symbol) -> Declared {
        self.globals[symbol]
    }

    pub(super) fn declare_global(&mut self, symbol: Symbol, entry: Entry<Variable>, span: Span) {
        self.globals[symbol] = Some((entry, span));
    }

    /// The declaration of a name in the current procedure or function.
    pub(super) fn local(&self, symbol: Symbol) -> Declared {
        self.locals[symbol]
    }

    pub(super) fn declare_local(&mut self, symbol: Symbol, entry: Entry<Variable>, span: Span) {
        if self.locals[symbol].is_none() {
            self.local_names.push(symbol);
        }
        self.locals[symbol] = Some((entry, span));
    }

    pub(super) fn take_name(&mut self, name: &str) {
        self.taken.insert(name.to_owned());
    }

    /// Leaves the procedure or function.
    pub(super) fn clear_locals(&mut self) {
        for symbol in self.local_names.drain(..) {
            self.locals[symbol] = None;
        }
        self.taken.clear();
    }

    pub(super) fn open_quantifier(&mut self, symbol: Symbol) {
        self.open[symbol] += 1;
    }

    pub(super) fn close_quantifier(&mut self, symbol: Symbol) {
        self.open[symbol] -= 1;
    }
}

impl Elaborator<'_> {
    /// The name of a new variable of a procedure or function: its own if it hides nothing visible.
    pub(super) fn local_name(&mut self, symbol: Symbol, sees_globals: bool) -> String {
        let hides = match self.scopes.globals[symbol] {
            Some((Entry::Known(variable), _)) => sees_globals || self.is_constant(variable),
            Some((Entry::Broken, _)) | None => false,
        };
        let hides = hides || self.scopes.taken.contains(self.ast.name(symbol));
        if hides { self.fresh_name(symbol) } else { self.ast.name(symbol).to_owned() }
    }

    /// The name of a new quantified variable.
    pub(super) fn bound_name(&mut self, symbol: Symbol, position: Position) -> String {
        if self.scopes.open[symbol] > 0 || self.scopes.locals[symbol].is_some() {
            return self.fresh_name(symbol);
        }
        self.local_name(symbol, position.sees_globals())
    }

    /// A name that occurs nowhere in the source and was not made before.
    pub(super) fn fresh_name(&mut self, symbol: Symbol) -> String {
        loop {
            self.scopes.made[symbol] += 1;
            let name = format!("{}#{}", self.ast.name(symbol), self.scopes.made[symbol]);
            if self.ast.symbols.find(&name).is_none() {
                return name;
            }
        }
    }

    fn is_constant(&self, variable: Variable) -> bool {
        matches!(self.program.variables[variable].kind, VariableKind::Constant { .. })
    }
}
