//! Observing a program at places of its source: claims that must hold there, and an automaton that follows executions.
//!
//! This is what a verification witness says about a program (SV-COMP witness format 2.0 to 2.2). The syntax tree is
//! extended before it is checked, so that expressions of a witness are read in the scope of their place:
//!
//! * a [`Claim`] becomes an assertion at its place. Where evaluating it has no meaning in C (a division by zero,
//!   a null pointer), another assertion fails: a claim never ends an execution. Signed integers do not overflow in it:
//!   they are mathematical, as verifiers mean them;
//! * the [`Segment`]s become a variable that counts how many of them an execution has passed. Executions that pass what a
//!   segment says to avoid end there. An error counts only while the target of the last segment is being executed
//!   (blocks that are left at the end of the program: if it has been executed); other executions end where they would reach an error. If the segments end with a cycle, executions go through its
//!   segments again and again, and assign [`CYCLE`] whenever they begin anew;
//! * a [`Waypoint`] may be one of a certain thread: 0 is the first, and `k` the one that the `k`-th waypoint creates that
//!   enters a function creating threads. Such a call and what it creates are one step of the execution;
//! * if the target is a [race](Monitor::race), accesses count as races only at the target;
//! * [`Ghost`]s become global variables, which are assigned before the statements at their places, in one step with them.
//!
//! So the program fails iff a claim is wrong or the property is violated, or, with segments, iff an execution of the
//! program that the segments describe violates the property at the target.
//!
//! The waypoint that ends a segment is decided when its place is reached: an execution that does something else there
//! ends. One event is never counted for two segments. Requires that expressions have no side effects, which is checked. A place that fits nothing in the program is
//! [`Unsupported`](crate::Unsupported), with the number of the entry.
//!
//! Cost: linear in the program for every entry of the monitor.

mod apply;
mod find;
mod fragments;
mod old_values;
mod target;
mod threads;

pub(crate) use apply::apply;

/// What to observe.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Monitor {
    /// What must hold at places of the program.
    pub claims: Vec<Claim>,
    /// What an execution passes, one after the other; the last one ends with an [`Event::Target`]. No segments: all
    /// executions count.
    pub segments: Vec<Segment>,
    /// The segment from which on the execution passes them again and again, for ever; then there is no target.
    pub cycle: Option<usize>,
    /// Variables that only the witness speaks of.
    pub ghosts: Vec<Ghost>,
    /// What is assigned to them, in the order in which it happens at one place.
    pub updates: Vec<Update>,
    /// What a race at the target is between.
    pub race: Option<Race>,
}

impl Monitor {
    /// How many threads the waypoints may create at most.
    fn most_threads(&self) -> usize {
        let speaks_of_threads = |segment: &Segment| segment.follow.thread.is_some();
        if !self.segments.iter().any(speaks_of_threads) {
            return 0;
        }
        self.segments.iter().filter(|segment| segment.follow.event == Event::Enter).count()
    }
}

/// A race of two threads as the target of the last segment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Race {
    /// One of the accesses happens at the target.
    WithTarget,
    /// One of them happens at the target, the other one at another [`Event::Target`].
    Between(Waypoint),
}

/// A global variable that is added to the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ghost {
    /// The number of the entry in the witness.
    pub entry: u32,
    /// Its name.
    pub name: String,
    /// Its type, as C writes it.
    pub ty: String,
    /// Its first value: a C constant expression.
    pub initial: String,
}

/// An assignment to a [`Ghost`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Update {
    /// The number of the entry in the witness.
    pub entry: u32,
    /// The statement with which it happens.
    pub place: Place,
    /// The ghost's name.
    pub variable: String,
    /// A C expression, evaluated before the statement.
    pub value: String,
}

/// A place in the main file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1; without it the leftmost fitting place of the line.
    pub column: Option<u32>,
}

/// When a claim must hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum When {
    /// Before each evaluation of the condition of the loop at the place. `\at(e, AnyPrev)` is the value of `e` at any earlier
    /// such moment, `\at(e, LastPrev)` that at the last one; where there was none, nothing is claimed.
    LoopCondition,
    /// Before each execution of the statement or declaration at the place; at a closing brace, at the end of the block.
    Statement,
    /// As for the loop at the place, or else as for the statement: some formats do not tell them apart.
    LoopOrStatement,
    /// At the start of each call of the function whose definition begins at the place.
    FunctionEntry,
    /// At the end of each call of that function: `\result` is what it returns, `\old(e)` the value of `e` at the start.
    FunctionExit,
}

/// What must hold at a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claim {
    /// The number of the entry in the witness.
    pub entry: u32,
    /// When it must hold.
    pub when: When,
    /// Where.
    pub place: Place,
    /// A C expression.
    pub text: String,
}

/// A part of an execution.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Segment {
    /// What the execution does not pass in it.
    pub avoid: Vec<Waypoint>,
    /// What ends it.
    pub follow: Waypoint,
}

/// An event at a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Waypoint {
    /// The number of the entry in the witness.
    pub entry: u32,
    /// Where.
    pub place: Place,
    /// What happens there.
    pub event: Event,
    /// In which thread; none: in any one.
    pub thread: Option<u32>,
}

