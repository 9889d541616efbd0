//! Constants: the values of variables that name threads, as far as control tells.
//!
//! Threads are named by values, so what a join waits for depends on data. Most programs use names that are known at every
//! point: literals, and variables that were assigned literals or counted. Integer variables from which names are computed
//! are followed: global ones, and those of the first thread; so are flags ([`Follow`]). A state of the product then knows
//! their values, and joins need not ask.
//!
//! Guarantee: a value that a state knows is the one that the variable has in all executions that come to the state. A
//! variable with too many values is not followed ([`Constants::give_up`]), so that there are finitely many states.

use crate::code::{Action, Code};
use crate::system::System;
use ir::{
    BinaryOp, Expr, ExprData, Program, Statement, StatementKind, Type, UnaryOp, Variable, VariableKind,
};
use num_traits::ToPrimitive;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// Which variables are followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Follow {
    /// Those from which names of threads are computed; those that count how often the first thread starts or awaits
    /// others; and flags, which are globals that only ever get values that are written in the program, and for which some
    /// thread waits. Locks above all are such flags, and states in which two threads hold one are left out.
    NamesAndFlags,
    /// Only the first of these.
    Names,
}

/// A variable with more values than this is not followed.
pub(crate) const MOST_VALUES: usize = 24;

/// The value of an expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Value {
    Number(i64),
    Truth(bool),
}

/// What is known at a state: a value for every variable that is followed.
pub(crate) type Known = Rc<[Option<i64>]>;

/// The variables that are followed.
pub(crate) struct Constants<'a> {
    program: &'a Program,
    numbers: FxHashMap<Variable, usize>,
    variables: Vec<Variable>,
}

