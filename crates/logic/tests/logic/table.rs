//! All models in a box at once: an oracle that knows everything about formulas whose variables are bounded.

use crate::formulas::Variables;
use logic::qe::{Answer, Oracle};
use logic::{Op, Symbol, Term, Terms};
use num_traits::ToPrimitive;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The values of terms in all rows. A row is an assignment of small integers and truth values (0 and 1) to variables.
pub struct Table {
    pub rows: Vec<([i64; 3], [bool; 2])>,
    columns: FxHashMap<Term, Rc<Vec<i64>>>,
    symbols: FxHashMap<Symbol, Rc<Vec<i64>>>,
    variables: Variables,
    /// How many models were given.
    pub models: usize,
}

impl Table {
    /// All assignments of integers from `-bound` to `bound`.
    pub fn new(variables: Variables, bound: i64) -> Table {
        let mut rows = Vec::new();
        let numbers = || -bound..=bound;
        for (x, y, z) in
            numbers().flat_map(|x| numbers().flat_map(move |y| numbers().map(move |z| (x, y, z))))
        {
            for booleans in 0..4 {
                rows.push(([x, y, z], [booleans & 1 == 1, booleans & 2 == 2]));
            }
        }
        let mut symbols = FxHashMap::default();
        for (i, &symbol) in variables.numbers.iter().enumerate() {
            symbols.insert(symbol, Rc::new(rows.iter().map(|(numbers, _)| numbers[i]).collect()));
        }
        for (i, &symbol) in variables.booleans.iter().enumerate() {
            symbols.insert(symbol, Rc::new(rows.iter().map(|(_, booleans)| booleans[i].into()).collect()));
        }
        Table { rows, columns: FxHashMap::default(), symbols, variables, models: 0 }
    }

    /// The formula that all numbers are in the box.
    pub fn in_box(&self, terms: &mut Terms) -> Term {
        let bound = self.rows.iter().map(|(numbers, _)| numbers[0]).max().expect("never empty");
        let mut conjuncts = Vec::new();
        for symbol in self.variables.numbers {
            let (variable, least, most) = (terms.constant(symbol), terms.int(-bound), terms.int(bound));
            conjuncts.push(terms.ge(variable, least));
            conjuncts.push(terms.le(variable, most));
        }
        terms.and(conjuncts)
    }

    /// The values of a term in all rows; none if it mentions something unknown.
    pub fn column(&mut self, terms: &Terms, term: Term) -> Option<Rc<Vec<i64>>> {
        let mut pending = vec![term];
        while let Some(&top) = pending.last() {
            let before = pending.len();
            pending.extend(terms.args(top).iter().filter(|&a| !self.columns.contains_key(a)));
            if pending.len() == before {
                let column = self.compute(terms, top)?;
                self.columns.insert(top, column);
                pending.pop();
            }
        }
        Some(Rc::clone(&self.columns[&term]))
    }

    fn compute(&self, terms: &Terms, term: Term) -> Option<Rc<Vec<i64>>> {
        let arguments: Vec<&Vec<i64>> = terms.args(term).iter().map(|a| &*self.columns[a]).collect();
        let number = |n| terms.number_value(n).to_integer().to_i64().expect("small");
        let compute = |apply: &dyn Fn(&[i64]) -> i64| {
            let mut row: Vec<i64> = Vec::new();
            let column = |i: usize| {
                row.clear();
                row.extend(arguments.iter().map(|values| values[i]));
                apply(&row)
            };
            Some(Rc::new((0..self.rows.len()).map(column).collect()))
        };
        match terms.op(term) {
            Op::True => compute(&|_| 1),
            Op::False => compute(&|_| 0),
            Op::Int(n) => compute(&|_| number(n)),
            Op::Symbol(symbol) => self.symbols.get(&symbol).cloned(),
            Op::Not => compute(&|a| 1 - a[0]),
            Op::And => compute(&|a| a.iter().all(|&v| v == 1).into()),
            Op::Or => compute(&|a| a.contains(&1).into()),
            Op::Eq => compute(&|a| (a[0] == a[1]).into()),
            Op::Ite => compute(&|a| if a[0] == 1 { a[1] } else { a[2] }),
            Op::Add => compute(&|a| a.iter().sum()),
            Op::Mul => compute(&|a| a.iter().product()),
            Op::Scale(n) => compute(&|a| a[0] * number(n)),
            Op::Le => compute(&|a| (a[0] <= a[1]).into()),
            Op::Div => compute(&|a| a[0].div_euclid(a[1])),
            Op::Mod => compute(&|a| a[0].rem_euclid(a[1])),
            op => panic!("{op:?} does not occur"),
        }
    }
}

impl Oracle for Table {
    fn model(&mut self, terms: &mut Terms, formulas: &[Term]) -> Answer {
        let conjunction = terms.and(formulas.iter().copied());
        let Some(column) = self.column(terms, conjunction) else { return Answer::Unknown };
        self.models += 1;
        match column.iter().position(|&value| value == 1) {
            None => Answer::Unsatisfiable,
            Some(row) => {
                let (numbers, booleans) = self.rows[row];
                Answer::Model(self.variables.model(numbers, booleans))
            }
        }
    }
}