/// What can happen at a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// A C expression holds before the statement or declaration at the place.
    Assumption(String),
    /// The condition of the `if`, loop or `?` at the place is evaluated to this truth value.
    Branching(bool),
    /// The subject of the `switch` at the place has this value; none: one for which there is no `case`.
    Switch(Option<i128>),
    /// The call whose closing parenthesis is at the place begins.
    Enter,
    /// That call has returned, and the expression holds of `\result`.
    Return(Option<String>),
    /// The property is violated in the statement or full expression at the place.
    Target,
    /// The property is violated in a statement that begins in the line.
    TargetOfLine,
    /// The only call of this function in the line has returned, and the expression holds of `\result`.
    ReturnOf(String, String),
    /// A C expression holds behind the statement or declaration at the place.
    Behind(String),
    /// The only condition in the line is evaluated to this truth value; it is one that is evaluated as a whole.
    Decision(bool),
}

/// The attribute text of an assertion that a claim became, without the number of its entry.
pub const CLAIM: &str = "witness: entry";
/// What is added to it for the assertion that evaluating the claim has a meaning.
pub const UNDEFINED: &str = "is undefined";

/// The attribute text of an assertion that a condition of an observer has a value.
pub const NO_VALUE: &str = "observer: a condition of the observer has no value here";

/// The global variable that is assigned whenever an execution begins the cycle of a monitor anew.
pub const CYCLE: &str = "__unreach_cycle";

/// Names of the functions and variables that observe; only monitored programs have them.
pub(crate) mod names {
    /// `void (int entry, _Bool condition)`: the condition must hold.
    pub(crate) const CLAIM: &str = "__unreach_claim";
    /// `_Bool (_Bool condition)`: the condition, read as that of a waypoint.
    pub(crate) const HOLDS: &str = "__unreach_holds";
    /// `_Bool (_Bool condition)`: the condition, read as that of an observer.
    pub(crate) const OBSERVES: &str = "__unreach_observes";
    /// `void (void)`: the execution ends.
    pub(crate) const STOP: &str = "__unreach_stop";
    /// `_Bool (void)`: any value.
    pub(crate) const CHOICE: &str = "__unreach_choice";
    /// `void (_Bool begin)`: no other thread interrupts what is done between two calls.
    pub(crate) const ATOMIC: &str = "__unreach_atomic";
    /// How many segments were passed.
    pub(crate) const STATE: &str = "__unreach_state";
    /// 1 while the target is being executed, 2 when it has been, 0 before.
    pub(crate) const AT_TARGET: &str = "__unreach_at_target";
    /// The thread that executes the target; only programs with threads have it.
    pub(crate) const TARGET_THREAD: &str = "__unreach_target_thread";
    /// With a number behind it: the thread that the waypoint of this number created.
    pub(crate) const THREAD: &str = "__unreach_thread";
    /// `unsigned long (void)`: the thread that is created next.
    pub(crate) const NEXT_THREAD: &str = "__unreach_next_thread";
    /// `unsigned long (void)`: the thread that is here.
    pub(crate) const OWN_THREAD: &str = "pthread_unreach_self";
    /// `void (_Bool begin)`: accesses between two calls may race, with any others.
    pub(crate) const RACES_HERE: &str = "__unreach_races_here";
    /// `void (_Bool begin)`: accesses between two calls may race, with each other only.
    pub(crate) const RACES_AMONG: &str = "__unreach_races_among";
    /// Stands for a part of the program in a text that is put around it.
    pub(crate) const HOLE: &str = "__unreach_hole";
}

/// The value of the variable for a thread that was not created yet: no thread has it as its name.
const NOT_CREATED: u32 = 1_000_000;

/// The declarations that a monitored program begins with.
pub(crate) fn prelude(monitor: &Monitor) -> String {
    let mut text = format!(
        "void {}(int, _Bool); _Bool {}(_Bool); void {}(void); void {}(_Bool); _Bool {}(void);",
        names::CLAIM,
        names::HOLDS,
        names::STOP,
        names::ATOMIC,
        names::CHOICE
    );
    if !monitor.segments.is_empty() {
        text += &format!(" static int {}; static int {};", names::STATE, names::AT_TARGET);
        text += &format!(" static unsigned long {};", names::TARGET_THREAD);
        text += &format!(" unsigned long {}(void);", names::NEXT_THREAD);
    }
    for thread in 1..=monitor.most_threads() {
        text += &format!(" static unsigned long {}{thread} = {NOT_CREATED};", names::THREAD);
    }
    match monitor.race {
        Some(Race::WithTarget) => text += &format!(" void {}(_Bool);", names::RACES_HERE),
        Some(Race::Between(_)) => text += &format!(" void {}(_Bool);", names::RACES_AMONG),
        None => {}
    }
    if monitor.cycle.is_some() {
        text += &format!(" static int {CYCLE};");
    }
    for ghost in &monitor.ghosts {
        text += &format!(" static {} {} = {};", ghost.ty, ghost.name, ghost.initial);
    }
    text
}
