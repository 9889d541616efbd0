//! `memset`, `memcpy`, `memmove`, `free` and `realloc`, for any sizes and types.
//!
//! Memory that is kept by types is moved object by object: the analysis has seen that sizes make whole objects
//! ([`classes`](super::classes)); otherwise the memory is kept as bytes and is moved byte by byte, with what pointers the
//! bytes may be. Few objects are moved one by one, as if at once; many, or a number that is not known, in a loop.

use super::addresses::LIVE;
use super::bytes::BytePlace;
use super::classes::{Cell, Class, Key, pointed_type};
use super::contexts::StackBlocks;
use super::numbers::Interval;
use super::places::Place;
use super::regions::View;
use super::values::Value;
use super::{Result, Translator};
use crate::options::Check;
use crate::tree::{ExprId, FuncId};
use crate::types::TypeId;
use ir::{BinaryOp, Expr};

/// More steps than this are made in a loop.
const MOST_UNROLLED: i128 = 64;

/// The bases of the blocks that something is copied between.
#[derive(Clone, Copy)]
struct Blocks {
    from: Expr,
    to: Expr,
}

/// An argument that points to memory.
#[derive(Clone, Copy)]
pub(super) struct Pointed {
    pub(super) argument: ExprId,
    pub(super) base: Expr,
    pub(super) offset: Expr,
}

/// In which order the steps of a loop are taken.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Up,
    Down,
}

