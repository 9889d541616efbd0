//! Which pieces of memory may be the same: alias classes by unification (Steensgaard's analysis).
//!
//! Every object belongs to one class; two objects share a class if some pointer of the program may point to both.
//! The analysis is flow-insensitive and linear (up to the inverse Ackermann function) in the program. Inside a class,
//! members of structs are told apart by their [`Key`], as long as nobody looks at them in another way.
//!
//! Guarantee: two accesses to one byte of memory have the same class, and the same key unless the class is
//! *collapsed*. A class is *reinterpreted* if its memory may be looked at through two types that do not fit
//! together: through casts, through unions, through a pointer that is stored as one type and loaded as another, or by
//! moving in steps of a part. If then accesses of different kinds may meet, the memory is kept as bytes
//! ([`Classes::is_bytes`]). What pointers in such memory point to, and what pointers that become integers or are made of
//! them point to, is one class: bytes and integers may carry an address anywhere.

use super::allocators::Allocators;
use super::builtins::writes_through_pointers;
use super::live::Live;
use crate::ast::BinaryOp;
use crate::symbols::Symbols;
use crate::tree::{Callee, ExprId, ExprKind, FuncId, Init, Lifetime, Step, StmtKind, Tree, VarId};
use crate::types::{FloatKind, IntKind, Length, RecordId, Type, TypeId, Types};
use base::{PrimaryMap, SecondaryMap};
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
    /// The integer types under which memory is accessed.
    kinds: BTreeSet<IntKind>,
    /// The types in whose sizes pointers into the class are moved.
    steps: BTreeSet<TypeId>,
    /// The types that pointers stored under a key have.
    pointees: BTreeMap<Key, BTreeSet<TypeId>>,
    /// Structs with the types of members from whose addresses those of the structs are computed.
    contained: BTreeSet<(TypeId, TypeId)>,
    collapsed: bool,
    reinterpreted: bool,
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
}

/// What a call of an unknown function is given.
struct Given {
    /// What its arguments point to.
    classes: Vec<Class>,
    /// What its result points to.
    result: Option<Class>,
}

