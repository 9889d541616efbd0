//! `setjmp` and `longjmp` (C11 7.13), after `check/jumps.rs` has made the buffer an object with two numbers.
//!
//! A jump is a return that goes on: it notes where to, and leaves the function. Behind each call of a function that may
//! be left so, the caller looks whether it is the activation that was meant. If it is, it goes on behind its `setjmp`;
//! if not, it returns as well. Activations are numbered in the order in which they begin, so a number is never used twice.
//! A jump to an activation that has ended, or through a buffer that nobody has set, has no meaning in C: it is left
//! by all functions, and then the model gives up.
//!
//! A variable that is not `volatile` and has changed since `setjmp` has any value behind a jump. Compilers mostly
//! keep what it had, so an error that needs another value is none that we report. Variables in memory keep what they have.
//!
//! Cost: a comparison behind every call of a function that may be left by a jump, and a copy of each such variable for each
//! call of `setjmp`.

use super::contexts::Home;
use super::numbers::Interval;
use super::values::Value;
use super::{Result, Translator};
use crate::tree::{ExprId, ExprKind, FuncId, Lifetime, VarId};
use crate::types::IntKind;
use base::EntitySet;
use ir::{BinaryOp, Block, Transfer, Variable};
use std::collections::BTreeMap;

/// The function that jumps.
pub(super) const LEAVES: &str = "__unreach_jump";

/// The largest number that every buffer can hold.
const MOST_ACTIVATIONS: i128 = i32::MAX as i128;

/// Where jumps to a call of `setjmp` arrive.
#[derive(Clone, Copy)]
pub(super) struct Resumed {
    block: Block,
    /// Whether the call was translated.
    is_defined: bool,
}

/// What is known of jumps, all through the program.
#[derive(Default)]
pub(super) struct Jumps {
    /// The functions that may be left by a jump.
    left: EntitySet<FuncId>,
    state: Option<State>,
}

/// The variables of programs with jumps.
#[derive(Clone, Copy)]
struct State {
    /// The activation that is being jumped to, or 0.
    target: Variable,
    /// The call of `setjmp` there.
    site: Variable,
    /// What it returns.
    value: Variable,
    /// How many activations there were.
    activations: Variable,
}

