//! Whether a program walks along links, as through a list or a tree.

use logic::{Op, Term, Terms};
use program::{EdgeKind, Program, Var, VarKind};
use std::collections::BTreeMap;

/// Whether a variable gets a value that is read from an array at an index which depends on the variable itself, and is used as the index of an array:
/// `n := next[n]`, perhaps through other variables and calls. It costs a look at every edge.
pub fn walks_links(program: &Program, terms: &Terms) -> bool {
    let mut flows = Flows::default();
    for edge in program.live_edges() {
        match &program.edges[edge].kind {
            EdgeKind::Internal(relation) => {
                for &(var, value) in &relation.updates {
                    flows.assign(program, var, value, terms);
                }
            }
            EdgeKind::Call(call) => {
                let own = |var: Var| !matches!(program.variables[var].kind, VarKind::Old(_));
                for &(var, value) in call.bindings.iter().filter(|&&(var, _)| own(var)) {
                    flows.assign(program, var, value, terms);
                }
            }
            EdgeKind::Return(returning) => {
                for &(to, from) in &returning.results {
                    flows.add(from, to);
                }
            }
        }
    }
    flows.has_cycle_through_a_read()
}

/// From which variables values come to which others.
#[derive(Default)]
struct Flows {
    numbers: BTreeMap<Var, usize>,
    next: Vec<Vec<usize>>,
    /// Flows through a read of an array.
    reads: Vec<(usize, usize)>,
}

impl Flows {
    fn number(&mut self, var: Var) -> usize {
        let count = self.next.len();
        let number = *self.numbers.entry(var).or_insert(count);
        if number == count {
            self.next.push(Vec::new());
        }
        number
    }

    fn add(&mut self, from: Var, to: Var) -> (usize, usize) {
        let (from, to) = (self.number(from), self.number(to));
        self.next[from].push(to);
        (from, to)
    }

    fn assign(&mut self, program: &Program, var: Var, value: Term, terms: &Terms) {
        let of = |term: Term| terms.as_symbol(term).and_then(|symbol| program.variables.of_symbol(symbol));
        if let Some(from) = of(value) {
            self.add(from, var);
        } else if terms.op(value) == Op::Select {
            // The block is the first of several indices.
            let mut read = value;
            while terms.op(terms.args(read)[0]) == Op::Select {
                read = terms.args(read)[0];
            }
            if let Some(from) = of(terms.args(read)[1]) {
                let flow = self.add(from, var);
                self.reads.push(flow);
            }
        }
    }

    fn has_cycle_through_a_read(&self) -> bool {
        let components = graph::components(self.next.len(), |node, out| out.extend(&self.next[node]));
        let mut component = vec![0; self.next.len()];
        for (number, nodes) in components.iter().enumerate() {
            nodes.iter().for_each(|&node| component[node] = number);
        }
        self.reads.iter().any(|&(from, to)| component[from] == component[to])
    }
}
