//! Runs scripts.
//!
//! Definitions of automata at the top level of a file hold in the whole file, also before the place where they are
//! written; everything else runs in order. `parseAutomata` only takes the definitions of another file. An
//! operation that is not supported gives a value that makes everything which depends on it unsupported too, and the
//! run goes on. Whatever is wrong with the script ends the run with a diagnostic.

use crate::ast::{Expression, ExpressionKind, Name, Operator, Position, Statement, WordSymbol};
use crate::names::Letters;
use crate::operations::{self, Apply, Failure};
use crate::report::{Assertion, Report, Verdict};
use crate::value::{Size, Value};
use crate::{definition, parser, printer};
use base::{Budget, Diagnostic, FileId, Interrupted, SourceMap, Span};
use nwa::Symbol;
use rustc_hash::FxHashMap;
use std::io::Write;
use std::rc::Rc;

/// How automata are printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// As a definition that a script can contain.
    Script,
    /// As a graph for Graphviz.
    Dot,
}

/// A file that a script names.
pub struct Loaded {
    /// Its name, for messages and for the files that it names in turn.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// What a script needs from outside.
pub struct Environment<'a> {
    /// Loads a file that is named in a script: the name of the script, and the path as it is written there.
    pub load: &'a mut dyn FnMut(&str, &str) -> Result<Loaded, String>,
    /// Where `print` writes.
    pub out: &'a mut dyn Write,
    /// How automata are printed.
    pub format: Format,
    /// When to stop.
    pub budget: &'a Budget,
}

/// Runs a script.
pub fn run(name: &str, text: &str, environment: Environment<'_>) -> Report {
    let mut interpreter = Interpreter {
        environment,
        report: Report {
            sources: SourceMap::new(),
            assertions: Vec::new(),
            unsupported: Vec::new(),
            diagnostics: Vec::new(),
            interrupted: None,
        },
        letters: Letters::default(),
        variables: FxHashMap::default(),
        declared: FxHashMap::default(),
        depth: 0,
        randomness: 0,
    };
    let file = interpreter.report.sources.add(name, text);
    if let Err(stop) = interpreter.file(file) {
        match stop {
            Stop::Bad(diagnostic) => interpreter.report.diagnostics.push(*diagnostic),
            Stop::Interrupted(Interrupted(limit)) => interpreter.report.interrupted = Some(limit),
        }
    }
    interpreter.report
}

/// Why a run ends early.
enum Stop {
    Bad(Box<Diagnostic>),
    Interrupted(Interrupted),
}

impl From<Box<Diagnostic>> for Stop {
    fn from(diagnostic: Box<Diagnostic>) -> Stop {
        Stop::Bad(diagnostic)
    }
}

impl From<Interrupted> for Stop {
    fn from(interrupted: Interrupted) -> Stop {
        Stop::Interrupted(interrupted)
    }
}

fn bad<T>(span: Span, message: impl Into<String>) -> Result<T, Stop> {
    Err(Stop::Bad(Box::new(Diagnostic::error(span, message))))
}

/// How a statement ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Flow {
    Next,
    Break(Span),
    Continue(Span),
    Return,
}

/// A declaration that holds.
#[derive(Clone, Copy)]
struct Declaration {
    span: Span,
    /// How many blocks were open.
    depth: usize,
    kind: TypeKind,
    /// Whether this is an automaton that holds in the whole file.
    is_definition: bool,
}

struct Interpreter<'a> {
    environment: Environment<'a>,
    report: Report,
    letters: Letters,
    /// A variable that was declared without a value is `None`.
    variables: FxHashMap<String, Option<Value>>,
    /// Where the names of the open blocks were declared.
    declared: FxHashMap<String, Declaration>,
    /// How many blocks are open.
    depth: usize,
    /// How many random automata were made; each gets its own seed.
    randomness: u64,
}

