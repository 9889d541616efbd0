//! Putting the bodies of added procedures where they are called.
//!
//! What an observer adds to a program are small procedures. Spliced into their callers they cost no call, and every step of
//! theirs stands at the place in the source of the call that it is about.
//!
//! Requires that added procedures do not call each other in circles and have no contracts. Guarantees that executions stay the
//! same up to the calls of added procedures. Costs: linear in the copies.

use base::{PrimaryMap, Span};
use ir::{
    AttributeArgument, Block, BlockData, Body, Expr, ExprData, Procedure, Program, Statement, StatementKind,
    Transfer, Variable, VariableKind,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// What became of a program.
#[derive(Default, Debug)]
pub struct Spliced {
    /// What new variables are copies of.
    pub copies: FxHashMap<Variable, Variable>,
    /// Blocks that were cut in two: the end of the first is now that of the second.
    pub moved: Vec<Moved>,
}

/// A block that was cut in two.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Moved {
    /// The procedure.
    pub procedure: Procedure,
    /// The block as it was.
    pub from: Block,
    /// The block that ends as it did.
    pub to: Block,
}

/// Replaces all calls of added procedures in all others.
pub fn splice(program: &mut Program, added: &FxHashSet<Procedure>) -> Spliced {
    let mut spliced = Spliced::default();
    let others: Vec<Procedure> = program.procedures.keys().filter(|id| !added.contains(id)).collect();
    for procedure in others {
        let Some(body) = program.procedures[procedure].body.take() else { continue };
        let mut work = Work { program, added, procedure, body, spliced: &mut spliced };
        work.run();
        let body = work.body;
        program.procedures[procedure].body = Some(body);
    }
    spliced
}

struct Work<'a> {
    program: &'a mut Program,
    added: &'a FxHashSet<Procedure>,
    procedure: Procedure,
    body: Body,
    spliced: &'a mut Spliced,
}

/// A call of an added procedure.
struct Call {
    callee: Procedure,
    arguments: Vec<Expr>,
    results: Vec<Variable>,
    span: Span,
}

pub(crate) type Renaming = FxHashMap<Variable, Variable>;

impl Work<'_> {
    fn run(&mut self) {
        let mut pending: Vec<Block> = self.body.blocks.keys().collect();
        pending.reverse();
        while let Some(block) = pending.pop() {
            while let Some((index, call)) = self.first_call(block) {
                let Some(callee) = self.program.procedures[call.callee].body.clone() else { break };
                let rest = self.body.blocks[block].statements.split_off(index + 1);
                self.body.blocks[block].statements.pop();
                let renaming = self.begin(block, &call, &callee);
                if let [only] = &callee.blocks.values().collect::<Vec<_>>()[..]
                    && only.transfer == Transfer::Return
                {
                    for statement in &only.statements {
                        let copy = self.statement(statement, &renaming, call.span);
                        self.body.blocks[block].statements.push(copy);
                    }
                    self.end(block, &call, &renaming);
                    self.body.blocks[block].statements.extend(rest);
                    continue;
                }
                let after = self.block(call.span);
                self.spliced.moved.push(Moved { procedure: self.procedure, from: block, to: after });
                self.end(after, &call, &renaming);
                self.body.blocks[after].statements.extend(rest);
                self.body.blocks[after].transfer_span = self.body.blocks[block].transfer_span;
                let entry = self.copy(&callee, &renaming, after, call.span);
                let transfer = Transfer::Goto(vec![entry[0]]);
                self.body.blocks[after].transfer =
                    std::mem::replace(&mut self.body.blocks[block].transfer, transfer);
                pending.push(after);
                pending.extend(entry);
            }
        }
    }

    fn first_call(&self, block: Block) -> Option<(usize, Call)> {
        let statements = self.body.blocks[block].statements.iter().enumerate();
        statements
            .filter_map(|(index, statement)| match &statement.kind {
                StatementKind::Call { procedure, arguments, results }
                    if self.added.contains(procedure)
                        && self.program.procedures[*procedure].body.is_some() =>
                {
                    let (arguments, results) = (arguments.clone(), results.clone());
                    Some((index, Call { callee: *procedure, arguments, results, span: statement.span }))
                }
                _ => None,
            })
            .next()
    }

    fn block(&mut self, span: Span) -> Block {
        let label = format!("observer#{}", self.body.blocks.len());
        let (statements, transfer) = (Vec::new(), Transfer::Return);
        self.body.blocks.push(BlockData { label, statements, transfer, transfer_span: span })
    }

    fn push(&mut self, block: Block, kind: StatementKind, span: Span) {
        self.body.blocks[block].statements.push(Statement { kind, span, attributes: Vec::new() });
    }

    /// New variables for those of the callee, with the values that they begin with.
    fn begin(&mut self, block: Block, call: &Call, callee: &Body) -> Renaming {
        let data = self.program.procedures[call.callee].clone();
        let mut renaming = Renaming::default();
        let own = || data.parameters.iter().chain(&data.results).chain(&callee.locals).copied();
        for variable in own() {
            let original = self.program.variables[variable].clone();
            let name = format!("{}#{}", original.name, self.program.variables.len());
            let kind = VariableKind::Local(self.procedure);
            let copy = self.program.new_variable(name, original.ty, kind, call.span);
            self.body.locals.push(copy);
            let known = self.spliced.copies.get(&variable).copied();
            self.spliced.copies.insert(copy, known.unwrap_or(variable));
            renaming.insert(variable, copy);
        }
        for variable in own() {
            if let Some(clause) = self.program.variables[variable].where_clause {
                let clause = self.program.rename(clause, &renaming);
                self.program.variables[renaming[&variable]].where_clause = Some(clause);
            }
        }
        if !data.parameters.is_empty() {
            let targets = data.parameters.iter().map(|parameter| renaming[parameter]);
            let pairs = targets.zip(call.arguments.iter().copied()).collect();
            self.push(block, StatementKind::Assign(pairs), call.span);
        }
        for parameter in &data.parameters {
            let clause = self.program.variables[renaming[parameter]].where_clause;
            if let (true, Some(clause)) = (self.program.variables[*parameter].is_established(), clause) {
                self.push(block, StatementKind::Assume(clause), call.span);
            }
        }
        let arbitrary: Vec<Variable> = data
            .results
            .iter()
            .chain(&callee.locals)
            .copied()
            .filter(|&variable| !is_set_first(self.program, callee, variable))
            .map(|variable| renaming[&variable])
            .collect();
        if !arbitrary.is_empty() {
            self.push(block, StatementKind::Havoc(arbitrary), call.span);
        }
        renaming
    }

    /// The results go where the caller wants them.
    fn end(&mut self, block: Block, call: &Call, renaming: &Renaming) {
        if call.results.is_empty() {
            return;
        }
        let given = self.program.procedures[call.callee].results.clone();
        let mut pairs = Vec::new();
        for (result, to) in given.iter().zip(&call.results) {
            pairs.push((*to, self.program.variable(renaming[result], call.span)));
        }
        self.push(block, StatementKind::Assign(pairs), call.span);
    }

    /// Copies a body whose ends go on at `after`; its blocks.
    fn copy(&mut self, callee: &Body, renaming: &Renaming, after: Block, span: Span) -> Vec<Block> {
        let numbers: PrimaryMap<Block, Block> = callee.blocks.keys().map(|_| self.block(span)).collect();
        for (block, data) in callee.blocks.iter() {
            for statement in &data.statements {
                let copy = self.statement(statement, renaming, span);
                self.body.blocks[numbers[block]].statements.push(copy);
            }
            self.body.blocks[numbers[block]].transfer = match &data.transfer {
                Transfer::Goto(targets) => {
                    Transfer::Goto(targets.iter().map(|&target| numbers[target]).collect())
                }
                Transfer::Branch { condition, then, otherwise } => Transfer::Branch {
                    condition: self.expr(*condition, renaming),
                    then: numbers[*then],
                    otherwise: numbers[*otherwise],
                },
                Transfer::Return => Transfer::Goto(vec![after]),
            };
        }
        numbers.values().copied().collect()
    }

    fn expr(&mut self, expr: Expr, renaming: &Renaming) -> Expr {
        self.program.rename(expr, renaming)
    }

    fn statement(&mut self, statement: &Statement, renaming: &Renaming, span: Span) -> Statement {
        renamed(self.program, statement, renaming, span)
    }
}

