//! Counting through everything that a program leaves open, one sequence of decisions after the other.

use ir::interpreter::Value;

/// Integers are chosen from `0..CHOICES`.
pub const CHOICES: i64 = 3;

/// The decisions of a run; the last digit moves first.
#[derive(Default)]
pub struct Odometer {
    /// What was decided, out of how many.
    digits: Vec<(usize, usize)>,
    position: usize,
}

impl Odometer {
    /// A run begins, with the decisions as they stand.
    pub fn restart(&mut self) {
        self.position = 0;
    }

    /// The next decision of the run, out of so many.
    pub fn decide(&mut self, choices: usize) -> usize {
        if self.position == self.digits.len() {
            self.digits.push((0, choices));
        }
        self.position += 1;
        self.digits[self.position - 1].0
    }

    /// A chosen value of a type.
    pub fn value(&mut self, program: &ir::Program, ty: ir::Type) -> Value {
        match Value::default_of(program, ty) {
            Value::Bool(_) => Value::Bool(self.decide(2) == 1),
            _ => Value::int(self.decide(CHOICES as usize)),
        }
    }

    /// The next sequence of decisions, if there is one. Decisions that the last run did not come to are forgotten.
    pub fn advance(&mut self) -> bool {
        self.digits.truncate(self.position);
        while let Some((decision, choices)) = self.digits.pop() {
            if decision + 1 < choices {
                self.digits.push((decision + 1, choices));
                return true;
            }
        }
        false
    }

    /// Are there decisions ahead that the run before has made as well?
    pub fn follows(&self) -> bool {
        self.position < self.digits.len()
    }
}
