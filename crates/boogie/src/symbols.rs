//! Interned names: equal names are equal ids.

use base::PrimaryMap;
use rustc_hash::FxHashMap;

base::id!(
    /// An interned name.
    Symbol,
    "symbol"
);

/// The table of all names of a file.
#[derive(Clone, Default, Debug)]
pub struct Symbols<'a> {
    names: PrimaryMap<Symbol, &'a str>,
    index: FxHashMap<&'a str, Symbol>,
}

impl<'a> Symbols<'a> {
    /// The id of a name.
    pub fn intern(&mut self, name: &'a str) -> Symbol {
        *self.index.entry(name).or_insert_with(|| self.names.push(name))
    }

    /// The id of a name that was interned before.
    pub fn find(&self, name: &str) -> Option<Symbol> {
        self.index.get(name).copied()
    }

    /// How many names there are.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }
}

impl<'a> std::ops::Index<Symbol> for Symbols<'a> {
    type Output = &'a str;

    fn index(&self, symbol: Symbol) -> &&'a str {
        &self.names[symbol]
    }
}
