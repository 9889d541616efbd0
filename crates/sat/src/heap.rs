//! The variables that wait for a decision, the most active first: a binary heap that knows where each variable is.

use crate::Var;

const ABSENT: u32 = u32::MAX;

#[derive(Default)]
pub(crate) struct Heap {
    order: Vec<Var>,
    place: Vec<u32>,
}

impl Heap {
    pub(crate) fn grow(&mut self) {
        self.place.push(ABSENT);
    }

    pub(crate) fn contains(&self, var: Var) -> bool {
        self.place[var.0 as usize] != ABSENT
    }

    pub(crate) fn insert(&mut self, var: Var, activity: &[f64]) {
        if !self.contains(var) {
            self.place[var.0 as usize] = self.order.len() as u32;
            self.order.push(var);
            self.up(self.order.len() - 1, activity);
        }
    }

    /// The activity of a variable has grown.
    pub(crate) fn raised(&mut self, var: Var, activity: &[f64]) {
        if self.contains(var) {
            self.up(self.place[var.0 as usize] as usize, activity);
        }
    }

    /// The most active one.
    pub(crate) fn first(&self) -> Option<Var> {
        self.order.first().copied()
    }

    pub(crate) fn pop(&mut self, activity: &[f64]) -> Option<Var> {
        let first = *self.order.first()?;
        let last = self.order.pop()?;
        self.place[first.0 as usize] = ABSENT;
        if last != first {
            self.order[0] = last;
            self.place[last.0 as usize] = 0;
            self.down(0, activity);
        }
        Some(first)
    }

    /// Of two equally active variables the older one comes first, so that runs can be repeated.
    fn before(left: Var, right: Var, activity: &[f64]) -> bool {
        let (l, r) = (activity[left.0 as usize], activity[right.0 as usize]);
        l > r || (l == r && left < right)
    }

    fn up(&mut self, mut at: usize, activity: &[f64]) {
        let var = self.order[at];
        while at > 0 {
            let parent = (at - 1) / 2;
            if !Heap::before(var, self.order[parent], activity) {
                break;
            }
            self.put(at, self.order[parent]);
            at = parent;
        }
        self.put(at, var);
    }

    fn down(&mut self, mut at: usize, activity: &[f64]) {
        let var = self.order[at];
        loop {
            let mut child = 2 * at + 1;
            if child >= self.order.len() {
                break;
            }
            if child + 1 < self.order.len()
                && Heap::before(self.order[child + 1], self.order[child], activity)
            {
                child += 1;
            }
            if !Heap::before(self.order[child], var, activity) {
                break;
            }
            self.put(at, self.order[child]);
            at = child;
        }
        self.put(at, var);
    }

    fn put(&mut self, at: usize, var: Var) {
        self.order[at] = var;
        self.place[var.0 as usize] = at as u32;
    }
}
