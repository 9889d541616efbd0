//! Operands whose order of evaluation C leaves open (C11 6.5): where the orders differ, all of them are followed.
//!
//! Two operands may be exchanged if neither writes what the other reads or writes, and neither can end the execution before
//! an error of the other. What a call may touch is what its function and everything that it calls may touch; memory is
//! told apart by alias classes. Operands that cannot be exchanged are evaluated in every order, as the program's environment
//! chooses. Of more than [`MOST_EXCHANGED`] of them one order is followed, and about the others nothing is said.
//!
//! Cost: one pass over the reached expressions for what is pure, and one over the graph of calls, whose components each have one
//! set of what they touch; the rest only where operands have effects.

use super::classes::Class;
use super::live::Live;
use super::places::Place;
use super::values::Value;
use super::{Result, Translator};
use crate::symbols::Symbols;
use crate::tree::{Callee, ExprId, ExprKind, FuncId, Init, Lifetime, StmtId, StmtKind, Tree, VarId};
use base::{EntityRef, EntitySet, SecondaryMap};
use ir::{Block, Transfer};
use std::collections::BTreeSet;
use std::rc::Rc;

/// How many operands are evaluated in all orders.
const MOST_EXCHANGED: usize = 3;

/// How deep such operands may be nested.
const MOST_NESTED: u32 = 5;

/// Something that is read or written.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Location {
    Variable(VarId),
    Memory(Class),
}

/// What evaluating something may touch.
#[derive(Clone, Default, PartialEq, Eq)]
struct Footprint {
    reads: BTreeSet<Location>,
    writes: BTreeSet<Location>,
    /// Whether the execution may end there.
    stops: bool,
    /// Whether an error may happen there.
    errs: bool,
    /// Whether it may be left by a jump, so that what comes later does not happen.
    jumps: bool,
}

impl Footprint {
    fn conflicts(&self, other: &Footprint) -> bool {
        // What a large part of the program touches is looked up, not gone through.
        let meet = |a: &BTreeSet<Location>, b: &BTreeSet<Location>| match a.len() <= b.len() {
            true => a.iter().any(|location| b.contains(location)),
            false => b.iter().any(|location| a.contains(location)),
        };
        let touches = |a: &Footprint, b: &Footprint| meet(&a.writes, &b.reads) || meet(&a.writes, &b.writes);
        touches(self, other)
            || touches(other, self)
            || (self.stops && other.errs)
            || (other.stops && self.errs)
            || (self.jumps && other.is_seen())
            || (other.jumps && self.is_seen())
    }

    /// Whether it makes a difference that it happens.
    fn is_seen(&self) -> bool {
        !self.writes.is_empty() || self.stops || self.errs || self.jumps
    }

    fn add(&mut self, other: &Footprint) {
        self.reads.extend(&other.reads);
        self.writes.extend(&other.writes);
        self.stops |= other.stops;
        self.errs |= other.errs;
        self.jumps |= other.jumps;
    }
}

/// What evaluating an operand may touch: by itself, and by what it calls.
struct Print {
    own: Footprint,
    called: Vec<Rc<Footprint>>,
}

impl Print {
    fn parts(&self) -> impl Iterator<Item = &Footprint> {
        std::iter::once(&self.own).chain(self.called.iter().map(|called| &**called))
    }

    fn conflicts(&self, other: &Print) -> bool {
        self.parts().any(|mine| other.parts().any(|theirs| mine.conflicts(theirs)))
    }
}

/// What the functions of a program may touch.
#[derive(Default)]
pub(super) struct Orders {
    /// Expressions with effects, or with calls.
    impure: EntitySet<ExprId>,
    /// What calls of functions may touch, as far as callers can tell.
    functions: SecondaryMap<FuncId, Option<Rc<Footprint>>>,
    /// The functions that may be called through pointers.
    addressed: Rc<[FuncId]>,
    /// What they may touch together.
    through_pointers: Rc<Footprint>,
}

/// A walk over expressions and statements.
struct Walk<'a> {
    tree: &'a Tree,
    symbols: &'a Symbols,
    classes: &'a mut super::classes::Classes,
    addressed: &'a [FuncId],
    found: Footprint,
    /// The functions with a body that are called directly.
    callees: BTreeSet<FuncId>,
    /// Whether functions are called through pointers.
    indirect: bool,
}