impl Interpreter<'_> {
    fn file(&mut self, file: FileId) -> Result<(), Stop> {
        let statements = parser::parse(&self.report.sources, file)?;
        self.define(&statements)?;
        for statement in &statements {
            if definition_of(statement).is_some() {
                continue;
            }
            match self.statement(statement)? {
                Flow::Next => {}
                Flow::Return => break,
                Flow::Break(span) | Flow::Continue(span) => return bad(span, "there is no loop around this"),
            }
        }
        Ok(())
    }

    /// Makes the automata that are defined at the top level of a file.
    fn define(&mut self, statements: &[Statement]) -> Result<(), Stop> {
        for statement in statements {
            let Some((type_name, name, value)) = definition_of(statement) else { continue };
            self.note_declaration(type_name, name, true)?;
            let value = match type_kind(&type_name.text) {
                TypeKind::Automaton => self.expression(value)?,
                TypeKind::Unsupported => {
                    self.report.unsupported.push((type_name.text.clone(), type_name.span));
                    Value::Unsupported(type_name.text.as_str().into())
                }
                TypeKind::Unknown => return bad(type_name.span, unknown_type(&type_name.text)),
                _ => return bad(value.span, format!("expected {}, found an automaton", type_name.text)),
            };
            self.variables.insert(name.text.clone(), Some(value));
        }
        Ok(())
    }

    /// Refuses a name that is defined at another place already. (The same place comes again in a loop.) A variable that is
    /// declared again with its type is assigned, and a definition of another file replaces an earlier one: scripts do
    /// both, so there is only a warning.
    fn note_declaration(&mut self, type_name: &Name, name: &Name, is_definition: bool) -> Result<(), Stop> {
        let kind = type_kind(&type_name.text);
        let declaration = Declaration { span: name.span, depth: self.depth, kind, is_definition };
        let Some(first) = self.declared.insert(name.text.clone(), declaration) else { return Ok(()) };
        if first.span == name.span {
            return Ok(());
        }
        let repeats = first.kind == kind && !first.is_definition && !is_definition;
        let replaces = first.span.file != name.span.file;
        let message = format!("`{}` is defined twice", name.text);
        let diagnostic = if repeats || replaces {
            Diagnostic::warning(name.span, message)
        } else {
            Diagnostic::error(name.span, message)
        };
        let diagnostic = diagnostic.related(first.span, "first defined here");
        if !(repeats || replaces) {
            return Err(Stop::Bad(Box::new(diagnostic)));
        }
        let known = &mut self.report.diagnostics;
        if known.iter().all(|known| known.span != diagnostic.span) {
            known.push(diagnostic);
        }
        Ok(())
    }

    /// Runs the statements of a block; the names that are declared in it can be declared again behind it.
    fn scoped(&mut self, statements: &[Statement]) -> Result<Flow, Stop> {
        self.depth += 1;
        let flow = self.block(statements);
        self.depth -= 1;
        let depth = self.depth;
        self.declared.retain(|_, declaration| declaration.depth <= depth);
        flow
    }

    fn block(&mut self, statements: &[Statement]) -> Result<Flow, Stop> {
        for statement in statements {
            let flow = self.statement(statement)?;
            if flow != Flow::Next {
                return Ok(flow);
            }
        }
        Ok(Flow::Next)
    }

    fn statement(&mut self, statement: &Statement) -> Result<Flow, Stop> {
        self.environment.budget.check()?;
        match statement {
            Statement::Declare { type_name, name, value } => {
                self.declare(type_name, name, value.as_ref())?;
            }
            Statement::Expression(expression) => {
                self.expression(expression)?;
            }
            Statement::If { condition, then, otherwise } => match self.condition(condition)? {
                Some(true) => return self.scoped(then),
                Some(false) => return self.scoped(otherwise),
                None => {}
            },
            Statement::While { condition, body } => return self.repeat(Some(condition), &[], body),
            Statement::For { start, condition, step, body } => {
                // The loop variable belongs to the loop.
                self.depth += 1;
                let flow = self.block(start).and_then(|_| self.repeat(condition.as_ref(), step, body));
                self.depth -= 1;
                let depth = self.depth;
                self.declared.retain(|_, declaration| declaration.depth <= depth);
                return flow;
            }
            Statement::Block(statements) => return self.scoped(statements),
            Statement::Break(span) => return Ok(Flow::Break(*span)),
            Statement::Continue(span) => return Ok(Flow::Continue(*span)),
            Statement::Return => return Ok(Flow::Return),
        }
        Ok(Flow::Next)
    }

    fn repeat(
        &mut self,
        condition: Option<&Expression>,
        step: &[Statement],
        body: &[Statement],
    ) -> Result<Flow, Stop> {
        loop {
            self.environment.budget.check()?;
            if let Some(condition) = condition
                && self.condition(condition)? != Some(true)
            {
                return Ok(Flow::Next);
            }
            match self.scoped(body)? {
                Flow::Break(_) => return Ok(Flow::Next),
                Flow::Return => return Ok(Flow::Return),
                Flow::Next | Flow::Continue(_) => {}
            }
            self.block(step)?;
        }
    }

    /// The value of a condition; `None` if it depends on an unsupported operation.
    fn condition(&mut self, condition: &Expression) -> Result<Option<bool>, Stop> {
        match self.expression(condition)? {
            Value::Boolean(value) => Ok(Some(value)),
            Value::Unsupported(_) => Ok(None),
            other => bad(condition.span, format!("expected a truth value, found {}", other.kind())),
        }
    }

    fn declare(&mut self, type_name: &Name, name: &Name, value: Option<&Expression>) -> Result<(), Stop> {
        let kind = type_kind(&type_name.text);
        if kind == TypeKind::Unknown {
            return bad(type_name.span, unknown_type(&type_name.text));
        }
        self.note_declaration(type_name, name, false)?;
        let Some(expression) = value else {
            self.variables.insert(name.text.clone(), None);
            return Ok(());
        };
        let value = self.expression(expression)?;
        let fits = match (kind, &value) {
            (_, Value::Unsupported(_)) | (TypeKind::Unsupported, _) => true,
            (TypeKind::Automaton, value) => matches!(value, Value::Automaton(_)),
            (TypeKind::Word, value) => matches!(value, Value::Word(_)),
            (TypeKind::Lasso, value) => matches!(value, Value::Lasso(..)),
            (TypeKind::Int, value) => matches!(value, Value::Int(..)),
            (TypeKind::Boolean, value) => matches!(value, Value::Boolean(_)),
            (TypeKind::Text, value) => matches!(value, Value::Text(_)),
            (TypeKind::Unknown, _) => false,
        };
        if !fits {
            let message = format!("expected {}, found {}", type_name.text, value.kind());
            return bad(expression.span, message);
        }
        self.variables.insert(name.text.clone(), Some(value));
        Ok(())
    }

    fn variable(&self, name: &str, span: Span) -> Result<Value, Stop> {
        match self.variables.get(name) {
            Some(Some(value)) => Ok(value.clone()),
            Some(None) => bad(span, format!("`{name}` has no value yet")),
            None => bad(span, format!("`{name}` is not defined")),
        }
    }

    fn expression(&mut self, expression: &Expression) -> Result<Value, Stop> {
        let span = expression.span;
        match &expression.kind {
            ExpressionKind::Int(value) => Ok(Value::int(*value)),
            ExpressionKind::Boolean(value) => Ok(Value::Boolean(*value)),
            ExpressionKind::Text(text) => Ok(Value::Text(text.as_str().into())),
            ExpressionKind::Variable(name) => self.variable(name, span),
            ExpressionKind::Word(symbols) => Ok(Value::Word(self.symbols(symbols))),
            ExpressionKind::Lasso(stem, repeated) => {
                Ok(Value::Lasso(self.symbols(stem), self.symbols(repeated)))
            }
            ExpressionKind::Call(name, arguments) => self.call(name, arguments, span),
            ExpressionKind::Not(operand) => match self.expression(operand)? {
                Value::Boolean(value) => Ok(Value::Boolean(!value)),
                value @ Value::Unsupported(_) => Ok(value),
                other => bad(operand.span, format!("expected a truth value, found {}", other.kind())),
            },
            ExpressionKind::Negate(operand) => match self.expression(operand)? {
                Value::Int(value, _) => match value.checked_neg() {
                    Some(value) => Ok(Value::int(value)),
                    None => bad(span, "this number is too large"),
                },
                value @ Value::Unsupported(_) => Ok(value),
                other => bad(operand.span, format!("expected a number, found {}", other.kind())),
            },
            ExpressionKind::Chain(first, rest) => self.chain(first, rest),
            ExpressionKind::Assign(target, operator, value) => {
                let mut value = self.expression(value)?;
                if let Some(operator) = operator {
                    let old = self.variable(&target.text, target.span)?;
                    value = combine(*operator, old, value, span)?;
                } else if !self.variables.contains_key(&target.text) {
                    return bad(target.span, format!("`{}` is not defined", target.text));
                }
                self.variables.insert(target.text.clone(), Some(value.clone()));
                Ok(value)
            }
            ExpressionKind::Step(target, step) => {
                let old = self.variable(&target.text, target.span)?;
                let new = combine(Operator::Add, old.clone(), Value::int(step.by), span)?;
                self.variables.insert(target.text.clone(), Some(new.clone()));
                Ok(if step.postfix { old } else { new })
            }
            ExpressionKind::Automaton(text) => {
                let warnings = &mut self.report.diagnostics;
                Ok(Value::Automaton(definition::build(text, &mut self.letters, warnings)?))
            }
        }
    }

    fn symbols(&mut self, symbols: &[WordSymbol]) -> Rc<[Symbol]> {
        symbols
            .iter()
            .map(|symbol| {
                let letter = self.letters.intern(&symbol.letter.text);
                match symbol.position {
                    Position::Internal => Symbol::Internal(letter),
                    Position::Call => Symbol::Call(letter),
                    Position::Return => Symbol::Return(letter),
                }
            })
            .collect()
    }

    /// Evaluates operators of one level from left to right. Without recursion: a chain may be long.
    fn chain(&mut self, first: &Expression, rest: &[(Operator, Expression)]) -> Result<Value, Stop> {
        let mut value = self.expression(first)?;
        for (operator, operand) in rest {
            // The right side of a decided conjunction or disjunction is not evaluated.
            match (operator, &value) {
                (Operator::Or, Value::Boolean(true)) | (Operator::And, Value::Boolean(false)) => {
                    return Ok(value);
                }
                _ => {}
            }
            let right = self.expression(operand)?;
            value = combine(*operator, value, right, first.span.to(operand.span))?;
        }
        Ok(value)
    }

    fn call(&mut self, name: &Name, arguments: &[Expression], span: Span) -> Result<Value, Stop> {
        match name.text.as_str() {
            "assert" => return self.assert(name, arguments, span),
            "print" | "write" | "println" => return self.print(arguments),
            "parseAutomata" => return self.parse_automata(name, arguments),
            _ => {}
        }
        let mut values = Vec::with_capacity(arguments.len());
        for argument in arguments {
            values.push(self.expression(argument)?);
        }
        let apply =
            Apply { letters: &mut self.letters, budget: self.environment.budget, seed: self.randomness };
        self.randomness += 1;
        match operations::apply(&name.text, &values, apply) {
            Ok(value) => Ok(value),
            Err(Failure::Interrupted(interrupted)) => Err(interrupted.into()),
            Err(Failure::Unknown) => {
                let mut diagnostic =
                    Diagnostic::error(name.span, format!("there is no operation `{}`", name.text));
                if let Some(similar) = operations::similar(&name.text) {
                    diagnostic = diagnostic.help(format!("did you mean `{similar}`?"));
                }
                Err(Stop::Bad(Box::new(diagnostic)))
            }
            Err(Failure::Unsupported) => {
                self.report.unsupported.push((name.text.clone(), name.span));
                Ok(Value::Unsupported(name.text.as_str().into()))
            }
            Err(Failure::Arguments { expected, found }) => {
                let found = if found == 1 { "1 argument".to_owned() } else { format!("{found} arguments") };
                bad(span, format!("`{}` expects {expected}, found {found}", name.text))
            }
            Err(Failure::Argument { index, expected }) => {
                let found = values[index].kind();
                bad(arguments[index].span, format!("expected {expected}, found {found}"))
            }
            Err(Failure::Refused(message)) => bad(span, message),
        }
    }

    fn assert(&mut self, name: &Name, arguments: &[Expression], span: Span) -> Result<Value, Stop> {
        let [condition] = arguments else {
            return bad(name.span, "`assert` expects a truth value");
        };
        let verdict = match &condition.kind {
            ExpressionKind::Chain(left, rest) if matches!(rest[..], [(Operator::Equal, _)]) => {
                let (left, right) = (self.expression(left)?, self.expression(&rest[0].1)?);
                let comparison = combine(Operator::Equal, left.clone(), right.clone(), condition.span)?;
                size_verdict(&left, &right).map_or_else(|| truth(comparison), Ok)
            }
            _ => truth(self.expression(condition)?),
        };
        match verdict {
            Ok(verdict) => self.report.assertions.push(Assertion { span, verdict }),
            Err(other) => {
                return bad(condition.span, format!("expected a truth value, found {}", other.kind()));
            }
        }
        Ok(Value::Nothing)
    }

    fn print(&mut self, arguments: &[Expression]) -> Result<Value, Stop> {
        for argument in arguments {
            let value = self.expression(argument)?;
            let text = printer::print(&value, &self.letters, self.environment.format);
            if let Err(error) = writeln!(self.environment.out, "{text}") {
                return bad(argument.span, format!("cannot print: {error}"));
            }
        }
        Ok(Value::Nothing)
    }

    fn parse_automata(&mut self, name: &Name, arguments: &[Expression]) -> Result<Value, Stop> {
        let [argument] = arguments else {
            return bad(name.span, "`parseAutomata` expects the path of a file");
        };
        let path = match self.expression(argument)? {
            Value::Text(path) => path,
            other => {
                return bad(argument.span, format!("expected the path of a file, found {}", other.kind()));
            }
        };
        let from = self.report.sources.file(argument.span.file).name.clone();
        match (self.environment.load)(&from, &path) {
            Ok(Loaded { name, text }) => {
                let file = self.report.sources.add(name, text);
                let statements = parser::parse(&self.report.sources, file)?;
                self.define(&statements)?;
                Ok(Value::Nothing)
            }
            Err(message) => bad(argument.span, format!("cannot load `{path}`: {message}")),
        }
    }
}

