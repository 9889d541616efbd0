//! What the functions of a monitor do (see [`crate::monitor`]).

use super::numbers::Interval;
use super::values::Value;
use super::{Home, Result, Translator};
use crate::monitor::{CLAIM, NO_VALUE, UNDEFINED, names};
use crate::symbols::Symbols;
use crate::tree::{ExprId, ExprKind, Lifetime, Tree, VarId};
use ir::{Boundary, Expr};

/// Whose expression is being translated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Observing {
    /// That of a claim, by the number of its entry.
    Claim(i128),
    /// That of a waypoint: what it has no value for does not pass it.
    Waypoint,
    /// That of an observer: that it has a value is asserted, so that no execution is lost.
    Observer,
}

/// Which errors a monitor lets count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Counts {
    /// Those that happen while the target is being executed.
    AtTarget,
    /// Those that show at the end of the program, when the target has been executed.
    BehindTarget,
}

/// The variables that say whether the target is being executed, and by which thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AtTarget {
    executed: VarId,
    thread: VarId,
}

/// Where accesses may be races if a monitor says so.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Races {
    /// At its targets, with any other accesses.
    Here,
    /// At its targets, among each other.
    Among,
}

impl AtTarget {
    pub fn find(tree: &Tree, symbols: &Symbols) -> Option<AtTarget> {
        let find = |name: &str| {
            let name = symbols.get(name)?;
            let mut variables = tree.variables.iter();
            let is_it = |data: &crate::tree::Variable| data.name == name && data.lifetime == Lifetime::Static;
            variables.find(|(_, data)| is_it(data)).map(|(var, _)| var)
        };
        Some(AtTarget { executed: find(names::AT_TARGET)?, thread: find(names::TARGET_THREAD)? })
    }
}

impl Races {
    /// How a monitored program restricts races; nothing if it does not.
    pub fn find(tree: &Tree, symbols: &Symbols) -> Option<Races> {
        // Only monitors declare functions of these names; a text may still mention them.
        let is_declared = |name: &str| {
            let name = symbols.get(name);
            tree.functions.values().any(|function| Some(function.name) == name)
        };
        let here = is_declared(names::RACES_HERE).then_some(Races::Here);
        here.or_else(|| is_declared(names::RACES_AMONG).then_some(Races::Among))
    }
}

impl Translator<'_> {
    /// Whether an error counts here; nothing if it does everywhere.
    pub(super) fn at_target(&mut self, counts: Counts) -> Option<Expr> {
        let AtTarget { executed, thread } = self.at_target?;
        let value = self.plain_value(executed)?;
        let one = self.int(1);
        Some(match counts {
            Counts::AtTarget if self.threads.concurrent => {
                let (executing, own) = (self.plain_value(thread)?, self.own_thread());
                let (at, here) = (self.equal(value, one), self.equal(executing, own));
                self.and(at, here)
            }
            Counts::AtTarget => self.equal(value, one),
            Counts::BehindTarget => self.compare(ir::BinaryOp::GreaterEqual, value, one),
        })
    }

    fn plain_value(&mut self, var: VarId) -> Option<Expr> {
        let Ok(Home::Plain(variables)) = self.home(var) else { return None };
        Some(self.var(variables[0][0]))
    }

    /// What C gives a meaning only under a condition: executions end where it does not hold, but a claim that is not
    /// defined is an error, because it must not hide others.
    pub(super) fn defined_if(&mut self, condition: Expr) {
        match self.observing {
            Some(Observing::Claim(entry)) => {
                self.assert_always(condition, &format!("{CLAIM} {entry} {UNDEFINED}"));
            }
            Some(Observing::Observer) => self.assert_always(condition, NO_VALUE),
            Some(Observing::Waypoint) | None => self.assume(condition),
        }
    }

    /// 0 or 1, as the environment likes.
    pub(super) fn any_truth_value(&mut self) -> Value {
        let choice = self.temporary(ir::Type::INT);
        self.havoc(vec![choice]);
        let value = self.var(choice);
        let range = self.between(value, 0, 1);
        self.assume(range);
        Value::Int(value, Interval::TRUTH)
    }

    fn observed(&mut self, observing: Observing, condition: ExprId) -> Result<Expr> {
        let outer = self.observing.replace(observing);
        let condition = self.condition(condition);
        self.observing = outer;
        condition
    }

    /// A call of a function of the monitor; nothing if it is none.
    pub(super) fn observe(&mut self, name: &str, arguments: &[ExprId]) -> Result<Option<Value>> {
        match (name, arguments) {
            (names::CLAIM, &[entry, condition]) => {
                let ExprKind::Int(entry) = self.tree.exprs[entry].kind else { return Ok(None) };
                let at = self.expression.at;
                self.boundary(Boundary::Begin);
                let condition = self.observed(Observing::Claim(entry), condition)?;
                self.expression.at = at;
                self.assert_always(condition, &format!("{CLAIM} {entry}"));
                self.boundary(Boundary::End);
            }
            (names::HOLDS | names::OBSERVES, &[condition]) => {
                let whose = if name == names::HOLDS { Observing::Waypoint } else { Observing::Observer };
                let condition = self.observed(whose, condition)?;
                let (one, zero) = (self.int(1), self.int(0));
                let value = self.ite(condition, one, zero);
                return Ok(Some(Value::Int(value, Interval::TRUTH)));
            }
            (names::ATOMIC, &[begin]) => {
                let begins = matches!(self.tree.exprs[begin].kind, ExprKind::Int(1));
                self.boundary(if begins { Boundary::Begin } else { Boundary::End });
            }
            (names::RACES_HERE | names::RACES_AMONG, &[begin]) => {
                self.threads.at_race = matches!(self.tree.exprs[begin].kind, ExprKind::Int(1));
            }
            (names::NEXT_THREAD, []) => return Ok(Some(self.next_name())),
            (names::STOP, []) => self.stop(),
            (names::CHOICE, []) => return Ok(Some(self.any_truth_value())),
            _ => return Ok(None),
        }
        Ok(Some(Value::Void))
    }
}
