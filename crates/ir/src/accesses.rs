//! What a step accesses of the variables that threads must not access at the same moment.
//!
//! A variable may carry the mark [`Mark::Watched`]. Its *cells* are what its index paths name: the whole variable by the empty
//! path, `m[i]` by the path `i`, `m[i][j]` by the path `i, j`; a path names everything that its continuations name. Two
//! threads *race* if in some state of an execution each of them is about to access a cell, the cells have something in common, one
//! of the accesses is a write, and not both are atomic: a statement may say that its accesses are
//! ([`Mark::AtomicAccess`]), and so are all accesses in an atomic part. A race in an atomic part counts if the part
//! comes to its end.
//!
//! Assignments of the form `m := m[i := m[i][j := v]]` write the cell `i, j` and read what `v` and the indices read; under `if c then
//! … else m` they do so only if `c` holds. What has another form is taken to access everything that it mentions, and
//! [`Access::exact`] says so: then there may be fewer races than it seems.

use crate::expressions::{Expr, ExprData};
use crate::marks::Mark;
use crate::program::{Procedure, Program, Variable};
use crate::statements::{Statement, StatementKind};
use rustc_hash::FxHashSet;

/// An access to cells of a watched variable.
#[derive(Clone, PartialEq, Debug)]
pub struct Access {
    /// The variable.
    pub variable: Variable,
    /// The indices, outermost first; all cells behind them are accessed.
    pub path: Vec<Expr>,
    /// The access happens only if these conditions have these values.
    pub guards: Vec<(Expr, bool)>,
    /// Whether it is a write.
    pub write: bool,
    /// Whether the statement says that it is atomic.
    pub atomic: bool,
    /// Whether it accesses nothing less than it says.
    pub exact: bool,
}

/// Whether a program has watched variables.
pub fn watches(program: &Program) -> bool {
    program.globals.iter().any(|&global| is_watched(program, global))
}

fn is_watched(program: &Program, variable: Variable) -> bool {
    Mark::Watched.is_in(&program.variables[variable].attributes)
}

/// What a statement accesses.
pub fn of_statement(program: &Program, statement: &Statement) -> Vec<Access> {
    if Mark::NoAccess.is_in(&statement.attributes) {
        return Vec::new();
    }
    let mut found = Finder::new(program);
    match &statement.kind {
        StatementKind::Assign(assignments) => {
            for &(to, value) in assignments {
                if is_watched(program, to) {
                    found.update(to, &mut Vec::new(), value, &mut Vec::new());
                } else {
                    found.read(value, &[]);
                }
            }
        }
        StatementKind::Havoc(variables) => {
            // Front ends also write it for what may happen.
            for &variable in variables.iter().filter(|&&variable| is_watched(program, variable)) {
                found.vague(variable, true);
            }
        }
        StatementKind::Assume(condition) | StatementKind::Assert(_, condition) => found.read(*condition, &[]),
        StatementKind::Call { procedure, arguments, .. } => {
            arguments.iter().for_each(|&argument| found.read(argument, &[]));
            found.contract(*procedure);
        }
        StatementKind::Fork { thread, arguments, .. } => {
            thread.iter().chain(arguments).for_each(|&expr| found.read(expr, &[]));
        }
        StatementKind::Join { thread, .. } => thread.iter().for_each(|&expr| found.read(expr, &[])),
        StatementKind::Atomic(_) => {}
    }
    let mut accesses = found.accesses;
    let atomic = Mark::AtomicAccess.is_in(&statement.attributes);
    accesses.iter_mut().for_each(|access| access.atomic = atomic);
    accesses
}

/// What the evaluation of a condition accesses.
pub fn of_condition(program: &Program, condition: Expr) -> Vec<Access> {
    let mut found = Finder::new(program);
    found.read(condition, &[]);
    found.accesses
}

/// Whether two accesses may be a race, as far as the accesses themselves tell: one is a write, and the cells may be the same.
pub fn may_race(program: &Program, one: &Access, other: &Access) -> bool {
    let number = |expr: Expr| match &program.expressions[expr] {
        ExprData::Int(value) => Some(value),
        _ => None,
    };
    let differ = |(&left, &right): (&Expr, &Expr)| match (number(left), number(right)) {
        (Some(left), Some(right)) => left != right,
        _ => false,
    };
    one.variable == other.variable
        && (one.write || other.write)
        && !one.path.iter().zip(&other.path).any(differ)
}

struct Finder<'p> {
    program: &'p Program,
    accesses: Vec<Access>,
}

