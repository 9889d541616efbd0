//! One procedure out of many: calls are replaced by copies of the bodies.
//!
//! Every copy has variables of its own, which get arbitrary values where the call begins, as those of a procedure do. Calls of [`recursive`] procedures
//! stay calls, and such a procedure is flattened by itself ([`flatten_copy`]). Refused
//! are contracts of procedures with bodies, threads, and programs that become too large. Assertions are left
//! out: an error is no end of an execution that a temporal property speaks of. Where a front end has given up
//! ([`gives_up`]), executions go on at a place of their own, of which nothing is known.

use crate::Unsupported;
use base::{EntityRef, PrimaryMap};
use ir::{
    AttributeArgument, BinaryOp, Block, BlockData, Body, Expr, ExprData, Mark, Procedure, ProcedureData,
    Program, Statement, StatementKind, Transfer, Variable, VariableKind,
};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// More blocks than this are too many.
const MOST_BLOCKS: usize = 20_000;

/// A flat procedure.
#[derive(Clone, Debug)]
pub struct Flat {
    /// Its body; it returns nowhere, but goes on at `end`.
    pub body: Body,
    /// Where an execution is when it is over, or when the procedure returns: a block without statements.
    pub end: Block,
    /// Where an execution is whose further course is not known: a block without statements.
    pub unknown: Block,
    /// What variables are copies of.
    pub copies: FxHashMap<Variable, Variable>,
}

/// Whether a statement is an assertion that says where the front end has given up, or where a condition of the property has no value: what an
/// execution does there that violates it is not known, and it must not be lost.
pub fn gives_up(statement: &Statement) -> bool {
    let says_so = |attribute: &ir::Attribute| {
        attribute.name == "property"
            && matches!(attribute.arguments.first(), Some(AttributeArgument::Text(text)) if ["unknown: ", "observer: "].iter().any(|word| text.starts_with(word)))
    };
    matches!(statement.kind, StatementKind::Assert(..)) && statement.attributes.iter().any(says_so)
}

/// The procedures with a body that call themselves, by way of others too; calls of `letters` do not count.
pub fn recursive(program: &Program, letters: &BTreeSet<Procedure>) -> BTreeSet<Procedure> {
    let callees = |procedure: usize| {
        let body = program.procedures[Procedure::new(procedure)].body.iter();
        let statements = body.flat_map(|body| body.blocks.values()).flat_map(|block| &block.statements);
        statements.filter_map(|statement| match statement.kind {
            StatementKind::Call { procedure, .. } => Some(procedure),
            _ => None,
        })
    };
    let followed = |callee: &Procedure| !letters.contains(callee);
    let found = graph::components(program.procedures.len(), |procedure, out| {
        out.extend(callees(procedure).filter(followed).map(|callee| callee.index()));
    });
    let numbers = found.numbers();
    let calls_itself = |procedure: &Procedure| {
        let own = numbers[procedure.index()];
        callees(procedure.index()).filter(followed).any(|callee| numbers[callee.index()] == own)
    };
    let with_body = |procedure: &Procedure| program.procedures[*procedure].body.is_some();
    program.procedures.keys().filter(with_body).filter(followed).filter(calls_itself).collect()
}

/// Flattens the procedure `entry` into the body of `into`; calls of `kept` procedures stay calls.
pub fn flatten(
    program: &mut Program,
    entry: Procedure,
    into: Procedure,
    kept: &BTreeSet<Procedure>,
) -> Result<Flat, Unsupported> {
    let span = program.procedures[entry].span;
    let (mut flattener, [first, end]) = Flattener::new(program, into, kept);
    flattener.blocks[end].transfer = Transfer::Goto(vec![end]);
    flattener.call(first, (entry, &[]), &[], end, span)?;
    Ok(flattener.finished(end))
}