/// A statement about other variables, at a place.
pub(crate) fn renamed(
    program: &mut Program,
    statement: &Statement,
    renaming: &Renaming,
    span: Span,
) -> Statement {
    let to = |variable: &Variable| renaming.get(variable).copied().unwrap_or(*variable);
    let mut expr = |expr: Expr| program.rename(expr, renaming);
    let kind = match &statement.kind {
        StatementKind::Assert(kind, condition) => StatementKind::Assert(*kind, expr(*condition)),
        StatementKind::Assume(condition) => StatementKind::Assume(expr(*condition)),
        StatementKind::Havoc(variables) => StatementKind::Havoc(variables.iter().map(to).collect()),
        StatementKind::Assign(pairs) => StatementKind::Assign(
            pairs.iter().map(|(variable, value)| (to(variable), expr(*value))).collect(),
        ),
        StatementKind::Call { procedure, arguments, results } => StatementKind::Call {
            procedure: *procedure,
            arguments: arguments.iter().map(|&argument| expr(argument)).collect(),
            results: results.iter().map(to).collect(),
        },
        StatementKind::Fork { thread, procedure, arguments } => StatementKind::Fork {
            thread: thread.iter().map(|&part| expr(part)).collect(),
            procedure: *procedure,
            arguments: arguments.iter().map(|&argument| expr(argument)).collect(),
        },
        StatementKind::Join { thread, results } => StatementKind::Join {
            thread: thread.iter().map(|&part| expr(part)).collect(),
            results: results.iter().map(to).collect(),
        },
        StatementKind::Atomic(boundary) => StatementKind::Atomic(*boundary),
    };
    let mut attributes = statement.attributes.clone();
    for argument in attributes.iter_mut().flat_map(|attribute| &mut attribute.arguments) {
        if let AttributeArgument::Expr(part) = argument {
            *part = expr(*part);
        }
    }
    Statement { kind, span, attributes }
}

/// Whether a body of one block gives a variable a value before it reads it, so that the first value does not matter.
fn is_set_first(program: &Program, body: &Body, variable: Variable) -> bool {
    let [only] = &body.blocks.values().collect::<Vec<_>>()[..] else { return false };
    let reads = |exprs: &[Expr]| {
        let parts = program.expressions.post_order(exprs.iter().copied());
        parts.into_iter().any(|part| program.expressions[part] == ExprData::Variable(variable))
    };
    for statement in &only.statements {
        let (read, set): (Vec<Expr>, Vec<Variable>) = match &statement.kind {
            StatementKind::Assign(pairs) => pairs.iter().map(|&(to, value)| (value, to)).unzip(),
            // The `where` clause of an arbitrary value may speak of others.
            StatementKind::Havoc(_) => return false,
            StatementKind::Call { arguments, results, .. } => (arguments.clone(), results.clone()),
            StatementKind::Assume(condition) | StatementKind::Assert(_, condition) => {
                (vec![*condition], Vec::new())
            }
            _ => return false,
        };
        if reads(&read) {
            return false;
        }
        if set.contains(&variable) {
            return true;
        }
    }
    false
}