/// Analyses the reached part of a program.
pub(super) fn analyse(tree: &Tree, symbols: &Symbols, live: &Live) -> Classes {
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
            into.kinds.extend(info.kinds);
            into.steps.extend(info.steps);
            for (key, pointees) in info.pointees {
                into.pointees.entry(key).or_default().extend(pointees);
            }
            into.contained.extend(info.contained);
            into.reinterpreted |= info.reinterpreted;
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

    /// The key under which memory is accessed, after collapsing.
    pub fn key(&self, class: Class, key: Key) -> Key {
        if self.infos[self.find(class)].collapsed { Key::Any } else { key }
    }

    /// Whether the memory of a class is kept as bytes, because accesses of different kinds may meet in it, or accesses
    /// of one kind may overlap.
    pub fn is_bytes(&self, types: &Types, class: Class) -> bool {
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

    /// How the memory of the class is accessed.
    pub fn cells(&self, class: Class) -> Vec<(Key, Cell)> {
        self.infos[self.find(class)].cells.iter().copied().collect()
    }

    /// The integer types of accesses to the class.
    pub fn kinds(&self, class: Class) -> impl Iterator<Item = IntKind> + '_ {
        self.infos[self.find(class)].kinds.iter().copied()
    }

    fn expression(&mut self, tree: &Tree, symbols: &Symbols, live: &Live, expr: ExprId) -> Option<Class> {
        let node = &tree.exprs[expr];
        self.step(tree, expr);
        let class = match &node.kind {
            ExprKind::Variable(var) => self.variable(*var),
            ExprKind::Deref(inner) | ExprKind::AddressOf(inner) | ExprKind::Temporary(inner) => {
                self.class(*inner)
            }
            ExprKind::Index(inner, _) => {
                let class = self.class(*inner);
                self.index(class)
            }
            ExprKind::Member(inner, _) => {
                let class = self.class(*inner);
                if let Type::Record(record) = tree.types[tree.exprs[*inner].ty]
                    && tree.types.records[record].is_union
                {
                    self.reinterpret(class);
                }
                class
            }
            ExprKind::CompoundLiteral(var, init) => {
                self.initialiser(tree, *var, init);
                self.variable(*var)
            }
            ExprKind::FunctionAddress(function) => self.function(*function),
            ExprKind::Load(place) => match tree.types[node.ty] {
                Type::Pointer(_) => {
                    let class = self.class(*place);
                    self.target(class, key_of(tree, *place))
                }
                _ => {
                    let class = self.class(*place);
                    if has_union(&tree.types, node.ty) {
                        self.force_bytes(class);
                    }
                    class
                }
            },
            ExprKind::Convert(inner) => self.conversion(tree, expr, *inner),
            ExprKind::Binary(BinaryOp::Eq | BinaryOp::Ne, left, right) => {
                let null = |expr: ExprId| matches!(tree.exprs[expr].kind, ExprKind::Int(_));
                if tree.types.pointee(tree.exprs[*left].ty).is_some() && !null(*left) && !null(*right) {
                    // A pointer that was never assigned may be assumed to be another one.
                    let (left, right) = (self.class(*left), self.class(*right));
                    self.join(left, right);
                    let class = self.compress(left);
                    self.infos[class].compared = true;
                }
                return None;
            }
            ExprKind::PointerAdd { pointer, .. } => {
                let class = self.class(*pointer);
                self.index(class)
            }
            ExprKind::PointerAssign { place, .. } | ExprKind::Increment { place, .. } => {
                let class = self.class(*place);
                match tree.types[node.ty] {
                    Type::Pointer(_) => {
                        let target = self.target(class, key_of(tree, *place));
                        self.index(target)
                    }
                    _ => return None,
                }
            }
            ExprKind::Conditional(_, then, otherwise) | ExprKind::ConditionalOr(then, otherwise) => {
                if !holds_pointers(&tree.types, node.ty) {
                    return None;
                }
                let (then, otherwise) = (self.class(*then), self.class(*otherwise));
                self.join(then, otherwise);
                then
            }
            ExprKind::Comma(_, value) => self.class(*value),
            ExprKind::StatementExpr(_, Some(value)) => self.class(*value),
            ExprKind::Assign(place, value) => {
                self.assign(tree, *place, *value);
                self.class(*value)
            }
            ExprKind::Call(callee, arguments) => {
                return self.call(tree, symbols, live, (expr, *callee, arguments));
            }
            _ => return None,
        };
        if crate::check::is_place(&node.kind) {
            self.access(tree, expr, class);
        }
        Some(class)
    }

    /// Notes the access that a scalar place stands for.
    fn access(&mut self, tree: &Tree, place: ExprId, class: Class) {
        let ty = tree.exprs[place].ty;
        if let Some(mut cell) = cell_of(&tree.types, ty) {
            let key = key_of(tree, place);
            if is_bit_field(&tree.types, key) {
                cell = Cell::Bits;
            }
            self.touch(class, key, cell);
            self.note_type(&tree.types, (class, key), ty);
        }
    }

    /// Notes under which type a cell is accessed.
    fn note_type(&mut self, types: &Types, (class, key): (Class, Key), ty: TypeId) {
        let class = self.compress(class);
        if let Some(kind) = types.int_kind(ty) {
            self.infos[class].kinds.insert(kind);
        }
        if let Some(to) = types.pointee(ty) {
            let key = self.key(class, key);
            self.infos[class].pointees.entry(key).or_default().insert(to);
        }
    }

    /// What the result of a conversion points to.
    fn conversion(&mut self, tree: &Tree, expr: ExprId, inner: ExprId) -> Class {
        let (from, to) = (tree.exprs[inner].ty, tree.exprs[expr].ty);
        let class = self.class(inner);
        match (tree.types.pointee(from), tree.types.pointee(to)) {
            (Some(from), Some(to)) => {
                if let Some((_, (outer, member))) = container(tree, expr) {
                    let class = self.compress(class);
                    self.infos[class].contained.insert((outer, member));
                    self.infos[class].views.extend([outer, member]);
                } else if !self.containers.contains(&expr) {
                    self.add_views(&tree.types, class, [from, to]);
                }
                class
            }
            (Some(_), None) => {
                if tree.types.int_kind(to).is_some_and(|kind| kind != IntKind::Bool) {
                    self.exposed.push(class);
                }
                class
            }
            (None, Some(to)) if !matches!(tree.exprs[inner].kind, ExprKind::Int(_)) => {
                let made = self.fresh();
                self.made.push(made);
                // The addresses that the integer is computed from tell what it may point to.
                for origin in addresses_in(tree, inner) {
                    let from = tree.types.pointee(tree.exprs[origin].ty);
                    let class = self.class(origin);
                    self.join(made, class);
                    self.add_views(&tree.types, made, from.into_iter().chain([to]));
                }
                self.add_views(&tree.types, made, [to]);
                made
            }
            (None, Some(_)) => self.fresh(),
            _ => class,
        }
    }

    fn add_views(&mut self, types: &Types, class: Class, seen: impl IntoIterator<Item = TypeId>) {
        let class = self.compress(class);
        let seen = seen.into_iter().filter_map(|ty| view(types, ty));
        self.infos[class].views.extend(seen);
    }

    /// Notes in which steps a pointer is moved.
    fn step(&mut self, tree: &Tree, expr: ExprId) {
        let node = &tree.exprs[expr];
        let class = match node.kind {
            ExprKind::PointerAdd { pointer, .. } if !self.containers.contains(&expr) => self.class(pointer),
            ExprKind::PointerAssign { place, .. } | ExprKind::Increment { place, .. }
                if tree.types.pointee(node.ty).is_some() =>
            {
                let class = self.class(place);
                self.target(class, key_of(tree, place))
            }
            _ => return,
        };
        let Some(to) = tree.types.pointee(node.ty) else { return };
        let class = self.compress(class);
        self.infos[class].steps.insert(view(&tree.types, to).unwrap_or(tree.types.char));
    }

    /// Only bytes will do for a class.
    fn force_bytes(&mut self, class: Class) {
        self.touch(class, Key::Any, Cell::Int(1));
        let class = self.compress(class);
        self.infos[class].bytes = true;
        self.reinterpret(class);
    }

    fn assign(&mut self, tree: &Tree, place: ExprId, value: ExprId) {
        let class = self.class(place);
        let value_class = self.class(value);
        match tree.types[tree.exprs[place].ty] {
            Type::Pointer(_) => {
                let target = self.target(class, key_of(tree, place));
                self.join(target, value_class);
            }
            Type::Record(_) => self.join(class, value_class),
            _ => {}
        }
    }

    fn initialiser(&mut self, tree: &Tree, var: VarId, init: &Init) {
        let class = self.variable(var);
        let ty = tree.variables[var].ty;
        let mut store = |(key, ty): (Key, TypeId), value: ExprId| {
            let value_class = self.class(value);
            match tree.types[ty] {
                Type::Pointer(_) => {
                    let target = self.target(class, key);
                    self.join(target, value_class);
                }
                Type::Record(_) => self.join(class, value_class),
                _ => {
                    if let Some(cell) = cell_of(&tree.types, ty) {
                        self.touch(
                            class,
                            key,
                            if is_bit_field(&tree.types, key) { Cell::Bits } else { cell },
                        );
                    }
                }
            }
            self.note_type(&tree.types, (class, key), ty);
        };
        match init {
            Init::Whole(value) => store((Key::Any, ty), *value),
            Init::Parts(parts) => {
                for (path, value) in parts {
                    store(key_of_path(&tree.types, ty, path), *value);
                }
            }
        }
    }

    fn call(
        &mut self,
        tree: &Tree,
        symbols: &Symbols,
        live: &Live,
        (expr, callee, arguments): (ExprId, Callee, &[ExprId]),
    ) -> Option<Class> {
        let pointers = holds_pointers(&tree.types, tree.exprs[expr].ty);
        match callee {
            Callee::Direct(function) if tree.functions[function].body.is_some() => {
                self.arguments(tree, function, arguments);
                if self.allocators.functions.contains(function) {
                    let class = self.class(expr);
                    let root = self.compress(class);
                    self.infos[root].zeroed |= self.allocators.zeroing.contains(function);
                    return Some(class);
                }
                Some(self.result(function))
            }
            Callee::Direct(function) => {
                let name = symbols.text(tree.functions[function].name);
                if super::library::is_unknown(name) {
                    return Some(self.unknown_call(tree, expr, arguments));
                }
                let name = name.strip_prefix("__builtin_").unwrap_or(name);
                if let (true, &[block, ..]) = (self.fills_new_block(expr), arguments) {
                    // The zeros are written where it is known what the block is for.
                    return Some(self.class(block));
                }
                let copies = matches!(
                    name,
                    "memcpy" | "memmove" | "mempcpy" | "strcpy" | "strncpy" | "strcat" | "strncat"
                );
                if copies && let [to, from, ..] = arguments {
                    let (to, from) = (self.class(*to), self.class(*from));
                    self.join(to, from);
                }
                self.thread_call((tree, live), name, arguments);
                let moves = copies || name == "memset";
                if matches!(name, "memcpy" | "memmove" | "mempcpy" | "memset")
                    && !moves_whole_objects(tree, name, arguments)
                {
                    for &argument in arguments {
                        if tree.types.pointee(tree.exprs[argument].ty).is_some() {
                            let class = self.class(argument);
                            self.force_bytes(class);
                        }
                    }
                }
                if matches!(name, "calloc" | "kzalloc") {
                    let class = self.class(expr);
                    let class = self.compress(class);
                    self.infos[class].zeroed = true;
                }
                let full_name = symbols.text(tree.functions[function].name);
                if moves || name.ends_with("scanf") || writes_through_pointers(full_name) {
                    for &argument in arguments {
                        self.touch_pointed(tree, argument);
                        if moves {
                            let class = self.class(argument);
                            self.index(class);
                            // The function goes from element to element, whatever the elements really are.
                            if let Some(ty) = pointed_type(tree, argument) {
                                let class = self.compress(class);
                                let step = view(&tree.types, ty).unwrap_or(tree.types.char);
                                self.infos[class].steps.insert(step);
                            }
                        }
                    }
                }
                let first = copies
                    || matches!(name, "memset" | "realloc" | "strchr" | "strrchr" | "strstr" | "memchr");
                match arguments.first() {
                    Some(&argument) if first => Some(self.class(argument)),
                    _ => Some(self.class(expr)),
                }
            }
            Callee::Indirect(pointer) => {
                let result = self.fresh();
                let called = tree.types.pointee(tree.exprs[pointer].ty)?;
                for (function, data) in tree.functions.iter() {
                    if data.body.is_some()
                        && live.is_addressed(function)
                        && tree.types.compatible(called, data.ty)
                    {
                        self.arguments(tree, function, arguments);
                        if pointers {
                            let other = self.result(function);
                            self.join(result, other);
                        }
                    }
                }
                Some(result)
            }
        }
    }

    /// A function of which nothing is known gets pointers, or returns one.
    fn unknown_call(&mut self, tree: &Tree, call: ExprId, arguments: &[ExprId]) -> Class {
        let result = self.class(call);
        let mut classes = Vec::new();
        for &argument in arguments {
            if holds_pointers(&tree.types, tree.exprs[argument].ty) {
                let class = self.class(argument);
                self.touch_pointed(tree, argument);
                classes.push(class);
            }
        }
        let returns = holds_pointers(&tree.types, tree.exprs[call].ty);
        if returns || !classes.is_empty() {
            self.given.insert(call, Given { classes, result: returns.then_some(result) });
        }
        result
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

    /// An unknown function may store every pointer that it can reach, and others of its own, wherever it can reach a
    /// pointer. Tells whether that was news.
    fn join_outside(&mut self) -> bool {
        let mut joined: Vec<Class> = Vec::new();
        for given in self.given.values() {
            let mut from = given.classes.clone();
            from.extend(given.result);
            let reached = self.reached(&from);
            let stores = reached.iter().any(|&class| !self.infos[class].targets.is_empty());
            if stores || given.result.is_some() {
                joined.extend(reached);
            }
        }
        let Some(&first) = joined.first() else { return false };
        let outside = *self.outside.get_or_insert(first);
        let mut changed = false;
        for class in joined {
            if self.find(class) != self.find(outside) {
                self.join(outside, class);
                changed = true;
            }
        }
        let root = self.compress(outside);
        changed |= !self.infos[root].indexed;
        self.infos[root].indexed = true;
        changed
    }

    /// The argument of a thread is that of its function, and its result goes to those who join it.
    fn thread_call(&mut self, (tree, live): (&Tree, &Live), name: &str, arguments: &[ExprId]) {
        let result = match (name, arguments) {
            ("pthread_create", &[thread, _, function, argument]) => {
                self.touch_pointed(tree, thread);
                let result = self.fresh();
                for function in super::threads::run_by_threads(tree, live, function) {
                    self.arguments(tree, function, &[argument]);
                    let other = self.result(function);
                    self.join(result, other);
                }
                result
            }
            ("pthread_join", &[_, result]) => {
                self.touch_pointed(tree, result);
                let class = self.class(result);
                self.target(class, Key::Any)
            }
            ("pthread_unreach_join", &[_, result]) => return self.touch_pointed(tree, result),
            ("pthread_exit" | "pthread_unreach_exit", &[value]) => self.class(value),
            _ => return,
        };
        match self.thread_result {
            Some(known) => self.join(known, result),
            None => self.thread_result = Some(result),
        }
    }

    /// Notes that a function accesses what an argument points to, whatever that is a part of. Members of structs
    /// have their own keys even then.
    fn touch_pointed(&mut self, tree: &Tree, argument: ExprId) {
        let mut expr = argument;
        let mut pointee = tree.types.pointee(tree.exprs[expr].ty);
        while let (Some(Type::Void), ExprKind::Convert(inner)) =
            (pointee.map(|to| &tree.types[to]), &tree.exprs[expr].kind)
        {
            expr = *inner;
            pointee = tree.types.pointee(tree.exprs[expr].ty);
        }
        let Some(ty) = pointee.and_then(|to| view(&tree.types, to)) else { return };
        if let Some(cell) = cell_of(&tree.types, ty) {
            let class = self.class(argument);
            self.touch(class, Key::Any, cell);
            self.note_type(&tree.types, (class, Key::Any), ty);
        }
    }

    fn arguments(&mut self, tree: &Tree, function: FuncId, arguments: &[ExprId]) {
        for (&parameter, &argument) in tree.functions[function].parameters.iter().zip(arguments) {
            let class = self.variable(parameter);
            let value = self.class(argument);
            match tree.types[tree.variables[parameter].ty] {
                Type::Pointer(to) => {
                    let target = self.target(class, Key::Any);
                    self.join(target, value);
                    // Where nothing is known of the parameters, the types of arguments may be others.
                    if let Some(from) = tree.types.pointee(tree.exprs[argument].ty).filter(|&from| from != to)
                    {
                        self.add_views(&tree.types, target, [from, to]);
                    }
                }
                Type::Record(_) => self.join(class, value),
                _ => {}
            }
        }
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

    fn reinterpret(&mut self, class: Class) {
        let class = self.compress(class);
        if !self.infos[class].reinterpreted {
            self.infos[class].reinterpreted = true;
            self.collapse(class);
            self.drain();
        }
    }

    /// Finds the classes whose views do not fit together, and joins what bytes and integers may point to, until nothing
    /// changes.
    fn settle(&mut self, types: &Types) {
        loop {
            let mut changed = self.join_addressed(types);
            changed |= self.join_outside();
            for class in self.infos.keys().collect::<Vec<_>>() {
                if self.find(class) != class {
                    continue;
                }
                changed |= self.punned_pointers(types, class);
                let info = &self.infos[class];
                if info.reinterpreted {
                    if !info.collapsed {
                        self.collapse(class);
                        self.drain();
                        changed = true;
                    }
                    continue;
                }
                let views: Vec<TypeId> = info.views.iter().copied().collect();
                let fit = views.iter().enumerate().all(|(index, &a)| {
                    views[index + 1..].iter().all(|&b| info.fits(types, a, b) || info.fits(types, b, a))
                });
                if !fit {
                    self.reinterpret(class);
                    changed = true;
                }
            }
            if !changed {
                return;
            }
        }
    }

    /// A pointer that is stored as one type and loaded as another shows what it points to in both ways.
    /// Tells whether that was news.
    fn punned_pointers(&mut self, types: &Types, class: Class) -> bool {
        let info = &self.infos[class];
        let mut seen: Vec<(Class, TypeId)> = Vec::new();
        for (key, pointees) in &info.pointees {
            let views = pointees.iter().filter_map(|&to| view(types, to));
            if let (Some(&target), true) = (info.targets.get(key), pointees.len() > 1) {
                seen.extend(views.map(|view| (target, view)));
            }
        }
        let mut news = false;
        for (target, view) in seen {
            let target = self.compress(target);
            news |= self.infos[target].views.insert(view);
        }
        news
    }

    /// Joins all classes whose addresses may be found in bytes or integers, if there is a way back from these.
    fn join_addressed(&mut self, types: &Types) -> bool {
        let mut addressed = self.made.clone();
        for class in self.infos.keys().collect::<Vec<_>>() {
            if self.find(class) == class && self.has_byte_pointers(types, class) {
                addressed.extend(self.infos[class].targets.values());
            }
        }
        if addressed.is_empty() {
            return false;
        }
        addressed.extend(&self.exposed);
        let first = addressed[0];
        let mut changed = false;
        for other in addressed {
            if self.find(first) != self.find(other) {
                self.join(first, other);
                changed = true;
            }
        }
        changed
    }
}

impl Info {
    /// Whether memory may be seen as an object of type `outer` and as one of type `inner` at its start.
    fn fits(&self, types: &Types, outer: TypeId, inner: TypeId) -> bool {
        let same_size = types.size(outer) == types.size(inner);
        (starts_with(types, outer, inner) && (same_size || !self.steps.contains(&inner)))
            || (self.contained.contains(&(outer, inner)) && !self.steps.contains(&inner))
    }
}

/// Whether a function moves or sets a number of bytes that makes whole objects of one type, as far as types tell.
fn moves_whole_objects(tree: &Tree, name: &str, arguments: &[ExprId]) -> bool {
    let (pointers, size) = match (name, arguments) {
        ("memset", &[to, _, size]) => (vec![to], size),
        (_, &[to, from, size]) => (vec![to, from], size),
        _ => return false,
    };
    let types: Vec<Option<TypeId>> = pointers.iter().map(|&pointer| pointed_type(tree, pointer)).collect();
    let Some(&Some(ty)) = types.first() else { return false };
    let Some(whole) = tree.types.size(ty).filter(|&size| size > 0) else { return false };
    if types.iter().any(|&other| other != Some(ty)) || has_union(&tree.types, ty) {
        return false;
    }
    if name == "memset" {
        let zero = matches!(tree.exprs[arguments[1]].kind, ExprKind::Int(0));
        let byte = tree.types.int_kind(ty).is_some_and(|kind| kind.size(tree.types.model) == 1);
        if !zero && !byte {
            return false;
        }
    }
    is_multiple(tree, size, whole)
}

/// Whether a number is certainly a multiple of another.
fn is_multiple(tree: &Tree, expr: ExprId, of: u64) -> bool {
    match tree.exprs[expr].kind {
        _ if of == 1 => true,
        ExprKind::Int(value) => value % i128::from(of) == 0,
        ExprKind::Convert(inner) => {
            // Wrapping around keeps multiples of powers of two only.
            let wide = tree.types.size(tree.exprs[expr].ty) >= tree.types.size(tree.exprs[inner].ty);
            (wide || of.is_power_of_two()) && is_multiple(tree, inner, of)
        }
        ExprKind::Binary(BinaryOp::Mul, left, right) => {
            of.is_power_of_two() && (is_multiple(tree, left, of) || is_multiple(tree, right, of))
        }
        ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, left, right) => {
            of.is_power_of_two() && is_multiple(tree, left, of) && is_multiple(tree, right, of)
        }
        _ => false,
    }
}

/// What a pointer points to, before it was converted to `void *`.
pub fn pointed_type(tree: &Tree, argument: ExprId) -> Option<TypeId> {
    let mut expr = argument;
    loop {
        let to = tree.types.pointee(tree.exprs[expr].ty)?;
        if !matches!(tree.types[to], Type::Void) {
            return Some(to);
        }
        match tree.exprs[expr].kind {
            ExprKind::Convert(inner) => expr = inner,
            _ => return None,
        }
    }
}

/// The pointers whose addresses an integer is computed from.
pub fn addresses_in(tree: &Tree, expr: ExprId) -> Vec<ExprId> {
    let mut found = Vec::new();
    let mut stack = vec![expr];
    while let Some(expr) = stack.pop() {
        match tree.exprs[expr].kind {
            ExprKind::Convert(inner) if tree.types.pointee(tree.exprs[inner].ty).is_some() => {
                found.push(inner)
            }
            ExprKind::Convert(inner) | ExprKind::Negate(inner) | ExprKind::Complement(inner) => {
                stack.push(inner);
            }
            ExprKind::Binary(op, left, right) if !crate::check::is_comparison(op) => {
                stack.extend([left, right])
            }
            ExprKind::Conditional(_, left, right) => stack.extend([left, right]),
            ExprKind::Comma(_, right) => stack.push(right),
            _ => {}
        }
    }
    found
}

/// The conversions and steps of an expression that computes the address of a struct from that of its member, as
/// `(struct s *)((char *)p - offsetof(struct s, m))`, with the types of the struct and of the member.
fn container(tree: &Tree, expr: ExprId) -> Option<(Vec<ExprId>, (TypeId, TypeId))> {
    let ExprKind::Convert(sum) = tree.exprs[expr].kind else { return None };
    let outer = tree.types.pointee(tree.exprs[expr].ty)?;
    let ExprKind::PointerAdd { pointer, count, minus: true } = tree.exprs[sum].kind else { return None };
    let ExprKind::Int(bytes) = tree.exprs[count].kind else { return None };
    let step = tree.types.pointee(tree.exprs[sum].ty)?;
    let ExprKind::Convert(start) = tree.exprs[pointer].kind else { return None };
    let member = tree.types.pointee(tree.exprs[start].ty)?;
    if tree.types.size(step) != Some(1) || !matches!(tree.types[outer], Type::Record(_)) {
        return None;
    }
    let offset = u64::try_from(bytes).ok()?;
    has_part(&tree.types, outer, offset, member).then(|| (vec![expr, sum, pointer], (outer, member)))
}

/// Whether an object of a type has a part of another type at an offset; parts of unions do not count.
fn has_part(types: &Types, mut ty: TypeId, mut offset: u64, part: TypeId) -> bool {
    loop {
        if offset == 0 && ty == part {
            return true;
        }
        match types[ty] {
            Type::Array(element, _) => {
                let Some(size) = types.size(element).filter(|&size| size > 0) else { return false };
                (ty, offset) = (element, offset % size);
            }
            Type::Record(record) if !types.records[record].is_union => {
                let Some(layout) = &types.records[record].layout else { return false };
                let inside = layout.fields.iter().rev().find(|field| {
                    let size = types.size(field.ty).unwrap_or(0);
                    field.width.is_none()
                        && (field.bit_offset / 8..field.bit_offset / 8 + size).contains(&offset)
                });
                let Some(field) = inside else { return false };
                (ty, offset) = (field.ty, offset - field.bit_offset / 8);
            }
            _ => return false,
        }
    }
}

/// Whether a type is a union or has one in it.
pub fn has_union(types: &Types, ty: TypeId) -> bool {
    let mut stack = vec![ty];
    while let Some(ty) = stack.pop() {
        match types[ty] {
            Type::Array(element, _) => stack.push(element),
            Type::Record(record) => {
                if types.records[record].is_union {
                    return true;
                }
                let fields = types.records[record].layout.iter().flat_map(|layout| &layout.fields);
                stack.extend(fields.map(|field| field.ty));
            }
            _ => {}
        }
    }
    false
}

/// The size of a kind of cell in bytes.
fn cell_size(types: &Types, cell: Cell) -> u64 {
    match cell {
        Cell::Int(size) | Cell::Raw(size) => size,
        Cell::Float(kind) => types.float_size(kind),
        Cell::Pointer => IntKind::UnsignedLong.size(types.model),
        Cell::Bits => 1,
    }
}

/// The type as which memory is seen through a pointer; `None` for `void` and functions.
fn view(types: &Types, mut ty: TypeId) -> Option<TypeId> {
    while let Type::Array(element, _) = types[ty] {
        ty = element;
    }
    match types[ty] {
        Type::Void | Type::Function(_) => None,
        Type::Record(record) if types.records[record].layout.is_none() => None,
        _ => Some(ty),
    }
}

/// Whether an object of type `outer` has one of type `inner` at its very start, so that both views agree.
fn starts_with(types: &Types, outer: TypeId, inner: TypeId) -> bool {
    let mut outer = outer;
    loop {
        if outer == inner {
            return true;
        }
        match types[outer] {
            Type::Array(element, _) => outer = element,
            Type::Record(record) => match types.field(record, 0) {
                Some(field) if field.width.is_none() && !types.records[record].is_union => outer = field.ty,
                _ => return false,
            },
            Type::Int(_) | Type::Enum(_) => {
                let same_size = types.size(outer) == types.size(inner);
                return same_size && types.int_kind(inner).is_some();
            }
            Type::Pointer(_) => return types.pointee(inner).is_some(),
            _ => return false,
        }
    }
}

/// Whether a key is that of a bit-field.
pub fn is_bit_field(types: &Types, key: Key) -> bool {
    match key {
        Key::Any => false,
        Key::Member(record, index) => types.field(record, index).is_some_and(|field| field.width.is_some()),
    }
}

/// The key of a place.
pub fn key_of(tree: &Tree, place: ExprId) -> Key {
    let mut place = place;
    loop {
        match &tree.exprs[place].kind {
            ExprKind::Index(inner, _) => place = *inner,
            ExprKind::Member(inner, index) => {
                let Type::Record(record) = tree.types[tree.exprs[*inner].ty] else { return Key::Any };
                return Key::Member(record, *index);
            }
            _ => return Key::Any,
        }
    }
}

/// The key and type of a part of an object.
pub fn key_of_path(types: &Types, ty: TypeId, path: &[Step]) -> (Key, TypeId) {
    let (mut key, mut ty) = (Key::Any, ty);
    for step in path {
        match (step, &types[ty]) {
            (Step::Field(index), Type::Record(record)) => {
                key = Key::Member(*record, *index);
                ty = types.field(*record, *index).map_or(ty, |field| field.ty);
            }
            (
                Step::Index(_),
                Type::Array(element, Length::Known(_) | Length::Unknown | Length::Variable(_)),
            ) => {
                ty = *element;
            }
            _ => {}
        }
    }
    (key, ty)
}