impl<'a> Constants<'a> {
    pub(crate) fn new(program: &'a Program, system: &System, follow: Follow) -> Constants<'a> {
        let own: FxHashSet<Variable> = system.codes[0].variables.iter().copied().collect();
        let may_follow = |variable: Variable| {
            let data = &program.variables[variable];
            let simple = data.ty == Type::INT || data.ty == Type::BOOL;
            simple && (data.kind == VariableKind::Global || own.contains(&variable))
        };
        let mut pending: Vec<Variable> = match follow {
            Follow::NamesAndFlags => [flags(program, system), counters(program, &system.codes[0])].concat(),
            Follow::Names => Vec::new(),
        };
        let mut sources: FxHashMap<Variable, Vec<Expr>> = FxHashMap::default();
        for node in system.codes.iter().flat_map(|code| &code.nodes) {
            match &node.action {
                Action::Fork { thread, .. } | Action::Join { thread, .. } if thread.len() == 1 => {
                    pending.extend(variables_of(program, thread));
                }
                Action::Step(statements) => {
                    for statement in statements {
                        if let StatementKind::Assign(assignments) = &statement.kind {
                            for &(to, value) in assignments {
                                sources.entry(to).or_default().push(value);
                            }
                        }
                    }
                }
                _ => {}
            }
        }
        let mut found: FxHashSet<Variable> = FxHashSet::default();
        while let Some(variable) = pending.pop() {
            if may_follow(variable) && found.insert(variable) {
                let exprs = sources.get(&variable).map_or(&[][..], |exprs| exprs);
                pending.extend(variables_of(program, exprs));
            }
        }
        let mut variables: Vec<Variable> = found.into_iter().collect();
        variables.sort_unstable();
        let mut constants = Constants { program, numbers: FxHashMap::default(), variables };
        constants.renumber();
        constants
    }

    fn renumber(&mut self) {
        self.numbers = self.variables.iter().enumerate().map(|(number, &v)| (v, number)).collect();
    }

    /// The variables that are followed.
    pub(crate) fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// Stops following a variable.
    pub(crate) fn give_up(&mut self, number: usize) {
        self.variables.remove(number);
        self.renumber();
    }

    /// At the beginning nothing is known.
    pub(crate) fn nothing(&self) -> Known {
        vec![None; self.variables.len()].into()
    }

    fn evaluate(&self, known: &Known, expr: Expr) -> Option<Value> {
        let expressions = &self.program.expressions;
        let mut found: FxHashMap<Expr, Value> = FxHashMap::default();
        for part in expressions.post_order([expr]) {
            let number = |expr: &Expr| match found.get(expr)? {
                Value::Number(number) => Some(*number),
                Value::Truth(_) => None,
            };
            let truth = |expr: &Expr| match found.get(expr)? {
                Value::Truth(truth) => Some(*truth),
                Value::Number(_) => None,
            };
            let value = match &expressions[part] {
                ExprData::Bool(truth) => Value::Truth(*truth),
                ExprData::Int(value) => Value::Number(value.to_i64()?),
                ExprData::Variable(variable) => {
                    let value = known[*self.numbers.get(variable)?]?;
                    match self.program.variables[*variable].ty == Type::BOOL {
                        true => Value::Truth(value != 0),
                        false => Value::Number(value),
                    }
                }
                ExprData::Unary(UnaryOp::Negate, operand) => Value::Number(number(operand)?.checked_neg()?),
                ExprData::Unary(UnaryOp::Not, operand) => Value::Truth(!truth(operand)?),
                ExprData::Binary(op, left, right) => match op {
                    BinaryOp::And => Value::Truth(truth(left)? && truth(right)?),
                    BinaryOp::Or => Value::Truth(truth(left)? || truth(right)?),
                    BinaryOp::Equal | BinaryOp::NotEqual if truth(left).is_some() => {
                        Value::Truth((truth(left)? == truth(right)?) == (*op == BinaryOp::Equal))
                    }
                    _ => compute(*op, number(left)?, number(right)?)?,
                },
                ExprData::Ite(condition, then, otherwise) => {
                    *found.get(if truth(condition)? { then } else { otherwise })?
                }
                _ => return None,
            };
            found.insert(part, value);
        }
        found.get(&expr).copied()
    }

    /// The number that an expression is.
    pub(crate) fn number(&self, known: &Known, expr: Expr) -> Option<i64> {
        match self.evaluate(known, expr)? {
            Value::Number(number) => Some(number),
            Value::Truth(_) => None,
        }
    }

    /// Whether a condition holds.
    pub(crate) fn holds(&self, known: &Known, condition: Expr) -> Option<bool> {
        match self.evaluate(known, condition)? {
            Value::Truth(truth) => Some(truth),
            Value::Number(_) => None,
        }
    }

    /// What is known behind statements; whether control can come there.
    pub(crate) fn execute(&self, known: &mut Known, statements: &[Statement]) -> bool {
        for statement in statements {
            match &statement.kind {
                StatementKind::Assign(assignments) => {
                    let followed = assignments.iter().filter_map(|&(to, value)| {
                        let value = self.evaluate(known, value).map(|value| match value {
                            Value::Number(number) => number,
                            Value::Truth(truth) => i64::from(truth),
                        });
                        Some((*self.numbers.get(&to)?, value))
                    });
                    for (number, value) in followed.collect::<Vec<_>>() {
                        set(known, number, value);
                    }
                }
                StatementKind::Havoc(variables) => self.forget(known, variables),
                StatementKind::Call { procedure, results, .. } => {
                    self.forget(known, results);
                    self.forget(known, &self.program.procedures[*procedure].modifies);
                }
                StatementKind::Assume(condition) => {
                    if self.holds(known, *condition) == Some(false) {
                        return false;
                    }
                    self.learn(known, *condition, true);
                }
                _ => {}
            }
        }
        true
    }

    /// What is known besides when a condition holds or does not hold.
    pub(crate) fn learn(&self, known: &mut Known, condition: Expr, truth: bool) {
        let expressions = &self.program.expressions;
        let mut pending = vec![(condition, truth)];
        while let Some((expr, truth)) = pending.pop() {
            match (&expressions[expr], truth) {
                (ExprData::Unary(UnaryOp::Not, operand), _) => pending.push((*operand, !truth)),
                (ExprData::Binary(BinaryOp::And, left, right), true)
                | (ExprData::Binary(BinaryOp::Or, left, right), false) => {
                    pending.extend([(*left, truth), (*right, truth)]);
                }
                (ExprData::Binary(BinaryOp::Equal, left, right), true)
                | (ExprData::Binary(BinaryOp::NotEqual, left, right), false) => {
                    for (variable, value) in [(left, right), (right, left)] {
                        if let ExprData::Variable(variable) = expressions[*variable]
                            && let Some(&number) = self.numbers.get(&variable)
                            && let Some(Value::Number(value)) = self.evaluate(known, *value)
                        {
                            set(known, number, Some(value));
                        }
                    }
                }
                (ExprData::Variable(variable), _) => {
                    if let Some(&number) = self.numbers.get(variable) {
                        set(known, number, Some(i64::from(truth)));
                    }
                }
                _ => {}
            }
        }
    }

    pub(crate) fn forget(&self, known: &mut Known, variables: &[Variable]) {
        for variable in variables {
            if let Some(&number) = self.numbers.get(variable) {
                set(known, number, None);
            }
        }
    }
}

/// States share what they know until it changes.
fn set(known: &mut Known, number: usize, value: Option<i64>) {
    if known[number] != value {
        Rc::make_mut(known)[number] = value;
    }
}

/// The globals that only get literal values and that an assumption mentions.
fn flags(program: &Program, system: &System) -> Vec<Variable> {
    let is_global = |variable: &Variable| program.variables[*variable].kind == VariableKind::Global;
    let mut waited_for: FxHashSet<Variable> = FxHashSet::default();
    let mut others: FxHashSet<Variable> = FxHashSet::default();
    let literal = |expr: Expr| match program.expressions[expr] {
        ExprData::Int(_) | ExprData::Bool(_) => true,
        // Where it matters who waits, it is counted how many do.
        _ => system.finds_deadlocks && variables_of(program, &[expr]).iter().all(is_global),
    };
    let nodes = system.codes.iter().flat_map(|code| &code.nodes);
    let starts = system.codes.iter().flat_map(|code| &code.start);
    let steps = nodes.clone().filter_map(|node| match &node.action {
        Action::Step(statements) => Some(statements),
        _ => None,
    });
    for statement in steps.flatten().chain(starts) {
        match &statement.kind {
            StatementKind::Assign(assignments) => {
                others.extend(assignments.iter().filter(|(_, value)| !literal(*value)).map(|(to, _)| *to));
            }
            StatementKind::Havoc(variables) => others.extend(variables),
            StatementKind::Call { procedure, results, .. } => {
                others.extend(program.procedures[*procedure].modifies.iter().chain(results));
            }
            StatementKind::Assume(condition) => waited_for.extend(variables_of(program, &[*condition])),
            _ => {}
        }
    }
    for node in nodes {
        if let Action::Join { results, .. } = &node.action {
            others.extend(results);
        }
    }
    let is_flag = |variable: &&Variable| waited_for.contains(variable) && !others.contains(variable);
    program.globals.iter().filter(is_flag).copied().collect()
}

/// The variables in conditions of loops that start or await threads.
fn counters(program: &Program, code: &Code) -> Vec<Variable> {
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); code.nodes.len()];
    let mut behind = before.clone();
    for (node, data) in code.nodes.iter().enumerate() {
        for &next in &data.next {
            before[next].push(node);
            behind[node].push(next);
        }
    }
    let reached = |from: usize, edges: &[Vec<usize>]| {
        let mut seen = vec![false; edges.len()];
        let mut pending = edges[from].clone();
        while let Some(node) = pending.pop() {
            if !std::mem::replace(&mut seen[node], true) {
                pending.extend(&edges[node]);
            }
        }
        seen
    };
    let mut found = Vec::new();
    for (node, data) in code.nodes.iter().enumerate() {
        if !matches!(data.action, Action::Fork { .. } | Action::Join { .. }) {
            continue;
        }
        let later = reached(node, &behind);
        if !later[node] {
            continue;
        }
        let earlier = reached(node, &before);
        let in_loop = code.nodes.iter().enumerate().filter(|&(other, _)| later[other] && earlier[other]);
        for (_, data) in in_loop {
            if let Action::Branch(condition) = data.action {
                found.extend(variables_of(program, &[condition]));
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

fn compute(op: BinaryOp, left: i64, right: i64) -> Option<Value> {
    Some(match op {
        BinaryOp::Equal => Value::Truth(left == right),
        BinaryOp::NotEqual => Value::Truth(left != right),
        BinaryOp::Less => Value::Truth(left < right),
        BinaryOp::LessEqual => Value::Truth(left <= right),
        BinaryOp::Greater => Value::Truth(left > right),
        BinaryOp::GreaterEqual => Value::Truth(left >= right),
        BinaryOp::Add => Value::Number(left.checked_add(right)?),
        BinaryOp::Subtract => Value::Number(left.checked_sub(right)?),
        BinaryOp::Multiply => Value::Number(left.checked_mul(right)?),
        _ => return None,
    })
}

fn variables_of(program: &Program, exprs: &[Expr]) -> Vec<Variable> {
    let parts = program.expressions.post_order(exprs.iter().copied());
    let variable = |part: Expr| match program.expressions[part] {
        ExprData::Variable(variable) => Some(variable),
        _ => None,
    };
    parts.into_iter().filter_map(variable).collect()
}
