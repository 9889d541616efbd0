//! Recursive definitions of functions, and which of them certainly have a solution.
//!
//! A definition `function f(x) { e }` says that `f(x) == e` for all `x`. If `e` mentions `f`, that is an equation, and
//! it may have no solution: then the program has no execution at all. [`Definitions`] tells which functions are
//! recursive, and which of those are *well founded*: every value is determined by values at smaller arguments, so
//! that there is exactly one solution, which the interpreter computes.
//!
//! The test is syntactic. Functions that depend on each other are well founded if there is one position of an integer
//! parameter `p` such that at every call between them the argument `e` at that position is smaller than `p` and `p` or
//! `e` is bounded from below, or larger and bounded from above, in the same direction everywhere. Smaller are `p - c`,
//! `p div c` for positive `p`, and what a condition around the call compares with `p`. Conditions around a call are
//! those of `if`, and the left sides of `&&`, `||` and `==>`. Bounds are literals, constants, or parameters that all
//! calls pass on unchanged; a bound by a literal may be another one at every call, as there are finitely many.
//!
//! Linear in the size of the program times the number of parameters of the recursive functions.

use crate::expressions::{BinaryOp, Expr, ExprData, UnaryOp};
use crate::program::{Function, Meaning, Program, Variable, VariableKind};
use crate::types::Type;
use base::{EntityRef, SecondaryMap};
use num_traits::Signed;

/// What is known about the definition of a function.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Recursion {
    /// It does not depend on itself.
    #[default]
    None,
    /// Every value depends on values at smaller arguments only.
    WellFounded,
    /// Nobody knows whether any function satisfies the definition.
    Unknown,
}

/// The definitions of a program.
#[derive(Clone, Debug)]
pub struct Definitions {
    recursion: SecondaryMap<Function, Recursion>,
}

/// A call of a function from the definition of one that it depends on.
struct Call<'p> {
    caller: Function,
    arguments: &'p [Expr],
    /// What holds where the value of the call matters: formulas, with whether they hold.
    conditions: Vec<(Expr, bool)>,
}

/// In which direction arguments move.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Down,
    Up,
}

impl Definitions {
    /// Looks at all functions of a program.
    pub fn of(program: &Program) -> Definitions {
        let mut recursion = SecondaryMap::new();
        for component in components(program) {
            let found =
                if well_founded(program, &component) { Recursion::WellFounded } else { Recursion::Unknown };
            for function in component {
                recursion[function] = found;
            }
        }
        Definitions { recursion }
    }

    /// What is known about a function.
    pub fn recursion(&self, function: Function) -> Recursion {
        self.recursion[function]
    }

    /// Whether the definition of a function depends on the function itself.
    pub fn is_recursive(&self, function: Function) -> bool {
        self.recursion[function] != Recursion::None
    }
}

/// The functions that each definition mentions.
fn uses(program: &Program) -> Vec<Vec<usize>> {
    let of_body = |body: Expr| {
        let mut used: Vec<usize> = Vec::new();
        for part in program.expressions.post_order([body]) {
            if let ExprData::Apply(function, _) = &program.expressions[part] {
                used.push(function.index());
            }
        }
        used.sort_unstable();
        used.dedup();
        used
    };
    let functions = program.functions.values();
    functions
        .map(|data| match data.meaning {
            Meaning::Defined(body) => of_body(body),
            Meaning::Uninterpreted | Meaning::Builtin(_) => Vec::new(),
        })
        .collect()
}

/// The sets of functions that depend on each other: the strongly connected components with a cycle.
fn components(program: &Program) -> Vec<Vec<Function>> {
    let uses = uses(program);
    let components = graph::components(uses.len(), |function, out| out.extend(&uses[function]));
    let recursive = components.iter().filter(|of| of.len() > 1 || uses[of[0]].contains(&of[0]));
    recursive.map(|of| of.iter().map(|&function| Function::new(function)).collect()).collect()
}

