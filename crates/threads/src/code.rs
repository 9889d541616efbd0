//! The code of a thread: a procedure with its calls inlined, as a graph of single steps.
//!
//! Every node is one step that no other thread can interrupt. A call of a procedure with a body is a step that checks
//! its preconditions, binds its parameters, remembers the globals whose old values it names, and gives its other
//! variables arbitrary values; the return is a step that checks its postconditions and hands over its results. A call
//! of a procedure without body is one step that does what the contract allows.
//!
//! Calls of recursive procedures may stay calls ([`crate::recursion`]).
//!
//! Requires a well-formed program. The size can be exponential in the depth of the call graph and is therefore limited.

use crate::Refused;
use crate::recursion::{self, Recursion};
use base::Span;
use ir::accesses::{self, Access};
use ir::interpreter::Place;
use ir::{
    AssertKind, Attribute, AttributeArgument, Block, Boundary, Expr, ExprData, Procedure, Program,
    Specification, Statement, StatementKind, Transfer, Variable, VariableKind,
};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The most steps that a thread may have.
const MOST_NODES: usize = 50_000;

/// What happens in one step.
#[derive(Clone, Debug)]
pub(crate) enum Action {
    /// Statements that are executed without interruption.
    Step(Vec<Statement>),
    /// The first successor if the condition holds, else the second.
    Branch(Expr),
    /// Any one of the successors.
    Goto,
    /// Starts a thread.
    Fork { thread: Vec<Expr>, procedure: Procedure, arguments: Vec<Expr> },
    /// Waits for a thread.
    Join { thread: Vec<Expr>, results: Vec<Variable> },
    /// The beginning or the end of an atomic part.
    Atomic(Boundary),
    /// The thread is over.
    End,
}

/// A step with those that may follow.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) action: Action,
    pub(crate) span: Span,
    pub(crate) next: Vec<usize>,
    /// Where the step is in the program.
    pub(crate) place: Place,
    /// What the step accesses of watched variables.
    pub(crate) accesses: Vec<Access>,
}

impl Node {
    fn new(span: Span, next: Vec<usize>, place: Place) -> Node {
        Node { action: Action::Goto, span, next, place, accesses: Vec::new() }
    }
}

/// The code of a thread. The variables are those of the procedure, and own ones for every inlined call.
#[derive(Clone, Debug)]
pub(crate) struct Code {
    pub(crate) procedure: Procedure,
    pub(crate) nodes: Vec<Node>,
    pub(crate) entry: usize,
    /// All variables that are not shared.
    pub(crate) variables: Vec<Variable>,
    /// The variables that keep the values which globals have at the beginning.
    pub(crate) snapshots: Vec<(Variable, Variable)>,
    /// What a thread does when its parameters and the old values are known, in the step that starts it.
    pub(crate) start: Vec<Statement>,
}

/// Names that are in use, each with the number from which on it may be free behind it.
pub(crate) struct Names(FxHashMap<String, usize>);

impl Names {
    pub(crate) fn of(program: &Program) -> Names {
        Names(program.variables.values().map(|data| (data.name.clone(), 2)).collect())
    }

    /// The name, with a number behind it if it is taken.
    pub(crate) fn fresh(&mut self, name: &str) -> String {
        let Some(&first) = self.0.get(name) else {
            self.0.insert(name.to_owned(), 2);
            return name.to_owned();
        };
        let numbered = |number: usize| format!("{name}#{number}");
        let free = (first..).find(|&number| !self.0.contains_key(&numbered(number)));
        let free = free.expect("there are more numbers than names");
        self.0.insert(name.to_owned(), free + 1);
        self.0.insert(numbered(free), 2);
        numbered(free)
    }
}

/// Makes the code of threads.
pub(crate) struct Coder<'a> {
    pub(crate) program: &'a mut Program,
    pub(crate) names: &'a mut Names,
    /// The procedure to which all new variables belong.
    pub(crate) owner: Procedure,
    /// For a copy, what it is a copy of.
    pub(crate) copies: &'a mut FxHashMap<Variable, Variable>,
    /// Which calls stay calls.
    pub(crate) recursion: &'a Recursion,
}

/// A procedure that is being inlined.
struct Frame {
    procedure: Procedure,
    variables: FxHashMap<Variable, Variable>,
    old: FxHashMap<Variable, Variable>,
    /// Itself and its callers.
    path: Rc<Vec<Procedure>>,
    /// The first node of every block.
    heads: FxHashMap<Block, usize>,
    /// Where to go behind its end, and where its results go.
    back: usize,
    results: Vec<Variable>,
    is_root: bool,
}

