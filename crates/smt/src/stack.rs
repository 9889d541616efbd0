//! The assertions of a session, by scopes.

use logic::Term;

/// Asserted formulas, outermost first, and where each scope begins.
#[derive(Clone, Default, Debug)]
pub(crate) struct AssertionStack {
    formulas: Vec<Term>,
    scopes: Vec<usize>,
}

impl AssertionStack {
    pub(crate) fn push(&mut self) {
        self.scopes.push(self.formulas.len());
    }

    /// Panics if no scope is open: that is a mistake of the program, not of its input.
    pub(crate) fn pop(&mut self) {
        let start = self.scopes.pop().expect("a scope is open");
        self.formulas.truncate(start);
    }

    pub(crate) fn assert(&mut self, formula: Term) {
        self.formulas.push(formula);
    }

    pub(crate) fn formulas(&self) -> &[Term] {
        &self.formulas
    }

    /// The formulas of each scope; the first list is outside of all scopes.
    pub(crate) fn levels(&self) -> impl Iterator<Item = &[Term]> {
        let starts = std::iter::once(0).chain(self.scopes.iter().copied());
        let ends = self.scopes.iter().copied().chain([self.formulas.len()]);
        starts.zip(ends).map(|(start, end)| &self.formulas[start..end])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scope_takes_its_formulas_along() {
        let mut stack = AssertionStack::default();
        stack.assert(Term::TRUE);
        stack.push();
        stack.push();
        stack.assert(Term::FALSE);
        let levels: Vec<Vec<Term>> = stack.levels().map(<[Term]>::to_vec).collect();
        assert_eq!(levels, [vec![Term::TRUE], vec![], vec![Term::FALSE]]);
        stack.pop();
        stack.pop();
        assert_eq!(stack.formulas(), [Term::TRUE]);
    }
}
