//! Objects at run time: their addresses, sizes and states, each a map from bases, kept only where somebody asks.
//!
//! Addresses (where pointers become integers or bytes): an object has an arbitrary address that is not zero, is aligned as
//! its type demands, and leaves room for the object and one byte more. Whenever an address becomes visible, it is noted whose it
//! is (`#owner`); no two live objects have the same byte, but the end of one may be the start of another. An integer
//! that is one of the visible addresses becomes a pointer into that object; so does one that lies in the object whose
//! address has become visible last, or in one of a few variables; any other becomes a pointer with base 0 that keeps
//! its number. Following such a pointer is where the model ends: an error on a marked statement, so the verdict is unknown.
//!
//! States: 0 for what does not live, [`LIVE`] for variables, [`HEAP`] for blocks that were allocated, [`READ_ONLY`] for
//! string literals and constants, which must not be written. Where a program allocates blocks of several kinds, which are those of different
//! classes of memory, each kind has a state of its own from [`FIRST_KIND`] on, so that proofs can tell a node of a list from the text that it owns.
//! Nothing depends on which of them a block has: whoever asks, asks for any.

use super::bytes::Shadow;
use super::classes::Class;
use super::contexts::Home;
use super::library::may_allocate;
use super::live::Live;
use super::numbers::Interval;
use super::observe::Counts;
use super::values::Value;
use super::{Result, Translator};
use crate::options::{Check, DataModel};
use crate::tree::{Callee, ExprId, ExprKind, FuncId, Init, Lifetime, Step, Tree, VarId};
use crate::types::{IntKind, Length, Type, TypeId};
use ir::{AttributeArgument, BinaryOp, Expr, Variable};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The state of a variable that lives.
pub(super) const LIVE: i128 = 1;
/// The state of an allocated block.
pub(super) const HEAP: i128 = 2;
/// Where blocks of several kinds are allocated, their states begin here.
pub(super) const FIRST_KIND: i128 = 8;
/// The states of streams that are open, and that were closed.
pub(super) const STREAM: i128 = 4;
pub(super) const CLOSED: i128 = 5;
/// The state of string literals and of constants with static lifetime.
const READ_ONLY: i128 = 3;

/// Of more variables with visible addresses than this, none is looked at when an integer becomes a pointer.
const MOST_VISIBLE: usize = 4;

/// Nothing lies at addresses below this one.
const PAGE: i128 = 4096;

/// So many of the fixed objects, and of those that are made at run time, get an address by a hint.
const HINTED: u64 = 128;

/// The maps that describe objects.
#[derive(Clone, Copy, Default)]
pub(super) struct Objects {
    /// The address of a base.
    pub(super) address: Option<Variable>,
    /// The base that a visible address belongs to.
    owner: Option<Variable>,
    /// The base whose address has become visible last.
    last: Option<Variable>,
    /// The size of a base in bytes.
    pub(super) size: Option<Variable>,
    /// Whether a base lives, and how.
    pub(super) state: Option<Variable>,
    /// How many allocated blocks live.
    pub(super) blocks: Option<Variable>,
}