impl Translator<'_> {
    /// Finds the functions that may be left by jumps.
    pub(super) fn declare_jumps(&mut self, reachable: &[FuncId]) {
        let tree = self.tree;
        let mut live: EntitySet<FuncId> = EntitySet::new();
        live.extend(reachable.iter().copied());
        let jump = tree.functions.iter().find(|(_, data)| self.symbols.text(data.name) == LEAVES);
        let Some((jump, _)) = jump else { return };
        let mut callers: BTreeMap<FuncId, Vec<FuncId>> = BTreeMap::new();
        for &(from, to) in &tree.mentions {
            callers.entry(to).or_default().extend(from.filter(|&from| live.contains(from)));
        }
        if !callers.contains_key(&jump) {
            return;
        }
        let mut work = callers.remove(&jump).unwrap_or_default();
        let mut by_pointer = false;
        while let Some(function) = work.pop() {
            if !self.jumps.left.insert(function) {
                continue;
            }
            work.extend(callers.get(&function).into_iter().flatten());
            if tree.functions[function].address_uses > 0 && !by_pointer {
                by_pointer = true;
                work.extend(tree.indirect_callers.iter().filter(|&&caller| live.contains(caller)));
            }
        }
        let mut global = |name: &str| self.new_global(name, ir::Type::INT);
        self.jumps.state = Some(State {
            target: global("#jump"),
            site: global("#site"),
            value: global("#value"),
            activations: global("#activations"),
        });
    }

    /// Nobody jumps when the program begins.
    pub(super) fn initialise_jumps(&mut self) {
        let Some(state) = self.jumps.state else { return };
        let zero = self.int(0);
        let all = [state.target, state.site, state.value, state.activations];
        self.assign_all(all.into_iter().map(|variable| (variable, zero)).collect());
    }

    /// The call of a function with `setjmp` gets its number.
    pub(super) fn open_activation(&mut self, function: FuncId) {
        let Some(state) = self.jumps.state else { return };
        if !self.tree.jump_sites.iter().any(|site| site.function == function) {
            return;
        }
        let activation = self.new_local("#activation", ir::Type::INT);
        let (count, one) = (self.var(state.activations), self.int(1));
        let next = self.add(count, one);
        self.assign(state.activations, next);
        let count = self.var(state.activations);
        self.assign(activation, count);
        let most = self.int(MOST_ACTIVATIONS);
        let fits = self.compare(BinaryOp::LessEqual, count, most);
        self.give_up_unless(fits, "so many calls of functions with `setjmp`");
        self.function.activation = Some(activation);
    }

    /// One of the functions that `check/jumps.rs` calls.
    pub(super) fn jump_call(&mut self, call: ExprId, arguments: &[ExprId]) -> Result<Value> {
        if self.threads.concurrent {
            return Err(self.unsupported("`setjmp` or `longjmp` in a program with threads"));
        }
        if self.has_contracts() {
            return Err(self.unsupported("`setjmp` or `longjmp` in a program with contracts"));
        }
        match *arguments {
            [] => {
                let range = Interval { low: 0, high: MOST_ACTIVATIONS };
                let number = match self.function.activation {
                    Some(activation) => self.var(activation),
                    // Nobody jumps.
                    None => self.int(0),
                };
                Ok(Value::Int(number, range))
            }
            [site] => {
                let ExprKind::Int(site) = self.tree.exprs[site].kind else {
                    return Err(self.unsupported("this use of `setjmp`"));
                };
                self.set_jump(site as usize)
            }
            _ => self.long_jump(call, arguments),
        }
    }

    /// Whether functions have contracts, which do not say where jumps go.
    fn has_contracts(&self) -> bool {
        let of_contract = |function: FuncId| {
            self.symbols.text(self.tree.functions[function].name).starts_with(crate::contracts::INTRINSIC)
        };
        self.tree.mentions.iter().any(|&(_, to)| of_contract(to))
    }

    /// Where jumps to a call of `setjmp` of this function arrive.
    fn resumed(&mut self, site: usize) -> Block {
        if let Some(resumed) = self.function.resumed.get(&site) {
            return resumed.block;
        }
        let block = self.new_block("resumed");
        self.function.resumed.insert(site, Resumed { block, is_defined: false });
        block
    }

    /// The value of `setjmp`: 0 the first time, and what jumps say later.
    fn set_jump(&mut self, site: usize) -> Result<Value> {
        let (Some(state), Some(_)) = (self.jumps.state, self.function.activation) else {
            let zero = self.int(0);
            return Ok(Value::Int(zero, Interval::exactly(0)));
        };
        let block = self.resumed(site);
        let before = self.function.resumed.insert(site, Resumed { block, is_defined: true });
        if before.is_some_and(|before| before.is_defined) {
            return Err(self.unsupported("`setjmp` where operands are evaluated in any order"));
        }
        let result = self.temporary(ir::Type::INT);
        let zero = self.int(0);
        self.assign(result, zero);
        let copies = self.copy_changing_variables();
        let behind = self.new_block("setjmp");
        self.jump(behind);
        self.start(block);
        self.forget_all();
        self.enter_label(None)?;
        let value = self.var(state.value);
        self.assign_all(vec![(result, value), (state.target, zero)]);
        for copied in copies {
            self.lose_if_changed(&copied);
        }
        self.jump(behind);
        self.start(behind);
        let result = self.var(result);
        Ok(Value::Int(result, Interval::of(&self.tree.types, IntKind::Int)))
    }

    /// Copies the variables of the function that have no certain value behind a jump if they change before it: the parts of
    /// each, with their copies.
    fn copy_changing_variables(&mut self) -> Vec<Vec<(Variable, Variable)>> {
        let function = self.frames.current;
        let changing: Vec<VarId> = self
            .tree
            .variables
            .iter()
            .filter_map(|(var, data)| {
                let own = data.function == function && data.lifetime != Lifetime::Static && !data.volatile;
                (own && self.analyses.assigned.contains(var)).then_some(var)
            })
            .collect();
        let mut copies = Vec::new();
        for var in changing {
            let Some(Home::Plain(parts)) = self.storage.homes[var].clone() else { continue };
            let mut copied = Vec::new();
            for &part in parts.iter().flatten() {
                let copy = self.temporary(self.program.variables[part].ty);
                let value = self.var(part);
                self.assign(copy, value);
                copied.push((part, copy));
            }
            copies.push(copied);
        }
        copies
    }

    /// A variable loses its value if it is not what it was.
    fn lose_if_changed(&mut self, copied: &[(Variable, Variable)]) {
        let mut same = self.truth(true);
        for &(part, copy) in copied {
            let (now, before) = (self.var(part), self.var(copy));
            let equal = self.equal(now, before);
            same = self.and(same, equal);
        }
        let (changed, kept) = (self.new_block("changed"), self.new_block("kept"));
        self.branch(same, kept, changed);
        self.start(changed);
        let parts = copied.iter().map(|&(part, _)| part).collect();
        self.havoc_marked(parts, "a variable that has changed since `setjmp` and is not volatile", None);
        self.jump(kept);
        self.start(kept);
    }

    fn long_jump(&mut self, call: ExprId, arguments: &[ExprId]) -> Result<Value> {
        let values = self.argument_values(arguments)?;
        let (Some(state), [Value::Int(target, _), Value::Int(site, _), Value::Int(value, _)]) =
            (self.jumps.state, &values[..])
        else {
            return Err(self.unsupported("this use of `longjmp`"));
        };
        let (target, site, value) = (self.freeze(*target), *site, self.freeze(*value));
        let (zero, one) = (self.int(0), self.int(1));
        let is_set = self.compare(BinaryOp::Less, zero, target);
        self.give_up_unless(is_set, "a jump through a buffer that was not set");
        let is_zero = self.equal(value, zero);
        let value = self.ite(is_zero, one, value);
        self.assign_all(vec![(state.target, target), (state.site, site), (state.value, value)]);
        self.leave()?;
        self.dead_value(self.tree.exprs[call].ty)
    }

    /// Goes on behind the `setjmp` that is being jumped to, or leaves the function.
    fn leave(&mut self) -> Result<()> {
        let Some(state) = self.jumps.state else { return Ok(()) };
        if let (Some(activation), Some(function)) = (self.function.activation, self.frames.current) {
            let (target, own) = (self.var(state.target), self.var(activation));
            let is_here = self.equal(target, own);
            let (here, elsewhere) = (self.new_block("here"), self.new_block("leave"));
            self.branch(is_here, here, elsewhere);
            self.start(here);
            let sites = self.tree.jump_sites.iter().enumerate();
            let sites: Vec<usize> =
                sites.filter(|(_, site)| site.function == function).map(|(number, _)| number).collect();
            for number in sites {
                let (site, wanted) = (self.var(state.site), self.int(number));
                let is_this = self.equal(site, wanted);
                let (block, next) = (self.resumed(number), self.new_block("next"));
                self.branch(is_this, block, next);
                self.start(next);
            }
            self.give_up("a jump through a buffer that was changed");
            self.start(elsewhere);
        }
        self.end_scopes(0)?;
        self.close_stack_blocks()?;
        self.end_block(Transfer::Return);
        Ok(())
    }

    /// Behind a call: if the function was left by a jump, so is this one, unless it is where the jump goes.
    pub(super) fn go_on_unless_left(&mut self, called: FuncId) -> Result<()> {
        let Some(state) = self.jumps.state.filter(|_| self.jumps.left.contains(called)) else {
            return Ok(());
        };
        let (target, zero) = (self.var(state.target), self.int(0));
        let returned = self.equal(target, zero);
        let (on, left) = (self.new_block("returned"), self.new_block("left"));
        self.branch(returned, on, left);
        self.start(left);
        self.leave()?;
        self.start(on);
        Ok(())
    }

    /// Behind a call that is no function's: nobody is left that a jump could go to.
    pub(super) fn give_up_if_left(&mut self, called: FuncId) {
        let Some(state) = self.jumps.state.filter(|_| self.jumps.left.contains(called)) else { return };
        let (target, zero) = (self.var(state.target), self.int(0));
        let returned = self.equal(target, zero);
        self.give_up_unless(returned, "a jump to a function that has returned");
    }
}

/// Whether an expression is the value of a call of `setjmp`.
pub(super) fn is_resumed(tree: &crate::tree::Tree, expr: ExprId) -> bool {
    tree.jump_sites.iter().any(|site| site.resumed == expr)
}
