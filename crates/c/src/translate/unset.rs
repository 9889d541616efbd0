//! Variables that are read before they have got a value.
//!
//! The standard gives such a read no meaning if the address of the variable is never used (C11 6.3.2.1), and that is
//! exactly when a variable is kept outside of memory here. Each of its variables then has another one beside it, which is not zero
//! where no value was written since the declaration. Copies of whole structs and arrays are no reads of their members: what has no
//! value has none in the copy. Arguments and results count as written; for memory there is [another way](super::written).

use super::{Result, Translator};
use crate::options::Check;
use crate::tree::{Lifetime, VarId};
use ir::{Expr, Type, Variable};

impl Translator<'_> {
    /// Begins to follow whether a variable of a function has a value.
    pub(super) fn follow_unset(&mut self, var: VarId, variables: &[Vec<Variable>]) {
        let data = &self.tree.variables[var];
        let Some(function) = data.function else { return };
        let name = self.symbols.text(data.name).to_owned();
        let is_given = self.tree.functions[function].parameters.contains(&var);
        // Nobody wrote what holds operands.
        if data.lifetime == Lifetime::Static || is_given || name.contains('#') {
            return;
        }
        if !self.options.asks(Check::Uninitialised) {
            return;
        }
        for &variable in variables.iter().flatten() {
            let ty = self.unset_type(self.program.variables[variable].ty);
            let unset = self.new_local(&format!("#unset.{name}"), ty);
            self.storage.unset.insert(variable, unset);
        }
    }

    /// A number for every cell.
    fn unset_type(&mut self, ty: Type) -> Type {
        match self.program.types.as_map(ty).map(|(domain, range)| (domain.to_vec(), range)) {
            Some((domain, range)) => {
                let range = self.unset_type(range);
                self.program.types.map(domain, range)
            }
            None => Type::INT,
        }
    }

    /// A declaration without an initialiser takes the values away.
    pub(super) fn unset(&mut self, variables: &[Variable]) -> Result<()> {
        for variable in variables {
            let Some(&unset) = self.storage.unset.get(variable) else { continue };
            let nothing = self.same_everywhere(self.program.variables[unset].ty, 1)?;
            self.assign(unset, nothing);
        }
        Ok(())
    }

    /// What happens to the cells that have no value when something is written to some of them.
    pub(super) fn set_at(
        &mut self,
        variable: Variable,
        indices: &[Expr],
        value: Expr,
    ) -> Result<Option<(Variable, Expr)>> {
        let Some(&unset) = self.storage.unset.get(&variable) else { return Ok(None) };
        let mut ty = self.program.variables[unset].ty;
        for _ in indices {
            ty = self.program.types.as_map(ty).map_or(ty, |(_, range)| range);
        }
        let cells = match self.unset_of(value) {
            Some(cells) if self.program.ty(cells) == ty => cells,
            _ => self.zero_map(ty)?,
        };
        let old = self.var(unset);
        Ok(Some((unset, self.store(old, indices, cells))))
    }

    /// A cell is read.
    pub(super) fn check_set(&mut self, variable: Variable, indices: &[Expr]) {
        let Some(&unset) = self.storage.unset.get(&variable) else { return };
        if self.is_quiet() {
            return;
        }
        let cells = self.var(unset);
        let cell = indices.iter().fold(cells, |cells, &index| self.select(cells, index));
        let zero = self.int(0);
        let fine = self.equal(cell, zero);
        self.check(fine, Check::Uninitialised, "a variable is read that has no value");
    }
}