impl Translator<'_> {
    /// Whether accesses to memory are checked.
    pub(super) fn checks_memory(&self) -> bool {
        self.options.checks_memory()
    }

    /// Makes the maps that this program needs.
    pub(super) fn declare_objects(&mut self) {
        self.place_texts();
        let tree = self.tree;
        let live = std::rc::Rc::clone(&self.analyses.live);
        let addresses = self.analyses.needs_addresses;
        let calls = |wanted: fn(&str) -> bool| {
            live.exprs(tree).any(|expr| match tree.exprs[expr].kind {
                ExprKind::Call(Callee::Direct(function), _) => {
                    wanted(self.symbols.text(tree.functions[function].name))
                }
                _ => false,
            })
        };
        let resizes = calls(|name| {
            name.ends_with("realloc") || name.ends_with("contract_from") || name.ends_with("_havoc_from")
        });
        let asks = calls(|name| {
            name.ends_with("contract_valid")
                || name.ends_with("contract_size")
                || name.ends_with("OBJECT_SIZE")
                || name.ends_with("_ok")
        });
        let map = self.program.types.map([ir::Type::INT], ir::Type::INT);
        let checks = self.checks_memory();
        let moves = self.options.asks(Check::PointerOverflow);
        let mut make = |wanted: bool, name: &str, ty: ir::Type| wanted.then(|| self.new_global(name, ty));
        self.storage.objects = Objects {
            address: make(addresses, "#address", map),
            owner: make(addresses, "#owner", map),
            last: make(addresses, "#last", ir::Type::INT),
            size: make(addresses || resizes || asks || checks || moves, "#size", map),
            state: make(addresses || asks || checks, "#state", map),
            blocks: make(checks, "#blocks", ir::Type::INT),
        };
        self.spread_addresses();
        if checks {
            self.find_kinds();
        }
    }

    /// Says where objects lie that do not get in each other's way. It is a hint: where they really lie is open.
    fn spread_addresses(&mut self) {
        let Some(address) = self.storage.objects.address else { return };
        let first = self.first_new_base();
        let space: u64 = match self.tree.types.model {
            DataModel::Ilp32 => 1 << 31,
            DataModel::Lp64 => 1 << 46,
        };
        // A power of two, so that all objects are aligned.
        let distance = 1u64 << (space / (first + HINTED)).max(1).ilog2();
        let fixed = format!("1..{}", first.min(HINTED));
        let arguments = [distance.to_string(), fixed, format!("{first}..{}", first + HINTED)];
        let hint = ir::Mark::Apart.attribute(arguments.map(AttributeArgument::Text).to_vec());
        self.program.variables[address].attributes.push(hint);
    }

    /// States what holds of all objects with fixed bases when the program starts.
    pub(super) fn initialise_objects(&mut self) -> Result<()> {
        let tree = self.tree;
        let Objects { address, owner, last, size, state, blocks } = self.storage.objects;
        let mut fixed: Vec<(u64, Option<TypeId>, bool)> = Vec::new();
        let mut constants: BTreeSet<u64> = self.storage.text_bases.values().copied().collect();
        let mut aligned: BTreeMap<u64, u64> = BTreeMap::new();
        let mut grown: BTreeMap<u64, u64> = BTreeMap::new();
        for (var, data) in tree.variables.iter() {
            if let Some(Home::Fixed(base)) = self.storage.homes[var] {
                let lives = data.lifetime == Lifetime::Static || !self.follows_life(var);
                fixed.push((base, Some(data.ty), lives));
                grown.extend(flexible_size(tree, var).map(|size| (base, size)));
                aligned.insert(base, self.alignment_of(var));
                if data.constant && data.lifetime == Lifetime::Static {
                    constants.insert(base);
                }
                if self.checks_memory() && data.external && tree.types.size(data.ty).is_none() {
                    self.mark("how large an array is that another file defines");
                }
            }
        }
        let live = std::rc::Rc::clone(&self.analyses.live);
        let mut seen = std::collections::BTreeSet::new();
        for expr in live.exprs(tree) {
            if let ExprKind::Text(text) = tree.exprs[expr].kind
                && let Some(&base) = self.storage.text_bases.get(&text)
                && seen.insert(base)
            {
                fixed.push((base, Some(tree.exprs[expr].ty), true));
            }
        }
        fixed.extend(self.storage.function_bases.values().map(|&base| (base, None, false)));
        fixed.sort_by_key(|&(base, ..)| base);
        if let Some(owner) = owner {
            let ty = self.program.variables[owner].ty;
            let nobody = self.zero_map(ty)?;
            self.assign(owner, nobody);
        }
        if let Some(last) = last {
            let zero = self.int(0);
            self.assign(last, zero);
        }
        if let Some(blocks) = blocks {
            let zero = self.int(0);
            self.assign(blocks, zero);
        }
        if let Some(state) = state {
            let ty = self.program.variables[state].ty;
            let mut states = self.zero_map(ty)?;
            for &(base, _, lives) in &fixed {
                if lives {
                    let alive = if constants.contains(&base) { READ_ONLY } else { LIVE };
                    let (base, alive) = (self.int(base), self.int(alive));
                    states = self.store(states, &[base], alive);
                }
            }
            self.assign(state, states);
        }
        if let Some(size) = size {
            let mut sizes = self.var(size);
            for &(base, ty, _) in &fixed {
                let grown = grown.get(&base).copied();
                if let Some(bytes) = grown.or(ty.map_or(Some(0), |ty| tree.types.size(ty))) {
                    let (base, bytes) = (self.int(base), self.int(bytes));
                    sizes = self.store(sizes, &[base], bytes);
                }
            }
            self.assign(size, sizes);
        }
        for (base, ty, _) in fixed {
            let natural = ty.and_then(|ty| tree.types.layout(ty)).map_or(1, |(_, align)| align);
            let align = aligned.get(&base).copied().unwrap_or(natural);
            if address.is_some() {
                let base = self.int(base);
                self.assume_aligned(base, align);
            }
        }
        Ok(())
    }

    /// The number that the address of a variable is a multiple of.
    fn alignment_of(&self, var: VarId) -> u64 {
        let data = &self.tree.variables[var];
        let natural = self.tree.types.layout(data.ty).map_or(1, |(_, align)| align);
        // The System V ABI for x86-64 (3.1.2) gives arrays of 16 bytes and more an alignment of 16.
        let large = matches!(self.tree.types[data.ty], Type::Array(..))
            && self.tree.types.model == DataModel::Lp64
            && self.tree.types.size(data.ty).is_some_and(|size| size >= 16);
        let usual = data.alignment.named.unwrap_or(natural).max(if large { 16 } else { 1 });
        usual.max(data.alignment.asked.unwrap_or(1))
    }

    /// States that the address of a variable is aligned.
    pub(super) fn assume_variable_aligned(&mut self, var: VarId, base: Expr) {
        let align = self.alignment_of(var);
        self.assume_aligned(base, align);
    }

    /// States that the address of an object is a multiple of a number.
    fn assume_aligned(&mut self, base: Expr, align: u64) {
        let Some(address) = self.storage.objects.address else { return };
        let map = self.var(address);
        let start = self.select(map, base);
        let (zero, divisor) = (self.int(0), self.int(align));
        let rest = self.modulo(start, divisor);
        let aligned = self.equal(rest, zero);
        if align > 1 {
            self.assume(aligned);
        }
    }

    /// An object begins to live.
    pub(super) fn begin_object(&mut self, base: Expr, bytes: Option<Expr>, state: i128) {
        if let (Some(size), Some(bytes)) = (self.storage.objects.size, bytes) {
            let map = self.var(size);
            let sizes = self.store(map, &[base], bytes);
            self.assign(size, sizes);
        }
        self.set_state(base, state);
        if state == HEAP || state >= FIRST_KIND {
            self.set_fresh(base, true);
            let align = if self.tree.types.model == DataModel::Lp64 { 16 } else { 8 };
            self.assume_aligned(base, align);
            self.count_blocks(1);
        }
    }

    /// Finds the kinds of blocks that the program allocates: the classes of memory of its allocations. What a function that only allocates makes is of no
    /// kind until its caller says of which.
    fn find_kinds(&mut self) {
        let tree = self.tree;
        let live = std::rc::Rc::clone(&self.analyses.live);
        let mut inside = BTreeSet::new();
        for function in
            live.functions(tree).into_iter().filter(|&function| self.analyses.classes.is_allocator(function))
        {
            inside.extend(Live::inside(tree, function).exprs(tree));
        }
        let mut kinds: BTreeMap<Class, i128> = BTreeMap::new();
        for expr in live.exprs(tree).filter(|expr| !inside.contains(expr)) {
            let ExprKind::Call(Callee::Direct(function), _) = tree.exprs[expr].kind else { continue };
            let data = &tree.functions[function];
            let allocates = match data.body {
                Some(_) => self.analyses.classes.is_allocator(function),
                None => may_allocate(self.symbols.text(data.name)),
            };
            if allocates && let Some(class) = self.analyses.classes.class_of(expr) {
                let next = FIRST_KIND + 1 + kinds.len() as i128;
                kinds.entry(class).or_insert(next);
            }
        }
        if kinds.len() > 1 {
            self.storage.kinds = kinds;
        }
    }

    /// The state of a block that a call makes.
    pub(super) fn state_of_block(&self, call: ExprId) -> i128 {
        if self.storage.kinds.is_empty() {
            return HEAP;
        }
        let class = self.analyses.classes.class_of(call);
        class.and_then(|class| self.storage.kinds.get(&class)).copied().unwrap_or(FIRST_KIND)
    }

    /// A new block that comes from a function that only allocates is of the kind that its caller takes it for.
    pub(super) fn set_kind(&mut self, call: ExprId, function: FuncId, value: &Value) {
        let classes = &self.analyses.classes;
        let inside = self.frames.current.is_some_and(|function| classes.is_allocator(function));
        let state = self.state_of_block(call);
        let &Value::Pointer(block, _) = value else { return };
        if inside || !classes.is_allocator(function) || state <= FIRST_KIND || !self.checks_memory() {
            return;
        }
        let zero = self.int(0);
        let some = self.compare(BinaryOp::NotEqual, block, zero);
        let (kind, behind) = (self.new_block("kind"), self.new_block("of_kind"));
        self.branch(some, kind, behind);
        self.start(kind);
        self.set_state(block, state);
        self.continue_in(behind);
    }

    /// Whether a state is that of an allocated block.
    pub(super) fn is_allocated(&mut self, state: Expr) -> Expr {
        if self.storage.kinds.is_empty() {
            let heap = self.int(HEAP);
            return self.equal(state, heap);
        }
        let first = self.int(FIRST_KIND);
        self.compare(BinaryOp::LessEqual, first, state)
    }

    /// Changes the state of an object.
    pub(super) fn set_state(&mut self, base: Expr, state: i128) {
        if let Some(variable) = self.storage.objects.state {
            let (map, state) = (self.var(variable), self.int(state));
            let states = self.store(map, &[base], state);
            self.assign(variable, states);
        }
    }

    /// Changes the number of allocated blocks.
    pub(super) fn count_blocks(&mut self, by: i128) {
        if let Some(blocks) = self.storage.objects.blocks {
            let (count, by) = (self.var(blocks), self.int(by));
            let count = self.add(count, by);
            self.assign(blocks, count);
        }
    }

    /// The size of an object in bytes.
    pub(super) fn object_size(&mut self, base: Expr) -> Result<Expr> {
        let Some(size) = self.storage.objects.size else {
            return Err(self.unsupported("the size of an object at run time"));
        };
        let map = self.var(size);
        Ok(self.select(map, base))
    }

    /// The largest address.
    fn last_address(&self) -> i128 {
        (1i128 << IntKind::UnsignedLong.width(self.tree.types.model)) - 1
    }

    /// The number that a pointer is.
    fn address_of(&mut self, base: Expr, offset: Expr) -> Result<Expr> {
        let Some(address) = self.storage.objects.address else {
            return Err(self.unsupported("the address of an object"));
        };
        if self.literal(base) == Some(0) {
            return Ok(offset);
        }
        let map = self.var(address);
        let start = self.select(map, base);
        let sum = self.add(start, offset);
        if self.literal(base).is_some() {
            return Ok(sum);
        }
        let zero = self.int(0);
        let none = self.equal(base, zero);
        Ok(self.ite(none, offset, sum))
    }

    /// Whether an offset is that of a byte of an object that lives.
    fn is_inside(&mut self, base: Expr, offset: Expr) -> Result<Expr> {
        let size = self.object_size(base)?;
        let zero = self.int(0);
        let above = self.compare(BinaryOp::LessEqual, zero, offset);
        let below = self.compare(BinaryOp::Less, offset, size);
        let inside = self.and(above, below);
        let Some(state) = self.storage.objects.state else { return Ok(inside) };
        let map = self.var(state);
        let state = self.select(map, base);
        let lives = self.compare(BinaryOp::NotEqual, state, zero);
        Ok(self.and(lives, inside))
    }

    /// The number that a pointer is, which becomes visible here.
    pub(super) fn exposed_address(&mut self, base: Expr, offset: Expr) -> Result<Expr> {
        let whole = self.address_of(base, offset)?;
        if self.literal(base) == Some(0) {
            return Ok(whole);
        }
        let (base, whole) = (self.share(base), self.freeze(whole));
        let (Some(address), Some(owner)) = (self.storage.objects.address, self.storage.objects.owner) else {
            return Err(self.unsupported("the address of an object"));
        };
        let (zero, one) = (self.int(0), self.int(1));
        let none = self.equal(base, zero);
        // The object lies somewhere behind null, with its end.
        let addresses = self.var(address);
        let start = self.select(addresses, base);
        let above = self.compare(BinaryOp::LessEqual, one, start);
        let size = self.object_size(base)?;
        let end = self.add(start, size);
        let last = self.int(self.last_address());
        let below = self.compare(BinaryOp::LessEqual, end, last);
        let room = self.and(above, below);
        let room = self.or(none, room);
        self.assume(room);
        let range = self.between(whole, 0, self.last_address());
        self.assume(range);
        // A byte belongs to one live object.
        let owners = self.var(owner);
        let old = self.select(owners, whole);
        let old = self.freeze(old);
        let here = self.is_inside(base, offset)?;
        let here = self.freeze(here);
        let old_start = self.select(addresses, old);
        let old_offset = self.subtract(whole, old_start);
        let there = self.is_inside(old, old_offset)?;
        let (unowned, same) = (self.equal(old, zero), self.equal(old, base));
        let both = self.and(here, there);
        let apart = self.not(both);
        let free = self.or(unowned, same);
        let free = self.or(none, free);
        let fine = self.or(free, apart);
        // String literals may share their bytes.
        let texts = self.are_texts(base, old);
        let texts = self.not(texts);
        let clear = self.or(texts, fine);
        self.give_up_unless(clear, "whether two string literals share memory");
        self.assume(fine);
        let takes = self.or(here, unowned);
        let new = self.ite(takes, base, old);
        let new = self.ite(none, old, new);
        let owners = self.store(owners, &[whole], new);
        self.assign(owner, owners);
        if let Some(last) = self.storage.objects.last {
            let before = self.var(last);
            let latest = self.ite(none, before, base);
            self.assign(last, latest);
        }
        Ok(whole)
    }

    /// The pointer that an integer is. If the integer was computed from a single pointer, it is known which.
    pub(super) fn pointer_of_address(&mut self, number: Expr, origin: Option<Expr>) -> Result<Value> {
        let (Some(address), Some(owner)) = (self.storage.objects.address, self.storage.objects.owner) else {
            return Err(self.unsupported("a pointer made from an integer"));
        };
        if self.literal(number).is_some() {
            return Ok(Value::Pointer(self.int(0), number));
        }
        let number = self.share(number);
        let (owners, addresses, zero) = (self.var(owner), self.var(address), self.int(0));
        let mut base = self.select(owners, number);
        if let Some(origin) = origin {
            let start = self.select(addresses, origin);
            let distance = self.subtract(number, start);
            let size = self.object_size(origin)?;
            let some = self.compare(BinaryOp::NotEqual, origin, zero);
            let above = self.compare(BinaryOp::LessEqual, zero, distance);
            let below = self.compare(BinaryOp::LessEqual, distance, size);
            let inside = self.and(above, below);
            let inside = self.and(some, inside);
            base = self.ite(inside, origin, base);
        }
        let base = self.freeze(base);
        let base = self.object_around(number, base)?;
        let start = self.select(addresses, base);
        let distance = self.subtract(number, start);
        let none = self.equal(base, zero);
        let offset = self.ite(none, number, distance);
        if self.checks_memory() {
            // Whether there is an object at such an address is not known; but none is in the first page.
            let page = self.int(PAGE);
            let odd = self.compare(BinaryOp::LessEqual, page, offset);
            let wild = self.and(none, odd);
            let (far, known) = (self.new_block("far"), self.new_block("known"));
            self.branch(wild, far, known);
            self.start(far);
            self.mark("memory at an address that was computed");
            self.continue_in(known);
        }
        Ok(Value::Pointer(base, self.freeze(offset)))
    }

    /// The object that an address lies in, if that is one of a few whose addresses become visible; `known` where it is
    /// known already.
    fn object_around(&mut self, number: Expr, known: Expr) -> Result<Expr> {
        let Some(address) = self.storage.objects.address else { return Ok(known) };
        let mut candidates: Vec<Expr> = Vec::new();
        for base in self.visible_variables()? {
            candidates.push(self.int(base));
        }
        if let Some(last) = self.storage.objects.last {
            candidates.push(self.var(last));
        }
        let zero = self.int(0);
        let mut found = zero;
        let mut taken = self.truth(false);
        for candidate in candidates {
            let addresses = self.var(address);
            let start = self.select(addresses, candidate);
            let distance = self.subtract(number, start);
            let inside = self.is_inside(candidate, distance)?;
            let some = self.compare(BinaryOp::NotEqual, candidate, zero);
            let inside = self.and(some, inside);
            let inside = self.freeze(inside);
            // Two objects that live do not share a byte.
            let same = self.equal(candidate, found);
            let both = self.and(taken, inside);
            let apart = self.not(both);
            let fine = self.or(same, apart);
            self.assume(fine);
            let next = self.ite(inside, candidate, found);
            found = self.freeze(next);
            let either = self.or(taken, inside);
            taken = self.freeze(either);
        }
        let some = self.compare(BinaryOp::NotEqual, known, zero);
        let base = self.ite(some, known, found);
        Ok(self.freeze(base))
    }

    /// The bases of the variables whose addresses become integers, if they are few.
    fn visible_variables(&mut self) -> Result<Vec<u64>> {
        let tree = self.tree;
        let mut found = Vec::new();
        for (var, data) in tree.variables.iter() {
            if !data.address_taken || self.is_renewed(var) || !self.analyses.live.has_variable(var) {
                continue;
            }
            let class = self.analyses.classes.variable(var);
            if !self.analyses.classes.is_exposed(class) {
                continue;
            }
            if let Home::Fixed(base) = self.home(var)? {
                found.push(base);
            }
            if found.len() > MOST_VISIBLE {
                return Ok(Vec::new());
            }
        }
        Ok(found)
    }

    /// The pointer whose address was read from bytes, where another one was written last.
    pub(super) fn pointer_with_shadow(
        &mut self,
        number: Expr,
        Shadow { base, offset }: Shadow,
        ty: TypeId,
    ) -> Result<Value> {
        let expected = self.address_of(base, offset)?;
        let same = self.equal(expected, number);
        let same = self.freeze(same);
        let shadow = Value::Pointer(base, offset);
        self.choose(same, ty, |_| Ok(shadow), |this| this.pointer_of_address(number, None))
    }

    /// The pointer that an integer expression becomes.
    pub(super) fn pointer_from_integer(&mut self, inner: ExprId, value: Value) -> Result<Value> {
        let tree = self.tree;
        let Value::Int(number, interval) = value else {
            return Err(self.unsupported("a pointer made from something that is no integer"));
        };
        if interval.constant().is_some() {
            return Ok(Value::Pointer(self.int(0), number));
        }
        if let ExprKind::Call(Callee::Direct(function), _) = tree.exprs[inner].kind
            && tree.functions[function].body.is_none()
            && self.checks_memory()
        {
            // Whoever defines the function means it to return the address of something.
            self.mark("memory at an address that an unknown function returned");
        }
        let word = tree.types.size_kind();
        let number = match self.fit(number, interval, word)? {
            Value::Int(number, _) => self.freeze(number),
            _ => return Err(self.unsupported("a pointer made from something that is no integer")),
        };
        let origins = super::classes::addresses_in(tree, inner);
        let origin = match origins[..] {
            [origin] if self.has_no_effect(origin) => match self.value(origin)? {
                Value::Pointer(base, _) => Some(self.freeze(base)),
                _ => None,
            },
            _ => None,
        };
        self.pointer_of_address(number, origin)
    }

    /// The integer that a pointer becomes.
    pub(super) fn integer_from_pointer(&mut self, base: Expr, offset: Expr, kind: IntKind) -> Result<Value> {
        let number = self.exposed_address(base, offset)?;
        let low = if self.literal(base) == Some(0) { i128::MIN } else { 0 };
        let high = if low == 0 { self.last_address() } else { i128::MAX };
        self.fit(number, Interval { low, high }, kind)
    }

    /// Ends the execution with an error that is none of the program: the model has no answer here.
    pub(super) fn give_up(&mut self, why: &str) {
        self.mark(why);
        let never = self.truth(false);
        self.assert_always(never, &format!("unknown: {why}"));
        self.stop();
    }

    /// The model has no answer where a condition does not hold.
    pub(super) fn give_up_unless(&mut self, condition: Expr, why: &str) {
        if matches!(self.program.expressions[condition], ir::ExprData::Bool(true)) {
            return;
        }
        let (good, bad) = (self.new_block("known"), self.new_block("unknown"));
        self.branch(condition, good, bad);
        self.start(bad);
        self.give_up(why);
        self.start(good);
    }

    /// Checks an access to so many bytes, if memory is checked.
    pub(super) fn check_access(&mut self, base: Expr, offset: Expr, bytes: Expr, what: &str) -> Result<()> {
        if !self.checks_memory() || self.is_quiet() {
            return Ok(());
        }
        let zero = self.int(0);
        let size = self.object_size(base)?;
        let (base, offset) = (self.share(base), self.share(offset));
        let above = self.compare(BinaryOp::LessEqual, zero, offset);
        let end = self.add(offset, bytes);
        let below = self.compare(BinaryOp::LessEqual, end, size);
        let inside = self.and(above, below);
        let lives = self.is_live(base);
        let valid = self.and(lives, inside);
        self.check(valid, Check::Deref, what);
        Ok(())
    }

    /// Checks that memory may be written, if memory is checked.
    pub(super) fn check_writable(&mut self, base: Expr, class: Class) {
        if !self.checks_memory() || Some(self.body().procedure) == self.storage.start {
            return;
        }
        let Some(state) = self.storage.objects.state else { return };
        let class = self.analyses.classes.find(class);
        if !self.constant_classes().contains(&class) {
            return;
        }
        let (map, constant) = (self.var(state), self.int(READ_ONLY));
        let state = self.select(map, base);
        let fine = self.compare(BinaryOp::NotEqual, state, constant);
        self.check(fine, Check::Deref, "a string literal or a constant is written");
    }

    /// The classes with string literals and constants.
    fn constant_classes(&mut self) -> Rc<BTreeSet<Class>> {
        if let Some(known) = &self.storage.constant_classes {
            return Rc::clone(known);
        }
        let tree = self.tree;
        let live = Rc::clone(&self.analyses.live);
        let mut classes = Vec::new();
        for expr in live.exprs(tree) {
            if let ExprKind::Text(_) = tree.exprs[expr].kind {
                classes.push(self.analyses.classes.class(expr));
            }
        }
        for (var, data) in tree.variables.iter() {
            if data.constant && data.lifetime == Lifetime::Static {
                classes.push(self.analyses.classes.variable(var));
            }
        }
        let found = classes.into_iter().map(|class| self.analyses.classes.find(class)).collect();
        let found = Rc::new(found);
        self.storage.constant_classes = Some(Rc::clone(&found));
        found
    }

    /// Whether a base lives.
    pub(super) fn is_live(&mut self, base: Expr) -> Expr {
        let zero = self.int(0);
        match self.storage.objects.state {
            Some(state) => {
                let map = self.var(state);
                let state = self.select(map, base);
                self.compare(BinaryOp::NotEqual, state, zero)
            }
            None => self.compare(BinaryOp::NotEqual, base, zero),
        }
    }

    /// A condition that is asserted if somebody asks for it, and assumed in any case.
    pub(super) fn check(&mut self, condition: Expr, check: Check, what: &str) {
        if matches!(self.program.expressions[condition], ir::ExprData::Bool(true)) {
            return;
        }
        if self.observing.is_some() {
            return self.defined_if(condition);
        }
        if self.options.asks(check) {
            let at_end = matches!(check, Check::Cleanup | Check::Track);
            let counts = if at_end { Counts::BehindTarget } else { Counts::AtTarget };
            self.assert_where(condition, &format!("{}: {what}", check.name()), counts);
        } else {
            self.report.back.assumed.insert(check);
            self.assume(condition);
        }
    }

    /// The size in bytes of what a place of a type covers.
    pub(super) fn covered_bytes(&mut self, ty: TypeId) -> Result<Expr> {
        match self.tree.types[ty] {
            Type::Function(_) | Type::Void => Ok(self.int(1)),
            _ => self.size_of(ty),
        }
    }
}

/// The size of a struct whose initialiser gives its last member, an array of open length, elements.
pub(super) fn flexible_size(tree: &Tree, var: VarId) -> Option<u64> {
    let data = &tree.variables[var];
    let Type::Record(record) = tree.types[data.ty] else { return None };
    let layout = tree.types.records[record].layout.as_ref()?;
    let (last, field) = layout.fields.iter().enumerate().next_back()?;
    let Type::Array(element, Length::Unknown) = tree.types[field.ty] else { return None };
    let Some(Init::Parts(parts)) = &data.init else { return None };
    let elements = parts.iter().filter_map(|(path, _)| match path[..] {
        [Step::Field(number), Step::Index(index), ..] if number as usize == last => Some(index + 1),
        _ => None,
    });
    let bytes = elements.max()? * tree.types.size(element)?;
    Some((field.bit_offset / 8 + bytes).max(layout.size))
}
