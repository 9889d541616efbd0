//! Threads: `fork`, `join` and atomic parts, with the scheduler's choices made by the driver.
//!
//! Memory is sequentially consistent. Every statement is one step, so is a jump, a call and a return; a thread in an atomic
//! part goes on until its end. `fork` starts a thread, whose preconditions are checked there and whose postconditions
//! are checked at its end; the end of the first thread ends no other. `join` waits for *some* thread of the name
//! that is over and was not joined yet, and whose results have the types that are wanted.
//!
//! Whether two threads race is seen where the driver says that they meet ([`accesses`](crate::accesses)).
//!
//! The stacks of the running thread are in the machine, those of the others are put aside. As long as a run has only one
//! thread, nothing of this costs anything.

use super::driver::Driver;
use super::run::{End, Entering, Frame, Interpreter, Step};
use super::state::State;
use super::{Assumption, Outcome, Place, Value};
use crate::expressions::Expr;
use crate::marks::Mark;
use crate::program::{Procedure, Variable};
use crate::statements::{Boundary, StatementKind};

/// A run may have so many threads, joined ones included.
const MOST_THREADS: usize = 10_000;

/// A thread; while it runs, its stacks are in the machine.
#[derive(Clone)]
pub(super) struct Thread<'p> {
    frames: Vec<Frame<'p>>,
    locals: Vec<Value>,
    olds: Vec<(Variable, Value)>,
    /// How deep it is in atomic parts.
    atomic: u32,
    /// What names it for those who join it.
    name: Vec<Value>,
    procedure: Procedure,
    status: Status,
}

/// A cell of a watched variable that a thread is about to access.
struct Cell {
    variable: Variable,
    path: Vec<Value>,
    write: bool,
    atomic: bool,
}

#[derive(Clone)]
enum Status {
    Running,
    /// Its results.
    Over(Vec<Value>),
    Joined,
}

impl<'p> Thread<'p> {
    /// Its active procedures, as long as another thread runs.
    pub(super) fn frames(&self) -> &[Frame<'p>] {
        &self.frames
    }

    fn new(procedure: Procedure, name: Vec<Value>) -> Self {
        Thread {
            frames: Vec::new(),
            locals: Vec::new(),
            olds: Vec::new(),
            atomic: 0,
            name,
            procedure,
            status: Status::Running,
        }
    }
}

impl<'p> Interpreter<'p> {
    /// Chooses the thread that makes the next step; says whether there is one.
    pub(super) fn schedule(&mut self, driver: &mut dyn Driver) -> Step<bool> {
        if self.atomic > 0 {
            return Ok(true);
        }
        let running: Vec<usize> = (0..self.threads.len())
            .filter(|&thread| matches!(self.threads[thread].status, Status::Running))
            .collect();
        let before = self.current;
        let mut ready = Vec::with_capacity(running.len());
        for &thread in &running {
            if !self.waits(thread, driver)? {
                ready.push(thread);
            }
        }
        self.switch(before);
        let chosen = match (&ready[..], &running[..]) {
            (_, []) => return Ok(false),
            ([], [waiting, ..]) => {
                self.switch(*waiting);
                let place = self.frames.last().map(Frame::place);
                return Err(place.map_or(Outcome::NoThread.into(), |place| Assumption::Join(place).into()));
            }
            _ => driver.schedule(&self.state(), &ready),
        };
        match chosen.filter(|thread| ready.contains(thread)) {
            Some(thread) => self.switch(thread),
            None => return Err(Outcome::NoThread.into()),
        }
        Ok(true)
    }

    /// Does a thread wait for the end of another? Afterwards it is the one that runs.
    fn waits(&mut self, thread: usize, driver: &mut dyn Driver) -> Step<bool> {
        let frames = if thread == self.current { &self.frames } else { &self.threads[thread].frames };
        let Some(frame) = frames.last() else { return Ok(false) };
        let Some(statement) = frame.next_statement() else { return Ok(false) };
        let StatementKind::Join { thread: name, results } = &statement.kind else { return Ok(false) };
        self.switch(thread);
        Ok(self.candidates(name, results, driver)?.is_empty())
    }

