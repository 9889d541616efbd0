//! Which pieces of memory may be the same: alias classes by unification (Steensgaard's analysis).
//!
//! Every object belongs to one class; two objects share a class if some pointer of the program may point to both.
//! The analysis is flow-insensitive and linear (up to the inverse Ackermann function) in the program. Inside a class,
//! members of structs are told apart by their [`Key`], as long as nobody looks at them in another way.
//!
//! Guarantee: two accesses to one byte of memory have the same class, and the same key unless the class is
//! *collapsed*. A class is *reinterpreted* if its memory may be looked at through two types that do not fit
//! together: through casts, through unions, through a pointer that is stored as one type and loaded as another, or by
//! moving in steps of a part. If then accesses of different kinds may meet, the memory is kept by kinds with tags
//! ([`Classes::tag_unit`]) or as bytes ([`Classes::is_bytes`]). What pointers in such memory point to, and what pointers that become integers or are made of
//! them point to, is one class: bytes and integers may carry an address anywhere.

mod calls;
mod expressions;
mod settling;
mod shapes;

pub use shapes::{addresses_in, has_union, is_bit_field, pointed_type};

use super::allocators::Allocators;
use super::live::Live;
use crate::symbols::Symbols;
use crate::tree::{ExprId, FuncId, Lifetime, StmtKind, Tree, VarId};
use crate::types::{FloatKind, IntKind, RecordId, Type, TypeId, Types};
use base::{PrimaryMap, SecondaryMap};
use shapes::{cell_size, container};
use std::collections::{BTreeMap, BTreeSet};

base::id!(
    /// A class of memory, or one that was joined with another.
    Class, "class");

/// Which part of its object an access touches, as far as types tell.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Key {
    /// Not a member of a struct, or not known.
    Any,
    /// A member of a struct, by its number.
    Member(RecordId, u32),
}

/// What an access takes for the contents of memory. Accesses of one kind to one place see each other exactly;
/// accesses of different kinds to one place are refused.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Cell {
    /// An integer of as many bytes.
    Int(u64),
    /// A floating number.
    Float(FloatKind),
    /// A pointer.
    Pointer,
    /// A bit-field.
    Bits,
    /// As many bytes of numbers of any type. No access is of this kind by itself.
    Raw(u64),
    /// As what a unit of memory was written last. No access is of this kind by itself.
    Tag,
}

/// The kind of cell that holds a scalar type.
pub fn cell_of(types: &Types, ty: TypeId) -> Option<Cell> {
    match types[ty] {
        Type::Int(_) | Type::Enum(_) => types.size(ty).map(Cell::Int),
        Type::Float(kind) => Some(Cell::Float(kind)),
        Type::Pointer(_) => Some(Cell::Pointer),
        _ => None,
    }
}

#[derive(Default)]
struct Info {
    /// What pointers stored under a key point to.
    targets: BTreeMap<Key, Class>,
    /// How scalars are accessed.
    cells: BTreeSet<(Key, Cell)>,
    /// The types of pointers that were converted from or to another type.
    views: BTreeSet<TypeId>,
    /// The types of pointers that were converted to another type.
    sources: BTreeSet<TypeId>,
    /// The integer types under which memory is accessed.
    kinds: BTreeSet<IntKind>,
    /// The types in whose sizes pointers into the class are moved.
    steps: BTreeSet<TypeId>,
    /// The types that pointers stored under a key have.
    pointees: BTreeMap<Key, BTreeSet<TypeId>>,
    /// Structs with the types of members from whose addresses those of the structs are computed.
    contained: BTreeSet<(TypeId, TypeId)>,
    /// The structs whose members are accessed.
    records: BTreeSet<RecordId>,
    collapsed: bool,
    reinterpreted: bool,
    /// Whether somebody looks at one place in two ways on purpose: as members of a union, or through a pointer to a number or to a
    /// pointer that was one to something else.
    punned: bool,
    /// Whether parts of cells are copied or set, so that only bytes will do.
    bytes: bool,
    /// Whether an object of the class is made with zeros in it.
    zeroed: bool,
    /// Whether pointers into the class are compared with each other.
    compared: bool,
    /// Whether addresses are computed: pointers into the class are moved, or arrays in it are indexed.
    indexed: bool,
}