impl Translator<'_> {
    /// An argument with its value.
    pub(super) fn pointed(&mut self, argument: ExprId, value: &Value) -> Result<Pointed> {
        let &Value::Pointer(base, offset) = value else {
            return Err(self.unsupported("memory without a pointer"));
        };
        Ok(Pointed { argument, base: self.share(base), offset: self.share(offset) })
    }

    fn place_behind(&mut self, pointed: Pointed, class: Class, bytes: Expr) -> Place {
        let offset = self.add(pointed.offset, bytes);
        Place::Memory { base: pointed.base, offset, class, key: Key::Any, bits: 0, inside: None }
    }

    /// What a memory function moves at a time: objects of a type, or bytes.
    fn moved_type(&mut self, class: Class, argument: ExprId) -> Result<Option<TypeId>> {
        match self.view(class) {
            View::Bytes => Ok(None),
            View::Raw(_) | View::Tagged(_) | View::Typed => match pointed_type(self.tree, argument) {
                Some(ty) => Ok(Some(ty)),
                None => Err(self.unsupported("a memory function through a pointer to nothing in particular")),
            },
        }
    }

    /// Does something for 0, `step`, 2·`step`, … below `size`, in a loop or one by one.
    fn for_each_step(
        &mut self,
        size: Expr,
        step: u64,
        direction: Direction,
        act: &mut dyn FnMut(&mut Self, Expr) -> Result<()>,
    ) -> Result<()> {
        let known = self.literal(size).map(|size| size / i128::from(step));
        if let Some(count) = known.filter(|&count| count <= MOST_UNROLLED) {
            for index in 0..count {
                let index = if direction == Direction::Up { index } else { count - 1 - index };
                let at = self.int(index * i128::from(step));
                act(self, at)?;
            }
            return Ok(());
        }
        let size = self.share(size);
        let counter = self.temporary(ir::Type::INT);
        let (zero, width) = (self.int(0), self.int(step));
        let first = if direction == Direction::Up { zero } else { size };
        self.assign(counter, first);
        let (head, inside, behind) =
            (self.new_block("move"), self.new_block("step"), self.new_block("moved"));
        self.continue_in(head);
        let at = self.var(counter);
        let more = match direction {
            Direction::Up => self.compare(BinaryOp::Less, at, size),
            Direction::Down => self.compare(BinaryOp::Less, zero, at),
        };
        self.branch(more, inside, behind);
        self.start(inside);
        if direction == Direction::Down {
            let before = self.subtract(at, width);
            self.assign(counter, before);
        }
        let at = self.var(counter);
        act(self, at)?;
        if direction == Direction::Up {
            let at = self.var(counter);
            let next = self.add(at, width);
            self.assign(counter, next);
        }
        self.jump(head);
        self.start(behind);
        Ok(())
    }

    /// Checks that a function may touch so many bytes; none at all may be touched anywhere that is valid.
    fn check_moved(&mut self, pointed: Pointed, size: Expr, name: &str) -> Result<()> {
        if self.checks_memory() {
            return self.check_access(pointed.base, pointed.offset, size, name);
        }
        let zero = self.int(0);
        let nothing = self.equal(size, zero);
        if matches!(self.program.expressions[nothing], ir::ExprData::Bool(true)) {
            return Ok(());
        }
        let some = self.compare(BinaryOp::NotEqual, pointed.base, zero);
        let fine = self.or(nothing, some);
        self.assume(fine);
        Ok(())
    }

    /// Checks that a function may write to its target, where it writes byte by byte.
    fn check_target(&mut self, to: Pointed, class: Class, size: Expr) {
        if self.view(class) == View::Bytes && self.literal(size) != Some(0) {
            self.check_writable(to.base, class);
        }
    }

    /// `memset` of a block that nobody knows but the function that has just allocated it.
    pub(super) fn fill_new_block(&mut self, to: Pointed, size: Expr) -> Result<()> {
        let size = self.share(size);
        self.check_moved(to, size, "memset")?;
        self.note_zeros(to, size)
    }

    /// `memset`
    pub(super) fn fill_memory(&mut self, to: Pointed, byte: Expr, size: Expr) -> Result<()> {
        self.check_moved(to, size, "memset")?;
        self.check_frames_of_range(to.base, to.offset, size);
        self.inside_allowed(|this| this.fill_allowed(to, byte, size))
    }

    fn fill_allowed(&mut self, to: Pointed, byte: Expr, size: Expr) -> Result<()> {
        let class = self.analyses.classes.class(to.argument);
        self.check_target(to, class, size);
        let size = self.share(size);
        let Some(ty) = self.moved_type(class, to.argument)? else {
            let period = self.int(256);
            let byte = match self.literal(byte) {
                Some(value) => self.int(value & 255),
                None => self.modulo(byte, period),
            };
            let byte = self.freeze(byte);
            return self.for_each_step(size, 1, Direction::Up, &mut |this, at| {
                let place = this.place_behind(to, class, at);
                let bytes = this.byte_place(&place)?;
                this.store_bytes(&bytes, &[byte]);
                Ok(())
            });
        };
        let value = match self.tree.types.int_kind(ty).filter(|_| self.literal(byte) != Some(0)) {
            Some(kind) => self.fit(byte, Interval::ALL, kind)?,
            None => self.zero(ty)?,
        };
        let value = self.freeze_value(value);
        let step = self.tree.types.size(ty).unwrap_or(1);
        self.for_each_step(size, step, Direction::Up, &mut |this, at| {
            let place = this.place_behind(to, class, at);
            this.write(&place, ty, &value)
        })
    }

    /// `memcpy` and `memmove`
    pub(super) fn copy_memory(&mut self, to: Pointed, from: Pointed, size: Expr) -> Result<()> {
        self.check_moved(to, size, "the target of a copy")?;
        self.check_moved(from, size, "the source of a copy")?;
        self.check_frames_of_range(to.base, to.offset, size);
        self.inside_allowed(|this| this.copy_allowed(to, from, size))
    }

    fn copy_allowed(&mut self, to: Pointed, from: Pointed, size: Expr) -> Result<()> {
        let class = self.analyses.classes.class(to.argument);
        self.check_target(to, class, size);
        let ty = self.moved_type(class, to.argument)?;
        let step = ty.and_then(|ty| self.tree.types.size(ty)).unwrap_or(1);
        let size = self.share(size);
        let known = self.literal(size).map(|size| size / i128::from(step));
        if let Some(count) = known.filter(|&count| count <= MOST_UNROLLED) {
            // All is read before anything is written, so objects may overlap.
            let mut values = Vec::new();
            for index in 0..count {
                let at = self.int(index * i128::from(step));
                values.push(self.load_moved((from, class), ty, at)?);
            }
            for (index, value) in values.into_iter().enumerate() {
                let at = self.int(index as i128 * i128::from(step));
                self.store_moved((to, class), ty, at, &value)?;
            }
            return Ok(());
        }
        let mut move_one = |this: &mut Self, at: Expr| {
            let value = this.load_moved((from, class), ty, at)?;
            this.store_moved((to, class), ty, at, &value)
        };
        // Where the target overlaps the source and lies behind it, the end comes first.
        let same = self.equal(to.base, from.base);
        let behind = self.compare(BinaryOp::Less, from.offset, to.offset);
        let reverse = self.and(same, behind);
        if matches!(self.program.expressions[reverse], ir::ExprData::Bool(false)) {
            return self.for_each_step(size, step, Direction::Up, &mut move_one);
        }
        let (down, up, done) = (self.new_block("down"), self.new_block("up"), self.new_block("copied"));
        self.branch(reverse, down, up);
        self.start(down);
        self.for_each_step(size, step, Direction::Down, &mut move_one)?;
        self.jump(done);
        self.start(up);
        self.for_each_step(size, step, Direction::Up, &mut move_one)?;
        self.continue_in(done);
        Ok(())
    }

    /// What lies behind a pointer: an object, or a byte with the pointer that was written there last.
    fn load_moved(
        &mut self,
        (from, class): (Pointed, Class),
        ty: Option<TypeId>,
        at: Expr,
    ) -> Result<Vec<Value>> {
        let place = self.place_behind(from, class, at);
        if let Some(ty) = ty {
            return Ok(vec![self.read_copied(&place, ty)?]);
        }
        let bytes: BytePlace = self.byte_place(&place)?;
        let zero = self.int(0);
        let byte = self.byte_at(&bytes, zero);
        let byte = Value::Int(byte, Interval::BYTE);
        self.remember_written(&place, self.tree.types.char, &byte)?;
        let mut out = vec![byte];
        if self.analyses.classes.has_byte_pointers(&self.tree.types, class) {
            let (base, offset) = self.shadow(&place)?;
            out.push(Value::Pointer(base, offset));
        }
        Ok(out)
    }

    fn store_moved(
        &mut self,
        (to, class): (Pointed, Class),
        ty: Option<TypeId>,
        at: Expr,
        values: &[Value],
    ) -> Result<()> {
        let place = self.place_behind(to, class, at);
        for value in values {
            match ty {
                Some(ty) => self.write(&place, ty, value)?,
                None => {
                    let components = self.components(value);
                    self.write_raw_leaf(&place, &components)?;
                }
            }
        }
        Ok(())
    }

    /// `free`
    pub(super) fn free(&mut self, pointer: &Value) -> Result<()> {
        let &Value::Pointer(base, offset) = pointer else {
            return Err(self.unsupported("`free` of something that is no pointer"));
        };
        if self.storage.objects.state.is_none() && !self.has_frames() {
            return Ok(());
        }
        let (base, offset) = (self.share(base), self.share(offset));
        let zero = self.int(0);
        let none = self.equal(base, zero);
        let start = self.equal(offset, zero);
        let null = if self.checks_memory() { self.and(none, start) } else { none };
        let (some, behind) = (self.new_block("free"), self.new_block("freed"));
        self.branch(null, behind, some);
        self.start(some);
        self.check_frames_of_free(base);
        self.check_block(base, offset)?;
        self.set_state(base, 0);
        self.count_blocks(-1);
        self.continue_in(behind);
        Ok(())
    }

    /// A pointer that is given back must be the start of an allocated block.
    fn check_block(&mut self, base: Expr, offset: Expr) -> Result<()> {
        if let Some(state) = self.storage.objects.state.filter(|_| self.checks_memory()) {
            let (map, zero) = (self.var(state), self.int(0));
            let state = self.select(map, base);
            let block = self.is_allocated(state);
            let start = self.equal(offset, zero);
            let valid = self.and(block, start);
            self.check(valid, Check::Free, "the pointer is not the start of an allocated block");
        }
        Ok(())
    }

    /// A new block.
    pub(super) fn allocation(&mut self, call: ExprId, size: Option<Expr>, zero: bool) -> Result<Value> {
        let base = self.temporary(ir::Type::INT);
        self.allocate_into(base);
        let base = self.var(base);
        self.begin_object(base, size, self.state_of_block(call));
        let noted = self.note_block(base, size, zero);
        if zero && !noted {
            let class = self.analyses.classes.class(call);
            self.reset_memory(base, class, true)?;
        }
        let offset = self.int(0);
        Ok(Value::Pointer(base, offset))
    }

    /// Memory of the library, which lives as long as the program and is nobody's to give back.
    pub(super) fn permanent_allocation(&mut self, size: Expr) -> Result<Value> {
        let base = self.temporary(ir::Type::INT);
        self.allocate_into(base);
        let base = self.var(base);
        self.begin_object(base, Some(size), LIVE);
        Ok(Value::Pointer(base, self.int(0)))
    }

    /// `alloca`: an object that nobody gives back. Where memory is checked, it lives until its function returns.
    pub(super) fn stack_allocation(&mut self, size: Expr) -> Result<Value> {
        let base = self.temporary(ir::Type::INT);
        self.allocate_into(base);
        let base = self.var(base);
        self.begin_object(base, Some(size), LIVE);
        self.set_fresh(base, true);
        if let Some(StackBlocks { count, bases }) = self.function.stack_blocks {
            let (old, known, one) = (self.var(count), self.var(bases), self.int(1));
            let more = self.store(known, &[old], base);
            let next = self.add(old, one);
            self.assign_all(vec![(bases, more), (count, next)]);
        }
        Ok(Value::Pointer(base, self.int(0)))
    }

    /// Prepares for the blocks of `alloca` in a function that mentions it.
    pub(super) fn open_stack_blocks(&mut self, function: FuncId) {
        let tree = self.tree;
        let is_alloca = |callee: FuncId| {
            let name = self.symbols.text(tree.functions[callee].name);
            matches!(name.strip_prefix("__builtin_").unwrap_or(name), "alloca")
        };
        let mentioned = tree.mentions.iter().any(|&(from, to)| from == Some(function) && is_alloca(to));
        self.function.stack_blocks = None;
        if !mentioned || !self.checks_memory() {
            return;
        }
        let map = self.program.types.map([ir::Type::INT], ir::Type::INT);
        let count = self.new_local("#blocks", ir::Type::INT);
        let bases = self.new_local("#stack", map);
        let zero = self.int(0);
        self.assign(count, zero);
        self.function.stack_blocks = Some(StackBlocks { count, bases });
    }

    /// The function returns: what `alloca` gave it ceases to live.
    pub(super) fn close_stack_blocks(&mut self) -> Result<()> {
        let Some(StackBlocks { count, bases }) = self.function.stack_blocks else { return Ok(()) };
        if !self.is_reachable() {
            return Ok(());
        }
        let size = self.var(count);
        self.for_each_step(size, 1, Direction::Up, &mut |this, at| {
            let known = this.var(bases);
            let base = this.select(known, at);
            this.set_state(base, 0);
            Ok(())
        })
    }

    /// `realloc`. With the size zero it gives a block back and returns null, as that of the GNU library does.
    pub(super) fn reallocation(&mut self, call: ExprId, old: Pointed, size: Expr) -> Result<Value> {
        let size = self.share(size);
        let zero = self.int(0);
        if self.literal(size).is_some_and(|size| size != 0) {
            return self.moved_block(call, old, size);
        }
        let (nothing, none) = (self.equal(size, zero), self.equal(old.base, zero));
        let some = self.not(none);
        let drops = self.and(nothing, some);
        let result = self.temporary(ir::Type::INT);
        let (drop, keep, done) =
            (self.new_block("drop"), self.new_block("keep"), self.new_block("reallocation"));
        self.branch(drops, drop, keep);
        self.start(drop);
        self.free(&Value::Pointer(old.base, old.offset))?;
        self.assign(result, zero);
        self.jump(done);
        self.start(keep);
        if let Value::Pointer(base, _) = self.moved_block(call, old, size)? {
            self.assign(result, base);
        }
        self.continue_in(done);
        Ok(Value::Pointer(self.var(result), zero))
    }

    /// `realloc`: a new block with the contents of the old one, as far as both reach.
    fn moved_block(&mut self, call: ExprId, old: Pointed, size: Expr) -> Result<Value> {
        let class = self.analyses.classes.class(call);
        let Value::Pointer(new, zero) = self.allocation(call, Some(size), false)? else {
            return Err(self.unsupported("`realloc` without a result"));
        };
        if self.analyses.classes.is_compared(class) {
            // The block may stay where it is, which such a program could notice.
            self.mark("whether a block moves that is reallocated");
        }
        let none = self.equal(old.base, zero);
        let (some, done) = (self.new_block("realloc"), self.new_block("reallocated"));
        self.branch(none, done, some);
        self.start(some);
        if self.checks_memory() {
            self.check_block(old.base, old.offset)?;
        } else {
            let start = self.equal(old.offset, zero);
            self.assume(start);
        }
        let old_size = self.object_size(old.base)?;
        let old_size = self.freeze(old_size);
        let grows = self.compare(BinaryOp::LessEqual, old_size, size);
        // A block that does not shrink keeps all its contents; what lies behind was never written.
        let whole = if self.analyses.classes.is_zeroed(class) { self.truth(false) } else { grows };
        let (copy, part, copied) =
            (self.new_block("whole"), self.new_block("part"), self.new_block("copied"));
        self.branch(whole, copy, part);
        self.start(copy);
        self.copy_object(class, old.base, new)?;
        self.jump(copied);
        self.start(part);
        let common = self.ite(grows, old_size, size);
        let common = self.freeze(common);
        self.copy_cells(class, Blocks { from: old.base, to: new }, common)?;
        self.continue_in(copied);
        self.check_frames_of_free(old.base);
        self.set_state(old.base, 0);
        self.count_blocks(-1);
        self.continue_in(done);
        Ok(Value::Pointer(new, zero))
    }

    /// Copies all cells of one object that begin below a size to another object.
    fn copy_cells(&mut self, class: Class, Blocks { from, to }: Blocks, size: Expr) -> Result<()> {
        if self.analyses.classes.cells(class).iter().any(|&(_, cell)| cell == Cell::Bits) {
            return Err(self.unsupported("`realloc` of a part of a block with bit-fields"));
        }
        let regions = self.regions_of(class)?;
        self.for_each_step(size, 1, Direction::Up, &mut |this, at| {
            for region in &regions {
                for variable in this.with_written(region) {
                    let value = this.fetch(variable, region.shape, from, at);
                    let map = this.stored(variable, region.shape, to, at, value);
                    this.assign(variable, map);
                }
            }
            Ok(())
        })
    }
}
