//! The syntax tree of a script.

use base::Span;

/// A name or a text in quotes, where either may stand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Name {
    pub(crate) text: String,
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) struct Expression {
    pub(crate) kind: ExpressionKind,
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) enum ExpressionKind {
    Int(i64),
    Boolean(bool),
    Text(String),
    Variable(String),
    /// `[a c< >r]`
    Word(Vec<WordSymbol>),
    /// `[a, b]`: stem and loop of an infinite word.
    Lasso(Vec<WordSymbol>, Vec<WordSymbol>),
    Call(Name, Vec<Expression>),
    Not(Box<Expression>),
    Negate(Box<Expression>),
    /// Operators of one level, from left to right. A list, so that a long sum is not a deep tree.
    Chain(Box<Expression>, Vec<(Operator, Expression)>),
    /// `x = e`, or `x += e` with an operator.
    Assign(Name, Option<Operator>, Box<Expression>),
    /// `x++`, `++x`, `x--`, `--x`
    Step(Name, Step),
    Automaton(Box<Definition>),
}

/// How a variable is stepped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Step {
    pub(crate) by: i64,
    /// Whether the value is the one before the step.
    pub(crate) postfix: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Operator {
    Or,
    And,
    Equal,
    Different,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

/// The kind of a position in a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Position {
    Internal,
    Call,
    Return,
}

#[derive(Clone, Debug)]
pub(crate) struct WordSymbol {
    pub(crate) position: Position,
    pub(crate) letter: Name,
}

/// The text of an automaton: its fields in the order in which they are written.
#[derive(Clone, Debug)]
pub(crate) struct Definition {
    pub(crate) fields: Vec<Field>,
}

#[derive(Clone, Debug)]
pub(crate) struct Field {
    pub(crate) name: Name,
    pub(crate) items: Vec<Item>,
}

/// An element of a field: a name, or a tuple of names.
#[derive(Clone, Debug)]
pub(crate) enum Item {
    Name(Name),
    Tuple(Vec<Name>, Span),
}

#[derive(Clone, Debug)]
pub(crate) enum Statement {
    /// `T x;` or `T x = e;`
    Declare {
        type_name: Name,
        name: Name,
        value: Option<Expression>,
    },
    Expression(Expression),
    If {
        condition: Expression,
        then: Vec<Statement>,
        otherwise: Vec<Statement>,
    },
    While {
        condition: Expression,
        body: Vec<Statement>,
    },
    For {
        start: Vec<Statement>,
        condition: Option<Expression>,
        step: Vec<Statement>,
        body: Vec<Statement>,
    },
    Block(Vec<Statement>),
    Break(Span),
    Continue(Span),
    Return,
}
