//! Zeros in blocks that come from functions that only allocate ([`allocators`](super::allocators)).
//!
//! Such a function does not know what its block is for, so it cannot say which memory becomes zero. It notes how many bytes
//! of the last new block are zeros; its caller writes them, into the memory that the call's block belongs to. Blocks of which
//! only a part is filled are where the model ends.

use super::memory_functions::Pointed;
use super::values::Value;
use super::{Result, Translator};
use crate::tree::{ExprId, FuncId};
use ir::{BinaryOp, Expr, Variable};

/// What functions that only allocate note about the block that they made last.
#[derive(Clone, Copy)]
pub(super) struct NewBlock {
    /// Its base.
    base: Variable,
    /// Its size in bytes.
    size: Variable,
    /// How many bytes at its beginning are zeros for certain.
    zeros: Variable,
}

impl Translator<'_> {
    /// Makes the variables, if there are functions that need them.
    pub(super) fn declare_new_block(&mut self) {
        if self.analyses.classes.has_zeroing_allocators() {
            self.storage.new_block = Some(NewBlock {
                base: self.new_global("#new.base", ir::Type::INT),
                size: self.new_global("#new.size", ir::Type::INT),
                zeros: self.new_global("#new.zeros", ir::Type::INT),
            });
        }
    }

    /// The variables, inside of a function that only allocates.
    fn noted_block(&self) -> Option<NewBlock> {
        let inside = self.frames.current.is_some_and(|f| self.analyses.classes.is_allocator(f));
        self.storage.new_block.filter(|_| inside)
    }

    /// Notes a new block; says whether its zeros, if it has any, are written by somebody else.
    pub(super) fn note_block(&mut self, block: Expr, bytes: Option<Expr>, zero: bool) -> bool {
        let Some(NewBlock { base, size, zeros }) = self.noted_block() else { return false };
        let nothing = self.int(0);
        // A block without a size is not the one that the caller asks about.
        self.assign(base, if bytes.is_some() { block } else { nothing });
        self.assign(size, bytes.unwrap_or(nothing));
        self.assign(zeros, bytes.filter(|_| zero).unwrap_or(nothing));
        true
    }

    /// Notes that a function that only allocates has filled the beginning of its block with zeros.
    pub(super) fn note_zeros(&mut self, to: Pointed, bytes: Expr) -> Result<()> {
        let Some(NewBlock { base, zeros, .. }) = self.noted_block() else {
            return Err(self.unsupported("zeros that nobody notes"));
        };
        let known = self.var(base);
        let same = self.equal(to.base, known);
        self.give_up_unless(same, "which of two new blocks is filled with zeros");
        self.assign(zeros, bytes);
        Ok(())
    }

    /// Writes the zeros of a block that comes from a function that only allocates.
    pub(super) fn write_noted_zeros(&mut self, call: ExprId, function: FuncId, value: &Value) -> Result<()> {
        let classes = &self.analyses.classes;
        let (Some(NewBlock { base, size, zeros }), &Value::Pointer(block, _)) =
            (self.storage.new_block, value)
        else {
            return Ok(());
        };
        let inside = self.frames.current.is_some_and(|f| classes.is_allocator(f));
        if inside || !classes.is_zeroing_allocator(function) {
            return Ok(());
        }
        let class = self.analyses.classes.class(call);
        let (base, size, zeros) = (self.var(base), self.var(size), self.var(zeros));
        let nothing = self.int(0);
        let null = self.equal(block, nothing);
        let noted = self.equal(block, base);
        let none = self.equal(zeros, nothing);
        let all = self.compare(BinaryOp::LessEqual, size, zeros);
        let whole = self.or(none, all);
        let clear = self.and(noted, whole);
        let known = self.or(null, clear);
        self.give_up_unless(known, "what is in a block that is filled with zeros in part");
        let some = self.compare(BinaryOp::NotEqual, block, nothing);
        let filled = self.compare(BinaryOp::NotEqual, zeros, nothing);
        let fill = self.and(some, filled);
        let (zero, behind) = (self.new_block("zero"), self.new_block("zeroed"));
        self.branch(fill, zero, behind);
        self.start(zero);
        self.reset_memory(block, class, true)?;
        self.continue_in(behind);
        Ok(())
    }
}