/// The result of the analysis.
pub struct Classes {
    parent: SecondaryMap<Class, u32>,
    infos: PrimaryMap<Class, Info>,
    variables: SecondaryMap<VarId, Option<Class>>,
    functions: SecondaryMap<FuncId, Option<Class>>,
    results: SecondaryMap<FuncId, Option<Class>>,
    exprs: SecondaryMap<ExprId, Option<Class>>,
    /// Pairs that wait to be joined.
    waiting: Vec<(Class, Class)>,
    /// What the results of threads point to.
    thread_result: Option<Class>,
    /// What pointers point to that become integers.
    exposed: Vec<Class>,
    /// What pointers point to that are made of integers.
    made: Vec<Class>,
    /// Conversions that compute the address of a struct from that of its member.
    containers: BTreeSet<ExprId>,
    /// Functions that only allocate.
    allocators: Allocators,
    /// What calls of functions are given of which nothing is known, and whether they return pointers.
    given: BTreeMap<ExprId, Given>,
    /// What such functions may let pointers point to, with what they were given.
    outside: Option<Class>,
    /// Whether memory in which kinds meet may have tags.
    tags: bool,
}

/// What a call of an unknown function is given.
struct Given {
    /// What its arguments point to.
    classes: Vec<Class>,
    /// What its result points to.
    result: Option<Class>,
}

/// Analyses the reached part of a program. With tags, memory in which accesses of different kinds meet need not be kept as bytes.
pub(super) fn analyse(tree: &Tree, symbols: &Symbols, live: &Live, tags: bool) -> Classes {
    let mut classes = Classes {
        parent: SecondaryMap::new(),
        infos: PrimaryMap::new(),
        variables: SecondaryMap::new(),
        functions: SecondaryMap::new(),
        results: SecondaryMap::new(),
        exprs: SecondaryMap::new(),
        waiting: Vec::new(),
        thread_result: None,
        exposed: Vec::new(),
        made: Vec::new(),
        containers: BTreeSet::new(),
        allocators: super::allocators::allocators(tree, symbols, live),
        given: BTreeMap::new(),
        outside: None,
        tags,
    };
    for expr in live.exprs(tree) {
        if let Some((parts, _)) = container(tree, expr) {
            classes.containers.extend(parts);
        }
    }
    // Children precede their parents in the arena, so one pass in order sees operands first.
    for expr in live.exprs(tree) {
        let class = classes.expression(tree, symbols, live, expr);
        classes.exprs[expr] = class;
    }
    for &(function, value) in &tree.returns {
        if live.has_expr(value) && holds_pointers(&tree.types, tree.exprs[value].ty) {
            let result = classes.result(function);
            let value = classes.class(value);
            classes.join(result, value);
        }
    }
    for &var in &tree.statics {
        if live.has_variable(var)
            && let Some(init) = &tree.variables[var].init
        {
            classes.initialiser(tree, var, init);
        }
    }
    for stmt in live.declared() {
        if let StmtKind::Declare(var, Some(init)) = &tree.stmts[stmt].kind {
            classes.initialiser(tree, *var, init);
        }
    }
    classes.settle(&tree.types);
    classes
}

/// Whether values of a type may contain pointers.
pub fn holds_pointers(types: &Types, ty: TypeId) -> bool {
    match types[ty] {
        Type::Pointer(_) | Type::Record(_) => true,
        Type::Array(element, _) => holds_pointers(types, element),
        _ => false,
    }
}

impl Classes {
    fn fresh(&mut self) -> Class {
        let class = self.infos.push(Info::default());
        self.parent[class] = class.as_u32();
        class
    }

    /// The representative of a class.
    pub fn find(&self, class: Class) -> Class {
        let mut class = class;
        while self.parent[class] != class.as_u32() {
            class = Class::from_u32(self.parent[class]);
        }
        class
    }

    fn compress(&mut self, class: Class) -> Class {
        let root = self.find(class);
        let mut at = class;
        while at != root {
            let next = Class::from_u32(self.parent[at]);
            self.parent[at] = root.as_u32();
            at = next;
        }
        root
    }