/// Flattens a procedure into `into`, which gets copies of its parameters, its results and its variables, so that a call of the one can become a call of the other;
/// calls of `kept` procedures stay calls.
pub fn flatten_copy(
    program: &mut Program,
    procedure: Procedure,
    into: Procedure,
    kept: &BTreeSet<Procedure>,
) -> Result<Flat, Unsupported> {
    let (mut flattener, [first, end]) = Flattener::new(program, into, kept);
    let data = flattener.program.procedures[procedure].clone();
    let body = flattener.body_of(&data)?;
    let mut renaming = Renaming::default();
    let mut copied = |flattener: &mut Flattener<'_>, list: &[Variable], kind: VariableKind| {
        let mut copies = Vec::with_capacity(list.len());
        for &variable in list {
            let mut copy = flattener.program.variables[variable].clone();
            (copy.kind, copy.where_clause) = (kind, None);
            let copy = flattener.program.variables.push(copy);
            flattener.copies.insert(copy, variable);
            renaming.insert(variable, copy);
            copies.push(copy);
        }
        copies
    };
    let parameters = copied(&mut flattener, &data.parameters, VariableKind::Parameter(into));
    let results = copied(&mut flattener, &data.results, VariableKind::Result(into));
    flattener.locals = copied(&mut flattener, &body.locals, VariableKind::Local(into));
    for &variable in data.parameters.iter().chain(&data.results).chain(&body.locals) {
        if let Some(clause) = flattener.program.variables[variable].where_clause {
            let clause = flattener.expr(clause, &renaming)?;
            flattener.program.variables[renaming[&variable]].where_clause = Some(clause);
        }
    }
    let into = &mut flattener.program.procedures[into];
    (into.parameters, into.results) = (parameters, results);
    flattener.path.push(procedure);
    let entry = flattener.copy(&body, &renaming, end)?;
    flattener.blocks[first].transfer = Transfer::Goto(vec![entry]);
    Ok(flattener.finished(end))
}

struct Flattener<'p> {
    program: &'p mut Program,
    into: Procedure,
    kept: &'p BTreeSet<Procedure>,
    blocks: PrimaryMap<Block, BlockData>,
    locals: Vec<Variable>,
    copies: FxHashMap<Variable, Variable>,
    /// The procedures whose bodies are being copied.
    path: Vec<Procedure>,
    /// Where executions are whose further course is not known.
    unknown: Block,
}

type Renaming = FxHashMap<Variable, Variable>;

impl<'p> Flattener<'p> {
    /// With the blocks where executions begin and where they end.
    fn new(
        program: &'p mut Program,
        into: Procedure,
        kept: &'p BTreeSet<Procedure>,
    ) -> (Flattener<'p>, [Block; 2]) {
        let mut flattener = Flattener {
            program,
            into,
            kept,
            blocks: PrimaryMap::new(),
            locals: Vec::new(),
            copies: FxHashMap::default(),
            path: Vec::new(),
            unknown: Block::new(2),
        };
        let ends = [flattener.block(), flattener.block()];
        let unknown = flattener.block();
        flattener.blocks[unknown].transfer = Transfer::Goto(vec![unknown]);
        flattener.unknown = unknown;
        (flattener, ends)
    }

    fn finished(self, end: Block) -> Flat {
        let Flattener { blocks, locals, copies, unknown, .. } = self;
        Flat { body: Body { locals, blocks }, end, unknown, copies }
    }

    /// The body of a procedure whose calls need nothing else.
    fn body_of(&self, data: &ProcedureData) -> Result<Body, Unsupported> {
        let Some(body) = data.body.clone() else {
            return Err(Unsupported(format!("a call of `{}`, which has no body", data.name)));
        };
        if !data.requires.is_empty() || !data.ensures.is_empty() {
            return Err(Unsupported(format!(
                "a temporal property of a program with contracts (`{}`)",
                data.name
            )));
        }
        Ok(body)
    }

    fn block(&mut self) -> Block {
        let number = self.blocks.len();
        self.blocks.push(BlockData {
            label: format!("flat{number}"),
            statements: Vec::new(),
            transfer: Transfer::Return,
            transfer_span: self.program.procedures[self.into].span,
        })
    }

    fn push(&mut self, block: Block, kind: StatementKind, span: base::Span) {
        self.blocks[block].statements.push(Statement { kind, span, attributes: Vec::new() });
    }

    fn expr(&mut self, expr: Expr, renaming: &Renaming) -> Result<Expr, Unsupported> {
        let parts = self.program.expressions.post_order([expr]);
        if parts.into_iter().any(|part| matches!(self.program.expressions[part], ExprData::Old(_))) {
            return Err(Unsupported("`old` in a temporal property's program".to_owned()));
        }
        Ok(self.program.rename(expr, renaming))
    }

