//! Which blocks can still be reached when the program ends: `valid-memtrack` by its definition.
//!
//! A block is not lost if a variable with static lifetime points into it, or a block that is not lost does. The program itself
//! finds that out at its end: it keeps a list of the blocks that it has reached, goes through it, and looks at every place in
//! each of them where a pointer may stand. Places that were never written may hold anything, null among it, so
//! they save no block in all executions.
//!
//! The cost is the number of blocks times that of the pointers in them, and is paid only where variables do not point to all
//! blocks themselves, and that was left open in a first translation.

use super::classes::{Cell, Class, Key};
use super::contexts::Home;
use super::regions::{Region, View};
use super::shapes::Shape;
use super::{Result, Translator};
use crate::options::Check;
use crate::tree::VarId;
use crate::types::{IntKind, Length};
use ir::{BinaryOp, Expr, Variable};

/// Arrays of more pointers than this are not looked through one by one.
const MOST_POINTERS: u64 = 256;

/// Where pointers stand.
pub(super) struct Pointers {
    class: Class,
    region: Region,
}

/// The list of reached blocks, while it grows.
struct Walk {
    /// Not zero at the bases of those in the list.
    reached: Variable,
    /// Their bases.
    list: Variable,
    /// How many there are.
    count: Variable,
    /// All places for pointers.
    pointers: Vec<Pointers>,
}