    fn join(&mut self, a: Class, b: Class) {
        self.waiting.push((a, b));
        while let Some((a, b)) = self.waiting.pop() {
            let (a, b) = (self.compress(a), self.compress(b));
            if a == b {
                continue;
            }
            // The older class stays: results do not depend on the order of joins then.
            let (to, from) = if a < b { (a, b) } else { (b, a) };
            self.parent[from] = to.as_u32();
            let info = std::mem::take(&mut self.infos[from]);
            let into = &mut self.infos[to];
            into.cells.extend(info.cells);
            into.views.extend(info.views);
            into.sources.extend(info.sources);
            into.kinds.extend(info.kinds);
            into.steps.extend(info.steps);
            for (key, pointees) in info.pointees {
                into.pointees.entry(key).or_default().extend(pointees);
            }
            into.contained.extend(info.contained);
            into.records.extend(info.records);
            into.reinterpreted |= info.reinterpreted;
            into.punned |= info.punned;
            into.bytes |= info.bytes;
            into.zeroed |= info.zeroed;
            into.compared |= info.compared;
            into.indexed |= info.indexed;
            let collapsed = into.collapsed || info.collapsed;
            for (key, target) in info.targets {
                match into.targets.get(&key) {
                    Some(&other) => self.waiting.push((other, target)),
                    None => {
                        into.targets.insert(key, target);
                    }
                }
            }
            if collapsed {
                self.collapse(to);
            } else {
                self.check_keys(to);
            }
        }
    }

    /// One key for all members from now on.
    fn collapse(&mut self, class: Class) {
        let info = &mut self.infos[class];
        info.collapsed = true;
        let targets: Vec<Class> = std::mem::take(&mut info.targets).into_values().collect();
        info.cells = info.cells.iter().map(|&(_, cell)| (Key::Any, cell)).collect();
        let pointees = std::mem::take(&mut info.pointees).into_values().flatten().collect();
        info.pointees.insert(Key::Any, pointees);
        if let Some((&first, rest)) = targets.split_first() {
            info.targets.insert(Key::Any, first);
            self.waiting.extend(rest.iter().map(|&other| (first, other)));
        }
    }

    /// Collapses a class that is accessed both by members and otherwise.
    fn check_keys(&mut self, class: Class) {
        let info = &self.infos[class];
        let any = info.cells.iter().any(|&(key, _)| key == Key::Any);
        let member = info.cells.iter().any(|&(key, _)| key != Key::Any);
        if !info.collapsed && any && member {
            self.collapse(class);
        }
    }

    fn drain(&mut self) {
        if let Some((a, b)) = self.waiting.pop() {
            self.join(a, b);
        }
    }

    /// What pointers stored in the class under a key point to.
    fn target(&mut self, class: Class, key: Key) -> Class {
        self.touch(class, key, Cell::Pointer);
        let class = self.compress(class);
        let key = if self.infos[class].collapsed { Key::Any } else { key };
        if let Some(&target) = self.infos[class].targets.get(&key) {
            return target;
        }
        let target = self.fresh();
        self.infos[class].targets.insert(key, target);
        target
    }

    fn touch(&mut self, class: Class, key: Key, cell: Cell) {
        let class = self.compress(class);
        if let Key::Member(record, _) = key {
            self.infos[class].records.insert(record);
        }
        let key = self.key(class, key);
        if self.infos[class].cells.insert((key, cell)) {
            self.check_keys(class);
            self.drain();
        }
    }

    /// The class of the object that is a variable.
    pub fn variable(&mut self, var: VarId) -> Class {
        if let Some(class) = self.variables[var] {
            return class;
        }
        let class = self.fresh();
        self.variables[var] = Some(class);
        class
    }

    fn function(&mut self, function: FuncId) -> Class {
        if let Some(class) = self.functions[function] {
            return class;
        }
        let class = self.fresh();
        self.functions[function] = Some(class);
        class
    }

    /// The class of what a function returns.
    fn result(&mut self, function: FuncId) -> Class {
        if let Some(class) = self.results[function] {
            return class;
        }
        let class = self.fresh();
        self.results[function] = Some(class);
        class
    }

    /// For a place, the class of its object; for a pointer, that of what it points to; for a struct value, that of
    /// an object that holds it.
    pub fn class(&mut self, expr: ExprId) -> Class {
        match self.exprs[expr] {
            Some(class) => class,
            None => {
                let class = self.fresh();
                self.exprs[expr] = Some(class);
                class
            }
        }
    }

    /// What the value of an expression points to, if that was ever asked.
    pub fn class_of(&self, expr: ExprId) -> Option<Class> {
        self.exprs[expr].map(|class| self.find(class))
    }

    /// The key under which memory is accessed, after collapsing.
    pub fn key(&self, class: Class, key: Key) -> Key {
        if self.infos[self.find(class)].collapsed { Key::Any } else { key }
    }

    /// Whether the memory of a class is kept as bytes, because accesses of different kinds may meet in it, or accesses
    /// of one kind may overlap, and tags do not tell them apart.
    pub fn is_bytes(&self, types: &Types, class: Class) -> bool {
        self.has_mixed_cells(types, class) && self.tag_unit(types, class).is_none()
    }