impl Coder<'_> {
    /// The code of a thread that runs a procedure. That of the owner needs no snapshots: its old values stay as they are.
    pub(crate) fn code(&mut self, procedure: Procedure) -> Result<Code, Refused> {
        let data = &self.program.procedures[procedure];
        let Some(body) = &data.body else {
            let what = format!("threads of procedure `{}`, which has no body,", data.name);
            return Err(Refused::Unsupported { what, span: data.span });
        };
        let variables =
            data.parameters.iter().chain(&data.results).chain(&body.locals).copied().collect::<Vec<_>>();
        let others: Vec<Variable> = data.results.iter().chain(&body.locals).copied().collect();
        let requires = data.requires.clone();
        let wild = others.clone();
        let mut code = Code {
            procedure,
            nodes: Vec::new(),
            entry: 0,
            variables,
            snapshots: Vec::new(),
            start: Vec::new(),
        };
        let end = Place { procedure, block: body.entry(), index: usize::MAX };
        code.nodes.push(Node { action: Action::End, ..Node::new(data.span, Vec::new(), end) });
        let mut root = Frame {
            procedure,
            variables: FxHashMap::default(),
            old: FxHashMap::default(),
            path: Rc::new(vec![procedure]),
            heads: FxHashMap::default(),
            back: 0,
            results: Vec::new(),
            is_root: true,
        };
        if procedure != self.owner {
            self.snapshots(&mut root, &mut code);
            code.snapshots = root.old.iter().map(|(&global, &kept)| (kept, global)).collect();
            code.snapshots.sort_unstable();
            let span = code.nodes[0].span;
            if !others.is_empty() {
                let kind = StatementKind::Havoc(others);
                code.start.push(Statement { kind, span, attributes: Vec::new() });
            }
            // What is assumed without a check about arguments does not cut the execution of whoever passes them.
            let checked: Vec<Specification> =
                requires.iter().filter(|clause| !clause.free).cloned().collect();
            self.demand(&checked, &root, span, &mut code.start);
            let known = self.known_at_calls(procedure, &wild);
            self.assume_where(&known, &root, span, &mut code.start);
        }
        let mut pending = vec![];
        code.entry = self.allocate(&mut root, &mut code);
        pending.push(root);
        while let Some(frame) = pending.pop() {
            self.fill(&frame, &mut code, &mut pending)?;
        }
        Ok(code)
    }

    /// Nodes for all statements of a procedure; gives the first.
    fn allocate(&mut self, frame: &mut Frame, code: &mut Code) -> usize {
        let data = &self.program.procedures[frame.procedure];
        let body = data.body.as_ref().expect("it has a body");
        for (block, block_data) in &body.blocks {
            frame.heads.insert(block, code.nodes.len());
            let procedure = frame.procedure;
            for (index, statement) in block_data.statements.iter().enumerate() {
                let next = vec![code.nodes.len() + 1];
                code.nodes.push(Node::new(statement.span, next, Place { procedure, block, index }));
            }
            let index = block_data.statements.len();
            let place = Place { procedure, block, index };
            code.nodes.push(Node::new(block_data.transfer_span, Vec::new(), place));
        }
        frame.heads[&body.entry()]
    }

    /// Variables for the old values that a procedure names.
    fn snapshots(&mut self, frame: &mut Frame, code: &mut Code) {
        for global in old_variables(self.program, frame.procedure) {
            let name = format!("old.{}", self.program.variables[global].name);
            let kept = self.copy(global, &name);
            frame.old.insert(global, kept);
            code.variables.push(kept);
        }
    }

    /// A variable like another one, without its `where` clause.
    pub(crate) fn copy(&mut self, variable: Variable, name: &str) -> Variable {
        let data = &self.program.variables[variable];
        let (ty, span) = (data.ty, data.span);
        let name = self.names.fresh(name);
        let copy = self.program.new_variable(name, ty, VariableKind::Local(self.owner), span);
        let origin = self.copies.get(&variable).copied().unwrap_or(variable);
        self.copies.insert(copy, origin);
        copy
    }

    fn fill(&mut self, frame: &Frame, code: &mut Code, pending: &mut Vec<Frame>) -> Result<(), Refused> {
        if code.nodes.len() > MOST_NODES {
            return Err(Refused::TooManySteps(MOST_NODES));
        }
        let body = self.program.procedures[frame.procedure].body.clone().expect("it has a body");
        for (block, block_data) in &body.blocks {
            let mut at = frame.heads[&block];
            for statement in &block_data.statements {
                let (action, next) = self.statement(frame, statement, at, code, pending)?;
                code.nodes[at].action = action;
                code.nodes[at].next = vec![next];
                at += 1;
            }
            let node = &mut code.nodes[at];
            match &block_data.transfer {
                Transfer::Goto(targets) => {
                    node.next = targets.iter().map(|target| frame.heads[target]).collect();
                }
                Transfer::Branch { condition, then, otherwise } => {
                    node.next = vec![frame.heads[then], frame.heads[otherwise]];
                    let condition = self.expr(*condition, frame);
                    code.nodes[at].action = Action::Branch(condition);
                }
                Transfer::Return => {
                    node.next = vec![frame.back];
                    let statements = self.leave(frame, block_data.transfer_span);
                    if !statements.is_empty() {
                        code.nodes[at].action = Action::Step(statements);
                    }
                }
            }
        }
        Ok(())
    }

    fn expr(&mut self, expr: Expr, frame: &Frame) -> Expr {
        if frame.variables.is_empty() && frame.old.is_empty() {
            return expr;
        }
        self.program.rename_with_old(expr, &frame.variables, &frame.old)
    }

    fn attributes(&mut self, given: &[Attribute], frame: &Frame) -> Vec<Attribute> {
        attributes(given, |expr| self.expr(expr, frame))
    }

    fn exprs(&mut self, exprs: &[Expr], frame: &Frame) -> Vec<Expr> {
        exprs.iter().map(|&expr| self.expr(expr, frame)).collect()
    }

    /// What a statement does, and where it leads.
    fn statement(
        &mut self,
        frame: &Frame,
        statement: &Statement,
        at: usize,
        code: &mut Code,
        pending: &mut Vec<Frame>,
    ) -> Result<(Action, usize), Refused> {
        let variable = |variable: &Variable| frame.variables.get(variable).copied().unwrap_or(*variable);
        let span = statement.span;
        let attributes = self.attributes(&statement.attributes, frame);
        let one = |kind| Action::Step(vec![Statement { kind, span, attributes: attributes.clone() }]);
        let action = match &statement.kind {
            StatementKind::Assign(assignments) => {
                let assignments = assignments.iter().map(|(to, value)| (variable(to), *value));
                let assignments = assignments.collect::<Vec<_>>();
                let assignments = assignments.into_iter().map(|(to, value)| (to, self.expr(value, frame)));
                one(StatementKind::Assign(assignments.collect()))
            }
            StatementKind::Havoc(variables) => {
                let mut statements = vec![Statement {
                    kind: StatementKind::Havoc(variables.iter().map(variable).collect()),
                    span,
                    attributes,
                }];
                let locals = variables
                    .iter()
                    .copied()
                    .filter(|&variable| self.program.variables[variable].kind != VariableKind::Global);
                self.assume_where(&locals.collect::<Vec<_>>(), frame, span, &mut statements);
                Action::Step(statements)
            }
            StatementKind::Assume(condition) => one(StatementKind::Assume(self.expr(*condition, frame))),
            StatementKind::Assert(kind, condition) => {
                one(StatementKind::Assert(*kind, self.expr(*condition, frame)))
            }
            StatementKind::Call { procedure, arguments, results } => {
                let arguments = self.exprs(arguments, frame);
                let results = results.iter().map(variable).collect();
                let has_body = self.program.procedures[*procedure].body.is_some();
                if has_body && self.recursion.stays(&frame.path, *procedure) {
                    recursion::keep(self.program, self.owner, (*procedure, span))?;
                } else if has_body {
                    return self.call(frame, (*procedure, arguments, results), (at, span), code, pending);
                }
                one(StatementKind::Call { procedure: *procedure, arguments, results })
            }
            StatementKind::Fork { thread, procedure, arguments } => Action::Fork {
                thread: self.exprs(thread, frame),
                procedure: *procedure,
                arguments: self.exprs(arguments, frame),
            },
            StatementKind::Join { thread, results } => Action::Join {
                thread: self.exprs(thread, frame),
                results: results.iter().map(variable).collect(),
            },
            StatementKind::Atomic(boundary) => Action::Atomic(*boundary),
        };
        Ok((action, at + 1))
    }

    fn call(
        &mut self,
        caller: &Frame,
        (procedure, arguments, results): (Procedure, Vec<Expr>, Vec<Variable>),
        (at, span): (usize, Span),
        code: &mut Code,
        pending: &mut Vec<Frame>,
    ) -> Result<(Action, usize), Refused> {
        let mut path = (*caller.path).clone();
        path.push(procedure);
        let data = &self.program.procedures[procedure];
        let name = data.name.clone();
        let body = data.body.as_ref().expect("it has a body");
        let parameters = data.parameters.clone();
        let others: Vec<Variable> = data.results.iter().chain(&body.locals).copied().collect();
        let mut callee = Frame {
            procedure,
            variables: FxHashMap::default(),
            old: FxHashMap::default(),
            path: Rc::new(path),
            heads: FxHashMap::default(),
            back: at + 1,
            results,
            is_root: false,
        };
        for &variable in parameters.iter().chain(&others) {
            let copy_name = format!("{name}.{}", self.program.variables[variable].name);
            let copy = self.copy(variable, &copy_name);
            callee.variables.insert(variable, copy);
            code.variables.push(copy);
        }
        self.snapshots(&mut callee, code);
        let statements = self.enter(&callee, &arguments, span);
        let head = self.allocate(&mut callee, code);
        pending.push(callee);
        Ok((Action::Step(statements), head))
    }

    /// The beginning of an inlined procedure.
    fn enter(&mut self, callee: &Frame, arguments: &[Expr], span: Span) -> Vec<Statement> {
        let data = self.program.procedures[callee.procedure].clone();
        let mut assignments: Vec<(Variable, Expr)> = Vec::new();
        for (parameter, &argument) in data.parameters.iter().zip(arguments) {
            assignments.push((callee.variables[parameter], argument));
        }
        let mut old: Vec<(Variable, Variable)> =
            callee.old.iter().map(|(&global, &kept)| (kept, global)).collect();
        old.sort_unstable();
        for (kept, global) in old {
            assignments.push((kept, self.program.variable(global, span)));
        }
        let mut statements = Vec::new();
        let mut push = |kind| statements.push(Statement { kind, span, attributes: Vec::new() });
        if !assignments.is_empty() {
            push(StatementKind::Assign(assignments));
        }
        let body = data.body.as_ref().expect("it has a body");
        let others: Vec<Variable> = data.results.iter().chain(&body.locals).copied().collect();
        if !others.is_empty() {
            push(StatementKind::Havoc(others.iter().map(|variable| callee.variables[variable]).collect()));
        }
        // What is assumed without a check about arguments does not cut the execution of whoever passes them.
        let checked: Vec<Specification> =
            data.requires.iter().filter(|clause| !clause.free).cloned().collect();
        self.demand(&checked, callee, span, &mut statements);
        let known = self.known_at_calls(callee.procedure, &others);
        self.assume_where(&known, callee, span, &mut statements);
        statements
    }

    /// The end of a procedure.
    fn leave(&mut self, frame: &Frame, span: Span) -> Vec<Statement> {
        let data = self.program.procedures[frame.procedure].clone();
        let mut statements = Vec::new();
        self.demand(&data.ensures, frame, span, &mut statements);
        let mut assignments = Vec::new();
        if !frame.is_root {
            for (&to, from) in frame.results.iter().zip(&data.results) {
                assignments.push((to, self.program.variable(frame.variables[from], span)));
            }
        }
        if !assignments.is_empty() {
            let kind = StatementKind::Assign(assignments);
            statements.push(Statement { kind, span, attributes: Vec::new() });
        }
        statements
    }

    /// The variables of a procedure whose `where` clauses hold when it is called: those that get arbitrary values, and
    /// parameters whose callers have made sure of it.
    fn known_at_calls(&self, procedure: Procedure, wild: &[Variable]) -> Vec<Variable> {
        let parameters = self.program.procedures[procedure].parameters.iter();
        let established = parameters.filter(|&&parameter| self.program.variables[parameter].is_established());
        established.chain(wild).copied().collect()
    }

    /// Checks specifications, and assumes those that are free.
    fn demand(
        &mut self,
        specifications: &[Specification],
        frame: &Frame,
        span: Span,
        statements: &mut Vec<Statement>,
    ) {
        for free in [false, true] {
            for specification in specifications.iter().filter(|specification| specification.free == free) {
                let condition = self.expr(specification.condition, frame);
                let kind = match free {
                    false => StatementKind::Assert(AssertKind::Assert, condition),
                    true => StatementKind::Assume(condition),
                };
                statements.push(Statement { kind, span, attributes: Vec::new() });
            }
        }
    }

    fn assume_where(
        &mut self,
        variables: &[Variable],
        frame: &Frame,
        span: Span,
        statements: &mut Vec<Statement>,
    ) {
        for &variable in variables {
            if let Some(clause) = self.program.variables[variable].where_clause {
                let kind = StatementKind::Assume(self.expr(clause, frame));
                statements.push(Statement { kind, span, attributes: Vec::new() });
            }
        }
    }
}