    /// Whether some thread is not over, and all that are not wait: for the end of another, or at an assumption for threads
    /// to wait at that does not hold. If so, one of those that wait is the one that runs.
    pub(super) fn is_stuck(&mut self, driver: &mut dyn Driver) -> Step<bool> {
        let running = |thread: &usize| matches!(self.threads[*thread].status, Status::Running);
        let running: Vec<usize> = match self.threads.len() {
            0 => vec![self.current],
            threads => (0..threads).filter(running).collect(),
        };
        let before = self.current;
        let mut stuck = !running.is_empty() && self.atomic == 0;
        for &thread in &running {
            stuck = stuck && (self.waits(thread, driver)? || self.waits_here(thread, driver)?);
        }
        match running.first() {
            Some(&waiting) if stuck => self.switch(waiting),
            _ => self.switch(before),
        }
        Ok(stuck)
    }

    /// Does a thread wait at an assumption? Afterwards it is the one that runs.
    fn waits_here(&mut self, thread: usize, driver: &mut dyn Driver) -> Step<bool> {
        self.switch(thread);
        let statement = self.frames.last().and_then(Frame::next_statement);
        match statement.map(|statement| (&statement.kind, &statement.attributes)) {
            Some((StatementKind::Assume(condition), attributes)) if Mark::Waits.is_in(attributes) => {
                Ok(!self.machine.holds(*condition, driver)?)
            }
            _ => Ok(false),
        }
    }

    /// Whether two threads are about to access one cell of a watched variable, and not both only read or both are atomic.
    pub(super) fn race(
        &mut self,
        one: usize,
        other: usize,
        driver: &mut dyn Driver,
    ) -> Step<Option<Variable>> {
        let running = |thread: usize| {
            self.threads.get(thread).is_some_and(|thread| matches!(thread.status, Status::Running))
        };
        if one == other || !running(one) || !running(other) {
            return Ok(None);
        }
        let before = self.current;
        let first = self.cells(one, driver)?;
        let second = self.cells(other, driver)?;
        self.switch(before);
        let meets = |(left, right): (&Cell, &Cell)| {
            left.variable == right.variable
                && (left.write || right.write)
                && !(left.atomic && right.atomic)
                && left.path.iter().zip(&right.path).all(|(left, right)| left == right)
        };
        let mut pairs = first.iter().flat_map(|left| second.iter().map(move |right| (left, right)));
        Ok(pairs.find(|&pair| meets(pair)).map(|(left, _)| left.variable))
    }

    /// The cells that a thread is about to access. Afterwards it is the one that runs.
    fn cells(&mut self, thread: usize, driver: &mut dyn Driver) -> Step<Vec<Cell>> {
        self.switch(thread);
        let next = self.frames.last().and_then(|frame| frame.next_accesses(self.program));
        let Some((_, accesses)) = next else { return Ok(Vec::new()) };
        let mut cells = Vec::new();
        for access in accesses.into_iter().filter(|access| access.exact) {
            let mut happens = true;
            for &(condition, truth) in &access.guards {
                happens &= self.machine.holds(condition, driver)? == truth;
            }
            if happens {
                let path = self.values(&access.path, driver)?;
                let (variable, write) = (access.variable, access.write);
                let atomic = access.atomic || self.atomic > 0;
                cells.push(Cell { variable, path, write, atomic });
            }
        }
        Ok(cells)
    }

    /// Puts the stacks of the running thread aside and takes those of another.
    fn switch(&mut self, to: usize) {
        if to == self.current {
            return;
        }
        let machine = &mut self.machine;
        for thread in [self.current, to] {
            // First the stacks go aside, then the other ones come.
            let thread = &mut self.threads[thread];
            std::mem::swap(&mut thread.frames, &mut self.frames);
            std::mem::swap(&mut thread.locals, &mut machine.locals);
            std::mem::swap(&mut thread.olds, &mut machine.olds);
            std::mem::swap(&mut thread.atomic, &mut self.atomic);
        }
        self.current = to;
        self.rebase();
    }