impl<'p> Finder<'p> {
    fn new(program: &'p Program) -> Finder<'p> {
        Finder { program, accesses: Vec::new() }
    }

    fn add(&mut self, access: Access) {
        if !self.accesses.contains(&access) {
            self.accesses.push(access);
        }
    }

    fn write(&mut self, variable: Variable, path: &[Expr], guards: &[(Expr, bool)]) {
        let (path, guards) = (path.to_vec(), guards.to_vec());
        self.add(Access { variable, path, guards, write: true, atomic: false, exact: true });
    }

    /// The accesses of a call that is used by contract: everything that the contract mentions and modifies.
    fn contract(&mut self, procedure: Procedure) {
        let program = self.program;
        let data = &program.procedures[procedure];
        if data.body.is_some() {
            return;
        }
        let clauses = data.requires.iter().chain(&data.ensures).map(|clause| clause.condition);
        for part in program.expressions.post_order(clauses) {
            if let ExprData::Variable(variable) | ExprData::Old(variable) = program.expressions[part]
                && is_watched(program, variable)
            {
                self.vague(variable, false);
            }
        }
        for &variable in data.modifies.iter().filter(|&&variable| is_watched(program, variable)) {
            self.vague(variable, true);
        }
    }

    fn vague(&mut self, variable: Variable, write: bool) {
        let (path, guards) = (Vec::new(), Vec::new());
        self.add(Access { variable, path, guards, write, atomic: false, exact: false });
    }

    /// The part of a variable that a chain of selections names.
    fn cell(&self, expr: Expr) -> Option<(Variable, Vec<Expr>)> {
        let mut path: Vec<Expr> = Vec::new();
        let mut at = expr;
        loop {
            match &self.program.expressions[at] {
                ExprData::Select(map, arguments) => {
                    path.splice(0..0, arguments.iter().copied());
                    at = *map;
                }
                ExprData::Variable(variable) => return Some((*variable, path)),
                _ => return None,
            }
        }
    }

    /// What the value of an expression depends on.
    fn read(&mut self, expr: Expr, guards: &[(Expr, bool)]) {
        let program = self.program;
        let mut seen: FxHashSet<(Expr, usize)> = FxHashSet::default();
        // The conditions under which the pending expressions are evaluated.
        let mut contexts: Vec<Vec<(Expr, bool)>> = vec![guards.to_vec()];
        let mut pending = vec![(expr, 0)];
        while let Some((expr, context)) = pending.pop() {
            if !seen.insert((expr, context)) {
                continue;
            }
            match &program.expressions[expr] {
                ExprData::Variable(_) | ExprData::Select(..) => {
                    if let Some((variable, path)) = self.cell(expr) {
                        pending.extend(path.iter().map(|&index| (index, context)));
                        if is_watched(program, variable) {
                            let guards = contexts[context].clone();
                            self.add(Access {
                                variable,
                                path,
                                guards,
                                write: false,
                                atomic: false,
                                exact: true,
                            });
                        }
                        continue;
                    }
                    program.expressions.for_each_child(expr, |child| pending.push((child, context)));
                }
                ExprData::Old(variable) if is_watched(program, *variable) => self.vague(*variable, false),
                ExprData::Ite(condition, then, otherwise) => {
                    pending.push((*condition, context));
                    for (branch, truth) in [(then, true), (otherwise, false)] {
                        let mut inside = contexts[context].clone();
                        inside.push((*condition, truth));
                        pending.push((*branch, contexts.len()));
                        contexts.push(inside);
                    }
                }
                ExprData::Quantified(_) => {
                    for part in program.expressions.post_order([expr]) {
                        if let ExprData::Variable(variable) = program.expressions[part]
                            && is_watched(program, variable)
                        {
                            self.vague(variable, false);
                        }
                    }
                }
                _ => program.expressions.for_each_child(expr, |child| pending.push((child, context))),
            }
        }
    }

    /// What is accessed when the cells behind a path get the value of an expression.
    fn update(
        &mut self,
        variable: Variable,
        path: &mut Vec<Expr>,
        value: Expr,
        guards: &mut Vec<(Expr, bool)>,
    ) {
        let program = self.program;
        match &program.expressions[value] {
            ExprData::Store(map, arguments, element) => {
                if !self.is_present(variable, path, *map) {
                    self.update(variable, path, *map, guards);
                }
                let depth = path.len();
                arguments.iter().for_each(|&index| self.read(index, guards));
                path.extend(arguments.iter().copied());
                self.update(variable, path, *element, guards);
                path.truncate(depth);
            }
            ExprData::Ite(condition, then, otherwise) => {
                self.read(*condition, guards);
                for (branch, truth) in [(then, true), (otherwise, false)] {
                    // What stays as it is was not written.
                    if !self.is_present(variable, path, *branch) {
                        guards.push((*condition, truth));
                        self.update(variable, path, *branch, guards);
                        guards.pop();
                    }
                }
            }
            _ => {
                self.write(variable, path, guards);
                self.read(value, guards);
            }
        }
    }

    /// Whether an expression is what the cells behind a path are now.
    fn is_present(&self, variable: Variable, path: &[Expr], value: Expr) -> bool {
        self.cell(value).is_some_and(|(of, at)| {
            of == variable && at.len() == path.len() && at.iter().zip(path).all(|(&a, &b)| self.same(a, b))
        })
    }

    /// Whether two expressions are the same, as far as it is worth looking.
    fn same(&self, left: Expr, right: Expr) -> bool {
        let mut pending = vec![(left, right)];
        let mut steps = 0;
        while let Some((left, right)) = pending.pop() {
            steps += 1;
            if left == right {
                continue;
            }
            let mut children = [Vec::new(), Vec::new()];
            for (expr, children) in [left, right].into_iter().zip(&mut children) {
                self.program.expressions.for_each_child(expr, |child| children.push(child));
            }
            let [of_left, of_right] = children;
            let (one, other) = (&self.program.expressions[left], &self.program.expressions[right]);
            let alike = match (one, other) {
                (ExprData::Binary(one, ..), ExprData::Binary(other, ..)) => one == other,
                (ExprData::Unary(one, _), ExprData::Unary(other, _)) => one == other,
                (ExprData::Apply(one, _), ExprData::Apply(other, _)) => one == other,
                (ExprData::Select(..), ExprData::Select(..)) | (ExprData::Ite(..), ExprData::Ite(..)) => true,
                (one, other) => of_left.is_empty() && one == other,
            };
            if !alike || of_left.len() != of_right.len() || steps > 1000 {
                return false;
            }
            pending.extend(of_left.into_iter().zip(of_right));
        }
        true
    }
}