enum Work {
    Expr(ExprId),
    /// A place whose address alone is needed.
    Place(ExprId),
    Stmt(StmtId),
}

/// Finds out what functions may touch.
pub(super) fn analyse(
    tree: &Tree,
    symbols: &Symbols,
    live: &Live,
    classes: &mut super::classes::Classes,
) -> Orders {
    let mut orders = Orders::default();
    for expr in live.exprs(tree) {
        let effect = tree.exprs[expr].kind.has_effect();
        if effect || tree.operands(expr).iter().any(|&operand| orders.impure.contains(operand)) {
            orders.impure.insert(expr);
        }
    }
    let functions = live.functions(tree);
    let addressed: Vec<FuncId> =
        functions.iter().copied().filter(|&function| live.is_addressed(function)).collect();
    orders.addressed = addressed.into();
    // The last node stands for a call through a pointer.
    let pointer = tree.functions.len();
    let mut own: Vec<Footprint> = vec![Footprint::default(); pointer + 1];
    let mut calls: Vec<Vec<usize>> = vec![Vec::new(); pointer + 1];
    for &function in &functions {
        let Some(body) = tree.functions[function].body else { continue };
        let mut walk = Walk::new(tree, symbols, classes, &orders.addressed);
        walk.run(vec![Work::Stmt(body)]);
        let Walk { mut found, callees, indirect, .. } = walk;
        // Variables of the function are nobody else's.
        let visible = |location: &Location| match location {
            Location::Variable(var) => tree.variables[*var].lifetime == Lifetime::Static,
            Location::Memory(_) => true,
        };
        found.reads.retain(visible);
        found.writes.retain(visible);
        own[function.index()] = found;
        calls[function.index()] = callees.iter().map(|callee| callee.index()).collect();
        calls[function.index()].extend(indirect.then_some(pointer));
    }
    for &function in orders.addressed.iter().filter(|&&function| tree.functions[function].body.is_some()) {
        calls[pointer].push(function.index());
        own[pointer].call_by_name(tree, symbols, function);
    }
    let components = graph::components(pointer + 1, |node, next| next.extend(&calls[node]));
    let numbers = components.numbers();
    let mut known: Vec<Rc<Footprint>> = Vec::new();
    for (number, component) in components.iter().enumerate() {
        let mut all = Footprint::default();
        let mut others: BTreeSet<usize> = BTreeSet::new();
        for &node in component {
            all.add(&own[node]);
            others.extend(calls[node].iter().map(|&callee| numbers[callee]));
        }
        for other in others.into_iter().filter(|&other| other != number) {
            all.add(&known[other]);
        }
        known.push(Rc::new(all));
    }
    for &function in &functions {
        orders.functions[function] = Some(Rc::clone(&known[numbers[function.index()]]));
    }
    orders.through_pointers = Rc::clone(&known[numbers[pointer]]);
    orders
}

impl Footprint {
    /// What the name of a called function says.
    fn call_by_name(&mut self, tree: &Tree, symbols: &Symbols, function: FuncId) {
        let data = &tree.functions[function];
        let name = symbols.text(data.name);
        self.stops |=
            data.noreturn || name.contains("assume") || name.contains("abort") || name.contains("exit");
        self.errs |= is_error(name);
        self.jumps |= name == super::jumps::LEAVES;
    }
}

/// Whether a call of a function may be an error, by its name.
fn is_error(name: &str) -> bool {
    name.contains("assert") || name.contains("error")
}

