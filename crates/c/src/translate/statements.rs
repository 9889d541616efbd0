//! Statements to control flow.

use super::contexts::JumpTargets;
use super::values::Value;
use super::{Result, Translator};
use crate::ast::AsmEffect;
use crate::options::Letter;
use crate::problem::Problem;
use crate::symbols::Symbol;
use crate::tree::{StmtId, StmtKind};
use base::Budget;
use ir::{Block, Transfer};

/// A label or a case with its block.
type Target = (StmtId, Block);

/// A `switch` that is being translated: the values of its cases with their blocks.
#[derive(Default)]
pub struct Switch {
    cases: Vec<(i128, i128, Target)>,
    default: Option<Target>,
}

impl Translator<'_> {
    pub(super) fn statement(&mut self, id: StmtId) -> Result<()> {
        crate::deep(|| self.statement_inside(id))
    }

    fn statement_inside(&mut self, id: StmtId) -> Result<()> {
        self.budget.map_or(Ok(()), Budget::check).map_err(Problem::Interrupted)?;
        let tree = self.tree;
        let stmt = &tree.stmts[id];
        self.expression.at = stmt.span;
        match &stmt.kind {
            StmtKind::Empty | StmtKind::Asm(AsmEffect::Barrier) => {}
            StmtKind::Asm(AsmEffect::Unknown) => return Err(self.unsupported("assembly")),
            StmtKind::Expr(expr) => self.effect(*expr)?,
            StmtKind::Declare(var, init) => self.declare(*var, init.as_ref())?,
            StmtKind::Block(statements) => {
                self.open_scope();
                for &statement in statements {
                    self.statement(statement)?;
                }
                self.close_scope()?;
            }
            StmtKind::If(condition, then, otherwise) => {
                let (yes, no) = (self.new_block("then"), self.new_block("else"));
                let join = self.new_block("join");
                self.branch_on(*condition, yes, no)?;
                self.forget_assigned(*condition);
                let before = self.function.facts.clone();
                self.refine(*condition, true);
                self.start(yes);
                self.substatement(*then)?;
                self.forget_if_dead();
                self.jump(join);
                let behind_then = std::mem::replace(&mut self.function.facts, before);
                self.refine(*condition, false);
                self.start(no);
                if let Some(otherwise) = otherwise {
                    self.substatement(*otherwise)?;
                }
                self.forget_if_dead();
                self.join_facts(behind_then);
                self.continue_in(join);
            }
            StmtKind::While(condition, body) => {
                let head = self.new_block("while");
                let (inside, behind) = (self.new_block("body"), self.new_block("end"));
                self.continue_in(head);
                self.enter_loop(*body, &[Some(*condition)]);
                let at_head = self.function.facts.clone();
                self.branch_on(*condition, inside, behind)?;
                self.forget_assigned(*condition);
                self.refine(*condition, true);
                self.start(inside);
                self.loop_body(*body, behind, head)?;
                self.jump(head);
                self.function.facts = at_head;
                self.start(behind);
            }
            StmtKind::DoWhile(body, condition) => {
                let head = self.new_block("do");
                let (test, behind) = (self.new_block("while"), self.new_block("end"));
                self.continue_in(head);
                self.enter_loop(*body, &[Some(*condition)]);
                let at_head = self.function.facts.clone();
                self.loop_body(*body, behind, test)?;
                self.function.facts = at_head.clone();
                self.continue_in(test);
                self.branch_on(*condition, head, behind)?;
                self.function.facts = at_head;
                self.start(behind);
            }
            StmtKind::For(first, condition, step, body) => {
                self.open_scope();
                self.statement(*first)?;
                let head = self.new_block("for");
                let (inside, next, behind) =
                    (self.new_block("body"), self.new_block("step"), self.new_block("end"));
                self.continue_in(head);
                let before = self.function.facts.clone();
                let body_effects = self.enter_loop(*body, &[*condition, *step]);
                self.keep_start(before, *condition, *step, &body_effects);
                let at_head = self.function.facts.clone();
                match condition {
                    Some(condition) => {
                        self.branch_on(*condition, inside, behind)?;
                        self.forget_assigned(*condition);
                        self.refine(*condition, true);
                    }
                    None => self.jump(inside),
                }
                let at_body = self.function.facts.clone();
                self.start(inside);
                self.loop_body(*body, behind, next)?;
                self.at_step(at_body, &body_effects);
                self.continue_in(next);
                if let Some(step) = step {
                    self.effect(*step)?;
                }
                self.jump(head);
                self.function.facts = at_head;
                self.start(behind);
                self.close_scope()?;
            }
            StmtKind::Switch(subject, body) => self.switch(id, *subject, *body)?,
            StmtKind::Case(first, last, body) => {
                let block = self.new_block("case");
                match self.function.switches.last_mut() {
                    Some(switch) => switch.cases.push((*first, *last, (id, block))),
                    None => return Err(self.unsupported("`case` outside of `switch`")),
                }
                self.continue_in(block);
                self.forget_all();
                self.enter_label(None)?;
                self.statement(*body)?;
            }
            StmtKind::Default(body) => {
                let block = self.new_block("default");
                match self.function.switches.last_mut() {
                    Some(switch) => switch.default = Some((id, block)),
                    None => return Err(self.unsupported("`default` outside of `switch`")),
                }
                self.continue_in(block);
                self.forget_all();
                self.enter_label(None)?;
                self.statement(*body)?;
            }
            StmtKind::Label(label, body) => {
                let block = self.label(*label);
                if !self.function.defined_labels.insert(*label) {
                    return Err(self.unsupported("two labels of one name in a function"));
                }
                self.continue_in(block);
                self.forget_all();
                self.enter_label(Some(id))?;
                let name = self.symbols.text(*label);
                if self.options.property.errs_at_label(name) {
                    let what = format!("unreach-label: {name}");
                    let never = self.truth(false);
                    self.assert(never, &what);
                }
                self.statement(*body)?;
            }
            StmtKind::Goto(label) => {
                let block = self.label(*label);
                if let Some(to) =
                    self.frames.current.and_then(|function| self.analyses.outlived.label(function, *label))
                {
                    let entered = self.analyses.outlived.entered(id, to);
                    self.begin_entered(&entered)?;
                }
                self.jump(block);
            }
            StmtKind::ComputedGoto(target) => self.computed_goto(id, *target)?,
            StmtKind::Break | StmtKind::Continue => {
                let target = self.function.targets.last().and_then(|targets| match stmt.kind {
                    StmtKind::Break => Some((targets.behind, targets.depth)),
                    _ => Some((targets.next?, targets.loop_depth)),
                });
                match target {
                    Some((block, depth)) => {
                        self.end_scopes(depth)?;
                        self.jump(block);
                    }
                    None => return Err(self.unsupported("`break` or `continue` outside of a loop")),
                }
            }
            StmtKind::Return(value) => {
                let value = match value {
                    Some(value) => self.value(*value)?,
                    None => Value::Void,
                };
                self.expression.at = stmt.span;
                let results = std::mem::take(&mut self.function.results);
                let components = self.all_components(&value);
                let pairs = results.iter().copied().zip(components.into_iter().flatten()).collect();
                self.assign_all(pairs);
                self.function.results = results;
                self.end_scopes(0)?;
                self.close_stack_blocks()?;
                self.end_block(Transfer::Return);
            }
            StmtKind::Assert(condition) => {
                if self.options.property.errs_at(Letter::Assertion) {
                    self.expression.mathematical = true;
                    let condition = self.condition(*condition);
                    self.expression.mathematical = false;
                    self.expression.at = stmt.span;
                    self.assert(condition?, "assert: annotation");
                }
            }
            StmtKind::Assume(condition) => {
                self.expression.mathematical = true;
                let condition = self.condition(*condition);
                self.expression.mathematical = false;
                self.expression.at = stmt.span;
                self.assume_for_author(condition?);
            }
        }
        Ok(())
    }

    /// A branch or the body of a loop is a block, also without braces (C11 6.8.4, 6.8.5).
    fn substatement(&mut self, id: StmtId) -> Result<()> {
        self.open_scope();
        self.statement(id)?;
        self.close_scope()
    }

    /// The body of a loop, which `break` leaves and `continue` ends.
    fn loop_body(&mut self, body: StmtId, behind: Block, next: Block) -> Result<()> {
        let depth = self.function.scopes.len();
        self.function.targets.push(JumpTargets { behind, next: Some(next), depth, loop_depth: depth });
        let result = self.substatement(body);
        self.function.targets.pop();
        result
    }

    /// Goes to a label or a case if a condition holds.
    fn branch_into(
        &mut self,
        condition: ir::Expr,
        from: StmtId,
        (to, block): Target,
        next: Block,
    ) -> Result<()> {
        let entered = self.analyses.outlived.entered(from, to);
        if entered.is_empty() {
            self.branch(condition, block, next);
            return Ok(());
        }
        let enter = self.new_block("enter");
        self.branch(condition, enter, next);
        self.start(enter);
        self.begin_entered(&entered)?;
        self.jump(block);
        Ok(())
    }

    fn switch(&mut self, id: StmtId, subject: crate::tree::ExprId, body: StmtId) -> Result<()> {
        let value = self.value(subject)?;
        let Value::Int(value, _) = self.freeze_value(value) else {
            return Err(self.unsupported("a `switch` on something that is no integer"));
        };
        let behind = self.new_block("end");
        // The body is translated first: it tells which cases there are.
        let head = self.body().current.take();
        let outer = self.function.targets.last().and_then(|targets| targets.next);
        let depth = self.function.scopes.len();
        let loop_depth = self.function.targets.last().map_or(depth, |targets| targets.loop_depth);
        self.function.targets.push(JumpTargets { behind, next: outer, depth, loop_depth });
        self.function.switches.push(Switch::default());
        let result = self.substatement(body);
        let switch = self.function.switches.pop().unwrap_or_default();
        self.function.targets.pop();
        result?;
        self.jump(behind);
        self.body().current = head;
        for &(first, last, target) in &switch.cases {
            let next = self.new_block("switch");
            let here = if first == last {
                let first = self.int(first);
                self.equal(value, first)
            } else {
                self.between(value, first, last)
            };
            self.branch_into(here, id, target, next)?;
            self.start(next);
        }
        if let Some((default, _)) = switch.default {
            let entered = self.analyses.outlived.entered(id, default);
            self.begin_entered(&entered)?;
        }
        self.jump(switch.default.map_or(behind, |(_, block)| block));
        self.forget_all();
        self.start(behind);
        Ok(())
    }

    /// Goes to the label whose address a pointer is; the address of no label of the function leads nowhere.
    fn computed_goto(&mut self, id: StmtId, target: crate::tree::ExprId) -> Result<()> {
        let value = self.value(target)?;
        let Value::Pointer(base, _) = self.freeze_value(value) else {
            return Err(self.unsupported("a computed `goto` to something that is no pointer"));
        };
        let tree = self.tree;
        let here = Some(self.body().procedure);
        for &(function, label) in &tree.label_addresses {
            if self.declared.procedures[function] != here {
                continue;
            }
            let number = self.label_base(function, label);
            let number = self.int(number);
            let here = self.equal(base, number);
            let (block, next) = (self.label(label), self.new_block("next"));
            match self.analyses.outlived.label(function, label) {
                Some(to) => self.branch_into(here, id, (to, block), next)?,
                None => self.branch(here, block, next),
            }
            self.start(next);
        }
        self.stop();
        Ok(())
    }

    /// The block of a label.
    fn label(&mut self, label: Symbol) -> Block {
        if let Some(&block) = self.function.labels.get(&label) {
            return block;
        }
        let name = self.symbols.text(label).to_owned();
        let block = self.new_block(&name);
        self.function.labels.insert(label, block);
        block
    }
}