    /// Puts a call at the end of a block; after it, executions go on at `after`.
    fn call(
        &mut self,
        at: Block,
        (callee, arguments): (Procedure, &[Expr]),
        results: &[Variable],
        after: Block,
        span: base::Span,
    ) -> Result<(), Unsupported> {
        let data = self.program.procedures[callee].clone();
        let body = self.body_of(&data)?;
        if self.path.contains(&callee) {
            return Err(Unsupported(format!(
                "a temporal property of a program with recursion (`{}`)",
                data.name
            )));
        }
        let mut renaming = Renaming::default();
        let own: Vec<Variable> =
            data.parameters.iter().chain(&data.results).chain(&body.locals).copied().collect();
        for &variable in &own {
            let original = self.program.variables[variable].clone();
            let name = format!("{}#{}", original.name, self.locals.len());
            let copy =
                self.program.new_variable(name, original.ty, VariableKind::Local(self.into), original.span);
            self.locals.push(copy);
            self.copies.insert(copy, variable);
            renaming.insert(variable, copy);
        }
        for &variable in &own {
            if let Some(clause) = self.program.variables[variable].where_clause {
                // The copy gets a value where everything begins, even if nobody ever calls its procedure.
                if !is_range(self.program, variable, clause) {
                    let name = &self.program.variables[variable].name;
                    return Err(Unsupported(format!(
                        "a temporal property and `{name}`, whose `where` clause is no range"
                    )));
                }
                let clause = self.expr(clause, &renaming)?;
                self.program.variables[renaming[&variable]].where_clause = Some(clause);
            }
        }
        // The parameters of the first procedure are arbitrary, those of others are what is passed.
        let arbitrary =
            if arguments.is_empty() { own.clone() } else { own[data.parameters.len()..].to_vec() };
        if !arbitrary.is_empty() {
            let variables = arbitrary.iter().map(|variable| renaming[variable]).collect();
            self.push(at, StatementKind::Havoc(variables), span);
        }
        if !arguments.is_empty() {
            let pairs =
                data.parameters.iter().map(|parameter| renaming[parameter]).zip(arguments.iter().copied());
            self.push(at, StatementKind::Assign(pairs.collect()), span);
            for parameter in &data.parameters {
                let established = self.program.variables[*parameter].is_established();
                let clause = self.program.variables[renaming[parameter]].where_clause;
                if let (true, Some(clause)) = (established, clause) {
                    self.push(at, StatementKind::Assume(clause), span);
                }
            }
        }
        let exit = self.block();
        self.path.push(callee);
        let entry = self.copy(&body, &renaming, exit)?;
        self.path.pop();
        self.blocks[at].transfer = Transfer::Goto(vec![entry]);
        if !results.is_empty() {
            let mut pairs = Vec::new();
            for (&result, &to) in data.results.iter().zip(results) {
                pairs.push((to, self.program.variable(renaming[&result], span)));
            }
            self.push(exit, StatementKind::Assign(pairs), span);
        }
        self.blocks[exit].transfer = Transfer::Goto(vec![after]);
        Ok(())
    }

    /// Copies a body; its first block.
    fn copy(&mut self, body: &Body, renaming: &Renaming, exit: Block) -> Result<Block, Unsupported> {
        if self.blocks.len() > MOST_BLOCKS {
            return Err(Unsupported("a temporal property of so large a program".to_owned()));
        }
        let numbers: PrimaryMap<Block, Block> = body.blocks.keys().map(|_| self.block()).collect();
        for (block, data) in body.blocks.iter() {
            let mut at = numbers[block];
            for statement in &data.statements {
                at = self.statement(at, statement, renaming)?;
            }
            let mut target = |block: &Block| numbers[*block];
            self.blocks[at].transfer = match &data.transfer {
                Transfer::Goto(targets) => Transfer::Goto(targets.iter().map(&mut target).collect()),
                Transfer::Branch { condition, then, otherwise } => Transfer::Branch {
                    then: numbers[*then],
                    otherwise: numbers[*otherwise],
                    condition: self.expr(*condition, renaming)?,
                },
                Transfer::Return => Transfer::Goto(vec![exit]),
            };
            self.blocks[at].transfer_span = data.transfer_span;
        }
        Ok(numbers[Block::new(0)])
    }