    /// Whether accesses of different kinds may meet in a class, or accesses of one kind may overlap.
    fn has_mixed_cells(&self, types: &Types, class: Class) -> bool {
        let info = &self.infos[self.find(class)];
        if info.bytes || !info.reinterpreted {
            return info.bytes;
        }
        let mut cells = info.cells.iter().map(|&(_, cell)| cell);
        let Some(first) = cells.next() else { return false };
        let size = cell_size(types, first);
        let split = info.steps.iter().any(|&step| types.size(step).unwrap_or(1) < size);
        split || cells.any(|cell| cell != first)
    }

    /// The size of the units that have tags, if the memory of a class is kept by kinds, with tags that say as what it was written
    /// last. That is so where pointers and numbers meet because objects of different types are in one class, as in a list
    /// of anything, and all cells begin at a multiple of the unit.
    pub fn tag_unit(&self, types: &Types, class: Class) -> Option<u64> {
        let class = self.find(class);
        let info = &self.infos[class];
        let is = |other: &Class| self.find(*other) == class;
        if !self.tags || info.bytes || info.punned || self.made.iter().chain(&self.outside).any(is) {
            return None;
        }
        if !self.has_mixed_cells(types, class) {
            return None;
        }
        let has_tag = |cell| match cell {
            Cell::Int(_) | Cell::Pointer => true,
            Cell::Float(kind) => matches!(kind, FloatKind::Float | FloatKind::Double),
            Cell::Bits | Cell::Raw(_) | Cell::Tag => false,
        };
        let cells = || info.cells.iter().map(|&(_, cell)| cell);
        if !cells().all(has_tag) || !cells().any(|cell| cell == Cell::Pointer) {
            return None;
        }
        let sizes = cells().map(|cell| cell_size(types, cell));
        let seen = info.views.iter().map(|&view| shapes::smallest_scalar(types, view));
        let unit = sizes.chain(seen).min()?;
        let steps = info.steps.iter().all(|&step| types.size(step).is_some_and(|size| size % unit == 0));
        (steps && shapes::are_aligned(types, unit)).then_some(unit)
    }

    /// Whether the memory of a class is kept as bytes, and pointers are among them.
    pub fn has_byte_pointers(&self, types: &Types, class: Class) -> bool {
        let pointer = |&(_, cell): &(Key, Cell)| cell == Cell::Pointer;
        self.is_bytes(types, class) && self.infos[self.find(class)].cells.iter().any(pointer)
    }

    /// Whether pointers become integers or bytes, so that objects need addresses.
    pub fn needs_addresses(&self, types: &Types) -> bool {
        !self.exposed.is_empty() || self.makes_pointers(types)
    }

    /// Whether pointers are made of integers or bytes.
    pub fn makes_pointers(&self, types: &Types) -> bool {
        let bytes = |class: Class| self.find(class) == class && self.has_byte_pointers(types, class);
        !self.made.is_empty() || self.infos.keys().any(bytes)
    }

    /// Whether pointers into the class become integers.
    pub fn is_exposed(&self, class: Class) -> bool {
        self.exposed.iter().any(|&exposed| self.find(exposed) == self.find(class))
    }

    /// Whether only bytes will do for a class, whatever its cells are.
    pub fn is_forced_to_bytes(&self, class: Class) -> bool {
        self.infos[self.find(class)].bytes
    }

    /// Whether a function only allocates, so that its calls are told apart.
    pub fn is_allocator(&self, function: FuncId) -> bool {
        self.allocators.functions.contains(function)
    }

    /// Whether a function only allocates, and may fill its blocks with zeros.
    pub fn is_zeroing_allocator(&self, function: FuncId) -> bool {
        self.allocators.zeroing.contains(function)
    }

    /// Whether there are functions that only allocate, and fill their blocks with zeros.
    pub fn has_zeroing_allocators(&self) -> bool {
        self.allocators.zeroing.iter().next().is_some()
    }

    /// Whether a call of `memset` fills a block that nobody knows but a function that only allocates.
    pub fn fills_new_block(&self, call: ExprId) -> bool {
        self.allocators.fills.contains(&call)
    }

    /// Whether an object of the class is made with zeros in it.
    pub fn is_zeroed(&self, class: Class) -> bool {
        self.infos[self.find(class)].zeroed
    }

    /// Whether pointers into the class are compared with each other.
    pub fn is_compared(&self, class: Class) -> bool {
        self.infos[self.find(class)].compared
    }