impl Translator<'_> {
    /// All places where pointers may stand; nothing if they cannot all be looked at.
    pub(super) fn all_pointers(&mut self, holders: &[VarId]) -> Result<Option<Vec<Pointers>>> {
        if self.analyses.makes_pointers || self.storage.objects.size.is_none() {
            return Ok(None);
        }
        let regions: Vec<((Class, Key, Cell), Region)> =
            self.storage.regions.iter().map(|(key, region)| (*key, region.clone())).collect();
        let mut pointers = Vec::new();
        for ((class, key, cell), region) in regions {
            let bytes = self.analyses.classes.has_byte_pointers(&self.tree.types, class);
            match (self.view(class), cell) {
                (View::Typed, Cell::Pointer) if self.is_aligned(key) => {
                    pointers.push(Pointers { class, region });
                }
                // Nobody knows where these pointers are, or the other translation has bytes in their place.
                (View::Typed | View::Tagged(_), Cell::Pointer) => return Ok(None),
                (View::Bytes, _) if bytes => return Ok(None),
                _ => {}
            }
        }
        Ok(self.are_walkable(holders)?.then_some(pointers))
    }

    /// Checks that so many blocks can be reached from variables with static lifetime.
    pub(super) fn check_reached(
        &mut self,
        holders: &[VarId],
        pointers: Vec<Pointers>,
        blocks: Expr,
    ) -> Result<()> {
        let map = self.program.types.map([ir::Type::INT], ir::Type::INT);
        let walk = Walk {
            reached: self.temporary(map),
            list: self.temporary(map),
            count: self.temporary(ir::Type::INT),
            pointers,
        };
        let (nothing, zero) = (self.zero_map(map)?, self.int(0));
        self.assign_all(vec![(walk.reached, nothing), (walk.list, nothing), (walk.count, zero)]);
        for &var in holders {
            self.reach_from_variable(&walk, var)?;
        }
        self.go_through(&walk)?;
        let count = self.var(walk.count);
        let all = self.compare(BinaryOp::LessEqual, blocks, count);
        self.check(all, Check::Track, "a block is lost");
        Ok(())
    }

    /// Whether all cells of a key are as far from the beginning of their object as a number of pointers.
    fn is_aligned(&self, key: Key) -> bool {
        let Key::Member(record, index) = key else { return true };
        let width = IntKind::UnsignedLong.size(self.tree.types.model);
        let size = self.tree.types.records[record].layout.as_ref().map(|layout| layout.size);
        let offset = self.tree.types.field(record, index).map(|field| field.bit_offset / 8);
        [size, offset].iter().all(|bytes| bytes.is_some_and(|bytes| bytes % width == 0))
    }

    /// Whether all pointers in variables outside of memory can be looked at one by one.
    fn are_walkable(&mut self, holders: &[VarId]) -> Result<bool> {
        for &var in holders {
            if !matches!(self.home(var)?, Home::Plain(_)) {
                continue;
            }
            for leaf in self.leaves(self.tree.variables[var].ty)?.iter() {
                let lengths = leaf.dimensions.iter().map(|dimension| match dimension.length {
                    Length::Known(length) => Some(length),
                    _ => None,
                });
                let all = lengths.reduce(|a, b| a?.checked_mul(b?)).unwrap_or(Some(1));
                let is_pointer = self.tree.types.pointee(leaf.ty).is_some();
                if leaf.raw || (is_pointer && all.is_none_or(|all| all > MOST_POINTERS)) {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// What the pointers in a variable with static lifetime point to is reached.
    fn reach_from_variable(&mut self, walk: &Walk, var: VarId) -> Result<()> {
        let ty = self.tree.variables[var].ty;
        match self.home(var)? {
            Home::Plain(variables) => {
                let leaves = self.leaves(ty)?;
                for (leaf, variables) in leaves.iter().zip(variables.iter()) {
                    let &[base, _] = &variables[..] else { continue };
                    let mut indices: Vec<Vec<u64>> = vec![Vec::new()];
                    for dimension in &leaf.dimensions {
                        let Length::Known(length) = dimension.length else { continue };
                        let longer = |index: &Vec<u64>| {
                            let index = index.clone();
                            (0..length).map(move |next| [&index[..], &[next]].concat()).collect::<Vec<_>>()
                        };
                        indices = indices.iter().flat_map(longer).collect();
                    }
                    for index in indices {
                        let mut element = self.var(base);
                        for place in index {
                            let place = self.int(place);
                            element = self.select(element, place);
                        }
                        self.reach(walk, element);
                    }
                }
                Ok(())
            }
            Home::Fixed(base) => {
                let (base, size) = (self.int(base), self.size_of(ty)?);
                let class = self.analyses.classes.variable(var);
                let class = self.analyses.classes.find(class);
                self.reach_from_object(walk, (base, size), Some(class))
            }
            Home::Fresh(_) => Ok(()),
        }
    }

    /// What the pointers in an object point to is reached. An object whose class is known has no cells elsewhere.
    fn reach_from_object(&mut self, walk: &Walk, object: (Expr, Expr), class: Option<Class>) -> Result<()> {
        for pointers in &walk.pointers {
            let here = class.is_none_or(|class| class == self.analyses.classes.find(pointers.class));
            let many = matches!(pointers.region.shape, Shape::ByBase | Shape::Full);
            // What only one variable has is in no block.
            if here && (class.is_some() || many) {
                self.reach_from_cells(walk, object, &pointers.region)?;
            }
        }
        Ok(())
    }

    fn reach_from_cells(&mut self, walk: &Walk, (base, size): (Expr, Expr), region: &Region) -> Result<()> {
        let (bases, zero) = (region.variables[0], self.int(0));
        if matches!(region.shape, Shape::Single | Shape::ByBase) {
            let pointed = self.fetch(bases, region.shape, base, zero);
            self.reach(walk, pointed);
            return Ok(());
        }
        let offset = self.temporary(ir::Type::INT);
        self.assign(offset, zero);
        let (head, cell, done) =
            (self.new_block("places"), self.new_block("place"), self.new_block("places_done"));
        self.continue_in(head);
        let width = self.int(IntKind::UnsignedLong.size(self.tree.types.model));
        let here = self.var(offset);
        let end = self.add(here, width);
        let fits = self.compare(BinaryOp::LessEqual, end, size);
        self.branch(fits, cell, done);
        self.start(cell);
        let here = self.var(offset);
        let pointed = self.fetch(bases, region.shape, base, here);
        self.reach(walk, pointed);
        let here = self.var(offset);
        let next = self.add(here, width);
        self.assign(offset, next);
        self.jump(head);
        self.start(done);
        Ok(())
    }

    /// The block that a pointer points into, if it does, is put into the list, unless it is there.
    fn reach(&mut self, walk: &Walk, pointed: Expr) {
        let Some(state) = self.storage.objects.state else { return };
        let base = self.temporary(ir::Type::INT);
        self.assign(base, pointed);
        let base = self.var(base);
        let (states, reached) = (self.var(state), self.var(walk.reached));
        let (state, old) = (self.select(states, base), self.select(reached, base));
        let (zero, one) = (self.int(0), self.int(1));
        let (is_block, is_new) = (self.is_allocated(state), self.equal(old, zero));
        let counts = self.and(is_block, is_new);
        let (add, next) = (self.new_block("reached"), self.new_block("next"));
        self.branch(counts, add, next);
        self.start(add);
        let (list, count) = (self.var(walk.list), self.var(walk.count));
        let (longer, marked) = (self.store(list, &[count], base), self.store(reached, &[base], one));
        let more = self.add(count, one);
        self.assign_all(vec![(walk.list, longer), (walk.reached, marked), (walk.count, more)]);
        self.jump(next);
        self.start(next);
    }

    /// Goes through the list, which becomes longer on the way.
    fn go_through(&mut self, walk: &Walk) -> Result<()> {
        let position = self.temporary(ir::Type::INT);
        let (zero, one) = (self.int(0), self.int(1));
        self.assign(position, zero);
        let (head, block, done) =
            (self.new_block("blocks"), self.new_block("block"), self.new_block("blocks_done"));
        self.continue_in(head);
        let (here, count) = (self.var(position), self.var(walk.count));
        let goes_on = self.compare(BinaryOp::Less, here, count);
        self.branch(goes_on, block, done);
        self.start(block);
        let (base, size) = (self.temporary(ir::Type::INT), self.temporary(ir::Type::INT));
        let list = self.var(walk.list);
        let found = self.select(list, here);
        self.assign(base, found);
        let next = self.add(here, one);
        self.assign(position, next);
        let base = self.var(base);
        let bytes = self.object_size(base)?;
        self.assign(size, bytes);
        let object = (base, self.var(size));
        self.reach_from_object(walk, object, None)?;
        self.jump(head);
        self.start(done);
        Ok(())
    }
}
