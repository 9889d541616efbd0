//! The strongly connected components of the graph in which infinite runs go round.
//!
//! Its nodes are the classes of the whole program (see [`crate::horn::WholeProgram`]), its edges the blocks, the calls,
//! and for every call that comes back one from the call to where it comes back to. Tarjan's algorithm, without recursion;
//! linear.

use crate::horn::{Class, Step, WholeProgram};

/// A component.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Component {
    /// Its classes.
    pub classes: Vec<Class>,
    /// The steps of the whole program that stay inside; of a component without a cycle there are none.
    pub steps: Vec<usize>,
}

/// Where a step begins, as far as infinite runs are concerned.
pub fn beginning(step: &Step) -> Class {
    step.call.unwrap_or(step.source)
}

/// The components, every one before those that lead to it.
pub fn components(whole: &WholeProgram) -> Vec<Component> {
    let count = whole.locations.len();
    let mut successors: Vec<Vec<Class>> = vec![Vec::new(); count];
    for step in &whole.steps {
        if let Some(target) = step.target {
            successors[beginning(step)].push(target);
        }
    }
    let order = Tarjan::new(&successors).run();
    let mut component_of = vec![0; count];
    for (number, classes) in order.iter().enumerate() {
        for &class in classes {
            component_of[class] = number;
        }
    }
    let mut components: Vec<Component> =
        order.into_iter().map(|classes| Component { classes, steps: Vec::new() }).collect();
    for (number, step) in whole.steps.iter().enumerate() {
        if let Some(target) = step.target
            && component_of[beginning(step)] == component_of[target]
        {
            components[component_of[target]].steps.push(number);
        }
    }
    components
}

struct Tarjan<'a> {
    successors: &'a [Vec<Class>],
    index: Vec<Option<usize>>,
    low: Vec<usize>,
    on_stack: Vec<bool>,
    stack: Vec<Class>,
    found: Vec<Vec<Class>>,
    next: usize,
}

impl<'a> Tarjan<'a> {
    fn new(successors: &'a [Vec<Class>]) -> Tarjan<'a> {
        let count = successors.len();
        Tarjan {
            successors,
            index: vec![None; count],
            low: vec![0; count],
            on_stack: vec![false; count],
            stack: Vec::new(),
            found: Vec::new(),
            next: 0,
        }
    }

    fn run(mut self) -> Vec<Vec<Class>> {
        for root in 0..self.successors.len() {
            if self.index[root].is_none() {
                self.visit(root);
            }
        }
        self.found
    }

    fn open(&mut self, class: Class) {
        self.index[class] = Some(self.next);
        self.low[class] = self.next;
        self.next += 1;
        self.stack.push(class);
        self.on_stack[class] = true;
    }

    fn visit(&mut self, root: Class) {
        self.open(root);
        let mut pending = vec![(root, 0)];
        while let Some((class, position)) = pending.pop() {
            if let Some(&next) = self.successors[class].get(position) {
                pending.push((class, position + 1));
                match self.index[next] {
                    None => {
                        self.open(next);
                        pending.push((next, 0));
                    }
                    Some(index) if self.on_stack[next] => self.low[class] = self.low[class].min(index),
                    Some(_) => {}
                }
                continue;
            }
            if let Some(&(parent, _)) = pending.last() {
                self.low[parent] = self.low[parent].min(self.low[class]);
            }
            if Some(self.low[class]) == self.index[class] {
                let begin = self.stack.iter().rposition(|&other| other == class).expect("it is open");
                let component = self.stack.split_off(begin);
                for &member in &component {
                    self.on_stack[member] = false;
                }
                self.found.push(component);
            }
        }
    }
}