impl<'a> Walk<'a> {
    fn new(
        tree: &'a Tree,
        symbols: &'a Symbols,
        classes: &'a mut super::classes::Classes,
        addressed: &'a [FuncId],
    ) -> Walk<'a> {
        let (found, callees) = (Footprint::default(), BTreeSet::new());
        Walk { tree, symbols, classes, addressed, found, callees, indirect: false }
    }

    fn run(&mut self, mut work: Vec<Work>) {
        while let Some(next) = work.pop() {
            match next {
                Work::Expr(expr) => self.expr(expr, &mut work),
                Work::Place(expr) => self.place(expr, &mut work),
                Work::Stmt(stmt) => self.stmt(stmt, &mut work),
            }
        }
    }

    /// The location of a place, without what its address is computed from.
    fn location(&mut self, place: ExprId) -> Location {
        let mut root = place;
        loop {
            match self.tree.exprs[root].kind {
                ExprKind::Member(inner, _) | ExprKind::Index(inner, _) => root = inner,
                ExprKind::Variable(var) if !self.tree.variables[var].address_taken => {
                    return Location::Variable(var);
                }
                _ => break,
            }
        }
        let class = self.classes.class(place);
        Location::Memory(self.classes.find(class))
    }

    fn place(&mut self, expr: ExprId, work: &mut Vec<Work>) {
        match &self.tree.exprs[expr].kind {
            ExprKind::Variable(_) | ExprKind::Text(_) => {}
            ExprKind::Member(inner, _) => work.push(Work::Place(*inner)),
            ExprKind::Index(inner, index) => work.extend([Work::Place(*inner), Work::Expr(*index)]),
            ExprKind::Deref(pointer) => work.push(Work::Expr(*pointer)),
            _ => self.expr(expr, work),
        }
    }

    fn expr(&mut self, expr: ExprId, work: &mut Vec<Work>) {
        use ExprKind::*;
        let tree = self.tree;
        match &tree.exprs[expr].kind {
            Load(place) => {
                let location = self.location(*place);
                self.found.reads.insert(location);
                work.push(Work::Place(*place));
            }
            AddressOf(place) => work.push(Work::Place(*place)),
            Assign(place, value) => {
                let location = self.location(*place);
                self.found.writes.insert(location);
                work.extend([Work::Place(*place), Work::Expr(*value)]);
            }
            CompoundAssign { place, value, .. } | PointerAssign { place, count: value, .. } => {
                let location = self.location(*place);
                self.found.reads.insert(location);
                self.found.writes.insert(location);
                work.extend([Work::Place(*place), Work::Expr(*value)]);
            }
            Increment { place, .. } => {
                let location = self.location(*place);
                self.found.reads.insert(location);
                self.found.writes.insert(location);
                work.push(Work::Place(*place));
            }
            Call(callee, arguments) => {
                work.extend(arguments.iter().map(|&argument| Work::Expr(argument)));
                match callee {
                    Callee::Direct(function) => self.call(*function, arguments),
                    Callee::Indirect(pointer) => {
                        work.push(Work::Expr(*pointer));
                        self.indirect = true;
                        for &function in self.addressed {
                            if tree.functions[function].body.is_none() {
                                self.call(function, arguments);
                            }
                        }
                    }
                }
            }
            CompoundLiteral(var, init) => {
                let class = self.classes.variable(*var);
                let class = self.classes.find(class);
                self.found.writes.insert(Location::Memory(class));
                initialiser(init, work);
            }
            StatementExpr(statements, value) => {
                work.extend(statements.iter().map(|&stmt| Work::Stmt(stmt)));
                work.extend(value.map(Work::Expr));
            }
            Variable(_) | Deref(_) | Member(..) | Index(..) => self.place(expr, work),
            _ => work.extend(tree.operands(expr).into_iter().map(Work::Expr)),
        }
    }

    fn call(&mut self, function: FuncId, arguments: &[ExprId]) {
        let tree = self.tree;
        self.found.call_by_name(tree, self.symbols, function);
        if tree.functions[function].body.is_some() {
            self.callees.insert(function);
            return;
        }
        let name = self.symbols.text(tree.functions[function].name);
        if is_error(name) || super::intrinsics::is_input(name) || super::library::is_harmless(name) {
            return;
        }
        // A function of the library reads and writes what it gets pointers to.
        for &argument in arguments {
            if tree.types.pointee(tree.exprs[argument].ty).is_some() {
                let class = self.classes.class(argument);
                let class = self.classes.find(class);
                self.found.reads.insert(Location::Memory(class));
                self.found.writes.insert(Location::Memory(class));
            }
        }
    }

    fn stmt(&mut self, stmt: StmtId, work: &mut Vec<Work>) {
        use StmtKind::*;
        match &self.tree.stmts[stmt].kind {
            Empty | Goto(_) | Break | Continue | Asm(_) => {}
            Assert(expr) => {
                self.found.errs = true;
                work.push(Work::Expr(*expr));
            }
            Assume(expr) => {
                self.found.stops = true;
                work.push(Work::Expr(*expr));
            }
            Expr(expr) | ComputedGoto(expr) => work.push(Work::Expr(*expr)),
            Return(value) => work.extend(value.map(Work::Expr)),
            Declare(var, init) => {
                let class = self.classes.variable(*var);
                let class = self.classes.find(class);
                if self.tree.variables[*var].address_taken {
                    self.found.writes.insert(Location::Memory(class));
                }
                if let Some(init) = init {
                    initialiser(init, work);
                }
            }
            Block(statements) => work.extend(statements.iter().map(|&stmt| Work::Stmt(stmt))),
            If(condition, then, otherwise) => {
                work.extend([Work::Expr(*condition), Work::Stmt(*then)]);
                work.extend(otherwise.map(Work::Stmt));
            }
            While(condition, body) | DoWhile(body, condition) | Switch(condition, body) => {
                work.extend([Work::Expr(*condition), Work::Stmt(*body)]);
            }
            For(first, condition, step, body) => {
                work.extend([Work::Stmt(*first), Work::Stmt(*body)]);
                work.extend(condition.map(Work::Expr));
                work.extend(step.map(Work::Expr));
            }
            Case(_, _, body) | Default(body) | Label(_, body) => {
                // The label of errors is one.
                self.found.errs = true;
                work.push(Work::Stmt(*body));
            }
        }
    }
}

