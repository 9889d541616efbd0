//! The strongly connected components of the graph in which infinite runs go round.
//!
//! Its nodes are the classes of the whole program (see [`crate::horn::WholeProgram`]), its edges the blocks, the calls,
//! and for every call that comes back one from the call to where it comes back to. Linear.

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
    let found = graph::components(count, |class, out| out.extend(&successors[class]));
    let component_of = found.numbers();
    let mut components: Vec<Component> =
        found.iter().map(|classes| Component { classes: classes.to_vec(), steps: Vec::new() }).collect();
    for (number, step) in whole.steps.iter().enumerate() {
        if let Some(target) = step.target
            && component_of[beginning(step)] == component_of[target]
        {
            components[component_of[target]].steps.push(number);
        }
    }
    components
}
