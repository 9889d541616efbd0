//! Frames: while one is open, only what its contract lists may be written.
//!
//! A frame is opened by a call that [`crate::contracts`] has put into the program, and lists its targets by further
//! calls; each target becomes a few variables that hold where it is. Every write in a function that may run while the frame is
//! open is then preceded by an assertion: the place is new since the frame began, a variable of a function that was called
//! since, or inside of a target. The condition is exact; it is a disjunction over the targets, so the cost is the
//! number of writes times that of targets of frames that reach them.
//!
//! A frame does not nest with itself: one that is opened again inside a call from its own function is refused, unless the
//! contract makes sure that it is not.

use super::contexts::Home;
use super::places::Place;
use super::values::Value;
use super::{Result, Translator};
use crate::contracts::INTRINSIC;
use crate::symbols::Symbols;
use crate::tree::{Callee, ExprId, ExprKind, FuncId, Lifetime, Tree, VarId};
use crate::types::TypeId;
use base::EntitySet;
use ir::{BinaryOp, Expr, Variable};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// What happens at a write that is not allowed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Strictness {
    /// It is an error.
    Closed,
    /// Everything is allowed.
    Open,
    /// The answer is unknown: the list of targets was found and not given.
    Found,
}

/// Where a target is.
enum Spot {
    /// A part of a variable that is not in memory: its leaves, and variables that hold the indices.
    Plain { var: VarId, leaf: usize, count: usize, indices: Vec<Variable> },
    /// Bytes of an object, or all of it.
    Memory { base: Variable, range: Option<(Variable, Variable)> },
}

/// Some leaves of a variable: the first, and how many there are.
#[derive(Clone, Copy)]
struct Leaves {
    leaf: usize,
    count: usize,
}

struct TargetData {
    /// Whether its condition held.
    enabled: Variable,
    spot: Spot,
    /// Whether it may be freed, and not written.
    frees: bool,
}

struct Frame {
    strictness: Strictness,
    /// The function that opens it.
    owner: Option<FuncId>,
    active: Variable,
    /// For a loop, whether everything was allowed that this round has written. What follows a `break` is no round.
    kept: Option<Variable>,
    /// The base of the next object when it began.
    next: Variable,
    targets: Vec<TargetData>,
    /// The functions that may run while it is open.
    reach: EntitySet<FuncId>,
    /// Variables of the owner that are declared while it is open.
    inner: BTreeSet<VarId>,
    /// Whether the translation is between its beginning and its end.
    open: bool,
}

/// All frames of a program, by their numbers.
#[derive(Default)]
pub(super) struct Frames {
    list: BTreeMap<i128, Frame>,
    /// The target that a call lists, as the number of its frame and its place there.
    calls: BTreeMap<ExprId, (i128, usize)>,
    /// The function that is being translated.
    pub(super) current: Option<FuncId>,
    /// Whether a write was allowed as a part of a larger one.
    allowed: bool,
    /// How often looking at memory was said to be no part of the program; some do so inside of others.
    quiet: u32,
}

/// A call of a contract's function: what it does, and its arguments.
fn contract_call<'t>(tree: &'t Tree, symbols: &'t Symbols, expr: ExprId) -> Option<(&'t str, &'t [ExprId])> {
    let ExprKind::Call(Callee::Direct(function), arguments) = &tree.exprs[expr].kind else { return None };
    let name = symbols.text(tree.functions[*function].name);
    Some((name.strip_prefix(INTRINSIC)?, arguments))
}

