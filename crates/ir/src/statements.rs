//! Procedure bodies: control-flow graphs of blocks.

use crate::expressions::Expr;
use crate::program::{Attribute, Procedure, Variable};
use base::{EntityRef, PrimaryMap, Span};

base::id!(
    /// A basic block of a [`Body`].
    Block,
    "block"
);

/// Why an assertion is there.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum AssertKind {
    /// An `assert` statement of the source, or an error that a front end has made explicit.
    Assert,
    /// A loop invariant; the statement stands at the loop head, so it is checked at every arrival.
    Invariant,
}

/// What a statement does.
#[derive(Clone, PartialEq, Debug)]
pub enum StatementKind {
    /// Parallel assignment: all right-hand sides are evaluated first. The targets are distinct.
    Assign(Vec<(Variable, Expr)>),
    /// The variables get arbitrary values that satisfy their `where` clauses.
    Havoc(Vec<Variable>),
    /// Executions that do not satisfy the formula stop here, without error.
    Assume(Expr),
    /// Executions that do not satisfy the formula fail here.
    Assert(AssertKind, Expr),
    /// Calls a procedure; the results are assigned to distinct variables.
    Call {
        /// The callee.
        procedure: Procedure,
        /// The values of its parameters.
        arguments: Vec<Expr>,
        /// Where its results go; as many as it has.
        results: Vec<Variable>,
    },
    /// Starts a thread that runs a procedure.
    Fork {
        /// What names the thread for those who join it.
        thread: Vec<Expr>,
        /// What it runs.
        procedure: Procedure,
        /// The values of its parameters.
        arguments: Vec<Expr>,
    },
    /// Waits for the end of a thread of this name, and takes its results.
    Join {
        /// What names the thread.
        thread: Vec<Expr>,
        /// Where its results go: nowhere, or as many as it has.
        results: Vec<Variable>,
    },
    /// No other thread runs between the beginning and the end.
    Atomic(Boundary),
}

/// An end of a part that runs without interruption. Such parts may be nested; an end without a beginning does nothing,
/// and a thread that ends is in no such part any more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Boundary {
    /// The other threads wait.
    Begin,
    /// The other threads may go on.
    End,
}

impl StatementKind {
    /// Whether the statement has a meaning only if there are several threads.
    pub fn is_concurrent(&self) -> bool {
        matches!(self, StatementKind::Fork { .. } | StatementKind::Join { .. } | StatementKind::Atomic(_))
    }
}

/// A statement with its place.
#[derive(Clone, PartialEq, Debug)]
pub struct Statement {
    /// What it does.
    pub kind: StatementKind,
    /// Where it stands in the source.
    pub span: Span,
    /// The attributes of the source, for example `{:msg "…"}`.
    pub attributes: Vec<Attribute>,
}

/// How a block ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Transfer {
    /// Continues at any one of the blocks; there is at least one.
    Goto(Vec<Block>),
    /// Continues at `then` if the condition holds, else at `otherwise`.
    Branch {
        /// A Boolean expression.
        condition: Expr,
        /// Where to continue if it holds.
        then: Block,
        /// Where to continue if it does not hold.
        otherwise: Block,
    },
    /// Ends the procedure.
    Return,
}

impl Transfer {
    /// The blocks that may come next, in order; a block may occur twice.
    pub fn successors(&self) -> impl Iterator<Item = Block> + '_ {
        let (several, two): (&[Block], Option<[Block; 2]>) = match self {
            Transfer::Goto(targets) => (targets, None),
            Transfer::Branch { then, otherwise, .. } => (&[], Some([*then, *otherwise])),
            Transfer::Return => (&[], None),
        };
        several.iter().copied().chain(two.into_iter().flatten())
    }
}

/// A basic block.
#[derive(Clone, PartialEq, Debug)]
pub struct BlockData {
    /// Its label, unique in the body.
    pub label: String,
    /// What it does, in order.
    pub statements: Vec<Statement>,
    /// How it ends.
    pub transfer: Transfer,
    /// Where the way on was decided in the source: the `goto`, the `return`, or the condition.
    pub transfer_span: Span,
}

/// The body of a procedure. The first block is the entry.
#[derive(Clone, PartialEq, Debug)]
pub struct Body {
    /// The local variables, in the order of declaration.
    pub locals: Vec<Variable>,
    /// The blocks; there is at least one.
    pub blocks: PrimaryMap<Block, BlockData>,
}

impl Body {
    /// The block where execution begins.
    pub fn entry(&self) -> Block {
        Block::new(0)
    }
}