    /// Starts a thread.
    pub(super) fn fork(
        &mut self,
        place: Place,
        (name, procedure): (&[Expr], Procedure),
        arguments: &[Expr],
        driver: &mut dyn Driver,
    ) -> Step<()> {
        let data = &self.program.procedures[procedure];
        if data.body.is_none() {
            return Err(Outcome::Threads(place).into());
        }
        let name = self.values(name, driver)?;
        let arguments = self.values(arguments, driver)?;
        if self.threads.is_empty() {
            let first = self.frames.first().map_or(place.procedure, |frame| frame.place().procedure);
            self.threads.push(Thread::new(first, Vec::new()));
        }
        if self.threads.len() >= MOST_THREADS {
            return Err(Outcome::TooManyCalls.into());
        }
        self.threads.push(Thread::new(procedure, name));
        let forking = self.current;
        self.switch(self.threads.len() - 1);
        self.open(procedure, data, arguments, &[]);
        let allowed = self.check_requires(place, procedure, driver);
        let begun = allowed.and_then(|()| self.enter(procedure, Entering::Called, driver));
        self.switch(forking);
        begun
    }

    /// Takes the results of a thread that is over.
    pub(super) fn join(
        &mut self,
        place: Place,
        name: &[Expr],
        results: &[Variable],
        driver: &mut dyn Driver,
    ) -> Step<()> {
        let candidates = self.candidates(name, results, driver)?;
        let joined = match &candidates[..] {
            [] => return Err(Assumption::Join(place).into()),
            [only] => Some(*only),
            several => driver.join(several).filter(|thread| several.contains(thread)),
        };
        let joined = joined.ok_or(Outcome::NoThread)?;
        let status = std::mem::replace(&mut self.threads[joined].status, Status::Joined);
        if let Status::Over(values) = status {
            for (&target, value) in results.iter().zip(values) {
                self.machine.set(target, value);
            }
        }
        Ok(())
    }

    /// The threads that a `join` of the running thread can take.
    fn candidates(
        &mut self,
        name: &[Expr],
        results: &[Variable],
        driver: &mut dyn Driver,
    ) -> Step<Vec<usize>> {
        let name = self.values(name, driver)?;
        let program = self.program;
        let fits = |thread: &Thread<'_>| {
            let given = &program.procedures[thread.procedure].results;
            let ty = |variable: &Variable| program.variables[*variable].ty;
            results.is_empty() || results.iter().map(ty).eq(given.iter().map(ty))
        };
        let over = |thread: &Thread<'_>| matches!(thread.status, Status::Over(_));
        let threads = self.threads.iter().enumerate();
        let found = threads.filter(|(_, thread)| over(thread) && thread.name == name && fits(thread));
        Ok(found.map(|(number, _)| number).collect())
    }

    fn values(&mut self, expressions: &[Expr], driver: &mut dyn Driver) -> Step<Vec<Value>> {
        let values: Result<Vec<Value>, _> =
            expressions.iter().map(|&expr| self.machine.evaluate(expr, driver)).collect();
        values.map_err(End::from)
    }

    /// Begins or ends an atomic part.
    pub(super) fn boundary(&mut self, boundary: Boundary) {
        self.atomic = match boundary {
            Boundary::Begin => self.atomic.saturating_add(1),
            Boundary::End => self.atomic.saturating_sub(1),
        };
    }

    /// The running thread is over.
    pub(super) fn end_thread(&mut self, results: Vec<Value>) {
        self.atomic = 0;
        if let Some(thread) = self.threads.get_mut(self.current) {
            thread.status = Status::Over(results);
        }
    }

    /// What the driver sees.
    pub(super) fn seen(&self) -> State<'_> {
        let (machine, threads) = (&self.machine, &self.threads[..]);
        State { machine, frames: &self.frames, thread: self.current, threads }
    }
}
