//! Interned texts: identifiers, numbers and string literals become `u32` ids that compare in one step.

use rustc_hash::FxHashMap;
use std::sync::Arc;

base::id!(
    /// An interned text.
    Symbol,
    "s"
);

/// The table of interned texts. Ids are handed out in the order of first use, so equal inputs give equal ids.
#[derive(Default)]
pub struct Symbols {
    ids: FxHashMap<Arc<str>, Symbol>,
    texts: base::PrimaryMap<Symbol, Arc<str>>,
}

impl Symbols {
    /// An empty table.
    pub fn new() -> Symbols {
        Symbols::default()
    }

    /// The id of a text.
    pub fn intern(&mut self, text: &str) -> Symbol {
        if let Some(&symbol) = self.ids.get(text) {
            return symbol;
        }
        let text: Arc<str> = Arc::from(text);
        let symbol = self.texts.push(Arc::clone(&text));
        self.ids.insert(text, symbol);
        symbol
    }

    /// The id of a text that was interned before.
    pub fn get(&self, text: &str) -> Option<Symbol> {
        self.ids.get(text).copied()
    }

    /// The text of an id.
    pub fn text(&self, symbol: Symbol) -> &str {
        &self.texts[symbol]
    }
}