/// Attributes with their expressions replaced.
pub(crate) fn attributes(attributes: &[Attribute], mut replace: impl FnMut(Expr) -> Expr) -> Vec<Attribute> {
    let mut replaced = attributes.to_vec();
    for argument in replaced.iter_mut().flat_map(|attribute| &mut attribute.arguments) {
        if let AttributeArgument::Expr(expr) = argument {
            *expr = replace(*expr);
        }
    }
    replaced
}

/// The globals whose old values are named in the specification or the body of a procedure.
fn old_variables(program: &Program, procedure: Procedure) -> Vec<Variable> {
    let data = &program.procedures[procedure];
    let mut roots: Vec<Expr> =
        data.requires.iter().chain(&data.ensures).map(|clause| clause.condition).collect();
    for block in data.body.iter().flat_map(|body| body.blocks.values()) {
        for statement in &block.statements {
            roots.extend(values(&statement.kind));
        }
        if let Transfer::Branch { condition, .. } = block.transfer {
            roots.push(condition);
        }
    }
    let mut found: Vec<Variable> = Vec::new();
    for expr in program.expressions.post_order(roots) {
        if let ExprData::Old(variable) = program.expressions[expr] {
            found.push(variable);
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// The expressions that a statement evaluates.
pub(crate) fn values(kind: &StatementKind) -> Vec<Expr> {
    match kind {
        StatementKind::Assign(assignments) => assignments.iter().map(|&(_, value)| value).collect(),
        StatementKind::Assume(condition) | StatementKind::Assert(_, condition) => vec![*condition],
        StatementKind::Call { arguments, .. } => arguments.clone(),
        StatementKind::Fork { thread, arguments, .. } => thread.iter().chain(arguments).copied().collect(),
        StatementKind::Join { thread, .. } => thread.clone(),
        StatementKind::Havoc(_) | StatementKind::Atomic(_) => Vec::new(),
    }
}

/// The variables that a statement gives values.
pub(crate) fn assigned(statement: &Statement) -> Vec<Variable> {
    match &statement.kind {
        StatementKind::Assign(assignments) => assignments.iter().map(|&(to, _)| to).collect(),
        StatementKind::Havoc(variables) => variables.clone(),
        StatementKind::Call { results, .. } => results.clone(),
        _ => Vec::new(),
    }
}

impl Code {
    /// Finds what every step accesses of watched variables.
    pub(crate) fn find_accesses(&mut self, program: &Program) {
        for node in &mut self.nodes {
            node.accesses = match &node.action {
                Action::Step(statements) => {
                    let mut found = Vec::new();
                    let called =
                        statements.iter().filter_map(|statement| recursion::is_kept(program, statement));
                    let inside = called.flat_map(|procedure| recursion::all_statements(program, procedure));
                    for (number, statement) in statements.iter().chain(inside).enumerate() {
                        let mut accesses = accesses::of_statement(program, statement);
                        if number > 0 {
                            // Indices have their values only when the statements before have been executed.
                            for access in &mut accesses {
                                access.exact = false;
                                access.path.clear();
                                access.guards.clear();
                            }
                        }
                        found.extend(accesses);
                    }
                    found
                }
                Action::Branch(condition) => accesses::of_condition(program, *condition),
                Action::Fork { thread, arguments, .. } => {
                    let exprs = thread.iter().chain(arguments);
                    exprs.flat_map(|&expr| accesses::of_condition(program, expr)).collect()
                }
                Action::Join { thread, .. } => {
                    thread.iter().flat_map(|&expr| accesses::of_condition(program, expr)).collect()
                }
                Action::Goto | Action::Atomic(_) | Action::End => Vec::new(),
            };
        }
    }

    /// Leaves out nodes that only lead on.
    pub(crate) fn skip_gotos(&mut self) {
        let passes = |node: &Node| match (&node.action, &node.next[..]) {
            (Action::Goto, &[next]) => Some(next),
            (Action::Step(statements), &[next]) if statements.is_empty() && node.accesses.is_empty() => {
                Some(next)
            }
            _ => None,
        };
        let target = |nodes: &[Node], mut node: usize| {
            // A circle of such nodes has no end.
            for _ in 0..nodes.len() {
                match passes(&nodes[node]) {
                    Some(next) => node = next,
                    None => break,
                }
            }
            node
        };
        for node in 0..self.nodes.len() {
            for position in 0..self.nodes[node].next.len() {
                self.nodes[node].next[position] = target(&self.nodes, self.nodes[node].next[position]);
            }
            if matches!(self.nodes[node].action, Action::Goto) {
                let next = &mut self.nodes[node].next;
                next.sort_unstable();
                next.dedup();
            }
        }
        self.entry = target(&self.nodes, self.entry);
    }
}
