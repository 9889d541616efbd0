//! The state of a program: which variables there are, and the symbols by which formulas speak of them.
//!
//! A predicate at a location is a formula over the symbols of the global variables, of the variables of the
//! procedure of that location, of the constants, and of the values that globals had when the procedure was
//! entered (`old`). Variables of different procedures have different symbols; a procedure that calls itself
//! needs its callee's symbols renamed, which is what calls and returns do for all callees alike.

use base::{PrimaryMap, SecondaryMap};
use logic::{Symbol, Term, Terms};
use rustc_hash::FxHashMap;

base::id!(
    /// A variable of the program's state.
    Var,
    "x"
);

/// Where a variable lives.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum VarKind {
    /// One value for the whole run: a constant, or a function without parameters.
    Constant,
    /// Shared by all procedures.
    Global,
    /// The value that this global had when the current procedure was entered.
    Old(Var),
    /// A parameter, result or local variable of a procedure.
    Local(ir::Procedure),
}

impl VarKind {
    /// Does every call have its own copy?
    pub fn belongs_to_a_call(self) -> bool {
        matches!(self, VarKind::Local(_) | VarKind::Old(_))
    }
}

/// What is known about a variable.
#[derive(Clone, Debug)]
pub struct VarData {
    /// How people call it.
    pub name: String,
    /// How formulas call it.
    pub symbol: Symbol,
    /// Where it lives.
    pub kind: VarKind,
    /// The variable of the `ir` program; that of the global for an old value; none for a function without parameters
    /// and for copies of old values. Copies that inlining makes have the source of the original.
    pub source: Option<ir::Variable>,
}

/// All variables of a program.
#[derive(Clone, Default, Debug)]
pub struct Variables {
    data: PrimaryMap<Var, VarData>,
    by_symbol: FxHashMap<Symbol, Var>,
    by_source: FxHashMap<ir::Variable, Var>,
    old_of: SecondaryMap<Var, Option<Var>>,
}

impl std::ops::Index<Var> for Variables {
    type Output = VarData;

    fn index(&self, var: Var) -> &VarData {
        &self.data[var]
    }
}

impl Variables {
    /// Adds a variable with a symbol of its own.
    pub fn add(&mut self, data: VarData) -> Var {
        let (symbol, kind, source) = (data.symbol, data.kind, data.source);
        let var = self.data.push(data);
        self.by_symbol.insert(symbol, var);
        match kind {
            VarKind::Old(global) => self.old_of[global] = Some(var),
            _ => {
                if let Some(source) = source {
                    self.by_source.entry(source).or_insert(var);
                }
            }
        }
        var
    }

    /// The variable of a symbol, if the symbol is one of the state's.
    pub fn of_symbol(&self, symbol: Symbol) -> Option<Var> {
        self.by_symbol.get(&symbol).copied()
    }

    /// The variable of an `ir` variable; the original, if there are copies.
    pub fn of_source(&self, source: ir::Variable) -> Option<Var> {
        self.by_source.get(&source).copied()
    }

    /// The variable that keeps the value of a global at the entry of the procedure.
    pub fn old(&self, global: Var) -> Option<Var> {
        self.old_of[global]
    }

    /// The term that is a variable's symbol.
    pub fn term(&self, terms: &mut Terms, var: Var) -> Term {
        terms.constant(self.data[var].symbol)
    }

    /// All variables, in the order in which they were added.
    pub fn iter(&self) -> impl Iterator<Item = (Var, &VarData)> {
        self.data.iter()
    }

    /// The global variables.
    pub fn globals(&self) -> impl Iterator<Item = Var> + '_ {
        self.data.iter().filter(|(_, data)| data.kind == VarKind::Global).map(|(var, _)| var)
    }

    /// The variables of the state of a symbol list.
    pub fn of_symbols<'a>(&'a self, symbols: &'a [Symbol]) -> impl Iterator<Item = Var> + 'a {
        symbols.iter().filter_map(|symbol| self.of_symbol(*symbol))
    }
}
