//! Steps: what the edges of the single-step program stand for in the `ir`, and how a block is made of steps.

use base::PrimaryMap;
use ir::{Block, Procedure};
use logic::{Symbol, Term};

/// What an edge of the single-step program is in the `ir`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// A run begins with this procedure.
    Start(Procedure),
    /// A statement is executed; an assertion holds.
    Statement(StatementPlace),
    /// The assertion at this place fails.
    Fail(StatementPlace),
    /// A precondition of the called procedure fails at a call.
    FailRequires(StatementPlace, usize),
    /// The preconditions of the called procedure hold at a call.
    CheckRequires(StatementPlace),
    /// Control is passed to the called procedure.
    Call(StatementPlace),
    /// The body of a procedure begins; its preconditions and the `where` clauses of its variables hold.
    Enter(Procedure),
    /// The called procedure returns.
    Return(StatementPlace),
    /// A branch is decided.
    Branch {
        /// The procedure.
        procedure: Procedure,
        /// The block that ends with the branch.
        block: Block,
        /// Whether the condition holds.
        holds: bool,
    },
    /// One of the targets is taken.
    Goto {
        /// The procedure.
        procedure: Procedure,
        /// The block that ends with the jump.
        block: Block,
        /// Which target.
        target: usize,
    },
    /// The body ends and its postconditions hold.
    Leave(Procedure, Block),
    /// A postcondition fails at the end of the body.
    FailEnsures(Procedure, Block, usize),
}

/// Where a statement stands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct StatementPlace {
    /// The procedure.
    pub procedure: Procedure,
    /// The block.
    pub block: Block,
    /// The position in the block.
    pub index: usize,
}

base::id!(
    /// How an edge is made of steps.
    Origin,
    "o"
);

/// How an edge is made of steps.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OriginData {
    /// One step, with the constants that stand for what it chooses.
    Step {
        /// The step.
        step: Step,
        /// The auxiliary constant of each variable that gets an arbitrary value, in the order of the `ir`.
        choices: Vec<(ir::Variable, Symbol)>,
    },
    /// Nothing at all: the beginning of a block.
    Empty,
    /// One after the other.
    Sequence(Origin, Origin),
    /// The first where the selector holds, the second where it does not. The selector is over the state and the
    /// auxiliaries at the *beginning of the block*.
    Choice(Term, Origin, Origin),
}

/// All origins of a program.
#[derive(Clone, Default, Debug)]
pub struct Origins {
    data: PrimaryMap<Origin, OriginData>,
}

impl std::ops::Index<Origin> for Origins {
    type Output = OriginData;

    fn index(&self, origin: Origin) -> &OriginData {
        &self.data[origin]
    }
}

impl Origins {
    /// Adds an origin.
    pub fn push(&mut self, data: OriginData) -> Origin {
        self.data.push(data)
    }

    /// The single steps of an edge, given which selectors hold. Linear in their number, without recursion.
    pub fn steps<E>(
        &self,
        origin: Origin,
        mut holds: impl FnMut(Term) -> Result<bool, E>,
    ) -> Result<Vec<Origin>, E> {
        let mut steps = Vec::new();
        let mut pending = vec![origin];
        while let Some(origin) = pending.pop() {
            match self.data[origin] {
                OriginData::Step { .. } => steps.push(origin),
                OriginData::Empty => {}
                OriginData::Sequence(first, second) => pending.extend([second, first]),
                OriginData::Choice(selector, here, there) => {
                    pending.push(if holds(selector)? { here } else { there });
                }
            }
        }
        Ok(steps)
    }
}