/// The definition of an automaton: type, name and text.
fn definition_of(statement: &Statement) -> Option<(&Name, &Name, &Expression)> {
    match statement {
        Statement::Declare { type_name, name, value: Some(value) }
            if matches!(value.kind, ExpressionKind::Automaton(_)) =>
        {
            Some((type_name, name, value))
        }
        _ => None,
    }
}

/// The verdict of an assertion with this value.
fn truth(value: Value) -> Result<Verdict, Value> {
    match value {
        Value::Boolean(true) => Ok(Verdict::Holds),
        Value::Boolean(false) => Ok(Verdict::Fails),
        Value::Unsupported(name) => Ok(Verdict::Unsupported(name.to_string())),
        other => Err(other),
    }
}

/// The verdict of the equality of an improvable size and a plain number, if they differ.
fn size_verdict(left: &Value, right: &Value) -> Option<Verdict> {
    let (found, asserted) = match (left, right) {
        (Value::Int(found, Some(Size::Improvable)), Value::Int(asserted, None))
        | (Value::Int(asserted, None), Value::Int(found, Some(Size::Improvable))) => (*found, *asserted),
        _ => return None,
    };
    match found.cmp(&asserted) {
        std::cmp::Ordering::Less => Some(Verdict::Smaller { asserted, found }),
        std::cmp::Ordering::Equal => None,
        std::cmp::Ordering::Greater => Some(Verdict::Larger { asserted, found }),
    }
}

