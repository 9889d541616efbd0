//! Octagons: bounds on `±x ± y` for integer variables.
//!
//! A variable `x` at position `k` has two signed copies, `v[2k] = x` and `v[2k+1] = -x`; the entry `(i, j)` of the
//! matrix bounds `v[j] - v[i]` from above. So `x ≤ c` is the entry `(2k+1, 2k)` with `2c`. The matrix is coherent: `(i, j)`
//! and `(j̄, ī)` say the same. It is closed when every bound is as small as the others imply, over the integers: paths
//! added up, bounds on `2x` even, and pairs of unary bounds combined. Adding one constraint to a closed octagon keeps it
//! closed at quadratic cost; only [`Octagon::widen`] leaves it open, on purpose, because closing a widened octagon can make
//! an iteration run for ever.
//!
//! Bounds beyond 2^120 are dropped, so no sum overflows.

/// A bound, or none.
type Bound = i128;
const NONE: Bound = i128::MAX;
const LARGEST: Bound = 1 << 120;

/// A variable with a sign.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Signed {
    /// The position of the variable.
    pub position: usize,
    /// Whether its negation is meant.
    pub negated: bool,
}

impl Signed {
    fn index(self) -> usize {
        2 * self.position + usize::from(self.negated)
    }
}

/// Bounds on sums and differences of some integer variables.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Octagon {
    size: usize,
    bounds: Vec<Bound>,
    closed: bool,
}

/// There are no such integers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Empty;

fn sum(a: Bound, b: Bound) -> Bound {
    if a == NONE || b == NONE {
        return NONE;
    }
    limited(a + b)
}

/// A bound that is too large says nothing; one that is too small is kept weaker than it is.
fn limited(bound: Bound) -> Bound {
    if bound > LARGEST { NONE } else { bound.max(-LARGEST) }
}

fn halved_sum(a: Bound, b: Bound) -> Bound {
    if a == NONE || b == NONE { NONE } else { (a + b).div_euclid(2) }
}

impl Octagon {
    /// No bounds on so many variables.
    pub fn top(variables: usize) -> Octagon {
        let size = 2 * variables;
        let mut octagon = Octagon { size, bounds: vec![NONE; size * size], closed: true };
        for i in 0..size {
            *octagon.at(i, i) = 0;
        }
        octagon
    }

    /// How many variables it is about.
    pub fn variables(&self) -> usize {
        self.size / 2
    }

    /// Is nothing bounded?
    pub fn is_top(&self) -> bool {
        (0..self.size).all(|i| (0..self.size).all(|j| i == j || self.get(i, j) == NONE))
    }

    fn at(&mut self, i: usize, j: usize) -> &mut Bound {
        &mut self.bounds[i * self.size + j]
    }

    fn get(&self, i: usize, j: usize) -> Bound {
        self.bounds[i * self.size + j]
    }

    /// Is every bound as small as it can be?
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// The bound on the sum of two different signed variables.
    pub fn sum_bound(&self, a: Signed, b: Signed) -> Option<Bound> {
        // a + b = v[a] - v[b̄].
        let bound = self.get(b.index() ^ 1, a.index());
        (bound != NONE).then_some(bound)
    }

    /// The bound on a signed variable.
    pub fn bound(&self, a: Signed) -> Option<Bound> {
        let bound = self.get(a.index() ^ 1, a.index());
        (bound != NONE).then(|| bound.div_euclid(2))
    }

    /// Learns that the sum of two signed variables is bounded. The octagon must be closed and stays so.
    pub fn bound_sum(&mut self, a: Signed, b: Signed, bound: Bound) -> Result<(), Empty> {
        self.constrain(b.index() ^ 1, a.index(), limited(bound))
    }

    /// Learns a bound on a signed variable. The octagon must be closed and stays so.
    pub fn bound_one(&mut self, a: Signed, bound: Bound) -> Result<(), Empty> {
        if bound.unsigned_abs() > LARGEST.unsigned_abs() / 2 {
            return Ok(());
        }
        self.constrain(a.index() ^ 1, a.index(), 2 * bound)
    }

    /// Learns `v[j] - v[i] ≤ bound`.
    fn constrain(&mut self, i: usize, j: usize, bound: Bound) -> Result<(), Empty> {
        debug_assert!(self.closed, "only closed octagons learn");
        if bound >= self.get(i, j) {
            return Ok(());
        }
        // A shortest path uses the new edge i → j, its mirror image j̄ → ī, or both in either order.
        let size = self.size;
        let (from, to) = ([i, j ^ 1], [j, i ^ 1]);
        let both = [
            sum(sum(bound, self.get(to[0], from[1])), bound),
            sum(sum(bound, self.get(to[1], from[0])), bound),
        ];
        for p in 0..size {
            let head = [self.get(p, from[0]), self.get(p, from[1])];
            if head == [NONE, NONE] {
                continue;
            }
            // What it costs to come from p through the new edges to their ends.
            let first = sum(head[0], bound).min(sum(head[1], both[1]));
            let second = sum(head[1], bound).min(sum(head[0], both[0]));
            for q in 0..size {
                let through = sum(first, self.get(to[0], q)).min(sum(second, self.get(to[1], q)));
                let entry = self.at(p, q);
                *entry = through.min(*entry);
            }
        }
        self.tighten()
    }