impl Translator<'_> {
    /// Finds the frames of the program.
    pub(super) fn declare_frames(&mut self) -> Result<()> {
        let tree = self.tree;
        let mut owners: BTreeMap<ExprId, FuncId> = BTreeMap::new();
        for (function, data) in tree.functions.iter() {
            if data.body.is_none() {
                continue;
            }
            let inside = super::live::Live::inside(tree, function);
            let calls = inside.exprs(tree).filter(|&expr| contract_call(tree, self.symbols, expr).is_some());
            owners.extend(calls.map(|expr| (expr, function)));
        }
        let live = Rc::clone(&self.analyses.live);
        for (&expr, &owner) in owners.iter().filter(|&(&expr, _)| live.has_expr(expr)) {
            let Some((what, arguments)) = contract_call(tree, self.symbols, expr) else { continue };
            let Some(ExprKind::Int(number)) = arguments.first().map(|&first| &tree.exprs[first].kind) else {
                continue;
            };
            let strictness = match what {
                "begin" | "begin_once" | "begin_loop" => Strictness::Closed,
                "begin_open" => Strictness::Open,
                "begin_found" => Strictness::Found,
                _ => continue,
            };
            self.expression.at = tree.exprs[expr].span;
            if strictness != Strictness::Open
                && what != "begin_once"
                && self.analyses.recursive.contains(owner)
            {
                return Err(
                    self.unsupported("what a recursive function or loop in one assigns, by its contract")
                );
            }
            let kept = matches!(what, "begin_loop" | "begin_found")
                .then(|| self.new_global("#frame.kept", ir::Type::BOOL));
            let frame = Frame {
                kept,
                strictness,
                owner: Some(owner),
                active: self.new_global("#frame.open", ir::Type::BOOL),
                next: self.new_global("#frame.next", ir::Type::INT),
                targets: Vec::new(),
                reach: reached(tree, owner),
                inner: BTreeSet::new(),
                open: false,
            };
            self.frames.list.insert(*number, frame);
        }
        for &expr in owners.keys().filter(|&&expr| live.has_expr(expr)) {
            let Some((what, arguments)) = contract_call(tree, self.symbols, expr) else { continue };
            self.expression.at = tree.exprs[expr].span;
            let &[number, place, ..] = arguments else { continue };
            let ExprKind::Int(number) = tree.exprs[number].kind else { continue };
            let (spot, frees) = match what {
                "place" => (self.spot_of_place(place)?, false),
                "range" | "from" => (self.spot_in_memory(true), false),
                "object" => (self.spot_in_memory(false), false),
                "frees" => (self.spot_in_memory(false), true),
                _ => continue,
            };
            let enabled = self.new_global("#target", ir::Type::BOOL);
            if let Some(frame) = self.frames.list.get_mut(&number) {
                self.frames.calls.insert(expr, (number, frame.targets.len()));
                frame.targets.push(TargetData { enabled, spot, frees });
            }
        }
        Ok(())
    }

    fn spot_in_memory(&mut self, part: bool) -> Spot {
        let base = self.new_global("#target.base", ir::Type::INT);
        let range = part.then(|| {
            (self.new_global("#target.low", ir::Type::INT), self.new_global("#target.high", ir::Type::INT))
        });
        Spot::Memory { base, range }
    }

    /// Whether the place of a target is in memory, and which leaves it has otherwise.
    fn spot_of_place(&mut self, load: ExprId) -> Result<Spot> {
        let tree = self.tree;
        let ExprKind::Load(place) = tree.exprs[load].kind else {
            return Err(self.unsupported("a target that is no place"));
        };
        let (mut at, mut leaf, mut dimensions) = (place, 0, 0);
        loop {
            match tree.exprs[at].kind {
                ExprKind::Member(inner, index) => {
                    let before =
                        super::leaves::leaves_before(&tree.types, self.symbols, tree.exprs[inner].ty, index);
                    leaf += before.unwrap_or(0);
                    at = inner;
                }
                ExprKind::Index(inner, _) => {
                    dimensions += 1;
                    at = inner;
                }
                ExprKind::Variable(var) if self.is_plain(var) => {
                    let count = self.leaves(tree.exprs[place].ty)?.len();
                    let indices =
                        (0..dimensions).map(|_| self.new_global("#target.index", ir::Type::INT)).collect();
                    return Ok(Spot::Plain { var, leaf, count, indices });
                }
                _ => return Ok(self.spot_in_memory(true)),
            }
        }
    }

    /// Whether looking at memory is no part of the program here.
    pub(super) fn is_quiet(&self) -> bool {
        self.frames.quiet > 0
    }

    /// Whether there are frames at all.
    pub(super) fn has_frames(&self) -> bool {
        !self.frames.list.is_empty()
    }

    /// No frame is open when the program begins.
    pub(super) fn initialise_frames(&mut self) {
        let active: Vec<Variable> = self.frames.list.values().map(|frame| frame.active).collect();
        for variable in active {
            let closed = self.truth(false);
            self.assign(variable, closed);
        }
    }

    /// A call that opens or closes a frame, or lists a target; false if it is none.
    pub(super) fn frame_call(&mut self, what: &str, call: ExprId, arguments: &[ExprId]) -> Result<bool> {
        let number = match arguments.first().map(|&first| &self.tree.exprs[first].kind) {
            Some(&ExprKind::Int(number)) => number,
            _ => return Ok(false),
        };
        match what {
            "begin" | "begin_open" | "begin_found" | "begin_once" | "begin_loop" => self.begin_frame(number),
            "round" => self.end_round(number),
            "quiet" if number != 0 => self.frames.quiet += 1,
            "quiet" => self.frames.quiet = self.frames.quiet.saturating_sub(1),
            "end" | "leave" => {
                let Some(frame) = self.frames.list.get_mut(&number) else { return Ok(true) };
                if what == "end" {
                    frame.open = false;
                }
                let (active, closed) = (frame.active, self.truth(false));
                self.assign(active, closed);
            }
            "place" | "range" | "from" | "object" | "frees" => self.list_target(what, call, arguments)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn begin_frame(&mut self, number: i128) {
        let next = self.var(self.storage.next_object);
        let Some(frame) = self.frames.list.get_mut(&number) else { return };
        frame.open = true;
        let (active, at_begin, kept) = (frame.active, frame.next, frame.kept);
        let enabled: Vec<Variable> = frame.targets.iter().map(|target| target.enabled).collect();
        let (open, off) = (self.truth(true), self.truth(false));
        self.assign(active, open);
        self.assign(at_begin, next);
        if let Some(kept) = kept {
            let all = self.truth(true);
            self.assign(kept, all);
        }
        for variable in enabled {
            self.assign(variable, off);
        }
    }

    /// A round of a loop ends, and another one may follow: all that it has written must have been allowed.
    fn end_round(&mut self, number: i128) {
        let Some(frame) = self.frames.list.get(&number) else { return };
        let (Some(kept), strictness) = (frame.kept, frame.strictness) else { return };
        let kept = self.var(kept);
        match strictness {
            Strictness::Open => {}
            Strictness::Closed => self.assert(kept, "assigns: the loop changes more than its contract lists"),
            Strictness::Found => {
                self.give_up_unless(kept, "a loop that changes more than what was found in its text");
            }
        }
    }

    /// Remembers where a target is. Finding that out is no write, and must not be checked as an access.
    fn list_target(&mut self, what: &str, call: ExprId, arguments: &[ExprId]) -> Result<()> {
        let Some(&(number, index)) = self.frames.calls.get(&call) else { return Ok(()) };
        let place = match (what, &self.tree.exprs[arguments[1]].kind) {
            ("place", &ExprKind::Load(place)) => Some(place),
            _ => None,
        };
        let (pointer, bytes) = match place {
            Some(place) => {
                let ty = self.tree.exprs[place].ty;
                self.frames.quiet += 1;
                let found = self.place(place);
                self.frames.quiet -= 1;
                match found? {
                    Place::Plain { indices, .. } => return self.list_plain((number, index), &indices),
                    Place::Memory { base, offset, .. } => {
                        (Value::Pointer(base, offset), Some(self.covered_bytes(ty)?))
                    }
                    Place::Value { .. } => return Err(self.unsupported("a target that is a value")),
                }
            }
            None => {
                self.frames.quiet += 1;
                let pointer = self.value(arguments[1]);
                self.frames.quiet -= 1;
                let pointer = pointer?;
                let bytes = match (what, arguments.get(2)) {
                    ("range", Some(&size)) => match self.value(size)? {
                        Value::Int(size, _) => Some(size),
                        _ => return Err(self.unsupported("a size that is no integer")),
                    },
                    _ => None,
                };
                (pointer, bytes)
            }
        };
        let Value::Pointer(base, offset) = pointer else {
            return Err(self.unsupported("a target without a pointer"));
        };
        let end = match (what, bytes) {
            ("from", _) => Some(self.object_size(base)?),
            (_, Some(bytes)) => Some(self.add(offset, bytes)),
            _ => None,
        };
        let target = &self.frames.list[&number].targets[index];
        let (enabled, spot) = (target.enabled, &target.spot);
        let Spot::Memory { base: base_variable, range } = *spot else {
            return Err(self.unsupported("a target that moved into memory"));
        };
        self.assign(base_variable, base);
        if let (Some((low, high)), Some(end)) = (range, end) {
            self.assign(low, offset);
            self.assign(high, end);
        }
        let on = self.truth(true);
        self.assign(enabled, on);
        Ok(())
    }

    fn list_plain(&mut self, (number, index): (i128, usize), places: &[Expr]) -> Result<()> {
        let target = &self.frames.list[&number].targets[index];
        let enabled = target.enabled;
        let Spot::Plain { indices, .. } = &target.spot else {
            return Err(self.unsupported("a target that left memory"));
        };
        let pairs: Vec<(Variable, Expr)> = indices.iter().copied().zip(places.iter().copied()).collect();
        self.assign_all(pairs);
        let on = self.truth(true);
        self.assign(enabled, on);
        Ok(())
    }

    /// Notes that a variable begins to live.
    pub(super) fn declare_in_frames(&mut self, var: VarId) {
        for frame in self.frames.list.values_mut().filter(|frame| frame.open) {
            frame.inner.insert(var);
        }
    }

    /// The numbers of frames that watch the function that is being translated.
    fn watching(&self) -> Vec<i128> {
        let Some(current) = self.frames.current.filter(|_| !self.is_quiet()) else { return Vec::new() };
        let watches = |frame: &Frame| {
            frame.strictness != Strictness::Open
                && frame.reach.contains(current)
                && (frame.open || frame.owner != Some(current))
        };
        self.frames.list.iter().filter(|(_, frame)| watches(frame)).map(|(&number, _)| number).collect()
    }

    /// Whether writes are held against a list in the function that is being translated.
    pub(super) fn is_watched(&self) -> bool {
        !self.watching().is_empty()
    }

    /// A write must be allowed by all frames that are open.
    pub(super) fn check_frames(&mut self, place: &Place, ty: TypeId) -> Result<()> {
        if self.frames.allowed || self.is_quiet() {
            return Ok(());
        }
        for number in self.watching() {
            let allowed = match place {
                Place::Plain { variables, leaf, indices, .. } => {
                    let var = self.variable_of(variables);
                    let count = self.leaves(ty)?.len();
                    self.allowed_plain(number, var, Leaves { leaf: *leaf, count }, indices)
                }
                Place::Memory { base, offset, .. } => {
                    let bytes = self.covered_bytes(ty)?;
                    let end = self.add(*offset, bytes);
                    self.allowed_in_memory(number, *base, Some((*offset, end)))
                }
                Place::Value { .. } => continue,
            };
            self.demand(number, allowed, "assigns: a write that the contract does not allow");
        }
        Ok(())
    }

    /// A write of so many bytes must be allowed; the single writes that it consists of are then.
    pub(super) fn check_frames_of_range(&mut self, base: Expr, offset: Expr, size: Expr) {
        for number in self.watching() {
            let end = self.add(offset, size);
            let allowed = self.allowed_in_memory(number, base, Some((offset, end)));
            let (zero, none) = (self.int(0), size);
            let nothing = self.equal(none, zero);
            let allowed = self.or(nothing, allowed);
            self.demand(number, allowed, "assigns: a write that the contract does not allow");
        }
    }

    /// Writes are parts of one that was allowed.
    pub(super) fn inside_allowed<T>(&mut self, f: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.frames.allowed, true);
        let result = f(self);
        self.frames.allowed = outer;
        result
    }

    /// All of an object is written.
    pub(super) fn check_frames_of_object(&mut self, base: Expr) {
        for number in self.watching() {
            let allowed = self.allowed_in_memory(number, base, None);
            self.demand(number, allowed, "assigns: a write that the contract does not allow");
        }
    }

    /// A block is freed.
    pub(super) fn check_frames_of_free(&mut self, base: Expr) {
        for number in self.watching() {
            let frame = &self.frames.list[&number];
            let next = frame.next;
            // A contract that says nothing of blocks to free allows it for those that may change as a whole.
            let listed = frame.targets.iter().any(|target| target.frees);
            let whole = |spot: &Spot| matches!(spot, Spot::Memory { range: None, .. });
            let spots: Vec<(Variable, Variable)> = frame
                .targets
                .iter()
                .filter(|target| target.frees || (!listed && whole(&target.spot)))
                .filter_map(|target| match target.spot {
                    Spot::Memory { base, .. } => Some((target.enabled, base)),
                    Spot::Plain { .. } => None,
                })
                .collect();
            let mut allowed = self.is_new(base, next);
            for (enabled, target) in spots {
                let (on, target) = (self.var(enabled), self.var(target));
                let same = self.equal(base, target);
                let here = self.and(on, same);
                allowed = self.or(allowed, here);
            }
            self.demand(number, allowed, "frees: a block that the contract does not list");
        }
    }

    /// Whether an object was made since a frame began.
    fn is_new(&mut self, base: Expr, next: Variable) -> Expr {
        let next = self.var(next);
        self.compare(BinaryOp::GreaterEqual, base, next)
    }

    /// Whether an object was made since a frame began, by the number of the frame.
    pub(super) fn is_new_since(&mut self, base: Expr, number: i128) -> Option<Expr> {
        let next = self.frames.list.get(&number)?.next;
        Some(self.is_new(base, next))
    }

    fn demand(&mut self, number: i128, allowed: Expr, what: &str) {
        let frame = &self.frames.list[&number];
        let (strictness, active, here, kept) = (frame.strictness, frame.active, frame.open, frame.kept);
        let allowed = if here {
            allowed
        } else {
            let active = self.var(active);
            let closed = self.not(active);
            self.or(closed, allowed)
        };
        if matches!(self.program.expressions[allowed], ir::ExprData::Bool(true)) {
            return;
        }
        match (strictness, kept) {
            (Strictness::Open, _) => {}
            (_, Some(kept)) => {
                let before = self.var(kept);
                let still = self.and(before, allowed);
                self.assign(kept, still);
            }
            (_, None) => self.assert(allowed, what),
        }
    }

    fn variable_of(&self, variables: &Rc<[Vec<Variable>]>) -> Option<VarId> {
        let is_home = |var: VarId| matches!(&self.storage.homes[var], Some(Home::Plain(home)) if Rc::ptr_eq(home, variables));
        self.tree.variables.keys().find(|&var| is_home(var))
    }

    /// Whether a variable belongs to a call that was made while a frame is open, or to a block inside.
    fn is_inner(&self, number: i128, var: VarId) -> bool {
        let frame = &self.frames.list[&number];
        let data = &self.tree.variables[var];
        match data.function {
            // Static variables of functions belong to them.
            Some(function) if data.lifetime == Lifetime::Static => frame.reach.contains(function),
            Some(function) if Some(function) == frame.owner => frame.inner.contains(&var),
            Some(function) => frame.reach.contains(function),
            None => false,
        }
    }

    fn allowed_plain(
        &mut self,
        number: i128,
        var: Option<VarId>,
        Leaves { leaf, count }: Leaves,
        indices: &[Expr],
    ) -> Expr {
        // A temporary is nobody's variable.
        let Some(var) = var else { return self.truth(true) };
        if self.is_inner(number, var) {
            return self.truth(true);
        }
        let mut covering = Vec::new();
        for target in &self.frames.list[&number].targets {
            if let Spot::Plain { var: other, leaf: first, count: all, indices: at } = &target.spot
                && *other == var
                && *first <= leaf
                && leaf + count <= first + all
                && at.len() <= indices.len()
            {
                covering.push((target.enabled, at.clone()));
            }
        }
        let mut allowed = self.truth(false);
        for (enabled, at) in covering {
            let mut here = self.var(enabled);
            for (&wanted, &index) in at.iter().zip(indices) {
                let wanted = self.var(wanted);
                let same = self.equal(wanted, index);
                here = self.and(here, same);
            }
            allowed = self.or(allowed, here);
        }
        allowed
    }

    fn allowed_in_memory(&mut self, number: i128, base: Expr, bytes: Option<(Expr, Expr)>) -> Expr {
        let tree = self.tree;
        let next = self.frames.list[&number].next;
        let mut allowed = self.is_new(base, next);
        // Variables of calls that were made since.
        let mut own: Vec<u64> = Vec::new();
        for (var, data) in tree.variables.iter() {
            let automatic = data.function.is_some() && self.analyses.live.has_variable(var);
            if automatic
                && !self.is_renewed(var)
                && !self.is_plain(var)
                && self.is_inner(number, var)
                && let Ok(Home::Fixed(base)) = self.home(var)
            {
                own.push(base);
            }
        }
        if let Some(known) = self.literal(base) {
            if own.iter().any(|&base| i128::from(base) == known) {
                return self.truth(true);
            }
        } else {
            for one in own {
                let one = self.int(one);
                let same = self.equal(base, one);
                allowed = self.or(allowed, same);
            }
        }
        let spots: Vec<_> = self.frames.list[&number]
            .targets
            .iter()
            .filter(|target| !target.frees)
            .filter_map(|target| match target.spot {
                Spot::Memory { base, range } => Some((target.enabled, base, range)),
                Spot::Plain { .. } => None,
            })
            .collect();
        for (enabled, target, range) in spots {
            let (on, target) = (self.var(enabled), self.var(target));
            let same = self.equal(base, target);
            let mut here = self.and(on, same);
            match (range, bytes) {
                (None, _) => {}
                (Some((low, high)), Some((from, to))) => {
                    let (low, high) = (self.var(low), self.var(high));
                    let above = self.compare(BinaryOp::LessEqual, low, from);
                    let below = self.compare(BinaryOp::LessEqual, to, high);
                    let inside = self.and(above, below);
                    here = self.and(here, inside);
                }
                // All of an object is more than a part of it.
                (Some(_), None) => continue,
            }
            allowed = self.or(allowed, here);
        }
        allowed
    }
}

/// The functions that may run because a function does, itself included.
fn reached(tree: &Tree, from: FuncId) -> EntitySet<FuncId> {
    let mut reached = EntitySet::new();
    let mut work = vec![from];
    while let Some(function) = work.pop() {
        if !reached.insert(function) {
            continue;
        }
        work.extend(tree.mentions.iter().filter(|(by, _)| *by == Some(function)).map(|&(_, to)| to));
        if tree.indirect_callers.contains(&function) {
            let taken = tree.functions.iter().filter(|(_, data)| data.address_uses > 0);
            work.extend(taken.map(|(function, _)| function));
        }
    }
    reached
}
