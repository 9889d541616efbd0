//! Building blocks and expressions of the procedure that is being translated.

use super::observe::Counts;
use super::{Result, Translator};
use base::{EntityRef, PrimaryMap, Span};
use ir::{
    AssertKind, Attribute, AttributeArgument, BinaryOp, Block, BlockData, Body, Expr, ExprData, Mark,
    Procedure, Statement, StatementKind, Transfer, Type, UnaryOp, Variable, VariableKind,
};
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use rustc_hash::FxHashMap;
use std::borrow::Cow;

/// The body under construction.
pub struct BodyBuilder {
    pub procedure: Procedure,
    pub locals: Vec<Variable>,
    pub blocks: PrimaryMap<Block, BlockData>,
    /// The block that statements go to; none behind a jump.
    pub current: Option<Block>,
    /// Names in use, with the number of their last variant.
    pub names: FxHashMap<String, u32>,
    /// The blocks that end with a decision of the C program.
    pub decisions: Vec<Block>,
}

/// A C name in the letters that names of the intermediate language have: others become their numbers.
pub fn plain_name(name: &str) -> Cow<'_, str> {
    if name.is_ascii() {
        return Cow::Borrowed(name);
    }
    let letter = |c: char| if c.is_ascii() { c.to_string() } else { format!("$u{:x}", u32::from(c)) };
    Cow::Owned(name.chars().map(letter).collect())
}

impl BodyBuilder {
    pub fn new(procedure: Procedure) -> BodyBuilder {
        BodyBuilder {
            procedure,
            locals: Vec::new(),
            blocks: PrimaryMap::new(),
            current: None,
            names: FxHashMap::default(),
            decisions: Vec::new(),
        }
    }

    /// The finished body, without blocks that nothing leads to, and the decisions of the C program in it.
    pub fn finish(mut self) -> (Body, Vec<Block>) {
        let mut order: Vec<Block> = Vec::new();
        let mut new: FxHashMap<Block, Block> = FxHashMap::default();
        let mut stack = vec![Block::new(0)];
        while let Some(block) = stack.pop() {
            if new.contains_key(&block) {
                continue;
            }
            new.insert(block, Block::new(order.len()));
            order.push(block);
            let successors: Vec<Block> = self.blocks[block].transfer.successors().collect();
            stack.extend(successors.into_iter().rev());
        }
        let mut blocks = PrimaryMap::new();
        for old in order {
            let span = self.blocks[old].transfer_span;
            let empty = BlockData {
                label: String::new(),
                statements: Vec::new(),
                transfer: Transfer::Return,
                transfer_span: span,
            };
            let mut data = std::mem::replace(&mut self.blocks[old], empty);
            data.transfer = match data.transfer {
                Transfer::Goto(targets) => Transfer::Goto(targets.iter().map(|target| new[target]).collect()),
                Transfer::Branch { condition, then, otherwise } => {
                    Transfer::Branch { condition, then: new[&then], otherwise: new[&otherwise] }
                }
                Transfer::Return => Transfer::Return,
            };
            blocks.push(data);
        }
        let decisions = self.decisions.iter().filter_map(|block| new.get(block).copied()).collect();
        (Body { locals: self.locals, blocks }, decisions)
    }
}