    /// Copies a statement to the end of a block; the block where it goes on.
    fn statement(
        &mut self,
        at: Block,
        statement: &Statement,
        renaming: &Renaming,
    ) -> Result<Block, Unsupported> {
        let to = |variable: &Variable| renaming.get(variable).copied().unwrap_or(*variable);
        let kind = match &statement.kind {
            StatementKind::Assert(_, condition) if gives_up(statement) => {
                let condition = self.expr(*condition, renaming)?;
                let after = self.block();
                let transfer = Transfer::Branch { condition, then: after, otherwise: self.unknown };
                self.blocks[at].transfer = transfer;
                self.blocks[at].transfer_span = statement.span;
                return Ok(after);
            }
            StatementKind::Assert(..) => return Ok(at),
            StatementKind::Assume(condition) => StatementKind::Assume(self.expr(*condition, renaming)?),
            StatementKind::Havoc(variables) => StatementKind::Havoc(variables.iter().map(to).collect()),
            StatementKind::Assign(pairs) => {
                let mut renamed = Vec::new();
                for (variable, value) in pairs {
                    renamed.push((to(variable), self.expr(*value, renaming)?));
                }
                StatementKind::Assign(renamed)
            }
            StatementKind::Call { procedure, arguments, results } => {
                let mut passed = Vec::new();
                for &argument in arguments {
                    passed.push(self.expr(argument, renaming)?);
                }
                let results: Vec<Variable> = results.iter().map(to).collect();
                if !self.kept.contains(procedure) && self.program.procedures[*procedure].body.is_some() {
                    let after = self.block();
                    self.call(at, (*procedure, &passed), &results, after, statement.span)?;
                    return Ok(after);
                }
                StatementKind::Call { procedure: *procedure, arguments: passed, results }
            }
            StatementKind::Fork { .. } | StatementKind::Join { .. } | StatementKind::Atomic(_) => {
                return Err(Unsupported("a temporal property of a program with threads".to_owned()));
            }
        };
        if Mark::Overapproximation.is_in(&statement.attributes) {
            self.blocks[at].statements.push(Statement {
                kind,
                span: statement.span,
                attributes: vec![Mark::Overapproximation.attribute(Vec::new())],
            });
        } else {
            self.push(at, kind, statement.span);
        }
        Ok(at)
    }
}

/// Whether a condition says no more than that a variable lies between two numbers, or beyond one, and there is such a number.
fn is_range(program: &Program, variable: Variable, clause: Expr) -> bool {
    let (mut low, mut high) = (Vec::new(), Vec::new());
    let mut is_strict = false;
    let mut pending = vec![clause];
    while let Some(part) = pending.pop() {
        if program.expressions[part] == ExprData::Bool(true) {
            continue;
        }
        let ExprData::Binary(op, left, right) = program.expressions[part] else { return false };
        if op == BinaryOp::And {
            pending.extend([left, right]);
            continue;
        }
        // The variable and the number, and whether the variable is the smaller one.
        let (it, number, below) = match (op, &program.expressions[left], &program.expressions[right]) {
            (BinaryOp::LessEqual | BinaryOp::Less, ExprData::Variable(it), ExprData::Int(number))
            | (BinaryOp::GreaterEqual | BinaryOp::Greater, ExprData::Int(number), ExprData::Variable(it)) => {
                (*it, number, true)
            }
            (BinaryOp::LessEqual | BinaryOp::Less, ExprData::Int(number), ExprData::Variable(it))
            | (BinaryOp::GreaterEqual | BinaryOp::Greater, ExprData::Variable(it), ExprData::Int(number)) => {
                (*it, number, false)
            }
            _ => return false,
        };
        if it != variable {
            return false;
        }
        is_strict |= matches!(op, BinaryOp::Less | BinaryOp::Greater);
        if below { high.push(number) } else { low.push(number) }
    }
    let room = if is_strict { 2 } else { 0 };
    low.iter().all(|&low| high.iter().all(|&high| low + room <= *high))
}