/// The value of a binary operator.
fn combine(operator: Operator, left: Value, right: Value, span: Span) -> Result<Value, Stop> {
    let value = match (&left, &right) {
        (Value::Unsupported(_), _) => return Ok(left),
        (_, Value::Unsupported(_)) => return Ok(right),
        (Value::Int(a, _), Value::Int(b, _)) => match arithmetic(operator, *a, *b) {
            Some(value) => Some(value),
            None if matches!(operator, Operator::Or | Operator::And) => None,
            None => return bad(span, "this has no value: a division by zero, or a number that is too large"),
        },
        (Value::Boolean(a), Value::Boolean(b)) => match operator {
            Operator::Or => Some(Value::Boolean(*a || *b)),
            Operator::And => Some(Value::Boolean(*a && *b)),
            Operator::Equal => Some(Value::Boolean(a == b)),
            Operator::Different => Some(Value::Boolean(a != b)),
            _ => None,
        },
        (Value::Text(a), Value::Text(b)) => match operator {
            Operator::Add => Some(Value::Text(format!("{a}{b}").into())),
            Operator::Equal => Some(Value::Boolean(a == b)),
            Operator::Different => Some(Value::Boolean(a != b)),
            _ => None,
        },
        (Value::Word(a), Value::Word(b)) => match operator {
            Operator::Equal => Some(Value::Boolean(a == b)),
            Operator::Different => Some(Value::Boolean(a != b)),
            _ => None,
        },
        _ => None,
    };
    match value {
        Some(value) => Ok(value),
        None => {
            let message = format!("this operator does not combine {} and {}", left.kind(), right.kind());
            bad(span, message)
        }
    }
}