impl Translator<'_> {
    /// A new block that nothing leads to yet.
    pub(super) fn new_block(&mut self, what: &str) -> Block {
        let label = self.unique_label(what);
        let at = self.expression.at;
        let data = BlockData { label, statements: Vec::new(), transfer: Transfer::Return, transfer_span: at };
        self.body().blocks.push(data)
    }

    fn unique_label(&mut self, what: &str) -> String {
        let count = self.body().blocks.len();
        format!("{}_{count}", plain_name(what))
    }

    /// Ends the current block, if there is one.
    pub(super) fn end_block(&mut self, transfer: Transfer) {
        let at = self.expression.at;
        let body = self.body();
        if let Some(block) = body.current.take() {
            body.blocks[block].transfer = transfer;
            body.blocks[block].transfer_span = at;
        }
        self.expression.not_null.clear();
    }

    /// Goes on in a block.
    pub(super) fn jump(&mut self, to: Block) {
        self.end_block(Transfer::Goto(vec![to]));
    }

    pub(super) fn branch(&mut self, condition: Expr, then: Block, otherwise: Block) {
        match self.program.expressions[condition] {
            ExprData::Bool(true) => self.jump(then),
            ExprData::Bool(false) => self.jump(otherwise),
            _ => self.end_block(Transfer::Branch { condition, then, otherwise }),
        }
    }

    /// A branch that the C program takes, and not one that only the translation needs.
    pub(super) fn decide(&mut self, condition: Expr, then: Block, otherwise: Block) {
        let body = self.body();
        body.decisions.extend(body.current);
        self.branch(condition, then, otherwise);
    }

    /// Statements go to this block from now on; the current one leads there.
    pub(super) fn continue_in(&mut self, block: Block) {
        self.jump(block);
        self.body().current = Some(block);
    }

    /// Statements go to this block from now on; the current one has ended.
    pub(super) fn start(&mut self, block: Block) {
        debug_assert!(self.body().current.is_none());
        self.body().current = Some(block);
    }

    pub(super) fn is_reachable(&mut self) -> bool {
        self.body().current.is_some()
    }

    fn push(&mut self, kind: StatementKind, mut attributes: Vec<Attribute>) {
        attributes.extend(self.access_mark().map(|mark| mark.attribute(Vec::new())));
        let span = self.expression.at;
        match &kind {
            StatementKind::Assign(pairs) => {
                for (target, _) in pairs {
                    self.expression.not_null.remove(target);
                }
            }
            StatementKind::Havoc(targets)
            | StatementKind::Call { results: targets, .. }
            | StatementKind::Join { results: targets, .. } => {
                for target in targets {
                    self.expression.not_null.remove(target);
                }
            }
            StatementKind::Assume(_)
            | StatementKind::Assert(..)
            | StatementKind::Fork { .. }
            | StatementKind::Atomic(_) => {}
        }
        let body = self.body();
        if let Some(block) = body.current {
            body.blocks[block].statements.push(Statement { kind, span, attributes });
        }
    }

    /// A statement without attributes.
    pub(super) fn statement_of(&mut self, kind: StatementKind) {
        self.push(kind, Vec::new());
    }

    pub(super) fn assign(&mut self, target: Variable, value: Expr) {
        self.push(StatementKind::Assign(vec![(target, value)]), Vec::new());
    }

    pub(super) fn assign_all(&mut self, pairs: Vec<(Variable, Expr)>) {
        if !pairs.is_empty() {
            self.push(StatementKind::Assign(pairs), Vec::new());
        }
    }

    pub(super) fn havoc(&mut self, variables: Vec<Variable>) {
        if !variables.is_empty() {
            self.push(StatementKind::Havoc(variables), Vec::new());
        }
    }

    /// A value that the environment chooses: an input of the program.
    pub(super) fn havoc_input(&mut self, variables: Vec<Variable>, function: &str) {
        let mut arguments = vec![AttributeArgument::Text(function.to_owned())];
        for &variable in &variables {
            arguments.push(AttributeArgument::Expr(self.var(variable)));
        }
        let attribute = Mark::Input.attribute(arguments);
        self.push(StatementKind::Havoc(variables), Vec::new());
        let always = self.truth(true);
        self.push(StatementKind::Assume(always), vec![attribute]);
    }

    /// A value of which more is allowed than the program can compute. With `exact`, what it would be.
    pub(super) fn havoc_marked(&mut self, variables: Vec<Variable>, why: &str, exact: Option<Expr>) {
        let mut arguments = vec![AttributeArgument::Text(why.to_owned())];
        if let (Some(exact), Some(&variable)) = (exact, variables.first()) {
            let value = self.var(variable);
            arguments.push(AttributeArgument::Expr(self.equal(value, exact)));
        }
        let attribute = Mark::Overapproximation.attribute(arguments);
        self.havoc(variables);
        let always = self.truth(true);
        self.push(StatementKind::Assume(always), vec![attribute]);
    }

    /// Marks this point: executions that pass it are not exactly those of the program.
    pub(super) fn mark(&mut self, why: &str) {
        self.havoc_marked(Vec::new(), why, None);
    }

    pub(super) fn assume(&mut self, condition: Expr) {
        if !matches!(self.program.expressions[condition], ExprData::Bool(true)) {
            self.push(StatementKind::Assume(condition), Vec::new());
        }
    }

    /// What the author of the program assumes.
    pub(super) fn assume_for_author(&mut self, condition: Expr) {
        self.push(StatementKind::Assume(condition), vec![Mark::Assumed.attribute(Vec::new())]);
    }

    /// A thread waits here until a condition holds.
    pub(super) fn assume_waiting(&mut self, condition: Expr, what: &str) {
        let argument = AttributeArgument::Text(what.to_owned());
        self.push(StatementKind::Assume(condition), vec![Mark::Waits.attribute(vec![argument])]);
    }

    /// An assertion with the property that it states. With a monitor it counts only at the target.
    pub(super) fn assert(&mut self, condition: Expr, what: &str) {
        self.assert_where(condition, what, Counts::AtTarget);
    }

    /// Whether the function that is translated was made here.
    fn is_made(&self) -> bool {
        self.frames.current.is_some_and(|function| self.tree.functions[function].made)
    }

    /// An assertion, and where it counts if there is a monitor.
    pub(super) fn assert_where(&mut self, condition: Expr, what: &str, counts: Counts) {
        if self.observing.is_some() {
            return self.defined_if(condition);
        }
        if self.is_made() {
            return;
        }
        self.report.asserted += 1;
        if let Some(at_target) = self.at_target(counts) {
            let counts = self.or(condition, at_target);
            self.assume(counts);
        }
        self.assert_always(condition, what);
    }

    /// An assertion at every place.
    pub(super) fn assert_always(&mut self, condition: Expr, what: &str) {
        let argument = AttributeArgument::Text(what.to_owned());
        let attribute = Attribute { name: "property".into(), arguments: vec![argument] };
        self.push(StatementKind::Assert(AssertKind::Assert, condition), vec![attribute]);
    }

    pub(super) fn call(&mut self, procedure: Procedure, arguments: Vec<Expr>, results: Vec<Variable>) {
        self.push(StatementKind::Call { procedure, arguments, results }, Vec::new());
    }

    /// The execution ends here without error.
    pub(super) fn stop(&mut self) {
        let never = self.truth(false);
        self.push(StatementKind::Assume(never), Vec::new());
        self.end_block(Transfer::Return);
    }

    /// A name that no other variable has which is visible in the procedure.
    pub(super) fn unique_local(&mut self, name: &str) -> String {
        let name = &*plain_name(name);
        loop {
            let count = self.body().names.entry(name.to_owned()).or_insert(0);
            *count += 1;
            let candidate = if *count == 1 { name.to_owned() } else { format!("{name}#{count}") };
            if !self.names.global.contains_key(&candidate) {
                self.names.local.insert(candidate.clone());
                return candidate;
            }
        }
    }

    /// A name that no other global has, and no variable of any procedure so far: globals are made when they are
    /// first mentioned.
    pub(super) fn unique_global(&mut self, name: &str) -> String {
        let name = &*plain_name(name);
        loop {
            let count = self.names.global.entry(name.to_owned()).or_insert(0);
            *count += 1;
            let candidate = if *count == 1 { name.to_owned() } else { format!("{name}#{count}") };
            if self.names.local.contains(&candidate) {
                continue;
            }
            if candidate == name || self.names.global.insert(candidate.clone(), 1).is_none() {
                return candidate;
            }
        }
    }

    pub(super) fn new_local(&mut self, name: &str, ty: Type) -> Variable {
        let name = self.unique_local(name);
        let at = self.expression.at;
        let procedure = self.body().procedure;
        let variable = self.program.new_variable(name, ty, VariableKind::Local(procedure), at);
        self.body().locals.push(variable);
        variable
    }

    /// A variable for an intermediate value.
    pub(super) fn temporary(&mut self, ty: Type) -> Variable {
        self.new_local("#t", ty)
    }

    /// An expression that may be used several times: large ones get a variable.
    pub(super) fn share(&mut self, value: Expr) -> Expr {
        match self.program.expressions[value] {
            ExprData::Variable(_) => value,
            _ => self.freeze(value),
        }
    }

    /// Holds the value of an expression at this point.
    pub(super) fn freeze(&mut self, value: Expr) -> Expr {
        if matches!(
            self.program.expressions[value],
            ExprData::Int(_) | ExprData::Bool(_) | ExprData::BitVec { .. }
        ) {
            return value;
        }
        let ty = self.program.ty(value);
        let temporary = self.temporary(ty);
        let ones = self.ones(value);
        if ones != -1 {
            self.expression.possible_ones.insert(temporary, ones);
        }
        self.assign(temporary, value);
        self.var(temporary)
    }

    pub(super) fn var(&mut self, variable: Variable) -> Expr {
        let at = self.expression.at;
        self.program.variable(variable, at)
    }

    pub(super) fn int(&mut self, value: impl Into<BigInt>) -> Expr {
        let at = self.expression.at;
        self.program.int(value, at)
    }

    pub(super) fn truth(&mut self, value: bool) -> Expr {
        let at = self.expression.at;
        self.program.bool(value, at)
    }

    /// The value of a literal.
    pub(super) fn literal(&self, expr: Expr) -> Option<i128> {
        match &self.program.expressions[expr] {
            ExprData::Int(value) => value.to_i128(),
            _ => None,
        }
    }

    fn binary_op(&mut self, op: BinaryOp, left: Expr, right: Expr) -> Expr {
        let at = self.expression.at;
        self.program.binary(op, left, right, at)
    }

    pub(super) fn add(&mut self, left: Expr, right: Expr) -> Expr {
        match (self.literal(left), self.literal(right)) {
            (Some(a), Some(b)) if a.checked_add(b).is_some() => self.int(a + b),
            (_, Some(0)) => left,
            (Some(0), _) => right,
            _ => self.binary_op(BinaryOp::Add, left, right),
        }
    }

    pub(super) fn subtract(&mut self, left: Expr, right: Expr) -> Expr {
        match (self.literal(left), self.literal(right)) {
            (Some(a), Some(b)) if a.checked_sub(b).is_some() => self.int(a - b),
            (_, Some(0)) => left,
            _ => self.binary_op(BinaryOp::Subtract, left, right),
        }
    }

    pub(super) fn multiply(&mut self, left: Expr, right: Expr) -> Expr {
        match (self.literal(left), self.literal(right)) {
            (Some(a), Some(b)) if a.checked_mul(b).is_some() => self.int(a * b),
            (_, Some(1)) => left,
            (Some(1), _) => right,
            (Some(0), _) | (_, Some(0)) => self.int(0),
            _ => self.binary_op(BinaryOp::Multiply, left, right),
        }
    }

    pub(super) fn divide_floor(&mut self, left: Expr, right: Expr) -> Expr {
        match self.literal(right) {
            Some(1) => left,
            _ => self.binary_op(BinaryOp::IntDivide, left, right),
        }
    }

    pub(super) fn modulo(&mut self, left: Expr, right: Expr) -> Expr {
        self.binary_op(BinaryOp::Modulo, left, right)
    }

    pub(super) fn negate(&mut self, operand: Expr) -> Expr {
        let at = self.expression.at;
        match self.literal(operand) {
            Some(value) => self.int(-value),
            None => self.program.unary(UnaryOp::Negate, operand, at),
        }
    }

    pub(super) fn compare(&mut self, op: BinaryOp, left: Expr, right: Expr) -> Expr {
        if let (Some(a), Some(b)) = (self.literal(left), self.literal(right)) {
            let holds = match op {
                BinaryOp::Equal => a == b,
                BinaryOp::NotEqual => a != b,
                BinaryOp::Less => a < b,
                BinaryOp::LessEqual => a <= b,
                BinaryOp::Greater => a > b,
                _ => a >= b,
            };
            return self.truth(holds);
        }
        self.binary_op(op, left, right)
    }

    pub(super) fn equal(&mut self, left: Expr, right: Expr) -> Expr {
        self.compare(BinaryOp::Equal, left, right)
    }

    pub(super) fn not(&mut self, operand: Expr) -> Expr {
        let at = self.expression.at;
        match self.program.expressions[operand] {
            ExprData::Bool(value) => self.truth(!value),
            ExprData::Unary(UnaryOp::Not, inner) => inner,
            _ => self.program.not(operand, at),
        }
    }

    pub(super) fn and(&mut self, left: Expr, right: Expr) -> Expr {
        match (&self.program.expressions[left], &self.program.expressions[right]) {
            (ExprData::Bool(true), _) | (_, ExprData::Bool(false)) => right,
            (_, ExprData::Bool(true)) | (ExprData::Bool(false), _) => left,
            _ => self.binary_op(BinaryOp::And, left, right),
        }
    }

    pub(super) fn or(&mut self, left: Expr, right: Expr) -> Expr {
        match (&self.program.expressions[left], &self.program.expressions[right]) {
            (ExprData::Bool(false), _) | (_, ExprData::Bool(true)) => right,
            (_, ExprData::Bool(false)) | (ExprData::Bool(true), _) => left,
            _ => self.binary_op(BinaryOp::Or, left, right),
        }
    }

    pub(super) fn ite(&mut self, condition: Expr, then: Expr, otherwise: Expr) -> Expr {
        let at = self.expression.at;
        match self.program.expressions[condition] {
            ExprData::Bool(true) => then,
            ExprData::Bool(false) => otherwise,
            _ if then == otherwise => then,
            _ => self.program.ite(condition, then, otherwise, at),
        }
    }

    pub(super) fn select(&mut self, map: Expr, index: Expr) -> Expr {
        let at = self.expression.at;
        self.program.select(map, [index], at)
    }

    /// `map` with `value` at a way of indices.
    pub(super) fn store(&mut self, map: Expr, indices: &[Expr], value: Expr) -> Expr {
        let at = self.expression.at;
        let Some((_, outer)) = indices.split_last() else { return value };
        let mut maps = vec![map];
        for &index in outer {
            let inner = self.select(maps[maps.len() - 1], index);
            maps.push(inner);
        }
        let mut value = value;
        for (&index, &map) in indices.iter().zip(&maps).rev() {
            value = self.program.store(map, [index], value, at);
        }
        value
    }

    /// Whether a number lies within bounds. The interval of `unsigned __int128` has the greatest bound that there is, and
    /// means the greatest number of this type.
    pub(super) fn between(&mut self, value: Expr, low: i128, high: i128) -> Expr {
        let high = match (low, high) {
            (0, i128::MAX) => self.int((BigInt::from(1) << 128) - 1),
            _ => self.int(high),
        };
        let low = self.int(low);
        let above = self.compare(BinaryOp::LessEqual, low, value);
        let below = self.compare(BinaryOp::LessEqual, value, high);
        self.and(above, below)
    }

    /// A map that is zero everywhere.
    pub(super) fn zero_map(&mut self, ty: Type) -> Result<Expr> {
        self.same_everywhere(ty, 0)
    }

    /// A map that has the same number everywhere.
    pub(super) fn same_everywhere(&mut self, ty: Type, number: u32) -> Result<Expr> {
        let at = self.expression.at;
        let (domain, range) = match self.program.types.as_map(ty) {
            Some((domain, range)) => (domain.to_vec(), range),
            None => {
                return Ok(match self.program.types.width(ty) {
                    Some(width) => self.program.bit_vector(number, width, at),
                    None => self.int(number),
                });
            }
        };
        debug_assert_eq!(domain, [Type::INT]);
        let value = self.same_everywhere(range, number)?;
        let function = self.constant_map(ty, range, at);
        Ok(self.program.apply(function, [value], at))
    }

    fn constant_map(&mut self, map: Type, range: Type, span: Span) -> ir::Function {
        if let Some(&function) = self.declared.constant_maps.get(&map) {
            return function;
        }
        let name = format!("#const{}", self.declared.constant_maps.len());
        let function = self.program.functions.next_key();
        let kind = VariableKind::FunctionParameter(function);
        let parameter = self.program.new_variable("value", range, kind, span);
        self.program.functions.push(ir::FunctionData {
            name,
            parameters: vec![parameter],
            result: map,
            meaning: ir::Meaning::Builtin(ir::Builtin::ConstantMap),
            attributes: Vec::new(),
            span,
        });
        self.declared.constant_maps.insert(map, function);
        function
    }
}