    /// Whether memory is accessed through pointers that are stored in the class.
    pub fn is_followed(&self, class: Class) -> bool {
        let targets = &self.infos[self.find(class)].targets;
        targets.values().any(|&target| !self.cells(target).is_empty())
    }

    /// The classes of memory that pointers in a class point to, and so on.
    pub fn reached_from(&self, class: Class) -> Vec<Class> {
        let mut reached = BTreeSet::new();
        let mut work = vec![self.find(class)];
        while let Some(class) = work.pop() {
            for &target in self.infos[class].targets.values() {
                let target = self.find(target);
                if reached.insert(target) {
                    work.push(target);
                }
            }
        }
        reached.into_iter().collect()
    }

    /// The classes that pointers in the memory of a class lead to directly.
    pub fn held_in(&self, class: Class) -> Vec<Class> {
        self.infos[self.find(class)].targets.values().map(|&target| self.find(target)).collect()
    }

    /// The class of what a function returns a pointer to, or in which it returns pointers.
    pub fn returned(&self, function: FuncId) -> Option<Class> {
        self.results[function].map(|class| self.find(class))
    }

    /// How the memory of the class is accessed.
    pub fn cells(&self, class: Class) -> Vec<(Key, Cell)> {
        self.infos[self.find(class)].cells.iter().copied().collect()
    }

    /// The integer types of accesses to the class.
    pub fn kinds(&self, class: Class) -> impl Iterator<Item = IntKind> + '_ {
        self.infos[self.find(class)].kinds.iter().copied()
    }

    /// Whether a call is one of a function of which nothing is known, and that gets or returns pointers.
    pub fn is_given(&self, call: ExprId) -> bool {
        self.given.contains_key(&call)
    }

    /// What a call of an unknown function may change.
    pub fn given(&self, call: ExprId) -> BTreeSet<Class> {
        self.given.get(&call).map_or_else(BTreeSet::new, |given| self.reached(&given.classes))
    }

    /// Whether pointers into the class may come from an unknown function.
    pub fn is_outside(&self, class: Class) -> bool {
        self.outside.is_some_and(|outside| self.find(outside) == self.find(class))
    }

    /// Whether a function is among the objects of some classes.
    pub fn has_function(&self, classes: &BTreeSet<Class>, functions: impl Iterator<Item = FuncId>) -> bool {
        let mut own = functions.filter_map(|function| self.functions[function]);
        own.any(|class| classes.contains(&self.find(class)))
    }

    /// Classes with all that pointers in them lead to.
    fn reached(&self, from: &[Class]) -> BTreeSet<Class> {
        let mut reached = BTreeSet::new();
        let mut work: Vec<Class> = from.to_vec();
        while let Some(class) = work.pop() {
            let class = self.find(class);
            if reached.insert(class) {
                work.extend(self.infos[class].targets.values());
            }
        }
        reached
    }

    /// The classes of memory that more than one thread may know: what pointers in static variables lead to, pointers that
    /// threads get and give back, and those that come from or go to where nobody sees. The memory of other classes is known
    /// only to the thread that made it, as pointers to it are held only in that thread's own variables.
    pub fn shared(&self, tree: &Tree, given_to_threads: impl Iterator<Item = ExprId>) -> BTreeSet<Class> {
        let is_static = |var: &VarId| tree.variables[*var].lifetime == Lifetime::Static;
        let statics = tree.variables.keys().filter(is_static).filter_map(|var| self.variables[var]);
        let arguments = given_to_threads.filter_map(|argument| self.exprs[argument]);
        let unknown = self.given.values().flat_map(|given| given.classes.iter().copied().chain(given.result));
        let mut from: Vec<Class> = statics.chain(arguments).chain(unknown).collect();
        from.extend(self.exposed.iter().chain(&self.made).copied());
        from.extend(self.thread_result.into_iter().chain(self.outside));
        self.reached(&from)
    }

    /// Notes that addresses in a class are computed.
    fn index(&mut self, class: Class) -> Class {
        let root = self.compress(class);
        self.infos[root].indexed = true;
        class
    }

    /// Whether addresses in the class are computed, so that one key may be at several offsets of one object.
    pub fn is_indexed(&self, class: Class) -> bool {
        self.infos[self.find(class)].indexed
    }

    /// Whether members of structs are not told apart.
    pub fn is_collapsed(&self, class: Class) -> bool {
        self.infos[self.find(class)].collapsed
    }
}
