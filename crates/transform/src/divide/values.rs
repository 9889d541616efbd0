//! What counts as a value: literals, and constants that the axioms tell apart.

use logic::{Function, Op, Symbol, Term, Terms};
use program::{Program, VarKind};
use rustc_hash::{FxHashMap, FxHashSet};

/// The values of a program.
pub(super) struct Values {
    /// Constants that an axiom compares with others.
    constants: FxHashSet<Symbol>,
    /// Pairs that are different, the smaller one first.
    different: FxHashSet<(Symbol, Symbol)>,
    /// Constants with different numbers are different.
    numbers: FxHashMap<Symbol, (Function, Term)>,
}

impl Values {
    /// Reads the axioms of a program.
    pub(super) fn of(program: &Program, terms: &Terms) -> Values {
        let mut values = Values {
            constants: FxHashSet::default(),
            different: FxHashSet::default(),
            numbers: FxHashMap::default(),
        };
        let constant = |term: Term| {
            let symbol = terms.as_symbol(term)?;
            let var = program.variables.of_symbol(symbol)?;
            (program.variables[var].kind == VarKind::Constant).then_some(symbol)
        };
        for conjunct in program.axioms.iter().flat_map(|&axiom| terms.conjuncts(axiom)) {
            match (terms.op(conjunct), terms.args(conjunct)) {
                (Op::Not, &[equation]) if terms.op(equation) == Op::Eq => {
                    let &[left, right] = terms.args(equation) else { continue };
                    if let (Some(left), Some(right)) = (constant(left), constant(right)) {
                        values.different.insert((left.min(right), left.max(right)));
                        values.constants.extend([left, right]);
                    }
                }
                (Op::Eq, &[application, number]) => {
                    let (Op::Apply(function), &[argument]) = (terms.op(application), terms.args(application))
                    else {
                        continue;
                    };
                    if let Some(symbol) = constant(argument).filter(|_| terms.is_literal_value(number)) {
                        values.numbers.insert(symbol, (function, number));
                        values.constants.insert(symbol);
                    }
                }
                _ => {}
            }
        }
        values
    }

    /// Is the term a value?
    pub(super) fn is_value(&self, terms: &Terms, term: Term) -> bool {
        let is_constant = || terms.as_symbol(term).is_some_and(|symbol| self.constants.contains(&symbol));
        terms.is_literal_value(term) || is_constant()
    }

    /// Are these two constants that are never equal?
    fn are_different(&self, left: Symbol, right: Symbol) -> bool {
        let numbered = || match (self.numbers.get(&left), self.numbers.get(&right)) {
            (Some((function, here)), Some((other, there))) => function == other && here != there,
            _ => false,
        };
        self.different.contains(&(left.min(right), left.max(right))) || numbered()
    }

    /// A term that means the same, in which constants that are different are not compared.
    pub(super) fn fold(&self, terms: &mut Terms, term: Term) -> Term {
        if self.constants.is_empty() {
            return term;
        }
        terms.transform(term, &mut FxHashMap::default(), |terms, node| {
            let (Op::Eq, &[left, right]) = (terms.op(node), terms.args(node)) else { return None };
            let (left, right) = (terms.as_symbol(left)?, terms.as_symbol(right)?);
            self.are_different(left, right).then_some(Term::FALSE)
        })
    }

    /// What a formula says about the values of symbols, each of them once.
    pub(super) fn definitions(&self, terms: &Terms, formula: Term) -> Vec<(Symbol, Term)> {
        let mut found: Vec<(Symbol, Term)> = Vec::new();
        for conjunct in terms.conjuncts(formula) {
            let definition = match (terms.op(conjunct), terms.args(conjunct)) {
                (Op::Symbol(symbol), _) => Some((symbol, Term::TRUE)),
                (Op::Not, &[inner]) => terms.as_symbol(inner).map(|symbol| (symbol, Term::FALSE)),
                (Op::Eq, &[left, right]) => {
                    let defined = |symbol: Term, value: Term| {
                        let symbol =
                            terms.as_symbol(symbol).filter(|symbol| !self.constants.contains(symbol))?;
                        self.is_value(terms, value).then_some((symbol, value))
                    };
                    defined(left, right).or_else(|| defined(right, left))
                }
                _ => None,
            };
            found.extend(definition);
        }
        found
    }
}