fn well_founded(program: &Program, component: &[Function]) -> bool {
    let Some(calls) = calls(program, component) else { return false };
    let parameters = |function: Function| &program.functions[function].parameters;
    let fewest = component.iter().map(|&function| parameters(function).len()).min().unwrap_or(0);
    let is_parameter = |call: &Call<'_>, position: usize| {
        let argument = call.arguments.get(position).map(|&argument| &program.expressions[argument]);
        argument == Some(&ExprData::Variable(parameters(call.caller)[position]))
    };
    let unchanged: Vec<usize> =
        (0..fewest).filter(|&position| calls.iter().all(|call| is_parameter(call, position))).collect();
    (0..fewest).any(|position| {
        let is_int = |&function: &Function| program.variables[parameters(function)[position]].ty == Type::INT;
        component.iter().all(is_int)
            && [Direction::Down, Direction::Up].into_iter().any(|direction| {
                calls.iter().all(|call| {
                    let parameter = parameters(call.caller)[position];
                    let fixed = unchanged.iter().map(|&position| parameters(call.caller)[position]).collect();
                    let context = Context { program, call, parameter, fixed, direction };
                    context.moves(call.arguments[position])
                })
            })
    })
}

/// All calls between functions of a component with the conditions around them; nothing if there are too many.
fn calls<'p>(program: &'p Program, component: &[Function]) -> Option<Vec<Call<'p>>> {
    const MOST_VISITS: usize = 100_000;
    let mut calls = Vec::new();
    let mut visits = 0;
    for &caller in component {
        let Meaning::Defined(body) = program.functions[caller].meaning else { continue };
        let mut pending = vec![(body, Vec::new())];
        while let Some((expr, conditions)) = pending.pop() {
            visits += 1 + conditions.len();
            if visits > MOST_VISITS {
                return None;
            }
            let under = |condition: Expr, holds: bool| {
                let mut all: Vec<(Expr, bool)> = conditions.clone();
                all.push((condition, holds));
                all
            };
            match &program.expressions[expr] {
                ExprData::Ite(condition, then, otherwise) => {
                    pending.push((*then, under(*condition, true)));
                    pending.push((*otherwise, under(*condition, false)));
                    pending.push((*condition, conditions));
                }
                ExprData::Binary(op @ (BinaryOp::And | BinaryOp::Or | BinaryOp::Implies), left, right) => {
                    pending.push((*right, under(*left, *op != BinaryOp::Or)));
                    pending.push((*left, conditions));
                }
                ExprData::Quantified(quantifier) => pending.push((quantifier.body, conditions)),
                data => {
                    program
                        .expressions
                        .for_each_child(expr, |child| pending.push((child, conditions.clone())));
                    if let ExprData::Apply(function, arguments) = data
                        && component.contains(function)
                    {
                        calls.push(Call { caller, arguments, conditions });
                    }
                }
            }
        }
    }
    Some(calls)
}

/// Where it is to be shown that an argument moves.
struct Context<'a> {
    program: &'a Program,
    call: &'a Call<'a>,
    parameter: Variable,
    /// The parameters that all calls pass on unchanged.
    fixed: Vec<Variable>,
    direction: Direction,
}