fn arithmetic(operator: Operator, a: i64, b: i64) -> Option<Value> {
    Some(match operator {
        Operator::Or | Operator::And => return None,
        Operator::Equal => Value::Boolean(a == b),
        Operator::Different => Value::Boolean(a != b),
        Operator::Less => Value::Boolean(a < b),
        Operator::LessOrEqual => Value::Boolean(a <= b),
        Operator::Greater => Value::Boolean(a > b),
        Operator::GreaterOrEqual => Value::Boolean(a >= b),
        Operator::Add => Value::int(a.checked_add(b)?),
        Operator::Subtract => Value::int(a.checked_sub(b)?),
        Operator::Multiply => Value::int(a.checked_mul(b)?),
        Operator::Divide => Value::int(a.checked_div(b)?),
        Operator::Remainder => Value::int(a.checked_rem(b)?),
    })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum TypeKind {
    Automaton,
    Word,
    Lasso,
    Int,
    Boolean,
    Text,
    /// A kind of automaton that is known by name only.
    Unsupported,
    Unknown,
}

fn type_kind(name: &str) -> TypeKind {
    match name {
        "NestedWordAutomaton" | "FiniteAutomaton" | "EpsilonNestedWordAutomaton" | "Automaton" => {
            TypeKind::Automaton
        }
        "NestedWord" | "Word" => TypeKind::Word,
        "NestedLassoWord" | "LassoWord" => TypeKind::Lasso,
        "int" | "Int" | "Integer" => TypeKind::Int,
        "bool" | "boolean" | "Boolean" => TypeKind::Boolean,
        "string" | "String" => TypeKind::Text,
        "PetriNet"
        | "BranchingProcess"
        | "TreeAutomaton"
        | "TreeAutomatonRank"
        | "Tree"
        | "TreeRun"
        | "AlternatingAutomaton"
        | "RabinAutomaton"
        | "CountingAutomaton"
        | "NestedRun"
        | "NestedLassoRun"
        | "BuchiAutomaton"
        | "GeneralizedBuchiAutomaton" => TypeKind::Unsupported,
        _ => TypeKind::Unknown,
    }
}

fn unknown_type(name: &str) -> String {
    format!("there is no type `{name}`")
}