    /// Even bounds on doubled variables, and what pairs of unary bounds imply.
    fn tighten(&mut self) -> Result<(), Empty> {
        let size = self.size;
        for i in 0..size {
            let entry = self.at(i, i ^ 1);
            if *entry != NONE {
                *entry = 2 * entry.div_euclid(2);
            }
        }
        for i in 0..size {
            if self.get(i, i) < 0 || sum(self.get(i, i ^ 1), self.get(i ^ 1, i)) < 0 {
                return Err(Empty);
            }
            *self.at(i, i) = 0;
        }
        for i in 0..size {
            let unary = self.get(i, i ^ 1);
            if unary == NONE {
                continue;
            }
            for j in 0..size {
                let implied = halved_sum(unary, self.get(j ^ 1, j));
                let entry = self.at(i, j);
                *entry = implied.min(*entry);
            }
        }
        for i in 0..size {
            *self.at(i, i) = 0;
        }
        Ok(())
    }

    /// Makes every bound as small as the others imply. Cubic.
    pub fn close(&mut self) -> Result<(), Empty> {
        if self.closed {
            return Ok(());
        }
        let size = self.size;
        for k in 0..size {
            for i in 0..size {
                let head = self.get(i, k);
                if head == NONE {
                    continue;
                }
                for j in 0..size {
                    let through = sum(head, self.get(k, j));
                    let entry = self.at(i, j);
                    *entry = through.min(*entry);
                }
            }
        }
        self.closed = true;
        self.tighten()
    }

    /// Forgets everything about a variable of a closed octagon.
    pub fn forget(&mut self, position: usize) {
        debug_assert!(self.closed, "only closed octagons forget");
        for index in [2 * position, 2 * position + 1] {
            for other in 0..self.size {
                *self.at(index, other) = NONE;
                *self.at(other, index) = NONE;
            }
            *self.at(index, index) = 0;
        }
    }

    /// Adds a number to a variable.
    pub fn shift(&mut self, position: usize, by: Bound) {
        let (plus, minus) = (2 * position, 2 * position + 1);
        for i in 0..self.size {
            for j in 0..self.size {
                // The bound on v[j] - v[i] moves with each of the two.
                let weight = |index: usize| Bound::from(index == plus) - Bound::from(index == minus);
                let moved = weight(j) - weight(i);
                if moved == 0 {
                    continue;
                }
                let entry = self.at(i, j);
                if *entry != NONE {
                    *entry = match by.checked_mul(moved).and_then(|shift| entry.checked_add(shift)) {
                        Some(bound) if bound.unsigned_abs() <= LARGEST.unsigned_abs() => bound,
                        _ => NONE,
                    };
                }
            }
        }
    }

    /// The smallest octagon around both, which must be closed.
    pub fn join(&mut self, other: &Octagon) {
        debug_assert!(self.closed && other.closed, "only closed octagons are joined");
        for (mine, theirs) in self.bounds.iter_mut().zip(&other.bounds) {
            *mine = (*mine).max(*theirs);
        }
    }

    /// Learns everything that the other knows; the result has to be closed.
    pub fn meet(&mut self, other: &Octagon) {
        for (mine, theirs) in self.bounds.iter_mut().zip(&other.bounds) {
            if theirs < mine {
                *mine = *theirs;
                self.closed = false;
            }
        }
    }

    /// Contains both; bounds that grew jump to a threshold or away, and the result is left open. A bound on one variable is kept doubled, so
    /// its thresholds are as well: otherwise it would stop at half of each on its way, and use up its rounds there.
    pub fn widen(&mut self, newer: &Octagon, thresholds: &[Bound], doubled: &[Bound]) {
        let size = self.size;
        for (index, (mine, theirs)) in self.bounds.iter_mut().zip(&newer.bounds).enumerate() {
            if theirs > mine {
                let is_unary = (index / size) ^ 1 == index % size;
                let stops = if is_unary { doubled } else { thresholds };
                let above = stops.partition_point(|threshold| threshold < theirs);
                *mine = if *theirs == NONE { NONE } else { stops.get(above).copied().unwrap_or(NONE) };
                self.closed = false;
            }
        }
    }

    /// Are all members among those of the other? This octagon must be closed for an exact answer.
    pub fn is_in(&self, other: &Octagon) -> bool {
        self.bounds.iter().zip(&other.bounds).all(|(mine, theirs)| mine <= theirs)
    }

    /// The bounds on sums of two different signed variables that are not implied by other bounds.
    pub fn constraints(&self) -> Vec<(Signed, Signed, Bound)> {
        let size = self.size;
        let mut kept: Vec<bool> = self.bounds.iter().map(|bound| *bound != NONE).collect();
        let mut found = Vec::new();
        for i in 0..size {
            for j in 0..size {
                // One of the two mirror images, and no unary bounds or trivial ones.
                if i / 2 <= j / 2 || !kept[i * size + j] {
                    continue;
                }
                let bound = self.get(i, j);
                let unary = halved_sum(self.get(i, i ^ 1), self.get(j ^ 1, j)) <= bound;
                let path = (0..size).any(|k| {
                    k != i
                        && k != j
                        && kept[i * size + k]
                        && kept[k * size + j]
                        && k != (i ^ 1)
                        && k != (j ^ 1)
                        && sum(self.get(i, k), self.get(k, j)) <= bound
                });
                if unary || path {
                    kept[i * size + j] = false;
                    kept[(j ^ 1) * size + (i ^ 1)] = false;
                    continue;
                }
                let signed = |index: usize| Signed { position: index / 2, negated: index % 2 == 1 };
                found.push((signed(j), signed(i ^ 1), bound));
            }
        }
        found
    }
}