impl Context<'_> {
    fn moves(&self, argument: Expr) -> bool {
        let facts = self.facts();
        let is_parameter = |expr: Expr| self.program.expressions[expr] == ExprData::Variable(self.parameter);
        let is_argument = |expr: Expr| {
            expr == argument || self.program.expressions[expr] == self.program.expressions[argument]
        };
        // A fact says that its left side is smaller, or not larger, than its right side.
        let bounded = facts.iter().any(|fact| {
            let (moving, bound) = match self.direction {
                Direction::Down => (fact.right, fact.left),
                Direction::Up => (fact.left, fact.right),
            };
            (is_parameter(moving) || is_argument(moving)) && self.is_fixed(bound)
        });
        let compared = facts.iter().any(|fact| {
            let (next, before) = match self.direction {
                Direction::Down => (fact.left, fact.right),
                Direction::Up => (fact.right, fact.left),
            };
            fact.strict && is_argument(next) && is_parameter(before)
        });
        bounded && (compared || self.is_step(argument)) || self.is_part(argument, &facts)
    }

    /// `p - c` downwards or `p + c` upwards, for a positive literal.
    fn is_step(&self, argument: Expr) -> bool {
        let expressions = &self.program.expressions;
        let ExprData::Binary(op @ (BinaryOp::Add | BinaryOp::Subtract), left, right) = expressions[argument]
        else {
            return false;
        };
        let is_parameter = |expr: Expr| expressions[expr] == ExprData::Variable(self.parameter);
        let sign = |expr: Expr| match &expressions[expr] {
            ExprData::Int(value) => i32::from(value.is_positive()) - i32::from(value.is_negative()),
            _ => 0,
        };
        let step = match op {
            BinaryOp::Subtract if is_parameter(left) => -sign(right),
            BinaryOp::Add if is_parameter(left) => sign(right),
            BinaryOp::Add if is_parameter(right) => sign(left),
            _ => 0,
        };
        step == if self.direction == Direction::Down { -1 } else { 1 }
    }

    /// `p div c` for a literal of at least 2, downwards, where `p` is positive.
    fn is_part(&self, argument: Expr, facts: &[Fact]) -> bool {
        let expressions = &self.program.expressions;
        let ExprData::Binary(BinaryOp::IntDivide, left, right) = expressions[argument] else { return false };
        let is_parameter = |expr: Expr| expressions[expr] == ExprData::Variable(self.parameter);
        let at_least = |expr: Expr, least: i64| match &expressions[expr] {
            ExprData::Int(value) => *value >= least.into(),
            _ => false,
        };
        let is_positive =
            facts.iter().any(|fact| is_parameter(fact.right) && at_least(fact.left, i64::from(!fact.strict)));
        self.direction == Direction::Down && is_parameter(left) && at_least(right, 2) && is_positive
    }

    /// Whether an expression has the same value at all calls, or is a literal.
    fn is_fixed(&self, expr: Expr) -> bool {
        self.program.expressions.post_order([expr]).into_iter().all(|part| {
            match &self.program.expressions[part] {
                ExprData::Int(_) => true,
                ExprData::Variable(variable) => {
                    self.fixed.contains(variable)
                        || matches!(self.program.variables[*variable].kind, VariableKind::Constant { .. })
                }
                ExprData::Unary(UnaryOp::Negate, _)
                | ExprData::Binary(BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply, ..) => true,
                _ => false,
            }
        })
    }

    /// The comparisons among the conditions around the call.
    fn facts(&self) -> Vec<Fact> {
        let expressions = &self.program.expressions;
        let mut facts = Vec::new();
        let mut pending = self.call.conditions.clone();
        while let Some((expr, holds)) = pending.pop() {
            match (&expressions[expr], holds) {
                (ExprData::Unary(UnaryOp::Not, inner), _) => pending.push((*inner, !holds)),
                (ExprData::Binary(BinaryOp::And, left, right), true)
                | (ExprData::Binary(BinaryOp::Or, left, right), false) => {
                    pending.extend([(*left, holds), (*right, holds)]);
                }
                (ExprData::Binary(BinaryOp::Implies, left, right), false) => {
                    pending.extend([(*left, true), (*right, false)]);
                }
                (ExprData::Binary(op, left, right), _) => facts.extend(Fact::of(*op, *left, *right, holds)),
                _ => {}
            }
        }
        facts
    }
}

/// `left < right`, or `left <= right`.
struct Fact {
    left: Expr,
    right: Expr,
    strict: bool,
}

impl Fact {
    fn of(op: BinaryOp, left: Expr, right: Expr, holds: bool) -> Option<Fact> {
        let (swapped, strict) = match op {
            BinaryOp::Less => (false, true),
            BinaryOp::LessEqual => (false, false),
            BinaryOp::Greater => (true, true),
            BinaryOp::GreaterEqual => (true, false),
            _ => return None,
        };
        // The opposite of `a < b` is `b <= a`.
        let (left, right) = if swapped == holds { (right, left) } else { (left, right) };
        Some(Fact { left, right, strict: strict == holds })
    }
}
