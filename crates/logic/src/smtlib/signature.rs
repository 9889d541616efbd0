//! What the names of a text mean: declared symbols, functions and sorts, and defined abbreviations.

use super::names::decode;
use super::operators::{MAX_WIDTH, is_operator};
use super::sexpr::{Document, Error, Node, Sexpr};
use crate::sort::{Sort, SortData};
use crate::symbol::{Function, Symbol};
use crate::term::{Term, Terms};
use rustc_hash::FxHashMap;

/// What a name means.
#[derive(Clone, Debug)]
pub(super) enum Meaning {
    /// A constant, or an abbreviation of a term.
    Term(Term),
    Function(Function),
    /// An abbreviation with parameters.
    Macro {
        parameters: Vec<Symbol>,
        body: Term,
    },
}

/// What a name means that the text itself does not declare.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Undeclared {
    /// Nothing: using it is an error.
    IsAnError,
    /// The symbol, function or sort of the store with this name.
    IsInTheStore,
}

/// The declarations and definitions in force.
#[derive(Clone, Debug)]
pub struct Signature {
    undeclared: Undeclared,
    meanings: FxHashMap<String, Meaning>,
    sorts: FxHashMap<String, Sort>,
    /// What was declared since each `push`.
    levels: Vec<Vec<Declared>>,
}

#[derive(Clone, Debug)]
enum Declared {
    Meaning(String),
    Sort(String),
}

impl Signature {
    /// Nothing is declared.
    pub fn new(undeclared: Undeclared) -> Signature {
        Signature {
            undeclared,
            meanings: FxHashMap::default(),
            sorts: FxHashMap::default(),
            levels: vec![Vec::new()],
        }
    }

    pub(super) fn push(&mut self, count: u32) {
        self.levels.extend(std::iter::repeat_n(Vec::new(), count as usize));
    }

    /// Forgets what was declared since the `count`-th last `push`, or does nothing if there are fewer.
    pub(super) fn pop(&mut self, count: u32) -> bool {
        let Some(left) = self.levels.len().checked_sub(count as usize).filter(|&left| left > 0) else {
            return false;
        };
        for declared in self.levels.drain(left..).flatten() {
            match declared {
                Declared::Meaning(name) => _ = self.meanings.remove(&name),
                Declared::Sort(name) => _ = self.sorts.remove(&name),
            }
        }
        true
    }

    pub(super) fn reset(&mut self) {
        *self = Signature::new(self.undeclared);
    }

    fn innermost(&mut self) -> &mut Vec<Declared> {
        self.levels.last_mut().expect("there is always a level")
    }

    /// Says what a symbol of the text means. Fails if it already means something.
    pub(super) fn declare(&mut self, symbol: &str, meaning: Meaning) -> Result<(), String> {
        if is_operator(symbol) {
            return Err(format!("`{symbol}` is a function of the theories"));
        }
        if self.meanings.contains_key(symbol) {
            return Err(format!("`{symbol}` is already declared"));
        }
        self.innermost().push(Declared::Meaning(symbol.to_owned()));
        self.meanings.insert(symbol.to_owned(), meaning);
        Ok(())
    }

    /// Says what a sort of the text means. Fails if it already means something.
    pub(super) fn declare_sort(&mut self, symbol: &str, sort: Sort) -> Result<(), String> {
        if ["Bool", "Int", "Real", "Array", "BitVec"].contains(&symbol) || self.sorts.contains_key(symbol) {
            return Err(format!("the sort `{symbol}` is already declared"));
        }
        self.innermost().push(Declared::Sort(symbol.to_owned()));
        self.sorts.insert(symbol.to_owned(), sort);
        Ok(())
    }

    /// What a symbol of the text means.
    pub(super) fn meaning(&self, terms: &mut Terms, symbol: &str) -> Option<Meaning> {
        if let Some(meaning) = self.meanings.get(symbol) {
            return Some(meaning.clone());
        }
        if self.undeclared == Undeclared::IsAnError {
            return None;
        }
        let name = decode(symbol);
        match terms.symbol_by_name(&name) {
            Some(known) => Some(Meaning::Term(terms.constant(known))),
            None => terms.function_by_name(&name).map(Meaning::Function),
        }
    }

    /// The sort that a node of a text denotes.
    pub fn sort(&self, terms: &mut Terms, document: &Document<'_>, node: Node) -> Result<Sort, Error> {
        // Sorts are built from the inside: `done` holds the arguments of array sorts.
        let mut done: Vec<Sort> = Vec::new();
        let mut pending = vec![(node, false)];
        while let Some((node, ready)) = pending.pop() {
            if ready {
                let [element, index] = [done.pop(), done.pop()].map(|sort| sort.expect("two were built"));
                done.push(terms.array_sort(index, element));
                continue;
            }
            match document.get(node) {
                Sexpr::Symbol(name) => match self.named_sort(terms, name) {
                    Some(sort) => done.push(sort),
                    None => return Err(document.error(node, format!("the sort `{name}` is not declared"))),
                },
                Sexpr::List(&[head, index, element]) if document.symbol(head) == Some("Array") => {
                    pending.extend([(node, true), (element, false), (index, false)]);
                }
                Sexpr::List(&[head, name, width])
                    if document.symbol(head) == Some("_") && document.symbol(name) == Some("BitVec") =>
                {
                    let digits = match document.get(width) {
                        Sexpr::Numeral(digits) => digits,
                        _ => "",
                    };
                    match digits.parse() {
                        Ok(width) if (1..=MAX_WIDTH).contains(&width) => done.push(terms.bitvec_sort(width)),
                        _ => {
                            let message = format!("the width of a bit-vector is a number in 1..={MAX_WIDTH}");
                            return Err(document.error(width, message));
                        }
                    }
                }
                _ => return Err(document.error(node, "this is no sort that is supported")),
            }
        }
        Ok(done.pop().expect("one sort was built"))
    }

    fn named_sort(&self, terms: &mut Terms, name: &str) -> Option<Sort> {
        match name {
            "Bool" => Some(Sort::BOOL),
            "Int" => Some(Sort::INT),
            "Real" => Some(Sort::REAL),
            _ => match self.sorts.get(name) {
                Some(&sort) => Some(sort),
                None if self.undeclared == Undeclared::IsAnError => None,
                None => terms.known_sort(&SortData::Uninterpreted(decode(name))),
            },
        }
    }
}