fn initialiser(init: &Init, work: &mut Vec<Work>) {
    match init {
        Init::Whole(value) => work.push(Work::Expr(*value)),
        Init::Parts(parts) => work.extend(parts.iter().map(|(_, value)| Work::Expr(*value))),
    }
}

/// All orders of some numbers.
fn permutations(items: &[usize]) -> Vec<Vec<usize>> {
    let Some((&first, rest)) = items.split_first() else { return vec![Vec::new()] };
    let mut out = Vec::new();
    for order in permutations(rest) {
        for position in 0..=order.len() {
            let mut order = order.clone();
            order.insert(position, first);
            out.push(order);
        }
    }
    out
}

impl Translator<'_> {
    fn footprint(&mut self, work: Work) -> Print {
        let addressed = Rc::clone(&self.analyses.orders.addressed);
        let mut walk = Walk::new(self.tree, self.symbols, &mut self.analyses.classes, &addressed);
        walk.run(vec![work]);
        let Walk { found, callees, indirect, .. } = walk;
        let orders = &self.analyses.orders;
        let mut called: Vec<Rc<Footprint>> =
            callees.into_iter().filter_map(|callee| orders.functions[callee].clone()).collect();
        called.extend(indirect.then(|| Rc::clone(&orders.through_pointers)));
        Print { own: found, called }
    }

    /// Which of some operands cannot be exchanged with others.
    fn exchanged(&mut self, operands: &[ExprId]) -> Vec<usize> {
        if operands.len() < 2
            || !operands.iter().any(|&operand| self.analyses.orders.impure.contains(operand))
        {
            return Vec::new();
        }
        let prints: Vec<Print> =
            operands.iter().map(|&operand| self.footprint(Work::Expr(operand))).collect();
        let conflicting = |index: usize| {
            let others = prints.iter().enumerate().filter(|&(other, _)| other != index);
            others.into_iter().any(|(_, other)| prints[index].conflicts(other))
        };
        (0..operands.len()).filter(|&index| conflicting(index)).collect()
    }

    /// Whether the order of some operands makes a difference.
    pub(super) fn order_matters(&mut self, operands: &[ExprId]) -> bool {
        !self.exchanged(operands).is_empty()
    }

    /// The values of operands that are evaluated in any order.
    pub(super) fn values_in_any_order(&mut self, operands: &[ExprId]) -> Result<Vec<Value>> {
        let exchanged = self.exchanged(operands);
        if exchanged.is_empty() {
            return operands.iter().map(|&operand| self.value(operand)).collect();
        }
        let span = self.expression.at;
        if exchanged.len() > MOST_EXCHANGED || self.expression.open_orders >= MOST_NESTED {
            self.take_one_order();
            let mut values = Vec::new();
            for &operand in operands {
                let value = self.value(operand)?;
                values.push(self.freeze_value(value));
            }
            return Ok(values);
        }
        let mut values: Vec<Option<Value>> = vec![None; operands.len()];
        for index in 0..operands.len() {
            if !exchanged.contains(&index) {
                let value = self.value(operands[index])?;
                values[index] = Some(self.freeze_value(value));
            }
        }
        let mut holders = Vec::new();
        for &index in &exchanged {
            holders.push(self.holders(self.tree.exprs[operands[index]].ty)?);
        }
        let orders = permutations(&(0..exchanged.len()).collect::<Vec<_>>());
        self.in_any_way(orders.len(), |this, way| {
            for &position in &orders[way] {
                let value = this.value(operands[exchanged[position]])?;
                this.hold(&holders[position], &value);
            }
            Ok(())
        })?;
        for &index in &exchanged {
            self.forget_assigned(operands[index]);
        }
        self.expression.at = span;
        for (&index, holders) in exchanged.iter().zip(&holders) {
            values[index] = Some(self.read_variables(self.tree.exprs[operands[index]].ty, holders)?);
        }
        Ok(values.into_iter().flatten().collect())
    }

    /// There are too many orders: one is followed, and the others are not known to be without errors.
    fn take_one_order(&mut self) {
        let (one, others) = (self.new_block("order"), self.new_block("orders"));
        self.end_block(Transfer::Goto(vec![one, others]));
        self.start(others);
        self.give_up("an expression with very many orders of evaluation");
        self.start(one);
    }

    /// Does something in one of several ways, as the environment chooses.
    fn in_any_way(&mut self, ways: usize, mut act: impl FnMut(&mut Self, usize) -> Result<()>) -> Result<()> {
        self.expression.open_orders += 1;
        let join = self.new_block("ordered");
        let blocks: Vec<Block> = (0..ways).map(|_| self.new_block("order")).collect();
        self.end_block(Transfer::Goto(blocks.clone()));
        let before = self.function.facts.clone();
        for (way, block) in blocks.into_iter().enumerate() {
            self.function.facts.clone_from(&before);
            self.start(block);
            act(self, way)?;
            self.jump(join);
        }
        self.expression.open_orders -= 1;
        self.function.facts = before;
        self.start(join);
        Ok(())
    }

    /// The value of the right side of an assignment, and the place of the left side, in any order.
    pub(super) fn value_and_place(&mut self, value: ExprId, place: ExprId) -> Result<(Value, Place)> {
        let impure =
            self.analyses.orders.impure.contains(value) || self.analyses.orders.impure.contains(place);
        let exchanged = impure && {
            let (left, right) = (self.footprint(Work::Place(place)), self.footprint(Work::Expr(value)));
            left.conflicts(&right)
        };
        if exchanged && self.expression.open_orders >= MOST_NESTED {
            self.take_one_order();
        }
        if !exchanged || self.expression.open_orders >= MOST_NESTED {
            // The value comes first, so that a call in it does not disturb the place.
            let value = self.value(value)?;
            return Ok((value, self.place(place)?));
        }
        let ty = self.tree.exprs[value].ty;
        let holders = self.holders(ty)?;
        let (base, offset) = (self.temporary(ir::Type::INT), self.temporary(ir::Type::INT));
        let mut kept: Option<Place> = None;
        let mut positions: Vec<ir::Variable> = Vec::new();
        let fits = self.temporary(ir::Type::BOOL);
        self.in_any_way(2, |this, way| {
            if way == 0 {
                let value = this.value(value)?;
                this.hold(&holders, &value);
            }
            match this.place(place)? {
                Place::Memory { base: b, offset: o, class, key, bits, inside } => {
                    this.assign_all(vec![(base, b), (offset, o)]);
                    let (base, offset) = (this.var(base), this.var(offset));
                    let inside = inside.map(|inside| {
                        this.assign(fits, inside);
                        this.var(fits)
                    });
                    kept = Some(Place::Memory { base, offset, class, key, bits, inside });
                }
                Place::Plain { variables, leaf, indices, inside } => {
                    while positions.len() < indices.len() {
                        positions.push(this.temporary(ir::Type::INT));
                    }
                    this.assign_all(positions.iter().copied().zip(indices).collect());
                    let certain = this.truth(true);
                    this.assign(fits, inside.unwrap_or(certain));
                    let indices = positions.iter().map(|&position| this.var(position)).collect();
                    let inside = Some(this.var(fits));
                    kept = Some(Place::Plain { variables, leaf, indices, inside });
                }
                _ => return Err(this.unsupported("an assignment whose sides are evaluated in any order")),
            }
            if way == 1 {
                let value = this.value(value)?;
                this.hold(&holders, &value);
            }
            Ok(())
        })?;
        self.forget_assigned(value);
        self.forget_assigned(place);
        let value = self.read_variables(ty, &holders)?;
        match kept {
            Some(place) => Ok((value, place)),
            None => Err(self.unsupported("an assignment whose sides are evaluated in any order")),
        }
    }
}
