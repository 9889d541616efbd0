//! Which thread a waypoint is about.
//!
//! Threads have numbers in the translated program: the first has 0, and every creation takes the next one. A variable of the
//! monitor for each logical thread keeps the number that its creation took.

use super::apply::Applied;
use super::names::{OWN_THREAD, THREAD};
use super::{Event, Monitor, Waypoint};
use crate::ast::{Ast, ExprId, ExprKind};
use crate::problem::Problem;
use crate::symbols::Symbols;
use base::Span;
use std::collections::BTreeMap;

/// The functions that create a thread.
const CREATING: [&str; 2] = ["pthread_create", "thrd_create"];

/// What is known of the threads of a program and of a monitor.
pub(super) struct Threads {
    /// Whether the program may have more than one.
    pub(super) concurrent: bool,
    /// The threads that the waypoints create which end these segments.
    created: BTreeMap<usize, u32>,
}

impl Threads {
    pub(super) fn new(symbols: &Symbols) -> Threads {
        let concurrent = CREATING.iter().any(|name| symbols.get(name).is_some());
        Threads { concurrent, created: BTreeMap::new() }
    }

    /// Whether a call creates a thread.
    pub(super) fn creates(ast: &Ast, symbols: &Symbols, call: ExprId) -> bool {
        let ExprKind::Call(callee, _) = ast.exprs[call].kind else { return false };
        let ExprKind::Name(name) = ast.exprs[callee].kind else { return false };
        CREATING.contains(&symbols.text(name))
    }

    /// Notes that the waypoint at the end of a segment enters a call that creates a thread.
    pub(super) fn note(&mut self, segment: usize) {
        let next = self.created.len() as u32 + 1;
        self.created.insert(segment, next);
    }

    /// The thread that the waypoint at the end of a segment creates.
    pub(super) fn created_in(&self, segment: usize) -> Option<u32> {
        self.created.get(&segment).copied()
    }

    /// Every thread that a waypoint speaks of must be created by one.
    pub(super) fn check(&self, monitor: &Monitor, nowhere: Span) -> Applied<()> {
        let all = monitor.segments.iter().flat_map(|segment| segment.avoid.iter().chain([&segment.follow]));
        for waypoint in all {
            if let Some(thread) = waypoint.thread.filter(|&thread| thread as usize > self.created.len()) {
                let entry = waypoint.entry;
                let what = format!("witness entry {entry}: thread {thread}, which no waypoint creates");
                return Err(Problem::unsupported(nowhere, what));
            }
        }
        Ok(())
    }

    /// The condition that the thread of a waypoint is here, to be put behind another one.
    pub(super) fn here(&self, waypoint: &Waypoint) -> String {
        match waypoint.thread {
            Some(0) if self.concurrent => format!(" && {OWN_THREAD}() == 0"),
            Some(thread) if thread > 0 => format!(" && {OWN_THREAD}() == {THREAD}{thread}"),
            _ => String::new(),
        }
    }
}

/// Whether a waypoint may be one that creates a thread.
pub(super) fn may_create(waypoint: &Waypoint) -> bool {
    waypoint.event == Event::Enter
}
