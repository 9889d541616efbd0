//! Where variables begin and cease to live, for programs whose memory is checked.
//!
//! A variable in memory lives from its declaration to the end of its scope (C11 6.2.4). Jumps out of scopes end what
//! was declared there; a jump to a label or a `case` makes everything live that is in scope there, and nothing else.

use super::addresses::LIVE;
use super::contexts::Home;
use super::outlived::Renewal;
use super::{Result, Translator};
use crate::options::{BitOperations, Check};
use crate::tree::{Lifetime, StmtId, VarId};
use crate::types::Type;
use ir::{BinaryOp, Expr, QuantifierKind, VariableKind};

impl Translator<'_> {
    /// The base of a variable in memory.
    pub(super) fn base_of(&mut self, var: VarId) -> Result<Option<Expr>> {
        Ok(match self.home(var)? {
            Home::Plain(_) => None,
            Home::Fixed(base) => Some(self.int(base)),
            Home::Fresh(variable) => Some(self.var(variable)),
        })
    }

    /// Whether the address of a variable is a number that may be compared with those of others.
    fn has_visible_address(&mut self, var: VarId) -> bool {
        let class = self.analyses.classes.variable(var);
        let visible = self.storage.objects.address.is_some() && self.analyses.classes.is_exposed(class);
        visible && !self.threads.concurrent
    }

    /// Whether it is known when a variable lives: where memory is checked, and where its address is visible, as another variable may lie there when it is
    /// gone.
    pub(super) fn follows_life(&mut self, var: VarId) -> bool {
        self.checks_memory() || self.has_visible_address(var)
    }

    /// A variable that keeps its base may lie somewhere else in its next life.
    fn place_anew(&mut self, var: VarId, base: Expr) {
        let Some(address) = self.storage.objects.address else { return };
        let start = self.temporary(ir::Type::INT);
        self.havoc(vec![start]);
        let (map, start) = (self.var(address), self.var(start));
        let moved = self.store(map, &[base], start);
        self.assign(address, moved);
        self.assume_variable_aligned(var, base);
    }

    /// A variable begins to live.
    pub(super) fn begin_variable(&mut self, var: VarId) -> Result<()> {
        let data = &self.tree.variables[var];
        if data.lifetime == Lifetime::Static {
            return Ok(());
        }
        if let Home::Fresh(base) = self.home(var)? {
            match self.analyses.outlived.renewal(var) {
                Renewal::Never => {}
                Renewal::Always => self.allocate_into(base),
                Renewal::Unclear => self.give_up("whether a variable is another object behind a goto"),
            }
        }
        let Some(base) = self.base_of(var)? else { return Ok(()) };
        let stays = matches!(self.home(var)?, Home::Fixed(_));
        if stays && self.has_visible_address(var) && !self.is_first_life(var) {
            self.place_anew(var, base);
        }
        let fixed = matches!(self.home(var)?, Home::Fixed(_)) && self.tree.types.size(data.ty).is_some();
        if matches!(self.home(var)?, Home::Fresh(_)) {
            self.assume_variable_aligned(var, base);
        }
        if !self.follows_life(var) {
            // The sizes of others are known from the start.
            if !fixed && self.storage.objects.size.is_some() {
                let bytes = self.size_of(data.ty)?;
                self.begin_object(base, Some(bytes), LIVE);
            }
            return Ok(());
        }
        let bytes = if fixed {
            None
        } else {
            let bytes = self.size_of(data.ty)?;
            Some(self.wrapped_size(bytes))
        };
        self.begin_object(base, bytes, LIVE);
        if let Some(scope) = self.function.scopes.last_mut()
            && !scope.contains(&var)
        {
            scope.push(var);
        }
        Ok(())
    }

    /// Variables of scopes that a jump enters begin to live, whether it leads past their declarations or not. Those that are always at one place are
    /// known from the start.
    pub(super) fn begin_entered(&mut self, variables: &[VarId]) -> Result<()> {
        for &var in variables {
            let data = &self.tree.variables[var];
            let in_memory = data.lifetime != Lifetime::Static && !self.is_plain(var);
            if !in_memory || !self.analyses.live.has_variable(var) || self.tree.types.size(data.ty).is_none()
            {
                continue;
            }
            let Home::Fresh(variable) = self.home(var)? else { continue };
            if self.analyses.outlived.renewal(var) != Renewal::Never {
                self.allocate_into(variable);
            }
            let base = self.var(variable);
            let class = self.analyses.classes.variable(var);
            self.assume_variable_aligned(var, base);
            let bytes = self.size_of(data.ty)?;
            self.begin_object(base, Some(bytes), LIVE);
            self.begin_unwritten(base, class)?;
        }
        Ok(())
    }

    /// A scope begins.
    pub(super) fn open_scope(&mut self) {
        self.function.scopes.push(Vec::new());
    }

    /// The innermost scope ends.
    pub(super) fn close_scope(&mut self) -> Result<()> {
        let depth = self.function.scopes.len() - 1;
        self.end_scopes(depth)?;
        self.function.scopes.pop();
        Ok(())
    }

    /// What was declared in the inner scopes ceases to live: control leaves them.
    pub(super) fn end_scopes(&mut self, outer: usize) -> Result<()> {
        let procedure = self.body().procedure;
        if self.threads.concurrent && outer <= 1 && self.program.procedures[procedure].name == "main" {
            // The program ends with `main`; until it does, other threads find its variables where they were.
            return Ok(());
        }
        let ended: Vec<VarId> = self.function.scopes[outer..].iter().flatten().copied().collect();
        for var in ended {
            if let Some(base) = self.base_of(var)? {
                self.set_state(base, 0);
            }
        }
        Ok(())
    }

    /// Control may come from anywhere in the function: only what is in scope lives, and what is declared behind the label in a scope around it, as
    /// objects live from the beginning of their scope on, unless their length is variable.
    pub(super) fn enter_label(&mut self, label: Option<StmtId>) -> Result<()> {
        if !self.checks_memory() && self.storage.objects.address.is_none() {
            return Ok(());
        }
        let inside: Vec<VarId> = self.function.scopes.iter().flatten().copied().collect();
        for var in self.function.declared.clone() {
            if !self.follows_life(var) {
                continue;
            }
            if let Some(base) = self.base_of(var)? {
                let has_size = self.tree.types.size(self.tree.variables[var].ty).is_some();
                let lives = inside.contains(&var)
                    || has_size && label.is_some_and(|label| self.analyses.outlived.lives_at(label, var));
                self.set_state(base, if lives { LIVE } else { 0 });
            }
        }
        Ok(())
    }

    /// The program ends: no block is lost, and all are given back, if that is asked for.
    pub(super) fn check_end(&mut self) -> Result<()> {
        let Some(blocks) = self.storage.objects.blocks else { return Ok(()) };
        let (count, zero) = (self.var(blocks), self.int(0));
        let none = self.equal(count, zero);
        self.assume_counted(none);
        if self.options.asks(Check::Cleanup) {
            self.check(none, Check::Cleanup, "a block is not freed");
        }
        if !self.options.asks(Check::Track) {
            return Ok(());
        }
        let holders: Vec<VarId> = self
            .tree
            .statics
            .iter()
            .copied()
            .filter(|&var| {
                let ty = self.tree.variables[var].ty;
                // A constant points to what was there from the start.
                !self.tree.variables[var].constant
                    && self.storage.homes[var].is_some()
                    && super::classes::holds_pointers(&self.tree.types, ty)
            })
            .collect();
        if holders.is_empty() {
            self.check(none, Check::Track, "a block is lost");
            return Ok(());
        }
        // Blocks that pointers with static lifetime point to are not lost; others may be reached through them.
        let tracked = self.tracked_blocks(&holders)?;
        let tracked = self.freeze(tracked);
        let plain = |&var: &VarId| matches!(self.tree.types[self.tree.variables[var].ty], Type::Pointer(_));
        if holders.iter().all(plain) {
            // If none of them points to a block, no block can be reached.
            let some = self.compare(BinaryOp::Less, zero, tracked);
            let fine = self.or(none, some);
            self.check(fine, Check::Track, "a block is lost");
        }
        let all = self.compare(BinaryOp::LessEqual, count, tracked);
        let all = self.freeze(all);
        let (walk, done) = (self.new_block("walk"), self.new_block("all_reached"));
        self.branch(all, done, walk);
        self.start(walk);
        match self.all_pointers(&holders)? {
            Some(pointers) if self.options.bit_operations == BitOperations::Exact => {
                self.check_reached(&holders, pointers, count)?;
                self.continue_in(done);
            }
            pointers => {
                // Loops through all memory are a burden, and often nobody comes here.
                self.report.back.open_blocks = pointers.is_some();
                self.give_up("whether all blocks can be reached at the end");
                self.start(done);
            }
        }
        Ok(())
    }

    /// The program ends inside of a function. Variables of functions still point to blocks then, so nothing is said of
    /// lost ones, unless there are none.
    pub(super) fn check_exit(&mut self) {
        let Some(blocks) = self.storage.objects.blocks else { return };
        let (count, zero) = (self.var(blocks), self.int(0));
        let none = self.equal(count, zero);
        self.assume_counted(none);
        if self.options.asks(Check::Cleanup) {
            self.check(none, Check::Cleanup, "a block is not freed");
        }
        if self.options.asks(Check::Track) {
            self.give_up_unless(none, "whether all blocks can be reached at the end");
        }
    }

    /// The program ends at once: blocks that it has not given back stay.
    pub(super) fn check_abort(&mut self) {
        if let Some(blocks) = self.storage.objects.blocks.filter(|_| self.options.asks(Check::Cleanup)) {
            let (count, zero) = (self.var(blocks), self.int(0));
            let none = self.equal(count, zero);
            self.assume_counted(none);
            self.check(none, Check::Cleanup, "a block is not freed");
        }
    }

    /// States what the number of living blocks means: if it is not zero, there is a block whose state is that of an allocated one. The number goes up
    /// where a block gets this state and down where it loses it, so that is so in all executions. Said here, a proof may speak of the
    /// states of all blocks, which invariants can, instead of their number, which they can only where it is a distance.
    fn assume_counted(&mut self, none: Expr) {
        let Some(state) = self.storage.objects.state else { return };
        let asked = self.options.asks(Check::Cleanup) || self.options.asks(Check::Track);
        // Another thread may stand between the change of a state and that of the number.
        if !asked || self.threads.concurrent || self.observing.is_some() {
            return;
        }
        let at = self.expression.at;
        let bound = self.program.new_variable("#block", ir::Type::INT, VariableKind::Bound, at);
        let (block, next) = (self.var(bound), self.var(self.storage.next_object));
        let first = self.int(self.first_new_base());
        let (given, before) =
            (self.compare(BinaryOp::LessEqual, first, block), self.compare(BinaryOp::Less, block, next));
        let states = self.var(state);
        let state = self.select(states, block);
        let lives = self.is_allocated(state);
        let numbered = self.and(given, before);
        let body = self.and(numbered, lives);
        let some = self.program.quantified(QuantifierKind::Exists, vec![bound], body, at);
        let counted = self.or(none, some);
        self.assume(counted);
    }

    /// How many blocks pointers with static lifetime point to directly.
    fn tracked_blocks(&mut self, holders: &[VarId]) -> Result<Expr> {
        let mut bases: Vec<Expr> = Vec::new();
        let (zero, one) = (self.int(0), self.int(1));
        let mut tracked = zero;
        for &var in holders {
            let ty = self.tree.variables[var].ty;
            if !matches!(self.tree.types[ty], Type::Pointer(_)) {
                continue;
            }
            let place = self.variable_place(var)?;
            let super::values::Value::Pointer(base, _) = self.read(&place, ty)? else { continue };
            let base = self.freeze(base);
            let Some(state) = self.storage.objects.state else { continue };
            let map = self.var(state);
            let state = self.select(map, base);
            let mut counts = self.is_allocated(state);
            for &other in &bases {
                let new = self.compare(BinaryOp::NotEqual, base, other);
                counts = self.and(counts, new);
            }
            bases.push(base);
            let one_more = self.ite(counts, one, zero);
            tracked = self.add(tracked, one_more);
        }
        Ok(tracked)
    }
}
